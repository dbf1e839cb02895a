/* Random operations on two bit sets, against two arrays of bool. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/bitset.h>

#include <string.h>

#define BITS 700u
#define STEPS 3000

typedef struct Model {
    bool bits[BITS];
} Model;

static uint32_t model_count(const Model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BITS; i++)
        count += model->bits[i];
    return count;
}

static uint32_t model_next(const Model *model, uint32_t from)
{
    for (uint32_t i = from; i < BITS; i++) {
        if (model->bits[i])
            return i;
    }
    return CN_BITSET_NONE;
}

static bool model_contains(const Model *model, const Model *subset)
{
    for (uint32_t i = 0; i < BITS; i++) {
        if (subset->bits[i] && !model->bits[i])
            return false;
    }
    return true;
}

static bool model_overlaps(const Model *a, const Model *b)
{
    for (uint32_t i = 0; i < BITS; i++) {
        if (a->bits[i] && b->bits[i])
            return true;
    }
    return false;
}

static uint32_t model_hash(const Model *model)
{
    uint32_t words[(BITS + 31) / 32] = {0};
    uint32_t used = 0;
    for (uint32_t i = 0; i < BITS; i++) {
        words[i / 32] |= (uint32_t)model->bits[i] << (i % 32);
        if (model->bits[i])
            used = i / 32 + 1;
    }
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < used; i++)
        hash = (hash ^ words[i]) * 16777619u;
    return hash;
}

static void change(TestRandom *random, CnBitSet *set, Model *model, const CnBitSet *other,
                   const Model *other_model)
{
    /* Small ranges make sets of different length and equal sets likely. */
    uint32_t bit = test_random_below(random, 1 + test_random_below(random, BITS));
    switch (test_random_below(random, 40)) {
    case 0:
        cn_bitset_clear_all(set);
        memset(model, 0, sizeof *model);
        break;
    case 1:
        assert_true(cn_bitset_copy(set, other));
        *model = *other_model;
        break;
    case 2:
        assert_true(cn_bitset_union(set, other));
        for (uint32_t i = 0; i < BITS; i++)
            model->bits[i] |= other_model->bits[i];
        break;
    case 3:
        assert_true(cn_bitset_reserve(set, bit));
        break;
    case 4:
        cn_bitset_fini(set);
        memset(model, 0, sizeof *model);
        break;
    default:
        if (test_random_chance(random, 60)) {
            assert_true(cn_bitset_set(set, bit));
            model->bits[bit] = true;
        } else {
            cn_bitset_clear(set, bit);
            model->bits[bit] = false;
        }
    }
}

static void check(TestRandom *random, const CnBitSet *set, const Model *model)
{
    uint32_t bit = test_random_below(random, BITS + 100);
    assert_int_equal(cn_bitset_has(set, bit), bit < BITS && model->bits[bit]);
    assert_int_equal(cn_bitset_next(set, bit), model_next(model, bit));
    assert_int_equal(cn_bitset_count(set), model_count(model));
    assert_int_equal(cn_bitset_is_empty(set), model_count(model) == 0);
    assert_int_equal(cn_bitset_hash(set), model_hash(model));
}

static void run(uint64_t seed)
{
    TestRandom random = {seed};
    CnBitSet sets[2];
    Model models[2] = {{{false}}, {{false}}};
    cn_bitset_init(&sets[0], NULL);
    cn_bitset_init(&sets[1], NULL);
    for (int step = 0; step < STEPS; step++) {
        uint32_t i = test_random_below(&random, 2);
        change(&random, &sets[i], &models[i], &sets[!i], &models[!i]);
        check(&random, &sets[i], &models[i]);
        assert_int_equal(cn_bitset_contains(&sets[i], &sets[!i]),
                         model_contains(&models[i], &models[!i]));
        assert_int_equal(cn_bitset_overlaps(&sets[i], &sets[!i]),
                         model_overlaps(&models[i], &models[!i]));
        assert_int_equal(cn_bitset_equals(&sets[i], &sets[!i]),
                         memcmp(&models[i], &models[!i], sizeof models[i]) == 0);
    }
    cn_bitset_fini(&sets[0]);
    cn_bitset_fini(&sets[1]);
}

static void random_operations_agree_with_arrays_of_bool(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++)
        run(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_arrays_of_bool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

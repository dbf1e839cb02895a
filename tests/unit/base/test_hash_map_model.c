/* Random operations on a hash map, against a list searched in order. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define MOST 1500u
#define STEPS 20000
#define NOT_THERE UINT32_MAX

/* A size that is no power of two, as values of a map often have. */
typedef struct Value {
    uint32_t words[3];
} Value;

typedef struct Model {
    uint64_t keys[MOST];
    Value values[MOST];
    uint32_t count;
} Model;

static uint32_t model_find(const Model *model, uint64_t key)
{
    for (uint32_t i = 0; i < model->count; i++) {
        if (model->keys[i] == key)
            return i;
    }
    return NOT_THERE;
}

static void set_both(CnHashMap *map, Model *model, uint64_t key, Value value)
{
    uint32_t at = model_find(model, key);
    if (at == NOT_THERE && model->count == MOST)
        return;
    assert_memory_equal(cn_hash_map_set(map, key, &value), &value, sizeof value);
    if (at == NOT_THERE)
        at = model->count++;
    model->keys[at] = key;
    model->values[at] = value;
}

static void remove_both(CnHashMap *map, Model *model, uint64_t key)
{
    uint32_t at = model_find(model, key);
    assert_int_equal(cn_hash_map_remove(map, key), at != NOT_THERE);
    if (at == NOT_THERE)
        return;
    model->count--;
    model->keys[at] = model->keys[model->count];
    model->values[at] = model->values[model->count];
}

static void check_all(const CnHashMap *map, const Model *model)
{
    assert_int_equal(map->count, model->count);
    for (uint32_t i = 0; i < model->count; i++) {
        assert_true(cn_hash_map_key(map, i) == model->keys[i]);
        assert_memory_equal(cn_hash_map_value(map, i), &model->values[i], sizeof(Value));
        assert_ptr_equal(cn_hash_map_get(map, model->keys[i]), cn_hash_map_value(map, i));
    }
}

/* Keys that share their low bits, their high bits, or nothing. */
static uint64_t some_key(TestRandom *random, uint64_t seed)
{
    uint64_t small = test_random_below(random, 2000);
    switch (seed % 3) {
    case 0:
        return small;
    case 1:
        return small << 50;
    default:
        return small * 0xd1342543de82ef95u;
    }
}

static void run(uint64_t seed)
{
    static Model model;
    memset(&model, 0, sizeof model);
    TestRandom random = {seed};
    CnHashMap map;
    cn_hash_map_init(&map, NULL, sizeof(Value));
    for (int step = 0; step < STEPS; step++) {
        uint64_t key = some_key(&random, seed);
        /* Long stretches of growth and of decay. */
        uint32_t set_percent = step / 4000 % 2 ? 35 : 65;
        if (test_random_below(&random, 8000) == 0) {
            cn_hash_map_clear(&map);
            model.count = 0;
        } else if (test_random_chance(&random, set_percent)) {
            uint32_t word = (uint32_t)test_random(&random);
            set_both(&map, &model, key, (Value){{word, ~word, (uint32_t)step}});
        } else {
            remove_both(&map, &model, key);
        }
        uint64_t probe = some_key(&random, seed);
        uint32_t at = model_find(&model, probe);
        const void *found = cn_hash_map_get(&map, probe);
        assert_ptr_equal(found, at == NOT_THERE ? NULL : cn_hash_map_value(&map, at));
        if (step % 500 == 0)
            check_all(&map, &model);
    }
    check_all(&map, &model);
    cn_hash_map_fini(&map);
}

static void random_operations_agree_with_a_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        run(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random operations on a sparse map (and with it a sparse set), against a list searched in order.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/sparse.h>

#include <string.h>

#define KEYS 6000u
#define STEPS 30000

/* The list keeps the order that the header promises: the last item takes the place of a removed
 * one. */
typedef struct Model {
    uint32_t keys[KEYS];
    uint64_t values[KEYS];
    uint32_t count;
} Model;

/* Keys in several pages, some of which stay empty. */
#define STRIDE 3u

static uint32_t model_find(const Model *model, uint32_t key)
{
    for (uint32_t i = 0; i < model->count; i++) {
        if (model->keys[i] == key)
            return i;
    }
    return CN_SPARSE_NONE;
}

static void set_both(CnSparseMap *map, Model *model, uint32_t key, uint64_t value)
{
    uint64_t *place = cn_sparse_map_set(map, key, &value);
    assert_non_null(place);
    assert_true(*place == value);
    uint32_t at = model_find(model, key);
    if (at == CN_SPARSE_NONE)
        at = model->count++;
    model->keys[at] = key;
    model->values[at] = value;
}

static void remove_both(CnSparseMap *map, Model *model, uint32_t key)
{
    uint32_t at = model_find(model, key);
    assert_int_equal(cn_sparse_map_remove(map, key), at != CN_SPARSE_NONE);
    if (at == CN_SPARSE_NONE)
        return;
    model->count--;
    model->keys[at] = model->keys[model->count];
    model->values[at] = model->values[model->count];
}

static void check_all(const CnSparseMap *map, const Model *model)
{
    assert_int_equal(map->set.count, model->count);
    if (model->count == 0)
        return;
    assert_memory_equal(map->set.keys, model->keys, model->count * sizeof model->keys[0]);
    assert_memory_equal(map->values, model->values, model->count * sizeof model->values[0]);
}

static void run(uint64_t seed)
{
    static Model model;
    memset(&model, 0, sizeof model);
    TestRandom random = {seed};
    CnSparseMap map;
    cn_sparse_map_init(&map, NULL, sizeof(uint64_t));
    uint32_t range = seed % 2 ? 200 : KEYS;
    for (int step = 0; step < STEPS; step++) {
        uint32_t key = test_random_below(&random, range) * STRIDE;
        if (test_random_below(&random, 10000) == 0) {
            cn_sparse_map_clear(&map);
            model.count = 0;
        } else if (test_random_chance(&random, 55)) {
            set_both(&map, &model, key, test_random(&random));
        } else {
            remove_both(&map, &model, key);
        }
        uint32_t probe = test_random_below(&random, range) * STRIDE;
        assert_int_equal(cn_sparse_set_find(&map.set, probe), model_find(&model, probe));
        assert_null(cn_sparse_map_get(&map, probe + 1));
        if (step % 1000 == 0)
            check_all(&map, &model);
    }
    check_all(&map, &model);
    cn_sparse_map_fini(&map);
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

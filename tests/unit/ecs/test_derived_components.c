/* Derived components: which entities have one is state, its value is not. */
#include "ecs_fixture.h"

typedef struct Matrix {
    float values[12];
} Matrix;
CN_OPAQUE(Matrix);

static void register_matrix(CnWorld *in)
{
    Matrix unset = {{-1}};
    assert_true(
        cn_register(in, Matrix, .flags = CN_COMPONENT_DERIVED, .default_value = &unset).id != 0);
}

static void its_value_is_not_part_of_the_state(void **state)
{
    (void)state;
    register_matrix(world);
    CnEntity e = cn_spawn(world, cn_with(Matrix, {{1}}));
    uint64_t hash = cn_world_hash(world);
    uint64_t part = cn_world_hash_component(world, cn_id(world, Matrix));
    cn_set(world, e, Matrix, {{2}});
    assert_true(cn_world_hash(world) == hash);
    assert_true(cn_world_hash_component(world, cn_id(world, Matrix)) == part);
    CnFingerprint before, after;
    cn_world_fingerprint_component(world, cn_id(world, Matrix), &before);
    cn_set(world, e, Matrix, {{3}});
    cn_world_fingerprint_component(world, cn_id(world, Matrix), &after);
    assert_true(cn_fingerprint_equal(&before, &after));
}

static void who_has_it_is_part_of_the_state(void **state)
{
    (void)state;
    register_matrix(world);
    CnEntity e = cn_spawn(world, cn_with(Matrix, {{1}}));
    uint64_t hash = cn_world_hash(world);
    cn_remove(world, e, Matrix);
    assert_true(cn_world_hash(world) != hash);
}

static void after_a_load_it_is_there_with_its_default(void **state)
{
    (void)state;
    register_matrix(world);
    CnEntity e = cn_spawn(world, cn_with(Matrix, {{1}}), cn_with(Health, {3, 4}));
    uint64_t hash = cn_world_hash(world);
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    cn_destroy(world, e);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(cn_world_hash(world) == hash);
    assert_true(cn_get(world, e, Matrix)->values[0] == -1);
    assert_int_equal(cn_get(world, e, Health)->now, 3);
}

/* With a transient component, the rows of both kinds would lie in one archetype after the load, and
 * a row that goes would be replaced by another one. */
static void rows_go_on_in_the_same_order(void **state)
{
    (void)state;
    register_matrix(world);
    CnEntity entities[8];
    for (int i = 0; i < 8; i++)
        entities[i] = i % 2 ? cn_spawn(world, cn_with(Health, {i, 0}))
                            : cn_spawn(world, cn_with(Health, {i, 0}), cn_with_default(Matrix));
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    CnWorld *other = cn_world_create(NULL, NULL);
    register_matrix(other);
    assert_true(cn_world_load(other, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    for (int i = 0; i < 4; i++) {
        cn_destroy(world, entities[i]);
        cn_destroy(other, entities[i]);
        assert_true(cn_world_hash(world) == cn_world_hash(other));
    }
    cn_world_destroy(other);
}

static void its_first_use_need_not_know(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Matrix, {{1}}));
    uint64_t hash = cn_world_hash(world);
    register_matrix(world);
    assert_true(cn_world_hash(world) != hash);
}

static void what_is_described_cannot_be_derived(void **state)
{
    (void)state;
    CnError error = {0};
    CnComponentDesc desc = {.type = &cn_type_Health, .flags = CN_COMPONENT_DERIVED};
    assert_true(cn_component_register(world, &desc, &error).id == 0);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
}

static void touch(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        cn_column(&view, Matrix)->values[0] = 5;
}

static void frames_may_write_it(void **state)
{
    (void)state;
    register_matrix(world);
    CnEntity e = cn_spawn(world, cn_with_default(Matrix));
    CnSystemDesc desc = {.name = "touch",
                         .run = touch,
                         .stage = CN_STAGE_FRAME,
                         .query = {.all = {cn_writes(Matrix)}}};
    assert_true(cn_system_add(world, &desc, NULL).id != 0);
    assert_true(cn_world_frame(world, 0, NULL));
    assert_true(cn_get(world, e, Matrix)->values[0] == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(its_value_is_not_part_of_the_state),
        WORLD_TEST(who_has_it_is_part_of_the_state),
        WORLD_TEST(after_a_load_it_is_there_with_its_default),
        WORLD_TEST(rows_go_on_in_the_same_order),
        WORLD_TEST(its_first_use_need_not_know),
        WORLD_TEST(what_is_described_cannot_be_derived),
        WORLD_TEST(frames_may_write_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

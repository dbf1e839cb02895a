/* CN_SYSTEM: a system from its arguments and the body of its loop. */
#include "fixture.h"

#include <cairn/base/cpu.h>

CN_COMPONENT(Particle, (vec3, place), (vec3, speed), (f32, age));

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

CN_SYSTEM(drift, (write, Particle, place, place), (read, Particle, speed, speed))
{
    for (uint32_t i = 0; i < count; i++)
        place[i].x += speed[i].x * context->dt;
}

CN_SYSTEM(grow_old, (write, Particle, age, age))
{
    for (uint32_t i = 0; i < count; i++)
        age[i] += 1;
}

CN_SYSTEM(bury, (read, Health, health))
{
    for (uint32_t i = 0; i < count; i++)
        if (health[i].now <= 0)
            cn_defer_destroy(context->commands, chunk->entities[i]);
}

static void a_system_made_by_the_macro_runs_over_all_chunks(void **state)
{
    (void)state;
    CnEntity entities[3000];
    for (int i = 0; i < 3000; i++) {
        entities[i] =
            cn_spawn(world, cn_with(Position, {(float)i, 0, 0}), cn_with(Velocity, {4, 8, 0}));
        if (i % 2)
            cn_add(world, entities[i], Enemy);
    }
    CnEntity still = cn_spawn(world, cn_with(Position, {1, 1, 1}));
    assert_int_not_equal(cn_system(world, move, .stage = CN_STAGE_UPDATE).id, 0);
    assert_true(cn_world_update(world, 0.5f, NULL));
    for (int i = 0; i < 3000; i++) {
        assert_number_equal(cn_get(world, entities[i], Position)->x, i + 2);
        assert_number_equal(cn_get(world, entities[i], Position)->y, 4);
    }
    assert_number_equal(cn_get(world, still, Position)->x, 1);
}

static void the_name_of_the_system_is_that_of_the_macro(void **state)
{
    (void)state;
    CnSystem system = cn_system(world, move, .stage = CN_STAGE_UPDATE);
    assert_int_equal(cn_system_find(world, "move").id, system.id);
}

static void further_options_follow_the_name(void **state)
{
    (void)state;
    CnSystem first = cn_system(world, grow_old, .stage = CN_STAGE_POST_UPDATE, .after = {"move"});
    CnSystem second = cn_system(world, move, .stage = CN_STAGE_POST_UPDATE);
    CnSystem order[2];
    uint32_t count;
    assert_true(cn_stage_systems(world, CN_STAGE_POST_UPDATE, order, 2, &count, NULL));
    assert_int_equal(order[0].id, second.id);
    assert_int_equal(order[1].id, first.id);
}

static void single_fields_are_arguments_of_a_component_by_fields(void **state)
{
    (void)state;
    cn_register(world, Particle, .layout = CN_LAYOUT_FIELDS);
    CnEntity entities[1000];
    for (int i = 0; i < 1000; i++)
        entities[i] = cn_spawn(world, cn_with(Particle, {{(float)i, 0, 0}, {2, 0, 0}, 7}));
    cn_system(world, drift, .stage = CN_STAGE_UPDATE);
    cn_system(world, grow_old, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 0.5f, NULL));
    for (int i = 0; i < 1000; i++) {
        Particle particle;
        assert_true(cn_read(world, entities[i], Particle, &particle));
        assert_number_equal(particle.place.x, i + 1);
        assert_number_equal(particle.age, 8);
    }
}

static void the_body_sees_the_context_and_the_chunk(void **state)
{
    (void)state;
    CnEntity dead = cn_spawn(world, cn_with(Health, {0, 9})),
             alive = cn_spawn(world, cn_with(Health, {1, 9}));
    cn_system(world, bury, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 0.5f, NULL));
    assert_false(cn_is_alive(world, dead));
    assert_true(cn_is_alive(world, alive));
}

static void the_arguments_are_the_declared_access(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    CnQuery *query =
        cn_query(world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}});
    assert_int_equal(cn_world_stats(world).queries, 1); /* the system's own, found again */
    assert_int_equal(cn_query_count(query), 1);
    uint64_t since = cn_world_tick(world);
    cn_world_update(world, 0.5f, NULL);
    CnChunkView view = {0};
    CnQueryIter positions =
        cn_query_iter_changed(cn_query(world, &(CnQueryDesc){.all = {cn_reads(Position)}}), since);
    CnQueryIter velocities =
        cn_query_iter_changed(cn_query(world, &(CnQueryDesc){.all = {cn_reads(Velocity)}}), since);
    assert_true(cn_query_next(&positions, &view));
    assert_false(cn_query_next(&velocities, &view));
}

static void all_simd_paths_give_the_same_bits(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    CnEntity entities[CN_SIMD_PATH_COUNT][37];
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        cn_world_clear(world);
        for (int i = 0; i < 37; i++)
            entities[path][i] = cn_spawn(world, cn_with(Position, {0.1f * (float)i, 1, 2}),
                                         cn_with(Velocity, {0.3f, 0.7f * (float)i, -0.9f}));
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        Position expected[37], moved[37];
        for (int i = 0; i < 37; i++) {
            float dt = 0.016f;
            Velocity v = *cn_get(world, entities[path][i], Velocity);
            expected[i] = *cn_get(world, entities[path][i], Position);
            expected[i].x += v.x * dt;
            expected[i].y += v.y * dt;
            expected[i].z += v.z * dt;
        }
        cn_world_update(world, 0.016f, NULL);
        for (int i = 0; i < 37; i++)
            moved[i] = *cn_get(world, entities[path][i], Position);
        assert_memory_equal(moved, expected, sizeof moved);
    }
    cn_simd_force(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_system_made_by_the_macro_runs_over_all_chunks),
        WORLD_TEST(the_name_of_the_system_is_that_of_the_macro),
        WORLD_TEST(further_options_follow_the_name),
        WORLD_TEST(single_fields_are_arguments_of_a_component_by_fields),
        WORLD_TEST(the_body_sees_the_context_and_the_chunk),
        WORLD_TEST(the_arguments_are_the_declared_access),
        WORLD_TEST(all_simd_paths_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

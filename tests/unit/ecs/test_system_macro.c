/* CN_SYSTEM: a system from its arguments and the body of its loop. */
#include "ecs_fixture.h"

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
    CnScheduled order[2];
    uint32_t count;
    assert_true(cn_stage_systems(world, CN_STAGE_POST_UPDATE, order, 2, &count, NULL));
    assert_int_equal(order[0].system.id, second.id);
    assert_int_equal(order[1].system.id, first.id);
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
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}}, NULL);
    assert_int_equal(cn_world_stats(world).queries, 1); /* the system's own, found again */
    assert_int_equal(cn_query_count(query), 1);
    uint64_t since = cn_world_tick(world);
    cn_world_update(world, 0.5f, NULL);
    CnChunkView view = {0};
    CnQueryIter positions = cn_query_iter_changed(
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL), since);
    CnQueryIter velocities = cn_query_iter_changed(
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Velocity)}}, NULL), since);
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

/* ---- Terms that select ---- */

CN_SYSTEM(thaw, (write, Position, p), (without, Frozen))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].x += 1;
}

CN_SYSTEM(burn, (write, Health, health), (tag, Burning))
{
    for (uint32_t i = 0; i < count; i++)
        health[i].now--;
}

CN_SYSTEM(pass_by, (read, Health, health), (tag, Position))
{
    *(uint32_t *)context->user += health[0].now > 0 ? count : 0;
}

CN_SYSTEM(only_tags, (tag, Enemy), (without, Frozen))
{
    *(uint32_t *)context->user += count;
}

static void without_leaves_out_entities_that_have_the_component(void **state)
{
    (void)state;
    CnEntity frozen = cn_spawn(world, cn_with(Position, {0}), cn_with_tag(Frozen)),
             warm = cn_spawn(world, cn_with(Position, {0}));
    cn_system(world, thaw, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 1, NULL));
    assert_number_equal(cn_get(world, frozen, Position)->x, 0);
    assert_number_equal(cn_get(world, warm, Position)->x, 1);
}

static void tag_leaves_out_entities_that_lack_the_component(void **state)
{
    (void)state;
    CnEntity burning = cn_spawn(world, cn_with(Health, {5, 5}), cn_with_tag(Burning)),
             safe = cn_spawn(world, cn_with(Health, {5, 5}));
    cn_system(world, burn, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 1, NULL));
    assert_int_equal(cn_get(world, burning, Health)->now, 4);
    assert_int_equal(cn_get(world, safe, Health)->now, 5);
}

static void tag_declares_no_access(void **state)
{
    (void)state;
    uint32_t rows = 0;
    CnSystem first = cn_system(world, thaw, .stage = CN_STAGE_UPDATE),
             second = cn_system(world, pass_by, .user = &rows, .stage = CN_STAGE_UPDATE);
    char why[64];
    assert_null(cn_system_conflict(world, first, second, why, sizeof why));
}

static void a_system_may_have_no_columns(void **state)
{
    (void)state;
    uint32_t rows = 0;
    cn_spawn(world, cn_with_tag(Enemy));
    cn_spawn(world, cn_with_tag(Enemy), cn_with(Mass, {1}));
    cn_spawn(world, cn_with_tag(Enemy), cn_with_tag(Frozen));
    cn_system(world, only_tags, .user = &rows, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 1, NULL));
    assert_int_equal(rows, 2);
}

/* ---- Optional columns ---- */

CN_SYSTEM(sink, (write, Position, p), (optional_read, Mass, mass))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].y -= mass ? (float)mass[i].kilograms : 1;
}

CN_SYSTEM(tire, (read, Velocity, v), (optional_write, Health, health))
{
    for (uint32_t i = 0; health && i < count; i++)
        health[i].now -= (int32_t)v[i].x;
}

CN_SYSTEM(wither, (read, Health, health), (optional_write, Particle, age, age),
          (optional_read, Particle, speed, speed))
{
    assert_int_equal(age == NULL, speed == NULL);
    for (uint32_t i = 0; age && i < count; i++)
        age[i] += (float)health[i].now + speed[i].x;
}

static void an_optional_column_is_null_where_the_component_is_not(void **state)
{
    (void)state;
    CnEntity light = cn_spawn(world, cn_with(Position, {0})),
             heavy = cn_spawn(world, cn_with(Position, {0}), cn_with(Mass, {8}));
    cn_system(world, sink, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 1, NULL));
    assert_number_equal(cn_get(world, light, Position)->y, -1);
    assert_number_equal(cn_get(world, heavy, Position)->y, -8);
}

static void an_optional_column_that_is_written_counts_as_changed(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Velocity, {2, 0, 0}));
    CnEntity runner = cn_spawn(world, cn_with(Velocity, {2, 0, 0}), cn_with(Health, {9, 9}));
    cn_system(world, tire, .stage = CN_STAGE_UPDATE);
    CnQuery *healths = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    uint64_t since = cn_world_tick(world);
    assert_true(cn_world_update(world, 1, NULL));
    assert_int_equal(cn_get(world, runner, Health)->now, 7);
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(healths, since);
    assert_true(cn_query_next(&it, &view));
}

static void an_optional_column_is_declared_access(void **state)
{
    (void)state;
    CnSystem first = cn_system(world, tire, .stage = CN_STAGE_UPDATE),
             second = cn_system(world, bury, .stage = CN_STAGE_UPDATE);
    char why[64];
    assert_string_equal(cn_system_conflict(world, first, second, why, sizeof why), "writes Health");
}

static void single_fields_may_be_optional(void **state)
{
    (void)state;
    cn_register(world, Particle, .layout = CN_LAYOUT_FIELDS);
    cn_spawn(world, cn_with(Health, {3, 3}));
    CnEntity entity =
        cn_spawn(world, cn_with(Health, {3, 3}), cn_with(Particle, {{0}, {4, 0, 0}, 7}));
    cn_system(world, wither, .stage = CN_STAGE_UPDATE);
    assert_true(cn_world_update(world, 1, NULL));
    Particle particle;
    assert_true(cn_read(world, entity, Particle, &particle));
    assert_number_equal(particle.age, 14);
}

/* ---- Changes ---- */

CN_SYSTEM(watch, (read, Position, p), (read, Velocity, v), (changed, Position))
{
    *(uint32_t *)context->user += count + (uint32_t)(p[0].x * v[0].x);
}

CN_SYSTEM(watch_either, (changed, Position), (changed, Velocity))
{
    *(uint32_t *)context->user += count;
}

CN_SYSTEM(write_changed, (write, Position, p), (changed, Position))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].x = 1;
    *(uint32_t *)context->user += count;
}

/* Two chunks of one row each, in archetypes of their own. */
static CnEntity watched[2];

static uint32_t rows_visited(uint32_t *rows)
{
    *rows = 0;
    assert_true(cn_world_update(world, 1, NULL));
    return *rows;
}

static void spawn_watched(void)
{
    watched[0] = cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    watched[1] =
        cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}), cn_with_tag(Enemy));
}

static void the_first_run_of_a_changed_term_visits_everything(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, watch, .user = &rows, .stage = CN_STAGE_UPDATE);
    assert_int_equal(rows_visited(&rows), 2);
    assert_int_equal(rows_visited(&rows), 0);
}

static void changed_visits_only_chunks_in_which_the_component_was_written(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, watch, .user = &rows, .stage = CN_STAGE_UPDATE);
    rows_visited(&rows);
    cn_set(world, watched[1], Position, {0});
    assert_int_equal(rows_visited(&rows), 1);
    cn_set(world, watched[0], Velocity, {0});
    assert_int_equal(rows_visited(&rows), 0);
}

static void changed_visits_chunks_in_which_rows_came_or_went(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, watch, .user = &rows, .stage = CN_STAGE_UPDATE);
    rows_visited(&rows);
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    assert_int_equal(rows_visited(&rows), 2);
    cn_destroy(world, watched[0]);
    assert_int_equal(rows_visited(&rows), 1);
}

static void of_several_changed_terms_one_is_enough(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, watch_either, .user = &rows, .stage = CN_STAGE_UPDATE);
    rows_visited(&rows);
    cn_set(world, watched[0], Position, {0});
    assert_int_equal(rows_visited(&rows), 1);
    cn_set(world, watched[1], Velocity, {0});
    assert_int_equal(rows_visited(&rows), 1);
}

static void what_a_system_writes_itself_is_not_changed_for_it(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, write_changed, .user = &rows, .stage = CN_STAGE_UPDATE);
    assert_int_equal(rows_visited(&rows), 2);
    assert_int_equal(rows_visited(&rows), 0);
}

static void a_changed_term_is_a_declared_read(void **state)
{
    (void)state;
    uint32_t rows;
    CnSystem first = cn_system(world, thaw, .stage = CN_STAGE_UPDATE),
             second = cn_system(world, watch_either, .user = &rows, .stage = CN_STAGE_UPDATE);
    char why[64];
    assert_string_equal(cn_system_conflict(world, first, second, why, sizeof why),
                        "writes Position");
}

static void a_split_system_honours_changed_and_optional_terms(void **state)
{
    (void)state;
    uint32_t rows;
    spawn_watched();
    cn_system(world, watch, .user = &rows, .stage = CN_STAGE_UPDATE, .split = true);
    cn_system(world, sink, .stage = CN_STAGE_PRE_UPDATE, .split = true, .disabled = true);
    rows_visited(&rows);
    assert_int_equal(rows_visited(&rows), 0);
    cn_system_enable(world, cn_system_find(world, "sink"), true);
    assert_int_equal(rows_visited(&rows), 2);
    assert_number_equal(cn_get(world, watched[0], Position)->y, -1);
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
        WORLD_TEST(without_leaves_out_entities_that_have_the_component),
        WORLD_TEST(tag_leaves_out_entities_that_lack_the_component),
        WORLD_TEST(tag_declares_no_access),
        WORLD_TEST(a_system_may_have_no_columns),
        WORLD_TEST(an_optional_column_is_null_where_the_component_is_not),
        WORLD_TEST(an_optional_column_that_is_written_counts_as_changed),
        WORLD_TEST(an_optional_column_is_declared_access),
        WORLD_TEST(single_fields_may_be_optional),
        WORLD_TEST(the_first_run_of_a_changed_term_visits_everything),
        WORLD_TEST(changed_visits_only_chunks_in_which_the_component_was_written),
        WORLD_TEST(changed_visits_chunks_in_which_rows_came_or_went),
        WORLD_TEST(of_several_changed_terms_one_is_enough),
        WORLD_TEST(what_a_system_writes_itself_is_not_changed_for_it),
        WORLD_TEST(a_changed_term_is_a_declared_read),
        WORLD_TEST(a_split_system_honours_changed_and_optional_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

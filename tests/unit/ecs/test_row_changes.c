/* Changes of single entities. */
#include "ecs_fixture.h"

#include <string.h>

static CnRowChanges *changes;
static CnEntity seen[64];

static int make_tracked_world(void **state)
{
    if (make_world(state))
        return -1;
    cn_register(world, Health, .flags = CN_COMPONENT_TRACKED);
    cn_register(world, Position);
    changes = cn_row_changes(world, Health);
    return changes ? 0 : -1;
}

#define TRACKED_TEST(name) cmocka_unit_test_setup_teardown(name, make_tracked_world, drop_world)

static uint32_t take_from(CnRowChanges *from)
{
    uint32_t count = 0;
    for (CnEntity e; cn_row_changes_next(from, &e);)
        if (count < 64)
            seen[count++] = e;
    return count;
}

static uint32_t take(void)
{
    return take_from(changes);
}

static CnEntity spawn_quietly(void)
{
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Position, {1, 2, 3}));
    take();
    return e;
}

static void nothing_has_changed_at_first(void **state)
{
    (void)state;
    assert_int_equal(take(), 0);
}

static void a_spawned_entity_is_reported_once(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 2}));
    assert_int_equal(take(), 1);
    assert_entity_equal(seen[0], e);
    assert_int_equal(take(), 0);
}

static void one_of_many_is_found_by_each_way_of_writing(void **state)
{
    (void)state;
    CnEntity all[40];
    cn_spawn_many(world, 40, all, cn_with(Health, {1, 2}));
    assert_int_equal(take(), 40);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnComponent health = cn_id(world, Health);
    for (int way = 0; way < 6; way++) {
        CnEntity e = all[way * 5 + 3];
        int32_t now = 7;
        if (way == 0)
            cn_get_mut(world, e, Health)->now = 5;
        else if (way == 1)
            cn_set(world, e, Health, {3, 4});
        else if (way == 2)
            cn_defer_set(commands, e, Health, {5, 6});
        else if (way == 3)
            cn_get_field_mut(world, e, health, cn_component_field(world, health, "now"));
        else if (way == 4)
            cn_write_field(world, e, "Health", "now", &now, sizeof now, NULL);
        else
            cn_change(world, e, &(CnChange){.set = &cn_with(Health, {8, 9}), .set_count = 1});
        cn_flush(world);
        assert_int_equal(take(), 1);
        assert_entity_equal(seen[0], e);
    }
}

static void reading_is_no_change(void **state)
{
    (void)state;
    CnEntity e = spawn_quietly();
    assert_non_null(cn_get(world, e, Health));
    cn_get_mut(world, e, Position)->x = 1;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        assert_non_null(cn_column_const(&view, Health));
    assert_int_equal(take(), 0);
}

static void a_column_for_writing_changes_all_rows_of_the_chunk(void **state)
{
    (void)state;
    spawn_quietly(), spawn_quietly();
    cn_add(world, spawn_quietly(), Frozen);
    take();
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Health)}, .none = {cn_tag(Frozen)}}, NULL);
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        assert_non_null(cn_column(&view, Health));
    assert_int_equal(take(), 2);
}

CN_SYSTEM(heal, (write, Health, health))
{
    for (uint32_t i = 0; i < count; i++)
        health[i].now++;
}

static void a_system_that_writes_the_column_changes_all_rows(void **state)
{
    (void)state;
    spawn_quietly(), spawn_quietly();
    cn_system(world, heal, .stage = CN_STAGE_UPDATE);
    cn_world_update(world, 0.1f, NULL);
    assert_int_equal(take(), 2);
    assert_int_equal(take(), 0);
}

static void a_changed_row_that_moves_is_still_reported(void **state)
{
    (void)state;
    CnEntity first = spawn_quietly(), last = spawn_quietly();
    cn_get_mut(world, last, Health)->now = 9;
    cn_destroy(world, first); /* the last row fills the hole */
    cn_add(world, last, Frozen);
    assert_int_equal(take(), 1);
    assert_entity_equal(seen[0], last);
}

static void what_is_gone_is_not_reported(void **state)
{
    (void)state;
    CnEntity dead = spawn_quietly(), without = spawn_quietly();
    cn_get_mut(world, dead, Health)->now = 9;
    cn_get_mut(world, without, Health)->now = 9;
    cn_destroy(world, dead);
    cn_remove(world, without, Health);
    assert_int_equal(take(), 0);
    CnEntity reused = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    assert_int_equal(cn_entity_index(reused), cn_entity_index(dead));
    assert_int_equal(take(), 0);
}

static void readers_do_not_take_changes_from_each_other(void **state)
{
    (void)state;
    CnRowChanges *other = cn_row_changes(world, Health);
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 2}));
    assert_int_equal(take(), 1);
    assert_int_equal(take_from(other), 1);
    cn_row_changes_destroy(other);
    cn_get_mut(world, e, Health)->now = 2;
    assert_int_equal(take(), 1);
}

static void a_change_during_the_loop_is_reported_once(void **state)
{
    (void)state;
    CnEntity a = spawn_quietly(), b = spawn_quietly(), c = spawn_quietly();
    cn_get_mut(world, b, Health)->now = 1;
    CnEntity e;
    assert_true(cn_row_changes_next(changes, &e));
    cn_get_mut(world, a, Health)->now = 1;
    cn_get_mut(world, c, Health)->now = 1;
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        while (cn_row_changes_next(changes, &e))
            count += e.id == a.id || e.id == c.id;
    assert_int_equal(count, 2);
    assert_int_equal(take(), 0);
}

static void loading_changes_all(void **state)
{
    (void)state;
    spawn_quietly(), spawn_quietly();
    CnSnapshot saved = {0};
    assert_true(cn_world_save(world, &saved, NULL));
    assert_int_equal(take(), 0);
    assert_true(cn_world_load(world, saved.bytes, saved.size, NULL));
    cn_snapshot_free(&saved);
    assert_int_equal(take(), 2);
    assert_int_equal(take(), 0);
}

static void tracking_is_not_part_of_the_state(void **state)
{
    (void)state;
    CnWorld *plain = cn_world_create(NULL, NULL);
    cn_register(plain, Health);
    cn_register(plain, Position);
    cn_spawn(plain, cn_with(Health, {1, 2}), cn_with(Position, {1, 2, 3}));
    cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Position, {1, 2, 3}));
    assert_true(cn_world_hash(plain) == cn_world_hash(world));
    cn_world_destroy(plain);
}

static void a_clone_is_not_watched(void **state)
{
    (void)state;
    CnEntity e = spawn_quietly();
    CnWorld *copy = cn_world_clone(world, NULL, NULL);
    cn_get_mut(copy, e, Health)->now = 5;
    cn_set(copy, e, Health, {5, 6});
    cn_spawn(copy, cn_with(Health, {1, 2}));
    assert_int_equal(take(), 0);
    cn_world_destroy(copy);
}

static void chunks_know_of_changed_rows_as_before(void **state)
{
    (void)state;
    CnEntity e = spawn_quietly();
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_get_mut(world, e, Health)->now = 5;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    CnChunkView view = {0};
    uint32_t chunks = 0;
    for (CnQueryIter it = cn_query_iter_changed(query, since); cn_query_next(&it, &view);)
        chunks++;
    assert_int_equal(chunks, 1);
}

static void a_component_that_is_not_tracked_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_row_changes_create(world, cn_id(world, Position), &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "Position"));
}

static void a_component_in_use_cannot_become_tracked(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0, 0, 0}));
    CnError error = {0};
    CnComponentDesc desc = {.type = &cn_type_Position, .flags = CN_COMPONENT_TRACKED};
    assert_int_equal(cn_component_register(world, &desc, &error).id, 0);
    assert_non_null(strstr(error.message, "in use"));
}

/* ---- In systems ---- */

CN_SYSTEM(hurt_some, (read, Position, p))
{
    for (uint32_t i = 0; i < count; i++)
        if (p[i].x > 0 && context->dt > 0)
            cn_get_mut(context->world, chunk->entities[i], Health)->now--;
}

static uint32_t shown_count;

static void show_changed(CnSystemContext *context)
{
    for (CnEntity e; cn_row_changes_next(context->user, &e);)
        seen[shown_count++] = e;
}

static void run_systems_on(CnJobPool *pool)
{
    CnEntity hurt = cn_spawn(world, cn_with(Health, {9, 9}), cn_with(Position, {1, 0, 0}));
    for (int i = 0; i < 3000; i++)
        cn_spawn(world, cn_with(Health, {9, 9}), cn_with(Position, {0, 0, 0}));
    while (take()) {
    }
    cn_system(world, hurt_some, .stage = CN_STAGE_UPDATE, .access = {cn_writes(Health)});
    assert_true(cn_system_add(world,
                              &(CnSystemDesc){.name = "show_changed",
                                              .run = show_changed,
                                              .user = changes,
                                              .stage = CN_STAGE_UPDATE,
                                              .access = {cn_reads(Health)},
                                              .after = {"hurt_some"}},
                              NULL)
                    .id);
    cn_world_set_jobs(world, pool);
    for (uint32_t tick = 1; tick <= 3; tick++) {
        shown_count = 0;
        assert_true(cn_world_update(world, 1, NULL));
        assert_int_equal(shown_count, 1);
        assert_entity_equal(seen[0], hurt);
    }
    shown_count = 0;
    assert_true(cn_world_update(world, 0, NULL));
    assert_int_equal(shown_count, 0);
    cn_world_set_jobs(world, NULL);
}

static void a_system_with_a_reader_sees_each_changed_entity_once_a_tick(void **state)
{
    (void)state;
    run_systems_on(NULL);
}

static void a_system_with_a_reader_sees_the_same_with_threads(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    run_systems_on(pool);
    cn_job_pool_destroy(pool);
}

static void a_query_of_two_terms_that_is_newer_than_the_entities_changes_all_rows(void **state)
{
    (void)state;
    spawn_quietly(), spawn_quietly();
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Health), cn_reads(Position)}}, NULL);
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        assert_non_null(cn_column(&view, Health));
    assert_int_equal(take(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKED_TEST(nothing_has_changed_at_first),
        TRACKED_TEST(a_spawned_entity_is_reported_once),
        TRACKED_TEST(one_of_many_is_found_by_each_way_of_writing),
        TRACKED_TEST(reading_is_no_change),
        TRACKED_TEST(a_column_for_writing_changes_all_rows_of_the_chunk),
        TRACKED_TEST(a_query_of_two_terms_that_is_newer_than_the_entities_changes_all_rows),
        TRACKED_TEST(a_system_that_writes_the_column_changes_all_rows),
        TRACKED_TEST(a_changed_row_that_moves_is_still_reported),
        TRACKED_TEST(what_is_gone_is_not_reported),
        TRACKED_TEST(readers_do_not_take_changes_from_each_other),
        TRACKED_TEST(a_change_during_the_loop_is_reported_once),
        TRACKED_TEST(loading_changes_all),
        TRACKED_TEST(tracking_is_not_part_of_the_state),
        TRACKED_TEST(a_clone_is_not_watched),
        TRACKED_TEST(chunks_know_of_changed_rows_as_before),
        TRACKED_TEST(a_component_that_is_not_tracked_is_refused),
        TRACKED_TEST(a_component_in_use_cannot_become_tracked),
        TRACKED_TEST(a_system_with_a_reader_sees_each_changed_entity_once_a_tick),
        TRACKED_TEST(a_system_with_a_reader_sees_the_same_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

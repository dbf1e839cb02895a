/* A loaded world hands out the ids that the saved one would have. */
#include "snapshot_fixture.h"

/* Commands take only what is registered. */
static int make_worlds_with_enemies(void **state)
{
    if (make_two_worlds(state) != 0)
        return -1;
    return cn_id(world, Enemy).id && cn_id(other, Enemy).id ? 0 : -1;
}

#define IDS_TEST(name)                                                                             \
    cmocka_unit_test_setup_teardown(name, make_worlds_with_enemies, drop_two_worlds)

/* Both worlds do the same and must get the same. */
static void assert_same_future(CnWorld *a, CnWorld *b)
{
    for (int i = 0; i < 5000; i++) {
        CnEntity e = cn_entity_create(a);
        assert_int_equal(cn_entity_create(b).id, e.id);
        if (i % 3 == 0)
            assert_int_equal(cn_destroy(a, e), cn_destroy(b, e));
    }
    assert_int_equal(cn_world_hash(a), cn_world_hash(b));
    assert_world_sound(b);
}

static void new_ids_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        cn_entity_create(world);
    reload(world, other);
    assert_same_future(world, other);
}

static void free_ids_are_used_in_the_same_order(void **state)
{
    (void)state;
    CnEntity e[100];
    cn_spawn_many(world, 100, e, cn_with_tag(Enemy));
    for (int i = 0; i < 100; i += 3)
        cn_destroy(world, e[(i * 37) % 100]);
    reload(world, other);
    assert_same_future(world, other);
}

static void a_dead_id_stays_dead(void **state)
{
    (void)state;
    CnEntity dead = cn_entity_create(world);
    cn_destroy(world, dead);
    reload(world, other);
    assert_false(cn_is_alive(other, dead));
    CnEntity next = cn_entity_create(other);
    assert_int_equal(cn_entity_index(next), cn_entity_index(dead));
    assert_int_not_equal(next.id, dead.id);
}

static void a_full_page_is_followed_by_the_same_page(void **state)
{
    (void)state;
    cn_spawn_many(world, 4096, NULL, cn_with_tag(Enemy));
    reload(world, other);
    assert_same_future(world, other);
}

static void retired_slots_stay_retired(void **state)
{
    (void)state;
    drop_world(state);
    make_world_from((CnWorldDesc){.first_generation = UINT32_MAX - 2});
    CnWorld *loaded =
        cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "loaded")}, NULL);
    for (int i = 0; i < 3; i++)
        cn_destroy(world, cn_entity_create(world));
    assert_int_equal(cn_world_stats(world).retired_slots, 1);
    reload(world, loaded);
    assert_int_equal(cn_world_stats(loaded).retired_slots, 1);
    assert_same_future(world, loaded);
    cn_world_destroy(loaded);
}

static void pages_that_buffers_skipped_are_used_in_the_same_order(void **state)
{
    (void)state;
    CnCommands *buffers[4];
    for (int i = 0; i < 4; i++)
        buffers[i] = cn_commands_create(world, NULL);
    cn_defer_spawn(buffers[1], cn_with_tag(Enemy));
    cn_defer_spawn(buffers[3], cn_with_tag(Enemy));
    cn_flush(world);
    reload(world, other);
    cn_spawn_many(world, 10000, NULL, cn_with_tag(Enemy));
    cn_spawn_many(other, 10000, NULL, cn_with_tag(Enemy));
    assert_same_future(world, other);
}

/* Ids of the first entities that each buffer spawns, after some were destroyed. */
static void spawn_by_buffers(CnWorld *in, CnCommands **buffers, CnEntity *ids)
{
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < 10; i++)
            ids[b * 10 + i] = cn_defer_spawn_values(buffers[b], NULL, 0);
    assert_true(cn_flush(in));
}

static void buffers_get_the_same_ids(void **state)
{
    (void)state;
    CnCommands *buffers[3], *others[3];
    for (int b = 0; b < 3; b++) {
        buffers[b] = cn_commands_create(world, NULL);
        others[b] = cn_commands_create(other, NULL);
    }
    /* They spawn for the first time in another order than they were made in. */
    CnEntity e[300];
    cn_defer_spawn(buffers[2], cn_with_tag(Enemy));
    cn_flush(world);
    cn_defer_spawn(buffers[0], cn_with_tag(Enemy));
    cn_flush(world);
    cn_spawn_many(world, 300, e, cn_with_tag(Enemy));
    cn_destroy_many(world, e, 300);
    reload(world, other);
    CnEntity a[30], b[30];
    spawn_by_buffers(world, buffers, a);
    spawn_by_buffers(other, others, b);
    assert_memory_equal(a, b, sizeof a);
}

static void a_buffer_that_is_gone_makes_no_difference(void **state)
{
    (void)state;
    CnCommands *buffers[3], *others[3];
    for (int b = 0; b < 3; b++) {
        CnCommands *gone = b == 1 ? cn_commands_create(world, NULL) : NULL;
        buffers[b] = cn_commands_create(world, NULL);
        others[b] = cn_commands_create(other, NULL);
        cn_defer_spawn(buffers[b], cn_with_tag(Enemy));
        if (gone)
            cn_defer_spawn(gone, cn_with_tag(Enemy));
        cn_flush(world);
        cn_commands_destroy(gone);
    }
    CnEntity e[1000], a[30], b[30];
    cn_spawn_many(world, 1000, e, cn_with_tag(Enemy));
    cn_destroy_many(world, e, 1000);
    reload(world, other);
    spawn_by_buffers(world, buffers, a);
    spawn_by_buffers(other, others, b);
    assert_memory_equal(a, b, sizeof a);
}

static void ids_that_waiting_spawns_were_promised_are_free(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity promised[3];
    for (int i = 0; i < 3; i++)
        promised[i] = cn_defer_spawn(commands, cn_with_tag(Enemy));
    cn_entity_create(world); /* the buffer's page exists now, and the rest of it is the buffer's */
    CnEntity later = cn_defer_spawn(commands, cn_with_tag(Enemy));
    reload(world, other);
    assert_int_equal(cn_entity_count(other), 1);
    for (int i = 0; i < 3; i++)
        assert_entity_equal(cn_entity_create(other), promised[i]);
    assert_entity_equal(cn_entity_create(other), later);
}

static void reservations_that_are_not_resolved_leave_no_trace(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity e[200];
    cn_defer_spawn(commands, cn_with_tag(Enemy));
    cn_flush(world);
    cn_spawn_many(world, 200, e, cn_with_tag(Enemy));
    cn_destroy_many(world, e, 200);
    uint64_t before = cn_world_hash(world);
    for (int i = 0; i < 5000; i++) /* stripes of the free stack, then pages */
        assert_true(cn_defer_spawn(commands, cn_with_tag(Enemy)).id != 0);
    assert_int_equal(cn_world_hash(world), before);
    reload(world, other);
    assert_int_equal(cn_world_hash(other), before);
}

static void a_flush_that_returns_ids_does_not_change_the_hash(void **state)
{
    (void)state;
    CnCommands *a = cn_commands_create(world, NULL), *b = cn_commands_create(world, NULL);
    CnEntity spawned = cn_defer_spawn(a, cn_with_tag(Enemy));
    cn_defer_spawn(b, cn_with_tag(Enemy));
    cn_flush(world);
    cn_defer_destroy(a, spawned);
    cn_flush(world);
    reload(world, other);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
    assert_same_future(world, other);
}

static void loading_drops_waiting_commands(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(other);
    CnCommands *commands = cn_commands_create(other, NULL);
    cn_entity_create(world);
    cn_defer_add(commands, e, Enemy);
    cn_defer_destroy(commands, e);
    for (int i = 0; i < 100; i++)
        cn_defer_spawn(commands, cn_with_tag(Enemy));
    reload(world, other);
    assert_int_equal(cn_commands_count(commands), 0);
    assert_true(cn_flush(other));
    assert_true(cn_is_alive(other, e));
    assert_int_equal(cn_entity_count(other), 1);
    assert_world_sound(other);
}

static void a_buffer_goes_on_after_a_load(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(other, NULL);
    cn_defer_spawn(commands, cn_with_tag(Enemy));
    reload(world, other);
    for (int i = 0; i < 5000; i++)
        assert_true(cn_defer_spawn(commands, cn_with_tag(Enemy)).id != 0);
    assert_true(cn_flush(other));
    assert_int_equal(cn_entity_count(other), 5000);
    assert_world_sound(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IDS_TEST(new_ids_are_the_same),
        IDS_TEST(free_ids_are_used_in_the_same_order),
        IDS_TEST(a_dead_id_stays_dead),
        IDS_TEST(a_full_page_is_followed_by_the_same_page),
        cmocka_unit_test_setup_teardown(retired_slots_stay_retired, make_world, drop_world),
        IDS_TEST(pages_that_buffers_skipped_are_used_in_the_same_order),
        IDS_TEST(buffers_get_the_same_ids),
        IDS_TEST(a_buffer_that_is_gone_makes_no_difference),
        IDS_TEST(ids_that_waiting_spawns_were_promised_are_free),
        IDS_TEST(reservations_that_are_not_resolved_leave_no_trace),
        IDS_TEST(a_flush_that_returns_ids_does_not_change_the_hash),
        IDS_TEST(loading_drops_waiting_commands),
        IDS_TEST(a_buffer_goes_on_after_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

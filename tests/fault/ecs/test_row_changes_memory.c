/* Memory that ends while readers of row changes, system sets and reports of the schedule are made:
 * each is whole or not there, the error says so, and the world stays sound. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"

#include <string.h>

/* ---- Row changes ---- */

static void a_reader_of_row_changes_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    cn_register(world, Health, .flags = CN_COMPONENT_TRACKED);
    for (int i = 0; i < 5000; i++)
        cn_spawn(world, cn_with(Health, {i, 0}));
    CnRowChanges *changes = NULL;
    uint64_t n = 0;
    for (; !changes; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        changes = cn_row_changes_create(world, cn_id(world, Health), &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_world_sound(world);
        if (!changes)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
    }
    assert_true(n > 1);
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1})), found;
    assert_true(cn_row_changes_next(changes, &found));
    assert_entity_equal(found, e);
    assert_false(cn_row_changes_next(changes, &found));
    cn_row_changes_destroy(changes);
}

/* What spawned is reported, however the spawns before failed. */
static void changes_are_reported_after_spawns_that_failed(void **state)
{
    (void)state;
    cn_register(world, Health, .flags = CN_COMPONENT_TRACKED);
    CnRowChanges *changes = cn_row_changes(world, Health);
    assert_non_null(changes);
    uint32_t spawned = 0, failed = 0, seen = 0;
    for (uint64_t n = 0; n < 400; n++) {
        cn_heap_fail_after(heap, n % 3);
        for (int i = 0; i < 300; i++) {
            bool done = cn_spawn(world, cn_with(Health, {i, 0})).id != 0;
            spawned += done;
            failed += !done;
        }
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    }
    assert_world_sound(world);
    for (CnEntity e; cn_row_changes_next(changes, &e);)
        seen++;
    assert_true(failed > 0);
    assert_int_equal(seen, spawned);
    cn_row_changes_destroy(changes);
}

/* ---- Sets, ambiguities ---- */

CN_COMPONENT(Damage, (u32, amount));

static uint32_t runs;

static void count_run(CnSystemContext *context)
{
    (void)context;
    runs++;
}

static bool add_members(CnWorld *to)
{
    static const char *const names[] = {"first", "second"};
    for (uint32_t i = 0; i < 2; i++)
        if (!cn_system_add(to,
                           &(CnSystemDesc){.name = names[i],
                                           .run = count_run,
                                           .set = "both",
                                           .stage = CN_STAGE_UPDATE,
                                           .query = {.all = {cn_writes(Health)}}},
                           NULL)
                 .id)
            return false;
    return true;
}

static void a_set_is_switched_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(add_members(world));
    bool done = false;
    uint64_t n = 0;
    for (; !done; n++) {
        cn_heap_fail_after(heap, n);
        done = cn_system_set_enable(world, "both", false);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        runs = 0;
        assert_true(cn_world_update(world, 0.1f, NULL));
        assert_int_equal(runs, done ? 0 : 2);
    }
    assert_true(n > 1);
    assert_world_sound(world);
}

static uint32_t written;

static void count_text(const char *text, void *user)
{
    (void)user;
    written += (uint32_t)strlen(text);
}

static void ambiguities_are_reported_or_the_error_is(void **state)
{
    (void)state;
    assert_true(add_members(world));
    bool done = false;
    uint64_t n = 0;
    for (; !done; n++) {
        CnError error = {0};
        written = 0;
        cn_heap_fail_after(heap, n);
        done = cn_schedule_ambiguities(world, count_text, NULL, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (!done)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_world_sound(world);
    }
    assert_true(n > 1);
    assert_true(written > 0);
    assert_true(cn_world_update(world, 0.1f, NULL));
}

/* ---- The state of a world in another ---- */

static void a_state_is_copied_or_the_error_says_why(void **state)
{
    (void)state;
    CnWorld *to = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "to")}, NULL);
    assert_non_null(to);
    assert_true(add_members(world) && add_members(to));
    assert_true(cn_system_set_enable(world, "both", false));
    cn_register(world, Damage);
    cn_register(to, Damage);
    for (int i = 0; i < 500; i++)
        cn_spawn(world, cn_with(Health, {i, 0}));
    cn_send(cn_channel(world, Damage), Damage, {3});
    uint64_t hash = cn_world_hash(world);
    bool done = false;
    uint64_t n = 0;
    for (; !done; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        done = cn_world_copy_state(to, world, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (!done)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_world_sound(to);
        assert_true(cn_world_hash(world) == hash);
    }
    assert_true(n > 5);
    assert_true(cn_world_hash(to) == hash);
    assert_int_equal(cn_event_count(cn_channel(to, Damage)), 1);
    runs = 0;
    assert_true(cn_world_update(to, 0.1f, NULL));
    assert_int_equal(runs, 0);
    cn_world_destroy(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_reader_of_row_changes_is_made_whole_or_not_at_all),
        WORLD_TEST(changes_are_reported_after_spawns_that_failed),
        WORLD_TEST(a_set_is_switched_whole_or_not_at_all),
        WORLD_TEST(ambiguities_are_reported_or_the_error_is),
        WORLD_TEST(a_state_is_copied_or_the_error_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

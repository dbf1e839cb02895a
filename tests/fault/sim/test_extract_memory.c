/* Extraction out of memory: what does not fit is cut and counted, everything else goes on. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/ecs.h>
#include <cairn/sim/extract.h>

enum { TICKS = 12, PUSHES = 20 };

typedef struct Pushed {
    uint32_t items, lights, ui_items;
} Pushed;

/* Returns how many of each found room. */
static Pushed push_all(CnOutbox *outbox)
{
    CnRenderOut render = {outbox};
    CnUiOut ui = {outbox};
    Pushed pushed = {0};
    for (uint32_t i = 0; i < PUSHES; i++) {
        CnRenderItem *items = cn_extract_items(&render, 3);
        for (uint32_t j = 0; items && j < 3; j++)
            items[j].mesh = pushed.items++;
        CnRenderLight *light = cn_extract_lights(&render, 1);
        if (light)
            light->flags = pushed.lights++;
        pushed.ui_items += cn_extract_ui_value(&ui, pushed.ui_items, 1);
    }
    return pushed;
}

static void assert_shows(CnOutbox *outbox, uint64_t tick, Pushed pushed)
{
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    const CnTickSnapshot *seen = pair.current;
    assert_int_equal(seen->render.tick, tick);
    assert_int_equal(seen->render.item_count, pushed.items);
    assert_int_equal(seen->render.light_count, pushed.lights);
    assert_int_equal(seen->ui.item_count, pushed.ui_items);
    assert_int_equal(seen->render.dropped, 4 * PUSHES - pushed.items - pushed.lights);
    assert_int_equal(seen->ui.dropped, PUSHES - pushed.ui_items);
    for (uint32_t i = 0; i < pushed.items; i++)
        assert_int_equal(seen->render.items[i].mesh, i);
    for (uint32_t i = 0; i < pushed.lights; i++)
        assert_int_equal(seen->render.lights[i].flags, i);
    for (uint32_t i = 0; i < pushed.ui_items; i++)
        assert_int_equal(seen->ui.items[i].id, i);
    cn_outbox_release(outbox);
}

static bool show_ticks(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnOutbox *outbox =
        cn_outbox_create(&(CnOutboxDesc){.allocator = allocator, .max_audio = 4}, &error);
    assert_int_equal(error.code, outbox ? CN_OK : CN_ERROR_MEMORY);
    if (!outbox)
        return false;
    uint64_t items = 0, lights = 0, ui_items = 0;
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        cn_outbox_begin(outbox, tick, 0);
        Pushed pushed = push_all(outbox);
        cn_outbox_publish(outbox);
        assert_shows(outbox, tick, pushed);
        items += pushed.items;
        lights += pushed.lights;
        ui_items += pushed.ui_items;
    }
    CnOutboxStats stats = cn_outbox_stats(outbox);
    assert_int_equal(stats.published, TICKS);
    assert_int_equal(stats.dropped_items, 3 * PUSHES * TICKS - items);
    assert_int_equal(stats.dropped_lights, PUSHES * TICKS - lights);
    assert_int_equal(stats.dropped_ui_items, PUSHES * TICKS - ui_items);
    cn_outbox_destroy(outbox);
    return !stats.dropped_items && !stats.dropped_lights && !stats.dropped_ui_items;
}

static void snapshots_show_what_there_was_memory_for(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(show_ticks, NULL) > 10);
}

static bool add_to_world(CnAllocator *allocator, void *user)
{
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return false;
    CnError error = {0};
    bool is_added = cn_extract_add(world, user, &error);
    assert_int_equal(error.code, is_added ? CN_OK : CN_ERROR_MEMORY);
    assert_int_equal(cn_resource(world, CnRenderOut) != NULL, is_added);
    assert_int_equal(cn_resource(world, CnUiOut) != NULL, is_added);
    assert_int_equal(cn_resource(world, CnAudioOut) != NULL, is_added);
    cn_world_destroy(world);
    return is_added;
}

static void a_world_gets_all_three_resources_or_none(void **state)
{
    (void)state;
    CnOutbox *outbox = cn_outbox_create(NULL, NULL);
    assert_true(run_with_failing_allocations(add_to_world, outbox) > 3);
    cn_outbox_destroy(outbox);
}

static bool match_some(CnAllocator *allocator, void *user)
{
    (void)user;
    CnRenderItem before[40] = {0}, now[40] = {0};
    for (uint32_t i = 0; i < 40; i++) {
        before[i].entity.id = 1 + i;
        now[i].entity.id = 40 - i;
    }
    CnRenderSnapshot previous = {.items = before, .item_count = 40};
    CnRenderSnapshot current = {.items = now, .item_count = 40};
    CnSnapshotMatch match;
    cn_snapshot_match_init(&match, allocator);
    bool is_done = cn_snapshot_match(&match, &previous, &current);
    assert_int_equal(match.previous.count, is_done ? 40 : 0);
    cn_snapshot_match_fini(&match);
    return is_done;
}

static void a_match_without_memory_is_empty(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(match_some, NULL), 3);
}

/* Those that do not fit are counted; the others keep their order. */
static bool run_bursts(CnAllocator *allocator, void *user)
{
    (void)user;
    CnOutbox *outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = allocator}, NULL);
    if (!outbox)
        return false;
    CnRenderOut out = {outbox};
    uint64_t refused = 0;
    for (uint64_t tick = 1; tick <= TICKS; tick++) {
        cn_outbox_begin(outbox, tick, (double)tick / 60);
        for (uint32_t i = 0; i < PUSHES; i++) {
            refused += !cn_extract_burst(&out, &(CnRenderBurst){.count = i});
            refused += !cn_extract_emitters(&out, 1);
        }
        cn_outbox_publish(outbox);
        CnSnapshotPair pair;
        assert_true(cn_outbox_acquire(outbox, &pair));
        const CnRenderSnapshot *seen = &pair.current->render;
        for (uint32_t i = 1; i < seen->burst_count; i++)
            assert_true(seen->bursts[i].tick >= seen->bursts[i - 1].tick);
        cn_outbox_release(outbox);
    }
    CnOutboxStats stats = cn_outbox_stats(outbox);
    assert_int_equal(stats.dropped_bursts + stats.dropped_emitters, refused);
    cn_outbox_destroy(outbox);
    return refused == 0;
}

static void bursts_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run_bursts, NULL) > 10);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* cuts are reported, as they should be */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_show_what_there_was_memory_for),
        cmocka_unit_test(a_world_gets_all_three_resources_or_none),
        cmocka_unit_test(a_match_without_memory_is_empty),
        cmocka_unit_test(bursts_that_do_not_fit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

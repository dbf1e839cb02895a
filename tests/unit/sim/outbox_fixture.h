/* An outbox of its own for each test, on a heap that counts. An outbox that leaks fails its test.
 */
#ifndef CAIRN_TESTS_UNIT_SIM_OUTBOX_FIXTURE_H
#define CAIRN_TESTS_UNIT_SIM_OUTBOX_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/sim/extract.h>

static CnHeap *heap;
static CnOutbox *outbox;
static CnRenderOut render;
static CnUiOut ui;
static CnAudioOut audio;

static inline int make_outbox(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    outbox = cn_outbox_create(
        &(CnOutboxDesc){.allocator = cn_heap_tag(heap, "outbox"), .max_audio = 8}, NULL);
    render.outbox = ui.outbox = audio.outbox = outbox;
    return outbox ? 0 : -1;
}

static inline int drop_outbox(void **state)
{
    (void)state;
    cn_outbox_destroy(outbox);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

#define OUTBOX_TEST(name) cmocka_unit_test_setup_teardown(name, make_outbox, drop_outbox)

/* A tick that shows one item, whose mesh is the number of the tick. */
static inline void show_tick(uint64_t tick)
{
    cn_outbox_begin(outbox, tick, (double)tick / 64);
    CnRenderItem *item = cn_extract_items(&render, 1);
    if (item)
        item->mesh = (uint32_t)tick;
    cn_outbox_publish(outbox);
}

static inline void show_ticks(uint64_t first, uint64_t last)
{
    for (uint64_t tick = first; tick <= last; tick++)
        show_tick(tick);
}

static inline void assert_shows(const CnTickSnapshot *snapshot, uint64_t tick)
{
    assert_non_null(snapshot);
    assert_int_equal(snapshot->render.tick, tick);
    assert_int_equal(snapshot->ui.tick, tick);
    assert_true(snapshot->render.time == (double)tick / 64);
    assert_int_equal(snapshot->render.item_count, 1);
    assert_int_equal(snapshot->render.items[0].mesh, tick);
}

/* Silences the log for a statement that is expected to complain. */
#define QUIETLY(...)                                                                               \
    do {                                                                                           \
        CnLogLevel level_before = cn_log_level();                                                  \
        cn_log_set_level(CN_LOG_LEVEL_OFF);                                                        \
        __VA_ARGS__;                                                                               \
        cn_log_set_level(level_before);                                                            \
    } while (0)

#endif

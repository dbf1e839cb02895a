/* Bursts of particles in snapshots: those of the last ticks too, so that none is missed. */
#include "cmocka_tests.h"

#include <cairn/base/log.h>
#include <cairn/sim/extract.h>

static CnOutbox *outbox;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    outbox = cn_outbox_create(NULL, NULL);
    return outbox ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_outbox_destroy(outbox);
    return 0;
}

#define BURST_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

/* Runs a tick with so many bursts, whose `count` is the tick. */
static void run_tick(uint64_t tick, uint32_t bursts)
{
    CnRenderOut out = {outbox};
    cn_outbox_begin(outbox, tick, (double)tick / 60);
    for (uint32_t i = 0; i < bursts; i++)
        cn_extract_burst(&out, &(CnRenderBurst){.count = (uint32_t)tick});
    cn_outbox_publish(outbox);
}

static CnRenderSnapshot newest(void)
{
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    return pair.current->render;
}

static void a_burst_has_the_tick_time_and_number(void **state)
{
    (void)state;
    run_tick(6, 2);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.burst_count, 2);
    assert_int_equal(seen.bursts[1].tick, 6);
    assert_true(seen.bursts[1].time == 0.1);
    assert_int_equal(seen.bursts[1].number, 1);
}

static void bursts_of_skipped_snapshots_are_still_there(void **state)
{
    (void)state;
    for (uint64_t tick = 1; tick <= 10; tick++)
        run_tick(tick, tick % 2);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.burst_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(seen.bursts[i].tick, 1 + 2 * i);
}

static void old_bursts_are_forgotten(void **state)
{
    (void)state;
    run_tick(1, 3);
    for (uint64_t tick = 2; tick <= 60; tick++)
        run_tick(tick, 0);
    assert_int_equal(newest().burst_count, 0);
}

static void after_a_jump_there_are_no_bursts_of_before(void **state)
{
    (void)state;
    run_tick(10, 3);
    run_tick(5, 1);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.burst_count, 1);
    assert_int_equal(seen.bursts[0].tick, 5);
}

static void a_tick_that_failed_leaves_no_bursts(void **state)
{
    (void)state;
    CnRenderOut out = {outbox};
    run_tick(1, 1);
    cn_outbox_begin(outbox, 2, 0);
    cn_extract_burst(&out, &(CnRenderBurst){.count = 9});
    run_tick(2, 1);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.burst_count, 2);
    assert_int_equal(seen.bursts[0].count, 1);
    assert_int_equal(seen.bursts[1].count, 2);
}

static void more_bursts_than_the_limit_are_dropped_and_counted(void **state)
{
    (void)state;
    run_tick(1, CN_MAX_BURSTS + 4);
    assert_int_equal(newest().burst_count, CN_MAX_BURSTS);
    assert_int_equal(cn_outbox_stats(outbox).dropped_bursts, 4);
}

static void a_flood_replaces_the_oldest_bursts(void **state)
{
    (void)state;
    run_tick(1, CN_MAX_BURSTS);
    run_tick(2, CN_MAX_BURSTS);
    run_tick(3, 1);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.burst_count, CN_MAX_BURSTS + 1);
    assert_int_equal(seen.bursts[0].tick, 2);
    assert_int_equal(seen.bursts[CN_MAX_BURSTS].tick, 3);
}

static void emitters_are_those_of_the_tick(void **state)
{
    (void)state;
    CnRenderOut out = {outbox};
    cn_outbox_begin(outbox, 1, 0);
    CnRenderEmitter *emitters = cn_extract_emitters(&out, 3);
    emitters[2].burst = 7;
    cn_outbox_publish(outbox);
    CnRenderSnapshot seen = newest();
    assert_int_equal(seen.emitter_count, 3);
    assert_int_equal(seen.emitters[2].burst, 7);
    run_tick(2, 0);
    assert_int_equal(newest().emitter_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BURST_TEST(a_burst_has_the_tick_time_and_number),
        BURST_TEST(bursts_of_skipped_snapshots_are_still_there),
        BURST_TEST(old_bursts_are_forgotten),
        BURST_TEST(after_a_jump_there_are_no_bursts_of_before),
        BURST_TEST(a_tick_that_failed_leaves_no_bursts),
        BURST_TEST(more_bursts_than_the_limit_are_dropped_and_counted),
        BURST_TEST(a_flood_replaces_the_oldest_bursts),
        BURST_TEST(emitters_are_those_of_the_tick),
    };
    return cmocka_run_group_tests_name("bursts in snapshots", tests, NULL, NULL);
}

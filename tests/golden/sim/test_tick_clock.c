/* These deltas give these ticks and times, with every compiler and at every level of optimization.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/sim.h>

static void uneven_frames_give_their_ticks_and_times(void **state)
{
    (void)state;
    CnTime time;
    CnTickClock clock;
    TestRandom random = {60};
    uint64_t hash = 0;
    cn_time_init(&time);
    cn_tick_clock_init(&clock, &(CnTickClockDesc){.tick_hz = 60, .max_catch_up_ticks = 4}, NULL);
    for (uint32_t i = 0; i < 20000; i++) {
        time.scale = i / 1000 % 4 * 0.5;
        double seconds = cn_time_advance(&time, test_random_unit(&random) * 0.12);
        time.tick_count += cn_tick_clock_advance(&clock, seconds);
        struct {
            double elapsed, real, delta, alpha;
            float fps, alpha_f32;
            uint64_t ticks;
        } frame = {time.elapsed,   time.unscaled_elapsed,
                   time.delta,     cn_tick_clock_alpha(&clock),
                   time.fps,       cn_tick_clock_alpha_f32(&clock),
                   time.tick_count};
        hash = cn_hash_bytes(&frame, sizeof frame, hash);
    }
    assert_int_equal(clock.ticks, time.tick_count);
    assert_int_equal(clock.ticks, 39788);
    assert_int_equal(clock.timing_drops, 14251);
    assert_int_equal(hash, 0xce36a1e76d6be4d7u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uneven_frames_give_their_ticks_and_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

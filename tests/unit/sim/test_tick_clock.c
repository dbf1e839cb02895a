#include "cmocka_tests.h"
#include "random.h"

#include <cairn/sim/tick_clock.h>

#include <math.h>
#include <string.h>

#define BILLION 1000000000u

static CnTickClock clock_of(uint32_t tick_hz, uint32_t max_catch_up_ticks)
{
    CnTickClock clock;
    assert_true(cn_tick_clock_init(&clock, &(CnTickClockDesc){tick_hz, max_catch_up_ticks}, NULL));
    return clock;
}

static void assert_seconds(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9))
        fail_msg("%.17g, not %.17g", actual, expected);
}

/* ---- Making one ---- */

static void zeros_mean_60_hz_and_8_ticks(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(0, 0);
    assert_int_equal(clock.tick_hz, 60);
    assert_int_equal(clock.max_catch_up_ticks, 8);
    assert_true(cn_tick_clock_init(&clock, NULL, NULL));
    assert_int_equal(clock.tick_hz, 60);
    assert_int_equal(clock.max_catch_up_ticks, 8);
}

static void rates_from_1_to_1000_are_taken(void **state)
{
    (void)state;
    assert_int_equal(clock_of(1, 0).tick_hz, 1);
    assert_int_equal(clock_of(1000, 0).tick_hz, 1000);
}

static void a_rate_over_1000_is_an_error(void **state)
{
    (void)state;
    CnTickClock clock;
    CnError error = {0};
    assert_false(cn_tick_clock_init(&clock, &(CnTickClockDesc){.tick_hz = 1001}, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "1001"));
}

static void a_new_clock_is_at_zero(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(50, 3);
    assert_int_equal(clock.ticks, 0);
    assert_int_equal(clock.timing_drops, 0);
    assert_int_equal(clock.bad_deltas, 0);
    assert_true(cn_tick_clock_alpha(&clock) == 0);
    assert_true(cn_tick_clock_elapsed(&clock) == 0);
}

/* ---- Ticks ---- */

static void time_below_a_tick_gives_none_and_is_kept(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.06), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.06), 1);
    assert_seconds(cn_tick_clock_alpha(&clock), 0.2);
}

static void a_long_delta_gives_several_ticks(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.35), 3);
    assert_seconds(cn_tick_clock_alpha(&clock), 0.5);
    assert_int_equal(clock.ticks, 3);
}

static void no_time_gives_no_tick(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(60, 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, -0.0), 0);
    assert_int_equal(clock.bad_deltas, 0);
}

static uint64_t ticks_after(uint32_t tick_hz, double delta, uint32_t advances)
{
    CnTickClock clock = clock_of(tick_hz, 0);
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < advances; i++)
        ticks += cn_tick_clock_advance(&clock, delta);
    assert_int_equal(clock.ticks, ticks);
    assert_int_equal(clock.timing_drops, 0);
    return ticks;
}

static void a_million_sixtieths_are_a_million_ticks(void **state)
{
    (void)state;
    assert_in_range(ticks_after(60, 1.0 / 60, 1000000), 999999, 1000001);
}

static void no_rate_drifts(void **state)
{
    (void)state;
    /* Frames of 144 Hz: 10^6 of them are 10^6 * hz / 144 ticks. */
    static const uint32_t rates[] = {1, 7, 20, 30, 50, 60, 64, 144, 240, 999, 1000};
    for (uint32_t i = 0; i < CN_COUNT_OF(rates); i++) {
        uint64_t expected = (uint64_t)rates[i] * 1000000 / 144;
        assert_in_range(ticks_after(rates[i], 1.0 / 144, 1000000), expected - 1, expected + 1);
    }
}

static void whole_nanoseconds_are_counted_exactly(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(60, UINT32_MAX);
    TestRandom random = {7};
    uint64_t total_ns = 0, ticks = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        uint64_t ns = test_random_below(&random, 40000000);
        total_ns += ns;
        ticks += cn_tick_clock_advance(&clock, (double)ns / 1e9);
        assert_int_equal(ticks, total_ns * 60 / BILLION);
        assert_int_equal(clock.fraction, total_ns * 60 % BILLION);
    }
}

static void many_small_deltas_and_one_long_delta_are_the_same(void **state)
{
    (void)state;
    CnTickClock one = clock_of(100, 1000), many = clock_of(100, 1000);
    uint32_t ticks = 0;
    for (uint32_t i = 0; i < 5000; i++)
        ticks += cn_tick_clock_advance(&many, 0.001);
    assert_int_equal(cn_tick_clock_advance(&one, 5), 500);
    assert_int_equal(ticks, 500);
    assert_int_equal(one.fraction, many.fraction);
}

static void the_same_deltas_give_the_same_ticks(void **state)
{
    (void)state;
    CnTickClock a = clock_of(60, 4), b = clock_of(60, 4);
    TestRandom random = {11};
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        double delta = test_random_unit(&random) * 0.1;
        assert_int_equal(cn_tick_clock_advance(&a, delta), cn_tick_clock_advance(&b, delta));
        dropped = a.timing_drops;
    }
    assert_true(dropped > 0);
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- Catching up ---- */

static void no_more_than_the_limit_is_handed_out_at_once(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 3);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.3), 3);
    assert_int_equal(clock.timing_drops, 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.4), 3);
    assert_int_equal(clock.timing_drops, 1);
    assert_int_equal(cn_tick_clock_advance(&clock, 1), 3);
    assert_int_equal(clock.timing_drops, 8);
    assert_int_equal(clock.ticks, 9);
}

static void what_is_over_does_not_come_later(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 3);
    cn_tick_clock_advance(&clock, 100);
    assert_int_equal(cn_tick_clock_advance(&clock, 0), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.1), 1);
}

static void the_fraction_survives_a_drop(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 3);
    cn_tick_clock_advance(&clock, 2.075);
    assert_int_equal(clock.timing_drops, 17);
    assert_seconds(cn_tick_clock_alpha(&clock), 0.75);
}

static void ticks_and_drops_make_up_all_time(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(128, 2);
    TestRandom random = {3};
    uint64_t total_ns = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t ns = test_random_below(&random, 50000000);
        total_ns += ns;
        assert_in_range(cn_tick_clock_advance(&clock, (double)ns * 1e-9), 0, 2);
    }
    assert_true(clock.timing_drops > 0);
    assert_int_equal(clock.ticks + clock.timing_drops, total_ns * 128 / BILLION);
}

/* ---- Bad deltas ---- */

static void negative_and_nan_deltas_count_as_nothing_and_are_counted(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 0);
    cn_tick_clock_advance(&clock, 0.05);
    uint64_t fraction = clock.fraction;
    assert_int_equal(cn_tick_clock_advance(&clock, -1), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, (double)NAN), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, -(double)INFINITY), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, -1e-300), 0);
    assert_int_equal(clock.bad_deltas, 4);
    assert_int_equal(clock.fraction, fraction);
    assert_int_equal(clock.timing_drops, 0);
}

static void an_endless_delta_is_cut_and_leaves_the_fraction(void **state)
{
    (void)state;
    static const double deltas[] = {(double)INFINITY, 1e300, 1e30, 1e12, 5e6};
    for (uint32_t i = 0; i < CN_COUNT_OF(deltas); i++) {
        CnTickClock clock = clock_of(1000, 5);
        cn_tick_clock_advance(&clock, 0.00025);
        assert_int_equal(cn_tick_clock_advance(&clock, deltas[i]), 5);
        assert_int_equal(clock.fraction, BILLION / 4);
        assert_int_equal(clock.timing_drops, ((uint64_t)1 << 32) - 5);
        assert_int_equal(clock.bad_deltas, 0);
    }
}

static void the_longest_catch_up_is_handed_out(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(1000, UINT32_MAX);
    assert_int_equal(cn_tick_clock_advance(&clock, (double)INFINITY), UINT32_MAX);
    assert_int_equal(clock.timing_drops, 1);
}

static void splashes_stay_within_their_limit(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(60, 1);
    clock.timing_drops = UINT64_MAX - 2;
    cn_tick_clock_advance(&clock, 1.0 / 60 * 2 + 1e-9);
    assert_int_equal(clock.timing_drops, UINT64_MAX - 1);
    cn_tick_clock_advance(&clock, 10);
    assert_int_equal(clock.timing_drops, UINT64_MAX);
    cn_tick_clock_advance(&clock, (double)INFINITY);
    assert_int_equal(clock.timing_drops, UINT64_MAX);
}

/* ---- What it tells ---- */

static void alpha_is_below_one_as_a_float_too(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(1, 0);
    for (uint32_t back = 1; back < 200; back++) {
        cn_tick_clock_reset(&clock);
        cn_tick_clock_advance(&clock, (double)(BILLION - back) * 1e-9);
        assert_int_equal(clock.fraction, BILLION - back);
        assert_true(cn_tick_clock_alpha(&clock) <= 1 - 0x1p-24);
        assert_true((float)cn_tick_clock_alpha(&clock) < 1.0f);
        assert_true(cn_tick_clock_alpha_f32(&clock) < 1.0f);
        assert_true(cn_tick_clock_alpha_f32(&clock) > 0.9999997f);
    }
}

static void alpha_rises_with_the_fraction(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(4, 0);
    cn_tick_clock_advance(&clock, 0.0625);
    assert_true(cn_tick_clock_alpha(&clock) == 0.25);
    cn_tick_clock_advance(&clock, 0.125);
    assert_true(cn_tick_clock_alpha(&clock) == 0.75);
    assert_true(cn_tick_clock_alpha_f32(&clock) == 0.75f);
}

static void dt_is_one_over_the_rate(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(50, 0);
    assert_true(cn_tick_clock_dt(&clock) == 0.02f);
}

static void elapsed_is_the_time_of_the_ticks(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 2);
    cn_tick_clock_advance(&clock, 0.19);
    assert_seconds(cn_tick_clock_elapsed(&clock), 0.1);
    cn_tick_clock_advance(&clock, 50);
    assert_seconds(cn_tick_clock_elapsed(&clock), 0.3);
}

/* ---- Rate and reset ---- */

static void a_new_rate_keeps_the_fraction(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 0);
    cn_tick_clock_advance(&clock, 0.05);
    assert_true(cn_tick_clock_set_rate(&clock, 100, NULL));
    assert_seconds(cn_tick_clock_alpha(&clock), 0.5);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.004), 0);
    assert_int_equal(cn_tick_clock_advance(&clock, 0.001), 1);
    assert_true(cn_tick_clock_dt(&clock) == 0.01f);
}

static void elapsed_remembers_the_rates_of_the_past(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 100);
    cn_tick_clock_advance(&clock, 2);
    cn_tick_clock_set_rate(&clock, 100, NULL);
    assert_seconds(cn_tick_clock_elapsed(&clock), 2);
    cn_tick_clock_advance(&clock, 0.5);
    assert_seconds(cn_tick_clock_elapsed(&clock), 2.5);
    cn_tick_clock_set_rate(&clock, 1, NULL);
    cn_tick_clock_advance(&clock, 3);
    assert_seconds(cn_tick_clock_elapsed(&clock), 5.5);
    assert_int_equal(clock.ticks, 20 + 50 + 3);
}

static void a_bad_rate_changes_nothing(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 0);
    cn_tick_clock_advance(&clock, 0.25);
    CnTickClock before = clock;
    CnError error = {0};
    assert_false(cn_tick_clock_set_rate(&clock, 5000, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_memory_equal(&clock, &before, sizeof clock);
}

static void reset_starts_again_at_the_same_rate(void **state)
{
    (void)state;
    CnTickClock clock = clock_of(10, 3), fresh = clock_of(25, 3);
    cn_tick_clock_set_rate(&clock, 25, NULL);
    cn_tick_clock_advance(&clock, 7.77);
    cn_tick_clock_advance(&clock, -1);
    cn_tick_clock_reset(&clock);
    assert_memory_equal(&clock, &fresh, sizeof clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_mean_60_hz_and_8_ticks),
        cmocka_unit_test(rates_from_1_to_1000_are_taken),
        cmocka_unit_test(a_rate_over_1000_is_an_error),
        cmocka_unit_test(a_new_clock_is_at_zero),
        cmocka_unit_test(time_below_a_tick_gives_none_and_is_kept),
        cmocka_unit_test(a_long_delta_gives_several_ticks),
        cmocka_unit_test(no_time_gives_no_tick),
        cmocka_unit_test(a_million_sixtieths_are_a_million_ticks),
        cmocka_unit_test(no_rate_drifts),
        cmocka_unit_test(whole_nanoseconds_are_counted_exactly),
        cmocka_unit_test(many_small_deltas_and_one_long_delta_are_the_same),
        cmocka_unit_test(the_same_deltas_give_the_same_ticks),
        cmocka_unit_test(no_more_than_the_limit_is_handed_out_at_once),
        cmocka_unit_test(what_is_over_does_not_come_later),
        cmocka_unit_test(the_fraction_survives_a_drop),
        cmocka_unit_test(ticks_and_drops_make_up_all_time),
        cmocka_unit_test(negative_and_nan_deltas_count_as_nothing_and_are_counted),
        cmocka_unit_test(an_endless_delta_is_cut_and_leaves_the_fraction),
        cmocka_unit_test(the_longest_catch_up_is_handed_out),
        cmocka_unit_test(splashes_stay_within_their_limit),
        cmocka_unit_test(alpha_is_below_one_as_a_float_too),
        cmocka_unit_test(alpha_rises_with_the_fraction),
        cmocka_unit_test(dt_is_one_over_the_rate),
        cmocka_unit_test(elapsed_is_the_time_of_the_ticks),
        cmocka_unit_test(a_new_rate_keeps_the_fraction),
        cmocka_unit_test(elapsed_remembers_the_rates_of_the_past),
        cmocka_unit_test(a_bad_rate_changes_nothing),
        cmocka_unit_test(reset_starts_again_at_the_same_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/sim/tick_clock.h>
#include <cairn/sim/time.h>

#include <math.h>

static CnTime fresh(void)
{
    CnTime time;
    cn_time_init(&time);
    return time;
}

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9))
        fail_msg("%.17g, not %.17g", actual, expected);
}

static void a_new_time_runs_at_scale_one_from_zero(void **state)
{
    (void)state;
    CnTime time = fresh();
    assert_true(time.scale == 1 && time.delta == 0 && time.unscaled_delta == 0);
    assert_true(time.elapsed == 0 && time.unscaled_elapsed == 0 && time.fps == 0);
    assert_int_equal(time.frame_count, 0);
    assert_int_equal(time.tick_count, 0);
}

static void a_frame_adds_its_delta(void **state)
{
    (void)state;
    CnTime time = fresh();
    cn_time_advance(&time, 0.02);
    cn_time_advance(&time, 0.03);
    assert_near(time.delta, 0.03);
    assert_near(time.unscaled_delta, 0.03);
    assert_near(time.elapsed, 0.05);
    assert_near(time.unscaled_elapsed, 0.05);
    assert_int_equal(time.frame_count, 2);
    assert_int_equal(time.tick_count, 0);
}

static void scale_changes_delta_and_elapsed_only(void **state)
{
    (void)state;
    CnTime time = fresh();
    time.scale = 0.25;
    cn_time_advance(&time, 0.04);
    assert_near(time.delta, 0.01);
    assert_near(time.elapsed, 0.01);
    assert_near(time.unscaled_delta, 0.04);
    assert_near(time.unscaled_elapsed, 0.04);
    time.scale = 2;
    cn_time_advance(&time, 0.04);
    assert_near(time.delta, 0.08);
    assert_near(time.elapsed, 0.09);
}

static void scale_zero_pauses(void **state)
{
    (void)state;
    CnTime time = fresh();
    cn_time_advance(&time, 0.05);
    time.scale = 0;
    assert_true(cn_time_advance(&time, 0.05) == 0);
    assert_true(time.delta == 0);
    assert_near(time.elapsed, 0.05);
    assert_near(time.unscaled_elapsed, 0.1);
    assert_int_equal(time.frame_count, 2);
}

static void a_negative_or_nan_scale_pauses(void **state)
{
    (void)state;
    static const double scales[] = {-1, (double)NAN, -(double)INFINITY};
    for (uint32_t i = 0; i < CN_COUNT_OF(scales); i++) {
        CnTime time = fresh();
        time.scale = scales[i];
        assert_true(cn_time_advance(&time, 0.05) == 0);
        assert_true(time.delta == 0 && time.elapsed == 0);
        assert_near(time.unscaled_elapsed, 0.05);
    }
}

static void an_endless_scale_stays_finite(void **state)
{
    (void)state;
    CnTime time = fresh();
    time.scale = (double)INFINITY;
    assert_true(cn_time_advance(&time, 0) == 0);
    assert_true(isfinite(cn_time_advance(&time, (double)INFINITY)));
    assert_true(isfinite(time.delta) && isfinite(time.elapsed));
}

static void deltas_are_at_most_100_ms(void **state)
{
    (void)state;
    CnTime time = fresh();
    time.scale = 0.5;
    cn_time_advance(&time, 3);
    assert_true(time.unscaled_delta == 0.1);
    assert_near(time.delta, 0.05);
    assert_near(time.elapsed, 0.05);
}

static void real_time_since_the_start_keeps_what_the_deltas_hide(void **state)
{
    (void)state;
    CnTime time = fresh();
    cn_time_advance(&time, 3);
    cn_time_advance(&time, 0.05);
    assert_near(time.unscaled_elapsed, 3.05);
}

static void bad_deltas_count_as_zero(void **state)
{
    (void)state;
    static const double deltas[] = {-1, (double)NAN, -(double)INFINITY, -0.0};
    CnTime time = fresh();
    for (uint32_t i = 0; i < CN_COUNT_OF(deltas); i++) {
        assert_true(cn_time_advance(&time, deltas[i]) == 0);
        assert_true(time.delta == 0 && time.unscaled_delta == 0);
        assert_true(time.elapsed == 0 && time.unscaled_elapsed == 0);
    }
    assert_int_equal(time.frame_count, 4);
    assert_true(time.fps == 0);
}

static void the_clock_gets_the_whole_delta_scaled(void **state)
{
    (void)state;
    CnTime time = fresh();
    assert_near(cn_time_advance(&time, 0.5), 0.5);
    time.scale = 3;
    assert_near(cn_time_advance(&time, 0.5), 1.5);
}

static void the_clock_sees_the_ticks_that_a_stall_cost(void **state)
{
    (void)state;
    CnTime time = fresh();
    CnTickClock clock;
    cn_tick_clock_init(&clock, &(CnTickClockDesc){10, 8}, NULL);
    assert_int_equal(cn_tick_clock_advance(&clock, cn_time_advance(&time, 5)), 8);
    assert_int_equal(clock.timing_drops, 42);
}

static void a_pause_stops_the_clock(void **state)
{
    (void)state;
    CnTime time = fresh();
    CnTickClock clock;
    cn_tick_clock_init(&clock, NULL, NULL);
    time.scale = 0;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_tick_clock_advance(&clock, cn_time_advance(&time, 1)), 0);
    assert_int_equal(clock.timing_drops, 0);
}

static void no_frame_takes_more_than_a_day(void **state)
{
    (void)state;
    CnTime time = fresh();
    assert_true(cn_time_advance(&time, (double)INFINITY) == CN_TIME_MAX_REAL_DELTA);
    assert_true(time.unscaled_elapsed == CN_TIME_MAX_REAL_DELTA);
    time.scale = 0;
    assert_true(cn_time_advance(&time, (double)INFINITY) == 0);
}

/* ---- Frames per second ---- */

static void a_steady_rate_is_shown_from_the_first_frame(void **state)
{
    (void)state;
    CnTime time = fresh();
    for (uint32_t i = 0; i < 1000; i++) {
        cn_time_advance(&time, 1.0 / 64);
        assert_true(fabs((double)time.fps - 64) < 0.01);
    }
}

static void fps_comes_from_real_time_not_scaled_or_cut(void **state)
{
    (void)state;
    CnTime time = fresh();
    time.scale = 0;
    for (uint32_t i = 0; i < 100; i++)
        cn_time_advance(&time, 0.5);
    assert_true(fabs((double)time.fps - 2) < 0.001);
}

static void fps_follows_a_new_rate_with_its_time_constant(void **state)
{
    (void)state;
    CnTime time = fresh();
    for (uint32_t i = 0; i < 100; i++)
        cn_time_advance(&time, 0.01);
    /* After one time constant, exp(-1) of the difference is left. */
    for (uint32_t i = 0; i < 25; i++)
        cn_time_advance(&time, CN_TIME_FPS_SMOOTHING / 25);
    double left = ((double)time.fps - 50) / (100 - 50);
    assert_true(left > 0.33 && left < 0.41);
    for (uint32_t i = 0; i < 250; i++)
        cn_time_advance(&time, 0.02);
    assert_true(fabs((double)time.fps - 50) < 0.01);
}

static void fps_of_uneven_frames_is_frames_over_time(void **state)
{
    (void)state;
    CnTime time = fresh();
    for (uint32_t i = 0; i < 10000; i++)
        cn_time_advance(&time, i % 2 ? 0.001 : 0.003);
    assert_true(fabs((double)time.fps - 500) < 5);
}

static void frames_too_short_to_measure_leave_fps(void **state)
{
    (void)state;
    CnTime time = fresh();
    cn_time_advance(&time, 5e-324);
    assert_true(time.fps == 0);
    cn_time_advance(&time, 0.01);
    float fps = time.fps;
    cn_time_advance(&time, 0);
    cn_time_advance(&time, 1e-12);
    assert_true(time.fps == fps);
}

static void fps_recovers_from_an_endless_frame(void **state)
{
    (void)state;
    CnTime time = fresh();
    cn_time_advance(&time, (double)INFINITY);
    for (uint32_t i = 0; i < 1000; i++)
        cn_time_advance(&time, 0.01);
    assert_true(fabs((double)time.fps - 100) < 0.01);
}

/* ---- In a world ---- */

static void as_a_transient_resource_it_is_not_part_of_the_state(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    uint64_t before = cn_world_hash(world);
    cn_register(world, CnTime, .flags = CN_COMPONENT_TRANSIENT);
    CnTime *time = cn_resource_set(world, CnTime, {.scale = 1});
    cn_time_advance(time, 0.02);
    assert_int_equal(cn_world_hash(world), before);
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_ptr_equal(cn_resource(world, CnTime), time);
    assert_int_equal(time->frame_count, 1);
    cn_world_destroy(world);
}

static void its_fields_are_found_by_name(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    const CnField *scale = cn_component_field(world, cn_id(world, CnTime), "scale");
    const CnField *fps = cn_component_field(world, cn_id(world, CnTime), "fps");
    assert_int_equal(scale->type, CN_FIELD_F64);
    assert_int_equal(fps->type, CN_FIELD_F32);
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_time_runs_at_scale_one_from_zero),
        cmocka_unit_test(a_frame_adds_its_delta),
        cmocka_unit_test(scale_changes_delta_and_elapsed_only),
        cmocka_unit_test(scale_zero_pauses),
        cmocka_unit_test(a_negative_or_nan_scale_pauses),
        cmocka_unit_test(an_endless_scale_stays_finite),
        cmocka_unit_test(deltas_are_at_most_100_ms),
        cmocka_unit_test(real_time_since_the_start_keeps_what_the_deltas_hide),
        cmocka_unit_test(bad_deltas_count_as_zero),
        cmocka_unit_test(the_clock_gets_the_whole_delta_scaled),
        cmocka_unit_test(the_clock_sees_the_ticks_that_a_stall_cost),
        cmocka_unit_test(a_pause_stops_the_clock),
        cmocka_unit_test(no_frame_takes_more_than_a_day),
        cmocka_unit_test(a_steady_rate_is_shown_from_the_first_frame),
        cmocka_unit_test(fps_comes_from_real_time_not_scaled_or_cut),
        cmocka_unit_test(fps_follows_a_new_rate_with_its_time_constant),
        cmocka_unit_test(fps_of_uneven_frames_is_frames_over_time),
        cmocka_unit_test(frames_too_short_to_measure_leave_fps),
        cmocka_unit_test(fps_recovers_from_an_endless_frame),
        cmocka_unit_test(as_a_transient_resource_it_is_not_part_of_the_state),
        cmocka_unit_test(its_fields_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* CnSim: ticks, frames, time, observers, state. */
#include "cmocka_tests.h"

#include <cairn/sim.h>

#include <math.h>
#include <string.h>

CN_COMPONENT(LoopThing, (u32, value));
CN_COMPONENT(LoopCount, (u64, ticks));
CN_COMPONENT(LoopMessage, (u32, number));

static CnSim *sim;
static CnHeap *heap;
static CnError error;
static char trace[1024];

static CnSim *create(CnSimDesc desc)
{
    desc.allocator = cn_heap_tag(heap, "sim");
    return cn_sim_create(&desc, &error);
}

static int make_sim(void **state)
{
    (void)state;
    trace[0] = '\0';
    error = (CnError){0};
    heap = cn_heap_create(NULL, NULL);
    sim = create((CnSimDesc){.tick_hz = 10, .max_catch_up_ticks = 4, .seed = 3});
    return sim ? 0 : -1;
}

static int drop_sim(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    int leaked = cn_heap_stats(heap).live_blocks != 0;
    cn_heap_destroy(heap);
    return leaked;
}

static void note(CnSystemContext *context)
{
    strncat(trace, context->user, sizeof trace - strlen(trace) - 1);
}

static void add(const char *name, CnStage stage)
{
    CnSystemDesc desc = {.name = name, .run = note, .user = (void *)(uintptr_t)name};
    desc.stage = stage;
    assert_true(cn_system_add(cn_sim_world(sim), &desc, NULL).id);
}

static void frame(double seconds)
{
    if (!cn_sim_frame(sim, seconds, &error))
        fail_msg("%s", error.message);
}

static void ticks(uint64_t count)
{
    if (!cn_sim_tick_n(sim, count, &error))
        fail_msg("%s", error.message);
}

/* ---- Ticks and frames ---- */

static void the_first_tick_runs_startup_once(void **state)
{
    (void)state;
    add("start ", CN_STAGE_STARTUP);
    add("tick ", CN_STAGE_UPDATE);
    ticks(1);
    ticks(1);
    assert_string_equal(trace, "start tick tick ");
}

static void startup_alone_runs_no_tick(void **state)
{
    (void)state;
    add("start ", CN_STAGE_STARTUP);
    assert_true(cn_sim_start(sim, &error));
    assert_true(cn_sim_start(sim, &error));
    assert_string_equal(trace, "start ");
    assert_int_equal(cn_sim_tick(sim), 0);
}

static void real_time_decides_how_many_ticks_a_frame_has(void **state)
{
    (void)state;
    frame(0.05);
    assert_int_equal(cn_sim_tick(sim), 0);
    frame(0.05);
    assert_int_equal(cn_sim_tick(sim), 1);
    frame(0.25);
    assert_int_equal(cn_sim_tick(sim), 3);
}

static void a_frame_runs_ticks_then_its_own_stages(void **state)
{
    (void)state;
    add("frame ", CN_STAGE_FRAME);
    add("tick ", CN_STAGE_UPDATE);
    frame(0.2);
    frame(0.01);
    assert_string_equal(trace, "tick tick frame frame ");
}

static void ticks_beyond_the_limit_are_dropped_and_counted(void **state)
{
    (void)state;
    frame(1.0);
    assert_int_equal(cn_sim_tick(sim), 4);
    assert_int_equal(cn_sim_clock(sim)->timing_drops, 6);
    assert_int_equal(cn_resource(cn_sim_world(sim), CnTimingInfo)->timing_drops, 6);
}

static void stop_second(CnSystemContext *context)
{
    (void)context;
    if (cn_sim_tick(sim) == 1)
        cn_sim_stop(sim);
}

static void add_stopping(void)
{
    CnSystemDesc desc = {.name = "stop", .run = stop_second, .stage = CN_STAGE_UPDATE};
    assert_true(cn_system_add(cn_sim_world(sim), &desc, &error).id != 0);
}

static void a_stop_lets_the_tick_end_and_no_other_begin(void **state)
{
    (void)state;
    add_stopping();
    add("late ", CN_STAGE_PRE_EXTRACT);
    add("frame ", CN_STAGE_FRAME);
    frame(0.4);
    assert_string_equal(trace, "late late frame ");
    assert_int_equal(cn_resource(cn_sim_world(sim), CnTimingInfo)->ticks_this_frame, 2);
}

static void a_stop_is_over_with_the_call_that_it_stopped(void **state)
{
    (void)state;
    add_stopping();
    assert_true(cn_sim_tick_n(sim, 4, &error));
    assert_int_equal(cn_sim_tick(sim), 2);
    assert_true(cn_sim_tick_n(sim, 4, &error));
    assert_int_equal(cn_sim_tick(sim), 6);
    cn_sim_stop(sim);
    assert_true(cn_sim_tick_n(sim, 4, &error));
    assert_int_equal(cn_sim_tick(sim), 10);
}

static void bad_deltas_pass_no_time(void **state)
{
    (void)state;
    const double bad[] = {-1, NAN, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        frame(bad[i]);
    assert_int_equal(cn_sim_tick(sim), 0);
}

static void a_tick_knows_its_number_dt_and_time(void **state)
{
    (void)state;
    ticks(5);
    const CnTickInfo *info = cn_resource(cn_sim_world(sim), CnTickInfo);
    assert_int_equal(info->tick, 5);
    assert_true(info->dt == 0.1f);
    assert_true(info->elapsed == 0.5);
}

static void frames_know_how_far_the_next_tick_has_come(void **state)
{
    (void)state;
    frame(0.125);
    const CnTimingInfo *timing = cn_resource(cn_sim_world(sim), CnTimingInfo);
    assert_int_equal(timing->ticks_this_frame, 1);
    assert_true(timing->alpha == 0.25f);
}

static void a_pause_stops_ticks_and_not_frames(void **state)
{
    (void)state;
    add("frame ", CN_STAGE_FRAME);
    cn_sim_pause(sim, true);
    frame(0.3);
    assert_int_equal(cn_sim_tick(sim), 0);
    assert_string_equal(trace, "frame ");
    cn_sim_pause(sim, false);
    frame(0.1);
    assert_int_equal(cn_sim_tick(sim), 1); /* what passed in the pause is gone */
}

static void a_paused_simulation_can_be_stepped(void **state)
{
    (void)state;
    cn_sim_pause(sim, true);
    ticks(1);
    assert_int_equal(cn_sim_tick(sim), 1);
    assert_true(cn_sim_is_paused(sim));
}

static void a_time_scale_of_zero_stops_ticks(void **state)
{
    (void)state;
    cn_sim_time(sim)->scale = 0;
    frame(0.3);
    assert_int_equal(cn_sim_tick(sim), 0);
    assert_true(cn_sim_time(sim)->elapsed == 0);
    assert_true(cn_sim_time(sim)->unscaled_elapsed == 0.3);
    cn_sim_time(sim)->scale = 0.5;
    frame(0.2);
    assert_int_equal(cn_sim_tick(sim), 1);
}

static void run_ticks_inside(CnSystemContext *context)
{
    CnError inner = {0};
    assert_false(cn_sim_tick_n(context->user, 1, &inner));
    assert_int_equal(inner.code, CN_ERROR_PERMISSION);
    const CnTickClock clock = *cn_sim_clock(context->user);
    const CnTime time = *cn_sim_time(context->user);
    assert_false(cn_sim_frame(context->user, 0.3, &inner));
    assert_int_equal(inner.code, CN_ERROR_PERMISSION);
    assert_memory_equal(&clock, cn_sim_clock(context->user), sizeof clock);
    assert_memory_equal(&time, cn_sim_time(context->user), sizeof time);
}

static void go_on(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static void a_tick_cannot_run_ticks_or_frames_and_no_time_passes(void **state)
{
    (void)state;
    cn_assert_set_handler(go_on, NULL);
    CnSystemDesc desc = {.name = "inside", .run = run_ticks_inside, .user = sim};
    desc.stage = CN_STAGE_UPDATE;
    cn_system_add(cn_sim_world(sim), &desc, NULL);
    ticks(1);
    cn_assert_set_handler(NULL, NULL);
}

static void a_rate_out_of_range_is_an_error(void **state)
{
    (void)state;
    assert_null(create((CnSimDesc){.tick_hz = 1001}));
    assert_int_not_equal(error.code, CN_OK);
    for (uint32_t hz = 1; hz <= 1000; hz += 333) {
        CnSim *other = create((CnSimDesc){.tick_hz = hz});
        assert_non_null(other);
        cn_sim_destroy(other);
    }
}

static void a_schedule_that_cannot_be_sorted_stops_the_tick(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "lost", .run = note, .user = "", .after = {"nobody"}};
    desc.stage = CN_STAGE_UPDATE;
    cn_system_add(cn_sim_world(sim), &desc, NULL);
    assert_false(cn_sim_tick_n(sim, 1, &error));
    assert_non_null(strstr(error.message, "nobody"));
}

/* ---- Events from outside ---- */

static uint32_t seen_numbers[16], seen_count;

static void see_messages(CnSystemContext *context)
{
    CnChannel *channel = context->user;
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        seen_numbers[seen_count++ % 16] = cn_events(channel, LoopMessage)[i].number;
}

static void what_producers_send_is_seen_by_exactly_one_tick(void **state)
{
    (void)state;
    seen_count = 0;
    CnWorld *world = cn_sim_world(sim);
    CnChannel *channel = cn_channel(world, LoopMessage);
    CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "net"}, NULL);
    CnSystemDesc desc = {.name = "see", .run = see_messages, .user = channel};
    desc.stage = CN_STAGE_INPUT;
    desc.access[0] = (CnTerm)cn_reads(LoopMessage);
    cn_system_add(world, &desc, NULL);
    cn_produce(producer, channel, LoopMessage, {7});
    cn_produce(producer, channel, LoopMessage, {8});
    ticks(3);
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen_numbers[0], 7);
    assert_int_equal(seen_numbers[1], 8);
}

static void a_key_is_pressed_in_one_tick_and_held_after(void **state)
{
    (void)state;
    const CnInputState *input = cn_resource(cn_sim_world(sim), CnInputState);
    cn_input_key(cn_sim_input(sim), CN_KEY_SPACE, true);
    ticks(1);
    assert_true(cn_key_pressed(input, CN_KEY_SPACE));
    ticks(1);
    assert_false(cn_key_pressed(input, CN_KEY_SPACE));
    assert_true(cn_key_held(input, CN_KEY_SPACE));
}

/* ---- Observers ---- */

static uint32_t delivered, fed, ticked;

static void count_delivered(CnChannel *channel, const void *value, void *user)
{
    (void)channel, (void)value, (void)user;
    delivered++;
}

static bool feed_one(CnSim *of, void *user, CnError *why)
{
    (void)user, (void)why;
    fed++;
    CnChannel *channel = cn_channel(cn_sim_world(of), CnInputEvent);
    CnInputEvent event = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_A};
    return cn_send_value(channel, &event);
}

static bool stop_at_three(CnSim *of, void *user, CnError *why)
{
    (void)user;
    ticked++;
    return cn_sim_tick(of) < 3 || cn_error_set(why, CN_ERROR_LIMIT, "three are enough");
}

static void an_observer_sees_events_and_ticks_and_may_stop(void **state)
{
    (void)state;
    delivered = ticked = 0;
    cn_sim_observe(sim, &(CnSimObserver){.delivered = count_delivered, .ticked = stop_at_three});
    cn_input_key(cn_sim_input(sim), CN_KEY_SPACE, true);
    assert_false(cn_sim_tick_n(sim, 10, &error));
    assert_string_equal(error.message, "three are enough");
    assert_int_equal(cn_sim_tick(sim), 3);
    assert_int_equal(delivered, 1);
    assert_int_equal(ticked, 3);
    cn_sim_observe(sim, NULL);
    ticks(1);
}

static void a_feeder_takes_the_place_of_producers(void **state)
{
    (void)state;
    fed = 0;
    cn_sim_observe(sim, &(CnSimObserver){.feed = feed_one});
    cn_input_key(cn_sim_input(sim), CN_KEY_SPACE, true);
    ticks(1);
    const CnInputState *input = cn_resource(cn_sim_world(sim), CnInputState);
    assert_int_equal(fed, 1);
    assert_true(cn_key_held(input, CN_KEY_A));
    assert_false(cn_key_held(input, CN_KEY_SPACE));
}

/* ---- State ---- */

static void grow(CnSystemContext *context)
{
    LoopCount *count = cn_resource_mut(context->world, LoopCount);
    count->ticks++;
    cn_defer_spawn(context->commands, cn_with(LoopThing, {(uint32_t)count->ticks}));
}

static void add_growth(CnSim *to)
{
    CnWorld *world = cn_sim_world(to);
    cn_register(world, LoopThing);
    cn_resource_set(world, LoopCount, {0});
    CnSystemDesc desc = {.name = "grow", .run = grow, .stage = CN_STAGE_UPDATE};
    desc.access[0] = (CnTerm)cn_writes(LoopCount);
    cn_system_add(world, &desc, NULL);
}

static void a_restored_simulation_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    add_growth(sim);
    ticks(20);
    assert_true(cn_sim_save(sim, &snapshot, &error));
    ticks(20);
    uint64_t hash = cn_sim_hash(sim);
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, &error));
    assert_int_equal(cn_sim_tick(sim), 20);
    ticks(20);
    assert_true(cn_sim_hash(sim) == hash);

    CnSim *other = create((CnSimDesc){.tick_hz = 10, .seed = 99});
    add_growth(other);
    assert_true(cn_sim_restore(other, snapshot.bytes, snapshot.size, &error));
    assert_true(cn_sim_tick_n(other, 20, &error));
    assert_true(cn_sim_hash(other) == hash);
    cn_sim_destroy(other);
    cn_snapshot_free(&snapshot);
}

static void a_state_that_knows_no_ticks_begins_with_tick_zero(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnWorld *bare = cn_world_create(NULL, NULL);
    cn_spawn(bare, cn_with(LoopThing, {5}));
    assert_true(cn_world_save(bare, &snapshot, &error));
    cn_world_destroy(bare);
    ticks(9);
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_int_equal(cn_sim_tick(sim), 0);
    ticks(2);
    assert_int_equal(cn_resource(cn_sim_world(sim), CnTickInfo)->tick, 2);
    assert_int_equal(cn_entity_count(cn_sim_world(sim)), 1);
}

static void frames_and_pauses_do_not_change_the_state(void **state)
{
    (void)state;
    add_growth(sim);
    CnSim *other = create((CnSimDesc){.tick_hz = 10, .max_catch_up_ticks = 4, .seed = 3});
    add_growth(other);
    ticks(12);
    while (cn_sim_tick(other) < 12)
        assert_true(cn_sim_frame(other, 0.013, &error));
    assert_true(cn_sim_hash(sim) == cn_sim_hash(other));
    cn_sim_destroy(other);
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    (void)state;
    add("tick ", CN_STAGE_UPDATE);
    frame(0.5);
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 100; i++)
        frame(0.05);
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

static void every_allocation_may_fail_while_it_is_made(void **state)
{
    (void)state;
    for (uint64_t n = 0;; n++) {
        cn_heap_fail_after(heap, n);
        CnSim *other = create((CnSimDesc){0});
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (other) {
            assert_true(n > 5);
            cn_sim_destroy(other);
            break;
        }
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    }
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, make_sim, drop_sim)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(the_first_tick_runs_startup_once),
        SIM_TEST(startup_alone_runs_no_tick),
        SIM_TEST(real_time_decides_how_many_ticks_a_frame_has),
        SIM_TEST(a_frame_runs_ticks_then_its_own_stages),
        SIM_TEST(ticks_beyond_the_limit_are_dropped_and_counted),
        SIM_TEST(a_stop_lets_the_tick_end_and_no_other_begin),
        SIM_TEST(a_stop_is_over_with_the_call_that_it_stopped),
        SIM_TEST(bad_deltas_pass_no_time),
        SIM_TEST(a_tick_knows_its_number_dt_and_time),
        SIM_TEST(frames_know_how_far_the_next_tick_has_come),
        SIM_TEST(a_pause_stops_ticks_and_not_frames),
        SIM_TEST(a_paused_simulation_can_be_stepped),
        SIM_TEST(a_time_scale_of_zero_stops_ticks),
        SIM_TEST(a_tick_cannot_run_ticks_or_frames_and_no_time_passes),
        SIM_TEST(a_rate_out_of_range_is_an_error),
        SIM_TEST(a_schedule_that_cannot_be_sorted_stops_the_tick),
        SIM_TEST(what_producers_send_is_seen_by_exactly_one_tick),
        SIM_TEST(a_key_is_pressed_in_one_tick_and_held_after),
        SIM_TEST(an_observer_sees_events_and_ticks_and_may_stop),
        SIM_TEST(a_feeder_takes_the_place_of_producers),
        SIM_TEST(a_restored_simulation_goes_on_as_the_saved_one),
        SIM_TEST(a_state_that_knows_no_ticks_begins_with_tick_zero),
        SIM_TEST(frames_and_pauses_do_not_change_the_state),
        SIM_TEST(a_steady_frame_makes_no_heap_call),
        SIM_TEST(every_allocation_may_fail_while_it_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What the tests of input share: a world with input for each test, on a heap that counts, and a
 * source. A world that leaks fails its test.
 *
 *     const struct CMUnitTest tests[] = {
 *         INPUT_TEST(a_key_that_repeats_is_not_pressed_again),
 *     };
 */
#ifndef CAIRN_TESTS_UNIT_SIM_INPUT_FIXTURE_H
#define CAIRN_TESTS_UNIT_SIM_INPUT_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/ecs/system.h>
#include <cairn/sim/input.h>

static CnHeap *heap;
static CnWorld *world;
static CnInputSource source;
static const CnInputState *input;
static const CnGamepadState *pads;

static inline int make_world(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    if (!world || !cn_input_add(world, NULL))
        return -1;
    source =
        cn_input_source(world, cn_producer_create(world, &(CnProducerDesc){.name = "test"}, NULL));
    input = cn_resource(world, CnInputState);
    pads = cn_resource(world, CnGamepadState);
    return source.producer && source.channel && input && pads ? 0 : -1;
}

static inline int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static inline void tick(void)
{
    CnError error = {0};
    cn_producers_merge(world, NULL, NULL);
    if (!cn_world_update(world, 0.01f, &error))
        fail_msg("%s", error.message);
}

static inline void tick_quietly(void)
{
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    tick();
    cn_log_set_level(level);
}

/* Past the checks of the functions that send. */
static inline void send_raw(CnInputEvent event)
{
    assert_true(cn_produce_value(source.producer, source.channel, &event));
}

static inline void assert_ignored(CnInputEvent event)
{
    uint64_t ignored = input->ignored;
    assert_false(cn_input_event_valid(&event));
    assert_false(cn_input_push(source, &event));
    send_raw(event);
    tick_quietly();
    assert_int_equal(input->ignored, ignored + 1);
}

#define assert_number(a, b) assert_true((double)(a) == (double)(b))

/* held, pressed, released */
#define assert_key(key, h, p, r)                                                                   \
    do {                                                                                           \
        assert_int_equal(cn_key_held(input, key), h);                                              \
        assert_int_equal(cn_key_pressed(input, key), p);                                           \
        assert_int_equal(cn_key_released(input, key), r);                                          \
    } while (0)
#define assert_mouse(button, h, p, r)                                                              \
    do {                                                                                           \
        assert_int_equal(cn_mouse_held(input, button), h);                                         \
        assert_int_equal(cn_mouse_pressed(input, button), p);                                      \
        assert_int_equal(cn_mouse_released(input, button), r);                                     \
    } while (0)
#define assert_touch(touch, h, p, r)                                                               \
    do {                                                                                           \
        assert_int_equal(cn_touch_held(input, touch), h);                                          \
        assert_int_equal(cn_touch_pressed(input, touch), p);                                       \
        assert_int_equal(cn_touch_released(input, touch), r);                                      \
    } while (0)
#define assert_pad(pad, button, h, p, r)                                                           \
    do {                                                                                           \
        assert_int_equal(cn_gamepad_held(pads, pad, button), h);                                   \
        assert_int_equal(cn_gamepad_pressed(pads, pad, button), p);                                \
        assert_int_equal(cn_gamepad_released(pads, pad, button), r);                               \
    } while (0)

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

#endif

/*
 * Random bytes as input events: whatever comes, the state stays one that real devices could have
 * made. The test makes its cases from a seed, so it always runs the same ones.
 */
#include "cmocka_tests.h"

#include "random.h"

#include <cairn/ecs/snapshot.h>
#include <cairn/ecs/system.h>
#include <cairn/sim/input.h>

#include <string.h>

enum { TICKS = 3000, MOST_EVENTS = 24 };

/* ---- Events ---- */

static CnInputEvent random_bytes(TestRandom *random)
{
    CnInputEvent event;
    for (size_t i = 0; i < sizeof event; i += 8) {
        uint64_t bits = test_random(random);
        memcpy((uint8_t *)&event + i, &bits, 8);
    }
    return event;
}

static float random_number(TestRandom *random)
{
    uint32_t bits = (uint32_t)test_random(random);
    float number = (float)(test_random_unit(random) * 2.5 - 1.25);
    if (test_random_chance(random, 10))
        memcpy(&number, &bits, sizeof number); /* also infinity, NaN, and very large ones */
    return number;
}

/* Kinds and codes that mostly exist, so that more of them meet. */
static CnInputEvent likely_event(TestRandom *random)
{
    CnInputEvent event = random_bytes(random);
    event.kind = (uint8_t)test_random_below(random, CN_INPUT_KIND_COUNT + 1);
    event.device = (uint8_t)test_random_below(random, CN_GAMEPAD_COUNT + 1);
    event.pressed = (uint8_t)test_random_below(random, 2);
    event.bytes = (uint8_t)test_random_below(random, CN_INPUT_DATA_BYTES + 2);
    event.finger = test_random_below(random, 14);
    bool is_key = event.kind == CN_INPUT_KEY;
    event.code = test_random_below(random, is_key ? CN_KEY_COUNT + 10 : 24);
    event.x = random_number(random);
    event.y = random_number(random);
    event.dx = random_number(random);
    event.dy = random_number(random);
    for (uint32_t i = 0; i < CN_INPUT_DATA_BYTES && test_random_chance(random, 98); i++)
        event.data[i] = (uint8_t)('a' + i % 26);
    if (event.kind == CN_INPUT_FOCUS_LOST && test_random_chance(random, 90))
        event.kind = CN_INPUT_TEXT;
    return event;
}

/* ---- What a state must be ---- */

/* What was pressed and is no longer held was released; what was released and is held was pressed.
 */
static void assert_bits(uint64_t held, uint64_t pressed, uint64_t released, uint64_t possible)
{
    assert_true(((held | pressed | released) & ~possible) == 0);
    assert_true((pressed & ~held & ~released) == 0);
    assert_true((released & held & ~pressed) == 0);
}

static bool in_range(float value, float most)
{
    return value >= -most && value <= most;
}

static void assert_touches(const CnInputState *input)
{
    assert_bits(input->touch_held, input->touch_pressed, input->touch_released,
                (1u << CN_INPUT_TOUCH_COUNT) - 1);
    for (uint32_t i = 0; i < CN_INPUT_TOUCH_COUNT; i++) {
        bool used = cn_touch_held(input, i) || cn_touch_released(input, i);
        assert_true(in_range(input->touch_x[i], CN_INPUT_MAX_COORDINATE));
        assert_true(in_range(input->touch_y[i], CN_INPUT_MAX_COORDINATE));
        assert_true(used || (input->touch_finger[i] == 0 && !(input->touch_x[i] < 0) &&
                             !(input->touch_x[i] > 0)));
        for (uint32_t k = 0; k < i && used; k++)
            assert_true(!(cn_touch_held(input, k) || cn_touch_released(input, k)) ||
                        input->touch_finger[k] != input->touch_finger[i]);
    }
}

static void assert_input(const CnInputState *input)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(input->keys_held); i++)
        assert_bits(input->keys_held[i], input->keys_pressed[i], input->keys_released[i],
                    i ? UINT64_MAX : UINT64_MAX - 1);
    assert_bits(input->mouse_held, input->mouse_pressed, input->mouse_released, 0xfffffffeu);
    assert_touches(input);
    const float most = CN_INPUT_MAX_COORDINATE, sum = most * MOST_EVENTS;
    assert_true(in_range(input->mouse_x, most) && in_range(input->mouse_y, most));
    assert_true(in_range(input->mouse_dx, sum) && in_range(input->mouse_dy, sum));
    assert_true(in_range(input->wheel_x, sum) && in_range(input->wheel_y, sum));
    assert_non_null(memchr(input->text, 0, sizeof input->text));
    assert_true(cn_text_is_utf8(cn_text(input->text)));
    assert_true(input->focused <= 1 && input->quit <= 1);
}

static void assert_pads(const CnGamepadState *pads)
{
    for (uint32_t pad = 0; pad < CN_GAMEPAD_COUNT; pad++) {
        assert_bits(pads->held[pad], pads->pressed[pad], pads->released[pad],
                    (1u << CN_GAMEPAD_BUTTON_COUNT) - 1);
        assert_true(pads->connected[pad] <= 1);
        assert_true(pads->connected[pad] || pads->held[pad] == 0);
        for (uint32_t axis = 0; axis < CN_GAMEPAD_AXIS_COUNT; axis++)
            assert_true(in_range(cn_gamepad_axis(pads, pad, axis), pads->connected[pad]));
    }
}

/* ---- Runs ---- */

/* Returns a hash over all ticks. */
static uint64_t run(uint64_t seed, CnInputEvent (*make)(TestRandom *random), uint64_t *ignored)
{
    TestRandom random = {seed};
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(cn_input_add(world, NULL));
    CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "fuzz"}, NULL);
    CnInputSource source = cn_input_source(world, producer);
    const CnInputState *input = cn_resource(world, CnInputState);
    uint64_t hash = 0, sent = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        for (uint32_t n = test_random_below(&random, MOST_EVENTS + 1); n > 0; n--, sent++) {
            CnInputEvent event = make(&random);
            assert_true(cn_produce_value(producer, source.channel, &event));
        }
        cn_producers_merge(world, NULL, NULL);
        assert_true(cn_world_update(world, 0.01f, NULL));
        assert_input(input);
        assert_pads(cn_resource(world, CnGamepadState));
        uint32_t index = 0;
        for (const CnInputEvent *m; (m = cn_input_next_message(source.channel, 3, &index));)
            assert_true(m->bytes <= CN_INPUT_DATA_BYTES);
        hash = hash * 31 + cn_world_hash(world);
    }
    *ignored = input->ignored;
    assert_true(*ignored <= sent);
    cn_world_destroy(world);
    return hash;
}

static void run_twice(uint64_t seed, CnInputEvent (*make)(TestRandom *random))
{
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t ignored, again;
    assert_true(run(seed, make, &ignored) == run(seed, make, &again));
    assert_true(ignored > 0 && ignored == again);
    cn_log_set_level(level);
}

static void random_bytes_leave_a_valid_state(void **state)
{
    (void)state;
    run_twice(1, random_bytes);
}

static void likely_events_leave_a_valid_state(void **state)
{
    (void)state;
    run_twice(2, likely_event);
}

static void what_a_function_sends_is_never_ignored_for_its_form(void **state)
{
    (void)state;
    TestRandom random = {3};
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(cn_input_add(world, NULL));
    CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "fuzz"}, NULL);
    CnInputSource source = cn_input_source(world, producer);
    for (int i = 0; i < 100000; i++) {
        float x = random_number(&random), y = random_number(&random);
        uint32_t code = test_random_below(&random, 600);
        char text[48] = {0};
        for (uint32_t k = test_random_below(&random, 47); k > 0; k--)
            text[k - 1] = (char)test_random(&random);
        bool sent[] = {cn_input_key(source, code, true),
                       cn_input_mouse_button(source, code, false),
                       cn_input_mouse_move(source, x, y, y, x),
                       cn_input_wheel(source, x, y),
                       cn_input_text(source, text + 46 - code % 47),
                       cn_input_message(source, code, text, code % 48)};
        uint32_t count = 0, expected = 0;
        for (size_t k = 0; k < CN_COUNT_OF(sent); k++)
            expected += sent[k] && k != 4; /* a text may be several events */
        count = cn_producers_merge(world, NULL, NULL);
        assert_true(count >= expected && count <= expected + 2);
        assert_true(cn_world_update(world, 0.01f, NULL));
    }
    assert_int_equal(cn_resource(world, CnInputState)->ignored, 0);
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_leave_a_valid_state),
        cmocka_unit_test(likely_events_leave_a_valid_state),
        cmocka_unit_test(what_a_function_sends_is_never_ignored_for_its_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Calls at the wrong time and numbers that name nothing: guards report them, and without guards
 * they fail with an error and change nothing. */
#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/sim.h>

static CnSim *sim;
static CnError error;
static bool refused;
static uint64_t clock_ticks;

static bool build(CnSim *s, void *user, CnError *e)
{
    (void)s, (void)user, (void)e;
    return true;
}

static bool call_frame(void)
{
    return cn_sim_frame(sim, 1, &error);
}

static bool call_tick(void)
{
    return cn_sim_tick_n(sim, 1, &error);
}

static bool call_add_plugin(void)
{
    return cn_sim_add_plugin(sim, &(CnPlugin){.name = "Late", .build = build}, &error);
}

static bool call_remove_plugin(void)
{
    return cn_sim_remove_plugin(sim, "Early", &error);
}

static bool call_replace_plugin(void)
{
    return cn_sim_replace_plugin(sim, &(CnPlugin){.name = "Early", .build = build}, &error);
}

static bool call_restore(void)
{
    return cn_sim_restore(sim, "x", 1, &error);
}

static bool (*const calls[])(void) = {
    call_frame, call_tick, call_add_plugin, call_remove_plugin, call_replace_plugin, call_restore,
};

static bool (*call)(void);

static void note(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message;
    *(bool *)user = true;
}

static void run_call(CnSystemContext *context)
{
    (void)context;
    bool guarded = false;
    cn_assert_set_handler(note, &guarded);
    refused = !call() && error.code == CN_ERROR_PERMISSION;
    cn_assert_set_handler(NULL, NULL);
#ifdef CN_GUARDS
    refused &= guarded;
#endif
    clock_ticks = cn_sim_clock(sim)->ticks;
}

static void what_a_tick_may_not_do_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(calls); i++) {
        sim = cn_sim_create(NULL, NULL);
        cn_sim_add_plugin(sim, &(CnPlugin){.name = "Early", .build = build}, NULL);
        CnSystemDesc desc = {.name = "wrong", .run = run_call, .stage = CN_STAGE_UPDATE};
        cn_system_add(cn_sim_world(sim), &desc, NULL);
        call = calls[i];
        error = (CnError){0};
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        assert_true(refused);
        assert_int_equal(clock_ticks, 0);
        assert_int_equal(cn_sim_tick(sim), 1);
        assert_true(cn_sim_has_plugin(sim, "Early"));
        assert_false(cn_sim_has_plugin(sim, "Late"));
        cn_sim_destroy(sim);
    }
}

static CnOutbox *outbox;
static bool pushed;

static void push_wrong(CnSystemContext *context)
{
    bool guarded = false;
    CnAudioOut *out = cn_resource_mut(context->world, CnAudioOut);
    cn_assert_set_handler(note, &guarded);
    pushed = cn_extract_audio(out, &(CnAudioCommand){.kind = (CnAudioKind)77});
    cn_assert_set_handler(NULL, NULL);
#ifdef CN_GUARDS
    pushed |= !guarded;
#endif
}

static void an_audio_command_of_no_kind_is_dropped(void **state)
{
    (void)state;
    sim = cn_sim_create(NULL, NULL);
    outbox = cn_sim_outbox(sim);
    CnSystemDesc desc = {.name = "wrong", .run = push_wrong, .stage = CN_STAGE_PRE_EXTRACT};
    cn_system_add(cn_sim_world(sim), &desc, NULL);
    pushed = true;
    assert_true(cn_sim_tick_n(sim, 1, NULL));
    assert_false(pushed);
    CnAudioCommand command;
    assert_false(cn_outbox_next_audio(outbox, &command));
    cn_sim_destroy(sim);
}

static void keys_and_devices_that_do_not_exist_are_not_held(void **state)
{
    (void)state;
    CnInputState input;
    CnGamepadState pads;
    memset(&input, 0xff, sizeof input);
    memset(&pads, 0xff, sizeof pads);
    assert_false(cn_key_held(&input, CN_KEY_COUNT));
    assert_false(cn_mouse_pressed(&input, CN_MOUSE_BUTTON_COUNT));
    assert_false(cn_touch_released(&input, UINT32_MAX));
    assert_false(cn_gamepad_connected(&pads, CN_GAMEPAD_COUNT));
    assert_false(cn_gamepad_held(&pads, 0, CN_GAMEPAD_BUTTON_COUNT));
    assert_false(cn_gamepad_held(&pads, UINT32_MAX, 0));
    assert_true(cn_gamepad_axis(&pads, 0, CN_GAMEPAD_AXIS_COUNT) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_tick_may_not_do_is_refused_and_changes_nothing),
        cmocka_unit_test(an_audio_command_of_no_kind_is_dropped),
        cmocka_unit_test(keys_and_devices_that_do_not_exist_are_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

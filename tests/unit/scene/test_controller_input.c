/* The default bindings of controllers compute the same bits as direct formulas over keys and
 * sticks, so that recordings and golden values do not depend on how bindings are evaluated. */
#include "cmocka_tests.h"
#include "random.h"
#include "scene/component/controller_input.h"

#include <cairn/ecs.h>
#include <cairn/scene/controller.h>
#include <cairn/sim.h>

/* ---- The formulas ---- */

/* A released stick does not return exactly to its center. */
#define DEAD_ZONE 0.15f
#define STICK_DEGREES_PER_SECOND 180.0f

static float held(const CnInputState *input, uint32_t key)
{
    return cn_key_held(input, key) ? 1 : 0;
}

static bool either_held(const CnInputState *input, uint32_t left, uint32_t right)
{
    return cn_key_held(input, left) || cn_key_held(input, right);
}

static void add_keys(CniSceneControllerInput *controls, const CnInputState *input)
{
    controls->move.right = held(input, CN_KEY_D) - held(input, CN_KEY_A);
    controls->move.up = held(input, CN_KEY_W) - held(input, CN_KEY_S);
    controls->mouse = (CniSceneInputAxes){input->mouse_dx, -input->mouse_dy};
    controls->fast = either_held(input, CN_KEY_LEFT_SHIFT, CN_KEY_RIGHT_SHIFT);
    controls->slow = either_held(input, CN_KEY_LEFT_CTRL, CN_KEY_RIGHT_CTRL);
    controls->jump = cn_key_held(input, CN_KEY_SPACE) || cn_key_pressed(input, CN_KEY_SPACE);
    bool rises = either_held(input, CN_KEY_E, CN_KEY_SPACE);
    bool sinks = cn_key_held(input, CN_KEY_Q) || controls->slow;
    controls->rise = (rises ? 1.0f : 0) - (sinks ? 1.0f : 0);
    controls->capture = cn_mouse_pressed(input, CN_MOUSE_LEFT);
    controls->release = cn_key_pressed(input, CN_KEY_ESCAPE);
}

/* Returns the deflection beyond the dead zone. */
static float stick(const CnGamepadState *pads, uint32_t pad, uint32_t axis)
{
    float value = cn_gamepad_axis(pads, pad, axis);
    float size = cn_fabsf(value);
    if (!(size > DEAD_ZONE))
        return 0;
    float beyond = (size - DEAD_ZONE) / (1 - DEAD_ZONE);
    return value < 0 ? -beyond : beyond;
}

static float within_one(float value)
{
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

static void add_gamepad(CniSceneControllerInput *controls, const CnGamepadState *pads, uint32_t pad)
{
    controls->move.right = within_one(controls->move.right + stick(pads, pad, CN_GAMEPAD_LEFT_X));
    controls->move.up = within_one(controls->move.up - stick(pads, pad, CN_GAMEPAD_LEFT_Y));
    controls->stick_look.right = stick(pads, pad, CN_GAMEPAD_RIGHT_X) * STICK_DEGREES_PER_SECOND;
    controls->stick_look.up = -stick(pads, pad, CN_GAMEPAD_RIGHT_Y) * STICK_DEGREES_PER_SECOND;
    float pulled =
        stick(pads, pad, CN_GAMEPAD_RIGHT_TRIGGER) - stick(pads, pad, CN_GAMEPAD_LEFT_TRIGGER);
    controls->rise = within_one(controls->rise + pulled);
    controls->fast = controls->fast || cn_gamepad_held(pads, pad, CN_GAMEPAD_LEFT_STICK);
    controls->slow = controls->slow || cn_gamepad_held(pads, pad, CN_GAMEPAD_B);
    controls->jump = controls->jump || cn_gamepad_held(pads, pad, CN_GAMEPAD_A) ||
                     cn_gamepad_pressed(pads, pad, CN_GAMEPAD_A);
}

static CniSceneControllerInput reference(const CnWorld *world)
{
    CniSceneControllerInput controls = {0};
    const CnInputState *input = cn_resource(world, CnInputState);
    const CnGamepadState *pads = cn_resource(world, CnGamepadState);
    if (input)
        add_keys(&controls, input);
    for (uint32_t pad = 0; pads && pad < CN_GAMEPAD_COUNT; pad++)
        if (cn_gamepad_connected(pads, pad)) {
            add_gamepad(&controls, pads, pad); /* the first one */
            break;
        }
    return controls;
}

/* ---- Comparison ---- */

static void assert_same(const CniSceneControllerInput *a, const CniSceneControllerInput *b)
{
    const float numbers[2][7] = {{a->move.right, a->move.up, a->mouse.right, a->mouse.up,
                                  a->stick_look.right, a->stick_look.up, a->rise},
                                 {b->move.right, b->move.up, b->mouse.right, b->mouse.up,
                                  b->stick_look.right, b->stick_look.up, b->rise}};
    assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]); /* also the signs of zeros */
    assert_true(a->fast == b->fast && a->slow == b->slow && a->jump == b->jump);
    assert_true(a->capture == b->capture && a->release == b->release);
}

static void send_something(CnInputSource input, TestRandom *random)
{
    static const uint32_t keys[] = {CN_KEY_W,         CN_KEY_A,           CN_KEY_S,
                                    CN_KEY_D,         CN_KEY_E,           CN_KEY_Q,
                                    CN_KEY_SPACE,     CN_KEY_ESCAPE,      CN_KEY_LEFT_SHIFT,
                                    CN_KEY_LEFT_CTRL, CN_KEY_RIGHT_SHIFT, CN_KEY_RIGHT_CTRL};
    static const uint32_t buttons[] = {CN_GAMEPAD_A, CN_GAMEPAD_B, CN_GAMEPAD_LEFT_STICK};
    uint32_t pad = test_random_below(random, CN_GAMEPAD_COUNT);
    for (int i = 0; i < 3; i++)
        cn_input_key(input, keys[test_random_below(random, CN_COUNT_OF(keys))],
                     test_random_chance(random, 50));
    cn_input_mouse_button(input, CN_MOUSE_LEFT, test_random_chance(random, 50));
    if (test_random_chance(random, 50))
        cn_input_mouse_move(input, 0, 0, (float)test_random_below(random, 9) - 4,
                            (float)test_random_unit(random) * 8 - 4);
    if (test_random_chance(random, 10))
        cn_input_gamepad_connected(input, pad, test_random_chance(random, 50));
    cn_input_gamepad_button(input, pad, buttons[test_random_below(random, 3)],
                            test_random_chance(random, 50));
    cn_input_gamepad_axis(input, pad, test_random_below(random, CN_GAMEPAD_AXIS_COUNT),
                          (float)test_random_unit(random) * 2 - 1);
}

static void default_bindings_compute_the_same_bits_as_the_formulas(void **state)
{
    (void)state;
    TestRandom random = {21};
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* events of gamepads that are not connected */
    CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 1}, NULL);
    assert_non_null(sim);
    uint32_t flying = 0;
    for (int i = 0; i < 20000; i++) {
        send_something(cn_sim_input(sim), &random);
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        CniSceneControllerInput formula = reference(cn_sim_world(sim));
        CniSceneControllerInput bound = cni_scene_controller_default_input(cn_sim_world(sim));
        assert_same(&formula, &bound);
        flying += formula.rise != 0 && formula.stick_look.up != 0;
    }
    assert_true(flying > 100);
    cn_sim_destroy(sim);
}

static void a_world_without_input_holds_nothing(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    CniSceneControllerInput nothing = {0};
    CniSceneControllerInput bound = cni_scene_controller_default_input(world);
    assert_same(&nothing, &bound);
    cn_world_destroy(world);
}

static void the_actions_of_controllers_are_a_valid_list(void **state)
{
    (void)state;
    CnError error = {0};
    if (!cn_action_list_check(cn_controller_actions(), &error))
        fail_msg("%s", error.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_bindings_compute_the_same_bits_as_the_formulas),
        cmocka_unit_test(a_world_without_input_holds_nothing),
        cmocka_unit_test(the_actions_of_controllers_are_a_valid_list),
    };
    return cmocka_run_group_tests_name("controller_input", tests, NULL, NULL);
}

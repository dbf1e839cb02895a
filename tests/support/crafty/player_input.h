/* Keyboard, mouse and gamepads of one player, with the default bindings of Crafty. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_PLAYER_INPUT_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_PLAYER_INPUT_H

#include "cmocka_tests.h"

#include <crafty/sim/actions.h>
#include <crafty/sim/connection.h>

#include <cairn/sim.h>

typedef struct PlayerInput {
    CraftyConnection *connection;
    CnInputDevices devices;
    CnActions actions;
} PlayerInput;

static inline PlayerInput make_input(CnWorld *world, uint32_t player)
{
    PlayerInput input = {.connection = crafty_connection_create(world, player, NULL)};
    assert_non_null(input.connection);
    return input;
}

static inline void end_input(PlayerInput *input)
{
    crafty_connection_destroy(input->connection);
}

static inline void input_event(PlayerInput *input, CnInputEvent event)
{
    cn_input_devices_apply(&input->devices, &event);
}

static inline void input_key(PlayerInput *input, uint32_t key, bool pressed)
{
    input_event(input, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key, .pressed = pressed});
}

static inline void input_button(PlayerInput *input, uint32_t button, bool pressed)
{
    input_event(input,
                (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = button, .pressed = pressed});
}

/* Sends the actions since the last call; those of the next tick. */
static inline void input_send(PlayerInput *input)
{
    cn_actions_evaluate(crafty_actions(), &input->devices.input, &input->devices.gamepads, 0,
                        &input->actions);
    assert_true(crafty_connection_send_actions(input->connection, &input->actions));
    cn_input_devices_begin_tick(&input->devices);
}

static inline void input_ticks(PlayerInput *input, CnSim *sim, uint64_t ticks)
{
    for (uint64_t i = 0; i < ticks; i++) {
        input_send(input);
        assert_true(cn_sim_tick_n(sim, 1, NULL));
    }
}

#endif

/* A scripted session of two players of Crafty: walking, edits, menu choices and weather. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_CRAFTY_PLAY_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_CRAFTY_PLAY_H

#include "player_input.h"

#include <crafty/replay/session.h>
#include <crafty/sim/container.h>

static inline CraftySessionDesc play_desc(uint32_t threads)
{
    return (CraftySessionDesc){.start = {.seed = 42,
                                         .viewer = CRAFTY_VIEWER_WALKS,
                                         .hours = 9.5f,
                                         .torches = 4,
                                         .players = 2},
                               .finds_spawn = true,
                               .threads = threads};
}

/* The player's hand: walks and looks around, breaks, places. */
static inline void play_use_devices(PlayerInput *input, uint64_t tick)
{
    tick += 7 * (crafty_connection_player(input->connection) - 1); /* not all do the same */
    static const uint32_t keys[] = {CN_KEY_W, CN_KEY_A, CN_KEY_SPACE, CN_KEY_D};
    uint64_t part = tick / 20;
    input_key(input, keys[part % 4], tick % 20 < 15);
    bool keeps_crate = tick >= 220 && tick < 300; /* which would break at once */
    input_button(input, CN_MOUSE_LEFT, part % 6 < 4 && !keeps_crate);
    input_button(input, CN_MOUSE_RIGHT, part % 6 == 5);
    input_key(input, CN_KEY_Z,
              tick % 37 == 36 && !keeps_crate); /* undoes changes from before a save, too */
    input_key(input, CN_KEY_Y, tick % 74 == 40 && !keeps_crate);
    input_key(input, CN_KEY_Q, tick % 45 == 44 && !keeps_crate);
    input_event(input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                      .dx = tick % 5 == 0 ? 3.0f : 0,
                                      .dy = tick < 60 ? 8.0f : -0.2f});
    input_event(input, (CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = tick % 50 == 49 ? 1.0f : 0});
    input_send(input);
}

static inline void play_send_second_commands(CraftyConnection *connection, uint64_t tick)
{
    if (tick == 0)
        assert_true(crafty_connection_send_command(
            connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1}));
    if (tick == 10) /* blocks drop items, and placing consumes them */
        assert_true(crafty_connection_send_command(
            connection,
            &(CraftyCommand){.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_SURVIVAL}));
    if (tick == 5)
        assert_true(crafty_connection_send_command(
            connection,
            &(CraftyCommand){.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "glass", .count = 1}));
}

/* What menus, a console and a tour send. */
static inline void play_send_commands(CraftyConnection *connection, uint64_t tick)
{
    static const struct {
        uint64_t tick;
        CraftyCommand command;
    } script[] = {
        {0, {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1}},
        {40, {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "red_wool", .count = 1}},
        {60, {.kind = CRAFTY_COMMAND_SENSITIVITY, .value = 0.2f}},
        {90, {.kind = CRAFTY_COMMAND_WEATHER_NOW, .choice = CRAFTY_HEAVY_RAIN}},
        {120, {.kind = CRAFTY_COMMAND_TIME, .value = 18.25f}},
        {150, {.kind = CRAFTY_COMMAND_TIME_SPEED, .value = 40}},
        {200, {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 0}},
        {210, {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1}},
        {220, {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = CRAFTY_CRATE, .count = 1}},
        {240, {.kind = CRAFTY_COMMAND_WEATHER, .choice = CRAFTY_LIGHT_FOG}},
        {300, {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_SPECTATOR}},
        {330, {.kind = CRAFTY_COMMAND_MOVE, .position = {-900, 90, 700}, .yaw = 40, .pitch = -30}},
        {340, {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(script); i++)
        if (script[i].tick == tick)
            assert_true(crafty_connection_send_command(connection, &script[i].command));
}

/* Sends what both players do in a tick. */
static inline void play_send(PlayerInput *first, PlayerInput *second, uint64_t tick)
{
    play_use_devices(first, tick);
    play_use_devices(second, tick);
    play_send_commands(first->connection, tick);
    play_send_second_commands(second->connection, tick);
}

/* Finds the crate that the first player placed last, if it is within reach. */
static inline bool play_find_crate(CraftySession *session, CnCell *cell)
{
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    const CnWorld *world = cn_sim_world(crafty_session_sim(session));
    const CnEditLog *log = cn_voxels_log(voxels);
    CnVec3 eye = cn_get(world, cn_camera_active(world), CnTransform)->position;
    CraftyContainer container;
    for (uint32_t i = cn_edit_log_count(log); i-- > 0;) {
        CnEdit edit = cn_edit_log_at(log, i);
        if (edit.player != CRAFTY_FIRST_PLAYER || edit.kind != CN_EDIT_PLACE ||
            !crafty_container_is_near(eye, edit.cell) ||
            !crafty_container_read(voxels, edit.cell, &container))
            continue;
        *cell = edit.cell;
        return true;
    }
    return false;
}

/* The first player puts items into its crate and takes some of them out again, by commands that are
 * possible. Returns whether one was sent. */
static inline bool play_use_crate(CraftySession *session, PlayerInput *first, uint64_t tick)
{
    const CnWorld *world = cn_sim_world(crafty_session_sim(session));
    const CraftyPlayer *player = cn_get(world, cn_camera_active(world), CraftyPlayer);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    uint32_t slot = (uint32_t)(tick / 3 % CRAFTY_SLOTS);
    CnCell cell;
    CraftyContainer container;
    if (tick % 3 != 1 || !play_find_crate(session, &cell) ||
        !crafty_container_read(voxels, cell, &container))
        return false;
    CraftyCommand command = {
        .kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .cell = {cell.x, cell.y, cell.z}};
    if (crafty_stack_is_empty(container.slots[slot])) {
        command.from = (uint8_t)slot;
        command.to = (uint8_t)(CRAFTY_COMMAND_CONTAINER + slot);
    } else {
        command.from = (uint8_t)(CRAFTY_COMMAND_CONTAINER + slot);
        command.to = (uint8_t)(CRAFTY_SLOTS + slot);
    }
    bool is_possible = crafty_stack_is_empty(container.slots[slot])
                           ? !crafty_stack_is_empty(player->slots[slot])
                           : crafty_stack_is_empty(player->inventory[slot]);
    return is_possible && crafty_connection_send_command(first->connection, &command);
}

/* A client loads chunks for its frames. */
static inline void play_stream(CraftySession *session)
{
    const CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CnVec3 eye = cn_get(world, cn_camera_active(world), CnTransform)->position;
    cn_voxels_stream(
        crafty_world_voxels(crafty_session_world(session)),
        &(CnVoxelsView){.eye = eye, .forward = {0, 0, -1}, .radius = 2, .height = 2, .budget = 4});
}

#endif

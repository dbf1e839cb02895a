/*
 * What a client with changed code may try: each attempt is refused and counted, and changes
 * nothing. The cheater is a player of a server in survival, with the role of a player; Bob stands
 * beside it.
 */
#include "join_fixture.h"

#include <crafty/sim/actions.h>
#include <crafty/sim/chat.h>
#include <crafty/sim/container.h>
#include <crafty/sim/day.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/weather.h>

#include <math.h>

#define FLOOR_Y 250
#define FEET ((float)FLOOR_Y + 1.0f)
#define STONE_SLOT 20u /* ten stones */

static CraftyConnection *cheater;
static CnEventReader *lines;
static CnEntity me, bob;
static CnActions actions;

static CnVoxels *blocks(void)
{
    return crafty_world_voxels(crafty_session_world(host_session));
}

static CnBlock named(const char *name)
{
    CnBlock block = cn_block_find(cn_voxels_blocks(blocks()), name);
    assert_int_not_equal(block, CN_BLOCK_NONE);
    return block;
}

static void put(CnCell cell, const char *name)
{
    CnEdit edit = {
        .kind = CN_EDIT_PLACE, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = named(name)};
    assert_true(cn_voxels_edit(blocks(), &edit, NULL));
}

static CnBlock at(int32_t x, int32_t y, int32_t z)
{
    return cn_voxels_get(blocks(), (CnCell){x, y, z});
}

static CraftyPlayer *own(void)
{
    return cn_get_mut(host_world, me, CraftyPlayer);
}

static CnCell crate_cell(void)
{
    return (CnCell){8, FLOOR_Y + 1, 4};
}

static void fill_crate(void)
{
    CraftyContainer crate = {.slots = {[0] = {.item = 1, .count = 5}}};
    put(crate_cell(), CRAFTY_CRATE);
    assert_true(crafty_container_write(blocks(), crate_cell(), &crate, NULL));
}

static uint32_t in_crate(void)
{
    CraftyContainer crate;
    assert_true(crafty_container_read(blocks(), crate_cell(), &crate));
    return crate.slots[0].count;
}

static int begin(void **state)
{
    (void)state;
    begin_host();
    for (int32_t z = 0; z < 16; z++)
        for (int32_t x = 0; x < 16; x++)
            put((CnCell){x, FLOOR_Y, z}, "stone");
    me = host_player(joined(account_of(1), "Mallory"));
    bob = host_player(joined(account_of(2), "Bob"));
    crafty_player_move_to(host_world, me, cn_vec3(8.5f, FEET, 8.5f));
    crafty_player_move_to(host_world, bob, cn_vec3(8.5f, FEET, 6.5f));
    CraftyItem stone =
        crafty_items_find(crafty_world_items(crafty_session_world(host_session)), "stone");
    *crafty_player_slot(own(), STONE_SLOT) = (CraftyStack){.item = stone, .count = 10};
    own()->slots[0] = (CraftyStack){.item = stone, .count = 10};
    cheater = crafty_connection_create(host_world, 1, NULL);
    lines = cn_event_reader_create(cn_channel(host_world, CraftyChatLine), NULL);
    assert_true(cheater && lines);
    actions = (CnActions){0};
    assert_true(crafty_connection_send_command(
        cheater, &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1}));
    host_ticks(10);
    return 0;
}

static int end(void **state)
{
    cn_event_reader_destroy(lines);
    crafty_connection_destroy(cheater);
    return end_host(state);
}

/* ---- Commands that are malformed: the connection does not send them ---- */

typedef struct Malformed {
    const char *name;
    CraftyCommand command;
} Malformed;

static const Malformed malformed[] = {
    {"a_mode_that_does_not_exist", {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_COUNT}},
    {"a_position_that_is_not_a_number", {.kind = CRAFTY_COMMAND_MOVE, .position = {NAN, 0, 0}}},
    {"an_infinite_position", {.kind = CRAFTY_COMMAND_MOVE, .position = {0, INFINITY, 0}}},
    {"a_position_outside_of_the_world", {.kind = CRAFTY_COMMAND_MOVE, .position = {9e6f, 0, 0}}},
    {"a_direction_that_is_not_a_number", {.kind = CRAFTY_COMMAND_MOVE, .yaw = NAN}},
    {"a_pitch_beyond_the_zenith", {.kind = CRAFTY_COMMAND_MOVE, .pitch = 91}},
    {"a_sensitivity_that_is_not_a_number", {.kind = CRAFTY_COMMAND_SENSITIVITY, .value = NAN}},
    {"a_sensitivity_of_zero", {.kind = CRAFTY_COMMAND_SENSITIVITY}},
    {"a_huge_sensitivity", {.kind = CRAFTY_COMMAND_SENSITIVITY, .value = 1e30f}},
    {"a_capture_of_two_mice", {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 2}},
    {"unknown_preferences", {.kind = CRAFTY_COMMAND_PREFERENCES, .choice = 0x80}},
    {"a_time_that_is_not_a_number", {.kind = CRAFTY_COMMAND_TIME, .value = NAN}},
    {"a_negative_speed_of_time", {.kind = CRAFTY_COMMAND_TIME_SPEED, .value = -1}},
    {"a_weather_that_does_not_exist", {.kind = CRAFTY_COMMAND_WEATHER, .choice = UINT8_MAX}},
    {"a_line_with_an_escape_sequence", {.kind = CRAFTY_COMMAND_CHAT, .text = "\x1b[2J"}},
    {"a_line_that_is_written_backwards", {.kind = CRAFTY_COMMAND_CHAT, .text = "\xe2\x80\xaehi"}},
    {"a_line_of_broken_utf_8", {.kind = CRAFTY_COMMAND_CHAT, .text = "\xc3("}},
    {"an_empty_line", {.kind = CRAFTY_COMMAND_CHAT}},
    {"a_sign_with_six_lines", {.kind = CRAFTY_COMMAND_SIGN_TEXT, .text = "a\nb\nc\nd\ne\nf"}},
    {"a_sign_with_a_control_character", {.kind = CRAFTY_COMMAND_SIGN_TEXT, .text = "a\x07"}},
    {"an_item_without_a_name", {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 1}},
    {"no_items", {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "stone"}},
    {"an_offer_without_a_number", {.kind = CRAFTY_COMMAND_TRADE, .count = 1}},
    {"a_slot_that_does_not_exist",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = 50, .to = 0}},
    {"a_stack_onto_itself", {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = 3, .to = 3}},
    {"a_chest_opened_by_a_message",
     {.kind = CRAFTY_COMMAND_OPEN, .choice = CRAFTY_OPEN_CRATE, .cell = {8, FLOOR_Y + 1, 4}}},
    {"a_trade_opened_by_a_message", {.kind = CRAFTY_COMMAND_OPEN, .choice = CRAFTY_OPEN_TRADE}},
    {"a_command_that_does_not_exist", {.kind = 250}},
    {"a_command_of_no_kind", {.kind = CRAFTY_COMMAND_NONE}},
};

static void is_not_sent(void **state)
{
    const Malformed *attempt = *state;
    assert_false(crafty_connection_send_command(cheater, &attempt->command));
}

/* As by a connection that does not check, or by a manipulated recording. */
static void is_ignored_when_it_arrives_anyway(void **state)
{
    const Malformed *attempt = *state;
    CnProducer *forger = cn_producer_create(host_world, NULL, NULL);
    CraftyCommand command = attempt->command;
    command.sender = 1;
    uint64_t ignored = cn_resource(host_world, CraftyCommandCounts)->ignored;
    assert_true(cn_produce_value(forger, cn_channel(host_world, CraftyCommand), &command));
    host_ticks(1);
    assert_int_equal(cn_resource(host_world, CraftyCommandCounts)->ignored, ignored + 1);
    cn_producer_destroy(forger);
}

/* ---- Commands that are not allowed, or not possible ---- */

typedef struct Attempt {
    const char *name;
    CraftyCommand command;
    void (*prepare)(void);
    bool is_ignored; /* not allowed; otherwise valid, but without effect */
} Attempt;

static void die(void)
{
    crafty_vitals_hurt(host_world, me, 100, CRAFTY_DAMAGE_COMMAND);
    host_ticks(1);
}

static void die_creative(void)
{
    crafty_player_set_mode(host_world, me, CRAFTY_MODE_CREATIVE);
    die();
}

static void watch(void)
{
    crafty_player_set_mode(host_world, me, CRAFTY_MODE_SPECTATOR);
}

static void put_sign(void)
{
    put((CnCell){8, FLOOR_Y + 1, 9}, "sign_south");
}

/* Within reach, but never opened: a wall may be between. */
static void put_crate_near(void)
{
    fill_crate();
    crafty_player_move_to(host_world, me, cn_vec3(8.5f, FEET, 6.5f));
    crafty_player_move_to(host_world, bob, cn_vec3(2.5f, FEET, 2.5f));
}

/* Opened, then the player went away in one tick. */
static void open_crate_and_go(void)
{
    fill_crate();
    crafty_inventory_open(host_world, me, CRAFTY_OPEN_CRATE, crate_cell());
    crafty_player_move_to(host_world, me, cn_vec3(8.5f, FEET, 15.5f));
}

#define TAKE_FROM_CRATE                                                                            \
    {                                                                                              \
        .kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 5, .from = CRAFTY_COMMAND_CONTAINER, .to = 30, \
        .cell = {                                                                                  \
            8,                                                                                     \
            FLOOR_Y + 1,                                                                           \
            4                                                                                      \
        }                                                                                          \
    }

static const Attempt attempts[] = {
    {"becoming_creative",
     {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE},
     NULL,
     true},
    {"becoming_a_spectator", {.kind = CRAFTY_COMMAND_MODE}, NULL, true},
    {"teleporting", {.kind = CRAFTY_COMMAND_MOVE, .position = {100, 300, 100}}, NULL, true},
    {"setting_the_time", {.kind = CRAFTY_COMMAND_TIME, .value = 12}, NULL, true},
    {"stopping_the_time", {.kind = CRAFTY_COMMAND_TIME_SPEED}, NULL, true},
    {"changing_the_weather", {.kind = CRAFTY_COMMAND_WEATHER, .choice = 1}, NULL, true},
    {"changing_the_weather_at_once", {.kind = CRAFTY_COMMAND_WEATHER_NOW, .choice = 1}, NULL, true},
    {"teleporting_another_player",
     {.kind = CRAFTY_COMMAND_MOVE, .player = 2, .position = {0, 300, 0}},
     NULL,
     true},
    {"moving_the_items_of_another_player",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .player = 2, .count = 1, .from = STONE_SLOT, .to = 0},
     NULL,
     true},
    {"dropping_the_items_of_another_player",
     {.kind = CRAFTY_COMMAND_DROP_ITEMS, .player = 2, .count = 1, .from = STONE_SLOT},
     NULL,
     true},
    {"closing_the_screen_of_another_player",
     {.kind = CRAFTY_COMMAND_CLOSE, .player = 2},
     NULL,
     true},
    {"respawning_another_player", {.kind = CRAFTY_COMMAND_RESPAWN, .player = 2}, NULL, true},
    {"taking_items_in_survival",
     {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 1, .item = "diamond"},
     NULL,
     false},
    {"taking_items_as_a_spectator",
     {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 1, .item = "diamond"},
     watch,
     false},
    {"taking_items_while_dead",
     {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 1, .item = "diamond"},
     die_creative,
     false},
    {"deleting_items_in_survival",
     {.kind = CRAFTY_COMMAND_DELETE_ITEMS, .count = 1, .from = STONE_SLOT},
     NULL,
     false},
    {"respawning_while_alive", {.kind = CRAFTY_COMMAND_RESPAWN}, NULL, false},
    {"trading_with_nobody", {.kind = CRAFTY_COMMAND_TRADE, .choice = 1, .count = 1}, NULL, false},
    {"moving_more_items_than_there_are",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 11, .from = STONE_SLOT, .to = 30},
     NULL,
     false},
    {"moving_the_most_items",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = UINT16_MAX, .from = STONE_SLOT, .to = 30},
     NULL,
     false},
    {"moving_items_from_an_empty_slot",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = 33, .to = 30},
     NULL,
     false},
    {"dropping_more_items_than_there_are",
     {.kind = CRAFTY_COMMAND_DROP_ITEMS, .count = 11, .from = STONE_SLOT},
     NULL,
     false},
    {"moving_items_while_dead",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = STONE_SLOT, .to = 30},
     die,
     false},
    {"opening_the_inventory_while_dead",
     {.kind = CRAFTY_COMMAND_OPEN, .choice = CRAFTY_OPEN_INVENTORY},
     die,
     false},
    {"crafting_without_a_recipe",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = CRAFTY_SLOT_RESULT, .to = 30},
     NULL,
     false},
    {"using_the_crafting_grid_while_it_is_closed",
     {.kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 1, .from = STONE_SLOT, .to = CRAFTY_SLOT_GRID},
     NULL,
     false},
    {"filling_a_recipe_that_does_not_exist",
     {.kind = CRAFTY_COMMAND_FILL_RECIPE, .count = 1, .item = "nonsense"},
     NULL,
     false},
    {"emptying_a_chest_from_afar", TAKE_FROM_CRATE, fill_crate, false},
    {"emptying_a_chest_that_is_not_open", TAKE_FROM_CRATE, put_crate_near, false},
    {"emptying_a_chest_after_going_away", TAKE_FROM_CRATE, open_crate_and_go, false},
    {"writing_on_a_sign_from_afar",
     {.kind = CRAFTY_COMMAND_SIGN_TEXT, .text = "x", .cell = {8, FLOOR_Y + 1, 30}},
     NULL,
     false},
    {"writing_on_a_sign_that_is_not_open",
     {.kind = CRAFTY_COMMAND_SIGN_TEXT, .text = "x", .cell = {8, FLOOR_Y + 1, 9}},
     put_sign,
     false},
    {"writing_outside_of_the_world",
     {.kind = CRAFTY_COMMAND_SIGN_TEXT, .text = "x", .cell = {INT32_MAX, INT32_MAX, INT32_MIN}},
     NULL,
     false},
    {"undoing_in_survival", {.kind = CRAFTY_COMMAND_UNDO}, NULL, false},
    {"redoing_in_survival", {.kind = CRAFTY_COMMAND_REDO}, NULL, false},
    {"answering_a_dialog_that_nobody_opened",
     {.kind = CRAFTY_COMMAND_CHOOSE, .cell = {1}, .choice = 1},
     NULL,
     false},
};

/* What a cheat would change. */
typedef struct Belongings {
    CraftyPlayer mine, theirs;
    CraftyVitals my_vitals, their_vitals;
    CnVec3 my_place, their_place;
    float speed, hours;
    uint32_t crate;
} Belongings;

static Belongings belongings(bool has_crate)
{
    Belongings now = {.mine = *own(),
                      .theirs = *cn_get(host_world, bob, CraftyPlayer),
                      .my_vitals = *cn_get(host_world, me, CraftyVitals),
                      .their_vitals = *cn_get(host_world, bob, CraftyVitals),
                      .my_place = cn_get(host_world, me, CnTransform)->position,
                      .their_place = cn_get(host_world, bob, CnTransform)->position,
                      .speed = cn_resource(host_world, CraftyDay)->speed,
                      .hours = crafty_day_hours(host_world),
                      .crate = has_crate ? in_crate() : 0};
    return now;
}

static bool is_near(float a, float b, float limit)
{
    return a - b < limit && b - a < limit;
}

static void assert_unchanged(const Belongings *before, const Belongings *after)
{
    assert_int_equal(before->mine.mode, after->mine.mode);
    assert_memory_equal(before->mine.slots, after->mine.slots, sizeof before->mine.slots);
    assert_memory_equal(before->mine.inventory, after->mine.inventory,
                        sizeof before->mine.inventory);
    assert_memory_equal(&before->mine.carried, &after->mine.carried, sizeof before->mine.carried);
    assert_memory_equal(before->theirs.slots, after->theirs.slots, sizeof before->theirs.slots);
    assert_int_equal(before->my_vitals.dead, after->my_vitals.dead);
    assert_true(is_near(before->my_place.x, after->my_place.x, 1));
    assert_true(is_near(before->their_place.x, after->their_place.x, 1));
    assert_true(before->speed == after->speed && is_near(before->hours, after->hours, 0.1f));
    assert_int_equal(before->crate, after->crate);
}

static void is_refused_and_counted(void **state)
{
    const Attempt *attempt = *state;
    begin(NULL);
    if (attempt->prepare)
        attempt->prepare();
    bool has_crate = attempt->prepare == fill_crate || attempt->prepare == put_crate_near ||
                     attempt->prepare == open_crate_and_go;
    Belongings before = belongings(has_crate);
    CraftyCommandCounts counts = *cn_resource(host_world, CraftyCommandCounts);
    assert_true(crafty_connection_send_command(cheater, &attempt->command));
    host_ticks(1);
    const CraftyCommandCounts *now = cn_resource(host_world, CraftyCommandCounts);
    Belongings after = belongings(has_crate);
    assert_int_equal(now->applied, counts.applied);
    assert_int_equal(now->ignored, counts.ignored + attempt->is_ignored);
    assert_int_equal(now->without_effect, counts.without_effect + !attempt->is_ignored);
    assert_unchanged(&before, &after);
    end(NULL);
}

/* ---- Command lines that the role does not allow ---- */

static const char *const forbidden[] = {"/give diamond 64",
                                        "/give Mallory diamond",
                                        "/gamemode creative",
                                        "/gamemode creative Bob",
                                        "/tp 100 -20",
                                        "/tp Bob",
                                        "/tp Bob 0 300 0",
                                        "/time set noon",
                                        "/weather clear",
                                        "/fill 0 250 0 9 250 9 air",
                                        "/kill Bob",
                                        "/clear Bob",
                                        "/heal",
                                        "/summon wolf",
                                        "/difficulty peaceful",
                                        "/despawn",
                                        "/spawnpoint 0 70 0",
                                        "/seed",
                                        "/locate village",
                                        "/undo"};

static void is_answered_by_an_error(void **state)
{
    const char *text = *state;
    begin(NULL);
    Belongings before = belongings(false);
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    assert_true(crafty_connection_send_command(cheater, &command));
    host_ticks(1);
    const CraftyChatLine *line = cn_read_next(lines, CraftyChatLine);
    assert_non_null(line);
    assert_int_equal(line->kind, CRAFTY_CHAT_ERROR);
    assert_int_equal(line->to, 1);
    assert_null(cn_read_next(lines, CraftyChatLine));
    Belongings after = belongings(false);
    assert_unchanged(&before, &after);
    assert_int_equal(at(5, FLOOR_Y, 5), named("stone"));
    end(NULL);
}

/* ---- Actions ---- */

static void hold(const char *name)
{
    CnAction action = cn_action_find(crafty_actions(), name);
    actions.held |= UINT64_C(1) << (action.number - 1);
    actions.pressed |= UINT64_C(1) << (action.number - 1);
}

static void set_axis(const char *name, uint32_t axis, float value)
{
    actions.axes[cn_action_find(crafty_actions(), name).axis + axis] = value;
}

static void act(uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        assert_true(crafty_connection_send_actions(cheater, &actions));
        host_ticks(1);
    }
}

static CnVec3 place(void)
{
    return cn_get(host_world, me, CnTransform)->position;
}

static void look_down(void)
{
    set_axis("look", 1, 1e4f);
    act(1);
    set_axis("look", 1, 0);
    if (cn_quat_rotate(cn_get(host_world, me, CnTransform)->rotation, cn_vec3(0, 0, -1)).y > 0) {
        set_axis("look", 1, -1e4f);
        act(1);
        set_axis("look", 1, 0);
    }
}

static void axes_that_are_not_numbers_are_not_sent(void **state)
{
    (void)state;
    set_axis("move", 0, NAN);
    assert_false(crafty_connection_send_actions(cheater, &actions));
}

static void infinite_axes_are_not_sent(void **state)
{
    (void)state;
    set_axis("look", 0, INFINITY);
    assert_false(crafty_connection_send_actions(cheater, &actions));
}

static void a_stick_cannot_be_pushed_beyond_its_end(void **state)
{
    (void)state;
    set_axis("move", 1, 40);
    assert_false(crafty_connection_send_actions(cheater, &actions));
}

static void walking_diagonally_is_not_faster(void **state)
{
    (void)state;
    set_axis("move", 0, 1);
    set_axis("move", 1, 1);
    CnVec3 from = place();
    act(30);
    CnVec3 way = cn_vec3_sub(place(), from);
    assert_true(way.x * way.x + way.z * way.z < 4.4f * 4.4f / 4);
}

static void many_messages_in_a_tick_are_not_faster(void **state)
{
    (void)state;
    set_axis("move", 1, 1);
    CnVec3 from = place();
    for (uint32_t i = 0; i < 30; i++) {
        for (uint32_t k = 0; k < 20; k++)
            assert_true(crafty_connection_send_actions(cheater, &actions));
        host_ticks(1);
    }
    CnVec3 way = cn_vec3_sub(place(), from);
    assert_true(way.x * way.x + way.z * way.z < 4.4f * 4.4f / 4);
}

static void flying_needs_creative_mode(void **state)
{
    (void)state;
    hold("toggle_fly");
    act(5);
    assert_false(own()->flies);
    assert_int_equal(own()->mode, CRAFTY_MODE_SURVIVAL);
}

static void jumping_twice_in_the_air_does_not_fly(void **state)
{
    (void)state;
    hold("jump");
    act(240);
    assert_true(place().y < FEET + CRAFTY_PLAYER_EYE + 2.8f);
}

static void huge_turns_leave_a_sound_direction(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        set_axis("look", 0, 1e9f);
        set_axis("look", 1, -1e9f);
        act(1);
    }
    CnQuat rotation = cn_get(host_world, me, CnTransform)->rotation;
    float length = rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z +
                   rotation.w * rotation.w;
    assert_true(length > 0.99f && length < 1.01f);
}

static void a_spinning_wheel_selects_a_slot(void **state)
{
    (void)state;
    set_axis("next_slot", 0, 1e9f);
    act(3);
    assert_true(own()->slot < CRAFTY_SLOTS);
}

static void pressing_often_does_not_break_faster(void **state)
{
    (void)state;
    look_down();
    hold("break_block");
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t k = 0; k < 30; k++)
            assert_true(crafty_connection_send_actions(cheater, &actions));
        host_ticks(1);
    }
    assert_int_equal(at(8, FLOOR_Y, 8), named("stone"));
}

static void what_is_out_of_reach_does_not_break(void **state)
{
    (void)state;
    crafty_player_set_mode(host_world, me, CRAFTY_MODE_CREATIVE);
    own()->flies = true;
    crafty_player_move_to(host_world, me, cn_vec3(8.5f, FEET + 6, 8.5f));
    look_down();
    hold("break_block");
    act(30);
    assert_int_equal(at(8, FLOOR_Y, 8), named("stone"));
}

static void nothing_is_placed_into_another_player(void **state)
{
    (void)state;
    crafty_player_move_to(host_world, bob, cn_vec3(8.5f, FEET, 7.5f));
    set_axis("look", 1, 450); /* 45 degrees down or up */
    act(1);
    set_axis("look", 1, 0);
    hold("place_block");
    act(30);
    assert_int_equal(at(8, FLOOR_Y + 1, 7), CN_BLOCK_AIR);
}

static void nothing_is_placed_into_oneself(void **state)
{
    (void)state;
    look_down();
    hold("place_block");
    act(30);
    assert_int_equal(at(8, FLOOR_Y + 1, 8), CN_BLOCK_AIR);
    assert_int_equal(own()->slots[0].count, 10);
}

static void the_dead_do_not_walk(void **state)
{
    (void)state;
    die();
    CnVec3 from = place();
    set_axis("move", 1, 1);
    act(60);
    CnVec3 way = cn_vec3_sub(place(), from);
    assert_true(way.x * way.x + way.z * way.z < 0.01f);
}

static void the_dead_break_nothing(void **state)
{
    (void)state;
    look_down();
    crafty_player_set_mode(host_world, me, CRAFTY_MODE_CREATIVE);
    die();
    hold("break_block");
    act(60);
    assert_int_equal(at(8, FLOOR_Y, 8), named("stone"));
}

static void actions_for_another_player_are_those_of_the_connection(void **state)
{
    (void)state;
    CnVec3 from = cn_get(host_world, bob, CnTransform)->position;
    set_axis("move", 1, 1);
    act(30);
    assert_true(is_near(cn_get(host_world, bob, CnTransform)->position.z, from.z, 0.01f));
}

static void a_flood_of_lines_is_stopped(void **state)
{
    (void)state;
    uint32_t said = 0;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT, .text = "spam"};
    for (uint32_t i = 0; i < 30; i++) {
        assert_true(crafty_connection_send_command(cheater, &command));
        host_ticks(1);
    }
    for (const CraftyChatLine *line; (line = cn_read_next(lines, CraftyChatLine));)
        said += line->kind == CRAFTY_CHAT_SAID;
    assert_int_equal(said, CRAFTY_CHAT_BURST + 1);
}

static void a_flood_of_commands_does_not_fill_memory(void **state)
{
    (void)state;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CLOSE};
    uint32_t sent = 0;
    while (sent < 100000 && crafty_connection_send_command(cheater, &command))
        sent++;
    assert_true(sent < 1000);
    host_ticks(1);
}

static void whoever_left_commands_nothing(void **state)
{
    (void)state;
    leave(1);
    CraftyCommandCounts counts = *cn_resource(host_world, CraftyCommandCounts);
    assert_true(crafty_connection_send_command(
        cheater, &(CraftyCommand){.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE}));
    assert_true(crafty_connection_send_command(
        cheater, &(CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "I am a ghost"}));
    host_ticks(1);
    assert_int_equal(cn_resource(host_world, CraftyCommandCounts)->applied, counts.applied);
    assert_null(cn_read_next(lines, CraftyChatLine));
}

/* ---- All ---- */

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const struct CMUnitTest own_tests[] = {
    TEST(axes_that_are_not_numbers_are_not_sent),
    TEST(infinite_axes_are_not_sent),
    TEST(a_stick_cannot_be_pushed_beyond_its_end),
    TEST(walking_diagonally_is_not_faster),
    TEST(many_messages_in_a_tick_are_not_faster),
    TEST(flying_needs_creative_mode),
    TEST(jumping_twice_in_the_air_does_not_fly),
    TEST(huge_turns_leave_a_sound_direction),
    TEST(a_spinning_wheel_selects_a_slot),
    TEST(pressing_often_does_not_break_faster),
    TEST(what_is_out_of_reach_does_not_break),
    TEST(nothing_is_placed_into_another_player),
    TEST(nothing_is_placed_into_oneself),
    TEST(the_dead_do_not_walk),
    TEST(the_dead_break_nothing),
    TEST(actions_for_another_player_are_those_of_the_connection),
    TEST(a_flood_of_lines_is_stopped),
    TEST(a_flood_of_commands_does_not_fill_memory),
    TEST(whoever_left_commands_nothing),
};

static struct CMUnitTest messages[2 * CN_COUNT_OF(malformed)];
static struct CMUnitTest
    tests[CN_COUNT_OF(attempts) + CN_COUNT_OF(forbidden) + CN_COUNT_OF(own_tests)];

static struct CMUnitTest test_of(const char *name, CMUnitTestFunction run, const void *what)
{
    return (struct CMUnitTest){
        .name = name, .test_func = run, .initial_state = (void *)(uintptr_t)what};
}

int main(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(malformed); i++) {
        messages[2 * i] = test_of(malformed[i].name, is_not_sent, &malformed[i]);
        messages[2 * i + 1] =
            test_of(malformed[i].name, is_ignored_when_it_arrives_anyway, &malformed[i]);
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(attempts); i++)
        tests[count++] = test_of(attempts[i].name, is_refused_and_counted, &attempts[i]);
    for (uint32_t i = 0; i < CN_COUNT_OF(forbidden); i++)
        tests[count++] = test_of(forbidden[i], is_answered_by_an_error, forbidden[i]);
    for (uint32_t i = 0; i < CN_COUNT_OF(own_tests); i++)
        tests[count++] = own_tests[i];
    /* Messages that change nothing share a session. */
    int failed = cmocka_run_group_tests(messages, begin, end);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}

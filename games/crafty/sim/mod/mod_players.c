/* The table `players`. Players are numbers. */
#include "mod_answer.h"
#include "mod_area.h"
#include "mod_cost.h"

#include "crafty/sim/chat.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/player_index.h"
#include "crafty/sim/vitals.h"

#include <cairn/base/math.h>

#define DEGREES (180 / CN_PIF)
#define MAX_PUSH 40.0
#define MAX_POINTS 1000.0 /* of health */
#define MAX_ITEMS 2304u   /* 36 slots of 64 */

/* ---- Reading ---- */

static bool list(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    const CraftyModRun *run = crafty_mod_run(call);
    json_t *numbers = json_array();
    uint32_t count;
    const uint32_t *present = crafty_player_numbers(run->world, &count);
    for (uint32_t i = 0; numbers && i < count; i++) {
        CnEntity player = crafty_player_find(run->players, present[i]);
        if (player.id && cn_get(run->world, player, CraftyPlayer))
            json_array_append_new(numbers, json_integer(present[i]));
    }
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return crafty_mod_return_json(call, numbers);
}

/* Degrees from the rotation: 0 looks along -z, 90 along -x; up is positive. */
static void look_of(const CnTransform *transform, double *yaw, double *pitch)
{
    CnVec3 forward = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1));
    float up = forward.y < -1 ? -1 : forward.y > 1 ? 1 : forward.y;
    *yaw = (double)(cn_atan2f(-forward.x, -forward.z) * DEGREES);
    *pitch = (double)(cn_asinf(up) * DEGREES);
}

static const char *held_by(const CraftyModRun *run, const CraftyPlayer *player)
{
    CraftyStack held = crafty_player_held(run->items, player);
    return crafty_stack_is_empty(held) ? NULL : crafty_mod_item_name(run, held.item);
}

static json_t *describe(const CraftyModRun *run, CnEntity entity, uint32_t number)
{
    const CraftyPlayer *player = cn_get(run->world, entity, CraftyPlayer);
    const CraftyVitals *vitals = cn_get(run->world, entity, CraftyVitals);
    const CraftyMotion *motion = cn_get(run->world, entity, CraftyMotion);
    const CnTransform *transform = cn_get(run->world, entity, CnTransform);
    char name[CRAFTY_PLAYER_NAME_BYTES];
    double yaw, pitch;
    if (!player || !vitals || !motion || !transform)
        return json_object();
    CnVec3 feet = transform->position;
    feet.y -= CRAFTY_PLAYER_EYE;
    look_of(transform, &yaw, &pitch);
    return json_pack(
        "{s:s, s:o, s:f, s:f, s:f, s:f, s:s, s:s?, s:b, s:b, s:b}", "name",
        crafty_player_name(run->world, number, name), "position", crafty_mod_position(feet), "yaw",
        yaw, "pitch", pitch, "health", (double)vitals->health, "food", (double)vitals->food, "mode",
        crafty_mode_name((CraftyPlayerMode)player->mode), "held", held_by(run, player), "sneaking",
        (int)motion->sneaks, "grounded", (int)motion->grounded, "dead", (int)vitals->dead);
}

static bool get(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    CnEntity player = crafty_mod_player(call, 0);
    if (!player.id)
        return false;
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return crafty_mod_return_json(
        call, describe(crafty_mod_run(call), player, (uint32_t)call->arguments[0].number));
}

static bool target(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    CnEntity player = crafty_mod_player(call, 0);
    if (!player.id)
        return false;
    const CraftyModRun *run = crafty_mod_run(call);
    const CraftyHand *hand = cn_get(run->world, player, CraftyHand);
    if (!hand || !hand->aiming)
        return crafty_mod_return_nil(call);
    for (uint32_t i = 0; i < 3; i++)
        cn_lua_return_number(call, hand->target_cell[i]);
    const char *name = crafty_mod_block_name(run, hand->target_block);
    return name ? cn_lua_return_text(call, cn_text(name)) : crafty_mod_return_nil(call);
}

/* ---- Movement ---- */

/* Returns the player of an action; the null entity and an error if it is not allowed. */
static CnEntity acting(CnLuaCall *call)
{
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_PLAYERS))
        return (CnEntity){0};
    CnEntity player = crafty_mod_player(call, 0);
    if (player.id && !cn_get(crafty_mod_run(call)->world, player, CraftyPlayer)) {
        cn_error_set(call->error, CN_ERROR_NOT_FOUND, "this is not a player");
        return (CnEntity){0};
    }
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return player;
}

static bool teleport(CnLuaCall *call)
{
    CnEntity player = acting(call);
    CnVec3 feet;
    if (!player.id || !crafty_mod_point(call, 1, &feet))
        return false;
    cn_lua_charge(call, CRAFTY_MOD_COST_LIGHT);
    const CraftyModRun *run = crafty_mod_run(call);
    CnCell cell = {(int32_t)cn_floorf(feet.x), (int32_t)cn_floorf(feet.y),
                   (int32_t)cn_floorf(feet.z)};
    if (!crafty_mod_area_has(call, cell)) /* chunks there are generated */
        cn_lua_charge(call, 8 * (uint64_t)CRAFTY_MOD_COST_FAR);
    crafty_player_move_to(run->world, player, feet);
    crafty_mod_area_changed(run);
    return true;
}

static bool push(CnLuaCall *call)
{
    CnEntity player = acting(call);
    const CnLuaValue *at = &call->arguments[1];
    if (!player.id)
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!(at[i].number >= -MAX_PUSH && at[i].number <= MAX_PUSH))
            return cn_error_set(call->error, CN_ERROR_LIMIT,
                                "a push is at most %.0f blocks per second", MAX_PUSH);
    crafty_player_push(crafty_mod_run(call)->world, player,
                       cn_vec3((float)at[0].number, (float)at[1].number, (float)at[2].number));
    return true;
}

/* ---- Health ---- */

static bool read_points(CnLuaCall *call, float *points)
{
    double number = call->arguments[1].number;
    *points = (float)number;
    return (number >= 0 && number <= MAX_POINTS) ||
           cn_error_set(call->error, CN_ERROR_LIMIT, "0 to %.0f points are possible", MAX_POINTS);
}

static bool heal(CnLuaCall *call)
{
    CnEntity player = acting(call);
    float points;
    if (!player.id || !read_points(call, &points))
        return false;
    CraftyVitals *vitals = cn_get_mut(crafty_mod_run(call)->world, player, CraftyVitals);
    if (!vitals || vitals->dead)
        return cn_lua_return_boolean(call, false);
    float health = vitals->health + points;
    vitals->health = health < CRAFTY_MAX_HEALTH ? health : CRAFTY_MAX_HEALTH;
    return cn_lua_return_boolean(call, true);
}

static bool hurt(CnLuaCall *call)
{
    CnEntity player = acting(call);
    float points;
    return player.id && read_points(call, &points) &&
           cn_lua_return_boolean(call, crafty_vitals_hurt(crafty_mod_run(call)->world, player,
                                                          points, CRAFTY_DAMAGE_MOD));
}

/* ---- Items ---- */

static bool read_items(CnLuaCall *call, CraftyItem *item, uint32_t *count)
{
    const CnLuaValue *given = &call->arguments[2];
    double number = given->kind == CN_LUA_NIL ? 1 : given->number;
    if (!crafty_mod_item(call, 1, item))
        return false;
    *count = (uint32_t)(number >= 0 && number <= MAX_ITEMS ? number : 0);
    return (number >= 0 && number <= MAX_ITEMS) ||
           cn_error_set(call->error, CN_ERROR_LIMIT, "0 to %u items are possible", MAX_ITEMS);
}

static bool give(CnLuaCall *call)
{
    CnEntity entity = acting(call);
    CraftyItem item;
    uint32_t left;
    if (!entity.id || !read_items(call, &item, &left))
        return false;
    const CraftyModRun *run = crafty_mod_run(call);
    CraftyPlayer *player = cn_get_mut(run->world, entity, CraftyPlayer);
    uint32_t most = crafty_items_info(run->items, item)->stack_max;
    for (bool is_full = false; left && !is_full;) {
        uint32_t part = left < most ? left : most;
        CraftyStack stack = {.item = item, .count = (uint16_t)part};
        crafty_player_give(run->items, player, &stack);
        is_full = stack.count > 0;
        left -= part - stack.count;
    }
    return cn_lua_return_number(call, left);
}

static bool take(CnLuaCall *call)
{
    CnEntity entity = acting(call);
    CraftyItem item;
    uint32_t wanted, taken = 0;
    if (!entity.id || !read_items(call, &item, &wanted))
        return false;
    CraftyPlayer *player = cn_get_mut(crafty_mod_run(call)->world, entity, CraftyPlayer);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS && taken < wanted; i++) {
        CraftyStack *slot = crafty_player_slot(player, i);
        if (slot->item != item)
            continue;
        uint32_t left = wanted - taken, part = slot->count < left ? slot->count : left;
        crafty_stack_take(slot, part);
        taken += part;
    }
    return cn_lua_return_number(call, taken);
}

static bool count(CnLuaCall *call)
{
    CraftyItem item;
    if (!crafty_mod_may_read(call) || !crafty_mod_item(call, 1, &item))
        return false;
    CnEntity entity = crafty_mod_player(call, 0);
    if (!entity.id)
        return false;
    CraftyPlayer player = {0}; /* a copy: crafty_player_slot returns slots for changes */
    const CraftyPlayer *own = cn_get(crafty_mod_run(call)->world, entity, CraftyPlayer);
    uint32_t found = 0;
    if (own)
        player = *own;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        const CraftyStack *slot = crafty_player_slot(&player, i);
        found += slot->item == item ? slot->count : 0u;
    }
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return cn_lua_return_number(call, found);
}

/* ---- The table ---- */

static const CnLuaField position_fields[] = {
    {"x", "number", "To the east."}, {"y", "number", "Up."}, {"z", "number", "To the south."}, {0}};
static const CnLuaField player_fields[] = {
    {"name", "string", "As in the chat, such as `player1`."},
    {"position", "Position", "Of the feet."},
    {"yaw", "number", "Degrees: 0 looks to the north, 90 to the west."},
    {"pitch", "number", "Degrees: 90 looks straight up."},
    {"health", "number", "0 to 20."},
    {"food", "number", "0 to 20."},
    {"mode", "string", "`survival`, `creative` or `spectator`."},
    {"held", "string?", "The item in the hand."},
    {"sneaking", "boolean", "Whether the player sneaks."},
    {"grounded", "boolean", "Whether the player stands on something."},
    {"dead", "boolean", "Whether the player is dead and has not respawned."},
    {0}};
static const CnLuaClass classes[] = {{"Position", "A point of the world.", position_fields},
                                     {"PlayerInfo", "What `players.get` returns.", player_fields},
                                     {0}};
static const CnLuaFunction functions[] = {
    {"list", list, "(): integer[]", "Returns the numbers of all players, ascending.",
     "on(\"tick\", function()\n"
     "    for _, p in ipairs(players.list()) do hud.remove(p, \"goal\") end\n"
     "end)"},
    {"get", get, "(player: integer): PlayerInfo", "Returns what is known about a player.",
     "on(\"died\", function(e)\n"
     "    local at = players.get(e.player).position\n"
     "    print(at.x, at.y, at.z)\n"
     "end)"},
    {"target", target, "(player: integer): integer?, integer?, integer?, string?",
     "Returns the cell of the block that a player aims at, and its name; nil if there is none.",
     "command { name = \"what\", run = function(e)\n"
     "    local x, y, z, block = players.target(e.player)\n"
     "    return block and block .. \" at \" .. x .. \" \" .. y .. \" \" .. z or \"Nothing.\"\n"
     "end }"},
    {"teleport", teleport, "(player: integer, x: number, y: number, z: number)",
     "Moves the feet of a player to a point. A player who would stand inside of blocks is lifted "
     "onto them. Needs the permission `players`.",
     "command { name = \"up\", run = function(e)\n"
     "    local at = players.get(e.player).position\n"
     "    players.teleport(e.player, at.x, at.y + 10, at.z)\n"
     "end }"},
    {"push", push, "(player: integer, x: number, y: number, z: number)",
     "Adds a velocity in blocks per second, at most 40 along each axis. Along the ground it fades "
     "within half a second. Players who fly are not pushed. Needs the permission `players`.",
     "on(\"stepped\", function(e)\n"
     "    if e.block == \"hay_bale\" then players.push(e.player, 0, 12, 0) end\n"
     "end)"},
    {"heal", heal, "(player: integer, points: number): boolean",
     "Gives health, at most to 20. Returns false if the player is dead. Needs the permission "
     "`players`.",
     "on(\"ate\", function(e)\n"
     "    if e.item == \"apple\" then players.heal(e.player, 2) end\n"
     "end)"},
    {"hurt", hurt, "(player: integer, points: number): boolean",
     "Takes health. Returns false if the player is protected, as in creative mode. Needs the "
     "permission `players`.",
     "on(\"stepped\", function(e)\n"
     "    if e.block == \"glowstone\" then players.hurt(e.player, 1) end\n"
     "end)"},
    {"give", give, "(player: integer, item: string, count?: integer): integer",
     "Gives items, one by default. Returns how many had no room. Needs the permission `players`.",
     "on(\"join\", function(e)\n"
     "    if players.count(e.player, \"bread\") == 0 then players.give(e.player, \"bread\", 3) "
     "end\n"
     "end)"},
    {"take", take, "(player: integer, item: string, count?: integer): integer",
     "Takes items out of the inventory, one by default. Returns how many it was. Needs the "
     "permission `players`.",
     "command { name = \"pay\", run = function(e)\n"
     "    if players.take(e.player, \"emerald\", 1) == 0 then return \"You have none.\" end\n"
     "    return \"Thank you.\"\n"
     "end }"},
    {"count", count, "(player: integer, item: string): integer",
     "Returns how many of an item a player has in the inventory.",
     "on(\"picked_up\", function(e)\n"
     "    print(players.count(e.player, e.item))\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_players_table = {
    "players", "Players. They are numbers, from 1, as in events.", functions, classes};

#include "command.h"

#include "chat.h"
#include "connection.h"
#include "day.h"
#include "inventory.h"
#include "join.h"
#include "mod/hud.h"
#include "motion.h"
#include "player.h"
#include "player_index.h"
#include "respawn.h"
#include "rules.h"
#include "sign.h"
#include "systems.h"
#include "trade.h"
#include "undo.h"
#include "vitals.h"
#include "weather.h"

#include <cairn/base/log.h>

#define MAX_YAW 36000.0f /* degrees */

/* ---- Validation ---- */

/* Returns false for NaN. */
static bool in_range(float value, float low, float high)
{
    return value >= low && value <= high;
}

static bool is_coordinate(float value)
{
    return in_range(value, -CRAFTY_MAX_COORDINATE, CRAFTY_MAX_COORDINATE);
}

/* The text of a command from outside may lack its terminator. */
static bool is_item_name(const char name[CRAFTY_ITEM_NAME_BYTES])
{
    const char *end = memchr(name, 0, CRAFTY_ITEM_NAME_BYTES);
    return end && crafty_item_name_valid((CnText){name, (size_t)(end - name)});
}

static bool text_of(const CraftyCommand *command, CnText *text)
{
    const char *end = memchr(command->text, 0, CRAFTY_COMMAND_TEXT_BYTES);
    *text = (CnText){command->text, end ? (size_t)(end - command->text) : 0};
    return end != NULL;
}

bool crafty_command_valid(const CraftyCommand *command)
{
    CnText text;
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_TAKE_ITEM:
        return command->count && is_item_name(command->item);
    case CRAFTY_COMMAND_MODE:
        return command->choice < CRAFTY_MODE_COUNT;
    case CRAFTY_COMMAND_CAPTURE:
        return command->choice <= 1;
    case CRAFTY_COMMAND_SENSITIVITY:
        return in_range(command->value, CRAFTY_MIN_SENSITIVITY, CRAFTY_MAX_SENSITIVITY);
    case CRAFTY_COMMAND_MOVE:
        return is_coordinate(command->position.x) && is_coordinate(command->position.y) &&
               is_coordinate(command->position.z) && in_range(command->yaw, -MAX_YAW, MAX_YAW) &&
               in_range(command->pitch, -90, 90);
    case CRAFTY_COMMAND_TIME:
        return in_range(command->value, 0, 24);
    case CRAFTY_COMMAND_TIME_SPEED:
        return in_range(command->value, 0, CRAFTY_MAX_TIME_SPEED);
    case CRAFTY_COMMAND_WEATHER:
    case CRAFTY_COMMAND_WEATHER_NOW:
        return command->choice < CRAFTY_WEATHER_COUNT ||
               (command->choice >= CRAFTY_FIRST_WEATHER_NUMBER && command->choice < UINT8_MAX);
    case CRAFTY_COMMAND_MOVE_ITEMS:
    case CRAFTY_COMMAND_OPEN:
    case CRAFTY_COMMAND_CLOSE:
    case CRAFTY_COMMAND_QUICK_MOVE:
    case CRAFTY_COMMAND_DROP_ITEMS:
    case CRAFTY_COMMAND_DELETE_ITEMS:
    case CRAFTY_COMMAND_FILL_RECIPE:
    case CRAFTY_COMMAND_SORT:
        return crafty_inventory_command_valid(command);
    case CRAFTY_COMMAND_TRADE:
        return crafty_trade_command_valid(command);
    case CRAFTY_COMMAND_CHOOSE:
        return command->cell[0] > 0 && command->choice <= CRAFTY_MOD_DIALOG_CHOICES;
    case CRAFTY_COMMAND_CHAT:
        return crafty_chat_text_valid(command->text);
    case CRAFTY_COMMAND_PREFERENCES:
        return (command->choice & ~CRAFTY_PREFERENCES_ALL) == 0;
    case CRAFTY_COMMAND_SIGN_TEXT:
        return text_of(command, &text) && crafty_sign_text_valid(text);
    case CRAFTY_COMMAND_RESPAWN:
    case CRAFTY_COMMAND_UNDO:
    case CRAFTY_COMMAND_REDO:
        return true;
    case CRAFTY_COMMAND_NONE:
    case CRAFTY_COMMAND_KIND_COUNT:
        break;
    }
    return false;
}

/* ---- Applying ---- */

/* Returns whether only operators may use it. */
static bool needs_permission(CraftyCommandKind kind)
{
    return kind == CRAFTY_COMMAND_MODE || kind == CRAFTY_COMMAND_MOVE ||
           kind == CRAFTY_COMMAND_TIME || kind == CRAFTY_COMMAND_TIME_SPEED ||
           kind == CRAFTY_COMMAND_WEATHER || kind == CRAFTY_COMMAND_WEATHER_NOW;
}

static bool set_preferences(CnWorld *world, CnEntity entity, uint8_t preferences)
{
    CraftyMotion *motion = cn_get_mut(world, entity, CraftyMotion);
    if (motion)
        motion->preferences = preferences;
    return motion != NULL;
}

static bool set_time_speed(CnWorld *world, float speed)
{
    CraftyDay *day = cn_resource_mut(world, CraftyDay);
    if (day)
        day->speed = speed;
    return day != NULL;
}

static bool set_time(CnWorld *world, float hours)
{
    if (!cn_resource(world, CraftyDay))
        return false;
    crafty_day_set_hours(world, hours);
    return true;
}

static bool set_weather(CnWorld *world, uint32_t kind, bool at_once)
{
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    if (!weather || !crafty_weather_name_of(crafty_weather_kinds(world), kind))
        return false;
    if (at_once)
        crafty_weather_hold(world, kind);
    weather->held = true;
    weather->kind = (uint8_t)kind;
    return true;
}

/* Puts items to those at the cursor. Others that are there go to the slots, if they fit. */
static bool carry(const CraftyItems *items, CraftyPlayer *player, CraftyItem item, uint32_t count)
{
    CraftyPlayer changed = *player;
    if (changed.carried.item != item) {
        crafty_player_give(items, &changed, &changed.carried);
        if (!crafty_stack_is_empty(changed.carried))
            return false;
    }
    if (!crafty_stack_put(items, &changed.carried, item, count))
        return false;
    *player = changed;
    return true;
}

/* In survival, items come from the world. Spectators of a server could hand them to others. */
static bool may_take(const CnWorld *world, CnEntity entity, const CraftyPlayer *player)
{
    return player->mode == CRAFTY_MODE_CREATIVE ||
           (player->mode == CRAFTY_MODE_SPECTATOR &&
            (!cn_get(world, entity, CraftyIdentity) ||
             crafty_role_of(world, entity) == CRAFTY_ROLE_OPERATOR));
}

static bool take_item(CnWorld *world, CnEntity entity, const CraftyCommand *command)
{
    CraftyPlayer *player = cn_get_mut(world, entity, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (!player || !list || (command->sender != CRAFTY_CONSOLE && !may_take(world, entity, player)))
        return false;
    CraftyItem item = crafty_items_find(list->items, command->item);
    return player->open != CRAFTY_OPEN_NOTHING
               ? carry(list->items, player, item, command->count)
               : crafty_player_take(list->items, player, item, command->count);
}

static bool write_sign(CnWorld *world, CnEntity entity, const CraftyCommand *command)
{
    CnText text;
    CnCell cell = {command->cell[0], command->cell[1], command->cell[2]};
    return text_of(command, &text) && crafty_sign_write_as(world, entity, cell, text, NULL);
}

/* Returns false if the command is invalid, names another player than its sender, or is not allowed
 * in this world. */
static bool is_accepted(const CnWorld *world, const CraftyCommand *command)
{
    if (!crafty_command_valid(command))
        return false;
    if (command->sender == CRAFTY_CONSOLE)
        return true;
    return (!command->player || command->player == command->sender) &&
           (!needs_permission((CraftyCommandKind)command->kind) ||
            crafty_role_of(world, crafty_player_by_number(world, command->sender)) ==
                CRAFTY_ROLE_OPERATOR);
}

static uint32_t player_number(const CraftyCommand *command)
{
    return command->player ? command->player : command->sender;
}

/* Returns whether it is an act of a living player; the dead may only talk and respawn. */
static bool needs_life(CraftyCommandKind kind)
{
    return kind == CRAFTY_COMMAND_TAKE_ITEM || kind == CRAFTY_COMMAND_SIGN_TEXT ||
           kind == CRAFTY_COMMAND_UNDO || kind == CRAFTY_COMMAND_REDO;
}

/* Returns false if it is not possible now: there is nothing to do, or nobody to do it. */
static bool apply(CnWorld *world, const CnQuery *players, const CraftyCommand *command)
{
    CnEntity player = crafty_player_find(players, player_number(command));
    if (needs_life((CraftyCommandKind)command->kind) && crafty_player_is_dead(world, player))
        return false;
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_TAKE_ITEM:
        return take_item(world, player, command);
    case CRAFTY_COMMAND_MODE:
        return crafty_player_set_mode(world, player, (CraftyPlayerMode)command->choice);
    case CRAFTY_COMMAND_CAPTURE:
        return crafty_player_capture(world, player, command->choice != 0);
    case CRAFTY_COMMAND_SENSITIVITY:
        return crafty_player_set_sensitivity(world, player, command->value);
    case CRAFTY_COMMAND_MOVE:
        return crafty_player_teleport(
            world, player, &(CraftyPose){command->position, command->yaw, command->pitch});
    case CRAFTY_COMMAND_TIME:
        return set_time(world, command->value);
    case CRAFTY_COMMAND_TIME_SPEED:
        return set_time_speed(world, command->value);
    case CRAFTY_COMMAND_WEATHER:
        return set_weather(world, (CraftyWeatherKind)command->choice, false);
    case CRAFTY_COMMAND_WEATHER_NOW:
        return set_weather(world, (CraftyWeatherKind)command->choice, true);
    case CRAFTY_COMMAND_MOVE_ITEMS:
    case CRAFTY_COMMAND_OPEN:
    case CRAFTY_COMMAND_CLOSE:
    case CRAFTY_COMMAND_QUICK_MOVE:
    case CRAFTY_COMMAND_DROP_ITEMS:
    case CRAFTY_COMMAND_DELETE_ITEMS:
    case CRAFTY_COMMAND_FILL_RECIPE:
    case CRAFTY_COMMAND_SORT:
        return crafty_inventory_apply(world, player, command);
    case CRAFTY_COMMAND_TRADE:
        return crafty_trade_buy(world, player, command->choice, command->count);
    case CRAFTY_COMMAND_CHOOSE:
        return crafty_mods_choose(world, player_number(command), (uint32_t)command->cell[0],
                                  command->choice);
    case CRAFTY_COMMAND_CHAT:
        return crafty_chat_apply(world, players, command);
    case CRAFTY_COMMAND_RESPAWN:
        return crafty_player_respawn(world, player);
    case CRAFTY_COMMAND_PREFERENCES:
        return set_preferences(world, player, command->choice);
    case CRAFTY_COMMAND_SIGN_TEXT:
        return write_sign(world, player, command);
    case CRAFTY_COMMAND_UNDO:
        return crafty_undo(world, player) > 0;
    case CRAFTY_COMMAND_REDO:
        return crafty_redo(world, player) > 0;
    case CRAFTY_COMMAND_NONE:
    case CRAFTY_COMMAND_KIND_COUNT:
        break;
    }
    return false;
}

static void run_commands(CnSystemContext *context)
{
    const CnChannel *channel = context->user;
    uint32_t count = cn_event_count(channel);
    crafty_host_commands_apply(context->world);
    for (uint32_t i = 0; i < count; i++) {
        const CraftyCommand *command = &cn_events(channel, CraftyCommand)[i];
        bool is_valid = is_accepted(context->world, command);
        bool is_applied = is_valid && apply(context->world, context->query, command);
        CraftyCommandCounts *counts = cn_resource_mut(context->world, CraftyCommandCounts);
        counts->applied += is_applied;
        counts->without_effect += is_valid && !is_applied;
        if (!is_valid && counts->ignored++ == 0)
            CN_LOG_WARNING("crafty",
                           "an invalid command of kind %u is ignored; further ones are only "
                           "counted",
                           command->kind);
    }
}

bool crafty_commands_add(CnWorld *world, CnError *error)
{
    CnComponentDesc event = {.type = &cn_type_CraftyCommand},
                    counts = {.type = &cn_type_CraftyCommandCounts};
    if (!cn_component_register(world, &event, error).id ||
        !cn_component_register(world, &counts, error).id)
        return false;
    CnChannel *channel = cn_channel(world, CraftyCommand);
    if (!channel || (!cn_resource(world, CraftyCommandCounts) &&
                     !cn_resource_set(world, CraftyCommandCounts, {0})))
        return cn_error_memory(error, "the commands");
    CnSystemDesc desc = {.name = "CraftyCommands",
                         .run = run_commands,
                         .user = channel,
                         .stage = CN_STAGE_INPUT,
                         .query = {.all = {cn_reads(CnPlayerActions)}},
                         .alone = true};
    return (cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error)) &&
           crafty_join_add(world, error) && crafty_chat_add(world, error);
}

#include "command.h"

#include "connection.h"
#include "container.h"
#include "day.h"
#include "player.h"
#include "systems.h"
#include "weather.h"

#include "crafty/world/pose.h"

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

static bool is_container_slot(uint32_t slot)
{
    return slot >= CRAFTY_COMMAND_CONTAINER &&
           slot < CRAFTY_COMMAND_CONTAINER + CRAFTY_CONTAINER_SLOTS;
}

static bool is_slot(uint32_t slot)
{
    return slot < CRAFTY_PLAYER_SLOTS || is_container_slot(slot);
}

bool crafty_command_valid(const CraftyCommand *command)
{
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_TAKE_ITEM:
        return command->count && is_item_name(command->item);
    case CRAFTY_COMMAND_MODE:
        return command->choice == CRAFTY_PLAYER_FLIES || command->choice == CRAFTY_PLAYER_WALKS;
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
        return command->choice < CRAFTY_WEATHER_COUNT;
    case CRAFTY_COMMAND_MOVE_ITEMS:
        return command->count && command->from != command->to && is_slot(command->from) &&
               is_slot(command->to);
    case CRAFTY_COMMAND_NONE:
    case CRAFTY_COMMAND_KIND_COUNT:
        break;
    }
    return false;
}

/* ---- Applying ---- */

static bool move(CnWorld *world, CnEntity entity, const CraftyCommand *command)
{
    CnTransform *transform = cn_get_mut(world, entity, CnTransform);
    if (!transform || (!cn_get(world, entity, CraftyPlayer) && !cn_get(world, entity, CnCamera)))
        return false;
    CraftyPose pose = {command->position, command->yaw, command->pitch};
    transform->position = pose.position;
    transform->rotation = crafty_pose_rotation(&pose);
    CnPlayerController *walker = cn_get_mut(world, entity, CnPlayerController);
    if (walker)
        walker->velocity = cn_vec3(0, 0, 0);
    return true;
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

static bool set_weather(CnWorld *world, CraftyWeatherKind kind, bool at_once)
{
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    if (!weather)
        return false;
    if (at_once)
        crafty_weather_hold(world, kind);
    weather->held = true;
    weather->kind = (uint8_t)kind;
    return true;
}

static bool take_item(CnWorld *world, CnEntity entity, const CraftyCommand *command)
{
    CraftyPlayer *player = cn_get_mut(world, entity, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    return player && list &&
           crafty_player_take(list->items, player, crafty_items_find(list->items, command->item),
                              command->count);
}

static CraftyStack *slot_of(CraftyPlayer *player, CraftyContainer *container, uint32_t slot)
{
    return is_container_slot(slot) ? &container->slots[slot - CRAFTY_COMMAND_CONTAINER]
                                   : crafty_player_slot(player, slot);
}

/* Both sides change, or none: the container may be out of memory, the player cannot. */
static bool move_items(CnWorld *world, CnEntity entity, const CraftyCommand *command)
{
    const CraftyPlayer *old = cn_get(world, entity, CraftyPlayer);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    bool uses_container = is_container_slot(command->from) || is_container_slot(command->to);
    CnCell cell = {command->cell[0], command->cell[1], command->cell[2]};
    CraftyContainer container = {0};
    if (!old || !transform || !list)
        return false;
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CraftyPlayer player = *old;
    if (uses_container && (!crafty_container_is_near(transform->position, cell) ||
                           !crafty_container_read(voxels, cell, &container)))
        return false;
    if (!crafty_stack_move(list->items, slot_of(&player, &container, command->from),
                           slot_of(&player, &container, command->to), command->count) ||
        (uses_container && !crafty_container_write(voxels, cell, &container, NULL)))
        return false;
    *cn_get_mut(world, entity, CraftyPlayer) = player;
    return true;
}

/* Returns false if the command is invalid, names another player than its sender, or its entity
 * cannot obey. */
static bool apply(CnWorld *world, const CnQuery *players, const CraftyCommand *command)
{
    if (!crafty_command_valid(command))
        return false;
    if (command->sender != CRAFTY_CONSOLE && command->player && command->player != command->sender)
        return false;
    CnEntity player =
        crafty_player_find(players, command->player ? command->player : command->sender);
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
        return move(world, player, command);
    case CRAFTY_COMMAND_TIME:
        return set_time(world, command->value);
    case CRAFTY_COMMAND_TIME_SPEED:
        return set_time_speed(world, command->value);
    case CRAFTY_COMMAND_WEATHER:
        return set_weather(world, (CraftyWeatherKind)command->choice, false);
    case CRAFTY_COMMAND_WEATHER_NOW:
        return set_weather(world, (CraftyWeatherKind)command->choice, true);
    case CRAFTY_COMMAND_MOVE_ITEMS:
        return move_items(world, player, command);
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
    for (uint32_t i = 0; i < count; i++) {
        const CraftyCommand *command = &cn_events(channel, CraftyCommand)[i];
        bool is_applied = apply(context->world, context->query, command);
        CraftyCommandCounts *counts = cn_resource_mut(context->world, CraftyCommandCounts);
        counts->applied += is_applied;
        if (!is_applied && counts->ignored++ == 0)
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
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}

/* Commands of the chat that concern a player: position, mode, items, health. */
#include "chat_run.h"

#include "motion.h"
#include "vitals.h"

/* ---- Position ---- */

/* On the topmost block that carries a player, or on the water. */
static bool find_ground(const CraftyChatRun *run, CnVec3 *feet)
{
    CraftyChatWord words[3] = {
        run->parse->words[0], {.number = CN_SEA_LEVEL}, run->parse->words[1]};
    CraftyChatParse parse = *run->parse;
    CraftyChatRun column = *run;
    parse.words[0] = words[0];
    parse.words[1] = words[1];
    parse.words[2] = words[2];
    column.parse = &parse;
    if (!crafty_chat_position(&column, run->eye, 0, feet))
        return false;
    CnVoxels *voxels = cn_resource(run->world, CraftyBlocks)->voxels;
    feet->y =
        (float)(cn_voxels_height(voxels, (int32_t)cn_floorf(feet->x), (int32_t)cn_floorf(feet->z)) +
                1);
    return true;
}

static bool find_player(const CraftyChatRun *run, uint32_t word, CnVec3 *feet)
{
    uint32_t number;
    CnEntity other;
    if (!crafty_chat_target(run, word, &number, &other))
        return false;
    *feet = cn_get(run->world, other, CnTransform)->position;
    feet->y -= CRAFTY_PLAYER_EYE;
    return true;
}

void crafty_chat_teleport(const CraftyChatRun *run, CraftyChatAction action)
{
    bool is_other = action == CRAFTY_CHAT_TP_OTHER || action == CRAFTY_CHAT_TP_OTHER_CELL;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number;
    CnEntity player;
    CnVec3 feet;
    if (!crafty_chat_target(run, is_other ? 0 : CRAFTY_CHAT_NO_WORD, &number, &player))
        return;
    bool is_found = action == CRAFTY_CHAT_TP_CELL ? crafty_chat_position(run, player, 0, &feet)
                    : action == CRAFTY_CHAT_TP_OTHER_CELL
                        ? crafty_chat_position(run, player, 1, &feet)
                    : action == CRAFTY_CHAT_TP_COLUMN ? find_ground(run, &feet)
                                                      : find_player(run, is_other ? 1 : 0, &feet);
    if (!is_found)
        return;
    feet = crafty_player_move_to(run->world, player, feet);
    crafty_chat_reply(run, "%s is now at %.1f %.1f %.1f.",
                      crafty_player_name(run->world, number, name), (double)feet.x, (double)feet.y,
                      (double)feet.z);
}

void crafty_chat_spawnpoint(const CraftyChatRun *run, CraftyChatAction action)
{
    CraftyVitals *vitals = cn_get_mut(run->world, run->eye, CraftyVitals);
    CnVec3 feet;
    if (!vitals) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "Only players have a spawn point.");
        return;
    }
    if (action == CRAFTY_CHAT_SPAWNPOINT) {
        feet = cn_get(run->world, run->eye, CnTransform)->position;
        feet.y -= CRAFTY_PLAYER_EYE;
    } else if (!crafty_chat_position(run, run->eye, 0, &feet)) {
        return;
    }
    vitals->has_spawn = vitals->spawns_here = true;
    vitals->spawn[0] = (int32_t)cn_floorf(feet.x);
    vitals->spawn[1] = (int32_t)cn_floorf(feet.y + 0.01f);
    vitals->spawn[2] = (int32_t)cn_floorf(feet.z);
    crafty_chat_reply(run, "You respawn at %d %d %d.", vitals->spawn[0], vitals->spawn[1],
                      vitals->spawn[2]);
}

/* ---- Mode and health ---- */

void crafty_chat_gamemode(const CraftyChatRun *run)
{
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number;
    CnEntity player;
    CraftyPlayerMode mode = (CraftyPlayerMode)run->parse->words[0].id;
    if (!crafty_chat_target(run, 1, &number, &player))
        return;
    if (crafty_player_set_mode(run->world, player, mode))
        crafty_chat_reply(run, "The mode of %s is now %s.",
                          crafty_player_name(run->world, number, name), crafty_mode_name(mode));
    else
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "The mode cannot be changed: out of memory.");
}

void crafty_chat_kill(const CraftyChatRun *run)
{
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number;
    CnEntity player;
    if (!crafty_chat_target(run, 0, &number, &player))
        return;
    crafty_player_name(run->world, number, name);
    if (crafty_vitals_hurt(run->world, player, 2 * CRAFTY_MAX_HEALTH, CRAFTY_DAMAGE_COMMAND))
        crafty_chat_reply(run, "%s died.", name);
    else
        crafty_chat_fail(run, 0, "%s is dead already.", name);
}

void crafty_chat_heal(const CraftyChatRun *run)
{
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number;
    CnEntity player;
    if (!crafty_chat_target(run, 0, &number, &player))
        return;
    CraftyVitals *vitals = cn_get_mut(run->world, player, CraftyVitals);
    crafty_player_name(run->world, number, name);
    if (!vitals || vitals->dead) {
        crafty_chat_fail(run, 0, "%s is dead.", name);
        return;
    }
    vitals->health = CRAFTY_MAX_HEALTH;
    vitals->food = CRAFTY_MAX_FOOD;
    vitals->air = CRAFTY_MAX_AIR;
    vitals->exhaustion = 0;
    crafty_chat_reply(run, "%s is healthy.", name);
}

/* ---- Items ---- */

void crafty_chat_give(const CraftyChatRun *run, CraftyChatAction action)
{
    uint32_t first = action == CRAFTY_CHAT_GIVE_OTHER ? 1 : 0, number;
    const CraftyChatParse *parse = run->parse;
    const CraftyItems *items = run->names->items;
    const CraftyItemInfo *info = crafty_items_info(items, parse->words[first].id);
    uint32_t wanted = first + 1 < parse->count ? (uint32_t)parse->words[first + 1].number : 1;
    uint32_t given = 0;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    CnEntity player;
    if (!crafty_chat_target(run, first ? 0 : CRAFTY_CHAT_NO_WORD, &number, &player))
        return;
    CraftyPlayer *state = cn_get_mut(run->world, player, CraftyPlayer);
    while (given < wanted) {
        uint32_t part = wanted - given < info->stack_max ? wanted - given : info->stack_max;
        CraftyStack stack = {.item = (uint16_t)parse->words[first].id, .count = (uint16_t)part};
        crafty_player_give(items, state, &stack);
        given += part - stack.count;
        if (stack.count)
            break;
    }
    crafty_player_name(run->world, number, name);
    if (given == wanted)
        crafty_chat_reply(run, "%s got %u %s.", name, given, info->title);
    else if (given)
        crafty_chat_reply(run, "%s got only %u of %u %s: the inventory is full.", name, given,
                          wanted, info->title);
    else
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "The inventory of %s is full.", name);
}

/* Empties a slot. Returns how many items it held. */
static uint32_t take_all(CraftyStack *slot)
{
    uint32_t count = slot->count;
    *slot = (CraftyStack){0};
    return count;
}

void crafty_chat_clear(const CraftyChatRun *run)
{
    uint32_t number, count = 0;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    CnEntity player;
    if (!crafty_chat_target(run, 0, &number, &player))
        return;
    CraftyPlayer *state = cn_get_mut(run->world, player, CraftyPlayer);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        count += take_all(crafty_player_slot(state, i));
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        count += take_all(&state->grid[i]);
    count += take_all(&state->carried);
    crafty_chat_reply(run, "%u items of %s are removed.", count,
                      crafty_player_name(run->world, number, name));
}

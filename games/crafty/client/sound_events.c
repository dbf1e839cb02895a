/* The sounds of what happened in the ticks since the last frame. */
#include "sound_creatures.h"
#include "sound_internal.h"

#include "crafty/sim/hand.h"
#include "crafty/sim/inventory.h"
#include "crafty/sim/player_event.h"
#include "crafty/sim/villager.h"
#include "crafty/sim/vitals.h"
#include "crafty/world/block_family.h"

#include <cairn/base/text.h>

#define HARD_FALL 4.0f /* blocks */
#define FAST_SPLASH 8.0f

static const char *surface_name(uint32_t surface)
{
    static const char *const names[CN_BLOCK_SURFACE_COUNT] = {"stone", "grass", "sand", "wood"};
    return names[surface < CN_BLOCK_SURFACE_COUNT ? surface : 0];
}

void crafty_sound_block(CraftySound *sound, uint32_t surface, const char *action, CnVec3 position,
                        float gain)
{
    char name[48];
    cn_format(name, sizeof name, "block.%s.%s", surface_name(surface), action);
    crafty_sound_play_at(sound, name, position, gain);
}

static void hear_hand(CraftySound *sound, const CraftyHandEvent *event)
{
    static const char *const actions[] = {
        [CN_INTERACT_CHIP] = "dig", [CN_INTERACT_BREAK] = "break", [CN_INTERACT_PLACE] = "place"};
    if (event->kind > CN_INTERACT_PLACE)
        return;
    CnVec3 center = cn_vec3((float)event->cell[0] + 0.5f, (float)event->cell[1] + 0.5f,
                            (float)event->cell[2] + 0.5f);
    sound->counts.blocks++;
    crafty_sound_block(sound, event->surface, actions[event->kind], center,
                       event->kind == CN_INTERACT_CHIP ? 0.5f : 1);
}

static CnVec3 feet_of(const CraftyPlayerEvent *event)
{
    CnVec3 eye = event->position;
    return cn_vec3(eye.x, eye.y - 1.55f, eye.z);
}

uint32_t crafty_sound_surface(const CraftySoundFrame *frame, CnBlock block)
{
    const CnBlockTable *table = cn_voxels_blocks(frame->voxels);
    return block < table->count ? table->info[block].surface : CN_BLOCK_SURFACE_STONE;
}

/* Doors, chests, beds: `item` is the block after it was used. */
static void hear_use(CraftySound *sound, const CraftySoundFrame *frame,
                     const CraftyPlayerEvent *event)
{
    const CraftyBlocks *blocks = cn_resource(frame->world, CraftyBlocks);
    CraftyBlockKind kind = blocks && blocks->families
                               ? crafty_block_kind(blocks->families, event->item)
                               : CRAFTY_KIND_PLAIN;
    if (kind == CRAFTY_KIND_DOOR)
        crafty_sound_play_at(
            sound, crafty_block_is_open(blocks->families, event->item) ? "door.open" : "door.close",
            event->position, 1);
    else if (kind == CRAFTY_KIND_BED)
        crafty_sound_play_at(sound, "bed.lie", event->position, 1);
    else if (crafty_inventory_of_block(cn_voxels_blocks(frame->voxels), event->item) ==
             CRAFTY_OPEN_CRATE)
        crafty_sound_play_at(sound, "chest.open", event->position, 1);
}

static void hear_landing(CraftySound *sound, const CraftySoundFrame *frame,
                         const CraftyPlayerEvent *event)
{
    bool is_hard = event->value >= HARD_FALL;
    crafty_sound_block(sound, crafty_sound_surface(frame, event->item), "step", feet_of(event),
                       1.4f);
    if (event->value > 1.3f)
        crafty_sound_play_at(sound, is_hard ? "player.fall.hard" : "player.fall.soft",
                             feet_of(event), 1);
}

static bool is_of_villager(const CraftyPlayerEvent *event)
{
    return event->count >= CRAFTY_REFUSAL_TRADE_NOTHING &&
           event->count <= CRAFTY_REFUSAL_TRADE_ROOM;
}

/* A stew is drunk: its bowl is left. */
static void hear_meal(CraftySound *sound, const CraftySoundFrame *frame,
                      const CraftyPlayerEvent *event)
{
    const CraftyItemList *list = cn_resource(frame->world, CraftyItemList);
    const CraftyItemInfo *info = list ? crafty_items_info(list->items, event->item) : NULL;
    bool is_drunk = info && info->remainder;
    crafty_sound_play_at(sound, is_drunk ? "player.drink" : "player.eat", event->position, 1);
    if (crafty_sound_unit(sound) < 0.25f)
        crafty_sound_play_at(sound, "player.burp", event->position, 1);
}

static bool is_by_lava(const CraftySoundFrame *frame, CnVec3 at)
{
    static const float sides[7][3] = {{0, 0, 0},  {0, -1, 0}, {1, 0, 0}, {-1, 0, 0},
                                      {0, 0, -1}, {0, 0, 1},  {0, 1, 0}};
    for (uint32_t i = 0; i < CN_COUNT_OF(sides); i++)
        if (crafty_sound_is_lava(
                frame, cn_vec3(at.x + sides[i][0], at.y + sides[i][1], at.z + sides[i][2])))
            return true;
    return false;
}

static void hear_player(CraftySound *sound, const CraftySoundFrame *frame,
                        const CraftyPlayerEvent *event)
{
    bool is_own = event->player.id == frame->player.id;
    CnVec3 at = event->position;
    sound->counts.players++;
    switch ((CraftyPlayerEventKind)event->kind) {
    case CRAFTY_PLAYER_HURT:
        crafty_sound_play_at(sound, "player.hurt", at, 1);
        if (event->count == CRAFTY_DAMAGE_LAVA || event->count == CRAFTY_DAMAGE_HEAT)
            crafty_sound_play_at(sound, "lava.hiss", feet_of(event), 0.6f);
        break;
    case CRAFTY_PLAYER_DIED:
        crafty_sound_play_at(sound, "player.death", at, 1);
        break;
    case CRAFTY_PLAYER_ATE:
        hear_meal(sound, frame, event);
        break;
    case CRAFTY_PLAYER_PICKED_UP:
        crafty_sound_play_at(sound, "item.pickup", feet_of(event), 1);
        break;
    case CRAFTY_PLAYER_CRAFTED:
        crafty_sound_play_at(sound, "item.craft", at, 1);
        break;
    case CRAFTY_PLAYER_TOOL_BROKE:
        crafty_sound_play_at(sound, "tool.break", at, 1);
        break;
    case CRAFTY_PLAYER_LANDED:
        hear_landing(sound, frame, event);
        break;
    case CRAFTY_PLAYER_STEPPED:
        sound->counts.steps++;
        crafty_sound_block(sound, crafty_sound_surface(frame, event->item), "step", feet_of(event),
                           1);
        break;
    case CRAFTY_PLAYER_SPLASHED:
        crafty_sound_play_at(sound, "water.splash", feet_of(event),
                             event->value >= FAST_SPLASH ? 1 : 0.5f);
        break;
    case CRAFTY_PLAYER_USED:
        hear_use(sound, frame, event);
        break;
    case CRAFTY_PLAYER_FILLED:
        crafty_sound_play_at(sound, "bucket.fill", at, 1);
        break;
    case CRAFTY_PLAYER_EMPTIED:
        crafty_sound_play_at(sound, "bucket.empty", at, 1);
        if (is_by_lava(frame, at))
            crafty_sound_play_at(sound, "lava.hiss", at, 1);
        break;
    case CRAFTY_PLAYER_THREW:
        crafty_sound_play_at(sound, "item.drop", at, 1);
        break;
    case CRAFTY_PLAYER_MISSED:
        crafty_sound_play_at(sound, "player.swing", at, 1);
        break;
    case CRAFTY_PLAYER_TRADE_OPENED:
        crafty_sound_creature(sound, (CnEntity){0}, CRAFTY_VILLAGER, CRAFTY_VOICE_IDLE, at);
        break;
    case CRAFTY_PLAYER_TRADED:
        crafty_sound_creature(sound, (CnEntity){0}, CRAFTY_VILLAGER, CRAFTY_VOICE_YES, at);
        crafty_sound_play_at(sound, "item.trade", at, 1);
        break;
    case CRAFTY_PLAYER_REFUSED:
        if (is_of_villager(event))
            crafty_sound_creature(sound, (CnEntity){0}, CRAFTY_VILLAGER, CRAFTY_VOICE_NO, at);
        else if (is_own)
            crafty_sound_play(sound, "ui.error", 1);
        break;
    case CRAFTY_PLAYER_SPAWN_SET:
        if (is_own)
            crafty_sound_play(sound, "ui.toast", 1);
        break;
    case CRAFTY_PLAYER_RESPAWNED:
    case CRAFTY_PLAYER_EVENT_COUNT:
        break;
    }
}

/* A chest is closed when the player no longer looks into it. */
static void hear_closing(CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyPlayer *player = cn_get(frame->world, frame->player, CraftyPlayer);
    uint8_t open = player ? player->open : CRAFTY_OPEN_NOTHING;
    if (sound->open == CRAFTY_OPEN_CRATE && open != CRAFTY_OPEN_CRATE)
        crafty_sound_play_at(sound, "chest.close", sound->open_position, 1);
    if (open == CRAFTY_OPEN_CRATE)
        sound->open_position =
            cn_vec3((float)player->open_cell[0] + 0.5f, (float)player->open_cell[1] + 0.5f,
                    (float)player->open_cell[2] + 0.5f);
    sound->open = open;
}

void crafty_sound_events(CraftySound *sound, const CraftySoundFrame *frame)
{
    for (const CraftyHandEvent *e; (e = cn_read_next(sound->hand_events, CraftyHandEvent));)
        hear_hand(sound, e);
    for (const CraftyPlayerEvent *e; (e = cn_read_next(sound->player_events, CraftyPlayerEvent));)
        hear_player(sound, frame, e);
    crafty_sound_creature_events(sound, frame);
    if (sound->mod_events)
        for (const CraftyModEffect *e; (e = cn_read_next(sound->mod_events, CraftyModEffect));)
            if (e->kind == CRAFTY_MOD_EFFECT_SOUND)
                crafty_sound_play_of_mod(sound, e);
    hear_closing(sound, frame);
}

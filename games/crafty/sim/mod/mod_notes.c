/* Events of Crafty as notes for mods. */
#include "mod_notes.h"

#include "mods_internal.h"

#include "crafty/sim/vitals.h"

const char *crafty_mods_damage_name(uint32_t cause)
{
    static const char *const names[CRAFTY_DAMAGE_COUNT] = {
        "none",   "fall", "drowning", "hunger",   "lava", "heat",
        "cactus", "void", "command",  "creature", "blast"};
    return cause < CRAFTY_DAMAGE_COUNT ? names[cause] : "none";
}

static uint32_t number_of(const CnWorld *world, CnEntity player)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    return own ? own->player : 0;
}

static bool event_of(CraftyPlayerEventKind kind, uint8_t *event)
{
    switch (kind) {
    case CRAFTY_PLAYER_HURT:
        *event = CRAFTY_MOD_HURT;
        return true;
    case CRAFTY_PLAYER_DIED:
        *event = CRAFTY_MOD_DIED;
        return true;
    case CRAFTY_PLAYER_RESPAWNED:
        *event = CRAFTY_MOD_RESPAWNED;
        return true;
    case CRAFTY_PLAYER_ATE:
        *event = CRAFTY_MOD_ATE;
        return true;
    case CRAFTY_PLAYER_PICKED_UP:
        *event = CRAFTY_MOD_PICKED_UP;
        return true;
    case CRAFTY_PLAYER_CRAFTED:
        *event = CRAFTY_MOD_CRAFTED;
        return true;
    default:
        return false;
    }
}

void crafty_mods_note_player(CnWorld *world, const CraftyPlayerEvent *event)
{
    CraftyModNote note = {.player = number_of(world, event->player), .value = event->value};
    if (!event_of((CraftyPlayerEventKind)event->kind, &note.event) || !note.player)
        return;
    if (note.event == CRAFTY_MOD_HURT || note.event == CRAFTY_MOD_DIED) {
        cn_copy_text(note.text, sizeof note.text, cn_text(crafty_mods_damage_name(event->count)));
    } else {
        note.item = event->item;
        note.count = event->count;
    }
    crafty_mods_note(world, &note);
}

CraftyModNote crafty_mods_block_note(const CnWorld *world, CnEntity player, uint8_t event,
                                     CnCell cell, CnBlock block)
{
    CraftyModNote note = {
        .event = event, .player = number_of(world, player), .cell = cell, .block = block};
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (own && list && event != CRAFTY_MOD_BREAK) {
        CraftyStack held = crafty_player_held(list->items, own);
        note.item = crafty_stack_is_empty(held) ? (CraftyItem)CRAFTY_NO_ITEM : held.item;
    }
    return note;
}

bool crafty_mods_ask_hurt(CnWorld *world, CnEntity player, float *damage, uint32_t cause)
{
    CraftyModNote note = {
        .event = CRAFTY_MOD_HURT, .player = number_of(world, player), .value = *damage};
    cn_copy_text(note.text, sizeof note.text, cn_text(crafty_mods_damage_name(cause)));
    if (!crafty_mods_ask(world, &note))
        return false;
    *damage = note.value;
    return *damage > 0;
}

bool crafty_mods_ask_talk(CnWorld *world, CnEntity player, CnEntity creature,
                          const char *profession)
{
    CraftyModNote note = {
        .event = CRAFTY_MOD_TALK, .player = number_of(world, player), .creature = creature.id};
    cn_copy_text(note.text, sizeof note.text, cn_text(profession ? profession : ""));
    if (!crafty_mods_ask(world, &note))
        return false;
    crafty_mods_note(world, &note);
    return true;
}

bool crafty_mods_ask_chat(CnWorld *world, uint32_t player, CnText text)
{
    CraftyModNote note = {.event = CRAFTY_MOD_CHAT, .player = player};
    cn_copy_text(note.text, sizeof note.text, text);
    if (!crafty_mods_ask(world, &note))
        return false;
    crafty_mods_note(world, &note);
    return true;
}

#include "hand_internal.h"

#include "harvest.h"
#include "mod/mod_notes.h"
#include "player_event.h"
#include "support.h"
#include "undo.h"
#include "vitals.h"

#define EXHAUSTION 0.005f /* of breaking a block */

CraftyStack *crafty_hand_slot(const CraftyHandUse *use)
{
    CraftyPlayer *player = cn_get_mut(use->world, use->player, CraftyPlayer);
    return &player->slots[player->slot % CRAFTY_SLOTS];
}

static CraftyStack held_of(const CraftyHandUse *use)
{
    return crafty_player_held(use->items, cn_get(use->world, use->player, CraftyPlayer));
}

void crafty_hand_wear(const CraftyHandUse *use)
{
    CraftyStack *slot = crafty_hand_slot(use);
    CraftyItem item = slot->item;
    if (use->is_survival && crafty_stack_wear(use->items, slot, 1))
        crafty_player_event_send(use->world, &(CraftyPlayerEvent){.player = use->player,
                                                                  .kind = CRAFTY_PLAYER_TOOL_BROKE,
                                                                  .item = item,
                                                                  .count = 1,
                                                                  .position = use->input.eye});
}

float crafty_hand_break_ms(void *user, const CnVoxelHit *target)
{
    const CraftyHandUse *use = user;
    float ms = crafty_harvest_ms(use->world, target->block, held_of(use));
    return use->is_survival || ms < 0 ? ms : 0;
}

void crafty_hand_break(void *user, const CnVoxelHit *target)
{
    CraftyHandUse *use = user;
    CraftyStack held = held_of(use);
    CnEdit edit = {.kind = CN_EDIT_BREAK,
                   .face = target->face,
                   .cell = target->cell,
                   .new_block = CN_BLOCK_AIR};
    CraftyModNote note = crafty_mods_block_note(use->world, use->player, CRAFTY_MOD_BREAK,
                                                target->cell, target->block);
    if (!crafty_mods_ask(use->world, &note) ||
        !crafty_undo_edit(use->world, use->player, &edit, NULL))
        return;
    crafty_mods_note(use->world, &note);
    use->acts = true;
    crafty_hand_send(use->world, use->player,
                     (CnInteractEvent){.kind = CN_INTERACT_BREAK,
                                       .cell = edit.cell,
                                       .face = edit.face,
                                       .block = edit.old_block});
    bool is_gone = cn_voxels_get(use->voxels, edit.cell) == CN_BLOCK_AIR; /* crates may stay */
    if (!use->is_survival || !is_gone)
        return;
    /* Of two players who break both halves in one tick, the first one gets the item. */
    if (crafty_support_is_whole(use->world, edit.cell, edit.old_block))
        crafty_harvest_drop(use->world, use->player, edit.cell, edit.old_block, held);
    crafty_vitals_exhaust(use->world, use->player, EXHAUSTION);
    if (crafty_harvest_ms(use->world, edit.old_block, held) > 0)
        crafty_hand_wear(use);
}

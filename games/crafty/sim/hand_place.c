#include "hand_internal.h"

#include "inventory.h"
#include "mod/mod_notes.h"
#include "orient.h"
#include "sign.h"
#include "support.h"
#include "undo.h"
#include "use.h"

#define BEYOND 0.01f /* blocks behind the face of a plant */

void crafty_hand_consume(const CraftyHandUse *use)
{
    CraftyStack *slot = crafty_hand_slot(use);
    if (!use->is_survival || crafty_stack_is_empty(*slot))
        return;
    crafty_stack_take(slot, 1);
}

static void refuse(const CraftyHandUse *use, CnInteractReason reason, CnCell cell, uint8_t face)
{
    bool exists = cn_block_exists(cn_voxels_blocks(use->voxels), use->input.held);
    crafty_hand_send(use->world, use->player,
                     (CnInteractEvent){.kind = CN_INTERACT_REFUSED,
                                       .reason = reason,
                                       .cell = cell,
                                       .face = face,
                                       .block = exists ? use->input.held : (CnBlock)CN_BLOCK_AIR});
}

/* ---- Where ---- */

static bool is_plant(const CraftyHandUse *use, const CnVoxelHit *target)
{
    const CnBlockTable *blocks = cn_voxels_blocks(use->voxels);
    return (blocks->flags[target->block] & CN_BLOCK_IS_PROP) &&
           cn_block_info(blocks, target->block)->replaceable;
}

/* Plans what is placed where, and returns whether that is possible. */
static CnInteractReason plan(const CraftyHandUse *use, const CnVoxelHit *target,
                             CraftyPlacement *placement)
{
    const CraftyBlockFamilies *families = cn_resource(use->world, CraftyBlocks)->families;
    CnCell cell;
    CnInteractReason reason = cn_interact_find_cell(use->voxels, &use->input, target, &cell);
    *placement = (CraftyPlacement){.cells = {cell}};
    if (reason != CN_INTERACT_ALLOWED)
        return reason;
    if (crafty_orient_combine(families, use->voxels, use->input.held, target, cell, placement))
        return cn_interact_has_body_inside(cn_voxels_blocks(use->voxels), &use->input,
                                           placement->cells[0], placement->blocks[0])
                   ? CN_INTERACT_BODY_INSIDE
                   : CN_INTERACT_ALLOWED;
    if (!crafty_orient(families, use->input.held, use->input.forward, target, cell, placement))
        return CN_INTERACT_NO_SUPPORT;
    for (uint32_t i = 0; i < placement->count; i++) {
        reason = cn_interact_may_fill(use->voxels, &use->input, placement->cells[i],
                                      placement->blocks[i]);
        if (reason != CN_INTERACT_ALLOWED)
            return reason;
        if (!crafty_support_holds(use->world, placement->cells[i], placement->blocks[i]))
            return CN_INTERACT_NO_SUPPORT;
    }
    return CN_INTERACT_ALLOWED;
}

/* A plant that would be replaced does not keep the player from placing at what is behind it. */
static CnInteractReason plan_behind_plants(const CraftyHandUse *use, CnVoxelHit *target,
                                           CraftyPlacement *placement)
{
    CnInteractReason reason = plan(use, target, placement);
    if (reason == CN_INTERACT_ALLOWED || !is_plant(use, target))
        return reason;
    CraftyPlacement other;
    CnVoxelHit behind;
    CnVec3 from = cn_vec3_add(target->point, cn_vec3_scale(use->input.forward, BEYOND));
    if (!cn_voxels_raycast(use->voxels, from, use->input.forward, CN_REACH - target->distance,
                           CN_VOXEL_RAY_AIMED, &behind) ||
        plan(use, &behind, &other) != CN_INTERACT_ALLOWED)
        return reason;
    *target = behind;
    *placement = other;
    return CN_INTERACT_ALLOWED;
}

/* ---- Placing ---- */

static bool put(CraftyHandUse *use, const CraftyPlacement *placement, uint8_t face, uint32_t part)
{
    CnEdit edit = {.kind = CN_EDIT_PLACE,
                   .face = face,
                   .cell = placement->cells[part],
                   .new_block = placement->blocks[part]};
    return crafty_undo_edit(use->world, use->player, &edit, NULL);
}

/* A second half that cannot be placed, for lack of memory, takes the first with it: support.h. */
static void place_held(CraftyHandUse *use, CnVoxelHit target)
{
    CraftyPlacement placement;
    CnInteractReason reason = plan_behind_plants(use, &target, &placement);
    if (reason != CN_INTERACT_ALLOWED) {
        refuse(use, reason, placement.cells[0], target.face);
        return;
    }
    CraftyModNote note = crafty_mods_block_note(use->world, use->player, CRAFTY_MOD_PLACE,
                                                placement.cells[0], placement.blocks[0]);
    if (!crafty_mods_ask(use->world, &note) || !put(use, &placement, target.face, 0))
        return;
    crafty_mods_note(use->world, &note);
    if (placement.count > 1)
        put(use, &placement, target.face, 1);
    use->acts = true;
    crafty_hand_consume(use);
    crafty_hand_send(use->world, use->player,
                     (CnInteractEvent){.kind = CN_INTERACT_PLACE,
                                       .cell = placement.cells[0],
                                       .face = target.face,
                                       .block = placement.blocks[0]});
    if (crafty_sign_is(cn_voxels_blocks(use->voxels), placement.blocks[0]))
        crafty_inventory_open(use->world, use->player, CRAFTY_OPEN_SIGN, placement.cells[0]);
}

/* Returns false if something may be placed instead. */
static bool use_target(CraftyHandUse *use, const CnVoxelHit *target)
{
    CraftyModNote note = crafty_mods_block_note(use->world, use->player, CRAFTY_MOD_USE,
                                                target->cell, target->block);
    if (!crafty_mods_ask(use->world, &note))
        return true;
    crafty_mods_note(use->world, &note);
    if (!crafty_use_block(use->world, use->player, target->cell))
        return false;
    use->acts = true;
    return true;
}

void crafty_hand_place(void *user, const CnVoxelHit *target)
{
    CraftyHandUse *use = user;
    if (target && use->is_first && !use->sneaks && use_target(use, target))
        return;
    if (crafty_hand_use_bucket(use, target) || crafty_hand_use_hoe(use, target) ||
        crafty_hand_use_seeds(use, target) || crafty_hand_use_lighter(use, target))
        return;
    if (target)
        place_held(use, *target);
    else
        refuse(use, CN_INTERACT_NO_FACE, (CnCell){0}, CN_EDIT_NO_FACE);
}

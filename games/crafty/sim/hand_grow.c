/* Planting seeds and lighting fires. */
#include "growth.h"
#include "hand_internal.h"
#include "undo.h"

static CnCell above(CnCell cell)
{
    return (CnCell){cell.x, cell.y + 1, cell.z};
}

static CraftyStack held_by(const CraftyHandUse *use)
{
    return crafty_player_held(use->items, cn_get(use->world, use->player, CraftyPlayer));
}

static bool put(CraftyHandUse *use, CnCell cell, uint8_t face, CnBlock block)
{
    CnEdit edit = {.kind = CN_EDIT_PLACE, .face = face, .cell = cell, .new_block = block};
    if (!crafty_undo_edit(use->world, use->player, &edit, NULL))
        return false;
    use->acts = true;
    crafty_hand_send(
        use->world, use->player,
        (CnInteractEvent){.kind = CN_INTERACT_PLACE, .cell = cell, .face = face, .block = block});
    return true;
}

bool crafty_hand_use_seeds(CraftyHandUse *use, const CnVoxelHit *target)
{
    CnBlock crop = crafty_growth_planted(use->world, held_by(use).item);
    if (crop == CN_BLOCK_AIR || !target || target->face != CN_FACE_POS_Y ||
        !crafty_growth_is_farmland(use->world, target->block) ||
        !cn_cell_is_in_world(above(target->cell)) ||
        cn_voxels_get(use->voxels, above(target->cell)) != CN_BLOCK_AIR)
        return false;
    if (put(use, above(target->cell), target->face, crop))
        crafty_hand_consume(use);
    return true;
}

bool crafty_hand_use_lighter(CraftyHandUse *use, const CnVoxelHit *target)
{
    CnBlock fire = crafty_growth_fire(use->world);
    CraftyItem lighter = crafty_items_find(use->items, "flint_and_steel");
    const CraftyGrowth *growth = cn_resource(use->world, CraftyGrowth);
    if (lighter == CRAFTY_NO_ITEM || held_by(use).item != lighter)
        return false;
    CnInteractInput input = use->input;
    CnCell cell;
    input.held = CN_BLOCK_WATER; /* fills the same cells */
    if (!target || !use->is_first || fire == CN_BLOCK_AIR || !growth ||
        growth->fires >= CRAFTY_MAX_FIRES ||
        cn_interact_find_cell(use->voxels, &input, target, &cell) != CN_INTERACT_ALLOWED ||
        cn_voxels_get(use->voxels, cell) == CN_BLOCK_WATER ||
        cn_interact_may_fill(use->voxels, &input, cell, fire) != CN_INTERACT_ALLOWED)
        return true;
    if (put(use, cell, target->face, fire))
        crafty_hand_wear(use);
    return true;
}

#include "orient.h"

#include <cairn/base/math.h>

/* Returns the direction of the larger horizontal part. */
static CraftyDirection direction_of(CnVec3 v)
{
    if (cn_fabsf(v.x) > cn_fabsf(v.z))
        return v.x > 0 ? CRAFTY_EAST : CRAFTY_WEST;
    return v.z > 0 ? CRAFTY_SOUTH : CRAFTY_NORTH;
}

static CnVec3 opposite(CnVec3 v)
{
    return (CnVec3){-v.x, -v.y, -v.z};
}

static bool is_side(uint8_t face)
{
    return face == CN_FACE_NEG_X || face == CN_FACE_POS_X || face == CN_FACE_NEG_Z ||
           face == CN_FACE_POS_Z;
}

/* Whether the upper half of the cell is meant. */
static bool aims_at_upper_half(const CnVoxelHit *target)
{
    return target->face == CN_FACE_NEG_Y ||
           (is_side(target->face) && target->point.y - cn_floorf(target->point.y) > 0.5f);
}

static CnBlock variant_of(const CraftyBlockFamilies *families, CnBlock block, CnVec3 forward,
                          const CnVoxelHit *target)
{
    CraftyBlockKind kind = crafty_block_kind(families, block);
    CnVec3 front = opposite(forward);
    if (kind == CRAFTY_KIND_BED)
        front = forward;
    if (kind == CRAFTY_KIND_SIGN && is_side(target->face))
        block = crafty_block_hung(families, block);
    if (kind == CRAFTY_KIND_LADDER || (kind == CRAFTY_KIND_SIGN && is_side(target->face)))
        front = target->normal;
    if ((kind == CRAFTY_KIND_STAIRS || kind == CRAFTY_KIND_SLAB) && aims_at_upper_half(target))
        block = crafty_block_other_half(families, block);
    return crafty_block_turned(families, block, direction_of(front));
}

bool crafty_orient(const CraftyBlockFamilies *families, CnBlock block, CnVec3 forward,
                   const CnVoxelHit *target, CnCell cell, CraftyPlacement *placement)
{
    *placement = (CraftyPlacement){.cells = {cell}, .blocks = {block}, .count = 1};
    if (!families)
        return true;
    CraftyBlockKind kind = crafty_block_kind(families, block);
    if ((kind == CRAFTY_KIND_LADDER && !is_side(target->face)) ||
        (kind == CRAFTY_KIND_SIGN && target->face == CN_FACE_NEG_Y))
        return false;
    const int32_t own[3] = {cell.x, cell.y, cell.z};
    int32_t other[3];
    placement->blocks[0] = variant_of(families, block, forward, target);
    if (crafty_block_other_cell(families, placement->blocks[0], own, other)) {
        placement->cells[1] = (CnCell){other[0], other[1], other[2]};
        placement->blocks[1] = crafty_block_other_half(families, placement->blocks[0]);
        placement->count = 2;
    }
    return true;
}

/* Returns whether there is a slab of the same item, lower or upper. */
static bool is_half(const CraftyBlockFamilies *families, CnVoxels *voxels, CnBlock block,
                    CnCell cell, bool is_upper)
{
    if (!cn_cell_is_in_world(cell))
        return false;
    CnBlock there = cn_voxels_get(voxels, cell);
    CnBlock lower = crafty_block_of_item(families, block);
    return there == (is_upper ? crafty_block_other_half(families, lower) : lower);
}

bool crafty_orient_combine(const CraftyBlockFamilies *families, CnVoxels *voxels, CnBlock block,
                           const CnVoxelHit *target, CnCell cell, CraftyPlacement *placement)
{
    if (!families || crafty_block_kind(families, block) != CRAFTY_KIND_SLAB)
        return false;
    CnBlock full = crafty_block_full(families, block);
    bool is_inner =
        (target->face == CN_FACE_POS_Y && is_half(families, voxels, block, target->cell, false)) ||
        (target->face == CN_FACE_NEG_Y && is_half(families, voxels, block, target->cell, true));
    if (full == CN_BLOCK_NONE ||
        (!is_inner && !is_half(families, voxels, block, cell, !aims_at_upper_half(target))))
        return false;
    *placement =
        (CraftyPlacement){.cells = {is_inner ? target->cell : cell}, .blocks = {full}, .count = 1};
    return true;
}

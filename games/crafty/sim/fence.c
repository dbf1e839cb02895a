#include "fence.h"

#include "undo.h"

#include <stdio.h>
#include <string.h>

static const int8_t steps[CRAFTY_DIRECTION_COUNT][2] = {[CRAFTY_NORTH] = {0, -1},
                                                        [CRAFTY_EAST] = {1, 0},
                                                        [CRAFTY_SOUTH] = {0, 1},
                                                        [CRAFTY_WEST] = {-1, 0}};

/* Returns the length of the name without its arms; 0: not a fence. */
static size_t fence_name(const char *name)
{
    const char *end = strstr(name, "_fence");
    size_t length = end ? (size_t)(end - name) + strlen("_fence") : 0;
    if (!end || (name[length] && strncmp(name + length, "_joined_", 8) != 0))
        return 0;
    return length;
}

static bool is_gate(const CraftyBlocks *blocks, CnBlock block)
{
    return blocks->families && crafty_block_kind(blocks->families, block) == CRAFTY_KIND_GATE;
}

/* Returns whether fences reach to a block. */
static bool attracts(const CraftyBlocks *blocks, CnBlock block)
{
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    return (table->flags[block] & CN_BLOCK_IS_OPAQUE) || is_gate(blocks, block) ||
           fence_name(cn_block_info(table, block)->name);
}

static bool is_joined_to(const CraftyBlocks *blocks, CnCell cell, CraftyDirection direction)
{
    CnCell at = {cell.x + steps[direction][0], cell.y, cell.z + steps[direction][1]};
    if (!cn_cell_is_in_world(at))
        return false;
    CnBlock block = cn_voxels_get(blocks->voxels, at);
    /* The bars of a gate go across its direction. */
    if (is_gate(blocks, block))
        return crafty_block_direction(blocks->families, block) % 2 != direction % 2;
    return attracts(blocks, block);
}

CnBlock crafty_fence_joined(const CraftyBlocks *blocks, CnCell cell, CnBlock block)
{
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    const char *name = cn_block_info(table, block)->name;
    size_t length = fence_name(name);
    if (length == 0)
        return block;
    char joined[2 * CN_BLOCK_NAME_BYTES];
    uint32_t arms = 0;
    for (uint32_t i = 0; i < CRAFTY_DIRECTION_COUNT; i++)
        arms |= (uint32_t)is_joined_to(blocks, cell, (CraftyDirection)i) << i;
    if (arms)
        snprintf(joined, sizeof joined, "%.*s_joined_%u", (int)length, name, arms);
    else
        snprintf(joined, sizeof joined, "%.*s", (int)length, name);
    CnBlock found = cn_block_find(table, joined);
    return found == CN_BLOCK_NONE ? block : found;
}

/* The block stays a fence, so nothing drops. */
static void update(CnWorld *world, CnEntity player, const CnEdit *cause, CnCell cell)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    if (!cn_cell_is_in_world(cell))
        return;
    CnBlock block = cn_voxels_get(blocks->voxels, cell);
    CnEdit edit = {.tick = cause->tick,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = crafty_fence_joined(blocks, cell, block)};
    if (edit.new_block == block || !cn_voxels_edit(blocks->voxels, &edit, NULL))
        return;
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    if (own && crafty_player_is_creative(own) &&
        (cause->kind == CN_EDIT_PLACE || cause->kind == CN_EDIT_BREAK))
        crafty_undo_note(world, player, &edit);
}

void crafty_fence_watch(CnWorld *world, CnQuery *players, const CnEdit *edit)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    bool is_fence =
        fence_name(cn_block_info(cn_voxels_blocks(blocks->voxels), edit->new_block)->name);
    /* Most edits change nothing that fences reach to. */
    if (edit->kind == CN_EDIT_FLOW || edit->kind == CN_EDIT_UNDO ||
        (!is_fence && !is_gate(blocks, edit->new_block) &&
         attracts(blocks, edit->old_block) == attracts(blocks, edit->new_block)))
        return;
    CnEntity player = crafty_player_find(players, edit->player);
    update(world, player, edit, edit->cell);
    for (uint32_t i = 0; i < CRAFTY_DIRECTION_COUNT; i++)
        update(world, player, edit,
               (CnCell){edit->cell.x + steps[i][0], edit->cell.y, edit->cell.z + steps[i][1]});
}

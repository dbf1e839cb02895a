#include "use.h"

#include "bed.h"
#include "inventory.h"
#include "mod/mod_run.h"
#include "player.h"
#include "player_event.h"
#include "sign.h"

/* ---- Doors ---- */

static bool is_door(const CraftyBlockFamilies *families, CnBlock block)
{
    return families && crafty_block_kind(families, block) == CRAFTY_KIND_DOOR;
}

static bool toggle(const CraftyBlocks *blocks, CnEdit edit)
{
    CnBlock block = cn_voxels_get(blocks->voxels, edit.cell);
    if (!is_door(blocks->families, block))
        return false;
    edit.new_block = crafty_block_toggled(blocks->families, block);
    return cn_voxels_edit(blocks->voxels, &edit, NULL);
}

/* Both halves turn together. */
static bool use_door(const CraftyBlocks *blocks, CnEdit edit, CnBlock block)
{
    const int32_t own[3] = {edit.cell.x, edit.cell.y, edit.cell.z};
    int32_t other[3];
    if (!toggle(blocks, edit))
        return false;
    if (crafty_block_other_cell(blocks->families, block, own, other)) {
        edit.cell = (CnCell){other[0], other[1], other[2]};
        toggle(blocks, edit);
    }
    return true;
}

/* ---- All blocks ---- */

static CnEdit edit_of(const CnWorld *world, CnEntity player, CnCell cell)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    return (CnEdit){.tick = info ? info->tick : 0,
                    .player = own ? own->player : CN_EDIT_NOBODY,
                    .kind = CN_EDIT_PLACE,
                    .face = CN_EDIT_NO_FACE,
                    .cell = cell};
}

static bool use(CnWorld *world, CnEntity player, CnCell cell)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    CnBlock block = cn_voxels_get(blocks->voxels, cell);
    if (crafty_mods_use_block(world, player, cell, block))
        return true;
    CraftyOpen opens = crafty_inventory_of_block(table, block);
    if (crafty_sign_is(table, block))
        opens = CRAFTY_OPEN_SIGN;
    if (opens != CRAFTY_OPEN_NOTHING) {
        crafty_inventory_open(world, player, opens, cell);
        return true;
    }
    if (blocks->families && crafty_block_kind(blocks->families, block) == CRAFTY_KIND_GATE) {
        CnEdit edit = edit_of(world, player, cell);
        edit.new_block = crafty_block_toggled(blocks->families, block);
        return cn_voxels_edit(blocks->voxels, &edit, NULL);
    }
    if (is_door(blocks->families, block))
        return use_door(blocks, edit_of(world, player, cell), block);
    return crafty_bed_use(world, player, cell);
}

bool crafty_use_block(CnWorld *world, CnEntity player, CnCell cell)
{
    if (!use(world, player, cell))
        return false;
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    crafty_player_event_send(
        world, &(CraftyPlayerEvent){.player = player,
                                    .kind = CRAFTY_PLAYER_USED,
                                    .item = cn_voxels_get(blocks->voxels, cell),
                                    .position = cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f,
                                                        (float)cell.z + 0.5f)});
    return true;
}

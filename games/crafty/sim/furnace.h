/*
 * Furnaces: smelt what is in their first slot while fuel burns.
 *
 *     CraftyFurnace furnace;
 *     if (crafty_furnace_read(world, cell, &furnace) && furnace.total)
 *         draw_arrow((float)furnace.progress / (float)furnace.total);
 *
 * The contents are block data of the kind "crafty.furnace"; docs/formats.md describes its bytes. It
 * contains ticks at which something happens next, so a burning furnace costs one comparison per
 * tick and its data changes only then. A furnace goes on whichever chunks are loaded, and after a
 * world was saved and opened again. A burning furnace is a "lit_..." block.
 */
#ifndef CRAFTY_SIM_FURNACE_H
#define CRAFTY_SIM_FURNACE_H

#include "stack.h"

#include <cairn/ecs/world.h>
#include <cairn/voxel/block_data.h>

#define CRAFTY_FURNACE_KIND "crafty.furnace"

enum {
    CRAFTY_FURNACE_INPUT,
    CRAFTY_FURNACE_FUEL,
    CRAFTY_FURNACE_RESULT, /* items are only taken from it */
    CRAFTY_FURNACE_SLOTS
};

/* Ticks are those of the moment at which it was read. */
typedef struct CraftyFurnace {
    CraftyStack slots[CRAFTY_FURNACE_SLOTS];
    uint32_t burn_left, burn_total; /* of the fuel that burns; 0: nothing burns */
    uint32_t progress, total;       /* of what is smelted; total is 0 if the input does not smelt */
} CraftyFurnace;

/* Returns whether the block is a furnace, lit or not. */
bool crafty_furnace_is_block(const CnBlockTable *blocks, CnBlock block);
/* Reads the furnace in a cell. Returns false if there is none, or if its data is of another kind or
 * malformed; it is left alone then. */
bool crafty_furnace_read(const CnWorld *world, CnCell cell, CraftyFurnace *furnace);
/* Replaces contents and state; lights the next fuel if there is something to smelt. Returns false
 * and an error when out of memory; nothing has changed then. */
bool crafty_furnace_write(CnWorld *world, CnCell cell, const CraftyFurnace *furnace,
                          CnError *error);
/* Decodes the slots of block data. Returns false if it is not that of a furnace. */
bool crafty_furnace_decode(const CnVoxels *voxels, const CnBlockData *data,
                           CraftyStack slots[CRAFTY_FURNACE_SLOTS]);

/* Adds the system CraftyFurnaces; after crafty_player_add. */
bool crafty_furnaces_add(CnWorld *world, CnError *error);

#endif

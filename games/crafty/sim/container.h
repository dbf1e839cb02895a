/*
 * Containers: blocks that hold stacks of items. Crates, chests and barrels have 27 slots,
 * blocks of mods as many as they say.
 *
 *     CraftyContainer container;
 *     if (crafty_container_read(voxels, cell, &container))
 *         show(container.slots);
 *
 * The contents are block data of the kind "crafty.container" (cairn/voxel/block_data.h), in older
 * worlds of "crafty.crate"; docs/formats.md describes their bytes. Players change them with the
 * commands of inventory.h.
 *
 * When a container or a furnace is broken, its contents drop. What cannot drop stays in the block,
 * which then is not broken.
 */
#ifndef CRAFTY_SIM_CONTAINER_H
#define CRAFTY_SIM_CONTAINER_H

#include "stack.h"

#include <cairn/ecs/world.h>
#include <cairn/voxel/block_data.h>

#define CRAFTY_CONTAINER_SLOTS 27u
#define CRAFTY_CRATE "crate"                     /* the block */
#define CRAFTY_CONTAINER_KIND "crafty.container" /* the block data */
#define CRAFTY_CRATE_KIND "crafty.crate"         /* the same without wear; only read */

typedef struct CraftyContainer {
    CraftyStack slots[CRAFTY_CONTAINER_SLOTS];
} CraftyContainer;

/* Returns whether the block is a container. */
bool crafty_container_is_block(const CnBlockTable *blocks, CnBlock block);
/* Returns how many slots it has; 0 if it is none. */
uint32_t crafty_container_slots(const CnBlockTable *blocks, CnBlock block);
/* Reads the contents of the container in a cell. Returns false if there is no container, or if its
 * data is of another kind or malformed, as that of a mod or of another version; it is left alone
 * then. */
bool crafty_container_read(CnVoxels *voxels, CnCell cell, CraftyContainer *container);
/* Replaces the contents; an empty container has no data. Returns false and an error when out of
 * memory; nothing has changed then. */
bool crafty_container_write(CnVoxels *voxels, CnCell cell, const CraftyContainer *container,
                            CnError *error);
/* Returns whether there is a container or a furnace whose contents drop when it is replaced. */
bool crafty_container_drops(CnVoxels *voxels, CnCell cell);
/* Returns whether a part of the cell is within CN_REACH of the eye. */
bool crafty_container_is_near(CnVec3 eye, CnCell cell);

/* Makes broken containers and furnaces drop their contents; after crafty_player_add. */
bool crafty_containers_add(CnWorld *world, CnError *error);
/* Undoes crafty_containers_add, before the world is destroyed. */
void crafty_containers_remove(CnWorld *world);

#endif

/*
 * Variants of blocks: directions, halves, open and closed doors, lit and unlit furnaces.
 *
 *     CraftyBlockFamilies *families = crafty_block_families_create(NULL, table, &error);
 *     CnBlock door = cn_block_find(table, "oak_door_north_lower");
 *     CnBlock open = crafty_block_toggled(families, crafty_block_turned(families, door,
 * CRAFTY_EAST)); crafty_block_families_destroy(families);
 *
 * Variants are recognized by their names when the families are created: the name of the item,
 * optionally with lit_ before it, then _north, _east, _south or _west (the direction that the front
 * faces), then _open, then _lower, _upper, _foot, _head or _top. The item places the variant that
 * faces north, is closed, unlit, and the lower half, foot or lower slab. Blocks of mods follow the
 * same rules. A fence with arms, oak_fence_joined_5, has the item of the fence without. All
 * functions accept any block: one without variants is its own only variant.
 */
#ifndef CRAFTY_WORLD_BLOCK_FAMILY_H
#define CRAFTY_WORLD_BLOCK_FAMILY_H

#include <cairn/base/text.h>
#include <cairn/voxel/block.h>

typedef enum CraftyDirection {
    CRAFTY_NORTH, /* -z */
    CRAFTY_EAST,  /* +x */
    CRAFTY_SOUTH, /* +z */
    CRAFTY_WEST,  /* -x */
    CRAFTY_DIRECTION_COUNT
} CraftyDirection;

/* What a block is for the rules of the game. */
typedef enum CraftyBlockKind {
    CRAFTY_KIND_PLAIN,
    CRAFTY_KIND_CRAFTING_TABLE,
    CRAFTY_KIND_CHEST,
    CRAFTY_KIND_FURNACE,
    CRAFTY_KIND_DOOR,      /* fills two cells, one above the other */
    CRAFTY_KIND_BED,       /* fills two cells; the head lies in its direction from the foot */
    CRAFTY_KIND_LADDER,    /* hangs on the block behind it, opposite to its direction */
    CRAFTY_KIND_SIGN,      /* stands on the block below */
    CRAFTY_KIND_WALL_SIGN, /* hangs on the block behind it */
    CRAFTY_KIND_STAIRS,    /* the low side faces its direction */
    CRAFTY_KIND_SLAB,
    CRAFTY_KIND_GATE, /* of a fence; its bars go across its direction */
    CRAFTY_KIND_COUNT
} CraftyBlockKind;

typedef struct CraftyBlockFamilies CraftyBlockFamilies;

/* `table` is closed and outlives the families. `allocator` may be NULL (the system allocator).
 * Returns NULL and sets `error` when out of memory. */
CraftyBlockFamilies *crafty_block_families_create(CnAllocator *allocator, const CnBlockTable *table,
                                                  CnError *error);
void crafty_block_families_destroy(CraftyBlockFamilies *families); /* NULL is ignored */

CraftyBlockKind crafty_block_kind(const CraftyBlockFamilies *families, CnBlock block);
/* Returns whether the block has variants for all directions. */
bool crafty_block_has_direction(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the direction that the block faces; north for blocks without one. */
CraftyDirection crafty_block_direction(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the same variant, facing another direction. */
CnBlock crafty_block_turned(const CraftyBlockFamilies *families, CnBlock block,
                            CraftyDirection direction);
bool crafty_block_is_open(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the open variant of a closed block, and the other way round. */
CnBlock crafty_block_toggled(const CraftyBlockFamilies *families, CnBlock block);
bool crafty_block_is_lit(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the lit variant of an unlit block, and the other way round. */
CnBlock crafty_block_relit(const CraftyBlockFamilies *families, CnBlock block);
/* Returns whether the block is the upper half of a door, the head of a bed, upside-down stairs or
 * an upper slab. */
bool crafty_block_is_second(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the other half of a door or bed, or the stairs or slab turned upside down. */
CnBlock crafty_block_other_half(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the block that two slabs of this kind fill a cell with, found by name: "stone" for
 * stone_slab, "oak_planks" for oak_slab, "bricks" for brick_slab. CN_BLOCK_NONE if there is none,
 * and for all other blocks. */
CnBlock crafty_block_full(const CraftyBlockFamilies *families, CnBlock block);
/* Stores the cell of the other half of a door or bed in `other`. Returns false for all other
 * blocks. */
bool crafty_block_other_cell(const CraftyBlockFamilies *families, CnBlock block,
                             const int32_t cell[3], int32_t other[3]);
/* Returns the sign that hangs on a wall instead of standing, and the other way round; any other
 * block itself. */
CnBlock crafty_block_hung(const CraftyBlockFamilies *families, CnBlock block);

/* Returns the variant that the item of this block places: the wall sign's is the standing sign. */
CnBlock crafty_block_of_item(const CraftyBlockFamilies *families, CnBlock block);
/* Returns the name of the item of a block, without the variant: "oak_door". The block's own name if
 * it has no variants. Valid as long as the families. */
const char *crafty_block_item_name(const CraftyBlockFamilies *families, CnBlock block);

/* Copies the name of the item that places the block of this name, for use before families exist.
 * "oak_door_north_lower" and "oak_door_south_open_upper" give "oak_door". */
CnText crafty_block_name_of_item(CnText block_name);

#endif

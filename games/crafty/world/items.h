/*
 * Items: what players hold, take from menus and use. Every placeable block has an item; other items
 * place nothing. items_file.h reads their properties.
 *
 *     CraftyItems *items = crafty_items_create(&(CraftyItemsDesc){.blocks = blocks}, &error);
 *     crafty_items_add_blocks(items, &error); // one item for each placeable block
 *     crafty_items_add(items, &(CraftyItemDesc){.name = "stick", .title = "Stick"}, &error);
 *     CraftyItem stone = crafty_items_find(items, "stone");
 *     CnBlock block = crafty_items_info(items, stone)->block;
 *     crafty_items_destroy(items);
 *
 * Numbers belong to one world: they follow from its palette, the names in order of their numbers,
 * and from the order in which new items are added. Everything that is written contains names, or
 * numbers together with the palette, so it survives another numbering. A name of a palette that
 * nothing describes keeps its number: it is an unknown item, which places nothing.
 *
 * One thread changes a registry, before it is used; afterwards any thread may read it.
 */
#ifndef CRAFTY_WORLD_ITEMS_H
#define CRAFTY_WORLD_ITEMS_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>
#include <cairn/voxel/block.h>

#define CRAFTY_ITEM_NAME_BYTES 64u /* including the terminator */
#define CRAFTY_MAX_ITEMS 65535u
#define CRAFTY_STACK_MAX 64u /* default size of a stack */

typedef uint16_t CraftyItem; /* a number in the registry of a world */
#define CRAFTY_NO_ITEM 0u

typedef enum CraftyTool {
    CRAFTY_TOOL_NONE,
    CRAFTY_TOOL_PICKAXE,
    CRAFTY_TOOL_AXE,
    CRAFTY_TOOL_SHOVEL,
    CRAFTY_TOOL_HOE,
    CRAFTY_TOOL_SWORD,
    CRAFTY_TOOL_SHEARS,
    CRAFTY_TOOL_BUCKET,
    CRAFTY_TOOL_COUNT
} CraftyTool;

/* Of tools; also what a block needs to drop something (block_rules.h). */
typedef enum CraftyTier {
    CRAFTY_TIER_HAND,
    CRAFTY_TIER_WOOD,
    CRAFTY_TIER_STONE,
    CRAFTY_TIER_IRON,
    CRAFTY_TIER_GOLD,
    CRAFTY_TIER_DIAMOND,
    CRAFTY_TIER_COUNT
} CraftyTier;

#define CRAFTY_MAX_FOOD_POINTS 20u
#define CRAFTY_MAX_FUEL_SECONDS 3600.0f
#define CRAFTY_MAX_DURABILITY 10000u

typedef struct CraftyItems CraftyItems;

typedef struct CraftyItemsDesc {
    CnAllocator *allocator;     /* NULL: the system allocator */
    const CnBlockTable *blocks; /* of the world; required; must outlive the items */
    CnText palette; /* of the world, from crafty_items_write_palette; empty: a new world */
} CraftyItemsDesc;

/* Zero selects the default of each field. */
typedef struct CraftyItemDesc {
    const char *name;   /* lower-case letters, digits, '_' and ':'; unique; copied */
    const char *title;  /* shown to players; NULL: the name; copied */
    CnBlock block;      /* that it places; CN_BLOCK_AIR: none */
    uint16_t stack_max; /* how many a slot holds; 0: CRAFTY_STACK_MAX, 1 with a durability */
    CraftyTool tool;
    CraftyTier tier;
    uint16_t durability;   /* uses until it breaks; 0: it does not wear */
    uint16_t food;         /* points that eating it gives; 0: it is not eaten */
    float fuel_seconds;    /* that it burns in a furnace; 0: it does not burn */
    const char *tile;      /* name of its picture; NULL: that of its block; copied */
    const char *remainder; /* name of the item that is left when it is used up; NULL: none */
} CraftyItemDesc;

/* The same, with defaults replaced. */
typedef struct CraftyItemInfo {
    const char *name, *title;
    CnBlock block;      /* CN_BLOCK_AIR: it places nothing */
    uint16_t stack_max; /* at least 1 */
    uint8_t tool, tier;
    uint16_t durability, food;
    float fuel_seconds;
    const char *tile;     /* NULL: the picture of its block */
    CraftyItem remainder; /* such as the bucket of water in a recipe, the bowl of a stew */
    bool is_known;        /* it was added; otherwise only the palette names it */
} CraftyItemInfo;

/* Returns NULL and an error if the palette is malformed or when out of memory. */
CraftyItems *crafty_items_create(const CraftyItemsDesc *desc, CnError *error);
/* NULL is ignored. */
void crafty_items_destroy(CraftyItems *items);

/* Adds an item. Returns its number, or CRAFTY_NO_ITEM and an error if the name is not valid or was
 * added before, if the block is not placeable or has an item already, at the limit, or when out of
 * memory. */
CraftyItem crafty_items_add(CraftyItems *items, const CraftyItemDesc *desc, CnError *error);
/* Adds an item with name and title of the block for every placeable block. The item of a block with
 * a direction has neither: oak_door places oak_door_north_lower. */
bool crafty_items_add_blocks(CraftyItems *items, CnError *error);
/* Changes the properties of an item that was added, except for name and block. Fields of `desc`
 * that are zero stay as they are. Returns false and an error when out of memory or if there is no
 * such remainder. */
bool crafty_items_change(CraftyItems *items, CraftyItem item, const CraftyItemDesc *desc,
                         CnError *error);

/* Returns the item with this name, also if it is unknown; CRAFTY_NO_ITEM when there is none. */
CraftyItem crafty_items_find(const CraftyItems *items, const char *name);
/* Returns the item that places this block or another one of its family: the item of
 * oak_door_south_open_upper is oak_door. CRAFTY_NO_ITEM when there is none. */
CraftyItem crafty_items_of_block(const CraftyItems *items, CnBlock block);
/* Returns the description of an item; NULL if no item has this number. Valid until the next item is
 * added. */
const CraftyItemInfo *crafty_items_info(const CraftyItems *items, uint32_t item);
/* Returns the block that an item places; CN_BLOCK_AIR if it places none or does not exist. */
CnBlock crafty_items_block(const CraftyItems *items, uint32_t item);

/* Enumerates the items that were added, in this order, for menus: `index` is below the count. */
uint32_t crafty_items_count(const CraftyItems *items);
CraftyItem crafty_items_at(const CraftyItems *items, uint32_t index);

/* Appends the palette: all names in order of their numbers, separated by commas. Returns false when
 * out of memory; the builder is unchanged then. */
bool crafty_items_write_palette(const CraftyItems *items, CnTextBuilder *builder);
/* Returns whether the text is a valid name of an item. */
bool crafty_item_name_valid(CnText name);

#endif

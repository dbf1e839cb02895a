/*
 * Block types: a table of their properties, which the game fills at run time.
 *
 *     CnError error = {0};
 *     CnBlockTable *table = cn_block_table_create(NULL, &error);
 *     CnBlockInfo marble = cn_block_info_default("marble");
 *     CnBlock number = CN_BLOCK_NONE;
 *     marble.hardness = 2;
 *     if (table && cn_block_table_add(table, &marble, &number, &error)) {
 *         cn_block_table_close(table); // from now on, worlds can use it
 *         puts(cn_block_info(table, number)->title); // "Marble"
 *     }
 *     cn_block_table_destroy(table);
 *
 * Blocks are identified by name. A number (CnBlock) is valid for one table: numbers are given in
 * the order of registration. Whatever outlives a table is written with names; see
 * cairn/voxel/block_palette.h. The engine itself knows only air and water, which every table has
 * under fixed numbers; everything else comes from the game. Several tables may exist in one
 * process, each with worlds of its own.
 *
 * A table is filled by one thread and then closed. A closed table is immutable, so that any thread
 * may read it. It must outlive everything that was created with it: generators, worlds, chunks,
 * palettes and block views.
 */
#ifndef CAIRN_VOXEL_BLOCK_H
#define CAIRN_VOXEL_BLOCK_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef uint16_t CnBlock;

/* The largest number that fits into a quad (cairn/voxel/mesh.h). */
#define CN_BLOCK_MAX 4095
/* Not a block. */
#define CN_BLOCK_NONE UINT16_MAX
#define CN_BLOCK_NAME_BYTES 64 /* of names and titles, including the terminating zero */

/* The blocks of every table: "air", "water" (a source) and "water_1" to "water_7" (flowing water;
 * cairn/voxel/water.h). */
enum {
    CN_BLOCK_AIR = 0,
    CN_BLOCK_WATER = 6,
    CN_BLOCK_WATER_1 = 7,
    CN_BLOCK_WATER_2,
    CN_BLOCK_WATER_3,
    CN_BLOCK_WATER_4,
    CN_BLOCK_WATER_5,
    CN_BLOCK_WATER_6,
    CN_BLOCK_WATER_7
};

typedef enum CnBlockMaterial {
    CN_BLOCK_MATERIAL_OPAQUE,
    CN_BLOCK_MATERIAL_SEMI, /* leaves, glass: holes by alpha test */
    CN_BLOCK_MATERIAL_WATER,
    CN_BLOCK_MATERIAL_PROP, /* flowers, torches; also air, which fits none of the above */
    CN_BLOCK_MATERIAL_COUNT
} CnBlockMaterial;

typedef enum CnBlockSurface {
    CN_BLOCK_SURFACE_STONE,
    CN_BLOCK_SURFACE_GRASS,
    CN_BLOCK_SURFACE_SAND,
    CN_BLOCK_SURFACE_WOOD,
    CN_BLOCK_SURFACE_COUNT
} CnBlockSurface;

/* Bits of CnBlockInfo.appearance. shaders/render/block/blocks.glsl repeats them. */
#define CN_BLOCK_LOOK_TURNS 1u   /* tiles without an orientation: turned by position */
#define CN_BLOCK_LOOK_MIRRORS 2u /* sides and props: mirrored horizontally by position */
#define CN_BLOCK_LOOK_CLIMATE 4u /* tinted by the climate map (cairn/render/blocks.h) */
#define CN_BLOCK_LOOK_FOLIAGE 8u /* translucent */
#define CN_BLOCK_LOOK_ALL 15u

/* A direction that the front of a block faces, for blocks that exist in four variants. */
typedef enum CnBlockFacing {
    CN_BLOCK_FACING_NONE,
    CN_BLOCK_FACING_NORTH, /* -z */
    CN_BLOCK_FACING_EAST,  /* +x */
    CN_BLOCK_FACING_SOUTH, /* +z */
    CN_BLOCK_FACING_WEST,  /* -x */
    CN_BLOCK_FACING_COUNT
} CnBlockFacing;

/* The shape of a block that does not fill its cell: boxes in 1/16 of a block, which may touch and
 * overlap each other. Their tiles are cut out of those of a full cube. */
#define CN_BLOCK_SHAPE_BOXES 8  /* at most */
#define CN_BLOCK_SHAPE_FACES 64 /* rectangles that its surface is divided into, at most */
#define CN_BLOCK_SHAPE_UNITS 16 /* of length in a block */
typedef struct CnBlockBox {
    uint8_t low[3], high[3]; /* low < high <= 16 on each axis */
} CnBlockBox;
typedef struct CnBlockShape {
    uint32_t count;
    CnBlockBox boxes[CN_BLOCK_SHAPE_BOXES];
} CnBlockShape;

typedef struct CnBlockInfo {
    const char *name;           /* "grass": 1 to 63 of a-z, 0-9, _ and : */
    const char *title;          /* "Grass": shown to players; NULL: derived from the name */
    uint16_t side, bottom, top; /* layers of the texture array (cairn/voxel/tiles.h) */
    uint16_t front;             /* layer of the side in direction `facing`; 0: like `side` */
    uint8_t facing;             /* CnBlockFacing; turns the tile of the top, too */
    uint8_t tint[3];            /* sRGB; 255 255 255 for no tint */
    uint8_t material;           /* CnBlockMaterial */
    uint8_t surface;            /* CnBlockSurface */
    uint8_t appearance;         /* CN_BLOCK_LOOK_... */
    uint8_t light_level;        /* block light emitted, 0 to 15 */
    /* Subtracted in addition to 1 when light enters; 15 blocks it. A block with a shape that blocks
     * light is still lit through the sides that it does not fill. */
    uint8_t light_loss;
    bool emits_light; /* glows; with a light_radius, it is a point light as well */
    bool collidable;
    bool placeable;       /* offered to players in the block menu */
    bool replaceable;     /* replaced by a block placed in its cell: air, water, short grass */
    bool stacks;          /* a prop that also stands on blocks of its own type: reeds, ladders */
    bool stands_on_water; /* a prop that also stands on still water: lily pads */
    bool is_placeholder;  /* stands for a block that nothing registered: see block_palette.h */
    bool climbable;       /* bodies climb up and down in its cell: ladders */
    /* Of a block with the material of props, which then has faces and needs no support; NULL: a
     * full cube or a plain prop. cn_block_table_add copies it. */
    const CnBlockShape *shape;
    float hardness; /* breaking takes hardness x 1,500 ms; 0: instant; negative: unbreakable */
    float light_color[3], light_intensity, light_radius;
    uint8_t color[3]; /* mean of the tinted top tile, sRGB; for particles and maps */
    uint8_t slots;    /* of its inventory, for games; the voxel world does not use it */
} CnBlockInfo;

/* Returns an opaque block that can be placed and broken: hardness 1, the surface of stone, texture
 * layer 0, gray, no light. `name` is not copied. */
CN_API CnBlockInfo cn_block_info_default(const char *name);

/* One byte of flags per block, for inner loops. A registered block has exactly one of the IS
 * flags. */
#define CN_BLOCK_IS_OPAQUE 1u
#define CN_BLOCK_IS_SEMI 2u
#define CN_BLOCK_IS_WATER 4u
#define CN_BLOCK_IS_PROP 8u /* not air */
#define CN_BLOCK_IS_AIR 16u
#define CN_BLOCK_GLOWS 32u       /* light_level > 0 */
#define CN_BLOCK_COLLIDES 64u    /* collidable */
#define CN_BLOCK_DIMS_LIGHT 128u /* light_loss > 0 */

/* Read-only outside of the module. */
typedef struct CnBlockTable {
    const CnBlockInfo *info;       /* by number; may move while the table is open */
    uint32_t count;                /* every number in use is smaller */
    bool is_closed;                /* immutable; may be used by worlds */
    uint8_t flags[UINT16_MAX + 1]; /* by number, for every CnBlock; 0: not registered */
} CnBlockTable;

/* Creates an open table that contains air and water. `allocator` may be NULL (the system
 * allocator). Returns NULL and sets `error` when out of memory. */
CN_API CnBlockTable *cn_block_table_create(CnAllocator *allocator, CnError *error);
CN_API void cn_block_table_destroy(CnBlockTable *table); /* NULL is ignored */

/* Registers a block and stores its number in `number`, unless that is NULL. Numbers are given in
 * order, skipping those of water. Air and the water blocks exist already: registering one of them
 * sets its properties, once; the material of water must be water, and air keeps its own. Name and
 * title are copied. Returns false, sets `error` and changes nothing if the table is closed or full,
 * if the name is invalid or taken, if a property is out of range, or when out of memory. The error
 * names the block. */
CN_API bool cn_block_table_add(CnBlockTable *table, const CnBlockInfo *info, CnBlock *number,
                               CnError *error);
/* Registers a placeholder for a block that is known by name only, for example from a saved world
 * whose mod is missing: it keeps the block's cells and its name in files until the block is
 * registered again. `look` gives its properties except for name and title; NULL selects
 * cn_block_info_default. Players cannot place it. Otherwise like cn_block_table_add. */
CN_API bool cn_block_table_add_placeholder(CnBlockTable *table, const char *name,
                                           const CnBlockInfo *look, CnBlock *number,
                                           CnError *error);
/* Closes the table: it cannot be changed any more. Closing it again does nothing. */
CN_API void cn_block_table_close(CnBlockTable *table);

/* Returns the block with the given name, or CN_BLOCK_NONE. */
CN_API CnBlock cn_block_find(const CnBlockTable *table, const char *name);
/* Finds several blocks at once: stores the block of names[i] in blocks[i]. Returns false and sets
 * `error`, which lists the missing names after "blocks for <what>", if any is missing. */
CN_API bool cn_block_find_all(const CnBlockTable *table, const char *what, const char *const *names,
                              uint32_t count, CnBlock *blocks, CnError *error);

/* Returns whether the number is that of a registered block. */
static inline bool cn_block_exists(const CnBlockTable *table, CnBlock block)
{
    return table->flags[block] != 0;
}
/* Returns the properties of a block; those of air for numbers that are not registered. */
static inline const CnBlockInfo *cn_block_info(const CnBlockTable *table, CnBlock block)
{
    return &table->info[table->flags[block] ? block : 0];
}

/* Returns the boxes of a block that does not fill its cell; NULL: the whole cell. */
static inline const CnBlockShape *cn_block_shape(const CnBlockTable *table, CnBlock block)
{
    return table->flags[block] & CN_BLOCK_IS_PROP ? table->info[block].shape : NULL;
}
/* Returns whether the block is a plain prop: it stands on the block below and is washed away. */
static inline bool cn_block_is_plain_prop(const CnBlockTable *table, CnBlock block)
{
    return (table->flags[block] & CN_BLOCK_IS_PROP) && !table->info[block].shape;
}

/* Returns whether `neighbor` hides the face of `block` that touches it. Air and props have no
 * faces of this kind. */
static inline bool cn_block_hides(const CnBlockTable *table, CnBlock block, CnBlock neighbor)
{
    uint8_t own = table->flags[block], other = table->flags[neighbor];
    if ((own | other) & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP))
        return false;
    if (!(own & CN_BLOCK_IS_WATER) && (other & CN_BLOCK_IS_WATER))
        return false;
    return !((own & CN_BLOCK_IS_OPAQUE) && (other & CN_BLOCK_IS_SEMI));
}

CN_EXTERN_C_END

#endif

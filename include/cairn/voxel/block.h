/*
 * Block types: 16-bit ids and a table of their properties.
 *
 *     CnBlock stone = CN_BLOCK_STONE;           // special blocks have constant ids
 *     CnBlock wool = cn_block_find("red_wool"); // other blocks are found by name
 *     if (wool != CN_BLOCK_COUNT && cn_blocks[wool].hardness > cn_blocks[stone].hardness)
 *         puts(cn_blocks[wool].title);
 *
 * tools/blocks generates the tables when the library is built: first the special blocks of
 * block_metadata.json, in order, then the block families of the texture build, in alphabetical
 * order. Air has the id 0.
 */
#ifndef CAIRN_VOXEL_BLOCK_H
#define CAIRN_VOXEL_BLOCK_H

#include <cairn/base/api.h>
#include <cairn/voxel/block_ids.h> /* generated: CN_BLOCK_AIR = 0, ..., CN_BLOCK_COUNT */

CN_EXTERN_C_BEGIN

typedef uint16_t CnBlock;

/* The largest id that fits into a quad (cairn/voxel/mesh.h). */
#define CN_BLOCK_MAX 4095

typedef enum CnBlockMaterial {
    CN_BLOCK_MATERIAL_OPAQUE,
    CN_BLOCK_MATERIAL_SEMI, /* leaves, glass: holes by alpha test */
    CN_BLOCK_MATERIAL_WATER,
    CN_BLOCK_MATERIAL_PROP /* flowers, torches; also air, which fits none of the above */
} CnBlockMaterial;

typedef enum CnBlockSurface {
    CN_BLOCK_SURFACE_STONE,
    CN_BLOCK_SURFACE_GRASS,
    CN_BLOCK_SURFACE_SAND,
    CN_BLOCK_SURFACE_WOOD,
    CN_BLOCK_SURFACE_COUNT
} CnBlockSurface;

typedef struct CnBlockInfo {
    const char *name;           /* "grass": lower case, words joined by _ */
    const char *title;          /* "Grass": shown to players */
    uint16_t side, bottom, top; /* layers of the texture array */
    uint8_t tint[3];            /* sRGB; 255 255 255 for no tint */
    uint8_t material;           /* CnBlockMaterial */
    uint8_t surface;            /* CnBlockSurface */
    uint8_t light_level;        /* block light emitted, 0 to 15 */
    uint8_t light_loss;         /* subtracted in addition to 1 when light enters; 15 blocks it */
    bool emits_light;           /* glows; with a light_radius, it is a point light as well */
    bool collidable;
    bool placeable;   /* offered to players in the block menu */
    bool replaceable; /* replaced by a block placed in its cell: air, water, short grass */
    float hardness;   /* breaking takes hardness x 1,500 ms; 0: instant; negative: unbreakable */
    float light_color[3], light_intensity, light_radius;
    uint8_t color[3]; /* mean of the tinted top tile, sRGB; for particles and maps */
} CnBlockInfo;

CN_API extern const CnBlockInfo cn_blocks[CN_BLOCK_COUNT];

/* One byte of flags per block, for inner loops. Ids must be less than CN_BLOCK_COUNT. */
#define CN_BLOCK_IS_OPAQUE 1u
#define CN_BLOCK_IS_SEMI 2u
#define CN_BLOCK_IS_WATER 4u
#define CN_BLOCK_IS_PROP 8u /* not air */
#define CN_BLOCK_IS_AIR 16u
#define CN_BLOCK_GLOWS 32u       /* light_level > 0 */
#define CN_BLOCK_COLLIDES 64u    /* collidable */
#define CN_BLOCK_DIMS_LIGHT 128u /* light_loss > 0 */
CN_API extern const uint8_t cn_block_flags[CN_BLOCK_COUNT];

/* Returns the block with the given name, or CN_BLOCK_COUNT if there is none. */
CN_API CnBlock cn_block_find(const char *name);

/* Returns whether `neighbour` hides the face of `block` that touches it. Air and props have no
 * faces. */
static inline bool cn_block_hides(CnBlock block, CnBlock neighbour)
{
    uint8_t own = cn_block_flags[block], other = cn_block_flags[neighbour];
    if ((own | other) & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP))
        return false;
    if (!(own & CN_BLOCK_IS_WATER) && (other & CN_BLOCK_IS_WATER))
        return false;
    return !((own & CN_BLOCK_IS_OPAQUE) && (other & CN_BLOCK_IS_SEMI));
}

CN_EXTERN_C_END

#endif

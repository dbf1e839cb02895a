/*
 * Block types: numbers of 16 bits and what is known about them.
 *
 *     if (cn_blocks[block].material == CN_MATERIAL_PROP) ...
 *     CnBlock stone = CN_BLOCK_STONE;              // special ones have names and never move
 *     CnBlock wool = cn_block_find("red_wool");    // all others are found by name
 *
 * The tables are made when the library is built, by tools/blocks, from block_metadata.json (special
 * blocks, in order) and the families of the texture build (appended alphabetically). Air is 0.
 */
#ifndef CAIRN_VOXEL_BLOCK_H
#define CAIRN_VOXEL_BLOCK_H

#include <cairn/base/api.h>
#include <cairn/voxel/block_ids.h> /* generated: CN_BLOCK_AIR = 0, ..., CN_BLOCK_COUNT */

CN_EXTERN_C_BEGIN

typedef uint16_t CnBlock;

/* Ids above this do not fit into quads (cairn/voxel/mesh.h). */
#define CN_BLOCK_MAX 4095

typedef enum CnBlockMaterial {
    CN_MATERIAL_OPAQUE,
    CN_MATERIAL_SEMI, /* leaves, glass: holes by alpha */
    CN_MATERIAL_WATER,
    CN_MATERIAL_PROP /* flowers, torches; air too is none of the three above */
} CnBlockMaterial;

typedef enum CnSurface {
    CN_SURFACE_STONE,
    CN_SURFACE_GRASS,
    CN_SURFACE_SAND,
    CN_SURFACE_WOOD,
    CN_SURFACE_COUNT
} CnSurface;

typedef struct CnBlockInfo {
    const char *name;           /* "grass": lower case, words joined by _ */
    const char *title;          /* "Grass": for people */
    uint16_t side, bottom, top; /* tiles: layers of the texture array */
    uint8_t tint[3];            /* sRGB; 255 255 255: none */
    uint8_t material;           /* CnBlockMaterial */
    uint8_t surface;            /* CnSurface */
    uint8_t light_level;        /* 0 to 15: block light that it gives */
    uint8_t light_loss;         /* what light loses on the way in beside 1: 15 stops it */
    bool emits_light;           /* glows; those with a light_radius are point lights as well */
    bool collidable;
    bool placeable; /* shown to players who pick blocks */
    bool gives_way; /* what is placed there takes its place: air, water, short grass */
    float hardness; /* times 1,500 ms to break; 0: at once; below 0: never */
    float light_color[3], light_intensity, light_radius;
    uint8_t color[3]; /* mean of the top tile, tinted, sRGB: for particles and maps */
} CnBlockInfo;

CN_API extern const CnBlockInfo cn_blocks[CN_BLOCK_COUNT];

/* One byte a block for inner loops; ids of CN_BLOCK_COUNT and above never reach them. */
#define CN_BLOCK_IS_OPAQUE 1u
#define CN_BLOCK_IS_SEMI 2u
#define CN_BLOCK_IS_WATER 4u
#define CN_BLOCK_IS_PROP 8u /* not air */
#define CN_BLOCK_IS_AIR 16u
#define CN_BLOCK_GLOWS 32u    /* light_level > 0 */
#define CN_BLOCK_COLLIDES 64u /* collidable */
#define CN_BLOCK_DIMS 128u    /* light_loss > 0 */
CN_API extern const uint8_t cn_block_flags[CN_BLOCK_COUNT];

/* CN_BLOCK_COUNT: there is none of this name. */
CN_API CnBlock cn_block_find(const char *name);

/* A face of `block` towards `neighbour` is not seen. Air and props have no faces. */
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

/*
 * Features that a game adds to generated terrain: decorations, such as boulders, and structures,
 * such as ruins. They are data: patterns of blocks, and rules about where they stand.
 *
 *     static const CnBlock column[] = {7, 7, 7};
 *     static const CnPattern patterns[] = {{1, 3, 1, 1, column}};
 *     static const CnPlacement pillar = {.name = "pillar", .salt = 0xA11CE, .spacing = 32,
 *                                        .chance = CN_PLACEMENT_ALWAYS, .highest = 90,
 *                                        .patterns = patterns, .pattern_count = 1};
 *     CnGeneratorDesc desc = {.blocks = table, .seed = 42,
 *                             .placements = &pillar, .placement_count = 1};
 *
 * The world is divided into squares of `spacing` blocks for each placement. Each square has one
 * candidate, whose position and pattern follow from the seed, the salt and the square. It stands if
 * chance, biome and ground allow it. So every chunk knows what reaches into it without having
 * generated its neighbors.
 *
 * A structure replaces ground and stands alone: trees, plants, decorations and structures of later
 * placements keep off its area, and so does the structure from villages. A decoration replaces air
 * and plants only. Far terrain does not show placements.
 */
#ifndef CAIRN_VOXEL_PLACEMENT_H
#define CAIRN_VOXEL_PLACEMENT_H

#include <cairn/base/error.h>
#include <cairn/voxel/block.h>
#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

#define CN_PLACEMENT_MAX 256u
#define CN_PLACEMENT_MAX_PATTERNS 64u
#define CN_PLACEMENT_MAX_SPACING 4096u
#define CN_PLACEMENT_MAX_NAMES 16u /* blocks in `on` */
#define CN_PLACEMENT_ALWAYS 65536u /* chance of a candidate that always stands */
#define CN_PLACEMENT_FOUNDATION 16 /* blocks below a structure that are filled at most */
/* Edges of patterns, blocks. */
#define CN_STRUCTURE_MAX_WIDTH 48u
#define CN_DECORATION_MAX_WIDTH 16u
#define CN_PATTERN_MAX_HEIGHT 48u

typedef struct CnPattern {
    uint8_t width, height, depth; /* along x, y and z */
    uint16_t weight;              /* among the patterns of a placement; at least 1 */
    /* At x + width * (y + height * z). CN_BLOCK_NONE keeps what is there. */
    const CnBlock *blocks;
} CnPattern;

typedef struct CnPlacement {
    const char *name; /* in messages */
    uint64_t salt;    /* different for each placement */
    uint16_t spacing; /* blocks; edge of the squares, each of which has one candidate */
    /* Candidates of neighboring squares keep this distance in blocks; less than `spacing`. That of
     * a structure is at least the width of its patterns. */
    uint16_t separation;
    uint32_t chance;                    /* out of CN_PLACEMENT_ALWAYS */
    uint32_t biomes;                    /* bits 1 << CnBiome; 0: all */
    CnBlock on[CN_PLACEMENT_MAX_NAMES]; /* blocks that the ground has in its middle */
    uint8_t on_count;                   /* 0: any */
    int16_t lowest, highest;            /* y of the ground; it is never below the sea */
    uint8_t unevenness;                 /* how many blocks the ground may differ; 255: any */
    uint8_t sunk;                       /* layers of the pattern below the ground's surface */
    bool is_structure;
    CnBlock foundation; /* fills the space below a structure; CN_BLOCK_AIR: nothing does */
    const CnPattern *patterns;
    uint32_t pattern_count;
} CnPlacement;

/* Where a candidate stands. */
typedef struct CnPlaced {
    CnCell low;       /* the lowest corner of the pattern */
    uint32_t pattern; /* of CnPlacement.patterns */
} CnPlaced;

/* Returns false and an error that names the placement if one of them exceeds a limit, if two have
 * the same salt, or if all together are too dense. cn_generator_create checks them as well. */
CN_API bool cn_placements_check(const CnPlacement *placements, uint32_t count, CnError *error);

CN_EXTERN_C_END

#endif

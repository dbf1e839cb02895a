/*
 * Shared by the terrain files: the noise fields, a tile of columns, and the data of generators and
 * scratches. Erosion and features only use generator.h.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_TERRAIN_H
#define CAIRN_SRC_VOXEL_GENERATE_TERRAIN_H

#include "voxel/generate/generator.h"
#include "voxel/generate/placement.h"

#define CNI_VOXEL_TERRAIN_TILE 16
#define CNI_VOXEL_TERRAIN_TILE_COLUMNS 256

/* ---- Fields ---- */

/* Each field has its own lattice, derived from the seed and its name. */
typedef struct CniVoxelNoiseFields {
    CnNoise continent, temperature, humidity, special; /* climate */
    CnNoise relief, hills, ridges, valleys, patches;   /* shape of the ground */
    CnNoise caverns, cheese, tunnels[2][2];            /* caves */
    CnNoise ores[8];
} CniVoxelNoiseFields;

void cni_voxel_fields_init(CniVoxelNoiseFields *fields, uint64_t seed);

/* ---- Terrain: terrain.c ---- */

/* Up to 16 x 16 columns, stored by field: x + count * z. */
typedef struct CniVoxelTerrainTile {
    float height[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* before erosion */
    float temperature[CNI_VOXEL_TERRAIN_TILE_COLUMNS], humidity[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
        special[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    float continent[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    float river[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* bed height of rivers, regardless of erosion */
    float patch[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* small patches, -1 to 1: vary the top block */
} CniVoxelTerrainTile;

/* `grid->count` is at most CNI_VOXEL_TERRAIN_TILE. */
void cni_voxel_terrain_tile(const CniVoxelNoiseFields *fields, const CnColumnGrid *grid,
                            CniVoxelTerrainTile *tile);

/* ---- Biomes: biome.c ---- */

/* Compute the scale of hills and mountains of a climate, 0.4 (swamps) to 1.7 (rocky mountains), and
 * the degree to which it is a swamp, 0 to 1. Both are continuous. */
void cni_voxel_biome_scales(uint32_t count, const float *temperature, const float *humidity,
                            const float *special, float *scales, float *swamps);
/* cn_biome_blend for arrays. */
void cni_voxel_biome_blends(uint32_t count, const float *temperature, const float *humidity,
                            const float *special, int32_t *biomes, int32_t *others, float *blends);

/* ---- Soils: soil.c ---- */

/* Returns the top block of a column whose other fields are set. */
CniVoxelGenerated cni_voxel_soil_top(uint64_t seed, const CnColumn *column, float patch);
/* Returns the block at that depth below the top block. */
CnBlock cni_voxel_soil_under(const CniVoxelGeneratedBlocks *generated, CnBlock top, int32_t depth);

/* The layers of 256 columns, for filling chunks. `under` starts below the top block, `deep` below
 * that, followed by stone. */
typedef struct CniVoxelGround {
    int16_t ground[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    uint16_t top[CNI_VOXEL_TERRAIN_TILE_COLUMNS], under[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
        deep[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    int16_t under_end[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
        deep_end[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* highest y below the layer */
    int16_t highest;                              /* maximum of the ground heights */
    bool has_entrance;                            /* some roof is 0 */
    int16_t roof[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* minimum depth of tunnels above sea level */
    int16_t soil_end;                             /* at and below it, every column is stone */
} CniVoxelGround;

/* `entrances`: CniVoxelEntrance of the columns. */
void cni_voxel_soil_ground(const CniVoxelGeneratedBlocks *generated,
                           const CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           const uint8_t entrances[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           CniVoxelGround *ground);
/* Fills the chunk without caves, ores and features. */
void cni_voxel_soil_fill(const CnGenerator *generator, const CniVoxelGround *ground,
                         int32_t chunk_y, CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- Carving and replacing stone: caves.c, ores.c ---- */

/* Work memory of both. */
typedef struct CniVoxelCarving {
    float field[2][CN_CHUNK_BLOCKS];
    int16_t open[CN_CHUNK_BLOCKS]; /* minimum depth at which a block is a cave */
} CniVoxelCarving;

/* Minimum depth of tunnels below the ground, outside of entrances. */
#define CNI_VOXEL_TUNNEL_ROOF 3
/* Returns whether a tunnel reaches a block, regardless of the roof. */
bool cni_voxel_is_tunnel(const CniVoxelNoiseFields *fields, int32_t x, int32_t y, int32_t z);
void cni_voxel_caves_carve(const CniVoxelNoiseFields *fields, const CniVoxelGround *ground,
                           CnChunkPos position, CniVoxelCarving *carving,
                           CnBlock blocks[CN_CHUNK_BLOCKS]);
void cni_voxel_ores_place(const CnGenerator *generator, const CniVoxelGround *ground,
                          CnChunkPos position, CniVoxelCarving *carving,
                          CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- Generators and scratches: generator.c, columns.c ---- */

struct CnGenerator {
    CnAllocator *allocator;
    CnGeneratorDesc desc;
    CniVoxelGeneratedBlocks blocks;
    CniVoxelNoiseFields fields;
    CniVoxelErosion *erosion;   /* NULL: disabled */
    CniVoxelVillages *villages; /* NULL: disabled */
    CniVoxelPlacedLimits placed;
};

/* Cache entry of a chunk column. */
typedef struct CniVoxelColumnEntry {
    int32_t chunk_x, chunk_z;
    bool has_columns, has_features, has_ground;
    int32_t top; /* result of cn_generate_max_height, including features */
    CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    uint8_t entrances[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* CniVoxelEntrance */
    CniVoxelGround ground;
} CniVoxelColumnEntry;

/* Columns within an area of 32 x 32 chunks never evict each other, so that a view streamed from its
 * center outwards finds the neighbors that features need. */
#define CNI_VOXEL_COLUMN_SIDE 32
#define CNI_VOXEL_COLUMN_ENTRIES (CNI_VOXEL_COLUMN_SIDE * CNI_VOXEL_COLUMN_SIDE)

struct CnGenerateScratch {
    CnGenerator *generator;
    CniVoxelColumnEntry *entries; /* CNI_VOXEL_COLUMN_ENTRIES */
    uint8_t *features;            /* CNI_VOXEL_COLUMN_ENTRIES of cni_voxel_features_bytes */
    size_t feature_bytes;
    CniVoxelPlaced *near; /* structures around a chunk column; NULL: there are no placements */
    CniVoxelTerrainTile tile;
    CniVoxelCarving carving;
};

/* Does the same as cn_generate_columns without erosion: far cheaper, and off by a few blocks. */
void cni_voxel_uneroded_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                const CnColumnGrid *grid, CnColumn *columns);

/* Returns the entry of a chunk column, with columns. */
CniVoxelColumnEntry *cni_voxel_column_entry(CnGenerateScratch *scratch, int32_t chunk_x,
                                            int32_t chunk_z);
/* Returns the layers with which the chunks of the column are filled. */
const CniVoxelGround *cni_voxel_column_ground(const CnGenerator *generator,
                                              CniVoxelColumnEntry *entry);
/* Returns the entry with features; `features` is NULL if the generator has none. */
CniVoxelColumnEntry *cni_voxel_column_entry_with_features(CnGenerateScratch *scratch,
                                                          int32_t chunk_x, int32_t chunk_z,
                                                          CniVoxelFeatures **features);

/* A part of a grid that is one terrain tile. The tile is always a square; `count_x` and `count_z`
 * of its columns are inside the grid. */
typedef struct CniVoxelGridTile {
    CnColumnGrid grid;
    uint32_t count_x, count_z;
    size_t first;  /* index of its first column in the grid */
    uint32_t next; /* 0: before the first tile */
} CniVoxelGridTile;

/* Advances to the next tile, row by row; begin with a zero-initialized one. Returns false after the
 * last. */
bool cni_voxel_next_grid_tile(const CnColumnGrid *grid, CniVoxelGridTile *tile);

#endif

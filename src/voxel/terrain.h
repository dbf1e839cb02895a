/*
 * What the files of terrain share: the fields of noise, a tile of columns, what a generator and a
 * scratch are made of. Erosion and features use generator.h alone.
 */
#ifndef CAIRN_SRC_VOXEL_TERRAIN_H
#define CAIRN_SRC_VOXEL_TERRAIN_H

#include "generator.h"

#define CNI_TILE 16
#define CNI_TILE_COLUMNS 256

/* ---- Fields ---- */

/* Each has a lattice of its own, from the seed and its name. */
typedef struct CniFields {
    CnNoise continent, temperature, humidity, special; /* climate */
    CnNoise relief, hills, ridges, valleys, patches;   /* shape of the ground */
    CnNoise caverns, cheese, tunnels[2][2];            /* caves */
    CnNoise ores[8];
} CniFields;

void cni_fields_init(CniFields *fields, uint64_t seed);

/* ---- Terrain: terrain.c ---- */

/* Up to 16 x 16 columns, by field: x + count * z. */
typedef struct CniTile {
    float height[CNI_TILE_COLUMNS]; /* before erosion */
    float temperature[CNI_TILE_COLUMNS], humidity[CNI_TILE_COLUMNS], special[CNI_TILE_COLUMNS];
    float continent[CNI_TILE_COLUMNS];
    float river[CNI_TILE_COLUMNS]; /* the height that rivers leave, whatever erosion brings */
    float patch[CNI_TILE_COLUMNS]; /* small spots, -1 to 1: varies what lies on the ground */
} CniTile;

/* `grid->count` is at most CNI_TILE. */
void cni_terrain_tile(const CniFields *fields, const CnColumnGrid *grid, CniTile *tile);

/* ---- Biomes: biome.c ---- */

/* How much of hills and mountains a climate has, 0.4 (swamps) to 1.7 (rocky mountains), and how far it
 * is a swamp, 0 to 1. Without steps. */
void cni_biome_scales(uint32_t count, const float *temperature, const float *humidity,
                      const float *special, float *scales, float *swamps);
/* cn_biome_blend for arrays. */
void cni_biome_blends(uint32_t count, const float *temperature, const float *humidity,
                      const float *special, int32_t *biomes, int32_t *others, float *blends);

/* ---- Soils: soil.c ---- */

/* The block at the ground of a column whose other members are known. */
CnBlock cni_soil_top(uint64_t seed, const CnColumn *column, float patch);
/* The block so far below it. */
CnBlock cni_soil_under(CnBlock top, int32_t depth);

/* What lies in 256 columns, for filling chunks. `under` begins below the top block, `deep` below
 * that, then comes stone. */
typedef struct CniGround {
    int16_t ground[CNI_TILE_COLUMNS];
    uint16_t top[CNI_TILE_COLUMNS], under[CNI_TILE_COLUMNS], deep[CNI_TILE_COLUMNS];
    int16_t under_end[CNI_TILE_COLUMNS], deep_end[CNI_TILE_COLUMNS]; /* the highest y below it */
    int16_t highest;                                                 /* of the grounds */
    bool has_entrance;                                               /* a roof below is 0 */
    int16_t roof[CNI_TILE_COLUMNS]; /* the least depth of tunnels above the sea */
    int16_t soil_end;               /* at and below it there is stone in every column */
} CniGround;

/* `entrances`: CniEntrance of the columns. */
void cni_soil_ground(const CnColumn columns[CNI_TILE_COLUMNS],
                     const uint8_t entrances[CNI_TILE_COLUMNS], CniGround *ground);
/* Blocks of the chunk without caves, ores and features. */
void cni_soil_fill(uint64_t seed, const CniGround *ground, int32_t chunk_y,
                   CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- What takes stone away, and what replaces it: caves.c, ores.c ---- */

/* Work memory of both. */
typedef struct CniCarving {
    float field[2][CN_CHUNK_BLOCKS];
    int16_t open[CN_CHUNK_BLOCKS]; /* the least depth at which a block is a cave */
} CniCarving;

/* Tunnels lie at least so far below the ground, outside of entrances. */
#define CNI_TUNNEL_ROOF 3
/* Whether tunnels reach a block, whatever lies over it. */
bool cni_is_tunnel(const CniFields *fields, int32_t x, int32_t y, int32_t z);
void cni_caves_carve(const CniFields *fields, const CniGround *ground, CnChunkPos position,
                     CniCarving *carving, CnBlock blocks[CN_CHUNK_BLOCKS]);
void cni_ores_place(const CniFields *fields, const CniGround *ground, CnChunkPos position,
                    CniCarving *carving, CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- Generators and scratches: generator.c, columns.c ---- */

struct CnGenerator {
    CnAllocator *allocator;
    CnGeneratorDesc desc;
    CniFields fields;
    CniErosion *erosion;   /* NULL: without */
    CniVillages *villages; /* NULL: without */
};

/* One column of chunks. */
typedef struct CniColumnEntry {
    int32_t chunk_x, chunk_z;
    bool has_columns, has_features, has_ground;
    int32_t top; /* cn_generate_top's; with features */
    CnColumn columns[CNI_TILE_COLUMNS];
    uint8_t entrances[CNI_TILE_COLUMNS]; /* CniEntrance */
    CniGround ground;
} CniColumnEntry;

/* Columns of an area of 32 x 32 chunks never push each other out: a view that is streamed from its middle
 * outwards finds the neighbours that features ask for. */
#define CNI_COLUMN_SIDE 32
#define CNI_COLUMN_ENTRIES (CNI_COLUMN_SIDE * CNI_COLUMN_SIDE)

struct CnGenerateScratch {
    CnGenerator *generator;
    CniColumnEntry *entries; /* CNI_COLUMN_ENTRIES */
    uint8_t *features;       /* CNI_COLUMN_ENTRIES of cni_features_bytes */
    size_t feature_bytes;
    CniTile tile;
    CniCarving carving;
};

/* cn_generate_columns without erosion: far cheaper, and off by a few blocks. */
void cni_uneroded_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                          const CnColumnGrid *grid, CnColumn *columns);

/* The entry of a column of chunks, with columns. */
CniColumnEntry *cni_column_entry(CnGenerateScratch *scratch, int32_t chunk_x, int32_t chunk_z);
/* What the chunks of the column are filled with. */
const CniGround *cni_column_ground(CniColumnEntry *entry);
/* With features as well; NULL in `features`: the generator has none. */
CniColumnEntry *cni_column_entry_with_features(CnGenerateScratch *scratch, int32_t chunk_x,
                                               int32_t chunk_z, CniFeatures **features);

#endif

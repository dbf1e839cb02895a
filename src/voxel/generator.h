/*
 * What the files of generation share: terrain below, erosion on it, features on top.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATOR_H
#define CAIRN_SRC_VOXEL_GENERATOR_H

#include <cairn/voxel/generate.h>
#include <cairn/voxel/noise.h>

/* ---- Terrain: src/voxel/terrain*.c ---- */

/* Heights before erosion, of a grid of columns, at any step. Pure; any thread. */
void cni_terrain_base(const CnGenerator *generator, const CnColumnGrid *grid, float *heights);

/* No block that is not air lies at this y or above: neither ground nor features. */
#define CNI_WORLD_TOP 320

/* The 256 columns of a column of chunks, x + 16 z, kept in the scratch: valid until columns of chunks
 * 32 or more away are asked for. Features may ask for their neighbours' while they are collected. */
const CnColumn *cni_generate_chunk_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                           int32_t chunk_x, int32_t chunk_z);

/* Where tunnels come up through the ground: see entrances.c. */
typedef enum CniEntrance {
    CNI_ENTRANCE_NONE,
    CNI_ENTRANCE_NEAR,    /* nothing is built and no tree stands so near to an entrance */
    CNI_ENTRANCE_ROOFLESS /* tunnels need no roof here */
} CniEntrance;
/* Whether the place is marked at all. */
bool cni_is_near_entrance(const CnGenerator *generator, int32_t x, int32_t z);
/* How many blocks a tunnel took from a column, from the ground down; 0 where it is not CNI_ENTRANCE_ROOFLESS. At most
 * `most`, whose noise is sampled one by one. */
int32_t cni_entrance_depth(const CnGenerator *generator, int32_t x, int32_t z, int32_t ground,
                           int32_t most);
/* Of the 256 columns of a column of chunks, as long as these are kept. */
const uint8_t *cni_chunk_entrances(CnGenerateScratch *scratch, int32_t chunk_x, int32_t chunk_z);
/* Of the 16 x 16 columns from x, z on (x + 16 z). False: all of them are CNI_ENTRANCE_NONE. */
bool cni_entrances_mark(const CnGenerator *generator, int32_t x, int32_t z,
                        const CnColumn columns[256], uint8_t marks[256]);

/* ---- Erosion: src/voxel/erosion*.c ---- */

typedef struct CniErosion CniErosion; /* of a generator; locks itself */
CniErosion *cni_erosion_create(CnAllocator *allocator, const CnGenerator *generator,
                               uint64_t cache_bytes);
void cni_erosion_destroy(CniErosion *erosion);
/* Adds what erosion does to the heights of a grid of columns. Pure; any thread. */
void cni_erosion_add(CniErosion *erosion, const CnColumnGrid *grid, float *heights);

/* ---- Features: src/voxel/feature*.c, village*.c ---- */

/* What stands in one column of chunks, from wherever it is rooted; kept in the scratch for the
 * chunks of the column. Plain data of a fixed size, so that it needs no memory of its own. */
typedef struct CniFeatures CniFeatures;
size_t cni_features_bytes(void);
typedef struct CniVillages CniVillages; /* plans of regions, of a generator; locks itself */
CniVillages *cni_villages_create(CnAllocator *allocator, uint64_t cache_bytes);
void cni_villages_destroy(CniVillages *villages);
/* `columns`: the 256 of the column of chunks, x + 16 z. */
void cni_features_collect(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                          int32_t chunk_z, const CnColumn columns[256], CniFeatures *features);
/* Lowest and highest y that features write in the column; false: there is none. */
bool cni_features_span(const CniFeatures *features, int32_t *low, int32_t *high);
/* Writes what lies in the chunk. */
void cni_features_write(const CniFeatures *features, CnChunkPos position,
                        CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- What a generator has: src/voxel/generator.c ---- */

CniErosion *cni_generator_erosion(CnGenerator *generator);
CniVillages *cni_generator_villages(CnGenerator *generator);

/* A number from the seed, a name's salt and a place: the dice of everything that is not noise. */
static inline uint64_t cni_place_hash(uint64_t seed, uint64_t salt, int32_t x, int32_t y, int32_t z)
{
    uint64_t h = seed ^ (salt * 0x9E3779B97F4A7C15u);
    h = (h ^ (uint32_t)x) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)y) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)z) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
}

#endif

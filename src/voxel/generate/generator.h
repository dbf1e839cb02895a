/*
 * Shared by the files of terrain generation: terrain, erosion and features.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_GENERATOR_H
#define CAIRN_SRC_VOXEL_GENERATE_GENERATOR_H

#include "voxel/generate/generated_blocks.h"

#include <cairn/voxel/generate.h>
#include <cairn/voxel/noise.h>

/* ---- Terrain: src/voxel/terrain*.c ---- */

/* Computes heights before erosion for a grid of columns at any step. Pure; any thread. */
void cni_voxel_terrain_base(const CnGenerator *generator, const CnColumnGrid *grid, float *heights);

/* All blocks at this y and above are air: neither ground nor features reach it. */
#define CNI_VOXEL_WORLD_TOP 320

/* Returns the 256 columns of a chunk column, at x + 16 z. They are cached in the scratch and valid
 * until chunk columns 32 or more away are requested. Features may request those of neighbors while
 * they are collected. */
const CnColumn *cni_voxel_generate_chunk_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                                 int32_t chunk_x, int32_t chunk_z);

/* Areas where tunnels break through the ground: see cave_entrances.c. */
typedef enum CniVoxelEntrance {
    CNI_VOXEL_ENTRANCE_NONE,
    CNI_VOXEL_ENTRANCE_NEAR,    /* too close to an entrance for buildings and trees */
    CNI_VOXEL_ENTRANCE_ROOFLESS /* tunnels need no roof */
} CniVoxelEntrance;
/* Returns whether the position is NEAR or ROOFLESS. */
bool cni_voxel_is_near_entrance(const CnGenerator *generator, int32_t x, int32_t z);
/* Returns the number of blocks that a tunnel removes from a column, from the ground down; 0 outside
 * of CNI_VOXEL_ENTRANCE_ROOFLESS. At most `most`, which are sampled one by one. */
int32_t cni_voxel_entrance_depth(const CnGenerator *generator, int32_t x, int32_t z, int32_t ground,
                                 int32_t most);
/* Returns the marks of the 256 columns of a chunk column, valid as long as the columns. */
const uint8_t *cni_voxel_chunk_entrances(CnGenerateScratch *scratch, int32_t chunk_x,
                                         int32_t chunk_z);
/* Marks the 16 x 16 columns from x, z (at x + 16 z). Returns false if all are
 * CNI_VOXEL_ENTRANCE_NONE. */
bool cni_voxel_entrances_mark(const CnGenerator *generator, int32_t x, int32_t z,
                              const CnColumn columns[256], uint8_t marks[256]);

/* ---- Erosion: src/voxel/erosion*.c ---- */

typedef struct CniVoxelErosion CniVoxelErosion; /* owned by a generator; thread-safe */
CniVoxelErosion *cni_voxel_erosion_create(CnAllocator *allocator, const CnGenerator *generator,
                                          uint64_t cache_bytes);
void cni_voxel_erosion_destroy(CniVoxelErosion *erosion);
/* Adds erosion to the heights of a grid of columns. Pure; any thread. */
void cni_voxel_erosion_add(CniVoxelErosion *erosion, const CnColumnGrid *grid, float *heights);

/* ---- Features: src/voxel/feature*.c, village*.c ---- */

/* The features that reach into a chunk column, cached in the scratch for its chunks. Plain data of
 * a fixed size, without allocations of its own. */
typedef struct CniVoxelFeatures CniVoxelFeatures;
/* `placed`: the maximum number of placements that reach into a chunk column. */
size_t cni_voxel_features_bytes(uint32_t placed);
typedef struct CniVoxelVillages
    CniVoxelVillages; /* plans by region, owned by a generator; thread-safe */
CniVoxelVillages *cni_voxel_villages_create(CnAllocator *allocator, uint64_t cache_bytes);
void cni_voxel_villages_destroy(CniVoxelVillages *villages);
/* `columns`: the 256 columns of the chunk column, at x + 16 z. */
void cni_voxel_features_collect(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                                int32_t chunk_z, const CnColumn columns[256],
                                CniVoxelFeatures *features);
/* Returns the lowest and highest y that features write; false if there are none. */
bool cni_voxel_features_span(const CniVoxelFeatures *features, int32_t *low, int32_t *high);
/* Writes the part that lies in the chunk. `placements`: of the generator. */
void cni_voxel_features_write(const CniVoxelFeatures *features,
                              const CniVoxelGeneratedBlocks *generated,
                              const CnPlacement *placements, CnChunkPos position,
                              CnBlock blocks[CN_CHUNK_BLOCKS]);

/* ---- Generator data: src/voxel/generate/generator.c ---- */

const CniVoxelGeneratedBlocks *cni_voxel_generator_blocks(const CnGenerator *generator);
CniVoxelErosion *cni_voxel_generator_erosion(CnGenerator *generator);
CniVoxelVillages *cni_voxel_generator_villages(CnGenerator *generator);

/* Hashes the seed, a salt and a position: the source of all randomness that is not noise. */
static inline uint64_t cni_voxel_position_hash(uint64_t seed, uint64_t salt, int32_t x, int32_t y,
                                               int32_t z)
{
    uint64_t h = seed ^ (salt * 0x9E3779B97F4A7C15u);
    h = (h ^ (uint32_t)x) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)y) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)z) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
}

#endif

/*
 * Light: sky light and block light, 16 levels each, for every cell.
 *
 *     CnLightBox box; // the chunk and a border of one cell
 *     cn_light_build(scratch, &around, &sky, &box); // any thread; a pure function of its input
 *     CnChunkLight *light = cn_light_pack(allocator, &box);
 *     uint8_t levels = cn_light_get(light, 3, 4, 5); // sky << 4 | block
 *     cn_light_release(light);
 *
 * A cell with an unobstructed view of the sky straight up has sky light 15. Light loses 1 per cell,
 * plus the light_loss of the cell it enters, so it reaches at most 15 cells. The light of a chunk
 * is therefore determined by the 27 chunks around it and the sky heights above them, whatever the
 * order of loading and editing.
 */
#ifndef CAIRN_VOXEL_LIGHT_H
#define CAIRN_VOXEL_LIGHT_H

#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

/* sky << 4 | block, at cn_padded_index. Opaque cells contain the light that they emit. */
typedef struct CnLightBox {
    uint8_t cells[CN_CHUNK_PADDED_BLOCKS];
    bool uniform; /* all cells are equal */
} CnLightBox;

/* For 3 x 3 columns of chunks, at (dx + 1) + 3 (dz + 1): for each x + 16 z, the lowest y from which
 * no block upwards dims light. */
typedef struct CnLightSky {
    const int32_t *open[9];
} CnLightSky;

/* Work memory for one thread, for chunks of a closed block table. cn_light_scratch_create returns
 * NULL when out of memory. */
typedef struct CnLightScratch CnLightScratch;
CN_API CnLightScratch *cn_light_scratch_create(CnAllocator *allocator, const CnBlockTable *table);
CN_API void cn_light_scratch_destroy(CnLightScratch *scratch);
/* Computes the light of a chunk and of a border of one cell around it. */
CN_API void cn_light_build(CnLightScratch *scratch, const CnNeighborhood *around,
                           const CnLightSky *sky, CnLightBox *box);

/* The 16^3 cells of a chunk, packed by layers. Reference-counted like chunks, and immutable. */
typedef struct CnChunkLight CnChunkLight;
CN_API CnChunkLight *cn_light_pack(CnAllocator *allocator, const CnLightBox *box);
CN_API CnChunkLight *cn_light_acquire(CnChunkLight *light);
CN_API void cn_light_release(CnChunkLight *light);
CN_API uint8_t cn_light_get(const CnChunkLight *light, uint32_t x, uint32_t y, uint32_t z);
CN_API size_t cn_light_bytes(const CnChunkLight *light);
CN_API uint64_t cn_light_box_hash(const CnLightBox *box);

CN_EXTERN_C_END

#endif

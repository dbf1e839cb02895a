/*
 * Light: of the sky and of blocks, 16 levels each, in every cell.
 *
 *     CnLightBox box;                               // 18^3: the chunk and one cell around
 *     cn_light_build(scratch, &around, sky, &box);  // any thread; a pure function of 27 chunks
 *     CnChunkLight *light = cn_light_pack(allocator, &box);
 *     uint8_t both = cn_light_get(light, 3, 4, 5);  // sky << 4 | block
 *
 * A cell that sees the sky straight up, through cells without loss, has 15. Light loses 1 a cell,
 * and light_loss of the cell that it enters. It reaches 15 cells, so that the 27 chunks around a
 * chunk, and where the sky begins above them, say all about it: no order of loading or editing
 * can be seen in it.
 */
#ifndef CAIRN_VOXEL_LIGHT_H
#define CAIRN_VOXEL_LIGHT_H

#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

#define CN_LIGHT_SIDE 18
/* sky << 4 | block, at (x + 1) + 18 (y + 1) + 324 (z + 1), x, y and z from -1 to 16. Opaque cells have
 * the light that they give. */
typedef struct CnLightBox {
    uint8_t cells[CN_LIGHT_SIDE * CN_LIGHT_SIDE * CN_LIGHT_SIDE];
    bool uniform; /* all cells are alike */
} CnLightBox;

/* For 3 x 3 columns of chunks, at (dx + 1) + 3 (dz + 1): for each x + 16 z the lowest y from which
 * everything upwards is without loss. */
typedef struct CnLightSky {
    const int32_t *open[9];
} CnLightSky;

typedef struct CnLightScratch CnLightScratch; /* of one thread */
CN_API CnLightScratch *cn_light_scratch_create(CnAllocator *allocator);
CN_API void cn_light_scratch_destroy(CnLightScratch *scratch);
CN_API void cn_light_build(CnLightScratch *scratch, const CnNeighbourhood *around,
                           const CnLightSky *sky, CnLightBox *box);

/* The 16^3 cells of the chunk, packed by layers. Counted references, as chunks. Never changed. */
typedef struct CnChunkLight CnChunkLight;
CN_API CnChunkLight *cn_light_pack(CnAllocator *allocator, const CnLightBox *box);
CN_API CnChunkLight *cn_light_acquire(CnChunkLight *light);
CN_API void cn_light_release(CnChunkLight *light);
CN_API uint8_t cn_light_get(const CnChunkLight *light, uint32_t x, uint32_t y, uint32_t z);
CN_API size_t cn_light_bytes(const CnChunkLight *light);
CN_API uint64_t cn_light_box_hash(const CnLightBox *box);

CN_EXTERN_C_END

#endif

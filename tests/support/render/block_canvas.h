/*
 * Blocks of a few adjacent chunks: generated, or placed by the code under test.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_BLOCK_CANVAS_H
#define CAIRN_TESTS_SUPPORT_RENDER_BLOCK_CANVAS_H

#include <cairn/voxel/generate.h>

typedef struct BlockCanvas {
    CnChunkPos first;   /* chunk */
    int32_t wide, high; /* chunks along x and z, along y */
    CnBlock *blocks;    /* by chunk: x, then y, then z */
    CnCell low, end;    /* cells: the first, and one past the last */
} BlockCanvas;

/* All air. */
void canvas_init(BlockCanvas *canvas, CnChunkPos first, int32_t wide, int32_t high);
void canvas_fini(BlockCanvas *canvas);
/* Returns the blocks of the i-th chunk and its position. */
CnBlock *canvas_chunk(BlockCanvas *canvas, int32_t i, CnChunkPos *position);
int32_t canvas_chunk_count(const BlockCanvas *canvas);
void canvas_generate(BlockCanvas *canvas, CnGenerator *generator, CnGenerateScratch *scratch);
bool canvas_has(const BlockCanvas *canvas, CnCell cell);
CnBlock canvas_at(const BlockCanvas *canvas, CnCell cell);

/* Returns the number of blocks for which `is_part` is true that are unsupported: not connected to a
 * block with something solid below or beside it, nor to a block at the border of the canvas.
 * `found` receives one of them. */
uint32_t canvas_floating(const BlockCanvas *canvas, bool (*is_part)(CnBlock block), CnCell *found);

#endif

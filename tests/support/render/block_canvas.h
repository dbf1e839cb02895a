/*
 * Blocks of a few chunks side by side: generated, or drawn by what a test tries out.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_BLOCK_CANVAS_H
#define CAIRN_TESTS_SUPPORT_RENDER_BLOCK_CANVAS_H

#include <cairn/voxel/generate.h>

typedef struct BlockCanvas {
    CnChunkPos first;   /* chunk */
    int32_t wide, high; /* chunks along x and z, along y */
    CnBlock *blocks;    /* chunk after chunk: x, then y, then z */
    CnCell low, end;    /* cells: the first, and one behind the last */
} BlockCanvas;

/* All air. */
void canvas_init(BlockCanvas *canvas, CnChunkPos first, int32_t wide, int32_t high);
void canvas_fini(BlockCanvas *canvas);
/* The blocks of the i-th chunk, and where it is. */
CnBlock *canvas_chunk(BlockCanvas *canvas, int32_t i, CnChunkPos *position);
int32_t canvas_chunk_count(const BlockCanvas *canvas);
void canvas_generate(BlockCanvas *canvas, CnGenerator *generator, CnGenerateScratch *scratch);
bool canvas_has(const BlockCanvas *canvas, CnCell cell);
CnBlock canvas_at(const BlockCanvas *canvas, CnCell cell);

/* How many blocks that `is_part` is true of hang together with nothing that stands: neither with
 * one that touches something solid below or beside, nor with one at the border of the canvas.
 * `found` gets one. */
uint32_t canvas_floating(const BlockCanvas *canvas, bool (*is_part)(CnBlock block), CnCell *found);

#endif

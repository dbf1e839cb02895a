/*
 * The edits of a chunk as a row of a world file: u64 hash, then runs of neighboring cells with the
 * same block, in ascending order. A run is three numbers: cells skipped since the end of the run
 * before, length - 1, block. Numbers have 7 bits per byte, low bits first; bit 7 says that another
 * byte follows. Players edit walls, tunnels and fields, so a row takes a fraction of the four bytes
 * per cell that a list of cells needs, in memory and in the file.
 *
 *     uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES];
 *     uint32_t size = crafty_chunk_row_write(&chunk, bytes);
 */
#ifndef CRAFTY_SAVE_CHUNK_ROW_H
#define CRAFTY_SAVE_CHUNK_ROW_H

#include <cairn/voxel/voxels.h>

/* The largest row: each cell is a run with a block of three bytes, and at most 32 numbers of
 * skipped cells have two bytes. */
#define CRAFTY_CHUNK_ROW_BYTES (8u + 5u * CN_CHUNK_BLOCKS + 32u)

/* Returns the size. The blocks are in ascending order of index. */
uint32_t crafty_chunk_row_write(const CnStoredChunk *chunk, uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES]);
/* Reads hash and blocks; `blocks` NULL only checks. Returns false if the row is malformed, which it
 * is also if it is not exactly what crafty_chunk_row_write writes. Blocks may be unknown. */
bool crafty_chunk_row_read(const uint8_t *bytes, size_t size, uint64_t *hash,
                           CnStoredBlock blocks[CN_CHUNK_BLOCKS], uint32_t *count);
/* Returns the highest block of a well-formed row. */
uint32_t crafty_chunk_row_highest_block(const uint8_t *bytes, size_t size);

#endif

/*
 * Water: a cellular automaton with sources and levels.
 *
 *     CnWater *water = cn_water_create(allocator, (CnWaterCells){table, user, get, set});
 *     cn_water_wake(water, (CnCell){10, 64, -3});      // after every edit near water
 *     cn_water_step(water, &(CnCell){0}, 1, 64, 4096); // four times a second
 *     cn_water_destroy(water);
 *
 * CN_BLOCK_WATER is a source and stays until it is removed. Flowing water consists of the blocks
 * CN_BLOCK_WATER_7 to CN_BLOCK_WATER_1; the number is the distance it can still flow. In each step
 * a cell applies the first of these rules that matches:
 * 1. Flowing water between three sources, on ground or on a source, becomes a source. This closes
 *    holes in lakes.
 * 2. Flowing water that is fed neither from above nor by a higher level beside it loses one level
 *    and finally becomes air. Above air or water it becomes air at once.
 * 3. Water flows down: air, a prop or lower water below it becomes WATER_7.
 * 4. Water flows sideways, in one direction per step: the first of +x, -x, +z, -z that contains
 *    air, a prop or lower water. A source yields WATER_7 if ground or another source lies within
 *    4 blocks below it, otherwise WATER_1. Flowing water yields one level less than its own, and
 *    only on solid ground, since above other water it has flowed down.
 *
 * A step reads all cells before it writes any, and writes them in order of position. The final
 * state depends only on solid blocks and sources, not on the order of waking, on chunks or on
 * budgets. Water at rest sleeps: an ocean costs nothing.
 */
#ifndef CAIRN_VOXEL_WATER_H
#define CAIRN_VOXEL_WATER_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

/* Access to the blocks: those of a world, or of a test. */
typedef struct CnWaterCells {
    const CnBlockTable *table;
    void *user;
    CnBlock (*get)(void *user, CnCell cell);
    void (*set)(void *user, CnCell cell, CnBlock block);
} CnWaterCells;

/* The set of cells that may move. Use from one thread at a time. */
typedef struct CnWater CnWater;
/* Creates the automaton. Returns NULL when out of memory. */
CN_API CnWater *cn_water_create(CnAllocator *allocator, CnWaterCells cells);
CN_API void cn_water_destroy(CnWater *water); /* NULL is ignored */
/* Reports that the block in a cell changed. Steps wake the cells that they change by themselves;
 * waking a cell twice costs nothing. Reads cells beside it and up to 4 above. Returns false and
 * wakes nothing when out of memory. */
CN_API bool cn_water_wake(CnWater *water, CnCell cell);
/* Performs one step of at most `budget` cells, those that have waited longest first, then by
 * position; the rest wait for the next step. Cells further than `radius` blocks along any axis from
 * every center wait as well. When memory runs out, the rest of the step waits. `set` may wake
 * cells. */
CN_API void cn_water_step(CnWater *water, const CnCell *centers, uint32_t center_count,
                          uint32_t radius, uint32_t budget);
CN_API uint32_t cn_water_awake(const CnWater *water); /* number of awake cells */
CN_API uint64_t cn_water_hash(const CnWater *water);  /* of the awake cells */

/* Appends the awake cells to `bytes`, in the form described in docs/formats.md. Call it between
 * steps. Returns false when out of memory; `bytes` is unchanged then. */
CN_API bool cn_water_write(const CnWater *water, CnU8Array *bytes);
/* Returns how many bytes that appends. */
CN_API uint64_t cn_water_bytes(const CnWater *water);
/* Replaces the awake cells by those that cn_water_write has written; `size` must match. The water
 * then moves as the one that was written, if the blocks are the same. Returns false and sets
 * `error` if the data is malformed or when out of memory; nothing has changed then. */
CN_API bool cn_water_read(CnWater *water, const uint8_t *bytes, size_t size, CnError *error);

/* Returns 0 for no water, 8 for a source, 1 to 7 for flowing water. */
static inline uint32_t cn_water_level(CnBlock block)
{
    return block == CN_BLOCK_WATER ? 8u
           : block >= CN_BLOCK_WATER_1 && block <= CN_BLOCK_WATER_7
               ? (uint32_t)(block - CN_BLOCK_WATER_1) + 1u
               : 0u;
}

CN_EXTERN_C_END

#endif

/*
 * Water: a cellular automaton with sources and levels.
 *
 *     CnWater *water = cn_water_create(allocator, (CnWaterCells){world, get, set});
 *     cn_water_wake(water, cell);                                // after every edit near water
 *     cn_water_step(water, &player, 1, 64, 4096);                // four times a second
 *
 * CN_BLOCK_WATER is a source: it stays until somebody takes it. What flows are the blocks
 * CN_BLOCK_WATER_7 to CN_BLOCK_WATER_1: the number is how far it may still run. In each step a cell
 * does the first of these that it can:
 *   1. Flowing water between three sources, on ground or on a source, becomes a source: holes in
 *      a lake close.
 *   2. Flowing water that is fed neither from above nor by a higher level beside it sinks a level,
 *      and at last becomes air; over air or water it does so at once.
 *   3. It goes down: air, a prop or lower water below becomes WATER_7.
 *   4. It goes aside, one way a step: the first of +x, -x, +z, -z that has air, a prop or lower
 *      water. A source gives WATER_7 if ground or another source is within 4 blocks below it, else
 *      WATER_1. Flowing water gives a level less than it has, and only from solid ground: over
 *      other water it has gone down.
 * All cells of a step are read before any is written, and written in order of position. Where water
 * comes to rest hangs on solid blocks and sources alone, not on the order of waking, on chunks or
 * on budgets; then it sleeps. A bucket makes a puddle, an ocean stays as it is and costs nothing.
 */
#ifndef CAIRN_VOXEL_WATER_H
#define CAIRN_VOXEL_WATER_H

#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

/* The blocks that it runs through: the world's, or a test's. */
typedef struct CnWaterCells {
    void *user;
    CnBlock (*get)(void *user, CnCell cell);
    void (*set)(void *user, CnCell cell, CnBlock block);
} CnWaterCells;

typedef struct CnWater CnWater; /* the cells that may move; one thread at a time */
/* NULL when out of memory. */
CN_API CnWater *cn_water_create(CnAllocator *allocator, CnWaterCells cells);
CN_API void cn_water_destroy(CnWater *water); /* NULL is fine */
/* The block at the cell has changed. A step wakes what it changes itself; saying so again is free.
 * Asks for cells beside it and up to 4 above. False: out of memory, and nothing is woken. */
CN_API bool cn_water_wake(CnWater *water, CnCell cell);
/* One step of at most `budget` cells, those that have waited longest first, then by position; the
 * others wait for the next step. Cells that are further than `radius` blocks, on any axis, from
 * every centre wait too. When memory is out, what is left of the step waits. `set` may wake cells. */
CN_API void cn_water_step(CnWater *water, const CnCell *centers, uint32_t center_count,
                          uint32_t radius, uint32_t budget);
CN_API uint32_t cn_water_awake(const CnWater *water); /* cells */
CN_API uint64_t cn_water_hash(const CnWater *water);  /* of the cells that are awake */

/* 0: no water; 8: a source; 1 to 7: flowing. */
static inline uint32_t cn_water_level(CnBlock block)
{
    return block == CN_BLOCK_WATER ? 8u
           : block >= CN_BLOCK_WATER_1 && block <= CN_BLOCK_WATER_7
               ? (uint32_t)(block - CN_BLOCK_WATER_1) + 1u
               : 0u;
}

CN_EXTERN_C_END

#endif

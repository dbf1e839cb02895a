/* Boids sorted by cell, made anew each tick: a counting sort in three passes, each of which can be
 * spread over threads without changing the result. */
#ifndef SCENES_SWARM_GRID_H
#define SCENES_SWARM_GRID_H

#include "swarm.h"

typedef struct SwarmItem {
    float x, y, vx, vy;
    uint32_t cell; /* row * cells_per_side + column */
} SwarmItem;

/* An opaque resource. */
typedef struct SwarmGrid {
    CnAllocator *allocator;
    uint32_t capacity, count;
    uint32_t side;       /* cells per side */
    float cell_size;     /* of the torus' length */
    SwarmItem *by_row;   /* after the second pass: sorted by row */
    SwarmItem *items;    /* after the third: by row, then column */
    uint32_t *counts;    /* per block and row */
    uint32_t *row_start; /* side + 1 */
    uint32_t *start;     /* per cell, side * side + 1 */
} SwarmGrid;

CN_OPAQUE(SwarmGrid);

bool swarm_grid_init(SwarmGrid *grid, CnAllocator *allocator, uint32_t capacity, uint32_t side,
                     float cell_size);
void swarm_grid_fini(SwarmGrid *grid);
/* Of all rows of a query over SwarmPosition and SwarmVelocity. */
void swarm_grid_fill(SwarmGrid *grid, CnQuery *query, CnJobPool *jobs);

static inline uint32_t swarm_grid_line(const SwarmGrid *grid, float at)
{
    uint32_t line = at > 0 ? (uint32_t)(at / grid->cell_size) : 0;
    return line < grid->side ? line : grid->side - 1;
}

#endif

/*
 * Who is near: the players with bodies, sorted by where they are.
 *
 *     const CraftyPlayerGrid *grid = crafty_player_grid(world, players);
 *     CraftyGridIter it = crafty_grid_iter(grid, at, 2);
 *     for (const CraftyGridPlayer *near; (near = crafty_grid_next(&it));)
 *         if (is_hit(near->eye))
 *             ...
 *
 * A grid is made anew by each system that needs one, in its own memory, which grows.
 */
#ifndef CRAFTY_SIM_PLAYER_GRID_H
#define CRAFTY_SIM_PLAYER_GRID_H

#include <cairn/base/linear.h>
#include <cairn/ecs/query.h>

typedef struct CraftyPlayerGrid CraftyPlayerGrid;

typedef struct CraftyGridPlayer {
    CnEntity entity;
    uint32_t number;
    uint32_t order; /* in the query */
    int32_t x, z;   /* the cell of the grid */
    CnVec3 eye;
} CraftyGridPlayer;

/* Returns the grid of the players of a query that reads CnPlayerActions and CnTransform and have
 * hands (hand.h). Valid until the next call. When out of memory, it is empty. */
const CraftyPlayerGrid *crafty_player_grid(const CnWorld *world, const CnQuery *players);

typedef struct CraftyGridIter {
    const CraftyPlayerGrid *grid;
    int32_t low_x, high_x, high_z, x, z;
    uint32_t at, end;
} CraftyGridIter;

/* Visits the players whose eyes are within `distance` along x and z, and others nearby. */
CraftyGridIter crafty_grid_iter(const CraftyPlayerGrid *grid, CnVec3 at, float distance);
const CraftyGridPlayer *crafty_grid_next(CraftyGridIter *iter);

/* ---- For player_index.c ---- */

CraftyPlayerGrid *crafty_player_grid_create(CnAllocator *allocator);
void crafty_player_grid_destroy(CraftyPlayerGrid *grid); /* NULL is ignored */

#endif

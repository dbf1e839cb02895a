/*
 * A small world for water: a box of blocks surrounded by stone, with expected layers as text.
 *
 *     WaterWorld *world = water_world_create(NULL, 9, 4, 9);
 *     water_world_put(world, 4, 0, 4, CN_BLOCK_WATER);      // sets and wakes
 *     water_world_settle(world);                            // steps until everything sleeps
 *     water_world_expect(world, 0, "....1....", ...);
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_WATER_WORLD_H
#define CAIRN_TESTS_SUPPORT_VOXEL_WATER_WORLD_H

#include <cairn/voxel/water.h>

typedef struct WaterWorld WaterWorld;
struct WaterWorld {
    int32_t size_x, size_y, size_z;
    CnBlock *blocks; /* x + size_x (y + size_y z) */
    CnWater *water;
    uint32_t budget;     /* of steps; initially 100,000 */
    uint64_t gets, sets; /* calls so far */
    bool wakes_itself;   /* set calls cn_water_wake, as a host might */
    /* Called after water has set a block; it may edit. */
    void (*changed)(WaterWorld *world, CnCell cell);
};

/* Creates a world of air. The allocator is used only by the water; returns NULL when out of
 * memory. */
WaterWorld *water_world_create(CnAllocator *allocator, int32_t size_x, int32_t size_y,
                               int32_t size_z);
void water_world_destroy(WaterWorld *world);

CnBlock water_world_get(const WaterWorld *world, int32_t x, int32_t y, int32_t z);
/* Sets a block without waking cells. */
void water_world_set(WaterWorld *world, int32_t x, int32_t y, int32_t z, CnBlock block);
void water_world_fill(WaterWorld *world, CnCell first, CnCell last, CnBlock block);
/* Sets a block like an edit. */
void water_world_put(WaterWorld *world, int32_t x, int32_t y, int32_t z, CnBlock block);

void water_world_step(WaterWorld *world, uint32_t steps);
/* Returns the number of steps; fails the test beyond `most`. */
uint32_t water_world_settle(WaterWorld *world, uint32_t most);

/* Hashes the blocks and the awake cells. */
uint64_t water_world_hash(const WaterWorld *world);
/* Returns the number of cells with water. */
uint32_t water_world_count(const WaterWorld *world);

/* Fails unless the layer looks like this: rows along x, one for each z, joined by '/'; digits are
 * levels, 8 is a source, '.' air, '#' solid, 'p' a prop. */
void water_world_expect_layer(const WaterWorld *world, int32_t y, const char *image);

/* Fails unless all water is at rest according to the rules, given its sources, computed
 * independently. */
void water_world_expect_rest(const WaterWorld *world);

#endif

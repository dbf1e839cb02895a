#include "standard_blocks.h"
#include "water_world.h"

#include "cmocka_tests.h"

#include <cairn/base/hash_map.h>

#include <stdlib.h>
#include <string.h>

static bool is_inside(const WaterWorld *world, int32_t x, int32_t y, int32_t z)
{
    return x >= 0 && x < world->size_x && y >= 0 && y < world->size_y && z >= 0 &&
           z < world->size_z;
}

static size_t index_of(const WaterWorld *world, int32_t x, int32_t y, int32_t z)
{
    return (size_t)(x + world->size_x * (y + world->size_y * z));
}

static size_t cell_count(const WaterWorld *world)
{
    return (size_t)world->size_x * (size_t)world->size_y * (size_t)world->size_z;
}

CnBlock water_world_get(const WaterWorld *world, int32_t x, int32_t y, int32_t z)
{
    return is_inside(world, x, y, z) ? world->blocks[index_of(world, x, y, z)] : BLOCK_STONE;
}

void water_world_set(WaterWorld *world, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    assert_true(is_inside(world, x, y, z));
    world->blocks[index_of(world, x, y, z)] = block;
}

static CnBlock get(void *user, CnCell cell)
{
    WaterWorld *world = user;
    world->gets++;
    return water_world_get(world, cell.x, cell.y, cell.z);
}

static void set(void *user, CnCell cell, CnBlock block)
{
    WaterWorld *world = user;
    world->sets++;
    water_world_set(world, cell.x, cell.y, cell.z, block);
    if (world->wakes_itself)
        assert_true(cn_water_wake(world->water, cell));
    if (world->changed)
        world->changed(world, cell);
}

WaterWorld *water_world_create(CnAllocator *allocator, int32_t size_x, int32_t size_y,
                               int32_t size_z)
{
    WaterWorld *world = calloc(1, sizeof *world);
    assert_non_null(world);
    *world = (WaterWorld){.size_x = size_x, .size_y = size_y, .size_z = size_z, .budget = 100000};
    world->blocks = calloc(cell_count(world), sizeof *world->blocks);
    assert_non_null(world->blocks);
    world->water = cn_water_create(allocator, (CnWaterCells){standard_blocks(), world, get, set});
    if (world->water)
        return world;
    water_world_destroy(world);
    return NULL;
}

void water_world_destroy(WaterWorld *world)
{
    cn_water_destroy(world->water);
    free(world->blocks);
    free(world);
}

void water_world_fill(WaterWorld *world, CnCell first, CnCell last, CnBlock block)
{
    for (int32_t z = first.z; z <= last.z; z++)
        for (int32_t y = first.y; y <= last.y; y++)
            for (int32_t x = first.x; x <= last.x; x++)
                water_world_set(world, x, y, z, block);
}

void water_world_put(WaterWorld *world, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    water_world_set(world, x, y, z, block);
    assert_true(cn_water_wake(world->water, (CnCell){x, y, z}));
}

void water_world_step(WaterWorld *world, uint32_t steps)
{
    const CnCell center = {0, 0, 0};
    for (uint32_t i = 0; i < steps; i++)
        cn_water_step(world->water, &center, 1, 1000, world->budget);
}

uint32_t water_world_settle(WaterWorld *world, uint32_t most)
{
    uint32_t steps = 0;
    for (; cn_water_awake(world->water) > 0; steps++) {
        if (steps == most)
            fail_msg("%u cells are still awake after %u steps", cn_water_awake(world->water), most);
        water_world_step(world, 1);
    }
    return steps;
}

uint64_t water_world_hash(const WaterWorld *world)
{
    return cn_hash_bytes(world->blocks, cell_count(world) * sizeof *world->blocks,
                         cn_water_hash(world->water));
}

uint32_t water_world_count(const WaterWorld *world)
{
    uint32_t count = 0;
    for (size_t i = 0; i < cell_count(world); i++)
        count += cn_water_level(world->blocks[i]) > 0;
    return count;
}

static char letter(CnBlock block)
{
    if (cn_water_level(block) > 0)
        return (char)('0' + cn_water_level(block));
    return standard_blocks()->flags[block] & CN_BLOCK_IS_AIR    ? '.'
           : standard_blocks()->flags[block] & CN_BLOCK_IS_PROP ? 'p'
                                                                : '#';
}

void water_world_expect_layer(const WaterWorld *world, int32_t y, const char *image)
{
    char *own = calloc((size_t)(world->size_x + 1) * (size_t)world->size_z + 1, 1), *to = own;
    assert_non_null(own);
    for (int32_t z = 0; z < world->size_z; z++) {
        for (int32_t x = 0; x < world->size_x; x++)
            *to++ = letter(water_world_get(world, x, y, z));
        *to++ = z + 1 < world->size_z ? '/' : '\0';
    }
    assert_string_equal(own, image);
    free(own);
}

/* ---- Rest: the least levels that the rules allow, from the sources alone ---- */

static bool is_solid(CnBlock block)
{
    return !(standard_blocks()->flags[block] &
             (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP | CN_BLOCK_IS_WATER));
}

static bool is_supported(const WaterWorld *world, int32_t x, int32_t y, int32_t z)
{
    for (int32_t i = 1; i <= 4; i++) {
        CnBlock block = water_world_get(world, x, y - i, z);
        if (block == CN_BLOCK_WATER || is_solid(block))
            return true;
    }
    return false;
}

static uint32_t level_in(const WaterWorld *world, const uint8_t *levels, int32_t x, int32_t y,
                         int32_t z)
{
    return is_inside(world, x, y, z) ? levels[index_of(world, x, y, z)] : 0;
}

static uint32_t given(const WaterWorld *world, const uint8_t *levels, int32_t x, int32_t y,
                      int32_t z)
{
    uint32_t level = level_in(world, levels, x, y, z);
    if (level == 8)
        return is_supported(world, x, y, z) ? 7 : 1;
    return level > 0 && is_solid(water_world_get(world, x, y - 1, z)) ? level - 1 : 0;
}

static uint32_t least_level(const WaterWorld *world, const uint8_t *levels, int32_t x, int32_t y,
                            int32_t z)
{
    static const int32_t sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    if (is_solid(water_world_get(world, x, y, z)))
        return 0;
    if (level_in(world, levels, x, y + 1, z) > 0)
        return 7;
    uint32_t level = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t side = given(world, levels, x + sides[i][0], y, z + sides[i][1]);
        level = side > level ? side : level;
    }
    return level;
}

static void expect_no_hole(const WaterWorld *world, int32_t x, int32_t y, int32_t z)
{
    uint32_t sources = (water_world_get(world, x + 1, y, z) == CN_BLOCK_WATER) +
                       (water_world_get(world, x - 1, y, z) == CN_BLOCK_WATER) +
                       (water_world_get(world, x, y, z + 1) == CN_BLOCK_WATER) +
                       (water_world_get(world, x, y, z - 1) == CN_BLOCK_WATER);
    CnBlock below = water_world_get(world, x, y - 1, z);
    if (sources >= 3 && (below == CN_BLOCK_WATER || is_solid(below)))
        fail_msg("a hole in a lake is left at %d, %d, %d", x, y, z);
}

void water_world_expect_rest(const WaterWorld *world)
{
    uint8_t *levels = calloc(cell_count(world), 1);
    assert_non_null(levels);
    for (size_t i = 0; i < cell_count(world); i++)
        levels[i] = world->blocks[i] == CN_BLOCK_WATER ? 8 : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t y = world->size_y - 1; y >= 0; y--)
            for (int32_t z = 0; z < world->size_z; z++)
                for (int32_t x = 0; x < world->size_x; x++) {
                    uint8_t *own = &levels[index_of(world, x, y, z)];
                    uint32_t level = *own < 8 ? least_level(world, levels, x, y, z) : 8;
                    changed = changed || level != *own;
                    *own = (uint8_t)level;
                }
    }
    for (int32_t y = 0; y < world->size_y; y++)
        for (int32_t z = 0; z < world->size_z; z++)
            for (int32_t x = 0; x < world->size_x; x++) {
                uint32_t level = cn_water_level(water_world_get(world, x, y, z));
                if (level != levels[index_of(world, x, y, z)])
                    fail_msg("%u instead of %u at %d, %d, %d", level,
                             levels[index_of(world, x, y, z)], x, y, z);
                if (level > 0 && level < 8)
                    expect_no_hole(world, x, y, z);
            }
    free(levels);
}

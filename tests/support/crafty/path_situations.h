/* Obstacles between two places of a floor of creature_fixture.h: doors, stairs, water, holes,
 * fences and others. The start is at x = -6, the goal at x = 6. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_PATH_SITUATIONS_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_PATH_SITUATIONS_H

#include "creature_fixture.h"

#include <crafty/sim/path_find.h>

typedef struct Part {
    int32_t low[3], high[3]; /* relative to the floor */
    const char *block;
} Part;

typedef struct Situation {
    const char *name;
    bool is_solved, opens, climbs;
    float width, height; /* 0: 0.6 and 1.8 */
    int32_t goal_y;      /* of the feet above the floor; 0: 1 */
    Part parts[6];
} Situation;

#define WALL                                                                                       \
    {                                                                                              \
        {0, 1, -8}, {0, 4, 8}, "stone"                                                             \
    }
#define PIT                                                                                        \
    {                                                                                              \
        {-1, 0, -8}, {1, 0, 8}, "air"                                                              \
    }

static const Situation situations[] = {
    {"open floor", true, .parts = {{{0}}}},
    {"wall", false, .parts = {WALL}},
    {"gap", true, .parts = {WALL, {{0, 1, 3}, {0, 4, 3}, "air"}}},
    {"low gap", false, .parts = {WALL, {{0, 1, 3}, {0, 1, 3}, "air"}}},
    {"low gap for a duck", true, .width = 0.5f, .height = 0.6f,
     .parts = {WALL, {{0, 1, 3}, {0, 1, 3}, "air"}}},
    {"narrow gap for a wide body", false, .width = 1.4f, .height = 1.4f,
     .parts = {WALL, {{0, 1, 3}, {0, 4, 3}, "air"}}},
    {"wide gap for a wide body", true, .width = 1.4f, .height = 1.4f,
     .parts = {WALL, {{0, 1, 3}, {0, 4, 4}, "air"}}},
    {"closed door", true, .opens = true,
     .parts = {WALL,
               {{0, 1, 2}, {0, 1, 2}, "oak_door_east_lower"},
               {{0, 2, 2}, {0, 2, 2}, "oak_door_east_upper"}}},
    {"closed door, no hands", false,
     .parts = {WALL,
               {{0, 1, 2}, {0, 1, 2}, "oak_door_east_lower"},
               {{0, 2, 2}, {0, 2, 2}, "oak_door_east_upper"}}},
    {"open door", true,
     .parts = {WALL,
               {{0, 1, 2}, {0, 1, 2}, "oak_door_east_open_lower"},
               {{0, 2, 2}, {0, 2, 2}, "oak_door_east_open_upper"}}},
    {"one step", true, .parts = {{{0, 1, -8}, {0, 1, 8}, "stone"}}},
    {"two steps at once", false, .parts = {{{0, 1, -8}, {0, 2, 8}, "stone"}}},
    {"two steps", true,
     .parts = {{{0, 1, -8}, {3, 2, 8}, "stone"}, {{-1, 1, -8}, {-1, 1, 8}, "stone"}}},
    {"low ceiling above a step", false,
     .parts = {{{0, 1, -8}, {0, 1, 8}, "stone"}, {{-8, 3, -8}, {8, 3, 8}, "stone"}}},
    {"slabs", true, .parts = {{{0, 1, -8}, {0, 1, 8}, "oak_slab"}}},
    {"slab under a low ceiling", false,
     .parts = {{{0, 1, -8}, {0, 1, 8}, "oak_slab"}, {{-8, 3, -8}, {8, 3, 8}, "stone"}}},
    {"upper slab", false,
     .parts = {WALL, {{0, 1, 0}, {0, 3, 0}, "air"}, {{0, 2, 0}, {0, 2, 0}, "oak_slab_top"}}},
    {"upper slab above the head", true,
     .parts = {WALL, {{0, 1, 0}, {0, 3, 0}, "air"}, {{0, 3, 0}, {0, 3, 0}, "oak_slab_top"}}},
    {"stairs", true,
     .parts = {{{0, 1, -8}, {3, 2, 8}, "stone"},
               {{-1, 1, -8}, {-1, 1, 8}, "stone"},
               {{-2, 1, -8}, {-2, 1, 8}, "oak_stairs_west"}}},
    {"fence", false, .parts = {{{0, 1, -8}, {0, 1, 8}, "oak_fence"}}},
    {"fence with a gap", true,
     .parts = {{{0, 1, -8}, {0, 1, 8}, "oak_fence"}, {{0, 1, -4}, {0, 1, -4}, "air"}}},
    {"fence beside a step", false,
     .parts = {{{0, 1, -8}, {0, 2, 8}, "oak_fence"}, {{-1, 1, -8}, {-1, 1, 8}, "stone"}}},
    {"hole of three", false, .parts = {PIT}},
    {"hole with a floor three below", false, .parts = {PIT, {{-1, -4, -8}, {1, -4, 8}, "stone"}}},
    {"hole with a way out", true, .parts = {PIT, {{-1, -1, -8}, {1, -1, 8}, "stone"}}},
    {"bridge", true, .parts = {PIT, {{-1, 0, 2}, {1, 0, 2}, "stone"}}},
    {"bridge with a gap", false,
     .parts = {PIT, {{-1, 0, 2}, {1, 0, 2}, "stone"}, {{0, 0, 2}, {0, 0, 2}, "air"}}},
    {"diagonal bridge", true,
     .parts = {PIT,
               {{-1, 0, 1}, {-1, 0, 1}, "stone"},
               {{0, 0, 2}, {0, 0, 2}, "stone"},
               {{1, 0, 3}, {1, 0, 3}, "stone"}}},
    {"water", true,
     .parts = {PIT, {{-1, -1, -8}, {1, -1, 8}, "stone"}, {{-1, 0, -8}, {1, 0, 8}, "water"}}},
    {"deep water", true,
     .parts = {PIT, {{-1, -3, -8}, {1, -3, 8}, "stone"}, {{-1, -2, -8}, {1, 0, 8}, "water"}}},
    {"magma", false, .parts = {{{-1, 0, -8}, {1, 0, 8}, "magma"}}},
    {"magma with a path", true,
     .parts = {{{-1, 0, -8}, {1, 0, 8}, "magma"}, {{-1, 0, 5}, {1, 0, 5}, "stone"}}},
    {"lava", false,
     .parts = {PIT, {{-1, -1, -8}, {1, -1, 8}, "stone"}, {{-1, 0, -8}, {1, 0, 8}, "lava"}}},
    {"cactus", false, .parts = {{{0, 1, -8}, {0, 1, 8}, "cactus"}}},
    {"cacti with a gap", true,
     .parts = {{{0, 1, -8}, {0, 1, 8}, "cactus"}, {{0, 1, 0}, {0, 1, 0}, "air"}}},
    {"ladder", true, .climbs = true, .goal_y = 5,
     .parts = {{{0, 1, -8}, {8, 4, 8}, "stone"}, {{-1, 1, 0}, {-1, 4, 0}, "ladder_west"}}},
    {"ladder, no hands", false, .goal_y = 5,
     .parts = {{{0, 1, -8}, {8, 4, 8}, "stone"}, {{-1, 1, 0}, {-1, 4, 0}, "ladder_west"}}},
    {"closed room", false,
     .parts = {{{4, 1, -2}, {8, 4, 2}, "stone"}, {{5, 1, -1}, {7, 3, 1}, "air"}}},
    {"room with a door", true, .opens = true,
     .parts = {{{4, 1, -2}, {8, 4, 2}, "stone"},
               {{5, 1, -1}, {7, 3, 1}, "air"},
               {{4, 1, 0}, {4, 1, 0}, "oak_door_east_lower"},
               {{4, 2, 0}, {4, 2, 0}, "oak_door_east_upper"}}},
    {"maze", true,
     .parts = {{{-2, 1, -8}, {-2, 4, 7}, "stone"},
               {{0, 1, -7}, {0, 4, 8}, "stone"},
               {{2, 1, -8}, {2, 4, 7}, "stone"}}},
    {"plants", true, .parts = {{{0, 1, -8}, {0, 1, 8}, "tall_grass"}}},
};

static inline void situation_clear(CreatureFixture *fixture)
{
    for (int32_t y = -4; y <= 6; y++)
        for (int32_t z = -8; z <= 8; z++)
            for (int32_t x = -8; x <= 8; x++)
                put_block(fixture, x, y, z, y == 0 ? "stone" : "air");
}

static inline void situation_build(CreatureFixture *fixture, const Situation *situation)
{
    for (uint32_t i = 0; i < 6 && situation->parts[i].block; i++) {
        const Part *part = &situation->parts[i];
        for (int32_t y = part->low[1]; y <= part->high[1]; y++)
            for (int32_t z = part->low[2]; z <= part->high[2]; z++)
                for (int32_t x = part->low[0]; x <= part->high[0]; x++)
                    put_block(fixture, x, y, z, part->block);
    }
}

/* What the search for paths reads; the blocks are those of the fixture. */
static inline CnBlock situation_block(void *user, CnCell cell)
{
    return cn_voxels_get(user, cell);
}

static inline CraftyPathWorld situation_world(const CreatureFixture *fixture,
                                              const CraftyPathTraits *traits)
{
    return (CraftyPathWorld){
        .blocks = {cn_voxels_blocks(fixture->sim.voxels), situation_block, fixture->sim.voxels},
        .traits = traits};
}

#endif

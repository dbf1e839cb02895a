/* Paths: the cheapest ones of random worlds, compared with a plain search; and single obstacles. */
#include "creature_fixture.h"

#include <crafty/sim/path_find.h>

#define SIDE 10
#define HIGH 6
#define CELLS (SIDE * SIDE * HIGH)

/* ---- Random worlds ---- */

typedef struct Grid {
    bool solid[HIGH][SIDE][SIDE];
} Grid;

static bool is_solid(const Grid *grid, int32_t x, int32_t y, int32_t z)
{
    if (x < 0 || z < 0 || x >= SIDE || z >= SIDE || y < 0)
        return true;
    return y < HIGH && grid->solid[y][z][x];
}

static CnBlock grid_get(void *user, CnCell cell)
{
    return is_solid(user, cell.x, cell.y, cell.z) ? BLOCK_STONE : CN_BLOCK_AIR;
}

static bool is_room(const Grid *grid, int32_t x, int32_t y, int32_t z)
{
    return !is_solid(grid, x, y, z) && !is_solid(grid, x, y + 1, z);
}

static bool stands(const Grid *grid, int32_t x, int32_t y, int32_t z)
{
    return y >= 1 && y < HIGH + 1 && is_room(grid, x, y, z) && is_solid(grid, x, y - 1, z);
}

/* Relaxes until nothing changes. */
static uint32_t plain_cost(const Grid *grid, CnCell start, CnCell goal)
{
    static uint32_t cost[HIGH + 2][SIDE][SIDE];
    memset(cost, 0xFF, sizeof cost);
    cost[start.y][start.z][start.x] = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (int32_t y = 1; y <= HIGH; y++)
            for (int32_t z = 0; z < SIDE; z++)
                for (int32_t x = 0; x < SIDE; x++) {
                    if (cost[y][z][x] == UINT32_MAX)
                        continue;
                    for (int32_t i = 0; i < 9; i++) {
                        int32_t dx = i % 3 - 1, dz = i / 3 - 1, to_y = y, tx = x + dx, tz = z + dz;
                        uint32_t step = dx && dz ? 14 : 10;
                        if (i == 4 || tx < 0 || tz < 0 || tx >= SIDE || tz >= SIDE)
                            continue;
                        if (dx && dz) {
                            if (!stands(grid, tx, y, tz) || !is_room(grid, tx, y, z) ||
                                !is_room(grid, x, y, tz))
                                continue;
                        } else if (stands(grid, tx, y + 1, tz)) {
                            if (is_solid(grid, x, y + 2, z))
                                continue;
                            to_y = y + 1;
                            step += 6;
                        } else if (!stands(grid, tx, y, tz)) {
                            if (!is_room(grid, tx, y, tz))
                                continue;
                            for (to_y = y - 1; to_y >= y - 3 && to_y > 0; to_y--)
                                if (stands(grid, tx, to_y, tz))
                                    break;
                            if (to_y < y - 3 || to_y <= 0)
                                continue;
                            step += 3 * (uint32_t)(y - to_y);
                        }
                        if (cost[y][z][x] + step < cost[to_y][tz][tx]) {
                            cost[to_y][tz][tx] = cost[y][z][x] + step;
                            changes = true;
                        }
                    }
                }
    }
    return cost[goal.y][goal.z][goal.x];
}

static CnCell random_place(const Grid *grid, CnRandom *random)
{
    for (uint32_t i = 0; i < 1000; i++) {
        CnCell cell = {(int32_t)cn_random_below(random, SIDE),
                       1 + (int32_t)cn_random_below(random, HIGH - 1),
                       (int32_t)cn_random_below(random, SIDE)};
        if (stands(grid, cell.x, cell.y, cell.z))
            return cell;
    }
    return (CnCell){-1, 0, 0};
}

static void paths_are_as_cheap_as_those_of_a_plain_search(void **state)
{
    CraftyPathTraits *traits = crafty_path_traits_create(NULL, standard_blocks(), NULL, NULL);
    CraftyPathScratch *scratch = crafty_path_scratch_create(NULL, NULL);
    CnRandom random = cn_random_make(7, "paths");
    uint32_t found = 0, none = 0;
    (void)state;
    for (uint32_t round = 0; round < 400; round++) {
        Grid grid = {0};
        uint64_t part = 15 + round % 30;
        for (uint32_t i = 0; i < CELLS; i++)
            grid.solid[i / (SIDE * SIDE)][i / SIDE % SIDE][i % SIDE] =
                i < SIDE * SIDE || cn_random_below(&random, 100) < part;
        CnCell start = random_place(&grid, &random), goal = random_place(&grid, &random);
        if (start.x < 0 || goal.x < 0)
            continue;
        CraftyPathWorld world = {.blocks = {standard_blocks(), grid_get, &grid}, .traits = traits};
        CraftyPathDesc desc = {.start = start,
                               .goal = goal,
                               .body = {.width = 0.6f, .height = 1.8f},
                               .max_nodes = 4096};
        CraftyPath path;
        CraftyPathResult result = crafty_path_find(scratch, &world, &desc, &path);
        uint32_t cost = plain_cost(&grid, start, goal);
        if (cost == UINT32_MAX) {
            assert_int_not_equal(result, CRAFTY_PATH_FOUND);
            none++;
            continue;
        }
        assert_int_equal(result, CRAFTY_PATH_FOUND);
        assert_int_equal(path.cost, cost);
        found++;
    }
    assert_true(found > 100 && none > 20);
    crafty_path_scratch_destroy(scratch);
    crafty_path_traits_destroy(traits);
}

/* ---- Single obstacles ---- */

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

static CnBlock world_get(void *user, CnCell cell)
{
    return cn_voxels_get(user, cell);
}

static void clear_place(CreatureFixture *fixture)
{
    for (int32_t y = -4; y <= 6; y++)
        for (int32_t z = -8; z <= 8; z++)
            for (int32_t x = -8; x <= 8; x++)
                put_block(fixture, x, y, z, y == 0 ? "stone" : "air");
}

static void build_place(CreatureFixture *fixture, const Situation *situation)
{
    for (uint32_t i = 0; i < 6 && situation->parts[i].block; i++) {
        const Part *part = &situation->parts[i];
        for (int32_t y = part->low[1]; y <= part->high[1]; y++)
            for (int32_t z = part->low[2]; z <= part->high[2]; z++)
                for (int32_t x = part->low[0]; x <= part->high[0]; x++)
                    put_block(fixture, x, y, z, part->block);
    }
}

static void every_situation_has_a_path_or_none(void **state)
{
    CreatureFixture fixture;
    (void)state;
    assert_true(CN_COUNT_OF(situations) >= 40);
    creatures_make(&fixture, 1, 8);
    CraftyPathTraits *traits = crafty_path_traits_create(NULL, cn_voxels_blocks(fixture.sim.voxels),
                                                         fixture.sim.families, NULL);
    CraftyPathScratch *scratch = crafty_path_scratch_create(NULL, NULL);
    CraftyPathWorld world = {
        .blocks = {cn_voxels_blocks(fixture.sim.voxels), world_get, fixture.sim.voxels},
        .traits = traits};
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++) {
        const Situation *s = &situations[i];
        clear_place(&fixture);
        build_place(&fixture, s);
        CraftyPathDesc desc = {.start = {-6, FLOOR_Y + 1, 0},
                               .goal = {6, FLOOR_Y + (s->goal_y ? s->goal_y : 1), 0},
                               .body = {.width = s->width > 0 ? s->width : 0.6f,
                                        .height = s->height > 0 ? s->height : 1.8f,
                                        .opens_doors = s->opens,
                                        .climbs = s->climbs},
                               .max_nodes = 4096};
        CraftyPath path;
        bool found = crafty_path_find(scratch, &world, &desc, &path) == CRAFTY_PATH_FOUND;
        if (found != s->is_solved)
            fail_msg("%s: %s", s->name, found ? "a path was found" : "no path was found");
    }
    crafty_path_scratch_destroy(scratch);
    crafty_path_traits_destroy(traits);
    creatures_end(&fixture);
}

/* The kind of a creature that follows the food of the player, with the body of the situation. */
static CnEntity make_walker(CreatureFixture *fixture, const Situation *s)
{
    CraftyCreatureKind *kind =
        (CraftyCreatureKind *)(uintptr_t)crafty_creature_kind_find(fixture->kinds, "pig");
    kind->width = s->width > 0 ? s->width : 0.6f;
    kind->height = s->height > 0 ? s->height : 1.8f;
    kind->opens_doors = s->opens || s->climbs;
    kind->behaviour_count = 1;
    kind->behaviours[0] = (CraftyBehaviour){
        .kind = CRAFTY_BEHAVIOUR_TEMPT, .speed = 1.5f, .distance = 32, .seconds = 5, .chance = 1};
    return creature_at(fixture, "pig", -5.5f, 0.5f);
}

static void creatures_walk_every_path_that_exists(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++) {
        const Situation *s = &situations[i];
        CnWorld *world = fixture.sim.world;
        clear_place(&fixture);
        build_place(&fixture, s);
        float feet = (float)(FLOOR_Y + (s->goal_y ? s->goal_y : 1)) + 0.01f;
        cn_get_mut(world, fixture.sim.players[0], CnTransform)->position =
            cn_vec3(6.5f, feet + CRAFTY_PLAYER_EYE, 0.5f);
        fixture_player(&fixture.sim, 0)->slots[0] =
            (CraftyStack){.item = fixture_item(&fixture.sim, "carrot"), .count = 1};
        fixture_player(&fixture.sim, 0)->slot = 0;
        CnEntity walker = make_walker(&fixture, s);
        bool arrives = false;
        for (uint32_t tick = 0; tick < (s->is_solved ? 2400u : 300u) && !arrives; tick++) {
            fixture_ticks(&fixture.sim, 1);
            if (!creature_of(&fixture, walker))
                fail_msg("%s: the creature died", s->name);
            CnVec3 at = creature_place(&fixture, walker);
            arrives = flat_distance(at, cn_vec3(6.5f, 0, 0.5f)) < 2.6f && at.y > feet - 1.1f;
        }
        if (arrives != s->is_solved)
            fail_msg("%s: the creature is at %g %g %g", s->name,
                     (double)creature_place(&fixture, walker).x,
                     (double)(creature_place(&fixture, walker).y - FLOOR_Y),
                     (double)creature_place(&fixture, walker).z);
        crafty_creature_remove(world, walker);
    }
    creatures_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_as_cheap_as_those_of_a_plain_search),
        cmocka_unit_test(every_situation_has_a_path_or_none),
        cmocka_unit_test(creatures_walk_every_path_that_exists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Paths: the cheapest ones of random worlds, compared with a plain search; and single obstacles.
 * test_path_walk.c walks along them. */
#include "path_situations.h"

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

static void every_situation_has_a_path_or_none(void **state)
{
    CreatureFixture fixture;
    (void)state;
    assert_true(CN_COUNT_OF(situations) >= 40);
    creatures_make(&fixture, 1, 8);
    CraftyPathTraits *traits = crafty_path_traits_create(NULL, cn_voxels_blocks(fixture.sim.voxels),
                                                         fixture.sim.families, NULL);
    CraftyPathScratch *scratch = crafty_path_scratch_create(NULL, NULL);
    CraftyPathWorld world = situation_world(&fixture, traits);
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++) {
        const Situation *s = &situations[i];
        situation_clear(&fixture);
        situation_build(&fixture, s);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_as_cheap_as_those_of_a_plain_search),
        cmocka_unit_test(every_situation_has_a_path_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

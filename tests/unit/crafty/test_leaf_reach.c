/* Leaves of generated trees are near enough to wood that they never decay, also when a tree beside
 * them is cut: in forests of many seeds, great trees included. */
#include "cmocka_tests.h"

#include <crafty/sim/growth.h>
#include <crafty/world/world.h>

#include <stdlib.h>
#include <string.h>

#define SIZE 64
#define MARGIN 12 /* trees at the edge have wood outside */
#define LOW 4
#define HIGH 130
#define ROWS (HIGH - LOW)

typedef struct Forest {
    uint8_t kind[SIZE][ROWS][SIZE]; /* 0 other, 1 leaves, 2 wood */
    uint8_t steps[SIZE][ROWS][SIZE];
} Forest;

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

static void read_forest(CnVoxels *voxels, int32_t x0, int32_t z0, Forest *forest)
{
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    for (int32_t x = 0; x < SIZE; x++)
        for (int32_t z = 0; z < SIZE; z++) {
            int32_t top = cn_voxels_height(voxels, x0 + x, z0 + z);
            for (int32_t y = LOW; y < HIGH; y++) {
                uint8_t *kind = &forest->kind[x][y - LOW][z];
                *kind = 0;
                if (y > top)
                    continue;
                const char *name =
                    cn_block_info(blocks, cn_voxels_get(voxels, (CnCell){x0 + x, y, z0 + z}))->name;
                *kind = ends_with(name, "_leaves") && strcmp(name, "fallen_leaves") != 0 ? 1
                        : ends_with(name, "_log")                                        ? 2
                                                                                         : 0;
            }
        }
}

/* Distances from wood through leaves, by repeated sweeps. */
static void measure(Forest *forest)
{
    memset(forest->steps, 255, sizeof forest->steps);
    for (uint32_t step = 1; step <= CRAFTY_LEAF_REACH; step++)
        for (int32_t x = 1; x < SIZE - 1; x++)
            for (int32_t y = 1; y < ROWS - 1; y++)
                for (int32_t z = 1; z < SIZE - 1; z++) {
                    if (forest->kind[x][y][z] != 1 || forest->steps[x][y][z] != 255)
                        continue;
                    static const int8_t sides[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                                       {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
                    for (uint32_t i = 0; i < 6; i++) {
                        int32_t a = x + sides[i][0], b = y + sides[i][1], c = z + sides[i][2];
                        if (step == 1
                                ? forest->kind[a][b][c] == 2
                                : forest->kind[a][b][c] == 1 && forest->steps[a][b][c] == step - 1)
                            forest->steps[x][y][z] = (uint8_t)step;
                    }
                }
}

static uint32_t count_loose(const Forest *forest, uint32_t *leaves, uint8_t *furthest)
{
    uint32_t loose = 0;
    for (int32_t x = MARGIN; x < SIZE - MARGIN; x++)
        for (int32_t y = 1; y < ROWS - 1; y++)
            for (int32_t z = MARGIN; z < SIZE - MARGIN; z++) {
                if (forest->kind[x][y][z] != 1)
                    continue;
                uint8_t steps = forest->steps[x][y][z];
                ++*leaves;
                loose += steps == 255;
                if (steps != 255 && steps > *furthest)
                    *furthest = steps;
            }
    return loose;
}

static void leaves_of_generated_trees_are_near_wood(void **state)
{
    (void)state;
    Forest *forest = malloc(sizeof *forest);
    uint32_t leaves = 0, loose = 0;
    uint8_t furthest = 0;
    assert_non_null(forest);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        CraftyWorld *world =
            crafty_world_create(&(CraftyWorldDesc){.seed = seed, .workers = CN_JOBS_NONE}, NULL);
        assert_non_null(world);
        for (int32_t i = 0; i < 2; i++) {
            read_forest(crafty_world_voxels(world), i * 700 - 300, (int32_t)seed * 137 - i * 900,
                        forest);
            measure(forest);
            loose += count_loose(forest, &leaves, &furthest);
        }
        crafty_world_destroy(world);
    }
    free(forest);
    print_message("%u leaves, the furthest %u steps from wood, %u further\n", leaves, furthest,
                  loose);
    assert_true(leaves > 2000);
    assert_int_equal(loose, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_of_generated_trees_are_near_wood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

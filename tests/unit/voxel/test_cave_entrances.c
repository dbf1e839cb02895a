/* test-labels: statistics */
/* Where caves come up through the ground, around the middle of six worlds. */
#include "cmocka_tests.h"
#include "voxel/generate/terrain.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include <string.h>

static const uint64_t seeds[] = {7341, 99, 123456789, 0, 1337, 42};

/* ---- The middle of a world ---- */

#define CHUNKS 32
#define SIDE (16 * CHUNKS)
#define FIRST (-SIDE / 2) /* x and z of the first column */
#define BOTTOM (-32)
#define HEIGHT 192
#define COLUMNS (SIDE * SIDE)

static CnBlock area[HEIGHT][COLUMNS]; /* [y - BOTTOM][x + SIDE z] */
static int16_t grounds[COLUMNS];
static uint8_t marks[COLUMNS]; /* CniVoxelEntrance */
static bool is_open[COLUMNS];  /* a tunnel took the ground */

static void copy_columns(GeneratedWorld *world, int32_t chunk_x, int32_t chunk_z)
{
    CnColumn columns[256];
    uint8_t entrances[256];
    const int32_t x = FIRST + 16 * chunk_x, z = FIRST + 16 * chunk_z;
    cn_generate_columns(world->generator, world->scratch,
                        &(CnColumnGrid){.x = x, .z = z, .step = 1, .count = 16}, columns);
    cni_voxel_entrances_mark(world->generator, x, z, columns, entrances);
    for (int32_t at = 0; at < 256; at++) {
        const int32_t to = 16 * chunk_x + at % 16 + SIDE * (16 * chunk_z + at / 16);
        grounds[to] = columns[at].ground;
        marks[to] = entrances[at];
        is_open[to] = cni_voxel_entrance_depth(world->generator, x + at % 16, z + at / 16,
                                               columns[at].ground, 1) > 0;
    }
}

static void copy_chunk(GeneratedWorld *world, CnChunkPos chunk)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    const CnChunkPos position = {FIRST / 16 + chunk.x, BOTTOM / 16 + chunk.y, FIRST / 16 + chunk.z};
    cn_generate(world->generator, world->scratch, position, blocks);
    for (int32_t row = 0; row < 256; row++)
        memcpy(&area[16 * chunk.y + row % 16][16 * chunk.x + SIDE * (16 * chunk.z + row / 16)],
               &blocks[16 * row], 16 * sizeof *blocks);
}

static void fill_area(const CnGeneratorDesc *desc)
{
    GeneratedWorld world = generated_world(desc);
    for (int32_t z = 0; z < CHUNKS; z++)
        for (int32_t x = 0; x < CHUNKS; x++) {
            copy_columns(&world, x, z);
            for (int32_t y = 0; y < HEIGHT / 16; y++)
                copy_chunk(&world, (CnChunkPos){x, y, z});
        }
    generated_drop(&world);
}

static CnBlock block_at(int32_t x, int32_t y, int32_t z)
{
    return area[y - BOTTOM][x + SIDE * z];
}

static bool is_inside(int32_t x, int32_t y, int32_t z)
{
    return x >= 0 && z >= 0 && x < SIDE && z < SIDE && y > BOTTOM && y < BOTTOM + HEIGHT - 2;
}

/* ---- Walking ---- */

static bool seen[HEIGHT][COLUMNS];
static CnCell queue[200000];

/* Air for feet and head, ground below. */
static bool can_stand(int32_t x, int32_t y, int32_t z)
{
    return is_inside(x, y, z) && block_at(x, y, z) == CN_BLOCK_AIR &&
           block_at(x, y + 1, z) == CN_BLOCK_AIR &&
           standard_blocks()->info[block_at(x, y - 1, z)].collidable;
}

static const int32_t sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

static void visit(int32_t x, int32_t y, int32_t z, uint32_t *count)
{
    bool *here = &seen[y - BOTTOM][x + SIDE * z];
    if (*here || *count == CN_COUNT_OF(queue))
        return;
    *here = true;
    queue[(*count)++] = (CnCell){x, y, z};
}

/* Steps of one block up or down, underground alone. */
static void visit_steps(CnCell from, uint32_t *count)
{
    for (int i = 0; i < 4; i++) {
        const int32_t x = from.x + sides[i][0], z = from.z + sides[i][1];
        for (int32_t y = from.y - 1; y <= from.y + 1; y++) {
            if (!can_stand(x, y, z) || y > grounds[x + SIDE * z] ||
                (y > from.y && block_at(from.x, from.y + 2, from.z) != CN_BLOCK_AIR) ||
                (y < from.y && block_at(x, y + 2, z) != CN_BLOCK_AIR))
                continue;
            visit(x, y, z, count);
        }
    }
}

#define DEEP 8

/* From open ground at this place, into a cave at least DEEP below the ground. */
static bool leads_down(int32_t x, int32_t z)
{
    uint32_t count = 0, deepest = 0;
    visit_steps((CnCell){x, grounds[x + SIDE * z] + 1, z}, &count);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t depth = grounds[queue[i].x + SIDE * queue[i].z] - queue[i].y;
        deepest = depth > (int32_t)deepest ? (uint32_t)depth : deepest;
        visit_steps(queue[i], &count);
    }
    return deepest >= DEEP;
}

/* Ways into caves that can be walked, each counted once. */
static uint32_t count_ways_in(void)
{
    uint32_t ways = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t z = 1; z < SIDE - 1; z++)
        for (int32_t x = 1; x < SIDE - 1; x++) {
            const int32_t at = x + SIDE * z;
            if (!is_open[at] && is_inside(x, grounds[at] + 1, z) &&
                can_stand(x, grounds[at] + 1, z))
                ways += leads_down(x, z);
        }
    return ways;
}

static void caves_can_be_walked_into_near_the_middle_of_every_world(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(seeds); i++) {
        fill_area(&(CnGeneratorDesc){
            .blocks = standard_blocks(), .seed = seeds[i], .no_features = true, .no_ores = true});
        const uint32_t ways = count_ways_in();
        if (ways < 3)
            fail_msg("seed %llu has %u ways into caves", (unsigned long long)seeds[i], ways);
    }
}

/* ---- Water ---- */

static void expect_dry(int32_t x, int32_t y, int32_t z)
{
    assert_true(y > CN_SEA_LEVEL);
    for (int i = 0; i < 4; i++)
        if (is_inside(x + sides[i][0], y, z + sides[i][1]))
            assert_int_not_equal(block_at(x + sides[i][0], y, z + sides[i][1]), CN_BLOCK_WATER);
    assert_int_not_equal(block_at(x, y - 1, z), CN_BLOCK_WATER);
    assert_int_not_equal(block_at(x, y + 1, z), CN_BLOCK_WATER);
}

static void no_water_touches_an_entrance(void **state)
{
    (void)state;
    uint32_t open = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(seeds); i++) {
        fill_area(&(CnGeneratorDesc){
            .blocks = standard_blocks(), .seed = seeds[i], .no_features = true, .no_ores = true});
        for (int32_t at = 0; at < COLUMNS; at++)
            for (int32_t y = grounds[at] - 2; y <= grounds[at]; y++)
                if (is_inside(at % SIDE, y, at / SIDE) &&
                    block_at(at % SIDE, y, at / SIDE) == CN_BLOCK_AIR) {
                    expect_dry(at % SIDE, y, at / SIDE);
                    open++;
                }
    }
    assert_true(open > 1000);
}

static void roofs_are_three_blocks_thick_outside_of_entrances(void **state)
{
    (void)state;
    fill_area(&(CnGeneratorDesc){
        .blocks = standard_blocks(), .seed = 99, .no_features = true, .no_ores = true});
    for (int32_t at = 0; at < COLUMNS; at++)
        for (int32_t y = grounds[at] - 2; y <= grounds[at]; y++)
            if (marks[at] < CNI_VOXEL_ENTRANCE_ROOFLESS && is_inside(at % SIDE, y, at / SIDE))
                assert_int_not_equal(block_at(at % SIDE, y, at / SIDE), CN_BLOCK_AIR);
}

/* ---- What stands on the ground ---- */

static bool is_leaves(CnBlock block)
{
    return strstr(standard_blocks()->info[block].name, "leaves") != NULL;
}

/* Crowns may reach over an entrance; roots, plants, paths and houses do not. */
static void nothing_floats_over_an_entrance(void **state)
{
    (void)state;
    uint32_t open = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(seeds); i++) {
        fill_area(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = seeds[i]});
        for (int32_t at = 0; at < COLUMNS; at++) {
            const int32_t x = at % SIDE, z = at / SIDE;
            if (!is_open[at] || !is_inside(x, grounds[at], z))
                continue;
            const CnBlock ground = block_at(x, grounds[at], z),
                          above = block_at(x, grounds[at] + 1, z);
            assert_true(ground == CN_BLOCK_AIR || is_leaves(ground));
            assert_true(above == CN_BLOCK_AIR || is_leaves(above));
            open++;
        }
    }
    assert_true(open > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caves_can_be_walked_into_near_the_middle_of_every_world),
        cmocka_unit_test(no_water_touches_an_entrance),
        cmocka_unit_test(roofs_are_three_blocks_thick_outside_of_entrances),
        cmocka_unit_test(nothing_floats_over_an_entrance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

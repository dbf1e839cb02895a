/* Water is the same for any order of waking and comes to the same rest with any budget. */
#include "cmocka_tests.h"
#include "random.h"
#include "standard_blocks.h"
#include "water_world.h"

#include <string.h>

#define SIDE 24
#define HEIGHT 14

static CnBlock random_block(TestRandom *random, int32_t y)
{
    uint32_t dice = test_random_below(random, 100);
    if (dice < (y < HEIGHT / 2 ? 55u : 12u))
        return BLOCK_STONE;
    return dice > 97 ? BLOCK_POPPY : CN_BLOCK_AIR;
}

/* Rocks below, a few above, and a lake that reaches through them in one corner. */
static WaterWorld *make_rocks(uint64_t seed)
{
    WaterWorld *world = water_world_create(NULL, SIDE, HEIGHT, SIDE);
    TestRandom random = {seed};
    for (int32_t i = 0; i < SIDE * SIDE * HEIGHT; i++) {
        int32_t x = i % SIDE, y = i / SIDE % HEIGHT, z = i / SIDE / HEIGHT;
        bool lake = x < 8 && z < 8 && y < 9;
        CnBlock block = random_block(&random, y);
        water_world_set(world, x, y, z, lake && block != BLOCK_STONE ? CN_BLOCK_WATER : block);
    }
    return world;
}

static CnCell cell_number(uint32_t i)
{
    return (CnCell){(int32_t)(i % SIDE), (int32_t)(i / SIDE % HEIGHT),
                    (int32_t)(i / SIDE / HEIGHT)};
}

/* Wakes everything, from the first cell on or in an order of its own. */
static void wake_all(WaterWorld *world, uint32_t stride)
{
    const uint32_t count = SIDE * SIDE * HEIGHT;
    for (uint32_t i = 0; i < count; i++)
        assert_true(cn_water_wake(world->water, cell_number(i * stride % count)));
}

/* Edits that come in the middle of it all: blocks put and taken, sources too. */
static void edit(WaterWorld *world, TestRandom *random, uint32_t count)
{
    static const CnBlock blocks[] = {CN_BLOCK_AIR, CN_BLOCK_AIR,   BLOCK_STONE,
                                     CN_BLOCK_AIR, CN_BLOCK_WATER, BLOCK_POPPY};
    for (uint32_t i = 0; i < count; i++) {
        CnCell cell = cell_number(test_random_below(random, SIDE * SIDE * HEIGHT));
        water_world_put(world, cell.x, cell.y, cell.z, blocks[test_random_below(random, 6)]);
    }
}

static void every_step_is_the_same_for_any_order_of_waking(void **state)
{
    (void)state;
    static const uint32_t budgets[] = {100000, 40, 3};
    for (uint32_t run = 0; run < 3; run++) {
        WaterWorld *a = make_rocks(run), *b = make_rocks(run);
        a->budget = b->budget = budgets[run];
        wake_all(a, 1);
        wake_all(b, 4001); /* prime, and no divisor of the count */
        for (uint32_t step = 0; step < 300; step++) {
            water_world_step(a, 1);
            water_world_step(b, 1);
            assert_true(water_world_hash(a) == water_world_hash(b));
        }
        assert_int_equal(cn_water_awake(a->water), cn_water_awake(b->water));
        water_world_destroy(a);
        water_world_destroy(b);
    }
}

static void a_host_may_wake_what_water_sets(void **state)
{
    (void)state;
    WaterWorld *a = make_rocks(4), *b = make_rocks(4);
    b->wakes_itself = true;
    wake_all(a, 1);
    wake_all(b, 1);
    for (uint32_t step = 0; step < 100; step++) {
        water_world_step(a, 1);
        water_world_step(b, 1);
        assert_true(water_world_hash(a) == water_world_hash(b));
    }
    water_world_destroy(a);
    water_world_destroy(b);
}

static void edits_of_one_step_may_come_in_any_order(void **state)
{
    (void)state;
    WaterWorld *a = make_rocks(5), *b = make_rocks(5);
    a->budget = b->budget = 25;
    TestRandom random = {6};
    for (uint32_t step = 0; step < 200; step++) {
        CnCell cells[5];
        for (uint32_t i = 0; i < 5; i++)
            cells[i] = cell_number(test_random_below(&random, SIDE * SIDE * HEIGHT));
        /* Both have all the blocks before either wakes. */
        for (uint32_t i = 0; i < 5; i++) {
            CnBlock block = (step + i) % 3 ? CN_BLOCK_AIR : CN_BLOCK_WATER;
            water_world_set(a, cells[i].x, cells[i].y, cells[i].z, block);
            water_world_set(b, cells[i].x, cells[i].y, cells[i].z, block);
        }
        for (uint32_t i = 0; i < 5; i++) {
            cn_water_wake(a->water, cells[i]);
            cn_water_wake(b->water, cells[4 - i]);
        }
        water_world_step(a, 1);
        water_world_step(b, 1);
        assert_true(water_world_hash(a) == water_world_hash(b));
    }
    water_world_destroy(a);
    water_world_destroy(b);
}

static void a_budget_only_delays(void **state)
{
    (void)state;
    static const uint32_t budgets[] = {100000, 50, 7, 1};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        CnBlock *rest = test_malloc(SIDE * SIDE * HEIGHT * sizeof *rest);
        for (uint32_t run = 0; run < 4; run++) {
            WaterWorld *world = make_rocks(seed);
            world->budget = budgets[run];
            wake_all(world, 1);
            water_world_settle(world, 100000);
            if (run == 0)
                memcpy(rest, world->blocks, SIDE * SIDE * HEIGHT * sizeof *rest);
            assert_memory_equal(rest, world->blocks, SIDE * SIDE * HEIGHT * sizeof *rest);
            water_world_destroy(world);
        }
        test_free(rest);
    }
}

/* Whatever has happened before: rest hangs on blocks and sources alone. */
static void water_comes_to_the_rest_that_the_rules_allow(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        WaterWorld *world = make_rocks(seed);
        TestRandom random = {seed};
        world->budget = seed % 2 ? 100000 : 30;
        wake_all(world, 1);
        for (uint32_t round = 0; round < 12; round++) {
            for (uint32_t i = 0; i < 6; i++) {
                edit(world, &random, 4);
                water_world_step(world, test_random_below(&random, 12));
            }
            water_world_settle(world, 20000);
            water_world_expect_rest(world);
        }
        water_world_destroy(world);
    }
}

/* Some of the water turns to stone, some stone beside it to air, a few edits in all. */
static void build_and_dig(WaterWorld *world, CnCell cell)
{
    uint32_t dice = (uint32_t)(cell.x * 7 + cell.y * 5 + cell.z * 3) + (uint32_t)world->sets;
    if (world->sets > 400 || dice % 3)
        return;
    int32_t side = dice % 2 ? cell.x + 1 : cell.x;
    if (side < SIDE)
        water_world_put(world, side, cell.y, cell.z, dice % 2 ? CN_BLOCK_AIR : BLOCK_STONE);
}

static void a_host_may_edit_while_water_moves(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        WaterWorld *world = make_rocks(seed);
        world->wakes_itself = true;
        world->changed = build_and_dig;
        wake_all(world, 1);
        water_world_settle(world, 1000);
        water_world_expect_rest(world);
        water_world_destroy(world);
    }
}

static void water_without_sources_vanishes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        WaterWorld *world = make_rocks(seed);
        wake_all(world, 1);
        water_world_step(world, 5 * (uint32_t)seed);
        for (uint32_t i = 0; i < SIDE * SIDE * HEIGHT; i++) {
            CnCell cell = cell_number(i);
            if (water_world_get(world, cell.x, cell.y, cell.z) == CN_BLOCK_WATER)
                water_world_put(world, cell.x, cell.y, cell.z, CN_BLOCK_AIR);
        }
        water_world_settle(world, 300);
        assert_int_equal(water_world_count(world), 0);
        water_world_destroy(world);
    }
}

/* ---- Chunks that come into being when water asks for them ---- */

#define CHUNKS 4

typedef struct Lazy {
    bool made[CHUNKS * CHUNKS];
    uint32_t count;
    WaterWorld *world; /* the whole of it; what is not made yet may not be seen */
} Lazy;

static void make(Lazy *lazy, CnCell cell)
{
    uint32_t chunk = (uint32_t)((cell.x >> 4) + CHUNKS * (cell.z >> 4));
    lazy->count += !lazy->made[chunk];
    lazy->made[chunk] = true;
}

static CnBlock lazy_get(void *user, CnCell cell)
{
    Lazy *lazy = user;
    if (cell.x >= 0 && cell.x < 16 * CHUNKS && cell.z >= 0 && cell.z < 16 * CHUNKS)
        make(lazy, cell);
    return water_world_get(lazy->world, cell.x, cell.y, cell.z);
}

static void lazy_set(void *user, CnCell cell, CnBlock block)
{
    Lazy *lazy = user;
    assert_true(lazy->made[(cell.x >> 4) + CHUNKS * (cell.z >> 4)]);
    water_world_set(lazy->world, cell.x, cell.y, cell.z, block);
}

static void water_asks_for_chunks_that_it_runs_into_and_no_others(void **state)
{
    (void)state;
    Lazy lazy = {.world = water_world_create(NULL, 16 * CHUNKS, 1, 16 * CHUNKS)};
    CnWater *water =
        cn_water_create(NULL, (CnWaterCells){standard_blocks(), &lazy, lazy_get, lazy_set});
    const CnCell source = {20, 0, 25};
    water_world_set(lazy.world, 20, 0, 25, CN_BLOCK_WATER);
    assert_true(cn_water_wake(water, source));
    while (cn_water_awake(water) > 0)
        cn_water_step(water, &source, 1, 100, 1000);
    assert_int_equal(water_world_count(lazy.world), 113);
    assert_int_equal(cn_water_level(water_world_get(lazy.world, 13, 0, 25)), 1);
    assert_int_equal(lazy.count, 3);
    cn_water_destroy(water);
    water_world_destroy(lazy.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_the_same_for_any_order_of_waking),
        cmocka_unit_test(a_host_may_wake_what_water_sets),
        cmocka_unit_test(edits_of_one_step_may_come_in_any_order),
        cmocka_unit_test(a_budget_only_delays),
        cmocka_unit_test(water_comes_to_the_rest_that_the_rules_allow),
        cmocka_unit_test(a_host_may_edit_while_water_moves),
        cmocka_unit_test(water_without_sources_vanishes),
        cmocka_unit_test(water_asks_for_chunks_that_it_runs_into_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: slow */
/*
 * Allocations that fail while villagers settle, walk, open doors and light lamps: each house gets
 * its villager, nobody is lost, and the day goes on when there is memory again.
 */
#include "creature_fixture.h"
#include "failing_system.h"
#include "faulty_allocator.h"

#include <crafty/sim/day.h>
#include <crafty/sim/villager.h>

#include <cairn/base/log.h>

#define SETTLE_TICKS 40u
#define MOST 2000u /* allocations that are tried */
#define STEP 7u    /* between those of the blocks that fail */

static CreatureFixture fixture;
static CnGenerateScratch *scratch;
static FaultyAllocator faulty;

/* Ticks may fail for lack of memory. */
static void ticks(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        cn_sim_tick_n(fixture.sim.sim, 1, NULL);
}

static uint32_t count_villagers(void)
{
    return crafty_villager_count(fixture.sim.world);
}

/* A player above a village of the world below the floor of the fixture. */
static void begin(CnAllocator *allocator, float hours)
{
    static CnCell village;
    static bool is_found; /* once for all tests: it takes a while */
    creatures_make_with(&fixture, 1, 8, allocator);
    crafty_day_set_hours(fixture.sim.world, hours);
    CnGenerator *generator = fixture.sim.blocks.generator;
    scratch = cn_generate_scratch_create(generator);
    assert_non_null(scratch);
    is_found = is_found || cn_generate_find_village(generator, scratch, 0, 0, 8000, &village);
    assert_true(is_found);
    cn_resource_mut(fixture.sim.world, CraftyBlocks)->terrain = (CraftyBiomes){generator, scratch};
    assert_true(
        crafty_player_set_mode(fixture.sim.world, fixture.sim.players[0], CRAFTY_MODE_SPECTATOR));
    cn_get_mut(fixture.sim.world, fixture.sim.players[0], CnTransform)->position =
        cn_vec3((float)village.x + 0.5f, (float)village.y + 12, (float)village.z + 0.5f);
}

static void end(void)
{
    cn_resource_mut(fixture.sim.world, CraftyBlocks)->terrain = (CraftyBiomes){0};
    cn_generate_scratch_destroy(scratch);
    creatures_end(&fixture);
}

/* One villager for each house. */
static void expect_villagers(uint32_t expected, int64_t nth)
{
    uint64_t houses = 0;
    CnQueryDesc desc = {.all = {cn_reads(CraftyVillager), cn_reads(CraftyCreature)}};
    CnQuery *query = cn_query_acquire(fixture.sim.world, &desc, NULL);
    CnChunkView view;
    uint32_t count = 0;
    assert_non_null(query);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, count++)
            houses |= 1ull << (cn_column_const(&view, CraftyVillager)[i].house & 63);
    cn_query_release(query);
    if (count != expected || houses != (1ull << expected) - 1)
        fail_msg("allocation %lld: %u villagers of %u", (long long)nth, count, expected);
}

static void everybody_settles_when_memory_of_the_simulation_runs_out(void **state)
{
    (void)state;
    begin(NULL, 8);
    ticks(SETTLE_TICKS);
    uint32_t expected = count_villagers();
    end();
    assert_true(expected >= 3 && expected < 64);
    uint32_t failed = 0;
    for (uint64_t nth = 0; nth < MOST; nth++) {
        faulty = faulty_allocator(cn_system_allocator());
        begin(&faulty.base, 8);
        faulty.calls = 0;
        faulty.fail_at = nth;
        ticks(SETTLE_TICKS);
        bool was_reached = faulty.failures > 0;
        faulty.fail_at = UINT64_MAX;
        ticks(SETTLE_TICKS);
        expect_villagers(expected, (int64_t)nth);
        end();
        if (!was_reached)
            break;
        failed++;
    }
    print_message("%u villagers, %u allocations failed\n", expected, failed);
    assert_true(failed > 3 && failed < MOST);
}

/* At dusk they walk, open doors and light lamps. */
static void the_evening_goes_on_when_memory_of_the_blocks_runs_out(void **state)
{
    (void)state;
    begin(NULL, 17.4f);
    ticks(SETTLE_TICKS);
    uint32_t expected = count_villagers();
    failing_system_begin(INT64_MAX, 0);
    ticks(300);
    int64_t allocations = failing_system_end();
    end();
    print_message("%lld allocations\n", (long long)allocations);
    for (int64_t nth = 0; nth < allocations; nth += STEP) {
        begin(NULL, 17.4f);
        ticks(SETTLE_TICKS);
        failing_system_begin(nth, 1 + nth % 3);
        ticks(300);
        failing_system_end();
        expect_villagers(expected, nth);
        end();
    }
}

static void villagers_survive_when_all_allocations_fail(void **state)
{
    (void)state;
    faulty = faulty_allocator(cn_system_allocator());
    begin(&faulty.base, 8);
    ticks(SETTLE_TICKS);
    uint32_t expected = count_villagers();
    faulty.calls = 0;
    faulty.fail_at = 0;
    faulty.lasting = true;
    failing_system_begin(0, INT64_MAX);
    ticks(300);
    failing_system_end();
    faulty.fail_at = UINT64_MAX;
    expect_villagers(expected, 0);
    ticks(300);
    expect_villagers(expected, 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_settles_when_memory_of_the_simulation_runs_out),
        cmocka_unit_test(the_evening_goes_on_when_memory_of_the_blocks_runs_out),
        cmocka_unit_test(villagers_survive_when_all_allocations_fail),
    };
    failing_system_install();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

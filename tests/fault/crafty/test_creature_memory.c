/*
 * Allocations that fail while creatures walk, breed, graze, lay, are shorn, fight, explode and die:
 * nobody vanishes, nothing that players own is lost, and life goes on when there is memory again.
 */
#include "creature_fixture.h"
#include "failing_system.h"
#include "faulty_allocator.h"

#include <crafty/sim/creature/creature_care.h>
#include <crafty/sim/creature/creature_internal.h>
#include <crafty/sim/day.h>

#include <cairn/base/log.h>

#define PIG 2u
#define MOST 2000u /* allocations that are tried */

static CreatureFixture fixture;
static FaultyAllocator faulty;
static CnEntity named, sheep, chicken, parents[2];

static CnWorld *world(void)
{
    return fixture.sim.world;
}

/* Ticks may fail for lack of memory. */
static void ticks(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        cn_sim_tick_n(fixture.sim.sim, 1, NULL);
}

static CnEntity spawn(const char *kind, float x, float z)
{
    CnEntity entity = creature_at(&fixture, kind, x, z);
    cn_get_mut(world(), entity, CraftyMind)->voice_wait = 5;
    return entity;
}

static void begin(CnAllocator *allocator)
{
    creatures_make_with(&fixture, 1, 10, allocator);
    crafty_day_set_hours(world(), 0);
    for (int32_t x = 3; x <= 9; x++)
        for (int32_t z = 3; z <= 9; z++)
            put_block(&fixture, x, 0, z, "grass");
    named = spawn("cow", 5.5f, -5.5f);
    assert_true(crafty_creature_set_label(world(), named, "Berta"));
    parents[0] = spawn("pig", -5.5f, 5.5f);
    parents[1] = spawn("pig", -6.5f, 5.5f);
    for (uint32_t i = 0; i < 2; i++)
        cn_get_mut(world(), parents[i], CraftyCreature)->love = 1200;
    sheep = spawn("sheep", 6.5f, 6.5f);
    chicken = spawn("chicken", 8.5f, -8.5f);
    cn_get_mut(world(), chicken, CraftyMind)->egg_wait = 10;
}

/* Creatures fight, breed, lay and are shorn. */
static void live(void)
{
    CnEntity player = fixture.sim.players[0];
    CraftyStack shears = {.item = fixture_item(&fixture.sim, "shears"), .count = 1};
    ticks(20);
    crafty_creature_care(world(), player, sheep, shears);
    CnEntity zombie = crafty_creature_spawn(
        world(), &(CraftyCreatureDesc){.kind = "zombie", .position = {2.5f, FLOOR_Y + 1, -6.5f}});
    CnEntity creeper = crafty_creature_spawn(
        world(), &(CraftyCreatureDesc){.kind = "creeper", .position = {-8.5f, FLOOR_Y + 1, -8.5f}});
    if (creeper.id) {
        cn_get_mut(world(), creeper, CraftyCreature)->fuse = 500;
        CraftyMind *mind = cn_get_mut(world(), creeper, CraftyMind);
        mind->behaviour = 0;
        mind->target = player;
    }
    ticks(100);
    if (zombie.id)
        crafty_creature_hurt(world(), zombie, 100, cn_vec3(0, 0, 0), player);
    ticks(80);
}

static uint64_t count_items(const char *name)
{
    return crafty_drop_items(world(), fixture_item(&fixture.sim, name));
}

/* The cow, both pigs, the sheep and the chicken live; a young pig was born, or will be; the wool is
 * on the ground or on the sheep. */
static void expect_all(int64_t nth)
{
    const CraftyCreature *cow = creature_of(&fixture, named);
    const CraftyCreature *shorn = creature_of(&fixture, sheep);
    if (!cow || strcmp(cow->label, "Berta") != 0 || !shorn || !creature_of(&fixture, chicken) ||
        !creature_of(&fixture, parents[0]) || !creature_of(&fixture, parents[1]))
        fail_msg("allocation %lld: a creature is gone", (long long)nth);
    uint32_t pigs = crafty_creature_count(world(), PIG);
    if (pigs != 3 && !(pigs == 2 && creature_of(&fixture, parents[0])->love))
        fail_msg("allocation %lld: %u pigs", (long long)nth, pigs);
    if (shorn->sheared != (count_items("white_wool") > 0))
        fail_msg("allocation %lld: the wool is lost", (long long)nth);
    if (count_items("egg") == 0 && cn_get(world(), chicken, CraftyMind)->egg_wait > 60)
        fail_msg("allocation %lld: the egg is lost", (long long)nth);
}

/* With memory, everybody moves again and the young pig is there. */
static void expect_life(int64_t nth)
{
    CnVec3 before = creature_place(&fixture, parents[0]);
    float moved = 0;
    for (uint32_t i = 0; i < 40 && !(moved > 0.5f); i++) {
        ticks(60);
        moved = flat_distance(creature_place(&fixture, parents[0]), before);
    }
    if (!(moved > 0.5f) || crafty_creature_count(world(), PIG) != 3)
        fail_msg("allocation %lld: life does not go on", (long long)nth);
}

static void nothing_is_lost_when_memory_of_the_simulation_runs_out(void **state)
{
    (void)state;
    uint32_t failed = 0;
    for (uint64_t nth = 0; nth < MOST; nth++) {
        faulty = faulty_allocator(cn_system_allocator());
        begin(&faulty.base);
        faulty.calls = 0;
        faulty.fail_at = nth;
        live();
        faulty.fail_at = UINT64_MAX;
        bool was_reached = faulty.failures > 0;
        expect_all((int64_t)nth);
        expect_life((int64_t)nth);
        creatures_end(&fixture);
        failed += was_reached;
        if (!was_reached)
            break;
    }
    print_message("%u allocations failed\n", failed);
    assert_true(failed > 10 && failed < MOST);
}

static void nothing_is_lost_when_memory_of_the_blocks_runs_out(void **state)
{
    (void)state;
    begin(NULL);
    failing_system_begin(INT64_MAX, 0);
    live();
    int64_t allocations = failing_system_end();
    expect_all(-1);
    creatures_end(&fixture);
    print_message("%lld allocations\n", (long long)allocations);
    for (int64_t nth = 0; nth < allocations; nth++) {
        begin(NULL);
        failing_system_begin(nth, 1);
        live();
        failing_system_end();
        expect_all(nth);
        expect_life(nth);
        creatures_end(&fixture);
    }
}

static void nothing_is_lost_when_all_allocations_fail(void **state)
{
    (void)state;
    faulty = faulty_allocator(cn_system_allocator());
    begin(&faulty.base);
    faulty.calls = 0;
    faulty.fail_at = 0;
    faulty.lasting = true;
    failing_system_begin(0, INT64_MAX);
    live();
    failing_system_end();
    faulty.fail_at = UINT64_MAX;
    expect_all(0);
    expect_life(0);
    creatures_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_when_memory_of_the_simulation_runs_out),
        cmocka_unit_test(nothing_is_lost_when_memory_of_the_blocks_runs_out),
        cmocka_unit_test(nothing_is_lost_when_all_allocations_fail),
    };
    failing_system_install();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

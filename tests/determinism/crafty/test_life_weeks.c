/* test-labels: threads soak */
/*
 * Two weeks of the game without a player, as fast as possible: animals, villagers, crops and forest
 * stay within bounds, the memory stays flat, and the weeks are the same when they are repeated and
 * with any number of threads. CRAFTY_LIFE_TICKS sets another length.
 */
#include "life_world.h"

#include <stdlib.h>

#define DAY_TICKS 37700u
#define DAYS 14u
#define SETTLED_TICKS 600u /* the villagers have come */
#define MAX_GROWTH (4u << 20)
#define MAX_HALF_GROWTH (1u << 20)

static uint64_t first_hash;

static uint32_t day_ticks(void)
{
    const char *text = getenv("CRAFTY_LIFE_TICKS");
    return text ? (uint32_t)strtoul(text, NULL, 10) / DAYS : DAY_TICKS;
}

static void tick(const LifeWorld *life, uint32_t ticks)
{
    assert_true(cn_sim_tick_n(life->sim, ticks, NULL));
}

static uint64_t live(uint32_t threads)
{
    LifeWorld life = life_open(threads, NULL);
    LifeCensus first = {0}, half = {0}, now = {0};
    tick(&life, SETTLED_TICKS);
    LifeCensus begin = life_census(&life);
    life_print(&life, &begin, "begin");
    for (uint32_t day = 1; day <= DAYS; day++) {
        char when[32];
        tick(&life, day_ticks());
        now = life_census(&life);
        cn_format(when, sizeof when, "day %u", day);
        life_print(&life, &now, when);
        life_expect_bounds(&life, &begin, &now);
        if (day == 1) /* all threads have their work memory */
            first = now;
        if (day == DAYS / 2)
            half = now;
    }
    assert_true(now.heap_bytes < first.heap_bytes + MAX_GROWTH);
    assert_true(now.heap_bytes < half.heap_bytes + MAX_HALF_GROWTH);
    uint64_t hash = life_hash(&life);
    print_message("%u threads: %016llx\n", threads, (unsigned long long)hash);
    life_close(&life);
    return hash;
}

static void two_weeks_stay_within_bounds(void **state)
{
    (void)state;
    first_hash = live(1);
}

static void two_weeks_are_the_same_when_repeated(void **state)
{
    (void)state;
    assert_true(live(1) == first_hash);
}

static void two_weeks_are_the_same_with_two_threads(void **state)
{
    (void)state;
    assert_true(live(2) == first_hash);
}

static void two_weeks_are_the_same_with_four_threads(void **state)
{
    (void)state;
    assert_true(live(4) == first_hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_weeks_stay_within_bounds),
        cmocka_unit_test(two_weeks_are_the_same_when_repeated),
        cmocka_unit_test(two_weeks_are_the_same_with_two_threads),
        cmocka_unit_test(two_weeks_are_the_same_with_four_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

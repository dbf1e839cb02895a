/* test-labels: threads */
/* Numbers drawn by index do not depend on the number of workers, or on how a loop is split. */
#include "jobs.h"

#include <cairn/sim/random.h>

#define ITEMS 20000u

typedef struct Draws {
    uint64_t key, tick;
    uint64_t one[ITEMS];
    uint64_t several[ITEMS];
} Draws;

static void draw_items(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Draws *draws = data;
    for (uint32_t i = begin; i < end; i++) {
        draws->one[i] = cn_random_at(draws->key, i, draws->tick);
        CnRandom own = cn_random_fork(draws->key, i, draws->tick);
        uint64_t sum = 0;
        for (uint32_t n = cn_random_u32(&own) % 8; n > 0; n--)
            sum += cn_random_below(&own, 1000003);
        draws->several[i] = sum;
    }
}

static void indexed_draws_are_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t worker_counts[] = {0, 1, 3};
    static const uint32_t grains[] = {1, 7, 1000, ITEMS};
    static Draws expected, draws;
    for (uint32_t w = 0; w < CN_COUNT_OF(worker_counts); w++) {
        CnJobPool *pool = create_pool(worker_counts[w], 0);
        for (uint32_t g = 0; g < CN_COUNT_OF(grains); g++) {
            expected = draws = (Draws){.key = cn_random_make(1, "fire").key, .tick = g};
            for (uint32_t i = ITEMS; i > 0; i--)
                draw_items(&expected, i - 1, i, 0);
            cn_job_parallel_for(pool, ITEMS, grains[g], draw_items, &draws);
            assert_memory_equal(&draws, &expected, sizeof draws);
        }
        cn_job_pool_destroy(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_draws_are_the_same_for_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: threads */
/* What parallel_for computes does not depend on the number of workers. */
#include "jobs.h"
#include "random.h"

#include <math.h>
#include <string.h>

#define ITEMS 20000u
#define MAX_PIECES ITEMS

/* Rounding makes the sum of a piece depend on the order inside of it. */
typedef struct Field {
    float values[ITEMS];
    float sums[MAX_PIECES];
    uint32_t grain;
} Field;

static void relax_items(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Field *field = data;
    float sum = 0.0f;
    for (uint32_t i = begin; i < end; i++) {
        float x = field->values[i];
        for (int step = 0; step < 4; step++)
            x = 0.5f * (x + (float)(i + 1) / (x * x + 0.1f));
        field->values[i] = x;
        sum += x;
    }
    field->sums[begin / field->grain] = sum;
}

static void fill(Field *field, uint32_t grain)
{
    TestRandom random = {2024};
    memset(field, 0, sizeof *field);
    field->grain = grain;
    for (uint32_t i = 0; i < ITEMS; i++)
        field->values[i] = (float)test_random_unit(&random) + 0.5f;
}

static void results_are_the_same_bits_for_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t worker_counts[] = {0, 1, 2, 3, 7};
    static const uint32_t grains[] = {1, 7, 64, 1000, ITEMS};
    static Field expected, field;
    for (uint32_t i = 0; i < CN_COUNT_OF(worker_counts); i++) {
        CnJobPool *pool = create_pool(worker_counts[i], 0);
        for (uint32_t k = 0; k < CN_COUNT_OF(grains); k++) {
            fill(&expected, grains[k]);
            cn_job_parallel_for(NULL, ITEMS, grains[k], relax_items, &expected);
            for (int round = 0; round < 3; round++) {
                fill(&field, grains[k]);
                cn_job_parallel_for(pool, ITEMS, grains[k], relax_items, &field);
                assert_memory_equal(&field, &expected, sizeof field);
            }
        }
        cn_job_pool_destroy(pool);
    }
}

/* A step reads its neighbors of the step before: a missing wait would show. */
typedef struct Waves {
    CnJobPool *pool;
    float steps[2][ITEMS];
    uint32_t now;
} Waves;

static void step_items(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Waves *waves = data;
    const float *from = waves->steps[waves->now];
    float *to = waves->steps[1 - waves->now];
    for (uint32_t i = begin; i < end; i++) {
        float left = from[(i + ITEMS - 1) % ITEMS];
        float right = from[(i + 1) % ITEMS];
        to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right + 0.001f * sinf(from[i]);
    }
}

static void run_waves(Waves *waves, CnJobPool *pool)
{
    TestRandom random = {7};
    waves->pool = pool;
    waves->now = 0;
    for (uint32_t i = 0; i < ITEMS; i++)
        waves->steps[0][i] = (float)test_random_unit(&random);
    for (int step = 0; step < 40; step++) {
        cn_job_parallel_for(pool, ITEMS, 200, step_items, waves);
        waves->now = 1 - waves->now;
    }
}

static void one_loop_sees_all_of_the_loop_before_it(void **state)
{
    (void)state;
    static Waves expected, waves;
    run_waves(&expected, NULL);
    for (uint32_t workers = 0; workers < 5; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        cn_job_pool_begin_spinning(pool);
        run_waves(&waves, pool);
        cn_job_pool_end_spinning(pool);
        cn_job_pool_destroy(pool);
        assert_memory_equal(waves.steps, expected.steps, sizeof waves.steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_bits_for_any_number_of_workers),
        cmocka_unit_test(one_loop_sees_all_of_the_loop_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

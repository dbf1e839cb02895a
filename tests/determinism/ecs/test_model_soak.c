/* test-labels: soak */
/* The model test with many more seeds, where CAIRN_SOAK is set; without it, with one. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "ecs_model.h"

#include <stdio.h>
#include <stdlib.h>

#define SEEDS 400u
#define OPERATIONS 200000u

static void worlds_do_what_the_reference_does_for_many_seeds(void **state)
{
    (void)state;
    const char *soak = getenv("CAIRN_SOAK");
    uint32_t seeds = soak && soak[0] && soak[0] != '0' ? SEEDS : 1;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < seeds; i++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        ModelResult result = model_run(&(ModelOptions){
            .seed = 100000 + i,
            .operations = OPERATIONS,
            .compare_every = 5000,
            .check = check_world,
            .allocator = cn_heap_tag(heap, "world"),
            .first_generation = i % 4 == 3 ? UINT32_MAX - 2 * i : 0,
        });
        if (result.error[0])
            fail_msg("%s", result.error);
        assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
        cn_heap_destroy(heap);
        if (i % 20 == 19) {
            printf("%u seeds\n", i + 1);
            fflush(stdout);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_do_what_the_reference_does_for_many_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

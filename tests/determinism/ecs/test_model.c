/* A million random operations on a world and on a naive reference, compared as they go. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "ecs_model.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t run(uint64_t seed, uint32_t operations, uint32_t first_generation)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* of events that are dropped on purpose */
    CnHeap *heap = cn_heap_create(NULL, NULL);
    ModelResult result = model_run(&(ModelOptions){
        .seed = seed,
        .operations = operations,
        .compare_every = 10000,
        .check = check_world,
        .allocator = cn_heap_tag(heap, "world"),
        .first_generation = first_generation,
    });
    if (result.error[0])
        fail_msg("%s", result.error);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    return result.hash;
}

/* A million where they are quick. */
#ifdef CN_GUARDS
enum { SEEDS = 2 };
#else
enum { SEEDS = 8 };
#endif

static void a_world_does_what_the_reference_does(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        run(seed, 125000, 0);
}

static void the_same_seed_gives_the_same_state(void **state)
{
    (void)state;
    assert_int_equal(run(99, 20000, 0), run(99, 20000, 0));
    assert_int_not_equal(run(99, 20000, 0), run(98, 20000, 0));
}

static void slots_that_retire_make_no_difference(void **state)
{
    (void)state;
    run(7, 50000, UINT32_MAX - 20);
}

int main(int argc, char **argv)
{
    /* A seed and a number of operations: prints the hash of the final state. */
    if (argc == 3) {
        uint64_t seed = strtoull(argv[1], NULL, 10);
        printf("%016llx\n", (unsigned long long)run(seed, (uint32_t)atoi(argv[2]), 0));
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_does_what_the_reference_does),
        cmocka_unit_test(the_same_seed_gives_the_same_state),
        cmocka_unit_test(slots_that_retire_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: soak threads */
#include "voxel_edits.h"

static void a_million_edits_come_to_what_a_new_world_shows(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++)
        check_voxel_edits(&(VoxelEdits){.count = 100000,
                                        .workers = (uint32_t)seed % 3,
                                        .seed = 100 + seed,
                                        .compared_every = 25000,
                                        .middle = {(int32_t)seed * 9, seed % 4 ? 1 : -3, 4}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_edits_come_to_what_a_new_world_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

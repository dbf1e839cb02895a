/* test-labels: threads */
#include "voxel_edits.h"

static void edits_one_by_one_come_to_what_a_new_world_shows(void **state)
{
    (void)state;
    check_voxel_edits(
        &(VoxelEdits){.count = 1500, .seed = 1, .compared_every = 500, .middle = {0, 1, 0}});
}

static void edits_in_the_dark_too(void **state)
{
    (void)state;
    check_voxel_edits(&(VoxelEdits){.count = 1000, .seed = 2, .middle = {3, -4, -7}});
}

static void edits_while_jobs_run_too(void **state)
{
    (void)state;
    check_voxel_edits(&(VoxelEdits){.count = 1000, .workers = 2, .seed = 3, .middle = {-5, 1, 2}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        one_thread_test(edits_one_by_one_come_to_what_a_new_world_shows),
        one_thread_test(edits_in_the_dark_too),
        cmocka_unit_test(edits_while_jobs_run_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

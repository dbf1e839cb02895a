/* Light when memory runs out. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"

#include <cairn/voxel/light.h>

#include <string.h>

static bool make_and_pack(CnAllocator *allocator, void *user)
{
    CnLightBox *box = user;
    CnLightScratch *scratch = cn_light_scratch_create(allocator, standard_blocks());
    CnChunkLight *light = cn_light_pack(allocator, box);
    bool done = scratch && light;
    cn_light_scratch_destroy(scratch);
    cn_light_release(light);
    return done;
}

static void light_that_finds_no_memory_is_not_there(void **state)
{
    (void)state;
    CnLightBox box = {.uniform = true};
    assert_int_equal(run_with_failing_allocations(make_and_pack, &box), 2);
    box.uniform = false;
    for (uint32_t i = 0; i < sizeof box.cells; i++)
        box.cells[i] = (uint8_t)i;
    assert_int_equal(run_with_failing_allocations(make_and_pack, &box), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_that_finds_no_memory_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"

#include <cairn/voxel/lod.h>

typedef struct World {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} World;

static bool build(CnAllocator *allocator, void *user)
{
    const World *world = user;
    CnLodMesh mesh = {0};
    bool built =
        cn_lod_build(allocator, world->generator, world->scratch, (CnLodTile){1, -2, 1}, &mesh);
    if (built)
        assert_true(mesh.count > 0);
    cn_lod_mesh_fini(allocator, &mesh);
    return built;
}

static void a_tile_without_memory_is_refused(void **state)
{
    (void)state;
    World world = {.generator = cn_generator_create(
                       &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 3}, NULL)};
    assert_non_null(world.generator);
    world.scratch = cn_generate_scratch_create(world.generator);
    assert_non_null(world.scratch);
    run_with_failing_allocations(build, &world);
    cn_generate_scratch_destroy(world.scratch);
    cn_generator_destroy(world.generator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_without_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

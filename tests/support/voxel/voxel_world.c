#include "standard_blocks.h"
#include "voxel_world.h"

#include <string.h>

VoxelWorld voxel_world_create(CnAllocator *allocator, uint32_t workers, const CnVoxelsHooks *hooks)
{
    VoxelWorld made = {0};
    made.generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7, .no_erosion = true}, NULL);
    assert_non_null(made.generator);
    if (workers > 0)
        made.jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, NULL);
    CnVoxelsDesc desc = {.allocator = allocator, .generator = made.generator, .jobs = made.jobs};
    if (hooks)
        desc.hooks = *hooks;
    made.world = cn_voxels_create(&desc, NULL);
    assert_non_null(made.world);
    return made;
}

void voxel_world_destroy(VoxelWorld *made)
{
    cn_voxels_destroy(made->world);
    if (made->jobs)
        cn_job_pool_destroy(made->jobs);
    cn_generator_destroy(made->generator);
}

CnVoxelsView voxel_view(CnChunkPos middle)
{
    return (CnVoxelsView){
        .eye = {(float)(16 * middle.x + 8), (float)(16 * middle.y + 8), (float)(16 * middle.z + 8)},
        .forward = {1, 0, 0},
        .radius = 1,
        .height = 1,
    };
}

void voxel_show(CnVoxels *world, CnChunkPos middle)
{
    CnVoxelsView view = voxel_view(middle);
    view.wait = true;
    cn_voxels_stream(world, &view);
}

bool voxel_set(CnVoxels *world, CnCell cell, CnBlock block)
{
    CnEdit edit = {.player = 1,
                   .kind = block == CN_BLOCK_AIR ? CN_EDIT_BREAK : CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    return cn_voxels_edit(world, &edit, NULL);
}

static void assert_same_chunk(CnVoxels *a, CnVoxels *b, CnChunkPos position)
{
    const CnChunkMesh *one = cn_voxels_mesh(a, position), *other = cn_voxels_mesh(b, position);
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(one->count, other->count);
    assert_memory_equal(one->first, other->first, sizeof one->first);
    if (one->count > 0)
        assert_memory_equal(one->quads, other->quads, one->count * sizeof(CnQuad));
    for (int32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        CnCell cell = {16 * position.x + (i & 15), 16 * position.y + (i >> 4 & 15),
                       16 * position.z + (i >> 8)};
        assert_int_equal(cn_voxels_light(a, cell), cn_voxels_light(b, cell));
    }
}

void assert_same_view(CnVoxels *a, CnVoxels *b, CnChunkPos middle)
{
    for (int32_t i = 0; i < 27; i++)
        assert_same_chunk(
            a, b,
            (CnChunkPos){middle.x + i % 3 - 1, middle.y + i / 3 % 3 - 1, middle.z + i / 9 - 1});
}

CnChunkPos voxel_ground_chunk(CnVoxels *world)
{
    return (CnChunkPos){0, cn_voxels_height(world, 8, 8) >> 4, 0};
}

CnCell voxel_above_ground(CnVoxels *world, int32_t x, int32_t z)
{
    return (CnCell){x, cn_voxels_height(world, x, z) + 1, z};
}

/*
 * Single trees outside of generation: drawn into empty chunks around their ground block.
 */
#include "voxel/generate/feature.h"

#include <cairn/base/assert.h>

#include <string.h>

typedef struct Drawing {
    CnTreeBlock *blocks;
    uint32_t count;
} Drawing;

static void collect(Drawing *drawing, const CniVoxelBrush *brush)
{
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        if (brush->blocks[i] == CN_BLOCK_AIR)
            continue;
        CN_ASSERT(drawing->count < CN_TREE_MAX_BLOCKS, "a tree of more than %u blocks",
                  CN_TREE_MAX_BLOCKS);
        if (drawing->count < CN_TREE_MAX_BLOCKS)
            drawing->blocks[drawing->count++] =
                (CnTreeBlock){{brush->x + (int32_t)(i & 15), brush->y + (int32_t)(i >> 4 & 15),
                               brush->z + (int32_t)(i >> 8)},
                              brush->blocks[i]};
    }
}

uint32_t cn_generate_tree(const CnGenerator *generator, CnTree tree, CnCell ground, uint32_t dice,
                          CnTreeBlock blocks[CN_TREE_MAX_BLOCKS])
{
    static const uint8_t kinds[CN_TREE_COUNT] = {
        [CN_TREE_OAK] = CNI_VOXEL_OAK,
        [CN_TREE_BIRCH] = CNI_VOXEL_BIRCH,
        [CN_TREE_SPRUCE] = CNI_VOXEL_SPRUCE,
        [CN_TREE_PINE] = CNI_VOXEL_PINE,
        [CN_TREE_JUNGLE] = CNI_VOXEL_JUNGLE_TREE,
        [CN_TREE_PALM] = CNI_VOXEL_PALM,
        [CN_TREE_ACACIA] = CNI_VOXEL_ACACIA,
        [CN_TREE_WILLOW] = CNI_VOXEL_WILLOW,
        [CN_TREE_CHERRY] = CNI_VOXEL_CHERRY,
        [CN_TREE_RED_MUSHROOM] = CNI_VOXEL_RED_MUSHROOM,
        [CN_TREE_BROWN_MUSHROOM] = CNI_VOXEL_BROWN_MUSHROOM,
    };
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    CN_ASSERT((unsigned)tree < CN_TREE_COUNT, "no tree %d", (int)tree);
    CN_ASSERT(ground.y >= INT16_MIN && ground.y <= INT16_MAX, "a tree at y %d", ground.y);
    /* Shapes are drawn relative to the ground: a position far from the origin changes only the
     * pattern of missing leaves. */
    CniVoxelFeatureInstance instance = {
        .x = ground.x, .z = ground.z, .y = (int16_t)ground.y, .kind = kinds[tree], .dice = dice};
    const CniVoxelFeatureKind *kind = &cni_voxel_feature_kinds[instance.kind];
    CnCell low = {(ground.x - kind->radius) >> 4, (ground.y + 1 - CNI_VOXEL_ROOT_DEPTH) >> 4,
                  (ground.z - kind->radius) >> 4};
    CnCell high = {(ground.x + kind->radius) >> 4, (ground.y + kind->height) >> 4,
                   (ground.z + kind->radius) >> 4};
    CnBlock empty[CN_CHUNK_BLOCKS];
    Drawing drawing = {.blocks = blocks};
    for (int32_t y = low.y; y <= high.y; y++)
        for (int32_t z = low.z; z <= high.z; z++)
            for (int32_t x = low.x; x <= high.x; x++) {
                CniVoxelBrush brush = {empty, 16 * x, 16 * y, 16 * z,
                                       cni_voxel_generator_blocks(generator)};
                memset(empty, 0, sizeof empty);
                kind->draw(&brush, &instance);
                collect(&drawing, &brush);
            }
    return drawing.count;
}

/*
 * Large trees, mushrooms, boulders and other features that need much space.
 */
#include "voxel/generate/feature.h"

/* `width` x `width` blocks, with roots down to lower ground beside it. */
static void draw_thick_trunk(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance,
                             int32_t width, int32_t height)
{
    CnCell from = {instance->x, instance->y + 1 - CNI_VOXEL_ROOT_DEPTH, instance->z};
    CnCell to = {instance->x + width - 1, instance->y + height, instance->z + width - 1};
    cni_voxel_brush_box(brush, from, to, cni_voxel_feature_kinds[instance->kind].wood,
                        CNI_VOXEL_OVER_LEAVES);
}

static const CnCell sides[8] = {{2, 0, 0},  {1, 0, 1},   {0, 0, 2},  {-1, 0, 1},
                                {-2, 0, 0}, {-1, 0, -1}, {0, 0, -2}, {1, 0, -1}};

/* Branches with a ball of leaves each, around a ball at the top. */
void cni_voxel_draw_great_oak(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 8 + (int32_t)cni_voxel_roll(&dice, 5);
    uint32_t arms = 4 + cni_voxel_roll(&dice, 3), way = cni_voxel_roll(&dice, 8);
    CnCell top = {instance->x, instance->y + height, instance->z};
    cni_voxel_draw_trunk(brush, instance, height);
    cni_voxel_draw_blob(brush, top, 3, 1, 2, leaves, dice);
    for (uint32_t i = 0; i < arms; i++) {
        CnCell d = sides[(way + i * 8 / arms) & 7];
        int32_t up = height / 2 + (int32_t)cni_voxel_roll(&dice, (uint32_t)height / 2 - 1);
        int32_t out = 1 + (int32_t)cni_voxel_roll(&dice, 2);
        CnCell from = {instance->x, instance->y + up - 2, instance->z};
        CnCell end = {instance->x + d.x * out, instance->y + up, instance->z + d.z * out};
        cni_voxel_draw_branch(brush, from, end, wood);
        cni_voxel_draw_blob(brush, (CnCell){end.x, end.y + 1, end.z}, 3, 2, 1, leaves, dice);
    }
    for (uint32_t i = 0; i < 8; i += 2) /* roots */
        if (cni_voxel_roll(&dice, 2))
            cni_voxel_brush_box(brush,
                                (CnCell){instance->x + sides[i].x / 2, instance->y - 2,
                                         instance->z + sides[i].z / 2},
                                (CnCell){instance->x + sides[i].x / 2, instance->y + 1,
                                         instance->z + sides[i].z / 2},
                                wood, CNI_VOXEL_OVER_LEAVES);
}

void cni_voxel_draw_great_spruce(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 16 + (int32_t)cni_voxel_roll(&dice, 9), crown = height * 3 / 4;
    draw_thick_trunk(brush, instance, 2, height);
    for (int32_t i = -1; i < crown; i++) {
        /* Skirts of three layers that widen downwards; snow lies on their rims. */
        int32_t layer = (i + 3) % 3, reach = 1 + i / 5 + layer;
        reach = reach < 6 ? reach : 6;
        CnCell at = {instance->x, instance->y + height - i, instance->z};
        CniVoxelGenerated block = layer == 2 || i < 2 ? leaves : CNI_VOXEL_GEN_SPRUCE_LEAVES;
        cni_voxel_draw_disc(brush, at, i < 0 ? 1 : reach * reach + 1, block, dice);
        if (i > 2) /* the trunk is two blocks wide */
            cni_voxel_draw_disc(brush, (CnCell){at.x + 1, at.y, at.z + 1}, reach * reach, block,
                                ~dice);
    }
}

void cni_voxel_draw_great_jungle_tree(const CniVoxelBrush *brush,
                                      const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 16 + (int32_t)cni_voxel_roll(&dice, 9);
    uint32_t way = cni_voxel_roll(&dice, 8);
    draw_thick_trunk(brush, instance, 2, height);
    cni_voxel_draw_blob(brush, (CnCell){instance->x, instance->y + height, instance->z}, 5, 1, 2,
                        leaves, dice);
    for (uint32_t i = 0; i < 3; i++) {
        CnCell d = sides[(way + i * 3) & 7];
        int32_t up = height / 2 + (int32_t)i * height / 8;
        CnCell from = {instance->x, instance->y + up - 2, instance->z};
        CnCell end = {instance->x + d.x * 2, instance->y + up, instance->z + d.z * 2};
        cni_voxel_draw_branch(brush, from, end, wood);
        cni_voxel_draw_blob(brush, (CnCell){end.x, end.y + 1, end.z}, 3, 1, 1, leaves, dice);
    }
    for (uint32_t i = 0; i < 8; i += 2) { /* buttresses */
        CnCell d = {sides[i].x / 2, 0, sides[i].z / 2};
        CnCell foot = {instance->x + (d.x > 0 ? 2 : d.x), instance->y + 1 - CNI_VOXEL_ROOT_DEPTH,
                       instance->z + (d.z > 0 ? 2 : d.z)};
        cni_voxel_brush_box(
            brush, foot,
            (CnCell){foot.x, instance->y + 1 + (int32_t)cni_voxel_roll(&dice, 3), foot.z}, wood,
            CNI_VOXEL_OVER_LEAVES);
    }
}

void cni_voxel_draw_great_acacia(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t stem = 4 + (int32_t)cni_voxel_roll(&dice, 3);
    uint32_t way = cni_voxel_roll(&dice, 8), arms = 3 + cni_voxel_roll(&dice, 2);
    CnCell fork = {instance->x, instance->y + stem, instance->z};
    draw_thick_trunk(brush, instance, 2, stem);
    for (uint32_t i = 0; i < arms; i++) {
        CnCell d = sides[(way + i * 8 / arms) & 7];
        int32_t scale = d.x && d.z ? 3 : 2;
        CnCell end = {fork.x + d.x * scale, fork.y + 2 + (int32_t)cni_voxel_roll(&dice, 3),
                      fork.z + d.z * scale};
        cni_voxel_draw_branch(brush, fork, end, wood);
        cni_voxel_draw_disc(brush, end, 13, leaves, dice);
        cni_voxel_draw_disc(brush, (CnCell){end.x, end.y + 1, end.z}, 4, leaves, dice);
    }
}

/* Draws the sides of a square without its corners. */
static void draw_ring(const CniVoxelBrush *brush, CnCell middle, int32_t radius,
                      CniVoxelGenerated block)
{
    int32_t side = radius - 1;
    for (int32_t d = -side; d <= side; d++) {
        cni_voxel_brush_cell(brush, middle.x - radius, middle.y, middle.z + d, block,
                             CNI_VOXEL_OVER_AIR);
        cni_voxel_brush_cell(brush, middle.x + radius, middle.y, middle.z + d, block,
                             CNI_VOXEL_OVER_AIR);
        cni_voxel_brush_cell(brush, middle.x + d, middle.y, middle.z - radius, block,
                             CNI_VOXEL_OVER_AIR);
        cni_voxel_brush_cell(brush, middle.x + d, middle.y, middle.z + radius, block,
                             CNI_VOXEL_OVER_AIR);
    }
}

/* Caps are one block thick: red ones have a hanging rim, brown ones are flat. */
void cni_voxel_draw_mushroom(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated cap = cni_voxel_feature_kinds[instance->kind].leaves;
    bool great = instance->kind >= CNI_VOXEL_GREAT_OAK;
    bool round =
        instance->kind == CNI_VOXEL_RED_MUSHROOM || instance->kind == CNI_VOXEL_GREAT_RED_MUSHROOM;
    int32_t height = (great ? 8 : 4) + (int32_t)cni_voxel_roll(&dice, great ? 5 : 3);
    int32_t radius = (great ? 5 : 3) - (round ? 1 : 0), rim = great ? 3 : 2;
    CnCell top = {instance->x, instance->y + height, instance->z};
    cni_voxel_draw_trunk(brush, instance, height - 1);
    for (int32_t d = -radius + 1; d < radius; d++)
        cni_voxel_brush_row(brush, top.x - radius + 1, top.x + radius - 1, top.y, top.z + d, cap,
                            CNI_VOXEL_OVER_AIR);
    if (!round) {
        draw_ring(brush, top, radius, cap);
        return;
    }
    for (int32_t n = 1; n <= rim; n++)
        draw_ring(brush, (CnCell){top.x, top.y - n, top.z}, radius, cap);
    draw_ring(brush, (CnCell){top.x, top.y - 1, top.z}, radius - 1, cap); /* supports the rim */
}

/* Half buried. */
void cni_voxel_draw_boulder(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated stone = cni_voxel_feature_kinds[instance->kind].wood,
                      spots = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t radius = 1 + (int32_t)cni_voxel_roll(&dice, 3),
            long_x = (int32_t)cni_voxel_roll(&dice, 2);
    int32_t square = radius * radius + 1 + (int32_t)cni_voxel_roll(&dice, 2);
    for (int32_t dy = -radius; dy <= radius; dy++) {
        for (int32_t dz = -radius; dz <= radius; dz++) {
            int32_t left = square - dy * dy - dz * dz, reach = 0;
            if (left < 0)
                continue;
            while ((reach + 1) * (reach + 1) <= left)
                reach++;
            int32_t y = instance->y + dy + (radius > 1), z = instance->z + dz;
            cni_voxel_brush_row(brush, instance->x - reach, instance->x + reach + long_x, y, z,
                                stone, CNI_VOXEL_OVER_AIR);
            if (cni_voxel_roll(&dice, 3) == 0)
                cni_voxel_brush_cell(brush, instance->x + reach, y, z, spots, CN_BLOCK_IS_OPAQUE);
        }
    }
}

void cni_voxel_draw_ice_spike(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated ice = cni_voxel_feature_kinds[instance->kind].wood;
    int32_t height = 7 + (int32_t)cni_voxel_roll(&dice, 14), radius = 1 + height / 7;
    for (int32_t y = 1 - CNI_VOXEL_ROOT_DEPTH; y <= height; y++) {
        int32_t square = (radius * radius + 1) * (height - y) / height;
        CnCell at = {instance->x, instance->y + y, instance->z};
        if (y < 1)
            square = radius * radius;
        cni_voxel_draw_disc(brush, at, square, ice, dice);
    }
}

void cni_voxel_draw_fallen_trunk(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance)
{
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood;
    int32_t length = cni_voxel_trunk_length(instance->dice);
    bool along_x = cni_voxel_lies_along_x(instance->dice);
    uint32_t dice = instance->dice;
    for (int32_t n = 0; n < length; n++) {
        int32_t x = instance->x + (along_x ? n : 0), z = instance->z + (along_x ? 0 : n);
        cni_voxel_brush_cell(brush, x, instance->y + 1, z, wood, CNI_VOXEL_OVER_LEAVES);
        if (cni_voxel_roll(&dice, 4) == 0)
            cni_voxel_brush_cell(brush, x, instance->y + 2, z,
                                 cni_voxel_feature_kinds[instance->kind].leaves, CN_BLOCK_IS_AIR);
    }
}

/*
 * Trees of ordinary size. Their cells are always connected: leaves through the center of their
 * discs, discs through the trunk.
 */
#include "voxel/generate/feature.h"

static uint32_t mix(uint32_t dice, int32_t x, int32_t y, int32_t z)
{
    uint32_t h =
        dice ^ (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^ (uint32_t)z * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return h ^ h >> 13;
}

static int32_t root_of(int32_t square)
{
    int32_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

void cni_voxel_draw_trunk(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance,
                          int32_t height)
{
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood;
    for (int32_t y = instance->y + 1; y <= instance->y + height; y++)
        cni_voxel_brush_cell(brush, instance->x, y, instance->z, wood, CNI_VOXEL_OVER_LEAVES);
}

void cni_voxel_draw_disc(const CniVoxelBrush *brush, CnCell middle, int32_t square,
                         CniVoxelGenerated leaves, uint32_t dice)
{
    int32_t reach = root_of(square);
    for (int32_t dz = -reach; dz <= reach; dz++) {
        if (!cni_voxel_brush_has_row(brush, middle.y, middle.z + dz))
            continue;
        int32_t x0 = -root_of(square - dz * dz), x1 = -x0;
        uint32_t ends = mix(dice, middle.x, middle.y, middle.z + dz);
        x0 += x0 < 0 && (ends & 3) == 0;
        x1 -= x1 > 0 && (ends & 12) == 0;
        cni_voxel_brush_row(brush, middle.x + x0, middle.x + x1, middle.y, middle.z + dz, leaves,
                            CNI_VOXEL_OVER_AIR);
    }
}

void cni_voxel_draw_blob(const CniVoxelBrush *brush, CnCell middle, int32_t radius, int32_t down,
                         int32_t up, CniVoxelGenerated leaves, uint32_t dice)
{
    int32_t square = radius * radius + 1;
    for (int32_t dy = -down; dy <= up; dy++) {
        int32_t end = (dy < 0 ? down : up) + 1;
        CnCell layer = {middle.x, middle.y + dy, middle.z};
        cni_voxel_draw_disc(brush, layer, square * (end * end - dy * dy) / (end * end), leaves,
                            dice);
    }
}

void cni_voxel_draw_branch(const CniVoxelBrush *brush, CnCell from, CnCell to,
                           CniVoxelGenerated wood)
{
    int32_t dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
    int32_t sx = dx < 0 ? -dx : dx, sy = dy < 0 ? -dy : dy, sz = dz < 0 ? -dz : dz;
    int32_t steps = sx + sy + sz;
    CnCell at = from;
    cni_voxel_brush_cell(brush, at.x, at.y, at.z, wood, CNI_VOXEL_OVER_LEAVES);
    /* Steps along one axis at a time, the one furthest behind. */
    int32_t done_x = 0, done_y = 0, done_z = 0;
    for (int32_t i = 1; i <= steps; i++) {
        int32_t late_x = sx * i - done_x * steps, late_y = sy * i - done_y * steps;
        int32_t late_z = sz * i - done_z * steps;
        if (late_x >= late_y && late_x >= late_z) {
            at.x += dx < 0 ? -1 : 1;
            done_x++;
        } else if (late_z >= late_y) {
            at.z += dz < 0 ? -1 : 1;
            done_z++;
        } else {
            at.y += dy < 0 ? -1 : 1;
            done_y++;
        }
        cni_voxel_brush_cell(brush, at.x, at.y, at.z, wood, CNI_VOXEL_OVER_LEAVES);
    }
}

void cni_voxel_draw_round_tree(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    bool slim = instance->kind == CNI_VOXEL_BIRCH;
    int32_t height = (slim ? 5 : 4) + (int32_t)cni_voxel_roll(&dice, slim ? 4 : 3);
    CnCell at = {instance->x, instance->y + height, instance->z};
    cni_voxel_draw_trunk(brush, instance, height);
    if (!slim && cni_voxel_roll(&dice, 3) == 0) { /* round crown */
        cni_voxel_draw_blob(brush, at, 3, 2, 2, leaves, dice);
        return;
    }
    cni_voxel_draw_disc(brush, (CnCell){at.x, at.y + 1, at.z}, 1, leaves, 7);
    cni_voxel_draw_disc(brush, at, slim ? 1 : 2, leaves, dice);
    cni_voxel_draw_disc(brush, (CnCell){at.x, at.y - 1, at.z}, slim ? 4 : 6, leaves, dice);
    cni_voxel_draw_disc(brush, (CnCell){at.x, at.y - 2, at.z}, 6, leaves, dice);
    if (slim && height > 6)
        cni_voxel_draw_disc(brush, (CnCell){at.x, at.y - 3, at.z}, 2, leaves, dice);
}

void cni_voxel_draw_bush(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    CnCell at = {instance->x, instance->y + 1, instance->z};
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    cni_voxel_draw_trunk(brush, instance, 1);
    cni_voxel_draw_disc(brush, at, instance->dice & 1 ? 5 : 2, leaves, instance->dice);
    cni_voxel_draw_disc(brush, (CnCell){at.x, at.y + 1, at.z}, 1, leaves, instance->dice);
}

/* A cone whose skirts widen in steps. Snow lies on their rims. */
void cni_voxel_draw_spruce(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 6 + (int32_t)cni_voxel_roll(&dice, 6);
    int32_t bare = 1 + (int32_t)cni_voxel_roll(&dice, 2);
    static const int32_t squares[] = {0, 1, 2, 5, 8, 10};
    int32_t ring = 1, widest = 2;
    cni_voxel_draw_trunk(brush, instance, height);
    cni_voxel_draw_disc(brush, (CnCell){instance->x, instance->y + height + 1, instance->z}, 0,
                        leaves, 7);
    for (int32_t y = height; y > bare; y--) {
        bool rim = ring == widest || y > height - 2;
        cni_voxel_draw_disc(brush, (CnCell){instance->x, instance->y + y, instance->z},
                            squares[ring], rim ? leaves : CNI_VOXEL_GEN_SPRUCE_LEAVES, dice);
        if (++ring > widest) { /* the next skirt starts further in and reaches further out */
            ring = widest > 3 ? 2 : 1;
            widest = widest < 5 ? widest + 1 : 5;
        }
    }
}

/* A long bare trunk with a crown. */
void cni_voxel_draw_pine(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 8 + (int32_t)cni_voxel_roll(&dice, 5);
    int32_t crown = 4 + (int32_t)cni_voxel_roll(&dice, 2);
    cni_voxel_draw_trunk(brush, instance, height);
    cni_voxel_draw_disc(brush, (CnCell){instance->x, instance->y + height + 1, instance->z}, 0,
                        leaves, 7);
    for (int32_t i = 0; i < crown; i++) {
        int32_t square = i == 0 ? 1 : i == crown - 1 ? 2 : i == crown - 2 ? 8 : 4;
        cni_voxel_draw_disc(brush, (CnCell){instance->x, instance->y + height - i, instance->z},
                            square, leaves, dice);
    }
}

void cni_voxel_draw_jungle_tree(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 7 + (int32_t)cni_voxel_roll(&dice, 6);
    cni_voxel_draw_trunk(brush, instance, height);
    cni_voxel_draw_blob(brush, (CnCell){instance->x, instance->y + height, instance->z}, 3, 1, 1,
                        leaves, dice);
    if (height > 9) { /* a smaller crown below */
        int32_t side = cni_voxel_roll(&dice, 2) ? 1 : -1;
        CnCell twig = {instance->x + side, instance->y + height - 4, instance->z};
        cni_voxel_draw_blob(brush, twig, 1, 0, 1, leaves, dice);
    }
}

static const CnCell directions[8] = {{1, 0, 0},  {1, 0, 1},   {0, 0, 1},  {-1, 0, 1},
                                     {-1, 0, 0}, {-1, 0, -1}, {0, 0, -1}, {1, 0, -1}};

/* A leaning trunk with drooping fronds. */
void cni_voxel_draw_palm(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t height = 6 + (int32_t)cni_voxel_roll(&dice, 4);
    CnCell lean = directions[2 * cni_voxel_roll(&dice, 4)];
    CnCell foot = {instance->x, instance->y + 1, instance->z};
    CnCell bend = {foot.x, foot.y + height / 2, foot.z};
    CnCell top = {foot.x + lean.x, foot.y + height, foot.z + lean.z};
    cni_voxel_draw_branch(brush, foot, bend, wood);
    cni_voxel_draw_branch(brush, bend, top, wood);
    cni_voxel_draw_disc(brush, (CnCell){top.x, top.y + 1, top.z}, 1, leaves, 7);
    for (uint32_t i = 0; i < 8; i += 2) {
        CnCell d = directions[i];
        for (int32_t n = 1; n <= 3; n++)
            cni_voxel_brush_cell(brush, top.x + n * d.x, top.y, top.z + n * d.z, leaves,
                                 CNI_VOXEL_OVER_AIR);
        cni_voxel_brush_cell(brush, top.x + 3 * d.x, top.y - 1, top.z + 3 * d.z, leaves,
                             CNI_VOXEL_OVER_AIR);
        CnCell e = directions[i + 1];
        cni_voxel_brush_cell(brush, top.x + e.x, top.y, top.z + e.z, leaves, CNI_VOXEL_OVER_AIR);
    }
}

/* A forked trunk with a flat crown on each branch. */
void cni_voxel_draw_acacia(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    int32_t stem = 2 + (int32_t)cni_voxel_roll(&dice, 3),
            rise = 2 + (int32_t)cni_voxel_roll(&dice, 2);
    uint32_t way = cni_voxel_roll(&dice, 4) * 2;
    CnCell lean = directions[way], fork = {instance->x, instance->y + stem, instance->z};
    CnCell top = {fork.x + lean.x, fork.y + rise, fork.z + lean.z};
    cni_voxel_draw_trunk(brush, instance, stem);
    cni_voxel_draw_branch(brush, fork, top, wood);
    cni_voxel_draw_disc(brush, top, 10, leaves, dice);
    cni_voxel_draw_disc(brush, (CnCell){top.x, top.y + 1, top.z}, 4, leaves, dice);
    if (cni_voxel_roll(&dice, 3) > 0) {
        CnCell other = directions[(way + 3 + cni_voxel_roll(&dice, 3)) & 7];
        CnCell low = {fork.x + 2 * other.x, fork.y + 1, fork.z + 2 * other.z};
        cni_voxel_draw_branch(brush, fork, low, wood);
        cni_voxel_draw_disc(brush, (CnCell){low.x, low.y + 1, low.z}, 4, leaves, dice);
        cni_voxel_brush_cell(brush, low.x, low.y + 1, low.z, wood, CNI_VOXEL_OVER_LEAVES);
    }
}

/* Leaves hang from the rim of the crown almost to the ground. */
void cni_voxel_draw_willow(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    bool great = instance->kind == CNI_VOXEL_GREAT_WILLOW;
    int32_t radius = great ? 5 : 3, height = (great ? 7 : 5) + (int32_t)cni_voxel_roll(&dice, 3);
    CnCell at = {instance->x, instance->y + height, instance->z};
    if (great) {
        for (int32_t y = instance->y + 1 - CNI_VOXEL_ROOT_DEPTH; y <= at.y; y++)
            for (int32_t z = 0; z < 2; z++)
                cni_voxel_brush_row(brush, at.x, at.x + 1, y, at.z + z,
                                    cni_voxel_feature_kinds[instance->kind].wood,
                                    CNI_VOXEL_OVER_LEAVES);
    }
    cni_voxel_draw_trunk(brush, instance, height);
    cni_voxel_draw_blob(brush, at, radius, 1, 2, leaves, dice);
    for (uint32_t i = 0; i < 8; i++) {
        CnCell d = directions[i];
        int32_t out = i & 1 ? radius * 2 / 3 : radius - 1;
        int32_t length = 2 + (int32_t)cni_voxel_roll(&dice, (uint32_t)height - 3);
        for (int32_t n = 0; n <= length; n++)
            cni_voxel_brush_cell(brush, at.x + out * d.x, at.y - n, at.z + out * d.z, leaves,
                                 CNI_VOXEL_OVER_AIR);
    }
}

/* A short trunk, branches in all directions, a wide low crown. */
void cni_voxel_draw_cherry(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood,
                      leaves = cni_voxel_feature_kinds[instance->kind].leaves;
    bool great = instance->kind == CNI_VOXEL_GREAT_CHERRY;
    int32_t stem = (great ? 4 : 3) + (int32_t)cni_voxel_roll(&dice, 2), reach = great ? 4 : 2;
    CnCell fork = {instance->x, instance->y + stem, instance->z};
    uint32_t way = cni_voxel_roll(&dice, 8), arms = great ? 4 : 2;
    cni_voxel_draw_trunk(brush, instance, stem);
    cni_voxel_draw_blob(brush, (CnCell){fork.x, fork.y + 2, fork.z}, 2, 1, 1, leaves, dice);
    cni_voxel_draw_trunk(brush, instance, stem + 1);
    for (uint32_t i = 0; i < arms; i++) {
        CnCell d = directions[(way + i * 8 / arms) & 7];
        int32_t out = d.x && d.z ? reach - (great ? 1 : 0) : reach;
        CnCell end = {fork.x + d.x * out, fork.y + 2 + (int32_t)cni_voxel_roll(&dice, 2),
                      fork.z + d.z * out};
        cni_voxel_draw_branch(brush, fork, end, wood);
        cni_voxel_draw_blob(brush, (CnCell){end.x, end.y + 1, end.z}, great ? 3 : 2, 1, 2, leaves,
                            dice);
        /* On some branches a cluster hangs lower. */
        if (cni_voxel_roll(&dice, 2) == 0)
            cni_voxel_brush_box(brush, (CnCell){end.x, end.y - 2, end.z}, end, leaves,
                                CNI_VOXEL_OVER_AIR);
    }
}

void cni_voxel_draw_dead_tree(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance)
{
    uint32_t dice = instance->dice;
    CniVoxelGenerated wood = cni_voxel_feature_kinds[instance->kind].wood;
    int32_t height = 3 + (int32_t)cni_voxel_roll(&dice, 4);
    cni_voxel_draw_trunk(brush, instance, height);
    for (uint32_t i = 0, arms = 1 + cni_voxel_roll(&dice, 3); i < arms; i++) {
        CnCell d = directions[cni_voxel_roll(&dice, 8)];
        int32_t y = instance->y + 2 + (int32_t)cni_voxel_roll(&dice, (uint32_t)height - 2);
        CnCell from = {instance->x, y, instance->z};
        CnCell to = {instance->x + d.x * 2, y + 1 + (int32_t)cni_voxel_roll(&dice, 2),
                     instance->z + d.z * 2};
        cni_voxel_draw_branch(brush, from, to, wood);
    }
}

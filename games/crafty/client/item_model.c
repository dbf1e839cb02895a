#include "item_model.h"

#include "crafty/world/item_tiles.h"

#include <cairn/base/math.h>
#include <cairn/voxel/mesh.h>

#define LIGHT_LEVELS 15.0f
#define LIGHT_SECONDS 0.12f

static const CnBlockModelPart unknown = {.tiles = {CN_MODEL_NO_TILE, CN_MODEL_NO_TILE,
                                                   CN_MODEL_NO_TILE, CN_MODEL_NO_TILE,
                                                   CN_MODEL_NO_TILE, CN_MODEL_NO_TILE},
                                         .high = {16, 16, 16},
                                         .tint = {128, 128, 128}};

static CnBlockModelPart part_of_block(const CnBlockInfo *info)
{
    static const uint8_t fronts[] = {[CN_BLOCK_FACING_NORTH] = CN_FACE_NEG_Z,
                                     [CN_BLOCK_FACING_EAST] = CN_FACE_POS_X,
                                     [CN_BLOCK_FACING_SOUTH] = CN_FACE_POS_Z,
                                     [CN_BLOCK_FACING_WEST] = CN_FACE_NEG_X};
    CnBlockModelPart part = {
        .is_sprite = info->material == CN_BLOCK_MATERIAL_PROP && !info->shape,
        .tiles = {info->side, info->side, info->side, info->side, info->bottom, info->top},
        .high = {16, 16, 16},
        .tint = {info->tint[0], info->tint[1], info->tint[2]},
        .glow = info->emits_light ? 0.4f : 0};
    if (info->facing != CN_BLOCK_FACING_NONE && info->front)
        part.tiles[fronts[info->facing]] = info->front;
    return part;
}

static void add_block(CraftyItemModel *model, const CnBlockInfo *info)
{
    const CnBlockModelPart part = part_of_block(info);
    model->is_flat = part.is_sprite;
    model->count = info->shape ? info->shape->count : 1;
    for (uint32_t i = 0; i < model->count; i++) {
        model->parts[i] = part;
        for (int axis = 0; info->shape && axis < 3; axis++) {
            model->parts[i].low[axis] = info->shape->boxes[i].low[axis];
            model->parts[i].high[axis] = info->shape->boxes[i].high[axis];
        }
    }
}

static void add_sprite(CraftyItemModel *model, uint32_t layer)
{
    model->parts[model->count++] =
        (CnBlockModelPart){.is_sprite = true, .tiles = {(uint16_t)layer}, .high = {16, 16, 16}};
    model->is_flat = true;
}

CraftyItemModel crafty_item_model(const CraftyItems *items, const CnBlockTable *blocks,
                                  CraftyItem item)
{
    CraftyItemModel model = {0};
    const CraftyItemInfo *info = crafty_items_info(items, item);
    if (item == CRAFTY_NO_ITEM || !info)
        return model;
    int32_t layer = crafty_item_tile(info->tile ? info->tile : info->name);
    if (layer >= 0)
        add_sprite(&model, (uint32_t)layer);
    else if (info->block != CN_BLOCK_AIR && cn_block_exists(blocks, info->block))
        add_block(&model, &blocks->info[info->block]);
    else
        model.parts[model.count++] = unknown;
    return model;
}

struct CraftyItemModels {
    CraftyItemModel *models; /* by item; the last one is empty */
    uint32_t count;
};

CraftyItemModels *crafty_item_models_create(const CraftyItems *items, const CnBlockTable *blocks,
                                            CnError *error)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyItemModels *table = cn_alloc_zeroed(allocator, sizeof *table);
    uint32_t count = 1;
    for (uint32_t i = 0; i < crafty_items_count(items); i++)
        count = crafty_items_at(items, i) >= count ? crafty_items_at(items, i) + 1u : count;
    if (table)
        table->models = cn_alloc_zeroed(allocator, (count + 1) * sizeof *table->models);
    if (!table || !table->models) {
        cn_free(allocator, table, sizeof *table);
        cn_error_memory(error, "the models of items");
        return NULL;
    }
    table->count = count;
    for (uint32_t i = 0; i < count; i++)
        table->models[i] = crafty_item_model(items, blocks, (CraftyItem)i);
    return table;
}

void crafty_item_models_destroy(CraftyItemModels *table)
{
    if (!table)
        return;
    cn_free(cn_system_allocator(), table->models, (table->count + 1) * sizeof *table->models);
    cn_free(cn_system_allocator(), table, sizeof *table);
}

const CraftyItemModel *crafty_item_models_get(const CraftyItemModels *table, CraftyItem item)
{
    return &table->models[item < table->count ? item : table->count];
}

void crafty_item_model_add(const CraftyItemModel *model, CnBlockModels *models, CnModelLayer layer,
                           const CnAffine *place, CraftyLight light)
{
    CnBlockModelPart *parts =
        model->count ? cn_block_models_add(models, layer, model->count) : NULL;
    for (uint32_t i = 0; parts && i < model->count; i++) {
        parts[i] = model->parts[i];
        parts[i].place = *place;
        parts[i].sky = light.sky;
        parts[i].block = light.block;
    }
}

CraftyLight crafty_light_at(CnVoxels *voxels, CnVec3 position)
{
    uint8_t levels = cn_voxels_light(voxels, (CnCell){(int32_t)cn_floorf(position.x),
                                                      (int32_t)cn_floorf(position.y),
                                                      (int32_t)cn_floorf(position.z)});
    return (CraftyLight){(float)(levels >> 4) / LIGHT_LEVELS, (float)(levels & 15) / LIGHT_LEVELS};
}

CraftyLight crafty_light_eased(CraftyLight from, CraftyLight to, float seconds)
{
    float left = seconds > 0 ? cn_expf(-seconds / LIGHT_SECONDS) : 1;
    return (CraftyLight){to.sky + (from.sky - to.sky) * left,
                         to.block + (from.block - to.block) * left};
}

#include "render/core/item_plan.h"

/* In a pose, the outermost vertices may leave the bounding sphere of the rest pose. */
#define SKINNED_RADIUS 1.75f
#define ROWS_PER_JOINT 3u
#define MAX_ROWS (1u << 26) /* joints and morph weights of a frame: 1 GiB */
#define DELTA_UNITS 3u      /* a delta is as large as three skins */

static bool is_same(const CnRenderer *renderer, const CnRenderSnapshot *snapshot)
{
    const CniRenderItems *items = &renderer->items;
    if (items->plan_version != renderer->plan_version ||
        items->sources.count != snapshot->item_count)
        return false;
    for (uint32_t i = 0; i < snapshot->item_count; i++) {
        const CnRenderItem *item = &snapshot->items[i];
        const CniRenderItemSource *source = &items->sources.items[i];
        if (item->mesh != source->mesh || item->material != source->material ||
            item->flags != source->flags)
            return false;
    }
    return true;
}

static uint32_t part_material(CnRenderer *renderer, const CnRenderItem *item,
                              const CniRenderModelPart *part)
{
    if (item->material)
        return cni_render_asset_material(renderer, item->material);
    if (part->animated_material)
        return cni_render_item_material(renderer, renderer->assets.items[item->mesh].model, part);
    return cn_slot_table_get(&renderer->materials, part->part.material.id)
               ? cn_slot_index(part->part.material.id)
               : 0;
}

static uint32_t state_of(const CniRenderMaterial *material, bool is_mirrored)
{
    uint32_t alpha =
        material->is_transmissive ? CNI_RENDER_STATE_TRANSMISSIVE : (uint32_t)material->alpha_mode;
    return alpha << 30 | (uint32_t)is_mirrored << 29 | (uint32_t)material->is_double_sided << 28 |
           (material->is_extended ? CNI_RENDER_STATE_EXTENDED : 0) |
           (material->surface & 0x7FFu) << 16 | (material->texture_set & 0xFFFFu);
}

/* Assigns rows to the weights of a part; *joints becomes the reference to them. */
static bool add_morph(CnRenderer *renderer, const CnRenderItem *item,
                      const CniRenderModelPart *part, const CniRenderMesh *mesh, uint32_t *joints)
{
    CniRenderItems *items = &renderer->items;
    CniRenderMorphedPart morphed = {.source = items->sources.count,
                                    .model = renderer->assets.items[item->mesh].model,
                                    .morph = part->morph - 1,
                                    .target_count = mesh->target_count,
                                    .first_row = items->row_count,
                                    .joints = *joints,
                                    .first_unit = mesh->first_delta -
                                                  DELTA_UNITS * mesh->first_vertex, /* may wrap */
                                    .units_per_target = DELTA_UNITS * mesh->vertex_count};
    *joints = items->row_count | CNI_RENDER_INSTANCE_MORPHED;
    items->row_count += 1 + (mesh->target_count + 1) / 2;
    return cn_array_push(&items->morphed, morphed);
}

static uint8_t flags_of(const CnRenderItem *item, const CniRenderMaterial *material)
{
    if (material->is_transmissive)
        return CNI_RENDER_ITEM_TRANSMISSIVE;
    if (material->alpha_mode == CN_ALPHA_BLEND)
        return CNI_RENDER_ITEM_BLENDED;
    return (uint8_t)((item->flags & CN_RENDER_CASTS_SHADOWS ? CNI_RENDER_ITEM_CASTS : 0) |
                     (material->is_layered ? CNI_RENDER_ITEM_LAYERED : 0));
}

static bool add_part(CnRenderer *renderer, const CnRenderItem *item, const CniRenderModelPart *part,
                     uint32_t joints)
{
    CniRenderItems *items = &renderer->items;
    const CniRenderMesh *mesh = cn_slot_table_get(&renderer->meshes, part->part.mesh.id);
    if (!mesh)
        return true;
    if (items->parts.count == CN_MAX_ITEMS) {
        renderer->stats.refused_items++;
        return true;
    }
    uint32_t index = part_material(renderer, item, part);
    const CniRenderMaterial *material = cni_render_material_at(renderer, index);
    uint8_t flags = flags_of(item, material);
    joints = mesh->is_skinned && joints ? joints + part->first_joint * ROWS_PER_JOINT : 0;
    if (mesh->target_count && part->morph && !add_morph(renderer, item, part, mesh, &joints))
        return false;
    CniRenderItemPart added = {
        .moved = part->is_moved ? part : NULL,
        .center = mesh->center,
        .radius = mesh->radius * part->radius_scale * (mesh->is_skinned ? SKINNED_RADIUS : 1),
        .key = (uint64_t)state_of(material, part->is_mirrored) << CNI_RENDER_SORT_KEY_STATE_SHIFT |
               (uint64_t)cn_slot_index(part->part.mesh.id) << CNI_RENDER_SORT_KEY_MESH_SHIFT |
               index,
        .material = index | (mesh->has_second_uv ? CNI_RENDER_INSTANCE_SECOND_UV : 0),
        .joints = joints,
        .skin =
            (int32_t)mesh->first_skin - (int32_t)mesh->first_vertex * (mesh->has_second_uv ? 2 : 1),
        .node = part->node};
    return cn_array_push(&items->parts, added) && cn_array_push(&items->flags, flags);
}

/* Notes items of which more than joints and morph targets changes. */
static bool note_item(CnRenderer *renderer, const CnRenderItem *item, const CniRenderModel *model)
{
    CniRenderItems *items = &renderer->items;
    CniRenderModelItem noted = {.source = items->sources.count,
                                .model = renderer->assets.items[item->mesh].model};
    bool is_toggled = false;
    for (uint32_t i = 0; i < model->part_count; i++)
        is_toggled |= model->parts[i].node != 0;
    return (!model->light_count || cn_array_push(&items->lit, noted)) &&
           (!is_toggled || cn_array_push(&items->toggled, noted));
}

static bool add_source(CnRenderer *renderer, const CnRenderItem *item)
{
    CniRenderItems *items = &renderer->items;
    CniRenderItemSource source = {.mesh = item->mesh,
                                  .material = item->material,
                                  .flags = item->flags,
                                  .first_part = items->parts.count};
    const CniRenderModel *model = cni_render_asset_model(renderer, item->mesh);
    uint32_t joints = 0;
    if (model && !note_item(renderer, item, model))
        return false;
    if (model && model->joint_count) {
        CniRenderSkinnedItem posed = {.source = items->sources.count,
                                      .model = renderer->assets.items[item->mesh].model,
                                      .first_row = items->row_count};
        if (!cn_array_push(&items->posed, posed))
            return false;
        joints = items->row_count + 1;
        items->row_count += model->joint_count * ROWS_PER_JOINT;
    }
    for (uint32_t i = 0; model && i < model->part_count; i++) {
        if (items->row_count > MAX_ROWS) {
            renderer->stats.refused_items++;
            break;
        }
        if (!add_part(renderer, item, &model->parts[i], joints))
            return false;
    }
    source.part_count = items->parts.count - source.first_part;
    return cn_array_push(&items->sources, source);
}

static bool reserve(CniRenderItems *items, uint32_t count)
{
    return cn_array_reserve(&items->x, count) && cn_array_reserve(&items->y, count) &&
           cn_array_reserve(&items->z, count) && cn_array_reserve(&items->radius, count) &&
           cn_array_reserve(&items->keys, count) && cn_array_reserve(&items->depth, count) &&
           cn_array_reserve(&items->sorted, count) &&
           cn_array_reserve(&items->sorted_keys, count) &&
           cn_array_reserve(&items->scratch, count) &&
           cn_array_reserve(&items->scratch_keys, count) && cn_array_reserve(&items->draws, count);
}

static bool make_plan(CnRenderer *renderer, const CnRenderSnapshot *snapshot)
{
    CniRenderItems *items = &renderer->items;
    for (uint32_t i = 0; i < snapshot->item_count; i++) {
        if (!add_source(renderer, &snapshot->items[i]))
            return false;
    }
    return reserve(items, items->parts.count);
}

static void clear_plan(CnRenderer *renderer)
{
    CniRenderItems *items = &renderer->items;
    for (uint32_t i = 0; i < items->animated.count; i++)
        cn_material_destroy(renderer, items->animated.items[i].material);
    cn_array_clear(&items->animated);
    cn_array_clear(&items->toggled);
    cn_array_clear(&items->lit);
    cn_array_clear(&items->sources);
    cn_array_clear(&items->parts);
    cn_array_clear(&items->posed);
    cn_array_clear(&items->morphed);
    cn_array_clear(&items->flags);
    items->row_count = 0;
}

bool cni_render_item_plan_update(CnRenderer *renderer, const CnRenderSnapshot *snapshot)
{
    CniRenderItems *items = &renderer->items;
    if (is_same(renderer, snapshot))
        return true;
    clear_plan(renderer);
    items->is_sorted = false;
    bool ok = make_plan(renderer, snapshot);
    if (!ok)
        clear_plan(renderer);
    /* Models loaded in the meantime count as a change, but are already part of the plan. */
    items->plan_version = ok ? renderer->plan_version : renderer->plan_version - 1;
    items->count = items->parts.count;
    return ok;
}

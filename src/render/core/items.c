/* Items: the model parts of a frame with their transforms, interpolated between two snapshots. */
#include "render/core/item_plan.h"
#include "render/core/radix_sort.h"

#include <cairn/base/assert.h>

#include <string.h>

void cni_render_items_init(CnRenderer *renderer)
{
    CniRenderItems *items = &renderer->items;
    CnAllocator *allocator = renderer->allocator;
    cn_snapshot_match_init(&items->match, allocator);
    cn_array_init(&items->sources, allocator);
    cn_array_init(&items->parts, allocator);
    cn_array_init(&items->posed, allocator);
    cn_array_init(&items->morphed, allocator);
    cn_array_init(&items->animated, allocator);
    cn_array_init(&items->toggled, allocator);
    cn_array_init(&items->lit, allocator);
    cn_array_init(&items->x, allocator);
    cn_array_init(&items->y, allocator);
    cn_array_init(&items->z, allocator);
    cn_array_init(&items->radius, allocator);
    cn_array_init(&items->keys, allocator);
    cn_array_init(&items->flags, allocator);
    cn_array_init(&items->depth, allocator);
    cn_array_init(&items->sorted, allocator);
    cn_array_init(&items->sorted_keys, allocator);
    cn_array_init(&items->scratch, allocator);
    cn_array_init(&items->scratch_keys, allocator);
    cn_array_init(&items->draws, allocator);
    cn_array_init(&items->lights, allocator);
}

void cni_render_items_fini(CnRenderer *renderer)
{
    CniRenderItems *items = &renderer->items;
    if (items->instances.id)
        cn_gpu_buffer_destroy(renderer->gpu, items->instances);
    cn_snapshot_match_fini(&items->match);
    cn_array_fini(&items->sources);
    cn_array_fini(&items->parts);
    cn_array_fini(&items->posed);
    cn_array_fini(&items->morphed);
    cn_array_fini(&items->animated);
    cn_array_fini(&items->toggled);
    cn_array_fini(&items->lit);
    cn_array_fini(&items->x);
    cn_array_fini(&items->y);
    cn_array_fini(&items->z);
    cn_array_fini(&items->radius);
    cn_array_fini(&items->keys);
    cn_array_fini(&items->flags);
    cn_array_fini(&items->depth);
    cn_array_fini(&items->sorted);
    cn_array_fini(&items->sorted_keys);
    cn_array_fini(&items->scratch);
    cn_array_fini(&items->scratch_keys);
    cn_array_fini(&items->draws);
    cn_array_fini(&items->lights);
}

/* ---- Instance buffer: one slot per frame in flight ---- */

#define FIRST_INSTANCES 1024u

static bool make_instances(CnRenderer *renderer, uint32_t count)
{
    CniRenderItems *items = &renderer->items;
    if (count <= items->instance_capacity)
        return true;
    uint32_t capacity = items->instance_capacity ? items->instance_capacity : FIRST_INSTANCES;
    while (capacity < count)
        capacity *= 2;
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){.name = "instances",
                           .size = (uint64_t)capacity * CN_GPU_FRAMES * sizeof(CniRenderInstance),
                           .usage = CN_GPU_USE_STORAGE,
                           .memory = CN_GPU_MEMORY_UPLOAD},
        NULL);
    if (!buffer.id)
        return false;
    if (items->instances.id)
        cn_gpu_buffer_destroy(renderer->gpu, items->instances);
    items->instances = buffer;
    items->instance_capacity = capacity;
    for (uint32_t i = 0; i < items->sources.count; i++)
        items->sources.items[i].written = 0;
    return true;
}

/* Returns the slot of this frame. Frames that gather nothing do not count: the slots are used in
 * turn by each gathering. */
static CnGpuUpload next_slot(CnRenderer *renderer)
{
    CniRenderItems *items = &renderer->items;
    uint64_t offset =
        items->gathered++ % CN_GPU_FRAMES * items->instance_capacity * sizeof(CniRenderInstance);
    return (CnGpuUpload){.data =
                             (char *)cn_gpu_buffer_data(renderer->gpu, items->instances) + offset,
                         .buffer = items->instances,
                         .offset = offset};
}

/* ---- Transforms ---- */

static const CniRenderItemTransform *transform_of(const CnRenderItem *item)
{
    CN_STATIC_ASSERT(sizeof(CniRenderItemTransform) ==
                         offsetof(CnRenderItem, mesh) - offsetof(CnRenderItem, position),
                     "the transform of an item is part of it as it is");
    return (const CniRenderItemTransform *)(const void *)&item->position;
}

static float between(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* As cn_render_item_lerp. */
static CniRenderItemTransform transform_between(const CniRenderItemTransform *a,
                                                const CniRenderItemTransform *b, float t)
{
    const CnQuat *p = &a->rotation, *q = &b->rotation;
    float sign = p->x * q->x + p->y * q->y + p->z * q->z + p->w * q->w < 0 ? -1.0f : 1.0f;
    CnQuat r = {between(p->x, sign * q->x, t), between(p->y, sign * q->y, t),
                between(p->z, sign * q->z, t), between(p->w, sign * q->w, t)};
    float squared = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
    float scale = 1 / __builtin_sqrtf(squared);
    CnQuat unit = {r.x * scale, r.y * scale, r.z * scale, r.w * scale};
    return (CniRenderItemTransform){.position = cn_vec3_lerp(a->position, b->position, t),
                                    .rotation = squared > 0 ? unit : *q,
                                    .scale = cn_vec3_lerp(a->scale, b->scale, t)};
}

static float largest(CnVec3 scale)
{
    float x = __builtin_fabsf(scale.x), y = __builtin_fabsf(scale.y), z = __builtin_fabsf(scale.z);
    float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static void write_part(CniRenderItems *items, uint32_t at, CniRenderInstance *instance,
                       const CniRenderItemSource *source, const CnAffine *transform)
{
    const CniRenderItemPart *part = &items->parts.items[at];
    CnAffine moved;
    if (part->moved) {
        cni_base_affine_mul(&moved, transform, &part->moved->part.transform);
        transform = &moved;
    }
    *instance = (CniRenderInstance){.transform = *transform,
                                    .material = part->material,
                                    .joints = part->joints,
                                    .value = source->value,
                                    .skin = part->skin};
    CnVec3 center = cn_affine_point(transform, part->center);
    items->x.items[at] = center.x;
    items->y.items[at] = center.y;
    items->z.items[at] = center.z;
    items->radius.items[at] = part->radius * largest(source->transform.scale);
    CnVec3 scale = source->transform.scale;
    uint64_t is_mirrored = scale.x * scale.y * scale.z < 0;
    uint64_t key = part->key ^ is_mirrored << (CNI_RENDER_SORT_KEY_STATE_SHIFT +
                                               CNI_RENDER_STATE_MIRRORED_SHIFT);
    if (items->keys.items[at] != key)
        items->is_sorted = false;
    items->keys.items[at] = key;
}

/* An item that has not moved needs no work once every slot of the buffer contains its transform. */
static void write_source(CniRenderItems *items, CniRenderItemSource *source,
                         const CniRenderItemTransform *transform, uint32_t value, CnVec3 origin,
                         CniRenderInstance *instances)
{
    if (memcmp(&source->transform, transform, sizeof *transform) != 0 || source->value != value) {
        source->transform = *transform;
        source->value = value;
        source->written = 0;
    }
    if (source->written == CN_GPU_FRAMES)
        return;
    source->written++;
    CnAffine affine;
    CnVec3 position = cn_vec3_sub(transform->position, origin);
    cni_base_affine_from_trs(&affine, &position, &transform->rotation, &transform->scale);
    for (uint32_t i = 0; i < source->part_count; i++) {
        uint32_t at = source->first_part + i;
        write_part(items, at, &instances[at], source, &affine);
    }
}

/* Returns the indices of the items in the previous snapshot, or NULL. */
static const uint32_t *find_previous(CniRenderItems *items, const CnFrameDesc *frame_desc)
{
    return cni_render_frame_is_interpolated(frame_desc) &&
                   cn_snapshot_match(&items->match, frame_desc->previous, frame_desc->current)
               ? items->match.previous.items
               : NULL;
}

static void write_all(CniRenderItems *items, const CnFrameDesc *frame_desc,
                      const uint32_t *previous, CnVec3 origin, CniRenderInstance *instances)
{
    bool is_elsewhere = origin.x != items->origin.x || origin.z != items->origin.z;
    items->origin = origin;
    for (uint32_t i = 0; i < items->sources.count && is_elsewhere; i++)
        items->sources.items[i].written = 0;
    const CnRenderSnapshot *current = frame_desc->current;
    for (uint32_t i = 0; i < current->item_count; i++) {
        const CnRenderItem *item = &current->items[i];
        const CniRenderItemTransform *transform = transform_of(item);
        CniRenderItemTransform mixed;
        if (previous && previous[i] != CN_NO_MATCH) {
            const CniRenderItemTransform *before =
                transform_of(&frame_desc->previous->items[previous[i]]);
            if (memcmp(before, transform, sizeof *transform) != 0) {
                mixed = transform_between(before, transform, frame_desc->alpha);
                transform = &mixed;
            }
        }
        write_source(items, &items->sources.items[i], transform, item->value, origin, instances);
    }
}

/* ---- Joints and morph targets ---- */

/* Returns the transition of an item, or NULL. They are in the order of items, so a search begins
 * where the last one found something. */
static const CnRenderBlend *find_blend(const CnRenderSnapshot *snapshot, CnEntity entity,
                                       uint32_t *at)
{
    uint32_t count = snapshot->blend_count;
    for (uint32_t i = 0; i < count; i++, *at = *at + 1 < count ? *at + 1 : 0)
        if (*at < count && cn_entity_equal(snapshot->blends[*at].entity, entity))
            return &snapshot->blends[*at];
    return NULL;
}

/* Where the searches for transitions are. */
typedef struct BlendSearch {
    uint32_t current, previous;
} BlendSearch;

static CniRenderAnimation animation_of(const CniRenderItems *items, const CnFrameDesc *frame_desc,
                                       const uint32_t *previous, uint32_t source,
                                       BlendSearch *search)
{
    const CnRenderSnapshot *now = frame_desc->current, *before = frame_desc->previous;
    CniRenderAnimation animation = {.current = items->sources.items[source].value};
    bool is_matched = previous && previous[source] != CN_NO_MATCH;
    animation.previous = is_matched ? before->items[previous[source]].value : animation.current;
    CnEntity entity = now->items[source].entity;
    const CnRenderBlend *blend = find_blend(now, entity, &search->current);
    if (!blend)
        return animation;
    const CnRenderBlend *last = is_matched ? find_blend(before, entity, &search->previous) : NULL;
    animation.weight = blend->weight;
    animation.from_current = blend->value;
    /* A transition that has just begun continues the clip that played until then. */
    animation.from_previous = last ? last->value : animation.previous;
    if (last && last->weight > blend->weight)
        animation.weight = last->weight + (blend->weight - last->weight) * frame_desc->alpha;
    return animation;
}

/* Writes the targets with a weight, as scene.glsl describes them. */
static void write_weights(const CniRenderMorphedPart *part, const float *weights,
                          uint32_t weight_count, uint32_t *row)
{
    uint32_t count = 0, *target = row + 4;
    for (uint32_t i = 0; i < part->target_count && i < weight_count; i++) {
        if (weights[i] == 0)
            continue;
        target[count * 2] = part->first_unit + i * part->units_per_target;
        memcpy(&target[count * 2 + 1], &weights[i], sizeof weights[i]);
        count++;
    }
    row[0] = count;
    row[1] = part->joints;
    row[2] = row[3] = 0;
}

static void morph_all(CnRenderer *renderer, const CnFrameDesc *frame_desc, const uint32_t *previous,
                      uint32_t *rows)
{
    const CniRenderItems *items = &renderer->items;
    BlendSearch search = {0, 0};
    for (uint32_t i = 0; i < items->morphed.count; i++) {
        const CniRenderMorphedPart *part = &items->morphed.items[i];
        CniRenderAnimation animation =
            animation_of(items, frame_desc, previous, part->source, &search);
        const float *weights;
        uint32_t count =
            cni_render_model_weights_between(cn_slot_table_get(&renderer->models, part->model.id),
                                             part->morph, &animation, frame_desc->alpha, &weights);
        write_weights(part, weights, count, rows + (size_t)part->first_row * 4);
    }
}

static void pose_all(CnRenderer *renderer, const CnFrameDesc *frame_desc, const uint32_t *previous)
{
    CnFrame *frame = &renderer->frame;
    const CniRenderItems *items = &renderer->items;
    if (!items->row_count)
        return;
    frame->joint_data =
        cn_gpu_upload(frame->commands, (uint64_t)items->row_count * sizeof(CnVec4), 0);
    CnVec4 *rows = frame->joint_data.data;
    if (!rows)
        return;
    BlendSearch search = {0, 0};
    for (uint32_t i = 0; i < items->posed.count; i++) {
        const CniRenderSkinnedItem *posed = &items->posed.items[i];
        CniRenderAnimation animation =
            animation_of(items, frame_desc, previous, posed->source, &search);
        cni_render_model_pose_between(cn_slot_table_get(&renderer->models, posed->model.id),
                                      &animation, frame_desc->alpha,
                                      (CnAffine *)(void *)(rows + posed->first_row));
    }
    morph_all(renderer, frame_desc, previous, frame->joint_data.data);
}

/* ---- Order ---- */

/* The last order remains valid while no item appears, disappears or changes its material. */
static void sort_items(CniRenderItems *items)
{
    if (items->is_sorted)
        return;
    uint32_t opaque = 0, transmissive = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        items->sorted.items[i] = i;
        uint8_t flags = items->flags.items[i];
        opaque += !(flags & (CNI_RENDER_ITEM_BLENDED | CNI_RENDER_ITEM_TRANSMISSIVE));
        transmissive += (flags & CNI_RENDER_ITEM_TRANSMISSIVE) != 0;
    }
    cni_render_radix_sort(items->sorted.items, items->scratch.items, items->keys.items,
                          items->count);
    for (uint32_t i = 0; i < items->count; i++)
        items->sorted_keys.items[i] = items->keys.items[items->sorted.items[i]];
    items->opaque_count = opaque;
    items->transmissive_count = transmissive;
    items->is_sorted = true;
}

void cni_render_items_gather(CnRenderer *renderer, const CnFrameDesc *frame_desc)
{
    static const CnRenderSnapshot nothing = {0};
    CniRenderItems *items = &renderer->items;
    CnFrameDesc shown = *frame_desc;
    if (!shown.current)
        shown.current = &nothing;
    items->is_culled = false;
    items->previous = NULL;
    bool ok = cni_render_item_plan_update(renderer, shown.current);
    if (ok && items->count && !make_instances(renderer, items->count)) {
        renderer->stats.refused_items += items->count;
        items->plan_version--; /* try again */
        items->count = 0;
    } else if (!ok) {
        renderer->stats.refused_items += shown.current->item_count;
    } else if (items->count) {
        renderer->frame.instance_data = next_slot(renderer);
        const uint32_t *previous = items->previous = find_previous(items, &shown);
        write_all(items, &shown, previous, renderer->frame.origin,
                  renderer->frame.instance_data.data);
        pose_all(renderer, &shown, previous);
        cni_render_items_animate(renderer, &shown);
    }
    sort_items(items);
    renderer->stats.items += items->count;
}

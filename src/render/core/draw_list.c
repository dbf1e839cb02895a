/* Culling, and draw lists: ordered instances, draws, and calls of equal state. */
#include "render/core/renderer_internal.h"
#include "render/core/radix_sort.h"

#include <string.h>

CN_FORCE_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Computes how far each sphere reaches into the frustum, at least; below 0: outside. This form is
 * vectorised by the compiler. */
static void cull(CniRenderItems *items, const CnFrustum *frustum)
{
    if (items->is_culled && !memcmp(&items->culled, frustum, sizeof *frustum))
        return;
    items->culled = *frustum;
    items->is_culled = true;
    const float *restrict x = items->x.items, *restrict y = items->y.items;
    const float *restrict z = items->z.items, *restrict radius = items->radius.items;
    float *restrict depth = items->depth.items;
    const CnVec4 p0 = frustum->planes[0], p1 = frustum->planes[1], p2 = frustum->planes[2];
    const CnVec4 p3 = frustum->planes[3], p4 = frustum->planes[4], p5 = frustum->planes[5];
    for (uint32_t i = 0; i < items->count; i++) {
        float d0 = p0.x * x[i] + p0.y * y[i] + p0.z * z[i] + p0.w;
        float d1 = p1.x * x[i] + p1.y * y[i] + p1.z * z[i] + p1.w;
        float d2 = p2.x * x[i] + p2.y * y[i] + p2.z * z[i] + p2.w;
        float d3 = p3.x * x[i] + p3.y * y[i] + p3.z * z[i] + p3.w;
        float d4 = p4.x * x[i] + p4.y * y[i] + p4.z * z[i] + p4.w;
        float d5 = p5.x * x[i] + p5.y * y[i] + p5.z * z[i] + p5.w;
        float least = smaller(smaller(smaller(d0, d1), smaller(d2, d3)), smaller(d4, d5));
        depth[i] = least + radius[i];
    }
}

/* ---- Building ---- */

/* Runs of equal mesh become draws; runs of equal state become calls. */
typedef struct Builder {
    CnRenderer *renderer;
    uint32_t *order; /* items->scratch */
    CniRenderDrawIndexed *draws;
    CniRenderDrawCall *calls;
    uint32_t count, draw_count, call_count, call_capacity;
    uint64_t last; /* key */
    bool failed;
} Builder;

static Builder builder(CnRenderer *renderer)
{
    return (Builder){.renderer = renderer,
                     .order = renderer->items.scratch.items,
                     .draws = renderer->items.draws.items,
                     .last = UINT64_MAX};
}

/* Calls are stored in frame memory; more is allocated there when needed. */
static void begin_call(Builder *b, uint64_t key)
{
    if (b->call_count == b->call_capacity) {
        uint32_t capacity = b->call_capacity ? b->call_capacity * 2 : 64;
        CniRenderDrawCall *calls = cn_frame_alloc(&b->renderer->frame, capacity * sizeof *calls);
        if (!calls) {
            b->failed = true;
            return;
        }
        if (b->call_count)
            memcpy(calls, b->calls, b->call_count * sizeof *calls);
        b->calls = calls;
        b->call_capacity = capacity;
    }
    b->calls[b->call_count++] = (CniRenderDrawCall){
        .first_draw = b->draw_count,
        .state = (uint32_t)(key >> CNI_RENDER_SORT_KEY_STATE_SHIFT),
        .material = (uint32_t)key & ((1u << CNI_RENDER_SORT_KEY_MESH_SHIFT) - 1)};
}

static void begin_draw(Builder *b, uint64_t key)
{
    uint32_t index = (uint32_t)(key >> CNI_RENDER_SORT_KEY_MESH_SHIFT) & CN_SLOT_MAX_COUNT;
    const CniRenderMesh *mesh = cn_slot_table_live_at(&b->renderer->meshes, index);
    if (key >> CNI_RENDER_SORT_KEY_STATE_SHIFT != b->last >> CNI_RENDER_SORT_KEY_STATE_SHIFT)
        begin_call(b, key);
    if (b->failed)
        return;
    b->draws[b->draw_count++] = (CniRenderDrawIndexed){.index_count = mesh->index_count,
                                                       .first_index = mesh->first_index,
                                                       .vertex_offset = (int32_t)mesh->first_vertex,
                                                       .first_instance = b->count};
    b->calls[b->call_count - 1].draw_count++;
    b->last = key;
}

CN_FORCE_INLINE void add(Builder *b, uint32_t item, uint64_t key)
{
    if (key >> CNI_RENDER_SORT_KEY_MESH_SHIFT != b->last >> CNI_RENDER_SORT_KEY_MESH_SHIFT)
        begin_draw(b, key);
    if (b->failed)
        return;
    b->order[b->count++] = item;
    b->draws[b->draw_count - 1].instance_count++;
}

static const CnDrawList *finish(Builder *b)
{
    CnRenderer *renderer = b->renderer;
    CnGpuCommands *commands = renderer->frame.commands;
    if (!b->count && !b->failed)
        return &renderer->empty_list;
    CnDrawList *list = cn_frame_alloc(&renderer->frame, sizeof *list);
    if (!list || b->failed) {
        renderer->stats.refused_items += b->count;
        return &renderer->empty_list;
    }
    *list = (CnDrawList){.count = b->count,
                         .draw_count = b->draw_count,
                         .call_count = b->call_count,
                         .calls = b->calls};
    for (uint32_t i = 0; i < b->draw_count; i++)
        list->triangles += (uint64_t)b->draws[i].index_count / 3 * b->draws[i].instance_count;
    list->order = cn_gpu_upload(commands, (uint64_t)b->count * sizeof *b->order, 0);
    list->draws = cn_gpu_upload(commands, (uint64_t)b->draw_count * sizeof *b->draws, 0);
    if (!list->order.data || !list->draws.data) {
        renderer->stats.refused_items += b->count;
        return &renderer->empty_list;
    }
    memcpy(list->order.data, b->order, (size_t)b->count * sizeof *b->order);
    memcpy(list->draws.data, b->draws, (size_t)b->draw_count * sizeof *b->draws);
    return list;
}

/* ---- Selection ---- */

static const CnDrawList *list_solid(CnRenderer *renderer, const CnFrustum *frustum, uint8_t wanted)
{
    CniRenderItems *items = &renderer->items;
    if (!items->opaque_count)
        return &renderer->empty_list;
    cull(items, frustum);
    Builder b = builder(renderer);
    for (uint32_t i = 0; i < items->opaque_count; i++) {
        uint32_t at = items->sorted.items[i];
        if (items->depth.items[at] >= 0 && (items->flags.items[at] & wanted) == wanted)
            add(&b, at, items->sorted_keys.items[i]);
    }
    return finish(&b);
}

/* Maps a float to an integer of the same order. */
static uint32_t sortable(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float distance_to(const CnView *view, CnVec3 point)
{
    CnVec3 away = cn_vec3_sub(point, view->position);
    return view->fov > 0 ? cn_vec3_dot(away, away) : cn_vec3_dot(away, view->forward);
}

static const CnDrawList *list_transmissive(CnRenderer *renderer, const CnFrustum *frustum)
{
    CniRenderItems *items = &renderer->items;
    if (!items->transmissive_count)
        return &renderer->empty_list;
    cull(items, frustum);
    Builder b = builder(renderer);
    for (uint32_t i = items->count - items->transmissive_count; i < items->count; i++)
        if (items->depth.items[items->sorted.items[i]] >= 0)
            add(&b, items->sorted.items[i], items->sorted_keys.items[i]);
    return finish(&b);
}

/* Farthest from the camera first. */
static const CnDrawList *list_blended(CnRenderer *renderer, const CnFrustum *frustum)
{
    CniRenderItems *items = &renderer->items;
    uint32_t end = items->count - items->transmissive_count, count = 0;
    uint32_t blended = end - items->opaque_count;
    if (!blended)
        return &renderer->empty_list;
    uint32_t *chosen = cn_frame_alloc(&renderer->frame, 2 * (size_t)blended * sizeof *chosen);
    if (!chosen)
        return &renderer->empty_list;
    cull(items, frustum);
    for (uint32_t i = items->opaque_count; i < end; i++) {
        uint32_t at = items->sorted.items[i];
        CnVec3 center = {items->x.items[at], items->y.items[at], items->z.items[at]};
        items->scratch_keys.items[at] = ~sortable(distance_to(&renderer->frame.view, center));
        chosen[count] = at;
        count += items->depth.items[at] >= 0;
    }
    cni_render_radix_sort(chosen, chosen + blended, items->scratch_keys.items, count);
    Builder b = builder(renderer);
    for (uint32_t i = 0; i < count; i++)
        add(&b, chosen[i], items->keys.items[chosen[i]]);
    return finish(&b);
}

static bool is_selection(CnDrawSelect select)
{
    bool is_known = (uint32_t)select <= CN_DRAW_TRANSMISSIVE;
    CN_ASSERT(is_known, "invalid draw selection %d", (int)select);
    return is_known;
}

const CnDrawList *cn_frame_cull(CnFrame *frame, const CnFrustum *frustum, CnDrawSelect select)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    if (!is_selection(select))
        return &frame->renderer->empty_list;
    if (select == CN_DRAW_TRANSPARENT)
        return list_blended(frame->renderer, frustum);
    if (select == CN_DRAW_TRANSMISSIVE)
        return list_transmissive(frame->renderer, frustum);
    return list_solid(frame->renderer, frustum,
                      select == CN_DRAW_CASTERS   ? CNI_RENDER_ITEM_CASTS
                      : select == CN_DRAW_LAYERED ? CNI_RENDER_ITEM_LAYERED
                                                  : 0);
}

const CnDrawList *cn_frame_visible(CnFrame *frame, CnDrawSelect select)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CnRenderer *renderer = frame->renderer;
    if (!is_selection(select))
        return &renderer->empty_list;
    if (!renderer->visible[select]) {
        renderer->visible[select] = cn_frame_cull(frame, &frame->view.frustum, select);
        if (select != CN_DRAW_CASTERS && select != CN_DRAW_LAYERED)
            renderer->stats.visible_items += renderer->visible[select]->count;
    }
    return renderer->visible[select];
}

uint32_t cn_draw_list_count(const CnDrawList *list)
{
    CN_ASSERT(list, "%s: list is NULL", __func__);
    return list->count;
}

/* The layout of transforms for the pass, rebuilt when the tree or the structure of the world
 * changes. */
#include "scene/transform/transform_internal.h"

void cni_scene_transform_layout_init(CniSceneTransformLayout *layout, CnAllocator *allocator)
{
    memset(layout, 0, sizeof *layout);
    cn_array_init(&layout->locations, allocator);
    cn_array_init(&layout->first_child, allocator);
    cn_array_init(&layout->groups, allocator);
    cn_array_init(&layout->runs, allocator);
    cn_array_init(&layout->chunks, allocator);
}

void cni_scene_transform_layout_fini(CniSceneTransformLayout *layout)
{
    cn_array_fini(&layout->locations);
    cn_array_fini(&layout->first_child);
    cn_array_fini(&layout->groups);
    cn_array_fini(&layout->runs);
    cn_array_fini(&layout->chunks);
}

/* ---- Chunks ---- */

static CniSceneTransformChunk chunk_of(const CnChunkView *view, uint32_t has_moving)
{
    const CniEcsQueryColumn *matrix = cni_ecs_view_column(view, &cn_type_CnWorldTransform);
    return (CniSceneTransformChunk){
        .local = (CnTransform *)(uintptr_t)cn_column_const(view, CnTransform),
        .matrix = (CnWorldTransform *)(uintptr_t)cn_column_const(view, CnWorldTransform),
        .cache = (CnTransformCache *)(uintptr_t)cn_column_const(view, CnTransformCache),
        .entities = view->entities,
        .matrix_tick = &view->ticks[matrix->tick],
        .has_moving = has_moving,
    };
}

/* Chunk numbers are small and are reused, so a table by number is sufficient. */
static bool list_chunks(CniSceneTransformLayout *layout, CnQuery *rows)
{
    CnChunkView view;
    uint32_t count = layout->chunks.count;
    for (uint32_t i = 0; i < count; i++)
        layout->chunks.items[i].local = NULL;
    for (CnQueryIter it = cn_query_iter(rows); cn_query_next(&it, &view);) {
        uint32_t number = cni_scene_chunk_number(&view);
        if (number >= layout->chunks.count) {
            if (!cn_array_reserve(&layout->chunks, (uint64_t)number + 1))
                return false;
            memset(&layout->chunks.items[layout->chunks.count], 0,
                   (number + 1 - layout->chunks.count) * sizeof(CniSceneTransformChunk));
            layout->chunks.count = number + 1;
        }
        CniSceneTransformChunk *chunk = &layout->chunks.items[number];
        *chunk = chunk_of(&view, chunk->has_moving);
    }
    return true;
}

/* ---- Positions ---- */

static bool list_places(CniSceneTransformLayout *layout, CnQuery *loose)
{
    const CnTreeOrder *order = &layout->order;
    uint64_t count = (uint64_t)order->count + cn_query_count(loose);
    if (!cn_array_reserve(&layout->locations, count) ||
        !cn_array_reserve(&layout->first_child, (uint64_t)order->count + 1))
        return false;
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t location = order->rows[i], chunk = location >> CNI_ECS_ROW_BITS;
        bool here = chunk < layout->chunks.count && layout->chunks.items[chunk].local;
        layout->locations.items[i] = here ? location : CNI_SCENE_NO_TRANSFORM;
    }
    uint32_t n = order->count;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(loose); cn_query_next(&it, &view);)
        for (uint32_t row = 0; row < view.count; row++)
            layout->locations.items[n++] = cni_scene_chunk_number(&view) << CNI_ECS_ROW_BITS | row;
    layout->count = n;
    uint32_t child = order->level_count ? order->levels[1] : 0;
    for (uint32_t i = 0; i < order->count; i++) {
        layout->first_child.items[i] = child;
        while (child < order->count && order->parents[child] == i)
            child++;
    }
    layout->first_child.items[order->count] = child;
    return true;
}

static bool follows(const uint32_t *locations, uint32_t position)
{
    uint32_t before = locations[position - 1], here = locations[position];
    return here != CNI_SCENE_NO_TRANSFORM && here == before + 1 && cni_scene_transform_row(here);
}

/* Counts the runs of each chunk, then stores them in its part of the list. */
static bool list_runs(CniSceneTransformLayout *layout)
{
    const uint32_t *locations = layout->locations.items;
    uint32_t total = 0;
    for (uint32_t i = 0; i < layout->chunks.count; i++)
        layout->chunks.items[i].run_count = 0;
    for (uint32_t i = 0; i < layout->count; i++)
        if (locations[i] != CNI_SCENE_NO_TRANSFORM && !(i && follows(locations, i))) {
            cni_scene_transform_layout_chunk(layout, locations[i])->run_count++;
            total++;
        }
    if (!cn_array_reserve(&layout->runs, total))
        return false;
    total = 0;
    for (uint32_t i = 0; i < layout->chunks.count; i++) {
        CniSceneTransformChunk *chunk = &layout->chunks.items[i];
        chunk->first_run = total;
        total += chunk->run_count;
        chunk->run_count = 0;
    }
    for (uint32_t i = 0; i < layout->count; i++) {
        if (locations[i] == CNI_SCENE_NO_TRANSFORM)
            continue;
        CniSceneTransformChunk *chunk = cni_scene_transform_layout_chunk(layout, locations[i]);
        if (i && follows(locations, i))
            layout->runs.items[chunk->first_run + chunk->run_count - 1].count++;
        else
            layout->runs.items[chunk->first_run + chunk->run_count++] =
                (CniSceneTransformRun){i, cni_scene_transform_row(locations[i]), 1};
    }
    return true;
}

/* ---- Groups ---- */

static uint32_t parent_of(const CniSceneTransformLayout *layout, uint32_t position)
{
    return position < layout->order.count ? layout->order.parents[position] : UINT32_MAX;
}

/* Returns whether all have a row, and either all have a parent with a row or none has a parent. */
static bool is_whole(const CniSceneTransformLayout *layout, uint32_t begin)
{
    const uint32_t *locations = layout->locations.items;
    bool roots = parent_of(layout, begin) == UINT32_MAX;
    if (begin + CNI_SCENE_TRANSFORM_GROUP > layout->count)
        return false;
    for (uint32_t i = begin; i < begin + CNI_SCENE_TRANSFORM_GROUP; i++) {
        uint32_t parent = parent_of(layout, i);
        if (locations[i] == CNI_SCENE_NO_TRANSFORM || (parent == UINT32_MAX) != roots ||
            (!roots && locations[parent] == CNI_SCENE_NO_TRANSFORM))
            return false;
    }
    return true;
}

static void add_to_parent(const CniSceneTransformLayout *layout, CniSceneTransformGroup *group,
                          uint32_t position)
{
    uint32_t parent = parent_of(layout, position), lane = position % CNI_SCENE_TRANSFORM_GROUP;
    if (parent == UINT32_MAX)
        return;
    if (!lane || parent != parent_of(layout, position - 1)) {
        if (group->parent_count < CNI_SCENE_TRANSFORM_GROUP_PARENTS)
            group->parents[group->parent_count] =
                cni_scene_transform_layout_matrix(layout, layout->locations.items[parent]);
        group->parent_count++;
    }
    if (group->parent_count <= CNI_SCENE_TRANSFORM_GROUP_PARENTS)
        group->children[group->parent_count - 1] |= (uint16_t)(1u << lane);
}

static CniSceneTransformGroup group_at(const CniSceneTransformLayout *layout, uint32_t begin)
{
    CniSceneTransformGroup group = {0};
    if (!is_whole(layout, begin))
        return group;
    uint32_t location = layout->locations.items[begin];
    bool straight = true;
    for (uint32_t i = begin; i < begin + CNI_SCENE_TRANSFORM_GROUP; i++) {
        add_to_parent(layout, &group, i);
        straight = straight && (i == begin || follows(layout->locations.items, i));
    }
    group.whole = true;
    if (straight) {
        const CniSceneTransformChunk *chunk = cni_scene_transform_layout_chunk(layout, location);
        group.local = &chunk->local[cni_scene_transform_row(location)];
        group.matrix = &chunk->matrix[cni_scene_transform_row(location)];
        group.matrix_tick = chunk->matrix_tick;
    }
    return group;
}

/* Rounded up to whole words and more, so that loops need not check for the end. */
static uint32_t group_count(const CniSceneTransformLayout *layout)
{
    return ((layout->count + 63) / 64 + 1) * (64 / CNI_SCENE_TRANSFORM_GROUP);
}

/* Children may be in the same group as their parents; such groups are computed one at a time. */
static bool list_groups(CniSceneTransformLayout *layout)
{
    uint32_t count = group_count(layout);
    if (!cn_array_reserve(&layout->groups, count))
        return false;
    for (uint32_t g = 0; g < count; g++)
        layout->groups.items[g] = group_at(layout, g * CNI_SCENE_TRANSFORM_GROUP);
    for (uint32_t level = 0; level <= layout->order.level_count; level++)
        if (layout->order.levels[level] % CNI_SCENE_TRANSFORM_GROUP)
            layout->groups.items[layout->order.levels[level] / CNI_SCENE_TRANSFORM_GROUP].whole =
                false;
    return true;
}

bool cni_scene_transform_layout_build(CniSceneTransformLayout *layout, const CnTreeOrder *order,
                                      CnQuery *rows, CnQuery *loose)
{
    layout->order = *order;
    return list_chunks(layout, rows) && list_places(layout, loose) && list_runs(layout) &&
           list_groups(layout);
}

/* Determines what the pass must examine: chunks that were written since the last one. */
#include "scene/transform/transform_propagate.h"

#define BIT_SETS 4u

CniSceneTransformPass *cni_scene_transform_pass_create(CnWorld *world, CnTransforms *transforms,
                                                       CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    CniSceneTransformPass *pass = cn_alloc_zeroed(allocator, sizeof *pass);
    if (!pass)
        return NULL;
    pass->allocator = allocator;
    pass->transforms = transforms;
    pass->derived =
        cn_alloc_zeroed(allocator, CNI_SCENE_TRANSFORM_DERIVED_SLOTS * sizeof *pass->derived);
    cni_scene_transform_layout_init(&pass->layout, allocator);
    /* Change ticks of CnNode indicate new parents, those of the cache indicate reads that wrote. */
    pass->rows =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_reads(CnTransform), cn_reads(CnWorldTransform),
                                                cn_reads(CnTransformCache)},
                                        .optional = {cn_reads(CnNode)}},
                         error);
    pass->loose =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_reads(CnTransform), cn_reads(CnWorldTransform),
                                                cn_reads(CnTransformCache)},
                                        .none = {cn_tag(CnNode)}},
                         error);
    pass->without_matrix = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(CnTransform)}, .none = {cn_tag(CnWorldTransform)}},
        error);
    pass->without_cache = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(CnTransform)}, .none = {cn_tag(CnTransformCache)}},
        error);
    if (pass->derived && pass->rows && pass->loose && pass->without_matrix && pass->without_cache)
        return pass;
    cni_scene_transform_pass_destroy(pass);
    return NULL;
}

void cni_scene_transform_pass_destroy(CniSceneTransformPass *pass)
{
    cn_query_release(pass->rows);
    cn_query_release(pass->loose);
    cn_query_release(pass->without_matrix);
    cn_query_release(pass->without_cache);
    cni_scene_transform_layout_fini(&pass->layout);
    cn_free(pass->allocator, pass->active,
            (size_t)pass->word_capacity * BIT_SETS * sizeof(uint64_t));
    cn_free(pass->allocator, pass->derived,
            CNI_SCENE_TRANSFORM_DERIVED_SLOTS * sizeof *pass->derived);
    cn_free(pass->allocator, pass, sizeof *pass);
}

/* ---- Preparation ---- */

/* Adds the derived components to entities that were spawned without them or come from a saved
 * state. */
static bool add_missing(const CniSceneTransformPass *pass)
{
    return (!cn_query_count(pass->without_matrix) ||
            cn_query_set(pass->without_matrix, cn_with_default(CnWorldTransform))) &&
           (!cn_query_count(pass->without_cache) ||
            cn_query_set(pass->without_cache, cn_with_default(CnTransformCache)));
}

/* All bit sets share one block. Their contents are lost. */
static bool reserve_bits(CniSceneTransformPass *pass)
{
    uint32_t words = (pass->layout.count + 63) / 64;
    if (words > pass->word_capacity) {
        uint32_t capacity = words + words / 2;
        uint64_t *bits = cn_alloc(pass->allocator, (size_t)capacity * BIT_SETS * sizeof *bits);
        if (!bits)
            return false;
        cn_free(pass->allocator, pass->active,
                (size_t)pass->word_capacity * BIT_SETS * sizeof *bits);
        pass->word_capacity = capacity;
        pass->active = bits;
        pass->moved = bits + capacity;
        pass->moving = bits + 2 * (size_t)capacity;
        pass->parent_moved = bits + 3 * (size_t)capacity;
    }
    if (words)
        memset(pass->moving, 0, words * sizeof(uint64_t));
    return true;
}

static bool make_layout(CniSceneTransformPass *pass, const CnTreeOrder *order)
{
    pass->layout_version = 0;
    if (!cni_scene_transform_layout_build(&pass->layout, order, pass->rows, pass->loose) ||
        !reserve_bits(pass))
        return false;
    pass->layout_version = order->version;
    return true;
}

/* ---- Marking ---- */

static void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* Reads the bits of a chunk from its rows, because other code wrote there or positions are new. */
static void read_rows(CniSceneTransformPass *pass, CniSceneTransformChunk *chunk)
{
    chunk->has_moving = 0;
    for (uint32_t i = 0; i < chunk->run_count; i++) {
        const CniSceneTransformRun *run = &pass->layout.runs.items[chunk->first_run + i];
        for (uint32_t j = 0; j < run->count; j++) {
            const CnTransformCache *cache = &chunk->cache[run->row + j];
            uint32_t position = run->position + j;
            pass->moving[position / 64] &= ~(UINT64_C(1) << (position % 64));
            if (cache->moving) {
                set_bit(pass->moving, position);
                chunk->has_moving = 1;
            } else if ((int32_t)(cache->version - pass->transforms->pass_version) > 0) {
                set_bit(pass->moved, position); /* a read has already computed it */
            }
        }
    }
}

/* Marks children that were computed with another parent state: it gained or lost its transform. */
static void check_children(CniSceneTransformPass *pass, uint32_t position, CnEntity parent)
{
    const CniSceneTransformLayout *layout = &pass->layout;
    if (position >= layout->order.count)
        return;
    uint32_t end = layout->first_child.items[position + 1];
    for (uint32_t i = layout->first_child.items[position]; i < end; i++) {
        uint32_t location = layout->locations.items[i];
        if (location == CNI_SCENE_NO_TRANSFORM)
            continue;
        const CnTransformCache *cache = &cni_scene_transform_layout_chunk(layout, location)
                                             ->cache[cni_scene_transform_row(location)];
        if (!cache->moving && cache->parent.id != parent.id)
            set_bit(pass->active, i);
    }
}

static void check_children_of_rows(CniSceneTransformPass *pass, const CniSceneTransformChunk *chunk)
{
    for (uint32_t i = 0; i < chunk->run_count; i++) {
        const CniSceneTransformRun *run = &pass->layout.runs.items[chunk->first_run + i];
        for (uint32_t j = 0; j < run->count; j++)
            check_children(pass, run->position + j, chunk->entities[run->row + j]);
    }
}

static void mark_chunk(CniSceneTransformPass *pass, const CnChunkView *view)
{
    CniSceneTransformChunk *chunk = &pass->layout.chunks.items[cni_scene_chunk_number(view)];
    for (uint32_t i = 0; i < chunk->run_count; i++) {
        const CniSceneTransformRun *run = &pass->layout.runs.items[chunk->first_run + i];
        cni_scene_bits_set_range(pass->active, run->position, run->position + run->count);
    }
    uint64_t cache_tick = view->ticks[cni_ecs_view_column(view, &cn_type_CnTransformCache)->tick];
    if (view->chunk->changed > pass->last_tick || cache_tick > pass->last_tick)
        read_rows(pass, chunk);
    if (view->chunk->changed > pass->last_tick)
        check_children_of_rows(pass, chunk);
}

/* After the layout was rebuilt: moving rows have new positions. */
static void mark_new_layout(CniSceneTransformPass *pass)
{
    CniSceneTransformLayout *layout = &pass->layout;
    for (uint32_t i = 0; i < layout->chunks.count; i++)
        if (layout->chunks.items[i].local && layout->chunks.items[i].has_moving)
            read_rows(pass, &layout->chunks.items[i]);
    for (uint32_t i = 0; i < layout->order.count; i++)
        if (layout->locations.items[i] == CNI_SCENE_NO_TRANSFORM)
            check_children(pass, i, (CnEntity){0});
}

/* Returns false when there is nothing to do. */
static bool mark(CniSceneTransformPass *pass, bool is_new_layout)
{
    uint32_t words = (pass->layout.count + 63) / 64;
    if (!words)
        return false;
    memset(pass->active, 0, words * sizeof *pass->active);
    memset(pass->moved, 0, words * sizeof *pass->moved);
    memset(pass->parent_moved, 0, words * sizeof *pass->parent_moved);
    if (is_new_layout)
        mark_new_layout(pass);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(pass->rows, pass->last_tick);
         cn_query_next(&it, &view);)
        mark_chunk(pass, &view);
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= pass->active[i] |= pass->moving[i];
    return any != 0;
}

/* ---- The pass ---- */

static CnTransformPropagateStats count_bits(const CniSceneTransformPass *pass)
{
    CnTransformPropagateStats result = {0};
    for (uint32_t i = 0; i < (pass->layout.count + 63) / 64; i++) {
        result.compared += (uint32_t)__builtin_popcountll(pass->active[i] | pass->parent_moved[i]);
        result.moved += (uint32_t)__builtin_popcountll(pass->moved[i]);
    }
    return result;
}

static bool propagate(CnWorld *world, CnJobPool *jobs, CnTransformPropagateStats *result)
{
    CnTransforms *transforms = cn_resource_mut(world, CnTransforms);
    CniSceneTransformPass *pass = transforms ? transforms->pass : NULL;
    CnTreeOrder order;
    if (result)
        *result = (CnTransformPropagateStats){0};
    if (!pass || !add_missing(pass) || !cn_tree_order(world, &order))
        return false;
    bool is_new_layout = order.version != pass->layout_version;
    if (is_new_layout && !make_layout(pass, &order))
        return false;
    pass->tick = cn_world_tick(world);
    if (mark(pass, is_new_layout)) {
        cni_scene_transform_pass_run(pass, jobs);
        if (result)
            *result = count_bits(pass);
    }
    pass->last_tick = pass->tick;
    return true;
}

bool cn_transform_propagate(CnWorld *world, CnJobPool *jobs, CnTransformPropagateStats *result)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    bool done = propagate(world, jobs, result);
    cn_world_advance_tick(world); /* later writes are newer than this pass */
    return done;
}

/* ---- Registration ---- */

static void run_system(CnSystemContext *context)
{
    propagate(context->world, context->jobs, NULL);
}

static void forget_pass(CnWorld *world, void *user)
{
    (void)user;
    CnTransforms *transforms = cn_resource_mut(world, CnTransforms);
    transforms->pass = NULL;
    transforms->derived = NULL;
}

static void dispose_pass(void *user)
{
    cni_scene_transform_pass_destroy(user);
}

static bool add_component(CnWorld *world, const CnType *type, uint32_t flags,
                          const void *default_value, CnError *error)
{
    CnComponentDesc desc = {.type = type, .flags = flags, .default_value = default_value};
    return cn_component_register(world, &desc, error).id != 0;
}

static bool add_pass(CnWorld *world, CnTransforms *transforms, CnError *error)
{
    CniSceneTransformPass *pass = cni_scene_transform_pass_create(world, transforms, error);
    if (!pass)
        return cn_error_memory(error, "transforms");
    CnSystemDesc desc = {.name = "PropagateTransforms",
                         .run = run_system,
                         .user = pass,
                         .stage = CN_STAGE_POST_UPDATE,
                         .alone = true,
                         .on_removed = forget_pass,
                         .dispose = dispose_pass};
    if (!cn_system_add(world, &desc, error).id) {
        cni_scene_transform_pass_destroy(pass);
        return false;
    }
    transforms->pass = pass;
    transforms->derived = pass->derived;
    return true;
}

bool cn_transform_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const CnTransform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    CnTransformCache cache = {0};
    cache.baked = (CnTransform){{CN_NANF, CN_NANF, CN_NANF},
                                {CN_NANF, CN_NANF, CN_NANF, CN_NANF},
                                {CN_NANF, CN_NANF, CN_NANF}};
    if (!add_component(world, &cn_type_CnTransform, 0, &identity, error) ||
        !add_component(world, &cn_type_CnWorldTransform, CN_COMPONENT_DERIVED, NULL, error) ||
        !add_component(world, &cn_type_CnTransformCache, CN_COMPONENT_DERIVED, &cache, error) ||
        !add_component(world, &cn_type_CnNode, 0, NULL, error))
        return false;
    CnTransforms *transforms = cn_resource_mut(world, CnTransforms);
    if (!transforms)
        transforms = cn_resource_set(world, CnTransforms, {0});
    if (!transforms)
        return cn_error_memory(error, "transforms");
    return transforms->pass || add_pass(world, transforms, error);
}

/* PropagateTransforms: updates all world matrices level by level, and only those that moved. */
#include "scene/transform/transform_propagate.h"

/* In words of 64 positions; no two jobs share a word. Less work is not worth other threads: about
 * 60 us. */
#define WORTH_SPLITTING 256u
#define WORDS_PER_JOB 32u

/* ---- Bits by position ---- */

void cni_scene_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end)
{
    if (begin >= end)
        return;
    uint32_t first = begin / 64, last = (end - 1) / 64;
    uint64_t head = UINT64_MAX << (begin % 64), tail = UINT64_MAX >> (63 - (end - 1) % 64);
    if (first == last) {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    for (uint32_t i = first + 1; i < last; i++)
        words[i] = UINT64_MAX;
    words[last] |= tail;
}

/* Returns the bits of a word that belong to positions from begin to end. */
static uint64_t range_mask(uint32_t word, uint32_t begin, uint32_t end)
{
    uint64_t mask = UINT64_MAX;
    if (begin > word * 64)
        mask <<= begin - word * 64;
    if (end < word * 64 + 64)
        mask &= UINT64_MAX >> (word * 64 + 64 - end);
    return mask;
}

/* ---- One at a time ---- */

typedef struct Row {
    uint32_t position;
    CniSceneTransformChunk *chunk;
    uint32_t row;
} Row;

static Row row_at(const CniSceneTransformLayout *layout, uint32_t position)
{
    uint32_t location = layout->locations.items[position];
    return (Row){position, cni_scene_transform_layout_chunk(layout, location),
                 cni_scene_transform_row(location)};
}

/* Returns the position of the parent if it has a transform; CNI_SCENE_NO_TRANSFORM otherwise. */
static uint32_t parent_position(const CniSceneTransformLayout *layout, uint32_t position)
{
    uint32_t parent =
        position < layout->order.count ? layout->order.parents[position] : CNI_SCENE_NO_TRANSFORM;
    return parent == CNI_SCENE_NO_TRANSFORM ||
                   layout->locations.items[parent] == CNI_SCENE_NO_TRANSFORM
               ? CNI_SCENE_NO_TRANSFORM
               : parent;
}

/* Returns true when it moved. Children of a moved transform may have no transform. */
static bool compute_one(const CniSceneTransformLayout *layout, uint32_t position, bool parent_moved)
{
    if (layout->locations.items[position] == CNI_SCENE_NO_TRANSFORM)
        return false;
    Row at = row_at(layout, position);
    uint32_t parent = parent_position(layout, position);
    CnAffine matrix, *old = &at.chunk->matrix[at.row].matrix;
    cni_scene_transform_compute(
        &matrix, &at.chunk->local[at.row],
        parent == CNI_SCENE_NO_TRANSFORM
            ? NULL
            : cni_scene_transform_layout_matrix(layout, layout->locations.items[parent]));
    if (!parent_moved && memcmp(&matrix, old, sizeof matrix) == 0)
        return false;
    *old = matrix;
    return true;
}

/* The transform did not move this time: stores everything that readers need. */
static void bring_to_rest(const CniSceneTransformPass *pass, uint32_t position)
{
    const CniSceneTransformLayout *layout = &pass->layout;
    Row at = row_at(layout, position);
    CnTransformCache *cache = &at.chunk->cache[at.row];
    uint32_t parent = parent_position(layout, position);
    cache->baked = at.chunk->local[at.row];
    cache->version = pass->transforms->pass_version;
    cache->parent = (CnEntity){0};
    cache->parent_version = 0;
    cache->moving = 0;
    if (parent == CNI_SCENE_NO_TRANSFORM)
        return;
    Row above = row_at(layout, parent);
    const CnTransformCache *parent_cache = &above.chunk->cache[above.row];
    cache->parent = above.chunk->entities[above.row];
    cache->parent_version = parent_cache->moving ? pass->version : parent_cache->version;
}

static void set_moving(const CniSceneTransformPass *pass, uint32_t position)
{
    Row at = row_at(&pass->layout, position);
    at.chunk->cache[at.row].moving = 1;
    /* Several jobs may share a chunk. */
    __atomic_store_n(&at.chunk->has_moving, 1, __ATOMIC_RELAXED);
}

/* ---- A word of positions ---- */

static uint32_t first_of(uint32_t word, uint64_t bits)
{
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Several jobs may share a chunk. */
static void mark_changed(const CniSceneTransformPass *pass, uint64_t *matrix_tick)
{
    __atomic_store_n(matrix_tick, pass->tick, __ATOMIC_RELAXED);
}

static void mark_word_changed(const CniSceneTransformPass *pass, uint32_t word, uint64_t moved)
{
    const CniSceneTransformGroup *group =
        &pass->layout.groups.items[word * (64 / CNI_SCENE_TRANSFORM_GROUP)];
    for (uint32_t g = 0; g < 64; g += CNI_SCENE_TRANSFORM_GROUP, group++) {
        uint64_t bits = moved & UINT64_C(0xffff) << g;
        if (bits && group->matrix_tick) {
            mark_changed(pass, group->matrix_tick);
        } else {
            for (; bits; bits &= bits - 1)
                mark_changed(pass, row_at(&pass->layout, first_of(word, bits)).chunk->matrix_tick);
        }
    }
}

static uint64_t compute_word(const CniSceneTransformPass *pass, uint32_t word, uint64_t active)
{
    CniSceneTransformWord bits = {active, pass->parent_moved[word] & active, 0};
    uint64_t moved = pass->lanes ? pass->lanes(&pass->layout, word, &bits) : 0;
    for (uint64_t left = active & ~bits.done; left; left &= left - 1) {
        uint64_t bit = left & -left;
        if (compute_one(&pass->layout, first_of(word, left), bits.parent_moved & bit))
            moved |= bit;
    }
    return moved;
}

static void propagate_word(CniSceneTransformPass *pass, uint32_t word, uint64_t active)
{
    uint64_t moved = compute_word(pass, word, active), moving = pass->moving[word] & active;
    for (uint64_t left = moving & ~moved; left; left &= left - 1)
        bring_to_rest(pass, first_of(word, left));
    for (uint64_t left = moved & ~moving; left; left &= left - 1)
        set_moving(pass, first_of(word, left));
    mark_word_changed(pass, word, moved);
    pass->moving[word] = (pass->moving[word] & ~active) | moved;
    pass->moved[word] |= moved;
}

typedef struct Range {
    CniSceneTransformPass *pass;
    uint32_t begin, end;
} Range;

static void propagate_words(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    const Range *range = data;
    uint32_t first = range->begin / 64;
    for (uint32_t word = first + begin; word < first + end; word++) {
        uint64_t active = (range->pass->active[word] | range->pass->parent_moved[word]) &
                          range_mask(word, range->begin, range->end);
        if (active)
            propagate_word(range->pass, word, active);
    }
}

/* Processes positions that do not depend on each other. */
static void propagate_range(CniSceneTransformPass *pass, uint32_t begin, uint32_t end,
                            CnJobPool *jobs)
{
    if (begin == end)
        return;
    Range range = {pass, begin, end};
    uint32_t words = (end - 1) / 64 - begin / 64 + 1, active = 0;
    for (uint32_t i = 0; jobs && i < words; i++)
        active += (pass->active[begin / 64 + i] | pass->parent_moved[begin / 64 + i]) != 0;
    cn_job_parallel_for(active >= WORTH_SPLITTING ? jobs : NULL, words, WORDS_PER_JOB,
                        propagate_words, &range);
}

/* Marks the children of moved transforms for computation. Children of neighbors are adjacent. */
static void spread(CniSceneTransformPass *pass, uint32_t begin, uint32_t end)
{
    const uint32_t *first_child = pass->layout.first_child.items;
    for (uint32_t word = begin / 64; word * 64 < end; word++) {
        uint64_t bits = pass->moved[word] & range_mask(word, begin, end);
        while (bits) {
            uint32_t from = (uint32_t)__builtin_ctzll(bits);
            uint64_t after = ~(bits >> from);
            uint32_t count = after ? (uint32_t)__builtin_ctzll(after) : 64;
            uint32_t to = from + count < 64 ? from + count : 64;
            cni_scene_bits_set_range(pass->parent_moved, first_child[word * 64 + from],
                                     first_child[word * 64 + to]);
            bits = to < 64 ? bits >> to << to : 0;
        }
    }
}

void cni_scene_transform_pass_run(CniSceneTransformPass *pass, CnJobPool *jobs)
{
    const CnTreeOrder *order = &pass->layout.order;
    pass->lanes = cni_scene_transform_simd();
    pass->version = cni_scene_transform_next_version(pass->transforms);
    for (uint32_t level = 0; level < order->level_count; level++) {
        propagate_range(pass, order->levels[level], order->levels[level + 1], jobs);
        if (level + 1 < order->level_count)
            spread(pass, order->levels[level], order->levels[level + 1]);
    }
    propagate_range(pass, order->count, pass->layout.count, jobs);
    pass->transforms->pass_version = pass->version;
}

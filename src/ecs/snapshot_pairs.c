#include "snapshot.h"

#include <stdlib.h>

/* ---- Which of the world's pairs stay ---- */

/* A pair of the data stays when it has its old id, or when somebody relies on the one it has. One
 * that the data lacks stays only where a query names it and its target lives. */
static bool pair_stays(const Saved *saved, const CnWorld *world, uint32_t id, const SavedPair *pair)
{
    const Component *component = &world->components.items[id];
    if (pair)
        return pair->old_id == id || component->resource || component->named_by.count;
    return cni_saved_is_alive(saved, component->info.pair_target) && component->named_by.count;
}

static bool match_pair(Saved *saved, const CnWorld *world, const CnHashMap *keys, uint32_t id,
                       CnBitSet *kept, uint32_t *released)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    const uint32_t *found =
        cn_hash_map_get(keys, cni_pair_key(info->pair_kind.id, info->pair_target));
    SavedPair *pair = found ? &saved->pairs.items[*found] : NULL;
    bool same = pair && pair->target.id == info->pair_target.id &&
                saved->components.items[pair->kind].id == info->pair_kind.id;
    /* Two pairs that share a key cannot both be. */
    if ((pair && !same) || !pair_stays(saved, world, id, pair)) {
        ++*released;
        return true;
    }
    if (pair)
        pair->id = id;
    return cn_bitset_set(kept, id);
}

bool cni_saved_match_pairs(Saved *saved, const CnWorld *world, CnBitSet *kept, uint32_t *released,
                           CnError *error)
{
    CnHashMap keys;
    cn_hash_map_init(&keys, saved->allocator, sizeof(uint32_t));
    bool good = true, unique = true;
    for (uint32_t i = 0; i < saved->pairs.count && good && unique; i++) {
        const SavedPair *pair = &saved->pairs.items[i];
        uint64_t key = cni_pair_key(saved->components.items[pair->kind].id, pair->target);
        unique = !cn_hash_map_get(&keys, key);
        good = cn_hash_map_set(&keys, key, &i) != NULL;
    }
    for (uint32_t id = 1; id < world->components.count && good && unique; id++)
        if (world->components.items[id].info.pair_kind.id)
            good = match_pair(saved, world, &keys, id, kept, released);
    cn_hash_map_fini(&keys);
    if (!unique)
        return cn_error_set(error, CN_ERROR_FORMAT, "snapshot: two pairs share a key");
    return good || cn_error_set(error, CN_ERROR_MEMORY, "out of memory: nothing is loaded");
}

bool cni_pairs_drop(CnWorld *world, const CnBitSet *kept)
{
    bool entered = true;
    cn_hash_map_clear(&world->pairs);
    cn_hash_map_clear(&world->pair_heads);
    cn_bitset_clear_all(&world->pair_targets);
    world->has_stale_pairs = false;
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CnComponentInfo *info = &world->components.items[id].info;
        uint32_t kind = info->pair_kind.id;
        if (!kind)
            continue;
        if (kept && cn_bitset_has(kept, id)) {
            uint64_t key = cni_pair_key(kind, info->pair_target);
            entered &= cn_hash_map_set(&world->pairs, key, &id) &&
                       cn_bitset_set(&world->pair_targets, cn_entity_index(info->pair_target));
            continue;
        }
        cn_bitset_clear(&world->components.items[kind].pairs, id);
        cni_queries_pair_died(world, id);
        cni_component_release(world, id);
    }
    return entered;
}

/* ---- Ids ---- */

static bool needs_tag(const CnWorld *world, const SavedComponent *component)
{
    return component->is_kind && !world->components.items[component->id].any_tag;
}

/* The end of the ids that pairs and their tags had. 0 when the world would have to grow by more ids
 * than the data has, or nearly so: it is another program's, or bad. */
static uint32_t end_of_old_ids(const Saved *saved, const CnWorld *world)
{
    uint32_t last = 0;
    uint64_t room = world->components.count + (uint64_t)saved->components.count +
                    saved->pairs.count + saved->free_id_count + 64;
    for (uint32_t i = 0; i < saved->components.count; i++)
        last =
            saved->components.items[i].any_tag > last ? saved->components.items[i].any_tag : last;
    for (uint32_t i = 0; i < saved->pairs.count; i++)
        last = saved->pairs.items[i].old_id > last ? saved->pairs.items[i].old_id : last;
    return last < room && last <= CN_MAX_COMPONENTS ? last + 1 : 0;
}

/* Makes the table of components long enough. New places are free, but not listed yet. */
static bool extend_components(CnWorld *world, uint32_t count)
{
    if (!cn_array_reserve(&world->components, count) ||
        !cn_array_reserve(&world->free_components, world->components.capacity) ||
        !cn_array_reserve(&world->resting_components, world->components.capacity))
        return false;
    while (world->components.count < count)
        memset(&world->components.items[world->components.count++], 0, sizeof(Component));
    return true;
}

/* Takes the old ids of all that is made now out of `open`; false when one is not there. */
static bool take_old_ids(const Saved *saved, const CnWorld *world, CnBitSet *open)
{
    bool taken = true;
    for (uint32_t i = 0; i < saved->components.count && taken; i++) {
        const SavedComponent *component = &saved->components.items[i];
        if (!needs_tag(world, component))
            continue;
        taken = cn_bitset_has(open, component->any_tag);
        cn_bitset_clear(open, component->any_tag);
    }
    for (uint32_t i = 0; i < saved->pairs.count && taken; i++) {
        const SavedPair *pair = &saved->pairs.items[i];
        if (pair->id)
            continue;
        taken = cn_bitset_has(open, pair->old_id);
        cn_bitset_clear(open, pair->old_id);
    }
    return taken;
}

static void push_id(CnWorld *world, uint32_t id)
{
    world->free_components.items[world->free_components.count++] = id;
}

/* Highest first, so that the lowest is used first. */
static void push_ids(CnWorld *world, const CnBitSet *ids, uint32_t begin, uint32_t end)
{
    for (uint32_t id = end; id-- > begin;)
        if (cn_bitset_has(ids, id))
            push_id(world, id);
}

/* Lists the free ids so that what is made next gets its old id, tags first, and what is made later
 * the ids that the saved world would have given it. */
static void list_as_saved(const Saved *saved, CnWorld *world, CnBitSet *open, CnBitSet *listed)
{
    for (uint32_t i = 0; i < saved->free_id_count; i++) {
        uint32_t id = cn_load_u32(saved->free_ids + (size_t)i * sizeof id);
        if (!cn_bitset_has(open, id))
            continue;
        cn_bitset_clear(open, id);
        cn_bitset_set(listed, id);
    }
    push_ids(world, open, 1,
             saved->id_end < world->components.count ? saved->id_end : world->components.count);
    push_ids(world, open, saved->id_end, world->components.count);
    for (uint32_t i = 0; i < saved->free_id_count; i++) {
        uint32_t id = cn_load_u32(saved->free_ids + (size_t)i * sizeof id);
        if (cn_bitset_has(listed, id))
            push_id(world, id);
        cn_bitset_clear(listed, id);
    }
    for (uint32_t i = saved->pairs.count; i-- > 0;)
        if (!saved->pairs.items[i].id)
            push_id(world, saved->pairs.items[i].old_id);
    for (uint32_t i = saved->components.count; i-- > 0;)
        if (needs_tag(world, &saved->components.items[i]))
            push_id(world, saved->components.items[i].any_tag);
}

/* Fills `open` with the ids that nobody has. */
static void find_open_ids(const CnWorld *world, CnBitSet *open)
{
    for (uint32_t id = 1; id < world->components.count; id++)
        if (!world->components.items[id].info.name)
            cn_bitset_set(open, id);
}

static bool arrange_ids(const Saved *saved, CnWorld *world)
{
    uint32_t end = end_of_old_ids(saved, world);
    CnBitSet open, listed;
    cn_bitset_init(&open, world->allocator);
    cn_bitset_init(&listed, world->allocator);
    bool good =
        extend_components(world, end > world->components.count ? end : world->components.count) &&
        cn_bitset_reserve(&open, world->components.count + 1) &&
        cn_bitset_reserve(&listed, world->components.count + 1);
    if (good) {
        world->free_components.count = 0;
        find_open_ids(world, &open);
        if (end && take_old_ids(saved, world, &open)) {
            list_as_saved(saved, world, &open, &listed);
        } else { /* at least their order stays */
            find_open_ids(world, &open);
            push_ids(world, &open, 1, world->components.count);
        }
    }
    cn_bitset_fini(&open);
    cn_bitset_fini(&listed);
    return good;
}

/* ---- Making them ---- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Makes a pair the newest one of its target. */
static bool link_pair(CnWorld *world, uint32_t id)
{
    Component *pair = &world->components.items[id];
    const uint32_t *head = cn_hash_map_get(&world->pair_heads, pair->info.pair_target.id);
    pair->next_pair = head ? *head : 0;
    return cn_hash_map_set(&world->pair_heads, pair->info.pair_target.id, &id) != NULL;
}

/* Links the pairs of each target in the order in which they were made. The world's own, which the
 * data does not know, count as the oldest. */
static bool link_pairs(const Saved *saved, CnWorld *world, const CnBitSet *kept)
{
    uint32_t count = saved->pairs.count;
    CnBitSet own;
    cn_bitset_init(&own, world->allocator);
    uint64_t *order = cn_alloc(world->allocator, count * sizeof *order);
    bool good = cn_bitset_copy(&own, kept) && (order || !count);
    for (uint32_t i = 0; i < count && good; i++) {
        cn_bitset_clear(&own, saved->pairs.items[i].id);
        order[i] = (uint64_t)saved->pairs.items[i].age << 32 | i;
    }
    if (good && count)
        qsort(order, count, sizeof *order, compare_keys);
    cn_hash_map_clear(&world->pair_heads);
    for (uint32_t id = cn_bitset_next(&own, 0); id != CN_BITSET_NONE && good;
         id = cn_bitset_next(&own, id + 1))
        good = link_pair(world, id);
    for (uint32_t i = 0; i < count && good; i++)
        good = link_pair(world, saved->pairs.items[(uint32_t)order[i]].id);
    cn_free(world->allocator, order, count * sizeof *order);
    cn_bitset_fini(&own);
    return good;
}

bool cni_saved_apply_pairs(const Saved *saved, CnWorld *world, const CnBitSet *kept)
{
    if (!cni_pairs_drop(world, kept) || !arrange_ids(saved, world))
        return false;
    for (uint32_t i = 0; i < saved->components.count; i++) {
        const SavedComponent *component = &saved->components.items[i];
        if (component->is_kind && !cn_pair_any(world, (CnComponent){component->id}).id)
            return false;
    }
    for (uint32_t i = 0; i < saved->pairs.count; i++) {
        SavedPair *pair = &saved->pairs.items[i];
        CnComponent kind = {saved->components.items[pair->kind].id};
        if (!pair->id)
            pair->id = cn_pair(world, kind, pair->target).id;
        if (!pair->id)
            return false;
    }
    return link_pairs(saved, world, kept);
}

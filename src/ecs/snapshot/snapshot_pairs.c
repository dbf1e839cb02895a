#include "ecs/snapshot/snapshot_format.h"

/* ---- Pairs of the world that remain ---- */

/* Pairs whose target is in the data remain, because queries may refer to them. Which entities have
 * them is in the data. */
static bool match_pair(CniEcsSavedWorld *saved, const CnWorld *world, const CnHashMap *keys,
                       uint32_t id, CnBitSet *retained, uint32_t *released)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    const uint32_t *found =
        cn_hash_map_get(keys, cni_ecs_pair_key(info->pair_kind.id, info->pair_target));
    CniEcsSavedPair *pair = found ? &saved->pairs.items[*found] : NULL;
    bool same = pair && pair->target.id == info->pair_target.id &&
                saved->components.items[pair->kind].id == info->pair_kind.id;
    /* Two pairs that share a key cannot both exist. */
    if ((pair && !same) || !cni_ecs_saved_is_alive(saved, info->pair_target)) {
        ++*released;
        return true;
    }
    if (pair)
        pair->id = id;
    return cn_bitset_set(retained, id);
}

bool cni_ecs_saved_match_pairs(CniEcsSavedWorld *saved, const CnWorld *world, CnBitSet *retained,
                               uint32_t *released, CnError *error)
{
    CnHashMap keys;
    cn_hash_map_init_keyed(&keys, saved->allocator, sizeof(uint32_t));
    bool good = true, unique = true;
    for (uint32_t i = 0; i < saved->pairs.count && good && unique; i++) {
        const CniEcsSavedPair *pair = &saved->pairs.items[i];
        uint64_t key = cni_ecs_pair_key(saved->components.items[pair->kind].id, pair->target);
        unique = !cn_hash_map_get(&keys, key);
        good = cn_hash_map_set(&keys, key, &i) != NULL;
    }
    for (uint32_t id = 1; id < world->components.count && good && unique; id++)
        if (world->components.items[id].info.pair_kind.id)
            good = match_pair(saved, world, &keys, id, retained, released);
    cn_hash_map_fini(&keys);
    if (!unique)
        return cn_error_set(error, CN_ERROR_FORMAT, "snapshot: two pairs share a key");
    return good || cn_error_memory(error, "loading");
}

static bool enter_pair(CnWorld *world, uint32_t id)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    const uint32_t none = 0;
    if (!cn_hash_map_set(&world->pairs, cni_ecs_pair_key(info->pair_kind.id, info->pair_target),
                         &id) ||
        !cn_bitset_set(&world->pair_targets, cn_entity_index(info->pair_target)) ||
        (!cn_hash_map_get(&world->first_pairs, info->pair_target.id) &&
         !cn_hash_map_set(&world->first_pairs, info->pair_target.id, &none)))
        return false;
    cni_ecs_pair_link(world, id);
    return true;
}

bool cni_ecs_pairs_drop(CnWorld *world, const CnBitSet *retained)
{
    bool entered = true;
    cn_hash_map_clear(&world->pairs);
    cn_hash_map_clear(&world->first_pairs);
    cn_bitset_clear_all(&world->pair_targets);
    world->has_stale_pairs = false;
    for (uint32_t id = 1; id < world->components.count; id++) {
        uint32_t kind = world->components.items[id].info.pair_kind.id;
        if (!kind)
            continue;
        if (retained && cn_bitset_has(retained, id)) {
            entered = entered && enter_pair(world, id);
            continue;
        }
        cn_bitset_clear(&world->components.items[kind].pairs, id);
        cni_ecs_queries_pair_died(world, id);
        cni_ecs_component_release(world, id);
    }
    return entered;
}

bool cni_ecs_saved_apply_pairs(const CniEcsSavedWorld *saved, CnWorld *world,
                               const CnBitSet *retained)
{
    if (!cni_ecs_pairs_drop(world, retained))
        return false;
    for (uint32_t i = 0; i < saved->components.count; i++) {
        const CniEcsSavedComponent *component = &saved->components.items[i];
        if (component->is_kind && !cn_pair_any(world, (CnComponent){component->id}).id)
            return false;
    }
    for (uint32_t i = 0; i < saved->pairs.count; i++) {
        CniEcsSavedPair *pair = &saved->pairs.items[i];
        CnComponent kind = {saved->components.items[pair->kind].id};
        if (!pair->id)
            pair->id = cn_pair(world, kind, pair->target).id;
        if (!pair->id)
            return false;
    }
    return true;
}

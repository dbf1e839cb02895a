#include "check_world_parts.h"

/* ---- Components and their index ---- */

static uint32_t expected_tick(const CnWorld *world, const CniEcsArchetype *archetype,
                              const CniEcsColumn *column)
{
    bool tracked = world->components.items[column->component].info.flags & CN_COMPONENT_TRACKED;
    return (uint32_t)(column - archetype->columns) | (tracked ? CNI_ECS_TRACKED_COLUMN : 0);
}

/* The index lists the archetypes that have the component, in the order of the world. */
static bool check_index(const CnWorld *world, uint32_t id)
{
    const CniEcsComponent *component = &world->components.items[id];
    uint32_t n = 0;
    for (uint32_t a = 0; a < world->archetypes.count; a++) {
        const CniEcsArchetype *archetype = world->archetypes.items[a];
        if (!cni_ecs_archetype_has(archetype, id))
            continue;
        REQUIRE(n < component->archetypes.count, "archetype %u is not in the index of %s", a,
                component->info.name);
        const CniEcsArchetypeRef *ref = &component->archetypes.items[n++];
        const CniEcsColumn *column = cni_ecs_archetype_column(archetype, id);
        REQUIRE(ref->archetype == archetype, "the index of %s is out of order",
                component->info.name);
        REQUIRE(ref->column.prefix == (column ? column->prefix : CNI_ECS_ABSENT) &&
                    (!column || ref->column.tick == expected_tick(world, archetype, column)),
                "the index of %s has a wrong column", component->info.name);
    }
    REQUIRE(n == component->archetypes.count, "the index of %s lists %u archetypes, %u have it",
            component->info.name, component->archetypes.count, n);
    return true;
}

static bool check_resources(const CnWorld *world)
{
    uint32_t with_resource = 0;
    for (uint32_t id = 1; id < world->components.count; id++)
        with_resource += world->components.items[id].resource != NULL;
    REQUIRE(with_resource == world->resources.count, "%u resources are listed, %u exist",
            world->resources.count, with_resource);
    for (uint32_t i = 0; i < world->resources.count; i++) {
        const CniEcsComponent *component = cni_ecs_component_get(world, world->resources.items[i]);
        REQUIRE(component && component->resource, "resource %u does not exist",
                world->resources.items[i]);
        for (uint32_t j = 0; j < i; j++)
            REQUIRE(world->resources.items[i] != world->resources.items[j],
                    "resource %u is listed twice", world->resources.items[i]);
    }
    return true;
}

static bool check_free_components(const CnWorld *world)
{
    for (uint32_t i = 0; i < world->free_components.count; i++) {
        uint32_t id = world->free_components.items[i];
        REQUIRE(id && id < world->components.count && !world->components.items[id].info.name,
                "component %u is free and in use", id);
        for (uint32_t j = 0; j < i; j++)
            REQUIRE(world->free_components.items[j] != id, "component %u is free twice", id);
        for (uint32_t k = 1; k < world->components.count; k++)
            REQUIRE(!cn_bitset_has(&world->components.items[k].pairs, id),
                    "free component %u is listed as a pair of %u", id, k);
    }
    REQUIRE(world->free_components.capacity + 1 >= world->components.count,
            "there is no room for freed components");
    return true;
}

bool check_components(const CnWorld *world)
{
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        if (!component->info.name) {
            REQUIRE(!component->archetypes.count && !component->resource && !component->channel,
                    "free component %u holds something", id);
            continue;
        }
        REQUIRE(!component->channel || component->channel->component.id == id,
                "the channel of %s is another's", component->info.name);
        if (!check_index(world, id))
            return false;
        if (component->info.pair_kind.id || component->is_any_tag)
            continue;
        REQUIRE(cn_component_find(world, component->info.name).id == id, "%s is not found by name",
                component->info.name);
    }
    REQUIRE(world->head.component_by_slot == world->component_by_slot.items &&
                world->head.slot_count == world->component_by_slot.count,
            "inline functions read an old table of types");
    for (uint32_t slot = 0; slot < world->component_by_slot.count; slot++) {
        uint32_t id = world->component_by_slot.items[slot];
        REQUIRE(!id || cni_ecs_component_get(world, id),
                "type %u means component %u, which does not exist", slot, id);
    }
    return check_resources(world) && check_free_components(world);
}

/* ---- Pairs ---- */

static bool check_pair(const CnWorld *world, uint32_t id)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    uint32_t kind = info->pair_kind.id, index = cn_entity_index(info->pair_target);
    REQUIRE(cni_ecs_component_get(world, kind), "pair %u has no kind", id);
    REQUIRE(cn_bitset_has(&world->components.items[kind].pairs, id),
            "kind %u does not know its pair %u", kind, id);
    bool lives = cni_ecs_live_slot(world, info->pair_target) != NULL;
    REQUIRE(lives || world->has_stale_pairs, "the target of pair %u is dead", id);
    REQUIRE(!lives || cn_bitset_has(&world->pair_targets, index),
            "entity %u is not marked as a target", index);
    const uint32_t *found =
        cn_hash_map_get(&world->pairs, cni_ecs_pair_key(kind, info->pair_target));
    REQUIRE(found && *found == id, "pair %u is not found by its key", id);
    const uint32_t *next = cn_hash_map_get(&world->first_pairs, info->pair_target.id);
    uint32_t times = 0;
    for (uint32_t pair = next ? *next : 0, steps = 0; pair;
         pair = world->components.items[pair].next_pair, steps++) {
        REQUIRE(steps < world->components.count, "the pairs of entity %u form a ring", index);
        times += pair == id;
    }
    REQUIRE(times == 1, "pair %u is %u times in the list of its target", id, times);
    return true;
}

bool check_pairs(const CnWorld *world)
{
    uint32_t pairs = 0, listed = 0;
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        if (!component->info.name)
            continue;
        listed += cn_bitset_count(&component->pairs);
        if (component->any_tag && !component->info.pair_kind.id) {
            const CniEcsComponent *tag = cni_ecs_component_get(world, component->any_tag);
            REQUIRE(tag && tag->is_any_tag, "kind %s has no tag for its pairs",
                    component->info.name);
        }
        if (!component->info.pair_kind.id)
            continue;
        pairs++;
        if (!check_pair(world, id))
            return false;
    }
    REQUIRE(listed == pairs, "kinds list %u pairs, %u exist", listed, pairs);
    REQUIRE(world->pairs.count == pairs, "%u pairs have a key, %u exist", world->pairs.count,
            pairs);
    for (uint32_t i = 0; i < world->first_pairs.count; i++) {
        CnEntity target = {cn_hash_map_key(&world->first_pairs, i)};
        REQUIRE(world->has_stale_pairs || cni_ecs_live_slot(world, target),
                "a dead entity has a list of pairs");
    }
    return true;
}

/* ---- Queries ---- */

static bool check_matches(const CnWorld *world, const CnQuery *query, uint32_t n)
{
    const CniEcsQueryHead *head = &query->head;
    uint32_t m = 0;
    for (uint32_t a = 0; a < world->archetypes.count; a++) {
        const CniEcsArchetype *archetype = world->archetypes.items[a];
        if (archetype->is_trimmed || !cni_ecs_query_matches_archetype(query, archetype))
            continue;
        REQUIRE(m < head->match_count, "query %u misses archetype %u", n, a);
        const CniEcsQueryMatch *match = cni_ecs_match(head, m);
        REQUIRE(match->archetype == &archetype->head, "query %u has matches in another order", n);
        for (uint32_t t = 0; t < head->term_count; t++) {
            const CniEcsQueryColumn *seen = &cni_ecs_match_columns(match)[t];
            const CniEcsColumn *column = cni_ecs_archetype_column(archetype, query->term_ids[t]);
            REQUIRE(seen->prefix == (column ? column->prefix : CNI_ECS_ABSENT) &&
                        (!column || seen->tick == expected_tick(world, archetype, column)),
                    "query %u has a wrong column for archetype %u", n, a);
        }
        m++;
    }
    REQUIRE(m == head->match_count, "query %u has %u matches, %u match", n, head->match_count, m);
    return true;
}

/* A query is looked at from one place: a component it requires, or the list of those without. */
static bool check_anchor(const CnWorld *world, const CnQuery *query, uint32_t n)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < world->free_queries.count; i++)
        times += world->free_queries.items[i] == query;
    REQUIRE(!times || cn_bitset_is_empty(&query->all), "query %u is anchored nowhere", n);
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        for (uint32_t i = 0; i < component->queries.count; i++) {
            if (component->queries.items[i] != query)
                continue;
            times++;
            REQUIRE(cn_bitset_has(&query->all, id), "query %u is anchored at a stranger", n);
        }
    }
    /* One that required a pair with a dead target never matches again. */
    REQUIRE(times == !query->is_dead, "query %u has %u anchors", n, times);
    return true;
}

static bool names(const CnQuery *query, uint32_t id)
{
    return cn_bitset_has(&query->all, id) || cn_bitset_has(&query->any, id) ||
           cn_bitset_has(&query->none, id) || cn_bitset_has(&query->optional, id);
}

/* It names what exists, and the pairs that it names know it. */
static bool check_terms(const CnWorld *world, const CnQuery *query, uint32_t n)
{
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        uint32_t times = 0;
        for (uint32_t i = 0; i < component->named_by.count; i++)
            times += component->named_by.items[i] == query;
        bool expected = names(query, id) && component->info.pair_kind.id;
        REQUIRE(!names(query, id) || component->info.name, "query %u names a free component", n);
        REQUIRE(times == expected, "pair %u knows query %u %u times", id, n, times);
    }
    return true;
}

static bool check_hash(const CnWorld *world, const CnQuery *query, uint32_t n)
{
    CnQuery *const *first = cn_hash_map_get(&world->query_by_hash, query->hash);
    uint32_t times = 0;
    for (const CnQuery *found = first ? *first : NULL; found; found = found->next_same_hash)
        times += found == query;
    REQUIRE(times == query->is_hashed, "query %u is found %u times by its hash", n, times);
    return true;
}

bool check_queries(const CnWorld *world)
{
    uint32_t hashed = 0, found = 0;
    for (uint32_t i = 0; i < world->query_by_hash.count; i++) {
        CnQuery *const *first =
            cn_hash_map_get(&world->query_by_hash, cn_hash_map_key(&world->query_by_hash, i));
        for (const CnQuery *query = *first; query; query = query->next_same_hash)
            found++;
    }
    for (uint32_t n = 0; n < world->queries.count; n++) {
        const CnQuery *query = world->queries.items[n];
        hashed += query->is_hashed;
        REQUIRE(query->place == n && query->references, "query %u is listed wrongly", n);
        if (!check_hash(world, query, n) || !check_matches(world, query, n) ||
            !check_anchor(world, query, n) || !check_terms(world, query, n))
            return false;
    }
    REQUIRE(found == hashed, "%u queries are found by their hash, %u should be", found, hashed);
    return true;
}

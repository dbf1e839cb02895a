#include "ecs/world/world_internal.h"

/* ---- Descriptions ---- */

typedef struct Masks {
    CnBitSet all, any, none, optional, access, write;
} Masks;

static void masks_init(Masks *masks, CnAllocator *allocator)
{
    cn_bitset_init(&masks->all, allocator);
    cn_bitset_init(&masks->any, allocator);
    cn_bitset_init(&masks->none, allocator);
    cn_bitset_init(&masks->optional, allocator);
    cn_bitset_init(&masks->access, allocator);
    cn_bitset_init(&masks->write, allocator);
}

static void masks_fini(Masks *masks)
{
    cn_bitset_fini(&masks->all);
    cn_bitset_fini(&masks->any);
    cn_bitset_fini(&masks->none);
    cn_bitset_fini(&masks->optional);
    cn_bitset_fini(&masks->access);
    cn_bitset_fini(&masks->write);
}

static bool masks_copy(Masks *masks, const CnQuery *query)
{
    return cn_bitset_copy(&masks->all, &query->all) && cn_bitset_copy(&masks->any, &query->any) &&
           cn_bitset_copy(&masks->none, &query->none) &&
           cn_bitset_copy(&masks->optional, &query->optional) &&
           cn_bitset_copy(&masks->access, &query->access) &&
           cn_bitset_copy(&masks->write, &query->write);
}

/* The terms of a query as described, so that views can find columns by C type. */
typedef struct Terms {
    uint32_t ids[CN_MAX_TERMS * 4];
    const CnType *types[CN_MAX_TERMS * 4];
    uint32_t count;
} Terms;

bool cni_ecs_access_exists(CnAccess access)
{
    CN_ASSERT((unsigned)access <= CN_ACCESS_WRITE, "invalid access %d", (int)access);
    return (unsigned)access <= CN_ACCESS_WRITE;
}

static bool add_term(CnWorld *world, Masks *masks, Terms *terms, CnBitSet *set, const CnTerm *term,
                     CnError *error)
{
    uint32_t id = cni_ecs_term_component(world, term, error);
    if (!id)
        return false;
    if (!cni_ecs_access_exists(term->access))
        return cn_error_set(error, CN_ERROR_FORMAT, "a query has an invalid access");
    if (!cn_bitset_set(set, id) ||
        (term->access == CN_ACCESS_WRITE && !cn_bitset_set(&masks->write, id)))
        return cn_error_memory(error, "a query");
    if (term->access == CN_ACCESS_NONE || set == &masks->none ||
        !world->components.items[id].info.size)
        return true;
    if (!cn_bitset_set(&masks->access, id))
        return cn_error_memory(error, "a query");
    for (uint32_t i = 0; i < terms->count; i++)
        if (terms->ids[i] == id)
            return true;
    if (terms->count == CN_COUNT_OF(terms->ids))
        return cn_error_set(error, CN_ERROR_LIMIT, "a query has more than %u terms", terms->count);
    terms->ids[terms->count] = id;
    terms->types[terms->count++] = term->type;
    return true;
}

static bool add_terms(CnWorld *world, Masks *masks, Terms *terms, CnBitSet *set, const CnTerm *list,
                      uint32_t count, CnError *error)
{
    for (uint32_t i = 0; i < count && (list[i].type || list[i].component.id); i++)
        if (!add_term(world, masks, terms, set, &list[i], error))
            return false;
    return true;
}

static uint64_t hash_masks(const Masks *masks)
{
    uint64_t hash = cn_bitset_hash(&masks->all);
    hash = cn_hash_mix(hash ^ (uint64_t)cn_bitset_hash(&masks->none) << 32);
    hash = cn_hash_mix(hash ^ cn_bitset_hash(&masks->any));
    hash = cn_hash_mix(hash ^ (uint64_t)cn_bitset_hash(&masks->optional) << 32);
    hash = cn_hash_mix(hash ^ cn_bitset_hash(&masks->access));
    return cn_hash_mix(hash ^ (uint64_t)cn_bitset_hash(&masks->write) << 32);
}

static bool masks_equal(const CnQuery *query, const Masks *masks)
{
    return cn_bitset_equals(&query->all, &masks->all) &&
           cn_bitset_equals(&query->any, &masks->any) &&
           cn_bitset_equals(&query->none, &masks->none) &&
           cn_bitset_equals(&query->optional, &masks->optional) &&
           cn_bitset_equals(&query->access, &masks->access) &&
           cn_bitset_equals(&query->write, &masks->write);
}

static CnQuery *find_query(const CnWorld *world, const Masks *masks, uint64_t hash)
{
    CnQuery *const *first = cn_hash_map_get(&world->query_by_hash, hash);
    for (CnQuery *query = first ? *first : NULL; query; query = query->next_same_hash)
        if (masks_equal(query, masks))
            return query;
    return NULL;
}

/* One block holds the query and its terms. */
static uint32_t query_class(uint32_t terms)
{
    size_t far_terms = terms > CNI_ECS_INLINE_TERMS ? terms : 0;
    return cni_ecs_block_class(sizeof(CnQuery) + far_terms * (sizeof(CnType *) + sizeof(uint32_t)));
}

static void free_sets(CnQuery *query)
{
    cn_bitset_fini(&query->all);
    cn_bitset_fini(&query->any);
    cn_bitset_fini(&query->none);
    cn_bitset_fini(&query->optional);
    cn_bitset_fini(&query->access);
    cn_bitset_fini(&query->write);
}

static void query_free(CnWorld *world, CnQuery *query)
{
    cni_ecs_query_release_matches(query);
    free_sets(query);
    cni_ecs_block_release(&world->core_blocks, query, query_class(query->head.term_count));
}

static CnQuery *query_alloc(CnWorld *world, const Terms *terms)
{
    CnQuery *query = cni_ecs_block_acquire(&world->core_blocks, query_class(terms->count));
    if (!query)
        return NULL;
    memset(query, 0, sizeof *query);
    CniEcsQueryHead *head = &query->head;
    query->world = world;
    head->world = &world->head;
    head->term_count = terms->count;
    bool is_small = terms->count <= CNI_ECS_INLINE_TERMS;
    head->term_types = is_small ? query->inline_types : (const CnType **)(void *)(query + 1);
    query->term_ids =
        is_small ? query->inline_ids : (uint32_t *)(void *)(head->term_types + terms->count);
    memcpy(head->term_types, terms->types, terms->count * sizeof *head->term_types);
    memcpy(query->term_ids, terms->ids, terms->count * sizeof *query->term_ids);
    return query;
}

/* Returns the component of `all` with the fewest archetypes, or 0 if `all` is empty. The search
 * starts from these archetypes, and new archetypes find the query there. */
static uint32_t rarest_component(const CnWorld *world, const CnBitSet *all)
{
    uint32_t rarest = 0;
    for (uint32_t id = cn_bitset_next(all, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(all, id + 1))
        if (!rarest || world->components.items[id].archetypes.count <
                           world->components.items[rarest].archetypes.count)
            rarest = id;
    return rarest;
}

/* Restores the types after cni_ecs_queries_forget_types. */
static void resolve_types(CnQuery *query, const Terms *terms)
{
    for (uint32_t i = 0; i < query->head.term_count; i++)
        for (uint32_t t = 0; t < terms->count && !query->head.term_types[i]; t++)
            if (terms->ids[t] == query->term_ids[i])
                query->head.term_types[i] = terms->types[t];
}

void cni_ecs_query_resolve_types(CnQuery *query, const CnQueryDesc *desc)
{
    const CnTerm *lists[] = {desc->all, desc->any, desc->optional};
    for (uint32_t l = 0; l < CN_COUNT_OF(lists); l++)
        for (uint32_t i = 0; i < CN_MAX_TERMS && (lists[l][i].type || lists[l][i].component.id);
             i++) {
            const CnType *type = lists[l][i].type;
            uint32_t id = type ? cn_component_of(query->world, type).id : 0;
            for (uint32_t t = 0; id && t < query->head.term_count; t++)
                if (query->term_ids[t] == id)
                    query->head.term_types[t] = type;
        }
}

/* ---- Where a query is listed ---- */

static void remove_from(CnQuery **items, uint32_t *count, const CnQuery *query)
{
    for (uint32_t i = 0; i < *count; i++)
        if (items[i] == query) {
            items[i] = items[--*count];
            return;
        }
}

/* Registers the query where new archetypes find it. */
static bool enter_anchor(CnWorld *world, CnQuery *query)
{
    query->is_listed = query->anchor
                           ? cn_array_push(&world->components.items[query->anchor].queries, query)
                           : cn_array_push(&world->free_queries, query);
    return query->is_listed;
}

static void leave_anchor(CnWorld *world, CnQuery *query)
{
    CniEcsComponent *anchor = &world->components.items[query->anchor];
    if (query->is_listed && query->anchor)
        remove_from(anchor->queries.items, &anchor->queries.count, query);
    else if (query->is_listed)
        remove_from(world->free_queries.items, &world->free_queries.count, query);
    query->is_listed = false;
}

static bool enter_hash(CnWorld *world, CnQuery *query)
{
    CnQuery **first = cn_hash_map_get(&world->query_by_hash, query->hash);
    if (first) {
        query->next_same_hash = *first;
        *first = query;
    }
    query->is_hashed = first || cn_hash_map_set(&world->query_by_hash, query->hash, &query);
    return query->is_hashed;
}

static void leave_hash(CnWorld *world, CnQuery *query)
{
    if (!query->is_hashed)
        return;
    query->is_hashed = false;
    CnQuery **at = cn_hash_map_get(&world->query_by_hash, query->hash);
    CN_ASSERT(at && *at, "a query is not found by its hash");
    if (*at == query && !query->next_same_hash) {
        cn_hash_map_remove(&world->query_by_hash, query->hash);
        return;
    }
    while (*at != query)
        at = &(*at)->next_same_hash;
    *at = query->next_same_hash;
}

/* Returns the next pair that the query refers to, from `id` on; 0 if there are no more. */
static uint32_t next_named_pair(const CnWorld *world, const CnQuery *query, uint32_t id)
{
    const CnBitSet *sets[] = {&query->all, &query->any, &query->none, &query->optional};
    uint32_t next;
    do {
        next = CN_BITSET_NONE;
        for (uint32_t s = 0; s < CN_COUNT_OF(sets); s++) {
            uint32_t candidate = cn_bitset_next(sets[s], id);
            next = candidate < next ? candidate : next;
        }
        id = next + 1;
    } while (next != CN_BITSET_NONE && !world->components.items[next].info.pair_kind.id);
    return next == CN_BITSET_NONE ? 0 : next;
}

static bool enter_pairs(CnWorld *world, CnQuery *query)
{
    for (uint32_t id = 1; (id = next_named_pair(world, query, id)); id++)
        if (!cn_array_push(&world->components.items[id].named_by, query))
            return false;
    return true;
}

static void leave_pairs(CnWorld *world, const CnQuery *query)
{
    for (uint32_t id = 1; (id = next_named_pair(world, query, id)); id++) {
        CniEcsComponent *pair = &world->components.items[id];
        remove_from(pair->named_by.items, &pair->named_by.count, query);
    }
}

static void leave_lists(CnWorld *world, CnQuery *query)
{
    leave_anchor(world, query);
    leave_hash(world, query);
    leave_pairs(world, query);
}

/* ---- Acquiring ---- */

static CnQuery *acquire(CnQuery *query)
{
    __atomic_fetch_add(&query->references, 1, __ATOMIC_RELAXED);
    return query;
}

/* Takes ownership of the masks, also on failure. */
static CnQuery *make_query(CnWorld *world, Masks *masks, const Terms *terms, CnError *error)
{
    uint64_t hash = hash_masks(masks);
    CnQuery *query = find_query(world, masks, hash);
    if (query) {
        masks_fini(masks);
        resolve_types(query, terms);
        return acquire(query);
    }
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave creates a query; create it before");
    query = query_alloc(world, terms);
    if (!query) {
        masks_fini(masks);
        cn_error_memory(error, "a query");
        return NULL;
    }
    query->all = masks->all;
    query->any = masks->any;
    query->none = masks->none;
    query->optional = masks->optional;
    query->access = masks->access;
    query->write = masks->write;
    query->hash = hash;
    query->anchor = rarest_component(world, &query->all);
    cni_ecs_query_cache_masks(query);
    if (!cni_ecs_query_match_existing(world, query, query->anchor) ||
        !cn_array_reserve(&world->queries, (uint64_t)world->queries.count + 1) ||
        !enter_anchor(world, query) || !enter_hash(world, query) || !enter_pairs(world, query)) {
        leave_lists(world, query);
        query_free(world, query);
        cn_error_memory(error, "a query");
        return NULL;
    }
    query->place = world->queries.count;
    world->queries.items[world->queries.count++] = query;
    return acquire(query);
}

CnQuery *cn_query_acquire(CnWorld *world, const CnQueryDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    Masks masks;
    Terms terms = {.count = 0};
    masks_init(&masks, world->allocator);
    if (!add_terms(world, &masks, &terms, &masks.all, desc->all, CN_MAX_TERMS, error) ||
        !add_terms(world, &masks, &terms, &masks.any, desc->any, CN_MAX_TERMS, error) ||
        !add_terms(world, &masks, &terms, &masks.none, desc->none, CN_MAX_TERMS, error) ||
        !add_terms(world, &masks, &terms, &masks.optional, desc->optional, CN_MAX_TERMS, error)) {
        masks_fini(&masks);
        return NULL;
    }
    return make_query(world, &masks, &terms, error);
}

enum Part { PART_ALL, PART_NONE, PART_ANY };

static CnQuery *compose(CnQuery *query, enum Part part, const CnTerm *list, uint32_t count,
                        CnError *error)
{
    CnWorld *world = query->world;
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CN_ASSERT(query->references, "the query was released");
    if (query->is_dead)
        return acquire(query); /* a query that matches nothing does so with one more term */
    Masks masks;
    Terms terms = {.count = 0};
    for (uint32_t i = 0; i < query->head.term_count; i++) {
        if (!query->term_ids[i])
            continue; /* a pair whose target died */
        terms.ids[terms.count] = query->term_ids[i];
        terms.types[terms.count++] = query->head.term_types[i];
    }
    masks_init(&masks, world->allocator);
    CnBitSet *set = part == PART_ALL ? &masks.all : part == PART_NONE ? &masks.none : &masks.any;
    if (!masks_copy(&masks, query)) {
        masks_fini(&masks);
        cn_error_memory(error, "a query");
        return NULL;
    }
    if (!add_terms(world, &masks, &terms, set, list, count, error)) {
        masks_fini(&masks);
        return NULL;
    }
    return make_query(world, &masks, &terms, error);
}

CnQuery *cn_query_and(CnQuery *query, CnTerm term, CnError *error)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    return compose(query, PART_ALL, &term, 1, error);
}

CnQuery *cn_query_not(CnQuery *query, CnTerm term, CnError *error)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    return compose(query, PART_NONE, &term, 1, error);
}

CnQuery *cn_query_or(CnQuery *query, const CnTerm *terms, uint32_t count, CnError *error)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    return compose(query, PART_ANY, terms, count, error);
}

/* ---- Releasing ---- */

#ifdef CN_GUARDS
/* Code that still uses the query finds a world that never matches: see cn_query_iter and
 * cn_query_next. */
static void quarantine(CnWorld *world, CnQuery *query)
{
    CnQuery **place = &world->released_queries[world->next_released++ % CNI_ECS_RELEASED_QUERIES];
    if (*place)
        query_free(world, *place);
    *place = query;
    world->released_head.structure = world->head.structure ^ 0x80000000u;
    cni_ecs_query_match_nothing(query);
    free_sets(query);
    query->head.world = &world->released_head;
}

static void free_quarantined(CnWorld *world)
{
    for (uint32_t i = 0; i < CNI_ECS_RELEASED_QUERIES; i++)
        if (world->released_queries[i])
            query_free(world, world->released_queries[i]);
}
#else
static void quarantine(CnWorld *world, CnQuery *query)
{
    query_free(world, query);
}

static void free_quarantined(CnWorld *world)
{
    (void)world;
}
#endif

void cn_query_release(CnQuery *query)
{
    if (!query)
        return;
    CN_ASSERT(query->references, "a query is released more often than it was acquired");
    if (!query->references || __atomic_sub_fetch(&query->references, 1, __ATOMIC_RELAXED))
        return;
    CnWorld *world = query->world;
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave releases a query");
    leave_lists(world, query);
    CnQuery *last = world->queries.items[--world->queries.count];
    last->place = query->place;
    world->queries.items[query->place] = last;
    quarantine(world, query);
}

/* ---- Pairs that end ---- */

static void disable_query(CnWorld *world, CnQuery *query)
{
    leave_lists(world, query);
    free_sets(query);
    cni_ecs_query_match_nothing(query);
    query->is_dead = true;
    memset(query->term_ids, 0, query->head.term_count * sizeof *query->term_ids);
}

static void drop_term(CnQuery *query, uint32_t id)
{
    cn_bitset_clear(&query->any, id);
    cn_bitset_clear(&query->none, id);
    cn_bitset_clear(&query->optional, id);
    cn_bitset_clear(&query->access, id);
    cn_bitset_clear(&query->write, id);
    for (uint32_t t = 0; t < query->head.term_count; t++)
        if (query->term_ids[t] == id)
            query->term_ids[t] = 0; /* no archetype has component 0, so its columns stay absent */
    cni_ecs_query_cache_masks(query);
}

/* The id may be reused for another pair, and a lookup of that pair must not find this query. */
static void rewrite(CnWorld *world, CnQuery *query, uint32_t pair)
{
    bool was_any = cn_bitset_has(&query->any, pair);
    leave_hash(world, query);
    if (cn_bitset_has(&query->all, pair)) {
        disable_query(world, query);
        return;
    }
    drop_term(query, pair);
    if (was_any && cn_bitset_is_empty(&query->any))
        disable_query(world, query);
}

void cni_ecs_queries_pair_died(CnWorld *world, uint32_t pair)
{
    CniEcsComponent *component = &world->components.items[pair];
    while (component->named_by.count)
        rewrite(world, component->named_by.items[--component->named_by.count], pair);
}

void cni_ecs_queries_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->queries.count; i++)
        query_free(world, world->queries.items[i]);
    free_quarantined(world);
    cn_array_fini(&world->queries);
    cn_array_fini(&world->free_queries);
    cn_array_fini(&world->matching);
    cn_array_fini(&world->new_columns);
    cn_hash_map_fini(&world->query_by_hash);
}

void cni_ecs_queries_forget_types(CnWorld *world)
{
    for (uint32_t i = 0; i < world->queries.count; i++)
        memset(world->queries.items[i]->head.term_types, 0,
               world->queries.items[i]->head.term_count * sizeof(CnType *));
}

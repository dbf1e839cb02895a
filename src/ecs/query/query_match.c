#include "ecs/world/world_internal.h"

/* ---- Matching ---- */

static bool words_contain(const CniEcsArchetype *archetype, const CnBitSet *set)
{
    for (uint32_t i = 0; i < set->word_count; i++) {
        uint64_t have = i < archetype->word_count ? archetype->words[i] : 0;
        if (set->words[i] & ~have)
            return false;
    }
    return true;
}

static bool words_overlap(const CniEcsArchetype *archetype, const CnBitSet *set)
{
    uint32_t count =
        set->word_count < archetype->word_count ? set->word_count : archetype->word_count;
    for (uint32_t i = 0; i < count; i++)
        if (set->words[i] & archetype->words[i])
            return true;
    return false;
}

static bool matches_sets(const CnQuery *query, const CniEcsArchetype *archetype)
{
    return words_contain(archetype, &query->all) && !words_overlap(archetype, &query->none) &&
           (!query->has_any || words_overlap(archetype, &query->any));
}

/* `have` contains the first words of the archetype's mask, padded with zeros. */
static inline bool matches_words(const CnQuery *query, const uint64_t have[CNI_ECS_MASK_WORDS])
{
    uint64_t any = 0, wrong = 0;
    for (uint32_t i = 0; i < CNI_ECS_MASK_WORDS; i++)
        wrong |= (have[i] & query->mask.named[i]) ^ query->mask.wanted[i];
    if (CN_LIKELY(!query->has_any))
        return !wrong;
    for (uint32_t i = 0; i < CNI_ECS_MASK_WORDS; i++)
        any |= query->mask.any[i] & have[i];
    return !wrong && any;
}

static void first_words(const CniEcsArchetype *archetype, uint64_t have[CNI_ECS_MASK_WORDS])
{
    for (uint32_t i = 0; i < CNI_ECS_MASK_WORDS; i++)
        have[i] = i < archetype->word_count ? archetype->words[i] : 0;
}

bool cni_ecs_query_matches_archetype(const CnQuery *query, const CniEcsArchetype *archetype)
{
    if (CN_UNLIKELY(query->mask_words > CNI_ECS_MASK_WORDS))
        return matches_sets(query, archetype);
    uint64_t have[CNI_ECS_MASK_WORDS];
    first_words(archetype, have);
    return matches_words(query, have);
}

static uint64_t word_of(const CnBitSet *set, uint32_t i)
{
    return i < set->word_count ? set->words[i] : 0;
}

void cni_ecs_query_cache_masks(CnQuery *query)
{
    const CnBitSet *sets[] = {&query->all, &query->none, &query->any};
    query->has_any = !cn_bitset_is_empty(&query->any);
    query->mask_words = 0;
    for (uint32_t s = 0; s < CN_COUNT_OF(sets); s++)
        for (uint32_t i = query->mask_words; i < sets[s]->word_count; i++)
            if (sets[s]->words[i])
                query->mask_words =
                    (uint8_t)(i < CNI_ECS_MASK_WORDS ? i + 1 : CNI_ECS_MASK_WORDS + 1);
    for (uint32_t i = 0; i < CNI_ECS_MASK_WORDS; i++) {
        uint64_t all = word_of(&query->all, i), none = word_of(&query->none, i);
        query->mask.named[i] = all ^ none; /* in both: wanted but not compared, never matches */
        query->mask.wanted[i] = all;
        query->mask.any[i] = word_of(&query->any, i);
    }
}

void cni_ecs_query_match_nothing(CnQuery *query)
{
    query->head.match_count = 0;
    query->matches_version++;
    cni_ecs_query_release_matches(query);
    query->mask_words = 1;
    query->has_any = false;
    memset(&query->mask, 0, sizeof query->mask);
    query->mask.wanted[0] = 1; /* component 0, which no archetype has */
}

static size_t match_bytes(const CniEcsQueryHead *head)
{
    return sizeof(CniEcsQueryMatch) + head->term_count * sizeof(CniEcsQueryColumn);
}

void cni_ecs_query_release_matches(CnQuery *query)
{
    if (query->match_capacity)
        cni_ecs_block_release(&query->world->core_blocks, query->head.matches, query->match_class);
    query->head.matches = NULL;
    query->match_capacity = 0;
}

/* A new archetype may make every query grow, so queries reserve room for several. */
static bool grow_matches(CnQuery *query, uint32_t matches)
{
    CniEcsQueryHead *head = &query->head;
    size_t bytes = match_bytes(head);
    uint32_t block_class = cni_ecs_block_class(matches * bytes);
    if (query->match_capacity && block_class < query->match_class + 2u)
        block_class = query->match_class + 2u;
    CniEcsQueryMatch *list = cni_ecs_block_acquire(&query->world->core_blocks, block_class);
    if (!list)
        return false;
    if (head->match_count)
        memcpy(list, head->matches, head->match_count * bytes);
    cni_ecs_query_release_matches(query);
    head->matches = list;
    query->matches_version++;
    query->match_capacity = (uint32_t)(((size_t)1 << block_class) / bytes);
    query->match_class = block_class;
    return true;
}

static inline bool reserve_matches(CnQuery *query, uint32_t matches)
{
    return CN_LIKELY(matches <= query->match_capacity) || grow_matches(query, matches);
}

bool cni_ecs_queries_reserve_match(CnWorld *world, CnQuery *const *queries, uint32_t count,
                                   const CniEcsArchetype *archetype)
{
    uint64_t have[CNI_ECS_MASK_WORDS];
    first_words(archetype, have);
    if (!cn_array_reserve(&world->matching, (uint64_t)world->matching.count + count))
        return false;
    CnQuery **matching = world->matching.items + world->matching.count;
    for (uint32_t i = 0; i < count; i++) {
        CnQuery *query = queries[i];
        if (!(CN_LIKELY(query->mask_words <= CNI_ECS_MASK_WORDS) ? matches_words(query, have)
                                                                 : matches_sets(query, archetype)))
            continue;
        if (!reserve_matches(query, query->head.match_count + 1))
            return false;
        *matching++ = query;
    }
    world->matching.count = (uint32_t)(matching - world->matching.items);
    return true;
}

void cni_ecs_queries_add_archetype(CnWorld *world, CniEcsArchetype *archetype)
{
    CniEcsQueryColumn *by_component = world->new_columns.items;
    for (uint32_t c = 0; c < archetype->column_count; c++)
        by_component[archetype->columns[c].component] =
            cni_ecs_archetype_query_column(world, archetype, c);
    for (uint32_t i = 0; i < world->matching.count; i++) {
        CnQuery *query = world->matching.items[i];
        CniEcsQueryMatch *match = cni_ecs_match(&query->head, query->head.match_count++);
        CniEcsQueryColumn *columns = cni_ecs_match_columns(match);
        query->matches_version++;
        match->archetype = &archetype->head;
        for (uint32_t t = 0; t < query->head.term_count; t++)
            columns[t] = by_component[query->term_ids[t]];
    }
    for (uint32_t c = 0; c < archetype->column_count; c++)
        by_component[archetype->columns[c].component] = (CniEcsQueryColumn){CNI_ECS_ABSENT, 0};
}

/* Adds an archetype that existed before the query. Room has been reserved. */
static void push_match(CnQuery *query, CniEcsArchetype *archetype)
{
    CniEcsQueryMatch *match = cni_ecs_match(&query->head, query->head.match_count++);
    CniEcsQueryColumn *columns = cni_ecs_match_columns(match);
    match->archetype = &archetype->head;
    for (uint32_t t = 0; t < query->head.term_count; t++) {
        const CniEcsColumn *column = cni_ecs_archetype_column(archetype, query->term_ids[t]);
        columns[t] = column ? cni_ecs_archetype_query_column(
                                  query->world, archetype, (uint32_t)(column - archetype->columns))
                            : (CniEcsQueryColumn){CNI_ECS_ABSENT, 0};
    }
}

void cni_ecs_queries_readd_archetype(CnWorld *world, CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i < world->matching.count; i++) {
        CnQuery *query = world->matching.items[i];
        CniEcsQueryHead *head = &query->head;
        uint32_t at = head->match_count;
        while (at && cni_ecs_match_archetype(query, at - 1)->serial > archetype->serial)
            at--;
        uint32_t behind = head->match_count - at;
        memmove(cni_ecs_match(head, at + 1), cni_ecs_match(head, at), behind * match_bytes(head));
        head->match_count = at;
        query->matches_version++;
        push_match(query, archetype);
        head->match_count += behind;
    }
}

static void leave(CnQuery *query, const CniEcsArchetype *archetype)
{
    CniEcsQueryHead *head = &query->head;
    uint32_t i = 0, end = head->match_count;
    while (end - i > 1) {
        uint32_t middle = i + (end - i) / 2;
        if (cni_ecs_match_archetype(query, middle)->serial <= archetype->serial)
            i = middle;
        else
            end = middle;
    }
    if (!head->match_count || cni_ecs_match_archetype(query, i) != archetype)
        return;
    head->match_count--;
    query->matches_version++;
    memmove(cni_ecs_match(head, i), cni_ecs_match(head, i + 1),
            (head->match_count - i) * match_bytes(head));
}

void cni_ecs_queries_remove_archetype(CnWorld *world, const CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i <= archetype->id_count; i++) {
        CnQuery **queries = world->free_queries.items;
        uint32_t count = world->free_queries.count;
        if (i < archetype->id_count) {
            queries = world->components.items[archetype->ids[i]].queries.items;
            count = world->components.items[archetype->ids[i]].queries.count;
        }
        for (uint32_t k = 0; k < count; k++)
            leave(queries[k], archetype);
    }
}

/* One word of each mask usually decides; the mask of a trimmed archetype is 0. */
static inline bool matches_ref(const CnQuery *query, const CniEcsArchetypeRef *ref)
{
    if (query->mask_words != 1)
        return !ref->archetype->is_trimmed &&
               cni_ecs_query_matches_archetype(query, ref->archetype);
    uint64_t have = ref->first_word;
    return (have & query->mask.named[0]) == query->mask.wanted[0] &&
           (!query->has_any || (query->mask.any[0] & have));
}

bool cni_ecs_query_match_existing(CnWorld *world, CnQuery *query, uint32_t anchor)
{
    if (!anchor) {
        for (uint32_t i = 0; i < world->archetypes.count; i++) {
            if (world->archetypes.items[i]->is_trimmed ||
                !cni_ecs_query_matches_archetype(query, world->archetypes.items[i]))
                continue;
            if (!reserve_matches(query, query->head.match_count + 1))
                return false;
            push_match(query, world->archetypes.items[i]);
        }
        return true;
    }
    const CniEcsComponent *component = &world->components.items[anchor];
    uint32_t matches = 0;
    for (uint32_t i = 0; i < component->archetypes.count; i++)
        matches += matches_ref(query, &component->archetypes.items[i]);
    if (!reserve_matches(query, matches))
        return false;
    CniEcsQueryHead *head = &query->head;
    bool single = head->term_count == 1 && query->term_ids[0] == anchor;
    for (uint32_t i = 0; i < component->archetypes.count; i++) {
        const CniEcsArchetypeRef *ref = &component->archetypes.items[i];
        if (!matches_ref(query, ref))
            continue;
        if (single) {
            CniEcsQueryMatch *match = cni_ecs_match(head, head->match_count++);
            match->archetype = &ref->archetype->head;
            *cni_ecs_match_columns(match) = ref->column;
        } else {
            push_match(query, ref->archetype);
        }
    }
    return true;
}

#include "store.h"

/* ---- Matching ---- */

static bool words_contain(const Archetype *archetype, const CnBitSet *set)
{
    for (uint32_t i = 0; i < set->word_count; i++) {
        uint64_t have = i < archetype->word_count ? archetype->words[i] : 0;
        if (set->words[i] & ~have)
            return false;
    }
    return true;
}

static bool words_overlap(const Archetype *archetype, const CnBitSet *set)
{
    uint32_t count =
        set->word_count < archetype->word_count ? set->word_count : archetype->word_count;
    for (uint32_t i = 0; i < count; i++)
        if (set->words[i] & archetype->words[i])
            return true;
    return false;
}

static bool matches_sets(const CnQuery *query, const Archetype *archetype)
{
    return words_contain(archetype, &query->all) && !words_overlap(archetype, &query->none) &&
           (!query->has_any || words_overlap(archetype, &query->any));
}

/* `have`: the archetype's first words, with zeros behind. */
static inline bool matches_words(const CnQuery *query, const uint64_t have[CNI_MASK_WORDS])
{
    uint64_t any = 0, wrong = 0;
    for (uint32_t i = 0; i < CNI_MASK_WORDS; i++)
        wrong |= (have[i] & query->mask.named[i]) ^ query->mask.wanted[i];
    if (CN_LIKELY(!query->has_any))
        return !wrong;
    for (uint32_t i = 0; i < CNI_MASK_WORDS; i++)
        any |= query->mask.any[i] & have[i];
    return !wrong && any;
}

static void first_words(const Archetype *archetype, uint64_t have[CNI_MASK_WORDS])
{
    for (uint32_t i = 0; i < CNI_MASK_WORDS; i++)
        have[i] = i < archetype->word_count ? archetype->words[i] : 0;
}

bool cni_query_matches_archetype(const CnQuery *query, const Archetype *archetype)
{
    if (CN_UNLIKELY(query->mask_words > CNI_MASK_WORDS))
        return matches_sets(query, archetype);
    uint64_t have[CNI_MASK_WORDS];
    first_words(archetype, have);
    return matches_words(query, have);
}

static uint64_t word_of(const CnBitSet *set, uint32_t i)
{
    return i < set->word_count ? set->words[i] : 0;
}

static void keep_words(CnQuery *query)
{
    const CnBitSet *sets[] = {&query->all, &query->none, &query->any};
    query->has_any = !cn_bitset_is_empty(&query->any);
    for (uint32_t s = 0; s < CN_COUNT_OF(sets); s++)
        for (uint32_t i = query->mask_words; i < sets[s]->word_count; i++)
            if (sets[s]->words[i])
                query->mask_words = (uint8_t)(i < CNI_MASK_WORDS ? i + 1 : CNI_MASK_WORDS + 1);
    for (uint32_t i = 0; i < CNI_MASK_WORDS; i++) {
        uint64_t all = word_of(&query->all, i), none = word_of(&query->none, i);
        query->mask.named[i] = all ^ none; /* in both: wanted but not looked at, never right */
        query->mask.wanted[i] = all;
        query->mask.any[i] = word_of(&query->any, i);
    }
}

static size_t match_bytes(const CniQueryHead *head)
{
    return sizeof(CniMatch) + head->term_count * sizeof(CniColumn);
}

static void release_matches(CnQuery *query)
{
    if (query->match_capacity)
        cni_block_release(&query->world->core_blocks, query->head.matches, query->match_class);
}

/* An archetype that appears may make every query grow: they do it seldom. */
static bool grow_matches(CnQuery *query, uint32_t matches)
{
    CniQueryHead *head = &query->head;
    size_t bytes = match_bytes(head);
    uint32_t block_class = cni_block_class(matches * bytes);
    if (query->match_capacity && block_class < query->match_class + 2u)
        block_class = query->match_class + 2u;
    CniMatch *list = cni_block_acquire(&query->world->core_blocks, block_class);
    if (!list)
        return false;
    if (head->match_count)
        memcpy(list, head->matches, head->match_count * bytes);
    release_matches(query);
    head->matches = list;
    query->match_capacity = (uint32_t)(((size_t)1 << block_class) / bytes);
    query->match_class = block_class;
    return true;
}

static inline bool reserve_matches(CnQuery *query, uint32_t matches)
{
    return CN_LIKELY(matches <= query->match_capacity) || grow_matches(query, matches);
}

bool cni_queries_reserve_match(CnWorld *world, CnQuery *const *queries, uint32_t count,
                               const Archetype *archetype)
{
    uint64_t have[CNI_MASK_WORDS];
    first_words(archetype, have);
    if (!cn_array_reserve(&world->matching, (uint64_t)world->matching.count + count))
        return false;
    CnQuery **matching = world->matching.items + world->matching.count;
    for (uint32_t i = 0; i < count; i++) {
        CnQuery *query = queries[i];
        if (!(CN_LIKELY(query->mask_words <= CNI_MASK_WORDS) ? matches_words(query, have)
                                                             : matches_sets(query, archetype)))
            continue;
        if (!reserve_matches(query, query->head.match_count + 1))
            return false;
        *matching++ = query;
    }
    world->matching.count = (uint32_t)(matching - world->matching.items);
    return true;
}

void cni_queries_enter(CnWorld *world, Archetype *archetype)
{
    CniColumn *by_component = world->new_columns.items;
    for (uint32_t c = 0; c < archetype->column_count; c++)
        by_component[archetype->columns[c].component] =
            (CniColumn){archetype->columns[c].prefix, c};
    for (uint32_t i = 0; i < world->matching.count; i++) {
        CnQuery *query = world->matching.items[i];
        CniMatch *match = cni_match(&query->head, query->head.match_count++);
        CniColumn *columns = cni_match_columns(match);
        match->archetype = &archetype->head;
        for (uint32_t t = 0; t < query->head.term_count; t++)
            columns[t] = by_component[query->term_ids[t]];
    }
    for (uint32_t c = 0; c < archetype->column_count; c++)
        by_component[archetype->columns[c].component] = (CniColumn){CNI_ABSENT, 0};
}

/* For an archetype that has been there before the query. There is room. */
static void push_match(CnQuery *query, Archetype *archetype)
{
    CniMatch *match = cni_match(&query->head, query->head.match_count++);
    CniColumn *columns = cni_match_columns(match);
    match->archetype = &archetype->head;
    for (uint32_t t = 0; t < query->head.term_count; t++) {
        const Column *column = cni_archetype_column(archetype, query->term_ids[t]);
        columns[t] = column ? (CniColumn){column->prefix, (uint32_t)(column - archetype->columns)}
                            : (CniColumn){CNI_ABSENT, 0};
    }
}

static const Archetype *match_archetype(const CnQuery *query, uint32_t match)
{
    return (const Archetype *)(const void *)cni_match(&query->head, match)->archetype;
}

void cni_query_forget(CnQuery *query, const Archetype *archetype)
{
    CniQueryHead *head = &query->head;
    uint32_t i = 0, end = head->match_count;
    while (end - i > 1) {
        uint32_t middle = i + (end - i) / 2;
        if (match_archetype(query, middle)->serial <= archetype->serial)
            i = middle;
        else
            end = middle;
    }
    if (!head->match_count || match_archetype(query, i) != archetype)
        return;
    head->match_count--;
    memmove(cni_match(head, i), cni_match(head, i + 1),
            (head->match_count - i) * match_bytes(head));
}

/* ---- Making ---- */

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

/* A query's terms: what it was described with, so that views can find columns by C type. */
typedef struct Terms {
    uint32_t ids[CN_MAX_TERMS * 4];
    const CnType *types[CN_MAX_TERMS * 4];
    uint32_t count;
} Terms;

static bool add_term(CnWorld *world, Masks *masks, Terms *terms, CnBitSet *set, const CnTerm *term)
{
    uint32_t id = cni_value_component(world, term->type, term->component);
    CN_ASSERT(id || term->type, "a query names component %u, which is not registered",
              term->component.id);
    if (!id || !cn_bitset_set(set, id))
        return false;
    if (term->access == CN_ACCESS_WRITE && !cn_bitset_set(&masks->write, id))
        return false;
    if (term->access == CN_ACCESS_NONE || set == &masks->none ||
        !world->components.items[id].info.size)
        return true;
    if (!cn_bitset_set(&masks->access, id))
        return false;
    for (uint32_t i = 0; i < terms->count; i++)
        if (terms->ids[i] == id)
            return true;
    if (terms->count == CN_COUNT_OF(terms->ids)) {
        CN_LOG_ERROR("ecs", "a query has more than %u terms", terms->count);
        return false;
    }
    terms->ids[terms->count] = id;
    terms->types[terms->count++] = term->type;
    return true;
}

static bool add_terms(CnWorld *world, Masks *masks, Terms *terms, CnBitSet *set, const CnTerm *list,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count && (list[i].type || list[i].component.id); i++)
        if (!add_term(world, masks, terms, set, &list[i]))
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
    /* Equal hashes of different masks take the next key. */
    for (;; hash++) {
        CnQuery *const *found = cn_hash_map_get(&world->query_by_hash, hash);
        if (!found)
            return NULL;
        if (masks_equal(*found, masks))
            return *found;
    }
}

/* One block holds the query and its terms. */
static uint32_t query_class(uint32_t terms)
{
    size_t far_terms = terms > CNI_NEAR_TERMS ? terms : 0;
    return cni_block_class(sizeof(CnQuery) + far_terms * (sizeof(CnType *) + sizeof(uint32_t)));
}

static void query_free(CnWorld *world, CnQuery *query)
{
    release_matches(query);
    cn_bitset_fini(&query->all);
    cn_bitset_fini(&query->any);
    cn_bitset_fini(&query->none);
    cn_bitset_fini(&query->optional);
    cn_bitset_fini(&query->access);
    cn_bitset_fini(&query->write);
    cni_block_release(&world->core_blocks, query, query_class(query->head.term_count));
}

static CnQuery *query_alloc(CnWorld *world, const Terms *terms)
{
    CnQuery *query = cni_block_acquire(&world->core_blocks, query_class(terms->count));
    if (!query)
        return NULL;
    memset(query, 0, sizeof *query);
    CniQueryHead *head = &query->head;
    query->world = world;
    head->world = &world->head;
    head->term_count = terms->count;
    bool is_small = terms->count <= CNI_NEAR_TERMS;
    head->term_types = is_small ? query->near_types : (const CnType **)(void *)(query + 1);
    query->term_ids =
        is_small ? query->near_ids : (uint32_t *)(void *)(head->term_types + terms->count);
    memcpy(head->term_types, terms->types, terms->count * sizeof *head->term_types);
    memcpy(query->term_ids, terms->ids, terms->count * sizeof *query->term_ids);
    return query;
}

/* The component of `all` with the fewest archetypes: the search starts from those, and new
 * archetypes find the query there. 0 when `all` is empty. */
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

/* Mostly one word of each mask tells. */
static inline bool matches_ref(const CnQuery *query, const ArchetypeRef *ref)
{
    if (query->mask_words != 1)
        return cni_query_matches_archetype(query, ref->archetype);
    uint64_t have = ref->first_word;
    return (have & query->mask.named[0]) == query->mask.wanted[0] &&
           (!query->has_any || (query->mask.any[0] & have));
}

static bool match_existing(CnWorld *world, CnQuery *query, uint32_t anchor)
{
    if (!anchor) {
        for (uint32_t i = 0; i < world->archetypes.count; i++) {
            if (!cni_query_matches_archetype(query, world->archetypes.items[i]))
                continue;
            if (!reserve_matches(query, query->head.match_count + 1))
                return false;
            push_match(query, world->archetypes.items[i]);
        }
        return true;
    }
    const Component *component = &world->components.items[anchor];
    uint32_t matches = 0;
    for (uint32_t i = 0; i < component->archetypes.count; i++)
        matches += matches_ref(query, &component->archetypes.items[i]);
    if (!reserve_matches(query, matches))
        return false;
    CniQueryHead *head = &query->head;
    bool single = head->term_count == 1 && query->term_ids[0] == anchor;
    for (uint32_t i = 0; i < component->archetypes.count; i++) {
        const ArchetypeRef *ref = &component->archetypes.items[i];
        if (!matches_ref(query, ref))
            continue;
        if (single) {
            CniMatch *match = cni_match(head, head->match_count++);
            match->archetype = &ref->archetype->head;
            *cni_match_columns(match) = ref->column;
        } else {
            push_match(query, ref->archetype);
        }
    }
    return true;
}

/* After cni_queries_forget_types. */
static void learn_types(CnQuery *query, const Terms *terms)
{
    for (uint32_t i = 0; i < query->head.term_count; i++)
        for (uint32_t t = 0; t < terms->count && !query->head.term_types[i]; t++)
            if (terms->ids[t] == query->term_ids[i])
                query->head.term_types[i] = terms->types[t];
}

/* Takes the masks over, also on failure. */
static CnQuery *make_query(CnWorld *world, Masks *masks, const Terms *terms)
{
    uint64_t hash = hash_masks(masks);
    CnQuery *query = find_query(world, masks, hash);
    if (query) {
        masks_fini(masks);
        learn_types(query, terms);
        return query;
    }
    CN_ASSERT(cni_runs_alone(), "a system that shares its wave makes a query; make it before");
    query = query_alloc(world, terms);
    if (!query) {
        masks_fini(masks);
        return NULL;
    }
    query->all = masks->all;
    query->any = masks->any;
    query->none = masks->none;
    query->optional = masks->optional;
    query->access = masks->access;
    query->write = masks->write;
    keep_words(query);
    while (cn_hash_map_get(&world->query_by_hash, hash))
        hash++;
    query->hash = hash;
    uint32_t anchor = rarest_component(world, &query->all);
    bool ready = match_existing(world, query, anchor) &&
                 cn_array_reserve(&world->queries, (uint64_t)world->queries.count + 1);
    /* With a pair whose target died nothing matches ever again: no archetype need find it. */
    bool hopeless = anchor && !cni_component(world, anchor);
    if (ready && anchor && !hopeless)
        ready = cn_array_push(&world->components.items[anchor].queries, query);
    else if (ready && !hopeless)
        ready = cn_array_push(&world->free_queries, query);
    if (ready && !cn_hash_map_set(&world->query_by_hash, hash, &query)) {
        if (anchor && !hopeless)
            world->components.items[anchor].queries.count--;
        else if (!hopeless)
            world->free_queries.count--;
        ready = false;
    }
    if (!ready) {
        query_free(world, query);
        return NULL;
    }
    world->queries.items[world->queries.count++] = query;
    return query;
}

CnQuery *cn_query(CnWorld *world, const CnQueryDesc *desc)
{
    Masks masks;
    Terms terms = {.count = 0};
    masks_init(&masks, world->allocator);
    if (!add_terms(world, &masks, &terms, &masks.all, desc->all, CN_MAX_TERMS) ||
        !add_terms(world, &masks, &terms, &masks.any, desc->any, CN_MAX_TERMS) ||
        !add_terms(world, &masks, &terms, &masks.none, desc->none, CN_MAX_TERMS) ||
        !add_terms(world, &masks, &terms, &masks.optional, desc->optional, CN_MAX_TERMS)) {
        masks_fini(&masks);
        return NULL;
    }
    return make_query(world, &masks, &terms);
}

enum Part { PART_ALL, PART_NONE, PART_ANY };

static CnQuery *compose(CnQuery *query, enum Part part, const CnTerm *list, uint32_t count)
{
    CnWorld *world = query->world;
    Masks masks;
    Terms terms = {.count = query->head.term_count};
    for (uint32_t i = 0; i < terms.count; i++) {
        terms.ids[i] = query->term_ids[i];
        terms.types[i] = query->head.term_types[i];
    }
    masks_init(&masks, world->allocator);
    CnBitSet *set = part == PART_ALL ? &masks.all : part == PART_NONE ? &masks.none : &masks.any;
    if (!masks_copy(&masks, query) || !add_terms(world, &masks, &terms, set, list, count)) {
        masks_fini(&masks);
        return NULL;
    }
    return make_query(world, &masks, &terms);
}

CnQuery *cn_query_and(CnQuery *query, CnTerm term)
{
    return compose(query, PART_ALL, &term, 1);
}

CnQuery *cn_query_not(CnQuery *query, CnTerm term)
{
    return compose(query, PART_NONE, &term, 1);
}

CnQuery *cn_query_or(CnQuery *query, const CnTerm *terms, uint32_t count)
{
    return compose(query, PART_ANY, terms, count);
}

bool cni_is_in_a_query(const CnWorld *world, uint32_t component)
{
    for (uint32_t i = 0; i < world->queries.count; i++) {
        const CnQuery *query = world->queries.items[i];
        if (cn_bitset_has(&query->all, component) || cn_bitset_has(&query->any, component) ||
            cn_bitset_has(&query->none, component) || cn_bitset_has(&query->optional, component))
            return true;
    }
    return false;
}

void cni_queries_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->queries.count; i++)
        query_free(world, world->queries.items[i]);
    cn_array_fini(&world->queries);
    cn_array_fini(&world->free_queries);
    cn_array_fini(&world->matching);
    cn_array_fini(&world->new_columns);
    cn_hash_map_fini(&world->query_by_hash);
}

/* ---- Asking ---- */

uint32_t cn_query_count(const CnQuery *query)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->head.match_count; i++)
        count += cni_archetype_rows(query->world, match_archetype(query, i));
    return count;
}

uint32_t cn_query_archetype_count(const CnQuery *query)
{
    return query->head.match_count;
}

CnWorld *cn_query_world(const CnQuery *query)
{
    return query->world;
}

bool cn_query_matches(const CnQuery *query, CnEntity entity)
{
    const CnWorld *world = query->world;
    const Slot *slot = cni_slot_of(world, entity);
    return slot &&
           cni_query_matches_archetype(
               query, cni_chunk_archetype(&world->chunks.items[cni_place(slot->location).chunk]));
}

/* Walks slots in order where the query matches much of the world, else gathers and sorts. Slots it
 * is: one pass, no scratch memory, and the order is the index. */
uint32_t cn_query_entities(const CnQuery *query, CnEntity *entities, uint32_t capacity)
{
    const CnWorld *world = query->world;
    const Slots *slots = &world->slots;
    uint32_t count = 0, total = cn_query_count(query);
    if (!capacity)
        return total;
    for (uint32_t page = 0; page < slots->head->page_count && count < total; page++) {
        for (uint32_t i = 0; i < CNI_PAGE_SLOTS && count < total; i++) {
            const Slot *slot = &slots->head->pages[page][i];
            if (!(slot->generation & 1u))
                continue;
            const CniChunk *chunk = &world->chunks.items[cni_place(slot->location).chunk];
            if (!cni_query_matches_archetype(query, cni_chunk_archetype(chunk)))
                continue;
            if (count < capacity)
                entities[count] = cn_entity_make(page * CNI_PAGE_SLOTS + i, slot->generation);
            count++;
        }
    }
    return total;
}

/* ---- Views ---- */

static const CnQuery *whole(const CniQueryHead *head)
{
    return (const CnQuery *)(const void *)head;
}

static const CniColumn *column_of_term(const CniQueryHead *head, const CniColumn *columns,
                                       uint32_t id)
{
    for (uint32_t i = 0; i < head->term_count; i++)
        if (whole(head)->term_ids[i] == id)
            return &columns[i];
    return NULL;
}

const CniColumn *cni_view_column_slow(const CniQueryHead *query, const CniColumn *columns,
                                      const CnType *type)
{
    CnComponent id = cn_component_of(whole(query)->world, type);
    const CniColumn *column = id.id ? column_of_term(query, columns, id.id) : NULL;
    CN_ASSERT(column || !type->size, "the query does not declare %s", type->name);
    return column;
}

uint32_t cni_query_term(const CniQueryHead *query, const CnType *type)
{
    const CnQuery *all = whole(query);
    uint32_t id = cn_component_of(all->world, type).id;
    for (uint32_t i = 0; i < query->term_count; i++)
        if (all->term_ids[i] == id)
            return i;
    CN_ASSERT(false, "the query does not declare %s", type->name);
    return 0;
}

bool cni_query_may_read(const CniQueryHead *head, const CnType *type)
{
    const CnQuery *query = whole(head);
    return cni_may_read(query->world, cn_component_of(query->world, type).id);
}

bool cni_query_is_packed(const CniQueryHead *head, const CnType *type)
{
    const CnWorld *world = whole(head)->world;
    const Component *component = cni_component(world, cn_component_of(world, type).id);
    return !component || component->info.layout == CN_LAYOUT_PACKED;
}

bool cni_query_may_write(const CniQueryHead *head, const CnType *type)
{
    const CnQuery *query = whole(head);
    uint32_t id = cn_component_of(query->world, type).id;
    return cn_bitset_has(&query->write, id) && cni_may_write(query->world, id);
}

const char *cni_query_access_text(const CniQueryHead *head, const CnType *type, const char *verb)
{
    const CnQuery *query = whole(head);
    uint32_t id = cn_component_of(query->world, type).id;
    static _Thread_local char text[300];
    char terms[160];
    if (cn_bitset_has(strcmp(verb, "write") ? &query->access : &query->write, id))
        return cni_access_text(query->world, id, verb);
    cni_query_text(query, terms, sizeof terms);
    cn_format(text, sizeof text, "the query (%s) does not declare to %s %s", terms, verb,
              type->name);
    return text;
}

bool cni_view_changed(const CniQueryHead *query, const CniColumn *columns, const CniChunk *chunk,
                      const uint64_t *ticks, uint64_t since)
{
    if (chunk->changed > since)
        return true;
    for (uint32_t t = 0; t < query->term_count; t++)
        if (columns[t].prefix != CNI_ABSENT && ticks[columns[t].tick] > since)
            return true;
    return false;
}

static void *column_by_id(const CnChunkView *view, CnComponent component, const CnField *field,
                          CnAccess access)
{
    const CnQuery *query = whole(view->query);
    const CniColumn *column = column_of_term(view->query, view->columns, component.id);
    CN_ASSERT(column, "the query does not declare component %u", component.id);
    CN_ASSERT(access != CN_ACCESS_WRITE || cn_bitset_has(&query->write, component.id),
              "the query does not declare to write component %u", component.id);
    CN_ASSERT(
        access == CN_ACCESS_WRITE ? cni_may_write(query->world, component.id)
                                  : cni_may_read(query->world, component.id),
        "%s",
        cni_access_text(query->world, component.id, access == CN_ACCESS_WRITE ? "write" : "read"));
    if (!column || column->prefix == CNI_ABSENT)
        return NULL;
    const CnComponentInfo *info = &query->world->components.items[component.id].info;
    CN_ASSERT((info->layout == CN_LAYOUT_FIELDS) == (field != NULL), "%s is %s", info->name,
              field ? "packed" : "laid out by fields");
    CN_ASSERT(!field || field->offset + field->size <= info->size, "%s has no such field as %s",
              info->name, field->name);
    if ((info->layout == CN_LAYOUT_FIELDS) != (field != NULL))
        return NULL;
    if (access == CN_ACCESS_WRITE)
        view->ticks[column->tick] = view->tick;
    uint8_t *base = (uint8_t *)(uintptr_t)view->entities;
    return base + (size_t)(column->prefix + (field ? field->offset : 0)) * view->capacity;
}

const void *cn_column_by_id(const CnChunkView *view, CnComponent component, const CnField *field)
{
    return column_by_id(view, component, field, CN_ACCESS_READ);
}

void *cn_column_by_id_mut(const CnChunkView *view, CnComponent component, const CnField *field)
{
    return column_by_id(view, component, field, CN_ACCESS_WRITE);
}

/* ---- In parallel ---- */

typedef struct ParallelRun {
    const CniQueryHead *query;
    CnChunkFn run;
    void *user;
    const System *running; /* for guards */
} ParallelRun;

/* Chunk number `chunk` of the whole query lies in some match; a piece starts with a search and then
 * walks. */
static void run_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const ParallelRun *run = data;
    const CniQueryHead *query = run->query;
    bool outside_lane;
    const System *outside = cni_running(&outside_lane);
    uint32_t match = 0, before = 0;
    cni_set_running(run->running, true);
    for (uint32_t i = begin; i < end; i++) {
        while (before + cni_match(query, match)->archetype->chunk_count <= i)
            before += cni_match(query, match++)->archetype->chunk_count;
        const CniArchetype *archetype = cni_match(query, match)->archetype;
        const CniChunk *chunk = &query->world->chunks[archetype->chunk_ids[i - before]];
        CnChunkView view = {
            .count = chunk->count,
            .capacity = chunk->capacity,
            .entities = cni_chunk_entities(chunk),
            .query = query,
            .columns = cni_match_columns(cni_match(query, match)),
            .chunk = chunk,
            .ticks = archetype->ticks + (size_t)(i - before) * archetype->tick_stride,
            .tick = query->world->tick,
        };
        run->run(&view, run->user, lane);
    }
    cni_set_running(outside, outside_lane);
}

void cn_query_parallel(CnQuery *query, CnJobPool *pool, CnChunkFn run, void *user)
{
    uint32_t chunks = 0;
    for (uint32_t i = 0; i < query->head.match_count; i++)
        chunks += match_archetype(query, i)->head.chunk_count;
    if (!chunks)
        return;
    bool lane;
    ParallelRun parallel = {&query->head, run, user, cni_running(&lane)};
    /* About eight pieces a lane: fine enough to even out, coarse enough to cost nothing. */
    uint32_t lanes = pool ? cn_job_pool_workers(pool) + 1 : 1;
    uint32_t grain = chunks / (lanes * 8);
    cn_job_parallel_for(lanes > 1 ? pool : NULL, chunks, grain ? grain : 1, run_piece, &parallel);
}

void cni_queries_forget_types(CnWorld *world)
{
    for (uint32_t i = 0; i < world->queries.count; i++)
        memset(world->queries.items[i]->head.term_types, 0,
               world->queries.items[i]->head.term_count * sizeof(CnType *));
}

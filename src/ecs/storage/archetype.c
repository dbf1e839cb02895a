#include "ecs/world/world_internal.h"

/* ---- Table of archetypes by their set of components ---- */

static uint32_t hash_ids(const uint32_t *ids, uint32_t count)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ ids[i]) * 0xd6e8feb86659fd93u, hash ^= hash >> 32;
    return (uint32_t)hash;
}

static CniEcsArchetype *table_find(const CnWorld *world, const uint32_t *ids, uint32_t count,
                                   uint32_t hash)
{
    if (!world->archetype_table_size)
        return NULL;
    uint32_t mask = world->archetype_table_size - 1;
    for (uint32_t i = hash & mask; world->archetype_table[i]; i = (i + 1) & mask) {
        CniEcsArchetype *archetype = world->archetype_table[i];
        if (archetype->hash == hash && archetype->id_count == count &&
            (!count || !memcmp(archetype->ids, ids, count * sizeof *ids)))
            return archetype;
    }
    return NULL;
}

static void table_insert(CnWorld *world, CniEcsArchetype *archetype)
{
    uint32_t mask = world->archetype_table_size - 1, i = archetype->hash & mask;
    while (world->archetype_table[i])
        i = (i + 1) & mask;
    world->archetype_table[i] = archetype;
}

static bool table_resize(CnWorld *world, uint32_t size)
{
    CniEcsArchetype **table = cn_alloc_zeroed(world->allocator, size * sizeof(CniEcsArchetype *));
    if (!table)
        return false;
    cn_free(world->allocator, world->archetype_table,
            world->archetype_table_size * sizeof(CniEcsArchetype *));
    world->archetype_table = table;
    world->archetype_table_size = size;
    for (uint32_t i = 0; i < world->archetypes.count; i++)
        table_insert(world, world->archetypes.items[i]);
    return true;
}

/* Backward-shift deletion keeps every probe sequence unbroken. */
static void table_remove(CnWorld *world, const CniEcsArchetype *archetype)
{
    uint32_t mask = world->archetype_table_size - 1, i = archetype->hash & mask;
    while (world->archetype_table[i] != archetype)
        i = (i + 1) & mask;
    for (uint32_t next = (i + 1) & mask;; next = (next + 1) & mask) {
        CniEcsArchetype *other = world->archetype_table[next];
        if (!other)
            break;
        if (((next - (other->hash & mask)) & mask) >= ((next - i) & mask)) {
            world->archetype_table[i] = other;
            i = next;
        }
    }
    world->archetype_table[i] = NULL;
}

/* ---- Creation ---- */

static uint32_t pow2_at_least(uint32_t n)
{
    uint32_t p = 2;
    while (p < n)
        p *= 2;
    return p;
}

/* The table of an archetype without edges. */
static const CniEcsArchetypeEdge no_edge;

void cni_ecs_edges_forget(CnWorld *world)
{
    for (uint32_t edge_kind = 0; edge_kind < CNI_ECS_EDGE_KIND_COUNT; edge_kind++)
        world->last_edges[edge_kind] = &no_edge;
}

/* One block holds the struct and its fixed tables. */
static CniEcsArchetype *archetype_alloc(CnWorld *world, const uint32_t *ids, uint32_t count)
{
    uint32_t columns = 0;
    uint64_t bytes_per_row = sizeof(CnEntity);
    for (uint32_t i = 0; i < count; i++) {
        columns += world->components.items[ids[i]].info.size > 0;
        bytes_per_row += world->components.items[ids[i]].info.size;
    }
    if (bytes_per_row > CN_MAX_ROW_BYTES) {
        CN_LOG_ERROR("ecs", "%u components together have %llu bytes; the limit is %u", count,
                     (unsigned long long)bytes_per_row, CN_MAX_ROW_BYTES);
        return NULL;
    }
    uint32_t words = count ? ids[count - 1] / 64 + 1 : 0;
    uint32_t lookup = pow2_at_least(columns * 2 + 1);
    size_t total = sizeof(CniEcsArchetype) + words * sizeof(uint64_t) +
                   columns * sizeof(CniEcsColumn) + lookup * sizeof(CniEcsColumnSlot) +
                   count * sizeof(uint32_t) * 2;
    uint32_t block_class = cni_ecs_block_class(total);
    uint8_t *memory = cni_ecs_block_acquire(&world->core_blocks, block_class);
    if (!memory)
        return NULL;
    memset(memory, 0, total);
    CniEcsArchetype *archetype = (CniEcsArchetype *)(void *)memory;
    archetype->block_class = block_class;
    archetype->words = (uint64_t *)(void *)(memory + sizeof(CniEcsArchetype));
    archetype->columns = (CniEcsColumn *)(void *)(archetype->words + words);
    archetype->head.lookup = (CniEcsColumnSlot *)(void *)(archetype->columns + columns);
    archetype->ids = (uint32_t *)(void *)(archetype->head.lookup + lookup);
    archetype->ordered = archetype->ids + count;
    archetype->id_count = count;
    archetype->word_count = words;
    archetype->head.lookup_mask = lookup - 1;
    for (uint32_t i = 0; i < lookup; i++)
        archetype->head.lookup[i].component = CNI_ECS_ABSENT;
    archetype->column_count = columns;
    archetype->row_bytes = (uint32_t)bytes_per_row;
    archetype->head.tick_stride = columns;
    archetype->head.tail = CNI_ECS_NO_CHUNK;
    archetype->edges = (CniEcsArchetypeEdge *)(uintptr_t)&no_edge;
    cn_array_init(&archetype->observers, world->allocator);
    if (columns <= CNI_ECS_INLINE_TICKS) {
        archetype->head.ticks = archetype->head.inline_ticks;
        archetype->head.chunk_ids = &archetype->head.inline_id;
        archetype->chunk_capacity = 1;
    }
    return archetype;
}

static void fill_columns(const CnWorld *world, CniEcsArchetype *archetype)
{
    uint32_t prefix = (uint32_t)sizeof(CnEntity), n = 0;
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        uint32_t id = archetype->ids[i];
        const CnComponentInfo *info = &world->components.items[id].info;
        archetype->words[id / 64] |= (uint64_t)1 << (id % 64);
        if (!info->size)
            continue;
        bool by_fields = info->layout == CN_LAYOUT_FIELDS;
        archetype->has_field_columns |= by_fields;
        archetype->columns[n] = (CniEcsColumn){
            .component = id,
            .prefix = prefix,
            .size = info->size,
            .field_count = by_fields ? info->field_count : 0,
            .fields = by_fields ? info->fields : NULL,
        };
        uint32_t slot = id & archetype->head.lookup_mask;
        while (archetype->head.lookup[slot].component != CNI_ECS_ABSENT)
            slot = (slot + 1) & archetype->head.lookup_mask;
        archetype->head.lookup[slot] = (CniEcsColumnSlot){
            id, 0, info->size, (uint16_t)n, by_fields, (info->flags & CN_COMPONENT_TRACKED) != 0};
        prefix += info->size;
        n++;
    }
    uint32_t rows = CN_CHUNK_BYTES / archetype->row_bytes / CN_CHUNK_MIN_ROWS * CN_CHUNK_MIN_ROWS;
    if (rows < CN_CHUNK_MIN_ROWS)
        rows = CN_CHUNK_MIN_ROWS;
    if (rows > CN_CHUNK_MAX_ROWS)
        rows = CN_CHUNK_MAX_ROWS;
    archetype->full_capacity = rows;
    uint32_t chunks = 1;
    while (chunks < CNI_ECS_EXTENT_CHUNKS &&
           2 * chunks * rows * archetype->row_bytes <= CN_EXTENT_BYTES)
        chunks *= 2;
    archetype->extent_capacity = chunks * rows;
}

static void order_components(const CnWorld *world, CniEcsArchetype *archetype)
{
    uint32_t *ordered = archetype->ordered;
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        uint32_t id = archetype->ids[i], begin = 0, end = i;
        while (begin < end) {
            uint32_t middle = begin + (end - begin) / 2;
            if (cni_ecs_component_precedes(world, id, ordered[middle]))
                end = middle;
            else
                begin = middle + 1;
        }
        memmove(ordered + begin + 1, ordered + begin, (i - begin) * sizeof *ordered);
        ordered[begin] = id;
    }
}

/* Before and after an archetype is entered, all components are absent. */
static bool reserve_new_columns(CnWorld *world)
{
    uint32_t needed = world->components.count;
    if (!cn_array_reserve(&world->new_columns, needed))
        return false;
    while (world->new_columns.count < needed)
        world->new_columns.items[world->new_columns.count++] =
            (CniEcsQueryColumn){CNI_ECS_ABSENT, 0};
    return true;
}

/* Finds the queries that the archetype matches and makes room in them. */
static bool reserve_matches(CnWorld *world, const CniEcsArchetype *archetype)
{
    cn_array_clear(&world->matching);
    for (uint32_t i = 0; i <= archetype->id_count; i++) {
        CnQuery **queries = world->free_queries.items;
        uint32_t count = world->free_queries.count;
        if (i < archetype->id_count) {
            const CniEcsComponent *component = &world->components.items[archetype->ids[i]];
            queries = component->queries.items;
            count = component->queries.count;
        }
        if (!cni_ecs_queries_reserve_match(world, queries, count, archetype))
            return false;
    }
    return true;
}

/* Makes room in all lists that the new archetype will be added to, so that adding it cannot
 * fail. */
static bool reserve_links(CnWorld *world, const CniEcsArchetype *archetype)
{
    if (!cn_array_reserve(&world->archetypes, (uint64_t)world->archetypes.count + 1))
        return false;
    if ((world->archetypes.count + 1) * 2 > world->archetype_table_size &&
        !table_resize(world, world->archetype_table_size ? world->archetype_table_size * 2 : 16))
        return false;
    if (!reserve_new_columns(world))
        return false;
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        CniEcsComponent *component = &world->components.items[archetype->ids[i]];
        if (!cn_array_reserve(&component->archetypes, (uint64_t)component->archetypes.count + 1))
            return false;
    }
    return reserve_matches(world, archetype);
}

static void enter_links(CnWorld *world, CniEcsArchetype *archetype)
{
    archetype->serial = ++world->last_archetype;
    world->archetypes.items[world->archetypes.count++] = archetype;
    table_insert(world, archetype);
    for (uint32_t i = 0, column = 0; i < archetype->id_count; i++) {
        CniEcsComponent *component = &world->components.items[archetype->ids[i]];
        CniEcsArchetypeRef ref = {archetype, {CNI_ECS_ABSENT, 0}, archetype->words[0]};
        if (component->info.size) {
            ref.column = cni_ecs_archetype_query_column(world, archetype, column);
            column++;
        }
        component->archetypes.items[component->archetypes.count++] = ref;
        archetype->has_node |= archetype->ids[i] == world->node;
    }
    cni_ecs_queries_add_archetype(world, archetype);
    cni_ecs_archetype_update_hook_flags(world, archetype);
}

/* Returns the entry of an archetype in a component's list, or NULL. */
static CniEcsArchetypeRef *find_ref(const CniEcsComponent *component,
                                    const CniEcsArchetype *archetype)
{
    uint32_t begin = 0, end = component->archetypes.count;
    CniEcsArchetypeRef *items = component->archetypes.items;
    while (end - begin > 1) {
        uint32_t middle = begin + (end - begin) / 2;
        if (items[middle].archetype->serial <= archetype->serial)
            begin = middle;
        else
            end = middle;
    }
    return begin < end && items[begin].archetype == archetype ? &items[begin] : NULL;
}

static void set_trimmed(CnWorld *world, CniEcsArchetype *archetype, bool is_trimmed)
{
    archetype->is_trimmed = is_trimmed;
    for (uint32_t i = 0; i < archetype->id_count; i++)
        find_ref(&world->components.items[archetype->ids[i]], archetype)->first_word =
            is_trimmed ? 0 : archetype->words[0];
}

/* Restores a trimmed archetype that is needed again. */
static CniEcsArchetype *untrim(CnWorld *world, CniEcsArchetype *archetype)
{
    if (!reserve_matches(world, archetype))
        return NULL;
    set_trimmed(world, archetype, false);
    cni_ecs_queries_readd_archetype(world, archetype);
    return archetype;
}

CniEcsArchetype *cni_ecs_archetype_find_or_create(CnWorld *world, const uint32_t *ids,
                                                  uint32_t count)
{
    uint32_t hash = hash_ids(ids, count);
    CniEcsArchetype *archetype = table_find(world, ids, count, hash);
    if (archetype)
        return CN_UNLIKELY(archetype->is_trimmed) ? untrim(world, archetype) : archetype;
    archetype = archetype_alloc(world, ids, count);
    if (!archetype)
        return NULL;
    if (count)
        memcpy(archetype->ids, ids, count * sizeof *ids);
    archetype->hash = hash;
    fill_columns(world, archetype);
    order_components(world, archetype);
    if (!reserve_links(world, archetype) || !cni_ecs_observers_find(world, archetype)) {
        cn_array_fini(&archetype->observers);
        cni_ecs_block_release(&world->core_blocks, archetype, archetype->block_class);
        return NULL;
    }
    enter_links(world, archetype);
    return archetype;
}

/* ---- Edges ---- */

static bool edges_reserve(CnWorld *world, CniEcsArchetype *archetype)
{
    uint32_t size = archetype->edge_mask ? archetype->edge_mask + 1 : 0;
    if ((archetype->edge_count + 1) * 2 <= size)
        return true;
    uint32_t new_size = size ? size * 2 : 8;
    CniEcsArchetypeEdge *edges = cn_alloc_zeroed(world->allocator, new_size * sizeof *edges);
    if (!edges)
        return false;
    for (uint32_t i = 0; i < size; i++) {
        if (!archetype->edges[i].component)
            continue;
        uint32_t at = archetype->edges[i].component & (new_size - 1);
        while (edges[at].component)
            at = (at + 1) & (new_size - 1);
        edges[at] = archetype->edges[i];
    }
    if (size)
        cn_free(world->allocator, archetype->edges, size * sizeof *edges);
    archetype->edges = edges;
    archetype->edge_mask = new_size - 1;
    cni_ecs_edges_forget(world);
    return true;
}

static void plan_free(CnWorld *world, const CniEcsArchetypeEdge *edge)
{
    if (edge->plan)
        cn_free(world->allocator, edge->plan,
                sizeof *edge->plan + edge->plan->count * sizeof *edge->plan->steps);
}

static uint32_t step_size_class(uint32_t size)
{
    switch (size) {
    case 12:
        return CNI_ECS_STEPS_12;
    case 4:
        return CNI_ECS_STEPS_4;
    case 8:
        return CNI_ECS_STEPS_8;
    case 16:
        return CNI_ECS_STEPS_16;
    default:
        return CNI_ECS_STEPS_ANY;
    }
}

/* Creates a plan that copies all columns of the archetype except the toggled component; NULL when
 * out of memory. */
static CniEcsCopyPlan *plan_make(CnWorld *world, const CniEcsArchetype *archetype, uint32_t toggled)
{
    const CnComponentInfo *info = &world->components.items[toggled].info;
    uint32_t count = archetype->column_count;
    CniEcsCopyPlan *plan =
        cn_alloc_zeroed(world->allocator, sizeof *plan + count * sizeof *plan->steps);
    if (!plan)
        return NULL;
    plan->size = info->size;
    for (uint32_t size_class = 0; size_class < CNI_ECS_STEP_SIZES; size_class++)
        for (uint32_t i = 0; i < count; i++) {
            const CniEcsColumn *column = &archetype->columns[i];
            if (step_size_class(column->size) != size_class)
                continue;
            plan->steps[plan->count++] =
                (CniEcsCopyStep){.component = column->component, .size = column->size};
            plan->counts[size_class]++;
        }
    return plan;
}

static void edge_refresh(CniEcsArchetypeEdge *edge)
{
    if (!edge->plan)
        return;
    const CniEcsArchetype *from = edge->from, *to = edge->to;
    bool adds = cni_ecs_archetype_has(to, edge->component);
    edge->edge_kind = cni_ecs_move_calls(from, to) ? CNI_ECS_EDGE_SLOW
                      : adds                       ? CNI_ECS_EDGE_ADDS
                                                   : CNI_ECS_EDGE_REMOVES;
    const CniEcsColumn *toggled = cni_ecs_archetype_column(adds ? to : from, edge->component);
    if (toggled)
        edge->plan->offset = toggled->offset;
    for (uint32_t i = 0; i < edge->plan->count; i++) {
        CniEcsCopyStep *step = &edge->plan->steps[i];
        step->from = cni_ecs_archetype_column(from, step->component)->offset;
        step->to = cni_ecs_archetype_column(to, step->component)->offset;
    }
}

void cni_ecs_archetype_refresh_edges(const CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i <= archetype->edge_mask; i++) {
        CniEcsArchetypeEdge *edge = &archetype->edges[i];
        if (!edge->component)
            continue;
        edge_refresh(edge);
        edge_refresh(
            (CniEcsArchetypeEdge *)(uintptr_t)cni_ecs_archetype_edge(edge->to, edge->component));
    }
}

/* Creates the edge from one archetype to another. Returns false when out of memory. */
static bool edge_make(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to,
                      uint32_t component, CniEcsArchetypeEdge *edge)
{
    *edge = (CniEcsArchetypeEdge){.component = component, .from = from, .to = to};
    if (from->has_field_columns || to->has_field_columns || component == world->node)
        return true;
    edge->plan = plan_make(world, cni_ecs_archetype_has(to, component) ? from : to, component);
    if (!edge->plan)
        return false;
    edge_refresh(edge);
    edge->step = cni_ecs_edge_step(edge);
    return true;
}

static void edge_enter(CniEcsArchetype *archetype, const CniEcsArchetypeEdge *edge)
{
    uint32_t i = edge->component & archetype->edge_mask;
    while (archetype->edges[i].component)
        i = (i + 1) & archetype->edge_mask;
    archetype->edges[i] = *edge;
    archetype->edge_count++;
}

static void edge_clear(CnWorld *world, CniEcsArchetype *archetype, uint32_t component)
{
    uint32_t mask = archetype->edge_mask, i = component & mask;
    while (archetype->edges[i].component != component)
        i = (i + 1) & mask;
    plan_free(world, &archetype->edges[i]);
    for (uint32_t next = (i + 1) & mask; archetype->edges[next].component;
         next = (next + 1) & mask) {
        uint32_t home = archetype->edges[next].component & mask;
        if (((next - home) & mask) >= ((next - i) & mask)) {
            archetype->edges[i] = archetype->edges[next];
            i = next;
        }
    }
    archetype->edges[i] = (CniEcsArchetypeEdge){0};
    archetype->edge_count--;
    cni_ecs_edges_forget(world);
}

static void insert_id(uint32_t *ids, uint32_t *count, uint32_t id)
{
    uint32_t i = *count;
    while (i > 0 && ids[i - 1] > id) {
        ids[i] = ids[i - 1];
        i--;
    }
    ids[i] = id;
    (*count)++;
}

static void erase_id(uint32_t *ids, uint32_t *count, uint32_t id)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (ids[i] != id)
            ids[n++] = ids[i];
    *count = n;
}

/* The tag "has a pair of this kind" follows the pairs. */
static void update_any_tag(const CnWorld *world, uint32_t *ids, uint32_t *count, uint32_t pair)
{
    const CniEcsComponent *component = &world->components.items[pair];
    const CniEcsComponent *kind = &world->components.items[component->info.pair_kind.id];
    bool some = false, tagged = false;
    for (uint32_t i = 0; i < *count; i++) {
        some |= cn_bitset_has(&kind->pairs, ids[i]);
        tagged |= ids[i] == kind->any_tag;
    }
    if (some && !tagged)
        insert_id(ids, count, kind->any_tag);
    else if (!some && tagged)
        erase_id(ids, count, kind->any_tag);
}

CniEcsArchetype *cni_ecs_archetype_toggle_slow(CnWorld *world, CniEcsArchetype *archetype,
                                               uint32_t component)
{
    if (!cn_array_reserve(&world->scratch_ids, (uint64_t)archetype->id_count + 2))
        return NULL;
    uint32_t *ids = world->scratch_ids.items, count = archetype->id_count;
    if (count)
        memcpy(ids, archetype->ids, count * sizeof *ids);
    if (cni_ecs_archetype_has(archetype, component))
        erase_id(ids, &count, component);
    else
        insert_id(ids, &count, component);
    if (world->components.items[component].info.pair_kind.id)
        update_any_tag(world, ids, &count, component);
    CniEcsArchetype *to = cni_ecs_archetype_find_or_create(world, ids, count);
    if (!to || !edges_reserve(world, archetype) || !edges_reserve(world, to))
        return NULL;
    CniEcsArchetypeEdge there, back;
    if (!edge_make(world, archetype, to, component, &there))
        return NULL;
    if (!edge_make(world, to, archetype, component, &back)) {
        plan_free(world, &there);
        return NULL;
    }
    edge_enter(archetype, &there);
    edge_enter(to, &back);
    return to;
}

/* ---- Destruction ---- */

/* Lists that were cleared as a whole no longer contain it. */
static void unlist(CnWorld *world, const CniEcsArchetype *archetype)
{
    uint32_t begin = 0, end = world->archetypes.count;
    while (end - begin > 1) {
        uint32_t middle = begin + (end - begin) / 2;
        if (world->archetypes.items[middle]->serial <= archetype->serial)
            begin = middle;
        else
            end = middle;
    }
    if (begin < end && world->archetypes.items[begin] == archetype)
        memmove(&world->archetypes.items[begin], &world->archetypes.items[begin + 1],
                (--world->archetypes.count - begin) * sizeof(CniEcsArchetype *));
}

static void leave_index(CniEcsComponent *component, const CniEcsArchetype *archetype)
{
    CniEcsArchetypeRef *ref = find_ref(component, archetype);
    if (!ref)
        return;
    CniEcsArchetypeRef *end = component->archetypes.items + --component->archetypes.count;
    memmove(ref, ref + 1, (size_t)(end - ref) * sizeof *ref);
}

/* Removes the edges to and from an archetype. */
static void clear_edges(CnWorld *world, CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i <= archetype->edge_mask; i++)
        if (archetype->edges[i].component)
            edge_clear(world, archetype->edges[i].to, archetype->edges[i].component);
}

static void free_edges(CnWorld *world, CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i <= archetype->edge_mask; i++)
        plan_free(world, &archetype->edges[i]);
    if (archetype->edge_mask)
        cn_free(world->allocator, archetype->edges,
                (archetype->edge_mask + 1) * sizeof *archetype->edges);
    archetype->edges = (CniEcsArchetypeEdge *)(uintptr_t)&no_edge;
    archetype->edge_mask = archetype->edge_count = 0;
}

static void forget_likely(CnWorld *world)
{
    world->spawn_cache.archetype = NULL;
    world->likely_archetype = NULL;
    cni_ecs_edges_forget(world);
}

void cni_ecs_archetype_trim(CnWorld *world, CniEcsArchetype *archetype)
{
    CN_ASSERT(!archetype->head.chunk_count, "an archetype with entities cannot be trimmed");
    forget_likely(world);
    cni_ecs_rows_drop_spare(world, archetype);
    clear_edges(world, archetype);
    free_edges(world, archetype);
    cni_ecs_queries_remove_archetype(world, archetype);
    set_trimmed(world, archetype, true);
}

static void archetype_free(CnWorld *world, CniEcsArchetype *archetype)
{
    free_edges(world, archetype);
    cn_array_fini(&archetype->observers);
    cni_ecs_chunk_list_free(world, archetype);
    cni_ecs_block_release(&world->core_blocks, archetype, archetype->block_class);
}

void cni_ecs_archetype_destroy(CnWorld *world, CniEcsArchetype *archetype)
{
    CN_ASSERT(!archetype->head.chunk_count, "an archetype with entities cannot go");
    forget_likely(world);
    cni_ecs_rows_drop_spare(world, archetype);
    clear_edges(world, archetype);
    for (uint32_t i = 0; i < archetype->id_count; i++)
        leave_index(&world->components.items[archetype->ids[i]], archetype);
    cni_ecs_queries_remove_archetype(world, archetype);
    table_remove(world, archetype);
    unlist(world, archetype);
    archetype_free(world, archetype);
}

void cni_ecs_archetypes_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->archetypes.count; i++)
        archetype_free(world, world->archetypes.items[i]);
    cn_array_fini(&world->archetypes);
    cn_free(world->allocator, world->archetype_table,
            world->archetype_table_size * sizeof(CniEcsArchetype *));
}

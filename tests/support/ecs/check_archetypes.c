#include "check_world_parts.h"

#include <stdlib.h>

/* ---- Sets of components ---- */

static bool check_ids(const CnWorld *world, const CniEcsArchetype *archetype, uint32_t n)
{
    uint32_t columns = 0, prefix = (uint32_t)sizeof(CnEntity), flags = 0, bits = 0;
    bool node = false;
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        uint32_t id = archetype->ids[i];
        const CniEcsComponent *component = cni_ecs_component_get(world, id);
        REQUIRE(i == 0 || archetype->ids[i - 1] < id, "archetype %u is not sorted", n);
        REQUIRE(i == 0 || cni_ecs_component_precedes(world, archetype->ordered[i - 1],
                                                     archetype->ordered[i]),
                "archetype %u lists its components in a wrong order", n);
        REQUIRE(component, "archetype %u has component %u, which does not exist", n, id);
        REQUIRE(cni_ecs_archetype_has(archetype, id), "archetype %u lacks bit %u", n, id);
        flags |= component->hook_flags;
        node |= id == world->node;
        const CniEcsColumn *column = cni_ecs_archetype_column(archetype, id);
        REQUIRE((column != NULL) == (component->info.size > 0), "archetype %u: column of %s", n,
                component->info.name);
        if (!column)
            continue;
        bool by_fields = component->info.layout == CN_LAYOUT_FIELDS;
        REQUIRE(column == &archetype->columns[columns] && column->component == id &&
                    column->prefix == prefix && column->size == component->info.size &&
                    column->fields == (by_fields ? component->info.fields : NULL),
                "archetype %u: wrong column of %s", n, component->info.name);
        columns++;
        prefix += component->info.size;
    }
    for (uint32_t w = 0; w < archetype->word_count; w++)
        bits += (uint32_t)__builtin_popcountll(archetype->words[w]);
    REQUIRE(bits == archetype->id_count, "archetype %u has %u bits for %u components", n, bits,
            archetype->id_count);
    REQUIRE(columns == archetype->column_count && prefix == archetype->row_bytes,
            "archetype %u has %u columns and %u bytes a row", n, archetype->column_count,
            archetype->row_bytes);
    flags |= archetype->observers.count ? CNI_ECS_HOOK_OBSERVED : 0u;
    REQUIRE(flags == archetype->hook_flags, "archetype %u has hook flags %u, not %u", n,
            archetype->hook_flags, flags);
    REQUIRE(node == archetype->has_node, "archetype %u is wrong about CnNode", n);
    return true;
}

/* The tag "some pair of this kind" is there when a pair of the kind is, and only then. */
static bool check_any_tags(const CnWorld *world, const CniEcsArchetype *archetype, uint32_t n)
{
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        const CniEcsComponent *component = &world->components.items[archetype->ids[i]];
        if (component->info.pair_kind.id) {
            uint32_t tag = world->components.items[component->info.pair_kind.id].any_tag;
            REQUIRE(cni_ecs_archetype_has(archetype, tag),
                    "archetype %u has a pair without its tag", n);
        }
        if (!component->is_any_tag)
            continue;
        bool some = false;
        for (uint32_t j = 0; j < archetype->id_count && !some; j++) {
            uint32_t kind = world->components.items[archetype->ids[j]].info.pair_kind.id;
            some = kind && world->components.items[kind].any_tag == archetype->ids[i];
        }
        REQUIRE(some, "archetype %u has the tag of pairs and no pair", n);
    }
    return true;
}

static bool is_same_set(const CniEcsArchetype *a, const CniEcsArchetype *b)
{
    return a->id_count == b->id_count &&
           (!a->id_count || !memcmp(a->ids, b->ids, a->id_count * sizeof *a->ids));
}

static bool check_table(const CnWorld *world)
{
    uint32_t used = 0, mask = world->archetype_table_size - 1;
    for (uint32_t i = 0; i < world->archetype_table_size; i++)
        used += world->archetype_table[i] != NULL;
    REQUIRE(used == world->archetypes.count, "the table has %u of %u archetypes", used,
            world->archetypes.count);
    for (uint32_t n = 0; n < world->archetypes.count; n++) {
        const CniEcsArchetype *archetype = world->archetypes.items[n];
        uint32_t i = archetype->hash & mask;
        while (world->archetype_table[i] && !is_same_set(world->archetype_table[i], archetype))
            i = (i + 1) & mask;
        REQUIRE(world->archetype_table[i] == archetype, "the table does not find archetype %u", n);
    }
    return true;
}

/* What is remembered of the last spawn is still there. */
static bool check_spawn_shape(const CnWorld *world)
{
    const CniEcsSpawnCache *shape = &world->spawn_cache;
    if (!shape->archetype)
        return true;
    bool found = false;
    for (uint32_t n = 0; n < world->archetypes.count; n++)
        found |= world->archetypes.items[n] == shape->archetype;
    REQUIRE(found, "the archetype of the last spawn is gone");
    for (uint32_t i = 0; i < shape->count; i++)
        REQUIRE(shape->columns[i] == cni_ecs_archetype_column(shape->archetype, shape->ids[i]),
                "a column of the last spawn is wrong");
    return true;
}

bool check_archetypes(const CnWorld *world)
{
    REQUIRE(world->archetypes.count && world->archetypes.items[0]->id_count == 0,
            "the first archetype is not the empty one");
    for (uint32_t n = 0; n < world->archetypes.count; n++)
        if (!check_ids(world, world->archetypes.items[n], n) ||
            !check_any_tags(world, world->archetypes.items[n], n))
            return false;
    return check_table(world) && check_spawn_shape(world);
}

/* ---- Edges ---- */

/* True when `b` is `a` with `component` toggled, and the tag of its kind where it is a pair. */
static bool is_toggled(const CnWorld *world, const CniEcsArchetype *a, const CniEcsArchetype *b,
                       uint32_t component)
{
    uint32_t kind = world->components.items[component].info.pair_kind.id;
    uint32_t tag = kind ? world->components.items[kind].any_tag : 0;
    uint32_t i = 0, j = 0, toggles = 0;
    while (i < a->id_count || j < b->id_count) {
        uint32_t left = i < a->id_count ? a->ids[i] : UINT32_MAX;
        uint32_t right = j < b->id_count ? b->ids[j] : UINT32_MAX;
        i += left <= right;
        j += right <= left;
        if (left == right)
            continue;
        uint32_t differs = left < right ? left : right;
        if (differs != component && differs != tag)
            return false;
        toggles += differs == component;
    }
    return toggles == 1;
}

static int compare_pointers(const void *a, const void *b)
{
    const CniEcsArchetype *const *left = a, *const *right = b;
    return (*left > *right) - (*left < *right);
}

static const CniEcsArchetype *known_edge(const CniEcsArchetype *archetype, uint32_t component)
{
    const CniEcsArchetypeEdge *edge = cni_ecs_archetype_edge(archetype, component);
    return edge ? edge->to : NULL;
}

/* The plan of an edge copies every column that both ends have, sizes in the order of the counts. */
static bool check_plan(const CniEcsArchetype *archetype, const CniEcsArchetypeEdge *edge,
                       uint32_t n)
{
    static const uint32_t sizes[CNI_ECS_STEPS_ANY] = {12, 4, 8, 16};
    const CniEcsCopyPlan *plan = edge->plan;
    uint32_t shared = 0, step = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++)
        shared += cni_ecs_archetype_column(edge->to, archetype->columns[c].component) != NULL;
    REQUIRE(plan->count == shared, "edge %u of archetype %u has %u steps, not %u", edge->component,
            n, plan->count, shared);
    for (uint32_t size_class = 0; size_class < CNI_ECS_STEP_SIZES; size_class++)
        for (uint32_t i = 0; i < plan->counts[size_class]; i++, step++) {
            const CniEcsCopyStep *copy = &plan->steps[step];
            const CniEcsColumn *from = cni_ecs_archetype_column(archetype, copy->component);
            const CniEcsColumn *to = cni_ecs_archetype_column(edge->to, copy->component);
            REQUIRE(step < shared && from && to && copy->from == from->offset &&
                        copy->to == to->offset && copy->size == to->size &&
                        (size_class == CNI_ECS_STEPS_ANY || copy->size == sizes[size_class]) &&
                        (i == 0 || copy[-1].component < copy->component),
                    "edge %u of archetype %u has a wrong step", edge->component, n);
        }
    REQUIRE(step == shared, "edge %u of archetype %u counts %u steps, not %u", edge->component, n,
            step, shared);
    return true;
}

static bool check_edge(const CniEcsArchetype *archetype, const CniEcsArchetypeEdge *edge,
                       uint32_t n)
{
    bool adds = cni_ecs_archetype_has(edge->to, edge->component);
    bool is_slow = !edge->plan || cni_ecs_move_calls(archetype, edge->to);
    CniEcsEdgeKind edge_kind = is_slow ? CNI_ECS_EDGE_SLOW
                               : adds  ? CNI_ECS_EDGE_ADDS
                                       : CNI_ECS_EDGE_REMOVES;
    REQUIRE(edge->edge_kind == edge_kind, "edge %u of archetype %u goes way %d, not %d",
            edge->component, n, (int)edge->edge_kind, (int)edge_kind);
    if (!edge->plan)
        return true;
    REQUIRE(!archetype->has_field_columns && !edge->to->has_field_columns,
            "edge %u of archetype %u cannot have a plan", edge->component, n);
    const CniEcsColumn *column =
        cni_ecs_archetype_column(adds ? edge->to : archetype, edge->component);
    REQUIRE(edge->plan->size == (column ? column->size : 0) &&
                (!column || edge->plan->offset == column->offset),
            "edge %u of archetype %u has a wrong column", edge->component, n);
    return check_plan(archetype, edge, n);
}

static bool check_edges_of(const CnWorld *world, CniEcsArchetype *const *known,
                           const CniEcsArchetype *archetype, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; archetype->edge_mask && i <= archetype->edge_mask; i++) {
        uint32_t component = archetype->edges[i].component;
        if (!component)
            continue;
        count++;
        CniEcsArchetype *to = archetype->edges[i].to;
        REQUIRE(bsearch(&to, known, world->archetypes.count, sizeof to, compare_pointers),
                "edge %u of archetype %u leads nowhere", component, n);
        REQUIRE(is_toggled(world, archetype, to, component),
                "edge %u of archetype %u leads to the wrong one", component, n);
        REQUIRE(known_edge(archetype, component) == to, "edge %u of archetype %u is not found",
                component, n);
        REQUIRE(known_edge(to, component) == archetype, "edge %u of archetype %u has no way back",
                component, n);
        if (!check_edge(archetype, &archetype->edges[i], n))
            return false;
    }
    REQUIRE(count == archetype->edge_count, "archetype %u counts %u edges and has %u", n,
            archetype->edge_count, count);
    return true;
}

bool check_edges(const CnWorld *world)
{
    size_t bytes = world->archetypes.count * sizeof(CniEcsArchetype *);
    CniEcsArchetype **known = malloc(bytes);
    REQUIRE(known, "no memory for the check");
    memcpy(known, world->archetypes.items, bytes);
    qsort(known, world->archetypes.count, sizeof *known, compare_pointers);
    bool sound = true;
    for (uint32_t n = 0; n < world->archetypes.count && sound; n++)
        sound = check_edges_of(world, known, world->archetypes.items[n], n);
    free(known);
    return sound;
}

/* ---- Chunks ---- */

static bool check_rows(const CnWorld *world, const CniEcsChunk *chunk, uint32_t id)
{
    for (uint32_t row = 0; row < chunk->count; row++) {
        CnEntity entity = cni_ecs_chunk_entities(chunk)[row];
        const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
        REQUIRE(slot, "row %u of chunk %u belongs to the dead", row, id);
        REQUIRE(slot->location == cni_ecs_row_ref_pack((CniEcsRowRef){id, row}),
                "row %u of chunk %u belongs to an entity that is elsewhere", row, id);
    }
    return true;
}

/* Where the chunk lies in its extent; `parts` collects the parts of all extents that are in use. */
static bool check_extent(const CnWorld *world, uint32_t *parts, const CniEcsArchetype *archetype,
                         const CniEcsChunk *chunk, uint32_t id)
{
    uint32_t full = archetype->full_capacity, stride = archetype->head.stride;
    uint32_t extent = world->chunk_extents.items[id];
    REQUIRE(chunk->capacity == (stride < full ? stride : full),
            "chunk %u has room for %u of %u rows", id, chunk->capacity, stride);
    REQUIRE((extent != CNI_ECS_ABSENT) == (stride > full), "chunk %u has the wrong extent", id);
    REQUIRE(stride == archetype->extent_capacity || chunk->first == chunk->position * full,
            "chunk %u of a growing extent is not in its place", id);
    if (extent == CNI_ECS_ABSENT) {
        REQUIRE(chunk->first == 0, "chunk %u begins at row %u", id, chunk->first);
        return true;
    }
    uint32_t part = chunk->first / full;
    REQUIRE(extent < world->extents.count, "chunk %u has extent %u of %u", id, extent,
            world->extents.count);
    REQUIRE(chunk->first % full == 0 && chunk->first + full <= stride, "chunk %u begins at row %u",
            id, chunk->first);
    REQUIRE(!(parts[extent] >> part & 1u), "chunk %u shares its rows", id);
    parts[extent] |= 1u << part;
    return true;
}

/* `parts`: what chunks use of each extent. */
static bool check_extents(const CnWorld *world, const uint32_t *parts)
{
    uint32_t in_use = 0, free_count = 0;
    for (uint32_t i = 0; i < world->extents.count; i++) {
        in_use += parts[i] != 0;
        REQUIRE(!parts[i] || parts[i] == world->extents.items[i],
                "parts %x of extent %u are in use, not %x", parts[i], i, world->extents.items[i]);
    }
    for (uint32_t next = world->free_extent; next; next = world->extents.items[next - 1]) {
        REQUIRE(next <= world->extents.count && !parts[next - 1], "extent %u is free and in use",
                next - 1);
        REQUIRE(free_count++ < world->extents.count, "the free extents form a cycle");
    }
    REQUIRE(in_use + free_count == world->extents.count, "%u of %u extents are lost",
            world->extents.count - in_use - free_count, world->extents.count);
    return true;
}

static bool check_list(const CnWorld *world, uint8_t *owned, uint32_t *parts,
                       const CniEcsArchetype *archetype, uint32_t n)
{
    const CniEcsArchetypeHead *head = &archetype->head;
    uint32_t listed = archetype->has_spare ? 1 : head->chunk_count;
    REQUIRE(!archetype->has_spare || !head->chunk_count, "archetype %u has a spare and rows", n);
    REQUIRE(listed <= archetype->chunk_capacity, "archetype %u lists more than it can", n);
    REQUIRE(head->tail ==
                (head->chunk_count ? head->chunk_ids[head->chunk_count - 1] : CNI_ECS_NO_CHUNK),
            "archetype %u has the wrong tail", n);
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t id = head->chunk_ids[i];
        REQUIRE(id < world->chunks.count, "archetype %u lists chunk %u of %u", n, id,
                world->chunks.count);
        REQUIRE(!owned[id], "chunk %u has two owners", id);
        owned[id] = 1;
        const CniEcsChunk *chunk = &world->chunks.items[id];
        REQUIRE(chunk->data && chunk->archetype == head && chunk->position == i,
                "chunk %u does not know archetype %u", id, n);
        REQUIRE(chunk->capacity && chunk->count <= chunk->capacity &&
                    chunk->capacity <= archetype->full_capacity,
                "chunk %u has %u of %u rows", id, chunk->count, chunk->capacity);
        if (!check_extent(world, parts, archetype, chunk, id))
            return false;
        REQUIRE((chunk->count == 0) == archetype->has_spare, "chunk %u of archetype %u is empty",
                id, n);
        REQUIRE(i + 1 == listed || chunk->count == archetype->full_capacity,
                "chunk %u is not full and not the last", id);
        REQUIRE(chunk->changed <= world->head.tick, "chunk %u changed in the future", id);
        for (uint32_t c = 0; c < CNI_ECS_CACHED_COLUMNS; c++) {
            uint32_t component = chunk->near_components[c];
            const CniEcsColumn *column = cni_ecs_archetype_column(archetype, component);
            REQUIRE(
                component % CNI_ECS_CACHED_COLUMNS != c ||
                    (column && !column->field_count &&
                     chunk->data + chunk->near_offsets[c] == cni_ecs_column_values(chunk, column) &&
                     chunk->near_sizes[c] == column->size),
                "chunk %u has a wrong column in its record", id);
        }
        for (uint32_t t = 0; t < head->tick_stride; t++)
            REQUIRE(head->ticks[(size_t)i * head->tick_stride + t] <= world->head.tick,
                    "a column of chunk %u changed in the future", id);
        if (!check_rows(world, chunk, id))
            return false;
    }
    return true;
}

static bool check_owned(const CnWorld *world, uint8_t *owned, uint32_t *parts)
{
    for (uint32_t n = 0; n < world->archetypes.count; n++) {
        const CniEcsArchetype *archetype = world->archetypes.items[n];
        if (!check_list(world, owned, parts, archetype, n))
            return false;
        REQUIRE(!archetype->has_spare || archetype->head.stride <= archetype->full_capacity ||
                    world->large_spare == archetype,
                "archetype %u keeps a large spare", n);
    }
    if (!check_extents(world, parts))
        return false;
    for (uint32_t i = 0; i < world->free_chunks.count; i++) {
        uint32_t id = world->free_chunks.items[i];
        REQUIRE(id < world->chunks.count && !owned[id], "chunk %u is free and in use", id);
        owned[id] = 1;
        REQUIRE(!world->chunks.items[id].data, "free chunk %u has memory", id);
    }
    for (uint32_t id = 0; id < world->chunks.count; id++)
        REQUIRE(owned[id], "chunk %u is lost", id);
    REQUIRE(world->free_chunks.capacity >= world->chunks.count,
            "there is no room for freed chunks");
    return true;
}

bool check_chunks(const CnWorld *world)
{
    REQUIRE(world->head.chunks == world->chunks.items, "inline functions read old chunks");
    uint8_t *owned = calloc(world->chunks.count + 1u, 1);
    uint32_t *parts = calloc(world->extents.count + 1u, sizeof *parts);
    bool has_memory = owned && parts, sound = has_memory && check_owned(world, owned, parts);
    free(owned);
    free(parts);
    REQUIRE(has_memory, "no memory for the check");
    return sound;
}

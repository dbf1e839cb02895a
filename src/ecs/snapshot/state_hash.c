#include "ecs/snapshot/snapshot_format.h"

/* The state of the streaming hash is on the stack. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

typedef XXH3_state_t Hasher;

static void hash_begin(Hasher *hasher)
{
    XXH3_64bits_reset(hasher);
}

static uint64_t hash_end(const Hasher *hasher)
{
    return XXH3_64bits_digest(hasher);
}

static void add_bytes(Hasher *hasher, const void *bytes, size_t size)
{
    if (size)
        XXH3_64bits_update(hasher, bytes, size);
}

static void add_u64(Hasher *hasher, uint64_t value)
{
    add_bytes(hasher, &value, sizeof value);
}

static void add_text(Hasher *hasher, const char *text)
{
    size_t size = strlen(text);
    add_u64(hasher, size);
    add_bytes(hasher, text, size);
}

/* ---- Values ---- */

/* Adds name and fields, and the target of a pair. */
static void add_description(Hasher *hasher, const CnComponentInfo *info)
{
    add_text(hasher, info->name);
    add_u64(hasher, info->pair_target.id);
    add_u64(hasher, info->field_count);
    for (uint32_t f = 0; f < info->field_count; f++) {
        add_text(hasher, info->fields[f].name);
        add_u64(hasher, (uint64_t)info->fields[f].type << 32 | info->fields[f].count);
    }
}

/* Adds consecutive values, each as its fields in order of description, without padding, in either
 * layout. `columns` contains the location of each field. */
static void add_values(Hasher *hasher, const CnComponentInfo *info,
                       const CniEcsFieldColumn *columns, uint32_t count)
{
    uint8_t buffer[CN_MAX_COMPONENT_BYTES];
    uint32_t bytes = 0;
    for (uint32_t f = 0; f < info->field_count; f++)
        bytes += info->fields[f].size;
    /* About as much as the L1 cache can hold in addition to the columns. */
    uint32_t batch = bytes < 8192 ? 8192 / bytes : 1;
    for (uint32_t row = 0; row < count; row += batch) {
        uint32_t rows = count - row < batch ? count - row : batch, offset = 0;
        for (uint32_t f = 0; f < info->field_count; f++) {
            const CnField *field = &info->fields[f];
            cni_ecs_field_copy(field->type, field->size, buffer + offset, bytes,
                               columns[f].first + row * columns[f].step, columns[f].step, rows);
            offset += field->size;
        }
        add_bytes(hasher, buffer, (size_t)rows * bytes);
    }
}

static void add_chunk(Hasher *hasher, const CniEcsComponent *component, const CniEcsChunk *chunk,
                      const CniEcsColumn *column)
{
    const CnComponentInfo *info = &component->info;
    bool in_order = !column->field_count || column->field_count == 1;
    if (in_order && cni_ecs_component_has_no_padding(component)) {
        add_bytes(hasher, cni_ecs_column_values(chunk, column), (size_t)chunk->count * info->size);
        return;
    }
    CniEcsFieldColumn columns[CN_MAX_FIELDS];
    for (uint32_t f = 0; f < info->field_count; f++)
        columns[f] = cni_ecs_field_column(chunk, column, &info->fields[f]);
    add_values(hasher, info, columns, chunk->count);
}

static void add_resource(Hasher *hasher, const CniEcsComponent *component)
{
    const CnComponentInfo *info = &component->info;
    CniEcsFieldColumn columns[CN_MAX_FIELDS];
    for (uint32_t f = 0; f < info->field_count; f++)
        columns[f] =
            (CniEcsFieldColumn){(uint8_t *)component->resource + info->fields[f].offset, 0};
    if (info->field_count)
        add_values(hasher, info, columns, 1);
}

static void add_entities(Hasher *hasher, const CniEcsArchetypeGroup *group)
{
    CniEcsArchetypeGroupChunks chunks = cni_ecs_archetype_group_chunks(group);
    for (const CniEcsChunk *chunk; (chunk = cni_ecs_archetype_group_chunk_next(&chunks));)
        add_bytes(hasher, cni_ecs_chunk_entities(chunk), chunk->count * sizeof(CnEntity));
}

static void add_column(Hasher *hasher, const CniEcsArchetypeGroup *group, uint32_t id)
{
    const CniEcsComponent *component = &group->world->components.items[id];
    if (!component->info.field_count)
        return;
    CniEcsArchetypeGroupChunks chunks = cni_ecs_archetype_group_chunks(group);
    for (const CniEcsChunk *chunk; (chunk = cni_ecs_archetype_group_chunk_next(&chunks));)
        add_chunk(hasher, component, chunk, cni_ecs_archetype_column(chunks.archetype, id));
}

/* ---- The whole world ---- */

static void add_numbers(const uint32_t *numbers, uint32_t count, void *user)
{
    add_bytes(user, numbers, count * sizeof *numbers);
}

static void add_slots(Hasher *hasher, const CnWorld *world)
{
    const CniEcsSlots *slots = &world->slots;
    bool fresh = slots->fresh_next < slots->fresh_end;
    add_u64(hasher, slots->first_generation);
    add_u64(hasher, (uint64_t)world->head.page_count << 32 | slots->holes.count);
    add_bytes(hasher, slots->holes.items, slots->holes.count * sizeof(uint32_t));
    add_u64(hasher, fresh ? (uint64_t)slots->fresh_end << 32 | slots->fresh_next : 0);
    uint32_t generations[CNI_ECS_PAGE_SLOTS];
    for (uint32_t page = 0; page < world->head.page_count; page++)
        add_bytes(hasher, generations,
                  cni_ecs_slots_generations(slots, page, generations) * sizeof *generations);
    Hasher part;
    hash_begin(&part);
    cni_ecs_slots_each_free(world, add_numbers, &part);
    add_u64(hasher, hash_end(&part));
}

/* Component hashes are summed, because their order, which is that of registration, must not
 * matter. */
static void add_group(Hasher *hasher, const CniEcsArchetypeGroup *group)
{
    const CnWorld *world = group->world;
    Hasher part;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < group->leader->id_count; i++) {
        uint32_t id = group->leader->ids[i];
        if (!cni_ecs_component_is_saved(world, id))
            continue;
        hash_begin(&part);
        add_description(&part, &world->components.items[id].info);
        add_column(&part, group, id);
        sum += hash_end(&part);
    }
    hash_begin(&part);
    add_entities(&part, group);
    add_u64(hasher, (uint64_t)group->component_count << 32 | group->row_count);
    add_u64(hasher, sum);
    add_u64(hasher, hash_end(&part));
}

uint64_t cn_world_hash(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Hasher hasher;
    hash_begin(&hasher);
    add_slots(&hasher, world);
    CniEcsArchetypeGroup group;
    for (CniEcsArchetypeGroupIter iter = cni_ecs_archetype_groups(world);
         cni_ecs_archetype_group_next(&iter, &group);)
        if (group.row_count)
            add_group(&hasher, &group);
    for (uint32_t i = 0; i < world->resources.count; i++) {
        uint32_t id = world->resources.items[i];
        const CniEcsComponent *component = cni_ecs_component_get(world, id);
        if (!component || !component->resource || !cni_ecs_component_is_saved(world, id))
            continue;
        add_description(&hasher, &component->info);
        add_resource(&hasher, component);
    }
    return hash_end(&hasher);
}

uint64_t cn_world_hash_entities(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Hasher hasher;
    hash_begin(&hasher);
    CniEcsArchetypeGroup group;
    for (CniEcsArchetypeGroupIter iter = cni_ecs_archetype_groups(world);
         cni_ecs_archetype_group_next(&iter, &group);)
        add_entities(&hasher, &group);
    return hash_end(&hasher);
}

uint64_t cn_world_hash_component(const CnWorld *world, CnComponent id)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    if (!component || !cni_ecs_component_is_saved(world, id.id))
        return 0;
    bool merges = cni_ecs_archetype_groups_merge(world);
    Hasher entities, values;
    hash_begin(&entities);
    hash_begin(&values);
    add_description(&values, &component->info);
    for (uint32_t i = 0; i < component->archetypes.count; i++) {
        const CniEcsArchetype *archetype = component->archetypes.items[i].archetype;
        CniEcsArchetypeGroup group = cni_ecs_archetype_group_of(world, archetype, merges);
        if (group.leader != archetype)
            continue;
        add_entities(&entities, &group);
        add_column(&values, &group, id.id);
    }
    add_u64(&values, hash_end(&entities));
    if (component->resource)
        add_resource(&values, component);
    /* Summed, because the order of pair ids must not matter. */
    uint64_t pairs = 0;
    for (uint32_t pair = cn_bitset_next(&component->pairs, 0); pair != CN_BITSET_NONE;
         pair = cn_bitset_next(&component->pairs, pair + 1))
        pairs += cn_world_hash_component(world, (CnComponent){pair});
    return hash_end(&values) + pairs;
}

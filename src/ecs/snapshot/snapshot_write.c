#include "ecs/snapshot/snapshot_format.h"

#include <stdlib.h>

/* ---- Writing ---- */

/* Counts bytes first, then writes them. */
typedef struct SnapshotWriter {
    uint8_t *bytes; /* NULL: only count */
    size_t size;
} SnapshotWriter;

static void put(SnapshotWriter *writer, const void *data, size_t size)
{
    if (writer->bytes && size)
        memcpy(writer->bytes + writer->size, data, size);
    writer->size += size;
}

static void put_u8(SnapshotWriter *writer, uint8_t value)
{
    put(writer, &value, sizeof value);
}

static void put_u32(SnapshotWriter *writer, uint32_t value)
{
    put(writer, &value, sizeof value);
}

static void put_u64(SnapshotWriter *writer, uint64_t value)
{
    put(writer, &value, sizeof value);
}

static void put_name(SnapshotWriter *writer, const char *name)
{
    size_t size = strlen(name);
    put_u8(writer, (uint8_t)size);
    put(writer, name, size);
}

/* Overwrites a value written before. */
static void put_u32_at(SnapshotWriter *writer, size_t at, uint32_t value)
{
    if (writer->bytes)
        memcpy(writer->bytes + at, &value, sizeof value);
}

/* ---- Slots ---- */

static void put_numbers(const uint32_t *numbers, uint32_t count, void *user)
{
    put(user, numbers, count * sizeof *numbers);
}

static void put_slots(SnapshotWriter *writer, const CnWorld *world)
{
    const CniEcsSlots *slots = &world->slots;
    bool fresh = slots->fresh_next < slots->fresh_end;
    put_u32(writer, slots->first_generation);
    put_u32(writer, slots->head->page_count);
    put_u32(writer, slots->holes.count);
    put(writer, slots->holes.items, slots->holes.count * sizeof(uint32_t));
    put_u32(writer, fresh ? slots->fresh_next : 0);
    put_u32(writer, fresh ? slots->fresh_end : 0);
    uint32_t generations[CNI_ECS_PAGE_SLOTS];
    for (uint32_t page = 0; page < slots->head->page_count; page++)
        put(writer, generations,
            cni_ecs_slots_generations(slots, page, generations) * sizeof *generations);
    size_t count_at = writer->size;
    put_u32(writer, 0);
    cni_ecs_slots_each_free(world, put_numbers, writer);
    put_u32_at(writer, count_at, (uint32_t)((writer->size - count_at) / sizeof(uint32_t)) - 1u);
}

static void put_buffers(SnapshotWriter *writer, const CnWorld *world)
{
    bool fits = world->spawning_buffers <= CNI_ECS_SNAPSHOT_MAX_RANK;
    put_u32(writer, fits ? world->spawning_buffers : 0);
    put_u32(writer, fits ? world->commands.count : 0);
    for (uint32_t i = 0; i < world->commands.count && fits; i++)
        put_u32(writer, world->commands.items[i]->rank);
}

/* ---- Components ---- */

/* A saved component and its sort key. */
typedef struct Entry {
    const char *name;
    uint64_t target; /* index and generation; 0 if it is not a pair */
    uint32_t id;
} Entry;

/* The table of saved components: plain components, then pairs. */
typedef struct Table {
    Entry *entries;
    uint32_t *places; /* by component id: its table position + 1, or 0 */
    uint32_t plain_count, pair_count;
} Table;

static const CnComponentInfo *info_of(const CnWorld *world, uint32_t id)
{
    return &world->components.items[id].info;
}

static void mark(const CnWorld *world, Table *table, uint32_t id)
{
    if (!cni_ecs_component_get(world, id) || !cni_ecs_component_is_saved(world, id))
        return;
    table->places[id] = 1;
    if (info_of(world, id)->pair_kind.id)
        table->places[info_of(world, id)->pair_kind.id] = 1;
}

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (!x->target != !y->target)
        return x->target ? 1 : -1;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->target > y->target) - (x->target < y->target);
}

static void table_free(const CnWorld *world, Table *table)
{
    cn_free(world->allocator, table->places, world->components.count * sizeof *table->places);
    cn_free(world->allocator, table->entries, world->components.count * sizeof *table->entries);
}

static bool make_table(const CnWorld *world, Table *table)
{
    uint32_t limit = world->components.count, count = 0;
    table->places = cn_alloc_zeroed(world->allocator, limit * sizeof *table->places);
    table->entries = cn_alloc(world->allocator, limit * sizeof *table->entries);
    if (limit && (!table->places || !table->entries))
        return false;
    for (uint32_t id = 1; id < limit; id++)
        if (world->components.items[id].archetypes.count || world->components.items[id].resource)
            mark(world, table, id);
    for (uint32_t id = 1; id < limit; id++) {
        if (!table->places[id])
            continue;
        const CnComponentInfo *info = info_of(world, id);
        CnEntity target = info->pair_target;
        table->entries[count++] = (Entry){
            info->name, (uint64_t)cn_entity_index(target) << 32 | cn_entity_generation(target), id};
        table->plain_count += !target.id;
        table->pair_count += target.id != 0;
    }
    if (count)
        qsort(table->entries, count, sizeof *table->entries, compare_entries);
    for (uint32_t i = 0; i < count; i++)
        table->places[table->entries[i].id] = i + 1;
    return true;
}

static void put_component(SnapshotWriter *writer, const CniEcsComponent *component)
{
    const CnComponentInfo *info = &component->info;
    put_name(writer, info->name);
    put_u8(writer, (uint8_t)info->field_count);
    for (uint32_t f = 0; f < info->field_count; f++) {
        put_name(writer, info->fields[f].name);
        put_u8(writer, (uint8_t)info->fields[f].type);
        put_u32(writer, info->fields[f].count);
    }
}

static void put_components(SnapshotWriter *writer, const CnWorld *world, const Table *table)
{
    put_u32(writer, table->plain_count);
    put_u32(writer, table->pair_count);
    for (uint32_t i = 0; i < table->plain_count; i++)
        put_component(writer, &world->components.items[table->entries[i].id]);
    for (uint32_t i = 0; i < table->pair_count; i++) {
        const CnComponentInfo *info = info_of(world, table->entries[table->plain_count + i].id);
        put_u32(writer, table->places[info->pair_kind.id] - 1);
        put_u64(writer, info->pair_target.id);
    }
}

/* ---- Rows ---- */

static void put_column(SnapshotWriter *writer, const CniEcsArchetypeGroup *group, uint32_t id,
                       const CnField *field)
{
    if (!writer->bytes) {
        writer->size += (size_t)group->row_count * field->size;
        return;
    }
    CniEcsArchetypeGroupChunks chunks = cni_ecs_archetype_group_chunks(group);
    for (const CniEcsChunk *chunk; (chunk = cni_ecs_archetype_group_chunk_next(&chunks));) {
        const CniEcsColumn *column = cni_ecs_archetype_column(chunks.archetype, id);
        CniEcsFieldColumn from = cni_ecs_field_column(chunk, column, field);
        cni_ecs_field_copy(field->type, field->size, writer->bytes + writer->size, field->size,
                           from.first, from.step, chunk->count);
        writer->size += (size_t)chunk->count * field->size;
    }
}

enum Part { PLAIN, PAIRS, PARTS };

static bool is_in_part(const CnWorld *world, const Table *table, uint32_t id, enum Part part)
{
    return table->places[id] && (info_of(world, id)->pair_kind.id != 0) == (part == PAIRS);
}

static void put_group(SnapshotWriter *writer, const CniEcsArchetypeGroup *group, const Table *table)
{
    const CnWorld *world = group->world;
    const CniEcsArchetype *archetype = group->leader;
    put_u32(writer, group->component_count);
    for (enum Part part = PLAIN; part < PARTS; part++)
        for (uint32_t i = 0; i < archetype->id_count; i++)
            if (is_in_part(world, table, archetype->ordered[i], part))
                put_u32(writer, table->places[archetype->ordered[i]] - 1);
    put_u32(writer, group->row_count);
    CniEcsArchetypeGroupChunks chunks = cni_ecs_archetype_group_chunks(group);
    for (const CniEcsChunk *chunk; (chunk = cni_ecs_archetype_group_chunk_next(&chunks));)
        put(writer, cni_ecs_chunk_entities(chunk), chunk->count * sizeof(CnEntity));
    for (enum Part part = PLAIN; part < PARTS; part++)
        for (uint32_t i = 0; i < archetype->id_count; i++) {
            if (!is_in_part(world, table, archetype->ordered[i], part))
                continue;
            const CnComponentInfo *info = info_of(world, archetype->ordered[i]);
            for (uint32_t f = 0; f < info->field_count; f++)
                put_column(writer, group, archetype->ordered[i], &info->fields[f]);
        }
}

static void put_archetypes(SnapshotWriter *writer, const CnWorld *world, const Table *table)
{
    size_t count_at = writer->size;
    uint32_t count = 0;
    put_u32(writer, 0);
    CniEcsArchetypeGroup group;
    for (CniEcsArchetypeGroupIter iter = cni_ecs_archetype_groups(world);
         cni_ecs_archetype_group_next(&iter, &group); count++)
        put_group(writer, &group, table);
    put_u32_at(writer, count_at, count);
}

static void put_resources(SnapshotWriter *writer, const CnWorld *world, const Table *table)
{
    size_t count_at = writer->size;
    uint32_t count = 0;
    put_u32(writer, 0);
    for (uint32_t i = 0; i < world->resources.count; i++) {
        uint32_t id = world->resources.items[i];
        const CniEcsComponent *component = cni_ecs_component_get(world, id);
        if (!component || !component->resource || !table->places[id])
            continue;
        put_u32(writer, table->places[id] - 1);
        for (uint32_t f = 0; f < component->info.field_count; f++) {
            const CnField *field = &component->info.fields[f];
            if (writer->bytes)
                cni_ecs_field_copy(
                    field->type, field->size, writer->bytes + writer->size, field->size,
                    (const uint8_t *)component->resource + field->offset, field->size, 1);
            writer->size += field->size;
        }
        count++;
    }
    put_u32_at(writer, count_at, count);
}

/* ---- Saving ---- */

static void put_world(SnapshotWriter *writer, const CnWorld *world, const Table *table)
{
    put(writer, CNI_ECS_SNAPSHOT_MAGIC, CNI_ECS_SNAPSHOT_MAGIC_BYTES);
    put_u32(writer, CNI_ECS_SNAPSHOT_VERSION);
    put_slots(writer, world);
    put_buffers(writer, world);
    put_components(writer, world, table);
    put_archetypes(writer, world, table);
    put_resources(writer, world, table);
    put_u64(writer, writer->bytes ? cn_hash_bytes(writer->bytes, writer->size, 0) : 0);
}

bool cn_world_save(const CnWorld *world, CnSnapshot *snapshot, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(snapshot, "%s: snapshot is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    *snapshot = (CnSnapshot){.allocator = world->allocator};
    if (world->hook_depth || world->flushing)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "a world cannot be saved in a hook or a flush");
    Table table = {0};
    SnapshotWriter writer = {0};
    if (make_table(world, &table)) {
        put_world(&writer, world, &table);
        writer.bytes = cn_alloc(world->allocator, writer.size);
    }
    if (writer.bytes) {
        snapshot->bytes = writer.bytes;
        snapshot->size = snapshot->capacity = writer.size;
        writer.size = 0;
        put_world(&writer, world, &table);
    }
    table_free(world, &table);
    return snapshot->bytes || cn_error_memory(error, "saving the world");
}

void cn_snapshot_free(CnSnapshot *snapshot)
{
    cn_free(snapshot->allocator, snapshot->bytes, snapshot->capacity);
    *snapshot = (CnSnapshot){.allocator = snapshot->allocator};
}

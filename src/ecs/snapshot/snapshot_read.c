#include "ecs/snapshot/snapshot_format.h"

#include <stdarg.h>

/* ---- Reading ---- */

typedef struct Reader {
    const uint8_t *bytes;
    size_t size, at;
    CnError *error;
} Reader;

static bool fail(const Reader *reader, CnErrorCode code, size_t at, const char *format, ...)
    CN_PRINTF_LIKE(4, 5);

static bool fail(const Reader *reader, CnErrorCode code, size_t at, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    cn_error_set(reader->error, code, "snapshot, byte %zu: %s", at, message);
    return false;
}

static bool out_of_memory(const Reader *reader)
{
    return cn_error_memory(reader->error, "reading the snapshot");
}

static size_t left(const Reader *reader)
{
    return reader->size - reader->at;
}

/* Takes `count` items of `bytes` each without copying them; NULL if the data is too short. */
static const uint8_t *take(Reader *reader, uint64_t count, uint64_t bytes, const char *what)
{
    if (bytes && count > left(reader) / bytes) {
        fail(reader, CN_ERROR_FORMAT, reader->at, "the data ends within %s", what);
        return NULL;
    }
    const uint8_t *items = reader->bytes + reader->at;
    reader->at += (size_t)(count * bytes);
    return items;
}

static bool take_u8(Reader *reader, uint32_t *value, const char *what)
{
    const uint8_t *bytes = take(reader, 1, 1, what);
    if (bytes)
        *value = *bytes;
    return bytes != NULL;
}

static bool take_u32(Reader *reader, uint32_t *value, const char *what)
{
    const uint8_t *bytes = take(reader, 1, sizeof *value, what);
    if (bytes)
        *value = cn_load_u32(bytes);
    return bytes != NULL;
}

/* Reads the number of items, each of which needs at least `bytes`. */
static bool take_count(Reader *reader, uint32_t *count, size_t bytes, const char *what)
{
    if (!take_u32(reader, count, what))
        return false;
    if (*count > left(reader) / bytes)
        return fail(reader, CN_ERROR_FORMAT, reader->at - 4, "the data is too short for %u %s",
                    *count, what);
    return true;
}

static bool take_name(Reader *reader, CnText *name, const char *what)
{
    size_t at = reader->at;
    uint32_t size;
    const uint8_t *bytes;
    if (!take_u8(reader, &size, what) || !(bytes = take(reader, size, 1, what)))
        return false;
    *name = (CnText){(const char *)bytes, size};
    if (!size || size >= CN_MAX_NAME_BYTES || memchr(bytes, 0, size) || !cn_text_is_utf8(*name))
        return fail(reader, CN_ERROR_FORMAT, at, "%s is not 1 to %u bytes of UTF-8", what,
                    CN_MAX_NAME_BYTES - 1);
    return true;
}

/* ---- Slots ---- */

static bool is_fresh(const CniEcsSavedWorld *saved, uint32_t index)
{
    return index >= saved->fresh_next && index < saved->fresh_end;
}

uint32_t cni_ecs_saved_slot(const CniEcsSavedWorld *saved, uint32_t index)
{
    uint32_t page = index / CNI_ECS_PAGE_SLOTS;
    if (page >= saved->page_count || saved->page_order[page] == UINT32_MAX)
        return UINT32_MAX;
    return saved->page_order[page] * CNI_ECS_PAGE_SLOTS + index % CNI_ECS_PAGE_SLOTS;
}

uint32_t cni_ecs_saved_generation(const CniEcsSavedWorld *saved, uint32_t slot)
{
    if (saved->fresh_next < saved->fresh_end) {
        uint32_t first = cni_ecs_saved_slot(saved, saved->fresh_next);
        uint32_t count = saved->fresh_end - saved->fresh_next;
        if (slot >= first && slot - first < count)
            return saved->first_generation - 1;
        slot -= slot >= first ? count : 0;
    }
    return cn_load_u32(saved->generations + (size_t)slot * sizeof(uint32_t));
}

bool cni_ecs_saved_is_alive(const CniEcsSavedWorld *saved, CnEntity entity)
{
    uint32_t slot = cni_ecs_saved_slot(saved, cn_entity_index(entity));
    return slot != UINT32_MAX && (cn_entity_generation(entity) & 1u) &&
           cni_ecs_saved_generation(saved, slot) == cn_entity_generation(entity);
}

static bool read_pages(CniEcsSavedWorld *saved, Reader *reader)
{
    size_t at = reader->at;
    if (!take_u32(reader, &saved->first_generation, "the slots") ||
        !take_u32(reader, &saved->page_count, "the slots") ||
        !take_count(reader, &saved->hole_count, sizeof(uint32_t), "absent pages") ||
        !(saved->holes = take(reader, saved->hole_count, sizeof(uint32_t), "the absent pages")))
        return false;
    if (!(saved->first_generation & 1u))
        return fail(reader, CN_ERROR_FORMAT, at, "the first generation, %u, is not odd",
                    saved->first_generation);
    /* A page is either in the list or has generations in the data, so the data bounds the number of
     * pages. */
    uint64_t most = saved->hole_count + left(reader) / (CNI_ECS_PAGE_SLOTS * sizeof(uint32_t)) + 1;
    if (saved->page_count > most || saved->page_count > CN_MAX_ENTITIES / CNI_ECS_PAGE_SLOTS ||
        (saved->hole_count && saved->hole_count >= saved->page_count))
        return fail(reader, CN_ERROR_FORMAT, at + 4, "%u pages, %u of them absent, are invalid",
                    saved->page_count, saved->hole_count);
    if (!saved->page_count)
        return true;
    saved->page_order =
        cn_alloc_zeroed(saved->allocator, saved->page_count * sizeof *saved->page_order);
    if (!saved->page_order)
        return out_of_memory(reader);
    for (uint32_t i = 0; i < saved->hole_count; i++) {
        uint32_t page = cn_load_u32(saved->holes + (size_t)i * sizeof page);
        if (page >= saved->page_count - 1 || saved->page_order[page] == UINT32_MAX)
            return fail(reader, CN_ERROR_FORMAT, at + 12 + (size_t)i * sizeof page,
                        "page %u cannot be absent", page);
        saved->page_order[page] = UINT32_MAX;
    }
    for (uint32_t page = 0; page < saved->page_count; page++)
        if (saved->page_order[page] != UINT32_MAX)
            saved->page_order[page] = saved->present_count++;
    return true;
}

static bool read_fresh(CniEcsSavedWorld *saved, Reader *reader)
{
    size_t at = reader->at;
    if (!take_u32(reader, &saved->fresh_next, "the slots") ||
        !take_u32(reader, &saved->fresh_end, "the slots"))
        return false;
    uint32_t next = saved->fresh_next, end = saved->fresh_end;
    bool is_none = next == 0 && end == 0;
    bool is_rest_of_page = next < end && end % CNI_ECS_PAGE_SLOTS == 0 &&
                           end - next <= CNI_ECS_PAGE_SLOTS &&
                           cni_ecs_saved_slot(saved, next) != UINT32_MAX;
    if (!is_none && !is_rest_of_page)
        return fail(reader, CN_ERROR_FORMAT, at, "slots %u to %u are not the rest of a page", next,
                    end);
    return true;
}

static bool read_free(CniEcsSavedWorld *saved, Reader *reader, CnBitSet *used)
{
    if (!take_count(reader, &saved->free_count, sizeof(uint32_t), "free slots"))
        return false;
    size_t at = reader->at;
    saved->free = take(reader, saved->free_count, sizeof(uint32_t), "the free slots");
    if (!saved->free)
        return false;
    for (uint32_t i = 0; i < saved->free_count; i++) {
        uint32_t index = cn_load_u32(saved->free + (size_t)i * sizeof index);
        uint32_t slot = cni_ecs_saved_slot(saved, index);
        bool good = slot != UINT32_MAX && !is_fresh(saved, index) && !cn_bitset_has(used, slot);
        uint32_t generation = good ? cni_ecs_saved_generation(saved, slot) : 0;
        bool is_retired = generation == 0 && saved->first_generation > 1;
        if (!good || is_retired || (generation & 1u))
            return fail(reader, CN_ERROR_FORMAT, at + (size_t)i * sizeof index,
                        "slot %u cannot be free", index);
        cn_bitset_set(used, slot);
    }
    return true;
}

/* A dead slot is free, or was retired because its generation wrapped to 0. */
static bool check_dead(const CniEcsSavedWorld *saved, const Reader *reader, const CnBitSet *used)
{
    for (uint32_t page = 0; page < saved->page_count; page++)
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS && saved->page_order[page] != UINT32_MAX; i++) {
            uint32_t index = page * CNI_ECS_PAGE_SLOTS + i, slot = cni_ecs_saved_slot(saved, index);
            uint32_t generation = cni_ecs_saved_generation(saved, slot);
            if (generation && !(generation & 1u) && !cn_bitset_has(used, slot) &&
                !is_fresh(saved, index))
                return fail(reader, CN_ERROR_FORMAT, reader->at,
                            "slot %u is neither alive nor free", index);
        }
    return true;
}

/* Sets a bit in `used` for every free slot. */
static bool read_slots(CniEcsSavedWorld *saved, Reader *reader, CnBitSet *used)
{
    if (!read_pages(saved, reader) || !read_fresh(saved, reader))
        return false;
    uint32_t fresh = saved->fresh_end - saved->fresh_next;
    uint64_t stored = (uint64_t)saved->present_count * CNI_ECS_PAGE_SLOTS - fresh;
    saved->generations = take(reader, stored, sizeof(uint32_t), "the generations");
    if (!saved->generations)
        return false;
    for (uint64_t i = 0; i < stored; i++)
        saved->alive += cn_load_u32(saved->generations + i * sizeof(uint32_t)) & 1u;
    if (saved->present_count && !cn_bitset_reserve(used, saved->present_count * CNI_ECS_PAGE_SLOTS))
        return out_of_memory(reader);
    if (!read_free(saved, reader, used) || !check_dead(saved, reader, used))
        return false;
    saved->retired = (uint32_t)stored - saved->alive - saved->free_count;
    return true;
}

/* ---- Command buffers ---- */

/* Ranks are unique; they determine the indices that buffers take. */
static bool read_buffers(CniEcsSavedWorld *saved, Reader *reader)
{
    size_t at = reader->at;
    if (!take_u32(reader, &saved->spawning_buffers, "the command buffers") ||
        !take_count(reader, &saved->buffer_count, sizeof(uint32_t), "command buffers"))
        return false;
    saved->ranks = take(reader, saved->buffer_count, sizeof(uint32_t), "the command buffers");
    if (!saved->ranks)
        return false;
    uint64_t seen[CNI_ECS_SNAPSHOT_MAX_RANK / 64 + 1] = {0};
    bool good = saved->spawning_buffers <= CNI_ECS_SNAPSHOT_MAX_RANK;
    for (uint32_t i = 0; i < saved->buffer_count && good; i++) {
        uint32_t rank = cn_load_u32(saved->ranks + (size_t)i * sizeof rank);
        if (!rank)
            continue;
        good = rank <= saved->spawning_buffers && !(seen[rank / 64] >> (rank % 64) & 1u);
        if (good)
            seen[rank / 64] |= (uint64_t)1 << (rank % 64);
    }
    return good || fail(reader, CN_ERROR_FORMAT, at, "the ranks of command buffers are invalid");
}

/* ---- Components ---- */

static bool read_field(CniEcsSavedWorld *saved, Reader *reader, CniEcsSavedComponent *component,
                       uint32_t *alignment)
{
    size_t at = reader->at;
    CniEcsSavedField field = {0};
    uint32_t type;
    if (!take_name(reader, &field.name, "the name of a field") ||
        !take_u8(reader, &type, "a field") || !take_u32(reader, &field.count, "a field"))
        return false;
    field.type = (CnFieldType)type;
    uint64_t size = (uint64_t)cn_field_type_size(field.type) * field.count;
    if (!size || size > CN_MAX_COMPONENT_BYTES - component->bytes)
        return fail(reader, CN_ERROR_FORMAT, at, "field %.*s.%.*s (type %u, count %u) is invalid",
                    (int)component->name.size, component->name.data, (int)field.name.size,
                    field.name.data, type, field.count);
    for (uint32_t f = component->first_field; f < saved->fields.count; f++)
        if (cn_text_equal(saved->fields.items[f].name, field.name))
            return fail(reader, CN_ERROR_FORMAT, at, "component %.*s has two fields %.*s",
                        (int)component->name.size, component->name.data, (int)field.name.size,
                        field.name.data);
    field.size = (uint32_t)size;
    component->bytes += field.size;
    uint32_t own = cni_ecs_field_alignment(field.type);
    *alignment = own > *alignment ? own : *alignment;
    component->size = ((component->size + own - 1) & ~(own - 1)) + field.size;
    return cn_array_push(&saved->fields, field) || out_of_memory(reader);
}

/* Whether a name has the form that cn_pair_any creates. */
static bool is_any_tag_name(CnText name)
{
    return cn_text_starts_with(name, cn_text("(")) && cn_text_ends_with(name, cn_text(",*)"));
}

static bool read_component(CniEcsSavedWorld *saved, Reader *reader, CnHashMap *names)
{
    CniEcsSavedComponent component = {.at = reader->at, .first_field = saved->fields.count};
    if (!take_name(reader, &component.name, "the name of a component") ||
        !take_u8(reader, &component.field_count, "a component"))
        return false;
    if (component.field_count > CN_MAX_FIELDS)
        return fail(reader, CN_ERROR_LIMIT, component.at,
                    "component %.*s has %u fields; the limit is %u", (int)component.name.size,
                    component.name.data, component.field_count, CN_MAX_FIELDS);
    if (is_any_tag_name(component.name))
        return fail(reader, CN_ERROR_FORMAT, component.at, "%.*s names a tag that follows pairs",
                    (int)component.name.size, component.name.data);
    uint64_t hash = cn_hash_keyed(component.name.data, component.name.size, 0);
    if (cn_hash_map_get(names, hash))
        return fail(reader, CN_ERROR_FORMAT, component.at, "component %.*s occurs twice",
                    (int)component.name.size, component.name.data);
    uint32_t alignment = 1;
    for (uint32_t f = 0; f < component.field_count; f++)
        if (!read_field(saved, reader, &component, &alignment))
            return false;
    component.size = (component.size + alignment - 1) & ~(alignment - 1);
    return (cn_hash_map_set(names, hash, NULL) && cn_array_push(&saved->components, component)) ||
           out_of_memory(reader);
}

static bool read_pair(CniEcsSavedWorld *saved, Reader *reader, CnHashMap *seen)
{
    CniEcsSavedPair pair = {.at = reader->at};
    const uint8_t *target;
    if (!take_u32(reader, &pair.kind, "a pair") ||
        !(target = take(reader, 1, sizeof pair.target, "a pair")))
        return false;
    pair.target.id = cn_load_u64(target);
    if (pair.kind >= saved->components.count)
        return fail(reader, CN_ERROR_FORMAT, pair.at, "a pair's kind is component %u of %u",
                    pair.kind, saved->components.count);
    if (!cni_ecs_saved_is_alive(saved, pair.target))
        return fail(reader, CN_ERROR_FORMAT, pair.at, "a pair's target, %u:%u, is not alive",
                    cn_entity_index(pair.target), cn_entity_generation(pair.target));
    uint64_t key = cni_ecs_pair_key(pair.kind, pair.target);
    if (cn_hash_map_get(seen, key))
        return fail(reader, CN_ERROR_FORMAT, pair.at, "a pair occurs twice");
    saved->components.items[pair.kind].is_kind = true;
    return (cn_hash_map_set(seen, key, NULL) && cn_array_push(&saved->pairs, pair)) ||
           out_of_memory(reader);
}

static bool read_components(CniEcsSavedWorld *saved, Reader *reader)
{
    uint32_t plain, pairs;
    if (!take_count(reader, &plain, 3, "components") || !take_count(reader, &pairs, 12, "pairs"))
        return false;
    if ((uint64_t)plain + pairs > CN_MAX_COMPONENTS)
        return fail(reader, CN_ERROR_LIMIT, reader->at - 8,
                    "%u components and %u pairs; the limit is %u", plain, pairs, CN_MAX_COMPONENTS);
    CnHashMap seen;
    cn_hash_map_init_keyed(&seen, saved->allocator, 0);
    bool good = true;
    for (uint32_t i = 0; i < plain && good; i++)
        good = read_component(saved, reader, &seen);
    cn_hash_map_clear(&seen);
    for (uint32_t i = 0; i < pairs && good; i++)
        good = read_pair(saved, reader, &seen);
    cn_hash_map_fini(&seen);
    return good;
}

/* ---- Archetypes ---- */

static bool same_components(const CniEcsSavedArchetype *a, const CniEcsSavedArchetype *b)
{
    return a->component_count == b->component_count &&
           !memcmp(a->components, b->components, a->component_count * sizeof(uint32_t));
}

/* Adds the archetype to the set of known ones. Returns false if its components are already in the
 * set. */
static bool enter_archetype(CniEcsSavedWorld *saved, Reader *reader,
                            const CniEcsSavedArchetype *archetype, CnHashMap *seen)
{
    uint64_t key =
        cn_hash_keyed(archetype->components, archetype->component_count * sizeof(uint32_t), 0);
    for (const uint32_t *found; (found = cn_hash_map_get(seen, key)); key++)
        if (same_components(&saved->archetypes.items[*found], archetype))
            return fail(reader, CN_ERROR_FORMAT, archetype->at, "an archetype occurs twice");
    return (cn_hash_map_set(seen, key, &saved->archetypes.count) &&
            cn_array_push(&saved->archetypes, *archetype)) ||
           out_of_memory(reader);
}

static bool check_rows(const CniEcsSavedWorld *saved, const Reader *reader,
                       const CniEcsSavedArchetype *archetype, CnBitSet *used)
{
    for (uint32_t row = 0; row < archetype->row_count; row++) {
        CnEntity entity = {cn_load_u64(archetype->rows + row * sizeof entity)};
        uint32_t slot = cni_ecs_saved_slot(saved, cn_entity_index(entity));
        if (!cni_ecs_saved_is_alive(saved, entity) || cn_bitset_has(used, slot))
            return fail(reader, CN_ERROR_FORMAT,
                        (size_t)(archetype->rows - reader->bytes) + row * sizeof entity,
                        "entity %u:%u is not alive, or has a row already", cn_entity_index(entity),
                        cn_entity_generation(entity));
        cn_bitset_set(used, slot);
    }
    return true;
}

static bool read_archetype(CniEcsSavedWorld *saved, Reader *reader, CnBitSet *used, CnHashMap *seen)
{
    CniEcsSavedArchetype archetype = {.at = reader->at};
    uint32_t entries = saved->components.count + saved->pairs.count;
    if (!take_count(reader, &archetype.component_count, sizeof(uint32_t), "components") ||
        !(archetype.components =
              take(reader, archetype.component_count, sizeof(uint32_t), "an archetype")) ||
        !take_u32(reader, &archetype.row_count, "an archetype"))
        return false;
    uint64_t row_bytes = sizeof(CnEntity);
    uint32_t next = 0;
    for (uint32_t i = 0; i < archetype.component_count; i++) {
        uint32_t entry = cn_load_u32(archetype.components + i * sizeof entry);
        if (entry < next || entry >= entries)
            return fail(reader, CN_ERROR_FORMAT, archetype.at + 4 + i * sizeof entry,
                        "component %u of %u is not expected here", entry, entries);
        next = entry + 1;
        row_bytes += cni_ecs_saved_component(saved, entry)->bytes;
    }
    if ((archetype.component_count == 0) != (saved->archetypes.count == 0))
        return fail(reader, CN_ERROR_FORMAT, archetype.at,
                    "the archetype without components is not the first");
    archetype.rows = take(reader, archetype.row_count, row_bytes, "the rows");
    return archetype.rows && check_rows(saved, reader, &archetype, used) &&
           enter_archetype(saved, reader, &archetype, seen);
}

static bool read_archetypes(CniEcsSavedWorld *saved, Reader *reader, CnBitSet *used)
{
    size_t at = reader->at;
    uint32_t count;
    if (!take_count(reader, &count, 2 * sizeof(uint32_t), "archetypes"))
        return false;
    CnHashMap seen;
    cn_hash_map_init_keyed(&seen, saved->allocator, sizeof(uint32_t));
    bool good = true;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count && good; i++) {
        good = read_archetype(saved, reader, used, &seen);
        rows += good ? saved->archetypes.items[i].row_count : 0;
    }
    cn_hash_map_fini(&seen);
    if (good && rows != saved->alive)
        return fail(reader, CN_ERROR_FORMAT, at, "%u entities are alive, %llu have a row",
                    saved->alive, (unsigned long long)rows);
    return good;
}

static bool read_resources(CniEcsSavedWorld *saved, Reader *reader)
{
    uint32_t count, entries = saved->components.count + saved->pairs.count;
    if (!take_count(reader, &count, sizeof(uint32_t), "resources"))
        return false;
    CnBitSet seen;
    cn_bitset_init(&seen, saved->allocator);
    bool good = cn_bitset_reserve(&seen, entries) || !entries || out_of_memory(reader);
    for (uint32_t i = 0; i < count && good; i++) {
        CniEcsSavedResource resource = {0};
        size_t at = reader->at;
        good = take_u32(reader, &resource.component, "a resource");
        if (good && (resource.component >= entries || cn_bitset_has(&seen, resource.component)))
            good = fail(reader, CN_ERROR_FORMAT, at,
                        "component %u of %u is not expected as a resource", resource.component,
                        entries);
        if (!good)
            break;
        cn_bitset_set(&seen, resource.component);
        resource.values = take(reader, 1, cni_ecs_saved_component(saved, resource.component)->bytes,
                               "a resource");
        good = resource.values &&
               (cn_array_push(&saved->resources, resource) || out_of_memory(reader));
    }
    cn_bitset_fini(&seen);
    return good;
}

/* ---- Complete snapshots ---- */

static bool read_frame(Reader *reader)
{
    uint32_t version;
    if (reader->size < CNI_ECS_SNAPSHOT_MAGIC_BYTES ||
        memcmp(reader->bytes, CNI_ECS_SNAPSHOT_MAGIC, CNI_ECS_SNAPSHOT_MAGIC_BYTES) != 0)
        return fail(reader, CN_ERROR_FORMAT, 0, "this is not a snapshot of a world");
    reader->at = CNI_ECS_SNAPSHOT_MAGIC_BYTES;
    if (!take_u32(reader, &version, "the header"))
        return false;
    if (version != CNI_ECS_SNAPSHOT_VERSION)
        return fail(reader, CN_ERROR_VERSION, CNI_ECS_SNAPSHOT_MAGIC_BYTES,
                    "version %u; this build reads version %u", version, CNI_ECS_SNAPSHOT_VERSION);
    if (left(reader) < CNI_ECS_SNAPSHOT_CHECKSUM_BYTES)
        return fail(reader, CN_ERROR_FORMAT, reader->at, "the data ends within the header");
    reader->size -= CNI_ECS_SNAPSHOT_CHECKSUM_BYTES;
    if (cn_hash_bytes(reader->bytes, reader->size, 0) != cn_load_u64(reader->bytes + reader->size))
        return fail(reader, CN_ERROR_FORMAT, reader->size,
                    "the checksum differs: the data is damaged or cut off");
    return true;
}

bool cni_ecs_saved_read(CniEcsSavedWorld *saved, CnAllocator *allocator, const uint8_t *bytes,
                        size_t size, CnError *error)
{
    *saved = (CniEcsSavedWorld){.allocator = allocator};
    cn_array_init(&saved->fields, allocator);
    cn_array_init(&saved->components, allocator);
    cn_array_init(&saved->pairs, allocator);
    cn_array_init(&saved->archetypes, allocator);
    cn_array_init(&saved->resources, allocator);
    Reader reader = {.bytes = bytes, .size = size, .error = error};
    CnBitSet used; /* slots that are free or have a row */
    cn_bitset_init(&used, allocator);
    bool good = read_frame(&reader) && read_slots(saved, &reader, &used) &&
                read_buffers(saved, &reader) && read_components(saved, &reader) &&
                read_archetypes(saved, &reader, &used) && read_resources(saved, &reader);
    cn_bitset_fini(&used);
    if (good && left(&reader))
        return fail(&reader, CN_ERROR_FORMAT, reader.at, "%zu bytes follow the end of the data",
                    left(&reader));
    return good && cni_ecs_saved_check_tree(saved, error);
}

void cni_ecs_saved_free(CniEcsSavedWorld *saved)
{
    cn_free(saved->allocator, saved->page_order, saved->page_count * sizeof *saved->page_order);
    cn_array_fini(&saved->fields);
    cn_array_fini(&saved->components);
    cn_array_fini(&saved->pairs);
    cn_array_fini(&saved->archetypes);
    cn_array_fini(&saved->resources);
}

/*
 * Data attached to blocks, by chunk and index of the cell. Every function makes room first and then
 * changes everything, so that nothing has changed when memory runs out.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#define FIRST_CAPACITY 4u

void cni_voxel_data_init(CnVoxels *world)
{
    CniVoxelData *data = &world->data;
    cn_names_init(&data->kinds, world->allocator);
    cn_hash_map_init_keyed(&data->chunks, world->allocator, sizeof(CniVoxelDataChunk));
    cn_array_init(&data->active, world->allocator);
    cn_array_init(&data->changed, world->allocator);
    cn_hash_map_init_keyed(&data->rows, world->allocator, sizeof(CniVoxelDataRow));
}

void cni_voxel_data_free_entries(CnVoxels *world, CniVoxelDataChunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; i++)
        cn_free(world->allocator, chunk->entries[i].bytes, chunk->entries[i].size);
    cn_free(world->allocator, chunk->entries, chunk->capacity * sizeof *chunk->entries);
}

void cni_voxel_data_fini(CnVoxels *world)
{
    CniVoxelData *data = &world->data;
    for (uint32_t i = 0; i < data->chunks.count; i++)
        cni_voxel_data_free_entries(world, cn_hash_map_value(&data->chunks, i));
    cni_voxel_data_free_rows(world);
    cn_hash_map_fini(&data->rows);
    cn_hash_map_fini(&data->chunks);
    cn_array_fini(&data->active);
    cn_array_fini(&data->changed);
    cn_names_fini(&data->kinds);
}

/* ---- Kinds ---- */

static bool is_kind_name(CnText name)
{
    bool valid = name.size > 0 && name.size < CN_BLOCK_DATA_NAME_BYTES;
    for (size_t i = 0; i < name.size && valid; i++) {
        char c = name.data[i];
        valid =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
    }
    return valid;
}

static bool add_kind(CnNames *kinds, CnText name, CnBlockDataKind *kind, CnError *error)
{
    char escaped[2 * CN_BLOCK_DATA_NAME_BYTES];
    if (!is_kind_name(name))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"%s\" is not the name of a kind of block data: use lower-case "
                            "letters, digits, '_', '.' and ':', at most %u",
                            cn_text_escape(name, escaped, sizeof escaped),
                            CN_BLOCK_DATA_NAME_BYTES - 1);
    CnName found = cn_name_find(kinds, name);
    if (!found.id && kinds->texts.count >= CN_BLOCK_DATA_KINDS)
        return cn_error_set(error, CN_ERROR_LIMIT, "a world has at most %u kinds of block data",
                            CN_BLOCK_DATA_KINDS);
    if (!found.id)
        found = cn_name_from_text(kinds, name);
    *kind = (CnBlockDataKind)found.id;
    return found.id || cn_error_memory(error, "a kind of block data");
}

bool cn_block_data_kind(CnVoxels *world, const char *name, CnBlockDataKind *kind, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return add_kind(&world->data.kinds, cn_text(name), kind, error);
}

uint32_t cn_block_data_kind_count(const CnVoxels *world)
{
    return world->data.kinds.texts.count;
}

const char *cn_block_data_kind_name(const CnVoxels *world, uint32_t kind)
{
    bool exists = kind > 0 && kind <= world->data.kinds.texts.count;
    return exists ? cn_name_text(&world->data.kinds, (CnName){kind}) : NULL;
}

bool cn_block_data_write_kinds(const CnVoxels *world, CnTextBuilder *text)
{
    uint32_t count = cn_block_data_kind_count(world);
    bool written = true;
    for (uint32_t i = 1; i <= count && written; i++)
        written = (i == 1 || cn_text_append(text, cn_text(","))) &&
                  cn_text_append(text, cn_text(cn_block_data_kind_name(world, i)));
    return written;
}

bool cni_voxel_data_read_kinds(CnNames *kinds, CnText names, CnError *error)
{
    if (names.size > 0 && names.data[names.size - 1] == ',')
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the list of kinds of block data ends with a comma");
    for (CnText name; cn_text_split(&names, ',', &name);) {
        CnBlockDataKind kind;
        uint32_t before = kinds->texts.count;
        if (!add_kind(kinds, name, &kind, error))
            return false;
        if (kinds->texts.count == before)
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the list of kinds of block data has \"%s\" twice",
                                cn_name_text(kinds, (CnName){kind}));
    }
    return true;
}

bool cn_block_data_read_kinds(CnVoxels *world, CnText names, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (cn_block_data_kind_count(world) > 0)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "kinds of block data are read into a world without kinds");
    CnNames kinds;
    cn_names_init(&kinds, world->allocator);
    if (!cni_voxel_data_read_kinds(&kinds, names, error)) {
        cn_names_fini(&kinds);
        return false;
    }
    cn_names_fini(&world->data.kinds);
    world->data.kinds = kinds;
    return true;
}

/* ---- Entries ---- */

CniVoxelDataChunk *cni_voxel_data_chunk(const CnVoxels *world, CnChunkPos position)
{
    if (world->data.chunks.count == 0)
        return NULL;
    return cn_hash_map_get(&world->data.chunks, cn_chunk_key(position));
}

/* Returns the position of the first entry with this index or a higher one. */
static uint32_t lower_bound(const CniVoxelDataChunk *chunk, uint32_t index)
{
    uint32_t low = 0, high = chunk->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chunk->entries[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static CniVoxelDataEntry *find(const CnVoxels *world, CnCell cell)
{
    const CniVoxelDataChunk *chunk =
        cn_cell_is_in_world(cell) ? cni_voxel_data_chunk(world, cn_chunk_of(cell)) : NULL;
    if (!chunk)
        return NULL;
    uint32_t at = lower_bound(chunk, cn_chunk_index(cell));
    bool found = at < chunk->count && chunk->entries[at].index == cn_chunk_index(cell);
    return found ? &chunk->entries[at] : NULL;
}

/* Does not depend on numbers of kinds. */
static uint64_t entry_hash(const CnVoxels *world, uint64_t chunk, const CniVoxelDataEntry *entry)
{
    const char *kind = cn_block_data_kind_name(world, entry->kind);
    uint64_t place = cn_hash_mix(chunk) + ((uint64_t)entry->index << 1 | entry->active);
    uint64_t seed = cn_hash_bytes(kind, strlen(kind), cn_hash_mix(place));
    return cn_hash_bytes(entry->bytes, entry->size, seed);
}

static void add_to_sums(CnVoxels *world, uint64_t chunk, const CniVoxelDataEntry *entry)
{
    world->data.sum += entry_hash(world, chunk, entry);
    world->data.bytes += entry->size;
    world->data.count++;
}

static void subtract_from_sums(CnVoxels *world, uint64_t chunk, const CniVoxelDataEntry *entry)
{
    world->data.sum -= entry_hash(world, chunk, entry);
    world->data.bytes -= entry->size;
    world->data.count--;
}

bool cn_block_data_get(const CnVoxels *world, CnCell cell, CnBlockData *data)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniVoxelDataEntry *entry = find(world, cell);
    if (!entry)
        return false;
    *data = (CnBlockData){
        .kind = entry->kind, .active = entry->active, .size = entry->size, .bytes = entry->bytes};
    return true;
}

static CnCell cell_in(CnChunkPos position, uint32_t index)
{
    return (CnCell){position.x * CN_CHUNK_SIZE + (int32_t)(index & 15),
                    position.y * CN_CHUNK_SIZE + (int32_t)(index >> 4 & 15),
                    position.z * CN_CHUNK_SIZE + (int32_t)(index >> 8)};
}

/* Stores the first cell whose index is `index` or higher. */
static bool cell_from(const CnVoxels *world, CnChunkPos position, uint32_t index, CnCell *cell)
{
    const CniVoxelDataChunk *chunk = cni_voxel_data_chunk(world, position);
    uint32_t at = chunk ? lower_bound(chunk, index) : 0;
    if (!chunk || at >= chunk->count)
        return false;
    *cell = cell_in(position, chunk->entries[at].index);
    return true;
}

bool cn_block_data_first_in_chunk(const CnVoxels *world, CnChunkPos position, CnCell *cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cell_from(world, position, 0, cell);
}

bool cn_block_data_next_in_chunk(const CnVoxels *world, CnCell *cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cell_from(world, cn_chunk_of(*cell), cn_chunk_index(*cell) + 1u, cell);
}

/* ---- Active cells ---- */

static bool precedes(CniVoxelDataPlace a, CniVoxelDataPlace b)
{
    return a.chunk != b.chunk ? a.chunk < b.chunk : a.index < b.index;
}

static CniVoxelDataPlace place_of(CnCell cell)
{
    return (CniVoxelDataPlace){cn_chunk_key(cn_chunk_of(cell)), cn_chunk_index(cell)};
}

static CnCell cell_of(CniVoxelDataPlace place)
{
    return cell_in(cn_chunk_from_key(place.chunk), place.index);
}

/* Returns the position of the first active place that is not before `place`. */
static uint32_t active_bound(const CniVoxelData *data, CniVoxelDataPlace place)
{
    uint32_t low = 0, high = data->active.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (precedes(data->active.items[middle], place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_active(const CniVoxelData *data, CniVoxelDataPlace place, uint32_t at)
{
    return at < data->active.count && !precedes(place, data->active.items[at]);
}

/* There is room for one more. */
static void set_active(CniVoxelData *data, CniVoxelDataPlace place, bool active)
{
    uint32_t at = active_bound(data, place);
    CniVoxelDataPlace *items = data->active.items;
    if (is_active(data, place, at) == active)
        return;
    size_t after = (data->active.count - at) * sizeof *items;
    if (active) {
        memmove(items + at + 1, items + at, after);
        items[at] = place;
        data->active.count++;
    } else {
        memmove(items + at, items + at + 1, after - sizeof *items);
        data->active.count--;
    }
}

bool cn_block_data_first_active(const CnVoxels *world, CnCell *cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (world->data.active.count == 0)
        return false;
    *cell = cell_of(world->data.active.items[0]);
    return true;
}

bool cn_block_data_next_active(const CnVoxels *world, CnCell *cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniVoxelData *data = &world->data;
    uint32_t at = active_bound(data, place_of(*cell));
    at += is_active(data, place_of(*cell), at);
    if (at >= data->active.count)
        return false;
    *cell = cell_of(data->active.items[at]);
    return true;
}

/* ---- Changing ---- */

/* Returns the chunk with room for one more entry; NULL when out of memory. */
static CniVoxelDataChunk *chunk_with_room(CnVoxels *world, uint64_t key)
{
    CniVoxelDataChunk *chunk = cn_hash_map_get(&world->data.chunks, key);
    if (!chunk)
        chunk = cn_hash_map_set(&world->data.chunks, key, NULL);
    if (!chunk || chunk->count < chunk->capacity)
        return chunk;
    uint32_t capacity = chunk->capacity ? 2 * chunk->capacity : FIRST_CAPACITY;
    CniVoxelDataEntry *entries =
        cn_realloc(world->allocator, chunk->entries, chunk->capacity * sizeof *chunk->entries,
                   capacity * sizeof *chunk->entries);
    if (!entries)
        return NULL;
    chunk->entries = entries;
    chunk->capacity = capacity;
    return chunk;
}

static CniVoxelDataEntry *insert(CniVoxelDataChunk *chunk, uint32_t index)
{
    uint32_t at = lower_bound(chunk, index);
    CniVoxelDataEntry *entry = &chunk->entries[at];
    memmove(entry + 1, entry, (chunk->count - at) * sizeof *entry);
    chunk->count++;
    *entry = (CniVoxelDataEntry){.index = (uint16_t)index};
    return entry;
}

static bool is_same(const CniVoxelDataEntry *entry, const CnBlockData *data)
{
    return entry->kind == data->kind && entry->active == data->active &&
           entry->size == data->size &&
           (data->size == 0 || memcmp(entry->bytes, data->bytes, data->size) == 0);
}

/* Returns memory for the new bytes: that of the entry if the size is the same. NULL if `size` is 0
 * or when out of memory. */
static uint8_t *memory_for(CnVoxels *world, const CniVoxelDataEntry *entry, uint16_t size)
{
    if (size == 0)
        return NULL;
    return entry && entry->size == size ? entry->bytes : cn_alloc(world->allocator, size);
}

/* `bytes` is memory_for the data, which may itself point into the entry. */
static void replace(CnVoxels *world, uint64_t chunk, CniVoxelDataEntry *entry,
                    const CnBlockData *data, uint8_t *bytes)
{
    CniVoxelDataEntry old = *entry;
    if (data->size > 0)
        memmove(bytes, data->bytes, data->size);
    *entry = (CniVoxelDataEntry){.bytes = bytes,
                                 .index = old.index,
                                 .size = data->size,
                                 .kind = data->kind,
                                 .active = data->active};
    if (old.bytes != bytes)
        cn_free(world->allocator, old.bytes, old.size);
    add_to_sums(world, chunk, entry);
}

static bool set(CnVoxels *world, CnCell cell, const CnBlockData *data)
{
    CniVoxelDataPlace place = place_of(cell);
    CniVoxelDataEntry *entry = find(world, cell);
    if (entry && is_same(entry, data))
        return true;
    uint8_t *bytes = memory_for(world, entry, data->size);
    CniVoxelDataChunk *chunk = entry ? cni_voxel_data_chunk(world, cn_chunk_of(cell))
                                     : chunk_with_room(world, place.chunk);
    if ((data->size > 0 && !bytes) || !chunk ||
        !cni_voxel_data_prepare_change(world, place.chunk, chunk) ||
        !cn_array_reserve(&world->data.active, world->data.active.count + 1ull)) {
        if (!entry || bytes != entry->bytes)
            cn_free(world->allocator, bytes, data->size);
        return false;
    }
    if (entry)
        subtract_from_sums(world, place.chunk, entry);
    else
        entry = insert(chunk, place.index);
    replace(world, place.chunk, entry, data, bytes);
    set_active(&world->data, place, data->active);
    cni_voxel_data_list_change(world, place.chunk, chunk);
    return true;
}

bool cn_block_data_set(CnVoxels *world, CnCell cell, const CnBlockData *data, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(data && (data->bytes || data->size == 0), "%s: there are no bytes", __func__);
    if (!cn_cell_is_in_world(cell))
        return cn_error_set(error, CN_ERROR_LIMIT, "cell %d, %d, %d lies outside the world", cell.x,
                            cell.y, cell.z);
    if (!cn_block_data_kind_name(world, data->kind))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "block data of kind %u, which the world does not have", data->kind);
    if (data->size > CN_BLOCK_DATA_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "block data of %u bytes at %d, %d, %d; at most %u are possible",
                            data->size, cell.x, cell.y, cell.z, CN_BLOCK_DATA_BYTES);
    return set(world, cell, data) || cn_error_memory(error, "block data");
}

bool cni_voxel_data_prepare_detach(CnVoxels *world, CnCell cell)
{
    const CniVoxelDataEntry *entry = world->data.count > 0 ? find(world, cell) : NULL;
    CnChunkPos position = cn_chunk_of(cell);
    return !entry || cni_voxel_data_prepare_change(world, cn_chunk_key(position),
                                                   cni_voxel_data_chunk(world, position));
}

bool cni_voxel_data_detach(CnVoxels *world, CnCell cell, CniVoxelDataEntry *detached)
{
    CniVoxelDataEntry *entry = world->data.count > 0 ? find(world, cell) : NULL;
    if (!entry)
        return false;
    CniVoxelDataPlace place = place_of(cell);
    CniVoxelDataChunk *chunk = cni_voxel_data_chunk(world, cn_chunk_of(cell));
    *detached = *entry;
    subtract_from_sums(world, place.chunk, entry);
    set_active(&world->data, place, false);
    cni_voxel_data_list_change(world, place.chunk, chunk);
    chunk->count--;
    memmove(entry, entry + 1, (size_t)(chunk->entries + chunk->count - entry) * sizeof *entry);
    return true;
}

bool cn_block_data_remove(CnVoxels *world, CnCell cell, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelDataEntry entry;
    if (!cni_voxel_data_prepare_detach(world, cell))
        return cn_error_memory(error, "block data");
    if (cni_voxel_data_detach(world, cell, &entry))
        cn_free(world->allocator, entry.bytes, entry.size);
    return true;
}

void cn_block_data_listen(CnVoxels *world, CnBlockDataListener listener, void *user)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    world->data.listener = listener;
    world->data.user = user;
}

/* ---- All data ---- */

CnBlockDataStats cn_block_data_stats(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniVoxelData *data = &world->data;
    return (CnBlockDataStats){.blocks = data->count,
                              .active = data->active.count,
                              .changed_chunks = data->changed.count - data->saving,
                              .bytes = data->bytes};
}

uint32_t cn_block_data_chunk_count(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->data.chunks.count;
}

CnChunkPos cn_block_data_chunk(const CnVoxels *world, uint32_t index)
{
    CN_ASSERT(index < world->data.chunks.count, "%s: there are only %u chunks", __func__,
              world->data.chunks.count);
    return cn_chunk_from_key(cn_hash_map_key(&world->data.chunks, index));
}

uint64_t cn_block_data_hash(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->data.sum;
}

/* Makes room for one chunk and its active cells. */
static bool make_room(CnVoxels *world, uint64_t key, const CniVoxelDataChunk *chunk)
{
    uint64_t active = world->data.active.count;
    for (uint32_t i = 0; i < chunk->count; i++)
        active += chunk->entries[i].active;
    return cn_array_reserve(&world->data.active, active) &&
           cn_hash_map_set(&world->data.chunks, key, chunk);
}

bool cni_voxel_data_adopt(CnVoxels *world, CnChunkPos position, const CniVoxelDataChunk *chunk)
{
    uint64_t key = cn_chunk_key(position);
    CniVoxelDataChunk own = *chunk;
    if (!make_room(world, key, &own)) {
        cni_voxel_data_free_entries(world, &own);
        return false;
    }
    for (uint32_t i = 0; i < own.count; i++) {
        add_to_sums(world, key, &own.entries[i]);
        if (own.entries[i].active)
            set_active(&world->data, (CniVoxelDataPlace){key, own.entries[i].index}, true);
    }
    return true;
}

static void drop_entries(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        subtract_from_sums(world, key, &chunk->entries[i]);
        set_active(&world->data, (CniVoxelDataPlace){key, chunk->entries[i].index}, false);
    }
    cni_voxel_data_free_entries(world, chunk);
}

bool cni_voxel_data_exchange(CnVoxels *world, CnChunkPos position, const CniVoxelDataChunk *chunk)
{
    uint64_t key = cn_chunk_key(position);
    CniVoxelDataChunk own = *chunk, *found = cni_voxel_data_chunk(world, position);
    if (!found && own.count == 0)
        return true;
    if (!found)
        found = cn_hash_map_set(&world->data.chunks, key, NULL);
    if (!found || !cni_voxel_data_prepare_change(world, key, found) ||
        !cn_array_reserve(&world->data.active, (uint64_t)world->data.active.count + own.count)) {
        cni_voxel_data_free_entries(world, &own);
        return false;
    }
    drop_entries(world, key, found);
    found->entries = own.entries;
    found->count = own.count;
    found->capacity = own.capacity;
    for (uint32_t i = 0; i < own.count; i++) {
        add_to_sums(world, key, &own.entries[i]);
        set_active(&world->data, (CniVoxelDataPlace){key, own.entries[i].index},
                   own.entries[i].active);
    }
    cni_voxel_data_list_change(world, key, found);
    return true;
}

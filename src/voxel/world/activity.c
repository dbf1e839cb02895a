/* The activity of a world as bytes: its tick, scheduled ticks and awake water. docs/formats.md
 * describes the form. */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>

#include <string.h>

static const uint8_t MAGIC[8] = "CNACTIV\n";
#define VERSION 1u
#define HEADER_BYTES 24u /* magic, u32 version, u64 tick, u32 number of scheduled ticks */
#define ITEM_BYTES 20u   /* u64 due, i32 x, y, z */

static void append(CnU8Array *bytes, const void *data, size_t size)
{
    memcpy(bytes->items + bytes->count, data, size);
    bytes->count += (uint32_t)size;
}

/* In the order in which they run; empties the heap. */
static void append_scheduled(CniVoxelScheduledTicks *scheduled, CnU8Array *bytes)
{
    while (scheduled->count > 0) {
        CniVoxelScheduledTick item = cni_voxel_schedule_take(scheduled);
        append(bytes, &item.due, sizeof item.due);
        append(bytes, &item.cell.x, sizeof item.cell.x);
        append(bytes, &item.cell.y, sizeof item.cell.y);
        append(bytes, &item.cell.z, sizeof item.cell.z);
    }
}

static bool write(const CnVoxels *world, CnU8Array *bytes)
{
    uint32_t count = world->scheduled.count;
    if (!cn_array_reserve(bytes, bytes->count + HEADER_BYTES + (uint64_t)count * ITEM_BYTES))
        return false;
    CniVoxelScheduledTicks heap;
    cn_array_init(&heap, world->allocator);
    if (!cn_array_reserve(&heap, count))
        return false;
    append(bytes, MAGIC, sizeof MAGIC);
    append(bytes, &(uint32_t){VERSION}, sizeof(uint32_t));
    append(bytes, &world->tick, sizeof world->tick);
    append(bytes, &count, sizeof count);
    if (count > 0) {
        memcpy(heap.items, world->scheduled.items, count * sizeof *heap.items);
        heap.count = count;
        append_scheduled(&heap, bytes);
    }
    cn_array_fini(&heap);
    return cn_water_write(world->water, bytes);
}

uint64_t cn_voxels_activity_bytes(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return HEADER_BYTES + (uint64_t)world->scheduled.count * ITEM_BYTES +
           cn_water_bytes(world->water);
}

bool cn_voxels_write_activity(const CnVoxels *world, CnU8Array *bytes, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(bytes, "%s: bytes is NULL", __func__);
    uint32_t start = bytes->count;
    if (write(world, bytes))
        return true;
    bytes->count = start;
    return cn_error_memory(error, "the activity of a world as bytes");
}

/* A sorted array is a heap. */
static bool read_item(CniVoxelScheduledTick *items, uint32_t i, const uint8_t *bytes,
                      CnError *error)
{
    items[i] = (CniVoxelScheduledTick){.due = cn_load_u64(bytes),
                                       .order = i,
                                       .cell = {(int32_t)cn_load_u32(bytes + 8),
                                                (int32_t)cn_load_u32(bytes + 12),
                                                (int32_t)cn_load_u32(bytes + 16)}};
    if (cn_cell_is_in_world(items[i].cell) && (i == 0 || items[i].due >= items[i - 1].due))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "scheduled tick %u lies outside the world or is not in order", i);
}

static bool check_header(const uint8_t *bytes, size_t size, CnError *error)
{
    if (size < HEADER_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "not the activity of a world: it does not begin with CNACTIV");
    uint32_t version = cn_load_u32(bytes + 8);
    if (version != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "activity of version %u; this program reads version %u", version,
                            VERSION);
    if (size - HEADER_BYTES < (uint64_t)cn_load_u32(bytes + 20) * ITEM_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "the scheduled ticks are not complete");
    return true;
}

bool cn_voxels_read_activity(CnVoxels *world, const uint8_t *bytes, size_t size, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(bytes || size == 0, "%s: bytes is NULL", __func__);
    if (!check_header(bytes, size, error))
        return false;
    uint32_t count = cn_load_u32(bytes + 20);
    size_t used = HEADER_BYTES + (size_t)count * ITEM_BYTES;
    CniVoxelScheduledTicks scheduled;
    cn_array_init(&scheduled, world->allocator);
    bool is_read = cn_array_reserve(&scheduled, count) ||
                   cn_error_memory(error, "the scheduled ticks of a world");
    for (uint32_t i = 0; i < count && is_read; i++)
        is_read =
            read_item(scheduled.items, i, bytes + HEADER_BYTES + (size_t)i * ITEM_BYTES, error);
    if (!is_read || !cn_water_read(world->water, bytes + used, size - used, error)) {
        cn_array_fini(&scheduled);
        return false;
    }
    scheduled.count = count;
    cn_array_fini(&world->scheduled);
    world->scheduled = scheduled;
    world->schedule_count = count;
    world->tick = cn_load_u64(bytes + 12);
    return true;
}

/*
 * Loading the chunks around many positions, and unloading them when the last position has left.
 *
 * Positions in the same chunk share a center. Centers are sorted by squares of columns, `side`
 * wide, so that those around a chunk are in three runs. A new center is pending until all columns
 * around it have been found loaded; pending centers advance together, so that the nearest columns
 * of all come first. What lay around a center that was left is unloaded unless another one contains
 * it.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#define MARGIN 1                /* chunks beyond the radius that stay loaded */
#define CHECKS_PER_CALL 1024u   /* columns: less than 0.1 ms */
#define PAUSE_AFTER_FAILURE 64u /* calls */
#define SWEPT_PER_CALL 16u      /* chunks, whoever loaded them */
#define SWEPT_PER_STRAY 8u      /* chunks per chunk that was loaded far from all centers */
#define MAX_SWEPT 1024u

void cni_voxel_prepare_init(CnVoxels *world)
{
    CniVoxelPrepare *prepare = &world->prepare;
    cn_array_init(&prepare->given, world->allocator);
    cn_array_init(&prepare->centers, world->allocator);
    cn_array_init(&prepare->pending, world->allocator);
    cn_array_init(&prepare->left, world->allocator);
    cn_array_init(&prepare->offsets, world->allocator);
}

void cni_voxel_prepare_fini(CnVoxels *world)
{
    CniVoxelPrepare *prepare = &world->prepare;
    cn_array_fini(&prepare->given);
    cn_array_fini(&prepare->centers);
    cn_array_fini(&prepare->pending);
    cn_array_fini(&prepare->left);
    cn_array_fini(&prepare->offsets);
}

/* ---- Finding centers ---- */

static uint32_t square_along(const CniVoxelPrepare *prepare, int32_t at)
{
    return (uint32_t)(at + 2 * CN_CHUNK_LIMIT) / (uint32_t)prepare->side;
}

static uint64_t bucket_of(uint32_t square_x, uint32_t square_z)
{
    return (uint64_t)square_x << 32 | square_z;
}

/* Returns the index of the first center in this bucket or a later one. */
static uint32_t first_in(const CniVoxelPrepare *prepare, uint64_t bucket)
{
    uint32_t low = 0, high = prepare->centers.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (prepare->centers.items[middle].bucket < bucket)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_within(int32_t a, int32_t b, int32_t distance)
{
    return a - b <= distance && b - a <= distance;
}

/* An empty range of rows is contained wherever the column is. */
bool cni_voxel_prepare_contains_rows(const CniVoxelPrepare *prepare, int32_t x, int32_t z,
                                     int32_t low, int32_t high)
{
    if (prepare->centers.count == 0)
        return false;
    int32_t radius = prepare->radius + MARGIN, height = prepare->height + MARGIN;
    uint32_t square_x = square_along(prepare, x), square_z = square_along(prepare, z);
    for (uint32_t i = square_x - 1; i <= square_x + 1; i++) {
        uint64_t last = bucket_of(i, square_z + 1);
        for (uint32_t k = first_in(prepare, bucket_of(i, square_z - 1));
             k < prepare->centers.count && prepare->centers.items[k].bucket <= last; k++) {
            CnChunkPos center = prepare->centers.items[k].position;
            if (is_within(center.x, x, radius) && is_within(center.z, z, radius) &&
                (low >= high || (low >= center.y - height && high - 1 <= center.y + height)))
                return true;
        }
    }
    return false;
}

bool cni_voxel_prepare_contains(const CniVoxelPrepare *prepare, CnChunkPos position)
{
    return cni_voxel_prepare_contains_rows(prepare, position.x, position.z, position.y,
                                           position.y + 1);
}

bool cni_voxel_prepare_contains_column(const CniVoxelPrepare *prepare, int32_t x, int32_t z)
{
    return cni_voxel_prepare_contains_rows(prepare, x, z, 0, 0);
}

/* ---- Adding and removing centers ---- */

static bool is_same(CnChunkPos a, CnChunkPos b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Returns the index of a center, or UINT32_MAX. */
static uint32_t find_center(const CniVoxelPrepare *prepare, uint64_t bucket, CnChunkPos position)
{
    for (uint32_t i = first_in(prepare, bucket);
         i < prepare->centers.count && prepare->centers.items[i].bucket == bucket; i++) {
        if (is_same(prepare->centers.items[i].position, position))
            return i;
    }
    return UINT32_MAX;
}

/* Returns false when out of memory. In `left` there is room for all centers, so that removing them
 * cannot fail. */
static bool add_center(CniVoxelPrepare *prepare, CnChunkPos position)
{
    uint64_t bucket =
        bucket_of(square_along(prepare, position.x), square_along(prepare, position.z));
    uint32_t found = find_center(prepare, bucket, position);
    if (found != UINT32_MAX) {
        prepare->centers.items[found].references++;
        return true;
    }
    uint64_t count = prepare->centers.count;
    if (!cn_array_reserve(&prepare->centers, count + 1) ||
        !cn_array_reserve(&prepare->pending, count + 1) ||
        !cn_array_reserve(&prepare->left, prepare->left.count + count + 1))
        return false;
    uint32_t at = first_in(prepare, bucket);
    CniVoxelCenter *center = &prepare->centers.items[at];
    memmove(center + 1, center, (count - at) * sizeof *center);
    *center = (CniVoxelCenter){.bucket = bucket, .position = position, .references = 1};
    prepare->centers.count++;
    prepare->pending.items[prepare->pending.count++] =
        (CniVoxelPendingCenter){.position = position, .round = prepare->round};
    return true;
}

static void remove_center(CniVoxelPrepare *prepare, CnChunkPos position)
{
    uint64_t bucket =
        bucket_of(square_along(prepare, position.x), square_along(prepare, position.z));
    uint32_t at = find_center(prepare, bucket, position);
    CN_ASSERT(at != UINT32_MAX, "a center is missing");
    CniVoxelCenter *center = &prepare->centers.items[at];
    if (--center->references > 0)
        return;
    prepare->centers.count--;
    memmove(center, center + 1, (prepare->centers.count - at) * sizeof *center);
    for (uint32_t i = 0; i < prepare->pending.count; i++) {
        if (is_same(prepare->pending.items[i].position, position)) {
            cn_array_remove_swap(&prepare->pending, i);
            break;
        }
    }
    prepare->left.items[prepare->left.count++] = position;
}

static CnChunkPos chunk_of(const CniVoxelPrepare *prepare, CnVec3 position)
{
    int32_t radius = prepare->radius, height = prepare->height;
    return (CnChunkPos){cni_voxel_chunk_along(position.x, radius + 2),
                        cni_voxel_chunk_along(position.y, height + 2),
                        cni_voxel_chunk_along(position.z, radius + 2)};
}

/* Adds the new centers before it removes the old ones, so that positions may change places. A
 * position for whose center there is no memory keeps its old one until the next call. */
static bool set_centers(CniVoxelPrepare *prepare, const CnVoxelsPrepare *wanted)
{
    uint32_t kept = prepare->given.count < wanted->count ? prepare->given.count : wanted->count;
    bool complete = cn_array_reserve(&prepare->given, wanted->count);
    CnChunkPos *given = prepare->given.items;
    for (uint32_t i = 0; i < kept && complete; i++) {
        CnChunkPos position = chunk_of(prepare, wanted->centers[i]);
        if (is_same(position, given[i]))
            continue;
        complete = add_center(prepare, position);
        if (!complete)
            break;
        CnChunkPos old = given[i];
        given[i] = position;
        remove_center(prepare, old);
    }
    for (uint32_t i = kept; i < wanted->count && complete; i++) {
        CnChunkPos position = chunk_of(prepare, wanted->centers[i]);
        complete = add_center(prepare, position);
        if (complete)
            given[prepare->given.count++] = position;
    }
    while (prepare->given.count > wanted->count)
        remove_center(prepare, cn_array_pop(&prepare->given));
    return complete;
}

/* Rings around the middle. Returns false when out of memory. */
static bool make_offsets(CniVoxelPrepare *prepare)
{
    int32_t side = 2 * prepare->radius + 1;
    cn_array_clear(&prepare->offsets);
    if (!cn_array_reserve(&prepare->offsets, (uint32_t)(side * side)))
        return false;
    for (int32_t ring = 0; ring <= prepare->radius; ring++) {
        for (int32_t z = -ring; z <= ring; z++) {
            bool is_edge = z == -ring || z == ring;
            for (int32_t x = -ring; x <= ring; x += is_edge || ring == 0 ? 1 : 2 * ring)
                prepare->offsets.items[prepare->offsets.count++] =
                    (CniVoxelOffset){(int8_t)x, (int8_t)z};
        }
    }
    return true;
}

/* Another radius begins anew; what is loaded stays if it is needed. Returns false when out of
 * memory; there are no centers then. */
static bool set_radius(CniVoxelPrepare *prepare, int32_t radius, int32_t height)
{
    bool is_same_size = prepare->radius == radius && prepare->height == height;
    if (is_same_size && prepare->offsets.count > 0)
        return true;
    while (prepare->given.count > 0)
        remove_center(prepare, cn_array_pop(&prepare->given));
    prepare->radius = radius;
    prepare->height = height;
    prepare->side = radius + MARGIN + 1;
    return make_offsets(prepare);
}

/* ---- Loading ---- */

static uint64_t failures(const CnVoxels *world)
{
    return world->stats.out_of_memory + world->stats.storage_failures;
}

/* Checks a column and begins a task if it needs one. Returns whether it is loaded. */
static bool load_column(CnVoxels *world, CnChunkPos center, CniVoxelOffset offset)
{
    const CniVoxelPrepare *prepare = &world->prepare;
    int32_t low = center.y - prepare->height, high = center.y + prepare->height + 1;
    CniVoxelChunkColumn *column =
        cni_voxel_column_load(world, center.x + offset.x, center.z + offset.z);
    if (!column || column->generating)
        return false;
    if (column->sky && column->prepared_low <= low && column->prepared_high >= high)
        return true;
    CniVoxelTask *task = cni_voxel_task_prepare(world, column, low, high);
    if (task)
        cni_voxel_task_begin(world, task);
    return column->sky && column->prepared_low <= low && column->prepared_high >= high;
}

/* Prepares centers that have been checked to the end: those whose columns are all loaded are done,
 * others begin again as soon as something may have changed. */
static void finish_round(CniVoxelPrepare *prepare)
{
    for (uint32_t i = 0; i < prepare->pending.count;) {
        CniVoxelPendingCenter *pending = &prepare->pending.items[i];
        bool is_done = pending->next == prepare->offsets.count && !pending->is_incomplete;
        if (is_done) {
            cn_array_remove_swap(&prepare->pending, i);
            continue;
        }
        bool may_differ = pending->round != prepare->round || prepare->running == 0;
        if (pending->next == prepare->offsets.count && may_differ) {
            pending->next = 0;
            pending->is_incomplete = false;
            pending->round = prepare->round;
        }
        i++;
    }
}

/* Returns the smallest index that a pending center checks next. */
static uint32_t next_offset(const CniVoxelPrepare *prepare)
{
    uint32_t next = prepare->offsets.count;
    for (uint32_t i = 0; i < prepare->pending.count; i++) {
        uint32_t own = prepare->pending.items[i].next;
        next = own < next ? own : next;
    }
    return next;
}

/* Checks columns, nearest first, until `limit` more tasks run. Returns how many were started. */
static uint32_t begin_tasks(CnVoxels *world, uint32_t limit)
{
    CniVoxelPrepare *prepare = &world->prepare;
    uint64_t first = world->task_count, failed = failures(world);
    uint32_t checks = 0;
    finish_round(prepare);
    for (uint32_t next; (next = next_offset(prepare)) < prepare->offsets.count;) {
        for (uint32_t i = 0; i < prepare->pending.count; i++) {
            if (prepare->pending.items[i].next != next)
                continue;
            if (world->task_count - first >= limit || checks++ >= CHECKS_PER_CALL)
                return (uint32_t)(world->task_count - first);
            bool is_loaded = load_column(world, prepare->pending.items[i].position,
                                         prepare->offsets.items[next]);
            prepare->pending.items[i].is_incomplete |= !is_loaded;
            prepare->pending.items[i].next++;
            if (failures(world) != failed) {
                prepare->pause = PAUSE_AFTER_FAILURE;
                return (uint32_t)(world->task_count - first);
            }
        }
    }
    finish_round(prepare);
    return (uint32_t)(world->task_count - first);
}

static void wait_for_all(CnVoxels *world)
{
    CniVoxelPrepare *prepare = &world->prepare;
    uint64_t failed = failures(world);
    while (failures(world) == failed && (prepare->pending.count > 0 || prepare->running > 0)) {
        uint32_t room = 8 * world->lane_count;
        if (world->running.count < room)
            begin_tasks(world, room - world->running.count);
        if (world->running.count > 0)
            cn_job_wait(world->jobs, world->running.items[0]->job);
        cni_voxel_tasks_apply_done(world, UINT32_MAX);
    }
    while (prepare->running > 0) {
        cn_job_wait(world->jobs, world->running.items[0]->job);
        cni_voxel_tasks_apply_done(world, UINT32_MAX);
    }
}

/* ---- Unloading ---- */

static void unload_around(CnVoxels *world, CnChunkPos center)
{
    const CniVoxelPrepare *prepare = &world->prepare;
    int32_t radius = prepare->radius + MARGIN, height = prepare->height + MARGIN;
    int32_t low = center.y - height, high = center.y + height + 1;
    for (int32_t z = center.z - radius; z <= center.z + radius; z++) {
        for (int32_t x = center.x - radius; x <= center.x + radius; x++) {
            if (!cni_voxel_prepare_contains_rows(prepare, x, z, low, high))
                cni_voxel_unload_column(world, x, z, low, high);
        }
    }
}

static void unload_left(CnVoxels *world, uint32_t count)
{
    CniVoxelPrepare *prepare = &world->prepare;
    for (; count > 0; count--) {
        CnChunkPos center = prepare->left.items[0];
        cn_array_remove_swap(&prepare->left, 0);
        unload_around(world, center);
    }
}

/* Visits other chunks in turn, faster if many are loaded far from the centers. */
static void sweep(CnVoxels *world)
{
    CniVoxelPrepare *prepare = &world->prepare;
    uint32_t count = prepare->strays < MAX_SWEPT / SWEPT_PER_STRAY
                         ? SWEPT_PER_CALL + SWEPT_PER_STRAY * prepare->strays
                         : MAX_SWEPT;
    prepare->strays = 0;
    cni_voxel_unload_some(world, count, count / 4);
}

/* ---- The call ---- */

static uint32_t or_default(uint32_t value, uint32_t usual, uint32_t most)
{
    return value == 0 ? usual : value < most ? value : most;
}

bool cn_voxels_prepare(CnVoxels *world, const CnVoxelsPrepare *wanted)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(wanted, "%s: prepare is NULL", __func__);
    CN_ASSERT(wanted->centers || wanted->count == 0, "%s: centers is NULL", __func__);
    CniVoxelPrepare *prepare = &world->prepare;
    int32_t radius = (int32_t)or_default(wanted->radius, 5, CN_PREPARE_MAX_RADIUS);
    int32_t height = (int32_t)or_default(wanted->height, 3, CN_VIEW_MAX_HEIGHT);
    uint32_t budget = wanted->wait ? UINT32_MAX : or_default(wanted->budget, 64, UINT32_MAX);
    uint32_t results = wanted->wait ? UINT32_MAX : or_default(wanted->results, 64, UINT32_MAX);
    cni_voxel_tasks_apply_done(world, results);
    bool is_set = set_radius(prepare, radius, height) && set_centers(prepare, wanted);
    world->stats.out_of_memory += is_set ? 0 : 1;
    if (wanted->wait)
        wait_for_all(world);
    else if (prepare->pause > 0)
        prepare->pause--;
    else if (world->running.count < budget && prepare->pending.count > 0)
        begin_tasks(world, budget - world->running.count);
    /* The more centers were left, the faster. */
    unload_left(world, wanted->wait ? prepare->left.count : (prepare->left.count + 15) / 16);
    if (!world->view.set)
        sweep(world);
    cni_voxel_free_retired(world);
    return is_set && prepare->pending.count == 0;
}

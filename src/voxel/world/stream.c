#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/math.h>

/* ---- View ---- */

int32_t cni_voxel_chunk_along(float position, int32_t margin)
{
    const float limit = 16.0f * CN_CHUNK_LIMIT;
    if (!(position > -limit))
        position = -limit;
    if (position > limit)
        position = limit;
    int32_t whole = (int32_t)position;
    int32_t chunk = (whole - (position < (float)whole)) >> 4;
    int32_t low = -CN_CHUNK_LIMIT + margin, high = CN_CHUNK_LIMIT - 1 - margin;
    return chunk < low ? low : chunk > high ? high : chunk;
}

static bool make_room(CnVoxels *world, CniVoxelStreamView *view, int32_t side)
{
    uint32_t size = (uint32_t)(side * side);
    if (size <= view->grid_size)
        return true;
    CniVoxelChunkColumn **grid = cn_alloc(world->allocator, size * sizeof *grid);
    uint64_t *order = cn_alloc(world->allocator, size * sizeof *order);
    bool made = grid && order;
    if (made) {
        CniVoxelChunkColumn **old_grid = view->grid;
        uint64_t *old_order = view->order;
        uint32_t old_size = view->grid_size;
        view->grid = grid;
        view->order = order;
        view->grid_size = size;
        grid = old_grid;
        order = old_order;
        size = old_size;
    }
    cn_free(world->allocator, grid, size * sizeof *grid);
    cn_free(world->allocator, order, size * sizeof *order);
    return made;
}

/* Nearest first; columns behind the camera count as up to three times as far. */
static uint32_t priority(const CniVoxelStreamView *view, int32_t dx, int32_t dz)
{
    float distance = (float)(dx * dx + dz * dz);
    float along = (float)dx * view->forward.x + (float)dz * view->forward.z;
    float flat = view->forward.x * view->forward.x + view->forward.z * view->forward.z;
    float length = cn_sqrtf(distance * flat);
    float cosine = length > 0.01f ? along / length : 0.0f;
    return (uint32_t)(16.0f * distance * (2.0f - cosine));
}

static void sort(uint64_t *items, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t i = gap; i < count; i++) {
            uint64_t item = items[i];
            uint32_t k = i;
            for (; k >= gap && items[k - gap] > item; k -= gap)
                items[k] = items[k - gap];
            items[k] = item;
        }
    }
}

static void sort_columns(CniVoxelStreamView *view)
{
    int32_t rim = view->radius + 1;
    uint32_t count = (uint32_t)(view->side * view->side);
    for (uint32_t i = 0; i < count; i++) {
        int32_t dx = (int32_t)i % view->side - rim, dz = (int32_t)i / view->side - rim;
        view->order[i] = (uint64_t)priority(view, dx, dz) << 32 | i;
    }
    sort(view->order, count);
    view->first = 0;
}

static bool fill_grid(CnVoxels *world, CniVoxelStreamView *view)
{
    int32_t rim = view->radius + 1;
    for (int32_t i = 0; i < view->side * view->side; i++) {
        CniVoxelChunkColumn *column = cni_voxel_column_load(world, view->x + i % view->side - rim,
                                                            view->z + i / view->side - rim);
        if (!column)
            return false;
        column->stale = true;
        view->grid[i] = column;
    }
    return true;
}

/* Cancels tasks whose results are no longer needed. */
static void cancel_unwanted(CnVoxels *world)
{
    for (uint32_t i = 0; i < world->running.count; i++) {
        CniVoxelTask *task = world->running.items[i];
        CnChunkPos position = {task->column->x, world->view.y, task->column->z};
        if (!task->prepares &&
            !cni_voxel_stream_view_contains(&world->view, position, task->is_mesh ? 0 : 1))
            __atomic_store_n(&task->cancelled, true, __ATOMIC_RELAXED);
    }
}

static bool faces_elsewhere(CnVec3 a, CnVec3 b)
{
    float dot = a.x * b.x + a.z * b.z;
    return !(dot > 0.0f && dot * dot > 0.8f * (a.x * a.x + a.z * a.z) * (b.x * b.x + b.z * b.z));
}

static uint32_t or_default(uint32_t value, uint32_t usual, uint32_t most)
{
    return value == 0 ? usual : value < most ? value : most;
}

/* Returns false when out of memory; there is no view then. */
static bool set_view(CnVoxels *world, const CnVoxelsView *wanted)
{
    CniVoxelStreamView *view = &world->view;
    int32_t radius = (int32_t)or_default(wanted->radius, 8, CN_VIEW_MAX_RADIUS);
    int32_t height = (int32_t)or_default(wanted->height, 4, CN_VIEW_MAX_HEIGHT);
    int32_t x = cni_voxel_chunk_along(wanted->eye.x, radius + 2);
    int32_t y = cni_voxel_chunk_along(wanted->eye.y, height + 2);
    int32_t z = cni_voxel_chunk_along(wanted->eye.z, radius + 2);
    bool same = view->set && x == view->x && y == view->y && z == view->z &&
                radius == view->radius && height == view->height;
    if (same && !faces_elsewhere(view->forward, wanted->forward))
        return true;
    view->forward = wanted->forward;
    if (!same) {
        view->set = false;
        if (!make_room(world, view, 2 * radius + 3)) {
            world->stats.out_of_memory++;
            return false;
        }
        view->x = x;
        view->y = y;
        view->z = z;
        view->radius = radius;
        view->height = height;
        view->side = 2 * radius + 3;
        view->set = fill_grid(world, view);
        cancel_unwanted(world);
    }
    sort_columns(view);
    return view->set;
}

/* ---- Starting tasks ---- */

typedef enum Need { NEED_NOTHING, NEED_TO_WAIT, NEED_CHUNKS, NEED_MESHES } Need;

static bool is_ready(const CniVoxelStreamView *view, const CniVoxelChunkColumn *column)
{
    return column->sky && column->low <= view->y - view->height - 1 &&
           column->high >= view->y + view->height + 2;
}

static bool is_inner(const CniVoxelStreamView *view, uint32_t index)
{
    uint32_t x = index % (uint32_t)view->side, z = index / (uint32_t)view->side;
    uint32_t last = (uint32_t)view->side - 1;
    return x > 0 && x < last && z > 0 && z < last;
}

/* Finds the nine columns around one inside the rim; returns false if some are not ready. */
static bool columns_around(const CniVoxelStreamView *view, uint32_t index,
                           CniVoxelChunkColumn *around[9])
{
    bool ready = true;
    for (int32_t i = 0; i < 9; i++) {
        around[i] = view->grid[(int32_t)index + i % 3 - 1 + (i / 3 - 1) * view->side];
        ready &= is_ready(view, around[i]);
    }
    return ready;
}

static Need need_of(const CniVoxelStreamView *view, uint32_t index, CniVoxelChunkColumn *around[9])
{
    const CniVoxelChunkColumn *column = view->grid[index];
    if (column->generating || column->meshing)
        return NEED_TO_WAIT;
    if (!is_ready(view, column))
        return NEED_CHUNKS;
    if (!column->stale || !is_inner(view, index))
        return NEED_NOTHING;
    return columns_around(view, index, around) ? NEED_MESHES : NEED_TO_WAIT;
}

/* Starts up to `limit` tasks in order of priority. Returns their number, including columns that
 * became ready without a task because all their chunks were loaded: work on their neighbors can
 * begin. */
static uint32_t begin_tasks(CnVoxels *world, uint32_t limit)
{
    CniVoxelStreamView *view = &world->view;
    uint32_t begun = 0, count = (uint32_t)(view->side * view->side);
    for (uint32_t i = view->first; i < count && begun < limit; i++) {
        uint32_t index = (uint32_t)view->order[i];
        CniVoxelChunkColumn *around[9];
        CniVoxelTask *task = NULL;
        Need need = need_of(view, index, around);
        if (need == NEED_CHUNKS)
            task = cni_voxel_task_generate(world, view->grid[index], view->y - view->height - 1,
                                           view->y + view->height + 2);
        else if (need == NEED_MESHES)
            task = cni_voxel_task_mesh(world, around, view->y - view->height,
                                       view->y + view->height + 1);
        else if (need == NEED_NOTHING && i == view->first)
            view->first++;
        if (task) {
            cni_voxel_task_begin(world, task);
            begun++;
        } else if (need == NEED_CHUNKS && is_ready(view, view->grid[index])) {
            begun++;
        }
    }
    return begun;
}

/* ---- Edits ---- */

static void run_batch(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    CnVoxels *world = data;
    for (uint32_t i = begin; i < end; i++)
        cni_voxel_task_run(world->batch.items[i], &world->lanes[lane]);
}

/* Creates the task of a column changed by edits. Returns NULL if the column cannot be meshed now or
 * is not in the view. */
static CniVoxelTask *changed_task(CnVoxels *world, CniVoxelChunkColumn *column)
{
    const CniVoxelStreamView *view = &world->view;
    CniVoxelChunkColumn *around[9];
    if (!cni_voxel_stream_view_contains(view, (CnChunkPos){column->x, view->y, column->z}, 0))
        return NULL;
    int32_t rim = view->radius + 1;
    uint32_t index =
        (uint32_t)(column->x - view->x + rim + (column->z - view->z + rim) * view->side);
    if (need_of(view, index, around) != NEED_MESHES)
        return NULL;
    return cni_voxel_task_mesh(world, around, view->y - view->height, view->y + view->height + 1);
}

/* Remeshes all chunks of an edit in the same call, so that no frame shows part of it. */
static void remesh_changed(CnVoxels *world, uint32_t limit)
{
    cn_array_clear(&world->batch);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->changed.count; i++) {
        CniVoxelChunkColumn *column = world->changed.items[i];
        bool room =
            world->batch.count < limit && cn_array_reserve(&world->batch, world->batch.count + 1u);
        if (!room || column->meshing) {
            world->changed.items[kept++] = column;
            continue;
        }
        column->listed = false;
        CniVoxelTask *task = changed_task(world, column);
        if (task)
            cn_array_push(&world->batch, task);
    }
    world->changed.count = kept;
    cn_job_parallel_for(world->jobs, world->batch.count, 1, run_batch, world);
    for (uint32_t i = 0; i < world->batch.count; i++)
        cni_voxel_task_apply(world, world->batch.items[i]);
}

/* ---- Frame ---- */

#define CHANGED_AT_ONCE 32u /* edited columns per frame: about 1 ms */
#define TASKS_AHEAD 8u      /* per lane, so that lanes stay busy while the owner works */
#define SWEEPS 32u          /* frames to visit every chunk entry once */

static uint64_t failures(const CnVoxels *world)
{
    return world->stats.out_of_memory + world->stats.storage_failures;
}

static void wait_for_all(CnVoxels *world)
{
    uint64_t failed = failures(world);
    while (failures(world) == failed) {
        remesh_changed(world, UINT32_MAX);
        uint32_t room = TASKS_AHEAD * world->lane_count;
        uint32_t begun = 0;
        if (world->running.count < room)
            begun = begin_tasks(world, room - world->running.count);
        if (world->running.count > 0)
            cn_job_wait(world->jobs, world->running.items[0]->job);
        if (cni_voxel_tasks_apply_done(world, UINT32_MAX) == 0 && begun == 0)
            return;
    }
    /* Results of running tasks are still useful; the rest waits for memory or storage. */
    while (world->running.count > 0) {
        cn_job_wait(world->jobs, world->running.items[0]->job);
        cni_voxel_tasks_apply_done(world, UINT32_MAX);
    }
}

void cn_voxels_stream(CnVoxels *world, const CnVoxelsView *view)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(view, "%s: view is NULL", __func__);
    uint32_t budget = view->budget ? view->budget : 64;
    cni_voxel_tasks_apply_done(world,
                               view->wait ? UINT32_MAX : or_default(view->results, 64, UINT32_MAX));
    bool has_view = set_view(world, view);
    if (has_view && view->wait) {
        wait_for_all(world);
        cni_voxel_unload_all(world);
    } else if (has_view) {
        remesh_changed(world, CHANGED_AT_ONCE);
        if (world->running.count < budget)
            begin_tasks(world, budget - world->running.count);
        cni_voxel_unload_some(world, world->entries.count / SWEEPS + 1,
                              world->columns.count / SWEEPS + 1);
    }
    cni_voxel_free_retired(world);
}

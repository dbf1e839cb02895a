#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Data that tasks may still read ---- */

uint64_t cni_oldest_task(const CnVoxels *world)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < world->running.count; i++) {
        uint64_t number = world->running.items[i]->number;
        oldest = number < oldest ? number : oldest;
    }
    return oldest;
}

static void free_retired(CnVoxels *world, const CniRetired *item)
{
    cn_chunk_release(item->blocks);
    cn_free(world->allocator, item->sky, sizeof *item->sky);
}

bool cni_retire(CnVoxels *world, uint64_t read_by, CnChunk *blocks, CniSky *sky)
{
    CniRetired item = {.number = read_by, .blocks = blocks, .sky = sky};
    if (read_by >= cni_oldest_task(world))
        return cn_array_push(&world->retired, item);
    free_retired(world, &item);
    return true;
}

void cni_free_retired(CnVoxels *world)
{
    uint64_t oldest = world->retired.count > 0 ? cni_oldest_task(world) : 0;
    for (uint32_t i = 0; i < world->retired.count;) {
        if (world->retired.items[i].number < oldest) {
            free_retired(world, &world->retired.items[i]);
            cn_array_remove_swap(&world->retired, i);
        } else {
            i++;
        }
    }
}

/* ---- Input of a task ---- */

static CniTask *new_task(CnVoxels *world, CniColumn *column)
{
    CniTask *task = cn_pool_acquire(&world->task_pool);
    if (!task) {
        world->stats.out_of_memory++;
        return NULL;
    }
    task->world = world;
    task->column = column;
    task->job = (CnJob){0};
    task->number = ++world->task_count;
    task->cancelled = task->out_of_memory = false;
    return task;
}

CniTask *cni_task_generate(CnVoxels *world, CniColumn *column, int32_t low, int32_t high)
{
    uint32_t wanted = 0;
    for (int32_t y = low; y < high; y++) {
        CniPlace **row = &column->rows[y & (CNI_ROWS - 1)];
        if (!*row || (*row)->position.y != y)
            *row = cni_place_find(world, (CnChunkPos){column->x, y, column->z});
        wanted |= *row ? 0 : 1u << (y - low);
    }
    /* Only the owner knows the edits; few columns have any. */
    if (!column->sky && column->edited && !cni_sky_load(world, column)) {
        world->stats.out_of_memory++;
        return NULL;
    }
    if (wanted == 0 && column->sky) {
        column->low = low;
        column->high = high;
        column->stale = true;
        return NULL;
    }
    CniTask *task = new_task(world, column);
    if (!task)
        return NULL;
    task->is_mesh = false;
    task->low = low;
    task->count = (uint32_t)(high - low);
    task->generate.wanted = wanted;
    task->generate.want_sky = !column->sky;
    task->generate.sky = NULL;
    memset(task->generate.chunks, 0, sizeof task->generate.chunks);
    column->generating = true;
    column->low = column->high = low; /* its rows may belong to another view from now on */
    return task;
}

static void give_blocks(CniTask *task, CniColumn *const around[9])
{
    for (uint32_t i = 0; i < 9; i++) {
        CniColumn *column = around[i];
        column->read_by = task->number;
        task->mesh.sky.open[i] = column->sky->open;
        for (uint32_t r = 0; r < task->count + 2; r++) {
            int32_t y = task->low - 1 + (int32_t)r;
            CniPlace *place = column->rows[y & (CNI_ROWS - 1)];
            CN_ASSERT(place && place->position.y == y, "a chunk of the row is not loaded");
            place->read_by = task->number;
            task->mesh.around[i][r] = place->blocks;
        }
    }
}

CniTask *cni_task_mesh(CnVoxels *world, CniColumn *const around[9], int32_t low, int32_t high)
{
    CniColumn *column = around[4];
    int32_t first = high, last = low;
    for (int32_t y = low; y < high; y++) {
        if (column->rows[y & (CNI_ROWS - 1)]->flags & CNI_PLACE_TO_DO) {
            first = y < first ? y : first;
            last = y;
        }
    }
    if (first == high) {
        column->stale = false;
        return NULL;
    }
    CniTask *task = new_task(world, column);
    if (!task)
        return NULL;
    task->is_mesh = true;
    task->low = first;
    task->count = (uint32_t)(last + 1 - first);
    give_blocks(task, around);
    for (uint32_t r = 0; r < task->count; r++) {
        CniPlace *place = column->rows[(first + (int32_t)r) & (CNI_ROWS - 1)];
        uint8_t to_do = place->flags & CNI_PLACE_TO_DO;
        task->mesh.built[r] = (CniBuilt){.to_do = to_do, .box_hash = place->box_hash};
        if (to_do) {
            place->flags &= ~(uint32_t)CNI_PLACE_TO_DO;
            place->flags |= CNI_PLACE_BUSY;
        }
    }
    column->meshing = true;
    column->stale = false;
    return task;
}

/* ---- Execution, on any thread ---- */

static bool is_cancelled(const CniTask *task)
{
    return __atomic_load_n(&task->cancelled, __ATOMIC_RELAXED);
}

static void generate(CniTask *task, CniLane *lane)
{
    CnVoxels *world = task->world;
    CniGenerateWork *work = &task->generate;
    int32_t x = task->column->x, z = task->column->z;
    if (is_cancelled(task))
        return;
    int32_t top = cn_generate_top(world->generator, lane->generate, x, z);
    for (uint32_t r = 0; r < task->count && !is_cancelled(task); r++) {
        CnChunkPos position = {x, task->low + (int32_t)r, z};
        if (!(work->wanted >> r & 1))
            continue;
        if (16 * position.y >= top) {
            work->chunks[r] = cn_chunk_acquire(world->air);
            continue;
        }
        cn_generate(world->generator, lane->generate, position, lane->blocks);
        work->chunks[r] = cn_chunk_create(world->allocator, lane->blocks);
        task->out_of_memory |= !work->chunks[r];
    }
    if (work->want_sky && !is_cancelled(task)) {
        work->sky = cni_sky_generate(world, lane, task);
        task->out_of_memory |= !work->sky;
    }
}

static CniMesh *copy_mesh(CnAllocator *allocator, const CnChunkMesh *mesh)
{
    CniMesh *copy = cn_alloc(allocator, sizeof *copy + mesh->count * sizeof(CnQuad));
    if (!copy)
        return NULL;
    copy->mesh = *mesh;
    copy->mesh.quads = copy->quads;
    copy->mesh.capacity = mesh->count;
    memcpy(copy->quads, mesh->quads, mesh->count * sizeof(CnQuad));
    return copy;
}

static bool build(CniTask *task, CniLane *lane, uint32_t row)
{
    CnAllocator *allocator = task->world->allocator;
    CniMeshWork *work = &task->mesh;
    CniBuilt *built = &work->built[row];
    CnNeighbourhood around;
    around.position = (CnChunkPos){task->column->x, task->low + (int32_t)row, task->column->z};
    for (uint32_t i = 0; i < 27; i++)
        around.chunks[i] = work->around[i % 3 + i / 9 * 3][row + i / 3 % 3];
    cn_light_build(lane->light, &around, &work->sky, &lane->box);
    uint64_t hash = cn_light_box_hash(&lane->box);
    if ((built->to_do & CNI_PLACE_MESH_OLD) || hash != built->box_hash) {
        CnChunkMesh mesh = {0};
        cn_chunk_mesh_build(lane->mesh, &around, &lane->box, &mesh);
        if (mesh.count > 0 && !(built->mesh = copy_mesh(allocator, &mesh)))
            return false;
        built->meshed = true;
        built->box_hash = hash;
    }
    built->light = cn_light_pack(allocator, &lane->box);
    return built->done = built->light;
}

void cni_task_run(CniTask *task, CniLane *lane)
{
    if (!task->is_mesh) {
        generate(task, lane);
        return;
    }
    for (uint32_t r = 0; r < task->count && !is_cancelled(task); r++)
        if (task->mesh.built[r].to_do)
            task->out_of_memory |= !build(task, lane, r);
}

static void run_job(void *data, uint32_t lane)
{
    CniTask *task = data;
    cni_task_run(task, &task->world->lanes[lane]);
}

void cni_task_begin(CnVoxels *world, CniTask *task)
{
    if (world->jobs && cn_array_push(&world->running, task)) {
        task->job = cn_job_submit(world->jobs, &(CnJobDesc){.run = run_job, .data = task});
        return;
    }
    cni_task_run(task, cni_owner_lane(world));
    cni_task_take_in(world, task);
}

/* ---- Applying results ---- */

static void take_in_chunks(CnVoxels *world, CniTask *task)
{
    CniColumn *column = task->column;
    CniGenerateWork *work = &task->generate;
    bool complete = true,
         kept = cni_view_has(&world->view, (CnChunkPos){column->x, world->view.y, column->z}, 2);
    for (uint32_t r = 0; r < task->count; r++) {
        if (!(work->wanted >> r & 1))
            continue;
        CnChunkPos position = {column->x, task->low + (int32_t)r, column->z};
        CniPlace *place = cni_place_find(world, position);
        CnChunk *chunk = work->chunks[r];
        world->stats.generated += chunk ? 1 : 0;
        world->stats.cancelled += !chunk && task->cancelled;
        if (place || !kept)
            cn_chunk_release(chunk);
        else if (chunk)
            place = cni_place_add(world, position, chunk);
        column->rows[position.y & (CNI_ROWS - 1)] = place;
        complete &= place != NULL;
        task->out_of_memory |= chunk && kept && !place;
    }
    if (column->sky || column->edited || !kept)
        cn_free(world->allocator, work->sky, sizeof *work->sky);
    else
        column->sky = work->sky;
    if (kept && !column->sky && column->edited)
        task->out_of_memory |= !cni_sky_load(world, column);
    column->generating = false;
    column->stale = true;
    if (complete && column->sky) {
        column->low = task->low;
        column->high = task->low + (int32_t)task->count;
    }
}

static void show(CnVoxels *world, CniPlace *place, CniBuilt *built)
{
    bool was_shown = place->flags & CNI_PLACE_SHOWN;
    bool differs = place->mesh || built->mesh;
    cni_mesh_free(world, place->mesh);
    place->mesh = built->mesh;
    place->box_hash = built->box_hash;
    place->flags |= CNI_PLACE_SHOWN;
    world->stats.meshed++;
    world->stats.shown += !was_shown;
    if (!was_shown && world->hooks.chunk_added)
        world->hooks.chunk_added(world->hooks.user, place->position);
    if (differs && world->hooks.mesh_changed)
        world->hooks.mesh_changed(world->hooks.user, place->position,
                                  cn_voxels_mesh(world, place->position));
}

static void take_in_row(CnVoxels *world, CniPlace *place, CniBuilt *built)
{
    place->flags &= ~(uint32_t)CNI_PLACE_BUSY;
    if (!built->done || !cni_view_has(&world->view, place->position, 1)) {
        place->flags |= built->to_do;
        cn_light_release(built->light);
        cni_mesh_free(world, built->mesh);
        return;
    }
    world->stats.lit++;
    cn_light_release(place->light);
    place->light = built->light;
    /* Edits have marked it again in the meantime. */
    if (!(place->flags & CNI_PLACE_TO_DO))
        place->flags &= ~(uint32_t)CNI_PLACE_LIGHT_OLD;
    if (built->meshed)
        show(world, place, built);
}

static void take_in_meshes(CnVoxels *world, CniTask *task)
{
    CniColumn *column = task->column;
    column->meshing = false;
    for (uint32_t r = 0; r < task->count; r++) {
        if (!task->mesh.built[r].to_do)
            continue;
        CniPlace *place = column->rows[(task->low + (int32_t)r) & (CNI_ROWS - 1)];
        world->stats.cancelled += !task->mesh.built[r].done && task->cancelled;
        take_in_row(world, place, &task->mesh.built[r]);
        column->stale |= (place->flags & CNI_PLACE_TO_DO) != 0;
    }
}

void cni_task_take_in(CnVoxels *world, CniTask *task)
{
    /* A hook or an edit may inspect the running tasks; this one has finished. */
    for (uint32_t i = 0; i < world->running.count; i++) {
        if (world->running.items[i] == task) {
            memmove(&world->running.items[i], &world->running.items[i + 1],
                    (world->running.count - i - 1) * sizeof(CniTask *));
            world->running.count--;
            break;
        }
    }
    if (task->is_mesh)
        take_in_meshes(world, task);
    else
        take_in_chunks(world, task);
    world->stats.out_of_memory += task->out_of_memory;
    world->view.first = 0;
    cn_pool_release(&world->task_pool, task);
}

static void drop_results(CnVoxels *world, CniTask *task)
{
    for (uint32_t r = 0; r < task->count; r++) {
        if (!task->is_mesh) {
            cn_chunk_release(task->generate.chunks[r]);
        } else if (task->mesh.built[r].to_do) {
            cn_light_release(task->mesh.built[r].light);
            cni_mesh_free(world, task->mesh.built[r].mesh);
        }
    }
    if (!task->is_mesh)
        cn_free(world->allocator, task->generate.sky, sizeof(CniSky));
}

void cni_tasks_drop(CnVoxels *world)
{
    for (uint32_t i = 0; i < world->running.count; i++)
        __atomic_store_n(&world->running.items[i]->cancelled, true, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < world->running.count; i++) {
        cn_job_wait(world->jobs, world->running.items[i]->job);
        drop_results(world, world->running.items[i]);
    }
    cn_array_clear(&world->running);
}

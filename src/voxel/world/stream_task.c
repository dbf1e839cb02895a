#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Data that tasks may still read ---- */

uint64_t cni_voxel_oldest_task(const CnVoxels *world)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < world->running.count; i++) {
        uint64_t number = world->running.items[i]->number;
        oldest = number < oldest ? number : oldest;
    }
    return oldest;
}

static void free_retired(CnVoxels *world, const CniVoxelRetired *item)
{
    cn_chunk_release(item->blocks);
    cn_free(world->allocator, item->sky, sizeof *item->sky);
}

bool cni_voxel_retire(CnVoxels *world, uint64_t read_by, CnChunk *blocks, CniVoxelSkyHeights *sky)
{
    CniVoxelRetired item = {.number = read_by, .blocks = blocks, .sky = sky};
    if (read_by >= cni_voxel_oldest_task(world))
        return cn_array_push(&world->retired, item);
    free_retired(world, &item);
    return true;
}

void cni_voxel_free_retired(CnVoxels *world)
{
    uint64_t oldest = world->retired.count > 0 ? cni_voxel_oldest_task(world) : 0;
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

static CniVoxelTask *new_task(CnVoxels *world, CniVoxelChunkColumn *column)
{
    CniVoxelTask *task = cn_pool_acquire(&world->task_pool);
    if (!task) {
        world->stats.out_of_memory++;
        return NULL;
    }
    task->world = world;
    task->column = column;
    task->job = (CnJob){0};
    task->number = ++world->task_count;
    task->is_mesh = task->prepares = false;
    task->cancelled = task->out_of_memory = false;
    return task;
}

static bool has_edits(const CniVoxelChunkColumn *column)
{
    return column->edited > 0 || column->stored;
}

/* Begins a task for the rows in `wanted`, and for the sky heights if they are unknown. */
static CniVoxelTask *new_generate_task(CnVoxels *world, CniVoxelChunkColumn *column, int32_t low,
                                       int32_t high, uint32_t wanted)
{
    CniVoxelTask *task = new_task(world, column);
    if (!task)
        return NULL;
    task->low = low;
    task->count = (uint32_t)(high - low);
    task->generate.wanted = wanted;
    task->generate.want_sky = !column->sky;
    task->generate.sky = NULL;
    memset(task->generate.chunks, 0, sizeof task->generate.chunks);
    column->generating = true;
    return task;
}

/* Only the owner knows the edits; few columns have any. Returns false if they cannot be loaded. */
static bool load_edited_sky(CnVoxels *world, CniVoxelChunkColumn *column)
{
    return column->sky || !has_edits(column) || cni_voxel_sky_heights_load(world, column);
}

CniVoxelTask *cni_voxel_task_generate(CnVoxels *world, CniVoxelChunkColumn *column, int32_t low,
                                      int32_t high)
{
    uint32_t wanted = 0;
    for (int32_t y = low; y < high; y++) {
        CniVoxelChunkEntry **row = &column->rows[y & (CNI_VOXEL_COLUMN_ROWS - 1)];
        if (!*row || (*row)->position.y != y)
            *row = cni_voxel_chunk_entry_find(world, (CnChunkPos){column->x, y, column->z});
        wanted |= *row ? 0 : 1u << (y - low);
    }
    if (!load_edited_sky(world, column))
        return NULL;
    if (wanted == 0 && column->sky) {
        column->low = low;
        column->high = high;
        column->stale = true;
        return NULL;
    }
    CniVoxelTask *task = new_generate_task(world, column, low, high, wanted);
    if (task)
        column->low = column->high = low; /* its rows may belong to another view from now on */
    return task;
}

CniVoxelTask *cni_voxel_task_prepare(CnVoxels *world, CniVoxelChunkColumn *column, int32_t low,
                                     int32_t high)
{
    uint32_t wanted = 0;
    for (int32_t y = low; y < high; y++) {
        CnChunkPos position = {column->x, y, column->z};
        bool is_loaded = cn_hash_map_get(&world->entries, cn_chunk_key(position));
        wanted |= is_loaded ? 0 : 1u << (y - low);
    }
    if (!load_edited_sky(world, column))
        return NULL;
    if (wanted == 0 && column->sky) {
        column->prepared_low = low;
        column->prepared_high = high;
        return NULL;
    }
    CniVoxelTask *task = new_generate_task(world, column, low, high, wanted);
    if (task) {
        task->prepares = true;
        world->prepare.running++;
    }
    return task;
}

static void give_blocks(CniVoxelTask *task, CniVoxelChunkColumn *const around[9])
{
    for (uint32_t i = 0; i < 9; i++) {
        CniVoxelChunkColumn *column = around[i];
        column->read_by = task->number;
        task->mesh.sky.open[i] = column->sky->open;
        for (uint32_t r = 0; r < task->count + 2; r++) {
            int32_t y = task->low - 1 + (int32_t)r;
            CniVoxelChunkEntry *entry = column->rows[y & (CNI_VOXEL_COLUMN_ROWS - 1)];
            CN_ASSERT(entry && entry->position.y == y, "a chunk of the row is not loaded");
            entry->read_by = task->number;
            task->mesh.around[i][r] = entry->blocks;
        }
    }
}

CniVoxelTask *cni_voxel_task_mesh(CnVoxels *world, CniVoxelChunkColumn *const around[9],
                                  int32_t low, int32_t high)
{
    CniVoxelChunkColumn *column = around[4];
    int32_t first = high, last = low;
    for (int32_t y = low; y < high; y++) {
        if (column->rows[y & (CNI_VOXEL_COLUMN_ROWS - 1)]->flags & CNI_VOXEL_CHUNK_MESH_WORK) {
            first = y < first ? y : first;
            last = y;
        }
    }
    if (first == high) {
        column->stale = false;
        return NULL;
    }
    CniVoxelTask *task = new_task(world, column);
    if (!task)
        return NULL;
    task->is_mesh = true;
    task->low = first;
    task->count = (uint32_t)(last + 1 - first);
    give_blocks(task, around);
    for (uint32_t r = 0; r < task->count; r++) {
        CniVoxelChunkEntry *entry =
            column->rows[(first + (int32_t)r) & (CNI_VOXEL_COLUMN_ROWS - 1)];
        uint8_t to_do = entry->flags & CNI_VOXEL_CHUNK_MESH_WORK;
        task->mesh.built[r] = (CniVoxelMeshResult){.to_do = to_do, .box_hash = entry->box_hash};
        if (to_do) {
            entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_MESH_WORK;
            entry->flags |= CNI_VOXEL_CHUNK_IN_TASK;
        }
    }
    column->meshing = true;
    column->stale = false;
    return task;
}

/* ---- Execution, on any thread ---- */

static bool is_cancelled(const CniVoxelTask *task)
{
    return __atomic_load_n(&task->cancelled, __ATOMIC_RELAXED);
}

static void generate(CniVoxelTask *task, CniVoxelLane *lane)
{
    CnVoxels *world = task->world;
    CniVoxelGenerateWork *work = &task->generate;
    int32_t x = task->column->x, z = task->column->z;
    if (is_cancelled(task))
        return;
    int32_t top = cn_generate_max_height(world->generator, lane->generate, x, z);
    for (uint32_t r = 0; r < task->count && !is_cancelled(task); r++) {
        CnChunkPos position = {x, task->low + (int32_t)r, z};
        if (!(work->wanted >> r & 1))
            continue;
        if (16 * position.y >= top) {
            work->chunks[r] = cn_chunk_acquire(world->air);
            continue;
        }
        cn_generate(world->generator, lane->generate, position, lane->blocks);
        work->chunks[r] = cn_chunk_create(world->allocator, world->table, lane->blocks);
        task->out_of_memory |= !work->chunks[r];
    }
    if (work->want_sky && !is_cancelled(task)) {
        work->sky = cni_voxel_sky_heights_generate(world, lane, task);
        task->out_of_memory |= !work->sky;
    }
}

static CniVoxelStoredMesh *copy_mesh(CnAllocator *allocator, const CnChunkMesh *mesh)
{
    CniVoxelStoredMesh *copy = cn_alloc(allocator, sizeof *copy + mesh->count * sizeof(CnQuad));
    if (!copy)
        return NULL;
    copy->mesh = *mesh;
    copy->mesh.quads = copy->quads;
    copy->mesh.capacity = mesh->count;
    memcpy(copy->quads, mesh->quads, mesh->count * sizeof(CnQuad));
    return copy;
}

static bool build(CniVoxelTask *task, CniVoxelLane *lane, uint32_t row)
{
    CnAllocator *allocator = task->world->allocator;
    CniVoxelMeshWork *work = &task->mesh;
    CniVoxelMeshResult *built = &work->built[row];
    CnNeighborhood around;
    around.position = (CnChunkPos){task->column->x, task->low + (int32_t)row, task->column->z};
    for (uint32_t i = 0; i < 27; i++)
        around.chunks[i] = work->around[i % 3 + i / 9 * 3][row + i / 3 % 3];
    cn_light_build(lane->light, &around, &work->sky, &lane->box);
    uint64_t hash = cn_light_box_hash(&lane->box);
    if ((built->to_do & CNI_VOXEL_CHUNK_MESH_DIRTY) || hash != built->box_hash) {
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

void cni_voxel_task_run(CniVoxelTask *task, CniVoxelLane *lane)
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
    CniVoxelTask *task = data;
    cni_voxel_task_run(task, &task->world->lanes[lane]);
}

void cni_voxel_task_begin(CnVoxels *world, CniVoxelTask *task)
{
    if (world->jobs && cn_array_push(&world->running, task)) {
        task->job = cn_job_submit(world->jobs, &(CnJobDesc){.run = run_job, .data = task});
        return;
    }
    cni_voxel_task_run(task, cni_voxel_owner_lane(world));
    cni_voxel_task_apply(world, task);
}

/* ---- Applying results ---- */

/* Adds a generated chunk. Returns its entry, NULL if there is none. Takes over the reference. */
static CniVoxelChunkEntry *apply_chunk(CnVoxels *world, CniVoxelTask *task, CnChunkPos position,
                                       CnChunk *chunk, bool is_kept)
{
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    world->stats.generated += chunk ? 1 : 0;
    world->stats.cancelled += !chunk && task->cancelled;
    if (chunk && !entry && is_kept)
        return cni_voxel_chunk_entry_add(world, position, chunk);
    cn_chunk_release(chunk);
    return entry;
}

static void apply_sky(CnVoxels *world, CniVoxelTask *task, bool is_kept)
{
    CniVoxelChunkColumn *column = task->column;
    CniVoxelGenerateWork *work = &task->generate;
    if (column->sky || has_edits(column) || !is_kept)
        cn_free(world->allocator, work->sky, sizeof *work->sky);
    else
        column->sky = work->sky;
    if (is_kept)
        load_edited_sky(world, column);
}

static void apply_chunks(CnVoxels *world, CniVoxelTask *task)
{
    CniVoxelChunkColumn *column = task->column;
    bool complete = true, kept = cni_voxel_stream_view_contains(
                              &world->view, (CnChunkPos){column->x, world->view.y, column->z}, 2);
    for (uint32_t r = 0; r < task->count; r++) {
        if (!(task->generate.wanted >> r & 1))
            continue;
        CnChunkPos position = {column->x, task->low + (int32_t)r, column->z};
        CniVoxelChunkEntry *entry =
            apply_chunk(world, task, position, task->generate.chunks[r], kept);
        column->rows[position.y & (CNI_VOXEL_COLUMN_ROWS - 1)] = entry;
        complete &= entry != NULL;
    }
    apply_sky(world, task, kept);
    column->generating = false;
    column->stale = true;
    if (complete && column->sky) {
        column->low = task->low;
        column->high = task->low + (int32_t)task->count;
    }
}

static void apply_prepared(CnVoxels *world, CniVoxelTask *task)
{
    CniVoxelChunkColumn *column = task->column;
    bool complete = true;
    for (uint32_t r = 0; r < task->count; r++) {
        if (!(task->generate.wanted >> r & 1))
            continue;
        CnChunkPos position = {column->x, task->low + (int32_t)r, column->z};
        bool is_kept = cni_voxel_prepare_contains(&world->prepare, position);
        complete &= apply_chunk(world, task, position, task->generate.chunks[r], is_kept) != NULL;
    }
    apply_sky(world, task,
              cni_voxel_prepare_contains_column(&world->prepare, column->x, column->z));
    column->generating = false;
    column->stale = true;
    if (complete && column->sky) {
        column->prepared_low = task->low;
        column->prepared_high = task->low + (int32_t)task->count;
    }
    world->prepare.running--;
}

static void show(CnVoxels *world, CniVoxelChunkEntry *entry, CniVoxelMeshResult *built)
{
    bool was_shown = entry->flags & CNI_VOXEL_CHUNK_HAS_MESH;
    bool differs = entry->mesh || built->mesh;
    cni_voxel_stored_mesh_free(world, entry->mesh);
    entry->mesh = built->mesh;
    entry->box_hash = built->box_hash;
    entry->flags |= CNI_VOXEL_CHUNK_HAS_MESH;
    world->stats.meshed++;
    world->stats.shown += !was_shown;
    if (!was_shown && world->hooks.chunk_added)
        world->hooks.chunk_added(world->hooks.user, entry->position);
    if (differs && world->hooks.mesh_changed)
        world->hooks.mesh_changed(world->hooks.user, entry->position,
                                  cn_voxels_mesh(world, entry->position));
}

static void apply_row(CnVoxels *world, CniVoxelChunkEntry *entry, CniVoxelMeshResult *built)
{
    entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_IN_TASK;
    if (!built->done || !cni_voxel_stream_view_contains(&world->view, entry->position, 1)) {
        entry->flags |= built->to_do;
        cn_light_release(built->light);
        cni_voxel_stored_mesh_free(world, built->mesh);
        return;
    }
    world->stats.lit++;
    cn_light_release(entry->light);
    entry->light = built->light;
    /* Edits have marked it again in the meantime. */
    if (!(entry->flags & CNI_VOXEL_CHUNK_MESH_WORK))
        entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_LIGHT_DIRTY;
    if (built->meshed)
        show(world, entry, built);
}

static void apply_meshes(CnVoxels *world, CniVoxelTask *task)
{
    CniVoxelChunkColumn *column = task->column;
    column->meshing = false;
    for (uint32_t r = 0; r < task->count; r++) {
        if (!task->mesh.built[r].to_do)
            continue;
        CniVoxelChunkEntry *entry =
            column->rows[(task->low + (int32_t)r) & (CNI_VOXEL_COLUMN_ROWS - 1)];
        world->stats.cancelled += !task->mesh.built[r].done && task->cancelled;
        apply_row(world, entry, &task->mesh.built[r]);
        column->stale |= (entry->flags & CNI_VOXEL_CHUNK_MESH_WORK) != 0;
    }
}

void cni_voxel_task_apply(CnVoxels *world, CniVoxelTask *task)
{
    /* A hook or an edit may inspect the running tasks; this one has finished. */
    for (uint32_t i = 0; i < world->running.count; i++) {
        if (world->running.items[i] == task) {
            memmove(&world->running.items[i], &world->running.items[i + 1],
                    (world->running.count - i - 1) * sizeof(CniVoxelTask *));
            world->running.count--;
            break;
        }
    }
    if (task->is_mesh)
        apply_meshes(world, task);
    else if (task->prepares)
        apply_prepared(world, task);
    else
        apply_chunks(world, task);
    world->prepare.round++;
    world->stats.out_of_memory += task->out_of_memory;
    world->view.first = 0;
    cn_pool_release(&world->task_pool, task);
}

uint32_t cni_voxel_tasks_apply_done(CnVoxels *world, uint32_t limit)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < world->running.count && taken < limit;) {
        CniVoxelTask *task = world->running.items[i];
        if (cn_job_is_done(world->jobs, task->job)) {
            cni_voxel_task_apply(world, task);
            taken++;
        } else {
            i++;
        }
    }
    return taken;
}

static void drop_results(CnVoxels *world, CniVoxelTask *task)
{
    for (uint32_t r = 0; r < task->count; r++) {
        if (!task->is_mesh) {
            cn_chunk_release(task->generate.chunks[r]);
        } else if (task->mesh.built[r].to_do) {
            cn_light_release(task->mesh.built[r].light);
            cni_voxel_stored_mesh_free(world, task->mesh.built[r].mesh);
        }
    }
    if (!task->is_mesh)
        cn_free(world->allocator, task->generate.sky, sizeof(CniVoxelSkyHeights));
}

void cni_voxel_tasks_drop(CnVoxels *world)
{
    for (uint32_t i = 0; i < world->running.count; i++)
        __atomic_store_n(&world->running.items[i]->cancelled, true, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < world->running.count; i++) {
        cn_job_wait(world->jobs, world->running.items[i]->job);
        drop_results(world, world->running.items[i]);
    }
    cn_array_clear(&world->running);
}

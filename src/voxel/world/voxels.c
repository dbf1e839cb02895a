#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Columns and chunk entries ---- */

CniVoxelLane *cni_voxel_owner_lane(CnVoxels *world)
{
    return &world->lanes[world->lane_count - 1];
}

static uint64_t column_key(int32_t x, int32_t z)
{
    return cn_chunk_key((CnChunkPos){x, 0, z});
}

CniVoxelChunkColumn *cni_voxel_column_find(const CnVoxels *world, int32_t x, int32_t z)
{
    CniVoxelChunkColumn **found = cn_hash_map_get(&world->columns, column_key(x, z));
    return found ? *found : NULL;
}

CniVoxelChunkColumn *cni_voxel_column_load(CnVoxels *world, int32_t x, int32_t z)
{
    CniVoxelChunkColumn *column = cni_voxel_column_find(world, x, z);
    if (column) {
        column->touched = true;
        return column;
    }
    column = cn_pool_acquire(&world->column_pool);
    if (!column) {
        world->stats.out_of_memory++;
        return NULL;
    }
    const int32_t *stored_high = cn_hash_map_get(&world->stored_columns, column_key(x, z));
    *column = (CniVoxelChunkColumn){.x = x,
                                    .z = z,
                                    .edited_high = stored_high ? *stored_high : INT32_MIN,
                                    .stored = stored_high,
                                    .stale = true,
                                    .touched = true};
    if (cn_hash_map_set(&world->columns, column_key(x, z), &column))
        return column;
    cn_pool_release(&world->column_pool, column);
    world->stats.out_of_memory++;
    return NULL;
}

CniVoxelChunkEntry *cni_voxel_chunk_entry_find(CnVoxels *world, CnChunkPos position)
{
    CniVoxelChunkEntry *last = world->last;
    if (last && last->position.x == position.x && last->position.y == position.y &&
        last->position.z == position.z)
        return last;
    CniVoxelChunkEntry **found = cn_hash_map_get(&world->entries, cn_chunk_key(position));
    return found ? world->last = *found : NULL;
}

/* Takes over `blocks`, which may be NULL when out of memory, and `edited`, even on failure. */
static CniVoxelChunkEntry *add_entry(CnVoxels *world, CnChunkPos position, CnChunk *blocks,
                                     CniVoxelEditedCells *edited)
{
    CniVoxelChunkEntry *entry = blocks ? cn_pool_acquire(&world->entry_pool) : NULL;
    if (entry) {
        *entry = (CniVoxelChunkEntry){.position = position, .blocks = blocks, .edited = edited};
        entry->flags = CNI_VOXEL_CHUNK_MESH_DIRTY | CNI_VOXEL_CHUNK_LIGHT_DIRTY;
        entry->flags |= edited ? CNI_VOXEL_CHUNK_EDITED : 0;
        if (cn_hash_map_set(&world->entries, cn_chunk_key(position), &entry))
            return entry;
        cn_pool_release(&world->entry_pool, entry);
    }
    cn_chunk_release(blocks);
    cn_free(world->allocator, edited, sizeof *edited);
    world->stats.out_of_memory++;
    return NULL;
}

/* Adds the generated blocks in the owner's lane. */
static CniVoxelChunkEntry *add_from_lane(CnVoxels *world, CnChunkPos position)
{
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    CniVoxelEditedCells *edited;
    if (!cni_voxel_apply_stored(world, position, lane->blocks, &edited))
        return NULL;
    return add_entry(world, position, cn_chunk_create(world->allocator, world->table, lane->blocks),
                     edited);
}

CniVoxelChunkEntry *cni_voxel_chunk_entry_add(CnVoxels *world, CnChunkPos position, CnChunk *blocks)
{
    if (!cni_voxel_is_stored(world, position))
        return add_entry(world, position, blocks, NULL);
    cn_chunk_unpack(blocks, cni_voxel_owner_lane(world)->blocks);
    cn_chunk_release(blocks);
    return add_from_lane(world, position);
}

CniVoxelChunkEntry *cni_voxel_chunk_entry_load(CnVoxels *world, CnChunkPos position)
{
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    if (!entry) {
        CniVoxelLane *lane = cni_voxel_owner_lane(world);
        cn_generate(world->generator, lane->generate, position, lane->blocks);
        entry = add_from_lane(world, position);
        if (!entry)
            return NULL;
        world->stats.generated++;
        world->prepare.strays++;
        world->last = entry;
    }
    entry->flags |= CNI_VOXEL_CHUNK_TOUCHED;
    return entry;
}

void cni_voxel_stored_mesh_free(CnVoxels *world, CniVoxelStoredMesh *mesh)
{
    if (mesh)
        cn_free(world->allocator, mesh, sizeof *mesh + mesh->mesh.count * sizeof(CnQuad));
}

void cni_voxel_chunk_entry_drop_mesh(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    bool was_shown = entry->flags & CNI_VOXEL_CHUNK_HAS_MESH;
    cni_voxel_stored_mesh_free(world, entry->mesh);
    cn_light_release(entry->light);
    entry->mesh = NULL;
    entry->light = NULL;
    entry->flags &= ~(uint32_t)(CNI_VOXEL_CHUNK_HAS_MESH | CNI_VOXEL_CHUNK_CHECK_LIGHT);
    entry->flags |= CNI_VOXEL_CHUNK_MESH_DIRTY | CNI_VOXEL_CHUNK_LIGHT_DIRTY;
    if (!was_shown)
        return;
    world->stats.shown--;
    if (world->hooks.chunk_removed)
        world->hooks.chunk_removed(world->hooks.user, entry->position);
}

/* ---- Creating and destroying ---- */

static bool create_lanes(CnVoxels *world)
{
    uint32_t workers = world->jobs ? cn_job_pool_workers(world->jobs) : 0;
    if (workers == 0)
        world->jobs = NULL;
    world->lane_count = world->jobs ? workers + 2 : 1;
    world->lanes = cn_alloc_zeroed(world->allocator, world->lane_count * sizeof *world->lanes);
    for (uint32_t i = 0; world->lanes && i < world->lane_count; i++) {
        CniVoxelLane *lane = &world->lanes[i];
        lane->generate = cn_generate_scratch_create(world->generator);
        lane->light = cn_light_scratch_create(world->allocator, world->table);
        lane->mesh = cn_chunk_mesh_scratch_create(world->allocator);
        if (!lane->generate || !lane->light || !lane->mesh)
            return false;
    }
    return world->lanes;
}

static void destroy_lanes(CnVoxels *world)
{
    for (uint32_t i = 0; world->lanes && i < world->lane_count; i++) {
        CniVoxelLane *lane = &world->lanes[i];
        if (lane->generate)
            cn_generate_scratch_destroy(lane->generate);
        if (lane->light)
            cn_light_scratch_destroy(lane->light);
        if (lane->mesh)
            cn_chunk_mesh_scratch_destroy(lane->mesh);
    }
    cn_free(world->allocator, world->lanes, world->lane_count * sizeof *world->lanes);
}

static CnBlock get_for_water(void *user, CnCell cell)
{
    return cn_voxels_get(user, cell);
}

static void set_for_water(void *user, CnCell cell, CnBlock block)
{
    CnVoxels *world = user;
    CnEdit edit = {.tick = world->tick,
                   .kind = CN_EDIT_FLOW,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    if (!cn_voxels_edit(world, &edit, NULL))
        world->stats.out_of_memory++;
}

CnVoxels *cn_voxels_create(const CnVoxelsDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->generator, "a voxel world needs a generator");
    CnVoxels *world = cn_alloc_zeroed(desc->allocator, sizeof *world);
    if (!world) {
        cn_error_memory(error, "a voxel world");
        return NULL;
    }
    world->allocator = desc->allocator;
    world->generator = desc->generator;
    world->table = cn_generator_blocks(desc->generator);
    world->jobs = desc->jobs;
    world->hooks = desc->hooks;
    cn_hash_map_init(&world->entries, desc->allocator, sizeof(CniVoxelChunkEntry *));
    cn_hash_map_init(&world->columns, desc->allocator, sizeof(CniVoxelChunkColumn *));
    cn_pool_init(&world->entry_pool, desc->allocator, sizeof(CniVoxelChunkEntry), 0);
    cn_pool_init(&world->column_pool, desc->allocator, sizeof(CniVoxelChunkColumn), 0);
    cn_pool_init(&world->task_pool, desc->allocator, sizeof(CniVoxelTask), 4);
    cn_array_init(&world->running, desc->allocator);
    cn_array_init(&world->changed, desc->allocator);
    cn_array_init(&world->retired, desc->allocator);
    cn_array_init(&world->batch, desc->allocator);
    cn_array_init(&world->scheduled, desc->allocator);
    cn_array_init(&world->centers, desc->allocator);
    cn_hash_map_init(&world->players, desc->allocator, 0);
    cni_voxel_prepare_init(world);
    cni_voxel_data_init(world);
    CnWaterCells cells = {
        .table = world->table, .user = world, .get = get_for_water, .set = set_for_water};
    world->log = cn_edit_log_create(desc->allocator, desc->edit_limit ? desc->edit_limit : 100000);
    world->water = cn_water_create(desc->allocator, cells);
    world->air = cn_chunk_create_uniform(desc->allocator, world->table, CN_BLOCK_AIR);
    if (world->log && world->water && world->air && create_lanes(world) &&
        cni_voxel_storage_init(world))
        return world;
    cn_voxels_destroy(world);
    cn_error_memory(error, "a voxel world");
    return NULL;
}

const CnBlockTable *cn_voxels_blocks(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->table;
}

void cn_voxels_destroy(CnVoxels *world)
{
    if (!world)
        return;
    cni_voxel_tasks_drop(world);
    cni_voxel_free_retired(world);
    for (uint32_t i = 0; i < world->entries.count; i++) {
        CniVoxelChunkEntry *entry = *(CniVoxelChunkEntry **)cn_hash_map_value(&world->entries, i);
        cn_chunk_release(entry->blocks);
        cn_light_release(entry->light);
        cni_voxel_stored_mesh_free(world, entry->mesh);
        cn_free(world->allocator, entry->edited, sizeof *entry->edited);
    }
    for (uint32_t i = 0; i < world->columns.count; i++) {
        CniVoxelChunkColumn *column =
            *(CniVoxelChunkColumn **)cn_hash_map_value(&world->columns, i);
        cn_free(world->allocator, column->sky, sizeof *column->sky);
    }
    cn_chunk_release(world->air);
    cn_hash_map_fini(&world->entries);
    cn_hash_map_fini(&world->columns);
    cn_pool_fini(&world->entry_pool);
    cn_pool_fini(&world->column_pool);
    cn_pool_fini(&world->task_pool);
    cn_array_fini(&world->running);
    cn_array_fini(&world->changed);
    cn_array_fini(&world->retired);
    cn_array_fini(&world->batch);
    cn_array_fini(&world->scheduled);
    cn_array_fini(&world->centers);
    cn_hash_map_fini(&world->players);
    cni_voxel_prepare_fini(world);
    CniVoxelStreamView *view = &world->view;
    cn_free(world->allocator, view->grid, view->grid_size * sizeof *view->grid);
    cn_free(world->allocator, view->order, view->grid_size * sizeof *view->order);
    destroy_lanes(world);
    cni_voxel_storage_fini(world);
    cni_voxel_data_fini(world);
    cn_water_destroy(world->water);
    if (world->log)
        cn_edit_log_destroy(world->log);
    cn_free(world->allocator, world, sizeof *world);
}

/* ---- Blocks ---- */

CnBlock cn_voxels_get(CnVoxels *world, CnCell cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnChunkPos position = cn_chunk_of(cell);
    if (!cni_voxel_chunk_in_limits(position))
        return CN_BLOCK_AIR;
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_load(world, position);
    if (!entry) /* It cannot be kept, but it has been generated. */
        return cni_voxel_owner_lane(world)->blocks[cn_chunk_index(cell)];
    return cn_chunk_get(entry->blocks, cell.x & 15, cell.y & 15, cell.z & 15);
}

const CnChunk *cn_voxels_chunk(CnVoxels *world, CnChunkPos position)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelChunkEntry *entry =
        cni_voxel_chunk_in_limits(position) ? cni_voxel_chunk_entry_load(world, position) : NULL;
    return entry ? entry->blocks : NULL;
}

bool cn_voxels_is_loaded(const CnVoxels *world, CnChunkPos position)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cni_voxel_chunk_in_limits(position) &&
           cn_hash_map_get(&world->entries, cn_chunk_key(position)) != NULL;
}

CnEditLog *cn_voxels_log(CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->log;
}

uint64_t cn_voxels_hash(CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint64_t hash = cn_hash_mix(world->edit_sum + world->data.sum);
    hash = cn_hash_mix(hash ^ cni_voxel_schedule_hash(world));
    return cn_hash_mix(hash ^ cn_water_hash(world->water));
}

/* ---- Light ---- */

/* The outermost chunks of the world are their own neighbors. */
static int32_t inside(int32_t at)
{
    return at < -CN_CHUNK_LIMIT ? -CN_CHUNK_LIMIT : at < CN_CHUNK_LIMIT ? at : CN_CHUNK_LIMIT - 1;
}

/* Computes the light of a chunk from its surroundings in the owner's box. Returns false if some of
 * them cannot be loaded. */
static bool light_box(CnVoxels *world, CnChunkPos position)
{
    CnNeighborhood around = {.position = position};
    CnLightSky sky;
    for (int32_t i = 0; i < 9; i++) {
        int32_t dx = i % 3 - 1, dz = i / 3 - 1;
        int32_t x = inside(position.x + dx), z = inside(position.z + dz);
        CniVoxelChunkColumn *column = cni_voxel_column_load(world, x, z);
        if (!column || !cni_voxel_sky_heights_load(world, column))
            return false;
        sky.open[i] = column->sky->open;
        for (int32_t dy = -1; dy <= 1; dy++) {
            CniVoxelChunkEntry *entry =
                cni_voxel_chunk_entry_load(world, (CnChunkPos){x, inside(position.y + dy), z});
            if (!entry)
                return false;
            around.chunks[dx + 1 + 3 * (dy + 1) + 9 * (dz + 1)] = entry->blocks;
        }
    }
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    cn_light_build(lane->light, &around, &sky, &lane->box);
    world->stats.lit++;
    return true;
}

uint8_t cn_voxels_light(CnVoxels *world, CnCell cell)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnChunkPos position = cn_chunk_of(cell);
    if (!cni_voxel_chunk_in_limits(position))
        return 15u << 4;
    uint32_t x = cell.x & 15, y = cell.y & 15, z = cell.z & 15;
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    if (entry && entry->light && !(entry->flags & CNI_VOXEL_CHUNK_LIGHT_DIRTY)) {
        entry->flags |= CNI_VOXEL_CHUNK_TOUCHED;
        return cn_light_get(entry->light, x, y, z);
    }
    if (!light_box(world, position))
        return 15u << 4;
    const CnLightBox *box = &cni_voxel_owner_lane(world)->box;
    CnChunkLight *light = cn_light_pack(world->allocator, box);
    if (light) {
        entry = cni_voxel_chunk_entry_find(world, position);
        cn_light_release(entry->light);
        entry->light = light;
        entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_LIGHT_DIRTY;
    }
    return box->cells[cn_padded_index((int32_t)x, (int32_t)y, (int32_t)z)];
}

int32_t cn_voxels_height(CnVoxels *world, int32_t x, int32_t z)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cni_voxel_chunk_in_limits((CnChunkPos){x >> 4, 0, z >> 4}))
        return CN_WORLD_BOTTOM;
    CniVoxelChunkColumn *column = cni_voxel_column_load(world, x >> 4, z >> 4);
    if (column && cni_voxel_sky_heights_load(world, column))
        return column->sky->open[(x & 15) + 16 * (z & 15)] - 1;
    return CN_WORLD_BOTTOM;
}

/* ---- Meshes and statistics ---- */

const CnChunkMesh *cn_voxels_mesh(CnVoxels *world, CnChunkPos position)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const CnChunkMesh empty;
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    if (!entry || !(entry->flags & CNI_VOXEL_CHUNK_HAS_MESH))
        return NULL;
    return entry->mesh ? &entry->mesh->mesh : &empty;
}

CnVoxelsStats cn_voxels_stats(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnVoxelsStats stats = world->stats;
    stats.chunks = world->entries.count;
    stats.running = world->running.count;
    stats.preparing = world->prepare.pending.count;
    uint32_t side = 2 * (uint32_t)world->view.radius + 1;
    stats.waiting = world->view.set ? side * side * (2 * (uint32_t)world->view.height + 1) : 0;
    for (uint32_t i = 0; i < world->entries.count; i++) {
        const CniVoxelChunkEntry *entry =
            *(CniVoxelChunkEntry **)cn_hash_map_value(&world->entries, i);
        stats.block_bytes += entry->blocks == world->air ? 0 : cn_chunk_bytes(entry->blocks);
        if ((entry->flags & CNI_VOXEL_CHUNK_HAS_MESH) &&
            !(entry->flags & CNI_VOXEL_CHUNK_MESH_WORK) &&
            cni_voxel_stream_view_contains(&world->view, entry->position, 0))
            stats.waiting--;
        stats.light_bytes += entry->light ? cn_light_bytes(entry->light) : 0;
        if (entry->mesh)
            stats.mesh_bytes += sizeof *entry->mesh + entry->mesh->mesh.count * sizeof(CnQuad);
        stats.other_bytes += entry->edited ? sizeof *entry->edited : 0;
    }
    for (uint32_t i = 0; i < world->columns.count; i++) {
        const CniVoxelChunkColumn *column =
            *(CniVoxelChunkColumn **)cn_hash_map_value(&world->columns, i);
        stats.other_bytes += sizeof *column + (column->sky ? sizeof *column->sky : 0);
    }
    stats.other_bytes += world->entries.count * sizeof(CniVoxelChunkEntry);
    stats.other_bytes += (uint64_t)(world->entries.table_size + world->columns.table_size) * 4;
    stats.other_bytes += (uint64_t)(world->entries.capacity + world->columns.capacity) * 16;
    stats.other_bytes +=
        (uint64_t)(world->stored.table_size + world->stored_columns.table_size) * 4;
    stats.other_bytes += (uint64_t)world->stored.capacity * 16;
    stats.other_bytes += (uint64_t)world->stored_columns.capacity * 12;
    stats.stored = world->stored.count;
    stats.other_bytes += world->view.grid_size * (sizeof(CniVoxelChunkColumn *) + sizeof(uint64_t));
    return stats;
}

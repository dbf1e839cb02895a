/* The upload queue between the thread that owns a world and the render thread. */
#include "render/block/block_view.h"

#include <cairn/base/assert.h>
#include <cairn/voxel/tiles.h>

#include <string.h>

#define DEFAULT_QUADS (16u << 20)
#define DEFAULT_UPLOAD (4u << 20)
#define QUADS_OF_A_RECORD 256u /* average, for the number of records */
#define MIN_RECORDS 1024u
#define MIN_DARK 32u /* minimum number of quads for a separate record */

enum { CHANGED, NEW };

/* Checks that the texture file has every layer that a block uses. */
static bool check_layers(const CnBlockTable *blocks, uint32_t layers, CnError *error)
{
    for (uint32_t i = 0; i < blocks->count; i++) {
        const CnBlockInfo *info = cn_block_info(blocks, (CnBlock)i);
        uint32_t highest = info->side > info->bottom ? info->side : info->bottom;
        highest = info->top > highest ? info->top : highest;
        if (highest >= layers)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "block '%s' uses texture layer %u; the texture file has %u",
                                info->name, highest, layers);
    }
    return true;
}

static bool copy_textures(CnBlockView *view, const CnBlockViewDesc *desc, CnError *error)
{
    CnBlockTiles textures;
    if (!cn_block_tiles_read(desc->textures, desc->texture_bytes, &textures, error) ||
        !check_layers(desc->blocks, textures.count, error))
        return false;
    view->textures.bytes = cn_alloc(view->allocator, desc->texture_bytes);
    if (!view->textures.bytes)
        return cn_error_memory(error, "the textures of blocks");
    view->textures.size = desc->texture_bytes;
    memcpy(view->textures.bytes, desc->textures, desc->texture_bytes);
    return true;
}

CnBlockView *cn_block_view_create(const CnBlockViewDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->blocks && desc->blocks->is_closed, "a block view needs a closed block table");
    CnBlockView *view = cn_alloc_zeroed(desc->allocator, sizeof *view);
    if (!view) {
        cn_error_memory(error, "a block view");
        return NULL;
    }
    view->allocator = desc->allocator;
    view->blocks = desc->blocks;
    view->max_quads = desc->max_quads ? desc->max_quads : DEFAULT_QUADS;
    view->upload_bytes = desc->upload_bytes ? desc->upload_bytes : DEFAULT_UPLOAD;
    uint32_t records = view->max_quads / QUADS_OF_A_RECORD;
    view->max_records = records < MIN_RECORDS                    ? MIN_RECORDS
                        : records > CNI_RENDER_MAX_BLOCK_RECORDS ? CNI_RENDER_MAX_BLOCK_RECORDS
                                                                 : records;
    pthread_mutex_init(&view->lock, NULL);
    cn_hash_map_init(&view->uploads, view->allocator, sizeof(CniRenderBlockUpload));
    cn_hash_map_init(&view->queued_keys, view->allocator, 1);
    cn_hash_map_init(&view->records, view->allocator, sizeof(uint32_t));
    cn_hash_map_init(&view->tiles, view->allocator, sizeof(uint32_t));
    cn_array_init(&view->queues[CHANGED], view->allocator);
    cn_array_init(&view->queues[NEW], view->allocator);
    cn_array_init(&view->dequeued, view->allocator);
    cn_array_init(&view->all, view->allocator);
    cn_array_init(&view->dark_records, view->allocator);
    cn_array_init(&view->free_records, view->allocator);
    bool ok = cni_render_ranges_init(&view->ranges, view->allocator, view->max_quads);
    if (!ok)
        cn_error_memory(error, "a block view");
    if (!ok || !copy_textures(view, desc, error)) {
        cn_block_view_destroy(view);
        return NULL;
    }
    return view;
}

void cni_render_block_upload_free(CnBlockView *view, CniRenderBlockUpload *pending)
{
    cn_free(view->allocator, pending->quads, pending->count * sizeof *pending->quads);
    pending->quads = NULL;
}

void cn_block_view_destroy(CnBlockView *view)
{
    if (!view)
        return;
    CN_ASSERT(view->users == 0, "features still use this block view");
    for (uint32_t i = 0; i < view->uploads.count; i++)
        cni_render_block_upload_free(view, cn_hash_map_value(&view->uploads, i));
    for (uint32_t i = view->dequeued_begin; i < view->dequeued.count; i++)
        cni_render_block_upload_free(view, &view->dequeued.items[i]);
    cn_hash_map_fini(&view->uploads);
    cn_hash_map_fini(&view->queued_keys);
    cn_hash_map_fini(&view->records);
    cn_hash_map_fini(&view->tiles);
    cn_array_fini(&view->queues[CHANGED]);
    cn_array_fini(&view->queues[NEW]);
    cn_array_fini(&view->dequeued);
    cn_array_fini(&view->all);
    cn_array_fini(&view->dark_records);
    cn_array_fini(&view->free_records);
    cn_free(view->allocator, view->presence, CNI_RENDER_PRESENCE_WORDS * sizeof *view->presence);
    cni_render_ranges_fini(&view->ranges);
    cn_free(view->allocator, view->textures.bytes, view->textures.size);
    pthread_mutex_destroy(&view->lock);
    cn_free(view->allocator, view, sizeof *view);
}

/* ---- Enqueueing ---- */

/* Called with the lock held; always takes ownership of the quads. */
static bool enqueue_locked(CnBlockView *view, CniRenderBlockUpload *pending)
{
    CniRenderBlockUpload *waiting = cn_hash_map_get(&view->uploads, pending->key);
    if (!waiting) {
        bool is_known = cn_hash_map_get(&view->queued_keys, pending->key) != NULL;
        uint32_t queue = is_known || pending->is_removal ? CHANGED : NEW;
        waiting = cn_hash_map_set(&view->uploads, pending->key, NULL);
        if (!waiting)
            return false;
        if (!cn_array_push(&view->queues[queue], pending->key)) {
            cn_hash_map_remove(&view->uploads, pending->key);
            return false;
        }
    }
    view->waiting_bytes += pending->count * sizeof *pending->quads;
    view->waiting_bytes -= waiting->count * sizeof *waiting->quads;
    cni_render_block_upload_free(view, waiting);
    *waiting = *pending;
    if (pending->is_removal)
        cn_hash_map_remove(&view->queued_keys, pending->key);
    else
        cn_hash_map_set(&view->queued_keys, pending->key, NULL);
    return true;
}

static bool refuse(CnBlockView *view)
{
    pthread_mutex_lock(&view->lock);
    view->refused_uploads++;
    pthread_mutex_unlock(&view->lock);
    return false;
}

static bool enqueue(CnBlockView *view, CniRenderBlockUpload *pending)
{
    pthread_mutex_lock(&view->lock);
    bool ok = enqueue_locked(view, pending);
    view->refused_uploads += !ok;
    pthread_mutex_unlock(&view->lock);
    if (!ok)
        cni_render_block_upload_free(view, pending);
    return ok;
}

typedef enum Which { ALL, LIT, DARK } Which;

/* Sky light does not reach the quad. */
static bool is_dark(CnQuad quad)
{
    return !(quad >> CN_QUAD_SKY_LIGHT_SHIFT & CN_QUAD_LIGHT_MASK);
}

static uint32_t count_dark(const CnChunkMesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->count; i++)
        count += is_dark(mesh->quads[i]);
    return count;
}

/* Grows the bounds tightly around the quads: the smaller the box, the sooner it is occluded. Faces
 * point out of their cells. */
static void widen(CniRenderBlockRecord *record, CnQuad quad, CnChunkMeshPart part, uint32_t face)
{
    uint32_t at[3] = {quad >> CN_QUAD_X_SHIFT & CN_QUAD_CELL_MASK,
                      quad >> CN_QUAD_Y_SHIFT & CN_QUAD_CELL_MASK,
                      quad >> CN_QUAD_Z_SHIFT & CN_QUAD_CELL_MASK};
    bool is_shape = cn_quad_is_shape_face(quad, part); /* within its cell */
    uint32_t more_width = is_shape ? 0 : quad >> CN_QUAD_WIDTH_SHIFT & CN_QUAD_CELL_MASK;
    uint32_t more_height = is_shape ? 0 : quad >> CN_QUAD_HEIGHT_SHIFT & CN_QUAD_CELL_MASK;
    uint32_t end[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
    end[face == CN_FACE_NEG_X || face == CN_FACE_POS_X ? 2 : 0] += more_width;
    end[face >= CN_FACE_NEG_Y ? 2 : 1] += more_height;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float low = (float)at[axis], high = (float)end[axis];
        record->low[axis] = low < record->low[axis] ? low : record->low[axis];
        record->high[axis] = high > record->high[axis] ? high : record->high[axis];
    }
}

/* Copies quads of one kind and stores their ranges in the record. Returns their number. */
static uint32_t fill(CniRenderBlockRecord *record, CnQuad *to, const CnChunkMesh *mesh, Which which)
{
    uint32_t count = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        record->low[axis] = CN_CHUNK_SIZE;
        record->high[axis] = 0;
    }
    for (uint32_t range = 0; range < CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT; range++) {
        for (uint32_t i = mesh->first[range]; i < mesh->first[range + 1]; i++) {
            CnQuad quad = mesh->quads[i];
            if (which != ALL && is_dark(quad) != (which == DARK))
                continue;
            to[count++] = quad;
            widen(record, quad, (CnChunkMeshPart)(range / CN_FACE_COUNT), range % CN_FACE_COUNT);
        }
        if (range + 1 < CNI_RENDER_BLOCK_ENDS)
            record->ends[range] = count;
    }
    record->ends[CNI_RENDER_BLOCK_ENDS - 1] = count;
    return count;
}

bool cn_block_view_set(CnBlockView *view, CnChunkPos position, const CnChunkMesh *mesh)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    CN_ASSERT(mesh, "%s: mesh is NULL", __func__);
    CniRenderBlockUpload pending = {
        .key = cn_chunk_key(position),
        .record = {.chunk_position = {position.x, position.y, position.z}}};
    pending.dark = pending.record;
    if (mesh->count > 0) {
        uint32_t dark = count_dark(mesh);
        bool is_split = dark >= MIN_DARK && dark < mesh->count;
        pending.count = mesh->count;
        pending.quads = cn_alloc(view->allocator, mesh->count * sizeof *pending.quads);
        if (!pending.quads)
            return refuse(view);
        uint32_t lit = fill(&pending.record, pending.quads, mesh, is_split ? LIT : ALL);
        pending.record.is_dark = dark == mesh->count;
        pending.dark.is_dark = true;
        if (is_split)
            pending.dark_count = fill(&pending.dark, pending.quads + lit, mesh, DARK);
    }
    return enqueue(view, &pending);
}

void cn_block_view_remove(CnBlockView *view, CnChunkPos position)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    enqueue(view, &(CniRenderBlockUpload){.key = cn_chunk_key(position), .is_removal = true});
}

bool cn_block_view_set_far(CnBlockView *view, const CnLodMesh *mesh)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    CN_ASSERT(mesh, "%s: mesh is NULL", __func__);
    CniRenderBlockUpload pending = {.key = cni_render_far_tile_key(mesh->tile)};
    return cni_render_block_upload_fill_far(view->allocator, mesh, &pending)
               ? enqueue(view, &pending)
               : refuse(view);
}

void cn_block_view_remove_far(CnBlockView *view, CnLodTile tile)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    enqueue(view,
            &(CniRenderBlockUpload){.key = cni_render_far_tile_key(tile), .is_removal = true});
}

void cn_block_view_set_aim(CnBlockView *view, const CnBlockAim *aim)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    CN_ASSERT(aim, "%s: aim is NULL", __func__);
    pthread_mutex_lock(&view->lock);
    view->aim = *aim;
    pthread_mutex_unlock(&view->lock);
}

CnBlockViewStats cn_block_view_stats(const CnBlockView *view)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    CnBlockView *mutable_view = (CnBlockView *)view;
    pthread_mutex_lock(&mutable_view->lock);
    CnBlockViewStats stats = view->stats;
    stats.waiting_bytes = view->waiting_bytes;
    stats.refused += view->refused_uploads;
    pthread_mutex_unlock(&mutable_view->lock);
    return stats;
}

/* ---- Dequeueing ---- */

static bool dequeue_one(CnBlockView *view, uint32_t queue, uint64_t *bytes)
{
    CnU64Array *keys = &view->queues[queue];
    if (!cn_array_reserve(&view->dequeued, (uint64_t)view->dequeued.count + 1))
        return false;
    uint64_t key = keys->items[view->queue_begins[queue]++];
    CniRenderBlockUpload *pending = cn_hash_map_get(&view->uploads, key);
    *bytes += pending->count * sizeof *pending->quads;
    view->dequeued.items[view->dequeued.count++] = *pending;
    cn_hash_map_remove(&view->uploads, key);
    return true;
}

/* Moves the waiting keys to the front, rarely enough to be negligible. */
static void close_gap(CnU64Array *keys, uint32_t *begin)
{
    if (*begin == 0 || 2 * *begin < keys->count)
        return;
    keys->count -= *begin;
    memmove(keys->items, keys->items + *begin, keys->count * sizeof *keys->items);
    *begin = 0;
}

void cni_render_block_upload_dequeue(CnBlockView *view)
{
    uint64_t bytes = 0;
    pthread_mutex_lock(&view->lock);
    for (uint32_t queue = CHANGED; queue <= NEW; queue++) {
        CnU64Array *keys = &view->queues[queue];
        while (bytes < view->upload_bytes && view->queue_begins[queue] < keys->count &&
               dequeue_one(view, queue, &bytes))
            ;
        close_gap(keys, &view->queue_begins[queue]);
    }
    view->waiting_bytes -= bytes;
    pthread_mutex_unlock(&view->lock);
}

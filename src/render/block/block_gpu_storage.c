/* Blocks in device memory: quads in one buffer, the records of their chunks, textures, and the
 * table of blocks. */
#include "render/block/block_view.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/voxel/tiles.h>

#include <string.h>

#define ANISOTROPY 8.0f
#define FAR_BIT (1ull << 63)

/* ---- Constant data ---- */

typedef struct BlockRow { /* blocks.glsl */
    uint32_t sides;       /* layers: side, bottom */
    uint32_t top;         /* layer; bits 16 up: CnBlockSurface; bit 24: CN_BLOCK_MATERIAL_SEMI */
    uint32_t tint;        /* sRGB; bits 24 up: glow */
    uint32_t appearance;  /* CN_BLOCK_LOOK_...; front: front_of */
} BlockRow;

static CnGpuBuffer make_buffer(CnRenderer *renderer, const char *name, uint64_t size,
                               uint32_t usage, CnError *error)
{
    return cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){.name = name, .size = size, .usage = usage | CN_GPU_USE_COPY_TO}, error);
}

static CnGpuTexture make_texture(CnRenderer *renderer, const char *name, CnGpuFormat format,
                                 uint32_t layers, CnError *error)
{
    return cn_gpu_texture_create(
        renderer->gpu,
        &(CnGpuTextureDesc){.name = name,
                            .format = format,
                            .width = CN_TILE_SIZE,
                            .height = CN_TILE_SIZE,
                            .layers = layers,
                            .mips = CN_TILE_LEVELS,
                            .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO},
        error);
}

/* Limits quads to what shaders can address. Quads that do not fit are refused and counted. */
static bool limit_quads(CnRenderer *renderer, CnBlockView *view, CnError *error)
{
    uint64_t most = cn_gpu_info(renderer->gpu).max_storage_bytes / sizeof(CnQuad);
    if (view->max_quads <= most)
        return true;
    CN_LOG_DEBUG("render", "shaders of this device can address %.1f of %.1f million block quads",
                 (double)most * 1e-6, (double)view->max_quads * 1e-6);
    view->max_quads = (uint32_t)most;
    cni_render_ranges_fini(&view->ranges);
    return cni_render_ranges_init(&view->ranges, view->allocator, view->max_quads) ||
           cn_error_memory(error, "a block view");
}

/* Returns the glow from 0 to 255: the larger of the emitted light and the block's brightness. */
static uint32_t glow_of(const CnBlockInfo *info)
{
    const float brightest = 32; /* magma */
    float level = (float)info->light_level / 15, own = cn_sqrtf(info->light_intensity / brightest);
    float most = level > own ? level : own;
    return info->emits_light ? (uint32_t)((most < 1 ? most : 1) * 255 + 0.5f) : 0;
}

/* Bits 4 up: face of the front, 7: none; bits 8 up: turns of the top; bits 16 up: layer of the
 * front. */
static uint32_t front_of(const CnBlockInfo *info)
{
    static const uint8_t faces[] = {[CN_BLOCK_FACING_NONE] = 7,
                                    [CN_BLOCK_FACING_NORTH] = CN_FACE_NEG_Z,
                                    [CN_BLOCK_FACING_EAST] = CN_FACE_POS_X,
                                    [CN_BLOCK_FACING_SOUTH] = CN_FACE_POS_Z,
                                    [CN_BLOCK_FACING_WEST] = CN_FACE_NEG_X};
    uint32_t turns = info->facing == CN_BLOCK_FACING_NONE ? 0u : info->facing - 1u;
    uint32_t layer = info->front ? info->front : info->side;
    return (uint32_t)faces[info->facing] << 4 | turns << 8 | layer << 16;
}

static void write_table(const CnBlockTable *blocks, BlockRow *rows)
{
    for (uint32_t i = 0; i < blocks->count; i++) {
        const CnBlockInfo *info = cn_block_info(blocks, (CnBlock)i);
        rows[i] = (BlockRow){.sides = info->side | (uint32_t)info->bottom << 16,
                             .top = info->top | (uint32_t)info->surface << 16 |
                                    (uint32_t)(info->material == CN_BLOCK_MATERIAL_SEMI) << 24,
                             .tint = info->tint[0] | (uint32_t)info->tint[1] << 8 |
                                     (uint32_t)info->tint[2] << 16 | glow_of(info) << 24,
                             .appearance = info->appearance | front_of(info)};
    }
}

static void write_indices(uint16_t *indices)
{
    static const uint16_t corners[6] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < CNI_RENDER_BLOCK_DRAW_QUADS * 6; i++)
        indices[i] = (uint16_t)(i / 6 * 4 + corners[i % 6]);
}

/* Stages the block table and the indices. */
static bool stage_buffers(CnRenderer *renderer, const CnBlockView *view, CnError *error)
{
    BlockRow *rows =
        cni_render_stage_buffer(renderer, view->table_buffer,
                                view->blocks->count * sizeof(BlockRow), CN_GPU_ACCESS_READ, error);
    if (!rows)
        return false;
    write_table(view->blocks, rows);
    uint16_t *indices = cni_render_stage_buffer(renderer, view->index_buffer,
                                                CNI_RENDER_BLOCK_DRAW_QUADS * 6 * sizeof *indices,
                                                CN_GPU_ACCESS_VERTEX, error);
    if (!indices)
        return false;
    write_indices(indices);
    return true;
}

static bool stage_tiles(CnRenderer *renderer, CnGpuTexture texture, const uint8_t *const *levels,
                        uint32_t layers, CnError *error)
{
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        uint32_t size = CN_TILE_SIZE >> level;
        if (!cni_render_stage_mip(renderer, texture, level, levels[level],
                                  (uint64_t)size * size * 4 * layers, error))
            return false;
    }
    return true;
}

static bool make_resources(CnRenderer *renderer, CnBlockView *view, CnError *error)
{
    CnBlockTiles textures;
    if (!cn_block_tiles_read(view->textures.bytes, view->textures.size, &textures, error) ||
        !limit_quads(renderer, view, error))
        return false;
    bool is_cpu = cn_gpu_info(renderer->gpu).kind == CN_GPU_KIND_CPU;
    view->textures.sampler = cn_gpu_sampler_get(
        renderer->gpu,
        &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                            .mip_filter = is_cpu ? CN_GPU_NEAREST : CN_GPU_LINEAR,
                            .wrap = CN_GPU_REPEAT,
                            .anisotropy = is_cpu ? 1 : ANISOTROPY},
        error);
    view->textures.color =
        make_texture(renderer, "block colors", CN_GPU_FORMAT_RGBA8_SRGB, textures.count, error);
    view->textures.detail =
        make_texture(renderer, "block details", CN_GPU_FORMAT_RGBA8, textures.count, error);
    view->quad_buffer =
        make_buffer(renderer, "block quads", (uint64_t)view->max_quads * sizeof(CnQuad),
                    CN_GPU_USE_STORAGE, error);
    view->record_buffer = make_buffer(renderer, "block records",
                                      (uint64_t)view->max_records * sizeof(CniRenderBlockRecord),
                                      CN_GPU_USE_STORAGE, error);
    view->table_buffer = make_buffer(
        renderer, "block table", view->blocks->count * sizeof(BlockRow), CN_GPU_USE_STORAGE, error);
    view->index_buffer =
        make_buffer(renderer, "block indices", CNI_RENDER_BLOCK_DRAW_QUADS * 6 * sizeof(uint16_t),
                    CN_GPU_USE_VERTEX, error);
    view->presence_buffer =
        make_buffer(renderer, "block presence", CNI_RENDER_PRESENCE_WORDS * sizeof(uint32_t),
                    CN_GPU_USE_STORAGE, error);
    bool has_counts = cni_render_block_climate_create(renderer, &view->climate, error);
    for (uint32_t i = 0; i < CN_GPU_FRAMES; i++) {
        view->counts[i] = cn_gpu_buffer_create(
            renderer->gpu,
            &(CnGpuBufferDesc){.name = "block counts",
                               .size = CNI_RENDER_COUNT_BYTES * (2 + CN_MAX_SHADOW_VIEWS),
                               .usage = CN_GPU_USE_COPY_TO,
                               .memory = CN_GPU_MEMORY_READBACK},
            error);
        has_counts = has_counts && view->counts[i].id;
    }
    if (!view->presence)
        view->presence =
            cn_alloc_zeroed(view->allocator, CNI_RENDER_PRESENCE_WORDS * sizeof *view->presence);
    if (!view->presence)
        return cn_error_memory(error, "a block view");
    bool is_complete = view->textures.color.id && view->textures.detail.id &&
                       view->textures.sampler.id && view->quad_buffer.id &&
                       view->record_buffer.id && view->table_buffer.id && view->index_buffer.id &&
                       view->presence_buffer.id && has_counts;
    return is_complete && stage_buffers(renderer, view, error) &&
           stage_tiles(renderer, view->textures.color, textures.color, textures.count, error) &&
           stage_tiles(renderer, view->textures.detail, textures.detail, textures.count, error);
}

static void destroy_resources(CnRenderer *renderer, CnBlockView *view)
{
    CnGpuTexture *textures[] = {&view->textures.color, &view->textures.detail};
    for (uint32_t i = 0; i < CN_COUNT_OF(textures); i++) {
        cni_render_stage_cancel(renderer, *textures[i]);
        if (textures[i]->id)
            cn_gpu_texture_destroy(renderer->gpu, *textures[i]);
        textures[i]->id = 0;
    }
    cni_render_block_climate_destroy(renderer, &view->climate);
    CnGpuBuffer *buffers[] = {&view->quad_buffer,  &view->record_buffer,   &view->table_buffer,
                              &view->index_buffer, &view->presence_buffer, &view->counts[0],
                              &view->counts[1]};
    for (uint32_t i = 0; i < CN_COUNT_OF(buffers); i++) {
        cni_render_stage_cancel_buffer(renderer, *buffers[i]);
        if (buffers[i]->id)
            cn_gpu_buffer_destroy(renderer->gpu, *buffers[i]);
        buffers[i]->id = 0;
    }
}

bool cni_render_block_view_attach(CnRenderer *renderer, CnBlockView *view, CnError *error)
{
    if (!view)
        return cn_error_set(error, CN_ERROR_MISMATCH, "rendering blocks requires a view");
    if (view->users > 0 && view->renderer != renderer)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "this block view belongs to another renderer");
    if (view->users == 0) {
        if (view->renderer)
            return cn_error_set(
                error, CN_ERROR_MISMATCH,
                "the device resources of this block view were destroyed; create another view");
        view->renderer = renderer;
        if (!make_resources(renderer, view, error)) {
            destroy_resources(renderer, view);
            view->renderer = NULL;
            return false;
        }
    }
    view->users++;
    return true;
}

void cni_render_block_view_detach(CnRenderer *renderer, CnBlockView *view)
{
    if (!view || view->renderer != renderer || --view->users > 0)
        return;
    destroy_resources(renderer, view);
}

/* ---- Uploads ---- */

static void barrier(CnGpuCommands *commands, CnGpuBuffer buffer, CnGpuAccess before,
                    CnGpuAccess after)
{
    cn_gpu_barriers(commands, &(CnGpuBarrier){.buffer = buffer, .before = before, .after = after},
                    1);
}

/* Makes a buffer readable by drawing and culling passes. */
static void make_readable(CnGpuCommands *commands, CnGpuBuffer buffer)
{
    barrier(commands, buffer, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_READ);
    barrier(commands, buffer, CN_GPU_ACCESS_READ, CN_GPU_ACCESS_READ_COMPUTE);
}

/* Fills buffers that frames change, when the first frame begins. */
static void clear_buffers(const CnBlockView *view, CnGpuCommands *commands)
{
    barrier(commands, view->presence_buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_fill_buffer(commands, view->presence_buffer, 0,
                       CNI_RENDER_PRESENCE_WORDS * sizeof(uint32_t), 0);
    make_readable(commands, view->presence_buffer);
    CnGpuBuffer changing[] = {view->quad_buffer, view->record_buffer};
    for (uint32_t i = 0; i < CN_COUNT_OF(changing); i++) {
        barrier(commands, changing[i], CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
        make_readable(commands, changing[i]);
    }
}

/* ---- Records ---- */

void cni_render_dirty_set_add(CniRenderDirtySet *dirty, uint32_t number)
{
    uint64_t *marks = &dirty->marks[number / 64], mask = 1ull << number % 64;
    dirty->count += !(*marks & mask);
    *marks |= mask;
}

static void set_presence(CnBlockView *view, uint64_t key, bool there)
{
    if (key & FAR_BIT)
        return;
    CnChunkPos at = cn_chunk_from_key(key);
    uint32_t bit = cni_render_presence_bit((const int32_t[3]){at.x, at.y, at.z});
    uint32_t *word = &view->presence[bit / 32], mask = 1u << bit % 32;
    if (there == ((*word & mask) != 0))
        return;
    *word ^= mask;
    cni_render_dirty_set_add(&view->dirty_words, bit / 32);
}

static void hide_record(CnBlockView *view, uint32_t number)
{
    view->all.items[number] = (CniRenderBlockRecord){.level = CNI_RENDER_BLOCK_HIDDEN};
    view->dark_records.items[number] = CNI_RENDER_NO_RECORD;
    cn_array_push(&view->free_records, number); /* has room; see take_record */
    cni_render_dirty_set_add(&view->dirty_records, number);
}

static void free_record(CnBlockView *view, uint32_t number)
{
    const CniRenderBlockRecord *record = &view->all.items[number];
    uint32_t dark_record = view->dark_records.items[number],
             quads = record->ends[CNI_RENDER_BLOCK_ENDS - 1];
    if (dark_record != CNI_RENDER_NO_RECORD)
        quads += view->all.items[dark_record].ends[CNI_RENDER_BLOCK_ENDS - 1];
    cni_render_ranges_free(&view->ranges, record->first, quads);
    hide_record(view, number);
    if (dark_record != CNI_RENDER_NO_RECORD)
        hide_record(view, dark_record);
}

static uint32_t take_record(CnBlockView *view)
{
    if (view->free_records.count > 0)
        return cn_array_pop(&view->free_records);
    if (view->all.count == view->max_records ||
        !cn_array_reserve(&view->all, (uint64_t)view->all.count + 1) ||
        !cn_array_reserve(&view->dark_records, (uint64_t)view->all.count + 1) ||
        !cn_array_reserve(&view->free_records, (uint64_t)view->all.count + 1))
        return CNI_RENDER_NO_RECORD;
    view->dark_records.items[view->dark_records.count++] = CNI_RENDER_NO_RECORD;
    return view->all.count++;
}

/* Returns a location for the quads, or CNI_RENDER_NO_RECORD. */
static uint32_t place_upload(CnBlockView *view, const CniRenderBlockUpload *pending)
{
    uint32_t first = cni_render_ranges_alloc(&view->ranges, pending->count);
    if (first == CNI_RENDER_NO_RANGE)
        return CNI_RENDER_NO_RECORD;
    bool has_dark_record = pending->dark_count > 0;
    uint32_t number = take_record(view), dark_record = CNI_RENDER_NO_RECORD;
    if (number != CNI_RENDER_NO_RECORD && has_dark_record)
        dark_record = take_record(view);
    if (number == CNI_RENDER_NO_RECORD ||
        (has_dark_record && dark_record == CNI_RENDER_NO_RECORD)) {
        if (number != CNI_RENDER_NO_RECORD)
            hide_record(view, number);
        cni_render_ranges_free(&view->ranges, first, pending->count);
        return CNI_RENDER_NO_RECORD;
    }
    CniRenderBlockRecord *records = view->all.items;
    records[number] = pending->record;
    records[number].first = first;
    view->dark_records.items[number] = dark_record;
    if (has_dark_record) {
        records[dark_record] = pending->dark;
        records[dark_record].first = first + pending->count - pending->dark_count;
        cni_render_dirty_set_add(&view->dirty_records, dark_record);
    }
    return number;
}

/* Creates the record of an upload, in place of the previous one. */
static uint32_t accept(CnBlockView *view, const CniRenderBlockUpload *pending)
{
    bool is_far = pending->key & FAR_BIT;
    CnHashMap *map = is_far ? &view->tiles : &view->records;
    uint32_t *known = cn_hash_map_get(map, pending->key);
    view->tiles_changed |= is_far;
    uint32_t number = CNI_RENDER_NO_RECORD;
    if (known && *known != CNI_RENDER_NO_RECORD)
        free_record(view, *known);
    if (pending->is_removal) {
        cn_hash_map_remove(map, pending->key);
        set_presence(view, pending->key, false);
        return CNI_RENDER_NO_RECORD;
    }
    bool is_placed = cn_hash_map_set(map, pending->key, &number) != NULL;
    if (is_placed && pending->count > 0) {
        number = place_upload(view, pending);
        cn_hash_map_set(map, pending->key, &number);
        is_placed = number != CNI_RENDER_NO_RECORD;
    }
    set_presence(view, pending->key, is_placed);
    if (!is_placed && view->refused++ == 0)
        CN_LOG_WARNING("render",
                       "the block buffer is full at %.1f million quads; reduce the view distance",
                       (double)view->max_quads * 1e-6);
    return number;
}

/* Uploads the quads taken from the upload queue; quads that exceed this frame's upload budget
 * wait. */
static void send_quads(CnBlockView *view, CnFrame *frame)
{
    bool has_begun = false;
    while (view->dequeued_begin < view->dequeued.count) {
        CniRenderBlockUpload *pending = &view->dequeued.items[view->dequeued_begin];
        uint64_t bytes = pending->count * sizeof *pending->quads;
        CnGpuUpload upload = {0};
        if (bytes > 0) {
            upload = cn_gpu_upload(frame->commands, bytes, 16);
            if (!upload.data)
                break;
            memcpy(upload.data, pending->quads, bytes);
        }
        uint32_t number = accept(view, pending);
        if (number != CNI_RENDER_NO_RECORD) {
            CniRenderBlockRecord *record = &view->all.items[number];
            bool is_far = pending->key & FAR_BIT;
            record->fade_start =
                (float)(is_far ? cni_render_far_quadtree_fade_start(view, pending->key, frame->time)
                               : frame->time);
            if (!has_begun) {
                barrier(frame->commands, view->quad_buffer, CN_GPU_ACCESS_READ,
                        CN_GPU_ACCESS_COPY_TO);
                has_begun = true;
            }
            cn_gpu_copy_buffer(frame->commands, upload.buffer, upload.offset, view->quad_buffer,
                               record->first * sizeof(CnQuad), bytes);
            cni_render_dirty_set_add(&view->dirty_records, number);
        }
        cni_render_block_upload_free(view, pending);
        view->dequeued_begin++;
    }
    if (has_begun)
        make_readable(frame->commands, view->quad_buffer);
    if (view->dequeued_begin == view->dequeued.count)
        view->dequeued_begin = view->dequeued.count = 0;
}

/* Uploads dirty items of `item_bytes` from the CPU copy; if there is no room, they wait for the
 * next frame. */
static void send_dirty(CnFrame *frame, CnGpuBuffer to, CniRenderDirtySet *dirty, const void *items,
                       uint32_t item_bytes)
{
    if (dirty->count == 0)
        return;
    CnGpuUpload upload = cn_gpu_upload(frame->commands, (uint64_t)dirty->count * item_bytes, 16);
    if (!upload.data)
        return;
    barrier(frame->commands, to, CN_GPU_ACCESS_READ, CN_GPU_ACCESS_COPY_TO);
    uint64_t from = 0;
    for (uint32_t word = 0; word < CNI_RENDER_DIRTY_WORDS; word++) {
        for (uint64_t left = dirty->marks[word]; left; left &= left - 1, from += item_bytes) {
            uint64_t offset = (word * 64 + (uint64_t)__builtin_ctzll(left)) * item_bytes;
            memcpy((char *)upload.data + from, (const char *)items + offset, item_bytes);
            cn_gpu_copy_buffer(frame->commands, upload.buffer, upload.offset + from, to, offset,
                               item_bytes);
        }
        dirty->marks[word] = 0;
    }
    dirty->count = 0;
    make_readable(frame->commands, to);
}

static void count(CnBlockView *view)
{
    pthread_mutex_lock(&view->lock);
    CnBlockViewStats *stats = &view->stats;
    stats->quads = view->ranges.used;
    stats->refused = view->refused;
    stats->far_tiles = view->tiles.count;
    stats->chunks = view->records.count;
    stats->gpu_bytes = (uint64_t)view->max_quads * sizeof(CnQuad) +
                       (uint64_t)view->max_records * sizeof(CniRenderBlockRecord);
    pthread_mutex_unlock(&view->lock);
}

/* Adds the counts of one list of draws. */
static void add_counts(const uint32_t *counts, uint64_t *draws, uint64_t *quads)
{
    for (uint32_t list = 0; list < CNI_RENDER_COUNTS_AT; list++)
        *draws += counts[list];
    for (uint32_t list = 0; list < CNI_RENDER_QUAD_LISTS; list++)
        *draws += counts[CNI_RENDER_SECOND_LISTS_AT + list];
    *quads += (uint64_t)counts[CNI_RENDER_COUNTS_AT + 1] +
              counts[CNI_RENDER_SECOND_LISTS_AT + CNI_RENDER_QUAD_LISTS] +
              counts[CNI_RENDER_WATER_AT];
}

/* Reads the counts of the completed frame that used this slot before; zero if it drew no blocks. */
static void read_counts(CnBlockView *view, uint64_t frame)
{
    uint32_t slot = frame % CN_GPU_FRAMES;
    uint64_t draws = 0, chunks = 0, quads = 0;
    bool is_counted = view->counted[slot] && view->counted_in[slot] + CN_GPU_FRAMES == frame;
    const uint32_t *counts = cn_gpu_buffer_data(view->renderer->gpu, view->counts[slot]);
    for (uint32_t i = 0; is_counted && i < view->counted[slot];
         i++, counts += CNI_RENDER_HEAD_WORDS) {
        add_counts(counts, &draws, &quads);
        chunks += counts[CNI_RENDER_COUNTS_AT];
    }
    view->all_draws = draws;
    view->all_quads = quads;
    for (uint32_t i = 0; is_counted && i < view->counted_shadows[slot]; i++)
        add_counts(counts + i * CNI_RENDER_HEAD_WORDS, &view->all_draws, &view->all_quads);
    pthread_mutex_lock(&view->lock);
    view->stats.draws = draws;
    view->stats.drawn_chunks = (uint32_t)chunks;
    view->stats.drawn_quads = quads;
    pthread_mutex_unlock(&view->lock);
}

/* Draw calls are counted when they are recorded. */
static void add_to_stats(const CnBlockView *view, CnRendererStats *stats)
{
    stats->items += view->all.count - view->free_records.count;
    stats->visible_items += view->stats.drawn_chunks; /* written only by the render thread */
    stats->draws += (uint32_t)view->all_draws;
    stats->triangles += 2 * view->all_quads;
}

void cni_render_block_view_begin(CnFrame *frame, CnBlockView *view)
{
    if (view->frame == frame->number + 1)
        return;
    view->frame = frame->number + 1;
    if (!view->is_cleared)
        clear_buffers(view, frame->commands);
    view->is_cleared = true;
    cni_render_block_climate_send(frame, view);
    if (!view->climate.is_sent)
        return; /* nothing can be drawn without it */
    read_counts(view, frame->number);
    view->seen_count = view->shadow_count = 0;
    if (view->dequeued.count == 0)
        cni_render_block_upload_dequeue(view);
    bool is_changed = view->dequeued.count > 0;
    send_quads(view, frame);
    cni_render_far_quadtree_update(view, frame->time);
    send_dirty(frame, view->record_buffer, &view->dirty_records, view->all.items,
               sizeof(CniRenderBlockRecord));
    send_dirty(frame, view->presence_buffer, &view->dirty_words, view->presence, sizeof(uint32_t));
    if (is_changed)
        count(view);
    add_to_stats(view, &frame->renderer->stats);
}

/* The renderer: creation, frames and statistics. */
#include "render/asset/background_load.h"
#include "render/core/renderer_internal.h"
#include "render/shader/shader_hot_reload.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <stdlib.h>
#include <string.h>

/* ---- Creation ---- */

static void init_tables(CnRenderer *renderer)
{
    CnAllocator *allocator = renderer->allocator;
    cn_slot_table_init(&renderer->meshes, allocator, sizeof(CniRenderMesh), CN_MAX_MESHES);
    cn_slot_table_init(&renderer->models, allocator, sizeof(CniRenderModel), CN_MAX_MODELS);
    cn_slot_table_init(&renderer->materials, allocator, sizeof(CniRenderMaterial),
                       CN_MAX_MATERIALS);
    cn_hash_map_init_keyed(&renderer->material_by_name, allocator, sizeof(uint32_t));
    cn_slot_table_init(&renderer->textures, allocator, sizeof(CniRenderTexture), CN_MAX_TEXTURES);
    cn_slot_table_init(&renderer->surfaces, allocator, sizeof(CniRenderSurface),
                       CNI_RENDER_MAX_SURFACES);
    cn_slot_table_init(&renderer->pipelines, allocator, sizeof(CniRenderPipeline),
                       CN_SLOT_MAX_COUNT);
    cn_slot_table_init(&renderer->draw_passes, allocator, sizeof(CniRenderDrawPass),
                       CN_SLOT_MAX_COUNT);
    cn_array_init(&renderer->assets, allocator);
    cn_array_init(&renderer->shader_files, allocator);
    cn_array_init(&renderer->shader_error, allocator);
    cn_array_init(&renderer->staging.bytes, allocator);
    cn_array_init(&renderer->staging.staged, allocator);
    cn_arena_init(&renderer->arena, allocator, 0);
    cni_render_pools_init(renderer);
    cni_render_items_init(renderer);
}

static void copy_path(char *to, const char *path)
{
    cn_copy_text(to, CNI_RENDER_PATH_BYTES, cn_text(path ? path : ""));
}

static void find_shader_folder(CnRenderer *renderer, const char *folder)
{
    CnFileInfo info;
    CnFileSystem *files = cn_native_files();
    copy_path(renderer->shader_folder, folder);
    if (renderer->shader_folder[0] &&
        (!files->info(files, renderer->shader_folder, &info, NULL) || !info.is_directory))
        CN_LOG_WARNING("render", "shader folder %s does not exist; shaders are not reloaded",
                       renderer->shader_folder);
}

CnRenderer *cn_renderer_create(const CnRendererDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CnRenderer *renderer = cn_alloc_zeroed(allocator, sizeof *renderer);
    if (!renderer) {
        cn_error_memory(error, "a renderer");
        return NULL;
    }
    renderer->allocator = allocator;
    renderer->gpu = desc->gpu;
    renderer->files = desc->files;
    renderer->cache = desc->cache;
    renderer->full_screen =
        cni_render_full_screen_choose(desc->full_screen, cn_gpu_info(desc->gpu).kind);
    renderer->material_version = 1;
    renderer->is_watched = desc->watched;
    find_shader_folder(renderer,
                       desc->shader_folder ? desc->shader_folder : getenv("CAIRN_SHADERS"));
    init_tables(renderer);
    renderer->graph =
        cn_graph_create(&(CnGraphDesc){.allocator = allocator, .gpu = desc->gpu}, error);
    if (!renderer->graph || !cni_render_defaults_init(renderer, error) ||
        !cni_render_default_material_init(renderer, error)) {
        cn_renderer_destroy(renderer);
        return NULL;
    }
    return renderer;
}

static void destroy_things(CnRenderer *renderer)
{
    for (uint32_t i = 0; i < renderer->draw_passes.count; i++) {
        if (cn_slot_table_live_at(&renderer->draw_passes, i))
            cn_draw_pass_destroy(renderer,
                                 (CnDrawPass){cn_slot_table_id(&renderer->draw_passes, i)});
    }
    for (uint32_t i = 0; i < renderer->pipelines.count; i++) {
        if (cn_slot_table_live_at(&renderer->pipelines, i))
            cn_render_pipeline_destroy(
                renderer, (CnRenderPipeline){cn_slot_table_id(&renderer->pipelines, i)});
    }
    for (uint32_t i = 0; i < renderer->models.count; i++) {
        if (cn_slot_table_live_at(&renderer->models, i))
            cn_model_destroy(renderer, (CnModel){cn_slot_table_id(&renderer->models, i)});
    }
}

void cn_renderer_destroy(CnRenderer *renderer)
{
    if (!renderer)
        return;
    cni_render_loads_fini(renderer);
    cni_render_features_fini(renderer);
    destroy_things(renderer);
    if (renderer->readback.id)
        cn_gpu_buffer_destroy(renderer->gpu, renderer->readback);
    if (renderer->material_buffer.id)
        cn_gpu_buffer_destroy(renderer->gpu, renderer->material_buffer);
    cni_render_surfaces_fini(renderer);
    cni_render_textures_fini(renderer);
    cni_render_defaults_fini(renderer);
    cni_render_pools_fini(renderer);
    cni_render_items_fini(renderer);
    cni_render_assets_fini(renderer);
    cni_render_shader_watch_fini(renderer);
    cn_array_fini(&renderer->staging.bytes);
    cn_array_fini(&renderer->staging.staged);
    cn_slot_table_fini(&renderer->meshes);
    cn_slot_table_fini(&renderer->models);
    cn_slot_table_fini(&renderer->materials);
    cn_hash_map_fini(&renderer->material_by_name);
    cn_slot_table_fini(&renderer->textures);
    cn_slot_table_fini(&renderer->surfaces);
    cn_slot_table_fini(&renderer->pipelines);
    cn_slot_table_fini(&renderer->draw_passes);
    cn_arena_fini(&renderer->arena);
    if (renderer->graph)
        cn_graph_destroy(renderer->graph);
    cn_free(renderer->allocator, renderer, sizeof *renderer);
}

CnGpu *cn_renderer_gpu(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return renderer->gpu;
}

CnAllocator *cn_renderer_allocator(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return renderer->allocator;
}

const CnGraph *cn_renderer_graph(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return renderer->graph;
}

CnRendererStats cn_renderer_stats(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CnRendererStats stats = renderer->stats;
    stats.models = renderer->models.live;
    stats.meshes = renderer->meshes.live;
    stats.materials = renderer->materials.live;
    stats.textures = renderer->textures.live;
    stats.mesh_bytes = cni_render_pools_bytes(renderer);
    return stats;
}

/* ---- Drawing ---- */

typedef struct Target {
    CnGpuTexture window; /* null: none */
    CnGraphTexture window_slot;
    bool reads_back; /* requested and supported */
} Target;

static void begin_frame(CnRenderer *renderer, const CnFrameDesc *frame_desc,
                        CnGpuCommands *commands, const Target *target)
{
    uint64_t number = renderer->stats.frames;
    CnFrame *frame = &renderer->frame;
    cn_arena_reset(&renderer->arena);
    cn_graph_begin(renderer->graph);
    *frame =
        (CnFrame){.renderer = renderer,
                  .gpu = renderer->gpu,
                  .graph = renderer->graph,
                  .commands = commands,
                  .number = number,
                  .time = frame_desc->time,
                  .delta = frame_desc->delta,
                  .width = frame_desc->width,
                  .height = frame_desc->height,
                  .canvas = frame_desc->canvas,
                  .previous_snapshot =
                      cni_render_frame_is_interpolated(frame_desc) ? frame_desc->previous : NULL,
                  .snapshot = frame_desc->current,
                  .alpha = frame_desc->alpha,
                  .exposure_scale = 1};
    if (target->window.id) {
        CnGpuTextureDesc desc = cn_gpu_texture_desc(renderer->gpu, target->window);
        frame->width = desc.width;
        frame->height = desc.height;
    }
    memset(renderer->visible, 0, sizeof renderer->visible);
    renderer->scene_reads = NULL;
    CnRendererStats *stats = &renderer->stats;
    stats->items = stats->visible_items = stats->draws = stats->draw_calls = 0;
    stats->triangles = 0;
    stats->lights = stats->visible_lights = 0;
}

/* Selects the output: the image of the window, or a separate image if there is no window or the
 * frame is read back. */
static void choose_output(CnRenderer *renderer, Target *target)
{
    CnFrame *frame = &renderer->frame;
    if (target->window.id)
        target->window_slot = cn_graph_import_texture(renderer->graph, "window", target->window,
                                                      CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_PRESENT);
    if (target->window.id && !target->reads_back) {
        frame->output = target->window_slot;
        frame->output_format = cn_gpu_texture_desc(renderer->gpu, target->window).format;
        return;
    }
    CnGpuTextureDesc desc = {.name = "image",
                             .format = CN_GPU_FORMAT_RGBA8,
                             .width = frame->width,
                             .height = frame->height,
                             .usage =
                                 CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_FROM};
    if (renderer->full_screen == CN_FULL_SCREEN_COMPUTE)
        desc.usage |= CN_GPU_USE_STORAGE;
    frame->output = cn_graph_persistent_texture(renderer->graph, &desc, NULL);
    frame->output_format = desc.format;
}

static void upload_lights(CnRenderer *renderer)
{
    CnFrame *frame = &renderer->frame;
    frame->frame_data = cn_gpu_upload(frame->commands, sizeof(CniRenderFrameData), 0);
    if (frame->light_count) {
        size_t bytes = frame->light_count * sizeof *frame->lights;
        frame->light_data = cn_gpu_upload(frame->commands, bytes, 0);
        if (frame->light_data.data)
            memcpy(frame->light_data.data, frame->lights, bytes);
        else
            frame->light_count = 0;
    }
}

typedef struct Copying {
    CnGraphTexture from;
    CnGraphTexture window;
    CnGraphBuffer pixels;
} Copying;

static void copy_pixels(const CnGraphRun *run)
{
    const Copying *copying = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, copying->from),
                             cn_graph_get_buffer(run->graph, copying->pixels), &(CnGpuRegion){0});
}

static void copy_to_window(const CnGraphRun *run)
{
    const Copying *copying = run->user;
    cn_gpu_blit(run->commands, cn_graph_get_texture(run->graph, copying->from), 0,
                cn_graph_get_texture(run->graph, copying->window), 0, CN_GPU_NEAREST);
}

static bool make_readback(CnRenderer *renderer, uint64_t size, CnError *error)
{
    if (renderer->readback_size == size)
        return true;
    if (renderer->readback.id)
        cn_gpu_buffer_destroy(renderer->gpu, renderer->readback);
    renderer->readback_size = 0;
    renderer->readback = cn_gpu_buffer_create(renderer->gpu,
                                              &(CnGpuBufferDesc){.name = "pixels",
                                                                 .size = size,
                                                                 .usage = CN_GPU_USE_COPY_TO,
                                                                 .memory = CN_GPU_MEMORY_READBACK},
                                              error);
    if (renderer->readback.id)
        renderer->readback_size = size;
    return renderer->readback.id != 0;
}

/* Adds the passes after those of features: clear to black if nothing was drawn, read back, copy to
 * the window. */
static bool add_last_passes(CnRenderer *renderer, const Target *target, CnGraphTexture first_output,
                            CnError *error)
{
    CnFrame *frame = &renderer->frame;
    CnGraph *graph = renderer->graph;
    if (frame->output.id == first_output.id) {
        CnGraphPass clear = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "nothing"});
        frame->output = cn_graph_color_attachment(
            graph, clear, frame->output,
            &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {0, 0, 0, 1}});
    }
    if (!target->reads_back)
        return true;
    Copying *copying = cn_frame_alloc(frame, sizeof *copying);
    if (!copying)
        return cn_error_memory(error, "a frame");
    *copying = (Copying){.from = frame->output};
    if (!make_readback(renderer, (uint64_t)frame->width * frame->height * 4, error))
        return false;
    CnGraphPass read = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "read back",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = copy_pixels,
                                                                   .user = copying});
    copying->pixels = cn_graph_import_buffer(graph, "pixels", renderer->readback,
                                             CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    cn_graph_read_texture(graph, read, frame->output, CN_GPU_ACCESS_COPY_FROM, NULL);
    copying->pixels = cn_graph_write_buffer(graph, read, copying->pixels, CN_GPU_ACCESS_COPY_TO,
                                            &(CnGraphSubresource){.overwrite = true});
    if (!target->window.id)
        return true;
    CnGraphPass show = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "copy to window",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = copy_to_window,
                                                                   .user = copying});
    cn_graph_read_texture(graph, show, frame->output, CN_GPU_ACCESS_COPY_FROM, NULL);
    copying->window =
        cn_graph_write_texture(graph, show, target->window_slot, CN_GPU_ACCESS_COPY_TO,
                               &(CnGraphSubresource){.overwrite = true});
    return true;
}

static bool record(CnRenderer *renderer, const CnFrameDesc *frame_desc, Target *target,
                   CnError *error)
{
    CnFrame *frame = &renderer->frame;
    cni_render_defaults_prepare(renderer, frame->commands);
    cni_render_view_begin(frame, frame_desc, cni_render_frame_is_interpolated(frame_desc));
    cni_render_items_gather(renderer, frame_desc);
    if (!cni_render_stage_flush(renderer, frame->commands, error) ||
        !cni_render_materials_flush(renderer, frame->commands, error))
        return false;
    cni_render_features_run(renderer, CNI_RENDER_STEP_EARLY_UPDATE);
    cni_render_view_finish(renderer);
    cni_render_lights_gather(renderer, frame_desc, cni_render_frame_is_interpolated(frame_desc));
    cni_render_features_run(renderer, CNI_RENDER_STEP_UPDATE);
    upload_lights(renderer);
    if (!frame->frame_data.data)
        return cn_error_set(error, CN_ERROR_LIMIT, "the upload memory of the frame is exhausted");
    choose_output(renderer, target);
    CnGraphTexture first_output = frame->output;
    cni_render_features_run(renderer, CNI_RENDER_STEP_ADD_PASSES);
    if (frame_desc->before_render)
        frame_desc->before_render(frame, frame_desc->user);
    cni_render_frame_data_write(renderer);
    if (!add_last_passes(renderer, target, first_output, error) ||
        !cn_graph_compile(renderer->graph, error))
        return false;
    cn_graph_execute(renderer->graph, frame->commands);
    return true;
}

bool cn_renderer_draw(CnRenderer *renderer, const CnFrameDesc *frame_desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(frame_desc, "%s: frame_desc is NULL", __func__);
    cni_render_shader_poll(renderer);
    renderer->waits_for_assets = frame_desc->wait_for_assets;
    if (frame_desc->wait_for_assets)
        cni_render_loads_finish(renderer);
    else
        cni_render_loads_take(renderer);
    uint64_t wait_begin = cn_clock_ns();
    CnGpuCommands *commands = cn_gpu_begin_frame(renderer->gpu, error); /* waits for the GPU */
    if (!commands)
        return false;
    uint64_t begin = cn_clock_ns();
    renderer->stats.wait_microseconds = (float)(begin - wait_begin) * 1e-3f;
    Target target = {.window = cn_gpu_window_texture(renderer->gpu)};
    if (!target.window.id && cn_gpu_has_window(renderer->gpu)) /* minimized */
        return cn_gpu_end_frame(renderer->gpu, error);
    if (!target.window.id && (!frame_desc->width || !frame_desc->height)) {
        cn_gpu_end_frame(renderer->gpu, NULL);
        return cn_error_set(error, CN_ERROR_FORMAT, "invalid image size %u x %u", frame_desc->width,
                            frame_desc->height);
    }
    /* Not every window supports copies. */
    target.reads_back =
        frame_desc->read_back &&
        (!target.window.id ||
         cn_gpu_texture_desc(renderer->gpu, target.window).usage & CN_GPU_USE_COPY_TO);
    begin_frame(renderer, frame_desc, commands, &target);
    renderer->is_drawing = true;
    bool ok = record(renderer, frame_desc, &target, error);
    renderer->is_drawing = false;
    renderer->pixel_width = ok && target.reads_back ? renderer->frame.width : 0;
    renderer->pixel_height = renderer->frame.height;
    if (!ok && target.window.id)
        cn_gpu_barriers(
            commands, &(CnGpuBarrier){.texture = target.window, .after = CN_GPU_ACCESS_PRESENT}, 1);
    renderer->stats.frames++;
    uint64_t end = cn_clock_ns();
    renderer->stats.cpu_microseconds = (float)(end - begin) * 1e-3f;
    ok = cn_gpu_end_frame(renderer->gpu, ok ? error : NULL) && ok;
    renderer->stats.submit_microseconds = (float)(cn_clock_ns() - end) * 1e-3f;
    return ok;
}

const uint8_t *cn_renderer_pixels(CnRenderer *renderer, uint32_t *width, uint32_t *height,
                                  CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    if (!renderer->pixel_width) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "the last frame was drawn without read_back");
        return NULL;
    }
    if (!cn_gpu_wait(renderer->gpu, error))
        return NULL;
    *width = renderer->pixel_width;
    *height = renderer->pixel_height;
    return cn_gpu_buffer_data(renderer->gpu, renderer->readback);
}

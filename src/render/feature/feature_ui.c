/* The UI feature: draws the canvas of a frame over the output. */
#include "render/text/canvas_internal.h"
#include "render/graph/graph_internal.h"
#include "shaders/render/feature/ui.frag.h"
#include "shaders/render/feature/ui.vert.h"

#include <cairn/base/log.h>
#include <cairn/render/features.h>

#include <string.h>

typedef struct AtlasUpload {
    CniRenderAtlasChange change;
    CnGpuUpload room;
} AtlasUpload;

typedef struct UiConstants {
    float pixel[2];
    uint32_t is_linear;
} UiConstants;

typedef struct Ui {
    CnRenderer *renderer;
    CnGpu *gpu;
    CnRenderPipeline rgba, bgra;
    CnGpuSampler sampler;
    bool has_warned; /* about a format that it cannot draw into */

    /* GPU copy of the font atlas. */
    CnGpuTexture atlas;
    const CnFonts *atlas_fonts;
    uint32_t atlas_size;
    uint64_t atlas_seen; /* changes copied; UINT64_MAX: none yet */

    /* Of the frame. */
    const CnCanvas *canvas;
    CnGpuUpload shapes;
    CnGpuCommands *commands;
    AtlasUpload uploads[CNI_RENDER_ATLAS_CHANGES];
    uint32_t upload_count;
    CnGraphTexture atlas_handle;
    CnRenderPipeline pipeline;
} Ui;

static CnRenderPipeline make_pipeline(CnRenderer *renderer, const char *name, CnGpuFormat format,
                                      CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .vertex = CN_SHADER(render_feature_ui_vert),
            .fragment = CN_SHADER(render_feature_ui_frag),
            .state = {.name = name,
                      .bindings = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE},
                      .constants = sizeof(UiConstants),
                      .color = {format},
                      .blend = {CN_GPU_BLEND_PREMULTIPLIED}}},
        error);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    Ui *ui = self;
    ui->renderer = renderer;
    ui->gpu = cn_renderer_gpu(renderer);
    ui->atlas_seen = UINT64_MAX;
    ui->rgba = make_pipeline(renderer, "ui", CN_GPU_FORMAT_RGBA8, error);
    if (!ui->rgba.id)
        return false;
    ui->bgra = make_pipeline(renderer, "ui (BGRA)", CN_GPU_FORMAT_BGRA8, error);
    ui->sampler = cn_gpu_sampler_get(ui->gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, error);
    return ui->bgra.id && ui->sampler.id;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Ui *ui = self;
    cn_render_pipeline_destroy(renderer, ui->rgba);
    cn_render_pipeline_destroy(renderer, ui->bgra);
    if (ui->atlas.id)
        cn_gpu_texture_destroy(ui->gpu, ui->atlas);
}

/* ---- The atlas ---- */

static bool copy_change(const CniRenderAtlasChange *change, const uint8_t *pixels,
                        uint32_t row_bytes, void *user)
{
    Ui *ui = user;
    CnGpuUpload room = cn_gpu_upload(ui->commands, (uint64_t)change->width * change->height, 16);
    if (!room.data)
        return false;
    for (uint32_t y = 0; y < change->height; y++)
        memcpy((uint8_t *)room.data + (size_t)y * change->width, pixels + (size_t)y * row_bytes,
               change->width);
    ui->uploads[ui->upload_count++] = (AtlasUpload){*change, room};
    return true;
}

static bool make_atlas(Ui *ui, const CnFonts *fonts, uint32_t size)
{
    if (ui->atlas.id && ui->atlas_size == size && ui->atlas_fonts == fonts)
        return true;
    if (ui->atlas.id)
        cn_gpu_texture_destroy(ui->gpu, ui->atlas);
    CnError error = {0};
    ui->atlas =
        cn_gpu_texture_create(ui->gpu,
                              &(CnGpuTextureDesc){.name = "glyph atlas",
                                                  .format = CN_GPU_FORMAT_R8,
                                                  .width = size,
                                                  .height = size,
                                                  .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO},
                              &error);
    ui->atlas_fonts = fonts;
    ui->atlas_size = size;
    ui->atlas_seen = UINT64_MAX;
    if (!ui->atlas.id)
        CN_LOG_ERROR("ui", "no glyph atlas: %s", error.message);
    return ui->atlas.id != 0;
}

static void run_copy(const CnGraphRun *run)
{
    const Ui *ui = run->user;
    for (uint32_t i = 0; i < ui->upload_count; i++) {
        const AtlasUpload *upload = &ui->uploads[i];
        cn_gpu_copy_to_texture(run->commands, upload->room.buffer, ui->atlas,
                               &(CnGpuRegion){.x = upload->change.x,
                                              .y = upload->change.y,
                                              .width = upload->change.width,
                                              .height = upload->change.height,
                                              .depth = 1,
                                              .offset = upload->room.offset});
    }
}

/* Updates the atlas copy of the canvas's fonts. Returns false if that fails in this frame. */
static bool prepare_atlas(CnFrame *frame, Ui *ui)
{
    CnFonts *fonts = ui->canvas->fonts;
    bool is_new;
    ui->upload_count = 0;
    ui->commands = frame->commands;
    do {
        if (!make_atlas(ui, fonts, cni_render_fonts_atlas_size(fonts)))
            return false;
        is_new = ui->atlas_seen == UINT64_MAX;
    } while (
        !cni_render_fonts_copy_changes(fonts, ui->atlas_size, &ui->atlas_seen, copy_change, ui));
    if (ui->atlas_seen == UINT64_MAX)
        return false;
    ui->atlas_handle = cn_graph_import_texture(frame->graph, "glyph atlas", ui->atlas,
                                               is_new ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_SAMPLE,
                                               CN_GPU_ACCESS_SAMPLE);
    if (ui->upload_count > 0) {
        CnGraphPass pass = cn_graph_add_pass(
            frame->graph,
            &(CnGraphPassDesc){
                .name = "glyphs", .kind = CN_GRAPH_TRANSFER, .run = run_copy, .user = ui});
        ui->atlas_handle =
            cn_graph_write_texture(frame->graph, pass, ui->atlas_handle, CN_GPU_ACCESS_COPY_TO,
                                   &(CnGraphSubresource){.overwrite = is_new});
    }
    return true;
}

/* ---- Drawing ---- */

/* Uploads the shapes in the order of the layers. */
static bool upload_shapes(CnFrame *frame, Ui *ui)
{
    const CnCanvas *canvas = ui->canvas;
    ui->shapes = cn_gpu_upload(frame->commands,
                               (uint64_t)canvas->shapes.count * sizeof(CniRenderCanvasShape), 0);
    CniRenderCanvasShape *to = ui->shapes.data;
    for (uint32_t i = 0; to && i < canvas->runs.count; i++) {
        CniRenderShapeRun run = canvas->runs.items[i];
        memcpy(to, canvas->shapes.items + run.first, run.count * sizeof *to);
        to += run.count;
    }
    return ui->shapes.data != NULL;
}

/* Draws the shapes from first to end, whose sprites all use one texture (0: none). */
static void draw_batch(const Ui *ui, const CnGraphRun *run, uint32_t texture, uint32_t first,
                       uint32_t end)
{
    if (first == end)
        return;
    CnGpuTexture bound = ui->atlas;
    CnGpuSampler sampler = ui->sampler;
    if (texture) {
        bound = cn_texture_gpu(ui->renderer, (CnTexture){texture});
        sampler = cn_texture_sampler(ui->renderer, (CnTexture){texture});
    }
    CnGpuFormat format = cn_gpu_texture_desc(ui->gpu, bound).format;
    bool is_encoded = format == CN_GPU_FORMAT_RGBA8 || format == CN_GPU_FORMAT_BGRA8;
    UiConstants constants = {{2.0f / (float)run->width, 2.0f / (float)run->height}, !is_encoded};
    cn_gpu_bind_texture(run->commands, 2, bound, sampler);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    cn_gpu_draw(run->commands, 6 * (end - first), 1, 6 * first, 0);
}

static void run_draw(const CnGraphRun *run)
{
    const Ui *ui = run->user;
    const CnCanvas *canvas = ui->canvas;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(ui->renderer, ui->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, ui->shapes.buffer, ui->shapes.offset,
                       (uint64_t)canvas->shapes.count * sizeof(CniRenderCanvasShape));
    cn_gpu_bind_texture(run->commands, 1, ui->atlas, ui->sampler);
    uint32_t texture = 0, first = 0, at = 0;
    for (uint32_t r = 0; r < canvas->runs.count; r++) {
        CniRenderShapeRun part = canvas->runs.items[r];
        for (uint32_t i = part.first; i < part.first + part.count; i++, at++) {
            const CniRenderCanvasShape *shape = &canvas->shapes.items[i];
            if (shape->kind != CNI_RENDER_SHAPE_SPRITE || shape->sprite.texture == texture)
                continue;
            if (texture) {
                draw_batch(ui, run, texture, first, at);
                first = at;
            }
            texture = shape->sprite.texture;
        }
    }
    draw_batch(ui, run, texture, first, at);
}

static bool choose_pipeline(Ui *ui, CnGpuFormat format)
{
    bool is_bgra = format == CN_GPU_FORMAT_BGRA8;
    ui->pipeline = is_bgra ? ui->bgra : ui->rgba;
    if (is_bgra || format == CN_GPU_FORMAT_RGBA8)
        return true;
    if (!ui->has_warned)
        CN_LOG_WARNING("ui", "cannot draw into an image of format %s", cn_gpu_format_name(format));
    ui->has_warned = true;
    return false;
}

static void add_passes(CnFrame *frame, void *self)
{
    Ui *ui = self;
    ui->canvas = frame->canvas;
    frame->canvas = NULL; /* drawn only once, even if the feature was added twice */
    if (!ui->canvas || ui->canvas->shapes.count == 0 || !frame->output.id ||
        !choose_pipeline(ui, frame->output_format) || !upload_shapes(frame, ui) ||
        !prepare_atlas(frame, ui))
        return;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "ui", .run = run_draw, .user = ui});
    cn_graph_read_texture(frame->graph, pass, ui->atlas_handle, CN_GPU_ACCESS_SAMPLE, NULL);
    uint32_t version = 0;
    cni_render_graph_resolve(frame->graph, frame->output.id, true, "output", &version);
    /* The background is black if no feature has drawn. */
    CnGraphAttachment black = {.load = CN_GPU_CLEAR, .clear = {0, 0, 0, 1}};
    frame->output =
        cn_graph_color_attachment(frame->graph, pass, frame->output, version == 0 ? &black : NULL);
}

const CnFeatureType cn_feature_ui = {
    .name = "UI", .size = sizeof(Ui), .setup = setup, .add_passes = add_passes, .destroy = destroy};

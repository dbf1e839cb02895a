/* Previews: scales the image down and reads it back without waiting. */
#include "render/core/renderer_internal.h"

#include <cairn/render/preview.h>

#include "shaders/render/feature/preview.frag.h"

#include <stdatomic.h>
#include <string.h>

enum { TONE_ACES = 1 }; /* tone_map.glsl */

/* Who may use the pixels follows from the state. */
typedef enum State {
    STATE_IDLE,
    STATE_REQUESTED, /* the render thread copies the next frame */
    STATE_COPYING,   /* the GPU writes the buffer of the feature */
    STATE_COMPLETE   /* the program takes the pixels */
} State;

struct CnPreview {
    CnAllocator *allocator;
    uint32_t width, height;
    _Atomic uint32_t state;
    uint32_t users; /* features; owned by the render thread */
    uint8_t *pixels;
};

static size_t bytes_of(const CnPreview *preview)
{
    return (size_t)preview->width * preview->height * 4;
}

/* ---- The program ---- */

CnPreview *cn_preview_create(CnAllocator *allocator, uint32_t width, uint32_t height,
                             CnError *error)
{
    if (!width || !height || width > CN_PREVIEW_MAX_SIZE || height > CN_PREVIEW_MAX_SIZE) {
        cn_error_set(error, CN_ERROR_LIMIT,
                     "a preview of %u x %u is out of range; width and height must be 1 to %u",
                     width, height, CN_PREVIEW_MAX_SIZE);
        return NULL;
    }
    allocator = allocator ? allocator : cn_system_allocator();
    CnPreview *preview = cn_alloc_zeroed(allocator, sizeof *preview);
    if (preview) {
        *preview = (CnPreview){.allocator = allocator, .width = width, .height = height};
        preview->pixels = cn_alloc_zeroed(allocator, bytes_of(preview));
    }
    if (preview && preview->pixels)
        return preview;
    cn_preview_destroy(preview);
    cn_error_memory(error, "a preview");
    return NULL;
}

void cn_preview_destroy(CnPreview *preview)
{
    if (!preview)
        return;
    CN_ASSERT(!preview->users, "a feature uses the preview");
    cn_free(preview->allocator, preview->pixels, bytes_of(preview));
    cn_free(preview->allocator, preview, sizeof *preview);
}

void cn_preview_request(CnPreview *preview)
{
    CN_ASSERT(preview, "%s: preview is NULL", __func__);
    uint32_t idle = STATE_IDLE;
    atomic_compare_exchange_strong(&preview->state, &idle, STATE_REQUESTED);
}

bool cn_preview_is_requested(const CnPreview *preview)
{
    CN_ASSERT(preview, "%s: preview is NULL", __func__);
    return atomic_load(&preview->state) != STATE_IDLE;
}

bool cn_preview_take(CnPreview *preview, uint8_t *rgba)
{
    CN_ASSERT(preview && rgba, "%s: an argument is NULL", __func__);
    if (atomic_load(&preview->state) != STATE_COMPLETE)
        return false;
    memcpy(rgba, preview->pixels, bytes_of(preview));
    atomic_store(&preview->state, STATE_IDLE);
    return true;
}

/* ---- The feature ---- */

typedef struct PreviewConstants {
    float corner[2], pixel[2];
    float exposure;
    uint32_t flags;
} PreviewConstants;

typedef struct Preview {
    CnRenderer *renderer;
    CnPreview *preview; /* NULL: setup failed */
    CnToneMapOptions tone_map;
    CnRenderPipeline pipeline;
    CnGpuBuffer buffer;
    bool was_copied; /* the buffer was written before */
    uint64_t frame;  /* of the device, which writes the buffer */
} Preview;

typedef struct PreviewPass {
    const Preview *self;
    CnGraphTexture hdr, small;
    CnGraphBuffer exposure, pixels;
    PreviewConstants constants;
} PreviewPass;

static bool setup(CnRenderer *renderer, void *feature, const void *options, CnError *error)
{
    Preview *self = feature;
    const CnPreviewOptions *given = options;
    if (!given || !given->preview)
        return cn_error_set(error, CN_ERROR_MISMATCH, "the feature Preview needs a preview");
    self->renderer = renderer;
    self->tone_map = given->tone_map;
    if (self->tone_map.exposure == 0)
        self->tone_map.exposure = 1;
    self->buffer = cn_gpu_buffer_create(renderer->gpu,
                                        &(CnGpuBufferDesc){.name = "preview",
                                                           .size = bytes_of(given->preview),
                                                           .usage = CN_GPU_USE_COPY_TO,
                                                           .memory = CN_GPU_MEMORY_READBACK},
                                        error);
    if (!self->buffer.id)
        return false;
    self->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.fragment = CN_SHADER(render_feature_preview_frag),
                                .state = {.name = "preview",
                                          .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE},
                                          .constants = sizeof(PreviewConstants),
                                          .color = {CN_GPU_FORMAT_RGBA8}}},
        error);
    if (!self->pipeline.id)
        return false;
    self->preview = given->preview;
    self->preview->users++;
    return true;
}

/* A copy under way is made again by the next feature, which is not told of the old buffer. */
static void destroy(CnRenderer *renderer, void *feature)
{
    Preview *self = feature;
    uint32_t copying = STATE_COPYING;
    if (self->preview && self->frame)
        atomic_compare_exchange_strong(&self->preview->state, &copying, STATE_REQUESTED);
    if (self->preview)
        self->preview->users--;
    cn_render_pipeline_destroy(renderer, self->pipeline);
    if (self->buffer.id)
        cn_gpu_buffer_destroy(renderer->gpu, self->buffer);
}

static void update(CnFrame *frame, void *feature)
{
    Preview *self = feature;
    CnPreview *preview = self->preview;
    if (!self->frame || cn_gpu_completed_frame(frame->gpu) < self->frame)
        return;
    memcpy(preview->pixels, cn_gpu_buffer_data(frame->gpu, self->buffer), bytes_of(preview));
    self->frame = 0;
    atomic_store(&preview->state, STATE_COMPLETE);
}

static void draw(const CnGraphRun *run)
{
    const PreviewPass *pass = run->user;
    const CnRenderer *renderer = pass->self->renderer;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, pass->self->pipeline));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, pass->hdr),
                        renderer->defaults.linear_clamp);
    if (!cni_render_bind_exposure(run, 1, pass->exposure))
        return;
    cn_gpu_push_constants(run->commands, &pass->constants, sizeof pass->constants);
    cn_frame_draw_full_screen(run);
}

static void copy(const CnGraphRun *run)
{
    const PreviewPass *pass = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, pass->small),
                             cn_graph_get_buffer(run->graph, pass->pixels), &(CnGpuRegion){0});
}

/* The largest part of the image in the shape of the preview, from its middle. */
static PreviewConstants constants_of(const Preview *self, const CnFrame *frame)
{
    float image = (float)frame->width / (float)frame->height;
    float shape = (float)self->preview->width / (float)self->preview->height;
    float width = image > shape ? shape / image : 1, height = image > shape ? 1 : image / shape;
    return (PreviewConstants){
        .corner = {(1 - width) / 2, (1 - height) / 2},
        .pixel = {width / (float)self->preview->width, height / (float)self->preview->height},
        .exposure = self->tone_map.exposure * frame->exposure_scale,
        .flags = self->tone_map.aces != CN_SWITCH_OFF ? TONE_ACES : 0};
}

static void add_draw(CnFrame *frame, PreviewPass *user)
{
    const CnPreview *preview = user->self->preview;
    CnGraph *graph = frame->graph;
    CnGraphPass pass =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "preview", .run = draw, .user = user});
    cn_graph_read_texture(graph, pass, user->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    if (user->exposure.id)
        cn_graph_read_buffer(graph, pass, user->exposure, CN_GPU_ACCESS_READ);
    user->small = cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "preview",
                                                                     .format = CN_GPU_FORMAT_RGBA8,
                                                                     .width = preview->width,
                                                                     .height = preview->height});
    user->small = cn_graph_color_attachment(graph, pass, user->small,
                                            &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static void add_copy(CnFrame *frame, PreviewPass *user)
{
    const Preview *self = user->self;
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "preview read back",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = copy,
                                                                   .user = user});
    user->pixels = cn_graph_import_buffer(
        graph, "preview pixels", self->buffer,
        self->was_copied ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    cn_graph_read_texture(graph, pass, user->small, CN_GPU_ACCESS_COPY_FROM, NULL);
    user->pixels = cn_graph_write_buffer(graph, pass, user->pixels, CN_GPU_ACCESS_COPY_TO,
                                         &(CnGraphSubresource){.overwrite = true});
}

static void add_passes(CnFrame *frame, void *feature)
{
    Preview *self = feature;
    if (!frame->hdr.id || atomic_load(&self->preview->state) != STATE_REQUESTED)
        return;
    PreviewPass *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return; /* tried again in the next frame */
    *user = (PreviewPass){.self = self,
                          .hdr = frame->hdr,
                          .exposure = frame->exposure,
                          .constants = constants_of(self, frame)};
    add_draw(frame, user);
    add_copy(frame, user);
    self->was_copied = true;
    self->frame = cn_gpu_current_frame(frame->gpu);
    atomic_store(&self->preview->state, STATE_COPYING);
}

const CnFeatureType cn_feature_preview = {.name = "Preview",
                                          .size = sizeof(Preview),
                                          .setup = setup,
                                          .update = update,
                                          .add_passes = add_passes,
                                          .destroy = destroy};

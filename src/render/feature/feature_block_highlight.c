/* Block highlight: outline and cracks of the block aimed at, drawn over lit geometry. */
#include "render/block/block_view.h"

#include "shaders/render/feature/block_highlight.frag.h"
#include "shaders/render/feature/block_highlight.vert.h"

#include <cairn/voxel/tiles.h>

#define BOX_CORNERS 36u
#define PROP_INSET 0.2f /* from the sides and the top of the cell */

typedef struct HighlightConstants { /* block_highlight.vert */
    CnMat4 eye_to_clip;
    int32_t cell[3];
    int32_t crack_stage;
    float inset;
    uint32_t boxes[CN_BLOCK_SHAPE_BOXES]; /* low and high corners in 1/16, 5 bits each */
    uint32_t is_bright;
} HighlightConstants;

typedef struct Highlight {
    CnBlockView *view; /* NULL: not attached */
    CnRenderPipeline pipeline;
    /* Of the frame. */
    CnFrame *frame;
    CnGraphTexture depth;
    CnBlockAim aim;
} Highlight;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Highlight *highlight = self;
    CnBlockView *view = options ? ((const CnBlocksOptions *)options)->view : NULL;
    if (!cni_render_block_view_attach(renderer, view, error))
        return false;
    highlight->view = view;
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_feature_block_highlight_vert),
                                 .fragment = CN_SHADER(render_feature_block_highlight_frag),
                                 .state = {.name = "block highlight",
                                           .constants = sizeof(HighlightConstants),
                                           .color = {CN_HDR_FORMAT},
                                           .blend = {CN_GPU_BLEND_PREMULTIPLIED}}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[CNI_RENDER_BLOCK_BINDINGS] = CN_GPU_BIND_TEXTURE;
    highlight->pipeline = cn_render_pipeline_create(renderer, &desc, error);
    return highlight->pipeline.id != 0;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Highlight *highlight = self;
    cn_render_pipeline_destroy(renderer, highlight->pipeline);
    cni_render_block_view_detach(renderer, highlight->view);
}

static void update(CnFrame *frame, void *self)
{
    Highlight *highlight = self;
    cni_render_block_view_begin(frame, highlight->view);
    pthread_mutex_lock(&highlight->view->lock);
    highlight->aim = highlight->view->aim;
    pthread_mutex_unlock(&highlight->view->lock);
}

/* Packs the boxes of the block and returns their number. */
static uint32_t pack_boxes(const CnBlockTable *blocks, CnBlock block, uint32_t *packed)
{
    static const CnBlockShape cube = {1, {{{0, 0, 0}, {16, 16, 16}}}};
    const CnBlockShape *shape = cn_block_shape(blocks, block);
    shape = shape ? shape : &cube;
    for (uint32_t i = 0; i < shape->count; i++) {
        const CnBlockBox *box = &shape->boxes[i];
        packed[i] = 0;
        for (uint32_t axis = 0; axis < 3; axis++)
            packed[i] |= (uint32_t)box->low[axis] << 5 * axis | (uint32_t)box->high[axis]
                                                                    << (15 + 5 * axis);
    }
    return shape->count;
}

static void run_highlight(const CnGraphRun *run)
{
    const Highlight *highlight = run->user;
    CnFrame *frame = highlight->frame;
    CnCell cell = highlight->aim.cell;
    int32_t stage = highlight->aim.crack_stage;
    HighlightConstants constants = {.eye_to_clip = cni_render_view_from_eye(&frame->view),
                                    .cell = {cell.x, cell.y, cell.z},
                                    .crack_stage = stage < CN_TILE_CRACKS ? stage : -1,
                                    .inset = highlight->aim.is_prop ? PROP_INSET : 0,
                                    .is_bright = highlight->aim.is_bright};
    if (constants.crack_stage >= 0)
        constants.crack_stage += CN_TILE_CRACK;
    uint32_t boxes = pack_boxes(highlight->view->blocks, highlight->aim.block, constants.boxes);
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(frame->renderer, highlight->pipeline));
    cni_render_block_bind(frame, highlight->view, run->commands);
    cn_gpu_bind_texture(run->commands, CNI_RENDER_BLOCK_BINDINGS,
                        cn_graph_get_texture(run->graph, highlight->depth),
                        frame->renderer->defaults.nearest_clamp);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    cn_gpu_draw(run->commands, BOX_CORNERS, boxes, 0, 0);
    CnRendererStats *stats = &frame->renderer->stats;
    stats->draws++;
    stats->draw_calls++;
    stats->triangles += boxes * BOX_CORNERS / 3;
}

static void add_passes(CnFrame *frame, void *self)
{
    Highlight *highlight = self;
    if (!highlight->aim.exists || !cni_render_block_view_is_ready(highlight->view) ||
        !frame->hdr.id || !frame->depth.id)
        return;
    highlight->frame = frame;
    highlight->depth = frame->depth;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = "block highlight", .run = run_highlight, .user = highlight});
    cn_graph_read_texture(frame->graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(frame->graph, pass, frame->hdr, NULL);
}

const CnFeatureType cn_feature_block_highlight = {.name = "Block highlight",
                                                  .size = sizeof(Highlight),
                                                  .setup = setup,
                                                  .update = update,
                                                  .add_passes = add_passes,
                                                  .destroy = destroy};

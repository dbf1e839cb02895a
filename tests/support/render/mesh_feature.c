#include "mesh_feature.h"

#include "shaders/render/core/mesh.vert.h"
#include "shaders/tests/mesh.frag.h"

typedef struct Meshes {
    CnDrawPass pass;
    CnFrame *frame;
    const CnDrawList *solid, *blended;
} Meshes;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    Meshes *meshes = self;
    meshes->pass = cn_draw_pass_create(renderer,
                                       &(CnDrawPassDesc){.name = "meshes",
                                                         .vertex = CN_SHADER(render_core_mesh_vert),
                                                         .fragment = CN_SHADER(tests_mesh_frag),
                                                         .color = {CN_GPU_FORMAT_RGBA8},
                                                         .depth = CN_DEPTH_FORMAT,
                                                         .depth_test = CN_GPU_GREATER_EQUAL,
                                                         .depth_write = true},
                                       error);
    return meshes->pass.id != 0;
}

static void run(const CnGraphRun *run)
{
    const Meshes *meshes = run->user;
    cn_frame_bind_scene(meshes->frame, run, 0);
    cn_frame_draw(meshes->frame, run, meshes->pass, meshes->solid);
    cn_frame_draw(meshes->frame, run, meshes->pass, meshes->blended);
}

static void add_passes(CnFrame *frame, void *self)
{
    Meshes *meshes = self;
    meshes->frame = frame;
    meshes->solid = cn_frame_visible(frame, CN_DRAW_OPAQUE);
    meshes->blended = cn_frame_visible(frame, CN_DRAW_TRANSPARENT);
    frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "meshes", .run = run, .user = meshes});
    cn_frame_read_scene(frame, pass, 0);
    frame->output = cn_graph_color_attachment(
        frame->graph, pass, frame->output,
        &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {0, 0, 0, 1}});
    frame->depth = cn_graph_depth_attachment(frame->graph, pass, frame->depth,
                                             &(CnGraphAttachment){.load = CN_GPU_CLEAR});
}

static void destroy(CnRenderer *renderer, void *self)
{
    Meshes *meshes = self;
    cn_draw_pass_destroy(renderer, meshes->pass);
}

const CnFeatureType mesh_feature = {.name = "meshes",
                                    .size = sizeof(Meshes),
                                    .setup = setup,
                                    .add_passes = add_passes,
                                    .destroy = destroy};

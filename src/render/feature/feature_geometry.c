/* The G-buffer of opaque meshes. Emission goes to hdr, with occlusion in its alpha until
 * lighting. */
#include "render/core/renderer_internal.h"

#include "shaders/render/feature/geometry.frag.h"
#include "shaders/render/feature/geometry_extended.frag.h"
#include "shaders/render/feature/geometry_extended_masked.frag.h"
#include "shaders/render/feature/geometry_masked.frag.h"
#include "shaders/render/core/mesh.vert.h"
#include "shaders/render/core/mesh_extended.vert.h"

typedef struct Geometry {
    CnDrawPass pass;
} Geometry;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    Geometry *geometry = self;
    geometry->pass = cn_draw_pass_create(
        renderer,
        &(CnDrawPassDesc){
            .name = "geometry",
            .vertex = CN_SHADER(render_core_mesh_vert),
            .fragment = CN_SHADER(render_feature_geometry_frag),
            .masked = CN_SHADER(render_feature_geometry_masked_frag),
            .extended_vertex = CN_SHADER(render_core_mesh_extended_vert),
            .extended_fragment = CN_SHADER(render_feature_geometry_extended_frag),
            .extended_masked = CN_SHADER(render_feature_geometry_extended_masked_frag),
            .color = {CN_GPU_FORMAT_RGBA8_SRGB, CN_GPU_FORMAT_RGBA16F, CN_HDR_FORMAT},
            .depth = CN_DEPTH_FORMAT,
            .depth_test = CN_GPU_GREATER_EQUAL,
            .depth_write = true,
        },
        error);
    return geometry->pass.id != 0;
}

typedef struct GeometryRun {
    CnFrame *frame;
    CnDrawPass pass;
    const CnDrawList *list;
} GeometryRun;

static void run_geometry(const CnGraphRun *run)
{
    const GeometryRun *geometry = run->user;
    cn_frame_bind_scene(geometry->frame, run, UINT32_MAX);
    cn_frame_draw(geometry->frame, run, geometry->pass, geometry->list);
}

static void add_passes(CnFrame *frame, void *self)
{
    GeometryRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    *user = (GeometryRun){frame, ((Geometry *)self)->pass, cn_frame_visible(frame, CN_DRAW_OPAQUE)};
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "geometry", .run = run_geometry, .user = user});
    CnGraphAttachment cleared = {.load = CN_GPU_CLEAR};
    frame->albedo = cn_graph_color_attachment(
        graph, pass, cn_frame_texture(frame, "albedo", CN_GPU_FORMAT_RGBA8_SRGB, 1), &cleared);
    frame->normal = cn_graph_color_attachment(
        graph, pass, cn_frame_texture(frame, "normal", CN_GPU_FORMAT_RGBA16F, 1), &cleared);
    bool has_hdr = frame->hdr.id != 0;
    if (!has_hdr)
        frame->hdr = cn_frame_texture(frame, "emission", CN_HDR_FORMAT, 1);
    frame->hdr = cn_graph_color_attachment(graph, pass, frame->hdr, has_hdr ? NULL : &cleared);
    bool has_depth = frame->depth.id != 0;
    if (!has_depth)
        frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    frame->depth =
        cn_graph_depth_attachment(graph, pass, frame->depth, has_depth ? NULL : &cleared);
    if (!has_hdr && !has_depth && cn_draw_list_count(user->list) == 0)
        frame->empty_depth = frame->depth;
    cn_frame_read_scene(frame, pass, UINT32_MAX);
}

static void destroy(CnRenderer *renderer, void *self)
{
    cn_draw_pass_destroy(renderer, ((Geometry *)self)->pass);
}

const CnFeatureType cn_feature_geometry = {
    .name = "Geometry",
    .size = sizeof(Geometry),
    .setup = setup,
    .add_passes = add_passes,
    .destroy = destroy,
};

#include "render/feature/lit_pass.h"

#include "shaders/render/feature/light_tiles.comp.h"
#include "shaders/render/feature/lit.frag.h"
#include "shaders/render/feature/lit_extended.frag.h"
#include "shaders/render/feature/lit_extended_masked.frag.h"
#include "shaders/render/feature/lit_masked.frag.h"
#include "shaders/render/feature/lit_transmissive.frag.h"
#include "shaders/render/core/mesh.vert.h"
#include "shaders/render/core/mesh_extended.vert.h"

#define LITTLE_LIGHT 0.03f /* so that areas outside of sunlight are not black */

/* ---- Lit meshes ---- */

bool cni_render_lit_pass_create(CnRenderer *renderer, CniRenderLitKind kind, CnDrawPass *pass,
                                CnError *error)
{
    static const char *const names[] = {"lit", "lit after depth", "lit blended", "lit layered",
                                        "lit transmissive"};
    const CnShader extended = CN_SHADER(render_feature_lit_extended_frag),
                   transmissive = CN_SHADER(render_feature_lit_transmissive_frag);
    bool is_transmissive = kind == CNI_RENDER_LIT_TRANSMISSIVE;
    *pass = cn_draw_pass_create(
        renderer,
        &(CnDrawPassDesc){
            .name = names[kind],
            .vertex = CN_SHADER(render_core_mesh_vert),
            .fragment = CN_SHADER(render_feature_lit_frag),
            .masked = CN_SHADER(render_feature_lit_masked_frag),
            .extended_vertex = CN_SHADER(render_core_mesh_extended_vert),
            .extended_fragment = is_transmissive ? transmissive : extended,
            .extended_masked = CN_SHADER(render_feature_lit_extended_masked_frag),
            .on_demand = is_transmissive || kind == CNI_RENDER_LIT_LAYERED,
            .color = {CN_HDR_FORMAT},
            .blend = {kind == CNI_RENDER_LIT_BLENDED || is_transmissive ? CN_GPU_BLEND_ALPHA
                                                                        : CN_GPU_BLEND_NONE},
            .depth = CN_DEPTH_FORMAT,
            .depth_test = CN_GPU_GREATER_EQUAL,
            .depth_write = kind == CNI_RENDER_LIT_OPAQUE || is_transmissive,
            .constants = sizeof(uint32_t),
        },
        error);
    return pass->id != 0;
}

typedef struct LitRun {
    CnFrame *frame;
    CnDrawPass pass;
    const CnDrawList *list;
    uint32_t lights; /* CniRenderLights */
    uint32_t without;
} LitRun;

static void run_lit(const CnGraphRun *run)
{
    const LitRun *lit = run->user;
    cn_frame_bind_scene(lit->frame, run, lit->without);
    cn_gpu_push_constants(run->commands, &lit->lights, sizeof lit->lights);
    cn_frame_draw(lit->frame, run, lit->pass, lit->list);
}

static void attach_color(CnFrame *frame, CnGraphPass pass)
{
    if (frame->hdr.id) {
        frame->hdr = cn_graph_color_attachment(frame->graph, pass, frame->hdr, NULL);
        return;
    }
    CnGraphTexture hdr = cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1);
    frame->hdr = cn_graph_color_attachment(
        frame->graph, pass, hdr, &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {0, 0, 0, 1}});
}

static void attach_depth(CnFrame *frame, CnGraphPass pass, CniRenderLitKind kind)
{
    if (frame->depth.id) {
        CnGraphAttachment kept = {.read_only = kind != CNI_RENDER_LIT_OPAQUE &&
                                               kind != CNI_RENDER_LIT_TRANSMISSIVE};
        frame->depth = cn_graph_depth_attachment(frame->graph, pass, frame->depth, &kept);
        return;
    }
    CnGraphTexture depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    frame->depth = cn_graph_depth_attachment(frame->graph, pass, depth,
                                             &(CnGraphAttachment){.load = CN_GPU_CLEAR});
}

void cni_render_lit_add(CnFrame *frame, const char *name, CnDrawPass pass, CniRenderLitKind kind,
                        CniRenderLights lights)
{
    static const CnDrawSelect selections[] = {CN_DRAW_OPAQUE, CN_DRAW_OPAQUE, CN_DRAW_TRANSPARENT,
                                              CN_DRAW_LAYERED, CN_DRAW_TRANSMISSIVE};
    const CnDrawList *list = cn_frame_visible(frame, selections[kind]);
    bool is_overlay = kind >= CNI_RENDER_LIT_BLENDED;
    bool is_see_through = kind == CNI_RENDER_LIT_BLENDED || kind == CNI_RENDER_LIT_TRANSMISSIVE;
    if (is_overlay && (!frame->hdr.id || !frame->depth.id || cn_draw_list_count(list) == 0))
        return;
    LitRun *lit = cn_frame_alloc(frame, sizeof *lit);
    if (!lit)
        return;
    *lit = (LitRun){
        .frame = frame,
        .pass = pass,
        .list = list,
        .lights = frame->light_tiles.id ? lights : CNI_RENDER_LIGHTS_LOOP,
        .without = is_see_through ? CN_SCENE_AO : 0,
    };
    if (kind != CNI_RENDER_LIT_TRANSMISSIVE)
        lit->without |= CN_SCENE_BEHIND;
    if (lights == CNI_RENDER_LIGHTS_LOOP)
        lit->without |= CN_SCENE_TILES;
    CnGraphPass added = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = name, .run = run_lit, .user = lit});
    attach_color(frame, added);
    attach_depth(frame, added, kind);
    cn_frame_read_scene(frame, added, lit->without);
}

/* ---- Transmissive meshes ---- */

typedef struct CopyRun {
    CnGraphTexture from, to;
    uint32_t mip; /* of `to`; made of the one above it, or of `from` */
} CopyRun;

static void run_copy(const CnGraphRun *run)
{
    const CopyRun *copy = run->user;
    CnGpuTexture to = cn_graph_get_texture(run->graph, copy->to);
    if (copy->mip == 0)
        cn_gpu_blit(run->commands, cn_graph_get_texture(run->graph, copy->from), 0, to, 0,
                    CN_GPU_NEAREST);
    else
        cn_gpu_blit(run->commands, to, copy->mip - 1, to, copy->mip, CN_GPU_LINEAR);
}

/* Fills frame->behind with what is drawn so far. */
static bool copy_scene(CnFrame *frame)
{
    CnGraph *graph = frame->graph;
    CnGraphTexture chain =
        cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "behind",
                                                           .format = CN_HDR_FORMAT,
                                                           .width = frame->width,
                                                           .height = frame->height,
                                                           .mips = CN_GPU_ALL_MIPS});
    uint32_t mips = cn_graph_texture_desc(graph, chain).mips;
    for (uint32_t i = 0; i < mips; i++) {
        CopyRun *copy = cn_frame_alloc(frame, sizeof *copy);
        if (!copy)
            return false;
        CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "copy scene",
                                                                       .kind = CN_GRAPH_TRANSFER,
                                                                       .run = run_copy,
                                                                       .user = copy});
        if (i == 0)
            cn_graph_read_texture(graph, pass, frame->hdr, CN_GPU_ACCESS_COPY_FROM, NULL);
        else
            cn_graph_read_texture(graph, pass, chain, CN_GPU_ACCESS_COPY_FROM,
                                  &(CnGraphSubresource){.mip = i - 1, .mip_count = 1});
        chain = cn_graph_write_texture(
            graph, pass, chain, CN_GPU_ACCESS_COPY_TO,
            &(CnGraphSubresource){.mip = i, .mip_count = 1, .overwrite = true});
        *copy = (CopyRun){frame->hdr, chain, i};
    }
    frame->behind = chain;
    return true;
}

void cni_render_lit_add_overlay(CnFrame *frame, CnDrawPass transmissive, CnDrawPass blended,
                                CniRenderLights lights)
{
    if (frame->hdr.id && frame->depth.id &&
        cn_draw_list_count(cn_frame_visible(frame, CN_DRAW_TRANSMISSIVE)) > 0 && copy_scene(frame))
        cni_render_lit_add(frame, "transmissive", transmissive, CNI_RENDER_LIT_TRANSMISSIVE,
                           lights);
    cni_render_lit_add(frame, "transparent", blended, CNI_RENDER_LIT_BLENDED, lights);
}

void cni_render_lit_update(CnFrame *frame, const CnLightingOptions *options)
{
    CnVec3 ambient = options->ambient;
    if (ambient.x == 0 && ambient.y == 0 && ambient.z == 0)
        ambient = (CnVec3){LITTLE_LIGHT, LITTLE_LIGHT, LITTLE_LIGHT};
    frame->ambient = ambient;
}

/* ---- Tiles ---- */

bool cni_render_light_tiles_setup(CnRenderer *renderer, CniRenderLightTiles *tiles, CnError *error)
{
    tiles->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = CN_SHADER(render_feature_light_tiles_comp),
            .state = {.name = "light tiles",
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE, CN_GPU_BIND_TEXTURE,
                                   CN_GPU_BIND_STORAGE}},
        },
        error);
    return tiles->pipeline.id != 0;
}

void cni_render_light_tiles_destroy(CnRenderer *renderer, CniRenderLightTiles *tiles)
{
    cn_render_pipeline_destroy(renderer, tiles->pipeline);
}

typedef struct TilesRun {
    CnFrame *frame;
    CnRenderPipeline pipeline;
    CnGraphTexture depth;
    CnGraphBuffer tiles;
    uint32_t across, down;
} TilesRun;

static void run_tiles(const CnGraphRun *run)
{
    const TilesRun *tiles = run->user;
    const CnFrame *frame = tiles->frame;
    CnGpuCommands *commands = run->commands;
    cn_gpu_bind_pipeline(commands, cn_render_pipeline_get(frame->renderer, tiles->pipeline));
    cn_gpu_bind_buffer(commands, 0, frame->frame_data.buffer, frame->frame_data.offset,
                       sizeof(CniRenderFrameData));
    cn_gpu_bind_buffer(commands, 1, frame->light_data.buffer, frame->light_data.offset,
                       frame->light_count * sizeof(CnFrameLight));
    cn_gpu_bind_texture(commands, 2, cn_graph_get_texture(run->graph, tiles->depth),
                        frame->renderer->defaults.nearest_clamp);
    cn_gpu_bind_buffer(commands, 3, cn_graph_get_buffer(run->graph, tiles->tiles), 0, 0);
    cn_gpu_dispatch(commands, tiles->across, tiles->down, 1);
}

void cni_render_light_tiles_add(CnFrame *frame, const CniRenderLightTiles *tiles)
{
    if (frame->light_count == 0 || !frame->depth.id)
        return;
    TilesRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    uint32_t across = (frame->width + CNI_RENDER_LIGHT_TILE_SIZE - 1) / CNI_RENDER_LIGHT_TILE_SIZE;
    uint32_t down = (frame->height + CNI_RENDER_LIGHT_TILE_SIZE - 1) / CNI_RENDER_LIGHT_TILE_SIZE;
    uint64_t words = (frame->light_count + 31) / 32;
    *user = (TilesRun){.frame = frame,
                       .pipeline = tiles->pipeline,
                       .depth = frame->depth,
                       .across = across,
                       .down = down};
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "light tiles",
                                                                          .kind = CN_GRAPH_COMPUTE,
                                                                          .run = run_tiles,
                                                                          .user = user});
    cn_graph_read_texture(frame->graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    CnGraphBuffer made = cn_graph_create_buffer(
        frame->graph, &(CnGpuBufferDesc){.name = "light tiles",
                                         .size = words * 2 * sizeof(uint32_t) * across * down});
    user->tiles = cn_graph_write_buffer(frame->graph, pass, made, CN_GPU_ACCESS_WRITE_COMPUTE,
                                        &(CnGraphSubresource){.overwrite = true});
    frame->light_tiles = user->tiles;
}

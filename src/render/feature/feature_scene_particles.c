/* Particles of emitters and bursts in snapshots: one sorted draw, or nothing. */
#include "render/block/block_view.h"
#include "render/core/renderer_internal.h"
#include "render/feature/scene_particles.h"

#include "shaders/render/feature/scene_particles.frag.h"
#include "shaders/render/feature/scene_particles.vert.h"

#include <cairn/base/log.h>

#include <string.h>

typedef struct SceneParticles {
    CnRenderer *renderer;
    CniRenderSceneParticles *particles; /* NULL: no snapshot has had any */
    CnRenderPipeline pipeline;          /* created with the first particles */
    bool has_failed;                    /* out of memory, or no pipeline; reported */

    /* Of the frame. */
    CnFrame *frame;
    CnGraphTexture depth;
    CnGpuUpload rows;
    uint64_t row_bytes;
} SceneParticles;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    (void)error;
    ((SceneParticles *)self)->renderer = renderer;
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    SceneParticles *scene = self;
    if (scene->pipeline.id)
        cn_render_pipeline_destroy(renderer, scene->pipeline);
    if (!scene->particles)
        return;
    cni_render_scene_particles_fini(scene->particles);
    cn_free(renderer->allocator, scene->particles, sizeof *scene->particles);
}

static bool make_pipeline(SceneParticles *scene, CnError *error)
{
    if (!scene->pipeline.id)
        scene->pipeline = cn_render_pipeline_create(
            scene->renderer,
            &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_feature_scene_particles_vert),
                                    .fragment = CN_SHADER(render_feature_scene_particles_frag),
                                    .state = {.name = "scene particles",
                                              .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE,
                                                           CN_GPU_BIND_TEXTURE},
                                              .constants = sizeof(CnMat4),
                                              .color = {CN_HDR_FORMAT},
                                              .blend = {CN_GPU_BLEND_PREMULTIPLIED},
                                              .depth = CN_DEPTH_FORMAT,
                                              .depth_test = CN_GPU_GREATER_EQUAL}},
            error);
    return scene->pipeline.id != 0;
}

/* Creates what worlds without particles do not need. */
static bool prepare(SceneParticles *scene)
{
    CnError error = {0};
    CnAllocator *allocator = scene->renderer->allocator;
    if (!scene->particles) {
        scene->particles = cn_alloc(allocator, sizeof *scene->particles);
        if (scene->particles)
            cni_render_scene_particles_init(scene->particles, allocator);
        else
            cn_error_memory(&error, "particles");
    }
    if (scene->particles && make_pipeline(scene, &error))
        return true;
    if (!scene->has_failed)
        CN_LOG_ERROR("render", "particles are not drawn: %s", error.message);
    scene->has_failed = true; /* tried again in each frame, without a message */
    return false;
}

static void update(CnFrame *frame, void *self)
{
    SceneParticles *scene = self;
    const CnRenderSnapshot *snapshot = frame->snapshot;
    bool is_empty = !snapshot || (!snapshot->emitter_count && !snapshot->burst_count);
    if (!snapshot || (is_empty && !scene->particles) || !prepare(scene))
        return;
    cni_render_scene_particles_advance(
        scene->particles, &(CniRenderParticleFrame){.previous = frame->previous_snapshot,
                                                    .current = snapshot,
                                                    .alpha = frame->alpha,
                                                    .world = frame->renderer->world_number});
    CnVec3 eye = cn_vec3_add(frame->view.position, frame->origin);
    cni_render_scene_particles_sort(scene->particles, eye, frame->view.forward);
}

static bool send_rows(SceneParticles *scene)
{
    const CniRenderSceneParticles *particles = scene->particles;
    uint32_t count = particles->order.count;
    scene->row_bytes = (uint64_t)count * sizeof(CniRenderParticleRow);
    scene->rows = cn_gpu_upload(scene->frame->commands, scene->row_bytes, 0);
    CniRenderParticleRow *rows = scene->rows.data;
    for (uint32_t i = 0; rows && i < count; i++)
        rows[i] = particles->rows.items[particles->order.items[i]];
    return rows != NULL;
}

static void run(const CnGraphRun *run)
{
    const SceneParticles *scene = run->user;
    const CnFrame *frame = scene->frame;
    const CniRenderDefaults *defaults = &scene->renderer->defaults;
    uint32_t count = scene->particles->order.count;
    CnMat4 eye_to_clip = cni_render_view_from_eye(&frame->view);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(scene->renderer, scene->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, frame->frame_data.buffer, frame->frame_data.offset,
                       sizeof(CniRenderFrameData));
    cn_gpu_bind_buffer(run->commands, 1, scene->rows.buffer, scene->rows.offset, scene->row_bytes);
    cn_gpu_bind_texture(run->commands, 2, cn_graph_get_texture(run->graph, scene->depth),
                        defaults->nearest_clamp);
    cn_gpu_push_constants(run->commands, &eye_to_clip, sizeof eye_to_clip);
    cn_gpu_draw(run->commands, 6, count, 0, 0);
    scene->renderer->stats.draws++;
    scene->renderer->stats.draw_calls++;
    scene->renderer->stats.triangles += 2 * (uint64_t)count;
}

static void add_passes(CnFrame *frame, void *self)
{
    SceneParticles *scene = self;
    scene->frame = frame;
    if (!frame->snapshot || !scene->particles || !scene->particles->order.count ||
        !scene->pipeline.id || !frame->hdr.id || !frame->depth.id || !send_rows(scene))
        return;
    CnGraph *graph = frame->graph;
    scene->depth = frame->depth;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "scene particles", .run = run, .user = scene});
    frame->hdr = cn_graph_color_attachment(graph, pass, frame->hdr, NULL);
    cn_graph_depth_attachment(graph, pass, scene->depth, &(CnGraphAttachment){.read_only = true});
    cn_graph_read_texture(graph, pass, scene->depth, CN_GPU_ACCESS_SAMPLE, NULL);
}

const CnFeatureType cn_feature_scene_particles = {.name = "Scene particles",
                                                  .size = sizeof(SceneParticles),
                                                  .setup = setup,
                                                  .update = update,
                                                  .add_passes = add_passes,
                                                  .destroy = destroy};

CnSceneParticleStats cn_scene_particles_stats(CnFeature *feature)
{
    CN_ASSERT(feature && !strcmp(cn_feature_name(feature), cn_feature_scene_particles.name),
              "%s: not scene particles", __func__);
    const SceneParticles *scene = cn_feature_self(feature);
    return scene->particles ? scene->particles->stats : (CnSceneParticleStats){0};
}

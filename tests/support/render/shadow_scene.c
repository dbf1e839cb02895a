#include "shadow_scene.h"

#include <cairn/base/linear.h>
#include <cairn/render/material.h>

#include <stdlib.h>
#include <string.h>

#include "shaders/tests/shadow_boxes.vert.h"
#include "shaders/tests/shadow_seen.frag.h"

#define MAX_PIXELS (1024u * 1024u)
#define FRAME_FLOATS 132u /* the block of frame.glsl */

struct ShadowScene {
    CnGpu *gpu;
    CnGraph *graph;
    CnGpuPipeline sun, light, seen;
    CnGpuSampler compared, plain;
    CnGpuBuffer readback;
    bool was_read;
    /* Of a desc. */
    const ShadowSceneDesc *desc;
    CniRenderCascade cascades[CNI_RENDER_MAX_CASCADES];
    CniRenderLightView views[CNI_RENDER_LIGHT_TILES];
    uint32_t cascade_count, tile_count;
    CnMat4 view_projection;
    CnGpuUpload frame_data, shadow_data, lights, boxes;
    CnGraphTexture map, atlas, target;
    CnGraphBuffer out;
};

static CnGpuPipeline make_pipeline(CnGpu *gpu, const char *name, bool sees, bool clamps)
{
    CnGpuGraphicsDesc desc = {
        .name = name,
        .vertex = {cn_shader_tests_shadow_boxes_vert, sizeof cn_shader_tests_shadow_boxes_vert},
        .constants = sizeof(CnMat4),
        .depth = CN_GPU_FORMAT_D32F,
        .depth_test = CN_GPU_LESS_EQUAL,
        .depth_write = true,
        .depth_clamp = clamps,
        .cull = CN_GPU_CULL_BACK};
    for (int i = 0; i < (sees ? 12 : 9); i++)
        desc.bindings[i] = i >= 9             ? CN_GPU_BIND_TEXTURE
                           : i == 0 || i == 8 ? CN_GPU_BIND_UNIFORM
                                              : CN_GPU_BIND_STORAGE;
    if (sees) {
        desc.fragment = (CnGpuShader){cn_shader_tests_shadow_seen_frag,
                                      sizeof cn_shader_tests_shadow_seen_frag};
        desc.color[0] = CN_GPU_FORMAT_RGBA32F;
    }
    CnError error = {0};
    CnGpuPipeline pipeline = cn_gpu_graphics_pipeline_create(gpu, &desc, &error);
    if (!pipeline.id)
        fail_msg("%s", error.message);
    return pipeline;
}

ShadowScene *shadow_scene_create(void)
{
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        return NULL;
    ShadowScene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->gpu = gpu;
    scene->graph = cn_graph_create(&(CnGraphDesc){.gpu = gpu}, NULL);
    scene->sun = make_pipeline(gpu, "sun", false, true);
    scene->light = make_pipeline(gpu, "light", false, false);
    scene->seen = make_pipeline(gpu, "seen", true, false);
    scene->compared = cn_gpu_sampler_get(gpu,
                                         &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                                                             .wrap = CN_GPU_CLAMP,
                                                             .compare = CN_GPU_LESS_EQUAL},
                                         NULL);
    scene->plain = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    scene->readback = make_readback(gpu, MAX_PIXELS * sizeof(ShadowScenePixel));
    return scene;
}

void shadow_scene_destroy(ShadowScene *scene)
{
    CnGpu *gpu = scene->gpu;
    cn_graph_destroy(scene->graph);
    cn_gpu_pipeline_destroy(gpu, scene->sun);
    cn_gpu_pipeline_destroy(gpu, scene->light);
    cn_gpu_pipeline_destroy(gpu, scene->seen);
    cn_gpu_buffer_destroy(gpu, scene->readback);
    free(scene);
    end_gpu(gpu);
}

/* ---- Passes ---- */

/* Bindings that nobody reads need something, too. */
static void bind_buffers(const ShadowScene *scene, CnGpuCommands *commands)
{
    const CnGpuUpload *frame = &scene->frame_data, *shadow = &scene->shadow_data;
    cn_gpu_bind_buffer(commands, 0, frame->buffer, frame->offset, FRAME_FLOATS * sizeof(float));
    cn_gpu_bind_buffer(commands, 8, shadow->buffer, shadow->offset, sizeof(CniRenderShadowData));
    uint64_t bytes = scene->desc->box_count * sizeof(ShadowSceneBox);
    for (uint32_t binding = 1; binding < 8; binding++)
        cn_gpu_bind_buffer(commands, binding, scene->boxes.buffer, scene->boxes.offset, bytes);
    cn_gpu_bind_buffer(commands, 6, scene->lights.buffer, scene->lights.offset,
                       sizeof(CnFrameLight));
}

static void draw_boxes(const ShadowScene *scene, CnGpuCommands *commands,
                       const CnMat4 *world_to_clip)
{
    cn_gpu_push_constants(commands, world_to_clip, sizeof *world_to_clip);
    cn_gpu_draw(commands, 36, scene->desc->box_count, 0, 0);
}

typedef struct CascadeRun {
    const ShadowScene *scene;
    uint32_t cascade;
} CascadeRun;

static void run_cascade(const CnGraphRun *run)
{
    const CascadeRun *cascade = run->user;
    cn_gpu_bind_pipeline(run->commands, cascade->scene->sun);
    bind_buffers(cascade->scene, run->commands);
    draw_boxes(cascade->scene, run->commands,
               &cascade->scene->cascades[cascade->cascade].world_to_clip);
}

static void run_atlas(const CnGraphRun *run)
{
    const ShadowScene *scene = run->user;
    uint32_t size = scene->desc->light_size;
    cn_gpu_bind_pipeline(run->commands, scene->light);
    bind_buffers(scene, run->commands);
    for (uint32_t i = 0; i < scene->tile_count; i++) {
        cn_gpu_set_viewport(run->commands, (float)(i * size), 0, (float)size, (float)size);
        cn_gpu_set_scissor(run->commands, (int32_t)(i * size), 0, size, size);
        draw_boxes(scene, run->commands, &scene->views[i].world_to_clip);
    }
}

static void run_seen(const CnGraphRun *run)
{
    const ShadowScene *scene = run->user;
    CnGpuTexture map = cn_graph_get_texture(run->graph, scene->map);
    cn_gpu_bind_pipeline(run->commands, scene->seen);
    bind_buffers(scene, run->commands);
    cn_gpu_bind_texture(run->commands, 9, map, scene->plain);
    cn_gpu_bind_texture(run->commands, 10, map,
                        scene->plain); /* of scene.glsl: no shadows of clouds */
    cn_gpu_bind_texture(run->commands, 11, cn_graph_get_texture(run->graph, scene->atlas),
                        scene->compared);
    draw_boxes(scene, run->commands, &scene->view_projection);
}

static void run_read(const CnGraphRun *run)
{
    const ShadowScene *scene = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, scene->target),
                             cn_graph_get_buffer(run->graph, scene->out), &(CnGpuRegion){0});
}

/* ---- Images ---- */

static CnView view_of(const ShadowSceneDesc *desc)
{
    CnQuat turn = cn_quat_look(cn_vec3_sub(desc->target, desc->eye), cn_vec3(0, 1, 0));
    return (CnView){.position = desc->eye,
                    .right = cn_quat_rotate(turn, cn_vec3(1, 0, 0)),
                    .up = cn_quat_rotate(turn, cn_vec3(0, 1, 0)),
                    .forward = cn_quat_rotate(turn, cn_vec3(0, 0, -1)),
                    .near_plane = 0.1f,
                    .far_plane = 1000,
                    .fov = desc->height > 0 ? 0 : desc->fov * 0.01745329f,
                    .height = desc->height,
                    .aspect = (float)desc->width / (float)desc->height_in_pixels};
}

static CnMat4 matrix_of(const ShadowSceneDesc *desc)
{
    CnView view = view_of(desc);
    CnMat4 projection =
        desc->height > 0
            ? cn_mat4_orthographic(desc->height, view.aspect, view.near_plane, view.far_plane)
            : cn_mat4_perspective(desc->fov, view.aspect, view.near_plane, view.far_plane);
    CnQuat turn = cn_quat_look(view.forward, cn_vec3(0, 1, 0));
    CnAffine place = cn_affine_from_trs(view.position, turn, cn_vec3(1, 1, 1));
    CnAffine inverse = cn_affine_inverse(&place);
    CnMat4 to_view = cn_affine_to_mat4(&inverse);
    return cn_mat4_mul(&projection, &to_view);
}

CnVec2 shadow_scene_project(const ShadowSceneDesc *desc, CnVec3 point)
{
    CnMat4 matrix = matrix_of(desc);
    CnVec4 clip = cn_mat4_transform(&matrix, (CnVec4){point.x, point.y, point.z, 1});
    return (CnVec2){(clip.x / clip.w + 1) / 2 * (float)desc->width,
                    (clip.y / clip.w + 1) / 2 * (float)desc->height_in_pixels};
}

static void *upload(CnGpuCommands *commands, size_t bytes, CnGpuUpload *to)
{
    *to = cn_gpu_upload(commands, bytes, 0);
    assert_non_null(to->data);
    return memset(to->data, 0, bytes);
}

static void write_data(ShadowScene *scene, CnGpuCommands *commands)
{
    const ShadowSceneDesc *desc = scene->desc;
    CnView view = view_of(desc);
    CnVec3 to_sun = cn_vec3_scale(cn_vec3_normalize(desc->sun), -1);
    float *frame = upload(commands, FRAME_FLOATS * sizeof(float), &scene->frame_data);
    memcpy(frame + 96, &view.position, sizeof view.position);
    memcpy(frame + 100, &view.forward, sizeof view.forward);
    memcpy(frame + 116, &to_sun, sizeof to_sun);

    CniRenderShadowData *data = upload(commands, sizeof *data, &scene->shadow_data);
    scene->cascade_count = scene->tile_count = 0;
    if (cni_render_shadow_fit_cascades(&view, desc->sun, desc->cascades, desc->size, desc->distance,
                                       scene->cascades)) {
        scene->cascade_count = desc->cascades;
        cni_render_shadow_write_sun(data, scene->cascades, desc->cascades, desc->size,
                                    desc->softness, view.far_plane);
    }
    CnFrameLight *light = upload(commands, sizeof *light, &scene->lights);
    if (desc->light) {
        *light = *desc->light;
        light->shadow = 1;
        CnVec4 numbers;
        scene->tile_count =
            cni_render_shadow_light_views(light, desc->light_size, scene->views, &numbers);
        cni_render_shadow_write_atlas(data, 1, desc->light_size);
        cni_render_shadow_write_light(data, 0, scene->views, scene->tile_count, numbers);
    }
    size_t bytes = desc->box_count * sizeof(ShadowSceneBox);
    memcpy(upload(commands, bytes, &scene->boxes), desc->boxes, bytes);
    scene->view_projection = matrix_of(desc);
}

static CnGraphTexture depth_texture(CnGraph *graph, const char *name, uint32_t width,
                                    uint32_t height, uint32_t layers)
{
    return cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = name,
                                                              .format = CN_GPU_FORMAT_D32F,
                                                              .width = width,
                                                              .height = height,
                                                              .layers = layers});
}

static void add_maps(ShadowScene *scene)
{
    CnGraph *graph = scene->graph;
    const ShadowSceneDesc *desc = scene->desc;
    const CnGraphAttachment cleared = {.load = CN_GPU_CLEAR, .clear = {1}};
    uint32_t size = scene->cascade_count ? desc->size : 1;
    uint32_t layers = scene->cascade_count ? scene->cascade_count : 1;
    /* Two layers at least: a view of one alone is no array. */
    scene->map = depth_texture(graph, "map", size, size, layers > 1 ? layers : 2);
    for (uint32_t i = 0; i < (layers > 1 ? layers : 2); i++) {
        CascadeRun *cascade = cn_graph_alloc(graph, sizeof *cascade);
        *cascade = (CascadeRun){scene, i};
        CnGraphPass pass = cn_graph_add_pass(
            graph, &(CnGraphPassDesc){.name = "cascade",
                                      .run = i < scene->cascade_count ? run_cascade : NULL,
                                      .user = cascade});
        CnGraphAttachment layer = cleared;
        layer.layer = i;
        scene->map = cn_graph_depth_attachment(graph, pass, scene->map, &layer);
    }
    uint32_t tile = desc->light ? desc->light_size : 1;
    scene->atlas = depth_texture(graph, "atlas", tile * CNI_RENDER_LIGHT_TILES, tile, 1);
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "atlas", .run = run_atlas, .user = scene});
    scene->atlas = cn_graph_depth_attachment(graph, pass, scene->atlas, &cleared);
}

static void add_image(ShadowScene *scene)
{
    CnGraph *graph = scene->graph;
    uint32_t width = scene->desc->width, height = scene->desc->height_in_pixels;
    CnGraphPass seen = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "seen", .run = run_seen, .user = scene});
    cn_graph_read_texture(graph, seen, scene->map, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, seen, scene->atlas, CN_GPU_ACCESS_SAMPLE, NULL);
    CnGraphTexture target = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){
            .name = "seen", .format = CN_GPU_FORMAT_RGBA32F, .width = width, .height = height});
    scene->target = cn_graph_color_attachment(
        graph, seen, target, &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1, 1, 0, 0}});
    cn_graph_depth_attachment(graph, seen, depth_texture(graph, "depth", width, height, 1),
                              &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1}});
    scene->out = cn_graph_import_buffer(graph, "readback", scene->readback,
                                        scene->was_read ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE,
                                        CN_GPU_ACCESS_HOST);
    scene->was_read = true;
    CnGraphPass read = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){
                   .name = "read", .kind = CN_GRAPH_TRANSFER, .run = run_read, .user = scene});
    cn_graph_read_texture(graph, read, scene->target, CN_GPU_ACCESS_COPY_FROM, NULL);
    scene->out = cn_graph_write_buffer(graph, read, scene->out, CN_GPU_ACCESS_COPY_TO, NULL);
}

const ShadowScenePixel *shadow_scene_draw(ShadowScene *scene, const ShadowSceneDesc *desc)
{
    CnError error = {0};
    assert_true(desc->width * desc->height_in_pixels <= MAX_PIXELS);
    scene->desc = desc;
    CnGpuCommands *commands = begin_frame(scene->gpu);
    write_data(scene, commands);
    cn_graph_begin(scene->graph);
    add_maps(scene);
    add_image(scene);
    if (!cn_graph_compile(scene->graph, &error))
        fail_msg("%s", error.message);
    cn_graph_execute(scene->graph, commands);
    end_frame(scene->gpu);
    return cn_gpu_buffer_data(scene->gpu, scene->readback);
}

float shadow_scene_texel(const ShadowScene *scene, uint32_t cascade)
{
    return scene->cascades[cascade].texel;
}

float shadow_scene_split(const ShadowScene *scene, uint32_t cascade)
{
    return scene->cascades[cascade].to;
}

void shadow_scene_save(const ShadowSceneDesc *desc, const ShadowScenePixel *pixels, int channel,
                       const char *name)
{
    const char *folder = getenv("CAIRN_SHADOW_IMAGES");
    if (!folder)
        return;
    uint32_t count = desc->width * desc->height_in_pixels;
    uint8_t *bytes = malloc((size_t)count * 4);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < count; i++) {
        const ShadowScenePixel *p = &pixels[i];
        float facing = channel ? p->lamp_facing : p->sun_facing;
        float light = (channel ? p->light : p->sun) * (0.5f + 0.5f * facing) * (facing > 0);
        bytes[i * 4] = bytes[i * 4 + 1] = bytes[i * 4 + 2] = (uint8_t)(20 + 230 * light);
        bytes[i * 4 + 3] = 255;
    }
    char path[512];
    cn_format(path, sizeof path, "%s/%s.png", folder, name);
    CnImage image = {.width = desc->width, .height = desc->height_in_pixels, .pixels = bytes};
    CnError error = {0};
    if (!cn_image_write(&image, cn_native_files(), path, &error))
        fail_msg("%s", error.message);
    free(bytes);
}

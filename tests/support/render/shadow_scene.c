#include "shadow_scene.h"

#include <cairn/base/linear.h>
#include <cairn/render/material.h>

#include <stdlib.h>
#include <string.h>

#include "shaders/tests/shadow_boxes.vert.h"
#include "shaders/tests/shadow_seen.frag.h"

#define MAX_PIXELS (1024u * 1024u)
#define FRAME_FLOATS 132u /* the block of frame.glsl */

struct ShadowLab {
    CnGpu *gpu;
    CnGraph *graph;
    CnGpuPipeline sun, light, seen;
    CnGpuSampler compared, plain;
    CnGpuBuffer readback;
    bool was_read;
    /* Of a picture. */
    const LabPicture *picture;
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

ShadowLab *shadow_lab_create(void)
{
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        return NULL;
    ShadowLab *lab = calloc(1, sizeof *lab);
    assert_non_null(lab);
    lab->gpu = gpu;
    lab->graph = cn_graph_create(&(CnGraphDesc){.gpu = gpu}, NULL);
    lab->sun = make_pipeline(gpu, "sun", false, true);
    lab->light = make_pipeline(gpu, "light", false, false);
    lab->seen = make_pipeline(gpu, "seen", true, false);
    lab->compared = cn_gpu_sampler_get(gpu,
                                       &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                                                           .wrap = CN_GPU_CLAMP,
                                                           .compare = CN_GPU_LESS_EQUAL},
                                       NULL);
    lab->plain = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    lab->readback = make_readback(gpu, MAX_PIXELS * sizeof(LabPixel));
    return lab;
}

void shadow_lab_destroy(ShadowLab *lab)
{
    CnGpu *gpu = lab->gpu;
    cn_graph_destroy(lab->graph);
    cn_gpu_pipeline_destroy(gpu, lab->sun);
    cn_gpu_pipeline_destroy(gpu, lab->light);
    cn_gpu_pipeline_destroy(gpu, lab->seen);
    cn_gpu_buffer_destroy(gpu, lab->readback);
    free(lab);
    end_gpu(gpu);
}

/* ---- Passes ---- */

/* Bindings that nobody reads need something, too. */
static void bind_buffers(const ShadowLab *lab, CnGpuCommands *commands)
{
    const CnGpuUpload *frame = &lab->frame_data, *shadow = &lab->shadow_data;
    cn_gpu_bind_buffer(commands, 0, frame->buffer, frame->offset, FRAME_FLOATS * sizeof(float));
    cn_gpu_bind_buffer(commands, 8, shadow->buffer, shadow->offset, sizeof(CniRenderShadowData));
    uint64_t bytes = lab->picture->box_count * sizeof(LabBox);
    for (uint32_t binding = 1; binding < 8; binding++)
        cn_gpu_bind_buffer(commands, binding, lab->boxes.buffer, lab->boxes.offset, bytes);
    cn_gpu_bind_buffer(commands, 6, lab->lights.buffer, lab->lights.offset, sizeof(CnFrameLight));
}

static void draw_boxes(const ShadowLab *lab, CnGpuCommands *commands, const CnMat4 *world_to_clip)
{
    cn_gpu_constants(commands, world_to_clip, sizeof *world_to_clip);
    cn_gpu_draw(commands, 36, lab->picture->box_count, 0, 0);
}

typedef struct CascadeRun {
    const ShadowLab *lab;
    uint32_t cascade;
} CascadeRun;

static void run_cascade(const CnGraphRun *run)
{
    const CascadeRun *cascade = run->user;
    cn_gpu_bind_pipeline(run->commands, cascade->lab->sun);
    bind_buffers(cascade->lab, run->commands);
    draw_boxes(cascade->lab, run->commands,
               &cascade->lab->cascades[cascade->cascade].world_to_clip);
}

static void run_atlas(const CnGraphRun *run)
{
    const ShadowLab *lab = run->user;
    uint32_t size = lab->picture->light_size;
    cn_gpu_bind_pipeline(run->commands, lab->light);
    bind_buffers(lab, run->commands);
    for (uint32_t i = 0; i < lab->tile_count; i++) {
        cn_gpu_viewport(run->commands, (float)(i * size), 0, (float)size, (float)size);
        cn_gpu_scissor(run->commands, (int32_t)(i * size), 0, size, size);
        draw_boxes(lab, run->commands, &lab->views[i].world_to_clip);
    }
}

static void run_seen(const CnGraphRun *run)
{
    const ShadowLab *lab = run->user;
    CnGpuTexture map = cn_graph_get_texture(run->graph, lab->map);
    cn_gpu_bind_pipeline(run->commands, lab->seen);
    bind_buffers(lab, run->commands);
    cn_gpu_bind_texture(run->commands, 9, map, lab->plain);
    cn_gpu_bind_texture(run->commands, 10, map,
                        lab->plain); /* of scene.glsl: no shadows of clouds */
    cn_gpu_bind_texture(run->commands, 11, cn_graph_get_texture(run->graph, lab->atlas),
                        lab->compared);
    draw_boxes(lab, run->commands, &lab->view_projection);
}

static void run_read(const CnGraphRun *run)
{
    const ShadowLab *lab = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, lab->target),
                             cn_graph_get_buffer(run->graph, lab->out), &(CnGpuRegion){0});
}

/* ---- Pictures ---- */

static CnView view_of(const LabPicture *picture)
{
    CnQuat turn = cn_quat_look(cn_vec3_sub(picture->target, picture->eye), cn_vec3(0, 1, 0));
    return (CnView){.position = picture->eye,
                    .right = cn_quat_rotate(turn, cn_vec3(1, 0, 0)),
                    .up = cn_quat_rotate(turn, cn_vec3(0, 1, 0)),
                    .forward = cn_quat_rotate(turn, cn_vec3(0, 0, -1)),
                    .near_plane = 0.1f,
                    .far_plane = 1000,
                    .fov = picture->height > 0 ? 0 : picture->fov * 0.01745329f,
                    .height = picture->height,
                    .aspect = (float)picture->width / (float)picture->height_in_pixels};
}

static CnMat4 matrix_of(const LabPicture *picture)
{
    CnView view = view_of(picture);
    CnMat4 projection =
        picture->height > 0
            ? cn_mat4_orthographic(picture->height, view.aspect, view.near_plane, view.far_plane)
            : cn_mat4_perspective(picture->fov, view.aspect, view.near_plane, view.far_plane);
    CnQuat turn = cn_quat_look(view.forward, cn_vec3(0, 1, 0));
    CnAffine place = cn_affine_from_trs(view.position, turn, cn_vec3(1, 1, 1));
    CnAffine inverse = cn_affine_inverse(&place);
    CnMat4 to_view = cn_affine_to_mat4(&inverse);
    return cn_mat4_mul(&projection, &to_view);
}

CnVec2 shadow_lab_project(const LabPicture *picture, CnVec3 point)
{
    CnMat4 matrix = matrix_of(picture);
    CnVec4 clip = cn_mat4_transform(&matrix, (CnVec4){point.x, point.y, point.z, 1});
    return (CnVec2){(clip.x / clip.w + 1) / 2 * (float)picture->width,
                    (clip.y / clip.w + 1) / 2 * (float)picture->height_in_pixels};
}

static void *upload(CnGpuCommands *commands, size_t bytes, CnGpuUpload *to)
{
    *to = cn_gpu_upload(commands, bytes, 0);
    assert_non_null(to->data);
    return memset(to->data, 0, bytes);
}

static void write_data(ShadowLab *lab, CnGpuCommands *commands)
{
    const LabPicture *picture = lab->picture;
    CnView view = view_of(picture);
    CnVec3 to_sun = cn_vec3_scale(cn_vec3_normalize(picture->sun), -1);
    float *frame = upload(commands, FRAME_FLOATS * sizeof(float), &lab->frame_data);
    memcpy(frame + 96, &view.position, sizeof view.position);
    memcpy(frame + 100, &view.forward, sizeof view.forward);
    memcpy(frame + 116, &to_sun, sizeof to_sun);

    CniRenderShadowData *data = upload(commands, sizeof *data, &lab->shadow_data);
    lab->cascade_count = lab->tile_count = 0;
    if (cni_render_shadow_fit_cascades(&view, picture->sun, picture->cascades, picture->size,
                                       picture->distance, lab->cascades)) {
        lab->cascade_count = picture->cascades;
        cni_render_shadow_write_sun(data, lab->cascades, picture->cascades, picture->size,
                                    picture->softness, view.far_plane);
    }
    CnFrameLight *light = upload(commands, sizeof *light, &lab->lights);
    if (picture->light) {
        *light = *picture->light;
        light->shadow = 1;
        CnVec4 numbers;
        lab->tile_count =
            cni_render_shadow_light_views(light, picture->light_size, lab->views, &numbers);
        cni_render_shadow_write_atlas(data, 1, picture->light_size);
        cni_render_shadow_write_light(data, 0, lab->views, lab->tile_count, numbers);
    }
    size_t bytes = picture->box_count * sizeof(LabBox);
    memcpy(upload(commands, bytes, &lab->boxes), picture->boxes, bytes);
    lab->view_projection = matrix_of(picture);
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

static void add_maps(ShadowLab *lab)
{
    CnGraph *graph = lab->graph;
    const LabPicture *picture = lab->picture;
    const CnGraphAttachment cleared = {.load = CN_GPU_CLEAR, .clear = {1}};
    uint32_t size = lab->cascade_count ? picture->size : 1;
    uint32_t layers = lab->cascade_count ? lab->cascade_count : 1;
    /* Two layers at least: a view of one alone is no array. */
    lab->map = depth_texture(graph, "map", size, size, layers > 1 ? layers : 2);
    for (uint32_t i = 0; i < (layers > 1 ? layers : 2); i++) {
        CascadeRun *cascade = cn_graph_alloc(graph, sizeof *cascade);
        *cascade = (CascadeRun){lab, i};
        CnGraphPass pass = cn_graph_add_pass(
            graph, &(CnGraphPassDesc){.name = "cascade",
                                      .run = i < lab->cascade_count ? run_cascade : NULL,
                                      .user = cascade});
        CnGraphAttachment layer = cleared;
        layer.layer = i;
        lab->map = cn_graph_depth_attachment(graph, pass, lab->map, &layer);
    }
    uint32_t tile = picture->light ? picture->light_size : 1;
    lab->atlas = depth_texture(graph, "atlas", tile * CNI_RENDER_LIGHT_TILES, tile, 1);
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "atlas", .run = run_atlas, .user = lab});
    lab->atlas = cn_graph_depth_attachment(graph, pass, lab->atlas, &cleared);
}

static void add_picture(ShadowLab *lab)
{
    CnGraph *graph = lab->graph;
    uint32_t width = lab->picture->width, height = lab->picture->height_in_pixels;
    CnGraphPass seen =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "seen", .run = run_seen, .user = lab});
    cn_graph_read_texture(graph, seen, lab->map, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, seen, lab->atlas, CN_GPU_ACCESS_SAMPLE, NULL);
    CnGraphTexture target = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){
            .name = "seen", .format = CN_GPU_FORMAT_RGBA32F, .width = width, .height = height});
    lab->target = cn_graph_color_attachment(
        graph, seen, target, &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1, 1, 0, 0}});
    cn_graph_depth_attachment(graph, seen, depth_texture(graph, "depth", width, height, 1),
                              &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1}});
    lab->out = cn_graph_import_buffer(graph, "readback", lab->readback,
                                      lab->was_read ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE,
                                      CN_GPU_ACCESS_HOST);
    lab->was_read = true;
    CnGraphPass read = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){
                   .name = "read", .kind = CN_GRAPH_TRANSFER, .run = run_read, .user = lab});
    cn_graph_read_texture(graph, read, lab->target, CN_GPU_ACCESS_COPY_FROM, NULL);
    lab->out = cn_graph_write_buffer(graph, read, lab->out, CN_GPU_ACCESS_COPY_TO, NULL);
}

const LabPixel *shadow_lab_draw(ShadowLab *lab, const LabPicture *picture)
{
    CnError error = {0};
    assert_true(picture->width * picture->height_in_pixels <= MAX_PIXELS);
    lab->picture = picture;
    CnGpuCommands *commands = begin_frame(lab->gpu);
    write_data(lab, commands);
    cn_graph_begin(lab->graph);
    add_maps(lab);
    add_picture(lab);
    if (!cn_graph_compile(lab->graph, &error))
        fail_msg("%s", error.message);
    cn_graph_execute(lab->graph, commands);
    end_frame(lab->gpu);
    return cn_gpu_buffer_data(lab->gpu, lab->readback);
}

float shadow_lab_texel(const ShadowLab *lab, uint32_t cascade)
{
    return lab->cascades[cascade].texel;
}

float shadow_lab_split(const ShadowLab *lab, uint32_t cascade)
{
    return lab->cascades[cascade].to;
}

void shadow_lab_save(const LabPicture *picture, const LabPixel *pixels, int channel,
                     const char *name)
{
    const char *folder = getenv("CAIRN_LAB_PICTURES");
    if (!folder)
        return;
    uint32_t count = picture->width * picture->height_in_pixels;
    uint8_t *bytes = malloc((size_t)count * 4);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < count; i++) {
        const LabPixel *p = &pixels[i];
        float facing = channel ? p->lamp_facing : p->sun_facing;
        float light = (channel ? p->light : p->sun) * (0.5f + 0.5f * facing) * (facing > 0);
        bytes[i * 4] = bytes[i * 4 + 1] = bytes[i * 4 + 2] = (uint8_t)(20 + 230 * light);
        bytes[i * 4 + 3] = 255;
    }
    char path[512];
    cn_format(path, sizeof path, "%s/%s.png", folder, name);
    CnImage image = {.width = picture->width, .height = picture->height_in_pixels, .pixels = bytes};
    CnError error = {0};
    if (!cn_image_write(&image, cn_native_files(), path, &error))
        fail_msg("%s", error.message);
    free(bytes);
}

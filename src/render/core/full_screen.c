#include "render/core/renderer_internal.h"
#include "render/core/scene_bindings.h"

#include <cairn/base/log.h>

#include <stdlib.h>
#include <string.h>

#define GROUP 8u /* threads per axis: full_screen_comp.glsl */

/* Measured on both kinds of device: docs/performance.md. */
CnFullScreenForm cni_render_full_screen_choose(CnFullScreenForm requested, CnGpuKind kind)
{
    if (requested != CN_FULL_SCREEN_AUTO)
        return requested;
    const char *named = getenv("CAIRN_FULL_SCREEN");
    if (named && !strcmp(named, "fragment"))
        return CN_FULL_SCREEN_FRAGMENT;
    if (named && !strcmp(named, "compute"))
        return CN_FULL_SCREEN_COMPUTE;
    if (named && named[0])
        CN_LOG_WARNING("render", "CAIRN_FULL_SCREEN must be fragment or compute: %s", named);
    return kind == CN_GPU_KIND_CPU ? CN_FULL_SCREEN_FRAGMENT : CN_FULL_SCREEN_COMPUTE;
}

static bool computes(const CnRenderer *renderer)
{
    return renderer->full_screen == CN_FULL_SCREEN_COMPUTE;
}

uint32_t cn_full_screen_usage(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return computes(renderer) ? CN_GPU_USE_STORAGE : CN_GPU_USE_ATTACHMENT;
}

/* ---- Shaders ---- */

static void list_bindings(CnFullScreen *shader, const CnFullScreenDesc *desc,
                          CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS])
{
    shader->reads = desc->reads;
    if (desc->reads == CN_FULL_SCREEN_READS_SCENE) {
        cni_render_scene_bindings(bindings);
        shader->first_input = CNI_RENDER_BIND_MATERIAL_TEXTURES;
        shader->first_result = CNI_RENDER_SCENE_BINDING_COUNT;
        return;
    }
    bindings[0] = CN_GPU_BIND_UNIFORM;
    shader->first_input = 1;
    shader->first_result = 1 + desc->inputs;
    for (uint32_t i = 1; i < shader->first_result; i++)
        bindings[i] = CN_GPU_BIND_TEXTURE;
}

bool cn_full_screen_init(CnRenderer *renderer, CnFullScreen *shader, const CnFullScreenDesc *desc,
                         CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(shader, "%s: shader is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->inputs <= CN_FULL_SCREEN_MAX_INPUTS &&
                  desc->constants <= CN_FULL_SCREEN_MAX_CONSTANTS,
              "%s has too many inputs or constants", desc->name);
    if (desc->inputs > CN_FULL_SCREEN_MAX_INPUTS || desc->constants > CN_FULL_SCREEN_MAX_CONSTANTS)
        return cn_error_set(error, CN_ERROR_LIMIT, "%s has too many inputs or constants",
                            desc->name);
    *shader = (CnFullScreen){0};
    CnRenderPipelineDesc made = {
        .state = {.name = desc->name, .constants = desc->constants * (uint32_t)sizeof(float)}};
    list_bindings(shader, desc, made.state.bindings);
    if (computes(renderer)) {
        made.compute = desc->forms.compute;
        for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_RESULTS && desc->results[i]; i++)
            made.state.bindings[shader->first_result + i] = CN_GPU_BIND_STORAGE_TEXTURE;
    } else {
        made.fragment = desc->forms.fragment;
        for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_RESULTS; i++)
            made.state.color[i] = desc->results[i];
    }
    shader->pipeline = cn_render_pipeline_create(renderer, &made, error);
    return shader->pipeline.id != 0;
}

void cn_full_screen_fini(CnRenderer *renderer, const CnFullScreen *shaders, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        cn_render_pipeline_destroy(renderer, shaders[i].pipeline);
}

/* ---- Passes ---- */

typedef struct FullScreenRun {
    CnFrame *frame;
    CnFullScreenPass pass;
} FullScreenRun;

static void bind_inputs(const CnGraphRun *run, const FullScreenRun *user)
{
    const CnFullScreenPass *pass = &user->pass;
    const CniRenderDefaults *defaults = &user->frame->renderer->defaults;
    const CnGpuUpload *data = &user->frame->frame_data;
    if (pass->shader->reads == CN_FULL_SCREEN_READS_SCENE)
        cn_frame_bind_scene(user->frame, run, pass->without);
    else
        cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset,
                           sizeof(CniRenderFrameData));
    for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_INPUTS && pass->inputs[i].texture.id; i++)
        cn_gpu_bind_texture(run->commands, pass->shader->first_input + i,
                            cn_graph_get_texture(run->graph, pass->inputs[i].texture),
                            pass->inputs[i].filter == CN_GPU_LINEAR ? defaults->linear_clamp
                                                                    : defaults->nearest_clamp);
}

static void dispatch(const CnGraphRun *run, const CnRenderer *renderer,
                     const CnFullScreenPass *pass)
{
    CnGpuTexture first = cn_graph_get_texture(run->graph, pass->targets[0]);
    CnGpuTextureDesc size = cn_gpu_texture_desc(renderer->gpu, first);
    for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_RESULTS && pass->targets[i].id; i++)
        cn_gpu_bind_storage_texture(run->commands, pass->shader->first_result + i,
                                    cn_graph_get_texture(run->graph, pass->targets[i]), 0);
    cn_gpu_dispatch(run->commands, (size.width + GROUP - 1) / GROUP,
                    (size.height + GROUP - 1) / GROUP, 1);
}

static void run_pass(const CnGraphRun *run)
{
    const FullScreenRun *user = run->user;
    const CnFullScreenPass *pass = &user->pass;
    const CnRenderer *renderer = user->frame->renderer;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, pass->shader->pipeline));
    bind_inputs(run, user);
    cn_gpu_push_constants(run->commands, pass->constants, sizeof pass->constants);
    if (computes(renderer))
        dispatch(run, renderer, pass);
    else
        cn_frame_draw_full_screen(run);
}

static CnGraphTexture write_target(CnFrame *frame, CnGraphPass pass, CnGraphTexture target)
{
    if (computes(frame->renderer))
        return cn_graph_write_texture(frame->graph, pass, target, CN_GPU_ACCESS_WRITE_COMPUTE,
                                      &(CnGraphSubresource){.overwrite = true});
    return cn_graph_color_attachment(frame->graph, pass, target,
                                     &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

void cn_full_screen_add_pass(CnFrame *frame, CnFullScreenPass *pass)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(pass, "%s: pass is NULL", __func__);
    FullScreenRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    bool is_compute = computes(frame->renderer);
    CnGraphPass added = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = pass->name,
                                         .kind = is_compute ? CN_GRAPH_COMPUTE : CN_GRAPH_GRAPHICS,
                                         .run = run_pass,
                                         .user = user});
    for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_INPUTS && pass->inputs[i].texture.id; i++)
        cn_graph_read_texture(frame->graph, added, pass->inputs[i].texture,
                              is_compute ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_SAMPLE,
                              NULL);
    if (pass->shader->reads == CN_FULL_SCREEN_READS_SCENE)
        cn_frame_read_scene(frame, added, pass->without);
    for (uint32_t i = 0; i < CN_FULL_SCREEN_MAX_RESULTS && pass->targets[i].id; i++)
        pass->targets[i] = write_target(frame, added, pass->targets[i]);
    *user = (FullScreenRun){frame, *pass};
}

CnGraphTexture cn_full_screen_draw(CnFrame *frame, CnGraphTexture target, CnFullScreenPass *pass)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(pass, "%s: pass is NULL", __func__);
    pass->targets[0] = target;
    cn_full_screen_add_pass(frame, pass);
    return pass->targets[0];
}

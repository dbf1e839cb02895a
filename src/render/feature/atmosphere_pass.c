#include "render/feature/atmosphere_pass.h"

#include "shaders/render/feature/atmosphere_composite.comp.h"
#include "shaders/render/feature/atmosphere_composite.frag.h"
#include "shaders/render/feature/cloud_noise.comp.h"
#include "shaders/render/feature/cloud_noise.frag.h"

bool cni_render_composite_create(CnRenderer *renderer, CnFullScreen *shader, CnError *error)
{
    return cn_full_screen_init(
        renderer, shader,
        &(CnFullScreenDesc){.name = "atmosphere composite",
                            .forms = CN_FULL_SCREEN_FORMS(render_feature_atmosphere_composite),
                            .inputs = 3,
                            .constants = 2,
                            .results = {CN_HDR_FORMAT}},
        error);
}

void cni_render_composite(CnFrame *frame, const char *name, const CnFullScreen *shader,
                          CnGraphTexture air, uint32_t divisor, CniRenderCompositeArea part)
{
    frame->hdr = cn_full_screen_draw(
        frame, cn_frame_texture(frame, name, CN_HDR_FORMAT, 1),
        &(CnFullScreenPass){.name = name,
                            .shader = shader,
                            .inputs = {{frame->hdr, CN_GPU_NEAREST},
                                       {air, CN_GPU_NEAREST},
                                       {frame->depth, CN_GPU_NEAREST}},

                            .constants = {(float)divisor, part == CNI_RENDER_COMPOSITE_SKY}});
}

bool cni_render_cloud_noise_create(CnRenderer *renderer, CnFullScreen *shader, CnError *error)
{
    return cn_full_screen_init(
        renderer, shader,
        &(CnFullScreenDesc){.name = "cloud noise",
                            .forms = CN_FULL_SCREEN_FORMS(render_feature_cloud_noise),
                            .results = {CN_GPU_FORMAT_RG16F}},
        error);
}

CnGraphTexture cni_render_cloud_noise(CnFrame *frame, const char *name, const CnFullScreen *shader)
{
    bool is_new;
    CnGraphTexture noise = cn_graph_persistent_texture(
        frame->graph,
        &(CnGpuTextureDesc){.name = name,
                            .format = CN_GPU_FORMAT_RG16F,
                            .width = CNI_RENDER_CLOUD_NOISE_SIDE,
                            .height = CNI_RENDER_CLOUD_NOISE_SIDE,
                            .usage = cn_full_screen_usage(frame->renderer) | CN_GPU_USE_SAMPLED},
        &is_new);
    if (!is_new)
        return noise;
    return cn_full_screen_draw(frame, noise, &(CnFullScreenPass){.name = name, .shader = shader});
}

bool cni_render_frame_has_clouds(const CnFrame *frame)
{
    const CnRenderAtmosphere *air = &frame->atmosphere;
    return air->valid && air->cloud_cover > 0 && air->cloud_top > air->cloud_bottom;
}

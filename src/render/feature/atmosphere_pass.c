#include "render/feature/atmosphere_pass.h"

#include "shaders/render/feature/atmosphere_composite.comp.h"
#include "shaders/render/feature/atmosphere_composite.frag.h"
#include "shaders/render/feature/cloud_noise.comp.h"
#include "shaders/render/feature/cloud_noise.frag.h"

bool cni_air_over_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error)
{
    return cni_full_screen_create(renderer, shader,
                                  &(CniFullScreenDesc){.name = "atmosphere composite",
                                                       .forms = CNI_BOTH_FORMS(render_air_over),
                                                       .inputs = 3,
                                                       .constants = 2,
                                                       .results = {CN_HDR_FORMAT}},
                                  error);
}

void cni_air_over(CnFrame *frame, const char *name, const CniFullScreen *shader, CnGraphTexture air,
                  uint32_t divide, CniAirPart part)
{
    frame->hdr = cni_full_screen_draw(
        frame, cn_frame_texture(frame, name, CN_HDR_FORMAT, 1),
        &(CniFullScreenPass){.name = name,
                             .shader = shader,
                             .inputs = {{frame->hdr, CN_GPU_NEAREST},
                                        {air, CN_GPU_NEAREST},
                                        {frame->depth, CN_GPU_NEAREST}},

                             .constants = {(float)divide, part == CNI_AIR_OVER_SKY}});
}

bool cni_cloud_noise_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error)
{
    return cni_full_screen_create(renderer, shader,
                                  &(CniFullScreenDesc){.name = "cloud noise",
                                                       .forms = CNI_BOTH_FORMS(render_cloud_noise),
                                                       .results = {CN_FORMAT_RG16F}},
                                  error);
}

CnGraphTexture cni_cloud_noise(CnFrame *frame, const char *name, const CniFullScreen *shader)
{
    bool is_new;
    CnGraphTexture noise = cn_graph_persistent_texture(
        frame->graph,
        &(CnGpuTextureDesc){.name = name,
                            .format = CN_FORMAT_RG16F,
                            .width = CNI_CLOUD_NOISE_SIDE,
                            .height = CNI_CLOUD_NOISE_SIDE,
                            .usage = cni_full_screen_usage(frame->renderer) | CN_GPU_USE_SAMPLED},
        &is_new);
    if (!is_new)
        return noise;
    return cni_full_screen_draw(frame, noise, &(CniFullScreenPass){.name = name, .shader = shader});
}

bool cni_has_clouds(const CnFrame *frame)
{
    const CnRenderAir *air = &frame->air;
    return air->valid && air->cloud_cover > 0 && air->cloud_top > air->cloud_bottom;
}

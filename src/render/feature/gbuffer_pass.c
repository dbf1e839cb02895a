#include "render/feature/gbuffer_pass.h"

bool cni_render_frame_has_gbuffer(const CnFrame *frame)
{
    return frame->albedo.id && frame->normal.id && frame->depth.id && frame->hdr.id;
}

void cni_render_gbuffer_light(CnFrame *frame, const char *name, const CnFullScreen *shader,
                              uint32_t without)
{
    frame->hdr =
        cn_full_screen_draw(frame, cn_frame_texture(frame, name, CN_HDR_FORMAT, 1),
                            &(CnFullScreenPass){.name = name,
                                                .shader = shader,
                                                .inputs = {{frame->albedo, CN_GPU_NEAREST},
                                                           {frame->normal, CN_GPU_NEAREST},
                                                           {frame->depth, CN_GPU_NEAREST},
                                                           {frame->hdr, CN_GPU_NEAREST},
                                                           {frame->baked_light, CN_GPU_NEAREST}},
                                                .without = without});
}

/* Shared by the atmosphere features: compositing of light that was drawn at reduced resolution, and
 * the cloud noise. */
#ifndef CAIRN_SRC_RENDER_FEATURE_ATMOSPHERE_PASS_H
#define CAIRN_SRC_RENDER_FEATURE_ATMOSPHERE_PASS_H

#include "render/core/renderer_internal.h"

#define CNI_RENDER_CLOUD_NOISE_SIDE 257u

/* Used by cni_render_composite. */
typedef enum CniRenderCompositeArea {
    CNI_RENDER_COMPOSITE_ALL,
    CNI_RENDER_COMPOSITE_SKY
} CniRenderCompositeArea;

/* Creates the shader of cni_render_composite, which replaces hdr. */
bool cni_render_composite_create(CnRenderer *renderer, CnFullScreen *shader, CnError *error);
/* `air` has the image size divided by `divide`: light, with transmittance in alpha. Replaces
 * frame->hdr. */
void cni_render_composite(CnFrame *frame, const char *name, const CnFullScreen *shader,
                          CnGraphTexture air, uint32_t divisor, CniRenderCompositeArea part);

bool cni_render_cloud_noise_create(CnRenderer *renderer, CnFullScreen *shader, CnError *error);
/* Filled once and persistent under this name, which must be unique per feature. */
CnGraphTexture cni_render_cloud_noise(CnFrame *frame, const char *name, const CnFullScreen *shader);
/* Returns whether this frame has clouds. */
bool cni_render_frame_has_clouds(const CnFrame *frame);
/* Returns whether the feature Fog draws in this frame. */
bool cni_render_frame_has_fog(const CnFrame *frame);

#endif

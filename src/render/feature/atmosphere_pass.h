/* Shared by the atmosphere features: compositing of light that was drawn at reduced resolution, and
 * the cloud noise. */
#ifndef CAIRN_SRC_RENDER_FEATURE_ATMOSPHERE_PASS_H
#define CAIRN_SRC_RENDER_FEATURE_ATMOSPHERE_PASS_H

#include "render/core/full_screen.h"

#define CNI_CLOUD_NOISE_SIDE 257u

/* Used by cni_air_over. */
typedef enum CniAirPart { CNI_AIR_OVER_ALL, CNI_AIR_OVER_SKY } CniAirPart;

/* Creates the shader of cni_air_over, which replaces hdr. */
bool cni_air_over_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error);
/* `air` has the image size divided by `divide`: light, with transmittance in alpha. Replaces
 * frame->hdr. */
void cni_air_over(CnFrame *frame, const char *name, const CniFullScreen *shader, CnGraphTexture air,
                  uint32_t divide, CniAirPart part);

bool cni_cloud_noise_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error);
/* Filled once and persistent under this name, which must be unique per feature. */
CnGraphTexture cni_cloud_noise(CnFrame *frame, const char *name, const CniFullScreen *shader);
/* Returns whether this frame has clouds. */
bool cni_has_clouds(const CnFrame *frame);
/* Returns whether the feature Fog draws in this frame. */
bool cni_has_fog(const CnFrame *frame);

#endif

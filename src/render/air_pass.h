/* What the features of the air share: light that is drawn small and laid over the picture, and the noise of clouds. */
#ifndef CAIRN_SRC_RENDER_AIR_PASS_H
#define CAIRN_SRC_RENDER_AIR_PASS_H

#include "full_screen.h"

#define CNI_CLOUD_NOISE_SIDE 257u

/* Of cni_air_over. */
typedef enum CniAirPart { CNI_AIR_OVER_ALL, CNI_AIR_OVER_SKY } CniAirPart;

/* For cni_air_over: hdr, drawn over with what is in it. */
bool cni_air_over_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error);
/* `air` has the picture's size divided by `divide`: light, and in alpha what comes through. Changes frame->hdr. */
void cni_air_over(CnFrame *frame, const char *name, const CniFullScreen *shader, CnGraphTexture air,
                  uint32_t divide, CniAirPart part);

bool cni_cloud_noise_create(CnRenderer *renderer, CniFullScreen *shader, CnError *error);
/* Filled once and kept by this name, which is of one feature. */
CnGraphTexture cni_cloud_noise(CnFrame *frame, const char *name, const CniFullScreen *shader);
/* There are clouds in this frame. */
bool cni_has_clouds(const CnFrame *frame);
/* The feature Fog draws in this frame. */
bool cni_has_fog(const CnFrame *frame);

#endif

/* Full-screen passes that add light from the G-buffer: gbuffer.glsl. */
#ifndef CAIRN_SRC_RENDER_FEATURE_GBUFFER_PASS_H
#define CAIRN_SRC_RENDER_FEATURE_GBUFFER_PASS_H

#include "render/core/renderer_internal.h"

bool cni_render_frame_has_gbuffer(const CnFrame *frame);
/* Adds a pass that reads the G-buffer, the scene's slots and hdr, and replaces hdr. */
void cni_render_gbuffer_light(CnFrame *frame, const char *name, const CnFullScreen *shader,
                              uint32_t without);

#endif

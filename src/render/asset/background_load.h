/*
 * Loads in the background: models and textures of foreign origin, which a helper process decodes
 * (render/decode), are read and decoded by a thread of the renderer. What was decoded is uploaded
 * at the start of a frame, one file per frame. Until then, models are not drawn and textures are
 * neutral.
 */
#ifndef CAIRN_SRC_RENDER_ASSET_BACKGROUND_LOAD_H
#define CAIRN_SRC_RENDER_ASSET_BACKGROUND_LOAD_H

#include "render/core/renderer_internal.h"

/* Returns whether a file exists and is of foreign origin. */
bool cni_render_is_foreign(CnRenderer *renderer, const char *path);

/* Start to load a file unless it is being loaded. Return false if this is not possible. */
bool cni_render_load_model(CnRenderer *renderer, const char *path);
bool cni_render_load_texture(CnRenderer *renderer, CnTexture texture, const char *path);

/* Uploads one file that was decoded; called at the start of a frame. */
void cni_render_loads_take(CnRenderer *renderer);
/* Waits for all files and uploads them. */
void cni_render_loads_finish(CnRenderer *renderer);
/* Cancels what is being loaded. */
void cni_render_loads_fini(CnRenderer *renderer);

#endif

/* Files of the shader folder that pipelines are made of, and looking whether they have changed. */
#ifndef CAIRN_SRC_RENDER_SHADER_WATCH_H
#define CAIRN_SRC_RENDER_SHADER_WATCH_H

#include "renderer.h"

/* Notes which files a pipeline is made of, with all that they include. Without a folder: none. */
void cni_shader_watch(CnRenderer *renderer, CniRenderPipeline *pipeline);
/* Whether one of them is not what the library was built with. */
bool cni_shader_is_other(const CnRenderer *renderer, const CniRenderPipeline *pipeline);
/* At the beginning of a frame: looks twice a second. */
void cni_shader_look_sometimes(CnRenderer *renderer);
void cni_shader_watch_fini(CnRenderer *renderer);

/* From sources, in place of the one that is there, which stays when it fails. */
bool cni_pipeline_rebuild(CnRenderer *renderer, CniRenderPipeline *pipeline, CnError *error);

#endif

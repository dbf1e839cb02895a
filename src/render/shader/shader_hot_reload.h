/* Watches the files of the shader folder from which pipelines are built. */
#ifndef CAIRN_SRC_RENDER_SHADER_SHADER_HOT_RELOAD_H
#define CAIRN_SRC_RENDER_SHADER_SHADER_HOT_RELOAD_H

#include "render/core/renderer_internal.h"

/* Records the files of a pipeline with all their includes; none without a folder. */
void cni_render_shader_watch(CnRenderer *renderer, CniRenderPipeline *pipeline);
/* Returns whether one of its files differs from the embedded source. */
bool cni_render_shader_is_modified(const CnRenderer *renderer, const CniRenderPipeline *pipeline);
/* Called at the start of a frame: checks twice a second. */
void cni_render_shader_poll(CnRenderer *renderer);
void cni_render_shader_watch_fini(CnRenderer *renderer);

/* Rebuilds the pipeline from its sources; the existing one stays if this fails. */
bool cni_render_pipeline_rebuild(CnRenderer *renderer, CniRenderPipeline *pipeline, CnError *error);

#endif

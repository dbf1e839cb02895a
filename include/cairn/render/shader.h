/*
 * Shaders and pipelines that can change while the program runs.
 *
 *     #include "shaders/render/tone_map.frag.h"                     // made by the build
 *
 *     CnRenderPipeline tone = cn_render_pipeline(renderer, &(CnRenderPipelineDesc){
 *         .fragment = CN_SHADER(render_tone_map_frag),                // over the whole picture
 *         .state = {.name = "tone map", .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE},
 *                   .color = {CN_FORMAT_RGBA8}}}, &error);
 *     cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, tone));   // while recording
 *
 * Shaders are compiled into the program. With a folder of sources (CnRendererDesc.shader_folder, or CAIRN_SHADERS
 * in the environment) files that are saved are compiled again between frames, with all that include them. What
 * does not compile, or does not fit its pipeline, is logged with file and line, is the text of
 * cn_renderer_shader_error, and the pipelines stay as they were.
 */
#ifndef CAIRN_RENDER_SHADER_H
#define CAIRN_RENDER_SHADER_H

#include <cairn/gpu/pipeline.h>

CN_EXTERN_C_BEGIN

typedef struct CnRenderer CnRenderer;

/* `name` is the path below shaders/ with everything that is no letter or digit as '_'. */
typedef struct CnShader {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} CnShader;
#define CN_SHADER(file_name)                                                                       \
    {                                                                                              \
#file_name, cn_shader_##file_name, sizeof cn_shader_##file_name                            \
    }

typedef struct CnRenderPipeline {
    uint32_t id;
} CnRenderPipeline;

typedef struct CnRenderPipelineDesc {
    CnShader vertex,
        fragment;     /* of graphics; no vertex shader: a triangle over the whole picture */
    CnShader compute; /* or this alone */
    CnGpuGraphicsDesc
        state; /* its shaders are those above; of compute only name, bindings and constants count */
} CnRenderPipelineDesc;

CN_API CnRenderPipeline cn_render_pipeline(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                           CnError *error);
/* Nothing happens to one that was not made, or is gone. */
CN_API void cn_render_pipeline_destroy(CnRenderer *renderer, CnRenderPipeline pipeline);
/* What it is now; never null for one that lives. */
CN_API CnGpuPipeline cn_render_pipeline_get(const CnRenderer *renderer, CnRenderPipeline pipeline);

/* Looks at the files now; returns how many pipelines were replaced. Frames do it by themselves, twice a second. */
CN_API uint32_t cn_renderer_reload_shaders(CnRenderer *renderer);
/* What the compiler said about the last change, "" when all is well. Good until the next look. */
CN_API const char *cn_renderer_shader_error(const CnRenderer *renderer);

CN_EXTERN_C_END

#endif

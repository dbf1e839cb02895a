/*
 * Full-screen passes: one GLSL function, executed as a fragment shader or as a compute shader. A
 * renderer uses the same form for all of them (CnRendererDesc.full_screen). The function is in its
 * own file,
 *
 *     #define RESULT_BINDING 3 // of compute shaders: after the inputs
 *     #define RESULT_FORMAT rg16f
 *     vec4 full_screen(ivec2 pixel)
 *
 * and a .frag and a .comp file include it, followed by full_screen_frag.glsl or
 * full_screen_comp.glsl, which contain main(). With three results, define SECOND_RESULT_FORMAT and
 * THIRD_RESULT_FORMAT as well; the function is then full_screen(ivec2 pixel, out vec4 second, out
 * vec4 third).
 */
#ifndef CAIRN_SRC_RENDER_CORE_FULL_SCREEN_H
#define CAIRN_SRC_RENDER_CORE_FULL_SCREEN_H

#include "render/core/renderer_internal.h"

#define CNI_RENDER_FULL_SCREEN_INPUTS 5u
#define CNI_RENDER_FULL_SCREEN_CONSTANTS 32u
#define CNI_RENDER_FULL_SCREEN_RESULTS 3u

/* The shaders shaders/x/y.frag and shaders/x/y.comp, by the name x_y. */
#define CNI_RENDER_BOTH_FORMS(file_name)                                                           \
    {                                                                                              \
        CN_SHADER(file_name##_frag), CN_SHADER(file_name##_comp)                                   \
    }

typedef enum CniRenderFullScreenReads {
    CNI_RENDER_READS_FRAME, /* at binding 0, followed by the inputs and the results */
    /* bindings of scene.glsl, with the inputs in place of material textures, followed by the
     * results */
    CNI_RENDER_READS_SCENE
} CniRenderFullScreenReads;

typedef struct CniRenderFullScreenDesc {
    const char *name;
    struct {
        CnShader fragment, compute;
    } forms;
    CniRenderFullScreenReads reads;
    uint32_t inputs, constants;
    CnGpuFormat results[CNI_RENDER_FULL_SCREEN_RESULTS]; /* one, or all */
} CniRenderFullScreenDesc;

typedef struct CniRenderFullScreen {
    CnRenderPipeline pipeline;
    uint32_t first_input, first_result; /* bindings */
    CniRenderFullScreenReads reads;
} CniRenderFullScreen;

typedef struct CniRenderFullScreenPass {
    const char *name;
    const CniRenderFullScreen *shader;
    struct {
        CnGraphTexture texture; /* an empty one ends the list */
        CnGpuFilter filter;
    } inputs[CNI_RENDER_FULL_SCREEN_INPUTS];
    float constants[CNI_RENDER_FULL_SCREEN_CONSTANTS]; /* as many as the shader declares */
    uint32_t without;                                  /* CN_SCENE_* bits, if the scene is read */
    CnGraphTexture targets[CNI_RENDER_FULL_SCREEN_RESULTS];
} CniRenderFullScreenPass;

bool cni_render_full_screen_create(CnRenderer *renderer, CniRenderFullScreen *shader,
                                   const CniRenderFullScreenDesc *desc, CnError *error);
/* Destroys those that were created. */
void cni_render_full_screen_destroy(CnRenderer *renderer, const CniRenderFullScreen *shaders,
                                    uint32_t count);
/* Returns the usage flags of result textures that are created before the graph knows their
 * passes. */
uint32_t cni_render_full_screen_usage(const CnRenderer *renderer);

/* Replaces the targets by the results of the pass. */
void cni_render_full_screen_pass(CnFrame *frame, CniRenderFullScreenPass *pass);
/* The same with one target. */
CnGraphTexture cni_render_full_screen_draw(CnFrame *frame, CnGraphTexture target,
                                           CniRenderFullScreenPass *pass);

/* Chooses the form of a renderer: as requested, by the environment, or by the kind of device. */
CnFullScreenForm cni_render_full_screen_choose(CnFullScreenForm wish, CnGpuKind kind);

#endif

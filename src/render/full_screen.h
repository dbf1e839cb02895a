/*
 * Full-screen passes: one function of GLSL, as a fragment shader or as a compute shader. The renderer has one form
 * for all of them (CnRendererDesc.full_screen). The function stands in a file of its own,
 *
 *     #define RESULT_BINDING 3          // of compute shaders: behind the inputs
 *     #define RESULT_FORMAT rg16f
 *     vec4 full_screen(ivec2 pixel)
 *
 * and a .frag and a .comp include it and then full_screen_frag.glsl or full_screen_comp.glsl, which have main().
 * With three results there are SECOND_RESULT_FORMAT and THIRD_RESULT_FORMAT, and full_screen(ivec2 pixel, out vec4
 * second, out vec4 third).
 */
#ifndef CAIRN_SRC_RENDER_FULL_SCREEN_H
#define CAIRN_SRC_RENDER_FULL_SCREEN_H

#include "renderer.h"

#define CNI_FULL_SCREEN_INPUTS 5u
#define CNI_FULL_SCREEN_CONSTANTS 32u
#define CNI_FULL_SCREEN_RESULTS 3u

/* The shaders shaders/x/y.frag and shaders/x/y.comp, by the name x_y. */
#define CNI_BOTH_FORMS(file_name)                                                                  \
    {                                                                                              \
        CN_SHADER(file_name##_frag), CN_SHADER(file_name##_comp)                                   \
    }

typedef enum CniFullScreenReads {
    CNI_READS_FRAME, /* binding 0; the inputs follow, then the results */
    CNI_READS_SCENE /* bindings of scene.glsl, with the inputs in the place of material textures; results follow */
} CniFullScreenReads;

typedef struct CniFullScreenDesc {
    const char *name;
    struct {
        CnShader fragment, compute;
    } forms;
    CniFullScreenReads reads;
    uint32_t inputs, constants;
    CnGpuFormat results[CNI_FULL_SCREEN_RESULTS]; /* one, or all */
} CniFullScreenDesc;

typedef struct CniFullScreen {
    CnRenderPipeline pipeline;
    uint32_t first_input, first_result; /* bindings */
    CniFullScreenReads reads;
} CniFullScreen;

typedef struct CniFullScreenPass {
    const char *name;
    const CniFullScreen *shader;
    struct {
        CnGraphTexture texture; /* the last is followed by none */
        CnGpuFilter filter;
    } inputs[CNI_FULL_SCREEN_INPUTS];
    float constants[CNI_FULL_SCREEN_CONSTANTS]; /* as many as the shader has */
    uint32_t without;                           /* of the scene, if it is read: CN_SCENE_* */
    CnGraphTexture targets[CNI_FULL_SCREEN_RESULTS];
} CniFullScreenPass;

bool cni_full_screen_create(CnRenderer *renderer, CniFullScreen *shader,
                            const CniFullScreenDesc *desc, CnError *error);
/* Those that were made. */
void cni_full_screen_destroy(CnRenderer *renderer, const CniFullScreen *shaders, uint32_t count);
/* What textures are used for that are results and need to know it before the graph does. */
uint32_t cni_full_screen_usage(const CnRenderer *renderer);

/* Replaces the targets by what the pass makes of them. */
void cni_full_screen_pass(CnFrame *frame, CniFullScreenPass *pass);
/* The same, with one target. */
CnGraphTexture cni_full_screen_draw(CnFrame *frame, CnGraphTexture target, CniFullScreenPass *pass);

/* Which of the two forms a renderer has: as asked for, or by the environment, or by the kind of the device. */
CnFullScreenForm cni_full_screen_choose(CnFullScreenForm wish, CnGpuKind kind);

#endif

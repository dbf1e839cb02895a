/* Depth of field: geometry away from the focus distance is blurred at half resolution. */
#include "render/core/renderer_internal.h"

#include "shaders/render/feature/dof_blur.comp.h"
#include "shaders/render/feature/dof_blur.frag.h"
#include "shaders/render/feature/dof_composite.comp.h"
#include "shaders/render/feature/dof_composite.frag.h"
#include "shaders/render/feature/dof_half.comp.h"
#include "shaders/render/feature/dof_half.frag.h"

#define FULL_HEIGHT 1080.0f /* image height that CnDofOptions.radius refers to */

enum { DOF_HALF, DOF_BLUR, DOF_FULL, DOF_COUNT };

typedef struct Dof {
    CnDofOptions options;
    CnFullScreen shaders[DOF_COUNT];
} Dof;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Dof *dof = self;
    if (options)
        dof->options = *(const CnDofOptions *)options;
    if (dof->options.focus == 0)
        dof->options.focus = 8;
    if (dof->options.range == 0)
        dof->options.range = 75;
    if (dof->options.radius == 0)
        dof->options.radius = 12;
    CN_ASSERT(dof->options.range > 0 && dof->options.radius > 0, "invalid range %g or radius %g",
              (double)dof->options.range, (double)dof->options.radius);
    const CnFullScreenDesc descs[DOF_COUNT] = {
        {"dof half",
         CN_FULL_SCREEN_FORMS(render_feature_dof_half),
         CN_FULL_SCREEN_READS_FRAME,
         2,
         3,
         {CN_HDR_FORMAT}},
        {"dof blur",
         CN_FULL_SCREEN_FORMS(render_feature_dof_blur),
         CN_FULL_SCREEN_READS_FRAME,
         1,
         3,
         {CN_HDR_FORMAT}},
        {"dof",
         CN_FULL_SCREEN_FORMS(render_feature_dof_composite),
         CN_FULL_SCREEN_READS_FRAME,
         4,
         3,
         {CN_HDR_FORMAT}},
    };
    for (uint32_t i = 0; i < DOF_COUNT; i++) {
        if (!cn_full_screen_init(renderer, &dof->shaders[i], &descs[i], error))
            return false;
    }
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Dof *dof = self;
    cn_full_screen_fini(renderer, dof->shaders, DOF_COUNT);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Dof *dof = self;
    if (!frame->hdr.id || !frame->depth.id)
        return;
    float radius = dof->options.radius * (float)frame->height / FULL_HEIGHT;
    CnFullScreenPass pass = {
        .name = "dof half",
        .shader = &dof->shaders[DOF_HALF],
        .inputs = {{frame->hdr, CN_GPU_NEAREST}, {frame->depth, CN_GPU_NEAREST}},
        .constants = {dof->options.focus, dof->options.range, radius}};
    CnGraphTexture half =
        cn_full_screen_draw(frame, cn_frame_texture(frame, "dof half", CN_HDR_FORMAT, 2), &pass);
    CnFullScreenPass blur = {.name = "dof blur",
                             .shader = &dof->shaders[DOF_BLUR],
                             .inputs = {{half, CN_GPU_NEAREST}},
                             .constants = {dof->options.focus, dof->options.range, radius}};
    CnGraphTexture blurred =
        cn_full_screen_draw(frame, cn_frame_texture(frame, "dof blur", CN_HDR_FORMAT, 2), &blur);
    pass.name = "dof";
    pass.shader = &dof->shaders[DOF_FULL];
    pass.inputs[2].texture = half;
    pass.inputs[3].texture = blurred;
    frame->hdr = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "hdr with depth of field", CN_HDR_FORMAT, 1), &pass);
}

const CnFeatureType cn_feature_dof = {.name = "Depth of field",
                                      .size = sizeof(Dof),
                                      .setup = setup,
                                      .add_passes = add_passes,
                                      .destroy = destroy};

/* God rays: sunlight scattered in the atmosphere, at half resolution and composited over the
 * image. */
#include "render/feature/atmosphere_pass.h"

#include <cairn/render/atmosphere.h>

#include "shaders/render/feature/god_rays.comp.h"
#include "shaders/render/feature/god_rays.frag.h"
#include "shaders/render/feature/god_rays_blur.comp.h"
#include "shaders/render/feature/god_rays_blur.frag.h"

#define DIVIDE 2u

enum { RAYS_MARCH, RAYS_BLUR, RAYS_OVER, RAYS_COUNT };

typedef struct GodRays {
    CnGodRayOptions options;
    CnFullScreen shaders[RAYS_COUNT];
} GodRays;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    GodRays *rays = self;
    if (options)
        rays->options = *(const CnGodRayOptions *)options;
    if (rays->options.steps == 0)
        rays->options.steps = 16;
    const CnFullScreenDesc descs[RAYS_OVER] = {
        {"god rays",
         CN_FULL_SCREEN_FORMS(render_feature_god_rays),
         CN_FULL_SCREEN_READS_SCENE,
         1,
         2,
         {CN_HDR_FORMAT}},
        {"god rays blur",
         CN_FULL_SCREEN_FORMS(render_feature_god_rays_blur),
         CN_FULL_SCREEN_READS_FRAME,
         1,
         0,
         {CN_HDR_FORMAT}},
    };
    for (uint32_t i = 0; i < RAYS_OVER; i++) {
        if (!cn_full_screen_init(renderer, &rays->shaders[i], &descs[i], error))
            return false;
    }
    return cni_render_composite_create(renderer, &rays->shaders[RAYS_OVER], error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    GodRays *rays = self;
    cn_full_screen_fini(renderer, rays->shaders, RAYS_COUNT);
}

/* Not under water, which has its own fog. */
static void add_passes(CnFrame *frame, void *self)
{
    const GodRays *rays = self;
    if (!frame->hdr.id || !frame->depth.id || !frame->sun.exists || frame->view.fov == 0 ||
        frame->atmosphere.water_above > 0)
        return;
    CnGraphTexture drawn = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "god rays", CN_HDR_FORMAT, DIVIDE),
        &(CnFullScreenPass){.name = "god rays",
                            .shader = &rays->shaders[RAYS_MARCH],
                            .inputs = {{frame->depth, CN_GPU_NEAREST}},
                            .constants = {DIVIDE, (float)rays->options.steps},
                            .without = CN_SCENE_AO | CN_SCENE_IBL | CN_SCENE_TILES});
    drawn =
        cn_full_screen_draw(frame, cn_frame_texture(frame, "god rays blur", CN_HDR_FORMAT, DIVIDE),
                            &(CnFullScreenPass){.name = "god rays blur",
                                                .shader = &rays->shaders[RAYS_BLUR],
                                                .inputs = {{drawn, CN_GPU_NEAREST}}});
    cni_render_composite(frame, "god rays over", &rays->shaders[RAYS_OVER], drawn, DIVIDE,
                         CNI_RENDER_COMPOSITE_ALL);
}

const CnFeatureType cn_feature_god_rays = {.name = "God rays",
                                           .size = sizeof(GodRays),
                                           .setup = setup,
                                           .add_passes = add_passes,
                                           .destroy = destroy};

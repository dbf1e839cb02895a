/* Cloud shadows: a transmittance map that is drawn every frame because clouds move. */
#include "render/feature/atmosphere_pass.h"

#include <cairn/render/atmosphere.h>

#include "shaders/render/feature/cloud_shadow_fill.comp.h"
#include "shaders/render/feature/cloud_shadow_fill.frag.h"

#define DEFAULT_SIZE 1024u
#define MIN_SIZE 256u /* a texel is CLOUD_SHADOW_STEP meters then */

enum { SHADOW_NOISE, SHADOW_FILL, SHADOW_COUNT };

typedef struct CloudShadows {
    uint32_t size;
    CnFullScreen shaders[SHADOW_COUNT];
} CloudShadows;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    CloudShadows *shadows = self;
    uint32_t size = options ? ((const CnCloudShadowOptions *)options)->size : 0;
    shadows->size = size ? size : DEFAULT_SIZE;
    CN_ASSERT(shadows->size >= MIN_SIZE && !(shadows->size & (shadows->size - 1)),
              "invalid map size of %u texels", shadows->size);
    return cni_render_cloud_noise_create(renderer, &shadows->shaders[SHADOW_NOISE], error) &&
           cn_full_screen_init(
               renderer, &shadows->shaders[SHADOW_FILL],
               &(CnFullScreenDesc){.name = "cloud shadow",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_cloud_shadow_fill),
                                   .inputs = 1,
                                   .constants = 1,
                                   .results = {CN_GPU_FORMAT_R8}},
               error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    CloudShadows *shadows = self;
    cn_full_screen_fini(renderer, shadows->shaders, SHADOW_COUNT);
}

static void add_passes(CnFrame *frame, void *self)
{
    const CloudShadows *shadows = self;
    if (!cni_render_frame_has_clouds(frame) || !frame->sun.exists)
        return;
    CnGraphTexture noise =
        cni_render_cloud_noise(frame, "cloud shadow noise", &shadows->shaders[SHADOW_NOISE]);
    CnGraphTexture map =
        cn_graph_create_texture(frame->graph, &(CnGpuTextureDesc){.name = "cloud shadow",
                                                                  .format = CN_GPU_FORMAT_R8,
                                                                  .width = shadows->size,
                                                                  .height = shadows->size});
    frame->cloud_shadow =
        cn_full_screen_draw(frame, map,
                            &(CnFullScreenPass){.name = "cloud shadow",
                                                .shader = &shadows->shaders[SHADOW_FILL],
                                                .inputs = {{noise, CN_GPU_LINEAR}},
                                                .constants = {1 / (float)shadows->size}});
}

const CnFeatureType cn_feature_cloud_shadows = {.name = "Cloud shadows",
                                                .size = sizeof(CloudShadows),
                                                .setup = setup,
                                                .add_passes = add_passes,
                                                .destroy = destroy};

/* 22: a custom feature in a custom preset: low-lying fog, between lighting and tone mapping. */
#include "scene_helpers.h"
#include "shaders/samples/fog.comp.h"
#include "shaders/samples/fog.frag.h"

typedef struct Fog {
    CnFullScreen shader;
} Fog;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Fog *fog = self;
    (void)options;
    return cn_full_screen_init(renderer, &fog->shader,
                               &(CnFullScreenDesc){.name = "fog",
                                                   .forms = CN_FULL_SCREEN_FORMS(samples_fog),
                                                   .inputs = 2,
                                                   .results = {CN_HDR_FORMAT}},
                               error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    cn_full_screen_fini(renderer, &((Fog *)self)->shader, 1);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Fog *fog = self;
    CnFullScreenPass pass = {
        .name = "fog",
        .shader = &fog->shader,
        .inputs = {{frame->hdr, CN_GPU_NEAREST}, {frame->depth, CN_GPU_NEAREST}}};
    frame->hdr =
        cn_full_screen_draw(frame, cn_frame_texture(frame, "fogged", CN_HDR_FORMAT, 1), &pass);
}

static const CnFeatureType fog_feature = {.name = "Fog",
                                          .size = sizeof(Fog),
                                          .setup = setup,
                                          .destroy = destroy,
                                          .add_passes = add_passes};

/* ---- A preset is a function that adds features ---- */

static bool foggy(CnRenderer *renderer, const CnRenderOptions *options, void *user, CnError *error)
{
    (void)user;
    return cn_renderer_add_feature(renderer, &cn_feature_sky, &options->sky, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_environment, &options->sky, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_shadows, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_forward, NULL, error) &&
           cn_renderer_add_feature(renderer, &fog_feature, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_tone_map, NULL, error);
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user, (void)error;
    CnWorld *world = cn_engine_world(engine);
    CnRenderer *renderer = cn_engine_renderer(engine);
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Moss", .base_color = {0.12f, 0.14f, 0.06f, 1}}, NULL);
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Fir", .base_color = {0.03f, 0.09f, 0.05f, 1}}, NULL);
    place(world, "shapes://plane", "Moss", (CnVec3){0, 0, 0}, (CnVec3){200, 1, 200});
    for (int i = 0; i < 60; i++) {
        float x = (float)(i * 37 % 60 - 30), height = 1 + (float)(i * 13 % 7);
        place(world, "shapes://cone", "Fir", (CnVec3){x, height / 2, (float)-i},
              (CnVec3){height * 0.6f, height, height * 0.6f});
    }
    place_sun(world, (CnVec3){-0.6f, -0.5f, -0.4f}, 4);
    return cn_add(world, place_camera(world, (CnVec3){0, 4, 10}, (CnVec3){0, 2, -10}), CnFlyCamera);
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {
        .title = "Fog", .preset = foggy, .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}}};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

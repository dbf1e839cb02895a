/* Images of the air between the eye and blocks. CAIRN_UPDATE_GOLDEN=1 writes them. */
#include "block_scene.h"
#include "golden_image.h"

#include <cairn/render/atmosphere.h>

typedef struct Shot {
    const char *name;
    CnRenderAtmosphere atmosphere;
    bool off;
} Shot;

static void add_features(BlockScene *scene)
{
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    block_scene_add_blocks(scene, NULL);
    render_fixture_add(&scene->fixture, &cn_feature_sky, &sky);
    render_fixture_add(&scene->fixture, &cn_feature_environment, &sky);
    render_fixture_add(&scene->fixture, &cn_feature_deferred, NULL);
    render_fixture_add(&scene->fixture, &cn_feature_fog,
                       &(CnFogOptions){.edge = 60, .sea_level = 256});
    render_fixture_add(&scene->fixture, &cn_feature_tone_map, NULL);
}

/* A row of pillars up to 60 meters away, where the world ends, in the light of an afternoon. */
static void build(BlockScene *scene)
{
    for (int32_t i = 0; i < 6; i++) {
        int32_t away = 4 + i * i * 2, side = i % 2 ? 4 : -4;
        block_scene_fill(scene, (CnCell){side - 1, 0, -away - 1}, (CnCell){side + 1, 6 + i, -away},
                         i % 2 ? "stone" : "sand");
    }
    block_scene_show(scene);
    add_features(scene);
    block_scene_sun(scene, cn_vec3(0.5f, -0.6f, -0.6f));
    block_scene_camera(scene, cn_vec3(0, 4, 6), 0, 0);
    scene->fixture.frame_desc.width = 160;
    scene->fixture.frame_desc.height = 90;
}

static void fog_in_every_weather_and_under_water(void **state)
{
    (void)state;
    static const Shot shots[] = {{"fog_off", {0}, true},
                                 {"fog_clear", {0}, false},
                                 {"fog_weather", {.fog = 0.03f, .cloud_cover = 0.6f}, false},
                                 {"fog_under_water", {.water_above = 3}, false}};
    BlockScene scene;
    if (!block_scene_init(&scene,
                          &(BlockSceneDesc){.backend = RENDER_VULKAN, .radius = 4, .empty = true}))
        skip();
    build(&scene);
    RenderFixture *fixture = &scene.fixture;
    CnFeature *fog = cn_renderer_feature(fixture->renderer, "Fog");
    assert_non_null(fog);
    for (uint32_t i = 0; i < CN_COUNT_OF(shots); i++) {
        fixture->snapshot.atmosphere = shots[i].atmosphere;
        fixture->snapshot.atmosphere.valid = true;
        fixture->snapshot.atmosphere.to_sun = cn_vec3(-0.5f, 0.6f, 0.6f);
        cn_feature_set_enabled(fog, !shots[i].off);
        render_fixture_draw(fixture, 1);
        assert_golden_image(shots[i].name, fixture);
    }
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fog_in_every_weather_and_under_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

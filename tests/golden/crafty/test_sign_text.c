/* The texts of signs, looked at. An image of 320 pixels shows a sign at a distance of one block as
 * one of 1280 pixels does at four blocks. */
#include "block_scene.h"
#include "golden_image.h"

#include "crafty/client/sign_text.h"

static BlockScene scene;
static CnBlockModels *models;
static CraftySignTexts *texts;

static void begin(void)
{
    CnError error = {0};
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    models = cn_block_models_create(NULL, &error);
    texts = crafty_sign_texts_create(&error);
    assert_true(models && texts);
    RenderFixture *fixture = &scene.fixture;
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 1024});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_environment, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_block_models,
                       &(CnBlockModelsOptions){.models = models, .view = scene.view});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
}

static void end(void)
{
    CnRenderer *renderer = scene.fixture.renderer;
    cn_renderer_remove_feature(renderer,
                               cn_renderer_feature(renderer, cn_feature_block_models.name));
    cn_block_models_destroy(models);
    crafty_sign_texts_destroy(texts);
    block_scene_fini(&scene);
}

static void write_sign(int32_t x, int32_t y, int32_t z, const char *block, const char *text)
{
    CnError error = {0};
    CnCell cell = {scene.middle.x + x, scene.middle.y + y, scene.middle.z + z};
    block_scene_set(&scene, x, y, z, block);
    if (!crafty_sign_write(scene.world, cell, cn_text(text), &error))
        fail_msg("%s", error.message);
}

/* `from` is relative to the middle of the scene. */
static void draw(const char *image, CnVec3 from, float yaw, float pitch)
{
    block_scene_show(&scene);
    block_scene_camera(&scene, from, yaw, pitch);
    CraftySignFrame frame = {
        .voxels = scene.world,
        .eye = cn_vec3_add(
            from, cn_vec3((float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z))};
    cn_block_models_begin(models);
    crafty_sign_texts_frame(texts, &frame, models);
    cn_block_models_end(models);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image(image, &scene.fixture);
}

static void a_full_sign_can_be_read(void **state)
{
    (void)state;
    begin();
    write_sign(
        0, 0, 0, "sign_south",
        "The quick brown\nfox jumps over!\nthe lazy dog 42\n\xC3\x84\xC3\xA9\xC3\xB1 QWMgjpy#1");
    draw("sign_near", cn_vec3(0.5f, 0.8f, 1.55f), 0, -2);
    end();
}

static void signs_face_directions_and_are_hidden_by_blocks(void **state)
{
    (void)state;
    begin();
    block_scene_fill(&scene, (CnCell){-2, 0, -3}, (CnCell){2, 2, -3}, "stone");
    write_sign(-1, 1, -2, "wall_sign_south", "Wall");
    write_sign(-2, 0, -1, "sign_east", "East");
    write_sign(1, 0, -1, "sign_west", "West");
    write_sign(0, 0, -1, "sign_north", "Back");
    write_sign(1, 2, -2, "wall_sign_south", "Half hidden");
    block_scene_fill(&scene, (CnCell){1, 2, -1}, (CnCell){1, 2, -1}, "oak_log");
    draw("sign_directions", cn_vec3(-0.1f, 1.6f, 0.9f), 0, -8);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_sign_can_be_read),
        cmocka_unit_test(signs_face_directions_and_are_hidden_by_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

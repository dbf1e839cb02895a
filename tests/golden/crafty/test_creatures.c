/* Creatures and villagers, looked at: each as an adult and young, and what they do. */
#include "block_scene.h"
#include "golden_image.h"

#include "crafty/client/creature_model.h"
#include "crafty/world/game_data.h"

#include <stdio.h>

static BlockScene scene;
static CnBlockModels *models;
static CraftyCreatureModels *creatures;

static void begin(void)
{
    CnError error = {0};
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    creatures = crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "creature_models.json",
                                    .text = crafty_creature_models_text()},
        &error);
    if (!creatures)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    models = cn_block_models_create(NULL, &error);
    assert_non_null(models);
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 1024});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_environment, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_block_models,
                       &(CnBlockModelsOptions){.models = models, .view = scene.view});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_fill(&scene, (CnCell){-6, -1, -10}, (CnCell){6, -1, 1}, "grass");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
    cn_block_models_begin(models);
}

static void end(void)
{
    CnRenderer *renderer = scene.fixture.renderer;
    cn_renderer_remove_feature(renderer,
                               cn_renderer_feature(renderer, cn_feature_block_models.name));
    cn_block_models_destroy(models);
    crafty_creature_models_destroy(creatures);
    block_scene_fini(&scene);
}

static const CraftyCreatureModel *model_of(const char *name)
{
    const CraftyCreatureModel *model = crafty_creature_model_find(creatures, name);
    assert_non_null(model);
    return model;
}

/* Stands before the camera, turned to the left. */
static CraftyCreaturePose standing(float x, float z)
{
    CraftyCreaturePose pose = {
        .feet = {(float)scene.middle.x + x, (float)scene.middle.y, (float)scene.middle.z + z},
        .yaw = 180 - 38,
        .look_yaw = 14,
        .casts_shadow = true,
        .light = {1, 0}};
    pose.weights[CRAFTY_ANIMATION_ALWAYS] = pose.weights[CRAFTY_ANIMATION_STAND] = 1;
    for (uint32_t i = 0; i < CRAFTY_ANIMATION_COUNT; i++)
        pose.clocks[i] = 0.1f;
    return pose;
}

static void add(const char *name, CraftyCreaturePose pose)
{
    assert_true(crafty_creature_model_add(model_of(name), &pose, models) > 0);
}

static void draw(const char *image)
{
    char name[64];
    snprintf(name, sizeof name, "creature_%s", image);
    cn_block_models_end(models);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image(name, &scene.fixture);
    end();
}

/* An adult and its young; `size` is that of the adult, in blocks. */
static void show_pair(const char *name, float size)
{
    begin();
    block_scene_camera(&scene, cn_vec3(0, 0.75f * size, 0), 0, -12);
    float from = size > 1.5f ? 1.35f : 1.9f; /* what is tall is narrow */
    CraftyCreaturePose adult = standing(-0.35f * size, -from * size),
                       young = standing((from - 1.15f) * size, (0.4f - from) * size);
    young.is_young = true;
    young.yaw = 180 + 24;
    young.look_yaw = -8;
    add(name, adult);
    add(name, young);
    draw(name);
}

static void a_pig(void **state)
{
    (void)state;
    show_pair("pig", 1);
}

static void a_cow(void **state)
{
    (void)state;
    show_pair("cow", 1.35f);
}

static void a_sheep(void **state)
{
    (void)state;
    show_pair("sheep", 1.25f);
}

static void a_chicken(void **state)
{
    (void)state;
    show_pair("chicken", 0.75f);
}

static void a_duck(void **state)
{
    (void)state;
    show_pair("duck", 0.72f);
}

static void a_wolf(void **state)
{
    (void)state;
    show_pair("wolf", 1.05f);
}

static void a_creeper(void **state)
{
    (void)state;
    show_pair("creeper", 1.7f);
}

static void a_zombie(void **state)
{
    (void)state;
    show_pair("zombie", 1.9f);
}

/* What flies and swims is seen from nearer. */
static void show_floating(const char *name, CraftyAnimation animation, float size)
{
    begin();
    block_scene_camera(&scene, cn_vec3(0, 0.75f, 0), 0, -8);
    for (uint32_t i = 0; i < 3; i++) {
        CraftyCreaturePose pose =
            standing(size * (-0.9f + (float)i), -size * (2.3f - 0.4f * (float)(i & 1)));
        pose.feet.y += 0.25f + 0.2f * (float)(i & 1);
        pose.weights[CRAFTY_ANIMATION_STAND] = 0;
        pose.weights[animation] = 1;
        pose.variant = i;
        pose.yaw = 180 - 50 + 60 * (float)i;
        pose.clocks[animation] += 0.11f * (float)i;
        pose.clocks[CRAFTY_ANIMATION_ALWAYS] += 0.21f * (float)i;
        pose.casts_shadow = false;
        add(name, pose);
    }
    draw(name);
}

static void bees(void **state)
{
    (void)state;
    show_floating("bee", CRAFTY_ANIMATION_FLY, 0.5f);
}

static void fish(void **state)
{
    (void)state;
    show_floating("fish", CRAFTY_ANIMATION_SWIM, 0.5f);
}

static void bats(void **state)
{
    (void)state;
    show_floating("bat", CRAFTY_ANIMATION_FLY, 0.9f);
}

static void villagers_of_all_professions(void **state)
{
    (void)state;
    begin();
    block_scene_camera(&scene, cn_vec3(0, 1.9f, 0.4f), 0, -13);
    for (uint32_t i = 0; i < 8; i++) {
        CraftyCreaturePose pose =
            standing(-2.2f + 1.5f * (float)(i & 3) + 0.3f * (float)(i >> 2), i < 4 ? -3 : -4.6f);
        pose.yaw = 180 - 22 + 11 * (float)(i & 3);
        pose.variant = i;
        pose.is_young = i == 6;
        add("villager", pose);
    }
    draw("villager");
}

/* ---- What they do ---- */

static void animals_walk(void **state)
{
    (void)state;
    static const char *const names[] = {"duck", "sheep", "wolf", "duck", "duck"};
    begin();
    block_scene_camera(&scene, cn_vec3(0, 1.2f, 0), 0, -18);
    for (uint32_t i = 0; i < 5; i++) {
        CraftyCreaturePose pose = standing(-1.6f + 1.4f * (float)(i % 3), i < 3 ? -2.8f : -1.8f);
        pose.yaw = -90 + 16;
        pose.look_yaw = 0;
        pose.weights[CRAFTY_ANIMATION_STAND] = 0;
        pose.weights[CRAFTY_ANIMATION_WALK] = 1;
        pose.clocks[CRAFTY_ANIMATION_WALK] = 0.22f + 0.13f * (float)i;
        pose.is_young = i > 2;
        add(names[i], pose);
    }
    draw("walk");
}

static void animals_graze_and_peck(void **state)
{
    (void)state;
    static const char *const names[] = {"sheep", "cow", "chicken", "duck", "sheep"};
    begin();
    block_scene_camera(&scene, cn_vec3(0, 1.7f, 0.3f), 0, -20);
    for (uint32_t i = 0; i < 5; i++) {
        CraftyCreaturePose pose =
            standing(-1.7f + 1.6f * (float)(i % 3) + 0.5f * (float)(i / 3), i < 2 ? -3.9f : -2.4f);
        pose.weights[CRAFTY_ANIMATION_EAT] = 1;
        pose.clocks[CRAFTY_ANIMATION_EAT] = 0.9f;
        pose.is_shorn = i == 4;
        pose.feet.x -= i == 4 ? 2.2f : 0;
        add(names[i], pose);
    }
    draw("graze");
}

static void a_tame_wolf_sits(void **state)
{
    (void)state;
    begin();
    block_scene_camera(&scene, cn_vec3(0, 0.8f, 0), 0, -12);
    CraftyCreaturePose pose = standing(0, -1.8f);
    pose.weights[CRAFTY_ANIMATION_STAND] = 0;
    pose.weights[CRAFTY_ANIMATION_SIT] = 1;
    pose.is_tame = true;
    add("wolf", pose);
    draw("sits");
}

static void the_hurt_are_red_and_the_dead_fade(void **state)
{
    (void)state;
    begin();
    block_scene_camera(&scene, cn_vec3(0, 1.1f, 0), 0, -14);
    CraftyCreaturePose pose = standing(-0.8f, -2.3f);
    pose.flash = 0.9f;
    pose.weights[CRAFTY_ANIMATION_HURT] = 1;
    add("pig", pose);
    pose = standing(0.9f, -2.3f);
    pose.roll = 70;
    pose.fade = 0.4f;
    add("pig", pose);
    draw("hurt");
}

static void a_creeper_swells_and_shines(void **state)
{
    (void)state;
    begin();
    block_scene_camera(&scene, cn_vec3(0, 1.3f, 0), 0, -10);
    CraftyCreaturePose pose = standing(-0.8f, -3);
    add("creeper", pose);
    pose = standing(0.9f, -2.8f);
    pose.weights[CRAFTY_ANIMATION_FUSE] = 1;
    pose.white = 0.5f;
    add("creeper", pose);
    draw("fuse");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pig),
        cmocka_unit_test(a_cow),
        cmocka_unit_test(a_sheep),
        cmocka_unit_test(a_chicken),
        cmocka_unit_test(a_duck),
        cmocka_unit_test(a_wolf),
        cmocka_unit_test(a_creeper),
        cmocka_unit_test(a_zombie),
        cmocka_unit_test(bees),
        cmocka_unit_test(fish),
        cmocka_unit_test(bats),
        cmocka_unit_test(villagers_of_all_professions),
        cmocka_unit_test(animals_walk),
        cmocka_unit_test(animals_graze_and_peck),
        cmocka_unit_test(a_tame_wolf_sits),
        cmocka_unit_test(the_hurt_are_red_and_the_dead_fade),
        cmocka_unit_test(a_creeper_swells_and_shines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

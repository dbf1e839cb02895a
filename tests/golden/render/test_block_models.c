/* Block models, looked at: boxes and sprites in the world and in the hand, in the light of their
 * cell. */
#include "block_scene.h"
#include "golden_image.h"

#include <cairn/render/block_models.h>

static BlockScene scene;
static CnBlockModels *models;

static void begin(void)
{
    CnError error = {0};
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    models = cn_block_models_create(NULL, &error);
    assert_non_null(models);
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE});
    render_fixture_add(fixture, &cn_feature_environment,
                       &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE});
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_block_models,
                       &(CnBlockModelsOptions){.models = models, .view = scene.view});
    render_fixture_add(fixture, &cn_feature_block_models,
                       &(CnBlockModelsOptions){
                           .models = models, .view = scene.view, .layer = CN_MODEL_LAYER_HAND});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_set(&scene, 2, 0, -4, "stone");
    block_scene_set(&scene, 2, 1, -4, "dirt");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
    block_scene_camera(&scene, cn_vec3(0.7f, 1.8f, -0.9f), 0, -16);
    cn_block_models_begin(models);
}

static void end(void)
{
    RenderFixture *fixture = &scene.fixture;
    for (CnFeature *feature;
         (feature = cn_renderer_feature(fixture->renderer, cn_feature_block_models.name));)
        cn_renderer_remove_feature(fixture->renderer, feature);
    cn_block_models_destroy(models);
    block_scene_fini(&scene);
}

static void draw(void)
{
    cn_block_models_end(models);
    render_fixture_draw(&scene.fixture, 2);
}

static uint64_t sum_of_pixels(void)
{
    uint32_t width, height;
    const uint8_t *pixels = cn_renderer_pixels(scene.fixture.renderer, &width, &height, NULL);
    assert_non_null(pixels);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 4 * width * height; i++)
        sum += pixels[i];
    return sum;
}

static CnAffine place_at(float x, float y, float z, float yaw, float size)
{
    CnVec3 at = {(float)scene.middle.x + x, (float)scene.middle.y + y, (float)scene.middle.z + z};
    return cn_affine_from_trs(at, cn_quat_from_euler(cn_vec3(0, yaw, 0)),
                              cn_vec3(size, size, size));
}

static CnBlockModelPart *add_block(CnModelLayer layer, const char *name, CnAffine place)
{
    const CnBlockTable *table = cn_voxels_blocks(scene.world);
    const CnBlockInfo *info = &table->info[cn_block_find(table, name)];
    CnBlockModelPart *part = cn_block_models_add(models, layer, 1);
    assert_non_null(part);
    *part = (CnBlockModelPart){
        .place = place,
        .is_sprite = info->material == CN_BLOCK_MATERIAL_PROP,
        .tiles = {info->side, info->side, info->side, info->side, info->bottom, info->top},
        .high = {16, 16, 16},
        .tint = {info->tint[0], info->tint[1], info->tint[2]},
        .in_greens = (info->appearance & CN_BLOCK_LOOK_CLIMATE) != 0,
        .sky = 1};
    if (part->is_sprite)
        part->tiles[0] = info->side;
    return part;
}

static void boxes_and_sprites_stand_in_the_world(void **state)
{
    (void)state;
    begin();
    add_block(CN_MODEL_LAYER_WORLD, "oak_log", place_at(-1.2f, 0.2f, -4, 30, 0.5f));
    add_block(CN_MODEL_LAYER_WORLD, "dandelion", place_at(0, 0.3f, -3, 25, 0.7f));
    add_block(CN_MODEL_LAYER_WORLD, "dandelion", place_at(1, 0.3f, -3, 85, 0.7f));
    CnBlockModelPart *slab =
        add_block(CN_MODEL_LAYER_WORLD, "stone_bricks", place_at(-0.9f, 0, -3.2f, 10, 0.6f));
    slab->high[1] = 8;
    CnBlockModelPart *plain =
        add_block(CN_MODEL_LAYER_WORLD, "stone", place_at(-2.2f, 0.1f, -5, 45, 0.8f));
    for (uint32_t i = 0; i < 6; i++)
        plain->tiles[i] = CN_MODEL_NO_TILE;
    plain->tint[0] = 60, plain->tint[1] = 90, plain->tint[2] = 200;
    draw();
    assert_golden_image("block_models", &scene.fixture);
    end();
}

static void models_have_the_light_of_their_cell(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 5; i++) {
        CnBlockModelPart *part = add_block(CN_MODEL_LAYER_WORLD, "white_wool",
                                           place_at(-3 + (float)i, 0.2f, -4.5f, 20, 0.6f));
        part->sky = i < 3 ? 1 - 0.5f * (float)i : 0;
        part->block = i > 2 ? 0.7f * (float)(i - 2) / 2 : 0;
    }
    draw();
    assert_golden_image("block_models_light", &scene.fixture);
    end();
}

static void the_hand_is_in_front_of_walls(void **state)
{
    (void)state;
    begin();
    block_scene_fill(&scene, (CnCell){-2, 0, -2}, (CnCell){2, 3, -2}, "stone_bricks");
    block_scene_show(&scene);
    CnAffine place =
        cn_affine_from_trs(cn_vec3(0.5f, -0.9f, -1.3f), cn_quat_from_euler(cn_vec3(0, 40, 0)),
                           cn_vec3(0.5f, 0.5f, 0.5f));
    add_block(CN_MODEL_LAYER_HAND, "grass", place);
    draw();
    assert_golden_image("block_models_hand", &scene.fixture);
    end();
}

static void what_is_behind_a_block_is_hidden(void **state)
{
    (void)state;
    uint64_t sums[2];
    begin();
    draw();
    sums[0] = sum_of_pixels();
    cn_block_models_begin(models);
    add_block(CN_MODEL_LAYER_WORLD, "glowstone", place_at(4.2f, 0.4f, -6.5f, 0, 0.5f));
    draw();
    sums[1] = sum_of_pixels();
    assert_int_equal(cn_block_models_stats(models).drawn, 1);
    assert_int_equal(sums[0], sums[1]);
    end();
}

static void parts_may_cast_shadows_without_being_seen(void **state)
{
    (void)state;
    uint64_t sums[3];
    begin();
    draw();
    sums[0] = sum_of_pixels();
    for (int casts = 0; casts < 2; casts++) {
        cn_block_models_begin(models);
        CnBlockModelPart *part =
            add_block(CN_MODEL_LAYER_WORLD, "stone", place_at(0, 1, -3.5f, 0, 1));
        part->is_hidden = true;
        part->casts_shadow = casts;
        draw();
        sums[1 + casts] = sum_of_pixels();
    }
    assert_int_equal(sums[1], sums[0]);
    assert_true(sums[2] + 20000 < sums[0]); /* darker */
    assert_golden_image("block_models_shadow", &scene.fixture);
    end();
}

static void parts_outside_the_view_are_not_drawn(void **state)
{
    (void)state;
    begin();
    add_block(CN_MODEL_LAYER_WORLD, "stone", place_at(0, 0, -4, 0, 0.5f));
    add_block(CN_MODEL_LAYER_WORLD, "stone", place_at(0, 0, 40, 0, 0.5f));
    CnBlockModelPart *hidden =
        add_block(CN_MODEL_LAYER_WORLD, "stone", place_at(1, 0, -4, 0, 0.5f));
    hidden->is_hidden = true;
    draw();
    CnBlockModelStats stats = cn_block_models_stats(models);
    assert_int_equal(stats.parts, 3);
    assert_int_equal(stats.drawn, 1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_sprites_stand_in_the_world),
        cmocka_unit_test(models_have_the_light_of_their_cell),
        cmocka_unit_test(the_hand_is_in_front_of_walls),
        cmocka_unit_test(what_is_behind_a_block_is_hidden),
        cmocka_unit_test(parts_may_cast_shadows_without_being_seen),
        cmocka_unit_test(parts_outside_the_view_are_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

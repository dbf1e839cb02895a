/* What a player sees of bodies, looked at: hands, figures and drops. */
#include "block_scene.h"
#include "golden_image.h"

#include "crafty/client/drop_models.h"
#include "crafty/client/figure.h"
#include "crafty/client/held_item.h"

static BlockScene scene;
static CnBlockModels *models;
static CraftyItems *items;
static const CnBlockTable *blocks;

static void begin(void)
{
    CnError error = {0};
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    blocks = cn_voxels_blocks(scene.world);
    items = crafty_items_create(&(CraftyItemsDesc){.blocks = blocks}, &error);
    assert_true(items && crafty_items_add_blocks(items, &error));
    models = cn_block_models_create(NULL, &error);
    assert_non_null(models);
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 1024});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_environment, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++)
        render_fixture_add(fixture, &cn_feature_block_models,
                           &(CnBlockModelsOptions){
                               .models = models, .view = scene.view, .layer = (CnModelLayer)i});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
    block_scene_camera(&scene, cn_vec3(0, 1.7f, 0), 0, -10);
    cn_block_models_begin(models);
}

static void end(void)
{
    CnRenderer *renderer = scene.fixture.renderer;
    for (CnFeature *feature;
         (feature = cn_renderer_feature(renderer, cn_feature_block_models.name));)
        cn_renderer_remove_feature(renderer, feature);
    cn_block_models_destroy(models);
    crafty_items_destroy(items);
    block_scene_fini(&scene);
}

static void draw(const char *image)
{
    cn_block_models_end(models);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image(image, &scene.fixture);
}

static CnVec3 point(float x, float y, float z)
{
    return cn_vec3((float)scene.middle.x + x, (float)scene.middle.y + y, (float)scene.middle.z + z);
}

/* ---- The hand ---- */

static void show_hand(const char *item, CraftyHeldFrame frame)
{
    CraftyHeldItem held = {0};
    frame.items = items;
    frame.blocks = blocks;
    frame.item = item ? crafty_items_find(items, item) : CRAFTY_NO_ITEM;
    frame.light = (CraftyLight){1, 0};
    frame.aspect = 16.0f / 9;
    frame.seconds = 1;
    crafty_held_item_frame(&held, &frame, models);
    cn_block_models_begin(models); /* the first frame only raises it */
    frame.seconds = 0;
    crafty_held_item_frame(&held, &frame, models);
}

#define AT_REST ((float)CRAFTY_SWING_TICKS)

static void a_block_is_held(void **state)
{
    (void)state;
    begin();
    show_hand("grass", (CraftyHeldFrame){.swing_ticks = AT_REST});
    draw("hand_block");
    end();
}

static void a_sprite_is_held(void **state)
{
    (void)state;
    begin();
    show_hand("torch", (CraftyHeldFrame){.swing_ticks = AT_REST});
    draw("hand_sprite");
    end();
}

static void an_empty_hand_is_an_arm(void **state)
{
    (void)state;
    begin();
    show_hand(NULL, (CraftyHeldFrame){.swing_ticks = AT_REST});
    draw("hand_arm");
    end();
}

static void a_hand_swings(void **state)
{
    (void)state;
    begin();
    show_hand("stone", (CraftyHeldFrame){.swing_ticks = 4});
    draw("hand_swing");
    end();
}

static void a_left_hand_is_on_the_left(void **state)
{
    (void)state;
    begin();
    show_hand("torch", (CraftyHeldFrame){.swing_ticks = AT_REST, .is_left_handed = true});
    draw("hand_left");
    end();
}

/* ---- Figures ---- */

static CraftyFigureFrame standing(float x)
{
    return (CraftyFigureFrame){
        .feet = point(x, 0, -4),
        .yaw = 180 - 20,
        .swing_ticks = AT_REST,
        .grounded = true,
        .held = crafty_item_model(items, blocks, crafty_items_find(items, "torch")),
        .light = {1, 0},
        .seconds = 1.0f / 60};
}

/* Lets a figure move to the place of `last` for half a second. */
static void arrive(CraftyFigureFrame last, float speed)
{
    CraftyFigure figure = {0};
    for (int i = 30; i >= 0; i--) {
        CraftyFigureFrame frame = last;
        frame.feet.x -= speed / 60 * (float)i;
        cn_block_models_begin(models);
        crafty_figure_frame(&figure, &frame, models);
    }
}

static void a_figure_stands_and_looks(void **state)
{
    (void)state;
    begin();
    CraftyFigureFrame frame = standing(-0.7f);
    CraftyFigure figure[2] = {{0}, {0}};
    crafty_figure_frame(&figure[0], &frame, models);
    frame = standing(0.9f);
    frame.pitch = 40;
    frame.yaw = 220;
    frame.number = 2;
    frame.held = crafty_item_model(items, blocks, crafty_items_find(items, "stone"));
    crafty_figure_frame(&figure[1], &frame, models);
    draw("figure_stands");
    end();
}

static void a_figure_walks(void **state)
{
    (void)state;
    begin();
    CraftyFigureFrame frame = standing(0);
    frame.yaw = -70;
    frame.swing_ticks = 5;
    arrive(frame, 4.3f);
    draw("figure_walks");
    end();
}

static void a_figure_sneaks(void **state)
{
    (void)state;
    begin();
    CraftyFigureFrame frame = standing(0);
    frame.yaw = -70;
    frame.sneaks = true;
    arrive(frame, 1.3f);
    draw("figure_sneaks");
    end();
}

static void a_figure_swims(void **state)
{
    (void)state;
    begin();
    CraftyFigureFrame frame = standing(0);
    frame.yaw = -70;
    frame.swims = true;
    frame.grounded = false;
    arrive(frame, 3);
    draw("figure_swims");
    end();
}

static void the_shadow_of_a_figure_may_be_alone(void **state)
{
    (void)state;
    begin();
    CraftyFigureFrame frame = standing(0);
    CraftyFigure figure = {0};
    frame.is_shadow = true;
    crafty_figure_frame(&figure, &frame, models);
    draw("figure_shadow");
    end();
}

/* ---- Drops ---- */

static void drops_lie_in_the_world(void **state)
{
    (void)state;
    static const struct {
        const char *item;
        uint32_t count;
    } shown[] = {{"stone", 1}, {"oak_log", 5}, {"dirt", 64}, {"torch", 1}, {"dandelion", 20}};
    begin();
    CraftyItemModels *table = crafty_item_models_create(items, blocks, NULL);
    assert_non_null(table);
    CraftyDropsFrame frame = {
        .item_models = table, .voxels = scene.world, .eye = point(0, 1.7f, 0)};
    for (uint32_t i = 0; i < CN_COUNT_OF(shown); i++) {
        CraftyShownDrop drop = {.position = point(-1.4f + 0.7f * (float)i, 0.3f, -2.6f),
                                .item = crafty_items_find(items, shown[i].item),
                                .count = shown[i].count,
                                .age = 0.5f * (float)i,
                                .seed = i};
        assert_true(crafty_drop_model_add(&frame, &drop, models));
    }
    draw("drops");
    crafty_item_models_destroy(table);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_held),
        cmocka_unit_test(a_sprite_is_held),
        cmocka_unit_test(an_empty_hand_is_an_arm),
        cmocka_unit_test(a_hand_swings),
        cmocka_unit_test(a_left_hand_is_on_the_left),
        cmocka_unit_test(a_figure_stands_and_looks),
        cmocka_unit_test(a_figure_walks),
        cmocka_unit_test(a_figure_sneaks),
        cmocka_unit_test(a_figure_swims),
        cmocka_unit_test(the_shadow_of_a_figure_may_be_alone),
        cmocka_unit_test(drops_lie_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

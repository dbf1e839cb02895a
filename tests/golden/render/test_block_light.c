/* Light of cells that was looked at: rooms with and without a door, what glows, rain on the ground.
 */
#include "block_scene.h"
#include "golden_image.h"

#define TORCH_LEVEL 14

static BlockScene scene;

/* A map of clouds that let nothing through. */
static void clear_nothing(const CnGraphRun *run)
{
    (void)run;
}

static bool set_up_nothing(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)self, (void)options, (void)error;
    return true;
}

static void add_dark_clouds(CnFrame *frame, void *self)
{
    (void)self;
    CnGraphTexture map = cn_graph_create_texture(
        frame->graph,
        &(CnGpuTextureDesc){
            .name = "dark clouds", .format = CN_GPU_FORMAT_R8, .width = 8, .height = 8});
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "dark clouds", .run = clear_nothing});
    frame->cloud_shadow = cn_graph_color_attachment(frame->graph, pass, map,
                                                    &(CnGraphAttachment){.load = CN_GPU_CLEAR});
}

static const CnFeatureType dark_clouds = {
    .name = "Dark clouds", .size = 4, .setup = set_up_nothing, .add_passes = add_dark_clouds};

static void begin(void)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    cn_feature_set_enabled(render_fixture_add(&scene.fixture, &dark_clouds, NULL), false);
    block_scene_add_all(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
}

/* Of stone, hollow: 13 x 4 x 13 inside. */
static void build_room(void)
{
    block_scene_fill(&scene, (CnCell){-7, 0, -7}, (CnCell){7, 4, 7}, "stone");
    block_scene_fill(&scene, (CnCell){-6, 0, -6}, (CnCell){6, 3, 6}, "air");
}

/* As the game does it: the block, and its light. */
static CnRenderLight *put_torch(int32_t x, int32_t y, int32_t z)
{
    block_scene_set(&scene, x, y, z, "torch");
    CnVec3 middle = {(float)(scene.middle.x + x) + 0.5f, (float)(scene.middle.y + y) + 0.9f,
                     (float)(scene.middle.z + z) + 0.5f};
    CnRenderLight *light =
        render_fixture_point_light(&scene.fixture, middle, cn_vec3(8.8f, 4.58f, 1.58f), 6);
    light->flags = CN_RENDER_LEVEL(TORCH_LEVEL);
    return light;
}

static void draw(uint32_t frames)
{
    block_scene_show(&scene);
    render_fixture_draw(&scene.fixture, frames);
}

static int brightness(uint32_t x, uint32_t y)
{
    const uint8_t *pixel = render_fixture_pixel(&scene.fixture, x, y);
    return pixel[0] + pixel[1] + pixel[2];
}

static void daylight_fades_into_a_room_with_a_torch(void **state)
{
    (void)state;
    begin();
    build_room();
    block_scene_fill(&scene, (CnCell){-1, 0, -7}, (CnCell){1, 2, -7}, "air");
    put_torch(-5, 0, 0);
    block_scene_camera(&scene, cn_vec3(3.5f, 1.6f, 6), 20, -4);
    draw(2);
    assert_golden_image("block_light_room", &scene.fixture);
    block_scene_fini(&scene);
}

static void a_closed_room_is_dark_but_not_black(void **state)
{
    (void)state;
    begin();
    build_room();
    block_scene_camera(&scene, cn_vec3(0.5f, 1.6f, 6), 0, -4);
    draw(2);
    for (uint32_t x = 20; x < RENDER_FIXTURE_WIDTH; x += 40) {
        assert_in_range(brightness(x, 40), 3, 120);
        assert_in_range(brightness(x, 160), 3, 120);
    }
    block_scene_fini(&scene);
}

static void glowing_blocks_light_a_dark_room(void **state)
{
    (void)state;
    begin();
    build_room();
    block_scene_set(&scene, -4, 0, -3, "glowstone");
    block_scene_set(&scene, -1, 0, -3, "obsidian");
    block_scene_set(&scene, 2, 0, -3, "magma");
    block_scene_set(&scene, 5, 0, -3, "lantern");
    block_scene_camera(&scene, cn_vec3(0.5f, 1.8f, 4), 0, -10);
    draw(2);
    assert_golden_image("block_light_glow", &scene.fixture);
    block_scene_fini(&scene);
}

/* Two rooms with a wall of one block between them; the eye is in the one without a torch. */
static void a_torch_does_not_shine_through_a_wall(void **state)
{
    (void)state;
    begin();
    build_room();
    block_scene_fill(&scene, (CnCell){0, 0, -6}, (CnCell){0, 3, 6}, "stone");
    block_scene_camera(&scene, cn_vec3(3.5f, 1.6f, 6), 0, -20);
    draw(2);
    int before = brightness(120, 150);
    CnRenderLight *light = put_torch(-1, 0, 2);
    light->color = cn_vec3(80, 80, 80);
    draw(1);
    assert_in_range(brightness(120, 150), before - 1, before + 1);
    light->flags = 0;
    draw(1);
    assert_true(brightness(120, 150) > before + 20);
    block_scene_fini(&scene);
}

static void rain_wets_what_lies_open(void **state)
{
    (void)state;
    begin();
    block_scene_fill(&scene, (CnCell){-8, 0, -2}, (CnCell){-3, 3, -2}, "stone");
    block_scene_fill(&scene, (CnCell){-8, 3, -2}, (CnCell){-3, 3, 2}, "stone");
    block_scene_fill(&scene, (CnCell){1, -1, -8}, (CnCell){8, -1, 8}, "dirt");
    block_scene_fill(&scene, (CnCell){2, 0, -4}, (CnCell){3, 1, -4}, "stone");
    scene.fixture.snapshot.atmosphere =
        (CnRenderAtmosphere){.valid = true,
                             .to_sun = cn_vec3_normalize(cn_vec3(0.4f, 0.7f, 0.3f)),
                             .to_moon = {0, -1, 0},
                             .rain = 1,
                             .wetness = 1};
    block_scene_camera(&scene, cn_vec3(0, 2.2f, 8), 0, -14);
    draw(2);
    assert_golden_image("block_light_wet", &scene.fixture);
    block_scene_fini(&scene);
}

static void clouds_take_the_sun_from_what_is_below_them(void **state)
{
    (void)state;
    begin();
    block_scene_camera(&scene, cn_vec3(0, 3, 8), 0, -30);
    CnRenderAtmosphere *air = &scene.fixture.snapshot.atmosphere;
    *air = (CnRenderAtmosphere){
        .valid = true, .to_sun = {0, 1, 0}, .cloud_bottom = 400, .cloud_top = 450};
    draw(2);
    int sunny = brightness(160, 150);
    cn_feature_set_enabled(cn_renderer_feature(scene.fixture.renderer, "Dark clouds"), true);
    render_fixture_draw(&scene.fixture, 1);
    int shaded = brightness(160, 150);
    assert_true(shaded < sunny - 100);
    air->cloud_bottom = 200; /* the ground lies higher than that */
    render_fixture_draw(&scene.fixture, 1);
    assert_in_range(brightness(160, 150), sunny - 3, sunny + 3);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(daylight_fades_into_a_room_with_a_torch),
        cmocka_unit_test(a_closed_room_is_dark_but_not_black),
        cmocka_unit_test(glowing_blocks_light_a_dark_room),
        cmocka_unit_test(a_torch_does_not_shine_through_a_wall),
        cmocka_unit_test(rain_wets_what_lies_open),
        cmocka_unit_test(clouds_take_the_sun_from_what_is_below_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

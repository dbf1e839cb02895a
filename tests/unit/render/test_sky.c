/* test-labels: rendering */
/* Where the sky is drawn: behind what has depth, everywhere without depth, in the right direction.
 */
#include "sky_fixture.h"

#include <cairn/base/linear.h>

/* Depth and a red image, as if something had been drawn: before the sky. */
typedef struct Curtain {
    float depth;
    bool has_hdr;
} Curtain;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)error;
    *(Curtain *)self = *(const Curtain *)options;
    return true;
}

static void add_passes(CnFrame *frame, void *self)
{
    const Curtain *curtain = self;
    frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "curtain"});
    if (curtain->has_hdr) {
        frame->hdr = cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1);
        frame->hdr = cn_graph_color_attachment(
            frame->graph, pass, frame->hdr,
            &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1, 0, 0, 1}});
    }
    frame->depth = cn_graph_depth_attachment(
        frame->graph, pass, frame->depth,
        &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {curtain->depth}});
}

static const CnFeatureType curtain_type = {
    .name = "Curtain", .size = sizeof(Curtain), .setup = setup, .add_passes = add_passes};

/* Draws a green sky after a curtain, and gives the pixel in the middle. */
static CnVec3 pixel_behind(const Curtain *curtain)
{
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        skip();
    fixture.frame_desc.width = fixture.frame_desc.height = 16;
    render_fixture_add(&fixture, &curtain_type, curtain);
    sky_fixture_add(&fixture, &(CnSkyOptions){.kind = CN_SKY_COLOR, .color = {0, 1, 0}},
                    cn_vec3(0, 0, 0));
    sky_fixture_look(&fixture, 0, 0, 60);
    render_fixture_draw(&fixture, 1);
    const uint8_t *pixel = render_fixture_pixel(&fixture, 8, 8);
    CnVec3 color = cn_vec3(pixel[0], pixel[1], pixel[2]);
    render_fixture_fini(&fixture);
    return color;
}

static void what_is_near_hides_the_sky(void **state)
{
    (void)state;
    CnVec3 color = pixel_behind(&(Curtain){.depth = 0.001f, .has_hdr = true});
    assert_true(color.x > 200 && color.y == 0);
}

static void where_nothing_was_drawn_is_sky(void **state)
{
    (void)state;
    CnVec3 color = pixel_behind(&(Curtain){.depth = 0, .has_hdr = true});
    assert_true(color.x == 0 && color.y > 200);
}

static void an_image_that_the_sky_begins_is_black_elsewhere(void **state)
{
    (void)state;
    CnVec3 color = pixel_behind(&(Curtain){.depth = 0.5f});
    assert_true(color.x == 0 && color.y == 0 && color.z == 0);
}

/* The brightest pixel, which is in the sun's disc. */
static void find_sun(const RenderFixture *fixture, uint32_t *at_x, uint32_t *at_y)
{
    int best = -1;
    for (uint32_t y = 0; y < fixture->frame_desc.height; y++) {
        for (uint32_t x = 0; x < fixture->frame_desc.width; x++) {
            const uint8_t *pixel = render_fixture_pixel(fixture, x, y);
            int light = pixel[0] + pixel[1] + pixel[2];
            if (light > best) {
                best = light;
                *at_x = x;
                *at_y = y;
            }
        }
    }
}

static void the_sun_stands_where_its_light_comes_from(void **state)
{
    (void)state;
    RenderFixture fixture;
    uint32_t x, y;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0, 0, 0)))
        skip();
    sky_fixture_sun(&fixture, 30);
    sky_fixture_look(&fixture, 20, 15, 60); /* it is up and to the right */
    render_fixture_draw(&fixture, 1);
    find_sun(&fixture, &x, &y);
    assert_in_range(x, 96, 108); /* 15 degrees of 60 over 90 pixels, as a tangent */
    assert_in_range(y, 24, 36);
    render_fixture_fini(&fixture);
}

/* Far from the origin, where single precision would shake. */
static void the_sky_does_not_depend_on_the_place(void **state)
{
    (void)state;
    RenderFixture fixture;
    static uint8_t before[160 * 90 * 4];
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0, 0, 0)))
        skip();
    render_fixture_draw(&fixture, 1);
    memcpy(before, fixture.pixels, sizeof before);
    fixture.snapshot.camera.position = cn_vec3(1e6f, 1e4f, -1e6f);
    render_fixture_draw(&fixture, 1);
    assert_memory_equal(before, fixture.pixels, sizeof before);
    render_fixture_fini(&fixture);
}

/* As TAA does, but by 8 pixels. */
static void shift(CnFrame *frame, void *self)
{
    (void)self;
    frame->view.jitter = (CnVec2){8, 0};
}

static bool setup_nothing(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)self, (void)options, (void)error;
    return true;
}

static void add_nothing(CnFrame *frame, void *self)
{
    (void)frame, (void)self;
}

static const CnFeatureType shift_type = {.name = "Shift",
                                         .size = 1,
                                         .setup = setup_nothing,
                                         .early_update = shift,
                                         .add_passes = add_nothing};

static void jitter_moves_the_sky(void **state)
{
    (void)state;
    RenderFixture fixture;
    uint32_t x = 0, y = 0, moved_x = 0, moved_y = 0;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0, 0, 0)))
        skip();
    sky_fixture_sun(&fixture, 0);
    render_fixture_draw(&fixture, 1);
    find_sun(&fixture, &x, &y);
    render_fixture_add(&fixture, &shift_type, NULL);
    render_fixture_draw(&fixture, 1);
    find_sun(&fixture, &moved_x, &moved_y);
    assert_int_equal(moved_x, x + 8);
    assert_int_equal(moved_y, y);
    render_fixture_fini(&fixture);
}

/* show.frag makes what is no number magenta. */
static void assert_numbers(const RenderFixture *fixture)
{
    for (uint32_t y = 0; y < fixture->frame_desc.height; y++) {
        for (uint32_t x = 0; x < fixture->frame_desc.width; x++)
            assert_memory_not_equal(render_fixture_pixel(fixture, x, y), "\xff\0\xff", 3);
    }
}

static void every_pixel_is_a_number_wherever_the_sun_stands(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0.5f, 0.5f, 0.5f)))
        skip();
    fixture.frame_desc.width = 33; /* odd: the middle looks straight at the poles */
    fixture.frame_desc.height = 19;
    for (float elevation = -90; elevation <= 90; elevation += 15) {
        for (float pitch = -90; pitch <= 90; pitch += 90) {
            sky_fixture_sun(&fixture, elevation);
            sky_fixture_look(&fixture, pitch, 0, 120);
            render_fixture_draw(&fixture, 1);
            assert_numbers(&fixture);
        }
    }
    render_fixture_fini(&fixture);
}

static void without_a_sun_it_is_night(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0, 0, 0)))
        skip();
    render_fixture_clear(&fixture);
    render_fixture_draw(&fixture, 1);
    const uint8_t *pixel = render_fixture_pixel(&fixture, 80, 10);
    assert_true(pixel[2] > pixel[0] && pixel[2] > 20 && pixel[2] < 100);
    render_fixture_fini(&fixture);
}

/* Light from all around, on a rough sphere of plaster. */
static CnVec3 light_under_clouds(float cover)
{
    RenderFixture fixture;
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    const CnVec3 to_sun = {0, 0.94f, -0.342f}; /* as the fixture's */
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &sky, cn_vec3(0.5f, 0.5f, 0.5f)))
        skip();
    fixture.snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                       .to_sun = to_sun,
                                                       .to_moon = cn_vec3_scale(to_sun, -1),
                                                       .cloud_cover = cover,
                                                       .cloud_bottom = 100,
                                                       .cloud_top = 150};
    render_fixture_draw(&fixture, 1);
    const uint8_t *pixel = render_fixture_pixel(&fixture, 140, 58);
    CnVec3 light = {pixel[0], pixel[1], pixel[2]};
    render_fixture_fini(&fixture);
    return light;
}

static void light_from_all_around_is_grayer_under_clouds(void **state)
{
    (void)state;
    CnVec3 clear = light_under_clouds(0), cloudy = light_under_clouds(0.8f);
    assert_true(clear.z > clear.x * 1.15f);
    assert_true(cloudy.x > 10);
    assert_true(cloudy.z / cloudy.x < (clear.z / clear.x - 1) / 2 + 1);
}

/* An orthographic camera sees one direction. */
static void all_of_an_orthographic_image_is_one_direction(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE},
                          cn_vec3(0, 0, 0)))
        skip();
    sky_fixture_look(&fixture, 20, 0, 60);
    fixture.snapshot.camera.height = 10;
    render_fixture_draw(&fixture, 1);
    assert_memory_equal(render_fixture_pixel(&fixture, 0, 0),
                        render_fixture_pixel(&fixture, 159, 89), 4);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_hides_the_sky),
        cmocka_unit_test(where_nothing_was_drawn_is_sky),
        cmocka_unit_test(an_image_that_the_sky_begins_is_black_elsewhere),
        cmocka_unit_test(the_sun_stands_where_its_light_comes_from),
        cmocka_unit_test(the_sky_does_not_depend_on_the_place),
        cmocka_unit_test(jitter_moves_the_sky),
        cmocka_unit_test(every_pixel_is_a_number_wherever_the_sun_stands),
        cmocka_unit_test(without_a_sun_it_is_night),
        cmocka_unit_test(light_from_all_around_is_grayer_under_clouds),
        cmocka_unit_test(all_of_an_orthographic_image_is_one_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

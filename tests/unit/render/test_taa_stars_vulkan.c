/* test-labels: rendering */
/* Stars that turn, put together over many frames: they stay points. */
#include "sky_fixture.h"

#include "cmocka_tests.h"

#define WIDTH RENDER_FIXTURE_WIDTH
#define HEIGHT RENDER_FIXTURE_HEIGHT
#define TURN 0.003f /* radians a frame: half a pixel, as nights of Crafty in a large image */
#define FRAMES 24
#define AGO 8 /* frames: four pixels */
#define BRIGHT 70
#define DARK 40

static uint8_t before[WIDTH * HEIGHT], after[WIDTH * HEIGHT], together[WIDTH * HEIGHT];

static void keep_green(const RenderFixture *fixture, uint8_t *target)
{
    for (uint32_t i = 0; target && i < WIDTH * HEIGHT; i++)
        target[i] = fixture->pixels[4 * i + 1];
}

/* The last image of a night without a moon, and one from before. */
static void draw_night(bool has_taa, uint8_t *old, uint8_t *last)
{
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        skip();
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(&fixture, &cn_feature_geometry, NULL);
    render_fixture_add(&fixture, &cn_feature_sky, &sky);
    if (has_taa)
        render_fixture_add(&fixture, &cn_feature_taa, NULL);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    sky_fixture_look(&fixture, 60, 0, 60);
    fixture.snapshot.atmosphere = (CnRenderAtmosphere){
        .valid = true, .to_sun = {0, -1, 0}, .to_moon = {0, -1, 0}, .star_rotation = 4};
    for (int i = 0; i < FRAMES; i++) {
        fixture.snapshot.atmosphere.star_rotation += TURN;
        render_fixture_draw(&fixture, 1);
        keep_green(&fixture, i == FRAMES - 1 - AGO ? old : i == FRAMES - 1 ? last : NULL);
    }
    render_fixture_fini(&fixture);
}

static bool is_dark_around(const uint8_t *image, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < 9; i++) {
        if (image[(y + i / 3 - 1) * WIDTH + x + i % 3 - 1] > DARK)
            return false;
    }
    return true;
}

static void a_star_that_has_gone_on_is_gone(void **state)
{
    (void)state;
    draw_night(false, before, after);
    draw_night(true, NULL, together);
    uint32_t count = 0, now = 0, shown = 0;
    for (uint32_t y = 1; y < HEIGHT - 1; y++) {
        for (uint32_t x = 1; x < WIDTH - 1; x++) {
            uint32_t i = y * WIDTH + x;
            if (before[i] < BRIGHT || !is_dark_around(after, x, y))
                continue;
            count++, now += after[i], shown += together[i];
        }
    }
    assert_true(count > 20);
    assert_true(shown < now + 3 * count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_star_that_has_gone_on_is_gone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Full-screen passes as compute shaders show what they show as fragment shaders: the gallery, with
 * everything on. */
#include "gallery.h"
#include "golden_image.h"

#include <stdlib.h>
#include <string.h>

/* Groups of threads do not fit, and neither do halves. */
#define WIDTH 213u
#define HEIGHT 121u
#define FRAMES 6u
#define MAX_SHARE 0.001

static uint8_t images[2][WIDTH * HEIGHT * 4];

/* False where there is no Vulkan device. */
static bool shoot(CnFullScreenForm form, const CnRenderOptions *options, uint8_t *image)
{
    RenderFixture fixture;
    Gallery gallery;
    gallery_open(&gallery);
    if (!render_fixture_init_with(
            &fixture, RENDER_VULKAN,
            &(CnRendererDesc){.files = gallery_files(&gallery), .full_screen = form})) {
        gallery_close(&gallery);
        return false;
    }
    gallery_show(&gallery, fixture.renderer);
    if (!cn_preset_deferred(fixture.renderer, options, NULL, &fixture.error))
        fail_msg("%s", fixture.error.message);
    fixture.snapshot = *gallery_snapshot(&gallery);
    fixture.frame_desc.width = WIDTH;
    fixture.frame_desc.height = HEIGHT;
    render_fixture_draw(&fixture, FRAMES);
    memcpy(image, fixture.pixels, sizeof images[0]);
    render_fixture_fini(&fixture);
    gallery_close(&gallery);
    return true;
}

static void compare(CnRenderOptions options)
{
    options.shadows.size = 512;
    if (!shoot(CN_FULL_SCREEN_FRAGMENT, &options, images[0]))
        skip();
    assert_true(shoot(CN_FULL_SCREEN_COMPUTE, &options, images[1]));
    uint32_t pixels = 0;
    int largest = 0;
    for (size_t i = 0; i < sizeof images[0]; i += 4) {
        int most = 0;
        for (size_t c = 0; c < 4; c++) {
            int difference = abs(images[0][i + c] - images[1][i + c]);
            most = difference > most ? difference : most;
        }
        pixels += most > 1;
        largest = most > largest ? most : largest;
    }
    if (pixels > MAX_SHARE * WIDTH * HEIGHT)
        fail_msg("%u pixels differ by more than 1, by %d at most", pixels, largest);
}

static void both_forms_show_the_same_with_everything(void **state)
{
    (void)state;
    compare((CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE},
                              .point_spot_lights = CN_SWITCH_ON,
                              .taa = CN_SWITCH_ON,
                              .dof = CN_SWITCH_ON,
                              .bloom = CN_SWITCH_ON,
                              .auto_exposure = CN_SWITCH_ON});
}

static void both_forms_show_the_same_without_sky_and_shadows(void **state)
{
    (void)state;
    compare((CnRenderOptions){.shadow = CN_SWITCH_OFF,
                              .ao = CN_SWITCH_OFF,
                              .point_spot_lights = CN_SWITCH_ON,
                              .taa = CN_SWITCH_OFF});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_show_the_same_with_everything),
        cmocka_unit_test(both_forms_show_the_same_without_sky_and_shadows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

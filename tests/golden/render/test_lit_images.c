/*
 * The gallery through every preset, with lights, shadows and skies on and off; and how much the
 * paths differ. CAIRN_UPDATE_GOLDEN=1 writes the images.
 */
#include "gallery.h"
#include "golden_image.h"

#include "render/feature/lit_pass.h"

#include <cairn/base/math.h>

#include <stdlib.h>
#include <string.h>

#define WIDTH 288u
#define HEIGHT 162u
#define TILES ((WIDTH + 15) / 16 * ((HEIGHT + 15) / 16))
#define MANY_LIGHTS 320u /* some are out of sight */

typedef struct Shot {
    RenderFixture fixture;
    Gallery gallery;
} Shot;

/* False where there is no Vulkan device. */
static bool begin(Shot *shot, CnPreset preset, const CnRenderOptions *options)
{
    gallery_open(&shot->gallery);
    if (!render_fixture_init_with(&shot->fixture, RENDER_VULKAN,
                                  &(CnRendererDesc){.files = gallery_files(&shot->gallery)})) {
        gallery_close(&shot->gallery);
        return false;
    }
    RenderFixture *fixture = &shot->fixture;
    gallery_show(&shot->gallery, fixture->renderer);
    if (!preset(fixture->renderer, options, NULL, &fixture->error))
        fail_msg("%s", fixture->error.message);
    fixture->snapshot = *gallery_snapshot(&shot->gallery);
    fixture->frame_desc.width = WIDTH;
    fixture->frame_desc.height = HEIGHT;
    return true;
}

static void end(Shot *shot)
{
    render_fixture_fini(&shot->fixture);
    gallery_close(&shot->gallery);
}

static void shoot(const char *name, CnPreset preset, CnRenderOptions options, uint32_t frames)
{
    Shot shot;
    options.shadows.size = 1024;
    if (!begin(&shot, preset, &options))
        skip();
    render_fixture_draw(&shot.fixture, frames);
    assert_golden_image(name, &shot.fixture);
    end(&shot);
}

/* ---- Presets ---- */

static void forward_by_default(void **state)
{
    (void)state;
    shoot("lit_forward", cn_preset_forward, (CnRenderOptions){0}, 1);
}

static void forward_with_sky_and_shadows(void **state)
{
    (void)state;
    shoot("lit_forward_all", cn_preset_forward,
          (CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}, .shadow = CN_SWITCH_ON}, 1);
}

static void forward_plus_by_default(void **state)
{
    (void)state;
    shoot("lit_forward_plus", cn_preset_forward_plus, (CnRenderOptions){0}, 1);
}

static void forward_plus_with_sky_and_shadows(void **state)
{
    (void)state;
    shoot("lit_forward_plus_all", cn_preset_forward_plus,
          (CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}, .shadow = CN_SWITCH_ON}, 1);
}

static void deferred_by_default(void **state)
{
    (void)state;
    shoot("lit_deferred", cn_preset_deferred, (CnRenderOptions){0}, 8);
}

static void deferred_with_everything(void **state)
{
    (void)state;
    shoot("lit_deferred_all", cn_preset_deferred,
          (CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE},
                            .point_spot_lights = CN_SWITCH_ON,
                            .dof = CN_SWITCH_ON,
                            .bloom = CN_SWITCH_ON,
                            .auto_exposure = CN_SWITCH_ON},
          8);
}

static void deferred_with_everything_off(void **state)
{
    (void)state;
    shoot("lit_deferred_bare", cn_preset_deferred,
          (CnRenderOptions){.shadow = CN_SWITCH_OFF,
                            .ao = CN_SWITCH_OFF,
                            .transparent = CN_SWITCH_OFF,
                            .taa = CN_SWITCH_OFF},
          1);
}

static void deferred_with_point_and_spot_lights(void **state)
{
    (void)state;
    shoot("lit_deferred_lights", cn_preset_deferred,
          (CnRenderOptions){.point_spot_lights = CN_SWITCH_ON, .taa = CN_SWITCH_OFF}, 1);
}

static void deferred_in_light_from_all_around(void **state)
{
    (void)state;
    shoot("lit_deferred_ibl", cn_preset_deferred,
          (CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}, .taa = CN_SWITCH_OFF}, 1);
}

/* ---- Scenes with little in them ---- */

static void draw_part(const char *name, CnPreset preset, const CnRenderOptions *options,
                      void (*change)(CnRenderSnapshot *snapshot))
{
    Shot shot;
    if (!begin(&shot, preset, options))
        skip();
    change(&shot.fixture.snapshot);
    render_fixture_draw(&shot.fixture, 1);
    assert_golden_image(name, &shot.fixture);
    end(&shot);
}

static void without_sun(CnRenderSnapshot *snapshot)
{
    assert_int_equal(snapshot->lights[0].kind, CN_LIGHT_DIRECTIONAL);
    snapshot->lights++;
    snapshot->light_count--;
}

static void without_camera(CnRenderSnapshot *snapshot)
{
    snapshot->camera.valid = false;
}

static void without_objects(CnRenderSnapshot *snapshot)
{
    snapshot->item_count = 0;
    snapshot->light_count = 0;
}

static void without_a_sun_lamps_light_the_scene(void **state)
{
    (void)state;
    draw_part("lit_no_sun", cn_preset_forward_plus, &(CnRenderOptions){.shadow = CN_SWITCH_ON},
              without_sun);
}

static void without_a_camera_the_scene_is_seen_from_the_origin(void **state)
{
    (void)state;
    draw_part("lit_no_camera", cn_preset_forward, &(CnRenderOptions){0}, without_camera);
}

static void without_objects_there_is_the_sky(void **state)
{
    (void)state;
    draw_part("lit_no_objects", cn_preset_deferred,
              &(CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}, .taa = CN_SWITCH_OFF},
              without_objects);
}

/* ---- Paths against each other ---- */

typedef struct Compared {
    uint32_t largest;
    double mean;
    double share; /* of pixels that differ by more than 4 */
} Compared;

static Compared compare(const uint8_t *a, const uint8_t *b)
{
    Compared compared = {0};
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t most = 0;
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t difference = (uint32_t)abs(a[i * 4 + c] - b[i * 4 + c]);
            most = difference > most ? difference : most;
        }
        compared.largest = most > compared.largest ? most : compared.largest;
        compared.mean += most;
        compared.share += most > 4;
    }
    compared.mean /= WIDTH * HEIGHT;
    compared.share /= WIDTH * HEIGHT;
    return compared;
}

static uint8_t *image_of(CnPreset preset, const CnRenderOptions *options,
                         void (*change)(Shot *shot))
{
    Shot shot;
    if (!begin(&shot, preset, options))
        return NULL;
    if (change)
        change(&shot);
    render_fixture_draw(&shot.fixture, 1);
    uint8_t *pixels = malloc(WIDTH * HEIGHT * 4);
    memcpy(pixels, shot.fixture.pixels, WIDTH * HEIGHT * 4);
    end(&shot);
    return pixels;
}

static Compared compare_paths(CnPreset a, const CnRenderOptions *a_options, CnPreset b,
                              const CnRenderOptions *b_options, void (*change)(Shot *shot))
{
    uint8_t *first = image_of(a, a_options, change);
    uint8_t *second = image_of(b, b_options, change);
    if (!first || !second)
        skip();
    Compared compared = compare(first, second);
    print_message("largest %u, mean %.4f, above 4: %.3f %%\n", compared.largest, compared.mean,
                  100 * compared.share);
    free(first);
    free(second);
    return compared;
}

static const CnRenderOptions same = {
    .sky = {.kind = CN_SKY_ATMOSPHERE},
    .shadow = CN_SWITCH_ON,
    .shadows = {.size = 1024},
    .ao = CN_SWITCH_OFF,
    .taa = CN_SWITCH_OFF,
    .point_spot_lights = CN_SWITCH_ON,
};

static void forward_and_forward_plus_draw_the_same(void **state)
{
    (void)state;
    Compared compared =
        compare_paths(cn_preset_forward, &same, cn_preset_forward_plus, &same, NULL);
    assert_true(compared.largest <= 1);
}

/* The G-buffer rounds, and does not know the normals of the geometry. */
static void forward_and_deferred_draw_nearly_the_same(void **state)
{
    (void)state;
    Compared compared = compare_paths(cn_preset_forward, &same, cn_preset_deferred, &same, NULL);
    assert_true(compared.mean < 0.75);
    assert_true(compared.share < 0.01);
}

/* Lamps in a spiral over the ground, every fourth a spot. */
static void light_many(Shot *shot)
{
    RenderFixture *fixture = &shot->fixture;
    memset(fixture->lights, 0, MANY_LIGHTS * sizeof *fixture->lights);
    for (uint32_t i = 0; i < MANY_LIGHTS; i++) {
        float turn = (float)i * 2.3999632f;
        float away = 9 * cn_sqrtf(((float)i + 0.5f) / MANY_LIGHTS);
        fixture->lights[i] = (CnRenderLight){
            .kind = i % 4 == 3 ? CN_LIGHT_SPOT : CN_LIGHT_POINT,
            .position = {away * cn_cosf(turn), 0.3f + 0.25f * (float)(i % 5),
                         away * cn_sinf(turn) - 1},
            .direction = {0, -1, 0},
            .color = {0.5f + 0.5f * cn_cosf((float)i), 0.5f + 0.5f * cn_cosf((float)i + 2),
                      0.5f + 0.5f * cn_cosf((float)i + 4)},
            .range = 1.6f,
            .inner_cosine = 0.9f,
            .outer_cosine = 0.6f,
        };
    }
    fixture->snapshot.lights = fixture->lights;
    fixture->snapshot.light_count = MANY_LIGHTS;
}

static const CnRenderOptions dark = {
    .ao = CN_SWITCH_OFF,
    .shadow = CN_SWITCH_OFF,
    .taa = CN_SWITCH_OFF,
    .point_spot_lights = CN_SWITCH_ON,
    .transparent_tiled_lights = true,
};

static void three_hundred_and_twenty_lights(void **state)
{
    (void)state;
    Shot shot;
    if (!begin(&shot, cn_preset_forward_plus, &dark))
        skip();
    light_many(&shot);
    render_fixture_draw(&shot.fixture, 1);
    assert_golden_image("lit_320_lights", &shot.fixture);
    end(&shot);
}

static void deferred_lights_as_many_as_forward_plus(void **state)
{
    (void)state;
    Compared compared =
        compare_paths(cn_preset_forward_plus, &dark, cn_preset_deferred, &dark, light_many);
    assert_true(compared.mean < 0.5);
    assert_true(compared.share < 0.01);
}

/* All lights everywhere: tiles in which every bit is set. */
typedef struct BruteForce {
    CnDrawPass opaque, blended;
    CnGraphBuffer tiles;
    uint32_t lights;
} BruteForce;

static bool brute_setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    BruteForce *brute = self;
    return cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_OPAQUE, &brute->opaque, error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_BLENDED, &brute->blended, error);
}

static void brute_update(CnFrame *frame, void *self)
{
    (void)self;
    cni_render_lit_update(frame, &(CnLightingOptions){0});
}

static void fill_tiles(const CnGraphRun *run)
{
    const BruteForce *brute = run->user;
    uint32_t words = (brute->lights + 31) / 32;
    uint64_t bytes = (uint64_t)TILES * 2 * words * sizeof(uint32_t);
    CnGpuUpload all = cn_gpu_upload(run->commands, bytes, 0);
    uint32_t *bits = all.data;
    for (uint32_t i = 0; i < TILES * 2 * words; i++) {
        uint32_t left = brute->lights - i % words * 32;
        bits[i] = left >= 32 ? UINT32_MAX : (1u << left) - 1;
    }
    cn_gpu_copy_buffer(run->commands, all.buffer, all.offset,
                       cn_graph_get_buffer(run->graph, brute->tiles), 0, bytes);
}

static void brute_add_passes(CnFrame *frame, void *self)
{
    BruteForce *brute = self;
    brute->lights = frame->light_count;
    assert_true(brute->lights > 256);
    CnGraphBuffer made = cn_graph_create_buffer(
        frame->graph, &(CnGpuBufferDesc){.name = "all lights",
                                         .size = (uint64_t)TILES * 2 * ((brute->lights + 31) / 32) *
                                                 sizeof(uint32_t)});
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "all lights",
                                                                          .kind = CN_GRAPH_TRANSFER,
                                                                          .run = fill_tiles,
                                                                          .user = brute});
    brute->tiles = cn_graph_write_buffer(frame->graph, pass, made, CN_GPU_ACCESS_COPY_TO,
                                         &(CnGraphSubresource){.overwrite = true});
    frame->light_tiles = brute->tiles;
    cni_render_lit_add(frame, "opaque", brute->opaque, CNI_RENDER_LIT_OPAQUE,
                       CNI_RENDER_LIGHTS_OPAQUE);
    cni_render_lit_add(frame, "blended", brute->blended, CNI_RENDER_LIT_BLENDED,
                       CNI_RENDER_LIGHTS_IN_FRONT);
}

static void brute_destroy(CnRenderer *renderer, void *self)
{
    cn_draw_pass_destroy(renderer, ((BruteForce *)self)->opaque);
    cn_draw_pass_destroy(renderer, ((BruteForce *)self)->blended);
}

static bool brute_force(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                        CnError *error)
{
    (void)user;
    static const CnFeatureType type = {.name = "Brute force",
                                       .size = sizeof(BruteForce),
                                       .setup = brute_setup,
                                       .update = brute_update,
                                       .add_passes = brute_add_passes,
                                       .destroy = brute_destroy};
    (void)options;
    return cn_renderer_add_feature(renderer, &type, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_tone_map, NULL, error);
}

static void overlays_by_tiles_and_without_draw_the_same(void **state)
{
    (void)state;
    CnRenderOptions loop = same;
    CnRenderOptions tiles = same;
    loop.point_spot_lights = tiles.point_spot_lights = CN_SWITCH_OFF;
    tiles.transparent_tiled_lights = true;
    Compared compared = compare_paths(cn_preset_deferred, &loop, cn_preset_deferred, &tiles, NULL);
    assert_true(compared.largest <= 1);
}

static void tiles_leave_out_no_light(void **state)
{
    (void)state;
    Compared compared =
        compare_paths(brute_force, &dark, cn_preset_forward_plus, &dark, light_many);
    assert_true(compared.largest <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_by_default),
        cmocka_unit_test(forward_with_sky_and_shadows),
        cmocka_unit_test(forward_plus_by_default),
        cmocka_unit_test(forward_plus_with_sky_and_shadows),
        cmocka_unit_test(deferred_by_default),
        cmocka_unit_test(deferred_with_everything),
        cmocka_unit_test(deferred_with_everything_off),
        cmocka_unit_test(deferred_with_point_and_spot_lights),
        cmocka_unit_test(deferred_in_light_from_all_around),
        cmocka_unit_test(without_a_sun_lamps_light_the_scene),
        cmocka_unit_test(without_a_camera_the_scene_is_seen_from_the_origin),
        cmocka_unit_test(without_objects_there_is_the_sky),
        cmocka_unit_test(forward_and_forward_plus_draw_the_same),
        cmocka_unit_test(forward_and_deferred_draw_nearly_the_same),
        cmocka_unit_test(three_hundred_and_twenty_lights),
        cmocka_unit_test(deferred_lights_as_many_as_forward_plus),
        cmocka_unit_test(overlays_by_tiles_and_without_draw_the_same),
        cmocka_unit_test(tiles_leave_out_no_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

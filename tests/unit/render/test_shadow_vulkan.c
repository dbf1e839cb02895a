/*
 * Shadows as numbers, on a Vulkan device: no acne, no peter-panning, no seams.
 * CAIRN_SHADOW_IMAGES=<folder> writes some of the images, to look at.
 */
#include "random.h"
#include "shadow_scene.h"

#include <cairn/base/linear.h>

#include <math.h>

#define WIDTH 160u
#define HEIGHT 120u
#define LIT 0.999f

static ShadowScene *scene;

static int setup(void **state)
{
    (void)state;
    scene = shadow_scene_create();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (scene)
        shadow_scene_destroy(scene);
    return 0;
}

#define GROUND                                                                                     \
    {                                                                                              \
        .center = {0, -1, 0}, .half_size = { 300, 1, 300 }                                         \
    }

static const ShadowSceneBox ground[] = {GROUND};
static const ShadowSceneBox cube_on_ground[] = {GROUND,
                                                {.center = {0, 1, 0}, .half_size = {1, 1, 1}}};

static ShadowSceneDesc scene_desc(const ShadowSceneBox *boxes, uint32_t count, CnVec3 eye,
                                  CnVec3 target)
{
    return (ShadowSceneDesc){.boxes = boxes,
                             .box_count = count,
                             .eye = eye,
                             .target = target,
                             .fov = 60,
                             .cascades = 3,
                             .size = 512,
                             .light_size = 256,
                             .distance = 128,
                             .softness = 1.06f,
                             .width = WIDTH,
                             .height_in_pixels = HEIGHT};
}

static CnVec3 sun_at(float elevation, float azimuth)
{
    float e = elevation * 0.01745329f, a = azimuth * 0.01745329f;
    return cn_vec3(cosf(e) * cosf(a), -sinf(e), cosf(e) * sinf(a));
}

/* The pixel that shows a point. */
static ShadowScenePixel pixel_at(const ShadowSceneDesc *desc, const ShadowScenePixel *pixels,
                                 CnVec3 point)
{
    CnVec2 at = shadow_scene_project(desc, point);
    assert_true(at.x >= 0 && at.x < (float)desc->width);
    assert_true(at.y >= 0 && at.y < (float)desc->height_in_pixels);
    return pixels[(uint32_t)at.y * desc->width + (uint32_t)at.x];
}

/* The least light on what faces the sun or the lamp. */
static float darkest(const ShadowSceneDesc *desc, const ShadowScenePixel *pixels, bool of_lamp)
{
    float least = 1;
    for (uint32_t i = 0; i < desc->width * desc->height_in_pixels; i++) {
        float facing = of_lamp ? pixels[i].lamp_facing : pixels[i].sun_facing;
        float light = of_lamp ? pixels[i].light : pixels[i].sun;
        if (facing > 0.01f && !(light >= least))
            least = light;
    }
    return least;
}

/* ---- Acne ---- */

static void open_ground_has_no_acne_however_low_the_sun(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const float elevations[] = {1, 2, 5, 10, 20, 35, 50, 70, 90};
    static const float azimuths[] = {0, 37, 161};
    static const CnVec3 eyes[] = {{0, 1, 3}, {0, 10, 20}};
    for (size_t e = 0; e < CN_COUNT_OF(elevations); e++)
        for (size_t a = 0; a < CN_COUNT_OF(azimuths); a++)
            for (size_t i = 0; i < CN_COUNT_OF(eyes); i++) {
                ShadowSceneDesc desc = scene_desc(ground, 1, eyes[i], cn_vec3(0, 0, 0));
                desc.sun = sun_at(elevations[e], azimuths[a]);
                assert_true(darkest(&desc, shadow_scene_draw(scene, &desc), false) >= LIT);
            }
}

static void open_ground_has_no_acne_under_a_large_sun(void **state)
{
    (void)state;
    if (!scene)
        skip();
    for (int i = 0; i < 5; i++) {
        ShadowSceneDesc desc = scene_desc(ground, 1, cn_vec3(0, 3, 8), cn_vec3(0, 0, 0));
        desc.softness = 10;
        desc.sun = sun_at(5 + 20 * (float)i, 40);
        assert_true(darkest(&desc, shadow_scene_draw(scene, &desc), false) >= LIT);
    }
}

static void a_box_alone_has_no_shadow_on_itself(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const ShadowSceneBox box[] = {{.center = {0, 0, 0}, .half_size = {1, 2, 1.5f}}};
    for (int i = 0; i < 24; i++) {
        ShadowSceneDesc desc = scene_desc(box, 1, cn_vec3(4, 3, 5), cn_vec3(0, 0, 0));
        desc.sun = sun_at(3 + 14 * (float)(i % 6), 15 * (float)i);
        assert_true(darkest(&desc, shadow_scene_draw(scene, &desc), false) >= LIT);
    }
}

/* ---- Where shadows are ---- */

/* Whether the way from `from` to `from + way` meets the box, grown or shrunk; one that is thinner
 * is none then. */
static bool meets(const ShadowSceneBox *box, CnVec3 from, CnVec3 way, float grown)
{
    const float *o = &from.x, *d = &way.x, *c = &box->center.x, *h = &box->half_size.x;
    float enter = 0, leave = 1;
    for (int axis = 0; axis < 3; axis++) {
        float size = h[axis] + grown;
        if (size <= 0)
            return false;
        if (fabsf(d[axis]) < 1e-9f) {
            if (fabsf(o[axis] - c[axis]) > size)
                return false;
            continue;
        }
        float a = (c[axis] - size - o[axis]) / d[axis], b = (c[axis] + size - o[axis]) / d[axis];
        enter = fmaxf(enter, fminf(a, b));
        leave = fminf(leave, fmaxf(a, b));
    }
    return enter < leave;
}

static void the_shadow_begins_at_the_foot_of_a_cube(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const float elevations[] = {10, 25, 45, 70};
    for (size_t e = 0; e < CN_COUNT_OF(elevations); e++) {
        ShadowSceneDesc desc = scene_desc(cube_on_ground, 2, cn_vec3(5, 3, 3), cn_vec3(1, 0, 0));
        desc.width = 640;
        desc.height_in_pixels = 480;
        desc.sun = sun_at(elevations[e], 0);
        const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
        float texel = shadow_scene_texel(scene, 0);
        for (float z = -0.7f; z < 0.75f; z += 0.1f) {
            CnVec3 foot = cn_vec3(1 + 2.5f * texel, 0, z);
            assert_true(pixel_at(&desc, pixels, foot).sun < 0.25f);
        }
    }
}

static void ground_before_the_lit_side_of_a_cube_is_lit(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneDesc desc = scene_desc(cube_on_ground, 2, cn_vec3(-5, 3, 3), cn_vec3(-1, 0, 0));
    desc.sun = sun_at(30, 0);
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    for (float z = -0.7f; z < 0.75f; z += 0.1f)
        assert_true(pixel_at(&desc, pixels, cn_vec3(-1.2f, 0, z)).sun >= LIT);
}

static const ShadowSceneBox yard[] = {
    GROUND,
    {.center = {0, 1, 0}, .half_size = {1, 1, 1}},
    {.center = {4, 0.1f, 1}, .half_size = {0.1f, 0.1f, 0.1f}},
    {.center = {-4, 1.5f, 0}, .half_size = {0.02f, 1.5f, 2}},
    {.center = {3, 4, -6}, .half_size = {0.3f, 4, 0.3f}},
    {.center = {-5, 3, -12}, .half_size = {1.5f, 3, 1.5f}},
    {.center = {10, 8, -40}, .half_size = {4, 8, 4}},
};

/* Points of the ground whose surroundings are all in shadow, or all in the light, are so on the
 * desc. */
static uint32_t compare_with_rays(const ShadowSceneDesc *desc, const ShadowScenePixel *pixels,
                                  CnVec3 sun, const CnFrameLight *lamp)
{
    TestRandom random = {7};
    uint32_t wrong = 0;
    for (int i = 0; i < 3000; i++) {
        CnVec3 p = cn_vec3((float)test_random_unit(&random) * 16 - 8, 0,
                           (float)test_random_unit(&random) * 16 - 8);
        CnVec3 way = lamp ? cn_vec3_sub(lamp->position, p) : cn_vec3_scale(sun, -1000);
        bool is_near = false, is_inside = false, is_hidden = false;
        for (uint32_t b = 1; b < desc->box_count; b++) {
            const ShadowSceneBox *box = &desc->boxes[b];
            float blur = 0.1f + 0.015f * cn_vec3_length(cn_vec3_sub(box->center, p));
            is_near |= meets(box, p, way, blur);
            is_inside |= meets(box, p, way, -blur);
            CnVec3 to_eye = cn_vec3_sub(desc->eye, p);
            is_hidden |= meets(box, p, to_eye, 0.1f);
        }
        CnVec2 at = shadow_scene_project(desc, p);
        if (is_hidden || is_near != is_inside || at.x < 0 || at.x >= (float)desc->width ||
            at.y < 0 || at.y >= (float)desc->height_in_pixels)
            continue;
        ShadowScenePixel pixel = pixel_at(desc, pixels, p);
        float light = lamp ? pixel.light : pixel.sun;
        wrong += is_inside ? light > 0.1f : light < 0.9f;
    }
    return wrong;
}

static void shadows_of_the_sun_are_where_rays_say(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const char *const names[] = {"sun0", "sun1", "sun2", "sun3", "sun4", "sun5"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++) {
        ShadowSceneDesc desc =
            scene_desc(yard, CN_COUNT_OF(yard), cn_vec3(6, 6, 9), cn_vec3(0, 0, -1));
        desc.width = 480;
        desc.height_in_pixels = 360;
        desc.size = 1024;
        desc.sun = sun_at(15 + 12 * (float)i, 20 + 60 * (float)i);
        const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
        shadow_scene_save(&desc, pixels, 0, names[i]);
        assert_int_equal(compare_with_rays(&desc, pixels, desc.sun, NULL), 0);
    }
}

static void a_small_thing_throws_a_shadow_below_a_low_sun(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneDesc desc = scene_desc(yard, CN_COUNT_OF(yard), cn_vec3(5, 1, 3), cn_vec3(4, 0, 1));
    desc.width = 480;
    desc.height_in_pixels = 360;
    desc.size = 1024;
    desc.sun = sun_at(25, 0);
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    assert_true(pixel_at(&desc, pixels, cn_vec3(4.2f, 0, 1)).sun < 0.2f);
}

static void a_thing_between_a_far_caster_and_the_map_is_still_in_its_shadow(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const ShadowSceneBox high[] = {GROUND,
                                          {.center = {0, 900, 0}, .half_size = {20, 1, 20}}};
    ShadowSceneDesc desc = scene_desc(high, 2, cn_vec3(0, 3, 5), cn_vec3(0, 0, 0));
    desc.sun = cn_vec3(0, -1, 0);
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    assert_true(pixel_at(&desc, pixels, cn_vec3(0, 0, 0)).sun < 0.01f);
}

static void shadows_fade_out_at_the_distance(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const ShadowSceneBox roof[] = {GROUND,
                                          {.center = {0, 20, 0}, .half_size = {200, 1, 200}}};
    ShadowSceneDesc desc = scene_desc(roof, 2, cn_vec3(0, 3, 0), cn_vec3(0, 0, -30));
    desc.sun = cn_vec3(0.1f, -1, 0.05f);
    desc.distance = 50;
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    float near_light = pixel_at(&desc, pixels, cn_vec3(0, 0, -20)).sun;
    float middle = pixel_at(&desc, pixels, cn_vec3(0, 0, -46)).sun;
    float far_light = pixel_at(&desc, pixels, cn_vec3(0, 0, -60)).sun;
    assert_true(near_light < 0.01f);
    assert_true(middle > 0.05f && middle < 0.95f);
    assert_true(far_light >= LIT);
}

/* Pixels that are neither in light nor in shadow. */
static uint32_t half_lit(const ShadowSceneDesc *desc)
{
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, desc);
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->width * desc->height_in_pixels; i++)
        count += pixels[i].sun > 0.05f && pixels[i].sun < 0.95f;
    return count;
}

static void penumbras_grow_with_the_height_of_the_caster(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneBox boxes[] = {GROUND, {.center = {0, 0.5f, 0}, .half_size = {1, 0.1f, 1}}};
    ShadowSceneDesc desc = scene_desc(boxes, 2, cn_vec3(0, 8, 0.1f), cn_vec3(0, 0, 0));
    desc.sun = cn_vec3(0.05f, -1, 0);
    desc.size = 2048;
    desc.width = desc.height_in_pixels = 256;
    uint32_t low = half_lit(&desc);
    boxes[1].center.y = 15;
    uint32_t high = half_lit(&desc);
    assert_true(high > 3 * low / 2);
}

static void a_large_sun_gives_softer_shadows(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneDesc desc = scene_desc(yard, CN_COUNT_OF(yard), cn_vec3(6, 6, 9), cn_vec3(0, 0, -1));
    desc.sun = sun_at(40, 30);
    desc.size = 2048;
    desc.softness = 0.1f;
    uint32_t hard = half_lit(&desc);
    desc.softness = 5;
    uint32_t soft = half_lit(&desc);
    assert_true(soft > 2 * hard);
}

static void an_orthographic_view_has_shadows(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneDesc desc = scene_desc(cube_on_ground, 2, cn_vec3(10, 10, 10), cn_vec3(0, 0, 0));
    desc.height = 8;
    desc.sun = sun_at(45, 0);
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    assert_true(pixel_at(&desc, pixels, cn_vec3(2, 0, 0)).sun < 0.1f);
    assert_true(pixel_at(&desc, pixels, cn_vec3(-2, 0, 0)).sun >= LIT);
}

static void without_a_sun_nothing_is_in_its_shadow(void **state)
{
    (void)state;
    if (!scene)
        skip();
    ShadowSceneDesc desc = scene_desc(cube_on_ground, 2, cn_vec3(4, 4, 4), cn_vec3(0, 0, 0));
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(pixels[i].sun == 1);
}

/* ---- Lamps ---- */

static CnFrameLight lamp_at(CnVec3 position)
{
    return (CnFrameLight){.position = position, .range = 30, .kind = CN_LIGHT_POINT};
}

static CnFrameLight spot_at(CnVec3 position, CnVec3 target)
{
    CnFrameLight light = lamp_at(position);
    light.kind = CN_LIGHT_SPOT;
    light.direction = cn_vec3_normalize(cn_vec3_sub(target, position));
    light.outer_cosine = 0.75f;
    light.inner_cosine = 0.8f;
    return light;
}

/* A wall on each side of the origin: the faces of a point light before it meet on it. */
static const ShadowSceneBox walls[] = {
    {.center = {0, -4, 0}, .half_size = {30, 1, 30}},
    {.center = {0, 4, 0}, .half_size = {30, 1, 30}},
    {.center = {-4, 0, 0}, .half_size = {1, 30, 30}},
    {.center = {4, 0, 0}, .half_size = {1, 30, 30}},
    {.center = {0, 0, -4}, .half_size = {30, 30, 1}},
    {.center = {0, 0, 4}, .half_size = {30, 30, 1}},
};

static void a_wall_before_a_point_light_has_neither_seams_nor_acne(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const CnVec3 lamps[] = {{0, 0, 0}, {1.3f, -0.7f, 2.1f}, {-2.5f, 2.2f, -2.3f}};
    for (size_t i = 0; i < CN_COUNT_OF(lamps); i++) {
        CnFrameLight lamp = lamp_at(lamps[i]);
        for (size_t w = 0; w < CN_COUNT_OF(walls); w++) {
            CnVec3 target = cn_vec3_add(walls[w].center, cn_vec3(0.1f, 0.1f, 0.1f));
            ShadowSceneDesc desc = scene_desc(&walls[w], 1, cn_vec3(0, 0, 0), target);
            desc.fov = 120;
            desc.light = &lamp;
            assert_true(darkest(&desc, shadow_scene_draw(scene, &desc), true) >= LIT);
        }
    }
}

static void shadows_of_a_point_light_are_where_rays_say(void **state)
{
    (void)state;
    if (!scene)
        skip();
    static const CnVec3 lamps[] = {{2, 3, 2.5f}, {-2, 2, -2}, {1.5f, 5, -3}};
    static const char *const names[] = {"lamp0", "lamp1", "lamp2"};
    for (size_t i = 0; i < CN_COUNT_OF(lamps); i++) {
        CnFrameLight lamp = lamp_at(lamps[i]);
        ShadowSceneDesc desc =
            scene_desc(yard, CN_COUNT_OF(yard), cn_vec3(6, 6, 9), cn_vec3(0, 0, -1));
        desc.light = &lamp;
        desc.light_size = 512;
        desc.width = 480;
        desc.height_in_pixels = 360;
        const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
        shadow_scene_save(&desc, pixels, 1, names[i]);
        assert_int_equal(compare_with_rays(&desc, pixels, desc.sun, &lamp), 0);
    }
}

static void open_ground_has_no_acne_below_a_spot_light(void **state)
{
    (void)state;
    if (!scene)
        skip();
    for (int i = 0; i < 6; i++) {
        CnFrameLight lamp = spot_at(cn_vec3(-5, 0.3f + 0.8f * (float)i, 0), cn_vec3(0, 0, 0));
        ShadowSceneDesc desc = scene_desc(ground, 1, cn_vec3(0, 5, 6), cn_vec3(0, 0, 0));
        desc.light = &lamp;
        assert_true(darkest(&desc, shadow_scene_draw(scene, &desc), true) >= LIT);
    }
}

static void the_shadow_of_a_spot_light_begins_at_the_foot_of_a_cube(void **state)
{
    (void)state;
    if (!scene)
        skip();
    CnFrameLight lamp = spot_at(cn_vec3(-5, 3, 0), cn_vec3(0, 1, 0));
    ShadowSceneDesc desc = scene_desc(cube_on_ground, 2, cn_vec3(5, 3, 3), cn_vec3(1, 0, 0));
    desc.light = &lamp;
    desc.light_size = 512;
    desc.width = 480;
    desc.height_in_pixels = 360;
    const ShadowScenePixel *pixels = shadow_scene_draw(scene, &desc);
    for (float z = -0.6f; z < 0.65f; z += 0.1f)
        assert_true(pixel_at(&desc, pixels, cn_vec3(1.1f, 0, z)).light < 0.25f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_ground_has_no_acne_however_low_the_sun),
        cmocka_unit_test(open_ground_has_no_acne_under_a_large_sun),
        cmocka_unit_test(a_box_alone_has_no_shadow_on_itself),
        cmocka_unit_test(the_shadow_begins_at_the_foot_of_a_cube),
        cmocka_unit_test(ground_before_the_lit_side_of_a_cube_is_lit),
        cmocka_unit_test(shadows_of_the_sun_are_where_rays_say),
        cmocka_unit_test(a_small_thing_throws_a_shadow_below_a_low_sun),
        cmocka_unit_test(a_thing_between_a_far_caster_and_the_map_is_still_in_its_shadow),
        cmocka_unit_test(shadows_fade_out_at_the_distance),
        cmocka_unit_test(penumbras_grow_with_the_height_of_the_caster),
        cmocka_unit_test(a_large_sun_gives_softer_shadows),
        cmocka_unit_test(an_orthographic_view_has_shadows),
        cmocka_unit_test(without_a_sun_nothing_is_in_its_shadow),
        cmocka_unit_test(a_wall_before_a_point_light_has_neither_seams_nor_acne),
        cmocka_unit_test(shadows_of_a_point_light_are_where_rays_say),
        cmocka_unit_test(open_ground_has_no_acne_below_a_spot_light),
        cmocka_unit_test(the_shadow_of_a_spot_light_begins_at_the_foot_of_a_cube),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

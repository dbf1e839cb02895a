/* Point and spot lights with shadows: who has a slot in the atlas, and how they look into their
 * tiles. */
#include "cmocka_tests.h"
#include "random.h"

#include "render/feature/shadows.h"

#include <cairn/base/linear.h>
#include <cairn/scene/presentation.h>

#include <math.h>

#define SIZE 128u

static CniRenderLightView views[CNI_RENDER_LIGHT_TILES];
static CnVec4 numbers;
static uint32_t lights_at[CNI_RENDER_MAX_SHADOW_LIGHTS];
static const CnVec3 eye = {0, 0, 0};

static CnFrameLight light_at(uint32_t id, CnVec3 position)
{
    return (CnFrameLight){.position = position,
                          .range = 10,
                          .color = {1, 1, 1},
                          .kind = CN_LIGHT_POINT,
                          .direction = {0, -1, 0},
                          .outer_cosine = 0.8f,
                          .inner_cosine = 0.9f,
                          .flags = CN_RENDER_CASTS_SHADOWS,
                          .id = id};
}

static CnFrameLight spot_at(CnVec3 position, CnVec3 direction)
{
    CnFrameLight light = light_at(1, position);
    light.kind = CN_LIGHT_SPOT;
    light.direction = direction;
    return light;
}

/* ---- Views ---- */

/* From -1 to 1 in the tile; z is depth. */
static CnVec3 place_in(const CniRenderLightView *view, CnVec3 p)
{
    CnVec4 clip = cn_mat4_transform(&view->world_to_clip, (CnVec4){p.x, p.y, p.z, 1});
    return cn_vec3(clip.x / clip.w, clip.y / clip.w, clip.z / clip.w);
}

/* As light_face in shadow.glsl. */
static uint32_t face_of(CnVec3 way)
{
    float x = fabsf(way.x), y = fabsf(way.y), z = fabsf(way.z);
    if (x >= y && x >= z)
        return way.x >= 0 ? 0 : 1;
    if (y >= z)
        return way.y >= 0 ? 2 : 3;
    return way.z >= 0 ? 4 : 5;
}

static CnVec3 random_way(TestRandom *random)
{
    return cn_vec3((float)test_random_unit(random) * 2 - 1, (float)test_random_unit(random) * 2 - 1,
                   (float)test_random_unit(random) * 2 - 1);
}

static void every_way_from_a_point_light_is_in_its_face_with_room_around(void **state)
{
    (void)state;
    CnFrameLight light = light_at(1, cn_vec3(3, -2, 7));
    assert_int_equal(cni_render_shadow_light_views(&light, SIZE, views, &numbers), 6);
    float room = 1 - 2.0f * CNI_RENDER_SHADOW_GUARD / SIZE;
    TestRandom random = {1};
    for (int i = 0; i < 1000; i++) {
        CnVec3 way = random_way(&random);
        CnVec3 at = place_in(&views[face_of(way)], cn_vec3_add(light.position, way));
        assert_true(fabsf(at.x) <= room + 1e-4f && fabsf(at.y) <= room + 1e-4f);
    }
}

static void a_spot_light_has_one_tile_that_holds_its_cone(void **state)
{
    (void)state;
    CnVec3 direction = cn_vec3_normalize(cn_vec3(1, -2, 0.5f));
    CnFrameLight light = spot_at(cn_vec3(1, 5, 2), direction);
    assert_int_equal(cni_render_shadow_light_views(&light, SIZE, views, &numbers), 1);
    TestRandom random = {2};
    for (int i = 0; i < 2000; i++) {
        CnVec3 way = cn_vec3_normalize(random_way(&random));
        if (cn_vec3_dot(way, direction) < light.outer_cosine)
            continue;
        CnVec3 at = place_in(&views[0], cn_vec3_add(light.position, way));
        assert_true(fabsf(at.x) < 1 && fabsf(at.y) < 1);
    }
}

static void depth_goes_from_0_near_to_1_at_the_range(void **state)
{
    (void)state;
    CnFrameLight light = spot_at(cn_vec3(0, 0, 0), cn_vec3(0, -1, 0));
    cni_render_shadow_light_views(&light, SIZE, views, &numbers);
    assert_float_equal(place_in(&views[0], cn_vec3(0, -numbers.y, 0)).z, 0, 1e-4);
    assert_float_equal(place_in(&views[0], cn_vec3(0, -light.range, 0)).z, 1, 1e-4);
}

static void the_size_of_a_texel_is_right(void **state)
{
    (void)state;
    CnFrameLight light = light_at(1, cn_vec3(0, 0, 0));
    cni_render_shadow_light_views(&light, SIZE, views, &numbers);
    float moved = place_in(&views[0], cn_vec3(2, 2 * numbers.x, 0)).y -
                  place_in(&views[0], cn_vec3(2, 0, 0)).y;
    assert_float_equal(fabsf(moved), 2.0f / SIZE, 1e-5);
}

static void odd_lights_give_numbers(void **state)
{
    (void)state;
    CnFrameLight lights[4];
    for (int i = 0; i < 4; i++)
        lights[i] = spot_at(cn_vec3(0, 0, 0), cn_vec3(0, -1, 0));
    lights[0].direction = cn_vec3(0, 0, 0);
    lights[1].range = 0;
    lights[2].outer_cosine = -1;
    lights[3].outer_cosine = 1;
    for (int i = 0; i < 4; i++) {
        cni_render_shadow_light_views(&lights[i], SIZE, views, &numbers);
        for (int j = 0; j < 16; j++)
            assert_true(isfinite(views[0].world_to_clip.m[j]));
    }
}

/* ---- Places ---- */

static void the_nearest_lights_get_places(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[3] = {light_at(1, cn_vec3(20, 0, 0)), light_at(2, cn_vec3(5, 0, 0)),
                              light_at(3, cn_vec3(8, 0, 0))};
    cni_render_shadow_assign_slots(&slots, 2, lights, 3, eye, lights_at);
    assert_int_equal(lights[0].shadow, 0);
    assert_int_not_equal(lights[1].shadow, 0);
    assert_int_not_equal(lights[2].shadow, 0);
    assert_int_equal(lights_at[lights[1].shadow - 1], 1);
}

static void a_bright_light_matters_more(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[2] = {light_at(1, cn_vec3(5, 0, 0)), light_at(2, cn_vec3(6, 0, 0))};
    lights[1].color = cn_vec3(10, 10, 10);
    cni_render_shadow_assign_slots(&slots, 1, lights, 2, eye, lights_at);
    assert_int_equal(lights[1].shadow, 1);
}

static void lights_that_cast_none_get_no_place(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight light = light_at(1, cn_vec3(5, 0, 0));
    light.flags = 0;
    cni_render_shadow_assign_slots(&slots, 4, &light, 1, eye, lights_at);
    assert_int_equal(light.shadow, 0);
    assert_int_equal(lights_at[0], UINT32_MAX);
}

static void a_light_keeps_its_place_when_the_order_changes(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[2] = {light_at(7, cn_vec3(5, 0, 0)), light_at(8, cn_vec3(6, 0, 0))};
    cni_render_shadow_assign_slots(&slots, 4, lights, 2, eye, lights_at);
    uint32_t of_7 = lights[0].shadow, of_8 = lights[1].shadow;
    CnFrameLight swapped[2] = {lights[1], lights[0]};
    cni_render_shadow_assign_slots(&slots, 4, swapped, 2, eye, lights_at);
    assert_int_equal(swapped[0].shadow, of_8);
    assert_int_equal(swapped[1].shadow, of_7);
}

static void lights_that_matter_alike_do_not_take_each_others_place(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[2] = {light_at(1, cn_vec3(6, 0, 0)), light_at(2, cn_vec3(6.1f, 0, 0))};
    cni_render_shadow_assign_slots(&slots, 1, lights, 2, eye, lights_at);
    assert_int_equal(lights[0].shadow, 1);
    for (int i = 0; i < 10; i++) {
        lights[0].position.x = i % 2 ? 6 : 6.2f;
        cni_render_shadow_assign_slots(&slots, 1, lights, 2, eye, lights_at);
        assert_int_equal(lights[0].shadow, 1);
        assert_int_equal(lights[1].shadow, 0);
    }
}

static void a_light_that_matters_clearly_more_takes_the_place(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[2] = {light_at(1, cn_vec3(6, 0, 0)), light_at(2, cn_vec3(7, 0, 0))};
    cni_render_shadow_assign_slots(&slots, 1, lights, 2, eye, lights_at);
    lights[1].position.x = 3;
    cni_render_shadow_assign_slots(&slots, 1, lights, 2, eye, lights_at);
    assert_int_equal(lights[0].shadow, 0);
    assert_int_equal(lights[1].shadow, 1);
}

static void a_place_is_free_when_its_light_is_gone(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight first = light_at(1, cn_vec3(5, 0, 0)), second = light_at(2, cn_vec3(50, 0, 0));
    cni_render_shadow_assign_slots(&slots, 1, &first, 1, eye, lights_at);
    cni_render_shadow_assign_slots(&slots, 1, &second, 1, eye, lights_at);
    assert_int_equal(second.shadow, 1);
}

static void lights_with_the_same_id_have_places_of_their_own(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[2] = {light_at(0, cn_vec3(5, 0, 0)), light_at(0, cn_vec3(6, 0, 0))};
    for (int i = 0; i < 3; i++) {
        cni_render_shadow_assign_slots(&slots, 4, lights, 2, eye, lights_at);
        assert_int_not_equal(lights[0].shadow, lights[1].shadow);
        assert_true(lights[0].shadow && lights[1].shadow);
    }
}

static void more_lights_than_places_fill_all_places(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight lights[100];
    TestRandom random = {3};
    for (int frame = 0; frame < 50; frame++) {
        for (uint32_t i = 0; i < 100; i++)
            lights[i] = light_at(i, cn_vec3_scale(random_way(&random), 30));
        cni_render_shadow_assign_slots(&slots, 16, lights, 100, eye, lights_at);
        for (uint32_t slot = 0; slot < 16; slot++)
            assert_int_equal(lights[lights_at[slot]].shadow, slot + 1);
    }
}

static void without_capacity_no_light_has_a_place(void **state)
{
    (void)state;
    CniRenderShadowSlots slots = {0};
    CnFrameLight light = light_at(1, cn_vec3(5, 0, 0));
    light.shadow = 3;
    cni_render_shadow_assign_slots(&slots, 0, &light, 1, eye, lights_at);
    assert_int_equal(light.shadow, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_from_a_point_light_is_in_its_face_with_room_around),
        cmocka_unit_test(a_spot_light_has_one_tile_that_holds_its_cone),
        cmocka_unit_test(depth_goes_from_0_near_to_1_at_the_range),
        cmocka_unit_test(the_size_of_a_texel_is_right),
        cmocka_unit_test(odd_lights_give_numbers),
        cmocka_unit_test(the_nearest_lights_get_places),
        cmocka_unit_test(a_bright_light_matters_more),
        cmocka_unit_test(lights_that_cast_none_get_no_place),
        cmocka_unit_test(a_light_keeps_its_place_when_the_order_changes),
        cmocka_unit_test(lights_that_matter_alike_do_not_take_each_others_place),
        cmocka_unit_test(a_light_that_matters_clearly_more_takes_the_place),
        cmocka_unit_test(a_place_is_free_when_its_light_is_gone),
        cmocka_unit_test(lights_with_the_same_id_have_places_of_their_own),
        cmocka_unit_test(more_lights_than_places_fill_all_places),
        cmocka_unit_test(without_capacity_no_light_has_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Items of snapshots: culled, sorted, instanced, between two snapshots. On the null backend. */
#include "render/core/renderer_internal.h"
#include "render_fixture.h"

#include <string.h>

/* Lists as a feature gets them; gone with the next frame. */
static const CnDrawList *lists[3];

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)self, (void)options, (void)error;
    return true;
}

static void take_lists(CnFrame *frame, void *self)
{
    (void)self;
    for (uint32_t i = 0; i < 3; i++)
        lists[i] = cn_frame_visible(frame, (CnDrawSelect)i);
}

static const CnFeatureType looking = {
    .name = "looking", .setup = setup, .add_passes = take_lists, .size = 1};

static void init(RenderFixture *fixture)
{
    assert_true(render_fixture_init(fixture, RENDER_NULL));
    render_fixture_add(fixture, &looking, NULL);
}

static CnMaterial material(RenderFixture *fixture, const char *name, CnAlphaMode mode)
{
    CnMaterial made = cn_material_create(
        fixture->renderer, &(CnMaterialDesc){.name = name, .alpha_mode = mode}, &fixture->error);
    assert_int_not_equal(made.id, 0);
    return made;
}

static const CniRenderDrawIndexed *draw_at(const CnDrawList *list, uint32_t index)
{
    return (const CniRenderDrawIndexed *)list->draws.data + index;
}

static const CniRenderInstance *instance_at(const RenderFixture *fixture, const CnDrawList *list,
                                            uint32_t index)
{
    const CniRenderInstance *instances = fixture->renderer->frame.instance_data.data;
    return &instances[((const uint32_t *)list->order.data)[index]];
}

/* ---- Culling ---- */

static void what_is_in_view_is_listed(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 1);
    render_fixture_fini(&fixture);
}

static void what_lies_outside_of_each_plane_is_not(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    const CnVec3 outside[] = {{-20, 0, 0}, {20, 0, 0}, {0, -20, 0},
                              {0, 20, 0},  {0, 0, 8},  {0, 0, -300}};
    for (uint32_t i = 0; i < CN_COUNT_OF(outside); i++)
        render_fixture_item(&fixture, "shapes://cube", NULL, outside[i], 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 0);
    assert_int_equal(cn_renderer_stats(fixture.renderer).items, CN_COUNT_OF(outside));
    render_fixture_fini(&fixture);
}

static void what_reaches_into_view_by_its_size_is_listed(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(-20, 0, 0), 40);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 1);
    render_fixture_fini(&fixture);
}

static void an_orthographic_view_culls_too(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.snapshot.camera.height = 4;
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(3.3f, 0, -100), 1);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(5.5f, 0, -100), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 1);
    render_fixture_fini(&fixture);
}

/* ---- Choosing ---- */

static void casters_are_those_that_say_so(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 1, 0), 1)->flags = 0;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 2);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_CASTERS]), 1);
    render_fixture_fini(&fixture);
}

static void blended_items_have_a_list_of_their_own(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    material(&fixture, "glass", CN_ALPHA_BLEND);
    material(&fixture, "leaf", CN_ALPHA_MASK);
    render_fixture_item(&fixture, "shapes://cube", "glass", cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", "leaf", cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 2);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_TRANSPARENT]), 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_CASTERS]), 2);
    render_fixture_fini(&fixture);
}

static void an_unknown_material_is_the_default_one(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", "nobody", cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(instance_at(&fixture, lists[0], 0)->material, 0);
    render_fixture_fini(&fixture);
}

static void a_material_that_comes_later_is_found(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", "late", cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    CnMaterial late = material(&fixture, "late", CN_ALPHA_OPAQUE);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(instance_at(&fixture, lists[0], 0)->material, cn_slot_index(late.id));
    render_fixture_fini(&fixture);
}

static void an_unknown_model_is_not_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    render_fixture_item(&fixture, "shapes://nothing", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(cn_renderer_stats(fixture.renderer).items, 0);
    render_fixture_fini(&fixture);
}

/* ---- Sorting and instancing ---- */

static void equal_meshes_are_one_draw_of_many_instances(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (uint32_t i = 0; i < 10; i++)
        render_fixture_item(&fixture, "shapes://sphere", NULL, cn_vec3(0, (float)i * 0.1f, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(lists[0]->draw_count, 1);
    assert_int_equal(draw_at(lists[0], 0)->instance_count, 10);
    render_fixture_fini(&fixture);
}

static void meshes_in_any_order_are_grouped_and_share_a_call(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (uint32_t i = 0; i < 12; i++) {
        const char *names[] = {"shapes://sphere", "shapes://cube", "shapes://cone"};
        render_fixture_item(&fixture, names[i % 3], NULL, cn_vec3(0, 0, 0), 1);
    }
    render_fixture_draw(&fixture, 1);
    assert_int_equal(lists[0]->draw_count, 3);
    assert_int_equal(lists[0]->call_count, 1);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(draw_at(lists[0], i)->instance_count, 4);
        assert_int_equal(draw_at(lists[0], i)->first_instance, i * 4);
    }
    render_fixture_fini(&fixture);
}

static void materials_without_textures_share_a_draw(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    material(&fixture, "red", CN_ALPHA_OPAQUE);
    material(&fixture, "blue", CN_ALPHA_OPAQUE);
    render_fixture_item(&fixture, "shapes://cube", "red", cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", "blue", cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(lists[0]->draw_count, 1);
    render_fixture_fini(&fixture);
}

static void masked_and_mirrored_items_are_calls_of_their_own(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    material(&fixture, "leaf", CN_ALPHA_MASK);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", "leaf", cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1)->scale.x = -1;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(lists[0]->call_count, 3);
    render_fixture_fini(&fixture);
}

static void blended_items_come_farthest_first(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    material(&fixture, "glass", CN_ALPHA_BLEND);
    const float places[] = {0, -3, 2, -1, 1};
    for (uint32_t i = 0; i < CN_COUNT_OF(places); i++)
        render_fixture_item(&fixture, "shapes://cube", "glass", cn_vec3(0, 0, places[i]), 1);
    render_fixture_draw(&fixture, 1);
    const CnDrawList *list = lists[CN_DRAW_TRANSPARENT];
    assert_int_equal(list->count, 5);
    const float sorted[] = {-3, -1, 0, 1, 2};
    for (uint32_t i = 0; i < 5; i++)
        assert_true(instance_at(&fixture, list, i)->transform.m[2][3] == sorted[i]);
    render_fixture_fini(&fixture);
}

static void an_item_that_changes_its_material_is_sorted_again(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnMaterial glass = material(&fixture, "glass", CN_ALPHA_OPAQUE);
    render_fixture_item(&fixture, "shapes://cube", "glass", cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_true(cn_material_set(fixture.renderer, glass,
                                &(CnMaterialDesc){.alpha_mode = CN_ALPHA_BLEND}, &fixture.error));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_OPAQUE]), 0);
    assert_int_equal(cn_draw_list_count(lists[CN_DRAW_TRANSPARENT]), 1);
    render_fixture_fini(&fixture);
}

/* ---- Between snapshots ---- */

static void an_item_is_drawn_between_its_two_places(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(1, 0, 0), 1);
    CnRenderItem before = fixture.items[0];
    before.position = cn_vec3(0, 0, 0);
    CnRenderSnapshot previous = fixture.snapshot;
    previous.tick = 0;
    previous.items = &before;
    fixture.frame_desc.previous = &previous;
    fixture.frame_desc.alpha = 0.25f;
    render_fixture_draw(&fixture, 1);
    assert_true(instance_at(&fixture, lists[0], 0)->transform.m[0][3] == 0.25f);
    render_fixture_fini(&fixture);
}

static void nothing_is_between_snapshots_that_do_not_follow_each_other(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(1, 0, 0), 1);
    CnRenderItem before = fixture.items[0];
    before.position = cn_vec3(0, 0, 0);
    CnRenderSnapshot previous = fixture.snapshot;
    previous.items = &before;
    fixture.snapshot.tick = 9;
    fixture.frame_desc.previous = &previous;
    fixture.frame_desc.alpha = 0.25f;
    render_fixture_draw(&fixture, 1);
    assert_true(instance_at(&fixture, lists[0], 0)->transform.m[0][3] == 1);
    render_fixture_fini(&fixture);
}

static void an_item_that_was_not_there_before_is_where_it_is(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(1, 0, 0), 1);
    CnRenderSnapshot previous = fixture.snapshot;
    previous.tick = 0;
    previous.item_count = 0;
    fixture.frame_desc.previous = &previous;
    fixture.frame_desc.alpha = 0.25f;
    render_fixture_draw(&fixture, 1);
    assert_true(instance_at(&fixture, lists[0], 0)->transform.m[0][3] == 1);
    render_fixture_fini(&fixture);
}

/* ---- Lights ---- */

static CnFrame seen;

static void take_frame(CnFrame *frame, void *user)
{
    (void)user;
    seen = *frame;
}

static void lights_come_nearest_first_and_those_out_of_view_not_at_all(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_point_light(&fixture, cn_vec3(0, 0, -5), cn_vec3(1, 1, 1), 2);
    render_fixture_point_light(&fixture, cn_vec3(0, 0, 0), cn_vec3(1, 1, 1), 2);
    render_fixture_point_light(&fixture, cn_vec3(0, 0, 50), cn_vec3(1, 1, 1), 2);
    fixture.frame_desc.before_render = take_frame;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(seen.light_count, 2);
    assert_true(seen.lights[0].position.z == 0 && seen.lights[1].position.z == -5);
    render_fixture_fini(&fixture);
}

static void the_sun_is_the_first_directional_light(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_sun(&fixture, cn_vec3(0, -2, 0), cn_vec3(3, 3, 3));
    render_fixture_sun(&fixture, cn_vec3(1, 0, 0), cn_vec3(1, 1, 1));
    fixture.frame_desc.before_render = take_frame;
    render_fixture_draw(&fixture, 1);
    assert_true(seen.sun.exists && seen.sun.casts_shadows);
    assert_true(seen.sun.direction.y == -1 && seen.sun.color.x == 3);
    render_fixture_fini(&fixture);
}

/* ---- Limits ---- */

static void lights_beyond_the_limit_are_the_farthest_and_counted(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (uint32_t i = 0; i < CN_MAX_LIGHTS + 10; i++)
        render_fixture_point_light(&fixture, cn_vec3(0, 0, -(float)i * 0.01f), cn_vec3(1, 1, 1), 1);
    fixture.frame_desc.before_render = take_frame;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(seen.light_count, CN_MAX_LIGHTS);
    assert_true(seen.lights[CN_MAX_LIGHTS - 1].position.z == -(float)(CN_MAX_LIGHTS - 1) * 0.01f);
    assert_int_equal(cn_renderer_stats(fixture.renderer).refused_lights, 10);
    render_fixture_fini(&fixture);
}

static void numbers_beyond_the_limit_are_no_assets(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    assert_false(cn_renderer_set_asset(fixture.renderer, CN_MAX_ASSETS, "shapes://cube"));
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1)->mesh = UINT32_MAX;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).items, 0);
    render_fixture_fini(&fixture);
}

static void forgotten_assets_are_not_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    cn_renderer_clear_assets(fixture.renderer);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).items, 0);
    render_fixture_fini(&fixture);
}

static void a_mesh_that_is_destroyed_is_not_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    cn_mesh_destroy(fixture.renderer,
                    cn_mesh_shape(fixture.renderer, CN_MESH_CUBE, &fixture.error));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).items, 0);
    render_fixture_fini(&fixture);
}

/* ---- Memory ---- */

/* The slots of the instance buffer take turns: what rests must be right in all of them. */
static void an_item_that_moved_once_is_in_its_place_in_every_later_frame(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 4);
    fixture.items[0].position.x = 0.5f;
    for (uint32_t i = 0; i < 5; i++) {
        render_fixture_draw(&fixture, 1);
        assert_true(instance_at(&fixture, lists[0], 0)->transform.m[0][3] == 0.5f);
    }
    render_fixture_fini(&fixture);
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (uint32_t i = 0; i < 500; i++)
        render_fixture_item(&fixture, i % 2 ? "shapes://cube" : "shapes://torus", NULL,
                            cn_vec3((float)(i % 20) * 0.1f, 0, 0), 0.1f);
    render_fixture_point_light(&fixture, cn_vec3(0, 0, 0), cn_vec3(1, 1, 1), 2);
    render_fixture_draw(&fixture, 10);
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t k = 0; k < 500; k++)
            fixture.items[k].position.x += 0.01f;
        render_fixture_draw(&fixture, 1);
    }
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
    render_fixture_fini(&fixture);
}

static void no_camera_no_items_and_no_snapshot_are_fine(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.frame_desc.current = NULL;
    render_fixture_draw(&fixture, 1);
    fixture.frame_desc.current = &fixture.snapshot;
    fixture.snapshot.camera = (CnRenderCamera){.valid = true, .fov = 0.0f / 1, .far_plane = -1};
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, -3), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_draw_list_count(lists[0]), 1);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_view_is_listed),
        cmocka_unit_test(what_lies_outside_of_each_plane_is_not),
        cmocka_unit_test(what_reaches_into_view_by_its_size_is_listed),
        cmocka_unit_test(an_orthographic_view_culls_too),
        cmocka_unit_test(casters_are_those_that_say_so),
        cmocka_unit_test(blended_items_have_a_list_of_their_own),
        cmocka_unit_test(an_unknown_material_is_the_default_one),
        cmocka_unit_test(a_material_that_comes_later_is_found),
        cmocka_unit_test(an_unknown_model_is_not_drawn),
        cmocka_unit_test(equal_meshes_are_one_draw_of_many_instances),
        cmocka_unit_test(meshes_in_any_order_are_grouped_and_share_a_call),
        cmocka_unit_test(materials_without_textures_share_a_draw),
        cmocka_unit_test(masked_and_mirrored_items_are_calls_of_their_own),
        cmocka_unit_test(blended_items_come_farthest_first),
        cmocka_unit_test(an_item_that_changes_its_material_is_sorted_again),
        cmocka_unit_test(an_item_is_drawn_between_its_two_places),
        cmocka_unit_test(nothing_is_between_snapshots_that_do_not_follow_each_other),
        cmocka_unit_test(an_item_that_was_not_there_before_is_where_it_is),
        cmocka_unit_test(lights_come_nearest_first_and_those_out_of_view_not_at_all),
        cmocka_unit_test(the_sun_is_the_first_directional_light),
        cmocka_unit_test(lights_beyond_the_limit_are_the_farthest_and_counted),
        cmocka_unit_test(numbers_beyond_the_limit_are_no_assets),
        cmocka_unit_test(forgotten_assets_are_not_drawn),
        cmocka_unit_test(a_mesh_that_is_destroyed_is_not_drawn),
        cmocka_unit_test(an_item_that_moved_once_is_in_its_place_in_every_later_frame),
        cmocka_unit_test(a_steady_frame_makes_no_heap_call),
        cmocka_unit_test(no_camera_no_items_and_no_snapshot_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lights, meshes and sounds as data, the sun, and what is seen of them. */
#include "camera_fixture.h"

#include <cairn/base/log.h>

static CnOutbox *outbox;
static uint64_t tick;

static int make_all(void **state)
{
    if (make_eyes(state))
        return -1;
    tick = 0;
    outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = cn_heap_tag(heap, "outbox")}, NULL);
    return outbox && cn_extract_add(world, outbox, NULL) ? 0 : -1;
}

static int drop_all(void **state)
{
    cn_outbox_destroy(outbox);
    return drop_eyes(state);
}

#define PRESENTATION_TEST(name) cmocka_unit_test_setup_teardown(name, make_all, drop_all)

static CnTickSnapshot run_tick(void)
{
    cn_outbox_begin(outbox, ++tick, 0);
    assert_true(cn_world_update(world, 1.0f / 60, NULL));
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    return *pair.current;
}

static CnEntity make_box(const char *name, CnEntity parent)
{
    CnEntity box = cn_object(world, name, .parent = parent);
    cn_set(world, box, CnMeshRenderer,
           {.mesh = "assets://box.mesh", .material = "White", .visible = true});
    return box;
}

static CnEntity make_light(const char *name, CnLightKind kind)
{
    CnEntity lamp = cn_object(world, name);
    assert_true(cn_add(world, lamp, CnLight));
    cn_get_mut(world, lamp, CnLight)->kind = (uint8_t)kind;
    return lamp;
}

/* ---- Data ---- */

static void a_new_light_is_a_white_point_light(void **state)
{
    (void)state;
    CnEntity lamp = cn_object(world, "Lamp");
    cn_add(world, lamp, CnLight);
    const CnLight *light = cn_get(world, lamp, CnLight);
    assert_int_equal(light->kind, CN_LIGHT_POINT);
    assert_true(light->color.x == 1 && light->color.y == 1 && light->color.z == 1);
    assert_true(light->intensity == 1 && light->range > 0 && light->inner < light->outer);
}

static void a_new_mesh_is_visible(void **state)
{
    (void)state;
    CnEntity box = cn_object(world, "Box");
    cn_add(world, box, CnMeshRenderer);
    const CnMeshRenderer *renderer = cn_get(world, box, CnMeshRenderer);
    assert_true(renderer->visible && renderer->casts_shadows);
    assert_string_equal(renderer->mesh, "");
}

static void a_new_sound_is_as_it_was_recorded(void **state)
{
    (void)state;
    CnEntity bell = cn_object(world, "Bell");
    cn_add(world, bell, CnAudioSource);
    const CnAudioSource *source = cn_get(world, bell, CnAudioSource);
    assert_true(source->gain == 1 && source->pitch == 1 && source->spatial && !source->playing);
}

static void components_have_the_names_of_the_document(void **state)
{
    (void)state;
    static const struct {
        const char *component, *key;
    } names[] = {
        {"MeshRendererComponent", "material"}, {"MeshRendererComponent", "mesh"},
        {"MeshRendererComponent", "visible"},  {"MeshRendererComponent", "castsShadows"},
        {"LightComponent", "color"},           {"LightComponent", "intensity"},
        {"LightComponent", "lightType"},       {"LightComponent", "range"},
        {"LightComponent", "innerAngle"},      {"LightComponent", "outerAngle"},
        {"LightComponent", "shadows"},         {"AudioSourceComponent", "sound"},
        {"TransformComponent", "position"},    {"TransformComponent", "rotation"},
        {"TransformComponent", "scale"},       {"FlyCameraComponent", "speed"},
        {"PlayerControllerComponent", "walk"}, {"AnimatorComponent", "clip"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnReflectedComponent reflected;
        CnReflectedMember item;
        assert_true(cn_reflection_find(world, cn_text(names[i].component), &reflected));
        assert_true(cn_reflection_find_field(world, &reflected, cn_text(names[i].key), &item));
    }
}

static void the_state_of_the_engine_is_not_reflected(void **state)
{
    (void)state;
    CnReflectedComponent list[64];
    uint32_t count = cn_reflection_list(world, list, 64);
    for (uint32_t i = 0; i < count; i++)
        if (!strstr(list[i].name, "Component"))
            fail_msg("%s is shown", list[i].name);
}

/* ---- The sun ---- */

static void the_sun_is_the_first_directional_light(void **state)
{
    (void)state;
    make_light("Lamp", CN_LIGHT_POINT);
    assert_true(cn_entity_is_null(cn_light_find_sun(world)));
    CnEntity sun = make_light("Sun", CN_LIGHT_DIRECTIONAL);
    make_light("Moon", CN_LIGHT_DIRECTIONAL);
    assert_true(cn_entity_equal(cn_light_find_sun(world), sun));
}

static void a_sun_that_is_not_active_does_not_shine(void **state)
{
    (void)state;
    CnEntity sun = make_light("Sun", CN_LIGHT_DIRECTIONAL);
    CnEntity moon = make_light("Moon", CN_LIGHT_DIRECTIONAL);
    cn_object_set_enabled(world, sun, false);
    assert_true(cn_entity_equal(cn_light_find_sun(world), moon));
    cn_object_set_enabled(world, moon, false);
    assert_true(cn_entity_is_null(cn_light_find_sun(world)));
}

/* ---- Seen: meshes ---- */

static void meshes_are_seen_where_they_are_in_the_world(void **state)
{
    (void)state;
    CnEntity parent = cn_object(world, "Parent");
    CnEntity box = make_box("Box", parent);
    cn_get_mut(world, parent, CnTransform)->position = cn_vec3(10, 0, 0);
    cn_get_mut(world, parent, CnTransform)->scale = cn_vec3(2, 2, 2);
    cn_get_mut(world, box, CnTransform)->position = cn_vec3(1, 2, 3);
    cn_get_mut(world, box, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.item_count, 1);
    const CnRenderItem *item = seen.render.items;
    assert_true(cn_entity_equal(item->entity, box));
    assert_float_equal(item->position.x, 12, 1e-5);
    assert_float_equal(item->position.y, 4, 1e-5);
    assert_float_equal(item->position.z, 6, 1e-5);
    assert_float_equal(item->scale.x, 2, 1e-5);
    assert_float_equal(item->rotation.y, sqrt(0.5), 1e-5);
}

static void a_mesh_that_moves_is_seen_moving(void **state)
{
    (void)state;
    CnEntity parent = cn_object(world, "Parent");
    make_box("Box", parent);
    CnEntity root = make_box("Root", CN_NO_PARENT);
    for (int i = 0; i < 4; i++) {
        cn_get_mut(world, parent, CnTransform)->position.x = (float)i;
        cn_get_mut(world, root, CnTransform)->position.x = (float)-i;
        CnQuat turn = cn_quat_from_euler(cn_vec3(0, 10.0f * (float)i, 0));
        cn_get_mut(world, parent, CnTransform)->rotation = turn;
        CnTickSnapshot seen = run_tick();
        assert_int_equal(seen.render.item_count, 2);
        for (int j = 0; j < 2; j++) {
            const CnRenderItem *item = &seen.render.items[j];
            bool is_root = cn_entity_equal(item->entity, root);
            assert_float_equal(item->position.x, (float)(is_root ? -i : i), 1e-5);
            assert_float_equal(item->rotation.y, is_root ? 0 : turn.y, 1e-5);
        }
    }
}

static void names_are_numbers_that_can_be_requested(void **state)
{
    (void)state;
    make_box("Box", CN_NO_PARENT);
    CnTickSnapshot seen = run_tick();
    const CnRenderItem *item = seen.render.items;
    assert_int_not_equal(item->mesh, item->material);
    assert_string_equal(cn_asset_name(world, item->mesh), "assets://box.mesh");
    assert_string_equal(cn_asset_name(world, item->material), "White");
    assert_int_equal(cn_asset_number(world, cn_text("White")), item->material);
    assert_int_equal(cn_asset_count(world), 2);
}

static void the_empty_name_is_zero(void **state)
{
    (void)state;
    CnEntity box = cn_object(world, "Box");
    cn_add(world, box, CnMeshRenderer);
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.items[0].mesh, 0);
    assert_string_equal(cn_asset_name(world, 0), "");
    assert_string_equal(cn_asset_name(world, 77), "");
}

static void equal_names_have_equal_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++)
        make_box("Box", CN_NO_PARENT);
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.item_count, 300);
    for (int i = 1; i < 300; i++)
        assert_int_equal(seen.render.items[i].mesh, seen.render.items[0].mesh);
}

static void a_name_that_was_written_shows_in_the_next_tick(void **state)
{
    (void)state;
    CnEntity box = make_box("Box", CN_NO_PARENT);
    run_tick();
    strcpy(cn_get_mut(world, box, CnMeshRenderer)->mesh, "assets://ball.mesh");
    CnTickSnapshot seen = run_tick();
    assert_string_equal(cn_asset_name(world, seen.render.items[0].mesh), "assets://ball.mesh");
}

static void numbers_stay_when_a_state_is_loaded(void **state)
{
    (void)state;
    make_box("Box", CN_NO_PARENT);
    uint32_t before = run_tick().render.items[0].mesh;
    CnSnapshot saved;
    assert_true(cn_world_save(world, &saved, NULL));
    assert_true(cn_world_load(world, saved.bytes, saved.size, NULL));
    cn_snapshot_free(&saved);
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.item_count, 1);
    assert_int_equal(seen.render.items[0].mesh, before);
}

static void names_beyond_the_limit_have_no_number(void **state)
{
    (void)state;
    char name[32];
    for (uint32_t i = 0; i < CN_MAX_ASSETS; i++) {
        cn_format(name, sizeof name, "asset %u", i);
        assert_int_equal(cn_asset_number(world, cn_text(name)), i + 1);
    }
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_int_equal(cn_asset_number(world, cn_text("one more")), 0);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(cn_asset_number(world, cn_text("asset 7")), 8);
}

static void what_is_not_visible_is_not_seen(void **state)
{
    (void)state;
    CnEntity box = make_box("Box", CN_NO_PARENT), other = make_box("Other", CN_NO_PARENT);
    cn_get_mut(world, box, CnMeshRenderer)->visible = false;
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.item_count, 1);
    assert_true(cn_entity_equal(seen.render.items[0].entity, other));
}

static void what_is_not_active_is_not_seen(void **state)
{
    (void)state;
    CnEntity parent = cn_object(world, "Parent");
    make_box("Box", parent);
    CnEntity lamp = make_light("Lamp", CN_LIGHT_POINT), eye = make_eye("Eye");
    cn_object_set_enabled(world, parent, false);
    cn_object_set_enabled(world, lamp, false);
    cn_object_set_enabled(world, eye, false);
    CnTickSnapshot seen = run_tick();
    assert_int_equal(seen.render.item_count, 0);
    assert_int_equal(seen.render.light_count, 0);
    assert_false(seen.render.camera.valid);
}

static void shadows_are_in_the_flags(void **state)
{
    (void)state;
    CnEntity box = make_box("Box", CN_NO_PARENT);
    assert_int_equal(run_tick().render.items[0].flags, 0);
    cn_get_mut(world, box, CnMeshRenderer)->casts_shadows = true;
    assert_int_equal(run_tick().render.items[0].flags, CN_RENDER_CASTS_SHADOWS);
}

/* ---- Seen: lights ---- */

static void a_light_is_seen_with_its_color_times_intensity(void **state)
{
    (void)state;
    CnEntity lamp = make_light("Lamp", CN_LIGHT_SPOT);
    CnLight *light = cn_get_mut(world, lamp, CnLight);
    light->color = (CnVec4){1, 0.5f, 0.25f, 1};
    light->intensity = 10;
    light->range = 7;
    light->inner = 60;
    light->outer = 90;
    cn_get_mut(world, lamp, CnTransform)->position = cn_vec3(1, 2, 3);
    cn_get_mut(world, lamp, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(-90, 0, 0));
    cn_get_mut(world, lamp, CnTransform)->scale = cn_vec3(3, 3, 3);
    CnTickSnapshot snapshot = run_tick();
    const CnRenderLight *seen = snapshot.render.lights;
    assert_int_equal(snapshot.render.light_count, 1);
    assert_int_equal(seen->kind, CN_LIGHT_SPOT);
    assert_true(seen->color.x == 10 && seen->color.y == 5 && seen->color.z == 2.5f);
    assert_true(seen->position.x == 1 && seen->position.y == 2 && seen->position.z == 3);
    assert_float_equal(seen->direction.y, -1, 1e-6); /* straight down */
    assert_float_equal(seen->inner_cosine, sqrt(0.75), 1e-6);
    assert_float_equal(seen->outer_cosine, sqrt(0.5), 1e-6);
    assert_true(seen->range == 7 && seen->flags == CN_RENDER_CASTS_SHADOWS);
}

/* ---- Seen: the camera ---- */

static void the_active_camera_is_seen(void **state)
{
    (void)state;
    make_eye("First");
    CnEntity eye = make_eye("Eye");
    cn_camera_set_active(world, eye);
    cn_camera_set_perspective(world, eye, 90, 0.5f, 200);
    cn_get_mut(world, eye, CnTransform)->position = cn_vec3(1, 2, 3);
    CnRenderCamera camera = run_tick().render.camera;
    assert_true(camera.valid);
    assert_float_equal(camera.fov, CN_PI / 2, 1e-6);
    assert_true(camera.near_plane == 0.5f && camera.far_plane == 200);
    assert_true(camera.position.x == 1 && camera.rotation.w == 1);
    assert_true(camera.height == 0 && camera.aspect == 0);
}

static void an_orthographic_camera_is_seen_with_its_height(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_set_orthographic(world, eye, 12, 1, 50);
    cn_camera_set_aspect(world, eye, 2);
    CnRenderCamera camera = run_tick().render.camera;
    assert_true(camera.valid && camera.height == 12 && camera.aspect == 2);
}

/* ---- Around it ---- */

static void a_world_without_observers_runs_too(void **state)
{
    (void)state;
    CnWorld *alone = cn_world_create(NULL, NULL);
    assert_true(cn_scene_add(alone, NULL));
    CnEntity box = cn_object(alone, "Box");
    cn_add(alone, box, CnMeshRenderer);
    assert_true(cn_world_update(alone, 1, NULL));
    assert_int_equal(cn_asset_count(alone), 0);
    cn_world_destroy(alone);
}

static void the_state_does_not_know_who_looks(void **state)
{
    (void)state;
    CnWorld *alone = cn_world_create(NULL, NULL);
    assert_true(cn_input_add(alone, NULL) && cn_scene_add(alone, NULL));
    CnWorld *worlds[] = {world, alone};
    for (int i = 0; i < 2; i++) {
        CnEntity box = cn_object(worlds[i], "Box");
        cn_add(worlds[i], box, CnMeshRenderer);
        cn_add(worlds[i], box, CnCamera);
    }
    for (int i = 0; i < 3; i++) {
        run_tick();
        assert_true(cn_world_update(alone, 1.0f / 60, NULL));
    }
    assert_true(cn_world_hash(world) == cn_world_hash(alone));
    cn_world_destroy(alone);
}

static uint64_t heap_calls_of_extraction(void)
{
    cn_outbox_begin(outbox, ++tick, 0);
    for (CnStage stage = CN_STAGE_INPUT; stage < CN_STAGE_PRE_EXTRACT; stage++)
        assert_true(cn_world_run_stage(world, stage, 1.0f / 60, NULL));
    uint64_t before = cn_heap_stats(heap).calls;
    assert_true(cn_world_run_stage(world, CN_STAGE_PRE_EXTRACT, 1.0f / 60, NULL));
    cn_outbox_publish(outbox);
    return cn_heap_stats(heap).calls - before;
}

static void extraction_makes_no_heap_call_after_the_first_few_ticks(void **state)
{
    (void)state;
    CnEntity parent = cn_object(world, "Parent");
    for (int i = 0; i < 500; i++)
        make_box("Box", i % 3 ? CN_NO_PARENT : parent);
    make_light("Sun", CN_LIGHT_DIRECTIONAL);
    make_eye("Eye");
    for (int i = 0; i < 10; i++)
        run_tick();
    for (int i = 0; i < 20; i++) {
        cn_get_mut(world, parent, CnTransform)->rotation =
            cn_quat_from_euler(cn_vec3(0, (float)i, 0));
        cn_get_mut(world, cn_object_find(world, "Box"), CnMeshRenderer)->visible = i % 2;
        assert_int_equal(heap_calls_of_extraction(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PRESENTATION_TEST(a_new_light_is_a_white_point_light),
        PRESENTATION_TEST(a_new_mesh_is_visible),
        PRESENTATION_TEST(a_new_sound_is_as_it_was_recorded),
        PRESENTATION_TEST(components_have_the_names_of_the_document),
        PRESENTATION_TEST(the_state_of_the_engine_is_not_reflected),
        PRESENTATION_TEST(the_sun_is_the_first_directional_light),
        PRESENTATION_TEST(a_sun_that_is_not_active_does_not_shine),
        PRESENTATION_TEST(meshes_are_seen_where_they_are_in_the_world),
        PRESENTATION_TEST(a_mesh_that_moves_is_seen_moving),
        PRESENTATION_TEST(names_are_numbers_that_can_be_requested),
        PRESENTATION_TEST(the_empty_name_is_zero),
        PRESENTATION_TEST(equal_names_have_equal_numbers),
        PRESENTATION_TEST(a_name_that_was_written_shows_in_the_next_tick),
        PRESENTATION_TEST(numbers_stay_when_a_state_is_loaded),
        PRESENTATION_TEST(names_beyond_the_limit_have_no_number),
        PRESENTATION_TEST(what_is_not_visible_is_not_seen),
        PRESENTATION_TEST(what_is_not_active_is_not_seen),
        PRESENTATION_TEST(shadows_are_in_the_flags),
        PRESENTATION_TEST(a_light_is_seen_with_its_color_times_intensity),
        PRESENTATION_TEST(the_active_camera_is_seen),
        PRESENTATION_TEST(an_orthographic_camera_is_seen_with_its_height),
        PRESENTATION_TEST(a_world_without_observers_runs_too),
        PRESENTATION_TEST(the_state_does_not_know_who_looks),
        PRESENTATION_TEST(extraction_makes_no_heap_call_after_the_first_few_ticks),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}

/* camera: what scripts do with the active camera. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/log.h>
#include <cairn/scene/camera_motion.h>
#include <string.h>

static ScriptWorld w;
static CnEntity eye;

static int make(void **state)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!script_world_init(&w, &(ScriptWorldDesc){.sandboxed = *state != NULL}))
        return -1;
    eye = cn_object(w.world, "Eye");
    return cn_add(w.world, eye, CnCamera) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

static void run(const char *code, uint64_t ticks)
{
    char text[512];
    cn_format(text, sizeof text, "function on_init() %s end", code);
    CnEntity object = script_add(&w, "Script", text);
    assert_true(script_tick(&w, ticks));
    assert_string_equal(script_error(&w, object), "");
}

static void assert_refused(const char *code, const char *expected)
{
    char text[512];
    cn_format(text, sizeof text, "function on_init() %s end", code);
    CnEntity object = script_add(&w, "Script", text);
    assert_true(script_tick(&w, 1));
    if (!strstr(script_error(&w, object), expected))
        fail_msg("%s: %s", code, script_error(&w, object));
}

static CnVec3 place(void)
{
    return cn_transform_world_position(w.world, eye);
}

static void another_camera_becomes_active(void **state)
{
    (void)state;
    CnEntity other = cn_object(w.world, "Other");
    assert_true(cn_add(w.world, other, CnCamera));
    run("assert(camera.active.name == 'Eye') camera.active = getObject('Other')\n"
        "assert(camera.active.name == 'Other')",
        1);
    assert_int_equal(cn_camera_active(w.world).id, other.id);
}

static void the_field_of_view_changes(void **state)
{
    (void)state;
    run("assert(camera.fov == 60) camera.fov = 30", 1);
    assert_true(cn_get(w.world, eye, CnCamera)->fov == 30);
}

static void it_looks_at_a_place_or_an_object(void **state)
{
    (void)state;
    run("camera.lookAt(Vec3(10, 0, 0))", 1);
    CnVec3 forward = cn_transform_world_forward(w.world, eye);
    assert_float_equal(forward.x, 1, 1e-4);
    run("spawn {name = 'Below', position = Vec3(0, -5, 0)} camera.lookAt(getObject('Below'))", 1);
    forward = cn_transform_world_forward(w.world, eye);
    assert_float_equal(forward.y, -1, 1e-4);
}

static void it_follows_an_object(void **state)
{
    (void)state;
    run("camera.follow(getObject('Car'), {offset = Vec3(0, 3, 4)})", 1);
    cn_get_mut(w.world, w.car, CnTransform)->position = cn_vec3(10, 1, 2);
    assert_true(script_tick(&w, 1));
    assert_true(place().x == 10 && place().y == 4 && place().z == 6);
    CnVec3 forward = cn_transform_world_forward(w.world, eye);
    assert_float_equal(forward.z, -.8, 1e-4);
    run("camera.follow(nil)", 1);
    cn_get_mut(w.world, w.car, CnTransform)->position = cn_vec3(0, 0, 0);
    assert_true(script_tick(&w, 1));
    assert_true(place().x == 10);
}

static void smoothing_takes_its_time(void **state)
{
    (void)state;
    run("camera.follow(getObject('Car'), {offset = Vec3(0, 0, 0), smoothing = .5, looks = false})",
        1);
    cn_get_mut(w.world, w.car, CnTransform)->position = cn_vec3(10, 0, 0);
    assert_true(script_tick(&w, 30));
    assert_true(place().x > 5.5f && place().x < 7);
    assert_true(script_tick(&w, 300));
    assert_float_equal(place().x, 10, .05);
}

static void the_offset_turns_with_the_object(void **state)
{
    (void)state;
    run("camera.follow(getObject('Car'), {offset = Vec3(0, 0, 4), turns = true})", 1);
    cn_get_mut(w.world, w.car, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    assert_true(script_tick(&w, 1));
    assert_float_equal(place().x - cn_get(w.world, w.car, CnTransform)->position.x, 4, 1e-3);
}

static void shaking_moves_the_image_and_not_the_object(void **state)
{
    (void)state;
    CnVec3 before = place();
    run("camera.shake(.5, .5)", 2);
    assert_true(cn_vec3_length(cn_camera_shake_offset(w.world, eye)) > .01f);
    assert_true(script_tick(&w, 40));
    assert_true(cn_vec3_length(cn_camera_shake_offset(w.world, eye)) == 0);
    CnVec3 after = place();
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_weaker_shake_does_not_end_a_stronger_one(void **state)
{
    (void)state;
    run("camera.shake(2, 1) camera.shake(.1, .2)", 1);
    assert_true(cn_get(w.world, eye, CnCameraShake)->strength == 2);
}

static void wrong_values_are_errors(void **state)
{
    (void)state;
    assert_refused("camera.fov = 200", "'fov' must be from");
    assert_refused("camera.fov = 'wide'", "number");
    assert_refused("camera.active = getObject('Car')", "no CameraComponent");
    assert_refused("camera.shake(-1, 1)", "shake: strength and seconds");
    assert_refused("camera.shake(1, 0/0)", "shake: strength and seconds");
    assert_refused("camera.lookAt('Car')", "Vec3");
    assert_refused("camera.follow(getObject('Car'), {ofset = Vec3(0, 0, 0)})", "offset");
    cn_destroy(w.world, eye);
    assert_refused("camera.shake(1, 1)", "there is no active camera");
}

int main(void)
{
    static char sandboxed[] = "sandboxed";
#define BOTH(test)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(test, make, drop, NULL),                              \
        cmocka_unit_test_prestate_setup_teardown(test, make, drop, sandboxed)
    const struct CMUnitTest tests[] = {
        BOTH(another_camera_becomes_active),
        BOTH(the_field_of_view_changes),
        BOTH(it_looks_at_a_place_or_an_object),
        BOTH(it_follows_an_object),
        BOTH(smoothing_takes_its_time),
        BOTH(the_offset_turns_with_the_object),
        BOTH(shaking_moves_the_image_and_not_the_object),
        BOTH(a_weaker_shake_does_not_end_a_stronger_one),
        BOTH(wrong_values_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

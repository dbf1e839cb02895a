/* Movement of the view: continuous, the same at every frame rate, and off when it is disabled. */
#include "crafty/client/camera_motion.h"

#include "cmocka_tests.h"

#include <math.h>

static const CraftyViewOptions all = {.bobs = true, .kicks_fov = true};
static const CraftyViewOptions calm = {.bobs = true, .kicks_fov = true, .reduces_motion = true};
static const float rates[] = {1.0f / 30, 1.0f / 60, 1.0f / 144};

/* ---- Steps ---- */

/* The height of the eye at `seconds` for a player who walks up a step of half a block in the tick
 * that begins at 0.1 s; between ticks it is interpolated. */
static float body_height(float seconds)
{
    float part = (seconds - 0.1f) * 60;
    return 10 + 0.5f * (part < 0 ? 0 : part > 1 ? 1 : part);
}

static void the_eye_glides_over_a_step(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(rates); i++) {
        CraftyCameraMotion motion = {0};
        float last = 10, largest = 0;
        for (uint32_t frame = 0; (float)frame * rates[i] < 0.5f; frame++) {
            float now = (float)frame * rates[i];
            CraftyEye eye = {.position = {0, body_height(now), 0}, .grounded = true};
            CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &calm, rates[i]);
            float speed = (camera.position.y - last) / rates[i];
            largest = speed > largest ? speed : largest;
            assert_true(camera.position.y >= last - 1e-4f); /* it never sinks */
            last = camera.position.y;
        }
        assert_true(largest < 16); /* blocks per second; without gliding: 30 */
        assert_true(fabsf(last - 10.5f) < 1e-3f);
    }
}

static void a_step_takes_about_a_tenth_of_a_second(void **state)
{
    (void)state;
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {0, 10, 0}, .grounded = true};
    crafty_camera_motion_frame(&motion, &eye, &calm, 1.0f / 240);
    eye.position.y = 11;
    float after_50_ms = 0, after_150_ms = 0;
    for (uint32_t i = 1; i <= 36; i++) {
        CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &calm, 1.0f / 240);
        after_50_ms = i == 12 ? camera.position.y : after_50_ms;
        after_150_ms = camera.position.y;
    }
    assert_true(after_50_ms > 10.4f && after_50_ms < 10.95f);
    assert_true(after_150_ms > 10.97f);
}

static void a_jump_is_not_smoothed(void **state)
{
    (void)state;
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {0, 10, 0}, .grounded = true};
    crafty_camera_motion_frame(&motion, &eye, &calm, 1.0f / 60);
    for (uint32_t i = 0; i < 20; i++) {
        eye.position.y += 9.0f / 60;
        eye.grounded = false;
        CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &calm, 1.0f / 60);
        assert_true(camera.position.y == eye.position.y);
    }
}

static void a_teleport_is_shown_at_once(void **state)
{
    (void)state;
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {0, 10, 0}, .grounded = true};
    crafty_camera_motion_frame(&motion, &eye, &all, 1.0f / 60);
    eye.position = cn_vec3(100, 30, -50);
    CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &all, 1.0f / 60);
    assert_true(camera.position.x == 100 && camera.position.y == 30 && camera.position.z == -50);
}

/* ---- Sneaking, bobbing, roll, field of view ---- */

static void sneaking_lowers_the_eye_smoothly(void **state)
{
    (void)state;
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {0, 10, 0}, .grounded = true};
    crafty_camera_motion_frame(&motion, &eye, &all, 1.0f / 60);
    eye.sneaks = true;
    float last = 10;
    for (uint32_t i = 0; i < 30; i++) {
        CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &all, 1.0f / 60);
        assert_true(camera.position.y <= last && last - camera.position.y < 0.08f);
        last = camera.position.y;
    }
    assert_true(fabsf(last - (10 - CRAFTY_SNEAK_DROP)) < 1e-3f);
}

/* Walks along x for two seconds and returns the position at the end. */
static CraftyCamera walk(float seconds, const CraftyViewOptions *options, float *widest)
{
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.rotation = {0, 0, 0, 1}, .grounded = true};
    CraftyCamera camera = {0};
    CnVec2 last = {0, 0};
    *widest = 0;
    for (uint32_t i = 0; i <= (uint32_t)(2 / seconds + 0.5f); i++) {
        eye.position = cn_vec3(4.3f * seconds * (float)i, 10, 0);
        camera = crafty_camera_motion_frame(&motion, &eye, options, seconds);
        float side = fabsf(camera.bob.x - last.x), up = fabsf(camera.bob.y - last.y);
        assert_true(side < 0.4f * seconds && up < 0.6f * seconds + 1e-5f); /* continuous */
        *widest = fabsf(camera.bob.x) > *widest ? fabsf(camera.bob.x) : *widest;
        last = camera.bob;
    }
    return camera;
}

static void the_view_bobs_with_the_distance_walked(void **state)
{
    (void)state;
    float widest[3];
    CraftyCamera at_30 = walk(rates[0], &all, &widest[0]), at_60 = walk(rates[1], &all, &widest[1]),
                 at_144 = walk(rates[2], &all, &widest[2]);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(widest[i] > 0.02f && widest[i] < 0.05f);
    assert_true(fabsf(at_30.bob.x - at_144.bob.x) < 2e-3f);
    assert_true(fabsf(at_60.bob.y - at_144.bob.y) < 2e-3f);
}

static void without_bobbing_the_view_follows_the_eye(void **state)
{
    (void)state;
    float widest;
    CraftyViewOptions none = {.kicks_fov = true};
    CraftyCamera camera = walk(1.0f / 60, &none, &widest);
    assert_true(widest == 0 && camera.position.y == 10);
    walk(1.0f / 60, &calm, &widest);
    assert_true(widest == 0);
}

static void who_stands_does_not_bob(void **state)
{
    (void)state;
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {5, 10, 5}, .grounded = true};
    for (uint32_t i = 0; i < 60; i++) {
        CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &all, 1.0f / 60);
        assert_true(camera.bob.x == 0 && camera.bob.y == 0);
    }
}

static float roll_of(CnQuat rotation)
{
    CnVec3 right = cn_quat_rotate(rotation, cn_vec3(1, 0, 0));
    return asinf(right.y) * 180 / CN_PIF;
}

static void the_view_rolls_when_the_player_is_hurt_and_comes_back(void **state)
{
    (void)state;
    for (int is_calm = 0; is_calm < 2; is_calm++) {
        CraftyCameraMotion motion = {0};
        CraftyEye eye = {.rotation = {0, 0, 0, 1}, .is_hurt = true};
        float largest = 0, last = 0;
        for (uint32_t i = 0; i < 60; i++) {
            CraftyCamera camera =
                crafty_camera_motion_frame(&motion, &eye, is_calm ? &calm : &all, 1.0f / 60);
            eye.is_hurt = false;
            last = fabsf(roll_of(camera.rotation));
            largest = last > largest ? last : largest;
        }
        assert_true(last == 0);
        assert_true(is_calm ? largest == 0 : largest > 2 && largest < 8);
    }
}

static void sprinting_widens_the_field_of_view(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        const CraftyViewOptions options[] = {all, {.bobs = true}, calm};
        CraftyCameraMotion motion = {0};
        CraftyEye eye = {.grounded = true, .sprints = true};
        CraftyCamera camera = {0};
        float last = 1;
        for (uint32_t j = 0; j < 60; j++) {
            camera = crafty_camera_motion_frame(&motion, &eye, &options[i], 1.0f / 60);
            assert_true(camera.fov_factor - last < 0.03f);
            last = camera.fov_factor;
        }
        assert_true(i == 0 ? camera.fov_factor > 1.05f : camera.fov_factor == 1);
    }
}

static void bad_frame_times_do_no_harm(void **state)
{
    (void)state;
    const float times[] = {0, -1, NAN, INFINITY, 1e9f, 1.0f / 60};
    CraftyCameraMotion motion = {0};
    CraftyEye eye = {.position = {1, 2, 3}, .rotation = {0, 0, 0, 1}, .sprints = true};
    for (uint32_t i = 0; i < CN_COUNT_OF(times); i++) {
        CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &all, times[i]);
        assert_true(isfinite(camera.position.x) && isfinite(camera.position.y) &&
                    isfinite(camera.fov_factor));
    }
}

/* ---- Look ---- */

static float yaw_of(CnQuat rotation)
{
    return cn_quat_to_euler(rotation).y;
}

static CnQuat turned_by(float yaw, float pitch)
{
    return cn_quat_from_euler(cn_vec3(pitch, yaw, 0));
}

/* The simulation turns by what it got since its last tick. At 144 frames per second most frames
 * have no tick. */
static void the_view_shows_mouse_motion_before_its_tick(void **state)
{
    (void)state;
    CraftyLook look = {0};
    float simulated = 0, waiting = 0, expected = 0;
    double clock = 0;
    crafty_look_frame(&look, turned_by(0, 0), 0, 0, false);
    for (uint32_t i = 0; i < 300; i++) {
        float motion = 0.1f * (float)(i % 5);
        crafty_look_add(&look, motion, 0);
        waiting += motion;
        expected -= motion;
        uint32_t ticks = 0;
        for (clock += 60.0 / 144; clock >= 1; clock--)
            ticks++;
        if (ticks) {
            simulated -= waiting;
            waiting = 0;
        }
        CnQuat shown =
            crafty_look_frame(&look, turned_by(simulated, 0), ticks, (float)clock, false);
        float wrong = yaw_of(shown) - expected;
        wrong -= 360 * roundf(wrong / 360);
        assert_true(fabsf(wrong) < 0.01f);
    }
}

static void a_stick_turns_the_view_evenly_between_ticks(void **state)
{
    (void)state;
    CraftyLook look = {0};
    double clock = 0;
    float simulated = 0, last = 0;
    crafty_look_frame(&look, turned_by(0, 0), 0, 0, true);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t ticks = 0;
        for (clock += 60.0 / 144; clock >= 1; clock--) {
            ticks++;
            simulated += 1.5f; /* degrees per tick */
        }
        float yaw =
            yaw_of(crafty_look_frame(&look, turned_by(simulated, 0), ticks, (float)clock, true));
        if (i > 5)
            assert_true(fabsf(yaw - last - 1.5f * 60 / 144) < 0.01f);
        last = yaw;
    }
}

static void the_view_does_not_turn_over(void **state)
{
    (void)state;
    CraftyLook look = {0};
    crafty_look_frame(&look, turned_by(0, 80), 1, 0, false);
    crafty_look_add(&look, 0, 500);
    CnVec3 angles = cn_quat_to_euler(crafty_look_frame(&look, turned_by(0, 80), 0, 0, false));
    assert_true(angles.x > 88 && angles.x < 89.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_eye_glides_over_a_step),
        cmocka_unit_test(a_step_takes_about_a_tenth_of_a_second),
        cmocka_unit_test(a_jump_is_not_smoothed),
        cmocka_unit_test(a_teleport_is_shown_at_once),
        cmocka_unit_test(sneaking_lowers_the_eye_smoothly),
        cmocka_unit_test(the_view_bobs_with_the_distance_walked),
        cmocka_unit_test(without_bobbing_the_view_follows_the_eye),
        cmocka_unit_test(who_stands_does_not_bob),
        cmocka_unit_test(the_view_rolls_when_the_player_is_hurt_and_comes_back),
        cmocka_unit_test(sprinting_widens_the_field_of_view),
        cmocka_unit_test(bad_frame_times_do_no_harm),
        cmocka_unit_test(the_view_shows_mouse_motion_before_its_tick),
        cmocka_unit_test(a_stick_turns_the_view_evenly_between_ticks),
        cmocka_unit_test(the_view_does_not_turn_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

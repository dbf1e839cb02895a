/* Paths of the camera. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/client/tour.h>
#include <crafty/world/viewpoint.h>

static CraftyWorld *world;

static int make_world(void **state)
{
    (void)state;
    world = crafty_world_create(&(CraftyWorldDesc){.seed = 42, .workers = CN_JOBS_NONE}, NULL);
    return world ? 0 : -1;
}

static int end_world(void **state)
{
    (void)state;
    crafty_world_destroy(world);
    return 0;
}

static CraftyTourKey key(float seconds, float x, float hours)
{
    return (CraftyTourKey){.seconds = seconds, .pose = {.position = {x, 0, 0}}, .hours = hours};
}

static void a_tour_goes_through_its_keys(void **state)
{
    (void)state;
    CraftyTour tour = {.keys = {key(0, 0, 1), key(1, 10, 2), key(3, 5, 3)}, .count = 3};
    for (uint32_t i = 0; i < tour.count; i++) {
        CraftyTourMoment moment = crafty_tour_at(&tour, tour.keys[i].seconds);
        assert_float_equal(moment.pose.position.x, tour.keys[i].pose.position.x, 1e-5);
        assert_float_equal(moment.hours, tour.keys[i].hours, 1e-5);
        assert_int_equal(moment.key, i);
    }
}

static void before_and_after_a_tour_the_camera_stands(void **state)
{
    (void)state;
    CraftyTour tour = {.keys = {key(0, 4, 1), key(1, 10, 2)}, .count = 2};
    assert_float_equal(crafty_tour_at(&tour, -5).pose.position.x, 4, 0);
    assert_float_equal(crafty_tour_at(&tour, 50).pose.position.x, 10, 0);
}

static void a_jump_is_not_led_up_to(void **state)
{
    (void)state;
    CraftyTour tour = {.keys = {key(0, 0, 1), key(1, 1000, 2)}, .count = 2};
    tour.keys[1].jumps = true;
    assert_float_equal(crafty_tour_at(&tour, 0.99f).pose.position.x, 0, 0);
    assert_float_equal(crafty_tour_at(&tour, 1).pose.position.x, 1000, 0);
}

static void midnight_is_passed_the_short_way(void **state)
{
    (void)state;
    CraftyTour tour = {.keys = {key(0, 0, 23), key(1, 0, 1)}, .count = 2};
    float hours = crafty_tour_at(&tour, 0.25f).hours;
    assert_float_equal(hours, 23.5f, 1e-4);
}

static void the_flight_keeps_its_speed_and_stays_above_ground(void **state)
{
    (void)state;
    static CraftyTour tour;
    CraftyPose spawn = {.position = {0, 80, 0}, .yaw = 30};
    crafty_tour_plan(&tour, "flight", world, &spawn);
    assert_true(crafty_tour_seconds(&tour) >= 30);
    CnVec3 last = crafty_tour_at(&tour, 0).pose.position;
    for (float seconds = 0.5f; seconds < 20; seconds += 0.5f) {
        CnVec3 now = crafty_tour_at(&tour, seconds).pose.position;
        float dx = now.x - last.x, dz = now.z - last.z;
        assert_float_equal(cn_sqrtf(dx * dx + dz * dz), 10, 0.3);
        CnColumn column =
            cn_generate_column(crafty_world_generator(world), crafty_world_scratch(world),
                               (int32_t)now.x, (int32_t)now.z);
        assert_true(now.y > column.height + 4);
        last = now;
    }
}

static void the_spawn_is_dry_and_free(void **state)
{
    (void)state;
    CraftyPose spawn = crafty_find_spawn(world);
    CnCell eye = {(int32_t)cn_floorf(spawn.position.x), (int32_t)cn_floorf(spawn.position.y),
                  (int32_t)cn_floorf(spawn.position.z)};
    CnCell below = {eye.x, cn_voxels_height(crafty_world_voxels(world), eye.x, eye.z), eye.z};
    assert_true(cn_voxels_get(crafty_world_voxels(world), eye) == CN_BLOCK_AIR);
    assert_true(below.y < eye.y);
    assert_false(standard_blocks()->flags[cn_voxels_get(crafty_world_voxels(world), below)] &
                 CN_BLOCK_IS_WATER);
}

static void the_same_seed_has_the_same_spawn(void **state)
{
    (void)state;
    CraftyWorld *other =
        crafty_world_create(&(CraftyWorldDesc){.seed = 42, .workers = CN_JOBS_NONE}, NULL);
    CraftyPose a = crafty_find_spawn(world), b = crafty_find_spawn(other);
    assert_memory_equal(&a, &b, sizeof a);
    crafty_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tour_goes_through_its_keys),
        cmocka_unit_test(before_and_after_a_tour_the_camera_stands),
        cmocka_unit_test(a_jump_is_not_led_up_to),
        cmocka_unit_test(midnight_is_passed_the_short_way),
        cmocka_unit_test(the_flight_keeps_its_speed_and_stays_above_ground),
        cmocka_unit_test(the_spawn_is_dry_and_free),
        cmocka_unit_test(the_same_seed_has_the_same_spawn),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}

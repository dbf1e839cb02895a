/*
 * Where new players stand, over 64 seeds: on dry, flat, open ground, with a free view and trees
 * within walking distance.
 */
#include "cmocka_tests.h"

#include <crafty/world/viewpoint.h>

#include <string.h>

#define SEEDS 64u
#define ROOM 2      /* blocks around the player that are free */
#define FREE 24.0f  /* blocks that the player looks ahead, at least */
#define WALK 48     /* blocks to the nearest tree, at most */
#define MAX_FAR 400 /* blocks from the origin */

static CraftyPose poses[SEEDS];

static CraftyWorld *make_world(uint64_t seed)
{
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.seed = seed, .workers = CN_JOBS_NONE}, NULL);
    assert_non_null(world);
    return world;
}

static CnCell cell_of(CnVec3 at)
{
    return (CnCell){(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y), (int32_t)cn_floorf(at.z)};
}

static CnCell feet_of(CnVec3 eye)
{
    return cell_of(cn_vec3(eye.x, eye.y - CRAFTY_EYE_HEIGHT + 0.1f, eye.z));
}

static uint8_t flags_at(CnVoxels *voxels, CnCell cell)
{
    return cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, cell)];
}

/* ---- What is asked of a spawn ---- */

static bool stands_on_dry_ground(CnVoxels *voxels, const CraftyPose *pose)
{
    CnCell feet = feet_of(pose->position), below = {feet.x, feet.y - 1, feet.z};
    return (flags_at(voxels, below) & CN_BLOCK_IS_OPAQUE) &&
           !(flags_at(voxels, feet) & (CN_BLOCK_IS_WATER | CN_BLOCK_COLLIDES)) &&
           feet.y > CN_SEA_LEVEL && cn_voxels_height(voxels, feet.x, feet.z) == below.y;
}

static bool has_room(CnVoxels *voxels, const CraftyPose *pose)
{
    CnCell feet = feet_of(pose->position);
    for (int32_t z = -ROOM; z <= ROOM; z++)
        for (int32_t x = -ROOM; x <= ROOM; x++) {
            int32_t top = cn_voxels_height(voxels, feet.x + x, feet.z + z);
            if (top > feet.y || top < feet.y - 2)
                return false;
        }
    return true;
}

static bool has_a_view(CnVoxels *voxels, const CraftyPose *pose)
{
    static const float turns[] = {-10, 0, 10};
    for (uint32_t i = 0; i < CN_COUNT_OF(turns); i++) {
        CnVoxelHit hit;
        CnVec3 way = cn_quat_rotate(cn_quat_from_euler(cn_vec3(1, pose->yaw + turns[i], 0)),
                                    cn_vec3(0, 0, -1));
        if (cn_voxels_raycast(voxels, pose->position, way, FREE, CN_VOXEL_RAY_SOLID, &hit))
            return false;
    }
    return true;
}

static bool is_log(CnVoxels *voxels, CnCell cell)
{
    const char *name = cn_block_info(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell))->name;
    return strstr(name, "_log") != NULL;
}

static bool has_a_tree(CnVoxels *voxels, const CraftyPose *pose)
{
    CnCell feet = feet_of(pose->position);
    for (int32_t z = -WALK; z <= WALK; z++)
        for (int32_t x = -WALK; x <= WALK; x++) {
            int32_t top = cn_voxels_height(voxels, feet.x + x, feet.z + z);
            for (int32_t y = top; y > top - 6; y--)
                if (is_log(voxels, (CnCell){feet.x + x, y, feet.z + z}))
                    return true;
        }
    return false;
}

/* ---- Over all seeds ---- */

static int find_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SEEDS; i++) {
        CraftyWorld *world = make_world(i + 1);
        poses[i] = crafty_find_spawn(world);
        crafty_world_destroy(world);
    }
    return 0;
}

static void check_all(bool (*is_good)(CnVoxels *voxels, const CraftyPose *pose), uint32_t most_bad)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < SEEDS; i++) {
        CraftyWorld *world = make_world(i + 1);
        if (!is_good(crafty_world_voxels(world), &poses[i])) {
            bad++;
            print_message("seed %u: %.1f %.1f %.1f, yaw %.0f\n", i + 1, (double)poses[i].position.x,
                          (double)poses[i].position.y, (double)poses[i].position.z,
                          (double)poses[i].yaw);
        }
        crafty_world_destroy(world);
    }
    if (bad > most_bad)
        fail_msg("%u of %u seeds", bad, SEEDS);
}

static void every_spawn_is_on_dry_ground_under_the_sky(void **state)
{
    (void)state;
    check_all(stands_on_dry_ground, 0);
}

static void every_spawn_has_room(void **state)
{
    (void)state;
    check_all(has_room, 0);
}

static void every_spawn_has_a_free_view(void **state)
{
    (void)state;
    check_all(has_a_view, 0);
}

static void every_spawn_has_a_tree_within_walking_distance(void **state)
{
    (void)state;
    check_all(has_a_tree, 0);
}

static void every_spawn_is_near_the_origin(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SEEDS; i++)
        assert_in_range(cn_vec3_length(cn_vec3(poses[i].position.x, 0, poses[i].position.z)), 0,
                        MAX_FAR);
}

static void a_walking_player_is_not_moved_from_the_spawn(void **state)
{
    (void)state;
    CraftyWorld *world = make_world(1);
    CnVec3 ground = crafty_ground_near(world, poses[0].position);
    assert_memory_equal(&ground, &poses[0].position, sizeof ground);
    crafty_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spawn_is_on_dry_ground_under_the_sky),
        cmocka_unit_test(every_spawn_has_room),
        cmocka_unit_test(every_spawn_has_a_free_view),
        cmocka_unit_test(every_spawn_has_a_tree_within_walking_distance),
        cmocka_unit_test(every_spawn_is_near_the_origin),
        cmocka_unit_test(a_walking_player_is_not_moved_from_the_spawn),
    };
    return cmocka_run_group_tests(tests, find_all, NULL);
}

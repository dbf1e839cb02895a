/* Blocks that do not fill their cell: registration, bodies, rays, placing, water. */
#include "random.h"
#include "voxel_room.h"
#include "water_world.h"

#include <cairn/voxel/interact.h>
#include <math.h>
#include <string.h>

#define Y ROOM_FLOOR
#define SKIN 0.002f /* more than CN_VOXEL_SKIN */

static CnBlock block(const char *name)
{
    CnBlock found = cn_block_find(standard_blocks(), name);
    assert_int_not_equal(found, CN_BLOCK_NONE);
    return found;
}

static bool is_about(float a, float b)
{
    return fabsf(a - b) < SKIN;
}

static CnVoxelBox player_at(float x, float y, float z)
{
    return (CnVoxelBox){{x - 0.3f, y, z - 0.3f}, {x + 0.3f, y + 1.8f, z + 0.3f}};
}

/* ---- Registration ---- */

static bool is_accepted(const CnBlockShape *shape, CnBlockMaterial material, CnError *error)
{
    CnBlockTable *table = cn_block_table_create(NULL, NULL);
    CnBlockInfo info = cn_block_info_default("shaped");
    info.material = (uint8_t)material;
    info.shape = shape;
    bool accepted = cn_block_table_add(table, &info, NULL, error);
    cn_block_table_destroy(table);
    return accepted;
}

static void a_table_copies_shapes(void **state)
{
    (void)state;
    CnBlockTable *table = cn_block_table_create(NULL, NULL);
    CnBlockShape shape = {1, {{{0, 0, 0}, {16, 8, 16}}}};
    CnBlockInfo info = cn_block_info_default("shaped");
    CnBlock number;
    info.material = CN_BLOCK_MATERIAL_PROP;
    info.shape = &shape;
    assert_true(cn_block_table_add(table, &info, &number, NULL));
    shape.boxes[0].high[1] = 3;
    const CnBlockShape *kept = cn_block_shape(table, number);
    assert_true(kept && kept != &shape && kept->count == 1 && kept->boxes[0].high[1] == 8);
    cn_block_table_destroy(table);
}

static void shapes_that_are_not_valid_are_refused(void **state)
{
    (void)state;
    static const struct {
        CnBlockShape shape;
        const char *message;
    } cases[] = {
        {{0}, "does not have 1 to 8 boxes"},
        {{9, {{{0, 0, 0}, {1, 1, 1}}}}, "does not have 1 to 8 boxes"},
        {{1, {{{4, 0, 0}, {4, 1, 1}}}}, "is empty or reaches out"},
        {{1, {{{4, 0, 0}, {5, 1, 17}}}}, "is empty or reaches out"},
        {{8,
          {{{0, 0, 1}, {16, 1, 2}}, /* a grid of bars */
           {{0, 0, 4}, {16, 1, 5}},
           {{0, 0, 7}, {16, 1, 8}},
           {{0, 0, 10}, {16, 1, 11}},
           {{1, 0, 0}, {2, 1, 16}},
           {{4, 0, 0}, {5, 1, 16}},
           {{7, 0, 0}, {8, 1, 16}},
           {{10, 0, 0}, {11, 1, 16}}}},
         "more than 64 faces"},
    };
    for (size_t i = 0; i < CN_COUNT_OF(cases); i++) {
        CnError error = {0};
        assert_false(is_accepted(&cases[i].shape, CN_BLOCK_MATERIAL_PROP, &error));
        assert_non_null(strstr(error.message, cases[i].message));
        assert_non_null(strstr(error.message, "'shaped'"));
    }
}

static void only_props_have_shapes(void **state)
{
    (void)state;
    static const CnBlockShape slab = {1, {{{0, 0, 0}, {16, 8, 16}}}};
    CnError error = {0};
    assert_false(is_accepted(&slab, CN_BLOCK_MATERIAL_OPAQUE, &error));
    assert_non_null(strstr(error.message, "material"));
    assert_true(is_accepted(&slab, CN_BLOCK_MATERIAL_PROP, &error));
}

/* ---- Bodies ---- */

static void bodies_stand_on_slabs(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, block("stone_slab"));
    CnVoxelSweep sweep =
        cn_voxels_sweep(room.world, player_at(0.5f, Y + 3, 0.5f), (CnVec3){0, -9, 0});
    assert_true(sweep.on_ground && is_about(sweep.moved.y, -2.5f));
    room_close(&room);
}

static void bodies_stop_at_slabs_above_them(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y + 3, 0, block("stone_slab_top"));
    CnVoxelSweep sweep =
        cn_voxels_sweep(room.world, player_at(0.5f, Y + 1, 0.5f), (CnVec3){0, 9, 0});
    assert_true(sweep.hit[1] && is_about(sweep.moved.y, 0.7f));
    room_close(&room);
}

/* A closed door stands at the side of its cell that it faces. */
static void bodies_in_the_cell_of_a_door_stop_at_it(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, block("oak_door_north_lower"));
    room_put(&room, 0, Y + 1, 0, block("oak_door_north_upper"));
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0.5f, Y, 0.65f), (CnVec3){0, 0, -3});
    assert_true(sweep.hit[2] && is_about(sweep.moved.z, 3 / 16.0f - 0.35f));
    sweep = cn_voxels_sweep(room.world, player_at(0.5f, Y, -1.5f), (CnVec3){0, 0, 3});
    assert_true(sweep.hit[2] && is_about(sweep.moved.z, 1.2f));
    room_close(&room);
}

static void bodies_walk_through_open_doors(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, block("oak_door_north_open_lower"));
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0.4f, Y, -1.5f), (CnVec3){0, 0, 3});
    assert_true(!sweep.hit[2] && sweep.moved.z == 3);
    assert_true(cn_voxels_overlap(room.world, player_at(0.6f, Y, 0.5f)));
    assert_false(cn_voxels_overlap(room.world, player_at(0.5f, Y, 0.5f)));
    room_close(&room);
}

static void stairs_have_two_steps(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, block("oak_stairs_north"));
    static const struct {
        float z, height;
    } cases[] = {{0.1f, 0.5f}, {0.9f, 1}};
    for (int i = 0; i < 2; i++) {
        CnVoxelBox thin = {{0.4f, Y + 2, cases[i].z - 0.05f}, {0.6f, Y + 3, cases[i].z + 0.05f}};
        CnVoxelSweep sweep = cn_voxels_sweep(room.world, thin, (CnVec3){0, -3, 0});
        assert_true(sweep.on_ground && is_about(sweep.moved.y, cases[i].height - 2));
    }
    room_close(&room);
}

/* Of blocks that bodies pass through, only rays and the renderer see the boxes. */
static void ladders_and_signs_do_not_stop_bodies(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, block("ladder_north"));
    room_put(&room, 0, Y + 1, 0, block("sign_north"));
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0.5f, Y, -2), (CnVec3){0, 0, 4});
    assert_true(!sweep.hit[2]);
    room_close(&room);
}

/* However it moves, a body that starts outside of all boxes stays outside. */
static void random_moves_never_end_inside_a_box(void **state)
{
    (void)state;
    static const char *const names[] = {"oak_stairs_north",    "oak_stairs_west_top",
                                        "stone_slab",          "brick_slab_top",
                                        "oak_door_east_lower", "oak_door_south_open_upper",
                                        "chest_north",         "red_bed_west_head",
                                        "red_bed_north_foot",  "stone"};
    TestRandom random = {20};
    Room room = room_open();
    for (int i = 0; i < 300; i++)
        room_put(&room, (int32_t)test_random_below(&random, 8),
                 Y + (int32_t)test_random_below(&random, 8), (int32_t)test_random_below(&random, 8),
                 block(names[test_random_below(&random, CN_COUNT_OF(names))]));
    CnVoxelBox box = {{3, Y + 20, 3}, {3.6f, Y + 21.8f, 3.6f}};
    for (int i = 0; i < 5000; i++) {
        float way[3];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = (float)test_random_below(&random, 2001) / 1000 - 1;
        way[1] -= 0.3f;
        CnVec3 moved = cn_voxels_sweep(room.world, box, (CnVec3){way[0], way[1], way[2]}).moved;
        box.min = (CnVec3){box.min.x + moved.x, box.min.y + moved.y, box.min.z + moved.z};
        box.max = (CnVec3){box.max.x + moved.x, box.max.y + moved.y, box.max.z + moved.z};
        assert_false(cn_voxels_overlap(room.world, box));
        if (box.min.y < Y - 20 || fabsf(box.min.x - 4) > 12 || fabsf(box.min.z - 4) > 12)
            box = (CnVoxelBox){{3, Y + 20, 3}, {3.6f, Y + 21.8f, 3.6f}};
    }
    room_close(&room);
}

/* ---- Rays ---- */

static void rays_hit_the_boxes(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    room_put(&room, 0, Y, 0, block("oak_stairs_north"));
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.75f, -2}, (CnVec3){0, 0, 1}, 64,
                                  CN_VOXEL_RAY_ANY, &hit));
    assert_true(hit.face == CN_FACE_NEG_Z && hit.distance == 2.5f && hit.point.z == 0.5f);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 3, 0.25f}, (CnVec3){0, -1, 0}, 64,
                                  CN_VOXEL_RAY_ANY, &hit));
    assert_true(hit.face == CN_FACE_POS_Y && hit.point.y == Y + 0.5f && hit.normal.y == 1);
    room_close(&room);
}

static void rays_pass_beside_the_boxes(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    room_put(&room, 0, Y, 0, block("stone_slab"));
    room_put(&room, 0, Y, 2, BLOCK_STONE);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.75f, -2}, (CnVec3){0, 0, 1}, 64,
                                  CN_VOXEL_RAY_ANY, &hit));
    assert_true(hit.block == BLOCK_STONE && hit.cell.z == 2);
    room_close(&room);
}

static void a_ray_ends_before_a_box_that_is_too_far(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    room_put(&room, 0, Y, 0, block("ladder_north"));
    CnVec3 origin = {0.5f, Y + 0.5f, -2}, forward = {0, 0, 1};
    assert_false(cn_voxels_raycast(room.world, origin, forward, 2.9f, CN_VOXEL_RAY_ANY, &hit));
    assert_true(cn_voxels_raycast(room.world, origin, forward, 2.95f, CN_VOXEL_RAY_ANY, &hit));
    room_close(&room);
}

/* One aims at the door in whose cell one stands. */
static void aiming_meets_boxes_in_the_cell_of_the_eye(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    CnBlock door = block("oak_door_north_upper");
    room_put(&room, 0, Y, 0, door);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.5f, 0.6f}, (CnVec3){0, 0, -1}, 5,
                                  CN_VOXEL_RAY_AIMED, &hit));
    assert_true(hit.block == door && hit.face == CN_FACE_POS_Z && hit.point.z == 3 / 16.0f);
    assert_false(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.5f, 0.1f}, (CnVec3){0, 0, -1},
                                   5, CN_VOXEL_RAY_AIMED, &hit));
    room_close(&room);
}

/* Compares rays with small steps along them. */
static void random_rays_hit_what_steps_along_them_hit(void **state)
{
    (void)state;
    TestRandom random = {3};
    Room room = room_open();
    CnBlock bed = block("red_bed_north_foot");
    const CnBlockShape *shape = cn_block_shape(standard_blocks(), bed);
    room_put(&room, 0, Y, 0, bed);
    for (int i = 0; i < 2000; i++) {
        double from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = (double)test_random_below(&random, 4000) / 1000 - 1.5;
            to[axis] = (double)test_random_below(&random, 1000) / 1000;
        }
        from[1] += 2.6; /* above the cell */
        bool expected = false;
        for (int step = 0; step <= 4000 && !expected; step++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = 16 * (from[axis] + (to[axis] - from[axis]) * step / 2000);
            for (uint32_t b = 0; b < shape->count; b++) {
                bool inside = true;
                for (int axis = 0; axis < 3; axis++)
                    inside = inside && at[axis] > shape->boxes[b].low[axis] + 0.02 &&
                             at[axis] < shape->boxes[b].high[axis] - 0.02;
                expected = expected || inside;
            }
        }
        CnVoxelHit hit;
        CnVec3 origin = {(float)from[0], (float)(Y + from[1]), (float)from[2]};
        CnVec3 direction = {(float)(to[0] - from[0]), (float)(to[1] - from[1]),
                            (float)(to[2] - from[2])};
        bool found = cn_voxels_raycast(room.world, origin, direction, 64, CN_VOXEL_RAY_ANY, &hit);
        assert_true(found || !expected);
    }
    room_close(&room);
}

/* ---- Placing ---- */

static CnInteractReason may_place(Room *room, CnBlock held, CnVoxelBox body, CnCell at)
{
    CnInteractInput input = {.eye = {(float)at.x + 0.5f, (float)at.y + 2, (float)at.z + 0.5f},
                             .body = body,
                             .held = held};
    CnVoxelHit hit = {.cell = at, .face = CN_FACE_POS_Y};
    return cn_interact_may_place(room->world, &input, &hit);
}

static void shaped_blocks_need_no_support(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelBox away = player_at(40, Y, 40);
    room_put(&room, 0, Y, 0, BLOCK_POPPY);
    assert_int_equal(may_place(&room, block("stone_slab"), away, (CnCell){0, Y, 0}),
                     CN_INTERACT_ALLOWED);
    assert_int_equal(may_place(&room, BLOCK_TORCH, away, (CnCell){0, Y, 0}),
                     CN_INTERACT_NO_SUPPORT);
    room_close(&room);
}

static void a_slab_is_placed_beside_the_feet_but_not_into_them(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, BLOCK_STONE);
    CnBlock slab = block("stone_slab");
    assert_int_equal(may_place(&room, slab, player_at(0.5f, Y + 1.25f, 0.5f), (CnCell){0, Y, 0}),
                     CN_INTERACT_BODY_INSIDE);
    assert_int_equal(may_place(&room, slab, player_at(0.5f, Y + 1.5f, 0.5f), (CnCell){0, Y, 0}),
                     CN_INTERACT_ALLOWED);
    room_close(&room);
}

/* ---- Water ---- */

static void water_does_not_wash_shaped_blocks_away(void **state)
{
    (void)state;
    WaterWorld *world = water_world_create(NULL, 3, 1, 1);
    CnBlock slab = block("stone_slab");
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    water_world_put(world, 1, 0, 0, slab);
    water_world_settle(world, 100);
    assert_int_equal(water_world_get(world, 1, 0, 0), slab);
    assert_int_equal(water_world_get(world, 2, 0, 0), CN_BLOCK_AIR);
    water_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_copies_shapes),
        cmocka_unit_test(shapes_that_are_not_valid_are_refused),
        cmocka_unit_test(only_props_have_shapes),
        cmocka_unit_test(bodies_stand_on_slabs),
        cmocka_unit_test(bodies_stop_at_slabs_above_them),
        cmocka_unit_test(bodies_in_the_cell_of_a_door_stop_at_it),
        cmocka_unit_test(bodies_walk_through_open_doors),
        cmocka_unit_test(stairs_have_two_steps),
        cmocka_unit_test(ladders_and_signs_do_not_stop_bodies),
        cmocka_unit_test(random_moves_never_end_inside_a_box),
        cmocka_unit_test(rays_hit_the_boxes),
        cmocka_unit_test(rays_pass_beside_the_boxes),
        cmocka_unit_test(a_ray_ends_before_a_box_that_is_too_far),
        cmocka_unit_test(aiming_meets_boxes_in_the_cell_of_the_eye),
        cmocka_unit_test(random_rays_hit_what_steps_along_them_hit),
        cmocka_unit_test(shaped_blocks_need_no_support),
        cmocka_unit_test(a_slab_is_placed_beside_the_feet_but_not_into_them),
        cmocka_unit_test(water_does_not_wash_shaped_blocks_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

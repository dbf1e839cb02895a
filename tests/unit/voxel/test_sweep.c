#include "guards.h"
#include "random.h"
#include "standard_blocks.h"
#include "voxel_room.h"

#include <math.h>

#define Y ROOM_FLOOR
#define SIDE 12 /* of the cube that random blocks lie in */

/* A player whose feet are there. */
static CnVoxelBox player_at(float x, float y, float z)
{
    return (CnVoxelBox){{x - 0.3f, y, z - 0.3f}, {x + 0.3f, y + 1.8f, z + 0.3f}};
}

static CnVoxelBox moved_by(CnVoxelBox box, CnVec3 way)
{
    return (CnVoxelBox){{box.min.x + way.x, box.min.y + way.y, box.min.z + way.z},
                        {box.max.x + way.x, box.max.y + way.y, box.max.z + way.z}};
}

static Room room_with_floor(void)
{
    Room room = room_open();
    room_fill(&room, (CnCell){-8, Y, -8}, (CnCell){8, Y, 8}, BLOCK_STONE);
    return room;
}

static void a_box_in_the_open_moves_as_it_wants(void **state)
{
    (void)state;
    Room room = room_open();
    CnVec3 move = {1.25f, -2.5f, 30.0f};
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0.5f, Y + 20, 0.5f), move);
    assert_true(sweep.moved.x == move.x && sweep.moved.y == move.y && sweep.moved.z == move.z);
    assert_false(sweep.hit[0] || sweep.hit[1] || sweep.hit[2] || sweep.on_ground);
    room_close(&room);
}

static void falling_ends_on_the_ground(void **state)
{
    (void)state;
    Room room = room_with_floor();
    CnVoxelSweep sweep =
        cn_voxels_sweep(room.world, player_at(0.5f, Y + 5, 0.5f), (CnVec3){0, -50, 0});
    assert_true(sweep.on_ground && sweep.hit[1]);
    assert_true(fabsf(sweep.moved.y + 4 - CN_VOXEL_SKIN) < 1e-3f);
    assert_true(Y + 5 + sweep.moved.y > Y + 1);
    room_close(&room);
}

static void a_box_that_stands_stays_on_the_ground(void **state)
{
    (void)state;
    Room room = room_with_floor();
    float y = Y + 1.5f;
    for (int i = 0; i < 200; i++) {
        CnVoxelSweep sweep =
            cn_voxels_sweep(room.world, player_at(0.5f, y, 0.5f), (CnVec3){0, -0.1f, 0});
        y += sweep.moved.y;
        assert_true(i < 5 || sweep.on_ground);
    }
    assert_true(y > Y + 1 && y < Y + 1.0025f);
    room_close(&room);
}

static void a_head_that_bumps_is_not_on_the_ground(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y + 4, 0, BLOCK_STONE);
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0.5f, Y, 0.5f), (CnVec3){0, 5, 0});
    assert_true(sweep.hit[1]);
    assert_false(sweep.on_ground);
    assert_true(sweep.moved.y > 2.19f && sweep.moved.y < 2.2f);
    room_close(&room);
}

static void a_wall_lets_it_slide_along(void **state)
{
    (void)state;
    Room room = room_with_floor();
    room_fill(&room, (CnCell){3, Y + 1, -8}, (CnCell){3, Y + 3, 8}, BLOCK_STONE);
    CnVoxelSweep sweep =
        cn_voxels_sweep(room.world, player_at(2.5f, Y + 1.001f, 0.5f), (CnVec3){1, 0, 1});
    assert_true(sweep.hit[0] && !sweep.hit[2]);
    assert_true(sweep.moved.x > 0.198f && sweep.moved.x < 0.2f);
    assert_true(sweep.moved.z == 1);
    room_close(&room);
}

static void x_goes_before_z(void **state)
{
    (void)state;
    Room room = room_open();
    /* Round the corner: free along x first, then the block stops z. */
    room_put(&room, 1, Y, 1, BLOCK_STONE);
    CnVoxelBox box = {{0.1f, Y + 0.1f, 0.1f}, {0.9f, Y + 0.9f, 0.9f}};
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, box, (CnVec3){1, 0, 1});
    assert_true(sweep.moved.x == 1 && !sweep.hit[0]);
    assert_true(sweep.hit[2] && sweep.moved.z < 0.1f);
    room_close(&room);
}

static void y_comes_last(void **state)
{
    (void)state;
    Room room = room_with_floor();
    /* A step of one block: a jump that goes up and forward at once is stopped by it. */
    room_put(&room, 1, Y + 1, 0, BLOCK_STONE);
    CnVoxelSweep sweep =
        cn_voxels_sweep(room.world, player_at(0.5f, Y + 1.001f, 0.5f), (CnVec3){1, 1.2f, 0});
    assert_true(sweep.hit[0] && sweep.moved.x < 0.2f);
    assert_true(sweep.moved.y == 1.2f);
    room_close(&room);
}

static void fast_boxes_do_not_tunnel(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 40, Y, 0, BLOCK_STONE);
    CnVoxelBox box = {{0.4f, Y + 0.4f, 0.4f}, {0.6f, Y + 0.6f, 0.6f}};
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, box, (CnVec3){500, 0, 0});
    assert_true(sweep.hit[0] && sweep.moved.x > 39.39f && sweep.moved.x < 39.4f);
    room_close(&room);
}

static void props_and_water_do_not_stop_it(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 1, Y, 0, CN_BLOCK_WATER);
    room_put(&room, 2, Y, 0, BLOCK_TORCH);
    CnVoxelBox box = {{0.1f, Y + 0.1f, 0.1f}, {0.9f, Y + 0.9f, 0.9f}};
    assert_true(cn_voxels_sweep(room.world, box, (CnVec3){4, 0, 0}).moved.x == 4);
    assert_false(cn_voxels_overlap(room.world, moved_by(box, (CnVec3){1, 0, 0})));
    room_close(&room);
}

static void a_gap_as_wide_as_the_box_is_passed(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 2, Y, 1, BLOCK_STONE);
    room_put(&room, 2, Y, -1, BLOCK_STONE);
    CnVoxelBox box = {{0, Y, 0}, {1, Y + 1, 1}};
    assert_true(cn_voxels_sweep(room.world, box, (CnVec3){4, 0, 0}).moved.x == 4);
    room_close(&room);
}

static void what_is_inside_of_a_block_can_leave_it(void **state)
{
    (void)state;
    Room room = room_with_floor();
    CnVoxelBox box = player_at(0.5f, Y + 0.4f, 0.5f);
    assert_true(cn_voxels_overlap(room.world, box));
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, box, (CnVec3){0, 1, 0});
    assert_true(sweep.moved.y == 1);
    assert_false(cn_voxels_overlap(room.world, moved_by(box, sweep.moved)));
    room_close(&room);
}

static void touching_is_not_overlapping(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, BLOCK_STONE);
    assert_false(cn_voxels_overlap(room.world, (CnVoxelBox){{1, Y, 0}, {2, Y + 1, 1}}));
    assert_true(cn_voxels_overlap(room.world, (CnVoxelBox){{0.999f, Y, 0}, {2, Y + 1, 1}}));
    assert_false(cn_voxels_overlap(room.world, (CnVoxelBox){{-1, Y, 0}, {0, Y + 1, 1}}));
    room_close(&room);
}

static void moves_that_are_no_numbers_are_none(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(0, Y, 0), (CnVec3){NAN, 1, NAN});
    assert_true(sweep.moved.x == 0 && sweep.moved.y == 1 && sweep.moved.z == 0);
    room_close(&room);
}

static void the_world_has_walls(void **state)
{
    (void)state;
    Room room = room_open();
    const float end = (float)CN_CELL_LIMIT;
    CnVoxelBox box = {{end - 8, Y, 0}, {end - 4, Y + 1, 1}};
    CnVoxelSweep sweep = cn_voxels_sweep(room.world, box, (CnVec3){1000, 0, 0});
    assert_true(sweep.hit[0] && sweep.moved.x <= 4);
    room_close(&room);
}

#ifdef CN_GUARDS
static void boxes_that_are_none_are_guarded(void **state)
{
    (void)state;
    Room room = room_open();
    EXPECT_GUARD(cn_voxels_overlap(room.world, (CnVoxelBox){{1, Y, 0}, {0, Y, 0}}));
    EXPECT_GUARD(cn_voxels_overlap(room.world, (CnVoxelBox){{0, Y, 0}, {65, Y, 0}}));
    EXPECT_GUARD(cn_voxels_overlap(room.world, (CnVoxelBox){{0, Y, 0}, {1, NAN, 0}}));
    room_close(&room);
}
#endif

/* ---- Random worlds ---- */

static bool solid[SIDE][SIDE][SIDE]; /* [z][y][x] */

static Room random_room(TestRandom *random, int32_t x0, uint32_t percent)
{
    Room room = room_open();
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                if ((solid[z][y][x] = test_random_chance(random, percent)))
                    room_put(&room, x0 + x, Y + y, z, BLOCK_STONE);
    return room;
}

/* In steps that floats hold exactly. */
static float random_float(TestRandom *random, double low, double high)
{
    return (float)(floor((low + test_random_unit(random) * (high - low)) * 4096) / 4096);
}

/* How far the box gets along the axis, by looking at every block. */
static double way_along(const double low[3], const double high[3], int axis, double move)
{
    double way = fabs(move);
    for (int cell = 0; cell < SIDE * SIDE * SIDE; cell++) {
        const int at[3] = {cell % SIDE, Y + cell / SIDE % SIDE, cell / (SIDE * SIDE)};
        if (!solid[at[2]][at[1] - Y][at[0]])
            continue;
        bool beside = false;
        for (int i = 0; i < 3; i++)
            beside |= i != axis && (at[i] >= high[i] || at[i] + 1 <= low[i]);
        double gap = move > 0 ? at[axis] - high[axis] : low[axis] - (at[axis] + 1);
        if (!beside && gap >= 0)
            way = fmin(way, fmax(0, gap - CN_VOXEL_SKIN));
    }
    return way;
}

static void random_moves_end_where_a_search_of_all_blocks_says(void **state)
{
    (void)state;
    static const int order[3] = {0, 2, 1};
    TestRandom random = {5};
    Room room = random_room(&random, 0, 6);
    int checked = 0;
    while (checked < 1500) {
        CnVoxelBox box;
        box.min =
            (CnVec3){random_float(&random, 0, SIDE - 1), random_float(&random, Y, Y + SIDE - 1),
                     random_float(&random, 0, SIDE - 1)};
        box.max = (CnVec3){box.min.x + random_float(&random, 0.1, 1.5),
                           box.min.y + random_float(&random, 0.1, 2),
                           box.min.z + random_float(&random, 0.1, 1.5)};
        CnVec3 move = {random_float(&random, -4, 4), random_float(&random, -4, 4),
                       random_float(&random, -4, 4)};
        if (cn_voxels_overlap(room.world, box))
            continue;
        checked++;
        CnVoxelSweep sweep = cn_voxels_sweep(room.world, box, move);
        double low[3] = {box.min.x, box.min.y, box.min.z},
               high[3] = {box.max.x, box.max.y, box.max.z};
        const float moves[3] = {move.x, move.y, move.z};
        const float moved[3] = {sweep.moved.x, sweep.moved.y, sweep.moved.z};
        for (int i = 0; i < 3; i++) {
            int axis = order[i];
            double way = way_along(low, high, axis, moves[axis]);
            assert_true(fabs(fabs(moved[axis]) - way) < 1e-6);
            assert_true(sweep.hit[axis] == (way < fabs(moves[axis])));
            low[axis] += moved[axis];
            high[axis] += moved[axis];
        }
    }
    room_close(&room);
}

/* As a game does it: the position is a float, and the box is made from it anew. */
static void a_player_never_gets_into_a_block(void **state)
{
    (void)state;
    static const int32_t places[] = {0, -1000, 16000, -70000, 500000};
    for (int place = 0; place < 5; place++) {
        TestRandom random = {6};
        Room room = random_room(&random, places[place], 15);
        CnVec3 p = {(float)places[place] + 6, Y + SIDE + 2, 6};
        CnVec3 velocity = {0, 0, 0};
        for (int tick = 0; tick < 1500; tick++) {
            if (tick % 20 == 0)
                velocity =
                    (CnVec3){random_float(&random, -0.3, 0.3), random_float(&random, -0.2, 0.4),
                             random_float(&random, -0.3, 0.3)};
            velocity.y -= 0.02f;
            CnVoxelSweep sweep = cn_voxels_sweep(room.world, player_at(p.x, p.y, p.z), velocity);
            p = (CnVec3){p.x + sweep.moved.x, p.y + sweep.moved.y, p.z + sweep.moved.z};
            velocity.y = sweep.hit[1] ? 0 : velocity.y;
            assert_false(cn_voxels_overlap(room.world, player_at(p.x, p.y, p.z)));
            if (p.y < Y)
                p = (CnVec3){(float)places[place] + 6, Y + SIDE + 2, 6};
        }
        room_close(&room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_in_the_open_moves_as_it_wants),
        cmocka_unit_test(falling_ends_on_the_ground),
        cmocka_unit_test(a_box_that_stands_stays_on_the_ground),
        cmocka_unit_test(a_head_that_bumps_is_not_on_the_ground),
        cmocka_unit_test(a_wall_lets_it_slide_along),
        cmocka_unit_test(x_goes_before_z),
        cmocka_unit_test(y_comes_last),
        cmocka_unit_test(fast_boxes_do_not_tunnel),
        cmocka_unit_test(props_and_water_do_not_stop_it),
        cmocka_unit_test(a_gap_as_wide_as_the_box_is_passed),
        cmocka_unit_test(what_is_inside_of_a_block_can_leave_it),
        cmocka_unit_test(touching_is_not_overlapping),
        cmocka_unit_test(moves_that_are_no_numbers_are_none),
        cmocka_unit_test(the_world_has_walls),
#ifdef CN_GUARDS
        cmocka_unit_test(boxes_that_are_none_are_guarded),
#endif
        cmocka_unit_test(random_moves_end_where_a_search_of_all_blocks_says),
        cmocka_unit_test(a_player_never_gets_into_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "random.h"
#include "standard_blocks.h"
#include "voxel_room.h"

#include <math.h>

#define Y ROOM_FLOOR
#define SIDE 16 /* of the cube that random blocks lie in */

static bool cast(Room *room, CnVec3 origin, CnVec3 direction, CnVoxelHit *hit)
{
    return cn_voxels_raycast(room->world, origin, direction, 64, CN_VOXEL_RAY_ANY, hit);
}

static void a_ray_hits_the_near_face_of_a_block(void **state)
{
    (void)state;
    static const struct {
        CnVec3 direction;
        CnFace face;
    } cases[] = {{{1, 0, 0}, CN_FACE_NEG_X}, {{-1, 0, 0}, CN_FACE_POS_X},
                 {{0, 1, 0}, CN_FACE_NEG_Y}, {{0, -1, 0}, CN_FACE_POS_Y},
                 {{0, 0, 1}, CN_FACE_NEG_Z}, {{0, 0, -1}, CN_FACE_POS_Z}};
    Room room = room_open();
    room_put(&room, 0, Y, 0, BLOCK_STONE);
    for (int i = 0; i < 6; i++) {
        CnVec3 d = cases[i].direction;
        CnVec3 origin = {0.5f - 4 * d.x, Y + 0.5f - 4 * d.y, 0.5f - 4 * d.z};
        CnVoxelHit hit;
        assert_true(cast(&room, origin, d, &hit));
        assert_int_equal(hit.block, BLOCK_STONE);
        assert_true(hit.cell.x == 0 && hit.cell.y == Y && hit.cell.z == 0);
        assert_int_equal(hit.face, cases[i].face);
        assert_true(hit.distance == 3.5f);
        assert_true(hit.normal.x == -d.x && hit.normal.y == -d.y && hit.normal.z == -d.z);
        assert_true(hit.point.x == 0.5f - 0.5f * d.x && hit.point.y == Y + 0.5f - 0.5f * d.y &&
                    hit.point.z == 0.5f - 0.5f * d.z);
    }
    room_close(&room);
}

static void a_ray_that_begins_inside_has_no_face(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, BLOCK_STONE);
    CnVoxelHit hit;
    assert_true(cast(&room, (CnVec3){0.5f, Y + 0.5f, 0.5f}, (CnVec3){1, 0, 0}, &hit));
    assert_int_equal(hit.face, CN_EDIT_NO_FACE);
    assert_true(hit.distance == 0);
    assert_true(hit.normal.x == 0 && hit.normal.y == 0 && hit.normal.z == 0);
    room_close(&room);
}

static void distance_counts_in_blocks_whatever_the_length_of_the_direction(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 4, Y, 0, BLOCK_STONE);
    for (float length = 1e-6f; length < 1e7f; length *= 10) {
        CnVoxelHit hit;
        assert_true(cast(&room, (CnVec3){0.5f, Y + 0.5f, 0.5f}, (CnVec3){length, 0, 0}, &hit));
        assert_true(hit.distance == 3.5f);
    }
    room_close(&room);
}

static void a_ray_ends_after_its_length(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 4, Y, 0, BLOCK_STONE);
    CnVec3 origin = {0.5f, Y + 0.5f, 0.5f}, along = {1, 0, 0};
    CnVoxelHit hit;
    assert_false(cn_voxels_raycast(room.world, origin, along, 3.49f, CN_VOXEL_RAY_ANY, &hit));
    assert_true(cn_voxels_raycast(room.world, origin, along, 3.5f, CN_VOXEL_RAY_ANY, &hit));
    room_close(&room);
}

static void what_stops_a_ray_is_chosen(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 1, Y, 0, CN_BLOCK_WATER);
    room_put(&room, 2, Y, 0, BLOCK_POPPY);
    room_put(&room, 3, Y, 0, BLOCK_GLASS);
    CnVec3 origin = {0.5f, Y + 0.5f, 0.5f}, along = {1, 0, 0};
    CnVoxelHit hit;
    assert_true(cn_voxels_raycast(room.world, origin, along, 9, CN_VOXEL_RAY_LIQUID, &hit));
    assert_int_equal(hit.block, CN_BLOCK_WATER);
    assert_true(cn_voxels_raycast(room.world, origin, along, 9, CN_VOXEL_RAY_ANY, &hit));
    assert_int_equal(hit.block, BLOCK_POPPY);
    assert_true(cn_voxels_raycast(room.world, origin, along, 9, CN_VOXEL_RAY_SOLID, &hit));
    assert_int_equal(hit.block, BLOCK_GLASS);
    room_close(&room);
}

static void a_ray_for_buckets_stops_at_still_water_only(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    room_put(&room, 2, Y, 0, CN_BLOCK_WATER_3);
    room_put(&room, 4, Y, 0, CN_BLOCK_WATER);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.5f, 0.5f}, (CnVec3){1, 0, 0}, 8,
                                  CN_VOXEL_RAY_SOURCE, &hit));
    assert_int_equal(hit.cell.x, 4);
    room_close(&room);
}

static void who_aims_beside_a_plant_aims_at_what_is_behind_it(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    room_put(&room, 2, Y, 0, BLOCK_SHORT_GRASS);
    room_put(&room, 4, Y, 0, BLOCK_STONE);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.5f, 0.05f}, (CnVec3){1, 0, 0}, 8,
                                  CN_VOXEL_RAY_AIMED, &hit));
    assert_int_equal(hit.cell.x, 4);
    assert_true(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y + 0.5f, 0.5f}, (CnVec3){1, 0, 0}, 8,
                                  CN_VOXEL_RAY_AIMED, &hit));
    assert_int_equal(hit.cell.x, 2);
    room_close(&room);
}

static void a_ray_along_an_edge_goes_through_cells_that_touch(void **state)
{
    (void)state;
    Room room = room_open();
    /* Through the edge between four cells: along x first, so into (1, 0), never past both sides. */
    room_put(&room, 1, Y, 0, BLOCK_STONE);
    CnVoxelHit hit;
    assert_true(cast(&room, (CnVec3){0.5f, Y + 0.5f, 0.5f}, (CnVec3){1, 0, 1}, &hit));
    assert_true(hit.cell.x == 1 && hit.cell.z == 0);
    assert_int_equal(hit.face, CN_FACE_NEG_X);
    room_close(&room);
}

static void rays_without_a_direction_or_an_origin_hit_nothing(void **state)
{
    (void)state;
    Room room = room_open();
    room_put(&room, 0, Y, 0, BLOCK_STONE);
    CnVec3 inside = {0.5f, Y + 0.5f, 0.5f};
    CnVoxelHit hit;
    assert_false(cast(&room, inside, (CnVec3){0, 0, 0}, &hit));
    assert_false(cast(&room, inside, (CnVec3){NAN, 0, 1}, &hit));
    assert_false(cast(&room, inside, (CnVec3){INFINITY, 0, 1}, &hit));
    assert_false(cast(&room, (CnVec3){NAN, Y, 0}, (CnVec3){1, 0, 0}, &hit));
    assert_false(cast(&room, (CnVec3){1e30f, Y, 0}, (CnVec3){1, 0, 0}, &hit));
    assert_false(
        cn_voxels_raycast(room.world, inside, (CnVec3){1, 0, 0}, NAN, CN_VOXEL_RAY_ANY, &hit));
    room_close(&room);
}

static void a_ray_has_an_end_even_if_its_length_has_none(void **state)
{
    (void)state;
    Room room = room_open();
    CnVoxelHit hit;
    assert_false(cn_voxels_raycast(room.world, (CnVec3){0.5f, Y, 0.5f}, (CnVec3){1, 0.5f, 0.25f},
                                   INFINITY, CN_VOXEL_RAY_ANY, &hit));
    room_close(&room);
}

/* ---- Against all blocks, one by one ---- */

/* Where the ray enters the cell; false: it passes by, or touches less than `margin`. */
static bool enters(const double origin[3], const double direction[3], const int cell[3],
                   double *enter, double margin)
{
    double begin = -1e300, end = 1e300;
    for (int i = 0; i < 3; i++) {
        double a = (cell[i] - origin[i]) / direction[i],
               b = (cell[i] + 1 - origin[i]) / direction[i];
        begin = fmax(begin, fmin(a, b));
        end = fmin(end, fmax(a, b));
    }
    *enter = begin;
    return end - begin > margin && end > 0;
}

/* One that floats hold exactly, and that is not 0. */
static float random_number(TestRandom *random, int low, int high)
{
    return (float)low +
           ((float)test_random_below(random, (uint32_t)(high - low) * 2048) + 0.5f) / 2048;
}

static void random_rays_hit_what_a_search_of_all_blocks_finds(void **state)
{
    (void)state;
    TestRandom random = {3};
    Room room = room_open();
    static bool solid[SIDE][SIDE][SIDE];
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                if ((solid[z][y][x] = test_random_chance(&random, 4)))
                    room_put(&room, x - 8, Y + y, z - 8, BLOCK_STONE);
    int hits = 0;
    for (int i = 0; i < 3000; i++) {
        CnVec3 from = {random_number(&random, -10, 10), random_number(&random, Y - 2, Y + 18),
                       random_number(&random, -10, 10)};
        CnVec3 along = {random_number(&random, -1, 1), random_number(&random, -1, 1),
                        random_number(&random, -1, 1)};
        double length =
            sqrt((double)along.x * along.x + (double)along.y * along.y + (double)along.z * along.z);
        const double origin[3] = {from.x, from.y, from.z};
        const double direction[3] = {along.x / length, along.y / length, along.z / length};
        double nearest = 1e300, near_miss = 1e300;
        for (int cell = 0; cell < SIDE * SIDE * SIDE; cell++) {
            const int x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / (SIDE * SIDE);
            double enter;
            if (!solid[z][y][x])
                continue;
            if (enters(origin, direction, (const int[]){x - 8, Y + y, z - 8}, &enter, 1e-9))
                nearest = fmin(nearest, fmax(enter, 0));
            else if (enters(origin, direction, (const int[]){x - 8, Y + y, z - 8}, &enter, -1e-9))
                near_miss = fmin(near_miss, fmax(enter, 0));
        }
        CnVoxelHit hit = {0};
        bool found = cast(&room, from, along, &hit);
        if (near_miss < nearest)
            continue;
        assert_true(found == (nearest < 1e300));
        hits += found;
        if (found)
            assert_true(fabs(hit.distance - nearest) < 1e-4);
    }
    assert_true(hits > 500);
    room_close(&room);
}

static void the_cell_before_the_face_is_free(void **state)
{
    (void)state;
    static const int steps[CN_FACE_COUNT][3] = {{0, 0, -1}, {0, 0, 1},  {-1, 0, 0},
                                                {1, 0, 0},  {0, -1, 0}, {0, 1, 0}};
    TestRandom random = {4};
    Room room = room_open();
    for (int i = 0; i < 400; i++)
        room_put(&room, (int)test_random_below(&random, SIDE) - 8,
                 Y + (int)test_random_below(&random, SIDE),
                 (int)test_random_below(&random, SIDE) - 8, BLOCK_STONE);
    for (int i = 0; i < 3000; i++) {
        /* Many begin on planes of the grid and go along diagonals. */
        CnVec3 from = {(float)test_random_below(&random, 40) / 2 - 10,
                       Y + (float)test_random_below(&random, 40) / 2,
                       (float)test_random_below(&random, 40) / 2 - 10};
        CnVec3 along = {(float)test_random_below(&random, 5) - 2,
                        (float)test_random_below(&random, 5) - 2,
                        (float)test_random_below(&random, 5) - 2};
        CnVoxelHit hit;
        if (!cast(&room, from, along, &hit) || hit.face == CN_EDIT_NO_FACE)
            continue;
        const int *step = steps[hit.face];
        assert_int_equal(
            room_get(&room, hit.cell.x + step[0], hit.cell.y + step[1], hit.cell.z + step[2]),
            CN_BLOCK_AIR);
        assert_true(hit.point.x >= (float)hit.cell.x - 1e-3f &&
                    hit.point.x <= (float)hit.cell.x + 1.001f);
        assert_true(hit.point.y >= (float)hit.cell.y - 1e-3f &&
                    hit.point.y <= (float)hit.cell.y + 1.001f);
        assert_true(hit.point.z >= (float)hit.cell.z - 1e-3f &&
                    hit.point.z <= (float)hit.cell.z + 1.001f);
    }
    room_close(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_hits_the_near_face_of_a_block),
        cmocka_unit_test(a_ray_that_begins_inside_has_no_face),
        cmocka_unit_test(distance_counts_in_blocks_whatever_the_length_of_the_direction),
        cmocka_unit_test(a_ray_ends_after_its_length),
        cmocka_unit_test(what_stops_a_ray_is_chosen),
        cmocka_unit_test(a_ray_for_buckets_stops_at_still_water_only),
        cmocka_unit_test(who_aims_beside_a_plant_aims_at_what_is_behind_it),
        cmocka_unit_test(a_ray_along_an_edge_goes_through_cells_that_touch),
        cmocka_unit_test(rays_without_a_direction_or_an_origin_hit_nothing),
        cmocka_unit_test(a_ray_has_an_end_even_if_its_length_has_none),
        cmocka_unit_test(random_rays_hit_what_a_search_of_all_blocks_finds),
        cmocka_unit_test(the_cell_before_the_face_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"
#include "random.h"
#include "standard_blocks.h"

#include "voxel/mesh/lod_cells.h"

#include <cairn/base/math.h>
#include <cairn/base/memory.h>

#include <stdlib.h>
#include <string.h>

enum { CELLS = CN_LOD_CELLS };

static CnLodTile tiles[CN_LOD_MAX_TILES];
static TestRandom random_numbers = {9};

static float between(float low, float high)
{
    return low + (high - low) * (float)test_random_below(&random_numbers, 1 << 20) / (1 << 20);
}

static bool holds(CnLodTile tile, float x, float z)
{
    float size = (float)cn_lod_tile_blocks(tile.level);
    float left = (float)tile.x * size, top = (float)tile.z * size;
    return x >= left && x < left + size && z >= top && z < top + size;
}

static float largest(float a, float b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    return a > b ? a : b;
}

/* ---- Selections ---- */

static void a_selection_covers_what_chunks_leave_once(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        CnLodView view = {.x = between(-90000, 90000),
                          .z = between(-90000, 90000),
                          .detail = (CnLodDetail)(round % 3),
                          .near_edge = between(0, 400),
                          .far_edge = round % 2 ? 0 : between(600, 4000)};
        float far_edge = view.far_edge == 0 ? 2048 : view.far_edge;
        uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
        assert_true(count > 0 && count <= CN_LOD_MAX_TILES);
        for (int n = 0; n < 400; n++) {
            float dx = between(-far_edge, far_edge), dz = between(-far_edge, far_edge);
            uint32_t covers = 0;
            for (uint32_t i = 0; i < count; i++)
                covers += holds(tiles[i], view.x + dx, view.z + dz);
            assert_true(covers <= 1);
            if (largest(dx, dz) > view.near_edge && dx * dx + dz * dz < far_edge * far_edge)
                assert_int_equal(covers, 1);
        }
    }
}

static void no_tile_lies_among_the_chunks(void **state)
{
    (void)state;
    CnLodView view = {.x = 1000, .z = -333, .near_edge = 200};
    uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
    for (uint32_t i = 0; i < count; i++) {
        float size = (float)cn_lod_tile_blocks(tiles[i].level);
        float left = (float)tiles[i].x * size - view.x, top = (float)tiles[i].z * size - view.z;
        assert_true(largest(largest(left, top), largest(left + size, top + size)) >= 199);
    }
}

static float distance_of(CnLodTile tile, const CnLodView *view)
{
    float size = (float)cn_lod_tile_blocks(tile.level);
    float dx = (float)tile.x * size - view->x, dz = (float)tile.z * size - view->z;
    dx = dx > 0 ? dx : dx + size < 0 ? -dx - size : 0;
    dz = dz > 0 ? dz : dz + size < 0 ? -dz - size : 0;
    return dx * dx + dz * dz;
}

static void the_nearest_come_first_and_are_the_finest(void **state)
{
    (void)state;
    CnLodView view = {.x = 77, .z = 5000, .near_edge = 128, .far_edge = 4096};
    uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES), levels = 0;
    assert_int_equal(tiles[0].level, 1);
    assert_int_equal(tiles[count - 1].level, CN_LOD_LEVELS);
    for (uint32_t i = 0; i < count; i++) {
        levels |= 1u << tiles[i].level;
        if (i > 0)
            assert_true(distance_of(tiles[i - 1], &view) <= distance_of(tiles[i], &view));
    }
    assert_int_equal(levels, 2 + 4 + 8 + 16);
}

static void a_limit_keeps_the_nearest(void **state)
{
    (void)state;
    static CnLodTile few[20];
    CnLodView view = {.x = -40, .z = 90, .near_edge = 100};
    uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
    assert_int_equal(cn_lod_select(&view, few, 20), count);
    assert_memory_equal(few, tiles, sizeof few);
    assert_int_equal(cn_lod_select(&view, NULL, 0), count);
}

static void an_eye_without_bounds_is_held(void **state)
{
    (void)state;
    CnLodView view = {.x = 1e30f, .z = -1e30f, .near_edge = 100};
    assert_true(cn_lod_select(&view, tiles, CN_LOD_MAX_TILES) > 100);
}

/* ---- Tiles ---- */

typedef struct World {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} World;

static World make_world(const CnGeneratorDesc *desc)
{
    World world;
    world.generator = cn_generator_create(desc, NULL);
    assert_non_null(world.generator);
    world.scratch = cn_generate_scratch_create(world.generator);
    assert_non_null(world.scratch);
    return world;
}

static World open_world(void)
{
    return make_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7});
}

static void close_world(World *world)
{
    cn_generate_scratch_destroy(world->scratch);
    cn_generator_destroy(world->generator);
}

static const CnLodTile some_tiles[] = {{0, 0, 1}, {-3, 5, 1}, {2, -1, 2}, {-1, -1, 2},
                                       {0, 1, 3}, {-2, 3, 3}, {0, 0, 4},  {-1, 2, 4}};

static void tops_show_every_cell_once(void **state)
{
    (void)state;
    World world = open_world();
    CnLodMesh mesh = {0};
    static CniVoxelLodCell cells[CELLS * CELLS];
    for (size_t t = 0; t < CN_COUNT_OF(some_tiles); t++) {
        uint8_t ground[CELLS * CELLS] = {0}, water[CELLS * CELLS] = {0},
                               crowns[CELLS * CELLS] = {0};
        uint32_t cell = 1u << some_tiles[t].level;
        assert_true(cn_lod_build(NULL, world.generator, world.scratch, some_tiles[t], &mesh));
        cni_voxel_lod_cells(world.generator, world.scratch, some_tiles[t], cells);
        for (uint32_t n = 0; n < mesh.count; n++) {
            const CnLodQuad *quad = &mesh.quads[n];
            for (uint32_t k = 0; quad->face == CN_FACE_POS_Y && k < quad->height / cell; k++)
                for (uint32_t i = 0; i < quad->width / cell; i++) {
                    uint32_t at =
                        (uint32_t)quad->x / cell + i + CELLS * ((uint32_t)quad->z / cell + k);
                    bool is_water = quad->part == CN_CHUNK_MESH_WATER;
                    bool is_crown = !is_water && cells[at].crown && quad->y == cells[at].top;
                    assert_int_equal(quad->y, is_water   ? CN_SEA_LEVEL + 1
                                              : is_crown ? cells[at].top
                                                         : cells[at].ground);
                    (is_water ? water : is_crown ? crowns : ground)[at]++;
                }
        }
        for (uint32_t i = 0; i < CELLS * CELLS; i++) {
            bool is_open = !cells[i].crown || cells[i].crown_low > cells[i].ground;
            assert_int_equal(ground[i], is_open);
            assert_int_equal(crowns[i], cells[i].crown != CN_BLOCK_AIR);
            assert_int_equal(water[i], cells[i].water);
        }
    }
    cn_lod_mesh_fini(NULL, &mesh);
    close_world(&world);
}

/* What quads show of the side of each cell: how much, and between which heights. */
typedef struct Wall {
    int32_t sum, low, high;
} Wall;

static void add_wall(Wall walls[4][CELLS * CELLS], const CnLodQuad *quad, uint32_t cell)
{
    bool along_z = quad->face == CN_FACE_NEG_X || quad->face == CN_FACE_POS_X;
    bool positive = quad->face == CN_FACE_POS_X || quad->face == CN_FACE_POS_Z;
    uint32_t line = (uint32_t)(along_z ? quad->x : quad->z) / cell - positive;
    uint32_t first = (uint32_t)(along_z ? quad->z : quad->x) / cell;
    for (uint32_t n = 0; n < quad->width / cell; n++) {
        uint32_t at = along_z ? line + CELLS * (first + n) : first + n + CELLS * line;
        Wall *wall = &walls[quad->face][at];
        int32_t low = quad->y, high = quad->y + quad->height;
        wall->low = wall->sum == 0 || low < wall->low ? low : wall->low;
        wall->high = wall->sum == 0 || high > wall->high ? high : wall->high;
        wall->sum += quad->height;
    }
}

/* How much of a side is seen: of the ground what is above that beside it, of the crown what neither
 * ground nor crown beside it hides, all of the trunk. */
static Wall expected_wall(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    Wall wall = {.low = beside ? beside->ground : CN_WORLD_BOTTOM, .high = cell->ground};
    wall.sum = wall.low < wall.high ? wall.high - wall.low : 0;
    for (int32_t y = cell->crown_low; y < cell->top; y++)
        wall.sum += !beside || (y >= beside->ground &&
                                !(beside->crown && y >= beside->crown_low && y < beside->top));
    wall.sum += cell->trunk ? cell->crown_low - cell->ground : 0;
    return wall;
}

static void check_sides(World *world, CnLodTile tile)
{
    static const int32_t beside[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    static CniVoxelLodCell cells[CELLS * CELLS];
    static Wall walls[4][CELLS * CELLS];
    CnLodMesh mesh = {0};
    memset(walls, 0, sizeof walls);
    assert_true(cn_lod_build(NULL, world->generator, world->scratch, tile, &mesh));
    cni_voxel_lod_cells(world->generator, world->scratch, tile, cells);
    for (uint32_t n = 0; n < mesh.count; n++)
        if (mesh.quads[n].face != CN_FACE_POS_Y)
            add_wall(walls, &mesh.quads[n], 1u << tile.level);
    for (int32_t at = 0; at < CELLS * CELLS; at++)
        for (int face = 0; face < 4; face++) {
            int32_t i = at % CELLS + beside[face][0], k = at / CELLS + beside[face][1];
            bool rim = i < 0 || k < 0 || i >= CELLS || k >= CELLS;
            Wall wall = walls[face][at];
            Wall expected = expected_wall(&cells[at], rim ? NULL : &cells[i + CELLS * k]);
            assert_int_equal(wall.sum, expected.sum);
            if (wall.sum > 0 && !cells[at].crown) {
                assert_int_equal(wall.low, expected.low);
                assert_int_equal(wall.high, expected.high);
            }
        }
    cn_lod_mesh_fini(NULL, &mesh);
}

static void sides_show_all_that_is_not_hidden(void **state)
{
    (void)state;
    World world = open_world();
    for (size_t t = 0; t < CN_COUNT_OF(some_tiles); t++)
        check_sides(&world, some_tiles[t]);
    close_world(&world);
}

static void without_trees_sides_reach_down_to_the_neighbor(void **state)
{
    (void)state;
    World world =
        make_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7, .no_features = true});
    for (size_t t = 0; t < CN_COUNT_OF(some_tiles); t++)
        check_sides(&world, some_tiles[t]);
    close_world(&world);
}

static void cells_are_columns_of_the_generator(void **state)
{
    (void)state;
    World world = open_world();
    static CniVoxelLodCell cells[CELLS * CELLS];
    cni_voxel_lod_cells(world.generator, world.scratch, (CnLodTile){-2, 3, 3}, cells);
    for (int32_t n = 0; n < 50; n++) {
        int32_t i = (int32_t)test_random_below(&random_numbers, CELLS);
        int32_t k = (int32_t)test_random_below(&random_numbers, CELLS);
        CnColumn column = cn_generate_column(world.generator, world.scratch, -2 * 256 + 8 * i + 4,
                                             3 * 256 + 8 * k + 4);
        const CniVoxelLodCell *cell = &cells[i + CELLS * k];
        assert_int_equal(cell->ground, column.ground + 1);
        assert_int_equal(cell->surface, column.top);
        assert_int_equal(cell->water, column.underwater);
    }
    close_world(&world);
}

static CnBlock generated_block(World *world, int32_t x, int32_t y, int32_t z)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    static CnChunkPos last = {INT32_MAX, 0, 0};
    static const CnGenerator *made_by;
    CnChunkPos chunk = {x >> 4, y >> 4, z >> 4};
    if (made_by != world->generator || memcmp(&last, &chunk, sizeof chunk) != 0)
        cn_generate(world->generator, world->scratch, chunk, blocks);
    last = chunk;
    made_by = world->generator;
    return blocks[(x & 15) + 16 * (y & 15) + 256 * (z & 15)];
}

static void near_cells_are_open_where_caves_come_up(void **state)
{
    (void)state;
    World world = make_world(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7341, .no_features = true});
    static CniVoxelLodCell cells[CELLS * CELLS];
    uint32_t openings[3] = {0};
    for (int32_t n = 0; n < 32; n++) {
        CnLodTile tile = {n % 4 - 2, n / 4 % 4 - 2, (uint32_t)(1 + n / 16)};
        int32_t size = cn_lod_tile_blocks(tile.level), side = 1 << tile.level;
        cni_voxel_lod_cells(world.generator, world.scratch, tile, cells);
        for (int32_t i = 0; i < CELLS * CELLS; i++) {
            int32_t x = tile.x * size + i % CELLS * side + side / 2;
            int32_t z = tile.z * size + i / CELLS * side + side / 2;
            CnColumn column = cn_generate_column(world.generator, world.scratch, x, z);
            bool is_open = generated_block(&world, x, column.ground, z) == CN_BLOCK_AIR;
            assert_int_equal(cells[i].ground <= column.ground, is_open);
            for (int32_t y = cells[i].ground; y <= column.ground; y++)
                assert_int_equal(generated_block(&world, x, y, z), CN_BLOCK_AIR);
            openings[tile.level] += is_open;
        }
    }
    assert_true(openings[1] > 10 && openings[2] > 10);
    close_world(&world);
}

static uint64_t sum_of(const CnLodMesh *mesh)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const CnLodQuad *q = &mesh->quads[i];
        const int32_t parts[] = {q->x, q->y, q->z, q->width, q->height, q->face, q->part, q->block};
        for (size_t n = 0; n < CN_COUNT_OF(parts); n++)
            hash = (hash ^ (uint32_t)parts[n]) * 1099511628211u;
    }
    return hash;
}

static void a_tile_is_the_same_in_any_order(void **state)
{
    (void)state;
    World first = open_world(), second = open_world();
    CnLodMesh mesh = {0}, other = {0};
    uint64_t sums[CN_COUNT_OF(some_tiles)];
    for (size_t t = 0; t < CN_COUNT_OF(some_tiles); t++) {
        assert_true(cn_lod_build(NULL, first.generator, first.scratch, some_tiles[t], &mesh));
        sums[t] = sum_of(&mesh);
    }
    for (size_t t = CN_COUNT_OF(some_tiles); t-- > 0;) {
        assert_true(cn_lod_build(NULL, second.generator, second.scratch, some_tiles[t], &other));
        assert_true(sum_of(&other) == sums[t]);
    }
    cn_lod_mesh_fini(NULL, &mesh);
    cn_lod_mesh_fini(NULL, &other);
    close_world(&first);
    close_world(&second);
}

/* Somewhere in eight square kilometers there are woods. */
static void trees_are_seen_from_afar(void **state)
{
    (void)state;
    World world = open_world();
    static CniVoxelLodCell cells[CELLS * CELLS];
    uint32_t crowns[CN_LOD_LEVELS + 1] = {0};
    for (uint32_t level = 1; level <= CN_LOD_LEVELS; level++)
        for (int32_t n = 0; n < 16; n++) {
            cni_voxel_lod_cells(
                world.generator, world.scratch,
                (CnLodTile){(n % 4 - 2) * 16 >> level, (n / 4 - 2) * 16 >> level, level}, cells);
            for (uint32_t i = 0; i < CELLS * CELLS; i++)
                crowns[level] += cells[i].top > cells[i].ground;
        }
    for (uint32_t level = 1; level <= CN_LOD_LEVELS; level++)
        assert_true(crowns[level] > 100);
    close_world(&world);
}

static void near_trees_stand_on_trunks(void **state)
{
    (void)state;
    World world = open_world();
    static CniVoxelLodCell cells[CELLS * CELLS];
    uint32_t trunks = 0, floating = 0;
    for (int32_t n = 0; n < 16; n++) {
        cni_voxel_lod_cells(world.generator, world.scratch,
                            (CnLodTile){(n % 4 - 2) * 8, (n / 4 - 2) * 8, 1}, cells);
        for (uint32_t i = 0; i < CELLS * CELLS; i++) {
            trunks += cells[i].trunk != CN_BLOCK_AIR;
            floating += cells[i].crown && cells[i].crown_low > cells[i].ground;
            if (cells[i].trunk)
                assert_true(cells[i].crown && cells[i].crown_low > cells[i].ground);
        }
    }
    assert_true(trunks > 20 && floating > trunks);
    close_world(&world);
}

static void details_differ_in_how_wide_cells_look(void **state)
{
    (void)state;
    static const float widest[] = {
        [CN_LOD_NORMAL] = 1 / 128.0f, [CN_LOD_COARSE] = 1 / 32.0f, [CN_LOD_FINE] = 1 / 192.0f};
    for (CnLodDetail detail = CN_LOD_NORMAL; detail <= CN_LOD_FINE; detail++) {
        CnLodView view = {.x = 77, .z = 5000, .near_edge = 512, .far_edge = 4096, .detail = detail};
        uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
        for (uint32_t i = 0; i < count; i++) {
            float cell = (float)(1u << tiles[i].level),
                  away = cn_sqrtf(distance_of(tiles[i], &view));
            bool is_finest = tiles[i].level == 1;
            assert_true(is_finest || cell <= widest[detail] * (away + 2));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_selection_covers_what_chunks_leave_once),
        cmocka_unit_test(no_tile_lies_among_the_chunks),
        cmocka_unit_test(the_nearest_come_first_and_are_the_finest),
        cmocka_unit_test(a_limit_keeps_the_nearest),
        cmocka_unit_test(an_eye_without_bounds_is_held),
        cmocka_unit_test(tops_show_every_cell_once),
        cmocka_unit_test(sides_show_all_that_is_not_hidden),
        cmocka_unit_test(without_trees_sides_reach_down_to_the_neighbor),
        cmocka_unit_test(cells_are_columns_of_the_generator),
        cmocka_unit_test(near_cells_are_open_where_caves_come_up),
        cmocka_unit_test(a_tile_is_the_same_in_any_order),
        cmocka_unit_test(trees_are_seen_from_afar),
        cmocka_unit_test(near_trees_stand_on_trunks),
        cmocka_unit_test(details_differ_in_how_wide_cells_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

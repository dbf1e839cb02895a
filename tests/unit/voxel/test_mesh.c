/* What meshes of small, known places are. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <cairn/voxel/mesh.h>

#include <string.h>

static CnChunkMeshScratch *scratch;
static CnBlock blocks[CN_CHUNK_BLOCKS];
static CnNeighborhood around;
static CnLightBox light;
static CnChunkMesh mesh;

static int begin(void **state)
{
    (void)state;
    memset(blocks, 0, sizeof blocks);
    memset(&around, 0, sizeof around);
    memset(light.cells, 0xF0, sizeof light.cells);
    light.uniform = false;
    scratch = cn_chunk_mesh_scratch_create(NULL);
    return scratch ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 27; i++)
        cn_chunk_release((CnChunk *)around.chunks[i]);
    cn_chunk_mesh_scratch_destroy(scratch);
    return 0;
}

static void put(uint32_t x, uint32_t y, uint32_t z, CnBlock block)
{
    blocks[x + 16 * y + 256 * z] = block;
}

static void fill_layer(uint32_t y, CnBlock block)
{
    for (uint32_t i = 0; i < 256; i++)
        put(i % 16, y, i / 16, block);
}

static uint8_t *light_at(int x, int y, int z)
{
    return &light.cells[cn_padded_index(x, y, z)];
}

static void build(const CnLightBox *box)
{
    around.chunks[13] = cn_chunk_create(NULL, standard_blocks(), blocks);
    cn_chunk_mesh_build(scratch, &around, box, &mesh);
}

static uint32_t count_of(CnChunkMeshPart part, CnFace face)
{
    uint32_t at = part * CN_FACE_COUNT + face;
    return mesh.first[at + 1] - mesh.first[at];
}

/* The only quad there. */
static CnQuadFields only(CnChunkMeshPart part, CnFace face)
{
    assert_int_equal(count_of(part, face), 1);
    return cn_quad_unpack(mesh.quads[mesh.first[part * CN_FACE_COUNT + face]], part);
}

/* The one that begins at the cell. */
static CnQuadFields quad_at(CnChunkMeshPart part, CnFace face, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t at = part * CN_FACE_COUNT + face;
    for (uint32_t i = mesh.first[at]; i < mesh.first[at + 1]; i++) {
        CnQuadFields quad = cn_quad_unpack(mesh.quads[i], part);
        if (quad.x == x && quad.y == y && quad.z == z)
            return quad;
    }
    fail_msg("no quad begins at %u %u %u", x, y, z);
    return (CnQuadFields){0};
}

static void four_are(const uint8_t values[4], uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t expected[4] = {a, b, c, d};
    assert_memory_equal(values, expected, 4);
}

/* ---- Faces ---- */

static void air_has_no_quads(void **state)
{
    (void)state;
    build(&light);
    assert_int_equal(mesh.count, 0);
}

static void a_lone_block_shows_six_faces(void **state)
{
    (void)state;
    put(3, 4, 5, BLOCK_STONE);
    build(&light);
    assert_int_equal(mesh.count, 6);
    for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
        CnQuadFields quad = only(CN_CHUNK_MESH_OPAQUE, (CnFace)face);
        assert_int_equal(quad.x | quad.y << 4 | quad.z << 8, 0x543);
        assert_int_equal(quad.width * quad.height, 1);
        assert_int_equal(quad.block, BLOCK_STONE);
        four_are(quad.occlusion, 3, 3, 3, 3);
        four_are(quad.sky_light, 15, 15, 15, 15);
        four_are(quad.block_light, 0, 0, 0, 0);
    }
}

static void a_solid_chunk_without_neighbors_is_six_quads(void **state)
{
    (void)state;
    for (uint32_t y = 0; y < 16; y++)
        fill_layer(y, BLOCK_STONE);
    build(NULL);
    assert_int_equal(mesh.count, 6);
    assert_int_equal(only(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_X).width, 16);
    assert_int_equal(only(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_X).height, 16);
}

static void a_buried_chunk_shows_nothing(void **state)
{
    (void)state;
    for (uint32_t y = 0; y < 16; y++)
        fill_layer(y, BLOCK_STONE);
    for (uint32_t i = 0; i < 27; i++)
        around.chunks[i] =
            i == 13 ? NULL : cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_DIRT);
    build(&light);
    assert_int_equal(mesh.count, 0);
}

static void other_blocks_are_not_merged(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    put(8, 0, 8, BLOCK_DIRT);
    build(NULL);
    assert_true(count_of(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y) > 1);
    assert_int_equal(quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 8, 0, 8).block, BLOCK_DIRT);
}

static void a_prop_is_one_quad_with_the_light_of_its_cell(void **state)
{
    (void)state;
    put(1, 2, 3, BLOCK_POPPY);
    *light_at(1, 2, 3) = 0x5A;
    build(&light);
    assert_int_equal(mesh.count, 1);
    CnQuadFields quad = only(CN_CHUNK_MESH_PROPS, CN_FACE_NEG_Z);
    assert_int_equal(quad.block, BLOCK_POPPY);
    four_are(quad.block_light, 10, 10, 10, 10);
    four_are(quad.sky_light, 5, 5, 5, 5);
}

/* ---- Corners ---- */

static void flat_ground_in_even_light_is_one_quad(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_GRASS);
    build(&light);
    CnQuadFields quad = only(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y);
    assert_int_equal(quad.width, 16);
    assert_int_equal(quad.height, 16);
}

static void a_wall_darkens_the_ground_beside_it(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    for (uint32_t z = 0; z < 16; z++)
        put(8, 1, z, BLOCK_STONE);
    build(&light);
    /* Side and diagonal are solid at the corners next to the wall; it merges along the wall. */
    CnQuadFields quad = quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 7, 0, 1);
    four_are(quad.occlusion, 3, 1, 1, 3);
    assert_int_equal(quad.width, 1);
    assert_int_equal(quad.height, 14);
}

static void both_sides_solid_is_darkest(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    put(9, 1, 8, BLOCK_STONE);
    put(8, 1, 9, BLOCK_STONE);
    build(&light);
    four_are(quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 8, 0, 8).occlusion, 3, 2, 0, 2);
}

static void neighbors_darken_corners_across_borders(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    around.chunks[14] = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_STONE);
    build(&light);
    four_are(quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 15, 0, 1).occlusion, 3, 1, 1, 3);
}

static void corner_light_is_the_mean_of_open_cells(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    put(9, 1, 9, BLOCK_STONE); /* opaque: its light does not count */
    *light_at(9, 1, 9) = 0xFF;
    *light_at(8, 1, 8) = 0xFC;
    *light_at(9, 1, 8) = 0xFB;
    *light_at(8, 1, 9) = 0xF9;
    build(&light);
    /* (1,1): (12 + 11 + 9) / 3 = 10.67; (1,0): (12 + 11 + 0 + 0) / 4 = 5.75 is more than 3
     * below. */
    CnQuadFields quad = quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 8, 0, 8);
    four_are(quad.block_light, 8, 8, 11, 8);
    four_are(quad.sky_light, 15, 15, 15, 15);
}

static void light_that_falls_along_one_axis_merges_along_the_other(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    for (int z = -1; z <= CN_CHUNK_SIZE; z++)
        for (int x = -1; x <= CN_CHUNK_SIZE; x++)
            *light_at(x, 1, z) = (uint8_t)((x + 1 < 15 ? 15 - x - 1 : 0) << 4);
    build(&light);
    CnQuadFields quad = quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_POS_Y, 5, 0, 0);
    assert_int_equal(quad.width, 1);
    assert_int_equal(quad.height, 16);
    four_are(quad.sky_light, 10, 9, 9, 10);
}

static void without_light_everything_is_open_and_bright(void **state)
{
    (void)state;
    fill_layer(0, BLOCK_STONE);
    put(8, 1, 8, BLOCK_STONE);
    build(NULL);
    CnQuadFields quad = quad_at(CN_CHUNK_MESH_OPAQUE, CN_FACE_NEG_X, 8, 1, 8);
    four_are(quad.occlusion, 3, 3, 3, 3);
    four_are(quad.sky_light, 15, 15, 15, 15);
    four_are(quad.block_light, 15, 15, 15, 15);
}

/* ---- Water ---- */

static void a_sea_is_one_quad_a_little_below_the_blocks(void **state)
{
    (void)state;
    fill_layer(0, CN_BLOCK_WATER);
    fill_layer(1, CN_BLOCK_WATER);
    build(&light);
    CnQuadFields quad = only(CN_CHUNK_MESH_WATER, CN_FACE_POS_Y);
    assert_int_equal(quad.width * quad.height, 256);
    four_are(quad.water_height, 14, 14, 14, 14);
    float corners[4][3];
    cn_quad_corners(mesh.quads[mesh.first[CN_CHUNK_MESH_WATER * CN_FACE_COUNT + CN_FACE_POS_Y]],
                    CN_CHUNK_MESH_WATER, CN_FACE_POS_Y, corners);
    for (uint32_t c = 0; c < 4; c++)
        assert_true(corners[c][1] == 1.875f);
}

static void sides_of_water_reach_up_to_the_water_above(void **state)
{
    (void)state;
    put(8, 0, 8, CN_BLOCK_WATER);
    put(8, 1, 8, CN_BLOCK_WATER);
    build(&light);
    four_are(quad_at(CN_CHUNK_MESH_WATER, CN_FACE_NEG_X, 8, 0, 8).water_height, 16, 16, 16, 16);
    four_are(quad_at(CN_CHUNK_MESH_WATER, CN_FACE_NEG_X, 8, 1, 8).water_height, 16, 16, 14, 14);
}

static void flowing_water_slopes_down(void **state)
{
    (void)state;
    put(7, 0, 8, CN_BLOCK_WATER);
    put(8, 0, 8, CN_BLOCK_WATER_4);
    build(&light);
    /* 14 and 7, and their mean between them. */
    four_are(quad_at(CN_CHUNK_MESH_WATER, CN_FACE_POS_Y, 7, 0, 8).water_height, 14, 11, 11, 14);
    four_are(quad_at(CN_CHUNK_MESH_WATER, CN_FACE_POS_Y, 8, 0, 8).water_height, 11, 7, 7, 11);
}

/* ---- Quads ---- */

/* On the way round, the normal points out for -x, -y, +z, and in for the others. */
static void corners_go_round_as_the_header_says(void **state)
{
    (void)state;
    static const float outward[CN_FACE_COUNT][3] = {{0, 0, -1}, {0, 0, 1},  {-1, 0, 0},
                                                    {1, 0, 0},  {0, -1, 0}, {0, 1, 0}};
    static const bool counter_clockwise[CN_FACE_COUNT] = {false, true, true, false, true, false};
    put(3, 4, 5, BLOCK_STONE);
    build(NULL);
    for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
        float c[4][3], a[3], b[3];
        cn_quad_corners(mesh.quads[mesh.first[face]], CN_CHUNK_MESH_OPAQUE, (CnFace)face, c);
        for (uint32_t k = 0; k < 3; k++) {
            a[k] = c[1][k] - c[0][k];
            b[k] = c[3][k] - c[0][k];
        }
        const float normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
        for (uint32_t k = 0; k < 3; k++) {
            float n = outward[face][k];
            assert_true(normal[k] == (counter_clockwise[face] ? n : -n));
            float plane = (float)(3 + k) + (n > 0);
            assert_true(n == 0 || c[2][k] == plane);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(air_has_no_quads),
        TEST(a_lone_block_shows_six_faces),
        TEST(a_solid_chunk_without_neighbors_is_six_quads),
        TEST(a_buried_chunk_shows_nothing),
        TEST(other_blocks_are_not_merged),
        TEST(a_prop_is_one_quad_with_the_light_of_its_cell),
        TEST(flat_ground_in_even_light_is_one_quad),
        TEST(a_wall_darkens_the_ground_beside_it),
        TEST(both_sides_solid_is_darkest),
        TEST(neighbors_darken_corners_across_borders),
        TEST(corner_light_is_the_mean_of_open_cells),
        TEST(light_that_falls_along_one_axis_merges_along_the_other),
        TEST(without_light_everything_is_open_and_bright),
        TEST(a_sea_is_one_quad_a_little_below_the_blocks),
        TEST(sides_of_water_reach_up_to_the_water_above),
        TEST(flowing_water_slopes_down),
        TEST(corners_go_round_as_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

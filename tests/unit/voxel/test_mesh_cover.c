/* Meshes of random chunks cover what is seen, exactly, with every path of SIMD. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_faces.h"
#include "voxel_generated.h"
#include "voxel_random.h"

#include <cairn/base/cpu.h>

#include <stdlib.h>

static CnChunkMeshScratch *scratch;
static CnSimdPath path_before;

static int make_scratch(void **state)
{
    (void)state;
    path_before = cn_simd_path();
    scratch = cn_chunk_mesh_scratch_create(NULL);
    return scratch ? 0 : -1;
}

static int drop_scratch(void **state)
{
    (void)state;
    cn_chunk_mesh_scratch_destroy(scratch);
    cn_simd_force(path_before);
    return 0;
}

/* Builds it with every path; exact on the first, the same bits on the others. */
static void check(const CnNeighborhood *around, const CnLightBox *light)
{
    CnChunkMesh mesh;
    CnQuad *first = NULL;
    uint32_t count = 0, starts[CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT + 1] = {0};
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        cn_chunk_mesh_build(scratch, around, light, &mesh);
        if (path == 0) {
            assert_true(voxel_mesh_is_exact(around, light, &mesh));
            count = mesh.count;
            first = malloc(count * sizeof *first + 1);
            memcpy(first, mesh.quads, count * sizeof *first);
            memcpy(starts, mesh.first, sizeof starts);
        }
        assert_int_equal(mesh.count, count);
        assert_memory_equal(mesh.first, starts, sizeof starts);
        if (count > 0)
            assert_memory_equal(mesh.quads, first, count * sizeof *first);
    }
    free(first);
}

static void random_chunks_are_covered_exactly(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (uint32_t i = 0; i < 150; i++) {
        CnNeighborhood around = {.position = {0, 0, 0}};
        voxel_random_around(&random, &around);
        check(&around, NULL);
        voxel_drop_around(&around);
    }
}

static void random_chunks_in_random_light_are_covered_exactly(void **state)
{
    (void)state;
    static CnLightBox light;
    uint64_t random = 2;
    for (uint32_t i = 0; i < 150; i++) {
        CnNeighborhood around = {.position = {0, 0, 0}};
        voxel_random_around(&random, &around);
        voxel_random_light(&random, voxel_random(&random, 20), i % 3 == 0 ? 300 : 0, &light);
        check(&around, &light);
        voxel_drop_around(&around);
    }
}

static void chunks_of_more_kinds_than_a_palette_holds_are_covered_exactly(void **state)
{
    (void)state;
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    static CnLightBox light;
    uint64_t random = 3;
    CnNeighborhood around = {.position = {0, 0, 0}};
    for (uint32_t i = 0; i < 27; i++) {
        voxel_random_blocks(&random, BLOCK_COUNT, blocks);
        around.chunks[i] = cn_chunk_create(NULL, standard_blocks(), blocks);
    }
    voxel_random_light(&random, 3, 0, &light);
    check(&around, &light);
    voxel_drop_around(&around);
}

static void generate_around(GeneratedWorld *world, CnChunkPos middle, CnNeighborhood *around)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    around->position = middle;
    for (int32_t i = 0; i < 27; i++) {
        CnChunkPos position = {middle.x + i % 3 - 1, middle.y + i / 3 % 3 - 1,
                               middle.z + i / 9 - 1};
        cn_generate(world->generator, world->scratch, position, blocks);
        around->chunks[i] = cn_chunk_create(NULL, standard_blocks(), blocks);
    }
}

/* At the surface, below it and at the sea, in the light that is there if the sky begins at the
 * highest block of the middle column. */
static void generated_chunks_are_covered_exactly(void **state)
{
    (void)state;
    static CnLightBox box;
    static int32_t open[256];
    GeneratedWorld world =
        generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7});
    CnLightScratch *lights = cn_light_scratch_create(NULL, standard_blocks());
    CnLightSky sky;
    for (uint32_t i = 0; i < 9; i++)
        sky.open[i] = open;
    for (int32_t i = 0; i < 16; i++) {
        CnChunkPos middle = {40 * (i % 4), i % 5 - 1, -60 * (i / 4)};
        CnColumn column = cn_generate_column(world.generator, world.scratch, 16 * middle.x + 8,
                                             16 * middle.z + 8);
        middle.y += column.ground >> 4;
        for (uint32_t k = 0; k < 256; k++)
            open[k] = column.ground + 1;
        CnNeighborhood around;
        generate_around(&world, middle, &around);
        cn_light_build(lights, &around, &sky, &box);
        check(&around, &box);
        check(&around, NULL);
        voxel_drop_around(&around);
    }
    cn_light_scratch_destroy(lights);
    generated_drop(&world);
}

/* One cell of each kind beside one of each other kind, in all six directions. */
static void every_pair_of_kinds_is_covered_exactly(void **state)
{
    (void)state;
    static const CnBlock kinds[] = {CN_BLOCK_AIR,   BLOCK_STONE,      BLOCK_OAK_LEAVES,
                                    CN_BLOCK_WATER, CN_BLOCK_WATER_4, BLOCK_POPPY};
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    for (uint32_t pair = 0; pair < 36; pair++) {
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
            blocks[i] = (i ^ i >> 4 ^ i >> 8) & 1 ? kinds[pair % 6] : kinds[pair / 6];
        CnNeighborhood around = {.position = {0, 0, 0}};
        around.chunks[13] = cn_chunk_create(NULL, standard_blocks(), blocks);
        check(&around, NULL);
        voxel_drop_around(&around);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_chunks_are_covered_exactly),
        cmocka_unit_test(random_chunks_in_random_light_are_covered_exactly),
        cmocka_unit_test(generated_chunks_are_covered_exactly),
        cmocka_unit_test(chunks_of_more_kinds_than_a_palette_holds_are_covered_exactly),
        cmocka_unit_test(every_pair_of_kinds_is_covered_exactly),
    };
    return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}

/* test-labels: threads */
/* The terrain around an eye: chunks and far tiles come and go. */
#include "cmocka_tests.h"

#include <crafty/client/terrain.h>

static CraftyStreamView eye_at(float x, float far_edge)
{
    return (CraftyStreamView){.position = {x, 40, 0},
                              .forward = {0, 0, -1},
                              .radius = 1,
                              .height = 1,
                              .far_edge = far_edge};
}

static CraftyTerrain *make_terrain(void)
{
    CraftyTerrain *terrain = crafty_terrain_create(
        &(CraftyTerrainDesc){.seed = 42, .workers = 1, .max_quads = 1 << 18}, NULL);
    assert_non_null(terrain);
    return terrain;
}

static uint32_t chosen_tiles(const CraftyStreamView *eye)
{
    static CnLodTile tiles[CN_LOD_MAX_TILES];
    CnLodView view = {.x = eye->position.x,
                      .z = eye->position.z,
                      .near_edge = (float)eye->radius * CN_CHUNK_SIZE,
                      .far_edge = eye->far_edge};
    return cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
}

static void waiting_leaves_nothing_missing(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    CraftyStreamView eye = eye_at(0, 256);
    crafty_terrain_wait(terrain, &eye);
    CraftyTerrainStats stats = crafty_terrain_stats(terrain);
    assert_true(crafty_terrain_is_complete(terrain));
    assert_int_equal(stats.voxels.shown, 27);
    assert_int_equal(stats.far_missing, 0);
    assert_int_equal(stats.far_tiles, chosen_tiles(&eye));
    crafty_terrain_destroy(terrain);
}

static void who_goes_on_takes_the_tiles_along(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    for (float x = 0; x <= 300; x += 100) {
        CraftyStreamView eye = eye_at(x, 256);
        crafty_terrain_wait(terrain, &eye);
        assert_int_equal(crafty_terrain_stats(terrain).far_tiles, chosen_tiles(&eye));
    }
    crafty_terrain_destroy(terrain);
}

static void a_high_eye_sees_the_ground(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    CraftyStreamView eye = eye_at(0, 0);
    eye.position.y = 100; /* chunks evenly around it would end at 36 */
    eye.height = 4;
    crafty_terrain_wait(terrain, &eye);
    int32_t ground = cn_voxels_height(crafty_terrain_voxels(terrain), 0, 0);
    assert_true(ground < 36);
    CnChunkPos place = cn_chunk_of((CnCell){0, ground, 0});
    assert_non_null(cn_voxels_mesh(crafty_terrain_voxels(terrain), place));
    crafty_terrain_destroy(terrain);
}

static void far_terrain_lies_below_an_eye_that_is_higher_than_chunks_reach(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    CraftyStreamView low = eye_at(0, 256), high = low;
    high.position.y = 300;
    crafty_terrain_wait(terrain, &high);
    uint32_t all = crafty_terrain_stats(terrain).far_tiles;
    CnLodView view = {.far_edge = 256};
    assert_int_equal(all, cn_lod_select(&view, NULL, 0));
    crafty_terrain_wait(terrain, &low);
    assert_int_equal(crafty_terrain_stats(terrain).far_tiles, chosen_tiles(&low));
    crafty_terrain_destroy(terrain);
}

static void without_a_far_edge_there_are_no_tiles(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    CraftyStreamView eye = eye_at(0, 256);
    crafty_terrain_wait(terrain, &eye);
    eye.far_edge = 0;
    crafty_terrain_wait(terrain, &eye);
    assert_int_equal(crafty_terrain_stats(terrain).far_tiles, 0);
    crafty_terrain_destroy(terrain);
}

/* Frames ask a generator of their own: jobs hold locks of the one that makes chunks for as long as
 * erosion takes. */
static void biomes_of_frames_are_those_of_the_terrain_without_its_generator(void **state)
{
    (void)state;
    CraftyTerrain *terrain = make_terrain();
    CraftyWorld *world = crafty_terrain_world(terrain);
    CraftyBiomes biomes = crafty_world_biomes(world);
    CnGenerator *generator = crafty_world_generator(world);
    assert_ptr_not_equal(biomes.generator, generator);
    for (int32_t i = 0; i < 64; i++) {
        int32_t x = i * 97 - 3000, z = i * i * 13 - 20000;
        CnColumn own = cn_generate_column(biomes.generator, biomes.scratch, x, z);
        CnColumn all = cn_generate_column(generator, crafty_world_scratch(world), x, z);
        assert_int_equal(own.biome, all.biome);
    }
    crafty_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_leaves_nothing_missing),
        cmocka_unit_test(who_goes_on_takes_the_tiles_along),
        cmocka_unit_test(a_high_eye_sees_the_ground),
        cmocka_unit_test(far_terrain_lies_below_an_eye_that_is_higher_than_chunks_reach),
        cmocka_unit_test(without_a_far_edge_there_are_no_tiles),
        cmocka_unit_test(biomes_of_frames_are_those_of_the_terrain_without_its_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

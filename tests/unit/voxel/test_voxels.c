#include "standard_blocks.h"
#include "voxel_world.h"

#include <string.h>

static VoxelWorld made;
static CnVoxels *world;
static uint32_t changes;
static CnEdit last_change;

static void note_change(void *user, const CnEdit *edit)
{
    (void)user;
    changes++;
    last_change = *edit;
}

static int make(void **state)
{
    (void)state;
    changes = 0;
    made = voxel_world_create(NULL, 0, &(CnVoxelsHooks){.block_changed = note_change});
    world = made.world;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

/* ---- Blocks ---- */

static void blocks_are_those_of_the_generator(void **state)
{
    (void)state;
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    CnGenerateScratch *scratch = cn_generate_scratch_create(made.generator);
    CnChunkPos at = {-3, voxel_ground_chunk(world).y, 5};
    cn_generate(made.generator, scratch, at, blocks);
    for (int32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        CnCell cell = {16 * at.x + (i & 15), 16 * at.y + (i >> 4 & 15), 16 * at.z + (i >> 8)};
        assert_int_equal(cn_voxels_get(world, cell), blocks[i]);
    }
    cn_generate_scratch_destroy(scratch);
}

static void a_chunk_that_somebody_keeps_does_not_change(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 4);
    CnChunk *kept = cn_chunk_acquire((CnChunk *)cn_voxels_chunk(world, cn_chunk_of(cell)));
    assert_true(voxel_set(world, cell, BLOCK_BRICKS));
    assert_int_not_equal(cn_chunk_get(kept, 3, cell.y & 15, 4), BLOCK_BRICKS);
    assert_int_equal(cn_voxels_get(world, cell), BLOCK_BRICKS);
    cn_chunk_release(kept);
}

/* ---- Edits ---- */

static void an_edit_is_reported_and_logged(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 0, 0);
    CnBlock before = cn_voxels_get(world, cell);
    assert_true(voxel_set(world, cell, BLOCK_STONE));
    assert_int_equal(changes, 1);
    assert_int_equal(last_change.old_block, before);
    assert_int_equal(last_change.new_block, BLOCK_STONE);
    assert_int_equal(cn_edit_log_count(cn_voxels_log(world)), 1);
    CnEdit written = cn_edit_log_at(cn_voxels_log(world), 0);
    assert_int_equal(written.old_block, before);
    assert_memory_equal(&written.cell, &cell, sizeof cell);
}

static void a_block_that_is_there_already_changes_nothing(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 0, 0);
    assert_true(voxel_set(world, cell, cn_voxels_get(world, cell)));
    assert_int_equal(changes, 0);
    assert_int_equal(cn_edit_log_count(cn_voxels_log(world)), 0);
}

static void edits_outside_of_the_world_are_refused(void **state)
{
    (void)state;
    const int32_t limit = 16 * CN_CHUNK_LIMIT;
    const CnCell cells[] = {{limit, 0, 0},      {-limit - 1, 0, 0}, {0, limit, 0},
                            {0, -limit - 1, 0}, {0, 0, limit},      {0, 0, -limit - 1}};
    for (size_t i = 0; i < CN_COUNT_OF(cells); i++) {
        CnEdit edit = {.cell = cells[i], .new_block = BLOCK_STONE};
        CnError error = {0};
        assert_false(cn_voxels_edit(world, &edit, &error));
        assert_int_equal(error.code, CN_ERROR_LIMIT);
        assert_int_equal(cn_voxels_get(world, cells[i]), CN_BLOCK_AIR);
    }
    assert_int_equal(changes, 0);
}

static void blocks_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    CnEdit edit = {.new_block = BLOCK_COUNT};
    CnError error = {0};
    assert_false(cn_voxels_edit(world, &edit, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "unknown block"));
}

static void an_edit_can_be_taken_back(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 5, 5);
    cell.y--;
    CnBlock before = cn_voxels_get(world, cell);
    voxel_set(world, cell, CN_BLOCK_AIR);
    CnEdit back;
    assert_true(cn_edit_log_undo(cn_voxels_log(world), 1, &back));
    assert_true(cn_voxels_edit(world, &back, NULL));
    assert_int_equal(cn_voxels_get(world, cell), before);
}

/* ---- The hash ---- */

static void the_hash_tells_edits_apart_and_not_their_order(void **state)
{
    (void)state;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    uint64_t untouched = cn_voxels_hash(world);
    CnCell a = {3, 100, 5}, b = {-90, -20, 7};
    voxel_set(world, a, BLOCK_STONE);
    voxel_set(world, b, BLOCK_GLASS);
    assert_int_not_equal(cn_voxels_hash(world), untouched);
    assert_int_equal(cn_voxels_hash(other.world), untouched);
    voxel_set(other.world, b, BLOCK_GLASS);
    assert_int_not_equal(cn_voxels_hash(other.world), cn_voxels_hash(world));
    voxel_set(other.world, a, BLOCK_STONE);
    assert_int_equal(cn_voxels_hash(other.world), cn_voxels_hash(world));
    voxel_world_destroy(&other);
}

static void the_hash_does_not_see_streaming(void **state)
{
    (void)state;
    voxel_set(world, (CnCell){3, 100, 5}, BLOCK_STONE);
    uint64_t before = cn_voxels_hash(world);
    voxel_show(world, (CnChunkPos){0, 6, 0});
    voxel_show(world, (CnChunkPos){20, 6, 20});
    assert_int_equal(cn_voxels_hash(world), before);
}

static void what_is_put_back_has_the_hash_of_before(void **state)
{
    (void)state;
    uint64_t before = cn_voxels_hash(world);
    CnCell cell = {3, -40, 5};
    CnBlock block = cn_voxels_get(world, cell);
    voxel_set(world, cell, BLOCK_GLASS);
    voxel_set(world, cell, block);
    assert_int_equal(cn_voxels_hash(world), before);
}

/* ---- Where the sky begins ---- */

static int32_t searched_height(int32_t x, int32_t z, int32_t from)
{
    CnCell cell = {x, from, z};
    while (!(standard_blocks()->flags[cn_voxels_get(world, cell)] & CN_BLOCK_DIMS_LIGHT))
        cell.y--;
    return cell.y;
}

static void heights_are_those_of_the_highest_block_that_dims(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 300; i++) {
        int32_t x = 37 * i % 101 - 50, z = 53 * i % 97 - 50;
        assert_int_equal(cn_voxels_height(world, x, z), searched_height(x, z, 300));
    }
}

static void heights_follow_edits_upwards_and_downwards(void **state)
{
    (void)state;
    CnCell ground = voxel_above_ground(world, 2, 3);
    ground.y--;
    voxel_set(world, (CnCell){2, 400, 3}, BLOCK_STONE);
    assert_int_equal(cn_voxels_height(world, 2, 3), 400);
    voxel_set(world, (CnCell){2, 300, 3}, BLOCK_STONE);
    assert_int_equal(cn_voxels_height(world, 2, 3), 400);
    voxel_set(world, (CnCell){2, 400, 3}, CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_height(world, 2, 3), 300);
    voxel_set(world, (CnCell){2, 300, 3}, BLOCK_TORCH);
    assert_int_equal(cn_voxels_height(world, 2, 3), ground.y);
    voxel_set(world, ground, CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_height(world, 2, 3), searched_height(2, 3, ground.y));
}

static void edits_count_that_came_before_the_sky_was_looked_at(void **state)
{
    (void)state;
    voxel_set(world, (CnCell){1, 500, 1}, BLOCK_STONE);
    assert_int_equal(cn_voxels_height(world, 1, 1), 500);
}

/* ---- Light ---- */

static void light_comes_without_streaming(void **state)
{
    (void)state;
    assert_int_equal(cn_voxels_light(world, (CnCell){8, 300, 8}), 15 << 4);
    CnCell cell = {8, 300, 8};
    voxel_set(world, cell, BLOCK_GLOWSTONE);
    uint8_t level = standard_blocks()->info[BLOCK_GLOWSTONE].light_level;
    assert_int_equal(cn_voxels_light(world, (CnCell){10, 300, 8}), 15 << 4 | (level - 2));
}

static void light_follows_edits(void **state)
{
    (void)state;
    CnCell roof = {8, 300, 8};
    for (int32_t x = 0; x < 40; x++)
        for (int32_t z = 0; z < 40; z++)
            voxel_set(world, (CnCell){x - 12, 300, z - 12}, BLOCK_STONE);
    CnCell below = {8, 299, 8};
    assert_int_equal(cn_voxels_light(world, below) >> 4, 0);
    voxel_set(world, roof, CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_light(world, below) >> 4, 15);
    assert_int_equal(cn_voxels_light(world, (CnCell){8 + 3, 299, 8}) >> 4, 12);
    voxel_set(world, roof, BLOCK_STONE);
    assert_int_equal(cn_voxels_light(world, below) >> 4, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(blocks_are_those_of_the_generator),
        TEST(a_chunk_that_somebody_keeps_does_not_change),
        TEST(an_edit_is_reported_and_logged),
        TEST(a_block_that_is_there_already_changes_nothing),
        TEST(edits_outside_of_the_world_are_refused),
        TEST(blocks_that_do_not_exist_are_refused),
        TEST(an_edit_can_be_taken_back),
        TEST(the_hash_tells_edits_apart_and_not_their_order),
        TEST(the_hash_does_not_see_streaming),
        TEST(what_is_put_back_has_the_hash_of_before),
        TEST(heights_are_those_of_the_highest_block_that_dims),
        TEST(heights_follow_edits_upwards_and_downwards),
        TEST(edits_count_that_came_before_the_sky_was_looked_at),
        TEST(light_comes_without_streaming),
        TEST(light_follows_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

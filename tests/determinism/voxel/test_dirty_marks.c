/* Few edits at a time, and after each frame a comparison with a world that has lit and meshed
 * everything anew: an edit that marks too little is found, before later edits hide it. */
#include "standard_blocks.h"
#include "voxel_world.h"

#include "random.h"
#include "voxel/world/voxels_internal.h"

static VoxelWorld followed, rebuilt;

static void rebuild(CnChunkPos middle)
{
    CnVoxels *world = rebuilt.world;
    for (uint32_t i = 0; i < world->entries.count; i++) {
        CniVoxelChunkEntry *entry = *(CniVoxelChunkEntry **)cn_hash_map_value(&world->entries, i);
        entry->flags |= CNI_VOXEL_CHUNK_MESH_DIRTY | CNI_VOXEL_CHUNK_LIGHT_DIRTY;
    }
    for (uint32_t i = 0; i < world->columns.count; i++) {
        CniVoxelChunkColumn *column =
            *(CniVoxelChunkColumn **)cn_hash_map_value(&world->columns, i);
        column->stale = true;
    }
    world->view.first = 0;
    voxel_show(world, middle);
}

static bool is_open(CnCell cell)
{
    return !(standard_blocks()->flags[cn_voxels_get(followed.world, cell)] & CN_BLOCK_IS_OPAQUE);
}

/* A cell that light can come to, in the middle chunk or two cells around it. */
static CnCell exposed_cell(TestRandom *random, CnChunkPos middle)
{
    for (;;) {
        CnCell cell = {16 * middle.x - 2 + (int32_t)test_random_below(random, 20),
                       16 * middle.y - 2 + (int32_t)test_random_below(random, 20),
                       16 * middle.z - 2 + (int32_t)test_random_below(random, 20)};
        if (is_open((CnCell){cell.x, cell.y + 1, cell.z}) ||
            is_open((CnCell){cell.x, cell.y - 1, cell.z}) ||
            is_open((CnCell){cell.x - 1, cell.y, cell.z}))
            return cell;
    }
}

static void set_both(CnCell cell, CnBlock block)
{
    voxel_set(followed.world, cell, block);
    voxel_set(rebuilt.world, cell, block);
}

/* Lamps come and go, walls and roofs close and open. */
static void edit_some(TestRandom *random, CnChunkPos middle, uint32_t count)
{
    const CnBlock blocks[] = {CN_BLOCK_AIR,
                              BLOCK_STONE,
                              BLOCK_GLOWSTONE,
                              CN_BLOCK_AIR,
                              BLOCK_TORCH,
                              BLOCK_OAK_LEAVES,
                              cn_block_find(standard_blocks(), "stone_slab"),
                              cn_block_find(standard_blocks(), "oak_stairs_east_top")};
    CnCell cell = exposed_cell(random, middle);
    for (uint32_t i = 0; i < count; i++) {
        set_both(cell, blocks[test_random_below(random, CN_COUNT_OF(blocks))]);
        cell.x += (int32_t)test_random_below(random, 5) - 2;
        cell.y += (int32_t)test_random_below(random, 5) - 2;
        cell.z += (int32_t)test_random_below(random, 5) - 2;
    }
}

static void compare_after_each_frame(CnChunkPos middle, uint32_t frames, uint32_t most_edits)
{
    TestRandom random = {(uint64_t)frames * 31 + most_edits};
    followed = voxel_world_create(NULL, 0, NULL);
    rebuilt = voxel_world_create(NULL, 0, NULL);
    voxel_show(followed.world, middle);
    CnVoxelsView view = voxel_view(middle);
    for (uint32_t i = 0; i < frames; i++) {
        edit_some(&random, middle, 1 + test_random_below(&random, most_edits));
        cn_voxels_stream(followed.world, &view);
        rebuild(middle);
        assert_same_view(followed.world, rebuilt.world, middle);
    }
    voxel_world_destroy(&followed);
    voxel_world_destroy(&rebuilt);
}

static void single_edits_at_the_surface_mark_all_that_changes(void **state)
{
    (void)state;
    compare_after_each_frame((CnChunkPos){0, 1, 0}, 30, 1);
}

static void single_edits_in_caves_mark_all_that_changes(void **state)
{
    (void)state;
    compare_after_each_frame((CnChunkPos){2, -3, 1}, 40, 1);
}

static void edits_of_one_frame_mark_all_that_changes_together(void **state)
{
    (void)state;
    compare_after_each_frame((CnChunkPos){2, -3, 1}, 40, 4);
}

/* ---- As far as light can go: a tunnel along x, high in the sky, closed at first ---- */

static const CnChunkPos HIGH = {0, 20, 0};
#define TUNNEL_Y (16 * 20 + 8)

static void make_tunnel(void)
{
    followed = voxel_world_create(NULL, 0, NULL);
    rebuilt = voxel_world_create(NULL, 0, NULL);
    for (int32_t x = -16; x < 32; x++)
        for (int32_t y = TUNNEL_Y - 1; y <= TUNNEL_Y + 1; y++)
            for (int32_t z = 7; z <= 9; z++)
                if (y != TUNNEL_Y || z != 8 || x == -16 || x == 31)
                    set_both((CnCell){x, y, z}, BLOCK_STONE);
}

static void compare_tunnel(void)
{
    CnVoxelsView view = voxel_view(HIGH);
    cn_voxels_stream(followed.world, &view);
    rebuild(HIGH);
    assert_same_view(followed.world, rebuilt.world, HIGH);
}

static void end_tunnel(void)
{
    voxel_world_destroy(&followed);
    voxel_world_destroy(&rebuilt);
}

static void a_lamp_is_seen_in_the_next_chunk_at_its_last_level(void **state)
{
    (void)state;
    make_tunnel();
    voxel_show(followed.world, HIGH);
    for (int32_t x = 0; x < 5; x++) {
        set_both((CnCell){x, TUNNEL_Y, 8}, BLOCK_GLOWSTONE);
        compare_tunnel();
        set_both((CnCell){x, TUNNEL_Y, 8}, CN_BLOCK_AIR);
        compare_tunnel();
    }
    end_tunnel();
}

static void a_hole_in_the_roof_is_seen_in_the_next_chunk_at_its_last_level(void **state)
{
    (void)state;
    make_tunnel();
    voxel_show(followed.world, HIGH);
    for (int32_t x = 0; x < 5; x++) {
        set_both((CnCell){x, TUNNEL_Y + 1, 8}, CN_BLOCK_AIR);
        compare_tunnel();
        set_both((CnCell){x, TUNNEL_Y + 1, 8}, BLOCK_STONE);
        compare_tunnel();
    }
    end_tunnel();
}

static void a_wall_that_goes_lets_a_lamp_into_the_next_chunk(void **state)
{
    (void)state;
    make_tunnel();
    for (int32_t x = 1; x < 5; x++) {
        set_both((CnCell){x - 1, TUNNEL_Y, 8}, BLOCK_GLOWSTONE);
        set_both((CnCell){x, TUNNEL_Y, 8}, BLOCK_STONE);
        voxel_show(followed.world, HIGH);
        set_both((CnCell){x, TUNNEL_Y, 8}, CN_BLOCK_AIR);
        compare_tunnel();
        set_both((CnCell){x - 1, TUNNEL_Y, 8}, CN_BLOCK_AIR);
    }
    end_tunnel();
}

static void a_wall_and_a_lamp_of_one_frame_come_together(void **state)
{
    (void)state;
    make_tunnel();
    set_both((CnCell){12, TUNNEL_Y, 8}, BLOCK_STONE);
    voxel_show(followed.world, HIGH);
    set_both((CnCell){4, TUNNEL_Y, 8}, BLOCK_GLOWSTONE);
    set_both((CnCell){12, TUNNEL_Y, 8}, CN_BLOCK_AIR);
    compare_tunnel();
    assert_int_equal(cn_voxels_light(followed.world, (CnCell){17, TUNNEL_Y, 8}),
                     standard_blocks()->info[BLOCK_GLOWSTONE].light_level - 13);
    end_tunnel();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_edits_at_the_surface_mark_all_that_changes),
        cmocka_unit_test(single_edits_in_caves_mark_all_that_changes),
        cmocka_unit_test(edits_of_one_frame_mark_all_that_changes_together),
        cmocka_unit_test(a_lamp_is_seen_in_the_next_chunk_at_its_last_level),
        cmocka_unit_test(a_hole_in_the_roof_is_seen_in_the_next_chunk_at_its_last_level),
        cmocka_unit_test(a_wall_that_goes_lets_a_lamp_into_the_next_chunk),
        cmocka_unit_test(a_wall_and_a_lamp_of_one_frame_come_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

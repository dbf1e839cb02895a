/* test-labels: threads */
#include "standard_blocks.h"
#include "voxel_world.h"

#include "voxel/world/voxels_internal.h"

#include <cairn/base/clock.h>

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const CnChunkPos HOME = {0, 1, 0};

static VoxelWorld made;
static CnVoxels *world;
static CnHeap *heap;
static uint32_t added, changed, removed;
static _Atomic bool hold; /* the worker */

static void count_added(void *user, CnChunkPos position)
{
    (void)user;
    assert_non_null(cn_voxels_mesh(world, position));
    added++;
}

static void count_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    (void)user;
    assert_ptr_equal(cn_voxels_mesh(world, position), mesh);
    changed++;
}

static void count_removed(void *user, CnChunkPos position)
{
    (void)user;
    assert_null(cn_voxels_mesh(world, position));
    removed++;
}

static const CnVoxelsHooks HOOKS = {
    .chunk_added = count_added, .mesh_changed = count_changed, .chunk_removed = count_removed};

static int make_with(uint32_t workers)
{
    heap = cn_heap_create(NULL, NULL);
    added = changed = removed = 0;
    made = voxel_world_create(cn_heap_tag(heap, "voxels"), workers, &HOOKS);
    world = made.world;
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_with(0);
}

static int make_with_worker(void **state)
{
    (void)state;
    return make_with(1);
}

static int unmake(void **state)
{
    (void)state;
    atomic_store(&hold, false);
    voxel_world_destroy(&made);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    return 0;
}

/* ---- Showing ---- */

static void every_chunk_of_the_view_is_shown(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    for (int32_t i = 0; i < 27; i++)
        assert_non_null(cn_voxels_mesh(
            world, (CnChunkPos){HOME.x + i % 3 - 1, HOME.y + i / 3 % 3 - 1, HOME.z + i / 9 - 1}));
    assert_int_equal(cn_voxels_stats(world).shown, 27);
    assert_int_equal(cn_voxels_stats(world).waiting, 0);
    assert_int_equal(added, 27);
}

static void only_neighbors_are_loaded_beside_the_view(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    assert_int_equal(cn_voxels_stats(world).chunks, 5 * 5 * 5);
    assert_null(cn_voxels_mesh(world, (CnChunkPos){HOME.x + 2, HOME.y, HOME.z}));
}

static void a_view_whose_chunks_are_all_loaded_is_shown_in_one_call(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 125; i++)
        cn_voxels_light(
            world, (CnCell){16 * (i % 5 - 2), 16 * (HOME.y + i / 5 % 5 - 2), 16 * (i / 25 - 2)});
    voxel_show(world, HOME);
    assert_int_equal(cn_voxels_stats(world).shown, 27);
}

static void each_chunk_is_lit_and_meshed_once(void **state)
{
    (void)state;
    for (int32_t x = 0; x < 6; x++)
        voxel_show(world, (CnChunkPos){x, HOME.y, 0});
    CnVoxelsStats stats = cn_voxels_stats(world);
    assert_int_equal(stats.meshed, 9 * 8);
    assert_int_equal(stats.lit, 9 * 8);
    assert_int_equal(stats.generated, 25 * 10);
}

static void a_walk_in_frames_meshes_each_chunk_once_too(void **state)
{
    (void)state;
    for (int32_t frame = 0; frame < 120; frame++) {
        CnVoxelsView view = voxel_view((CnChunkPos){frame / 12, HOME.y + frame / 50, -frame / 30});
        view.budget = 6;
        cn_voxels_stream(world, &view);
        if (made.jobs)
            cn_clock_sleep_ns(100000);
    }
    voxel_show(world, HOME);
    assert_true(added >= 27);
    assert_int_equal(cn_voxels_stats(world).meshed, added);
}

static void frames_come_to_the_same_as_waiting(void **state)
{
    (void)state;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    voxel_show(other.world, HOME);
    CnVoxelsView view = voxel_view(HOME);
    view.budget = 2;
    uint32_t frames = 0;
    do {
        cn_voxels_stream(world, &view);
        if (made.jobs)
            cn_clock_sleep_ns(100000);
        frames++;
    } while (cn_voxels_stats(world).waiting > 0);
    assert_true(frames >= (25 + 9) / 2);
    assert_same_view(world, other.world, HOME);
    voxel_world_destroy(&other);
}

static void a_call_begins_no_more_than_its_budget(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    view.budget = 3;
    for (uint32_t frame = 1; frame <= 3; frame++) {
        cn_voxels_stream(world, &view);
        assert_int_equal(cn_voxels_stats(world).generated, frame * 3 * 5);
    }
}

static void a_call_takes_in_no_more_than_is_requested(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    view.results = 2;
    cn_voxels_stream(world, &view);
    for (uint32_t frame = 0; frame < 3; frame++) {
        cn_clock_sleep_ns(30000000);
        uint64_t before = cn_voxels_stats(world).generated;
        cn_voxels_stream(world, &view);
        assert_true(cn_voxels_stats(world).generated <= before + 2 * 5);
    }
}

static bool is_loaded_around(int32_t x, int32_t z)
{
    uint64_t before = cn_voxels_stats(world).generated;
    cn_voxels_get(world, (CnCell){16 * x, 16 * HOME.y, 16 * z});
    return cn_voxels_stats(world).generated == before;
}

static void near_columns_come_first_and_those_in_view_before_those_behind(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    view.radius = 3;
    view.budget = 1;
    cn_voxels_stream(world, &view);
    assert_true(is_loaded_around(0, 0));
    assert_false(is_loaded_around(3, 0));
    view.budget = 25;
    cn_voxels_stream(world, &view);
    assert_true(is_loaded_around(2, 0));
    assert_false(is_loaded_around(-3, 0));
    view.budget = 15;
    cn_voxels_stream(world, &view);
    assert_true(is_loaded_around(3, 1));
    assert_false(is_loaded_around(-3, 1));
}

static void turning_round_changes_what_comes_next(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    view.radius = 4;
    view.budget = 20;
    cn_voxels_stream(world, &view);
    view.forward = (CnVec3){-1, 0, 0};
    cn_voxels_stream(world, &view);
    assert_true(is_loaded_around(-3, 0));
    assert_false(is_loaded_around(4, 0));
}

/* ---- Leaving ---- */

static void chunks_are_hidden_and_unloaded_one_further_out(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    voxel_show(world, (CnChunkPos){1, HOME.y, 0});
    assert_int_equal(removed, 0);
    assert_non_null(cn_voxels_mesh(world, (CnChunkPos){-1, HOME.y, 0}));
    voxel_show(world, (CnChunkPos){2, HOME.y, 0});
    assert_int_equal(removed, 9);
    assert_null(cn_voxels_mesh(world, (CnChunkPos){-1, HOME.y, 0}));
    voxel_show(world, (CnChunkPos){50, HOME.y, 0});
    assert_int_equal(cn_voxels_stats(world).chunks, 125);
    assert_int_equal(added - removed, 27);
}

static void edited_chunks_outlive_unloading(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_show(world, HOME);
    voxel_set(world, cell, BLOCK_BRICKS);
    voxel_show(world, (CnChunkPos){50, HOME.y, 0});
    voxel_show(world, (CnChunkPos){90, HOME.y, 0});
    assert_int_equal(cn_voxels_stats(world).chunks, 125 + 1);
    assert_int_equal(cn_voxels_get(world, cell), BLOCK_BRICKS);
    assert_int_equal(cn_voxels_height(world, 3, 3), cell.y);
}

static void what_was_requested_is_kept_for_a_while(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    cn_voxels_get(world, (CnCell){1600, 0, 0});
    voxel_show(world, HOME);
    assert_int_equal(cn_voxels_stats(world).chunks, 126);
    voxel_show(world, HOME);
    assert_int_equal(cn_voxels_stats(world).chunks, 125);
}

static void a_jump_far_up_and_back_shows_the_same(void **state)
{
    (void)state;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    voxel_show(other.world, HOME);
    for (int32_t y = 40; y >= HOME.y; y -= 13)
        voxel_show(world, (CnChunkPos){0, y, 0});
    voxel_show(world, HOME);
    assert_same_view(world, other.world, HOME);
    voxel_world_destroy(&other);
}

/* ---- Cancelling ---- */

static void block_worker(void *data, uint32_t lane)
{
    (void)data, (void)lane;
    while (atomic_load(&hold))
        cn_clock_sleep_ns(100000);
}

/* Until the worker is let go, jobs are done only by those who wait for them. */
static CnJob hold_worker(void)
{
    atomic_store(&hold, true);
    return cn_job_submit(made.jobs, &(CnJobDesc){.run = block_worker});
}

static void work_that_nobody_wants_any_more_is_cancelled(void **state)
{
    (void)state;
    CnJob blocked = hold_worker();
    CnVoxelsView view = voxel_view(HOME);
    cn_voxels_stream(world, &view);
    assert_int_equal(cn_voxels_stats(world).running, 25);
    view = voxel_view((CnChunkPos){50, HOME.y, 0});
    cn_voxels_stream(world, &view);
    atomic_store(&hold, false);
    cn_job_wait(made.jobs, blocked);
    voxel_show(world, (CnChunkPos){50, HOME.y, 0});
    CnVoxelsStats stats = cn_voxels_stats(world);
    assert_int_equal(stats.cancelled, 125);
    assert_int_equal(stats.generated, 125);
    assert_int_equal(stats.chunks, 125);
}

static void what_a_job_reads_is_copied_before_it_changes(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    CnJob blocked = hold_worker();
    cn_voxels_stream(world, &view);
    for (uint32_t i = 0; i < world->running.count; i++)
        cn_job_wait(made.jobs, world->running.items[i]->job);
    cn_voxels_stream(world, &view);
    assert_int_equal(cn_voxels_stats(world).running, 9);
    CnCell top = voxel_above_ground(world, 8, 8);
    const CniVoxelChunkColumn *column = cni_voxel_column_find(world, 0, 0);
    const CnChunk *chunk = cn_voxels_chunk(world, cn_chunk_of(top));
    const CniVoxelSkyHeights *sky = column->sky;
    voxel_set(world, top, BLOCK_STONE);
    assert_ptr_not_equal(cn_voxels_chunk(world, cn_chunk_of(top)), chunk);
    assert_ptr_not_equal(column->sky, sky);
    /* The copies are nobody else's: the next edit changes them where they are. */
    chunk = cn_voxels_chunk(world, cn_chunk_of(top));
    sky = column->sky;
    voxel_set(world, top, CN_BLOCK_AIR);
    assert_ptr_equal(cn_voxels_chunk(world, cn_chunk_of(top)), chunk);
    assert_ptr_equal(column->sky, sky);
    assert_int_equal(world->retired.count, 2);
    atomic_store(&hold, false);
    cn_job_wait(made.jobs, blocked);
    voxel_show(world, HOME);
    assert_int_equal(world->retired.count, 0);
}

static void a_world_can_go_while_jobs_run(void **state)
{
    (void)state;
    CnVoxelsView view = voxel_view(HOME);
    cn_voxels_stream(world, &view);
    assert_true(cn_voxels_stats(world).running > 0);
}

/* ---- Edits ---- */

static void an_edit_is_seen_after_one_call(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    CnCell cell = {8, 16 * HOME.y + 8, 8};
    CnBlock block = cn_voxels_get(world, cell) == CN_BLOCK_AIR ? BLOCK_STONE : CN_BLOCK_AIR;
    voxel_set(world, cell, block);
    changed = 0;
    CnVoxelsView view = voxel_view(HOME);
    cn_voxels_stream(world, &view);
    assert_true(changed >= 1);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    voxel_set(other.world, cell, block);
    voxel_show(other.world, HOME);
    assert_same_view(world, other.world, HOME);
    voxel_world_destroy(&other);
}

static void many_edits_of_a_frame_mesh_a_chunk_once(void **state)
{
    (void)state;
    const CnChunkPos deep = {0, -6, 0};
    voxel_show(world, deep);
    uint64_t before = cn_voxels_stats(world).meshed;
    for (int32_t i = 0; i < 20; i++)
        voxel_set(world, (CnCell){3 + i % 5, -90, 3 + i / 5}, BLOCK_BRICKS);
    CnVoxelsView view = voxel_view(deep);
    cn_voxels_stream(world, &view);
    assert_int_equal(cn_voxels_stats(world).meshed, before + 1);
}

static void an_edit_at_a_corner_meshes_the_neighbors_that_see_it(void **state)
{
    (void)state;
    const CnChunkPos deep = {0, -6, 0};
    voxel_show(world, deep);
    uint64_t before = cn_voxels_stats(world).meshed;
    voxel_set(world, (CnCell){0, -96, 0}, BLOCK_BRICKS);
    CnVoxelsView view = voxel_view(deep);
    cn_voxels_stream(world, &view);
    assert_int_equal(cn_voxels_stats(world).meshed, before + 8);
}

static void chunks_whose_light_stays_the_same_are_not_meshed(void **state)
{
    (void)state;
    const CnChunkPos sky = {0, 20, 0};
    voxel_show(world, sky);
    CnVoxelsStats before = cn_voxels_stats(world);
    /* The light of the sky comes from all sides: it is 15 everywhere but below the block. */
    voxel_set(world, (CnCell){8, 16 * 20 + 8, 8}, BLOCK_GLASS);
    CnVoxelsView view = voxel_view(sky);
    cn_voxels_stream(world, &view);
    CnVoxelsStats after = cn_voxels_stats(world);
    assert_int_equal(after.meshed, before.meshed + 1);
}

/* ---- Hooks that edit ---- */

static void edit_what_goes(void *user, CnChunkPos position)
{
    (void)user;
    removed++;
    CnCell cell = {16 * position.x, 16 * position.y, 16 * position.z};
    assert_true(voxel_set(world, cell, BLOCK_BRICKS));
}

static void a_chunk_that_is_edited_while_it_goes_stays(void **state)
{
    (void)state;
    world->hooks.chunk_removed = edit_what_goes;
    voxel_show(world, HOME);
    voxel_show(world, (CnChunkPos){50, HOME.y, 0});
    assert_int_equal(removed, 27);
    assert_int_equal(cn_voxels_get(world, (CnCell){0, 16 * HOME.y, 0}), BLOCK_BRICKS);
    assert_true(cn_voxels_stats(world).chunks >= 125 + 27);
}

static void edit_what_comes(void *user, CnChunkPos position)
{
    (void)user;
    added++;
    CnCell cell = {16 * position.x + 8, 16 * position.y + 8, 16 * position.z + 8};
    assert_true(voxel_set(world, cell, BLOCK_GLOWSTONE));
}

static void edits_of_hooks_are_shown(void **state)
{
    (void)state;
    world->hooks.chunk_added = edit_what_comes;
    voxel_show(world, HOME);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    for (int32_t i = 0; i < 27; i++)
        voxel_set(other.world,
                  (CnCell){16 * (HOME.x + i % 3 - 1) + 8, 16 * (HOME.y + i / 3 % 3 - 1) + 8,
                           16 * (HOME.z + i / 9 - 1) + 8},
                  BLOCK_GLOWSTONE);
    voxel_show(other.world, HOME);
    assert_same_view(world, other.world, HOME);
    voxel_world_destroy(&other);
}

/* ---- Edges ---- */

static void a_quiet_frame(CnVoxelsView *view, uint64_t tick)
{
    view->eye.x += .05f;
    view->forward.z += .02f;
    cn_voxels_stream(world, view);
    cn_voxels_get(world, (CnCell){1, 20, 1});
    cn_voxels_light(world, (CnCell){1, 20, 1});
    cn_voxels_tick(world, &(CnVoxelsTick){.tick = tick, .players = &view->eye, .player_count = 1});
}

static void nothing_is_allocated_where_nothing_changes(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    CnVoxelsView view = voxel_view(HOME);
    a_quiet_frame(&view, 0);
    uint64_t before = cn_heap_stats(heap).calls;
    for (uint64_t tick = 1; tick < 100; tick++)
        a_quiet_frame(&view, tick);
    assert_int_equal(cn_heap_stats(heap).calls, before);
}

static void any_eye_is_borne(void **state)
{
    (void)state;
    const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 16777216.0f, -16777216.0f};
    for (size_t i = 0; i < CN_COUNT_OF(odd); i++) {
        cn_voxels_stream(world, &(CnVoxelsView){.eye = {odd[i], odd[i], odd[i]},
                                                .forward = {odd[i], 0, odd[i]},
                                                .radius = 1,
                                                .height = 1,
                                                .wait = true});
        assert_true(cn_voxels_stats(world).shown >= 27);
    }
}

static void views_are_cut_to_what_is_allowed(void **state)
{
    (void)state;
    cn_voxels_stream(world, &(CnVoxelsView){.radius = 1, .height = 1000, .wait = true});
    assert_int_equal(cn_voxels_stats(world).shown, 9 * (2 * CN_VIEW_MAX_HEIGHT + 1));
}

#define TEST(name) one_thread_test_setup_teardown(name, make, unmake)
#define WITH_WORKER(name) cmocka_unit_test_setup_teardown(name, make_with_worker, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_chunk_of_the_view_is_shown),
        WITH_WORKER(every_chunk_of_the_view_is_shown),
        TEST(only_neighbors_are_loaded_beside_the_view),
        TEST(a_view_whose_chunks_are_all_loaded_is_shown_in_one_call),
        TEST(each_chunk_is_lit_and_meshed_once),
        WITH_WORKER(each_chunk_is_lit_and_meshed_once),
        TEST(a_walk_in_frames_meshes_each_chunk_once_too),
        WITH_WORKER(a_walk_in_frames_meshes_each_chunk_once_too),
        TEST(frames_come_to_the_same_as_waiting),
        WITH_WORKER(frames_come_to_the_same_as_waiting),
        TEST(a_call_begins_no_more_than_its_budget),
        WITH_WORKER(a_call_takes_in_no_more_than_is_requested),
        TEST(near_columns_come_first_and_those_in_view_before_those_behind),
        TEST(turning_round_changes_what_comes_next),
        TEST(chunks_are_hidden_and_unloaded_one_further_out),
        WITH_WORKER(chunks_are_hidden_and_unloaded_one_further_out),
        TEST(edited_chunks_outlive_unloading),
        TEST(what_was_requested_is_kept_for_a_while),
        WITH_WORKER(a_jump_far_up_and_back_shows_the_same),
        WITH_WORKER(work_that_nobody_wants_any_more_is_cancelled),
        WITH_WORKER(what_a_job_reads_is_copied_before_it_changes),
        WITH_WORKER(a_world_can_go_while_jobs_run),
        TEST(an_edit_is_seen_after_one_call),
        WITH_WORKER(an_edit_is_seen_after_one_call),
        TEST(many_edits_of_a_frame_mesh_a_chunk_once),
        TEST(an_edit_at_a_corner_meshes_the_neighbors_that_see_it),
        TEST(chunks_whose_light_stays_the_same_are_not_meshed),
        TEST(a_chunk_that_is_edited_while_it_goes_stays),
        TEST(edits_of_hooks_are_shown),
        WITH_WORKER(edits_of_hooks_are_shown),
        TEST(nothing_is_allocated_where_nothing_changes),
        TEST(any_eye_is_borne),
        TEST(views_are_cut_to_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

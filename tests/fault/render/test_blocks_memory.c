/* Worlds of blocks when memory ends, of the program or of the GPU: an error or less in the image,
 * never a crash, a leak or a wrong call; and all of it when there is memory again. */
#include "failing_heap.h"
#include "gpu_memory_filler.h"
#include "render_fixture.h"
#include "standard_blocks.h"

#include "render/block/block_view.h"

#define CHUNKS 6
#define QUADS 80u /* of a chunk */
#define TILES 5
#define SIZE 64u

typedef struct Path {
    const CnFeatureType *blocks;
    CnFullScreenForm form;
} Path;

static const Path light = {&cn_feature_lit_blocks, CN_FULL_SCREEN_FRAGMENT},
                  drawn = {&cn_feature_blocks, CN_FULL_SCREEN_FRAGMENT},
                  computed = {&cn_feature_blocks, CN_FULL_SCREEN_COMPUTE};

typedef struct Limits {
    CnAllocator *allocator;
    uint64_t upload_bytes; /* of a frame; 0: plenty */
    bool full;             /* the GPU, but for: */
    uint32_t room;         /* so many parts, the smallest first */
} Limits;

typedef struct World {
    CnGpu *gpu;
    GpuMemoryFiller filler;
    CnRenderer *renderer;
    CnBlockView *view;
    CnRenderSnapshot snapshot;
    CnRenderLight sun;
    uint32_t lists; /* of draws in a frame */
} World;

/* ---- A world ---- */

static CnFileBytes tiles;

static int read_tiles(void **state)
{
    (void)state;
    return cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &tiles, NULL) ? 0 : -1;
}

static int free_tiles(void **state)
{
    (void)state;
    cn_file_bytes_free(&tiles);
    return 0;
}

static bool out_of_memory(const CnError *error)
{
    assert_true(error->code == CN_ERROR_MEMORY || error->code == CN_ERROR_LIMIT);
    assert_int_not_equal(error->message[0], '\0');
    return false;
}

static bool add_features(World *world, const Path *path, CnError *error)
{
    CnRenderer *renderer = world->renderer;
    if (path->blocks == &cn_feature_lit_blocks)
        return cn_renderer_add_feature(renderer, &cn_feature_lit_blocks,
                                       &(CnLitBlocksOptions){.view = world->view}, error) &&
               cn_renderer_add_feature(renderer, &cn_feature_tone_map, NULL, error);
    return cn_renderer_add_feature(renderer, &cn_feature_shadows,
                                   &(CnShadowOptions){.size = 64, .cascades = 2}, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_blocks,
                                   &(CnBlocksOptions){.view = world->view}, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_deferred, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_block_highlight,
                                   &(CnBlocksOptions){.view = world->view}, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_water,
                                   &(CnWaterOptions){.view = world->view}, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_tone_map, NULL, error);
}

static bool make_world(World *world, const Path *path, const Limits *limits)
{
    CnError error = {0};
    *world = (World){.sun = {.kind = CN_LIGHT_DIRECTIONAL,
                             .direction = {0, -1, 0},
                             .color = {4, 4, 4},
                             .flags = CN_RENDER_CASTS_SHADOWS}};
    world->lists = path->blocks == &cn_feature_lit_blocks ? 1 : 2;
    world->snapshot = (CnRenderSnapshot){.tick = 1, .lights = &world->sun, .light_count = 1};
    world->gpu = cn_gpu_create(
        &(CnGpuDesc){.backend = CN_GPU_NULL, .upload_bytes = limits->upload_bytes}, &error);
    assert_non_null(world->gpu);
    world->filler.gpu = world->gpu;
    if (limits->full)
        gpu_memory_filler_take_all(&world->filler);
    gpu_memory_filler_give_back(&world->filler, limits->room);
    world->renderer = cn_renderer_create(&(CnRendererDesc){.allocator = limits->allocator,
                                                           .gpu = world->gpu,
                                                           .full_screen = path->form},
                                         &error);
    if (world->renderer)
        world->view = cn_block_view_create(&(CnBlockViewDesc){.blocks = standard_blocks(),
                                                              .allocator = limits->allocator,
                                                              .textures = tiles.data,
                                                              .texture_bytes = tiles.size,
                                                              .max_quads = 4096},
                                           &error);
    return (world->view && add_features(world, path, &error)) || out_of_memory(&error);
}

static void end_world(World *world)
{
    cn_renderer_destroy(world->renderer);
    cn_block_view_destroy(world->view);
    gpu_memory_filler_give_back(&world->filler, UINT32_MAX);
    end_gpu(world->gpu);
}

/* Lit and dark quads, so that there are two records. */
static bool set_chunk(World *world, int32_t x)
{
    CnQuad quads[QUADS];
    for (uint32_t i = 0; i < QUADS; i++)
        quads[i] = i % 16 | (uint64_t)(i % 2 ? 15 : 0) << 44;
    CnChunkMesh mesh = {.quads = quads, .count = QUADS};
    for (uint32_t i = CN_FACE_POS_Y + 1; i < CN_COUNT_OF(mesh.first); i++)
        mesh.first[i] = QUADS;
    return cn_block_view_set(world->view, (CnChunkPos){x, 0, -1}, &mesh);
}

/* A tile and its quarters. */
static bool set_tile(World *world, int32_t i)
{
    CnLodTile tile = {i & 1, i >> 1 & 1, i < 4 ? 1 : 2};
    uint16_t blocks = (uint16_t)cn_lod_tile_blocks(tile.level);
    CnLodQuad quad = {
        .y = 60, .width = blocks, .height = blocks, .face = CN_FACE_POS_Y, .block = BLOCK_STONE};
    return cn_block_view_set_far(
        world->view,
        &(CnLodMesh){.tile = tile, .quads = &quad, .count = 1, .min_y = 60, .max_y = 60});
}

static bool fill(World *world)
{
    bool ok = true;
    for (int32_t x = 0; x < CHUNKS; x++)
        ok &= set_chunk(world, x);
    for (int32_t i = 0; i < TILES; i++)
        ok &= set_tile(world, i);
    cn_block_view_set_aim(world->view, &(CnBlockAim){.exists = true});
    return ok;
}

static bool draw(World *world, uint32_t frames)
{
    bool ok = true;
    for (uint32_t i = 0; i < frames; i++) {
        CnError error = {0};
        CnFrameDesc frame_desc = {
            .current = &world->snapshot, .time = i, .width = SIZE, .height = SIZE};
        ok =
            (cn_renderer_draw(world->renderer, &frame_desc, &error) || out_of_memory(&error)) && ok;
    }
    return ok;
}

static bool is_whole(const World *world)
{
    CnBlockViewStats stats = cn_block_view_stats(world->view);
    return stats.chunks == CHUNKS && stats.far_tiles == TILES && stats.waiting_bytes == 0 &&
           world->view->dirty_records.count == 0 && world->view->dirty_words.count == 0 &&
           world->view->seen_count == world->lists;
}

/* ---- Memory of the program ---- */

/* Blocks come, change and go. */
static bool use_world(CnAllocator *allocator, void *user)
{
    World world;
    bool ok = make_world(&world, user, &(Limits){.allocator = allocator});
    if (ok) {
        ok = fill(&world);
        ok = draw(&world, 2) && ok;
        ok = set_chunk(&world, 0) && ok;
        cn_block_view_remove(world.view, (CnChunkPos){CHUNKS, 0, 0});
        ok = draw(&world, 2) && ok;
        CnBlockViewStats stats = cn_block_view_stats(world.view);
        /* What is not there was said to be refused. */
        assert_true(is_whole(&world) || !ok || stats.refused > 0);
        ok = ok && is_whole(&world);
    }
    end_world(&world);
    return ok;
}

static void check_every_allocation(const Path *path)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t calls = run_with_failing_allocations(use_world, (void *)path);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_true(calls > 50);
}

static void every_allocation_of_lit_blocks_may_fail(void **state)
{
    (void)state;
    check_every_allocation(&light);
}

static void every_allocation_of_drawn_blocks_may_fail(void **state)
{
    (void)state;
    check_every_allocation(&drawn);
}

static void every_allocation_of_computed_blocks_may_fail(void **state)
{
    (void)state;
    check_every_allocation(&computed);
}

/* Whatever was refused: when it is put in again, it is there. */
static void what_found_no_memory_comes_when_there_is_some(void **state)
{
    (void)state;
    bool was_refused = true;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint64_t n = 0; was_refused; n++) {
        World world;
        CnHeap *heap = cn_heap_create(NULL, NULL);
        assert_true(
            make_world(&world, &drawn, &(Limits){.allocator = cn_heap_tag(heap, "blocks")}));
        cn_heap_fail_after(heap, n);
        bool is_filled = fill(&world);
        assert_int_equal(is_filled, cn_block_view_stats(world.view).refused == 0);
        was_refused = !draw(&world, 2) || !is_filled;
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_true(fill(&world));
        assert_true(draw(&world, 4));
        assert_true(is_whole(&world));
        end_world(&world);
        cn_heap_destroy(heap);
    }
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

/* ---- Memory of the GPU ---- */

/* Returns whether the world was drawn although the GPU was full; either way all is there when it no
 * longer is. */
static bool use_full_gpu(const Path *path, uint32_t room)
{
    World world;
    bool is_made = make_world(&world, path, &(Limits){.full = true, .room = room}), ok = false;
    if (is_made) {
        assert_true(fill(&world));
        ok = draw(&world, 3);
        gpu_memory_filler_give_back(&world.filler, UINT32_MAX);
        assert_true(draw(&world, 4));
        assert_true(is_whole(&world));
    }
    end_world(&world);
    return ok;
}

static void a_full_gpu_is_reported_and_needs_no_new_world(void **state)
{
    (void)state;
    const Path *paths[] = {&light, &drawn, &computed};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < CN_COUNT_OF(paths); i++) {
        uint32_t room = 0;
        while (!use_full_gpu(paths[i], room))
            room++;
        assert_true(room > 3);
    }
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

/* What a frame sends has its own room. */
static void frames_that_can_send_little_draw_what_they_can(void **state)
{
    (void)state;
    const Path *paths[] = {&light, &drawn, &computed};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < CN_COUNT_OF(paths); i++) {
        bool is_drawn = false;
        for (uint64_t bytes = 256; !is_drawn; bytes += bytes / 8) {
            World world;
            if (make_world(&world, paths[i], &(Limits){.upload_bytes = bytes})) {
                assert_true(fill(&world));
                is_drawn = draw(&world, 8) && is_whole(&world);
            }
            end_world(&world);
        }
    }
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_lit_blocks_may_fail),
        cmocka_unit_test(every_allocation_of_drawn_blocks_may_fail),
        cmocka_unit_test(every_allocation_of_computed_blocks_may_fail),
        cmocka_unit_test(what_found_no_memory_comes_when_there_is_some),
        cmocka_unit_test(a_full_gpu_is_reported_and_needs_no_new_world),
        cmocka_unit_test(frames_that_can_send_little_draw_what_they_can),
    };
    return cmocka_run_group_tests(tests, read_tiles, free_tiles);
}

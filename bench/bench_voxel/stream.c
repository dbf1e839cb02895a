/*
 * Whole views: 17 x 9 x 17 chunks around a camera at the surface, from nothing to meshes, compared
 * with the simple generator and the simple greedy mesher on one core; a walk through a world of
 * radius 16; memory.
 *
 * Both sides of fill_view omit erosion and features, which the simple generator lacks. A mesh needs
 * the surrounding chunks, so both sides generate a rim of one chunk. Ours also lights everything;
 * the simple side does not.
 */
#include "bench.h"
#include "naive_generate.h"
#include "plain_mesh.h"

#include <cairn/base/job.h>
#include <cairn/voxel/voxels.h>

#include <string.h>

#define SEED 42
#define EYE_CHUNK 2 /* chunk of the camera along y */

typedef struct View {
    CnGenerator *generator;
    CnJobPool *jobs; /* NULL: one thread */
    uint32_t radius, height;
    /* The simple side. */
    NaiveWorld naive;
    CnBlock (*blocks)[CN_CHUNK_BLOCKS];
    PlainQuad *quads;
    uint64_t plain_quads;
    /* Of the last run. */
    CnVoxelsStats stats;
    uint32_t added;
} View;

static View *create_view(const CnGeneratorDesc *desc, uint32_t radius, uint32_t height,
                         uint32_t threads)
{
    View *view = need_array(1, sizeof *view);
    view->generator = need(cn_generator_create(desc, NULL));
    view->radius = radius;
    view->height = height;
    if (threads > 1)
        view->jobs = need(cn_job_pool_create(&(CnJobPoolDesc){.workers = threads - 1}, NULL));
    return view;
}

static void destroy_view(View *view)
{
    if (view->jobs)
        cn_job_pool_destroy(view->jobs);
    cn_generator_destroy(view->generator);
    free(view->blocks);
    free(view->quads);
    free(view);
}

static void count_added(void *user, CnChunkPos position)
{
    (void)position;
    ((View *)user)->added++;
}

static CnVoxels *create_world(View *view, CnAllocator *allocator)
{
    view->added = 0;
    return need(
        cn_voxels_create(&(CnVoxelsDesc){.allocator = allocator,
                                         .generator = view->generator,
                                         .jobs = view->jobs,
                                         .hooks = {.user = view, .chunk_added = count_added}},
                         NULL));
}

static CnVoxelsView look_from(const View *view, int32_t x, bool wait)
{
    return (CnVoxelsView){.eye = {(float)(16 * x + 8), 16 * EYE_CHUNK + 8, 8},
                          .forward = {1, 0, 0},
                          .radius = view->radius,
                          .height = view->height,
                          .wait = wait};
}

/* ---- Filling a view ---- */

static uint64_t fill_once(View *view)
{
    uint64_t start = cn_clock_ns();
    CnVoxels *world = create_world(view, NULL);
    CnVoxelsView look = look_from(view, 0, true);
    cn_voxels_stream(world, &look);
    uint64_t time = cn_clock_ns() - start;
    view->stats = cn_voxels_stats(world);
    cn_voxels_destroy(world);
    return time;
}

/* The simple side takes so long that it runs only a few times. */
#define FILLS 5

static uint64_t fill_ours(void *state)
{
    uint64_t times[FILLS];
    for (uint32_t i = 0; i < FILLS; i++)
        times[i] = fill_once(state);
    return (uint64_t)measure_summarize(times, FILLS).median_ns;
}

static uint64_t fill_plain(void *state)
{
    View *view = state;
    int32_t side = 2 * (int32_t)view->radius + 3, rows = 2 * (int32_t)view->height + 3;
    int32_t step[3] = {1, side, side * rows}, all = side * rows * side;
    uint64_t start = cn_clock_ns();
    for (int32_t i = 0; i < all; i++) {
        CnChunkPos position = {i % side - (int32_t)view->radius - 1,
                               i / side % rows - (int32_t)view->height - 1 + EYE_CHUNK,
                               i / step[2] - (int32_t)view->radius - 1};
        naive_generate(&view->naive, position, view->blocks[i]);
    }
    view->plain_quads = 0;
    for (int32_t i = 0; i < all; i++) {
        int32_t x = i % side, y = i / side % rows, z = i / step[2];
        if (x == 0 || y == 0 || z == 0 || x == side - 1 || y == rows - 1 || z == side - 1)
            continue;
        PlainAround around;
        for (int32_t k = 0; k < 27; k++)
            around.chunks[k] = view->blocks[i + (k % 3 - 1) * step[0] + (k / 3 % 3 - 1) * step[1] +
                                            (k / 9 - 1) * step[2]];
        view->plain_quads += plain_greedy_mesh(&around, NULL, view->quads);
        measure_keep(view->quads);
    }
    return cn_clock_ns() - start;
}

/* Checks that both sides have the same blocks. */
static void expect_same_blocks(View *view)
{
    CnVoxels *world = create_world(view, NULL);
    static CnBlock plain[CN_CHUNK_BLOCKS], ours[CN_CHUNK_BLOCKS];
    for (int32_t y = -2; y < 3; y++) {
        CnChunkPos position = {1, y + EYE_CHUNK, -1};
        naive_generate(&view->naive, position, plain);
        cn_chunk_unpack(need((void *)cn_voxels_chunk(world, position)), ours);
        expect(memcmp(plain, ours, sizeof ours) == 0, "the blocks of the view differ");
    }
    cn_voxels_destroy(world);
}

Figures measure_fill_view(const Case *run)
{
    uint32_t radius = run->quick ? 1 : 8, height = run->quick ? 1 : 4;
    CnGeneratorDesc desc = {
        .blocks = bench_blocks, .seed = SEED, .no_erosion = true, .no_features = true};
    View *view = create_view(&desc, radius, height, run->threads);
    size_t side = 2 * radius + 3, rows = 2 * height + 3;
    view->naive = naive_world(SEED);
    view->blocks = need_array(side * side * rows, sizeof *view->blocks);
    view->quads = need_array(PLAIN_MAX_QUADS, sizeof *view->quads);
    expect_same_blocks(view);
    Figures figures = take_turns(run, fill_ours, fill_plain, view, run->n);
    expect(view->stats.shown == run->n, "not every chunk of the view is shown");
    expect(view->plain_quads > 0, "the plain side has no quads");
    destroy_view(view);
    return figures;
}

/* With erosion and features, which the simple side lacks. */
Figures measure_fill_view_whole(const Case *run)
{
    View *view = create_view(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED},
                             run->quick ? 1 : 8, run->quick ? 1 : 4, run->threads);
    Figures figures = take_turns(run, fill_ours, NULL, view, run->n);
    expect(view->stats.shown == run->n, "not every chunk of the view is shown");
    destroy_view(view);
    return figures;
}

/* ---- A walk through a world of radius 16 ---- */

#define STEPS 8

/* Streams without waiting while the camera moves, so that work is cancelled and restarted, then
 * finishes the rest. */
static CnVoxels *walk(View *view, CnAllocator *allocator, uint64_t *time)
{
    uint64_t start = cn_clock_ns();
    CnVoxels *world = create_world(view, allocator);
    for (int32_t frame = 0; frame < 4 * STEPS; frame++) {
        CnVoxelsView look = look_from(view, frame / 4, false);
        cn_voxels_stream(world, &look);
    }
    CnVoxelsView look = look_from(view, STEPS, true);
    cn_voxels_stream(world, &look);
    *time = cn_clock_ns() - start;
    view->stats = cn_voxels_stats(world);
    return world;
}

static uint64_t walk_once(void *state)
{
    View *view = state;
    uint64_t time;
    cn_voxels_destroy(walk(view, NULL, &time));
    return time / view->added;
}

Figures measure_stream_16(const Case *run)
{
    View *view = create_view(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED},
                             run->quick ? 2 : 16, run->quick ? 1 : 4, run->threads);
    Figures figures = take_turns(run, walk_once, NULL, view, 1);
    CnHeap *heap = need(cn_heap_create(NULL, NULL));
    uint64_t time;
    cn_voxels_destroy(walk(view, cn_heap_tag(heap, "voxels"), &time));
    figures.extras[0] = (Extra){"chunks_per_s", 1e9 / figures.ns};
    figures.extras[1] = (Extra){"builds_per_chunk", (double)view->stats.meshed / view->added};
    figures.extras[2] = (Extra){"peak_mib", (double)cn_heap_stats(heap).peak_bytes / (1 << 20)};
    figures.extras[3] = (Extra){"cancelled", (double)view->stats.cancelled};
    cn_heap_destroy(heap);
    destroy_view(view);
    return figures;
}

/* ---- Memory ---- */

/* Counts only the chunks of the view: those of the rim have no meshes and would lower the mean. */
Figures measure_bytes_per_chunk(const Case *run)
{
    View *view = create_view(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED},
                             run->quick ? 1 : 8, run->quick ? 1 : 4, 1);
    CnVoxels *world = create_world(view, NULL);
    CnVoxelsView look = look_from(view, 0, true);
    cn_voxels_stream(world, &look);
    CnVoxelsStats stats = cn_voxels_stats(world);
    expect(stats.shown == run->n, "not every chunk of the view is shown");
    int32_t radius = (int32_t)view->radius, height = (int32_t)view->height;
    uint64_t blocks = 0;
    for (int32_t z = -radius; z <= radius; z++)
        for (int32_t y = EYE_CHUNK - height; y <= EYE_CHUNK + height; y++)
            for (int32_t x = -radius; x <= radius; x++)
                blocks += cn_chunk_bytes(cn_voxels_chunk(world, (CnChunkPos){x, y, z}));
    double shown = stats.shown, loaded = stats.chunks;
    Figures figures = {.raw_ns = CN_CHUNK_BLOCKS * sizeof(CnBlock)};
    figures.extras[0] = (Extra){"blocks", (double)blocks / shown};
    figures.extras[1] = (Extra){"light", (double)stats.light_bytes / shown};
    figures.extras[2] = (Extra){"mesh", (double)stats.mesh_bytes / shown};
    figures.extras[3] = (Extra){"other", (double)stats.other_bytes / loaded};
    for (uint32_t i = 0; i < 4; i++)
        figures.ns += figures.extras[i].value;
    uint64_t all = stats.block_bytes + stats.light_bytes + stats.mesh_bytes + stats.other_bytes;
    figures.extras[4] = (Extra){"per_loaded", (double)all / loaded};
    cn_voxels_destroy(world);
    destroy_view(view);
    return figures;
}

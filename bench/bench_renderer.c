/*
 * The CPU cost of a frame: cn_renderer_draw with many mesh renderers, compared with a bare loop
 * that computes and writes the same matrices; both alternate. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/render.h>

#include <stdio.h>
#include <string.h>

#define MAX_RUNS 4001u
#define MESHES 1000u
#define INSTANCES 10u /* of each mesh */
#define ITEMS (MESHES * INSTANCES)

typedef enum Motion { REST, MOVING } Motion;

typedef struct Bench {
    CnGpu *gpu;
    CnRenderer *renderer;
    CnRenderItem previous_items[ITEMS], current_items[ITEMS];
    CnRenderLight sun;
    CnRenderSnapshot previous, current;
    float matrices[ITEMS][16];
} Bench;

static void die(const char *what, const CnError *error)
{
    fprintf(stderr, "bench_renderer: %s: %s\n", what, error->message);
    exit(1);
}

/* ---- The scene ---- */

/* A box; its appearance does not matter. */
static void make_meshes(Bench *bench)
{
    static const CnVertex corners[4] = {{.position = {0, 0, 0}, .normal = {0, 0, 1}},
                                        {.position = {1, 0, 0}, .normal = {0, 0, 1}},
                                        {.position = {0, 1, 0}, .normal = {0, 0, 1}},
                                        {.position = {0, 0, 1}, .normal = {0, 1, 0}}};
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    CnError error = {0};
    for (uint32_t i = 0; i < MESHES; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh %u", i);
        CnMesh mesh = cn_mesh_create(bench->renderer,
                                     &(CnMeshDesc){.name = name,
                                                   .vertices = corners,
                                                   .vertex_count = 4,
                                                   .indices = indices,
                                                   .index_count = 12},
                                     &error);
        CnModelPart part = {.mesh = mesh, .transform = cn_affine_identity()};
        if (!mesh.id ||
            !cn_model_create(bench->renderer,
                             &(CnModelDesc){.name = name, .parts = &part, .part_count = 1}, &error)
                 .id ||
            !cn_renderer_set_asset(bench->renderer, i + 1, name))
            die(name, &error);
    }
}

/* All objects are in view, with mixed meshes, rotating and drifting from one snapshot to the
 * next. */
static void place_items(Bench *bench)
{
    static uint32_t order[ITEMS];
    measure_shuffle(order, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) {
        float x = (float)(order[i] % 100) - 49.5f, y = (float)(order[i] / 100) - 49.5f;
        float angle = (float)i * 0.01f;
        bench->previous_items[i] =
            (CnRenderItem){.entity = {i + 1},
                           .position = {x, y, -120},
                           .rotation = cn_quat_from_axis(cn_vec3(0, 1, 0), angle),
                           .scale = {1, 1, 1},
                           .mesh = order[i] % MESHES + 1,
                           .flags = 1};
        bench->current_items[i] = bench->previous_items[i];
        bench->current_items[i].position.x += 0.1f;
        bench->current_items[i].rotation = cn_quat_from_axis(cn_vec3(0, 1, 0), angle + 0.05f);
    }
    bench->sun = (CnRenderLight){.direction = {0, -1, 0}, .color = {3, 3, 3}};
    bench->previous = (CnRenderSnapshot){.tick = 1,
                                         .camera = {.valid = true,
                                                    .rotation = {0, 0, 0, 1},
                                                    .fov = 1,
                                                    .near_plane = 0.1f,
                                                    .far_plane = 500},
                                         .items = bench->previous_items,
                                         .item_count = ITEMS,
                                         .lights = &bench->sun,
                                         .light_count = 1};
    bench->current = bench->previous;
    bench->current.tick = 2;
    bench->current.items = bench->current_items;
}

/* ---- Measuring ---- */

/* Thread time: waiting for the device is not work. */
static uint64_t draw(Bench *bench, Motion motion, float alpha)
{
    CnError error = {0};
    CnFrameDesc frame_desc = {.previous = motion == MOVING ? &bench->previous : &bench->current,
                              .current = &bench->current,
                              .alpha = alpha,
                              .width = 320,
                              .height = 180};
    uint64_t start = cn_clock_thread_ns();
    if (!cn_renderer_draw(bench->renderer, &frame_desc, &error))
        die("draw", &error);
    return cn_clock_thread_ns() - start;
}

static void bare_moving(Bench *bench, float alpha)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        CnRenderItem item;
        cn_render_item_lerp(&bench->previous_items[i], &bench->current_items[i], alpha, &item);
        cni_base_affine_from_trs((CnAffine *)bench->matrices[i], &item.position, &item.rotation,
                                 &item.scale);
    }
    measure_keep(bench->matrices);
}

static void bare_rest(Bench *bench)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        const CnRenderItem *item = &bench->current_items[i];
        cni_base_affine_from_trs((CnAffine *)bench->matrices[i], &item->position, &item->rotation,
                                 &item->scale);
    }
    measure_keep(bench->matrices);
}

static uint64_t bare(Bench *bench, Motion motion, float alpha)
{
    uint64_t start = cn_clock_thread_ns();
    if (motion == MOVING)
        bare_moving(bench, alpha);
    else
        bare_rest(bench);
    return cn_clock_thread_ns() - start;
}

static void print_line(const char *workload, uint64_t *ns, uint64_t *raw_ns, uint32_t runs,
                       bool json)
{
    double time = measure_summarize(ns, runs).median_ns,
           raw = measure_summarize(raw_ns, runs).median_ns;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.0f,\"raw_ns\":%.0f}\n",
               workload, ITEMS, time, raw);
    else
        printf("%-16s %6u %10.1f %12.1f %7.2f\n", workload, ITEMS, time / 1000, raw / 1000,
               time / raw);
    fflush(stdout);
}

static void measure(Bench *bench, const char *workload, Motion motion, uint32_t runs, bool json)
{
    static uint64_t times[MAX_RUNS], raw_times[MAX_RUNS];
    for (uint32_t i = 0; i < 10; i++)
        draw(bench, motion, 0.5f);
    for (uint32_t i = 0; i < runs; i++) {
        float alpha = (float)(i % 16) / 16;
        times[i] = draw(bench, motion, alpha);
        raw_times[i] = bare(bench, motion, alpha);
    }
    CnRendererStats stats = cn_renderer_stats(bench->renderer);
    if (stats.visible_items != ITEMS || stats.draws < MESHES) {
        fprintf(stderr, "bench_renderer: %u visible items in %u draws\n", stats.visible_items,
                stats.draws);
        exit(1);
    }
    print_line(workload, times, raw_times, runs, json);
}

static void measure_on(CnGpuBackend backend, uint32_t runs, bool json)
{
    static Bench bench;
    CnError error = {0};
    bench =
        (Bench){.gpu = cn_gpu_create(&(CnGpuDesc){.name = "bench", .backend = backend}, &error)};
    if (!bench.gpu)
        die("no device", &error);
    bench.renderer = cn_renderer_create(&(CnRendererDesc){.gpu = bench.gpu}, &error);
    if (!bench.renderer ||
        !cn_preset_forward(bench.renderer, &(CnRenderOptions){.sky = {.kind = CN_SKY_COLOR}}, NULL,
                           &error))
        die("no renderer", &error);
    make_meshes(&bench);
    place_items(&bench);
    bool is_null = backend == CN_GPU_NULL;
    measure(&bench, is_null ? "moving" : "moving on device", MOVING, runs, json);
    measure(&bench, is_null ? "rest" : "rest on device", REST, runs, json);
    cn_renderer_destroy(bench.renderer);
    cn_gpu_destroy(bench.gpu);
}

/* ---- Options ---- */

int main(int argc, char **argv)
{
    bool json = false, quick = false, device = false;
    uint32_t runs = 501;
    char about[512];
    cn_format(about, sizeof about,
              "Renders frames of %u mesh renderers with %u meshes, all in view, with the forward\n"
              "preset on the null backend: all of them moving between two snapshots, and all at\n"
              "rest. The reference (raw_ns) is a bare loop that computes and writes the same\n"
              "matrices. Times are those of the calling thread.",
              ITEMS, MESHES);
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--runs", "frames of each", &runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "three frames, to test that it works", &quick),
        BENCH_OPTION_FLAG("--device", "also on the device given by CAIRN_GPU, or the best one",
                          &device),
    };
    bench_read_options(&(BenchUsage){"bench_renderer", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    if (quick)
        runs = 3;
    machine_print(json);
    if (!json)
        printf("microseconds per frame, medians of %u runs\n\n%-16s %6s %10s %12s %7s\n", runs,
               "workload", "items", "time", "bare loop", "ratio");
    cpu_set_t cores;
    measure_stay_on_core(0, &cores);
    measure_on(CN_GPU_NULL, runs, json);
    measure_use_cores(&cores); /* a software device uses its own threads */
    if (device)
        measure_on(CN_GPU_VULKAN, runs, json);
    return 0;
}

/*
 * The cost of compiling a render graph, compared with recording the same commands on the null
 * backend; both alternate. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/render.h>

#include <stdio.h>
#include <string.h>

#define MAX_RUNS 4001u
#define MAX_PASSES 240u

typedef struct Bench {
    CnGpu *gpu;
    CnGraph *graph;
    CnGpuTexture screen;
    uint32_t passes;    /* there are five resources for each three passes */
    bool is_new_screen; /* not drawn yet */
} Bench;

static void die(const char *what, const CnError *error)
{
    fprintf(stderr, "bench_graph: %s: %s\n", what, error->message);
    exit(1);
}

/* ---- The frame ---- */

static CnGraphTexture texture(CnGraph *graph, const char *name, uint32_t width, CnGpuFormat format)
{
    return cn_graph_create_texture(
        graph, &(CnGpuTextureDesc){
                   .name = name, .format = format, .width = width, .height = width * 9 / 16});
}

static void run_draw(const CnGraphRun *run)
{
    cn_gpu_set_viewport(run->commands, 0, 0, (float)run->width, (float)run->height);
}

/* Three passes with five resources: draw with depth, compute, draw from both. */
static CnGraphTexture declare_three(CnGraph *graph, CnGraphTexture before, uint32_t number)
{
    static const uint32_t widths[] = {1920, 960, 480};
    uint32_t width = widths[number % 3];
    CnGraphAttachment clear = {.load = CN_GPU_CLEAR};
    CnGraphPass draw =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "draw", .run = run_draw});
    CnGraphTexture color = cn_graph_color_attachment(
        graph, draw, texture(graph, "color", width, CN_GPU_FORMAT_RGBA16F), &clear);
    CnGraphTexture depth = cn_graph_depth_attachment(
        graph, draw, texture(graph, "depth", width, CN_GPU_FORMAT_D32F), &clear);
    if (before.id)
        cn_graph_read_texture(graph, draw, before, CN_GPU_ACCESS_SAMPLE, NULL);

    CnGraphPass work =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "work", .kind = CN_GRAPH_COMPUTE});
    cn_graph_read_texture(graph, work, color, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    cn_graph_read_texture(graph, work, depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    CnGraphTexture worked =
        cn_graph_write_texture(graph, work, texture(graph, "worked", width, CN_GPU_FORMAT_RGBA16F),
                               CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    CnGraphBuffer tiles = cn_graph_write_buffer(
        graph, work,
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "tiles", .size = 65536}),
        CN_GPU_ACCESS_WRITE_COMPUTE, NULL);

    CnGraphPass last =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "last", .run = run_draw});
    cn_graph_read_texture(graph, last, color, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, last, worked, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_buffer(graph, last, tiles, CN_GPU_ACCESS_READ);
    return cn_graph_color_attachment(graph, last,
                                     texture(graph, "result", width, CN_GPU_FORMAT_RGBA8), &clear);
}

static void declare(Bench *bench)
{
    CnGraph *graph = bench->graph;
    CnGraphTexture last = {0};
    cn_graph_begin(graph);
    for (uint32_t i = 0; i + 3 < bench->passes; i += 3)
        last = declare_three(graph, last, i / 3);
    /* The result of the last three is used. */
    last = declare_three(graph, last, 0);
    CnGraphTexture screen =
        cn_graph_import_texture(graph, "screen", bench->screen,
                                bench->is_new_screen ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_COPY_FROM,
                                CN_GPU_ACCESS_COPY_FROM);
    CnGraphPass show =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "show", .run = run_draw});
    cn_graph_read_texture(graph, show, last, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_color_attachment(graph, show, screen, &(CnGraphAttachment){.load = CN_GPU_DISCARD});
    bench->is_new_screen = false;
}

/* ---- Measuring ---- */

typedef struct Times {
    uint64_t declaring[MAX_RUNS], compiling[MAX_RUNS], recording[MAX_RUNS];
} Times;

static void run_once(Bench *bench, Times *times, uint32_t run)
{
    CnError error = {0};
    CnGpuCommands *commands = cn_gpu_begin_frame(bench->gpu, &error);
    if (!commands)
        die("begin", &error);
    uint64_t start = cn_clock_ns();
    declare(bench);
    uint64_t declared = cn_clock_ns();
    if (!cn_graph_compile(bench->graph, &error))
        die("compile", &error);
    uint64_t compiled = cn_clock_ns();
    cn_graph_execute(bench->graph, commands);
    times->recording[run] = cn_clock_ns() - compiled;
    times->compiling[run] = compiled - declared;
    times->declaring[run] = declared - start;
    if (!cn_gpu_end_frame(bench->gpu, &error))
        die("end", &error);
}

static void print_line(const char *workload, uint32_t passes, uint64_t *ns, uint64_t *raw_ns,
                       uint32_t runs, bool json)
{
    double time = measure_summarize(ns, runs).median_ns,
           raw = measure_summarize(raw_ns, runs).median_ns;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.0f,\"raw_ns\":%.0f}\n",
               workload, passes, time, raw);
    else
        printf("%-10s %6u %10.1f %12.1f %7.2f\n", workload, passes, time / 1000, raw / 1000,
               time / raw);
    fflush(stdout);
}

static void measure(uint32_t passes, uint32_t runs, bool json)
{
    static Times times;
    CnError error = {0};
    Bench bench = {.passes = passes, .is_new_screen = true};
    bench.gpu = cn_gpu_create(&(CnGpuDesc){.name = "bench", .backend = CN_GPU_NULL}, &error);
    if (!bench.gpu)
        die("no device", &error);
    bench.graph = cn_graph_create(&(CnGraphDesc){.gpu = bench.gpu}, &error);
    bench.screen = cn_gpu_texture_create(
        bench.gpu,
        &(CnGpuTextureDesc){.name = "screen",
                            .format = CN_GPU_FORMAT_RGBA8,
                            .width = 1920,
                            .height = 1080,
                            .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_COPY_FROM},
        &error);
    if (!bench.graph || !bench.screen.id)
        die("no graph", &error);
    for (uint32_t i = 0; i < 10; i++)
        run_once(&bench, &times, 0);
    for (uint32_t i = 0; i < runs; i++)
        run_once(&bench, &times, i);
    uint32_t all = cn_graph_stats(bench.graph).passes;
    print_line("declare", all, times.declaring, times.recording, runs, json);
    print_line("compile", all, times.compiling, times.recording, runs, json);
    cn_graph_destroy(bench.graph);
    cn_gpu_texture_destroy(bench.gpu, bench.screen);
    cn_gpu_destroy(bench.gpu);
}

/* ---- Options ---- */

int main(int argc, char **argv)
{
    bool json = false, quick = false;
    uint32_t runs = 501;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--runs", "frames of each size", &runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "three frames, to test that it works", &quick),
    };
    bench_read_options(
        &(BenchUsage){
            "bench_graph",
            "Declares and compiles render graphs of several sizes in every frame, alternating "
            "with\n"
            "recording their commands on the null backend, which is the reference (raw_ns).",
            options, CN_COUNT_OF(options), NULL},
        argc, argv);
    if (quick)
        runs = 3;
    cpu_set_t cores;
    measure_stay_on_core(0, &cores);
    machine_print(json);
    if (!json)
        printf("microseconds per frame, medians of %u runs\n\n%-10s %6s %10s %12s %7s\n", runs,
               "workload", "passes", "time", "recording", "ratio");
    static const uint32_t sizes[] = {12, 60, MAX_PASSES};
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++)
        measure(sizes[i], runs, json);
    return 0;
}

/*
 * The GPU cost of each pass of a frame: renders a scene with a preset and prints the mean of the
 * passes' timers, each also as a share of the frame. `--help` lists the options; those of the
 * engine select size and device.
 */
#include "machine.h"

#include <cairn/engine.h>

#include <stdio.h>
#include <string.h>

#define MAX_PASSES 128u
#define WARM_UP 60u

typedef struct Pass {
    char name[48];
    double microseconds; /* over all frames */
    uint64_t frames;
} Pass;

typedef struct Bench {
    const char *scene, *preset;
    bool json;
    uint64_t warm_up;
    Pass passes[MAX_PASSES];
    uint32_t pass_count;
    double frame_microseconds, cpu_microseconds;
    uint64_t frames, seen;
    uint32_t width, height;
    CnGraphStats graph;
    char gpu[128];
} Bench;

static Pass *pass_named(Bench *bench, const char *name)
{
    for (uint32_t i = 0; i < bench->pass_count; i++) {
        if (!strcmp(bench->passes[i].name, name))
            return &bench->passes[i];
    }
    if (bench->pass_count == MAX_PASSES)
        return NULL;
    Pass *pass = &bench->passes[bench->pass_count++];
    cn_copy_text(pass->name, sizeof pass->name, cn_text(name));
    return pass;
}

static void after_frame(CnEngine *engine, void *user)
{
    Bench *bench = user;
    if (bench->seen++ < bench->warm_up)
        return;
    CnRenderer *renderer = cn_engine_renderer(engine);
    const CnGraph *graph = cn_renderer_graph(renderer);
    CnGraphPassInfo info;
    for (uint32_t i = 0; cn_graph_pass_info(graph, i, &info); i++) {
        Pass *pass = info.is_culled ? NULL : pass_named(bench, info.name);
        if (pass) {
            pass->microseconds += (double)info.microseconds;
            pass->frames++;
        }
    }
    bench->graph = cn_graph_stats(graph);
    bench->frame_microseconds += (double)bench->graph.microseconds;
    bench->cpu_microseconds += (double)cn_renderer_stats(renderer).cpu_microseconds;
    bench->frames++;
    cn_engine_size(engine, &bench->width, &bench->height);
    cn_copy_text(bench->gpu, sizeof bench->gpu, cn_text(cn_gpu_info(cn_engine_gpu(engine)).name));
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    Bench *bench = user;
    cn_engine_after_frame(engine, after_frame, bench);
    return cn_engine_load(engine, bench->scene, error) != NULL;
}

static void print_results(const Bench *bench)
{
    double frames = (double)bench->frames;
    double frame = bench->frame_microseconds / frames;
    if (!bench->json) {
        printf("%s, %s, %u x %u, %llu frames\n\n", bench->gpu, bench->preset, bench->width,
               bench->height, (unsigned long long)bench->frames);
        printf("%-28s %12s %8s\n", "pass", "us", "share");
    }
    for (uint32_t i = 0; i < bench->pass_count; i++) {
        const Pass *pass = &bench->passes[i];
        double time = pass->microseconds / frames;
        if (bench->json)
            printf("{\"workload\":\"%s/%s\",\"n\":%u,\"threads\":1,\"ns\":%.0f,\"raw_ns\":%.0f}\n",
                   bench->preset, pass->name, bench->width * bench->height, time * 1000,
                   frame * 1000);
        else
            printf("%-28s %12.1f %7.1f%%\n", pass->name, time, frame > 0 ? 100 * time / frame : 0);
    }
    if (!bench->json)
        printf(
            "%-28s %12.1f\n%-28s %12.1f\n\ntransient memory %.1f MiB, in %.1f MiB; kept %.1f MiB\n",
            "all passes", frame, "CPU, of drawing", bench->cpu_microseconds / frames,
            (double)bench->graph.transient_bytes / 1048576,
            (double)bench->graph.placed_bytes / 1048576,
            (double)bench->graph.persistent_bytes / 1048576);
}

int main(int count, char **arguments)
{
    Bench bench = {.scene = "scenes/gallery/main.json", .preset = "deferred", .warm_up = WARM_UP};
    const CnOption options[] = {{.name = "--scene",
                                 .argument = "FILE",
                                 .help = "scene to render",
                                 .kind = CN_OPTION_TEXT,
                                 .value = &bench.scene},
                                {.name = "--preset",
                                 .argument = "NAME",
                                 .help = "forward, forward+ or deferred",
                                 .kind = CN_OPTION_TEXT,
                                 .value = &bench.preset},
                                {.name = "--warm-up",
                                 .argument = "N",
                                 .help = "frames before the measurement",
                                 .kind = CN_OPTION_NUMBER,
                                 .value = &bench.warm_up},
                                {.name = "--json",
                                 .help = "print one JSON object per pass",
                                 .kind = CN_OPTION_FLAG,
                                 .value = &bench.json},
                                {0}};
    CnEngineDesc desc = {.title = "bench_passes",
                         .headless = true,
                         .width = 1920,
                         .height = 1080,
                         .frames = 360,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                    .shadow = CN_SWITCH_ON,
                                    .point_spot_lights = CN_SWITCH_ON,
                                    .taa = CN_SWITCH_ON,
                                    .dof = CN_SWITCH_ON,
                                    .bloom = CN_SWITCH_ON,
                                    .auto_exposure = CN_SWITCH_ON},
                         .options = options};
    CnOptionsResult read = cn_engine_read_options(&desc, count, arguments);
    if (read != CN_OPTIONS_CONTINUE)
        return read == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    desc.preset = !strcmp(bench.preset, "forward")    ? cn_preset_forward
                  : !strcmp(bench.preset, "forward+") ? cn_preset_forward_plus
                  : !strcmp(bench.preset, "deferred") ? cn_preset_deferred
                                                      : NULL;
    if (!desc.preset || desc.frames <= bench.warm_up) {
        fprintf(stderr, "bench_passes: %s\n",
                desc.preset ? "no frames are left after the warm-up" : "unknown preset");
        return 2;
    }
    CnError error = {0};
    CnEngine *engine = cn_engine_create(&desc, &error);
    if (!engine || !start(engine, &bench, &error)) {
        fprintf(stderr, "bench_passes: %s\n", error.message);
        cn_engine_destroy(engine);
        return 1;
    }
    int status = cn_engine_run(engine);
    cn_engine_destroy(engine);
    if (!status) {
        machine_print(bench.json);
        print_results(&bench);
    }
    return status;
}

/*
 * The cost of models: loading from the cache compared with importing the same file, both
 * including all further steps, on the null backend. The lighthouse of scenes/models is small
 * and contains textures, which are decoded in both cases; the terrain is an OBJ of 130,050
 * triangles. Also compares posing the column's joints with copying as many matrices. Both sides
 * alternate, so ratios are meaningful on a busy machine.
 */
#include "measure.h"
#include "options.h"

#include <cairn/gpu.h>
#include <cairn/render.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIDE 256u
#define MAX_RUNS 21u
#define POSES 1000u

typedef struct Bench {
    CnGpu *gpu;
    char folder[128];
} Bench;

static void fail(const CnError *error)
{
    fprintf(stderr, "bench_model: %s\n", error->message);
    exit(1);
}

static CnRenderer *make_renderer(const Bench *bench, const char *cache)
{
    CnError error = {0};
    CnRenderer *renderer = cn_renderer_create(&(CnRendererDesc){.gpu = bench->gpu,
                                                                .files = cn_native_files(),
                                                                .cache_files = cn_native_files(),
                                                                .cache_path = cache},
                                              &error);
    if (!renderer)
        fail(&error);
    return renderer;
}

static uint64_t time_load(const Bench *bench, const char *path, const char *cache)
{
    CnError error = {0};
    CnRenderer *renderer = make_renderer(bench, cache);
    uint64_t start = cn_clock_ns();
    CnModel model = cn_model_load(renderer, path, &error);
    uint64_t time = cn_clock_ns() - start;
    if (!model.id)
        fail(&error);
    cn_renderer_destroy(renderer);
    return time;
}

static void print(const char *name, uint32_t n, uint64_t *ours, uint64_t *raw, uint32_t runs,
                  bool json)
{
    double ours_ns = measure_summarize(ours, runs).median_ns / n;
    double raw_ns = measure_summarize(raw, runs).median_ns / n;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               n, ours_ns, raw_ns);
    else
        printf("%-18s %8u %12.1f %12.1f %8.3f\n", name, n, ours_ns, raw_ns, ours_ns / raw_ns);
}

static void run_load(const Bench *bench, const char *name, const char *path, uint32_t triangles,
                     uint32_t runs, bool json)
{
    uint64_t cached[MAX_RUNS], imported[MAX_RUNS];
    char cache[160];
    cn_format(cache, sizeof cache, "%s/cache", bench->folder);
    time_load(bench, path, cache);
    for (uint32_t i = 0; i < runs; i++) {
        cached[i] = time_load(bench, path, cache);
        imported[i] = time_load(bench, path, NULL);
    }
    print(name, triangles, cached, imported, runs, json);
}

/* Writes hills of two waves, with normals and texture coordinates. */
static void write_terrain(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        float x = (float)(i % SIDE), z = (float)(i / SIDE);
        fprintf(file, "v %g %g %g\nvt %g %g\nvn 0 1 0\n", (double)x,
                (double)(cn_sinf(x * 0.1f) + cn_cosf(z * 0.13f)), (double)z, (double)x / SIDE,
                (double)z / SIDE);
    }
    for (uint32_t z = 0; z + 1 < SIDE; z++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = z * SIDE + x + 1, b = a + 1, c = a + SIDE, d = c + 1;
            fprintf(file, "f %u/%u/%u %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, c, c, c, d, d, d, b,
                    b, b);
        }
    fclose(file);
}

static void run_pose(const Bench *bench, uint32_t runs, bool json)
{
    CnError error = {0};
    CnRenderer *renderer = make_renderer(bench, NULL);
    CnModel column = cn_model_load(renderer, "scenes/models/column.glb", &error);
    if (!column.id)
        fail(&error);
    static CnAffine joints[CN_MODEL_MAX_JOINTS], copy[CN_MODEL_MAX_JOINTS];
    uint32_t count = cn_model_info(renderer, column).joint_count;
    uint64_t poses[MAX_RUNS], copies[MAX_RUNS];
    for (uint32_t i = 0; i < runs; i++) {
        uint64_t start = cn_clock_ns();
        for (uint32_t j = 0; j < POSES; j++) {
            cn_model_pose(renderer, column, 1, (float)j * 0.01f, joints);
            measure_keep(joints);
        }
        poses[i] = cn_clock_ns() - start;
        start = cn_clock_ns();
        for (uint32_t j = 0; j < POSES; j++) {
            memcpy(copy, joints, count * sizeof *copy);
            measure_keep(copy);
        }
        copies[i] = cn_clock_ns() - start;
    }
    print("model_pose_joint", POSES * count, poses, copies, runs, json);
    cn_renderer_destroy(renderer);
}

int main(int argc, char **argv)
{
    bool json = false, quick = false;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_FLAG("--quick", "three runs, to test that it works", &quick)};
    const char *about =
        "Models from the cache compared with their import, in nanoseconds per triangle.\n"
        "Run it in the root of the source tree.";
    bench_read_options(&(BenchUsage){"bench_model", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    CnError error = {0};
    uint32_t runs = quick ? 3 : MAX_RUNS;
    Bench bench = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, &error)};
    cn_format(bench.folder, sizeof bench.folder, "/tmp/bench_model_%d", (int)getpid());
    if (!bench.gpu || !cn_native_files()->make_folder(cn_native_files(), bench.folder, &error))
        fail(&error);
    char terrain[160];
    cn_format(terrain, sizeof terrain, "%s/terrain.obj", bench.folder);
    write_terrain(terrain);
    machine_print(json);
    if (!json)
        printf("%-18s %8s %12s %12s %8s\n", "", "n", "ns", "reference", "ratio");
    run_load(&bench, "model_lighthouse", "scenes/models/lighthouse.glb", 2050, runs, json);
    run_load(&bench, "model_terrain", terrain, 2 * (SIDE - 1) * (SIDE - 1), runs, json);
    run_pose(&bench, runs, json);
    cn_gpu_destroy(bench.gpu);
    char command[200];
    cn_format(command, sizeof command, "rm -r %s", bench.folder);
    return system(command) == 0 ? 0 : 1;
}

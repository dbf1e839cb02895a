/*
 * The cost of models on the null backend: importing a file and loading it from the cache, both
 * with all further steps, compared with reading the file and copying it once, in CPU time. Each
 * load is that of a new process, so that its memory is new, too; its peak is reported. The
 * lighthouse of scenes/models is small and contains textures, which are decoded in both cases; the
 * terrains have 130,050 triangles: a GLB with normals and texture coordinates, the same with a
 * normal map, which needs tangents, a GLB without normals, and an OBJ. Also compares posing the
 * column's joints with copying as many matrices. All sides alternate, so ratios are meaningful on a
 * busy machine.
 */
#include "measure.h"
#include "options.h"

#include <cairn/gpu.h>
#include <cairn/render.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIDE 256u
#define TRIANGLES (2 * (SIDE - 1) * (SIDE - 1))
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

static CnRenderer *make_renderer(const Bench *bench, CnCache *cache)
{
    CnError error = {0};
    CnRenderer *renderer = cn_renderer_create(
        &(CnRendererDesc){.gpu = bench->gpu, .files = cn_native_files(), .cache = cache}, &error);
    if (!renderer)
        fail(&error);
    return renderer;
}

/* ---- Loads ---- */

typedef struct Load {
    uint64_t ns;
    uint64_t peak_bytes; /* of the process, above what it had before */
} Load;

/* Of this process: what other processes do to the machine matters less than with real time. */
static uint64_t cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t load_model(const Bench *bench, const char *path, CnCache *cache)
{
    CnError error = {0};
    CnRenderer *renderer = make_renderer(bench, cache);
    uint64_t start = cpu_ns();
    CnModel model = cn_model_load(renderer, path, &error);
    uint64_t time = cpu_ns() - start;
    if (!model.id)
        fail(&error);
    return time;
}

static uint64_t copy_file(const char *path)
{
    CnError error = {0};
    CnFileBytes bytes;
    uint64_t start = cpu_ns();
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error))
        fail(&error);
    uint8_t *copy = cn_alloc(NULL, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    measure_keep(copy);
    return cpu_ns() - start;
}

static uint64_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static CnCache *open_cache(const Bench *bench)
{
    char folder[160];
    CnError error = {0};
    cn_format(folder, sizeof folder, "%s/cache", bench->folder);
    CnCache *cache = cn_cache_create(&(CnCacheDesc){.folder = folder}, &error);
    if (!cache)
        fail(&error);
    return cache;
}

typedef enum LoadKind { LOAD_IMPORT, LOAD_CACHED, LOAD_COPY, LOAD_KINDS } LoadKind;

/* Runs in a new process. */
static Load run_apart(const Bench *bench, LoadKind kind, const char *path)
{
    int ends[2];
    Load load = {0};
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        CnCache *cache = kind == LOAD_CACHED ? open_cache(bench) : NULL;
        uint64_t before = peak_bytes();
        load.ns = kind == LOAD_COPY ? copy_file(path) : load_model(bench, path, cache);
        load.peak_bytes = peak_bytes() - before;
        _exit(write(ends[1], &load, sizeof load) == (ssize_t)sizeof load ? 0 : 1);
    }
    close(ends[1]);
    bool ok = child > 0 && read(ends[0], &load, sizeof load) == (ssize_t)sizeof load;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (!ok)
        exit(1);
    return load;
}

static void run_load(const Bench *bench, const char *name, const char *path, uint32_t triangles,
                     uint32_t runs, bool json)
{
    static const char *const kinds[] = {"import", "cached"};
    uint64_t times[LOAD_KINDS][MAX_RUNS], peaks[LOAD_KINDS] = {0};
    run_apart(bench, LOAD_CACHED, path); /* fills the cache */
    for (uint32_t i = 0; i < runs; i++)
        for (uint32_t kind = 0; kind < LOAD_KINDS; kind++) {
            Load load = run_apart(bench, (LoadKind)kind, path);
            times[kind][i] = load.ns;
            peaks[kind] = load.peak_bytes > peaks[kind] ? load.peak_bytes : peaks[kind];
        }
    double raw_ns = measure_summarize(times[LOAD_COPY], runs).median_ns / triangles;
    for (uint32_t kind = 0; kind < LOAD_COPY; kind++) {
        MeasureTimes time = measure_summarize(times[kind], runs);
        double ns = time.median_ns / triangles, best_ns = time.best_ns / triangles;
        if (json)
            printf("{\"workload\":\"%s_%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f,"
                   "\"best_ns\":%.3f,\"peak_bytes\":%llu}\n",
                   name, kinds[kind], triangles, ns, raw_ns, best_ns,
                   (unsigned long long)peaks[kind]);
        else
            printf("%-15s %-7s %7u %9.1f %9.1f %9.1f %7.2f %8.1f\n", name, kinds[kind], triangles,
                   ns, best_ns, raw_ns, ns / raw_ns, (double)peaks[kind] / (1 << 20));
    }
}

/* ---- Terrain: hills of two waves ---- */

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    return file;
}

static float height(float x, float z)
{
    return cn_sinf(x * 0.1f) + cn_cosf(z * 0.13f);
}

static void write_obj(const char *path)
{
    FILE *file = open_file(path);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        float x = (float)(i % SIDE), z = (float)(i / SIDE);
        fprintf(file, "v %g %g %g\nvt %g %g\nvn 0 1 0\n", (double)x, (double)height(x, z),
                (double)z, (double)x / SIDE, (double)z / SIDE);
    }
    for (uint32_t z = 0; z + 1 < SIDE; z++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = z * SIDE + x + 1, b = a + 1, c = a + SIDE, d = c + 1;
            fprintf(file, "f %u/%u/%u %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, c, c, c, d, d, d, b,
                    b, b);
        }
    fclose(file);
}

static void write_u32(FILE *file, uint32_t value)
{
    fwrite(&value, sizeof value, 1, file);
}

/* Positions, then normals, texture coordinates and indices. */
static void write_glb(const char *path, const char *attributes, const char *material)
{
    const uint32_t count = SIDE * SIDE, normals = count * 12, uvs = count * 24,
                   indices = count * 32, bytes = indices + TRIANGLES * 12;
    char text[1536];
    cn_format(text, sizeof text,
              "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
              "\"nodes\":[{\"mesh\":0}],\"textures\":[{}],\"materials\":[{%s}],"
              "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0%s},\"indices\":3,"
              "\"material\":0}]}],\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":["
              "{\"buffer\":0,\"byteLength\":%u},{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
              "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
              "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],\"accessors\":["
              "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
              "{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
              "{\"bufferView\":2,\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"},"
              "{\"bufferView\":3,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}]}",
              material, attributes, bytes, normals, normals, uvs - normals, uvs, indices - uvs,
              indices, bytes - indices, count, count, count, TRIANGLES * 3);
    uint32_t text_bytes = ((uint32_t)strlen(text) + 3) & ~3u;
    FILE *file = open_file(path);
    const uint32_t head[] = {0x46546C67, 2, 12 + 8 + text_bytes + 8 + bytes, text_bytes,
                             0x4E4F534A};
    fwrite(head, sizeof head, 1, file);
    fprintf(file, "%-*s", (int)text_bytes, text);
    write_u32(file, bytes);
    write_u32(file, 0x004E4942);
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % SIDE), z = (float)(i / SIDE), p[3] = {x, height(x, z), z};
        fwrite(p, sizeof p, 1, file);
    }
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % SIDE), z = (float)(i / SIDE);
        CnVec3 n =
            cn_vec3_normalize(cn_vec3(-0.1f * cn_cosf(x * 0.1f), 1, 0.13f * cn_sinf(z * 0.13f)));
        fwrite(&n, sizeof n, 1, file);
    }
    for (uint32_t i = 0; i < count; i++) {
        float uv[2] = {(float)(i % SIDE) / SIDE, (float)(i / SIDE) / SIDE};
        fwrite(uv, sizeof uv, 1, file);
    }
    for (uint32_t z = 0; z + 1 < SIDE; z++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = z * SIDE + x, b = a + 1, c = a + SIDE, d = c + 1;
            const uint32_t quad[] = {a, c, d, a, d, b};
            fwrite(quad, sizeof quad, 1, file);
        }
    fclose(file);
}

static void run_terrains(const Bench *bench, uint32_t runs, bool json)
{
    static const char attributes[] = ",\"NORMAL\":1,\"TEXCOORD_0\":2";
    char path[160];
    cn_format(path, sizeof path, "%s/terrain.glb", bench->folder);
    write_glb(path, attributes, "");
    run_load(bench, "model_glb", path, TRIANGLES, runs, json);
    write_glb(path, attributes, "\"normalTexture\":{\"index\":0}");
    run_load(bench, "model_mapped", path, TRIANGLES, runs, json);
    write_glb(path, "", "");
    run_load(bench, "model_flat", path, TRIANGLES, runs, json);
    cn_format(path, sizeof path, "%s/terrain.obj", bench->folder);
    write_obj(path);
    run_load(bench, "model_obj", path, TRIANGLES, runs, json);
}

/* ---- Poses ---- */

static void print(const char *name, uint32_t n, uint64_t *ours, uint64_t *raw, uint32_t runs,
                  bool json)
{
    MeasureTimes time = measure_summarize(ours, runs);
    double ns = time.median_ns / n, raw_ns = measure_summarize(raw, runs).median_ns / n;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               n, ns, raw_ns);
    else
        printf("%-23s %7u %9.1f %9.1f %9.1f %7.2f\n", name, n, ns, time.best_ns / n, raw_ns,
               ns / raw_ns);
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
        "Models imported and from the cache, compared with copying their file, in nanoseconds per\n"
        "triangle.\n"
        "Run it in the root of the source tree.";
    bench_read_options(&(BenchUsage){"bench_model", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    CnError error = {0};
    uint32_t runs = quick ? 3 : MAX_RUNS;
    Bench bench = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, &error)};
    cn_format(bench.folder, sizeof bench.folder, "/tmp/bench_model_%d", (int)getpid());
    if (!bench.gpu || !cn_native_files()->make_folder(cn_native_files(), bench.folder, &error))
        fail(&error);
    machine_print(json);
    if (!json)
        printf("%-15s %-7s %7s %9s %9s %9s %7s %8s\n", "", "", "n", "ns", "least", "copied",
               "ratio", "peak MiB");
    run_load(&bench, "model_lighthouse", "scenes/models/lighthouse.glb", 2050, runs, json);
    run_terrains(&bench, runs, json);
    run_pose(&bench, runs, json);
    cn_gpu_destroy(bench.gpu);
    char command[200];
    cn_format(command, sizeof command, "rm -r %s", bench.folder);
    return system(command) == 0 ? 0 : 1;
}

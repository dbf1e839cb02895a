/*
 * The cost of decoding in a helper process: the same files from a mount of foreign origin, which
 * cairn-decode decodes, compared with a mount of user origin, which are decoded in this process. On
 * the null backend. Both sides alternate, so ratios are meaningful on a busy machine.
 *
 * decode_frame compares the slowest frame between the request of a foreign model of 130,050
 * triangles and its arrival with the median frame after it: what the render thread notices. The
 * frame that uploads the model is decode_frame_upload.
 */
#include "measure.h"
#include "options.h"

#include <cairn/gpu.h>
#include <cairn/render.h>
#include <cairn/vfs.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIDE 256u
#define MAX_RUNS 21u
#define FRAMES 100u

typedef struct Bench {
    CnGpu *gpu;
    CnVfs *vfs; /* user:// and foreign:// are the same folder, models:// and mods:// another */
    char folder[128];
    uint32_t runs;
    bool json;
} Bench;

static void fail(const CnError *error)
{
    fprintf(stderr, "bench_decode: %s\n", error->message);
    exit(1);
}

static void print(const Bench *bench, const char *name, double ours_ns, double raw_ns)
{
    if (bench->json)
        printf("{\"workload\":\"%s\",\"n\":1,\"threads\":1,\"ns\":%.0f,\"raw_ns\":%.0f}\n", name,
               ours_ns, raw_ns);
    else
        printf("%-20s %12.3f %12.3f %8.3f\n", name, ours_ns * 1e-6, raw_ns * 1e-6,
               ours_ns / raw_ns);
}

/* ---- Files ---- */

/* Writes a picture of two gradients and noise. */
static void write_png(const char *path, uint32_t side)
{
    CnError error = {0};
    CnImage image = {.width = side, .height = side};
    image.pixels = cn_alloc(NULL, (size_t)side * side * 4);
    uint32_t noise = 1;
    for (uint32_t i = 0; i < side * side; i++) {
        noise = noise * 1664525u + 1013904223u;
        const uint8_t pixel[4] = {(uint8_t)(i % side * 255 / side),
                                  (uint8_t)(i / side * 255 / side), (uint8_t)(noise >> 28), 255};
        memcpy(image.pixels + (size_t)i * 4, pixel, sizeof pixel);
    }
    if (!cn_image_write(&image, cn_native_files(), path, &error))
        fail(&error);
    cn_image_free(&image);
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

static void mount(const Bench *bench, const char *scheme, const char *folder, CnOrigin origin)
{
    CnError error = {0};
    if (!cn_vfs_mount_as(bench->vfs,
                         &(CnMountDesc){.scheme = scheme, .native = folder, .origin = origin},
                         &error))
        fail(&error);
}

/* ---- Assets ---- */

static CnRenderer *make_renderer(const Bench *bench)
{
    CnError error = {0};
    CnRenderer *renderer = cn_renderer_create(
        &(CnRendererDesc){.gpu = bench->gpu, .files = cn_vfs_files(bench->vfs)}, &error);
    if (!renderer)
        fail(&error);
    return renderer;
}

static uint64_t time_load(const Bench *bench, const char *scheme, const char *file)
{
    CnError error = {0};
    char path[128];
    cn_format(path, sizeof path, "%s://%s", scheme, file);
    CnRenderer *renderer = make_renderer(bench);
    uint64_t start = cn_clock_ns();
    uint32_t id = strstr(file, ".png")
                      ? cn_texture_load(renderer, &(CnTextureLoadDesc){.path = path}, &error).id
                      : cn_model_load(renderer, path, &error).id;
    uint64_t time = cn_clock_ns() - start;
    if (!id)
        fail(&error);
    cn_renderer_destroy(renderer);
    return time;
}

static void run_load(const Bench *bench, const char *name, const char *file, const char *foreign,
                     const char *user)
{
    uint64_t helper[MAX_RUNS], here[MAX_RUNS];
    for (uint32_t i = 0; i < bench->runs; i++) {
        helper[i] = time_load(bench, foreign, file);
        here[i] = time_load(bench, user, file);
    }
    print(bench, name, measure_summarize(helper, bench->runs).median_ns,
          measure_summarize(here, bench->runs).median_ns);
}

/* ---- Frames ---- */

static uint64_t time_frame(CnRenderer *renderer, const CnRenderSnapshot *snapshot)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    if (!cn_renderer_draw(
            renderer, &(CnFrameDesc){.current = snapshot, .alpha = 1, .width = 320, .height = 180},
            &error))
        fail(&error);
    return cn_clock_ns() - start;
}

static void run_frames(const Bench *bench)
{
    uint64_t slowest[MAX_RUNS], uploads[MAX_RUNS], medians[MAX_RUNS];
    for (uint32_t i = 0; i < bench->runs; i++) {
        CnRenderer *renderer = make_renderer(bench);
        CnRenderItem item = {.mesh = 1, .scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
        CnRenderSnapshot snapshot = {.tick = 1, .items = &item, .item_count = 1};
        uint64_t frames[FRAMES], time = 0;
        cn_renderer_set_asset(renderer, 1, "foreign://terrain.obj");
        slowest[i] = 0;
        while (time = time_frame(renderer, &snapshot), !cn_renderer_stats(renderer).models) {
            slowest[i] = time > slowest[i] ? time : slowest[i];
            cn_clock_sleep_ns(1000000);
        }
        uploads[i] = time;
        for (uint32_t j = 0; j < FRAMES; j++)
            frames[j] = time_frame(renderer, &snapshot);
        medians[i] = (uint64_t)measure_summarize(frames, FRAMES).median_ns;
        cn_renderer_destroy(renderer);
    }
    double frame_ns = measure_summarize(medians, bench->runs).median_ns;
    print(bench, "decode_frame", measure_summarize(slowest, bench->runs).median_ns, frame_ns);
    print(bench, "decode_frame_upload", measure_summarize(uploads, bench->runs).median_ns,
          frame_ns);
}

int main(int argc, char **argv)
{
    bool json = false, quick = false;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_FLAG("--quick", "three runs, to test that it works", &quick)};
    const char *about = "Files decoded by the helper process cairn-decode compared with the same "
                        "files decoded\nin this process, in milliseconds. Run it in the root of "
                        "the source tree.";
    bench_read_options(&(BenchUsage){"bench_decode", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    CnError error = {0};
    Bench bench = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, &error),
                   .vfs = cn_vfs_create(NULL, &error),
                   .runs = quick ? 3 : MAX_RUNS,
                   .json = json};
    cn_format(bench.folder, sizeof bench.folder, "/tmp/bench_decode_%d", (int)getpid());
    if (!bench.gpu || !bench.vfs ||
        !cn_native_files()->make_folder(cn_native_files(), bench.folder, &error))
        fail(&error);
    static const struct {
        const char *name, *file;
        uint32_t side;
    } images[] = {{"decode_png_64", "64.png", 64},
                  {"decode_png_512", "512.png", 512},
                  {"decode_png_2048", "2048.png", 2048}};
    char path[160];
    for (size_t i = 0; i < CN_COUNT_OF(images); i++) {
        cn_format(path, sizeof path, "%s/%s", bench.folder, images[i].file);
        write_png(path, images[i].side);
    }
    cn_format(path, sizeof path, "%s/terrain.obj", bench.folder);
    write_terrain(path);
    mount(&bench, "user", bench.folder, CN_ORIGIN_USER);
    mount(&bench, "foreign", bench.folder, CN_ORIGIN_FOREIGN);
    mount(&bench, "models", "scenes/models", CN_ORIGIN_USER);
    mount(&bench, "mods", "scenes/models", CN_ORIGIN_FOREIGN);
    machine_print(json);
    if (!json)
        printf("%-20s %12s %12s %8s\n", "", "ms", "reference", "ratio");
    for (size_t i = 0; i < CN_COUNT_OF(images); i++)
        run_load(&bench, images[i].name, images[i].file, "foreign", "user");
    run_load(&bench, "decode_box", "box.gltf", "mods", "models");
    run_load(&bench, "decode_lighthouse", "lighthouse.glb", "mods", "models");
    run_load(&bench, "decode_terrain", "terrain.obj", "foreign", "user");
    run_frames(&bench);
    cn_vfs_destroy(bench.vfs);
    cn_gpu_destroy(bench.gpu);
    char command[200];
    cn_format(command, sizeof command, "rm -r %s", bench.folder);
    return system(command) == 0 ? 0 : 1;
}

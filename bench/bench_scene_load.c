/*
 * The cost of scene files: reading 10,000 nodes compared with a bare parse of the same bytes by
 * jansson, writing them compared with jansson's output of the same values, and spawning a prefab
 * 10,000 times compared with creating the same objects one by one. Both sides alternate, so ratios
 * are meaningful on a busy machine.
 */
#include "measure.h"
#include "options.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/file.h>
#include <cairn/scene/presentation.h>

#include <jansson.h>

#include <stdio.h>
#include <string.h>

#define NODES 10000u
#define MAX_RUNS 21u

CN_COMPONENT(Spin, (vec3, axis), (f32, speed), (bool, active));
CN_COMPONENT(Follow, (entity, target), (f32, distance));

static CnWorld *make_world(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    if (world && cn_object_add(world, NULL) && cn_camera_add(world, NULL) &&
        cn_presentation_add(world, NULL) && cn_id(world, Spin).id && cn_id(world, Follow).id)
        return world;
    fprintf(stderr, "bench_scene_load: out of memory\n");
    exit(1);
}

/* Groups of 100 nodes, five levels deep, each node with two to four components. */
static void fill_world(CnWorld *world)
{
    static CnEntity made[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
        char name[32];
        uint32_t place = i % 100;
        cn_format(name, sizeof name, "Node %u", i);
        CnEntity parent = place ? made[i - place + (place - 1) / 3] : CN_NO_PARENT;
        made[i] = cn_object(world, name, .parent = parent);
        CnTransform *transform = cn_get_mut(world, made[i], CnTransform);
        transform->position = cn_vec3((float)i * 0.37f, (float)(i % 17), (float)i / 7);
        transform->rotation = cn_quat_from_euler(cn_vec3(0, (float)(i % 360), 0));
        cn_set(world, made[i], CnMeshRenderer,
               {.mesh = "assets://meshes/box.mesh", .material = "White", .visible = true});
        if (i % 2)
            cn_set(world, made[i], Spin, {.axis = {0, 1, 0}, .speed = (float)i * 0.01f});
        if (i % 5 == 0)
            cn_set(world, made[i], CnLight,
                   {.color = {1, 0.5f, 0.25f, 1}, .intensity = 10, .range = 5});
        if (place)
            cn_set(world, made[i], Follow, {.target = parent, .distance = 1.5f});
    }
}

typedef struct Times {
    uint64_t ours[MAX_RUNS], raw[MAX_RUNS];
} Times;

static void print(const char *name, Times *times, uint32_t runs, bool json)
{
    double ours = measure_summarize(times->ours, runs).median_ns / NODES;
    double raw = measure_summarize(times->raw, runs).median_ns / NODES;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               NODES, ours, raw);
    else
        printf("%-16s %10.1f %10.1f %8.2f\n", name, ours, raw, ours / raw);
}

/* ---- Reading ---- */

static uint64_t time_read(CnText text)
{
    CnWorld *world = make_world();
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    bool done = cn_scene_read_text(world, NULL, "bench", text, NULL, &error);
    uint64_t time = cn_clock_ns() - start;
    if (!done) {
        fprintf(stderr, "bench_scene_load: %d:%d: %s\n", error.line, error.column, error.message);
        exit(1);
    }
    cn_world_destroy(world);
    return time;
}

static uint64_t time_parse(CnText text)
{
    uint64_t start = cn_clock_ns();
    json_t *parsed = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, NULL);
    measure_keep(parsed);
    json_decref(parsed);
    return cn_clock_ns() - start;
}

/* ---- Writing ---- */

static uint64_t time_write(CnWorld *world)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    uint64_t start = cn_clock_ns();
    cn_scene_write_text(world, &text, NULL, NULL);
    uint64_t time = cn_clock_ns() - start;
    cn_array_fini(&text);
    return time;
}

static uint64_t time_dump(const json_t *parsed)
{
    uint64_t start = cn_clock_ns();
    char *text = json_dumps(parsed, JSON_INDENT(2));
    measure_keep(text);
    uint64_t time = cn_clock_ns() - start;
    free(text);
    return time;
}

/* ---- Spawning ---- */

static const char prefab_text[] =
    "{\"id\": \"Crate\", \"components\": [{\"type\": \"TransformComponent\", \"position\": [1, 2, "
    "3]}, {\"type\": \"MeshRendererComponent\", \"mesh\": \"assets://meshes/box.mesh\"}, "
    "{\"type\": \"Spin\", \"speed\": 3}]}";

static bool one_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    (void)fs;
    (void)path;
    (void)error;
    *info = (CnFileInfo){.size_bytes = sizeof prefab_text - 1};
    return true;
}

static bool one_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                     CnError *error)
{
    (void)path;
    (void)mode;
    (void)error;
    *file = (CnFile *)fs;
    return true;
}

static void one_close(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    (void)file;
}

static bool one_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                     size_t *done, CnError *error)
{
    (void)fs;
    (void)file;
    (void)error;
    size_t left = sizeof prefab_text - 1 - (size_t)offset;
    *done = left < size ? left : size;
    memcpy(bytes, prefab_text + offset, *done);
    return true;
}

static uint64_t time_prefabs(CnFileSystem *files)
{
    CnWorld *world = make_world();
    cn_prefab_spawn(world, files, "crate.json", CN_NO_PARENT, NULL);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < NODES; i++)
        cn_prefab_spawn(world, files, "crate.json", CN_NO_PARENT, NULL);
    uint64_t time = cn_clock_ns() - start;
    cn_world_destroy(world);
    return time;
}

static uint64_t time_objects(void)
{
    CnWorld *world = make_world();
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    CnValue values[] = {
        cn_with(CnMeshRenderer, {.mesh = "assets://meshes/box.mesh", .visible = true}),
        cn_with(Spin, {.speed = 3}), cn_with(CnPrefabSource, {.path = "crate.json"})};
    CnObjectDesc desc = {
        .name = "Crate", .transform = &transform, .values = values, .value_count = 3};
    cn_object_create(world, &desc, NULL);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < NODES; i++)
        cn_object_create(world, &desc, NULL);
    uint64_t time = cn_clock_ns() - start;
    cn_world_destroy(world);
    return time;
}

static void measure(uint32_t runs, bool json)
{
    static Times reading, writing, spawning;
    CnFileSystem files = {.info = one_info, .open = one_open, .close = one_close, .read = one_read};
    CnWorld *world = make_world();
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    fill_world(world);
    cn_scene_write_text(world, &builder, NULL, NULL);
    CnText text = {builder.items, builder.count};
    json_t *parsed = json_loadb(text.data, text.size, 0, NULL);
    for (uint32_t i = 0; i < runs; i++) {
        reading.raw[i] = time_parse(text);
        reading.ours[i] = time_read(text);
        writing.raw[i] = time_dump(parsed);
        writing.ours[i] = time_write(world);
        spawning.raw[i] = time_objects();
        spawning.ours[i] = time_prefabs(&files);
    }
    if (!json)
        printf("%u nodes, %u KiB\n%-16s %10s %10s %8s\n", NODES, builder.count >> 10, "",
               "ns a node", "raw ns", "ratio");
    print("scene_load", &reading, runs, json);
    print("scene_save", &writing, runs, json);
    print("prefab_spawn", &spawning, runs, json);
    json_decref(parsed);
    cn_array_fini(&builder);
    cn_world_destroy(world);
}

int main(int argc, char **argv)
{
    bool json = false, quick = false;
    char about[512];
    cn_format(
        about, sizeof about,
        "Nanoseconds per node, medians of %u runs with %u nodes. The reference of scene_load\n"
        "is a parse by jansson, that of scene_save a dump by jansson, that of prefab_spawn\n"
        "a loop of cn_object_create.",
        MAX_RUNS, NODES);
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_FLAG("--quick", "three runs, to test that it works", &quick)};
    bench_read_options(
        &(BenchUsage){"bench_scene_load", about, options, CN_COUNT_OF(options), NULL}, argc, argv);
    machine_print(json);
    measure(quick ? 3 : MAX_RUNS, json);
}

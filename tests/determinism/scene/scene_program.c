/*
 * Prints hashes of what scenes come to in each tick: the fair, with a hand that plays, falling
 * boxes, scenes from files with scripts and bodies, and busy scripts, both sandboxed and trusted.
 * tools/check-determinism builds it in every way and compares what it prints.
 *
 *     scene_program THREADS OBJECTS TICKS       in the root of the source tree
 *
 * The first line names the SIMD path, the others must be the same everywhere. World matrices are
 * not part of the state hash, so their bits are folded into hashes of their own: as the pass leaves
 * them, and as they are read in the middle of a tick.
 */
#include "boxes/boxes.h"
#include "busy_scripts.h"
#include "fair/fair.h"
#include "matrix_hash.h"
#include "thread_barrier.h"
#include "script_world.h"

#include <cairn/physics.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECTS_PER_BOX 100u
#define DROPPED_BOXES 20u

static void fail(const CnError *error)
{
    char text[512];
    printf("%s\n", cn_error_text(error, text, sizeof text));
    exit(1);
}

/* ---- All that can be said about a tick ---- */

static uint64_t read_hash;

/* After all others of Update and before the pass. Every other tick what it reads is kept, so that
 * the pass finds part of its work done. */
static void read_lazily(CnSystemContext *context)
{
    const uint64_t tick = cn_resource(context->world, CnTickInfo)->tick;
    read_hash =
        tick % 2 ? hash_peeked_matrices(context->world) : hash_read_matrices(context->world);
}

static void watch(CnSim *sim)
{
    CnError error = {0};
    const CnSystemDesc desc = {.name = "read_lazily",
                               .run = read_lazily,
                               .stage = CN_STAGE_POST_UPDATE,
                               .before = {"PropagateTransforms"},
                               .alone = true};
    if (!cn_system_add(cn_sim_world(sim), &desc, &error).id)
        fail(&error);
}

static void print_tick(const char *name, const CnSim *sim)
{
    CnWorld *world = cn_sim_world(sim);
    uint64_t passed = hash_passed_matrices(world), peeked = hash_peeked_matrices(world);
    if (passed != peeked) {
        printf("%s: the pass and reads give other matrices after tick %" PRIu64 "\n", name,
               cn_sim_tick(sim));
        exit(1);
    }
    printf("%-16s tick %-5" PRIu64 " state %016" PRIx64 " matrices %016" PRIx64 " read %016" PRIx64
           " derived %016" PRIx64 "\n",
           name, cn_sim_tick(sim), cn_sim_hash(sim), passed, read_hash, hash_derived(world));
}

/* What scripts keep is saved, but not hashed. */
static void print_save(const char *name, const CnSim *sim)
{
    CnError error = {0};
    CnSnapshot snapshot;
    if (!cn_sim_save(sim, &snapshot, &error))
        fail(&error);
    uint64_t hash = 0;
    for (size_t i = 0; i < snapshot.size; i++)
        hash = (hash ^ ((const uint8_t *)snapshot.bytes)[i]) * UINT64_C(0x100000001b3);
    printf("%-16s saved, %zu bytes, %016" PRIx64 "\n", name, snapshot.size, hash);
    cn_snapshot_free(&snapshot);
}

/* ---- Scenes in C ---- */

static CnSim *create_sim(CnJobPool *jobs)
{
    CnError error = {0};
    const CnPlugin scene = cn_scene_plugin();
    CnSim *sim = cn_sim_create(
        &(CnSimDesc){.jobs = jobs, .seed = 20, .core = &scene, .core_count = 1}, &error);
    if (!sim)
        fail(&error);
    return sim;
}

static void run_in_c(const char *name, CnSim *sim, uint64_t ticks)
{
    CnError error = {0};
    watch(sim);
    for (uint64_t tick = 0; tick < ticks; tick++) {
        fair_play(sim, 4, tick);
        if (!cn_sim_tick_n(sim, 1, &error))
            fail(&error);
        print_tick(name, sim);
    }
    print_save(name, sim);
}

static uint32_t threads;

CN_SYSTEM(meet, (read, CnTransform, t))
{
    (void)context, (void)chunk, (void)t, (void)count;
    wait_for_all_threads(threads);
}

static void run_fair(CnJobPool *jobs, uint32_t objects, uint64_t ticks)
{
    CnError error = {0};
    CnSim *sim = create_sim(jobs);
    if (!fair_add(sim, &(FairDesc){objects}, &error) ||
        !cn_system(cn_sim_world(sim), meet, .stage = CN_STAGE_UPDATE, .split = true).id)
        fail(&error);
    run_in_c("fair", sim, ticks);
    char text[128];
    fair_report(sim, text, sizeof text);
    printf("%-16s %s\n", "fair", text);
    cn_sim_destroy(sim);
}

static void run_boxes(CnJobPool *jobs, uint32_t boxes, uint64_t ticks)
{
    CnError error = {0};
    CnSim *sim = create_sim(jobs);
    if (!boxes_add(sim, &(BoxesDesc){boxes}, &error))
        fail(&error);
    run_in_c("boxes", sim, ticks);
    cn_sim_destroy(sim);
}

/* ---- Scenes in files ---- */

static void mount(CnVfs *vfs, const char *scheme, const char *name, const char *below)
{
    char folder[128];
    CnError error = {0};
    cn_format(folder, sizeof folder, "scenes/%s%s", name, below);
    if (!cn_vfs_mount(vfs, scheme, folder, CN_MOUNT_READ, &error))
        fail(&error);
}

static void drop_boxes(CnWorld *world, CnFileSystem *files)
{
    CnError error = {0};
    for (uint32_t i = 0; i < DROPPED_BOXES; i++) {
        CnEntity box = cn_prefab_spawn(world, files, "assets://box.json", CN_NO_PARENT, &error);
        if (!box.id)
            fail(&error);
        cn_get_mut(world, box, CnTransform)->position =
            cn_vec3((float)(i % 5) * 0.9f - 6, 8 + (float)(i / 5), (float)(i % 3) * 0.5f);
    }
}

static CnScenes *load(CnJobPool *jobs, CnVfs *vfs, const CnScriptDesc *scripts)
{
    CnError error = {0};
    const CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(scripts)};
    CnScenes *scenes = cn_scenes_create(
        &(CnScenesDesc){.jobs = jobs, .seed = 3, .plugins = plugins, .plugin_count = 2}, &error);
    if (!scenes || !cn_scene_load(scenes, cn_vfs_files(vfs), "project://main.json", &error))
        fail(&error);
    return scenes;
}

static void run_file(CnJobPool *jobs, const char *name, bool trusted, uint64_t ticks)
{
    static const char *const prefixes[] = {"scripts://", NULL};
    CnError error = {0};
    char label[32];
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    if (!vfs)
        fail(&error);
    cn_format(label, sizeof label, "%s, %s", name, trusted ? "trusted" : "sandboxed");
    mount(vfs, "project", name, "");
    mount(vfs, "scripts", name, "/scripts");
    if (strcmp(name, "machines"))
        mount(vfs, "assets", name, "/assets");
    const CnScriptDesc scripts = {.files = cn_vfs_files(vfs), .trusted = trusted ? prefixes : NULL};
    CnScenes *scenes = load(jobs, vfs, &scripts);
    CnSim *sim = cn_scene_sim(cn_scenes_active(scenes));
    if (!strcmp(name, "boxes"))
        drop_boxes(cn_sim_world(sim), cn_vfs_files(vfs));
    watch(sim);
    for (uint64_t tick = 0; tick < ticks; tick++) {
        if (!cn_scenes_tick_n(scenes, 1, &error))
            fail(&error);
        print_tick(label, sim);
    }
    print_save(label, sim);
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
}

/* ---- Scripts that use some of everything ---- */

static void run_scripts(CnJobPool *jobs, bool trusted, uint64_t ticks)
{
    const char *label = trusted ? "busy, trusted" : "busy, sandboxed";
    static const char *const codes[] = {busy_spawner, busy_pusher, busy_reckoner};
    CnEntity objects[CN_COUNT_OF(codes)];
    ScriptWorld w;
    if (!script_world_init(
            &w,
            &(ScriptWorldDesc){.sandboxed = !trusted, .physics = true, .seed = 7, .jobs = jobs}))
        exit(1);
    for (size_t i = 0; i < CN_COUNT_OF(codes); i++)
        objects[i] = script_add(&w, "Busy", codes[i]);
    watch(w.sim);
    for (uint64_t tick = 0; tick < ticks; tick++) {
        if (!script_tick(&w, 1)) {
            printf("%s\n", w.text.items);
            exit(1);
        }
        print_tick(label, w.sim);
    }
    for (size_t i = 0; i < CN_COUNT_OF(codes); i++)
        printf("%-16s script %zu: %s\n", label, i,
               *script_error(&w, objects[i]) ? w.text.items : "runs");
    print_save(label, w.sim);
    script_world_fini(&w);
}

int main(int argc, char **argv)
{
    static const char *const files[] = {"machines", "factory", "boxes"};
    if (argc != 4)
        return 2;
    threads = (uint32_t)atoi(argv[1]);
    const uint32_t objects = (uint32_t)atoi(argv[2]);
    const uint64_t ticks = (uint64_t)atoi(argv[3]);
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* a script of machines fails on purpose */
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    CnJobPool *jobs = cn_job_pool_create(
        &(CnJobPoolDesc){.workers = threads > 1 ? threads - 1 : CN_JOBS_NONE}, NULL);
    if (!jobs)
        return 1;
    run_fair(jobs, objects, ticks);
    run_boxes(jobs, objects / OBJECTS_PER_BOX, ticks);
    for (size_t i = 0; i < CN_COUNT_OF(files); i++) {
        run_file(jobs, files[i], false, 3 * ticks);
        run_file(jobs, files[i], true, 3 * ticks);
    }
    run_scripts(jobs, false, 3 * ticks);
    run_scripts(jobs, true, 3 * ticks);
    cn_job_pool_destroy(jobs);
    return 0;
}

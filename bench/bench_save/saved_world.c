#include "saved_world.h"

#include <cairn/base/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEED = 77, FLUSH_MS = 600000 };

bool saved_world_prints_json;

void saved_world_must(bool done, const CnError *error)
{
    if (done)
        return;
    fprintf(stderr, "bench_save: %s\n", error->message);
    exit(1);
}

void saved_world_remove(void)
{
    remove(SAVED_WORLD_PATH);
    remove(SAVED_WORLD_PATH "-wal");
}

void saved_world_open(SavedWorld *world)
{
    CnError error = {0};
    world->save =
        crafty_save_open(&(CraftySaveDesc){.path = SAVED_WORLD_PATH, .seed = SEED}, &error);
    saved_world_must(world->save, &error);
    world->session = crafty_session_create(
        &(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS, .hours = 12},
                             .finds_spawn = true,
                             .threads = 1,
                             .save = world->save},
        &error);
    saved_world_must(world->session, &error);
}

void saved_world_close(SavedWorld *world)
{
    crafty_session_destroy(world->session);
    crafty_save_close(world->save);
    *world = (SavedWorld){0};
}

CnVoxels *saved_world_voxels(const SavedWorld *world)
{
    return crafty_world_voxels(crafty_session_world(world->session));
}

void saved_world_save(const SavedWorld *world)
{
    CnError error = {0};
    saved_world_must(crafty_save_write(world->save, crafty_session_world(world->session),
                                       crafty_session_sim(world->session), &error) &&
                         crafty_save_flush(world->save, FLUSH_MS, &error),
                     &error);
}

void saved_world_tick(const SavedWorld *world)
{
    CnError error = {0};
    saved_world_must(cn_sim_tick_n(crafty_session_sim(world->session), 1, &error), &error);
}

/* ---- Sizes ---- */

static uint64_t size_of(const char *path)
{
    CnFileInfo info;
    CnError error = {0};
    CnFileSystem *files = cn_native_files();
    return files->info(files, path, &info, &error) ? info.size_bytes : 0;
}

uint64_t saved_world_file_bytes(void)
{
    return size_of(SAVED_WORLD_PATH);
}

uint64_t saved_world_wal_bytes(void)
{
    return size_of(SAVED_WORLD_PATH "-wal");
}

uint64_t saved_world_memory_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void saved_world_print(const char *scenario, const char *what, double value, const char *unit)
{
    if (saved_world_prints_json)
        printf("{\"workload\":\"%s\",\"what\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}\n", scenario,
               what, value, unit);
    else
        printf("%-18s %-44s %14.3f %s\n", scenario, what, value, unit);
    fflush(stdout);
}

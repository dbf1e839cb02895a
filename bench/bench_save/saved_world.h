/* A world in a file in the current folder, with its session, and how its results are printed. */
#ifndef CAIRN_BENCH_SAVE_SAVED_WORLD_H
#define CAIRN_BENCH_SAVE_SAVED_WORLD_H

#include <crafty/replay/session.h>

#define SAVED_WORLD_PATH "bench_save.crafty"

typedef struct SavedWorld {
    CraftySave *save;
    CraftySession *session;
} SavedWorld;

extern bool saved_world_prints_json;

/* Ends the program with the error's message if `done` is false. */
void saved_world_must(bool done, const CnError *error);
void saved_world_remove(void);
/* Opens the file, or creates it. */
void saved_world_open(SavedWorld *world);
void saved_world_close(SavedWorld *world);
CnVoxels *saved_world_voxels(const SavedWorld *world);
/* Saves and waits until it is durable. */
void saved_world_save(const SavedWorld *world);
void saved_world_tick(const SavedWorld *world);

/* Sizes in bytes; 0: there is no such file. */
uint64_t saved_world_file_bytes(void);
uint64_t saved_world_wal_bytes(void);
/* The resident memory of this process in bytes. */
uint64_t saved_world_memory_bytes(void);

void saved_world_print(const char *scenario, const char *what, double value, const char *unit);

#endif

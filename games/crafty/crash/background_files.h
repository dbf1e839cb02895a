/*
 * Files that a thread writes, for a recording that runs all the time: the thread of the ticks only
 * copies bytes into a ring and never waits for the disk.
 *
 *     CraftyBackgroundFiles *background = crafty_background_files_create(&error);
 *     CnRecorderDesc desc = {.files = crafty_background_files_cn(background), .path = path};
 *     // ...
 *     crafty_background_files_destroy(background);
 *
 * Only opening for writing, writing and closing are implemented. Opening succeeds at once; if the
 * thread cannot create the file, it is logged, and what is written to the file is dropped. Writes
 * fail with CN_ERROR_LIMIT when the ring is full or a file would exceed its size. Written bytes are
 * in the file after at most CRAFTY_BACKGROUND_MS, also if the program crashes meanwhile and calls
 * crafty_background_files_flush.
 */
#ifndef CRAFTY_CRASH_BACKGROUND_FILES_H
#define CRAFTY_CRASH_BACKGROUND_FILES_H

#include <cairn/base/file.h>

#define CRAFTY_BACKGROUND_MS 20u
#define CRAFTY_BACKGROUND_RING_BYTES (8u << 20)
#define CRAFTY_BACKGROUND_FILE_BYTES (64u << 20) /* at most, of one file */

typedef struct CraftyBackgroundFiles CraftyBackgroundFiles;

CraftyBackgroundFiles *crafty_background_files_create(CnError *error);
/* Writes everything and ends the thread. NULL is ignored. */
void crafty_background_files_destroy(CraftyBackgroundFiles *files);
/* For one thread at a time. */
CnFileSystem *crafty_background_files_cn(CraftyBackgroundFiles *files);
/* Removes a file, after what was written to it before. */
bool crafty_background_files_remove(CraftyBackgroundFiles *files, const char *path);
/* Waits until everything is in the files, at most a second. `user` is a CraftyBackgroundFiles.
 * Async-signal-safe. */
void crafty_background_files_flush(void *user);

#endif

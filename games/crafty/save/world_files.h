/*
 * World files as files: names, moving and removing them. A world is the file <name>.crafty, and
 * after a crash also <name>.crafty-wal, SQLite's write-ahead log, which belongs to it.
 *
 * Moving never replaces a file, and at every moment the whole world is under the old or the new
 * name.
 */
#ifndef CRAFTY_SAVE_WORLD_FILES_H
#define CRAFTY_SAVE_WORLD_FILES_H

#include "world_info.h"
#include "world_path.h"

#define CRAFTY_WORLD_FILE_BYTES 256u /* of a file's name in its folder, with terminator */

/* Writes the name without blanks at both ends. Returns false and an error unless it has 1 to 63
 * bytes of UTF-8 without control characters. */
bool crafty_world_name_check(const char *name, char checked[CRAFTY_WORLD_NAME_BYTES],
                             CnError *error);
/* Returns whether two names are equal, where A to Z and a to z are the same: some file systems
 * cannot hold both names. */
bool crafty_world_names_equal(const char *a, const char *b);
/* Writes the file's name for a world, without suffix: characters that file systems do not allow are
 * replaced by '_'. */
void crafty_world_file_name(const char *name, char file[CRAFTY_WORLD_NAME_BYTES]);
/* Writes the name of the file at `path` without folder and suffix, cut to fit. */
void crafty_world_base_name(const char *path, char base[CRAFTY_WORLD_FILE_BYTES]);
/* Writes the folder of a path; "." if it has none. */
void crafty_world_folder_of(const char *path, char folder[CN_STORE_PATH_BYTES]);
/* Writes a path that does not exist: <folder>/<base>.crafty, or with " (2)" and so on after the
 * base. Names are compared like crafty_world_names_equal. */
bool crafty_world_free_path(const char *folder, const char *base, char path[CN_STORE_PATH_BYTES],
                            CnError *error);

/* Returns the bytes of the file and its write-ahead log; 0 if there is none. */
uint64_t crafty_world_file_size(const char *path);

/* Moves the content of the write-ahead log into the file. A damaged file and one of another version
 * are left as they are; that is not an error. Returns false and an error if the world is open,
 * *is_open then says so, or if the disk fails. */
bool crafty_world_settle(const char *path, bool *is_open, CnError *error);
/* Moves a world that is not open to a path that must not exist, in the same file system. */
bool crafty_world_move(const char *from, const char *to, CnError *error);
/* Makes new and renamed files in the folder of `path` durable. */
bool crafty_world_sync_folder_of(const char *path, CnError *error);
/* Removes the files of a world that is not open. */
bool crafty_world_remove(const char *path, CnError *error);

#endif

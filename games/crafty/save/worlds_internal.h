/* Shared by the files of the library of worlds. */
#ifndef CRAFTY_SAVE_WORLDS_INTERNAL_H
#define CRAFTY_SAVE_WORLDS_INTERNAL_H

#include "worlds.h"

/* Checks that no world in the folder has this name, except the one at `own`, which may be NULL. */
bool crafty_worlds_check_free(const char *folder, const char *name, const char *own,
                              CnError *error);
/* Checks a name, that it is free, and writes the path of its new file. `own` as above; the path may
 * be `own` itself. */
bool crafty_worlds_new_path(const char *folder, const char *name, const char *own,
                            char checked[CRAFTY_WORLD_NAME_BYTES], char path[CN_STORE_PATH_BYTES],
                            CnError *error);
/* Gives a world that is not open another name, in the file. A world without an identity is named
 * after its file. */
bool crafty_worlds_set_name(const char *path, const char *name, CnError *error);
/* Writes the temporary path at which a file is built that will be moved to `path`, and removes what
 * an interrupted operation left there. */
bool crafty_worlds_begin_file(const char *path, char temporary[CN_STORE_PATH_BYTES],
                              CnError *error);
/* Moves the finished file to `path`, or removes it unless `done`. Returns whether it is there. */
bool crafty_worlds_end_file(const char *temporary, const char *path, bool done, CnError *error);
/* Copies the pages of a world that is not open. Files without a log are opened for reading only. */
bool crafty_worlds_copy_file(const char *from, const char *to, CnStoreProgress progress, void *user,
                             CnError *error);
/* Moves a world to a subfolder, with the time in its name. */
bool crafty_worlds_put_away(const char *path, const char *subfolder,
                            char moved[CN_STORE_PATH_BYTES], CnError *error);
/* Puts the finished file at `path`; the world that is there is moved to the backups. */
bool crafty_worlds_replace(const char *temporary, const char *path,
                           char backup[CN_STORE_PATH_BYTES], CnError *error);

#endif

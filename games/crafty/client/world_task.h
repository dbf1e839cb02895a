/*
 * Work on worlds that takes long, on a thread of its own: the window goes on meanwhile. One task
 * runs at a time; thumbnails are read on the same thread, so that no two threads use a world.
 *
 *     CraftyWorldTask *task = crafty_world_task_create("worlds", NULL, &error);
 *     crafty_world_task_start(task, &(CraftyWorldOrder){.kind = CRAFTY_TASK_COPY, .path = path,
 *                                                       .name = "Copy"});
 *     // ... in each frame:
 *     if (crafty_world_task_take(task, &result)) // once for each order
 *         show(&result);
 *     crafty_world_task_destroy(task);
 */
#ifndef CRAFTY_CLIENT_WORLD_TASK_H
#define CRAFTY_CLIENT_WORLD_TASK_H

#include "crafty/mods/installed_mods.h"
#include "crafty/save/worlds.h"

#include <cairn/render/material.h>

#define CRAFTY_THUMBNAIL_MAX_PIXELS (1024u * 1024u) /* larger ones are not decoded */

typedef enum CraftyTaskKind {
    CRAFTY_TASK_LIST,
    CRAFTY_TASK_CREATE,       /* name, seed, generator, mode, commands */
    CRAFTY_TASK_RENAME,       /* path, name */
    CRAFTY_TASK_COPY,         /* path, name */
    CRAFTY_TASK_BACK_UP,      /* path */
    CRAFTY_TASK_LIST_BACKUPS, /* path */
    CRAFTY_TASK_RESTORE,      /* path of the backup */
    CRAFTY_TASK_DELETE,       /* path */
    CRAFTY_TASK_UNDELETE      /* path of the deleted world */
} CraftyTaskKind;

typedef struct CraftyWorldOrder {
    CraftyTaskKind kind;
    char path[CN_STORE_PATH_BYTES];
    char name[CRAFTY_WORLD_NAME_BYTES];
    uint64_t seed;
    const char *generator; /* an id with static storage; NULL: the default one */
    CraftyPlayerMode mode;
    bool commands;
    bool has_mods; /* otherwise those that are enabled */
    CraftyWorldMods mods;
} CraftyWorldOrder;

typedef struct CraftyWorldResult {
    CraftyTaskKind kind;
    bool succeeded;
    bool was_canceled; /* and did not succeed for this reason */
    CnError error;
    char path[CN_STORE_PATH_BYTES]; /* of the new file; "" if there is none */
    /* The worlds of the folder after the change; the backups for CRAFTY_TASK_LIST_BACKUPS. The
     * caller frees it. */
    CraftyWorldList list;
    bool has_list;
    CnError list_error;       /* why there is no list */
    CraftyInstalledMods mods; /* the caller frees it */
} CraftyWorldResult;

typedef struct CraftyWorldTask CraftyWorldTask;

/* Copies the path of the folder of worlds. `allocator` is thread-safe; NULL: the system allocator.
 * Returns NULL and an error when out of memory. */
CraftyWorldTask *crafty_world_task_create(const char *folder, CnAllocator *allocator,
                                          CnError *error);
/* Lets every task look for mods, in the player's folder and in that of --mods; either may be NULL.
 * Before the first task. Paths that are too long are ignored. */
void crafty_world_task_set_mods(CraftyWorldTask *task, const char *folder, const char *extra);
/* Cancels the task, waits for its end and drops its result. NULL is ignored. */
void crafty_world_task_destroy(CraftyWorldTask *task);

/* Starts a task. None may be running, and the last result must have been taken. */
void crafty_world_task_start(CraftyWorldTask *task, const CraftyWorldOrder *order);
/* Asks the task to end; one that cannot be canceled runs on. */
void crafty_world_task_cancel(CraftyWorldTask *task);
/* Returns whether a task runs, or its result was not taken yet. */
bool crafty_world_task_is_busy(const CraftyWorldTask *task);
/* Returns the share that is done, 0 to 1; 0 while unknown. */
float crafty_world_task_share(const CraftyWorldTask *task);
/* Returns true if the task has ended, and moves its result. */
bool crafty_world_task_take(CraftyWorldTask *task, CraftyWorldResult *result);

/* Starts reading and decoding the picture of a world. Returns false while another one is read or
 * a task runs. */
bool crafty_world_task_read_thumbnail(CraftyWorldTask *task, const char *path);
/* Returns true if it was read, once. The caller frees the image, which has no pixels if the world
 * has no picture or it is damaged. */
bool crafty_world_task_take_thumbnail(CraftyWorldTask *task, CnImage *image);
/* Returns whether nothing uses the files of worlds. */
bool crafty_world_task_is_idle(CraftyWorldTask *task);

#endif

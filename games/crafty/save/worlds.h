/*
 * The library of worlds: a folder with a file <name>.crafty for each world, and in it the folders
 * backups/ and deleted/.
 *
 *     CraftyWorldList list;
 *     crafty_worlds_list("worlds", CRAFTY_WORLDS_PLAYABLE, &list, &error);
 *     for (uint32_t i = 0; i < list.count; i++)
 *         puts(list.items[i].name);                      // last played first
 *     crafty_worlds_list_free(&list);
 *
 *     char path[CN_STORE_PATH_BYTES];
 *     crafty_worlds_create("worlds", &(CraftyNewWorld){.name = "Home", .seed = 5}, path, &error);
 *
 * Functions that change a world refuse one that is open in a game. Nothing is ever replaced: new
 * files are written under a temporary name, synced and renamed, and what a restored backup replaces
 * is kept as a backup itself. Every error leaves the worlds as they were, or says where they are.
 *
 * Names are UTF-8 of 1 to 63 bytes without control characters; "Home" and "home" are the same name.
 * The file is named after the world, with '_' for characters that file systems do not allow and a
 * number if that file exists. Names of worlds are unique in a folder, unless someone copies files.
 *
 * Functions that may take long call `progress`, which may be NULL and returns false to cancel. Use
 * from any thread, one operation at a time for each world.
 */
#ifndef CRAFTY_SAVE_WORLDS_H
#define CRAFTY_SAVE_WORLDS_H

#include "save.h"
#include "world_files.h"

#define CRAFTY_WORLDS_MAX 4096u /* in a list; the rest is counted */
#define CRAFTY_WORLDS_BACKUP_FOLDER "backups"
#define CRAFTY_WORLDS_DELETED_FOLDER "deleted"

/* ---- Lists ---- */

typedef enum CraftyWorldsPlace {
    CRAFTY_WORLDS_PLAYABLE, /* the folder itself */
    CRAFTY_WORLDS_BACKUPS,
    CRAFTY_WORLDS_DELETED
} CraftyWorldsPlace;

typedef struct CraftyWorldEntry {
    char path[CN_STORE_PATH_BYTES];
    char name[CRAFTY_WORLD_FILE_BYTES]; /* from the file's name where the world cannot be read */
    int64_t played_ms;   /* last saved, or else created, or else the time of the file */
    uint64_t size_bytes; /* with the write-ahead log */
    CraftySaveInfo info; /* zeros if the world is open or cannot be read */
    bool is_open;        /* in a game, this one or another */
    CnError error; /* code CN_OK unless the world cannot be read; that it is open is no error */
} CraftyWorldEntry;

typedef struct CraftyWorldList {
    CraftyWorldEntry *items;
    uint32_t count;
    uint32_t left_out; /* files above CRAFTY_WORLDS_MAX */
    uint32_t capacity;
} CraftyWorldList;

/* Lists the worlds at a place in `folder`, last played first. Worlds that cannot be read are listed
 * with their error. A folder that does not exist has no worlds. A world that was not closed
 * properly is recovered. Returns false and an error if the folder cannot be read. Free the list in
 * either case. */
bool crafty_worlds_list(const char *folder, CraftyWorldsPlace place, CraftyWorldList *list,
                        CnError *error);
/* Lists the backups of the world at `path`, newest first: by the names of their files. The world
 * itself need not exist. */
bool crafty_worlds_list_backups(const char *path, CraftyWorldList *list, CnError *error);
/* Returns where "YYYY-MM-DD HH-MM-SS" of a backup or a deleted world is in its path, or NULL. */
const char *crafty_worlds_date_in(const char *path);
void crafty_worlds_list_free(CraftyWorldList *list);
/* Describes one world, as in a list. Returns false and an error if there is no such file. */
bool crafty_worlds_read(const char *path, CraftyWorldEntry *entry, CnError *error);
/* Reads the picture of a world, a JPEG. `jpeg` is initialized; it is empty if the world has none.
 */
bool crafty_worlds_read_thumbnail(const char *path, CnU8Array *jpeg, CnError *error);
/* Writes the path of an existing world. `world` is the name of a file in `folder`, without suffix,
 * the name of a world, or a path as in crafty_world_path. Returns false and an error if there is
 * none, or if several have this name. */
bool crafty_worlds_find(const char *folder, const char *world, char path[CN_STORE_PATH_BYTES],
                        CnError *error);

/* ---- Changes ---- */

typedef struct CraftyNewWorld {
    const char *name;
    uint64_t seed;         /* see world_seed.h */
    const char *generator; /* NULL: CRAFTY_GENERATOR_ID, the only one */
    bool has_rules;        /* otherwise the program that plays it first chooses them */
    CraftyPlayerMode mode;
    bool commands;
    const CraftyWorldMods *mods; /* NULL: those that are enabled when it is played first */
} CraftyNewWorld;

/* Creates a world and its folder. The functions below return false and an error that says what to
 * do; on success they write the path of the new file. A name that is in use is CN_ERROR_EXISTS. */
bool crafty_worlds_create(const char *folder, const CraftyNewWorld *desc,
                          char path[CN_STORE_PATH_BYTES], CnError *error);
/* Changes the name in the file, in one transaction, and then the name of the file. */
bool crafty_worlds_rename(const char *path, const char *name, char new_path[CN_STORE_PATH_BYTES],
                          CnError *error);
/* Copies a world to the same folder under another name. */
bool crafty_worlds_copy(const char *path, const char *name, CnStoreProgress progress, void *user,
                        char new_path[CN_STORE_PATH_BYTES], CnError *error);

/* Writes a copy to backups/<file> <date> <time>.crafty beside the world. A world that is being
 * played is copied through `open`, the store of its save (crafty_save_store), while the game runs
 * on; otherwise `open` is NULL. */
bool crafty_worlds_back_up(const char *path, CnStore *open, CnStoreProgress progress, void *user,
                           char backup[CN_STORE_PATH_BYTES], CnError *error);
/* Makes a backup, which stays where it is, a world of `folder`. With `name` NULL it gets its old
 * name back; a world that has this name is first moved to the backups. With a `name`, it becomes
 * another world, and the name must be free. */
bool crafty_worlds_restore(const char *folder, const char *backup, const char *name,
                           CnStoreProgress progress, void *user, char path[CN_STORE_PATH_BYTES],
                           CnError *error);

typedef enum CraftyWorldsDelete {
    CRAFTY_WORLDS_DELETE, /* to deleted/<file> <date> <time>.crafty; crafty_worlds_undelete undoes
                             it */
    CRAFTY_WORLDS_DELETE_PERMANENTLY
} CraftyWorldsDelete;

/* Deletes a world. `moved` receives the path under deleted/, or "". Backups are kept. */
bool crafty_worlds_delete(const char *path, CraftyWorldsDelete how, char moved[CN_STORE_PATH_BYTES],
                          CnError *error);
/* Moves a deleted world back to `folder`, under its name or, unless NULL, another, which must be
 * free. */
bool crafty_worlds_undelete(const char *folder, const char *deleted, const char *name,
                            char path[CN_STORE_PATH_BYTES], CnError *error);

/* ---- Files for other places ---- */

/* Writes a world without unused space to `file`, which must not exist: one portable file. */
bool crafty_worlds_export(const char *path, const char *file, CnStoreProgress progress, void *user,
                          CnError *error);
typedef struct CraftyWorldsImport {
    const char *file;
    const char *name; /* NULL: its own, with a number if that is in use */
    /* Checks the copy before it becomes a world; may be NULL. */
    bool (*check)(const char *path, void *user, CnError *error);
    CnStoreProgress progress;
    void *user;
} CraftyWorldsImport;
/* Adds a world that may come from anybody: only its rows are copied. The file is not changed, but
 * if it was not closed properly, its log is moved into it. */
bool crafty_worlds_import(const char *folder, const CraftyWorldsImport *desc,
                          char path[CN_STORE_PATH_BYTES], CnError *error);
/* Replaces the file by one with the same rows and without unused space. The original stays until
 * the new file is complete, on the disk and compared. */
bool crafty_worlds_compact(const char *path, CnStoreProgress progress, void *user, CnError *error);
/* Computes a hash of all rows of a world that is not open: name, picture, blocks, log, state. */
bool crafty_worlds_content_hash(const char *path, uint64_t *hash, CnError *error);

#endif

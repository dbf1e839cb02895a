/* Files of saved games and of stored values: a magic number, a hash, and bytes. */
#ifndef CAIRN_SRC_SCRIPT_GAME_SAVED_GAME_H
#define CAIRN_SRC_SCRIPT_GAME_SAVED_GAME_H

#include <cairn/script/game.h>

#define CNI_SCRIPT_SAVE_PATH_BYTES 4096u

typedef enum CniScriptSavedKind {
    CNI_SCRIPT_SAVED_GAME,
    CNI_SCRIPT_SAVED_VALUES
} CniScriptSavedKind;

/* A folder of saved games. */
typedef struct CniScriptSaveFolder {
    CnAllocator *allocator;
    CnFileSystem *files;
    char path[CNI_SCRIPT_SAVE_PATH_BYTES]; /* "": there is none */
} CniScriptSaveFolder;

/* Writes a file. `scene` is the name of the scene of a saved game, and "" for values. `name` is
 * that of the saved game. */
bool cni_script_saved_write(const CniScriptSaveFolder *folder, CniScriptSavedKind kind,
                            const char *name, const char *scene, const CnSnapshot *state,
                            CnError *error);

/* The content of a file; free it with cn_file_bytes_free. */
typedef struct CniScriptSavedFile {
    CnFileBytes bytes;
    const uint8_t *state; /* in `bytes` */
    size_t state_bytes;
    char scene[CN_SCENE_NAME_BYTES];
} CniScriptSavedFile;

/* Reads and verifies a file. */
bool cni_script_saved_read(const CniScriptSaveFolder *folder, CniScriptSavedKind kind,
                           const char *name, CniScriptSavedFile *file, CnError *error);
/* Calls `visit` with the name of each saved game, in order. A folder that does not exist has none.
 */
void cni_script_saved_list(const CniScriptSaveFolder *folder,
                           bool (*visit)(const char *name, void *user), void *user);

#endif

/*
 * What scripts request of the program that runs them: quitting, other scenes, saved games, speed.
 *
 * A script cannot do these things within a tick. It requests them (`game`, `loadScene` and
 * `restartScene` in docs/scripting.md), and a CnScriptGame carries them out between ticks:
 *
 *     bool run(CnScenes *scenes, CnFileSystem *files, CnError *error)
 *     {
 *         CnScriptGameDesc desc = {.scenes = scenes, .files = files, .save_folder = "saves"};
 *         CnScriptGame *game = cn_script_game_create(&desc, error);
 *         if (!game)
 *             return false;
 *         CnScriptGameResult result = {0};
 *         cn_script_game_update(game, &result);           // before the first tick
 *         while (!result.quit && cn_scenes_frame(scenes, 1.0 / 60, error))
 *             cn_script_game_update(game, &result);
 *         cn_script_game_destroy(game);
 *         return true;
 *     }
 *
 * The engine does this in each frame. Requests change nothing within their tick and are not
 * recorded: a replay of the tick makes the same requests, which nobody carries out. What follows
 * from a request is outside of a recording: quitting ends it, and a restart or a loaded game
 * replaces the state. The names of saved games reach scripts as input messages, which are recorded.
 *
 * In a folder for saved games, NAME.save is a saved game: the state of one scene. `store.values`
 * has the values of store.save(). Both begin with a hash; damaged files are refused.
 */
#ifndef CAIRN_SCRIPT_GAME_H
#define CAIRN_SCRIPT_GAME_H

#include <cairn/base/file.h>
#include <cairn/scene/scene.h>

CN_EXTERN_C_BEGIN

#define CN_SCRIPT_SAVE_NAME_BYTES 24u      /* including the terminator; a to z, 0 to 9, _ and - */
#define CN_SCRIPT_MAX_SAVES 64u            /* that scripts see */
#define CN_SCRIPT_SAVE_MESSAGE 0x43530003u /* code: a saved game exists or is gone */

typedef struct CnScriptGame CnScriptGame;

typedef struct CnScriptGameDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    CnScenes *scenes;       /* required; must outlive the object */
    CnFileSystem *files;    /* for loadScene; NULL: it is an error */
    /* Folder for saved games; created when needed. NULL: saving is an error, which is logged. */
    const char *save_folder;
    CnFileSystem *save_files; /* with that folder; NULL: the operating system's */
} CnScriptGameDesc;

/* Returns NULL and an error when out of memory. */
CN_API CnScriptGame *cn_script_game_create(const CnScriptGameDesc *desc, CnError *error);
CN_API void cn_script_game_destroy(CnScriptGame *game);

typedef struct CnScriptGameResult {
    bool quit;     /* a script requested it; stays set */
    bool replaced; /* the state of the active scene was replaced, or another scene is active */
} CnScriptGameResult;

/* Carries out what the scripts of the active scene have requested since the last call, between
 * ticks. What fails is logged and changes nothing. */
CN_API void cn_script_game_update(CnScriptGame *game, CnScriptGameResult *result);

CN_EXTERN_C_END

#endif

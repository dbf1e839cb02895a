/* The state of a game that scripts control, and what they request of the program. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_GAME_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_GAME_H

#include <cairn/scene/presentation.h>
#include <cairn/script/game.h>

typedef struct CniScriptRuntime CniScriptRuntime;

#define CNI_SCRIPT_WIDTH 1280u /* of a window that nobody has reported */
#define CNI_SCRIPT_HEIGHT 720u
#define CNI_SCRIPT_MIN_TIME_SCALE 0.05
#define CNI_SCRIPT_MAX_TIME_SCALE 8.0

typedef enum CniScriptChange {
    CNI_SCRIPT_KEEP,
    CNI_SCRIPT_RESTART_SCENE,
    CNI_SCRIPT_LOAD_SCENE, /* argument: the path */
    CNI_SCRIPT_LOAD_GAME   /* argument: the name */
} CniScriptChange;

/* Requests since they were last carried out; not part of the state. */
typedef struct CniScriptRequests {
    bool quit, save_values, save_game;
    CniScriptChange change; /* the last one wins */
    uint64_t seed;          /* of a scene that restarts */
    char argument[CN_ASSET_PATH_BYTES];
    char save[CN_SCRIPT_SAVE_NAME_BYTES];
} CniScriptRequests;

typedef struct CniScriptGameState {
    bool paused;
    float time_scale;
    uint32_t width, height; /* of the window, in pixels */
    uint32_t save_count;
    char saves[CN_SCRIPT_MAX_SAVES][CN_SCRIPT_SAVE_NAME_BYTES]; /* in order of names */
    /* Not saved. */
    bool systems_paused; /* physics and the systems of scenes are disabled */
    float applied_scale; /* time scale of the simulation's clock */
    CniScriptRequests requests;
} CniScriptGameState;

void cni_script_game_init(CniScriptGameState *game);
/* Reads the messages of the tick. */
void cni_script_game_begin_tick(CniScriptRuntime *runtime);
/* Disables or enables the systems that do not run while the game is paused: between ticks, or in a
 * system that runs alone. */
void cni_script_game_apply_pause(CniScriptRuntime *runtime);
bool cni_script_save_name_valid(CnText name);
/* Sends the message that a saved game exists or is gone. */
bool cni_script_game_send_save(CnInputSource source, const char *name, bool exists);

/* The state section. */
bool cni_script_game_section_begin(CniScriptRuntime *runtime, CnError *error);
void cni_script_game_section_end(CniScriptRuntime *runtime);

#endif

/*
 * One open world: its blocks and save, its simulation in a scene of the engine, and what this
 * client adds to draw and to control it. The window, the device and the renderer outlive it.
 *
 *     crafty_play_open(crafty, &(CraftyPlayDesc){.path = "home.crafty"}, &error); // crafty->play
 *     // ... frames ...
 *     crafty_play_close(crafty);                       // crafty->play is NULL
 *
 * Without an open world, frames show what crafty_world_menu_frame draws. Call these functions
 * between frames on the thread of the engine: the canvas of a frame may use what the world owns.
 */
#ifndef CRAFTY_CLIENT_PLAY_H
#define CRAFTY_CLIENT_PLAY_H

#include "crafty/crash/crash_watch.h"
#include "crafty/mods/mod_watch.h"
#include "crafty/mods/session_mods.h"
#include "crafty/replay/world_recorder.h"
#include "crafty/replay/world_replay.h"
#include "crafty/save/save.h"
#include "crafty/sim/connection.h"
#include "crafty/sim/crafty_sim.h"
#include "emitters.h"
#include "mod_errors.h"
#include "online.h"
#include "mod_hud.h"
#include "player_view.h"
#include "preset.h"
#include "saving.h"
#include "terrain.h"
#include "thumbnail.h"
#include "tour.h"
#include "world_tiles.h"

#include <cairn/engine.h>

typedef struct Crafty Crafty;

typedef struct CraftyPlayDesc {
    const char *path;   /* of the file of a world, which is created if it does not exist; NULL: the
                           world is not saved */
    const char *name;   /* of a new world; NULL: from the path */
    uint64_t seed;      /* of a new world, or of one that is not saved */
    bool has_seed;      /* an existing world must have this seed */
    bool read_only;     /* the world must exist and is only looked at: nothing is written */
    const char *replay; /* a recording to play instead of a world; NULL: none */
    CraftyOnline *online; /* a server that has welcomed the player: its world; closing the world
                             leaves the server; NULL: none */
    bool backdrop; /* the landscape behind the title (backdrop.h): a flight, without a player */
} CraftyPlayDesc;

struct CraftyPlay {
    CraftySave *save; /* NULL: the world is not saved */
    CraftySessionMods *mods;
    CraftyModWatch *mod_watch; /* NULL: changes of mods are not noticed */
    CraftyWorldTiles *tiles;
    CraftyModHud mod_hud;
    CraftyModErrors mod_errors;
    CnRenderCamera shown_camera; /* of the last frame */
    bool is_read_only, is_backdrop;
    CraftyWorldReplay *replay;      /* NULL: this is no recording */
    CraftyOnline *online;           /* NULL: the world is on this machine */
    uint32_t number;                /* of the local player */
    char path[CN_STORE_PATH_BYTES]; /* of the save */
    CraftyCrashWatch *watch;        /* NULL: not saved, or a crash cannot be reported */
    CraftySaving saving;
    CraftyThumbnail *thumbnail; /* NULL: the world is not saved, or only looked at */
    CraftyTerrain *terrain;
    CraftyRenderSources shown;
    CraftyEmitters *emitters;
    CraftyPlayerView *view;
    CraftySimDesc sim;
    CnScene *scene;               /* NULL: not entered yet */
    CnEntity camera;              /* the player, except on a tour */
    CraftyConnection *connection; /* of the local player */
    CnEventReader *hand_events, *player_events;
    CnEventReader *creature_events; /* NULL: the world has no creatures */
    CnEventReader *mod_effects;     /* NULL: the world has no mods */
    CraftyWorldRecorder *recorder;  /* NULL: the session is not recorded */
    CraftyPose pose;                /* initial camera */
    uint64_t frame;                 /* number of frames since it was entered */
    uint64_t first_ns;              /* time of the first frame after loading */
    bool has_played;                /* the mouse has been captured once */
    bool is_loading;      /* with a window: until the terrain around the player is loaded; the
                             simulation waits, except on a tour */
    uint32_t max_waiting; /* maximum number of chunks waiting while loading */

    uint64_t memory_bytes; /* of the process, as shown by F3 */

    bool on_tour;
    CraftyTour tour;
    uint32_t tour_key;            /* last key reached */
    uint32_t next_screenshot_key; /* next key that may get a screenshot */
    float tour_seconds;
};

/* Opens a world; none may be open. Returns false and an error if that fails: the world is open
 * elsewhere, of a newer version or damaged, has another seed, or memory is lacking. Nothing is left
 * open then. */
bool crafty_play_open(Crafty *crafty, const CraftyPlayDesc *desc, CnError *error);
/* Finishes the recording, if there is one. Returns false after printing an error. */
bool crafty_play_finish_recording(CraftyPlay *play);
/* Returns the mods that run in the world, with the standard content. */
const CraftyMods *crafty_play_mods(const CraftyPlay *play);
/* Closes the world without saving (leave.h saves). Does nothing if none is open. */
void crafty_play_close(Crafty *crafty);

/* Opens the file and creates the world, without the engine: any thread, while no other uses the
 * settings and options (opening.h). The result becomes crafty->play for crafty_play_enter. */
CraftyPlay *crafty_play_create(const Crafty *crafty, const CraftyPlayDesc *desc, CnError *error);
/* Destroys a world that was not entered. NULL is ignored. */
void crafty_play_destroy(CraftyPlay *play);
/* The two parts of crafty_play_open. The first needs no engine: jobs load the world while the
 * device is opened. After an error of the second, call crafty_play_close. */
bool crafty_play_begin(Crafty *crafty, const CraftyPlayDesc *desc, CnError *error);
bool crafty_play_enter(Crafty *crafty, CnError *error);
/* Begins to protect the open world against a crash (crash_watch.h), unless nothing is saved. */
void crafty_play_begin_watch(Crafty *crafty);
/* Makes a scene active that is empty but for a camera, for frames without a world. */
bool crafty_play_idle(CnEngine *engine, CnError *error);
/* Lets jobs load the world around the initial camera while the caller does other long work. */
void crafty_play_go_on_loading(Crafty *crafty);

#endif

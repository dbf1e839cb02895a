/*
 * The game: terrain, simulation, engine, and what each frame needs. The client only reads the
 * simulation; it changes it by sending input and commands.
 *
 *     Crafty *crafty = crafty_create(&options, &error);
 *     int status = crafty_run(crafty);
 *     crafty_destroy(crafty);
 */
#ifndef CRAFTY_CLIENT_GAME_H
#define CRAFTY_CLIENT_GAME_H

#include "controls.h"
#include "crafty/sim/connection.h"
#include "crafty/sim/crafty_sim.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/recording.h"
#include "crafty/sim/weather.h"
#include "emitters.h"
#include "hud.h"
#include "lens.h"
#include "menu.h"
#include "options.h"
#include "preset.h"
#include "stats.h"
#include "terrain.h"
#include "tour.h"

#include <cairn/sim/replay.h>

typedef struct Crafty {
    CraftyOptions options;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyTerrain *terrain;
    CraftyRenderSources shown;
    CraftyEmitters *emitters;
    CraftySimDesc sim;
    CnEngine *engine;
    CnEntity camera;              /* the player, except on a tour */
    CraftyConnection *connection; /* of the local player */
    CraftyControls *controls;
    CnEventReader *hand_events;
    CnRecorder *recorder; /* NULL: the session is not recorded */
    CraftyLens lens;
    CraftyPose pose; /* initial camera */
    CraftyMenu menu;
    CraftyHud hud;
    bool has_played;      /* the mouse has been captured once */
    bool is_loading;      /* with a window: until the terrain around the player is loaded */
    uint32_t max_waiting; /* maximum number of chunks waiting while loading */

    bool on_tour;
    CraftyTour tour;
    uint32_t tour_key;            /* last key reached */
    uint32_t next_screenshot_key; /* next key that may get a screenshot */
    float tour_seconds;

    uint64_t begin_ns, frame;
    bool is_untimed;        /* exclude this frame from the frame times */
    uint64_t all_frames;    /* 0: until the player quits */
    uint64_t progress_ns;   /* time of the last progress line */
    CraftyFrameTimes times; /* of this frame */
    CraftyStats stats;
} Crafty;

Crafty *crafty_create(const CraftyOptions *options, CnError *error);
void crafty_destroy(Crafty *crafty);
/* Runs frames until the game ends, and finishes the recording. Returns the exit status. */
int crafty_run(Crafty *crafty);

#endif

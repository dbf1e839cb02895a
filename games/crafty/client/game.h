/*
 * Crafty as a whole: the land, the engine, the camera, and what happens in each frame.
 *
 *     Crafty *crafty = crafty_create(&options, &error);
 *     int status = crafty_run(crafty);
 *     crafty_destroy(crafty);
 */
#ifndef CRAFTY_CLIENT_GAME_H
#define CRAFTY_CLIENT_GAME_H

#include "../sim/crafty_sim.h"
#include "../sim/weather.h"
#include "emitters.h"
#include "hud.h"
#include "land.h"
#include "menu.h"
#include "options.h"
#include "preset.h"
#include "stats.h"
#include "tour.h"

typedef struct Crafty {
    CraftyOptions options;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyLand *land;
    CraftyShown shown;
    CraftyEmitters *emitters;
    CraftySimDesc sim;
    CnEngine *engine;
    CnEntity camera, sun;
    CraftyPose pose; /* to begin with */
    CraftyMenu menu;
    CraftyHud hud;
    bool has_played;       /* the mouse was captured once */
    bool is_loading;       /* in a window: until there is land around the player */
    uint32_t most_waiting; /* chunks, while it loads */

    bool on_tour;
    CraftyTour tour;
    uint32_t tour_key; /* the last one that was reached */
    uint32_t shot_key; /* the next one whose picture may be taken */
    float tour_seconds;

    uint64_t begin_ns, frame;
    bool is_untimed;        /* this frame did more than frames do */
    uint64_t all_frames;    /* 0: until somebody ends it */
    uint64_t progress_ns;   /* when it was last shown */
    CraftyFrameTimes times; /* of this frame */
    CraftyStats stats;
} Crafty;

Crafty *crafty_create(const CraftyOptions *options, CnError *error);
void crafty_destroy(Crafty *crafty);
/* Frames until the end. The exit status. */
int crafty_run(Crafty *crafty);

#endif

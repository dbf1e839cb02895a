/*
 * What a session starts with. Together with the recorded input and commands it determines every
 * state, so recordings contain it in their settings (recording.h).
 *
 *     CraftyStart start = {.seed = 42, .hours = 9.5f, .viewer = CRAFTY_VIEWER_WALKS};
 *     char text[512];
 *     crafty_start_write(&start, text, sizeof text);
 *     crafty_start_read(&start, text, &error);
 */
#ifndef CRAFTY_SIM_START_H
#define CRAFTY_SIM_START_H

#include "crafty/world/pose.h"
#include "creature/difficulty.h"
#include "mode.h"
#include "weather_kind.h"

#include <cairn/base/error.h>

#define CRAFTY_FOV 70.0f /* degrees; a client may draw with another one */
#define CRAFTY_NEAR_PLANE 0.1f

/* The camera with which the simulation starts. */
typedef enum CraftyViewer {
    CRAFTY_VIEWER_NONE,  /* no camera and no sun */
    CRAFTY_VIEWER_TOUR,  /* a camera that only commands move */
    CRAFTY_VIEWER_FLIES, /* a player */
    CRAFTY_VIEWER_WALKS,
    CRAFTY_VIEWER_COUNT
} CraftyViewer;

typedef struct CraftyStart {
    uint64_t seed; /* of the world and of random numbers */
    CraftyViewer viewer;
    CraftyPose pose;  /* of the viewer and of all players */
    uint32_t players; /* if the viewer is a player: how many there are, numbered from 1; 0: 1 */
    float hours;      /* time of day, 0 to 24 */
    /* Rules of the world. `mode` is that of a viewer who walks, survival or creative; any other
     * value selects creative. Without a viewer, it is that of players who join. Commands are always
     * allowed unless the mode is survival. */
    CraftyPlayerMode mode;
    bool commands, keep_inventory;
    CraftyDifficulty difficulty; /* which creatures appear; by default none */
    bool has_weather;
    CraftyWeatherKind weather; /* if set, the weather only changes by command */
    bool freeze_blocks; /* no block ticks and no flowing water: for screenshots and benchmarks */
    uint32_t torches;   /* placed in the cave around the viewer; see torches.h */
} CraftyStart;

/* Returns the viewer that is a player in this mode. */
CraftyViewer crafty_start_viewer(CraftyPlayerMode mode);
/* Returns the mode of the players with which the simulation starts. */
CraftyPlayerMode crafty_start_mode(const CraftyStart *start);

/* Writes the start as text. Returns false if it does not fit. */
bool crafty_start_write(const CraftyStart *start, char *text, size_t text_bytes);
/* Reads what crafty_start_write has written. Returns false and an error if the text is not valid:
 * recordings come from outside. */
bool crafty_start_read(CraftyStart *start, const char *text, CnError *error);

#endif

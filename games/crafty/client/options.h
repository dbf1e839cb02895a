/*
 * Command-line options, as in `crafty --headless --seed 42 --camera 0,80,0,90,-10 --time 18:30
 * --out dusk.png`.
 *
 *     CraftyOptions options;
 *     CnOptionsResult result = crafty_options_read(&options, count, arguments);
 *
 * The engine's options are accepted as well; the game's options take precedence over engine options
 * of the same name.
 */
#ifndef CRAFTY_CLIENT_OPTIONS_H
#define CRAFTY_CLIENT_OPTIONS_H

#include "crafty/sim/mode.h"
#include "crafty/sim/weather_kind.h"
#include "camera_motion.h"
#include "crafty/world/pose.h"
#include "quality.h"

#include <cairn/engine.h>

#define CRAFTY_SEED 42u

typedef struct CraftyOptions {
    CnEngineDesc engine; /* width and height are 0 if not given */
    uint64_t seed;
    bool has_seed;
    const char *world;      /* name or path of a saved world; NULL: the world is not saved */
    const char *connect;    /* a server to play on; NULL: none */
    const char *name;       /* of the player there; NULL: that of the account */
    const char *conditions; /* of a simulated network; NULL: none */
    const char *worlds;     /* folder of worlds; NULL: the default */
    bool has_camera, has_time, has_weather, has_quality;
    CraftyPose camera;
    float hours; /* of the day, 0 to 24 */
    CraftyWeatherKind weather;
    CraftyQuality quality;
    const char *effects_on, *effects_off; /* valid names; NULL: none */
    uint64_t view_distance;               /* chunks; 0: set by the quality */
    uint64_t frames;                      /* 0: not given */
    uint64_t torches;                     /* to place around the camera */
    const char *tour;                     /* NULL: no tour */
    const char *screenshots; /* folder for the screenshots of a tour; NULL: take none */
    const char *bindings;    /* file of bindings; NULL: the player's own, or the default ones */
    const char *record;      /* file for a recording of the session; NULL: none */
    const char *replay;      /* a recording to play; NULL: none */
    bool verifies;           /* plays it without drawing and compares the states */
    bool continues;          /* a world that ended unexpectedly goes on from its last tick */
    bool walks;              /* --walk: the same as the mode creative */
    CraftyPlayerMode mode;   /* of the player of a new world */
    CraftyPerspective perspective; /* at the start */
    bool shows_hand;               /* also in images and tours */
    bool print_stats;
    const char *mods;     /* a folder of mods that all run; NULL: none */
    bool no_mods;         /* none run */
    const char *settings; /* file of the settings; NULL: the player's own */
    bool has_vsync;
    bool shows_list; /* with a window, and without an option that says which world to show */
    bool is_lively;  /* creatures and growth also in images; not an option of the command line */
    bool no_world;   /* no world is opened at the start; not an option of the command line */
} CraftyOptions;

/* Parses the command line and prints errors and help. The strings in `options` point into
 * `arguments`. */
CnOptionsResult crafty_options_read(CraftyOptions *options, int count, char **arguments);

/* Parse option values; exposed for tests. Return false if the text is not valid. */
bool crafty_parse_camera(const char *text, CraftyPose *pose); /* "x,y,z,yaw,pitch" */
bool crafty_parse_time(const char *text, float *hours);       /* "HH:MM" */

#endif

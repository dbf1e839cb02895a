/*
 * What the command line says: `crafty --headless --seed 42 --camera 0,80,0,90,-10 --time 18:30 --out dusk.png`.
 *
 *     CraftyOptions options;
 *     CnOptionsResult result = crafty_options_read(&options, count, arguments);
 *
 * Options of every program with an engine count too; those here win where names are the same.
 */
#ifndef CRAFTY_CLIENT_OPTIONS_H
#define CRAFTY_CLIENT_OPTIONS_H

#include "../sim/weather_kind.h"
#include "quality.h"

#include <cairn/engine.h>

#define CRAFTY_SEED 42u
#define CRAFTY_MAX_DISTANCE 40u /* as far as a CnBlockView has records for all chunks */

typedef struct CraftyPose {
    CnVec3 position;
    float yaw, pitch; /* degrees; yaw 0 looks along -z, 90 along -x; pitch up */
} CraftyPose;

typedef struct CraftyOptions {
    CnEngineDesc engine; /* filled in; width and height 0: nobody says */
    uint64_t seed;
    bool has_camera, has_time, has_weather, has_quality;
    CraftyPose camera;
    float hours; /* of the day, 0 to 24 */
    CraftyWeatherKind weather;
    CraftyQuality quality;
    const char *effects_on, *effects_off; /* checked; NULL: none */
    uint64_t view_distance;               /* chunks; 0: as the quality says */
    uint64_t frames;                      /* 0: nobody says */
    uint64_t torches;                     /* to place around the camera */
    const char *tour;                     /* NULL: none */
    const char *pictures;                 /* a folder for those of a tour; NULL: none are taken */
    bool walks;                           /* the player stands on the ground */
    bool print_stats;
} CraftyOptions;

/* Complaints and help are printed. Its texts are the arguments. */
CnOptionsResult crafty_options_read(CraftyOptions *options, int count, char **arguments);

/* The parts, for tests. False: the text is not one. */
bool crafty_parse_camera(const char *text, CraftyPose *pose); /* "x,y,z,yaw,pitch" */
bool crafty_parse_time(const char *text, float *hours);       /* "HH:MM" */

#endif

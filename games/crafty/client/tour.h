/*
 * Tours: camera paths with time of day, weather and screenshots.
 *
 *     CraftyTour tour;
 *     crafty_tour_plan(&tour, "flight", world, &spawn);
 *     CraftyTourMoment moment = crafty_tour_at(&tour, seconds);
 *
 * A tour is a list of keys. Between two keys the camera moves smoothly or jumps.
 */
#ifndef CRAFTY_CLIENT_TOUR_H
#define CRAFTY_CLIENT_TOUR_H

#include "crafty/sim/weather_kind.h"
#include "crafty/world/pose.h"
#include "crafty/world/world.h"

typedef struct CraftyTourKey {
    float seconds; /* since the start; keys are in order */
    CraftyPose pose;
    float hours;               /* of the day */
    CraftyWeatherKind weather; /* from here on */
    bool jumps;                /* the camera jumps to this key */
    char name[32];             /* screenshot taken just before the next key; empty: none */
} CraftyTourKey;

#define CRAFTY_TOUR_MAX_KEYS 256u

typedef struct CraftyTour {
    CraftyTourKey keys[CRAFTY_TOUR_MAX_KEYS];
    uint32_t count;
} CraftyTour;

/* Returns "flight, views, ..."; also the help text of the option. */
const char *crafty_tour_names(void);
bool crafty_tour_exists(const char *name);
/* Plans the keys, starting at the spawn. Searches the terrain for viewpoints. */
void crafty_tour_plan(CraftyTour *tour, const char *name, CraftyWorld *world,
                      const CraftyPose *spawn);
float crafty_tour_seconds(const CraftyTour *tour);

typedef struct CraftyTourMoment {
    CraftyPose pose;
    float hours;
    CraftyWeatherKind weather;
    uint32_t key; /* last key reached */
} CraftyTourMoment;
/* Returns the first key before the start and the last key after the end. */
CraftyTourMoment crafty_tour_at(const CraftyTour *tour, float seconds);

#endif

/*
 * Tours: paths of the camera, with times of day, weather and pictures to take.
 *
 *     CraftyTour tour;
 *     crafty_tour_plan(&tour, "flight", land, &spawn);
 *     CraftyTourMoment moment = crafty_tour_at(&tour, seconds);
 *
 * A tour is a list of keys; between them the camera moves smoothly, or jumps.
 */
#ifndef CRAFTY_CLIENT_TOUR_H
#define CRAFTY_CLIENT_TOUR_H

#include "land.h"
#include "options.h"

typedef struct CraftyTourKey {
    float seconds; /* since the beginning; keys are in order */
    CraftyPose pose;
    float hours;               /* of the day */
    CraftyWeatherKind weather; /* from here on */
    bool jumps;                /* is not led up to: stands there at once */
    char name[32]; /* of a picture, taken when the next key is almost reached; "": none */
} CraftyTourKey;

#define CRAFTY_TOUR_MAX_KEYS 256u

typedef struct CraftyTour {
    CraftyTourKey keys[CRAFTY_TOUR_MAX_KEYS];
    uint32_t count;
} CraftyTour;

/* "flight, views, ..."; also the help of the option. */
const char *crafty_tour_names(void);
bool crafty_tour_exists(const char *name);
/* The keys, from where the spawn is. Places are looked for in the land. */
void crafty_tour_plan(CraftyTour *tour, const char *name, CraftyLand *land,
                      const CraftyPose *spawn);
float crafty_tour_seconds(const CraftyTour *tour);

typedef struct CraftyTourMoment {
    CraftyPose pose;
    float hours;
    CraftyWeatherKind weather;
    uint32_t key; /* the last one that was reached */
} CraftyTourMoment;
/* Before the beginning it is the first key, after the end the last. */
CraftyTourMoment crafty_tour_at(const CraftyTour *tour, float seconds);

#endif

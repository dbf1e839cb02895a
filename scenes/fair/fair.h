/*
 * fair: rides whose arms turn, with swinging cabins full of bulbs; demo and test at once.
 *
 * It uses every part of a scene in C: deep and wide trees, behaviors that read world transforms in
 * the middle of a tick, controllers and cameras moved by input, objects that change parents, are
 * cloned, closed and taken away. Visitors look at each other and go from cabin to cabin. The number
 * of objects stays near the number asked for.
 */
#ifndef SCENES_FAIR_H
#define SCENES_FAIR_H

#include <cairn/scene.h>
#include <cairn/sim.h>

#define FAIR_MAX_OBJECTS 1000000u

CN_COMPONENT(FairSettings, (u32, objects)); /* a resource */

typedef struct FairDesc {
    uint32_t objects; /* 0 means 2,000; made in whole rides */
} FairDesc;

/* The description is copied. Needs the plugin "Scene"; add it before the first tick. */
bool fair_add(CnSim *sim, const FairDesc *desc, CnError *error);

/* What has become of it, for people. */
void fair_report(const CnSim *sim, char *text, size_t text_bytes);

/* Sends what somebody would do in this tick who walks, jumps, flies and looks around. The same seed
 * gives the same hand. */
void fair_play(CnSim *sim, uint64_t seed, uint64_t tick);

#endif

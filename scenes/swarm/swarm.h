/*
 * swarm: a little world that uses every part of a simulation; demo, test and benchmark at once.
 *
 * Boids on a torus steer by their neighbours, which they find in a grid. They eat, age, die and
 * breed; the young are children of their parents, follow them until they are grown, and die with
 * them. The pointer draws the swarm to it, and scares it while a button is held. The number of
 * boids stays near the number asked for.
 */
#ifndef SCENES_SWARM_H
#define SCENES_SWARM_H

#include <cairn/sim.h>

#define SWARM_MAX_ENTITIES 4000000u

CN_COMPONENT(SwarmPosition, (f32, x), (f32, y));
CN_COMPONENT(SwarmVelocity, (f32, x), (f32, y));
CN_COMPONENT(SwarmLife, (f32, energy), (u32, age));
/* What the tick has decided about a boid: see SwarmFateKind. */
CN_COMPONENT(SwarmFate, (u8, kind));
CN_TAG(SwarmYoung); /* follows its parent */

CN_COMPONENT(SwarmBirth, (entity, parent), (entity, child));
CN_COMPONENT(SwarmDeath, (entity, boid), (u32, age));

/* Resources. */
CN_COMPONENT(SwarmSettings, (u32, entities), (f32, size), (u32, cells_per_side));
CN_COMPONENT(SwarmCounts, (u64, births), (u64, deaths), (u64, grown), (u32, alive));
CN_COMPONENT(SwarmPointer, (f32, x), (f32, y), (f32, force));

typedef struct SwarmDesc {
    uint32_t entities; /* 0 means 10,000 */
} SwarmDesc;

/* The description is copied. Add it before the first tick. */
bool swarm_add(CnSim *sim, const SwarmDesc *desc, CnError *error);

/* What has become of it, for people. */
void swarm_report(const CnSim *sim, char *text, size_t text_bytes);

/* Sends what a restless hand would do in this tick: moves, and now and then a button or a key. The
 * same seed gives the same hand. */
void swarm_play(CnSim *sim, uint64_t seed, uint64_t tick);

#endif

/*
 * A small simulation that covers everything a recording must preserve: startup, systems in waves,
 * commands, spawns and destructions, parents, pairs, a random number stream, a resource, and events
 * of several types from two producers.
 *
 *     SimWorld world;
 *     sim_world_init(&world, &(SimWorldDesc){.seed = 1}); // false when out of memory
 *     sim_world_play(&world, 100);                        // with scripted input
 *     sim_world_fini(&world);
 */
#ifndef CAIRN_TESTS_SUPPORT_SIM_SIM_WORLD_H
#define CAIRN_TESTS_SUPPORT_SIM_SIM_WORLD_H

#include <cairn/ecs.h>
#include <cairn/sim.h>

CN_COMPONENT(SimPlace, (f32, x), (f32, y));
CN_COMPONENT(SimSpeed, (f32, x), (f32, y)); /* laid out by fields */
CN_COMPONENT(SimAge, (u8, kind), (u32, ticks));
CN_COMPONENT(SimLabel, (text, text, 12));
CN_COMPONENT(SimLikes, (f32, how_much)); /* of pairs */
CN_TAG(SimTired);
CN_COMPONENT(SimScore, (u64, orders), (u64, pings), (u32, born), (u32, died)); /* a resource */

CN_COMPONENT(SimOrder, (u8, kind), (u64, amount), (text, note, 9), (bool, loud));
CN_COMPONENT(SimPush, (f32, x), (f32, y));
CN_TAG(SimPing);
CN_COMPONENT(SimBirth, (entity, child)); /* within a tick */

typedef struct SimWorldDesc {
    CnAllocator *allocator;
    CnJobPool *jobs;
    uint64_t seed;
    uint32_t animals; /* 0 means 20 */
    uint32_t tick_hz;
    bool without_orders; /* without that event type */
} SimWorldDesc;

typedef struct SimWorld {
    SimWorldDesc desc;
    CnSim *sim;
    CnProducer *near, *far;
    CnChannel *orders, *pushes, *pings, *births;
    CnComponent stream;
    /* Called by the last system of each tick, if it is set. */
    void (*sabotage)(CnSystemContext *context, uint64_t tick);
} SimWorld;

bool sim_world_init(SimWorld *world, const SimWorldDesc *desc);
void sim_world_fini(SimWorld *world);
/* Sends the scripted input of the next tick. */
void sim_world_send(SimWorld *world);
/* Sends the input and runs the tick. */
bool sim_world_play(SimWorld *world, uint32_t ticks);

#endif

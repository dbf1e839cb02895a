/*
 * cairn/sim: a world that lives in ticks of one length, and can be recorded, replayed and rewound.
 *
 *     CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 7}, &error);
 *     cn_system(cn_sim_world(sim), move, .stage = CN_STAGE_UPDATE);
 *     for (;;)
 *         cn_sim_frame(sim, real_seconds_since_last_frame, &error);
 */
#ifndef CAIRN_SIM_H
#define CAIRN_SIM_H

#include <cairn/ecs.h>
#include <cairn/sim/clock.h>
#include <cairn/sim/extract.h>
#include <cairn/sim/input.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/plugin.h>
#include <cairn/sim/random.h>
#include <cairn/sim/replay.h>
#include <cairn/sim/time.h>

#endif

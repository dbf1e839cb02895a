/*
 * cairn/sim: simulations that advance in ticks of a fixed length and can be recorded, replayed and
 * rewound.
 *
 *     CnError error = {0};
 *     CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 7}, &error);
 *     for (int frame = 0; frame < 600; frame++)
 *         cn_sim_frame(sim, 1.0 / 60, &error);      // real seconds since the last frame
 *     cn_sim_destroy(sim);
 */
#ifndef CAIRN_SIM_H
#define CAIRN_SIM_H

#include <cairn/ecs.h>
#include <cairn/sim/tick_clock.h>
#include <cairn/sim/extract.h>
#include <cairn/sim/input.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/plugin.h>
#include <cairn/sim/random.h>
#include <cairn/sim/replay.h>
#include <cairn/sim/save.h>
#include <cairn/sim/time.h>

#endif

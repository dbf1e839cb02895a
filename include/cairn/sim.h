/*
 * cairn/sim: what a simulation needs besides its world: ticks from real time, the time of frames,
 * random numbers that can be saved and replayed.
 *
 *     CnTime time;
 *     CnTickClock clock;
 *     cn_time_init(&time);
 *     cn_tick_clock_init(&clock, NULL, NULL);
 *     for (;;) {
 *         double seconds = cn_time_advance(&time, real_seconds_since_last_frame);
 *         for (uint32_t n = cn_tick_clock_advance(&clock, seconds); n > 0; n--, time.tick_count++)
 *             tick(cn_tick_clock_dt(&clock));
 *         draw(cn_tick_clock_alpha_f32(&clock));
 *     }
 */
#ifndef CAIRN_SIM_H
#define CAIRN_SIM_H

#include <cairn/sim/clock.h>
#include <cairn/sim/extract.h>
#include <cairn/sim/random.h>
#include <cairn/sim/time.h>

#endif

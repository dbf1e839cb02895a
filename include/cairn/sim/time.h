/*
 * CnTime: the time of frames, scaled and unscaled, and the frame rate.
 *
 *     CnTime time;
 *     cn_time_init(&time);
 *     time.scale = 0.25;                                // slow motion; 0 pauses
 *     double seconds = cn_time_advance(&time, 0.016);   // once per frame, with real seconds
 *
 * Whatever obeys pausing and slow motion reads `delta` and `elapsed`; menus and free cameras read
 * `unscaled_delta` and `unscaled_elapsed`. No delta exceeds CN_TIME_MAX_DELTA, even after a stall.
 * Do not pass that delta to the tick clock, which has its own limit and counts what it drops: pass
 * the return value of cn_time_advance, which is the whole scaled delta.
 *
 * CnTime follows real time, so ticks of a simulation do not read it, and in a world it is a
 * transient resource, neither saved nor hashed:
 *
 *     CnWorld *world = cn_world_create(NULL, NULL);
 *     cn_register(world, CnTime, .flags = CN_COMPONENT_TRANSIENT);
 *     cn_resource_set(world, CnTime, {.scale = 1});
 */
#ifndef CAIRN_SIM_TIME_H
#define CAIRN_SIM_TIME_H

#include <cairn/ecs/component.h>

CN_EXTERN_C_BEGIN

#define CN_TIME_MAX_DELTA 0.1          /* seconds; the largest delta of a frame */
#define CN_TIME_MAX_REAL_DELTA 86400.0 /* seconds; a longer frame counts as this */
#define CN_TIME_MAX_SCALE 1000000.0    /* a greater scale counts as this */
#define CN_TIME_FPS_SMOOTHING 0.5      /* seconds; see fps */
#define CN_TIME_MIN_FRAME 0.000001     /* seconds; a shorter frame does not change fps */

/*
 * scale             1 is real time, 0 is paused; negative values and NaN count as 0. Writable.
 * delta             scaled seconds since the last frame; at most CN_TIME_MAX_DELTA before scaling
 * unscaled_delta    the same, unscaled
 * elapsed           the sum of all deltas; does not advance while paused
 * unscaled_elapsed  real seconds since the start, without the limit on deltas
 * frame_count       calls of cn_time_advance
 * tick_count        ticks; maintained by the code that runs them
 * fps               average frame rate of the recent past, weighted by about
 *                   exp(-age / CN_TIME_FPS_SMOOTHING); based on real deltas
 */
CN_COMPONENT(CnTime, (f64, scale), (f64, delta), (f64, unscaled_delta), (f64, elapsed),
             (f64, unscaled_elapsed), (u64, frame_count), (u64, tick_count), (f32, fps));

/* Sets the scale to 1 and everything else to 0. */
CN_API void cn_time_init(CnTime *time);
/* Begins a frame `real_seconds` after the last one. A negative or NaN delta counts as 0, a delta
 * over CN_TIME_MAX_REAL_DELTA as that. Returns the seconds for the tick clock: the real delta,
 * scaled, but not limited to CN_TIME_MAX_DELTA; finite and not negative. */
CN_API double cn_time_advance(CnTime *time, double real_seconds);

CN_EXTERN_C_END

#endif

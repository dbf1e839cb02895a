/*
 * CnTime: the time of frames, scaled and real, and how fast they come.
 *
 *     CnTime time;
 *     cn_time_init(&time);
 *     ...                                                        // once a frame:
 *     double seconds = cn_time_advance(&time, real_seconds);
 *     uint32_t ticks = cn_tick_clock_advance(&clock, seconds);
 *
 *     time.scale = 0;                                            // pauses; 0.25 is slow motion
 *
 * What obeys pause and slow motion reads delta and elapsed; menus and free cameras read
 * unscaled_delta and unscaled_elapsed. After a stall no delta is longer than CN_TIME_MAX_DELTA.
 * The tick clock must not get that delta: it has a limit of its own and counts what it drops, so
 * cn_time_advance returns what it should get, the whole scaled delta.
 *
 * It follows real time, so ticks of a simulation do not read it, and in a world it is a resource
 * that is neither saved nor hashed:
 *
 *     cn_register(world, CnTime, .flags = CN_COMPONENT_TRANSIENT);
 *     cn_resource_set(world, CnTime, {.scale = 1});
 */
#ifndef CAIRN_SIM_TIME_H
#define CAIRN_SIM_TIME_H

#include <cairn/ecs/component.h>

CN_EXTERN_C_BEGIN

#define CN_TIME_MAX_DELTA 0.1          /* seconds: the most a frame sees in its deltas */
#define CN_TIME_MAX_REAL_DELTA 86400.0 /* seconds: the most that a frame can have taken */
#define CN_TIME_MAX_SCALE 1000000.0    /* a greater scale counts as this */
#define CN_TIME_FPS_SMOOTHING 0.5      /* seconds: see fps */
#define CN_TIME_MIN_FRAME 0.000001     /* seconds: a shorter frame does not change fps */

/*
 * scale             1 is real time, 0 a pause; negative and NaN count as 0. Yours to write.
 * delta             seconds since the last frame, at most CN_TIME_MAX_DELTA, scaled
 * unscaled_delta    the same, not scaled
 * elapsed           the sum of all deltas: stands still in a pause
 * unscaled_elapsed  real seconds since the start, also those that the deltas do not show
 * frame_count       calls of cn_time_advance
 * tick_count        ticks; whoever runs them counts them
 * fps               frames of the recent past over its seconds, where what is t seconds old weighs
 *                   about exp(-t / CN_TIME_FPS_SMOOTHING); from real deltas
 */
CN_COMPONENT(CnTime, (f64, scale), (f64, delta), (f64, unscaled_delta), (f64, elapsed),
             (f64, unscaled_elapsed), (u64, frame_count), (u64, tick_count), (f32, fps));

/* Scale 1, everything else 0. */
CN_API void cn_time_init(CnTime *time);
/* Begins a frame that comes this long after the last one; a negative or NaN delta counts as 0, one
 * over CN_TIME_MAX_REAL_DELTA as that. Returns the seconds for the tick clock: the real delta,
 * scaled, not cut to CN_TIME_MAX_DELTA. They are finite and not negative. */
CN_API double cn_time_advance(CnTime *time, double real_seconds);

CN_EXTERN_C_END

#endif

/*
 * CnTickClock: turns real time into whole ticks of a fixed length.
 *
 *     CnTickClock clock;
 *     cn_tick_clock_init(&clock, &(CnTickClockDesc){.tick_hz = 60}, &error);
 *     ...
 *     for (uint32_t n = cn_tick_clock_advance(&clock, real_seconds); n > 0; n--)
 *         tick(cn_tick_clock_dt(&clock));
 *     draw(cn_tick_clock_alpha_f32(&clock));      // how far the next tick has come
 *
 * It never reads a clock: the caller passes real time in, so the same deltas give the same ticks.
 * Time is kept in billionths of a tick, as integers: nothing drifts. A machine that cannot keep up
 * gets at most max_catch_up_ticks at once; the ticks beyond are dropped and counted, and the
 * simulation is that much behind real time.
 */
#ifndef CAIRN_SIM_CLOCK_H
#define CAIRN_SIM_CLOCK_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

#define CN_TICK_HZ_DEFAULT 60u
#define CN_TICK_HZ_MAX 1000u
#define CN_CATCH_UP_TICKS_DEFAULT 8u

typedef struct CnTickClockDesc {
    uint32_t tick_hz;            /* 1 to CN_TICK_HZ_MAX; 0 means CN_TICK_HZ_DEFAULT */
    uint32_t max_catch_up_ticks; /* of one advance; 0 means CN_CATCH_UP_TICKS_DEFAULT */
} CnTickClockDesc;

/* Read what you like; write through the functions. */
typedef struct CnTickClock {
    uint32_t tick_hz;
    uint32_t max_catch_up_ticks;
    uint64_t ticks;        /* handed out so far */
    uint64_t timing_drops; /* ticks that were over; stays at UINT64_MAX once there */
    uint64_t bad_deltas;   /* negative or NaN */
    uint64_t fraction;     /* of the next tick, in billionths: always below 10^9 */
    /* What was there when the rate last changed. */
    uint64_t ticks_before;
    double seconds_before;
} CnTickClock;

/* `desc` may be NULL. False and an error for a rate out of range. */
CN_API bool cn_tick_clock_init(CnTickClock *clock, const CnTickClockDesc *desc, CnError *error);
/* As after init, with the rate and limit it has. */
CN_API void cn_tick_clock_reset(CnTickClock *clock);
/* Another rate from now on; how far the next tick has come stays. False, an error and no change for
 * a rate out of range. */
CN_API bool cn_tick_clock_set_rate(CnTickClock *clock, uint32_t tick_hz, CnError *error);

/* The ticks to run now. A negative or NaN delta counts as 0; no delta counts as more than 2^32
 * ticks. */
CN_API uint32_t cn_tick_clock_advance(CnTickClock *clock, double real_seconds);

/* How far the next tick has come, from 0 to 1 - 2^-24: below 1 as a float, too. */
CN_API double cn_tick_clock_alpha(const CnTickClock *clock);
CN_API float cn_tick_clock_alpha_f32(const CnTickClock *clock);
/* Seconds of one tick. */
CN_API float cn_tick_clock_dt(const CnTickClock *clock);
/* Seconds of the ticks handed out so far, at the rates they had. */
CN_API double cn_tick_clock_elapsed(const CnTickClock *clock);

CN_EXTERN_C_END

#endif

/*
 * CnTickClock: converts real time into whole ticks of a fixed length.
 *
 *     CnError error = {0};
 *     CnTickClock clock;
 *     cn_tick_clock_init(&clock, &(CnTickClockDesc){.tick_hz = 60}, &error);
 *     double real_seconds = 0.05;
 *     double simulated = 0;
 *     for (uint32_t n = cn_tick_clock_advance(&clock, real_seconds); n > 0; n--)
 *         simulated += cn_tick_clock_dt(&clock);
 *     float alpha = cn_tick_clock_alpha_f32(&clock);      // progress towards the next tick
 *
 * The clock never reads the time itself: the caller passes real time in, so the same deltas yield
 * the same ticks. Time is kept in integer billionths of a tick, so it does not drift. If the
 * machine cannot keep up, one call yields at most max_catch_up_ticks ticks; further ticks are
 * dropped and counted, and the simulation falls behind real time by that much.
 */
#ifndef CAIRN_SIM_TICK_CLOCK_H
#define CAIRN_SIM_TICK_CLOCK_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

#define CN_TICK_HZ_DEFAULT 60u
#define CN_TICK_HZ_MAX 1000u
#define CN_CATCH_UP_TICKS_DEFAULT 8u

typedef struct CnTickClockDesc {
    uint32_t tick_hz;            /* 1 to CN_TICK_HZ_MAX; 0 selects CN_TICK_HZ_DEFAULT */
    uint32_t max_catch_up_ticks; /* per advance; 0 selects CN_CATCH_UP_TICKS_DEFAULT */
} CnTickClockDesc;

/* The fields may be read directly; change them only through the functions below. */
typedef struct CnTickClock {
    uint32_t tick_hz;
    uint32_t max_catch_up_ticks;
    uint64_t ticks;        /* returned by cn_tick_clock_advance so far */
    uint64_t timing_drops; /* dropped ticks; saturates at UINT64_MAX */
    uint64_t bad_deltas;   /* negative or NaN */
    uint64_t fraction;     /* of the next tick, in billionths: always below 10^9 */
    /* Values at the last change of the rate. */
    uint64_t ticks_before;
    double seconds_before;
} CnTickClock;

/* Initializes a clock. `desc` may be NULL. Returns false and an error if the rate is out of
 * range. */
CN_API bool cn_tick_clock_init(CnTickClock *clock, const CnTickClockDesc *desc, CnError *error);
/* Resets the clock to its initial state and keeps its rate and limit. */
CN_API void cn_tick_clock_reset(CnTickClock *clock);
/* Changes the rate from now on and keeps the progress towards the next tick. Returns false and
 * an error, and changes nothing, if the rate is out of range. */
CN_API bool cn_tick_clock_set_rate(CnTickClock *clock, uint32_t tick_hz, CnError *error);

/* Advances the clock and returns the number of ticks to run now. A negative or NaN delta counts
 * as 0; a delta never counts as more than 2^32 ticks. */
CN_API uint32_t cn_tick_clock_advance(CnTickClock *clock, double real_seconds);

/* Return the progress towards the next tick, 0 to 1 - 2^-24; less than 1 as a float, too. */
CN_API double cn_tick_clock_alpha(const CnTickClock *clock);
CN_API float cn_tick_clock_alpha_f32(const CnTickClock *clock);
/* Returns the length of a tick in seconds. */
CN_API float cn_tick_clock_dt(const CnTickClock *clock);
/* Returns the total length in seconds of all ticks so far, at the rates in effect at the time. */
CN_API double cn_tick_clock_elapsed(const CnTickClock *clock);

CN_EXTERN_C_END

#endif

/*
 * When ticks are due, in real time.
 *
 *     CraftyPace pace;
 *     crafty_pace_begin(&pace, 60, cn_clock_ns());
 *     for (;;) {
 *         CraftyPaceStep step = crafty_pace_next(&pace, cn_clock_ns());
 *         sleep_until(step.due_ns);       // in the past if the ticks are behind
 *         run_tick();
 *     }
 *
 * Ticks that are behind run at once, until at most CRAFTY_PACE_CATCH_UP are behind; more are
 * skipped: the time of the world then goes slower than the clock. Pure.
 */
#ifndef CRAFTY_SERVER_PACE_H
#define CRAFTY_SERVER_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define CRAFTY_PACE_CATCH_UP 8u

typedef struct CraftyPace {
    uint32_t rate;     /* ticks per second */
    uint64_t start_ns; /* of tick 0 */
    uint64_t tick;     /* the next one, counted since the start */
} CraftyPace;

typedef struct CraftyPaceStep {
    uint64_t due_ns;
    bool is_late;     /* by more than a tick */
    uint64_t skipped; /* ticks that were left out before this one */
} CraftyPaceStep;

void crafty_pace_begin(CraftyPace *pace, uint32_t rate, uint64_t now_ns);
/* Returns when the next tick is due, and counts it. */
CraftyPaceStep crafty_pace_next(CraftyPace *pace, uint64_t now_ns);

#endif

#include "pace.h"

#define SECOND_NS UINT64_C(1000000000)

void crafty_pace_begin(CraftyPace *pace, uint32_t rate, uint64_t now_ns)
{
    *pace = (CraftyPace){.rate = rate, .start_ns = now_ns};
}

/* Without rounding errors that add up. */
static uint64_t due_ns(const CraftyPace *pace, uint64_t tick)
{
    return pace->start_ns + tick / pace->rate * SECOND_NS +
           tick % pace->rate * SECOND_NS / pace->rate;
}

CraftyPaceStep crafty_pace_next(CraftyPace *pace, uint64_t now_ns)
{
    uint64_t period_ns = SECOND_NS / pace->rate, due = due_ns(pace, pace->tick);
    CraftyPaceStep step = {.due_ns = due, .is_late = now_ns > due + period_ns};
    uint64_t behind = now_ns > due ? (now_ns - due) / period_ns : 0;
    if (behind > CRAFTY_PACE_CATCH_UP) {
        step.skipped = behind - CRAFTY_PACE_CATCH_UP;
        pace->tick += step.skipped;
        step.due_ns = due_ns(pace, pace->tick);
    }
    pace->tick++;
    return step;
}

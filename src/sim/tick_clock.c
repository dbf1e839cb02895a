#include <cairn/base/assert.h>
#include <cairn/sim/tick_clock.h>

#define UNITS_PER_TICK 1000000000u
/* The largest number of ticks of one delta. In units they fit into 64 bits with room for a
 * fraction. It is a whole number of ticks, so limiting a delta to it does not change the
 * fraction. */
#define MOST_TICKS ((uint64_t)1 << 32)

static bool check_rate(uint32_t *tick_hz, CnError *error)
{
    if (*tick_hz > CN_TICK_HZ_MAX)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a rate of %u ticks per second is out of range (1 to %u)", *tick_hz,
                            CN_TICK_HZ_MAX);
    if (*tick_hz == 0)
        *tick_hz = CN_TICK_HZ_DEFAULT;
    return true;
}

bool cn_tick_clock_init(CnTickClock *clock, const CnTickClockDesc *desc, CnError *error)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    CnTickClockDesc options = desc ? *desc : (CnTickClockDesc){0};
    if (!check_rate(&options.tick_hz, error))
        return false;
    *clock = (CnTickClock){
        .tick_hz = options.tick_hz,
        .max_catch_up_ticks =
            options.max_catch_up_ticks ? options.max_catch_up_ticks : CN_CATCH_UP_TICKS_DEFAULT,
    };
    return true;
}

void cn_tick_clock_reset(CnTickClock *clock)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    *clock = (CnTickClock){
        .tick_hz = clock->tick_hz,
        .max_catch_up_ticks = clock->max_catch_up_ticks,
    };
}

bool cn_tick_clock_set_rate(CnTickClock *clock, uint32_t tick_hz, CnError *error)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    if (!check_rate(&tick_hz, error))
        return false;
    clock->seconds_before = cn_tick_clock_elapsed(clock);
    clock->ticks_before = clock->ticks;
    clock->tick_hz = tick_hz;
    return true;
}

/* Returns billionths of a tick, rounded; exact for whole nanoseconds, since n ns at h Hz are n *
 * h units. */
static uint64_t units_of(const CnTickClock *clock, double seconds)
{
    double units = seconds * ((double)clock->tick_hz * UNITS_PER_TICK);
    double most = (double)MOST_TICKS * UNITS_PER_TICK;
    return units < most ? (uint64_t)(units + 0.5) : MOST_TICKS * UNITS_PER_TICK;
}

uint32_t cn_tick_clock_advance(CnTickClock *clock, double real_seconds)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    CN_ASSERT(clock->tick_hz, "the clock was not initialized");
    if (!(real_seconds >= 0)) { /* NaN as well */
        clock->bad_deltas++;
        real_seconds = 0;
    }
    uint64_t units = clock->fraction + units_of(clock, real_seconds);
    uint64_t ticks = units / UNITS_PER_TICK;
    clock->fraction = units % UNITS_PER_TICK;
    if (ticks > clock->max_catch_up_ticks) {
        uint64_t over = ticks - clock->max_catch_up_ticks;
        uint64_t room = UINT64_MAX - clock->timing_drops;
        clock->timing_drops += over < room ? over : room;
        ticks = clock->max_catch_up_ticks;
    }
    clock->ticks += ticks;
    CN_ASSERT(clock->fraction < UNITS_PER_TICK, "the fraction of a tick exceeds one");
    return (uint32_t)ticks;
}

double cn_tick_clock_alpha(const CnTickClock *clock)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    double alpha = (double)clock->fraction / UNITS_PER_TICK;
    return alpha < 0x1.fffffep-1 ? alpha : 0x1.fffffep-1;
}

float cn_tick_clock_alpha_f32(const CnTickClock *clock)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    return (float)cn_tick_clock_alpha(clock);
}

float cn_tick_clock_dt(const CnTickClock *clock)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    return 1.0f / (float)clock->tick_hz;
}

double cn_tick_clock_elapsed(const CnTickClock *clock)
{
    CN_ASSERT(clock, "%s: clock is NULL", __func__);
    return clock->seconds_before + (double)(clock->ticks - clock->ticks_before) / clock->tick_hz;
}

#include "backup_plan.h"

bool crafty_backup_is_due(int64_t last, uint32_t every, int64_t now)
{
    if (every == 0)
        return false;
    return last == 0 || now - last >= every || last - now > every;
}

/* Keeps the newest of each of the `periods` newest periods. Monday is the first day of a week. */
static void keep_newest(const int64_t *times, bool *kept, uint32_t count, int64_t seconds,
                        uint32_t periods)
{
    const int64_t monday = 4 * 86400; /* 1970-01-05 */
    int64_t last = INT64_MIN;
    for (uint32_t i = 0; i < count && periods > 0; i++) {
        int64_t shifted = times[i] - monday, period = shifted / seconds;
        if (shifted % seconds < 0)
            period--;
        if (period == last)
            continue;
        last = period;
        kept[i] = true;
        periods--;
    }
}

void crafty_backup_plan_keep(const CraftyBackupPlan *plan, const int64_t *times, bool *kept,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kept[i] = i == 0;
    keep_newest(times, kept, count, 3600, plan->hourly);
    keep_newest(times, kept, count, 86400, plan->daily);
    keep_newest(times, kept, count, 7 * 86400, plan->weekly);
}

/*
 * When backups are due, and which old ones are kept: the newest of each of the last hours, days and
 * weeks that have one.
 *
 *     if (crafty_backup_is_due(last, every, now)) ...
 *     crafty_backup_plan_keep(&(CraftyBackupPlan){24, 14, 8}, times, kept, count);
 *
 * Pure. Times are seconds since 1970; hours, days and weeks are those of UTC.
 */
#ifndef CRAFTY_SERVER_BACKUP_PLAN_H
#define CRAFTY_SERVER_BACKUP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CraftyBackupPlan {
    uint32_t hourly, daily, weekly;
} CraftyBackupPlan;

/* Returns whether a backup is due; `last` 0: there is none. A clock that was set back does not
 * delay it by more than `every`. `every` 0: never. */
bool crafty_backup_is_due(int64_t last, uint32_t every, int64_t now);
/* Sets kept[i] for each of `times`, which are sorted, newest first. The newest is always kept. */
void crafty_backup_plan_keep(const CraftyBackupPlan *plan, const int64_t *times, bool *kept,
                             uint32_t count);

#endif

/* When ticks and backups of the server are due, and which backups are kept. */
#include "cmocka_tests.h"

#include <crafty/server/backup_plan.h>
#include <crafty/server/pace.h>

#define SECOND UINT64_C(1000000000)
#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)
#define MONDAY (INT64_C(19996) * DAY) /* 2024-09-30 */

/* ---- Ticks ---- */

static void ticks_do_not_drift(void **state)
{
    (void)state;
    CraftyPace pace;
    crafty_pace_begin(&pace, 60, 5 * SECOND);
    for (uint32_t i = 0; i < 3600; i++)
        crafty_pace_next(&pace, 0);
    assert_int_equal(crafty_pace_next(&pace, 0).due_ns, 65 * SECOND);
}

static void ticks_that_are_behind_are_due_at_once(void **state)
{
    (void)state;
    CraftyPace pace;
    crafty_pace_begin(&pace, 10, 0);
    crafty_pace_next(&pace, 0);
    CraftyPaceStep step = crafty_pace_next(&pace, SECOND / 2);
    assert_true(step.is_late);
    assert_int_equal(step.due_ns, SECOND / 10);
    assert_int_equal(step.skipped, 0);
    assert_false(crafty_pace_next(&pace, SECOND / 5 + 1).is_late);
}

static void ticks_far_behind_are_skipped(void **state)
{
    (void)state;
    CraftyPace pace;
    crafty_pace_begin(&pace, 10, 0);
    CraftyPaceStep step = crafty_pace_next(&pace, 100 * SECOND);
    assert_int_equal(step.skipped, 1000 - CRAFTY_PACE_CATCH_UP);
    for (uint32_t i = 0; i < CRAFTY_PACE_CATCH_UP; i++)
        assert_int_equal(crafty_pace_next(&pace, 100 * SECOND).skipped, 0);
    assert_int_equal(crafty_pace_next(&pace, 100 * SECOND).due_ns, 100 * SECOND + SECOND / 10);
}

/* ---- Backups ---- */

static void a_backup_is_due_after_its_time(void **state)
{
    (void)state;
    assert_true(crafty_backup_is_due(0, 60, 1000));
    assert_false(crafty_backup_is_due(1000, 60, 1059));
    assert_true(crafty_backup_is_due(1000, 60, 1060));
    assert_false(crafty_backup_is_due(1000, 0, 9999));
}

static void a_clock_that_is_set_back_does_not_stop_backups(void **state)
{
    (void)state;
    assert_true(crafty_backup_is_due(100000, 60, 1000));
    assert_false(crafty_backup_is_due(1030, 60, 1000));
}

static uint32_t count_kept(const CraftyBackupPlan *plan, const int64_t *times, uint32_t count,
                           bool *kept)
{
    uint32_t sum = 0;
    crafty_backup_plan_keep(plan, times, kept, count);
    for (uint32_t i = 0; i < count; i++)
        sum += kept[i];
    return sum;
}

static void the_newest_of_each_hour_is_kept(void **state)
{
    (void)state;
    const int64_t times[] = {MONDAY + 10 * HOUR + 50, MONDAY + 10 * HOUR + 20,
                             MONDAY + 9 * HOUR + 3000, MONDAY + 9 * HOUR, MONDAY + 8 * HOUR};
    bool kept[5];
    assert_int_equal(count_kept(&(CraftyBackupPlan){2, 0, 0}, times, 5, kept), 2);
    assert_true(kept[0] && kept[2]);
}

static void hours_without_a_backup_do_not_count(void **state)
{
    (void)state;
    const int64_t times[] = {MONDAY + 100 * HOUR, MONDAY + 50 * HOUR, MONDAY};
    bool kept[3];
    assert_int_equal(count_kept(&(CraftyBackupPlan){3, 0, 0}, times, 3, kept), 3);
}

static void hours_days_and_weeks_are_kept_together(void **state)
{
    (void)state;
    int64_t times[24 * 28];
    bool kept[24 * 28];
    for (uint32_t i = 0; i < 24 * 28; i++) /* every hour of four weeks, until Sunday 23:00 */
        times[i] = MONDAY + 28 * DAY - HOUR - (int64_t)i * HOUR;
    uint32_t count = count_kept(&(CraftyBackupPlan){3, 5, 4}, times, 24 * 28, kept);
    assert_int_equal(count, 3 + 4 + 3); /* the newest one is that of its hour, day and week */
    assert_true(kept[0] && kept[1] && kept[2]);
    assert_true(kept[24] && kept[4 * 24]);
    assert_true(kept[7 * 24] && kept[21 * 24]);
    assert_false(kept[5 * 24]);
}

static void the_newest_backup_is_always_kept(void **state)
{
    (void)state;
    bool kept[2];
    assert_int_equal(
        count_kept(&(CraftyBackupPlan){0, 0, 0}, (int64_t[]){MONDAY + 1, MONDAY}, 2, kept), 1);
    assert_true(kept[0]);
}

static void times_before_1970_have_days_too(void **state)
{
    (void)state;
    bool kept[3];
    assert_int_equal(
        count_kept(&(CraftyBackupPlan){0, 3, 0}, (int64_t[]){10, -10, -DAY - 10}, 3, kept), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_do_not_drift),
        cmocka_unit_test(ticks_that_are_behind_are_due_at_once),
        cmocka_unit_test(ticks_far_behind_are_skipped),
        cmocka_unit_test(a_backup_is_due_after_its_time),
        cmocka_unit_test(a_clock_that_is_set_back_does_not_stop_backups),
        cmocka_unit_test(the_newest_of_each_hour_is_kept),
        cmocka_unit_test(hours_without_a_backup_do_not_count),
        cmocka_unit_test(hours_days_and_weeks_are_kept_together),
        cmocka_unit_test(the_newest_backup_is_always_kept),
        cmocka_unit_test(times_before_1970_have_days_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

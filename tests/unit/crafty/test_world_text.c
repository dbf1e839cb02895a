/* Texts about worlds: times, sizes, descriptions, names. */
#include "cmocka_tests.h"

#include <crafty/client/world_text.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
/* 2026-11-18 14:05:30 UTC */
#define NOW INT64_C(1795010730000)

static const char *when(int64_t then_ms)
{
    static char text[64];
    crafty_text_when(then_ms, NOW, text, sizeof text);
    return text;
}

static void use_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static void times_of_today_are_relative_or_have_the_hour(void **state)
{
    (void)state;
    use_zone("UTC0");
    assert_string_equal(when(NOW), "just now");
    assert_string_equal(when(NOW - 59999), "just now");
    assert_string_equal(when(NOW - MINUTE), "1 minute ago");
    assert_string_equal(when(NOW - 59 * MINUTE), "59 minutes ago");
    assert_string_equal(when(NOW - HOUR), "today 13:05");
    assert_string_equal(when(NOW - 14 * HOUR), "today 00:05");
}

static void times_of_the_last_week_are_days(void **state)
{
    (void)state;
    use_zone("UTC0");
    assert_string_equal(when(NOW - 15 * HOUR), "yesterday 23:05");
    assert_string_equal(when(NOW - 38 * HOUR), "yesterday 00:05");
    assert_string_equal(when(NOW - 39 * HOUR), "2 days ago");
    assert_string_equal(when(NOW - 6 * DAY), "6 days ago");
    assert_string_equal(when(NOW - 7 * DAY), "11 Nov 2026");
}

static void days_begin_at_local_midnight(void **state)
{
    (void)state;
    use_zone("XXX-10"); /* it is 00:05 of the next day */
    assert_string_equal(when(NOW - 2 * HOUR), "yesterday 22:05");
    use_zone("UTC0");
}

static void times_in_the_future_and_impossible_ones_have_a_text(void **state)
{
    (void)state;
    use_zone("UTC0");
    assert_string_equal(when(NOW + DAY), "19 Nov 2026");
    assert_string_equal(when(INT64_MAX), "at an unknown time");
    assert_string_equal(when(INT64_MIN), "at an unknown time");
    assert_string_equal(when(0), "1 Jan 1970");
}

static void dates_have_the_time(void **state)
{
    (void)state;
    char text[64];
    use_zone("UTC0");
    crafty_text_date(NOW, text, sizeof text);
    assert_string_equal(text, "18 Nov 2026, 14:05");
    crafty_text_date(INT64_MAX, text, sizeof text);
    assert_string_equal(text, "unknown date");
}

static void sizes_have_two_digits_or_more(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 kB"},
                 {24576, "25 kB"},
                 {999499, "999 kB"},
                 {999500, "1.0 MB"},
                 {1540000, "1.5 MB"},
                 {12345678, "12 MB"},
                 {2000000000, "2.0 GB"},
                 {UINT64_MAX, "18446744 TB"}};
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        char text[32];
        crafty_text_size(cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static CraftyWorldEntry world(void)
{
    CraftyWorldEntry entry = {.name = "Home", .size_bytes = 1500000};
    entry.info.identity.seed = (uint64_t)-5;
    entry.info.summary.days = 2.25;
    entry.info.summary.mode = CRAFTY_MODE_CREATIVE;
    return entry;
}

static void a_world_has_seed_size_day_and_mode(void **state)
{
    (void)state;
    CraftyWorldEntry entry = world();
    char text[256];
    crafty_text_world(&entry, text, sizeof text);
    assert_string_equal(text, "Seed -5  ·  1.5 MB  ·  Day 3, creative");
    entry.info.summary.days = 0;
    entry.info.summary.mode = CRAFTY_MODE_SPECTATOR;
    crafty_text_world(&entry, text, sizeof text);
    assert_string_equal(text, "Seed -5  ·  1.5 MB  ·  Day 1, spectator");
}

static void a_world_that_was_never_played_is_new(void **state)
{
    (void)state;
    CraftyWorldEntry entry = world();
    char text[256];
    entry.info.is_new = true;
    crafty_text_world(&entry, text, sizeof text);
    assert_non_null(strstr(text, "new"));
    assert_null(strstr(text, "Day"));
}

static void problems_say_what_to_do(void **state)
{
    (void)state;
    CraftyWorldEntry entry = world();
    char text[512];
    assert_false(crafty_text_problem(&entry, text, sizeof text));
    entry.is_open = true;
    assert_true(crafty_text_problem(&entry, text, sizeof text));
    assert_non_null(strstr(text, "Close it there"));
    entry.is_open = false;
    entry.error.code = CN_ERROR_VERSION;
    assert_true(crafty_text_problem(&entry, text, sizeof text));
    assert_non_null(strstr(text, "Update Crafty"));
    cn_error_set(&entry.error, CN_ERROR_FORMAT, "cannot open '/a/b': it is damaged");
    assert_true(crafty_text_problem(&entry, text, sizeof text));
    assert_string_equal(text, "It is damaged. Restore a backup, or run: crafty world repair.");
}

static void free_names_get_the_next_number(void **state)
{
    (void)state;
    CraftyWorldEntry items[2] = {{.name = "new WORLD"}, {.name = "New world 2"}};
    CraftyWorldList list = {.items = items, .count = 2};
    char name[CRAFTY_WORLD_NAME_BYTES];
    crafty_text_free_name(&list, "New world", name);
    assert_string_equal(name, "New world 3");
    crafty_text_free_name(&list, "Other", name);
    assert_string_equal(name, "Other");
}

static void a_long_name_has_room_for_its_number(void **state)
{
    (void)state;
    CraftyWorldEntry item = {0};
    CraftyWorldList list = {.items = &item, .count = 1};
    char name[CRAFTY_WORLD_NAME_BYTES];
    memset(item.name, 'x', CRAFTY_WORLD_NAME_BYTES - 1);
    crafty_text_free_name(&list, item.name, name);
    assert_true(strlen(name) < CRAFTY_WORLD_NAME_BYTES && strstr(name, "x 2"));
}

static void a_list_that_is_being_read_has_no_number(void **state)
{
    (void)state;
    char text[64];
    crafty_text_worlds(NULL, text, sizeof text);
    assert_string_equal(text, "Reading worlds ...");
}

static void a_list_says_how_many_worlds_it_has(void **state)
{
    (void)state;
    char text[64];
    crafty_text_worlds(&(CraftyWorldList){.count = 0}, text, sizeof text);
    assert_string_equal(text, "0 worlds");
    crafty_text_worlds(&(CraftyWorldList){.count = 1}, text, sizeof text);
    assert_string_equal(text, "1 world");
    crafty_text_worlds(&(CraftyWorldList){.count = 2, .left_out = 3}, text, sizeof text);
    assert_string_equal(text, "2 worlds, and 3 more files that are not listed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_today_are_relative_or_have_the_hour),
        cmocka_unit_test(times_of_the_last_week_are_days),
        cmocka_unit_test(days_begin_at_local_midnight),
        cmocka_unit_test(times_in_the_future_and_impossible_ones_have_a_text),
        cmocka_unit_test(dates_have_the_time),
        cmocka_unit_test(sizes_have_two_digits_or_more),
        cmocka_unit_test(a_world_has_seed_size_day_and_mode),
        cmocka_unit_test(a_world_that_was_never_played_is_new),
        cmocka_unit_test(problems_say_what_to_do),
        cmocka_unit_test(free_names_get_the_next_number),
        cmocka_unit_test(a_long_name_has_room_for_its_number),
        cmocka_unit_test(a_list_that_is_being_read_has_no_number),
        cmocka_unit_test(a_list_says_how_many_worlds_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

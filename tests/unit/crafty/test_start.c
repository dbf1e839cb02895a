/* What a session starts with, as text in recordings. */
#include "cmocka_tests.h"

#include <crafty/sim/start.h>

#include <string.h>

static void a_start_is_read_as_it_was_written(void **state)
{
    (void)state;
    CraftyStart start = {.seed = UINT64_MAX,
                         .viewer = CRAFTY_VIEWER_WALKS,
                         .pose = {{-0.1f, 81.62f, 7654321.5f}, -179.99f, 1e-7f},
                         .hours = 23.983334f,
                         .has_weather = true,
                         .weather = CRAFTY_LIGHT_SNOW,
                         .freeze_blocks = true,
                         .torches = 17,
                         .players = 3};
    CraftyStart read;
    char text[512], again[512];
    assert_true(crafty_start_write(&start, text, sizeof text));
    assert_true(crafty_start_read(&read, text, NULL));
    assert_memory_equal(&read.pose, &start.pose, sizeof start.pose);
    assert_true(read.seed == start.seed && read.hours == start.hours && read.players == 3);
    assert_true(crafty_start_write(&read, again, sizeof again));
    assert_string_equal(text, again);
}

static void the_rules_are_read_as_they_were_written(void **state)
{
    (void)state;
    CraftyStart start = {.viewer = CRAFTY_VIEWER_WALKS,
                         .mode = CRAFTY_MODE_SURVIVAL,
                         .commands = true,
                         .keep_inventory = true},
                read;
    char text[512];
    assert_true(crafty_start_write(&start, text, sizeof text));
    assert_true(crafty_start_read(&read, text, NULL));
    assert_true(crafty_start_mode(&read) == CRAFTY_MODE_SURVIVAL && read.commands &&
                read.keep_inventory);
}

static void players_of_older_recordings_are_creative_or_spectators(void **state)
{
    (void)state;
    CraftyStart start;
    assert_true(crafty_start_read(&start, "crafty seed=1 viewer=walks", NULL));
    assert_int_equal(crafty_start_mode(&start), CRAFTY_MODE_CREATIVE);
    assert_true(crafty_start_read(&start, "crafty seed=1 viewer=flies", NULL));
    assert_int_equal(crafty_start_mode(&start), CRAFTY_MODE_SPECTATOR);
}

static void a_start_that_does_not_fit_is_not_written(void **state)
{
    (void)state;
    char text[16];
    assert_false(crafty_start_write(&(CraftyStart){0}, text, sizeof text));
}

static void texts_of_others_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "demo=swarm",
        "crafty seed",
        "crafty seed=",
        "crafty seed=-1",
        "crafty seed=99999999999999999999999",
        "crafty viewer=ghost",
        "crafty x=nan",
        "crafty y=inf",
        "crafty z=1e9",
        "crafty pitch=91",
        "crafty hours=25",
        "crafty weather=hail",
        "crafty frozen=2",
        "crafty torches=257",
        "crafty players=0",
        "crafty players=2049",
        "crafty unknown=1",
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyStart start;
        CnError error = {0};
        assert_false(crafty_start_read(&start, texts[i], &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void a_text_that_is_too_long_is_refused(void **state)
{
    (void)state;
    char text[2048];
    CraftyStart start;
    memset(text, ' ', sizeof text);
    memcpy(text, "crafty", 6);
    text[sizeof text - 1] = '\0';
    assert_false(crafty_start_read(&start, text, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_is_read_as_it_was_written),
        cmocka_unit_test(the_rules_are_read_as_they_were_written),
        cmocka_unit_test(players_of_older_recordings_are_creative_or_spectators),
        cmocka_unit_test(a_start_that_does_not_fit_is_not_written),
        cmocka_unit_test(texts_of_others_are_refused),
        cmocka_unit_test(a_text_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

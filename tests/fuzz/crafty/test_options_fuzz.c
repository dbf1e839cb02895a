/*
 * Random words as Crafty's command line: whatever is not refused is something that Crafty can show.
 * The test makes its cases from a seed, so it always runs the same ones.
 */
#include "cmocka_tests.h"

#include "random.h"

#include <crafty/client/options.h>
#include <crafty/client/tour.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CASES = 20000, MAX_WORDS = 8, WORD_BYTES = 48 };

static const char *const names[] = {
    "--seed",     "--camera", "--time",   "--weather",       "--quality",    "--on",
    "--off",      "--tour",   "--frames", "--view-distance", "--walk",       "--screenshots",
    "--headless", "--size",   "--fps",    "--validation",    "--print-stats"};
static const char *const values[] = {
    "7",           "1,2.5,-3,90,-10", "18:30",   "light-rain", "high",  "dof,clouds",
    "all",         "flight",          "320x180", "64",         "-1",    "1e39",
    "nan",         "inf,0,0,0,0",     "",        ",",          "00:00", "23:59",
    "8e6,0,0,0,0", "ultra",           "fog"};

/* Sometimes with bytes that were not meant to be there. */
static void write_word(TestRandom *random, const char *text, char word[WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "%s", text);
    size_t length = strlen(word);
    while (length > 0 && test_random_chance(random, 20)) {
        uint32_t at = test_random_below(random, (uint32_t)length);
        if (test_random_chance(random, 30))
            word[length = at] = '\0';
        else
            word[at] = (char)(1 + test_random_below(random, 255));
    }
}

static int read_case(TestRandom *random, CraftyOptions *options)
{
    static char words[MAX_WORDS][WORD_BYTES];
    char *arguments[MAX_WORDS + 1] = {"crafty"};
    uint32_t count = test_random_below(random, MAX_WORDS + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool is_name = i % 2 == 0 ? test_random_chance(random, 90) : test_random_chance(random, 10);
        write_word(random,
                   is_name ? names[test_random_below(random, CN_COUNT_OF(names))]
                           : values[test_random_below(random, CN_COUNT_OF(values))],
                   words[i]);
        arguments[1 + i] = words[i];
    }
    return crafty_options_read(options, (int)count + 1, arguments);
}

static void assert_can_be_shown(const CraftyOptions *options)
{
    const CnVec3 at = options->camera.position;
    const float places[] = {at.x, at.y, at.z};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(places[i] >= -8e6f && places[i] <= 8e6f);
    assert_true(options->camera.yaw >= -360 && options->camera.yaw <= 360);
    assert_true(options->camera.pitch >= -90 && options->camera.pitch <= 90);
    assert_true(options->hours >= 0 && options->hours < 24);
    assert_true(options->weather < CRAFTY_WEATHER_COUNT);
    assert_true(options->quality < CRAFTY_QUALITY_COUNT);
    assert_true(options->view_distance == 0 ||
                (options->view_distance >= 2 && options->view_distance <= CRAFTY_MAX_DISTANCE));
    assert_true(!options->tour || crafty_tour_exists(options->tour));
    CraftySettings settings = {0};
    assert_true(!options->effects_on ||
                crafty_effects_switch(&settings, options->effects_on, true, NULL));
    assert_true(!options->effects_off ||
                crafty_effects_switch(&settings, options->effects_off, false, NULL));
}

/* Complaints go nowhere. */
static int silence(void)
{
    fflush(stderr);
    int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return kept;
}

static void what_is_not_refused_can_be_shown(void **state)
{
    (void)state;
    TestRandom random = {11};
    uint32_t taken = 0;
    int kept = silence();
    for (uint32_t i = 0; i < CASES; i++) {
        CraftyOptions options;
        if (read_case(&random, &options) != CN_OPTIONS_CONTINUE)
            continue;
        taken++;
        assert_can_be_shown(&options);
    }
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    assert_in_range(taken, CASES / 20, CASES * 19 / 20); /* both happen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_refused_can_be_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

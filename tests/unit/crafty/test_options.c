/* Options of Crafty's command line. */
#include "cmocka_tests.h"

#include <crafty/client/options.h>

#define READ(options, ...)                                                                         \
    crafty_options_read(options,                                                                   \
                        (int)(sizeof((char *[]){"crafty", __VA_ARGS__}) / sizeof(char *)),         \
                        (char *[]){"crafty", __VA_ARGS__})

static void every_option_is_read(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--headless", "--seed", "7", "--camera", "1,2.5,-3,90,-10",
                          "--time", "18:30", "--weather", "light-rain", "--quality", "high",
                          "--size", "320x180", "--view-distance", "12", "--frames", "9", "--out",
                          "a.png", "--print-stats", "--on", "dof", "--off", "clouds,bloom"),
                     CN_OPTIONS_CONTINUE);
    assert_int_equal(options.seed, 7);
    assert_true(options.has_camera && options.has_time && options.has_weather &&
                options.has_quality && options.print_stats && options.engine.headless);
    assert_float_equal(options.camera.position.y, 2.5f, 0);
    assert_float_equal(options.camera.position.z, -3, 0);
    assert_float_equal(options.camera.yaw, 90, 0);
    assert_float_equal(options.camera.pitch, -10, 0);
    assert_float_equal(options.hours, 18.5f, 0);
    assert_int_equal(options.weather, CRAFTY_LIGHT_RAIN);
    assert_int_equal(options.quality, CRAFTY_HIGH);
    assert_int_equal(options.engine.width, 320);
    assert_int_equal(options.view_distance, 12);
    assert_int_equal(options.frames, 9);
    assert_string_equal(options.engine.image_path, "a.png");
}

static void without_options_it_is_world_42_as_the_device_is(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(crafty_options_read(&options, 1, (char *[]){"crafty"}), CN_OPTIONS_CONTINUE);
    assert_int_equal(options.seed, 42);
    assert_int_equal(options.engine.seed, 42);
    assert_false(options.has_camera || options.has_quality || options.has_weather);
    assert_int_equal(options.engine.width, 0);
    assert_null(options.tour);
}

static void the_mode_is_survival_unless_another_one_or_an_image_is_asked_for(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--seed", "7"), CN_OPTIONS_CONTINUE);
    assert_int_equal(options.mode, CRAFTY_MODE_SURVIVAL);
    assert_int_equal(READ(&options, "--headless"), CN_OPTIONS_CONTINUE);
    assert_int_equal(options.mode, CRAFTY_MODE_SPECTATOR);
    assert_int_equal(READ(&options, "--headless", "--mode", "survival"), CN_OPTIONS_CONTINUE);
    assert_int_equal(options.mode, CRAFTY_MODE_SURVIVAL);
    assert_int_equal(READ(&options, "--walk"), CN_OPTIONS_CONTINUE);
    assert_int_equal(options.mode, CRAFTY_MODE_CREATIVE);
    assert_int_equal(READ(&options, "--walk", "--mode", "survival"), CN_OPTIONS_INVALID);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    char *const bad[][2] = {{"--mode", "hard"},
                            {"--camera", "1,2,3,4"},
                            {"--camera", "1,2,3,4,5,6"},
                            {"--camera", "a,2,3,4,5"},
                            {"--camera", "nan,2,3,4,5"},
                            {"--camera", "1,2,3,4,91"},
                            {"--camera", "1e30,2,3,4,5"},
                            {"--camera", "1,2,3,4,"},
                            {"--time", "24:00"},
                            {"--time", "12:60"},
                            {"--time", "12"},
                            {"--time", "12:3"},
                            {"--time", "-1:30"},
                            {"--time", "noon"},
                            {"--weather", "hail"},
                            {"--weather", ""},
                            {"--quality", "best"},
                            {"--tour", "nowhere"},
                            {"--view-distance", "1"},
                            {"--view-distance", "65"},
                            {"--frames", "0"},
                            {"--seed", ""},
                            {"--on", "magic"},
                            {"--off", "clouds,magic"},
                            {"--size", "10"},
                            {"--screenshots", "out"}};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CraftyOptions options;
        assert_int_equal(READ(&options, bad[i][0], bad[i][1]), CN_OPTIONS_INVALID);
    }
}

static void a_seed_is_a_number_or_a_text(void **state)
{
    (void)state;
    CraftyOptions options, other;
    assert_int_equal(READ(&options, "--seed", "-1"), CN_OPTIONS_CONTINUE);
    assert_true(options.seed == UINT64_MAX);
    assert_int_equal(READ(&options, "--seed", "glacier"), CN_OPTIONS_CONTINUE);
    assert_int_equal(READ(&other, "--seed", "glacier"), CN_OPTIONS_CONTINUE);
    assert_true(options.seed == other.seed && options.seed != 42);
}

static void a_tour_moves_the_camera_itself(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--tour", "flight", "--camera", "1,2,3,4,5"),
                     CN_OPTIONS_INVALID);
    assert_int_equal(READ(&options, "--tour", "flight"), CN_OPTIONS_CONTINUE);
}

static void a_window_without_a_world_shows_the_list(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--worlds", "a", "--time", "18:30"), CN_OPTIONS_CONTINUE);
    assert_true(options.shows_list);
    assert_int_equal(READ(&options, "--world", "Home"), CN_OPTIONS_CONTINUE);
    assert_false(options.shows_list);
    assert_int_equal(READ(&options, "--seed", "42"), CN_OPTIONS_CONTINUE);
    assert_false(options.shows_list);
    assert_int_equal(READ(&options, "--tour", "day"), CN_OPTIONS_CONTINUE);
    assert_false(options.shows_list);
    assert_int_equal(READ(&options, "--headless"), CN_OPTIONS_CONTINUE);
    assert_false(options.shows_list);
}

static void vertical_sync_is_known_to_be_given(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--vsync", "on"), CN_OPTIONS_CONTINUE);
    assert_true(options.has_vsync && options.engine.vsync == CN_VSYNC_ON);
    assert_int_equal(READ(&options, "--walk"), CN_OPTIONS_CONTINUE);
    assert_true(!options.has_vsync && options.engine.vsync == CN_VSYNC_ON);
}

static void images_do_not_depend_on_settings(void **state)
{
    (void)state;
    CraftyOptions options;
    assert_int_equal(READ(&options, "--settings", "a.json"), CN_OPTIONS_CONTINUE);
    assert_string_equal(options.settings, "a.json");
    assert_int_equal(READ(&options, "--headless", "--settings", "a.json"), CN_OPTIONS_INVALID);
}

static void rain_is_heavy_rain(void **state)
{
    (void)state;
    CraftyWeatherKind kind;
    assert_true(crafty_weather_parse("rain", &kind));
    assert_int_equal(kind, CRAFTY_HEAVY_RAIN);
}

static void every_weather_is_found_by_its_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_WEATHER_COUNT; i++) {
        CraftyWeatherKind kind = CRAFTY_WEATHER_COUNT;
        assert_true(crafty_weather_parse(crafty_weather_name((CraftyWeatherKind)i), &kind));
        assert_int_equal(kind, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(without_options_it_is_world_42_as_the_device_is),
        cmocka_unit_test(the_mode_is_survival_unless_another_one_or_an_image_is_asked_for),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(a_seed_is_a_number_or_a_text),
        cmocka_unit_test(a_tour_moves_the_camera_itself),
        cmocka_unit_test(a_window_without_a_world_shows_the_list),
        cmocka_unit_test(vertical_sync_is_known_to_be_given),
        cmocka_unit_test(images_do_not_depend_on_settings),
        cmocka_unit_test(rain_is_heavy_rain),
        cmocka_unit_test(every_weather_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

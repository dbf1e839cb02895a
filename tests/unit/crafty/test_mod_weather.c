/* Weather and skies of mods: definitions and their errors, weather by biome, by command, in saved
 * worlds, and what a sky changes. */
#include "cmocka_tests.h"
#include "mod_fixture.h"
#include "scratch.h"

#include <crafty/sim/atmosphere.h>

static ModGame game;

static const char hail[] =
    "weather { name = 'hail', clouds = 1, fog = 0.02, snow = 0.5, weight = 0 }";

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    mod_game_init(&game);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_close(&game);
    return 0;
}

static void open_with(const char *code)
{
    mod_game_add(&game, "storms", code);
    mod_game_open(&game);
}

static const CraftyWeather *weather(void)
{
    return cn_resource(game.world, CraftyWeather);
}

static const CraftyWeatherKinds *kinds(void)
{
    return crafty_world_weather(crafty_session_world(game.session));
}

/* ---- Definitions ---- */

static void refuse(const char *code, int line, const char *part)
{
    begin(NULL);
    mod_game_add(&game, "storms", code);
    mod_game_load(&game);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    assert_string_equal(status.error.file, "mods/storms/main.lua");
    assert_int_equal(status.error.line, line);
    end(NULL);
}

static void wrong_definitions_name_file_and_line(void **state)
{
    (void)state;
    refuse("\nweather { name = 'hail', rain = 2 }", 2, "\"rain\" must be a number from 0 to 1");
    refuse("weather { name = 'hail', cloud = 1 }", 1, "did you mean \"clouds\"");
    refuse("weather { clouds = 1 }", 1, "\"name\"");
    refuse("weather { name = 'hail', biomes = { 'moon' } }", 1, "biome");
    refuse("weather { name = 'hail' }\nweather { name = 'hail' }", 2, "there already is");
    refuse("sky { name = 'red', hours = { 3 } }", 1, "\"hours\" must be 2 numbers");
    refuse("\n\nsky { name = 'red', light = { 1, 1, 3 } }", 3, "\"light\" must be 3 numbers");
    refuse("sky { name = 'red' }\nsky { name = 'red' }", 2, "there already is");
    refuse("sky 'red'", 1, "table expected");
}

static void numbers_of_kinds_follow_from_their_names(void **state)
{
    (void)state;
    open_with("weather { name = 'hail' }\nweather { name = 'ash' }");
    const CraftyWeatherKindInfo *found = crafty_weather_kind_find(kinds(), "storms:hail");
    assert_non_null(found);
    uint8_t number = found->number;
    assert_true(number >= CRAFTY_FIRST_WEATHER_NUMBER);
    assert_ptr_equal(crafty_weather_kind_of(kinds(), number), found);
    end(NULL);
    begin(NULL);
    open_with("weather { name = 'hail' }\nweather { name = 'ash' }\nweather { name = 'a_dust' }");
    assert_int_equal(crafty_weather_kind_find(kinds(), "storms:hail")->number, number);
}

/* ---- In a world ---- */

static void a_command_selects_the_weather_of_a_mod(void **state)
{
    (void)state;
    open_with(hail);
    mod_game_type(&game, "/weather storms:hail");
    assert_true(mod_game_was_told(&game, "storms:hail"));
    assert_int_equal(weather()->kind, crafty_weather_kind_find(kinds(), "storms:hail")->number);
    mod_game_ticks(&game, 600);
    assert_true(weather()->snow > 0.4f && weather()->fog > 0.015f && weather()->cover > 0.9f);
}

/* A line of the chat sets the weather, if there is such one, and what it is then is stored. */
#define SETS                                                                                       \
    "\non('chat', function(e)\n"                                                                   \
    "  local done, message = pcall(world.setWeather, e.text)\n"                                    \
    "  storage.set('message', message or '')\n"                                                    \
    "  storage.set('weather', world.weather())\n"                                                  \
    "end)"

static void a_mod_sets_and_reads_the_weather_of_a_mod(void **state)
{
    (void)state;
    char code[512];
    snprintf(code, sizeof code, "%s%s", hail, SETS);
    open_with(code);
    mod_game_type(&game, "storms:hail");
    assert_string_equal(mod_game_stored(&game, "storms", "weather"), "\"storms:hail\"");
    assert_int_equal(weather()->kind, crafty_weather_kind_find(kinds(), "storms:hail")->number);
    assert_true(weather()->held);
    mod_game_type(&game, "heavy-rain");
    assert_string_equal(mod_game_stored(&game, "storms", "weather"), "\"heavy-rain\"");
    mod_game_type(&game, "changing");
    assert_false(weather()->held);
}

static void a_mod_cannot_set_a_weather_that_does_not_exist(void **state)
{
    (void)state;
    char code[512];
    snprintf(code, sizeof code, "%s%s", hail, SETS);
    open_with(code);
    mod_game_type(&game, "heavy-rain");
    mod_game_type(&game, "storms:frogs");
    assert_string_equal(mod_game_stored(&game, "storms", "weather"), "\"heavy-rain\"");
    assert_non_null(strstr(mod_game_stored(&game, "storms", "message"), "there is no weather"));
}

static void a_command_with_an_unknown_number_changes_nothing(void **state)
{
    (void)state;
    open_with(hail);
    uint8_t kind = weather()->kind;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_WEATHER, .choice = 250};
    if (crafty_weather_kind_of(kinds(), 250))
        command.choice = 251;
    assert_true(crafty_connection_send_command(game.input.connection, &command));
    mod_game_ticks(&game, 3);
    assert_int_equal(weather()->kind, kind);
}

static void a_frequent_weather_comes_by_itself(void **state)
{
    (void)state;
    open_with("weather { name = 'mist', fog = 0.03, weight = 100 }");
    uint8_t mist = crafty_weather_kind_find(kinds(), "storms:mist")->number;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 20; i++) {
        cn_resource_mut(game.world, CraftyWeather)->left = 0;
        mod_game_ticks(&game, 1);
        seen += weather()->kind == mist;
    }
    assert_in_range(seen, 12, 20); /* 100 of 115 */
}

static void a_weather_without_weight_never_comes_by_itself(void **state)
{
    (void)state;
    open_with(hail);
    uint8_t number = crafty_weather_kind_find(kinds(), "storms:hail")->number;
    for (uint32_t i = 0; i < 60; i++) {
        cn_resource_mut(game.world, CraftyWeather)->left = 0;
        mod_game_ticks(&game, 1);
        assert_int_not_equal(weather()->kind, number);
    }
}

static void a_world_without_the_mod_has_clear_weather(void **state)
{
    (void)state;
    Scratch scratch;
    CnError error = {0};
    scratch_init(&scratch);
    game.path = scratch_path(&scratch, "storm.crafty");
    open_with(hail);
    mod_game_type(&game, "/weather storms:hail");
    assert_true(
        crafty_save_write(game.save, crafty_session_world(game.session), game.sim, &error) &&
        crafty_save_flush(game.save, 60000, &error));
    const char *path = game.path;
    end(NULL);
    begin(NULL);
    game.path = path;
    mod_game_open(&game);
    mod_game_ticks(&game, 1);
    assert_int_equal(weather()->kind, CRAFTY_CLEAR);
    end(NULL);
    begin(NULL);
    scratch_fini(&scratch);
}

/* ---- Skies ---- */

static CnVec4 light_at(float hours)
{
    crafty_day_set_hours(game.world, hours);
    cn_resource_mut(game.world, CraftyDay)->speed = 0;
    mod_game_ticks(&game, 600);
    CnEntity sun = cn_resource(game.world, CraftyDay)->light;
    return cn_get(game.world, sun, CnLight)->color;
}

static void a_sky_colors_the_light_in_its_hours(void **state)
{
    (void)state;
    open_with("sky { name = 'green', hours = { 11, 13 }, light = { 0.5, 1, 0.5 } }");
    CnVec4 green = light_at(12), plain = light_at(15);
    assert_true(green.x < 0.62f * green.y && green.z < 0.62f * green.y);
    assert_true(plain.x > 0.8f * plain.y);
}

static void a_sky_adds_fog_and_clears_clouds(void **state)
{
    (void)state;
    open_with("sky { name = 'dim', fog = 0.05, clouds = 0 }");
    mod_game_ticks(&game, 900);
    assert_true(weather()->fog > 0.045f);
    assert_true(weather()->cover < 0.02f);
}

static void the_night_of_a_sky_lasts_until_the_morning(void **state)
{
    (void)state;
    open_with("sky { name = 'night', hours = { 20, 4 }, fog = 0.1 }");
    const CnBiome biome = CN_BIOME_FOREST;
    assert_true(crafty_sky_change(kinds(), biome, 23).fog > 0.099f);
    assert_true(crafty_sky_change(kinds(), biome, 2).fog > 0.099f);
    assert_true(crafty_sky_change(kinds(), biome, 12).fog == 0);
    float dusk = crafty_sky_change(kinds(), biome, 20.25f).fog;
    assert_true(dusk > 0.04f && dusk < 0.06f);
}

static void weather_is_the_same_with_threads(void **state)
{
    (void)state;
    static const char code[] = "weather { name = 'mist', fog = 0.03, weight = 50 }\n"
                               "sky { name = 'red', light = { 1.2, 0.7, 0.7 }, fog = 0.01 }";
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin(NULL);
        game.threads = i ? 4 : 1;
        open_with(code);
        cn_resource_mut(game.world, CraftyWeather)->left = 0;
        mod_game_ticks(&game, 120);
        hashes[i] = cn_sim_hash(game.sim);
        end(NULL);
    }
    begin(NULL);
    assert_int_equal(hashes[0], hashes[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_name_file_and_line),
        TEST(numbers_of_kinds_follow_from_their_names),
        TEST(a_command_selects_the_weather_of_a_mod),
        TEST(a_mod_sets_and_reads_the_weather_of_a_mod),
        TEST(a_mod_cannot_set_a_weather_that_does_not_exist),
        TEST(a_command_with_an_unknown_number_changes_nothing),
        TEST(a_frequent_weather_comes_by_itself),
        TEST(a_weather_without_weight_never_comes_by_itself),
        TEST(a_world_without_the_mod_has_clear_weather),
        TEST(a_sky_colors_the_light_in_its_hours),
        TEST(a_sky_adds_fog_and_clears_clouds),
        TEST(the_night_of_a_sky_lasts_until_the_morning),
        TEST(weather_is_the_same_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

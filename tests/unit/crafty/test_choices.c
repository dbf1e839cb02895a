/* The text of a settings file: what it chooses, and what is said about it. */
#include "cmocka_tests.h"

#include <crafty/client/choices.h>

#include <string.h>

typedef struct Reading {
    CraftyChoices choices;
    CraftyChoicesResult result;
    char problems[2048];
} Reading;

static Reading reading_of(const char *text)
{
    Reading reading = {0};
    CnTextBuilder problems;
    cn_array_init(&problems, NULL);
    reading.result =
        crafty_choices_read(&reading.choices, "settings.json", cn_text(text), &problems);
    if (problems.count)
        cn_copy_text(reading.problems, sizeof reading.problems, cn_text(problems.items));
    cn_array_fini(&problems);
    return reading;
}

static void assert_problem(const Reading *reading, const char *words)
{
    if (!strstr(reading->problems, words))
        fail_msg("\"%s\" is not in: %s", words, reading->problems);
}

/* The text that is written for a text that was read. */
static void write_again(const char *text, char *result, size_t size)
{
    Reading reading = reading_of(text);
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_true(crafty_choices_write(&reading.choices, cn_text(text), &builder));
    assert_true(cn_copy_text(result, size, cn_text(builder.items)));
    cn_array_fini(&builder);
}

#define ALL                                                                                        \
    "{\n    \"version\": 1,\n    \"quality\": \"high\",\n"                                         \
    "    \"effects\": {\"clouds\": false, \"dof\": true},\n    \"viewDistance\": 12,\n"            \
    "    \"fieldOfView\": 85,\n    \"sensitivity\": 1.1,\n    \"vsync\": \"mailbox\",\n"           \
    "    \"fullscreen\": true,\n    \"interfaceScale\": 1.5,\n    \"volume\": 0,\n"                \
    "    \"toggleSneak\": true,\n    \"hints\": false\n}\n"

static void all_settings_are_read(void **state)
{
    (void)state;
    Reading reading = reading_of(ALL);
    const CraftyChoices *choices = &reading.choices;
    assert_int_equal(reading.result, CRAFTY_CHOICES_FINE);
    assert_string_equal(reading.problems, "");
    assert_true(choices->has_quality && choices->quality == CRAFTY_HIGH);
    assert_int_equal(choices->effects_off, CRAFTY_CLOUDS);
    assert_int_equal(choices->effects_on, CRAFTY_DOF);
    assert_int_equal(choices->view_distance, 12);
    CraftyPreferences preferences = crafty_choices_preferences(choices);
    assert_true(preferences.fov == 85 && preferences.sensitivity == 1.1f);
    assert_true(preferences.vsync == CN_VSYNC_MAILBOX && preferences.fullscreen);
    assert_true(preferences.ui_scale == 1.5f && preferences.volume == 0 && !preferences.hints);
}

static void what_is_written_is_what_was_read(void **state)
{
    (void)state;
    char text[1024];
    write_again(ALL, text, sizeof text);
    assert_string_equal(text, ALL);
}

static void only_what_was_chosen_is_written(void **state)
{
    (void)state;
    char text[1024];
    write_again("{\"version\": 1}", text, sizeof text);
    assert_string_equal(text, "{\n    \"version\": 1\n}\n");
}

static void a_wrong_value_is_named_with_its_line_and_the_rest_is_kept(void **state)
{
    (void)state;
    Reading reading =
        reading_of("{\"version\": 1,\n \"viewDistance\": 500,\n \"fieldOfView\": 90}");
    assert_int_equal(reading.result, CRAFTY_CHOICES_PARTLY);
    assert_problem(&reading, "settings.json:2:2: \"viewDistance\" must be a whole number");
    assert_int_equal(reading.choices.view_distance, 0);
    assert_true(reading.choices.preferences.fov == 90);
}

static void every_setting_refuses_what_is_not_one(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "\"quality\": \"best\"",
        "\"quality\": 1",
        "\"effects\": []",
        "\"effects\": {\"dof\": 1}",
        "\"viewDistance\": 1",
        "\"viewDistance\": 8.5",
        "\"viewDistance\": \"8\"",
        "\"fieldOfView\": 49",
        "\"fieldOfView\": null",
        "\"fieldOfView\": 1e300",
        "\"sensitivity\": 0",
        "\"sensitivity\": 3.5",
        "\"sensitivity\": [1]",
        "\"vsync\": \"perhaps\"",
        "\"vsync\": true",
        "\"fullscreen\": \"sometimes\"",
        "\"volume\": 1.1",
        "\"volume\": -1",
        "\"textSize\": 0.5",
        "\"highContrast\": 1",
        "\"brightness\": 3",
        "\"hintsDone\": \"look\"",
        "\"hintsDone\": [\"look\", 1]",
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        char text[128];
        cn_format(text, sizeof text, "{\"version\": 1, %s}", wrong[i]);
        Reading reading = reading_of(text);
        assert_int_equal(reading.result, CRAFTY_CHOICES_PARTLY);
        assert_problem(&reading, "must be");
        assert_memory_equal(&reading.choices, &(CraftyChoices){0}, sizeof(CraftyChoices));
    }
}

static void a_misspelled_key_is_reported_with_the_right_one(void **state)
{
    (void)state;
    Reading reading = reading_of("{\"version\": 1, \"viewDistanse\": 8}");
    assert_int_equal(reading.result, CRAFTY_CHOICES_FINE);
    assert_problem(&reading, "there is no setting \"viewDistanse\" (did you mean "
                             "\"viewDistance\"?)");
}

static void a_misspelled_effect_is_reported_at_its_place(void **state)
{
    (void)state;
    Reading reading = reading_of("{\"version\": 1, \"effects\": {\"dof\": true,\n  \"cluods\": "
                                 "false}}");
    assert_problem(&reading, "settings.json:2:3: there is no effect \"cluods\" (did you mean "
                             "\"clouds\"?)");
    assert_int_equal(reading.choices.effects_on, CRAFTY_DOF);
}

static void keys_of_other_programs_stay_in_the_file(void **state)
{
    (void)state;
    char text[1024];
    write_again("{\"colour\": [0.1, {\"a\": null}], \"version\": 1, \"fieldOfView\": 60}", text,
                sizeof text);
    assert_string_equal(text, "{\n    \"version\": 1,\n    \"fieldOfView\": 60,\n    \"colour\": "
                              "[0.10000000000000001, {\"a\": null}]\n}\n");
}

static void what_is_not_a_settings_file_chooses_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "{",
                                        "[1]",
                                        "{}",
                                        "{\"version\": 2, \"quality\": \"low\"}",
                                        "{\"version\": \"1\", \"quality\": \"low\"}",
                                        "{\"version\": 1, \"version\": 1}"};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        Reading reading = reading_of(wrong[i]);
        assert_int_equal(reading.result, CRAFTY_CHOICES_DAMAGED);
        assert_problem(&reading, "settings.json:");
        assert_memory_equal(&reading.choices, &(CraftyChoices){0}, sizeof(CraftyChoices));
    }
}

static void a_text_that_is_too_deep_is_refused_before_it_is_parsed(void **state)
{
    (void)state;
    char text[512] = "{\"version\": 1, \"a\": ";
    size_t length = strlen(text);
    memset(text + length, '[', 200);
    memset(text + length + 200, ']', 200);
    text[length + 400] = '}';
    Reading reading = reading_of(text);
    assert_int_equal(reading.result, CRAFTY_CHOICES_DAMAGED);
    assert_problem(&reading, "levels");
}

static void control_characters_of_a_key_are_escaped_in_messages(void **state)
{
    (void)state;
    Reading reading = reading_of("{\"version\": 1, \"\\u001b[2J\": 1}");
    assert_null(strchr(reading.problems, '\033'));
    assert_problem(&reading, "\\x1b");
}

/* ---- Use ---- */

static void choices_change_the_settings_of_a_quality(void **state)
{
    (void)state;
    CraftySettings settings = crafty_settings(CRAFTY_LOW);
    CraftyChoices choices = {
        .effects_on = CRAFTY_DOF, .effects_off = CRAFTY_CLOUDS, .view_distance = 5};
    crafty_choices_apply(&choices, &settings);
    assert_true(settings.effects & CRAFTY_DOF && !(settings.effects & CRAFTY_CLOUDS));
    assert_int_equal(settings.view_distance, 5);
}

static CraftyTuning tuning_of(CraftyQuality quality)
{
    CraftySettings settings = crafty_settings(quality);
    return (CraftyTuning){quality, settings.effects, settings.view_distance,
                          crafty_preferences_default()};
}

static void what_the_player_did_not_change_is_not_chosen(void **state)
{
    (void)state;
    CraftyChoices choices = {0};
    CraftyTuning before = tuning_of(CRAFTY_LOW), after = before;
    assert_false(crafty_choices_note(&choices, &before, &after));
    after.preferences.fov = 80;
    assert_true(crafty_choices_note(&choices, &before, &after));
    assert_int_equal(choices.chosen, UINT64_C(1) << crafty_preference_find("fieldOfView"));
    assert_true(crafty_choices_preferences(&choices).fov == 80);
    assert_true(!choices.has_quality && !choices.view_distance);
    assert_int_equal(choices.effects_on | choices.effects_off, 0);
}

static void another_quality_drops_the_effects_chosen_before(void **state)
{
    (void)state;
    CraftyChoices choices = {.effects_on = CRAFTY_DOF, .view_distance = 9};
    CraftyTuning before = tuning_of(CRAFTY_LOW), after = tuning_of(CRAFTY_HIGH);
    assert_true(crafty_choices_note(&choices, &before, &after));
    assert_true(choices.has_quality && choices.quality == CRAFTY_HIGH);
    assert_int_equal(choices.effects_on | choices.effects_off | choices.view_distance, 0);
}

static void a_preference_with_its_default_value_is_no_longer_chosen(void **state)
{
    (void)state;
    CraftyChoices choices = {0};
    CraftyTuning standard = tuning_of(CRAFTY_LOW), changed = standard;
    for (uint32_t i = 0; crafty_preference(i); i++)
        crafty_preference_set(&changed.preferences, i, crafty_preference(i)->standard > 0 ? 0 : 1);
    assert_true(crafty_choices_note(&choices, &standard, &changed));
    assert_true(choices.chosen > 0);
    assert_true(crafty_choices_note(&choices, &changed, &standard));
    assert_int_equal(choices.chosen, 0);
}

static void every_preference_comes_back_from_a_file(void **state)
{
    (void)state;
    CraftyTuning standard = tuning_of(CRAFTY_LOW), changed = standard;
    CraftyChoices choices = {0};
    char text[2048];
    for (uint32_t i = 0; crafty_preference(i); i++) {
        const CraftyPreference *info = crafty_preference(i);
        float value = info->kind == CRAFTY_PREFERENCE_NUMBER ? info->maximum : 1 - info->standard;
        crafty_preference_set(&changed.preferences, i, value);
    }
    assert_true(crafty_choices_note(&choices, &standard, &changed));
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_true(crafty_choices_write(&choices, cn_text(""), &builder));
    assert_true(cn_copy_text(text, sizeof text, cn_text(builder.items)));
    cn_array_fini(&builder);
    Reading reading = reading_of(text);
    assert_int_equal(reading.result, CRAFTY_CHOICES_FINE);
    CraftyPreferences read = crafty_choices_preferences(&reading.choices);
    for (uint32_t i = 0; crafty_preference(i); i++)
        assert_true(crafty_preference_get(&read, i) ==
                    crafty_preference_get(&changed.preferences, i));
}

static void an_effect_switched_twice_is_chosen_as_it_is(void **state)
{
    (void)state;
    CraftyChoices choices = {0};
    CraftyTuning on = tuning_of(CRAFTY_LOW), off = on;
    off.effects &= ~(uint32_t)CRAFTY_CLOUDS;
    assert_true(crafty_choices_note(&choices, &on, &off));
    assert_int_equal(choices.effects_off, CRAFTY_CLOUDS);
    assert_true(crafty_choices_note(&choices, &off, &on));
    assert_int_equal(choices.effects_off, 0);
    assert_int_equal(choices.effects_on, CRAFTY_CLOUDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_settings_are_read),
        cmocka_unit_test(what_is_written_is_what_was_read),
        cmocka_unit_test(only_what_was_chosen_is_written),
        cmocka_unit_test(a_wrong_value_is_named_with_its_line_and_the_rest_is_kept),
        cmocka_unit_test(every_setting_refuses_what_is_not_one),
        cmocka_unit_test(a_misspelled_key_is_reported_with_the_right_one),
        cmocka_unit_test(a_misspelled_effect_is_reported_at_its_place),
        cmocka_unit_test(keys_of_other_programs_stay_in_the_file),
        cmocka_unit_test(what_is_not_a_settings_file_chooses_nothing),
        cmocka_unit_test(a_text_that_is_too_deep_is_refused_before_it_is_parsed),
        cmocka_unit_test(control_characters_of_a_key_are_escaped_in_messages),
        cmocka_unit_test(choices_change_the_settings_of_a_quality),
        cmocka_unit_test(what_the_player_did_not_change_is_not_chosen),
        cmocka_unit_test(another_quality_drops_the_effects_chosen_before),
        cmocka_unit_test(a_preference_with_its_default_value_is_no_longer_chosen),
        cmocka_unit_test(every_preference_comes_back_from_a_file),
        cmocka_unit_test(an_effect_switched_twice_is_chosen_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

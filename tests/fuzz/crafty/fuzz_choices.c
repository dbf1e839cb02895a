/*
 * The settings file of Crafty: whatever it contains, the choices are within their ranges, a problem
 * is reported with them if something is ignored, and what is written is read without a problem.
 */
#include "fuzz_surface.h"

#include <crafty/client/choices.h>

#include <string.h>

static const char *const words[] = {"\"version\": 1,",
                                    "\"quality\":",
                                    "\"low\"",
                                    "\"ultra\"",
                                    "\"effects\":",
                                    "\"clouds\":",
                                    "\"dof\"",
                                    "\"viewDistance\":",
                                    "\"fieldOfView\":",
                                    "\"sensitivity\":",
                                    "\"vsync\":",
                                    "\"mailbox\"",
                                    "\"fullscreen\":",
                                    "\"interfaceScale\":",
                                    "\"volume\":",
                                    "\"toggleSneak\":",
                                    "\"textSize\":",
                                    "\"hints\":",
                                    "\"hintsDone\":",
                                    "\"wood\"",
                                    "true",
                                    "false",
                                    "null",
                                    "1e308",
                                    "-0",
                                    "40",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "\\u0000",
                                    "\\ud800",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "{\"version\": 1, \"quality\": \"high\", \"effects\": {\"clouds\": false, "
                         "\"dof\": true}, \"viewDistance\": 12, \"fieldOfView\": 85.5, "
                         "\"sensitivity\": 1.25, \"vsync\": \"off\", \"fullscreen\": true, "
                         "\"musicVolume\": 0.25, \"invertY\": true, \"textSize\": 1.5, "
                         "\"hintsDone\": [\"look\", \"table\"], "
                         "\"other\": {\"a\": [1, 2.5, \"x\"]}}");
    fuzz_add_text(seeds, "{\"version\": 1}");
}

static void check(const CraftyChoices *choices)
{
    FUZZ_CHECK(choices->quality < CRAFTY_QUALITY_COUNT);
    FUZZ_CHECK(!((choices->effects_on | choices->effects_off) & ~CRAFTY_ALL_EFFECTS));
    FUZZ_CHECK(!(choices->effects_on & choices->effects_off));
    FUZZ_CHECK(!choices->view_distance || (choices->view_distance >= CRAFTY_MIN_DISTANCE &&
                                           choices->view_distance <= CRAFTY_MAX_DISTANCE));
    for (uint32_t i = 0; crafty_preference(i); i++) {
        const CraftyPreference *info = crafty_preference(i);
        float value = crafty_preference_get(&choices->preferences, i);
        bool is_chosen = choices->chosen >> i & 1;
        float maximum = info->kind == CRAFTY_PREFERENCE_NUMBER ? info->maximum
                        : info->kind == CRAFTY_PREFERENCE_NAME ? (float)(info->name_count - 1)
                                                               : 1;
        FUZZ_CHECK(is_chosen ? value >= info->minimum && value <= maximum : value == 0);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnText text = {(const char *)bytes, size};
    CraftyChoices choices, again;
    CnTextBuilder problems, written;
    cn_array_init(&problems, NULL);
    cn_array_init(&written, NULL);
    CraftyChoicesResult result = crafty_choices_read(&choices, "file", text, &problems);
    FUZZ_CHECK(result == CRAFTY_CHOICES_FINE || problems.count > 0);
    check(&choices);
    FUZZ_CHECK(crafty_choices_write(&choices, text, &written));
    CnText next = {written.items, written.count};
    FUZZ_CHECK(crafty_choices_read(&again, "file", next, &problems) == CRAFTY_CHOICES_FINE);
    FUZZ_CHECK(again.has_quality == choices.has_quality && again.quality == choices.quality);
    FUZZ_CHECK(again.effects_on == choices.effects_on && again.effects_off == choices.effects_off);
    FUZZ_CHECK(again.hints_done == choices.hints_done);
    FUZZ_CHECK(again.view_distance == choices.view_distance && again.chosen == choices.chosen);
    for (uint32_t i = 0; crafty_preference(i); i++)
        FUZZ_CHECK(crafty_preference_get(&again.preferences, i) ==
                   crafty_preference_get(&choices.preferences, i));
    cn_array_fini(&problems);
    cn_array_fini(&written);
    return result != CRAFTY_CHOICES_DAMAGED;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 1024, .words = words, .add_seeds = add_seeds, .run = run};

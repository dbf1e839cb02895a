/*
 * Keys, clicks, letters and lost windows at random, in all windows of Crafty: settings stay what
 * they may be, and the mouse is the player's only while none is open. The test makes its cases from
 * a seed, so it always runs the same ones.
 */
#include "menu_fixture.h"
#include "random.h"
#include "scratch.h"
#include "standard_blocks.h"

#include <stdlib.h>

#define FRAMES 12000u

static CnInputEvent any_key(TestRandom *random)
{
    static const uint16_t keys[] = {CN_KEY_ESCAPE, CN_KEY_F4,    CN_KEY_B,    CN_KEY_F,
                                    CN_KEY_TAB,    CN_KEY_SPACE, CN_KEY_DOWN, CN_KEY_RIGHT,
                                    CN_KEY_1,      CN_KEY_9,     CN_KEY_W,    CN_KEY_RETURN};
    return (CnInputEvent){.kind = CN_INPUT_KEY,
                          .pressed = test_random_chance(random, 50),
                          .code = keys[test_random_below(random, CN_COUNT_OF(keys))]};
}

static CnInputEvent any_event(TestRandom *random)
{
    switch (test_random_below(random, 9)) {
    case 6:
        return (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = test_random_below(random, CN_GAMEPAD_BUTTON_COUNT)};
    case 0:
        return (CnInputEvent){.kind = CN_INPUT_FOCUS_LOST};
    case 1:
        return (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED};
    case 2:
        return (CnInputEvent){.kind = CN_INPUT_WHEEL,
                              .dy = (float)test_random_below(random, 9) - 4};
    case 3:
        return (CnInputEvent){.kind = CN_INPUT_TEXT,
                              .bytes = 1,
                              .data = {(uint8_t)(32 + test_random_below(random, 95))}};
    case 4:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                              .x = (float)test_random_below(random, FIXTURE_WIDTH),
                              .y = (float)test_random_below(random, FIXTURE_HEIGHT)};
    case 5:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = CN_MOUSE_LEFT};
    default:
        return any_key(random);
    }
}

static void check(const MenuFixture *fixture)
{
    const CnWorld *world = cn_engine_world(fixture->engine);
    const CraftyPlayer *player = cn_get(world, fixture->eye, CraftyPlayer);
    float fov = fixture->preferences.fov;
    assert_true(fixture->menu.page == CRAFTY_MENU_CLOSED || !fixture_aims(fixture));
    assert_true(fixture->quality < CRAFTY_QUALITY_COUNT);
    assert_true(fixture->settings.view_distance >= 2 &&
                fixture->settings.view_distance <= CRAFTY_MAX_DISTANCE);
    assert_false(fixture->settings.effects & ~CRAFTY_ALL_EFFECTS);
    assert_true(fov >= 50 && fov <= 110);
    for (uint32_t i = 0; crafty_preference(i); i++) {
        CraftyPreferences limited = fixture->preferences;
        float value = crafty_preference_get(&limited, i);
        crafty_preference_set(&limited, i, value);
        assert_true(crafty_preference_get(&limited, i) == value);
    }
    assert_true(fixture->preferences.sensitivity >= 0.19f &&
                fixture->preferences.sensitivity <= 3.01f);
    assert_true(player->slot < CRAFTY_SLOTS);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        assert_true(player->slots[i].count <= CRAFTY_STACK_MAX);
}

static void nothing_that_is_pressed_leads_to_what_may_not_be(void **state)
{
    (void)state;
    MenuFixture fixture;
    TestRandom random = {7};
    uint32_t pages = 0, changes = 0, ends = 0;
    fixture_begin(&fixture);
    fixture.has_no_chat = true; /* commands change the mode: test_chat_screen_fuzz.c */
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    for (uint32_t i = 0; i < FRAMES; i++) {
        fixture_send(&fixture, any_event(&random));
        run_frames(fixture.engine, 1 + i % 2);
        pages |= 1u << fixture.menu.page;
        if (i % 2)
            check(&fixture);
        if (!fixture.menu.quits) /* the program then ends */
            continue;
        changes += fixture.changes;
        ends++;
        fixture_end(&fixture);
        fixture_begin(&fixture);
        fixture.has_no_chat = true; /* commands change the mode: test_chat_screen_fuzz.c */
        fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    }
    assert_int_equal(pages, 15); /* closed, pause, settings and inventory */
    assert_true(changes + fixture.changes > 0 && ends > 0);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_is_pressed_leads_to_what_may_not_be),
    };
    Scratch scratch; /* of the player's files */
    scratch_init(&scratch);
    setenv("XDG_CONFIG_HOME", scratch.folder, 1);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_fini(&scratch);
    return failures;
}

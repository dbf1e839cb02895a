/*
 * Keys, clicks, letters and the wheel at random on the list of worlds, with worlds that are damaged
 * and worlds that are open: it never crashes, and no world is ever lost, whatever is renamed,
 * copied, restored and deleted. The test makes its events from a seed; the thread that uses the
 * files makes their times differ.
 */
#include "random.h"
#include "world_screen_fixture.h"

#include <string.h>

#define FRAMES 6000u /* at least, and until every dialog was open */

static const uint16_t keys[] = {CN_KEY_ESCAPE, CN_KEY_RETURN, CN_KEY_TAB,    CN_KEY_SPACE,
                                CN_KEY_DOWN,   CN_KEY_UP,     CN_KEY_DELETE, CN_KEY_BACKSPACE,
                                CN_KEY_HOME,   CN_KEY_END,    CN_KEY_RIGHT,  CN_KEY_LEFT};

static CnInputEvent any_event(TestRandom *random)
{
    switch (test_random_below(random, 8)) {
    case 0:
        return (CnInputEvent){.kind = CN_INPUT_WHEEL,
                              .dy = (float)test_random_below(random, 9) - 4};
    case 1:
        return (CnInputEvent){.kind = CN_INPUT_TEXT,
                              .bytes = 1,
                              .data = {(uint8_t)(32 + test_random_below(random, 95))}};
    case 2:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                              .x = (float)test_random_below(random, SCREEN_FIXTURE_WIDTH),
                              .y = (float)test_random_below(random, SCREEN_FIXTURE_HEIGHT)};
    case 3: /* on the buttons below the list */
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                              .x = (float)test_random_below(random, SCREEN_FIXTURE_WIDTH),
                              .y = SCREEN_FIXTURE_HEIGHT - 30};
    case 4:
    case 5:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = CN_MOUSE_LEFT};
    default:
        return (CnInputEvent){.kind = CN_INPUT_KEY,
                              .pressed = test_random_chance(random, 60),
                              .code = keys[test_random_below(random, CN_COUNT_OF(keys))]};
    }
}

/* The number of worlds of the folder and among the deleted ones with this seed. */
static uint32_t count_seed(const ScreenFixture *fixture, uint64_t seed)
{
    uint32_t count = 0;
    static const CraftyWorldsPlace places[] = {CRAFTY_WORLDS_PLAYABLE, CRAFTY_WORLDS_DELETED,
                                               CRAFTY_WORLDS_BACKUPS};
    for (uint32_t i = 0; i < CN_COUNT_OF(places); i++) {
        CraftyWorldList list;
        CnError error = {0};
        if (!crafty_worlds_list(fixture->scratch.folder, places[i], &list, &error))
            fail_msg("%s", error.message);
        for (uint32_t k = 0; k < list.count; k++)
            count += list.items[k].error.code == CN_OK && list.items[k].info.identity.seed == seed;
        crafty_worlds_list_free(&list);
    }
    return count;
}

static void check(const ScreenFixture *fixture)
{
    const CraftyWorldScreen *screen = fixture->screen;
    assert_true(screen->selected < screen->list.count || screen->list.count == 0);
    assert_true(screen->dialog <= CRAFTY_DIALOG_MESSAGE);
    assert_true(strlen(screen->name) < sizeof screen->name);
    assert_true(screen->backup < screen->backups.count || screen->backup == 0);
    assert_int_equal(fixture->stats.refused, 0);
}

static void no_world_is_lost_whatever_is_pressed(void **state)
{
    (void)state;
    static const char *const names[] = {"One", "Two", "Three", "Four", "Five", NULL};
    ScreenFixture fixture;
    TestRandom random = {11};
    uint32_t dialogs = 0, plays = 0, quits = 0;
    screen_fixture_begin_with_mod(&fixture, names);
    char broken[512];
    cn_format(broken, sizeof broken, "%s/Broken.crafty", fixture.scratch.folder);
    assert_true(cn_file_write_all(cn_native_files(), broken, "no world", 8, NULL));
    const uint32_t all = (1u << (CRAFTY_DIALOG_MESSAGE + 1)) - 1;
    for (uint32_t i = 0; i < FRAMES || (dialogs != all && i < 40 * FRAMES); i++) {
        CnInputEvent event = any_event(&random);
        screen_fixture_send(&fixture, event);
        run_frames(fixture.engine, 1);
        dialogs |= 1u << fixture.screen->dialog;
        check(&fixture);
        quits += fixture.event == CRAFTY_WORLD_SCREEN_BACK;
        if (fixture.event != CRAFTY_WORLD_SCREEN_PLAY)
            continue;
        CnError error = {.code = CN_ERROR_IO, .message = "not now"};
        plays++;
        crafty_world_screen_show(fixture.screen, NULL, plays % 2 ? &error : NULL);
    }
    screen_fixture_settle(&fixture);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(count_seed(&fixture, i) >= 1);
    assert_int_equal(dialogs, all);
    assert_true(plays > 0 && quits > 0);
    screen_fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_world_is_lost_whatever_is_pressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

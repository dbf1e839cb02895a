/*
 * Keys, clicks, letters and lost windows at random, in all windows of Crafty: settings stay what
 * they may be, and the mouse is the player's only while none is open. The test makes its cases from
 * a seed, so it always runs the same ones.
 */
#include "menu_fixture.h"
#include "random.h"
#include "standard_blocks.h"

#define FRAMES 3000u

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
    switch (test_random_below(random, 8)) {
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
                              .x = (float)test_random_below(random, DESK_WIDTH),
                              .y = (float)test_random_below(random, DESK_HEIGHT)};
    case 5:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = CN_MOUSE_LEFT};
    default:
        return any_key(random);
    }
}

static void check(const Desk *desk)
{
    const CnWorld *world = cn_engine_world(desk->engine);
    const CraftyPlayer *player = cn_get(world, desk->eye, CraftyPlayer);
    float fov = desk->lens.fov;
    assert_true(desk->menu.page == CRAFTY_MENU_CLOSED || !desk_aims(desk));
    assert_true(desk->quality < CRAFTY_QUALITY_COUNT);
    assert_true(desk->settings.view_distance >= 2 &&
                desk->settings.view_distance <= CRAFTY_MAX_DISTANCE);
    assert_false(desk->settings.effects & ~CRAFTY_ALL_EFFECTS);
    assert_true(fov >= 50 && fov <= 110);
    assert_true(desk->menu.sensitivity >= 0.19f && desk->menu.sensitivity <= 3.01f);
    assert_int_equal(cn_resource(world, CraftyCommandCounts)->ignored, 0);
    assert_true(player->slot < CRAFTY_SLOTS);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        assert_int_equal(crafty_stack_checked(desk->items, player->slots[i]).count, 1);
}

static void nothing_that_is_pressed_leads_to_what_may_not_be(void **state)
{
    (void)state;
    Desk desk;
    TestRandom random = {7};
    uint32_t pages = 0, changes = 0, ends = 0;
    desk_begin(&desk);
    for (uint32_t i = 0; i < FRAMES; i++) {
        desk_send(&desk, any_event(&random));
        run_frames(desk.engine, 1 + i % 2);
        pages |= 1u << desk.menu.page;
        if (i % 2)
            check(&desk);
        if (!desk.menu.quits) /* the program then ends */
            continue;
        changes += desk.changes;
        ends++;
        desk_end(&desk);
        desk_begin(&desk);
    }
    assert_int_equal(pages, 15); /* all were there */
    assert_true(changes + desk.changes > 0 && ends > 0);
    desk_end(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_is_pressed_leads_to_what_may_not_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

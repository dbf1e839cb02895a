/* Hints: what is shown to whom, until it is done, and never again. */
#include "menu_fixture.h"

#include <crafty/client/hints.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/place.h>

#include <string.h>

typedef struct Case {
    MenuFixture fixture;
    CraftyHints hints;
    uint32_t done;
    CraftyHintsView view;
} Case;

static CnWorld *world_of(Case *test)
{
    return cn_engine_world(test->fixture.engine);
}

static CraftyPlayer *player_of(Case *test)
{
    return cn_get_mut(world_of(test), test->fixture.eye, CraftyPlayer);
}

static void begin(Case *test, CraftyPlayerMode mode)
{
    *test = (Case){0};
    fixture_begin(&test->fixture);
    test->view = (CraftyHintsView){.world = world_of(test),
                                   .player = test->fixture.eye,
                                   .items = test->fixture.items,
                                   .hours = 9,
                                   .seconds = 1};
    crafty_hints_reset(&test->hints);
    CraftyPlayer *player = player_of(test);
    player->mode = (uint8_t)mode;
    memset(player->slots, 0, sizeof player->slots);
    memset(player->inventory, 0, sizeof player->inventory);
}

static void end(Case *test)
{
    fixture_end(&test->fixture);
}

static bool frame(Case *test)
{
    return crafty_hints_frame(&test->hints, &test->done, &test->view);
}

static void give(Case *test, const char *name)
{
    CraftyItem item = crafty_items_find(test->fixture.items, name);
    assert_true(item != 0);
    player_of(test)->inventory[3] = (CraftyStack){.item = item, .count = 1};
}

static void do_first_three(Case *test)
{
    test->done |= 1u << CRAFTY_HINT_LOOK | 1u << CRAFTY_HINT_MOVE | 1u << CRAFTY_HINT_JUMP;
}

static void looking_around_is_the_first_hint(void **state)
{
    (void)state;
    Case test;
    begin(&test, CRAFTY_MODE_SURVIVAL);
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_LOOK);
    for (uint32_t i = 0; i < 10; i++) {
        CnTransform *transform = cn_get_mut(world_of(&test), test.fixture.eye, CnTransform);
        transform->rotation = cn_quat_from_euler(cn_vec3(0, 10 * (float)i, 0));
        frame(&test);
    }
    assert_true(test.done >> CRAFTY_HINT_LOOK & 1);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_MOVE);
    end(&test);
}

static void walking_is_noticed_but_not_a_jump_elsewhere(void **state)
{
    (void)state;
    Case test;
    begin(&test, CRAFTY_MODE_SURVIVAL);
    frame(&test);
    cn_get_mut(world_of(&test), test.fixture.eye, CnTransform)->position.x += 500;
    frame(&test);
    assert_false(test.done >> CRAFTY_HINT_MOVE & 1);
    for (uint32_t i = 0; i < 10; i++) {
        cn_get_mut(world_of(&test), test.fixture.eye, CnTransform)->position.x += 0.5f;
        frame(&test);
    }
    assert_true(test.done >> CRAFTY_HINT_MOVE & 1);
    end(&test);
}

static void wood_leads_to_planks_and_a_pickaxe(void **state)
{
    (void)state;
    static const struct {
        const char *item;
        CraftyHint next;
    } steps[] = {{"oak_log", CRAFTY_HINT_INVENTORY}, {"oak_planks", CRAFTY_HINT_INVENTORY}};
    Case test;
    begin(&test, CRAFTY_MODE_SURVIVAL);
    do_first_three(&test);
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_WOOD);
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
        give(&test, steps[i].item);
        assert_true(frame(&test));
        assert_int_equal(test.hints.hint, steps[i].next);
    }
    player_of(&test)->open = CRAFTY_OPEN_INVENTORY;
    assert_true(frame(&test));
    assert_int_equal(test.hints.hint, CRAFTY_HINT_TABLE); /* there are planks already */
    player_of(&test)->open = CRAFTY_OPEN_TABLE;
    assert_true(frame(&test));
    assert_int_equal(test.hints.hint, CRAFTY_HINT_PICKAXE);
    end(&test);
}

static void what_is_done_is_not_shown_in_another_world(void **state)
{
    (void)state;
    Case test;
    begin(&test, CRAFTY_MODE_SURVIVAL);
    do_first_three(&test);
    crafty_hints_reset(&test.hints);
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_WOOD);
    assert_false(frame(&test));
    end(&test);
}

static void a_shelter_comes_first_in_the_evening(void **state)
{
    (void)state;
    Case test;
    begin(&test, CRAFTY_MODE_SURVIVAL);
    do_first_three(&test);
    test.view.hours = 16;
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_SHELTER);
    end(&test);
}

static void builders_get_no_goals(void **state)
{
    (void)state;
    Case test;
    begin(&test, CRAFTY_MODE_CREATIVE);
    do_first_three(&test);
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_INVENTORY);
    test.view.has_list = true;
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_FLY);
    player_of(&test)->flies = true;
    frame(&test);
    assert_int_equal(test.hints.hint, CRAFTY_HINT_COUNT);
    end(&test);
}

static void every_hint_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_HINT_COUNT; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(crafty_hint_name(i), crafty_hint_name(k));
    assert_null(crafty_hint_name(CRAFTY_HINT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_around_is_the_first_hint),
        cmocka_unit_test(walking_is_noticed_but_not_a_jump_elsewhere),
        cmocka_unit_test(wood_leads_to_planks_and_a_pickaxe),
        cmocka_unit_test(what_is_done_is_not_shown_in_another_world),
        cmocka_unit_test(a_shelter_comes_first_in_the_evening),
        cmocka_unit_test(builders_get_no_goals),
        cmocka_unit_test(every_hint_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

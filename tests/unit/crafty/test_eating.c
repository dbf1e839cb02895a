/* Eating the held food. */
#include "player_fixture.h"

#include <crafty/sim/eating.h>
#include <crafty/sim/vitals.h>

#define EATING_TICKS 98u /* 1.6 seconds, and the tick in which the button is noticed */

static CraftyItem apple;

/* A hungry player with three apples. */
static Fixture make_meal(CraftyPlayerMode mode)
{
    Fixture fixture = make_fixture(mode);
    apple = crafty_items_add(fixture.items, &(CraftyItemDesc){.name = "apple", .food = 4}, NULL);
    assert_int_not_equal(apple, CRAFTY_NO_ITEM);
    CraftyPlayer *player = cn_get_mut(fixture.world, fixture.eye, CraftyPlayer);
    player->slot = 4;
    player->slots[4] = (CraftyStack){.item = apple, .count = 3};
    cn_get_mut(fixture.world, fixture.eye, CraftyVitals)->food = 10;
    assert_true(crafty_player_capture(fixture.world, fixture.eye, true));
    input_ticks(&fixture.input, fixture.sim, 30);
    return fixture;
}

static float food(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyVitals)->food;
}

static uint32_t apples(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyPlayer)->slots[4].count;
}

static void eat(Fixture *fixture, uint32_t ticks)
{
    input_button(&fixture->input, CN_MOUSE_RIGHT, true);
    input_ticks(&fixture->input, fixture->sim, ticks);
}

static void an_item_is_eaten_after_1_6_seconds(void **state)
{
    (void)state;
    Fixture fixture = make_meal(CRAFTY_MODE_SURVIVAL);
    eat(&fixture, EATING_TICKS - 4);
    assert_int_equal(apples(&fixture), 3);
    input_ticks(&fixture.input, fixture.sim, 4);
    assert_int_equal(apples(&fixture), 2);
    assert_float_equal(food(&fixture), 14, 0);
    end_fixture(&fixture);
}

static void eating_is_one_event_with_what_it_gave(void **state)
{
    (void)state;
    Fixture fixture = make_meal(CRAFTY_MODE_SURVIVAL);
    cn_get_mut(fixture.world, fixture.eye, CraftyVitals)->food = 18;
    CnEventReader *reader =
        cn_event_reader_create(cn_channel(fixture.world, CraftyPlayerEvent), NULL);
    uint32_t count = 0;
    eat(&fixture, 3 * EATING_TICKS); /* the player is not hungry after the first */
    for (const CraftyPlayerEvent *e; (e = cn_read_next(reader, CraftyPlayerEvent));)
        if (e->kind == CRAFTY_PLAYER_ATE) {
            count++;
            assert_int_equal(e->item, apple);
            assert_float_equal(e->value, 2, 0);
        }
    assert_int_equal(count, 1);
    assert_int_equal(apples(&fixture), 2);
    cn_event_reader_destroy(reader);
    end_fixture(&fixture);
}

static void releasing_the_button_starts_over(void **state)
{
    (void)state;
    Fixture fixture = make_meal(CRAFTY_MODE_SURVIVAL);
    for (uint32_t i = 0; i < 4; i++) {
        eat(&fixture, EATING_TICKS / 2);
        input_button(&fixture.input, CN_MOUSE_RIGHT, false);
        input_ticks(&fixture.input, fixture.sim, 2);
    }
    assert_int_equal(apples(&fixture), 3);
    end_fixture(&fixture);
}

static void another_slot_starts_over(void **state)
{
    (void)state;
    Fixture fixture = make_meal(CRAFTY_MODE_SURVIVAL);
    eat(&fixture, EATING_TICKS / 2);
    hold(&fixture, CN_KEY_1, 2);
    hold(&fixture, CN_KEY_5, 2);
    input_ticks(&fixture.input, fixture.sim, EATING_TICKS / 2);
    assert_int_equal(apples(&fixture), 3);
    end_fixture(&fixture);
}

static void the_last_item_leaves_an_empty_slot(void **state)
{
    (void)state;
    Fixture fixture = make_meal(CRAFTY_MODE_SURVIVAL);
    cn_get_mut(fixture.world, fixture.eye, CraftyPlayer)->slots[4].count = 1;
    eat(&fixture, 2 * EATING_TICKS);
    assert_true(crafty_stack_is_empty(cn_get(fixture.world, fixture.eye, CraftyPlayer)->slots[4]));
    assert_float_equal(food(&fixture), 14, 0);
    end_fixture(&fixture);
}

static void creative_players_the_full_and_the_dead_do_not_eat(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        Fixture fixture = make_meal(i == 0 ? CRAFTY_MODE_CREATIVE : CRAFTY_MODE_SURVIVAL);
        if (i == 1)
            cn_get_mut(fixture.world, fixture.eye, CraftyVitals)->food = CRAFTY_MAX_FOOD;
        if (i == 2)
            cn_get_mut(fixture.world, fixture.eye, CraftyVitals)->dead =
                cn_get_mut(fixture.world, fixture.eye, CraftyVitals)->dropped = true;
        eat(&fixture, 2 * EATING_TICKS);
        assert_int_equal(apples(&fixture), 3);
        end_fixture(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_eaten_after_1_6_seconds),
        cmocka_unit_test(eating_is_one_event_with_what_it_gave),
        cmocka_unit_test(releasing_the_button_starts_over),
        cmocka_unit_test(another_slot_starts_over),
        cmocka_unit_test(the_last_item_leaves_an_empty_slot),
        cmocka_unit_test(creative_players_the_full_and_the_dead_do_not_eat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Mouse, keys and gamepad at random on the screens of slots of a real simulation: nothing crashes,
 * and no item appears or vanishes except by recipes. The test makes its cases from a seed, so it
 * always runs the same ones.
 */
#include "random.h"
#include "slot_screen_fixture.h"

#ifndef INPUTS
#define INPUTS 100000u
#endif
#define SESSIONS 8u

static const char *const given[] = {"oak_log",    "stone", "stick",      "coal",
                                    "iron_ingot", "torch", "oak_planks", "cobblestone"};

/* ---- Input ---- */

static CnInputEvent any_key(TestRandom *random)
{
    static const uint16_t keys[] = {CN_KEY_E,     CN_KEY_ESCAPE,     CN_KEY_Q,        CN_KEY_1,
                                    CN_KEY_5,     CN_KEY_9,          CN_KEY_TAB,      CN_KEY_RETURN,
                                    CN_KEY_SPACE, CN_KEY_LEFT,       CN_KEY_RIGHT,    CN_KEY_UP,
                                    CN_KEY_DOWN,  CN_KEY_LEFT_SHIFT, CN_KEY_LEFT_CTRL};
    return (CnInputEvent){.kind = CN_INPUT_KEY,
                          .pressed = test_random_chance(random, 50),
                          .code = keys[test_random_below(random, CN_COUNT_OF(keys))]};
}

/* Half of the motions go to a slot. */
static CnInputEvent any_motion(const SlotFixture *fixture, TestRandom *random)
{
    const CraftySlotView *slots = &fixture->menu.inventory.slots;
    CnInputEvent event = {.kind = CN_INPUT_MOUSE_MOVE,
                          .x = (float)test_random_below(random, 640),
                          .y = (float)test_random_below(random, 360)};
    if (slots->count && test_random_chance(random, 50)) {
        CnRect rect = slots->slots[test_random_below(random, slots->count)].rect;
        event.x = rect.x + 10;
        event.y = rect.y + 10;
    }
    return event;
}

static CnInputEvent any_event(const SlotFixture *fixture, TestRandom *random)
{
    switch (test_random_below(random, 10)) {
    case 0:
    case 1:
        return any_key(random);
    case 2:
        return (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = test_random_below(random, CN_GAMEPAD_BUTTON_COUNT)};
    case 3:
        return (CnInputEvent){.kind = CN_INPUT_WHEEL,
                              .dy = (float)test_random_below(random, 9) - 4};
    case 4:
        return (CnInputEvent){.kind = CN_INPUT_TEXT,
                              .bytes = 1,
                              .data = {(uint8_t)(32 + test_random_below(random, 95))}};
    case 5:
    case 6:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code =
                                  test_random_chance(random, 50) ? CN_MOUSE_LEFT : CN_MOUSE_RIGHT};
    default:
        return any_motion(fixture, random);
    }
}

/* ---- Ledger ---- */

typedef struct Ledger {
    uint64_t counts[CN_COUNT_OF(given)];
} Ledger;

static void add(const SlotFixture *fixture, Ledger *ledger, CraftyStack stack)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(given); i++)
        if (stack.item == fixture_item(fixture, given[i]))
            ledger->counts[i] += stack.count;
}

/* All items of the player, of the open block and of drops. */
static Ledger count_all(SlotFixture *fixture, CnCell crate)
{
    Ledger ledger = {0};
    CnWorld *world = cn_engine_world(fixture->engine);
    CraftyPlayer *player = fixture_player_mut(fixture);
    CraftyContainer container;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        add(fixture, &ledger, *crafty_player_slot(player, i));
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        add(fixture, &ledger, player->grid[i]);
    add(fixture, &ledger, player->carried);
    if (crafty_container_read(fixture->sim.voxels, crate, &container))
        for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++)
            add(fixture, &ledger, container.slots[i]);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CraftyDrop)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            add(fixture, &ledger, cn_column_const(&view, CraftyDrop)[i].stack);
    cn_query_release(query);
    return ledger;
}

/* ---- Sessions ---- */

/* Recipes would change the counts, so there are none; crafting is tested by inventory tests. */
static void use_a_crate(TestRandom *random, uint32_t inputs)
{
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    CnWorld *world = cn_engine_world(fixture.engine);
    fixture_player_mut(&fixture)->mode = CRAFTY_MODE_SURVIVAL;
    cn_resource_mut(world, CraftyItemList)->recipes = NULL;
    for (uint32_t i = 0; i < 24; i++)
        fixture_give(&fixture, test_random_below(random, CRAFTY_PLAYER_SLOTS),
                     given[test_random_below(random, CN_COUNT_OF(given))],
                     1 + test_random_below(random, 64));
    CnCell crate = fixture_open(&fixture, CRAFTY_CRATE, CRAFTY_OPEN_CRATE);
    Ledger before = count_all(&fixture, crate);
    uint32_t opened = 0;
    for (uint32_t i = 0; i < inputs; i++) {
        fixture_send(&fixture, any_event(&fixture, random));
        if (i % 3 == 0)
            run_frames(fixture.engine, 1);
        if (fixture.menu.page == CRAFTY_MENU_CLOSED && i % 40 == 0)
            crafty_inventory_open(world, fixture.player,
                                  i % 80 ? CRAFTY_OPEN_CRATE : CRAFTY_OPEN_INVENTORY, crate);
        opened += fixture.menu.page == CRAFTY_MENU_INVENTORY;
        if (fixture.menu.page == CRAFTY_MENU_PAUSE) {
            fixture_key(&fixture, CN_KEY_ESCAPE);
            fixture.menu.quits = fixture.menu.leaves_world = false;
        }
    }
    assert_true(opened > inputs / 4);
    assert_true(cn_resource(world, CraftyCommandCounts)->applied > inputs / 50);
    Ledger after = count_all(&fixture, crate);
    for (uint32_t i = 0; i < CN_COUNT_OF(given); i++)
        if (before.counts[i] != after.counts[i])
            fail_msg("there were %llu of %s, and there are %llu",
                     (unsigned long long)before.counts[i], given[i],
                     (unsigned long long)after.counts[i]);
    fixture_end(&fixture);
}

static void no_item_is_lost_by_random_input(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SESSIONS; i++) {
        TestRandom random = {101 + i};
        use_a_crate(&random, INPUTS / SESSIONS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_item_is_lost_by_random_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

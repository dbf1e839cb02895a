/* Inventory, crafting, crates, furnaces, signs and death, by keys, mouse and gamepad. */
#include "slot_screen_fixture.h"

#include <crafty/sim/sign.h>
#include <crafty/sim/vitals.h>

#include <string.h>

static bool aims(const SlotFixture *fixture)
{
    return crafty_player_aims(cn_engine_world(fixture->engine), fixture->player);
}

static void expect_stack(const SlotFixture *fixture, CraftyStack stack, const char *name,
                         uint32_t count)
{
    assert_int_equal(stack.item, count ? fixture_item(fixture, name) : 0);
    assert_int_equal(stack.count, count);
}

/* ---- Opening and closing ---- */

static void the_key_opens_and_closes_the_inventory(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_key(&fixture, CN_KEY_E);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_INVENTORY);
    assert_int_equal(fixture_player(&fixture)->open, CRAFTY_OPEN_INVENTORY);
    assert_false(aims(&fixture));
    fixture_key(&fixture, CN_KEY_E);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_int_equal(fixture_player(&fixture)->open, CRAFTY_OPEN_NOTHING);
    assert_true(aims(&fixture));
    fixture_end(&fixture);
}

static void escape_closes_the_inventory_and_does_not_pause(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_key(&fixture, CN_KEY_E);
    fixture_key(&fixture, CN_KEY_ESCAPE);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(aims(&fixture));
    fixture_end(&fixture);
}

static void what_the_simulation_closes_is_closed(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_key(&fixture, CN_KEY_E);
    crafty_inventory_close(cn_engine_world(fixture.engine), fixture.player);
    run_frames(fixture.engine, 3);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(aims(&fixture));
    fixture_end(&fixture);
}

static void the_mouse_stays_released_after_a_click_with_the_key(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_E});
    run_frames(fixture.engine, 1);
    fixture_send(&fixture, (CnInputEvent){
                               .kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    crafty_player_capture(cn_engine_world(fixture.engine), fixture.player, true);
    run_frames(fixture.engine, 3);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_INVENTORY);
    assert_false(aims(&fixture));
    fixture_end(&fixture);
}

/* ---- Stacks ---- */

static void a_click_takes_a_stack_and_another_puts_it(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 20);
    fixture_click(&fixture, 2, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 0);
    expect_stack(&fixture, fixture_player(&fixture)->slots[2], "stone", 20);
    fixture_end(&fixture);
}

static void a_drag_spreads_a_stack(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_point(&fixture, 0);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, true);
    fixture_point(&fixture, 1);
    fixture_point(&fixture, 2);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, false);
    for (uint32_t i = 0; i < 3; i++)
        expect_stack(&fixture, fixture_player(&fixture)->slots[i], "stone", 6);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 2);
    fixture_end(&fixture);
}

static void shift_moves_a_stack_to_the_hotbar(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 20, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_send(&fixture,
                 (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_LEFT_SHIFT});
    fixture_click(&fixture, 20, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->slots[0], "stone", 20);
    fixture_end(&fixture);
}

static void a_number_moves_the_hovered_stack_there(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 20, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_point(&fixture, 20);
    fixture_key(&fixture, CN_KEY_4);
    expect_stack(&fixture, fixture_player(&fixture)->slots[3], "stone", 20);
    fixture_end(&fixture);
}

static uint32_t drop_count(const SlotFixture *fixture)
{
    uint32_t count = 0;
    CnWorld *world = cn_engine_world(fixture->engine);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CraftyDrop)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            count += cn_column_const(&view, CraftyDrop)[i].stack.count;
    cn_query_release(query);
    return count;
}

static void a_click_beside_the_panels_drops_what_is_carried(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 5, .y = 5});
    run_frames(fixture.engine, 1);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, true);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 0);
    assert_int_equal(drop_count(&fixture), 20);
    fixture_end(&fixture);
}

static void closing_returns_what_is_carried(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_key(&fixture, CN_KEY_E);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_key(&fixture, CN_KEY_E);
    const CraftyPlayer *player = fixture_player(&fixture);
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        count += player->slots[i].count;
    for (uint32_t i = 0; i < CRAFTY_INVENTORY_SLOTS; i++)
        count += player->inventory[i].count;
    assert_int_equal(count, 20);
    fixture_end(&fixture);
}

/* ---- Crafting ---- */

static void a_log_in_the_grid_becomes_planks(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "oak_log", 3);
    fixture_key(&fixture, CN_KEY_E);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_click(&fixture, CRAFTY_SLOT_GRID, CN_MOUSE_RIGHT); /* one of them */
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_click(&fixture, CRAFTY_SLOT_RESULT, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "oak_planks", 4);
    expect_stack(&fixture, fixture_player(&fixture)->grid[0], "oak_log", 0);
    expect_stack(&fixture, fixture_player(&fixture)->inventory[0], "oak_log", 2);
    fixture_end(&fixture);
}

static const CraftyRecipe *first_possible(const SlotFixture *fixture)
{
    const CraftyRecipeBook *book = &fixture->menu.inventory.book;
    return book->rows.count && book->rows.items[0].is_possible
               ? crafty_recipes_at(fixture->sim.recipes, book->rows.items[0].recipe)
               : NULL;
}

static void the_book_lists_what_can_be_made_first_and_fills_the_grid(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "oak_log", 3);
    fixture_key(&fixture, CN_KEY_E);
    const CraftyRecipe *recipe = first_possible(&fixture);
    assert_non_null(recipe);
    assert_true(fixture.menu.inventory.book.rows.count > 10);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 110, .y = 130});
    run_frames(fixture.engine, 1);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, true);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, false);
    run_frames(fixture.engine, 2);
    assert_ptr_equal(crafty_inventory_recipe(cn_engine_world(fixture.engine), fixture.player),
                     recipe);
    fixture_end(&fixture);
}

static void the_filter_leaves_only_what_can_be_made(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "oak_log", 3);
    fixture_key(&fixture, CN_KEY_E);
    CraftyRecipeBook *book = &fixture.menu.inventory.book;
    uint32_t all = book->rows.count;
    book->only_possible = true;
    run_frames(fixture.engine, 2);
    assert_true(book->rows.count > 0 && book->rows.count < all);
    for (uint32_t i = 0; i < book->rows.count; i++)
        assert_true(book->rows.items[i].is_possible);
    cn_copy_text(book->search, sizeof book->search, cn_text("no such thing"));
    run_frames(fixture.engine, 2);
    assert_int_equal(book->rows.count, 0);
    fixture_end(&fixture);
}

/* ---- Blocks ---- */

static void a_crate_gives_and_takes_stacks(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_CREATIVE);
    fixture_give(&fixture, 9, "stone", 20);
    CnCell cell = fixture_open(&fixture, CRAFTY_CRATE, CRAFTY_OPEN_CRATE);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_click(&fixture, CRAFTY_COMMAND_CONTAINER + 5, CN_MOUSE_LEFT);
    CraftyContainer crate;
    assert_true(crafty_container_read(fixture.sim.voxels, cell, &crate));
    expect_stack(&fixture, crate.slots[5], "stone", 20);
    fixture_click(&fixture, CRAFTY_COMMAND_CONTAINER + 5, CN_MOUSE_RIGHT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 10);
    fixture_end(&fixture);
}

static void a_furnace_has_three_slots_and_a_result_that_is_only_taken(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_CREATIVE);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_open(&fixture, "furnace_north", CRAFTY_OPEN_FURNACE);
    fixture_click(&fixture, 9, CN_MOUSE_LEFT);
    fixture_click(&fixture, CRAFTY_COMMAND_CONTAINER + CRAFTY_FURNACE_RESULT, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 20);
    fixture_click(&fixture, CRAFTY_COMMAND_CONTAINER + CRAFTY_FURNACE_INPUT, CN_MOUSE_LEFT);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 0);
    fixture_end(&fixture);
}

static void type(SlotFixture *fixture, const char *text)
{
    CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)strlen(text)};
    memcpy(event.data, text, event.bytes);
    fixture_send(fixture, event);
    run_frames(fixture->engine, 1);
}

static void what_is_typed_into_a_sign_is_written(void **state)
{
    (void)state;
    SlotFixture fixture;
    char text[CRAFTY_SIGN_BYTES];
    fixture_begin(&fixture, CRAFTY_MODE_CREATIVE);
    CnCell cell = fixture_open(&fixture, "sign_north", CRAFTY_OPEN_SIGN);
    type(&fixture, "Mine");
    fixture_key(&fixture, CN_KEY_RETURN);
    type(&fixture, "E is a letter"); /* and does not close it */
    fixture_key(&fixture, CN_KEY_E);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_INVENTORY);
    fixture_key(&fixture, CN_KEY_ESCAPE);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(crafty_sign_read(fixture.sim.voxels, cell, text));
    assert_string_equal(text, "Mine\nE is a letter");
    fixture_end(&fixture);
}

static void lines_of_a_sign_are_cut_to_what_it_shows(void **state)
{
    (void)state;
    CraftySignEditor editor = {.lines = {"0123456789ABCDEFGH", "", "\xC3\xA4\xC3\xB6", ""}};
    char text[CRAFTY_SIGN_BYTES];
    crafty_sign_editor_text(&editor, text);
    assert_string_equal(text, "0123456789ABCDE\n\n\xC3\xA4\xC3\xB6");
    assert_true(crafty_sign_text_valid(cn_text(text)));
}

/* ---- Gamepad ---- */

static void a_gamepad_opens_moves_takes_puts_and_closes(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "stone", 20);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    fixture_button(&fixture, CN_GAMEPAD_Y);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_INVENTORY);
    run_frames(fixture.engine, 4);
    for (uint32_t i = 0; i < 2; i++) /* from the grid down to the inventory */
        fixture_button(&fixture, CN_GAMEPAD_DOWN);
    fixture_button(&fixture, CN_GAMEPAD_LEFT); /* to the first column */
    fixture_button(&fixture, CN_GAMEPAD_A);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "stone", 20);
    fixture_button(&fixture, CN_GAMEPAD_RIGHT);
    fixture_button(&fixture, CN_GAMEPAD_X); /* one */
    expect_stack(&fixture, fixture_player(&fixture)->inventory[1], "stone", 1);
    fixture_button(&fixture, CN_GAMEPAD_A);
    expect_stack(&fixture, fixture_player(&fixture)->inventory[1], "stone", 20);
    fixture_button(&fixture, CN_GAMEPAD_Y); /* to the hotbar */
    expect_stack(&fixture, fixture_player(&fixture)->slots[0], "stone", 20);
    fixture_button(&fixture, CN_GAMEPAD_B);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    fixture_end(&fixture);
}

/* ---- Creative ---- */

static void a_player_in_creative_takes_items_from_the_list(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_CREATIVE);
    fixture_key(&fixture, CN_KEY_E);
    cn_copy_text(fixture.menu.inventory.browser.search,
                 sizeof fixture.menu.inventory.browser.search, cn_text("red wool"));
    run_frames(fixture.engine, 2);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 80, .y = 145});
    run_frames(fixture.engine, 1);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, true);
    fixture_mouse(&fixture, CN_MOUSE_LEFT, false);
    expect_stack(&fixture, fixture_player(&fixture)->carried, "red_wool", 64);
    fixture_mouse(&fixture, CN_MOUSE_RIGHT, true); /* is full */
    expect_stack(&fixture, fixture_player(&fixture)->carried, "red_wool", 64);
    fixture_end(&fixture);
}

/* ---- Death ---- */

static void a_dead_player_sees_why_and_respawns(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    CnWorld *world = cn_engine_world(fixture.engine);
    assert_true(crafty_vitals_hurt(world, fixture.player, 100, CRAFTY_DAMAGE_FALL));
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_DEATH);
    assert_false(aims(&fixture));
    fixture_key(&fixture, CN_KEY_ESCAPE); /* is no way out */
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_DEATH);
    run_frames(fixture.engine, 40);
    fixture_key(&fixture, CN_KEY_RETURN);
    assert_false(cn_get(world, fixture.player, CraftyVitals)->dead);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(aims(&fixture));
    fixture_end(&fixture);
}

static void every_cause_of_death_has_a_text(void **state)
{
    (void)state;
    for (uint32_t i = CRAFTY_DAMAGE_FALL; i < CRAFTY_DAMAGE_COMMAND; i++)
        assert_string_not_equal(crafty_death_text(i), crafty_death_text(CRAFTY_DAMAGE_NONE));
    assert_non_null(crafty_death_text(200));
}

/* ---- Memory ---- */

static void steady_frames_do_not_allocate(void **state)
{
    (void)state;
    SlotFixture fixture;
    fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
    fixture_give(&fixture, 9, "oak_log", 3);
    fixture_key(&fixture, CN_KEY_E);
    fixture_point(&fixture, 9);
    run_frames(fixture.engine, 30);
    uint64_t before = cn_heap_stats(fixture.heap).calls;
    run_frames(fixture.engine, 60);
    assert_int_equal(cn_heap_stats(fixture.heap).calls, before);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_opens_and_closes_the_inventory),
        cmocka_unit_test(escape_closes_the_inventory_and_does_not_pause),
        cmocka_unit_test(what_the_simulation_closes_is_closed),
        cmocka_unit_test(the_mouse_stays_released_after_a_click_with_the_key),
        cmocka_unit_test(a_click_takes_a_stack_and_another_puts_it),
        cmocka_unit_test(a_drag_spreads_a_stack),
        cmocka_unit_test(shift_moves_a_stack_to_the_hotbar),
        cmocka_unit_test(a_number_moves_the_hovered_stack_there),
        cmocka_unit_test(a_click_beside_the_panels_drops_what_is_carried),
        cmocka_unit_test(closing_returns_what_is_carried),
        cmocka_unit_test(a_log_in_the_grid_becomes_planks),
        cmocka_unit_test(the_book_lists_what_can_be_made_first_and_fills_the_grid),
        cmocka_unit_test(the_filter_leaves_only_what_can_be_made),
        cmocka_unit_test(a_crate_gives_and_takes_stacks),
        cmocka_unit_test(a_furnace_has_three_slots_and_a_result_that_is_only_taken),
        cmocka_unit_test(what_is_typed_into_a_sign_is_written),
        cmocka_unit_test(lines_of_a_sign_are_cut_to_what_it_shows),
        cmocka_unit_test(a_gamepad_opens_moves_takes_puts_and_closes),
        cmocka_unit_test(a_player_in_creative_takes_items_from_the_list),
        cmocka_unit_test(a_dead_player_sees_why_and_respawns),
        cmocka_unit_test(every_cause_of_death_has_a_text),
        cmocka_unit_test(steady_frames_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

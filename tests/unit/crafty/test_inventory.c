/* Commands about items: opening, moving, crafting, throwing, sorting. */
#include "inventory_fixture.h"

#include <crafty/sim/player_event.h>
#include <crafty/sim/vitals.h>

#include <cairn/ecs/event.h>

#define GRID(cell) (CRAFTY_SLOT_GRID + (cell))
#define BOX(slot) (CRAFTY_COMMAND_CONTAINER + (slot))
#define BAG(slot) (CRAFTY_SLOTS + (slot))

/* ---- Opening and closing ---- */

static void blocks_open_what_they_are(void **state)
{
    (void)state;
    const CnBlockTable *table = cn_voxels_blocks(blocks.world);
    assert_int_equal(crafty_inventory_of_block(table, block_of("crate")), CRAFTY_OPEN_CRATE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("chest_east")), CRAFTY_OPEN_CRATE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("birch_barrel")), CRAFTY_OPEN_CRATE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("crafting_table")),
                     CRAFTY_OPEN_TABLE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("furnace")), CRAFTY_OPEN_FURNACE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("lit_furnace_west")),
                     CRAFTY_OPEN_FURNACE);
    assert_int_equal(crafty_inventory_of_block(table, block_of("stone")), CRAFTY_OPEN_NOTHING);
}

static void a_client_opens_only_the_inventory(void **state)
{
    (void)state;
    assert_true(open_inventory());
    assert_int_equal(player(0)->open, CRAFTY_OPEN_INVENTORY);
    assert_false(crafty_connection_send_command(
        connections[0],
        &(CraftyCommand){.kind = CRAFTY_COMMAND_OPEN, .choice = CRAFTY_OPEN_TABLE}));
    assert_true(command((CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE}));
    assert_int_equal(player(0)->open, CRAFTY_OPEN_NOTHING);
}

static void closing_gives_carried_items_and_those_of_the_grid_back(void **state)
{
    (void)state;
    assert_true(open_inventory());
    player(0)->carried = stack_of("stone", 7);
    player(0)->grid[0] = stack_of("stick", 3);
    assert_true(command((CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE}));
    expect_slot(0, "stone", 7);
    expect_slot(1, "stick", 3);
    expect_stack(player(0)->carried, NULL, 0);
    expect_stack(player(0)->grid[0], NULL, 0);
}

static void what_does_not_fit_when_closing_is_thrown(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player(0), i) = stack_of("dirt", 64);
    player(0)->grid[4] = stack_of("stick", 3);
    crafty_inventory_close(world, players[0]);
    expect_stack(player(0)->grid[4], NULL, 0);
    assert_int_equal(crafty_drop_items(world, item_of("stick")), 3);
}

static void what_is_open_closes_when_its_block_is_broken(void **state)
{
    (void)state;
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_TABLE, TABLE);
    player(0)->grid[8] = stack_of("stick", 3);
    run_ticks(2);
    assert_int_equal(player(0)->open, CRAFTY_OPEN_TABLE);
    assert_true(voxel_set(blocks.world, TABLE, CN_BLOCK_AIR));
    run_ticks(1);
    assert_int_equal(player(0)->open, CRAFTY_OPEN_NOTHING);
    expect_slot(0, "stick", 3);
}

static void what_is_open_closes_when_the_player_goes_away(void **state)
{
    (void)state;
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_CRATE, CRATE);
    run_ticks(1);
    assert_int_equal(player(0)->open, CRAFTY_OPEN_CRATE);
    cn_get_mut(world, players[0], CnTransform)->position.x -= 20;
    run_ticks(1);
    assert_int_equal(player(0)->open, CRAFTY_OPEN_NOTHING);
}

static void the_dead_have_nothing_open_and_move_nothing(void **state)
{
    (void)state;
    assert_true(open_inventory());
    *crafty_player_slot(player(0), 0) = stack_of("stone", 7);
    cn_get_mut(world, players[0], CraftyVitals)->dead = true;
    assert_false(move(0, 1, 1));
    assert_int_equal(player(0)->open, CRAFTY_OPEN_NOTHING);
    assert_false(open_inventory());
}

/* ---- Moving ---- */

static void items_go_to_the_cursor_and_back_in_parts(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("stone", 9);
    assert_true(move(0, CRAFTY_SLOT_CARRIED, 5)); /* a right click takes the larger half */
    expect_stack(player(0)->carried, "stone", 5);
    expect_slot(0, "stone", 4);
    assert_true(move(CRAFTY_SLOT_CARRIED, BAG(0), 1)); /* dragging spreads */
    assert_true(move(CRAFTY_SLOT_CARRIED, BAG(1), 1));
    expect_stack(player(0)->carried, "stone", 3);
    expect_slot(BAG(1), "stone", 1);
}

static void worn_tools_keep_their_wear_and_do_not_stack(void **state)
{
    (void)state;
    CraftyStack axe = stack_of("iron_axe", 1), worn = axe;
    worn.wear = 17;
    *crafty_player_slot(player(0), 0) = worn;
    *crafty_player_slot(player(0), 1) = axe;
    assert_true(move(0, 1, 1)); /* they change places */
    assert_int_equal(crafty_player_slot(player(0), 0)->wear, 0);
    assert_int_equal(crafty_player_slot(player(0), 1)->wear, 17);
    assert_true(move(1, BAG(3), 1));
    assert_int_equal(crafty_player_slot(player(0), BAG(3))->wear, 17);
    expect_slot(1, NULL, 0);
}

static void the_wear_of_a_tool_in_a_chest_is_kept(void **state)
{
    (void)state;
    CraftyContainer chest;
    CraftyStack worn = stack_of("iron_axe", 1);
    worn.wear = 249;
    *crafty_player_slot(player(0), 0) = worn;
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_CRATE, CHEST);
    assert_true(move(0, BOX(26), 1));
    assert_true(crafty_container_read(blocks.world, CHEST, &chest));
    assert_int_equal(chest.slots[26].wear, 249);
    assert_true(move(BOX(26), 5, 1));
    assert_int_equal(crafty_player_slot(player(0), 5)->wear, 249);
}

static void the_grid_exists_only_while_something_with_it_is_open(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("stone", 9);
    assert_false(move(0, GRID(0), 1));
    assert_true(open_inventory());
    assert_true(move(0, GRID(0), 1));
    assert_true(move(0, GRID(4), 1));
    assert_false(move(0, GRID(2), 1)); /* only at a table */
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_TABLE, TABLE);
    expect_slot(0, "stone", 9);
    assert_true(move(0, GRID(2), 1));
    assert_true(move(0, GRID(8), 1));
}

/* ---- Quick moves ---- */

static void quick_moves_go_from_the_hotbar_to_the_inventory_and_back(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 3) = stack_of("stone", 9);
    assert_true(quick_move(3));
    expect_slot(BAG(0), "stone", 9);
    assert_true(quick_move(BAG(0)));
    expect_slot(0, "stone", 9);
    assert_false(quick_move(5));
}

static void quick_moves_fill_stacks_before_empty_slots_of_a_chest(void **state)
{
    (void)state;
    CraftyContainer chest = {.slots = {[5] = stack_of("stone", 60)}};
    assert_true(crafty_container_write(blocks.world, CHEST, &chest, NULL));
    *crafty_player_slot(player(0), 3) = stack_of("stone", 9);
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_CRATE, CHEST);
    assert_true(quick_move(3));
    assert_true(crafty_container_read(blocks.world, CHEST, &chest));
    expect_stack(chest.slots[5], "stone", 64);
    expect_stack(chest.slots[0], "stone", 5);
    assert_true(quick_move(BOX(5)));
    expect_slot(BAG(0), "stone", 64);
}

static void quick_moves_bring_ore_and_coal_to_their_places_in_a_furnace(void **state)
{
    (void)state;
    CraftyFurnace furnace;
    *crafty_player_slot(player(0), 0) = stack_of("raw_iron", 9);
    *crafty_player_slot(player(0), 1) = stack_of("coal", 2);
    *crafty_player_slot(player(0), 2) = stack_of("diamond", 2);
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_FURNACE, FURNACE);
    assert_true(quick_move(0));
    assert_true(quick_move(1));
    assert_true(quick_move(2)); /* neither: to the inventory */
    assert_true(crafty_furnace_read(world, FURNACE, &furnace));
    expect_stack(furnace.slots[CRAFTY_FURNACE_INPUT], "raw_iron", 9);
    expect_stack(furnace.slots[CRAFTY_FURNACE_FUEL], "coal", 1); /* one burns */
    expect_slot(BAG(0), "diamond", 2);
}

/* ---- Crafting ---- */

static void taking_the_result_crafts_once(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("oak_log", 3);
    assert_true(open_inventory());
    assert_true(move(0, GRID(0), 3));
    assert_string_equal(crafty_inventory_recipe(world, players[0])->name, "oak_planks");
    assert_true(move(CRAFTY_SLOT_RESULT, CRAFTY_SLOT_CARRIED, 1));
    expect_stack(player(0)->carried, "oak_planks", 4);
    expect_stack(player(0)->grid[0], "oak_log", 2);
    assert_true(move(CRAFTY_SLOT_RESULT, CRAFTY_SLOT_CARRIED, 4));
    expect_stack(player(0)->carried, "oak_planks", 8);
}

static void a_result_that_does_not_fit_is_not_made(void **state)
{
    (void)state;
    assert_true(open_inventory());
    player(0)->grid[0] = stack_of("oak_log", 3);
    player(0)->carried = stack_of("oak_planks", 61);
    assert_false(move(CRAFTY_SLOT_RESULT, CRAFTY_SLOT_CARRIED, 1));
    expect_stack(player(0)->carried, "oak_planks", 61);
    expect_stack(player(0)->grid[0], "oak_log", 3);
}

static void nothing_is_put_into_the_result(void **state)
{
    (void)state;
    assert_false(crafty_connection_send_command(
        connections[0],
        &(CraftyCommand){
            .kind = CRAFTY_COMMAND_MOVE_ITEMS, .from = 0, .to = CRAFTY_SLOT_RESULT, .count = 1}));
}

static void a_quick_move_of_the_result_makes_as_many_as_possible(void **state)
{
    (void)state;
    CnEventReader *events = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), NULL);
    assert_non_null(events);
    assert_true(open_inventory());
    player(0)->grid[1] = stack_of("birch_log", 20);
    assert_true(quick_move(CRAFTY_SLOT_RESULT));
    uint32_t told = 0;
    for (const CraftyPlayerEvent *e; (e = cn_read_next(events, CraftyPlayerEvent));)
        told += e->kind == CRAFTY_PLAYER_CRAFTED ? e->count : 0;
    assert_int_equal(told, 80);
    cn_event_reader_destroy(events);
    expect_slot(0, "birch_planks", 64);
    expect_slot(1, "birch_planks", 16);
    expect_stack(player(0)->grid[1], NULL, 0);
    assert_false(quick_move(CRAFTY_SLOT_RESULT));
}

static void a_quick_move_of_the_result_stops_when_the_slots_are_full(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player(0), i) = stack_of("dirt", 64);
    *crafty_player_slot(player(0), 7) = stack_of("birch_planks", 58);
    assert_true(open_inventory());
    player(0)->grid[1] = stack_of("birch_log", 20);
    assert_true(quick_move(CRAFTY_SLOT_RESULT));
    expect_slot(7, "birch_planks", 62);
    expect_stack(player(0)->grid[1], "birch_log", 19);
}

static void by_hand_only_the_four_left_upper_slots_count(void **state)
{
    (void)state;
    assert_true(open_inventory());
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        player(0)->grid[i] = stack_of("iron_ingot", 1);
    assert_string_equal(crafty_inventory_recipe(world, players[0])->name, "iron_plates");
    player(0)->open = CRAFTY_OPEN_TABLE;
    assert_string_equal(crafty_inventory_recipe(world, players[0])->name, "iron_block");
}

static void a_bucket_is_left_of_a_bucket_of_water(void **state)
{
    (void)state;
    assert_true(open_inventory());
    player(0)->grid[0] = stack_of("dirt", 1);
    player(0)->grid[1] = stack_of("water_bucket", 1);
    assert_true(move(CRAFTY_SLOT_RESULT, 3, 1));
    expect_slot(3, "mud", 1);
    expect_stack(player(0)->grid[0], NULL, 0);
    expect_stack(player(0)->grid[1], "bucket", 1);
}

/* ---- Filling the grid ---- */

static void a_recipe_is_filled_from_the_slots(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("stick", 9);
    *crafty_player_slot(player(0), 20) = stack_of("coal", 3);
    assert_true(open_inventory());
    assert_true(fill_recipe("torch", 64)); /* as many times as possible */
    expect_stack(player(0)->grid[0], "coal", 3);
    expect_stack(player(0)->grid[3], "stick", 3);
    expect_slot(0, "stick", 6);
    expect_slot(20, NULL, 0);
    assert_true(fill_recipe("torch", 1)); /* what lies in the grid counts */
    expect_stack(player(0)->grid[0], "coal", 1);
}

static void a_recipe_that_needs_a_table_is_not_filled_by_hand(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("stick", 9);
    *crafty_player_slot(player(0), 1) = stack_of("diamond", 9);
    assert_true(open_inventory());
    assert_false(fill_recipe("diamond_pickaxe", 1));
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_TABLE, TABLE);
    assert_true(fill_recipe("diamond_pickaxe", 2));
    expect_stack(player(0)->grid[0], "diamond", 2);
    expect_stack(player(0)->grid[7], "stick", 2);
    assert_true(move(CRAFTY_SLOT_RESULT, 8, 1));
    expect_slot(8, "diamond_pickaxe", 1);
}

static void a_recipe_without_its_items_changes_nothing(void **state)
{
    (void)state;
    assert_true(open_inventory());
    player(0)->grid[0] = stack_of("stick", 9);
    assert_false(fill_recipe("torch", 1));
    assert_false(fill_recipe("glass", 1)); /* is smelted */
    assert_false(fill_recipe("nothing", 1));
    expect_stack(player(0)->grid[0], "stick", 9);
}

/* ---- Throwing, deleting, sorting ---- */

/* They would pick up what the first player throws. */
static void send_others_away(void)
{
    for (uint32_t i = 1; i < FIXTURE_PLAYERS; i++)
        cn_get_mut(world, players[i], CnTransform)->position.x += 100;
}

static void thrown_items_lie_in_the_world(void **state)
{
    (void)state;
    send_others_away();
    *crafty_player_slot(player(0), 4) = stack_of("stone", 9);
    assert_true(command((CraftyCommand){.kind = CRAFTY_COMMAND_DROP_ITEMS, .from = 4, .count = 2}));
    expect_slot(4, "stone", 7);
    assert_int_equal(crafty_drop_items(world, item_of("stone")), 2);
    assert_false(
        command((CraftyCommand){.kind = CRAFTY_COMMAND_DROP_ITEMS, .from = 4, .count = 8}));
}

static void items_of_a_chest_can_be_thrown(void **state)
{
    (void)state;
    CraftyContainer chest = {.slots = {[5] = stack_of("stone", 60)}};
    send_others_away();
    assert_true(crafty_container_write(blocks.world, CHEST, &chest, NULL));
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_CRATE, CHEST);
    assert_true(
        command((CraftyCommand){.kind = CRAFTY_COMMAND_DROP_ITEMS, .from = BOX(5), .count = 60}));
    assert_int_equal(crafty_drop_items(world, item_of("stone")), 60);
    expect_stack(player(0)->carried, NULL, 0);
}

static void only_creative_players_delete_items(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 4) = stack_of("stone", 9);
    CraftyCommand remove = {.kind = CRAFTY_COMMAND_DELETE_ITEMS, .from = 4, .count = 2};
    assert_false(command(remove));
    assert_true(crafty_player_set_mode(world, players[0], CRAFTY_MODE_CREATIVE));
    assert_true(command(remove));
    expect_slot(4, "stone", 7);
}

static void only_creative_players_take_items_from_the_list(void **state)
{
    (void)state;
    CraftyCommand take = {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "diamond", .count = 1};
    assert_false(command(take));
    expect_slot(0, NULL, 0);
    assert_true(crafty_player_set_mode(world, players[0], CRAFTY_MODE_CREATIVE));
    assert_true(command(take));
}

static void sorting_merges_stacks_and_leaves_the_hotbar_alone(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 4) = stack_of("stone", 9);
    *crafty_player_slot(player(0), BAG(20)) = stack_of("stick", 40);
    *crafty_player_slot(player(0), BAG(3)) = stack_of("stone", 60);
    *crafty_player_slot(player(0), BAG(25)) = stack_of("stick", 40);
    assert_true(command((CraftyCommand){.kind = CRAFTY_COMMAND_SORT}));
    expect_slot(4, "stone", 9);
    expect_slot(BAG(0), "stone", 60);
    expect_slot(BAG(1), "stick", 64);
    expect_slot(BAG(2), "stick", 16);
    expect_slot(BAG(3), NULL, 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin_inventory, end_inventory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(blocks_open_what_they_are),
        TEST(a_client_opens_only_the_inventory),
        TEST(closing_gives_carried_items_and_those_of_the_grid_back),
        TEST(what_does_not_fit_when_closing_is_thrown),
        TEST(what_is_open_closes_when_its_block_is_broken),
        TEST(what_is_open_closes_when_the_player_goes_away),
        TEST(the_dead_have_nothing_open_and_move_nothing),
        TEST(items_go_to_the_cursor_and_back_in_parts),
        TEST(worn_tools_keep_their_wear_and_do_not_stack),
        TEST(the_wear_of_a_tool_in_a_chest_is_kept),
        TEST(the_grid_exists_only_while_something_with_it_is_open),
        TEST(quick_moves_go_from_the_hotbar_to_the_inventory_and_back),
        TEST(quick_moves_fill_stacks_before_empty_slots_of_a_chest),
        TEST(quick_moves_bring_ore_and_coal_to_their_places_in_a_furnace),
        TEST(taking_the_result_crafts_once),
        TEST(a_result_that_does_not_fit_is_not_made),
        TEST(nothing_is_put_into_the_result),
        TEST(a_quick_move_of_the_result_makes_as_many_as_possible),
        TEST(a_quick_move_of_the_result_stops_when_the_slots_are_full),
        TEST(by_hand_only_the_four_left_upper_slots_count),
        TEST(a_bucket_is_left_of_a_bucket_of_water),
        TEST(a_recipe_is_filled_from_the_slots),
        TEST(a_recipe_that_needs_a_table_is_not_filled_by_hand),
        TEST(a_recipe_without_its_items_changes_nothing),
        TEST(thrown_items_lie_in_the_world),
        TEST(items_of_a_chest_can_be_thrown),
        TEST(only_creative_players_delete_items),
        TEST(only_creative_players_take_items_from_the_list),
        TEST(sorting_merges_stacks_and_leaves_the_hotbar_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

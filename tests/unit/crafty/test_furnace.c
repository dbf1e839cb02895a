/* Furnaces: exact ticks, fuel, their look, saving. */
#include "inventory_fixture.h"

#define BOX(slot) (CRAFTY_COMMAND_CONTAINER + (slot))

static CraftyFurnace read_furnace(CnCell cell)
{
    CraftyFurnace furnace;
    assert_true(crafty_furnace_read(world, cell, &furnace));
    return furnace;
}

/* Loads the furnace before the next tick: what takes 600 ticks is done in the 601st from now. */
static void load(CnCell cell, CraftyStack input, CraftyStack fuel)
{
    CraftyFurnace furnace = read_furnace(cell);
    furnace.slots[CRAFTY_FURNACE_INPUT] = input;
    furnace.slots[CRAFTY_FURNACE_FUEL] = fuel;
    assert_true(crafty_furnace_write(world, cell, &furnace, NULL));
}

static uint32_t result_count(CnCell cell)
{
    return read_furnace(cell).slots[CRAFTY_FURNACE_RESULT].count;
}

static const char *look_of(CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(blocks.world), cn_voxels_get(blocks.world, cell))->name;
}

static void an_item_takes_exactly_ten_seconds(void **state)
{
    (void)state;
    run_ticks(3);
    load(FURNACE, stack_of("raw_iron", 2), stack_of("coal", 1));
    run_ticks(600);
    assert_int_equal(result_count(FURNACE), 0);
    assert_int_equal(read_furnace(FURNACE).progress, 600);
    run_ticks(1);
    expect_stack(read_furnace(FURNACE).slots[CRAFTY_FURNACE_RESULT], "iron_ingot", 1);
    assert_int_equal(read_furnace(FURNACE).progress, 1);
    assert_int_equal(read_furnace(FURNACE).total, 600);
    run_ticks(600);
    expect_stack(read_furnace(FURNACE).slots[CRAFTY_FURNACE_RESULT], "iron_ingot", 2);
    expect_stack(read_furnace(FURNACE).slots[CRAFTY_FURNACE_INPUT], NULL, 0);
}

static void a_piece_of_coal_smelts_eight_items(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 64), stack_of("coal", 1));
    assert_int_equal(read_furnace(FURNACE).burn_left, 4800);
    run_ticks(4801);
    assert_int_equal(result_count(FURNACE), 8);
    assert_int_equal(read_furnace(FURNACE).burn_left, 0);
    run_ticks(2000);
    assert_int_equal(result_count(FURNACE), 8);
    assert_int_equal(cn_block_data_stats(blocks.world).active, 0);
}

static void progress_waits_for_fuel(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 1), stack_of("stick", 1)); /* 5 seconds */
    run_ticks(1000);
    assert_int_equal(read_furnace(FURNACE).progress, 300);
    assert_int_equal(read_furnace(FURNACE).burn_left, 0);
    load(FURNACE, stack_of("raw_iron", 1), stack_of("stick", 1));
    run_ticks(301);
    assert_int_equal(result_count(FURNACE), 1);
}

static void another_input_begins_anew(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 1), stack_of("coal", 1));
    run_ticks(500);
    load(FURNACE, stack_of("raw_gold", 1), (CraftyStack){0});
    assert_int_equal(read_furnace(FURNACE).progress, 0);
    run_ticks(600);
    assert_int_equal(result_count(FURNACE), 0);
    run_ticks(1);
    expect_stack(read_furnace(FURNACE).slots[CRAFTY_FURNACE_RESULT], "gold_ingot", 1);
}

static void a_full_result_stops_the_furnace_and_keeps_the_fuel(void **state)
{
    (void)state;
    CraftyFurnace furnace = {
        .slots = {stack_of("raw_iron", 5), stack_of("coal", 5), stack_of("iron_ingot", 64)}};
    run_ticks(1);
    assert_true(crafty_furnace_write(world, FURNACE, &furnace, NULL));
    run_ticks(1000);
    assert_int_equal(read_furnace(FURNACE).slots[CRAFTY_FURNACE_FUEL].count, 5);
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_FURNACE, FURNACE);
    assert_true(move(BOX(CRAFTY_FURNACE_RESULT), 0, 64));
    run_ticks(600);
    assert_int_equal(result_count(FURNACE), 1);
}

static void nothing_burns_without_something_to_smelt(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("diamond", 1), stack_of("coal", 3));
    run_ticks(10);
    assert_int_equal(read_furnace(FURNACE).slots[CRAFTY_FURNACE_FUEL].count, 3);
    assert_int_equal(cn_block_data_stats(blocks.world).active, 0);
}

static void a_burning_furnace_glows_and_keeps_its_contents(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 1), stack_of("stick", 2));
    assert_string_equal(look_of(FURNACE), "lit_furnace_south");
    expect_stack(read_furnace(FURNACE).slots[CRAFTY_FURNACE_INPUT], "raw_iron", 1);
    run_ticks(601);
    assert_string_equal(look_of(FURNACE), "furnace_south");
    assert_int_equal(result_count(FURNACE), 1);
    assert_int_equal(crafty_drop_count(world), 0);
}

static void a_furnace_of_an_older_world_burns_too(void **state)
{
    (void)state;
    run_ticks(1);
    load(OTHER_FURNACE, stack_of("sand", 1), stack_of("coal", 1));
    assert_string_equal(look_of(OTHER_FURNACE), "lit_furnace_north");
    run_ticks(601);
    expect_stack(read_furnace(OTHER_FURNACE).slots[CRAFTY_FURNACE_RESULT], "glass", 1);
}

static void the_result_is_only_taken_and_fuel_must_burn(void **state)
{
    (void)state;
    *crafty_player_slot(player(0), 0) = stack_of("stone", 10);
    crafty_inventory_open(world, players[0], CRAFTY_OPEN_FURNACE, FURNACE);
    assert_false(move(0, BOX(CRAFTY_FURNACE_RESULT), 1));
    assert_false(move(0, BOX(CRAFTY_FURNACE_FUEL), 1));
    assert_false(move(0, BOX(CRAFTY_FURNACE_SLOTS), 1));
    assert_true(move(0, BOX(CRAFTY_FURNACE_INPUT), 1));
    *crafty_player_slot(player(0), 1) = stack_of("coal", 10);
    assert_true(move(1, BOX(CRAFTY_FURNACE_FUEL), 10));
    assert_false(move(BOX(CRAFTY_FURNACE_FUEL), 0, 9)); /* stone does not burn */
    assert_false(move(BOX(CRAFTY_FURNACE_FUEL), BOX(CRAFTY_FURNACE_RESULT), 9));
}

static void the_contents_of_a_broken_furnace_drop(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 5), stack_of("coal", 3));
    run_ticks(601);
    CnEdit edit = {.player = 1, .kind = CN_EDIT_BREAK, .cell = FURNACE, .new_block = CN_BLOCK_AIR};
    assert_true(cn_voxels_edit(blocks.world, &edit, NULL));
    assert_int_equal(crafty_drop_items(world, item_of("raw_iron")), 4);
    assert_int_equal(crafty_drop_items(world, item_of("coal")), 2);
    assert_int_equal(crafty_drop_items(world, item_of("iron_ingot")), 1);
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 0);
}

static void an_empty_furnace_has_no_data(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 5), (CraftyStack){0});
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 1);
    load(FURNACE, (CraftyStack){0}, (CraftyStack){0});
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 0);
}

/* The data changes only when something happens, so saves and hashes cost nothing in between. */
static void the_data_of_a_burning_furnace_does_not_change_every_tick(void **state)
{
    (void)state;
    run_ticks(1);
    load(FURNACE, stack_of("raw_iron", 5), stack_of("coal", 1));
    uint64_t hash = cn_block_data_hash(blocks.world);
    run_ticks(600);
    assert_true(cn_block_data_hash(blocks.world) == hash);
    run_ticks(1);
    assert_true(cn_block_data_hash(blocks.world) != hash);
}

static void damaged_data_is_left_alone_and_ticks_of_another_world_are_limited(void **state)
{
    (void)state;
    CnBlockData stored = {.size = 3, .bytes = (const uint8_t *)"abc", .active = true};
    CraftyFurnace furnace;
    assert_true(cn_block_data_kind(blocks.world, CRAFTY_FURNACE_KIND, &stored.kind, NULL));
    assert_true(cn_block_data_set(blocks.world, FURNACE, &stored, NULL));
    assert_false(crafty_furnace_read(world, FURNACE, &furnace));
    run_ticks(2);
    uint8_t bytes[50];
    memset(bytes, 0xFF, sizeof bytes);
    stored = (CnBlockData){.kind = stored.kind, .size = 50, .bytes = bytes, .active = true};
    assert_true(cn_block_data_set(blocks.world, FURNACE, &stored, NULL));
    assert_true(crafty_furnace_read(world, FURNACE, &furnace));
    run_ticks(100);
    assert_true(crafty_furnace_read(world, FURNACE, &furnace));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin_inventory, end_inventory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_item_takes_exactly_ten_seconds),
        TEST(a_piece_of_coal_smelts_eight_items),
        TEST(progress_waits_for_fuel),
        TEST(another_input_begins_anew),
        TEST(a_full_result_stops_the_furnace_and_keeps_the_fuel),
        TEST(nothing_burns_without_something_to_smelt),
        TEST(a_burning_furnace_glows_and_keeps_its_contents),
        TEST(a_furnace_of_an_older_world_burns_too),
        TEST(the_result_is_only_taken_and_fuel_must_burn),
        TEST(the_contents_of_a_broken_furnace_drop),
        TEST(an_empty_furnace_has_no_data),
        TEST(the_data_of_a_burning_furnace_does_not_change_every_tick),
        TEST(damaged_data_is_left_alone_and_ticks_of_another_world_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

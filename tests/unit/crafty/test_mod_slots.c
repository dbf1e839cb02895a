/* The tables `slots` and `data` of mods, and blocks with slots. */
#include "mod_game.h"

#include <crafty/sim/container.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/furnace.h>
#include <crafty/sim/inventory.h>

static ModGame game;

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

static void play(const char *body)
{
    mod_game_play(&game,
                  "block { name = 'safe', like = 'iron_block', slots = 5 } block { name = 'lamp' }",
                  body);
}

static void refuse(const char *body, const char *part)
{
    mod_game_refuse(&game, body, part);
}

static void a_chest_is_filled_and_read(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'chest')\n"
         "assert(slots.count(2, 301, 2) == 27 and slots.count(2, 300, 2) == nil)\n"
         "assert(slots.set(2, 301, 2, 3, 'apple', 7) == true)\n"
         "local item, count = slots.get(2, 301, 2, 3)\n"
         "assert(item == 'apple' and count == 7)\n"
         "item, count = slots.get(2, 301, 2, 1)\n"
         "assert(item == nil and count == 0)\n"
         "assert(slots.set(2, 301, 2, 28, 'apple') == false)\n"
         "slots.set(2, 301, 2, 3)\n"
         "assert(slots.get(2, 301, 2, 3) == nil)");
}

static void items_are_added_and_taken(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'castle:safe')\n"
         "assert(slots.count(2, 301, 2) == 5)\n"
         "assert(slots.add(2, 301, 2, 'apple', 70) == 0)\n"
         "assert(select(2, slots.get(2, 301, 2, 1)) == 64)\n"
         "assert(select(2, slots.get(2, 301, 2, 2)) == 6)\n"
         "assert(slots.add(2, 301, 2, 'apple', 300) == 50)\n"
         "assert(slots.take(2, 301, 2, 'apple', 100) == 100)\n"
         "assert(slots.take(2, 301, 2, 'apple', 1000) == 220)");
}

static void a_furnace_has_three_slots(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'furnace')\n"
         "assert(slots.count(2, 301, 2) == 3)\n"
         "assert(slots.add(2, 301, 2, 'coal', 5) == 5)\n"
         "slots.set(2, 301, 2, 1, 'sand', 2) slots.set(2, 301, 2, 2, 'coal', 1)");
    CraftyFurnace furnace;
    assert_true(crafty_furnace_read(game.world, (CnCell){2, 301, 2}, &furnace));
    assert_true(furnace.burn_left > 0);
}

static void a_block_with_slots_opens_and_drops_its_contents(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'castle:safe') slots.add(2, 301, 2, 'apple', 9)");
    const CnBlockTable *blocks = cn_voxels_blocks(game.voxels);
    assert_int_equal(crafty_inventory_of_block(blocks, mod_game_block(&game, "castle:safe")),
                     CRAFTY_OPEN_CRATE);
    assert_int_equal(crafty_container_slots(blocks, mod_game_block(&game, "castle:safe")), 5);
    mod_game_set(&game, 2, 301, 2, "air");
    assert_int_equal(crafty_drop_items(game.world, mod_game_item(&game, "apple")), 9);
}

static void a_player_moves_items_only_into_its_slots(void **state)
{
    (void)state;
    play("world.set(0, 301, 2, 'castle:safe') players.give(1, 'apple', 5)");
    crafty_inventory_open(game.world, game.players[0], CRAFTY_OPEN_CRATE, (CnCell){0, 301, 2});
    CraftyCommand command = {
        .kind = CRAFTY_COMMAND_MOVE_ITEMS, .count = 5, .to = CRAFTY_COMMAND_CONTAINER + 5};
    assert_false(crafty_inventory_apply(game.world, game.players[0], &command));
    command.to = CRAFTY_COMMAND_CONTAINER + 4;
    assert_true(crafty_inventory_apply(game.world, game.players[0], &command));
    CraftyContainer container;
    assert_true(crafty_container_read(game.voxels, (CnCell){0, 301, 2}, &container));
    assert_int_equal(container.slots[4].count, 5);
}

static void wrong_stacks_are_refused(void **state)
{
    (void)state;
    refuse("world.set(2, 301, 2, 'chest') slots.set(2, 301, 2, 1, 'apple', 65)", "1 to 64");
    mod_game_end(&game);
    refuse("world.set(2, 301, 2, 'chest') slots.add(2, 301, 2, 'appel', 1)", "\"appel\"");
}

static void slots_need_the_permission(void **state)
{
    (void)state;
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_BLOCKS);
    refuse("slots.set(2, 301, 2, 1)", "\"blocks\"");
}

/* ---- Data ---- */

static void data_is_kept_in_blocks_of_the_mod(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'castle:lamp')\n"
         "assert(data.get(2, 301, 2) == nil)\n"
         "assert(data.set(2, 301, 2, { power = 3, from = { 'a', 'b' } }) == true)\n"
         "local own = data.get(2, 301, 2)\n"
         "assert(own.power == 3 and own.from[2] == 'b')\n"
         "data.set(2, 301, 2) assert(data.get(2, 301, 2) == nil)\n"
         "assert(data.set(2, 300, 2, { power = 3 }) == false)\n"
         "assert(data.get(2, 300, 2) == nil)");
}

static void data_goes_with_its_block(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'castle:lamp') data.set(2, 301, 2, { 1 })\n"
         "world.set(2, 301, 2, 'air') world.set(2, 301, 2, 'castle:lamp')\n"
         "assert(data.get(2, 301, 2) == nil)");
}

static void data_is_limited(void **state)
{
    (void)state;
    mod_game_add(&game, "castle",
                 "block { name = 'lamp' }\n"
                 "command { name = 'test', run = function()\n"
                 "    world.set(2, 301, 2, 'castle:lamp')\n"
                 "    data.set(2, 301, 2, { text = ('x'):rep(5000) })\n"
                 "end }");
    mod_game_begin(&game, 1);
    mod_game_type(&game, 1, "/test");
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_int_equal(status.error.line, 4);
    assert_non_null(strstr(status.error.message, "at most 4096 bytes"));
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chest_is_filled_and_read),
        TEST(items_are_added_and_taken),
        TEST(a_furnace_has_three_slots),
        TEST(a_block_with_slots_opens_and_drops_its_contents),
        TEST(a_player_moves_items_only_into_its_slots),
        TEST(wrong_stacks_are_refused),
        TEST(slots_need_the_permission),
        TEST(data_is_kept_in_blocks_of_the_mod),
        TEST(data_goes_with_its_block),
        TEST(data_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

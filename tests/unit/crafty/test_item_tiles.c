/* Pictures of items: every item that is not a block has one. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <cairn/voxel/tiles.h>
#include <crafty/world/item_tiles.h>
#include <crafty/world/world.h>
#include <string.h>

static void every_item_without_a_block_has_a_picture(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyWorld *world = crafty_world_create(&(CraftyWorldDesc){.seed = 1, .workers = 1}, &error);
    if (!world)
        fail_msg("%s", error.message);
    const CraftyItems *items = crafty_world_items(world);
    uint32_t without_block = 0;
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        const CraftyItemInfo *info = crafty_items_info(items, crafty_items_at(items, i));
        if (info->block != CN_BLOCK_AIR)
            continue;
        without_block++;
        if (crafty_item_tile(info->name) < 0)
            fail_msg("%s has no picture", info->name);
    }
    assert_true(without_block >= 80);
    crafty_world_destroy(world);
}

static void layers_are_tiles_and_not_shared(void **state)
{
    (void)state;
    assert_in_range(crafty_item_tile_count, 100, 1000);
    for (uint32_t i = 0; i < crafty_item_tile_count; i++) {
        assert_in_range(crafty_item_tiles[i].layer, 1, BLOCK_TILE_COUNT - 1);
        for (uint32_t k = 0; k < i; k++) {
            assert_int_not_equal(crafty_item_tiles[k].layer, crafty_item_tiles[i].layer);
            assert_true(strcmp(crafty_item_tiles[k].name, crafty_item_tiles[i].name) < 0);
        }
    }
}

static void every_picture_is_found_by_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_item_tile_count; i++)
        assert_int_equal(crafty_item_tile(crafty_item_tiles[i].name), crafty_item_tiles[i].layer);
}

static void names_without_a_picture_are_not_found(void **state)
{
    (void)state;
    assert_int_equal(crafty_item_tile("stone"), -1);
    assert_int_equal(crafty_item_tile(""), -1);
    assert_true(crafty_item_tile("iron_pickaxe") > 0);
    assert_int_equal(crafty_item_tile("item_iron_pickaxe"), crafty_item_tile("iron_pickaxe"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_without_a_block_has_a_picture),
        cmocka_unit_test(layers_are_tiles_and_not_shared),
        cmocka_unit_test(every_picture_is_found_by_name),
        cmocka_unit_test(names_without_a_picture_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

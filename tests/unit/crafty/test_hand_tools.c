/* Tools: time, drops and wear; buckets; blocks that are used; texts of signs. */
#include "sim_fixture.h"

#include <crafty/sim/container.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/player_event.h>
#include <crafty/sim/sign.h>

static SimFixture fixture;
static const CnCell AHEAD = {0, FLOOR_Y + 2, -2};

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void set(const char *name)
{
    assert_true(voxel_set(fixture.voxels, AHEAD, fixture_block(&fixture, name)));
    fixture_ticks(&fixture, 1);
}

static CnBlock ahead(void)
{
    return cn_voxels_get(fixture.voxels, AHEAD);
}

static CraftyStack *hold(const char *item, uint16_t count)
{
    CraftyStack *slot = &fixture_player(&fixture, 0)->slots[0];
    *slot = (CraftyStack){.item = fixture_item(&fixture, item), .count = count};
    fixture_ticks(&fixture, 1);
    return &fixture_player(&fixture, 0)->slots[0];
}

static void hold_button(uint32_t button, uint64_t ticks)
{
    input_button(&fixture.inputs[0], button, true);
    fixture_ticks(&fixture, ticks);
    input_button(&fixture.inputs[0], button, false);
    fixture_ticks(&fixture, 1);
}

/* ---- Breaking ---- */

static float ms(const char *block, const char *item)
{
    CraftyStack held = {0};
    if (item)
        held = (CraftyStack){.item = fixture_item(&fixture, item), .count = 1};
    return crafty_harvest_ms(fixture.world, fixture_block(&fixture, block), held);
}

static void the_right_tool_is_faster_by_its_tier(void **state)
{
    (void)state;
    float hand = 1.5f * 1500;
    assert_float_equal(ms("stone", NULL), hand * 10 / 3, 1);
    assert_float_equal(ms("stone", "wooden_pickaxe"), hand / 2, 1);
    assert_float_equal(ms("stone", "stone_pickaxe"), hand / 4, 1);
    assert_float_equal(ms("stone", "iron_pickaxe"), hand / 6, 1);
    assert_float_equal(ms("stone", "diamond_pickaxe"), hand / 8, 1);
}

static void the_wrong_tool_is_as_slow_as_the_hand(void **state)
{
    (void)state;
    assert_float_equal(ms("stone", "iron_shovel"), ms("stone", NULL), 1);
}

static void the_right_tool_gets_the_drop(void **state)
{
    (void)state;
    set("stone");
    hold("iron_pickaxe", 1);
    hold_button(CN_MOUSE_LEFT, 24);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "cobblestone")), 1);
}

static void the_hand_gets_nothing_from_stone(void **state)
{
    (void)state;
    set("stone");
    hold_button(CN_MOUSE_LEFT, 451);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
}

static void a_tool_wears(void **state)
{
    (void)state;
    set("stone");
    hold("iron_pickaxe", 1);
    hold_button(CN_MOUSE_LEFT, 24);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].wear, 1);
}

static void a_block_that_breaks_at_once_does_not_wear_the_tool(void **state)
{
    (void)state;
    set("torch");
    hold("iron_pickaxe", 1);
    hold_button(CN_MOUSE_LEFT, 1);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].wear, 0);
}

static void a_worn_tool_breaks_with_an_event(void **state)
{
    (void)state;
    CnEventReader *reader =
        cn_event_reader_create(cn_channel(fixture.world, CraftyPlayerEvent), NULL);
    CraftyItem tool = fixture_item(&fixture, "iron_pickaxe");
    uint32_t broken = 0;
    set("stone");
    hold("iron_pickaxe", 1)->wear =
        (uint16_t)(crafty_items_info(fixture.items, tool)->durability - 1);
    hold_button(CN_MOUSE_LEFT, 24);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, CRAFTY_NO_ITEM);
    for (const CraftyPlayerEvent *e; (e = cn_read_next(reader, CraftyPlayerEvent));)
        broken += e->kind == CRAFTY_PLAYER_TOOL_BROKE && e->item == tool;
    assert_int_equal(broken, 1);
    cn_event_reader_destroy(reader);
}

static void worn_tools_do_not_merge_on_the_ground(void **state)
{
    (void)state;
    CraftyStack tool = {.item = fixture_item(&fixture, "iron_pickaxe"), .count = 1, .wear = 7};
    for (uint32_t i = 0; i < 2; i++)
        crafty_drop_spawn(fixture.world, cn_vec3(5, FLOOR_Y + 2, 5), cn_vec3(0, 0, 0), tool, 0);
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 2);
}

static void a_worn_tool_is_picked_up_with_its_wear(void **state)
{
    (void)state;
    CraftyStack tool = {.item = fixture_item(&fixture, "iron_pickaxe"), .count = 1, .wear = 7};
    crafty_drop_spawn(fixture.world, cn_vec3(0.5f, FLOOR_Y + 2, 0.5f), cn_vec3(0, 0, 0), tool, 0);
    fixture_ticks(&fixture, 10);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].wear, 7);
}

/* ---- Buckets ---- */

static void a_bucket_takes_still_water(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, AHEAD, CN_BLOCK_WATER));
    hold("bucket", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_not_equal(ahead(), CN_BLOCK_WATER);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item,
                     fixture_item(&fixture, "water_bucket"));
}

static void one_of_several_buckets_is_filled(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, AHEAD, CN_BLOCK_WATER));
    hold("bucket", 3);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 2);
    assert_int_equal(fixture_player(&fixture, 0)->slots[1].item,
                     fixture_item(&fixture, "water_bucket"));
}

static void a_full_bucket_places_water(void **state)
{
    (void)state;
    set("stone");
    hold("water_bucket", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(cn_voxels_get(fixture.voxels, (CnCell){0, FLOOR_Y + 2, -1}), CN_BLOCK_WATER);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, fixture_item(&fixture, "bucket"));
}

static void flowing_water_fills_no_bucket(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, AHEAD, CN_BLOCK_WATER_3));
    hold("bucket", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, fixture_item(&fixture, "bucket"));
}

/* ---- Blocks that are used ---- */

static void expect_open(CraftyOpen what)
{
    const CraftyPlayer *player = fixture_player(&fixture, 0);
    assert_int_equal(player->open, what);
    if (what != CRAFTY_OPEN_NOTHING)
        assert_memory_equal(player->open_cell, &AHEAD, sizeof AHEAD);
}

static void furniture_opens(void **state)
{
    (void)state;
    static const struct {
        const char *block;
        CraftyOpen opens;
    } kinds[] = {{"crafting_table", CRAFTY_OPEN_TABLE},
                 {"chest_south", CRAFTY_OPEN_CRATE},
                 {"crate", CRAFTY_OPEN_CRATE},
                 {"furnace_south", CRAFTY_OPEN_FURNACE},
                 {"sign_south", CRAFTY_OPEN_SIGN}};
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++) {
        set(kinds[i].block);
        assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y + 1, -2}, BLOCK_STONE));
        hold_button(CN_MOUSE_RIGHT, 1);
        expect_open(kinds[i].opens);
        crafty_inventory_close(fixture.world, fixture.players[0]);
        fixture_ticks(&fixture, 1);
    }
}

static void a_hand_rests_while_something_is_open(void **state)
{
    (void)state;
    set("dirt");
    crafty_inventory_open(fixture.world, fixture.players[0], CRAFTY_OPEN_INVENTORY, (CnCell){0});
    hold_button(CN_MOUSE_LEFT, 60);
    assert_int_equal(ahead(), BLOCK_DIRT);
}

static void the_contents_of_a_broken_chest_drop(void **state)
{
    (void)state;
    CraftyContainer container = {0};
    set("chest_south");
    container.slots[3] = (CraftyStack){.item = fixture_item(&fixture, "coal"), .count = 12};
    assert_true(crafty_container_write(fixture.voxels, AHEAD, &container, NULL));
    hold_button(CN_MOUSE_LEFT, 240);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "coal")), 12);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "chest")), 1);
}

/* ---- Hoes ---- */

static void a_hoe_makes_farmland_and_wears(void **state)
{
    (void)state;
    set("grass");
    CraftyStack *hoe = hold("stone_hoe", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(ahead(), fixture_block(&fixture, "farmland"));
    assert_int_equal(hoe->wear, 1);
}

static void a_hoe_does_nothing_below_a_block(void **state)
{
    (void)state;
    set("dirt");
    assert_true(
        voxel_set(fixture.voxels, (CnCell){AHEAD.x, AHEAD.y + 1, AHEAD.z}, (CnBlock)BLOCK_STONE));
    CraftyStack *hoe = hold("stone_hoe", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(ahead(), BLOCK_DIRT);
    assert_int_equal(hoe->wear, 0);
}

static void a_hoe_leaves_stone_alone(void **state)
{
    (void)state;
    set("stone");
    CraftyStack *hoe = hold("stone_hoe", 1);
    hold_button(CN_MOUSE_RIGHT, 1);
    assert_int_equal(ahead(), BLOCK_STONE);
    assert_int_equal(hoe->wear, 0);
}

/* ---- Signs ---- */

static void write_sign(const char *text, int32_t z)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_SIGN_TEXT, .cell = {0, FLOOR_Y + 2, z}};
    cn_format(command.text, sizeof command.text, "%s", text);
    crafty_connection_send_command(fixture.inputs[0].connection, &command);
    fixture_ticks(&fixture, 1);
}

static void expect_text(const char *expected)
{
    char text[CRAFTY_SIGN_BYTES];
    assert_true(crafty_sign_read(fixture.voxels, AHEAD, text));
    assert_string_equal(text, expected);
}

static void a_sign_keeps_what_is_written(void **state)
{
    (void)state;
    set("wall_sign_south");
    expect_text("");
    write_sign("Grüße\nvon\nhier", -2);
    expect_text("Grüße\nvon\nhier");
    write_sign("", -2);
    expect_text("");
}

static void a_sign_out_of_reach_is_not_written(void **state)
{
    (void)state;
    char text[CRAFTY_SIGN_BYTES];
    CnCell far = {0, FLOOR_Y + 2, -12};
    assert_true(voxel_set(fixture.voxels, far, fixture_block(&fixture, "sign_south")));
    write_sign("hello", -12);
    assert_true(crafty_sign_read(fixture.voxels, far, text));
    assert_string_equal(text, "");
}

static void a_block_that_is_no_sign_is_not_written(void **state)
{
    (void)state;
    char text[CRAFTY_SIGN_BYTES];
    set("stone");
    write_sign("hello", -2);
    assert_false(crafty_sign_read(fixture.voxels, AHEAD, text));
    assert_int_equal(cn_block_data_stats(fixture.voxels).blocks, 0);
}

static void texts_that_do_not_fit_a_sign_are_not_valid(void **state)
{
    (void)state;
    static const char *const bad[] = {"1\n2\n3\n4\n5",
                                      "sixteen letters!",
                                      "bell\a",
                                      "tab\there",
                                      "\xff\xfe",
                                      "\xE2\x80\xAE"
                                      "reversed"};
    static const char *const good[] = {"", "\n\n\n", "fifteen letters", "äöüßéèêñçåøæþðł"};
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++)
        assert_false(crafty_sign_text_valid(cn_text(bad[i])));
    for (uint32_t i = 0; i < CN_COUNT_OF(good); i++)
        assert_true(crafty_sign_text_valid(cn_text(good[i])));
}

static void a_text_without_its_end_is_refused(void **state)
{
    (void)state;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_SIGN_TEXT};
    memset(command.text, '\n', sizeof command.text);
    assert_false(crafty_command_valid(&command));
}

static void only_names_with_the_word_are_signs(void **state)
{
    (void)state;
    const CnBlockTable *table = cn_voxels_blocks(fixture.voxels);
    assert_true(crafty_sign_is(table, fixture_block(&fixture, "wall_sign_north")));
    assert_true(crafty_sign_is(table, fixture_block(&fixture, "sign_east")));
    assert_false(crafty_sign_is(table, BLOCK_STONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_right_tool_is_faster_by_its_tier, make, unmake),
        cmocka_unit_test_setup_teardown(the_wrong_tool_is_as_slow_as_the_hand, make, unmake),
        cmocka_unit_test_setup_teardown(the_right_tool_gets_the_drop, make, unmake),
        cmocka_unit_test_setup_teardown(the_hand_gets_nothing_from_stone, make, unmake),
        cmocka_unit_test_setup_teardown(a_tool_wears, make, unmake),
        cmocka_unit_test_setup_teardown(a_block_that_breaks_at_once_does_not_wear_the_tool, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_worn_tool_breaks_with_an_event, make, unmake),
        cmocka_unit_test_setup_teardown(worn_tools_do_not_merge_on_the_ground, make, unmake),
        cmocka_unit_test_setup_teardown(a_worn_tool_is_picked_up_with_its_wear, make, unmake),
        cmocka_unit_test_setup_teardown(a_bucket_takes_still_water, make, unmake),
        cmocka_unit_test_setup_teardown(one_of_several_buckets_is_filled, make, unmake),
        cmocka_unit_test_setup_teardown(a_full_bucket_places_water, make, unmake),
        cmocka_unit_test_setup_teardown(flowing_water_fills_no_bucket, make, unmake),
        cmocka_unit_test_setup_teardown(a_hoe_makes_farmland_and_wears, make, unmake),
        cmocka_unit_test_setup_teardown(a_hoe_does_nothing_below_a_block, make, unmake),
        cmocka_unit_test_setup_teardown(a_hoe_leaves_stone_alone, make, unmake),
        cmocka_unit_test_setup_teardown(furniture_opens, make, unmake),
        cmocka_unit_test_setup_teardown(a_hand_rests_while_something_is_open, make, unmake),
        cmocka_unit_test_setup_teardown(the_contents_of_a_broken_chest_drop, make, unmake),
        cmocka_unit_test_setup_teardown(a_sign_keeps_what_is_written, make, unmake),
        cmocka_unit_test_setup_teardown(a_sign_out_of_reach_is_not_written, make, unmake),
        cmocka_unit_test_setup_teardown(a_block_that_is_no_sign_is_not_written, make, unmake),
        cmocka_unit_test_setup_teardown(texts_that_do_not_fit_a_sign_are_not_valid, make, unmake),
        cmocka_unit_test_setup_teardown(a_text_without_its_end_is_refused, make, unmake),
        cmocka_unit_test_setup_teardown(only_names_with_the_word_are_signs, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

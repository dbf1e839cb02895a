/* Variants of blocks: directions, halves, doors, furnaces. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/world/block_family.h>
#include <string.h>

static CraftyBlockFamilies *families;

static int create(void **state)
{
    (void)state;
    families = crafty_block_families_create(NULL, standard_blocks(), NULL);
    return families ? 0 : -1;
}

static int destroy(void **state)
{
    (void)state;
    crafty_block_families_destroy(families);
    return 0;
}

static CnBlock block(const char *name)
{
    CnBlock found = cn_block_find(standard_blocks(), name);
    if (found == CN_BLOCK_NONE)
        fail_msg("no block %s", name);
    return found;
}

static const char *name_of(CnBlock number)
{
    return cn_block_info(standard_blocks(), number)->name;
}

static void blocks_turn_to_all_directions(void **state)
{
    (void)state;
    CnBlock stairs = block("oak_stairs_north_top");
    assert_string_equal(name_of(crafty_block_turned(families, stairs, CRAFTY_WEST)),
                        "oak_stairs_west_top");
    CnBlock door = block("iron_door_south_open_upper");
    assert_string_equal(name_of(crafty_block_turned(families, door, CRAFTY_EAST)),
                        "iron_door_east_open_upper");
    assert_int_equal(crafty_block_direction(families, door), CRAFTY_SOUTH);
    assert_true(crafty_block_has_direction(families, door));
}

static void blocks_without_a_direction_stay_as_they_are(void **state)
{
    (void)state;
    CnBlock stone = block("stone");
    for (int i = 0; i < CRAFTY_DIRECTION_COUNT; i++)
        assert_int_equal(crafty_block_turned(families, stone, (CraftyDirection)i), stone);
    assert_false(crafty_block_has_direction(families, stone));
    assert_int_equal(crafty_block_toggled(families, stone), stone);
    assert_int_equal(crafty_block_other_half(families, stone), stone);
    assert_int_equal(crafty_block_relit(families, stone), stone);
    assert_int_equal(crafty_block_of_item(families, stone), stone);
    assert_string_equal(crafty_block_item_name(families, stone), "stone");
    assert_int_equal(crafty_block_kind(families, stone), CRAFTY_KIND_PLAIN);
}

static void doors_open_and_close(void **state)
{
    (void)state;
    CnBlock closed = block("oak_door_west_lower"), open = block("oak_door_west_open_lower");
    assert_int_equal(crafty_block_toggled(families, closed), open);
    assert_int_equal(crafty_block_toggled(families, open), closed);
    assert_false(crafty_block_is_open(families, closed));
    assert_true(crafty_block_is_open(families, open));
}

static void halves_know_each_other(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"oak_door_east_open_lower", "oak_door_east_open_upper"},
                                           {"red_bed_north_foot", "red_bed_north_head"},
                                           {"brick_stairs_south", "brick_stairs_south_top"},
                                           {"stone_slab", "stone_slab_top"}};
    for (size_t i = 0; i < CN_COUNT_OF(pairs); i++) {
        CnBlock first = block(pairs[i][0]), second = block(pairs[i][1]);
        assert_int_equal(crafty_block_other_half(families, first), second);
        assert_int_equal(crafty_block_other_half(families, second), first);
        assert_false(crafty_block_is_second(families, first));
        assert_true(crafty_block_is_second(families, second));
    }
}

static void the_head_of_a_bed_lies_in_its_direction(void **state)
{
    (void)state;
    const int32_t cell[3] = {5, 6, 7};
    int32_t other[3];
    assert_true(crafty_block_other_cell(families, block("red_bed_east_foot"), cell, other));
    assert_true(other[0] == 6 && other[1] == 6 && other[2] == 7);
    assert_true(crafty_block_other_cell(families, block("red_bed_east_head"), cell, other));
    assert_true(other[0] == 4 && other[1] == 6 && other[2] == 7);
}

static void the_upper_half_of_a_door_is_above_the_lower_one(void **state)
{
    (void)state;
    const int32_t cell[3] = {5, 6, 7};
    int32_t other[3];
    assert_true(crafty_block_other_cell(families, block("oak_door_east_lower"), cell, other));
    assert_true(other[0] == 5 && other[1] == 7 && other[2] == 7);
    assert_false(crafty_block_other_cell(families, block("stone_slab"), cell, other));
}

static void furnaces_are_lit_and_go_out(void **state)
{
    (void)state;
    CnBlock cold = block("furnace_south"), lit = block("lit_furnace_south");
    assert_int_equal(crafty_block_relit(families, cold), lit);
    assert_int_equal(crafty_block_relit(families, lit), cold);
    assert_true(crafty_block_is_lit(families, lit) && !crafty_block_is_lit(families, cold));
}

static void signs_are_hung_on_walls(void **state)
{
    (void)state;
    CnBlock standing = block("sign_west"), hung = block("wall_sign_west");
    assert_int_equal(crafty_block_hung(families, standing), hung);
    assert_int_equal(crafty_block_hung(families, hung), standing);
}

static void every_variant_knows_its_item(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"oak_door_south_open_upper", "oak_door", "oak_door_north_lower"},
        {"red_bed_west_head", "red_bed", "red_bed_north_foot"},
        {"lit_furnace_east", "furnace", "furnace_north"},
        {"wall_sign_east", "sign", "sign_north"},
        {"stone_slab_top", "stone_slab", "stone_slab"},
        {"oak_stairs_west_top", "oak_stairs", "oak_stairs_north"},
        {"ladder_south", "ladder", "ladder_north"},
        {"chest", "chest", "chest_north"},
        {"crafting_table", "crafting_table", "crafting_table"}};
    for (size_t i = 0; i < CN_COUNT_OF(cases); i++) {
        CnBlock variant = block(cases[i][0]);
        CnText name = crafty_block_name_of_item(cn_text(cases[i][0]));
        assert_string_equal(crafty_block_item_name(families, variant), cases[i][1]);
        assert_string_equal(name_of(crafty_block_of_item(families, variant)), cases[i][2]);
        assert_true(cn_text_equal(name, cn_text(cases[i][1])));
    }
}

static void kinds_follow_from_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        CraftyBlockKind kind;
    } cases[] = {{"crafting_table", CRAFTY_KIND_CRAFTING_TABLE},
                 {"chest_north", CRAFTY_KIND_CHEST},
                 {"chest", CRAFTY_KIND_CHEST},
                 {"lit_furnace_west", CRAFTY_KIND_FURNACE},
                 {"furnace", CRAFTY_KIND_FURNACE},
                 {"birch_door_east_upper", CRAFTY_KIND_DOOR},
                 {"blue_bed_south_head", CRAFTY_KIND_BED},
                 {"ladder_east", CRAFTY_KIND_LADDER},
                 {"sign_north", CRAFTY_KIND_SIGN},
                 {"wall_sign_north", CRAFTY_KIND_WALL_SIGN},
                 {"sandstone_stairs_north", CRAFTY_KIND_STAIRS},
                 {"oak_slab_top", CRAFTY_KIND_SLAB},
                 {"stone_slabs", CRAFTY_KIND_PLAIN},
                 {"bedrock", CRAFTY_KIND_PLAIN}};
    for (size_t i = 0; i < CN_COUNT_OF(cases); i++)
        assert_int_equal(crafty_block_kind(families, block(cases[i].name)), cases[i].kind);
}

static void one_variant_of_each_family_can_be_placed(void **state)
{
    (void)state;
    const CnBlockTable *table = standard_blocks();
    for (uint32_t i = 0; i < table->count; i++) {
        CnBlock item = crafty_block_of_item(families, (CnBlock)i);
        if (crafty_block_kind(families, (CnBlock)i) == CRAFTY_KIND_PLAIN)
            continue;
        assert_int_equal(table->info[i].placeable, item == i);
        assert_true(table->info[item].placeable);
    }
}

static void open_doors_leave_the_way_free(void **state)
{
    (void)state;
    const CnBlockShape *closed = cn_block_shape(standard_blocks(), block("oak_door_north_lower"));
    const CnBlockShape *open =
        cn_block_shape(standard_blocks(), block("oak_door_north_open_lower"));
    assert_true(closed->count == 1 && closed->boxes[0].high[2] == 3 &&
                closed->boxes[0].high[0] == 16);
    assert_true(open->count == 1 && open->boxes[0].low[0] == 13 && open->boxes[0].high[2] == 16);
}

static void ladders_can_be_climbed(void **state)
{
    (void)state;
    assert_true(cn_block_info(standard_blocks(), block("ladder_north"))->climbable);
    assert_true(cn_block_info(standard_blocks(), block("ladder"))->climbable);
    assert_false(cn_block_info(standard_blocks(), block("oak_stairs_north"))->climbable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_turn_to_all_directions),
        cmocka_unit_test(blocks_without_a_direction_stay_as_they_are),
        cmocka_unit_test(doors_open_and_close),
        cmocka_unit_test(halves_know_each_other),
        cmocka_unit_test(the_head_of_a_bed_lies_in_its_direction),
        cmocka_unit_test(the_upper_half_of_a_door_is_above_the_lower_one),
        cmocka_unit_test(furnaces_are_lit_and_go_out),
        cmocka_unit_test(signs_are_hung_on_walls),
        cmocka_unit_test(every_variant_knows_its_item),
        cmocka_unit_test(kinds_follow_from_names),
        cmocka_unit_test(one_variant_of_each_family_can_be_placed),
        cmocka_unit_test(open_doors_leave_the_way_free),
        cmocka_unit_test(ladders_can_be_climbed),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}

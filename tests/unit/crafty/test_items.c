/* The registry of items: names, numbers and palettes. */
#include "item_fixture.h"
#include "standard_blocks.h"

#include <string.h>

static void every_placeable_block_has_an_item_with_its_name(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    uint32_t placeable = 0;
    for (uint32_t block = 0; block < BLOCK_COUNT; block++) {
        CraftyItem item = crafty_items_of_block(items, (CnBlock)block);
        const CnBlockInfo *info = &standard_blocks()->info[block];
        if (!info->placeable)
            continue;
        placeable++;
        assert_int_equal(crafty_items_block(items, item), block);
        if (strstr(info->name, "_north"))
            continue;
        assert_string_equal(crafty_items_info(items, item)->name, info->name);
        assert_string_equal(crafty_items_info(items, item)->title, info->title);
    }
    assert_true(placeable > 100);
    assert_int_equal(crafty_items_count(items), placeable + 1);
    crafty_items_destroy(items);
}

static void an_item_without_a_block_has_none(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    CraftyItem stick = crafty_items_find(items, "stick");
    assert_true(stick != CRAFTY_NO_ITEM);
    assert_int_equal(crafty_items_block(items, stick), CN_BLOCK_AIR);
    crafty_items_destroy(items);
}

static void a_stack_has_64_by_default(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    CraftyItem stick = crafty_items_find(items, "stick");
    CraftyItem pearl = crafty_items_add(
        items, &(CraftyItemDesc){.name = "pearl", .title = "Pearl", .stack_max = 16}, NULL);
    assert_int_equal(crafty_items_info(items, stick)->stack_max, 64);
    assert_int_equal(crafty_items_info(items, pearl)->stack_max, 16);
    crafty_items_destroy(items);
}

static void a_name_that_nobody_added_is_not_found(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    assert_int_equal(crafty_items_find(items, "philosophers_stone"), CRAFTY_NO_ITEM);
    assert_int_equal(crafty_items_find(items, ""), CRAFTY_NO_ITEM);
    assert_null(crafty_items_info(items, CRAFTY_NO_ITEM));
    assert_null(crafty_items_info(items, 65535));
    assert_int_equal(crafty_items_block(items, 65535), CN_BLOCK_AIR);
    crafty_items_destroy(items);
}

static CnBlock not_placeable(void)
{
    uint32_t block = CN_BLOCK_AIR + 1;
    while (block < BLOCK_COUNT && standard_blocks()->info[block].placeable)
        block++;
    assert_true(block < BLOCK_COUNT);
    return (CnBlock)block;
}

static void a_wrong_description_is_refused_and_adds_nothing(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    char longest[CRAFTY_ITEM_NAME_BYTES + 1];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const struct {
        CraftyItemDesc desc;
        CnErrorCode code;
    } wrong[] = {
        {{.name = ""}, CN_ERROR_FORMAT},
        {{.name = "Stick"}, CN_ERROR_FORMAT},
        {{.name = "a,b"}, CN_ERROR_FORMAT},
        {{.name = longest}, CN_ERROR_FORMAT},
        {{.name = "stick"}, CN_ERROR_EXISTS},
        {{.name = "second_stone", .block = BLOCK_STONE}, CN_ERROR_EXISTS},
        {{.name = "ghost", .block = not_placeable()}, CN_ERROR_NOT_FOUND},
    };
    uint32_t count = crafty_items_count(items);
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        assert_int_equal(crafty_items_add(items, &wrong[i].desc, &error), CRAFTY_NO_ITEM);
        assert_int_equal(error.code, wrong[i].code);
    }
    assert_int_equal(crafty_items_count(items), count);
    assert_int_equal(crafty_items_find(items, "second_stone"), CRAFTY_NO_ITEM);
    crafty_items_destroy(items);
}

static void numbers_follow_the_palette(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,glass,stone");
    assert_int_equal(crafty_items_find(items, "stick"), 1);
    assert_int_equal(crafty_items_find(items, "glass"), 2);
    assert_int_equal(crafty_items_find(items, "stone"), 3);
    assert_int_equal(crafty_items_of_block(items, BLOCK_STONE), 3);
    assert_int_equal(crafty_items_block(items, 2), BLOCK_GLASS);
    crafty_items_destroy(items);
}

static void a_palette_that_is_written_gives_the_same_numbers(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,glass,stone");
    CnTextBuilder palette;
    cn_array_init(&palette, NULL);
    assert_true(crafty_items_write_palette(items, &palette));
    CraftyItems *again = make_items(palette.items);
    assert_int_equal(crafty_items_count(again), crafty_items_count(items));
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        CraftyItem item = crafty_items_at(items, i);
        assert_int_equal(crafty_items_find(again, crafty_items_info(items, item)->name), item);
    }
    cn_array_fini(&palette);
    crafty_items_destroy(again);
    crafty_items_destroy(items);
}

/* As of a mod that is not installed any more. */
static void a_name_of_the_palette_that_nothing_describes_is_kept_and_places_nothing(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,philosophers_stone");
    const CraftyItemInfo *info = crafty_items_info(items, 2);
    assert_string_equal(info->name, "philosophers_stone");
    assert_false(info->is_known);
    assert_int_equal(info->block, CN_BLOCK_AIR);
    CnTextBuilder palette;
    cn_array_init(&palette, NULL);
    assert_true(crafty_items_write_palette(items, &palette));
    assert_int_equal(strncmp(palette.items, "stick,philosophers_stone,", 25), 0);
    cn_array_fini(&palette);
    crafty_items_destroy(items);
}

/* Menus show the same order in every world. */
static void items_are_listed_in_the_order_of_adding(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,glass"), *other = make_items(NULL);
    for (uint32_t i = 0; i < crafty_items_count(items); i++)
        assert_string_equal(crafty_items_info(items, crafty_items_at(items, i))->name,
                            crafty_items_info(other, crafty_items_at(other, i))->name);
    crafty_items_destroy(items);
    crafty_items_destroy(other);
}

static void a_malformed_palette_is_refused(void **state)
{
    (void)state;
    static const char *const palettes[] = {
        "stone,Glass", "stone,,glass", "stone,stone", "stone glass", ",", "st\xC3\xB6ne"};
    for (uint32_t i = 0; i < CN_COUNT_OF(palettes); i++) {
        CnError error = {0};
        assert_null(crafty_items_create(
            &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = cn_text(palettes[i])},
            &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_placeable_block_has_an_item_with_its_name),
        cmocka_unit_test(an_item_without_a_block_has_none),
        cmocka_unit_test(a_stack_has_64_by_default),
        cmocka_unit_test(a_name_that_nobody_added_is_not_found),
        cmocka_unit_test(a_wrong_description_is_refused_and_adds_nothing),
        cmocka_unit_test(numbers_follow_the_palette),
        cmocka_unit_test(a_palette_that_is_written_gives_the_same_numbers),
        cmocka_unit_test(a_name_of_the_palette_that_nothing_describes_is_kept_and_places_nothing),
        cmocka_unit_test(items_are_listed_in_the_order_of_adding),
        cmocka_unit_test(a_malformed_palette_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

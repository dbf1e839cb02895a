/* The settings of recordings of Crafty. */
#include "item_fixture.h"
#include "standard_blocks.h"

#include <crafty/sim/recording.h>

#include <string.h>

static void settings_are_read_as_they_were_written(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,glass");
    CraftyStart start = {.seed = 7, .viewer = CRAFTY_VIEWER_WALKS, .hours = 18.5f}, read;
    CnTextBuilder text;
    CraftyPalettes palettes;
    cn_array_init(&text, NULL);
    assert_true(crafty_recording_write(&start, standard_blocks(), items, &text));
    assert_true(crafty_recording_read(text.items, &read, &palettes, NULL));
    assert_true(read.seed == 7 && read.viewer == CRAFTY_VIEWER_WALKS && read.hours == 18.5f);
    CraftyItems *again = crafty_items_create(
        &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = palettes.items}, NULL);
    assert_non_null(again);
    assert_int_equal(crafty_items_find(again, "stone"), crafty_items_find(items, "stone"));
    CnBlockTable *blocks =
        crafty_blocks_create(&(CraftyBlocksDesc){.palette = palettes.blocks}, NULL);
    assert_non_null(blocks);
    assert_int_equal(cn_block_find(blocks, "stone"), BLOCK_STONE);
    cn_block_table_destroy(blocks);
    crafty_items_destroy(again);
    cn_array_fini(&text);
    crafty_items_destroy(items);
}

static void settings_without_a_start_or_a_palette_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "demo=swarm",
                                        "crafty seed=1",
                                        "\nblocks=air\nitems=stone",
                                        "crafty seed=1\nitems=stone",
                                        "crafty seed=1\nblocks=air",
                                        "crafty seed=x\nblocks=air\nitems=stone"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyStart start;
        CraftyPalettes palettes;
        CnError error = {0};
        assert_false(crafty_recording_read(texts[i], &start, &palettes, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void assert_text_refused(CnText palette, const char *message)
{
    CnError error = {0};
    assert_null(crafty_blocks_create(&(CraftyBlocksDesc){.palette = palette}, &error));
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
}

static void assert_palette_refused(const char *palette, const char *message)
{
    assert_text_refused(cn_text(palette), message);
}

/* The rest of the name must not be dropped. */
static void a_name_with_a_zero_byte_is_refused(void **state)
{
    (void)state;
    static const char palette[] = "air,a\0x,b,c,d,e,water,water_1,water_2,water_3,water_4,water_5,"
                                  "water_6,water_7";
    assert_text_refused((CnText){palette, sizeof palette - 1}, "a name that is not text");
}

static void palettes_of_blocks_that_are_malformed_are_refused(void **state)
{
    (void)state;
    assert_palette_refused("air,stone", "ends before water");
    assert_palette_refused("stone,air", "block stone at position 0 instead of 1");
    assert_palette_refused("air,a,b,c,d,e,water,water_1,water_2,water_3,water_4,water_5,water_6,"
                           "water_7,a",
                           "a");
    assert_palette_refused("air,A\x01,b,c,d,e,water,water_1,water_2,water_3,water_4,water_5,"
                           "water_6,water_7",
                           "name");
}

static void a_name_of_the_palette_that_nothing_describes_is_a_placeholder(void **state)
{
    (void)state;
    CnBlockTable *blocks = crafty_blocks_create(
        &(CraftyBlocksDesc){.palette =
                                cn_text("air,mod:marble,stone,c,d,e,water,water_1,water_2,water_3,"
                                        "water_4,water_5,water_6,water_7")},
        NULL);
    assert_non_null(blocks);
    assert_true(cn_block_info(blocks, 1)->is_placeholder);
    assert_int_equal(cn_block_find(blocks, "stone"), 2);
    assert_int_not_equal(cn_block_find(blocks, "dirt"), CN_BLOCK_NONE);
    cn_block_table_destroy(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_read_as_they_were_written),
        cmocka_unit_test(settings_without_a_start_or_a_palette_are_refused),
        cmocka_unit_test(palettes_of_blocks_that_are_malformed_are_refused),
        cmocka_unit_test(a_name_with_a_zero_byte_is_refused),
        cmocka_unit_test(a_name_of_the_palette_that_nothing_describes_is_a_placeholder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

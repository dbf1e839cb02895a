/*
 * The settings of recordings, damaged at random: reading them and building the items of their
 * palette either works or reports an error. The test makes its cases from a seed, so it always runs
 * the same ones.
 */
#include "item_fixture.h"
#include "random.h"

#include <crafty/sim/recording.h>

#include <string.h>

#define CASES 20000u

static const char valid[] =
    "crafty seed=42 viewer=walks x=1 y=70.5 z=-3 yaw=30 pitch=0 hours=9.5 weather=any frozen=0 "
    "torches=3 players=2\n"
    "blocks=air,stone,mod:marble,c,d,e,water,water_1,water_2,water_3,water_4,water_5,"
    "water_6,water_7\n"
    "items=stick,glass,stone,philosophers_stone,dirt";

static void damage(TestRandom *random, char *text, size_t size)
{
    static const char bytes[] = "=, \n_aZ09-.\x01\xC3\xFF";
    uint32_t changes = 1 + test_random_below(random, 4);
    for (uint32_t i = 0; i < changes; i++) {
        char *at = &text[test_random_below(random, (uint32_t)size)];
        if (test_random_chance(random, 10))
            *at = '\0';
        else
            *at = bytes[test_random_below(random, sizeof bytes - 1)];
    }
}

/* Items of a palette have the numbers of their names. */
static void check_items(const CraftyItems *items, CnText palette)
{
    uint32_t number = 0;
    for (CnText name; cn_text_split(&palette, ',', &name);) {
        const CraftyItemInfo *info = crafty_items_info(items, ++number);
        assert_true(info && cn_text_equal(cn_text(info->name), name));
    }
}

/* Blocks of a palette have the numbers of their names. */
static void check_blocks(CnText palette)
{
    CnError error = {0};
    CnBlockTable *table = crafty_blocks_create(&(CraftyBlocksDesc){.palette = palette}, &error);
    uint32_t number = 0;
    for (CnText name; table && cn_text_split(&palette, ',', &name); number++)
        assert_true(cn_text_equal(cn_text(cn_block_info(table, (CnBlock)number)->name), name));
    assert_true(table || error.code != CN_OK);
    cn_block_table_destroy(table);
}

static void damaged_settings_are_read_or_refused(void **state)
{
    (void)state;
    TestRandom random = {11};
    uint32_t read = 0, refused = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        char text[sizeof valid];
        CraftyStart start;
        CraftyPalettes palettes;
        CnError error = {0};
        memcpy(text, valid, sizeof valid);
        damage(&random, text, sizeof valid - 1);
        CraftyItems *items = NULL;
        if (crafty_recording_read(text, &start, &palettes, &error)) {
            assert_true(start.viewer < CRAFTY_VIEWER_COUNT && start.hours >= 0);
            items = crafty_items_create(
                &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = palettes.items}, &error);
        }
        if (i % 16 == 0 && items)
            check_blocks(palettes.blocks);
        if (items)
            check_items(items, palettes.items);
        else
            assert_int_equal(error.code, CN_ERROR_FORMAT);
        read += items != NULL;
        refused += items == NULL;
        crafty_items_destroy(items);
    }
    assert_true(read > 100 && refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_settings_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

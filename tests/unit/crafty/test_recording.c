/* The settings of recordings of Crafty. */
#include "item_fixture.h"
#include "standard_blocks.h"

#include <crafty/sim/recording.h>

static void settings_are_read_as_they_were_written(void **state)
{
    (void)state;
    CraftyItems *items = make_items("stick,glass");
    CraftyStart start = {.seed = 7, .viewer = CRAFTY_VIEWER_WALKS, .hours = 18.5f}, read;
    CnTextBuilder text;
    CnText palette;
    cn_array_init(&text, NULL);
    assert_true(crafty_recording_write(&start, items, &text));
    assert_true(crafty_recording_read(text.items, &read, &palette, NULL));
    assert_true(read.seed == 7 && read.viewer == CRAFTY_VIEWER_WALKS && read.hours == 18.5f);
    CraftyItems *again = crafty_items_create(
        &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = palette}, NULL);
    assert_non_null(again);
    assert_int_equal(crafty_items_find(again, "stone"), crafty_items_find(items, "stone"));
    crafty_items_destroy(again);
    cn_array_fini(&text);
    crafty_items_destroy(items);
}

static void settings_without_a_start_or_a_palette_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "demo=swarm", "crafty seed=1", "\nitems=stone",
                                        "crafty seed=x\nitems=stone"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyStart start;
        CnText palette;
        CnError error = {0};
        assert_false(crafty_recording_read(texts[i], &start, &palette, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_read_as_they_were_written),
        cmocka_unit_test(settings_without_a_start_or_a_palette_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

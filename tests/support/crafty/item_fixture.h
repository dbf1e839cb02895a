/* Items for tests: those of all blocks, and "stick", which places nothing. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_ITEM_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_ITEM_FIXTURE_H

#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/world/items.h>

/* `palette` is that of CraftyItemsDesc; NULL: none. */
static inline CraftyItems *make_items(const char *palette)
{
    CraftyItems *items = crafty_items_create(
        &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = cn_text(palette)}, NULL);
    assert_non_null(items);
    assert_true(crafty_items_add_blocks(items, NULL));
    assert_true(crafty_items_add(items, &(CraftyItemDesc){.name = "stick"}, NULL));
    return items;
}

#endif

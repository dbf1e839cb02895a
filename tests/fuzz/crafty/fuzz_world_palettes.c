/*
 * The palettes of a world file, of blocks or of items as the first byte says: accepted names keep
 * their numbers and are the same when the palette is written again, in front of names that were
 * added.
 */
#include "fuzz_surface.h"
#include "standard_blocks.h"

#include <crafty/world/blocks.h>
#include <crafty/world/items.h>

#include <string.h>

enum { MAX_BYTES = 32768 };

static const char *const words[] = {",",     ",,",       "air",     "stone",   "water",
                                    "mod:",  "mod:a",    "water_1", "water_7", "stick",
                                    "glass", "\xc3\xa4", " ",       "\n",      NULL};

static void add_palette(FuzzSeeds *seeds, char kind, const CnTextBuilder *text)
{
    uint8_t bytes[MAX_BYTES] = {(uint8_t)kind};
    FUZZ_CHECK(text->count < sizeof bytes);
    memcpy(bytes + 1, text->items, text->count);
    fuzz_add(seeds, bytes, text->count + 1);
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    FUZZ_CHECK(crafty_blocks_write_palette(standard_blocks(), &text));
    add_palette(seeds, 0, &text);
    CraftyItems *items = crafty_items_create(&(CraftyItemsDesc){.blocks = standard_blocks()}, NULL);
    text.count = 0;
    FUZZ_CHECK(items && crafty_items_write_palette(items, &text));
    add_palette(seeds, 1, &text);
    crafty_items_destroy(items);
    cn_array_fini(&text);
    fuzz_add_text(seeds, "0air,stone,mod:moon_lamp,dirt");
    fuzz_add_text(seeds, "1stick,mod:moon_lamp,glass");
}

/* The new palette begins with the old one, without a comma at its end. */
static void check_begin(const CnTextBuilder *again, CnText palette)
{
    if (palette.size && palette.data[palette.size - 1] == ',')
        palette.size--;
    FUZZ_CHECK(again->count >= palette.size &&
               memcmp(again->items, palette.data, palette.size) == 0);
    FUZZ_CHECK(again->count == palette.size || again->items[palette.size] == ',' ||
               palette.size == 0);
}

static bool read_blocks(CnText palette, CnTextBuilder *again, CnError *error)
{
    CnBlockTable *table = crafty_blocks_create(&(CraftyBlocksDesc){.palette = palette}, error);
    if (!table)
        return false;
    FUZZ_CHECK(crafty_blocks_write_palette(table, again));
    cn_block_table_destroy(table);
    return true;
}

static bool read_items(CnText palette, CnTextBuilder *again, CnError *error)
{
    CraftyItems *items = crafty_items_create(
        &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = palette}, error);
    if (!items)
        return false;
    FUZZ_CHECK(crafty_items_write_palette(items, again));
    crafty_items_destroy(items);
    return true;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    if (size == 0)
        return false;
    CnText palette = {(const char *)bytes + 1, size - 1};
    CnTextBuilder again;
    cn_array_init(&again, NULL);
    bool accepted =
        bytes[0] % 2 ? read_items(palette, &again, &error) : read_blocks(palette, &again, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (accepted)
        check_begin(&again, palette);
    cn_array_fini(&again);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = MAX_BYTES, .test_runs = 3000, .words = words, .add_seeds = add_seeds, .run = run};

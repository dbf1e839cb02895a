/*
 * The settings of recordings of Crafty: reading them and building the blocks and items of their
 * palettes works or reports an error.
 */
#include "fuzz_surface.h"
#include "standard_blocks.h"

#include <crafty/sim/recording.h>

#include <string.h>

static const char *const words[] = {"crafty ", "seed=",    "viewer=",    "walks",
                                    "flies",   "x=",       "y=",         "z=",
                                    "yaw=",    "pitch=",   "hours=",     "frozen=",
                                    "torches", "weather=", "any",        "rain",
                                    "\n",      "blocks=",  "items=",     "players=",
                                    "nan",     "inf",      "1e308",      "-1e308",
                                    "1e-400",  ",air",     ",stone",     "mod:",
                                    "water_",  "-0",       "4294967296", "18446744073709551616",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "crafty seed=42 viewer=walks x=1 y=70.5 z=-3 yaw=30 pitch=0 hours=9.5 "
                         "weather=any frozen=0 torches=3 players=2\n"
                         "blocks=air,stone,mod:marble,c,d,e,water,water_1,water_2,water_3,water_4,"
                         "water_5,water_6,water_7\n"
                         "items=stick,glass,stone,philosophers_stone,dirt");
}

/* Items of a palette have the numbers of their names. */
static void check_items(const CraftyItems *items, CnText palette)
{
    uint32_t number = 0;
    for (CnText name; cn_text_split(&palette, ',', &name);) {
        const CraftyItemInfo *info = crafty_items_info(items, ++number);
        FUZZ_CHECK(info && cn_text_equal(cn_text(info->name), name));
    }
}

/* Blocks of a palette have the numbers of their names. */
static void check_blocks(CnText palette)
{
    CnError error = {0};
    CnBlockTable *table = crafty_blocks_create(&(CraftyBlocksDesc){.palette = palette}, &error);
    uint32_t number = 0;
    for (CnText name; table && cn_text_split(&palette, ',', &name); number++)
        FUZZ_CHECK(cn_text_equal(cn_text(cn_block_info(table, (CnBlock)number)->name), name));
    FUZZ_CHECK(table || error.code != CN_OK);
    cn_block_table_destroy(table);
}

static bool run(const uint8_t *bytes, size_t size)
{
    char *text = cn_alloc_zeroed(NULL, size + 1);
    CraftyStart start;
    CraftyPalettes palettes;
    CnError error = {0};
    CraftyItems *items = NULL;
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, bytes, size);
    if (crafty_recording_read(text, &start, &palettes, &error)) {
        FUZZ_CHECK(start.viewer < CRAFTY_VIEWER_COUNT && start.hours >= 0);
        items = crafty_items_create(
            &(CraftyItemsDesc){.blocks = standard_blocks(), .palette = palettes.items}, &error);
    }
    bool accepted = items != NULL;
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (accepted) {
        check_items(items, palettes.items);
        if (size % 8 == 0) /* takes most of the time */
            check_blocks(palettes.blocks);
    }
    crafty_items_destroy(items);
    cn_free(NULL, text, size + 1);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .words = words, .add_seeds = add_seeds, .run = run};

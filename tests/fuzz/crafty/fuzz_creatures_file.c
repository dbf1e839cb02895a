/*
 * The creatures of Crafty, as a mod may change them: whatever the file contains, an error is
 * reported with the file, or every value is in its range and every item exists.
 */
#include "fuzz_surface.h"

#include <crafty/world/creature_kinds.h>

#include <string.h>

static const char *const words[] = {"\"creatures\":",
                                    "\"flowers\":",
                                    "\"name\":",
                                    "\"number\":",
                                    "\"size\":",
                                    "\"health\":",
                                    "\"speed\":",
                                    "\"foods\":",
                                    "\"drops\":",
                                    "\"item\":",
                                    "\"count\":",
                                    "\"spawn\":",
                                    "\"biomes\":",
                                    "\"light\":",
                                    "\"cap\":",
                                    "\"behaviours\":",
                                    "\"do\":",
                                    "\"wander\"",
                                    "\"tin\"",
                                    "\"*\"",
                                    "\"duck\"",
                                    "0.5",
                                    "64",
                                    "1e308",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(
        seeds,
        "{\"flowers\": [\"rock\"], \"creatures\": [{\"name\": \"duck\", \"number\": 1, \"size\": "
        "[0.5, 0.6], \"health\": 4, \"foods\": [\"tin\"], \"drops\": [{\"item\": \"tin\", "
        "\"count\": [0, 2], \"chance\": 0.5}], \"spawn\": {\"habitat\": \"shore\", \"biomes\": "
        "[\"*\"], \"group\": [1, 2], \"light\": [0, 7], \"cap\": 9}, \"behaviours\": [{\"do\": "
        "\"wander\", \"distance\": 8, \"chance\": 0.1}]}]}");
}

/* The blocks are the same in all runs. */
static const CnBlockTable *blocks_of_the_test(void)
{
    static CnBlockTable *blocks;
    if (blocks)
        return blocks;
    blocks = cn_block_table_create(NULL, NULL);
    CnBlockInfo rock = cn_block_info_default("rock");
    FUZZ_CHECK(blocks && cn_block_table_add(blocks, &rock, NULL, NULL));
    cn_block_table_close(blocks);
    return blocks;
}

static void check_kind(const CraftyItems *items, const CraftyCreatureKind *kind)
{
    FUZZ_CHECK(kind->number > 0 && kind->number <= CRAFTY_MAX_CREATURE_NUMBER);
    FUZZ_CHECK(kind->name[0] && strlen(kind->name) < CRAFTY_CREATURE_NAME_BYTES);
    FUZZ_CHECK(kind->width >= 0.09f && kind->width <= 3 && kind->height >= 0.09f &&
               kind->height <= 3 && kind->health >= 1 && kind->speed >= 0 && kind->speed <= 10);
    FUZZ_CHECK(kind->medium < CRAFTY_MEDIUM_COUNT && kind->spawn.habitat < CRAFTY_HABITAT_COUNT);
    FUZZ_CHECK(kind->spawn.low <= kind->spawn.high && kind->spawn.light_high <= 15);
    for (uint32_t i = 0; i < kind->food_count; i++)
        FUZZ_CHECK(crafty_items_info(items, kind->foods[i]));
    for (uint32_t i = 0; i < kind->drop_count; i++)
        FUZZ_CHECK(crafty_items_info(items, kind->drops[i].item) &&
                   kind->drops[i].low <= kind->drops[i].high);
    for (uint32_t i = 0; i < kind->behaviour_count; i++)
        FUZZ_CHECK(kind->behaviours[i].kind < CRAFTY_BEHAVIOUR_COUNT);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = blocks_of_the_test()}, NULL);
    FUZZ_CHECK(items && crafty_items_add_blocks(items, NULL) &&
               crafty_items_add(items, &(CraftyItemDesc){.name = "tin"}, NULL));
    CraftyCreatureKinds *kinds = crafty_creature_kinds_create(NULL, NULL);
    FUZZ_CHECK(kinds != NULL);
    bool good = crafty_creature_kinds_read(kinds, items, "file",
                                           (CnText){(const char *)bytes, size}, &error);
    FUZZ_CHECK(good || strcmp(error.file, "file") == 0);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(kinds); i++)
        check_kind(items, crafty_creature_kind_at(kinds, i));
    crafty_creature_kinds_destroy(kinds);
    crafty_items_destroy(items);
    return good;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};

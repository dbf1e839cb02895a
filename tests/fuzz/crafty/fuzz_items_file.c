/*
 * The items and the block rules of Crafty, as a mod may change them: whatever the file contains, an
 * error is reported with the file, or every value is in its range and every drop is an item.
 */
#include "fuzz_surface.h"

#include <crafty/world/block_rules.h>
#include <crafty/world/items_file.h>

#include <string.h>

static const char *const words[] = {"\"items\":",
                                    "\"blocks\":",
                                    "\"rules\":",
                                    "\"name\":",
                                    "\"title\":",
                                    "\"tool\":",
                                    "\"tier\":",
                                    "\"food\":",
                                    "\"fuel_seconds\":",
                                    "\"durability\":",
                                    "\"stack\":",
                                    "\"remainder\":",
                                    "\"match\":",
                                    "\"surface\":",
                                    "\"drops\":",
                                    "\"item\":",
                                    "\"chance\":",
                                    "\"min\":",
                                    "\"max\":",
                                    "\"when_shorn\":",
                                    "\"pickaxe\"",
                                    "\"iron\"",
                                    "\"stone\"",
                                    "\"*_ore\"",
                                    "\"self\"",
                                    "\"tin\"",
                                    "\"*\"",
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
    fuzz_add_text(seeds,
                  "{\"items\": [{\"name\": \"pail\", \"tool\": \"bucket\", \"stack\": 16}, "
                  "{\"name\": \"full_pail\", \"remainder\": \"pail\", \"food\": 3}, {\"name\": "
                  "\"axe\", \"tool\": \"axe\", \"tier\": \"gold\", \"durability\": 9}], "
                  "\"blocks\": [{\"match\": \"*_ore\", \"fuel_seconds\": 2.5}]}");
    fuzz_add_text(seeds,
                  "{\"rules\": [{\"match\": [\"*_ore\", \"rock\"], \"tool\": \"pickaxe\", "
                  "\"tier\": \"iron\", \"drops\": [{\"item\": \"*\", \"min\": 1, \"max\": 3, "
                  "\"chance\": 0.5}, \"self\"], \"drops_one\": true, \"when_shorn\": \"self\"}, "
                  "{\"surface\": \"stone\", \"drops\": \"self\"}]}");
}

/* The blocks are the same in all runs. */
static const CnBlockTable *blocks_of_the_test(void)
{
    static CnBlockTable *blocks;
    if (blocks)
        return blocks;
    blocks = cn_block_table_create(NULL, NULL);
    FUZZ_CHECK(blocks != NULL);
    CnBlockInfo ore = cn_block_info_default("tin_ore"), rock = cn_block_info_default("rock");
    FUZZ_CHECK(cn_block_table_add(blocks, &ore, NULL, NULL) &&
               cn_block_table_add(blocks, &rock, NULL, NULL));
    cn_block_table_close(blocks);
    return blocks;
}

static CraftyItems *make_items(void)
{
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = blocks_of_the_test()}, NULL);
    FUZZ_CHECK(items && crafty_items_add_blocks(items, NULL));
    FUZZ_CHECK(crafty_items_add(items, &(CraftyItemDesc){.name = "tin"}, NULL));
    return items;
}

static void check_items(const CraftyItems *items)
{
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        const CraftyItemInfo *info = crafty_items_info(items, crafty_items_at(items, i));
        FUZZ_CHECK(info->tool < CRAFTY_TOOL_COUNT && info->tier < CRAFTY_TIER_COUNT);
        FUZZ_CHECK(info->stack_max > 0 && info->stack_max <= CRAFTY_STACK_MAX);
        FUZZ_CHECK(!info->durability || info->stack_max == 1);
        FUZZ_CHECK(info->food <= CRAFTY_MAX_FOOD_POINTS);
        FUZZ_CHECK(info->fuel_seconds >= 0 && info->fuel_seconds <= CRAFTY_MAX_FUEL_SECONDS);
        FUZZ_CHECK(!info->remainder || crafty_items_info(items, info->remainder));
    }
}

static void check_rules(const CraftyItems *items, const CraftyBlockRules *rules)
{
    for (uint32_t block = 0; block < blocks_of_the_test()->count; block++) {
        const CraftyBlockRule *rule = crafty_block_rule(rules, (CnBlock)block);
        CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS];
        FUZZ_CHECK(rule->drop_count <= CRAFTY_BLOCK_MAX_DROPS);
        for (uint64_t random = 0; random < 8; random++) {
            uint32_t count = crafty_block_drops(rules, (CnBlock)block, NULL, random, drops);
            for (uint32_t i = 0; i < count; i++)
                FUZZ_CHECK(crafty_items_info(items, drops[i].item) && drops[i].min > 0 &&
                           drops[i].min <= CRAFTY_STACK_MAX);
        }
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnText text = {(const char *)bytes, size};
    CnError items_error = {0}, rules_error = {0};
    CraftyItems *items = make_items();
    bool are_items = crafty_items_read(items, "file", text, &items_error);
    CraftyBlockRules *rules = crafty_block_rules_create(
        &(CraftyBlockRulesDesc){
            .items = items, .blocks = blocks_of_the_test(), .file = "file", .text = text},
        &rules_error);
    bool are_rules = rules != NULL;
    FUZZ_CHECK(are_items || strcmp(items_error.file, "file") == 0);
    FUZZ_CHECK(are_rules || strcmp(rules_error.file, "file") == 0);
    check_items(items);
    if (rules)
        check_rules(items, rules);
    crafty_block_rules_destroy(rules);
    crafty_items_destroy(items);
    return are_items || are_rules;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};

/*
 * Block rules: which tool breaks a block well, which one it needs to drop something, and what it
 * drops.
 *
 *     CraftyBlockRules *rules = crafty_block_rules_create(
 *         &(CraftyBlockRulesDesc){.items = items, .blocks = blocks, .file = "block_rules.json",
 *                                 .text = text}, &error);
 *     CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS];
 *     const CraftyItemInfo *held = crafty_items_info(items, pickaxe); // NULL: the hand
 *     uint32_t count = crafty_block_drops(rules, stone, held, random, drops); // 1: cobblestone
 *     crafty_block_rules_destroy(rules);
 *
 * The rules are those of docs/formats.md: rows with patterns of names, of which the first that fits
 * a block holds. A block without a row drops the item of its family, whatever breaks it. Rules do
 * not change after they were created; any thread may read them.
 */
#ifndef CRAFTY_WORLD_BLOCK_RULES_H
#define CRAFTY_WORLD_BLOCK_RULES_H

#include "items.h"

#define CRAFTY_BLOCK_MAX_DROPS 4u
#define CRAFTY_CERTAIN 10000u /* the chance of a drop that always happens */

/* In a rule, `min` to `max` items drop with a chance in 1/10,000. As a result, `min` is how many
 * drop, and `max` is the same. */
typedef struct CraftyBlockDrop {
    CraftyItem item;
    uint16_t min, max, chance;
} CraftyBlockDrop;

typedef struct CraftyBlockRule {
    uint8_t tool;       /* CraftyTool that breaks it well */
    uint8_t tier;       /* CraftyTier of that tool that it needs to drop something; 0: anything */
    bool drops_one;     /* only the first drop that happens, not all of them */
    uint8_t drop_count; /* 0: drops nothing */
    CraftyItem when_shorn; /* what shears get instead; 0: nothing else */
    CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS];
} CraftyBlockRule;

typedef struct CraftyBlockRules CraftyBlockRules;

typedef struct CraftyBlockRulesDesc {
    CnAllocator *allocator;     /* NULL: the system allocator */
    const CraftyItems *items;   /* all of them; required */
    const CnBlockTable *blocks; /* closed; required */
    const char *file;           /* for error messages */
    CnText text;                /* JSON */
} CraftyBlockRulesDesc;

/* Returns NULL and an error with file and line if the text is malformed or names something that
 * does not exist, or when out of memory. */
CraftyBlockRules *crafty_block_rules_create(const CraftyBlockRulesDesc *desc, CnError *error);
void crafty_block_rules_destroy(CraftyBlockRules *rules); /* NULL is ignored */

/* Returns the rule of a block; that of air for numbers that are not registered. */
const CraftyBlockRule *crafty_block_rule(const CraftyBlockRules *rules, CnBlock block);
/* Returns whether a block drops something when it is broken with an item; NULL: with the hand. */
bool crafty_block_rule_allows(const CraftyBlockRule *rule, const CraftyItemInfo *held);
/* Stores what a block drops when it is broken with an item, and returns how many kinds of items.
 * The same random number gives the same drops. */
uint32_t crafty_block_drops(const CraftyBlockRules *rules, CnBlock block,
                            const CraftyItemInfo *held, uint64_t random,
                            CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS]);

#endif

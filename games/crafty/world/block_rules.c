#include "block_rules.h"

#include "data_reader.h"
#include "items_file.h"

#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>

#include <string.h>

struct CraftyBlockRules {
    CnAllocator *allocator;
    const CraftyItems *items;
    const CnBlockTable *blocks;
    CraftyBlockRule *list; /* by number of the block */
    bool *is_set;          /* while the file is read */
    uint32_t count;
};

static const char *const surface_words[CN_BLOCK_SURFACE_COUNT] = {"stone", "grass", "sand", "wood"};

/* ---- Rows ---- */

/* The texts of a row. */
typedef struct Row {
    json_t *object, *match; /* match: NULL or a text or an array of them */
    uint32_t surface;       /* CN_BLOCK_SURFACE_COUNT: any */
    CraftyBlockRule rule;   /* tool and tier */
    const char *when_shorn;
} Row;

/* Returns whether the row holds for a block, and what the star stands for. */
static bool fits(const Row *row, const CnBlockInfo *block, CnText *star)
{
    if (row->surface != CN_BLOCK_SURFACE_COUNT && row->surface != block->surface)
        return false;
    *star = cn_text(block->name);
    if (!row->match)
        return true;
    if (json_is_string(row->match))
        return crafty_pattern_match(json_string_value(row->match), block->name, star);
    json_t *pattern;
    size_t i;
    json_array_foreach(row->match, i,
                       pattern) if (crafty_pattern_match(json_string_value(pattern), block->name,
                                                         star)) return true;
    return false;
}

/* "self" is the item of the family of the block. */
static bool find_item(CraftyDataReader *reader, const CraftyBlockRules *rules, CnBlock block,
                      const char *text, CnText star, CraftyItem *item)
{
    char name[CRAFTY_ITEM_NAME_BYTES];
    if (strcmp(text, "self") == 0) {
        *item = crafty_items_of_block(rules->items, block);
        return true; /* without one, such as of water, nothing drops */
    }
    if (!crafty_pattern_expand(text, star, name))
        return crafty_data_fail(reader, "the name of the item is too long");
    *item = crafty_items_find(rules->items, name);
    if (*item && crafty_items_info(rules->items, *item)->is_known)
        return true;
    return crafty_data_fail_item(reader, rules->items, name);
}

static bool read_drop(CraftyDataReader *reader, const CraftyBlockRules *rules, CnBlock block,
                      json_t *value, CnText star, CraftyBlockDrop *drop)
{
    static const char *const keys[] = {"item", "min", "max", "chance", NULL};
    const char *item = json_string_value(value);
    double chance = 1;
    *drop = (CraftyBlockDrop){.min = 1, .chance = CRAFTY_CERTAIN};
    if (!item && !json_is_object(value))
        return crafty_data_fail(reader, "a drop must be an item or an object");
    if (!item && (!crafty_data_keys(reader, value, keys) ||
                  !crafty_data_text(reader, value, "item", &item) ||
                  !crafty_data_whole(reader, value, "min", 1, CRAFTY_STACK_MAX, &drop->min) ||
                  !crafty_data_whole(reader, value, "max", 1, CRAFTY_STACK_MAX, &drop->max) ||
                  !crafty_data_number(reader, value, "chance", 0.0001, 1, &chance)))
        return false;
    if (!item)
        return crafty_data_fail(reader, "\"item\" is missing");
    drop->max = drop->max ? drop->max : drop->min;
    drop->chance = (uint16_t)(chance * CRAFTY_CERTAIN + 0.5);
    if (drop->max < drop->min)
        return crafty_data_fail(reader, "\"max\" must be at least \"min\"");
    return find_item(reader, rules, block, item, star, &drop->item);
}

static bool read_drops(CraftyDataReader *reader, const CraftyBlockRules *rules, CnBlock block,
                       const Row *row, CnText star, CraftyBlockRule *rule)
{
    json_t *drops = json_object_get(row->object, "drops");
    size_t count = json_is_array(drops) ? json_array_size(drops) : drops ? 1 : 0;
    crafty_data_enter_key(reader, row->object, "drops");
    if (count > CRAFTY_BLOCK_MAX_DROPS)
        return crafty_data_fail(reader, "a block has at most %u drops", CRAFTY_BLOCK_MAX_DROPS);
    for (size_t i = 0; i < count; i++) {
        CraftyBlockDrop drop;
        if (json_is_array(drops))
            crafty_data_enter(reader, i, false);
        if (!read_drop(reader, rules, block,
                       json_is_array(drops) ? json_array_get(drops, i) : drops, star, &drop))
            return false;
        if (json_is_array(drops))
            crafty_data_leave(reader);
        if (drop.item)
            rule->drops[rule->drop_count++] = drop;
    }
    crafty_data_leave(reader);
    if (!row->when_shorn)
        return true;
    crafty_data_enter_key(reader, row->object, "when_shorn");
    if (!find_item(reader, rules, block, row->when_shorn, star, &rule->when_shorn))
        return false;
    crafty_data_leave(reader);
    return true;
}

static bool check_match(CraftyDataReader *reader, const Row *row)
{
    json_t *pattern;
    size_t i;
    bool is_good = !row->match || json_is_string(row->match) || json_array_size(row->match) > 0;
    json_array_foreach(row->match, i, pattern) is_good = is_good && json_is_string(pattern);
    if (is_good && (row->match || row->surface != CN_BLOCK_SURFACE_COUNT))
        return true;
    crafty_data_enter_key(reader, row->object, "match");
    return crafty_data_fail(reader, "a rule needs \"match\", a pattern of names or an array of "
                                    "them, or \"surface\"");
}

/* Every pattern has to fit a block, so that a misspelled one is noticed. */
static bool check_patterns(CraftyDataReader *reader, const CraftyBlockRules *rules, const Row *row)
{
    size_t count = json_is_array(row->match) ? json_array_size(row->match) : row->match ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_is_array(row->match) ? json_array_get(row->match, i) : row->match;
        bool found = false;
        CnText star;
        for (uint32_t block = 0; block < rules->count && !found; block++)
            found = cn_block_exists(rules->blocks, (CnBlock)block) &&
                    crafty_pattern_match(json_string_value(value),
                                         cn_block_info(rules->blocks, (CnBlock)block)->name, &star);
        if (found)
            continue;
        char escaped[2 * CRAFTY_ITEM_NAME_BYTES];
        crafty_data_enter_key(reader, row->object, "match");
        return crafty_data_fail(
            reader, "no block has a name like \"%s\"",
            cn_text_escape(cn_text(json_string_value(value)), escaped, sizeof escaped));
    }
    return true;
}

static bool read_row(CraftyDataReader *reader, CraftyBlockRules *rules, json_t *object)
{
    static const char *const keys[] = {"match", "surface",    "tool",      "tier",
                                       "drops", "when_shorn", "drops_one", NULL};
    Row row = {.object = object, .surface = CN_BLOCK_SURFACE_COUNT};
    uint32_t tool = CRAFTY_TOOL_NONE, tier = CRAFTY_TIER_HAND;
    if (!json_is_object(object))
        return crafty_data_fail(reader, "a rule must be an object");
    if (!crafty_data_keys(reader, object, keys) ||
        !crafty_data_word(reader, object, "surface", surface_words, CN_BLOCK_SURFACE_COUNT,
                          &row.surface) ||
        !crafty_data_word(reader, object, "tool", crafty_tool_words, CRAFTY_TOOL_COUNT, &tool) ||
        !crafty_data_word(reader, object, "tier", crafty_tier_words, CRAFTY_TIER_COUNT, &tier) ||
        !crafty_data_text(reader, object, "when_shorn", &row.when_shorn))
        return false;
    row.match = json_object_get(object, "match");
    row.rule.tool = (uint8_t)tool;
    row.rule.tier = (uint8_t)tier;
    row.rule.drops_one = json_is_true(json_object_get(object, "drops_one"));
    if (tier && !tool)
        return crafty_data_fail(reader, "\"tier\" needs a \"tool\"");
    if (!check_match(reader, &row) || !check_patterns(reader, rules, &row))
        return false;
    for (uint32_t block = 0; block < rules->count; block++) {
        const CnBlockInfo *info = cn_block_info(rules->blocks, (CnBlock)block);
        CnText star;
        if (rules->is_set[block] || !cn_block_exists(rules->blocks, (CnBlock)block) ||
            !fits(&row, info, &star))
            continue;
        CraftyBlockRule rule = row.rule;
        if (!read_drops(reader, rules, (CnBlock)block, &row, star, &rule))
            return false;
        rules->list[block] = rule;
        rules->is_set[block] = true;
    }
    return true;
}

static bool read_file(CraftyBlockRules *rules, const CraftyBlockRulesDesc *desc, CnError *error)
{
    static const char *const keys[] = {"$schema", "rules", NULL};
    CraftyDataReader reader;
    if (!crafty_data_open(&reader, desc->file, desc->text, error))
        return false;
    json_t *rows = json_object_get(reader.root, "rules"), *row;
    size_t i;
    bool is_good = crafty_data_keys(&reader, reader.root, keys);
    if (is_good && !json_is_array(rows))
        is_good = crafty_data_fail(&reader, "\"rules\" must be an array");
    crafty_data_enter_key(&reader, reader.root, "rules");
    json_array_foreach(rows, i, row)
    {
        if (!is_good)
            break;
        crafty_data_enter(&reader, i, false);
        is_good = read_row(&reader, rules, row);
        if (is_good)
            crafty_data_leave(&reader);
    }
    crafty_data_close(&reader);
    return is_good;
}

/* ---- Creation ---- */

static void set_defaults(CraftyBlockRules *rules)
{
    for (uint32_t block = 0; block < rules->count; block++) {
        CraftyItem item = crafty_items_of_block(rules->items, (CnBlock)block);
        if (!item)
            continue;
        rules->list[block].drop_count = 1;
        rules->list[block].drops[0] =
            (CraftyBlockDrop){.item = item, .min = 1, .max = 1, .chance = CRAFTY_CERTAIN};
    }
}

CraftyBlockRules *crafty_block_rules_create(const CraftyBlockRulesDesc *desc, CnError *error)
{
    CN_ASSERT(desc->items && desc->blocks, "rules need items and blocks");
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyBlockRules *rules = cn_alloc_zeroed(allocator, sizeof *rules);
    if (!rules) {
        cn_error_memory(error, "the block rules");
        return NULL;
    }
    *rules = (CraftyBlockRules){.allocator = allocator,
                                .items = desc->items,
                                .blocks = desc->blocks,
                                .count = desc->blocks->count};
    rules->list = cn_alloc_zeroed(allocator, rules->count * sizeof *rules->list);
    rules->is_set = cn_alloc_zeroed(allocator, rules->count * sizeof *rules->is_set);
    bool has_memory = rules->list && rules->is_set;
    if (has_memory)
        set_defaults(rules);
    else
        cn_error_memory(error, "the block rules");
    if (has_memory && read_file(rules, desc, error))
        return rules;
    crafty_block_rules_destroy(rules);
    return NULL;
}

void crafty_block_rules_destroy(CraftyBlockRules *rules)
{
    if (!rules)
        return;
    cn_free(rules->allocator, rules->is_set, rules->count * sizeof *rules->is_set);
    cn_free(rules->allocator, rules->list, rules->count * sizeof *rules->list);
    cn_free(rules->allocator, rules, sizeof *rules);
}

/* ---- Use ---- */

const CraftyBlockRule *crafty_block_rule(const CraftyBlockRules *rules, CnBlock block)
{
    return &rules->list[block < rules->count ? block : CN_BLOCK_AIR];
}

bool crafty_block_rule_allows(const CraftyBlockRule *rule, const CraftyItemInfo *held)
{
    return !rule->tier || (held && held->tool == rule->tool && held->tier >= rule->tier);
}

uint32_t crafty_block_drops(const CraftyBlockRules *rules, CnBlock block,
                            const CraftyItemInfo *held, uint64_t random,
                            CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS])
{
    const CraftyBlockRule *rule = crafty_block_rule(rules, block);
    uint32_t count = 0;
    if (held && held->tool == CRAFTY_TOOL_SHEARS && rule->when_shorn) {
        drops[0] = (CraftyBlockDrop){rule->when_shorn, 1, 1, CRAFTY_CERTAIN};
        return 1;
    }
    for (uint32_t i = 0; i < rule->drop_count && crafty_block_rule_allows(rule, held); i++) {
        CraftyBlockDrop drop = rule->drops[i];
        random = cn_hash_mix(random + i + 1);
        if (random % CRAFTY_CERTAIN >= drop.chance)
            continue;
        drop.min = (uint16_t)(drop.min + (random >> 32) % (drop.max - drop.min + 1u));
        drop.max = drop.min;
        drop.chance = CRAFTY_CERTAIN;
        drops[count++] = drop;
        if (rule->drops_one)
            break;
    }
    return count;
}

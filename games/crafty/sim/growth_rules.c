/* Which block grows how: found by name when the world is created. */
#include "growth_internal.h"

#include <cairn/base/memory.h>

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Returns CN_BLOCK_AIR if there is none. */
static CnBlock find(const CnBlockTable *blocks, const char *name)
{
    CnBlock block = cn_block_find(blocks, name);
    return block == CN_BLOCK_NONE ? (CnBlock)CN_BLOCK_AIR : block;
}

/* ---- Trees ---- */

/* Saplings of woods that the generator does not grow get the shape of a similar tree. */
static const struct {
    const char *wood;
    CnTree tree, other;
} shapes[] = {
    {"oak", CN_TREE_OAK, CN_TREE_OAK},          {"birch", CN_TREE_BIRCH, CN_TREE_BIRCH},
    {"spruce", CN_TREE_SPRUCE, CN_TREE_PINE},   {"jungle", CN_TREE_JUNGLE, CN_TREE_JUNGLE},
    {"acacia", CN_TREE_ACACIA, CN_TREE_ACACIA}, {"willow", CN_TREE_WILLOW, CN_TREE_WILLOW},
    {"cherry", CN_TREE_CHERRY, CN_TREE_CHERRY}, {"palm", CN_TREE_PALM, CN_TREE_PALM},
    {"redwood", CN_TREE_PINE, CN_TREE_SPRUCE},  {"larch", CN_TREE_SPRUCE, CN_TREE_SPRUCE},
    {"mangrove", CN_TREE_WILLOW, CN_TREE_OAK},  {"ash", CN_TREE_BIRCH, CN_TREE_OAK}};
/* What the generator's trees consist of. */
static const char *const generated_woods[CN_TREE_COUNT] = {
    [CN_TREE_OAK] = "oak",       [CN_TREE_BIRCH] = "birch",   [CN_TREE_SPRUCE] = "spruce",
    [CN_TREE_PINE] = "spruce",   [CN_TREE_JUNGLE] = "jungle", [CN_TREE_PALM] = "jungle",
    [CN_TREE_ACACIA] = "acacia", [CN_TREE_WILLOW] = "willow", [CN_TREE_CHERRY] = "cherry"};

static CnBlock of_wood(const CnBlockTable *blocks, const char *wood, int length, const char *part)
{
    char name[2 * CN_BLOCK_NAME_BYTES];
    snprintf(name, sizeof name, "%.*s_%s", length, wood, part);
    return find(blocks, name);
}

static void set_sapling(CraftyGrowthRule *rule, const CnBlockTable *blocks, const char *name)
{
    int length = (int)(strlen(name) - strlen("_sapling"));
    rule->log = of_wood(blocks, name, length, "log");
    rule->leaves = of_wood(blocks, name, length, "leaves");
    if (rule->log == CN_BLOCK_AIR || rule->leaves == CN_BLOCK_AIR)
        return;
    rule->kind = CRAFTY_GROWS_SAPLING;
    rule->tree = rule->other_tree = CN_TREE_OAK;
    for (size_t i = 0; i < CN_COUNT_OF(shapes); i++)
        if (strlen(shapes[i].wood) == (size_t)length &&
            strncmp(shapes[i].wood, name, (size_t)length) == 0) {
            rule->tree = (uint8_t)shapes[i].tree;
            rule->other_tree = (uint8_t)shapes[i].other;
        }
}

/* ---- Single blocks ---- */

/* Crops have the stages _stage_1 to _stage_3, then none. */
static void set_crop(CraftyGrowthRule *rule, const CnBlockTable *blocks, const char *name)
{
    char next[CN_BLOCK_NAME_BYTES];
    const char *stage = strstr(name, "_stage_");
    size_t length = (size_t)(stage - name);
    int number = stage[strlen("_stage_")] - '0';
    snprintf(next, sizeof next, "%.*s_stage_%d", (int)length, name, number + 1);
    rule->next = find(blocks, next);
    if (rule->next == CN_BLOCK_AIR) {
        snprintf(next, sizeof next, "%.*s", (int)length, name);
        rule->next = find(blocks, next);
    }
    if (rule->next != CN_BLOCK_AIR)
        rule->kind = CRAFTY_GROWS_CROP;
}

static CraftyGrowthKind kind_by_name(const char *name)
{
    static const struct {
        const char *name;
        CraftyGrowthKind kind;
    } kinds[] = {{"grass", CRAFTY_GROWS_GRASS},           {"farmland", CRAFTY_GROWS_FARMLAND},
                 {"farmland_wet", CRAFTY_GROWS_FARMLAND}, {"sugar_cane", CRAFTY_GROWS_REED},
                 {"bamboo", CRAFTY_GROWS_REED},           {"cactus", CRAFTY_GROWS_CACTUS},
                 {"red_mushroom", CRAFTY_GROWS_MUSHROOM}, {"brown_mushroom", CRAFTY_GROWS_MUSHROOM},
                 {"snow_layer", CRAFTY_GROWS_SNOW},       {"ice", CRAFTY_GROWS_ICE}};
    for (size_t i = 0; i < CN_COUNT_OF(kinds); i++)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].kind;
    if (ends_with(name, "_leaves") && strcmp(name, "fallen_leaves") != 0)
        return CRAFTY_GROWS_LEAVES;
    return ends_with(name, "_log") ? CRAFTY_GROWS_LOG : CRAFTY_GROWS_NOT;
}

/* What holds things or fills two cells does not burn. */
static uint8_t flammability(const CnBlockInfo *info, CraftyGrowthKind kind)
{
    static const char *const never[] = {"crate",  "_crate",   "_barrel", "chest", "_door_",
                                        "_bed_",  "sign",     "ladder",  "melon", "pumpkin",
                                        "_table", "mushroom", NULL};
    static const char *const soft[] = {"_wool", "_carpet", "_thatch", NULL};
    bool is_plain_prop = info->material == CN_BLOCK_MATERIAL_PROP && !info->shape;
    for (size_t i = 0; never[i]; i++)
        if (strstr(info->name, never[i]))
            return 0;
    for (size_t i = 0; soft[i]; i++)
        if (ends_with(info->name, soft[i]))
            return 60;
    if (strcmp(info->name, "hay_bale") == 0 || strcmp(info->name, "thatch") == 0)
        return 60;
    if (kind == CRAFTY_GROWS_LEAVES)
        return 50;
    if (is_plain_prop && info->surface == CN_BLOCK_SURFACE_GRASS && kind != CRAFTY_GROWS_FIRE)
        return 80;
    return info->surface == CN_BLOCK_SURFACE_WOOD && !is_plain_prop ? 20 : 0;
}

static void set_fire(CraftyGrowthRules *rules, CnBlock block, const char *name)
{
    uint32_t strength = CRAFTY_FIRE_STRENGTHS;
    if (name[4] == '_')
        strength = (uint32_t)(name[5] - '0');
    if (strength < 1 || strength > CRAFTY_FIRE_STRENGTHS || strlen(name) > 6)
        return;
    rules->rules[block].kind = CRAFTY_GROWS_FIRE;
    rules->rules[block].strength = (uint8_t)strength;
    rules->fires[strength] = block;
}

static void set_rule(CraftyGrowthRules *rules, const CnBlockTable *blocks, CnBlock block)
{
    static const char *const soils[] = {"grass",       "dirt", "podzol",     "mycelium",    "moss",
                                        "coarse_dirt", "mud",  "grass_snow", "rooted_dirt", NULL};
    const CnBlockInfo *info = cn_block_info(blocks, block);
    CraftyGrowthRule *rule = &rules->rules[block];
    rule->kind = (uint8_t)kind_by_name(info->name);
    rule->is_soil = is_one_of(info->name, soils);
    rule->is_plant = info->material == CN_BLOCK_MATERIAL_PROP && !info->shape &&
                     info->surface == CN_BLOCK_SURFACE_GRASS;
    rule->is_white = strstr(info->name, "snow") || strstr(info->name, "ice");
    if (ends_with(info->name, "_sapling"))
        set_sapling(rule, blocks, info->name);
    if (strstr(info->name, "_stage_"))
        set_crop(rule, blocks, info->name);
    if (strcmp(info->name, "fire") == 0 || begins_with(info->name, "fire_"))
        set_fire(rules, block, info->name);
    rule->flammable = flammability(info, (CraftyGrowthKind)rule->kind);
    /* Leaves and fire have scheduled ticks, logs none. */
    rules->ticking[block] =
        rule->kind > CRAFTY_GROWS_NOT && rule->kind < CRAFTY_GROWS_LEAVES && block != CN_BLOCK_AIR;
}

/* ---- Creation ---- */

static void find_named(CraftyGrowthRules *rules, const CnBlockTable *blocks,
                       const CraftyItems *items)
{
    static const char *const meadow[] = {"short_grass", "tall_grass", "dandelion",
                                         "poppy",       "daisy",      "cornflower"};
    static const char *const planted[][2] = {{"wheat_seeds", "wheat_stage_1"},
                                             {"carrot", "carrots_stage_1"}};
    rules->dirt = find(blocks, "dirt");
    rules->grass = find(blocks, "grass");
    rules->farmland = find(blocks, "farmland");
    rules->farmland_wet = find(blocks, "farmland_wet");
    rules->snow_layer = find(blocks, "snow_layer");
    rules->ice = find(blocks, "ice");
    for (size_t i = 0; i < CN_COUNT_OF(meadow); i++)
        if (find(blocks, meadow[i]) != CN_BLOCK_AIR)
            rules->meadow[rules->meadow_count++] = find(blocks, meadow[i]);
    for (size_t i = 0; i < CN_COUNT_OF(planted); i++) {
        CraftyItem item = crafty_items_find(items, planted[i][0]);
        CnBlock block = find(blocks, planted[i][1]);
        if (item == CRAFTY_NO_ITEM || block == CN_BLOCK_AIR)
            continue;
        rules->planted[rules->planted_count].item = item;
        rules->planted[rules->planted_count++].block = block;
    }
    for (size_t i = 0; i < CN_TREE_COUNT; i++) {
        const char *wood = generated_woods[i];
        if (!wood)
            continue;
        rules->generated_log[i] = of_wood(blocks, wood, (int)strlen(wood), "log");
        rules->generated_leaves[i] = of_wood(blocks, wood, (int)strlen(wood), "leaves");
    }
}

CraftyGrowthRules *crafty_growth_rules_create(CnAllocator *allocator, const CnBlockTable *blocks,
                                              const CraftyItems *items, CnError *error)
{
    CraftyGrowthRules *rules = cn_alloc_zeroed(allocator, sizeof *rules);
    if (!rules) {
        cn_error_memory(error, "the rules of growth");
        return NULL;
    }
    rules->allocator = allocator;
    rules->count = blocks->count;
    rules->rules = cn_alloc_zeroed(allocator, rules->count * sizeof *rules->rules);
    rules->ticking = cn_alloc_zeroed(allocator, rules->count * sizeof *rules->ticking);
    if (!rules->rules || !rules->ticking) {
        crafty_growth_rules_destroy(rules);
        cn_error_memory(error, "the rules of growth");
        return NULL;
    }
    for (uint32_t i = 0; i < rules->count; i++)
        if (cn_block_exists(blocks, (CnBlock)i))
            set_rule(rules, blocks, (CnBlock)i);
    find_named(rules, blocks, items);
    return rules;
}

void crafty_growth_rules_destroy(CraftyGrowthRules *rules)
{
    if (!rules)
        return;
    if (rules->players)
        cn_query_release(rules->players);
    cn_free(rules->allocator, rules->rules, rules->count * sizeof *rules->rules);
    cn_free(rules->allocator, rules->ticking, rules->count * sizeof *rules->ticking);
    cn_free(rules->allocator, rules, sizeof *rules);
}

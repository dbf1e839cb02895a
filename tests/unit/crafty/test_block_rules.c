/* Block rules: tools, tiers and drops; and whether everything can be had in survival. */
#include "data_fixture.h"

#include "voxel/generate/generated_blocks.h"

#include <crafty/world/creature_kinds.h>
#include <string.h>

static GameData data;

static int begin(void **state)
{
    (void)state;
    data = make_game_data();
    return 0;
}

static int end(void **state)
{
    (void)state;
    end_game_data(&data);
    return 0;
}

static CnBlock block(const char *name)
{
    CnBlock found = cn_block_find(standard_blocks(), name);
    if (found == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return found;
}

static const CraftyItemInfo *tool(const char *name)
{
    return name ? crafty_items_info(data.items, crafty_items_find(data.items, name)) : NULL;
}

/* Returns how many of an item a block drops in 10,000 breaks. */
static uint32_t drops_of(const char *name, const char *held, const char *item)
{
    uint32_t sum = 0;
    CraftyItem wanted = crafty_items_find(data.items, item);
    assert_true(wanted);
    for (uint64_t i = 0; i < 10000; i++) {
        CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS];
        uint32_t count = crafty_block_drops(data.rules, block(name), tool(held), i, drops);
        for (uint32_t k = 0; k < count; k++)
            sum += drops[k].item == wanted ? drops[k].min : 0;
    }
    return sum;
}

static void stone_drops_cobblestone_for_pickaxes_only(void **state)
{
    (void)state;
    assert_int_equal(drops_of("stone", "wooden_pickaxe", "cobblestone"), 10000);
    assert_int_equal(drops_of("stone", NULL, "cobblestone"), 0);
    assert_int_equal(drops_of("stone", "diamond_axe", "cobblestone"), 0);
    assert_int_equal(drops_of("stone", "stick", "cobblestone"), 0);
}

static void ores_need_the_tier_that_the_game_names(void **state)
{
    (void)state;
    static const struct {
        const char *ore, *drop, *too_weak, *enough;
    } ores[] = {
        {"coal_ore", "coal", "wooden_axe", "wooden_pickaxe"},
        {"iron_ore", "raw_iron", "wooden_pickaxe", "stone_pickaxe"},
        {"copper_ore", "raw_copper", "wooden_pickaxe", "stone_pickaxe"},
        {"gold_ore", "raw_gold", "stone_pickaxe", "iron_pickaxe"},
        {"diamond_ore", "diamond", "stone_pickaxe", "iron_pickaxe"},
        {"emerald_ore", "emerald", "stone_pickaxe", "iron_pickaxe"},
        {"redstone_ore", "redstone", "stone_pickaxe", "golden_pickaxe"},
        {"lapis_ore", "lapis", "stone_pickaxe", "diamond_pickaxe"},
        {"granite_iron_ore", "raw_iron", "wooden_pickaxe", "stone_pickaxe"},
        {"deepslate_diamond_ore", "diamond", "stone_pickaxe", "iron_pickaxe"},
        {"obsidian", "obsidian", "golden_pickaxe", "diamond_pickaxe"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(ores); i++) {
        assert_int_equal(drops_of(ores[i].ore, ores[i].too_weak, ores[i].drop), 0);
        assert_true(drops_of(ores[i].ore, ores[i].enough, ores[i].drop) >= 10000);
    }
}

static void gravel_drops_flint_one_time_in_ten(void **state)
{
    (void)state;
    uint32_t flint = drops_of("gravel", NULL, "flint");
    assert_true(flint > 800 && flint < 1200);
    assert_int_equal(flint + drops_of("gravel", NULL, "gravel"), 10000);
}

static void leaves_drop_saplings_now_and_then_and_themselves_when_shorn(void **state)
{
    (void)state;
    uint32_t saplings = drops_of("birch_leaves", NULL, "birch_sapling");
    assert_true(saplings > 350 && saplings < 650);
    assert_int_equal(drops_of("birch_leaves", NULL, "birch_leaves"), 0);
    assert_int_equal(drops_of("birch_leaves", "shears", "birch_leaves"), 10000);
}

static void glass_and_bedrock_drop_nothing(void **state)
{
    (void)state;
    assert_int_equal(crafty_block_rule(data.rules, block("glass"))->drop_count, 0);
    assert_int_equal(crafty_block_rule(data.rules, block("red_glass"))->drop_count, 0);
    assert_int_equal(crafty_block_rule(data.rules, block("bedrock"))->drop_count, 0);
    assert_int_equal(crafty_block_rule(data.rules, CN_BLOCK_AIR)->drop_count, 0);
}

static void every_wooden_block_is_broken_well_by_axes_and_drops_without_them(void **state)
{
    (void)state;
    assert_int_equal(crafty_block_rule(data.rules, block("oak_log"))->tool, CRAFTY_TOOL_AXE);
    assert_int_equal(drops_of("oak_log", NULL, "oak_log"), 10000);
    assert_int_equal(drops_of("crafting_table", NULL, "crafting_table"), 10000);
}

static void every_form_of_a_block_drops_the_item_of_its_family(void **state)
{
    (void)state;
    static const char *const forms[][2] = {
        {"oak_door_south_open_upper", "oak_door"},
        {"lit_furnace_east", "furnace"},
        {"furnace", "furnace"},
        {"chest_west", "chest"},
        {"stone_slab_top", "stone_slab"},
        {"oak_stairs_west_top", "oak_stairs"},
        {"wall_sign_north", "sign"},
        {"red_bed_east_head", "red_bed"},
        {"ladder", "ladder"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(forms); i++)
        assert_int_equal(drops_of(forms[i][0], "diamond_pickaxe", forms[i][1]), 10000);
}

/* ---- Survival ---- */

typedef struct Reach {
    bool blocks[CN_BLOCK_MAX + 1]; /* that can be met */
    bool *items;                   /* that can be had, by number */
    uint32_t item_count;
    bool changed;
} Reach;

static void reach_item(Reach *reach, CraftyItem item)
{
    CnBlock placed = crafty_items_block(data.items, item);
    if (!item || reach->items[item])
        return;
    reach->items[item] = reach->changed = true;
    if (placed != CN_BLOCK_AIR)
        reach->blocks[placed] = true;
}

static bool has(const Reach *reach, const char *name)
{
    return reach->items[crafty_items_find(data.items, name)];
}

static bool has_tool(const Reach *reach, const CraftyBlockRule *rule)
{
    if (!rule->tier)
        return true;
    for (uint32_t i = 1; i < reach->item_count; i++)
        if (reach->items[i] && crafty_block_rule_allows(rule, crafty_items_info(data.items, i)))
            return true;
    return false;
}

static void break_blocks(Reach *reach)
{
    for (uint32_t i = 0; i < standard_blocks()->count; i++) {
        const CraftyBlockRule *rule = crafty_block_rule(data.rules, (CnBlock)i);
        if (!reach->blocks[i])
            continue;
        if (has(reach, "shears"))
            reach_item(reach, rule->when_shorn);
        for (uint32_t k = 0; has_tool(reach, rule) && k < rule->drop_count; k++)
            reach_item(reach, rule->drops[k].item);
    }
    if (has(reach, "bucket") && reach->blocks[CN_BLOCK_WATER])
        reach_item(reach, crafty_items_find(data.items, "water_bucket"));
}

static bool has_ingredient(const Reach *reach, CraftyIngredient ingredient)
{
    uint32_t count = crafty_ingredient_count(data.recipes, ingredient);
    bool found = count == 0;
    for (uint32_t i = 0; i < count && !found; i++)
        found = reach->items[crafty_ingredient_at(data.recipes, ingredient, i)];
    return found;
}

static void make_recipes(Reach *reach)
{
    for (uint32_t i = 0; i < crafty_recipes_count(data.recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(data.recipes, i);
        bool can_make =
            recipe->kind == CRAFTY_RECIPE_SMELTING
                ? has(reach, "furnace") && has(reach, "stick")
                : (recipe->width <= 2 && recipe->height <= 2) || has(reach, "crafting_table");
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++)
            can_make = can_make && has_ingredient(reach, recipe->cells[k]);
        if (can_make)
            reach_item(reach, recipe->result);
    }
}

static bool is_listed(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* What creatures drop, give and lay. */
static void hunt(Reach *reach)
{
    CraftyCreatureKinds *kinds = crafty_creature_kinds_create(NULL, NULL);
    assert_non_null(kinds);
    assert_true(crafty_creature_kinds_read(kinds, data.items, "creatures.json",
                                           crafty_creatures_text(), NULL));
    for (uint32_t i = 0; i < crafty_creature_kinds_count(kinds); i++) {
        const CraftyCreatureKind *kind = crafty_creature_kind_at(kinds, i);
        for (uint32_t k = 0; k < kind->drop_count; k++)
            reach_item(reach, kind->drops[k].item);
        reach_item(reach, kind->wool);
        reach_item(reach, kind->egg);
    }
    crafty_creature_kinds_destroy(kinds);
}

/* Everything that a player can get in a world without the blocks of the list. */
static Reach reach_all(const char *const *without)
{
    static const char *const generated[] = {
#define NAME(constant, name) name,
        CNI_VOXEL_GENERATED_BLOCKS(NAME)
#undef NAME
    };
    Reach reach = {.item_count = crafty_items_count(data.items) + 1, .changed = true};
    reach.items = calloc(reach.item_count, sizeof *reach.items);
    assert_non_null(reach.items);
    for (uint32_t i = 0; i < CN_COUNT_OF(generated); i++)
        reach.blocks[block(generated[i])] = !is_listed(without, generated[i]);
    hunt(&reach);
    while (reach.changed) {
        reach.changed = false;
        break_blocks(&reach);
        make_recipes(&reach);
    }
    return reach;
}

static void every_item_can_be_had_in_survival(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL};
    Reach reach = reach_all(nothing);
    for (uint32_t i = 1; i < reach.item_count; i++) {
        const CraftyItemInfo *info = crafty_items_info(data.items, i);
        if (info->block == CN_BLOCK_AIR && !reach.items[i])
            fail_msg("%s cannot be had", info->name);
    }
    free(reach.items);
}

static void every_recipe_can_be_made_in_survival(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL};
    Reach reach = reach_all(nothing);
    for (uint32_t i = 0; i < crafty_recipes_count(data.recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(data.recipes, i);
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++)
            if (!has_ingredient(&reach, recipe->cells[k]))
                fail_msg("the ingredients of %s cannot be had", recipe->name);
    }
    free(reach.items);
}

/* Villages are rare: what they have must not be needed. */
static void tools_and_a_bed_can_be_had_without_a_village(void **state)
{
    (void)state;
    static const char *const village[] = {
        "glass",      "cobblestone",  "stone_bricks",  "bricks",        "dirt_path",
        "farmland",   "hay_bale",     "bookshelf",     "crate",         "furnace",
        "lantern",    "torch",        "wheat",         "carrots",       "oak_fence",
        "ladder",     "white_wool",   "red_wool",      "blue_wool",     "yellow_wool",
        "oak_planks", "birch_planks", "spruce_planks", "acacia_planks", NULL};
    Reach reach = reach_all(village);
    assert_true(has(&reach, "diamond_pickaxe"));
    assert_true(has(&reach, "white_bed"));
    assert_true(has(&reach, "oak_door"));
    assert_true(has(&reach, "chest"));
    free(reach.items);
}

/* ---- Wrong files ---- */

static void wrong_rules_are_reported_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *message;
    } wrong[] = {
        {"{", 1, ""},
        {"{}", 1, "must be an array"},
        {"{\"rules\": [\n {}]}", 2, "needs \"match\""},
        {"{\"rules\": [\n {\"match\": \"stonn\"}]}", 2, "no block has a name like \"stonn\""},
        {"{\"rules\": [{\"match\": [\"stone\",\n 1]}]}", 1, "needs \"match\""},
        {"{\"rules\": [{\"match\": \"stone\",\n \"tool\": \"fork\"}]}", 2, "one of none, pickaxe"},
        {"{\"rules\": [\n{\"match\": \"stone\", \"tier\": \"iron\"}]}", 2, "needs a \"tool\""},
        {"{\"rules\": [{\"match\": \"stone\",\n \"drops\": \"cobbel\"}]}", 2, "no item"},
        {"{\"rules\": [{\"match\": \"stone\",\n \"drops\": 7}]}", 2, "item or an object"},
        {"{\"rules\": [{\"match\": \"stone\", \"drops\": [\n {\"chance\": 1}]}]}", 2,
         "\"item\" is missing"},
        {"{\"rules\": [{\"match\": \"stone\", \"drops\": {\"item\": \"self\",\n \"chance\": "
         "2}}]}",
         2, "number from"},
        {"{\"rules\": [{\"match\": \"stone\", \"drops\": {\"item\": \"self\", \"min\": 3, \"max\": "
         "2}}]}",
         1, "at least"},
        {"{\"rules\": [{\"match\": \"stone\", \"drops\": [\"self\", \"self\", \"self\", \"self\", "
         "\"self\"]}]}",
         1, "at most 4"},
        {"{\"rules\": [{\"match\": \"stone\",\n \"drop\": \"self\"}]}", 2, "did you mean"},
        {"{\"rules\": [{\"match\": \"stone\",\n \"when_shorn\": \"nothing\"}]}", 2, "no item"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        assert_null(
            crafty_block_rules_create(&(CraftyBlockRulesDesc){.items = data.items,
                                                              .blocks = standard_blocks(),
                                                              .file = "mod.json",
                                                              .text = cn_text(wrong[i].text)},
                                      &error));
        if (error.line != wrong[i].line || !strstr(error.message, wrong[i].message))
            fail_msg("line %d: %s, instead of line %d: %s", error.line, error.message,
                     wrong[i].line, wrong[i].message);
    }
}

#define TEST(test) cmocka_unit_test(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stone_drops_cobblestone_for_pickaxes_only),
        TEST(ores_need_the_tier_that_the_game_names),
        TEST(gravel_drops_flint_one_time_in_ten),
        TEST(leaves_drop_saplings_now_and_then_and_themselves_when_shorn),
        TEST(glass_and_bedrock_drop_nothing),
        TEST(every_wooden_block_is_broken_well_by_axes_and_drops_without_them),
        TEST(every_form_of_a_block_drops_the_item_of_its_family),
        TEST(every_item_can_be_had_in_survival),
        TEST(every_recipe_can_be_made_in_survival),
        TEST(tools_and_a_bed_can_be_had_without_a_village),
        TEST(wrong_rules_are_reported_with_file_and_line),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

/* The definition phase of mods: what they register becomes content; what is wrong with it is
 * reported with mod, file and line, and disables that mod only. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include <crafty/sim/mod/mods.h>
#include <crafty/world/world.h>

#include <cairn/base/log.h>

#include <string.h>

static MemoryFiles files;
static CraftyMods *mods;
static CraftyWorld *world;
static CraftyModSource sources[5];
static uint32_t source_count;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memory_files_init(&files);
    sources[0] = crafty_mods_base();
    source_count = 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_world_destroy(world);
    crafty_mods_destroy(mods);
    world = NULL;
    mods = NULL;
    return 0;
}

/* Adds a mod with this main.lua. */
static void add(const char *name, const char *folder, const char *path, const char *code)
{
    memory_files_set(&files, path, code);
    sources[source_count++] =
        (CraftyModSource){.name = name, .files = &files.files, .folder = folder};
}

static void add_castle(const char *code)
{
    add("castle", "mods/castle", "mods/castle/main.lua", code);
}

static void load(void)
{
    CnError error = {0};
    mods = crafty_mods_create(&(CraftyModsDesc){.sources = sources, .source_count = source_count},
                              &error);
    if (!mods)
        fail_msg("%s", error.message);
    world = crafty_world_create(
        &(CraftyWorldDesc){.content = crafty_mods_content(mods), .workers = CN_JOBS_NONE}, &error);
    if (!world)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static void load_good(const char *code)
{
    add_castle(code);
    load();
    CraftyModStatus status = crafty_mods_status(mods, 1);
    if (status.is_disabled)
        fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
}

/* Checks that the mod is disabled with this error and that the standard content is there. */
static void refuse(const char *code, int line, const char *part)
{
    begin(NULL);
    add_castle(code);
    load();
    CraftyModStatus status = crafty_mods_status(mods, 1);
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    assert_string_equal(status.error.file, "mods/castle/main.lua");
    assert_int_equal(status.error.line, line);
    assert_true(crafty_items_find(crafty_world_items(world), "stick"));
    assert_false(crafty_mods_status(mods, 0).is_disabled);
    end(NULL);
}

static const CraftyItemInfo *item(const char *name)
{
    const CraftyItems *items = crafty_world_items(world);
    CraftyItem number = crafty_items_find(items, name);
    if (!number)
        fail_msg("there is no item %s", name);
    return crafty_items_info(items, number);
}

static const CnBlockInfo *block(const char *name)
{
    CnBlock number = cn_block_find(crafty_world_blocks(world), name);
    if (number == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return cn_block_info(crafty_world_blocks(world), number);
}

/* ---- The standard content ---- */

static void the_mod_base_gives_the_same_content_as_the_files(void **state)
{
    (void)state;
    load();
    CraftyModStatus status = crafty_mods_status(mods, 0);
    if (status.is_disabled)
        fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
    CraftyWorld *plain = crafty_world_create(&(CraftyWorldDesc){.workers = CN_JOBS_NONE}, NULL);
    assert_non_null(plain);
    assert_int_equal(crafty_content_hash(world), crafty_content_hash(plain));
    crafty_world_destroy(plain);
}

static void a_changed_property_changes_the_hash(void **state)
{
    (void)state;
    CraftyWorld *plain = crafty_world_create(&(CraftyWorldDesc){.workers = CN_JOBS_NONE}, NULL);
    load_good("block_items { match = 'oak_planks', fuel_seconds = 16 }");
    assert_int_not_equal(crafty_content_hash(world), crafty_content_hash(plain));
    crafty_world_destroy(plain);
}

/* ---- Good mods ---- */

static void items_and_blocks_have_the_name_of_the_mod(void **state)
{
    (void)state;
    load_good(
        "item { name = 'key', tile = 'item_stick', stack = 1 }\n"
        "block { name = 'gate', like = 'oak_planks', hardness = 3, light = 7, tint = {9, 8, 7},\n"
        "        shape = {{0, 0, 6, 16, 16, 10}}, tool = 'axe', drops = 'stick' }");
    assert_string_equal(item("castle:key")->title, "Key");
    assert_int_equal(item("castle:key")->stack_max, 1);
    assert_int_equal(item("castle:gate")->block,
                     cn_block_find(crafty_world_blocks(world), "castle:gate"));
    const CnBlockInfo *gate = block("castle:gate");
    assert_string_equal(gate->title, "Gate");
    assert_int_equal(gate->top, block("oak_planks")->top);
    assert_int_equal(gate->light_level, 7);
    assert_int_equal(gate->tint[1], 8);
    assert_int_equal(gate->shape->boxes[0].low[2], 6);
    assert_true(gate->hardness == 3);
}

static void the_color_of_a_block_follows_from_its_look_or_is_given(void **state)
{
    (void)state;
    load_good("block { name = 'plain', like = 'stone' }\n"
              "block { name = 'red', like = 'stone', tint = {255, 0, 0} }\n"
              "block { name = 'given', like = 'stone', tint = {255, 0, 0}, color = {1, 2, 3} }\n"
              "block { name = 'lawn', like = 'grass', tint = {255, 255, 255} }");
    const uint8_t *stone = block("stone")->color, *given = block("castle:given")->color;
    assert_memory_equal(block("castle:plain")->color, stone, 3);
    assert_int_equal(block("castle:red")->color[0], stone[0]);
    assert_int_equal(block("castle:red")->color[1], 0);
    assert_true(given[0] == 1 && given[1] == 2 && given[2] == 3);
    assert_true(block("castle:lawn")->color[0] >= block("grass")->color[0]); /* it was tinted */
}

static void a_block_drops_what_its_definition_says(void **state)
{
    (void)state;
    load_good(
        "item { name = 'shard', tile = 'item_diamond' }\n"
        "block { name = 'crystal', tool = 'pickaxe', tier = 'iron', drops = 'castle:shard' }\n"
        "block { name = 'rock', tool = 'pickaxe' }\n"
        "block { name = 'plain' }");
    const CraftyItems *items = crafty_world_items(world);
    const CraftyBlockRules *rules = crafty_world_block_rules(world);
    const CnBlockTable *blocks = crafty_world_blocks(world);
    const CraftyBlockRule *rule = crafty_block_rule(rules, cn_block_find(blocks, "castle:crystal"));
    assert_int_equal(rule->drops[0].item, crafty_items_find(items, "castle:shard"));
    assert_int_equal(rule->tier, CRAFTY_TIER_IRON);
    rule = crafty_block_rule(rules, cn_block_find(blocks, "castle:rock"));
    assert_int_equal(rule->drops[0].item, crafty_items_find(items, "castle:rock"));
    rule = crafty_block_rule(rules, cn_block_find(blocks, "castle:plain"));
    assert_int_equal(rule->drops[0].item, crafty_items_find(items, "castle:plain"));
}

static void recipes_groups_and_rules_are_added_to_the_standard_ones(void **state)
{
    (void)state;
    load_good("item { name = 'key', tile = 'item_stick' }\n"
              "recipe_group('logs', {'diamond'})\n"
              "recipe_group('gems', {'diamond', 'emerald'})\n"
              "recipe { shapeless = {'#gems', 'stick'}, result = 'castle:key', count = 2 }\n"
              "recipe { smelt = 'castle:key', result = 'stick', name = 'castle:melt' }\n"
              "block_rule { match = 'sand', drops = 'diamond' }");
    const CraftyRecipes *recipes = crafty_world_recipes(world);
    const CraftyItems *items = crafty_world_items(world);
    const CraftyItem grid[CRAFTY_GRID_SLOTS] = {crafty_items_find(items, "emerald"),
                                                crafty_items_find(items, "stick")};
    const CraftyRecipe *recipe = crafty_recipes_match(recipes, grid, 2);
    assert_non_null(recipe);
    assert_string_equal(recipe->name, "castle:key");
    assert_non_null(crafty_recipes_smelting(recipes, crafty_items_find(items, "castle:key")));
    const CraftyBlockRule *rule = crafty_block_rule(
        crafty_world_block_rules(world), cn_block_find(crafty_world_blocks(world), "sand"));
    assert_int_equal(rule->drops[0].item, crafty_items_find(items, "diamond"));
}

static void creatures_and_trades_are_registered(void **state)
{
    (void)state;
    load_good("creature { name = 'piglet', model = 'pig', sound = 'pig', size = {0.5, 0.5},\n"
              "           behaviours = {{['do'] = 'wander'}} }\n"
              "trade('farmer', {number = 8, cost = {{item = 'apple', count = 9}},\n"
              "                 result = 'emerald', stock = 4})");
    const CraftyCreatureKind *kind =
        crafty_creature_kind_find(crafty_world_creatures(world), "castle:piglet");
    assert_non_null(kind);
    assert_true(kind->number >= 128);
    assert_string_equal(kind->title, "Piglet");
    assert_non_null(crafty_trades_find(crafty_world_trades(world), CRAFTY_FARMER, 8));
}

static void the_number_of_a_creature_follows_from_its_name(void **state)
{
    (void)state;
    static const char piglet[] = "creature { name = 'piglet', model = 'pig', size = {0.5, 0.5} }\n";
    load_good(piglet);
    uint16_t alone =
        crafty_creature_kind_find(crafty_world_creatures(world), "castle:piglet")->number;
    end(NULL);
    begin(NULL);
    add("zoo", "mods/zoo", "mods/zoo/main.lua",
        "for i = 1, 9 do creature { name = 'c' .. i, model = 'pig', size = {1, 1} } end");
    add_castle(piglet);
    load();
    assert_int_equal(
        crafty_creature_kind_find(crafty_world_creatures(world), "castle:piglet")->number, alone);
}

static void mods_see_blocks_of_earlier_mods(void **state)
{
    (void)state;
    add("zoo", "mods/zoo", "mods/zoo/main.lua", "block { name = 'cage', like = 'glass' }");
    add_castle("block { name = 'gate', like = 'zoo:cage' }\n"
               "recipe { shapeless = {'zoo:cage'}, result = 'castle:gate' }");
    load();
    assert_false(crafty_mods_status(mods, 2).is_disabled);
    assert_int_equal(block("castle:gate")->top, block("glass")->top);
}

static void data_files_of_a_mod_are_tables(void **state)
{
    (void)state;
    memory_files_set(&files, "mods/castle/keys.json", "{\"keys\": [\"red\", \"blue\"]}");
    load_good("for _, color in ipairs(read_json('keys.json').keys) do\n"
              "  item { name = color .. '_key', tile = 'item_stick' }\n"
              "end");
    assert_string_equal(item("castle:blue_key")->title, "Blue Key");
}

static void blocks_keep_their_numbers_through_a_palette(void **state)
{
    (void)state;
    add("zoo", "mods/zoo", "mods/zoo/main.lua", "block { name = 'cage' }");
    add_castle("block { name = 'gate' }");
    load();
    CnTextBuilder palette = {0};
    assert_true(crafty_blocks_write_palette(crafty_world_blocks(world), &palette));
    CnBlock gate = cn_block_find(crafty_world_blocks(world), "castle:gate");
    end(NULL);
    begin(NULL);
    add_castle("block { name = 'gate' } block { name = 'wall' }");
    mods = crafty_mods_create(&(CraftyModsDesc){.sources = sources, .source_count = 2}, NULL);
    world = crafty_world_create(
        &(CraftyWorldDesc){.content = crafty_mods_content(mods),
                           .workers = CN_JOBS_NONE,
                           .palettes = {.blocks = {palette.items, palette.count}}},
        NULL);
    assert_int_equal(cn_block_find(crafty_world_blocks(world), "castle:gate"), gate);
    assert_true(block("zoo:cage")->is_placeholder);
    assert_false(block("castle:wall")->is_placeholder);
    cn_array_fini(&palette);
}

/* ---- Broken mods ---- */

static void errors_of_definitions_have_file_and_line(void **state)
{
    (void)state;
    refuse("\nitem { tile = 'x' }", 2, "\"name\" is missing");
    refuse("\n\nitem { name = 'Key' }", 3, "must be lower-case letters");
    refuse("item { name = 'stick:key' }", 1, "must begin with \"castle:\"");
    refuse("\nitem { name = 'key', stak = 1 }", 2, "did you mean \"stack\"");
    refuse("item { name = 'key', stack = 65 }", 1, "1 to 64");
    refuse("block { name = 'x', like = 'nothing' }", 1, "no block \"nothing\"");
    refuse("block { name = 'x', hardnes = 1 }", 1, "did you mean \"hardness\"");
    refuse("block { name = 'x', light = 16 }", 1, "0 to 15");
    refuse("block { name = 'x', shape = {{0, 0, 0, 16, 16}} }", 1, "six whole numbers");
    refuse("block { name = 'x', shape = {{8, 0, 0, 8, 16, 16}} }", 1, "castle:x");
    refuse("block { name = 'x' }\nblock { name = 'x' }", 2, "already is a block");
    refuse("\nrecipe { shapeless = {'stik'}, result = 'torch', name = 'a' }", 2,
           "did you mean \"stick\"");
    refuse("recipe { shapeless = {'stick'}, result = 'torch' }", 1, "already is a recipe");
    refuse("\n\n\nblock_rule { match = 'nothing_like_this' }", 4, "nothing_like_this");
    refuse("creature { name = 'x', model = 'pig' }", 1, "\"size\"");
    refuse("creature { name = 'x', number = 3, size = {1, 1} }", 1, "not set by mods");
    refuse(
        "trade('farmer', {number = 1, cost = {{item = 'apple'}}, result = 'emerald', stock = 1})",
        1, "number");
    refuse("trade('king', {number = 1})", 1, "profession");
    refuse("flower('nothing')", 1, "no item \"nothing\"");
    refuse("\nlocal x = nil + 1", 2, "nil");
    refuse("x = = 1", 1, "unexpected symbol");
    refuse("\nwhile true do end", 2, "instructions");
    refuse("read_json('../base/items.json')", 1, "not the name of a file");
    refuse("read_json('missing.json')", 1, "missing.json");
    refuse("item(1)", 1, "table expected");
    refuse("item { 1, 2 }", 1, "a table with named fields");
}

static void a_broken_mod_does_not_stop_others(void **state)
{
    (void)state;
    add("bad", "mods/bad", "mods/bad/main.lua",
        "item { name = 'first', tile = 'item_stick' } item { name = 'x', stack = 0 }");
    add_castle("item { name = 'key', tile = 'item_stick' }");
    load();
    CraftyModStatus status = crafty_mods_status(mods, 1);
    assert_true(status.is_disabled);
    assert_string_equal(status.error.file, "mods/bad/main.lua");
    assert_int_equal(status.error.line, 1);
    assert_false(crafty_mods_status(mods, 2).is_disabled);
    item("castle:key");
}

static void the_records_of_a_disabled_mod_are_gone(void **state)
{
    (void)state;
    add("bad", "mods/bad", "mods/bad/main.lua",
        "item { name = 'first', tile = 'item_stick' }\n"
        "block { name = 'wall' }\n"
        "recipe { shapeless = {'bad:first'}, result = 'nothing' }");
    add_castle("item { name = 'key', tile = 'item_stick' }");
    load();
    CraftyModStatus status = crafty_mods_status(mods, 1);
    assert_true(status.is_disabled);
    assert_string_equal(status.error.file, "mods/bad/main.lua");
    assert_int_equal(status.error.line, 3);
    assert_false(crafty_mods_status(mods, 2).is_disabled);
    assert_int_equal(crafty_items_find(crafty_world_items(world), "bad:first"), CRAFTY_NO_ITEM);
    assert_int_equal(cn_block_find(crafty_world_blocks(world), "bad:wall"), CN_BLOCK_NONE);
    item("castle:key");
}

static void mods_that_depend_on_a_broken_one_are_disabled(void **state)
{
    (void)state;
    static const CnLuaLibrary libraries[] = {{"bad", "mods/bad"}, {0}};
    add("bad", "mods/bad", "mods/bad/main.lua", "error('broken')");
    add_castle("item { name = 'key', tile = 'item_stick' }");
    sources[2].libraries = libraries;
    load();
    assert_true(crafty_mods_status(mods, 2).is_disabled);
    assert_non_null(strstr(crafty_mods_status(mods, 2).error.message, "depends on the mod bad"));
}

#define FACT_OF_MODS(test) cmocka_unit_test_setup_teardown(test, begin, end)

static void a_definition_that_is_nested_too_deep_disables_only_its_mod(void **state)
{
    (void)state;
    add_castle("item { name = 'gem' }\n\nitem { name = 'odd', keys = {{{{{{1}}}}}} }");
    add("bees", "mods/bees", "mods/bees/main.lua", "item { name = 'hive' }");
    load();
    CraftyModStatus castle = crafty_mods_status(mods, 1), bees = crafty_mods_status(mods, 2);
    assert_true(castle.is_disabled && !bees.is_disabled);
    assert_string_equal(castle.error.file, "mods/castle/main.lua");
    assert_int_equal(castle.error.line, 3);
    assert_non_null(strstr(castle.error.message, "nested at most 6 deep"));
}

static void what_is_too_large_together_disables_the_largest_mod(void **state)
{
    (void)state;
    add_castle("local words = {} for i = 1, 20000 do words[i] = 'w' .. i end\n"
               "for i = 1, 60 do recipe_words('many' .. i, {unpack(words, 1, 7000)}) end");
    add("bees", "mods/bees", "mods/bees/main.lua", "item { name = 'hive' }");
    load();
    CraftyModStatus castle = crafty_mods_status(mods, 1), bees = crafty_mods_status(mods, 2);
    assert_true(castle.is_disabled && !bees.is_disabled);
    assert_string_equal(castle.error.file, "mods/castle/main.lua");
    assert_int_equal(castle.error.line, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT_OF_MODS(the_mod_base_gives_the_same_content_as_the_files),
        FACT_OF_MODS(a_changed_property_changes_the_hash),
        FACT_OF_MODS(items_and_blocks_have_the_name_of_the_mod),
        FACT_OF_MODS(the_color_of_a_block_follows_from_its_look_or_is_given),
        FACT_OF_MODS(a_block_drops_what_its_definition_says),
        FACT_OF_MODS(recipes_groups_and_rules_are_added_to_the_standard_ones),
        FACT_OF_MODS(creatures_and_trades_are_registered),
        FACT_OF_MODS(the_number_of_a_creature_follows_from_its_name),
        FACT_OF_MODS(mods_see_blocks_of_earlier_mods),
        FACT_OF_MODS(data_files_of_a_mod_are_tables),
        FACT_OF_MODS(blocks_keep_their_numbers_through_a_palette),
        FACT_OF_MODS(errors_of_definitions_have_file_and_line),
        FACT_OF_MODS(a_broken_mod_does_not_stop_others),
        FACT_OF_MODS(the_records_of_a_disabled_mod_are_gone),
        FACT_OF_MODS(mods_that_depend_on_a_broken_one_are_disabled),
        FACT_OF_MODS(a_definition_that_is_nested_too_deep_disables_only_its_mod),
        FACT_OF_MODS(what_is_too_large_together_disables_the_largest_mod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

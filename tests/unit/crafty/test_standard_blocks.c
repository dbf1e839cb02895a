#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <cairn/voxel/block.h>
#include <ctype.h>
#include <string.h>

/* The golden hashes of worlds contain these numbers: rows are only ever added, at the end. */
static const struct {
    CnBlock block, number;
    const char *name;
} special[] = {
    {CN_BLOCK_AIR, 0, "air"},
    {BLOCK_GRASS, 1, "grass"},
    {BLOCK_DIRT, 2, "dirt"},
    {BLOCK_SAND, 3, "sand"},
    {BLOCK_STONE, 4, "stone"},
    {BLOCK_GRAVEL, 5, "gravel"},
    {CN_BLOCK_WATER, 6, "water"},
    {CN_BLOCK_WATER_1, 7, "water_1"},
    {CN_BLOCK_WATER_2, 8, "water_2"},
    {CN_BLOCK_WATER_3, 9, "water_3"},
    {CN_BLOCK_WATER_4, 10, "water_4"},
    {CN_BLOCK_WATER_5, 11, "water_5"},
    {CN_BLOCK_WATER_6, 12, "water_6"},
    {CN_BLOCK_WATER_7, 13, "water_7"},
    {BLOCK_BEDROCK, 14, "bedrock"},
    {BLOCK_SANDSTONE, 15, "sandstone"},
    {BLOCK_RED_SAND, 16, "red_sand"},
    {BLOCK_RED_SANDSTONE, 17, "red_sandstone"},
    {BLOCK_SNOW, 18, "snow"},
    {BLOCK_GRASS_SNOW, 19, "grass_snow"},
    {BLOCK_ICE, 20, "ice"},
    {BLOCK_PACKED_ICE, 21, "packed_ice"},
    {BLOCK_CLAY, 22, "clay"},
    {BLOCK_MUD, 23, "mud"},
    {BLOCK_PODZOL, 24, "podzol"},
    {BLOCK_MYCELIUM, 25, "mycelium"},
    {BLOCK_COARSE_DIRT, 26, "coarse_dirt"},
    {BLOCK_MOSS, 27, "moss"},
    {BLOCK_TERRACOTTA, 28, "terracotta"},
    {BLOCK_WHITE_TERRACOTTA, 29, "white_terracotta"},
    {BLOCK_ORANGE_TERRACOTTA, 30, "orange_terracotta"},
    {BLOCK_YELLOW_TERRACOTTA, 31, "yellow_terracotta"},
    {BLOCK_RED_TERRACOTTA, 32, "red_terracotta"},
    {BLOCK_BROWN_TERRACOTTA, 33, "brown_terracotta"},
    {BLOCK_LIGHT_GRAY_TERRACOTTA, 34, "light_gray_terracotta"},
    {BLOCK_COAL_ORE, 35, "coal_ore"},
    {BLOCK_COPPER_ORE, 36, "copper_ore"},
    {BLOCK_IRON_ORE, 37, "iron_ore"},
    {BLOCK_LAPIS_ORE, 38, "lapis_ore"},
    {BLOCK_REDSTONE_ORE, 39, "redstone_ore"},
    {BLOCK_GOLD_ORE, 40, "gold_ore"},
    {BLOCK_EMERALD_ORE, 41, "emerald_ore"},
    {BLOCK_DIAMOND_ORE, 42, "diamond_ore"},
    {BLOCK_OAK_LOG, 43, "oak_log"},
    {BLOCK_OAK_LEAVES, 44, "oak_leaves"},
    {BLOCK_OAK_PLANKS, 45, "oak_planks"},
    {BLOCK_BIRCH_LOG, 46, "birch_log"},
    {BLOCK_BIRCH_LEAVES, 47, "birch_leaves"},
    {BLOCK_BIRCH_PLANKS, 48, "birch_planks"},
    {BLOCK_SPRUCE_LOG, 49, "spruce_log"},
    {BLOCK_SPRUCE_LEAVES, 50, "spruce_leaves"},
    {BLOCK_SPRUCE_PLANKS, 51, "spruce_planks"},
    {BLOCK_SNOWY_LEAVES, 52, "snowy_leaves"},
    {BLOCK_JUNGLE_LOG, 53, "jungle_log"},
    {BLOCK_JUNGLE_LEAVES, 54, "jungle_leaves"},
    {BLOCK_JUNGLE_PLANKS, 55, "jungle_planks"},
    {BLOCK_ACACIA_LOG, 56, "acacia_log"},
    {BLOCK_ACACIA_LEAVES, 57, "acacia_leaves"},
    {BLOCK_ACACIA_PLANKS, 58, "acacia_planks"},
    {BLOCK_CHERRY_LOG, 59, "cherry_log"},
    {BLOCK_CHERRY_LEAVES, 60, "cherry_leaves"},
    {BLOCK_CHERRY_PLANKS, 61, "cherry_planks"},
    {BLOCK_WILLOW_LOG, 62, "willow_log"},
    {BLOCK_WILLOW_LEAVES, 63, "willow_leaves"},
    {BLOCK_MUSHROOM_STEM, 64, "mushroom_stem"},
    {BLOCK_RED_MUSHROOM_BLOCK, 65, "red_mushroom_block"},
    {BLOCK_BROWN_MUSHROOM_BLOCK, 66, "brown_mushroom_block"},
    {BLOCK_CACTUS, 67, "cactus"},
    {BLOCK_GLASS, 68, "glass"},
    {BLOCK_COBBLESTONE, 69, "cobblestone"},
    {BLOCK_MOSSY_COBBLESTONE, 70, "mossy_cobblestone"},
    {BLOCK_STONE_BRICKS, 71, "stone_bricks"},
    {BLOCK_BRICKS, 72, "bricks"},
    {BLOCK_DIRT_PATH, 73, "dirt_path"},
    {BLOCK_FARMLAND, 74, "farmland"},
    {BLOCK_HAY_BALE, 75, "hay_bale"},
    {BLOCK_BOOKSHELF, 76, "bookshelf"},
    {BLOCK_CRATE, 77, "crate"},
    {BLOCK_FURNACE, 78, "furnace"},
    {BLOCK_LANTERN, 79, "lantern"},
    {BLOCK_TORCH, 80, "torch"},
    {BLOCK_GLOWSTONE, 81, "glowstone"},
    {BLOCK_MAGMA, 82, "magma"},
    {BLOCK_OBSIDIAN, 83, "obsidian"},
    {BLOCK_AMETHYST, 84, "amethyst"},
    {BLOCK_IRON_BLOCK, 85, "iron_block"},
    {BLOCK_GOLD_BLOCK, 86, "gold_block"},
    {BLOCK_DIAMOND_BLOCK, 87, "diamond_block"},
    {BLOCK_SPECULAR, 88, "specular"},
    {BLOCK_SHORT_GRASS, 89, "short_grass"},
    {BLOCK_TALL_GRASS, 90, "tall_grass"},
    {BLOCK_FERN, 91, "fern"},
    {BLOCK_DEAD_BUSH, 92, "dead_bush"},
    {BLOCK_DANDELION, 93, "dandelion"},
    {BLOCK_POPPY, 94, "poppy"},
    {BLOCK_CORNFLOWER, 95, "cornflower"},
    {BLOCK_DAISY, 96, "daisy"},
    {BLOCK_RED_TULIP, 97, "red_tulip"},
    {BLOCK_ORANGE_TULIP, 98, "orange_tulip"},
    {BLOCK_LILY_OF_THE_VALLEY, 99, "lily_of_the_valley"},
    {BLOCK_ALLIUM, 100, "allium"},
    {BLOCK_PINK_PETALS, 101, "pink_petals"},
    {BLOCK_RED_MUSHROOM, 102, "red_mushroom"},
    {BLOCK_BROWN_MUSHROOM, 103, "brown_mushroom"},
    {BLOCK_SUGAR_CANE, 104, "sugar_cane"},
    {BLOCK_LILY_PAD, 105, "lily_pad"},
    {BLOCK_WHEAT, 106, "wheat"},
    {BLOCK_CARROTS, 107, "carrots"},
    {BLOCK_BERRY_BUSH, 108, "berry_bush"},
    {BLOCK_PUMPKIN, 109, "pumpkin"},
    {BLOCK_MELON, 110, "melon"},
    {BLOCK_OAK_FENCE, 111, "oak_fence"},
    {BLOCK_LADDER, 112, "ladder"},
    {BLOCK_WHITE_WOOL, 113, "white_wool"},
    {BLOCK_RED_WOOL, 114, "red_wool"},
    {BLOCK_BLUE_WOOL, 115, "blue_wool"},
    {BLOCK_YELLOW_WOOL, 116, "yellow_wool"},
    {BLOCK_GRANITE, 117, "granite"},
    {BLOCK_DIORITE, 118, "diorite"},
    {BLOCK_ANDESITE, 119, "andesite"},
    {BLOCK_DEEPSLATE, 120, "deepslate"},
    {BLOCK_BLUE_ORCHID, 121, "blue_orchid"},
    {BLOCK_SUNFLOWER, 122, "sunflower"},
    {BLOCK_CATTAIL, 123, "cattail"},
    {BLOCK_BAMBOO, 124, "bamboo"},
    {BLOCK_PEBBLES, 125, "pebbles"},
    {BLOCK_FALLEN_LEAVES, 126, "fallen_leaves"},
    {BLOCK_SNOWY_SHORT_GRASS, 127, "snowy_short_grass"},
};
#define SPECIAL_COUNT (sizeof special / sizeof *special)

static const CnBlockInfo *info_of(const char *name)
{
    CnBlock block = cn_block_find(standard_blocks(), name);
    if (block == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return &standard_blocks()->info[block];
}

/* ---- The table ---- */

static void special_blocks_never_move(void **state)
{
    (void)state;
    assert_int_equal(BLOCK_SPECIAL_COUNT, SPECIAL_COUNT);
    for (size_t i = 0; i < SPECIAL_COUNT; i++) {
        assert_int_equal(special[i].block, special[i].number);
        assert_string_equal(standard_blocks()->info[special[i].number].name, special[i].name);
    }
}

static void there_are_enough_blocks_and_all_fit_into_quads(void **state)
{
    (void)state;
    assert_in_range(BLOCK_COUNT, 900, CN_BLOCK_MAX + 1);
}

static void levels_of_water_are_in_order(void **state)
{
    (void)state;
    for (int level = 1; level <= 7; level++) {
        assert_int_equal(CN_BLOCK_WATER + level, CN_BLOCK_WATER_1 + level - 1);
        assert_int_equal(standard_blocks()->info[CN_BLOCK_WATER + level].material,
                         CN_BLOCK_MATERIAL_WATER);
        assert_false(standard_blocks()->info[CN_BLOCK_WATER + level].placeable);
    }
}

static void families_follow_in_the_order_of_their_names(void **state)
{
    (void)state;
    CnBlock first_shaped = cn_block_find(standard_blocks(), "crafting_table");
    assert_in_range(first_shaped, 1000, BLOCK_COUNT);
    for (uint32_t i = BLOCK_SPECIAL_COUNT + 1; i < first_shaped; i++)
        assert_true(strcmp(standard_blocks()->info[i - 1].name, standard_blocks()->info[i].name) <
                    0);
}

static void every_block_is_found_by_its_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLOCK_COUNT; i++)
        assert_int_equal(cn_block_find(standard_blocks(), standard_blocks()->info[i].name), i);
}

static void names_that_no_block_has_are_not_found(void **state)
{
    (void)state;
    assert_int_equal(cn_block_find(standard_blocks(), ""), CN_BLOCK_NONE);
    assert_int_equal(cn_block_find(standard_blocks(), "Stone"), CN_BLOCK_NONE);
    assert_int_equal(cn_block_find(standard_blocks(), "stone_"), CN_BLOCK_NONE);
    assert_int_equal(cn_block_find(standard_blocks(), "zzz"), CN_BLOCK_NONE);
}

static void names_are_words_joined_by_low_lines(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLOCK_COUNT; i++) {
        const char *name = standard_blocks()->info[i].name;
        assert_true(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name));
        assert_true(islower((unsigned char)name[0]) && !strstr(name, "__"));
        assert_true(isupper((unsigned char)standard_blocks()->info[i].title[0]));
    }
}

static void values_are_in_range(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLOCK_COUNT; i++) {
        const CnBlockInfo *info = &standard_blocks()->info[i];
        assert_true(info->side < BLOCK_TILE_COUNT && info->bottom < BLOCK_TILE_COUNT &&
                    info->top < BLOCK_TILE_COUNT);
        assert_in_range(info->material, CN_BLOCK_MATERIAL_OPAQUE, CN_BLOCK_MATERIAL_PROP);
        assert_in_range(info->surface, 0, CN_BLOCK_SURFACE_COUNT - 1);
        assert_in_range(info->light_level, 0, 15);
        assert_in_range(info->light_loss, 0, 15);
        assert_true(info->hardness == -1 || (info->hardness >= 0 && info->hardness <= 100));
        assert_true(info->emits_light || (info->light_level == 0 && info->light_intensity == 0));
        assert_true(info->light_radius >= 0 && info->light_intensity >= 0);
    }
}

static void flags_say_what_the_table_says(void **state)
{
    (void)state;
    static const uint8_t kinds[] = {CN_BLOCK_IS_OPAQUE, CN_BLOCK_IS_SEMI, CN_BLOCK_IS_WATER,
                                    CN_BLOCK_IS_PROP};
    for (uint32_t i = 0; i < BLOCK_COUNT; i++) {
        const CnBlockInfo *info = &standard_blocks()->info[i];
        unsigned expected = i == CN_BLOCK_AIR ? CN_BLOCK_IS_AIR : kinds[info->material];
        expected |= info->light_level > 0 ? CN_BLOCK_GLOWS : 0;
        expected |= info->collidable ? CN_BLOCK_COLLIDES : 0;
        expected |= info->light_loss > 0 ? CN_BLOCK_DIMS_LIGHT : 0;
        assert_int_equal(standard_blocks()->flags[i], expected);
    }
}

static void opaque_blocks_stop_light_and_bodies_and_plain_props_neither(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLOCK_COUNT; i++) {
        const CnBlockInfo *info = &standard_blocks()->info[i];
        if (info->shape)
            continue;
        if (info->material == CN_BLOCK_MATERIAL_OPAQUE)
            assert_true(info->light_loss == 15 && info->collidable);
        else
            assert_true(info->light_loss < 15);
        if (info->material == CN_BLOCK_MATERIAL_PROP || info->material == CN_BLOCK_MATERIAL_WATER)
            assert_false(info->collidable);
    }
}

/* ---- What the document says ---- */

static void hardness_is_that_of_the_document(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float hardness;
    } cases[] = {{"air", 0},         {"water", 0},        {"poppy", 0},           {"torch", 0},
                 {"dead_bush", 0},   {"dirt", .5f},       {"sand", .5f},          {"grass", .6f},
                 {"stone", 1.5f},    {"amethyst", 1.5f},  {"oak_log", 2},         {"oak_planks", 2},
                 {"diamond_ore", 3}, {"iron_ore", 3},     {"obsidian", 10},       {"bedrock", -1},
                 {"walnut_log", 2},  {"ebony_planks", 2}, {"obsidian_bricks", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(info_of(cases[i].name)->hardness == cases[i].hardness);
}

static void torches_and_magma_are_point_lights(void **state)
{
    (void)state;
    const CnBlockInfo *torch = &standard_blocks()->info[BLOCK_TORCH],
                      *magma = &standard_blocks()->info[BLOCK_MAGMA];
    assert_true(torch->light_radius == 6 && torch->light_intensity == 4);
    assert_true(torch->light_color[0] == 1 && torch->light_color[1] == .52f &&
                torch->light_color[2] == .18f);
    assert_true(magma->light_radius == 10 && magma->light_intensity == 32);
}

static void glowstone_and_obsidian_glow_by_themselves(void **state)
{
    (void)state;
    const CnBlockInfo *glowstone = &standard_blocks()->info[BLOCK_GLOWSTONE];
    const CnBlockInfo *obsidian = &standard_blocks()->info[BLOCK_OBSIDIAN];
    assert_true(glowstone->emits_light && glowstone->light_radius == 0);
    assert_true(glowstone->light_intensity == 24.8f);
    assert_true(obsidian->emits_light && obsidian->light_radius == 0);
    assert_true(obsidian->light_intensity == 12);
}

static void surfaces_are_those_of_the_document(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        CnBlockSurface surface;
    } cases[] = {{"grass", CN_BLOCK_SURFACE_GRASS},        {"dirt", CN_BLOCK_SURFACE_GRASS},
                 {"snow", CN_BLOCK_SURFACE_GRASS},         {"oak_leaves", CN_BLOCK_SURFACE_GRASS},
                 {"snowy_leaves", CN_BLOCK_SURFACE_GRASS}, {"grass_snow", CN_BLOCK_SURFACE_GRASS},
                 {"short_grass", CN_BLOCK_SURFACE_GRASS},  {"sand", CN_BLOCK_SURFACE_SAND},
                 {"oak_log", CN_BLOCK_SURFACE_WOOD},       {"spruce_planks", CN_BLOCK_SURFACE_WOOD},
                 {"stone", CN_BLOCK_SURFACE_STONE},        {"glass", CN_BLOCK_SURFACE_STONE},
                 {"glowstone", CN_BLOCK_SURFACE_STONE},    {"magma", CN_BLOCK_SURFACE_STONE},
                 {"obsidian", CN_BLOCK_SURFACE_STONE},     {"cactus", CN_BLOCK_SURFACE_STONE},
                 {"amethyst", CN_BLOCK_SURFACE_STONE},     {"specular", CN_BLOCK_SURFACE_STONE},
                 {"diamond_block", CN_BLOCK_SURFACE_STONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(info_of(cases[i].name)->surface, cases[i].surface);
}

static void faces_are_hidden_as_the_document_says(void **state)
{
    (void)state;
    static const struct {
        CnBlock block, neighbor;
        bool hidden;
    } cases[] = {{BLOCK_STONE, CN_BLOCK_AIR, false},    {BLOCK_STONE, BLOCK_DIRT, true},
                 {BLOCK_STONE, BLOCK_GLASS, false},     {BLOCK_STONE, CN_BLOCK_WATER, false},
                 {BLOCK_STONE, BLOCK_POPPY, false},     {BLOCK_GLASS, BLOCK_STONE, true},
                 {BLOCK_GLASS, BLOCK_GLASS, true},      {BLOCK_GLASS, BLOCK_OAK_LEAVES, true},
                 {BLOCK_GLASS, CN_BLOCK_WATER, false},  {CN_BLOCK_WATER, CN_BLOCK_WATER_3, true},
                 {CN_BLOCK_WATER, BLOCK_STONE, true},   {CN_BLOCK_WATER, BLOCK_GLASS, true},
                 {CN_BLOCK_WATER, CN_BLOCK_AIR, false}, {BLOCK_POPPY, BLOCK_STONE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cn_block_hides(standard_blocks(), cases[i].block, cases[i].neighbor),
                         cases[i].hidden);
}

/* ---- Families ---- */

static void every_family_is_there(void **state)
{
    (void)state;
    static const char *const names[] = {
        "walnut_planks", "stripped_birch_log", "palm_leaves",      "larch_sapling",
        "marble_bricks", "mossy_tuff_bricks",  "polished_granite", "cyan_wool",
        "lime_concrete", "pink_glass",         "black_candle",     "purple_lamp",
        "copper_grate",  "gold_bricks",        "ruby_block",       "jade_crystal",
        "tin_ore",       "basalt_diamond_ore", "slate_pillar",     "white_tulip"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        info_of(names[i]);
}

static void lamps_give_light_in_their_color(void **state)
{
    (void)state;
    const CnBlockInfo *lamp = info_of("red_lamp");
    assert_true(lamp->emits_light && lamp->light_level == 15);
    assert_true(lamp->light_color[0] == 1);
    assert_true(lamp->light_color[1] < .3f && lamp->light_color[2] < .3f);
}

static void what_shows_several_tiles_has_them(void **state)
{
    (void)state;
    const CnBlockInfo *log = info_of("walnut_log"), *shelf = info_of("birch_bookshelf");
    assert_true(log->side != log->top && log->top == log->bottom);
    assert_true(shelf->top == info_of("birch_planks")->side);
    const CnBlockInfo *grass = &standard_blocks()->info[BLOCK_GRASS];
    assert_true(grass->side != grass->top &&
                grass->bottom == standard_blocks()->info[BLOCK_DIRT].side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_blocks_never_move),
        cmocka_unit_test(there_are_enough_blocks_and_all_fit_into_quads),
        cmocka_unit_test(levels_of_water_are_in_order),
        cmocka_unit_test(families_follow_in_the_order_of_their_names),
        cmocka_unit_test(every_block_is_found_by_its_name),
        cmocka_unit_test(names_that_no_block_has_are_not_found),
        cmocka_unit_test(names_are_words_joined_by_low_lines),
        cmocka_unit_test(values_are_in_range),
        cmocka_unit_test(flags_say_what_the_table_says),
        cmocka_unit_test(opaque_blocks_stop_light_and_bodies_and_plain_props_neither),
        cmocka_unit_test(hardness_is_that_of_the_document),
        cmocka_unit_test(torches_and_magma_are_point_lights),
        cmocka_unit_test(glowstone_and_obsidian_glow_by_themselves),
        cmocka_unit_test(surfaces_are_those_of_the_document),
        cmocka_unit_test(faces_are_hidden_as_the_document_says),
        cmocka_unit_test(every_family_is_there),
        cmocka_unit_test(lamps_give_light_in_their_color),
        cmocka_unit_test(what_shows_several_tiles_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Decorations and structures of mods: what is wrong with them is reported with mod, file and line;
 * what is good stands in the world, whatever the order of the mods. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include <crafty/sim/mod/mods.h>
#include <crafty/world/world.h>

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

static MemoryFiles files;
static CraftyMods *mods;
static CraftyWorld *world;
static CraftyModSource sources[4];
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

static void add(const char *name, const char *folder, const char *path, const char *code)
{
    memory_files_set(&files, path, code);
    sources[source_count++] =
        (CraftyModSource){.name = name, .files = &files.files, .folder = folder};
}

static void load(void)
{
    CnError error = {0};
    mods = crafty_mods_create(&(CraftyModsDesc){.sources = sources, .source_count = source_count},
                              &error);
    if (!mods)
        fail_msg("%s", error.message);
    world = crafty_world_create(&(CraftyWorldDesc){.content = crafty_mods_content(mods),
                                                   .seed = 42,
                                                   .workers = CN_JOBS_NONE},
                                &error);
    if (!world)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static void load_castle(const char *code)
{
    add("castle", "mods/castle", "mods/castle/main.lua", code);
    load();
}

static void load_good(const char *code)
{
    load_castle(code);
    CraftyModStatus status = crafty_mods_status(mods, 1);
    if (status.is_disabled)
        fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
}

static void refuse(const char *code, int line, const char *part)
{
    begin(NULL);
    load_castle(code);
    CraftyModStatus status = crafty_mods_status(mods, 1);
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    assert_string_equal(status.error.file, "mods/castle/main.lua");
    assert_int_equal(status.error.line, line);
    assert_int_equal(crafty_features_count(crafty_world_features(world)), 0);
    end(NULL);
}

static const CnPlacement *placement(const char *name)
{
    const CraftyFeatures *features = crafty_world_features(world);
    for (uint32_t i = 0; i < crafty_features_count(features); i++)
        if (strcmp(crafty_features_placements(features)[i].name, name) == 0)
            return &crafty_features_placements(features)[i];
    fail_msg("there is no placement %s", name);
    return NULL;
}

static CnBlock block(const char *name)
{
    return cn_block_find(crafty_world_blocks(world), name);
}

/* ---- Definitions ---- */

static void a_decoration_of_single_blocks_has_one_pattern_each(void **state)
{
    (void)state;
    load_good("decoration { name = 'blooms', blocks = { 'poppy', 'daisy' }, per_chunk = 4,\n"
              "             biomes = { 'forest', 'taiga' }, on = { 'grass' } }");
    const CnPlacement *blooms = placement("castle:blooms");
    assert_int_equal(blooms->pattern_count, 2);
    assert_int_equal(blooms->patterns[1].blocks[0], block("daisy"));
    assert_int_equal(blooms->biomes, 1u << CN_BIOME_FOREST | 1u << CN_BIOME_TAIGA);
    assert_int_equal(blooms->on[0], block("grass"));
    assert_int_equal(blooms->spacing, 8);
    assert_int_equal(blooms->chance, CN_PLACEMENT_ALWAYS);
}

static void layers_are_rows_from_north_to_south(void **state)
{
    (void)state;
    load_good("structure { name = 'hall', turn = false, palette = { s = 'stone', g = 'glass' },\n"
              "            layers = { { 'ss', ' s', 'sg' }, { 'gg', 'gg', 'gs' } } }");
    const CnPattern *pattern = &placement("castle:hall")->patterns[0];
    assert_int_equal(pattern->width, 2);
    assert_int_equal(pattern->height, 2);
    assert_int_equal(pattern->depth, 3);
    assert_int_equal(pattern->blocks[0 + 2 * (0 + 2 * 1)], CN_BLOCK_NONE);
    assert_int_equal(pattern->blocks[1 + 2 * (0 + 2 * 2)], block("glass"));
    assert_int_equal(pattern->blocks[1 + 2 * (1 + 2 * 2)], block("stone"));
}

static void a_structure_is_turned_with_its_blocks(void **state)
{
    (void)state;
    load_good("structure { name = 'hall', palette = { s = 'stone', c = 'chest_north' },\n"
              "            layers = { { 'c ', 's ', 's ' } } }");
    const CnPlacement *hall = placement("castle:hall");
    assert_int_equal(hall->pattern_count, 4);
    assert_int_equal(hall->patterns[1].width, 3);
    assert_int_equal(hall->patterns[1].blocks[2], block("chest_east"));
    assert_int_equal(hall->patterns[1].blocks[0], block("stone"));
    assert_int_equal(hall->patterns[2].blocks[1 + 2 * 2], block("chest_south"));
}

static void functions_make_variants_from_random_numbers(void **state)
{
    (void)state;
    static const char code[] =
        "decoration { name = 'post', samples = 8, variants = { function()\n"
        "    return { block = 'oak_log', height = generation.random(2, 9) }\n"
        "end } }";
    load_good(code);
    uint8_t heights[8];
    uint32_t different = 0;
    const CnPlacement *post = placement("castle:post");
    assert_int_equal(post->pattern_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        heights[i] = post->patterns[i].height;
        assert_in_range(heights[i], 2, 9);
        different += heights[i] != heights[0];
    }
    assert_true(different > 0);
    end(NULL);
    begin(NULL);
    load_good(code);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(placement("castle:post")->patterns[i].height, heights[i]);
}

static void a_world_of_the_standard_content_has_no_features(void **state)
{
    (void)state;
    load();
    assert_int_equal(crafty_features_count(crafty_world_features(world)), 0);
    assert_int_equal(crafty_features_hash(crafty_world_features(world)), 0);
}

/* ---- Errors ---- */

static void wrong_definitions_name_file_and_line(void **state)
{
    (void)state;
    refuse("\ndecoration { name = 'a', blocks = 'stoen' }", 2, "did you mean \"stone\"");
    refuse("decoration { name = 'A', blocks = 'stone' }", 1, "lower-case");
    refuse("decoration { blocks = 'stone' }", 1, "\"name\"");
    refuse("decoration { name = 'a' }", 1, "\"variants\", \"blocks\" or \"layers\"");
    refuse("decoration { name = 'a', blocks = 'stone', per_chunk = 65 }", 1, "per_chunk");
    refuse("decoration { name = 'a', blocks = 'stone', biomes = { 'moon' } }", 1, "biome");
    refuse("decoration { name = 'a', blocks = 'stone', spacing = 40 }", 1, "spacing");
    refuse("\n\nstructure { name = 'a', palette = { s = 'stone' }, layers = { { 'sx' } } }", 3,
           "\"x\" is not in \"palette\"");
    refuse("structure { name = 'a', palette = { s = 'stone' }, layers = { { 's', 'ss' } } }", 1,
           "1 characters");
    refuse("structure { name = 'a', palette = { s = 'stone' }, layers = { {'s'}, {'s', 's'} } }", 1,
           "1 rows");
    refuse("structure { name = 'a', palette = { s = 'stone' }, layers = { { 's' } },\n"
           "            separation = 256 }",
           1, "separation");
    refuse("structure { name = 'a', layers = { { 's' } } }", 1, "palette");
    refuse("structure { name = 'a', palette = { ab = 'stone' }, layers = { { 's' } } }", 1,
           "one printable character");
    refuse("for _ = 1, 2 do\nstructure { name = 'a', palette = { s = 'stone' }, "
           "layers = { { 's' } } }\nend",
           2, "there already is");
}

static void wrong_functions_of_variants_name_file_and_line(void **state)
{
    (void)state;
    refuse("\nstructure { name = 'a', variants = { function()\nerror('oh')\nend } }", 3, "oh");
    refuse("\nstructure { name = 'a', variants = { function() return 7 end } }", 2, "table");
    refuse("structure { name = 'a', samples = 17, variants = { function() return {} end } }", 1,
           "samples");
    refuse("structure { name = 'a', variants = { function() while true do end end } }", 1,
           "instructions");
    refuse("generation.random(1, 2)", 1, "variants");
    refuse("structure { name = 'a', variants = { function() flower('poppy') end } }", 1,
           "main.lua");
}

static void too_many_features_disable_the_mod(void **state)
{
    (void)state;
    load_castle("for i = 1, 30 do decoration { name = 'a' .. i, blocks = 'stone', per_chunk = 64 } "
                "end");
    CraftyModStatus status = crafty_mods_status(mods, 1);
    assert_true(status.is_disabled);
    assert_non_null(strstr(status.error.message, "too dense"));
}

/* ---- The world ---- */

static uint64_t hash_of_terrain(void)
{
    CnGenerator *generator = crafty_world_generator(world);
    CnGenerateScratch *scratch = crafty_world_scratch(world);
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    uint64_t hash = 0;
    for (int32_t i = 0; i < 100; i++)
        for (int32_t y = 0; y < 6; y++) {
            cn_generate(generator, scratch, (CnChunkPos){i % 10 - 5, y, i / 10 - 5}, blocks);
            for (uint32_t k = 0; k < CN_CHUNK_BLOCKS; k++)
                hash = cn_hash_mix(hash + blocks[k]);
        }
    return hash;
}

static const char huts[] = "structure { name = 'hut', spacing = 48, uneven = 12,\n"
                           "  palette = { p = 'oak_planks', ['.'] = 'air' }, sunk = 1,\n"
                           "  foundation = 'cobblestone', layers = {\n"
                           "  {'ppppppp','ppppppp','ppppppp','ppppppp','ppppppp'},\n"
                           "  {'ppppppp','p.....p','p.....p','p.....p','ppp.ppp'} } }";
static const char towers[] = "structure { name = 'tower', spacing = 48, uneven = 12,\n"
                             "  palette = { p = 'stone_bricks' }, layers = {\n"
                             "  {'ppppp','ppppp','ppppp','ppppp','ppppp'},\n"
                             "  {'ppppp','ppppp','ppppp','ppppp','ppppp'} } }\n"
                             "decoration { name = 'rock', chance = 1, palette = { s = 'andesite' "
                             "}, layers = { { 'sss', 'sss', 'ss ' } } }";

static void terrain_does_not_depend_on_the_order_of_mods(void **state)
{
    (void)state;
    load();
    uint64_t plain = hash_of_terrain();
    end(NULL);
    begin(NULL);
    add("huts", "mods/huts", "mods/huts/main.lua", huts);
    add("towers", "mods/towers", "mods/towers/main.lua", towers);
    load();
    assert_int_equal(crafty_features_count(crafty_world_features(world)), 3);
    uint64_t first = hash_of_terrain(),
             features = crafty_features_hash(crafty_world_features(world));
    assert_int_not_equal(first, plain);
    end(NULL);
    begin(NULL);
    add("towers", "mods/towers", "mods/towers/main.lua", towers);
    add("huts", "mods/huts", "mods/huts/main.lua", huts);
    load();
    assert_int_equal(hash_of_terrain(), first);
    assert_int_equal(crafty_features_hash(crafty_world_features(world)), features);
}

static void features_are_part_of_the_hash_of_the_content(void **state)
{
    (void)state;
    load_good("decoration { name = 'a', blocks = 'stone', per_chunk = 1 }");
    uint64_t content = crafty_content_hash(world),
             features = crafty_features_hash(crafty_world_features(world));
    end(NULL);
    begin(NULL);
    load_good("decoration { name = 'a', blocks = 'stone', per_chunk = 0.5 }");
    assert_int_not_equal(crafty_content_hash(world), content);
    assert_int_not_equal(crafty_features_hash(crafty_world_features(world)), features);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_decoration_of_single_blocks_has_one_pattern_each, begin,
                                        end),
        cmocka_unit_test_setup_teardown(layers_are_rows_from_north_to_south, begin, end),
        cmocka_unit_test_setup_teardown(a_structure_is_turned_with_its_blocks, begin, end),
        cmocka_unit_test_setup_teardown(functions_make_variants_from_random_numbers, begin, end),
        cmocka_unit_test_setup_teardown(a_world_of_the_standard_content_has_no_features, begin,
                                        end),
        cmocka_unit_test(wrong_definitions_name_file_and_line),
        cmocka_unit_test(wrong_functions_of_variants_name_file_and_line),
        cmocka_unit_test_setup_teardown(too_many_features_disable_the_mod, begin, end),
        cmocka_unit_test_setup_teardown(terrain_does_not_depend_on_the_order_of_mods, begin, end),
        cmocka_unit_test_setup_teardown(features_are_part_of_the_hash_of_the_content, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Block tables: registration by name, numbers, and what is refused. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include <cairn/voxel/block.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static CnBlockTable *table;

static int make(void **state)
{
    (void)state;
    table = cn_block_table_create(NULL, NULL);
    return table ? 0 : -1;
}

static int unmake(void **state)
{
    (void)state;
    cn_block_table_destroy(table);
    return 0;
}

static CnBlock add(const char *name)
{
    CnBlockInfo info = cn_block_info_default(name);
    CnBlock number = CN_BLOCK_NONE;
    assert_true(cn_block_table_add(table, &info, &number, NULL));
    return number;
}

static void assert_refused(const CnBlockInfo *info, CnErrorCode code, const char *message)
{
    CnError error = {0};
    CnBlock number = 77;
    uint32_t count = table->count;
    assert_false(cn_block_table_add(table, info, &number, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not contain \"%s\"", error.message, message);
    assert_int_equal(table->count, count);
}

/* ---- Numbers and names ---- */

static void a_new_table_has_air_and_water(void **state)
{
    (void)state;
    assert_int_equal(cn_block_find(table, "air"), CN_BLOCK_AIR);
    assert_int_equal(table->flags[CN_BLOCK_AIR], CN_BLOCK_IS_AIR);
    assert_int_equal(cn_block_find(table, "water"), CN_BLOCK_WATER);
    assert_int_equal(cn_block_find(table, "water_7"), CN_BLOCK_WATER_7);
    for (CnBlock block = CN_BLOCK_WATER; block <= CN_BLOCK_WATER_7; block++)
        assert_true(table->flags[block] & CN_BLOCK_IS_WATER);
}

static void numbers_follow_the_order_and_skip_those_of_water(void **state)
{
    (void)state;
    static const CnBlock expected[] = {1, 2, 3, 4, 5, 14, 15};
    for (uint32_t i = 0; i < CN_COUNT_OF(expected); i++)
        assert_int_equal(add((const char[]){'b', (char)('0' + i), 0}), expected[i]);
}

static void a_block_is_found_by_its_name(void **state)
{
    (void)state;
    CnBlock marble = add("marble");
    assert_int_equal(cn_block_find(table, "marble"), marble);
    assert_int_equal(cn_block_find(table, "marbl"), CN_BLOCK_NONE);
    assert_int_equal(cn_block_find(table, ""), CN_BLOCK_NONE);
}

static void names_are_copied(void **state)
{
    (void)state;
    char name[] = "marble", title[] = "Marble of Caria";
    CnBlockInfo info = cn_block_info_default(name);
    info.title = title;
    CnBlock number;
    assert_true(cn_block_table_add(table, &info, &number, NULL));
    memset(name, 'x', sizeof name - 1);
    memset(title, 'x', sizeof title - 1);
    assert_string_equal(cn_block_info(table, number)->name, "marble");
    assert_string_equal(cn_block_info(table, number)->title, "Marble of Caria");
}

static void a_title_is_derived_from_the_name(void **state)
{
    (void)state;
    assert_string_equal(cn_block_info(table, add("polished_marble"))->title, "Polished Marble");
}

static void properties_of_earlier_blocks_survive_many_registrations(void **state)
{
    (void)state;
    CnBlockInfo lamp = cn_block_info_default("lamp");
    lamp.light_level = 9;
    assert_true(cn_block_table_add(table, &lamp, NULL, NULL));
    for (uint32_t i = 0; i < 500; i++) {
        char name[16];
        snprintf(name, sizeof name, "block_%u", i);
        add(name);
    }
    CnBlock found = cn_block_find(table, "lamp");
    assert_int_equal(cn_block_info(table, found)->light_level, 9);
    assert_true(table->flags[found] & CN_BLOCK_GLOWS);
    assert_string_equal(cn_block_info(table, cn_block_find(table, "block_499"))->name, "block_499");
}

static void a_number_that_is_not_registered_has_the_properties_of_air(void **state)
{
    (void)state;
    static const CnBlock numbers[] = {1, 14, CN_BLOCK_MAX, CN_BLOCK_NONE};
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        assert_false(cn_block_exists(table, numbers[i]));
        assert_string_equal(cn_block_info(table, numbers[i])->name, "air");
    }
}

/* ---- What is refused ---- */

static void a_name_that_is_taken_is_refused(void **state)
{
    (void)state;
    add("marble");
    CnBlockInfo info = cn_block_info_default("marble");
    assert_refused(&info, CN_ERROR_EXISTS, "block 'marble' is already registered");
}

static void invalid_names_are_refused(void **state)
{
    (void)state;
    char longest[CN_BLOCK_NAME_BYTES + 1];
    memset(longest, 'a', sizeof longest);
    longest[CN_BLOCK_NAME_BYTES] = 0;
    const char *const names[] = {"", "Marble", "mar ble", "mar-ble", "m\xC3\xA4rble", longest};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnBlockInfo info = cn_block_info_default(names[i]);
        assert_refused(&info, CN_ERROR_FORMAT, "the name is not 1 to 63 of a-z, 0-9, _ and :");
    }
    CnBlockInfo nameless = cn_block_info_default(NULL);
    assert_refused(&nameless, CN_ERROR_FORMAT, "the name is not");
    longest[CN_BLOCK_NAME_BYTES - 1] = 0;
    add(longest);
}

static void properties_out_of_range_are_refused_with_the_name_of_the_block(void **state)
{
    (void)state;
    CnBlockInfo good = cn_block_info_default("marble");
#define WITH(field, value) bad[i] = good, bad[i++].field = (value)
    CnBlockInfo bad[20];
    uint32_t i = 0;
    WITH(material, CN_BLOCK_MATERIAL_COUNT);
    WITH(surface, CN_BLOCK_SURFACE_COUNT);
    WITH(appearance, 16);
    WITH(light_level, 16);
    WITH(light_loss, 16);
    WITH(light_loss, 14); /* opaque */
    WITH(side, 2048);
    WITH(bottom, 2048);
    WITH(top, UINT16_MAX);
    WITH(hardness, NAN);
    WITH(hardness, INFINITY);
    WITH(light_intensity, -1);
    WITH(light_radius, NAN);
    WITH(light_color[2], -0.5f);
    WITH(title, "a title that is much longer than sixty-three bytes, which is the limit");
#undef WITH
    while (i-- > 0)
        assert_refused(&bad[i], CN_ERROR_FORMAT, "block 'marble': ");
    assert_int_equal(cn_block_find(table, "marble"), CN_BLOCK_NONE);
}

static void a_full_table_refuses_more(void **state)
{
    (void)state;
    char name[16];
    for (uint32_t i = 0; table->count <= CN_BLOCK_MAX; i++) {
        snprintf(name, sizeof name, "block_%u", i);
        add(name);
    }
    CnBlockInfo info = cn_block_info_default("marble");
    assert_refused(&info, CN_ERROR_LIMIT, "block 'marble': the block table is full");
    assert_int_equal(cn_block_find(table, name), CN_BLOCK_MAX);
}

static void a_closed_table_refuses_more(void **state)
{
    (void)state;
    cn_block_table_close(table);
    CnBlockInfo info = cn_block_info_default("marble");
    assert_refused(&info, CN_ERROR_PERMISSION, "block 'marble': the block table is closed");
}

static void water_can_be_described_once_and_stays_water(void **state)
{
    (void)state;
    CnBlockInfo water = cn_block_info_default("water");
    assert_refused(&water, CN_ERROR_FORMAT, "block 'water': its material must be water");
    water.material = CN_BLOCK_MATERIAL_WATER;
    water.light_loss = 3;
    assert_true(cn_block_table_add(table, &water, NULL, NULL));
    assert_int_equal(cn_block_info(table, CN_BLOCK_WATER)->light_loss, 3);
    assert_refused(&water, CN_ERROR_EXISTS, "already registered");
}

static void air_stays_empty(void **state)
{
    (void)state;
    CnBlockInfo air = cn_block_info_default("air");
    air.light_level = 7;
    assert_true(cn_block_table_add(table, &air, NULL, NULL));
    assert_int_equal(table->flags[CN_BLOCK_AIR], CN_BLOCK_IS_AIR);
}

static void a_placeholder_cannot_be_placed(void **state)
{
    (void)state;
    CnBlock number;
    assert_true(cn_block_table_add_placeholder(table, "mod:altar", NULL, &number, NULL));
    const CnBlockInfo *info = cn_block_info(table, number);
    assert_true(info->is_placeholder && !info->placeable);
    assert_string_equal(info->name, "mod:altar");
}

/* ---- Generators ---- */

static void every_missing_name_is_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"air", "marble", "water", "basalt"};
    CnBlock found[4];
    CnError error = {0};
    assert_false(cn_block_find_all(table, "a temple", names, 4, found, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_string_equal(error.message, "no blocks for a temple with these names: marble, basalt");
    add("marble");
    add("basalt");
    assert_true(cn_block_find_all(table, "a temple", names, 4, found, NULL));
    assert_int_equal(found[3], cn_block_find(table, "basalt"));
}

static void a_generator_names_the_blocks_that_it_lacks(void **state)
{
    (void)state;
    CnError error = {0};
    cn_block_table_close(table);
    assert_null(cn_generator_create(&(CnGeneratorDesc){.blocks = table}, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "the world generator with these names: grass, dirt"));
}

static void a_generator_refuses_an_open_table(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_generator_create(&(CnGeneratorDesc){.blocks = table}, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

/* Registers the standard blocks in reverse, so that nearly all have other numbers. */
static void add_reversed(void)
{
    const CnBlockTable *standard = standard_blocks();
    for (uint32_t i = standard->count; i-- > 0;)
        assert_true(cn_block_table_add(table, &standard->info[i], NULL, NULL));
    cn_block_table_close(table);
}

static void a_world_with_other_numbers_has_the_same_blocks(void **state)
{
    (void)state;
    static CnBlock one[CN_CHUNK_BLOCKS], other[CN_CHUNK_BLOCKS];
    const CnBlockTable *standard = standard_blocks();
    add_reversed();
    assert_int_not_equal(cn_block_find(table, "stone"), BLOCK_STONE);
    GeneratedWorld worlds[2] = {
        generated_world(&(CnGeneratorDesc){.blocks = standard, .seed = 42}),
        generated_world(&(CnGeneratorDesc){.blocks = table, .seed = 42}),
    };
    for (int32_t i = 0; i < 5 * 5 * 6; i++) {
        CnChunkPos position = {i % 5, i / 25 - 1, i / 5 % 5};
        cn_generate(worlds[0].generator, worlds[0].scratch, position, one);
        cn_generate(worlds[1].generator, worlds[1].scratch, position, other);
        for (uint32_t cell = 0; cell < CN_CHUNK_BLOCKS; cell++)
            if (strcmp(standard->info[one[cell]].name, table->info[other[cell]].name) != 0)
                fail_msg("%s became %s", standard->info[one[cell]].name,
                         table->info[other[cell]].name);
    }
    generated_drop(&worlds[0]);
    generated_drop(&worlds[1]);
}

int main(void)
{
#define TEST(fact) cmocka_unit_test_setup_teardown(fact, make, unmake)
    const struct CMUnitTest tests[] = {
        TEST(a_new_table_has_air_and_water),
        TEST(numbers_follow_the_order_and_skip_those_of_water),
        TEST(a_block_is_found_by_its_name),
        TEST(names_are_copied),
        TEST(a_title_is_derived_from_the_name),
        TEST(properties_of_earlier_blocks_survive_many_registrations),
        TEST(a_number_that_is_not_registered_has_the_properties_of_air),
        TEST(a_name_that_is_taken_is_refused),
        TEST(invalid_names_are_refused),
        TEST(properties_out_of_range_are_refused_with_the_name_of_the_block),
        TEST(a_full_table_refuses_more),
        TEST(a_closed_table_refuses_more),
        TEST(water_can_be_described_once_and_stays_water),
        TEST(air_stays_empty),
        TEST(a_placeholder_cannot_be_placed),
        TEST(every_missing_name_is_listed),
        TEST(a_generator_names_the_blocks_that_it_lacks),
        TEST(a_generator_refuses_an_open_table),
        TEST(a_world_with_other_numbers_has_the_same_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

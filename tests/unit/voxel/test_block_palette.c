#include "cmocka_tests.h"
#include "guards.h"
#include "standard_blocks.h"

#include <cairn/voxel/block_palette.h>

#include <stdio.h>
#include <string.h>

static CnBlockPalette *palette;
static CnU8Array bytes;

static int make(void **state)
{
    (void)state;
    palette = cn_block_palette_create(NULL, standard_blocks());
    cn_array_init(&bytes, NULL);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    cn_block_palette_destroy(palette);
    cn_array_fini(&bytes);
    return 0;
}

static uint16_t add(CnBlock block)
{
    uint16_t number = 9999;
    assert_true(cn_block_palette_add(palette, block, &number, NULL));
    return number;
}

/* A palette of version 1 with these names, as a file of another program might have it. */
static void write_names(const char *const *names, uint16_t count)
{
    cn_array_clear(&bytes);
    cn_array_push(&bytes, 1);
    cn_array_push(&bytes, (uint8_t)count);
    cn_array_push(&bytes, (uint8_t)(count >> 8));
    for (uint16_t i = 0; i < count; i++) {
        cn_array_push(&bytes, (uint8_t)strlen(names[i]));
        for (const char *c = names[i]; *c; c++)
            cn_array_push(&bytes, (uint8_t)*c);
    }
}

static CnBlockPalette *read_all(CnError *error)
{
    size_t used = 0;
    CnBlockPalette *read =
        cn_block_palette_read(NULL, standard_blocks(), bytes.items, bytes.count, &used, error);
    if (read)
        assert_int_equal(used, bytes.count);
    return read;
}

static void assert_not_read(CnErrorCode code, const char *message)
{
    CnError error = {0};
    assert_null(read_all(&error));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, message));
}

static void numbers_are_given_in_order_of_use(void **state)
{
    (void)state;
    assert_int_equal(add(BLOCK_STONE), 0);
    assert_int_equal(add(CN_BLOCK_AIR), 1);
    assert_int_equal(add(BLOCK_STONE), 0);
    assert_int_equal(cn_block_palette_count(palette), 2);
    assert_string_equal(cn_block_palette_name(palette, 1), "air");
    assert_null(cn_block_palette_name(palette, 2));
}

static void every_block_comes_back_from_the_bytes(void **state)
{
    (void)state;
    for (CnBlock block = BLOCK_COUNT; block-- > 0;)
        add(block);
    assert_true(cn_block_palette_write(palette, &bytes));
    CnBlockPalette *read = read_all(NULL);
    assert_non_null(read);
    for (CnBlock block = 0; block < BLOCK_COUNT; block++) {
        CnBlock found = 0;
        assert_true(cn_block_palette_find(read, add(block), &found, NULL));
        assert_int_equal(found, block);
    }
    cn_block_palette_destroy(read);
}

static void the_bytes_are_pinned(void **state)
{
    (void)state;
    static const uint8_t expected[] = {1, 2, 0, 3, 'a', 'i', 'r', 5, 's', 't', 'o', 'n', 'e'};
    add(CN_BLOCK_AIR);
    add(BLOCK_STONE);
    assert_true(cn_block_palette_write(palette, &bytes));
    assert_int_equal(bytes.count, sizeof expected);
    assert_memory_equal(bytes.items, expected, sizeof expected);
}

static void bytes_after_the_palette_are_left_alone(void **state)
{
    (void)state;
    add(BLOCK_STONE);
    assert_true(cn_block_palette_write(palette, &bytes));
    uint32_t size = bytes.count;
    cn_array_push(&bytes, 77);
    size_t used = 0;
    CnBlockPalette *read =
        cn_block_palette_read(NULL, standard_blocks(), bytes.items, bytes.count, &used, NULL);
    assert_non_null(read);
    assert_int_equal(used, size);
    cn_block_palette_destroy(read);
}

static void an_unknown_name_is_an_error_where_it_is_used(void **state)
{
    (void)state;
    static const char *const names[] = {"stone", "mod:unheard_of"};
    write_names(names, 2);
    CnBlockPalette *read = read_all(NULL);
    assert_non_null(read);
    CnBlock block = CN_BLOCK_AIR;
    CnError error = {0};
    assert_true(cn_block_palette_find(read, 0, &block, &error));
    assert_int_equal(block, BLOCK_STONE);
    assert_false(cn_block_palette_find(read, 1, &block, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "mod:unheard_of"));
    cn_block_palette_destroy(read);
}

static void an_unknown_name_is_written_again(void **state)
{
    (void)state;
    static const char *const names[] = {"mod:unheard_of", "stone"};
    write_names(names, 2);
    CnBlockPalette *read = read_all(NULL);
    CnU8Array again;
    cn_array_init(&again, NULL);
    assert_true(cn_block_palette_write(read, &again));
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.items, bytes.items, bytes.count);
    cn_array_fini(&again);
    cn_block_palette_destroy(read);
}

static void unknown_names_become_placeholders_of_an_open_table(void **state)
{
    (void)state;
    static const char *const names[] = {"mod:unheard_of", "water"};
    CnBlockTable *open = cn_block_table_create(NULL, NULL);
    size_t used;
    CnBlock block = CN_BLOCK_NONE;
    write_names(names, 2);
    CnBlockPalette *read = cn_block_palette_read(NULL, open, bytes.items, bytes.count, &used, NULL);
    assert_true(cn_block_palette_register(read, open, NULL, NULL));
    assert_true(cn_block_palette_find(read, 0, &block, NULL));
    assert_string_equal(cn_block_info(open, block)->name, "mod:unheard_of");
    assert_true(cn_block_info(open, block)->is_placeholder);
    assert_true(cn_block_palette_find(read, 1, &block, NULL));
    assert_int_equal(block, CN_BLOCK_WATER);
    cn_block_palette_destroy(read);
    cn_block_table_destroy(open);
}

static void a_closed_table_gets_no_placeholders(void **state)
{
    (void)state;
    static const char *const names[] = {"mod:unheard_of"};
    CnBlockTable *closed = cn_block_table_create(NULL, NULL);
    size_t used;
    CnError error = {0};
    cn_block_table_close(closed);
    write_names(names, 1);
    CnBlockPalette *read =
        cn_block_palette_read(NULL, closed, bytes.items, bytes.count, &used, NULL);
    assert_false(cn_block_palette_register(read, closed, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, "mod:unheard_of"));
    cn_block_palette_destroy(read);
    cn_block_table_destroy(closed);
}

static void malformed_palettes_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"stone", "air", "stone"};
    static const char *const unknown_twice[] = {"x", "x"};
    static const char *const empty[] = {""};
    static const char *const upper[] = {"Stone"};
    static const char *const of_64[] = {
        "a23456789012345678901234567890123456789012345678901234567890abcd"};
    write_names(twice, 3);
    assert_not_read(CN_ERROR_FORMAT, "twice");
    write_names(unknown_twice, 2);
    assert_not_read(CN_ERROR_FORMAT, "twice");
    write_names(empty, 1);
    assert_not_read(CN_ERROR_FORMAT, "name 0");
    write_names(upper, 1);
    assert_not_read(CN_ERROR_FORMAT, "name 0");
    write_names(of_64, 1);
    assert_not_read(CN_ERROR_FORMAT, "name 0");
    write_names(twice, 2);
    bytes.items[0] = 2;
    assert_not_read(CN_ERROR_VERSION, "version 2");
    bytes.items[0] = 1;
    bytes.items[2] = 0x20;
    assert_not_read(CN_ERROR_LIMIT, "names");
}

static void a_palette_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"stone", "air"};
    write_names(names, 2);
    while (bytes.count-- > 0)
        assert_not_read(CN_ERROR_FORMAT, "ends within");
}

static void a_full_palette_takes_no_more(void **state)
{
    (void)state;
    static char texts[CN_BLOCK_PALETTE_MAX][8];
    static const char *names[CN_BLOCK_PALETTE_MAX];
    for (uint32_t i = 0; i < CN_BLOCK_PALETTE_MAX; i++) {
        snprintf(texts[i], sizeof texts[i], "x%u", i);
        names[i] = texts[i];
    }
    write_names(names, CN_BLOCK_PALETTE_MAX);
    CnBlockPalette *read = read_all(NULL);
    assert_non_null(read);
    uint16_t number;
    CnError error = {0};
    assert_false(cn_block_palette_add(read, BLOCK_STONE, &number, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    cn_block_palette_destroy(read);
}

#ifdef CN_GUARDS
static void unknown_blocks_are_guarded(void **state)
{
    (void)state;
    uint16_t number;
    EXPECT_GUARD(cn_block_palette_add(palette, BLOCK_COUNT, &number, NULL));
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_given_in_order_of_use),
        TEST(every_block_comes_back_from_the_bytes),
        TEST(the_bytes_are_pinned),
        TEST(bytes_after_the_palette_are_left_alone),
        TEST(an_unknown_name_is_an_error_where_it_is_used),
        TEST(an_unknown_name_is_written_again),
        TEST(unknown_names_become_placeholders_of_an_open_table),
        TEST(a_closed_table_gets_no_placeholders),
        TEST(malformed_palettes_are_refused),
        TEST(a_palette_that_is_cut_off_is_refused),
        TEST(a_full_palette_takes_no_more),
#ifdef CN_GUARDS
        TEST(unknown_blocks_are_guarded),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

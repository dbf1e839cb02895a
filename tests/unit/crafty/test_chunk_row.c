/* The edits of a chunk as bytes: what they take, and what is refused. */
#include "cmocka_tests.h"

#include <crafty/save/chunk_row.h>

#include <string.h>

static CnStoredBlock blocks[CN_CHUNK_BLOCKS];
static uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES];

static uint32_t write_row(uint32_t count)
{
    return crafty_chunk_row_write(
        &(CnStoredChunk){.hash = 0x1122334455667788u, .blocks = blocks, .count = count}, bytes);
}

static void assert_reads_back(uint32_t count, uint32_t size)
{
    static CnStoredBlock read[CN_CHUNK_BLOCKS];
    uint64_t hash = 0;
    uint32_t read_count = 0;
    assert_true(crafty_chunk_row_read(bytes, size, &hash, read, &read_count));
    assert_true(hash == 0x1122334455667788u);
    assert_int_equal(read_count, count);
    assert_memory_equal(read, blocks, count * sizeof *blocks);
}

static void a_full_chunk_of_one_block_takes_twelve_bytes(void **state)
{
    (void)state;
    for (uint16_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = (CnStoredBlock){i, 7};
    assert_int_equal(write_row(CN_CHUNK_BLOCKS), 8 + 4);
    assert_reads_back(CN_CHUNK_BLOCKS, 8 + 4);
}

static void the_largest_row_fits(void **state)
{
    (void)state;
    for (uint16_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = (CnStoredBlock){i, (CnBlock)(UINT16_MAX - i % 2)};
    uint32_t size = write_row(CN_CHUNK_BLOCKS);
    assert_true(size <= CRAFTY_CHUNK_ROW_BYTES);
    assert_reads_back(CN_CHUNK_BLOCKS, size);
}

static void any_cells_come_back(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = 0, every = 1 + round % 40;
        for (uint16_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
            random = random * 1664525u + 1013904223u;
            if (random >> 8 & 1 ? i % every == 0 : random >> 20 & 1)
                blocks[count++] = (CnStoredBlock){i, (CnBlock)(random >> 28 ? 3 : random >> 16)};
        }
        if (count > 0)
            assert_reads_back(count, write_row(count));
    }
}

static bool reads(const uint8_t *runs, size_t size)
{
    uint64_t hash;
    uint32_t count;
    if (size > 0)
        memcpy(bytes + 8, runs, size);
    return crafty_chunk_row_read(bytes, 8 + size, &hash, NULL, &count);
}
#define READS(...) reads((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__})

static void a_row_without_cells_is_refused(void **state)
{
    (void)state;
    assert_true(READS(0, 0, 5));
    assert_false(reads(NULL, 0));
}

static void a_run_beyond_the_chunk_is_refused(void **state)
{
    (void)state;
    assert_true(READS(0xff, 31, 0, 5));
    assert_false(READS(0x80, 32, 0, 5));
    assert_false(READS(0xff, 31, 1, 5));
}

static void a_row_that_ends_within_a_run_is_refused(void **state)
{
    (void)state;
    assert_false(READS(0, 0, 5, 0));
    assert_false(READS(0, 0, 5, 0, 0));
    assert_false(READS(0, 0, 0x85));
}

static void another_form_of_the_same_cells_is_refused(void **state)
{
    (void)state;
    assert_true(READS(0, 0, 5, 0, 0, 6));
    assert_false(READS(0, 0, 5, 0, 0, 5)); /* two runs instead of one */
    assert_false(READS(0x80, 0, 0, 5));    /* a number with a superfluous byte */
}

static void a_number_beyond_16_bits_is_refused(void **state)
{
    (void)state;
    assert_true(READS(0, 0, 0xff, 0xff, 3));
    assert_false(READS(0, 0, 0x80, 0x80, 4));
    assert_false(READS(0, 0, 0x80, 0x80, 0x80, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_chunk_of_one_block_takes_twelve_bytes),
        cmocka_unit_test(the_largest_row_fits),
        cmocka_unit_test(any_cells_come_back),
        cmocka_unit_test(a_row_without_cells_is_refused),
        cmocka_unit_test(a_run_beyond_the_chunk_is_refused),
        cmocka_unit_test(a_row_that_ends_within_a_run_is_refused),
        cmocka_unit_test(another_form_of_the_same_cells_is_refused),
        cmocka_unit_test(a_number_beyond_16_bits_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

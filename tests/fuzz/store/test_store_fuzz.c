/*
 * The decoders of a store with random bytes: sealed rows, mostly with checksums that fit, and the
 * pages of a damaged file. CAIRN_FUZZ=1000000 sets the number of rows.
 */
#include "random.h"
#include "store_fixture.h"

#include "store/store_internal.h"

#include <stdio.h>

#include <xxhash.h>
#include <zstd.h>

enum { ROWS = 50000, FILES = 60, PAGES = 12, PAGE_BYTES = 4096 };

static TestRandom random_numbers = {19};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static uint32_t row_count(void)
{
    const char *number = getenv("CAIRN_FUZZ");
    return number ? (uint32_t)strtoul(number, NULL, 10) : ROWS;
}

static void change(uint8_t *bytes, size_t size)
{
    static const uint32_t edges[] = {0, 1, 0x7f, 0xff, 0x7fffffff, 0xffffffff};
    for (uint32_t n = 1 + below(4); n > 0 && size >= 4; n--) {
        uint32_t at = below((uint32_t)size - 3), edge = edges[below(CN_COUNT_OF(edges))];
        if (below(2))
            memcpy(bytes + at, &edge, below(2) ? 4 : 1);
        else
            bytes[at] = (uint8_t)(bytes[at] ^ 1u << below(8));
    }
}

static void random_sealed_rows_are_read_or_refused(void **state)
{
    (void)state;
    CniStoreTable table;
    CniStoreCodec codec = {0};
    cni_store_table_init(&table, &store_tables[CHUNKS]);
    CnU8Array sealed, value;
    cn_array_init(&sealed, NULL);
    cn_array_init(&value, NULL);
    uint8_t bytes[600];
    uint32_t read = 0, refused = 0;
    for (uint32_t i = 0; i < row_count(); i++) {
        CnStoreKey key = cn_store_number(below(10));
        size_t size = below(sizeof bytes);
        memset(bytes, (int)below(256), sizeof bytes);
        assert_true(cni_store_seal(&codec, &table, &key, bytes, size, &sealed, NULL));
        change(sealed.items, sealed.count - 8);
        if (below(8)) { /* a checksum that fits */
            uint64_t seed = XXH3_64bits_withSeed(&key.number, 8, table.seed);
            uint64_t sum = XXH3_64bits_withSeed(sealed.items, sealed.count - 8, seed);
            memcpy(sealed.items + sealed.count - 8, &sum, 8);
        }
        size_t part = below(20) ? sealed.count : below(sealed.count + 1);
        CnError error = {0};
        if (cni_store_unseal(&codec, &table, &key, sealed.items, part, &value, &error)) {
            assert_true(value.count <= 1 << 20);
            read++;
        } else {
            assert_true(error.code == CN_ERROR_FORMAT && error.message[0]);
            refused++;
        }
    }
    assert_true(read && refused);
    cni_store_codec_fini(&codec);
    cn_array_fini(&sealed);
    cn_array_fini(&value);
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(fixture.path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void random_files_are_refused_and_salvaged(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    for (int64_t i = 0; i < 120; i++)
        put_number(batch, i, "a value of some bytes that is not compressed");
    put_text(batch, "name", "Home");
    static char large[20000];
    memset(large, 'x', sizeof large - 1);
    put_text(batch, "large", large);
    append_text(batch, "edit");
    save_batch(batch);
    close_store();
    CnFileBytes original;
    assert_true(cn_file_read_all(cn_native_files(), fixture.path, NULL, &original, NULL));
    uint8_t *bytes = malloc(original.size);
    for (uint32_t i = 0; i < FILES; i++) {
        memcpy(bytes, original.data, original.size);
        for (uint32_t n = 1 + below(60); n > 0; n--) {
            uint32_t page = below((uint32_t)(original.size / PAGE_BYTES));
            change(bytes + page * PAGE_BYTES, below(3) ? 120 : PAGE_BYTES);
        }
        write_file(bytes, below(4) ? original.size : below((uint32_t)original.size));
        CnStoreReport report;
        CnError error = {0};
        fixture.desc.mode = below(2) ? CN_STORE_READ_ONLY : CN_STORE_OPEN;
        if (!cn_store_check(&fixture.desc, NULL, &report, &error))
            assert_true(error.message[0]);
        cn_store_report_free(&report);
        fixture.desc.mode = CN_STORE_OPEN;
        char path[320];
        cn_format(path, sizeof path, "%s.new", fixture.path);
        if (cn_store_salvage(&fixture.desc, path, NULL, &report, &error))
            remove(path);
        else
            assert_true(error.message[0]);
        cn_store_report_free(&report);
    }
    free(bytes);
    cn_file_bytes_free(&original);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(random_sealed_rows_are_read_or_refused),
        store_test(random_files_are_refused_and_salvaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

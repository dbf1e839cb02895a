/*
 * Single bits of a saved file that change: damage is reported, no wrong value is delivered, and the
 * rest can be saved. CAIRN_FLIPS=100000 tries more of them.
 */
#include "store_fixture.h"
#include "store_model.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLIPS = 3000, NUMBERS = 150, TEXTS = 60, EDITS_SAVED = 200 };
enum { ROWS = NUMBERS + TEXTS + EDITS_SAVED, MOST_ROWS_OF_A_PAGE = 140 };

static size_t value_of(uint32_t table, int64_t key, uint8_t *bytes)
{
    size_t size = table == EDITS ? 8 : table == CHUNKS && key % 40 == 3 ? 5000 : 60;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = model_mix(model_mix(table, (uint64_t)key), i);
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
    return size;
}

static int make_file(void **state)
{
    set_up_store(state);
    open_store();
    uint8_t bytes[5008];
    char name[16];
    CnStoreBatch *batch = new_batch();
    for (int64_t i = 0; i < NUMBERS; i++)
        assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(i), bytes,
                                     value_of(CHUNKS, i, bytes), NULL));
    for (int64_t i = 1; i <= EDITS_SAVED; i++)
        assert_ok(cn_store_batch_append(batch, EDITS, bytes, value_of(EDITS, i, bytes), NULL));
    for (int64_t i = 0; i < TEXTS; i++) {
        cn_format(name, sizeof name, "%04d", (int)i);
        assert_ok(cn_store_batch_put(batch, INFO, cn_store_text(name), bytes,
                                     value_of(INFO, i, bytes), NULL));
    }
    save_batch(batch);
    close_store();
    return 0;
}

typedef struct Count {
    uint64_t right, wrong;
} Count;

static bool compare(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    Count *count = user;
    uint8_t bytes[5008];
    if (row->is_damaged)
        return true;
    int64_t key = row->key.number;
    if (row->table == INFO && row->key.size == 4)
        key = strtol((char[]){((char *)row->key.bytes)[0], ((char *)row->key.bytes)[1],
                              ((char *)row->key.bytes)[2], ((char *)row->key.bytes)[3], 0},
                     NULL, 10);
    size_t size = value_of(row->table, key, bytes);
    if (size == row->size && memcmp(bytes, row->bytes, size) == 0)
        count->right++;
    else
        count->wrong++;
    return true;
}

static bool check_row(const CnStoreRow *row, void *user, CnError *error)
{
    return compare(row, user, error);
}

static void flip(int file, uint64_t bit)
{
    uint8_t byte;
    assert_int_equal(pread(file, &byte, 1, (off_t)(bit / 8)), 1);
    byte = (uint8_t)(byte ^ 1u << bit % 8);
    assert_int_equal(pwrite(file, &byte, 1, (off_t)(bit / 8)), 1);
}

typedef struct Totals {
    uint64_t refused, reported, unnoticed, salvages, least_salvaged;
} Totals;

static void try_salvage(Totals *totals)
{
    CnStoreReport report;
    CnStoreDesc desc = fixture.desc;
    char path[320];
    cn_format(path, sizeof path, "%s.new", fixture.path);
    desc.mode = CN_STORE_OPEN;
    assert_ok(cn_store_salvage(&desc, path, NULL, &report, &fixture.error));
    totals->salvages++;
    if (report.row_count < totals->least_salvaged)
        totals->least_salvaged = report.row_count;
    assert_true(report.row_count >= ROWS - MOST_ROWS_OF_A_PAGE && report.row_count <= ROWS);
    cn_store_report_free(&report);
    desc.path = path;
    desc.mode = CN_STORE_READ_ONLY;
    Count count = {0};
    CnStoreCheckDesc check = {.verify = check_row, .user = &count};
    assert_ok(cn_store_check(&desc, &check, &report, &fixture.error));
    assert_true(count.wrong == 0);
    cn_store_report_free(&report);
    unlink(path);
}

static void try_flip(uint64_t bit, bool salvages, Totals *totals)
{
    CnStoreReport report;
    CnError error = {0};
    Count count = {0};
    CnStoreCheckDesc check = {.verify = check_row, .user = &count};
    CnStoreDesc desc = fixture.desc;
    desc.mode = CN_STORE_READ_ONLY; /* the file stays as it is */
    if (!cn_store_check(&desc, &check, &report, &error)) {
        assert_true(error.message[0] && error.code != CN_ERROR_MEMORY);
        totals->refused++;
    } else if (report.damage_count) {
        totals->reported++;
    } else {
        totals->unnoticed++;
        if (count.right != ROWS)
            fail_msg("bit %llu: %llu rows without a report", (unsigned long long)bit,
                     (unsigned long long)count.right);
    }
    assert_true(count.wrong == 0);
    cn_store_report_free(&report);
    if (salvages)
        try_salvage(totals);
}

static void flipped_bits_are_reported_and_the_rest_is_kept(void **state)
{
    (void)state;
    const char *number = getenv("CAIRN_FLIPS");
    uint32_t flips = number ? (uint32_t)strtoul(number, NULL, 10) : FLIPS;
    struct stat info;
    int file = open(fixture.path, O_RDWR);
    assert_true(file >= 0 && fstat(file, &info) == 0);
    Totals totals = {.least_salvaged = ROWS};
    TestRandom random = {2026};
    for (uint32_t i = 0; i < flips; i++) {
        /* A quarter of them where the file begins: header, schema and the roots of the tables. */
        uint64_t bytes = (uint64_t)(i % 4 ? info.st_size : 8192);
        uint64_t bit = test_random(&random) % (bytes * 8);
        flip(file, bit);
        try_flip(bit, i % 50 == 0, &totals);
        flip(file, bit);
    }
    close(file);
    printf("%u flips: %llu files refused, %llu with reported damage, %llu without effect; at least "
           "%llu of %d rows in each of %llu repaired files\n",
           flips, (unsigned long long)totals.refused, (unsigned long long)totals.reported,
           (unsigned long long)totals.unnoticed, (unsigned long long)totals.least_salvaged, ROWS,
           (unsigned long long)totals.salvages);
    assert_true(totals.refused && totals.reported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(flipped_bits_are_reported_and_the_rest_is_kept, make_file,
                                        tear_down_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

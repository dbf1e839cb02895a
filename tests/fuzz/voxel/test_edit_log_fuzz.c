/*
 * Edit logs with random damage and a checksum that is right again. Nothing is read beyond the end;
 * a log is taken whole, and then comes back the same, or refused with an error. The cases come from
 * a seed.
 */
#include "cmocka_tests.h"
#include "random.h"
#include "standard_blocks.h"

#include <cairn/base/hash_map.h>
#include <cairn/voxel/edit.h>

#include <string.h>

enum { ROUNDS = 20000, LIMIT = 64 };

static TestRandom random_numbers = {11};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static void make_log(CnU8Array *bytes)
{
    CnEditLog *log = cn_edit_log_create(NULL, LIMIT);
    for (uint32_t i = below(20); i > 0; i--) {
        CnEdit edit = {.tick = i,
                       .player = below(3),
                       .kind = (uint8_t)below(CN_EDIT_KIND_COUNT),
                       .face = CN_EDIT_NO_FACE,
                       .cell = {(int32_t)below(100), 0, 0},
                       .old_block = (CnBlock)below(BLOCK_COUNT),
                       .new_block = (CnBlock)below(BLOCK_COUNT)};
        assert_true(cn_edit_log_append(log, &edit));
    }
    assert_true(cn_edit_log_write(log, standard_blocks(), bytes, NULL));
    cn_edit_log_destroy(log);
}

static void damage(CnU8Array *bytes)
{
    for (uint32_t n = below(4); n > 0; n--)
        bytes->items[below(bytes->count)] = (uint8_t)below(below(2) ? 256 : 4);
    if (below(8) == 0)
        bytes->count = below(bytes->count + 1);
    if (bytes->count < 8 || below(20) == 0)
        return;
    uint64_t checksum = cn_hash_bytes(bytes->items, bytes->count - 8, 0);
    memcpy(bytes->items + bytes->count - 8, &checksum, 8);
}

/* Returns whether the bytes were taken. They are copied to the heap in their exact size, so that
 * reading beyond them is noticed. */
static bool read_exactly(const CnU8Array *bytes)
{
    size_t size = bytes->count ? bytes->count : 1;
    uint8_t *exact = cn_alloc(NULL, size);
    memcpy(exact, bytes->items, bytes->count);
    CnError error = {0};
    CnEditLog *log = cn_edit_log_read(NULL, standard_blocks(), LIMIT, exact, bytes->count, &error);
    assert_true((log != NULL) == (error.code == CN_OK));
    cn_free(NULL, exact, size);
    if (!log)
        return false;
    CnU8Array again;
    cn_array_init(&again, NULL);
    assert_true(cn_edit_log_write(log, standard_blocks(), &again, NULL));
    CnEditLog *twice =
        cn_edit_log_read(NULL, standard_blocks(), LIMIT, again.items, again.count, NULL);
    assert_non_null(twice);
    assert_int_equal(cn_edit_log_count(twice), cn_edit_log_count(log));
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit a = cn_edit_log_at(log, i), b = cn_edit_log_at(twice, i);
        assert_true(a.old_block == b.old_block && a.new_block == b.new_block && a.tick == b.tick);
    }
    cn_edit_log_destroy(twice);
    cn_edit_log_destroy(log);
    cn_array_fini(&again);
    return true;
}

static void damaged_logs_are_read_or_refused(void **state)
{
    (void)state;
    uint32_t taken = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        CnU8Array bytes;
        cn_array_init(&bytes, NULL);
        make_log(&bytes);
        damage(&bytes);
        taken += read_exactly(&bytes);
        cn_array_fini(&bytes);
    }
    assert_in_range(taken, ROUNDS / 10, ROUNDS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_logs_are_read_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"
#include "random.h"
#include "standard_blocks.h"

#include <cairn/base/hash_map.h>
#include <cairn/voxel/edit.h>

#include <string.h>

enum { EDITS = 500 };

static CnEditLog *written;
static CnU8Array bytes;

static CnEdit random_edit(TestRandom *random)
{
    return (CnEdit){.tick = test_random(random),
                    .player = 1 + test_random_below(random, 3),
                    .kind = (uint8_t)test_random_below(random, CN_EDIT_UNDO),
                    .face = (uint8_t)test_random_below(random, 6),
                    .cell = {(int32_t)test_random_below(random, 50), -7, 4},
                    .old_block = (CnBlock)test_random_below(random, BLOCK_COUNT),
                    .new_block = (CnBlock)test_random_below(random, BLOCK_COUNT)};
}

static int make(void **state)
{
    (void)state;
    TestRandom random = {4};
    written = cn_edit_log_create(NULL, EDITS);
    for (uint32_t i = 0; i < EDITS; i++) {
        CnEdit edit = random_edit(&random);
        assert_true(cn_edit_log_append(written, &edit));
    }
    cn_array_init(&bytes, NULL);
    assert_true(cn_edit_log_write(written, standard_blocks(), &bytes, NULL));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    cn_edit_log_destroy(written);
    cn_array_fini(&bytes);
    return 0;
}

static void assert_same_edits(const CnEditLog *read, uint32_t first)
{
    for (uint32_t i = 0; i < cn_edit_log_count(read); i++) {
        CnEdit a = cn_edit_log_at(written, first + i), b = cn_edit_log_at(read, i);
        assert_true(a.tick == b.tick && a.player == b.player && a.kind == b.kind &&
                    a.face == b.face && a.old_block == b.old_block && a.new_block == b.new_block);
        assert_memory_equal(&a.cell, &b.cell, sizeof a.cell);
    }
}

static void seal(void)
{
    uint64_t checksum = cn_hash_bytes(bytes.items, bytes.count - 8, 0);
    memcpy(bytes.items + bytes.count - 8, &checksum, 8);
}

static void assert_not_read(CnErrorCode code, const char *message)
{
    CnError error = {0};
    assert_null(cn_edit_log_read(NULL, standard_blocks(), EDITS, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, message));
}

static void a_log_comes_back_from_its_bytes(void **state)
{
    (void)state;
    CnEditLog *read =
        cn_edit_log_read(NULL, standard_blocks(), EDITS, bytes.items, bytes.count, NULL);
    assert_non_null(read);
    assert_int_equal(cn_edit_log_count(read), EDITS);
    assert_same_edits(read, 0);
    cn_edit_log_destroy(read);
}

static void a_log_that_was_read_undoes_the_same(void **state)
{
    (void)state;
    CnEditLog *read =
        cn_edit_log_read(NULL, standard_blocks(), EDITS, bytes.items, bytes.count, NULL);
    for (uint32_t player = 1; player <= 3; player++) {
        CnEdit a = {0}, b = {0};
        assert_true(cn_edit_log_undo(written, player, &a) == cn_edit_log_undo(read, player, &b));
        assert_true(a.tick == b.tick && a.new_block == b.new_block && a.cell.x == b.cell.x);
    }
    cn_edit_log_destroy(read);
}

static void a_smaller_limit_keeps_the_newest(void **state)
{
    (void)state;
    CnEditLog *read = cn_edit_log_read(NULL, standard_blocks(), 10, bytes.items, bytes.count, NULL);
    assert_int_equal(cn_edit_log_count(read), 10);
    assert_same_edits(read, EDITS - 10);
    cn_edit_log_destroy(read);
}

/* Swaps the palette's first two names and their numbers in all edits: another program's numbers. */
static void permuted_numbers_give_the_same_blocks(void **state)
{
    (void)state;
    uint8_t *name = bytes.items + 12 + 3;
    uint32_t first = 1u + name[0], second = 1u + name[first];
    uint8_t copy[128];
    memcpy(copy, name, first + second);
    memcpy(name, copy + first, second);
    memcpy(name + second, copy, first);
    uint8_t *edits = bytes.items + bytes.count - 8 - EDITS * CN_EDIT_BYTES;
    for (uint32_t i = 0; i < EDITS; i++) {
        for (uint32_t at = 26; at < CN_EDIT_BYTES; at += 2) {
            uint8_t *number = edits + i * CN_EDIT_BYTES + at;
            if (number[1] == 0 && number[0] <= 1)
                number[0] ^= 1;
        }
    }
    seal();
    CnEditLog *read =
        cn_edit_log_read(NULL, standard_blocks(), EDITS, bytes.items, bytes.count, NULL);
    assert_non_null(read);
    assert_same_edits(read, 0);
    cn_edit_log_destroy(read);
}

static void a_log_with_an_unknown_block_is_refused_with_its_name(void **state)
{
    (void)state;
    uint8_t *name = bytes.items + 12 + 3;
    memset(name + 1, 'q', name[0]);
    seal();
    assert_not_read(CN_ERROR_NOT_FOUND, "'qqq");
}

static void bare_edits_of_version_1_are_refused(void **state)
{
    (void)state;
    memset(bytes.items, 0, bytes.count);
    assert_not_read(CN_ERROR_FORMAT, "version 1");
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    bytes.items[8] = 3;
    seal();
    assert_not_read(CN_ERROR_VERSION, "version 3");
}

static void damage_is_noticed(void **state)
{
    (void)state;
    bytes.items[bytes.count - 40] ^= 1;
    assert_not_read(CN_ERROR_FORMAT, "damaged");
}

static void a_wrong_number_of_edits_is_refused(void **state)
{
    (void)state;
    uint8_t *count = bytes.items + bytes.count - 8 - EDITS * CN_EDIT_BYTES - 4;
    count[0]++;
    seal();
    assert_not_read(CN_ERROR_FORMAT, "number of edits");
}

static void a_log_is_appended_to_what_is_there(void **state)
{
    (void)state;
    uint32_t size = bytes.count;
    assert_true(cn_edit_log_write(written, standard_blocks(), &bytes, NULL));
    assert_int_equal(bytes.count, 2 * size);
    assert_memory_equal(bytes.items, bytes.items + size, size);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_log_comes_back_from_its_bytes),
        TEST(a_log_that_was_read_undoes_the_same),
        TEST(a_smaller_limit_keeps_the_newest),
        TEST(permuted_numbers_give_the_same_blocks),
        TEST(a_log_with_an_unknown_block_is_refused_with_its_name),
        TEST(bare_edits_of_version_1_are_refused),
        TEST(other_versions_are_refused),
        TEST(damage_is_noticed),
        TEST(a_wrong_number_of_edits_is_refused),
        TEST(a_log_is_appended_to_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

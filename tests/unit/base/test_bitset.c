#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/base/bitset.h>

static CnBitSet a, b;

static int make_sets(void **state)
{
    (void)state;
    cn_bitset_init(&a, NULL);
    cn_bitset_init(&b, NULL);
    return 0;
}

static int drop_sets(void **state)
{
    (void)state;
    cn_bitset_fini(&a);
    cn_bitset_fini(&b);
    return 0;
}

static void a_new_set_is_empty(void **state)
{
    (void)state;
    assert_true(cn_bitset_is_empty(&a));
    assert_int_equal(cn_bitset_count(&a), 0);
    assert_false(cn_bitset_has(&a, 0));
    assert_false(cn_bitset_has(&a, UINT32_MAX));
    assert_int_equal(cn_bitset_next(&a, 0), CN_BITSET_NONE);
}

static void set_bits_are_there_and_others_are_not(void **state)
{
    (void)state;
    assert_true(cn_bitset_set(&a, 0));
    assert_true(cn_bitset_set(&a, 63));
    assert_true(cn_bitset_set(&a, 64));
    assert_true(cn_bitset_set(&a, 5000));
    assert_true(cn_bitset_has(&a, 0));
    assert_true(cn_bitset_has(&a, 63));
    assert_true(cn_bitset_has(&a, 64));
    assert_true(cn_bitset_has(&a, 5000));
    assert_false(cn_bitset_has(&a, 1));
    assert_false(cn_bitset_has(&a, 65));
    assert_false(cn_bitset_has(&a, 4999));
    assert_int_equal(cn_bitset_count(&a), 4);
}

static void clearing_takes_one_bit_out(void **state)
{
    (void)state;
    cn_bitset_set(&a, 70);
    cn_bitset_set(&a, 71);
    cn_bitset_clear(&a, 70);
    assert_false(cn_bitset_has(&a, 70));
    assert_true(cn_bitset_has(&a, 71));
}

static void clearing_beyond_the_end_does_not_grow(void **state)
{
    (void)state;
    cn_bitset_clear(&a, 100000);
    assert_int_equal(a.word_count, 0);
}

static void clear_all_keeps_the_memory(void **state)
{
    (void)state;
    cn_bitset_set(&a, 500);
    uint32_t words = a.word_count;
    cn_bitset_clear_all(&a);
    assert_true(cn_bitset_is_empty(&a));
    assert_int_equal(a.word_count, words);
}

static void reserved_bits_are_set_without_growing(void **state)
{
    (void)state;
    assert_true(cn_bitset_reserve(&a, 129));
    assert_int_equal(a.word_count, 3);
    cn_bitset_set(&a, 191);
    assert_int_equal(a.word_count, 3);
    assert_true(cn_bitset_reserve(&a, 0));
}

static void sets_with_the_same_bits_are_equal_whatever_their_length(void **state)
{
    (void)state;
    cn_bitset_set(&a, 3);
    cn_bitset_set(&b, 3);
    cn_bitset_set(&b, 9999);
    assert_false(cn_bitset_equals(&a, &b));
    assert_false(cn_bitset_equals(&b, &a));
    cn_bitset_clear(&b, 9999);
    assert_true(cn_bitset_equals(&a, &b));
    assert_true(cn_bitset_equals(&b, &a));
    assert_int_equal(cn_bitset_hash(&a), cn_bitset_hash(&b));
}

static void the_hash_of_an_empty_set_is_the_fnv_basis(void **state)
{
    (void)state;
    assert_int_equal(cn_bitset_hash(&a), 0x811c9dc5u);
    cn_bitset_set(&a, 400);
    cn_bitset_clear(&a, 400);
    assert_int_equal(cn_bitset_hash(&a), 0x811c9dc5u);
}

static void the_hash_is_fnv_1a_over_32_bit_words(void **state)
{
    (void)state;
    cn_bitset_set(&a, 0); /* 1 */
    assert_int_equal(cn_bitset_hash(&a), 0x040c5b8cu);
    cn_bitset_clear(&a, 0);
    cn_bitset_set(&a, 32); /* 0, 1 */
    assert_int_equal(cn_bitset_hash(&a), 0x1076963au);
    cn_bitset_clear(&a, 32);
    cn_bitset_set(&a, 0);
    cn_bitset_set(&a, 64); /* 1, 0, 1 */
    assert_int_equal(cn_bitset_hash(&a), 0x0cca45ffu);
    for (uint32_t bit = 0; bit < 128; bit++)
        cn_bitset_set(&a, bit);
    assert_int_equal(cn_bitset_hash(&a), 0x81ddf9b1u);
}

static void a_set_contains_its_subsets(void **state)
{
    (void)state;
    cn_bitset_set(&a, 1);
    cn_bitset_set(&a, 200);
    cn_bitset_set(&b, 200);
    assert_true(cn_bitset_contains(&a, &b));
    assert_false(cn_bitset_contains(&b, &a));
    assert_true(cn_bitset_contains(&a, &a));
    cn_bitset_set(&b, 2);
    assert_false(cn_bitset_contains(&a, &b));
}

static void every_set_contains_the_empty_one(void **state)
{
    (void)state;
    assert_true(cn_bitset_contains(&a, &b));
    cn_bitset_set(&b, 900);
    cn_bitset_clear(&b, 900);
    assert_true(cn_bitset_contains(&a, &b));
    cn_bitset_set(&b, 900);
    assert_false(cn_bitset_contains(&a, &b));
}

static void sets_overlap_when_they_share_a_bit(void **state)
{
    (void)state;
    cn_bitset_set(&a, 10);
    cn_bitset_set(&a, 300);
    cn_bitset_set(&b, 11);
    assert_false(cn_bitset_overlaps(&a, &b));
    cn_bitset_set(&b, 300);
    assert_true(cn_bitset_overlaps(&a, &b));
    assert_true(cn_bitset_overlaps(&b, &a));
}

static void union_adds_the_other_bits(void **state)
{
    (void)state;
    cn_bitset_set(&a, 1);
    cn_bitset_set(&b, 700);
    assert_true(cn_bitset_union(&a, &b));
    assert_true(cn_bitset_has(&a, 1));
    assert_true(cn_bitset_has(&a, 700));
    assert_int_equal(cn_bitset_count(&b), 1);
    assert_true(cn_bitset_union(&a, &a));
    assert_int_equal(cn_bitset_count(&a), 2);
}

static void a_copy_has_the_bits_of_the_original_alone(void **state)
{
    (void)state;
    cn_bitset_set(&a, 5000);
    cn_bitset_set(&b, 7);
    assert_true(cn_bitset_copy(&a, &b));
    assert_true(cn_bitset_equals(&a, &b));
    assert_int_equal(cn_bitset_count(&a), 1);
    assert_true(cn_bitset_copy(&a, &a));
    assert_true(cn_bitset_has(&a, 7));
}

static void copying_takes_no_more_words_than_used(void **state)
{
    (void)state;
    cn_bitset_reserve(&b, 100000);
    cn_bitset_set(&b, 7);
    cn_bitset_copy(&a, &b);
    assert_int_equal(a.word_count, 1);
}

static void next_walks_the_bits_in_rising_order(void **state)
{
    (void)state;
    const uint32_t bits[] = {0, 1, 31, 32, 63, 64, 127, 128, 1000};
    for (size_t i = CN_COUNT_OF(bits); i-- > 0;)
        cn_bitset_set(&a, bits[i]);
    size_t at = 0;
    for (uint32_t bit = cn_bitset_next(&a, 0); bit != CN_BITSET_NONE;
         bit = cn_bitset_next(&a, bit + 1))
        assert_int_equal(bit, bits[at++]);
    assert_int_equal(at, CN_COUNT_OF(bits));
    assert_int_equal(cn_bitset_next(&a, 1001), CN_BITSET_NONE);
    assert_int_equal(cn_bitset_next(&a, UINT32_MAX), CN_BITSET_NONE);
}

static void check_next_bit(uint32_t bit, void *user)
{
    uint32_t *expected = user;
    assert_int_equal(bit, *expected);
    *expected = cn_bitset_next(&a, bit + 1);
}

static void for_each_visits_what_next_finds(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 3000; bit += 1 + bit / 7)
        cn_bitset_set(&a, bit);
    uint32_t expected = cn_bitset_next(&a, 0);
    cn_bitset_for_each(&a, check_next_bit, &expected);
    assert_int_equal(expected, CN_BITSET_NONE);
}

static void a_set_can_be_used_again_after_fini(void **state)
{
    (void)state;
    cn_bitset_set(&a, 9);
    cn_bitset_fini(&a);
    assert_false(cn_bitset_has(&a, 9));
    assert_true(cn_bitset_set(&a, 10));
}

#ifdef CN_GUARDS
static void setting_the_bit_that_means_none_is_a_wrong_call(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_bitset_set(&a, CN_BITSET_NONE));
}
#endif

#define SET_TEST(name) cmocka_unit_test_setup_teardown(name, make_sets, drop_sets)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SET_TEST(a_new_set_is_empty),
        SET_TEST(set_bits_are_there_and_others_are_not),
        SET_TEST(clearing_takes_one_bit_out),
        SET_TEST(clearing_beyond_the_end_does_not_grow),
        SET_TEST(clear_all_keeps_the_memory),
        SET_TEST(reserved_bits_are_set_without_growing),
        SET_TEST(sets_with_the_same_bits_are_equal_whatever_their_length),
        SET_TEST(the_hash_of_an_empty_set_is_the_fnv_basis),
        SET_TEST(the_hash_is_fnv_1a_over_32_bit_words),
        SET_TEST(a_set_contains_its_subsets),
        SET_TEST(every_set_contains_the_empty_one),
        SET_TEST(sets_overlap_when_they_share_a_bit),
        SET_TEST(union_adds_the_other_bits),
        SET_TEST(a_copy_has_the_bits_of_the_original_alone),
        SET_TEST(copying_takes_no_more_words_than_used),
        SET_TEST(next_walks_the_bits_in_rising_order),
        SET_TEST(for_each_visits_what_next_finds),
        SET_TEST(a_set_can_be_used_again_after_fini),
#ifdef CN_GUARDS
        SET_TEST(setting_the_bit_that_means_none_is_a_wrong_call),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"

#include <crafty/save/world_seed.h>

#include <cairn/base/hash_map.h>

static uint64_t seed_of(const char *text)
{
    uint64_t seed = 0;
    assert_true(crafty_seed_from_text(text, &seed, NULL));
    return seed;
}

static void a_number_is_the_seed(void **state)
{
    (void)state;
    assert_int_equal(seed_of("42"), 42);
    assert_int_equal(seed_of(" 42\t"), 42);
    assert_true(seed_of("18446744073709551615") == UINT64_MAX);
}

static void a_negative_number_is_its_twos_complement(void **state)
{
    (void)state;
    assert_true(seed_of("-1") == UINT64_MAX);
    assert_true(seed_of("-9223372036854775808") == (uint64_t)INT64_MIN);
}

static void other_text_has_the_same_hash_on_every_machine(void **state)
{
    (void)state;
    assert_true(seed_of("glacier") == 0xdd22c0d7fde66574u);
    assert_true(seed_of("glacier") == cn_hash_bytes("glacier", 7, 0));
}

static void numbers_out_of_range_are_text(void **state)
{
    (void)state;
    assert_true(seed_of("18446744073709551616") == cn_hash_bytes("18446744073709551616", 20, 0));
    assert_true(seed_of("-9223372036854775809") == cn_hash_bytes("-9223372036854775809", 20, 0));
    assert_true(seed_of("-") == cn_hash_bytes("-", 1, 0));
    assert_true(seed_of("1e3") == cn_hash_bytes("1e3", 3, 0));
}

static void empty_text_is_a_random_seed(void **state)
{
    (void)state;
    assert_true(seed_of("") != seed_of("  "));
}

static void a_seed_is_written_as_a_signed_number(void **state)
{
    (void)state;
    char text[CRAFTY_SEED_TEXT_BYTES];
    crafty_seed_to_text((uint64_t)INT64_MIN, text);
    assert_string_equal(text, "-9223372036854775808");
    assert_true(seed_of(text) == (uint64_t)INT64_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_the_seed),
        cmocka_unit_test(a_negative_number_is_its_twos_complement),
        cmocka_unit_test(other_text_has_the_same_hash_on_every_machine),
        cmocka_unit_test(numbers_out_of_range_are_text),
        cmocka_unit_test(empty_text_is_a_random_seed),
        cmocka_unit_test(a_seed_is_written_as_a_signed_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

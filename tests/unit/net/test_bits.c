/* Numbers of any number of bits. */
#include "cmocka_tests.h"

#include "random.h"

#include <cairn/net/bits.h>

static uint8_t bytes[256];

static void numbers_of_all_widths_are_read_as_written(void **state)
{
    CnNetBitWriter writer;
    CnNetBitReader reader;
    (void)state;
    cn_net_bit_writer_init(&writer, bytes, sizeof bytes);
    for (uint32_t width = 0; width <= 32; width++)
        cn_net_write_bits(&writer, 0xa5c3f19bu & (uint32_t)(((uint64_t)1 << width) - 1), width);
    assert_int_equal(cn_net_bits_written(&writer), 32 * 33 / 2);
    cn_net_bit_reader_init(&reader, bytes, cn_net_bit_writer_finish(&writer));
    for (uint32_t width = 0; width <= 32; width++)
        assert_int_equal(cn_net_read_bits(&reader, width),
                         0xa5c3f19bu & (uint32_t)(((uint64_t)1 << width) - 1));
    assert_true(cn_net_bit_reader_finish(&reader));
}

static void small_numbers_are_short(void **state)
{
    static const struct {
        uint32_t number, bits;
    } cases[] = {{0, 3},      {1, 6},      {7, 6},          {8, 8},     {31, 8},
                 {127, 10},   {511, 12},   {512, 14},       {2047, 14}, {2048, 19},
                 {65535, 19}, {65536, 35}, {UINT32_MAX, 35}};
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        CnNetBitWriter writer;
        CnNetBitReader reader;
        cn_net_bit_writer_init(&writer, bytes, sizeof bytes);
        cn_net_write_number(&writer, cases[i].number);
        assert_int_equal(cn_net_bits_written(&writer), cases[i].bits);
        assert_int_equal(cn_net_number_bits(cases[i].number), cases[i].bits);
        cn_net_bit_reader_init(&reader, bytes, cn_net_bit_writer_finish(&writer));
        assert_int_equal(cn_net_read_number(&reader), cases[i].number);
    }
}

static void signed_numbers_fold_to_small_ones(void **state)
{
    static const int32_t cases[] = {0, -1, 1, -2, 2, INT32_MAX, INT32_MIN};
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++)
        assert_int_equal(cn_net_unfold_sign(cn_net_fold_sign(cases[i])), cases[i]);
    assert_int_equal(cn_net_fold_sign(-1), 1);
    assert_int_equal(cn_net_fold_sign(2), 4);
}

static void what_does_not_fit_is_not_written(void **state)
{
    (void)state;
    for (size_t capacity = 0; capacity < 12; capacity++) {
        CnNetBitWriter writer;
        memset(bytes, 0xee, sizeof bytes);
        cn_net_bit_writer_init(&writer, bytes, capacity);
        for (uint32_t i = 0; i < 3; i++)
            cn_net_write_bits(&writer, 0x01020304u, 32);
        assert_int_equal(cn_net_bit_writer_finish(&writer), 0);
        assert_true(writer.failed);
        for (size_t i = capacity; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], 0xee);
    }
}

static void what_fits_exactly_is_written(void **state)
{
    CnNetBitWriter writer;
    (void)state;
    cn_net_bit_writer_init(&writer, bytes, 5);
    cn_net_write_bits(&writer, 0x01020304u, 32);
    cn_net_write_bits(&writer, 0xff, 8);
    assert_int_equal(cn_net_bit_writer_finish(&writer), 5);
}

static void reading_beyond_the_end_gives_zeros_and_fails(void **state)
{
    CnNetBitReader reader;
    (void)state;
    memset(bytes, 0xff, sizeof bytes);
    cn_net_bit_reader_init(&reader, bytes, 3);
    assert_int_equal(cn_net_read_bits(&reader, 20), 0xfffff);
    assert_int_equal(cn_net_read_bits(&reader, 5), 0);
    assert_true(reader.failed);
    assert_int_equal(cn_net_read_bits(&reader, 1), 0);
    assert_false(cn_net_bit_reader_finish(&reader));
}

static void rest_of_a_byte_must_be_zero(void **state)
{
    CnNetBitReader reader;
    (void)state;
    bytes[0] = 0x05;
    cn_net_bit_reader_init(&reader, bytes, 1);
    cn_net_read_bits(&reader, 3);
    assert_true(cn_net_bit_reader_finish(&reader));
    bytes[0] = 0x85;
    cn_net_bit_reader_init(&reader, bytes, 1);
    cn_net_read_bits(&reader, 3);
    assert_false(cn_net_bit_reader_finish(&reader));
}

static void bytes_must_not_be_left(void **state)
{
    CnNetBitReader reader;
    (void)state;
    memset(bytes, 0, sizeof bytes);
    cn_net_bit_reader_init(&reader, bytes, 2);
    cn_net_read_bits(&reader, 8);
    assert_false(cn_net_bit_reader_finish(&reader));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_widths_are_read_as_written),
        cmocka_unit_test(small_numbers_are_short),
        cmocka_unit_test(signed_numbers_fold_to_small_ones),
        cmocka_unit_test(what_does_not_fit_is_not_written),
        cmocka_unit_test(what_fits_exactly_is_written),
        cmocka_unit_test(reading_beyond_the_end_gives_zeros_and_fails),
        cmocka_unit_test(rest_of_a_byte_must_be_zero),
        cmocka_unit_test(bytes_must_not_be_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Messages in a stream of bytes: lengths, blocks, reassembly. */
#include "cmocka_tests.h"
#include "random.h"

#include "net/channel.h"

#include <cairn/base/array.h>

#include <string.h>

typedef struct Received {
    uint32_t count;
    size_t last_size;
    CnU8Array bytes; /* of all messages */
} Received;

static bool keep(const uint8_t *bytes, size_t size, void *user)
{
    Received *received = user;
    received->count++;
    received->last_size = size;
    return cn_bytes_append(&received->bytes, bytes, size);
}

static CniNetReceiveResult read_all(CniNetReceiver *receiver, uint32_t limit, const void *bytes,
                                    size_t size, Received *received)
{
    return cni_net_receiver_read(receiver, NULL, limit, bytes, size, keep, received);
}

/* Sends everything as spans of at most `part` bytes. */
static void send_all(CniNetSender *sender, size_t part, CnU8Array *stream)
{
    CniNetSpan span;
    while (cni_net_sender_next(sender, &span, 1)) {
        size_t size = span.size < part ? span.size : part;
        assert_true(cn_bytes_append(stream, span.bytes, size));
        cni_net_sender_sent(sender, size);
    }
}

static void test_lengths_take_one_two_or_four_bytes(void **state)
{
    (void)state;
    assert_int_equal(cni_net_framed_size(0), 1);
    assert_int_equal(cni_net_framed_size(63), 64);
    assert_int_equal(cni_net_framed_size(64), 66);
    assert_int_equal(cni_net_framed_size(16383), 16385);
    assert_int_equal(cni_net_framed_size(16384), 16388);
}

static void test_random_messages_survive_any_split_of_the_stream(void **state)
{
    (void)state;
    TestRandom random = {1};
    CnPool blocks;
    CniNetSender sender = {0};
    CniNetReceiver receiver = {0};
    Received received = {0};
    CnU8Array sent, stream;
    uint8_t bytes[9000];
    uint32_t count = 0;
    cn_pool_init(&blocks, NULL, sizeof(CniNetBlock), 0);
    cn_array_init(&sent, NULL);
    cn_array_init(&stream, NULL);
    for (uint32_t round = 0; round < 300; round++) {
        for (uint32_t i = test_random_below(&random, 4); i > 0; i--, count++) {
            size_t size =
                test_random_below(&random, test_random_chance(&random, 10) ? sizeof bytes : 90);
            for (size_t k = 0; k < size; k++)
                bytes[k] = (uint8_t)test_random(&random);
            assert_true(cni_net_sender_put(&sender, &blocks, bytes, size));
            assert_true(cn_bytes_append(&sent, bytes, size));
        }
        cn_array_clear(&stream);
        send_all(&sender, 1 + test_random_below(&random, 1300), &stream);
        for (uint32_t at = 0; at < stream.count;) {
            uint32_t part = 1 + test_random_below(&random, 1300);
            part = part < stream.count - at ? part : stream.count - at;
            assert_int_equal(read_all(&receiver, 10000, stream.items + at, part, &received),
                             CNI_NET_RECEIVED);
            at += part;
        }
        cni_net_sender_acked(&sender, &blocks,
                             test_random_below(&random, (uint32_t)sender.queued_bytes + 1));
    }
    assert_int_equal(received.count, count);
    assert_int_equal(received.bytes.count, sent.count);
    assert_memory_equal(received.bytes.items, sent.items, sent.count);
    cni_net_sender_acked(&sender, &blocks, sender.queued_bytes);
    assert_int_equal(blocks.live_items, 0);
    cni_net_receiver_fini(&receiver, NULL);
    cn_array_fini(&received.bytes);
    cn_array_fini(&sent);
    cn_array_fini(&stream);
    cn_pool_fini(&blocks);
}

static void test_a_block_that_was_acknowledged_is_not_written_again(void **state)
{
    (void)state;
    static const uint8_t bytes[CNI_NET_BLOCK_BYTES - 2];
    CnPool blocks;
    CniNetSender sender = {0};
    CnU8Array stream;
    cn_pool_init(&blocks, NULL, sizeof(CniNetBlock), 0);
    cn_array_init(&stream, NULL);
    assert_true(cni_net_sender_put(&sender, &blocks, bytes, sizeof bytes)); /* fills the block */
    send_all(&sender, 5000, &stream);
    assert_true(cni_net_sender_put(&sender, &blocks, "abc", 3));
    cni_net_sender_acked(&sender, &blocks, CNI_NET_BLOCK_BYTES);
    cn_array_clear(&stream);
    send_all(&sender, 5000, &stream);
    assert_int_equal(stream.count, 4);
    assert_memory_equal(stream.items, "\3abc", 4);
    cni_net_sender_fini(&sender, &blocks);
    assert_int_equal(blocks.live_items, 0);
    cn_array_fini(&stream);
    cn_pool_fini(&blocks);
}

static void test_a_length_beyond_the_limit_is_refused_before_its_bytes_arrive(void **state)
{
    (void)state;
    static const uint8_t length[] = {0x80, 0, 0x40, 1};
    CniNetReceiver receiver = {0};
    Received received = {0};
    assert_int_equal(read_all(&receiver, 16384, length, sizeof length, &received),
                     CNI_NET_TOO_LONG);
    assert_null(receiver.message);
}

static void test_an_unknown_form_of_length_is_refused(void **state)
{
    (void)state;
    CniNetReceiver receiver = {0};
    Received received = {0};
    assert_int_equal(read_all(&receiver, 100, "\xff", 1, &received), CNI_NET_TOO_LONG);
}

static void test_memory_grows_with_what_arrived_not_with_what_was_announced(void **state)
{
    (void)state;
    static const uint8_t begin[] = {0x80 | 0x00, 0xff, 0xff, 0xff, 1, 2, 3};
    CniNetReceiver receiver = {0};
    Received received = {0};
    assert_int_equal(read_all(&receiver, 1u << 24, begin, sizeof begin, &received),
                     CNI_NET_RECEIVED);
    assert_int_equal(receiver.message_bytes, 0xffffff);
    assert_true(receiver.capacity <= 256);
    cni_net_receiver_fini(&receiver, NULL);
}

static void test_an_empty_message_is_delivered(void **state)
{
    (void)state;
    CniNetReceiver receiver = {0};
    Received received = {0};
    assert_int_equal(read_all(&receiver, 100, "\0\0", 2, &received), CNI_NET_RECEIVED);
    assert_int_equal(received.count, 2);
    assert_int_equal(received.last_size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_take_one_two_or_four_bytes),
        cmocka_unit_test(test_random_messages_survive_any_split_of_the_stream),
        cmocka_unit_test(test_a_block_that_was_acknowledged_is_not_written_again),
        cmocka_unit_test(test_a_length_beyond_the_limit_is_refused_before_its_bytes_arrive),
        cmocka_unit_test(test_an_unknown_form_of_length_is_refused),
        cmocka_unit_test(test_memory_grows_with_what_arrived_not_with_what_was_announced),
        cmocka_unit_test(test_an_empty_message_is_delivered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Hostile peers: garbage, handshakes that never complete, forged addresses, violations of the
 * protocol after the handshake. Players keep playing, and memory stays bounded. */
#include "cmocka_tests.h"
#include "net_pair.h"
#include "random.h"

#include "net/net_internal.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_CLIENTS = 400 };

static NetPair *pair;
static CnHeap *heap;
static CnNetEndpoint *attackers[MAX_CLIENTS];
static uint32_t attacker_count;

static int set_up(void **state)
{
    (void)state;
    pair = calloc(1, sizeof *pair);
    heap = cn_heap_create(NULL, NULL);
    attacker_count = 0;
    return pair && heap ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < attacker_count; i++)
        cn_net_endpoint_destroy(attackers[i]);
    net_pair_close(pair);
    free(pair);
    cn_heap_destroy(heap);
    return 0;
}

static void open_server(void)
{
    net_pair_open(pair);
    cn_net_endpoint_destroy(pair->server); /* again, with memory that is counted */
    pair->server_desc.allocator = cn_heap_tag(heap, "server");
    pair->server = cn_net_endpoint_create(&pair->server_desc, NULL);
    assert_non_null(pair->server);
    pair->connect_desc.address = cn_net_endpoint_address(pair->server);
}

static uint64_t server_bytes(void)
{
    return cn_heap_stats(heap).live_bytes;
}

static void assert_players_play(void)
{
    uint64_t before = net_count(&pair->at_server, CN_NET_MESSAGE);
    assert_true(cn_net_send(pair->client, pair->client_side, 0, "still here", 10));
    net_pair_run(pair, 2000);
    assert_int_equal(net_count(&pair->at_server, CN_NET_MESSAGE), before + 1);
}

/* ---- Without a connection ---- */

static int raw_socket(void)
{
    CniNetSocketAddress address;
    socklen_t size = cni_net_address_to_socket(&pair->connect_desc.address, AF_INET, &address);
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(connect(descriptor, &address.any, size), 0);
    return descriptor;
}

static uint64_t received_bytes(int descriptor)
{
    char bytes[2048];
    uint64_t total = 0;
    for (ssize_t size; (size = recv(descriptor, bytes, sizeof bytes, 0)) > 0;)
        total += (uint64_t)size;
    return total;
}

static void test_garbage_costs_no_memory_and_stops_nobody(void **state)
{
    (void)state;
    TestRandom random = {1};
    uint8_t bytes[1400];
    open_server();
    net_pair_connect(pair);
    assert_players_play(); /* allocates what it needs */
    uint64_t before = server_bytes();
    int descriptor = raw_socket();
    for (uint32_t i = 0; i < 20000; i++) {
        size_t size = test_random_below(&random, sizeof bytes);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)test_random(&random);
        send(descriptor, bytes, size, 0);
        if (i % 100 == 0)
            net_pair_run(pair, 1);
    }
    close(descriptor);
    assert_players_play();
    assert_true(cn_net_endpoint_stats(pair->server).packets_dropped > 10000);
    assert_true(server_bytes() <= before + 4096);
}

/* Sends the first packet of a handshake from 127.0.x.y and never answers. */
static void begin_half_open(uint32_t index)
{
    CnNetEndpointDesc desc = pair->client_desc;
    CnNetConnection connection;
    desc.bind.ip[14] = (uint8_t)(1 + index / 250);
    desc.bind.ip[15] = (uint8_t)(1 + index % 250);
    CnNetEndpoint *attacker = cn_net_endpoint_create(&desc, NULL);
    assert_non_null(attacker);
    attackers[attacker_count++] = attacker;
    assert_true(cn_net_connect(attacker, &pair->connect_desc, &connection, NULL));
    assert_true(cn_net_poll(attacker, 0, NULL));
}

static void test_half_open_handshakes_are_bounded_and_players_keep_playing(void **state)
{
    (void)state;
    pair->server_desc.limits.handshakes = 16;
    open_server();
    net_pair_connect(pair);
    net_pair_run(pair, 1000);
    for (uint32_t i = 0; i < 300; i++) {
        begin_half_open(i);
        net_pair_run(pair, 5);
        assert_true(cn_net_endpoint_stats(pair->server).handshakes <= 16);
    }
    assert_players_play();
    assert_true(cn_net_endpoint_stats(pair->server).retries > 200);
    assert_true(server_bytes() < (4u << 20));
}

static void test_a_player_can_join_during_half_open_handshakes(void **state)
{
    (void)state;
    pair->server_desc.limits.handshakes = 8;
    open_server();
    for (uint32_t i = 0; i < 100; i++) {
        begin_half_open(i);
        net_pair_run(pair, 1);
    }
    net_pair_connect(pair);
}

static void test_memory_of_failed_handshakes_is_freed(void **state)
{
    (void)state;
    pair->server_desc.limits.handshake_timeout_ms = 1000;
    open_server();
    uint64_t before = 0;
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < 20; i++)
            begin_half_open(round * 20 + i);
        net_pair_run(pair, 6000);
        assert_int_equal(cn_net_endpoint_stats(pair->server).handshakes, 0);
        if (round == 0)
            before = server_bytes();
    }
    assert_true(server_bytes() <= before + 4096);
}

static void test_handshakes_of_one_address_are_limited(void **state)
{
    (void)state;
    pair->server_desc.limits.handshakes_per_address = 3;
    pair->server_desc.limits.retry_above = 1000;
    open_server();
    for (uint32_t i = 0; i < 10; i++) {
        begin_half_open(0);
        net_pair_run(pair, 1);
    }
    assert_int_equal(cn_net_endpoint_stats(pair->server).handshakes, 3);
    assert_int_equal(cn_net_endpoint_stats(pair->server).refused, 7);
}

static void test_handshakes_per_second_are_limited(void **state)
{
    (void)state;
    pair->server_desc.limits.handshakes_per_second = 10;
    pair->server_desc.limits.retry_above = 1000;
    open_server();
    for (uint32_t i = 0; i < 40; i++)
        begin_half_open(i);
    net_pair_run(pair, 10);
    assert_in_range(cn_net_endpoint_stats(pair->server).handshakes, 9, 11);
}

static void test_an_unproven_address_gets_at_most_three_times_what_it_sent(void **state)
{
    (void)state;
    pair->server_desc.limits.retry_above = 1000;
    pair->server_desc.limits.handshake_timeout_ms = 3000;
    open_server();
    begin_half_open(0);
    net_pair_run(pair, 6000);
    CnNetEndpointStats stats = cn_net_endpoint_stats(pair->server);
    assert_true(stats.bytes_sent > 0);
    assert_true(stats.bytes_sent <= 3 * stats.bytes_received);
}

static void test_a_retry_is_smaller_than_the_packet_that_it_answers(void **state)
{
    (void)state;
    pair->server_desc.limits.retry_above = CN_NET_ALWAYS_RETRY;
    open_server();
    begin_half_open(0);
    net_pair_run(pair, 100);
    CnNetEndpointStats stats = cn_net_endpoint_stats(pair->server);
    assert_int_equal(stats.retries, 1);
    assert_true(stats.bytes_sent < stats.bytes_received);
}

static void test_unknown_connections_are_answered_rarely_and_shortly(void **state)
{
    (void)state;
    uint8_t bytes[100] = {0x40, 0x80};
    open_server();
    int descriptor = raw_socket();
    for (uint32_t i = 0; i < 2000; i++) {
        bytes[2] = (uint8_t)i;
        send(descriptor, bytes, sizeof bytes, 0);
        if (i % 100 == 0)
            net_pair_run(pair, 1);
    }
    net_pair_run(pair, 10);
    uint64_t answered = received_bytes(descriptor);
    assert_in_range(answered, 1, 210 * 41);
    close(descriptor);
}

static void test_an_unknown_version_is_answered_with_the_known_one(void **state)
{
    (void)state;
    uint8_t bytes[1200] = {0xc0, 0x1a, 0x2a, 0x3a, 0x4a, 8, 1, 2, 3, 4, 5, 6, 7, 8, 4, 9, 9, 9, 9};
    open_server();
    int descriptor = raw_socket();
    send(descriptor, bytes, sizeof bytes, 0);
    net_pair_run(pair, 10);
    uint64_t answered = received_bytes(descriptor);
    assert_in_range(answered, 1, 100);
    close(descriptor);
}

/* ---- After the handshake: a client that breaks the rules ---- */

static CniNetConnection *hostile(void)
{
    open_server();
    net_pair_connect(pair);
    net_pair_run(pair, 100);
    CniNetConnection *connection = cni_net_find(pair->client, pair->client_side);
    assert_non_null(connection);
    return connection;
}

/* Queues bytes of a channel as they are, without a length. */
static void send_raw(CniNetConnection *connection, const void *bytes, size_t size)
{
    CniNetSender *sender = &connection->channels[0].sender;
    assert_true(size > 0 && size < 64);
    assert_true(
        cni_net_sender_put(sender, &pair->client->blocks, (const uint8_t *)bytes + 1, size - 1));
    sender->last->bytes[sender->last->size - size] = *(const uint8_t *)bytes;
    cni_net_mark_dirty(connection);
}

static void assert_ended_as_violation(void)
{
    net_pair_run(pair, 500);
    const CnNetEvent *event = net_event(&pair->at_server, CN_NET_CLOSED, 0);
    assert_non_null(event);
    assert_int_equal(event->cause, CN_NET_CLOSE_VIOLATION);
    assert_int_equal(net_event(&pair->at_client, CN_NET_CLOSED, 0)->cause, CN_NET_CLOSE_VIOLATION);
}

static void test_a_giant_message_is_refused_by_its_length(void **state)
{
    (void)state;
    static const uint8_t length[] = {0xbf, 0xff, 0xff, 0xff, 0};
    send_raw(hostile(), length, sizeof length);
    uint64_t before = server_bytes();
    assert_ended_as_violation();
    assert_true(server_bytes() <= before + 4096);
}

static void test_a_channel_that_is_reset_ends_the_connection(void **state)
{
    (void)state;
    CniNetConnection *connection = hostile();
    assert_true(cn_net_send(pair->client, pair->client_side, 0, "a", 1));
    net_pair_run(pair, 100);
    assert_int_equal(
        ngtcp2_conn_shutdown_stream_write(connection->quic, connection->channels[0].stream, 1), 0);
    cni_net_mark_dirty(connection);
    assert_ended_as_violation();
}

static void test_a_server_grants_no_bidirectional_streams(void **state)
{
    (void)state;
    int64_t stream;
    CniNetConnection *connection = hostile();
    assert_int_equal(ngtcp2_conn_open_bidi_stream(connection->quic, &stream, NULL),
                     NGTCP2_ERR_STREAM_ID_BLOCKED);
}

static void test_a_server_grants_no_more_streams_than_channels_and_the_pulse(void **state)
{
    (void)state;
    int64_t stream;
    uint32_t count = 0;
    CniNetConnection *connection = hostile();
    while (ngtcp2_conn_open_uni_stream(connection->quic, &stream, NULL) == 0)
        count++;
    assert_true(count <= CN_NET_CHANNELS + 1);
}

static void test_unread_messages_of_a_peer_are_bounded(void **state)
{
    (void)state;
    static uint8_t bytes[30000];
    pair->server_desc.limits.unread_bytes = 64 << 10;
    pair->server_desc.limits.window_bytes = 64 << 10;
    hostile();
    uint64_t before = server_bytes();
    for (uint32_t ms = 0; ms < 3000; ms++) { /* the server fetches no events */
        while (cn_net_send(pair->client, pair->client_side, ms % 4, bytes, sizeof bytes))
            continue;
        pair->now_ns += 1000000;
        assert_true(cn_net_poll(pair->client, 0, NULL));
        assert_true(cn_net_poll(pair->server, 0, NULL));
    }
    assert_true(server_bytes() - before < (1u << 20));
}

static void test_unread_datagrams_of_a_peer_are_bounded(void **state)
{
    (void)state;
    static uint8_t bytes[CN_NET_DATAGRAM_BYTES];
    pair->server_desc.limits.unread_bytes = 64 << 10;
    hostile();
    uint64_t before = server_bytes();
    for (uint32_t ms = 0; ms < 1000; ms++) {
        while (cn_net_send_datagram(pair->client, pair->client_side, bytes, sizeof bytes, 0))
            continue;
        pair->now_ns += 1000000;
        assert_true(cn_net_poll(pair->client, 0, NULL));
        assert_true(cn_net_poll(pair->server, 0, NULL));
    }
    assert_true(cn_net_endpoint_stats(pair->server).datagrams_dropped > 0);
    assert_true(server_bytes() - before < (1u << 20));
}

static void test_a_queue_for_a_peer_that_reads_nothing_is_bounded(void **state)
{
    (void)state;
    static uint8_t bytes[10000];
    pair->server_desc.limits.send_bytes = 100000;
    hostile();
    cn_net_endpoint_destroy(pair->client); /* without a word: */
    pair->client = NULL;
    uint32_t accepted = 0;
    while (cn_net_send(pair->server, pair->server_side, 0, bytes, sizeof bytes))
        accepted++;
    assert_int_equal(accepted, 9);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_garbage_costs_no_memory_and_stops_nobody),
        TEST(test_half_open_handshakes_are_bounded_and_players_keep_playing),
        TEST(test_a_player_can_join_during_half_open_handshakes),
        TEST(test_memory_of_failed_handshakes_is_freed),
        TEST(test_handshakes_of_one_address_are_limited),
        TEST(test_handshakes_per_second_are_limited),
        TEST(test_an_unproven_address_gets_at_most_three_times_what_it_sent),
        TEST(test_a_retry_is_smaller_than_the_packet_that_it_answers),
        TEST(test_unknown_connections_are_answered_rarely_and_shortly),
        TEST(test_an_unknown_version_is_answered_with_the_known_one),
        TEST(test_a_giant_message_is_refused_by_its_length),
        TEST(test_a_channel_that_is_reset_ends_the_connection),
        TEST(test_a_server_grants_no_bidirectional_streams),
        TEST(test_a_server_grants_no_more_streams_than_channels_and_the_pulse),
        TEST(test_unread_messages_of_a_peer_are_bounded),
        TEST(test_unread_datagrams_of_a_peer_are_bounded),
        TEST(test_a_queue_for_a_peer_that_reads_nothing_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Connections between two endpoints: handshake, messages, datagrams, ends. */
#include "cmocka_tests.h"
#include "net_pair.h"

#include <string.h>

static NetPair *pair;

static int set_up(void **state)
{
    (void)state;
    pair = calloc(1, sizeof *pair);
    return pair ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    net_pair_close(pair);
    free(pair);
    return 0;
}

static void open_and_connect(void)
{
    net_pair_open(pair);
    net_pair_connect(pair);
}

static const CnNetEvent *closed_at_client(void)
{
    const CnNetEvent *event = net_event(&pair->at_client, CN_NET_CLOSED, 0);
    assert_non_null(event);
    return event;
}

/* ---- Handshake ---- */

static void test_both_sides_report_the_connection(void **state)
{
    (void)state;
    open_and_connect();
    assert_int_equal(net_count(&pair->at_client, CN_NET_CONNECTED), 1);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CONNECTED), 1);
}

static void test_each_side_knows_the_key_of_the_other(void **state)
{
    (void)state;
    CnNetKeyId key;
    open_and_connect();
    assert_true(cn_net_peer_key(pair->client, pair->client_side, &key));
    assert_true(cn_net_key_id_equal(&key, cn_net_key_id(pair->server_key)));
    assert_true(cn_net_peer_key(pair->server, pair->server_side, &key));
    assert_true(cn_net_key_id_equal(&key, cn_net_key_id(pair->client_key)));
}

static void test_a_connection_can_have_its_own_key(void **state)
{
    (void)state;
    CnNetKeyId key;
    CnNetKey *own = cn_net_key_create(NULL);
    net_pair_open(pair);
    pair->connect_desc.key = own;
    net_pair_connect(pair);
    assert_true(cn_net_peer_key(pair->server, pair->server_side, &key));
    assert_true(cn_net_key_id_equal(&key, cn_net_key_id(own)));
    cn_net_key_destroy(own);
}

static void test_the_expected_key_is_accepted(void **state)
{
    (void)state;
    net_pair_open(pair);
    pair->connect_desc.server_key = cn_net_key_id(pair->server_key);
    net_pair_connect(pair);
}

static void test_another_key_than_the_expected_one_ends_the_handshake(void **state)
{
    (void)state;
    net_pair_open(pair);
    pair->connect_desc.server_key = cn_net_key_id(pair->client_key);
    net_pair_begin(pair);
    net_pair_run(pair, 500);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_WRONG_KEY);
    assert_int_equal(net_count(&pair->at_client, CN_NET_CONNECTED), 0);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CONNECTED), 0);
}

static void test_another_protocol_is_refused_with_that_cause(void **state)
{
    (void)state;
    pair->client_desc.protocol = "test/2";
    net_pair_open(pair);
    net_pair_begin(pair);
    net_pair_run(pair, 500);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_PROTOCOL_NAME);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CONNECTED), 0);
}

static void test_without_a_server_connecting_ends_as_unreachable(void **state)
{
    (void)state;
    pair->client_desc.limits.handshake_timeout_ms = 2000;
    net_pair_open(pair);
    cn_net_endpoint_destroy(pair->server);
    pair->server = NULL;
    net_pair_begin(pair);
    net_pair_run(pair, 3000);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_UNREACHABLE);
}

static void test_with_retry_the_client_proves_its_address_and_connects(void **state)
{
    (void)state;
    pair->server_desc.limits.retry_above = CN_NET_ALWAYS_RETRY;
    open_and_connect();
    assert_int_equal(cn_net_endpoint_stats(pair->server).retries, 1);
    assert_int_equal(cn_net_endpoint_stats(pair->server).accepted, 1);
}

static void test_a_full_server_refuses(void **state)
{
    (void)state;
    pair->server_desc.limits.connections = 1;
    open_and_connect();
    net_pair_begin(pair);
    net_pair_run(pair, 500);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_REFUSED);
    assert_int_equal(cn_net_endpoint_stats(pair->server).connections, 1);
}

static void test_connections_of_one_address_are_limited(void **state)
{
    (void)state;
    pair->server_desc.limits.connections_per_address = 2;
    open_and_connect();
    net_pair_connect(pair);
    net_pair_begin(pair);
    net_pair_run(pair, 500);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_REFUSED);
}

static void test_a_closed_connection_makes_room_for_its_address(void **state)
{
    (void)state;
    pair->server_desc.limits.connections_per_address = 1;
    open_and_connect();
    cn_net_close(pair->client, pair->client_side, 0, NULL);
    net_pair_run(pair, 100);
    net_pair_connect(pair);
}

/* ---- Messages ---- */

static void test_messages_arrive_in_order_on_their_channel(void **state)
{
    (void)state;
    open_and_connect();
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(cn_net_send(pair->client, pair->client_side, i % 4, &i, sizeof i));
    net_pair_run(pair, 500);
    uint32_t next[4] = {0, 1, 2, 3};
    assert_int_equal(net_count(&pair->at_server, CN_NET_MESSAGE), 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        const CnNetEvent *event = net_event(&pair->at_server, CN_NET_MESSAGE, i);
        assert_int_equal(event->size, sizeof i);
        assert_memory_equal(event->bytes, &next[event->channel], sizeof i);
        next[event->channel] += 4;
    }
}

static void test_messages_of_all_sizes_arrive_unchanged(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1199, 2032, 2033, 16383, 16384, 65536};
    static uint8_t bytes[65536];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    open_and_connect();
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++)
        assert_true(cn_net_send(pair->server, pair->server_side, 2, bytes, sizes[i]));
    net_pair_run(pair, 2000);
    assert_int_equal(net_count(&pair->at_client, CN_NET_MESSAGE), CN_COUNT_OF(sizes));
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        const CnNetEvent *event = net_event(&pair->at_client, CN_NET_MESSAGE, i);
        assert_int_equal(event->size, sizes[i]);
        assert_memory_equal(event->bytes, bytes, sizes[i]);
    }
}

static void test_bulk_data_does_not_delay_another_channel(void **state)
{
    (void)state;
    static uint8_t bulk[32 << 10];
    pair->server_desc.conditions.bandwidth_bytes = 100000;
    open_and_connect();
    for (uint32_t i = 0; i < 32; i++)
        assert_true(cn_net_send(pair->server, pair->server_side, 3, bulk, sizeof bulk));
    net_pair_run(pair, 1000);
    assert_true(cn_net_send(pair->server, pair->server_side, 0, "chat", 4));
    net_pair_run(pair, 1500);
    bool has_chat = false;
    for (uint32_t i = 0; i < pair->at_client.count; i++)
        has_chat = has_chat || (pair->at_client.events[i].kind == CN_NET_MESSAGE &&
                                pair->at_client.events[i].channel == 0);
    assert_true(has_chat);
    assert_true(net_count(&pair->at_client, CN_NET_MESSAGE) < 32);
}

static void test_a_full_queue_refuses_messages_until_they_are_acknowledged(void **state)
{
    (void)state;
    static uint8_t bytes[1000];
    pair->client_desc.limits.send_bytes = 3000;
    open_and_connect();
    assert_true(cn_net_send(pair->client, pair->client_side, 0, bytes, sizeof bytes));
    assert_true(cn_net_send(pair->client, pair->client_side, 1, bytes, sizeof bytes));
    assert_false(cn_net_send(pair->client, pair->client_side, 2, bytes, sizeof bytes));
    net_pair_run(pair, 200);
    assert_true(cn_net_send(pair->client, pair->client_side, 2, bytes, sizeof bytes));
}

static void test_the_send_capacity_is_what_a_message_may_have(void **state)
{
    (void)state;
    static uint8_t bytes[8192];
    pair->client_desc.limits.send_bytes = 8000;
    open_and_connect();
    size_t capacity = cn_net_send_capacity(pair->client, pair->client_side);
    assert_int_equal(capacity, 7996);
    assert_true(cn_net_send(pair->client, pair->client_side, 0, bytes, capacity));
    assert_int_equal(cn_net_send_capacity(pair->client, pair->client_side), 0);
}

static void test_a_message_longer_than_the_limit_ends_the_connection(void **state)
{
    (void)state;
    static uint8_t bytes[5000];
    pair->server_desc.limits.message_bytes = 4096;
    open_and_connect();
    assert_true(cn_net_send(pair->client, pair->client_side, 0, bytes, sizeof bytes));
    net_pair_run(pair, 200);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_VIOLATION);
    assert_string_equal(closed_at_client()->text, "a message is too long");
    assert_int_equal(net_count(&pair->at_server, CN_NET_MESSAGE), 0);
}

/* ---- Datagrams ---- */

static void test_datagrams_arrive_and_are_reported_as_acknowledged(void **state)
{
    (void)state;
    static uint8_t bytes[CN_NET_DATAGRAM_BYTES] = {1, 2, 3};
    open_and_connect();
    assert_true(cn_net_send_datagram(pair->server, pair->server_side, bytes, sizeof bytes, 41));
    net_pair_run(pair, 200);
    const CnNetEvent *event = net_event(&pair->at_client, CN_NET_DATAGRAM, 0);
    assert_non_null(event);
    assert_int_equal(event->size, sizeof bytes);
    assert_memory_equal(event->bytes, bytes, sizeof bytes);
    assert_int_equal(net_event(&pair->at_server, CN_NET_DATAGRAM_ACKED, 0)->id, 41);
}

static void test_a_datagram_without_an_id_is_not_reported(void **state)
{
    (void)state;
    open_and_connect();
    assert_true(cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 0));
    net_pair_run(pair, 200);
    assert_int_equal(net_count(&pair->at_client, CN_NET_DATAGRAM), 1);
    assert_int_equal(net_count(&pair->at_server, CN_NET_DATAGRAM_ACKED), 0);
}

static void test_small_datagrams_share_a_packet(void **state)
{
    (void)state;
    open_and_connect();
    net_pair_run(pair, 1000);
    CnNetConnectionStats before, after;
    assert_true(cn_net_connection_stats(pair->server, pair->server_side, &before));
    for (uint32_t i = 0; i < 10; i++)
        assert_true(cn_net_send_datagram(pair->server, pair->server_side, "abcdef", 6, 0));
    net_pair_run(pair, 1);
    assert_true(cn_net_connection_stats(pair->server, pair->server_side, &after));
    assert_int_equal(after.packets_sent - before.packets_sent, 1);
}

static void test_queued_datagrams_are_limited(void **state)
{
    (void)state;
    pair->server_desc.limits.datagrams = 3;
    open_and_connect();
    for (uint32_t i = 0; i < 3; i++)
        assert_true(cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 0));
    assert_false(cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 0));
}

/* ---- Ends ---- */

static void test_the_peer_learns_the_reason_of_a_close(void **state)
{
    (void)state;
    open_and_connect();
    cn_net_close(pair->server, pair->server_side, 77, "kicked:\n\x1b[31mred");
    net_pair_run(pair, 100);
    const CnNetEvent *event = closed_at_client();
    assert_int_equal(event->cause, CN_NET_CLOSE_PEER);
    assert_int_equal(event->reason, 77);
    assert_string_equal(event->text, "kicked:\\n\\x1b[31mred");
}

static void test_the_closing_side_gets_one_last_event(void **state)
{
    (void)state;
    open_and_connect();
    cn_net_close(pair->server, pair->server_side, 77, "kicked");
    cn_net_close(pair->server, pair->server_side, 78, "again");
    net_pair_run(pair, 100);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CLOSED), 1);
    const CnNetEvent *event = net_event(&pair->at_server, CN_NET_CLOSED, 0);
    assert_int_equal(event->cause, CN_NET_CLOSE_LOCAL);
    assert_int_equal(event->reason, 77);
}

static void test_no_event_but_the_last_follows_a_close(void **state)
{
    (void)state;
    open_and_connect();
    assert_true(cn_net_send(pair->client, pair->client_side, 0, "a", 1));
    pair->now_ns += 1000000;
    assert_true(cn_net_poll(pair->client, 0, NULL));
    assert_true(cn_net_poll(pair->server, 0, NULL)); /* has the message */
    cn_net_close(pair->server, pair->server_side, 0, NULL);
    net_pair_run(pair, 10);
    assert_int_equal(net_count(&pair->at_server, CN_NET_MESSAGE), 0);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CLOSED), 1);
}

static void test_a_closed_connection_cannot_be_used(void **state)
{
    (void)state;
    CnNetConnectionStats stats;
    open_and_connect();
    cn_net_close(pair->server, pair->server_side, 0, NULL);
    assert_false(cn_net_send(pair->server, pair->server_side, 0, "a", 1));
    assert_false(cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 0));
    net_pair_run(pair, 5000);
    assert_false(cn_net_connection_stats(pair->server, pair->server_side, &stats));
}

static void test_destroying_an_endpoint_tells_its_peers(void **state)
{
    (void)state;
    open_and_connect();
    cn_net_endpoint_destroy(pair->server);
    pair->server = NULL;
    net_pair_run(pair, 100);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_SHUTDOWN);
}

static void test_a_peer_that_vanishes_is_noticed_after_the_idle_timeout(void **state)
{
    (void)state;
    pair->client_desc.limits.idle_timeout_ms = 5000;
    open_and_connect();
    cn_net_set_conditions(pair->client, &(CnNetConditions){.loss = 1});
    net_pair_run(pair, 4000);
    assert_int_equal(net_count(&pair->at_client, CN_NET_CLOSED), 0);
    net_pair_run(pair, 3000);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_TIMEOUT);
}

static void test_an_idle_connection_stays_open(void **state)
{
    (void)state;
    pair->client_desc.limits.idle_timeout_ms = 5000;
    pair->server_desc.limits.idle_timeout_ms = 5000;
    pair->step_us = 10000;
    open_and_connect();
    net_pair_run(pair, 60000);
    assert_int_equal(net_count(&pair->at_client, CN_NET_CLOSED), 0);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CLOSED), 0);
}

static void test_a_restarted_server_resets_its_old_connections(void **state)
{
    (void)state;
    open_and_connect();
    net_pair_run(pair, 1000);
    cn_net_set_conditions(pair->client, &(CnNetConditions){.loss = 1});
    cn_net_endpoint_destroy(pair->server);
    pair->server_desc.bind = pair->connect_desc.address;
    pair->server = cn_net_endpoint_create(&pair->server_desc, NULL);
    assert_non_null(pair->server);
    net_pair_run(pair, 10); /* the client does not learn that it was shut down */
    cn_net_set_conditions(pair->client, NULL);
    assert_true(cn_net_send(pair->client, pair->client_side, 0, "are you there?", 14));
    net_pair_run(pair, 3000);
    assert_int_equal(closed_at_client()->cause, CN_NET_CLOSE_RESET);
}

static void test_a_peer_that_does_not_read_stalls_and_is_closed(void **state)
{
    (void)state;
    static uint8_t bytes[60000];
    pair->server_desc.limits.stall_timeout_ms = 2000;
    pair->server_desc.limits.idle_timeout_ms = 3000;
    pair->client_desc.limits.idle_timeout_ms = 3000;
    open_and_connect();
    while (cn_net_send(pair->server, pair->server_side, 0, bytes, sizeof bytes))
        continue;
    for (uint32_t ms = 0; ms < 20000; ms += 10) { /* the client fetches no events */
        pair->now_ns += 10000000;
        assert_true(cn_net_poll(pair->client, 0, NULL));
        assert_true(cn_net_poll(pair->server, 0, NULL));
        net_fetch(pair->server, &pair->at_server);
    }
    assert_int_equal(net_event(&pair->at_server, CN_NET_CLOSED, 0)->cause, CN_NET_CLOSE_STALLED);
}

static void test_the_user_pointer_is_part_of_every_event(void **state)
{
    (void)state;
    int mine;
    net_pair_open(pair);
    pair->connect_desc.user = &mine;
    net_pair_connect(pair);
    cn_net_close(pair->server, pair->server_side, 0, NULL);
    net_pair_run(pair, 100);
    assert_ptr_equal(net_event(&pair->at_client, CN_NET_CONNECTED, 0)->user, &mine);
    assert_ptr_equal(closed_at_client()->user, &mine);
}

static void test_the_round_trip_time_is_measured(void **state)
{
    (void)state;
    CnNetConnectionStats stats;
    pair->client_desc.conditions.latency_ms = 80;
    open_and_connect();
    for (uint32_t i = 0; i < 50; i++) {
        assert_true(cn_net_send(pair->client, pair->client_side, 0, "a", 1));
        net_pair_run(pair, 100);
    }
    assert_true(cn_net_connection_stats(pair->client, pair->client_side, &stats));
    assert_in_range(stats.rtt_us, 80000, 120000); /* with the delay of acknowledgements */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_both_sides_report_the_connection),
        TEST(test_each_side_knows_the_key_of_the_other),
        TEST(test_a_connection_can_have_its_own_key),
        TEST(test_the_expected_key_is_accepted),
        TEST(test_another_key_than_the_expected_one_ends_the_handshake),
        TEST(test_another_protocol_is_refused_with_that_cause),
        TEST(test_without_a_server_connecting_ends_as_unreachable),
        TEST(test_with_retry_the_client_proves_its_address_and_connects),
        TEST(test_a_full_server_refuses),
        TEST(test_connections_of_one_address_are_limited),
        TEST(test_a_closed_connection_makes_room_for_its_address),
        TEST(test_messages_arrive_in_order_on_their_channel),
        TEST(test_messages_of_all_sizes_arrive_unchanged),
        TEST(test_bulk_data_does_not_delay_another_channel),
        TEST(test_a_full_queue_refuses_messages_until_they_are_acknowledged),
        TEST(test_the_send_capacity_is_what_a_message_may_have),
        TEST(test_a_message_longer_than_the_limit_ends_the_connection),
        TEST(test_datagrams_arrive_and_are_reported_as_acknowledged),
        TEST(test_a_datagram_without_an_id_is_not_reported),
        TEST(test_small_datagrams_share_a_packet),
        TEST(test_queued_datagrams_are_limited),
        TEST(test_the_peer_learns_the_reason_of_a_close),
        TEST(test_the_closing_side_gets_one_last_event),
        TEST(test_no_event_but_the_last_follows_a_close),
        TEST(test_a_closed_connection_cannot_be_used),
        TEST(test_destroying_an_endpoint_tells_its_peers),
        TEST(test_a_peer_that_vanishes_is_noticed_after_the_idle_timeout),
        TEST(test_an_idle_connection_stays_open),
        TEST(test_a_restarted_server_resets_its_old_connections),
        TEST(test_a_peer_that_does_not_read_stalls_and_is_closed),
        TEST(test_the_user_pointer_is_part_of_every_event),
        TEST(test_the_round_trip_time_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

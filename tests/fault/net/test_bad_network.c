/* Connections over simulated bad networks: nothing is lost, nothing arrives twice, and traffic
 * continues after an outage. */
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

static void open_with(const char *conditions)
{
    assert_true(cn_net_conditions_parse(cn_text(conditions), &pair->client_desc.conditions, NULL));
    net_pair_open(pair);
    net_pair_connect(pair);
}

/* Numbered messages on all channels, both ways, while datagrams flow. */
static void exchange(uint32_t count, uint32_t interval_ms)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(cn_net_send(pair->client, pair->client_side, i % 4, &i, sizeof i));
        assert_true(cn_net_send(pair->server, pair->server_side, i % 4, &i, sizeof i));
        cn_net_send_datagram(pair->server, pair->server_side, &i, sizeof i, i + 1);
        net_pair_run(pair, interval_ms);
    }
}

static void assert_complete(const NetEvents *events, uint32_t count)
{
    uint32_t next[4] = {0, 1, 2, 3};
    assert_int_equal(net_count(events, CN_NET_CLOSED), 0);
    assert_int_equal(net_count(events, CN_NET_MESSAGE), count);
    for (uint32_t i = 0; i < events->count; i++) {
        const CnNetEvent *event = &events->events[i];
        if (event->kind != CN_NET_MESSAGE)
            continue;
        assert_memory_equal(event->bytes, &next[event->channel], sizeof next[0]);
        next[event->channel] += 4;
    }
}

static void test_nothing_is_lost_with_jitter_loss_duplicates_and_reordering(void **state)
{
    (void)state;
    open_with("latency=200,jitter=100,loss=5%,duplicate=2%,reorder=4%,seed=1");
    exchange(400, 20);
    net_pair_run(pair, 10000);
    assert_complete(&pair->at_server, 400);
    assert_complete(&pair->at_client, 400);
}

static void test_nothing_is_lost_when_every_fifth_packet_is(void **state)
{
    (void)state;
    open_with("latency=200,loss=20%,seed=2");
    exchange(200, 20);
    net_pair_run(pair, 30000);
    assert_complete(&pair->at_server, 200);
    assert_complete(&pair->at_client, 200);
}

static void test_duplicated_datagrams_arrive_once(void **state)
{
    (void)state;
    open_with("latency=20,duplicate=50%,seed=3");
    exchange(200, 20);
    net_pair_run(pair, 1000);
    assert_int_equal(net_count(&pair->at_client, CN_NET_DATAGRAM), 200);
}

static void test_every_datagram_is_reported_as_acknowledged_or_lost(void **state)
{
    (void)state;
    bool known[201] = {false};
    open_with("latency=100,loss=10%,seed=4");
    exchange(200, 20);
    net_pair_run(pair, 10000);
    for (uint32_t i = 0; i < pair->at_server.count; i++) {
        const CnNetEvent *event = &pair->at_server.events[i];
        if (event->kind == CN_NET_DATAGRAM_ACKED || event->kind == CN_NET_DATAGRAM_LOST)
            known[event->id] = true;
    }
    for (uint32_t id = 1; id <= 200; id++)
        assert_true(known[id]);
    assert_true(net_count(&pair->at_server, CN_NET_DATAGRAM_LOST) > 0);
}

/* Sends a datagram every 50 ms and returns how many milliseconds after `end_ms` the next one
 * arrives. */
static uint32_t time_to_resume(uint32_t end_ms)
{
    uint64_t begin_ns = pair->now_ns;
    for (;;) {
        cn_net_send_datagram(pair->server, pair->server_side, "snapshot", 8, 0);
        net_pair_run(pair, 50);
        uint32_t elapsed_ms = (uint32_t)((pair->now_ns - begin_ns) / 1000000);
        if (elapsed_ms <= end_ms + 250)
            net_events_clear(&pair->at_client); /* also those that were under way */
        else if (net_count(&pair->at_client, CN_NET_DATAGRAM))
            return elapsed_ms - end_ms;
        assert_true(elapsed_ms < end_ms + 20000);
    }
}

static void assert_resumes(const char *conditions, uint32_t end_ms)
{
    CnNetConditions outage;
    open_with("latency=100,seed=5");
    net_pair_run(pair, 2000);
    assert_true(cn_net_conditions_parse(cn_text(conditions), &outage, NULL));
    cn_net_set_conditions(pair->client, &outage);
    assert_in_range(time_to_resume(end_ms), 0, 5000);
    assert_int_equal(net_count(&pair->at_server, CN_NET_CLOSED), 0);
}

static void test_datagrams_resume_soon_after_an_outage_of_ten_seconds(void **state)
{
    (void)state;
    assert_resumes("latency=100,outage=0-10s,seed=6", 10000);
}

static void test_datagrams_resume_soon_after_an_outage_of_a_minute(void **state)
{
    (void)state;
    pair->server_desc.limits.idle_timeout_ms = 90000;
    pair->client_desc.limits.idle_timeout_ms = 90000;
    assert_resumes("latency=100,outage=0-60s,seed=7", 60000);
}

static void test_messages_of_an_outage_arrive_after_it(void **state)
{
    (void)state;
    open_with("latency=100,seed=8");
    cn_net_set_conditions(pair->client,
                          &(CnNetConditions){.latency_ms = 100, .outage_to_ms = 10000});
    exchange(100, 100);
    net_pair_run(pair, 10000);
    assert_complete(&pair->at_server, 100);
    assert_complete(&pair->at_client, 100);
}

static void test_bulk_data_uses_most_of_a_line(void **state)
{
    (void)state;
    static uint8_t bytes[32 << 10];
    uint64_t begin_ns;
    open_with("latency=50,bandwidth=8Mbit,seed=9");
    begin_ns = pair->now_ns;
    while (pair->now_ns - begin_ns < 5000000000u) {
        while (cn_net_send(pair->server, pair->server_side, 3, bytes, sizeof bytes))
            continue;
        net_pair_run(pair, 1);
    }
    /* In simulated time, 5 MB could have passed. */
    assert_true(net_count(&pair->at_client, CN_NET_MESSAGE) * sizeof bytes > 3500000);
}

static void test_the_same_seed_loses_the_same_packets(void **state)
{
    (void)state;
    uint64_t arrived[2];
    for (uint32_t run = 0; run < 2; run++) {
        pair->now_ns = 0;
        pair->client_desc = pair->server_desc = (CnNetEndpointDesc){0};
        pair->connect_desc = (CnNetConnectDesc){0};
        net_pair_open(pair);
        net_pair_connect(pair);
        cn_net_set_conditions(pair->client, &(CnNetConditions){.loss = 0.5f, .seed = 10});
        for (uint32_t i = 0; i < 60; i++) {
            assert_true(cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 0));
            pair->now_ns += 20000000;
            assert_true(cn_net_poll(pair->server, 0, NULL));
            assert_true(cn_net_poll(pair->client, 0, NULL));
            net_fetch(pair->client, &pair->at_client);
        }
        arrived[run] = net_count(&pair->at_client, CN_NET_DATAGRAM);
        if (run == 0)
            net_pair_close(pair);
    }
    assert_true(arrived[0] > 0);
    assert_int_equal(arrived[0], arrived[1]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_lost_with_jitter_loss_duplicates_and_reordering),
        TEST(test_nothing_is_lost_when_every_fifth_packet_is),
        TEST(test_duplicated_datagrams_arrive_once),
        TEST(test_every_datagram_is_reported_as_acknowledged_or_lost),
        TEST(test_datagrams_resume_soon_after_an_outage_of_ten_seconds),
        TEST(test_datagrams_resume_soon_after_an_outage_of_a_minute),
        TEST(test_messages_of_an_outage_arrive_after_it),
        TEST(test_bulk_data_uses_most_of_a_line),
        TEST(test_the_same_seed_loses_the_same_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

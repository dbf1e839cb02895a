/* Endpoints whose n-th allocation fails: nothing crashes, and nothing leaks. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "net_pair.h"

#include <cairn/base/log.h>

#include <string.h>

static NetPair *pair;

static bool open_pair(CnAllocator *allocator)
{
    CnNetEndpointDesc desc = {.allocator = allocator,
                              .key = pair->server_key,
                              .protocol = "test/1",
                              .bind = net_loopback(0),
                              .is_server = true,
                              .clock = net_pair_clock,
                              .clock_user = pair};
    CnError error = {0};
    pair->server = cn_net_endpoint_create(&desc, &error);
    desc.is_server = false;
    desc.key = pair->client_key;
    desc.conditions.latency_ms = 4;
    pair->client = pair->server ? cn_net_endpoint_create(&desc, &error) : NULL;
    return pair->client != NULL;
}

static bool begin_to_connect(void)
{
    CnError error = {0};
    const CnNetConnectDesc desc = {.address = cn_net_endpoint_address(pair->server)};
    return cn_net_connect(pair->client, &desc, &pair->client_side, &error);
}

static bool exchange(void)
{
    static uint8_t bytes[20000];
    net_pair_run(pair, 300);
    const CnNetEvent *event = net_event(&pair->at_server, CN_NET_CONNECTED, 0);
    if (!event)
        return false;
    pair->server_side = event->connection;
    cn_net_send_datagram(pair->server, pair->server_side, "a", 1, 1);
    cn_net_send(pair->client, pair->client_side, 1, bytes, sizeof bytes);
    net_pair_run(pair, 300);
    cn_net_close(pair->client, pair->client_side, 1, "bye");
    net_pair_run(pair, 100);
    return net_count(&pair->at_client, CN_NET_CLOSED) &&
           net_count(&pair->at_server, CN_NET_CLOSED) &&
           net_count(&pair->at_server, CN_NET_MESSAGE) &&
           net_count(&pair->at_client, CN_NET_DATAGRAM) &&
           net_count(&pair->at_server, CN_NET_DATAGRAM_ACKED);
}

static bool scenario(CnAllocator *allocator, void *user)
{
    (void)user;
    bool done = open_pair(allocator) && begin_to_connect() && exchange();
    cn_net_endpoint_destroy(pair->client);
    cn_net_endpoint_destroy(pair->server);
    pair->client = pair->server = NULL;
    net_events_clear(&pair->at_client);
    net_events_clear(&pair->at_server);
    return done;
}

static void test_every_failing_allocation_ends_in_order(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->now_ns = 1000000000;
    pair->server_key = cn_net_key_create(NULL);
    pair->client_key = cn_net_key_create(NULL);
    assert_true(run_with_failing_allocations(scenario, NULL) > 50);
    net_pair_close(pair);
    free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_failing_allocation_ends_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Queries of a server's status. */
#include "cmocka_tests.h"
#include "net_pair.h"

#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static NetPair *pair;

static int set_up(void **state)
{
    (void)state;
    pair = calloc(1, sizeof *pair);
    if (!pair)
        return -1;
    net_pair_open(pair);
    pair->client = cn_net_endpoint_create(&pair->client_desc, NULL);
    return pair->client ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    net_pair_close(pair);
    free(pair);
    return 0;
}

static void test_the_answer_has_the_status_and_the_time_it_took(void **state)
{
    (void)state;
    cn_net_set_status(pair->server, "12 players", 10);
    cn_net_set_conditions(pair->client, &(CnNetConditions){.latency_ms = 40});
    assert_true(cn_net_query(pair->client, &pair->connect_desc.address, 9));
    net_pair_run(pair, 100);
    const CnNetEvent *event = net_event(&pair->at_client, CN_NET_STATUS, 0);
    assert_non_null(event);
    assert_int_equal(event->id, 9);
    assert_int_equal(event->size, 10);
    assert_memory_equal(event->bytes, "12 players", 10);
    assert_true(cn_net_address_equal(&event->address, &pair->connect_desc.address));
    assert_in_range(event->rtt_us, 40000, 44000);
}

static void test_without_a_status_there_is_no_answer(void **state)
{
    (void)state;
    assert_true(cn_net_query(pair->client, &pair->connect_desc.address, 9));
    net_pair_run(pair, 100);
    assert_int_equal(net_count(&pair->at_client, CN_NET_STATUS), 0);
    assert_int_equal(cn_net_endpoint_stats(pair->server).queries_dropped, 1);
}

static void test_an_answer_is_smaller_than_its_query(void **state)
{
    (void)state;
    static uint8_t status[CN_NET_STATUS_BYTES];
    cn_net_set_status(pair->server, status, sizeof status);
    assert_true(cn_net_query(pair->client, &pair->connect_desc.address, 9));
    net_pair_run(pair, 100);
    assert_int_equal(net_count(&pair->at_client, CN_NET_STATUS), 1);
    CnNetEndpointStats stats = cn_net_endpoint_stats(pair->server);
    assert_true(stats.bytes_sent < stats.bytes_received);
}

static void test_queries_are_rate_limited(void **state)
{
    (void)state;
    cn_net_set_status(pair->server, "a", 1);
    for (uint32_t i = 0; i < 1000; i++) {
        cn_net_query(pair->client, &pair->connect_desc.address, i);
        if (i % 50 == 0)
            net_pair_run(pair, 1);
    }
    net_pair_run(pair, 10);
    assert_in_range(cn_net_endpoint_stats(pair->server).queries_answered, 200, 210);
}

/* Sends bytes to the client from a socket of its own. */
static void send_to_client(const void *bytes, size_t size)
{
    CnNetAddress address = cn_net_endpoint_address(pair->client);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(address.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(sendto(descriptor, bytes, size, 0, (struct sockaddr *)&to, sizeof to), size);
    close(descriptor);
}

static void test_an_answer_that_nobody_asked_for_is_dropped(void **state)
{
    (void)state;
    cn_net_query(pair->client, &pair->connect_desc.address, 9);
    send_to_client("-cna\1\2\3\4\5\6\7\10forged", 18);
    net_pair_run(pair, 100);
    assert_int_equal(net_count(&pair->at_client, CN_NET_STATUS), 0);
    assert_int_equal(cn_net_endpoint_stats(pair->client).packets_dropped, 1);
}

static void test_servers_are_found_by_broadcast(void **state)
{
    (void)state;
    CnNetAddress everyone = pair->connect_desc.address;
    everyone.ip[13] = everyone.ip[14] = everyone.ip[15] = 0xff; /* 127.255.255.255 */
    CnNetEndpointDesc desc = pair->server_desc;
    desc.bind = (CnNetAddress){0};
    CnNetEndpoint *server = cn_net_endpoint_create(&desc, NULL);
    assert_non_null(server);
    everyone.port = cn_net_endpoint_address(server).port;
    cn_net_set_status(server, "here", 4);
    assert_true(cn_net_query(pair->client, &everyone, 5));
    for (uint32_t i = 0; i < 20; i++) {
        net_pair_run(pair, 1);
        assert_true(cn_net_poll(server, 0, NULL));
    }
    cn_net_endpoint_destroy(server);
    const CnNetEvent *event = net_event(&pair->at_client, CN_NET_STATUS, 0);
    assert_non_null(event);
    assert_int_equal(event->address.ip[12], 127);
}

static void test_too_many_queries_at_once_are_refused(void **state)
{
    (void)state;
    uint32_t accepted = 0;
    while (accepted < 10000 && cn_net_query(pair->client, &pair->connect_desc.address, accepted))
        accepted++;
    assert_int_equal(accepted, 256);
    net_pair_run(pair, 6000);
    assert_true(cn_net_query(pair->client, &pair->connect_desc.address, 1));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_the_answer_has_the_status_and_the_time_it_took),
        TEST(test_without_a_status_there_is_no_answer),
        TEST(test_an_answer_is_smaller_than_its_query),
        TEST(test_queries_are_rate_limited),
        TEST(test_an_answer_that_nobody_asked_for_is_dropped),
        TEST(test_servers_are_found_by_broadcast),
        TEST(test_too_many_queries_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

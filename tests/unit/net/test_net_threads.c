/* test-labels: threads */
/* Endpoints in different threads share nothing. */
#include "cmocka_tests.h"

#include <cairn/base/clock.h>
#include <cairn/net.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { CLIENTS = 3, MESSAGES = 200, TIMEOUT_S = 60 };

typedef struct Client {
    CnNetKey *key;
    CnNetAddress server;
    uint32_t echoed;
    uint64_t deadline_ns;
} Client;

static atomic_bool done;

static CnNetEndpoint *open_endpoint(const CnNetKey *key, bool is_server)
{
    CnNetEndpointDesc desc = {.key = key, .protocol = "test/1", .is_server = is_server};
    if (!cn_net_address_parse(cn_text("127.0.0.1"), &desc.bind, NULL))
        return NULL;
    return cn_net_endpoint_create(&desc, NULL);
}

static void *run_server(void *user)
{
    CnNetEndpoint *server = user;
    CnNetEvent event;
    while (!atomic_load(&done) && cn_net_poll(server, 2000, NULL))
        while (cn_net_next_event(server, &event))
            if (event.kind == CN_NET_MESSAGE)
                cn_net_send(server, event.connection, event.channel, event.bytes, event.size);
    return NULL;
}

static void *run_client(void *user)
{
    Client *client = user;
    CnNetEvent event;
    CnNetConnection connection;
    CnNetEndpoint *endpoint = open_endpoint(client->key, false);
    const CnNetConnectDesc desc = {.address = client->server};
    bool is_open = endpoint && cn_net_connect(endpoint, &desc, &connection, NULL);
    for (uint32_t sent = 0; is_open && client->echoed < MESSAGES;) {
        is_open = cn_clock_ns() < client->deadline_ns && cn_net_poll(endpoint, 2000, NULL);
        while (cn_net_next_event(endpoint, &event))
            client->echoed += event.kind == CN_NET_MESSAGE;
        if (sent < MESSAGES)
            sent += cn_net_send(endpoint, connection, sent % CN_NET_CHANNELS, &sent, sizeof sent);
    }
    cn_net_endpoint_destroy(endpoint);
    return NULL;
}

static void test_a_server_and_clients_run_in_threads_of_their_own(void **state)
{
    (void)state;
    pthread_t server_thread, threads[CLIENTS];
    Client clients[CLIENTS] = {0};
    CnNetKey *key = cn_net_key_create(NULL);
    CnNetEndpoint *server = open_endpoint(key, true);
    assert_non_null(server);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        clients[i].key = key;
        clients[i].server = cn_net_endpoint_address(server);
        clients[i].deadline_ns = cn_clock_ns() + TIMEOUT_S * 1000000000ull;
    }
    assert_int_equal(pthread_create(&server_thread, NULL, run_server, server), 0);
    for (uint32_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_client, &clients[i]), 0);
    for (uint32_t i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&done, true);
    pthread_join(server_thread, NULL);
    for (uint32_t i = 0; i < CLIENTS; i++)
        assert_int_equal(clients[i].echoed, MESSAGES);
    cn_net_endpoint_destroy(server);
    cn_net_key_destroy(key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_server_and_clients_run_in_threads_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

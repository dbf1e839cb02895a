#include "net_pair.h"

#include "cmocka_tests.h"

#include <string.h>

uint64_t net_pair_clock(void *user)
{
    const NetPair *pair = user;
    return pair->now_ns;
}

CnNetAddress net_loopback(uint16_t port)
{
    CnNetAddress address;
    assert_true(cn_net_address_parse(cn_text("127.0.0.1"), &address, NULL));
    address.port = port;
    return address;
}

/* ---- Events ---- */

static const void *copy_bytes(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    copy[size] = 0;
    return copy;
}

void net_fetch(CnNetEndpoint *endpoint, NetEvents *events)
{
    CnNetEvent event;
    while (cn_net_next_event(endpoint, &event)) {
        events->kinds[event.kind]++;
        if (events->count == NET_KEPT_EVENTS)
            continue;
        event.bytes = copy_bytes(event.bytes, event.size);
        event.text = copy_bytes(event.text, strlen(event.text));
        events->events[events->count++] = event;
    }
}

uint64_t net_count(const NetEvents *events, CnNetEventKind kind)
{
    return events->kinds[kind];
}

const CnNetEvent *net_event(const NetEvents *events, CnNetEventKind kind, uint32_t n)
{
    for (uint32_t i = 0; i < events->count; i++)
        if (events->events[i].kind == kind && n-- == 0)
            return &events->events[i];
    return NULL;
}

void net_events_clear(NetEvents *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        free((void *)events->events[i].bytes);
        free((void *)events->events[i].text);
    }
    memset(events, 0, sizeof *events);
}

/* ---- The pair ---- */

static void complete(NetPair *pair, CnNetEndpointDesc *desc, const CnNetKey *key)
{
    desc->allocator = pair->allocator;
    desc->key = key;
    if (!desc->protocol)
        desc->protocol = "test/1";
    if (desc->bind.port == 0)
        desc->bind = net_loopback(0);
    desc->clock = net_pair_clock;
    desc->clock_user = pair;
}

void net_pair_open(NetPair *pair)
{
    pair->now_ns = pair->now_ns ? pair->now_ns : 1000000000u;
    pair->server_key = cn_net_key_create(NULL);
    pair->client_key = cn_net_key_create(NULL);
    assert_non_null(pair->server_key);
    assert_non_null(pair->client_key);
    complete(pair, &pair->server_desc, pair->server_key);
    complete(pair, &pair->client_desc, pair->client_key);
    pair->server_desc.is_server = true;
    pair->server = cn_net_endpoint_create(&pair->server_desc, NULL);
    assert_non_null(pair->server);
    pair->connect_desc.address = cn_net_endpoint_address(pair->server);
}

void net_pair_begin(NetPair *pair)
{
    if (!pair->client)
        pair->client = cn_net_endpoint_create(&pair->client_desc, NULL);
    assert_non_null(pair->client);
    assert_true(cn_net_connect(pair->client, &pair->connect_desc, &pair->client_side, NULL));
}

void net_pair_run(NetPair *pair, uint32_t milliseconds)
{
    uint64_t step_ns = (pair->step_us ? pair->step_us : 1000u) * 1000u;
    uint64_t end_ns = pair->now_ns + milliseconds * 1000000ull;
    while (pair->now_ns < end_ns) {
        pair->now_ns += step_ns;
        if (pair->client) {
            assert_true(cn_net_poll(pair->client, 0, NULL));
            net_fetch(pair->client, &pair->at_client);
        }
        if (pair->server) {
            assert_true(cn_net_poll(pair->server, 0, NULL));
            net_fetch(pair->server, &pair->at_server);
        }
    }
}

void net_pair_connect(NetPair *pair)
{
    uint64_t before = net_count(&pair->at_server, CN_NET_CONNECTED);
    uint64_t before_client = net_count(&pair->at_client, CN_NET_CONNECTED);
    net_pair_begin(pair);
    for (uint32_t ms = 0; ms < 20000; ms++) {
        net_pair_run(pair, 1);
        if (net_count(&pair->at_server, CN_NET_CONNECTED) > before &&
            net_count(&pair->at_client, CN_NET_CONNECTED) > before_client) {
            pair->server_side =
                net_event(&pair->at_server, CN_NET_CONNECTED, (uint32_t)before)->connection;
            return;
        }
    }
    fail_msg("no connection was established");
}

void net_pair_close(NetPair *pair)
{
    cn_net_endpoint_destroy(pair->client);
    cn_net_endpoint_destroy(pair->server);
    cn_net_key_destroy(pair->client_key);
    cn_net_key_destroy(pair->server_key);
    net_events_clear(&pair->at_client);
    net_events_clear(&pair->at_server);
    pair->client = pair->server = NULL;
}

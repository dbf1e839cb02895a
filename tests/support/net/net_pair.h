/*
 * A server and clients in one process, with a clock that the test moves:
 *
 *     NetPair pair = {0};
 *     net_pair_open(&pair);
 *     net_pair_connect(&pair);               // pair.client_side and pair.server_side
 *     cn_net_send(pair.client, pair.client_side, 0, "hello", 5);
 *     net_pair_run(&pair, 100);              // milliseconds
 *     assert_int_equal(net_count(&pair.at_server, CN_NET_MESSAGE), 1);
 *     net_pair_close(&pair);
 *
 * Set descriptions in `pair` before opening it. Events are kept with copies of their bytes.
 */
#ifndef CAIRN_TESTS_SUPPORT_NET_NET_PAIR_H
#define CAIRN_TESTS_SUPPORT_NET_NET_PAIR_H

#include <cairn/net.h>

enum { NET_KEPT_EVENTS = 4096 };

typedef struct NetEvents {
    CnNetEvent events[NET_KEPT_EVENTS]; /* the last ones are dropped, but counted */
    uint32_t count;
    uint64_t kinds[CN_NET_STATUS + 1];
} NetEvents;

typedef struct NetPair {
    CnAllocator *allocator; /* of both endpoints */
    CnNetEndpointDesc server_desc, client_desc;
    CnNetConnectDesc connect_desc;
    CnNetKey *server_key, *client_key;
    CnNetEndpoint *server, *client;
    CnNetConnection client_side, server_side; /* of the last connection that was established */
    uint64_t now_ns;
    uint32_t step_us; /* 0: 1,000 */
    NetEvents at_server, at_client;
} NetPair;

/* A clock for descriptions; `user` is the pair. */
uint64_t net_pair_clock(void *user);
/* Creates keys and the server. */
void net_pair_open(NetPair *pair);
/* Creates the client, if needed, and begins to connect. */
void net_pair_begin(NetPair *pair);
/* Begins to connect and runs until it succeeds, for at most 20 seconds. */
void net_pair_connect(NetPair *pair);
/* Polls both endpoints while the clock advances. */
void net_pair_run(NetPair *pair, uint32_t milliseconds);
void net_pair_close(NetPair *pair);

/* Fetches all events and keeps them. */
void net_fetch(CnNetEndpoint *endpoint, NetEvents *events);
uint64_t net_count(const NetEvents *events, CnNetEventKind kind);
/* Returns the n-th event of a kind, from 0, or NULL. */
const CnNetEvent *net_event(const NetEvents *events, CnNetEventKind kind, uint32_t n);
void net_events_clear(NetEvents *events);
/* Returns the address 127.0.0.1 with a port. */
CnNetAddress net_loopback(uint16_t port);

#endif

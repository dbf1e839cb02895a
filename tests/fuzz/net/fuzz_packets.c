/*
 * Packets at a server: an input is a sequence of packets, each with its size in two bytes. The
 * server must neither crash nor send more than three times what it received. Seeds begin a
 * handshake, ask for the status, and belong to no connection.
 */
#include "fuzz_surface.h"

#include "net/net_internal.h"

#include <string.h>

enum { MAX_BYTES = 4096 };

static const char *const words[] = {"-cnq", "-cna", NULL};
static uint64_t now_ns = 1000000000;

static uint64_t get_time(void *user)
{
    (void)user;
    return now_ns;
}

static const CnNetKey *key(void)
{
    static CnNetKey *key;
    if (!key)
        key = cn_net_key_create(NULL);
    FUZZ_CHECK(key);
    return key;
}

static CnNetEndpoint *open_endpoint(bool is_server)
{
    CnNetEndpointDesc desc = {
        .key = key(), .protocol = "fuzz/1", .is_server = is_server, .clock = get_time};
    FUZZ_CHECK(cn_net_address_parse(cn_text("127.0.0.1"), &desc.bind, NULL));
    CnNetEndpoint *endpoint = cn_net_endpoint_create(&desc, NULL);
    FUZZ_CHECK(endpoint);
    return endpoint;
}

/* Packets go nowhere. */
static void discard(CnNetEndpoint *endpoint)
{
    endpoint->out.count = 0;
}

static void receive(CnNetEndpoint *endpoint, const uint8_t *bytes, size_t size)
{
    CnNetAddress peer;
    FUZZ_CHECK(cn_net_address_parse(cn_text("127.0.0.1:9"), &peer, NULL));
    uint8_t *copy = malloc(size ? size : 1); /* reads beyond its end are found */
    FUZZ_CHECK(copy);
    memcpy(copy, bytes, size);
    cni_net_receive_packet(endpoint, &peer, copy, size);
    free(copy);
    while (endpoint->first_dirty) {
        CniNetConnection *connection = endpoint->first_dirty;
        endpoint->first_dirty = connection->next_dirty;
        if (!endpoint->first_dirty)
            endpoint->last_dirty = NULL;
        connection->is_dirty = false;
        cni_net_write(connection);
    }
    discard(endpoint);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnNetEndpoint *server = open_endpoint(true);
    cn_net_set_status(server, "status", 6);
    for (size_t at = 0; at + 2 <= size;) {
        size_t length = (size_t)(bytes[at] | bytes[at + 1] << 8);
        at += 2;
        length = length < size - at ? length : size - at;
        receive(server, bytes + at, length);
        at += length;
        now_ns += 1000000;
        cni_net_update_clock(server);
    }
    CnNetEndpointStats stats = cn_net_endpoint_stats(server);
    FUZZ_CHECK(stats.bytes_sent <= 3 * stats.bytes_received);
    bool accepted = stats.packets_sent > 0;
    cn_net_endpoint_destroy(server);
    return accepted;
}

static void add_packets(FuzzSeeds *seeds, const uint8_t *bytes, size_t size, uint32_t count)
{
    uint8_t input[MAX_BYTES];
    size_t used = 0;
    for (uint32_t i = 0; i < count && used + 2 + size <= sizeof input; i++) {
        input[used++] = (uint8_t)size;
        input[used++] = (uint8_t)(size >> 8);
        memcpy(input + used, bytes, size);
        used += size;
    }
    fuzz_add(seeds, input, used);
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnNetEndpoint *client = open_endpoint(false);
    CnNetConnectDesc desc = {0};
    CnNetConnection connection;
    FUZZ_CHECK(cn_net_address_parse(cn_text("127.0.0.1:9"), &desc.address, NULL));
    FUZZ_CHECK(cn_net_connect(client, &desc, &connection, NULL));
    cni_net_write(cni_net_find(client, connection)); /* the first packet of a handshake */
    FUZZ_CHECK(client->out.count > 0);
    add_packets(seeds, client->out.bytes[0], client->out.sizes[0], 1);
    add_packets(seeds, client->out.bytes[0], client->out.sizes[0], 3);
    discard(client);
    FUZZ_CHECK(cn_net_query(client, &desc.address, 1));
    add_packets(seeds, client->out.bytes[0], client->out.sizes[0], 2);
    discard(client);
    cn_net_endpoint_destroy(client);
    uint8_t unknown[1200] = {0xc0, 0x1a, 0x2a, 0x3a, 0x4a, 8, 1, 2, 3, 4,
                             5,    6,    7,    8,    4,    9, 9, 9, 9};
    add_packets(seeds, unknown, sizeof unknown, 1);
    unknown[0] = 0x40;
    unknown[1] = 0x80;
    add_packets(seeds, unknown, 60, 3);
}

const FuzzSurface fuzz_surface = {
    .max_bytes = MAX_BYTES, .test_runs = 3000, .words = words, .add_seeds = add_seeds, .run = run};

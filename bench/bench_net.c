/*
 * Connections over loopback, server and clients in one thread, with the CPU time of each: opening
 * connections and their memory, datagrams as a game sends them, small messages, and bulk data, also
 * over a simulated bad network. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/net.h>

#include <malloc.h>

#define SNAPSHOT_BYTES 600u
#define INPUT_BYTES 80u
#define MESSAGE_BYTES 50u
#define BULK_BYTES 32768u

static bool json;
static CnNetKey *key;
static CnNetEndpoint *server, *client;
static CnHeap *server_heap, *client_heap;
static uint64_t server_ns, client_ns; /* CPU time in cn_net_poll and when sending */
static uint64_t messages, datagrams, message_bytes;
static uint64_t simulated_ns; /* 0: real time */
static CnNetConnection at_server[4096];
static uint32_t at_server_count, at_client_count;

static void must(bool done, const CnError *error)
{
    if (done)
        return;
    fprintf(stderr, "bench_net: %s\n", error->message);
    exit(1);
}

static void print(const char *what, double value, const char *unit)
{
    printf(json ? "{\"what\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}\n" : "%-52s %12.2f %s\n", what,
           value, unit);
}

static uint64_t read_clock(void *user)
{
    (void)user;
    return simulated_ns;
}

static void open_endpoints(const char *conditions)
{
    CnError error = {0};
    CnNetEndpointDesc desc = {.key = key, .protocol = "bench/1", .is_server = true};
    must(cn_net_address_parse(cn_text("127.0.0.1"), &desc.bind, &error), &error);
    desc.clock = simulated_ns ? read_clock : NULL;
    desc.limits.connections = desc.limits.connections_per_address = 4096;
    desc.limits.handshakes = desc.limits.handshakes_per_address = 4096;
    desc.limits.handshakes_per_second = 1000000;
    desc.limits.window_bytes = 8u << 20;
    server_heap = cn_heap_create(NULL, &error);
    client_heap = cn_heap_create(NULL, &error);
    must(server_heap && client_heap, &error);
    desc.allocator = cn_heap_tag(server_heap, "server");
    server = cn_net_endpoint_create(&desc, &error);
    must(server != NULL, &error);
    desc.is_server = false;
    desc.allocator = cn_heap_tag(client_heap, "client");
    must(cn_net_conditions_parse(cn_text(conditions), &desc.conditions, &error), &error);
    client = cn_net_endpoint_create(&desc, &error);
    must(client != NULL, &error);
    server_ns = client_ns = messages = datagrams = message_bytes = 0;
    at_server_count = at_client_count = 0;
}

static void close_endpoints(void)
{
    cn_net_endpoint_destroy(client);
    cn_net_endpoint_destroy(server);
    cn_heap_destroy(client_heap);
    cn_heap_destroy(server_heap);
}

static void fetch(CnNetEndpoint *endpoint)
{
    CnNetEvent event;
    while (cn_net_next_event(endpoint, &event)) {
        if (event.kind == CN_NET_CONNECTED && endpoint == server)
            at_server[at_server_count++] = event.connection;
        at_client_count += event.kind == CN_NET_CONNECTED && endpoint == client;
        messages += event.kind == CN_NET_MESSAGE;
        message_bytes += event.kind == CN_NET_MESSAGE ? event.size : 0;
        datagrams += event.kind == CN_NET_DATAGRAM;
        if (event.kind == CN_NET_CLOSED)
            must(false, &(CnError){.message = "a connection was closed"});
    }
}

static void poll_both(void)
{
    CnError error = {0};
    uint64_t start = cn_clock_thread_ns();
    must(cn_net_poll(client, 0, &error), &error);
    fetch(client);
    uint64_t middle = cn_clock_thread_ns();
    must(cn_net_poll(server, 0, &error), &error);
    fetch(server);
    client_ns += middle - start;
    server_ns += cn_clock_thread_ns() - middle;
}

static void open_connections(CnNetConnection *connections, uint32_t count)
{
    CnError error = {0};
    const CnNetConnectDesc desc = {.address = cn_net_endpoint_address(server)};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = cn_clock_thread_ns();
        must(cn_net_connect(client, &desc, &connections[i], &error), &error);
        client_ns += cn_clock_thread_ns() - start;
        while (at_client_count <= i || at_server_count <= i) {
            simulated_ns += simulated_ns ? 1000000 : 0;
            poll_both();
        }
    }
}

/* ---- What is measured ---- */

static void measure_connections(CnNetConnection *connections, uint32_t count)
{
    size_t before = mallinfo2().uordblks;
    uint64_t start = cn_clock_ns();
    open_connections(connections, count);
    double seconds = cn_seconds(cn_clock_ns() - start);
    print("handshakes, one after another, both sides", count / seconds, "per second");
    print("handshake, CPU of the server", (double)server_ns / count * 1e-3, "us");
    print("handshake, CPU of the client", (double)client_ns / count * 1e-3, "us");
    for (uint32_t i = 0; i < 200; i++) {
        poll_both();
        cn_clock_sleep_ns(1000000);
    }
    size_t used = mallinfo2().uordblks - before;
    print("memory per connection of the server, without GnuTLS",
          (double)cn_heap_stats(server_heap).live_bytes / count / 1024, "KiB");
    print("memory per connection, average of both sides, with all", (double)used / 2 / count / 1024,
          "KiB");
}

/* 60 ticks a second: snapshots every third tick, inputs every second. */
static void measure_game(const CnNetConnection *connections, uint32_t count, uint32_t ticks)
{
    static uint8_t bytes[SNAPSHOT_BYTES];
    uint64_t sent = 0;
    server_ns = client_ns = datagrams = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        uint64_t start = cn_clock_thread_ns();
        for (uint32_t i = tick % 3; i < count; i += 3)
            sent += cn_net_send_datagram(server, at_server[i], bytes, SNAPSHOT_BYTES, tick + 1);
        uint64_t middle = cn_clock_thread_ns();
        for (uint32_t i = tick % 2; i < count; i += 2)
            sent += cn_net_send_datagram(client, connections[i], bytes, INPUT_BYTES, 0);
        server_ns += middle - start;
        client_ns += cn_clock_thread_ns() - middle;
        for (uint32_t i = 0; i < 8; i++) {
            poll_both();
            cn_clock_sleep_ns(2000000);
        }
    }
    double seconds = ticks / 60.0;
    print("snapshots and inputs that arrived", 100.0 * (double)datagrams / (double)sent, "%");
    print("a game's second of one player, CPU of the server",
          (double)server_ns * 1e-3 / count / seconds, "us");
    print("the same per datagram sent or received", (double)server_ns * 1e-3 / (double)sent, "us");
}

static void measure_messages(CnNetConnection connection, uint32_t count)
{
    static uint8_t bytes[MESSAGE_BYTES];
    server_ns = client_ns = messages = 0;
    for (uint32_t sent = 0; messages < count;) {
        uint64_t start = cn_clock_thread_ns();
        for (uint32_t i = 0; i < 100 && sent < count; i++)
            sent += cn_net_send(client, connection, 0, bytes, MESSAGE_BYTES);
        client_ns += cn_clock_thread_ns() - start;
        poll_both();
    }
    print("message of 50 bytes, CPU of the sender", (double)client_ns / count, "ns");
    print("message of 50 bytes, CPU of the receiver", (double)server_ns / count, "ns");
}

static void measure_bulk(const char *what, uint64_t limit_bytes, double limit_s)
{
    static uint8_t bytes[BULK_BYTES];
    char line[96];
    uint64_t start = simulated_ns ? simulated_ns : cn_clock_ns(), elapsed = 0;
    server_ns = client_ns = message_bytes = 0;
    while (message_bytes < limit_bytes && cn_seconds(elapsed) < limit_s) {
        uint64_t begin = cn_clock_thread_ns();
        while (cn_net_send(server, at_server[0], 3, bytes, sizeof bytes))
            continue;
        server_ns += cn_clock_thread_ns() - begin;
        simulated_ns += simulated_ns ? 1000000 : 0;
        poll_both();
        elapsed = (simulated_ns ? simulated_ns : cn_clock_ns()) - start;
    }
    cn_format(line, sizeof line, "bulk data, %s", what);
    print(line, (double)message_bytes * 8e-6 / cn_seconds(elapsed), "Mbit/s");
    if (simulated_ns)
        return;
    print("bulk data, CPU of the sender",
          (double)server_ns * 1e-3 / ((double)message_bytes / 1048576), "us per MiB");
    print("bulk data, CPU of the receiver",
          (double)client_ns * 1e-3 / ((double)message_bytes / 1048576), "us per MiB");
}

static void measure_simulated(const char *conditions, uint32_t seconds)
{
    CnNetConnection connection;
    simulated_ns = 1000000000;
    open_endpoints(conditions);
    open_connections(&connection, 1);
    measure_bulk(conditions, UINT64_MAX, seconds);
    close_endpoints();
    simulated_ns = 0;
}

int main(int argc, char **argv)
{
    static CnNetConnection connections[4096];
    uint32_t count = 500, ticks = 120;
    CnError error = {0};
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--connections", "connections", &count, 1, 4000),
        BENCH_OPTION_NUMBER("--ticks", "ticks of the game", &ticks, 1, 100000)};
    bench_read_options(&(BenchUsage){"bench_net",
                                     "Connections over loopback: handshakes, memory, datagrams, "
                                     "messages and bulk data.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    key = cn_net_key_create(&error);
    must(key != NULL, &error);
    open_endpoints("");
    measure_connections(connections, count);
    measure_game(connections, count, ticks);
    measure_messages(connections[0], 200000);
    measure_bulk("loopback", 200u << 20, 60);
    close_endpoints();
    measure_simulated("latency=50,bandwidth=10Mbit", 20);
    measure_simulated("latency=200,bandwidth=100Mbit", 20);
    measure_simulated("latency=200,loss=5%", 20);
    measure_simulated("latency=200,loss=20%", 20);
    cn_net_key_destroy(key);
    return 0;
}

/* Endpoints: creation, the work of cn_net_poll, and the functions on connections. */
#include "net_internal.h"
#include "key_pair.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>

#include <string.h>

enum { RETRIES_PER_SECOND = 2000, RESETS_PER_SECOND = 200, CONNECTION_DUE_PER_POLL = 1 << 16 };

/* ---- Memory of ngtcp2, which frees without sizes ---- */

typedef union BlockHead {
    size_t size;
    max_align_t alignment;
} BlockHead;

static void *quic_realloc(void *block, size_t size, void *user)
{
    CnAllocator *allocator = user;
    BlockHead *head = block ? (BlockHead *)block - 1 : NULL;
    size_t old_size = head ? head->size : 0;
    if (size > SIZE_MAX - sizeof *head)
        return NULL;
    head = cn_realloc(allocator, head, old_size, size + sizeof *head);
    if (!head)
        return NULL;
    head->size = size + sizeof *head;
    return head + 1;
}

static void *quic_malloc(size_t size, void *user)
{
    return quic_realloc(NULL, size, user);
}

static void *quic_calloc(size_t count, size_t size, void *user)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *block = quic_realloc(NULL, bytes, user);
    if (block)
        memset(block, 0, bytes);
    return block;
}

static void quic_free(void *block, void *user)
{
    if (!block)
        return;
    BlockHead *head = (BlockHead *)block - 1;
    cn_free(user, head, head->size);
}

/* ---- Creation ---- */

static void set_default(uint32_t *limit, uint32_t value)
{
    if (*limit == 0)
        *limit = value;
}

static void set_limits(CnNetLimits *limits)
{
    set_default(&limits->connections, 1024);
    set_default(&limits->connections_per_address, 32);
    set_default(&limits->handshakes, 64);
    set_default(&limits->handshakes_per_address, 8);
    set_default(&limits->handshakes_per_second, 200);
    set_default(&limits->retry_above, 4);
    set_default(&limits->handshake_timeout_ms, 10000);
    set_default(&limits->idle_timeout_ms, 30000);
    set_default(&limits->stall_timeout_ms, 30000);
    set_default(&limits->message_bytes, 64u << 10);
    set_default(&limits->unread_bytes, 256u << 10);
    set_default(&limits->send_bytes, 4u << 20);
    set_default(&limits->window_bytes, 1u << 20);
    set_default(&limits->datagrams, 64);
    set_default(&limits->queries_per_second, 200);
    if (limits->connections > CN_NET_MAX_CONNECTIONS)
        limits->connections = CN_NET_MAX_CONNECTIONS;
    if (limits->message_bytes > CN_NET_MAX_MESSAGE_BYTES)
        limits->message_bytes = CN_NET_MAX_MESSAGE_BYTES;
}

static bool check_desc(const CnNetEndpointDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->key, "an endpoint needs a key");
    CN_ASSERT(desc->protocol && desc->protocol[0], "an endpoint needs the name of a protocol");
    if (strlen(desc->protocol) < CN_NET_PROTOCOL_BYTES)
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT, "the name of a protocol has at most %u bytes",
                        CN_NET_PROTOCOL_BYTES - 1);
}

static void init(CnNetEndpoint *endpoint, const CnNetEndpointDesc *desc)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    endpoint->allocator = allocator;
    endpoint->memory = (ngtcp2_mem){.user_data = allocator,
                                    .malloc = quic_malloc,
                                    .free = quic_free,
                                    .calloc = quic_calloc,
                                    .realloc = quic_realloc};
    endpoint->limits = desc->limits;
    set_limits(&endpoint->limits);
    endpoint->is_server = desc->is_server;
    cn_copy_text(endpoint->protocol, sizeof endpoint->protocol, cn_text(desc->protocol));
    endpoint->clock = desc->clock;
    endpoint->clock_user = desc->clock_user;
    cn_array_init(&endpoint->slots, allocator);
    cn_array_init(&endpoint->free_slots, allocator);
    cn_array_init(&endpoint->timers, allocator);
    cn_array_init(&endpoint->events, allocator);
    cn_array_init(&endpoint->event_bytes, allocator);
    cn_hash_map_init_keyed(&endpoint->cids, allocator, sizeof(CniNetConnection *));
    cn_hash_map_init_keyed(&endpoint->addresses, allocator, sizeof(CniNetAddressUse));
    cn_pool_init(&endpoint->blocks, allocator, sizeof(CniNetBlock), 0);
    cn_pool_init(&endpoint->datagrams, allocator, sizeof(CniNetDatagram), 0);
    endpoint->handshake_bucket.rate = endpoint->limits.handshakes_per_second;
    endpoint->retry_bucket.rate = RETRIES_PER_SECOND;
    endpoint->reset_bucket.rate = RESETS_PER_SECOND;
    endpoint->query_bucket.rate = endpoint->limits.queries_per_second;
    cni_net_link_init(&endpoint->link, allocator);
    cni_net_update_clock(endpoint);
    cni_net_link_set(&endpoint->link, &desc->conditions, endpoint->now_ns);
}

static bool open_endpoint(CnNetEndpoint *endpoint, const CnNetEndpointDesc *desc, CnError *error)
{
    endpoint->out.bytes =
        cn_alloc(endpoint->allocator, CNI_NET_BATCH * sizeof *endpoint->out.bytes);
    if (!endpoint->out.bytes)
        return cn_error_memory(error, "an endpoint");
    endpoint->socket = cni_net_socket_create(endpoint->allocator, &desc->bind, error);
    if (!endpoint->socket)
        return false;
    CnNetAddress local = cni_net_socket_address(endpoint->socket);
    endpoint->local_size = cni_net_address_to_socket(
        &local, cni_net_socket_family(endpoint->socket), &endpoint->local);
    return cni_net_tls_init(endpoint, desc->key, error);
}

CnNetEndpoint *cn_net_endpoint_create(const CnNetEndpointDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    if (!check_desc(desc, error))
        return NULL;
    CnNetEndpoint *endpoint = cn_alloc_zeroed(desc->allocator, sizeof *endpoint);
    if (!endpoint) {
        cn_error_memory(error, "an endpoint");
        return NULL;
    }
    init(endpoint, desc);
    if (open_endpoint(endpoint, desc, error))
        return endpoint;
    cn_net_endpoint_destroy(endpoint);
    return NULL;
}

static void close_all(CnNetEndpoint *endpoint)
{
    for (uint32_t i = 0; i < endpoint->slots.count; i++) {
        CniNetConnection *connection = endpoint->slots.items[i].connection;
        if (!connection)
            continue;
        connection->is_known = false; /* nobody will fetch events */
        cni_net_close(connection, CN_NET_CLOSE_LOCAL, CNI_NET_CODE_SHUTDOWN, 0, "");
        cni_net_connection_free(connection);
    }
    cni_net_packets_flush(endpoint);
}

void cn_net_endpoint_destroy(CnNetEndpoint *endpoint)
{
    if (!endpoint)
        return;
    CnAllocator *allocator = endpoint->allocator;
    close_all(endpoint);
    cni_net_tls_fini(endpoint);
    cni_net_socket_destroy(endpoint->socket);
    cni_net_link_fini(&endpoint->link);
    cn_pool_fini(&endpoint->blocks);
    cn_pool_fini(&endpoint->datagrams);
    cn_hash_map_fini(&endpoint->cids);
    cn_hash_map_fini(&endpoint->addresses);
    cn_array_fini(&endpoint->slots);
    cn_array_fini(&endpoint->free_slots);
    cn_array_fini(&endpoint->timers);
    cn_array_fini(&endpoint->events);
    cn_array_fini(&endpoint->event_bytes);
    cn_free(allocator, endpoint->out.bytes, CNI_NET_BATCH * sizeof *endpoint->out.bytes);
    cn_free(allocator, endpoint, sizeof *endpoint);
}

CnNetAddress cn_net_endpoint_address(const CnNetEndpoint *endpoint)
{
    return cni_net_socket_address(endpoint->socket);
}

void cn_net_set_conditions(CnNetEndpoint *endpoint, const CnNetConditions *conditions)
{
    cni_net_update_clock(endpoint);
    cni_net_link_set(&endpoint->link, conditions, endpoint->now_ns);
}

CnNetEndpointStats cn_net_endpoint_stats(const CnNetEndpoint *endpoint)
{
    return endpoint->stats;
}

/* ---- Polling ---- */

void cni_net_update_clock(CnNetEndpoint *endpoint)
{
    uint64_t now_ns = endpoint->clock ? endpoint->clock(endpoint->clock_user) : cn_clock_ns();
    if (now_ns > endpoint->now_ns)
        endpoint->now_ns = now_ns;
}

static void run_timers(CnNetEndpoint *endpoint)
{
    for (uint32_t i = 0; i < CONNECTION_DUE_PER_POLL && endpoint->timers.count; i++) {
        CniNetConnection *connection = endpoint->timers.items[0];
        if (connection->due_ns > endpoint->now_ns)
            return;
        cni_net_handle_timer(connection);
    }
}

/* Each connection that was marked has its turn once. */
static void write_all(CnNetEndpoint *endpoint)
{
    CniNetConnection *last = endpoint->last_dirty;
    while (endpoint->first_dirty) {
        CniNetConnection *connection = endpoint->first_dirty;
        bool is_last = connection == last;
        endpoint->first_dirty = connection->next_dirty;
        if (!endpoint->first_dirty)
            endpoint->last_dirty = NULL;
        connection->is_dirty = false;
        bool has_more = cni_net_write(connection);
        if (connection->state != CNI_NET_CLOSED)
            cni_net_schedule(connection);
        if (has_more)
            cni_net_mark_dirty(connection);
        if (is_last)
            break;
    }
    cni_net_packets_flush(endpoint);
}

static void wait_for_work(CnNetEndpoint *endpoint, uint32_t wait_us)
{
    uint64_t until_ns = endpoint->now_ns + (uint64_t)wait_us * 1000;
    uint64_t link_ns = cni_net_link_next_ns(&endpoint->link);
    if (wait_us == 0 || endpoint->clock || endpoint->first_dirty ||
        endpoint->next_event < endpoint->events.count)
        return;
    if (endpoint->timers.count && endpoint->timers.items[0]->due_ns < until_ns)
        until_ns = endpoint->timers.items[0]->due_ns;
    if (link_ns < until_ns)
        until_ns = link_ns;
    if (until_ns > endpoint->now_ns)
        cni_net_socket_wait(endpoint->socket, until_ns - endpoint->now_ns);
}

bool cn_net_poll(CnNetEndpoint *endpoint, uint32_t wait_us, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    cni_net_events_compact(endpoint);
    cni_net_update_clock(endpoint);
    cni_net_packets_release(endpoint);
    write_all(endpoint);
    wait_for_work(endpoint, wait_us);
    cni_net_update_clock(endpoint);
    if (!cni_net_packets_receive(endpoint, error))
        return false;
    cni_net_packets_release(endpoint);
    run_timers(endpoint);
    write_all(endpoint);
    return true;
}

/* ---- Connections ---- */

CniNetConnection *cni_net_find(const CnNetEndpoint *endpoint, CnNetConnection handle)
{
    uint32_t index = (uint32_t)(handle.id & UINT16_MAX);
    if (handle.id == 0 || index >= endpoint->slots.count)
        return NULL;
    CniNetConnection *connection = endpoint->slots.items[index].connection;
    return connection && connection->handle.id == handle.id ? connection : NULL;
}

static CniNetConnection *find_established(const CnNetEndpoint *endpoint, CnNetConnection handle)
{
    CniNetConnection *connection = cni_net_find(endpoint, handle);
    return connection && connection->state == CNI_NET_ESTABLISHED ? connection : NULL;
}

static bool begin_connection(CniNetConnection *connection, const CnNetConnectDesc *desc)
{
    connection->user = desc->user;
    if (desc->server_key) {
        connection->expects_key = true;
        connection->expected_key = *desc->server_key;
    }
    if (desc->key) {
        connection->credentials = cni_net_credentials_create(desc->key);
        if (!connection->credentials)
            return false;
    }
    return cni_net_begin_client(connection);
}

bool cn_net_connect(CnNetEndpoint *endpoint, const CnNetConnectDesc *desc, CnNetConnection *handle,
                    CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    CniNetSocketAddress storage;
    cni_net_update_clock(endpoint);
    if (desc->address.port == 0 ||
        !cni_net_address_to_socket(&desc->address, cni_net_socket_family(endpoint->socket),
                                   &storage))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "this address cannot be reached: it has no port, or this computer has "
                            "no IPv6");
    if (endpoint->stats.connections + endpoint->stats.handshakes >= endpoint->limits.connections)
        return cn_error_set(error, CN_ERROR_LIMIT, "too many connections: at most %u",
                            endpoint->limits.connections);
    CniNetConnection *connection = cni_net_connection_create(endpoint, &desc->address, false);
    if (!connection)
        return cn_error_memory(error, "a connection");
    if (!begin_connection(connection, desc)) {
        cni_net_connection_free(connection);
        return cn_error_memory(error, "a connection");
    }
    connection->is_known = true;
    *handle = connection->handle;
    return true;
}

static uint64_t queued_bytes(const CniNetConnection *connection)
{
    uint64_t queued = 0;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++)
        queued += connection->channels[i].sender.queued_bytes;
    return queued;
}

static void begin_to_wait(CniNetConnection *connection)
{
    if (connection->datagram_count == 0 && queued_bytes(connection) == 0)
        connection->progress_ns = connection->endpoint->now_ns;
}

bool cn_net_send(CnNetEndpoint *endpoint, CnNetConnection handle, uint32_t channel,
                 const void *bytes, size_t size)
{
    CN_ASSERT(channel < CN_NET_CHANNELS, "there is no channel %u", channel);
    CN_ASSERT(size <= CN_NET_MAX_MESSAGE_BYTES, "a message has at most %u bytes",
              CN_NET_MAX_MESSAGE_BYTES);
    CniNetConnection *connection = find_established(endpoint, handle);
    if (!connection ||
        queued_bytes(connection) + cni_net_framed_size(size) > endpoint->limits.send_bytes)
        return false;
    begin_to_wait(connection);
    if (!cni_net_sender_put(&connection->channels[channel].sender, &endpoint->blocks, bytes, size))
        return false;
    cni_net_mark_dirty(connection);
    return true;
}

size_t cn_net_send_capacity(const CnNetEndpoint *endpoint, CnNetConnection handle)
{
    enum { LENGTH_BYTES = 4 };
    const CniNetConnection *connection = find_established(endpoint, handle);
    uint64_t used = connection ? queued_bytes(connection) + LENGTH_BYTES : UINT64_MAX;
    return used < endpoint->limits.send_bytes ? (size_t)(endpoint->limits.send_bytes - used) : 0;
}

bool cn_net_send_datagram(CnNetEndpoint *endpoint, CnNetConnection handle, const void *bytes,
                          size_t size, uint64_t id)
{
    CN_ASSERT(size <= CN_NET_DATAGRAM_BYTES, "a datagram has at most %u bytes",
              CN_NET_DATAGRAM_BYTES);
    CniNetConnection *connection = find_established(endpoint, handle);
    if (!connection || connection->datagram_count >= endpoint->limits.datagrams)
        return false;
    CniNetDatagram *datagram = cn_pool_acquire(&endpoint->datagrams);
    if (!datagram)
        return false;
    begin_to_wait(connection);
    datagram->next = NULL;
    datagram->id = id;
    datagram->size = (uint32_t)size;
    if (size)
        memcpy(datagram->bytes, bytes, size);
    if (connection->last_datagram)
        connection->last_datagram->next = datagram;
    else
        connection->first_datagram = datagram;
    connection->last_datagram = datagram;
    connection->datagram_count++;
    cni_net_mark_dirty(connection);
    return true;
}

size_t cn_net_datagram_limit(void)
{
    return CN_NET_DATAGRAM_BYTES;
}

void cn_net_close(CnNetEndpoint *endpoint, CnNetConnection handle, uint32_t reason,
                  const char *text)
{
    CniNetConnection *connection = cni_net_find(endpoint, handle);
    if (connection)
        cni_net_close(connection, CN_NET_CLOSE_LOCAL, reason, reason, text ? text : "");
}

void cn_net_set_user(CnNetEndpoint *endpoint, CnNetConnection handle, void *user)
{
    CniNetConnection *connection = cni_net_find(endpoint, handle);
    if (connection)
        connection->user = user;
}

void *cn_net_user(const CnNetEndpoint *endpoint, CnNetConnection handle)
{
    const CniNetConnection *connection = cni_net_find(endpoint, handle);
    return connection ? connection->user : NULL;
}

bool cn_net_peer_key(const CnNetEndpoint *endpoint, CnNetConnection handle, CnNetKeyId *key)
{
    const CniNetConnection *connection = cni_net_find(endpoint, handle);
    if (!connection || !connection->has_peer_key)
        return false;
    *key = connection->peer_key;
    return true;
}

bool cn_net_peer_address(const CnNetEndpoint *endpoint, CnNetConnection handle,
                         CnNetAddress *address)
{
    const CniNetConnection *connection = cni_net_find(endpoint, handle);
    if (!connection)
        return false;
    *address = connection->peer;
    return true;
}

bool cn_net_connection_stats(const CnNetEndpoint *endpoint, CnNetConnection handle,
                             CnNetConnectionStats *stats)
{
    const CniNetConnection *connection = cni_net_find(endpoint, handle);
    if (!connection)
        return false;
    *stats = (CnNetConnectionStats){.packets_sent = connection->packets_sent,
                                    .bytes_sent = connection->bytes_sent,
                                    .packets_received = connection->packets_received,
                                    .bytes_received = connection->bytes_received,
                                    .datagrams_lost = connection->datagrams_lost,
                                    .queued_bytes = queued_bytes(connection),
                                    .queued_datagrams = connection->datagram_count};
    if (connection->state == CNI_NET_CLOSED)
        return true;
    ngtcp2_conn_stat quic;
    ngtcp2_conn_get_conn_stat(connection->quic, &quic);
    stats->rtt_us = (uint32_t)(quic.smoothed_rtt / 1000);
    stats->rtt_variance_us = (uint32_t)(quic.rttvar / 1000);
    stats->rtt_min_us = quic.min_rtt == UINT64_MAX ? 0 : (uint32_t)(quic.min_rtt / 1000);
    stats->congestion_window_bytes = quic.cwnd;
    stats->bytes_in_flight = quic.bytes_in_flight;
    return true;
}

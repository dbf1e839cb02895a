/* Connections: creation, incoming packets, timers, and the end of their memory. */
#include "net_internal.h"

#include <cairn/base/bytes.h>

#include <string.h>

enum {
    FIRST_WINDOW_BYTES = 1 << 17,
    DATAGRAM_FRAME_BYTES = 1500,
    FIRST_RTT_MS = 150, /* assumed until it is measured */
    PROBE_MS = 1000,    /* longest time between the first probes, and between later ones */
    LATE_PROBE_MS = 4000,
    FREQUENT_PROBES = 12,
    MAX_PROBES = 28 /* ngtcp2 doubles its own interval each time */
};

/* ---- Connection ids ---- */

ngtcp2_cid cni_net_random_cid(void)
{
    ngtcp2_cid cid = {.datalen = CNI_NET_CID_BYTES};
    gnutls_rnd(GNUTLS_RND_RANDOM, cid.data, CNI_NET_CID_BYTES);
    cid.data[0] |= 0x80; /* differs from the second byte of queries: see query.c */
    return cid;
}

uint64_t cni_net_cid_key(const uint8_t *bytes, size_t size)
{
    return size == CNI_NET_CID_BYTES ? cn_load_u64(bytes) : cn_hash_keyed(bytes, size, 0);
}

uint64_t cni_net_token_key(const uint8_t token[NGTCP2_STATELESS_RESET_TOKENLEN])
{
    return cn_hash_keyed(token, NGTCP2_STATELESS_RESET_TOKENLEN, 1);
}

bool cni_net_key_add(CniNetConnection *connection, uint64_t key)
{
    if (connection->cid_count == CNI_NET_MAX_CIDS ||
        cn_hash_map_get(&connection->endpoint->cids, key) ||
        !cn_hash_map_set(&connection->endpoint->cids, key, &connection))
        return false;
    connection->cids[connection->cid_count++] = key;
    return true;
}

void cni_net_key_remove(CniNetConnection *connection, uint64_t key)
{
    for (uint32_t i = 0; i < connection->cid_count; i++)
        if (connection->cids[i] == key) {
            cn_hash_map_remove(&connection->endpoint->cids, key);
            connection->cids[i] = connection->cids[--connection->cid_count];
            return;
        }
}

/* ---- Creation ---- */

static bool take_slot(CnNetEndpoint *endpoint, uint32_t *index)
{
    if (endpoint->free_slots.count) {
        *index = cn_array_pop(&endpoint->free_slots);
        return true;
    }
    if (endpoint->slots.count >= CN_NET_MAX_CONNECTIONS)
        return false;
    uint32_t count = endpoint->slots.count + 1;
    if (!cn_array_reserve(&endpoint->free_slots, count) ||
        !cn_array_reserve(&endpoint->timers, count) ||
        !cn_array_push(&endpoint->slots, (CniNetSlot){0}))
        return false;
    *index = count - 1;
    return true;
}

CniNetConnection *cni_net_connection_create(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                                            bool is_server)
{
    uint32_t index;
    CniNetConnection *connection = cn_alloc_zeroed(endpoint->allocator, sizeof *connection);
    if (!connection || !take_slot(endpoint, &index)) {
        cn_free(endpoint->allocator, connection, sizeof *connection);
        return NULL;
    }
    endpoint->slots.items[index].connection = connection;
    connection->endpoint = endpoint;
    connection->handle.id = ++endpoint->next_serial << 16 | index;
    connection->is_server = is_server;
    connection->peer = *peer;
    connection->heap_index = UINT32_MAX;
    connection->begun_ns = connection->progress_ns = endpoint->now_ns;
    connection->received_ns = connection->probed_ns = endpoint->now_ns;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++)
        connection->channels[i].stream = connection->channels[i].remote_stream = -1;
    connection->pulse_stream = -1;
    endpoint->stats.handshakes++;
    return connection;
}

ngtcp2_path cni_net_path(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                         CniNetSocketAddress *storage)
{
    socklen_t size =
        cni_net_address_to_socket(peer, cni_net_socket_family(endpoint->socket), storage);
    return (ngtcp2_path){.local = {&endpoint->local.any, endpoint->local_size},
                         .remote = {&storage->any, size}};
}

static uint64_t now_of(const CniNetConnection *connection)
{
    return connection->endpoint->now_ns;
}

static void set_settings(const CniNetConnection *connection, ngtcp2_settings *settings)
{
    const CnNetLimits *limits = &connection->endpoint->limits;
    ngtcp2_settings_default(settings);
    settings->initial_ts = now_of(connection);
    settings->cc_algo = NGTCP2_CC_ALGO_BBR; /* see docs/net.md */
    settings->initial_rtt = (uint64_t)FIRST_RTT_MS * CNI_NET_MILLISECOND;
    settings->handshake_timeout = (uint64_t)limits->handshake_timeout_ms * CNI_NET_MILLISECOND;
    settings->max_window = limits->window_bytes;
    settings->max_stream_window = limits->window_bytes;
}

static void set_parameters(const CniNetConnection *connection, ngtcp2_transport_params *parameters)
{
    const CnNetLimits *limits = &connection->endpoint->limits;
    uint32_t window =
        limits->window_bytes < FIRST_WINDOW_BYTES ? limits->window_bytes : FIRST_WINDOW_BYTES;
    ngtcp2_transport_params_default(parameters);
    parameters->initial_max_streams_uni = CN_NET_CHANNELS + 1; /* and the pulse */
    parameters->initial_max_stream_data_uni = window;
    parameters->initial_max_data = window;
    parameters->max_idle_timeout = 0; /* see idle_ns */
    parameters->max_datagram_frame_size = DATAGRAM_FRAME_BYTES;
    parameters->active_connection_id_limit = 4;
}

static bool begin_tls(CniNetConnection *connection)
{
    if (!cni_net_session_create(connection))
        return false;
    ngtcp2_conn_set_tls_native_handle(connection->quic, connection->tls);
    ngtcp2_conn_set_keep_alive_timeout(connection->quic,
                                       (uint64_t)connection->endpoint->limits.idle_timeout_ms *
                                           CNI_NET_MILLISECOND / 3);
    cni_net_mark_dirty(connection);
    return true;
}

bool cni_net_begin_client(CniNetConnection *connection)
{
    ngtcp2_callbacks callbacks;
    ngtcp2_settings settings;
    ngtcp2_transport_params parameters;
    CniNetSocketAddress storage;
    ngtcp2_path path = cni_net_path(connection->endpoint, &connection->peer, &storage);
    ngtcp2_cid own = cni_net_random_cid(), first = cni_net_random_cid();
    cni_net_set_callbacks(&callbacks, false);
    set_settings(connection, &settings);
    set_parameters(connection, &parameters);
    ngtcp2_conn *quic; /* a failing function would leave a dangling pointer */
    if (!cni_net_key_add(connection, cni_net_cid_key(own.data, own.datalen)) ||
        ngtcp2_conn_client_new(&quic, &first, &own, &path, NGTCP2_PROTO_VER_V1, &callbacks,
                               &settings, &parameters, &connection->endpoint->memory,
                               connection) != 0)
        return false;
    connection->quic = quic;
    return begin_tls(connection);
}

bool cni_net_begin_server(CniNetConnection *connection, const ngtcp2_pkt_hd *header,
                          const ngtcp2_cid *original_id)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    ngtcp2_callbacks callbacks;
    ngtcp2_settings settings;
    ngtcp2_transport_params parameters;
    CniNetSocketAddress storage;
    ngtcp2_path path = cni_net_path(endpoint, &connection->peer, &storage);
    ngtcp2_cid own = cni_net_random_cid();
    cni_net_set_callbacks(&callbacks, true);
    set_settings(connection, &settings);
    set_parameters(connection, &parameters);
    parameters.original_dcid = header->dcid;
    if (original_id) {
        parameters.original_dcid = *original_id;
        parameters.retry_scid = header->dcid;
        parameters.retry_scid_present = 1;
        settings.token = header->token;
    }
    parameters.stateless_reset_token_present = 1;
    if (ngtcp2_crypto_generate_stateless_reset_token(parameters.stateless_reset_token,
                                                     endpoint->reset_secret, CNI_NET_SECRET_BYTES,
                                                     &own) != 0)
        return false;
    ngtcp2_conn *quic;
    if (!cni_net_key_add(connection, cni_net_cid_key(own.data, own.datalen)) ||
        !cni_net_key_add(connection, cni_net_cid_key(header->dcid.data, header->dcid.datalen)) ||
        ngtcp2_conn_server_new(&quic, &header->scid, &own, &path, header->version, &callbacks,
                               &settings, &parameters, &endpoint->memory, connection) != 0)
        return false;
    connection->quic = quic;
    return begin_tls(connection);
}

/* ---- The end ---- */

static void remove_dirty(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    CniNetConnection *previous = NULL;
    for (CniNetConnection *at = endpoint->first_dirty; at; previous = at, at = at->next_dirty) {
        if (at != connection)
            continue;
        if (previous)
            previous->next_dirty = at->next_dirty;
        else
            endpoint->first_dirty = at->next_dirty;
        if (endpoint->last_dirty == at)
            endpoint->last_dirty = previous;
        return;
    }
}

static void free_data(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++) {
        cni_net_sender_fini(&connection->channels[i].sender, &endpoint->blocks);
        cni_net_receiver_fini(&connection->channels[i].receiver, endpoint->allocator);
    }
    while (connection->first_datagram) {
        CniNetDatagram *datagram = connection->first_datagram;
        connection->first_datagram = datagram->next;
        cn_pool_release(&endpoint->datagrams, datagram);
    }
    connection->last_datagram = NULL;
    connection->datagram_count = 0;
}

void cni_net_free_quic(CniNetConnection *connection)
{
    if (connection->quic)
        ngtcp2_conn_del(connection->quic);
    if (connection->tls)
        gnutls_deinit(connection->tls);
    if (connection->credentials)
        gnutls_certificate_free_credentials(connection->credentials);
    connection->quic = NULL;
    connection->tls = NULL;
    connection->credentials = NULL;
    free_data(connection); /* after the QUIC library, which refers to it */
    if (connection->is_dirty)
        remove_dirty(connection);
    connection->is_dirty = false;
    bool is_handshake = connection->state == CNI_NET_HANDSHAKING;
    if (connection->has_reserved_address)
        cni_net_release_address(connection->endpoint, &connection->reserved_address, is_handshake);
    connection->has_reserved_address = false;
    if (is_handshake)
        connection->endpoint->stats.handshakes--;
    else if (connection->state == CNI_NET_ESTABLISHED)
        connection->endpoint->stats.connections--;
    connection->state = CNI_NET_CLOSED;
}

void cni_net_connection_free(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    if (connection->state != CNI_NET_CLOSED)
        cni_net_free_quic(connection);
    cni_net_timer_set(endpoint, connection, CNI_NET_NEVER);
    while (connection->cid_count)
        cn_hash_map_remove(&endpoint->cids, connection->cids[--connection->cid_count]);
    cn_free(endpoint->allocator, connection->close_packet, connection->close_packet_size);
    uint32_t index = (uint32_t)(connection->handle.id & UINT16_MAX);
    endpoint->slots.items[index].connection = NULL;
    endpoint->free_slots.items[endpoint->free_slots.count++] = index; /* reserved */
    cn_free(endpoint->allocator, connection, sizeof *connection);
}

/* ---- Work ---- */

void cni_net_mark_dirty(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    if (connection->is_dirty || connection->state == CNI_NET_CLOSED)
        return;
    connection->is_dirty = true;
    connection->next_dirty = NULL;
    if (endpoint->last_dirty)
        endpoint->last_dirty->next_dirty = connection;
    else
        endpoint->first_dirty = connection;
    endpoint->last_dirty = connection;
}

void cni_net_grant(CniNetConnection *connection)
{
    if (connection->state == CNI_NET_CLOSED ||
        connection->unread_bytes > connection->endpoint->limits.unread_bytes)
        return;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++) {
        CniNetChannel *channel = &connection->channels[i];
        if (!channel->owed_bytes)
            continue;
        /* Out of memory: the peer keeps a smaller window, or tries again with the next grant. */
        if (ngtcp2_conn_extend_max_stream_offset(connection->quic, channel->remote_stream,
                                                 channel->owed_bytes) != 0)
            continue;
        ngtcp2_conn_extend_max_offset(connection->quic, channel->owed_bytes);
        channel->owed_bytes = 0;
        cni_net_mark_dirty(connection);
    }
}

static bool has_stalled(const CniNetConnection *connection)
{
    bool is_waiting = connection->datagram_count > 0;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++)
        is_waiting = is_waiting || connection->channels[i].sender.queued_bytes > 0;
    uint64_t limit_ns =
        (uint64_t)connection->endpoint->limits.stall_timeout_ms * CNI_NET_MILLISECOND;
    return is_waiting && now_of(connection) - connection->progress_ns > limit_ns;
}

void cni_net_read(CniNetConnection *connection, const CnNetAddress *peer, const uint8_t *bytes,
                  size_t size)
{
    connection->packets_received++;
    connection->bytes_received += size;
    if (connection->state == CNI_NET_CLOSED) {
        cni_net_repeat_close(connection);
        return;
    }
    CniNetSocketAddress storage;
    ngtcp2_path path = cni_net_path(connection->endpoint, peer, &storage);
    const ngtcp2_pkt_info info = {0};
    int code =
        ngtcp2_conn_read_pkt(connection->quic, &path, &info, bytes, size, now_of(connection));
    if (code != 0) {
        cni_net_fail(connection, code);
        return;
    }
    uint64_t silence_ns = now_of(connection) - connection->received_ns;
    connection->received_ns = now_of(connection);
    if (silence_ns > (uint64_t)PROBE_MS * CNI_NET_MILLISECOND)
        connection->probed_ns = 0; /* the peer is back: do not wait for the next probe */
    cni_net_grant(connection);
    if (has_stalled(connection))
        cni_net_close(connection, CN_NET_CLOSE_STALLED, CNI_NET_CODE_STALLED, 0,
                      "messages were not read");
    else
        cni_net_mark_dirty(connection);
}

/*
 * While nothing is acknowledged, ngtcp2 doubles the time between probes, so that after an outage of
 * ten seconds, it would be silent for up to ten more. Here, probes have a longest interval: the
 * library is told that the time of its probe has come. Returns when, CNI_NET_NEVER if there is
 * nothing to probe for.
 */
static uint64_t early_probe_ns(const CniNetConnection *connection)
{
    ngtcp2_conn_stat stats;
    if (connection->state != CNI_NET_ESTABLISHED)
        return CNI_NET_NEVER;
    ngtcp2_conn_get_conn_stat(connection->quic, &stats);
    if (stats.pto_count == 0 || stats.pto_count > MAX_PROBES ||
        stats.loss_detection_timer == UINT64_MAX)
        return CNI_NET_NEVER;
    uint64_t interval_ms = stats.pto_count < FREQUENT_PROBES ? PROBE_MS : LATE_PROBE_MS;
    uint64_t early_ns = connection->probed_ns + interval_ms * CNI_NET_MILLISECOND;
    return early_ns < stats.loss_detection_timer ? early_ns : CNI_NET_NEVER;
}

static uint64_t idle_ns(const CniNetConnection *connection)
{
    return connection->received_ns +
           (uint64_t)connection->endpoint->limits.idle_timeout_ms * CNI_NET_MILLISECOND;
}

void cni_net_schedule(CniNetConnection *connection)
{
    uint64_t due_ns = ngtcp2_conn_get_expiry(connection->quic);
    uint64_t early_ns = early_probe_ns(connection), end_ns = idle_ns(connection);
    if (early_ns < due_ns)
        due_ns = early_ns;
    if (end_ns < due_ns && connection->state == CNI_NET_ESTABLISHED)
        due_ns = end_ns;
    cni_net_timer_set(connection->endpoint, connection, due_ns);
}

/* Returns the time at which the library shall believe to be. */
static uint64_t timer_ns(CniNetConnection *connection)
{
    ngtcp2_conn_stat stats;
    if (early_probe_ns(connection) > now_of(connection))
        return now_of(connection);
    ngtcp2_conn_get_conn_stat(connection->quic, &stats);
    return stats.loss_detection_timer;
}

void cni_net_handle_timer(CniNetConnection *connection)
{
    if (connection->state == CNI_NET_CLOSED) {
        cni_net_end_closing(connection);
        return;
    }
    if (connection->state == CNI_NET_ESTABLISHED && idle_ns(connection) <= now_of(connection)) {
        cni_net_drop(connection, CN_NET_CLOSE_TIMEOUT);
        return;
    }
    int code = ngtcp2_conn_handle_expiry(connection->quic, timer_ns(connection));
    connection->probed_ns = now_of(connection);
    if (code != 0) {
        cni_net_fail(connection, code);
        return;
    }
    cni_net_timer_set(connection->endpoint, connection, CNI_NET_NEVER); /* set after writing */
    cni_net_mark_dirty(connection);
}

/* Packets from the socket: to which connection they belong, and what becomes of the others. Nothing
 * is allocated for a packet that belongs to no connection, unless it begins one that the limits
 * allow. */
#include "net_internal.h"

#include <string.h>

enum {
    MIN_INITIAL_BYTES = 1200,
    MIN_RESET_TRIGGER = 43, /* smaller packets are not answered by a stateless reset */
    RESET_BYTES = 41,
    EVICTION_AGE_MS = 2000, /* handshakes older than this make room for others */
    RETRY_LIFETIME_S = 10
};

static void drop(CnNetEndpoint *endpoint)
{
    endpoint->stats.packets_dropped++;
}

/* ---- Answers without a connection; each is smaller than its packet ---- */

static void send_version_negotiation(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                                     const ngtcp2_version_cid *ids)
{
    static const uint32_t versions[] = {NGTCP2_PROTO_VER_V1};
    uint8_t random = 0;
    if (!cni_net_bucket_take(&endpoint->reset_bucket, endpoint->now_ns)) {
        drop(endpoint);
        return;
    }
    gnutls_rnd(GNUTLS_RND_NONCE, &random, 1);
    uint8_t *packet = cni_net_packet_begin(endpoint);
    ngtcp2_ssize size = ngtcp2_pkt_write_version_negotiation(
        packet, CNI_NET_MAX_PACKET_BYTES, random, ids->scid, ids->scidlen, ids->dcid, ids->dcidlen,
        versions, CN_COUNT_OF(versions));
    if (size > 0)
        cni_net_packet_end(endpoint, peer, (size_t)size);
}

static void send_reset(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                       size_t size)
{
    uint8_t token[NGTCP2_STATELESS_RESET_TOKENLEN];
    uint8_t random[RESET_BYTES - NGTCP2_STATELESS_RESET_TOKENLEN];
    ngtcp2_cid id;
    if (size < MIN_RESET_TRIGGER || !(bytes[1] & 0x80) ||
        !cni_net_bucket_take(&endpoint->reset_bucket, endpoint->now_ns)) {
        drop(endpoint);
        return;
    }
    ngtcp2_cid_init(&id, bytes + 1, CNI_NET_CID_BYTES);
    gnutls_rnd(GNUTLS_RND_NONCE, random, sizeof random);
    if (ngtcp2_crypto_generate_stateless_reset_token(token, endpoint->reset_secret,
                                                     CNI_NET_SECRET_BYTES, &id) != 0)
        return;
    uint8_t *packet = cni_net_packet_begin(endpoint);
    ngtcp2_ssize written = ngtcp2_pkt_write_stateless_reset(packet, CNI_NET_MAX_PACKET_BYTES, token,
                                                            random, sizeof random);
    if (written > 0)
        cni_net_packet_end(endpoint, peer, (size_t)written);
}

static void send_retry(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                       const ngtcp2_pkt_hd *header)
{
    uint8_t token[NGTCP2_CRYPTO_MAX_RETRY_TOKENLEN];
    CniNetSocketAddress storage;
    if (!cni_net_bucket_take(&endpoint->retry_bucket, endpoint->now_ns)) {
        drop(endpoint);
        return;
    }
    ngtcp2_path path = cni_net_path(endpoint, peer, &storage);
    ngtcp2_cid id = cni_net_random_cid();
    ngtcp2_ssize token_size = ngtcp2_crypto_generate_retry_token(
        token, endpoint->retry_secret, CNI_NET_SECRET_BYTES, header->version, path.remote.addr,
        path.remote.addrlen, &id, &header->dcid, endpoint->now_ns);
    if (token_size < 0)
        return;
    uint8_t *packet = cni_net_packet_begin(endpoint);
    ngtcp2_ssize size =
        ngtcp2_crypto_write_retry(packet, CNI_NET_MAX_PACKET_BYTES, header->version, &header->scid,
                                  &id, &header->dcid, token, (size_t)token_size);
    if (size <= 0)
        return;
    endpoint->stats.retries++;
    cni_net_packet_end(endpoint, peer, (size_t)size);
}

static void refuse(CnNetEndpoint *endpoint, const CnNetAddress *peer, const ngtcp2_pkt_hd *header)
{
    endpoint->stats.refused++;
    if (!cni_net_bucket_take(&endpoint->retry_bucket, endpoint->now_ns))
        return;
    uint8_t *packet = cni_net_packet_begin(endpoint);
    ngtcp2_ssize size = ngtcp2_crypto_write_connection_close(
        packet, CNI_NET_MAX_PACKET_BYTES, header->version, &header->scid, &header->dcid,
        NGTCP2_CONNECTION_REFUSED, NULL, 0);
    if (size > 0)
        cni_net_packet_end(endpoint, peer, (size_t)size);
}

/* ---- New connections ---- */

/* Ends the oldest handshake if it has taken long, so that peers that never complete theirs do not
 * keep others out until the timeout. */
static void evict_handshake(CnNetEndpoint *endpoint)
{
    CniNetConnection *oldest = NULL;
    uint64_t age_ns = (uint64_t)EVICTION_AGE_MS * CNI_NET_MILLISECOND;
    for (uint32_t i = 0; i < endpoint->slots.count; i++) {
        CniNetConnection *connection = endpoint->slots.items[i].connection;
        if (connection && connection->is_server && connection->state == CNI_NET_HANDSHAKING &&
            endpoint->now_ns - connection->begun_ns > age_ns &&
            (!oldest || connection->begun_ns < oldest->begun_ns))
            oldest = connection;
    }
    if (oldest)
        cni_net_drop(oldest, CN_NET_CLOSE_UNREACHABLE);
}

static bool has_room(CnNetEndpoint *endpoint)
{
    const CnNetLimits *limits = &endpoint->limits;
    if (endpoint->stats.handshakes >= limits->handshakes)
        evict_handshake(endpoint);
    return endpoint->stats.handshakes < limits->handshakes &&
           endpoint->stats.connections + endpoint->stats.handshakes < limits->connections;
}

static void begin(CnNetEndpoint *endpoint, const CnNetAddress *peer, const ngtcp2_pkt_hd *header,
                  const ngtcp2_cid *original_id, const uint8_t *bytes, size_t size)
{
    if (!has_room(endpoint) || !cni_net_reserve_address(endpoint, peer)) {
        refuse(endpoint, peer, header);
        return;
    }
    CniNetConnection *connection = cni_net_connection_create(endpoint, peer, true);
    if (!connection) {
        cni_net_release_address(endpoint, peer, true);
        drop(endpoint);
        return;
    }
    connection->reserved_address = *peer;
    connection->has_reserved_address = true;
    if (cni_net_begin_server(connection, header, original_id)) {
        cni_net_read(connection, peer, bytes, size);
        return;
    }
    endpoint->stats.failed++;
    cni_net_connection_free(connection);
}

/* Returns whether the token of the packet proves the peer's address. */
static bool check_token(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                        const ngtcp2_pkt_hd *header, ngtcp2_cid *original_id)
{
    CniNetSocketAddress storage;
    if (header->token.len == 0 || header->token.base[0] != NGTCP2_CRYPTO_TOKEN_MAGIC_RETRY ||
        header->token.len > NGTCP2_CRYPTO_MAX_RETRY_TOKENLEN ||
        !cni_net_bucket_take(&endpoint->retry_bucket, endpoint->now_ns))
        return false;
    ngtcp2_path path = cni_net_path(endpoint, peer, &storage);
    return ngtcp2_crypto_verify_retry_token(
               original_id, header->token.base, header->token.len, endpoint->retry_secret,
               CNI_NET_SECRET_BYTES, header->version, path.remote.addr, path.remote.addrlen,
               &header->dcid, (uint64_t)RETRY_LIFETIME_S * CNI_NET_SECOND, endpoint->now_ns) == 0;
}

static void receive_initial(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                            size_t size)
{
    ngtcp2_pkt_hd header;
    ngtcp2_cid original_id;
    if (size < MIN_INITIAL_BYTES || ngtcp2_accept(&header, bytes, size) != 0) {
        drop(endpoint);
        return;
    }
    bool is_proven = check_token(endpoint, peer, &header, &original_id);
    if (header.token.len && !is_proven) {
        drop(endpoint);
        return;
    }
    bool must_prove = endpoint->limits.retry_above == CN_NET_ALWAYS_RETRY ||
                      endpoint->stats.handshakes >= endpoint->limits.retry_above;
    if (!is_proven && must_prove) {
        send_retry(endpoint, peer, &header);
        return;
    }
    if (!cni_net_bucket_take(&endpoint->handshake_bucket, endpoint->now_ns)) {
        drop(endpoint);
        return;
    }
    begin(endpoint, peer, &header, is_proven ? &original_id : NULL, bytes, size);
}

/* ---- Dispatch ---- */

static void receive_long(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                         size_t size)
{
    ngtcp2_version_cid ids;
    int code = ngtcp2_pkt_decode_version_cid(&ids, bytes, size, CNI_NET_CID_BYTES);
    if (code != 0 && code != NGTCP2_ERR_VERSION_NEGOTIATION) {
        drop(endpoint);
        return;
    }
    CniNetConnection *const *connection =
        cn_hash_map_get(&endpoint->cids, cni_net_cid_key(ids.dcid, ids.dcidlen));
    if (connection)
        cni_net_read(*connection, peer, bytes, size);
    else if (!endpoint->is_server || size < MIN_INITIAL_BYTES)
        drop(endpoint);
    else if (code == NGTCP2_ERR_VERSION_NEGOTIATION)
        send_version_negotiation(endpoint, peer, &ids);
    else
        receive_initial(endpoint, peer, bytes, size);
}

static void receive_short(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                          size_t size)
{
    if (size < 1 + CNI_NET_CID_BYTES) {
        drop(endpoint);
        return;
    }
    CniNetConnection *const *connection =
        cn_hash_map_get(&endpoint->cids, cni_net_cid_key(bytes + 1, CNI_NET_CID_BYTES));
    if (!connection && size >= NGTCP2_STATELESS_RESET_TOKENLEN)
        connection = cn_hash_map_get(
            &endpoint->cids, cni_net_token_key(bytes + size - NGTCP2_STATELESS_RESET_TOKENLEN));
    if (connection)
        cni_net_read(*connection, peer, bytes, size);
    else if (endpoint->is_server)
        send_reset(endpoint, peer, bytes, size);
    else
        drop(endpoint);
}

void cni_net_receive_packet(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                            size_t size)
{
    endpoint->stats.packets_received++;
    endpoint->stats.bytes_received += size;
    if (size == 0 || peer->port == 0)
        drop(endpoint);
    else if (cni_net_is_query(bytes, size))
        cni_net_receive_query(endpoint, peer, bytes, size);
    else if (bytes[0] & 0x80)
        receive_long(endpoint, peer, bytes, size);
    else
        receive_short(endpoint, peer, bytes, size);
}

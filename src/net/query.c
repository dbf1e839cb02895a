/*
 * Queries of a server's status without a connection. They cannot be confused with QUIC packets: the
 * first byte is none of a long header, and the second is none that begins a connection id of this
 * module.
 *
 *     query    "-cnq"  nonce: 8 bytes  zeros up to CNI_NET_QUERY_BYTES
 *     answer   "-cna"  nonce: 8 bytes  the status
 *
 * An answer is smaller than a query, so servers do not amplify packets with forged addresses, and
 * whoever answers has seen the nonce.
 */
#include "net_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>

#include <string.h>

enum { HEADER_BYTES = 12, ANSWER_SECONDS = 5 };

static const uint8_t query_magic[4] = {'-', 'c', 'n', 'q'};
static const uint8_t answer_magic[4] = {'-', 'c', 'n', 'a'};

CN_STATIC_ASSERT(HEADER_BYTES + CN_NET_STATUS_BYTES < CNI_NET_QUERY_BYTES,
                 "an answer must be smaller than a query");

bool cni_net_is_query(const uint8_t *bytes, size_t size)
{
    return size >= sizeof query_magic && memcmp(bytes, query_magic, 3) == 0;
}

void cn_net_set_status(CnNetEndpoint *endpoint, const void *bytes, size_t size)
{
    CN_ASSERT(size <= CN_NET_STATUS_BYTES, "a status has at most %u bytes", CN_NET_STATUS_BYTES);
    if (size)
        memcpy(endpoint->status, bytes, size);
    endpoint->status_size = (uint32_t)size;
}

static void answer(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                   size_t size)
{
    if (!endpoint->is_server || !endpoint->status_size || size < CNI_NET_QUERY_BYTES ||
        !cni_net_bucket_take(&endpoint->query_bucket, endpoint->now_ns)) {
        endpoint->stats.queries_dropped++;
        return;
    }
    uint8_t *packet = cni_net_packet_begin(endpoint);
    memcpy(packet, answer_magic, sizeof answer_magic);
    memcpy(packet + sizeof answer_magic, bytes + sizeof query_magic, 8);
    memcpy(packet + HEADER_BYTES, endpoint->status, endpoint->status_size);
    endpoint->stats.queries_answered++;
    cni_net_packet_end(endpoint, peer, HEADER_BYTES + endpoint->status_size);
}

static CniNetQuery *find_query(CnNetEndpoint *endpoint, uint64_t nonce)
{
    for (uint32_t i = 0; i < CNI_NET_QUERIES; i++)
        if (nonce && endpoint->queries[i].nonce == nonce)
            return &endpoint->queries[i];
    return NULL;
}

static void receive_answer(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                           size_t size)
{
    CniNetQuery *query =
        size > HEADER_BYTES ? find_query(endpoint, cn_load_u64(bytes + sizeof answer_magic)) : NULL;
    uint64_t lifetime_ns = (uint64_t)ANSWER_SECONDS * CNI_NET_SECOND;
    if (!query || size > HEADER_BYTES + CN_NET_STATUS_BYTES ||
        endpoint->now_ns - query->sent_ns > lifetime_ns ||
        query->answers >= CNI_NET_MAX_QUERY_ANSWERS ||
        (!query->is_broadcast && !cn_net_address_equal(peer, &query->address))) {
        endpoint->stats.packets_dropped++;
        return;
    }
    const CnNetEvent event = {.kind = CN_NET_STATUS,
                              .id = query->id,
                              .address = *peer,
                              .rtt_us = (uint32_t)((endpoint->now_ns - query->sent_ns) / 1000),
                              .bytes = bytes + HEADER_BYTES,
                              .size = size - HEADER_BYTES};
    query->answers++;
    if (!query->is_broadcast)
        query->nonce = 0;
    cni_net_event_add(endpoint, &event); /* without memory, the server seems not to answer */
}

void cni_net_receive_query(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                           size_t size)
{
    if (memcmp(bytes, query_magic, sizeof query_magic) == 0)
        answer(endpoint, peer, bytes, size);
    else if (memcmp(bytes, answer_magic, sizeof answer_magic) == 0)
        receive_answer(endpoint, peer, bytes, size);
    else
        endpoint->stats.packets_dropped++;
}

/* Addresses from which any server may answer: multicast, and IPv4 addresses that may be those of a
 * broadcast. */
static bool is_broadcast(const CnNetAddress *address)
{
    if (!cni_net_address_is_v4(address))
        return address->ip[0] == 0xff;
    return address->ip[15] == 0xff || (address->ip[12] & 0xf0) == 0xe0;
}

static CniNetQuery *free_query(CnNetEndpoint *endpoint)
{
    uint64_t lifetime_ns = (uint64_t)ANSWER_SECONDS * CNI_NET_SECOND;
    for (uint32_t i = 0; i < CNI_NET_QUERIES; i++) {
        CniNetQuery *query = &endpoint->queries[i];
        if (!query->nonce || endpoint->now_ns - query->sent_ns > lifetime_ns)
            return query;
    }
    return NULL;
}

bool cn_net_query(CnNetEndpoint *endpoint, const CnNetAddress *address, uint64_t id)
{
    cni_net_update_clock(endpoint);
    CniNetQuery *query = free_query(endpoint);
    if (!query)
        return false;
    *query = (CniNetQuery){.id = id,
                           .sent_ns = endpoint->now_ns,
                           .address = *address,
                           .is_broadcast = is_broadcast(address)};
    gnutls_rnd(GNUTLS_RND_RANDOM, &query->nonce, sizeof query->nonce);
    query->nonce |= 1; /* 0 means free */
    uint8_t *packet = cni_net_packet_begin(endpoint);
    memset(packet, 0, CNI_NET_QUERY_BYTES);
    memcpy(packet, query_magic, sizeof query_magic);
    memcpy(packet + sizeof query_magic, &query->nonce, sizeof query->nonce);
    cni_net_packet_end(endpoint, address, CNI_NET_QUERY_BYTES);
    return true;
}

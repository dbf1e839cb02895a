/* What the QUIC library calls. Nothing here may free a connection: a callback that fails notes the
 * cause and returns an error, and the caller of the library ends the connection. */
#include "net_internal.h"

#include <string.h>

static int fail(CniNetConnection *connection, CnNetCloseCause cause, const char *text)
{
    if (!connection->is_failing) {
        connection->is_failing = true;
        connection->cause = cause;
        cn_copy_text(connection->text, sizeof connection->text, cn_text(text));
    }
    return NGTCP2_ERR_CALLBACK_FAILURE;
}

static int fail_memory(CniNetConnection *connection)
{
    return fail(connection, CN_NET_CLOSE_INTERNAL, "out of memory");
}

static void make_random(uint8_t *bytes, size_t size, const ngtcp2_rand_ctx *context)
{
    (void)context;
    gnutls_rnd(GNUTLS_RND_NONCE, bytes, size);
}

static int get_new_id(ngtcp2_conn *quic, ngtcp2_cid *cid, uint8_t *token, size_t size, void *user)
{
    (void)quic, (void)size;
    CniNetConnection *connection = user;
    *cid = cni_net_random_cid();
    if (ngtcp2_crypto_generate_stateless_reset_token(token, connection->endpoint->reset_secret,
                                                     CNI_NET_SECRET_BYTES, cid) != 0 ||
        !cni_net_key_add(connection, cni_net_cid_key(cid->data, cid->datalen)))
        return fail_memory(connection);
    return 0;
}

static int remove_id(ngtcp2_conn *quic, const ngtcp2_cid *cid, void *user)
{
    (void)quic;
    cni_net_key_remove(user, cni_net_cid_key(cid->data, cid->datalen));
    return 0;
}

/* A stateless reset has no connection id, so it is found by its token. Without memory for it, the
 * connection ends by the idle timeout instead. */
static int note_token(ngtcp2_conn *quic, int type, uint64_t number, const ngtcp2_cid *cid,
                      const uint8_t *token, void *user)
{
    (void)quic, (void)number, (void)cid;
    if (!token)
        return 0;
    if (type == NGTCP2_CONNECTION_ID_STATUS_TYPE_ACTIVATE)
        cni_net_key_add(user, cni_net_token_key(token));
    else
        cni_net_key_remove(user, cni_net_token_key(token));
    return 0;
}

/* ---- Handshake ---- */

static int complete_handshake(ngtcp2_conn *quic, void *user)
{
    CniNetConnection *connection = user;
    CnNetEndpoint *endpoint = connection->endpoint;
    gnutls_datum_t protocol;
    if (!connection->has_peer_key)
        return fail(connection, CN_NET_CLOSE_HANDSHAKE, "the peer has no key");
    if (gnutls_alpn_get_selected_protocol(connection->tls, &protocol) != 0)
        return fail(connection, CN_NET_CLOSE_PROTOCOL_NAME, "the peer names no protocol");
    const ngtcp2_transport_params *remote = ngtcp2_conn_get_remote_transport_params(quic);
    if (remote->max_datagram_frame_size < CN_NET_DATAGRAM_BYTES + 8u)
        return fail(connection, CN_NET_CLOSE_VIOLATION, "the peer does not receive datagrams");
    const CnNetEvent event = {
        .kind = CN_NET_CONNECTED, .connection = connection->handle, .address = connection->peer};
    if (!cni_net_event_add(endpoint, &event))
        return fail_memory(connection);
    connection->state = CNI_NET_ESTABLISHED;
    connection->is_known = true;
    endpoint->stats.handshakes--;
    endpoint->stats.connections++;
    endpoint->stats.accepted += connection->is_server;
    if (connection->has_reserved_address)
        cni_net_handshake_done(endpoint, &connection->reserved_address);
    return 0;
}

static int note_reset(ngtcp2_conn *quic, const ngtcp2_pkt_stateless_reset *reset, void *user)
{
    (void)quic, (void)reset;
    CniNetConnection *connection = user;
    connection->was_reset = true;
    return 0;
}

static int note_path(ngtcp2_conn *quic, uint32_t flags, const ngtcp2_path *path,
                     ngtcp2_path_validation_result result, void *user)
{
    (void)quic, (void)flags;
    CniNetConnection *connection = user;
    CniNetSocketAddress address = {0};
    if (result != NGTCP2_PATH_VALIDATION_RESULT_SUCCESS || path->remote.addrlen > sizeof address)
        return 0;
    memcpy(&address, path->remote.addr, path->remote.addrlen);
    connection->peer = cni_net_address_from_socket(&address);
    return 0;
}

/* ---- Streams ---- */

typedef struct Delivery {
    CniNetConnection *connection;
    uint32_t channel;
} Delivery;

static bool deliver(const uint8_t *bytes, size_t size, void *user)
{
    const Delivery *delivery = user;
    const CnNetEvent event = {.kind = CN_NET_MESSAGE,
                              .connection = delivery->connection->handle,
                              .channel = delivery->channel,
                              .bytes = bytes,
                              .size = size};
    if (!cni_net_event_add(delivery->connection->endpoint, &event))
        return false;
    delivery->connection->unread_bytes += size;
    return true;
}

static int receive_stream(ngtcp2_conn *quic, uint32_t flags, int64_t stream, uint64_t offset,
                          const uint8_t *bytes, size_t size, void *user, void *stream_user)
{
    (void)offset, (void)stream_user;
    CniNetConnection *connection = user;
    uint64_t index = (uint64_t)stream >> 2;
    if (index == CN_NET_CHANNELS && !ngtcp2_is_bidi_stream(stream)) { /* the pulse */
        ngtcp2_conn_extend_max_offset(quic, size);
        return ngtcp2_conn_extend_max_stream_offset(quic, stream, size) == 0
                   ? 0
                   : fail_memory(connection);
    }
    if (index >= CN_NET_CHANNELS || ngtcp2_is_bidi_stream(stream))
        return fail(connection, CN_NET_CLOSE_VIOLATION, "unknown channel");
    if (flags & NGTCP2_STREAM_DATA_FLAG_FIN)
        return fail(connection, CN_NET_CLOSE_VIOLATION, "a channel was ended");
    CniNetChannel *channel = &connection->channels[index];
    Delivery delivery = {connection, (uint32_t)index};
    channel->remote_stream = stream;
    channel->owed_bytes += size;
    switch (cni_net_receiver_read(&channel->receiver, connection->endpoint->allocator,
                                  connection->endpoint->limits.message_bytes, bytes, size, deliver,
                                  &delivery)) {
    case CNI_NET_TOO_LONG:
        return fail(connection, CN_NET_CLOSE_VIOLATION, "a message is too long");
    case CNI_NET_NO_MEMORY:
        return fail_memory(connection);
    case CNI_NET_RECEIVED:
        break;
    }
    return 0;
}

static int refuse_reset(ngtcp2_conn *quic, int64_t stream, uint64_t final_size, uint64_t code,
                        void *user, void *stream_user)
{
    (void)quic, (void)stream, (void)final_size, (void)code, (void)stream_user;
    return fail(user, CN_NET_CLOSE_VIOLATION, "a channel was reset");
}

static int refuse_close(ngtcp2_conn *quic, uint32_t flags, int64_t stream, uint64_t code,
                        void *user, void *stream_user)
{
    (void)quic, (void)flags, (void)stream, (void)code, (void)stream_user;
    return fail(user, CN_NET_CLOSE_VIOLATION, "a channel was closed");
}

static int release_acked(ngtcp2_conn *quic, int64_t stream, uint64_t offset, uint64_t size,
                         void *user, void *stream_user)
{
    (void)quic, (void)offset, (void)stream_user;
    CniNetConnection *connection = user;
    if (stream == connection->pulse_stream)
        connection->has_pulse_in_flight = false;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++)
        if (connection->channels[i].stream == stream) {
            cni_net_sender_acked(&connection->channels[i].sender, &connection->endpoint->blocks,
                                 size);
            connection->progress_ns = connection->endpoint->now_ns;
        }
    return 0;
}

/* ---- Datagrams ---- */

static int receive_datagram(ngtcp2_conn *quic, uint32_t flags, const uint8_t *bytes, size_t size,
                            void *user)
{
    (void)quic, (void)flags;
    CniNetConnection *connection = user;
    const CnNetEvent event = {
        .kind = CN_NET_DATAGRAM, .connection = connection->handle, .bytes = bytes, .size = size};
    if (connection->unread_bytes > connection->endpoint->limits.unread_bytes ||
        !cni_net_event_add(connection->endpoint, &event))
        connection->endpoint->stats.datagrams_dropped++;
    else
        connection->unread_bytes += size;
    return 0;
}

static void report_datagram(CniNetConnection *connection, CnNetEventKind kind, uint64_t id)
{
    const CnNetEvent event = {.kind = kind, .connection = connection->handle, .id = id};
    if (id != 0)
        cni_net_event_add(connection->endpoint, &event); /* without memory, it stays unknown */
}

static int note_acked_datagram(ngtcp2_conn *quic, uint64_t id, void *user)
{
    (void)quic;
    report_datagram(user, CN_NET_DATAGRAM_ACKED, id);
    return 0;
}

static int note_lost_datagram(ngtcp2_conn *quic, uint64_t id, void *user)
{
    (void)quic;
    CniNetConnection *connection = user;
    connection->datagrams_lost += id != 0;
    report_datagram(connection, CN_NET_DATAGRAM_LOST, id);
    return 0;
}

void cni_net_set_callbacks(ngtcp2_callbacks *callbacks, bool is_server)
{
    *callbacks = (ngtcp2_callbacks){
        .recv_crypto_data = ngtcp2_crypto_recv_crypto_data_cb,
        .handshake_completed = complete_handshake,
        .encrypt = ngtcp2_crypto_encrypt_cb,
        .decrypt = ngtcp2_crypto_decrypt_cb,
        .hp_mask = ngtcp2_crypto_hp_mask_cb,
        .recv_stream_data = receive_stream,
        .acked_stream_data_offset = release_acked,
        .stream_close = refuse_close,
        .stream_reset = refuse_reset,
        .recv_stateless_reset = note_reset,
        .dcid_status = note_token,
        .rand = make_random,
        .get_new_connection_id = get_new_id,
        .remove_connection_id = remove_id,
        .update_key = ngtcp2_crypto_update_key_cb,
        .path_validation = note_path,
        .delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb,
        .delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb,
        .recv_datagram = receive_datagram,
        .ack_datagram = note_acked_datagram,
        .lost_datagram = note_lost_datagram,
        .get_path_challenge_data = ngtcp2_crypto_get_path_challenge_data_cb,
        .version_negotiation = ngtcp2_crypto_version_negotiation_cb,
    };
    if (is_server) {
        callbacks->recv_client_initial = ngtcp2_crypto_recv_client_initial_cb;
    } else {
        callbacks->client_initial = ngtcp2_crypto_client_initial_cb;
        callbacks->recv_retry = ngtcp2_crypto_recv_retry_cb;
    }
}

/* The ends of connections: causes, what the peer is told, and what it told. */
#include "net_internal.h"

#include <string.h>

enum { MIN_CLOSING_MS = 100, MAX_CLOSING_MS = 3000, ALERT_NO_PROTOCOL = 120 };

const char *cn_net_close_cause_text(CnNetCloseCause cause)
{
    switch (cause) {
    case CN_NET_CLOSE_LOCAL:
        return "closed";
    case CN_NET_CLOSE_PEER:
        return "closed by the peer";
    case CN_NET_CLOSE_SHUTDOWN:
        return "the peer was shut down";
    case CN_NET_CLOSE_UNREACHABLE:
        return "no answer";
    case CN_NET_CLOSE_TIMEOUT:
        return "the peer has stopped answering";
    case CN_NET_CLOSE_STALLED:
        return "the peer does not receive fast enough";
    case CN_NET_CLOSE_REFUSED:
        return "refused: too many connections";
    case CN_NET_CLOSE_WRONG_KEY:
        return "the server's key is not the expected one";
    case CN_NET_CLOSE_HANDSHAKE:
        return "the peer could not be authenticated";
    case CN_NET_CLOSE_PROTOCOL_NAME:
        return "another program, or another version of it";
    case CN_NET_CLOSE_RESET:
        return "the peer was restarted";
    case CN_NET_CLOSE_VIOLATION:
        return "violation of the protocol";
    case CN_NET_CLOSE_INTERNAL:
        return "internal error";
    }
    return "unknown";
}

/* ---- Ending ---- */

static void report(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    const CnNetEvent event = {.kind = CN_NET_CLOSED,
                              .connection = connection->handle,
                              .cause = connection->cause,
                              .reason = connection->reason,
                              .address = connection->peer,
                              .bytes = (const uint8_t *)connection->text,
                              .size = strlen(connection->text) + 1};
    connection->has_close_event = cni_net_event_add(endpoint, &event);
}

/* Frees what a connection needs while it is open. The rest remains for late packets of the peer and
 * until the application has fetched the last event. */
static void end(CniNetConnection *connection, CnNetCloseCause cause)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    uint64_t closing_ns = 3 * ngtcp2_conn_get_pto(connection->quic);
    if (closing_ns < (uint64_t)MIN_CLOSING_MS * CNI_NET_MILLISECOND)
        closing_ns = (uint64_t)MIN_CLOSING_MS * CNI_NET_MILLISECOND;
    if (closing_ns > (uint64_t)MAX_CLOSING_MS * CNI_NET_MILLISECOND)
        closing_ns = (uint64_t)MAX_CLOSING_MS * CNI_NET_MILLISECOND;
    connection->cause = cause;
    endpoint->stats.failed += connection->is_server && connection->state == CNI_NET_HANDSHAKING;
    cni_net_free_quic(connection);
    if (connection->is_known)
        report(connection);
    else
        connection->has_close_event = connection->close_fetched = true;
    cni_net_timer_set(endpoint, connection, endpoint->now_ns + closing_ns);
}

void cni_net_end_closing(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    if (!connection->has_close_event) /* memory was exhausted */
        report(connection);
    if (!connection->has_close_event) {
        cni_net_timer_set(endpoint, connection,
                          endpoint->now_ns + (uint64_t)MIN_CLOSING_MS * CNI_NET_MILLISECOND);
        return;
    }
    cni_net_timer_set(endpoint, connection, CNI_NET_NEVER);
    if (connection->close_fetched) {
        cni_net_connection_free(connection);
        return;
    }
    while (connection->cid_count)
        cn_hash_map_remove(&endpoint->cids, connection->cids[--connection->cid_count]);
}

static void send_close(CniNetConnection *connection, const ngtcp2_connection_close_error *error)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    uint8_t *packet = cni_net_packet_begin(endpoint);
    CniNetSocketAddress storage;
    ngtcp2_path path = cni_net_path(endpoint, &connection->peer, &storage);
    ngtcp2_pkt_info info;
    ngtcp2_ssize size = ngtcp2_conn_write_connection_close(
        connection->quic, &path, &info, packet, CNI_NET_MAX_PACKET_BYTES, error, endpoint->now_ns);
    if (size <= 0)
        return;
    connection->close_packet = cn_alloc(endpoint->allocator, (size_t)size);
    if (connection->close_packet) {
        memcpy(connection->close_packet, packet, (size_t)size);
        connection->close_packet_size = (uint32_t)size;
    }
    cni_net_packet_end(endpoint, &connection->peer, (size_t)size);
}

void cni_net_repeat_close(CniNetConnection *connection)
{
    /* After 1, 2, 4, 8 packets and so on: two peers must not answer each other for ever. */
    uint32_t received = ++connection->close_packet_received;
    if (!connection->close_packet || (received & (received - 1)))
        return;
    uint8_t *packet = cni_net_packet_begin(connection->endpoint);
    memcpy(packet, connection->close_packet, connection->close_packet_size);
    cni_net_packet_end(connection->endpoint, &connection->peer, connection->close_packet_size);
}

void cni_net_close(CniNetConnection *connection, CnNetCloseCause cause, uint64_t code,
                   uint32_t reason, const char *text)
{
    if (connection->state == CNI_NET_CLOSED)
        return;
    ngtcp2_connection_close_error error;
    cn_text_escape(cn_text(text), connection->text, sizeof connection->text);
    connection->reason = reason;
    ngtcp2_connection_close_error_default(&error);
    const uint8_t *bytes = (const uint8_t *)connection->text;
    size_t size = strlen(connection->text);
    /* During the handshake, ngtcp2 has no application errors, and asserts that nobody tries. */
    if (connection->is_confirmed)
        ngtcp2_connection_close_error_set_application_error(&error, code, bytes, size);
    else
        ngtcp2_connection_close_error_set_transport_error(&error, NGTCP2_APPLICATION_ERROR, bytes,
                                                          size);
    send_close(connection, &error);
    end(connection, cause);
}

void cni_net_drop(CniNetConnection *connection, CnNetCloseCause cause)
{
    if (connection->state != CNI_NET_CLOSED)
        end(connection, cause);
}

/* ---- Errors of ngtcp2 ---- */

static CnNetCloseCause cause_of_transport(uint64_t code)
{
    if (code == NGTCP2_NO_ERROR)
        return CN_NET_CLOSE_SHUTDOWN;
    if (code == NGTCP2_CONNECTION_REFUSED)
        return CN_NET_CLOSE_REFUSED;
    if (code == NGTCP2_APPLICATION_ERROR) /* the peer called cn_net_close during the handshake */
        return CN_NET_CLOSE_PEER;
    if (code == NGTCP2_INTERNAL_ERROR)
        return CN_NET_CLOSE_INTERNAL;
    if (code == (NGTCP2_CRYPTO_ERROR | ALERT_NO_PROTOCOL))
        return CN_NET_CLOSE_PROTOCOL_NAME;
    if (code >= NGTCP2_CRYPTO_ERROR && code < NGTCP2_CRYPTO_ERROR + 256u)
        return CN_NET_CLOSE_HANDSHAKE;
    return CN_NET_CLOSE_VIOLATION;
}

static CnNetCloseCause cause_of_application(uint64_t code)
{
    if (code < CNI_NET_CODE_BASE)
        return CN_NET_CLOSE_PEER;
    if (code == CNI_NET_CODE_SHUTDOWN)
        return CN_NET_CLOSE_SHUTDOWN;
    if (code == CNI_NET_CODE_STALLED)
        return CN_NET_CLOSE_STALLED;
    if (code == CNI_NET_CODE_INTERNAL)
        return CN_NET_CLOSE_INTERNAL;
    return CN_NET_CLOSE_VIOLATION;
}

static void end_as_peer_said(CniNetConnection *connection)
{
    ngtcp2_connection_close_error error;
    ngtcp2_conn_get_connection_close_error(connection->quic, &error);
    if (connection->was_reset) {
        cni_net_drop(connection, CN_NET_CLOSE_RESET);
        return;
    }
    bool is_application = error.type == NGTCP2_CONNECTION_CLOSE_ERROR_CODE_TYPE_APPLICATION;
    CnNetCloseCause cause = is_application ? cause_of_application(error.error_code)
                                           : cause_of_transport(error.error_code);
    if (is_application && cause == CN_NET_CLOSE_PEER)
        connection->reason = (uint32_t)error.error_code;
    CnText text = {(const char *)error.reason, error.reasonlen};
    cn_text_escape(text, connection->text, sizeof connection->text);
    cni_net_drop(connection, cause);
}

static uint64_t code_of(CnNetCloseCause cause)
{
    return cause == CN_NET_CLOSE_INTERNAL ? CNI_NET_CODE_INTERNAL : CNI_NET_CODE_VIOLATION;
}

static void end_tls(CniNetConnection *connection)
{
    ngtcp2_connection_close_error error;
    uint8_t alert = ngtcp2_conn_get_tls_alert(connection->quic);
    ngtcp2_connection_close_error_default(&error);
    ngtcp2_connection_close_error_set_transport_error_tls_alert(&error, alert, NULL, 0);
    send_close(connection, &error);
    end(connection, connection->has_wrong_key    ? CN_NET_CLOSE_WRONG_KEY
                    : alert == ALERT_NO_PROTOCOL ? CN_NET_CLOSE_PROTOCOL_NAME
                                                 : CN_NET_CLOSE_HANDSHAKE);
}

static void end_with_error(CniNetConnection *connection, int code)
{
    ngtcp2_connection_close_error error;
    bool is_internal = code == NGTCP2_ERR_NOMEM || code == NGTCP2_ERR_INTERNAL ||
                       code == NGTCP2_ERR_CALLBACK_FAILURE;
    ngtcp2_connection_close_error_default(&error);
    ngtcp2_connection_close_error_set_transport_error_liberr(&error, code, NULL, 0);
    cn_copy_text(connection->text, sizeof connection->text, cn_text(ngtcp2_strerror(code)));
    if (code != NGTCP2_ERR_NOMEM)
        send_close(connection, &error);
    end(connection, is_internal ? CN_NET_CLOSE_INTERNAL : CN_NET_CLOSE_VIOLATION);
}

void cni_net_fail(CniNetConnection *connection, int code)
{
    bool is_handshake = connection->state == CNI_NET_HANDSHAKING;
    char text[CN_NET_REASON_BYTES];
    if (connection->is_failing) {
        cn_copy_text(text, sizeof text, cn_text(connection->text));
        cni_net_close(connection, connection->cause, code_of(connection->cause), 0, text);
        return;
    }
    switch (code) {
    case NGTCP2_ERR_DRAINING:
        end_as_peer_said(connection);
        return;
    case NGTCP2_ERR_IDLE_CLOSE:
        cni_net_drop(connection, is_handshake ? CN_NET_CLOSE_UNREACHABLE : CN_NET_CLOSE_TIMEOUT);
        return;
    case NGTCP2_ERR_HANDSHAKE_TIMEOUT:
        cni_net_drop(connection, CN_NET_CLOSE_UNREACHABLE);
        return;
    case NGTCP2_ERR_RECV_VERSION_NEGOTIATION:
    case NGTCP2_ERR_VERSION_NEGOTIATION_FAILURE:
        cni_net_drop(connection, CN_NET_CLOSE_PROTOCOL_NAME);
        return;
    case NGTCP2_ERR_CLOSING:
    case NGTCP2_ERR_DROP_CONN:
    case NGTCP2_ERR_RETRY:
        cni_net_drop(connection, CN_NET_CLOSE_VIOLATION);
        return;
    case NGTCP2_ERR_CRYPTO:
        end_tls(connection);
        return;
    default:
        end_with_error(connection, code);
    }
}

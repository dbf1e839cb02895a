/*
 * Filling packets: datagrams first, then the channels in turn, then whatever QUIC itself has to
 * send. Small data of several channels share a packet.
 *
 * ngtcp2 probes for a lost acknowledgement only while it waits for one of stream data. If all of
 * the congestion window were filled with datagrams that an outage swallowed, nothing would ever be
 * sent again. So datagrams are accompanied by a pulse: one byte in a stream of its own, as long as
 * none is in flight.
 */
#include "net_internal.h"

enum { MAX_SPANS = 4, MAX_UNPACED_PACKETS = 8 };

/* What a call of the library wrote. */
typedef struct Write {
    ngtcp2_path *path;
    ngtcp2_pkt_info *info;
    uint8_t *packet;
    ngtcp2_ssize result; /* size of a complete packet; 0: nothing; an error */
    bool is_open;        /* the packet has room for more */
} Write;

static void write_datagram(CniNetConnection *connection, Write *write)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    CniNetDatagram *datagram = connection->first_datagram;
    const ngtcp2_vec data = {datagram->bytes, datagram->size};
    int accepted = 0;
    write->result = ngtcp2_conn_writev_datagram(
        connection->quic, write->path, write->info, write->packet, CNI_NET_MAX_PACKET_BYTES,
        &accepted, NGTCP2_WRITE_DATAGRAM_FLAG_MORE, datagram->id, &data, 1, endpoint->now_ns);
    if (!accepted)
        return;
    connection->first_datagram = datagram->next;
    if (!datagram->next)
        connection->last_datagram = NULL;
    connection->datagram_count--;
    connection->progress_ns = endpoint->now_ns;
    connection->needs_pulse = !connection->has_pulse_in_flight;
    cn_pool_release(&endpoint->datagrams, datagram);
}

static void write_pulse(CniNetConnection *connection, Write *write)
{
    static uint8_t byte;
    const ngtcp2_vec data = {&byte, 1};
    ngtcp2_ssize sent = -1;
    connection->needs_pulse = false;
    write->result =
        ngtcp2_conn_writev_stream(connection->quic, write->path, write->info, write->packet,
                                  CNI_NET_MAX_PACKET_BYTES, &sent, NGTCP2_WRITE_STREAM_FLAG_MORE,
                                  connection->pulse_stream, &data, 1, connection->endpoint->now_ns);
    connection->has_pulse_in_flight = sent > 0;
}

/* Returns the next channel that has something to send, or NULL. */
static CniNetChannel *pick_channel(CniNetConnection *connection)
{
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++) {
        uint32_t index = (connection->next_channel + i) % CN_NET_CHANNELS;
        CniNetChannel *channel = &connection->channels[index];
        if (channel->is_blocked || !channel->sender.unsent_bytes)
            continue;
        connection->next_channel = (index + 1) % CN_NET_CHANNELS;
        return channel;
    }
    return NULL;
}

static void write_channel(CniNetConnection *connection, CniNetChannel *channel, Write *write)
{
    CniNetSpan spans[MAX_SPANS];
    ngtcp2_vec data[MAX_SPANS];
    uint32_t count = cni_net_sender_next(&channel->sender, spans, MAX_SPANS);
    for (uint32_t i = 0; i < count; i++)
        data[i] = (ngtcp2_vec){(uint8_t *)spans[i].bytes, spans[i].size};
    ngtcp2_ssize sent = -1;
    write->result = ngtcp2_conn_writev_stream(
        connection->quic, write->path, write->info, write->packet, CNI_NET_MAX_PACKET_BYTES, &sent,
        NGTCP2_WRITE_STREAM_FLAG_MORE, channel->stream, data, count, connection->endpoint->now_ns);
    if (sent > 0)
        cni_net_sender_sent(&channel->sender, (size_t)sent);
    if (write->result == NGTCP2_ERR_STREAM_DATA_BLOCKED || write->result == 0)
        channel->is_blocked = true; /* 0: by congestion; the last write has the rest to say */
}

/* Adds data to the packet, until it is complete or there is none. */
static void fill_packet(CniNetConnection *connection, Write *write)
{
    bool can_send = connection->state == CNI_NET_ESTABLISHED;
    for (;;) {
        CniNetChannel *channel = NULL;
        if (can_send && connection->first_datagram) {
            write_datagram(connection, write);
        } else if (can_send && connection->needs_pulse && connection->pulse_stream >= 0) {
            write_pulse(connection, write);
        } else if (can_send && (channel = pick_channel(connection)) != NULL) {
            write_channel(connection, channel, write);
        } else {
            write->result = ngtcp2_conn_writev_stream(
                connection->quic, write->path, write->info, write->packet, CNI_NET_MAX_PACKET_BYTES,
                NULL, NGTCP2_WRITE_STREAM_FLAG_NONE, -1, NULL, 0, connection->endpoint->now_ns);
            return;
        }
        if (write->result != NGTCP2_ERR_WRITE_MORE &&
            write->result != NGTCP2_ERR_STREAM_DATA_BLOCKED)
            return;
    }
}

static void open_streams(CniNetConnection *connection)
{
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++) {
        CniNetChannel *channel = &connection->channels[i];
        channel->is_blocked = false;
        /* All of them in order, so that the number of a stream says its channel. */
        if (channel->stream < 0 &&
            ngtcp2_conn_open_uni_stream(connection->quic, &channel->stream, NULL) != 0)
            channel->is_blocked = true;
    }
    if (connection->pulse_stream < 0)
        ngtcp2_conn_open_uni_stream(connection->quic, &connection->pulse_stream, NULL);
}

static bool has_data(const CniNetConnection *connection)
{
    bool has = connection->first_datagram != NULL;
    for (uint32_t i = 0; i < CN_NET_CHANNELS; i++)
        has = has || connection->channels[i].sender.unsent_bytes;
    return has;
}

bool cni_net_write(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    uint32_t sent = 0;
    if (connection->state == CNI_NET_ESTABLISHED && has_data(connection))
        open_streams(connection);
    for (; sent < CNI_NET_BURST; sent++) {
        CniNetSocketAddress local = {0}, remote = {0};
        ngtcp2_path used = {.local = {&local.any, 0}, .remote = {&remote.any, 0}};
        ngtcp2_pkt_info info = {0};
        Write write = {.path = &used, .info = &info, .packet = cni_net_packet_begin(endpoint)};
        fill_packet(connection, &write);
        if (write.result < 0) {
            cni_net_fail(connection, (int)write.result);
            return false;
        }
        if (write.result == 0)
            break;
        CnNetAddress peer =
            used.remote.addrlen ? cni_net_address_from_socket(&remote) : connection->peer;
        connection->packets_sent++;
        connection->bytes_sent += (uint64_t)write.result;
        cni_net_packet_end(endpoint, &peer, (size_t)write.result);
    }
    /* Each call sets a timer that paces the next packets. Few packets need no pacing, and their
     * bytes count when it is called later. */
    connection->unpaced_packets += sent;
    if (connection->unpaced_packets >= MAX_UNPACED_PACKETS || has_data(connection)) {
        ngtcp2_conn_update_pkt_tx_time(connection->quic, endpoint->now_ns);
        connection->unpaced_packets = 0;
    }
    connection->is_confirmed = connection->state == CNI_NET_ESTABLISHED;
    return sent == CNI_NET_BURST;
}

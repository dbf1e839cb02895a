/* Packets between the socket, the simulated network and the connections. */
#include "net_internal.h"

#include <string.h>

enum { MAX_BATCHES = 32 }; /* received per call */

uint8_t *cni_net_packet_begin(CnNetEndpoint *endpoint)
{
    if (endpoint->out.count == CNI_NET_BATCH)
        cni_net_packets_flush(endpoint);
    return endpoint->out.bytes[endpoint->out.count];
}

void cni_net_packet_end(CnNetEndpoint *endpoint, const CnNetAddress *peer, size_t size)
{
    CniNetBatch *out = &endpoint->out;
    endpoint->stats.packets_sent++;
    endpoint->stats.bytes_sent += size;
    if (cni_net_link_in_use(&endpoint->link)) {
        cni_net_link_put(&endpoint->link, CNI_NET_OUT, peer, out->bytes[out->count], size,
                         endpoint->now_ns);
        return;
    }
    out->peers[out->count] = *peer;
    out->sizes[out->count] = (uint32_t)size;
    out->count++;
}

void cni_net_packets_flush(CnNetEndpoint *endpoint)
{
    if (endpoint->out.count)
        cni_net_socket_send(endpoint->socket, &endpoint->out);
    endpoint->out.count = 0;
}

bool cni_net_packets_receive(CnNetEndpoint *endpoint, CnError *error)
{
    for (uint32_t i = 0; i < MAX_BATCHES; i++) {
        uint32_t count;
        if (!cni_net_socket_receive(endpoint->socket, &count, error))
            return false;
        for (uint32_t k = 0; k < count; k++) {
            size_t size;
            CnNetAddress peer;
            const uint8_t *bytes = cni_net_socket_packet(endpoint->socket, k, &size, &peer);
            if (cni_net_link_in_use(&endpoint->link))
                cni_net_link_put(&endpoint->link, CNI_NET_IN, &peer, bytes, size, endpoint->now_ns);
            else
                cni_net_receive_packet(endpoint, &peer, bytes, size);
        }
        if (count < CNI_NET_BATCH)
            break;
    }
    return true;
}

static void send_delayed(CnNetEndpoint *endpoint, const CniNetDelayed *packet)
{
    CniNetBatch *out = &endpoint->out;
    memcpy(cni_net_packet_begin(endpoint), packet->bytes, packet->size);
    out->peers[out->count] = packet->peer;
    out->sizes[out->count] = packet->size;
    out->count++;
}

void cni_net_packets_release(CnNetEndpoint *endpoint)
{
    CniNetDelayed packet;
    while (cni_net_link_take(&endpoint->link, CNI_NET_IN, endpoint->now_ns, &packet)) {
        cni_net_receive_packet(endpoint, &packet.peer, packet.bytes, packet.size);
        cni_net_link_free(&endpoint->link, &packet);
    }
    while (cni_net_link_take(&endpoint->link, CNI_NET_OUT, endpoint->now_ns, &packet)) {
        send_delayed(endpoint, &packet);
        cni_net_link_free(&endpoint->link, &packet);
    }
}

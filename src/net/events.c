/* The queue of events. Their bytes lie in one buffer, in the order of the events. */
#include "net_internal.h"

#include <string.h>

enum { KEPT_BYTES = 1 << 18 }; /* a larger buffer is freed when all events have been fetched */

bool cni_net_event_add(CnNetEndpoint *endpoint, const CnNetEvent *event)
{
    CniNetEvent added = {.event = *event, .offset = endpoint->event_bytes.count};
    added.event.bytes = NULL;
    if (!cn_array_reserve(&endpoint->events, (uint64_t)endpoint->events.count + 1u) ||
        !cn_bytes_append(&endpoint->event_bytes, event->bytes, event->size))
        return false;
    return cn_array_push(&endpoint->events, added);
}

void cni_net_events_compact(CnNetEndpoint *endpoint)
{
    uint32_t fetched = endpoint->next_event;
    if (fetched == endpoint->events.count) {
        cn_array_clear(&endpoint->events);
        cn_array_clear(&endpoint->event_bytes);
        if (endpoint->event_bytes.capacity > KEPT_BYTES)
            cn_array_fini(&endpoint->event_bytes);
        endpoint->next_event = 0;
        return;
    }
    if (fetched < endpoint->events.count / 2)
        return;
    size_t bytes = endpoint->events.items[fetched].offset;
    endpoint->events.count -= fetched;
    memmove(endpoint->events.items, endpoint->events.items + fetched,
            endpoint->events.count * sizeof *endpoint->events.items);
    endpoint->event_bytes.count -= (uint32_t)bytes;
    if (endpoint->event_bytes.count)
        memmove(endpoint->event_bytes.items, endpoint->event_bytes.items + bytes,
                endpoint->event_bytes.count);
    for (uint32_t i = 0; i < endpoint->events.count; i++)
        endpoint->events.items[i].offset -= bytes;
    endpoint->next_event = 0;
}

/* After cn_net_close, only the last event of a connection is of interest. */
static bool is_wanted(const CniNetConnection *connection, CnNetEventKind kind)
{
    return kind == CN_NET_STATUS || kind == CN_NET_CLOSED ||
           (connection &&
            (connection->state != CNI_NET_CLOSED || connection->cause != CN_NET_CLOSE_LOCAL));
}

static void finish_event(CnNetEndpoint *endpoint, CnNetEvent *event)
{
    CniNetConnection *connection = cni_net_find(endpoint, event->connection);
    if (!connection)
        return;
    if (event->kind == CN_NET_MESSAGE || event->kind == CN_NET_DATAGRAM) {
        connection->unread_bytes -= event->size;
        cni_net_grant(connection);
    }
    if (event->kind != CN_NET_CLOSED)
        return;
    connection->close_fetched = true;
    if (connection->heap_index == UINT32_MAX) /* it is not kept for late packets */
        cni_net_connection_free(connection);
}

bool cn_net_next_event(CnNetEndpoint *endpoint, CnNetEvent *event)
{
    while (endpoint->next_event < endpoint->events.count) {
        const CniNetEvent *next = &endpoint->events.items[endpoint->next_event++];
        *event = next->event;
        event->bytes = event->size ? endpoint->event_bytes.items + next->offset : (uint8_t *)"";
        event->text = "";
        CniNetConnection *connection = cni_net_find(endpoint, event->connection);
        bool wanted = is_wanted(connection, event->kind);
        event->user = connection ? connection->user : NULL;
        if (event->kind == CN_NET_CLOSED) { /* its text is its bytes */
            event->text = (const char *)event->bytes;
            event->bytes = (uint8_t *)"";
            event->size = 0;
        }
        finish_event(endpoint, event);
        if (wanted)
            return true;
    }
    return false;
}

/* The timers of connections: a heap with the earliest first. */
#include "net_internal.h"

#define NOT_IN_HEAP UINT32_MAX

static void place(CnNetEndpoint *endpoint, uint32_t at, CniNetConnection *connection)
{
    endpoint->timers.items[at] = connection;
    connection->heap_index = at;
}

static void move_up(CnNetEndpoint *endpoint, uint32_t at, CniNetConnection *connection)
{
    for (uint32_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (endpoint->timers.items[parent]->due_ns <= connection->due_ns)
            break;
        place(endpoint, at, endpoint->timers.items[parent]);
    }
    place(endpoint, at, connection);
}

static void move_down(CnNetEndpoint *endpoint, uint32_t at, CniNetConnection *connection)
{
    CniNetConnection **items = endpoint->timers.items;
    uint32_t count = endpoint->timers.count;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && items[child + 1]->due_ns < items[child]->due_ns)
            child++;
        if (items[child]->due_ns >= connection->due_ns)
            break;
        place(endpoint, at, items[child]);
    }
    place(endpoint, at, connection);
}

static void settle(CnNetEndpoint *endpoint, CniNetConnection *connection)
{
    uint32_t at = connection->heap_index;
    move_up(endpoint, at, connection);
    if (connection->heap_index == at)
        move_down(endpoint, at, connection);
}

static void remove_timer(CnNetEndpoint *endpoint, CniNetConnection *connection)
{
    uint32_t at = connection->heap_index;
    connection->heap_index = NOT_IN_HEAP;
    CniNetConnection *last = cn_array_pop(&endpoint->timers);
    if (last == connection)
        return;
    place(endpoint, at, last);
    settle(endpoint, last);
}

void cni_net_timer_set(CnNetEndpoint *endpoint, CniNetConnection *connection, uint64_t due_ns)
{
    connection->due_ns = due_ns;
    if (due_ns == CNI_NET_NEVER) {
        if (connection->heap_index != NOT_IN_HEAP)
            remove_timer(endpoint, connection);
        return;
    }
    if (connection->heap_index == NOT_IN_HEAP) {
        connection->heap_index = endpoint->timers.count;
        endpoint->timers.items[endpoint->timers.count++] = connection;
    }
    settle(endpoint, connection);
}

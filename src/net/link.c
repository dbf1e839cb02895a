/* Simulated conditions of the network. */
#include "link.h"

#include <string.h>

#define MILLISECOND 1000000u

enum {
    MAX_PACKETS = 1 << 16, /* of a direction */
    LINE_BUFFER_MS = 300   /* what a line of limited bandwidth queues before it drops packets */
};

void cni_net_link_init(CniNetLink *link, CnAllocator *allocator)
{
    *link = (CniNetLink){.allocator = allocator};
    for (int i = 0; i < CNI_NET_DIRECTIONS; i++)
        cn_array_init(&link->directions[i].heap, allocator);
}

void cni_net_link_free(CniNetLink *link, CniNetDelayed *packet)
{
    cn_free(link->allocator, packet->bytes, packet->size);
}

void cni_net_link_fini(CniNetLink *link)
{
    for (int i = 0; i < CNI_NET_DIRECTIONS; i++) {
        for (uint32_t k = 0; k < link->directions[i].heap.count; k++)
            cni_net_link_free(link, &link->directions[i].heap.items[k]);
        cn_array_fini(&link->directions[i].heap);
    }
}

void cni_net_link_set(CniNetLink *link, const CnNetConditions *conditions, uint64_t now_ns)
{
    static const CnNetConditions none;
    link->conditions = conditions ? *conditions : none;
    link->is_active = memcmp(&link->conditions, &none, sizeof none) != 0;
    link->random = cn_random_make(link->conditions.seed, "net conditions");
    link->start_ns = now_ns;
}

bool cni_net_link_in_use(const CniNetLink *link)
{
    return link->is_active || link->directions[CNI_NET_OUT].heap.count ||
           link->directions[CNI_NET_IN].heap.count;
}

/* ---- The heap ---- */

static bool is_before(const CniNetDelayed *a, const CniNetDelayed *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->number < b->number;
}

static void swap(CniNetDelayed *a, CniNetDelayed *b)
{
    CniNetDelayed copy = *a;
    *a = *b;
    *b = copy;
}

static void move_up(CniNetDelayed *items, uint32_t at)
{
    for (; at > 0 && is_before(&items[at], &items[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&items[at], &items[(at - 1) / 2]);
}

static void move_down(CniNetDelayed *items, uint32_t count)
{
    for (uint32_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &items[at]))
            return;
        swap(&items[at], &items[child]);
    }
}

/* Packets are dropped when memory is exhausted, like those of a real network. */
static void push(CniNetLink *link, CniNetDirection direction, const CnNetAddress *peer,
                 const uint8_t *bytes, size_t size, uint64_t due_ns)
{
    if (link->directions[direction].heap.count >= MAX_PACKETS)
        return;
    CniNetDelayed packet = {.due_ns = due_ns,
                            .number = link->number++,
                            .peer = *peer,
                            .size = (uint32_t)size,
                            .bytes = cn_alloc(link->allocator, size)};
    if (!packet.bytes)
        return;
    memcpy(packet.bytes, bytes, size);
    if (cn_array_push(&link->directions[direction].heap, packet))
        move_up(link->directions[direction].heap.items, link->directions[direction].heap.count - 1);
    else
        cni_net_link_free(link, &packet);
}

/* ---- Conditions ---- */

static bool is_outage(const CniNetLink *link, uint64_t now_ns)
{
    uint64_t elapsed_ms = (now_ns - link->start_ns) / MILLISECOND;
    return elapsed_ms >= link->conditions.outage_from_ms &&
           elapsed_ms < link->conditions.outage_to_ms;
}

/* Returns when the last byte of the packet leaves the line, or 0 if its buffer is full. */
static uint64_t pass_line(CniNetLink *link, CniNetDirection direction, size_t size, uint64_t now_ns)
{
    uint64_t bandwidth = link->conditions.bandwidth_bytes;
    uint64_t *free_ns = &link->directions[direction].free_ns;
    if (!bandwidth)
        return now_ns;
    if (*free_ns < now_ns)
        *free_ns = now_ns;
    if (*free_ns - now_ns > (uint64_t)LINE_BUFFER_MS * MILLISECOND)
        return 0;
    *free_ns += (uint64_t)size * 1000000000u / bandwidth;
    return *free_ns;
}

static uint64_t delay_ns(CniNetLink *link)
{
    double half = (double)link->conditions.latency_ms / 2;
    double jitter = (double)link->conditions.jitter_ms / 2;
    double delay = half + jitter * (2 * cn_random_f64(&link->random) - 1);
    return delay > 0 ? (uint64_t)(delay * MILLISECOND) : 0;
}

void cni_net_link_put(CniNetLink *link, CniNetDirection direction, const CnNetAddress *peer,
                      const uint8_t *bytes, size_t size, uint64_t now_ns)
{
    const CnNetConditions *conditions = &link->conditions;
    if (size == 0 || is_outage(link, now_ns) ||
        cn_random_bool(&link->random, (double)conditions->loss))
        return;
    uint64_t sent_ns = pass_line(link, direction, size, now_ns);
    if (!sent_ns && conditions->bandwidth_bytes)
        return;
    uint64_t due_ns = sent_ns + delay_ns(link);
    uint64_t *last_due_ns = &link->directions[direction].last_due_ns;
    if (cn_random_bool(&link->random, (double)conditions->reordering))
        due_ns = sent_ns;
    else
        *last_due_ns = due_ns = due_ns > *last_due_ns ? due_ns : *last_due_ns;
    push(link, direction, peer, bytes, size, due_ns);
    if (cn_random_bool(&link->random, (double)conditions->duplicates))
        push(link, direction, peer, bytes, size, due_ns);
}

bool cni_net_link_take(CniNetLink *link, CniNetDirection direction, uint64_t now_ns,
                       CniNetDelayed *packet)
{
    uint32_t count = link->directions[direction].heap.count;
    CniNetDelayed *items = link->directions[direction].heap.items;
    if (count == 0 || items[0].due_ns > now_ns)
        return false;
    *packet = items[0];
    items[0] = items[count - 1];
    link->directions[direction].heap.count = count - 1;
    move_down(items, count - 1);
    return true;
}

uint64_t cni_net_link_next_ns(const CniNetLink *link)
{
    uint64_t next_ns = UINT64_MAX;
    for (int i = 0; i < CNI_NET_DIRECTIONS; i++)
        if (link->directions[i].heap.count && link->directions[i].heap.items[0].due_ns < next_ns)
            next_ns = link->directions[i].heap.items[0].due_ns;
    return next_ns;
}

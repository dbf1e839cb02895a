#include "ecs/world/world_internal.h"

#include <stdatomic.h>

#define DEFAULT_RING_BYTES (64u << 10)
#define MAX_RING_BYTES (64u << 20)

/* An event in a ring. Its value follows, padded so that events are aligned to 16 bytes. An entry
 * without a channel skips the rest of the ring, because the next event did not fit there
 * contiguously. */
typedef struct Sent {
    CnChannel *channel;
    uint64_t bytes; /* of the value, padded */
} Sent;
CN_STATIC_ASSERT(sizeof(Sent) == 16, "events lie at multiples of this");

/* Positions count bytes since the start and never wrap (2^64 bytes are never sent). Sender and
 * receiver write to different cache lines. */
struct CnProducer {
    CnWorld *world;
    uint8_t *ring;
    uint32_t ring_bytes;
    uint32_t id;
    bool closed;
    const char *name;
    uint64_t seen_drops;                   /* dropped events up to the last merge */
    uint64_t burst_drops;                  /* since the first merge of the current burst */
    uint64_t burst_logged;                 /* how many of them were logged */
    uint64_t end;                          /* end of the events that the merge takes */
    _Alignas(64) _Atomic uint64_t written; /* by the sending thread */
    _Atomic uint64_t dropped;
    _Alignas(64) _Atomic uint64_t read; /* by the world's thread */
};

CnProducer *cn_producer_create(CnWorld *world, const CnProducerDesc *given, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    const CnProducerDesc defaults = {0}, *desc = given ? given : &defaults;
    uint64_t bytes = desc->ring_bytes ? desc->ring_bytes : DEFAULT_RING_BYTES;
    if (bytes > MAX_RING_BYTES) {
        cn_error_set(error, CN_ERROR_LIMIT, "a producer's ring of %llu bytes exceeds the limit, %u",
                     (unsigned long long)bytes, (unsigned)MAX_RING_BYTES);
        return NULL;
    }
    bytes = bytes < 64 ? 64 : (uint64_t)1 << (64 - __builtin_clzll(bytes - 1));
    bool named = desc->name && *desc->name;
    CnName name = cn_name(&world->names, named ? desc->name : "producer");
    CnProducer *producer = cn_alloc_aligned(world->allocator, sizeof *producer, 64);
    uint8_t *ring = cn_alloc_aligned(world->allocator, bytes, 64);
    if (!name.id || !producer || !ring || !cn_array_push(&world->producers, producer)) {
        cn_free_aligned(world->allocator, producer, sizeof *producer, 64);
        cn_free_aligned(world->allocator, ring, bytes, 64);
        cn_error_memory(error, "producer %s", named ? desc->name : "");
        return NULL;
    }
    memset(producer, 0, sizeof *producer);
    producer->world = world;
    producer->ring = ring;
    producer->ring_bytes = (uint32_t)bytes;
    producer->id = world->next_producer++;
    producer->name = cn_name_text(&world->names, name);
    return producer;
}

void cn_producer_destroy(CnProducer *producer)
{
    if (producer)
        producer->closed = true;
}

static void producer_free(CnWorld *world, CnProducer *producer)
{
    cn_free_aligned(world->allocator, producer->ring, producer->ring_bytes, 64);
    cn_free_aligned(world->allocator, producer, sizeof *producer, 64);
}

void cni_ecs_producers_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->producers.count; i++)
        producer_free(world, world->producers.items[i]);
    cn_array_fini(&world->producers);
}

uint32_t cn_producer_id(const CnProducer *producer)
{
    CN_ASSERT(producer, "%s: producer is NULL", __func__);
    return producer->id;
}

uint64_t cn_producer_dropped(const CnProducer *producer)
{
    CN_ASSERT(producer, "%s: producer is NULL", __func__);
    return atomic_load_explicit(&producer->dropped, memory_order_relaxed);
}

/* ---- The sending thread ---- */

bool cn_produce_value(CnProducer *producer, const CnChannel *channel, const void *value)
{
    CN_ASSERT(producer, "%s: producer is NULL", __func__);
    CN_ASSERT(channel->world == producer->world, "the channel belongs to another world");
    CN_ASSERT(!producer->closed, "producer %s is destroyed", producer->name);
    uint64_t padded = (channel->row_bytes + 15ull) & ~15ull, needed = sizeof(Sent) + padded;
    uint64_t written = atomic_load_explicit(&producer->written, memory_order_relaxed);
    uint64_t read = atomic_load_explicit(&producer->read, memory_order_acquire);
    uint64_t offset = written & (producer->ring_bytes - 1), to_end = producer->ring_bytes - offset;
    uint64_t skipped = needed > to_end ? to_end : 0;
    /* A larger event might not fit into an empty ring, depending on the current position. */
    if (needed > producer->ring_bytes / 2 ||
        written + skipped + needed - read > producer->ring_bytes) {
        atomic_fetch_add_explicit(&producer->dropped, 1, memory_order_relaxed);
        return false;
    }
    if (skipped) {
        memset(producer->ring + offset, 0, sizeof(Sent));
        offset = 0;
    }
    Sent sent = {(CnChannel *)(uintptr_t)channel, padded};
    memcpy(producer->ring + offset, &sent, sizeof sent);
    if (channel->row_bytes)
        memcpy(producer->ring + offset + sizeof sent, value, channel->row_bytes);
    atomic_store_explicit(&producer->written, written + skipped + needed, memory_order_release);
    return true;
}

/* ---- The world's thread ---- */

static void end_burst(CnProducer *producer)
{
    if (producer->burst_drops > producer->burst_logged)
        CN_LOG_WARNING("ecs", "producer %s: %llu events were dropped in several merges",
                       producer->name, (unsigned long long)producer->burst_drops);
    producer->burst_drops = producer->burst_logged = 0;
}

/* Drops in consecutive merges form a burst, which is logged when it begins and when it ends. */
static void report_drops(CnProducer *producer)
{
    uint64_t dropped = cn_producer_dropped(producer);
    uint64_t count = dropped - producer->seen_drops;
    producer->seen_drops = dropped;
    producer->burst_drops += count;
    if (!count) {
        end_burst(producer);
    } else if (!producer->burst_logged) {
        CN_LOG_WARNING("ecs", "producer %s: %llu events dropped, its ring has %u bytes",
                       producer->name, (unsigned long long)count, producer->ring_bytes);
        producer->burst_logged = count;
    }
}

typedef struct Delivery {
    bool discard;
    CnDeliveredFn delivered;
    void *user;
    uint32_t count;
} Delivery;

static void drain(CnProducer *producer, Delivery *delivery)
{
    uint64_t read = atomic_load_explicit(&producer->read, memory_order_relaxed);
    while (read != producer->end) {
        uint64_t offset = read & (producer->ring_bytes - 1);
        Sent sent;
        memcpy(&sent, producer->ring + offset, sizeof sent);
        if (!sent.channel) {
            read += producer->ring_bytes - offset;
            continue;
        }
        CN_ASSERT(sent.channel->world == producer->world && sent.bytes < producer->ring_bytes,
                  "the ring of producer %s is damaged", producer->name);
        const void *value = sent.bytes ? producer->ring + offset + sizeof sent : NULL;
        if (!delivery->discard) {
            cn_send_value(sent.channel, value);
            if (delivery->delivered)
                delivery->delivered(sent.channel, value, delivery->user);
        }
        delivery->count++;
        read += sizeof sent + sent.bytes;
    }
    CN_ASSERT(read <= atomic_load_explicit(&producer->written, memory_order_relaxed),
              "the ring of producer %s was read beyond its end", producer->name);
    atomic_store_explicit(&producer->read, read, memory_order_release);
}

static void end_and_free(CnWorld *world, CnProducer *producer)
{
    end_burst(producer);
    producer_free(world, producer);
}

/* Closed producers are freed when they are empty; the others keep their order. */
static void remove_closed(CnWorld *world)
{
    uint32_t retained = 0;
    for (uint32_t i = 0; i < world->producers.count; i++) {
        CnProducer *producer = world->producers.items[i];
        if (producer->closed && atomic_load_explicit(&producer->written, memory_order_relaxed) ==
                                    atomic_load_explicit(&producer->read, memory_order_relaxed))
            end_and_free(world, producer);
        else
            world->producers.items[retained++] = producer;
    }
    world->producers.count = retained;
}

/* Takes only events that were sent before the merge, so that neither a fast sender nor a sending
 * callback can block the world. */
static uint32_t drain_all(CnWorld *world, Delivery delivery)
{
    CN_ASSERT(!world->updating, "producers are merged between stages");
    const uint32_t count = world->producers.count;
    for (uint32_t i = 0; i < count; i++) {
        CnProducer *producer = world->producers.items[i];
        producer->end = atomic_load_explicit(&producer->written, memory_order_acquire);
    }
    for (uint32_t i = 0; i < count; i++) {
        drain(world->producers.items[i], &delivery);
        report_drops(world->producers.items[i]);
    }
    remove_closed(world);
    return delivery.count;
}

uint32_t cn_producers_merge(CnWorld *world, CnDeliveredFn delivered, void *user)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return drain_all(world, (Delivery){.delivered = delivered, .user = user});
}

uint32_t cn_producers_discard(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return drain_all(world, (Delivery){.discard = true});
}

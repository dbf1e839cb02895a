/*
 * Producers: events from other threads. Each thread that sends has a producer of its own; what it
 * sends waits in the producer's ring until the world's thread merges all rings into the channels.
 *
 *     CnChannel *packets = cn_channel(world, Packet);
 *     CnProducer *net = cn_producer_create(world, &(CnProducerDesc){.name = "net"});
 *
 *     cn_produce(net, packets, Packet, {.size = 12});      // on the network's thread
 *
 *     cn_producers_merge(world, NULL, NULL);               // on the world's thread, between ticks
 *
 * Events are merged by (producer, order of sending): producers have dense numbers in order of
 * creation that are never given again, so the order does not depend on which thread was faster.
 * Which events have arrived by a merge does: record what merges deliver, as a replay does, to see
 * the same again. Rings are bounded; what does not fit is dropped, counted, and logged by the
 * merge.
 */
#ifndef CAIRN_ECS_PRODUCER_H
#define CAIRN_ECS_PRODUCER_H

#include <cairn/ecs/event.h>

CN_EXTERN_C_BEGIN

typedef struct CnProducer CnProducer;

typedef struct CnProducerDesc {
    const char *name; /* for messages; copied */
    /* Rounded up to a power of two; 0 means 64 KiB, at least 64 bytes, at most 64 MiB. An event
     * takes 16 bytes and its value, rounded up to 16, and at most half of the ring. */
    uint32_t ring_bytes;
} CnProducerDesc;

/* On the world's thread. `desc` may be NULL. NULL when out of memory or for a ring that is too
 * large. */
CN_API CnProducer *cn_producer_create(CnWorld *world, const CnProducerDesc *desc);
/* On the world's thread, when nobody sends any more. What waits is still merged. */
CN_API void cn_producer_destroy(CnProducer *producer);
CN_API uint32_t cn_producer_id(const CnProducer *producer);
/* Events that found no room in the ring. From any thread. */
CN_API uint64_t cn_producer_dropped(const CnProducer *producer);

/* From one thread at a time per producer; never waits, never allocates. False when there is no
 * room: the event is dropped and counted. `value` is NULL for a signal. */
CN_API bool cn_produce_value(CnProducer *producer, const CnChannel *channel, const void *value);
#define cn_produce(producer, channel, T, ...)                                                      \
    cn_produce_value((producer), (channel), &(const T)__VA_ARGS__)

/* Sends everything that waits to its channel and calls `delivered` (may be NULL) for each event, in
 * order; also for one that its channel had no room for. `value` lies at a multiple of 16 bytes and
 * is gone after the call; NULL for a signal. What is sent meanwhile, also by the callback, waits
 * for the next merge; the callback may not merge. Returns how many there were. Not in a system. */
typedef void (*CnDeliveredFn)(CnChannel *channel, const void *value, void *user);
CN_API uint32_t cn_producers_merge(CnWorld *world, CnDeliveredFn delivered, void *user);
/* Drops everything that waits, not counted: a replay has its own events. */
CN_API uint32_t cn_producers_discard(CnWorld *world);

CN_EXTERN_C_END

#endif

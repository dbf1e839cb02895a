/*
 * Producers: events from other threads. Each sending thread has its own producer. Its events wait
 * in the producer's ring buffer until the thread that owns the world merges all rings into the
 * channels.
 *
 *     CnChannel *packets = cn_channel(world, Packet);
 *     CnProducer *net = cn_producer_create(world, &(CnProducerDesc){.name = "net"}, NULL);
 *
 *     cn_produce(net, packets, Packet, {.size = 12}); // on the network thread
 *
 *     cn_producers_merge(world, NULL, NULL);          // on the world's thread, between ticks
 *
 * Events are merged by producer and order of sending. Producers have consecutive numbers in order
 * of creation, which are never reused, so the order does not depend on the speed of the threads.
 * Which events have arrived by the time of a merge does depend on it: to reproduce a run, record
 * the events that each merge delivers, as a replay does. Rings are bounded. Events that do not fit
 * are dropped and counted. The next merge logs that a burst of them began, and the first merge
 * without any logs their number if it has grown since.
 */
#ifndef CAIRN_ECS_PRODUCER_H
#define CAIRN_ECS_PRODUCER_H

#include <cairn/ecs/event.h>

CN_EXTERN_C_BEGIN

typedef struct CnProducer CnProducer;

typedef struct CnProducerDesc {
    const char *name; /* used in messages; copied */
    /* Size of the ring, rounded up to a power of two; 64 bytes to 64 MiB, 0 selects the default, 64
     * KiB. An event takes 16 bytes plus its value, rounded up to 16, and at most half of the
     * ring. */
    uint32_t ring_bytes;
} CnProducerDesc;

/* Creates a producer, on the world's thread. `desc` may be NULL. Returns NULL and sets the
 * error when out of memory or if the ring is too large. */
CN_API CnProducer *cn_producer_create(CnWorld *world, const CnProducerDesc *desc, CnError *error);
/* Destroys a producer, on the world's thread, when no thread sends through it any more. Events in
 * its ring are still merged. NULL is ignored. */
CN_API void cn_producer_destroy(CnProducer *producer);
CN_API uint32_t cn_producer_id(const CnProducer *producer);
/* Returns the number of events that did not fit in the ring. Any thread. */
CN_API uint64_t cn_producer_dropped(const CnProducer *producer);

/* Sends an event; `value` is NULL for a signal. One thread at a time per producer. Never waits and
 * never allocates. Returns false if there is no room: the event is dropped and counted. */
CN_API bool cn_produce_value(CnProducer *producer, const CnChannel *channel, const void *value);
#define cn_produce(producer, channel, T, ...)                                                      \
    cn_produce_value((producer), (channel), &(const T)__VA_ARGS__)

/* Sends all waiting events to their channels and calls `delivered` (may be NULL) for each of them
 * in order, including those for which the channel had no room. `value` is aligned to 16 bytes and
 * valid during the call; it is NULL for a signal. Events that are sent meanwhile, also by the
 * callback, wait for the next merge. The callback must not merge. Returns the number of events.
 * Must not be called in a system. */
typedef void (*CnDeliveredFn)(CnChannel *channel, const void *value, void *user);
CN_API uint32_t cn_producers_merge(CnWorld *world, CnDeliveredFn delivered, void *user);
/* Discards all waiting events without counting them as dropped, for a replay, which delivers its
 * own events. Returns their number. */
CN_API uint32_t cn_producers_discard(CnWorld *world);

CN_EXTERN_C_END

#endif

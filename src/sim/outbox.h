/* Internals of an outbox, shared by the extraction files. */
#ifndef CAIRN_SRC_SIM_OUTBOX_H
#define CAIRN_SRC_SIM_OUTBOX_H

#include <cairn/sim/extract.h>

#include <stdatomic.h>

/*
 * Five slots, so that one is always free to be filled: the consumer may hold two, the two newest
 * may be different ones and must stay for its next acquire, and the fifth is being filled.
 */
#define CNI_SIM_OUTBOX_SLOTS 5u

/* `seen` is what the consumer receives; its arrays are set when the slot is published. */
typedef struct CniSimOutboxSlot {
    CnTickSnapshot snapshot;
    CN_ARRAY(CnRenderItem) items;
    CN_ARRAY(CnRenderLight) lights;
    CN_ARRAY(CnRenderBlend) blends;
    CN_ARRAY(CnRenderEmitter) emitters;
    CN_ARRAY(CnRenderBurst) bursts; /* those of the ticks before first */
    uint32_t kept_bursts;           /* of the ticks before */
    CN_ARRAY(CnUiItem) ui_items;
} CniSimOutboxSlot;

/* Counters of the tick being filled. Systems for render and UI run in parallel: each part is
 * written by one of them only and has a cache line of its own. */
typedef struct CniSimRenderDrops {
    _Alignas(64) uint64_t items;
    uint64_t lights, emitters, bursts;
} CniSimRenderDrops;

typedef struct CniSimUiDrops {
    _Alignas(64) uint64_t items;
    uint64_t texts;
} CniSimUiDrops;

/* Positions count commands since the start and never wrap. */
typedef struct CniSimAudioRing {
    CnAudioCommand *commands;
    uint32_t capacity;                     /* a power of two */
    _Alignas(64) _Atomic uint64_t written; /* by the world: published */
    uint64_t pushed;                       /* by the systems of this tick; not visible yet */
    uint64_t dropped;                      /* in this tick */
    _Alignas(64) _Atomic uint64_t read;    /* by the consumer */
    _Atomic bool is_taking;
} CniSimAudioRing;

struct CnOutbox {
    CnAllocator *allocator;

    /* For the thread of the world. */
    CniSimOutboxSlot slots[CNI_SIM_OUTBOX_SLOTS];
    uint32_t filling; /* the slot between begin and publish */
    bool is_filling;
    uint32_t newest, held; /* pairs; see outbox.c */
    bool had_drops;        /* in the last tick; already reported */
    CnOutboxStats stats;
    CniSimRenderDrops render_drops;
    CniSimUiDrops ui_drops;
    CniSimAudioRing audio;

    /* Shared by the world and the consumer. */
    _Alignas(64) _Atomic uint32_t published;
    _Atomic bool is_held;
};

/* Returns the slot to push into; NULL outside of a tick, when the consumer may hold the slot. */
static inline CniSimOutboxSlot *cni_sim_outbox_slot(CnOutbox *outbox)
{
    CN_ASSERT(outbox->is_filling, "push only between cn_outbox_begin and cn_outbox_publish");
    return outbox->is_filling ? &outbox->slots[outbox->filling] : NULL;
}

#endif

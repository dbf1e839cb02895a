#include "sim/outbox.h"

#include <cairn/base/log.h>

#include <string.h>

#define DEFAULT_MAX_AUDIO 1024u

/*
 * How snapshots are handed over. `published` is one word: the pair of the two newest slots, and a
 * bit that is set when the consumer has taken this pair. The world exchanges the word for the next
 * pair, and the consumer sets the bit; each is one atomic operation that cannot fail, so neither
 * side retries or waits.
 *
 * The old word tells the world whether that pair was taken. The last pair that was taken may be in
 * use until a later one is taken, so the world need not know when the consumer releases it. A slot
 * is free if it is in neither the newest pair nor the last pair taken; of five slots, at least one
 * is free.
 *
 * A pair that was taken just now, which the world does not know yet, is the newest one and
 * therefore safe. That the consumer is done with the pair before it follows from setting the bit
 * (release) and the exchange (acquire).
 */
#define NO_SLOT 7u
#define TAKEN (1u << 6)
#define NO_PAIR (NO_SLOT << 3 | NO_SLOT)

static uint32_t make_pair(uint32_t previous, uint32_t current)
{
    return previous << 3 | current;
}

static uint32_t current_of(uint32_t pair)
{
    return pair & 7u;
}

static uint32_t previous_of(uint32_t pair)
{
    return pair >> 3 & 7u;
}

static bool is_in(uint32_t pair, uint32_t slot)
{
    return current_of(pair) == slot || previous_of(pair) == slot;
}

/* ---- Creation ---- */

CnOutbox *cn_outbox_create(const CnOutboxDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    CnAllocator *allocator = desc ? desc->allocator : NULL;
    uint32_t max_audio = desc && desc->max_audio ? desc->max_audio : DEFAULT_MAX_AUDIO;
    if (max_audio > CN_OUTBOX_MAX_AUDIO) {
        cn_error_set(error, CN_ERROR_LIMIT,
                     "an outbox cannot hold %u audio commands; the limit is %u", max_audio,
                     CN_OUTBOX_MAX_AUDIO);
        return NULL;
    }
    uint32_t capacity = 1;
    while (capacity < max_audio)
        capacity *= 2;
    CnOutbox *outbox = cn_alloc_aligned(allocator, sizeof *outbox, 64);
    CnAudioCommand *commands = cn_alloc(allocator, capacity * sizeof *commands);
    if (!outbox || !commands) {
        cn_free_aligned(allocator, outbox, sizeof *outbox, 64);
        cn_free(allocator, commands, capacity * sizeof *commands);
        cn_error_memory(error, "an outbox");
        return NULL;
    }
    memset(outbox, 0, sizeof *outbox);
    outbox->allocator = allocator;
    for (uint32_t i = 0; i < CNI_SIM_OUTBOX_SLOTS; i++) {
        cn_array_init(&outbox->slots[i].items, allocator);
        cn_array_init(&outbox->slots[i].lights, allocator);
        cn_array_init(&outbox->slots[i].blends, allocator);
        cn_array_init(&outbox->slots[i].emitters, allocator);
        cn_array_init(&outbox->slots[i].bursts, allocator);
        cn_array_init(&outbox->slots[i].ui_items, allocator);
    }
    outbox->newest = outbox->held = NO_PAIR;
    outbox->audio.commands = commands;
    outbox->audio.capacity = capacity;
    atomic_init(&outbox->published, NO_PAIR);
    return outbox;
}

void cn_outbox_destroy(CnOutbox *outbox)
{
    if (!outbox)
        return;
    CN_ASSERT(!atomic_load_explicit(&outbox->is_held, memory_order_acquire),
              "an outbox is destroyed while a snapshot pair is held");
    CnAllocator *allocator = outbox->allocator;
    for (uint32_t i = 0; i < CNI_SIM_OUTBOX_SLOTS; i++) {
        cn_array_fini(&outbox->slots[i].items);
        cn_array_fini(&outbox->slots[i].lights);
        cn_array_fini(&outbox->slots[i].blends);
        cn_array_fini(&outbox->slots[i].emitters);
        cn_array_fini(&outbox->slots[i].bursts);
        cn_array_fini(&outbox->slots[i].ui_items);
    }
    cn_free(allocator, outbox->audio.commands,
            outbox->audio.capacity * sizeof *outbox->audio.commands);
    cn_free_aligned(allocator, outbox, sizeof *outbox, 64);
}

/* ---- Functions for the thread of the world ---- */

/* Uses all slots in turn, so that each of them has its memory after a few ticks. */
static uint32_t free_slot(const CnOutbox *outbox)
{
    uint32_t slot = outbox->filling;
    do
        slot = (slot + 1) % CNI_SIM_OUTBOX_SLOTS;
    while (is_in(outbox->newest, slot) || is_in(outbox->held, slot));
    return slot;
}

/* Copies the recent bursts of the newest snapshot. After a jump, such as a restored state, there
 * are none: the bursts before it belong to another course of events. */
static void keep_bursts(const CnOutbox *outbox, CniSimOutboxSlot *slot, uint64_t tick, double time)
{
    slot->kept_bursts = 0;
    if (current_of(outbox->newest) == NO_SLOT)
        return;
    const CniSimOutboxSlot *last = &outbox->slots[current_of(outbox->newest)];
    if (last->snapshot.render.tick + 1 != tick)
        return;
    uint32_t first = 0, count = last->bursts.count;
    while (first < count && (last->bursts.items[first].time < time - CN_BURST_SECONDS ||
                             count - first > CN_MAX_BURSTS))
        first++;
    if (first == count || !cn_array_reserve(&slot->bursts, count - first))
        return;
    memcpy(slot->bursts.items, last->bursts.items + first,
           (count - first) * sizeof *slot->bursts.items);
    slot->bursts.count = slot->kept_bursts = count - first;
}

void cn_outbox_begin(CnOutbox *outbox, uint64_t tick, double time_seconds)
{
    CN_ASSERT(outbox, "%s: outbox is NULL", __func__);
    outbox->filling = free_slot(outbox);
    outbox->is_filling = true;
    CniSimOutboxSlot *slot = &outbox->slots[outbox->filling];
    cn_array_clear(&slot->items);
    cn_array_clear(&slot->lights);
    cn_array_clear(&slot->blends);
    cn_array_clear(&slot->emitters);
    cn_array_clear(&slot->bursts);
    keep_bursts(outbox, slot, tick, time_seconds);
    cn_array_clear(&slot->ui_items);
    memset(&slot->snapshot, 0, sizeof slot->snapshot);
    slot->snapshot.render.tick = slot->snapshot.ui.tick = tick;
    slot->snapshot.render.time = time_seconds;
    memset(&outbox->render_drops, 0, sizeof outbox->render_drops);
    memset(&outbox->ui_drops, 0, sizeof outbox->ui_drops);
    outbox->audio.pushed = atomic_load_explicit(&outbox->audio.written, memory_order_relaxed);
    outbox->audio.dropped = 0;
}

/* Reports the first tick in which data is omitted, not each tick while this lasts. */
static void count_drops(CnOutbox *outbox, uint64_t tick)
{
    CnOutboxStats *stats = &outbox->stats;
    const CniSimRenderDrops *render = &outbox->render_drops;
    const CniSimUiDrops *ui = &outbox->ui_drops;
    uint64_t dropped = outbox->audio.dropped;
    stats->dropped_items += render->items;
    stats->dropped_emitters += render->emitters;
    stats->dropped_bursts += render->bursts;
    stats->dropped_lights += render->lights;
    stats->dropped_ui_items += ui->items;
    stats->truncated_texts += ui->texts;
    stats->dropped_audio += dropped;
    uint64_t particles = render->emitters + render->bursts;
    bool is_cut = render->items || render->lights || particles || ui->items || ui->texts || dropped;
    if (is_cut && !outbox->had_drops)
        CN_LOG_WARNING(
            "sim",
            "the snapshot of tick %llu is incomplete: no room for %llu items, %llu lights, %llu "
            "particle emitters and bursts, %llu UI items; %llu texts truncated; %llu audio "
            "commands dropped",
            (unsigned long long)tick, (unsigned long long)render->items,
            (unsigned long long)render->lights, (unsigned long long)particles,
            (unsigned long long)ui->items, (unsigned long long)ui->texts,
            (unsigned long long)dropped);
    outbox->had_drops = is_cut;
}

void cn_outbox_publish(CnOutbox *outbox)
{
    CN_ASSERT(outbox, "%s: outbox is NULL", __func__);
    CN_ASSERT(outbox->is_filling, "cn_outbox_publish without cn_outbox_begin");
    if (!outbox->is_filling)
        return;
    CniSimOutboxSlot *slot = &outbox->slots[outbox->filling];
    CnRenderSnapshot *render = &slot->snapshot.render;
    CnUiSnapshot *ui = &slot->snapshot.ui;
    render->items = slot->items.items;
    render->item_count = slot->items.count;
    render->lights = slot->lights.items;
    render->light_count = slot->lights.count;
    render->blends = slot->blends.items;
    render->blend_count = slot->blends.count;
    render->emitters = slot->emitters.items;
    render->emitter_count = slot->emitters.count;
    render->bursts = slot->bursts.items;
    render->burst_count = slot->bursts.count;
    render->dropped = outbox->render_drops.items + outbox->render_drops.lights;
    ui->items = slot->ui_items.items;
    ui->item_count = slot->ui_items.count;
    ui->dropped = outbox->ui_drops.items;
    count_drops(outbox, render->tick);
    outbox->stats.published++;
    outbox->is_filling = false;

    atomic_store_explicit(&outbox->audio.written, outbox->audio.pushed, memory_order_release);
    outbox->newest = make_pair(current_of(outbox->newest), outbox->filling);
    uint32_t before =
        atomic_exchange_explicit(&outbox->published, outbox->newest, memory_order_acq_rel);
    if (before & TAKEN)
        outbox->held = before & ~TAKEN;
}

CnOutboxStats cn_outbox_stats(const CnOutbox *outbox)
{
    CN_ASSERT(outbox, "%s: outbox is NULL", __func__);
    return outbox->stats;
}

/* ---- Functions for the consumer ---- */

bool cn_outbox_acquire(CnOutbox *outbox, CnSnapshotPair *pair)
{
    CN_ASSERT(outbox, "%s: outbox is NULL", __func__);
    CN_ASSERT(pair, "%s: pair is NULL", __func__);
    *pair = (CnSnapshotPair){NULL, NULL};
    /* The memory order lets another thread be the next to acquire. */
    bool was_held = atomic_exchange_explicit(&outbox->is_held, true, memory_order_acquire);
    CN_ASSERT(!was_held, "a snapshot pair is acquired before the last one is released");
    if (was_held)
        return false;
    uint32_t taken = atomic_fetch_or_explicit(&outbox->published, TAKEN, memory_order_acq_rel);
    if (current_of(taken) == NO_SLOT) {
        atomic_store_explicit(&outbox->is_held, false, memory_order_release);
        return false;
    }
    pair->current = &outbox->slots[current_of(taken)].snapshot;
    if (previous_of(taken) != NO_SLOT)
        pair->previous = &outbox->slots[previous_of(taken)].snapshot;
    return true;
}

void cn_outbox_release(CnOutbox *outbox)
{
    CN_ASSERT(atomic_load_explicit(&outbox->is_held, memory_order_relaxed),
              "cn_outbox_release without cn_outbox_acquire");
    atomic_store_explicit(&outbox->is_held, false, memory_order_release);
}

bool cn_outbox_next_audio(CnOutbox *outbox, CnAudioCommand *command)
{
    CN_ASSERT(outbox, "%s: outbox is NULL", __func__);
    CN_ASSERT(command, "%s: command is NULL", __func__);
    CniSimAudioRing *ring = &outbox->audio;
    bool was_taking = atomic_exchange_explicit(&ring->is_taking, true, memory_order_acquire);
    CN_ASSERT(!was_taking, "two threads take audio commands at the same time");
    if (was_taking)
        return false;
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    bool is_there = read != atomic_load_explicit(&ring->written, memory_order_acquire);
    if (is_there) {
        *command = ring->commands[read & (ring->capacity - 1)];
        atomic_store_explicit(&ring->read, read + 1, memory_order_release);
    }
    atomic_store_explicit(&ring->is_taking, false, memory_order_release);
    return is_there;
}

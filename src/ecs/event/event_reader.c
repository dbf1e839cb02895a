/* Events for code that reads at its own pace: readers with a cursor, and the frame stages. The
 * events kept for them are stored outside of the channel, so a tick does not depend on them. */
#include "ecs/world/world_internal.h"
#include "ecs/schedule/split_system.h"

/* A ring of the newest events at the end of updates, as structs. */
struct CniEcsRetainedEvents {
    uint8_t *rows;
    uint32_t capacity, first, count;
    bool reported; /* exhausted memory was reported */
    CnEventReader *readers;
    /* The events that a frame sees: a copy in the layout of the channel. */
    uint8_t *view;
    uint32_t view_capacity;
    uint64_t frame_next;
};

/* The events of a channel are numbered from 0. */
struct CnEventReader {
    CnChannel *channel;
    CnEventReader *next_reader;
    uint64_t next, missed;
    _Alignas(16) uint8_t event[]; /* for channels stored by fields: the assembled event */
};

typedef struct CniEcsRetainedEvents RetainedEvents;

/* Returns the number of the event in rows[0]. */
static uint64_t first_number(const CnChannel *channel)
{
    return channel->archived - channel->old_count;
}

static uint64_t end_number(const CnChannel *channel)
{
    return first_number(channel) + channel->count;
}

static uint64_t oldest_number(const CnChannel *channel)
{
    uint64_t first = first_number(channel), retained = channel->archived - channel->retained->count;
    return retained < first ? retained : first;
}

static RetainedEvents *ensure_retained(CnChannel *channel)
{
    if (!channel->retained) {
        channel->retained = cn_alloc_zeroed(channel->world->allocator, sizeof *channel->retained);
        if (channel->retained)
            channel->retained->frame_next = channel->archived;
    }
    return channel->retained;
}

void cni_ecs_channel_free_retained(CnChannel *channel)
{
    CnAllocator *allocator = channel->world->allocator;
    RetainedEvents *retained = channel->retained;
    if (!retained)
        return;
    while (retained->readers)
        cn_event_reader_destroy(retained->readers);
    cn_free_aligned(allocator, retained->rows, (size_t)retained->capacity * channel->row_bytes, 64);
    cn_free_aligned(allocator, retained->view, (size_t)retained->view_capacity * channel->row_bytes,
                    64);
    cn_free(allocator, retained, sizeof *retained);
    channel->retained = NULL;
}

/* ---- Rows in either layout ---- */

static void gather(const CnChannel *channel, uint32_t row, uint8_t *event)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    if (!channel->staging) {
        memcpy(event, channel->rows + (size_t)row * channel->row_bytes, channel->row_bytes);
        return;
    }
    memset(event, 0, channel->row_bytes);
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(event + field->offset,
               channel->rows + (size_t)field->offset * channel->capacity +
                   (size_t)row * field->size,
               field->size);
    }
}

/* Returns the retained event `number`. */
static const uint8_t *retained_row(const CnChannel *channel, uint64_t number)
{
    const RetainedEvents *retained = channel->retained;
    uint64_t nth = number - (channel->archived - retained->count);
    return retained->rows +
           (size_t)((retained->first + nth) % retained->capacity) * channel->row_bytes;
}

static void copy_event(const CnChannel *channel, uint64_t number, uint8_t *event)
{
    if (!channel->row_bytes)
        return;
    if (number >= first_number(channel))
        gather(channel, (uint32_t)(number - first_number(channel)), event);
    else
        memcpy(event, retained_row(channel, number), channel->row_bytes);
}

/* ---- Retained events ---- */

static bool frames_read(const CnChannel *channel)
{
    const CnWorld *world = channel->world;
    return world->frames_read_all || cn_bitset_has(&world->frame_reads, channel->component.id);
}

static bool is_tracked(const CnChannel *channel)
{
    return (channel->retained && channel->retained->readers) || frames_read(channel);
}

/* Makes room for `wanted` events, or for as many as memory permits. */
static void grow_retained(const CnChannel *channel, uint64_t wanted)
{
    RetainedEvents *retained = channel->retained;
    uint64_t capacity = retained->capacity ? retained->capacity : 64;
    while (capacity < wanted)
        capacity *= 2;
    capacity = capacity < channel->max_events ? capacity : channel->max_events;
    if (capacity <= retained->capacity)
        return;
    uint8_t *rows =
        cn_alloc_aligned(channel->world->allocator, (size_t)capacity * channel->row_bytes, 64);
    if (!rows) {
        cni_ecs_report(channel->world, CN_ERROR_MEMORY, "retained events: out of memory");
        return;
    }
    for (uint32_t i = 0; i < retained->count; i++)
        memcpy(rows + (size_t)i * channel->row_bytes,
               retained->rows +
                   (size_t)((retained->first + i) % retained->capacity) * channel->row_bytes,
               channel->row_bytes);
    cn_free_aligned(channel->world->allocator, retained->rows,
                    (size_t)retained->capacity * channel->row_bytes, 64);
    retained->rows = rows;
    retained->first = 0;
    retained->capacity = (uint32_t)capacity;
}

/* Discards the events that every reader has read. */
static void drop_read(const CnChannel *channel)
{
    RetainedEvents *retained = channel->retained;
    uint64_t needed = frames_read(channel) ? retained->frame_next : UINT64_MAX;
    for (const CnEventReader *reader = retained->readers; reader; reader = reader->next_reader)
        needed = reader->next < needed ? reader->next : needed;
    uint64_t first = channel->archived - retained->count;
    uint32_t count = needed <= first                    ? 0
                     : needed - first < retained->count ? (uint32_t)(needed - first)
                                                        : retained->count;
    retained->count -= count;
    retained->first = retained->count ? (retained->first + count) % retained->capacity : 0;
}

static void keep_rows(const CnChannel *channel)
{
    RetainedEvents *retained = channel->retained;
    drop_read(channel);
    if (!channel->row_bytes)
        retained->capacity = channel->max_events;
    else if ((uint64_t)retained->count + channel->count > retained->capacity)
        grow_retained(channel, (uint64_t)retained->count + channel->count);
    for (uint32_t i = 0; i < channel->count && retained->capacity; i++) {
        if (retained->count == retained->capacity) { /* discards the oldest */
            retained->first = (retained->first + 1) % retained->capacity;
            retained->count--;
        }
        uint64_t place = ((uint64_t)retained->first + retained->count++) % retained->capacity;
        if (channel->row_bytes)
            gather(channel, i, retained->rows + place * channel->row_bytes);
    }
}

void cni_ecs_channel_archive(CnChannel *channel)
{
    bool tracked = is_tracked(channel) && ensure_retained(channel);
    if (tracked && channel->count)
        keep_rows(channel);
    channel->archived += channel->count;
    if (!tracked && channel->retained) {
        channel->retained->count = 0;
        channel->retained->frame_next = channel->archived;
    }
}

/* ---- Readers ---- */

CnEventReader *cn_event_reader_create(CnChannel *channel, CnError *error)
{
    CN_ASSERT(channel, "%s: channel is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(channel->world, error);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave creates an event reader");
    RetainedEvents *retained = ensure_retained(channel);
    size_t bytes = sizeof(CnEventReader) + channel->row_bytes + 1;
    CnEventReader *reader = retained ? cn_alloc_zeroed(channel->world->allocator, bytes) : NULL;
    if (!reader) {
        cn_error_memory(error, "an event reader");
        return NULL;
    }
    reader->channel = channel;
    reader->next = end_number(channel);
    reader->next_reader = retained->readers;
    retained->readers = reader;
    return reader;
}

void cn_event_reader_destroy(CnEventReader *reader)
{
    if (!reader)
        return;
    const CnChannel *channel = reader->channel;
    CnEventReader **place = &channel->retained->readers;
    CN_ASSERT(channel->retained, "an event reader outlives its channel");
    while (*place != reader)
        place = &(*place)->next_reader;
    *place = reader->next_reader;
    cn_free(channel->world->allocator, reader, sizeof *reader + channel->row_bytes + 1);
}

static void check_read(const CnChannel *channel)
{
    CN_ASSERT(cni_ecs_may_read(channel->world, channel->component.id), "%s",
              cni_ecs_access_text(channel->world, channel->component.id, "read event"));
    (void)channel;
}

/* Skips events that were discarded and counts them as missed. */
static void skip_missed(CnEventReader *reader)
{
    uint64_t oldest = oldest_number(reader->channel);
    if (reader->next < oldest) {
        reader->missed += oldest - reader->next;
        reader->next = oldest;
    }
}

const void *cn_event_reader_next(CnEventReader *reader)
{
    CN_ASSERT(reader, "%s: reader is NULL", __func__);
    const CnChannel *channel = reader->channel;
    check_read(channel);
    skip_missed(reader);
    if (reader->next >= end_number(channel))
        return NULL;
    uint64_t number = reader->next++;
    if (channel->row_bytes && number < first_number(channel))
        return retained_row(channel, number);
    if (channel->row_bytes && !channel->staging)
        return channel->rows + (size_t)(number - first_number(channel)) * channel->row_bytes;
    copy_event(channel, number, reader->event);
    return reader->event;
}

uint32_t cn_event_reader_count(CnEventReader *reader)
{
    CN_ASSERT(reader, "%s: reader is NULL", __func__);
    check_read(reader->channel);
    skip_missed(reader);
    return (uint32_t)(end_number(reader->channel) - reader->next);
}

uint64_t cn_event_reader_missed(const CnEventReader *reader)
{
    CN_ASSERT(reader, "%s: reader is NULL", __func__);
    return reader->missed;
}

/* ---- Frames ---- */

static bool grow_view(CnChannel *channel, uint64_t wanted)
{
    RetainedEvents *retained = channel->retained;
    CnAllocator *allocator = channel->world->allocator;
    if (wanted <= retained->view_capacity)
        return true;
    uint32_t capacity = ((uint32_t)wanted + 63u) & ~63u;
    uint8_t *view = cn_alloc_aligned(allocator, (size_t)capacity * channel->row_bytes, 64);
    if (!view)
        return cni_ecs_report(channel->world, CN_ERROR_MEMORY, "events of a frame: out of memory");
    cn_free_aligned(allocator, retained->view, (size_t)retained->view_capacity * channel->row_bytes,
                    64);
    retained->view = view;
    retained->view_capacity = capacity;
    return true;
}

/* Copies an event to the view, in the layout of the channel. */
static void put_in_view(const CnChannel *channel, uint64_t number, uint32_t row)
{
    const RetainedEvents *retained = channel->retained;
    if (!channel->staging) {
        copy_event(channel, number, retained->view + (size_t)row * channel->row_bytes);
        return;
    }
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    copy_event(channel, number, channel->staging);
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(retained->view + (size_t)field->offset * retained->view_capacity +
                   (size_t)row * field->size,
               channel->staging + field->offset, field->size);
    }
}

static void begin_frame(CnChannel *channel)
{
    RetainedEvents *retained = ensure_retained(channel);
    if (!retained)
        return;
    uint64_t oldest = oldest_number(channel), end = end_number(channel);
    uint64_t next = retained->frame_next < oldest ? oldest : retained->frame_next;
    if (channel->row_bytes && !grow_view(channel, end - next))
        return;
    channel->frame_missed += next - retained->frame_next;
    for (uint64_t number = next; channel->row_bytes && number < end; number++)
        put_in_view(channel, number, (uint32_t)(number - next));
    retained->frame_next = end;
    channel->frame_rows = retained->view;
    channel->frame_capacity = retained->view_capacity;
    channel->frame_count = (uint32_t)(end - next);
    channel->in_frame = true;
}

void cni_ecs_events_begin_frame(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        if (is_tracked(world->channels.items[i]))
            begin_frame(world->channels.items[i]);
}

void cni_ecs_events_end_frame(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        world->channels.items[i]->in_frame = false;
}

bool cni_ecs_events_add_frame_reader(CnWorld *world, const CnBitSet *reads, bool reads_all)
{
    world->frames_read_all |= reads_all;
    for (uint32_t id = cn_bitset_next(reads, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(reads, id + 1))
        if (!cn_bitset_set(&world->frame_reads, id))
            return false;
    return true;
}

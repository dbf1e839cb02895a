#include "store.h"

#define FIRST_CAPACITY 64u

static void channel_free(CnWorld *world, CnChannel *channel)
{
    cn_free_aligned(world->allocator, channel->rows, (size_t)channel->capacity * channel->row_bytes,
                    64);
    cn_free_aligned(world->allocator, channel->aside, channel->row_bytes, 64);
    cn_free(world->allocator, channel, sizeof *channel);
}

static void set_limit(CnChannel *channel, uint32_t max_events)
{
    channel->max_events = max_events;
    channel->room = channel->capacity < max_events ? channel->capacity : max_events;
}

static void report_memory(const CnWorld *world, const Component *component)
{
    cni_report(world, CN_ERROR_MEMORY, "channel %s: out of memory", component->info.name);
}

static CnChannel *make_channel(CnWorld *world, uint32_t id, uint32_t max_events)
{
    const Component *component = &world->components.items[id];
    CnChannel *channel = cn_alloc_zeroed(world->allocator, sizeof *channel);
    if (!channel) {
        report_memory(world, component);
        return NULL;
    }
    channel->max_events = max_events ? max_events : CN_DEFAULT_MAX_EVENTS;
    channel->row_bytes = component->info.size;
    channel->component = (CnComponent){id};
    channel->world = world;
    bool by_fields = component->info.layout == CN_LAYOUT_FIELDS;
    if (by_fields)
        channel->aside = cn_alloc_aligned(world->allocator, channel->row_bytes, 64);
    if ((by_fields && !channel->aside) || !cn_array_push(&world->channels, channel)) {
        channel_free(world, channel);
        report_memory(world, component);
        return NULL;
    }
    return channel;
}

CnChannel *cn_channel_open(CnWorld *world, const CnChannelDesc *desc)
{
    uint32_t id = cni_value_component(world, desc->type, desc->component);
    CN_ASSERT(id || desc->type || !desc->component.id,
              "a channel names a component that is not registered");
    if (!id) {
        if (!desc->type) /* else its registration has reported it */
            cni_report(world, CN_ERROR_NOT_FOUND,
                       "a channel names component %u, which is not registered", desc->component.id);
        return NULL;
    }
    Component *component = &world->components.items[id];
    CnChannel *channel = __atomic_load_n(&component->channel, __ATOMIC_ACQUIRE);
    if (channel) {
        if (desc->max_events)
            set_limit(channel, desc->max_events);
        return channel;
    }
    CN_ASSERT(cni_runs_alone() || cni_may_read(world, id), "%s",
              cni_access_text(world, id, "open the channel of"));
    /* Systems that run at the same time may open channels; the order of channels has no effect. */
    pthread_mutex_lock(&world->channel_mutex);
    channel = component->channel;
    if (!channel) {
        channel = make_channel(world, id, desc->max_events);
        __atomic_store_n(&component->channel, channel, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&world->channel_mutex);
    return channel;
}

bool cni_channel_copy(CnChannel *to, const CnChannel *from)
{
    CnChannel copy = *from;
    size_t bytes = (size_t)from->capacity * from->row_bytes;
    copy.world = to->world;
    copy.aside = to->aside;
    copy.rows = bytes ? cn_alloc_aligned(to->world->allocator, bytes, 64) : NULL;
    if (bytes && !copy.rows)
        return false;
    if (bytes)
        memcpy(copy.rows, from->rows, bytes);
    *to = copy;
    return true;
}

void cni_channels_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        channel_free(world, world->channels.items[i]);
    cn_array_fini(&world->channels);
    pthread_mutex_destroy(&world->channel_mutex);
}

/* Field columns keep their places relative to the capacity, so each one moves. */
static void move_rows(const CnChannel *channel, uint8_t *to, uint32_t capacity)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    if (!channel->aside) {
        memcpy(to, channel->rows, (size_t)channel->count * channel->row_bytes);
        return;
    }
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(to + (size_t)field->offset * capacity,
               channel->rows + (size_t)field->offset * channel->capacity,
               (size_t)field->size * channel->count);
    }
}

static bool drop(CnChannel *channel)
{
    channel->dropped++;
    if (!channel->reported)
        CN_LOG_WARNING("ecs", "events of type %s are dropped: %u are waiting",
                       channel->world->components.items[channel->component.id].info.name,
                       channel->count);
    channel->reported = true;
    return false;
}

bool cni_event_room(CnChannel *channel)
{
    if (channel->count >= channel->max_events)
        return drop(channel);
    uint32_t capacity = channel->capacity ? channel->capacity : FIRST_CAPACITY / 2;
    capacity = capacity < channel->max_events / 2 ? capacity * 2 : channel->max_events;
    if (channel->aside) /* columns stay aligned */
        capacity = (capacity + 63u) & ~63u;
    CnAllocator *allocator = channel->world->allocator;
    uint8_t *rows = cn_alloc_aligned(allocator, (size_t)capacity * channel->row_bytes, 64);
    if (!rows)
        return drop(channel);
    if (channel->count)
        move_rows(channel, rows, capacity);
    cn_free_aligned(allocator, channel->rows, (size_t)channel->capacity * channel->row_bytes, 64);
    channel->rows = rows;
    channel->capacity = capacity;
    set_limit(channel, channel->max_events);
    return true;
}

bool cni_event_spread(CnChannel *channel)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(channel->rows + (size_t)field->offset * channel->capacity +
                   (size_t)channel->count * field->size,
               channel->aside + field->offset, field->size);
    }
    channel->count++;
    return true;
}

bool cn_send_value(CnChannel *channel, const void *value)
{
    if (!channel->row_bytes) {
        cn_signal(channel);
        return true;
    }
    if (!cni_event_begin(channel, channel->row_bytes))
        return false;
    memcpy(cni_event_place(channel, channel->row_bytes), value, channel->row_bytes);
    return cni_event_end(channel);
}

/* Drops the `count` oldest events. */
static void drop_oldest(CnChannel *channel, uint32_t count)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    uint32_t left = channel->count - count;
    if (left && channel->row_bytes && !channel->aside)
        memmove(channel->rows, channel->rows + (size_t)count * channel->row_bytes,
                (size_t)left * channel->row_bytes);
    for (uint32_t f = 0; left && channel->aside && f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        uint8_t *column = channel->rows + (size_t)field->offset * channel->capacity;
        memmove(column, column + (size_t)count * field->size, (size_t)left * field->size);
    }
    channel->count = left;
}

void cn_events_begin_update(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++) {
        CnChannel *channel = world->channels.items[i];
        if (channel->old_count)
            drop_oldest(channel, channel->old_count);
        channel->old_count = 0;
        channel->reported = false;
    }
}

void cn_events_end_update(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        world->channels.items[i]->old_count = world->channels.items[i]->count;
}

#include "store.h"

#define FIRST_CAPACITY 64u

CnChannel *cn_channel_open(CnWorld *world, const CnChannelDesc *desc)
{
    uint32_t id = cni_value_component(world, desc->type, desc->component);
    CN_ASSERT(id, "a channel names a component that is not registered");
    if (!id)
        return NULL;
    Component *component = &world->components.items[id];
    if (component->channel) {
        if (desc->max_events)
            component->channel->max_events = desc->max_events;
        return component->channel;
    }
    CnChannel *channel = cn_alloc_zeroed(world->allocator, sizeof *channel);
    if (!channel)
        return NULL;
    channel->max_events = desc->max_events ? desc->max_events : CN_DEFAULT_MAX_EVENTS;
    channel->row_bytes = component->info.size;
    channel->layout = component->info.layout;
    channel->component = (CnComponent){id};
    channel->world = world;
    if (!cn_array_push(&world->channels, channel)) {
        cn_free(world->allocator, channel, sizeof *channel);
        return NULL;
    }
    component->channel = channel;
    return channel;
}

void cni_channels_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++) {
        CnChannel *channel = world->channels.items[i];
        cn_free_aligned(world->allocator, channel->rows,
                        (size_t)channel->capacity * channel->row_bytes, 64);
        cn_free(world->allocator, channel, sizeof *channel);
    }
    cn_array_fini(&world->channels);
}

/* Field columns keep their places relative to the capacity, so each one moves. */
static void move_rows(const CnChannel *channel, uint8_t *to, uint32_t capacity)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    if (channel->layout == CN_LAYOUT_PACKED) {
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
    if (channel->dropped++ == 0)
        CN_LOG_WARNING("ecs", "events of type %s are dropped: %u are waiting",
                       channel->world->components.items[channel->component.id].info.name,
                       channel->count);
    return false;
}

bool cni_channel_grow(CnChannel *channel)
{
    if (channel->count >= channel->max_events)
        return drop(channel);
    uint32_t capacity = channel->capacity ? channel->capacity * 2 : FIRST_CAPACITY;
    if (capacity > channel->max_events)
        capacity = channel->max_events;
    if (channel->layout == CN_LAYOUT_FIELDS) /* columns stay aligned */
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
    return true;
}

bool cn_send_value(CnChannel *channel, const void *value)
{
    if (!channel->row_bytes) {
        channel->count++;
        return true;
    }
    if ((channel->count == channel->capacity || channel->count >= channel->max_events) &&
        !cni_channel_grow(channel))
        return false;
    if (channel->layout == CN_LAYOUT_PACKED) {
        memcpy(channel->rows + (size_t)channel->count * channel->row_bytes, value,
               channel->row_bytes);
    } else {
        const CnComponentInfo *info =
            &channel->world->components.items[channel->component.id].info;
        for (uint32_t f = 0; f < info->field_count; f++) {
            const CnField *field = &info->fields[f];
            memcpy(channel->rows + (size_t)field->offset * channel->capacity +
                       (size_t)channel->count * field->size,
                   (const uint8_t *)value + field->offset, field->size);
        }
    }
    channel->count++;
    return true;
}

/* Drops the `count` oldest events. */
static void drop_oldest(CnChannel *channel, uint32_t count)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    uint32_t left = channel->count - count;
    if (left && channel->layout == CN_LAYOUT_PACKED)
        memmove(channel->rows, channel->rows + (size_t)count * channel->row_bytes,
                (size_t)left * channel->row_bytes);
    for (uint32_t f = 0; left && channel->layout == CN_LAYOUT_FIELDS && f < info->field_count;
         f++) {
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
    }
}

void cn_events_end_update(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        world->channels.items[i]->old_count = world->channels.items[i]->count;
}

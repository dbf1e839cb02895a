#include "ecs/world/world_internal.h"
#include "ecs/schedule/split_system.h"

#define FIRST_CAPACITY 64u

void cni_ecs_channel_free(CnWorld *world, CnChannel *channel)
{
    cn_free_aligned(world->allocator, channel->rows, (size_t)channel->capacity * channel->row_bytes,
                    64);
    cn_free_aligned(world->allocator, channel->staging, channel->row_bytes, 64);
    cni_ecs_channel_free_retained(channel);
    cn_free(world->allocator, channel, sizeof *channel);
}

/* Signals need no memory. */
void cni_ecs_channel_set_limit(CnChannel *channel, uint32_t max_events)
{
    uint32_t capacity = channel->row_bytes ? channel->capacity : max_events;
    channel->max_events = max_events;
    channel->room = channel->redirected ? 0 : capacity < max_events ? capacity : max_events;
}

static CnChannel *make_channel(CnWorld *world, uint32_t id)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    CnChannel *channel = cn_alloc_zeroed(world->allocator, sizeof *channel);
    if (!channel)
        return NULL;
    channel->row_bytes = info->size;
    channel->component = (CnComponent){id};
    channel->world = world;
    bool by_fields = info->layout == CN_LAYOUT_FIELDS;
    if (by_fields)
        channel->staging = cn_alloc_aligned(world->allocator, channel->row_bytes, 64);
    if ((by_fields && !channel->staging) || !cn_array_push(&world->channels, channel)) {
        cni_ecs_channel_free(world, channel);
        return NULL;
    }
    return channel;
}

/* Systems of a wave may open channels concurrently; nothing depends on the order of channels. */
CnChannel *cn_channel_open(CnWorld *world, const CnChannelDesc *desc)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    uint32_t id = cni_ecs_value_component(world, desc->type, desc->component);
    CN_ASSERT(id || desc->type || !desc->component.id,
              "a channel refers to a component that is not registered");
    if (!id) {
        if (!desc->type) /* otherwise registration has reported it */
            cni_ecs_report(world, CN_ERROR_NOT_FOUND,
                           "a channel refers to component %u, which is not registered",
                           desc->component.id);
        return NULL;
    }
    CnChannel **of_component = &world->components.items[id].channel;
    CnChannel *channel = __atomic_load_n(of_component, __ATOMIC_ACQUIRE);
    if (CN_LIKELY(channel && !desc->max_events))
        return channel;
    CN_ASSERT(channel || cni_ecs_running_system_is_exclusive() || cni_ecs_may_read(world, id), "%s",
              cni_ecs_access_text(world, id, "open the channel of"));
    pthread_mutex_lock(&world->channel_mutex);
    channel = *of_component;
    uint32_t max_events = desc->max_events ? desc->max_events : CN_DEFAULT_MAX_EVENTS;
    bool is_new = !channel;
    if (is_new)
        channel = make_channel(world, id);
    if (channel && is_new)
        channel->redirected = cni_ecs_lane_records();
    if (channel && (is_new || desc->max_events))
        cni_ecs_channel_set_limit(channel, max_events);
    __atomic_store_n(of_component, channel, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&world->channel_mutex);
    if (!channel)
        cni_ecs_report(world, CN_ERROR_MEMORY, "channel %s: out of memory",
                       world->components.items[id].info.name);
    return channel;
}

bool cni_ecs_channel_copy(CnChannel *to, const CnChannel *from)
{
    CnChannel copy = *from;
    CnAllocator *allocator = to->world->allocator;
    size_t bytes = (size_t)from->capacity * from->row_bytes;
    copy.rows = bytes ? cn_alloc_aligned(allocator, bytes, 64) : NULL;
    if (bytes && !copy.rows)
        return false;
    if (bytes)
        memcpy(copy.rows, from->rows, bytes);
    cn_free_aligned(allocator, to->rows, (size_t)to->capacity * to->row_bytes, 64);
    copy.component = to->component;
    copy.world = to->world;
    copy.staging = to->staging;
    copy.retained = to->retained;
    if (to->retained) /* readers count from there */
        copy.archived = to->archived;
    copy.in_frame = false;
    copy.frame_rows = NULL;
    copy.frame_count = copy.frame_capacity = 0;
    *to = copy;
    return true;
}

void cni_ecs_channels_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->channels.count; i++)
        cni_ecs_channel_free(world, world->channels.items[i]);
    cn_array_fini(&world->channels);
    pthread_mutex_destroy(&world->channel_mutex);
}

/* The offsets of field columns depend on the capacity, so each column moves. */
static void move_rows(const CnChannel *channel, uint8_t *to, uint32_t capacity)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    if (!channel->staging) { /* packed */
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

static bool is_side(const CnChannel *channel)
{
    return channel->world->components.items[channel->component.id].channel != channel;
}

static const char *event_name(const CnChannel *channel)
{
    return channel->world->components.items[channel->component.id].info.name;
}

/* Dropped events of a share are counted when the share is merged. */
static void drop(CnChannel *channel, uint64_t count)
{
    channel->dropped += count;
    if (count && !channel->reported && !is_side(channel)) {
        CN_LOG_WARNING("ecs", "events of type %s are dropped: %u are waiting", event_name(channel),
                       channel->count);
        channel->burst_start = channel->dropped - count;
        channel->reported = true;
    }
}

/* The first update in which no event was dropped ends a burst. */
static void end_burst(CnChannel *channel)
{
    if (channel->reported && channel->dropped == channel->update_start) {
        CN_LOG_WARNING("ecs", "%llu events of type %s were dropped",
                       (unsigned long long)(channel->dropped - channel->burst_start),
                       event_name(channel));
        channel->reported = false;
    }
    channel->update_start = channel->dropped;
}

/* Makes room for one more event. Returns false if the channel has max_events or when out of
 * memory. */
static bool grow(CnChannel *channel)
{
    if (channel->count >= channel->max_events)
        return false;
    uint32_t capacity = channel->capacity ? channel->capacity : FIRST_CAPACITY / 2;
    capacity = capacity < channel->max_events / 2 ? capacity * 2 : channel->max_events;
    if (channel->staging) /* keeps columns aligned */
        capacity = (capacity + 63u) & ~63u;
    CnAllocator *allocator = channel->world->allocator;
    uint8_t *rows = cn_alloc_aligned(allocator, (size_t)capacity * channel->row_bytes, 64);
    if (!rows)
        return false;
    if (channel->count)
        move_rows(channel, rows, capacity);
    cn_free_aligned(allocator, channel->rows, (size_t)channel->capacity * channel->row_bytes, 64);
    channel->rows = rows;
    channel->capacity = capacity;
    cni_ecs_channel_set_limit(channel, channel->max_events);
    return true;
}

CnChannel *cni_ecs_event_make_room(CnChannel *channel)
{
    if (channel->redirected)
        channel = cni_ecs_share_channel(channel);
    if (!channel || channel->count < channel->room || grow(channel))
        return channel;
    drop(channel, 1);
    return NULL;
}

bool cni_ecs_event_write_columns(CnChannel *channel, const void *value)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(channel->rows + (size_t)field->offset * channel->capacity +
                   (size_t)channel->count * field->size,
               (const uint8_t *)value + field->offset, field->size);
    }
    channel->count++;
    return true;
}

bool cn_send_value(CnChannel *channel, const void *value)
{
    CN_ASSERT(channel, "%s: channel is NULL", __func__);
    if (!channel->row_bytes)
        return cn_signal(channel);
    CnChannel *to = cni_ecs_event_begin(channel, channel->row_bytes);
    if (!to)
        return false;
    memcpy(cni_ecs_event_slot(to, to->row_bytes), value, to->row_bytes);
    return cni_ecs_event_end(to);
}

/* Appends contiguous rows. Returns how many fit. */
static uint32_t append_rows(CnChannel *channel, const uint8_t *rows, uint32_t count)
{
    uint32_t done = 0;
    while (done < count && (channel->count < channel->room || grow(channel))) {
        uint32_t room = channel->room - channel->count, some = count - done;
        some = some < room ? some : room;
        if (!channel->row_bytes) {
            channel->count += some;
        } else if (!channel->staging) {
            memcpy(channel->rows + (size_t)channel->count * channel->row_bytes,
                   rows + (size_t)done * channel->row_bytes, (size_t)some * channel->row_bytes);
            channel->count += some;
        } else {
            for (uint32_t i = 0; i < some; i++)
                cni_ecs_event_write_columns(channel,
                                            rows + (size_t)(done + i) * channel->row_bytes);
        }
        done += some;
    }
    return done;
}

void cni_ecs_channel_append_share(CnChannel *side)
{
    CnChannel *channel = side->world->components.items[side->component.id].channel;
    /* The loop opened the channel itself without declaring it, so cni_ecs_split_end did not know
     * it. */
    if (channel->redirected) {
        channel->redirected = false;
        cni_ecs_channel_set_limit(channel, channel->max_events);
    }
    uint32_t taken = append_rows(channel, side->rows, side->count);
    drop(channel, side->dropped + (side->count - taken));
    side->count = 0;
    side->dropped = 0;
}

/* Drops the `count` oldest events. */
static void drop_oldest(CnChannel *channel, uint32_t count)
{
    const CnComponentInfo *info = &channel->world->components.items[channel->component.id].info;
    uint32_t left = channel->count - count;
    if (left && channel->row_bytes && !channel->staging)
        memmove(channel->rows, channel->rows + (size_t)count * channel->row_bytes,
                (size_t)left * channel->row_bytes);
    for (uint32_t f = 0; left && channel->staging && f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        uint8_t *column = channel->rows + (size_t)field->offset * channel->capacity;
        memmove(column, column + (size_t)count * field->size, (size_t)left * field->size);
    }
    channel->count = left;
}

void cn_events_begin_update(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    for (uint32_t i = 0; i < world->channels.count; i++) {
        CnChannel *channel = world->channels.items[i];
        if (channel->old_count)
            drop_oldest(channel, channel->old_count);
        channel->old_count = 0;
        end_burst(channel);
    }
}

void cn_events_end_update(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    for (uint32_t i = 0; i < world->channels.count; i++)
        cni_ecs_channel_archive(world->channels.items[i]);
    for (uint32_t i = 0; i < world->channels.count; i++)
        world->channels.items[i]->old_count = world->channels.items[i]->count;
}

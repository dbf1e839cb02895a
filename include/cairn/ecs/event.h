/*
 * Events: typed messages from one system to others within a tick.
 *
 *     CN_COMPONENT(Damage, (entity, target), (f32, amount));      // an event is described alike
 *
 *     CnChannel *damage = cn_channel(world, Damage);
 *     cn_send(damage, Damage, {.target = e, .amount = 5});
 *
 *     const Damage *d = cn_events(damage, Damage);
 *     for (uint32_t i = 0; i < cn_event_count(damage); i++)
 *         hurt(d[i].target, d[i].amount);
 *
 * An event is readable from the moment of sending until the start of the update after the first
 * that could see it: an event sent between two updates is seen by all systems of the second, and
 * code between updates still sees the events of the last. A signal carries no data, only a count.
 * Channels are bounded, signals too; what does not fit is dropped, counted and logged once per
 * update.
 *
 * Frames are no updates: there may be none or several between two of them. In the stages of a
 * frame, cn_events and cn_event_count give every event since the frame before exactly once, to all
 * systems that declare to read it; what is sent during a frame is seen by the next update and the
 * next frame.
 *
 * Split systems send like others: their lanes send to buffers, which are appended to the channel in
 * a fixed order when the system ends. Until then nobody, the system included, sees what it sends.
 */
#ifndef CAIRN_ECS_EVENT_H
#define CAIRN_ECS_EVENT_H

#include <cairn/ecs/world.h>

#include <string.h>

CN_EXTERN_C_BEGIN

/* Read by the inline functions below; change it through functions alone. */
typedef struct CnChannel {
    uint8_t *rows; /* packed: structs; by fields: each field's column, capacity long */
    uint32_t count, capacity;
    uint32_t room; /* how many fit as things are; 0 while a split system may send */
    uint32_t max_events;
    uint32_t old_count; /* events that the update now ending has seen */
    uint32_t row_bytes;
    uint8_t *staging; /* by fields: where an event is built */
    uint64_t dropped;
    bool reported;   /* that events are dropped, in this update */
    bool redirected; /* a split system runs: what its lanes send goes to buffers of their shares */
    CnComponent component;
    CnWorld *world;
    /* For frames and readers; see cn_event_reader_create. */
    bool in_frame; /* the stages of a frame run: they see frame_rows */
    uint32_t frame_count, frame_capacity;
    const uint8_t *frame_rows;
    uint64_t frame_missed; /* events that were gone before a frame could see them */
    uint64_t archived;     /* events of all updates that ended */
    struct CniEcsRetainedEvents *retained;
} CnChannel;

typedef struct CnChannelDesc {
    const CnType *type;
    CnComponent component; /* when type is NULL */
    uint32_t max_events;   /* 0 means CN_DEFAULT_MAX_EVENTS */
} CnChannelDesc;

/* Made or found; its address stays valid as long as the world. NULL, which is logged once, when out
 * of memory or when the component is not registered. The layout is that of the registered type. A
 * system may open channels of events that it declares to read or write, also while others run
 * beside it; max_events is 0 there. */
CN_API CnChannel *cn_channel_open(CnWorld *world, const CnChannelDesc *desc);
#define cn_channel(world, T) cn_channel_open((world), &(const CnChannelDesc){.type = &cn_type_##T})

/* False when the channel is full: the event is dropped and counted. What a split system sends is
 * counted when it ends; it gets true as long as its own events alone fit. */
CN_API bool cn_send_value(CnChannel *channel, const void *value);

/* Where one more event goes, as it does not fit as things are: this channel, grown, or the buffer
 * of a lane. NULL: it is dropped. */
CN_API CnChannel *cni_ecs_event_make_room(CnChannel *channel);
CN_API bool cni_ecs_event_write_columns(CnChannel *channel, const void *value);

/* The channel, or the buffer, that takes one more event; NULL: it is dropped. */
static inline CnChannel *cni_ecs_event_begin(CnChannel *channel, size_t size)
{
    CN_ASSERT(size == channel->row_bytes, "this channel carries another type");
    CN_ASSERT(cni_ecs_may_send(channel->world, channel->component.id), "%s",
              cni_ecs_access_text(channel->world, channel->component.id, "send event"));
    return CN_LIKELY(channel->count < channel->room) ? channel : cni_ecs_event_make_room(channel);
}

/* Where it is written: in its row, or aside if it is to be spread over columns. */
static inline void *cni_ecs_event_slot(const CnChannel *channel, size_t size)
{
    return CN_LIKELY(!channel->staging) ? channel->rows + (size_t)channel->count * size
                                        : channel->staging;
}

static inline bool cni_ecs_event_end(CnChannel *channel)
{
    if (CN_UNLIKELY(channel->staging != NULL))
        return cni_ecs_event_write_columns(channel, channel->staging);
    channel->count++;
    return true;
}

/* The value is built in place: a copy of what was written a moment ago costs more than the rest. */
#define cn_send(channel, T, ...)                                                                   \
    __extension__({                                                                                \
        CnChannel *cni_to = cni_ecs_event_begin((channel), sizeof(T));                             \
        if (cni_to) {                                                                              \
            *(T *)cni_ecs_event_slot(cni_to, sizeof(T)) = (T)__VA_ARGS__;                          \
            cni_ecs_event_end(cni_to);                                                             \
        }                                                                                          \
        cni_to != NULL;                                                                            \
    })

/* For tags; false like cn_send_value. */
static inline bool cn_signal(CnChannel *channel)
{
    CN_ASSERT(!channel->row_bytes, "this channel carries values");
    CN_ASSERT(cni_ecs_may_send(channel->world, channel->component.id), "%s",
              cni_ecs_access_text(channel->world, channel->component.id, "send event"));
    if (CN_UNLIKELY(channel->count >= channel->room)) {
        channel = cni_ecs_event_make_room(channel);
        if (!channel)
            return false;
    }
    channel->count++;
    return true;
}

static inline uint32_t cn_event_count(const CnChannel *channel)
{
    CN_ASSERT(cni_ecs_may_read(channel->world, channel->component.id), "%s",
              cni_ecs_access_text(channel->world, channel->component.id, "read event"));
    return channel->in_frame ? channel->frame_count : channel->count;
}

/* The events of a packed channel, oldest first. Valid until the next send. */
#define cn_events(channel, T) ((const T *)cni_ecs_event_rows(channel))
static inline const void *cni_ecs_event_rows(const CnChannel *channel)
{
    return channel->in_frame ? channel->frame_rows : channel->rows;
}
/* One field's column of a channel laid out by fields. */
#define cn_event_field(channel, T, field)                                                          \
    ((const __typeof__(((T *)0)->field) *)cni_ecs_event_column((channel), offsetof(T, field)))
static inline const void *cni_ecs_event_column(const CnChannel *channel, size_t offset)
{
    return channel->in_frame ? channel->frame_rows + offset * channel->frame_capacity
                             : channel->rows + offset * channel->capacity;
}

/* ---- Readers with a cursor ---- */

/* Sees every event exactly once, however often and in whichever stage it reads: for systems with a
 * condition, and for code outside of systems.
 *
 *     for (const Damage *d; (d = cn_read_next(reader, Damage));)
 *         show(d);
 *
 * Nothing that others see depends on readers: what has left the channel is kept beside it for them,
 * at most max_events. A reader that lags behind further loses the oldest, and counts them. */
typedef struct CnEventReader CnEventReader;

/* It begins with what is sent from now on, and ends with the world if it is not destroyed before.
 * On the thread that owns the world, or in a system that runs alone. NULL, which is logged, when
 * out of memory. */
CN_API CnEventReader *cn_event_reader_create(CnChannel *channel);
CN_API void cn_event_reader_destroy(CnEventReader *reader);
/* The next event, as a struct in either layout; NULL when there is none. Valid until the next call
 * or send. Of a signal it is only not NULL. From one thread at a time, by systems that declare to
 * read the type. */
CN_API const void *cn_event_reader_next(CnEventReader *reader);
#define cn_read_next(reader, T) ((const T *)cn_event_reader_next(reader))
/* How many wait. */
CN_API uint32_t cn_event_reader_count(CnEventReader *reader);
/* How many were gone before it read them. */
CN_API uint64_t cn_event_reader_missed(const CnEventReader *reader);

/* What an update does by itself: drops what the last one has seen. */
CN_API void cn_events_begin_update(CnWorld *world);
CN_API void cn_events_end_update(CnWorld *world);

CN_EXTERN_C_END

#endif

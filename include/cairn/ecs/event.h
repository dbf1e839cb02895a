/*
 * Events: typed messages between systems within a tick.
 *
 *     CN_COMPONENT(Damage, (entity, target), (f32, amount)); // described like a component
 *
 *     CnChannel *damage = cn_channel(world, Damage);
 *     cn_send(damage, Damage, {.target = e, .amount = 5});
 *
 *     const Damage *d = cn_events(damage, Damage);
 *     for (uint32_t i = 0; i < cn_event_count(damage); i++)
 *         hurt(d[i].target, d[i].amount);
 *
 * An event can be read from the moment it is sent until the start of the update after the first
 * update that could see it. All systems of an update thus see the events that were sent since the
 * previous update, and code between two updates still sees the events of the last one. A signal
 * carries no data, only a count. Channels are bounded, including those of signals; events that do
 * not fit are dropped, counted, and logged when a burst of them begins and, with their number,
 * after the first update without any.
 *
 * A frame is not an update: any number of frames, including zero, may lie between two updates. In
 * the frame stages, cn_events and cn_event_count return every event since the previous frame
 * exactly once, to all systems that declare reading it. Events sent during a frame are seen by the
 * next update and the next frame.
 *
 * Split systems can send events, too. Their lanes write to buffers, which are appended to the
 * channel in a fixed order when the system ends. Until then nobody, including the system itself,
 * sees these events.
 */
#ifndef CAIRN_ECS_EVENT_H
#define CAIRN_ECS_EVENT_H

#include <cairn/ecs/world.h>

#include <string.h>

CN_EXTERN_C_BEGIN

/* Fields are public for the inline functions below; modify them only through functions. */
typedef struct CnChannel {
    uint8_t *rows; /* packed: structs; by fields: one column of `capacity` values per field */
    uint32_t count, capacity;
    uint32_t room; /* events that fit without growing; 0 while a split system may send */
    uint32_t max_events;
    uint32_t old_count; /* events that the current update has seen */
    uint32_t row_bytes;
    uint8_t *staging; /* by fields: a temporary event */
    uint64_t dropped;
    uint64_t burst_start;  /* `dropped` when the current burst of dropped events began */
    uint64_t update_start; /* `dropped` when the current update began */
    bool reported;         /* the burst was logged */
    bool redirected;       /* a split system runs: lanes send to buffers of their own */
    CnComponent component;
    CnWorld *world;
    /* Used by frames and readers; see cn_event_reader_create. */
    bool in_frame; /* frame stages are running; they see frame_rows */
    uint32_t frame_count, frame_capacity;
    const uint8_t *frame_rows;
    uint64_t frame_missed; /* events discarded before a frame could see them */
    uint64_t archived;     /* events of all updates that ended */
    struct CniEcsRetainedEvents *retained;
} CnChannel;

typedef struct CnChannelDesc {
    const CnType *type;
    CnComponent component; /* when type is NULL */
    uint32_t max_events;   /* 0 means CN_DEFAULT_MAX_EVENTS */
} CnChannelDesc;

/* Returns the channel of an event type and creates it on first use. Its address is valid as long as
 * the world exists. Returns NULL, which is logged once, when out of memory or if the component is
 * not registered. The layout is that of the registered type. A system may open channels of events
 * that it declares to read or write, also while other systems run; it must pass 0 as max_events. */
CN_API CnChannel *cn_channel_open(CnWorld *world, const CnChannelDesc *desc);
#define cn_channel(world, T) cn_channel_open((world), &(const CnChannelDesc){.type = &cn_type_##T})

/* Sends an event. Returns false if the channel is full: the event is dropped and counted. Events of
 * a split system are counted when the system ends; until then the call returns true as long as the
 * system's own events fit. */
CN_API bool cn_send_value(CnChannel *channel, const void *value);

/* Returns the channel that receives the next event if there is no room: this channel after growing,
 * or the buffer of a lane. NULL if the event is dropped. */
CN_API CnChannel *cni_ecs_event_make_room(CnChannel *channel);
CN_API bool cni_ecs_event_write_columns(CnChannel *channel, const void *value);

/* Returns the channel or buffer that receives the next event; NULL if it is dropped. */
static inline CnChannel *cni_ecs_event_begin(CnChannel *channel, size_t size)
{
    CN_ASSERT(size == channel->row_bytes, "this channel carries another type");
    CN_ASSERT(cni_ecs_may_send(channel->world, channel->component.id), "%s",
              cni_ecs_access_text(channel->world, channel->component.id, "send event"));
    return CN_LIKELY(channel->count < channel->room) ? channel : cni_ecs_event_make_room(channel);
}

/* Returns where to write the event: in its row, or in `staging` if it is stored by fields. */
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

/* Builds the value in place: copying a value that was just written would cost more than the
 * rest. */
#define cn_send(channel, T, ...)                                                                   \
    __extension__({                                                                                \
        CnChannel *cni_to = cni_ecs_event_begin((channel), sizeof(T));                             \
        if (cni_to) {                                                                              \
            *(T *)cni_ecs_event_slot(cni_to, sizeof(T)) = (T)__VA_ARGS__;                          \
            cni_ecs_event_end(cni_to);                                                             \
        }                                                                                          \
        cni_to != NULL;                                                                            \
    })

/* Sends an event without data. Returns false like cn_send_value. */
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

/* Returns the events of a packed channel, oldest first. Valid until the next send. */
#define cn_events(channel, T) ((const T *)cni_ecs_event_rows(channel))
static inline const void *cni_ecs_event_rows(const CnChannel *channel)
{
    return channel->in_frame ? channel->frame_rows : channel->rows;
}
/* Returns the column of one field of a channel that is stored by fields. */
#define cn_event_field(channel, T, field)                                                          \
    ((const __typeof__(((T *)0)->field) *)cni_ecs_event_column((channel), offsetof(T, field)))
static inline const void *cni_ecs_event_column(const CnChannel *channel, size_t offset)
{
    return channel->in_frame ? channel->frame_rows + offset * channel->frame_capacity
                             : channel->rows + offset * channel->capacity;
}

/* ---- Readers with a cursor ---- */

/* A reader with a cursor: it returns every event exactly once, however often and in whichever stage
 * it is called. Use it in systems with a run_if condition and in code outside of systems.
 *
 *     for (const Damage *d; (d = cn_read_next(reader, Damage));)
 *         show_hit(d->target, d->amount);
 *
 * Readers do not affect what others see: events that have left the channel are kept for readers
 * beside it, up to max_events. A reader that lags further behind misses the oldest events and
 * counts them. */
typedef struct CnEventReader CnEventReader;

/* Creates a reader of the events that are sent from now on. The world destroys the readers that
 * still exist when it is destroyed. Call it on the thread that owns the world or in a system that
 * runs alone. Returns NULL and sets the error when out of memory. */
CN_API CnEventReader *cn_event_reader_create(CnChannel *channel, CnError *error);
/* Destroys a reader. NULL is ignored. */
CN_API void cn_event_reader_destroy(CnEventReader *reader);
/* Returns the next event as a struct, in either layout, or NULL if there is none. Valid until the
 * next call or send. For a signal, the result is only non-NULL. One thread at a time, in systems
 * that declare reading the type. */
CN_API const void *cn_event_reader_next(CnEventReader *reader);
#define cn_read_next(reader, T) ((const T *)cn_event_reader_next(reader))
/* Returns the number of events that have not been read. */
CN_API uint32_t cn_event_reader_count(CnEventReader *reader);
/* Returns the number of events that were discarded before they were read. */
CN_API uint64_t cn_event_reader_missed(const CnEventReader *reader);

/* Called by updates. cn_events_begin_update discards the events that the previous update has
 * seen. */
CN_API void cn_events_begin_update(CnWorld *world);
CN_API void cn_events_end_update(CnWorld *world);

CN_EXTERN_C_END

#endif

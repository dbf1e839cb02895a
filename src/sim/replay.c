#include "sim/replay_format.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

/* ---- Matching recorded events with a simulation ---- */

static const CnField *find_field(const CnComponentInfo *info, CnText name)
{
    for (uint32_t f = 0; f < info->field_count; f++)
        if (cn_text_equal(cn_text(info->fields[f].name), name))
            return &info->fields[f];
    return NULL;
}

static bool bind_field(CniSimRecordedField *field, const CnComponentInfo *info, CnError *error)
{
    int name_bytes = (int)field->name.size;
    field->field = find_field(info, field->name);
    if (!field->field)
        return cn_error_set(
            error, CN_ERROR_MISMATCH,
            "the recorded event %s has a field %.*s, which this simulation does not have",
            info->name, name_bytes, field->name.data);
    if (field->field->type != field->type || field->field->count != field->count)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "field %.*s of the recorded event %s is %s[%u]; here it is %s[%u]",
                            name_bytes, field->name.data, info->name,
                            cn_field_type_name(field->type), field->count,
                            cn_field_type_name(field->field->type), field->field->count);
    return true;
}

/* Every recorded field was matched: a field of the simulation that was not matched is new. */
static bool bind_fields(CnReplay *replay, const CniSimRecordedChannel *channel,
                        const CnComponentInfo *info, CnError *error)
{
    CniSimRecordedField *fields = replay->fields.items + channel->first_field;
    for (uint32_t f = 0; f < channel->field_count; f++)
        if (!bind_field(&fields[f], info, error))
            return false;
    for (uint32_t f = 0; f < info->field_count; f++) {
        bool met = false;
        for (uint32_t r = 0; r < channel->field_count && !met; r++)
            met = fields[r].field == &info->fields[f];
        if (!met)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "the event %s has a field %s, which the recording does not have",
                                info->name, info->fields[f].name);
    }
    return true;
}

static bool bind_channel(CnReplay *replay, CniSimRecordedChannel *channel, CnWorld *world,
                         CnError *error)
{
    char name[CN_MAX_NAME_BYTES];
    CnComponentInfo info;
    cn_copy_text(name, sizeof name, channel->name);
    CnComponent component = cn_component_find(world, name);
    if (!cn_component_info(world, component, &info))
        return cn_error_set(
            error, CN_ERROR_NOT_FOUND,
            "the recording has events of type %s, which this simulation does not have", name);
    if (!bind_fields(replay, channel, &info, error))
        return false;
    if (info.size > replay->value_bytes) {
        void *value = cn_realloc(replay->allocator, replay->value, replay->value_bytes, info.size);
        if (!value)
            return cn_error_memory(error, "a replay");
        replay->value = value;
        replay->value_bytes = info.size;
    }
    channel->channel = cn_channel_open(world, &(CnChannelDesc){.component = component});
    return channel->channel || cn_error_memory(error, "a replay");
}

static void send_event(CnReplay *replay, const CniSimRecordedChannel *channel,
                       const uint8_t *packed)
{
    const CniSimRecordedField *fields = replay->fields.items + channel->first_field;
    if (channel->channel->row_bytes)
        memset(replay->value, 0, channel->channel->row_bytes);
    for (uint32_t f = 0; f < channel->field_count; f++) {
        cni_sim_unpack_field(fields[f].field, packed, replay->value);
        packed += fields[f].size;
    }
    cn_send_value(channel->channel, replay->value);
}

/* Replaces the merge of producers. Sends nothing when some event cannot be sent, because the
 * others would be delivered in a later tick. */
static bool feed(CnSim *sim, void *user, CnError *error)
{
    CnReplay *replay = user;
    uint64_t index = cn_sim_tick(sim) - replay->info.first_tick;
    if (index >= replay->ticks.count) /* somebody resumed the simulation after the end */
        return true;
    const uint8_t *begin = replay->bytes + replay->ticks.items[index], *at = begin + 4;
    uint32_t events = cn_load_u32(begin);
    for (uint32_t i = 0; i < events; i++) {
        CniSimRecordedChannel *channel = &replay->channels.items[cn_load_u16(at)];
        if (!channel->channel && !bind_channel(replay, channel, sim->world, error))
            return false;
        at += sizeof(uint16_t) + channel->bytes;
    }
    at = begin + 4;
    for (uint32_t i = 0; i < events; i++) {
        const CniSimRecordedChannel *channel = &replay->channels.items[cn_load_u16(at)];
        send_event(replay, channel, at + sizeof(uint16_t));
        at += sizeof(uint16_t) + channel->bytes;
    }
    return true;
}

/* ---- Playing ---- */

static uint64_t end_of(const CnReplay *replay)
{
    return replay->info.first_tick + replay->info.tick_count;
}

static bool check_sim(const CnReplay *replay, const CnSim *sim, CnError *error)
{
    uint64_t tick = cn_sim_tick(sim);
    if (sim->clock.tick_hz != replay->info.tick_hz)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the recording has %u ticks per second, the simulation %u",
                            replay->info.tick_hz, sim->clock.tick_hz);
    if (tick < replay->info.first_tick || tick > end_of(replay))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "the simulation is at tick %llu; the recording covers %llu to %llu",
                            (unsigned long long)tick, (unsigned long long)replay->info.first_tick,
                            (unsigned long long)end_of(replay));
    return true;
}

/* Returns the tick after which the state is that before this tick; see cni_sim_replay_state. */
static uint64_t before(const CnReplay *replay, uint64_t tick)
{
    return tick == replay->info.first_tick ? UINT64_MAX : tick - 1;
}

static uint64_t recorded_hash(const CnReplay *replay, const CnSim *sim)
{
    return cn_load_u64(cni_sim_replay_state(replay, before(replay, cn_sim_tick(sim))));
}

static bool is_as_recorded(const CnReplay *replay, const CnSim *sim)
{
    return recorded_hash(replay, sim) == cn_sim_hash(sim);
}

static bool describe(const CnReplay *replay, const CnSim *sim, CnReplayDifference *difference,
                     CnError *error)
{
    difference->hash = cn_sim_hash(sim);
    difference->recorded_hash = recorded_hash(replay, sim);
    return cni_sim_replay_describe(replay, sim, before(replay, cn_sim_tick(sim)), difference,
                                   error);
}

static bool play_tick(CnReplay *replay, CnSim *sim, CnReplayDifference *difference, CnError *error)
{
    if (!cn_sim_tick_n(sim, 1, error))
        return false;
    if (!difference || is_as_recorded(replay, sim))
        return true;
    return describe(replay, sim, difference, error);
}

static void forget_channels(CnReplay *replay)
{
    for (uint32_t i = 0; i < replay->channels.count; i++)
        replay->channels.items[i].channel = NULL;
}

static bool play(CnReplay *replay, CnSim *sim, uint64_t end, CnReplayDifference *difference,
                 CnError *error)
{
    /* This may be a different simulation than the last time. */
    forget_channels(replay);
    CnSimObserver outer = sim->observer;
    cn_sim_observe(sim, &(CnSimObserver){.feed = feed, .user = replay});
    bool done = true;
    while (done && cn_sim_tick(sim) < end && !(difference && difference->found))
        done = play_tick(replay, sim, difference, error);
    cn_sim_observe(sim, &outer);
    return done;
}

bool cn_replay_run(CnReplay *replay, CnSim *sim, uint64_t end, CnReplayDifference *difference,
                   CnError *error)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(cn_sim_world(sim)));
    if (difference)
        *difference = (CnReplayDifference){0};
    if (!cn_sim_start(sim, error) || !check_sim(replay, sim, error))
        return false;
    if (difference && !is_as_recorded(replay, sim)) {
        difference->at_start = true;
        return describe(replay, sim, difference, error);
    }
    return play(replay, sim, end < end_of(replay) ? end : end_of(replay), difference, error);
}

/* ---- Playing in the time of the simulation ---- */

static bool on_played(CnSim *sim, void *user, CnError *error)
{
    CnReplay *replay = user;
    if (cn_sim_tick(sim) > end_of(replay))
        return true;
    if (cn_sim_tick(sim) == end_of(replay)) {
        cn_sim_stop(sim);
        cn_sim_pause(sim, true);
    }
    return replay->difference.found || is_as_recorded(replay, sim) ||
           describe(replay, sim, &replay->difference, error);
}

bool cn_replay_begin(CnReplay *replay, CnSim *sim, CnError *error)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(cn_sim_world(sim)));
    if (sim->observer.ticked || sim->observer.feed || sim->observer.delivered)
        return cn_error_set(error, CN_ERROR_EXISTS,
                            "this simulation already has a recorder or an observer");
    if (!cn_sim_start(sim, error) || !check_sim(replay, sim, error))
        return false;
    replay->difference = (CnReplayDifference){0};
    if (!is_as_recorded(replay, sim)) {
        replay->difference.at_start = true;
        if (!describe(replay, sim, &replay->difference, error))
            return false;
    }
    forget_channels(replay);
    cn_sim_pause(sim, cn_sim_tick(sim) == end_of(replay));
    cn_sim_observe(sim, &(CnSimObserver){.feed = feed, .ticked = on_played, .user = replay});
    return true;
}

const CnReplayDifference *cn_replay_difference(const CnReplay *replay)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    return &replay->difference;
}

void cn_replay_end(CnReplay *replay, CnSim *sim)
{
    if (sim->observer.user == replay)
        cn_sim_observe(sim, NULL);
}

/* ---- Seeking ---- */

bool cni_sim_packed_size_is(const uint8_t *packed, size_t packed_bytes, uint64_t size)
{
    return ZSTD_getFrameContentSize(packed, packed_bytes) == size &&
           ZSTD_findFrameCompressedSize(packed, packed_bytes) == packed_bytes;
}

bool cni_sim_unpack(const CnReplay *replay, size_t at, uint32_t content_bytes, uint8_t *to,
                    CnError *error)
{
    const uint8_t *content = replay->bytes + at, *packed = content + 9;
    size_t packed_bytes = content_bytes - 9u, size = cni_sim_unpacked_size(replay, at);
    if (content[0] == CNI_SIM_PACKING_NONE) {
        if (size > 0)
            memcpy(to, packed, size);
        return true;
    }
    size_t bytes = ZSTD_estimateDCtxSize();
    void *memory = cn_alloc(replay->allocator, bytes);
    if (!memory)
        return cn_error_memory(error, "part of a recording");
    ZSTD_DCtx *context = ZSTD_initStaticDCtx(memory, bytes);
    size_t done = ZSTD_decompressDCtx(context, to, size, packed, packed_bytes);
    cn_free(replay->allocator, memory, bytes);
    return done == size ||
           cn_error_set(error, CN_ERROR_FORMAT,
                        "byte %zu: a keyframe or an attachment cannot be unpacked", at + 9);
}

static bool restore_keyframe(const CnReplay *replay, CnSim *sim,
                             const CniSimRecordedKeyframe *keyframe, CnError *error)
{
    const uint8_t *content = replay->bytes + keyframe->at;
    size_t size = cni_sim_unpacked_size(replay, keyframe->at);
    if (content[0] == CNI_SIM_PACKING_NONE)
        return cn_sim_restore(sim, content + 9, size, error);
    uint8_t *bytes = cn_alloc(replay->allocator, size + 1);
    if (!bytes)
        return cn_error_memory(error, "a keyframe");
    bool done = cni_sim_unpack(replay, keyframe->at, keyframe->size, bytes, error) &&
                cn_sim_restore(sim, bytes, size, error);
    cn_free(replay->allocator, bytes, size + 1);
    return done;
}

/* Returns the last keyframe that is not after the tick. */
static const CniSimRecordedKeyframe *find_keyframe(const CnReplay *replay, uint64_t tick)
{
    uint32_t low = 0, high = replay->keyframes.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (replay->keyframes.items[middle].tick <= tick)
            low = middle;
        else
            high = middle;
    }
    return &replay->keyframes.items[low];
}

bool cn_replay_seek(CnReplay *replay, CnSim *sim, uint64_t tick, CnError *error)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(cn_sim_world(sim)));
    if (tick < replay->info.first_tick || tick > end_of(replay))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "tick %llu is outside of the recording, %llu to %llu",
                            (unsigned long long)tick, (unsigned long long)replay->info.first_tick,
                            (unsigned long long)end_of(replay));
    if (!cn_sim_start(sim, error))
        return false;
    const CniSimRecordedKeyframe *keyframe = find_keyframe(replay, tick);
    uint64_t now = cn_sim_tick(sim);
    bool goes_on = now >= keyframe->tick && now <= tick && is_as_recorded(replay, sim);
    if (!goes_on && !restore_keyframe(replay, sim, keyframe, error))
        return false;
    if (!goes_on && cn_sim_tick(sim) != keyframe->tick)
        return cn_error_set(error, CN_ERROR_FORMAT, "byte %zu: a keyframe belongs to another tick",
                            keyframe->at);
    return check_sim(replay, sim, error) && play(replay, sim, tick, NULL, error);
}

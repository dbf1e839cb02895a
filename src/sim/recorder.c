#include "sim/replay_format.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#define DEFAULT_KEYFRAME_TICKS 1000u
#define PIECE_BYTES (64u << 10) /* pending bytes are written at this size, or after a second */
#define ZSTD_LEVEL -1           /* three times as fast as level 1, for a tenth more bytes */

/* A component of the recording; [0] represents the entities themselves. */
typedef struct Traced {
    uint64_t hash; /* faster than a fingerprint; 0: the component is changing */
    CnFingerprint fingerprint;
} Traced;

struct CnRecorder {
    CnAllocator *allocator;
    CnSim *sim;
    CnFileSystem *files;
    CnFile *file; /* NULL: into memory */
    uint64_t written, last_write;
    bool file_failed;
    bool stopped;
    bool finished;
    CnError error; /* why it stopped */

    uint64_t first, next; /* ticks */
    uint32_t keyframe_ticks, keyframe_count, write_ticks;
    bool has_components, compresses, is_listener;
    bool is_marked; /* that the run is not reproducible was written */

    CniSimReplayWriter out;
    uint32_t whole;            /* bytes of `out` up to the last complete tick */
    CniSimReplayWriter events; /* of the next tick */
    CniSimReplayWriter state;  /* of the tick being written */
    uint32_t event_count, change_count;

    uint32_t channel_count;
    CnU32Array channel_of; /* by component: its number + 1 */
    CN_ARRAY(Traced) traced;
    CnU32Array traced_of; /* by component: its index in `traced`; 0: none yet */

    void *packer; /* of zstd */
    size_t packer_bytes;
};

/* Ends the recording after its last complete tick; the simulation continues. */
static void stop(CnRecorder *recorder, const CnError *error)
{
    if (recorder->stopped)
        return;
    recorder->stopped = true;
    recorder->error = *error;
    recorder->out.bytes.count = recorder->whole;
    CN_LOG_WARNING("sim", "the recording ends before tick %llu: %s",
                   (unsigned long long)recorder->next, error->message);
}

static void stop_without_memory(CnRecorder *recorder)
{
    CnError error = {0};
    cn_error_memory(&error, "a recording");
    stop(recorder, &error);
}

/* ---- Events ---- */

static bool zeros_up_to(CnU32Array *array, uint32_t index)
{
    if (index < array->count)
        return true;
    if (!cn_array_reserve(array, (uint64_t)index + 1))
        return false;
    memset(array->items + array->count, 0, (index + 1 - array->count) * sizeof *array->items);
    array->count = index + 1;
    return true;
}

static void define_channel(CnRecorder *recorder, const CnComponentInfo *info)
{
    CniSimReplayWriter *out = &recorder->out;
    uint32_t block = cni_sim_block_begin(out, CNI_SIM_BLOCK_CHANNEL);
    cni_sim_write_name(out, info->name);
    cni_sim_write_u8(out, (uint8_t)info->field_count);
    for (uint32_t f = 0; f < info->field_count; f++) {
        cni_sim_write_name(out, info->fields[f].name);
        cni_sim_write_u8(out, (uint8_t)info->fields[f].type);
        cni_sim_write_u32(out, info->fields[f].count);
    }
    cni_sim_block_end(out, block);
}

/* Returns its number + 1, or 0 when the recording cannot continue. */
static uint32_t find_channel(CnRecorder *recorder, uint32_t component, const CnComponentInfo *info)
{
    if (!zeros_up_to(&recorder->channel_of, component)) {
        stop_without_memory(recorder);
        return 0;
    }
    uint32_t *number = &recorder->channel_of.items[component];
    if (*number)
        return *number;
    CnError error = {0};
    if (info->size && !info->field_count)
        cn_error_set(&error, CN_ERROR_UNSUPPORTED, "events of type %s are opaque", info->name);
    else if (recorder->channel_count > UINT16_MAX)
        cn_error_set(&error, CN_ERROR_LIMIT, "there are events of more than 65,536 types");
    if (error.code) {
        stop(recorder, &error);
        return 0;
    }
    define_channel(recorder, info);
    return *number = ++recorder->channel_count;
}

static void on_delivered(CnChannel *channel, const void *value, void *user)
{
    CnRecorder *recorder = user;
    CnComponentInfo info;
    if (recorder->stopped || !cn_component_info(channel->world, channel->component, &info))
        return;
    uint32_t number = find_channel(recorder, channel->component.id, &info);
    if (!number)
        return;
    cni_sim_write_u16(&recorder->events, (uint16_t)(number - 1));
    cni_sim_pack_value(&recorder->events, info.fields, info.field_count, value);
    recorder->event_count++;
}

/* ---- State ---- */

static void write_change(CnRecorder *recorder, uint32_t number, const CnFingerprint *now)
{
    CniSimReplayWriter *state = &recorder->state;
    CnFingerprint *last = &recorder->traced.items[number].fingerprint;
    uint8_t parts = 0;
    if (memcmp(now->sums, last->sums, sizeof now->sums) != 0)
        parts |= CNI_SIM_FINGERPRINT_SUMS;
    if (now->count != last->count)
        parts |= CNI_SIM_FINGERPRINT_COUNT;
    if (now->resource != last->resource)
        parts |= CNI_SIM_FINGERPRINT_RESOURCE;
    if (!parts)
        return;
    cni_sim_write_u32(state, number);
    cni_sim_write_u8(state, parts);
    if (parts & CNI_SIM_FINGERPRINT_SUMS)
        cni_sim_write(state, now->sums, sizeof now->sums);
    if (parts & CNI_SIM_FINGERPRINT_COUNT)
        cni_sim_write_u64(state, now->count);
    if (parts & CNI_SIM_FINGERPRINT_RESOURCE)
        cni_sim_write_u64(state, now->resource);
    *last = *now;
    recorder->change_count++;
}

/* Returns false when out of memory. */
static bool define_component(CnRecorder *recorder, CnComponent component, const char *name)
{
    if (!zeros_up_to(&recorder->traced_of, component.id) ||
        !cn_array_push(&recorder->traced, (Traced){0}))
        return false;
    recorder->traced_of.items[component.id] = recorder->traced.count - 1;
    uint32_t block = cni_sim_block_begin(&recorder->out, CNI_SIM_BLOCK_COMPONENT);
    cni_sim_write_name(&recorder->out, name);
    cni_sim_block_end(&recorder->out, block);
    return true;
}

static uint64_t hash_of(const CnWorld *world, CnComponent component)
{
    return component.id ? cn_world_hash_component(world, component) : cn_world_hash_entities(world);
}

/* Unchanged components are monitored by their hash; components that changed in the last state
 * are expected to keep changing. */
static void trace(CnRecorder *recorder, uint32_t number, CnComponent component)
{
    const CnWorld *world = recorder->sim->world;
    Traced *traced = &recorder->traced.items[number];
    if (traced->hash && traced->hash == hash_of(world, component))
        return;
    CnFingerprint now;
    cn_world_fingerprint_component(world, component, &now);
    bool rests = cn_fingerprint_equal(&now, &traced->fingerprint);
    traced->hash = rests ? hash_of(world, component) : 0;
    write_change(recorder, number, &now);
}

static bool is_in_use(const CnWorld *world, CnComponent component)
{
    CnFingerprint fingerprint;
    cn_world_fingerprint_component(world, component, &fingerprint);
    return fingerprint.count || fingerprint.resource;
}

/* Pairs belong to their relation. Returns false when out of memory. */
static bool trace_component(CnRecorder *recorder, CnComponent component)
{
    const CnWorld *world = recorder->sim->world;
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || info.pair_kind.id)
        return true;
    bool known =
        component.id < recorder->traced_of.count && recorder->traced_of.items[component.id];
    if (!known && !is_in_use(world, component))
        return true;
    if (!known && !define_component(recorder, component, info.name))
        return false;
    trace(recorder, recorder->traced_of.items[component.id], component);
    return true;
}

/* Fills `state` with the changes since the last state. */
static bool trace_state(CnRecorder *recorder)
{
    const CnWorld *world = recorder->sim->world;
    recorder->state.bytes.count = 0;
    recorder->change_count = 0;
    if (!recorder->has_components)
        return true;
    trace(recorder, 0, (CnComponent){0});
    for (CnComponent id = {1}; id.id <= cn_component_limit(world); id.id++)
        if (!trace_component(recorder, id))
            return false;
    return true;
}

static void write_state(CnRecorder *recorder)
{
    cni_sim_write_u64(&recorder->out, cn_sim_hash(recorder->sim));
    cni_sim_write_u32(&recorder->out, recorder->change_count);
    cni_sim_write(&recorder->out, recorder->state.bytes.items, recorder->state.bytes.count);
}

/* ---- Keyframes and attachments ---- */

/* Returns the compressed size; 0 when it is not worth it, SIZE_MAX on an error. */
static size_t compress(CnRecorder *recorder, uint8_t *room, size_t most, const void *bytes,
                       size_t size)
{
    if (!recorder->compresses)
        return 0;
    ZSTD_CCtx *context = ZSTD_initStaticCCtx(recorder->packer, recorder->packer_bytes);
    size_t packed = ZSTD_compressCCtx(context, room, most, bytes, size, ZSTD_LEVEL);
    if (ZSTD_isError(packed))
        return SIZE_MAX;
    return cni_sim_keyframe_size_valid(packed, size) ? packed : 0;
}

/* Writes packing, size and data. Returns false when it does not fit: out of memory, or a size
 * beyond 32 bits. */
static bool pack(CnRecorder *recorder, const void *bytes, size_t size)
{
    CniSimReplayWriter *out = &recorder->out;
    uint32_t packing = out->bytes.count;
    cni_sim_write_u8(out, CNI_SIM_PACKING_ZSTD);
    cni_sim_write_u64(out, size);
    size_t most = ZSTD_compressBound(size);
    uint8_t *room = cni_sim_write_reserve(out, most);
    size_t packed = room ? compress(recorder, room, most, bytes, size) : SIZE_MAX;
    if (packed == SIZE_MAX)
        return false;
    if (packed == 0) {
        if (size > 0)
            memcpy(room, bytes, size);
        packed = size;
        out->bytes.items[packing] = CNI_SIM_PACKING_NONE;
    }
    out->bytes.count += (uint32_t)packed;
    return true;
}

static bool pack_keyframe(CnRecorder *recorder, const CnSnapshot *snapshot)
{
    uint32_t block = cni_sim_block_begin(&recorder->out, CNI_SIM_BLOCK_KEYFRAME);
    if (!pack(recorder, snapshot->bytes, snapshot->size))
        return false;
    cni_sim_block_end(&recorder->out, block);
    return true;
}

bool cn_recorder_attach(CnRecorder *recorder, const char *name, const void *bytes, size_t size)
{
    CN_ASSERT(recorder, "%s: recorder is NULL", __func__);
    CN_ASSERT(name[0] && strlen(name) < CN_MAX_NAME_BYTES, "%s: bad name", __func__);
    CN_ASSERT(size <= CN_MAX_ATTACHMENT_BYTES, "%s: %zu bytes are too many", __func__, size);
    if (recorder->stopped || recorder->finished)
        return false;
    uint32_t block = cni_sim_block_begin(&recorder->out, CNI_SIM_BLOCK_ATTACHMENT);
    cni_sim_write_name(&recorder->out, name);
    if (pack(recorder, bytes, size)) {
        cni_sim_block_end(&recorder->out, block);
        if (!recorder->out.failed)
            return true;
    }
    stop_without_memory(recorder);
    return false;
}

static bool write_keyframe(CnRecorder *recorder, CnError *error)
{
    CnSnapshot snapshot;
    if (!cn_sim_save(recorder->sim, &snapshot, error))
        return false;
    bool packed = pack_keyframe(recorder, &snapshot);
    cn_snapshot_free(&snapshot);
    if (!packed)
        return cn_error_memory(error, "a keyframe");
    recorder->keyframe_count++;
    return true;
}

/* ---- Ticks ---- */

static bool write_out(CnRecorder *recorder, CnError *error)
{
    CnU8Array *bytes = &recorder->out.bytes;
    if (!recorder->file || !bytes->count)
        return true;
    if (!recorder->files->write(recorder->files, recorder->file, recorder->written, bytes->items,
                                bytes->count, error)) {
        recorder->file_failed = true;
        return false;
    }
    recorder->written += bytes->count;
    recorder->out.base = recorder->written;
    recorder->last_write = recorder->next;
    bytes->count = recorder->whole = 0;
    return true;
}

static bool write_tick(CnRecorder *recorder, CnError *error)
{
    CniSimReplayWriter *out = &recorder->out;
    if (!trace_state(recorder))
        return cn_error_memory(error, "a recording");
    uint32_t block = cni_sim_block_begin(out, CNI_SIM_BLOCK_TICK);
    cni_sim_write_u32(out, recorder->event_count);
    cni_sim_write(out, recorder->events.bytes.items, recorder->events.bytes.count);
    write_state(recorder);
    cni_sim_block_end(out, block);
    if (out->failed || recorder->events.failed || recorder->state.failed)
        return cn_error_memory(error, "a recording");
    return true;
}

static bool record_tick(CnRecorder *recorder, CnError *error)
{
    uint64_t tick = cn_sim_tick(recorder->sim);
    if (tick != recorder->next + 1)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "tick %llu failed, or the state was replaced in between",
                            (unsigned long long)recorder->next);
    if (!write_tick(recorder, error))
        return false;
    recorder->next = tick;
    recorder->whole = recorder->out.bytes.count;
    recorder->events.bytes.count = 0;
    recorder->event_count = 0;
    if ((tick - recorder->first) % recorder->keyframe_ticks == 0 &&
        !write_keyframe(recorder, error))
        return false;
    recorder->whole = recorder->out.bytes.count;
    bool due =
        recorder->whole >= PIECE_BYTES || tick - recorder->last_write >= recorder->write_ticks;
    return !due || write_out(recorder, error);
}

/* Says in the recording that the run is not reproducible, once. */
static void write_mark(CnRecorder *recorder)
{
    const CnSim *sim = recorder->sim;
    char text[256];
    if (recorder->is_marked || !sim->not_reproducible[0])
        return;
    recorder->is_marked = true;
    cn_format(text, sizeof text, "tick %llu: %s", (unsigned long long)sim->not_reproducible_tick,
              sim->not_reproducible);
    cn_recorder_attach(recorder, CN_NOT_REPRODUCIBLE, text, strlen(text));
}

static bool on_ticked(CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)error;
    CnRecorder *recorder = user;
    CnError own = {0};
    write_mark(recorder);
    if (!recorder->stopped && !record_tick(recorder, &own))
        stop(recorder, &own);
    return true;
}

/* ---- Beginning and end ---- */

static void write_header(CnRecorder *recorder, const CnRecorderDesc *desc)
{
    CniSimReplayWriter *out = &recorder->out;
    const CnSim *sim = recorder->sim;
    const char *settings = desc->settings ? desc->settings : "";
    cni_sim_write(out, CNI_SIM_REPLAY_MAGIC, CNI_SIM_REPLAY_MAGIC_BYTES);
    cni_sim_write_u32(out, CNI_SIM_REPLAY_VERSION);
    uint32_t block = cni_sim_block_begin(out, CNI_SIM_BLOCK_HEADER);
    cni_sim_write_u32(out, sim->clock.tick_hz);
    cni_sim_write_u64(out, sim->seed);
    cni_sim_write_u64(out, recorder->first);
    cni_sim_write_u8(out, recorder->has_components ? CNI_SIM_REPLAY_HAS_COMPONENTS : 0);
    cni_sim_write_name(out, desc->build ? desc->build : cn_version());
    cni_sim_write_u32(out, (uint32_t)strlen(settings));
    cni_sim_write(out, settings, strlen(settings));
    cni_sim_block_end(out, block);
}

static bool begin(CnRecorder *recorder, const CnRecorderDesc *desc, CnError *error)
{
    cn_array_init(&recorder->out.bytes, recorder->allocator);
    cn_array_init(&recorder->events.bytes, recorder->allocator);
    cn_array_init(&recorder->state.bytes, recorder->allocator);
    cn_array_init(&recorder->channel_of, recorder->allocator);
    cn_array_init(&recorder->traced, recorder->allocator);
    cn_array_init(&recorder->traced_of, recorder->allocator);
    if (recorder->compresses) {
        recorder->packer_bytes = ZSTD_estimateCCtxSize(ZSTD_LEVEL);
        recorder->packer = cn_alloc(recorder->allocator, recorder->packer_bytes);
    }
    if ((recorder->compresses && !recorder->packer) ||
        !cn_array_push(&recorder->traced, (Traced){0}) ||
        !cn_array_reserve(&recorder->out.bytes, 2 * PIECE_BYTES))
        return cn_error_memory(error, "a recorder");
    if (desc->files &&
        !desc->files->open(desc->files, desc->path, CN_FILE_WRITE, &recorder->file, error))
        return false;
    write_header(recorder, desc);
    bool traced = trace_state(recorder);
    uint32_t block = cni_sim_block_begin(&recorder->out, CNI_SIM_BLOCK_STATE);
    write_state(recorder);
    cni_sim_block_end(&recorder->out, block);
    if (!traced || recorder->out.failed || recorder->state.failed)
        return cn_error_memory(error, "a recorder");
    if (!write_keyframe(recorder, error))
        return false;
    recorder->whole = recorder->out.bytes.count;
    return write_out(recorder, error);
}

static void close_file(CnRecorder *recorder)
{
    if (recorder->file)
        recorder->files->close(recorder->files, recorder->file);
    recorder->file = NULL;
}

static void recorder_free(CnRecorder *recorder)
{
    close_file(recorder);
    cn_array_fini(&recorder->out.bytes);
    cn_array_fini(&recorder->events.bytes);
    cn_array_fini(&recorder->state.bytes);
    cn_array_fini(&recorder->channel_of);
    cn_array_fini(&recorder->traced);
    cn_array_fini(&recorder->traced_of);
    cn_free(recorder->allocator, recorder->packer, recorder->packer_bytes);
    cn_free(recorder->allocator, recorder, sizeof *recorder);
}

static bool check_desc(const CnRecorderDesc *desc, CnError *error)
{
    if (desc->settings && strlen(desc->settings) >= CN_MAX_REPLAY_SETTINGS)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the settings have %zu bytes; at most %u are possible",
                            strlen(desc->settings), CN_MAX_REPLAY_SETTINGS - 1);
    if (desc->build && strlen(desc->build) >= CN_MAX_REPLAY_BUILD)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the build id has %zu bytes; at most %u are possible",
                            strlen(desc->build), CN_MAX_REPLAY_BUILD - 1);
    return !desc->files || desc->path ||
           cn_error_set(error, CN_ERROR_NOT_FOUND, "a recording in a file needs a path");
}

CnRecorder *cn_recorder_create(CnSim *sim, const CnRecorderDesc *desc, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(cn_sim_world(sim)));
    CN_ASSERT(!sim->ticking, "a recording must begin between ticks");
    CnRecorderDesc options = desc ? *desc : (CnRecorderDesc){0};
    bool is_taken = sim->observer.ticked || sim->observer.feed || sim->observer.delivered;
    if (is_taken && !options.beside_others) {
        cn_error_set(error, CN_ERROR_EXISTS,
                     "this simulation already has a recorder or an observer; finish that first");
        return NULL;
    }
    /* Startup is not recorded: it follows from the settings and the seed. */
    if (!check_desc(&options, error) || !cn_sim_start(sim, error))
        return NULL;
    CnRecorder *recorder = cn_alloc_zeroed(sim->allocator, sizeof *recorder);
    if (!recorder) {
        cn_error_memory(error, "a recorder");
        return NULL;
    }
    recorder->allocator = sim->allocator;
    recorder->sim = sim;
    recorder->files = options.files;
    recorder->first = recorder->next = recorder->last_write = cn_sim_tick(sim);
    recorder->keyframe_ticks =
        options.keyframe_ticks ? options.keyframe_ticks : DEFAULT_KEYFRAME_TICKS;
    recorder->write_ticks = options.write_ticks ? options.write_ticks : sim->clock.tick_hz;
    recorder->has_components = !options.without_components;
    recorder->compresses = !options.without_compression;
    recorder->is_listener = options.beside_others;
    if (!begin(recorder, &options, error)) {
        recorder_free(recorder);
        return NULL;
    }
    CnSimObserver own = {.delivered = on_delivered, .ticked = on_ticked, .user = recorder};
    if (!recorder->is_listener)
        cn_sim_observe(sim, &own);
    else if (!cn_sim_add_listener(sim, &own)) {
        cn_error_set(error, CN_ERROR_LIMIT, "a simulation has at most %u recorders beside another",
                     CN_SIM_MAX_LISTENERS);
        recorder_free(recorder);
        return NULL;
    }
    return recorder;
}

static bool end(CnRecorder *recorder, CnError *error)
{
    uint32_t block = cni_sim_block_begin(&recorder->out, CNI_SIM_BLOCK_END);
    cni_sim_write_u64(&recorder->out, recorder->next - recorder->first);
    cni_sim_write_u32(&recorder->out, recorder->keyframe_count);
    cni_sim_block_end(&recorder->out, block);
    if (recorder->out.failed)
        return cn_error_memory(error, "a recording");
    recorder->whole = recorder->out.bytes.count;
    return write_out(recorder, error);
}

static void stop_observing(CnRecorder *recorder)
{
    if (recorder->is_listener)
        cn_sim_remove_listener(recorder->sim, recorder);
    else if (recorder->sim->observer.user == recorder)
        cn_sim_observe(recorder->sim, NULL);
}

bool cn_recorder_finish(CnRecorder *recorder, CnError *error)
{
    CN_ASSERT(recorder, "%s: recorder is NULL", __func__);
    CN_ASSERT(!recorder->finished, "a recorder is finished twice");
    if (recorder->finished)
        return cn_error_set(error, CN_ERROR_PERMISSION, "the recorder is already finished");
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(cn_sim_world(recorder->sim)));
    CN_ASSERT(!recorder->sim->ticking, "a recording must end between ticks");
    CnError own = recorder->error;
    bool good = !recorder->stopped;
    if (good && cn_sim_tick(recorder->sim) != recorder->next)
        good = cn_error_set(
            &own, CN_ERROR_MISMATCH,
            "the recording ends before tick %llu: another observer replaced the recorder",
            (unsigned long long)recorder->next);
    good = good && end(recorder, &own);
    /* A recording that was stopped by lack of memory still has complete ticks to write. */
    if (!good && !recorder->file_failed) {
        recorder->out.bytes.count = recorder->whole;
        write_out(recorder, NULL);
    }
    if (!good && error)
        *error = own;
    close_file(recorder);
    stop_observing(recorder);
    recorder->finished = true;
    return good;
}

void cn_recorder_destroy(CnRecorder *recorder)
{
    if (!recorder)
        return;
    if (!recorder->finished)
        stop_observing(recorder);
    recorder_free(recorder);
}

const uint8_t *cn_recorder_bytes(const CnRecorder *recorder, size_t *size)
{
    CN_ASSERT(recorder, "%s: recorder is NULL", __func__);
    CN_ASSERT(size, "%s: size is NULL", __func__);
    *size = recorder->whole;
    return recorder->out.bytes.items;
}

uint64_t cn_recorder_ticks(const CnRecorder *recorder)
{
    CN_ASSERT(recorder, "%s: recorder is NULL", __func__);
    return recorder->next - recorder->first;
}

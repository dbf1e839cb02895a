#include "sim/replay_format.h"

/* The state of reading; `at` never passes `end`. */
typedef struct Reader {
    CnReplay *replay;
    const char *file; /* for errors; may be NULL */
    const uint8_t *bytes;
    const CnBudget *budget;
    size_t at, end;
    uint32_t version;
    bool has_header, has_start, has_end;
    CnError *error;
} Reader;

static bool out_of_memory(const Reader *reader)
{
    return cn_error_set_at(reader->error, CN_ERROR_MEMORY, reader->file, 0, 0,
                           "a replay: out of memory");
}

static bool bad(const Reader *reader, size_t at, const char *what)
{
    return cn_error_set_at(reader->error, CN_ERROR_FORMAT, reader->file, 0, 0, "byte %zu: %s", at,
                           what);
}

/* The ticks before it are complete; the file can be truncated there to recover them. */
static bool damaged(const Reader *reader, size_t at, const char *part)
{
    const CnReplay *replay = reader->replay;
    return cn_error_set_at(reader->error, CN_ERROR_FORMAT, reader->file, 0, 0,
                           "byte %zu, before tick %llu: the checksum of %s is wrong: the file is "
                           "damaged",
                           at, (unsigned long long)(replay->info.first_tick + replay->ticks.count),
                           part);
}

/* ---- Parts of a block ---- */

/* Returns the next bytes; NULL and an error when the block ends before. */
static const uint8_t *take(Reader *reader, uint64_t size)
{
    if (size > reader->end - reader->at) {
        bad(reader, reader->at, "the block is truncated");
        return NULL;
    }
    const uint8_t *bytes = reader->bytes + reader->at;
    reader->at += (size_t)size;
    return bytes;
}

static bool take_u8(Reader *reader, uint8_t *value)
{
    const uint8_t *bytes = take(reader, sizeof *value);
    if (bytes)
        *value = *bytes;
    return bytes != NULL;
}

static bool take_u32(Reader *reader, uint32_t *value)
{
    const uint8_t *bytes = take(reader, sizeof *value);
    if (bytes)
        *value = cn_load_u32(bytes);
    return bytes != NULL;
}

static bool take_u64(Reader *reader, uint64_t *value)
{
    const uint8_t *bytes = take(reader, sizeof *value);
    if (bytes)
        *value = cn_load_u64(bytes);
    return bytes != NULL;
}

static bool take_text(Reader *reader, uint32_t size, CnText *text)
{
    size_t at = reader->at;
    const uint8_t *bytes = take(reader, size);
    if (!bytes)
        return false;
    *text = (CnText){(const char *)bytes, size};
    if (memchr(bytes, 0, size) || !cn_text_is_utf8(*text))
        return bad(reader, at, "a text is not UTF-8");
    return true;
}

static bool take_name(Reader *reader, CnText *name)
{
    uint8_t size;
    size_t at = reader->at;
    if (!take_u8(reader, &size))
        return false;
    if (!size || size >= CN_MAX_NAME_BYTES)
        return bad(reader, at, "a name is empty or too long");
    return take_text(reader, size, name);
}

/* ---- Blocks ---- */

/* The text in the file has no terminator. */
static bool keep_settings(CnReplay *replay, CnText settings, CnError *error)
{
    char *copy = cn_alloc(replay->allocator, settings.size + 1);
    if (!copy)
        return cn_error_memory(error, "the settings of a recording");
    memcpy(copy, settings.data, settings.size);
    copy[settings.size] = '\0';
    replay->settings = copy;
    replay->settings_bytes = settings.size + 1;
    replay->info.settings = copy;
    return true;
}

static bool read_header(Reader *reader)
{
    CnReplayInfo *info = &reader->replay->info;
    size_t at = reader->at;
    uint8_t flags, build_bytes;
    CnText build, settings;
    if (!take_u32(reader, &info->tick_hz) || !take_u64(reader, &info->seed) ||
        !take_u64(reader, &info->first_tick) || !take_u8(reader, &flags) ||
        !take_u8(reader, &build_bytes) || !take_text(reader, build_bytes, &build))
        return false;
    uint32_t settings_bytes;
    if (!take_u32(reader, &settings_bytes) || !take_text(reader, settings_bytes, &settings))
        return false;
    if (!info->tick_hz || info->tick_hz > CN_TICK_HZ_MAX || info->first_tick > UINT64_MAX / 2 ||
        flags > CNI_SIM_REPLAY_HAS_COMPONENTS ||
        !cn_copy_text(info->build, sizeof info->build, build) ||
        settings.size >= CN_MAX_REPLAY_SETTINGS)
        return bad(reader, at, "the header has impossible values");
    reader->replay->has_components = flags & CNI_SIM_REPLAY_HAS_COMPONENTS;
    return keep_settings(reader->replay, settings, reader->error);
}

static bool read_field(Reader *reader, CniSimRecordedChannel *channel)
{
    CniSimRecordedField field = {0};
    uint8_t type;
    size_t at = reader->at;
    if (!take_name(reader, &field.name) || !take_u8(reader, &type) ||
        !take_u32(reader, &field.count))
        return false;
    if (type >= CN_FIELD_TYPE_COUNT || !field.count || field.count > CN_MAX_COMPONENT_BYTES)
        return bad(reader, at, "a field has no type or a bad count");
    field.type = (CnFieldType)type;
    field.size = field.count * cn_field_type_size(field.type);
    channel->bytes += field.size;
    if (channel->bytes > CN_MAX_COMPONENT_BYTES)
        return bad(reader, at, "the fields of an event are too large");
    return cn_array_push(&reader->replay->fields, field) || out_of_memory(reader);
}

static bool read_channel(Reader *reader)
{
    CnReplay *replay = reader->replay;
    CniSimRecordedChannel channel = {.first_field = replay->fields.count};
    uint8_t fields;
    size_t at = reader->at;
    if (!take_name(reader, &channel.name) || !take_u8(reader, &fields))
        return false;
    if (fields > CN_MAX_FIELDS || replay->channels.count > UINT16_MAX)
        return bad(reader, at, "too many channels, or too many fields in a channel");
    if (replay->fields.count + fields > CNI_SIM_MAX_RECORDED_FIELDS)
        return bad(reader, at, "too many fields in all channels");
    for (uint32_t f = 0; f < fields; f++)
        if (!read_field(reader, &channel))
            return false;
    channel.field_count = fields;
    return cn_array_push(&replay->channels, channel) || out_of_memory(reader);
}

static bool read_component(Reader *reader)
{
    CnReplay *replay = reader->replay;
    CnText name;
    size_t at = reader->at;
    if (!take_name(reader, &name))
        return false;
    if (replay->components.count > CN_MAX_COMPONENTS)
        return bad(reader, at, "more components than a world can have");
    uint64_t hash = cn_hash_keyed(name.data, name.size, 0);
    if (cn_hash_map_get(&replay->component_by_hash, hash))
        return bad(reader, at, "a component is defined twice");
    return (cn_hash_map_set(&replay->component_by_hash, hash, &replay->components.count) &&
            cn_array_push(&replay->components, name)) ||
           out_of_memory(reader);
}

static bool read_state(Reader *reader)
{
    uint64_t hash;
    uint32_t changes;
    if (!take_u64(reader, &hash) || !take_u32(reader, &changes))
        return false;
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t component;
        uint8_t parts;
        size_t at = reader->at;
        if (!take_u32(reader, &component) || !take_u8(reader, &parts))
            return false;
        if (component >= reader->replay->components.count || !parts ||
            parts > CNI_SIM_FINGERPRINT_ALL)
            return bad(reader, at, "a change of a component that is not defined");
        if (!take(reader, (parts & CNI_SIM_FINGERPRINT_SUMS ? 24u : 0) +
                              (parts & CNI_SIM_FINGERPRINT_COUNT ? 8u : 0) +
                              (parts & CNI_SIM_FINGERPRINT_RESOURCE ? 8u : 0)))
            return false;
    }
    return true;
}

static bool read_start(Reader *reader)
{
    reader->replay->start = reader->at;
    reader->has_start = true;
    return read_state(reader);
}

static bool read_tick(Reader *reader)
{
    CnReplay *replay = reader->replay;
    size_t begin = reader->at;
    uint32_t events;
    if (!replay->keyframes.count)
        return bad(reader, begin, "a tick precedes the initial state");
    if (!take_u32(reader, &events))
        return false;
    for (uint32_t i = 0; i < events; i++) {
        size_t at = reader->at;
        const uint8_t *channel = take(reader, sizeof(uint16_t));
        if (!channel)
            return false;
        if (cn_load_u16(channel) >= replay->channels.count)
            return bad(reader, at, "an event of a channel that is not defined");
        if (!take(reader, replay->channels.items[cn_load_u16(channel)].bytes))
            return false;
    }
    return read_state(reader) && (cn_array_push(&replay->ticks, begin) || out_of_memory(reader));
}

static bool read_keyframe(Reader *reader)
{
    CnReplay *replay = reader->replay;
    CniSimRecordedKeyframe keyframe = {.tick = replay->info.first_tick + replay->ticks.count,
                                       .at = reader->at,
                                       .size = (uint32_t)(reader->end - reader->at)};
    uint8_t packing;
    uint64_t size;
    uint32_t count = replay->keyframes.count;
    if (count && replay->keyframes.items[count - 1].tick == keyframe.tick)
        return bad(reader, keyframe.at, "a second keyframe of one tick");
    if (!take_u8(reader, &packing) || !take_u64(reader, &size))
        return false;
    uint64_t packed = reader->end - reader->at;
    if (packing >= CNI_SIM_PACKING_COUNT || !cni_sim_keyframe_size_valid(packed, size) ||
        (packing == CNI_SIM_PACKING_NONE && size != packed))
        return bad(reader, keyframe.at, "a keyframe has an unknown compression or is too large");
    if (size > reader->budget->file_bytes) /* as much as a saved state may have */
        return cn_budget_refuse(reader->error, reader->budget, reader->file, "file_bytes", size,
                                reader->budget->file_bytes);
    if (packing == CNI_SIM_PACKING_ZSTD &&
        !cni_sim_packed_size_is(reader->bytes + reader->at, (size_t)packed, size))
        return bad(reader, keyframe.at, "a keyframe does not have the size that it declares");
    reader->at = reader->end;
    return cn_array_push(&replay->keyframes, keyframe) || out_of_memory(reader);
}

static bool read_attachment(Reader *reader)
{
    CniSimRecordedAttachment attachment = {0};
    uint8_t packing;
    uint64_t size;
    if (!take_name(reader, &attachment.name))
        return false;
    attachment.at = reader->at;
    attachment.size = (uint32_t)(reader->end - reader->at);
    if (!take_u8(reader, &packing) || !take_u64(reader, &size))
        return false;
    uint64_t packed = reader->end - reader->at;
    if (packing >= CNI_SIM_PACKING_COUNT || size > CN_MAX_ATTACHMENT_BYTES ||
        (packing == CNI_SIM_PACKING_NONE && size != packed))
        return bad(reader, attachment.at,
                   "an attachment has an unknown compression or is too large");
    if (packing == CNI_SIM_PACKING_ZSTD &&
        !cni_sim_packed_size_is(reader->bytes + reader->at, (size_t)packed, size))
        return bad(reader, attachment.at, "an attachment does not have the size that it declares");
    reader->at = reader->end;
    return cn_array_push(&reader->replay->attachments, attachment) || out_of_memory(reader);
}

static bool read_end(Reader *reader)
{
    uint64_t ticks;
    uint32_t keyframes;
    size_t at = reader->at;
    if (!take_u64(reader, &ticks) || !take_u32(reader, &keyframes))
        return false;
    if (ticks != reader->replay->ticks.count || keyframes != reader->replay->keyframes.count)
        return bad(reader, at, "the end block has wrong counts of ticks or keyframes");
    reader->has_end = true;
    return true;
}

static bool read_content(Reader *reader, uint8_t kind)
{
    if ((kind == CNI_SIM_BLOCK_HEADER) == reader->has_header)
        return bad(reader, reader->at, "the header must come first, and only once");
    if (reader->has_end)
        return bad(reader, reader->at, "data follows the end");
    reader->has_header = true;
    switch (kind) {
    case CNI_SIM_BLOCK_HEADER:
        return read_header(reader);
    case CNI_SIM_BLOCK_CHANNEL:
        return read_channel(reader);
    case CNI_SIM_BLOCK_COMPONENT:
        return read_component(reader);
    case CNI_SIM_BLOCK_STATE:
        return !reader->has_start ? read_start(reader)
                                  : bad(reader, reader->at, "there is a second initial state");
    case CNI_SIM_BLOCK_KEYFRAME:
        return reader->has_start ? read_keyframe(reader)
                                 : bad(reader, reader->at, "a keyframe precedes the initial state");
    case CNI_SIM_BLOCK_TICK:
        return read_tick(reader);
    case CNI_SIM_BLOCK_END:
        return read_end(reader);
    case CNI_SIM_BLOCK_ATTACHMENT:
        return reader->version > CNI_SIM_REPLAY_OLDEST_VERSION
                   ? read_attachment(reader)
                   : bad(reader, reader->at, "a block of an unknown kind");
    default:
        return bad(reader, reader->at, "a block of an unknown kind");
    }
}

/* ---- The whole file ---- */

/* Returns false without an error when the file ends before the block does. A crash leaves a file
 * that is too short, while damage does not change its length. So a size is trusted only when its
 * own checksum is correct, and only then does a block that extends past the end of the file
 * count as truncated. */
static bool next_block(Reader *reader, size_t size, bool *cut_off)
{
    size_t begin = reader->at, left = size - begin;
    const uint8_t *block = reader->bytes + begin;
    *cut_off = left < CNI_SIM_BLOCK_HEAD_BYTES;
    if (*cut_off)
        return false;
    uint32_t content = cn_load_u32(block + 1);
    if (cn_load_u32(block + CNI_SIM_BLOCK_KIND_BYTES) != cni_sim_block_head_checksum(block, begin))
        return damaged(reader, begin, "the kind and size of a block");
    *cut_off = (uint64_t)content + CNI_SIM_BLOCK_HEAD_BYTES + CNI_SIM_BLOCK_TAIL_BYTES > left;
    if (*cut_off)
        return false;
    size_t checked = (size_t)content + CNI_SIM_BLOCK_HEAD_BYTES;
    if (cn_load_u32(block + checked) != cni_sim_block_checksum(block, content, begin))
        return damaged(reader, begin, "a block");
    reader->at = begin + CNI_SIM_BLOCK_HEAD_BYTES;
    reader->end = begin + checked;
    if (!read_content(reader, reader->bytes[begin]))
        return false;
    if (reader->at != reader->end)
        return bad(reader, reader->at, "the block is longer than its content");
    reader->at = reader->end + CNI_SIM_BLOCK_TAIL_BYTES;
    return true;
}

static bool read_all(Reader *reader)
{
    CnReplay *replay = reader->replay;
    size_t size = replay->size;
    if (size < CNI_SIM_REPLAY_MAGIC_BYTES + 4 ||
        memcmp(reader->bytes, CNI_SIM_REPLAY_MAGIC, CNI_SIM_REPLAY_MAGIC_BYTES) != 0)
        return bad(reader, 0, "this is not a recording");
    uint32_t version = cn_load_u32(reader->bytes + CNI_SIM_REPLAY_MAGIC_BYTES);
    if (version < CNI_SIM_REPLAY_OLDEST_VERSION || version > CNI_SIM_REPLAY_VERSION)
        return cn_error_set_at(reader->error, CN_ERROR_VERSION, reader->file, 0, 0,
                               "a recording of version %u; this build reads versions %u to %u",
                               version, CNI_SIM_REPLAY_OLDEST_VERSION, CNI_SIM_REPLAY_VERSION);
    reader->version = version;
    reader->at = CNI_SIM_REPLAY_MAGIC_BYTES + 4;
    if (!cn_array_push(&replay->components, (CnText){0}))
        return out_of_memory(reader);
    bool cut_off = false;
    while (reader->at < size && !cut_off)
        if (!next_block(reader, size, &cut_off) && !cut_off)
            return false;
    if (cut_off && reader->has_end)
        return bad(reader, reader->at, "data follows the end");
    if (!replay->keyframes.count)
        return bad(reader, reader->at, "the file ends before the initial state");
    replay->info.tick_count = replay->ticks.count;
    replay->info.keyframe_count = replay->keyframes.count;
    replay->info.cut_off = !reader->has_end;
    return true;
}

/* Takes ownership of the bytes, even when it fails. */
static CnReplay *open_owned(uint8_t *bytes, size_t size, const char *file, const CnBudget *budget,
                            CnAllocator *allocator, CnError *error)
{
    CnReplay *replay = cn_alloc_zeroed(allocator, sizeof *replay);
    if (!replay) {
        cn_free(allocator, bytes, size + 1);
        cn_error_memory(error, "a replay");
        return NULL;
    }
    replay->allocator = allocator;
    replay->bytes = bytes;
    replay->size = size;
    cn_array_init(&replay->fields, allocator);
    cn_array_init(&replay->channels, allocator);
    cn_array_init(&replay->components, allocator);
    cn_array_init(&replay->keyframes, allocator);
    cn_array_init(&replay->attachments, allocator);
    cn_array_init(&replay->ticks, allocator);
    cn_hash_map_init_keyed(&replay->component_by_hash, allocator, sizeof(uint32_t));
    Reader reader = {
        .replay = replay, .file = file, .bytes = bytes, .budget = budget, .error = error};
    if (read_all(&reader))
        return replay;
    cn_replay_close(replay);
    return NULL;
}

CnReplay *cn_replay_open(CnFileSystem *files, const char *path, CnAllocator *allocator,
                         CnError *error)
{
    CN_ASSERT(files, "%s: files is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    CnFileBytes bytes;
    allocator = allocator ? allocator : cn_system_allocator();
    if (!cn_file_read_all(files, path, allocator, &bytes, error))
        return NULL;
    return open_owned(bytes.data, bytes.size, path,
                      bytes.budget ? bytes.budget : cn_budget_of(CN_ORIGIN_USER), allocator, error);
}

CnReplay *cn_replay_open_bytes(const void *bytes, size_t size, CnAllocator *allocator,
                               CnError *error)
{
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    allocator = allocator ? allocator : cn_system_allocator();
    uint8_t *copy = cn_alloc(allocator, size + 1);
    if (!copy) {
        cn_error_memory(error, "a replay");
        return NULL;
    }
    if (size)
        memcpy(copy, bytes, size);
    return open_owned(copy, size, NULL, cn_budget_of(CN_ORIGIN_USER), allocator, error);
}

void cn_replay_close(CnReplay *replay)
{
    if (!replay)
        return;
    cn_array_fini(&replay->fields);
    cn_array_fini(&replay->channels);
    cn_array_fini(&replay->components);
    cn_array_fini(&replay->keyframes);
    cn_array_fini(&replay->attachments);
    cn_array_fini(&replay->ticks);
    cn_hash_map_fini(&replay->component_by_hash);
    cn_free(replay->allocator, replay->value, replay->value_bytes);
    cn_free(replay->allocator, replay->settings, replay->settings_bytes);
    cn_free(replay->allocator, replay->bytes, replay->size + 1);
    cn_free(replay->allocator, replay, sizeof *replay);
}

const CnReplayInfo *cn_replay_info(const CnReplay *replay)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    return &replay->info;
}

/* ---- Attachments ---- */

uint32_t cn_replay_attachment_count(const CnReplay *replay)
{
    CN_ASSERT(replay, "%s: replay is NULL", __func__);
    return replay->attachments.count;
}

CnText cn_replay_attachment_name(const CnReplay *replay, uint32_t index)
{
    CN_ASSERT(index < replay->attachments.count, "%s: there is no attachment %u", __func__, index);
    return replay->attachments.items[index].name;
}

bool cn_replay_attachment_read(const CnReplay *replay, uint32_t index, CnU8Array *bytes,
                               CnError *error)
{
    CN_ASSERT(index < replay->attachments.count, "%s: there is no attachment %u", __func__, index);
    const CniSimRecordedAttachment *attachment = &replay->attachments.items[index];
    size_t size = cni_sim_unpacked_size(replay, attachment->at);
    bytes->count = 0;
    if (!cn_array_reserve(bytes, size + 1))
        return cn_error_memory(error, "an attachment of a recording");
    if (!cni_sim_unpack(replay, attachment->at, attachment->size, bytes->items, error))
        return false;
    bytes->count = (uint32_t)size;
    return true;
}

/* ---- States of a validated recording ---- */

const uint8_t *cni_sim_replay_state(const CnReplay *replay, uint64_t tick)
{
    if (tick == UINT64_MAX)
        return replay->bytes + replay->start;
    const uint8_t *at = replay->bytes + replay->ticks.items[tick - replay->info.first_tick];
    uint32_t events = cn_load_u32(at);
    at += sizeof events;
    for (uint32_t i = 0; i < events; i++)
        at += sizeof(uint16_t) + replay->channels.items[cn_load_u16(at)].bytes;
    return at;
}

void cni_sim_replay_apply_state(const uint8_t *state, CnFingerprint *fingerprints)
{
    uint32_t changes = cn_load_u32(state + sizeof(uint64_t));
    const uint8_t *at = state + sizeof(uint64_t) + sizeof changes;
    for (uint32_t i = 0; i < changes; i++) {
        CnFingerprint *fingerprint = &fingerprints[cn_load_u32(at)];
        uint8_t parts = at[4];
        at += 5;
        if (parts & CNI_SIM_FINGERPRINT_SUMS) {
            memcpy(fingerprint->sums, at, sizeof fingerprint->sums);
            at += sizeof fingerprint->sums;
        }
        if (parts & CNI_SIM_FINGERPRINT_COUNT) {
            fingerprint->count = cn_load_u64(at);
            at += sizeof(uint64_t);
        }
        if (parts & CNI_SIM_FINGERPRINT_RESOURCE) {
            fingerprint->resource = cn_load_u64(at);
            at += sizeof(uint64_t);
        }
    }
}

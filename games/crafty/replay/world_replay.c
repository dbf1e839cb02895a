#include "world_replay.h"

#include "crafty/save/chunk_edits.h"
#include "crafty/sim/recording.h"
#include "world_recorder.h"

#include <cairn/base/bytes.h>

struct CraftyWorldReplay {
    CnReplay *replay;
    CraftyStart start;
    CraftyPalettes palettes;
    bool is_saved_world;
    CraftyWorldIdentity identity;
    CraftyChunkEdits chunks;
    uint64_t row_bytes; /* read so far */
    CnU8Array activity, data_kinds, data;
    CnVoxels *voxels; /* while block data is read */
    CraftyWorldMods mods;
};

/* ---- Reading ---- */

static bool malformed(const char *what, CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the recording is damaged: %s", what);
}

static bool read_world(CraftyWorldReplay *replay, const CnU8Array *bytes, CnError *error)
{
    CraftyWorldIdentity *identity = &replay->identity;
    if (replay->is_saved_world)
        return malformed("it describes two worlds", error);
    if (!crafty_world_identity_read(identity, bytes->items, bytes->count, error))
        return false;
    replay->is_saved_world = true;
    replay->start.seed = identity->seed; /* that of the start belongs to a new world */
    replay->start.torches = 0;
    if (strcmp(identity->generator, CRAFTY_GENERATOR_ID) == 0 &&
        identity->generator_version == CRAFTY_GENERATOR_VERSION)
        return true;
    char name[2 * CRAFTY_GENERATOR_ID_BYTES];
    return cn_error_set(error, CN_ERROR_VERSION,
                        "the world of the recording was created by the generator %s, version %u; "
                        "this program has %s, version %u: play it with the program that recorded "
                        "it",
                        cn_text_escape(cn_text(identity->generator), name, sizeof name),
                        identity->generator_version, CRAFTY_GENERATOR_ID, CRAFTY_GENERATOR_VERSION);
}

typedef bool RowReader(CraftyWorldReplay *replay, uint64_t key, const uint8_t *bytes, uint32_t size,
                       CnError *error);

static bool read_rows(CraftyWorldReplay *replay, const CnU8Array *bytes, RowReader *read_row,
                      CnError *error)
{
    replay->row_bytes += bytes->count;
    if (replay->row_bytes > CRAFTY_REPLAY_MAX_CHUNK_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the chunks of the recording have more than %u MiB",
                            CRAFTY_REPLAY_MAX_CHUNK_BYTES >> 20);
    for (uint32_t at = 0; at < bytes->count;) {
        uint32_t left = bytes->count - at;
        uint32_t size = left < 12 ? UINT32_MAX : cn_load_u32(bytes->items + at + 8);
        if (left < 12 || size > left - 12)
            return malformed("the edits of chunks are truncated", error);
        if (!read_row(replay, cn_load_u64(bytes->items + at), bytes->items + at + 12, size, error))
            return false;
        at += 12 + size;
    }
    return true;
}

static bool read_chunk(CraftyWorldReplay *replay, uint64_t key, const uint8_t *bytes, uint32_t size,
                       CnError *error)
{
    if (cn_hash_map_get(&replay->chunks.rows, key))
        return malformed("it has two first states of one chunk", error);
    return crafty_chunk_edits_add(&replay->chunks, key, bytes, size, error);
}

/* Rows of block data are kept as they are and read when there is a world. */
static bool keep_data(CraftyWorldReplay *replay, const CnU8Array *bytes, CnError *error)
{
    return ((uint64_t)replay->data.count + bytes->count <= UINT32_MAX &&
            cn_bytes_append(&replay->data, bytes->items, bytes->count)) ||
           cn_error_memory(error, "the block data of a recording");
}

static bool read_data(CraftyWorldReplay *replay, uint64_t key, const uint8_t *bytes, uint32_t size,
                      CnError *error)
{
    CnChunkPos position = cn_chunk_from_key(key);
    if (key != cn_chunk_key(position))
        return malformed("it has block data of a chunk that does not exist", error);
    return cn_block_data_read(replay->voxels, position, bytes, size, error);
}

static bool keep(CnU8Array *kept, const CnU8Array *bytes, CnError *error)
{
    kept->count = 0;
    return cn_bytes_append(kept, bytes->items, bytes->count) || cn_error_memory(error, "a replay");
}

typedef enum Kind { WORLD, ACTIVITY, CHUNKS, DATA_KINDS, DATA, MODS, KINDS } Kind;
static const char *const names[KINDS] = {
    [WORLD] = CRAFTY_ATTACHMENT_WORLD,   [ACTIVITY] = CRAFTY_ATTACHMENT_ACTIVITY,
    [CHUNKS] = CRAFTY_ATTACHMENT_CHUNKS, [DATA_KINDS] = CRAFTY_ATTACHMENT_DATA_KINDS,
    [DATA] = CRAFTY_ATTACHMENT_DATA,     [MODS] = CRAFTY_ATTACHMENT_MODS};

/* Attachments of other programs and later versions are ignored. */
static bool read_attachment(CraftyWorldReplay *replay, uint32_t index, CnU8Array *bytes,
                            CnError *error)
{
    CnText name = cn_replay_attachment_name(replay->replay, index);
    Kind kind = 0;
    while (kind < KINDS && !cn_text_equal(name, cn_text(names[kind])))
        kind++;
    if (kind == KINDS)
        return true;
    if (!cn_replay_attachment_read(replay->replay, index, bytes, error))
        return false;
    switch (kind) {
    case WORLD:
        return read_world(replay, bytes, error);
    case ACTIVITY:
        return keep(&replay->activity, bytes, error);
    case CHUNKS:
        return read_rows(replay, bytes, read_chunk, error);
    case MODS:
        return crafty_world_mods_read(&replay->mods,
                                      (CnText){(const char *)bytes->items, bytes->count}, error);
    case DATA_KINDS:
        return keep(&replay->data_kinds, bytes, error);
    default:
        return keep_data(replay, bytes, error);
    }
}

static bool read_all(CraftyWorldReplay *replay, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = crafty_recording_read(cn_replay_info(replay->replay)->settings, &replay->start,
                                      &replay->palettes, error);
    for (uint32_t i = 0; done && i < cn_replay_attachment_count(replay->replay); i++)
        done = read_attachment(replay, i, &bytes, error);
    cn_array_fini(&bytes);
    if (done && !replay->is_saved_world && replay->chunks.rows.count > 0)
        return malformed("it has chunks and no world", error);
    if (done && replay->is_saved_world && replay->activity.count == 0)
        return malformed("it has a world without its scheduled ticks", error);
    return done;
}

CraftyWorldReplay *crafty_world_replay_create(CnReplay *recording, CnError *error)
{
    CraftyWorldReplay *replay = cn_alloc_zeroed(cn_system_allocator(), sizeof *replay);
    if (!replay) {
        cn_replay_close(recording);
        cn_error_memory(error, "a replay");
        return NULL;
    }
    replay->replay = recording;
    crafty_chunk_edits_init(&replay->chunks, cn_system_allocator());
    cn_array_init(&replay->activity, cn_system_allocator());
    cn_array_init(&replay->data_kinds, cn_system_allocator());
    cn_array_init(&replay->data, cn_system_allocator());
    if (read_all(replay, error))
        return replay;
    crafty_world_replay_close(replay);
    return NULL;
}

CraftyWorldReplay *crafty_world_replay_open(CnFileSystem *files, const char *path, CnError *error)
{
    CnReplay *recording = cn_replay_open(files, path, NULL, error);
    return recording ? crafty_world_replay_create(recording, error) : NULL;
}

void crafty_world_replay_close(CraftyWorldReplay *replay)
{
    if (!replay)
        return;
    cn_replay_close(replay->replay);
    crafty_chunk_edits_fini(&replay->chunks);
    cn_array_fini(&replay->activity);
    cn_array_fini(&replay->data_kinds);
    cn_array_fini(&replay->data);
    cn_free(cn_system_allocator(), replay, sizeof *replay);
}

/* ---- Access ---- */

CnReplay *crafty_world_replay_cn(CraftyWorldReplay *replay)
{
    return replay->replay;
}

const CraftyStart *crafty_world_replay_start(const CraftyWorldReplay *replay)
{
    return &replay->start;
}

CraftyPalettes crafty_world_replay_palettes(const CraftyWorldReplay *replay)
{
    return replay->palettes;
}

const CraftyWorldMods *crafty_world_replay_mods(const CraftyWorldReplay *replay)
{
    return &replay->mods;
}

const CraftyWorldIdentity *crafty_world_replay_identity(const CraftyWorldReplay *replay)
{
    return replay->is_saved_world ? &replay->identity : NULL;
}

CnVoxelsHooks crafty_world_replay_hooks(CraftyWorldReplay *replay)
{
    if (!replay->is_saved_world)
        return (CnVoxelsHooks){0};
    return (CnVoxelsHooks){.user = &replay->chunks,
                           .chunk_store = crafty_chunk_edits_store,
                           .chunk_load = crafty_chunk_edits_load};
}

bool crafty_world_replay_attach(CraftyWorldReplay *replay, CraftyWorld *world, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    CnText kinds = {(const char *)replay->data_kinds.items, replay->data_kinds.count};
    if (!replay->is_saved_world)
        return true;
    replay->voxels = voxels;
    return (kinds.size == 0 || cn_block_data_read_kinds(voxels, kinds, error)) &&
           read_rows(replay, &replay->data, read_data, error) &&
           crafty_chunk_edits_announce(&replay->chunks, voxels, false, error) &&
           cn_voxels_read_activity(voxels, replay->activity.items, replay->activity.count, error);
}

bool crafty_world_replay_restore(CraftyWorldReplay *replay, CnSim *sim, CnError *error)
{
    return !replay->is_saved_world ||
           cn_replay_seek(replay->replay, sim, cn_replay_info(replay->replay)->first_tick, error);
}

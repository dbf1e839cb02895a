#include "world_recorder.h"

#include "crafty/save/chunk_edits.h"
#include "crafty/sim/recording.h"

#include <cairn/base/bytes.h>

#define PART_BYTES (64u << 10) /* copied per call, in the background */
#define MOST_BYTES (1u << 20)  /* of one attachment with several chunks */

struct CraftyWorldRecorder {
    CnRecorder *recorder;
    CraftyChunkEdits *chunks; /* of the save; NULL: none */
    CnHashMap settled;        /* keys of chunks whose first edits are in the recording */
    CnU64Array waiting;       /* keys of chunks that are loaded and not settled */
    CnU8Array bytes;          /* of the next attachment */
    bool in_background;
    bool has_lost_rows; /* memory ran out; a replay would differ */
};

/* ---- Chunks ---- */

static void attach_rows(CraftyWorldRecorder *recorder, const char *name)
{
    if (recorder->bytes.count > 0)
        cn_recorder_attach(recorder->recorder, name, recorder->bytes.items, recorder->bytes.count);
    recorder->bytes.count = 0;
}

static void add_row(CraftyWorldRecorder *recorder, uint64_t key, const uint8_t *row, uint32_t size)
{
    CnU8Array *bytes = &recorder->bytes;
    if (!cn_array_reserve(bytes, (uint64_t)bytes->count + 12 + size)) {
        recorder->has_lost_rows = true;
        return;
    }
    cn_bytes_append(bytes, &key, 8);
    cn_bytes_append(bytes, &size, 4);
    cn_bytes_append(bytes, row, size);
}

/* Declares that the first edits of a chunk are in the recording. Returns false if they were. */
static bool settle(CraftyWorldRecorder *recorder, uint64_t key)
{
    if (cn_hash_map_get(&recorder->settled, key))
        return false;
    if (cn_hash_map_set(&recorder->settled, key, NULL))
        return true;
    recorder->has_lost_rows = true;
    return false;
}

/* The chunk is loaded, or its row is replaced. */
static void on_use(void *user, uint64_t key, const CraftyChunkRow *row)
{
    CraftyWorldRecorder *recorder = user;
    if (!settle(recorder, key) || !row)
        return;
    add_row(recorder, key, row->bytes, row->size);
    attach_rows(recorder, CRAFTY_ATTACHMENT_CHUNKS);
}

/* Copies rows of waiting chunks; at most `most` bytes. */
static void copy_waiting(CraftyWorldRecorder *recorder, size_t most)
{
    size_t copied = 0;
    while (recorder->waiting.count > 0 && copied < most) {
        uint64_t key = recorder->waiting.items[--recorder->waiting.count];
        const CraftyChunkRow *row = cn_hash_map_get(&recorder->chunks->rows, key);
        if (!settle(recorder, key) || !row)
            continue;
        add_row(recorder, key, row->bytes, row->size);
        copied += row->size + 12u;
        if (recorder->bytes.count >= MOST_BYTES)
            attach_rows(recorder, CRAFTY_ATTACHMENT_CHUNKS);
    }
    attach_rows(recorder, CRAFTY_ATTACHMENT_CHUNKS);
}

static bool begin_chunks(CraftyWorldRecorder *recorder, CnError *error)
{
    const CnHashMap *used = &recorder->chunks->used;
    if (!cn_array_reserve(&recorder->waiting, used->count) ||
        !crafty_chunk_edits_listen(recorder->chunks,
                                   (CraftyChunkListener){.user = recorder, .use = on_use}))
        return cn_error_memory(error, "a recording");
    for (uint32_t i = 0; i < used->count; i++)
        recorder->waiting.items[recorder->waiting.count++] = cn_hash_map_key(used, i);
    if (!recorder->in_background)
        copy_waiting(recorder, SIZE_MAX);
    return true;
}

/* ---- Start and end ---- */

static bool attach_world(CraftyWorldRecorder *recorder, const CraftyWorldRecorderDesc *desc,
                         CnError *error)
{
    CraftyWorldIdentity identity = *crafty_save_identity(desc->save);
    identity.tick_hz = cn_sim_clock(desc->sim)->tick_hz;
    identity.random_seed = cn_sim_seed(desc->sim);
    CnU8Array bytes, activity;
    cn_array_init(&bytes, cn_system_allocator());
    cn_array_init(&activity, cn_system_allocator());
    bool done =
        (crafty_world_identity_write(&identity, &bytes) || cn_error_memory(error, "a recording")) &&
        cn_voxels_write_activity(crafty_world_voxels(desc->world), &activity, error);
    done =
        done && (activity.count <= CN_MAX_ATTACHMENT_BYTES ||
                 cn_error_set(error, CN_ERROR_LIMIT, "more water flows than a recording can hold"));
    done = done && ((cn_recorder_attach(recorder->recorder, CRAFTY_ATTACHMENT_WORLD, bytes.items,
                                        bytes.count) &&
                     cn_recorder_attach(recorder->recorder, CRAFTY_ATTACHMENT_ACTIVITY,
                                        activity.items, activity.count)) ||
                    cn_error_memory(error, "a recording"));
    cn_array_fini(&activity);
    cn_array_fini(&bytes);
    return done;
}

/* Of all chunks: block data stays in memory, wherever the players are. */
static bool attach_data(CraftyWorldRecorder *recorder, const CnVoxels *voxels, CnError *error)
{
    CnTextBuilder kinds;
    CnU8Array row;
    cn_array_init(&kinds, cn_system_allocator());
    cn_array_init(&row, cn_system_allocator());
    bool done = cn_block_data_write_kinds(voxels, &kinds) ||
                cn_error_memory(error, "the kinds of block data");
    if (done && kinds.count > 0)
        cn_recorder_attach(recorder->recorder, CRAFTY_ATTACHMENT_DATA_KINDS, kinds.items,
                           kinds.count);
    for (uint32_t i = 0; done && i < cn_block_data_chunk_count(voxels); i++) {
        CnChunkPos position = cn_block_data_chunk(voxels, i);
        row.count = 0;
        done = cn_block_data_write(voxels, position, &row, error);
        if (done && row.count > 0)
            add_row(recorder, cn_chunk_key(position), row.items, row.count);
        if (recorder->bytes.count >= MOST_BYTES)
            attach_rows(recorder, CRAFTY_ATTACHMENT_DATA);
    }
    attach_rows(recorder, CRAFTY_ATTACHMENT_DATA);
    cn_array_fini(&row);
    cn_array_fini(&kinds);
    return done;
}

static bool attach_mods(CraftyWorldRecorder *recorder, const CraftyWorldMods *mods, CnError *error)
{
    CnTextBuilder text;
    if (!mods || mods->count == 0)
        return true;
    cn_array_init(&text, cn_system_allocator());
    bool done =
        (crafty_world_mods_write(mods, &text) &&
         cn_recorder_attach(recorder->recorder, CRAFTY_ATTACHMENT_MODS, text.items, text.count)) ||
        cn_error_memory(error, "a recording");
    cn_array_fini(&text);
    return done;
}

static CnRecorder *begin(const CraftyWorldRecorderDesc *desc, CnError *error)
{
    CnTextBuilder settings;
    CnRecorder *recorder = NULL;
    cn_array_init(&settings, cn_system_allocator());
    if (crafty_recording_write(desc->start, crafty_world_blocks(desc->world),
                               crafty_world_items(desc->world), &settings))
        recorder = cn_recorder_create(desc->sim,
                                      &(CnRecorderDesc){.files = desc->files,
                                                        .path = desc->path,
                                                        .settings = settings.items,
                                                        .keyframe_ticks = UINT32_MAX,
                                                        .without_components = desc->in_background,
                                                        .without_compression = desc->in_background,
                                                        .beside_others = desc->in_background,
                                                        .write_ticks = desc->in_background},
                                      error);
    else
        cn_error_memory(error, "the settings of the recording");
    cn_array_fini(&settings);
    return recorder;
}

/* Rows then hold the state before the first recorded tick. */
static bool store_edits(const CraftyWorldRecorderDesc *desc, CnError *error)
{
    if (crafty_save_is_building(desc->save))
        return cn_error_set(error, CN_ERROR_PERMISSION, "a save is being built");
    return cn_voxels_store_edits(crafty_world_voxels(desc->world), error);
}

CraftyWorldRecorder *crafty_world_recorder_create(const CraftyWorldRecorderDesc *desc,
                                                  CnError *error)
{
    CraftyWorldRecorder *recorder = cn_alloc_zeroed(cn_system_allocator(), sizeof *recorder);
    if (!recorder) {
        cn_error_memory(error, "a recording");
        return NULL;
    }
    recorder->in_background = desc->in_background;
    cn_hash_map_init(&recorder->settled, cn_system_allocator(), 0);
    cn_array_init(&recorder->waiting, cn_system_allocator());
    cn_array_init(&recorder->bytes, cn_system_allocator());
    bool ready = !desc->save || store_edits(desc, error);
    recorder->recorder = ready ? begin(desc, error) : NULL;
    recorder->chunks = desc->save && recorder->recorder ? crafty_save_chunks(desc->save) : NULL;
    if (recorder->recorder && attach_mods(recorder, desc->mods, error) &&
        (!desc->save || (attach_world(recorder, desc, error) &&
                         attach_data(recorder, crafty_world_voxels(desc->world), error) &&
                         begin_chunks(recorder, error))))
        return recorder;
    crafty_world_recorder_destroy(recorder);
    return NULL;
}

void crafty_world_recorder_go_on(CraftyWorldRecorder *recorder)
{
    if (recorder->waiting.count > 0)
        copy_waiting(recorder, PART_BYTES);
}

bool crafty_world_recorder_finish(CraftyWorldRecorder *recorder, CnError *error)
{
    if (recorder->chunks)
        copy_waiting(recorder, SIZE_MAX);
    return cn_recorder_finish(recorder->recorder, error) &&
           (!recorder->has_lost_rows || cn_error_memory(error, "the chunks of a recording"));
}

void crafty_world_recorder_destroy(CraftyWorldRecorder *recorder)
{
    if (!recorder)
        return;
    if (recorder->chunks)
        crafty_chunk_edits_unlisten(recorder->chunks, recorder);
    cn_recorder_destroy(recorder->recorder);
    cn_array_fini(&recorder->bytes);
    cn_array_fini(&recorder->waiting);
    cn_hash_map_fini(&recorder->settled);
    cn_free(cn_system_allocator(), recorder, sizeof *recorder);
}

const CnRecorder *crafty_world_recorder_cn(const CraftyWorldRecorder *recorder)
{
    return recorder->recorder;
}

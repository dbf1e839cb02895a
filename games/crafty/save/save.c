/* Opening and restoring worlds. */
#include "save_internal.h"

#include "crafty/sim/crafty_sim.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/sim/save.h>

const CnStoreTableDesc crafty_save_tables[CRAFTY_SAVE_TABLES] = {
    [CRAFTY_SAVE_INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES, .compress_above_bytes = 256},
    [CRAFTY_SAVE_CHUNKS] = {.name = "chunks",
                            .kind = CN_STORE_BY_NUMBER,
                            .compress_above_bytes = 64},
    [CRAFTY_SAVE_LOG] = {.name = "edits", .kind = CN_STORE_LOG, .compress_above_bytes = 64},
    [CRAFTY_SAVE_STATE] = {.name = "state", .kind = CN_STORE_BY_BYTES, .compress_above_bytes = 256},
    [CRAFTY_SAVE_COPY] = {.name = "copy", .kind = CN_STORE_BY_BYTES, .compress_above_bytes = 256},
    [CRAFTY_SAVE_DATA] = {.name = "block_data",
                          .kind = CN_STORE_BY_NUMBER,
                          .compress_above_bytes = 64},
};

/* There is no older version yet. */
CnStoreDesc crafty_save_store_desc(const char *path, CnStoreMode mode)
{
    return (CnStoreDesc){.path = path,
                         .mode = mode,
                         .application = CRAFTY_SAVE_APPLICATION,
                         .version = CRAFTY_SAVE_VERSION,
                         .tables = crafty_save_tables,
                         .table_count = CRAFTY_SAVE_TABLES};
}

/* ---- The description ---- */

static bool read_identity(CnStore *store, CraftyWorldIdentity *identity, bool *found,
                          CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_IDENTITY),
                             &bytes, found, error) &&
                (!*found || crafty_world_identity_read(identity, bytes.items, bytes.count, error));
    cn_array_fini(&bytes);
    return done;
}

/* Reads a row that every saved world has. */
static bool read_required(CnStore *store, CraftySaveTable table, const char *key, CnU8Array *bytes,
                          CnError *error)
{
    bool found = false;
    if (!cn_store_get(store, table, cn_store_text(key), bytes, &found, error))
        return false;
    return found ||
           cn_error_set(
               error, CN_ERROR_FORMAT,
               "the world is incomplete: it has no row \"%s\"; repair it or restore a backup", key);
}

static bool note_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)row, (void)error;
    *(bool *)user = true;
    return false;
}

/* A world that was created, but never played, has an identity and nothing else. */
static bool check_new(CnStore *store, CnError *error)
{
    static const CraftySaveTable tables[] = {CRAFTY_SAVE_CHUNKS, CRAFTY_SAVE_STATE};
    bool found = false;
    for (uint32_t i = 0; i < CN_COUNT_OF(tables); i++)
        if (!cn_store_each(store, tables[i], NULL, NULL, note_row, &found, error))
            return false;
    return !found || cn_error_set(error, CN_ERROR_FORMAT,
                                  "the world is incomplete: it has no row \"%s\"; repair it or "
                                  "restore a backup",
                                  CRAFTY_SAVE_KEY_SUMMARY);
}

static bool read_summary(CnStore *store, CraftyWorldSummary *summary, bool *found, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_SUMMARY),
                             &bytes, found, error) &&
                (*found ? crafty_world_summary_read(summary, bytes.items, bytes.count, error)
                        : check_new(store, error));
    cn_array_fini(&bytes);
    return done;
}

bool crafty_save_read_info(const char *path, CraftySaveInfo *info, CnError *error)
{
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_READ_ONLY);
    CnStore *store = cn_store_create(&desc, error);
    if (!store)
        return false;
    *info = (CraftySaveInfo){0};
    bool is_saved = false;
    CnU8Array thumbnail;
    cn_array_init(&thumbnail, cn_system_allocator());
    bool done = read_identity(store, &info->identity, &info->has_identity, error) &&
                read_summary(store, &info->summary, &is_saved, error) &&
                crafty_save_get_mods(store, &info->mods, &(bool){false}, error) &&
                cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL),
                             &thumbnail, &info->has_thumbnail, error);
    info->is_new = !is_saved;
    cn_array_fini(&thumbnail);
    cn_store_destroy(store);
    return done;
}

static void name_from_path(const char *path, char name[CRAFTY_WORLD_NAME_BYTES])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t size = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    if (!cn_copy_text(name, CRAFTY_WORLD_NAME_BYTES, (CnText){base, size}) ||
        !cn_text_is_utf8(cn_text(name)))
        cn_copy_text(name, CRAFTY_WORLD_NAME_BYTES, cn_text("World"));
}

static bool begin_identity(CraftySave *save, const CraftySaveDesc *desc, CnError *error)
{
    CraftyWorldIdentity *identity = &save->identity;
    *identity = crafty_save_new_identity(desc->seed);
    name_from_path(desc->path, identity->name);
    if (desc->name && (!cn_copy_text(identity->name, sizeof identity->name, cn_text(desc->name)) ||
                       !cn_text_is_utf8(cn_text(identity->name))))
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the name of a world is UTF-8 with at most %u bytes",
                            CRAFTY_WORLD_NAME_BYTES - 1);
    return true;
}

static bool check_identity(const CraftySave *save, const CraftySaveDesc *desc, CnError *error)
{
    const CraftyWorldIdentity *identity = &save->identity;
    if (desc->has_seed && desc->seed != identity->seed)
        return cn_error_set_at(error, CN_ERROR_MISMATCH, desc->path, 0, 0,
                               "the world exists and has the seed %llu; open it without a seed",
                               (unsigned long long)identity->seed);
    if (strcmp(identity->generator, CRAFTY_GENERATOR_ID) == 0 &&
        identity->generator_version <= CRAFTY_GENERATOR_VERSION)
        return true;
    return cn_error_set_at(error, CN_ERROR_VERSION, desc->path, 0, 0,
                           "the world was created by the generator %s, version %u; this program "
                           "has %s, version %u: use a newer version of Crafty",
                           identity->generator, identity->generator_version, CRAFTY_GENERATOR_ID,
                           CRAFTY_GENERATOR_VERSION);
}

/* ---- Reading ---- */

static bool visit_chunk(const CnStoreRow *row, void *user, CnError *error)
{
    CraftySave *save = user;
    if (!row->is_damaged)
        return crafty_chunk_edits_add(&save->chunks, (uint64_t)row->key.number, row->bytes,
                                      row->size, error);
    CnChunkPos position = cn_chunk_from_key((uint64_t)row->key.number);
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the world is damaged: the edits of chunk %d, %d, %d do not match their "
                        "checksum; repair it or restore a backup",
                        position.x, position.y, position.z);
}

static bool read_repaired(CraftySave *save, CnError *error)
{
    CnU8Array bytes;
    bool found = false;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = cn_store_get(save->store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_REPAIRED),
                             &bytes, &found, error);
    if (done && found && bytes.count > 0)
        save->repaired = bytes.items[0];
    cn_array_fini(&bytes);
    return done;
}

/* A malformed row is as good as another hash: that of edits is computed anew. */
static bool read_features(CraftySave *save, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = cn_store_get(save->store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_FEATURES),
                             &bytes, &save->has_features, error);
    if (done && save->has_features)
        save->features = bytes.count == 8 ? cn_load_u64(bytes.items) : UINT64_MAX;
    cn_array_fini(&bytes);
    return done;
}

static bool read_all(CraftySave *save, const CraftySaveDesc *desc, CnError *error)
{
    bool has_identity = false, is_saved = false;
    if (!read_identity(save->store, &save->identity, &has_identity, error) ||
        !read_summary(save->store, &save->summary, &is_saved, error) ||
        !crafty_save_get_mods(save->store, &save->mods, &save->has_mods, error) ||
        !read_features(save, error) || !read_repaired(save, error))
        return false;
    save->is_new = !is_saved || save->repaired & CRAFTY_SAVE_RESTARTS;
    if (!has_identity && is_saved)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the world is incomplete: it has no row \"" CRAFTY_SAVE_KEY_IDENTITY
                            "\"; repair it or restore a backup");
    if (!has_identity)
        return begin_identity(save, desc, error);
    if (!check_identity(save, desc, error))
        return false;
    return !is_saved ||
           (read_required(save->store, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_BLOCKS, &save->blocks,
                          error) &&
            read_required(save->store, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_ITEMS, &save->items,
                          error) &&
            cn_store_each(save->store, CRAFTY_SAVE_CHUNKS, NULL, NULL, visit_chunk, save, error));
}

/* Otherwise it would be taken for the name of a file. */
static bool check_backend(const CraftySaveDesc *desc, CnError *error)
{
    return desc->backend || !strstr(desc->path, "://") ||
           cn_error_set(error, CN_ERROR_UNSUPPORTED,
                        "this program keeps worlds in files: worlds in a database are for "
                        "crafty-server");
}

CraftySave *crafty_save_open(const CraftySaveDesc *desc, CnError *error)
{
    if (!check_backend(desc, error))
        return NULL;
    CraftySave *save = cn_alloc_zeroed(cn_system_allocator(), sizeof *save);
    if (!save) {
        cn_error_memory(error, "a saved world");
        return NULL;
    }
    crafty_buffer_memory_init(&save->memory);
    cn_array_init(&save->blocks, cn_system_allocator());
    cn_array_init(&save->items, cn_system_allocator());
    cn_array_init(&save->thumbnail, cn_system_allocator());
    cn_array_init(&save->groups, cn_system_allocator());
    cn_array_init(&save->activity, &save->memory.allocator);
    crafty_chunk_edits_init(&save->chunks, NULL);
    save->saved_ns = cn_clock_ns();
    CnStoreDesc store = crafty_save_store_desc(desc->path, desc->mode);
    store.durability = desc->durability;
    store.retry_ms = desc->retry_ms;
    store.notify = crafty_save_notify;
    store.user = save;
    store.allocator = &save->memory.allocator;
    store.sqlite_vfs = desc->sqlite_vfs;
    store.backend = desc->backend;
    save->store = cn_store_create(&store, error);
    if (save->store && read_all(save, desc, error))
        return save;
    crafty_save_close(save);
    return NULL;
}

void crafty_save_close(CraftySave *save)
{
    if (!save)
        return;
    crafty_save_cancel(save, NULL);
    cn_store_destroy(save->store);
    cn_block_palette_destroy(save->palette);
    crafty_chunk_edits_fini(&save->chunks);
    cn_array_fini(&save->groups);
    cn_array_fini(&save->activity);
    cn_array_fini(&save->thumbnail);
    cn_array_fini(&save->items);
    cn_array_fini(&save->blocks);
    crafty_buffer_memory_fini(&save->memory);
    cn_free(cn_system_allocator(), save, sizeof *save);
}

bool crafty_save_is_new(const CraftySave *save)
{
    return save->is_new;
}

const CraftyWorldIdentity *crafty_save_identity(const CraftySave *save)
{
    return &save->identity;
}

const CraftyWorldSummary *crafty_save_summary(const CraftySave *save)
{
    return &save->summary;
}

CraftyPalettes crafty_save_palettes(const CraftySave *save)
{
    return (CraftyPalettes){.blocks = {(const char *)save->blocks.items, save->blocks.count},
                            .items = {(const char *)save->items.items, save->items.count}};
}

const CraftyWorldMods *crafty_save_mods(const CraftySave *save)
{
    return &save->mods;
}

bool crafty_save_has_mods(const CraftySave *save)
{
    return save->has_mods;
}

bool crafty_save_has_other_features(const CraftySave *save)
{
    return save->other_features;
}

void crafty_save_set_mods(CraftySave *save, const CraftyWorldMods *mods)
{
    save->mods = *mods;
    save->mods_number++;
}

CnVoxelsHooks crafty_save_hooks(CraftySave *save)
{
    return (CnVoxelsHooks){.user = &save->chunks,
                           .chunk_store = crafty_chunk_edits_store,
                           .chunk_load = crafty_chunk_edits_load};
}

CraftyChunkEdits *crafty_save_chunks(CraftySave *save)
{
    return &save->chunks;
}

CnStore *crafty_save_store(CraftySave *save)
{
    return save->store;
}

/* ---- Restoring ---- */

CnBlockPalette *crafty_save_palette_create(const CnBlockTable *table, CnError *error)
{
    CnBlockPalette *palette = cn_block_palette_create(cn_system_allocator(), table);
    bool complete = palette || cn_error_memory(error, "a palette of blocks");
    for (uint32_t i = 0; i < table->count && complete; i++) {
        uint16_t number;
        complete = cn_block_palette_add(palette, (CnBlock)i, &number, error);
    }
    if (complete)
        return palette;
    cn_block_palette_destroy(palette);
    return NULL;
}

CnBlockPalette *crafty_save_palette(CraftySave *save, const CnBlockTable *table, CnError *error)
{
    if (!save->palette)
        save->palette = crafty_save_palette_create(table, error);
    return save->palette;
}

typedef struct LogReader {
    CraftySave *save;
    CnEditLog *log;
    const CnBlockPalette *palette;
} LogReader;

bool crafty_save_read_group(const uint8_t *bytes, size_t size, const CnBlockPalette *palette,
                            CnEditLog *log, CnError *error)
{
    if (size == 0 || size % CN_EDIT_BYTES != 0 || size / CN_EDIT_BYTES > CRAFTY_SAVE_GROUP_EDITS)
        return cn_error_set(error, CN_ERROR_FORMAT, "a record of the edit log has %zu bytes", size);
    for (const uint8_t *at = bytes; at < bytes + size; at += CN_EDIT_BYTES) {
        CnEdit edit;
        if (!cn_edit_read(&edit, palette, at, error))
            return false;
        if (!cn_edit_log_append(log, &edit))
            return cn_error_memory(error, "the edit log");
    }
    return true;
}

static bool visit_group(const CnStoreRow *row, void *user, CnError *error)
{
    LogReader *reader = user;
    CraftySave *save = reader->save;
    if (row->is_damaged)
        return cn_error_set(
            error, CN_ERROR_FORMAT,
            "the world is damaged: record %lld of its edit log; repair it or restore a backup",
            (long long)row->key.number);
    if (!crafty_save_read_group(row->bytes, row->size, reader->palette, reader->log, error))
        return false;
    CraftySaveGroup group = {row->key.number, (uint32_t)(row->size / CN_EDIT_BYTES)};
    save->group_edits += group.edits;
    return cn_array_push(&save->groups, group) || cn_error_memory(error, "the edit log");
}

static bool read_log(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    CnBlockPalette *palette = crafty_save_palette(save, cn_voxels_blocks(voxels), error);
    LogReader reader = {save, cn_voxels_log(voxels), palette};
    bool done = palette && cn_store_each(save->store, CRAFTY_SAVE_LOG, NULL, NULL, visit_group,
                                         &reader, error);
    save->logged = cn_edit_log_total(reader.log);
    return done;
}

static bool read_activity(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done =
        read_required(save->store, CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_ACTIVITY, &bytes, error) &&
        cn_voxels_read_activity(voxels, bytes.items, bytes.count, error);
    cn_array_fini(&bytes);
    return done;
}

/* Notes the features of this session. */
static void set_features(CraftySave *save, const CraftyWorld *world)
{
    const uint64_t features = crafty_features_hash(crafty_world_features(world));
    save->other_features = !save->is_new && save->features != features;
    save->has_features = save->has_features || features;
    save->features = features;
    if (save->other_features)
        CN_LOG_WARNING("save",
                       "the decorations and structures of mods are not those with which the "
                       "world was saved last: terrain that nobody changed may differ; what "
                       "was built is as it was");
}

bool crafty_save_attach(CraftySave *save, CraftyWorld *world, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    if (!crafty_chunk_edits_reserve(&save->chunks, voxels, error))
        return false;
    set_features(save, world);
    if (save->is_new && !save->repaired)
        return true;
    bool rehash = save->repaired || save->other_features ||
                  save->identity.generator_version != CRAFTY_GENERATOR_VERSION;
    if (!crafty_chunk_edits_announce(&save->chunks, voxels, rehash, error) ||
        !read_log(save, voxels, error) ||
        (!(save->repaired & CRAFTY_SAVE_NO_ACTIVITY) && !read_activity(save, voxels, error)) ||
        !crafty_save_read_data(save, voxels, error))
        return false;
    save->identity.generator_version = CRAFTY_GENERATOR_VERSION;
    if (rehash || cn_voxels_hash(voxels) == save->summary.blocks_hash)
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the blocks of the world are not those that were saved: rows are missing; "
                        "repair it or restore a backup");
}

bool crafty_save_restore(CraftySave *save, CnSim *sim, CnError *error)
{
    CnSimSaved saved;
    bool found = false;
    if (!cn_sim_restore_from(sim, save->store, CRAFTY_SAVE_STATE,
                             cn_store_text(CRAFTY_SAVE_KEY_SIM), &saved, &found, error))
        return false;
    if (!found)
        return cn_error_set(
            error, CN_ERROR_FORMAT,
            "the world is incomplete: it has no simulation; repair it or restore a backup");
    save->durable_tick = saved.tick;
    return crafty_sim_complete(cn_sim_world(sim), error);
}

/*
 * Rows of a world file: description, summary, edits of a chunk and records of the edit log. A row
 * that is accepted is the same when it is written again; the first byte selects the kind.
 */
#include "fuzz_surface.h"

#include "standard_blocks.h"

#include <crafty/save/save_internal.h>

#include <string.h>

enum { IDENTITY, SUMMARY, CHUNK, GROUP, KINDS };

static CnBlockPalette *palette(void)
{
    static CnBlockPalette *made; /* kept: creating one takes long */
    if (!made)
        made = crafty_save_palette_create(standard_blocks(), NULL);
    FUZZ_CHECK(made);
    return made;
}

static CnEdit edit_of(uint32_t number)
{
    return (CnEdit){.tick = number,
                    .player = number % 3,
                    .kind = (uint8_t)(number % CN_EDIT_KIND_COUNT),
                    .face = CN_EDIT_NO_FACE,
                    .cell = {(int32_t)number, 10, -3},
                    .new_block = (CnBlock)number};
}

static void add_row(FuzzSeeds *seeds, uint8_t kind, const void *row, size_t size)
{
    uint8_t bytes[512] = {kind};
    FUZZ_CHECK(size < sizeof bytes);
    memcpy(bytes + 1, row, size);
    fuzz_add(seeds, bytes, size + 1);
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    CraftyWorldIdentity identity = {.name = "Home", .seed = 7, .generator = CRAFTY_GENERATOR_ID};
    FUZZ_CHECK(crafty_world_identity_write(&identity, &bytes));
    add_row(seeds, IDENTITY, bytes.items, bytes.count);
    bytes.count = 0;
    CraftyWorldSummary summary = {.played_ms = 1, .tick = 2, .days = 0.5, .slot = 3};
    FUZZ_CHECK(crafty_world_summary_write(&summary, &bytes));
    add_row(seeds, SUMMARY, bytes.items, bytes.count);
    cn_array_fini(&bytes);
    const uint8_t chunk[] = {1, 2, 3, 4, 5, 6, 7, 8, 5, 0, 9, 0xf9, 31, 0, 0x81, 1};
    add_row(seeds, CHUNK, chunk, sizeof chunk);
    uint8_t group[3 * CN_EDIT_BYTES];
    for (uint32_t i = 0; i < 3; i++) {
        CnEdit edit = edit_of(i);
        FUZZ_CHECK(cn_edit_write(&edit, palette(), group + i * CN_EDIT_BYTES, NULL));
    }
    add_row(seeds, GROUP, group, sizeof group);
}

static bool read_chunk(const uint8_t *bytes, size_t size, CnError *error)
{
    CraftyChunkEdits edits;
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = {-1, 2, 3}, .blocks = blocks};
    uint64_t key = cn_chunk_key(chunk.position);
    crafty_chunk_edits_init(&edits, NULL);
    bool accepted = crafty_chunk_edits_add(&edits, key, bytes, size, error);
    if (accepted) {
        FUZZ_CHECK(crafty_chunk_edits_load(&edits, chunk.position, blocks, &chunk.count));
        memcpy(&chunk.hash, bytes, sizeof chunk.hash);
        FUZZ_CHECK(crafty_chunk_edits_store(&edits, &chunk));
        const CraftyChunkRow *row = cn_hash_map_get(&edits.rows, key);
        FUZZ_CHECK(row->size == size && memcmp(row->bytes, bytes, size) == 0);
    }
    crafty_chunk_edits_fini(&edits);
    return accepted;
}

static bool read_group(const uint8_t *bytes, size_t size, CnError *error)
{
    CnEditLog *log = cn_edit_log_create(NULL, 32);
    FUZZ_CHECK(log);
    bool accepted = crafty_save_read_group(bytes, size, palette(), log, error);
    if (accepted) {
        uint32_t count = cn_edit_log_count(log);
        FUZZ_CHECK(count == size / CN_EDIT_BYTES);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t again[CN_EDIT_BYTES];
            CnEdit edit = cn_edit_log_at(log, i);
            FUZZ_CHECK(cn_edit_write(&edit, palette(), again, NULL));
            FUZZ_CHECK(memcmp(again, bytes + i * CN_EDIT_BYTES, sizeof again) == 0);
        }
    }
    cn_edit_log_destroy(log);
    return accepted;
}

static bool read_info(uint8_t kind, const uint8_t *bytes, size_t size, CnError *error)
{
    CraftyWorldIdentity identity;
    CraftyWorldSummary summary;
    CnU8Array again;
    cn_array_init(&again, NULL);
    bool accepted = kind == IDENTITY ? crafty_world_identity_read(&identity, bytes, size, error)
                                     : crafty_world_summary_read(&summary, bytes, size, error);
    if (accepted) {
        FUZZ_CHECK(kind == IDENTITY ? crafty_world_identity_write(&identity, &again)
                                    : crafty_world_summary_write(&summary, &again));
        FUZZ_CHECK(again.count == size && memcmp(again.items, bytes, size) == 0);
    }
    cn_array_fini(&again);
    return accepted;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    if (size == 0)
        return false;
    uint8_t kind = bytes[0] % KINDS;
    bool accepted = kind == CHUNK   ? read_chunk(bytes + 1, size - 1, &error)
                    : kind == GROUP ? read_group(bytes + 1, size - 1, &error)
                                    : read_info(kind, bytes + 1, size - 1, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 512, .add_seeds = add_seeds, .run = run};

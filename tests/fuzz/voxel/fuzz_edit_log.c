/*
 * Edit logs whose checksum is right, so that what is behind it is read. A log is read whole, and
 * written and read again it is the same, or it is refused.
 */
#include "fuzz_surface.h"
#include "standard_blocks.h"

#include <cairn/base/hash_map.h>
#include <cairn/voxel/edit.h>

#include <string.h>

enum { LIMIT = 64, CHECKSUM_BYTES = 8 };

static void add_log(FuzzSeeds *seeds, uint32_t edits)
{
    CnEditLog *log = cn_edit_log_create(NULL, LIMIT);
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    for (uint32_t i = 0; i < edits; i++) {
        CnEdit edit = {.tick = i,
                       .player = i % 3,
                       .kind = (uint8_t)(i % CN_EDIT_KIND_COUNT),
                       .face = (uint8_t)(i % 2 ? CN_EDIT_NO_FACE : i),
                       .cell = {(int32_t)i, 10, -(int32_t)i},
                       .old_block = (CnBlock)(i % BLOCK_COUNT),
                       .new_block = (CnBlock)((i + 1) % BLOCK_COUNT)};
        FUZZ_CHECK(cn_edit_log_append(log, &edit));
    }
    FUZZ_CHECK(cn_edit_log_write(log, standard_blocks(), &bytes, NULL));
    fuzz_add(seeds, bytes.items, bytes.count);
    cn_array_fini(&bytes);
    cn_edit_log_destroy(log);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_log(seeds, 0);
    add_log(seeds, 1);
    add_log(seeds, 5);
}

static bool is_same(const CnEdit *a, const CnEdit *b)
{
    return a->tick == b->tick && a->player == b->player && a->kind == b->kind &&
           a->face == b->face && a->cell.x == b->cell.x && a->cell.y == b->cell.y &&
           a->cell.z == b->cell.z && a->old_block == b->old_block && a->new_block == b->new_block;
}

/* One edit with the palette of the standard blocks. */
static void read_edit(const uint8_t *bytes)
{
    static CnBlockPalette *palette; /* kept: a palette takes more time than an edit */
    CnEdit edit, again;
    uint8_t written[CN_EDIT_BYTES];
    uint16_t number;
    if (!palette)
        palette = cn_block_palette_create(NULL, standard_blocks());
    FUZZ_CHECK(palette);
    for (uint32_t i = 0; i < BLOCK_COUNT; i++)
        FUZZ_CHECK(cn_block_palette_add(palette, (CnBlock)i, &number, NULL));
    if (cn_edit_read(&edit, palette, bytes, NULL)) {
        FUZZ_CHECK(cn_edit_write(&edit, palette, written, NULL));
        FUZZ_CHECK(cn_edit_read(&again, palette, written, NULL) && is_same(&edit, &again));
    }
}

static void check_log(const CnEditLog *log)
{
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    FUZZ_CHECK(cn_edit_log_write(log, standard_blocks(), &bytes, NULL));
    CnEditLog *again =
        cn_edit_log_read(NULL, standard_blocks(), LIMIT, bytes.items, bytes.count, NULL);
    FUZZ_CHECK(again && cn_edit_log_count(again) == cn_edit_log_count(log));
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit a = cn_edit_log_at(log, i), b = cn_edit_log_at(again, i);
        FUZZ_CHECK(is_same(&a, &b));
    }
    cn_edit_log_destroy(again);
    cn_array_fini(&bytes);
}

static bool run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = cn_alloc(NULL, size ? size : 1);
    CnError error = {0};
    FUZZ_CHECK(copy);
    if (size)
        memcpy(copy, bytes, size);
    if (size >= CN_EDIT_BYTES)
        read_edit(copy + size - CN_EDIT_BYTES);
    if (size >= CHECKSUM_BYTES) {
        uint64_t checksum = cn_hash_bytes(copy, size - CHECKSUM_BYTES, 0);
        memcpy(copy + size - CHECKSUM_BYTES, &checksum, CHECKSUM_BYTES);
    }
    CnEditLog *log = cn_edit_log_read(NULL, standard_blocks(), LIMIT, copy, size, &error);
    FUZZ_CHECK((log != NULL) == (error.code == CN_OK));
    cn_free(NULL, copy, size ? size : 1);
    bool accepted = log != NULL;
    if (accepted)
        check_log(log);
    cn_edit_log_destroy(log);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .test_runs = 20000, .add_seeds = add_seeds, .run = run};

/* test-labels: slow */
/*
 * Single bits of a saved world that change: opening it gives a clear message or the world as it was
 * saved, never other blocks. Some of the damaged files are checked and repaired: the check reports
 * the damage, and the repaired world has all other rows and opens. CAIRN_FLIPS=100000 tries more.
 */
#include "cut_disk.h"
#include "saved_game.h"
#include "scratch.h"

#include <crafty/save/world_repair.h>
#include <crafty/world_command/check.h>

#include <cairn/base/file.h>
#include <cairn/base/log.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    DEFAULT_FLIPS = 600,
    REPAIR_EVERY = 50,
    OPEN_EVERY = 20, /* of the worlds whose rows are intact */
    MAX_ROWS = 4096,
    MOST_LOST = 2 /* rows: one whose bytes changed, and one that is found by its neighbor */
};

typedef struct Row {
    uint32_t table;
    uint64_t key, value; /* hashes; 0: records of the log get other numbers */
} Row;

static Scratch scratch;
static char path[300];
static CutDisk *disk;
static CnFileBytes pristine;
static SavedGame game;
static SavedGameState saved;
static Row rows[MAX_ROWS];
static uint32_t row_count;
static CnCell cells[64]; /* that were edited */
static CnBlock blocks[CN_COUNT_OF(cells)];
static uint32_t cell_count;

/* ---- The world ---- */

static uint64_t hash_of(const void *bytes, size_t size)
{
    return size ? cn_hash_bytes(bytes, size, 0) : 1;
}

static Row row_of(const CnStoreRow *row)
{
    bool is_log = row->table == CRAFTY_SAVE_LOG;
    return (Row){row->table,
                 is_log           ? 0
                 : row->key.bytes ? hash_of(row->key.bytes, row->key.size)
                                  : (uint64_t)row->key.number,
                 hash_of(row->bytes, row->size)};
}

static bool remember_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)user, (void)error;
    assert_true(row_count < MAX_ROWS);
    rows[row_count++] = row_of(row);
    return true;
}

static void each_row(const char *file, bool (*visit)(const CnStoreRow *, void *, CnError *),
                     void *user)
{
    CnStoreDesc desc = crafty_save_store_desc(file, CN_STORE_READ_ONLY);
    CnError error = {0};
    CnStore *store = cn_store_create(&desc, &error);
    if (!store)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < CRAFTY_SAVE_TABLES; i++)
        assert_true(cn_store_each(store, i, NULL, NULL, visit, user, &error));
    cn_store_destroy(store);
}

static void remember_cells(void)
{
    const CnEditLog *log = cn_voxels_log(saved_game_voxels(&game));
    uint32_t count = cn_edit_log_count(log);
    for (; cell_count < CN_COUNT_OF(cells) && cell_count < count; cell_count++) {
        cells[cell_count] = cn_edit_log_at(log, cell_count * (count / CN_COUNT_OF(cells))).cell;
        blocks[cell_count] = cn_voxels_get(saved_game_voxels(&game), cells[cell_count]);
    }
}

static int make_world(void **state)
{
    (void)state;
    CnError error = {0};
    TestRandom random = {8};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    strcpy(path, scratch_path(&scratch, "Home.crafty"));
    game = (SavedGame){.desc = {.path = path, .seed = 42}, .threads = 1};
    assert_true(saved_game_open(&game, &error));
    for (uint32_t i = 0; i < 60; i++) {
        saved_game_disturb(&game, &random);
        saved_game_tick(&game);
        if (i % 10 == 9) /* several records of the log */
            assert_true(saved_game_save(&game, &error));
    }
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    saved = saved_game_state(&game);
    remember_cells();
    saved_game_close(&game);
    each_row(path, remember_row, NULL);
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &pristine, &error));
    disk = cut_disk_create(1);
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    cut_disk_destroy(disk);
    cn_file_bytes_free(&pristine);
    scratch_fini(&scratch);
    return 0;
}

/* ---- Rows ---- */

typedef struct Kept {
    bool found[MAX_ROWS];
    uint32_t count, others;
} Kept;

static bool find_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    Kept *kept = user;
    Row wanted = row_of(row);
    for (uint32_t i = 0; i < row_count; i++) {
        if (!kept->found[i] && rows[i].table == wanted.table && rows[i].key == wanted.key &&
            rows[i].value == wanted.value) {
            kept->found[i] = true;
            kept->count++;
            return true;
        }
    }
    kept->others++;
    return true;
}

/* ---- Opening ---- */

typedef struct Totals {
    uint64_t refused, intact, opened, repairs, reported, most_lost;
} Totals;

static void expect_blocks(uint64_t bit)
{
    for (uint32_t i = 0; i < cell_count; i++)
        if (cn_voxels_get(saved_game_voxels(&game), cells[i]) != blocks[i])
            fail_msg("bit %llu: another block in %d, %d, %d", (unsigned long long)bit, cells[i].x,
                     cells[i].y, cells[i].z);
}

static void expect_message(uint64_t bit, const CnError *error)
{
    if (error->code == CN_OK || error->code == CN_ERROR_MEMORY || !error->message[0])
        fail_msg("bit %llu: \"%s\" (%s)", (unsigned long long)bit, error->message,
                 cn_error_code_name(error->code));
}

/* Whether the store delivers all rows as they were saved. */
static bool has_all_rows(CnStore *store)
{
    static Kept kept;
    CnError error = {0};
    kept = (Kept){0};
    for (uint32_t i = 0; i < CRAFTY_SAVE_TABLES; i++)
        if (!cn_store_each(store, i, NULL, NULL, find_row, &kept, &error))
            return false;
    return kept.count == row_count && kept.others == 0;
}

/* Opens the world completely. Returns false if it is refused. */
static bool open_game(uint64_t bit)
{
    CnError error = {0};
    if (!saved_game_open(&game, &error)) {
        expect_message(bit, &error);
        return false;
    }
    if (!saved_game_same(saved_game_state(&game), saved))
        fail_msg("bit %llu: the world opens in another state", (unsigned long long)bit);
    expect_blocks(bit);
    saved_game_close(&game);
    return true;
}

/* In memory, where nothing is synced. A world whose rows are those that were saved is the same
 * world; some of them are opened completely, and all others. */
static bool open_flipped(uint64_t bit, const uint8_t *bytes, Totals *totals)
{
    CnError error = {0};
    cut_disk_set_file(disk, "world.crafty", bytes, pristine.size);
    game = (SavedGame){
        .desc = {.path = "world.crafty", .mode = CN_STORE_OPEN, .sqlite_vfs = cut_disk_name(disk)},
        .threads = 1};
    CraftySave *save = crafty_save_open(&game.desc, &error);
    bool is_intact = save && has_all_rows(crafty_save_store(save));
    crafty_save_close(save);
    if (!save) {
        expect_message(bit, &error);
        totals->refused++;
        return false;
    }
    if (is_intact && totals->intact++ % OPEN_EVERY)
        return true;
    totals->opened++;
    bool opens = open_game(bit);
    if (is_intact && !opens)
        fail_msg("bit %llu: an intact world is refused", (unsigned long long)bit);
    totals->refused += !opens;
    totals->intact += opens && !is_intact;
    return opens;
}

/* ---- Checking and repairing ---- */

static void check_flipped(uint64_t bit, bool opens, Totals *totals)
{
    CraftyWorldCheck check;
    CnError error = {0};
    bool ran = crafty_world_check(path, NULL, NULL, &check, &error);
    if (!ran)
        assert_true(error.code != CN_OK && error.message[0]);
    if (!opens && ran && check.damage_count == 0)
        fail_msg("bit %llu: the check finds nothing, but the world does not open",
                 (unsigned long long)bit);
    totals->reported += !ran || check.damage_count > 0;
    crafty_world_check_free(&check);
}

/* Records of the log before a lost one are dropped on purpose. */
static uint32_t lost_rows(const Kept *kept)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < row_count; i++)
        lost += !kept->found[i] && rows[i].table != CRAFTY_SAVE_LOG;
    return lost;
}

static void repair_flipped(uint64_t bit, Totals *totals)
{
    static Kept kept;
    CraftyWorldRepair repair;
    CnError error = {0};
    kept = (Kept){0};
    if (!crafty_world_repair(&(CraftyWorldRepairDesc){.path = path}, &repair, &error))
        fail_msg("bit %llu: cannot be repaired: %s", (unsigned long long)bit, error.message);
    each_row(path, find_row, &kept);
    uint32_t lost = lost_rows(&kept);
    if (lost > totals->most_lost)
        totals->most_lost = lost;
    if (lost > MOST_LOST)
        fail_msg("bit %llu: %u rows are gone", (unsigned long long)bit, lost);
    assert_int_equal(remove(repair.backup), 0);
    crafty_world_repair_free(&repair);
    game = (SavedGame){.desc = {.path = path, .mode = CN_STORE_OPEN}, .threads = 1};
    if (!saved_game_open(&game, &error))
        fail_msg("bit %llu: the repaired world does not open: %s", (unsigned long long)bit,
                 error.message);
    saved_game_close(&game);
    totals->repairs++;
}

static void try_flip(uint64_t bit, bool repairs, Totals *totals)
{
    uint8_t *bytes = pristine.data;
    bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
    bool opens = open_flipped(bit, bytes, totals);
    if (repairs) {
        assert_true(cn_file_write_all(cn_native_files(), path, bytes, pristine.size, NULL));
        check_flipped(bit, opens, totals);
        repair_flipped(bit, totals);
    }
    bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
}

static void a_flipped_bit_is_reported_or_changes_nothing(void **state)
{
    (void)state;
    const char *number = getenv("CAIRN_FLIPS");
    uint32_t flips = number ? (uint32_t)strtoul(number, NULL, 10) : DEFAULT_FLIPS;
    Totals totals = {0};
    TestRandom random = {2026};
    for (uint32_t i = 0; i < flips; i++) {
        /* A quarter of them where the file begins: header, schema and the roots of the tables. */
        uint64_t size = i % 4 ? pristine.size : 8192;
        try_flip(test_random(&random) % (size * 8), i % REPAIR_EVERY == 0, &totals);
    }
    printf(
        "%u flips in %zu bytes: %llu files refused, %llu without effect; "
        "%llu opened completely and compared; %llu checked and repaired, %llu with reported damage, "
        "at most %llu of %u rows lost\n",
        flips, pristine.size, (unsigned long long)totals.refused, (unsigned long long)totals.intact,
        (unsigned long long)totals.opened, (unsigned long long)totals.repairs,
        (unsigned long long)totals.reported, (unsigned long long)totals.most_lost, row_count);
    assert_true(totals.refused && totals.intact && totals.reported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_flipped_bit_is_reported_or_changes_nothing, make_world,
                                        drop_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

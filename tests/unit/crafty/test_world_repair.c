/* Checking and repairing worlds: every kind of damage is found and named, and what is left opens.
 */
#include "session_fixture.h"

#include <crafty/save/world_repair.h>
#include <crafty/world_command/check.h>

#include <cairn/base/file.h>
#include <cairn/voxel/block_data.h>

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const CnCell here = {8, 300, 8}, there = {200, 310, -40};

static CraftyWorldCheck checked;
static CraftyWorldRepair repaired;
static CnError error;

/* ---- A world with two edited chunks ---- */

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

/* Saves and closes the world. */
static void close_saved(void)
{
    write_save();
    close_session();
}

static void put_note(CnCell cell, const char *text)
{
    CnBlockData data = {.size = (uint16_t)strlen(text), .bytes = (const uint8_t *)text};
    check(cn_block_data_kind(voxels(), "mod:note", &data.kind, &error) &&
          cn_block_data_set(voxels(), cell, &data, &error));
}

static bool has_note(CnCell cell, const char *text)
{
    CnBlockData data;
    return cn_block_data_get(voxels(), cell, &data) && data.size == strlen(text) &&
           memcmp(data.bytes, text, data.size) == 0;
}

static const char *block_at(CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(voxels()), cn_voxels_get(voxels(), cell))->name;
}

/* The file is made once; every test has a copy. */
static CnFileBytes pristine;

static int make_world(void **state)
{
    (void)state;
    begin_scratch();
    open_session();
    put(here, "stone");
    put_note(here, "near");
    close_saved(); /* the first record of the log */
    open_session();
    put(there, "stone");
    put_note(there, "far");
    check(cn_sim_tick_n(crafty_session_sim(session), 20, &error));
    close_saved();
    check(cn_file_read_all(cn_native_files(), path, NULL, &pristine, &error));
    scratch_fini(&scratch);
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    cn_file_bytes_free(&pristine);
    return 0;
}

static int begin(void **state)
{
    (void)state;
    begin_scratch();
    error = (CnError){0};
    checked = (CraftyWorldCheck){0};
    repaired = (CraftyWorldRepair){0};
    check(cn_file_write_all(cn_native_files(), path, pristine.data, pristine.size, &error));
    return 0;
}

static int end(void **state)
{
    (void)state;
    close_session();
    crafty_world_check_free(&checked);
    crafty_world_repair_free(&repaired);
    scratch_fini(&scratch);
    return 0;
}

/* ---- Damage ---- */

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

/* The checksums of these rows are then wrong. */
static void damage(const char *table, const char *where)
{
    char sql[256];
    snprintf(sql, sizeof sql, "UPDATE %s SET v=zeroblob(length(v)) WHERE %s", table, where);
    run_sql(sql);
}

static void damage_chunk(CnCell cell)
{
    char where[64];
    snprintf(where, sizeof where, "k=%lld", (long long)cn_chunk_key(cn_chunk_of(cell)));
    damage("n_chunks", where);
}

static void remove_chunk(CnCell cell)
{
    char sql[128];
    snprintf(sql, sizeof sql, "DELETE FROM n_chunks WHERE k=%lld",
             (long long)cn_chunk_key(cn_chunk_of(cell)));
    run_sql(sql);
}

static void verify(void)
{
    crafty_world_check_free(&checked);
    check(crafty_world_check(path, NULL, NULL, &checked, &error));
}

static bool is_named(CraftyDamagePart part, const char *words)
{
    for (uint32_t i = 0; i < checked.item_count; i++)
        if (checked.items[i].part == part && strstr(checked.items[i].message, words))
            return true;
    return false;
}

static bool try_repair(const CraftyWorldRepairDesc *desc)
{
    CraftyWorldRepairDesc own = desc ? *desc : (CraftyWorldRepairDesc){0};
    own.path = path;
    own.check_thumbnail = crafty_thumbnail_check;
    return crafty_world_repair(&own, &repaired, &error);
}

/* Repairs the world, which then has no damage, and opens it. */
static void repair(void)
{
    check(try_repair(NULL));
    verify();
    assert_int_equal(checked.damage_count, 0);
    open_session();
}

/* ---- Tests ---- */

static void an_intact_world_has_no_damage(void **state)
{
    (void)state;
    verify();
    assert_int_equal(checked.damage_count, 0);
    assert_int_equal(checked.chunks, 2);
    assert_int_equal(checked.edits, 2);
}

static void a_check_changes_nothing(void **state)
{
    (void)state;
    uint64_t before, after;
    check(crafty_worlds_content_hash(path, &before, &error));
    verify();
    check(crafty_worlds_content_hash(path, &after, &error));
    assert_true(before == after);
}

static void a_damaged_chunk_is_named(void **state)
{
    (void)state;
    damage_chunk(there);
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_CHUNK, "checksum"));
    CnChunkPos chunk = cn_chunk_of(there);
    assert_true(checked.items[0].has_chunk);
    assert_memory_equal(&checked.items[0].chunk, &chunk, sizeof chunk);
}

static void a_chunk_that_is_missing_is_noticed_by_the_log(void **state)
{
    (void)state;
    remove_chunk(there);
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_CHUNK, "its row is missing"));
}

static void a_chunk_that_is_missing_is_noticed_by_the_hash(void **state)
{
    (void)state;
    remove_chunk(there);
    run_sql("DELETE FROM l_edits");
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_BLOCKS, "not those that were saved"));
}

static void a_block_that_the_log_contradicts_is_noticed(void **state)
{
    (void)state;
    char sql[256];
    /* The row of one chunk in place of the other does not fit its checksum; so a log that ends
     * earlier: the last edit of the cell is not that of the chunk. */
    open_session();
    put(there, "dirt");
    close_saved();
    snprintf(sql, sizeof sql, "DELETE FROM l_edits WHERE k=(SELECT max(k) FROM l_edits)");
    run_sql(sql);
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_CHUNK, "do not agree with the log"));
}

static void a_trimmed_log_is_no_damage(void **state)
{
    (void)state;
    run_sql("DELETE FROM l_edits WHERE k=(SELECT min(k) FROM l_edits)");
    verify();
    assert_int_equal(checked.damage_count, 0);
}

static void a_picture_that_is_no_jpeg_is_noticed_and_dropped(void **state)
{
    (void)state;
    open_session();
    check(crafty_save_set_thumbnail(save, "not a jpeg", 10, &error));
    close_saved();
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_DESCRIPTION, "not a JPEG"));
    repair();
    assert_true(repaired.lost_thumbnail);
}

static void a_damaged_picture_is_gone(void **state)
{
    (void)state;
    open_session();
    check(crafty_save_set_thumbnail(save, "anything", 8, &error));
    close_saved();
    damage("b_info", "k=CAST('thumbnail' AS BLOB)");
    repair();
    assert_true(repaired.lost_thumbnail);
    assert_false(repaired.lost_summary);
}

static void repair_keeps_the_other_chunks(void **state)
{
    (void)state;
    run_sql("DELETE FROM l_edits");
    damage_chunk(there);
    repair();
    assert_string_equal(block_at(here), "stone");
    assert_string_equal(block_at(there), "air");
    assert_int_equal(repaired.lost_chunks.count, 1);
    CnChunkPos chunk = cn_chunk_of(there);
    assert_memory_equal(&repaired.lost_chunks.items[0], &chunk, sizeof chunk);
}

static void the_log_brings_lost_chunks_back(void **state)
{
    (void)state;
    damage_chunk(there);
    remove_chunk(here);
    repair();
    assert_string_equal(block_at(here), "stone");
    assert_string_equal(block_at(there), "stone");
    assert_int_equal(repaired.rebuilt_chunks.count, 2);
}

static void the_damaged_file_becomes_a_backup(void **state)
{
    (void)state;
    damage_chunk(there);
    repair();
    assert_non_null(strstr(repaired.backup, "/backups/Home "));
    crafty_session_destroy(session);
    crafty_save_close(save);
    session = NULL;
    save = NULL;
    path = repaired.backup;
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_CHUNK, "checksum"));
}

static void without_a_simulation_the_game_starts_anew_with_its_blocks(void **state)
{
    (void)state;
    damage("b_state", "k=CAST('sim' AS BLOB)");
    repair();
    assert_true(repaired.lost_simulation);
    assert_true(crafty_save_is_new(save));
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 0);
    assert_string_equal(block_at(here), "stone");
    assert_string_equal(block_at(there), "stone");
}

static void a_repaired_world_plays_on_and_saves(void **state)
{
    (void)state;
    damage("b_state", "1");
    damage_chunk(there);
    repair();
    check(cn_sim_tick_n(crafty_session_sim(session), 100, &error));
    put(here, "dirt");
    close_saved();
    verify();
    assert_int_equal(checked.damage_count, 0);
    open_session();
    assert_false(crafty_save_is_new(save));
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 100);
    assert_string_equal(block_at(here), "dirt");
}

static void without_activity_the_simulation_stays(void **state)
{
    (void)state;
    damage("b_state", "k=CAST('activity' AS BLOB)");
    repair();
    assert_true(repaired.lost_activity);
    assert_false(repaired.lost_simulation);
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 20);
}

static void the_description_comes_back_from_its_copy(void **state)
{
    (void)state;
    damage("b_info", "1");
    repair();
    assert_int_equal(repaired.identity, CRAFTY_REPAIR_FROM_COPY);
    assert_int_equal(repaired.blocks, CRAFTY_REPAIR_FROM_COPY);
    assert_int_equal(repaired.items, CRAFTY_REPAIR_FROM_COPY);
    assert_true(repaired.lost_summary);
    assert_int_equal(crafty_save_identity(save)->seed, SESSION_SEED);
    assert_true(has_note(here, "near"));
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 20);
    assert_string_equal(block_at(there), "stone");
}

static void a_damaged_copy_is_written_again(void **state)
{
    (void)state;
    damage("b_copy", "1");
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_COPY, "checksum"));
    repair();
    assert_int_equal(repaired.identity, CRAFTY_REPAIR_KEPT);
}

static void a_lost_seed_must_be_given(void **state)
{
    (void)state;
    damage("b_info", "k=CAST('identity' AS BLOB)");
    damage("b_copy", "k=CAST('identity' AS BLOB)");
    assert_false(try_repair(NULL));
    assert_non_null(strstr(error.message, "--seed"));
    assert_int_equal(scratch_count(&scratch), 1); /* the damaged world */
    crafty_world_repair_free(&repaired);
    check(try_repair(&(CraftyWorldRepairDesc){.has_seed = true, .seed = SESSION_SEED}));
    open_session();
    assert_string_equal(crafty_save_identity(save)->name, "Home");
    assert_string_equal(block_at(here), "stone");
}

static void without_palettes_the_standard_blocks_are_assumed(void **state)
{
    (void)state;
    damage("b_info", "k=CAST('blocks' AS BLOB)");
    damage("b_copy", "k=CAST('blocks' AS BLOB)");
    repair();
    assert_int_equal(repaired.blocks, CRAFTY_REPAIR_LOST);
    assert_string_equal(block_at(here), "stone");
}

static void edits_before_a_lost_record_cannot_be_undone(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        open_session();
        put((CnCell){8, 301 + (int)i, 8}, "stone");
        close_saved();
    }
    damage("l_edits", "k=2");
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_LOG, "checksum"));
    repair();
    assert_int_equal(repaired.kept_edits, 2);
    assert_int_equal(repaired.dropped_edits, 1);
    assert_int_equal(cn_edit_log_count(cn_voxels_log(voxels())), 2);
    assert_string_equal(block_at(here), "stone");
    assert_string_equal(block_at(there), "stone");
}

static void damaged_block_data_is_named_and_the_rest_is_kept(void **state)
{
    (void)state;
    char where[64];
    CnChunkPos chunk = cn_chunk_of(there);
    snprintf(where, sizeof where, "k=%lld", (long long)cn_chunk_key(chunk));
    damage("n_block_data", where);
    verify();
    assert_true(is_named(CRAFTY_DAMAGE_DATA, "checksum"));
    repair();
    assert_int_equal(repaired.lost_data.count, 1);
    assert_memory_equal(&repaired.lost_data.items[0], &chunk, sizeof chunk);
    assert_true(has_note(here, "near"));
    assert_false(has_note(there, "far"));
    assert_string_equal(block_at(there), "stone");
}

static void without_kinds_block_data_is_lost_and_the_blocks_are_kept(void **state)
{
    (void)state;
    damage("b_info", "k=CAST('data_kinds' AS BLOB)");
    damage("b_copy", "k=CAST('data_kinds' AS BLOB)");
    repair();
    assert_int_equal(repaired.lost_data.count, 2);
    assert_string_equal(block_at(here), "stone");
}

/* Overwrites bytes of the file itself. */
static void overwrite(long offset, uint8_t value, size_t count)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, offset, SEEK_SET);
    for (size_t i = 0; i < count; i++)
        fputc(value, file);
    fclose(file);
}

static void a_destroyed_start_of_the_file_loses_nothing_else(void **state)
{
    (void)state;
    overwrite(0, 0, 100);
    verify();
    assert_true(checked.damage_count > 0);
    repair();
    assert_string_equal(block_at(here), "stone");
    assert_string_equal(block_at(there), "stone");
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 20);
}

static void whatever_page_is_destroyed_the_world_opens_again(void **state)
{
    (void)state;
    for (size_t page = 0; page < pristine.size / 4096; page++) {
        check(cn_file_write_all(cn_native_files(), path, pristine.data, pristine.size, &error));
        overwrite((long)page * 4096, 0xff, 4096);
        crafty_world_check_free(&checked);
        check(crafty_world_check(path, NULL, NULL, &checked, &error));
        if (checked.damage_count == 0) /* an unused page */
            continue;
        crafty_world_repair_free(&repaired);
        if (!try_repair(NULL))
            fail_msg("page %zu: %s", page, error.message);
        verify();
        if (checked.damage_count > 0)
            fail_msg("page %zu: %s", page, checked.items[0].message);
    }
}

static void a_file_without_a_world_is_not_repaired(void **state)
{
    (void)state;
    overwrite(0, 'x', 200000);
    assert_false(try_repair(NULL));
    assert_non_null(strstr(error.message, "nothing of a world"));
    assert_int_equal(scratch_count(&scratch), 1);
}

static void an_open_world_is_neither_checked_nor_repaired(void **state)
{
    (void)state;
    open_session();
    assert_false(crafty_world_check(path, NULL, NULL, &checked, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_false(try_repair(NULL));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

#define REPAIR_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPAIR_TEST(an_intact_world_has_no_damage),
        REPAIR_TEST(a_check_changes_nothing),
        REPAIR_TEST(a_damaged_chunk_is_named),
        REPAIR_TEST(a_chunk_that_is_missing_is_noticed_by_the_log),
        REPAIR_TEST(a_chunk_that_is_missing_is_noticed_by_the_hash),
        REPAIR_TEST(a_block_that_the_log_contradicts_is_noticed),
        REPAIR_TEST(a_trimmed_log_is_no_damage),
        REPAIR_TEST(a_picture_that_is_no_jpeg_is_noticed_and_dropped),
        REPAIR_TEST(a_damaged_picture_is_gone),
        REPAIR_TEST(repair_keeps_the_other_chunks),
        REPAIR_TEST(the_log_brings_lost_chunks_back),
        REPAIR_TEST(the_damaged_file_becomes_a_backup),
        REPAIR_TEST(without_a_simulation_the_game_starts_anew_with_its_blocks),
        REPAIR_TEST(a_repaired_world_plays_on_and_saves),
        REPAIR_TEST(without_activity_the_simulation_stays),
        REPAIR_TEST(the_description_comes_back_from_its_copy),
        REPAIR_TEST(a_damaged_copy_is_written_again),
        REPAIR_TEST(a_lost_seed_must_be_given),
        REPAIR_TEST(without_palettes_the_standard_blocks_are_assumed),
        REPAIR_TEST(edits_before_a_lost_record_cannot_be_undone),
        REPAIR_TEST(damaged_block_data_is_named_and_the_rest_is_kept),
        REPAIR_TEST(without_kinds_block_data_is_lost_and_the_blocks_are_kept),
        REPAIR_TEST(a_destroyed_start_of_the_file_loses_nothing_else),
        REPAIR_TEST(whatever_page_is_destroyed_the_world_opens_again),
        REPAIR_TEST(a_file_without_a_world_is_not_repaired),
        REPAIR_TEST(an_open_world_is_neither_checked_nor_repaired),
    };
    return cmocka_run_group_tests(tests, make_world, drop_world);
}

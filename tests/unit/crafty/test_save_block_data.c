/* Block data in world files: what comes back, what is written, and what is refused. */
#include "session_fixture.h"

#include <crafty/save/save_internal.h>
#include <crafty/sim/container.h>
#include <crafty/sim/furnace.h>

#include <string.h>

#define KIND "mod:note"

static const CnCell place = {8, 300, 8};

static void put_note(CnCell cell, const char *text, bool active)
{
    CnBlockData data = {
        .active = active, .size = (uint16_t)strlen(text), .bytes = (const uint8_t *)text};
    assert_true(cn_block_data_kind(voxels(), KIND, &data.kind, NULL));
    assert_true(cn_block_data_set(voxels(), cell, &data, NULL));
}

static void expect_note(CnCell cell, const char *text)
{
    CnBlockData data;
    assert_true(cn_block_data_get(voxels(), cell, &data));
    assert_string_equal(cn_block_data_kind_name(voxels(), data.kind), KIND);
    assert_int_equal(data.size, strlen(text));
    assert_memory_equal(data.bytes, text, data.size);
}

/* A saved world with the data of one block, closed. */
static int make(void **state)
{
    (void)state;
    begin_scratch();
    open_session();
    put(place, "crate");
    put_note(place, "Home", false);
    write_save();
    close_session();
    return 0;
}

static uint64_t data_rows(void)
{
    CnStoreDesc desc = {.path = path,
                        .mode = CN_STORE_OPEN,
                        .application = CRAFTY_SAVE_APPLICATION,
                        .version = CRAFTY_SAVE_VERSION,
                        .tables = crafty_save_tables,
                        .table_count = CRAFTY_SAVE_TABLES};
    CnStoreReport report;
    assert_true(cn_store_check(&desc, NULL, &report, NULL));
    uint64_t rows = report.rows[CRAFTY_SAVE_DATA];
    cn_store_report_free(&report);
    return rows;
}

/* ---- What comes back ---- */

/* Nothing in this program knows the kind. */
static void data_of_a_missing_mod_is_kept(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        open_session();
        expect_note(place, "Home");
        write_save();
        close_session();
    }
    assert_int_equal(data_rows(), 1);
}

static void hash_and_active_cells_come_back(void **state)
{
    (void)state;
    CnCell cell, burning = {-30, 300, 12};
    open_session();
    put_note(burning, "fire", true);
    uint64_t hash = cn_voxels_hash(voxels());
    write_save();
    close_session();
    open_session();
    assert_true(cn_voxels_hash(voxels()) == hash);
    assert_true(cn_block_data_first_active(voxels(), &cell));
    assert_memory_equal(&cell, &burning, sizeof cell);
    assert_int_equal(cn_block_data_stats(voxels()).blocks, 2);
}

static void the_data_of_a_broken_block_is_gone(void **state)
{
    (void)state;
    open_session();
    put(place, "air");
    write_save();
    close_session();
    assert_int_equal(data_rows(), 0);
    open_session();
    assert_int_equal(cn_block_data_stats(voxels()).blocks, 0);
}

static void a_kind_that_is_added_later_is_saved(void **state)
{
    (void)state;
    open_session();
    CnBlockData data = {0};
    assert_true(cn_block_data_kind(voxels(), "mod:late", &data.kind, NULL));
    assert_true(cn_block_data_set(voxels(), place, &data, NULL));
    write_save();
    close_session();
    open_session();
    assert_true(cn_block_data_get(voxels(), place, &data));
    assert_string_equal(cn_block_data_kind_name(voxels(), data.kind), "mod:late");
}

static const CraftyItemInfo *item_info(CraftyItem item)
{
    return crafty_items_info(crafty_world_items(crafty_session_world(session)), item);
}

/* The world was created by a program in which items have other numbers, and with a mod. */
static void the_contents_of_a_crate_survive_other_numbers_of_items(void **state)
{
    (void)state;
    static const char palette[] = "mod:ruby,stone";
    CraftyContainer container = {.slots = {[4] = {1, 7}, [9] = {2, 30}}};
    path = scratch_path(&scratch, "items.crafty");
    save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = 77}, NULL);
    assert_true(save && cn_bytes_append(&save->items, palette, sizeof palette - 1));
    CraftySessionDesc desc = {.start = {.viewer = CRAFTY_VIEWER_WALKS}, .threads = 1, .save = save};
    session = crafty_session_create(&desc, NULL);
    assert_non_null(session);
    put(place, CRAFTY_CRATE);
    assert_true(crafty_container_write(voxels(), place, &container, NULL));
    for (uint32_t i = 0; i < 2; i++) {
        write_save();
        close_session();
        open_session();
        CraftyContainer again;
        assert_true(crafty_container_read(voxels(), place, &again));
        assert_memory_equal(&again, &container, sizeof again);
        assert_string_equal(item_info(again.slots[4].item)->name, "mod:ruby");
        assert_false(item_info(again.slots[4].item)->is_known);
        assert_string_equal(item_info(again.slots[9].item)->name, "stone");
    }
}

static void run_session(uint64_t ticks)
{
    assert_true(cn_sim_tick_n(crafty_session_sim(session), ticks, NULL));
}

static uint32_t ingots(void)
{
    CraftyFurnace furnace;
    assert_true(crafty_furnace_read(cn_sim_world(crafty_session_sim(session)), place, &furnace));
    return furnace.slots[CRAFTY_FURNACE_RESULT].count;
}

/* What takes 600 ticks is done in the 601st tick, whatever happens in between. */
static void a_furnace_goes_on_after_the_world_was_opened_again(void **state)
{
    (void)state;
    open_session();
    const CraftyItems *items = crafty_world_items(crafty_session_world(session));
    CraftyFurnace furnace = {.slots = {{.item = crafty_items_find(items, "raw_iron"), .count = 2},
                                       {.item = crafty_items_find(items, "coal"), .count = 1}}};
    put(place, "furnace_west");
    run_session(5);
    assert_true(
        crafty_furnace_write(cn_sim_world(crafty_session_sim(session)), place, &furnace, NULL));
    run_session(333);
    write_save();
    close_session();
    open_session();
    run_session(267);
    assert_int_equal(ingots(), 0);
    run_session(1);
    assert_int_equal(ingots(), 1);
}

/* ---- What is written ---- */

static uint32_t changed(void)
{
    return cn_block_data_stats(voxels()).changed_chunks;
}

static void a_save_writes_only_chunks_whose_data_changed(void **state)
{
    (void)state;
    open_session();
    for (int32_t i = 0; i < 100; i++)
        put_note((CnCell){16 * i, 400, 0}, "chest", false);
    assert_int_equal(changed(), 100);
    write_save();
    assert_int_equal(changed(), 0);
    put_note((CnCell){16 * 50, 400, 0}, "other", false);
    assert_int_equal(changed(), 1);
    write_save();
    close_session();
    assert_int_equal(data_rows(), 101);
}

static void begin_save(void)
{
    CnError error = {0};
    if (!crafty_save_begin(save, crafty_session_world(session), crafty_session_sim(session),
                           &error))
        fail_msg("%s", error.message);
}

/* As when too many saves wait for the disk. */
static void what_was_not_submitted_is_in_the_next_save(void **state)
{
    (void)state;
    open_session();
    put_note(place, "New", false);
    begin_save();
    crafty_save_cancel(save, voxels());
    write_save();
    close_session();
    open_session();
    expect_note(place, "New");
}

/* Data and blocks change between the begin and the end. */
static void a_save_in_parts_has_the_data_of_its_begin(void **state)
{
    (void)state;
    open_session();
    put_note((CnCell){100, 300, 100}, "Port", false);
    begin_save();
    put(place, "air");
    put_note((CnCell){100, 300, 100}, "Gone", false);
    put_note((CnCell){200, 300, 200}, "New", false);
    while (crafty_save_is_building(save))
        assert_true(crafty_save_continue(save, crafty_session_world(session), NULL));
    assert_true(crafty_save_flush(save, SESSION_FLUSH_MS, NULL));
    close_session();
    open_session();
    expect_note(place, "Home");
    expect_note((CnCell){100, 300, 100}, "Port");
    assert_int_equal(cn_block_data_stats(voxels()).blocks, 2);
}

/* A row takes several calls only if there is much to save. */
static void much_data_is_added_in_parts(void **state)
{
    (void)state;
    static char text[CN_BLOCK_DATA_BYTES];
    memset(text, 'x', sizeof text - 1);
    uint32_t calls = 0;
    open_session();
    for (int32_t i = 0; i < 100; i++)
        put_note((CnCell){16 * i, 400, 0}, text, false);
    begin_save();
    for (; crafty_save_is_building(save); calls++)
        assert_true(crafty_save_continue(save, crafty_session_world(session), NULL));
    assert_true(calls >= 100 * CN_BLOCK_DATA_BYTES / CRAFTY_SAVE_STEP_DATA);
    assert_true(crafty_save_flush(save, SESSION_FLUSH_MS, NULL));
    close_session();
    assert_int_equal(data_rows(), 101);
}

static uint32_t rows_of_next_save(void)
{
    begin_save();
    uint32_t before = cn_store_batch_count(save->progress.batch);
    assert_true(crafty_save_add_data(save, voxels(), UINT32_MAX, NULL));
    uint32_t rows = cn_store_batch_count(save->progress.batch) - before;
    write_save();
    return rows;
}

static void one_of_100000_crates_that_changes_is_one_row(void **state)
{
    (void)state;
    CraftyContainer container = {.slots = {[0] = {1, 7}, [9] = {2, 30}}};
    open_session();
    for (int32_t i = 0; i < 100000; i++)
        assert_true(crafty_container_write(
            voxels(), (CnCell){16 * (i / 160) + i % 16, 400, i / 16 % 10}, &container, NULL));
    assert_int_equal(rows_of_next_save(), 625);
    container.slots[3].count = 1;
    container.slots[3].item = 3;
    assert_true(crafty_container_write(voxels(), (CnCell){16 * 300, 400, 5}, &container, NULL));
    assert_int_equal(rows_of_next_save(), 1);
    assert_int_equal(rows_of_next_save(), 0);
    uint64_t hash = cn_voxels_hash(voxels());
    close_session();
    open_session();
    assert_int_equal(cn_block_data_stats(voxels()).blocks, 100001);
    assert_true(cn_voxels_hash(voxels()) == hash);
}

/* ---- What is refused ---- */

static void change_row(CraftySaveTable table, CnStoreKey key, const void *bytes, size_t size)
{
    save = crafty_save_open(&(CraftySaveDesc){.path = path}, NULL);
    assert_non_null(save);
    CnStoreBatch *batch = cn_store_batch_create(save->store, NULL);
    assert_true(size ? cn_store_batch_put(batch, table, key, bytes, size, NULL)
                     : cn_store_batch_remove(batch, table, key, NULL));
    assert_true(cn_store_submit(save->store, batch));
    assert_true(cn_store_flush(save->store, SESSION_FLUSH_MS, NULL));
    close_session();
}

static void expect_refusal(const char *part)
{
    CnError error = {0};
    save = crafty_save_open(&(CraftySaveDesc){.path = path}, &error);
    assert_non_null(save);
    CraftySessionDesc desc = {.threads = 1, .save = save};
    assert_null(crafty_session_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, error.message);
}

static CnStoreKey key_of(CnCell cell)
{
    return cn_store_number((int64_t)cn_chunk_key(cn_chunk_of(cell)));
}

static void a_malformed_row_is_refused(void **state)
{
    (void)state;
    change_row(CRAFTY_SAVE_DATA, key_of(place), "nonsense", 8);
    expect_refusal("block data of chunk 0, 18, 0");
}

static void a_missing_row_is_noticed(void **state)
{
    (void)state;
    change_row(CRAFTY_SAVE_DATA, key_of(place), NULL, 0);
    expect_refusal("rows are missing");
}

static void a_row_without_its_kind_is_refused(void **state)
{
    (void)state;
    change_row(CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_DATA_KINDS), NULL, 0);
    expect_refusal("block data of chunk 0, 18, 0");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(data_of_a_missing_mod_is_kept),
        TEST(hash_and_active_cells_come_back),
        TEST(the_data_of_a_broken_block_is_gone),
        TEST(a_kind_that_is_added_later_is_saved),
        TEST(the_contents_of_a_crate_survive_other_numbers_of_items),
        TEST(a_furnace_goes_on_after_the_world_was_opened_again),
        TEST(a_save_writes_only_chunks_whose_data_changed),
        TEST(what_was_not_submitted_is_in_the_next_save),
        TEST(a_save_in_parts_has_the_data_of_its_begin),
        TEST(much_data_is_added_in_parts),
        TEST(one_of_100000_crates_that_changes_is_one_row),
        TEST(a_malformed_row_is_refused),
        TEST(a_missing_row_is_noticed),
        TEST(a_row_without_its_kind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

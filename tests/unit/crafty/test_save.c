/* Worlds in files: what they hold, what is refused, and that a save writes only what changed. */
#include "session_fixture.h"

#include <crafty/save/save_internal.h>

#include <crafty/sim/day.h>
#include <crafty/sim/weather.h>

#include <cairn/base/clock.h>
#include <cairn/sim/save.h>

#include <stdio.h>
#include <string.h>

static const CnCell place = {8, 300, 8};

static CraftySave *open_save(CraftySaveDesc desc, CnError *error)
{
    desc.path = path;
    return crafty_save_open(&desc, error);
}

static const char *name_at(CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(voxels()), cn_voxels_get(voxels(), cell))->name;
}

/* A saved world with one block, closed. */
static int make(void **state)
{
    (void)state;
    begin_scratch();
    open_session();
    put(place, "glowstone");
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 3, NULL));
    write_save();
    close_session();
    return 0;
}

/* ---- What a file holds ---- */

static void a_placed_block_is_there_again(void **state)
{
    (void)state;
    open_session();
    assert_false(crafty_save_is_new(save));
    assert_string_equal(name_at(place), "glowstone");
    assert_int_equal(cn_sim_tick(crafty_session_sim(session)), 3);
}

static void an_edit_from_before_can_be_undone(void **state)
{
    (void)state;
    CnEdit undo;
    open_session();
    assert_true(cn_edit_log_undo(cn_voxels_log(voxels()), 1, &undo));
    assert_true(cn_voxels_edit(voxels(), &undo, NULL));
    assert_string_equal(name_at(place), "air");
}

static void the_description_is_read_without_the_game(void **state)
{
    (void)state;
    CraftySaveInfo info;
    assert_true(crafty_save_read_info(path, &info, NULL));
    assert_string_equal(info.identity.name, "Home");
    assert_true(info.identity.seed == SESSION_SEED);
    assert_int_equal(info.identity.tick_hz, 60);
    assert_string_equal(info.identity.generator, CRAFTY_GENERATOR_ID);
    assert_true(info.identity.created_ms > 0);
    assert_true(info.summary.played_ms >= info.identity.created_ms);
    assert_int_equal(info.summary.tick, 3);
    assert_int_equal(info.summary.mode, CRAFTY_MODE_CREATIVE);
    assert_true(info.summary.sun_angle > 1.5f && info.summary.sun_angle < 1.65f); /* noon */
    assert_true(info.summary.slots[0].item > 0);
    assert_true(info.summary.pose.position.y > 0);
    assert_false(info.has_thumbnail);
}

static void the_inventory_is_kept_and_described(void **state)
{
    (void)state;
    CraftySaveInfo info;
    open_session();
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    cn_get_mut(world, cn_camera_active(world), CraftyPlayer)->inventory[26] =
        (CraftyStack){.item = 5, .count = 17};
    write_save();
    close_session();
    assert_true(crafty_save_read_info(path, &info, NULL));
    assert_int_equal(info.summary.inventory[26].item, 5);
    assert_int_equal(info.summary.inventory[26].count, 17);
    open_session();
    world = cn_sim_world(crafty_session_sim(session));
    const CraftyPlayer *player = cn_get(world, cn_camera_active(world), CraftyPlayer);
    assert_int_equal(player->inventory[26].item, 5);
    assert_int_equal(player->inventory[26].count, 17);
}

static void a_thumbnail_is_kept(void **state)
{
    (void)state;
    CraftySaveInfo info;
    open_session();
    assert_true(crafty_save_set_thumbnail(save, "jpeg", 4, NULL));
    write_save();
    close_session();
    assert_true(crafty_save_read_info(path, &info, NULL));
    assert_true(info.has_thumbnail);
}

static void the_edits_of_an_unloaded_chunk_are_saved(void **state)
{
    (void)state;
    open_session();
    put((CnCell){900, 300, 900}, "bricks");
    for (uint32_t i = 0; i < 6; i++)
        cn_voxels_stream(
            voxels(),
            &(CnVoxelsView){
                .eye = {0, 80, 0}, .forward = {0, 0, -1}, .radius = 1, .height = 1, .wait = true});
    write_save();
    close_session();
    open_session();
    assert_string_equal(name_at((CnCell){900, 300, 900}), "bricks");
}

/* ---- Only what changed ---- */

static uint64_t rows_of(CraftySaveTable table)
{
    CnStoreDesc desc = {.path = path,
                        .mode = CN_STORE_OPEN,
                        .application = CRAFTY_SAVE_APPLICATION,
                        .version = CRAFTY_SAVE_VERSION,
                        .tables = crafty_save_tables,
                        .table_count = CRAFTY_SAVE_TABLES};
    CnStoreReport report;
    assert_true(cn_store_check(&desc, NULL, &report, NULL));
    assert_int_equal(report.damage_count, 0);
    uint64_t rows = report.rows[table];
    cn_store_report_free(&report);
    return rows;
}

static void a_save_without_edits_appends_nothing_to_the_log(void **state)
{
    (void)state;
    open_session();
    write_save();
    write_save();
    close_session();
    assert_int_equal(rows_of(CRAFTY_SAVE_LOG), 1);
}

static void only_chunks_that_changed_are_written(void **state)
{
    (void)state;
    open_session();
    put((CnCell){100, 300, 8}, "bricks");
    assert_true(cn_voxels_store_edits(voxels(), NULL));
    assert_int_equal(save->chunks.changed.count, 1);
    write_save();
    assert_int_equal(save->chunks.changed.count, 0);
    close_session();
    assert_int_equal(rows_of(CRAFTY_SAVE_CHUNKS), 2);
}

static void old_edits_are_removed_from_the_log(void **state)
{
    (void)state;
    open_session();
    for (uint32_t i = 0; i < CRAFTY_SAVE_EDITS / 2 + 10; i++) {
        put(place, "stone");
        put(place, "glowstone");
    }
    write_save();
    close_session();
    open_session();
    assert_int_equal(cn_edit_log_count(cn_voxels_log(voxels())), CRAFTY_SAVE_EDITS);
    assert_true(save->group_edits < CRAFTY_SAVE_EDITS + CRAFTY_SAVE_GROUP_EDITS);
    assert_string_equal(name_at(place), "glowstone");
}

/* ---- Autosave ---- */

static uint64_t batches_of_auto(uint64_t seconds_ago)
{
    write_save();
    uint64_t before = save->batch;
    save->saved_ns = cn_clock_ns() - seconds_ago * 1000000000u;
    for (uint32_t tick = 0; tick < 2; tick++) /* one begins, the other submits */
        assert_true(crafty_save_auto(save, crafty_session_world(session),
                                     crafty_session_sim(session), NULL));
    return save->batch - before;
}

static void it_is_saved_again_after_five_seconds(void **state)
{
    (void)state;
    open_session();
    assert_int_equal(batches_of_auto(CRAFTY_SAVE_AUTO_SECONDS), 1);
}

static void it_is_not_saved_again_at_once(void **state)
{
    (void)state;
    open_session();
    assert_int_equal(batches_of_auto(0), 0);
}

/* ---- Names ---- */

static CnTextBuilder palette_with(const char *name)
{
    CnTextBuilder text;
    CnBlockTable *table = crafty_blocks_create(NULL, NULL);
    cn_array_init(&text, NULL);
    assert_true(table && crafty_blocks_write_palette(table, &text) &&
                cn_text_append(&text, cn_text(",")) && cn_text_append(&text, cn_text(name)));
    cn_block_table_destroy(table);
    return text;
}

/* The mod is missing from the start here; a table that knows the block writes the same palette. */
static void a_block_without_its_mod_keeps_its_name(void **state)
{
    (void)state;
    const CnCell cell = {9, 300, 9};
    CnTextBuilder palette = palette_with("mod:moon_lamp");
    path = scratch_path(&scratch, "mod.crafty");
    CnError error = {0};
    save = open_save((CraftySaveDesc){.seed = SESSION_SEED}, &error);
    assert_non_null(save);
    assert_true(cn_array_reserve(&save->blocks, palette.count));
    memcpy(save->blocks.items, palette.items, palette.count);
    save->blocks.count = palette.count;
    CraftySessionDesc desc = {.start = {.viewer = CRAFTY_VIEWER_WALKS}, .threads = 1, .save = save};
    session = crafty_session_create(&desc, &error);
    assert_non_null(session);
    put(cell, "mod:moon_lamp");
    write_save();
    close_session();
    for (uint32_t i = 0; i < 2; i++) {
        open_session();
        assert_string_equal(name_at(cell), "mod:moon_lamp");
        write_save();
        close_session();
    }
    cn_array_fini(&palette);
}

/* ---- Refusals ---- */

static void expect_refusal(CraftySaveDesc desc, CnErrorCode code, const char *part)
{
    CnError error = {0};
    assert_null(open_save(desc, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, error.message);
}

static void a_world_that_is_open_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    open_session();
    assert_null(open_save((CraftySaveDesc){0}, &error));
    assert_non_null(strstr(error.message, "open"));
}

static void another_seed_is_refused(void **state)
{
    (void)state;
    expect_refusal((CraftySaveDesc){.seed = 5, .has_seed = true}, CN_ERROR_MISMATCH, "seed 77");
}

static void a_file_that_is_no_world_is_refused(void **state)
{
    (void)state;
    path = scratch_path(&scratch, "text.crafty");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i < 1000; i++)
        fputs("This is no world.\n", file);
    fclose(file);
    CnError error = {0};
    assert_null(open_save((CraftySaveDesc){0}, &error));
    assert_true(error.message[0]);
}

/* Writes a row of the world, as a program of another version would. */
static void change_row(CraftySaveTable table, CnStoreKey key, const void *bytes, size_t size)
{
    CnError error = {0};
    save = open_save((CraftySaveDesc){0}, &error);
    assert_non_null(save);
    CnStoreBatch *batch = cn_store_batch_create(save->store, NULL);
    assert_true(size ? cn_store_batch_put(batch, table, key, bytes, size, NULL)
                     : cn_store_batch_remove(batch, table, key, NULL));
    assert_true(cn_store_submit(save->store, batch));
    assert_true(cn_store_flush(save->store, SESSION_FLUSH_MS, NULL));
    close_session();
}

static void a_newer_world_is_refused(void **state)
{
    (void)state;
    path = scratch_path(&scratch, "newer.crafty");
    CnStoreDesc desc = {.path = path,
                        .application = CRAFTY_SAVE_APPLICATION,
                        .version = CRAFTY_SAVE_VERSION + 1,
                        .tables = crafty_save_tables,
                        .table_count = CRAFTY_SAVE_TABLES};
    CnStore *store = cn_store_create(&desc, NULL);
    assert_non_null(store);
    cn_store_destroy(store);
    expect_refusal((CraftySaveDesc){0}, CN_ERROR_VERSION, "newer");
}

static void a_newer_generator_is_refused(void **state)
{
    (void)state;
    CraftySaveInfo info;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    assert_true(crafty_save_read_info(path, &info, NULL));
    info.identity.generator_version++;
    assert_true(crafty_world_identity_write(&info.identity, &bytes));
    change_row(CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_IDENTITY), bytes.items, bytes.count);
    cn_array_fini(&bytes);
    expect_refusal((CraftySaveDesc){0}, CN_ERROR_VERSION, "newer version of Crafty");
}

/* The blocks that it created may be others: hashes of edits are computed anew. */
static void a_world_of_an_older_generator_keeps_its_edits(void **state)
{
    (void)state;
    CraftySaveInfo info;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    assert_true(crafty_save_read_info(path, &info, NULL));
    info.identity.generator_version--;
    assert_true(crafty_world_identity_write(&info.identity, &bytes));
    change_row(CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_IDENTITY), bytes.items, bytes.count);
    cn_array_fini(&bytes);
    open_session();
    assert_string_equal(name_at(place), "glowstone");
}

/* ---- Features of mods ---- */

static const char pebbles[] =
    "{\"decorations\": [{\"name\": \"pebble\", \"blocks\": \"stone\", \"per_chunk\": 64}]}";

static CraftyWorld *attach(const char *features, CnError *error)
{
    CraftyContent content = crafty_content_standard();
    content.features = cn_text(features);
    save = open_save((CraftySaveDesc){0}, error);
    assert_non_null(save);
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.content = &content,
                                               .seed = crafty_save_identity(save)->seed,
                                               .workers = CN_JOBS_NONE,
                                               .palettes = crafty_save_palettes(save),
                                               .hooks = crafty_save_hooks(save)},
                            error);
    assert_non_null(world);
    if (!crafty_save_attach(save, world, error))
        fail_msg("%s", error->message);
    return world;
}

static void detach(CraftyWorld *world)
{
    crafty_world_destroy(world);
    crafty_save_close(save);
    save = NULL;
}

/* Every column of a chunk gets a block where the decoration would stand. */
static void cover_a_chunk(void)
{
    open_session();
    for (int32_t i = 0; i < 256; i++) {
        CnCell cell = {i % 16, 0, i / 16};
        cell.y = cn_voxels_height(voxels(), cell.x, cell.z) + 1;
        put(cell, "glass");
    }
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 3, NULL));
    write_save();
    close_session();
}

static void a_world_with_other_features_keeps_its_edits(void **state)
{
    (void)state;
    CnError error = {0};
    cover_a_chunk();
    CraftyWorld *world = attach(pebbles, &error);
    CnVoxels *other = crafty_world_voxels(world);
    uint32_t glass = 0;
    assert_true(crafty_save_has_other_features(save));
    for (int32_t i = 0; i < 256; i++)
        for (int32_t y = 0; y < 320; y++)
            glass += cn_voxels_get(other, (CnCell){i % 16, y, i / 16}) ==
                     cn_block_find(cn_voxels_blocks(other), "glass");
    assert_int_equal(glass, 256);
    detach(world);
}

static void the_same_features_are_no_difference(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyWorld *world = attach("", &error);
    assert_false(crafty_save_has_other_features(save));
    detach(world);
}

static void features_are_known_when_a_world_is_opened_again(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyContent content = crafty_content_standard();
    content.features = cn_text(pebbles);
    CraftyWorld *plain = crafty_world_create(
        &(CraftyWorldDesc){.content = &content, .workers = CN_JOBS_NONE}, &error);
    assert_non_null(plain);
    uint64_t hash = crafty_features_hash(crafty_world_features(plain));
    crafty_world_destroy(plain);
    change_row(CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_FEATURES), &hash, sizeof hash);
    CraftyWorld *world = attach(pebbles, &error);
    assert_false(crafty_save_has_other_features(save));
    detach(world);
    change_row(CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_FEATURES), "odd", 3);
    world = attach(pebbles, &error);
    assert_true(crafty_save_has_other_features(save));
    detach(world);
}

static void a_malformed_chunk_is_refused(void **state)
{
    (void)state;
    change_row(CRAFTY_SAVE_CHUNKS, cn_store_number((int64_t)cn_chunk_key((CnChunkPos){1, 2, 3})),
               "nonsense", 8);
    expect_refusal((CraftySaveDesc){0}, CN_ERROR_FORMAT, "chunk 1, 2, 3");
}

static void expect_no_session(const char *part)
{
    CnError error = {0};
    save = open_save((CraftySaveDesc){0}, &error);
    assert_non_null(save);
    CraftySessionDesc desc = {.threads = 1, .save = save};
    assert_null(crafty_session_create(&desc, &error));
    if (!strstr(error.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, error.message);
}

static void a_chunk_with_a_block_beyond_the_palette_is_refused(void **state)
{
    (void)state;
    const uint8_t row[] = {0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0xff, 0x1f};
    change_row(CRAFTY_SAVE_CHUNKS, cn_store_number((int64_t)cn_chunk_key((CnChunkPos){1, 2, 3})),
               row, sizeof row);
    expect_no_session("chunk 1, 2, 3 contain the block 4095");
}

static void a_record_of_the_log_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static uint8_t record[(CRAFTY_SAVE_GROUP_EDITS + 1) * CN_EDIT_BYTES];
    CnError error = {0};
    save = open_save((CraftySaveDesc){0}, &error);
    assert_non_null(save);
    CnStoreBatch *batch = cn_store_batch_create(save->store, NULL);
    assert_true(cn_store_batch_append(batch, CRAFTY_SAVE_LOG, record, sizeof record, NULL));
    assert_true(cn_store_submit(save->store, batch));
    assert_true(cn_store_flush(save->store, SESSION_FLUSH_MS, NULL));
    close_session();
    expect_no_session("a record of the edit log has");
}

/* As those of an older version that did not have them. */
static void resources_that_the_state_lacks_get_their_first_values(void **state)
{
    (void)state;
    open_session();
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    cn_resource_remove(world, CraftyWeather);
    cn_resource_remove(world, CraftyDay);
    CnStoreBatch *batch = cn_store_batch_create(save->store, NULL);
    assert_true(cn_sim_save_to(crafty_session_sim(session), batch, CRAFTY_SAVE_STATE,
                               cn_store_text(CRAFTY_SAVE_KEY_SIM), NULL));
    assert_true(cn_store_submit(save->store, batch));
    close_session();
    open_session();
    world = cn_sim_world(crafty_session_sim(session));
    assert_true(cn_resource(world, CraftyDay)->speed == 1);
    assert_non_null(cn_resource(world, CraftyWeather));
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 2, NULL));
}

static void missing_edits_are_noticed(void **state)
{
    (void)state;
    CnStoreKey key = cn_store_number((int64_t)cn_chunk_key(cn_chunk_of(place)));
    change_row(CRAFTY_SAVE_CHUNKS, key, NULL, 0);
    expect_no_session("rows are missing");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_placed_block_is_there_again),
        TEST(an_edit_from_before_can_be_undone),
        TEST(the_description_is_read_without_the_game),
        TEST(the_inventory_is_kept_and_described),
        TEST(a_thumbnail_is_kept),
        TEST(the_edits_of_an_unloaded_chunk_are_saved),
        TEST(a_save_without_edits_appends_nothing_to_the_log),
        TEST(only_chunks_that_changed_are_written),
        TEST(old_edits_are_removed_from_the_log),
        TEST(it_is_saved_again_after_five_seconds),
        TEST(it_is_not_saved_again_at_once),
        TEST(a_block_without_its_mod_keeps_its_name),
        TEST(a_world_that_is_open_is_refused),
        TEST(another_seed_is_refused),
        TEST(a_file_that_is_no_world_is_refused),
        TEST(a_newer_world_is_refused),
        TEST(a_newer_generator_is_refused),
        TEST(a_world_of_an_older_generator_keeps_its_edits),
        TEST(a_world_with_other_features_keeps_its_edits),
        TEST(the_same_features_are_no_difference),
        TEST(features_are_known_when_a_world_is_opened_again),
        TEST(a_malformed_chunk_is_refused),
        TEST(a_chunk_with_a_block_beyond_the_palette_is_refused),
        TEST(a_record_of_the_log_that_is_too_long_is_refused),
        TEST(resources_that_the_state_lacks_get_their_first_values),
        TEST(missing_edits_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

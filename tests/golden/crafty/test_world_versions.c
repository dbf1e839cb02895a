/*
 * Worlds of every version of the format, kept beside this test: all of them must open with the same
 * content forever. `golden.crafty.world_versions write` in the root of the tree writes the file of
 * a new version and prints its hashes; files of released versions are never written again.
 */
#include "saved_game.h"
#include "scratch.h"

#include <crafty/save/chunk_row.h>
#include <crafty/save/worlds.h>
#include <crafty/sim/container.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/rules.h>
#include <crafty/sim/vitals.h>
#include <crafty/world_command/check.h>

#include <cairn/base/file.h>
#include <cairn/base/log.h>
#include <cairn/render/material.h>

#include <stdio.h>
#include <unistd.h>

#define FILE_OF_VERSION_1 "tests/golden/crafty/version_1.crafty"
#define FORM_CHANGED                                                                               \
    "worlds have another form than " FILE_OF_VERSION_1                                             \
    ": raise CRAFTY_SAVE_VERSION, add a migration, and keep a world of the new version here"

/* Of the file of version 1. The hash of the state also depends on the components of the program:
 * it changes when one of them gets another field. */
static const SavedGameState golden = {.tick = 90,
                                      .state = UINT64_C(0x65183426ca7279ec),
                                      .blocks = UINT64_C(0xf2b6328d9faa271f),
                                      .log = UINT64_C(0x0e3d372827b7ff90)};

static const CnCell lamp_cell = {8, 300, 8}, crate_cell = {10, 300, 8};
static const uint8_t lamp_data[] = {1, 2, 3};

static Scratch scratch;
static char path[300];
static SavedGame game;
static CnError error;

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

static CnWorld *world(void)
{
    return cn_sim_world(saved_game_sim(&game));
}

static CraftyPlayer *first_player(void)
{
    return cn_get_mut(world(), cn_camera_active(world()), CraftyPlayer);
}

static const char *block_at(CnCell cell)
{
    CnVoxels *voxels = saved_game_voxels(&game);
    return cn_block_info(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell))->name;
}

/* ---- Writing ---- */

/* A new world with a palette that names a block and an item of a mod that is not there. */
static void open_with_mod(void)
{
    CnTextBuilder blocks, items;
    cn_array_init(&blocks, NULL);
    cn_array_init(&items, NULL);
    CraftyWorld *standard =
        crafty_world_create(&(CraftyWorldDesc){.workers = CN_JOBS_NONE}, &error);
    check(standard && crafty_blocks_write_palette(crafty_world_blocks(standard), &blocks) &&
          crafty_items_write_palette(crafty_world_items(standard), &items) &&
          cn_text_append(&blocks, cn_text(",mod:moon_lamp")) &&
          cn_text_append(&items, cn_text(",mod:lamp_oil")));
    crafty_world_destroy(standard);
    game.save = crafty_save_open(&game.desc, &error);
    check(game.save != NULL);
    check(cn_bytes_append(&game.save->blocks, blocks.items, blocks.count) &&
          cn_bytes_append(&game.save->items, items.items, items.count));
    cn_array_fini(&blocks);
    cn_array_fini(&items);
    CraftySessionDesc desc = play_desc(1);
    desc.save = game.save;
    game.session = crafty_session_create(&desc, &error);
    check(game.session != NULL);
    for (uint32_t i = 0; i < 2; i++)
        game.inputs[i] = make_input(world(), i + 1);
}

static void put_block(CnCell cell, const char *name)
{
    saved_game_put(&game, cell, cn_block_find(cn_voxels_blocks(saved_game_voxels(&game)), name));
}

static void fill_containers(void)
{
    CnVoxels *voxels = saved_game_voxels(&game);
    const CraftyItems *items = crafty_world_items(crafty_session_world(game.session));
    CraftyStack oil = {.item = crafty_items_find(items, "mod:lamp_oil"), .count = 3};
    CraftyStack stone = {.item = crafty_items_find(items, "stone"), .count = 64};
    CnBlockData data = {.active = true, .size = sizeof lamp_data, .bytes = lamp_data};
    assert_true(oil.item && stone.item);
    put_block(lamp_cell, "mod:moon_lamp");
    put_block(crate_cell, CRAFTY_CRATE);
    check(cn_block_data_kind(voxels, "mod:glow", &data.kind, &error) &&
          cn_block_data_set(voxels, lamp_cell, &data, &error));
    CraftyContainer crate = {.slots = {[0] = stone, [26] = oil}};
    check(crafty_container_write(voxels, crate_cell, &crate, &error));
    first_player()->slots[8] = oil;
}

static void set_thumbnail(void)
{
    static uint8_t pixels[160 * 90 * 4];
    CnImage image = {.width = 160, .height = 90, .pixels = pixels};
    CnU8Array jpeg;
    cn_array_init(&jpeg, NULL);
    for (uint32_t i = 0; i < 160 * 90; i++)
        memcpy(pixels + 4 * (size_t)i, (uint8_t[]){(uint8_t)(i % 160), (uint8_t)(i / 160), 90, 255},
               4);
    check(cn_image_encode_jpeg(&image, 80, &jpeg, &error) &&
          crafty_save_set_thumbnail(game.save, jpeg.items, jpeg.count, &error));
    cn_array_fini(&jpeg);
}

static void write_file(void **state)
{
    (void)state;
    TestRandom random = {1};
    game.desc.seed = 42;
    game.desc.name = "Version 1";
    open_with_mod();
    fill_containers();
    set_thumbnail();
    for (uint32_t i = 0; i < golden.tick; i++) {
        if (i % 3 == 0)
            saved_game_disturb(&game, &random);
        if (i == golden.tick - 4) { /* water that flows, and a tick that is due later */
            CnCell cell = saved_game_ground(&game, 3, 3);
            cell.y += 5;
            saved_game_put(&game, cell, CN_BLOCK_WATER);
            assert_true(cn_voxels_schedule(saved_game_voxels(&game), cell, 100));
        }
        saved_game_tick(&game);
        if (i == golden.tick / 2)
            check(saved_game_save(&game, &error));
    }
    check(saved_game_save(&game, &error) &&
          crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    SavedGameState made = saved_game_state(&game);
    saved_game_close(&game);
    unlink(FILE_OF_VERSION_1);
    check(crafty_worlds_export(path, FILE_OF_VERSION_1, NULL, NULL, &error));
    printf(".tick = %llu, .state = UINT64_C(0x%016llx), .blocks = UINT64_C(0x%016llx), .log = "
           "UINT64_C(0x%016llx)\n",
           (unsigned long long)made.tick, (unsigned long long)made.state,
           (unsigned long long)made.blocks, (unsigned long long)made.log);
}

/* ---- Reading ---- */

static void open_world(void)
{
    check(saved_game_open(&game, &error));
}

static void open_copy(void)
{
    CnFileBytes bytes;
    CnFileSystem *files = cn_native_files();
    check(cn_file_read_all(files, FILE_OF_VERSION_1, NULL, &bytes, &error) &&
          cn_file_write_all(files, path, bytes.data, bytes.size, &error));
    cn_file_bytes_free(&bytes);
    open_world();
}

static void version_1_opens_as_it_was_saved(void **state)
{
    (void)state;
    open_copy();
    SavedGameState found = saved_game_state(&game);
    assert_int_equal(found.tick, golden.tick);
    assert_true(found.blocks == golden.blocks);
    assert_true(found.log == golden.log);
    if (found.state != golden.state)
        fail_msg("the state hash is %016llx", (unsigned long long)found.state);
    assert_string_equal(crafty_save_identity(game.save)->name, "Version 1");
}

static void players_of_version_1_get_vitals_and_creative_rules(void **state)
{
    (void)state;
    open_copy();
    const CraftyRules *rules = cn_resource(world(), CraftyRules);
    CnEntity player = cn_camera_active(world());
    assert_true(rules->mode == CRAFTY_MODE_CREATIVE && rules->commands && !rules->keep_inventory);
    assert_true(rules->has_spawn);
    assert_float_equal(cn_get(world(), player, CraftyVitals)->health, CRAFTY_MAX_HEALTH, 0);
    assert_non_null(cn_get(world(), player, CraftyMotion));
    assert_int_equal(first_player()->mode, CRAFTY_MODE_CREATIVE);
}

static void version_1_has_no_damage(void **state)
{
    (void)state;
    CraftyWorldCheck result;
    open_copy();
    saved_game_close(&game);
    check(crafty_world_check(path, NULL, NULL, &result, &error));
    if (result.damage_count > 0)
        fail_msg("%s", result.items[0].message);
    crafty_world_check_free(&result);
}

static void version_1_runs_on(void **state)
{
    (void)state;
    open_copy();
    for (uint32_t i = 0; i < 60; i++)
        saved_game_tick(&game);
    check(saved_game_save(&game, &error) &&
          crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    open_world();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

static void expect_mod_content(void)
{
    const CraftyItems *items = crafty_world_items(crafty_session_world(game.session));
    CnBlockData data;
    CraftyContainer crate;
    assert_string_equal(block_at(lamp_cell), "mod:moon_lamp");
    CnBlock lamp = cn_voxels_get(saved_game_voxels(&game), lamp_cell);
    assert_true(cn_block_info(cn_voxels_blocks(saved_game_voxels(&game)), lamp)->is_placeholder);
    assert_true(cn_block_data_get(saved_game_voxels(&game), lamp_cell, &data));
    assert_string_equal(cn_block_data_kind_name(saved_game_voxels(&game), data.kind), "mod:glow");
    assert_true(data.active && data.size == sizeof lamp_data);
    assert_memory_equal(data.bytes, lamp_data, sizeof lamp_data);
    assert_true(crafty_container_read(saved_game_voxels(&game), crate_cell, &crate));
    CraftyStack held = first_player()->slots[8];
    assert_string_equal(crafty_items_info(items, held.item)->name, "mod:lamp_oil");
    assert_false(crafty_items_info(items, held.item)->is_known);
    assert_int_equal(held.count, 3);
    assert_true(crate.slots[26].item == held.item && crate.slots[26].count == 3);
    assert_string_equal(crafty_items_info(items, crate.slots[0].item)->name, "stone");
}

static void names_of_a_missing_mod_keep_their_data(void **state)
{
    (void)state;
    open_copy();
    for (uint32_t i = 0; i < 3; i++) {
        expect_mod_content();
        saved_game_tick(&game);
        check(saved_game_save(&game, &error) &&
              crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
        saved_game_close(&game);
        open_world();
    }
    expect_mod_content();
}

/* ---- The form ---- */

static CnU8Array bytes;

static void expect_form(const CnStoreRow *row, const void *again, size_t size)
{
    if (row->size != size || memcmp(row->bytes, again, size) != 0)
        fail_msg(FORM_CHANGED);
}

static void expect_info(const CnStoreRow *row)
{
    CnText key = {row->key.bytes, row->key.size};
    bytes.count = 0;
    if (cn_text_equal(key, cn_text(CRAFTY_SAVE_KEY_IDENTITY))) {
        assert_true(crafty_world_identity_write(crafty_save_identity(game.save), &bytes));
    } else if (cn_text_equal(key, cn_text(CRAFTY_SAVE_KEY_SUMMARY))) {
        CraftyWorldSummary now =
            crafty_world_summary_of(saved_game_sim(&game), saved_game_voxels(&game));
        now.played_ms = crafty_save_summary(game.save)->played_ms;
        assert_true(crafty_world_summary_write(&now, &bytes));
    } else if (cn_text_equal(key, cn_text(CRAFTY_SAVE_KEY_DATA_KINDS))) {
        CnTextBuilder kinds;
        cn_array_init(&kinds, NULL);
        /* The program may have more kinds, which follow. */
        assert_true(cn_block_data_write_kinds(saved_game_voxels(&game), &kinds) &&
                    kinds.count >= row->size && cn_bytes_append(&bytes, kinds.items, row->size));
        cn_array_fini(&kinds);
    } else {
        return; /* palettes are compared by names, and the picture is a JPEG */
    }
    expect_form(row, bytes.items, bytes.count);
}

static void expect_chunk(const CnStoreRow *row)
{
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    uint8_t again[CRAFTY_CHUNK_ROW_BYTES];
    CnStoredChunk chunk = {.position = cn_chunk_from_key((uint64_t)row->key.number),
                           .blocks = blocks};
    if (!crafty_chunk_row_read(row->bytes, row->size, &chunk.hash, blocks, &chunk.count))
        fail_msg(FORM_CHANGED);
    expect_form(row, again, crafty_chunk_row_write(&chunk, again));
}

static void expect_record(const CnStoreRow *row)
{
    static uint32_t next;
    if (row->key.number == 1)
        next = 0;
    const CnEditLog *log = cn_voxels_log(saved_game_voxels(&game));
    CnBlockPalette *palette =
        crafty_save_palette_create(cn_voxels_blocks(saved_game_voxels(&game)), NULL);
    assert_non_null(palette);
    bytes.count = 0;
    while (bytes.count < row->size) {
        uint8_t again[CN_EDIT_BYTES];
        CnEdit edit = cn_edit_log_at(log, next++);
        assert_true(cn_edit_write(&edit, palette, again, NULL) &&
                    cn_bytes_append(&bytes, again, sizeof again));
    }
    cn_block_palette_destroy(palette);
    expect_form(row, bytes.items, bytes.count);
}

/* The simulation describes itself: cn_sim_restore_from reads other fields, too. */
static void expect_state(const CnStoreRow *row)
{
    CnText key = {row->key.bytes, row->key.size};
    bytes.count = 0;
    if (cn_text_equal(key, cn_text(CRAFTY_SAVE_KEY_ACTIVITY))) {
        assert_true(cn_voxels_write_activity(saved_game_voxels(&game), &bytes, NULL));
        expect_form(row, bytes.items, bytes.count);
    }
}

static bool expect_row(const CnStoreRow *row, void *user, CnError *ignored)
{
    (void)user, (void)ignored;
    assert_false(row->is_damaged);
    switch ((CraftySaveTable)row->table) {
    case CRAFTY_SAVE_INFO:
    case CRAFTY_SAVE_COPY:
        expect_info(row);
        break;
    case CRAFTY_SAVE_CHUNKS:
        expect_chunk(row);
        break;
    case CRAFTY_SAVE_LOG:
        expect_record(row);
        break;
    case CRAFTY_SAVE_DATA:
        bytes.count = 0;
        assert_true(cn_block_data_write(
            saved_game_voxels(&game), cn_chunk_from_key((uint64_t)row->key.number), &bytes, NULL));
        expect_form(row, bytes.items, bytes.count);
        break;
    case CRAFTY_SAVE_STATE:
        expect_state(row);
        break;
    default:
        fail_msg("a table that this test does not know: extend it");
    }
    return true;
}

/* Without ticks, every row that is written again is the same. */
static void the_rows_have_the_form_of_the_version(void **state)
{
    (void)state;
    open_copy();
    cn_array_init(&bytes, NULL);
    for (uint32_t i = 0; i < CRAFTY_SAVE_TABLES; i++) {
        uint32_t rows = 0;
        check(
            cn_store_each(crafty_save_store(game.save), i, NULL, NULL, expect_row, &rows, &error));
    }
    cn_array_fini(&bytes);
    if (CRAFTY_SAVE_VERSION != 1)
        fail_msg("there is a version %u: keep a world of it beside version_1.crafty",
                 CRAFTY_SAVE_VERSION);
}

/* ---- Migration ---- */

static bool change_name(CnStore *store, CnStoreBatch *batch, void *user, CnError *problem)
{
    (void)store, (void)user;
    return cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text("motto"), "new", 3, problem);
}

/* A program with version 2, as far as its store is concerned. */
static void migrate(void)
{
    static const CnStoreMigration migrations[] = {{.from = 1, .run = change_name}};
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    desc.version = CRAFTY_SAVE_VERSION + 1;
    desc.migrations = migrations;
    desc.migration_count = CN_COUNT_OF(migrations);
    CnStore *store = cn_store_create(&desc, &error);
    check(store != NULL);
    cn_store_destroy(store);
}

static void an_older_world_is_copied_before_it_is_migrated(void **state)
{
    (void)state;
    open_copy();
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    migrate();
    char backup[340];
    cn_format(backup, sizeof backup, "%s.v1.backup", path);
    game.desc.path = backup;
    open_world();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

static void a_newer_world_is_refused_and_not_changed(void **state)
{
    (void)state;
    uint64_t before, after;
    open_copy();
    saved_game_close(&game);
    migrate();
    CnFileBytes file;
    check(cn_file_read_all(cn_native_files(), path, NULL, &file, &error));
    before = cn_hash_bytes(file.data, file.size, 0);
    cn_file_bytes_free(&file);
    assert_false(saved_game_open(&game, &error));
    assert_int_equal(error.code, CN_ERROR_VERSION);
    assert_non_null(strstr(error.message, "newer"));
    check(cn_file_read_all(cn_native_files(), path, NULL, &file, &error));
    after = cn_hash_bytes(file.data, file.size, 0);
    cn_file_bytes_free(&file);
    assert_true(before == after);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    strcpy(path, scratch_path(&scratch, "Version 1.crafty"));
    error = (CnError){0};
    game = (SavedGame){.desc = {.path = path}, .threads = 1};
    return 0;
}

static int end(void **state)
{
    (void)state;
    saved_game_close(&game);
    scratch_fini(&scratch);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(int argc, char **argv)
{
    const struct CMUnitTest writing[] = {TEST(write_file)};
    const struct CMUnitTest tests[] = {
        TEST(version_1_opens_as_it_was_saved),
        TEST(players_of_version_1_get_vitals_and_creative_rules),
        TEST(version_1_has_no_damage),
        TEST(version_1_runs_on),
        TEST(names_of_a_missing_mod_keep_their_data),
        TEST(the_rows_have_the_form_of_the_version),
        TEST(an_older_world_is_copied_before_it_is_migrated),
        TEST(a_newer_world_is_refused_and_not_changed),
    };
    if (argc == 2 && strcmp(argv[1], "write") == 0)
        return cmocka_run_group_tests(writing, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

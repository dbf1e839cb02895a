/* The library of worlds: lists, names, backups, deleted worlds. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/save/save_internal.h>
#include <crafty/save/worlds.h>

#include <cairn/base/file.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static Scratch scratch;
static const char *folder;
static CraftyWorldList list;
static CnError error;

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    folder = scratch.folder;
    list = (CraftyWorldList){0};
    error = (CnError){0};
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_worlds_list_free(&list);
    scratch_fini(&scratch);
    return 0;
}

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

static const char *create(const char *name, uint64_t seed)
{
    static char path[4][CN_STORE_PATH_BYTES];
    static uint32_t next;
    char *own = path[next++ % 4];
    check(crafty_worlds_create(folder, &(CraftyNewWorld){.name = name, .seed = seed}, own, &error));
    return own;
}

/* Returns how many worlds there are; they are then in `list`. */
static uint32_t count(CraftyWorldsPlace place)
{
    crafty_worlds_list_free(&list);
    check(crafty_worlds_list(folder, place, &list, &error));
    return list.count;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void set_played(const char *path, int64_t played_ms)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    CraftyWorldSummary summary = {.played_ms = played_ms};
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    CnStore *store = cn_store_create(&desc, &error);
    CnStoreBatch *batch = cn_store_batch_create(store, &error);
    assert_true(crafty_world_summary_write(&summary, &bytes));
    check(cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_SUMMARY),
                             bytes.items, bytes.count, &error));
    check(cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL),
                             "jpeg", 4, &error));
    cn_store_submit(store, batch);
    check(cn_store_flush(store, 10000, &error));
    cn_store_destroy(store);
    cn_array_fini(&bytes);
}

static void write_text(const char *path, const char *text)
{
    check(cn_file_write_all(cn_native_files(), path, text, strlen(text), &error));
}

/* ---- Lists ---- */

static void a_folder_that_does_not_exist_has_no_worlds(void **state)
{
    (void)state;
    check(
        crafty_worlds_list(scratch_path(&scratch, "none"), CRAFTY_WORLDS_PLAYABLE, &list, &error));
    assert_int_equal(list.count, 0);
}

static void a_new_world_is_listed_with_its_name_and_seed(void **state)
{
    (void)state;
    create("Home", 42);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_string_equal(list.items[0].name, "Home");
    assert_int_equal(list.items[0].info.identity.seed, 42);
    assert_true(list.items[0].info.is_new);
    assert_int_equal(list.items[0].error.code, CN_OK);
    assert_true(list.items[0].size_bytes > 0);
}

static void the_world_played_last_comes_first(void **state)
{
    (void)state;
    set_played(create("a", 1), 2000);
    set_played(create("b", 1), 3000);
    set_played(create("c", 1), 1000);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 3);
    assert_string_equal(list.items[0].name, "b");
    assert_string_equal(list.items[1].name, "a");
    assert_string_equal(list.items[2].name, "c");
}

static void a_file_that_is_no_world_is_listed_with_an_error(void **state)
{
    (void)state;
    create("good", 1);
    write_text(scratch_path(&scratch, "bad.crafty"), "this is not a world, but it is long enough");
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
    const CraftyWorldEntry *bad = &list.items[strcmp(list.items[0].name, "bad") != 0];
    assert_string_equal(bad->name, "bad");
    assert_int_equal(bad->error.code, CN_ERROR_FORMAT);
}

static void a_world_that_is_open_is_listed_as_open(void **state)
{
    (void)state;
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = create("Home", 1)}, &error);
    assert_non_null(save);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_true(list.items[0].is_open);
    assert_string_equal(list.items[0].name, "Home");
    assert_int_equal(list.items[0].error.code, CN_OK);
    crafty_save_close(save);
}

static void other_files_are_not_listed(void **state)
{
    (void)state;
    write_text(scratch_path(&scratch, "note.txt"), "note");
    write_text(scratch_path(&scratch, ".hidden.crafty"), "hidden");
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 0);
}

static void the_thumbnail_is_read(void **state)
{
    (void)state;
    CnU8Array jpeg;
    cn_array_init(&jpeg, cn_system_allocator());
    const char *path = create("Home", 1);
    check(crafty_worlds_read_thumbnail(path, &jpeg, &error));
    assert_int_equal(jpeg.count, 0);
    set_played(path, 1);
    check(crafty_worlds_read_thumbnail(path, &jpeg, &error));
    assert_memory_equal(jpeg.items, "jpeg", 4);
    cn_array_fini(&jpeg);
}

/* ---- Names ---- */

static void a_world_is_found_by_the_name_of_its_file_and_by_its_own(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("A/B", 1);
    check(crafty_worlds_find(folder, "A_B", path, &error));
    assert_string_equal(path, own);
    check(crafty_worlds_find(folder, "A/B", path, &error));
    assert_string_equal(path, own);
    check(crafty_worlds_find(folder, own, path, &error));
    assert_string_equal(path, own);
    assert_false(crafty_worlds_find(folder, "C", path, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void names_that_differ_only_in_case_collide(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    create("Home", 1);
    assert_false(crafty_worlds_create(folder, &(CraftyNewWorld){.name = "hOME"}, path, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
}

static void names_with_the_same_file_name_get_numbers(void **state)
{
    (void)state;
    create("A/B", 1);
    assert_non_null(strstr(create("A:B", 1), "/A_B (2).crafty"));
    assert_non_null(strstr(create("A?B", 1), "/A_B (3).crafty"));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 3);
}

static void a_file_name_never_leaves_the_folder(void **state)
{
    (void)state;
    assert_non_null(strstr(create("../up", 1), "/_._up.crafty"));
    assert_non_null(strstr(create(".", 1), "/_.crafty"));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
}

static void names_that_are_no_text_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "", "  ", "a\nb", "\xff",
        "0123456789012345678901234567890123456789012345678901234567890123"};
    char path[CN_STORE_PATH_BYTES];
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        assert_false(
            crafty_worlds_create(folder, &(CraftyNewWorld){.name = names[i]}, path, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 0);
}

static void a_name_that_two_files_have_is_ambiguous(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES], copy[CN_STORE_PATH_BYTES];
    create("A/B", 1);
    check(crafty_worlds_copy(create("Other", 1), "Copy", NULL, NULL, copy, &error));
    CraftySaveInfo info;
    check(crafty_save_read_info(copy, &info, &error));
    strcpy(info.identity.name, "A/B");
    check(crafty_save_write_identity(copy, CN_STORE_OPEN, &info.identity, &error));
    assert_false(crafty_worlds_find(folder, "A/B", path, &error));
    check(crafty_worlds_find(folder, "Copy", path, &error));
}

static void an_unknown_generator_is_refused(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    assert_false(crafty_worlds_create(folder, &(CraftyNewWorld){.name = "a", .generator = "flat"},
                                      path, &error));
    assert_int_equal(scratch_count(&scratch), 0);
}

/* ---- Renaming and copying ---- */

static void renaming_changes_the_name_and_the_file(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *old = create("Old", 7);
    check(crafty_worlds_rename(old, "New", path, &error));
    assert_false(exists(old));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_string_equal(list.items[0].name, "New");
    assert_string_equal(list.items[0].path, path);
    assert_non_null(strstr(path, "/New.crafty"));
    assert_int_equal(list.items[0].info.identity.seed, 7);
}

static void the_case_of_a_name_can_be_changed(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    check(crafty_worlds_rename(create("home", 7), "Home", path, &error));
    assert_non_null(strstr(path, "/Home.crafty"));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
}

static void renaming_to_a_used_name_changes_nothing(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *a = create("a", 1);
    create("b", 2);
    assert_false(crafty_worlds_rename(a, "b", path, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    check(crafty_worlds_find(folder, "a", path, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
}

static void a_world_that_is_open_is_not_renamed_moved_or_deleted(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = own}, &error);
    assert_false(crafty_worlds_rename(own, "b", path, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, "close it there first"));
    assert_false(crafty_worlds_delete(own, CRAFTY_WORLDS_DELETE, path, &error));
    assert_false(crafty_worlds_delete(own, CRAFTY_WORLDS_DELETE_PERMANENTLY, path, &error));
    assert_false(crafty_worlds_back_up(own, NULL, NULL, NULL, path, &error));
    crafty_save_close(save);
    assert_true(exists(own));
}

static void a_copy_has_the_content_and_another_name(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 9);
    set_played(own, 5000);
    check(crafty_worlds_copy(own, "Copy", NULL, NULL, path, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(list.items[i].info.identity.seed, 9);
        assert_int_equal(list.items[i].info.summary.played_ms, 5000);
        assert_true(list.items[i].info.has_thumbnail);
    }
    assert_int_equal(scratch_count(&scratch), 2);
}

static bool cancel(uint64_t done, uint64_t total, void *user)
{
    (void)done, (void)total, (void)user;
    return false;
}

static void a_canceled_copy_leaves_nothing(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 9);
    CnStoreDesc desc = crafty_save_store_desc(own, CN_STORE_OPEN);
    CnStore *store = cn_store_create(&desc, &error);
    CnStoreBatch *batch = cn_store_batch_create(store, &error);
    static uint8_t noise[1 << 20];
    for (uint32_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)cn_hash_mix(i + 1);
    check(cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text("noise"), noise, sizeof noise,
                             &error));
    cn_store_submit(store, batch);
    check(cn_store_flush(store, 10000, &error));
    cn_store_destroy(store);
    assert_false(crafty_worlds_copy(own, "Copy", cancel, NULL, path, &error));
    assert_non_null(strstr(error.message, "canceled"));
    assert_int_equal(scratch_count(&scratch), 1);
}

/* ---- Backups ---- */

static void a_backup_is_dated_and_in_its_own_folder(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    check(crafty_worlds_back_up(own, NULL, NULL, NULL, path, &error));
    assert_non_null(strstr(path, "/backups/Home 2"));
    check(crafty_worlds_back_up(own, NULL, NULL, NULL, path, &error)); /* in the same second */
    assert_int_equal(count(CRAFTY_WORLDS_BACKUPS), 2);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
}

static void a_world_that_is_played_is_backed_up_through_its_store(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 3);
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = own}, &error);
    check(crafty_worlds_back_up(own, crafty_save_store(save), NULL, NULL, path, &error));
    CraftySaveInfo info;
    check(crafty_save_read_info(path, &info, &error));
    assert_int_equal(info.identity.seed, 3);
    crafty_save_close(save);
}

static void only_the_backups_of_one_world_are_listed(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *a = create("a", 1);
    check(crafty_worlds_back_up(a, NULL, NULL, NULL, path, &error));
    check(crafty_worlds_back_up(create("a b", 1), NULL, NULL, NULL, path, &error));
    check(crafty_worlds_list_backups(a, &list, &error));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].name, "a");
}

static void restoring_keeps_the_present_world_as_a_backup(void **state)
{
    (void)state;
    char backup[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    set_played(own, 1000);
    check(crafty_worlds_back_up(own, NULL, NULL, NULL, backup, &error));
    set_played(own, 2000);
    check(crafty_worlds_restore(folder, backup, NULL, NULL, NULL, path, &error));
    assert_string_equal(path, own);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_int_equal(list.items[0].info.summary.played_ms, 1000);
    assert_int_equal(count(CRAFTY_WORLDS_BACKUPS), 2);
    assert_int_equal(list.items[0].info.summary.played_ms, 2000);
}

static void a_backup_can_become_another_world(void **state)
{
    (void)state;
    char backup[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    check(crafty_worlds_back_up(own, NULL, NULL, NULL, backup, &error));
    assert_false(crafty_worlds_restore(folder, backup, "home", NULL, NULL, path, &error));
    check(crafty_worlds_restore(folder, backup, "Second", NULL, NULL, path, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
    check(crafty_worlds_find(folder, "Second", path, &error));
}

static void a_backup_of_a_world_that_is_gone_brings_it_back(void **state)
{
    (void)state;
    char backup[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES], moved[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    check(crafty_worlds_back_up(own, NULL, NULL, NULL, backup, &error));
    check(crafty_worlds_delete(own, CRAFTY_WORLDS_DELETE_PERMANENTLY, moved, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 0);
    check(crafty_worlds_restore(folder, backup, NULL, NULL, NULL, path, &error));
    assert_string_equal(path, own);
}

/* ---- Deleting ---- */

static void a_deleted_world_can_be_brought_back(void **state)
{
    (void)state;
    char moved[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    check(crafty_worlds_delete(own, CRAFTY_WORLDS_DELETE, moved, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 0);
    assert_int_equal(count(CRAFTY_WORLDS_DELETED), 1);
    check(crafty_worlds_undelete(folder, moved, NULL, path, &error));
    assert_string_equal(path, own);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_int_equal(count(CRAFTY_WORLDS_DELETED), 0);
}

static void a_deleted_world_does_not_replace_another(void **state)
{
    (void)state;
    char moved[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES];
    check(crafty_worlds_delete(create("Home", 1), CRAFTY_WORLDS_DELETE, moved, &error));
    create("Home", 2);
    assert_false(crafty_worlds_undelete(folder, moved, NULL, path, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    check(crafty_worlds_undelete(folder, moved, "Home again", path, &error));
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 2);
}

static void permanent_deletion_leaves_no_file(void **state)
{
    (void)state;
    char moved[CN_STORE_PATH_BYTES];
    const char *own = create("Home", 1);
    char log[CN_STORE_PATH_BYTES + 8];
    snprintf(log, sizeof log, "%s-shm", own);
    write_text(log, "left over");
    check(crafty_worlds_delete(own, CRAFTY_WORLDS_DELETE_PERMANENTLY, moved, &error));
    assert_int_equal(scratch_count(&scratch), 0);
}

static void a_damaged_world_can_be_deleted(void **state)
{
    (void)state;
    char moved[CN_STORE_PATH_BYTES];
    write_text(scratch_path(&scratch, "bad.crafty"), "this is not a world, but it is long enough");
    check(crafty_worlds_delete(scratch_path(&scratch, "bad.crafty"), CRAFTY_WORLDS_DELETE, moved,
                               &error));
    assert_int_equal(scratch_count(&scratch), 1); /* deleted/ */
    assert_true(exists(moved));
}

static void the_log_of_a_world_moves_with_it(void **state)
{
    (void)state;
    write_text(scratch_path(&scratch, "a.crafty"), "file");
    write_text(scratch_path(&scratch, "a.crafty-wal"), "log");
    write_text(scratch_path(&scratch, "b.crafty-wal"), "log of another world");
    check(crafty_world_move(scratch_path(&scratch, "a.crafty"), scratch_path(&scratch, "b.crafty"),
                            &error));
    assert_int_equal(scratch_count(&scratch), 2);
    assert_int_equal(crafty_world_file_size(scratch_path(&scratch, "b.crafty")), 7);
}

static void moving_replaces_nothing(void **state)
{
    (void)state;
    write_text(scratch_path(&scratch, "a.crafty"), "a");
    write_text(scratch_path(&scratch, "b.crafty"), "bb");
    assert_false(crafty_world_move(scratch_path(&scratch, "a.crafty"),
                                   scratch_path(&scratch, "b.crafty"), &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(crafty_world_file_size(scratch_path(&scratch, "a.crafty")), 1);
    assert_int_equal(crafty_world_file_size(scratch_path(&scratch, "b.crafty")), 2);
}

static void a_log_without_a_world_does_not_reach_a_new_world(void **state)
{
    (void)state;
    write_text(scratch_path(&scratch, "Home.crafty-wal"), "log of another world");
    create("Home", 4);
    assert_int_equal(count(CRAFTY_WORLDS_PLAYABLE), 1);
    assert_int_equal(list.items[0].info.identity.seed, 4);
    assert_int_equal(scratch_count(&scratch), 1);
}

#define WORLDS_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLDS_TEST(a_folder_that_does_not_exist_has_no_worlds),
        WORLDS_TEST(a_new_world_is_listed_with_its_name_and_seed),
        WORLDS_TEST(the_world_played_last_comes_first),
        WORLDS_TEST(a_file_that_is_no_world_is_listed_with_an_error),
        WORLDS_TEST(a_world_that_is_open_is_listed_as_open),
        WORLDS_TEST(other_files_are_not_listed),
        WORLDS_TEST(the_thumbnail_is_read),
        WORLDS_TEST(a_world_is_found_by_the_name_of_its_file_and_by_its_own),
        WORLDS_TEST(names_that_differ_only_in_case_collide),
        WORLDS_TEST(names_with_the_same_file_name_get_numbers),
        WORLDS_TEST(a_file_name_never_leaves_the_folder),
        WORLDS_TEST(names_that_are_no_text_are_refused),
        WORLDS_TEST(a_name_that_two_files_have_is_ambiguous),
        WORLDS_TEST(an_unknown_generator_is_refused),
        WORLDS_TEST(renaming_changes_the_name_and_the_file),
        WORLDS_TEST(the_case_of_a_name_can_be_changed),
        WORLDS_TEST(renaming_to_a_used_name_changes_nothing),
        WORLDS_TEST(a_world_that_is_open_is_not_renamed_moved_or_deleted),
        WORLDS_TEST(a_copy_has_the_content_and_another_name),
        WORLDS_TEST(a_canceled_copy_leaves_nothing),
        WORLDS_TEST(a_backup_is_dated_and_in_its_own_folder),
        WORLDS_TEST(a_world_that_is_played_is_backed_up_through_its_store),
        WORLDS_TEST(only_the_backups_of_one_world_are_listed),
        WORLDS_TEST(restoring_keeps_the_present_world_as_a_backup),
        WORLDS_TEST(a_backup_can_become_another_world),
        WORLDS_TEST(a_backup_of_a_world_that_is_gone_brings_it_back),
        WORLDS_TEST(a_deleted_world_can_be_brought_back),
        WORLDS_TEST(a_deleted_world_does_not_replace_another),
        WORLDS_TEST(permanent_deletion_leaves_no_file),
        WORLDS_TEST(a_damaged_world_can_be_deleted),
        WORLDS_TEST(the_log_of_a_world_moves_with_it),
        WORLDS_TEST(moving_replaces_nothing),
        WORLDS_TEST(a_log_without_a_world_does_not_reach_a_new_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The list of worlds: what keys and clicks do to the worlds of a folder. */
#include "world_screen_fixture.h"

#include <string.h>

static const char *const three[] = {"One", "Two", "Three", NULL};

static void worlds_are_listed_with_the_last_one_first(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    assert_int_equal(shelf.screen->list.count, 3);
    assert_string_equal(shelf_name(&shelf, 0), "Three");
    assert_string_equal(shelf_name(&shelf, 2), "One");
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    shelf_end(&shelf);
}

/* ---- Playing ---- */

static void return_plays_the_selected_world(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_press(&shelf, CN_KEY_DOWN);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_STAYS);
    shelf_press(&shelf, CN_KEY_RETURN);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(crafty_world_screen_chosen(shelf.screen), shelf.screen->list.items[1].path);
    shelf_end(&shelf);
}

static void a_double_click_plays_a_world(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_row(&shelf, 2);
    assert_int_equal(shelf.screen->selected, 2);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_STAYS);
    shelf_click_row(&shelf, 2);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(crafty_world_screen_chosen(shelf.screen), shelf.screen->list.items[2].path);
    shelf_end(&shelf);
}

static void the_button_plays_the_selected_world(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_PLAY);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_PLAY);
    shelf_end(&shelf);
}

static void the_last_button_quits(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_send(&shelf, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 590, .y = 328});
    run_frames(shelf.engine, 1);
    shelf_send(&shelf,
               (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(shelf.engine, 1);
    shelf_send(&shelf, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(shelf.engine, 1);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_QUIT);
    shelf_end(&shelf);
}

static void damage(Shelf *shelf, const char *name)
{
    char path[512];
    cn_format(path, sizeof path, "%s/%s.crafty", shelf->scratch.folder, name);
    assert_true(cn_file_write_all(cn_native_files(), path, "no world", 8, NULL));
}

static void a_damaged_world_is_listed_but_not_played(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    damage(&shelf, "Broken");
    shelf_open(&shelf);
    assert_string_equal(shelf_name(&shelf, 0), "Broken");
    assert_int_not_equal(shelf.screen->list.items[0].error.code, CN_OK);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_click_button(&shelf, SHELF_PLAY);
    assert_string_equal(crafty_world_screen_chosen(shelf.screen), "");
    shelf_end(&shelf);
}

static void a_world_that_is_open_elsewhere_is_not_played(void **state)
{
    (void)state;
    Shelf shelf = {0};
    char path[CN_STORE_PATH_BYTES];
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "Home", 1);
    assert_true(crafty_world_path("Home", shelf.scratch.folder, path, NULL));
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path}, NULL);
    assert_non_null(save);
    shelf_open(&shelf);
    assert_true(shelf.screen->list.items[0].is_open);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_press(&shelf, CN_KEY_DELETE);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_string_equal(crafty_world_screen_chosen(shelf.screen), "");
    shelf_end(&shelf);
    crafty_save_close(save);
}

static void an_error_while_opening_is_shown_on_the_list(void **state)
{
    (void)state;
    Shelf shelf;
    CnError error = {.code = CN_ERROR_IO, .message = "the disk is full"};
    shelf_begin(&shelf, three);
    char path[CN_STORE_PATH_BYTES];
    cn_copy_text(path, sizeof path, cn_text(shelf.screen->list.items[2].path));
    crafty_world_screen_show(shelf.screen, path, &error);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_MESSAGE);
    assert_non_null(strstr(shelf.screen->message, "the disk is full"));
    assert_int_equal(shelf.screen->selected, 2);
    shelf_press(&shelf, CN_KEY_RETURN);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    shelf_end(&shelf);
}

/* ---- Creating ---- */

static void without_a_world_one_key_creates_one_and_plays_it(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, NULL);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_CREATE);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(shelf_name(&shelf, 0), "New world");
    shelf_end(&shelf);
}

/* Creates a world with this seed in the dialog. Returns its seed. */
static uint64_t created_seed(const char *name, const char *seed)
{
    Shelf shelf;
    shelf_begin(&shelf, NULL);
    shelf_type(&shelf, name); /* replaces the selected name */
    shelf_press(&shelf, CN_KEY_TAB);
    shelf_type(&shelf, seed);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_string_equal(shelf_name(&shelf, 0), name);
    uint64_t result = shelf.screen->list.items[0].info.identity.seed;
    shelf_end(&shelf);
    return result;
}

static void a_seed_is_a_number_negative_or_text(void **state)
{
    (void)state;
    assert_true(created_seed("Number", "42") == 42);
    assert_true(created_seed("Negative", "-5") == (uint64_t)-5);
    assert_true(created_seed("Text", "glacier") == created_seed("Same text", "glacier"));
    assert_true(created_seed("Text", "glacier") != created_seed("Other text", "glaciers"));
}

static void an_empty_seed_is_random(void **state)
{
    (void)state;
    assert_true(created_seed("One", "") != created_seed("Two", ""));
}

static void names_are_typed_in_utf8(void **state)
{
    (void)state;
    assert_true(created_seed("Höhle \xE6\xB4\x9E", "1") == 1);
}

static void a_new_world_gets_a_name_that_is_free(void **state)
{
    (void)state;
    static const char *const names[] = {"New world", NULL};
    Shelf shelf;
    shelf_begin(&shelf, names);
    shelf_click_button(&shelf, SHELF_CREATE);
    assert_string_equal(shelf.screen->name, "New world 2");
    shelf_end(&shelf);
}

static void a_name_in_use_is_refused_in_the_dialog(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_CREATE);
    shelf_type(&shelf, "two");
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_CREATE);
    assert_non_null(strstr(shelf.screen->dialog_error, "wo"));
    assert_int_equal(shelf.screen->list.count, 3);
    shelf_type(&shelf, "Four"); /* the field has the focus again */
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_int_equal(shelf.event, CRAFTY_WORLD_SCREEN_PLAY);
    shelf_end(&shelf);
}

static void a_dialog_has_the_focus_again_after_progress(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_CREATE);
    shelf_type(&shelf, "two");
    shelf_send(&shelf, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_RETURN});
    run_frames(shelf.engine, 1);
    shelf.screen->task_seconds = 10; /* as if the disk were slow */
    shelf_send(&shelf, (CnInputEvent){.kind = CN_INPUT_KEY, .code = CN_KEY_RETURN});
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_CREATE);
    shelf_type(&shelf, "Four");
    assert_string_equal(shelf.screen->name, "Four");
    shelf_end(&shelf);
}

static void escape_closes_a_dialog(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, NULL);
    shelf_press(&shelf, CN_KEY_ESCAPE);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_int_equal(shelf.screen->list.count, 0);
    shelf_end(&shelf);
}

static void the_list_has_the_focus_again_after_a_dialog(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_press(&shelf, CN_KEY_DELETE);
    shelf_press(&shelf, CN_KEY_ESCAPE);
    shelf_press(&shelf, CN_KEY_DOWN);
    assert_int_equal(shelf.screen->selected, 1);
    shelf_end(&shelf);
}

/* ---- Changing ---- */

static void a_renamed_world_stays_selected(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_row(&shelf, 1);
    shelf_click_button(&shelf, SHELF_RENAME);
    assert_string_equal(shelf.screen->name, "Two");
    shelf_type(&shelf, "Second");
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_string_equal(shelf_name(&shelf, shelf.screen->selected), "Second");
    assert_int_equal(shelf.screen->list.count, 3);
    shelf_end(&shelf);
}

static void a_copy_is_selected_and_has_the_same_seed(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_row(&shelf, 1);
    shelf_click_button(&shelf, SHELF_COPY);
    assert_string_equal(shelf.screen->name, "Two copy");
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    const CraftyWorldEntry *entry = crafty_world_screen_selected(shelf.screen);
    assert_string_equal(entry->name, "Two copy");
    assert_int_equal(entry->info.identity.seed, 1);
    assert_int_equal(shelf.screen->list.count, 4);
    shelf_end(&shelf);
}

static void a_backup_is_listed_and_restored(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_BACK_UP);
    shelf_settle(&shelf);
    assert_non_null(strstr(shelf.screen->status, "backups/Three"));
    shelf_click_button(&shelf, SHELF_RESTORE);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->backups.count, 1);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_non_null(strstr(shelf.screen->status, "was restored"));
    assert_int_equal(shelf.screen->list.count, 3);
    shelf_end(&shelf);
}

static void a_world_without_backups_cannot_be_restored(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_RESTORE);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_RESTORE);
    assert_true(shelf.screen->has_backups && shelf.screen->backups.count == 0);
    shelf_end(&shelf);
}

static void deletion_asks_first(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_press(&shelf, CN_KEY_DELETE);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_DELETE);
    shelf_press(&shelf, CN_KEY_ESCAPE);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->list.count, 3);
    shelf_end(&shelf);
}

static void a_deleted_world_comes_back_with_undo(void **state)
{
    (void)state;
    Shelf shelf;
    shelf_begin(&shelf, three);
    shelf_click_button(&shelf, SHELF_DELETE);
    shelf_press(&shelf, CN_KEY_RETURN);
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->list.count, 2);
    assert_non_null(strstr(shelf.screen->status, "deleted/Three"));
    shelf_click(&shelf, 580, SHELF_HEIGHT - 8 - 11 - 32 - 13); /* Undo */
    shelf_settle(&shelf);
    assert_int_equal(shelf.screen->list.count, 3);
    assert_string_equal(shelf_name(&shelf, shelf.screen->selected), "Three");
    shelf_end(&shelf);
}

/* ---- Size ---- */

static void of_many_worlds_only_the_visible_ones_are_drawn(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    for (uint32_t i = 0; i < 300; i++) {
        char name[32];
        cn_format(name, sizeof name, "World %u", i);
        damage(&shelf, name); /* faster than to create one */
    }
    shelf_open(&shelf);
    assert_int_equal(shelf.screen->list.count, 300);
    assert_true(shelf.stats.widgets < 20);
    shelf_press(&shelf, CN_KEY_END);
    assert_int_equal(shelf.screen->selected, 299);
    shelf_press(&shelf, CN_KEY_HOME);
    assert_int_equal(shelf.screen->selected, 0);
    shelf_end(&shelf);
}

static void a_folder_that_cannot_be_read_is_explained(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    char folder[600] = "/";
    memset(folder + 1, 'x', 300); /* longer than names of folders may be */
    shelf.folder = folder;
    shelf_open(&shelf);
    assert_int_not_equal(shelf.screen->list_error.code, CN_OK);
    assert_int_equal(shelf.screen->dialog, CRAFTY_DIALOG_NONE);
    shelf_end(&shelf);
}

static void every_size_of_window_is_drawn(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{320, 200}, {640, 360}, {1280, 720}, {3840, 2160}, {1, 1}};
    Shelf shelf;
    shelf_begin(&shelf, three);
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        cn_engine_set_size(shelf.engine, sizes[i][0], sizes[i][1]);
        run_frames(shelf.engine, 3);
        for (int dialog = CRAFTY_DIALOG_CREATE; dialog <= CRAFTY_DIALOG_MESSAGE; dialog++) {
            crafty_world_screen_open_dialog(shelf.screen, (CraftyWorldDialog)dialog);
            run_frames(shelf.engine, 3);
        }
        shelf_settle(&shelf);
    }
    assert_int_equal(shelf.stats.refused, 0);
    assert_int_equal(shelf.stats.duplicate_ids, 0);
    shelf_end(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_listed_with_the_last_one_first),
        cmocka_unit_test(return_plays_the_selected_world),
        cmocka_unit_test(a_double_click_plays_a_world),
        cmocka_unit_test(the_button_plays_the_selected_world),
        cmocka_unit_test(the_last_button_quits),
        cmocka_unit_test(a_damaged_world_is_listed_but_not_played),
        cmocka_unit_test(a_world_that_is_open_elsewhere_is_not_played),
        cmocka_unit_test(an_error_while_opening_is_shown_on_the_list),
        cmocka_unit_test(without_a_world_one_key_creates_one_and_plays_it),
        cmocka_unit_test(a_seed_is_a_number_negative_or_text),
        cmocka_unit_test(an_empty_seed_is_random),
        cmocka_unit_test(names_are_typed_in_utf8),
        cmocka_unit_test(a_new_world_gets_a_name_that_is_free),
        cmocka_unit_test(a_name_in_use_is_refused_in_the_dialog),
        cmocka_unit_test(escape_closes_a_dialog),
        cmocka_unit_test(the_list_has_the_focus_again_after_a_dialog),
        cmocka_unit_test(a_dialog_has_the_focus_again_after_progress),
        cmocka_unit_test(a_renamed_world_stays_selected),
        cmocka_unit_test(a_copy_is_selected_and_has_the_same_seed),
        cmocka_unit_test(a_backup_is_listed_and_restored),
        cmocka_unit_test(a_world_without_backups_cannot_be_restored),
        cmocka_unit_test(deletion_asks_first),
        cmocka_unit_test(a_deleted_world_comes_back_with_undo),
        cmocka_unit_test(of_many_worlds_only_the_visible_ones_are_drawn),
        cmocka_unit_test(a_folder_that_cannot_be_read_is_explained),
        cmocka_unit_test(every_size_of_window_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

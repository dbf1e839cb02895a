/* The list of worlds: what keys and clicks do to the worlds of a folder. */
#include "world_screen_fixture.h"

#include <string.h>

static const char *const three[] = {"One", "Two", "Three", NULL};

static void worlds_are_listed_with_the_last_one_first(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    assert_int_equal(fixture.screen->list.count, 3);
    assert_string_equal(screen_fixture_name(&fixture, 0), "Three");
    assert_string_equal(screen_fixture_name(&fixture, 2), "One");
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    screen_fixture_end(&fixture);
}

/* ---- Playing ---- */

static void return_plays_the_selected_world(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_press(&fixture, CN_KEY_DOWN);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_STAYS);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(crafty_world_screen_chosen(fixture.screen),
                        fixture.screen->list.items[1].path);
    screen_fixture_end(&fixture);
}

static void a_double_click_plays_a_world(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_row(&fixture, 2);
    assert_int_equal(fixture.screen->selected, 2);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_STAYS);
    screen_fixture_click_row(&fixture, 2);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(crafty_world_screen_chosen(fixture.screen),
                        fixture.screen->list.items[2].path);
    screen_fixture_end(&fixture);
}

static void the_button_plays_the_selected_world(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_PLAY);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_PLAY);
    screen_fixture_end(&fixture);
}

static void the_last_button_leads_back_to_the_title(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 590, .y = 328});
    run_frames(fixture.engine, 1);
    screen_fixture_send(
        &fixture,
        (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(fixture.engine, 1);
    screen_fixture_send(&fixture,
                        (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(fixture.engine, 1);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_BACK);
    screen_fixture_end(&fixture);
}

static void damage(ScreenFixture *fixture, const char *name)
{
    char path[512];
    cn_format(path, sizeof path, "%s/%s.crafty", fixture->scratch.folder, name);
    assert_true(cn_file_write_all(cn_native_files(), path, "no world", 8, NULL));
}

static void a_damaged_world_is_listed_but_not_played(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    scratch_init(&fixture.scratch);
    damage(&fixture, "Broken");
    screen_fixture_open(&fixture);
    assert_string_equal(screen_fixture_name(&fixture, 0), "Broken");
    assert_int_not_equal(fixture.screen->list.items[0].error.code, CN_OK);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_PLAY);
    assert_string_equal(crafty_world_screen_chosen(fixture.screen), "");
    screen_fixture_end(&fixture);
}

static void a_world_that_is_open_elsewhere_is_not_played(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    char path[CN_STORE_PATH_BYTES];
    scratch_init(&fixture.scratch);
    screen_fixture_add_world(&fixture, "Home", 1);
    assert_true(crafty_world_path("Home", fixture.scratch.folder, path, NULL));
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path}, NULL);
    assert_non_null(save);
    screen_fixture_open(&fixture);
    assert_true(fixture.screen->list.items[0].is_open);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_press(&fixture, CN_KEY_DELETE);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_string_equal(crafty_world_screen_chosen(fixture.screen), "");
    screen_fixture_end(&fixture);
    crafty_save_close(save);
}

static void an_error_while_opening_is_shown_on_the_list(void **state)
{
    (void)state;
    ScreenFixture fixture;
    CnError error = {.code = CN_ERROR_IO, .message = "the disk is full"};
    screen_fixture_begin(&fixture, three);
    char path[CN_STORE_PATH_BYTES];
    cn_copy_text(path, sizeof path, cn_text(fixture.screen->list.items[2].path));
    crafty_world_screen_show(fixture.screen, path, &error);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_MESSAGE);
    assert_non_null(strstr(fixture.screen->message, "the disk is full"));
    assert_int_equal(fixture.screen->selected, 2);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    screen_fixture_end(&fixture);
}

/* ---- Creating ---- */

static void without_a_world_one_key_creates_one_and_plays_it(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, NULL);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_CREATE);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_PLAY);
    assert_string_equal(screen_fixture_name(&fixture, 0), "New world");
    screen_fixture_end(&fixture);
}

static CraftyWorldIdentity created_in(CraftyPlayerMode mode)
{
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, NULL);
    crafty_world_screen_set_mode(fixture.screen, mode);
    crafty_world_screen_offer(fixture.screen); /* the dialog begins again */
    run_frames(fixture.engine, 3);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->list.count, 1);
    CraftyWorldIdentity identity = fixture.screen->list.items[0].info.identity;
    screen_fixture_end(&fixture);
    return identity;
}

static void a_new_world_is_survival_without_commands(void **state)
{
    (void)state;
    CraftyWorldIdentity identity = created_in(CRAFTY_MODE_SURVIVAL);
    assert_true(identity.has_rules && identity.mode == CRAFTY_MODE_SURVIVAL && !identity.commands);
}

static void a_creative_world_allows_commands(void **state)
{
    (void)state;
    CraftyWorldIdentity identity = created_in(CRAFTY_MODE_CREATIVE);
    assert_true(identity.has_rules && identity.mode == CRAFTY_MODE_CREATIVE && identity.commands);
}

/* Creates a world with this seed in the dialog. Returns its seed. */
static uint64_t created_seed(const char *name, const char *seed)
{
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, NULL);
    screen_fixture_type(&fixture, name); /* replaces the selected name */
    screen_fixture_press(&fixture, CN_KEY_TAB);
    screen_fixture_type(&fixture, seed);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_string_equal(screen_fixture_name(&fixture, 0), name);
    uint64_t result = fixture.screen->list.items[0].info.identity.seed;
    screen_fixture_end(&fixture);
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
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, names);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_CREATE);
    assert_string_equal(fixture.screen->name, "New world 2");
    screen_fixture_end(&fixture);
}

/* Creates a world with or without the mod "lamps", and returns the mods that it has. */
static CraftyWorldMods created_mods(bool is_chosen)
{
    ScreenFixture fixture;
    char path[CN_STORE_PATH_BYTES];
    CnError error = {0};
    screen_fixture_begin_with_mod(&fixture, NULL);
    assert_int_equal(fixture.screen->mods.count, 1);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_CREATE);
    screen_fixture_type(&fixture, "Lights");
    fixture.screen->is_mod_chosen[0] = is_chosen;
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_true(crafty_world_path("Lights", fixture.scratch.folder, path, &error));
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path}, &error);
    assert_non_null(save);
    CraftyWorldMods mods = *crafty_save_mods(save);
    crafty_save_close(save);
    screen_fixture_end(&fixture);
    return mods;
}

static void a_new_world_has_the_mods_that_were_chosen(void **state)
{
    (void)state;
    CraftyWorldMods mods = created_mods(true);
    assert_int_equal(mods.count, 1);
    assert_string_equal(mods.items[0].name, "lamps");
}

static void a_new_world_has_no_mod_that_was_not_chosen(void **state)
{
    (void)state;
    assert_int_equal(created_mods(false).count, 0);
}

static void a_name_in_use_is_refused_in_the_dialog(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_CREATE);
    screen_fixture_type(&fixture, "two");
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_CREATE);
    assert_non_null(strstr(fixture.screen->dialog_error, "wo"));
    assert_int_equal(fixture.screen->list.count, 3);
    screen_fixture_type(&fixture, "Four"); /* the field has the focus again */
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.event, CRAFTY_WORLD_SCREEN_PLAY);
    screen_fixture_end(&fixture);
}

static void a_dialog_has_the_focus_again_after_progress(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_CREATE);
    screen_fixture_type(&fixture, "two");
    screen_fixture_send(&fixture,
                        (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_RETURN});
    run_frames(fixture.engine, 1);
    fixture.screen->task_seconds = 10; /* as if the disk were slow */
    screen_fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .code = CN_KEY_RETURN});
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_CREATE);
    screen_fixture_type(&fixture, "Four");
    assert_string_equal(fixture.screen->name, "Four");
    screen_fixture_end(&fixture);
}

static void escape_closes_a_dialog(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, NULL);
    screen_fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_int_equal(fixture.screen->list.count, 0);
    screen_fixture_end(&fixture);
}

static void the_list_has_the_focus_again_after_a_dialog(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_press(&fixture, CN_KEY_DELETE);
    screen_fixture_press(&fixture, CN_KEY_ESCAPE);
    screen_fixture_press(&fixture, CN_KEY_DOWN);
    assert_int_equal(fixture.screen->selected, 1);
    screen_fixture_end(&fixture);
}

/* ---- Changing ---- */

static void a_renamed_world_stays_selected(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_row(&fixture, 1);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_RENAME);
    assert_string_equal(fixture.screen->name, "Two");
    screen_fixture_type(&fixture, "Second");
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    assert_string_equal(screen_fixture_name(&fixture, fixture.screen->selected), "Second");
    assert_int_equal(fixture.screen->list.count, 3);
    screen_fixture_end(&fixture);
}

static void a_copy_is_selected_and_has_the_same_seed(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_row(&fixture, 1);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_COPY);
    assert_string_equal(fixture.screen->name, "Two copy");
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    const CraftyWorldEntry *entry = crafty_world_screen_selected(fixture.screen);
    assert_string_equal(entry->name, "Two copy");
    assert_int_equal(entry->info.identity.seed, 1);
    assert_int_equal(fixture.screen->list.count, 4);
    screen_fixture_end(&fixture);
}

static void a_backup_is_listed_and_restored(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_BACK_UP);
    screen_fixture_settle(&fixture);
    assert_non_null(strstr(fixture.screen->status, "backups/Three"));
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_RESTORE);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->backups.count, 1);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_non_null(strstr(fixture.screen->status, "was restored"));
    assert_int_equal(fixture.screen->list.count, 3);
    screen_fixture_end(&fixture);
}

static void a_world_without_backups_cannot_be_restored(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_RESTORE);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_RESTORE);
    assert_true(fixture.screen->has_backups && fixture.screen->backups.count == 0);
    screen_fixture_end(&fixture);
}

static void deletion_asks_first(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_press(&fixture, CN_KEY_DELETE);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_DELETE);
    screen_fixture_press(&fixture, CN_KEY_ESCAPE);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->list.count, 3);
    screen_fixture_end(&fixture);
}

static void a_deleted_world_comes_back_with_undo(void **state)
{
    (void)state;
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    screen_fixture_click_button(&fixture, SCREEN_FIXTURE_DELETE);
    screen_fixture_press(&fixture, CN_KEY_RETURN);
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->list.count, 2);
    assert_non_null(strstr(fixture.screen->status, "deleted/Three"));
    screen_fixture_click(&fixture, 580, SCREEN_FIXTURE_HEIGHT - 8 - 11 - 32 - 13); /* Undo */
    screen_fixture_settle(&fixture);
    assert_int_equal(fixture.screen->list.count, 3);
    assert_string_equal(screen_fixture_name(&fixture, fixture.screen->selected), "Three");
    screen_fixture_end(&fixture);
}

/* ---- Size ---- */

static void of_many_worlds_only_the_visible_ones_are_drawn(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    scratch_init(&fixture.scratch);
    for (uint32_t i = 0; i < 300; i++) {
        char name[32];
        cn_format(name, sizeof name, "World %u", i);
        damage(&fixture, name); /* faster than to create one */
    }
    screen_fixture_open(&fixture);
    assert_int_equal(fixture.screen->list.count, 300);
    assert_true(fixture.stats.widgets < 20);
    screen_fixture_press(&fixture, CN_KEY_END);
    assert_int_equal(fixture.screen->selected, 299);
    screen_fixture_press(&fixture, CN_KEY_HOME);
    assert_int_equal(fixture.screen->selected, 0);
    screen_fixture_end(&fixture);
}

static void a_folder_that_cannot_be_read_is_explained(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    scratch_init(&fixture.scratch);
    char folder[600] = "/";
    memset(folder + 1, 'x', 300); /* longer than names of folders may be */
    fixture.folder = folder;
    screen_fixture_open(&fixture);
    assert_int_not_equal(fixture.screen->list_error.code, CN_OK);
    assert_int_equal(fixture.screen->dialog, CRAFTY_DIALOG_NONE);
    screen_fixture_end(&fixture);
}

static void every_size_of_window_is_drawn(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{320, 200}, {640, 360}, {1280, 720}, {3840, 2160}, {1, 1}};
    ScreenFixture fixture;
    screen_fixture_begin(&fixture, three);
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        cn_engine_set_size(fixture.engine, sizes[i][0], sizes[i][1]);
        run_frames(fixture.engine, 3);
        for (int dialog = CRAFTY_DIALOG_CREATE; dialog <= CRAFTY_DIALOG_MESSAGE; dialog++) {
            crafty_world_screen_open_dialog(fixture.screen, (CraftyWorldDialog)dialog);
            run_frames(fixture.engine, 3);
        }
        screen_fixture_settle(&fixture);
    }
    assert_int_equal(fixture.stats.refused, 0);
    assert_int_equal(fixture.stats.duplicate_ids, 0);
    screen_fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_listed_with_the_last_one_first),
        cmocka_unit_test(return_plays_the_selected_world),
        cmocka_unit_test(a_double_click_plays_a_world),
        cmocka_unit_test(the_button_plays_the_selected_world),
        cmocka_unit_test(the_last_button_leads_back_to_the_title),
        cmocka_unit_test(a_damaged_world_is_listed_but_not_played),
        cmocka_unit_test(a_world_that_is_open_elsewhere_is_not_played),
        cmocka_unit_test(an_error_while_opening_is_shown_on_the_list),
        cmocka_unit_test(without_a_world_one_key_creates_one_and_plays_it),
        cmocka_unit_test(a_new_world_is_survival_without_commands),
        cmocka_unit_test(a_creative_world_allows_commands),
        cmocka_unit_test(a_seed_is_a_number_negative_or_text),
        cmocka_unit_test(an_empty_seed_is_random),
        cmocka_unit_test(names_are_typed_in_utf8),
        cmocka_unit_test(a_new_world_gets_a_name_that_is_free),
        cmocka_unit_test(a_new_world_has_the_mods_that_were_chosen),
        cmocka_unit_test(a_new_world_has_no_mod_that_was_not_chosen),
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

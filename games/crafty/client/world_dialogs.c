/* The dialogs of the list of worlds. */
#include "world_screen_internal.h"

#include "world_text.h"

#include <cairn/base/log.h>

#define DIALOG_WIDTH 420.0f
#define BACKUPS_HEIGHT 130.0f
#define PROGRESS_DELAY 0.3f /* seconds after which the progress of a task is shown */

static const char *const generator_titles[] = {"Standard terrain"};
static const char *const generator_ids[] = {CRAFTY_GENERATOR_ID};

const char *crafty_world_dialogs_generator(const CraftyWorldScreen *screen)
{
    return screen->generator < CN_COUNT_OF(generator_ids) ? generator_ids[screen->generator] : NULL;
}

static const char *const mode_titles[] = {"Survival", "Creative"};

CraftyPlayerMode crafty_world_dialogs_mode(const CraftyWorldScreen *screen)
{
    return screen->mode == 1 ? CRAFTY_MODE_CREATIVE : CRAFTY_MODE_SURVIVAL;
}

static bool begin_dialog(CnEngine *engine, const char *title)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    float width = area.width - 24 < DIALOG_WIDTH ? area.width - 24 : DIALOG_WIDTH;
    CnRect rect = {(area.width - width) / 2, area.height * 0.16f, width, 0};
    return cn_ui_begin_window(
        cn_engine_ui(engine),
        &(CnUiWindow){.title = title, .rect = rect, .flags = CN_UI_MODAL | CN_UI_NO_MOVE});
}

static void end_dialog(CnEngine *engine)
{
    cn_ui_end_window(cn_engine_ui(engine));
}

static void close(CraftyWorldScreen *screen)
{
    screen->dialog = CRAFTY_DIALOG_NONE;
    screen->wants_focus = true;
}

static void dim_text(CnUi *ui, const char *text)
{
    CnUiTheme *theme = cn_ui_theme(ui);
    CnColor color = theme->text;
    theme->text = theme->text_dim;
    cn_ui_text(ui, text);
    theme->text = color;
}

static void show_error(const CraftyWorldScreen *screen, CnUi *ui)
{
    CnUiTheme *theme = cn_ui_theme(ui);
    CnColor color = theme->text;
    if (!screen->dialog_error[0])
        return;
    theme->text = theme->focus;
    cn_ui_text(ui, screen->dialog_error);
    theme->text = color;
}

/* Gives the focus to the next widget, until it has it: the window that was open before may block it
 * for a frame. */
static void want_focus(const CraftyWorldScreen *screen, CnUi *ui)
{
    if (!screen->has_dialog_focus)
        cn_ui_focus_next(ui);
}

static void note_focus(CraftyWorldScreen *screen, bool is_focused)
{
    if (is_focused && !screen->has_dialog_focus)
        CN_LOG_DEBUG("crafty", "a dialog has the focus");
    screen->has_dialog_focus |= is_focused;
}

/* Returns true if the first button was pressed. The second one closes the dialog. */
static bool answer(CraftyWorldScreen *screen, CnUi *ui, const char *yes, bool is_possible,
                   bool gets_focus)
{
    cn_ui_begin_row(ui, NULL, 2);
    cn_ui_begin_disabled(ui, !is_possible);
    if (gets_focus)
        want_focus(screen, ui);
    bool is_yes = cn_ui_button(ui, yes);
    note_focus(screen, gets_focus && cn_ui_is_focused(ui));
    cn_ui_end_disabled(ui);
    if (cn_ui_button(ui, "Cancel"))
        close(screen);
    cn_ui_end_row(ui);
    return is_yes;
}

/* Returns true if Return was pressed. The name gets the focus, with everything selected. */
static bool name_field(CraftyWorldScreen *screen, CnUi *ui)
{
    want_focus(screen, ui);
    CnUiFieldResult result = cn_ui_field(ui, "Name",
                                         &(CnUiField){.text = screen->name,
                                                      .text_bytes = sizeof screen->name,
                                                      .hint = "Name of the world"});
    note_focus(screen, cn_ui_is_focused(ui));
    return result == CN_UI_FIELD_DONE;
}

/* ---- Create, rename, copy ---- */

/* Creative worlds always allow commands. */
static void choose_rules(CraftyWorldScreen *screen, CnUi *ui)
{
    bool is_creative = crafty_world_dialogs_mode(screen) == CRAFTY_MODE_CREATIVE;
    bool allowed = screen->commands || is_creative;
    cn_ui_combo(ui, "Mode", &screen->mode, mode_titles, CN_COUNT_OF(mode_titles));
    cn_ui_begin_disabled(ui, is_creative);
    if (cn_ui_checkbox(ui, "Allow commands", &allowed))
        screen->commands = allowed;
    cn_ui_end_disabled(ui);
    dim_text(ui, is_creative ? "Build freely: all blocks, flying, no damage."
                             : "Gather, craft and survive: health, hunger, and nights.");
}

static void choose_mods(CraftyWorldScreen *screen, CnUi *ui)
{
    CraftyWorldMods mods;
    char names[96], label[160];
    if (screen->mods.count == 0)
        return;
    crafty_world_dialogs_mods(screen, &mods);
    crafty_world_mods_text(&mods, names, sizeof names);
    cn_format(label, sizeof label, "Mods: %s##mods", mods.count ? names : "none");
    if (cn_ui_button(ui, label)) {
        screen->dialog = CRAFTY_DIALOG_MODS;
        screen->has_dialog_focus = false;
    }
    cn_ui_tooltip(ui, "Which mods run in this world.");
}

static void show_mods(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    if (begin_dialog(engine, "Mods of the world") &&
        crafty_world_mods_frame(screen, cn_engine_ui(engine), area.height * 0.5f)) {
        screen->dialog = CRAFTY_DIALOG_CREATE;
        screen->has_dialog_focus = false;
    }
    end_dialog(engine);
}

static void show_create(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    if (begin_dialog(engine, "Create a world")) {
        bool is_done = name_field(screen, ui);
        is_done |= cn_ui_field(ui, "Seed",
                               &(CnUiField){.text = screen->seed,
                                            .text_bytes = sizeof screen->seed,
                                            .hint = "random"}) == CN_UI_FIELD_DONE;
        cn_ui_tooltip(ui, "A number or any text. Worlds of the same seed have the same terrain.");
        choose_rules(screen, ui);
        choose_mods(screen, ui);
        if (CN_COUNT_OF(generator_titles) > 1)
            cn_ui_combo(ui, "Generator", &screen->generator, generator_titles,
                        CN_COUNT_OF(generator_titles));
        show_error(screen, ui);
        if (answer(screen, ui, "Create and play", screen->name[0], false) || is_done)
            crafty_world_screen_order(screen, CRAFTY_TASK_CREATE, "");
    }
    end_dialog(engine);
}

static void show_name(CraftyWorldScreen *screen, CnEngine *engine, const char *title,
                      const char *yes, CraftyTaskKind kind)
{
    CnUi *ui = cn_engine_ui(engine);
    const CraftyWorldEntry *entry = crafty_world_screen_selected(screen);
    if (begin_dialog(engine, title)) {
        bool is_done = name_field(screen, ui);
        show_error(screen, ui);
        if ((answer(screen, ui, yes, screen->name[0], false) || is_done) && entry)
            crafty_world_screen_order(screen, kind, entry->path);
    }
    end_dialog(engine);
}

/* ---- Restore ---- */

/* Returns true if one was activated with Return or a double click. */
static bool draw_backups(CraftyWorldScreen *screen, CnUi *ui)
{
    CnUiList list;
    want_focus(screen, ui);
    cn_ui_begin_list(ui,
                     &(CnUiListDesc){.id = "backups",
                                     .count = screen->backups.count,
                                     .height = BACKUPS_HEIGHT,
                                     .has_selection = true,
                                     .selected = screen->backup},
                     &list);
    note_focus(screen, list.focused);
    for (uint32_t i = list.first; i < list.end; i++) {
        const CraftyWorldEntry *entry = &screen->backups.items[i];
        char date[64], size[32], text[160];
        crafty_text_date(entry->played_ms, date, sizeof date);
        crafty_text_size(entry->size_bytes, size, sizeof size);
        cn_format(text, sizeof text, "%s  ·  %s%s", date, size,
                  entry->error.code != CN_OK ? "  ·  damaged" : "");
        if (cn_ui_list_item(ui, &list, i, text, i == screen->backup))
            screen->backup = i;
    }
    if (list.moved_to < screen->backups.count)
        screen->backup = list.moved_to;
    cn_ui_end_list(ui, &list);
    return list.activated < screen->backups.count;
}

static void show_restore(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    if (begin_dialog(engine, "Restore a backup")) {
        bool has_any = screen->backups.count > 0, is_activated = false;
        const CraftyWorldEntry *backup =
            screen->backup < screen->backups.count ? &screen->backups.items[screen->backup] : NULL;
        if (has_any) {
            is_activated = draw_backups(screen, ui);
            dim_text(ui, "The world becomes as it was saved then. Its present state is kept as a "
                         "backup.");
        } else if (screen->has_backups) {
            cn_ui_text(ui, "There are no backups of this world. \"Back up\" makes one.");
        } else if (!screen->dialog_error[0]) {
            cn_ui_text(ui, "Reading backups ...");
        }
        show_error(screen, ui);
        bool is_possible = backup && backup->error.code == CN_OK;
        is_activated |= answer(screen, ui, "Restore", is_possible, false);
        if (is_activated && is_possible)
            crafty_world_screen_order(screen, CRAFTY_TASK_RESTORE, backup->path);
    }
    end_dialog(engine);
}

/* ---- Delete, messages, progress ---- */

static void show_delete(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    const CraftyWorldEntry *entry = crafty_world_screen_selected(screen);
    char text[CRAFTY_WORLD_FILE_BYTES + 32];
    if (begin_dialog(engine, "Delete a world")) {
        cn_format(text, sizeof text, "Delete \"%s\"?", entry ? entry->name : "");
        cn_ui_text(ui, text);
        dim_text(ui, "The file is moved to the folder \"deleted\" among the worlds, and \"Undo\" "
                     "brings it back. Its backups are kept.");
        show_error(screen, ui);
        if (answer(screen, ui, "Delete", entry != NULL, true) && entry)
            crafty_world_screen_order(screen, CRAFTY_TASK_DELETE, entry->path);
    }
    end_dialog(engine);
}

static void show_message(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    if (begin_dialog(engine, screen->message_title)) {
        cn_ui_text(ui, screen->message);
        want_focus(screen, ui);
        bool is_read = cn_ui_button(ui, "OK");
        note_focus(screen, cn_ui_is_focused(ui));
        if (is_read)
            close(screen);
    }
    end_dialog(engine);
}

static const char *task_title(CraftyTaskKind kind)
{
    static const char *const titles[] = {
        [CRAFTY_TASK_LIST] = "Reading worlds",      [CRAFTY_TASK_CREATE] = "Creating the world",
        [CRAFTY_TASK_RENAME] = "Renaming",          [CRAFTY_TASK_COPY] = "Copying",
        [CRAFTY_TASK_BACK_UP] = "Backing up",       [CRAFTY_TASK_LIST_BACKUPS] = "Reading backups",
        [CRAFTY_TASK_RESTORE] = "Restoring",        [CRAFTY_TASK_DELETE] = "Deleting",
        [CRAFTY_TASK_UNDELETE] = "Bringing it back"};
    return titles[kind];
}

static bool can_cancel(CraftyTaskKind kind)
{
    return kind == CRAFTY_TASK_COPY || kind == CRAFTY_TASK_BACK_UP || kind == CRAFTY_TASK_RESTORE;
}

static void show_progress(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    if (begin_dialog(engine, task_title(screen->running))) {
        float share = crafty_world_task_share(screen->task);
        char text[32];
        cn_format(text, sizeof text, "%.0f %%", (double)share * 100);
        cn_ui_progress(ui, share, can_cancel(screen->running) ? text : "Please wait");
        if (can_cancel(screen->running)) {
            cn_ui_begin_disabled(ui, screen->is_canceling);
            if (cn_ui_button(ui, screen->is_canceling ? "Canceling ..." : "Cancel")) {
                crafty_world_task_cancel(screen->task);
                screen->is_canceling = true;
            }
            cn_ui_end_disabled(ui);
        }
    }
    end_dialog(engine);
}

static void show_dialog(CraftyWorldScreen *screen, CnEngine *engine)
{
    switch (screen->dialog) {
    case CRAFTY_DIALOG_CREATE:
        show_create(screen, engine);
        break;
    case CRAFTY_DIALOG_MODS:
        show_mods(screen, engine);
        break;
    case CRAFTY_DIALOG_RENAME:
        show_name(screen, engine, "Rename the world", "Rename", CRAFTY_TASK_RENAME);
        break;
    case CRAFTY_DIALOG_COPY:
        show_name(screen, engine, "Copy the world", "Copy", CRAFTY_TASK_COPY);
        break;
    case CRAFTY_DIALOG_RESTORE:
        show_restore(screen, engine);
        break;
    case CRAFTY_DIALOG_DELETE:
        show_delete(screen, engine);
        break;
    case CRAFTY_DIALOG_MESSAGE:
        show_message(screen, engine);
        break;
    case CRAFTY_DIALOG_NONE:
        break;
    }
}

void crafty_world_dialogs_frame(CraftyWorldScreen *screen, CnEngine *engine)
{
    bool is_busy = crafty_world_task_is_busy(screen->task);
    bool is_quiet =
        screen->running == CRAFTY_TASK_LIST || screen->running == CRAFTY_TASK_LIST_BACKUPS;
    if (is_busy && !is_quiet && screen->task_seconds >= PROGRESS_DELAY) {
        show_progress(screen, engine);
        return;
    }
    cn_ui_begin_disabled(cn_engine_ui(engine), is_busy && !is_quiet);
    show_dialog(screen, engine);
    cn_ui_end_disabled(cn_engine_ui(engine));
}

#include "recovery_dialog.h"

#include "crafty/crash/crash_report.h"
#include "game.h"

#include <cairn/base/console.h>
#include <cairn/base/log.h>

#include <stdlib.h>

#define WIDTH 460.0f
#define REPORT_WIDTH 620.0f
#define REPORT_LINES 28u /* that fit into a small window; the rest is in the file */

bool crafty_recovery_dialog_offer(Crafty *crafty, const char *world_path)
{
    CraftyRecoveryDialog *dialog = &crafty->recovery;
    CraftyRecoveryDialog fresh = {.opens = world_path != NULL};
    CnError error = {0};
    char *absolute = world_path ? realpath(world_path, NULL) : NULL;
    if ((!world_path || absolute) && crafty_crash_folder(fresh.folder, &error))
        fresh.is_open = crafty_unclean_session_find(fresh.folder, absolute, &fresh.session);
    free(absolute);
    cn_array_init(&fresh.report, cn_system_allocator());
    fresh.mods = crafty->options.mods;
    if (!fresh.is_open)
        return false;
    *dialog = fresh;
    CN_LOG_DEBUG("crafty", "a dialog offers to continue");
    return true;
}

/* ---- Choices ---- */

static void go_on(CraftyRecoveryDialog *dialog)
{
    CnError error = {0};
    dialog->opens = true;
    dialog->page = CRAFTY_RECOVERY_PAGE_RUNS;
    if (crafty_recovery_start(&dialog->recovery, dialog->session.name, dialog->mods, &error))
        return;
    cn_print_error("%s", error.message);
    dialog->status = CRAFTY_RECOVERY_FAILED;
    dialog->page = CRAFTY_RECOVERY_PAGE_FAILED;
}

static void read_report(CraftyRecoveryDialog *dialog)
{
    char path[CRAFTY_CRASH_PATH_BYTES];
    CnFileBytes bytes = {0};
    CraftyReport report;
    CnError error = {0};
    if (!crafty_crash_path(dialog->folder, dialog->session.name, CRAFTY_REPORT_SUFFIX, path) ||
        !cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error) ||
        !crafty_report_read(&report, (CnText){(const char *)bytes.data, bytes.size}, &error)) {
        cn_text_append(&dialog->report, cn_text("The report cannot be read."));
    } else {
        CraftySymbols symbols;
        crafty_symbols_open(&symbols);
        crafty_report_write_text(&report, &symbols, &dialog->report);
        crafty_symbols_close(&symbols);
        crafty_report_fini(&report);
    }
    cn_file_bytes_free(&bytes);
}

/* ---- Pages ---- */

static void ask(CraftyRecoveryDialog *dialog, CnUi *ui)
{
    char text[256];
    cn_format(text, sizeof text,
              "The world \"%s\", opened %s, was not closed. Nothing that was saved is lost; "
              "continuing also repeats what happened since the last save.",
              dialog->session.info.world, dialog->session.info.started);
    cn_ui_text(ui, text);
    cn_ui_separator(ui);
    if (cn_ui_button(ui, "Continue"))
        go_on(dialog);
    if (dialog->session.has_report && cn_ui_button(ui, "Show report"))
        dialog->page = CRAFTY_RECOVERY_PAGE_REPORT;
    if (cn_ui_button(ui, "Dismiss")) {
        crafty_unclean_session_dismiss(dialog->folder, &dialog->session);
        dialog->is_done = true;
    }
}

static void show_report(CraftyRecoveryDialog *dialog, CnUi *ui)
{
    if (dialog->report.count == 0)
        read_report(dialog);
    if (cn_ui_button(ui, "Back"))
        dialog->page = CRAFTY_RECOVERY_PAGE_ASK;
    cn_ui_separator(ui);
    CnText rest = {dialog->report.items, dialog->report.count}, line;
    for (uint32_t i = 0; i < REPORT_LINES && rest.size > 0 && cn_text_split(&rest, '\n', &line);
         i++) {
        char text[128];
        cn_copy_text(text, sizeof text, line);
        cn_ui_label(ui, text);
    }
}

static void wait(CraftyRecoveryDialog *dialog, CnUi *ui)
{
    cn_ui_text(ui, "Continuing ...");
    dialog->status = crafty_recovery_poll(&dialog->recovery);
    if (dialog->status == CRAFTY_RECOVERY_DONE)
        dialog->is_done = true;
    else if (dialog->status != CRAFTY_RECOVERY_RUNS)
        dialog->page = CRAFTY_RECOVERY_PAGE_FAILED;
}

static void tell(CraftyRecoveryDialog *dialog, CnUi *ui)
{
    char text[192];
    cn_format(text, sizeof text, "\"%s\": %s.", dialog->session.info.world,
              crafty_recovery_text(dialog->status));
    cn_ui_text(ui, text);
    cn_ui_separator(ui);
    if (cn_ui_button(ui, "Open the world"))
        dialog->is_done = true;
}

void crafty_recovery_dialog_frame(Crafty *crafty)
{
    CraftyRecoveryDialog *dialog = &crafty->recovery;
    CnUi *ui = cn_engine_ui(crafty->engine);
    CnCanvas *canvas = cn_engine_canvas(crafty->engine);
    CnRect area = cn_canvas_area(canvas);
    bool is_report = dialog->page == CRAFTY_RECOVERY_PAGE_REPORT;
    float width = is_report ? REPORT_WIDTH : WIDTH;
    width = width < area.width - 16 ? width : area.width - 16;
    CnUiWindow window = {
        .title = "Crafty ended unexpectedly",
        .rect = {(area.width - width) / 2, area.height * (is_report ? 0.02f : 0.3f), width, 0},
        .flags = CN_UI_MODAL | CN_UI_NO_MOVE};
    crafty_hud_background(canvas);
    if (cn_ui_begin_window(ui, &window)) {
        if (dialog->page == CRAFTY_RECOVERY_PAGE_ASK)
            ask(dialog, ui);
        else if (is_report)
            show_report(dialog, ui);
        else if (dialog->page == CRAFTY_RECOVERY_PAGE_RUNS)
            wait(dialog, ui);
        else
            tell(dialog, ui);
    }
    cn_ui_end_window(ui);
}

/* ---- Afterwards ---- */

void crafty_recovery_dialog_end(Crafty *crafty)
{
    CraftyRecoveryDialog *dialog = &crafty->recovery;
    CnError error = {0};
    if (!dialog->is_open || !dialog->is_done)
        return;
    dialog->is_open = false;
    cn_array_fini(&dialog->report);
    if (!dialog->opens)
        return;
    if (crafty->worlds.screen)
        crafty_world_menu_open(crafty, dialog->session.info.path);
    else if (!crafty_play_open(crafty, &(CraftyPlayDesc){.path = dialog->session.info.path},
                               &error))
        crafty_world_menu_fail(crafty, &error);
}

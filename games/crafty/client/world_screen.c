#include "world_screen_internal.h"

#include "crafty/save/world_seed.h"
#include "world_text.h"

#include <cairn/base/log.h>

#include <string.h>

/* ---- Creation ---- */

CraftyWorldScreen *crafty_world_screen_create(const char *folder, CnAllocator *allocator,
                                              CnError *error)
{
    CraftyWorldScreen *screen = cn_alloc_zeroed(allocator, sizeof *screen);
    if (!screen) {
        cn_error_memory(error, "the list of worlds");
        return NULL;
    }
    screen->allocator = allocator;
    screen->wants_focus = true;
    screen->task = crafty_world_task_create(folder, allocator, error);
    if (screen->task)
        screen->thumbnails = crafty_thumbnail_cache_create(allocator, error);
    if (screen->thumbnails)
        return screen;
    crafty_world_screen_destroy(screen, NULL);
    return NULL;
}

void crafty_world_screen_destroy(CraftyWorldScreen *screen, CnEngine *engine)
{
    if (!screen)
        return;
    crafty_world_task_destroy(screen->task);
    crafty_thumbnail_cache_destroy(screen->thumbnails, engine);
    crafty_worlds_list_free(&screen->list);
    crafty_worlds_list_free(&screen->backups);
    crafty_installed_mods_free(&screen->mods);
    cn_free(screen->allocator, screen, sizeof *screen);
}

void crafty_world_screen_set_mods(CraftyWorldScreen *screen, const char *folder, const char *extra)
{
    crafty_world_task_set_mods(screen->task, folder, extra);
}

static void show_message(CraftyWorldScreen *screen, const char *title, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_copy_text(screen->message_title, sizeof screen->message_title, cn_text(title));
    cn_copy_text(screen->message, sizeof screen->message,
                 cn_text(cn_error_text(error, text, sizeof text)));
    crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_MESSAGE);
}

void crafty_world_screen_show(CraftyWorldScreen *screen, const char *path, const CnError *error)
{
    screen->play_path[0] = screen->status[0] = screen->deleted_path[0] = '\0';
    screen->dialog = CRAFTY_DIALOG_NONE;
    screen->wants_focus = true;
    if (path)
        cn_copy_text(screen->wanted_path, sizeof screen->wanted_path, cn_text(path));
    if (error)
        show_message(screen, "The world could not be opened", error);
    crafty_world_screen_order(screen, CRAFTY_TASK_LIST, "");
}

const char *crafty_world_screen_chosen(const CraftyWorldScreen *screen)
{
    return screen->play_path;
}

const CraftyWorldEntry *crafty_world_screen_selected(const CraftyWorldScreen *screen)
{
    return screen->selected < screen->list.count ? &screen->list.items[screen->selected] : NULL;
}

/* ---- Dialogs ---- */

void crafty_world_screen_open_dialog(CraftyWorldScreen *screen, CraftyWorldDialog dialog)
{
    const CraftyWorldEntry *entry = crafty_world_screen_selected(screen);
    char base[CRAFTY_WORLD_FILE_BYTES + 8] = "New world";
    screen->dialog = dialog;
    screen->has_dialog_focus = false;
    screen->dialog_error[0] = screen->seed[0] = '\0';
    screen->generator = 0;
    screen->mode = screen->default_mode == CRAFTY_MODE_CREATIVE;
    screen->commands = false;
    for (uint32_t i = 0; i < CRAFTY_MAX_MODS; i++)
        screen->is_mod_chosen[i] = i < screen->mods.count && screen->mods.items[i].is_enabled;
    if (dialog == CRAFTY_DIALOG_COPY && entry)
        cn_format(base, sizeof base, "%s copy", entry->name);
    if (dialog == CRAFTY_DIALOG_RENAME && entry)
        cn_copy_text(screen->name, sizeof screen->name, cn_text(entry->name));
    else
        crafty_text_free_name(&screen->list, base, screen->name);
    if (dialog == CRAFTY_DIALOG_RESTORE && entry) {
        crafty_worlds_list_free(&screen->backups);
        screen->backups = (CraftyWorldList){0};
        screen->has_backups = false;
        screen->backup = 0;
        crafty_world_screen_order(screen, CRAFTY_TASK_LIST_BACKUPS, entry->path);
    }
}

static void close_dialog(CraftyWorldScreen *screen)
{
    screen->dialog = CRAFTY_DIALOG_NONE;
    screen->wants_focus = true;
}

/* ---- Tasks ---- */

void crafty_world_screen_order(CraftyWorldScreen *screen, CraftyTaskKind kind, const char *path)
{
    CraftyWorldOrder order = {.kind = kind};
    CnError error = {0};
    if (crafty_world_task_is_busy(screen->task)) {
        bool can_wait =
            screen->running == CRAFTY_TASK_LIST || screen->running == CRAFTY_TASK_LIST_BACKUPS;
        screen->has_pending = can_wait;
        screen->pending = kind;
        cn_copy_text(screen->pending_path, sizeof screen->pending_path, cn_text(path));
        return;
    }
    cn_copy_text(order.path, sizeof order.path, cn_text(path));
    cn_copy_text(order.name, sizeof order.name, cn_text(screen->name));
    if (kind == CRAFTY_TASK_CREATE && !crafty_seed_from_text(screen->seed, &order.seed, &error)) {
        cn_copy_text(screen->dialog_error, sizeof screen->dialog_error, cn_text(error.message));
        return;
    }
    order.generator = crafty_world_dialogs_generator(screen);
    order.mode = crafty_world_dialogs_mode(screen);
    order.commands = screen->commands || order.mode == CRAFTY_MODE_CREATIVE;
    /* Without installed mods nobody chose, and those that are enabled later run. */
    order.has_mods = kind == CRAFTY_TASK_CREATE && screen->mods.count > 0;
    crafty_world_dialogs_mods(screen, &order.mods);
    screen->running = kind;
    screen->task_seconds = 0;
    screen->is_canceling = false;
    crafty_world_task_start(screen->task, &order);
}

static uint32_t index_of(const CraftyWorldList *list, const char *path)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].path, path))
            return i;
    return UINT32_MAX;
}

/* Keeps the selection on the same world, wherever it is in the new list. */
static void take_list(CraftyWorldScreen *screen, CraftyWorldResult *result)
{
    const CraftyWorldEntry *old = crafty_world_screen_selected(screen);
    const char *wanted = screen->wanted_path[0] ? screen->wanted_path : old ? old->path : "";
    uint32_t index = index_of(&result->list, wanted);
    if (index != UINT32_MAX)
        screen->selected = index;
    else if (screen->selected >= result->list.count)
        screen->selected = result->list.count ? result->list.count - 1 : 0;
    screen->wanted_path[0] = '\0';
    crafty_worlds_list_free(&screen->list);
    screen->list = result->list;
    screen->has_list = true;
}

static void take_backups(CraftyWorldScreen *screen, CraftyWorldResult *result)
{
    crafty_worlds_list_free(&screen->backups);
    screen->backups = result->list;
    screen->has_backups = result->has_list;
    screen->has_dialog_focus = false; /* the list gets the focus */
    if (!result->has_list)
        cn_copy_text(screen->dialog_error, sizeof screen->dialog_error,
                     cn_text(result->list_error.message));
}

/* Tasks of dialogs with a field report their errors there, so that the name can be corrected. */
static void take_failure(CraftyWorldScreen *screen, const CraftyWorldResult *result)
{
    if (result->was_canceled) {
        close_dialog(screen);
        cn_format(screen->status, sizeof screen->status, "Canceled. Nothing was changed.");
    } else if (screen->dialog != CRAFTY_DIALOG_NONE && screen->dialog != CRAFTY_DIALOG_MESSAGE) {
        screen->has_dialog_focus = false; /* the field gets the focus again */
        cn_copy_text(screen->dialog_error, sizeof screen->dialog_error,
                     cn_text(result->error.message));
    } else {
        show_message(screen, "That did not work", &result->error);
    }
}

static const char *name_at(const CraftyWorldList *list, const char *path)
{
    uint32_t index = index_of(list, path);
    return index == UINT32_MAX ? "The world" : list->items[index].name;
}

static void take_success(CraftyWorldScreen *screen, const CraftyWorldResult *result)
{
    char *status = screen->status;
    const size_t bytes = sizeof screen->status;
    const char *name = name_at(&result->list, result->path);
    close_dialog(screen);
    switch (result->kind) {
    case CRAFTY_TASK_CREATE:
        cn_copy_text(screen->play_path, sizeof screen->play_path, cn_text(result->path));
        break;
    case CRAFTY_TASK_RENAME:
        cn_format(status, bytes, "It is called \"%s\" now.", name);
        break;
    case CRAFTY_TASK_COPY:
        cn_format(status, bytes, "\"%s\" is the copy.", name);
        break;
    case CRAFTY_TASK_BACK_UP:
        cn_format(status, bytes, "Backup: %s", result->path);
        break;
    case CRAFTY_TASK_RESTORE:
        cn_format(status, bytes, "\"%s\" was restored. What it replaced is among the backups.",
                  name);
        break;
    case CRAFTY_TASK_DELETE:
        cn_copy_text(screen->deleted_path, sizeof screen->deleted_path, cn_text(result->path));
        cn_format(status, bytes, "Deleted. The file is kept: %s", result->path);
        break;
    case CRAFTY_TASK_UNDELETE:
        cn_format(status, bytes, "\"%s\" is back.", name);
        break;
    case CRAFTY_TASK_LIST:
    case CRAFTY_TASK_LIST_BACKUPS:
        break;
    }
}

/* The choice follows the names, because the list may have changed meanwhile. */
static void take_mods(CraftyWorldScreen *screen, const CraftyInstalledMods *mods)
{
    bool is_chosen[CRAFTY_MAX_MODS] = {false};
    for (uint32_t i = 0; i < mods->count && i < CRAFTY_MAX_MODS; i++) {
        const CraftyInstalledMod *old =
            crafty_installed_mods_find(&screen->mods, mods->items[i].name);
        is_chosen[i] =
            old ? screen->is_mod_chosen[old - screen->mods.items] : mods->items[i].is_enabled;
    }
    crafty_installed_mods_free(&screen->mods);
    screen->mods = *mods;
    memcpy(screen->is_mod_chosen, is_chosen, sizeof is_chosen);
}

static void take_result(CraftyWorldScreen *screen)
{
    CraftyWorldResult result;
    if (!crafty_world_task_take(screen->task, &result))
        return;
    take_mods(screen, &result.mods);
    if (result.kind == CRAFTY_TASK_LIST_BACKUPS) {
        take_backups(screen, &result);
        return;
    }
    bool is_change = result.kind != CRAFTY_TASK_LIST;
    if (is_change) {
        screen->status[0] = screen->deleted_path[0] = '\0';
        if (result.succeeded && result.kind != CRAFTY_TASK_DELETE &&
            result.kind != CRAFTY_TASK_BACK_UP)
            cn_copy_text(screen->wanted_path, sizeof screen->wanted_path, cn_text(result.path));
    }
    screen->list_error = result.list_error;
    CN_LOG_DEBUG("crafty", "the list shows %u worlds", result.list.count);
    if (result.has_list)
        take_list(screen, &result);
    else
        crafty_worlds_list_free(&result.list);
    if (!result.has_list)
        result.list = (CraftyWorldList){0};
    if (is_change && result.succeeded)
        take_success(screen, &result);
    else if (is_change)
        take_failure(screen, &result);
    else if (result.has_list && !screen->list.count && !screen->list.left_out &&
             !screen->has_offered && screen->dialog == CRAFTY_DIALOG_NONE) {
        screen->has_offered = true;
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_CREATE);
    }
}

/* ---- Frames ---- */

static void draw_background(CnEngine *engine, CraftyLandscape landscape)
{
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnRect area = cn_canvas_area(canvas);
    bool is_small = area.height < 480;
    crafty_title_background(canvas, landscape);
    crafty_title_name(canvas, area.y + (is_small ? 7 : 16), is_small ? 22 : 34);
}

/* Escape and B close a dialog, cancel a task, or lead back. */
static void go_back(CraftyWorldScreen *screen)
{
    if (crafty_world_task_is_busy(screen->task) && screen->running != CRAFTY_TASK_LIST) {
        crafty_world_task_cancel(screen->task);
        screen->is_canceling = true;
    } else if (screen->dialog == CRAFTY_DIALOG_MODS) {
        screen->dialog = CRAFTY_DIALOG_CREATE;
        screen->has_dialog_focus = false;
    } else if (screen->dialog != CRAFTY_DIALOG_NONE) {
        close_dialog(screen);
    } else {
        screen->wants_back = true;
    }
}

void crafty_world_screen_set_mode(CraftyWorldScreen *screen, CraftyPlayerMode mode)
{
    screen->default_mode = mode;
}

void crafty_world_screen_offer(CraftyWorldScreen *screen)
{
    screen->has_offered = true;
    crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_CREATE);
}

CraftyWorldScreenEvent crafty_world_screen_frame(CraftyWorldScreen *screen, CnEngine *engine,
                                                 CraftyLandscape landscape)
{
    screen->task_seconds += (float)cn_engine_time(engine)->unscaled_delta;
    take_result(screen);
    if (screen->has_pending && !crafty_world_task_is_busy(screen->task)) {
        screen->has_pending = false;
        crafty_world_screen_order(screen, screen->pending, screen->pending_path);
    }
    if (cn_engine_key_pressed(engine, CN_KEY_ESCAPE) ||
        cn_engine_gamepad_pressed(engine, CN_GAMEPAD_B))
        go_back(screen);
    draw_background(engine, landscape);
    CraftyWorldDialog before = screen->dialog;
    crafty_world_rows_frame(screen, engine);
    if (screen->dialog == before) /* the input that opened it is not for the dialog */
        crafty_world_dialogs_frame(screen, engine);
    crafty_thumbnail_cache_frame(screen->thumbnails, screen->task, engine);
    if (screen->wants_back) {
        screen->wants_back = false;
        return CRAFTY_WORLD_SCREEN_BACK;
    }
    return screen->play_path[0] && crafty_world_task_is_idle(screen->task)
               ? CRAFTY_WORLD_SCREEN_PLAY
               : CRAFTY_WORLD_SCREEN_STAYS;
}

#include "world_menu.h"

#include "interface.h"

#include <cairn/base/console.h>

bool crafty_world_menu_create(Crafty *crafty, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    char folder[CN_STORE_PATH_BYTES];
    if (options->engine.headless || (!options->shows_list && !options->world))
        return true;
    const char *worlds = options->worlds;
    if (!worlds && crafty_worlds_folder(folder, options->shows_list ? error : NULL))
        worlds = folder;
    if (!worlds)
        return !options->shows_list; /* a world given by its path needs no folder */
    crafty->worlds.screen = crafty_world_screen_create(worlds, NULL, error);
    if (!crafty->worlds.screen)
        return false;
    crafty_world_screen_set_mode(crafty->worlds.screen, options->mode);
    CnError ignored = {0}; /* without a home there are no mods */
    char mods[CN_FILE_PATH_BYTES];
    bool has_mods = !options->no_mods && crafty_mods_folder(mods, &ignored);
    crafty_world_screen_set_mods(crafty->worlds.screen, has_mods ? mods : NULL, options->mods);
    return true;
}

void crafty_world_menu_destroy(Crafty *crafty)
{
    crafty_opening_destroy(crafty->worlds.opening);
    crafty->worlds.opening = NULL;
    crafty_world_screen_destroy(crafty->worlds.screen, crafty->engine);
    crafty->worlds.screen = NULL;
}

static void show_list(CraftyWorldMenu *menu)
{
    bool has_failed = menu->open_error.code != CN_OK;
    menu->is_shown = true;
    crafty_world_screen_show(menu->screen, menu->path[0] ? menu->path : NULL,
                             has_failed ? &menu->open_error : NULL);
    menu->open_error = (CnError){0};
    if (menu->wants_new && !has_failed)
        crafty_world_screen_offer(menu->screen);
    menu->wants_new = false;
}

static void go_to(CraftyWorldMenu *menu, CraftyWorldMenuPage page)
{
    menu->page = page;
    menu->is_shown = false;
    menu->title = (CraftyTitleScreen){0};
}

static void show_title(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    CraftyTitleView view = {.landscape = crafty_backdrop_landscape(crafty),
                            .glyphs = &crafty->glyphs};
    switch (crafty_title_screen_frame(&menu->title, crafty->engine, &view)) {
    case CRAFTY_TITLE_NEW_WORLD:
        menu->wants_new = true;
        go_to(menu, CRAFTY_WORLD_MENU_LIST);
        break;
    case CRAFTY_TITLE_PLAY:
        go_to(menu, CRAFTY_WORLD_MENU_LIST);
        break;
    case CRAFTY_TITLE_SETTINGS:
        crafty_settings_screen_reset(&crafty->menu.settings);
        go_to(menu, CRAFTY_WORLD_MENU_SETTINGS);
        break;
    case CRAFTY_TITLE_QUIT:
        crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM);
        break;
    case CRAFTY_TITLE_STAYS:
        break;
    }
}

static void show_settings(Crafty *crafty)
{
    CraftySettingsScreen *screen = &crafty->menu.settings;
    CnEngine *engine = crafty->engine;
    CraftyTuning before = crafty_interface_tuning(crafty);
    CraftySettingsView view = crafty_interface_settings(crafty);
    bool is_back = cn_engine_key_pressed(engine, CN_KEY_ESCAPE) ||
                   (!screen->bindings.waits && cn_engine_gamepad_pressed(engine, CN_GAMEPAD_B));
    bool leaves = is_back && !crafty_settings_screen_back(screen);
    crafty_title_background(cn_engine_canvas(engine), crafty_backdrop_landscape(crafty));
    CraftySettingsEvents events = crafty_settings_screen_frame(screen, engine, &view);
    crafty_interface_apply(crafty, &before, events & CRAFTY_SETTINGS_CHANGE_FEATURES);
    if (!leaves && !(events & CRAFTY_SETTINGS_CLOSE))
        return;
    crafty_settings_keep(crafty);
    crafty_settings_screen_reset(screen);
    go_to(&crafty->worlds, CRAFTY_WORLD_MENU_TITLE);
}

void crafty_world_menu_frame(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    if (!menu->screen) {
        crafty_hud_background(cn_engine_canvas(crafty->engine));
        return;
    }
    if (menu->is_opening) {
        menu->opening_seconds += (float)cn_engine_time(crafty->engine)->unscaled_delta;
        crafty_hud_opening(cn_engine_canvas(crafty->engine), menu->opening_seconds);
        return;
    }
    if (menu->page == CRAFTY_WORLD_MENU_TITLE) {
        show_title(crafty);
        return;
    }
    if (menu->page == CRAFTY_WORLD_MENU_SETTINGS) {
        show_settings(crafty);
        return;
    }
    if (!menu->is_shown)
        show_list(menu);
    menu->event =
        crafty_world_screen_frame(menu->screen, crafty->engine, crafty_backdrop_landscape(crafty));
}

static void fail_opening(CraftyWorldMenu *menu, const CnError *error)
{
    menu->is_opening = false;
    menu->open_error = *error;
    go_to(menu, CRAFTY_WORLD_MENU_LIST);
}

static void begin_opening(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    CnError error = {0};
    crafty_backdrop_close(crafty);
    menu->opening = crafty_opening_create(crafty, &(CraftyPlayDesc){.path = menu->path}, &error);
    if (!menu->opening)
        fail_opening(menu, &error);
}

static void end_opening(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    CnError error = {0};
    crafty->play = crafty_opening_take(menu->opening, &error);
    crafty_opening_destroy(menu->opening);
    menu->opening = NULL;
    menu->is_opening = menu->is_shown = false;
    if (crafty->play && crafty_play_enter(crafty, &error)) {
        go_to(menu, CRAFTY_WORLD_MENU_TITLE); /* shown when the world was closed */
        return;
    }
    crafty_play_close(crafty);
    fail_opening(menu, &error);
}

/* The loading screen is drawn once before the world is opened. */
static void go_on_opening(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    if (!menu->opening)
        begin_opening(crafty);
    else if (crafty_opening_is_done(menu->opening))
        end_opening(crafty);
}

void crafty_world_menu_open(Crafty *crafty, const char *path)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    if (path != menu->path)
        cn_copy_text(menu->path, sizeof menu->path, cn_text(path));
    menu->is_opening = true;
    menu->opening_seconds = 0;
}

void crafty_world_menu_end(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    CraftyWorldScreenEvent event = menu->event;
    menu->event = CRAFTY_WORLD_SCREEN_STAYS;
    if (!menu->screen || (crafty->play && !crafty->play->is_backdrop))
        return;
    if (!menu->is_opening && !crafty->recovery.is_open)
        crafty_backdrop_end(crafty);
    if (menu->is_opening) {
        go_on_opening(crafty);
    } else if (event == CRAFTY_WORLD_SCREEN_PLAY) {
        cn_copy_text(menu->path, sizeof menu->path,
                     cn_text(crafty_world_screen_chosen(menu->screen)));
        if (crafty_recovery_dialog_offer(crafty, menu->path))
            menu->is_shown = false;
        else
            crafty_world_menu_open(crafty, menu->path);
    } else if (event == CRAFTY_WORLD_SCREEN_BACK) {
        go_to(menu, CRAFTY_WORLD_MENU_TITLE);
    }
}

void crafty_world_menu_fail(Crafty *crafty, const CnError *error)
{
    if (crafty->worlds.screen) {
        crafty->worlds.open_error = *error;
        go_to(&crafty->worlds, CRAFTY_WORLD_MENU_LIST);
        crafty_leave(crafty, CRAFTY_LEAVE_WORLD);
        return;
    }
    cn_print_error("%s", error->message);
    cn_engine_quit(crafty->engine, 1);
}

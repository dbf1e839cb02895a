#include "world_menu.h"

#include "game.h"

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
    return crafty->worlds.screen != NULL;
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
    if (!menu->is_shown)
        show_list(menu);
    menu->event = crafty_world_screen_frame(menu->screen, crafty->engine);
}

static void fail_opening(CraftyWorldMenu *menu, const CnError *error)
{
    menu->is_opening = menu->is_shown = false;
    menu->open_error = *error;
}

static void begin_opening(Crafty *crafty)
{
    CraftyWorldMenu *menu = &crafty->worlds;
    CnError error = {0};
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
    if (crafty->play && crafty_play_enter(crafty, &error))
        return;
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
    if (!menu->screen || crafty->play)
        return;
    if (menu->is_opening) {
        go_on_opening(crafty);
    } else if (event == CRAFTY_WORLD_SCREEN_PLAY) {
        cn_copy_text(menu->path, sizeof menu->path,
                     cn_text(crafty_world_screen_chosen(menu->screen)));
        if (crafty_recovery_dialog_offer(crafty, menu->path))
            menu->is_shown = false;
        else
            crafty_world_menu_open(crafty, menu->path);
    } else if (event == CRAFTY_WORLD_SCREEN_QUIT) {
        crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM);
    }
}

void crafty_world_menu_fail(Crafty *crafty, const CnError *error)
{
    if (crafty->worlds.screen) {
        crafty->worlds.open_error = *error;
        crafty_leave(crafty, CRAFTY_LEAVE_WORLD);
        return;
    }
    cn_print_error("%s", error->message);
    cn_engine_quit(crafty->engine, 1);
}

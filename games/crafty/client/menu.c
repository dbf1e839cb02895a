#include "menu.h"

#include "crafty/sim/player.h"

#include <string.h>

#define PAUSE_WIDTH 350.0f
#define SETTINGS_WIDTH 380.0f
#define ITEMS_A_ROW 9u
#define ITEM_BUTTON 44.0f /* including the padding */
#define ITEM_IMAGE 32.0f
#define FROM_TOP 24.0f
#define DEGREES_A_PIXEL 0.11459156f /* 0.002 radians */

/* ---- Opening and closing ---- */

/* Returns whether the mouse is captured, or will be once the commands that were sent are applied:
 * there may be several frames between two ticks. */
static bool is_captured(const CraftyMenu *menu, CnEngine *engine, CnEntity player)
{
    if (cn_sim_tick(cn_engine_sim(engine)) < menu->asked_tick)
        return menu->asked_captured;
    return crafty_player_aims(cn_engine_world(engine), player);
}

/* On a tour there is no player to command. */
static bool send(CnEngine *engine, const CraftyMenuView *view, CraftyCommand command)
{
    return cn_get(cn_engine_world(engine), view->player, CraftyPlayer) &&
           crafty_connection_send_command(view->connection, &command);
}

static void capture(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view, bool captured)
{
    if (menu->is_paused && !captured) /* it is released, and commands would wait */
        return;
    if (!send(engine, view, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = captured}))
        return;
    menu->asked_captured = captured;
    menu->asked_tick = cn_sim_tick(cn_engine_sim(engine)) + 1;
}

void crafty_menu_send_settings(CraftyMenu *menu, CraftyConnection *connection, bool is_saved)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_SENSITIVITY,
                             .value = DEGREES_A_PIXEL * menu->sensitivity};
    menu->sent_sensitivity = is_saved ? 0 : 1;
    if (menu->sensitivity != menu->sent_sensitivity &&
        crafty_connection_send_command(connection, &command))
        menu->sent_sensitivity = menu->sensitivity;
}

/* Sent when the page is left, not with every motion of the slider: during a pause, commands wait.
 */
static void send_sensitivity(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_SENSITIVITY,
                             .value = DEGREES_A_PIXEL * menu->sensitivity};
    if (menu->sensitivity != menu->sent_sensitivity && send(engine, view, command))
        menu->sent_sensitivity = menu->sensitivity;
}

static void go_to(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view,
                  CraftyMenuPage page)
{
    if (menu->page == CRAFTY_MENU_SETTINGS)
        send_sensitivity(menu, engine, view);
    menu->page = page;
    menu->shown = 0;
    menu->error_text[0] = menu->search[0] = '\0';
    capture(menu, engine, view, page == CRAFTY_MENU_CLOSED);
}

/* Without ticks, the simulation does not see the click beside the settings that captures the
 * mouse. */
static bool is_clicked_beside(const CraftyMenu *menu, const CnEngine *engine)
{
    return menu->is_paused && menu->page == CRAFTY_MENU_SETTINGS &&
           cn_mouse_pressed(&cn_engine_devices(engine)->input, CN_MOUSE_LEFT);
}

/* Pauses after the tick that releases the mouse. The time of the frames stops, too: rain and waves
 * stand still. */
static void pause_or_go_on(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnSim *sim = cn_engine_sim(engine);
    bool wants = menu->page == CRAFTY_MENU_PAUSE || menu->page == CRAFTY_MENU_SETTINGS;
    bool can = view->is_alone && cn_get(cn_engine_world(engine), view->player, CraftyPlayer) &&
               !is_captured(menu, engine, view->player) && cn_sim_tick(sim) >= menu->asked_tick;
    bool was_paused = menu->is_paused;
    menu->is_paused = wants && (was_paused || can);
    if (menu->is_paused == was_paused)
        return;
    cn_sim_pause(sim, menu->is_paused);
    cn_sim_time(sim)->scale = menu->is_paused ? 0 : 1;
}

/* Escape returns to the pause menu, and from there to the game. */
static CraftyMenuPage after_escape(CraftyMenuPage page)
{
    return page == CRAFTY_MENU_CLOSED || page == CRAFTY_MENU_SETTINGS ? CRAFTY_MENU_PAUSE
                                                                      : CRAFTY_MENU_CLOSED;
}

static void turn_pages(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CnWorld *world = cn_engine_world(engine);
    bool focused = cn_engine_devices(engine)->input.focused;
    bool is_left = menu->was_focused && !focused;
    bool aims = is_captured(menu, engine, view->player);
    menu->was_focused = focused;
    if (is_left && aims)
        go_to(menu, engine, view, CRAFTY_MENU_PAUSE);
    else if (cn_engine_key_pressed(engine, CN_KEY_ESCAPE))
        go_to(menu, engine, view, after_escape(menu->page));
    else if (cn_engine_key_pressed(engine, CN_KEY_F4))
        go_to(menu, engine, view,
              menu->page == CRAFTY_MENU_SETTINGS ? CRAFTY_MENU_CLOSED : CRAFTY_MENU_SETTINGS);
    else if (cn_engine_key_pressed(engine, CN_KEY_B) && menu->page == CRAFTY_MENU_CLOSED &&
             cn_get(world, view->player, CraftyPlayer))
        go_to(menu, engine, view, CRAFTY_MENU_ITEMS);
    else if (is_clicked_beside(menu, engine))
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
    else if (aims) /* a click outside of the window */
        menu->page = CRAFTY_MENU_CLOSED;
}

/* ---- Pause ---- */

static void show_keys(CnUi *ui)
{
    static const char *const keys[][2] = {
        {"W A S D, Shift", "Move, sprint"},
        {"Space, Ctrl", "Jump / up, sneak / down"},
        {"F", "Toggle flying"},
        {"Left, right click", "Break, place"},
        {"Middle click", "Pick block"},
        {"1-9, wheel, B", "Select block, block list"},
        {"F2, F3, F11", "Screenshot, stats, fullscreen"},
    };
    static const float widths[] = {122, -1};
    cn_ui_begin_row(ui, widths, 2);
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        cn_ui_next_height(ui, 18);
        cn_ui_label_colored(ui, cn_ui_theme(ui)->text_dim, CN_ALIGN_START, keys[i][0]);
        cn_ui_next_height(ui, 18);
        cn_ui_label(ui, keys[i][1]);
    }
    cn_ui_end_row(ui);
}

/* The list has the default keys only. */
static void show_bindings(CnUi *ui, const char *file)
{
    char shown[256], text[320];
    cn_format(text, sizeof text, "Keys and buttons: see %s",
              cn_text_escape(cn_text(file), shown, sizeof shown));
    cn_ui_text(ui, text);
}

static CnRect in_the_middle(CnEngine *engine, float width)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    return (CnRect){(area.width - width) / 2, area.height * 0.08f, width, 0};
}

static void show_pause(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "Crafty",
                                             .rect = in_the_middle(engine, PAUSE_WIDTH),
                                             .flags = CN_UI_MODAL | CN_UI_NO_MOVE})) {
        if (cn_ui_button(ui, "Resume"))
            go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
        if (cn_ui_button(ui, "Settings (F4)"))
            go_to(menu, engine, view, CRAFTY_MENU_SETTINGS);
        cn_ui_begin_row(ui, NULL, view->has_list ? 2 : 1);
        if (view->has_list && cn_ui_button(ui, "Save and quit to list"))
            menu->leaves_world = true;
        if (cn_ui_button(ui, view->has_list ? "Save and quit" : "Quit"))
            menu->quits = true;
        cn_ui_end_row(ui);
        if (view->save_text)
            cn_ui_label_colored(ui, cn_ui_theme(ui)->text_dim, CN_ALIGN_CENTER, view->save_text);
        cn_ui_separator(ui);
        if (view->bindings)
            show_bindings(ui, view->bindings);
        else
            show_keys(ui);
    }
    cn_ui_end_window(ui);
}

/* ---- Settings ---- */

static bool show_quality(CnUi *ui, const CraftyMenuView *view)
{
    const char *names[CRAFTY_QUALITY_COUNT];
    for (uint32_t i = 0; i < CRAFTY_QUALITY_COUNT; i++)
        names[i] = crafty_quality_name((CraftyQuality)i);
    uint32_t quality = *view->quality;
    if (!cn_ui_combo(ui, "Quality", &quality, names, CRAFTY_QUALITY_COUNT))
        return false;
    *view->quality = (CraftyQuality)quality;
    *view->settings = crafty_settings(*view->quality);
    return true;
}

static bool show_effects(CnUi *ui, CraftySettings *settings)
{
    uint32_t before = settings->effects;
    cn_ui_begin_row(ui, NULL, 2);
    for (uint32_t i = 0; crafty_effect_title(i); i++) {
        bool on = settings->effects >> i & 1;
        if (cn_ui_checkbox(ui, crafty_effect_title(i), &on))
            settings->effects ^= 1u << i;
    }
    cn_ui_end_row(ui);
    return settings->effects != before;
}

static void show_eye(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    int32_t fov = (int32_t)view->lens->fov;
    if (cn_ui_slider_int(ui, "Field of view", &fov, CRAFTY_MIN_FOV, CRAFTY_MAX_FOV))
        view->lens->fov = (float)fov;
    cn_ui_slider(ui, "Sensitivity", &menu->sensitivity, CRAFTY_MIN_MOUSE_FACTOR,
                 CRAFTY_MAX_MOUSE_FACTOR);
}

static void show_error(const CraftyMenu *menu, CnUi *ui, uint64_t refused)
{
    if (menu->error_text[0])
        cn_ui_text(ui, menu->error_text);
    if (refused)
        cn_ui_text(ui, "Not enough memory for all chunks. Reduce the view distance.");
}

static bool show_settings(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    CnRect rect = {area.width - SETTINGS_WIDTH - FROM_TOP, FROM_TOP, SETTINGS_WIDTH, 0};
    bool is_open = true, changed = false;
    if (cn_ui_begin_window(ui,
                           &(CnUiWindow){.title = "Settings", .rect = rect, .open = &is_open})) {
        changed = show_quality(ui, view);
        int32_t distance = (int32_t)view->settings->view_distance;
        if (cn_ui_slider_int(ui, "View distance", &distance, CRAFTY_MIN_DISTANCE,
                             CRAFTY_MAX_DISTANCE))
            view->settings->view_distance = (uint32_t)distance;
        show_eye(menu, engine, view);
        cn_ui_separator(ui);
        changed |= show_effects(ui, view->settings);
        show_error(menu, ui, view->refused);
    }
    cn_ui_end_window(ui);
    if (!is_open)
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
    return changed;
}

/* ---- Items ---- */

/* Matches part of the name: "red w" finds red wool. */
static bool is_found(const CraftyItemInfo *item, const char *search)
{
    char wanted[sizeof((CraftyMenu){0}.search)];
    size_t i = 0;
    for (; search[i]; i++)
        wanted[i] = search[i] == ' '                       ? '_'
                    : search[i] >= 'A' && search[i] <= 'Z' ? (char)(search[i] - 'A' + 'a')
                                                           : search[i];
    wanted[i] = '\0';
    return strstr(item->name, wanted) != NULL;
}

/* Returns the item chosen in this frame, or NULL. Return chooses the first match. */
static const CraftyItemInfo *show_found(CnUi *ui, const CraftyMenuView *view, const char *search,
                                        bool is_return)
{
    float widths[ITEMS_A_ROW];
    const CraftyItemInfo *chosen = NULL;
    for (uint32_t i = 0; i < ITEMS_A_ROW; i++)
        widths[i] = ITEM_BUTTON - 4;
    cn_ui_begin_row(ui, widths, ITEMS_A_ROW);
    for (uint32_t i = 0; i < crafty_items_count(view->items); i++) {
        const CraftyItemInfo *item =
            crafty_items_info(view->items, crafty_items_at(view->items, i));
        if (!is_found(item, search))
            continue;
        CnSprite sprite = crafty_icon_sprite(view->icons, item->block);
        bool is_clicked = cn_ui_image_button(ui, item->name, &sprite, ITEM_IMAGE, ITEM_IMAGE);
        cn_ui_tooltip(ui, item->title);
        if ((is_clicked || is_return) && !chosen)
            chosen = item;
    }
    cn_ui_end_row(ui);
    return chosen;
}

static void take(CnEngine *engine, const CraftyMenuView *view, const CraftyItemInfo *item)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 1};
    cn_copy_text(command.item, sizeof command.item, cn_text(item->name));
    send(engine, view, command);
}

static void show_items(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    const CraftyItemInfo *chosen = NULL;
    if (cn_ui_begin_window(
            ui, &(CnUiWindow){.title = "Blocks",
                              .rect = in_the_middle(engine, ITEMS_A_ROW * ITEM_BUTTON + 36),
                              .flags = CN_UI_MODAL | CN_UI_NO_MOVE})) {
        if (menu->shown == 1) /* skip the frame of the key press that opened it */
            cn_ui_focus_next(ui);
        CnUiFieldResult field = cn_ui_field(ui, "Search",
                                            &(CnUiField){.text = menu->search,
                                                         .text_bytes = sizeof menu->search,
                                                         .hint = "Block name"});
        chosen = show_found(ui, view, menu->search, field == CN_UI_FIELD_DONE);
    }
    cn_ui_end_window(ui);
    if (!chosen)
        return;
    take(engine, view, chosen);
    go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
}

void crafty_menu_reset(CraftyMenu *menu)
{
    *menu = (CraftyMenu){.sensitivity = menu->sensitivity, .was_focused = menu->was_focused};
}

bool crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    bool changed = false;
    turn_pages(menu, engine, view);
    CraftyMenuPage page = menu->page;
    if (page == CRAFTY_MENU_PAUSE)
        show_pause(menu, engine, view);
    else if (page == CRAFTY_MENU_SETTINGS)
        changed = show_settings(menu, engine, view);
    else if (page == CRAFTY_MENU_ITEMS)
        show_items(menu, engine, view);
    menu->shown += menu->page == page;
    pause_or_go_on(menu, engine, view);
    return changed;
}

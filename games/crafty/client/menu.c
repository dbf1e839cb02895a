#include "menu.h"

#include "crafty/sim/motion.h"
#include "crafty/sim/player.h"
#include "crafty/sim/rules.h"
#include "ui_style.h"

#include <cairn/base/log.h>

#define PAUSE_WIDTH 400.0f
#define KEY_HEIGHT 18.0f /* of the glyphs of keys */
#define KEY_SPACING 4.0f
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

static CraftyCommand sensitivity_command(const CraftyPreferences *preferences)
{
    return (CraftyCommand){.kind = CRAFTY_COMMAND_SENSITIVITY,
                           .value = DEGREES_A_PIXEL * preferences->sensitivity};
}

static uint32_t bits_of(const CraftyPreferences *preferences)
{
    return preferences->auto_jump ? CRAFTY_PREFERS_AUTO_JUMP : 0;
}

static CraftyCommand bits_command(uint32_t bits)
{
    return (CraftyCommand){.kind = CRAFTY_COMMAND_PREFERENCES, .choice = (uint8_t)bits};
}

void crafty_menu_send_settings(CraftyMenu *menu, CraftyConnection *connection,
                               const CraftyPreferences *preferences, bool is_saved)
{
    CraftyCommand sensitivity = sensitivity_command(preferences);
    uint32_t bits = bits_of(preferences);
    CraftyCommand choice = bits_command(bits);
    menu->sent_sensitivity = is_saved ? 0 : 1;
    menu->sent_bits = is_saved ? UINT32_MAX : CRAFTY_PREFERS_AUTO_JUMP;
    if (preferences->sensitivity != menu->sent_sensitivity &&
        crafty_connection_send_command(connection, &sensitivity))
        menu->sent_sensitivity = preferences->sensitivity;
    if (bits != menu->sent_bits && crafty_connection_send_command(connection, &choice))
        menu->sent_bits = bits;
}

/* Sent when the page is left, not with every motion of the slider: during a pause, commands wait.
 */
static void send_settings(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CraftyPreferences *preferences = view->settings.preferences;
    uint32_t bits = bits_of(preferences);
    if (preferences->sensitivity != menu->sent_sensitivity &&
        send(engine, view, sensitivity_command(preferences)))
        menu->sent_sensitivity = preferences->sensitivity;
    if (bits != menu->sent_bits && send(engine, view, bits_command(bits)))
        menu->sent_bits = bits;
}

static void go_to(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view,
                  CraftyMenuPage page)
{
    if (menu->page == CRAFTY_MENU_SETTINGS)
        send_settings(menu, engine, view);
    menu->page = page;
    menu->shown = 0;
    crafty_settings_screen_reset(&menu->settings);
    capture(menu, engine, view, page == CRAFTY_MENU_CLOSED);
}

/* Without ticks, the simulation does not see the click beside the settings that captures the
 * mouse. */
static bool is_clicked_beside(const CraftyMenu *menu, const CnEngine *engine)
{
    return menu->is_paused && menu->page == CRAFTY_MENU_SETTINGS &&
           !menu->settings.shows_bindings &&
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

/* Escape and Start; B in menus. */
static bool is_back_pressed(const CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    if (menu->settings.bindings.waits) /* every other control may be the one that is waited for */
        return cn_engine_key_pressed(engine, CN_KEY_ESCAPE);
    return crafty_controls_pressed(view->settings.controls, engine, CRAFTY_CLIENT_MENU) ||
           cn_engine_key_pressed(engine, CN_KEY_ESCAPE) ||
           (menu->page != CRAFTY_MENU_CLOSED && cn_engine_gamepad_pressed(engine, CN_GAMEPAD_B));
}

static CraftyInventoryView inventory_view(const CraftyMenuView *view)
{
    CraftyDevice device = view->settings.glyphs->device;
    return (CraftyInventoryView){.player = view->player,
                                 .connection = view->connection,
                                 .icons = view->icons,
                                 .uses_gamepad = crafty_device_is_gamepad(device),
                                 .uses_touch = device == CRAFTY_DEVICE_TOUCH};
}

/* The dialog of a mod opens over the game, not over other pages, which the player closes first.
 * Closing it is an answer, too. Returns true if the keys of this frame are used up. */
static bool follow_dialog(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    bool waits = view->dialog && crafty_mod_dialog_waits(&menu->dialog, view->dialog);
    if (menu->page == CRAFTY_MENU_DIALOG && waits && menu->shown > 0 &&
        is_back_pressed(menu, engine, view)) {
        crafty_mod_dialog_answer(&menu->dialog, view->connection, view->dialog, 0);
        waits = false;
    }
    if (menu->page == CRAFTY_MENU_DIALOG && !waits) {
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
        return true;
    }
    if (menu->page == CRAFTY_MENU_CLOSED && waits)
        go_to(menu, engine, view, CRAFTY_MENU_DIALOG);
    return menu->page == CRAFTY_MENU_DIALOG;
}

/* The simulation decides what is open and who is dead; the page follows. Returns true if the keys
 * of this frame are used up. */
static bool follow_player(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CraftyInventoryView inventory = inventory_view(view);
    bool is_dead = crafty_player_is_dead(cn_engine_world(engine), view->player);
    bool is_playing = menu->page == CRAFTY_MENU_CLOSED || menu->page == CRAFTY_MENU_INVENTORY ||
                      (is_dead && menu->page == CRAFTY_MENU_DIALOG);
    const CraftyPlayer *player = cn_get(cn_engine_world(engine), view->player, CraftyPlayer);
    bool toggles =
        player && player->mode != CRAFTY_MODE_SPECTATOR &&
        crafty_controls_pressed(view->settings.controls, engine, CRAFTY_CLIENT_INVENTORY);
    if (menu->page == CRAFTY_MENU_DEATH && !is_dead)
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
    if (is_dead && is_playing) {
        menu->death = (CraftyDeathScreen){0};
        go_to(menu, engine, view, CRAFTY_MENU_DEATH);
    }
    if (is_dead || !is_playing)
        return menu->page == CRAFTY_MENU_DEATH;
    bool was_open = menu->page == CRAFTY_MENU_INVENTORY;
    if (was_open && is_back_pressed(menu, engine, view))
        crafty_inventory_screen_close(&menu->inventory, engine, &inventory);
    else if (was_open && toggles && !inventory.uses_gamepad) /* Y moves stacks */
        crafty_inventory_screen_close(&menu->inventory, engine, &inventory);
    else if (!was_open && toggles)
        crafty_inventory_screen_open(&menu->inventory, engine, &inventory);
    bool is_open = crafty_inventory_screen_is_open(&menu->inventory, engine, &inventory);
    if (was_open && !is_open)
        CN_LOG_DEBUG("crafty", "the screen is closed");
    if (is_open != was_open)
        go_to(menu, engine, view, is_open ? CRAFTY_MENU_INVENTORY : CRAFTY_MENU_CLOSED);
    return is_open || was_open;
}

/* ---- Chat ---- */

static void open_chat(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view,
                      bool with_slash)
{
    crafty_chat_screen_open(view->chat, with_slash);
    go_to(menu, engine, view, CRAFTY_MENU_CHAT);
}

static bool is_chat_wanted(const CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CraftyControls *controls = view->settings.controls;
    return menu->page == CRAFTY_MENU_CLOSED && view->chat &&
           cn_get(cn_engine_world(engine), view->player, CraftyPlayer) &&
           (crafty_controls_pressed(controls, engine, CRAFTY_CLIENT_CHAT) ||
            crafty_controls_pressed(controls, engine, CRAFTY_CLIENT_COMMAND));
}

/* Also draws the last lines while the chat is closed. */
static void show_chat(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CraftyDevice device = view->settings.glyphs->device;
    bool is_open = menu->page == CRAFTY_MENU_CHAT;
    bool has_list = crafty_device_is_gamepad(device) || device == CRAFTY_DEVICE_TOUCH;
    if (!view->chat)
        return;
    if (crafty_chat_screen_frame(view->chat, engine,
                                 &(CraftyChatScreenView){.player = view->player,
                                                         .is_open = is_open,
                                                         .is_hidden = menu->hides_interface,
                                                         .has_quick_list = has_list}) &&
        is_open)
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
}

static void turn_pages(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CraftyControls *controls = view->settings.controls;
    bool focused = cn_engine_devices(engine)->input.focused;
    bool is_left = menu->was_focused && !focused;
    bool aims = is_captured(menu, engine, view->player);
    bool waits = menu->settings.bindings.waits;
    menu->was_focused = focused;
    if (follow_player(menu, engine, view) || follow_dialog(menu, engine, view)) {
        /* A click in the frame before the screen appears captures the mouse. */
        if (menu->page != CRAFTY_MENU_CLOSED && is_captured(menu, engine, view->player))
            capture(menu, engine, view, false);
        return;
    }
    if (is_left && aims) {
        go_to(menu, engine, view, CRAFTY_MENU_PAUSE);
    } else if (is_back_pressed(menu, engine, view)) {
        if (menu->page != CRAFTY_MENU_SETTINGS || !crafty_settings_screen_back(&menu->settings))
            go_to(menu, engine, view, after_escape(menu->page));
    } else if (!waits && crafty_controls_pressed(controls, engine, CRAFTY_CLIENT_SETTINGS)) {
        go_to(menu, engine, view,
              menu->page == CRAFTY_MENU_SETTINGS ? CRAFTY_MENU_CLOSED : CRAFTY_MENU_SETTINGS);
    } else if (is_chat_wanted(menu, engine, view)) {
        open_chat(menu, engine, view,
                  crafty_controls_pressed(controls, engine, CRAFTY_CLIENT_COMMAND));
    } else if (is_clicked_beside(menu, engine)) {
        go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
    } else if (aims) { /* a click outside of the window */
        menu->page = CRAFTY_MENU_CLOSED;
    }
}

/* ---- Pause ---- */

/* What the keys and buttons do, in two columns. On touch screens the controls are visible. */
static void show_keys(CnUi *ui, const CraftyGlyphs *glyphs)
{
    static const char *const actions[] = {
        "move",       "fast",      "jump",      "slow", "break_block", "place_block",
        "pick_block", "next_slot", "inventory", "chat", "change_view", "debug_info"};
    if (glyphs->device == CRAFTY_DEVICE_TOUCH)
        return;
    float factor = cn_ui_theme(ui)->text_size / CN_TEXT_SIZE, height = KEY_HEIGHT * factor;
    cn_ui_begin_row(ui, NULL, 2);
    for (uint32_t i = 0; i < CN_COUNT_OF(actions); i++) {
        if (crafty_glyph_width(glyphs, cn_ui_canvas(ui), height, actions[i]) == 0)
            continue;
        CnRect rect = cn_ui_reserve(ui, height + KEY_SPACING - cn_ui_theme(ui)->spacing + 2);
        crafty_glyph_prompt(glyphs, cn_ui_canvas(ui), (CnVec2){rect.x, rect.y}, height, actions[i],
                            crafty_action_title(actions[i]));
    }
    cn_ui_end_row(ui);
}

static CnRect in_the_middle(CnEngine *engine, float width)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    return (CnRect){(area.width - width) / 2, area.height * 0.05f, width, 0};
}

static void show_mod_errors(CnUi *ui, CraftyModErrors *errors)
{
    cn_ui_separator(ui);
    for (uint32_t i = 0; i < errors->count; i++)
        cn_ui_text(ui, errors->texts[i]);
    if (cn_ui_button(ui, "Hide the errors of mods"))
        crafty_mod_errors_dismiss(errors);
}

static void show_pause(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    const CraftyGlyphs *glyphs = view->settings.glyphs;
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "Crafty",
                                             .rect = in_the_middle(
                                                 engine, PAUSE_WIDTH * crafty_ui_text_factor(ui)),
                                             .flags = CN_UI_MODAL | CN_UI_NO_MOVE})) {
        if (menu->shown == 1 && crafty_device_is_gamepad(glyphs->device))
            cn_ui_focus_next(ui);
        if (cn_ui_button(ui, "Resume"))
            go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
        cn_ui_begin_row(ui, NULL, view->chat ? 2 : 1);
        if (cn_ui_button(ui, "Settings"))
            go_to(menu, engine, view, CRAFTY_MENU_SETTINGS);
        if (view->chat && cn_ui_button(ui, crafty_rules_allow_commands(cn_engine_world(engine))
                                               ? "Chat and commands"
                                               : "Chat"))
            open_chat(menu, engine, view, false);
        cn_ui_end_row(ui);
        cn_ui_begin_row(ui, NULL, view->has_list ? 2 : 1);
        if (view->has_list && cn_ui_button(ui, "Save and quit to title"))
            menu->leaves_world = true;
        if (cn_ui_button(ui, view->has_list ? "Save and quit" : "Quit"))
            menu->quits = true;
        cn_ui_end_row(ui);
        if (view->save_text)
            cn_ui_label_colored(ui, cn_ui_theme(ui)->text_dim, CN_ALIGN_CENTER, view->save_text);
        if (view->mod_errors && crafty_mod_errors_exist(view->mod_errors))
            show_mod_errors(ui, view->mod_errors);
        cn_ui_separator(ui);
        show_keys(ui, glyphs);
    }
    cn_ui_end_window(ui);
}

/* ---- Settings ---- */

static bool show_settings(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CraftySettingsEvents events =
        crafty_settings_screen_frame(&menu->settings, engine, &view->settings);
    if (events & CRAFTY_SETTINGS_CLOSE)
        go_to(menu, engine, view, CRAFTY_MENU_PAUSE);
    return events & CRAFTY_SETTINGS_CHANGE_FEATURES;
}

/* ---- Screens of the player ---- */

static void show_inventory(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    CraftyInventoryView inventory = inventory_view(view);
    if (!crafty_inventory_screen_frame(&menu->inventory, engine, &inventory))
        crafty_inventory_screen_close(&menu->inventory, engine, &inventory);
}

static void show_death(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CraftyVitals *vitals = cn_get(cn_engine_world(engine), view->player, CraftyVitals);
    switch (crafty_death_screen_frame(&menu->death, engine, vitals, view->has_list)) {
    case CRAFTY_DEATH_RESPAWN:
        send(engine, view, (CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN});
        break;
    case CRAFTY_DEATH_QUIT:
        menu->leaves_world = view->has_list;
        menu->quits = !view->has_list;
        break;
    case CRAFTY_DEATH_NONE:
        break;
    }
}

static void show_dialog(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    uint32_t choice;
    if (!crafty_mod_dialog_frame(&menu->dialog, engine, view->dialog, &choice))
        return;
    crafty_mod_dialog_answer(&menu->dialog, view->connection, view->dialog, choice);
    go_to(menu, engine, view, CRAFTY_MENU_CLOSED);
}

void crafty_menu_reset(CraftyMenu *menu)
{
    crafty_inventory_screen_fini(&menu->inventory);
    *menu = (CraftyMenu){.settings.tab = menu->settings.tab, .was_focused = menu->was_focused};
}

bool crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    bool changed = false;
    if (menu->page == CRAFTY_MENU_CLOSED &&
        crafty_controls_pressed(view->settings.controls, engine, CRAFTY_CLIENT_HIDE))
        menu->hides_interface = !menu->hides_interface;
    turn_pages(menu, engine, view);
    CraftyMenuPage page = menu->page;
    if (page == CRAFTY_MENU_PAUSE)
        show_pause(menu, engine, view);
    else if (page == CRAFTY_MENU_SETTINGS)
        changed = show_settings(menu, engine, view);
    else if (page == CRAFTY_MENU_INVENTORY)
        show_inventory(menu, engine, view);
    else if (page == CRAFTY_MENU_DEATH)
        show_death(menu, engine, view);
    else if (page == CRAFTY_MENU_DIALOG)
        show_dialog(menu, engine, view);
    show_chat(menu, engine, view);
    menu->shown += menu->page == page;
    crafty_controls_set_idle(view->settings.controls, menu->page == CRAFTY_MENU_INVENTORY ||
                                                          menu->page == CRAFTY_MENU_DEATH ||
                                                          menu->page == CRAFTY_MENU_CHAT ||
                                                          menu->page == CRAFTY_MENU_DIALOG);
    pause_or_go_on(menu, engine, view);
    return changed;
}

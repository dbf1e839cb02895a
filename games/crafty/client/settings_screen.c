#include "settings_screen.h"

#include "ui_style.h"

#define WIDTH 440.0f
#define MARGIN 12.0f
#define LEAST_SCROLL 60.0f

static const char *const tab_names[] = {[CRAFTY_TAB_VIDEO] = "Video",
                                        [CRAFTY_TAB_AUDIO] = "Audio",
                                        [CRAFTY_TAB_CONTROLS] = "Controls",
                                        [CRAFTY_TAB_ACCESSIBILITY] = "Accessibility"};

static CraftyTuning tuning_of(const CraftySettingsView *view)
{
    return (CraftyTuning){*view->quality, view->settings->effects, view->settings->view_distance,
                          *view->preferences};
}

/* ---- Widgets ---- */

static void show_preference(CnUi *ui, CraftyPreferences *preferences, uint32_t number)
{
    const CraftyPreference *info = crafty_preference(number);
    float value = crafty_preference_get(preferences, number);
    uint32_t name = (uint32_t)value;
    int32_t percent = (int32_t)(value * 100 + 0.5f), whole = (int32_t)value;
    bool on = value > 0;
    switch (info->kind) {
    case CRAFTY_PREFERENCE_FLAG:
        if (cn_ui_checkbox(ui, info->title, &on))
            crafty_preference_set(preferences, number, on ? 1 : 0);
        break;
    case CRAFTY_PREFERENCE_NAME:
        if (cn_ui_combo(ui, info->title, &name, info->names, info->name_count))
            crafty_preference_set(preferences, number, (float)name);
        break;
    case CRAFTY_PREFERENCE_NUMBER:
        if (info->maximum > 10) { /* degrees */
            if (cn_ui_slider_int(ui, info->title, &whole, (int32_t)info->minimum,
                                 (int32_t)info->maximum))
                crafty_preference_set(preferences, number, (float)whole);
        } else if (cn_ui_slider_int(ui, cn_ui_format(ui, "%s (%%)", info->title), &percent,
                                    (int32_t)(info->minimum * 100 + 0.5f),
                                    (int32_t)(info->maximum * 100 + 0.5f))) {
            crafty_preference_set(preferences, number, (float)percent / 100);
        }
        break;
    }
}

/* Numbers and names use the whole width; flags follow in pairs. */
static void show_preferences(CnUi *ui, CraftyPreferences *preferences, CraftyTab tab)
{
    for (uint32_t i = 0; crafty_preference(i); i++)
        if (crafty_preference(i)->tab == tab &&
            crafty_preference(i)->kind != CRAFTY_PREFERENCE_FLAG)
            show_preference(ui, preferences, i);
    for (uint32_t i = 0; crafty_preference(i); i++)
        if (crafty_preference(i)->tab == tab &&
            crafty_preference(i)->kind == CRAFTY_PREFERENCE_FLAG)
            show_preference(ui, preferences, i);
}

/* ---- Tabs ---- */

static bool show_quality(CnUi *ui, const CraftySettingsView *view)
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

static bool show_video(const CraftySettingsScreen *screen, CnUi *ui, const CraftySettingsView *view)
{
    bool changed = show_quality(ui, view);
    int32_t distance = (int32_t)view->settings->view_distance;
    if (cn_ui_slider_int(ui, "View distance", &distance, CRAFTY_MIN_DISTANCE, CRAFTY_MAX_DISTANCE))
        view->settings->view_distance = (uint32_t)distance;
    if (screen->error_text[0])
        cn_ui_text(ui, screen->error_text);
    if (view->refused)
        cn_ui_text(ui, "Not enough memory for all chunks. Reduce the view distance.");
    show_preferences(ui, view->preferences, CRAFTY_TAB_VIDEO);
    cn_ui_separator(ui);
    return show_effects(ui, view->settings) || changed;
}

static void show_controls(CraftySettingsScreen *screen, CnUi *ui, const CraftySettingsView *view)
{
    if (cn_ui_button(ui, "Keys and buttons ..."))
        screen->shows_bindings = true;
    show_preferences(ui, view->preferences, CRAFTY_TAB_CONTROLS);
}

/* Returns whether the features have to change. */
static bool show_tab(CraftySettingsScreen *screen, CnUi *ui, const CraftySettingsView *view)
{
    switch ((CraftyTab)screen->tab) {
    case CRAFTY_TAB_VIDEO:
        return show_video(screen, ui, view);
    case CRAFTY_TAB_AUDIO:
        show_preferences(ui, view->preferences, CRAFTY_TAB_AUDIO);
        return false;
    case CRAFTY_TAB_CONTROLS:
        show_controls(screen, ui, view);
        return false;
    case CRAFTY_TAB_ACCESSIBILITY:
        show_preferences(ui, view->preferences, CRAFTY_TAB_ACCESSIBILITY);
        crafty_ui_dim_text(ui, "The field of view and the size of the interface are on the tab "
                               "\"Video\", toggles for sneaking and sprinting on \"Controls\".");
        return false;
    case CRAFTY_TAB_COUNT:
        break;
    }
    return false;
}

/* ---- Reset ---- */

static void apply(const CraftySettingsView *view, const CraftyTuning *tuning)
{
    if (*view->quality != tuning->quality)
        *view->settings = crafty_settings(tuning->quality);
    *view->quality = tuning->quality;
    view->settings->effects = tuning->effects;
    view->settings->view_distance = tuning->view_distance;
    *view->preferences = tuning->preferences;
}

static void reset(CraftySettingsScreen *screen, const CraftySettingsView *view)
{
    screen->undo = tuning_of(view);
    screen->has_undo = true;
    crafty_preferences_reset(view->preferences, (CraftyTab)screen->tab);
    if (screen->tab != CRAFTY_TAB_VIDEO)
        return;
    *view->quality = view->device_quality;
    *view->settings = crafty_settings(view->device_quality);
}

/* Returns whether the features have to change. */
static bool show_buttons(CraftySettingsScreen *screen, CnUi *ui, const CraftySettingsView *view,
                         bool *closes)
{
    uint32_t effects = view->settings->effects;
    CraftyQuality quality = *view->quality;
    cn_ui_begin_row(ui, NULL, 2);
    if (screen->has_undo) {
        if (cn_ui_button(ui, "Undo reset")) {
            apply(view, &screen->undo);
            screen->has_undo = false;
        }
    } else if (cn_ui_button(ui, "Reset this tab")) {
        reset(screen, view);
    }
    *closes = cn_ui_button(ui, "Done");
    cn_ui_end_row(ui);
    return view->settings->effects != effects || *view->quality != quality;
}

/* ---- Screen ---- */

void crafty_settings_screen_reset(CraftySettingsScreen *screen)
{
    *screen = (CraftySettingsScreen){.tab = screen->tab};
}

bool crafty_settings_screen_back(CraftySettingsScreen *screen)
{
    if (!screen->shows_bindings)
        return false;
    if (!crafty_bindings_screen_back(&screen->bindings))
        screen->shows_bindings = false;
    return true;
}

static CnRect window_rect(CnEngine *engine)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    float width = WIDTH * crafty_ui_text_factor(cn_engine_ui(engine));
    width = width < area.width - 2 * MARGIN ? width : area.width - 2 * MARGIN;
    return (CnRect){area.width - width - MARGIN, MARGIN, width, area.height - 2 * MARGIN};
}

/* Returns the height that is left for the contents between the tabs and the buttons. */
static float scroll_height(CnUi *ui, float window_height)
{
    const CnUiTheme *theme = cn_ui_theme(ui);
    float used =
        theme->title_size + 14 + 2 * theme->padding + 2 * theme->row_height + 2 * theme->spacing;
    return window_height - used > LEAST_SCROLL ? window_height - used : LEAST_SCROLL;
}

CraftySettingsEvents crafty_settings_screen_frame(CraftySettingsScreen *screen, CnEngine *engine,
                                                  const CraftySettingsView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    bool closes = false, changed = false;
    if (screen->shows_bindings) {
        if (crafty_bindings_screen_frame(&screen->bindings, engine, view->controls, view->glyphs))
            screen->shows_bindings = false;
        return 0;
    }
    CnRect rect = window_rect(engine);
    if (cn_ui_begin_window(
            ui, &(CnUiWindow){.title = "Settings",
                              .rect = rect,
                              .flags = CN_UI_NO_MOVE | CN_UI_NO_RESIZE | CN_UI_NO_SCROLL})) {
        if (screen->shown == 1)
            cn_ui_focus_next(ui);
        if (cn_ui_tabs(ui, "tabs", &screen->tab, tab_names, CRAFTY_TAB_COUNT))
            screen->has_undo = false;
        cn_ui_begin_scroll(ui, tab_names[screen->tab], scroll_height(ui, rect.height));
        changed = show_tab(screen, ui, view);
        cn_ui_end_scroll(ui);
        changed |= show_buttons(screen, ui, view, &closes);
    }
    cn_ui_end_window(ui);
    screen->shown++;
    return (changed ? CRAFTY_SETTINGS_CHANGE_FEATURES : 0u) | (closes ? CRAFTY_SETTINGS_CLOSE : 0u);
}

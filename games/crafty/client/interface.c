#include "interface.h"

#include "ui_style.h"

#include <cairn/base/console.h>

/* ---- Frames ---- */

static bool is_pressed(Crafty *crafty, CraftyClientAction action)
{
    return !crafty->menu.settings.bindings.waits &&
           crafty_controls_pressed(crafty->controls, crafty->engine, action);
}

/* Keys that work on every screen. */
static void handle_keys(Crafty *crafty)
{
    CnEngine *engine = crafty->engine;
    CnError error = {0};
    if (is_pressed(crafty, CRAFTY_CLIENT_SCREENSHOT) &&
        !cn_engine_screenshot_numbered(engine, &error))
        cn_print_error("%s", error.message);
    if (is_pressed(crafty, CRAFTY_CLIENT_OVERLAY)) {
        CnOverlayPage page = cn_engine_overlay(engine)->page;
        cn_engine_show_overlay(engine, (CnOverlayPage)((page + 1) % CN_OVERLAY_PAGE_COUNT));
    }
    if (is_pressed(crafty, CRAFTY_CLIENT_FULLSCREEN)) {
        CraftyTuning before = crafty_interface_tuning(crafty);
        crafty->preferences.fullscreen = !crafty->preferences.fullscreen;
        crafty_interface_apply(crafty, &before, false);
    }
}

static void use_touches(Crafty *crafty)
{
    CnEngine *engine = crafty->engine;
    CnActions actions;
    if (cn_engine_is_headless(engine))
        return;
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnRect area = cn_canvas_area(canvas);
    crafty_touch_controls_frame(
        &crafty->touch,
        &(CraftyTouchView){.input = &cn_engine_devices(engine)->input,
                           .actions = cn_action_map_actions(crafty_controls_map(crafty->controls)),
                           .area = {area.width, area.height},
                           .scale = cn_canvas_scale(canvas),
                           .seconds = (float)cn_engine_time(engine)->unscaled_delta,
                           .plays = crafty->play && crafty->menu.page == CRAFTY_MENU_CLOSED},
        &actions);
    crafty_controls_add(crafty->controls, &actions);
}

void crafty_interface_begin(Crafty *crafty)
{
    const CraftyPlay *play = crafty->play;
    bool is_sent = play && !crafty->menu.is_paused && !play->replay && !crafty_is_leaving(crafty);
    if (!cn_engine_is_headless(crafty->engine)) {
        cn_engine_set_ui_scale(crafty->engine, crafty->preferences.ui_scale);
        crafty_ui_style_apply(cn_engine_ui(crafty->engine), &crafty->preferences);
        crafty->hud.icons.text_size = crafty_ui_text_factor(cn_engine_ui(crafty->engine));
        crafty->hud.icons.high_contrast = crafty->preferences.high_contrast;
    }
    use_touches(crafty);
    crafty_controls_frame(crafty->controls, cn_engine_devices(crafty->engine),
                          is_sent ? play->connection : NULL);
    crafty_glyphs_frame(&crafty->glyphs, crafty->controls, crafty->engine);
    handle_keys(crafty);
}

/* ---- Settings ---- */

CraftyTuning crafty_interface_tuning(const Crafty *crafty)
{
    return (CraftyTuning){crafty->quality, crafty->settings.effects, crafty->settings.view_distance,
                          crafty->preferences};
}

CraftySettingsView crafty_interface_settings(Crafty *crafty)
{
    const CraftyPlay *play = crafty->play;
    return (CraftySettingsView){.quality = &crafty->quality,
                                .device_quality = crafty->device_quality,
                                .settings = &crafty->settings,
                                .preferences = &crafty->preferences,
                                .controls = crafty->controls,
                                .glyphs = &crafty->glyphs,
                                .refused = play && play->shown.blocks
                                               ? cn_block_view_stats(play->shown.blocks).refused
                                               : 0};
}

void crafty_interface_set_brightness(Crafty *crafty)
{
    CnFeature *feature = cn_renderer_feature(cn_engine_renderer(crafty->engine), "Tone map");
    if (feature)
        cn_tone_map_set_exposure(feature, crafty->preferences.brightness);
}

/* Without a world, the features are created when one is opened. */
static void change_features(Crafty *crafty, const CraftyTuning *before)
{
    CnError error = {0};
    if (!crafty->play || !crafty->play->shown.blocks)
        return;
    if (!crafty_preset_change(cn_engine_renderer(crafty->engine), &crafty->settings,
                              &crafty->play->shown, &error)) {
        crafty->settings = crafty_settings(before->quality);
        crafty->settings.effects = before->effects;
        crafty->settings.view_distance = before->view_distance;
        crafty->quality = before->quality;
        cn_copy_text(crafty->menu.settings.error_text, sizeof crafty->menu.settings.error_text,
                     cn_text(error.message));
    }
    crafty_interface_set_brightness(crafty);
}

void crafty_interface_apply(Crafty *crafty, const CraftyTuning *before, bool features_changed)
{
    const CraftyPreferences *old = &before->preferences, *now = &crafty->preferences;
    if (features_changed)
        change_features(crafty, before);
    if (now->vsync != old->vsync)
        cn_engine_set_vsync(crafty->engine, now->vsync);
    if (now->fullscreen != old->fullscreen)
        cn_engine_set_fullscreen(crafty->engine, now->fullscreen);
    if (now->brightness != old->brightness)
        crafty_interface_set_brightness(crafty);
    crafty->lens.fov = now->fov;
    crafty->lens.far_plane = crafty_far_plane(&crafty->settings);
    crafty_controls_set_preferences(crafty->controls, now);
    crafty_game_sound_set_volumes(crafty);
    if (now->hints && !old->hints) /* all of them again */
        crafty->file.choices.hints_done = 0;
    CraftyTuning after = crafty_interface_tuning(crafty);
    if (crafty_choices_note(&crafty->file.choices, before, &after))
        crafty->file.is_changed = true;
}

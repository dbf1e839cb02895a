#include "menu.h"

#define CROSS_ARM 7.0f
#define CROSS_WIDTH 2.0f

static void draw_cross(CnEngine *engine)
{
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnRect area = cn_canvas_area(canvas);
    float x = area.x + area.width / 2, y = area.y + area.height / 2;
    CnBox box = {.fill = cn_color_fade(cn_rgb(0xFFFFFF), 0.7f)};
    cn_canvas_box(canvas, (CnRect){x - CROSS_ARM, y - CROSS_WIDTH / 2, 2 * CROSS_ARM, CROSS_WIDTH},
                  &box);
    cn_canvas_box(canvas, (CnRect){x - CROSS_WIDTH / 2, y - CROSS_ARM, CROSS_WIDTH, 2 * CROSS_ARM},
                  &box);
}

static void fill_overlay(CnEngine *engine, const CraftyMenuView *view)
{
    CnOverlayData *overlay = cn_engine_overlay(engine);
    if (overlay->page == CN_OVERLAY_OFF)
        return;
    CraftyLandStats stats = crafty_land_stats(view->land);
    cn_format(overlay->more[0], sizeof overlay->more[0], "at %.1f %.1f %.1f", (double)view->eye.x,
              (double)view->eye.y, (double)view->eye.z);
    cn_format(overlay->more[1], sizeof overlay->more[1], "%u of %u chunks, %u wanted, %u far tiles",
              stats.view.drawn_chunks, stats.view.chunks, stats.voxels.waiting,
              stats.view.far_tiles);
    cn_format(overlay->more[2], sizeof overlay->more[2], "%.2f of %.2f million quads",
              (double)stats.view.drawn_quads * 1e-6, (double)stats.view.quads * 1e-6);
}

/* ---- Settings ---- */

/* Those that are features of the renderer; others are chosen at the start. */
static void show_effects(CnUi *ui, CnRenderer *renderer, CraftySettings *settings)
{
    for (uint32_t i = 0; crafty_effect_name(i); i++) {
        const char *name = crafty_effect_feature(i);
        CnFeature *feature = name ? cn_renderer_feature(renderer, name) : NULL;
        if (!feature)
            continue;
        bool on = cn_feature_is_enabled(feature);
        if (!cn_ui_checkbox(ui, name, &on))
            continue;
        cn_feature_enable(feature, on);
        settings->effects ^= 1u << i;
    }
}

static void show_settings(CraftyMenu *menu, CnEngine *engine, CraftySettings *settings)
{
    CnUi *ui = cn_engine_ui(engine);
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "Settings",
                                             .rect = {24, 24, 320, 560},
                                             .open = &menu->is_open})) {
        int32_t distance = (int32_t)settings->view_distance;
        if (cn_ui_slider_int(ui, "View distance", &distance, 2, 48))
            settings->view_distance = (uint32_t)distance;
        cn_ui_separator(ui);
        show_effects(ui, cn_engine_renderer(engine), settings);
    }
    cn_ui_end_window(ui);
}

void crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view)
{
    const CnInputState *input = cn_resource(cn_engine_world(engine), CnInputState);
    bool is_held = cn_key_held(input, CN_KEY_F4);
    menu->is_open ^= is_held && !menu->was_held;
    menu->was_held = is_held;
    if (view->aims)
        draw_cross(engine);
    if (menu->is_open)
        show_settings(menu, engine, view->settings);
    fill_overlay(engine, view);
}

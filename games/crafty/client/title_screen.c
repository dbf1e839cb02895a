#include "title_screen.h"

#include "hud.h"
#include "ui_style.h"

#include <cairn/base/log.h>
#include <cairn/base/version.h>

#define BUTTONS_WIDTH 220.0f
#define BUTTON_HEIGHT 32.0f
#define DIM 0.3f /* of the landscape */

/* The picture fills the area; its middle is shown if that has another shape. */
static void draw_still(CnCanvas *canvas, CnRect area, CnTexture still)
{
    float shape = area.height > 0 ? area.width / area.height * 9 / 16 : 1;
    CnRect part = {0, 0, 1, 1};
    if (shape < 1)
        part = (CnRect){(1 - shape) / 2, 0, shape, 1};
    else
        part = (CnRect){0, (1 - 1 / shape) / 2, 1, 1 / shape};
    cn_canvas_sprite(canvas, area, &(CnSprite){.texture = still, .part = part});
}

void crafty_title_background(CnCanvas *canvas, CraftyLandscape landscape)
{
    CnRect area = cn_canvas_area(canvas);
    float plain = 1 - landscape.visible;
    if (landscape.still.id)
        draw_still(canvas, area, landscape.still);
    else if (plain > 0)
        cn_canvas_box(canvas, area,
                      &(CnBoxStyle){.fill = cn_color_fade(cn_rgb(0x2F5F96), plain),
                                    .gradient = CN_GRADIENT_VERTICAL,
                                    .fill_to = cn_color_fade(cn_rgb(0x9FC3E6), plain)});
    cn_canvas_fill(canvas, area, cn_color_fade(cn_rgb(0x0A1018), DIM));
}

void crafty_title_name(CnCanvas *canvas, float y, float size)
{
    CnRect area = cn_canvas_area(canvas);
    CnTextLayout middle = {.align_x = CN_ALIGN_CENTER};
    CnTextStyle shadow = {.size = size, .color = cn_rgba(0x08101CB0)};
    CnTextStyle style = {.size = size, .color = cn_rgb(0xFFFFFF)};
    float depth = size * 0.06f;
    for (uint32_t i = 0; i < 2; i++)
        cn_canvas_text_in(canvas,
                          (CnRect){area.x + depth * (float)(i + 1) / 2,
                                   y + depth * (float)(i + 1) / 2, area.width, size},
                          &shadow, &middle, cn_text("Crafty"));
    cn_canvas_text_in(canvas, (CnRect){area.x, y, area.width, size}, &style, &middle,
                      cn_text("Crafty"));
}

static void draw_footer(CnCanvas *canvas, const CraftyGlyphs *glyphs)
{
    CnRect area = cn_canvas_area(canvas);
    char text[64];
    cn_format(text, sizeof text, "Crafty on Cairn %s", cn_version());
    cn_canvas_text(canvas, area.x + 10, area.y + area.height - 22,
                   &(CnTextStyle){.size = 12, .color = cn_rgba(0xFFFFFFD0)}, cn_text(text));
    if (!crafty_device_is_gamepad(glyphs->device))
        return;
    float x = area.x + area.width - 80, y = area.y + area.height - 26;
    float width = crafty_glyph_draw_control(canvas, (CnVec2){x, y}, 18, glyphs->device,
                                            (CnControl)CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_A));
    cn_canvas_text(canvas, x + width + 6, y + 2,
                   &(CnTextStyle){.size = 13, .color = cn_rgb(0xFFFFFF)}, cn_text("Select"));
}

static CraftyTitleEvent show_buttons(CraftyTitleScreen *screen, CnUi *ui, bool is_canceled)
{
    static const struct {
        const char *label;
        CraftyTitleEvent event;
    } buttons[] = {{"Play", CRAFTY_TITLE_PLAY},
                   {"New world", CRAFTY_TITLE_NEW_WORLD},
                   {"Settings", CRAFTY_TITLE_SETTINGS},
                   {"Quit", CRAFTY_TITLE_QUIT}};
    CraftyTitleEvent event = CRAFTY_TITLE_STAYS;
    for (uint32_t i = 0; i < CN_COUNT_OF(buttons); i++) {
        if (i == 0 && !screen->has_focus)
            cn_ui_focus_next(ui);
        cn_ui_next_height(ui, BUTTON_HEIGHT * crafty_ui_text_factor(ui));
        if (cn_ui_button(ui, buttons[i].label))
            event = buttons[i].event;
        if (i > 0 || screen->has_focus || !cn_ui_is_focused(ui))
            continue;
        screen->has_focus = true;
        CN_LOG_DEBUG("crafty", "the title is shown");
    }
    if (is_canceled) /* there is nothing to go back to: Return still plays */
        screen->has_focus = false;
    return event;
}

CraftyTitleEvent crafty_title_screen_frame(CraftyTitleScreen *screen, CnEngine *engine,
                                           const CraftyTitleView *view)
{
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(canvas);
    float width = BUTTONS_WIDTH * crafty_ui_text_factor(ui);
    CnRect rect = {area.x + (area.width - width) / 2, area.y + area.height * 0.4f, width, 0};
    CraftyTitleEvent event = CRAFTY_TITLE_STAYS;
    crafty_title_background(canvas, view->landscape);
    crafty_title_name(canvas, area.y + area.height * 0.12f, area.height * 0.17f);
    draw_footer(canvas, view->glyphs);
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "title",
                                             .rect = rect,
                                             .flags = CN_UI_PANEL | CN_UI_NO_BACKGROUND}))
        event = show_buttons(screen, ui,
                             cn_engine_key_pressed(engine, CN_KEY_ESCAPE) ||
                                 cn_engine_gamepad_pressed(engine, CN_GAMEPAD_B));
    cn_ui_end_window(ui);
    return event;
}

#include "death_screen.h"

#include "ui_style.h"

#define WIDTH 260.0f
#define WAIT_FRAMES 30u

const char *crafty_death_text(uint32_t cause)
{
    static const char *const texts[CRAFTY_DAMAGE_COUNT] = {
        [CRAFTY_DAMAGE_FALL] = "You fell from a great height",
        [CRAFTY_DAMAGE_DROWNING] = "You drowned",
        [CRAFTY_DAMAGE_HUNGER] = "You starved",
        [CRAFTY_DAMAGE_LAVA] = "You burned in lava",
        [CRAFTY_DAMAGE_HEAT] = "You burned",
        [CRAFTY_DAMAGE_CREATURE] = "You were slain",
        [CRAFTY_DAMAGE_BLAST] = "You were blown up",
        [CRAFTY_DAMAGE_MOD] = "You met your fate",
        [CRAFTY_DAMAGE_CACTUS] = "You were pricked to death by a cactus",
        [CRAFTY_DAMAGE_VOID] = "You fell out of the world",
    };
    return cause < CRAFTY_DAMAGE_COUNT && texts[cause] ? texts[cause] : "You are dead";
}

static void draw_title(CnCanvas *canvas, float y, const char *cause, float text_size)
{
    CnRect area = cn_canvas_area(canvas);
    const CnTextLayout middle = {.align_x = CN_ALIGN_CENTER};
    cn_canvas_fill(canvas, area, cn_rgba(0x50080890));
    CnTextStyle style = {.size = 36, .color = cn_rgba(0x000000A0)};
    cn_canvas_text_in(canvas, (CnRect){1.5f, y + 1.5f, area.width, 40}, &style, &middle,
                      cn_text("You died"));
    style.color = cn_rgb(0xFFFFFF);
    cn_canvas_text_in(canvas, (CnRect){0, y, area.width, 40}, &style, &middle, cn_text("You died"));
    style = (CnTextStyle){.size = 16 * text_size, .color = cn_rgb(0xF4E4E4)};
    cn_canvas_text_in(canvas, (CnRect){0, y + 48, area.width, 20}, &style, &middle, cn_text(cause));
}

CraftyDeathChoice crafty_death_screen_frame(CraftyDeathScreen *screen, CnEngine *engine,
                                            const CraftyVitals *vitals, bool has_title)
{
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    CraftyDeathChoice choice = CRAFTY_DEATH_NONE;
    cn_ui_begin_window(ui, &(CnUiWindow){.title = "Death",
                                         .rect = area,
                                         .flags = CN_UI_PANEL | CN_UI_MODAL | CN_UI_NO_SCROLL |
                                                  CN_UI_NO_BACKGROUND});
    float y = area.height * 0.24f, factor = crafty_ui_text_factor(ui), width = WIDTH * factor;
    draw_title(cn_ui_canvas(ui), y, crafty_death_text(vitals->cause), factor);
    cn_ui_begin_region(ui, (CnRect){(area.width - width) / 2, y + 96, width, 0});
    cn_ui_begin_disabled(ui, screen->shown < WAIT_FRAMES);
    if (screen->shown == WAIT_FRAMES)
        cn_ui_focus_next(ui);
    if (cn_ui_button(ui, "Respawn"))
        choice = CRAFTY_DEATH_RESPAWN;
    if (cn_ui_button(ui, has_title ? "Save and quit to title" : "Save and quit"))
        choice = CRAFTY_DEATH_QUIT;
    cn_ui_end_disabled(ui);
    cn_ui_end_region(ui);
    cn_ui_end_window(ui);
    screen->shown++;
    return choice;
}

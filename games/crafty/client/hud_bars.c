#include "hud_bars.h"

#include <cairn/base/math.h>

#define SYMBOLS 10u
#define SIZE 14.0f
#define PITCH 14.0f
#define GAP 3.0f /* above the hotbar */
#define FLASH_SECONDS 0.5f
#define PULSE_SECONDS 1.2f
#define LOW_HEALTH 4.0f
#define LOW_FOOD 4.0f

void crafty_hud_bars_hurt(CraftyHudBars *bars)
{
    bars->flash = 1;
}

/* ---- Bars ---- */

/* Full, half or empty by points, of which a symbol stands for two. */
static CraftySymbol symbol_of(CraftySymbol full, float points, uint32_t index)
{
    float left = points - 2 * (float)index;
    return left > 1 ? full : left > 0 ? (CraftySymbol)(full + 1) : (CraftySymbol)(full + 2);
}

/* Moves symbols up and down by a point, one after the other. */
static float shake(const CraftyHudBars *bars, uint32_t index, bool shakes)
{
    float wave = bars->phase * 4 + (float)index * 0.37f;
    wave -= cn_floorf(wave);
    return shakes ? (wave < 0.5f ? -0.75f : 0.75f) : 0;
}

static void draw_hearts(const CraftyHudBars *bars, CnCanvas *canvas, const CraftyItemIcons *icons,
                        CnRect hotbar, float y, float health, bool is_still)
{
    bool shakes = !is_still && health <= LOW_HEALTH;
    for (uint32_t i = 0; i < SYMBOLS; i++)
        crafty_symbol_draw(
            icons, canvas,
            (CnRect){hotbar.x + (float)i * PITCH, y + shake(bars, i, shakes), SIZE, SIZE},
            symbol_of(CRAFTY_SYMBOL_HEART, health, i), 1);
}

/* From the right to the left. */
static void draw_food(const CraftyHudBars *bars, CnCanvas *canvas, const CraftyItemIcons *icons,
                      CnRect hotbar, float y, float food, bool is_still)
{
    bool shakes = !is_still && food <= LOW_FOOD;
    float right = hotbar.x + hotbar.width;
    for (uint32_t i = 0; i < SYMBOLS; i++)
        crafty_symbol_draw(
            icons, canvas,
            (CnRect){right - (float)i * PITCH - SIZE, y + shake(bars, i, shakes), SIZE, SIZE},
            symbol_of(CRAFTY_SYMBOL_FOOD, food, i), 1);
}

static void draw_air(CnCanvas *canvas, const CraftyItemIcons *icons, CnRect hotbar, float y,
                     float air)
{
    uint32_t count = (uint32_t)cn_ceilf(air / CRAFTY_MAX_AIR * SYMBOLS);
    float right = hotbar.x + hotbar.width;
    for (uint32_t i = 0; i < count && i < SYMBOLS; i++)
        crafty_symbol_draw(icons, canvas, (CnRect){right - (float)i * PITCH - SIZE, y, SIZE, SIZE},
                           CRAFTY_SYMBOL_BUBBLE, 1);
}

float crafty_hud_bars_draw(CraftyHudBars *bars, CnCanvas *canvas, const CraftyItemIcons *icons,
                           CnRect hotbar, const CraftyVitals *vitals, float seconds, bool is_still)
{
    float y = cn_canvas_snap(canvas, hotbar.y - GAP - SIZE);
    bars->flash -= seconds / FLASH_SECONDS;
    bars->flash = bars->flash > 0 ? bars->flash : 0;
    bars->phase += seconds / PULSE_SECONDS;
    bars->phase -= cn_floorf(bars->phase);
    draw_hearts(bars, canvas, icons, hotbar, y, vitals->health, is_still);
    draw_food(bars, canvas, icons, hotbar, y, vitals->food, is_still);
    if (vitals->air >= CRAFTY_MAX_AIR)
        return y;
    y -= PITCH + 1;
    draw_air(canvas, icons, hotbar, y, vitals->air);
    return y;
}

/* ---- Edges ---- */

static void draw_edge(CnCanvas *canvas, CnRect rect, CnGradient gradient, CnColor from, CnColor to)
{
    cn_canvas_box(canvas, rect, &(CnBoxStyle){.fill = from, .gradient = gradient, .fill_to = to});
}

void crafty_hud_bars_vignette(const CraftyHudBars *bars, CnCanvas *canvas,
                              const CraftyVitals *vitals, bool is_still)
{
    float low = vitals->health <= LOW_HEALTH ? 1 - vitals->health / (LOW_HEALTH + 2) : 0;
    float pulse = bars->phase < 0.5f ? 2 * bars->phase : 2 - 2 * bars->phase;
    float strength = low * (is_still ? 0.5f : 0.35f + 0.3f * pulse);
    float flash = bars->flash * (is_still ? 0.4f : 0.6f);
    strength = flash > strength ? flash : strength;
    if (strength <= 0.01f)
        return;
    CnRect area = cn_canvas_area(canvas);
    float width = area.height * 0.22f;
    CnColor red = cn_color_fade(cn_rgb(0xB01010), strength), clear = cn_rgba(0xB0101000);
    draw_edge(canvas, (CnRect){0, 0, area.width, width}, CN_GRADIENT_VERTICAL, red, clear);
    draw_edge(canvas, (CnRect){0, area.height - width, area.width, width}, CN_GRADIENT_VERTICAL,
              clear, red);
    draw_edge(canvas, (CnRect){0, 0, width, area.height}, CN_GRADIENT_HORIZONTAL, red, clear);
    draw_edge(canvas, (CnRect){area.width - width, 0, width, area.height}, CN_GRADIENT_HORIZONTAL,
              clear, red);
}

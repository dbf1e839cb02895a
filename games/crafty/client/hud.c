#include "hud.h"

#include "crafty/sim/bed.h"
#include "slot_panel.h"

#include <cairn/base/math.h>

#define CROSS_ARM 8.0f
#define CROSS_WIDTH 2.0f
#define CROSS_EDGE 1.0f /* dark outline, visible against clouds and snow */

#define FROM_EDGE 6.0f

#define LOADING_SHARE 0.4f /* length of the bar as a fraction of the screen width */

#define OPENING_SECONDS 2.0f /* to and fro */
#define OPENING_PIECE 0.25f  /* of the bar */

#define NAME_SECONDS 2.0f
#define NAME_FADE 0.5f

#define SLEEP_DARKNESS 0.92f
#define SLEEP_DARKNESS_STILL 0.5f
#define WAKE_SECONDS 0.7f
#define WAKE_SECONDS_STILL 2.5f

bool crafty_hud_create(CraftyHud *hud, CnRenderer *renderer, const CraftyItemIconsDesc *desc,
                       CnError *error)
{
    return crafty_item_icons_create(&hud->icons, renderer, desc, error);
}

void crafty_hud_destroy(CraftyHud *hud, CnRenderer *renderer)
{
    crafty_item_icons_destroy(&hud->icons, renderer);
    *hud = (CraftyHud){0};
}

void crafty_hud_event(CraftyHud *hud, const CraftyItems *items, const CraftyPlayerEvent *event)
{
    crafty_toasts_event(&hud->toasts, items, event);
    if (event->kind == CRAFTY_PLAYER_HURT)
        crafty_hud_bars_hurt(&hud->bars);
}

static void draw_bar(CnCanvas *canvas, float x, float y, float width, float height, CnColor color)
{
    cn_canvas_fill(canvas, (CnRect){x - width / 2, y - height / 2, width, height}, color);
}

/* Aligned to whole pixels. */
static void draw_cross(CnCanvas *canvas)
{
    CnRect area = cn_canvas_area(canvas);
    float x = cn_canvas_snap(canvas, area.x + area.width / 2);
    float y = cn_canvas_snap(canvas, area.y + area.height / 2);
    CnColor dark = cn_rgba(0x00000070), light = cn_rgba(0xFFFFFFE0);
    float arm = 2 * (CROSS_ARM + CROSS_EDGE), width = CROSS_WIDTH + 2 * CROSS_EDGE;
    float rest = (arm - width) / 2, from = (width + rest) / 2;
    draw_bar(canvas, x, y, arm, width, dark);
    draw_bar(canvas, x, y - from, width, rest, dark);
    draw_bar(canvas, x, y + from, width, rest, dark);
    draw_bar(canvas, x, y, 2 * CROSS_ARM, CROSS_WIDTH, light);
    draw_bar(canvas, x, y, CROSS_WIDTH, 2 * CROSS_ARM, light);
}

static void draw_slot(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect, bool is_chosen)
{
    uint32_t edge = icons->high_contrast ? 0xFFFFFFB0 : 0xFFFFFF40;
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.fill = cn_rgba(icons->high_contrast ? 0x000000E0 : 0x10141890),
                                .radius = 4,
                                .border = is_chosen ? 2.5f : 1,
                                .border_color = cn_rgba(is_chosen ? 0xFFFFFFFF : edge)});
}

CnRect crafty_hud_slot(CnRect area, uint32_t slot)
{
    float width = CRAFTY_SLOTS * CRAFTY_SLOT_PITCH - (CRAFTY_SLOT_PITCH - CRAFTY_SLOT_SIZE);
    return (CnRect){area.x + (area.width - width) / 2 + (float)slot * CRAFTY_SLOT_PITCH,
                    area.y + area.height - CRAFTY_SLOT_SIZE - FROM_EDGE, CRAFTY_SLOT_SIZE,
                    CRAFTY_SLOT_SIZE};
}

static CnRect draw_slots(const CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view)
{
    const CraftyPlayer *player = view->player;
    CnRect area = cn_canvas_area(canvas);
    CnRect bar = crafty_hud_slot(area, 0);
    bar.x = cn_canvas_snap(canvas, bar.x);
    bar.y = cn_canvas_snap(canvas, bar.y);
    bar.width = CRAFTY_SLOTS * CRAFTY_SLOT_PITCH - (CRAFTY_SLOT_PITCH - CRAFTY_SLOT_SIZE);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++) {
        CnRect rect = {bar.x + (float)i * CRAFTY_SLOT_PITCH, bar.y, CRAFTY_SLOT_SIZE,
                       CRAFTY_SLOT_SIZE};
        draw_slot(&hud->icons, canvas, rect, i == player->slot);
        crafty_stack_draw(&hud->icons, canvas, rect,
                          crafty_stack_checked(view->items, player->slots[i]), 1);
    }
    return bar;
}

/* Draws a line of white text with a shadow above the slots, or on black for high contrast. */
static void draw_line(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect below,
                      const char *text, float alpha)
{
    const CnTextLayout middle = {.align_x = CN_ALIGN_CENTER};
    CnTextStyle style = {.size = crafty_icons_text(icons, 15, 30),
                         .color = cn_color_fade(cn_rgb(0x000000), 0.7f * alpha)};
    CnRect area = cn_canvas_area(canvas);
    CnRect line = {area.x, below.y - 1.7f * style.size, area.width, style.size};
    float width = cn_canvas_text_size(canvas, &style, cn_text(text), 0).x + 16;
    if (icons->high_contrast)
        cn_canvas_box(
            canvas,
            (CnRect){area.x + (area.width - width) / 2, line.y - 2, width, 1.5f * style.size},
            &(CnBoxStyle){.fill = cn_color_fade(cn_rgb(0x000000), alpha), .radius = 4});
    cn_canvas_text_in(canvas, (CnRect){line.x + 1, line.y + 1, line.width, line.height}, &style,
                      &middle, cn_text(text));
    style.color = cn_color_fade(cn_rgb(0xFFFFFF), alpha);
    cn_canvas_text_in(canvas, line, &style, &middle, cn_text(text));
}

static void draw_name(CraftyHud *hud, CnCanvas *canvas, CnRect bar, const CraftyHudView *view)
{
    CraftyItem held = crafty_player_held(view->items, view->player).item;
    const CraftyItemInfo *info = crafty_items_info(view->items, held);
    hud->name_seconds -= view->seconds;
    if (held != hud->named)
        hud->name_seconds = NAME_SECONDS;
    hud->named = held;
    float alpha = hud->name_seconds / NAME_FADE;
    if (held != CRAFTY_NO_ITEM && info && alpha > 0)
        draw_line(&hud->icons, canvas, bar, info->title, alpha < 1 ? alpha : 1);
}

void crafty_hud_background(CnCanvas *canvas)
{
    cn_canvas_box(canvas, cn_canvas_area(canvas),
                  &(CnBoxStyle){.fill = cn_rgb(0x2F5F96),
                                .gradient = CN_GRADIENT_VERTICAL,
                                .fill_to = cn_rgb(0x9FC3E6)});
}

/* Draws the screen with a bar that is white from `begin` to `end`. */
static void draw_progress(CnCanvas *canvas, float begin, float end, const char *text)
{
    CnRect area = cn_canvas_area(canvas);
    float width = area.width * LOADING_SHARE, y = area.y + area.height / 2;
    CnRect bar = {area.x + (area.width - width) / 2, y + 8, width, 6};
    crafty_hud_background(canvas);
    cn_canvas_text_in(canvas, (CnRect){area.x, y - 52, area.width, 36},
                      &(CnTextStyle){.size = 34, .color = cn_rgb(0xFFFFFF)},
                      &(CnTextLayout){.align_x = CN_ALIGN_CENTER}, cn_text("Crafty"));
    cn_canvas_box(canvas, bar, &(CnBoxStyle){.fill = cn_rgba(0x10203060), .radius = 3});
    cn_canvas_box(canvas,
                  (CnRect){bar.x + bar.width * begin, bar.y, bar.width * (end - begin), bar.height},
                  &(CnBoxStyle){.fill = cn_rgb(0xFFFFFF), .radius = 3});
    cn_canvas_text_in(canvas, (CnRect){area.x, y + 22, area.width, 18},
                      &(CnTextStyle){.size = 14, .color = cn_rgb(0xFFFFFF)},
                      &(CnTextLayout){.align_x = CN_ALIGN_CENTER}, cn_text(text));
}

void crafty_hud_loading(CnCanvas *canvas, float share)
{
    draw_progress(canvas, 0, share, "Loading world");
}

/* A piece of the bar runs to and fro. */
void crafty_hud_opening(CnCanvas *canvas, float seconds)
{
    float phase = seconds / OPENING_SECONDS, turn = phase - cn_floorf(phase);
    float place = (turn < 0.5f ? 2 * turn : 2 - 2 * turn) * (1 - OPENING_PIECE);
    draw_progress(canvas, place, place + OPENING_PIECE, "Opening world");
}

static void draw_warning(CnCanvas *canvas, const char *text)
{
    CnRect area = cn_canvas_area(canvas);
    CnRect box = {area.x + area.width * 0.1f, area.y + FROM_EDGE, area.width * 0.8f, 0};
    CnTextStyle style = {.size = 14, .color = cn_rgb(0xFFFFFF)};
    CnTextLayout layout = {.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER, .wrap = true};
    box.height = cn_canvas_text_size(canvas, &style, cn_text(text), box.width - 8).y + 8;
    cn_canvas_box(canvas, box, &(CnBoxStyle){.fill = cn_rgba(0x9A2010D0), .radius = 4});
    cn_canvas_text_in(canvas, cn_rect_inset(box, 4), &style, &layout, cn_text(text));
}

/* Follows the ticks of sleep, and falls slowly when they are over. */
static float next_darkness(float darkness, const CraftyHudView *view)
{
    uint32_t ticks = view->vitals ? view->vitals->sleep_ticks : 0;
    float share = (float)ticks / (float)CRAFTY_SLEEP_TICKS;
    float most = view->is_still ? SLEEP_DARKNESS_STILL : SLEEP_DARKNESS;
    float target = share < 1 ? share * most : most;
    darkness -= most * view->seconds / (view->is_still ? WAKE_SECONDS_STILL : WAKE_SECONDS);
    return darkness > target ? darkness : target;
}

void crafty_hud_sleep(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view)
{
    hud->darkness = next_darkness(hud->darkness, view);
    if (hud->darkness > 0)
        cn_canvas_fill(canvas, cn_canvas_area(canvas),
                       cn_color_fade(cn_rgb(0x05070F), hud->darkness));
}

/* What happens meanwhile is not shown later. */
static void forget(CraftyHud *hud)
{
    hud->toasts.count = 0;
    hud->bars.flash = 0;
    hud->name_seconds = 0;
}

void crafty_hud_draw(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view)
{
    bool has_bars = view->vitals && view->player && view->player->mode == CRAFTY_MODE_SURVIVAL;
    if (view->warning)
        draw_warning(canvas, view->warning);
    if (view->is_hidden)
        forget(hud);
    if (!view->player || view->is_hidden)
        return;
    if (has_bars)
        crafty_hud_bars_vignette(&hud->bars, canvas, view->vitals, view->is_still);
    float bottom = cn_canvas_area(canvas).height - 2 * CRAFTY_SLOT_PITCH;
    crafty_toasts_draw(&hud->toasts, canvas, &hud->icons, bottom, view->seconds);
    if (view->has_screen)
        return;
    if (view->aims)
        draw_cross(canvas);
    if (view->player->mode == CRAFTY_MODE_SPECTATOR)
        return;
    CnRect bar = draw_slots(hud, canvas, view);
    if (has_bars)
        bar.y = crafty_hud_bars_draw(&hud->bars, canvas, &hud->icons, bar, view->vitals,
                                     view->seconds, view->is_still);
    if (view->vitals && view->vitals->sleep_ticks)
        draw_line(&hud->icons, canvas, bar, "Sleeping  ·  Jump or sneak to get up", 1);
    else if (view->start)
        draw_line(&hud->icons, canvas, bar, view->start, 1);
    else
        draw_name(hud, canvas, bar, view);
}

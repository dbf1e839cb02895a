#include "hud.h"

#include <cairn/base/math.h>

#define CROSS_ARM 8.0f
#define CROSS_WIDTH 2.0f
#define CROSS_EDGE 1.0f /* dark outline, visible against clouds and snow */

/* Slot size as a fraction of the screen height, with limits. */
#define SLOT_SHARE 0.075f
#define SLOT_MIN 28.0f
#define SLOT_MAX 52.0f
#define SLOT_GAP 3.0f
#define FROM_EDGE 8.0f

#define LOADING_SHARE 0.4f /* length of the bar as a fraction of the screen width */

#define OPENING_SECONDS 2.0f /* to and fro */
#define OPENING_PIECE 0.25f  /* of the bar */

#define NAME_SECONDS 2.0f
#define NAME_FADE 0.5f

bool crafty_hud_create(CraftyHud *hud, CnRenderer *renderer, const CnBlockTable *blocks,
                       CnError *error)
{
    return crafty_icons_create(&hud->icons, renderer, blocks, error);
}

void crafty_hud_destroy(CraftyHud *hud, CnRenderer *renderer)
{
    crafty_icons_destroy(&hud->icons, renderer);
    *hud = (CraftyHud){0};
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

static float slot_size(const CnCanvas *canvas)
{
    float size = cn_canvas_area(canvas).height * SLOT_SHARE;
    return cn_canvas_snap(canvas, size < SLOT_MIN ? SLOT_MIN : size > SLOT_MAX ? SLOT_MAX : size);
}

static void draw_slot(const CraftyHud *hud, CnCanvas *canvas, CnRect rect, CnBlock block,
                      uint32_t number, bool is_chosen)
{
    char text[4];
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.fill = cn_rgba(0x10141870),
                                .radius = 4,
                                .border = is_chosen ? 2.5f : 1,
                                .border_color = cn_rgba(is_chosen ? 0xFFFFFFF0 : 0xFFFFFF40)});
    crafty_icon_draw(&hud->icons, canvas, cn_rect_inset(rect, rect.width * 0.14f), block);
    cn_format(text, sizeof text, "%u", number);
    cn_canvas_text(canvas, rect.x + 4, rect.y + 1,
                   &(CnTextStyle){.size = 9, .color = cn_rgba(0xFFFFFFB0)}, cn_text(text));
}

static CnRect draw_slots(const CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view)
{
    const CraftyPlayer *player = view->player;
    CnRect area = cn_canvas_area(canvas);
    float size = slot_size(canvas), width = CRAFTY_SLOTS * (size + SLOT_GAP) - SLOT_GAP;
    CnRect bar = {cn_canvas_snap(canvas, area.x + (area.width - width) / 2),
                  cn_canvas_snap(canvas, area.y + area.height - size - FROM_EDGE), width, size};
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++) {
        CraftyStack stack = crafty_stack_checked(view->items, player->slots[i]);
        draw_slot(hud, canvas, (CnRect){bar.x + (float)i * (size + SLOT_GAP), bar.y, size, size},
                  crafty_items_block(view->items, stack.item), i + 1, i == player->slot);
    }
    return bar;
}

/* Draws a line of white text with a shadow above the slots. */
static void draw_line(CnCanvas *canvas, CnRect below, const char *text, float alpha)
{
    const CnTextLayout middle = {.align_x = CN_ALIGN_CENTER};
    CnTextStyle style = {.size = 15, .color = cn_color_fade(cn_rgb(0x000000), 0.7f * alpha)};
    CnRect area = cn_canvas_area(canvas);
    CnRect line = {area.x, below.y - 1.7f * style.size, area.width, style.size};
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
    if (info && alpha > 0)
        draw_line(canvas, bar, info->title, alpha < 1 ? alpha : 1);
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

void crafty_hud_draw(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view)
{
    if (view->warning)
        draw_warning(canvas, view->warning);
    if (!view->player)
        return;
    CnRect bar = draw_slots(hud, canvas, view);
    if (view->aims)
        draw_cross(canvas);
    if (view->hints)
        draw_line(canvas, bar, "Click to play  ·  Esc for menu and controls", 1);
    else
        draw_name(hud, canvas, bar, view);
}

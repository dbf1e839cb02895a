#include "trade_panel.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/villager.h"
#include "inventory_pages.h"
#include "slot_panel.h"

#include <string.h>

#define ROW_HEIGHT 31.0f
#define ICON 26.0f
#define ARROW 17.0f
#define SMALL_TEXT 12.0f
#define NOTE_TEXT 11.0f
#define TITLE_HEIGHT 26.0f
#define COLUMN 150.0f /* of the detail: what the player gives */
#define BUTTON_HEIGHT 20.0f
#define BUTTON_WIDTH 104.0f

/* ---- What can be said about an offer ---- */

/* An offer in this frame. */
typedef struct Shown {
    const CraftyOffer *offer;
    uint32_t stock;
    uint32_t columns; /* most costs of an offer in the list */
    CraftyItem named; /* in the list: what is exchanged for the currency */
    bool is_possible;
} Shown;

static const char *title_of(const CraftyTradeView *view, CraftyItem item)
{
    const CraftyItemInfo *info = crafty_items_info(view->icons->items, item);
    return info ? info->title : "?";
}

static Shown look_at(const CraftyTradeView *view, CnEntity villager, const CraftyOffer *offer)
{
    return (Shown){.offer = offer,
                   .stock = crafty_trade_stock(view->world, villager, offer),
                   .is_possible = crafty_trade_times(view->world, view->player, offer, 1, NULL)};
}

/* Names the first item of which the player has not enough. */
static void note_cost(const CraftyTradeView *view, const CraftyOffer *offer, char *text,
                      size_t text_bytes)
{
    const CraftyPlayer *player = cn_get(view->world, view->player, CraftyPlayer);
    for (uint32_t i = 0; i < offer->cost_count; i++) {
        uint32_t owned = crafty_trade_owned(player, offer->costs[i].item);
        if (owned < offer->costs[i].count) {
            cn_format(text, text_bytes, "You have %u of %u", owned, offer->costs[i].count);
            return;
        }
    }
}

void crafty_trade_note(const CraftyTradeView *view, const CraftyOffer *offer, char *text,
                       size_t text_bytes)
{
    CraftyRefusal why;
    CnEntity villager = crafty_trade_partner(view->world, view->player);
    uint32_t stock = villager.id ? crafty_trade_stock(view->world, villager, offer) : 0;
    cn_format(text, text_bytes, "%u left today", stock);
    if (!villager.id || crafty_trade_times(view->world, view->player, offer, 1, &why) > 0)
        return;
    if (why == CRAFTY_REFUSAL_TRADE_STOCK)
        cn_format(text, text_bytes, "Sold out today");
    else if (why == CRAFTY_REFUSAL_TRADE_ROOM)
        cn_format(text, text_bytes, "No room for it");
    else
        note_cost(view, offer, text, text_bytes);
}

void crafty_trade_title(const CnWorld *world, CnEntity player, char title[CRAFTY_TRADE_TITLE_BYTES])
{
    CnEntity entity = crafty_trade_partner(world, player);
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    CraftyProfession profession =
        villager ? (CraftyProfession)villager->profession : CRAFTY_PROFESSION_COUNT;
    if (creature && creature->label[0])
        cn_format(title, CRAFTY_TRADE_TITLE_BYTES, "%s, %s", creature->label,
                  crafty_profession_name(profession));
    else
        cn_copy_text(title, CRAFTY_TRADE_TITLE_BYTES, cn_text(crafty_profession_title(profession)));
}

/* ---- Rows ---- */

static CnColor note_color(const CraftyTradeView *view, bool is_possible, bool is_hovered)
{
    if (view->icons->high_contrast)
        return cn_rgb(0xFFFFFF);
    if (is_hovered) /* on a light row */
        return cn_rgb(is_possible ? 0xE8EEF6 : 0xFFC4B8);
    return cn_rgb(is_possible ? 0xAEB8C6 : 0xE07A6A);
}

/* Costs end where the arrow begins, so that all arrows are below each other. */
static void draw_row(const CraftyTradeView *view, CnCanvas *canvas, CnRect rect, const Shown *shown,
                     const CnUiArea *area)
{
    const CraftyOffer *offer = shown->offer;
    float alpha = shown->is_possible ? 1 : 0.4f, factor = rect.height / ROW_HEIGHT;
    CnRect box = {rect.x, rect.y, rect.width, rect.height - 2};
    float y = box.y + (box.height - ICON) / 2;
    float first = (float)(shown->columns - offer->cost_count);
    crafty_slot_frame(view->icons, canvas, box, area->hovered, area->has_ring);
    for (uint32_t i = 0; i < offer->cost_count; i++)
        crafty_stack_draw(view->icons, canvas,
                          (CnRect){box.x + 4 + (first + (float)i) * (ICON + 2), y, ICON, ICON},
                          (CraftyStack){offer->costs[i].item, offer->costs[i].count, 0}, alpha);
    float x = box.x + 4 + (float)shown->columns * (ICON + 2) + 3;
    crafty_arrow_draw(
        canvas, (CnRect){x, y, ARROW, ICON},
        cn_color_fade(cn_rgb(area->hovered ? 0xD8E0EA : 0x8A94A3), shown->is_possible ? 1 : 0.5f));
    x += ARROW + 1;
    crafty_stack_draw(view->icons, canvas, (CnRect){x, y, ICON, ICON},
                      (CraftyStack){offer->result.item, offer->result.count, 0}, alpha);
    x += ICON + 4;
    CnRect line = {x, box.y + 2 * factor, box.x + box.width - x - 4, 14 * factor};
    char note[64];
    crafty_trade_note(view, offer, note, sizeof note);
    cn_canvas_text_in(canvas, line,
                      &(CnTextStyle){.size = SMALL_TEXT * factor,
                                     .color = cn_rgb(shown->is_possible ? 0xF0F4FA : 0x97A2B2)},
                      &(CnTextLayout){.ellipsis = true}, cn_text(title_of(view, shown->named)));
    line.y += 13.5f * factor;
    cn_canvas_text_in(canvas, line,
                      &(CnTextStyle){.size = NOTE_TEXT * factor,
                                     .color = note_color(view, shown->is_possible, area->hovered)},
                      &(CnTextLayout){.ellipsis = true}, cn_text(note));
}

/* Returns whether the player chose the row. */
static bool show_row(CraftyTradePanel *panel, const CraftyTradeView *view, CnUi *ui, CnRect rect,
                     const Shown *shown, CraftyTradeChoice *choice)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    cn_ui_push_number(ui, shown->offer->number);
    CnUiArea area = cn_ui_area(ui, "offer", (CnRect){rect.x, rect.y, rect.width, rect.height - 2});
    cn_ui_pop_id(ui);
    if (cn_rect_intersection(rect, cn_canvas_clip(canvas)).height > 0)
        draw_row(view, canvas, rect, shown, &area);
    if (area.has_ring || area.hovered)
        panel->shown = shown->offer->number;
    bool is_all = area.key == CN_UI_THIRD || area.modifiers & CN_UI_SHIFT;
    if (!(area.pressed & 1u << CN_MOUSE_LEFT) && area.key == CN_UI_KEY_COUNT)
        return false;
    *choice = (CraftyTradeChoice){shown->offer->number, is_all ? CRAFTY_MAX_OFFER_STOCK : 1};
    return true;
}

static bool is_part_of(const CraftyOffer *offer, CraftyItem item)
{
    bool is_part = offer->result.item == item;
    for (uint32_t i = 0; i < offer->cost_count; i++)
        is_part |= offer->costs[i].item == item;
    return is_part;
}

/* Returns the item that most of the offers have in common. */
static CraftyItem currency_of(const Shown *offers, uint32_t count)
{
    CraftyItem best = CRAFTY_NO_ITEM;
    uint32_t most = 1;
    for (uint32_t i = 0; i < count; i++) {
        CraftyItem item = offers[i].offer->result.item;
        uint32_t parts = 0;
        for (uint32_t k = 0; k < count; k++)
            parts += is_part_of(offers[k].offer, item);
        best = parts > most ? item : best;
        most = parts > most ? parts : most;
    }
    return best;
}

/* Fills in what depends on the whole list. */
static void compare(Shown *offers, uint32_t count)
{
    CraftyItem currency = currency_of(offers, count);
    uint32_t columns = 1;
    for (uint32_t i = 0; i < count; i++)
        columns = offers[i].offer->cost_count > columns ? offers[i].offer->cost_count : columns;
    for (uint32_t i = 0; i < count; i++) {
        const CraftyOffer *offer = offers[i].offer;
        offers[i].columns = columns;
        offers[i].named =
            offer->result.item == currency ? offer->costs[0].item : offer->result.item;
    }
}

/* Returns the offers of the partner. */
static uint32_t list_offers(const CraftyTradeView *view, CnEntity villager,
                            Shown offers[CRAFTY_MAX_OFFERS])
{
    const CraftyVillager *own = cn_get(view->world, villager, CraftyVillager);
    const CraftyItemList *list = cn_resource(view->world, CraftyItemList);
    CraftyProfession profession = (CraftyProfession)own->profession;
    uint32_t count = list ? crafty_trades_count(list->trades, profession) : 0;
    for (uint32_t i = 0; i < count; i++)
        offers[i] = look_at(view, villager, crafty_trades_at(list->trades, profession, i));
    compare(offers, count);
    return count;
}

static bool show_list(CraftyTradePanel *panel, const CraftyTradeView *view, CnUi *ui, CnRect side,
                      const Shown *offers, uint32_t count, CraftyTradeChoice *choice)
{
    float height = crafty_icons_text(view->icons, ROW_HEIGHT, 2 * ROW_HEIGHT);
    bool is_chosen = false;
    cn_ui_begin_region(ui, (CnRect){side.x + 8, side.y + TITLE_HEIGHT, side.width - 16, 0});
    cn_ui_begin_scroll(ui, "offers", side.height - TITLE_HEIGHT - 8);
    CnRect all = cn_ui_reserve(ui, (float)count * height);
    if (view->gets_focus)
        cn_ui_focus_next(ui);
    for (uint32_t i = 0; i < count; i++) {
        CnRect rect = {all.x, all.y + (float)i * height, all.width, height};
        panel->rows[i] = rect;
        is_chosen |= show_row(panel, view, ui, rect, &offers[i], choice);
    }
    cn_ui_end_scroll(ui);
    cn_ui_end_region(ui);
    return is_chosen;
}

/* ---- Detail ---- */

static void draw_text(const CraftyTradeView *view, CnCanvas *canvas, CnRect rect, float size,
                      CnColor color, const char *text)
{
    cn_canvas_text_in(
        canvas, rect,
        &(CnTextStyle){.size = crafty_icons_text(view->icons, size, size + 2), .color = color},
        &(CnTextLayout){.ellipsis = true}, cn_text(text));
}

/* A slot with the name of its item and a note beside it. */
static void draw_item(const CraftyTradeView *view, CnCanvas *canvas, CnVec2 at, float width,
                      const CraftyOfferItem *item, const char *note, CnColor color)
{
    CnRect slot = {at.x, at.y, CRAFTY_SLOT_SIZE, CRAFTY_SLOT_SIZE};
    float x = at.x + CRAFTY_SLOT_SIZE + 5, rest = width - CRAFTY_SLOT_SIZE - 8;
    crafty_slot_frame(view->icons, canvas, slot, false, false);
    crafty_stack_draw(view->icons, canvas, slot, (CraftyStack){item->item, item->count, 0}, 1);
    draw_text(view, canvas, (CnRect){x, at.y + 1, rest, 15}, SMALL_TEXT, cn_rgb(0xF0F4FA),
              title_of(view, item->item));
    draw_text(view, canvas, (CnRect){x, at.y + 15, rest, 14}, NOTE_TEXT, color, note);
}

static void draw_detail(const CraftyTradeView *view, CnUi *ui, CnRect detail, const Shown *shown)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    const CraftyPlayer *player = cn_get(view->world, view->player, CraftyPlayer);
    const CraftyOffer *offer = shown->offer;
    CnColor dim = cn_ui_theme(ui)->text_dim;
    float right = detail.x + COLUMN, rest = detail.width - COLUMN;
    char note[64];
    draw_text(view, canvas, (CnRect){detail.x, detail.y, COLUMN, 15}, SMALL_TEXT, dim, "You give");
    draw_text(view, canvas, (CnRect){right, detail.y, rest, 15}, SMALL_TEXT, dim, "You get");
    for (uint32_t i = 0; i < offer->cost_count; i++) {
        uint32_t owned = crafty_trade_owned(player, offer->costs[i].item);
        CnVec2 at = {detail.x, detail.y + 17 + (float)i * CRAFTY_SLOT_PITCH};
        cn_format(note, sizeof note, "You have %u", owned);
        draw_item(view, canvas, at, COLUMN, &offer->costs[i], note,
                  note_color(view, owned >= offer->costs[i].count, false));
    }
    cn_format(note, sizeof note, shown->stock ? "%u left today" : "More tomorrow", shown->stock);
    draw_item(view, canvas, (CnVec2){right, detail.y + 17}, rest, &offer->result, note,
              note_color(view, shown->stock > 0, false));
}

/* Fingers have no Shift. */
static bool show_button(CraftyTradePanel *panel, CnUi *ui, CnRect detail, const Shown *shown,
                        CraftyTradeChoice *choice)
{
    CnUiTheme *theme = cn_ui_theme(ui);
    CnUiTheme before = *theme;
    theme->text_size = SMALL_TEXT;
    panel->all = (CnRect){detail.x + COLUMN, detail.y + 17 + CRAFTY_SLOT_PITCH + 4, BUTTON_WIDTH,
                          BUTTON_HEIGHT};
    cn_ui_begin_region(ui, (CnRect){panel->all.x, panel->all.y, panel->all.width, 0});
    cn_ui_next_height(ui, BUTTON_HEIGHT);
    bool is_pressed = cn_ui_button(ui, "Trade all");
    cn_ui_end_region(ui);
    *theme = before;
    if (is_pressed)
        *choice = (CraftyTradeChoice){shown->offer->number, CRAFTY_MAX_OFFER_STOCK};
    return is_pressed;
}

/* ---- Frames ---- */

bool crafty_trade_panel_frame(CraftyTradePanel *panel, CnEngine *engine,
                              const CraftyTradeView *view, CnRect side, CnRect detail,
                              CraftyTradeChoice *choice)
{
    CnUi *ui = cn_engine_ui(engine);
    CnEntity villager = crafty_trade_partner(view->world, view->player);
    Shown offers[CRAFTY_MAX_OFFERS];
    if (villager.id != panel->villager.id)
        *panel = (CraftyTradePanel){.villager = villager};
    uint32_t count = villager.id ? list_offers(view, villager, offers) : 0;
    if (count == 0)
        return false;
    bool is_chosen = show_list(panel, view, ui, side, offers, count, choice);
    const Shown *shown = &offers[0];
    for (uint32_t i = 0; i < count; i++)
        if (offers[i].offer->number == panel->shown)
            shown = &offers[i];
    draw_detail(view, ui, detail, shown);
    return show_button(panel, ui, detail, shown, choice) || is_chosen;
}

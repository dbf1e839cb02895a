#include "item_browser.h"

#include "slot_panel.h"

#define TAB_TEXT 11.0f

typedef enum Tab { TAB_ALL, TAB_BLOCKS, TAB_TOOLS, TAB_FOOD, TAB_OTHER, TAB_COUNT } Tab;

static bool is_in_tab(const CraftyItemInfo *item, Tab tab)
{
    bool is_block = item->block != CN_BLOCK_AIR;
    switch (tab) {
    case TAB_BLOCKS:
        return is_block;
    case TAB_TOOLS:
        return item->tool != CRAFTY_TOOL_NONE;
    case TAB_FOOD:
        return item->food > 0;
    case TAB_OTHER:
        return !is_block && item->tool == CRAFTY_TOOL_NONE && !item->food;
    case TAB_ALL:
    case TAB_COUNT:
        break;
    }
    return true;
}

typedef struct Found {
    CraftyItem item;
    uint32_t count;
} Found;

/* Shows one item. Returns true if it is taken. */
static bool show_item(CnUi *ui, const CraftyItemIcons *icons, CraftyItem item, CnRect rect,
                      Found *found)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    const CraftyItemInfo *info = crafty_items_info(icons->items, item);
    CraftyStack stack = {item, 1, 0};
    cn_ui_push_number(ui, item);
    CnUiArea area = cn_ui_area(ui, "item", rect);
    cn_ui_pop_id(ui);
    if (cn_rect_intersection(rect, cn_canvas_clip(canvas)).height > 0) {
        crafty_slot_frame(icons, canvas, rect, area.hovered, area.has_ring);
        crafty_stack_draw(icons, canvas, rect, stack, 1);
    }
    char text[CRAFTY_TOOLTIP_BYTES];
    if ((area.hovered || area.has_ring) && crafty_stack_describe(icons->items, stack, text))
        crafty_tooltip_draw(icons, canvas,
                            area.has_ring ? (CnVec2){rect.x + rect.width, rect.y} : cn_ui_mouse(ui),
                            text);
    bool is_one =
        area.pressed & 1u << CN_MOUSE_RIGHT || area.key == CN_UI_SPACE || area.key == CN_UI_SECOND;
    bool is_stack =
        area.pressed & 1u << CN_MOUSE_LEFT || area.key == CN_UI_ACTIVATE || area.key == CN_UI_THIRD;
    if (is_one || is_stack)
        *found = (Found){item, is_one ? 1 : info->stack_max};
    return is_one || is_stack;
}

static uint32_t count_found(const CraftyItemBrowser *browser, const CraftyItems *items)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        const CraftyItemInfo *info = crafty_items_info(items, crafty_items_at(items, i));
        count += is_in_tab(info, (Tab)browser->tab) && crafty_search_finds(info, browser->search);
    }
    return count;
}

static Found show_found(const CraftyItemBrowser *browser, CnUi *ui, const CraftyItemIcons *icons,
                        bool takes_first)
{
    const CraftyItems *items = icons->items;
    Found found = {0};
    uint32_t a_row = (uint32_t)(cn_ui_available_width(ui) / CRAFTY_SLOT_PITCH);
    a_row = a_row ? a_row : 1;
    uint32_t rows = (count_found(browser, items) + a_row - 1) / a_row, at = 0;
    CnRect all = cn_ui_reserve(ui, (float)rows * CRAFTY_SLOT_PITCH);
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        CraftyItem item = crafty_items_at(items, i);
        const CraftyItemInfo *info = crafty_items_info(items, item);
        if (!is_in_tab(info, (Tab)browser->tab) || !crafty_search_finds(info, browser->search))
            continue;
        CnRect rect = {all.x + (float)(at % a_row) * CRAFTY_SLOT_PITCH,
                       all.y + (float)(at / a_row) * CRAFTY_SLOT_PITCH, CRAFTY_SLOT_SIZE,
                       CRAFTY_SLOT_SIZE};
        show_item(ui, icons, item, rect, &found);
        if (takes_first && !found.item)
            found = (Found){item, info->stack_max};
        at++;
    }
    return found;
}

CraftyItem crafty_item_browser_frame(CraftyItemBrowser *browser, CnEngine *engine,
                                     const CraftyItemIcons *icons, CnRect panel, uint32_t *count)
{
    static const char *const tabs[TAB_COUNT] = {"All", "Blocks", "Tools", "Food", "Other"};
    CnUi *ui = cn_engine_ui(engine);
    float row = cn_ui_theme(ui)->row_height + cn_ui_theme(ui)->spacing;
    cn_ui_begin_region(ui, (CnRect){panel.x + 8, panel.y + 26, panel.width - 16, 0});
    CnUiFieldResult field = cn_ui_field(ui, "##items",
                                        &(CnUiField){.text = browser->search,
                                                     .text_bytes = sizeof browser->search,
                                                     .hint = "Search"});
    float text_size = cn_ui_theme(ui)->text_size;
    cn_ui_theme(ui)->text_size = TAB_TEXT;
    cn_ui_tabs(ui, "tabs", &browser->tab, tabs, TAB_COUNT);
    cn_ui_theme(ui)->text_size = text_size;
    cn_ui_begin_scroll(ui, "items", panel.height - 26 - 2 * row - 8);
    Found found = show_found(browser, ui, icons, field == CN_UI_FIELD_DONE);
    cn_ui_end_scroll(ui);
    cn_ui_end_region(ui);
    *count = found.count;
    return found.item;
}

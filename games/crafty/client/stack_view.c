#include "stack_view.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define ICON_INSET 0.1f /* of the slot */
#define MOST_COUNT 0.6f /* size of the count in relation to the slot: two digits fit */
#define TOOLTIP_SIZE 13.0f
#define TOOLTIP_WIDTH 240.0f

/* ---- Drawing ---- */

static void draw_count(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect, uint32_t count)
{
    char text[8];
    cn_format(text, sizeof text, "%u", count);
    float size = crafty_icons_text(icons, fmaxf(rect.height * 0.36f, 10), rect.height * MOST_COUNT);
    CnTextStyle style = {.size = size, .color = cn_rgba(0x000000D0)};
    const CnTextLayout corner = {.align_x = CN_ALIGN_END, .align_y = CN_ALIGN_END};
    CnRect at = {rect.x, rect.y, rect.width - 2, rect.height};
    cn_canvas_text_in(canvas, (CnRect){at.x + 1, at.y + 1, at.width, at.height}, &style, &corner,
                      cn_text(text));
    style.color = cn_rgb(0xFFFFFF);
    cn_canvas_text_in(canvas, at, &style, &corner, cn_text(text));
}

/* From green to red: also the length tells how much is left. */
static void draw_wear(CnCanvas *canvas, CnRect rect, float left)
{
    float height = fmaxf(cn_canvas_snap(canvas, rect.height * 0.07f), 2);
    CnRect bar = {rect.x + rect.width * 0.12f, rect.y + rect.height * 0.86f, rect.width * 0.76f,
                  height};
    CnColor color = left > 0.5f ? cn_color_mix(cn_rgb(0xE8D040), cn_rgb(0x50D050), left * 2 - 1)
                                : cn_color_mix(cn_rgb(0xE04030), cn_rgb(0xE8D040), left * 2);
    cn_canvas_fill(canvas, bar, cn_rgba(0x000000C0));
    cn_canvas_fill(canvas, (CnRect){bar.x, bar.y, bar.width * left, bar.height}, color);
}

void crafty_stack_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                       CraftyStack stack, float alpha)
{
    const CraftyItemInfo *info = crafty_items_info(icons->items, stack.item);
    if (!info || !stack.count)
        return;
    CnRect picture = cn_rect_inset(rect, rect.width * ICON_INSET);
    crafty_item_icon_draw(icons, canvas, picture, stack.item, alpha);
    if (info->durability && stack.wear)
        draw_wear(canvas, rect,
                  stack.wear < info->durability ? 1 - (float)stack.wear / (float)info->durability
                                                : 0);
    if (stack.count > 1)
        draw_count(icons, canvas, rect, stack.count);
}

/* ---- Tooltips ---- */

static void add(char text[CRAFTY_TOOLTIP_BYTES], const char *format, ...) CN_PRINTF_LIKE(2, 3);
static void add(char text[CRAFTY_TOOLTIP_BYTES], const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text + used, CRAFTY_TOOLTIP_BYTES - used, format, arguments);
    va_end(arguments);
}

static void add_tool(char text[CRAFTY_TOOLTIP_BYTES], const CraftyItemInfo *info)
{
    static const char *const tools[CRAFTY_TOOL_COUNT] = {
        [CRAFTY_TOOL_PICKAXE] = "Pickaxe", [CRAFTY_TOOL_AXE] = "Axe",
        [CRAFTY_TOOL_SHOVEL] = "Shovel",   [CRAFTY_TOOL_HOE] = "Hoe",
        [CRAFTY_TOOL_SWORD] = "Sword",     [CRAFTY_TOOL_SHEARS] = "Shears"};
    static const char *const tiers[CRAFTY_TIER_COUNT] = {[CRAFTY_TIER_WOOD] = "wood",
                                                         [CRAFTY_TIER_STONE] = "stone",
                                                         [CRAFTY_TIER_IRON] = "iron",
                                                         [CRAFTY_TIER_GOLD] = "gold",
                                                         [CRAFTY_TIER_DIAMOND] = "diamond"};
    if (info->tool >= CRAFTY_TOOL_COUNT || !tools[info->tool])
        return;
    add(text, "\n%s", tools[info->tool]);
    if (info->tier < CRAFTY_TIER_COUNT && tiers[info->tier])
        add(text, ", %s tier", tiers[info->tier]);
}

bool crafty_stack_describe(const CraftyItems *items, CraftyStack stack,
                           char text[CRAFTY_TOOLTIP_BYTES])
{
    const CraftyItemInfo *info = crafty_items_info(items, stack.item);
    text[0] = '\0';
    if (!info || !stack.count)
        return false;
    add(text, "%s", info->title);
    if (!info->is_known)
        add(text, "\nUnknown item");
    add_tool(text, info);
    if (info->durability)
        add(text, "\nUses left: %u of %u",
            stack.wear < info->durability ? info->durability - stack.wear : 0, info->durability);
    if (info->food)
        add(text, "\nFood: %g", info->food / 2.0);
    if (info->fuel_seconds > 0)
        add(text, "\nBurns %g s", (double)info->fuel_seconds);
    return true;
}

void crafty_tooltip_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnVec2 at,
                         const char *text)
{
    float text_size = crafty_icons_text(icons, TOOLTIP_SIZE, TOOLTIP_WIDTH);
    float width = TOOLTIP_WIDTH * text_size / TOOLTIP_SIZE;
    CnTextStyle style = {.size = text_size, .color = cn_rgb(0xFFFFFF)};
    CnRect area = cn_canvas_area(canvas);
    CnText all = cn_text(text);
    const char *end = strchr(text, '\n');
    CnText first = {text, end ? (size_t)(end - text) : all.size};
    CnText rest = {text + first.size + (end ? 1 : 0), all.size - first.size - (end ? 1 : 0)};
    CnVec2 size = cn_canvas_text_size(canvas, &style, all, width);
    float head = cn_canvas_text_size(canvas, &style, first, width).y;
    CnRect rect = {at.x + 12, at.y + 10, size.x + 14, size.y + 10};
    if (rect.x + rect.width > area.width - 2)
        rect.x = at.x - rect.width - 8;
    rect.x = cn_canvas_snap(canvas, fmaxf(rect.x, 2));
    rect.y = cn_canvas_snap(canvas, fmaxf(fminf(rect.y, area.height - rect.height - 2), 2));
    uint32_t layer = cn_canvas_set_layer(canvas, CRAFTY_LAYER_TOOLTIP);
    cn_canvas_push_full_clip(canvas);
    cn_canvas_box(
        canvas, rect,
        &(CnBoxStyle){.fill = cn_rgba(icons->high_contrast ? 0x000000FF : 0x12161CF4),
                      .radius = 4,
                      .border = icons->high_contrast ? 2 : 1,
                      .border_color = cn_rgb(icons->high_contrast ? 0xFFFFFF : 0x5A6880)});
    const CnTextLayout layout = {.wrap = true};
    CnRect line = {rect.x + 7, rect.y + 5, width, 0};
    cn_canvas_text_in(canvas, line, &style, &layout, first);
    style.color = cn_rgb(icons->high_contrast ? 0xFFFFFF : 0xAEB8C6);
    line.y += head;
    cn_canvas_text_in(canvas, line, &style, &layout, rest);
    cn_canvas_pop_clip(canvas);
    cn_canvas_set_layer(canvas, layer);
}

#include "toasts.h"

#include "crafty/world/professions.h"

#include <string.h>

#define SHOWN_SECONDS 3.5f
#define FADE_SECONDS 0.6f
#define HEIGHT 24.0f
#define MOST_TEXT 18.0f /* so that a line fits into the height */
#define TEXT_SIZE 13.0f
#define FROM_EDGE 8.0f

/* ---- Contents ---- */

static CraftyToast *add(CraftyToasts *toasts)
{
    if (toasts->count == CRAFTY_MAX_TOASTS)
        memmove(toasts->items, toasts->items + 1, --toasts->count * sizeof toasts->items[0]);
    CraftyToast *toast = &toasts->items[toasts->count++];
    *toast = (CraftyToast){.seconds = SHOWN_SECONDS};
    return toast;
}

void crafty_toasts_add(CraftyToasts *toasts, CraftyItem item, const char *text)
{
    CraftyToast *toast = add(toasts);
    toast->item = item;
    cn_copy_text(toast->text, sizeof toast->text, cn_text(text));
}

static void pick_up(CraftyToasts *toasts, const CraftyItemInfo *info, CraftyItem item,
                    uint32_t count)
{
    CraftyToast *toast = NULL;
    for (uint32_t i = 0; i < toasts->count; i++)
        if (toasts->items[i].item == item && toasts->items[i].count)
            toast = &toasts->items[i];
    if (!toast)
        toast = add(toasts);
    toast->item = item;
    toast->count += count;
    toast->seconds = SHOWN_SECONDS;
    cn_format(toast->text, sizeof toast->text, "+%u %s", toast->count, info->title);
}

static const char *refusal_text(uint32_t refusal)
{
    switch ((CraftyRefusal)refusal) {
    case CRAFTY_REFUSAL_BED_BY_DAY:
        return "You can only sleep at night";
    case CRAFTY_REFUSAL_BED_OBSTRUCTED:
        return "There is no room beside the bed";
    case CRAFTY_REFUSAL_BED_MISSING:
        return "Your bed is missing or blocked";
    case CRAFTY_REFUSAL_TRADE_STOCK:
        return "Sold out: there is more tomorrow morning";
    case CRAFTY_REFUSAL_TRADE_COST:
        return "You do not have what this costs";
    case CRAFTY_REFUSAL_TRADE_ROOM:
        return "You have no room for this";
    default:
        return NULL;
    }
}

/* What villagers say themselves. */
static bool villager_text(const CraftyPlayerEvent *event, char text[CRAFTY_TOAST_BYTES])
{
    static const char *const ends[CRAFTY_REFUSAL_COUNT] = {
        [CRAFTY_REFUSAL_TRADE_NOTHING] = "has nothing to trade",
        [CRAFTY_REFUSAL_TRADE_ASLEEP] = "is asleep",
        [CRAFTY_REFUSAL_TRADE_DANGER] = "is afraid: a monster is near"};
    if (event->count >= CRAFTY_REFUSAL_COUNT || !ends[event->count])
        return false;
    return cn_format(text, CRAFTY_TOAST_BYTES, "The %s %s",
                     crafty_profession_name((CraftyProfession)event->item), ends[event->count]);
}

void crafty_toasts_event(CraftyToasts *toasts, const CraftyItems *items,
                         const CraftyPlayerEvent *event)
{
    char text[CRAFTY_TOAST_BYTES];
    const CraftyItemInfo *info = crafty_items_info(items, event->item);
    switch ((CraftyPlayerEventKind)event->kind) {
    case CRAFTY_PLAYER_PICKED_UP:
    case CRAFTY_PLAYER_TRADED:
        if (info && event->count)
            pick_up(toasts, info, event->item, event->count);
        break;
    case CRAFTY_PLAYER_TOOL_BROKE:
        cn_format(text, sizeof text, "%s broke", info ? info->title : "Your tool");
        crafty_toasts_add(toasts, info ? event->item : CRAFTY_NO_ITEM, text);
        break;
    case CRAFTY_PLAYER_SPAWN_SET:
        crafty_toasts_add(toasts, CRAFTY_NO_ITEM, "You will respawn here");
        break;
    case CRAFTY_PLAYER_REFUSED:
        if (villager_text(event, text))
            crafty_toasts_add(toasts, CRAFTY_NO_ITEM, text);
        else if (refusal_text(event->count))
            crafty_toasts_add(toasts, CRAFTY_NO_ITEM, refusal_text(event->count));
        break;
    default:
        break;
    }
}

/* ---- Drawing ---- */

static void draw(const CraftyToast *toast, CnCanvas *canvas, const CraftyItemIcons *icons, float y)
{
    float alpha = toast->seconds < FADE_SECONDS ? toast->seconds / FADE_SECONDS : 1;
    CnTextStyle style = {.size = crafty_icons_text(icons, TEXT_SIZE, MOST_TEXT),
                         .color = cn_color_fade(cn_rgb(0xFFFFFF), alpha)};
    CnRect area = cn_canvas_area(canvas);
    float icon = toast->item ? HEIGHT - 2 : 0;
    float width = cn_canvas_text_size(canvas, &style, cn_text(toast->text), 0).x + icon + 14;
    CnRect box = {cn_canvas_snap(canvas, area.x + area.width - FROM_EDGE - width),
                  cn_canvas_snap(canvas, y), width, HEIGHT - 2};
    cn_canvas_box(canvas, box,
                  &(CnBoxStyle){.fill = cn_color_fade(
                                    cn_rgba(icons->high_contrast ? 0x000000FF : 0x10141CC8), alpha),
                                .radius = 4});
    if (toast->item)
        crafty_item_icon_draw(icons, canvas, (CnRect){box.x + 3, box.y + 1, icon - 2, icon - 2},
                              toast->item, alpha);
    cn_canvas_text_in(canvas, (CnRect){box.x + icon + 6, box.y, width, box.height}, &style,
                      &(CnTextLayout){.align_y = CN_ALIGN_CENTER}, cn_text(toast->text));
}

void crafty_toasts_draw(CraftyToasts *toasts, CnCanvas *canvas, const CraftyItemIcons *icons,
                        float bottom, float seconds)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < toasts->count; i++) {
        toasts->items[i].seconds -= seconds;
        if (toasts->items[i].seconds > 0)
            toasts->items[kept++] = toasts->items[i];
    }
    toasts->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        draw(&toasts->items[i], canvas, icons, bottom - (float)(kept - i) * HEIGHT);
}

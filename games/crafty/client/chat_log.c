#include "chat_log.h"

#define PADDING 4.0f
#define MAX_CLOSED 10u /* lines while the chat is closed */

static CraftyChatLogLine *append(CraftyChatLog *log, uint8_t kind)
{
    CraftyChatLogLine *line = &log->lines[log->next];
    log->next = (log->next + 1) % CRAFTY_CHAT_LOG_LINES;
    log->count += log->count < CRAFTY_CHAT_LOG_LINES;
    *line = (CraftyChatLogLine){.kind = kind};
    return line;
}

void crafty_chat_log_add(CraftyChatLog *log, const CraftyChatLine *line, uint32_t player)
{
    if (!crafty_chat_is_for(line, player))
        return;
    CraftyChatLogLine *added = append(log, line->kind);
    if (line->kind == CRAFTY_CHAT_SAID)
        cn_format(added->text, sizeof added->text, "<%s> %s", line->name, line->text);
    else if (line->kind == CRAFTY_CHAT_WHISPERED)
        cn_format(added->text, sizeof added->text, "<%s to you> %s", line->name, line->text);
    else
        cn_copy_text(added->text, sizeof added->text, cn_text(line->text));
}

void crafty_chat_log_note(CraftyChatLog *log, CraftyChatKind kind, const char *text)
{
    CraftyChatLogLine *added = append(log, (uint8_t)kind);
    cn_text_escape(cn_text(text), added->text, sizeof added->text);
}

void crafty_chat_log_frame(CraftyChatLog *log, float seconds)
{
    for (uint32_t i = 0; i < log->count; i++)
        log->lines[i].seconds += seconds;
}

const CraftyChatLogLine *crafty_chat_log_at(const CraftyChatLog *log, uint32_t index)
{
    return index < log->count ? &log->lines[(log->next + CRAFTY_CHAT_LOG_LINES - 1 - index) %
                                            CRAFTY_CHAT_LOG_LINES]
                              : NULL;
}

/* ---- Drawing ---- */

static CnColor color_of(uint8_t kind)
{
    switch ((CraftyChatKind)kind) {
    case CRAFTY_CHAT_ERROR:
        return cn_rgb(0xFF9B8C);
    case CRAFTY_CHAT_ANSWER:
        return cn_rgb(0xD8E6F2);
    case CRAFTY_CHAT_WHISPERED:
    case CRAFTY_CHAT_NOTICE:
        return cn_rgb(0xFFE08A);
    case CRAFTY_CHAT_SAID:
    case CRAFTY_CHAT_KIND_COUNT:
        break;
    }
    return cn_rgb(0xFFFFFF);
}

/* Returns how visible a line is, 0 to 1. */
static float alpha_of(const CraftyChatLogLine *line, bool is_open)
{
    float left = CRAFTY_CHAT_SHOWN_SECONDS - line->seconds;
    if (is_open || left >= CRAFTY_CHAT_FADE_SECONDS)
        return 1;
    return left > 0 ? left / CRAFTY_CHAT_FADE_SECONDS : 0;
}

static void draw_line(CnCanvas *canvas, CnRect rect, const CnTextStyle *style,
                      const CraftyChatLogLine *line, float alpha)
{
    const CnTextLayout wrapped = {.wrap = true};
    CnRect inner = {rect.x + PADDING, rect.y, rect.width - 2 * PADDING, rect.height};
    CnTextStyle shadow = *style, colored = *style;
    cn_canvas_fill(canvas, rect, cn_color_fade(cn_rgba(0x0A0E1290), alpha));
    shadow.color = cn_color_fade(cn_rgba(0x000000C0), alpha);
    colored.color = cn_color_fade(color_of(line->kind), alpha);
    cn_canvas_text_in(canvas, (CnRect){inner.x + 1, inner.y + 1, inner.width, inner.height},
                      &shadow, &wrapped, cn_text(line->text));
    cn_canvas_text_in(canvas, inner, &colored, &wrapped, cn_text(line->text));
}

uint32_t crafty_chat_log_draw(const CraftyChatLog *log, CnCanvas *canvas,
                              const CraftyChatLogView *view)
{
    CnTextStyle style = {.size = view->text_size};
    float bottom = view->area.y + view->area.height;
    uint32_t visible = 0;
    cn_canvas_push_clip(canvas, view->area);
    for (uint32_t i = view->skipped; bottom > view->area.y; i++) {
        const CraftyChatLogLine *line = crafty_chat_log_at(log, i);
        float alpha = line ? alpha_of(line, view->is_open) : 0;
        if (!line || alpha <= 0 || (!view->is_open && visible == MAX_CLOSED))
            break;
        float height =
            cn_canvas_text_size(canvas, &style, cn_text(line->text), view->area.width - 2 * PADDING)
                .y +
            2;
        bottom -= height;
        draw_line(canvas, (CnRect){view->area.x, bottom, view->area.width, height}, &style, line,
                  alpha);
        visible++;
    }
    cn_canvas_pop_clip(canvas);
    return visible;
}

/* The rows of the list of worlds, and the buttons below it. */
#include "world_screen_internal.h"

#include "ui_style.h"
#include "world_text.h"

#define MAX_WIDTH 960.0f
#define SMALL_HEIGHT 480.0f /* below which rows and margins are smaller */
#define MIN_ONE_ROW 560.0f  /* width for all buttons side by side */
#define WARNING 0xF2B134u

static CnRect list_window(CnRect area)
{
    bool is_small = area.height < SMALL_HEIGHT;
    float margin = is_small ? 8 : 24, top = is_small ? 38 : 72;
    float width = area.width - 2 * margin;
    width = width < MAX_WIDTH ? width : MAX_WIDTH;
    return (CnRect){(area.width - width) / 2, top, width, area.height - top - margin};
}

/* ---- Rows ---- */

typedef struct Row {
    CnCanvas *canvas;
    CnRect rect;
    const CnUiTheme *theme;
    bool is_selected;
    float factor; /* of the text size */
} Row;

static void draw_text(const Row *row, CnRect rect, float size, CnColor color,
                      const CnTextLayout *layout, const char *text)
{
    cn_canvas_text_in(
        row->canvas, rect,
        &(CnTextStyle){.font = row->theme->font, .size = size * row->factor, .color = color},
        layout, cn_text(text));
}

/* A world that was never played has no picture. */
static void draw_no_picture(const Row *row, CnRect rect)
{
    cn_canvas_box(row->canvas, rect,
                  &(CnBoxStyle){.fill = cn_rgb(0x35618F),
                                .gradient = CN_GRADIENT_VERTICAL,
                                .fill_to = cn_rgb(0x7FA6CB),
                                .radius = 3});
    CnRect ground = {rect.x, rect.y + rect.height * 0.7f, rect.width, rect.height * 0.3f};
    cn_canvas_box(row->canvas, ground, &(CnBoxStyle){.fill = cn_rgb(0x55803F), .radius = 3});
}

static void draw_damage(const Row *row, CnRect rect)
{
    cn_canvas_box(row->canvas, rect, &(CnBoxStyle){.fill = cn_rgb(0x2A2622), .radius = 3});
    draw_text(row, rect, rect.height * 0.6f, cn_rgb(WARNING),
              &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER}, "!");
}

static void draw_picture(CraftyWorldScreen *screen, const Row *row, const CraftyWorldEntry *entry,
                         CnRect rect)
{
    CnTexture texture = {0};
    if (entry->error.code == CN_OK && !entry->is_open && entry->info.has_thumbnail)
        texture = crafty_thumbnail_cache_get(screen->thumbnails, entry);
    if (entry->error.code != CN_OK)
        draw_damage(row, rect);
    else if (texture.id)
        cn_canvas_sprite(row->canvas, rect, &(CnSprite){.texture = texture, .radius = 3});
    else
        draw_no_picture(row, rect);
}

static void draw_row(CraftyWorldScreen *screen, const Row *row, const CraftyWorldEntry *entry)
{
    const CnUiTheme *theme = row->theme;
    const CnTextLayout one_line = {.align_y = CN_ALIGN_CENTER, .ellipsis = true};
    bool is_small = row->rect.height < 70 * row->factor;
    float gap = is_small ? 5 : 7, height = row->rect.height - 2 * gap;
    CnRect picture = {row->rect.x + gap, cn_canvas_snap(row->canvas, row->rect.y + gap),
                      cn_canvas_snap(row->canvas, height * 16 / 9), height};
    CnColor dim = row->is_selected ? cn_color_fade(theme->text_on_accent, 0.85f) : theme->text_dim;
    char text[CRAFTY_STATUS_BYTES], missing[CRAFTY_STATUS_BYTES], when[64];
    float x = picture.x + picture.width + 2 * gap, end = row->rect.x + row->rect.width - 10;
    float line = (is_small ? 20 : 26) * row->factor;
    float when_width = (is_small ? 120 : 150) * row->factor;
    CnRect title = {x, picture.y + (is_small ? 2 : 6), end - when_width - x, line};
    CnRect below = {x, title.y + line, end - x, picture.y + height - title.y - line};
    draw_picture(screen, row, entry, picture);
    draw_text(row, title, is_small ? 15 : 18,
              row->is_selected ? theme->text_on_accent : theme->text, &one_line, entry->name);
    crafty_text_when(entry->played_ms, crafty_unix_ms(), when, sizeof when);
    draw_text(row, (CnRect){end - when_width, title.y, when_width, line}, 13, dim,
              &(CnTextLayout){.align_x = CN_ALIGN_END, .align_y = CN_ALIGN_CENTER}, when);
    if (crafty_text_problem(entry, text, sizeof text)) {
        draw_text(row, below, is_small ? 12 : 13,
                  row->is_selected ? theme->text_on_accent : cn_rgb(WARNING),
                  &(CnTextLayout){.wrap = true}, text);
        return;
    }
    crafty_text_world(entry, text, sizeof text);
    below.height = line;
    bool has_lines = picture.y + picture.height - below.y > 1.4f * line;
    bool is_warned = crafty_text_missing_mods(entry, &screen->mods, missing, sizeof missing);
    if (!is_warned || has_lines)
        draw_text(row, below, 13, dim, &one_line, text);
    below.y += has_lines ? 0.7f * line : 0;
    if (is_warned)
        draw_text(row, below, is_small ? 12 : 13,
                  row->is_selected ? theme->text_on_accent : cn_rgb(WARNING), &one_line, missing);
}

/* Shown instead of rows. */
static const char *empty_text(const CraftyWorldScreen *screen, char *text, size_t text_bytes)
{
    if (screen->list_error.code != CN_OK) {
        cn_format(text, text_bytes, "The worlds cannot be listed: %s", screen->list_error.message);
        return text;
    }
    if (screen->list.count)
        return NULL;
    return screen->has_list ? "There are no worlds yet. Create one to play." : "Reading worlds ...";
}

static void draw_list(CraftyWorldScreen *screen, CnEngine *engine, float height, float row_height)
{
    CnUi *ui = cn_engine_ui(engine);
    CnUiList list;
    char buffer[CRAFTY_STATUS_BYTES];
    if (screen->wants_focus && screen->dialog == CRAFTY_DIALOG_NONE)
        cn_ui_focus_next(ui);
    cn_ui_begin_list(ui,
                     &(CnUiListDesc){.id = "worlds",
                                     .count = screen->list.count,
                                     .height = height,
                                     .item_height = row_height,
                                     .has_selection = true,
                                     .selected = screen->selected},
                     &list);
    screen->wants_focus &= !list.focused;
    for (uint32_t i = list.first; i < list.end; i++) {
        bool is_selected = i == screen->selected;
        if (cn_ui_list_item(ui, &list, i, "", is_selected))
            screen->selected = i;
        Row row = {cn_ui_canvas(ui), cn_ui_list_item_rect(&list, i), cn_ui_theme(ui), is_selected,
                   crafty_ui_text_factor(ui)};
        draw_row(screen, &row, &screen->list.items[i]);
    }
    if (list.moved_to < screen->list.count) /* it may be outside of the visible rows */
        screen->selected = list.moved_to;
    const char *text = empty_text(screen, buffer, sizeof buffer);
    if (text)
        cn_canvas_text_in(
            cn_ui_canvas(ui), cn_rect_inset(list.area, 24),
            &(CnTextStyle){.size = 15 * crafty_ui_text_factor(ui),
                           .color = cn_ui_theme(ui)->text_dim},
            &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER, .wrap = true},
            cn_text(text));
    cn_ui_end_list(ui, &list);
    const CraftyWorldEntry *entry = crafty_world_screen_selected(screen);
    bool is_free = screen->dialog == CRAFTY_DIALOG_NONE && !screen->play_path[0];
    if (list.activated < screen->list.count && is_free) {
        entry = &screen->list.items[list.activated];
        if (entry->error.code == CN_OK && !entry->is_open)
            cn_copy_text(screen->play_path, sizeof screen->play_path, cn_text(entry->path));
    }
    if (entry && !entry->is_open && list.focused && is_free &&
        cn_engine_key_pressed(engine, CN_KEY_DELETE))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_DELETE);
}

/* ---- Buttons ---- */

static bool button(CnUi *ui, const char *label, bool is_enabled)
{
    cn_ui_begin_disabled(ui, !is_enabled);
    bool is_pressed = cn_ui_button(ui, label);
    cn_ui_end_disabled(ui);
    return is_pressed;
}

static void draw_buttons(CraftyWorldScreen *screen, CnUi *ui, uint32_t columns)
{
    const CraftyWorldEntry *entry = crafty_world_screen_selected(screen);
    bool is_idle = !crafty_world_task_is_busy(screen->task) && !screen->play_path[0];
    bool is_there = is_idle && entry && !entry->is_open;
    bool is_readable = is_there && entry->error.code == CN_OK;
    cn_ui_begin_row(ui, NULL, columns);
    if (button(ui, "Play", is_readable))
        cn_copy_text(screen->play_path, sizeof screen->play_path, cn_text(entry->path));
    if (button(ui, "Create", is_idle))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_CREATE);
    if (button(ui, "Rename", is_readable))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_RENAME);
    if (button(ui, "Copy", is_readable))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_COPY);
    if (button(ui, "Back up", is_readable))
        crafty_world_screen_order(screen, CRAFTY_TASK_BACK_UP, entry->path);
    if (button(ui, "Restore", is_there))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_RESTORE);
    if (button(ui, "Delete", is_there))
        crafty_world_screen_open_dialog(screen, CRAFTY_DIALOG_DELETE);
    if (cn_ui_button(ui, "Back"))
        screen->wants_back = true;
    cn_ui_end_row(ui);
}

/* The result of the last action, with Undo after a deletion; otherwise how many worlds there are.
 */
static void draw_status(CraftyWorldScreen *screen, CnUi *ui)
{
    static const float with_undo[] = {-1, 80}, alone[] = {-1};
    char text[CRAFTY_STATUS_BYTES];
    bool has_undo = screen->deleted_path[0] != '\0';
    if (screen->status[0])
        cn_copy_text(text, sizeof text, cn_text(screen->status));
    else if (screen->list_error.code != CN_OK)
        text[0] = '\0'; /* the list says it */
    else
        crafty_text_worlds(screen->has_list ? &screen->list : NULL, text, sizeof text);
    cn_ui_begin_row(ui, has_undo ? with_undo : alone, has_undo ? 2 : 1);
    CnRect rect = cn_ui_reserve(ui, cn_ui_theme(ui)->row_height);
    cn_canvas_text_in(cn_ui_canvas(ui), rect,
                      &(CnTextStyle){.font = cn_ui_theme(ui)->font,
                                     .size = 13 * crafty_ui_text_factor(ui),
                                     .color = cn_ui_theme(ui)->text_dim},
                      &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = true}, cn_text(text));
    if (has_undo && button(ui, "Undo", !crafty_world_task_is_busy(screen->task)))
        crafty_world_screen_order(screen, CRAFTY_TASK_UNDELETE, screen->deleted_path);
    cn_ui_end_row(ui);
}

void crafty_world_rows_frame(CraftyWorldScreen *screen, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    const CnUiTheme *theme = cn_ui_theme(ui);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine)), window = list_window(area);
    float factor = crafty_ui_text_factor(ui);
    uint32_t columns = window.width < MIN_ONE_ROW * factor ? 4 : 8;
    float line = theme->row_height + theme->spacing;
    float below = line * (float)(1 + 8 / columns);
    float height = window.height - 2 * (theme->padding + theme->border) - below;
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "worlds",
                                             .rect = window,
                                             .flags = CN_UI_PANEL | CN_UI_NO_SCROLL})) {
        draw_list(screen, engine, height > line ? height : line,
                  (area.height < SMALL_HEIGHT ? 56 : 84) * factor);
        draw_status(screen, ui);
        draw_buttons(screen, ui, columns);
    }
    cn_ui_end_window(ui);
}

/* Text fields. */
#include "ui/ui_internal.h"

#include <math.h>
#include <string.h>

#define BLINK_SECONDS 1.06
#define DOUBLE_CLICK_SECONDS 0.35
#define INSET 6.0f
#define WRONG_FILL 0xE0402850
#define WRONG_LINE 0xFF5A46FF

/* A field with its displayed text, which consists of dots for a secret. */
typedef struct Field {
    const CnUiField *desc;
    CnRect inner;
    CnTextStyle style;
    CnText shown;
} Field;

#define DOT "\xE2\x80\xA2"

/* A dot takes three bytes per character of a secret. */
static CnText shown_text(CnUi *ui, const CnUiField *desc)
{
    CnText text = cn_text(desc->text);
    if (!desc->secret)
        return text;
    char *dots = cn_arena_alloc(&ui->texts, 3 * text.size + 1, 1);
    size_t size = 0;
    for (size_t at = 0; dots && at < text.size; size += 3) {
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
        memcpy(dots + size, DOT, 3);
    }
    return (CnText){dots, size};
}

/* Convert between byte offsets of the text and of the displayed text. */
static size_t to_shown(const Field *field, size_t byte)
{
    if (!field->desc->secret)
        return byte;
    CnText text = {field->desc->text, byte};
    size_t count = 0;
    for (size_t at = 0; at < text.size; count += 3) {
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
    }
    return count;
}

static size_t from_shown(const Field *field, size_t shown)
{
    if (!field->desc->secret)
        return shown;
    CnText text = cn_text(field->desc->text);
    size_t at = 0;
    for (size_t i = 0; i < shown / 3 && at < text.size; i++) {
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
    }
    return at;
}

static float place_of(CnUi *ui, const Field *field, size_t byte)
{
    return cn_canvas_text_x_at_byte(ui->canvas, &field->style, field->shown, to_shown(field, byte));
}

static size_t byte_under_mouse(CnUi *ui, const Field *field)
{
    float x = ui->mouse.x - field->inner.x + ui->edit.scroll;
    return from_shown(field, cn_canvas_text_byte_at_x(ui->canvas, &field->style, field->shown, x));
}

/* ---- Clipboard ---- */

static void copy(CnUi *ui, CnText text)
{
    if (text.size == 0)
        return;
    cn_array_clear(&ui->copied);
    if (!cn_text_append(&ui->copied, text)) {
        cn_array_clear(&ui->copied);
        return;
    }
    if (ui->clipboard.set)
        ui->clipboard.set(ui->clipboard.user, ui->copied.items);
}

static CnText paste(CnUi *ui)
{
    if (ui->clipboard.get)
        return cn_text(ui->clipboard.get(ui->clipboard.user));
    return (CnText){ui->copied.items, ui->copied.count};
}

/* ---- Keys ---- */

static bool clipboard_key(CnUi *ui, const CnUiField *desc, CnUiKey key)
{
    CniUiEdit *edit = &ui->edit;
    if (key == CN_UI_PASTE)
        return cni_ui_edit_insert(edit, desc->text, desc->text_bytes, paste(ui));
    if (!desc->secret)
        copy(ui, cni_ui_edit_selection(edit, desc->text));
    return key == CN_UI_CUT && !desc->secret &&
           cni_ui_edit_insert(edit, desc->text, desc->text_bytes, (CnText){0});
}

/* Keys that a field does not use, and those that leave it, are left for other handlers. */
static bool is_for_field(uint32_t typed)
{
    CnUiKey key = (CnUiKey)(typed & 0xFFu);
    if (!(typed & CN_UI_TYPED_KEY))
        return true;
    if (typed >> 8 & CN_UI_PAD)
        return false;
    return key == CN_UI_LEFT || key == CN_UI_RIGHT || key == CN_UI_HOME || key == CN_UI_END ||
           key == CN_UI_SPACE || key >= CN_UI_BACKSPACE || key == CN_UI_ACTIVATE ||
           key == CN_UI_CANCEL;
}

static bool type(CnUi *ui, const CnUiField *desc, uint32_t typed)
{
    CnUiKey key = (CnUiKey)(typed & 0xFFu);
    if (!(typed & CN_UI_TYPED_KEY)) {
        char bytes[4];
        size_t size = cn_utf8_write(typed, bytes);
        return cni_ui_edit_insert(&ui->edit, desc->text, desc->text_bytes, (CnText){bytes, size});
    }
    if (key == CN_UI_CUT || key == CN_UI_COPY || key == CN_UI_PASTE)
        return clipboard_key(ui, desc, key);
    return cni_ui_edit_key(&ui->edit, desc->text, key, typed >> 8 & 0xFFu);
}

static CnUiFieldResult use_keys(CnUi *ui, const CnUiField *desc)
{
    CnUiFieldResult result = CN_UI_FIELD_NONE;
    uint32_t kept = 0, i = 0;
    size_t cursor = ui->edit.cursor;
    for (; i < ui->input.typed_count && result != CN_UI_FIELD_DONE; i++) {
        uint32_t typed = ui->input.typed[i];
        CnUiKey key = typed & CN_UI_TYPED_KEY ? (CnUiKey)(typed & 0xFFu) : CN_UI_KEY_COUNT;
        if (!is_for_field(typed))
            ui->input.typed[kept++] = typed;
        else if (key == CN_UI_ACTIVATE || key == CN_UI_CANCEL)
            ui->edit.id = 0;
        else if (ui->edit.id && type(ui, desc, typed))
            result = CN_UI_FIELD_CHANGED;
        if (key == CN_UI_ACTIVATE)
            result = CN_UI_FIELD_DONE;
        if (!ui->edit.id) {
            i++;
            break;
        }
    }
    memmove(&ui->input.typed[kept], &ui->input.typed[i],
            (ui->input.typed_count - i) * sizeof ui->input.typed[0]);
    ui->input.typed_count = kept + ui->input.typed_count - i;
    if (result != CN_UI_FIELD_NONE || ui->edit.cursor != cursor)
        ui->edit.moved_at = ui->time;
    return result;
}

/* ---- Mouse ---- */

static void use_mouse(CnUi *ui, const Field *field, CniUiInteraction interaction)
{
    CniUiEdit *edit = &ui->edit;
    if (interaction.pressed) {
        size_t at = byte_under_mouse(ui, field);
        bool is_double = ui->time - edit->clicked_at < DOUBLE_CLICK_SECONDS;
        edit->clicked_at = ui->time;
        edit->moved_at = ui->time;
        edit->cursor = at;
        edit->is_selecting = !is_double;
        if (is_double)
            cni_ui_edit_select_word(edit, field->desc->text, at);
        else if (!(ui->input.modifiers & CN_UI_SHIFT))
            edit->anchor = at;
    } else if (interaction.held && edit->is_selecting) {
        edit->cursor = byte_under_mouse(ui, field);
    }
}

/* Starts editing when the field gets the focus: at the click position by mouse, otherwise with
 * everything selected. */
static void begin_edit(CnUi *ui, uint64_t id, const CnUiField *desc, CniUiInteraction interaction)
{
    ui->edit = (CniUiEdit){.id = id, .moved_at = ui->time, .clicked_at = -1};
    if (!interaction.held)
        ui->edit.cursor = strlen(desc->text);
    if (desc->caret)
        ui->edit.cursor = ui->edit.anchor = *desc->caret;
}

/* ---- Drawing ---- */

/* Scrolls the text so that the cursor is visible. */
static void follow_cursor(CnUi *ui, const Field *field)
{
    float x = place_of(ui, field, ui->edit.cursor), width = field->inner.width - 2;
    float most = fmaxf(place_of(ui, field, strlen(field->desc->text)) - width, 0);
    ui->edit.scroll = fminf(ui->edit.scroll, most);
    ui->edit.scroll = fmaxf(fminf(ui->edit.scroll, x), x - width);
}

static void draw_cursor(CnUi *ui, const Field *field, float left)
{
    float x = cn_canvas_snap(ui->canvas, left + place_of(ui, field, ui->edit.cursor));
    CnRect line = {x, field->inner.y + 4, 1, field->inner.height - 8};
    CnText composition = cn_text(ui->input.composition);
    if (composition.size > 0) {
        CnVec2 size = cn_canvas_text_size(ui->canvas, &field->style, composition, 0);
        cn_canvas_fill(ui->canvas, (CnRect){x, line.y, size.x, line.height}, ui->theme.widget);
        cni_ui_text_in(ui, (CnRect){x, field->inner.y, size.x + 1, field->inner.height},
                       ui->theme.text, CN_ALIGN_START, composition);
        cn_canvas_fill(ui->canvas, (CnRect){x, line.y + line.height - 1, size.x, 1},
                       ui->theme.text);
        line.x = cn_canvas_snap(ui->canvas, x + size.x);
    }
    if (fmod(ui->time - ui->edit.moved_at, BLINK_SECONDS) < BLINK_SECONDS / 2)
        cn_canvas_fill(ui->canvas, line, ui->theme.text);
    ui->wants_text = true;
    ui->text_place = line;
}

static void mark_wrong(CnUi *ui, const Field *field, float left)
{
    size_t size = strlen(field->desc->text), from = field->desc->wrong_at;
    size_t end = from + field->desc->wrong_bytes;
    if (from >= size || end == from)
        return;
    float a = place_of(ui, field, from), b = place_of(ui, field, end < size ? end : size);
    CnRect rect = {left + a, field->inner.y + 3, b - a, field->inner.height - 6};
    cn_canvas_fill(ui->canvas, rect, cn_rgba(WRONG_FILL));
    cn_canvas_fill(ui->canvas, (CnRect){rect.x, rect.y + rect.height - 2, rect.width, 2},
                   cn_rgba(WRONG_LINE));
}

static void draw_text(CnUi *ui, const Field *field, bool is_edited)
{
    float left = cn_canvas_snap(ui->canvas, field->inner.x - (is_edited ? ui->edit.scroll : 0));
    CnRect rect = {left, field->inner.y, field->inner.width, field->inner.height};
    cn_canvas_push_clip(ui->canvas, cn_rect_inset(field->inner, -2));
    if (is_edited) {
        CnText selection = cni_ui_edit_selection(&ui->edit, field->desc->text);
        size_t from = (size_t)(selection.data - field->desc->text);
        float a = place_of(ui, field, from), b = place_of(ui, field, from + selection.size);
        cn_canvas_fill(ui->canvas, (CnRect){left + a, rect.y + 3, b - a, rect.height - 6},
                       ui->theme.selection);
    }
    mark_wrong(ui, field, left);
    bool is_empty = field->shown.size == 0;
    CnTextStyle style = cni_ui_style(ui, is_empty ? ui->theme.text_dim : ui->theme.text);
    if (!is_empty || !is_edited)
        cn_canvas_text_in(ui->canvas, rect, &style,
                          &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = !is_edited},
                          is_empty ? cn_text(field->desc->hint) : field->shown);
    if (is_edited)
        draw_cursor(ui, field, left);
    cn_canvas_pop_clip(ui->canvas);
}

CnUiFieldResult cn_ui_field(CnUi *ui, const char *label, const CnUiField *desc)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->text && desc->text_bytes > 0, "field '%s' has no text buffer", label);
    uint64_t id = cni_ui_id(ui, label);
    CnRect rect = cni_ui_begin_labelled(ui, label);
    cni_ui_edit_repair(desc->text, desc->text_bytes);
    bool had_focus = ui->focus == id;
    CniUiInteraction interaction = cni_ui_interact(ui, id, rect, CNI_UI_NO_KEYS | CNI_UI_WRITES);
    bool is_reached = interaction.focused && ui->edit.id != id &&
                      (!had_focus || interaction.pressed || ui->focus_moved);
    bool is_opened =
        interaction.focused && ui->edit.id != id && !is_reached &&
        (cni_ui_take_key(ui, CN_UI_ACTIVATE, NULL) || cni_ui_take_key(ui, CN_UI_SPACE, NULL));
    if (is_reached || is_opened)
        begin_edit(ui, id, desc, interaction);
    CnUiFieldResult result = CN_UI_FIELD_NONE;
    bool is_edited = ui->edit.id == id, was_edited = is_edited;
    if (is_edited) {
        size_t size = strlen(desc->text);
        if (desc->caret && *desc->caret != ui->edit.cursor)
            ui->edit.cursor = ui->edit.anchor = *desc->caret;
        ui->edit.cursor = ui->edit.cursor < size ? ui->edit.cursor : size;
        ui->edit.anchor = ui->edit.anchor < size ? ui->edit.anchor : size;
        result = use_keys(ui, desc);
        is_edited = ui->edit.id == id;
    }
    Field field = {.desc = desc,
                   .inner = {rect.x + INSET, rect.y, rect.width - 2 * INSET, rect.height},
                   .style = cni_ui_style(ui, ui->theme.text),
                   .shown = shown_text(ui, desc)};
    if (is_edited) {
        use_mouse(ui, &field, interaction);
        follow_cursor(ui, &field);
    }
    if (was_edited && desc->caret)
        *desc->caret = (uint32_t)ui->edit.cursor;
    cni_ui_frame(ui, rect, ui->theme.field, interaction.focused);
    if (is_edited && !ui->focus_shown)
        cn_canvas_box(ui->canvas, rect,
                      &(CnBoxStyle){.radius = ui->theme.radius,
                                    .border = 1,
                                    .border_color = ui->theme.accent});
    draw_text(ui, &field, is_edited);
    return result;
}

bool cn_ui_text_field(CnUi *ui, const char *label, char *text, size_t text_bytes)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnUiFieldResult result =
        cn_ui_field(ui, label, &(CnUiField){.text = text, .text_bytes = text_bytes});
    return result == CN_UI_FIELD_CHANGED;
}

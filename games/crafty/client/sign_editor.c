#include "sign_editor.h"

#include "ui_style.h"

#include <string.h>

#define WIDTH 300.0f

static void read_lines(CraftySignEditor *editor, CnVoxels *voxels, const int32_t cell[3])
{
    *editor = (CraftySignEditor){.is_open = true, .cell = {cell[0], cell[1], cell[2]}};
    if (!crafty_sign_read(voxels, (CnCell){cell[0], cell[1], cell[2]}, editor->before))
        editor->before[0] = '\0';
    const char *at = editor->before;
    for (uint32_t i = 0; i < CRAFTY_SIGN_LINES; i++) {
        size_t bytes = strcspn(at, "\n");
        cn_copy_text(editor->lines[i], sizeof editor->lines[i], (CnText){at, bytes});
        at += bytes + (at[bytes] != '\0');
    }
}

/* Returns the bytes of the first characters of a line, at most `most`. */
static size_t cut(CnText line, size_t most)
{
    size_t at = 0;
    for (uint32_t i = 0; i < CRAFTY_SIGN_LINE_CHARACTERS && at < line.size; i++) {
        uint32_t character;
        size_t next = cn_utf8_next(line, at, &character);
        if (next > most)
            break;
        at = next;
    }
    return at;
}

void crafty_sign_editor_text(const CraftySignEditor *editor, char text[CRAFTY_SIGN_BYTES])
{
    size_t used = 0, end = 0;
    for (uint32_t i = 0; i < CRAFTY_SIGN_LINES && used + 1 < CRAFTY_SIGN_BYTES; i++) {
        if (i)
            text[used++] = '\n';
        size_t bytes = cut(cn_text(editor->lines[i]), CRAFTY_SIGN_BYTES - 1 - used);
        memcpy(text + used, editor->lines[i], bytes);
        used += bytes;
        end = bytes ? used : end;
    }
    text[end] = '\0'; /* without empty lines at the end */
}

/* A line cannot become longer than a sign shows. */
static void limit(char line[CRAFTY_SIGN_BYTES])
{
    line[cut(cn_text(line), CRAFTY_SIGN_BYTES - 1)] = '\0';
}

static bool show_lines(CraftySignEditor *editor, CnUi *ui)
{
    bool goes_on = true;
    for (uint32_t i = 0; i < CRAFTY_SIGN_LINES; i++) {
        if (editor->shown > 0 && editor->line == i) {
            cn_ui_focus_next(ui);
            editor->line = CRAFTY_SIGN_LINES;
        }
        cn_ui_push_number(ui, i);
        CnUiFieldResult result = cn_ui_field(
            ui, "##line",
            &(CnUiField){.text = editor->lines[i], .text_bytes = sizeof editor->lines[i]});
        cn_ui_pop_id(ui);
        limit(editor->lines[i]);
        if (result != CN_UI_FIELD_DONE)
            continue;
        editor->line = i + 1;
        goes_on &= i + 1 < CRAFTY_SIGN_LINES;
    }
    return goes_on;
}

bool crafty_sign_editor_frame(CraftySignEditor *editor, CnEngine *engine, CnVoxels *voxels,
                              const int32_t cell[3])
{
    if (!editor->is_open || memcmp(editor->cell, cell, sizeof editor->cell) != 0)
        read_lines(editor, voxels, cell);
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    float factor = crafty_ui_text_factor(ui), width = WIDTH * factor;
    bool goes_on = true;
    if (cn_ui_begin_window(ui,
                           &(CnUiWindow){.title = "Sign",
                                         .rect = {(area.width - width) / 2,
                                                  area.height * 0.2f / factor / factor, width, 0},
                                         .flags = CN_UI_MODAL | CN_UI_NO_MOVE})) {
        goes_on = show_lines(editor, ui);
        cn_ui_label_colored(ui, cn_ui_theme(ui)->text_dim, CN_ALIGN_CENTER, "Return: next line");
        goes_on &= !cn_ui_button(ui, "Done");
    }
    cn_ui_end_window(ui);
    editor->shown++;
    return goes_on;
}

void crafty_sign_editor_finish(CraftySignEditor *editor, CraftyConnection *connection)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_SIGN_TEXT,
                             .cell = {editor->cell[0], editor->cell[1], editor->cell[2]}};
    char text[CRAFTY_SIGN_BYTES];
    if (!editor->is_open)
        return;
    crafty_sign_editor_text(editor, text);
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    if (strcmp(text, editor->before) != 0)
        crafty_connection_send_command(connection, &command);
    editor->is_open = false;
}

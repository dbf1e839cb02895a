#include "mod_dialog.h"

#include "ui_style.h"

#include <string.h>

#define WIDTH 380.0f
#define TEXT_SHARE 0.4f /* of the height of the window; longer texts scroll */
#define ONE_COLUMN 4u   /* up to so many choices are below each other */

bool crafty_mod_dialog_waits(const CraftyModDialogScreen *screen, const CraftyModDialog *dialog)
{
    return dialog->number != 0 && dialog->number != screen->answered;
}

/* "##" would hide the rest of a label; "###" before the number makes it the whole id. */
static const char *label_of(CnUi *ui, const char *text, uint32_t number)
{
    char plain[CRAFTY_MOD_DIALOG_TEXT_BYTES];
    cn_copy_text(plain, sizeof plain, cn_text(text));
    for (char *c = plain; *c; c++)
        if (c[0] == '#' && c[1] == '#')
            c[0] = ' ';
    return cn_ui_format(ui, "%s###%u", plain, number);
}

static void show_text(CnUi *ui, const char *text, float width, float height)
{
    const CnUiTheme *theme = cn_ui_theme(ui);
    CnTextStyle style = {.font = theme->font, .size = theme->text_size};
    float most = height * TEXT_SHARE, inner = width - 2 * theme->padding - 16;
    bool scrolls = cn_canvas_text_size(cn_ui_canvas(ui), &style, cn_text(text), inner).y > most;
    if (scrolls)
        cn_ui_begin_scroll(ui, "text", most);
    cn_ui_text(ui, text);
    if (scrolls)
        cn_ui_end_scroll(ui);
}

static uint32_t show_choices(CnUi *ui, const CraftyModDialog *dialog, bool focuses)
{
    uint32_t chosen = 0;
    cn_ui_begin_row(ui, NULL, dialog->choice_count > ONE_COLUMN ? 2 : 1);
    for (uint32_t i = 0; i < dialog->choice_count; i++) {
        if (focuses && i == 0)
            cn_ui_focus_next(ui);
        if (cn_ui_button(ui, label_of(ui, dialog->choices[i], i + 1)))
            chosen = i + 1;
    }
    cn_ui_end_row(ui);
    return chosen;
}

/* A mod that replaces its dialog again and again keeps the window, so that it can be closed. */
static void follow_number(CraftyModDialogScreen *screen, const CraftyModDialog *dialog)
{
    if (screen->number == dialog->number)
        return;
    if (!screen->number || strcmp(screen->mod, dialog->mod) != 0)
        screen->window = dialog->number;
    screen->number = dialog->number;
    screen->shown = 0;
    cn_copy_text(screen->mod, sizeof screen->mod, cn_text(dialog->mod));
}

bool crafty_mod_dialog_frame(CraftyModDialogScreen *screen, CnEngine *engine,
                             const CraftyModDialog *dialog, uint32_t *choice)
{
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    float factor = crafty_ui_text_factor(ui), width = WIDTH * factor;
    width = width < area.width - 16 ? width : area.width - 16;
    bool is_open = true;
    follow_number(screen, dialog);
    *choice = 0;
    if (cn_ui_begin_window(
            ui, &(CnUiWindow){
                    .title = label_of(ui, dialog->title[0] ? dialog->title : dialog->mod,
                                      screen->window),
                    .open = &is_open,
                    .rect = {(area.width - width) / 2, area.height * 0.12f / factor, width, 0},
                    .flags = CN_UI_MODAL | CN_UI_NO_MOVE | CN_UI_NO_RESIZE})) {
        if (dialog->text[0])
            show_text(ui, dialog->text, width, area.height);
        cn_ui_space(ui, 4);
        cn_ui_push_number(ui, dialog->number);
        *choice = show_choices(ui, dialog, screen->shown == 1);
        cn_ui_pop_id(ui);
    }
    cn_ui_end_window(ui);
    /* Otherwise the first press would only take the focus away. */
    bool has_window = screen->shown > 0 || screen->window != screen->number;
    bool is_cancelled = has_window && cn_ui_take_key(ui, CN_UI_CANCEL, NULL);
    screen->shown++;
    return *choice > 0 || is_cancelled || !is_open;
}

void crafty_mod_dialog_answer(CraftyModDialogScreen *screen, CraftyConnection *connection,
                              const CraftyModDialog *dialog, uint32_t choice)
{
    if (crafty_connection_send_command(connection,
                                       &(CraftyCommand){.kind = CRAFTY_COMMAND_CHOOSE,
                                                        .cell = {(int32_t)dialog->number},
                                                        .choice = (uint8_t)choice}))
        screen->answered = dialog->number;
    screen->number = 0;
}

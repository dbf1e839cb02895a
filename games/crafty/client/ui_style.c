#include "ui_style.h"

/* White on black, with borders around everything that can be used. */
static void raise_contrast(CnUiTheme *theme)
{
    theme->text = theme->text_dim = cn_rgb(0xFFFFFF);
    theme->window = theme->field = cn_rgb(0x000000);
    theme->window_title = theme->widget = cn_rgb(0x101010);
    theme->window_border = theme->widget_border = cn_rgb(0xFFFFFF);
    theme->widget_hot = theme->widget_pressed = cn_rgb(0x404040);
    theme->accent = cn_rgb(0x0050D0);
    theme->focus = cn_rgb(0xFFE000);
    theme->selection = cn_rgb(0x0050D0);
    theme->border = 2;
}

void crafty_ui_style_apply(CnUi *ui, const CraftyPreferences *preferences)
{
    CnUiTheme theme = cn_ui_theme_dark();
    float height = cn_canvas_area(cn_ui_canvas(ui)).height;
    float most = height > 0 ? height / CRAFTY_UI_LARGE_HEIGHT : 1;
    float factor = preferences->text_size < most ? preferences->text_size : most;
    factor = factor > 1 ? factor : 1;
    theme.text_dim = cn_rgb(0xAAB4C2);
    theme.text_size *= factor;
    theme.title_size *= factor;
    theme.row_height *= factor;
    theme.label_width = 0.42f;
    if (preferences->high_contrast)
        raise_contrast(&theme);
    *cn_ui_theme(ui) = theme;
}

float crafty_ui_text_factor(CnUi *ui)
{
    return cn_ui_theme(ui)->text_size / cn_ui_theme_dark().text_size;
}

void crafty_ui_dim_text(CnUi *ui, const char *text)
{
    CnUiTheme *theme = cn_ui_theme(ui);
    CnColor color = theme->text;
    theme->text = theme->text_dim;
    cn_ui_text(ui, text);
    theme->text = color;
}

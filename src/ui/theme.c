/* Themes. */
#include <cairn/ui/ui.h>

static CnUiTheme sizes(void)
{
    return (CnUiTheme){.font = {CN_FONT_SANS},
                       .mono = {CN_FONT_MONO},
                       .text_size = 14,
                       .title_size = 14,
                       .row_height = 26,
                       .spacing = 6,
                       .padding = 10,
                       .radius = 4,
                       .border = 1,
                       .label_width = 0.36f};
}

CnUiTheme cn_ui_theme_dark(void)
{
    CnUiTheme theme = sizes();
    theme.text = cn_rgb(0xE6EAF0);
    theme.text_dim = cn_rgb(0x8A94A3);
    theme.text_on_accent = cn_rgb(0xFFFFFF);
    theme.window = cn_rgba(0x1B2027F2);
    theme.window_title = cn_rgba(0x262D37FF);
    theme.window_border = cn_rgb(0x3B4553);
    theme.shadow = cn_rgba(0x00000080);
    theme.widget = cn_rgb(0x343D4A);
    theme.widget_hot = cn_rgb(0x414D5D);
    theme.widget_pressed = cn_rgb(0x2A323D);
    theme.widget_border = cn_rgb(0x4A5666);
    theme.field = cn_rgb(0x12161B);
    theme.accent = cn_rgb(0x3D7FD9);
    theme.focus = cn_rgb(0xF2B134);
    theme.selection = cn_rgba(0x3D7FD999);
    return theme;
}

CnUiTheme cn_ui_theme_light(void)
{
    CnUiTheme theme = sizes();
    theme.text = cn_rgb(0x1D232B);
    theme.text_dim = cn_rgb(0x6B7480);
    theme.text_on_accent = cn_rgb(0xFFFFFF);
    theme.window = cn_rgba(0xF4F6F8F7);
    theme.window_title = cn_rgb(0xE2E6EB);
    theme.window_border = cn_rgb(0xB4BCC6);
    theme.shadow = cn_rgba(0x00000050);
    theme.widget = cn_rgb(0xDDE2E8);
    theme.widget_hot = cn_rgb(0xCCD4DD);
    theme.widget_pressed = cn_rgb(0xBAC4CF);
    theme.widget_border = cn_rgb(0xAEB8C3);
    theme.field = cn_rgb(0xFFFFFF);
    theme.accent = cn_rgb(0x2A6FCB);
    theme.focus = cn_rgb(0xD9820B);
    theme.selection = cn_rgba(0x2A6FCB66);
    return theme;
}

/* Sliders. */
#include "ui/ui_internal.h"

#include <math.h>

/* Values are 0 to 1; `step` is the change per arrow key. Returns true if the value changed. */
static bool slide(CnUi *ui, uint64_t id, CnRect rect, double *share, double step,
                  CniUiInteraction *interaction)
{
    double before = *share;
    *interaction = cni_ui_interact(ui, id, rect, CNI_UI_NO_KEYS);
    float thumb = 10, room = rect.width - thumb - 4;
    if (interaction->held && room > 0)
        *share = (double)((ui->mouse.x - rect.x - 2 - thumb / 2) / room);
    uint32_t modifiers = 0;
    while (interaction->focused && cni_ui_take_key(ui, CN_UI_LEFT, &modifiers))
        *share -= step * (modifiers & CN_UI_SHIFT ? 10 : 1);
    while (interaction->focused && cni_ui_take_key(ui, CN_UI_RIGHT, &modifiers))
        *share += step * (modifiers & CN_UI_SHIFT ? 10 : 1);
    if (interaction->focused && cni_ui_take_key(ui, CN_UI_HOME, NULL))
        *share = 0;
    if (interaction->focused && cni_ui_take_key(ui, CN_UI_END, NULL))
        *share = 1;
    *share = fmin(fmax(*share, 0), 1);
    ui->focus_shown |= interaction->focused && !interaction->held && *share != before;
    return *share != before;
}

static void draw(CnUi *ui, CnRect rect, double share, CniUiInteraction interaction,
                 const char *text)
{
    cni_ui_frame(ui, rect, ui->theme.field, interaction.focused);
    float thumb = 10, room = rect.width - thumb - 4;
    float x = cn_canvas_snap(ui->canvas, rect.x + 2 + (float)share * room);
    CnRect filled = {rect.x + 2, rect.y + 2, x - rect.x - 2 + thumb / 2, rect.height - 4};
    cn_canvas_box(ui->canvas, filled,
                  &(CnBoxStyle){.fill = cni_ui_fade(ui, cn_color_fade(ui->theme.accent, 0.55f)),
                                .radius = ui->theme.radius - 1});
    CnColor color = interaction.hovered || interaction.held
                        ? cn_color_mix(ui->theme.accent, cn_rgb(0xFFFFFF), 0.25f)
                        : ui->theme.accent;
    cn_canvas_box(ui->canvas, (CnRect){x, rect.y + 2, thumb, rect.height - 4},
                  &(CnBoxStyle){.fill = cni_ui_fade(ui, color), .radius = ui->theme.radius - 1});
    cni_ui_text_in(ui, rect, ui->theme.text, CN_ALIGN_CENTER, cn_text(text));
}

/* Returns enough digits to make steps of one hundredth of the range visible. */
static int digits(float minimum, float maximum)
{
    float range = fabsf(maximum - minimum);
    return range >= 100 ? 0 : range >= 10 ? 1 : range >= 1 ? 2 : 3;
}

bool cn_ui_slider(CnUi *ui, const char *label, float *value, float minimum, float maximum)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CN_ASSERT(minimum < maximum, "slider '%s': invalid range %g to %g", label, (double)minimum,
              (double)maximum);
    uint64_t id = cni_ui_id(ui, label);
    CnRect rect = cni_ui_begin_labelled(ui, label);
    double range = (double)maximum - (double)minimum;
    double share = range > 0 ? ((double)*value - (double)minimum) / range : 0;
    share = share > 0 ? fmin(share, 1) : 0; /* also handles NaN */
    CniUiInteraction interaction;
    bool changed = slide(ui, id, rect, &share, 0.01, &interaction);
    if (changed)
        *value = (float)((double)minimum + share * range);
    char text[48];
    cn_format(text, sizeof text, "%.*f", digits(minimum, maximum), (double)*value);
    draw(ui, rect, share, interaction, text);
    return changed;
}

bool cn_ui_slider_int(CnUi *ui, const char *label, int32_t *value, int32_t minimum, int32_t maximum)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(minimum < maximum, "slider '%s': invalid range %d to %d", label, minimum, maximum);
    uint64_t id = cni_ui_id(ui, label);
    CnRect rect = cni_ui_begin_labelled(ui, label);
    double range = (double)maximum - (double)minimum;
    double share = range > 0 ? fmin(fmax(((double)*value - (double)minimum) / range, 0), 1) : 0;
    CniUiInteraction interaction;
    int32_t before = *value;
    if (slide(ui, id, rect, &share, range > 0 ? 1 / range : 1, &interaction))
        *value = (int32_t)floor((double)minimum + share * range + 0.5);
    char text[24];
    cn_format(text, sizeof text, "%d", *value);
    share = range > 0 ? fmin(fmax(((double)*value - (double)minimum) / range, 0), 1) : 0;
    draw(ui, rect, share, interaction, text);
    return *value != before;
}

/* The look of the user interface: text size and contrast, as the player prefers them. */
#ifndef CRAFTY_CLIENT_UI_STYLE_H
#define CRAFTY_CLIENT_UI_STYLE_H

#include "preferences.h"

#include <cairn/ui.h>

/* Height of the canvas in points per factor of the text size: in small windows, text grows only as
 * far as the screens have room for it. */
#define CRAFTY_UI_LARGE_HEIGHT 277.0f

/* Sets the theme; call it in before_frame, before the first widget. */
void crafty_ui_style_apply(CnUi *ui, const CraftyPreferences *preferences);
/* Returns the factor of the text size that was applied. */
float crafty_ui_text_factor(CnUi *ui);
/* Draws wrapped text in the color of less important text. */
void crafty_ui_dim_text(CnUi *ui, const char *text);

#endif

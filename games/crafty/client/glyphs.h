/*
 * Glyphs: small pictures of keys, mouse buttons and gamepad buttons, for prompts. They show the
 * device that was used last, with the bindings of the player.
 *
 *     crafty_glyphs_frame(&glyphs, controls, engine); // in before_frame
 *     float width = crafty_glyph_draw(&glyphs, canvas, (CnVec2){20, 300}, 18, "jump");
 *     cn_canvas_text(canvas, 26 + width, 301, &style, cn_text("Jump"));
 *
 * Drawn with shapes of the canvas: keycaps with the name of the key, a mouse with the button
 * marked, round gamepad buttons with the label or symbol of the device.
 */
#ifndef CRAFTY_CLIENT_GLYPHS_H
#define CRAFTY_CLIENT_GLYPHS_H

#include "controls.h"

typedef enum CraftyDevice {
    CRAFTY_DEVICE_KEYBOARD, /* and mouse */
    CRAFTY_DEVICE_XBOX,     /* also gamepads of an unknown kind */
    CRAFTY_DEVICE_PLAYSTATION,
    CRAFTY_DEVICE_NINTENDO,
    CRAFTY_DEVICE_TOUCH
} CraftyDevice;

typedef struct CraftyGlyphs {
    CraftyDevice device;  /* used last */
    CnActionList actions; /* with the bindings of the player; empty before the first frame */
} CraftyGlyphs;

/* Notes which device is used. */
void crafty_glyphs_frame(CraftyGlyphs *glyphs, CraftyControls *controls, const CnEngine *engine);

static inline bool crafty_device_is_gamepad(CraftyDevice device)
{
    return device >= CRAFTY_DEVICE_XBOX && device <= CRAFTY_DEVICE_NINTENDO;
}

/* Draws the glyph of an action of the simulation or the client ("jump", "inventory"), `height`
 * points high, with its top left at `position`. An action of two axes, such as "move", has a glyph
 * for each key. Returns its width; 0, and draws nothing, if the action has no binding on the
 * device, or on touch screens, where the controls themselves are visible. */
float crafty_glyph_draw(const CraftyGlyphs *glyphs, CnCanvas *canvas, CnVec2 position, float height,
                        const char *action);
float crafty_glyph_width(const CraftyGlyphs *glyphs, const CnCanvas *canvas, float height,
                         const char *action);
/* Draws a glyph followed by text, on one line. Returns the width of both. */
float crafty_glyph_prompt(const CraftyGlyphs *glyphs, CnCanvas *canvas, CnVec2 position,
                          float height, const char *action, const char *text);

/* The same for a control. `device` selects the labels of gamepad buttons. */
float crafty_glyph_draw_control(CnCanvas *canvas, CnVec2 position, float height,
                                CraftyDevice device, CnControl control);
float crafty_glyph_control_width(const CnCanvas *canvas, float height, CraftyDevice device,
                                 CnControl control);
/* Returns what a person calls the control: "Left Shift", "Right click", "RT", "Cross". `text` has
 * CN_CONTROL_TEXT_BYTES bytes. */
const char *crafty_control_label(CnControl control, CraftyDevice device, char *text);

#endif

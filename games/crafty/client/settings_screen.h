/*
 * The settings, in tabs: video, audio, controls and accessibility. The window leaves a part of the
 * world visible, where changes of the video settings show at once.
 *
 *     CraftySettingsEvents events = crafty_settings_screen_frame(&screen, engine, &view);
 *     if (events & CRAFTY_SETTINGS_CHANGE_FEATURES)
 *         crafty_preset_change(renderer, view.settings, &shown, &error);
 *
 * The screen changes the values that the view refers to; the caller applies them and keeps them in
 * the settings file (choices.h). "Reset" gives the settings of the shown tab their defaults, and
 * can be undone until another tab or screen is shown.
 */
#ifndef CRAFTY_CLIENT_SETTINGS_SCREEN_H
#define CRAFTY_CLIENT_SETTINGS_SCREEN_H

#include "bindings_screen.h"
#include "choices.h"

typedef struct CraftySettingsScreen {
    uint32_t tab; /* a CraftyTab */
    bool shows_bindings;
    CraftyBindingsScreen bindings;
    bool has_undo; /* the tab was reset */
    CraftyTuning undo;
    uint32_t shown;                          /* number of frames it has been open */
    char error_text[CN_ERROR_MESSAGE_BYTES]; /* error of the last change; empty if it succeeded */
} CraftySettingsScreen;

typedef struct CraftySettingsView {
    CraftyQuality *quality;
    CraftyQuality device_quality; /* default of the device */
    CraftySettings *settings;
    CraftyPreferences *preferences;
    CraftyControls *controls;
    const CraftyGlyphs *glyphs;
    uint64_t refused; /* meshes refused for lack of space */
} CraftySettingsView;

enum {                                           /* CraftySettingsEvents */
       CRAFTY_SETTINGS_CHANGE_FEATURES = 1 << 0, /* quality or effects have changed */
       CRAFTY_SETTINGS_CLOSE = 1 << 1            /* the player wants to leave the screen */
};
typedef uint32_t CraftySettingsEvents;

/* Forgets what it shows, except for the tab; call it when the screen is opened or left. */
void crafty_settings_screen_reset(CraftySettingsScreen *screen);
/* Draws the screen; call in before_frame. */
CraftySettingsEvents crafty_settings_screen_frame(CraftySettingsScreen *screen, CnEngine *engine,
                                                  const CraftySettingsView *view);
/* Handles Escape and B: returns true if that only leaves a part of the screen. */
bool crafty_settings_screen_back(CraftySettingsScreen *screen);

#endif

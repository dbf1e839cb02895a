/*
 * What the windows of the program have in common: the look of the user interface, the device that
 * is used, keys that work everywhere (screenshot, debug information, fullscreen), and applying and
 * keeping changed settings.
 *
 *     crafty_interface_begin(crafty); // in before_frame
 *     CraftyTuning before = crafty_interface_tuning(crafty);
 *     bool changed = crafty_settings_screen_frame(...) & CRAFTY_SETTINGS_CHANGE_FEATURES;
 *     crafty_interface_apply(crafty, &before, changed);
 */
#ifndef CRAFTY_CLIENT_INTERFACE_H
#define CRAFTY_CLIENT_INTERFACE_H

#include "game.h"

/* Evaluates the controls and sends them to the open world. */
void crafty_interface_begin(Crafty *crafty);
/* Returns what the settings screen changes and refers to. */
CraftyTuning crafty_interface_tuning(const Crafty *crafty);
CraftySettingsView crafty_interface_settings(Crafty *crafty);
/* Applies what has changed since `before`, and notes it for the settings file. Quality and effects
 * that cannot be applied become those before, with a message on the settings screen. */
void crafty_interface_apply(Crafty *crafty, const CraftyTuning *before, bool features_changed);
/* Applies preferences that belong to the renderer, after its features were created. */
void crafty_interface_set_brightness(Crafty *crafty);

#endif

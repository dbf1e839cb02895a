/*
 * Controls: maps the devices of the window to the actions of the local player, and sends them; and
 * to the actions of the client (client_actions.h).
 *
 *     CraftyControls *controls = crafty_controls_create(path, &error); // NULL: default bindings
 *     crafty_controls_frame(controls, cn_engine_devices(engine), connection); // in before_frame
 *     crafty_controls_destroy(controls);
 *
 * docs/formats.md describes the file of bindings, docs/crafty.md its actions.
 */
#ifndef CRAFTY_CLIENT_CONTROLS_H
#define CRAFTY_CLIENT_CONTROLS_H

#include "client_actions.h"
#include "crafty/sim/connection.h"
#include "preferences.h"

#include <cairn/engine.h>

typedef struct CraftyControls CraftyControls;

/* `bindings` is the path of a file; NULL: the default bindings. Returns NULL and an error, with
 * file and line, if the file is missing or wrong. */
CraftyControls *crafty_controls_create(const char *bindings, CnError *error);
/* NULL is ignored. */
void crafty_controls_destroy(CraftyControls *controls);

/* Returns the file that the bindings were read from; NULL: they are the default ones. */
const char *crafty_controls_file(const CraftyControls *controls);
/* Writes the path of the player's own bindings into `path`: crafty/bindings.json in the folder
 * XDG_CONFIG_HOME, or in ~/.config. Returns false if there is no such file. */
bool crafty_controls_find_file(char *path, size_t path_bytes);

/* Returns the bindings, which bindings_screen.h changes: first the actions of the simulation, then
 * those of the client. */
CnActionMap *crafty_controls_map(CraftyControls *controls);
/* Writes the bindings to the file they were read from, or to the player's own file. */
bool crafty_controls_save(CraftyControls *controls, CnError *error);
/* Sets what a press of sneak and sprint means and whether looking up and down is inverted. */
void crafty_controls_set_preferences(CraftyControls *controls,
                                     const CraftyPreferences *preferences);

/* Returns whether the action of the client was pressed since the last frame. Escape and function
 * keys count even if the user interface consumed them, other keys unless a text field has the
 * focus. Without an engine, keys that the user interface consumed do not count. Call it after
 * crafty_controls_frame. */
bool crafty_controls_pressed(const CraftyControls *controls, CnEngine *engine,
                             CraftyClientAction action);

/* Adds actions, such as those of touch controls, to what the devices do in the next
 * crafty_controls_frame. */
void crafty_controls_add(CraftyControls *controls, const CnActions *actions);
/* Sends the actions of the local player if they have changed since the last frame. Without a
 * connection, while the game is paused, nothing is sent; what is still held then is sent later. */
void crafty_controls_frame(CraftyControls *controls, const CnInputDevices *devices,
                           CraftyConnection *connection);
/* Makes the player do nothing, from the next frame on, while a screen that does not stop the world
 * uses the devices. */
void crafty_controls_set_idle(CraftyControls *controls, bool is_idle);
/* Returns the actions of the last frame, as the simulation has them; none without a connection. */
const CnActions *crafty_controls_actions(const CraftyControls *controls);
/* Call it when another world is opened, where nothing was sent yet. */
void crafty_controls_reset(CraftyControls *controls);

#endif

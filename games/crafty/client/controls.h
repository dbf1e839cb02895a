/*
 * Controls: maps the devices of the window to the actions of the local player, and sends them.
 *
 *     CraftyControls *controls = crafty_controls_create(path, &error); // NULL: default bindings
 *     crafty_controls_frame(controls, cn_engine_devices(engine), connection); // in before_frame
 *     crafty_controls_destroy(controls);
 *
 * docs/formats.md describes the file of bindings, docs/crafty.md its actions.
 */
#ifndef CRAFTY_CLIENT_CONTROLS_H
#define CRAFTY_CLIENT_CONTROLS_H

#include "crafty/sim/connection.h"

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

/* Sends the actions of the local player if they have changed since the last frame. Without a
 * connection, while the game is paused, nothing is sent; what is still held then is sent later. */
void crafty_controls_frame(CraftyControls *controls, const CnInputDevices *devices,
                           CraftyConnection *connection);
/* Call it when another world is opened, where nothing was sent yet. */
void crafty_controls_reset(CraftyControls *controls);

#endif

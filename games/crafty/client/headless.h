/* Drawing without a window: frames wait until the terrain around the camera is loaded. */
#ifndef CRAFTY_CLIENT_HEADLESS_H
#define CRAFTY_CLIENT_HEADLESS_H

#include "game.h"

/* Draws a small frame of the chunks loaded so far. CPU drivers compile shaders on first use, in a
 * thread of their own; this starts them while the other chunks load. */
bool crafty_headless_warm_up(Crafty *crafty, CnError *error);
/* Loads and uploads everything in a view. */
bool crafty_headless_wait(Crafty *crafty, const CraftyStreamView *eye, CnError *error);
/* Loads and uploads everything around a pose. */
bool crafty_headless_load(Crafty *crafty, const CraftyPose *pose, CnError *error);

#endif

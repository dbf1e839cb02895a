/* The overlay of a window: loading screen, menu, HUD and the F3 lines; also applies changes made in
 * the menu. */
#ifndef CRAFTY_CLIENT_SCREEN_H
#define CRAFTY_CLIENT_SCREEN_H

#include "game.h"

/* Call in before_frame while the world is loading, instead of crafty_screen_frame. The first frame
 * draws the loading screen with the UI feature alone; the second creates everything else. */
void crafty_screen_loading(Crafty *crafty);
/* Call in before_frame. `aims`: the mouse is captured. */
void crafty_screen_frame(Crafty *crafty, bool aims);

#endif

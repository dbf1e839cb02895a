/* What lies over the picture in a window, put together: menu, hands, lines for F3; and what the menu changes. */
#ifndef CRAFTY_CLIENT_SCREEN_H
#define CRAFTY_CLIENT_SCREEN_H

#include "game.h"

/* In before_frame, instead of the other, while the world is loading: the first frame says so by the UI feature alone, in
 * the second everything else is made. */
void crafty_screen_loading(Crafty *crafty);
/* In before_frame. `aims`: the mouse is the player's. */
void crafty_screen_frame(Crafty *crafty, bool aims);

#endif

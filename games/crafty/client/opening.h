/*
 * Opening a world on a thread of its own, while the window shows that: reading the edits of a large
 * world takes seconds.
 *
 *     CraftyOpening *opening = crafty_opening_create(crafty, &desc, &error);
 *     // ... frames, until crafty_opening_is_done(opening) ...
 *     crafty->play = crafty_opening_take(opening, &error); // NULL: it could not be opened
 *     crafty_opening_destroy(opening);
 *
 * Meanwhile neither the options nor the settings of the program change.
 */
#ifndef CRAFTY_CLIENT_OPENING_H
#define CRAFTY_CLIENT_OPENING_H

#include "play.h"

typedef struct CraftyOpening CraftyOpening;

/* Starts. `desc` is copied, but not the path. Returns NULL and an error if there is no memory or
 * thread. */
CraftyOpening *crafty_opening_create(const Crafty *crafty, const CraftyPlayDesc *desc,
                                     CnError *error);
/* Waits until the world is open, and closes it if it was not taken. NULL is ignored. */
void crafty_opening_destroy(CraftyOpening *opening);
bool crafty_opening_is_done(const CraftyOpening *opening);
/* Waits until it is done. Returns NULL and an error if the world could not be opened. */
CraftyPlay *crafty_opening_take(CraftyOpening *opening, CnError *error);

#endif

/* Skins of creatures and villagers: tiles skin_NAME, of which the boxes of their models show
 * regions (games/crafty/data/creature_models.json). */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_CREATURES_H
#define CAIRN_TOOLS_BLOCKS_PAINT_CREATURES_H

#include "painter.h"

/* Paints skin_NAME. Returns false if there is no such skin. */
bool paint_creature(Canvas *c, const char *name);
/* Calls `add` with the names of all skins. */
void paint_creature_names(void (*add)(void *user, const char *name), void *user);

#endif

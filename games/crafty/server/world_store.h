/*
 * Opens the world of a server: a file, or a schema of a PostgreSQL database.
 *
 *     CraftySaveDesc desc = {.path = "postgresql://crafty@/games?schema=home"};
 *     CraftySave *save = crafty_world_store_open(&desc, &error);
 *
 * Only servers do this, so that the game itself does not need libpq.
 */
#ifndef CRAFTY_SERVER_WORLD_STORE_H
#define CRAFTY_SERVER_WORLD_STORE_H

#include "crafty/save/save.h"

/* Returns whether the world is in a database. It has no file and no folder then. */
bool crafty_world_store_is_remote(const char *path);
/* Like crafty_save_open, for both. A new world in a database without a name in `desc` has the name
 * of its schema. Creates the folder of a file. */
CraftySave *crafty_world_store_open(const CraftySaveDesc *desc, CnError *error);

#endif

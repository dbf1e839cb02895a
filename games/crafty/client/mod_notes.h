/* What a player is told about the mods of a world when it is opened: lines of the chat, which are
 * shown for some seconds. */
#ifndef CRAFTY_CLIENT_MOD_NOTES_H
#define CRAFTY_CLIENT_MOD_NOTES_H

#include "chat_log.h"

#include "crafty/mods/session_mods.h"

/* Tells which mods do not run, and whether the terrain may differ. `save`: after
 * crafty_save_attach; NULL if the world is not saved. */
void crafty_mod_notes(CraftyChatLog *log, const CraftySessionMods *mods, const CraftySave *save);

#endif

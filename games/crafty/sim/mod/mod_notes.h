/* Of what the systems of Crafty notify mods: events as notes (mod_run.h). Without mods, everything
 * is allowed and nothing is noted. */
#ifndef CRAFTY_SIM_MOD_MOD_NOTES_H
#define CRAFTY_SIM_MOD_MOD_NOTES_H

#include "mod_run.h"

#include "crafty/sim/player_event.h"

/* Notes an event of a player, if mods are notified of its kind. */
void crafty_mods_note_player(CnWorld *world, const CraftyPlayerEvent *event);
/* Returns a note about a block, with the held item except for CRAFTY_MOD_BREAK. */
CraftyModNote crafty_mods_block_note(const CnWorld *world, CnEntity player, uint8_t event,
                                     CnCell cell, CnBlock block);

/* Ask, and note it if it is allowed. Return false if a mod prevents it. */
bool crafty_mods_ask_hurt(CnWorld *world, CnEntity player, float *damage, uint32_t cause);
bool crafty_mods_ask_talk(CnWorld *world, CnEntity player, CnEntity creature,
                          const char *profession);
bool crafty_mods_ask_chat(CnWorld *world, uint32_t player, CnText text);

/* Returns the word of a CraftyDamage, such as "fall". */
const char *crafty_mods_damage_name(uint32_t cause);

#endif

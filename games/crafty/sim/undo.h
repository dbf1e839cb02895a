/*
 * Undo and redo of block changes of players in creative mode.
 *
 *     CnEdit edit = {.kind = CN_EDIT_PLACE, .face = CN_EDIT_NO_FACE, .cell = cell,
 *                    .new_block = stone};
 *     crafty_undo_begin_group(world, player); // everything until the end is undone together
 *     crafty_undo_edit(world, player, &edit, &error);
 *     crafty_undo_end_group(world, player);
 *     crafty_undo(world, player);
 *
 * Without a group, the changes of one tick are undone together, as the two halves of a door. Each
 * player has a history of its own, which is bounded: the last CRAFTY_UNDO_GROUPS groups with at
 * most CRAFTY_UNDO_EDITS changes and CRAFTY_UNDO_DATA_BYTES of block data; older ones are
 * forgotten. Undoing restores blocks with their data, such as the text of signs. Containers and
 * furnaces come back empty: their contents drop when they are broken, whether by a change, an undo
 * or a redo, so that a history never holds items. Cells that somebody or something changed since
 * are left alone. A new change forgets what could be redone.
 *
 * Histories are saved with the world, in a state section, so that a world that is loaded again runs
 * on as if it had not been interrupted.
 */
#ifndef CRAFTY_SIM_UNDO_H
#define CRAFTY_SIM_UNDO_H

#include <cairn/sim/loop.h>
#include <cairn/voxel/block_data.h>

#define CRAFTY_UNDO_GROUPS 128u
#define CRAFTY_UNDO_EDITS 32768u
#define CRAFTY_UNDO_DATA_BYTES (1u << 20)

/* Adds the histories to the world; after crafty_player_add. Calling it again is harmless. */
bool crafty_undo_add(CnWorld *world, CnError *error);
/* Lets the simulation save and restore the histories; after crafty_undo_add. */
bool crafty_undo_save_with(CnSim *sim, CnError *error);
/* Forgets the history of a player, who leaves. */
void crafty_undo_forget(CnWorld *world, uint32_t player);
/* Frees the histories, before the world is destroyed. */
void crafty_undo_remove(CnWorld *world);

/* Applies an edit of a player; tick and player of the edit are set. In creative mode it is noted
 * together with the data of the old block, which is not passed to the listener of block data unless
 * it is contents that drop. A container that stays, because its contents cannot drop, is not noted.
 * Returns false and an error as cn_voxels_edit does. */
bool crafty_undo_edit(CnWorld *world, CnEntity player, CnEdit *edit, CnError *error);
/* Notes an edit that has been applied, without data of the old block. Returns false when out of
 * memory: it cannot be undone. */
bool crafty_undo_note(CnWorld *world, CnEntity player, const CnEdit *edit);

void crafty_undo_begin_group(CnWorld *world, CnEntity player);
void crafty_undo_end_group(CnWorld *world, CnEntity player);

/* Undo the last group, or redo the group that was undone last. Return how many blocks changed; 0 if
 * there is nothing to undo, if the cells have all changed since, or if the player is not in
 * creative mode. */
uint32_t crafty_undo(CnWorld *world, CnEntity player);
uint32_t crafty_redo(CnWorld *world, CnEntity player);
/* Return how many groups can be undone and redone. */
uint32_t crafty_undo_count(const CnWorld *world, CnEntity player);
uint32_t crafty_redo_count(const CnWorld *world, CnEntity player);

#endif

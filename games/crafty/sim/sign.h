/*
 * Signs: blocks with a text of a few lines.
 *
 *     char text[CRAFTY_SIGN_BYTES];
 *     if (crafty_sign_read(voxels, cell, text))
 *         show(text); // lines are separated by '\n'
 *
 * The text is block data of the kind "crafty.sign": UTF-8 without a terminator. Players write it
 * with CRAFTY_COMMAND_SIGN_TEXT (command.h).
 */
#ifndef CRAFTY_SIM_SIGN_H
#define CRAFTY_SIM_SIGN_H

#include <cairn/base/text.h>
#include <cairn/ecs/component.h>
#include <cairn/voxel/block_data.h>

#define CRAFTY_SIGN_LINES 4u
#define CRAFTY_SIGN_LINE_CHARACTERS 15u
#define CRAFTY_SIGN_BYTES 128u /* of the text, including the terminator */
#define CRAFTY_SIGN_KIND "crafty.sign"

/* Returns whether a block is a sign: one word of its name is "sign", as in "wall_sign_north". */
bool crafty_sign_is(const CnBlockTable *blocks, CnBlock block);
/* Returns whether a sign can show the text: valid UTF-8 without control characters other than '\n',
 * and within the limits. */
bool crafty_sign_text_valid(CnText text);

/* Reads the text of the sign in a cell; an empty one if nothing was written. Returns false if there
 * is no sign, or if its data is of another kind or malformed. */
bool crafty_sign_read(CnVoxels *voxels, CnCell cell, char text[CRAFTY_SIGN_BYTES]);
/* Replaces the text; an empty one removes the data. Returns false and an error if there is no sign,
 * if the text is not valid, or when out of memory; nothing has changed then. */
bool crafty_sign_write(CnVoxels *voxels, CnCell cell, CnText text, CnError *error);
/* The same for a player, who must be within reach. */
bool crafty_sign_write_as(CnWorld *world, CnEntity player, CnCell cell, CnText text,
                          CnError *error);

#endif

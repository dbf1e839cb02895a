/*
 * A line below the crosshair that names what the use button does with the creature in sight, such
 * as trading with a villager.
 *
 *     crafty_use_prompt_draw(world, player, glyphs, canvas, text_size);
 */
#ifndef CRAFTY_CLIENT_USE_PROMPT_H
#define CRAFTY_CLIENT_USE_PROMPT_H

#include "glyphs.h"

#include <cairn/ecs/world.h>

#define CRAFTY_USE_PROMPT_BYTES 96u

/* Writes the line for what the player has in sight. Returns false if there is nothing to say. */
bool crafty_use_prompt_text(CnWorld *world, CnEntity player, char text[CRAFTY_USE_PROMPT_BYTES]);
/* Draws the line, if there is one. `text_size` is a factor. */
void crafty_use_prompt_draw(CnWorld *world, CnEntity player, const CraftyGlyphs *glyphs,
                            CnCanvas *canvas, float text_size);

#endif

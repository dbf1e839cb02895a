/* Subtitles of sounds: what is heard, and from where. */
#ifndef CRAFTY_CLIENT_SOUND_CAPTIONS_H
#define CRAFTY_CLIENT_SOUND_CAPTIONS_H

#include "sound.h"

#include <cairn/ui.h>

/* Writes "[Duck quacks]" with an arrow on the side that it comes from: "< [Duck quacks]". */
void crafty_caption_text(const CraftyCaption *caption, CnVec3 eye, CnQuat rotation, char *text,
                         size_t text_bytes);
/* Draws the captions above the lower right corner, newest at the bottom. `text_size` is a factor.
 */
void crafty_captions_draw(const CraftySound *sound, CnCanvas *canvas, CnVec3 eye, CnQuat rotation,
                          float text_size);

#endif

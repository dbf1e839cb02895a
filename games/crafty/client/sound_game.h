/* Connects the sound (sound.h) to the program: its engine, its open world and its menus. Captures
 * without --audio-out have no sound; all functions then do nothing. */
#ifndef CRAFTY_CLIENT_SOUND_GAME_H
#define CRAFTY_CLIENT_SOUND_GAME_H

#include "sound.h"

#include <cairn/audio/acoustics.h>

typedef struct Crafty Crafty;

typedef struct CraftyGameSound {
    CraftySound *sound;               /* NULL: none */
    CnAcoustics *acoustics;           /* of the open world; NULL: none */
    uint64_t clicks, hovers, toggles; /* of the interface, heard so far */
    float hover_wait;                 /* seconds until the next one is heard */
    uint8_t page;                     /* of the menu in the last frame */
} CraftyGameSound;

/* After the engine was created. Returns false and an error when out of memory. */
bool crafty_game_sound_create(Crafty *crafty, CnError *error);
/* Before the engine is destroyed. */
void crafty_game_sound_destroy(Crafty *crafty);
/* While a world is open. */
bool crafty_game_sound_enter(Crafty *crafty, CnWorld *world, CnError *error);
void crafty_game_sound_leave(Crafty *crafty);
void crafty_game_sound_set_volumes(Crafty *crafty);
/* After the ticks of each frame. */
void crafty_game_sound_frame(Crafty *crafty);
/* Draws the subtitles, if the player wants them. */
void crafty_game_sound_captions(Crafty *crafty);

#endif

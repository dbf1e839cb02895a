/* The block textures, embedded in the program. */
#ifndef CRAFTY_CLIENT_BLOCK_TEXTURES_H
#define CRAFTY_CLIENT_BLOCK_TEXTURES_H

#include <cairn/base/api.h>

extern const uint8_t crafty_tiles[];
extern const uint8_t crafty_tiles_end[];

#endif

/* The contents of blocks.tiles; cmake/games.cmake sets its path. */
#include "block_textures.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".globl crafty_tiles\ncrafty_tiles:\n"
        ".incbin \"" CRAFTY_TILES "\"\n"
        ".globl crafty_tiles_end\ncrafty_tiles_end:\n"
        ".byte 0\n"
        ".previous\n");

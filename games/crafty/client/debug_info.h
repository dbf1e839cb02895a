/*
 * The lines of the game beside the engine's F3 overlay: where the player is, and what is drawn.
 *
 *     CraftyDebugLines lines;
 *     crafty_debug_info_fill(&lines, &info);
 *     crafty_debug_info_draw(canvas, &lines, text_size);
 */
#ifndef CRAFTY_CLIENT_DEBUG_INFO_H
#define CRAFTY_CLIENT_DEBUG_INFO_H

#include "crafty/sim/player.h"
#include "terrain.h"

#include <cairn/render/canvas.h>

#define CRAFTY_DEBUG_LINES 16u
#define CRAFTY_DEBUG_LINE_BYTES 64u

typedef struct CraftyDebugInfo {
    CnVec3 feet, forward; /* of the player or the camera; the direction of the view */
    CnBiome biome;
    uint8_t light; /* at the feet: sky << 4 | block */
    uint64_t seed, tick;
    const char *mode; /* NULL: no player */
    double days;      /* since the world began */
    float hours;
    CraftyTerrainStats terrain;
    uint64_t memory_bytes; /* of the process; 0: not known */
} CraftyDebugInfo;

typedef struct CraftyDebugLines {
    char lines[CRAFTY_DEBUG_LINES][CRAFTY_DEBUG_LINE_BYTES];
    uint32_t count;
} CraftyDebugLines;

void crafty_debug_info_fill(CraftyDebugLines *lines, const CraftyDebugInfo *info);
/* Draws the lines at the top right. `text_size` is a factor, of which only as much is used as there
 * is room beside the overlay of the engine. */
void crafty_debug_info_draw(CnCanvas *canvas, const CraftyDebugLines *lines, float text_size);

#endif

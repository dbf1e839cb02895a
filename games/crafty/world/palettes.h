/*
 * The palettes of a world: the names of its blocks and items in order of their numbers, separated
 * by commas. States, chunks and recordings contain numbers; with these names, a program that has
 * other blocks and items uses the same numbers.
 */
#ifndef CRAFTY_WORLD_PALETTES_H
#define CRAFTY_WORLD_PALETTES_H

#include <cairn/base/text.h>

/* Empty texts: those of a new world. */
typedef struct CraftyPalettes {
    CnText blocks, items;
} CraftyPalettes;

#endif

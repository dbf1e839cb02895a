/*
 * Which creatures appear in a world.
 *
 *     crafty_difficulty_set(world, CRAFTY_PEACEFUL); // hostile creatures vanish
 */
#ifndef CRAFTY_SIM_CREATURE_DIFFICULTY_H
#define CRAFTY_SIM_CREATURE_DIFFICULTY_H

#include <cairn/ecs/world.h>

typedef enum CraftyDifficulty {
    CRAFTY_NO_CREATURES, /* none at all: for tests, tours and pictures */
    CRAFTY_PEACEFUL,     /* no hostile ones */
    CRAFTY_NORMAL,
    CRAFTY_DIFFICULTY_COUNT
} CraftyDifficulty;

const char *crafty_difficulty_name(CraftyDifficulty difficulty); /* "none", "peaceful", "normal" */
bool crafty_difficulty_parse(const char *name, CraftyDifficulty *difficulty);

/* Returns CRAFTY_NO_CREATURES in a world without creatures. */
CraftyDifficulty crafty_difficulty(const CnWorld *world);
/* Returns false in a world without creatures. */
bool crafty_difficulty_set(CnWorld *world, CraftyDifficulty difficulty);

#endif

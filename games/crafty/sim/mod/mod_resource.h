/* The resources of mods in a world. */
#ifndef CRAFTY_SIM_MOD_MOD_RESOURCE_H
#define CRAFTY_SIM_MOD_MOD_RESOURCE_H

#include <cairn/ecs/world.h>

/* Transient: the simulation in which mods run. */
typedef struct CraftyModding {
    struct CraftyModRun *run;
} CraftyModding;
CN_OPAQUE(CraftyModding);

/* Makes what mods keep part of the state: a hash of all storage and of the other parts. Only in
 * worlds with mods. */
CN_COMPONENT(CraftyModSum, (u64, hash));

#endif

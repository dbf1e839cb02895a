/* The game modes of players and their names. */
#ifndef CRAFTY_SIM_MODE_H
#define CRAFTY_SIM_MODE_H

#include <cairn/base/api.h>

typedef enum CraftyPlayerMode {
    CRAFTY_MODE_SPECTATOR, /* flies through blocks */
    CRAFTY_MODE_CREATIVE,  /* walks and flies, takes no damage, has every item */
    CRAFTY_MODE_SURVIVAL,  /* walks, is hurt, hungers, has what was collected */
    CRAFTY_MODE_COUNT
} CraftyPlayerMode;

const char *crafty_mode_name(CraftyPlayerMode mode); /* "survival" */
bool crafty_mode_parse(const char *name, CraftyPlayerMode *mode);

#endif

#include "mode.h"

#include <string.h>

static const char *const names[CRAFTY_MODE_COUNT] = {[CRAFTY_MODE_SPECTATOR] = "spectator",
                                                     [CRAFTY_MODE_CREATIVE] = "creative",
                                                     [CRAFTY_MODE_SURVIVAL] = "survival"};

const char *crafty_mode_name(CraftyPlayerMode mode)
{
    return (uint32_t)mode < CRAFTY_MODE_COUNT ? names[mode] : "unknown";
}

bool crafty_mode_parse(const char *name, CraftyPlayerMode *mode)
{
    for (uint32_t i = 0; i < CRAFTY_MODE_COUNT; i++)
        if (!strcmp(name, names[i])) {
            *mode = (CraftyPlayerMode)i;
            return true;
        }
    return false;
}

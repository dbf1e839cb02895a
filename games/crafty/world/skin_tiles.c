#include "skin_tiles.h"

#include <string.h>

int32_t crafty_skin_tile(const char *name)
{
    for (uint32_t low = 0, end = crafty_skin_tile_count; low < end;) {
        uint32_t middle = low + (end - low) / 2;
        int order = strcmp(name, crafty_skin_tiles[middle].name);
        if (order == 0)
            return crafty_skin_tiles[middle].layer;
        if (order < 0)
            end = middle;
        else
            low = middle + 1;
    }
    return -1;
}

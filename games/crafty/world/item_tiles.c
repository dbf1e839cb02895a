#include "item_tiles.h"

#include <string.h>

int32_t crafty_item_tile(const char *name)
{
    if (strncmp(name, "item_", 5) == 0)
        name += 5;
    for (uint32_t low = 0, end = crafty_item_tile_count; low < end;) {
        uint32_t middle = low + (end - low) / 2;
        int order = strcmp(name, crafty_item_tiles[middle].name);
        if (order == 0)
            return crafty_item_tiles[middle].layer;
        if (order < 0)
            end = middle;
        else
            low = middle + 1;
    }
    return -1;
}

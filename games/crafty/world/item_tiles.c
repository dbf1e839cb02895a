#include "item_tiles.h"

#include <string.h>

static int32_t layer_of(const char *digits)
{
    int32_t layer = 0;
    for (; *digits >= '0' && *digits <= '9' && layer <= UINT16_MAX; digits++)
        layer = layer * 10 + (*digits - '0');
    return *digits || layer > UINT16_MAX ? -1 : layer;
}

int32_t crafty_item_tile(const char *name)
{
    if (name[0] == '#')
        return layer_of(name + 1);
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

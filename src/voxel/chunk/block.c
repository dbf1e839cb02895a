/* Finds blocks by name. tools/blocks generates the table. */
#include <cairn/voxel/block.h>

#include <string.h>

/* Special blocks come first, in their own order; family blocks follow, sorted by name. */
CnBlock cn_block_find(const char *name)
{
    for (uint32_t i = 0; i < CN_BLOCK_SPECIAL_COUNT; i++)
        if (strcmp(cn_blocks[i].name, name) == 0)
            return (CnBlock)i;
    uint32_t low = CN_BLOCK_SPECIAL_COUNT, high = CN_BLOCK_COUNT;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int order = strcmp(cn_blocks[middle].name, name);
        if (order == 0)
            return (CnBlock)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CN_BLOCK_COUNT;
}

#include "blocks.h"

#include <string.h>

CnBlockTable *crafty_blocks_create(CnAllocator *allocator, CnError *error)
{
    CnBlockTable *table = cn_block_table_create(allocator, error);
    bool complete = table != NULL;
    for (uint32_t i = 0; i < crafty_standard_block_count && complete; i++)
        complete = cn_block_table_add(table, &crafty_standard_blocks[i], NULL, error);
    if (complete)
        return table;
    cn_block_table_destroy(table);
    return NULL;
}

CnBlockInfo crafty_blocks_placeholder(void)
{
    /* Purple, and rare enough to be noticed. */
    CnBlockInfo look = cn_block_info_default("");
    for (uint32_t i = 0; i < crafty_standard_block_count; i++)
        if (strcmp(crafty_standard_blocks[i].name, "amethyst") == 0)
            look = crafty_standard_blocks[i];
    return look;
}

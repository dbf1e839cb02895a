#include "standard_blocks.h"

#include "crafty/world/blocks.h"

#include <stdlib.h>

const CnBlockTable *standard_blocks(void)
{
    static CnBlockTable *table;
    if (!table) {
        table = crafty_blocks_create(NULL, NULL);
        if (!table)
            abort();
        cn_block_table_close(table);
    }
    return table;
}

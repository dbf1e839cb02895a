/* The tables of the API of mods, in the order of the reference. */
#include "mods_internal.h"

const CnLuaTable *const *crafty_mods_tables(void)
{
    static const CnLuaTable *const tables[] = {&crafty_mod_block_table, &crafty_mod_define_table,
                                               NULL};
    return tables;
}

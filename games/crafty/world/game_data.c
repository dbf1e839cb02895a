#include "game_data.h"

/* cmake/games.cmake sets the path of the folder; without it, the compiler runs in the root. */
#ifndef CRAFTY_DATA
#define CRAFTY_DATA "games/crafty/data"
#endif

#define EMBED(name, file)                                                                          \
    __asm__(".section .rodata\n"                                                                   \
            ".globl crafty_data_" #name "\ncrafty_data_" #name ":\n"                               \
            ".incbin \"" CRAFTY_DATA "/" file "\"\n"                                               \
            ".globl crafty_data_" #name "_end\ncrafty_data_" #name "_end:\n"                       \
            ".byte 0\n"                                                                            \
            ".previous\n");                                                                        \
    extern const char crafty_data_##name[], crafty_data_##name##_end[]

EMBED(items, "items.json");
EMBED(recipes, "recipes.json");
EMBED(block_rules, "block_rules.json");
EMBED(creature_models, "creature_models.json");
EMBED(creatures, "creatures.json");
EMBED(trades, "trades.json");

#define TEXT(name)                                                                                 \
    ((CnText){crafty_data_##name, (size_t)(crafty_data_##name##_end - crafty_data_##name)})

CnText crafty_items_text(void)
{
    return TEXT(items);
}

CnText crafty_recipes_text(void)
{
    return TEXT(recipes);
}

CnText crafty_block_rules_text(void)
{
    return TEXT(block_rules);
}

CnText crafty_creatures_text(void)
{
    return TEXT(creatures);
}

CnText crafty_trades_text(void)
{
    return TEXT(trades);
}

CnText crafty_creature_models_text(void)
{
    return TEXT(creature_models);
}

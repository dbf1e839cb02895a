/*
 * The data files of the game, embedded in the program: games/crafty/data. They are texts from the
 * begin to the end.
 */
#ifndef CRAFTY_WORLD_GAME_DATA_H
#define CRAFTY_WORLD_GAME_DATA_H

#include <cairn/base/text.h>

CnText crafty_items_text(void);
CnText crafty_recipes_text(void);
CnText crafty_block_rules_text(void);
CnText crafty_creature_models_text(void);
CnText crafty_creatures_text(void);
CnText crafty_trades_text(void);

#endif

/*
 * Items from a JSON text: tools, food, fuel and materials, and properties of the items of blocks.
 * docs/formats.md describes the form, games/crafty/data/items.schema.json checks it.
 *
 *     crafty_items_add_blocks(items, &error);
 *     crafty_items_read(items, "items.json", text, &error);
 */
#ifndef CRAFTY_WORLD_ITEMS_FILE_H
#define CRAFTY_WORLD_ITEMS_FILE_H

#include "items.h"

/* Adds the items of the text. Returns false and an error with file and line if the text is
 * malformed or names something that does not exist, or when out of memory; some items may have
 * been added then. */
bool crafty_items_read(CraftyItems *items, const char *file, CnText text, CnError *error);

/* The words of the files, in the order of the enumerations. */
extern const char *const crafty_tool_words[CRAFTY_TOOL_COUNT];
extern const char *const crafty_tier_words[CRAFTY_TIER_COUNT];

#endif

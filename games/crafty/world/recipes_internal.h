/* Private to recipes.c and recipes_file.c. */
#ifndef CRAFTY_WORLD_RECIPES_INTERNAL_H
#define CRAFTY_WORLD_RECIPES_INTERNAL_H

#include "recipes.h"

#include <cairn/base/hash_map.h>

#define CRAFTY_INGREDIENT_GROUP 0x10000u /* plus the index of the group */

typedef struct CraftyGroup {
    CnName name;
    uint32_t first, count; /* in group_items */
} CraftyGroup;

struct CraftyRecipes {
    CnAllocator *allocator;
    const CraftyItems *items;
    CnNames names;               /* of recipes; the id is index + 1 */
    CnNames group_names;         /* the id is index + 1 */
    CN_ARRAY(CraftyRecipe) list; /* names are set at the end */
    CN_ARRAY(CraftyGroup) groups;
    CN_ARRAY(CraftyItem) group_items; /* of each group in ascending order */
    uint32_t row_count;
    uint32_t item_count;  /* numbers are below */
    CnU32Array use_first; /* by item: first in `uses`; one more than items */
    CnU32Array uses;      /* indices of recipes in ascending order */
    CnU32Array smelting;  /* by item: index + 1; 0: none */
};

/* Reads groups and recipes; recipes_file.c. */
bool crafty_recipes_read(CraftyRecipes *recipes, const char *file, CnText text, CnError *error);

#endif

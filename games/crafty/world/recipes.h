/*
 * Recipes: what can be made of which items, in a crafting grid or in a furnace.
 *
 *     CraftyRecipes *recipes = crafty_recipes_create(
 *         &(CraftyRecipesDesc){.items = items, .file = "recipes.json", .text = text}, &error);
 *     CraftyItem grid[CRAFTY_GRID_SLOTS] = {oak_log}; // row by row
 *     const CraftyRecipe *found = crafty_recipes_match(recipes, grid, 2);
 *     if (found)
 *         give(found->result, found->count);
 *     crafty_recipes_destroy(recipes);
 *
 * A shaped recipe lies anywhere in the grid, also mirrored. docs/formats.md describes the file,
 * docs/recipes.md lists the recipes. A row with '*' in its names stands for a family of recipes.
 * Recipes do not change after they were created; any thread may read them.
 */
#ifndef CRAFTY_WORLD_RECIPES_H
#define CRAFTY_WORLD_RECIPES_H

#include "items.h"

#define CRAFTY_GRID_WIDTH 3u
#define CRAFTY_GRID_SLOTS 9u
#define CRAFTY_HAND_GRID_WIDTH 2u /* without a crafting table: the left upper part of the grid */
#define CRAFTY_MAX_RECIPES 20000u
#define CRAFTY_MAX_INGREDIENT_GROUPS 256u
#define CRAFTY_TICKS_PER_SECOND 60u

typedef enum CraftyRecipeKind {
    CRAFTY_RECIPE_SHAPED,
    CRAFTY_RECIPE_SHAPELESS, /* the ingredients lie anywhere */
    CRAFTY_RECIPE_SMELTING,  /* of one ingredient, in a furnace */
    CRAFTY_RECIPE_KIND_COUNT
} CraftyRecipeKind;

/* An item, or one of the items of a group; 0: nothing. */
typedef uint32_t CraftyIngredient;

typedef struct CraftyRecipe {
    const char *name;      /* unique */
    uint8_t kind;          /* CraftyRecipeKind */
    uint8_t width, height; /* of the cells that are used; more than 2 needs a table */
    uint8_t ingredient_count;
    CraftyIngredient cells[CRAFTY_GRID_SLOTS]; /* row by row of 3, as a recipe book shows them */
    CraftyItem result;
    uint16_t count; /* of the result */
    uint32_t ticks; /* of smelting */
} CraftyRecipe;

typedef struct CraftyRecipes CraftyRecipes;

typedef struct CraftyRecipesDesc {
    CnAllocator *allocator;   /* NULL: the system allocator */
    const CraftyItems *items; /* all of them; required; must outlive the recipes */
    const char *file;         /* for error messages */
    CnText text;              /* JSON */
} CraftyRecipesDesc;

/* Returns NULL and an error with file and line if the text is malformed or names something that
 * does not exist, or when out of memory. */
CraftyRecipes *crafty_recipes_create(const CraftyRecipesDesc *desc, CnError *error);
void crafty_recipes_destroy(CraftyRecipes *recipes); /* NULL is ignored */

/* ---- Enumeration ---- */

/* In the order of the file; families in the order of their items. */
uint32_t crafty_recipes_count(const CraftyRecipes *recipes);
const CraftyRecipe *crafty_recipes_at(const CraftyRecipes *recipes, uint32_t index);
/* Returns NULL if there is no such recipe. */
const CraftyRecipe *crafty_recipes_find(const CraftyRecipes *recipes, const char *name);
/* Returns how many rows the file has; families count once. */
uint32_t crafty_recipes_row_count(const CraftyRecipes *recipes);
/* Enumerates the items that an ingredient may be: `index` is below the count, which is 1 for a
 * single item and 0 for nothing. */
uint32_t crafty_ingredient_count(const CraftyRecipes *recipes, CraftyIngredient ingredient);
CraftyItem crafty_ingredient_at(const CraftyRecipes *recipes, CraftyIngredient ingredient,
                                uint32_t index);
/* Returns the name of the group, such as "planks"; NULL for a single item and nothing. */
const char *crafty_ingredient_group(const CraftyRecipes *recipes, CraftyIngredient ingredient);
bool crafty_ingredient_accepts(const CraftyRecipes *recipes, CraftyIngredient ingredient,
                               CraftyItem item);

/* ---- Making ---- */

/* Returns the recipe that the items in a grid make; NULL if they make nothing. `grid` is row by row
 * of 3; cells outside of `width` columns and rows do not count. */
const CraftyRecipe *crafty_recipes_match(const CraftyRecipes *recipes,
                                         const CraftyItem grid[CRAFTY_GRID_SLOTS], uint32_t width);
/* Returns the recipe that smelts an item; NULL if there is none. */
const CraftyRecipe *crafty_recipes_smelting(const CraftyRecipes *recipes, CraftyItem item);
/* How many of an item there are. */
typedef struct CraftyItemCount {
    CraftyItem item;
    uint32_t count;
} CraftyItemCount;
/* Chooses an item for each cell so that the recipe can be made `times` times: single items first,
 * for groups the item of which most are left. `have` lists what there is, each item once; what is
 * chosen is subtracted. Returns false if it does not suffice; `have` is unchanged then. For recipe
 * books: times = 1 tells whether the recipe can be made. */
bool crafty_recipes_choose(const CraftyRecipes *recipes, const CraftyRecipe *recipe, uint32_t times,
                           CraftyItemCount *have, uint32_t have_count,
                           CraftyItem chosen[CRAFTY_GRID_SLOTS]);

#endif

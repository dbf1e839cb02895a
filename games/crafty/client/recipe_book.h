/*
 * The recipe book: a panel that lists recipes with their ingredients, those that can be made now
 * first. A click asks for a recipe to be laid into the crafting grid.
 *
 *     CraftyRecipeBook book = {0};
 *     CraftyRecipeChoice choice;
 *     if (crafty_recipe_book_frame(&book, engine, &view, panel, &choice))
 *         send(choice.recipe->name, choice.times);
 *     crafty_recipe_book_fini(&book);
 *
 * What can be made is computed again only when the player's items or the search change. Steady
 * frames do not allocate.
 */
#ifndef CRAFTY_CLIENT_RECIPE_BOOK_H
#define CRAFTY_CLIENT_RECIPE_BOOK_H

#include "crafty/sim/player.h"
#include "crafty/world/recipes.h"
#include "item_icons.h"

#include <cairn/engine.h>

#define CRAFTY_SEARCH_BYTES 32u

/* A recipe of the list. */
typedef struct CraftyBookRow {
    uint32_t recipe;  /* its index */
    bool is_possible; /* with what the player has */
    bool fits;        /* into the grid */
} CraftyBookRow;

typedef struct CraftyRecipeBook {
    bool only_possible; /* the filter */
    char search[CRAFTY_SEARCH_BYTES];

    /* What the list was made for. */
    const CraftyRecipes *recipes;
    CraftyStack have[CRAFTY_PLAYER_SLOTS + CRAFTY_GRID_SLOTS];
    uint32_t grid_width;
    bool made_only_possible;
    char made_search[CRAFTY_SEARCH_BYTES];

    CN_ARRAY(CraftyBookRow) rows;
    CraftyItemCount counts[CRAFTY_PLAYER_SLOTS + CRAFTY_GRID_SLOTS]; /* what the player has */
    uint32_t count_count;
} CraftyRecipeBook;

typedef struct CraftyBookView {
    const CraftyRecipes *recipes;
    const CraftyItems *items;
    const CraftyItemIcons *icons;
    const CraftyPlayer *player;
    uint32_t grid_width; /* 2 or 3 */
} CraftyBookView;

typedef struct CraftyRecipeChoice {
    const CraftyRecipe *recipe;
    uint32_t times; /* at least 1 */
} CraftyRecipeChoice;

/* Frees what the book allocated; it can be used again. */
void crafty_recipe_book_fini(CraftyRecipeBook *book);
/* Draws the contents of the panel as widgets of the open window. Returns true if the player chose a
 * recipe that can be made. */
bool crafty_recipe_book_frame(CraftyRecipeBook *book, CnEngine *engine, const CraftyBookView *view,
                              CnRect panel, CraftyRecipeChoice *choice);
/* Brings the list up to date; crafty_recipe_book_frame does it, too. */
void crafty_recipe_book_update(CraftyRecipeBook *book, const CraftyBookView *view);
/* Returns how often the recipe can be made, at most `most` times. */
uint32_t crafty_recipe_book_times(const CraftyRecipeBook *book, const CraftyBookView *view,
                                  const CraftyRecipe *recipe, uint32_t most);

/* Returns whether the search finds the item: words of its title or name, in any case. */
bool crafty_search_finds(const CraftyItemInfo *item, const char *search);

#endif

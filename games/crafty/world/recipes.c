#include "recipes_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Ingredients ---- */

static const CraftyGroup *group_of(const CraftyRecipes *recipes, CraftyIngredient ingredient)
{
    bool is_group = ingredient >= CRAFTY_INGREDIENT_GROUP;
    return is_group ? &recipes->groups.items[ingredient - CRAFTY_INGREDIENT_GROUP] : NULL;
}

uint32_t crafty_ingredient_count(const CraftyRecipes *recipes, CraftyIngredient ingredient)
{
    const CraftyGroup *group = group_of(recipes, ingredient);
    return group ? group->count : ingredient != 0;
}

CraftyItem crafty_ingredient_at(const CraftyRecipes *recipes, CraftyIngredient ingredient,
                                uint32_t index)
{
    const CraftyGroup *group = group_of(recipes, ingredient);
    CN_ASSERT(index < crafty_ingredient_count(recipes, ingredient), "no such item");
    return group ? recipes->group_items.items[group->first + index] : (CraftyItem)ingredient;
}

const char *crafty_ingredient_group(const CraftyRecipes *recipes, CraftyIngredient ingredient)
{
    const CraftyGroup *group = group_of(recipes, ingredient);
    return group ? cn_name_text(&recipes->group_names, group->name) : NULL;
}

bool crafty_ingredient_accepts(const CraftyRecipes *recipes, CraftyIngredient ingredient,
                               CraftyItem item)
{
    const CraftyGroup *group = group_of(recipes, ingredient);
    if (!group)
        return ingredient == item;
    const CraftyItem *items = recipes->group_items.items + group->first;
    uint32_t low = 0, high = group->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < group->count && items[low] == item;
}

/* ---- Index ---- */

/* Calls `note` once for each item that the recipe may use. Items of overlapping groups come several
 * times; the caller ignores repetitions of the same recipe. */
static void each_use(const CraftyRecipes *recipes, uint32_t index,
                     void (*note)(void *user, CraftyItem item, uint32_t index), void *user)
{
    const CraftyRecipe *recipe = &recipes->list.items[index];
    for (uint32_t cell = 0; cell < CRAFTY_GRID_SLOTS; cell++) {
        bool is_repeated = false;
        for (uint32_t before = 0; before < cell; before++)
            is_repeated = is_repeated || recipe->cells[before] == recipe->cells[cell];
        uint32_t count = crafty_ingredient_count(recipes, recipe->cells[cell]);
        for (uint32_t i = 0; !is_repeated && i < count; i++)
            note(user, crafty_ingredient_at(recipes, recipe->cells[cell], i), index);
    }
}

static void count_use(void *user, CraftyItem item, uint32_t index)
{
    CraftyRecipes *recipes = user;
    (void)index;
    recipes->use_first.items[item + 1u]++;
}

/* use_first[item] is where the next use of the item is written. */
static void write_use(void *user, CraftyItem item, uint32_t index)
{
    CraftyRecipes *recipes = user;
    recipes->uses.items[recipes->use_first.items[item]++] = index;
}

static bool build_index(CraftyRecipes *recipes, CnError *error)
{
    uint32_t items = recipes->item_count;
    if (!cn_array_reserve(&recipes->use_first, items + 1ull) ||
        !cn_array_reserve(&recipes->smelting, items + 1ull))
        return cn_error_memory(error, "the recipes");
    memset(recipes->use_first.items, 0, (items + 1ull) * sizeof(uint32_t));
    memset(recipes->smelting.items, 0, (items + 1ull) * sizeof(uint32_t));
    recipes->use_first.count = recipes->smelting.count = items + 1u;
    for (uint32_t i = 0; i < recipes->list.count; i++)
        if (recipes->list.items[i].kind != CRAFTY_RECIPE_SMELTING)
            each_use(recipes, i, count_use, recipes);
    for (uint32_t i = 1; i <= items; i++)
        recipes->use_first.items[i] += recipes->use_first.items[i - 1];
    uint32_t total = recipes->use_first.items[items];
    if (!cn_array_reserve(&recipes->uses, total + 1ull))
        return cn_error_memory(error, "the recipes");
    recipes->uses.count = total;
    for (uint32_t i = 0; i < recipes->list.count; i++)
        if (recipes->list.items[i].kind != CRAFTY_RECIPE_SMELTING)
            each_use(recipes, i, write_use, recipes);
    for (uint32_t i = items; i > 0; i--) /* back to the first of each item */
        recipes->use_first.items[i] = recipes->use_first.items[i - 1];
    recipes->use_first.items[0] = 0;
    for (uint32_t i = recipes->list.count; i-- > 0;) { /* the first recipe of an item stays */
        const CraftyRecipe *recipe = &recipes->list.items[i];
        uint32_t count = recipe->kind == CRAFTY_RECIPE_SMELTING
                             ? crafty_ingredient_count(recipes, recipe->cells[0])
                             : 0;
        for (uint32_t k = 0; k < count; k++)
            recipes->smelting.items[crafty_ingredient_at(recipes, recipe->cells[0], k)] = i + 1;
    }
    return true;
}

/* ---- Creation ---- */

CraftyRecipes *crafty_recipes_create(const CraftyRecipesDesc *desc, CnError *error)
{
    CN_ASSERT(desc->items, "recipes need items");
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyRecipes *recipes = cn_alloc_zeroed(allocator, sizeof *recipes);
    if (!recipes) {
        cn_error_memory(error, "the recipes");
        return NULL;
    }
    recipes->allocator = allocator;
    recipes->items = desc->items;
    while (crafty_items_info(desc->items, recipes->item_count + 1u))
        recipes->item_count++;
    recipes->item_count++; /* numbers start at 1 */
    cn_names_init(&recipes->names, allocator);
    cn_names_init(&recipes->group_names, allocator);
    cn_array_init(&recipes->list, allocator);
    cn_array_init(&recipes->groups, allocator);
    cn_array_init(&recipes->group_items, allocator);
    cn_array_init(&recipes->use_first, allocator);
    cn_array_init(&recipes->uses, allocator);
    cn_array_init(&recipes->smelting, allocator);
    if (crafty_recipes_read(recipes, desc->file, desc->text, error) && build_index(recipes, error))
        return recipes;
    crafty_recipes_destroy(recipes);
    return NULL;
}

void crafty_recipes_destroy(CraftyRecipes *recipes)
{
    if (!recipes)
        return;
    cn_array_fini(&recipes->smelting);
    cn_array_fini(&recipes->uses);
    cn_array_fini(&recipes->use_first);
    cn_array_fini(&recipes->group_items);
    cn_array_fini(&recipes->groups);
    cn_array_fini(&recipes->list);
    cn_names_fini(&recipes->group_names);
    cn_names_fini(&recipes->names);
    cn_free(recipes->allocator, recipes, sizeof *recipes);
}

/* ---- Enumeration ---- */

uint32_t crafty_recipes_count(const CraftyRecipes *recipes)
{
    return recipes->list.count;
}

uint32_t crafty_recipes_row_count(const CraftyRecipes *recipes)
{
    return recipes->row_count;
}

const CraftyRecipe *crafty_recipes_at(const CraftyRecipes *recipes, uint32_t index)
{
    CN_ASSERT(index < recipes->list.count, "there are only %u recipes", recipes->list.count);
    return &recipes->list.items[index];
}

const CraftyRecipe *crafty_recipes_find(const CraftyRecipes *recipes, const char *name)
{
    CnName found = cn_name_find(&recipes->names, cn_text(name));
    return found.id ? &recipes->list.items[found.id - 1] : NULL;
}

const CraftyRecipe *crafty_recipes_smelting(const CraftyRecipes *recipes, CraftyItem item)
{
    uint32_t found = item < recipes->smelting.count ? recipes->smelting.items[item] : 0;
    return found ? &recipes->list.items[found - 1] : NULL;
}

/* ---- Matching ---- */

/* The items of a grid, moved to the left upper corner. */
typedef struct Placed {
    CraftyItem cells[CRAFTY_GRID_SLOTS];
    uint32_t width, height, count;
    CraftyItem first;
} Placed;

static Placed place(const CraftyItem *grid, uint32_t width)
{
    Placed placed = {0};
    uint32_t left = CRAFTY_GRID_WIDTH, top = CRAFTY_GRID_WIDTH, right = 0, bottom = 0;
    for (uint32_t y = 0; y < width; y++)
        for (uint32_t x = 0; x < width; x++) {
            if (!grid[y * CRAFTY_GRID_WIDTH + x])
                continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y;
            placed.count++;
        }
    if (!placed.count)
        return placed;
    placed.width = right - left + 1;
    placed.height = bottom - top + 1;
    for (uint32_t y = 0; y < placed.height; y++)
        for (uint32_t x = 0; x < placed.width; x++) {
            CraftyItem item = grid[(top + y) * CRAFTY_GRID_WIDTH + left + x];
            placed.cells[y * CRAFTY_GRID_WIDTH + x] = item;
            placed.first = placed.first ? placed.first : item;
        }
    return placed;
}

static bool fits(const CraftyRecipes *recipes, const CraftyRecipe *recipe, const Placed *placed,
                 bool is_mirrored)
{
    for (uint32_t y = 0; y < placed->height; y++)
        for (uint32_t x = 0; x < placed->width; x++) {
            uint32_t column = is_mirrored ? placed->width - 1 - x : x;
            CraftyIngredient wanted = recipe->cells[y * CRAFTY_GRID_WIDTH + column];
            if (!crafty_ingredient_accepts(recipes, wanted,
                                           placed->cells[y * CRAFTY_GRID_WIDTH + x]))
                return false;
        }
    return true;
}

static bool fits_shape(const CraftyRecipes *recipes, const CraftyRecipe *recipe,
                       const Placed *placed)
{
    return recipe->width == placed->width && recipe->height == placed->height &&
           (fits(recipes, recipe, placed, false) || fits(recipes, recipe, placed, true));
}

/* Which ingredient takes which cell: augmenting paths, because groups may overlap. */
typedef struct Pairing {
    const CraftyRecipes *recipes;
    const CraftyRecipe *recipe;
    const Placed *placed;
    int taker[CRAFTY_GRID_SLOTS]; /* of the cells of the grid; -1: none */
    bool visited[CRAFTY_GRID_SLOTS];
} Pairing;

static bool pair(Pairing *pairing, uint32_t ingredient)
{
    for (uint32_t cell = 0; cell < CRAFTY_GRID_SLOTS; cell++) {
        CraftyItem item = pairing->placed->cells[cell];
        if (!item || pairing->visited[cell] ||
            !crafty_ingredient_accepts(pairing->recipes, pairing->recipe->cells[ingredient], item))
            continue;
        pairing->visited[cell] = true;
        if (pairing->taker[cell] >= 0 && !pair(pairing, (uint32_t)pairing->taker[cell]))
            continue;
        pairing->taker[cell] = (int)ingredient;
        return true;
    }
    return false;
}

static bool fits_anyhow(const CraftyRecipes *recipes, const CraftyRecipe *recipe,
                        const Placed *placed)
{
    Pairing pairing = {.recipes = recipes, .recipe = recipe, .placed = placed};
    if (recipe->ingredient_count != placed->count)
        return false;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        pairing.taker[i] = -1;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        memset(pairing.visited, 0, sizeof pairing.visited);
        if (recipe->cells[i] && !pair(&pairing, i))
            return false;
    }
    return true;
}

const CraftyRecipe *crafty_recipes_match(const CraftyRecipes *recipes,
                                         const CraftyItem grid[CRAFTY_GRID_SLOTS], uint32_t width)
{
    CN_ASSERT(width > 0 && width <= CRAFTY_GRID_WIDTH, "a grid has at most %u columns",
              CRAFTY_GRID_WIDTH);
    Placed placed = place(grid, width);
    if (!placed.count || placed.first >= recipes->item_count)
        return NULL;
    uint32_t end = recipes->use_first.items[placed.first + 1u];
    for (uint32_t i = recipes->use_first.items[placed.first]; i < end; i++) {
        const CraftyRecipe *recipe = &recipes->list.items[recipes->uses.items[i]];
        if (recipe->kind == CRAFTY_RECIPE_SHAPED ? fits_shape(recipes, recipe, &placed)
                                                 : fits_anyhow(recipes, recipe, &placed))
            return recipe;
    }
    return NULL;
}

/* ---- Choosing ---- */

static CraftyItemCount *most_of(const CraftyRecipes *recipes, CraftyIngredient ingredient,
                                CraftyItemCount *have, uint32_t have_count)
{
    CraftyItemCount *most = NULL;
    for (uint32_t i = 0; i < have_count; i++)
        if ((!most || have[i].count > most->count) &&
            crafty_ingredient_accepts(recipes, ingredient, have[i].item))
            most = &have[i];
    return most;
}

bool crafty_recipes_choose(const CraftyRecipes *recipes, const CraftyRecipe *recipe, uint32_t times,
                           CraftyItemCount *have, uint32_t have_count,
                           CraftyItem chosen[CRAFTY_GRID_SLOTS])
{
    CraftyItemCount *used[CRAFTY_GRID_SLOTS] = {0};
    bool suffices = true;
    for (uint32_t pass = 0; pass < 2; pass++) /* single items, then groups */
        for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS && suffices; i++) {
            CraftyIngredient wanted = recipe->cells[i];
            if (!wanted || (wanted >= CRAFTY_INGREDIENT_GROUP) != (pass == 1))
                continue;
            CraftyItemCount *most = most_of(recipes, wanted, have, have_count);
            suffices = most && most->count >= times;
            if (!suffices)
                break;
            most->count -= times;
            used[i] = most;
        }
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        chosen[i] = used[i] ? used[i]->item : CRAFTY_NO_ITEM;
        if (used[i] && !suffices)
            used[i]->count += times;
    }
    return suffices;
}

/*
 * Reads recipes.json. A row is one of
 *
 *     {"name": "torch", "shape": ["c", "|"], "keys": {"c": "#coals", "|": "stick"},
 *      "result": "torch", "count": 4}
 *     {"shapeless": ["*_log"], "result": "*_planks", "count": 4, "over": "woods"}
 *     {"smelt": "sand", "result": "glass", "seconds": 10}
 *
 * "name" is the result by default; "over" lists the words that a star stands for.
 */
#include "data_reader.h"
#include "recipes_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#define DEFAULT_SECONDS 10.0
#define MAX_SECONDS 600.0

/* The texts of a row, before they are looked up. */
typedef struct Row {
    const char *name, *result;
    const char *cells[CRAFTY_GRID_SLOTS]; /* NULL: nothing */
    CraftyRecipe recipe;                  /* everything else */
    json_t *words; /* what stars stand for, an array of texts; NULL: anything */
} Row;

/* ---- Groups ---- */

static bool add_to_group(CraftyDataReader *reader, CraftyRecipes *recipes, CraftyGroup *group,
                         const char *pattern)
{
    uint32_t before = recipes->group_items.count;
    for (uint32_t item = 1; item < recipes->item_count; item++) {
        const CraftyItemInfo *info = crafty_items_info(recipes->items, item);
        CnText star;
        bool is_there = false;
        if (!info->is_known || !crafty_pattern_match(pattern, info->name, &star))
            continue;
        for (uint32_t i = group->first; i < recipes->group_items.count; i++)
            is_there = is_there || recipes->group_items.items[i] == item;
        if (!is_there && !cn_array_push(&recipes->group_items, (CraftyItem)item))
            return cn_error_memory(reader->error, "the recipes");
    }
    return recipes->group_items.count > before ||
           crafty_data_fail_item(reader, recipes->items, pattern);
}

/* By insertion: groups are small, and files list their items mostly in order. */
static void sort_items(CraftyItem *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        CraftyItem item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static bool read_group(CraftyDataReader *reader, CraftyRecipes *recipes, const char *name,
                       json_t *patterns)
{
    CraftyGroup group = {.first = recipes->group_items.count};
    json_t *pattern;
    size_t i;
    if (!crafty_item_name_valid(cn_text(name)))
        return crafty_data_fail(reader, "the name of a group must be lower-case letters, digits "
                                        "and '_'");
    if (recipes->groups.count == CRAFTY_MAX_INGREDIENT_GROUPS)
        return crafty_data_fail(reader, "there are more than %u groups",
                                CRAFTY_MAX_INGREDIENT_GROUPS);
    if (!json_is_array(patterns) || json_array_size(patterns) == 0)
        return crafty_data_fail(reader, "a group must be an array of items, such as "
                                        "[\"coal\", \"*_planks\"]");
    json_array_foreach(patterns, i, pattern)
    {
        crafty_data_enter(reader, i, false);
        const char *text = json_string_value(pattern);
        if (!text)
            return crafty_data_fail(reader, "an item of a group must be a text");
        if (!add_to_group(reader, recipes, &group, text))
            return false;
        crafty_data_leave(reader);
    }
    group.count = recipes->group_items.count - group.first;
    sort_items(recipes->group_items.items + group.first, group.count);
    group.name = cn_name(&recipes->group_names, name);
    return (group.name.id && cn_array_push(&recipes->groups, group)) ||
           cn_error_memory(reader->error, "the recipes");
}

static bool read_groups(CraftyDataReader *reader, CraftyRecipes *recipes)
{
    json_t *groups = json_object_get(reader->root, "groups"), *patterns;
    const char *name;
    size_t number = 0;
    if (!groups)
        return true;
    crafty_data_enter_key(reader, reader->root, "groups");
    if (!json_is_object(groups))
        return crafty_data_fail(reader, "\"groups\" must be an object");
    json_object_foreach(groups, name, patterns)
    {
        crafty_data_enter(reader, number++, true);
        if (!read_group(reader, recipes, name, patterns))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Rows ---- */

static bool has_star(const char *text)
{
    return text && strchr(text, '*') != NULL;
}

static bool is_template(const Row *row)
{
    bool is_one = has_star(row->result);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        is_one = is_one || has_star(row->cells[i]);
    return is_one;
}

static bool read_shape(CraftyDataReader *reader, json_t *object, Row *row)
{
    json_t *lines = json_object_get(object, "shape"), *keys = json_object_get(object, "keys");
    size_t height = json_array_size(lines), width = 0;
    crafty_data_enter_key(reader, object, "shape");
    if (height == 0 || height > CRAFTY_GRID_WIDTH)
        return crafty_data_fail(reader, "\"shape\" must be 1 to %u lines", CRAFTY_GRID_WIDTH);
    for (size_t y = 0; y < height; y++) {
        const char *line = json_string_value(json_array_get(lines, y));
        size_t length = line ? strlen(line) : 0;
        width = y ? width : length;
        if (length == 0 || length > CRAFTY_GRID_WIDTH || length != width)
            return crafty_data_fail(reader,
                                    "the lines of \"shape\" must have the same length, 1 "
                                    "to %u characters",
                                    CRAFTY_GRID_WIDTH);
        for (size_t x = 0; x < width; x++) {
            char key[2] = {line[x]};
            const char *name = json_string_value(json_object_get(keys, key));
            if (line[x] == ' ')
                continue;
            if (!name)
                return crafty_data_fail(reader, "\"keys\" has no text for '%c'",
                                        line[x] > ' ' && line[x] < 127 ? line[x] : '?');
            row->cells[y * CRAFTY_GRID_WIDTH + x] = name;
            row->recipe.ingredient_count++;
        }
    }
    crafty_data_leave(reader);
    row->recipe.kind = CRAFTY_RECIPE_SHAPED;
    row->recipe.width = (uint8_t)width;
    row->recipe.height = (uint8_t)height;
    return true;
}

/* An empty row or column at the border would never match. */
static bool check_border(CraftyDataReader *reader, const Row *row)
{
    uint32_t width = row->recipe.width, height = row->recipe.height;
    bool left = false, right = false, top = false, bottom = false;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            bool is_used = row->cells[y * CRAFTY_GRID_WIDTH + x] != NULL;
            left = left || (is_used && x == 0);
            right = right || (is_used && x == width - 1);
            top = top || (is_used && y == 0);
            bottom = bottom || (is_used && y == height - 1);
        }
    return (left && right && top && bottom) ||
           crafty_data_fail(reader, "\"shape\" must not have empty lines or columns at its border");
}

static bool read_list(CraftyDataReader *reader, json_t *object, Row *row)
{
    json_t *list = json_object_get(object, "shapeless"), *value;
    size_t count = json_array_size(list), i;
    crafty_data_enter_key(reader, object, "shapeless");
    if (count == 0 || count > CRAFTY_GRID_SLOTS)
        return crafty_data_fail(reader, "\"shapeless\" must be 1 to %u items", CRAFTY_GRID_SLOTS);
    uint32_t width = count > 4 ? 3 : count > 1 ? 2 : 1;
    json_array_foreach(list, i, value)
    {
        crafty_data_enter(reader, i, false);
        const char *name = json_string_value(value);
        if (!name)
            return crafty_data_fail(reader, "an item of \"shapeless\" must be a text");
        row->cells[i / width * CRAFTY_GRID_WIDTH + i % width] = name;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    row->recipe.kind = CRAFTY_RECIPE_SHAPELESS;
    row->recipe.ingredient_count = (uint8_t)count;
    row->recipe.width = (uint8_t)width;
    row->recipe.height = (uint8_t)((count + width - 1) / width);
    return true;
}

static bool read_smelting(CraftyDataReader *reader, json_t *object, Row *row)
{
    double seconds = DEFAULT_SECONDS;
    if (!crafty_data_text(reader, object, "smelt", &row->cells[0]) ||
        !crafty_data_number(reader, object, "seconds", 0.1, MAX_SECONDS, &seconds))
        return false;
    row->recipe.kind = CRAFTY_RECIPE_SMELTING;
    row->recipe.width = row->recipe.height = row->recipe.ingredient_count = 1;
    row->recipe.ticks = (uint32_t)(seconds * CRAFTY_TICKS_PER_SECOND + 0.5);
    return true;
}

/* "over" is an array of words or the name of one in "words". */
static bool read_words(CraftyDataReader *reader, json_t *object, Row *row)
{
    json_t *over = json_object_get(object, "over"), *value;
    const char *name = json_string_value(over);
    size_t i;
    if (!over)
        return true;
    row->words = name ? json_object_get(json_object_get(reader->root, "words"), name) : over;
    crafty_data_enter_key(reader, object, "over");
    if (!is_template(row))
        return crafty_data_fail(reader, "\"over\" needs names with '*'");
    bool is_list = json_array_size(row->words) > 0;
    json_array_foreach(row->words, i, value) is_list = is_list && json_is_string(value);
    if (!is_list)
        return crafty_data_fail(reader, "\"over\" must be an array of texts or the name of one in "
                                        "\"words\"");
    crafty_data_leave(reader);
    return true;
}

static bool read_ingredients(CraftyDataReader *reader, json_t *object, Row *row)
{
    bool has_shape = json_object_get(object, "shape"), has_smelt = json_object_get(object, "smelt"),
         has_list = json_object_get(object, "shapeless");
    if (has_shape + has_list + has_smelt != 1)
        return crafty_data_fail(reader,
                                "a recipe has one of \"shape\", \"shapeless\" and \"smelt\"");
    if (has_shape)
        return read_shape(reader, object, row) && check_border(reader, row);
    return has_list ? read_list(reader, object, row) : read_smelting(reader, object, row);
}

static bool read_row(CraftyDataReader *reader, json_t *object, Row *row)
{
    static const char *const keys[] = {"name",   "shape", "keys",    "shapeless", "smelt",
                                       "result", "count", "seconds", "over",      NULL};
    row->recipe.count = 1;
    if (!json_is_object(object))
        return crafty_data_fail(reader, "a recipe must be an object");
    if (!crafty_data_keys(reader, object, keys) ||
        !crafty_data_text(reader, object, "name", &row->name) ||
        !crafty_data_text(reader, object, "result", &row->result) ||
        !crafty_data_whole(reader, object, "count", 1, CRAFTY_STACK_MAX, &row->recipe.count))
        return false;
    if (!row->result)
        return crafty_data_fail(reader, "\"result\" is missing");
    row->name = row->name ? row->name : row->result;
    return read_ingredients(reader, object, row) && read_words(reader, object, row);
}

/* ---- Expansion ---- */

/* Returns 0 if there is no such item or group. Groups have a '#' and no star. */
static CraftyIngredient find_ingredient(const CraftyRecipes *recipes, const char *text, CnText star)
{
    char name[CRAFTY_ITEM_NAME_BYTES];
    if (!crafty_pattern_expand(text, star, name))
        return 0;
    if (name[0] == '#') {
        CnName group = cn_name_find(&recipes->group_names, cn_text(name + 1));
        return group.id ? CRAFTY_INGREDIENT_GROUP + group.id - 1 : 0;
    }
    CraftyItem item = crafty_items_find(recipes->items, name);
    return item && crafty_items_info(recipes->items, item)->is_known ? item : 0;
}

/* Fills in the items of a row. Returns NULL, or the text that names nothing. */
static const char *resolve(const CraftyRecipes *recipes, const Row *row, CnText star,
                           CraftyRecipe *recipe)
{
    *recipe = row->recipe;
    recipe->result = (CraftyItem)find_ingredient(recipes, row->result, star);
    if (!recipe->result || row->result[0] == '#')
        return row->result;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        if (!row->cells[i])
            continue;
        recipe->cells[i] = find_ingredient(recipes, row->cells[i], star);
        if (!recipe->cells[i])
            return row->cells[i];
    }
    return NULL;
}

static bool add_recipe(CraftyDataReader *reader, CraftyRecipes *recipes, const Row *row,
                       CnText star, const CraftyRecipe *recipe)
{
    char name[CRAFTY_ITEM_NAME_BYTES];
    const CraftyItemInfo *result = crafty_items_info(recipes->items, recipe->result);
    if (!crafty_pattern_expand(row->name, star, name) || !crafty_item_name_valid(cn_text(name)))
        return crafty_data_fail(reader,
                                "\"name\" must be lower-case letters, digits and '_', at "
                                "most %u",
                                CRAFTY_ITEM_NAME_BYTES - 1);
    if (cn_name_find(&recipes->names, cn_text(name)).id)
        return crafty_data_fail(reader, "there already is a recipe \"%s\"; give this one a name",
                                name);
    if (recipe->count > result->stack_max)
        return crafty_data_fail(reader, "a stack of \"%s\" has at most %u", result->name,
                                result->stack_max);
    if (recipes->list.count == CRAFTY_MAX_RECIPES)
        return crafty_data_fail(reader, "there are more than %u recipes", CRAFTY_MAX_RECIPES);
    if (!cn_array_reserve(&recipes->list, recipes->list.count + 1ull))
        return cn_error_memory(reader->error, "the recipes");
    CnName number = cn_name(&recipes->names, name);
    if (!number.id)
        return cn_error_memory(reader->error, "the recipes");
    CN_ASSERT(number.id == recipes->list.count + 1u, "names and recipes have the same order");
    recipes->list.items[recipes->list.count++] = *recipe;
    return true;
}

static bool fail_missing(CraftyDataReader *reader, const CraftyRecipes *recipes, const Row *row,
                         const char *missing, CnText star)
{
    char name[CRAFTY_ITEM_NAME_BYTES];
    if (!crafty_pattern_expand(missing, star, name))
        return crafty_data_fail(reader, "a name is longer than %u", CRAFTY_ITEM_NAME_BYTES - 1);
    if (name[0] == '#' && missing != row->result) {
        char escaped[2 * CRAFTY_ITEM_NAME_BYTES];
        return crafty_data_fail(reader, "there is no group \"%s\" in \"groups\"",
                                cn_text_escape(cn_text(name + 1), escaped, sizeof escaped));
    }
    return crafty_data_fail_item(reader, recipes->items, name);
}

static bool add_for(CraftyDataReader *reader, CraftyRecipes *recipes, const Row *row, CnText star)
{
    CraftyRecipe recipe;
    const char *missing = resolve(recipes, row, star, &recipe);
    return missing ? fail_missing(reader, recipes, row, missing, star)
                   : add_recipe(reader, recipes, row, star, &recipe);
}

static bool expand_over(CraftyDataReader *reader, CraftyRecipes *recipes, const Row *row)
{
    json_t *word;
    size_t i;
    bool is_good = true;
    json_array_foreach(row->words, i, word) is_good =
        is_good && add_for(reader, recipes, row, cn_text(json_string_value(word)));
    return is_good;
}

/* One recipe for each word that makes names of items out of all texts with a star. */
static bool expand(CraftyDataReader *reader, CraftyRecipes *recipes, const Row *row)
{
    const char *pattern = row->result;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS && !has_star(pattern); i++)
        pattern = has_star(row->cells[i]) ? row->cells[i] : pattern;
    uint32_t before = recipes->list.count;
    for (uint32_t item = 1; item < recipes->item_count; item++) {
        const CraftyItemInfo *info = crafty_items_info(recipes->items, item);
        CraftyRecipe recipe;
        CnText star;
        if (!info->is_known || !crafty_pattern_match(pattern, info->name, &star) ||
            resolve(recipes, row, star, &recipe))
            continue;
        if (!add_recipe(reader, recipes, row, star, &recipe))
            return false;
    }
    return recipes->list.count > before ||
           crafty_data_fail(reader, "no items have names like those of this recipe");
}

static bool add_row(CraftyDataReader *reader, CraftyRecipes *recipes, json_t *object)
{
    Row row = {0};
    if (!read_row(reader, object, &row))
        return false;
    if (row.words)
        return expand_over(reader, recipes, &row);
    return is_template(&row) ? expand(reader, recipes, &row)
                             : add_for(reader, recipes, &row, (CnText){0});
}

static bool read_rows(CraftyDataReader *reader, CraftyRecipes *recipes)
{
    json_t *rows = json_object_get(reader->root, "recipes"), *row;
    size_t i;
    crafty_data_enter_key(reader, reader->root, "recipes");
    if (!json_is_array(rows))
        return crafty_data_fail(reader, "\"recipes\" must be an array");
    json_array_foreach(rows, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!add_row(reader, recipes, row))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    recipes->row_count = (uint32_t)json_array_size(rows);
    return true;
}

bool crafty_recipes_read(CraftyRecipes *recipes, const char *file, CnText text, CnError *error)
{
    static const char *const keys[] = {"$schema", "words", "groups", "recipes", NULL};
    CraftyDataReader reader;
    if (!crafty_data_open(&reader, file, text, error))
        return false;
    bool good = crafty_data_keys(&reader, reader.root, keys) && read_groups(&reader, recipes) &&
                read_rows(&reader, recipes);
    crafty_data_close(&reader);
    for (uint32_t i = 0; good && i < recipes->list.count; i++)
        recipes->list.items[i].name = cn_name_text(&recipes->names, (CnName){i + 1});
    return good;
}

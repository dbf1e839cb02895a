#include "items_file.h"

#include "data_reader.h"

const char *const crafty_tool_words[CRAFTY_TOOL_COUNT] = {"none", "pickaxe", "axe",    "shovel",
                                                          "hoe",  "sword",   "shears", "bucket"};
const char *const crafty_tier_words[CRAFTY_TIER_COUNT] = {"hand", "wood", "stone",
                                                          "iron", "gold", "diamond"};

/* Reads what rows of "items" and of "blocks" have in common. */
static bool read_properties(CraftyDataReader *reader, json_t *row, CraftyItemDesc *desc)
{
    double fuel = 0;
    uint32_t tool = CRAFTY_TOOL_NONE, tier = CRAFTY_TIER_HAND;
    if (!crafty_data_word(reader, row, "tool", crafty_tool_words, CRAFTY_TOOL_COUNT, &tool) ||
        !crafty_data_word(reader, row, "tier", crafty_tier_words, CRAFTY_TIER_COUNT, &tier) ||
        !crafty_data_whole(reader, row, "durability", 1, CRAFTY_MAX_DURABILITY,
                           &desc->durability) ||
        !crafty_data_whole(reader, row, "stack", 1, CRAFTY_STACK_MAX, &desc->stack_max) ||
        !crafty_data_whole(reader, row, "food", 1, CRAFTY_MAX_FOOD_POINTS, &desc->food) ||
        !crafty_data_number(reader, row, "fuel_seconds", 0, (double)CRAFTY_MAX_FUEL_SECONDS,
                            &fuel) ||
        !crafty_data_text(reader, row, "title", &desc->title) ||
        !crafty_data_text(reader, row, "tile", &desc->tile) ||
        !crafty_data_text(reader, row, "remainder", &desc->remainder))
        return false;
    desc->tool = (CraftyTool)tool;
    desc->tier = (CraftyTier)tier;
    desc->fuel_seconds = (float)fuel;
    return true;
}

/* "wooden_pickaxe" becomes "Wooden Pickaxe". */
static void title_of(const char *name, char title[CRAFTY_ITEM_NAME_BYTES])
{
    bool starts = true;
    size_t i = 0;
    for (; name[i] && i < CRAFTY_ITEM_NAME_BYTES - 1; i++) {
        char c = name[i] == '_' ? ' ' : name[i];
        title[i] = starts && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        starts = c == ' ';
    }
    title[i] = '\0';
}

static bool add_item(CraftyDataReader *reader, CraftyItems *items, json_t *row)
{
    static const char *const keys[] = {"name", "title",        "tool", "tier",      "durability",
                                       "food", "fuel_seconds", "tile", "remainder", "stack",
                                       NULL};
    CraftyItemDesc desc = {0};
    char title[CRAFTY_ITEM_NAME_BYTES], tile[CRAFTY_ITEM_NAME_BYTES];
    if (!json_is_object(row))
        return crafty_data_fail(reader, "an item must be an object");
    if (!crafty_data_keys(reader, row, keys) ||
        !crafty_data_text(reader, row, "name", &desc.name) || !read_properties(reader, row, &desc))
        return false;
    if (!desc.name)
        return crafty_data_fail(reader, "\"name\" is missing");
    if (!crafty_item_name_valid(cn_text(desc.name)) ||
        !cn_format(tile, sizeof tile, "item_%s", desc.name)) {
        crafty_data_enter_key(reader, row, "name");
        return crafty_data_fail(reader,
                                "\"name\" must be lower-case letters, digits, '_' and ':', at "
                                "most %u",
                                CRAFTY_ITEM_NAME_BYTES - 6);
    }
    title_of(desc.name, title);
    desc.title = desc.title ? desc.title : title;
    desc.tile = desc.tile ? desc.tile : tile;
    desc.remainder = NULL; /* may be an item that follows: second pass */
    CnError wrong = {0};
    return crafty_items_add(items, &desc, &wrong) || crafty_data_fail_with(reader, &wrong);
}

static bool set_remainder(CraftyDataReader *reader, CraftyItems *items, json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "remainder"));
    const char *own = json_string_value(json_object_get(row, "name"));
    CnError wrong = {0};
    return !name ||
           crafty_items_change(items, crafty_items_find(items, own),
                               &(CraftyItemDesc){.remainder = name}, &wrong) ||
           crafty_data_fail_with(reader, &wrong);
}

/* Changes the items of blocks whose names fit. */
static bool change_blocks(CraftyDataReader *reader, CraftyItems *items, json_t *row)
{
    static const char *const keys[] = {"match", "food", "fuel_seconds", "remainder", "stack", NULL};
    CraftyItemDesc desc = {0};
    const char *match = NULL;
    uint32_t found = 0;
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a row of \"blocks\" must be an object");
    if (!crafty_data_keys(reader, row, keys) || !crafty_data_text(reader, row, "match", &match) ||
        !read_properties(reader, row, &desc))
        return false;
    if (!match)
        return crafty_data_fail(reader, "\"match\" is missing");
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        CraftyItem item = crafty_items_at(items, i);
        const CraftyItemInfo *info = crafty_items_info(items, item);
        CnText star;
        CnError wrong = {0};
        if (info->block == CN_BLOCK_AIR || !crafty_pattern_match(match, info->name, &star))
            continue;
        if (!crafty_items_change(items, item, &desc, &wrong))
            return crafty_data_fail_with(reader, &wrong);
        found++;
    }
    if (found)
        return true;
    crafty_data_enter_key(reader, row, "match");
    return crafty_data_fail(reader, "no block has a name like this");
}

typedef bool (*RowReader)(CraftyDataReader *, CraftyItems *, json_t *);

static bool read_rows(CraftyDataReader *reader, CraftyItems *items, const char *key, RowReader read)
{
    json_t *rows = json_object_get(reader->root, key), *row;
    size_t i;
    if (!rows)
        return true;
    crafty_data_enter_key(reader, reader->root, key);
    if (!json_is_array(rows))
        return crafty_data_fail(reader, "\"%s\" must be an array", key);
    json_array_foreach(rows, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read(reader, items, row))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

bool crafty_items_read(CraftyItems *items, const char *file, CnText text, CnError *error)
{
    static const char *const keys[] = {"$schema", "items", "blocks", NULL};
    CraftyDataReader reader;
    if (!crafty_data_open(&reader, file, text, error))
        return false;
    bool good = crafty_data_keys(&reader, reader.root, keys) &&
                read_rows(&reader, items, "items", add_item) &&
                read_rows(&reader, items, "items", set_remainder) &&
                read_rows(&reader, items, "blocks", change_blocks);
    crafty_data_close(&reader);
    return good;
}

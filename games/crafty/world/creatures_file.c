/* Reads creatures.json. */
#include "creature_kinds.h"

#include "creature_kinds_internal.h"
#include "data_reader.h"

#include <cairn/voxel/generate.h>

#include <string.h>

#define MAX_SIZE 3.0

/* ---- Values ---- */

static bool read_float(CraftyDataReader *reader, json_t *object, const char *key, double low,
                       double high, float *value)
{
    double number = (double)*value;
    if (!crafty_data_number(reader, object, key, low, high, &number))
        return false;
    *value = (float)number;
    return true;
}

static bool read_flag(CraftyDataReader *reader, json_t *object, const char *key, bool *flag)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value)) {
        crafty_data_enter_key(reader, object, key);
        return crafty_data_fail(reader, "\"%s\" must be true or false", key);
    }
    *flag = value ? json_is_true(value) : *flag;
    return true;
}

/* Two whole numbers, the lower one first. */
static bool read_range(CraftyDataReader *reader, json_t *object, const char *key, uint32_t most,
                       uint8_t *low, uint8_t *high)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    json_t *first = json_array_get(value, 0), *second = json_array_get(value, 1);
    json_int_t a = json_integer_value(first), b = json_integer_value(second);
    if (json_is_integer(first) && json_is_integer(second) && json_array_size(value) == 2 &&
        a >= 0 && a <= b && b <= most) {
        *low = (uint8_t)a;
        *high = (uint8_t)b;
        return true;
    }
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(
        reader, "\"%s\" must be two whole numbers, 0 to %u, the lower one first", key, most);
}

static bool read_name(CraftyDataReader *reader, json_t *object, const char *key,
                      char name[CRAFTY_CREATURE_NAME_BYTES])
{
    const char *text = NULL;
    if (!crafty_data_text(reader, object, key, &text))
        return false;
    if (!text || cn_copy_text(name, CRAFTY_CREATURE_NAME_BYTES, cn_text(text)))
        return true;
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(reader, "\"%s\" must have at most %u bytes", key,
                            CRAFTY_CREATURE_NAME_BYTES - 1);
}

static bool find_item(CraftyDataReader *reader, const CraftyItems *items, json_t *value,
                      CraftyItem *item)
{
    const char *name = json_string_value(value);
    if (!name)
        return crafty_data_fail(reader, "the name of an item is expected");
    *item = crafty_items_find(items, name);
    return *item != CRAFTY_NO_ITEM || crafty_data_fail_item(reader, items, name);
}

static bool read_item(CraftyDataReader *reader, const CraftyItems *items, json_t *object,
                      const char *key, CraftyItem *item)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    crafty_data_enter_key(reader, object, key);
    if (!find_item(reader, items, value, item))
        return false;
    crafty_data_leave(reader);
    return true;
}

/* Enters an array. Returns whether there is one; `good` is false if it is something else. */
static bool enter_array(CraftyDataReader *reader, json_t *object, const char *key, size_t most,
                        json_t **array, bool *good)
{
    *array = json_object_get(object, key);
    if (!*array)
        return false;
    crafty_data_enter_key(reader, object, key);
    *good = json_is_array(*array) && json_array_size(*array) <= most;
    if (!*good)
        crafty_data_fail(reader, "\"%s\" must be an array of at most %zu values", key, most);
    return *good;
}

static bool read_items(CraftyDataReader *reader, const CraftyItems *items, json_t *object,
                       const char *key, CraftyItem list[CRAFTY_MAX_CREATURE_FOODS], uint32_t *count)
{
    json_t *array, *value;
    size_t i;
    bool good = true;
    if (!enter_array(reader, object, key, CRAFTY_MAX_CREATURE_FOODS, &array, &good))
        return good;
    json_array_foreach(array, i, value)
    {
        crafty_data_enter(reader, i, false);
        if (!find_item(reader, items, value, &list[*count]))
            return false;
        (*count)++;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* Kinds that come before this one in the file. */
static bool read_prey(CraftyDataReader *reader, const CraftyCreatureKinds *kinds, json_t *object,
                      CraftyCreatureKind *kind)
{
    json_t *array, *value;
    size_t i;
    bool good = true;
    if (!enter_array(reader, object, "prey", CRAFTY_MAX_CREATURE_PREY, &array, &good))
        return good;
    json_array_foreach(array, i, value)
    {
        const CraftyCreatureKind *prey = crafty_creature_kind_find(kinds, json_string_value(value));
        crafty_data_enter(reader, i, false);
        if (!prey)
            return crafty_data_fail(reader, "no creature above has this name");
        kind->prey[kind->prey_count++] = prey->number;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Parts of a kind ---- */

static bool read_drop(CraftyDataReader *reader, const CraftyItems *items, json_t *row,
                      CraftyCreatureDrop *drop)
{
    static const char *const keys[] = {"item", "count", "chance", NULL};
    *drop = (CraftyCreatureDrop){.low = 1, .high = 1, .chance = 1};
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a drop must be an object");
    return crafty_data_keys(reader, row, keys) &&
           read_item(reader, items, row, "item", &drop->item) &&
           read_range(reader, row, "count", CRAFTY_STACK_MAX, &drop->low, &drop->high) &&
           read_float(reader, row, "chance", 0, 1, &drop->chance) &&
           (drop->item || crafty_data_fail(reader, "\"item\" is missing"));
}

static bool read_drops(CraftyDataReader *reader, const CraftyItems *items, json_t *object,
                       CraftyCreatureKind *kind)
{
    json_t *array, *row;
    size_t i;
    bool good = true;
    if (!enter_array(reader, object, "drops", CRAFTY_MAX_CREATURE_DROPS, &array, &good))
        return good;
    json_array_foreach(array, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read_drop(reader, items, row, &kind->drops[kind->drop_count++]))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool add_biome(CraftyDataReader *reader, json_t *value, uint32_t *biomes)
{
    const char *name = json_string_value(value);
    if (name && strcmp(name, "*") == 0) {
        *biomes = (1u << CN_BIOME_COUNT) - 1;
        return true;
    }
    for (uint32_t i = 0; name && i < CN_BIOME_COUNT; i++)
        if (strcmp(cn_biome_name((CnBiome)i), name) == 0) {
            *biomes |= 1u << i;
            return true;
        }
    return crafty_data_fail(reader, "there is no biome of this name");
}

static bool read_biomes(CraftyDataReader *reader, json_t *object, uint32_t *biomes)
{
    json_t *array, *value;
    size_t i;
    bool good = true;
    if (!enter_array(reader, object, "biomes", CN_BIOME_COUNT, &array, &good))
        return good;
    json_array_foreach(array, i, value)
    {
        crafty_data_enter(reader, i, false);
        if (!add_biome(reader, value, biomes))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool read_spawn(CraftyDataReader *reader, json_t *object, CraftyCreatureSpawn *spawn)
{
    static const char *const keys[] = {"habitat",       "biomes", "chance", "group",
                                       "family_chance", "family", "light",  "cap",
                                       "day",           "night",  NULL};
    json_t *row = json_object_get(object, "spawn");
    uint32_t habitat = CRAFTY_HABITAT_SURFACE;
    uint16_t family = 0;
    *spawn = (CraftyCreatureSpawn){
        .low = 1, .high = 1, .light_high = 15, .cap = 8, .by_day = true, .by_night = true};
    if (!row) /* it appears by commands and by breeding only */
        return true;
    crafty_data_enter_key(reader, object, "spawn");
    if (!json_is_object(row))
        return crafty_data_fail(reader, "\"spawn\" must be an object");
    if (!crafty_data_keys(reader, row, keys) ||
        !crafty_data_word(reader, row, "habitat", crafty_habitat_words, CRAFTY_HABITAT_COUNT,
                          &habitat) ||
        !read_biomes(reader, row, &spawn->biomes) ||
        !read_float(reader, row, "chance", 0, 1, &spawn->chance) ||
        !read_range(reader, row, "group", 16, &spawn->low, &spawn->high) ||
        !read_float(reader, row, "family_chance", 0, 1, &spawn->family_chance) ||
        !crafty_data_whole(reader, row, "family", 0, 8, &family) ||
        !read_range(reader, row, "light", 15, &spawn->light_low, &spawn->light_high) ||
        !crafty_data_whole(reader, row, "cap", 0, 1000, &spawn->cap) ||
        !read_flag(reader, row, "day", &spawn->by_day) ||
        !read_flag(reader, row, "night", &spawn->by_night))
        return false;
    spawn->habitat = (CraftyHabitat)habitat;
    spawn->family = (uint8_t)family;
    crafty_data_leave(reader);
    return true;
}

static bool read_behaviour(CraftyDataReader *reader, json_t *row, CraftyBehaviour *behaviour)
{
    static const char *const keys[] = {"do", "speed", "distance", "seconds", "chance", NULL};
    uint32_t kind = CRAFTY_BEHAVIOUR_COUNT;
    *behaviour = (CraftyBehaviour){.speed = 1, .distance = 8, .seconds = 5, .chance = 1};
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a behaviour must be an object");
    if (!crafty_data_keys(reader, row, keys) ||
        !crafty_data_word(reader, row, "do", crafty_behaviour_words, CRAFTY_BEHAVIOUR_COUNT,
                          &kind) ||
        !read_float(reader, row, "speed", 0, 10, &behaviour->speed) ||
        !read_float(reader, row, "distance", 0, 32, &behaviour->distance) ||
        !read_float(reader, row, "seconds", 0, 600, &behaviour->seconds) ||
        !read_float(reader, row, "chance", 0, 60, &behaviour->chance))
        return false;
    behaviour->kind = (CraftyBehaviourKind)kind;
    return kind < CRAFTY_BEHAVIOUR_COUNT || crafty_data_fail(reader, "\"do\" is missing");
}

static bool read_behaviours(CraftyDataReader *reader, json_t *object, CraftyCreatureKind *kind)
{
    json_t *array, *row;
    size_t i;
    bool good = true;
    if (!enter_array(reader, object, "behaviours", CRAFTY_MAX_CREATURE_BEHAVIOURS, &array, &good))
        return good;
    json_array_foreach(array, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read_behaviour(reader, row, &kind->behaviours[kind->behaviour_count++]))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool read_size(CraftyDataReader *reader, json_t *object, CraftyCreatureKind *kind)
{
    json_t *size = json_object_get(object, "size");
    double width = json_number_value(json_array_get(size, 0));
    double height = json_number_value(json_array_get(size, 1));
    if (json_array_size(size) == 2 && width >= 0.1 && width <= MAX_SIZE && height >= 0.1 &&
        height <= MAX_SIZE) {
        kind->width = (float)width;
        kind->height = (float)height;
        return true;
    }
    crafty_data_enter_key(reader, object, "size");
    return crafty_data_fail(reader, "\"size\" must be width and height, 0.1 to %g blocks",
                            MAX_SIZE);
}

static bool read_numbers(CraftyDataReader *reader, json_t *row, CraftyCreatureKind *kind)
{
    return read_size(reader, row, kind) &&
           read_float(reader, row, "baby_scale", 0.1, 1, &kind->baby_scale) &&
           read_float(reader, row, "eye", 0, 1, &kind->eye) &&
           read_float(reader, row, "health", 1, 1000, &kind->health) &&
           read_float(reader, row, "speed", 0, 10, &kind->speed) &&
           read_float(reader, row, "damage", 0, 100, &kind->damage) &&
           read_float(reader, row, "reach", 0, 8, &kind->reach) &&
           read_float(reader, row, "attack_seconds", 0.1, 60, &kind->attack_seconds) &&
           read_float(reader, row, "voice_seconds", 0, 3600, &kind->voice_seconds) &&
           read_float(reader, row, "grow_seconds", 1, 36000, &kind->grow_seconds) &&
           read_float(reader, row, "egg_seconds", 1, 36000, &kind->egg_seconds) &&
           read_float(reader, row, "tame_chance", 0, 1, &kind->tame_chance);
}

/* ---- Kinds ---- */

/* "cave_bat" becomes "Cave bat". */
static void title_of(const char *name, char title[CRAFTY_CREATURE_NAME_BYTES])
{
    size_t i = 0;
    for (; name[i] && i < CRAFTY_CREATURE_NAME_BYTES - 1; i++)
        title[i] = name[i] == '_' ? ' ' : name[i];
    title[i] = '\0';
    if (title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
}

static bool read_names(CraftyDataReader *reader, const CraftyCreatureKinds *kinds, json_t *row,
                       CraftyCreatureKind *kind)
{
    if (!read_name(reader, row, "name", kind->name) ||
        !crafty_data_whole(reader, row, "number", 1, CRAFTY_MAX_CREATURE_NUMBER, &kind->number))
        return false;
    if (!kind->name[0] || !kind->number)
        return crafty_data_fail(reader, "\"%s\" is missing", kind->name[0] ? "number" : "name");
    crafty_data_enter_key(reader, row, "name");
    if (!crafty_item_name_valid(cn_text(kind->name)))
        return crafty_data_fail(reader, "\"name\" must be lower-case letters, digits, '_' and ':'");
    if (crafty_creature_kind_find(kinds, kind->name))
        return crafty_data_fail(reader, "this name is used twice");
    crafty_data_leave(reader);
    if (crafty_creature_kind(kinds, kind->number)) {
        crafty_data_enter_key(reader, row, "number");
        return crafty_data_fail(reader, "this number is used twice");
    }
    title_of(kind->name, kind->title);
    memcpy(kind->model, kind->name, sizeof kind->model);
    memcpy(kind->sound, kind->name, sizeof kind->sound);
    return read_name(reader, row, "title", kind->title) &&
           read_name(reader, row, "model", kind->model) &&
           read_name(reader, row, "sound", kind->sound);
}

static bool read_kind(CraftyDataReader *reader, CraftyCreatureKinds *kinds,
                      const CraftyItems *items, json_t *row)
{
    static const char *const keys[] = {"name",
                                       "number",
                                       "title",
                                       "model",
                                       "sound",
                                       "medium",
                                       "hostile",
                                       "opens_doors",
                                       "size",
                                       "baby_scale",
                                       "eye",
                                       "health",
                                       "speed",
                                       "damage",
                                       "reach",
                                       "attack_seconds",
                                       "voice_seconds",
                                       "grow_seconds",
                                       "tame_chance",
                                       "foods",
                                       "gifts",
                                       "prey",
                                       "wool",
                                       "egg",
                                       "egg_seconds",
                                       "drops",
                                       "spawn",
                                       "behaviours",
                                       NULL};
    CraftyCreatureKind kind = {.baby_scale = 0.5f,
                               .eye = 0.85f,
                               .health = 10,
                               .speed = 1.5f,
                               .reach = 1,
                               .attack_seconds = 1,
                               .grow_seconds = 600,
                               .egg_seconds = 600};
    uint32_t medium = CRAFTY_MEDIUM_GROUND;
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a creature must be an object");
    if (kinds->count == CRAFTY_MAX_CREATURE_KINDS)
        return crafty_data_fail(reader, "there are more than %u kinds", CRAFTY_MAX_CREATURE_KINDS);
    if (!crafty_data_keys(reader, row, keys) || !read_names(reader, kinds, row, &kind) ||
        !crafty_data_word(reader, row, "medium", crafty_medium_words, CRAFTY_MEDIUM_COUNT,
                          &medium) ||
        !read_flag(reader, row, "hostile", &kind.is_hostile) ||
        !read_flag(reader, row, "opens_doors", &kind.opens_doors) ||
        !read_numbers(reader, row, &kind) ||
        !read_items(reader, items, row, "foods", kind.foods, &kind.food_count) ||
        !read_items(reader, items, row, "gifts", kind.gifts, &kind.gift_count) ||
        !read_prey(reader, kinds, row, &kind) ||
        !read_item(reader, items, row, "wool", &kind.wool) ||
        !read_item(reader, items, row, "egg", &kind.egg) ||
        !read_drops(reader, items, row, &kind) || !read_spawn(reader, row, &kind.spawn) ||
        !read_behaviours(reader, row, &kind))
        return false;
    kind.medium = (CraftyMedium)medium;
    kinds->kinds[kinds->count++] = kind;
    kinds->by_number[kind.number] = (uint8_t)kinds->count;
    return true;
}

static bool read_flowers(CraftyDataReader *reader, CraftyCreatureKinds *kinds,
                         const CraftyItems *items)
{
    json_t *array, *value;
    size_t i;
    bool good = true;
    if (!enter_array(reader, reader->root, "flowers", CN_BLOCK_MAX, &array, &good))
        return good;
    json_array_foreach(array, i, value)
    {
        CraftyItem item = CRAFTY_NO_ITEM;
        crafty_data_enter(reader, i, false);
        if (!find_item(reader, items, value, &item))
            return false;
        CnBlock block = crafty_items_block(items, item);
        kinds->flowers[block / 64] |= block ? 1ull << (block % 64) : 0;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool read_kinds(CraftyDataReader *reader, CraftyCreatureKinds *kinds,
                       const CraftyItems *items)
{
    json_t *array, *row;
    size_t i;
    bool good = true;
    if (!enter_array(reader, reader->root, "creatures", CRAFTY_MAX_CREATURE_KINDS, &array, &good))
        return good;
    json_array_foreach(array, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read_kind(reader, kinds, items, row))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

bool crafty_creature_kinds_read(CraftyCreatureKinds *kinds, const CraftyItems *items,
                                const char *file, CnText text, CnError *error)
{
    static const char *const keys[] = {"$schema", "flowers", "creatures", NULL};
    CraftyDataReader reader;
    if (!crafty_data_open(&reader, file, text, error))
        return false;
    bool good = crafty_data_keys(&reader, reader.root, keys) &&
                read_flowers(&reader, kinds, items) && read_kinds(&reader, kinds, items);
    crafty_data_close(&reader);
    return good;
}

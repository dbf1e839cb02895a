#include "weather_kinds.h"

#include "data_reader.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define ALL_BIOMES ((1u << CN_BIOME_COUNT) - 1)
#define NUMBERS (UINT8_MAX - CRAFTY_FIRST_WEATHER_NUMBER) /* 255 is no kind */
#define MAX_FOG 0.25 /* per meter: things 16 meters away are hidden */
#define FADE 0.5f    /* hours */

struct CraftyWeatherKinds {
    CnAllocator *allocator;
    CraftyWeatherKindInfo kinds[CRAFTY_MAX_WEATHER_KINDS];
    CraftySkyInfo skies[CRAFTY_MAX_SKIES];
    uint32_t kind_count, sky_count;
};

/* ---- Values ---- */

static bool read_float(CraftyDataReader *reader, json_t *row, const char *key, double high,
                       float *value)
{
    double number = (double)*value;
    if (!crafty_data_number(reader, row, key, 0, high, &number))
        return false;
    *value = (float)number;
    return true;
}

static bool read_name(CraftyDataReader *reader, json_t *row, char name[CRAFTY_WEATHER_NAME_BYTES])
{
    const char *text = NULL;
    if (!crafty_data_text(reader, row, "name", &text))
        return false;
    if (!text)
        return crafty_data_fail(reader, "\"name\" is missing");
    cn_copy_text(name, CRAFTY_WEATHER_NAME_BYTES, cn_text(text));
    return true;
}

static bool add_biome(CraftyDataReader *reader, json_t *value, uint32_t *biomes)
{
    const char *name = json_string_value(value);
    for (uint32_t i = 0; name && i < CN_BIOME_COUNT; i++)
        if (strcmp(cn_biome_name((CnBiome)i), name) == 0) {
            *biomes |= 1u << i;
            return true;
        }
    return crafty_data_fail(reader, "there is no biome of this name");
}

static bool read_biomes(CraftyDataReader *reader, json_t *row, uint32_t *biomes)
{
    json_t *list = json_object_get(row, "biomes"), *value;
    size_t i;
    *biomes = list ? 0 : ALL_BIOMES;
    if (!list)
        return true;
    crafty_data_enter_key(reader, row, "biomes");
    if (!json_is_array(list) || json_array_size(list) == 0)
        return crafty_data_fail(reader, "\"biomes\" must be a list of names");
    json_array_foreach(list, i, value)
    {
        crafty_data_enter(reader, i, false);
        if (!add_biome(reader, value, biomes))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* `count` numbers from 0 to `high`. */
static bool read_numbers(CraftyDataReader *reader, json_t *row, const char *key, uint32_t count,
                         double high, float *numbers)
{
    json_t *list = json_object_get(row, key);
    if (!list)
        return true;
    crafty_data_enter_key(reader, row, key);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        const double number = json_number_value(value);
        if (json_array_size(list) != count || !json_is_number(value) || number < 0 || number > high)
            return crafty_data_fail(reader, "\"%s\" must be %u numbers from 0 to %g", key, count,
                                    high);
        numbers[i] = (float)number;
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Rows ---- */

static bool read_kind(CraftyDataReader *reader, CraftyWeatherKinds *kinds, json_t *row)
{
    static const char *const keys[] = {"name", "biomes", "weight", "clouds",
                                       "fog",  "rain",   "snow",   NULL};
    CraftyWeatherKindInfo kind = {.cover = 0.5f};
    uint16_t weight = 1;
    uint32_t biomes;
    if (kinds->kind_count == CRAFTY_MAX_WEATHER_KINDS)
        return crafty_data_fail(reader, "there are more than %u kinds of weather",
                                CRAFTY_MAX_WEATHER_KINDS);
    if (!crafty_data_keys(reader, row, keys) || !read_name(reader, row, kind.name) ||
        !read_biomes(reader, row, &biomes) ||
        !crafty_data_whole(reader, row, "weight", 0, 100, &weight) ||
        !read_float(reader, row, "clouds", 1, &kind.cover) ||
        !read_float(reader, row, "fog", MAX_FOG, &kind.fog) ||
        !read_float(reader, row, "rain", 1, &kind.rain) ||
        !read_float(reader, row, "snow", 1, &kind.snow))
        return false;
    if (crafty_weather_kind_find(kinds, kind.name))
        return crafty_data_fail(reader, "there already is a weather \"%s\"", kind.name);
    for (uint32_t i = 0; i < CN_BIOME_COUNT; i++)
        kind.weights[i] = biomes >> i & 1 ? (uint8_t)weight : 0;
    uint32_t at = kinds->kind_count++; /* in the order of the names: that of mods does not matter */
    for (; at > 0 && strcmp(kinds->kinds[at - 1].name, kind.name) > 0; at--)
        kinds->kinds[at] = kinds->kinds[at - 1];
    kinds->kinds[at] = kind;
    return true;
}

static bool read_sky(CraftyDataReader *reader, CraftyWeatherKinds *kinds, json_t *row)
{
    static const char *const keys[] = {"name", "biomes", "hours", "light", "fog", "clouds", NULL};
    CraftySkyInfo sky = {.light = {1, 1, 1}, .clouds = 1};
    float hours[2] = {0, 24};
    if (kinds->sky_count == CRAFTY_MAX_SKIES)
        return crafty_data_fail(reader, "there are more than %u skies", CRAFTY_MAX_SKIES);
    if (!crafty_data_keys(reader, row, keys) || !read_name(reader, row, sky.name) ||
        !read_biomes(reader, row, &sky.biomes) ||
        !read_numbers(reader, row, "hours", 2, 24, hours) ||
        !read_numbers(reader, row, "light", 3, 2, sky.light) ||
        !read_float(reader, row, "fog", MAX_FOG, &sky.fog) ||
        !read_float(reader, row, "clouds", 4, &sky.clouds))
        return false;
    for (uint32_t i = 0; i < kinds->sky_count; i++)
        if (strcmp(kinds->skies[i].name, sky.name) == 0)
            return crafty_data_fail(reader, "there already is a sky \"%s\"", sky.name);
    sky.begin = hours[0];
    sky.end = hours[1];
    uint32_t at = kinds->sky_count++;
    for (; at > 0 && strcmp(kinds->skies[at - 1].name, sky.name) > 0; at--)
        kinds->skies[at] = kinds->skies[at - 1];
    kinds->skies[at] = sky;
    return true;
}

static bool read_rows(CraftyDataReader *reader, CraftyWeatherKinds *kinds, const char *key,
                      bool (*read)(CraftyDataReader *, CraftyWeatherKinds *, json_t *))
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
        if (!json_is_object(row))
            return crafty_data_fail(reader, "a table with named fields is expected");
        if (!read(reader, kinds, row))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Creation ---- */

/* In the order of the kinds, which is that of their names. */
static void set_numbers(CraftyWeatherKinds *kinds)
{
    for (uint32_t i = 0; i < kinds->kind_count; i++) {
        CraftyWeatherKindInfo *kind = &kinds->kinds[i];
        uint32_t number =
            (uint32_t)(cn_hash_bytes(kind->name, strlen(kind->name), 0x3EA7) % NUMBERS);
        while (crafty_weather_kind_of(kinds, CRAFTY_FIRST_WEATHER_NUMBER + number))
            number = (number + 1) % NUMBERS;
        kind->number = (uint8_t)(CRAFTY_FIRST_WEATHER_NUMBER + number);
    }
}

static bool read_text(CraftyWeatherKinds *kinds, const char *file, CnText text, CnError *error)
{
    static const char *const keys[] = {"$schema", "kinds", "skies", NULL};
    CraftyDataReader reader;
    if (text.size == 0)
        return true;
    if (!crafty_data_open(&reader, file, text, error))
        return false;
    bool good = crafty_data_keys(&reader, reader.root, keys) &&
                read_rows(&reader, kinds, "kinds", read_kind) &&
                read_rows(&reader, kinds, "skies", read_sky);
    crafty_data_close(&reader);
    if (good)
        set_numbers(kinds);
    return good;
}

CraftyWeatherKinds *crafty_weather_kinds_create(CnAllocator *allocator, const char *file,
                                                CnText text, CnError *error)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftyWeatherKinds *kinds = cn_alloc_zeroed(allocator, sizeof *kinds);
    if (!kinds) {
        cn_error_memory(error, "the weather");
        return NULL;
    }
    kinds->allocator = allocator;
    if (read_text(kinds, file, text, error))
        return kinds;
    crafty_weather_kinds_destroy(kinds);
    return NULL;
}

void crafty_weather_kinds_destroy(CraftyWeatherKinds *kinds)
{
    if (kinds)
        cn_free(kinds->allocator, kinds, sizeof *kinds);
}

/* ---- Queries ---- */

uint32_t crafty_weather_kinds_count(const CraftyWeatherKinds *kinds)
{
    return kinds ? kinds->kind_count : 0;
}

const CraftyWeatherKindInfo *crafty_weather_kind_at(const CraftyWeatherKinds *kinds, uint32_t index)
{
    return kinds && index < kinds->kind_count ? &kinds->kinds[index] : NULL;
}

const CraftyWeatherKindInfo *crafty_weather_kind_find(const CraftyWeatherKinds *kinds,
                                                      const char *name)
{
    for (uint32_t i = 0; kinds && i < kinds->kind_count; i++)
        if (strcmp(kinds->kinds[i].name, name) == 0)
            return &kinds->kinds[i];
    return NULL;
}

const CraftyWeatherKindInfo *crafty_weather_kind_of(const CraftyWeatherKinds *kinds,
                                                    uint32_t number)
{
    for (uint32_t i = 0; kinds && number && i < kinds->kind_count; i++)
        if (kinds->kinds[i].number == number)
            return &kinds->kinds[i];
    return NULL;
}

/* ---- Skies ---- */

/* Returns how much of a sky there is, 0 to 1. */
static float part_of(const CraftySkyInfo *sky, float hours)
{
    float length = sky->end - sky->begin, since = hours - sky->begin;
    length += length <= 0 ? 24 : 0;
    since += since < 0 ? 24 : 0;
    if (length >= 24)
        return 1;
    if (since >= length)
        return 0;
    float edge = since < length - since ? since : length - since;
    return edge < FADE ? edge / FADE : 1;
}

CraftySkyChange crafty_sky_change(const CraftyWeatherKinds *kinds, CnBiome biome, float hours)
{
    CraftySkyChange change = {.light = {1, 1, 1}, .clouds = 1};
    for (uint32_t i = 0; kinds && i < kinds->sky_count; i++) {
        const CraftySkyInfo *sky = &kinds->skies[i];
        const float part = sky->biomes >> biome & 1 ? part_of(sky, hours) : 0;
        for (uint32_t k = 0; k < 3; k++)
            change.light[k] *= 1 + (sky->light[k] - 1) * part;
        change.fog += sky->fog * part;
        change.clouds *= 1 + (sky->clouds - 1) * part;
    }
    return change;
}

bool crafty_has_skies(const CraftyWeatherKinds *kinds)
{
    return kinds && kinds->sky_count > 0;
}

static void add_number(uint64_t *hash, float number)
{
    *hash = cn_hash_bytes(&number, sizeof number, *hash);
}

uint64_t crafty_weather_kinds_hash(const CraftyWeatherKinds *kinds)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; kinds && i < kinds->kind_count; i++) {
        const CraftyWeatherKindInfo *kind = &kinds->kinds[i];
        const float numbers[] = {kind->cover, kind->fog, kind->rain, kind->snow};
        hash = cn_hash_bytes(kind->name, strlen(kind->name), hash);
        hash = cn_hash_bytes(kind->weights, sizeof kind->weights, hash);
        hash = cn_hash_bytes(numbers, sizeof numbers, hash);
    }
    for (uint32_t i = 0; kinds && i < kinds->sky_count; i++) {
        const CraftySkyInfo *sky = &kinds->skies[i];
        const float numbers[] = {sky->begin,    sky->end,      (float)sky->biomes, sky->light[0],
                                 sky->light[1], sky->light[2], sky->fog,           sky->clouds};
        hash = cn_hash_bytes(sky->name, strlen(sky->name), hash);
        for (uint32_t k = 0; k < CN_COUNT_OF(numbers); k++)
            add_number(&hash, numbers[k]);
    }
    return hash;
}

/* Reads the values of recipes. */
#include "recipe.h"

#include <stdio.h>
#include <string.h>

void reader_fail(Reader *reader, const char *what, const char *key)
{
    fprintf(stderr, "%s: %s: %s \"%s\"\n", reader->file, reader->name, what, key);
    reader->failed = true;
}

void reader_check_keys(Reader *reader, const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        reader_fail(reader, "expected an object with", known[0]);
        return;
    }
    json_object_foreach((json_t *)object, key, value)
    {
        uint32_t i = 0;
        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            reader_fail(reader, "unknown key", key);
    }
}

/* A number, or one drawn from [low, high]. */
static float draw(Reader *reader, const json_t *value, const char *key)
{
    if (json_is_number(value))
        return (float)json_number_value(value);
    const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
    if (json_array_size(value) == 2 && json_is_number(low) && json_is_number(high))
        return random_between(&reader->random, (float)json_number_value(low),
                              (float)json_number_value(high));
    reader_fail(reader, "expected a number or [low, high] for", key);
    return 0;
}

float reader_number_of(Reader *reader, const json_t *value, const char *key, float standard)
{
    return value ? draw(reader, value, key) : standard;
}

float reader_number(Reader *reader, const json_t *object, const char *key, float standard)
{
    return reader_number_of(reader, json_object_get(object, key), key, standard);
}

Curve reader_curve(Reader *reader, const json_t *object, const char *key, float standard)
{
    return reader_curve_of(reader, json_object_get(object, key), key, standard);
}

Curve reader_curve_of(Reader *reader, const json_t *value, const char *key, float standard)
{
    if (!value)
        return curve_constant(standard);
    if (!json_is_array(json_array_get(value, 0)))
        return curve_constant(draw(reader, value, key));
    Curve curve = {0};
    size_t count = json_array_size(value);
    if (count > CURVE_POINTS) {
        reader_fail(reader, "too many points in", key);
        count = CURVE_POINTS;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(value, i);
        if (json_array_size(point) != 2) {
            reader_fail(reader, "expected points [time, value] in", key);
            return curve_constant(standard);
        }
        curve.time[i] = draw(reader, json_array_get(point, 0), key);
        curve.value[i] = draw(reader, json_array_get(point, 1), key);
        if (i && curve.time[i] < curve.time[i - 1])
            reader_fail(reader, "times do not increase in", key);
    }
    curve.count = (uint32_t)count;
    return curve;
}

const char *reader_text(Reader *reader, const json_t *object, const char *key, const char *standard)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return standard;
    if (!json_is_string(value)) {
        reader_fail(reader, "expected a text for", key);
        return standard;
    }
    return json_string_value(value);
}

bool reader_flag(Reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        reader_fail(reader, "expected true or false for", key);
    return json_is_true(value);
}

uint32_t reader_choice(Reader *reader, const char *text, const char *const *choices)
{
    for (uint32_t i = 0; choices[i]; i++)
        if (strcmp(choices[i], text) == 0)
            return i;
    reader_fail(reader, "unknown name", text);
    return 0;
}

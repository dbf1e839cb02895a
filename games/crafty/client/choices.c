#include "choices.h"

#include "hints.h"

#include <cairn/base/json_location.h>
#include <cairn/base/json_size.h>

#include <jansson.h>
#include <stdlib.h>

/* ---- Messages ---- */

typedef struct Reader {
    CraftyChoices *choices;
    const char *name;
    CnText text;
    CnTextBuilder *problems;
    size_t member, nested; /* numbers of the current keys */
    bool is_nested;        /* inside "effects" */
    bool has_bad_value;
} Reader;

/* The keys of the file, in the order in which they are written; then those of the preferences. */
static const char *const keys[] = {"version", "quality", "effects", "viewDistance", "hintsDone"};

static void report_at(const Reader *reader, int line, int column, const char *message)
{
    char shown[CN_ERROR_MESSAGE_BYTES];
    cn_text_append_format(reader->problems, "%s:%d:%d: %s\n", reader->name, line, column,
                          cn_text_escape(cn_text(message), shown, sizeof shown));
}

CN_PRINTF_LIKE(2, 3)
static void report(const Reader *reader, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *end = reader->text.data + reader->text.size, *key;
    const char *at = cn_text_trim(reader->text).data;
    at = cn_json_find_child(at, end, reader->member, true, &key);
    if (reader->is_nested)
        cn_json_find_child(at, end, reader->nested, true, &key);
    int line, column;
    cn_text_line_column(reader->text, key, &line, &column);
    report_at(reader, line, column, message);
}

/* A value that is not valid is ignored. */
static void refuse(Reader *reader, const char *key, const char *wanted)
{
    reader->has_bad_value = true;
    report(reader, "\"%s\" must be %s; the value is ignored", key, wanted);
}

static const char *next_key(void *user)
{
    uint32_t *next = user, number = (*next)++;
    const CraftyPreference *preference = crafty_preference(number - (uint32_t)CN_COUNT_OF(keys));
    return number < CN_COUNT_OF(keys) ? keys[number] : preference ? preference->key : NULL;
}

static const char *next_effect(void *user)
{
    uint32_t *next = user;
    return crafty_effect_name((*next)++);
}

static void report_unknown(const Reader *reader, const char *what, const char *name,
                           const char *similar)
{
    if (similar)
        report(reader, "there is no %s \"%s\" (did you mean \"%s\"?); it is ignored", what, name,
               similar);
    else
        report(reader, "there is no %s \"%s\"; it is ignored", what, name);
}

/* ---- Reading ---- */

static bool read_quality(CraftyChoices *choices, const json_t *value)
{
    choices->has_quality =
        json_is_string(value) && crafty_quality_parse(json_string_value(value), &choices->quality);
    return choices->has_quality;
}

/* Returns false if the value is not valid. */
static bool read_value(const CraftyPreference *preference, const json_t *value, float *number)
{
    double given = json_number_value(value);
    switch (preference->kind) {
    case CRAFTY_PREFERENCE_FLAG:
        *number = json_is_true(value) ? 1 : 0;
        return json_is_boolean(value);
    case CRAFTY_PREFERENCE_NAME:
        for (uint32_t i = 0; json_is_string(value) && i < preference->name_count; i++)
            if (!strcmp(json_string_value(value), preference->names[i])) {
                *number = (float)i;
                return true;
            }
        return false;
    case CRAFTY_PREFERENCE_NUMBER:
        break;
    }
    *number = given >= 0 && given <= 1e6 ? (float)given : -1;
    return json_is_number(value) && *number >= preference->minimum &&
           *number <= preference->maximum;
}

static void read_preference(Reader *reader, uint32_t number, const json_t *value)
{
    const CraftyPreference *preference = crafty_preference(number);
    float given;
    if (!read_value(preference, value, &given)) {
        refuse(reader, preference->key, preference->wanted);
        return;
    }
    crafty_preference_set(&reader->choices->preferences, number, given);
    reader->choices->chosen |= UINT64_C(1) << number;
}

/* Returns 0 if there is no such effect. */
static uint32_t effect_bit(const char *name)
{
    for (uint32_t i = 0; crafty_effect_name(i); i++)
        if (!strcmp(name, crafty_effect_name(i)))
            return 1u << i;
    return 0;
}

static void read_effects(Reader *reader, json_t *object)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object)) {
        refuse(reader, "effects", "an object such as {\"clouds\": false}");
        return;
    }
    reader->is_nested = true;
    reader->nested = 0;
    json_object_foreach(object, name, value)
    {
        uint32_t bit = effect_bit(name), next = 0;
        if (!bit)
            report_unknown(reader, "effect", name, cn_text_most_similar(name, next_effect, &next));
        else if (!json_is_boolean(value))
            refuse(reader, name, "true or false");
        else if (json_is_true(value))
            reader->choices->effects_on |= bit;
        else
            reader->choices->effects_off |= bit;
        reader->nested++;
    }
    reader->is_nested = false;
}

/* Hints of other versions are ignored and not kept. */
static void read_hints(Reader *reader, const json_t *array)
{
    size_t i;
    json_t *value;
    uint32_t done = 0;
    bool are_names = json_is_array(array);
    json_array_foreach(array, i, value)
    {
        are_names &= json_is_string(value);
        for (uint32_t k = 0; json_is_string(value) && crafty_hint_name(k); k++)
            if (!strcmp(json_string_value(value), crafty_hint_name(k)))
                done |= 1u << k;
    }
    if (are_names)
        reader->choices->hints_done = done;
    else
        refuse(reader, "hintsDone", "an array of names such as [\"look\"]");
}

static void read_distance(Reader *reader, const json_t *value)
{
    json_int_t chunks = json_integer_value(value);
    if (json_is_integer(value) && chunks >= CRAFTY_MIN_DISTANCE && chunks <= CRAFTY_MAX_DISTANCE)
        reader->choices->view_distance = (uint32_t)chunks;
    else
        refuse(reader, "viewDistance", "a whole number of chunks from 2 to 40");
}

static void read_member(Reader *reader, const char *key, json_t *value)
{
    CraftyChoices *choices = reader->choices;
    uint32_t next = 0, preference = crafty_preference_find(key);
    if (!strcmp(key, "quality")) {
        if (!read_quality(choices, value))
            refuse(reader, key, "\"low\", \"medium\", \"high\" or \"ultra\"");
    } else if (!strcmp(key, "effects")) {
        read_effects(reader, value);
    } else if (!strcmp(key, "viewDistance")) {
        read_distance(reader, value);
    } else if (!strcmp(key, "hintsDone")) {
        read_hints(reader, value);
    } else if (preference != UINT32_MAX) {
        read_preference(reader, preference, value);
    } else if (strcmp(key, "version") != 0) {
        report_unknown(reader, "setting", key, cn_text_most_similar(key, next_key, &next));
    }
}

/* Returns NULL and a message if the text is too large or not JSON. */
static json_t *parse(CnText text, json_error_t *error)
{
    CnJsonSize size = cn_json_measure(text);
    if (text.size <= CRAFTY_CHOICES_MAX_BYTES && size.values <= CRAFTY_CHOICES_MAX_VALUES &&
        size.depth <= CRAFTY_CHOICES_MAX_DEPTH)
        return json_loadb(text.data ? text.data : "", text.size, JSON_REJECT_DUPLICATES, error);
    error->line = error->column = 1;
    cn_format(error->text, sizeof error->text,
              "the file has more than %u bytes, %u values or %u levels", CRAFTY_CHOICES_MAX_BYTES,
              CRAFTY_CHOICES_MAX_VALUES, CRAFTY_CHOICES_MAX_DEPTH);
    return NULL;
}

static bool is_readable(const Reader *reader, const json_t *root)
{
    const json_t *version = json_object_get(root, "version");
    char message[128];
    if (!json_is_object(root)) {
        report_at(reader, 1, 1, "the file must contain an object; all settings are ignored");
        return false;
    }
    if (json_is_integer(version) && json_integer_value(version) == CRAFTY_CHOICES_VERSION)
        return true;
    cn_format(message, sizeof message,
              "the file must contain \"version\": %d; all settings are ignored",
              CRAFTY_CHOICES_VERSION);
    report_at(reader, 1, 1, message);
    return false;
}

CraftyChoicesResult crafty_choices_read(CraftyChoices *choices, const char *name, CnText text,
                                        CnTextBuilder *problems)
{
    Reader reader = {.choices = choices, .name = name, .text = text, .problems = problems};
    json_error_t wrong = {.line = 1, .column = 1};
    *choices = (CraftyChoices){0};
    json_t *root = parse(text, &wrong);
    if (!root)
        report_at(&reader, wrong.line > 0 ? wrong.line : 1, wrong.column > 0 ? wrong.column : 1,
                  wrong.text);
    bool readable = root && is_readable(&reader, root);
    const char *key;
    json_t *value;
    if (readable)
        json_object_foreach(root, key, value)
        {
            read_member(&reader, key, value);
            reader.member++;
        }
    json_decref(root);
    return !readable              ? CRAFTY_CHOICES_DAMAGED
           : reader.has_bad_value ? CRAFTY_CHOICES_PARTLY
                                  : CRAFTY_CHOICES_FINE;
}

/* ---- Writing ---- */

static bool write_effects(const CraftyChoices *choices, CnTextBuilder *text)
{
    bool is_fine = cn_text_append(text, cn_text(",\n    \"effects\": {"));
    const char *separator = "";
    for (uint32_t i = 0; is_fine && crafty_effect_name(i); i++) {
        uint32_t bit = 1u << i;
        if (!((choices->effects_on | choices->effects_off) & bit))
            continue;
        is_fine = cn_text_append_format(text, "%s\"%s\": %s", separator, crafty_effect_name(i),
                                        choices->effects_on & bit ? "true" : "false");
        separator = ", ";
    }
    return is_fine && cn_text_append(text, cn_text("}"));
}

static bool write_preference(const CraftyPreferences *preferences, uint32_t number,
                             CnTextBuilder *text)
{
    const CraftyPreference *preference = crafty_preference(number);
    float value = crafty_preference_get(preferences, number);
    if (!cn_text_append_format(text, ",\n    \"%s\": ", preference->key))
        return false;
    switch (preference->kind) {
    case CRAFTY_PREFERENCE_FLAG:
        return cn_text_append(text, cn_text(value > 0 ? "true" : "false"));
    case CRAFTY_PREFERENCE_NAME:
        return cn_text_append_format(text, "\"%s\"", preference->names[(uint32_t)value]);
    case CRAFTY_PREFERENCE_NUMBER:
        break;
    }
    return cn_text_append_float(text, value);
}

static bool write_hints(uint32_t done, CnTextBuilder *text)
{
    bool is_fine = cn_text_append(text, cn_text(",\n    \"hintsDone\": ["));
    const char *separator = "";
    for (uint32_t i = 0; is_fine && crafty_hint_name(i); i++) {
        if (!(done >> i & 1))
            continue;
        is_fine = cn_text_append_format(text, "%s\"%s\"", separator, crafty_hint_name(i));
        separator = ", ";
    }
    return is_fine && cn_text_append(text, cn_text("]"));
}

static bool write_known(const CraftyChoices *choices, CnTextBuilder *text)
{
    bool is_fine =
        cn_text_append_format(text, "{\n    \"version\": %d", CRAFTY_CHOICES_VERSION) &&
        (!choices->has_quality || cn_text_append_format(text, ",\n    \"quality\": \"%s\"",
                                                        crafty_quality_name(choices->quality))) &&
        (!(choices->effects_on | choices->effects_off) || write_effects(choices, text)) &&
        (!choices->view_distance ||
         cn_text_append_format(text, ",\n    \"viewDistance\": %u", choices->view_distance));
    for (uint32_t i = 0; is_fine && crafty_preference(i); i++)
        if (choices->chosen >> i & 1)
            is_fine = write_preference(&choices->preferences, i, text);
    return is_fine && (!choices->hints_done || write_hints(choices->hints_done, text));
}

static bool is_known(const char *key)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        if (!strcmp(key, keys[i]))
            return true;
    return crafty_preference_find(key) != UINT32_MAX;
}

static bool append_json(CnTextBuilder *text, const json_t *value)
{
    char *dump = json_dumps(value, JSON_ENCODE_ANY);
    bool is_fine = dump && cn_text_append(text, cn_text(dump));
    free(dump);
    return is_fine;
}

static bool write_unknown(json_t *old, CnTextBuilder *text)
{
    const char *key;
    json_t *value;
    json_object_foreach(old, key, value)
    {
        if (is_known(key))
            continue;
        json_t *name = json_string(key);
        bool is_fine = name && cn_text_append(text, cn_text(",\n    ")) &&
                       append_json(text, name) && cn_text_append(text, cn_text(": ")) &&
                       append_json(text, value);
        json_decref(name);
        if (!is_fine)
            return false;
    }
    return true;
}

bool crafty_choices_write(const CraftyChoices *choices, CnText old, CnTextBuilder *text)
{
    json_error_t wrong;
    json_t *root = parse(old, &wrong);
    bool is_fine = write_known(choices, text) && write_unknown(root, text) &&
                   cn_text_append(text, cn_text("\n}\n"));
    json_decref(root);
    return is_fine;
}

/* ---- Use ---- */

void crafty_choices_apply(const CraftyChoices *choices, CraftySettings *settings)
{
    settings->effects = (settings->effects | choices->effects_on) & ~choices->effects_off;
    if (choices->view_distance)
        settings->view_distance = choices->view_distance;
}

CraftyPreferences crafty_choices_preferences(const CraftyChoices *choices)
{
    CraftyPreferences preferences = crafty_preferences_default();
    for (uint32_t i = 0; crafty_preference(i); i++)
        if (choices->chosen >> i & 1)
            crafty_preference_set(&preferences, i, crafty_preference_get(&choices->preferences, i));
    return preferences;
}

/* Returns whether one has changed. */
static bool note_preferences(CraftyChoices *choices, const CraftyPreferences *before,
                             const CraftyPreferences *after)
{
    bool has_changed = false;
    for (uint32_t i = 0; crafty_preference(i); i++) {
        float value = crafty_preference_get(after, i);
        if (value == crafty_preference_get(before, i))
            continue;
        has_changed = true;
        if (value == crafty_preference(i)->standard)
            choices->chosen &= ~(UINT64_C(1) << i);
        else
            choices->chosen |= UINT64_C(1) << i;
        crafty_preference_set(&choices->preferences, i, value);
    }
    return has_changed;
}

bool crafty_choices_note(CraftyChoices *choices, const CraftyTuning *before,
                         const CraftyTuning *after)
{
    CraftyTuning from = *before;
    CraftyChoices was = *choices;
    if (after->quality != before->quality) { /* which resets the rest */
        CraftySettings level = crafty_settings(after->quality);
        choices->has_quality = true;
        choices->quality = after->quality;
        choices->effects_on = choices->effects_off = choices->view_distance = 0;
        from.effects = level.effects;
        from.view_distance = level.view_distance;
    }
    uint32_t changed = from.effects ^ after->effects;
    choices->effects_on = (choices->effects_on & ~changed) | (changed & after->effects);
    choices->effects_off = (choices->effects_off & ~changed) | (changed & ~after->effects);
    if (after->view_distance != from.view_distance)
        choices->view_distance = after->view_distance;
    return note_preferences(choices, &before->preferences, &after->preferences) ||
           was.has_quality != choices->has_quality || was.quality != choices->quality ||
           was.effects_on != choices->effects_on || was.effects_off != choices->effects_off ||
           was.view_distance != choices->view_distance;
}

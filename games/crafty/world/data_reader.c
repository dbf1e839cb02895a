#include "data_reader.h"

#include <cairn/base/assert.h>
#include <cairn/base/json_location.h>
#include <cairn/base/json_size.h>

#include <string.h>

/* ---- Opening ---- */

bool crafty_data_open(CraftyDataReader *reader, const char *file, CnText text, CnError *error)
{
    *reader = (CraftyDataReader){.file = file, .text = text, .error = error};
    CnJsonSize size = cn_json_measure(text);
    if (text.size > CRAFTY_DATA_MAX_BYTES || size.values > CRAFTY_DATA_MAX_VALUES ||
        size.depth > CRAFTY_DATA_MAX_DEPTH)
        return cn_error_set_at(error, CN_ERROR_LIMIT, file, 1, 1,
                               "the file is too large; at most %u bytes, %u values and %u levels "
                               "are read",
                               CRAFTY_DATA_MAX_BYTES, CRAFTY_DATA_MAX_VALUES,
                               CRAFTY_DATA_MAX_DEPTH);
    json_error_t wrong;
    reader->root = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, &wrong);
    if (!reader->root && json_error_code(&wrong) == json_error_out_of_memory)
        return cn_error_memory(error, "%s", file);
    if (!reader->root)
        return cn_error_set_at(error, CN_ERROR_FORMAT, file, wrong.line, wrong.column, "%s",
                               wrong.text);
    if (json_is_object(reader->root))
        return true;
    crafty_data_fail(reader, "the file must be an object");
    crafty_data_close(reader);
    return false;
}

void crafty_data_close(CraftyDataReader *reader)
{
    json_decref(reader->root);
    reader->root = NULL;
}

/* ---- Positions ---- */

void crafty_data_enter(CraftyDataReader *reader, size_t number, bool in_object)
{
    CN_ASSERT(reader->depth < CN_COUNT_OF(reader->steps), "the formats have fewer levels");
    reader->steps[reader->depth++] = (CraftyDataStep){number, in_object};
}

void crafty_data_leave(CraftyDataReader *reader)
{
    CN_ASSERT(reader->depth > 0, "nothing was entered");
    reader->depth--;
}

#define ITSELF SIZE_MAX

void crafty_data_enter_key(CraftyDataReader *reader, json_t *object, const char *key)
{
    size_t number = 0;
    const char *each;
    json_t *value;
    json_object_foreach(object, each, value)
    {
        if (strcmp(each, key) == 0) {
            crafty_data_enter(reader, number, true);
            return;
        }
        number++;
    }
    crafty_data_enter(reader, ITSELF, true);
}

static const char *locate(const CraftyDataReader *reader)
{
    const char *end = reader->text.data + reader->text.size;
    const char *at = cn_text_trim(reader->text).data;
    for (uint32_t i = 0; i < reader->depth; i++)
        if (reader->steps[i].number != ITSELF)
            at = cn_json_find_child(at, end, reader->steps[i].number, reader->steps[i].in_object,
                                    NULL);
    return at;
}

bool crafty_data_fail(CraftyDataReader *reader, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    int line, column;
    cn_text_line_column(reader->text, locate(reader), &line, &column);
    return cn_error_set_at(reader->error, CN_ERROR_FORMAT, reader->file, line, column, "%s",
                           message);
}

bool crafty_data_fail_with(CraftyDataReader *reader, const CnError *cause)
{
    if (cause->code == CN_ERROR_MEMORY)
        return cn_error_set(reader->error, CN_ERROR_MEMORY, "%s", cause->message);
    return crafty_data_fail(reader, "%s", cause->message);
}

/* ---- Names ---- */

static const char *next_of_list(void *user)
{
    const char *const **names = user;
    return **names ? *(*names)++ : NULL;
}

bool crafty_data_keys(CraftyDataReader *reader, json_t *object, const char *const *keys)
{
    size_t number = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool is_known = false;
        for (uint32_t i = 0; keys[i]; i++)
            is_known = is_known || strcmp(keys[i], key) == 0;
        if (!is_known) {
            const char *const *cursor = keys;
            const char *similar = cn_text_most_similar(key, next_of_list, &cursor);
            char escaped[CRAFTY_ITEM_NAME_BYTES];
            cn_text_escape(cn_text(key), escaped, sizeof escaped);
            crafty_data_enter(reader, number, true);
            return similar
                       ? crafty_data_fail(reader, "there is no key \"%s\" (did you mean \"%s\"?)",
                                          escaped, similar)
                       : crafty_data_fail(reader, "there is no key \"%s\"", escaped);
        }
        number++;
    }
    return true;
}

typedef struct ItemCursor {
    const CraftyItems *items;
    uint32_t next;
} ItemCursor;

static const char *next_item(void *user)
{
    ItemCursor *cursor = user;
    if (cursor->next == crafty_items_count(cursor->items))
        return NULL;
    return crafty_items_info(cursor->items, crafty_items_at(cursor->items, cursor->next++))->name;
}

bool crafty_data_fail_item(CraftyDataReader *reader, const CraftyItems *items, const char *name)
{
    char escaped[2 * CRAFTY_ITEM_NAME_BYTES];
    cn_text_escape(cn_text(name), escaped, sizeof escaped);
    const char *similar = cn_text_most_similar(name, next_item, &(ItemCursor){items, 0});
    return similar ? crafty_data_fail(reader, "there is no item \"%s\" (did you mean \"%s\"?)",
                                      escaped, similar)
                   : crafty_data_fail(reader, "there is no item \"%s\"", escaped);
}

/* ---- Members ---- */

bool crafty_data_number(CraftyDataReader *reader, json_t *object, const char *key, double low,
                        double high, double *number)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    double read = json_number_value(value);
    if (json_is_number(value) && read >= low && read <= high) {
        *number = read;
        return true;
    }
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(reader, "\"%s\" must be a number from %g to %g", key, low, high);
}

bool crafty_data_whole(CraftyDataReader *reader, json_t *object, const char *key, uint32_t low,
                       uint32_t high, uint16_t *number)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    json_int_t read = json_integer_value(value);
    if (json_is_integer(value) && read >= low && read <= high) {
        *number = (uint16_t)read;
        return true;
    }
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(reader, "\"%s\" must be a whole number from %u to %u", key, low, high);
}

bool crafty_data_text(CraftyDataReader *reader, json_t *object, const char *key, const char **text)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    const char *read = json_string_value(value);
    if (read && *read && strlen(read) == json_string_length(value) &&
        strlen(read) < CRAFTY_ITEM_NAME_BYTES) {
        *text = read;
        return true;
    }
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(reader, "\"%s\" must be a text of 1 to %u bytes", key,
                            CRAFTY_ITEM_NAME_BYTES - 1);
}

bool crafty_data_word(CraftyDataReader *reader, json_t *object, const char *key,
                      const char *const *words, uint32_t count, uint32_t *index)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    const char *read = json_string_value(value);
    for (uint32_t i = 0; read && i < count; i++)
        if (strcmp(words[i], read) == 0) {
            *index = i;
            return true;
        }
    char known[256] = "";
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(known);
        cn_format(known + length, sizeof known - length, "%s%s", i ? ", " : "", words[i]);
    }
    crafty_data_enter_key(reader, object, key);
    return crafty_data_fail(reader, "\"%s\" must be one of %s", key, known);
}

/* ---- Patterns ---- */

bool crafty_pattern_match(const char *pattern, const char *name, CnText *star)
{
    const char *at = strchr(pattern, '*');
    size_t size = strlen(name), tail = at ? strlen(at + 1) : 0;
    size_t head = at ? (size_t)(at - pattern) : size;
    *star = (CnText){name, size};
    if (!at)
        return strcmp(pattern, name) == 0;
    if (size <= head + tail || memcmp(pattern, name, head) != 0 ||
        memcmp(at + 1, name + size - tail, tail) != 0)
        return false;
    *star = (CnText){name + head, size - head - tail};
    return true;
}

bool crafty_pattern_expand(const char *pattern, CnText star, char name[CRAFTY_ITEM_NAME_BYTES])
{
    const char *at = strchr(pattern, '*');
    if (!at)
        return cn_copy_text(name, CRAFTY_ITEM_NAME_BYTES, cn_text(pattern));
    return cn_format(name, CRAFTY_ITEM_NAME_BYTES, "%.*s%.*s%s", (int)(at - pattern), pattern,
                     (int)star.size, star.data, at + 1);
}

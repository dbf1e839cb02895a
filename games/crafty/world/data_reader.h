/*
 * Reading the data of the game: JSON texts about items, recipes and blocks. Errors name the file,
 * the line and the key.
 *
 *     CraftyDataReader reader;
 *     if (crafty_data_open(&reader, "items.json", text, &error)) {
 *         ... crafty_data_enter, crafty_data_number, crafty_data_fail, crafty_data_leave ...
 *         crafty_data_close(&reader);
 *     }
 *
 * The texts may come from mods, so nothing about them is trusted: size, depth and number of values
 * are limited before a text is parsed.
 */
#ifndef CRAFTY_WORLD_DATA_READER_H
#define CRAFTY_WORLD_DATA_READER_H

#include "items.h"

#include <jansson.h>

#define CRAFTY_DATA_MAX_BYTES (1u << 20)
#define CRAFTY_DATA_MAX_VALUES 100000u
#define CRAFTY_DATA_MAX_DEPTH 8u

typedef struct CraftyDataStep {
    size_t number;
    bool in_object;
} CraftyDataStep;

typedef struct CraftyDataReader {
    const char *file;
    CnText text;
    CnError *error;
    json_t *root; /* an object */
    CraftyDataStep steps[CRAFTY_DATA_MAX_DEPTH + 1];
    uint32_t depth;
} CraftyDataReader;

/* Returns false and an error if the text is too large, not JSON or not an object. `file` and `text`
 * must stay valid until the reader is closed. */
bool crafty_data_open(CraftyDataReader *reader, const char *file, CnText text, CnError *error);
void crafty_data_close(CraftyDataReader *reader);

/* Enters the member or element with this number, in the order of the text; crafty_data_fail then
 * reports its position. */
void crafty_data_enter(CraftyDataReader *reader, size_t number, bool in_object);
void crafty_data_leave(CraftyDataReader *reader);
/* Like crafty_data_enter, by key. A key that does not exist leads to the object itself. */
void crafty_data_enter_key(CraftyDataReader *reader, json_t *object, const char *key);

/* Return false and set the error with file, line and column of the current value. */
bool crafty_data_fail(CraftyDataReader *reader, const char *format, ...) CN_PRINTF_LIKE(2, 3);
/* The same for an error that something else reported; a lack of memory stays one. */
bool crafty_data_fail_with(CraftyDataReader *reader, const CnError *cause);
/* Checks that an object has no other keys than those of the list, which ends with NULL. */
bool crafty_data_keys(CraftyDataReader *reader, json_t *object, const char *const *keys);
/* Reports a name that does not exist, with the most similar item. */
bool crafty_data_fail_item(CraftyDataReader *reader, const CraftyItems *items, const char *name);

/* Members of an object. The value stays unchanged if there is no such key. Return false and an
 * error if it is of the wrong kind or out of range. */
bool crafty_data_number(CraftyDataReader *reader, json_t *object, const char *key, double low,
                        double high, double *number);
bool crafty_data_whole(CraftyDataReader *reader, json_t *object, const char *key, uint32_t low,
                       uint32_t high, uint16_t *number);
bool crafty_data_text(CraftyDataReader *reader, json_t *object, const char *key, const char **text);
/* Stores the index of the word in `words`. */
bool crafty_data_word(CraftyDataReader *reader, json_t *object, const char *key,
                      const char *const *words, uint32_t count, uint32_t *index);

/* Names with one '*', which stands for at least one character. */

/* Returns whether the name fits the pattern, and stores what the star stands for: the whole name if
 * the pattern has none. */
bool crafty_pattern_match(const char *pattern, const char *name, CnText *star);
/* Replaces the star by a text. Returns false if the name is too long. */
bool crafty_pattern_expand(const char *pattern, CnText star, char name[CRAFTY_ITEM_NAME_BYTES]);

#endif

/*
 * Positions of values in a JSON text that was parsed without an error. Readers parse with a JSON
 * library, which does not keep positions, and compute the position of a value only when they
 * report an error in it.
 *
 *     CnText text = cn_text("{\"size\": [1, 2]}");
 *     const char *end = text.data + text.size;
 *     const char *list = cn_json_find_child(text.data, end, 0, true, NULL);
 *     const char *second = cn_json_find_child(list, end, 1, false, NULL);
 *     int line, column;
 *     cn_text_line_column(text, second, &line, &column);      // 1, 14
 *
 * The functions are pure and never read at or beyond `end`, whatever the text.
 */
#ifndef CAIRN_BASE_JSON_LOCATION_H
#define CAIRN_BASE_JSON_LOCATION_H

#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

/* Returns the position of a member or an element of the value at `at`, which is an object if
 * `in_object` is set and an array otherwise. `number` counts from 0 in the order of the text.
 * Stores the position of its key, or of the element, in *key, unless `key` is NULL. Returns the
 * last position reached if there are fewer members. */
CN_API const char *cn_json_find_child(const char *at, const char *end, size_t number,
                                      bool in_object, const char **key);
/* Returns the position behind the value at `at`. */
CN_API const char *cn_json_skip_value(const char *at, const char *end);

CN_EXTERN_C_END

#endif

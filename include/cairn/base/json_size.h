/*
 * The size of a JSON text, measured before it is parsed. A JSON library can take 75 bytes of
 * memory for each byte of a text such as "[{},{},{}]", and recurses for each level. Readers measure
 * texts from outside first and refuse those that exceed their limits.
 *
 *     CnText text = cn_text("{\"size\": [1, 2]}");
 *     CnJsonSize size = cn_json_measure(text);
 *     if (size.depth > 64 || size.values > 1000)          // 2 levels, 4 values
 *         cn_error_set(&error, CN_ERROR_LIMIT, "more than 64 levels or 1000 values");
 */
#ifndef CAIRN_BASE_JSON_SIZE_H
#define CAIRN_BASE_JSON_SIZE_H

#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

/* Of a valid text; upper bounds for what a parser reads of another. */
typedef struct CnJsonSize {
    uint64_t values; /* of all kinds, the text itself included */
    /* An upper bound of the memory for the values without the characters of strings and keys, for
     * jansson on a machine of 64 bits. */
    uint64_t tree_bytes;
    uint32_t depth; /* of nested objects and arrays */
} CnJsonSize;

/* Reads the text once and allocates nothing. Pure. */
CN_API CnJsonSize cn_json_measure(CnText text);

CN_EXTERN_C_END

#endif

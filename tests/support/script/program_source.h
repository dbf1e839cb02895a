/*
 * A program in Lua that is made of bytes: each byte chooses what is appended next, and without
 * bytes it is the first choice.
 *
 *     static ProgramSource source;
 *     program_begin(&source, bytes, size);
 *     PROGRAM_PUT_ONE_OF(&source, statements);
 *     program_close(&source, " end\n");
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_PROGRAM_SOURCE_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_PROGRAM_SOURCE_H

#include <cairn/base/api.h>

#include <stdint.h>
#include <string.h>

#define PROGRAM_CLOSE_BYTES 256u /* that only program_close uses */

typedef struct ProgramSource {
    const uint8_t *bytes;
    size_t size, at, used;
    char code[16384];
} ProgramSource;

static inline void program_begin(ProgramSource *source, const uint8_t *bytes, size_t size)
{
    source->bytes = bytes;
    source->size = size;
    source->at = source->used = 0;
    source->code[0] = 0;
}

/* Returns a number below n. */
static inline uint32_t program_pick(ProgramSource *source, uint32_t n)
{
    return source->at < source->size ? source->bytes[source->at++] % n : 0;
}

/* Appends text, unless the program is too long. */
static inline void program_put(ProgramSource *source, const char *text)
{
    size_t size = strlen(text);
    if (source->used + size + PROGRAM_CLOSE_BYTES >= sizeof source->code)
        return;
    memcpy(source->code + source->used, text, size + 1);
    source->used += size;
}

/* Appends what ends a block, also of a long program. */
static inline void program_close(ProgramSource *source, const char *text)
{
    size_t size = strlen(text);
    if (source->used + size >= sizeof source->code)
        return;
    memcpy(source->code + source->used, text, size + 1);
    source->used += size;
}

#define PROGRAM_PUT_ONE_OF(source, list)                                                           \
    program_put(source, (list)[program_pick(source, (uint32_t)CN_COUNT_OF(list))])

#endif

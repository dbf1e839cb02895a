/*
 * Lua's patterns, matched with a count of steps: an unlucky pattern takes time that grows with the size
 * of the text to the power of its repetitions, and Lua's own matcher cannot be stopped.
 */
#ifndef CAIRN_SCRIPT_PATTERN_H
#define CAIRN_SCRIPT_PATTERN_H

#include <cairn/base/text.h>
#include <lua.h>

#define CNI_MAX_CAPTURES 32u

typedef struct CniCapture {
    const char *start;
    ptrdiff_t size; /* or one of these */
} CniCapture;
enum { CNI_CAPTURE_OPEN = -1, CNI_CAPTURE_PLACE = -2 };

typedef struct CniPatternMatch {
    lua_State *lua; /* counts, and gets errors */
    const char *text, *text_end, *pattern_end;
    uint32_t depth, steps;
    uint32_t capture_count;
    CniCapture captures[CNI_MAX_CAPTURES];
} CniPatternMatch;

void cni_match_init(CniPatternMatch *match, lua_State *lua, CnText text, CnText pattern);
/* Where a match that begins at `at` ends; NULL: there is none. Throws for a bad pattern. */
const char *cni_match_at(CniPatternMatch *match, const char *at, const char *pattern);
/* Pushes one capture; of the first, the whole match when the pattern has none. */
void cni_push_capture(CniPatternMatch *match, uint32_t index, const char *start, const char *end);
/* Pushes all of them, at least one; returns how many. */
int cni_push_captures(CniPatternMatch *match, const char *start, const char *end);

#endif

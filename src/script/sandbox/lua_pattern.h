/*
 * Lua's patterns, matched with a step count: the time of a bad pattern grows with the size of the
 * text to the power of its repetitions, and Lua's own matcher cannot be interrupted.
 */
#ifndef CAIRN_SRC_SCRIPT_SANDBOX_LUA_PATTERN_H
#define CAIRN_SRC_SCRIPT_SANDBOX_LUA_PATTERN_H

#include <cairn/base/text.h>
#include <lua.h>

#define CNI_SCRIPT_MAX_CAPTURES 32u

typedef struct CniScriptCapture {
    const char *start;
    ptrdiff_t size; /* or one of these constants */
} CniScriptCapture;
enum { CNI_SCRIPT_CAPTURE_OPEN = -1, CNI_SCRIPT_CAPTURE_PLACE = -2 };

typedef struct CniScriptPatternMatch {
    lua_State *lua; /* is charged, and receives errors */
    const char *text, *text_end, *pattern_end;
    uint32_t depth, steps;
    uint32_t capture_count;
    CniScriptCapture captures[CNI_SCRIPT_MAX_CAPTURES];
} CniScriptPatternMatch;

void cni_script_pattern_init(CniScriptPatternMatch *match, lua_State *lua, CnText text,
                             CnText pattern);
/* Returns the end of a match that begins at `at`; NULL if there is none. Throws for an invalid
 * pattern. */
const char *cni_script_pattern_match_at(CniScriptPatternMatch *match, const char *at,
                                        const char *pattern);
/* Pushes a capture; if the pattern has none, the first is the whole match. */
void cni_script_pattern_push_capture(CniScriptPatternMatch *match, uint32_t index,
                                     const char *start, const char *end);
/* Pushes all captures, at least one; returns their number. */
int cni_script_pattern_push_captures(CniScriptPatternMatch *match, const char *start,
                                     const char *end);

#endif

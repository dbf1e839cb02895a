#include "script/sandbox/lua_pattern.h"

#include "script/script_internal.h"

#include <lauxlib.h>

#define MAX_DEPTH 200u
#define STEPS_PER_CHARGE 128u
#define STEP_COST 4u /* cost of a step in instructions */

void cni_script_pattern_init(CniScriptPatternMatch *match, lua_State *lua, CnText text,
                             CnText pattern)
{
    match->lua = lua;
    match->text = text.data;
    match->text_end = text.data + text.size;
    match->pattern_end = pattern.data + pattern.size;
    match->depth = match->steps = match->capture_count = 0;
}

static void step(CniScriptPatternMatch *match)
{
    if (++match->steps < STEPS_PER_CHARGE)
        return;
    match->steps = 0;
    cni_script_budget_charge(match->lua, STEPS_PER_CHARGE * STEP_COST);
}

/* ---- Single characters ---- */

static bool in_range(uint32_t c, uint32_t low, uint32_t high)
{
    return c >= low && c <= high;
}

static bool is_letter(uint32_t c)
{
    return in_range(c | 32, 'a', 'z');
}

/* As in the C locale, whatever the process has set. */
static bool in_class(uint32_t c, uint32_t name)
{
    bool inside;
    switch (name | 32) {
    case 'a':
        inside = is_letter(c);
        break;
    case 'c':
        inside = c < 32 || c == 127;
        break;
    case 'd':
        inside = in_range(c, '0', '9');
        break;
    case 'g':
        inside = in_range(c, 33, 126);
        break;
    case 'l':
        inside = in_range(c, 'a', 'z');
        break;
    case 'p':
        inside = in_range(c, 33, 126) && !is_letter(c) && !in_range(c, '0', '9');
        break;
    case 's':
        inside = c == ' ' || in_range(c, 9, 13);
        break;
    case 'u':
        inside = in_range(c, 'A', 'Z');
        break;
    case 'w':
        inside = is_letter(c) || in_range(c, '0', '9');
        break;
    case 'x':
        inside = in_range(c, '0', '9') || in_range(c | 32, 'a', 'f');
        break;
    case 'z':
        inside = c == 0;
        break;
    default:
        return name == c;
    }
    return in_range(name, 'A', 'Z') ? !inside : inside;
}

static uint32_t byte_at(const char *at)
{
    return (unsigned char)*at;
}

/* Returns the end of the single character, class or set that begins here. */
static const char *end_of_item(CniScriptPatternMatch *match, const char *pattern)
{
    uint32_t c = byte_at(pattern++);
    if (c == '%') {
        if (pattern == match->pattern_end)
            luaL_error(match->lua, "malformed pattern (ends with '%%')");
        return pattern + 1;
    }
    if (c != '[')
        return pattern;
    if (pattern < match->pattern_end && *pattern == '^')
        pattern++;
    /* A ']' at the beginning belongs to the set. */
    for (bool first = true; first || pattern == match->pattern_end || *pattern != ']';
         first = false) {
        step(match);
        if (pattern == match->pattern_end)
            luaL_error(match->lua, "malformed pattern (missing ']')");
        if (*pattern++ == '%' && pattern < match->pattern_end)
            pattern++;
    }
    return pattern + 1;
}

/* From '[' to ']'. */
static bool in_set(CniScriptPatternMatch *match, uint32_t c, const char *set, const char *set_end)
{
    bool wanted = true;
    if (*++set == '^') {
        wanted = false;
        set++;
    }
    for (bool first = true; set < set_end && (first || *set != ']'); first = false) {
        step(match);
        if (*set == '%' && set + 1 < set_end) {
            if (in_class(c, byte_at(set + 1)))
                return wanted;
            set += 2;
        } else if (set + 2 < set_end && set[1] == '-') {
            if (in_range(c, byte_at(set), byte_at(set + 2)))
                return wanted;
            set += 3;
        } else if (byte_at(set++) == c) {
            return wanted;
        }
    }
    return !wanted;
}

static bool matches_item(CniScriptPatternMatch *match, const char *at, const char *item,
                         const char *item_end)
{
    step(match);
    if (at >= match->text_end)
        return false;
    uint32_t c = byte_at(at);
    switch (*item) {
    case '.':
        return true;
    case '%':
        return in_class(c, byte_at(item + 1));
    case '[':
        return in_set(match, c, item, item_end - 1);
    default:
        return byte_at(item) == c;
    }
}

/* ---- Items longer than a character ---- */

static const char *match_balanced(CniScriptPatternMatch *match, const char *at, const char *pattern)
{
    if (match->pattern_end - pattern < 2)
        luaL_error(match->lua, "malformed pattern (missing arguments to '%%b')");
    if (at >= match->text_end || *at != pattern[0])
        return NULL;
    size_t open = 1;
    while (++at < match->text_end) {
        step(match);
        if (*at == pattern[1]) {
            if (--open == 0)
                return at + 1;
        } else if (*at == pattern[0]) {
            open++;
        }
    }
    return NULL;
}

static const char *match_again(CniScriptPatternMatch *match, const char *at, uint32_t name)
{
    uint32_t index = name - '1';
    if (index >= match->capture_count || match->captures[index].size == CNI_SCRIPT_CAPTURE_OPEN)
        luaL_error(match->lua, "invalid capture index in a pattern");
    const CniScriptCapture *capture = &match->captures[index];
    if (capture->size == CNI_SCRIPT_CAPTURE_PLACE)
        return NULL;
    size_t size = (size_t)capture->size;
    cni_script_budget_charge(match->lua, size / 16);
    if ((size_t)(match->text_end - at) < size || memcmp(capture->start, at, size) != 0)
        return NULL;
    return at + size;
}

/* Matches the frontier of a set: the previous character is outside and this one inside. */
static const char *match_frontier(CniScriptPatternMatch *match, const char *at, const char *set,
                                  const char *end)
{
    uint32_t before = at == match->text ? 0 : byte_at(at - 1);
    uint32_t here = at == match->text_end ? 0 : byte_at(at);
    return !in_set(match, before, set, end - 1) && in_set(match, here, set, end - 1) ? at : NULL;
}

static const char *match_open(CniScriptPatternMatch *match, const char *at, const char *pattern,
                              ptrdiff_t kind)
{
    if (match->capture_count == CNI_SCRIPT_MAX_CAPTURES)
        luaL_error(match->lua, "too many captures");
    match->captures[match->capture_count++] = (CniScriptCapture){at, kind};
    const char *end = cni_script_pattern_match_at(match, at, pattern);
    if (!end)
        match->capture_count--;
    return end;
}

static const char *match_close(CniScriptPatternMatch *match, const char *at, const char *pattern)
{
    uint32_t index = match->capture_count;
    while (index > 0 && match->captures[index - 1].size != CNI_SCRIPT_CAPTURE_OPEN)
        index--;
    if (index == 0)
        luaL_error(match->lua, "invalid pattern capture");
    match->captures[index - 1].size = at - match->captures[index - 1].start;
    const char *end = cni_script_pattern_match_at(match, at, pattern);
    if (!end)
        match->captures[index - 1].size = CNI_SCRIPT_CAPTURE_OPEN;
    return end;
}

/* Matches as many as possible, then fewer. */
static const char *match_most(CniScriptPatternMatch *match, const char *at, const char *item,
                              const char *end, ptrdiff_t least)
{
    ptrdiff_t count = 0;
    while (matches_item(match, at + count, item, end))
        count++;
    for (; count >= least; count--) {
        step(match);
        const char *found = cni_script_pattern_match_at(match, at + count, end + 1);
        if (found)
            return found;
    }
    return NULL;
}

/* Matches as few as possible. */
static const char *match_least(CniScriptPatternMatch *match, const char *at, const char *item,
                               const char *end)
{
    for (;; at++) {
        const char *found = cni_script_pattern_match_at(match, at, end + 1);
        if (found)
            return found;
        if (!matches_item(match, at, item, end))
            return NULL;
    }
}

/* ---- Whole patterns ---- */

/* Matches an item that begins with '%' and is not a class, and advances *pattern. Returns false for
 * a class. */
static bool match_special(CniScriptPatternMatch *match, const char **at, const char **pattern)
{
    const char *p = *pattern;
    if (p + 1 >= match->pattern_end)
        return false;
    if (p[1] == 'b') {
        *at = match_balanced(match, *at, p + 2);
        *pattern = p + 4;
        return true;
    }
    if (p[1] == 'f') {
        if (p + 2 >= match->pattern_end || p[2] != '[')
            luaL_error(match->lua, "missing '[' after '%%f' in pattern");
        *pattern = end_of_item(match, p + 2);
        *at = match_frontier(match, *at, p + 2, *pattern);
        return true;
    }
    if (in_range(byte_at(p + 1), '0', '9')) {
        *at = match_again(match, *at, byte_at(p + 1));
        *pattern = p + 2;
        return true;
    }
    return false;
}

static const char *match_here(CniScriptPatternMatch *match, const char *at, const char *pattern)
{
    while (at && pattern < match->pattern_end) {
        step(match);
        if (*pattern == '(') {
            bool place = pattern + 1 < match->pattern_end && pattern[1] == ')';
            return match_open(match, at, pattern + 1 + place,
                              place ? CNI_SCRIPT_CAPTURE_PLACE : CNI_SCRIPT_CAPTURE_OPEN);
        }
        if (*pattern == ')')
            return match_close(match, at, pattern + 1);
        if (*pattern == '$' && pattern + 1 == match->pattern_end)
            return at == match->text_end ? at : NULL;
        if (*pattern == '%' && match_special(match, &at, &pattern))
            continue;
        const char *end = end_of_item(match, pattern);
        char how_often = end < match->pattern_end ? *end : 0;
        if (how_often == '*' || how_often == '+')
            return match_most(match, at, pattern, end, how_often == '+');
        if (how_often == '-')
            return match_least(match, at, pattern, end);
        bool one = matches_item(match, at, pattern, end);
        if (how_often == '?') {
            const char *found = one ? cni_script_pattern_match_at(match, at + 1, end + 1) : NULL;
            if (found)
                return found;
            pattern = end + 1;
            continue;
        }
        at = one ? at + 1 : NULL;
        pattern = end;
    }
    return at;
}

const char *cni_script_pattern_match_at(CniScriptPatternMatch *match, const char *at,
                                        const char *pattern)
{
    if (++match->depth > MAX_DEPTH)
        luaL_error(match->lua, "pattern too complex");
    const char *end = match_here(match, at, pattern);
    match->depth--;
    return end;
}

/* ---- Captures ---- */

void cni_script_pattern_push_capture(CniScriptPatternMatch *match, uint32_t index,
                                     const char *start, const char *end)
{
    lua_State *lua = match->lua;
    if (index >= match->capture_count) {
        if (index != 0)
            luaL_error(lua, "invalid capture index");
        lua_pushlstring(lua, start, (size_t)(end - start));
        return;
    }
    const CniScriptCapture *capture = &match->captures[index];
    if (capture->size == CNI_SCRIPT_CAPTURE_OPEN)
        luaL_error(lua, "unfinished capture");
    if (capture->size == CNI_SCRIPT_CAPTURE_PLACE)
        lua_pushnumber(lua, (lua_Number)(capture->start - match->text + 1));
    else
        lua_pushlstring(lua, capture->start, (size_t)capture->size);
}

int cni_script_pattern_push_captures(CniScriptPatternMatch *match, const char *start,
                                     const char *end)
{
    uint32_t count = match->capture_count ? match->capture_count : 1;
    luaL_checkstack(match->lua, (int)count, "too many captures");
    for (uint32_t i = 0; i < count; i++)
        cni_script_pattern_push_capture(match, i, start, end);
    return (int)count;
}

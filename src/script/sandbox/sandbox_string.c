/* The string library of sandboxed scripts: expensive operations are charged, and no addresses are
 * revealed. */
#include "script/runtime/runtime.h"

#include "script/sandbox/lua_pattern.h"

#define MAX_TEXT_BYTES (1u << 20) /* of strings that are created here */
#define MAX_BYTES_AT_ONCE 255
#define BYTES_PER_COUNT 16u

static CnText check_text(lua_State *lua, int index)
{
    CnText text;
    text.data = luaL_checklstring(lua, index, &text.size);
    return text;
}

/* Returns an argument that counts from 1, or from the end when negative; at least 0. */
static size_t check_place(lua_State *lua, int index, lua_Number preset, size_t size)
{
    lua_Number place = luaL_optnumber(lua, index, preset);
    if (place < 0)
        place += (lua_Number)size + 1;
    if (!(place >= 0))
        return 0;
    return place > (lua_Number)MAX_TEXT_BYTES * 4 ? MAX_TEXT_BYTES * 4u : (size_t)place;
}

/* ---- Pieces ---- */

static int string_sub(lua_State *lua)
{
    CnText text = check_text(lua, 1);
    luaL_checknumber(lua, 2);
    size_t first = check_place(lua, 2, 1, text.size);
    size_t last = check_place(lua, 3, -1, text.size);
    first = first < 1 ? 1 : first;
    last = last > text.size ? text.size : last;
    size_t size = first <= last ? last - first + 1 : 0;
    cni_script_budget_charge(lua, size / BYTES_PER_COUNT);
    lua_pushlstring(lua, size ? text.data + first - 1 : "", size);
    return 1;
}

static int string_byte(lua_State *lua)
{
    CnText text = check_text(lua, 1);
    size_t first = check_place(lua, 2, 1, text.size);
    size_t last = lua_isnoneornil(lua, 3) ? first : check_place(lua, 3, 1, text.size);
    first = first < 1 ? 1 : first;
    last = last > text.size ? text.size : last;
    if (first > last)
        return 0;
    if (last - first >= MAX_BYTES_AT_ONCE)
        return luaL_error(lua, "more than %d bytes at once", MAX_BYTES_AT_ONCE);
    int count = (int)(last - first) + 1;
    luaL_checkstack(lua, count, "too many bytes");
    for (int i = 0; i < count; i++)
        lua_pushinteger(lua, (unsigned char)text.data[first - 1 + (size_t)i]);
    return count;
}

static int map_bytes(lua_State *lua, char low, char high, bool backwards)
{
    CnText text = check_text(lua, 1);
    luaL_Buffer buffer;
    cni_script_budget_charge(lua, text.size / 4);
    luaL_buffinit(lua, &buffer);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[backwards ? text.size - 1 - i : i];
        luaL_addchar(&buffer, (char)(c >= low && c <= high ? c ^ 32 : c));
    }
    luaL_pushresult(&buffer);
    return 1;
}

static int string_lower(lua_State *lua)
{
    return map_bytes(lua, 'A', 'Z', false);
}

static int string_upper(lua_State *lua)
{
    return map_bytes(lua, 'a', 'z', false);
}

static int string_reverse(lua_State *lua)
{
    return map_bytes(lua, 1, 0, true);
}

/* Fills `size` bytes by repeating the first `unit` of them. */
static void repeat(char *bytes, size_t unit, size_t size)
{
    for (size_t done = unit; done < size;) {
        size_t more = done < size - done ? done : size - done;
        memcpy(bytes + done, bytes, more);
        done += more;
    }
}

static int string_rep(lua_State *lua)
{
    CnText text = check_text(lua, 1);
    lua_Number count = luaL_checknumber(lua, 2);
    CnText between = lua_isnoneornil(lua, 3) ? (CnText){"", 0} : check_text(lua, 3);
    size_t unit = text.size + between.size;
    if (!(count >= 1) || !unit) {
        lua_pushliteral(lua, "");
        return 1;
    }
    if (!(count * (lua_Number)unit <= MAX_TEXT_BYTES))
        return luaL_error(lua, "the string is longer than %d bytes", (int)MAX_TEXT_BYTES);
    size_t size = (size_t)count * unit;
    cni_script_budget_charge(lua, size / BYTES_PER_COUNT);
    char *bytes = lua_newuserdata(lua, size);
    memcpy(bytes, text.data, text.size);
    memcpy(bytes + text.size, between.data, between.size);
    repeat(bytes, unit, size);
    lua_pushlstring(lua, bytes, size - between.size);
    return 1;
}

/* ---- Format: Lua's own function, upvalue 1, after checking the directives ---- */

/* Returns the end of a directive whose '%' is at `at`. */
static const char *end_of_directive(lua_State *lua, const char *at, const char *end)
{
    const char *start = at;
    while (at < end && strchr("-+ #0123456789.", *at) && *at)
        at++;
    if (at == end || at - start > 8)
        luaL_error(lua, "invalid format");
    if (!strchr("cdiuoxXaAeEfgGqs%", *at) || !*at)
        luaL_error(lua, "invalid option '%%%c' to 'format'", *at);
    return at + 1;
}

static int string_format(lua_State *lua)
{
    CnText format = check_text(lua, 1);
    const char *end = format.data + format.size;
    int argument = 1, top = lua_gettop(lua);
    uint64_t work = format.size;
    for (const char *at = format.data; at < end;) {
        if (*at++ != '%')
            continue;
        at = end_of_directive(lua, at, end);
        if (at[-1] == '%')
            continue;
        if (++argument > top)
            return luaL_argerror(lua, argument, "value expected");
        if (at[-1] == 's' || at[-1] == 'q') {
            cni_script_push_text(lua, argument, NULL);
            lua_replace(lua, argument);
        }
        work += lua_type(lua, argument) == LUA_TSTRING ? lua_objlen(lua, argument) : 0;
    }
    cni_script_budget_charge(lua, work / 4);
    lua_settop(lua, top);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, top, 1);
    return 1;
}

/* ---- Patterns ---- */

static bool has_specials(CnText pattern)
{
    for (size_t i = 0; i < pattern.size; i++)
        if (pattern.data[i] && strchr("^$*+?.([%-", pattern.data[i]))
            return true;
    return false;
}

static const char *find_plain(lua_State *lua, CnText text, CnText what)
{
    if (!what.size)
        return text.data;
    while (text.size >= what.size) {
        const char *found = memchr(text.data, what.data[0], text.size - what.size + 1);
        size_t passed = found ? (size_t)(found - text.data) + 1 : text.size;
        cni_script_budget_charge(lua, (passed + what.size) / BYTES_PER_COUNT + 1);
        if (!found || !memcmp(found, what.data, what.size))
            return found;
        text = (CnText){found + 1, text.size - passed};
    }
    return NULL;
}

/* Pushes the start and end of a match, and its captures. */
static int push_found(lua_State *lua, CnText text, const char *start, const char *end)
{
    lua_pushnumber(lua, (lua_Number)(start - text.data + 1));
    lua_pushnumber(lua, (lua_Number)(end - text.data));
    return 2;
}

/* Returns the first match from `at` on. */
static const char *search(CniScriptPatternMatch *match, const char **at, CnText pattern)
{
    bool anchor = pattern.size && pattern.data[0] == '^';
    const char *first = pattern.data + anchor;
    for (;; (*at)++) {
        match->capture_count = match->depth = 0;
        const char *end = cni_script_pattern_match_at(match, *at, first);
        if (end || anchor || *at >= match->text_end)
            return end;
    }
}

static int find_or_match(lua_State *lua, bool find)
{
    CnText text = check_text(lua, 1), pattern = check_text(lua, 2);
    size_t first = check_place(lua, 3, 1, text.size);
    first = first ? first - 1 : 0;
    if (first > text.size)
        first = text.size; /* as Lua 5.1 */
    const char *at = text.data + first;
    if (find && (lua_toboolean(lua, 4) || !has_specials(pattern))) {
        const char *found = find_plain(lua, (CnText){at, text.size - first}, pattern);
        if (found)
            return push_found(lua, text, found, found + pattern.size);
    } else {
        CniScriptPatternMatch match;
        cni_script_pattern_init(&match, lua, text, pattern);
        const char *end = search(&match, &at, pattern);
        if (end && !find)
            return cni_script_pattern_push_captures(&match, at, end);
        if (end)
            return push_found(lua, text, at, end) +
                   (match.capture_count ? cni_script_pattern_push_captures(&match, at, end) : 0);
    }
    lua_pushnil(lua);
    return 1;
}

static int string_find(lua_State *lua)
{
    return find_or_match(lua, true);
}

static int string_match(lua_State *lua)
{
    return find_or_match(lua, false);
}

/* Upvalues: text, pattern, where to continue. */
static int next_match(lua_State *lua)
{
    CnText text = check_text(lua, lua_upvalueindex(1));
    CnText pattern = check_text(lua, lua_upvalueindex(2));
    const char *at = text.data + (size_t)lua_tonumber(lua, lua_upvalueindex(3));
    CniScriptPatternMatch match;
    cni_script_pattern_init(&match, lua, text, pattern);
    for (; at <= match.text_end; at++) {
        match.capture_count = match.depth = 0;
        const char *end = cni_script_pattern_match_at(&match, at, pattern.data);
        if (!end)
            continue;
        lua_pushnumber(lua, (lua_Number)(end - text.data + (end == at)));
        lua_replace(lua, lua_upvalueindex(3));
        return cni_script_pattern_push_captures(&match, at, end);
    }
    return 0;
}

static int string_gmatch(lua_State *lua)
{
    check_text(lua, 1);
    check_text(lua, 2);
    lua_settop(lua, 2);
    lua_pushnumber(lua, 0);
    lua_pushcclosure(lua, next_match, 3);
    return 1;
}

static void add_text(CniScriptPatternMatch *match, luaL_Buffer *buffer, CnText by,
                     const char *start, const char *end)
{
    lua_State *lua = match->lua;
    for (size_t i = 0; i < by.size; i++) {
        if (by.data[i] != '%' || i + 1 == by.size) {
            luaL_addchar(buffer, by.data[i]);
            continue;
        }
        char c = by.data[++i];
        if (c < '0' || c > '9') {
            luaL_addchar(buffer, c);
        } else if (c == '0') {
            luaL_addlstring(buffer, start, (size_t)(end - start));
        } else {
            cni_script_pattern_push_capture(match, (uint32_t)(c - '1'), start, end);
            luaL_addvalue(buffer);
        }
    }
    cni_script_budget_charge(lua, by.size / 4 + (size_t)(end - start) / BYTES_PER_COUNT);
}

/* Adds the replacement of a match. The replacement is the third argument. */
static void add_replaced(CniScriptPatternMatch *match, luaL_Buffer *buffer, const char *start,
                         const char *end)
{
    lua_State *lua = match->lua;
    int kind = lua_type(lua, 3);
    if (kind == LUA_TSTRING || kind == LUA_TNUMBER) {
        add_text(match, buffer, check_text(lua, 3), start, end);
        return;
    }
    cni_script_check_stack(lua);
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(lua, 3);
        int count = cni_script_pattern_push_captures(match, start, end);
        lua_call(lua, count, 1);
    } else {
        cni_script_pattern_push_capture(match, 0, start, end);
        lua_gettable(lua, 3);
    }
    if (!lua_toboolean(lua, -1)) {
        lua_pop(lua, 1);
        luaL_addlstring(buffer, start, (size_t)(end - start));
        return;
    }
    if (!lua_isstring(lua, -1))
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    luaL_addvalue(buffer);
}

static int string_gsub(lua_State *lua)
{
    CnText text = check_text(lua, 1), pattern = check_text(lua, 2);
    int kind = lua_type(lua, 3);
    luaL_argcheck(lua,
                  kind == LUA_TSTRING || kind == LUA_TNUMBER || kind == LUA_TFUNCTION ||
                      kind == LUA_TTABLE,
                  3, "string/function/table expected");
    lua_Number most = luaL_optnumber(lua, 4, (lua_Number)text.size + 1), count = 0;
    bool anchor = pattern.size && pattern.data[0] == '^';
    lua_settop(lua, 4);
    CniScriptPatternMatch match;
    luaL_Buffer buffer;
    cni_script_pattern_init(&match, lua, text, pattern);
    luaL_buffinit(lua, &buffer);
    const char *at = text.data;
    while (count < most) {
        match.capture_count = match.depth = 0;
        const char *end = cni_script_pattern_match_at(&match, at, pattern.data + anchor);
        if (end) {
            count++;
            add_replaced(&match, &buffer, at, end);
        }
        if (end && end > at)
            at = end;
        else if (at < match.text_end)
            luaL_addchar(&buffer, *at++);
        else
            break;
        if (anchor)
            break;
    }
    luaL_addlstring(&buffer, at, (size_t)(match.text_end - at));
    luaL_pushresult(&buffer);
    lua_pushnumber(lua, count);
    return 2;
}

void cni_script_sandbox_strings(lua_State *lua, int sandbox)
{
    static const luaL_Reg functions[] = {
        {"byte", string_byte},
        {"find", string_find},
        {"gmatch", string_gmatch},
        {"gsub", string_gsub},
        {"lower", string_lower},
        {"match", string_match},
        {"rep", string_rep},
        {"reverse", string_reverse},
        {"sub", string_sub},
        {"upper", string_upper},
        {NULL, NULL},
    };
    lua_newtable(lua);
    luaL_register(lua, NULL, functions);
    lua_getfield(lua, LUA_GLOBALSINDEX, "string");
    lua_getfield(lua, -1, "len");
    lua_setfield(lua, -3, "len");
    lua_getfield(lua, -1, "char");
    lua_setfield(lua, -3, "char");
    lua_getfield(lua, -1, "format");
    lua_pushcclosure(lua, string_format, 1);
    lua_setfield(lua, -3, "format");
    lua_pop(lua, 1);
    lua_setfield(lua, sandbox, "string");
}

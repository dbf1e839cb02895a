/* Converts binding tables to Lua. */
#include "script/bind/bind.h"

#include <cairn/sim/loop.h>
#include <cairn/sim/random.h>
#include <string.h>

/* In order of CniScriptClass. */
static const CniScriptBindingTable *const classes[CNI_SCRIPT_CLASS_COUNT] = {
    [CNI_SCRIPT_CLASS_OBJECT] = &cni_script_bind_object,
    [CNI_SCRIPT_CLASS_VEC2] = &cni_script_bind_vec2,
    [CNI_SCRIPT_CLASS_VEC3] = &cni_script_bind_vec3,
    [CNI_SCRIPT_CLASS_VEC4] = &cni_script_bind_vec4,
    [CNI_SCRIPT_CLASS_QUAT] = &cni_script_bind_quat,
    [CNI_SCRIPT_CLASS_COMPONENT] = &cni_script_bind_component,
    [CNI_SCRIPT_CLASS_QUERY] = &cni_script_bind_query,
    [CNI_SCRIPT_CLASS_BATCH] = &cni_script_bind_batch,
    [CNI_SCRIPT_CLASS_LOG] = &cni_script_bind_log,
    [CNI_SCRIPT_CLASS_INPUT] = &cni_script_bind_input,
    [CNI_SCRIPT_CLASS_TIME] = &cni_script_bind_time,
    [CNI_SCRIPT_CLASS_PHYSICS] = &cni_script_bind_physics,
    [CNI_SCRIPT_CLASS_STORE] = &cni_script_bind_store,
    [CNI_SCRIPT_CLASS_AUDIO] = &cni_script_bind_audio,
    [CNI_SCRIPT_CLASS_ANIMATION] = &cni_script_bind_animation,
    [CNI_SCRIPT_CLASS_PARTICLES] = &cni_script_bind_particles,
    [CNI_SCRIPT_CLASS_CAMERA] = &cni_script_bind_camera,
    [CNI_SCRIPT_CLASS_UI] = &cni_script_bind_ui,
    [CNI_SCRIPT_CLASS_PANEL] = &cni_script_bind_panel,
    [CNI_SCRIPT_CLASS_GAME] = &cni_script_bind_game,
    [CNI_SCRIPT_CLASS_WINDOW] = &cni_script_bind_window,
};

/* Functions first, then tables of functions, classes, and tables used only for annotations. */
static const CniScriptBindingTable *const tables[] = {
    &cni_script_bind_scene,
    &cni_script_bind_scene_changes,
    &cni_script_bind_search,
    &cni_script_bind_event,
    &cni_script_bind_module,
    &cni_script_bind_timer,
    &cni_script_bind_bodies,
    &cni_script_bind_base,
    &cni_script_bind_values,
    &cni_script_bind_math,
    &cni_script_bind_log,
    &cni_script_bind_input,
    &cni_script_bind_time,
    &cni_script_bind_physics,
    &cni_script_bind_store,
    &cni_script_bind_audio,
    &cni_script_bind_animation,
    &cni_script_bind_particles,
    &cni_script_bind_camera,
    &cni_script_bind_ui,
    &cni_script_bind_game,
    &cni_script_bind_window,
    &cni_script_bind_object,
    &cni_script_bind_vec2,
    &cni_script_bind_vec3,
    &cni_script_bind_vec4,
    &cni_script_bind_quat,
    &cni_script_bind_query,
    &cni_script_bind_batch,
    &cni_script_bind_component,
    &cni_script_bind_filter,
    &cni_script_bind_ray,
    &cni_script_bind_shape,
    &cni_script_bind_sweep,
    &cni_script_bind_hit,
    &cni_script_bind_contact,
    &cni_script_bind_sound_options,
    &cni_script_bind_animation_options,
    &cni_script_bind_clip,
    &cni_script_bind_burst_options,
    &cni_script_bind_panel,
    &cni_script_bind_ui_options,
    NULL,
};

const CniScriptBindingTable *const *cni_script_binding_tables(void)
{
    return tables;
}

const char *cni_script_running_name(lua_State *lua)
{
    lua_Debug running;
    lua_CFunction function = NULL;
    if (lua_getstack(lua, 0, &running) && lua_getinfo(lua, "f", &running)) {
        function = lua_tocfunction(lua, -1);
        lua_pop(lua, 1);
    }
    for (uint32_t t = 0; function && tables[t]; t++)
        for (const CniScriptBinding *row = tables[t]->bindings; row->name; row++)
            if (row->call == function)
                return row->name;
    return "this function";
}

static char registry_key; /* its address */

CniScriptBindings *cni_script_bindings_of(lua_State *lua)
{
    lua_pushlightuserdata(lua, &registry_key);
    lua_rawget(lua, LUA_REGISTRYINDEX);
    CniScriptBindings *bound = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    CN_ASSERT(!bound || bound->scripts == cni_script_context_of(lua),
              "the bindings belong to another Lua state");
    return bound;
}

uint64_t cni_script_tick_now(const CniScriptBindings *bound)
{
    const CnTickInfo *info = cn_resource(bound->world, CnTickInfo);
    return info ? info->tick : 0;
}

/* ---- Userdata ---- */

const char *cni_script_class_name(CniScriptClass kind)
{
    CN_ASSERT((unsigned)kind < CNI_SCRIPT_CLASS_COUNT, "class %d does not exist", (int)kind);
    return classes[kind]->name;
}

void *cni_script_to_class(lua_State *lua, const CniScriptBindings *bound, int index,
                          CniScriptClass kind)
{
    CN_ASSERT((unsigned)kind < CNI_SCRIPT_CLASS_COUNT, "class %d does not exist", (int)kind);
    void *address = lua_touserdata(lua, index);
    if (!address || !lua_getmetatable(lua, index))
        return NULL;
    bool same = lua_topointer(lua, -1) == bound->metatables[kind];
    lua_pop(lua, 1);
    return same ? address : NULL;
}

CniScriptClass cni_script_class_of(lua_State *lua, const CniScriptBindings *bound, int index)
{
    if (lua_type(lua, index) != LUA_TUSERDATA || !lua_getmetatable(lua, index))
        return CNI_SCRIPT_CLASS_COUNT;
    const void *metatable = lua_topointer(lua, -1);
    lua_pop(lua, 1);
    CniScriptClass kind = 0;
    while (kind < CNI_SCRIPT_CLASS_COUNT && bound->metatables[kind] != metatable)
        kind++;
    return kind;
}

const char *cni_script_type_name(lua_State *lua, int index)
{
    CniScriptClass kind = cni_script_class_of(lua, cni_script_bindings_of(lua), index);
    return kind < CNI_SCRIPT_CLASS_COUNT ? classes[kind]->name : luaL_typename(lua, index);
}

void *cni_script_check_class(lua_State *lua, int index, CniScriptClass kind)
{
    void *address = cni_script_to_class(lua, cni_script_bindings(lua), index, kind);
    if (CN_UNLIKELY(!address)) {
        lua_pushfstring(lua, "%s expected, got %s", classes[kind]->name,
                        cni_script_type_name(lua, index));
        luaL_argerror(lua, index, lua_tostring(lua, -1));
    }
    return address;
}

int cni_script_throw_bad_value(lua_State *lua, const char *expected)
{
    return luaL_error(lua, "'%s' must be a %s, not %s", lua_tostring(lua, 2), expected,
                      cni_script_type_name(lua, 3));
}

void *cni_script_push_new(lua_State *lua, const CniScriptBindings *bound, CniScriptClass kind,
                          size_t bytes)
{
    CN_ASSERT((unsigned)kind < CNI_SCRIPT_CLASS_COUNT, "class %d does not exist", (int)kind);
    void *address = lua_newuserdata(lua, bytes);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound->metatable_references[kind]);
    CN_ASSERT(lua_istable(lua, -1), "class %s has no metatable", classes[kind]->name);
    lua_setmetatable(lua, -2);
    return address;
}

void cni_script_lua_array_reserve(lua_State *lua, CniScriptLuaArray *array, size_t item_bytes,
                                  uint32_t count)
{
    if (CN_LIKELY(count <= array->capacity))
        return;
    uint32_t capacity = array->capacity ? array->capacity : 16;
    while (capacity < count)
        capacity *= 2;
    void *items = lua_newuserdata(lua, capacity * item_bytes);
    if (array->count)
        memcpy(items, array->items, array->count * item_bytes);
    int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    if (array->items)
        luaL_unref(lua, LUA_REGISTRYINDEX, array->reference);
    CN_ASSERT(array->count <= capacity, "an array shrinks below its %u items", array->count);
    array->items = items;
    array->capacity = capacity;
    array->reference = reference;
}

void *cni_script_lua_array_push(lua_State *lua, CniScriptLuaArray *array, size_t item_bytes)
{
    cni_script_lua_array_reserve(lua, array, item_bytes, array->count + 1);
    CN_ASSERT(array->count < array->capacity, "an array of %u items has no room", array->count);
    return (char *)array->items + item_bytes * array->count++;
}

/* ---- Errors ---- */

int cni_script_throw_out_of_memory(lua_State *lua)
{
    return luaL_error(lua, "out of memory");
}

int cni_script_throw(lua_State *lua, const CnError *error)
{
    CN_ASSERT(error->code, "an error without a code is thrown");
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    return luaL_error(lua, "%s", cn_error_text(error, text, sizeof text));
}

#define MAX_SUGGESTED 32u

/* Returns the edit distance of two words of at most MAX_SUGGESTED characters. */
static uint32_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    CN_ASSERT(a_size <= MAX_SUGGESTED && b_size <= MAX_SUGGESTED, "the words are too long");
    uint32_t row[MAX_SUGGESTED + 1];
    for (uint32_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_size; i++) {
        uint32_t corner = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_size; j++) {
            bool same = (a[i - 1] | 32) == (b[j - 1] | 32);
            uint32_t best = corner + !same;
            corner = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[b_size];
}

const char *cni_script_suggest(lua_State *lua, int table, const char *name)
{
    size_t size = strlen(name);
    uint32_t least = size <= 4 ? 2 : 3;
    const char *best = NULL; /* owned by the table */
    luaL_checkstack(lua, 4, NULL);
    lua_pushvalue(lua, table);
    for (lua_pushnil(lua); size <= MAX_SUGGESTED && lua_next(lua, -2); lua_pop(lua, 1)) {
        size_t key_size = 0;
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tolstring(lua, -2, &key_size) : "";
        if (key_size == 0 || key_size > MAX_SUGGESTED || (key[0] == '_' && key[1] == '_'))
            continue;
        uint32_t found = distance(name, size, key, key_size);
        if (found < least || (best && found == least && strcmp(key, best) < 0)) {
            least = found;
            best = key;
        }
    }
    if (best)
        lua_pushfstring(lua, "; did you mean '%s'?", best);
    else
        lua_pushliteral(lua, "");
    return lua_tostring(lua, -1);
}

/* ---- Metamethods of all classes: upvalue 2 is the class's table ---- */

/* Returns the row of a property, or NULL with the value found on the stack. */
static const CniScriptBinding *find_row(lua_State *lua)
{
    lua_pushvalue(lua, 2);
    lua_rawget(lua, lua_upvalueindex(2));
    return lua_islightuserdata(lua, -1) ? lua_touserdata(lua, -1) : NULL;
}

static int no_such(lua_State *lua)
{
    const char *class_name = lua_tostring(lua, lua_upvalueindex(3));
    if (lua_type(lua, 2) != LUA_TSTRING)
        return luaL_error(lua, "%s cannot be indexed with a %s", class_name,
                          cni_script_type_name(lua, 2));
    const char *name = lua_tostring(lua, 2);
    return luaL_error(lua, "%s has no '%s'%s", class_name, name,
                      cni_script_suggest(lua, lua_upvalueindex(2), name));
}

static int class_index(lua_State *lua)
{
    const CniScriptBinding *row = find_row(lua);
    if (CN_LIKELY(row != NULL)) {
        lua_settop(lua, 2);
        return row->call(lua);
    }
    return lua_isnil(lua, -1) ? no_such(lua) : 1;
}

static int class_newindex(lua_State *lua)
{
    const CniScriptBinding *row = find_row(lua);
    if (CN_UNLIKELY(!row || !row->set)) {
        if (!row && lua_isnil(lua, -1))
            return no_such(lua);
        return luaL_error(lua, "%s.%s is read-only", lua_tostring(lua, lua_upvalueindex(3)),
                          lua_tostring(lua, 2));
    }
    lua_settop(lua, 3);
    return row->set(lua);
}

static void push_function(lua_State *lua, CniScriptBindings *bound, lua_CFunction function)
{
    CN_ASSERT(function, "a binding has no function");
    lua_pushlightuserdata(lua, bound);
    lua_pushcclosure(lua, function, 1);
}

/* Pushes a table from names to rows of properties or to functions; operators go to the
 * metatable. */
static void push_members(lua_State *lua, CniScriptBindings *bound,
                         const CniScriptBindingTable *table, int metatable)
{
    lua_newtable(lua);
    for (const CniScriptBinding *row = table->bindings; row->name; row++) {
        if (row->kind == CNI_SCRIPT_PROPERTY)
            lua_pushlightuserdata(lua, (void *)(uintptr_t)row);
        else
            push_function(lua, bound, row->call);
        lua_setfield(lua, row->kind == CNI_SCRIPT_OPERATOR ? metatable : -2, row->name);
    }
}

static bool has_operator(const CniScriptBindingTable *table, const char *name)
{
    for (const CniScriptBinding *row = table->bindings; row->name; row++)
        if (!strcmp(row->name, name))
            return true;
    return false;
}

static void make_metatable(lua_State *lua, CniScriptBindings *bound, CniScriptClass kind)
{
    const CniScriptBindingTable *table = classes[kind];
    CN_ASSERT(table && table->name, "class %d has no binding table", (int)kind);
    lua_newtable(lua);
    int metatable = lua_gettop(lua);
    push_members(lua, bound, table, metatable);
    static const struct {
        const char *name;
        lua_CFunction function;
    } dispatch[] = {{"__index", class_index}, {"__newindex", class_newindex}};
    for (uint32_t i = 0; i < CN_COUNT_OF(dispatch); i++) {
        if (has_operator(table, dispatch[i].name))
            continue;
        lua_pushlightuserdata(lua, bound);
        lua_pushvalue(lua, metatable + 1);
        lua_pushstring(lua, table->name);
        lua_pushcclosure(lua, dispatch[i].function, 3);
        lua_setfield(lua, metatable, dispatch[i].name);
    }
    if (kind == CNI_SCRIPT_CLASS_QUERY) {
        lua_pushcfunction(lua, cni_script_query_collect);
        lua_setfield(lua, metatable, "__gc");
    }
    lua_pushstring(lua, table->name); /* returned by getmetatable, to hide the metatable */
    lua_setfield(lua, metatable, "__metatable");
    bound->metatables[kind] = lua_topointer(lua, metatable);
    lua_settop(lua, metatable);
    CN_ASSERT(lua_istable(lua, -1), "the metatable of %s is lost", table->name);
    bound->metatable_references[kind] = luaL_ref(lua, LUA_REGISTRYINDEX);
}

/* ---- Registration ---- */

static int collect_bound(lua_State *lua)
{
    cni_script_messages_leave(lua_touserdata(lua, 1));
    return 0;
}

static int weak_table_reference(lua_State *lua)
{
    lua_newtable(lua);
    lua_newtable(lua);
    lua_pushliteral(lua, "v");
    lua_setfield(lua, -2, "__mode");
    lua_setmetatable(lua, -2);
    return luaL_ref(lua, LUA_REGISTRYINDEX);
}

static CniScriptBindings *make_bound(lua_State *lua)
{
    lua_newtable(lua);
    lua_pushcfunction(lua, collect_bound);
    lua_setfield(lua, -2, "__gc");
    CniScriptBindings *bound = lua_newuserdata(lua, sizeof *bound);
    memset(bound, 0, sizeof *bound);
    bound->scripts = cni_script_context_of(lua);
    bound->world = bound->scripts->world;
    lua_insert(lua, -2);
    lua_setmetatable(lua, -2);
    bound->number = cni_script_state_number(lua);
    cni_script_messages_join(bound);
    lua_pushlightuserdata(lua, &registry_key);
    lua_insert(lua, -2);
    lua_rawset(lua, LUA_REGISTRYINDEX);
    bound->transform = cn_id(bound->world, CnTransform);
    bound->object = cn_id(bound->world, CnObject);
    bound->random = cn_random_stream(bound->world, "script", NULL);
    for (CniScriptClass kind = 0; kind < CNI_SCRIPT_CLASS_COUNT; kind++)
        make_metatable(lua, bound, kind);
    lua_newtable(lua);
    bound->views = luaL_ref(lua, LUA_REGISTRYINDEX);
    bound->objects = weak_table_reference(lua);
    bound->query_handles = weak_table_reference(lua);
    cni_script_bind_input_names(lua, bound);
    return bound;
}

void cni_script_bind_drop(lua_State *lua, CnEntity owner)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    if (!bound)
        return;
    cni_script_forget_ended(bound->scripts, owner);
    cni_script_drop_timers(lua, bound, owner);
    cni_script_drop_subscriptions(lua, bound, owner);
}

static bool is_module(CniScriptClass kind)
{
    return kind == CNI_SCRIPT_CLASS_LOG || kind == CNI_SCRIPT_CLASS_INPUT ||
           kind == CNI_SCRIPT_CLASS_TIME || kind == CNI_SCRIPT_CLASS_PHYSICS ||
           kind == CNI_SCRIPT_CLASS_STORE || kind == CNI_SCRIPT_CLASS_AUDIO ||
           kind == CNI_SCRIPT_CLASS_ANIMATION || kind == CNI_SCRIPT_CLASS_CAMERA ||
           kind == CNI_SCRIPT_CLASS_PARTICLES || kind == CNI_SCRIPT_CLASS_UI ||
           kind == CNI_SCRIPT_CLASS_GAME || kind == CNI_SCRIPT_CLASS_WINDOW;
}

static void bind_functions(lua_State *lua, CniScriptBindings *bound,
                           const CniScriptBindingTable *table, int into)
{
    for (const CniScriptBinding *row = table->bindings; row->name; row++) {
        push_function(lua, bound, row->call);
        lua_setfield(lua, into, row->name);
    }
}

static void bind_math(lua_State *lua, CniScriptBindings *bound, int into)
{
    lua_getfield(lua, into, "math");
    if (!lua_istable(lua, -1)) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, into, "math");
    }
    bind_functions(lua, bound, &cni_script_bind_math, lua_gettop(lua));
    lua_pop(lua, 1);
}

static bool is_random(const char *name)
{
    return !strncmp(name, "random", 6);
}

/* The functions of a table that need no world. */
static void bind_plain(lua_State *lua, CniScriptBindings *bound, const CniScriptBindingTable *table)
{
    for (const CniScriptBinding *row = table->bindings; row->name; row++) {
        if (is_random(row->name) || !strcmp(row->name, "print"))
            continue;
        push_function(lua, bound, row->call);
        lua_setfield(lua, -2, row->name);
    }
}

void cni_script_bind_library(lua_State *lua)
{
    luaL_checkstack(lua, 16, NULL);
    lua_pushlightuserdata(lua, &registry_key);
    CniScriptBindings *bound = lua_newuserdata(lua, sizeof *bound);
    memset(bound, 0, sizeof *bound);
    bound->scripts = cni_script_context_of(lua);
    lua_rawset(lua, LUA_REGISTRYINDEX);
    bind_plain(lua, bound, &cni_script_bind_base);
    lua_getfield(lua, -1, "math");
    bind_plain(lua, bound, &cni_script_bind_math);
    lua_pop(lua, 1);
}

void cni_script_bind_all(lua_State *lua)
{
    luaL_checkstack(lua, 16, NULL);
    int into = lua_gettop(lua);
    CN_ASSERT(lua_istable(lua, into), "bindings are added to a %s", luaL_typename(lua, into));
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    if (!bound)
        bound = make_bound(lua);
    for (const CniScriptBindingTable *const *table = tables; *table; table++)
        if (!(*table)->name)
            bind_functions(lua, bound, *table, into);
    bind_math(lua, bound, into);
    for (CniScriptClass kind = 0; kind < CNI_SCRIPT_CLASS_COUNT; kind++)
        if (is_module(kind)) {
            cni_script_push_new(lua, bound, kind, 1);
            lua_setfield(lua, into, classes[kind]->name);
        }
    lua_settop(lua, into);
}

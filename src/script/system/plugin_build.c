/* Adds what a plugin file declares to a world: components, and systems with their access. */
#include "script/system/plugin_code.h"

#include <cairn/scene/reflection.h>
#include <cairn/sim/random.h>
#include <lauxlib.h>

#define RANDOM_STREAM "script.systems"

/* ---- Reading tables of the prelude ---- */

/* Returns a text that lives as long as its table, or NULL. */
static const char *text_of(lua_State *lua, int table, const char *key)
{
    lua_getfield(lua, table, key);
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    lua_pop(lua, 1);
    return text;
}

static uint32_t number_of(lua_State *lua, int table, const char *key)
{
    lua_getfield(lua, table, key);
    uint32_t number = (uint32_t)lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    return number;
}

static void throw_error(lua_State *lua, const CnError *error)
{
    lua_pushstring(lua, error->message);
    lua_error(lua);
}

/* ---- Components by name ---- */

/* Tables of reflection are a resource that systems do not declare to read, so their names are
 * collected when the systems are added. */
static void collect_names(lua_State *lua, CniScriptPluginCode *code)
{
    uint32_t count = cn_reflection_list(code->world, NULL, 0);
    CnReflectedComponent *list = lua_newuserdata(lua, (count + 1) * sizeof *list);
    cn_reflection_list(code->world, list, count);
    lua_createtable(lua, 0, (int)count);
    for (uint32_t i = 0; i < count; i++) {
        const CnReflectedType *type = list[i].type;
        lua_pushnumber(lua, list[i].component.id);
        if (type && type->alias) {
            lua_pushvalue(lua, -1);
            lua_setfield(lua, -3, type->alias);
        }
        lua_setfield(lua, -2, list[i].name);
    }
    luaL_unref(lua, LUA_REGISTRYINDEX, code->names);
    code->names = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_pop(lua, 1);
}

static CnComponent find_component(lua_State *lua, const CniScriptPluginCode *code, const char *name)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, code->names);
    lua_getfield(lua, -1, name);
    CnComponent component = {(uint32_t)lua_tonumber(lua, -1)};
    lua_pop(lua, 2);
    return component.id ? component : cn_component_find(code->world, name);
}

static CnComponent need_component(lua_State *lua, const CniScriptPluginCode *code, const char *name,
                                  CnComponentInfo *info)
{
    CnComponent component = find_component(lua, code, name);
    if (!component.id || !cn_component_info(code->world, component, info))
        luaL_error(lua,
                   "there is no component named '%s': declare it with component(), or add the "
                   "plugin that has it before this one",
                   name);
    return component;
}

static void push_fields(lua_State *lua, const CnComponentInfo *info)
{
    lua_createtable(lua, (int)info->field_count, 0);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const CnField *field = &info->fields[i];
        lua_createtable(lua, 0, 5);
        lua_pushstring(lua, field->name);
        lua_setfield(lua, -2, "name");
        lua_pushstring(lua, cn_field_type_name(field->type));
        lua_setfield(lua, -2, "type");
        lua_pushnumber(lua, field->count);
        lua_setfield(lua, -2, "count");
        lua_pushnumber(lua, field->offset);
        lua_setfield(lua, -2, "offset");
        lua_pushnumber(lua, field->size);
        lua_setfield(lua, -2, "size");
        lua_rawseti(lua, -2, (int)i + 1);
    }
}

static void push_default(lua_State *lua, const CnComponentInfo *info)
{
    if (info->default_value) {
        lua_pushlstring(lua, info->default_value, info->size);
        return;
    }
    memset(lua_newuserdata(lua, info->size + 1), 0, info->size + 1);
    lua_pushlstring(lua, lua_touserdata(lua, -1), info->size);
    lua_remove(lua, -2);
}

int cni_script_plugin_describe(lua_State *lua)
{
    void *user;
    lua_getallocf(lua, &user);
    const CniScriptPluginCode *code = user;
    const char *name = luaL_checkstring(lua, 1);
    CnComponentInfo info;
    CnComponent component = need_component(lua, code, name, &info);
    if ((info.size && !info.field_count) || info.pair_kind.id)
        return luaL_error(lua, "%s has no described fields, so Lua cannot use its values", name);
    lua_createtable(lua, 0, 8);
    lua_pushnumber(lua, component.id);
    lua_setfield(lua, -2, "id");
    lua_pushnumber(lua, info.size);
    lua_setfield(lua, -2, "size");
    lua_pushnumber(lua, info.alignment);
    lua_setfield(lua, -2, "alignment");
    lua_pushstring(lua, info.layout == CN_LAYOUT_FIELDS ? "fields" : "packed");
    lua_setfield(lua, -2, "layout");
    push_fields(lua, &info);
    lua_setfield(lua, -2, "fields");
    push_default(lua, &info);
    lua_setfield(lua, -2, "default");
    return 1;
}

/* ---- Registering components ---- */

static CnFieldType field_type_of(const char *name)
{
    CnFieldType type = CN_FIELD_F32;
    while (type < CN_FIELD_TYPE_COUNT && strcmp(cn_field_type_name(type), name))
        type++;
    CN_ASSERT(type < CN_FIELD_TYPE_COUNT, "the prelude accepts the unknown type %s", name);
    return type;
}

static uint32_t read_fields(lua_State *lua, int declared, CnField *fields)
{
    lua_getfield(lua, declared, "fields");
    size_t count = lua_objlen(lua, -1);
    for (uint32_t i = 0; i < count && i < CN_MAX_FIELDS; i++) {
        lua_rawgeti(lua, -1, (int)i + 1);
        int field = lua_gettop(lua);
        fields[i] = (CnField){.name = text_of(lua, field, "name"),
                              .type = field_type_of(text_of(lua, field, "type")),
                              .count = number_of(lua, field, "count"),
                              .offset = number_of(lua, field, "offset"),
                              .size = number_of(lua, field, "size")};
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return (uint32_t)count;
}

static void add_component(lua_State *lua, const CniScriptPluginCode *code, int declared)
{
    CnField fields[CN_MAX_FIELDS];
    CnError error = {0};
    CnType type = {.name = text_of(lua, declared, "name"),
                   .size = number_of(lua, declared, "size"),
                   .alignment = number_of(lua, declared, "alignment"),
                   .fields = fields};
    const char *layout = text_of(lua, declared, "layout");
    type.field_count = read_fields(lua, declared, fields);
    CnComponentDesc desc = {.type = &type,
                            .layout =
                                strcmp(layout, "fields") ? CN_LAYOUT_PACKED : CN_LAYOUT_FIELDS,
                            .default_value = text_of(lua, declared, "default")};
    if (!cn_component_register(code->world, &desc, &error).id)
        throw_error(lua, &error);
}

static void add_components(lua_State *lua, const CniScriptPluginCode *code, int declarations)
{
    lua_getfield(lua, declarations, "components");
    for (uint32_t i = 1, count = (uint32_t)lua_objlen(lua, -1); i <= count; i++) {
        lua_rawgeti(lua, -1, (int)i);
        add_component(lua, code, lua_gettop(lua));
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

/* ---- Access of a system ---- */

typedef struct Declared {
    CniScriptPluginCode *code;
    CniScriptPluginSystem *system;
    int table, terms; /* on the stack: the declaration, the terms for the prelude */
    CnSystemDesc desc;
} Declared;

static CnTerm *free_term(lua_State *lua, const Declared *declared, CnTerm *list, const char *key)
{
    for (uint32_t i = 0; i < CN_MAX_TERMS; i++)
        if (!list[i].component.id)
            return &list[i];
    luaL_error(lua, "system %s: %s: at most %d components are possible", declared->system->name,
               key, (int)CN_MAX_TERMS);
    return NULL;
}

/* Whether a component is in one of the lists with access. */
static CnAccess access_of(const Declared *declared, CnComponent component)
{
    const CnTerm *lists[] = {declared->desc.query.all, declared->desc.query.optional};
    for (uint32_t k = 0; k < CN_COUNT_OF(lists); k++)
        for (uint32_t i = 0; i < CN_MAX_TERMS && lists[k][i].component.id; i++)
            if (lists[k][i].component.id == component.id && lists[k][i].access)
                return lists[k][i].access;
    return CN_ACCESS_NONE;
}

static void add_columns(lua_State *lua, const Declared *declared, CnComponent component,
                        const CnComponentInfo *info, bool writes)
{
    CniScriptPluginCode *code = declared->code;
    uint32_t count = info->layout == CN_LAYOUT_FIELDS ? info->field_count : info->size != 0;
    for (uint32_t i = 0; i < count; i++) {
        const CnField *field = info->layout == CN_LAYOUT_FIELDS ? &info->fields[i] : NULL;
        CniScriptPluginColumn column = {.component = component,
                                        .field = field,
                                        .row_bytes = field ? field->size : info->size,
                                        .writes = writes};
        if (!cn_array_push(&code->columns, column))
            luaL_error(lua, "out of memory");
        declared->system->column_count++;
    }
}

/* Adds a term with access, and describes its view to the prelude. */
static void add_view(lua_State *lua, Declared *declared, const char *name, CnTerm term,
                     bool is_optional)
{
    CnComponentInfo info;
    term.component = need_component(lua, declared->code, name, &info);
    if (access_of(declared, term.component))
        luaL_error(lua, "system %s: %s is listed twice", declared->system->name, name);
    CnTerm *list = is_optional ? declared->desc.query.optional : declared->desc.query.all;
    *free_term(lua, declared, list, name) = term;
    bool writes = term.access == CN_ACCESS_WRITE;
    add_columns(lua, declared, term.component, &info, writes);
    lua_createtable(lua, 0, 3);
    lua_pushstring(lua, name);
    lua_setfield(lua, -2, "key");
    lua_pushboolean(lua, writes);
    lua_setfield(lua, -2, "writes");
    lua_pushboolean(lua, is_optional);
    lua_setfield(lua, -2, "optional");
    lua_rawseti(lua, declared->terms, (int)lua_objlen(lua, declared->terms) + 1);
}

/* Calls `each` for the names of a list of the declaration. */
static void for_names(lua_State *lua, Declared *declared, const char *key,
                      void (*each)(lua_State *lua, Declared *declared, const char *key,
                                   const char *name))
{
    lua_getfield(lua, declared->table, key);
    int list = lua_gettop(lua);
    for (uint32_t i = 1, count = (uint32_t)lua_objlen(lua, list); i <= count; i++) {
        lua_rawgeti(lua, list, (int)i);
        each(lua, declared, key, lua_tostring(lua, -1));
        lua_settop(lua, list);
    }
    lua_pop(lua, 1);
}

static void add_access(lua_State *lua, Declared *declared, const char *key, const char *name)
{
    bool is_optional = !strncmp(key, "optional", 8);
    bool writes = !strcmp(key, "writes") || !strcmp(key, "optionalWrites");
    add_view(lua, declared, name, (CnTerm){.access = writes ? CN_ACCESS_WRITE : CN_ACCESS_READ},
             is_optional);
}

static void add_condition(lua_State *lua, Declared *declared, const char *key, const char *name)
{
    CnComponentInfo info;
    CnQueryDesc *query = &declared->desc.query;
    CnTerm *list = !strcmp(key, "with") ? query->all : key[0] == 'a' ? query->any : query->none;
    CnComponent component = need_component(lua, declared->code, name, &info);
    *free_term(lua, declared, list, key) = (CnTerm){.component = component};
}

static void add_changed(lua_State *lua, Declared *declared, const char *key, const char *name)
{
    CnComponentInfo info;
    CniScriptPluginSystem *system = declared->system;
    CnComponent component = need_component(lua, declared->code, name, &info);
    if (!access_of(declared, component))
        luaL_error(lua, "system %s: changed: %s must also be in reads or writes", system->name,
                   name);
    if (system->changed_count == CN_MAX_TERMS)
        luaL_error(lua, "system %s: %s: at most %d components are possible", system->name, key,
                   (int)CN_MAX_TERMS);
    system->changed[system->changed_count++] = component;
}

static void add_order(lua_State *lua, Declared *declared, const char *key, const char *name)
{
    const char **list = key[0] == 'b' ? declared->desc.before : declared->desc.after;
    uint32_t i = 0;
    while (i < CN_MAX_ORDER && list[i])
        i++;
    if (i == CN_MAX_ORDER)
        luaL_error(lua, "system %s: %s: at most %d names are possible", declared->system->name, key,
                   (int)CN_MAX_ORDER);
    list[i] = name;
}

/* ---- Adding systems ---- */

static CnStage stage_of(lua_State *lua, const Declared *declared)
{
    const char *name = text_of(lua, declared->table, "stage");
    for (CnStage stage = CN_STAGE_PRE_STARTUP; stage <= CN_STAGE_PRE_EXTRACT; stage++)
        if (name && !strcmp(cn_stage_name(stage), name))
            return stage;
    luaL_error(lua,
               "system %s: there is no stage '%s'; the stages of a tick are Input, PreUpdate, "
               "Update, PostUpdate and PreExtract",
               declared->system->name, name ? name : "");
    return CN_STAGE_COUNT;
}

/* All systems of a file declare to write the same component, so no two of them run at once. */
static void add_shared_access(Declared *declared)
{
    CnTerm *access = declared->desc.access;
    access[0] = (CnTerm)cn_writes_id(declared->code->lock);
    access[1] = (CnTerm)cn_reads_id(declared->code->random);
    access[2] = (CnTerm)cn_reads(CnTickInfo);
}

static void bind_views(lua_State *lua, const Declared *declared, uint32_t number)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, declared->code->bind);
    lua_pushnumber(lua, number);
    lua_pushvalue(lua, declared->terms);
    lua_call(lua, 2, 1);
    declared->system->driver = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static bool has_added(const CniScriptPluginCode *code, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (code->systems[i].is_added && !strcmp(code->systems[i].name, name))
            return true;
    return false;
}

/* A name that the world knows is free if it is that of a system that waits for its replacement:
 * one of the replaced code, or of an earlier build of this code. */
static void check_name(lua_State *lua, const CniScriptPluginCode *code, uint32_t number,
                       const char *name)
{
    const CniScriptPluginCode *old = code->replaced;
    bool is_repeated = false;
    for (uint32_t i = 0; i + 1 < number; i++)
        is_repeated = is_repeated || !strcmp(code->systems[i].name, name);
    bool is_waiting = has_added(code, code->system_count, name) ||
                      (old && has_added(old, old->system_count, name));
    if (is_repeated || (cn_system_find(code->world, name).id && !is_waiting))
        luaL_error(lua, "there is already a system named '%s'", name);
}

static void add_system(lua_State *lua, CniScriptPluginCode *code, uint32_t number)
{
    static const char *const access[] = {"reads", "writes", "optionalReads", "optionalWrites"};
    static const char *const conditions[] = {"with", "without", "any"};
    CniScriptPluginSystem *system = &code->systems[number - 1];
    Declared declared = {.code = code, .system = system, .table = lua_gettop(lua)};
    const char *name = text_of(lua, declared.table, "name");
    check_name(lua, code, number, name);
    luaL_unref(lua, LUA_REGISTRYINDEX, system->driver); /* of an earlier build */
    *system = (CniScriptPluginSystem){.code = code,
                                      .driver = LUA_NOREF,
                                      .first_column = code->columns.count,
                                      .is_added = system->is_added};
    cn_copy_text(system->name, sizeof system->name, cn_text(name));
    system->name_hash = cn_hash_bytes(name, strlen(name), 0);
    system->stage = stage_of(lua, &declared);
    declared.desc.name = name;
    declared.desc.run = cni_script_plugin_system_run;
    declared.desc.user = system;
    declared.desc.stage = system->stage;
    declared.desc.set = text_of(lua, declared.table, "set");
    if (declared.desc.set && cn_system_find(code->world, declared.desc.set).id)
        luaL_error(lua, "system %s: '%s' is the name of a set and of a system", name,
                   declared.desc.set);
    lua_newtable(lua);
    declared.terms = lua_gettop(lua);
    for (uint32_t i = 0; i < CN_COUNT_OF(access); i++)
        for_names(lua, &declared, access[i], add_access);
    for (uint32_t i = 0; i < CN_COUNT_OF(conditions); i++)
        for_names(lua, &declared, conditions[i], add_condition);
    for_names(lua, &declared, "changed", add_changed);
    for_names(lua, &declared, "before", add_order);
    for_names(lua, &declared, "after", add_order);
    add_shared_access(&declared);
    bind_views(lua, &declared, number);
    CnError error = {0};
    system->is_added = cn_system_add(code->world, &declared.desc, &error).id != 0;
    if (!system->is_added)
        throw_error(lua, &error);
}

/* Names in `before` and `after` that do not exist would stop every tick. */
static void check_order(lua_State *lua, const CniScriptPluginCode *code)
{
    for (uint32_t i = 0; i < code->system_count; i++) {
        CnError error = {0};
        uint32_t count;
        if (!cn_stage_systems(code->world, code->systems[i].stage, NULL, 0, &count, &error))
            throw_error(lua, &error);
    }
}

static void add_systems(lua_State *lua, CniScriptPluginCode *code, int declarations)
{
    lua_getfield(lua, declarations, "systems");
    int list = lua_gettop(lua);
    uint32_t count = (uint32_t)lua_objlen(lua, list);
    if (!code->systems && count) {
        code->systems = cn_alloc_zeroed(code->allocator, count * sizeof *code->systems);
        if (!code->systems)
            luaL_error(lua, "out of memory");
        code->system_count = count;
        for (uint32_t i = 0; i < count; i++)
            code->systems[i].driver = LUA_NOREF;
    }
    for (uint32_t i = 1; i <= count; i++) {
        lua_rawgeti(lua, list, (int)i);
        add_system(lua, code, i);
        lua_settop(lua, list);
    }
    check_order(lua, code);
}

static void add_lock(lua_State *lua, CniScriptPluginCode *code)
{
    char name[CN_MAX_NAME_BYTES];
    CnError error = {0};
    cn_format(name, sizeof name, "script.lock.%016llx",
              (unsigned long long)cn_hash_bytes(code->path, strlen(code->path), 0));
    static const CnField field = {"unused", CN_FIELD_U8, 1, 0, 1};
    const CnType type = {
        .name = name, .size = 1, .alignment = 1, .fields = &field, .field_count = 1};
    CnComponentDesc desc = {.type = &type, .flags = CN_COMPONENT_TRANSIENT};
    code->lock = cn_component_register(code->world, &desc, &error);
    if (code->lock.id)
        code->random = cn_random_stream(code->world, RANDOM_STREAM, &error);
    if (!code->lock.id || !code->random.id)
        throw_error(lua, &error);
}

static void build(lua_State *lua, CniScriptPluginCode *code, void *user)
{
    (void)user;
    cn_array_clear(&code->columns);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, code->declarations);
    int declarations = lua_gettop(lua);
    add_lock(lua, code);
    add_components(lua, code, declarations);
    collect_names(lua, code);
    add_systems(lua, code, declarations);
}

bool cni_script_plugin_code_build(CniScriptPluginCode *code, CnError *error)
{
    if (cni_script_plugin_protected(code, build, NULL))
        return true;
    if (error)
        *error = code->fault;
    return false;
}

/* Components of objects, and their fields by reflected names. */
#include "script/bind/bind.h"

#include <string.h>

/* ---- Views ---- */

const CniScriptComponentView *cni_script_view_of(lua_State *lua, CniScriptBindings *bound,
                                                 const CnReflectedComponent *reflected)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound->views);
    lua_rawgeti(lua, -1, (int)reflected->component.id);
    CniScriptComponentView *view = lua_touserdata(lua, -1);
    if (view && view->reflected.type == reflected->type) {
        lua_pop(lua, 2);
        return view;
    }
    lua_pop(lua, 1);
    uint32_t count = 0;
    CnReflectedMember item;
    while (cn_reflection_field(bound->world, reflected, count, &item))
        count++;
    view = lua_newuserdata(lua, sizeof *view + count * sizeof *view->items);
    *view = (CniScriptComponentView){.reflected = *reflected, .field_count = count};
    cn_component_info(bound->world, reflected->component, &view->info);
    for (uint32_t i = 0; i < count; i++)
        cn_reflection_field(bound->world, reflected, i, &view->items[i]);
    lua_rawseti(lua, -2, (int)reflected->component.id);
    lua_pop(lua, 1);
    return view;
}

/* Pushes a table of all names, for suggestions. */
static void push_names(lua_State *lua, const CniScriptBindings *bound)
{
    lua_newtable(lua);
    for (uint32_t id = 1; id <= cn_component_limit(bound->world); id++) {
        CnReflectedComponent reflected;
        if (!cn_reflection_of(bound->world, (CnComponent){id}, &reflected))
            continue;
        lua_pushboolean(lua, 1);
        lua_setfield(lua, -2, reflected.name);
    }
}

const CniScriptComponentView *cni_script_check_view(lua_State *lua, CniScriptBindings *bound,
                                                    int index)
{
    size_t size;
    const char *name = luaL_checklstring(lua, index, &size);
    CnReflectedComponent reflected;
    if (CN_UNLIKELY(!cn_reflection_find(bound->world, (CnText){name, size}, &reflected))) {
        push_names(lua, bound);
        luaL_error(lua, "there is no component named '%s'%s", name,
                   cni_script_suggest(lua, lua_gettop(lua), name));
    }
    return cni_script_view_of(lua, bound, &reflected);
}

const CnReflectedMember *cni_script_view_item(const CniScriptComponentView *view, CnText key)
{
    for (uint32_t i = 0; i < view->field_count; i++)
        if (view->items[i].reflected.kind != CN_REFLECTED_HIDDEN &&
            cn_reflected_field_matches(&view->items[i].reflected, key))
            return &view->items[i];
    return NULL;
}

/* ---- Values ---- */

static void push_value(lua_State *lua, CniScriptBindings *bound, const CnReflectedMember *item,
                       const CnReflectedValue *value)
{
    float floats[4];
    switch (value->form) {
    case CN_REFLECTED_NUMBER:
        lua_pushnumber(lua, value->numbers[0]);
        return;
    case CN_REFLECTED_INTEGER:
        lua_pushnumber(lua, value->negative ? (lua_Number)(int64_t)value->integer
                                            : (lua_Number)value->integer);
        return;
    case CN_REFLECTED_BOOL:
        lua_pushboolean(lua, value->boolean);
        return;
    case CN_REFLECTED_TEXT:
        lua_pushlstring(lua, value->text.data, value->text.size);
        return;
    case CN_REFLECTED_ENTITY:
        if (cn_is_alive(bound->world, value->entity))
            cni_script_push_object(lua, value->entity);
        else
            lua_pushnil(lua);
        return;
    case CN_REFLECTED_VECTOR:
        break;
    }
    if (value->count > 4) {
        lua_createtable(lua, (int)value->count, 0);
        for (uint32_t i = 0; i < value->count; i++) {
            lua_pushnumber(lua, value->numbers[i]);
            lua_rawseti(lua, -2, (int)i + 1);
        }
        return;
    }
    for (uint32_t i = 0; i < value->count; i++)
        floats[i] = (float)value->numbers[i];
    bool is_quat = value->count == 4 && item->field->type == CN_FIELD_QUAT;
    cni_script_push_floats(lua, bound,
                           is_quat
                               ? CNI_SCRIPT_CLASS_QUAT
                               : (CniScriptClass)(CNI_SCRIPT_CLASS_VEC2 + (int)value->count - 2),
                           floats);
}

void cni_script_push_field(lua_State *lua, CniScriptBindings *bound, const CnReflectedMember *item,
                           const void *address)
{
    CnReflectedShape shape = cn_reflection_shape(item);
    CnReflectedValue value;
    luaL_checkstack(lua, 4, NULL);
    if (shape.elements == 1) {
        cn_reflection_read(item, address, 0, &value);
        push_value(lua, bound, item, &value);
        return;
    }
    lua_createtable(lua, (int)shape.elements, 0);
    for (uint32_t i = 0; i < shape.elements; i++) {
        cn_reflection_read(item, address, i, &value);
        push_value(lua, bound, item, &value);
        lua_rawseti(lua, -2, (int)i + 1);
    }
}

/* Reads a vector, or a table of this many numbers. */
static void read_numbers(lua_State *lua, const CniScriptBindings *bound, int index,
                         CnReflectedValue *value)
{
    value->form = CN_REFLECTED_VECTOR;
    for (CniScriptClass kind = CNI_SCRIPT_CLASS_VEC2; kind <= CNI_SCRIPT_CLASS_QUAT; kind++) {
        const float *floats = cni_script_to_class(lua, bound, index, kind);
        if (!floats)
            continue;
        value->count = cni_script_floats_of(kind);
        for (uint32_t i = 0; i < value->count; i++)
            value->numbers[i] = (double)floats[i];
        return;
    }
    size_t count = lua_objlen(lua, index);
    value->count = count <= CN_COUNT_OF(value->numbers) ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < value->count; i++) {
        lua_rawgeti(lua, index, (int)i + 1);
        value->numbers[i] = lua_type(lua, -1) == LUA_TNUMBER ? lua_tonumber(lua, -1) : CN_NAN;
        lua_pop(lua, 1);
    }
}

/* Converts a Lua value; returns false if no field can hold it. */
static bool read_value(lua_State *lua, const CniScriptBindings *bound, int index,
                       CnReflectedValueType wanted, CnReflectedValue *value)
{
    *value = (CnReflectedValue){0};
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        *value = cn_reflected_number(lua_tonumber(lua, index));
        return true;
    case LUA_TBOOLEAN:
        *value = cn_reflected_bool(lua_toboolean(lua, index));
        return true;
    case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(lua, index, &size);
        *value = cn_reflected_text((CnText){text, size});
        return true;
    }
    case LUA_TNIL:
        *value = cn_reflected_entity(CN_NO_PARENT);
        return wanted == CN_REFLECTED_ENTITY;
    case LUA_TTABLE:
        read_numbers(lua, bound, index, value);
        return wanted == CN_REFLECTED_VECTOR;
    default:
        break;
    }
    const CniScriptLuaObject *object =
        cni_script_to_class(lua, bound, index, CNI_SCRIPT_CLASS_OBJECT);
    if (object) {
        *value = cn_reflected_entity(object->entity);
        return true;
    }
    read_numbers(lua, bound, index, value);
    return value->count != 0;
}

static void read_element(lua_State *lua, CniScriptBindings *bound, int index,
                         const CniScriptComponentView *view, const CnReflectedMember *item,
                         uint32_t element, void *address)
{
    CnReflectedValue value;
    CnError error = {0};
    if (!read_value(lua, bound, index, cn_reflection_shape(item).form, &value))
        luaL_error(lua, "%s.%s cannot be a %s", view->reflected.name, item->reflected.key,
                   cni_script_type_name(lua, index));
    if (!cn_reflection_write(item, address, element, &value, &error))
        luaL_error(lua, "%s.%s: %s", view->reflected.name, item->reflected.key, error.message);
}

void cni_script_read_field(lua_State *lua, CniScriptBindings *bound, int index,
                           const CniScriptComponentView *view, const CnReflectedMember *item,
                           void *address)
{
    uint32_t elements = cn_reflection_shape(item).elements;
    luaL_checkstack(lua, 8, NULL);
    if (elements == 1) {
        read_element(lua, bound, index, view, item, 0, address);
        return;
    }
    if (!lua_istable(lua, index) || lua_objlen(lua, index) > elements)
        luaL_error(lua, "%s.%s must be a table of at most %d values", view->reflected.name,
                   item->reflected.key, (int)elements);
    uint32_t count = (uint32_t)lua_objlen(lua, index);
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(lua, index, (int)i + 1);
        read_element(lua, bound, lua_gettop(lua), view, item, i, address);
        lua_pop(lua, 1);
    }
}

/* Returns whether a field is in an object with this name: "shape" of "shape.radius". */
static bool is_prefix(const CniScriptComponentView *view, CnText key)
{
    for (uint32_t i = 0; i < view->field_count; i++) {
        const char *other = view->items[i].reflected.key;
        if (view->items[i].reflected.kind != CN_REFLECTED_HIDDEN &&
            !strncmp(other, key.data, key.size) && other[key.size] == '.')
            return true;
    }
    return false;
}

static int no_such_field(lua_State *lua, const CniScriptComponentView *view, const char *key)
{
    lua_newtable(lua);
    for (uint32_t i = 0; i < view->field_count; i++)
        if (view->items[i].reflected.kind != CN_REFLECTED_HIDDEN) {
            lua_pushboolean(lua, 1);
            lua_setfield(lua, -2, view->items[i].reflected.key);
        }
    return luaL_error(lua, "%s has no field '%s'%s", view->reflected.name, key,
                      cni_script_suggest(lua, lua_gettop(lua), key));
}

#define MAX_KEY_BYTES 128u

/* Joins a prefix and the key at `index`; throws if it cannot be a key. */
static CnText join_key(lua_State *lua, const CniScriptComponentView *view, CnText prefix, int index,
                       char key[MAX_KEY_BYTES])
{
    size_t size;
    const char *last;
    char element[16];
    lua_Number number = lua_type(lua, index) == LUA_TNUMBER ? lua_tonumber(lua, index) : 0;
    if (prefix.size && number >= 1 && number <= CN_MAX_FIELDS && number == (int)number) {
        /* An element of an array of structs: from 1 in Lua, from 0 in the key. */
        cn_format(element, sizeof element, "%d", (int)number - 1);
        last = element;
        size = strlen(last);
    } else if (lua_type(lua, index) == LUA_TSTRING) {
        last = lua_tolstring(lua, index, &size);
    } else {
        luaL_error(lua, "fields of %s are accessed by name, not by a %s", view->reflected.name,
                   cni_script_type_name(lua, index));
        return prefix;
    }
    if (prefix.size + size + 2 > MAX_KEY_BYTES || memchr(last, 0, size))
        no_such_field(lua, view, last);
    memcpy(key, prefix.data, prefix.size);
    if (prefix.size)
        key[prefix.size++] = '.';
    memcpy(key + prefix.size, last, size + 1);
    return (CnText){key, prefix.size + size};
}

static void check_applies(lua_State *lua, const CniScriptBindings *bound,
                          const CniScriptComponentView *view, const CnReflectedMember *item,
                          const void *value)
{
    if (!cn_reflection_field_applies(bound->world, &view->reflected, item, value))
        luaL_error(lua, "%s.%s is not available for this value of '%s'", view->reflected.name,
                   item->reflected.key, item->reflected.of_choice);
}

typedef enum Pass {
    READ, /* reads all fields, so that choices are known ... */
    CHECK /* ... when checking which fields belong to them */
} Pass;

/* Reads fields whose keys begin with `prefix`. */
static void read_table(lua_State *lua, CniScriptBindings *bound, int table,
                       const CniScriptComponentView *view, CnText prefix, uint8_t *value, Pass pass)
{
    luaL_checkstack(lua, 8, NULL);
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        char buffer[MAX_KEY_BYTES];
        CnText key = join_key(lua, view, prefix, -2, buffer);
        const CnReflectedMember *item = cni_script_view_item(view, key);
        if (item && pass == CHECK)
            check_applies(lua, bound, view, item, value);
        else if (item)
            cni_script_read_field(lua, bound, lua_gettop(lua), view, item,
                                  value + item->field->offset);
        else if (is_prefix(view, key) && lua_istable(lua, -1))
            read_table(lua, bound, lua_gettop(lua), view, key, value, pass);
        else
            no_such_field(lua, view, key.data);
    }
}

static void read_all(lua_State *lua, CniScriptBindings *bound, int table,
                     const CniScriptComponentView *view, CnText prefix, uint8_t *value)
{
    read_table(lua, bound, table, view, prefix, value, READ);
    read_table(lua, bound, table, view, prefix, value, CHECK);
}

void cni_script_check_value(lua_State *lua, const CniScriptComponentView *view, const void *value)
{
    CnError error = {0};
    if (!cn_reflection_check(&view->reflected, value, &error))
        luaL_error(lua, "%s: %s", view->reflected.name, error.message);
}

void cni_script_read_fields(lua_State *lua, CniScriptBindings *bound, int table,
                            const CniScriptComponentView *view, void *value)
{
    if (!lua_isnoneornil(lua, table)) {
        luaL_checktype(lua, table, LUA_TTABLE);
        read_all(lua, bound, table, view, (CnText){"", 0}, value);
    }
    cni_script_check_value(lua, view, value);
}

void *cni_script_push_default(lua_State *lua, const CniScriptComponentView *view)
{
    size_t size = view->info.size ? view->info.size : 1;
    void *value = lua_newuserdata(lua, size);
    if (view->info.default_value)
        memcpy(value, view->info.default_value, size);
    else
        memset(value, 0, size);
    return value;
}

/* ---- Handles ---- */

typedef struct Handle {
    CnEntity entity;
    const CniScriptComponentView *view;
    CnText prefix; /* of fields; part of a key of the view */
} Handle;

static Handle *push_handle(lua_State *lua, CniScriptBindings *bound, CnEntity entity,
                           const CniScriptComponentView *view, CnText prefix)
{
    Handle *handle = cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_COMPONENT, sizeof *handle);
    *handle = (Handle){entity, view, prefix};
    return handle;
}

void cni_script_push_component(lua_State *lua, CniScriptBindings *bound, CnEntity entity,
                               const CniScriptComponentView *view)
{
    push_handle(lua, bound, entity, view, (CnText){"", 0});
}

static int stale(lua_State *lua, const CniScriptBindings *bound, const Handle *handle)
{
    if (!cn_is_alive(bound->world, handle->entity))
        return luaL_error(lua, "this %s belongs to an object that was destroyed",
                          handle->view->reflected.name);
    return luaL_error(lua, "object '%s' no longer has a %s",
                      cn_object_name(bound->world, handle->entity), handle->view->reflected.name);
}

/* Returns the part of a key of the view that lives as long as the view. */
static CnText lasting_key(const CniScriptComponentView *view, CnText key)
{
    for (uint32_t i = 0; i < view->field_count; i++)
        if (!strncmp(view->items[i].reflected.key, key.data, key.size))
            return (CnText){view->items[i].reflected.key, key.size};
    return (CnText){"", 0};
}

static int component_index(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    const Handle *handle = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_COMPONENT);
    char buffer[MAX_KEY_BYTES];
    CnText key = join_key(lua, handle->view, handle->prefix, 2, buffer);
    const CnReflectedMember *item = cni_script_view_item(handle->view, key);
    if (item) {
        const void *address = cn_get_field(bound->world, handle->entity,
                                           handle->view->reflected.component, item->field);
        if (!address)
            return stale(lua, bound, handle);
        cni_script_push_field(lua, bound, item, address);
        return 1;
    }
    if (!is_prefix(handle->view, key))
        return no_such_field(lua, handle->view, key.data);
    push_handle(lua, bound, handle->entity, handle->view, lasting_key(handle->view, key));
    return 1;
}

/* Writes through a copy, so that a table's check and hooks see every change. */
static int component_newindex(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    const Handle *handle = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_COMPONENT);
    const CniScriptComponentView *view = handle->view;
    cni_script_check_may_change(lua, bound);
    char buffer[MAX_KEY_BYTES];
    CnText key = join_key(lua, view, handle->prefix, 2, buffer);
    const CnReflectedMember *item = cni_script_view_item(view, key);
    if (!item && !(is_prefix(view, key) && lua_istable(lua, 3)))
        return no_such_field(lua, view, key.data);
    uint8_t *value = lua_newuserdata(lua, view->info.size);
    if (!cn_read_component(bound->world, handle->entity, view->reflected.component, value))
        return stale(lua, bound, handle);
    if (item) {
        check_applies(lua, bound, view, item, value);
        cni_script_read_field(lua, bound, 3, view, item, value + item->field->offset);
    } else {
        read_all(lua, bound, 3, view, key, value);
    }
    cni_script_check_value(lua, view, value);
    return cn_set_component(bound->world, handle->entity, view->reflected.component, value)
               ? 0
               : cni_script_throw_out_of_memory(lua);
}

static int component_tostring(lua_State *lua)
{
    const Handle *handle = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_COMPONENT);
    lua_pushfstring(lua, "Component(%s)", handle->view->reflected.name);
    return 1;
}

static int component_eq(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const Handle *a = cni_script_to_class(lua, bound, 1, CNI_SCRIPT_CLASS_COMPONENT),
                 *b = cni_script_to_class(lua, bound, 2, CNI_SCRIPT_CLASS_COMPONENT);
    lua_pushboolean(lua, a && b && a->entity.id == b->entity.id &&
                             a->view->reflected.component.id == b->view->reflected.component.id &&
                             cn_text_equal(a->prefix, b->prefix));
    return 1;
}

static const CniScriptBinding rows[] = {
    {"__index", CNI_SCRIPT_OPERATOR, component_index, NULL, "(field: string): any",
     "Reads a field; vectors and tables are copies."},
    {"__newindex", CNI_SCRIPT_OPERATOR, component_newindex, NULL, "(field: string, value: any)",
     "Writes a field; an invalid value is an error."},
    {"__eq", CNI_SCRIPT_OPERATOR, component_eq, NULL, "(other: Component): boolean",
     "The same component of the same object."},
    {"__tostring", CNI_SCRIPT_OPERATOR, component_tostring, NULL, "(): string",
     "A description for people."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_component = {
    "Component", "A component of an object; its fields are named as in scene files.", rows};

/* ---- Components of an object: methods, and the function getComponent of evol ---- */

int cni_script_object_get_component(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 2);
    if (!cn_has_component(bound->world, entity, view->reflected.component))
        lua_pushnil(lua);
    else
        cni_script_push_component(lua, bound, entity, view);
    return 1;
}

int cni_script_object_has_component(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 2);
    lua_pushboolean(lua, cn_has_component(bound->world, entity, view->reflected.component));
    return 1;
}

/* Returns those of one type, at and below the object. */
static int get_components_below(lua_State *lua, CniScriptBindings *bound, CnEntity object)
{
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 2);
    CnComponent component = view->reflected.component;
    uint32_t count = cn_object_all_with(bound->world, object, component, NULL, 0);
    CnEntity *objects = lua_newuserdata(lua, (count + 1) * sizeof *objects);
    cn_object_all_with(bound->world, object, component, objects, count);
    luaL_checkstack(lua, 8, NULL);
    lua_createtable(lua, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        cni_script_push_component(lua, bound, objects[i], view);
        lua_rawseti(lua, -2, (int)i + 1);
    }
    return 1;
}

int cni_script_object_get_components(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    if (!lua_isnoneornil(lua, 2))
        return get_components_below(lua, bound, entity);
    uint32_t count = cn_entity_components(bound->world, entity, NULL, 0);
    CnComponent *components = lua_newuserdata(lua, (count + 1) * sizeof *components);
    cn_entity_components(bound->world, entity, components, count);
    lua_newtable(lua);
    int n = 0;
    for (uint32_t i = 0; i < count; i++) {
        CnReflectedComponent reflected;
        if (!cn_reflection_of(bound->world, components[i], &reflected))
            continue;
        lua_pushstring(lua, reflected.name);
        lua_rawseti(lua, -2, ++n);
    }
    return 1;
}

/* Returns an object that is alive or pending. */
static CnEntity check_coming(lua_State *lua, const CniScriptBindings *bound)
{
    CnEntity entity = cni_script_check_entity(lua, 1);
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, entity);
    return pending && !pending->destroyed ? entity : cni_script_check_alive(lua, 1);
}

int cni_script_object_add_component(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    lua_settop(lua, 3);
    CnEntity entity = check_coming(lua, bound);
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 2);
    CnComponent component = view->reflected.component;
    cni_script_check_may_change(lua, bound);
    void *value = cni_script_push_default(lua, view);
    cni_script_read_fields(lua, bound, 3, view, value);
    bool done = view->info.size ? cn_set_component(bound->world, entity, component, value)
                                : cn_add_component(bound->world, entity, component);
    if (!done)
        return cni_script_throw_out_of_memory(lua);
    cni_script_settle(lua, bound);
    return 0;
}

int cni_script_object_remove_component(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 2);
    CnComponent component = view->reflected.component;
    cni_script_check_may_change(lua, bound);
    if (component.id == bound->transform.id)
        return luaL_error(lua, "the %s of an object cannot be removed", view->reflected.name);
    if (cn_has_component(bound->world, entity, component) &&
        !cn_remove_component(bound->world, entity, component))
        return cni_script_throw_out_of_memory(lua);
    cni_script_settle(lua, bound);
    return 0;
}

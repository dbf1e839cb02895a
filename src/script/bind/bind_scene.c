/* Creating, finding and destroying objects; switching scenes. */
#include "script/bind/bind.h"

#include <cairn/physics/body.h>
#include <cairn/scene/scene.h>
#include <string.h>

static int get_object(lua_State *lua)
{
    CnEntity found = cn_object_find(cni_script_bindings(lua)->world, luaL_checkstring(lua, 1));
    if (found.id)
        cni_script_push_object(lua, found);
    else
        lua_pushnil(lua);
    return 1;
}

static int goto_scene(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnError error = {0};
    const char *name = luaL_checkstring(lua, 1);
    cni_script_check_may_change(lua, bound);
    return cn_scene_goto(bound->world, name, &error) ? 0 : cni_script_throw(lua, &error);
}

/* ---- Destroying ---- */

int cni_script_object_destroy(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_entity(lua, 1);
    CniScriptPendingObject *pending = cni_script_find_pending(bound, entity);
    CnCommands *commands = cni_script_commands(lua, bound);
    if (!pending && !cn_is_alive(bound->world, entity))
        return cni_script_throw_not_alive(lua, bound, 1, "destroy");
    if (!cn_defer_destroy(commands, entity))
        return cni_script_throw_out_of_memory(lua);
    if (pending)
        pending->destroyed = true;
    return 0;
}

/* ---- Spawning ---- */

#define SPAWN_COST 1000u /* instructions */

/* Pushes the recorded object, or throws. */
static int push_spawned(lua_State *lua, CniScriptBindings *bound, CniScriptPendingObject *pending,
                        CnEntity entity)
{
    if (!entity.id) {
        bound->pending.count--;
        return cni_script_throw_out_of_memory(lua);
    }
    pending->entity = entity;
    cni_script_push_object(lua, entity);
    CniScriptLuaObject *object = lua_touserdata(lua, -1);
    cn_copy_text(object->name, sizeof object->name, cn_text(pending->object.name));
    return 1;
}

static void read_name(lua_State *lua, int table, char name[CN_OBJECT_NAME_BYTES])
{
    lua_getfield(lua, table, "name");
    size_t size = 6;
    const char *given = "Object";
    if (!lua_isnil(lua, -1)) {
        given = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : NULL;
        if (!given || !cn_object_name_valid((CnText){given, size}))
            luaL_error(lua, "spawn: a name must be 1 to %d bytes of UTF-8 without '/'",
                       (int)CN_OBJECT_NAME_BYTES - 1);
    }
    memcpy(name, given, size);
    memset(name + size, 0, CN_OBJECT_NAME_BYTES - size);
    lua_pop(lua, 1);
}

static bool read_vector(lua_State *lua, const CniScriptBindings *bound, int table, const char *key,
                        CniScriptClass kind, float *into)
{
    lua_getfield(lua, table, key);
    bool given = !lua_isnil(lua, -1);
    const float *floats = given ? cni_script_to_class(lua, bound, -1, kind) : NULL;
    if (given && !floats)
        luaL_error(lua, "spawn: '%s' must be a %s", key, cni_script_class_name(kind));
    if (floats && !cni_script_all_finite(floats, cni_script_floats_of(kind)))
        luaL_error(lua, "spawn: '%s' is not finite", key);
    if (floats)
        memcpy(into, floats, cni_script_floats_of(kind) * sizeof *into);
    lua_pop(lua, 1);
    return given;
}

static void read_transform(lua_State *lua, const CniScriptBindings *bound, int table,
                           CnTransform *transform)
{
    CnVec3 euler;
    read_vector(lua, bound, table, "position", CNI_SCRIPT_CLASS_VEC3, &transform->position.x);
    read_vector(lua, bound, table, "scale", CNI_SCRIPT_CLASS_VEC3, &transform->scale.x);
    if (read_vector(lua, bound, table, "rotation", CNI_SCRIPT_CLASS_QUAT, &transform->rotation.x) &&
        !cn_quat_make_unit(&transform->rotation))
        luaL_error(lua, "spawn: 'rotation' cannot be a Quat of zeros");
    if (read_vector(lua, bound, table, "eulerAngles", CNI_SCRIPT_CLASS_VEC3, &euler.x))
        transform->rotation = cn_quat_from_euler(euler);
}

static bool is_own_key(const char *key)
{
    static const char *const keys[] = {"name",  "parent",   "enabled",    "position",
                                       "scale", "rotation", "eulerAngles"};
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        if (!strcmp(keys[i], key))
            return true;
    return false;
}

#define MAX_SPAWN_VALUES (CN_MAX_VALUES - 3u) /* in addition to those of every object */

/* All other keys are components; `anchor` keeps the buffers with their values alive. The
 * iteration order of the table does not affect the world: the components of a spawn are a set. */
static uint32_t read_components(lua_State *lua, CniScriptBindings *bound, int table, int anchor,
                                CnTransform *transform, CnValue *values)
{
    uint32_t count = 0;
    int key = lua_gettop(lua) + 1;
    for (lua_pushnil(lua); lua_next(lua, table); lua_settop(lua, key)) {
        if (lua_type(lua, key) != LUA_TSTRING)
            luaL_error(lua, "spawn: keys must be names, not %s", cni_script_type_name(lua, key));
        if (is_own_key(lua_tostring(lua, key)))
            continue;
        if (count == MAX_SPAWN_VALUES)
            luaL_error(lua, "spawn: more than %d components", (int)MAX_SPAWN_VALUES);
        const CniScriptComponentView *view = cni_script_check_view(lua, bound, key);
        void *value = cni_script_push_default(lua, view);
        if (lua_isboolean(lua, key + 1) && lua_toboolean(lua, key + 1))
            lua_pushnil(lua); /* true: with its defaults */
        else
            lua_pushvalue(lua, key + 1);
        cni_script_read_fields(lua, bound, key + 3, view, value);
        if (view->reflected.component.id == bound->transform.id) {
            memcpy(transform, value, sizeof *transform);
            continue;
        }
        values[count++] = (CnValue){.component = view->reflected.component,
                                    .data = view->info.size ? value : NULL};
        lua_settop(lua, key + 2);
        lua_rawseti(lua, anchor, (int)count);
    }
    return count;
}

/* Sandboxed scripts cannot fill up the world: objects count when their creation is recorded. */
static void take_room(lua_State *lua, CniScriptBindings *bound, uint64_t objects)
{
    if (!cni_script_is_sandboxed(lua))
        return;
    uint64_t tick = cni_script_tick_now(bound);
    if (bound->spawn_tick != tick)
        bound->spawned = 0;
    bound->spawn_tick = tick;
    if (cn_entity_count(bound->world) + bound->spawned + objects > CNI_SCRIPT_MAX_OBJECTS)
        luaL_error(lua, "there are more than %d objects", (int)CNI_SCRIPT_MAX_OBJECTS);
    bound->spawned += objects;
}

static int spawn(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnCommands *commands = cni_script_commands(lua, bound);
    take_room(lua, bound, 1);
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    cni_script_budget_charge(lua, SPAWN_COST);
    char name[CN_OBJECT_NAME_BYTES];
    read_name(lua, 1, name);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    CnValue values[MAX_SPAWN_VALUES];
    lua_newtable(lua);
    uint32_t count = read_components(lua, bound, 1, 2, &transform, values);
    read_transform(lua, bound, 1, &transform);
    lua_getfield(lua, 1, "enabled");
    bool disabled = lua_isboolean(lua, -1) && !lua_toboolean(lua, -1);
    lua_getfield(lua, 1, "parent");
    CnEntity parent = cni_script_check_parent(lua, bound, lua_gettop(lua));
    CniScriptPendingObject *pending = cni_script_add_pending(lua, bound);
    pending->parent = parent;
    pending->transform = transform;
    memcpy(pending->object.name, name, sizeof name);
    pending->object.enabled = !disabled;
    CnObjectDesc desc = {.name = name,
                         .parent = parent,
                         .transform = &transform,
                         .disabled = disabled,
                         .values = values,
                         .value_count = count};
    return push_spawned(lua, bound, pending, cn_defer_object(commands, &desc));
}

/* Instructions for reading and recording a prefab, whether it is cached or not: the state of a
 * world does not depend on the cache. */
static uint64_t prefab_instructions(const CnPrefabCost *cost)
{
    return 10 * SPAWN_COST + cost->text_bytes + cost->objects * SPAWN_COST;
}

/* Reads a prefab within what the script has left, charges it, and takes room for its objects. */
static void prepare_prefab(lua_State *lua, CniScriptBindings *bound, const char *path)
{
    uint64_t left = cni_script_budget_left(lua);
    CnPrefabCost limit = {left, left / SPAWN_COST}, cost;
    CnError error = {0};
    uint32_t objects = cn_prefab_load(bound->world, bound->scripts->desc->files, path,
                                      left == UINT64_MAX ? NULL : &limit, &cost, &error);
    cni_script_budget_charge(lua, prefab_instructions(&cost));
    if (!objects)
        cni_script_throw(lua, &error);
    take_room(lua, bound, objects);
}

static int load_prefab(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnCommands *commands = cni_script_commands(lua, bound);
    const char *path = luaL_checkstring(lua, 1);
    CnEntity parent = cni_script_check_parent(lua, bound, 2);
    prepare_prefab(lua, bound, path);
    CniScriptPendingObject *pending = cni_script_add_pending(lua, bound);
    pending->parent = parent;
    CnError error = {0};
    CnEntity entity = cn_defer_prefab(commands, bound->scripts->desc->files, path, parent, &error);
    if (!entity.id) {
        bound->pending.count--;
        return cni_script_throw(lua, &error);
    }
    cn_prefab_root(bound->world, path, &pending->object, &pending->transform);
    return push_spawned(lua, bound, pending, entity);
}

/* ---- Cloning ---- */

typedef struct CopyPair {
    CnEntity original, copy;
} CopyPair;

/* Maps originals to copies; a userdata on the stack. */
typedef struct Clone {
    CniScriptBindings *bound;
    CnCommands *commands;
    CopyPair *pairs;
    uint32_t count;
} Clone;

static CnEntity copy_of(const Clone *clone, CnEntity original)
{
    for (uint32_t i = clone->count; original.id && i-- > 0;) /* parents are near the end */
        if (clone->pairs[i].original.id == original.id)
            return clone->pairs[i].copy;
    return original;
}

static CnEntity next_below(const CnWorld *world, CnEntity root, CnEntity entity)
{
    CnEntity next = cn_first_child(world, entity);
    while (!next.id && entity.id != root.id) {
        next = cn_next_sibling(world, entity);
        entity = cn_parent(world, entity);
    }
    return next;
}

static bool is_copied(const CniScriptBindings *bound, CnComponent component,
                      const CnComponentInfo *info)
{
    const CnWorld *world = bound->world;
    bool opaque = info->size && !info->field_count;
    return !opaque && !(info->flags & CN_COMPONENT_TRANSIENT) &&
           component.id != cn_component_of(world, &cn_type_CnNode).id &&
           component.id != cn_component_of(world, &cn_type_CnInactive).id &&
           component.id != cn_component_of(world, &cn_type_CnBodyState).id;
}

/* References within the copied objects refer to the copies. */
static void remap(const Clone *clone, const CnComponentInfo *info, uint8_t *value)
{
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        if (field->type != CN_FIELD_ENTITY)
            continue;
        CnEntity *entities = (CnEntity *)(void *)(value + field->offset);
        for (uint32_t i = 0; i < field->count; i++)
            entities[i] = copy_of(clone, entities[i]);
    }
}

/* Records the components of a copy one by one; the flush combines them into one move. */
static void copy_components(lua_State *lua, const Clone *clone, const CopyPair *pair)
{
    const CniScriptBindings *bound = clone->bound;
    int top = lua_gettop(lua);
    uint32_t count = cn_entity_components(bound->world, pair->original, NULL, 0);
    CnComponent *components = lua_newuserdata(lua, (count + 1) * sizeof *components);
    cn_entity_components(bound->world, pair->original, components, count);
    for (uint32_t i = 0; i < count; i++) {
        CnComponentInfo info;
        cn_component_info(bound->world, components[i], &info);
        if (!is_copied(bound, components[i], &info))
            continue;
        uint8_t *value = lua_newuserdata(lua, info.size + 1);
        cn_read_component(bound->world, pair->original, components[i], value);
        remap(clone, &info, value);
        if (components[i].id == bound->object.id)
            ((CnObject *)(void *)value)->uid = ((CnObject *)(void *)value)->creation_order = 0;
        bool done = info.size
                        ? cn_defer_set_component(clone->commands, pair->copy, components[i], value)
                        : cn_defer_add_component(clone->commands, pair->copy, components[i]);
        if (!done)
            cni_script_throw_out_of_memory(lua);
        lua_settop(lua, top + 1);
    }
    lua_settop(lua, top);
}

/* Spawns an empty entity for each original, then fills them. */
static CnEntity clone_tree(lua_State *lua, CniScriptBindings *bound, CnEntity root, CnEntity parent)
{
    Clone clone = {bound, cni_script_commands(lua, bound), NULL, 0};
    uint32_t size = 0;
    for (CnEntity e = root; e.id; e = next_below(bound->world, root, e))
        size++;
    cni_script_budget_charge(lua, (uint64_t)size * SPAWN_COST);
    take_room(lua, bound, size);
    clone.pairs = lua_newuserdata(lua, size * sizeof *clone.pairs);
    for (CnEntity e = root; e.id; e = next_below(bound->world, root, e)) {
        CnEntity copy = cn_defer_spawn_values(clone.commands, NULL, 0);
        CnEntity above = e.id == root.id ? parent : copy_of(&clone, cn_parent(bound->world, e));
        if (!copy.id || (above.id && !cn_defer_set_parent(clone.commands, copy, above)))
            cni_script_throw_out_of_memory(lua);
        clone.pairs[clone.count++] = (CopyPair){e, copy};
    }
    for (uint32_t i = 0; i < clone.count; i++)
        copy_components(lua, &clone, &clone.pairs[i]);
    return clone.pairs[0].copy;
}

int cni_script_object_clone(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity original = cni_script_check_alive(lua, 1);
    CnEntity parent = lua_isnoneornil(lua, 2) ? cn_parent(bound->world, original)
                                              : cni_script_check_parent(lua, bound, 2);
    CniScriptPendingObject *pending = cni_script_add_pending(lua, bound);
    bound->pending.count--; /* until nothing can fail any more; the room is reserved */
    CnEntity copy = clone_tree(lua, bound, original, parent);
    bound->pending.count++;
    const CnTransform *transform = cn_get_component(bound->world, original, bound->transform);
    if (transform)
        pending->transform = *transform;
    pending->parent = parent;
    const CnObject *object = cn_get_component(bound->world, original, bound->object);
    if (object)
        pending->object = *object;
    pending->object.uid = pending->object.creation_order = 0;
    return push_spawned(lua, bound, pending, copy);
}

static const CniScriptBinding rows[] = {
    {"getObject", CNI_SCRIPT_FUNCTION, get_object, NULL, "(path: string): Object?",
     "The object at a path from a root: getObject(\"Car/Wheel\"); nil when there is none."},
    {"gotoScene", CNI_SCRIPT_FUNCTION, goto_scene, NULL, "(name: string)",
     "Switches to another scene at the end of this tick."},
    {"loadPrefab", CNI_SCRIPT_FUNCTION, load_prefab, NULL,
     "(path: string, parent?: Object): Object",
     "Creates an object from a prefab file; it exists after the scripts of this stage have run."},
    {"spawn", CNI_SCRIPT_FUNCTION, spawn, NULL, "(values: table): Object",
     "Creates an object from a name, parent, position and so on, and components by name; it "
     "exists after the scripts of "
     "this stage have run."},
    {"destroyObject", CNI_SCRIPT_FUNCTION, cni_script_object_destroy, NULL, "(object: Object)",
     "Same as object:destroy()."},
    {"getComponent", CNI_SCRIPT_FUNCTION, cni_script_object_get_component, NULL,
     "(object: Object, name: string): Component?", "Same as object:getComponent(name)."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_scene = {NULL, "Objects and scenes", rows};

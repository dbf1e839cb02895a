/* Creating, finding and destroying objects; switching scenes. */
#include "script/bind/bind.h"

#include <cairn/physics/body.h>
#include <cairn/scene/scene.h>
#include <string.h>

#define SEARCH_COST 20u /* instructions, and two for each object that is looked at */

/* Charges a search by what it costs; for getChild, too. */
CnEntity cni_script_search(lua_State *lua, const CniScriptBindings *bound, CnEntity from,
                           const char *path)
{
    uint32_t steps;
    CnEntity found = cn_object_search(bound->world, from, path, &steps);
    cni_script_budget_charge(lua, SEARCH_COST + 2ull * steps);
    return found;
}

static int get_object(lua_State *lua)
{
    CnEntity found =
        cni_script_search(lua, cni_script_bindings(lua), CN_NO_PARENT, luaL_checkstring(lua, 1));
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

#define DESTROY_COST 50u /* instructions */

int cni_script_object_destroy(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_entity(lua, 1);
    CniScriptPendingObject *pending = cni_script_find_pending(bound, entity);
    cni_script_check_may_change(lua, bound);
    if (!pending && !cn_is_alive(bound->world, entity))
        return cni_script_throw_not_alive(lua, bound, 1, "destroy");
    cni_script_budget_charge(lua, DESTROY_COST);
    bool done = bound->scripts->in_hook ? cn_destroy(bound->world, entity)
                                        : cni_script_destroy_later(bound->scripts, entity);
    if (pending)
        pending->destroyed = true;
    return done || pending ? 0 : cni_script_throw_out_of_memory(lua);
}

/* ---- Room: the scripts of one sandboxed owner cannot fill up the world ---- */

static CnEntity *spawned_at(const CniScriptBindings *bound, uint32_t index)
{
    return (CnEntity *)bound->spawned.items + index;
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

static uint32_t count_tree(const CnWorld *world, CnEntity root)
{
    uint32_t count = 0;
    for (CnEntity entity = root; entity.id; entity = next_below(world, root, entity))
        count++;
    return count;
}

/* Forgets objects that do not exist any more. In a hook, new ones do not exist yet. */
static void forget_destroyed(lua_State *lua, CniScriptBindings *bound)
{
    uint32_t kept = 0;
    cni_script_budget_charge(lua, bound->spawned.count / 2);
    for (uint32_t i = 0; i < bound->spawned.count; i++) {
        CnEntity entity = *spawned_at(bound, i);
        if (cn_is_alive(bound->world, entity) || cni_script_find_pending(bound, entity))
            *spawned_at(bound, kept++) = entity;
    }
    bound->spawned.count = kept;
}

static void take_room(lua_State *lua, CniScriptBindings *bound, uint64_t objects)
{
    if (!cni_script_is_sandboxed(lua))
        return;
    if (bound->spawned.count + objects > CNI_SCRIPT_MAX_OBJECTS)
        forget_destroyed(lua, bound);
    const CniScriptPendingObject *pending = bound->pending.items;
    for (uint32_t i = 0; i < bound->pending.count; i++)
        objects += cn_is_alive(bound->world, pending[i].entity) ? 0 : pending[i].objects - 1;
    if (bound->spawned.count + objects > CNI_SCRIPT_MAX_OBJECTS)
        luaL_error(lua, "there are more than %d objects that scripts of this owner created",
                   (int)CNI_SCRIPT_MAX_OBJECTS);
    cni_script_lua_array_reserve(lua, &bound->spawned, sizeof(CnEntity),
                                 bound->spawned.count + (uint32_t)objects);
}

/* Lists what was created; there is room. Below an object that does not exist yet, nothing is
 * listed: it is counted as pending. */
static void list_created(lua_State *lua, CniScriptBindings *bound, CnEntity root)
{
    if (!cni_script_is_sandboxed(lua))
        return;
    for (CnEntity entity = root; entity.id && bound->spawned.count < bound->spawned.capacity;
         entity = cn_is_alive(bound->world, root) ? next_below(bound->world, root, entity)
                                                  : CN_NO_PARENT)
        *spawned_at(bound, bound->spawned.count++) = entity;
}

/* ---- Creating ---- */

#define SPAWN_COST 1000u /* instructions */

/* Returns the record of an object that is about to be created in a hook; NULL outside of hooks. */
static CniScriptPendingObject *add_pending(lua_State *lua, CniScriptBindings *bound,
                                           CnEntity parent, uint32_t objects)
{
    if (!bound->scripts->in_hook)
        return NULL;
    CniScriptPendingObject *pending = cni_script_add_pending(lua, bound);
    pending->parent = parent;
    pending->objects = objects;
    return pending;
}

/* Pushes a new object, or throws the error if it was not created. */
static int push_created(lua_State *lua, CniScriptBindings *bound, CniScriptPendingObject *pending,
                        CnEntity entity, const CnError *error)
{
    if (!entity.id) {
        bound->pending.count -= pending != NULL;
        return cni_script_throw(lua, error);
    }
    if (pending)
        pending->entity = entity;
    list_created(lua, bound, entity);
    cni_script_settle(lua, bound);
    cni_script_push_object(lua, entity);
    CniScriptLuaObject *object = lua_touserdata(lua, -1);
    if (pending)
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
    static const char *const keys[] = {"name",        "parent",   "enabled",
                                       "position",    "scale",    "rotation",
                                       "eulerAngles", "velocity", "angularVelocity"};
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

static bool has_dynamic_body(const CniScriptBindings *bound, const CnValue *values, uint32_t count)
{
    CnComponent body = cn_component_of(bound->world, &cn_type_CnRigidbody);
    for (uint32_t i = 0; i < count; i++)
        if (values[i].component.id == body.id)
            return ((const CnRigidbody *)values[i].data)->kind == CN_BODY_DYNAMIC;
    return false;
}

static CnBodyState resting_body(const CniScriptBindings *bound)
{
    CnComponentInfo info;
    CnBodyState state = {0};
    if (cn_component_info(bound->world, cn_component_of(bound->world, &cn_type_CnBodyState),
                          &info) &&
        info.default_value)
        memcpy(&state, info.default_value, sizeof state);
    return state;
}

/* Adds the state of the body if the table gives it a velocity. Returns the new count of values. */
static uint32_t read_velocity(lua_State *lua, const CniScriptBindings *bound, int table,
                              CnBodyState *state, CnValue *values, uint32_t count)
{
    CnVec3 velocity = {0, 0, 0}, angular = {0, 0, 0};
    bool given = read_vector(lua, bound, table, "velocity", CNI_SCRIPT_CLASS_VEC3, &velocity.x);
    given |= read_vector(lua, bound, table, "angularVelocity", CNI_SCRIPT_CLASS_VEC3, &angular.x);
    if (!given)
        return count;
    if (!has_dynamic_body(bound, values, count))
        luaL_error(lua, "spawn: a velocity requires a RigidbodyComponent that is Dynamic");
    *state = resting_body(bound);
    for (uint32_t i = 0; i < 3; i++) {
        state->velocity[i] = (double)(&velocity.x)[i];
        state->angular_velocity[i] = (double)(&angular.x)[i];
    }
    values[count++] = (CnValue){.type = &cn_type_CnBodyState, .data = state};
    return count;
}

static int spawn(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    take_room(lua, bound, 1);
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    cni_script_budget_charge(lua, SPAWN_COST);
    char name[CN_OBJECT_NAME_BYTES];
    read_name(lua, 1, name);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    CnBodyState body;
    CnValue values[MAX_SPAWN_VALUES + 1];
    lua_newtable(lua);
    uint32_t count = read_components(lua, bound, 1, 2, &transform, values);
    count = read_velocity(lua, bound, 1, &body, values, count);
    read_transform(lua, bound, 1, &transform);
    lua_getfield(lua, 1, "enabled");
    bool disabled = lua_isboolean(lua, -1) && !lua_toboolean(lua, -1);
    lua_getfield(lua, 1, "parent");
    CnEntity parent = cni_script_check_parent(lua, bound, lua_gettop(lua));
    CniScriptPendingObject *pending = add_pending(lua, bound, parent, 1);
    if (pending) {
        pending->transform = transform;
        memcpy(pending->object.name, name, sizeof name);
        pending->object.enabled = !disabled;
    }
    CnObjectDesc desc = {.name = name,
                         .parent = parent,
                         .transform = &transform,
                         .disabled = disabled,
                         .values = values,
                         .value_count = count};
    CnError error = {0};
    return push_created(lua, bound, pending, cn_object_create(bound->world, &desc, &error), &error);
}

/* Instructions for reading and creating a prefab, whether it is cached or not: the state of a
 * world does not depend on the cache. */
static uint64_t prefab_instructions(const CnPrefabCost *cost)
{
    return 10 * SPAWN_COST + cost->text_bytes + cost->objects * SPAWN_COST;
}

/* Reads a prefab within what the script has left, charges it, and checks that there is room for its
 * objects. Returns their number. */
static uint32_t prepare_prefab(lua_State *lua, CniScriptBindings *bound, const char *path)
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
    return objects;
}

static int load_prefab(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    const char *path = luaL_checkstring(lua, 1);
    CnEntity parent = cni_script_check_parent(lua, bound, 2);
    uint32_t objects = prepare_prefab(lua, bound, path);
    CniScriptPendingObject *pending = add_pending(lua, bound, parent, objects);
    CnError error = {0};
    CnEntity entity =
        cn_prefab_spawn(bound->world, bound->scripts->desc->files, path, parent, &error);
    if (pending && entity.id)
        cn_prefab_root(bound->world, path, &pending->object, &pending->transform);
    return push_created(lua, bound, pending, entity, &error);
}

/* ---- Cloning ---- */

/* Bodies of copies are at rest. `bodies` has room for them. */
static void stop_bodies(const CniScriptBindings *bound, CnEntity copy, CnEntity *bodies,
                        uint32_t capacity)
{
    CnComponent component = cn_component_of(bound->world, &cn_type_CnBodyState);
    CnBodyState state = resting_body(bound);
    uint32_t count = cn_object_all_with(bound->world, copy, component, bodies, capacity);
    for (uint32_t i = 0; i < count; i++)
        cn_set_component(bound->world, bodies[i], component, &state);
}

static void copy_root(const CniScriptBindings *bound, CnEntity original,
                      CniScriptPendingObject *pending)
{
    const CnTransform *transform = cn_get_component(bound->world, original, bound->transform);
    const CnObject *object = cn_get_component(bound->world, original, bound->object);
    if (transform)
        pending->transform = *transform;
    if (object)
        pending->object = *object;
    pending->object.uid = pending->object.creation_order = 0;
}

int cni_script_object_clone(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity original = cni_script_check_alive(lua, 1);
    cni_script_check_may_change(lua, bound);
    CnEntity parent = lua_isnoneornil(lua, 2) ? cn_parent(bound->world, original)
                                              : cni_script_check_parent(lua, bound, 2);
    uint32_t count = count_tree(bound->world, original);
    cni_script_budget_charge(lua, (uint64_t)count * SPAWN_COST);
    take_room(lua, bound, count);
    CnEntity *bodies = lua_newuserdata(lua, count * sizeof *bodies);
    CniScriptPendingObject *pending = add_pending(lua, bound, parent, count);
    if (pending)
        copy_root(bound, original, pending);
    CnError error = {0};
    CnEntity copy = cn_object_clone(bound->world, original, parent, &error);
    if (copy.id && !pending)
        stop_bodies(bound, copy, bodies, count);
    return push_created(lua, bound, pending, copy, &error);
}

static const CniScriptBinding rows[] = {
    {"getObject", CNI_SCRIPT_FUNCTION, get_object, NULL, "(path: string): Object?",
     "The object at a path from a root: getObject(\"Car/Wheel\"); nil when there is none."},
    {"gotoScene", CNI_SCRIPT_FUNCTION, goto_scene, NULL, "(name: string)",
     "Switches to another scene at the end of this tick."},
    {"loadPrefab", CNI_SCRIPT_FUNCTION, load_prefab, NULL,
     "(path: string, parent?: Object): Object", "Creates an object from a prefab file."},
    {"spawn", CNI_SCRIPT_FUNCTION, spawn, NULL, "(values: table): Object",
     "Creates an object from properties such as name, parent, position and velocity, and components "
     "by name."},
    {"destroyObject", CNI_SCRIPT_FUNCTION, cni_script_object_destroy, NULL, "(object: Object)",
     "Same as object:destroy()."},
    {"getComponent", CNI_SCRIPT_FUNCTION, cni_script_object_get_component, NULL,
     "(object: Object, name: string): Component?", "Same as object:getComponent(name)."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_scene = {NULL, "Objects and scenes", rows};

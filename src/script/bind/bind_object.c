/* Objects, such as `this`. */
#include "script/bind/bind.h"

#include <cairn/base/linear.h>
#include <string.h>

/* ---- Userdata ---- */

static void note_name(const CniScriptBindings *bound, CniScriptLuaObject *object)
{
    const char *name = cn_object_name(bound->world, object->entity);
    if (name[0])
        cn_copy_text(object->name, sizeof object->name, cn_text(name));
}

void cni_script_push_object(lua_State *lua, CnEntity entity)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    luaL_checkstack(lua, 4, NULL);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound->objects);
    int index = (int)cn_entity_index(entity);
    lua_rawgeti(lua, -1, index);
    const CniScriptLuaObject *known = lua_touserdata(lua, -1);
    if (known && known->entity.id == entity.id) {
        lua_remove(lua, -2);
        return;
    }
    lua_pop(lua, 1);
    CniScriptLuaObject *object =
        cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_OBJECT, sizeof *object);
    *object = (CniScriptLuaObject){.entity = entity};
    note_name(bound, object);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -3, index);
    lua_remove(lua, -2);
}

static void push_object_or_nil(lua_State *lua, CnEntity entity)
{
    if (entity.id)
        cni_script_push_object(lua, entity);
    else
        lua_pushnil(lua);
}

/* ---- Objects that were created in a hook and do not exist yet ---- */

CniScriptPendingObject *cni_script_find_pending(const CniScriptBindings *bound, CnEntity entity)
{
    CniScriptPendingObject *items = bound->pending.items;
    for (uint32_t i = bound->pending.count; i-- > 0;)
        if (items[i].entity.id == entity.id)
            return cn_is_alive(bound->world, entity) ? NULL : &items[i];
    return NULL;
}

CniScriptPendingObject *cni_script_add_pending(lua_State *lua, CniScriptBindings *bound)
{
    CniScriptPendingObject *pending =
        cni_script_lua_array_push(lua, &bound->pending, sizeof *pending);
    *pending = (CniScriptPendingObject){.object = {.enabled = true},
                                        .transform = CN_TRANSFORM_IDENTITY,
                                        .tick = cni_script_tick_now(bound)};
    return pending;
}

void cni_script_forget_pending(CniScriptBindings *bound, uint64_t tick)
{
    CniScriptPendingObject *items = bound->pending.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bound->pending.count; i++)
        if (items[i].tick == tick)
            items[kept++] = items[i];
    bound->pending.count = kept;
}

int cni_script_throw_not_alive(lua_State *lua, const CniScriptBindings *bound, int index,
                               const char *what)
{
    const CniScriptLuaObject *object = lua_touserdata(lua, index);
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, object->entity);
    if (pending && !pending->destroyed)
        return luaL_error(
            lua,
            "object '%s' was just created by on_destroy: '%s' is available after it has returned",
            pending->object.name, what);
    return luaL_error(lua, "object '%s' was destroyed: '%s' is not available",
                      pending ? pending->object.name : object->name, what);
}

CnEntity cni_script_check_entity(lua_State *lua, int index)
{
    const CniScriptLuaObject *object = cni_script_check_class(lua, index, CNI_SCRIPT_CLASS_OBJECT);
    return object->entity;
}

CnEntity cni_script_check_alive(lua_State *lua, int index)
{
    CnEntity entity = cni_script_check_entity(lua, index);
    if (CN_UNLIKELY(!cn_is_alive(cni_script_bindings(lua)->world, entity)))
        cni_script_throw_not_alive(lua, cni_script_bindings(lua), index,
                                   cni_script_running_name(lua));
    return entity;
}

void cni_script_settle(lua_State *lua, const CniScriptBindings *bound)
{
    if (!bound->scripts->in_hook && !cn_flush_hooks(bound->world))
        cni_script_throw_out_of_memory(lua);
}

/* Getters and setters receive an object at 1 and the name of the property at 2. */
static CniScriptLuaObject *self_of(lua_State *lua)
{
    return lua_touserdata(lua, 1);
}

static CnEntity alive_self(lua_State *lua, const CniScriptBindings *bound)
{
    CnEntity entity = self_of(lua)->entity;
    if (CN_UNLIKELY(!cn_is_alive(bound->world, entity)))
        cni_script_throw_not_alive(lua, bound, 1, lua_tostring(lua, 2));
    return entity;
}

/* Returns NULL if it exists or was destroyed. */
static CniScriptPendingObject *pending_self(lua_State *lua, const CniScriptBindings *bound)
{
    CniScriptPendingObject *pending = cni_script_find_pending(bound, self_of(lua)->entity);
    return pending && !pending->destroyed ? pending : NULL;
}

/* ---- Identity ---- */

static int get_name(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptPendingObject *pending = pending_self(lua, bound);
    lua_pushstring(lua, pending ? pending->object.name
                                : cn_object_name(bound->world, alive_self(lua, bound)));
    return 1;
}

/* Writes name or enabled of an object that does not exist yet: hooks assign its uid when it is
 * added. */
static int write_pending(lua_State *lua, const CniScriptBindings *bound,
                         const CniScriptPendingObject *pending)
{
    bool done = cn_set_component(bound->world, pending->entity, bound->object, &pending->object);
    return done ? 0 : cni_script_throw_out_of_memory(lua);
}

static int set_name(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    size_t size;
    const char *name = lua_type(lua, 3) == LUA_TSTRING ? lua_tolstring(lua, 3, &size) : NULL;
    if (!name)
        return cni_script_throw_bad_value(lua, "string");
    if (!cn_object_name_valid((CnText){name, size}))
        return luaL_error(lua, "the name of an object must be 1 to %d bytes of UTF-8 without '/'",
                          (int)CN_OBJECT_NAME_BYTES - 1);
    CniScriptPendingObject *pending = pending_self(lua, bound);
    if (pending) {
        memset(pending->object.name, 0, sizeof pending->object.name);
        memcpy(pending->object.name, name, size);
        return write_pending(lua, bound, pending);
    }
    CnError error = {0};
    if (!cn_object_rename(bound->world, alive_self(lua, bound), name, &error))
        return cni_script_throw(lua, &error);
    note_name(bound, self_of(lua));
    return 0;
}

static int get_path(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    char path[CN_OBJECT_PATH_BYTES];
    if (!cn_object_path(bound->world, alive_self(lua, bound), path, sizeof path))
        return luaL_error(lua, "the path of '%s' is too long", self_of(lua)->name);
    lua_pushstring(lua, path);
    return 1;
}

static int get_uid(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    lua_pushnumber(lua, (lua_Number)cn_object_uid(bound->world, alive_self(lua, bound)));
    return 1;
}

static int get_enabled(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptPendingObject *pending = pending_self(lua, bound);
    lua_pushboolean(lua, pending ? pending->object.enabled
                                 : cn_object_is_enabled(bound->world, alive_self(lua, bound)));
    return 1;
}

/* The tag CnInactive is updated in PostUpdate. */
static int set_enabled(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    if (!lua_isboolean(lua, 3))
        return cni_script_throw_bad_value(lua, "boolean");
    CniScriptPendingObject *pending = pending_self(lua, bound);
    if (pending) {
        pending->object.enabled = lua_toboolean(lua, 3);
        return write_pending(lua, bound, pending);
    }
    CnEntity entity = alive_self(lua, bound);
    CnObject *object = cn_get_component_mut(bound->world, entity, bound->object);
    if (!object)
        return luaL_error(lua, "this entity has no name and cannot be enabled or disabled");
    object->enabled = lua_toboolean(lua, 3);
    return 0;
}

static int get_active(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    lua_pushboolean(lua, cn_object_is_active(bound->world, alive_self(lua, bound)));
    return 1;
}

static int get_alive(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = self_of(lua)->entity;
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, entity);
    lua_pushboolean(lua, cn_is_alive(bound->world, entity) || (pending && !pending->destroyed));
    return 1;
}

static int get_state(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    if (!cni_script_push_state(lua, alive_self(lua, bound)))
        lua_pushnil(lua);
    return 1;
}

/* ---- Local transform ---- */

CN_FORCE_INLINE const CnTransform *transform_of(lua_State *lua, const CniScriptBindings *bound)
{
    CnEntity entity = self_of(lua)->entity;
    const CnTransform *transform = cn_get_component(bound->world, entity, bound->transform);
    if (CN_LIKELY(transform != NULL))
        return transform;
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, entity);
    if (pending && !pending->destroyed)
        return &pending->transform;
    alive_self(lua, bound);
    luaL_error(lua, "this entity has no TransformComponent");
    return NULL;
}

/* Returns where to write; end_write follows. */
CN_FORCE_INLINE CnTransform *begin_write(lua_State *lua, const CniScriptBindings *bound)
{
    CnEntity entity = self_of(lua)->entity;
    cni_script_check_may_change(lua, bound);
    CnTransform *transform = cn_get_component_mut(bound->world, entity, bound->transform);
    return CN_LIKELY(transform != NULL) ? transform
                                        : (CnTransform *)(uintptr_t)transform_of(lua, bound);
}

CN_FORCE_INLINE int end_write(lua_State *lua, const CniScriptBindings *bound,
                              const CnTransform *transform)
{
    CniScriptPendingObject *pending = CN_LIKELY(bound->pending.count == 0)
                                          ? NULL
                                          : cni_script_find_pending(bound, self_of(lua)->entity);
    if (CN_UNLIKELY(pending != NULL) &&
        !cn_set_component(bound->world, pending->entity, bound->transform, transform))
        return cni_script_throw_out_of_memory(lua);
    return 0;
}

static int get_position(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, transform_of(lua, bound)->position);
    return 1;
}

static int set_position(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnVec3 position = cni_script_value_vec3(lua);
    CnTransform *transform = begin_write(lua, bound);
    transform->position = position;
    return end_write(lua, bound, transform);
}

static int get_rotation(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_quat(lua, bound, transform_of(lua, bound)->rotation);
    return 1;
}

static int set_rotation(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnQuat rotation = cni_script_value_quat(lua);
    CnTransform *transform = begin_write(lua, bound);
    transform->rotation = rotation;
    return end_write(lua, bound, transform);
}

static int get_euler(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, cn_quat_to_euler(transform_of(lua, bound)->rotation));
    return 1;
}

static int set_euler(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnQuat rotation = cn_quat_from_euler(cni_script_value_vec3(lua));
    CnTransform *transform = begin_write(lua, bound);
    transform->rotation = rotation;
    return end_write(lua, bound, transform);
}

static int get_scale(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, transform_of(lua, bound)->scale);
    return 1;
}

static int set_scale(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnVec3 scale = cni_script_value_vec3(lua);
    CnTransform *transform = begin_write(lua, bound);
    transform->scale = scale;
    return end_write(lua, bound, transform);
}

/* ---- World transform ---- */

static int push_world_vector(lua_State *lua, CnVec3 (*read)(CnWorld *world, CnEntity entity))
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, read(bound->world, alive_self(lua, bound)));
    return 1;
}

static int get_world_position(lua_State *lua)
{
    return push_world_vector(lua, cn_transform_world_position);
}

static int get_world_scale(lua_State *lua)
{
    return push_world_vector(lua, cn_transform_world_scale);
}

static int get_forward(lua_State *lua)
{
    return push_world_vector(lua, cn_transform_world_forward);
}

static int get_right(lua_State *lua)
{
    return push_world_vector(lua, cn_transform_world_right);
}

static int get_up(lua_State *lua)
{
    return push_world_vector(lua, cn_transform_world_up);
}

static int get_world_rotation(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_quat(lua, bound,
                         cn_transform_world_rotation(bound->world, alive_self(lua, bound)));
    return 1;
}

static int get_world_euler(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(
        lua, bound,
        cn_quat_to_euler(cn_transform_world_rotation(bound->world, alive_self(lua, bound))));
    return 1;
}

/* A parent with a zero scale yields numbers that are not finite; the old ones are then restored. */
static int keep_if_finite(lua_State *lua, const CniScriptBindings *bound, CnEntity entity,
                          const CnTransform *before, bool written)
{
    CnTransform *transform = cn_get_component_mut(bound->world, entity, bound->transform);
    if (!written || !transform)
        return luaL_error(lua, "this entity has no TransformComponent");
    if (cni_script_all_finite(&transform->position.x, 3) &&
        cni_script_all_finite(&transform->rotation.x, 4) &&
        cni_script_all_finite(&transform->scale.x, 3))
        return 0;
    *transform = *before;
    return luaL_error(lua, "'%s' cannot be set because of the parent's scale",
                      lua_tostring(lua, 2));
}

static int set_world_position(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    CnEntity entity = alive_self(lua, bound);
    CnVec3 position = cni_script_value_vec3(lua);
    CnTransform before = *transform_of(lua, bound);
    return keep_if_finite(lua, bound, entity, &before,
                          cn_transform_set_world_position(bound->world, entity, position));
}

static int write_world_rotation(lua_State *lua, CnQuat rotation)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    CnEntity entity = alive_self(lua, bound);
    CnTransform before = *transform_of(lua, bound);
    return keep_if_finite(lua, bound, entity, &before,
                          cn_transform_set_world_rotation(bound->world, entity, rotation));
}

static int set_world_rotation(lua_State *lua)
{
    return write_world_rotation(lua, cni_script_value_quat(lua));
}

static int set_world_euler(lua_State *lua)
{
    return write_world_rotation(lua, cn_quat_from_euler(cni_script_value_vec3(lua)));
}

/* ---- Tree ---- */

static int get_parent(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptPendingObject *pending = pending_self(lua, bound);
    push_object_or_nil(lua,
                       pending ? pending->parent : cn_parent(bound->world, alive_self(lua, bound)));
    return 1;
}

/* Computes the local transform that gives the same world transform below another parent. */
static bool pose_below(const CniScriptBindings *bound, CnEntity entity, CnEntity parent,
                       CnTransform *transform)
{
    CnAffine world = cn_transform_world_affine(bound->world, entity), local = world;
    if (parent.id) {
        CnAffine inverse = cn_transform_world_to_local(bound->world, parent);
        local = cn_affine_mul(&inverse, &world);
    }
    cn_affine_to_trs(&local, &transform->position, &transform->rotation, &transform->scale);
    return cni_script_all_finite(&transform->position.x, 3) &&
           cni_script_all_finite(&transform->rotation.x, 4) &&
           cni_script_all_finite(&transform->scale.x, 3);
}

static void check_cycle(lua_State *lua, const CniScriptBindings *bound, CnEntity entity,
                        CnEntity parent)
{
    for (CnEntity above = parent; above.id; above = cn_parent(bound->world, above)) {
        if (above.id == entity.id)
            luaL_error(lua, "object '%s' cannot be below itself", self_of(lua)->name);
        cni_script_budget_charge(lua, 2);
    }
}

static int change_parent(lua_State *lua, CnEntity entity, CnEntity parent, bool keep_world)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    check_cycle(lua, bound, entity, parent);
    CnTransform transform;
    keep_world &= cn_has_component(bound->world, entity, bound->transform);
    if (keep_world && !pose_below(bound, entity, parent, &transform))
        return luaL_error(lua, "the world position cannot be kept below this parent");
    if (!cn_set_parent(bound->world, entity, parent) ||
        (keep_world && !cn_set_component(bound->world, entity, bound->transform, &transform)))
        return cni_script_throw_out_of_memory(lua);
    cni_script_settle(lua, bound);
    return 0;
}

CnEntity cni_script_check_parent(lua_State *lua, const CniScriptBindings *bound, int index)
{
    if (lua_isnoneornil(lua, index))
        return CN_NO_PARENT;
    CnEntity parent = cni_script_check_entity(lua, index);
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, parent);
    if (!cn_is_alive(bound->world, parent) && (!pending || pending->destroyed))
        cni_script_throw_not_alive(lua, bound, index, "parent");
    return parent;
}

static int set_parent(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = alive_self(lua, bound);
    if (!lua_isnil(lua, 3) && !cni_script_to_class(lua, bound, 3, CNI_SCRIPT_CLASS_OBJECT))
        return cni_script_throw_bad_value(lua, "Object or nil");
    return change_parent(lua, entity, cni_script_check_parent(lua, bound, 3), false);
}

static int object_set_parent(lua_State *lua)
{
    CnEntity entity = cni_script_check_alive(lua, 1);
    CnEntity parent = cni_script_check_parent(lua, cni_script_bindings(lua), 2);
    if (!lua_isnoneornil(lua, 3))
        luaL_checktype(lua, 3, LUA_TBOOLEAN);
    return change_parent(lua, entity, parent, lua_toboolean(lua, 3));
}

static int get_children(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = alive_self(lua, bound);
    cni_script_budget_charge(lua, 4ull * cn_child_count(bound->world, entity));
    lua_createtable(lua, (int)cn_child_count(bound->world, entity), 0);
    int n = 0;
    for (CnEntity child = cn_first_child(bound->world, entity); child.id;
         child = cn_next_sibling(bound->world, child)) {
        cni_script_push_object(lua, child);
        lua_rawseti(lua, -2, ++n);
    }
    return 1;
}

static int object_get_child(lua_State *lua)
{
    CnEntity entity = cni_script_check_alive(lua, 1);
    push_object_or_nil(
        lua, cni_script_search(lua, cni_script_bindings(lua), entity, luaL_checkstring(lua, 2)));
    return 1;
}

/* ---- Operators ---- */

static int object_eq(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptLuaObject *a = cni_script_to_class(lua, bound, 1, CNI_SCRIPT_CLASS_OBJECT),
                             *b = cni_script_to_class(lua, bound, 2, CNI_SCRIPT_CLASS_OBJECT);
    lua_pushboolean(lua, a && b && a->entity.id == b->entity.id);
    return 1;
}

static int object_tostring(lua_State *lua)
{
    const CniScriptLuaObject *object = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_OBJECT);
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptPendingObject *pending = cni_script_find_pending(bound, object->entity);
    if (pending && !pending->destroyed)
        lua_pushfstring(lua, "Object(%s)", pending->object.name);
    else if (cn_is_alive(bound->world, object->entity))
        lua_pushfstring(lua, "Object(%s)", cn_object_name(bound->world, object->entity));
    else
        lua_pushfstring(lua, "Object(%s, destroyed)", object->name);
    return 1;
}

static const CniScriptBinding rows[] = {
    {"name", CNI_SCRIPT_PROPERTY, get_name, set_name, "string", "The name; siblings may share it."},
    {"path", CNI_SCRIPT_PROPERTY, get_path, NULL, "string", "The path from a root: \"Car/Wheel\"."},
    {"uid", CNI_SCRIPT_PROPERTY, get_uid, NULL, "number", "A unique number that is kept in files."},
    {"enabled", CNI_SCRIPT_PROPERTY, get_enabled, set_enabled, "boolean",
     "Whether the object itself is enabled."},
    {"active", CNI_SCRIPT_PROPERTY, get_active, NULL, "boolean",
     "Whether the object and all objects above it are enabled."},
    {"alive", CNI_SCRIPT_PROPERTY, get_alive, NULL, "boolean",
     "False after the object was destroyed; all other properties are then errors."},
    {"state", CNI_SCRIPT_PROPERTY, get_state, NULL, "table?",
     "The data that its script keeps when it is reloaded."},
    {"position", CNI_SCRIPT_PROPERTY, get_position, set_position, "Vec3",
     "Relative to the parent. A copy."},
    {"rotation", CNI_SCRIPT_PROPERTY, get_rotation, set_rotation, "Quat",
     "Relative to the parent. A copy."},
    {"eulerAngles", CNI_SCRIPT_PROPERTY, get_euler, set_euler, "Vec3",
     "The rotation as angles in degrees, applied in the order z, x, y."},
    {"scale", CNI_SCRIPT_PROPERTY, get_scale, set_scale, "Vec3", "Relative to the parent. A copy."},
    {"worldPosition", CNI_SCRIPT_PROPERTY, get_world_position, set_world_position, "Vec3",
     "In world space."},
    {"worldRotation", CNI_SCRIPT_PROPERTY, get_world_rotation, set_world_rotation, "Quat",
     "In world space."},
    {"worldEulerAngles", CNI_SCRIPT_PROPERTY, get_world_euler, set_world_euler, "Vec3",
     "In world space, in degrees."},
    {"worldScale", CNI_SCRIPT_PROPERTY, get_world_scale, NULL, "Vec3", "In world space."},
    {"forward", CNI_SCRIPT_PROPERTY, get_forward, NULL, "Vec3",
     "The direction of its -z axis in world space."},
    {"right", CNI_SCRIPT_PROPERTY, get_right, NULL, "Vec3",
     "The direction of its x axis in world space."},
    {"up", CNI_SCRIPT_PROPERTY, get_up, NULL, "Vec3",
     "The direction of its y axis in world space."},
    {"parent", CNI_SCRIPT_PROPERTY, get_parent, set_parent, "Object?", "The parent."},
    {"children", CNI_SCRIPT_PROPERTY, get_children, NULL, "Object[]",
     "The children in order; a new table."},
    {"velocity", CNI_SCRIPT_PROPERTY, cni_script_object_get_velocity,
     cni_script_object_set_velocity, "Vec3",
     "The velocity of its dynamic body in units per second; zero without one."},
    {"angularVelocity", CNI_SCRIPT_PROPERTY, cni_script_object_get_angular_velocity,
     cni_script_object_set_angular_velocity, "Vec3",
     "The angular velocity of its dynamic body in radians per second about each axis."},
    {"spin", CNI_SCRIPT_PROPERTY, cni_script_object_get_angular_velocity,
     cni_script_object_set_angular_velocity, "Vec3", "The former name of angularVelocity."},
    {"asleep", CNI_SCRIPT_PROPERTY, cni_script_object_get_asleep, NULL, "boolean",
     "Whether its body is asleep."},
    {"addForce", CNI_SCRIPT_METHOD, cni_script_object_add_force, NULL,
     "(force: Vec3, point?: Vec3)",
     "Applies a force to its dynamic body in the next physics step, at a point in world space or "
     "its center."},
    {"addTorque", CNI_SCRIPT_METHOD, cni_script_object_add_torque, NULL, "(torque: Vec3)",
     "Applies a torque to its dynamic body in the next physics step."},
    {"addImpulse", CNI_SCRIPT_METHOD, cni_script_object_add_impulse, NULL,
     "(impulse: Vec3, point?: Vec3)",
     "Applies an impulse to its dynamic body in the next physics step."},
    {"wake", CNI_SCRIPT_METHOD, cni_script_object_wake, NULL, "()", "Wakes its dynamic body."},
    {"setParent", CNI_SCRIPT_METHOD, object_set_parent, NULL,
     "(parent: Object?, keepWorld?: boolean)",
     "Sets the parent; with keepWorld the object keeps its world transform."},
    {"call", CNI_SCRIPT_METHOD, cni_script_object_call, NULL, "(name: string, ...: any): any",
     "Calls a global function of the object's script and returns its results. Both scripts must "
     "have the same owner."},
    {"getChild", CNI_SCRIPT_METHOD, object_get_child, NULL, "(path: string): Object?",
     "The object at a path below it, or nil."},
    {"destroy", CNI_SCRIPT_METHOD, cni_script_object_destroy, NULL, "()",
     "Destroys it and everything below it after the scripts of this stage have run."},
    {"clone", CNI_SCRIPT_METHOD, cni_script_object_clone, NULL, "(parent?: Object): Object",
     "Copies it and everything below it, as a sibling or below another parent."},
    {"getComponent", CNI_SCRIPT_METHOD, cni_script_object_get_component, NULL,
     "(name: string): Component?", "A component by its name in scene files, or nil."},
    {"hasComponent", CNI_SCRIPT_METHOD, cni_script_object_has_component, NULL,
     "(name: string): boolean", "Whether it has this component."},
    {"addComponent", CNI_SCRIPT_METHOD, cni_script_object_add_component, NULL,
     "(name: string, values?: table)", "Adds a component, or sets all its fields."},
    {"removeComponent", CNI_SCRIPT_METHOD, cni_script_object_remove_component, NULL,
     "(name: string)", "Removes a component."},
    {"getComponents", CNI_SCRIPT_METHOD, cni_script_object_get_components, NULL,
     "(name?: string): string[]|Component[]",
     "The names of all its components, in order; or all components of one name at and below it, "
     "depth first."},
    {"__eq", CNI_SCRIPT_OPERATOR, object_eq, NULL, "(other: Object): boolean",
     "Whether they are the same object."},
    {"__tostring", CNI_SCRIPT_OPERATOR, object_tostring, NULL, "(): string",
     "A description for people."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_object = {
    "Object", "An object of the scene, such as `this`.", rows};

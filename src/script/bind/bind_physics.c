/* Bodies: forces and velocities of objects, and physics queries. */
#include "script/bind/bind.h"

#include <cairn/physics/physics.h>
#include <string.h>

/* ---- One body ---- */

typedef bool Push(CnWorld *world, CnEntity body, CnVec3 value);
typedef bool PushAt(CnWorld *world, CnEntity body, CnVec3 value, CnVec3 point);

static int not_dynamic(lua_State *lua, const CniScriptBindings *bound, CnEntity entity)
{
    return luaL_error(lua, "object '%s' has no dynamic RigidbodyComponent",
                      cn_object_name(bound->world, entity));
}

static int push(lua_State *lua, Push *at_center, PushAt *at_point)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    CnVec3 value = cni_script_check_vec3(lua, 2);
    cni_script_check_may_change(lua, bound);
    bool done = at_point && !lua_isnoneornil(lua, 3)
                    ? at_point(bound->world, entity, value, cni_script_check_vec3(lua, 3))
                    : at_center(bound->world, entity, value);
    return done ? 0 : not_dynamic(lua, bound, entity);
}

int cni_script_object_add_force(lua_State *lua)
{
    return push(lua, cn_body_add_force, cn_body_add_force_at);
}

int cni_script_object_add_torque(lua_State *lua)
{
    return push(lua, cn_body_add_torque, NULL);
}

int cni_script_object_add_impulse(lua_State *lua)
{
    return push(lua, cn_body_add_impulse, cn_body_add_impulse_at);
}

int cni_script_object_wake(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = cni_script_check_alive(lua, 1);
    cni_script_check_may_change(lua, bound);
    return cn_body_wake(bound->world, entity) ? 0 : not_dynamic(lua, bound, entity);
}

/* For properties: the argument at 1 is an object, alive or not. */
static CnEntity alive_self(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptLuaObject *object = lua_touserdata(lua, 1);
    if (!cn_is_alive(bound->world, object->entity))
        cni_script_throw_not_alive(lua, bound, 1, lua_tostring(lua, 2));
    return object->entity;
}

int cni_script_object_get_velocity(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, cn_body_velocity(bound->world, alive_self(lua)));
    return 1;
}

int cni_script_object_get_angular_velocity(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_vec3(lua, bound, cn_body_angular_velocity(bound->world, alive_self(lua)));
    return 1;
}

static int set(lua_State *lua, Push *write)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = alive_self(lua);
    CnVec3 value = cni_script_value_vec3(lua);
    cni_script_check_may_change(lua, bound);
    return write(bound->world, entity, value) ? 0 : not_dynamic(lua, bound, entity);
}

int cni_script_object_set_velocity(lua_State *lua)
{
    return set(lua, cn_body_set_velocity);
}

int cni_script_object_set_angular_velocity(lua_State *lua)
{
    return set(lua, cn_body_set_angular_velocity);
}

int cni_script_object_get_asleep(lua_State *lua)
{
    lua_pushboolean(lua, cn_body_is_asleep(cni_script_bindings(lua)->world, alive_self(lua)));
    return 1;
}

/* Tables with these fields are exchanged with scripts; nothing is bound. */
static const CniScriptBinding filter_rows[] = {
    {"mask", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Layers, as a sum of powers of 2; all by default."},
    {"ghosts", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?", "Whether ghosts are included."},
    {"except", CNI_SCRIPT_PROPERTY, NULL, NULL, "Object?", "An object to ignore."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_filter = {
    "PhysicsFilter", "Selects bodies for physics queries.", filter_rows};
static const CniScriptBinding ray_rows[] = {
    {"origin", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3", "The start of the ray."},
    {"direction", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3",
     "The direction of the ray; of any length."},
    {"distance", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "The maximum distance; 1000 by default."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_ray = {"RayQuery: PhysicsFilter", "A ray.", ray_rows};
static const CniScriptBinding shape_rows[] = {
    {"shape", CNI_SCRIPT_PROPERTY, NULL, NULL, "\"Box\"|\"Sphere\"|\"Capsule\"",
     "The kind of shape."},
    {"position", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3", "The position of its center."},
    {"rotation", CNI_SCRIPT_PROPERTY, NULL, NULL, "Quat?", "The rotation."},
    {"halfExtents", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3?", "Of a box."},
    {"radius", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Of a sphere or a capsule."},
    {"height", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Of a capsule: the height of its cylinder, along y."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_shape = {"ShapeQuery: PhysicsFilter",
                                                     "A shape at a position.", shape_rows};
static const CniScriptBinding sweep_rows[] = {
    {"motion", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3", "The displacement."}, {.name = NULL}};
const CniScriptBindingTable cni_script_bind_sweep = {"SweepQuery: ShapeQuery", "A moving shape.",
                                                     sweep_rows};
/* ---- Queries: a table of named values at 1 ---- */

static bool is_key(const CniScriptBinding *const *rows, const char *key)
{
    for (; *rows; rows++)
        for (const CniScriptBinding *row = *rows; row->name; row++)
            if (!strcmp(row->name, key))
                return true;
    return false;
}

static void describe_keys(lua_State *lua, const CniScriptBinding *const *rows)
{
    luaL_Buffer text;
    luaL_buffinit(lua, &text);
    for (const CniScriptBinding *const *first = rows; *rows; rows++)
        for (const CniScriptBinding *row = *rows; row->name; row++) {
            luaL_addstring(&text, rows == first && row == *rows ? "" : ", ");
            luaL_addstring(&text, row->name);
        }
    luaL_pushresult(&text);
}

/* Throws for an unknown key. If there are several, reports the first by name, so that the
 * message does not depend on the order of the table. */
static void check_keys(lua_State *lua, const CniScriptBinding *const *rows)
{
    const char *wrong = NULL;
    luaL_checktype(lua, 1, LUA_TTABLE);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        if (!is_key(rows, key) && (!wrong || strcmp(key, wrong) < 0))
            wrong = key; /* kept alive by the table */
    }
    if (!wrong)
        return;
    describe_keys(lua, rows);
    luaL_error(lua, "unknown key '%s'; the keys are %s", wrong, lua_tostring(lua, -1));
}

static bool read_floats(lua_State *lua, const char *key, CniScriptClass kind, float *into)
{
    lua_getfield(lua, 1, key);
    bool given = !lua_isnil(lua, -1);
    const float *floats =
        given ? cni_script_to_class(lua, cni_script_bindings(lua), -1, kind) : NULL;
    if (given && !floats)
        luaL_error(lua, "'%s' must be a %s, not %s", key, cni_script_class_name(kind),
                   cni_script_type_name(lua, lua_gettop(lua)));
    if (floats && !cni_script_all_finite(floats, cni_script_floats_of(kind)))
        luaL_error(lua, "'%s' is infinite or not a number", key);
    if (floats)
        memcpy(into, floats, cni_script_floats_of(kind) * sizeof *into);
    lua_pop(lua, 1);
    return given;
}

static CnVec3 need_vec3(lua_State *lua, const char *key)
{
    CnVec3 value = {0, 0, 0};
    if (!read_floats(lua, key, CNI_SCRIPT_CLASS_VEC3, &value.x))
        luaL_error(lua, "'%s' is missing", key);
    return value;
}

static double read_number(lua_State *lua, const char *key, double otherwise, double least,
                          double most)
{
    lua_getfield(lua, 1, key);
    double value = lua_isnil(lua, -1) ? otherwise : lua_tonumber(lua, -1);
    if (!lua_isnil(lua, -1) && lua_type(lua, -1) != LUA_TNUMBER)
        luaL_error(lua, "'%s' must be a number, not %s", key, luaL_typename(lua, -1));
    if (!(value >= least && value <= most))
        luaL_error(lua, "'%s' must be between %f and %f", key, least, most);
    lua_pop(lua, 1);
    return value;
}

#define MAX_LENGTH 1e6
#define ALL_LAYERS 4294967295.0

/* Common parts of all queries: layers, ghosts, and the object to ignore. */
typedef struct Filter {
    uint32_t mask;
    bool ghosts;
    CnEntity except;
} Filter;

static Filter read_filter(lua_State *lua)
{
    Filter filter = {.mask = (uint32_t)read_number(lua, "mask", 0, 0, ALL_LAYERS)};
    lua_getfield(lua, 1, "ghosts");
    filter.ghosts = lua_toboolean(lua, -1);
    lua_getfield(lua, 1, "except");
    if (!lua_isnil(lua, -1)) {
        const CniScriptLuaObject *object =
            cni_script_to_class(lua, cni_script_bindings(lua), -1, CNI_SCRIPT_CLASS_OBJECT);
        if (!object)
            luaL_error(lua, "'except' must be an Object");
        filter.except = object->entity;
    }
    lua_pop(lua, 2);
    return filter;
}

static CnRaycastQuery read_ray(lua_State *lua)
{
    check_keys(lua, (const CniScriptBinding *const[]){ray_rows, filter_rows, NULL});
    cni_script_budget_charge(lua, 1000);
    CnRaycastQuery query = {.origin = need_vec3(lua, "origin"),
                            .direction = need_vec3(lua, "direction"),
                            .distance = (float)read_number(lua, "distance", 1000, 0, MAX_LENGTH)};
    CnVec3 d = query.direction;
    if (d.x == 0 && d.y == 0 && d.z == 0)
        luaL_error(lua, "'direction' is zero");
    Filter filter = read_filter(lua);
    query.mask = filter.mask;
    query.ghosts = filter.ghosts;
    query.except = filter.except;
    return query;
}

static void push_hit(lua_State *lua, const CnRaycastHit *hit)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    lua_createtable(lua, 0, 4);
    cni_script_push_object(lua, hit->body);
    lua_setfield(lua, -2, "object");
    cni_script_push_vec3(lua, bound, hit->point);
    lua_setfield(lua, -2, "point");
    cni_script_push_vec3(lua, bound, hit->normal);
    lua_setfield(lua, -2, "normal");
    lua_pushnumber(lua, (lua_Number)hit->distance);
    lua_setfield(lua, -2, "distance");
}

static int raycast(lua_State *lua)
{
    CnRaycastQuery query = read_ray(lua);
    CnRaycastHit hit;
    if (cn_physics_raycast(cni_script_bindings(lua)->world, &query, &hit))
        push_hit(lua, &hit);
    else
        lua_pushnil(lua);
    return 1;
}

static int raycast_all(lua_State *lua)
{
    CnWorld *world = cni_script_bindings(lua)->world;
    CnRaycastQuery query = read_ray(lua);
    uint32_t count = cn_physics_raycast_all(world, &query, NULL, 0);
    cni_script_budget_charge(lua, (uint64_t)count * 100);
    CnRaycastHit *hits = lua_newuserdata(lua, (count + 1) * sizeof *hits);
    cn_physics_raycast_all(world, &query, hits, count);
    lua_createtable(lua, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        push_hit(lua, &hits[i]);
        lua_rawseti(lua, -2, (int)i + 1);
    }
    return 1;
}

static CnShapeKind read_shape_kind(lua_State *lua)
{
    static const char *const names[] = {
        [CN_SHAPE_BOX] = "Box", [CN_SHAPE_SPHERE] = "Sphere", [CN_SHAPE_CAPSULE] = "Capsule"};
    lua_getfield(lua, 1, "shape");
    const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (!strcmp(names[i], name)) {
            lua_pop(lua, 1);
            return (CnShapeKind)i;
        }
    luaL_error(lua, "'shape' must be \"Box\", \"Sphere\" or \"Capsule\"");
    return CN_SHAPE_BOX;
}

static CnShapeQuery read_shape(lua_State *lua)
{
    cni_script_budget_charge(lua, 1000);
    CnShapeQuery query = {.shape = read_shape_kind(lua),
                          .position = need_vec3(lua, "position"),
                          .rotation = cn_quat_identity()};
    read_floats(lua, "rotation", CNI_SCRIPT_CLASS_QUAT, &query.rotation.x);
    if (!cn_quat_make_unit(&query.rotation))
        luaL_error(lua, "'rotation' cannot be a Quat of zeros");
    if (query.shape == CN_SHAPE_BOX)
        query.half_extents = need_vec3(lua, "halfExtents");
    else
        query.radius = (float)read_number(lua, "radius", 0, 1e-6, MAX_LENGTH);
    if (query.shape == CN_SHAPE_CAPSULE)
        query.height = (float)read_number(lua, "height", 0, 0, MAX_LENGTH);
    CnVec3 h = query.half_extents;
    if (query.shape == CN_SHAPE_BOX && !(h.x > 0 && h.y > 0 && h.z > 0))
        luaL_error(lua, "'halfExtents' must be greater than 0");
    Filter filter = read_filter(lua);
    query.mask = filter.mask;
    query.ghosts = filter.ghosts;
    query.except = filter.except;
    return query;
}

static int overlap(lua_State *lua)
{
    CnWorld *world = cni_script_bindings(lua)->world;
    check_keys(lua, (const CniScriptBinding *const[]){shape_rows, filter_rows, NULL});
    CnShapeQuery query = read_shape(lua);
    uint32_t count = cn_physics_overlap(world, &query, NULL, 0);
    cni_script_budget_charge(lua, (uint64_t)count * 100);
    CnEntity *bodies = lua_newuserdata(lua, (count + 1) * sizeof *bodies);
    cn_physics_overlap(world, &query, bodies, count);
    lua_createtable(lua, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        cni_script_push_object(lua, bodies[i]);
        lua_rawseti(lua, -2, (int)i + 1);
    }
    return 1;
}

static int sweep(lua_State *lua)
{
    check_keys(lua, (const CniScriptBinding *const[]){sweep_rows, shape_rows, filter_rows, NULL});
    CnShapeQuery query = read_shape(lua);
    CnVec3 motion = need_vec3(lua, "motion");
    CnRaycastHit hit;
    if (cn_physics_sweep(cni_script_bindings(lua)->world, &query, motion, &hit))
        push_hit(lua, &hit);
    else
        lua_pushnil(lua);
    return 1;
}

static const CniScriptBinding rows[] = {
    {"raycast", CNI_SCRIPT_FUNCTION, raycast, NULL, "(ray: RayQuery): RayHit?",
     "The nearest hit along a ray, or nil."},
    {"raycastAll", CNI_SCRIPT_FUNCTION, raycast_all, NULL, "(ray: RayQuery): RayHit[]",
     "All hits along a ray, ordered by distance."},
    {"overlap", CNI_SCRIPT_FUNCTION, overlap, NULL, "(shape: ShapeQuery): Object[]",
     "The bodies that touch a shape."},
    {"sweep", CNI_SCRIPT_FUNCTION, sweep, NULL, "(shape: SweepQuery): RayHit?",
     "The first hit of a shape that moves along `motion`, or nil."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_bodies = {NULL, "Physics", rows};

/* ---- The physics world ---- */

static int get_gravity(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CnPhysicsSettings *settings = cn_resource(bound->world, CnPhysicsSettings);
    cni_script_push_vec3(lua, bound, settings ? settings->gravity : cn_vec3(0, 0, 0));
    return 1;
}

static int set_gravity(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnVec3 value = cni_script_value_vec3(lua);
    cni_script_check_may_change(lua, bound);
    if (cn_fabsf(value.x) > CN_MAX_GRAVITY || cn_fabsf(value.y) > CN_MAX_GRAVITY ||
        cn_fabsf(value.z) > CN_MAX_GRAVITY)
        return luaL_error(lua, "'gravity' must be -%d to %d along each axis", (int)CN_MAX_GRAVITY,
                          (int)CN_MAX_GRAVITY);
    CnPhysicsSettings *settings = cn_resource_mut(bound->world, CnPhysicsSettings);
    if (!settings)
        return luaL_error(lua, "this world has no physics");
    settings->gravity = value;
    return 0;
}

static const CniScriptBinding world_rows[] = {
    {"gravity", CNI_SCRIPT_PROPERTY, get_gravity, set_gravity, "Vec3",
     "Gravity in units per second squared; changing it wakes all bodies."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_physics = {"physics", "The physics world.", world_rows};

static const CniScriptBinding hit_rows[] = {
    {"object", CNI_SCRIPT_PROPERTY, NULL, NULL, "Object", "The object that was hit."},
    {"point", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3", "The position of the hit in world space."},
    {"normal", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3",
     "The surface normal, away from the object."},
    {"distance", CNI_SCRIPT_PROPERTY, NULL, NULL, "number", "The distance of the hit."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_hit = {"RayHit", "A hit of a ray or a moving shape.",
                                                   hit_rows};

/* ---- Contacts ---- */

static const CniScriptBinding contact_rows[] = {
    {"point", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3", "Where they touch, in world space."},
    {"normal", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3",
     "The direction from the other object to this one."},
    {"impulse", CNI_SCRIPT_PROPERTY, NULL, NULL, "number",
     "In newton seconds. On entering, the strength of the hit: approach speed times the smaller "
     "mass. While staying, what the tick applied along the normal; 0 while both are at rest."},
    {"relativeVelocity", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3",
     "The velocity of this object at the point, seen from the other. On entering, before the "
     "collision changes it."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_contact = {
    "Contact", "How two objects touch, at the deepest point.", contact_rows};

void cni_script_push_contact(lua_State *lua, const CnContact *contact)
{
    const CniScriptBindings *bound = cni_script_bindings_of(lua);
    lua_createtable(lua, 0, 4);
    cni_script_push_vec3(lua, bound, contact->point);
    lua_setfield(lua, -2, "point");
    cni_script_push_vec3(lua, bound, contact->normal);
    lua_setfield(lua, -2, "normal");
    cni_script_push_vec3(lua, bound, contact->relative_velocity);
    lua_setfield(lua, -2, "relativeVelocity");
    lua_pushnumber(lua, (lua_Number)contact->impulse);
    lua_setfield(lua, -2, "impulse");
}

/* particles: bursts of particles, as data in the snapshot of a tick. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/base/log.h>
#include <cairn/scene/file.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/transform.h>
#include <string.h>

/* Instructions. */
#define BURST_COST 2000u
#define PARTICLE_COST 8u
#define READ_COST 10000u /* of a prefab, whether it is cached or not */
#define OBJECT_COST 1000u

#define DEFAULT_COUNT 20u
#define COMPONENT "ParticleEmitterComponent"

/* ---- Limits ---- */

static void log_refusal(lua_State *lua, CniScriptBursts *bursts, uint64_t tick)
{
    bursts->refused++;
    if (bursts->log_tick == tick + 1)
        return;
    bursts->log_tick = tick + 1;
    luaL_where(lua, 1);
    CN_LOG_ERROR(
        "script", "%s particles are not shown: more than %u bursts or %u particles in a tick",
        lua_tostring(lua, -1),
        cni_script_is_sandboxed(lua) ? CNI_SCRIPT_MAX_BURSTS : CNI_SCRIPT_MAX_TRUSTED_BURSTS,
        cni_script_is_sandboxed(lua) ? CNI_SCRIPT_MAX_BURST_PARTICLES
                                     : CNI_SCRIPT_MAX_TRUSTED_BURST_PARTICLES);
    lua_pop(lua, 1);
}

/* Returns false, logs once per tick and counts when the burst is one too many of its owner. */
static bool take_room(lua_State *lua, CniScriptBindings *bound, uint32_t count)
{
    uint64_t tick = cni_script_tick_now(bound);
    bool is_sandboxed = cni_script_is_sandboxed(lua);
    if (bound->burst_tick != tick) {
        bound->burst_tick = tick;
        bound->bursts = bound->burst_particles = 0;
    }
    uint32_t bursts = is_sandboxed ? CNI_SCRIPT_MAX_BURSTS : CNI_SCRIPT_MAX_TRUSTED_BURSTS;
    uint32_t particles =
        is_sandboxed ? CNI_SCRIPT_MAX_BURST_PARTICLES : CNI_SCRIPT_MAX_TRUSTED_BURST_PARTICLES;
    if (bound->bursts < bursts && bound->burst_particles + count <= particles) {
        bound->bursts++;
        bound->burst_particles += count;
        return true;
    }
    log_refusal(lua, &cni_script_runtime(bound->scripts)->bursts, tick);
    return false;
}

/* ---- Options ---- */

static const CniScriptComponentView *emitter_view(lua_State *lua, CniScriptBindings *bound)
{
    CnReflectedComponent reflected;
    if (!cn_reflection_find(bound->world, cn_text(COMPONENT), &reflected))
        luaL_error(lua, "burst: this world has no particles");
    return cni_script_view_of(lua, bound, &reflected);
}

/* Pushes an option and returns whether it is given. */
static bool get_option(lua_State *lua, const char *key)
{
    lua_pushstring(lua, key);
    lua_rawget(lua, 1);
    return !lua_isnil(lua, -1);
}

static void read_prefab(lua_State *lua, const CniScriptBindings *bound,
                        const CniScriptComponentView *view, CnParticleEmitter *emitter)
{
    const char *path = lua_tostring(lua, -1);
    uint64_t left = cni_script_budget_left(lua);
    CnPrefabCost limit = {left, left / OBJECT_COST}, cost;
    CnError error = {0};
    uint32_t objects = cn_prefab_load(bound->world, bound->scripts->desc->files, path,
                                      left == UINT64_MAX ? NULL : &limit, &cost, &error);
    cni_script_budget_charge(lua, READ_COST + cost.text_bytes + cost.objects * OBJECT_COST);
    if (!objects)
        cni_script_throw(lua, &error);
    const void *value = cn_prefab_component(bound->world, path, view->reflected.component);
    if (!value)
        luaL_error(lua, "burst: the root of %s has no " COMPONENT, path);
    memcpy(emitter, value, sizeof *emitter);
}

/* What the other options change: the default, or the emitter of an object or a prefab. */
static void read_emitter(lua_State *lua, const CniScriptBindings *bound,
                         const CniScriptComponentView *view, CnParticleEmitter *emitter)
{
    memcpy(emitter, view->info.default_value, sizeof *emitter);
    if (!get_option(lua, "emitter")) {
        lua_pop(lua, 1);
        return;
    }
    const CniScriptLuaObject *object = cni_script_to_class(lua, bound, -1, CNI_SCRIPT_CLASS_OBJECT);
    if (lua_type(lua, -1) == LUA_TSTRING) {
        read_prefab(lua, bound, view, emitter);
    } else {
        const CnParticleEmitter *found =
            object && cn_is_alive(bound->world, object->entity)
                ? cn_get(bound->world, object->entity, CnParticleEmitter)
                : NULL;
        if (!found)
            luaL_error(
                lua,
                "burst: 'emitter' must be the path of a prefab or an object with a " COMPONENT);
        *emitter = *found;
    }
    lua_pop(lua, 1);
}

static void read_place(lua_State *lua, const CniScriptBindings *bound, CnRenderBurst *burst)
{
    bool has_position = get_option(lua, "position");
    burst->rotation = cn_quat_identity();
    if (has_position) {
        const float *floats = cni_script_to_class(lua, bound, -1, CNI_SCRIPT_CLASS_VEC3);
        if (!floats || !cni_script_all_finite(floats, 3))
            luaL_error(lua, "burst: 'position' must be a finite Vec3");
        memcpy(&burst->position, floats, sizeof burst->position);
    }
    if (get_option(lua, "object")) {
        const CniScriptLuaObject *object =
            cni_script_to_class(lua, bound, -1, CNI_SCRIPT_CLASS_OBJECT);
        if (!object || !cn_is_alive(bound->world, object->entity))
            luaL_error(lua, "burst: 'object' must be an object that exists");
        burst->rotation = cn_transform_world_rotation(bound->world, object->entity);
        burst->position = cn_vec3_add(cn_transform_world_position(bound->world, object->entity),
                                      cn_quat_rotate(burst->rotation, burst->position));
    } else if (!has_position) {
        luaL_error(lua, "burst: 'position' or 'object' is missing");
    }
    lua_pop(lua, 2);
}

static bool is_one_of(const char *key, const char *const *keys)
{
    while (*keys && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

/* Reads the fields of the component among the options. */
static void read_fields(lua_State *lua, CniScriptBindings *bound,
                        const CniScriptComponentView *view, CnParticleEmitter *emitter)
{
    static const char *const others[] = {"position", "object", "count", "emitter", NULL};
    static const char *const unused[] = {"rate", "burst", "local", "playing", NULL};
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        if (is_one_of(key, others))
            continue;
        const CnReflectedMember *item =
            is_one_of(key, unused) ? NULL : cni_script_view_item(view, cn_text(key));
        if (!item)
            luaL_error(lua,
                       "burst: there is no option '%s'; there are position, object, count, emitter "
                       "and the fields of " COMPONENT " except rate, burst, local and playing",
                       key);
        cni_script_read_field(lua, bound, lua_gettop(lua), view, item,
                              (uint8_t *)emitter + item->field->offset);
    }
    cni_script_check_value(lua, view, emitter);
}

static uint32_t read_count(lua_State *lua, const CnParticleEmitter *emitter)
{
    uint32_t count = emitter->burst ? emitter->burst : DEFAULT_COUNT;
    if (get_option(lua, "count")) {
        double number = lua_type(lua, -1) == LUA_TNUMBER ? lua_tonumber(lua, -1) : -1;
        if (!(number >= 0 && number <= CN_MAX_PARTICLE_BURST))
            luaL_error(lua, "burst: 'count' must be a number from 0 to %d",
                       (int)CN_MAX_PARTICLE_BURST);
        count = (uint32_t)number;
    }
    lua_pop(lua, 1);
    return count;
}

/* ---- Functions ---- */

static int burst(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    cni_script_check_may_change(lua, bound);
    const CniScriptComponentView *view = emitter_view(lua, bound);
    CnParticleEmitter emitter;
    CnRenderBurst made = {0};
    cni_script_budget_charge(lua, BURST_COST);
    read_emitter(lua, bound, view, &emitter);
    read_fields(lua, bound, view, &emitter);
    read_place(lua, bound, &made);
    made.count = read_count(lua, &emitter);
    emitter.local = false;
    made.style = cn_particle_style(&emitter);
    cni_script_budget_charge(lua, (uint64_t)made.count * PARTICLE_COST);
    bool is_shown = take_room(lua, bound, made.count);
    if (is_shown && !cni_script_bursts_add(&cni_script_runtime(bound->scripts)->bursts, &made))
        return cni_script_throw_out_of_memory(lua);
    lua_pushboolean(lua, is_shown);
    return 1;
}

static const CniScriptBinding rows[] = {
    {"burst", CNI_SCRIPT_FUNCTION, burst, NULL, "(options: BurstOptions): boolean",
     "Starts particles at once, without an emitter. They are shown, and are not part of the state. "
     "Returns false beyond a limit; nothing is shown then."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_particles = {
    "particles", "Particles without an emitter, shown by the renderer.", rows};

/* For annotations. */
static const CniScriptBinding option_rows[] = {
    {"position", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3?",
     "Where they start; with an object, an offset in its space."},
    {"object", CNI_SCRIPT_PROPERTY, NULL, NULL, "Object?",
     "An object at which they start, with its rotation."},
    {"count", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "How many, up to 4,096; if not given, the burst of the emitter, or 20."},
    {"emitter", CNI_SCRIPT_PROPERTY, NULL, NULL, "string|Object|nil",
     "A prefab or an object with a ParticleEmitterComponent, from which the fields below are taken "
     "unless they are given."},
    {"life", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Seconds; 1 if not given."},
    {"speed", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "In m/s; 1 if not given."},
    {"variation", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Of life, speed and size: 0 none, 1 from 0 to twice the value."},
    {"direction", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3?",
     "Axis of the cone into which they start; upward if not given."},
    {"spread", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Degrees between the axis and the edge of the cone; 180: all directions."},
    {"gravity", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Downward, in m/s^2."},
    {"startSize", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Diameter at the start in meters."},
    {"endSize", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Diameter at the end."},
    {"startColor", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec4?",
     "Linear color and alpha at the start."},
    {"endColor", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec4?", "Linear color and alpha at the end."},
    {"shape", CNI_SCRIPT_PROPERTY, NULL, NULL, "\"Point\"|\"Sphere\"|\"Box\"|nil",
     "Where they start."},
    {"extents", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3?",
     "Half the size of a box; x is the radius of a sphere."},
    {"additive", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?",
     "Whether their light is added to what is behind them."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_burst_options = {
    "BurstOptions", "Options of particles.burst.", option_rows};

/* camera: the active camera, what it looks at and follows, shaking. */
#include "script/bind/bind.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/camera_motion.h>
#include <cairn/scene/transform.h>

static int get_active(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_push_object(lua, cn_camera_find(bound->world));
    return 1;
}

static int set_active(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    CnEntity camera = cni_script_check_alive(lua, 3);
    if (!cn_camera_set_active(bound->world, camera))
        return luaL_error(lua, "active: the object has no CameraComponent");
    return 0;
}

/* Returns the active camera for a change of it, or throws. */
static CnEntity check_camera(lua_State *lua, const CniScriptBindings *bound)
{
    cni_script_check_may_change(lua, bound);
    CnEntity camera = cn_camera_find(bound->world);
    if (!camera.id)
        luaL_error(lua, "%s: there is no active camera", cni_script_running_name(lua));
    return camera;
}

static int get_fov(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CnCamera *camera = cn_get(bound->world, cn_camera_find(bound->world), CnCamera);
    lua_pushnumber(lua, camera ? (lua_Number)camera->fov : 0);
    return 1;
}

static int set_fov(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity entity = check_camera(lua, bound);
    if (lua_type(lua, 3) != LUA_TNUMBER)
        return cni_script_throw_bad_value(lua, "number");
    CnCamera camera = *cn_get(bound->world, entity, CnCamera);
    if (!cn_camera_set_perspective(bound->world, entity, (float)lua_tonumber(lua, 3),
                                   camera.near_plane, camera.far_plane))
        return luaL_error(lua, "'fov' must be from 0.01 to 179 degrees");
    return 0;
}

/* Returns the position at `index`: a Vec3, or that of an object. */
static CnVec3 check_position(lua_State *lua, const CniScriptBindings *bound, int index)
{
    if (cni_script_class_of(lua, bound, index) != CNI_SCRIPT_CLASS_OBJECT)
        return cni_script_check_vec3(lua, index);
    return cn_transform_world_position(bound->world, cni_script_check_alive(lua, index));
}

static int look_at(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity camera = check_camera(lua, bound);
    cn_object_look_at(bound->world, camera, check_position(lua, bound, 1));
    return 0;
}

static int follow(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity camera = check_camera(lua, bound);
    if (lua_isnoneornil(lua, 1)) {
        cn_remove(bound->world, camera, CnCameraFollow);
        return 0;
    }
    CnEntity target = cni_script_check_alive(lua, 1);
    lua_settop(lua, 2);
    lua_pushliteral(lua, "CameraFollowComponent");
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, 3);
    CnCameraFollow *value = cni_script_push_default(lua, view);
    cni_script_read_fields(lua, bound, 2, view, value);
    value->target = target;
    if (!cn_set_component(bound->world, camera, cn_id(bound->world, CnCameraFollow), value))
        return cni_script_throw_out_of_memory(lua);
    cni_script_settle(lua, bound);
    return 0;
}

static int shake(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity camera = check_camera(lua, bound);
    double strength = luaL_checknumber(lua, 1), seconds = luaL_checknumber(lua, 2);
    if (!cn_camera_shake(bound->world, camera, (float)strength, (float)seconds))
        return luaL_error(lua, "shake: strength and seconds must be from 0 to 100");
    cni_script_settle(lua, bound);
    return 0;
}

static const CniScriptBinding rows[] = {
    {"active", CNI_SCRIPT_PROPERTY, get_active, set_active, "Object?",
     "The camera through which the scene is seen."},
    {"fov", CNI_SCRIPT_PROPERTY, get_fov, set_fov, "number",
     "The vertical field of view of the active camera in degrees."},
    {"lookAt", CNI_SCRIPT_FUNCTION, look_at, NULL, "(target: Vec3|Object)",
     "Turns the active camera to a position or an object."},
    {"follow", CNI_SCRIPT_FUNCTION, follow, NULL,
     "(target: Object?, options?: CameraFollowComponent)",
     "Makes the active camera follow an object, from the next tick on; nil ends it. Options are "
     "fields of CameraFollowComponent: offset, smoothing, turns, looks, height."},
    {"shake", CNI_SCRIPT_FUNCTION, shake, NULL, "(strength: number, seconds: number)",
     "Shakes the image of the active camera, by so many meters at first, then less."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_camera = {"camera", "The active camera.", rows};

/* Pointing at objects: the ray through the mouse. It depends on the camera, the mouse and the size
 * of the window as of this tick, never on how the scene is drawn. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/physics/physics.h>
#include <cairn/scene/camera.h>
#include <cairn/sim/input.h>

#define DEGREES (CN_PIF / 180)

/* The mouse from -1 to 1, to the right and up. */
static CnVec2 pointer(const CniScriptBindings *bound)
{
    const CniScriptGameState *game = &cni_script_runtime(bound->scripts)->game;
    const CnInputState *input = cn_resource(bound->world, CnInputState);
    if (!input)
        return (CnVec2){0, 0};
    return (CnVec2){input->mouse_x * 2 / (float)game->width - 1,
                    1 - input->mouse_y * 2 / (float)game->height};
}

static float aspect_of(const CniScriptBindings *bound, const CnCamera *camera)
{
    const CniScriptGameState *game = &cni_script_runtime(bound->scripts)->game;
    return camera->aspect > 0 ? camera->aspect : (float)game->width / (float)game->height;
}

/* Returns false without a camera. */
static bool pointer_ray(const CniScriptBindings *bound, CnRay *ray)
{
    CnEntity entity = cn_camera_find(bound->world);
    const CnCamera *camera = entity.id ? cn_get(bound->world, entity, CnCamera) : NULL;
    if (!camera || !cn_camera_valid(camera, NULL))
        return false;
    CnVec2 at = pointer(bound);
    float aspect = aspect_of(bound, camera);
    CnVec3 start = {0, 0, 0}, direction = {0, 0, -1};
    if (camera->projection == CN_ORTHOGRAPHIC) {
        start.x = at.x * aspect * camera->height / 2;
        start.y = at.y * camera->height / 2;
    } else {
        float slope = cn_tanf(camera->fov * (DEGREES / 2));
        direction.x = at.x * aspect * slope;
        direction.y = at.y * slope;
    }
    CnQuat rotation = cn_transform_world_rotation(bound->world, entity);
    CnVec3 position = cn_transform_world_position(bound->world, entity);
    ray->origin = cn_vec3_add(position, cn_quat_rotate(rotation, start));
    ray->direction = cn_vec3_normalize(cn_quat_rotate(rotation, direction));
    return true;
}

int cni_script_pointer_ray(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CnRay ray;
    if (!pointer_ray(bound, &ray)) {
        lua_pushnil(lua);
        return 1;
    }
    lua_createtable(lua, 0, 2);
    cni_script_push_vec3(lua, bound, ray.origin);
    lua_setfield(lua, -2, "origin");
    cni_script_push_vec3(lua, bound, ray.direction);
    lua_setfield(lua, -2, "direction");
    return 1;
}

int cni_script_pick(lua_State *lua)
{
    lua_settop(lua, 1);
    cni_script_pointer_ray(lua);
    if (lua_isnil(lua, 2))
        return 1;
    if (!lua_isnil(lua, 1)) {
        luaL_checktype(lua, 1, LUA_TTABLE);
        for (lua_pushnil(lua); lua_next(lua, 1);) {
            lua_pushvalue(lua, -2);
            lua_insert(lua, -2);
            lua_rawset(lua, 2);
        }
    }
    lua_remove(lua, 1);
    return cni_script_raycast(lua);
}

/* 17: a sphere, a sun and a camera, in twenty lines. */
#include <cairn/engine.h>

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user, (void)error;
    CnWorld *world = cn_engine_world(engine);
    CnEntity sphere = cn_object(world, "Sphere");
    cn_set(world, sphere, CnMeshRenderer, {.mesh = "shapes://sphere", .visible = true});
    CnEntity sun = cn_object(world, "Sun");
    cn_set(world, sun, CnLight,
           {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 4});
    cn_get_mut(world, sun, CnTransform)->rotation = cn_quat_from_euler((CnVec3){-40, 30, 0});
    CnEntity camera = cn_object(world, "Camera");
    cn_add(world, camera, CnCamera);
    cn_get_mut(world, camera, CnTransform)->position = (CnVec3){0, 0, 2};
    return true;
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {.title = "Hello",
                         .preset = cn_preset_forward,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}}};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

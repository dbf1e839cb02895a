/* 19: deferred rendering with all features: a scene from a file, shadows, ambient occlusion,
 * lights, bloom. Click to capture the mouse; fly with W, A, S and D. */
#include <cairn/engine.h>

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user;
    if (!cn_engine_load(engine, "scenes/gallery/main.json", error))
        return false;
    CnWorld *world = cn_engine_world(engine);
    CnEntity camera = cn_camera_find(world);
    return cn_entity_is_null(camera) || cn_add(world, camera, CnFlyCamera);
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {.title = "Deferred",
                         .preset = cn_preset_deferred,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                    .point_spot_lights = CN_SWITCH_ON,
                                    .bloom = CN_SWITCH_ON}};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

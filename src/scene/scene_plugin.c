/* The engine's plugin "Scene". */
#include "scene/reflection/reflection_internal.h"

#include <cairn/scene/controller.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/scene.h>

bool cn_scene_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_object_add(world, error) && cn_presentation_add(world, error) &&
           cn_controller_add(world, error);
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    CnWorld *world = cn_sim_world(sim);
    return cn_scene_add(world, error) && cni_scene_reflect_time(world, error);
}

CnPlugin cn_scene_plugin(void)
{
    return (CnPlugin){.name = "Scene", .version = 1, .build = build};
}

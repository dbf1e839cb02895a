#include "scene_world.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/presentation.h>

static const char *const lamp_kinds[] = {"Bulb", "Ball", "Box", NULL};
static const CnReflectedField lamp_fields[] = {
    {.key = "watts", .field = "power", .required = true, .minimum = 1, .maximum = 100},
    {.key = "shape.type", .field = "kind", .kind = CN_REFLECTED_CHOICE, .choices = lamp_kinds},
    {.key = "shape.radius", .field = "radius", .of_choice = "shape.type", .of_value = 1},
    {.key = "shape.size", .field = "size", .of_choice = "shape.type", .of_value = 2},
    {.key = "turn", .field = "turn", .kind = CN_REFLECTED_EULER, .about = "degrees"},
    {.key = "secret", .field = "secret", .kind = CN_REFLECTED_HIDDEN},
};

static bool check_lamp(const void *value, CnError *error)
{
    const SceneLamp *lamp = value;
    return lamp->power * lamp->radius < 1000 ||
           cn_error_set(error, CN_ERROR_MISMATCH, "the lamp is too hot");
}

static const CnReflectedType lamp_shown = {.name = "LampComponent",
                                           .type = &cn_type_SceneLamp,
                                           .fields = lamp_fields,
                                           .field_count = CN_COUNT_OF(lamp_fields),
                                           .check = check_lamp,
                                           .about = "Something that shines."};

static bool add_components(CnWorld *world)
{
    SceneLamp lamp = {.power = 40, .radius = 1, .size = {1, 1, 1}, .turn = {0, 0, 0, 1}};
    return cn_register(world, SceneEvery).id &&
           cn_register(world, SceneLamp, .default_value = &lamp).id &&
           cn_register(world, SceneMarked).id && cn_register(world, SceneLink).id &&
           cn_register(world, SceneNested).id &&
           cn_register(world, ScenePassing, .flags = CN_COMPONENT_TRANSIENT).id &&
           cn_reflection_hide(world, &cn_type_SceneEngineState, NULL) &&
           cn_reflection_add(world, &lamp_shown, NULL);
}

CnWorld *scene_world_create(CnAllocator *allocator)
{
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return NULL;
    if (cn_object_add(world, NULL) && cn_camera_add(world, NULL) &&
        cn_presentation_add(world, NULL) && add_components(world))
        return world;
    cn_world_destroy(world);
    return NULL;
}

#include "scene/reflection/reflection_internal.h"

#include <cairn/scene/transform.h>

static const CnReflectedField transform_fields[] = {
    {.key = "position", .field = "position", .unit = "m", .about = "relative to the parent"},
    {.key = "rotation",
     .field = "rotation",
     .kind = CN_REFLECTED_EULER,
     .unit = "degrees",
     .about = "angles about x, y and z; applied in the order z, x, y"},
    {.key = "scale", .field = "scale", .about = "along its own axes; 1 is unchanged"},
};

static const CnReflectedType reflected_transform = {
    .name = "TransformComponent",
    .type = &cn_type_CnTransform,
    .fields = transform_fields,
    .field_count = CN_COUNT_OF(transform_fields),
    .about = "position, rotation and scale, relative to the parent"};

bool cni_scene_reflect_transform(CnWorld *world, CnError *error)
{
    return cn_reflection_add(world, &reflected_transform, error);
}

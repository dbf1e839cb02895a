/* Short ways to put things into a scene, for the samples that draw. */
#ifndef SAMPLES_PLACE_H
#define SAMPLES_PLACE_H

#include <cairn/engine.h>

static inline CnEntity place(CnWorld *world, const char *mesh, const char *material,
                             CnVec3 position, CnVec3 scale)
{
    CnMeshRenderer look = {.visible = true, .casts_shadows = true};
    cn_copy_text(look.mesh, sizeof look.mesh, cn_text(mesh));
    cn_copy_text(look.material, sizeof look.material, cn_text(material));
    CnEntity object = cn_object(world, "Shape");
    cn_set_component(world, object, cn_id(world, CnMeshRenderer), &look);
    CnTransform *transform = cn_get_mut(world, object, CnTransform);
    transform->position = position;
    transform->scale = scale;
    return object;
}

static inline CnEntity place_camera(CnWorld *world, CnVec3 from, CnVec3 at)
{
    CnEntity camera = cn_object(world, "Camera");
    cn_add(world, camera, CnCamera);
    CnTransform *transform = cn_get_mut(world, camera, CnTransform);
    transform->position = from;
    transform->rotation = cn_quat_look(cn_vec3_sub(at, from), (CnVec3){0, 1, 0});
    return camera;
}

static inline CnEntity place_sun(CnWorld *world, CnVec3 direction, float intensity)
{
    CnEntity sun = cn_object(world, "Sun");
    cn_set(world, sun, CnLight,
           {.kind = CN_LIGHT_DIRECTIONAL,
            .color = {1, 0.95f, 0.88f, 1},
            .intensity = intensity,
            .shadows = true});
    cn_get_mut(world, sun, CnTransform)->rotation = cn_quat_look(direction, (CnVec3){0, 1, 0});
    return sun;
}

#endif

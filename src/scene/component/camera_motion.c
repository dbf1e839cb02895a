#include "scene/component/camera_motion.h"

#include <cairn/base/math.h>
#include <cairn/scene/camera_motion.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>
#include <cairn/scene/transform.h>

/* ---- Looking ---- */

bool cn_object_look_at(CnWorld *world, CnEntity object, CnVec3 position)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cn_has(world, object, CnTransform))
        return false;
    CnVec3 way = cn_vec3_sub(position, cn_transform_world_position(world, object));
    float length = cn_vec3_length(way);
    if (!(length > 1e-6f && length < 1e18f))
        return false;
    CnVec3 forward = cn_vec3_scale(way, 1 / length);
    bool is_upright = forward.y > 0.9999f || forward.y < -0.9999f;
    cn_transform_set_world_rotation(
        world, object, cn_quat_look(forward, is_upright ? cn_vec3(0, 0, -1) : cn_vec3(0, 1, 0)));
    return true;
}

/* ---- Following ---- */

static void follow(CnWorld *world, CnEntity object, const CnCameraFollow *camera, float dt)
{
    if (!cn_has(world, camera->target, CnTransform) || cn_entity_equal(camera->target, object))
        return;
    CnVec3 target = cn_transform_world_position(world, camera->target), offset = camera->offset;
    if (camera->turns)
        offset = cn_quat_rotate(cn_transform_world_rotation(world, camera->target), offset);
    CnVec3 to = cn_vec3_add(target, offset), from = cn_transform_world_position(world, object);
    float share = camera->smoothing > 0 ? dt / (camera->smoothing + dt) : 1;
    cn_transform_set_world_position(world, object, cn_vec3_lerp(from, to, share));
    if (camera->looks)
        cn_object_look_at(world, object, cn_vec3_add(target, cn_vec3(0, camera->height, 0)));
}

static void run_follow(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const CnCameraFollow *cameras = cn_column_const(&view, CnCameraFollow);
        for (uint32_t i = 0; i < view.count; i++)
            follow(context->world, view.entities[i], &cameras[i], context->dt);
    }
}

/* ---- Shaking ---- */

bool cn_camera_shake(CnWorld *world, CnEntity camera, float strength, float seconds)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    bool is_valid = strength >= 0 && strength <= CN_CAMERA_MAX_SHAKE && seconds >= 0 &&
                    seconds <= CN_CAMERA_MAX_SHAKE;
    if (!is_valid || !cn_is_alive(world, camera))
        return false;
    const CnCameraShake *shake = cn_get(world, camera, CnCameraShake);
    bool is_weaker =
        shake && shake->seconds > 0 && shake->strength * (shake->left / shake->seconds) > strength;
    const CnCameraShake begun = {strength, seconds, seconds};
    return is_weaker || cn_set_component(world, camera, cn_id(world, CnCameraShake), &begun);
}

CnVec3 cn_camera_shake_offset(const CnWorld *world, CnEntity camera)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnCameraShake *shake = cn_get(world, camera, CnCameraShake);
    if (!shake || !(shake->left > 0) || !(shake->seconds > 0))
        return cn_vec3(0, 0, 0);
    float share = shake->left / shake->seconds, strength = shake->strength * share * share;
    float time = (shake->seconds - shake->left) * 60;
    return cn_vec3(strength * cn_sinf(time * 1.9f), strength * cn_sinf(time * 2.3f + 1),
                   strength * cn_sinf(time * 1.3f + 2) / 2);
}

static void run_shakes(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnCameraShake *shakes = cn_column(&view, CnCameraShake);
        for (uint32_t i = 0; i < view.count; i++)
            shakes[i].left = shakes[i].left > context->dt ? shakes[i].left - context->dt : 0;
    }
}

/* ---- Components ---- */

static const CnReflectedField follow_fields[] = {
    {.key = "target", .field = "target", .about = "the object that it follows"},
    {.key = "offset", .field = "offset", .unit = "m", .about = "from the target"},
    {.key = "turns", .field = "turns", .about = "whether the offset turns with the target"},
    {.key = "looks", .field = "looks", .about = "whether it looks at the target"},
    {.key = "height",
     .field = "height",
     .unit = "m",
     .minimum = -1e6,
     .maximum = 1e6,
     .about = "above the origin of the target, where it looks"},
    {.key = "smoothing",
     .field = "smoothing",
     .unit = "s",
     .maximum = 1000,
     .about = "time in which it covers two thirds of the way; 0: at once"},
};

static const CnReflectedField shake_fields[] = {
    {.key = "strength",
     .field = "strength",
     .unit = "m",
     .maximum = (double)CN_CAMERA_MAX_SHAKE,
     .about = "at the beginning"},
    {.key = "seconds",
     .field = "seconds",
     .unit = "s",
     .maximum = (double)CN_CAMERA_MAX_SHAKE,
     .about = "how long it lasts"},
    {.key = "left",
     .field = "left",
     .unit = "s",
     .maximum = (double)CN_CAMERA_MAX_SHAKE,
     .about = "how much of it is left"},
};

static const CnReflectedType reflected[] = {
    {.name = "CameraFollowComponent",
     .type = &cn_type_CnCameraFollow,
     .fields = follow_fields,
     .field_count = CN_COUNT_OF(follow_fields),
     .about = "moves the object, such as a camera, with another one"},
    {.name = "CameraShakeComponent",
     .type = &cn_type_CnCameraShake,
     .fields = shake_fields,
     .field_count = CN_COUNT_OF(shake_fields),
     .about = "shakes the image of a camera"},
};

static bool add_system(CnWorld *world, const CnSystemDesc *desc, CnError *error)
{
    return cn_system_find(world, desc->name).id || cn_system_add(world, desc, error).id;
}

bool cni_scene_camera_motion_add(CnWorld *world, CnError *error)
{
    static const CnCameraFollow standard = {.offset = {0, 2, 5}, .looks = true};
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnCameraFollow, .default_value = &standard},
        {.type = &cn_type_CnCameraShake},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id ||
            !cn_reflection_add(world, &reflected[i], error))
            return false;
    const CnSystemDesc shakes = {
        .name = "ShakeCameras",
        .run = run_shakes,
        .stage = CN_STAGE_UPDATE,
        .set = CN_SCENE_UPDATE,
        .query = {.all = {cn_writes(CnCameraShake)}, .none = {cn_tag(CnInactive)}}};
    const CnSystemDesc follows = {
        .name = "FollowCameras",
        .run = run_follow,
        .stage = CN_STAGE_POST_UPDATE,
        .alone = true,
        .before = {"PropagateTransforms"},
        .query = {.all = {cn_reads(CnCameraFollow)}, .none = {cn_tag(CnInactive)}}};
    return add_system(world, &shakes, error) && add_system(world, &follows, error);
}

/*
 * Cameras that follow an object and shake.
 *
 *     void chase(CnWorld *world, CnEntity camera, CnEntity car)
 *     {
 *         cn_set(world, camera, CnCameraFollow, {.target = car, .offset = {0, 3, 6},
 *                                                .turns = true, .smoothing = 0.2f});
 *         cn_camera_shake(world, camera, 0.3f, 0.5f); // a crash
 *     }
 *
 * The system FollowCameras, in PostUpdate, moves active objects with CnCameraFollow, which need not
 * be cameras. Shaking moves the extracted camera, never its transform.
 */
#ifndef CAIRN_SCENE_CAMERA_MOTION_H
#define CAIRN_SCENE_CAMERA_MOTION_H

#include <cairn/scene/object.h>

CN_EXTERN_C_BEGIN

/*
 * target      null, or gone: the object stays where it is
 * offset      from the target, in the world
 * turns       the offset turns with the target
 * looks       the object looks at the target, `height` above its origin
 * smoothing   seconds in which it covers about two thirds of the way; 0: at once
 */
CN_COMPONENT(CnCameraFollow, (entity, target), (vec3, offset), (f32, height), (f32, smoothing),
             (bool, turns), (bool, looks));

/* strength in meters at the beginning, and the seconds that it lasts and that are left. */
CN_COMPONENT(CnCameraShake, (f32, strength), (f32, seconds), (f32, left));

#define CN_CAMERA_MAX_SHAKE 100.0f /* meters, and seconds */

/* Shakes a camera from now on; replaces what is left of an earlier, weaker shake. Returns false if
 * the object does not exist, a value is not from 0 to CN_CAMERA_MAX_SHAKE, or out of memory. */
CN_API bool cn_camera_shake(CnWorld *world, CnEntity camera, float strength, float seconds);
/* Returns by how much a camera is displaced in this tick, in its own space. */
CN_API CnVec3 cn_camera_shake_offset(const CnWorld *world, CnEntity camera);
/* Turns an object so that its -z axis points at a position in the world. Returns false if the
 * object does not exist or is at that position. */
CN_API bool cn_object_look_at(CnWorld *world, CnEntity object, CnVec3 position);

CN_EXTERN_C_END

#endif

/* Position and direction of a camera or player. */
#ifndef CRAFTY_WORLD_POSE_H
#define CRAFTY_WORLD_POSE_H

#include <cairn/base/linear.h>
#include <cairn/base/math.h>

#define CRAFTY_EYE_HEIGHT 1.62f /* of a standing player */

typedef struct CraftyPose {
    CnVec3 position;  /* of the eye */
    float yaw, pitch; /* degrees; yaw 0 looks along -z, 90 along -x; positive pitch is up */
} CraftyPose;

static inline CnQuat crafty_pose_rotation(const CraftyPose *pose)
{
    return cn_quat_from_euler(cn_vec3(pose->pitch, pose->yaw, 0));
}

#endif

/*
 * Joints: constraints between two bodies, or a body and the world, as components.
 *
 *     void hang(CnWorld *world, CnEntity door, CnEntity frame)
 *     {
 *         CnJoint hinge = cn_joint(CN_JOINT_HINGE);       // about the y axis of the door
 *         hinge.other = frame;
 *         hinge.anchor = cn_vec3(-0.5f, 0, 0);            // its left edge
 *         hinge.limited = true;
 *         hinge.low = 0;
 *         hinge.high = 110;
 *         cn_set_component(world, door, cn_id(world, CnJoint), &hinge);
 *     }
 *
 * The joint belongs to the body of its object, or of the nearest object above it that has a body;
 * a body with several joints has objects for them below it. In the first step in which both bodies
 * take part, their positions relative to each other become the rest pose of the joint: angle and
 * distance are 0 there. CnJointState holds it, so that saving, restoring and replaying give the
 * same bits. Bodies that are joined do not collide with each other unless `collide` is set. They
 * sleep and wake together.
 */
#ifndef CAIRN_PHYSICS_JOINT_H
#define CAIRN_PHYSICS_JOINT_H

#include <cairn/scene/object.h>

CN_EXTERN_C_BEGIN

typedef enum CnJointKind {
    CN_JOINT_BALL,   /* the anchors stay together */
    CN_JOINT_HINGE,  /* and the bodies turn about the axis only */
    CN_JOINT_SLIDER, /* the bodies move along the axis only, and do not turn */
    CN_JOINT_FIXED,
    CN_JOINT_SPRING /* pulls and pushes the anchors to a distance */
} CnJointKind;

#define CN_JOINT_MAX_FORCE 1e9f

/*
 * kind            a CnJointKind
 * other           the object of the second body, or one below it; null: the world
 * anchor, axis    in the space of the joint's object
 * other_anchor    of a spring: in the space of `other`, or the world
 * limited, low, high
 *                 of a hinge in degrees, -180 to 180; of a slider in meters
 * motor_speed, motor_force
 *                 of a hinge in degrees per second and newton meters, of a slider in meters per
 *                 second and newtons; force 0: no motor
 * length          of a spring at rest; 0: as in the rest pose
 * stiffness, damping
 *                 of a spring, newtons per meter and newton seconds per meter
 * collide         whether the two bodies collide
 * break_force     newtons; a joint that holds more breaks; 0: never
 * broken          set when it has broken; it then has no effect
 */
CN_COMPONENT(CnJoint, (u8, kind), (bool, limited), (bool, collide), (bool, broken), (entity, other),
             (vec3, anchor), (vec3, axis), (vec3, other_anchor), (f32, low), (f32, high),
             (f32, motor_speed), (f32, motor_force), (f32, length), (f32, stiffness),
             (f32, damping), (f32, break_force));

/* Returns a joint with the world, at the origin of its object, with the axis y; a spring with a
 * stiffness of 100 and a damping of 10. */
CN_API CnJoint cn_joint(CnJointKind kind);
/* Returns whether the values are valid; the error explains what is wrong. */
CN_API bool cn_joint_check(const CnJoint *joint, CnError *error);

/*
 * Added by the engine to every joint.
 *
 * a, b            the bodies; b is null for the world
 * rest_hash       hash of what determines the rest pose; 0: the joint does not take part
 * settings_hash   hash of the whole CnJoint in the last step, to detect changes
 * position, rotation
 *                 the rest pose of a, in the space of b
 * anchor, axis, other_anchor
 *                 in the space of a; other_anchor in the space of b
 */
CN_COMPONENT(CnJointState, (entity, a), (entity, b), (u64, rest_hash), (u64, settings_hash),
             (f64, position, 3), (f64, rotation, 4), (f64, anchor, 3), (f64, axis, 3),
             (f64, other_anchor, 3), (f64, length));

/* Returns the angle of a hinge in degrees, or the distance of a slider in meters, from the rest
 * pose; 0 for other joints and those that do not take part. */
CN_API float cn_joint_value(const CnWorld *world, CnEntity joint);

CN_EXTERN_C_END

#endif

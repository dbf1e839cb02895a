/*
 * Rigid bodies as components, and collisions as events.
 *
 *     void make_crate(CnWorld *world, CnEntity crate)
 *     {
 *         CnRigidbody wood = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_BOX);      // default values
 *         wood.half_extents = cn_vec3(.5f, .5f, .5f);
 *         cn_set_component(world, crate, cn_id(world, CnRigidbody), &wood);
 *     }
 *
 * A body is located at the transform of its object. Each tick, in Update, bodies that other code
 * has moved are repositioned, the physics world is stepped once by the tick's dt, and the
 * transforms of bodies that moved are written. Dynamic bodies are moved by forces. Static bodies
 * never move. Kinematic bodies move where their transform is set and push others out of the way.
 * Ghosts never push, but send collision events (triggers).
 *
 * CnRigidbody holds the settings of a body; CnBodyState is the exact state of the simulation, saved
 * and hashed. A tick depends on these alone, so saving, restoring and replaying produce the same
 * bits with the same build.
 */
#ifndef CAIRN_PHYSICS_BODY_H
#define CAIRN_PHYSICS_BODY_H

#include <cairn/scene/collision.h>
#include <cairn/scene/object.h>

CN_EXTERN_C_BEGIN

typedef enum CnBodyKind {
    CN_BODY_DYNAMIC,
    CN_BODY_STATIC,
    CN_BODY_KINEMATIC,
    CN_BODY_GHOST
} CnBodyKind;
typedef enum CnShapeKind {
    CN_SHAPE_BOX,
    CN_SHAPE_SPHERE,
    CN_SHAPE_CAPSULE,
    CN_SHAPE_MESH
} CnShapeKind;

#define CN_MESH_PATH_BYTES 128u /* including the terminator */

/*
 * kind, shape     CnBodyKind, CnShapeKind
 * half_extents    of a box
 * radius          of a sphere or a capsule
 * height          of a capsule's cylinder, along y
 * mesh            virtual path of a triangle mesh, convex or not; static and kinematic bodies only
 * mass            dynamic bodies: kilograms, greater than 0
 * restitution     0 to 1; the larger value of two bodies applies
 * friction        0 or greater; the geometric mean of two bodies applies
 * linear_damping, angular_damping
 *                 per second: speed is multiplied by 1 / (1 + damping * dt)
 * gravity_scale   multiplies gravity
 * continuous      dynamic bodies: whether a body that moves by more than its smallest half extent
 *                 in a tick stops at what it hits on its way, instead of passing through
 * layer           0 to 31
 * mask            bit set of layers that the body collides with; both bodies must accept each other
 *
 * The world scale of the object scales the shape: a sphere by the largest of the three factors, the
 * radius of a capsule by the larger of x and z. A body with invalid values (see cn_rigidbody_check)
 * does not take part in the simulation.
 */
CN_COMPONENT(CnRigidbody, (u8, kind), (u8, shape), (u8, layer), (bool, can_sleep),
             (bool, continuous), (u32, mask), (vec3, half_extents), (f32, radius), (f32, height),
             (f32, mass), (f32, restitution), (f32, friction), (f32, linear_damping),
             (f32, angular_damping), (f32, gravity_scale), (text, mesh, CN_MESH_PATH_BYTES));

/* Returns the default body of a shape: a cube with sides of 1 m, a sphere with a radius of 0.5 m
 * or a capsule 2 m high; 1 kg, on layer 0, colliding with all layers, affected by gravity, able
 * to sleep, continuous. */
CN_API CnRigidbody cn_rigidbody(CnBodyKind kind, CnShapeKind shape);
/* Returns whether the values are valid; the error explains what is wrong. */
CN_API bool cn_rigidbody_check(const CnRigidbody *body, CnError *error);

/*
 * Added by the engine to every body. The velocities of dynamic bodies may be written; those of
 * kinematic bodies result from their last move. force and torque act in the next step.
 *
 * angular_velocity   radians per second about each axis
 * synced_*           the world pose that was last read or written, to detect moves by other code
 * settings_hash      hash of the CnRigidbody and the scale in the last step, to detect changes; 0
 *                    for a body that has not taken part in a step yet
 * mean_*             averages over the last ticks, so that bodies that merely jitter can sleep
 * still_ticks        number of ticks for which the averages have been below the sleep thresholds
 */
CN_COMPONENT(CnBodyState, (f64, position, 3), (f64, rotation, 4), (f64, velocity, 3),
             (f64, angular_velocity, 3), (f64, force, 3), (f64, torque, 3), (vec3, synced_position),
             (quat, synced_rotation), (vec3, synced_scale), (u64, settings_hash),
             (vec3, mean_velocity), (vec3, mean_angular_velocity), (u32, still_ticks),
             (bool, asleep));

#define CN_MAX_GRAVITY 1e4f /* per axis */

/*
 * A resource; part of the state.
 *
 * gravity            units per second squared; ignored if not finite or beyond CN_MAX_GRAVITY
 * iterations         of the solver; more are stiffer and slower
 * sleep_speed, sleep_angular_speed
 *                    a body that is slower than both for sleep_ticks ticks falls asleep, together
 *                    with everything it touches
 * last_gravity       gravity in the last step; a change wakes all bodies
 */
CN_COMPONENT(CnPhysicsSettings, (vec3, gravity), (u32, iterations), (f32, sleep_speed),
             (f32, sleep_angular_speed), (u32, sleep_ticks), (vec3, last_gravity));

CN_EXTERN_C_END

#endif

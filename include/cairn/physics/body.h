/*
 * Rigid bodies as components, collision as events.
 *
 *     CnRigidbody wood = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_BOX);      // with sensible values
 *     wood.half_extents = cn_vec3(.5f, .5f, .5f);
 *     cn_set_component(world, crate, cn_id(world, CnRigidbody), &wood);
 *     cn_body_add_impulse(world, crate, cn_vec3(0, 5, 0));
 *
 * A body is where its object's transform says. Each tick, in Update, bodies that were moved by others are
 * put there, the world is stepped once by the tick's dt, and the transforms of those that moved are
 * written. Dynamic bodies move by forces; static ones never; kinematic ones where they are put, pushing
 * what is in the way; ghosts never push, but are told (triggers).
 *
 * CnRigidbody is what a person sets; CnBodyState is where the simulation stands: exact, saved and hashed.
 * A tick depends on these alone, so saving, restoring and replaying give the same bits on the same build.
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

#define CN_MESH_PATH_BYTES 128u /* with the terminator */

/*
 * kind, shape        CnBodyKind, CnShapeKind
 * half_extents       box; radius: sphere, capsule; height: capsule, of its cylinder, along y
 * mesh               mesh: a virtual path; triangles, for static and kinematic bodies, convex or not
 * mass               dynamic: kilograms, > 0
 * restitution        0 to 1; of two bodies the larger counts
 * friction           0 and up; of two bodies the geometric mean counts
 * linear_damping, angular_damping   per second: speed is multiplied by 1 / (1 + damping * dt)
 * gravity_scale      1: falls as gravity says
 * layer              0 to 31; mask: bit set of the layers it meets. Both must meet each other.
 * Scale of the object (world) scales the shape: a sphere by the largest of the three, a capsule's radius
 * by the larger of x and z. Values that are not valid (cn_rigidbody_check) keep a body out of the world.
 */
CN_COMPONENT(CnRigidbody, (u8, kind), (u8, shape), (u8, layer), (bool, can_sleep), (u32, mask),
             (vec3, half_extents), (f32, radius), (f32, height), (f32, mass), (f32, restitution),
             (f32, friction), (f32, linear_damping), (f32, angular_damping), (f32, gravity_scale),
             (text, mesh, CN_MESH_PATH_BYTES));

/* A cube of 1 m, a ball of .5 m or a capsule of 2 m; 1 kg, on layer 0, meeting all, falling, sleeping. */
CN_API CnRigidbody cn_rigidbody(CnBodyKind kind, CnShapeKind shape);
/* Whether a body can be like this; the error says what is wrong. */
CN_API bool cn_rigidbody_check(const CnRigidbody *body, CnError *error);

/*
 * Added by the engine to every body. Of dynamic ones velocities are yours to write; a kinematic body's
 * are those of its last move. force and torque act in the next step.
 * look               what the body was like in the last step, to find out that it was changed; 0: new
 * seen_*             the world pose that it was given or wrote last, to find out that others moved it
 * mean_*             over the last ticks: what only trembles may sleep
 */
CN_COMPONENT(CnBodyState, (f64, position, 3), (f64, rotation, 4), (f64, velocity, 3),
             (f64, spin, 3), (f64, force, 3), (f64, torque, 3), (vec3, seen_position),
             (quat, seen_rotation), (vec3, seen_scale), (u64, look), (vec3, mean_velocity),
             (vec3, mean_spin), (u32, still_ticks), (bool, asleep));

#define CN_MAX_GRAVITY 1e4f /* along each axis */

/*
 * A resource, part of the state.
 * gravity            units per second squared; one beyond CN_MAX_GRAVITY or not finite is not taken
 * iterations         of the solver: more are stiffer, and cost
 * sleep_*            what is slower than this for so many ticks, with all it touches, falls asleep
 * seen_gravity       that of the last step: everything wakes when it changes
 */
CN_COMPONENT(CnPhysicsSettings, (vec3, gravity), (u32, iterations), (f32, sleep_speed),
             (f32, sleep_spin), (u32, sleep_ticks), (vec3, seen_gravity));

CN_EXTERN_C_END

#endif

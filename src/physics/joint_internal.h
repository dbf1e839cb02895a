/* Joints within physics: which take part in a step, and what ODE makes of them. */
#ifndef CAIRN_SRC_PHYSICS_JOINT_INTERNAL_H
#define CAIRN_SRC_PHYSICS_JOINT_INTERNAL_H

#include "physics/physics_internal.h"

/* ---- joint.c ---- */

bool cni_physics_joints_add(CnWorld *world, CnError *error);

/* ---- joint_sync.c ---- */

/* Finds the joints that take part, in entity order, and wakes bodies: those whose joint was
 * changed or removed, and those that are joined to a body that is awake or was moved. */
void cni_physics_joints_sync(CniPhysicsWorld *physics);
/* Marks the bodies as restless that are joined to one that cannot sleep yet. */
void cni_physics_joints_keep_awake(CniPhysicsWorld *physics, uint32_t sleep_ticks);
/* Returns whether two bodies are joined, and do not collide for that reason. */
bool cni_physics_bodies_are_joined(const CniPhysicsWorld *physics, uint64_t key);

/* ---- joint_solve.c ---- */

/* Creates ODE's joints for those of awake bodies, after the bodies were put into the solver. */
void cni_physics_joints_put(CniPhysicsWorld *physics, double dt);
/* After the step: breaks joints. */
void cni_physics_joints_break(CniPhysicsWorld *physics);

/* ---- Rotations: x, y, z, w ---- */

void cni_physics_turn(const double q[4], const double v[3], double result[3]);
void cni_physics_turn_back(const double q[4], const double v[3], double result[3]);
void cni_physics_quat_mul(const double a[4], const double b[4], double result[4]);

#endif

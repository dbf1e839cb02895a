/*
 * Joints in ODE. They are created in each step, as contacts are: ODE then has no state of its own.
 * ODE takes the rest pose from the positions of the bodies while a joint is created, so one body is
 * placed at its rest pose relative to the other for that moment.
 */
#include "physics/joint_internal.h"

#include <cairn/base/math.h>

#define DEGREE (3.14159265358979323846 / 180)

typedef struct Pose {
    double position[3], rotation[4];
} Pose;

typedef struct Ends {
    dBodyID a, b; /* NULL: not in the solver */
    Pose of_a, of_b;
} Ends;

/* ---- Poses ---- */

static Pose pose_of(const CniPhysicsWorld *physics, uint32_t index)
{
    Pose pose = {.rotation = {0, 0, 0, 1}};
    if (index == CNI_PHYSICS_NONE)
        return pose;
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    const CnBodyState *state = cn_get(physics->world, body->entity, CnBodyState);
    memcpy(pose.position, state->position, sizeof pose.position);
    memcpy(pose.rotation, state->rotation, sizeof pose.rotation);
    return pose;
}

static dBodyID solver_body(const CniPhysicsWorld *physics, uint32_t index)
{
    if (index == CNI_PHYSICS_NONE)
        return NULL;
    uint32_t solver = cni_physics_body_at(physics, index)->solver;
    return solver == CNI_PHYSICS_NONE ? NULL : physics->solver.items[solver].body;
}

static void place(dBodyID body, const Pose *pose)
{
    const double *p = pose->position, *q = pose->rotation;
    dBodySetPosition(body, p[0], p[1], p[2]);
    dBodySetQuaternion(body, (const dQuaternion){q[3], q[0], q[1], q[2]});
}

/* Returns a pose in the space of another one, in the world. */
static Pose pose_in(const Pose *outer, const double position[3], const double rotation[4])
{
    Pose pose;
    cni_physics_turn(outer->rotation, position, pose.position);
    for (int i = 0; i < 3; i++)
        pose.position[i] += outer->position[i];
    cni_physics_quat_mul(outer->rotation, rotation, pose.rotation);
    return pose;
}

/* Returns where b is if a is at its rest pose. */
static Pose rest_of_b(const Ends *ends, const CnJointState *state)
{
    const double *q = state->rotation, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double position[3];
    cni_physics_turn(back, state->position, position);
    for (int i = 0; i < 3; i++)
        position[i] = -position[i];
    return pose_in(&ends->of_a, position, back);
}

/* ---- One joint ---- */

static void point_of(const Pose *pose, const double local[3], double point[3])
{
    cni_physics_turn(pose->rotation, local, point);
    for (int i = 0; i < 3; i++)
        point[i] += pose->position[i];
}

static void put_hinge(dJointID hinge, const CnJoint *joint, const double anchor[3],
                      const double axis[3])
{
    dJointSetHingeAnchor(hinge, anchor[0], anchor[1], anchor[2]);
    dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
    if (joint->limited) {
        dJointSetHingeParam(hinge, dParamHiStop, (double)joint->high * DEGREE);
        dJointSetHingeParam(hinge, dParamLoStop, (double)joint->low * DEGREE);
        dJointSetHingeParam(hinge, dParamHiStop, (double)joint->high * DEGREE);
    }
    dJointSetHingeParam(hinge, dParamFMax, (double)joint->motor_force);
    dJointSetHingeParam(hinge, dParamVel, (double)joint->motor_speed * DEGREE);
}

static void put_slider(dJointID slider, const CnJoint *joint, const double axis[3])
{
    dJointSetSliderAxis(slider, axis[0], axis[1], axis[2]);
    if (joint->limited) {
        dJointSetSliderParam(slider, dParamHiStop, (double)joint->high);
        dJointSetSliderParam(slider, dParamLoStop, (double)joint->low);
        dJointSetSliderParam(slider, dParamHiStop, (double)joint->high);
    }
    dJointSetSliderParam(slider, dParamFMax, (double)joint->motor_force);
    dJointSetSliderParam(slider, dParamVel, (double)joint->motor_speed);
}

/* A spring is a distance that gives way: see "CFM and ERP" in the manual of ODE. */
static dJointID put_spring(const CniPhysicsWorld *physics, const CnJoint *joint,
                           const CnJointState *state, const Ends *ends, double dt)
{
    dJointID spring = dJointCreateDBall(physics->solver_world, physics->joints);
    double a[3], b[3], k = (double)joint->stiffness, d = (double)joint->damping;
    point_of(&ends->of_a, state->anchor, a);
    point_of(&ends->of_b, state->other_anchor, b);
    dJointAttach(spring, ends->a ? ends->a : ends->b, ends->a ? ends->b : NULL);
    const double *first = ends->a ? a : b, *second = ends->a ? b : a;
    dJointSetDBallAnchor1(spring, first[0], first[1], first[2]);
    dJointSetDBallAnchor2(spring, second[0], second[1], second[2]);
    dJointSetDBallDistance(spring, joint->length > 0 ? (double)joint->length : state->length);
    dJointSetDBallParam(spring, dParamERP, dt * k / (dt * k + d));
    dJointSetDBallParam(spring, dParamCFM, 1 / (dt * k + d));
    return spring;
}

static dJointID put_constraint(const CniPhysicsWorld *physics, const CnJoint *joint,
                               const CnJointState *state, const Ends *ends)
{
    dWorldID world = physics->solver_world;
    dJointGroupID group = physics->joints;
    dJointID made = joint->kind == CN_JOINT_BALL     ? dJointCreateBall(world, group)
                    : joint->kind == CN_JOINT_HINGE  ? dJointCreateHinge(world, group)
                    : joint->kind == CN_JOINT_SLIDER ? dJointCreateSlider(world, group)
                                                     : dJointCreateFixed(world, group);
    Pose rest_a = ends->of_a, rest_b = ends->of_b;
    if (ends->a) {
        rest_a = pose_in(&ends->of_b, state->position, state->rotation);
        place(ends->a, &rest_a);
    } else {
        rest_b = rest_of_b(ends, state);
        place(ends->b, &rest_b);
    }
    double anchor[3], axis[3];
    point_of(&rest_a, state->anchor, anchor);
    cni_physics_turn(rest_a.rotation, state->axis, axis);
    dJointAttach(made, ends->a, ends->b);
    if (joint->kind == CN_JOINT_BALL)
        dJointSetBallAnchor(made, anchor[0], anchor[1], anchor[2]);
    else if (joint->kind == CN_JOINT_HINGE)
        put_hinge(made, joint, anchor, axis);
    else if (joint->kind == CN_JOINT_SLIDER)
        put_slider(made, joint, axis);
    else
        dJointSetFixed(made);
    place(ends->a ? ends->a : ends->b, ends->a ? &ends->of_a : &ends->of_b);
    return made;
}

static bool is_awake(const CniPhysicsWorld *physics, uint32_t index)
{
    return index != CNI_PHYSICS_NONE &&
           cni_physics_body_at(physics, index)->kind == CN_BODY_DYNAMIC &&
           solver_body(physics, index);
}

/* ---- All joints ---- */

void cni_physics_joints_put(CniPhysicsWorld *physics, double dt)
{
    cn_array_clear(&physics->joint_feedback);
    if (!cn_array_reserve(&physics->joint_feedback, physics->joined.count)) {
        physics->failed = true; /* ODE keeps pointers into the array during the step */
        return;
    }
    for (uint32_t i = 0; i < physics->joined.count; i++) {
        const CniPhysicsJoint *joined = &physics->joined.items[i];
        if (!is_awake(physics, joined->a) && !is_awake(physics, joined->b))
            continue;
        const CnJoint *joint = cn_get(physics->world, joined->entity, CnJoint);
        const CnJointState *state = cn_get(physics->world, joined->entity, CnJointState);
        const Ends ends = {solver_body(physics, joined->a), solver_body(physics, joined->b),
                           pose_of(physics, joined->a), pose_of(physics, joined->b)};
        dJointID made = joint->kind == CN_JOINT_SPRING
                            ? put_spring(physics, joint, state, &ends, dt)
                            : put_constraint(physics, joint, state, &ends);
        if (joint->break_force > 0) {
            CniPhysicsJointFeedback *feedback =
                &physics->joint_feedback.items[physics->joint_feedback.count++];
            *feedback = (CniPhysicsJointFeedback){.entity = joined->entity};
            dJointSetFeedback(made, &feedback->feedback);
        }
    }
}

static double length3(const dReal *v)
{
    return cn_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void cni_physics_joints_break(CniPhysicsWorld *physics)
{
    for (uint32_t i = 0; i < physics->joint_feedback.count; i++) {
        const CniPhysicsJointFeedback *it = &physics->joint_feedback.items[i];
        CnJoint *joint = cn_get_mut(physics->world, it->entity, CnJoint);
        double first = length3(it->feedback.f1), second = length3(it->feedback.f2);
        if ((first > second ? first : second) > (double)joint->break_force)
            joint->broken = true;
    }
}

/* ---- Measuring ---- */

float cn_joint_value(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnJoint *joint = cn_get(world, entity, CnJoint);
    const CnJointState *state = cn_get(world, entity, CnJointState);
    const CnBodyState *a = state ? cn_get(world, state->a, CnBodyState) : NULL;
    const CnBodyState *b = state ? cn_get(world, state->b, CnBodyState) : NULL;
    if (!a || !state->rest_hash || (state->b.id && !b))
        return 0;
    Pose outer = {.rotation = {0, 0, 0, 1}}, rest;
    if (b) {
        memcpy(outer.position, b->position, sizeof outer.position);
        memcpy(outer.rotation, b->rotation, sizeof outer.rotation);
    }
    rest = pose_in(&outer, state->position, state->rotation);
    double back[4] = {-rest.rotation[0], -rest.rotation[1], -rest.rotation[2], rest.rotation[3]};
    if (joint->kind == CN_JOINT_HINGE) {
        double turned[4];
        cni_physics_quat_mul(back, a->rotation, turned);
        double sine =
            turned[0] * state->axis[0] + turned[1] * state->axis[1] + turned[2] * state->axis[2];
        double half =
            cn_atan2(turned[3] < 0 ? -sine : sine, turned[3] < 0 ? -turned[3] : turned[3]);
        return (float)(2 * half / DEGREE);
    }
    double moved[3], along[3];
    for (int i = 0; i < 3; i++)
        moved[i] = a->position[i] - rest.position[i];
    cni_physics_turn(back, moved, along);
    return joint->kind != CN_JOINT_SLIDER
               ? 0
               : (float)(along[0] * state->axis[0] + along[1] * state->axis[1] +
                         along[2] * state->axis[2]);
}

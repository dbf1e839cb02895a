#include "physics/joint_internal.h"

#include <cairn/base/math.h>
#include <cairn/sim/loop.h>

/* The fraction of an overlap that one step corrects, and the maximum speed of the correction. */
#define ERP 0.2
#define MAX_CORRECTION 2.0
/* The overlap that is allowed, so that contacts persist. */
#define CONTACT_LAYER 0.002
#define MAX_ITERATIONS 1000u
/* Softness of a contact for a kilogram: without it, piles never come to rest. */
#define SOFTNESS 1e-4
/* Below this speed, bodies do not bounce. */
#define BOUNCE_SPEED 0.5

void cni_physics_solver_open(CniPhysicsWorld *physics)
{
    physics->solver_world = dWorldCreate();
    physics->joints = dJointGroupCreate(0);
    dWorldSetERP(physics->solver_world, ERP);
    dWorldSetContactMaxCorrectingVel(physics->solver_world, MAX_CORRECTION);
    dWorldSetContactSurfaceLayer(physics->solver_world, CONTACT_LAYER);
}

void cni_physics_solver_close(CniPhysicsWorld *physics)
{
    if (!physics->solver_world)
        return;
    dJointGroupDestroy(physics->joints);
    dWorldDestroy(physics->solver_world); /* with its bodies */
    physics->solver_world = NULL;
    physics->solver.count = physics->solver_count = 0;
}

/* ---- Bodies: the n-th body of ODE is used for the n-th body of this step ---- */

static CniPhysicsSolverBody *take_solver_body(CniPhysicsWorld *physics)
{
    if (physics->solver_count == physics->solver.count) {
        if (!cn_array_reserve(&physics->solver, (uint64_t)physics->solver.count + 1))
            return NULL;
        dBodyID body = dBodyCreate(physics->solver_world);
        dBodySetGravityMode(body, 0);
        physics->solver.items[physics->solver.count++] = (CniPhysicsSolverBody){.body = body};
    }
    return &physics->solver.items[physics->solver_count++];
}

static void put_mass(CniPhysicsSolverBody *solver, const CniPhysicsBody *body)
{
    uint64_t shape_hash = body->kind == CN_BODY_DYNAMIC ? body->shape_hash : 0;
    if (shape_hash && shape_hash != solver->mass_hash)
        dBodySetMass(solver->body, &body->mass);
    if (!shape_hash)
        dBodySetKinematic(solver->body);
    solver->mass_hash = shape_hash;
}

static void put_forces(dBodyID into, const CniPhysicsBody *body, const CnBodyState *state,
                       CnVec3 gravity)
{
    double weight =
        body->kind == CN_BODY_DYNAMIC ? body->mass.mass * (double)body->gravity_scale : 0;
    dBodySetForce(into, state->force[0] + weight * (double)gravity.x,
                  state->force[1] + weight * (double)gravity.y,
                  state->force[2] + weight * (double)gravity.z);
    dBodySetTorque(into, state->torque[0], state->torque[1], state->torque[2]);
}

static bool put_body(CniPhysicsWorld *physics, CniPhysicsBody *body, CnVec3 gravity)
{
    CniPhysicsSolverBody *solver = take_solver_body(physics);
    if (!solver)
        return false;
    CnBodyState *state = cn_get_mut(physics->world, body->entity, CnBodyState);
    const double *q = state->rotation, *p = state->position;
    dBodyID into = solver->body;
    body->solver = physics->solver_count - 1;
    solver->record = (uint32_t)(body - physics->records.items);
    solver->state = state;
    solver->part = 1;
    solver->fast = false;
    for (int i = 0; i < 3; i++)
        solver->from[i] = p[i];
    put_mass(solver, body);
    dBodyEnable(into);
    dBodySetPosition(into, p[0], p[1], p[2]);
    dBodySetQuaternion(into, (const dQuaternion){q[3], q[0], q[1], q[2]});
    dBodySetLinearVel(into, state->velocity[0], state->velocity[1], state->velocity[2]);
    dBodySetAngularVel(into, state->angular_velocity[0], state->angular_velocity[1],
                       state->angular_velocity[2]);
    put_forces(into, body, state, gravity);
    return true;
}

/* Adds bodies that are awake or moving, in entity order. */
static void put_bodies(CniPhysicsWorld *physics, CnVec3 gravity)
{
    uint32_t before = physics->solver_count;
    physics->solver_count = 0;
    for (uint32_t i = cn_bitset_next(&physics->active, 0); i != CN_BITSET_NONE;
         i = cn_bitset_next(&physics->active, i + 1)) {
        CniPhysicsBody *body = cni_physics_body_at(physics, i);
        if (body && (cn_bitset_has(&physics->awake, i) || cn_bitset_has(&physics->moving, i)))
            physics->failed |= !put_body(physics, body, gravity);
    }
    for (uint32_t i = physics->solver_count; i < before; i++)
        dBodyDisable(physics->solver.items[i].body);
}

/* ---- Contacts ---- */

static dBodyID solver_body(const CniPhysicsWorld *physics, const CniPhysicsBody *body)
{
    return body->solver == CNI_PHYSICS_NONE ? NULL : physics->solver.items[body->solver].body;
}

static bool is_awake(const CniPhysicsBody *body)
{
    return body->solver != CNI_PHYSICS_NONE && body->kind == CN_BODY_DYNAMIC;
}

/* Returns whether a softened contact would let the body pass through something in this step. */
static bool is_impact(const CniPhysicsWorld *physics, const CniPhysicsBody *body, double dt)
{
    if (!is_awake(body) || !body->continuous)
        return false;
    const double *v = physics->solver.items[body->solver].state->velocity;
    return cni_physics_is_fast(body, (const double[]){v[0] * dt, v[1] * dt, v[2] * dt});
}

static dSurfaceParameters surface_between(const CniPhysicsBody *a, const CniPhysicsBody *b)
{
    dSurfaceParameters surface = {.mode = dContactApprox1 | dContactSoftCFM};
    double mass_a = cni_physics_mass_of(a), mass_b = cni_physics_mass_of(b);
    surface.soft_cfm = SOFTNESS / (mass_a < mass_b ? mass_a : mass_b);
    surface.mu = cn_sqrt((double)a->friction * (double)b->friction);
    double bounce = (double)(a->restitution > b->restitution ? a->restitution : b->restitution);
    if (bounce > 0) {
        surface.mode |= dContactBounce;
        surface.bounce = bounce;
        surface.bounce_vel = BOUNCE_SPEED;
    }
    return surface;
}

static bool is_measured(const CniPhysicsWorld *physics, const CniPhysicsContactPair *pair)
{
    return cn_bitset_has(&physics->measured, (uint32_t)(pair->key >> 32)) ||
           cn_bitset_has(&physics->measured, (uint32_t)pair->key);
}

/* ODE keeps pointers into the array during the step. */
static void make_room_for_feedback(CniPhysicsWorld *physics)
{
    uint64_t count = 0;
    cn_array_clear(&physics->feedback);
    if (cn_bitset_is_empty(&physics->measured))
        return;
    for (uint32_t i = 0; i < physics->pairs.count; i++)
        if (is_measured(physics, &physics->pairs.items[i]))
            count += physics->pairs.items[i].count;
    physics->failed |= !cn_array_reserve(&physics->feedback, count);
}

/* Returns whether the solver keeps two touching bodies apart. */
static bool is_solved(const CniPhysicsWorld *physics, const CniPhysicsBody *a,
                      const CniPhysicsBody *b, uint64_t key)
{
    return !cni_physics_bodies_are_joined(physics, key) && a->kind != CN_BODY_GHOST &&
           b->kind != CN_BODY_GHOST && (is_awake(a) || is_awake(b));
}

static void make_joints(CniPhysicsWorld *physics, double dt)
{
    make_room_for_feedback(physics);
    for (uint32_t i = 0; i < physics->pairs.count && !physics->failed; i++) {
        const CniPhysicsContactPair *pair = &physics->pairs.items[i];
        const CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(pair->key >> 32));
        const CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)pair->key);
        if (!is_solved(physics, a, b, pair->key))
            continue;
        dContact contact = {.surface = surface_between(a, b)};
        if (is_impact(physics, a, dt) || is_impact(physics, b, dt))
            contact.surface.soft_cfm = 0;
        bool measured = is_measured(physics, pair);
        for (uint32_t c = 0; c < pair->count; c++) {
            contact.geom = physics->contacts.items[pair->first + c];
            dJointID joint = dJointCreateContact(physics->solver_world, physics->joints, &contact);
            dJointAttach(joint, solver_body(physics, a), solver_body(physics, b));
            if (measured)
                dJointSetFeedback(joint, &physics->feedback.items[physics->feedback.count++]);
        }
    }
}

/* In the order of make_joints. */
static void read_impulses(CniPhysicsWorld *physics, double dt)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < physics->pairs.count && place < physics->feedback.count; i++) {
        CniPhysicsContactPair *pair = &physics->pairs.items[i];
        const CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(pair->key >> 32));
        const CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)pair->key);
        if (!is_measured(physics, pair) || !is_solved(physics, a, b, pair->key))
            continue;
        double impulse = 0;
        for (uint32_t c = 0; c < pair->count; c++) {
            const dReal *f = physics->feedback.items[place++].f1;
            const dReal *n = physics->contacts.items[pair->first + c].normal;
            impulse += cn_fabs(f[0] * n[0] + f[1] * n[1] + f[2] * n[2]) * dt;
        }
        pair->impulse = (float)impulse;
    }
}

void cni_physics_solve(CniPhysicsWorld *physics, float dt)
{
    const CnPhysicsSettings *settings = cn_resource(physics->world, CnPhysicsSettings);
    const CnTickInfo *tick = cn_resource(physics->world, CnTickInfo);
    put_bodies(physics, settings->gravity);
    make_joints(physics, (double)dt);
    cni_physics_joints_put(physics, (double)dt);
    uint32_t iterations = settings->iterations ? settings->iterations : 1;
    dWorldSetQuickStepNumIterations(
        physics->solver_world, (int)(iterations < MAX_ITERATIONS ? iterations : MAX_ITERATIONS));
    /* The solver shuffles contacts with random numbers that all worlds of the process share. */
    dRandSetSeed((unsigned long)(cn_hash_mix(tick ? tick->tick : 0) & 0xffffffffu));
    if (!dWorldQuickStep(physics->solver_world, (double)dt))
        physics->failed = true; /* out of memory */
    else
        read_impulses(physics, (double)dt);
    dJointGroupEmpty(physics->joints);
}

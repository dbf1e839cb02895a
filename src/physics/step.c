#include "physics/joint_internal.h"
#include "physics/ode_library.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/scene/transform.h>

typedef struct Step {
    CniPhysicsWorld *physics;
    float dt;
} Step;

/* ---- Reading the results of the solver ---- */

static bool is_within(const double *v, int count, double most)
{
    for (int i = 0; i < count; i++)
        if (!(cn_fabs(v[i]) <= most))
            return false;
    return true;
}

/* A small body that is hit off its center may spin at any speed; it spins at the limit. */
static double spin_factor(const double w[3])
{
    double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    double most = CNI_PHYSICS_MAX_ANGULAR_SPEED;
    return square > most * most ? most / cn_sqrt(square) : 1;
}

/* A body whose values exceed the limits keeps its position. */
static void take_result(CniPhysicsWorld *physics, const CniPhysicsSolverBody *solver, double dt)
{
    const CniPhysicsBody *body = &physics->records.items[solver->record];
    CnBodyState *state = solver->state;
    const double *p = dBodyGetPosition(solver->body), *q = dBodyGetQuaternion(solver->body);
    const double *v = dBodyGetLinearVel(solver->body), *w = dBodyGetAngularVel(solver->body);
    bool sane = is_within(p, 3, CNI_PHYSICS_MAX_POSITION) && is_within(q, 4, 1.1) &&
                is_within(v, 3, CNI_PHYSICS_MAX_SPEED) && is_within(w, 3, 1e12);
    double slower = 1 / (1 + (double)body->linear_damping * dt);
    double turning = spin_factor(w) / (1 + (double)body->angular_damping * dt);
    if (!sane)
        cni_physics_count_sanitized(physics, "a body that was too far away or too fast");
    for (int i = 0; i < 3; i++) {
        state->position[i] = sane ? p[i] : state->position[i];
        state->rotation[i] = sane ? q[i + 1] : state->rotation[i];
        state->velocity[i] = sane ? v[i] * slower : 0;
        state->angular_velocity[i] = sane ? w[i] * turning : 0;
        state->force[i] = state->torque[i] = 0;
    }
    state->rotation[3] = sane ? q[0] : state->rotation[3];
}

/* ---- Writing the transforms ---- */

static CnVec3 float_position(const CnBodyState *state)
{
    return cn_vec3((float)state->position[0], (float)state->position[1], (float)state->position[2]);
}

static CnQuat float_rotation(const CnBodyState *state)
{
    return (CnQuat){(float)state->rotation[0], (float)state->rotation[1], (float)state->rotation[2],
                    (float)state->rotation[3]};
}

static void write_root(CniPhysicsWorld *physics, const CniPhysicsBody *body, CnBodyState *state)
{
    CnVec3 position = float_position(state), synced = state->synced_position;
    CnQuat rotation = float_rotation(state), synced_rotation = state->synced_rotation;
    if (position.x == synced.x && position.y == synced.y && position.z == synced.z &&
        rotation.x == synced_rotation.x && rotation.y == synced_rotation.y &&
        rotation.z == synced_rotation.z && rotation.w == synced_rotation.w)
        return;
    CnTransform *transform = cn_get_mut(physics->world, body->entity, CnTransform);
    transform->position = state->synced_position = position;
    transform->rotation = state->synced_rotation = rotation;
}

/* The conversion through the inverse of the parent is not exact; the pose that is read back is
 * stored as synced. */
static void write_linked(CniPhysicsWorld *physics, CniPhysicsBody *body, CnBodyState *state)
{
    CnWorld *world = physics->world;
    cn_transform_set_world_position(world, body->entity, float_position(state));
    cn_transform_set_world_rotation(world, body->entity, float_rotation(state));
    state->synced_position = cn_transform_world_position(world, body->entity);
    state->synced_rotation = cn_transform_world_rotation(world, body->entity);
    body->version = cn_transform_world_version(world, body->entity);
}

static void write_results(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->candidates);
    for (uint32_t i = 0; i < physics->solver_count; i++) {
        const CniPhysicsSolverBody *solver = &physics->solver.items[i];
        CniPhysicsBody *body = &physics->records.items[solver->record];
        if (body->kind != CN_BODY_DYNAMIC)
            continue;
        uint64_t depth = body->linked ? cn_depth(physics->world, body->entity) : 0;
        if (!body->linked)
            write_root(physics, body, solver->state);
        else
            physics->failed |= !cn_array_push(&physics->candidates, depth << 32 | i);
    }
    /* Parents first, because they move their children. */
    physics->failed |= !cni_physics_sort_keys(&physics->candidates, &physics->scratch);
    for (uint32_t i = 0; i < physics->candidates.count; i++) {
        const CniPhysicsSolverBody *solver =
            &physics->solver.items[(uint32_t)physics->candidates.items[i]];
        write_linked(physics, &physics->records.items[solver->record], solver->state);
    }
}

static void take_results(CniPhysicsWorld *physics, double dt)
{
    for (uint32_t i = 0; i < physics->solver_count; i++) {
        const CniPhysicsSolverBody *solver = &physics->solver.items[i];
        CniPhysicsBody *body = &physics->records.items[solver->record];
        if (body->kind != CN_BODY_DYNAMIC)
            continue;
        take_result(physics, solver, dt);
        physics->failed |= !cni_physics_body_place(physics, body, solver->state->position,
                                                   solver->state->rotation);
    }
    cni_physics_stop_at_hits(physics);
    write_results(physics);
}

/* ---- A step ---- */

static bool gravity_is_sane(CnVec3 gravity)
{
    return cn_fabsf(gravity.x) <= CN_MAX_GRAVITY && cn_fabsf(gravity.y) <= CN_MAX_GRAVITY &&
           cn_fabsf(gravity.z) <= CN_MAX_GRAVITY;
}

/* A change of gravity wakes all bodies. */
static void apply_gravity_change(CniPhysicsWorld *physics, CnPhysicsSettings *settings)
{
    CnVec3 *gravity = &settings->gravity, *last = &settings->last_gravity;
    if (gravity->x == last->x && gravity->y == last->y && gravity->z == last->z)
        return;
    if (!gravity_is_sane(*gravity)) {
        cni_physics_count_sanitized(physics, "a gravity that is not finite or too large");
        *gravity = *last;
        return;
    }
    *last = *gravity;
    for (uint32_t i = 0; i < physics->records.count; i++) {
        CniPhysicsBody *body = &physics->records.items[i];
        if (body->leaf != CNI_PHYSICS_NO_LEAF && cni_physics_is_asleep(physics, body))
            cni_physics_wake(physics, body);
    }
}

static bool is_idle(const CniPhysicsWorld *physics)
{
    return !physics->lost && !cni_physics_touching_was_loaded(physics) &&
           cn_bitset_is_empty(&physics->awake) && cn_bitset_is_empty(&physics->touched) &&
           cn_bitset_is_empty(&physics->moving);
}

static void step_bodies(CniPhysicsWorld *physics, const CnPhysicsSettings *settings, float dt)
{
    cni_physics_touching_load(physics);
    cni_physics_touching_wake(physics);
    cni_physics_find_contacts(physics);
    cni_physics_touching_update(physics);
    cni_physics_solve(physics, dt);
    take_results(physics, (double)dt);
    cni_physics_joints_break(physics);
    cni_physics_fall_asleep(physics, settings);
    for (uint32_t i = 0; i < physics->solver_count; i++)
        physics->records.items[physics->solver.items[i].record].solver = CNI_PHYSICS_NONE;
    cn_bitset_clear_all(&physics->touched);
    cn_bitset_clear_all(&physics->changed_or_moved);
    physics->lost = false;
}

static void run(void *data)
{
    const Step *step = data;
    CniPhysicsWorld *physics = step->physics;
    CnPhysicsSettings *settings = cn_resource_mut(physics->world, CnPhysicsSettings);
    if (!physics->solver_world)
        cni_physics_solver_open(physics);
    cni_physics_sync(physics, CNI_PHYSICS_SYNC_STEP, step->dt);
    apply_gravity_change(physics, settings);
    cni_physics_joints_sync(physics);
    if (!is_idle(physics) && !physics->failed)
        step_bodies(physics, settings, step->dt);
    cn_bitset_clear_all(&physics->measured);
    physics->step_tick = physics->query_tick = cn_world_tick(physics->world);
}

void cni_physics_step(CnSystemContext *context)
{
    Step step = {context->user, context->dt};
    CniPhysicsWorld *physics = step.physics;
    if (!(step.dt > 0) || !cni_physics_settings_of(context->world))
        return;
    if (!cni_physics_ode_run(run, &step) || physics->failed) {
        CN_LOG_ERROR("physics", "a step was not completed: out of memory, or an ODE error");
        cni_physics_world_reset(physics);
    }
}

#include "physics/physics_internal.h"

#include <cairn/base/math.h>
#include <cairn/scene/transform.h>

typedef struct Sync {
    CniPhysicsWorld *physics;
    CniPhysicsSyncPurpose purpose;
    double dt;
} Sync;

/* ---- Poses ---- */

static bool is_within3(CnVec3 v, float most)
{
    return cn_fabsf(v.x) <= most && cn_fabsf(v.y) <= most && cn_fabsf(v.z) <= most;
}

static bool pose_is_sane(const CniPhysicsPose *pose)
{
    const CnQuat *q = &pose->rotation;
    float square = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
    return is_within3(pose->position, (float)CNI_PHYSICS_MAX_POSITION) &&
           is_within3(pose->scale, CNI_PHYSICS_MAX_SIZE) && square >= 1e-6f && square <= 1e6f;
}

static bool pose_is_synced(const CnBodyState *state, const CniPhysicsPose *pose)
{
    const CnVec3 *p = &pose->position, *synced_p = &state->synced_position;
    const CnQuat *q = &pose->rotation, *synced_q = &state->synced_rotation;
    return p->x == synced_p->x && p->y == synced_p->y && p->z == synced_p->z &&
           q->x == synced_q->x && q->y == synced_q->y && q->z == synced_q->z && q->w == synced_q->w;
}

static bool is_close(float a, float b)
{
    return cn_fabsf(a - b) <= 1e-4f * cn_fabsf(b);
}

/* The scale of an object below a rotated parent is recomputed whenever it moves, and varies
 * slightly. */
static CnVec3 steady_scale(CnVec3 scale, const CnBodyState *state)
{
    CnVec3 synced = state->synced_scale;
    bool same = state->settings_hash && is_close(scale.x, synced.x) &&
                is_close(scale.y, synced.y) && is_close(scale.z, synced.z);
    return same ? synced : scale;
}

static CniPhysicsPose pose_of(CnWorld *world, CnEntity entity, const CnTransform *transform,
                              bool linked)
{
    if (!linked)
        return (CniPhysicsPose){transform->position, transform->rotation, transform->scale};
    return (CniPhysicsPose){cn_transform_world_position(world, entity),
                            cn_transform_world_rotation(world, entity),
                            cn_transform_world_scale(world, entity)};
}

static void put_state(CnBodyState *state, const CniPhysicsPose *pose)
{
    double q[4] = {(double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z,
                   (double)pose->rotation.w};
    double scale = 1 / cn_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        state->rotation[i] = q[i] * scale;
    state->position[0] = (double)pose->position.x;
    state->position[1] = (double)pose->position.y;
    state->position[2] = (double)pose->position.z;
    state->synced_position = pose->position;
    state->synced_rotation = pose->rotation;
}

/* ---- Invalid values ---- */

static double length3(const double v[3])
{
    return cn_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool is_sane(const CnBodyState *state)
{
    return length3(state->velocity) <= CNI_PHYSICS_MAX_SPEED &&
           length3(state->angular_velocity) <= CNI_PHYSICS_MAX_ANGULAR_SPEED &&
           length3(state->force) <= CNI_PHYSICS_MAX_FORCE &&
           length3(state->torque) <= CNI_PHYSICS_MAX_FORCE;
}

/* NaN fails every comparison. */
static bool state_is_sane(const CnBodyState *state)
{
    const double *q = state->rotation;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return length3(state->position) <= 2 * CNI_PHYSICS_MAX_POSITION && square > 0.5 && square < 2;
}

/* Shortens vectors that are too long; those without a length become 0. */
static void sanitize(double v[3], double most)
{
    double length = length3(v);
    if (length <= most)
        return;
    bool has_length = length <= 1e300;
    for (int i = 0; i < 3; i++)
        v[i] = has_length ? v[i] * (most / length) : 0;
}

static void sanitize_state(CniPhysicsWorld *physics, CnBodyState *state)
{
    sanitize(state->velocity, CNI_PHYSICS_MAX_SPEED);
    sanitize(state->angular_velocity, CNI_PHYSICS_MAX_ANGULAR_SPEED);
    sanitize(state->force, CNI_PHYSICS_MAX_FORCE);
    sanitize(state->torque, CNI_PHYSICS_MAX_FORCE);
    cni_physics_count_sanitized(physics, "a velocity or a force that is not finite or too large");
}

/* ---- Effects of a move on a step ---- */

static bool is_pushed(const CnBodyState *state)
{
    return !cni_physics_is_zero3(state->velocity) ||
           !cni_physics_is_zero3(state->angular_velocity) || !cni_physics_is_zero3(state->force) ||
           !cni_physics_is_zero3(state->torque);
}

/* Computes the velocity at which a kinematic body moved from its last to its current pose. */
static void set_speeds(CnBodyState *state, const double from[3], const double turned[4], double dt)
{
    const double *q = state->rotation;
    for (int i = 0; i < 3; i++)
        state->velocity[i] = (state->position[i] - from[i]) / dt;
    double turn[4] = {-q[3] * turned[0] + q[0] * turned[3] - q[1] * turned[2] + q[2] * turned[1],
                      -q[3] * turned[1] + q[0] * turned[2] + q[1] * turned[3] - q[2] * turned[0],
                      -q[3] * turned[2] - q[0] * turned[1] + q[1] * turned[0] + q[2] * turned[3],
                      q[3] * turned[3] + q[0] * turned[0] + q[1] * turned[1] + q[2] * turned[2]};
    double sine = length3(turn), sign = turn[3] < 0 ? -1 : 1;
    double rate = sine > 0 ? 2 * cn_atan2(sine, sign * turn[3]) / (sine * dt) : 0;
    for (int i = 0; i < 3; i++)
        state->angular_velocity[i] = sign * turn[i] * rate;
}

static void stop(CnBodyState *state)
{
    for (int i = 0; i < 3; i++)
        state->velocity[i] = state->angular_velocity[i] = state->force[i] = state->torque[i] = 0;
}

static void follow(const Sync *sync, const CniPhysicsBody *body, CnBodyState *state,
                   const CniPhysicsPose *pose)
{
    double from[3], turned[4];
    bool known = state->settings_hash != 0 && state_is_sane(state);
    bool moved = !known || !pose_is_synced(state, pose);
    for (int i = 0; i < 3; i++)
        from[i] = state->position[i];
    for (int i = 0; i < 4; i++)
        turned[i] = state->rotation[i];
    if (moved)
        put_state(state, pose);
    if (body->kind != CN_BODY_DYNAMIC)
        stop(state);
    if (body->kind == CN_BODY_KINEMATIC && known && moved)
        set_speeds(state, from, turned, sync->dt);
    if (!is_sane(state))
        sanitize_state(sync->physics, state);
    state->settings_hash = body->settings_hash;
    state->synced_scale = pose->scale;
    state->asleep = false;
    state->still_ticks = 0;
}

static void note_pose(const Sync *sync, const CniPhysicsBody *body, const CnBodyState *state,
                      const CniPhysicsPose *pose)
{
    CniPhysicsWorld *physics = sync->physics;
    uint32_t index = cn_entity_index(body->entity);
    bool known = state->settings_hash != 0, changed = state->settings_hash != body->settings_hash;
    bool moved = !known || !pose_is_synced(state, pose);
    bool odd = body->kind == CN_BODY_DYNAMIC
                   ? (state->asleep && is_pushed(state)) || !is_sane(state)
                   : body->kind != CN_BODY_KINEMATIC && is_pushed(state);
    odd |= !state_is_sane(state);
    if (changed || moved)
        physics->failed |= !cn_bitset_set(&physics->touched, index);
    if (known && (changed || (moved && body->kind != CN_BODY_GHOST)))
        physics->failed |= !cn_bitset_set(&physics->changed_or_moved, index);
    if (changed || moved || odd)
        follow(sync, body, cn_get_mut(physics->world, body->entity, CnBodyState), pose);
    if (body->kind == CN_BODY_DYNAMIC && !state->asleep)
        physics->failed |= !cn_bitset_set(&physics->awake, index);
    else
        cn_bitset_clear(&physics->awake, index);
    if (body->kind == CN_BODY_KINEMATIC && is_pushed(state))
        physics->failed |= !cn_bitset_set(&physics->moving, index);
    else
        cn_bitset_clear(&physics->moving, index);
}

/* ---- From components to records ---- */

static bool fits(CniPhysicsWorld *physics, CniPhysicsBody *body, const CnRigidbody *rigid,
                 const CniPhysicsPose *pose)
{
    CnError error = {0};
    char text[CN_ERROR_FILE_BYTES + CN_ERROR_MESSAGE_BYTES + 64];
    bool fit = pose_is_sane(pose) ||
               cn_error_set(&error, CN_ERROR_FORMAT, "its position is not finite or too far away");
    fit = fit && cni_physics_body_shape(physics, body, rigid, pose->scale, &error);
    if (!fit && !body->refused)
        CN_LOG_WARNING("physics", "the body of entity %u %s is excluded: %s",
                       cn_entity_index(body->entity), cn_object_name(physics->world, body->entity),
                       cn_error_text(&error, text, sizeof text));
    body->refused = !fit;
    return fit;
}

static void sync_body(const Sync *sync, CnEntity entity, const CnRigidbody *rigid,
                      const CnBodyState *state, const CnTransform *transform, bool linked)
{
    CniPhysicsWorld *physics = sync->physics;
    uint32_t index = cn_entity_index(entity);
    CniPhysicsBody *body = cni_physics_record_of(physics, entity);
    if (!body || (linked && !cn_bitset_set(&physics->linked, index))) {
        physics->failed = true;
        return;
    }
    if (!linked)
        cn_bitset_clear(&physics->linked, index);
    body->linked = linked;
    body->version = linked ? cn_transform_world_version(physics->world, entity) : 0;
    CniPhysicsPose pose = pose_of(physics->world, entity, transform, linked);
    pose.scale = steady_scale(pose.scale, state);
    if (!fits(physics, body, rigid, &pose)) {
        cni_physics_body_remove_shape(physics, body);
        cn_bitset_clear(&physics->awake, index);
        cn_bitset_clear(&physics->moving, index);
        if (sync->purpose == CNI_PHYSICS_SYNC_STEP && state->settings_hash)
            cn_get_mut(physics->world, entity, CnBodyState)->settings_hash = 0;
        return;
    }
    if (sync->purpose == CNI_PHYSICS_SYNC_STEP)
        note_pose(sync, body, state, &pose);
    CnBodyState put = *state;
    if (!put.settings_hash || !pose_is_synced(state, &pose) || !state_is_sane(state))
        put_state(&put, &pose);
    physics->failed |= !cni_physics_body_place(physics, body, put.position, put.rotation);
}

static void sync_changed(const Sync *sync, uint64_t since)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(sync->physics->bodies, since);
         cn_query_next(&it, &view);) {
        const CnRigidbody *rigid = cn_column_const(&view, CnRigidbody);
        const CnBodyState *state = cn_column_const(&view, CnBodyState);
        const CnTransform *transform = cn_column_const(&view, CnTransform);
        const CnNode *node = cn_column_const(&view, CnNode);
        for (uint32_t i = 0; i < view.count; i++)
            sync_body(sync, view.entities[i], &rigid[i], &state[i], &transform[i],
                      node && node[i].parent.id);
    }
}

/* A body that moves with its parent need not have changed itself. */
static void sync_linked(const Sync *sync)
{
    CniPhysicsWorld *physics = sync->physics;
    CnWorld *world = physics->world;
    for (uint32_t i = cn_bitset_next(&physics->linked, 0); i != CN_BITSET_NONE;
         i = cn_bitset_next(&physics->linked, i + 1)) {
        const CniPhysicsBody *body = cni_physics_body_at(physics, i);
        CnEntity entity = body->entity;
        if (cn_transform_world_version(world, entity) != body->version)
            sync_body(sync, entity, cn_get(world, entity, CnRigidbody),
                      cn_get(world, entity, CnBodyState), cn_get(world, entity, CnTransform), true);
    }
}

/* A body that no longer takes part counts as new when it does again. */
static void forget_inactive(CniPhysicsWorld *physics)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(physics->inactive, physics->step_tick);
         cn_query_next(&it, &view);) {
        const CnBodyState *state = cn_column_const(&view, CnBodyState);
        for (uint32_t i = 0; i < view.count; i++)
            if (state[i].settings_hash)
                cn_get_mut(physics->world, view.entities[i], CnBodyState)->settings_hash = 0;
    }
}

/* Stops kinematic bodies that were moved in the last step but not in this one. */
static void stop_kinematic(CniPhysicsWorld *physics)
{
    for (uint32_t i = cn_bitset_next(&physics->moving, 0); i != CN_BITSET_NONE;
         i = cn_bitset_next(&physics->moving, i + 1)) {
        if (cn_bitset_has(&physics->touched, i))
            continue;
        stop(cn_get_mut(physics->world, cni_physics_body_at(physics, i)->entity, CnBodyState));
        cn_bitset_clear(&physics->moving, i);
    }
}

void cni_physics_sync(CniPhysicsWorld *physics, CniPhysicsSyncPurpose purpose, float dt)
{
    Sync sync = {physics, purpose, (double)dt};
    bool step = purpose == CNI_PHYSICS_SYNC_STEP;
    sync_changed(&sync, step ? physics->step_tick : physics->query_tick);
    if (physics->record_count != cn_query_count(physics->bodies))
        cni_physics_records_sweep(physics);
    sync_linked(&sync);
    if (step) {
        forget_inactive(physics);
        stop_kinematic(physics);
    }
    /* Other code may continue to write in this change tick. */
    physics->query_tick = cn_world_tick(physics->world) - 1;
}

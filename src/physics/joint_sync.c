/* Which joints take part in a step: rest poses, changes, waking and sleeping together. */
#include "physics/joint_internal.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/scene/transform.h>

#define MAX_DEPTH 128u /* of objects between a joint and its body */

/* ---- Rotations ---- */

void cni_physics_quat_mul(const double a[4], const double b[4], double result[4])
{
    result[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    result[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    result[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    result[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void cni_physics_turn(const double q[4], const double v[3], double result[3])
{
    double u[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    result[0] = v[0] + q[3] * u[0] + q[1] * u[2] - q[2] * u[1];
    result[1] = v[1] + q[3] * u[1] + q[2] * u[0] - q[0] * u[2];
    result[2] = v[2] + q[3] * u[2] + q[0] * u[1] - q[1] * u[0];
}

void cni_physics_turn_back(const double q[4], const double v[3], double result[3])
{
    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
    cni_physics_turn(back, v, result);
}

/* ---- The bodies of a joint ---- */

static CniPhysicsBody *body_above(const CniPhysicsWorld *physics, CnEntity object)
{
    for (uint32_t depth = 0; object.id && depth < MAX_DEPTH; depth++) {
        CniPhysicsBody *body = cni_physics_active_body(physics, object);
        if (body || cn_has(physics->world, object, CnRigidbody))
            return body;
        object = cn_parent(physics->world, object);
    }
    return NULL;
}

static bool can_join(const CniPhysicsBody *a, const CniPhysicsBody *b)
{
    bool is_ghost = a->kind == CN_BODY_GHOST || (b && b->kind == CN_BODY_GHOST);
    bool is_moved = a->kind == CN_BODY_DYNAMIC || (b && b->kind == CN_BODY_DYNAMIC);
    return a != b && !is_ghost && is_moved;
}

/* Returns false if the joint cannot take part now. */
static bool find_bodies(const CniPhysicsWorld *physics, CnEntity entity, const CnJoint *joint,
                        CniPhysicsJoint *found)
{
    CniPhysicsBody *a = body_above(physics, entity), *b = NULL;
    if (joint->other.id) {
        b = body_above(physics, joint->other);
        if (!b)
            return false;
    }
    if (!a || !can_join(a, b))
        return false;
    found->a = cn_entity_index(a->entity);
    found->b = b ? cn_entity_index(b->entity) : CNI_PHYSICS_NONE;
    return true;
}

/* ---- Rest poses ---- */

static uint64_t hash_vec3(CnVec3 v, uint64_t hash)
{
    const float values[] = {v.x, v.y, v.z};
    return cn_hash_bytes(values, sizeof values, hash);
}

static uint64_t hash_rest(const CnJoint *joint, CnEntity a, CnEntity b)
{
    const uint64_t parts[] = {joint->kind, a.id, b.id};
    uint64_t hash = cn_hash_bytes(parts, sizeof parts, 1);
    hash = hash_vec3(joint->anchor, hash_vec3(joint->axis, hash_vec3(joint->other_anchor, hash)));
    return hash ? hash : 1;
}

static uint64_t hash_settings(const CnJoint *joint)
{
    const uint32_t flags[] = {joint->limited, joint->collide, joint->broken};
    const float values[] = {joint->low,         joint->high,       joint->motor_speed,
                            joint->motor_force, joint->length,     joint->stiffness,
                            joint->damping,     joint->break_force};
    return cn_hash_bytes(values, sizeof values, cn_hash_bytes(flags, sizeof flags, 1));
}

static const CnBodyState *state_of(const CniPhysicsWorld *physics, uint32_t index)
{
    return index == CNI_PHYSICS_NONE
               ? NULL
               : cn_get(physics->world, cni_physics_body_at(physics, index)->entity, CnBodyState);
}

static void to_doubles(CnVec3 v, double result[3])
{
    result[0] = (double)v.x;
    result[1] = (double)v.y;
    result[2] = (double)v.z;
}

/* Converts a point in the world to the space of a body; NULL: the world itself. */
static void to_body(const CnBodyState *body, CnVec3 point, double result[3])
{
    double p[3];
    to_doubles(point, p);
    for (int i = 0; i < 3 && body; i++)
        p[i] -= body->position[i];
    if (body)
        cni_physics_turn_back(body->rotation, p, result);
    else
        memcpy(result, p, sizeof p);
}

static void put_relative_pose(CnJointState *state, const CnBodyState *a, const CnBodyState *b)
{
    memcpy(state->position, a->position, sizeof state->position);
    memcpy(state->rotation, a->rotation, sizeof state->rotation);
    if (!b)
        return;
    double offset[3], back[4] = {-b->rotation[0], -b->rotation[1], -b->rotation[2], b->rotation[3]};
    for (int i = 0; i < 3; i++)
        offset[i] = a->position[i] - b->position[i];
    cni_physics_turn(back, offset, state->position);
    cni_physics_quat_mul(back, a->rotation, state->rotation);
}

static void put_rest_pose(const CniPhysicsWorld *physics, const CniPhysicsJoint *found,
                          const CnJoint *joint, CnJointState *state)
{
    CnWorld *world = physics->world;
    const CnBodyState *a = state_of(physics, found->a), *b = state_of(physics, found->b);
    CnAffine place = cn_transform_world_affine(world, found->entity);
    CnVec3 anchor = cn_affine_point(&place, joint->anchor), other = joint->other_anchor;
    if (joint->other.id) {
        CnAffine of_other = cn_transform_world_affine(world, joint->other);
        other = cn_affine_point(&of_other, other);
    }
    CnVec3 axis = cn_vec3_normalize(
        cn_quat_rotate(cn_transform_world_rotation(world, found->entity), joint->axis));
    double turned[3];
    to_doubles(axis, turned);
    cni_physics_turn_back(a->rotation, turned, state->axis);
    to_body(a, anchor, state->anchor);
    to_body(b, other, state->other_anchor);
    put_relative_pose(state, a, b);
    state->length = (double)cn_vec3_length(cn_vec3_sub(anchor, other));
    state->a = cni_physics_body_at(physics, found->a)->entity;
    state->b = b ? cni_physics_body_at(physics, found->b)->entity : CN_NO_PARENT;
}

/* ---- Waking ---- */

static void wake_index(CniPhysicsWorld *physics, uint32_t index)
{
    CniPhysicsBody *body = index == CNI_PHYSICS_NONE ? NULL : cni_physics_body_at(physics, index);
    if (body && body->leaf != CNI_PHYSICS_NO_LEAF && cni_physics_is_asleep(physics, body))
        cni_physics_wake(physics, body);
}

static void wake_entity(CniPhysicsWorld *physics, CnEntity entity)
{
    if (cni_physics_active_body(physics, entity))
        wake_index(physics, cn_entity_index(entity));
}

/* A joint that no longer takes part counts as new when it does again. */
static void withdraw(CniPhysicsWorld *physics, CnEntity entity, const CnJointState *state)
{
    if (!state->rest_hash)
        return;
    CnJointState *changed = cn_get_mut(physics->world, entity, CnJointState);
    changed->rest_hash = 0;
    wake_entity(physics, changed->a);
    wake_entity(physics, changed->b);
}

static bool moves(const CniPhysicsWorld *physics, uint32_t index)
{
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    if (body->kind == CN_BODY_DYNAMIC)
        return cn_bitset_has(&physics->awake, index);
    return cn_bitset_has(&physics->moving, index) || cn_bitset_has(&physics->touched, index);
}

/* Repeats until nothing changes: a chain wakes as a whole. */
static void wake_joined(CniPhysicsWorld *physics)
{
    bool changed = true;
    while (changed && !physics->failed) {
        changed = false;
        for (uint32_t i = 0; i < physics->joined.count; i++) {
            const CniPhysicsJoint *joint = &physics->joined.items[i];
            if (joint->b == CNI_PHYSICS_NONE)
                continue;
            uint32_t awake = cn_bitset_count(&physics->awake);
            if (moves(physics, joint->a))
                wake_index(physics, joint->b);
            if (moves(physics, joint->b))
                wake_index(physics, joint->a);
            changed |= cn_bitset_count(&physics->awake) != awake;
        }
    }
}

/* ---- The list ---- */

static void sync_joint(CniPhysicsWorld *physics, CnEntity entity)
{
    const CnJoint *joint = cn_get(physics->world, entity, CnJoint);
    const CnJointState *state = cn_get(physics->world, entity, CnJointState);
    CniPhysicsJoint found = {.entity = entity};
    if (joint->broken || !cn_joint_check(joint, NULL) ||
        !find_bodies(physics, entity, joint, &found)) {
        withdraw(physics, entity, state);
        return;
    }
    CnEntity a = cni_physics_body_at(physics, found.a)->entity;
    CnEntity b =
        found.b == CNI_PHYSICS_NONE ? CN_NO_PARENT : cni_physics_body_at(physics, found.b)->entity;
    uint64_t rest = hash_rest(joint, a, b), settings = hash_settings(joint);
    if (rest != state->rest_hash || settings != state->settings_hash) {
        CnJointState *changed = cn_get_mut(physics->world, entity, CnJointState);
        if (rest != changed->rest_hash)
            put_rest_pose(physics, &found, joint, changed);
        changed->rest_hash = rest;
        changed->settings_hash = settings;
        wake_index(physics, found.a);
        wake_index(physics, found.b);
    }
    found.collides = joint->collide;
    physics->failed |= !cn_array_push(&physics->joined, found);
}

/* Sorts by index; a key is the id with its halves exchanged. */
static uint64_t key_of(CnEntity entity)
{
    return entity.id << 32 | entity.id >> 32;
}

static CnEntity entity_of(uint64_t key)
{
    return (CnEntity){key << 32 | key >> 32};
}

static bool list_joints(CniPhysicsWorld *physics)
{
    CnChunkView view;
    cn_array_clear(&physics->joint_keys);
    for (CnQueryIter it = cn_query_iter(physics->joint_query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            if (!cn_array_push(&physics->joint_keys, key_of(view.entities[i])))
                return false;
    return true;
}

static void withdraw_inactive(CniPhysicsWorld *physics)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(physics->inactive_joints, physics->step_tick);
         cn_query_next(&it, &view);) {
        const CnJointState *states = cn_column_const(&view, CnJointState);
        for (uint32_t i = 0; i < view.count; i++)
            withdraw(physics, view.entities[i], &states[i]);
    }
}

/* Fills the sorted list of pairs that do not collide. */
static void list_pairs(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->joined_pairs);
    for (uint32_t i = 0; i < physics->joined.count; i++) {
        const CniPhysicsJoint *joint = &physics->joined.items[i];
        uint64_t low = joint->a < joint->b ? joint->a : joint->b;
        uint64_t high = joint->a < joint->b ? joint->b : joint->a;
        if (joint->b != CNI_PHYSICS_NONE && !joint->collides)
            physics->failed |= !cn_array_push(&physics->joined_pairs, low << 32 | high);
    }
    physics->failed |= !cni_physics_sort_keys(&physics->joined_pairs, &physics->scratch);
}

void cni_physics_joints_sync(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->joined);
    withdraw_inactive(physics);
    if (!cn_query_count(physics->joint_query)) {
        cn_array_clear(&physics->joined_pairs);
        return;
    }
    physics->failed |=
        !list_joints(physics) || !cni_physics_sort_keys(&physics->joint_keys, &physics->scratch);
    for (uint32_t i = 0; i < physics->joint_keys.count && !physics->failed; i++)
        sync_joint(physics, entity_of(physics->joint_keys.items[i]));
    list_pairs(physics);
    wake_joined(physics);
}

bool cni_physics_bodies_are_joined(const CniPhysicsWorld *physics, uint64_t key)
{
    uint32_t low = 0, high = physics->joined_pairs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (physics->joined_pairs.items[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < physics->joined_pairs.count && physics->joined_pairs.items[low] == key;
}

/* ---- Sleeping ---- */

static bool is_restless(const CniPhysicsWorld *physics, uint32_t index, uint32_t sleep_ticks)
{
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    if (body->kind != CN_BODY_DYNAMIC)
        return cn_bitset_has(&physics->moving, index);
    if (!cn_bitset_has(&physics->awake, index))
        return false;
    return !body->can_sleep || cn_bitset_has(&physics->restless, index) ||
           cn_get(physics->world, body->entity, CnBodyState)->still_ticks < sleep_ticks;
}

static bool set_restless(CniPhysicsWorld *physics, uint32_t from, uint32_t to, uint32_t sleep_ticks)
{
    if (cn_bitset_has(&physics->restless, to) || !is_restless(physics, from, sleep_ticks))
        return false;
    physics->failed |= !cn_bitset_set(&physics->restless, to);
    return true;
}

void cni_physics_joints_keep_awake(CniPhysicsWorld *physics, uint32_t sleep_ticks)
{
    bool changed = true;
    while (changed && !physics->failed) {
        changed = false;
        for (uint32_t i = 0; i < physics->joined.count; i++) {
            const CniPhysicsJoint *joint = &physics->joined.items[i];
            if (joint->b == CNI_PHYSICS_NONE)
                continue;
            changed |= set_restless(physics, joint->a, joint->b, sleep_ticks);
            changed |= set_restless(physics, joint->b, joint->a, sleep_ticks);
        }
    }
}

#include "physics/physics_internal.h"

#include <cairn/scene/transform.h>
#include <cairn/sim/loop.h>

static const CnBodyState *state_of(const CnWorld *world, CnEntity body)
{
    return cn_get(world, body, CnBodyState);
}

/* Returns the state of a dynamic body, and wakes it; NULL for everything else. */
static CnBodyState *state_to_push(CnWorld *world, CnEntity body)
{
    const CnRigidbody *rigid = cn_get(world, body, CnRigidbody);
    CnBodyState *state =
        rigid && rigid->kind == CN_BODY_DYNAMIC ? cn_get_mut(world, body, CnBodyState) : NULL;
    if (state) {
        state->asleep = false;
        state->still_ticks = 0;
    }
    return state;
}

static void add(double to[3], CnVec3 v, double factor)
{
    to[0] += (double)v.x * factor;
    to[1] += (double)v.y * factor;
    to[2] += (double)v.z * factor;
}

static void set(double to[3], CnVec3 v)
{
    to[0] = (double)v.x;
    to[1] = (double)v.y;
    to[2] = (double)v.z;
}

static CnVec3 get(const double from[3])
{
    return cn_vec3((float)from[0], (float)from[1], (float)from[2]);
}

/* An impulse is a force that acts for one step. */
static double per_step(const CnWorld *world)
{
    const CnTickInfo *tick = cn_resource(world, CnTickInfo);
    return tick && tick->dt > 0 ? 1 / (double)tick->dt : 60;
}

static bool push(CnWorld *world, CnEntity body, CnVec3 force, double factor)
{
    CnBodyState *state = state_to_push(world, body);
    if (!state)
        return false;
    add(state->force, force, factor);
    return true;
}

static bool push_at(CnWorld *world, CnEntity body, CnVec3 force, CnVec3 point, double factor)
{
    CnBodyState *state = state_to_push(world, body);
    if (!state)
        return false;
    CnVec3 arm = cn_vec3_sub(point, cn_transform_world_position(world, body));
    add(state->force, force, factor);
    add(state->torque, cn_vec3_cross(arm, force), factor);
    return true;
}

bool cn_body_add_force(CnWorld *world, CnEntity body, CnVec3 force)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return push(world, body, force, 1);
}

bool cn_body_add_force_at(CnWorld *world, CnEntity body, CnVec3 force, CnVec3 point)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return push_at(world, body, force, point, 1);
}

bool cn_body_add_torque(CnWorld *world, CnEntity body, CnVec3 torque)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnBodyState *state = state_to_push(world, body);
    if (!state)
        return false;
    add(state->torque, torque, 1);
    return true;
}

bool cn_body_add_impulse(CnWorld *world, CnEntity body, CnVec3 impulse)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return push(world, body, impulse, per_step(world));
}

bool cn_body_add_impulse_at(CnWorld *world, CnEntity body, CnVec3 impulse, CnVec3 point)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return push_at(world, body, impulse, point, per_step(world));
}

bool cn_body_set_velocity(CnWorld *world, CnEntity body, CnVec3 velocity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnBodyState *state = state_to_push(world, body);
    if (!state)
        return false;
    set(state->velocity, velocity);
    return true;
}

bool cn_body_set_angular_velocity(CnWorld *world, CnEntity body, CnVec3 radians_per_second)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnBodyState *state = state_to_push(world, body);
    if (!state)
        return false;
    set(state->angular_velocity, radians_per_second);
    return true;
}

CnVec3 cn_body_velocity(const CnWorld *world, CnEntity body)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnBodyState *state = state_of(world, body);
    return state ? get(state->velocity) : cn_vec3(0, 0, 0);
}

CnVec3 cn_body_angular_velocity(const CnWorld *world, CnEntity body)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnBodyState *state = state_of(world, body);
    return state ? get(state->angular_velocity) : cn_vec3(0, 0, 0);
}

bool cn_body_wake(CnWorld *world, CnEntity body)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return state_to_push(world, body) != NULL;
}

bool cn_body_is_asleep(const CnWorld *world, CnEntity body)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnBodyState *state = state_of(world, body);
    return state && state->asleep;
}

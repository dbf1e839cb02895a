#include "physics/joint_internal.h"

/* Weight of the current tick in the mean velocity. */
#define NEWEST 0.1

static CnVec3 mean_with(CnVec3 mean, const double newest[3])
{
    return cn_vec3((float)((double)mean.x + (newest[0] - (double)mean.x) * NEWEST),
                   (float)((double)mean.y + (newest[1] - (double)mean.y) * NEWEST),
                   (float)((double)mean.z + (newest[2] - (double)mean.z) * NEWEST));
}

/* In a pile, many bodies jitter for a long time without moving away. */
static void count_still_ticks(CnBodyState *state, const CnPhysicsSettings *settings)
{
    state->mean_velocity = mean_with(state->mean_velocity, state->velocity);
    state->mean_angular_velocity = mean_with(state->mean_angular_velocity, state->angular_velocity);
    bool still = cn_vec3_length(state->mean_velocity) < settings->sleep_speed &&
                 cn_vec3_length(state->mean_angular_velocity) < settings->sleep_angular_speed;
    state->still_ticks = still ? state->still_ticks + 1 : 0;
}

static CnBodyState *awake_state(const CniPhysicsWorld *physics, uint32_t index)
{
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    return body->kind == CN_BODY_DYNAMIC && body->solver != CNI_PHYSICS_NONE
               ? physics->solver.items[body->solver].state
               : NULL;
}

/* A body waits if it touches something that has not been still for half the time. */
static void keep_awake_near_restless(CniPhysicsWorld *physics, uint32_t enough)
{
    cn_bitset_clear_all(&physics->restless);
    for (uint32_t i = 0; i < physics->pairs.count; i++) {
        uint32_t a = (uint32_t)(physics->pairs.items[i].key >> 32);
        uint32_t b = (uint32_t)physics->pairs.items[i].key;
        const CnBodyState *of_a = awake_state(physics, a), *of_b = awake_state(physics, b);
        if (!of_a || !of_b)
            continue;
        if (of_a->still_ticks < enough)
            physics->failed |= !cn_bitset_set(&physics->restless, b);
        if (of_b->still_ticks < enough)
            physics->failed |= !cn_bitset_set(&physics->restless, a);
    }
}

static void put_to_sleep(CniPhysicsWorld *physics, const CniPhysicsBody *body, CnBodyState *state)
{
    for (int i = 0; i < 3; i++)
        state->velocity[i] = state->angular_velocity[i] = 0;
    state->mean_velocity = state->mean_angular_velocity = cn_vec3(0, 0, 0);
    state->asleep = true;
    cn_bitset_clear(&physics->awake, cn_entity_index(body->entity));
}

void cni_physics_fall_asleep(CniPhysicsWorld *physics, const CnPhysicsSettings *settings)
{
    for (uint32_t i = 0; i < physics->solver_count; i++)
        count_still_ticks(physics->solver.items[i].state, settings);
    keep_awake_near_restless(physics, settings->sleep_ticks / 2);
    cni_physics_joints_keep_awake(physics, settings->sleep_ticks);
    for (uint32_t i = 0; i < physics->solver_count; i++) {
        const CniPhysicsSolverBody *solver = &physics->solver.items[i];
        const CniPhysicsBody *body = &physics->records.items[solver->record];
        if (body->kind == CN_BODY_DYNAMIC && body->can_sleep &&
            solver->state->still_ticks >= settings->sleep_ticks &&
            !cn_bitset_has(&physics->restless, cn_entity_index(body->entity)))
            put_to_sleep(physics, body, solver->state);
    }
}

/*
 * Fast bodies: after the solver has moved them, those that moved by more than their smallest half
 * extent are moved along their way again, in small steps, until they touch something that they
 * would enter. There they stay until the next tick, in which the contact is found and solved as any
 * other. They keep their velocity and lose the rest of the motion.
 *
 * Two fast bodies are both stopped where they meet. What a body does then may concern others, so
 * all are examined again until nothing changes: positions are a function of the state alone, and
 * parts of motions only become smaller.
 */
#include "physics/joint_internal.h"

#include <cairn/base/math.h>

/* Step of the search and tolerated penetration, relative to the smallest half extent. */
#define STEP 0.5
#define TOLERANCE 0.25
#define MAX_STEPS 4096.0
#define HALVINGS 24
#define MAX_ROUNDS 64
#define MAX_CONTACTS 32

/* A body on its way: a fast one, or what it may hit. */
typedef struct Mover {
    const CniPhysicsBody *body;
    const double *rotation; /* NULL: at rest, and its geom is placed */
    double from[3], motion[3], part;
    CniPhysicsAabb box; /* at the end of the whole motion */
} Mover;

typedef struct Hit {
    double part;
    uint32_t other; /* index of the entity */
} Hit;

static double length3(const double v[3])
{
    return cn_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool cni_physics_is_fast(const CniPhysicsBody *body, const double motion[3])
{
    double most = (double)body->smallest_half;
    return motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2] > most * most;
}

static Mover mover_of(const CniPhysicsWorld *physics, const CniPhysicsBody *body)
{
    Mover mover = {.body = body, .part = 1, .box = body->box};
    if (body->solver == CNI_PHYSICS_NONE || body->kind != CN_BODY_DYNAMIC)
        return mover;
    const CniPhysicsSolverBody *solver = &physics->solver.items[body->solver];
    mover.rotation = solver->state->rotation;
    mover.part = solver->part;
    for (int i = 0; i < 3; i++) {
        mover.from[i] = solver->from[i];
        mover.motion[i] = solver->state->position[i] - solver->from[i];
    }
    return mover;
}

static CniPhysicsAabb box_of_way(const Mover *mover)
{
    CniPhysicsAabb box = mover->box;
    for (int i = 0; i < 3; i++) {
        box.low[i] -= mover->motion[i] > 0 ? mover->motion[i] : 0;
        box.high[i] -= mover->motion[i] < 0 ? mover->motion[i] : 0;
    }
    return box;
}

static CniPhysicsAabb box_of_start(const Mover *mover)
{
    CniPhysicsAabb box = mover->box;
    for (int i = 0; i < 3; i++) {
        box.low[i] -= mover->motion[i];
        box.high[i] -= mover->motion[i];
    }
    return box;
}

/* ---- Two bodies ---- */

static void place_at(const Mover *mover, double part)
{
    double at[3];
    if (!mover->rotation)
        return;
    part = part < mover->part ? part : mover->part;
    for (int i = 0; i < 3; i++)
        at[i] = mover->from[i] + mover->motion[i] * part;
    cni_physics_geom_place(mover->body->geom, at, mover->rotation);
}

/* Computes the parts of the motion between which a moving box overlaps another; returns false if
 * never. */
static bool find_interval(const CniPhysicsAabb *box, const double motion[3],
                          const CniPhysicsAabb *other, double *first, double *last)
{
    for (int i = 0; i < 3; i++) {
        double low = other->low[i] - box->high[i], high = other->high[i] - box->low[i];
        double way = motion[i];
        if (way == 0) {
            if (low > 0 || high < 0)
                return false;
            continue;
        }
        double enter = (way > 0 ? low : high) / way, leave = (way > 0 ? high : low) / way;
        *first = enter > *first ? enter : *first;
        *last = leave < *last ? leave : *last;
    }
    return *first <= *last;
}

/* Returns whether they touch at this part of the motion, and the rest of it would lead deeper than
 * is tolerated. Sliding along a surface does not. */
static bool is_blocked(const Mover *mover, const Mover *other, double part)
{
    dContactGeom contacts[MAX_CONTACTS];
    double rest[3], rest_of_other = other->part > part ? other->part - part : 0;
    for (int i = 0; i < 3; i++)
        rest[i] = mover->motion[i] * (1 - part) - other->motion[i] * rest_of_other;
    place_at(mover, part);
    place_at(other, part);
    int count =
        dCollide(mover->body->geom, other->body->geom, MAX_CONTACTS, contacts, sizeof *contacts);
    for (int i = 0; i < count; i++) {
        const dReal *n = contacts[i].normal; /* towards the mover */
        double deeper = -(rest[0] * n[0] + rest[1] * n[1] + rest[2] * n[2]);
        if (deeper > TOLERANCE * (double)mover->body->smallest_half)
            return true;
    }
    return false;
}

/* Finds the part of the motion at which the mover hits the other body, if it is below *part. */
static bool find_hit(const Mover *mover, const Mover *other, double *part)
{
    double first = 0, last = *part, least = (double)mover->body->smallest_half;
    /* The other one stops on its way: it may be anywhere on it. */
    bool stops = other->part < 1;
    double motion[3], way = stops ? length3(mover->motion) + length3(other->motion) : 0;
    for (int i = 0; i < 3; i++)
        motion[i] = mover->motion[i] - (stops ? 0 : other->motion[i]);
    CniPhysicsAabb box = box_of_start(mover);
    CniPhysicsAabb other_box = stops ? box_of_way(other) : box_of_start(other);
    if (!find_interval(&box, motion, &other_box, &first, &last))
        return false;
    way = stops ? way : length3(motion);
    double steps = cn_ceil((last - first) * way / (STEP * least));
    steps = steps < 1 ? 1 : steps > MAX_STEPS ? MAX_STEPS : steps;
    double clear = first, at = first;
    bool blocked = is_blocked(mover, other, first);
    for (double step = 1; !blocked && step <= steps; step++) {
        clear = at;
        at = first + (last - first) * (step / steps);
        blocked = is_blocked(mover, other, at);
    }
    if (!blocked)
        return false;
    for (int i = 0; i < HALVINGS && at > clear; i++) {
        double middle = (clear + at) / 2;
        if (is_blocked(mover, other, middle))
            at = middle;
        else
            clear = middle;
    }
    *part = at;
    return true;
}

/* ---- One fast body ---- */

/* Returns the geom of a body that was moved during the search to its place. */
static void restore_place(const CniPhysicsWorld *physics, const Mover *mover)
{
    if (mover->rotation)
        cni_physics_geom_place(mover->body->geom,
                               physics->solver.items[mover->body->solver].state->position,
                               mover->rotation);
}

static bool is_obstacle(const CniPhysicsWorld *physics, const CniPhysicsBody *body,
                        const CniPhysicsBody *other)
{
    uint64_t a = cn_entity_index(body->entity), b = cn_entity_index(other->entity);
    return other != body && other->kind != CN_BODY_GHOST &&
           cni_physics_bodies_can_touch(body, other) &&
           !cni_physics_bodies_are_joined(physics, a < b ? a << 32 | b : b << 32 | a);
}

/* Of equally early hits, that of the lower entity counts. */
static void hit_body(const CniPhysicsWorld *physics, const Mover *mover, uint32_t index, Hit *hit)
{
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    if (!is_obstacle(physics, mover->body, body))
        return;
    Mover other = mover_of(physics, body);
    double part = hit->part;
    bool hits = find_hit(mover, &other, &part);
    restore_place(physics, &other);
    if (hits && (part < hit->part || index < hit->other))
        *hit = (Hit){part, index};
}

/* Shortens the motion of a fast body to its first hit. Returns false if there is none before the
 * one that is known. */
static bool shorten(CniPhysicsWorld *physics, CniPhysicsSolverBody *solver)
{
    const CniPhysicsBody *body = &physics->records.items[solver->record];
    Mover mover = mover_of(physics, body);
    CniPhysicsAabb way = box_of_way(&mover);
    if (solver->part == 0)
        return false;
    Hit hit = {solver->part, CNI_PHYSICS_NONE};
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_box(&walk, &physics->tree, &way);
    for (uint32_t index; cni_physics_aabb_query_next(&walk, &index);)
        hit_body(physics, &mover, index, &hit);
    restore_place(physics, &mover);
    /* The same hit, found again, is earlier by rounding. */
    if (hit.other == CNI_PHYSICS_NONE || hit.part > solver->part * (1 - 1e-5))
        return false;
    solver->part = hit.part;
    const CniPhysicsBody *other = cni_physics_body_at(physics, hit.other);
    CniPhysicsSolverBody *met =
        other->solver == CNI_PHYSICS_NONE ? NULL : &physics->solver.items[other->solver];
    if (met && met->fast && met->part > hit.part)
        met->part = hit.part;
    return true;
}

/* ---- All fast bodies ---- */

/* The tree finds fast bodies anywhere on their way. */
static void collect(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->fast);
    for (uint32_t i = 0; i < physics->solver_count; i++) {
        CniPhysicsSolverBody *solver = &physics->solver.items[i];
        const CniPhysicsBody *body = &physics->records.items[solver->record];
        Mover mover = mover_of(physics, body);
        if (!mover.rotation || !body->continuous || !cni_physics_is_fast(body, mover.motion))
            continue;
        CniPhysicsAabb way = box_of_way(&mover);
        cni_physics_aabb_tree_move(&physics->tree, body->leaf, &way);
        solver->fast = true;
        physics->failed |= !cn_array_push(&physics->fast, i);
    }
}

static void stop(CniPhysicsWorld *physics, const CniPhysicsSolverBody *solver)
{
    CniPhysicsBody *body = &physics->records.items[solver->record];
    CnBodyState *state = solver->state;
    for (int i = 0; i < 3 && solver->part < 1; i++)
        state->position[i] =
            solver->from[i] + (state->position[i] - solver->from[i]) * solver->part;
    physics->failed |= !cni_physics_body_place(physics, body, state->position, state->rotation);
}

void cni_physics_stop_at_hits(CniPhysicsWorld *physics)
{
    collect(physics);
    bool changed = physics->fast.count > 0;
    for (uint32_t round = 0; changed && round < MAX_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < physics->fast.count; i++) {
            CniPhysicsSolverBody *solver = &physics->solver.items[physics->fast.items[i]];
            bool shorter = shorten(physics, solver);
            changed |= shorter;
            if (shorter && round + 1 == MAX_ROUNDS)
                solver->part = 0;
        }
    }
    for (uint32_t i = 0; i < physics->fast.count; i++)
        stop(physics, &physics->solver.items[physics->fast.items[i]]);
}

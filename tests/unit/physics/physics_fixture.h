/*
 * A simulation with physics, and short ways to put things into it.
 *
 *     CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, 1));
 *     tick(60);
 */
#ifndef CAIRN_TESTS_UNIT_PHYSICS_PHYSICS_FIXTURE_H
#define CAIRN_TESTS_UNIT_PHYSICS_PHYSICS_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/physics.h>
#include <cairn/scene/object.h>
#include <cairn/sim.h>

static CnSim *sim;
static CnWorld *world;

static inline CnSim *make_sim(const CnSimDesc *desc, const CnPhysicsDesc *physics)
{
    CnError error = {0};
    CnPlugin plugin = cn_physics_plugin(physics);
    CnSim *made = cn_sim_create(desc, &error);
    assert_non_null(made);
    if (!cn_sim_add_plugin(made, &plugin, &error))
        fail_msg("%s", error.message);
    return made;
}

__attribute__((unused)) static int set_up(void **state)
{
    (void)state;
    sim = make_sim(NULL, NULL);
    world = cn_sim_world(sim);
    return 0;
}

__attribute__((unused)) static int tear_down(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    return 0;
}

static inline void tick(uint64_t count)
{
    CnError error = {0};
    if (!cn_sim_tick_n(sim, count, &error))
        fail_msg("%s", error.message);
}

static inline CnRigidbody box(CnBodyKind kind, float x, float y, float z)
{
    CnRigidbody body = cn_rigidbody(kind, CN_SHAPE_BOX);
    body.half_extents = cn_vec3(x, y, z);
    return body;
}

static inline CnRigidbody sphere(CnBodyKind kind, float radius)
{
    CnRigidbody body = cn_rigidbody(kind, CN_SHAPE_SPHERE);
    body.radius = radius;
    return body;
}

static inline void set_body(CnEntity entity, CnRigidbody body)
{
    assert_true(cn_set_component(world, entity, cn_id(world, CnRigidbody), &body));
}

static inline CnEntity add_body_below(CnEntity parent, CnVec3 position, CnRigidbody body)
{
    CnEntity entity = cn_object(world, "Body", .parent = parent);
    assert_true(entity.id != 0);
    cn_get_mut(world, entity, CnTransform)->position = position;
    set_body(entity, body);
    return entity;
}

static inline CnEntity add_body(CnVec3 position, CnRigidbody body)
{
    return add_body_below(CN_NO_PARENT, position, body);
}

/* Its upper side is at 0. */
static inline CnEntity add_floor(void)
{
    return add_body(cn_vec3(0, -1, 0), box(CN_BODY_STATIC, 50, 1, 50));
}

static inline CnVec3 position_of(CnEntity entity)
{
    return cn_transform_world_position(world, entity);
}

static inline const CnBodyState *state_of(CnEntity entity)
{
    return cn_get(world, entity, CnBodyState);
}

static inline float speed_of(CnEntity entity)
{
    return cn_vec3_length(cn_body_velocity(world, entity));
}

/* Events of the last tick of this kind about these two. */
static inline uint32_t count_events(CnCollisionKind kind, CnEntity a, CnEntity b)
{
    const CnChannel *channel = cn_channel(world, CnCollision);
    const CnCollision *events = cn_events(channel, CnCollision);
    uint32_t count = 0;
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        count += events[i].kind == (uint32_t)kind &&
                 ((events[i].a.id == a.id && events[i].b.id == b.id) ||
                  (events[i].a.id == b.id && events[i].b.id == a.id));
    return count;
}

/* Ticks until there is such an event, at most `most`; how many there were then. */
static inline uint32_t tick_until(CnCollisionKind kind, CnEntity a, CnEntity b, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < most && !count; i++) {
        tick(1);
        count = count_events(kind, a, b);
    }
    return count;
}

#define assert_near(value, expected, tolerance)                                                    \
    assert_float_equal((float)(value), (float)(expected), (float)(tolerance))

#endif

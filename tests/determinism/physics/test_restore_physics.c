/* Bodies of all kinds that are saved and restored at any tick go on as if nothing had happened. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/physics.h>
#include <cairn/scene/object.h>
#include <cairn/sim.h>

enum { TICKS = 460, BODIES = 40 };

/* ---- A yard where something happens in most ticks, and then nothing for a while ---- */

CN_COMPONENT(YardThing, (u32, number));

static CnEntity add(CnWorld *world, uint32_t number, CnEntity parent, CnVec3 place,
                    const CnRigidbody *body)
{
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    transform.position = place;
    YardThing thing = {number};
    CnValue values[] = {{.type = &cn_type_CnRigidbody, .data = body},
                        {.type = &cn_type_YardThing, .data = &thing}};
    CnEntity entity = cn_object_create(world,
                                       &(CnObjectDesc){.name = "Thing",
                                                       .parent = parent,
                                                       .transform = &transform,
                                                       .values = values,
                                                       .value_count = 2},
                                       NULL);
    assert_true(entity.id != 0);
    return entity;
}

static CnEntity find(CnWorld *world, uint32_t number)
{
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(YardThing)}}, NULL);
    CnChunkView view;
    CnEntity found = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const YardThing *things = cn_column_const(&view, YardThing);
        for (uint32_t i = 0; i < view.count; i++)
            if (things[i].number == number)
                found = view.entities[i];
    }
    return found;
}

static CnRigidbody body_of(uint32_t number)
{
    CnRigidbody body =
        cn_rigidbody(CN_BODY_DYNAMIC, number % 5 < 2 ? (CnShapeKind)(number % 3) : CN_SHAPE_BOX);
    body.restitution = number % 4 ? 0 : .6f;
    body.mass = 1 + (float)(number % 5);
    body.angular_damping = 2;
    return body;
}

static void fill_yard(CnSim *sim)
{
    CnWorld *world = cn_sim_world(sim);
    CnRigidbody floor = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_BOX);
    CnRigidbody lift = cn_rigidbody(CN_BODY_KINEMATIC, CN_SHAPE_BOX);
    CnRigidbody zone = cn_rigidbody(CN_BODY_GHOST, CN_SHAPE_SPHERE);
    floor.half_extents = cn_vec3(12, 1, 12);
    lift.half_extents = cn_vec3(2, .25f, 2);
    zone.radius = 3;
    add(world, 1000, CN_NO_PARENT, cn_vec3(0, -1, 0), &floor);
    CnEntity carrier = add(world, 1001, CN_NO_PARENT, cn_vec3(3, 1, 0), &lift);
    add(world, 1002, carrier, cn_vec3(0, 2, 0), &zone);
    CnEntity group = cn_object(world, "Group");
    cn_get_mut(world, group, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(10, 20, 30));
    for (uint32_t i = 0; i < BODIES; i++) {
        CnRigidbody body = body_of(i);
        CnVec3 place = cn_vec3((float)(i % 5) * 1.3f - 3, 2 + (float)i * .7f, (float)(i % 3));
        add(world, i, i % 6 == 5 ? group : CN_NO_PARENT, place, &body);
    }
}

static void happen(CnSystemContext *context)
{
    CnWorld *world = context->world;
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    CnEntity lift = find(world, 1001), one = find(world, (uint32_t)(tick * 7 % BODIES));
    if (tick % 300 >= 150)
        return;
    if (tick % 120 < 60)
        cn_get_mut(world, lift, CnTransform)->position.y += .02f;
    else if (tick % 120 < 100)
        cn_get_mut(world, lift, CnTransform)->position.y -= .03f;
    if (!one.id)
        return;
    switch (tick % 41) {
    case 3:
        cn_body_add_impulse(world, one, cn_vec3(1, 6, 0));
        break;
    case 11:
        cn_get_mut(world, one, CnTransform)->position = cn_vec3(0, 6, 0);
        break;
    case 17:
        cn_get_mut(world, one, CnTransform)->scale = cn_vec3(.7f, .9f, 1.2f);
        break;
    case 23:
        cn_object_set_enabled(world, one, !cn_object_is_enabled(world, one));
        break;
    case 29:
        cn_get_mut(world, one, CnRigidbody)->mask ^= 1u;
        break;
    case 37:
        cn_destroy(world, one);
        break;
    default:
        break;
    }
    if (tick == 320)
        cn_resource_mut(world, CnPhysicsSettings)->gravity = cn_vec3(2, -9, 0);
}

CN_COMPONENT(YardSum, (u64, events)); /* a resource: a hash of the events received */

static void listen(CnSystemContext *context)
{
    const CnChannel *channel = cn_channel(context->world, CnCollision);
    const CnCollision *events = cn_events(channel, CnCollision);
    YardSum *sum = cn_resource_mut(context->world, YardSum);
    for (uint32_t i = 0; i < cn_event_count(channel); i++) {
        sum->events = cn_hash_mix(sum->events ^ events[i].a.id) + events[i].kind;
        sum->events = cn_hash_mix(sum->events ^ events[i].b.id);
    }
}

static CnSim *make_yard(bool filled)
{
    CnError error = {0};
    CnPlugin physics = cn_physics_plugin(NULL);
    CnSim *sim = cn_sim_create(NULL, &error);
    CnWorld *world = cn_sim_world(sim);
    cn_id(world, YardThing);
    cn_resource_set(world, YardSum, {0});
    if (!cn_sim_add_plugin(sim, &physics, &error))
        fail_msg("%s", error.message);
    cn_system_add(world,
                  &(CnSystemDesc){
                      .name = "happen", .run = happen, .stage = CN_STAGE_PRE_UPDATE, .alone = true},
                  NULL);
    cn_system_add(
        world,
        &(CnSystemDesc){
            .name = "listen", .run = listen, .stage = CN_STAGE_POST_UPDATE, .alone = true},
        NULL);
    if (filled)
        fill_yard(sim);
    return sim;
}

static void tick(CnSim *sim)
{
    CnError error = {0};
    if (!cn_sim_tick_n(sim, 1, &error))
        fail_msg("%s", error.message);
}

/* ---- Straight through, and with interruptions ---- */

static uint64_t straight[TICKS + 1];
static CnSnapshot saved[TICKS + 1];

static int run_straight(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_yard(true);
    for (uint32_t i = 0; i <= TICKS; i++) {
        straight[i] = cn_sim_hash(sim);
        assert_true(cn_sim_save(sim, &saved[i], &error));
        tick(sim);
    }
    cn_sim_destroy(sim);
    return 0;
}

static int free_saved(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= TICKS; i++)
        cn_snapshot_free(&saved[i]);
    return 0;
}

static void restore(CnSim *sim, uint32_t at)
{
    CnError error = {0};
    if (!cn_sim_restore(sim, saved[at].bytes, saved[at].size, &error))
        fail_msg("%s", error.message);
    assert_true(cn_sim_hash(sim) == straight[at]);
}

static void go_on(CnSim *sim, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks && cn_sim_tick(sim) < TICKS; i++) {
        tick(sim);
        if (cn_sim_hash(sim) != straight[cn_sim_tick(sim)])
            fail_msg("another state after tick %u", (unsigned)cn_sim_tick(sim));
    }
}

static void two_runs_are_alike(void **state)
{
    (void)state;
    CnSim *sim = make_yard(true);
    go_on(sim, TICKS);
    cn_sim_destroy(sim);
}

static void every_tick_can_be_restored_into_a_new_simulation(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < TICKS; at += 7) {
        CnSim *sim = make_yard(false);
        restore(sim, at);
        go_on(sim, 12);
        cn_sim_destroy(sim);
    }
}

static void every_tick_can_be_restored_into_the_same_simulation(void **state)
{
    (void)state;
    CnSim *sim = make_yard(false);
    TestRandom random = {5};
    for (uint32_t i = 0; i < 250; i++) {
        restore(sim, test_random_below(&random, TICKS));
        go_on(sim, 1 + test_random_below(&random, 6));
    }
    cn_sim_destroy(sim);
}

static void the_tick_just_done_can_be_done_again(void **state)
{
    (void)state;
    CnSim *sim = make_yard(true);
    for (uint32_t i = 0; i < TICKS; i++) {
        go_on(sim, 1);
        restore(sim, i);
        go_on(sim, 1);
    }
    cn_sim_destroy(sim);
}

static void questions_in_between_change_nothing(void **state)
{
    (void)state;
    CnSim *sim = make_yard(true);
    CnWorld *world = cn_sim_world(sim);
    for (uint32_t i = 0; i < TICKS; i++) {
        cn_physics_raycast(
            world, &(CnRaycastQuery){.origin = {0, 9, 0}, .direction = {0, -1, 0}, .distance = 20},
            NULL);
        go_on(sim, 1);
        cn_physics_overlap(world, &(CnShapeQuery){.shape = CN_SHAPE_SPHERE, .radius = 3}, NULL, 0);
    }
    cn_sim_destroy(sim);
}

static void the_yard_sees_sleepers_and_events(void **state)
{
    (void)state;
    CnSim *sim = make_yard(false);
    uint32_t asleep = 0;
    for (uint32_t at = 0; at <= TICKS; at += 30) {
        restore(sim, at);
        CnQuery *query = cn_query_acquire(cn_sim_world(sim),
                                          &(CnQueryDesc){.all = {cn_reads(CnBodyState)}}, NULL);
        CnChunkView view;
        for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
            for (uint32_t i = 0; i < view.count; i++)
                asleep += cn_column_const(&view, CnBodyState)[i].asleep;
    }
    assert_true(asleep > 20);
    assert_true(cn_resource(cn_sim_world(sim), YardSum)->events != 0);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_alike),
        cmocka_unit_test(every_tick_can_be_restored_into_a_new_simulation),
        cmocka_unit_test(every_tick_can_be_restored_into_the_same_simulation),
        cmocka_unit_test(the_tick_just_done_can_be_done_again),
        cmocka_unit_test(questions_in_between_change_nothing),
        cmocka_unit_test(the_yard_sees_sleepers_and_events),
    };
    return cmocka_run_group_tests(tests, run_straight, free_saved);
}

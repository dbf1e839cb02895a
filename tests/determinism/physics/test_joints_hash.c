/* Joints of all kinds: the same in every run, and after a restore at any tick. */
#include "cmocka_tests.h"

#include <cairn/base/job.h>
#include <cairn/physics.h>
#include <cairn/scene/object.h>
#include <cairn/sim.h>

enum { TICKS = 400, LINKS = 12 };

static CnEntity add(CnWorld *world, CnEntity parent, CnVec3 place, CnBodyKind kind)
{
    CnEntity entity = cn_object(world, "Body", .parent = parent);
    CnRigidbody body = cn_rigidbody(kind, CN_SHAPE_BOX);
    body.half_extents = cn_vec3(.4f, .1f, .1f);
    cn_get_mut(world, entity, CnTransform)->position = place;
    assert_true(cn_set_component(world, entity, cn_id(world, CnRigidbody), &body));
    return entity;
}

static void join(CnWorld *world, CnEntity object, CnEntity other, uint32_t number)
{
    CnJoint joint = cn_joint((CnJointKind)(number % (CN_JOINT_SPRING + 1)));
    joint.other = other;
    joint.anchor = cn_vec3(-.5f, 0, 0);
    joint.axis = cn_vec3(0, .3f, 1);
    joint.limited = number % 2;
    joint.low = -30;
    joint.high = 50;
    joint.motor_force = number % 3 ? 0 : 2;
    joint.motor_speed = 40;
    joint.break_force = number == 7 ? 60 : 0;
    assert_true(cn_set_component(world, object, cn_id(world, CnJoint), &joint));
}

/* Events in some ticks, and long pauses. */
static void disturb(CnSystemContext *context)
{
    CnWorld *world = context->world;
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    CnEntity roots[LINKS + 1];
    uint32_t count = cn_object_roots(world, roots, LINKS + 1);
    CnEntity link = roots[tick % (count < LINKS ? count : LINKS)];
    if (tick % 50 == 20)
        cn_body_add_impulse(world, link, cn_vec3(0, 3, 1));
    if (tick % 90 == 30)
        cn_object_set_enabled(world, link, !cn_object_is_enabled(world, link));
    if (tick % 70 == 60 && cn_has(world, link, CnJoint))
        cn_get_mut(world, link, CnJoint)->motor_speed *= -1;
    if (tick == 333)
        cn_remove(world, link, CnJoint);
}

static CnSim *make_sim(CnJobPool *jobs)
{
    CnError error = {0};
    CnPlugin plugin = cn_physics_plugin(NULL);
    CnSim *sim = cn_sim_create(&(CnSimDesc){.jobs = jobs}, &error);
    assert_true(sim && cn_sim_add_plugin(sim, &plugin, &error));
    CnWorld *world = cn_sim_world(sim);
    CnEntity above = {0};
    for (uint32_t i = 0; i < LINKS; i++) {
        CnEntity link = add(world, CN_NO_PARENT, cn_vec3(.5f + (float)i, 10, 0), CN_BODY_DYNAMIC);
        join(world, link, above, i);
        above = link;
    }
    CnSystemDesc desc = {
        .name = "disturb", .run = disturb, .stage = CN_STAGE_PRE_UPDATE, .alone = true};
    assert_true(cn_system_add(world, &desc, &error).id != 0);
    return sim;
}

static uint64_t run(CnJobPool *jobs, uint64_t ticks)
{
    CnSim *sim = make_sim(jobs);
    assert_true(cn_sim_tick_n(sim, ticks, NULL));
    uint64_t hash = cn_sim_hash(sim);
    cn_sim_destroy(sim);
    return hash;
}

static void runs_are_equal_for_any_number_of_threads(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    uint64_t one = run(NULL, TICKS), many = run(jobs, TICKS);
    cn_job_pool_destroy(jobs);
    assert_true(one == many);
}

static void a_restore_at_any_tick_continues_the_same(void **state)
{
    (void)state;
    uint64_t expected = run(NULL, TICKS);
    for (uint64_t tick = 1; tick < TICKS; tick += 23) {
        CnSim *from = make_sim(NULL), *to = make_sim(NULL);
        CnSnapshot snapshot;
        assert_true(cn_sim_tick_n(from, tick, NULL));
        assert_true(cn_sim_save(from, &snapshot, NULL));
        assert_true(cn_sim_restore(to, snapshot.bytes, snapshot.size, NULL));
        cn_snapshot_free(&snapshot);
        assert_true(cn_sim_tick_n(to, TICKS - tick, NULL));
        if (cn_sim_hash(to) != expected)
            fail_msg("restored at tick %u", (unsigned)tick);
        cn_sim_destroy(to);
        cn_sim_destroy(from);
    }
}

static void the_scene_is_not_at_rest(void **state)
{
    (void)state;
    assert_true(run(NULL, TICKS) != run(NULL, TICKS - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_equal_for_any_number_of_threads),
        cmocka_unit_test(a_restore_at_any_tick_continues_the_same),
        cmocka_unit_test(the_scene_is_not_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

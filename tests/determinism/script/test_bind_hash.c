/* test-labels: threads */
/* Scripts that use some of everything give the same state again, on any number of threads,
 * sandboxed or not. */
#include "busy_scripts.h"
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/job.h>

#define TICKS 150u

typedef struct Result {
    uint64_t hash;
    CnVec3 position; /* of the first script's object */
    uint32_t entities;
} Result;

/* Random numbers that do not depend on the owner. */
#define OWN_NUMBERS                                                                                \
    "local k = 0 local function random(low, high) k = (k * 13 + 7) % 101 "                         \
    "if not low then return k / 101 end if not high then low, high = 1, low end "                  \
    "return low + k % (high - low + 1) end "

static const char *first_line = "";

static CnEntity add(ScriptWorld *w, const char *name, const char *code)
{
    char text[8192];
    assert_true(cn_format(text, sizeof text, "%s%s", first_line, code));
    return script_add(w, name, text);
}

static Result run(bool sandboxed, CnJobPool *jobs)
{
    ScriptWorld w;
    assert_true(script_world_init(
        &w, &(ScriptWorldDesc){.sandboxed = sandboxed, .physics = true, .seed = 7, .jobs = jobs}));
    CnEntity first = add(&w, "Spawner", busy_spawner);
    CnEntity second = add(&w, "Pusher", busy_pusher);
    CnEntity third = add(&w, "Reckoner", busy_reckoner);
    assert_true(script_tick(&w, TICKS));
    assert_string_equal(script_error(&w, first), "");
    assert_string_equal(script_error(&w, second), "");
    assert_string_equal(script_error(&w, third), "");
    Result result = {cn_sim_hash(w.sim), cn_get(w.world, first, CnTransform)->position,
                     cn_entity_count(w.world)};
    script_world_fini(&w);
    return result;
}

static void two_runs_are_equal(void **state)
{
    (void)state;
    Result a = run(false, NULL), b = run(false, NULL);
    assert_true(a.hash == b.hash);
    assert_true(a.entities > 20);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    Result a = run(true, NULL), b = run(true, jobs);
    cn_job_pool_destroy(jobs);
    assert_true(a.hash == b.hash);
}

static void boxed_and_trusted_scripts_do_the_same(void **state)
{
    (void)state;
    first_line = OWN_NUMBERS;
    Result a = run(false, NULL), b = run(true, NULL);
    first_line = "";
    assert_memory_equal(&a.position, &b.position, sizeof a.position);
    assert_int_equal(a.entities, b.entities);
}

/* Creates objects with `create` and changes them with `change`, in one call or in two. */
static uint64_t create_and_change(bool at_once)
{
    static const char create[] =
        "local ball = spawn{name = 'Orb', position = Vec3(0, 9, 0), RigidbodyComponent = true} "
        "local car = getObject('Car'):clone() car.name = 'Copy' ";
    static const char change[] =
        "ball.velocity = Vec3(3, 0, 0) ball:addImpulse(Vec3(0, 0, 2), Vec3(1, 9, 0)) "
        "ball:getComponent('RigidbodyComponent').mass = 4 car.parent = ball "
        "car.worldPosition = Vec3(1, 2, 3) car:getChild('Wheel'):removeComponent('LampComponent') "
        "car:getChild('Door'):addComponent('RigidbodyComponent', {rigidbodyType = 'Kinematic'}) "
        "car:getChild('Door').enabled = false ";
    ScriptWorld w;
    assert_true(script_world_init(&w, &(ScriptWorldDesc){.physics = true, .seed = 7}));
    char code[1024];
    cn_format(code, sizeof code, "%s%s", create, at_once ? change : "return 'created'");
    assert_string_equal(script_run(&w, code), at_once ? "" : "created");
    cn_format(code, sizeof code, "local ball, car = getObject('Orb'), getObject('Copy') %s",
              change);
    assert_string_equal(at_once ? "" : script_run(&w, code), "");
    assert_true(script_tick(&w, 60));
    uint64_t hash = cn_sim_hash(w.sim);
    script_world_fini(&w);
    return hash;
}

static void changing_objects_in_the_call_that_creates_them_equals_changing_them_later(void **state)
{
    (void)state;
    assert_true(create_and_change(true) == create_and_change(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(boxed_and_trusted_scripts_do_the_same),
        cmocka_unit_test(changing_objects_in_the_call_that_creates_them_equals_changing_them_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

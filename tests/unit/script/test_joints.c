/* Joints that scripts create, change and read. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/log.h>
#include <string.h>

static ScriptWorld w;

static int make(void **state)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    bool sandboxed = *state != NULL;
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed, .physics = true}) ? 0
                                                                                              : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

static CnEntity run(const char *code, uint64_t ticks)
{
    CnEntity object = script_add(&w, "Script", code);
    assert_true(script_tick(&w, ticks));
    assert_string_equal(script_error(&w, object), "");
    return object;
}

static void a_chain_of_spawned_objects_hangs_in_the_tick_of_spawning(void **state)
{
    (void)state;
    run("function on_init()\n"
        "    local above\n"
        "    for i = 1, 4 do\n"
        "        above = spawn {name = 'Link' .. i, position = Vec3(i, 20, 0),\n"
        "            RigidbodyComponent = {rigidbodyType = 'Dynamic', mass = 1,\n"
        "                collisionShape = {type = 'Sphere', radius = .2}},\n"
        "            JointComponent = {jointType = 'Ball', other = above,\n"
        "                              anchor = Vec3(-1, 0, 0)}}\n"
        "    end\n"
        "end\n",
        60);
    CnVec3 first = cn_transform_world_position(w.world, cn_object_find(w.world, "Link1"));
    CnVec3 fourth = cn_transform_world_position(w.world, cn_object_find(w.world, "Link4"));
    CnVec3 held = cn_vec3(0, 20, 0);
    assert_float_equal(cn_vec3_length(cn_vec3_sub(first, held)), 1, .05);
    assert_true(cn_vec3_length(cn_vec3_sub(fourth, held)) < 4.1f);
    assert_true(fourth.y < 19);
}

static void a_script_changes_a_motor_and_reads_whether_a_joint_broke(void **state)
{
    (void)state;
    CnEntity object =
        run("function on_init()\n"
            "    this.state.door = spawn {name = 'Door', position = Vec3(0, 20, 0),\n"
            "        RigidbodyComponent = {rigidbodyType = 'Dynamic', mass = 1,\n"
            "            collisionShape = {type = 'Box', halfExtents = Vec3(1, 1, .1)}},\n"
            "        JointComponent = {jointType = 'Hinge', breakForce = 1e6}}\n"
            "end\n"
            "function on_update()\n"
            "    local joint = this.state.door:getComponent('JointComponent')\n"
            "    joint.motorSpeed, joint.motorForce = 90, 100\n"
            "    if time.tick == 60 then joint.breakForce = .001 end\n"
            "    if joint.broken and not this.state.when then\n"
            "        this.state.when = time.tick\n"
            "        this.position = Vec3(time.tick, this.state.door.eulerAngles.y, 0)\n"
            "    end\n"
            "end\n",
            70);
    CnVec3 at = cn_get(w.world, object, CnTransform)->position;
    assert_true(at.x >= 61 && at.x <= 63);
    assert_float_equal(at.y, 90, 6);
}

static void a_field_of_another_kind_of_joint_is_an_error(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Script",
                                 "function on_init() this:addComponent('JointComponent', "
                                 "{jointType = 'Ball', low = 3}) end");
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "low"));
}

int main(void)
{
    static char sandboxed[] = "sandboxed";
#define BOTH(test)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(test, make, drop, NULL),                              \
        cmocka_unit_test_prestate_setup_teardown(test, make, drop, sandboxed)
    const struct CMUnitTest tests[] = {
        BOTH(a_chain_of_spawned_objects_hangs_in_the_tick_of_spawning),
        BOTH(a_script_changes_a_motor_and_reads_whether_a_joint_broke),
        BOTH(a_field_of_another_kind_of_joint_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

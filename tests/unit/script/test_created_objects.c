/* What scripts can do with objects in the tick in which they create them. */
#include "manual_example.h"
#include "script_checks.h"

#include <stdlib.h>

static const char bullet[] =
    "{\"id\": \"Bullet\", \"components\": [{\"type\": \"RigidbodyComponent\", \"rigidbodyType\": "
    "\"Dynamic\", \"mass\": 2, \"collisionShape\": {\"type\": \"Sphere\", \"radius\": 0.1}}], "
    "\"children\": [{\"id\": \"Trail\", \"components\": [{\"type\": \"TransformComponent\", "
    "\"position\": [0, 0, 1]}]}]}";

static int make_bodies(void **state, bool sandboxed)
{
    (void)state;
    if (!script_world_init(&w, &(ScriptWorldDesc){.physics = true, .sandboxed = sandboxed}))
        return -1;
    memory_files_set(&w.files, "assets://bullet.json", bullet);
    return 0;
}

static int make_trusted_bodies(void **state)
{
    return make_bodies(state, false);
}

static int make_boxed_bodies(void **state)
{
    return make_bodies(state, true);
}

#define BODIES(test)                                                                               \
    {#test " (trusted)", test, make_trusted_bodies, drop, NULL},                                   \
    {                                                                                              \
#test " (sandboxed)", test, make_boxed_bodies, drop, NULL                                  \
    }

/* Checks a condition in on_init, so in a system, with b as a new bullet. */
static void check_in_tick(const char *code)
{
    char script[1024];
    cn_format(script, sizeof script,
              "function on_init() local b = loadPrefab('assets://bullet.json') %s end", code);
    check_script(script, 1);
}

static void the_parts_of_a_prefab_are_found_at_once(void **state)
{
    (void)state;
    check_in_tick("assert(b:getChild('Trail').parent == b and #b.children == 1)");
}

static void components_of_a_prefab_are_read_and_written_at_once(void **state)
{
    (void)state;
    check_in_tick("local c = b:getComponent('RigidbodyComponent') assert(c.mass == 2) c.mass = 3 "
                  "assert(b:getComponent('RigidbodyComponent').mass == 3)");
    check("return getObject('Bullet'):getComponent('RigidbodyComponent').mass", "3");
}

static void a_prefab_has_a_world_transform_at_once(void **state)
{
    (void)state;
    check_in_tick("b.worldPosition = Vec3(1, 2, 3) b.eulerAngles = Vec3(0, 180, 0) "
                  "local t = b:getChild('Trail').worldPosition "
                  "assert(t:distance(Vec3(1, 2, 2)) < 1e-4 and b.forward.z > .99 and b.up.y == 1)");
}

static void what_was_created_has_identity_at_once(void **state)
{
    (void)state;
    check_in_tick("assert(b.alive and b.active and b.state == nil and b.uid > 0 and "
                  "b.path == 'Bullet' and getObject('Bullet') == b)");
}

static void a_prefab_gets_a_velocity_at_once(void **state)
{
    (void)state;
    check_in_tick("b.position = Vec3(0, 50, 0) b.velocity = Vec3(6, 0, 0) "
                  "b.angularVelocity = Vec3(0, 1, 0) "
                  "assert(b.velocity == Vec3(6, 0, 0) and b.angularVelocity.y == 1)");
    script_tick(&w, 10);
    CnEntity found = cn_object_find(w.world, "Bullet");
    assert_true(cn_transform_world_position(w.world, found).x > .9f);
}

static void a_prefab_takes_impulses_and_forces_at_once(void **state)
{
    (void)state;
    check_in_tick(
        "b.position = Vec3(0, 50, 0) b:addImpulse(Vec3(4, 0, 0)) b:addForce(Vec3(0, 0, 1)) "
        "b:addTorque(Vec3(0, 1, 0)) b:wake() assert(not b.asleep)");
    script_tick(&w, 1);
    float x = cn_body_velocity(w.world, cn_object_find(w.world, "Bullet")).x;
    assert_true(x > 1.9f && x < 2.1f);
}

static void spawn_takes_velocities(void **state)
{
    (void)state;
    check(
        "return spawn{name = 'V', position = Vec3(0, 50, 0), velocity = Vec3(6, 0, 0), "
        "angularVelocity = Vec3(0, 2, 0), RigidbodyComponent = {collisionShape = {type = 'Sphere', "
        "radius = 1}}}.angularVelocity",
        "Vec3(0, 2, 0)");
    script_tick(&w, 10);
    assert_true(cn_transform_world_position(w.world, cn_object_find(w.world, "V")).x > .9f);
}

static void a_velocity_without_a_dynamic_body_is_an_error(void **state)
{
    (void)state;
    check_error("spawn{name = 'V', velocity = Vec3(6, 0, 0)}", "requires a RigidbodyComponent");
    check_error("spawn{name = 'V', velocity = Vec3(6, 0, 0), RigidbodyComponent = {rigidbodyType = "
                "'Static'}}",
                "requires a RigidbodyComponent");
    check_error("spawn{name = 'V', velocity = 6, RigidbodyComponent = true}",
                "'velocity' must be a Vec3");
    check("return getObject('V')", "nil");
}

static void a_body_that_is_added_has_a_velocity_at_once(void **state)
{
    (void)state;
    check(
        "local c = getObject('Car') c:addComponent('RigidbodyComponent') c.velocity = Vec3(1, 0, 0) "
        "return c.velocity",
        "Vec3(1, 0, 0)");
}

static void a_clone_can_be_used_at_once(void **state)
{
    (void)state;
    check_in_tick(
        "b.velocity = Vec3(9, 0, 0) local c = b:clone() assert(c.velocity == Vec3(0, 0, 0)) "
        "c.velocity = Vec3(1, 0, 0) assert(c:getChild('Trail') ~= b:getChild('Trail')) "
        "assert(b.velocity.x == 9)");
}

static void queries_see_what_was_created_at_once(void **state)
{
    (void)state;
    check("local n = query('LampComponent'):count() spawn{LampComponent = true} "
          "return query('LampComponent'):count() - n",
          "1");
}

static void an_object_that_was_destroyed_can_be_used_until_the_scripts_have_run(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Script",
                                 "function on_init() d = spawn{name = 'D'} d:destroy() d:destroy() "
                                 "d.position = Vec3(1, 1, 1) assert(d.alive) end "
                                 "function on_fixedupdate() assert(getObject('D')) end "
                                 "function on_update() assert(not d.alive) end");
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_error(&w, object), "");
}

static void what_is_created_below_a_destroyed_object_goes_with_it(void **state)
{
    (void)state;
    check("local c = getObject('Car') c:destroy() spawn{name = 'S', parent = c}", "");
    check("return getObject('S'), getObject('Car')", "nil\tnil");
}

static void on_destroy_can_use_what_it_creates(void **state)
{
    (void)state;
    script_add(&w, "A",
               "function on_update() this:destroy() end "
               "function on_destroy() local b = loadPrefab('assets://bullet.json') "
               "b.worldPosition = this.worldPosition b.velocity = Vec3(1, 0, 0) "
               "b:getChild('Trail'):addComponent('ScriptAlarm') end");
    assert_true(script_tick(&w, 1));
    check("local b = getObject('Bullet') "
          "return b.velocity, b:getChild('Trail'):hasComponent('ScriptAlarm')",
          "Vec3(1, 0, 0)\ttrue");
}

static void on_destroy_is_called_for_children_before_parents(void **state)
{
    (void)state;
    CnEntity parent = script_add(&w, "A", "function on_destroy() this.name = 'Dead' end");
    CnEntity child = script_add(
        &w, "B", "function on_destroy() getObject('Car').name = 'Car of ' .. this.parent.name end");
    cn_set_parent(w.world, child, parent);
    script_tick(&w, 1);
    check("getObject('A'):destroy()", "");
    assert_string_equal(cn_object_name(w.world, w.car), "Car of A");
}

static void on_destroy_in_a_hook_can_place_what_it_creates(void **state)
{
    (void)state;
    CnEntity object = script_add(
        &w, "A",
        "function on_destroy() local b = loadPrefab('assets://bullet.json', getObject('Car')) "
        "b.position = Vec3(1, 2, 3) b.name = 'Last' b:addComponent('ScriptAlarm') "
        "assert(b.alive and b.position.y == 2 and b.parent.name == 'Car') end");
    script_tick(&w, 1);
    cn_destroy(w.world, object);
    check("local b = getObject('Car/Last') return b.position, b:hasComponent('ScriptAlarm')",
          "Vec3(1, 2, 3)\ttrue");
}

static void other_uses_of_what_is_created_in_a_hook_are_clear_errors(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A",
                                 "function on_destroy() local s = spawn{name = 'S'} "
                                 "local done, text = pcall(function() return s.velocity end) "
                                 "s.name = text:match('just created by on_destroy') or 'no' end");
    script_tick(&w, 1);
    cn_destroy(w.world, object);
    check("return getObject('just created by on_destroy').alive", "true");
}

static void the_example_of_the_manual_runs(void **state)
{
    (void)state;
    char *code = manual_example("-- scripts://gun.lua\n");
    assert_non_null(code);
    check_script(code, 1);
    free(code);
    check("return getObject('Bullet').velocity.z < -30, getObject('Bullet/Trail').active, "
          "getObject('Script/Ball').velocity.y > 4",
          "true\tfalse\ttrue");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BODIES(the_parts_of_a_prefab_are_found_at_once),
        BODIES(components_of_a_prefab_are_read_and_written_at_once),
        BODIES(a_prefab_has_a_world_transform_at_once),
        BODIES(what_was_created_has_identity_at_once),
        BODIES(a_prefab_gets_a_velocity_at_once),
        BODIES(a_prefab_takes_impulses_and_forces_at_once),
        BODIES(spawn_takes_velocities),
        BODIES(a_velocity_without_a_dynamic_body_is_an_error),
        BODIES(a_body_that_is_added_has_a_velocity_at_once),
        BODIES(a_clone_can_be_used_at_once),
        BOTH(queries_see_what_was_created_at_once),
        BODIES(an_object_that_was_destroyed_can_be_used_until_the_scripts_have_run),
        BODIES(what_is_created_below_a_destroyed_object_goes_with_it),
        BODIES(on_destroy_can_use_what_it_creates),
        BODIES(on_destroy_is_called_for_children_before_parents),
        BODIES(on_destroy_in_a_hook_can_place_what_it_creates),
        BODIES(the_example_of_the_manual_runs),
        BODIES(other_uses_of_what_is_created_in_a_hook_are_clear_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

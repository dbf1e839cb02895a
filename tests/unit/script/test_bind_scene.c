/* Objects that scripts make and destroy. */
#include "script_checks.h"

static void spawn_makes_an_object_at_once(void **state)
{
    (void)state;
    check("local o = spawn{name = 'Box', parent = getObject('Car'), position = Vec3(1, 2, 3)} "
          "return o.name, o.position, o.alive, o.parent.name, getObject('Car/Box') == o",
          "Box\tVec3(1, 2, 3)\ttrue\tCar\ttrue");
    check("return getObject('Car/Box').worldPosition", "Vec3(1, 2, 3)");
}

static void spawn_takes_components_by_name(void **state)
{
    (void)state;
    check("spawn{name = 'Lit', LampComponent = {watts = 5}, ScriptAlarm = true}", "");
    CnEntity lit = cn_object_find(w.world, "Lit");
    assert_float_equal(cn_get(w.world, lit, SceneLamp)->power, 5, 0);
    assert_true(cn_has(w.world, lit, ScriptAlarm));
}

static void a_transform_can_be_given_as_a_component(void **state)
{
    (void)state;
    check(
        "spawn{name = 'T', TransformComponent = {position = Vec3(1, 2, 3), rotation = Vec3(0, 90, 0)}}",
        "");
    check("local t = getObject('T') return t.position, t.eulerAngles",
          "Vec3(1, 2, 3)\tVec3(0, 90, 0)");
}

static void what_was_just_spawned_can_be_moved(void **state)
{
    (void)state;
    check("local o = spawn{name = 'M', eulerAngles = Vec3(0, 90, 0)} o.position = Vec3(1, 0, 0) "
          "o.position = o.position + Vec3(1, 0, 0) o.scale = Vec3(2, 2, 2)",
          "");
    check("local o = getObject('M') return o.position, o.scale, math.floor(o.eulerAngles.y + .5)",
          "Vec3(2, 0, 0)\tVec3(2, 2, 2)\t90");
}

static void what_was_just_spawned_can_have_children_and_components(void **state)
{
    (void)state;
    check(
        "local o = spawn{name = 'P'} spawn{name = 'C', parent = o} o:addComponent('LampComponent', {watts "
        "= 9})",
        "");
    check("return getObject('P/C').name, getObject('P'):getComponent('LampComponent').watts",
          "C\t9");
}

static void what_was_just_spawned_is_destroyed_when_the_scripts_have_run(void **state)
{
    (void)state;
    check("local o = spawn{name = 'Gone'} o:destroy() return o.alive, o.position",
          "true\tVec3(0, 0, 0)");
    check("return getObject('Gone')", "nil");
}

static void spawn_checks_what_it_gets(void **state)
{
    (void)state;
    check_error("spawn()", "table expected");
    check_error("spawn{name = 5}", "a name must be");
    check_error("spawn{name = 'a/b'}", "a name must be");
    check_error("spawn{position = 5}", "'position' must be a Vec3");
    check_error("spawn{position = Vec3(0/0, 0, 0)}", "not finite");
    check_error("spawn{parent = 'Car'}", "Object expected");
    check_error("spawn{Nothing = {}}", "no component named 'Nothing'");
    check_error("spawn{LampComponent = {watts = 1000}}", "watts");
    check_error("spawn{LampComponent = 5}", "table expected");
    check_error("spawn{'LampComponent'}", "keys must be names");
    assert_false(cn_object_find(w.world, "Object").id != 0);
}

static void a_spawned_object_can_be_disabled(void **state)
{
    (void)state;
    check("spawn{name = 'Off', enabled = false}", "");
    assert_false(cn_object_is_active(w.world, cn_object_find(w.world, "Off")));
}

static void a_clone_is_a_copy_with_all_below_it(void **state)
{
    (void)state;
    check("local c = getObject('Car') c.position = Vec3(5, 0, 0) "
          "local d = c:clone(getObject('Car/Door')) return d.position",
          "Vec3(5, 0, 0)");
    check("local d = getObject('Car/Door/Car') return d.position, d:getChild('Wheel'):getComponent("
          "'LampComponent').watts, d.uid ~= getObject('Car').uid, d:getChild('Door').name",
          "Vec3(5, 0, 0)\t40\ttrue\tDoor");
}

static void what_was_just_made_can_be_named_and_disabled(void **state)
{
    (void)state;
    check("local d = getObject('Car'):clone() d.name = 'Twin' d.enabled = false d.name = 'Twins' "
          "return d.name, d.enabled",
          "Twins\tfalse");
    check("local d = getObject('Twins') return d.enabled, d.uid > 0, d:getChild('Wheel').name",
          "false\ttrue\tWheel");
    check("local s = spawn{name = 'S'} s.name = 'T' s.position = Vec3(1, 2, 3)", "");
    check("return getObject('T').position", "Vec3(1, 2, 3)");
}

static void links_inside_of_a_clone_point_into_it(void **state)
{
    (void)state;
    cn_set(w.world, w.car, SceneLink, {.target = w.wheel, .strength = 2});
    check("getObject('Car'):clone().position = Vec3(7, 7, 7)", "");
    CnEntity roots[4];
    assert_int_equal(cn_object_roots(w.world, roots, 4), 2);
    assert_float_equal(cn_get(w.world, roots[1], CnTransform)->position.x, 7, 0);
    CnEntity target = cn_get(w.world, roots[1], SceneLink)->target;
    assert_true(target.id && cn_entity_equal(cn_parent(w.world, target), roots[1]));
}

static void a_prefab_is_loaded_and_moved(void **state)
{
    (void)state;
    memory_files_set(&w.files, "assets://tree.json",
                     "{\"id\": \"Tree\", \"components\": [{\"type\": \"TransformComponent\", "
                     "\"scale\": [2, 2, 2]}], \"children\": [{\"id\": \"Leaf\"}]}");
    check("local t = loadPrefab('assets://tree.json', getObject('Car')) t.position = Vec3(1, 2, 3) "
          "return t.name, t.scale",
          "Tree\tVec3(2, 2, 2)");
    check("local t = getObject('Car/Tree') return t.position, t.scale, t:getChild('Leaf').name",
          "Vec3(1, 2, 3)\tVec3(2, 2, 2)\tLeaf");
}

static void a_prefab_that_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    check_error("loadPrefab('assets://none.json')", "assets://none.json");
    memory_files_set(&w.files, "assets://bad.json", "{");
    check_error("loadPrefab('assets://bad.json')", "assets://bad.json");
    check_error("loadPrefab(5 .. '')", "5");
    check_error("loadPrefab()", "string expected");
}

static void a_scene_that_does_not_exist_cannot_be_gone_to(void **state)
{
    (void)state;
    check_error("gotoScene('Nowhere')", "");
    check_error("gotoScene()", "string expected");
}

static void the_body_of_a_script_cannot_spawn(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Hasty", "spawn{name = 'X'}");
    script_tick(&w, 1);
    check_failed(object, "do this in on_init");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(spawn_makes_an_object_at_once),
        BOTH(spawn_takes_components_by_name),
        BOTH(a_transform_can_be_given_as_a_component),
        BOTH(what_was_just_spawned_can_be_moved),
        BOTH(what_was_just_spawned_can_have_children_and_components),
        BOTH(what_was_just_spawned_is_destroyed_when_the_scripts_have_run),
        BOTH(spawn_checks_what_it_gets),
        BOTH(a_spawned_object_can_be_disabled),
        BOTH(a_clone_is_a_copy_with_all_below_it),
        BOTH(what_was_just_made_can_be_named_and_disabled),
        BOTH(links_inside_of_a_clone_point_into_it),
        BOTH(a_prefab_is_loaded_and_moved),
        BOTH(a_prefab_that_cannot_be_read_is_an_error),
        BOTH(a_scene_that_does_not_exist_cannot_be_gone_to),
        BOTH(the_body_of_a_script_cannot_spawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

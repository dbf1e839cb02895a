/* Objects as scripts see them. Every test runs in a trusted and in a sandboxed state. */
#include "script_checks.h"

static void name_and_path_are_read(void **state)
{
    (void)state;
    check("local o = getObject('Car/Wheel') return o.name, o.path", "Wheel\tCar/Wheel");
}

static void a_name_is_written(void **state)
{
    (void)state;
    check("getObject('Car/Wheel').name = 'Rad'", "");
    assert_string_equal(cn_object_name(w.world, w.wheel), "Rad");
}

static void names_that_are_not_valid_are_refused(void **state)
{
    (void)state;
    check_error("getObject('Car').name = 'a/b'", "without '/'");
    check_error("getObject('Car').name = ''", "without '/'");
    check_error("getObject('Car').name = 'a\\0b'", "without '/'");
    check_error("getObject('Car').name = 7", "must be a string, not number");
    assert_string_equal(cn_object_name(w.world, w.car), "Car");
}

static void an_object_that_is_not_there_is_nil(void **state)
{
    (void)state;
    check("return getObject('Nobody')", "nil");
    check("return getObject('Car'):getChild('Wing')", "nil");
}

static void position_is_read_and_written(void **state)
{
    (void)state;
    check("local o = getObject('Car') o.position = Vec3(1, 2, 3) return o.position",
          "Vec3(1, 2, 3)");
    assert_float_equal(cn_get(w.world, w.car, CnTransform)->position.y, 2, 0);
}

static void what_position_gives_is_a_copy(void **state)
{
    (void)state;
    check("local o = getObject('Car') o.position.x = 5 return o.position", "Vec3(0, 0, 0)");
}

static void euler_angles_are_written_and_read_in_degrees(void **state)
{
    (void)state;
    check("local o = getObject('Car') o.eulerAngles = Vec3(0, 90, 0) "
          "local f = o.forward return math.floor(o.eulerAngles.y + .5), math.floor(f.x + .5)",
          "90\t-1");
}

static void rotation_is_normalized(void **state)
{
    (void)state;
    check("local o = getObject('Car') o.rotation = Quat(0, 2, 0, 0) return o.rotation",
          "Quat(0, 1, 0, 0)");
}

static void world_values_follow_the_parent_at_once(void **state)
{
    (void)state;
    check("local c, o = getObject('Car'), getObject('Car/Wheel') c.position = Vec3(10, 0, 0) "
          "c.scale = Vec3(2, 2, 2) o.position = Vec3(1, 0, 0) return o.worldPosition, o.worldScale",
          "Vec3(12, 0, 0)\tVec3(2, 2, 2)");
}

static void a_world_position_is_written(void **state)
{
    (void)state;
    check("local c, o = getObject('Car'), getObject('Car/Wheel') c.position = Vec3(10, 0, 0) "
          "o.worldPosition = Vec3(1, 2, 3) return o.position",
          "Vec3(-9, 2, 3)");
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    check_error("getObject('Car').position = Vec3(0/0, 0, 0)", "not a number");
    check_error("getObject('Car').position = Vec3(1e300, 0, 0)", "infinite");
    check_error("getObject('Car').scale = Vec3(math.huge, 0, 0)", "infinite");
    check_error("getObject('Car').rotation = Quat(0/0, 0, 0, 1)", "not a number");
    check_error("getObject('Car').eulerAngles = Vec3(0, 0/0, 0)", "not a number");
    check_error("getObject('Car').worldPosition = Vec3(0, 0/0, 0)", "not a number");
}

static void a_world_position_below_something_flat_leaves_things_as_they_were(void **state)
{
    (void)state;
    check_error(
        "local c, o = getObject('Car'), getObject('Car/Wheel') c.scale = Vec3(1e-10, 1e-10, 1e-10) "
        "o.position = Vec3(1, 2, 3) o.worldPosition = Vec3(1e38, 1e38, 1e38)",
        "cannot be set because");
    const CnTransform *t = cn_get(w.world, w.wheel, CnTransform);
    assert_float_equal(t->position.z, 3, 0);
}

static void wrong_types_are_refused_by_name(void **state)
{
    (void)state;
    check_error("getObject('Car').position = 5", "'position' must be a Vec3, not number");
    check_error("getObject('Car').position = nil", "'position' must be a Vec3, not nil");
    check_error("getObject('Car').position = Quat()", "'position' must be a Vec3, not Quat");
    check_error("getObject('Car').rotation = Vec3()", "'rotation' must be a Quat, not Vec3");
    check_error("getObject('Car').enabled = 1", "'enabled' must be a boolean");
    check_error("getObject('Car').parent = 1", "'parent' must be a Object or nil");
}

static void unknown_properties_are_errors_with_a_suggestion(void **state)
{
    (void)state;
    check_error("return getObject('Car').positon", "did you mean 'position'?");
    check_error("getObject('Car').positon = 1", "did you mean 'position'?");
    check_error("return getObject('Car')[1]", "Object cannot be indexed with a number");
    check_error("return getObject('Car')[{}]", "Object cannot be indexed with a table");
}

static void properties_that_are_only_read_cannot_be_written(void **state)
{
    (void)state;
    check_error("getObject('Car').uid = 1", "Object.uid is read-only");
    check_error("getObject('Car').getChild = 1", "Object.getChild is read-only");
}

static void the_uid_is_that_of_the_object(void **state)
{
    (void)state;
    char expected[32];
    cn_format(expected, sizeof expected, "%llu", (unsigned long long)cn_object_uid(w.world, w.car));
    check("return string.format('%.0f', getObject('Car').uid)", expected);
}

static void the_same_object_is_equal_and_a_key(void **state)
{
    (void)state;
    check(
        "local a, b = getObject('Car'), getObject('Car') local t = {[a] = 7} return a == b, t[b], a == "
        "getObject('Car/Wheel'), a == 1",
        "true\t7\tfalse\tfalse");
}

static void parent_and_children_are_read(void **state)
{
    (void)state;
    check("local c = getObject('Car') return c.parent, #c.children, c.children[2].name, "
          "c.children[1].parent == c",
          "nil\t2\tDoor\ttrue");
}

static void a_parent_is_changed_at_once(void **state)
{
    (void)state;
    check("local d = getObject('Car/Door') d.parent = getObject('Car/Wheel') return d.path",
          "Car/Wheel/Door");
    check("return getObject('Car/Wheel/Door').name", "Door");
    check("getObject('Car/Wheel/Door').parent = nil", "");
    check("return getObject('Door').parent", "nil");
}

static void set_parent_can_keep_the_place(void **state)
{
    (void)state;
    check("local c, d = getObject('Car'), getObject('Car/Door') c.position = Vec3(10, 0, 0) "
          "d.position = Vec3(1, 0, 0) d:setParent(nil, true)",
          "");
    check("return getObject('Door').position, getObject('Door').worldPosition",
          "Vec3(11, 0, 0)\tVec3(11, 0, 0)");
}

static void a_cycle_of_parents_is_refused(void **state)
{
    (void)state;
    check_error("getObject('Car').parent = getObject('Car/Wheel')", "cannot be below itself");
    check_error("local c = getObject('Car') c.parent = c", "cannot be below itself");
}

static void parents_that_were_changed_just_now_make_no_cycle(void **state)
{
    (void)state;
    check("spawn{name = 'A'} spawn{name = 'B'}", "");
    check_error("local a, b = getObject('A'), getObject('B') a.parent = b b.parent = a",
                "object 'B' cannot be below itself");
    check("local a = spawn{name = 'C', parent = getObject('B')} "
          "return pcall(function() getObject('B').parent = a end)",
          "false\ttest:1: object 'B' cannot be below itself");
    assert_true(script_tick(&w, 1));
    check("return getObject('B/A').path, getObject('B/C').path", "B/A\tB/C");
}

static void enabled_is_written_and_active_is_inherited(void **state)
{
    (void)state;
    check("local c = getObject('Car') c.enabled = false return c.enabled, c.active, "
          "getObject('Car/Wheel').enabled, getObject('Car/Wheel').active",
          "false\tfalse\ttrue\tfalse");
    script_tick(&w, 1);
    assert_true(cn_has(w.world, w.wheel, CnInactive));
}

static void a_destroyed_object_is_an_error_that_names_it(void **state)
{
    (void)state;
    check("local d = getObject('Car/Door') kept = d d:destroy() return d.alive, d.name",
          "true\tDoor");
    CnEntity object =
        script_add(&w, "Keeper",
                   "local d = getObject('Car/Wheel')\n"
                   "function on_init() d:destroy() end\n"
                   "function on_update() if not d.alive then log(d.position) end end");
    script_tick(&w, 2);
    assert_non_null(strstr(script_error(&w, object), "object 'Wheel' was destroyed"));
}

static void destroying_takes_children_along(void **state)
{
    (void)state;
    check("destroyObject(getObject('Car'))", "");
    assert_false(cn_is_alive(w.world, w.wheel));
}

static void methods_check_what_they_are_called_on(void **state)
{
    (void)state;
    check_error("getObject('Car').getChild(1, 'x')", "Object expected, got number");
    check_error("getObject('Car').destroy()", "Object expected, got");
    check_error("getObject('Car').setParent(Vec3(), nil)", "Object expected, got Vec3");
    check_error("destroyObject('Car')", "Object expected, got string");
    check_error("getObject(nil)", "string expected");
}

static void metatables_are_out_of_reach(void **state)
{
    (void)state;
    check("return getmetatable(getObject('Car')), getmetatable(Vec3()), getmetatable(input)",
          "Object\tVec3\tinput");
    check_error("setmetatable(getObject('Car'), {})", "");
}

static void the_body_of_a_script_cannot_change_the_world(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Hasty", "this.position = Vec3(1, 2, 3)");
    script_tick(&w, 1);
    assert_non_null(strstr(script_error(&w, object), "do this in on_init"));
}

static void this_moves_in_on_update(void **state)
{
    (void)state;
    CnEntity object = script_add(
        &w, "Mover", "function on_update(dt) this.position = this.position + Vec3(1, 0, 0) end");
    script_tick(&w, 3);
    assert_string_equal(script_error(&w, object), "");
    assert_float_equal(cn_get(w.world, object, CnTransform)->position.x, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(name_and_path_are_read),
        BOTH(a_name_is_written),
        BOTH(names_that_are_not_valid_are_refused),
        BOTH(an_object_that_is_not_there_is_nil),
        BOTH(position_is_read_and_written),
        BOTH(what_position_gives_is_a_copy),
        BOTH(euler_angles_are_written_and_read_in_degrees),
        BOTH(rotation_is_normalized),
        BOTH(world_values_follow_the_parent_at_once),
        BOTH(a_world_position_is_written),
        BOTH(numbers_that_are_not_finite_are_refused),
        BOTH(a_world_position_below_something_flat_leaves_things_as_they_were),
        BOTH(wrong_types_are_refused_by_name),
        BOTH(unknown_properties_are_errors_with_a_suggestion),
        BOTH(properties_that_are_only_read_cannot_be_written),
        BOTH(the_uid_is_that_of_the_object),
        BOTH(the_same_object_is_equal_and_a_key),
        BOTH(parent_and_children_are_read),
        BOTH(a_parent_is_changed_at_once),
        BOTH(set_parent_can_keep_the_place),
        BOTH(a_cycle_of_parents_is_refused),
        BOTH(parents_that_were_changed_just_now_make_no_cycle),
        BOTH(enabled_is_written_and_active_is_inherited),
        BOTH(a_destroyed_object_is_an_error_that_names_it),
        BOTH(destroying_takes_children_along),
        BOTH(methods_check_what_they_are_called_on),
        BOTH(metatables_are_out_of_reach),
        BOTH(the_body_of_a_script_cannot_change_the_world),
        BOTH(this_moves_in_on_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Components and their fields from scripts. */
#include "script_checks.h"

static void fields_are_read_by_the_names_of_files(void **state)
{
    (void)state;
    check("local l = getObject('Car/Wheel'):getComponent('LampComponent') "
          "return l.lampType, l.watts, l.shape.size, l.turn",
          "Bulb\t40\tVec3(1, 1, 1)\tVec3(0, 0, 0)");
}

static void a_field_is_written(void **state)
{
    (void)state;
    check("getObject('Car/Wheel'):getComponent('LampComponent').watts = 60", "");
    assert_float_equal(cn_get(w.world, w.wheel, SceneLamp)->power, 60, 0);
}

static void a_choice_is_written_by_name(void **state)
{
    (void)state;
    check("getObject('Car/Wheel'):getComponent('LampComponent').lampType = 'Spot'", "");
    assert_int_equal(cn_get(w.world, w.wheel, SceneLamp)->kind, 1);
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').lampType = 'Sun'", "one of");
}

static void angles_are_written_in_degrees(void **state)
{
    (void)state;
    check("local l = getObject('Car/Wheel'):getComponent('LampComponent') l.turn = Vec3(0, 90, 0) "
          "return l.turn",
          "Vec3(0, 90, 0)");
}

static void ranges_are_checked(void **state)
{
    (void)state;
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = 101", "watts");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = 0/0", "watts");
    assert_float_equal(cn_get(w.world, w.wheel, SceneLamp)->power, 40, 0);
}

static void the_check_of_a_table_is_called_before_a_write_is_accepted(void **state)
{
    (void)state;
    check_error(
        "local l = getObject('Car/Wheel'):getComponent('LampComponent') l.lampType = 'Spot' "
        "l.shape.radius = 50",
        "the radius is more than the watts");
    assert_float_equal(cn_get(w.world, w.wheel, SceneLamp)->radius, 0, 0);
}

static void a_field_of_another_choice_is_refused(void **state)
{
    (void)state;
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').shape.radius = 1",
                "is not available for this value of 'lampType'");
}

static void an_object_of_fields_is_written_as_a_table(void **state)
{
    (void)state;
    check("local l = getObject('Car/Wheel'):getComponent('LampComponent') "
          "l.shape = {size = Vec3(1, 2, 3)} return l.shape.size",
          "Vec3(1, 2, 3)");
}

static void unknown_components_and_fields_are_errors_with_a_suggestion(void **state)
{
    (void)state;
    check_error("getObject('Car'):getComponent('LampComponet')", "did you mean 'LampComponent'?");
    check_error("return getObject('Car/Wheel'):getComponent('LampComponent').wats",
                "did you mean 'watts'?");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').secret = 1", "has no field");
    check_error("return getObject('Car/Wheel'):getComponent('LampComponent')[1]",
                "accessed by name");
}

static void wrong_types_are_refused(void **state)
{
    (void)state;
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = 'x'", "watts");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = {}",
                "cannot be a table");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = nil",
                "cannot be a nil");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').shape.size = Vec2(1, 2)",
                "size");
    check_error("getObject('Car/Wheel'):getComponent('LampComponent').watts = print", "function");
}

static void a_component_that_is_not_there_is_nil(void **state)
{
    (void)state;
    check(
        "return getObject('Car'):getComponent('LampComponent'), "
        "getComponent(getObject('Car'), 'LampComponent'), getObject('Car'):hasComponent('LampComponent'), "
        "getObject('Car/Wheel'):hasComponent('LampComponent')",
        "nil\tnil\tfalse\ttrue");
}

static void a_component_is_added_with_values_at_once(void **state)
{
    (void)state;
    check(
        "local c = getObject('Car') c:addComponent('LampComponent', {watts = 7, lampType = 'Spot', "
        "shape = {radius = 2}}) return c:getComponent('LampComponent').watts",
        "7");
    assert_float_equal(cn_get(w.world, w.car, SceneLamp)->radius, 2, 0);
    assert_float_equal(cn_get(w.world, w.car, SceneLamp)->size.x, 1, 0);
}

static void values_of_a_component_that_is_added_are_checked(void **state)
{
    (void)state;
    check_error("getObject('Car'):addComponent('LampComponent', {watts = 1000})", "watts");
    check_error("getObject('Car'):addComponent('LampComponent', {shape = {radius = 2}})",
                "is not available for this value");
    check_error(
        "getObject('Car'):addComponent('LampComponent', {lampType = 'Spot', watts = 1, shape = "
        "{radius = 2}})",
        "more than the watts");
    check_error("getObject('Car'):addComponent('LampComponent', 5)", "table expected");
    assert_false(cn_has(w.world, w.car, SceneLamp));
}

static void a_tag_is_added_and_removed(void **state)
{
    (void)state;
    check("getObject('Car'):addComponent('ScriptAlarm')", "");
    assert_true(cn_has(w.world, w.car, ScriptAlarm));
    check("getObject('Car'):removeComponent('ScriptAlarm')", "");
    assert_false(cn_has(w.world, w.car, ScriptAlarm));
}

static void a_component_is_removed_at_once(void **state)
{
    (void)state;
    check("local w = getObject('Car/Wheel') w:removeComponent('LampComponent') "
          "return w:hasComponent('LampComponent')",
          "false");
    assert_false(cn_has(w.world, w.wheel, SceneLamp));
    check_error("getObject('Car'):removeComponent('TransformComponent')", "cannot be removed");
}

static void a_handle_of_a_component_that_is_gone_is_an_error(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "Keeper",
                   "local o = getObject('Car/Wheel')\n"
                   "local l = o:getComponent('LampComponent')\n"
                   "function on_init() o:removeComponent('LampComponent') end\n"
                   "function on_update() n = (n or 0) + 1 if n == 2 then log(l.watts) end "
                   "end");
    script_tick(&w, 2);
    check_failed(object, "object 'Wheel' no longer has a LampComponent");
}

static void a_handle_of_an_object_that_is_gone_is_an_error(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Keeper",
                                 "local o = getObject('Car/Wheel')\n"
                                 "local l = o:getComponent('LampComponent')\n"
                                 "function on_init() o:destroy() end\n"
                                 "function on_update() if not o.alive then l.watts = 5 end end");
    script_tick(&w, 2);
    check_failed(object, "belongs to an object that was destroyed");
}

static void every_type_of_field_goes_there_and_back(void **state)
{
    (void)state;
    cn_add(w.world, w.car, SceneEvery);
    check(
        "local e = getObject('Car'):getComponent('SceneEvery') "
        "e.f32_value = .5 e.f64_value = 1e300 e.i8_value = -128 e.i16_value = -1 e.i32_value = -2 "
        "e.i64_value = -3 e.u8_value = 255 e.u16_value = 65535 e.u32_value = 4294967295 "
        "e.u64_value = 9007199254740992 e.bool_value = true e.entity_value = getObject('Car/Door') "
        "e.vec2_value = Vec2(1, 2) e.vec3_value = Vec3(1, 2, 3) e.vec4_value = Vec4(1, 2, 3, 4) "
        "e.quat_value = Quat(0, 0, 1, 0) e.text_value = 'hello' e.list = {1, 2, 3, 4} "
        "e.corners = {Vec2(1, 2), Vec2(3, 4)} e.friends = {getObject('Car')} "
        "return e.f32_value, e.f64_value == 1e300, e.i8_value, e.i16_value, e.i32_value, e.i64_value, "
        "e.u8_value, e.u16_value, e.u32_value == 4294967295, e.u64_value == 9007199254740992, "
        "e.bool_value, e.entity_value.name, e.vec2_value, e.vec3_value, e.vec4_value, e.quat_value, "
        "e.text_value, e.list[4], e.corners[2], e.friends[1].name, e.friends[2]",
        "0.5\ttrue\t-128\t-1\t-2\t-3\t255\t65535\ttrue\ttrue\ttrue\tDoor\tVec2(1, 2)\t"
        "Vec3(1, 2, 3)\tVec4(1, 2, 3, 4)\tQuat(0, 0, 1, 0)\thello\t4\tVec2(3, 4)\tCar\tnil");
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    cn_add(w.world, w.car, SceneEvery);
    check_error("getObject('Car'):getComponent('SceneEvery').i8_value = 128", "i8_value");
    check_error("getObject('Car'):getComponent('SceneEvery').u8_value = -1", "u8_value");
    check_error("getObject('Car'):getComponent('SceneEvery').u16_value = 1.5", "u16_value");
    check_error("getObject('Car'):getComponent('SceneEvery').f32_value = 1e300", "f32_value");
    check_error("getObject('Car'):getComponent('SceneEvery').list = {1, 2, 3, 4, 5}", "at most 4");
    check_error("getObject('Car'):getComponent('SceneEvery').text_value = ('x'):rep(16)",
                "text_value");
}

static void components_are_listed_by_name(void **state)
{
    (void)state;
    check("return table.concat(getObject('Car/Wheel'):getComponents(), ' ')",
          "TransformComponent LampComponent");
}

static void handles_of_the_same_component_are_equal(void **state)
{
    (void)state;
    check(
        "local o = getObject('Car/Wheel') local a, b = o:getComponent('LampComponent'), "
        "o:getComponent('LampComponent') return a == b, a == o:getComponent('TransformComponent'), "
        "a.shape == b, tostring(a)",
        "true\tfalse\tfalse\tComponent(LampComponent)");
}

static void structs_in_components_are_tables_and_arrays_of_them(void **state)
{
    (void)state;
    const SceneNested nested = {{1, 2}, {{3, {4, 5}}, {6, {7, 8}}, {9, {10, 11}}}, 12};
    cn_set_component(w.world, w.car, cn_id(w.world, SceneNested), &nested);
    check("local n = getObject('Car'):getComponent('SceneNested') "
          "return n.spread.hi, n.slots[1].item, n.slots[3].wear.lo",
          "2\t3\t10");
    check("local n = getObject('Car'):getComponent('SceneNested') n.slots[2].wear.hi = 80 "
          "n.slots[1] = {item = 30, wear = {lo = 40}} n.slots = {[3] = {item = 90}}",
          "");
    const SceneNested *value = cn_get(w.world, w.car, SceneNested);
    assert_float_equal(value->slots[1].wear.hi, 80, 0);
    assert_int_equal(value->slots[0].item, 30);
    assert_float_equal(value->slots[0].wear.lo, 40, 0);
    assert_int_equal(value->slots[2].item, 90);
    check_error("return getObject('Car'):getComponent('SceneNested').slots[4]", "slots.3");
    check_error("return getObject('Car'):getComponent('SceneNested').slots[0]", "accessed by name");
}

static void components_of_a_type_are_found_on_an_object_and_below(void **state)
{
    (void)state;
    SceneLamp lamp = {.power = 7, .turn = {0, 0, 0, 1}};
    cn_set_component(w.world, w.car, cn_id(w.world, SceneLamp), &lamp);
    check(
        "local l = getObject('Car'):getComponents('LampComponent') "
        "return #l, l[1].watts, l[2].watts, #getObject('Car/Door'):getComponents('LampComponent')",
        "2\t7\t40\t0");
    check_error("getObject('Car'):getComponents('LampComponen')", "LampComponent");
}

static void rotations_are_made_units_or_refused(void **state)
{
    (void)state;
    check(
        "local t = getObject('Car'):getComponent('TransformComponent') t.rotation = Quat(2, 0, 0, 2) "
        "local q = getObject('Car').rotation return math.abs(q.x - q.w) < 1e-6 and math.abs(q.x * q.x "
        "+ q.w * q.w - 1) < 1e-6",
        "true");
    check_error("getObject('Car'):getComponent('TransformComponent').rotation = Quat(0, 0, 0, 0)",
                "cannot be four zeros");
    check_error("getObject('Car').rotation = Quat(0, 0, 0, 0)", "cannot be a Quat of zeros");
    check_error("getObject('Car').worldRotation = Quat(0, 0, 0, 0)", "cannot be a Quat of zeros");
    check_error("spawn{name = 'X', rotation = Quat(0, 0, 0, 0)}", "cannot be a Quat of zeros");
    check_error("spawn{name = 'X', TransformComponent = {rotation = {0, 0, 0, 0}}}",
                "cannot be four zeros");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(fields_are_read_by_the_names_of_files),
        BOTH(a_field_is_written),
        BOTH(a_choice_is_written_by_name),
        BOTH(angles_are_written_in_degrees),
        BOTH(ranges_are_checked),
        BOTH(the_check_of_a_table_is_called_before_a_write_is_accepted),
        BOTH(a_field_of_another_choice_is_refused),
        BOTH(an_object_of_fields_is_written_as_a_table),
        BOTH(unknown_components_and_fields_are_errors_with_a_suggestion),
        BOTH(wrong_types_are_refused),
        BOTH(a_component_that_is_not_there_is_nil),
        BOTH(a_component_is_added_with_values_at_once),
        BOTH(values_of_a_component_that_is_added_are_checked),
        BOTH(a_tag_is_added_and_removed),
        BOTH(a_component_is_removed_at_once),
        BOTH(a_handle_of_a_component_that_is_gone_is_an_error),
        BOTH(a_handle_of_an_object_that_is_gone_is_an_error),
        BOTH(every_type_of_field_goes_there_and_back),
        BOTH(numbers_that_do_not_fit_are_refused),
        BOTH(components_are_listed_by_name),
        BOTH(handles_of_the_same_component_are_equal),
        BOTH(structs_in_components_are_tables_and_arrays_of_them),
        BOTH(components_of_a_type_are_found_on_an_object_and_below),
        BOTH(rotations_are_made_units_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

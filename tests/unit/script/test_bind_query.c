/* Queries from scripts: objects and columns. */
#include "script_checks.h"

static void each_gives_the_objects_that_match(void **state)
{
    (void)state;
    cn_add(w.world, w.door, SceneLamp);
    check("local t = {} for o in query('LampComponent'):each() do t[#t + 1] = o.name end "
          "return table.concat(t, ' '), query('LampComponent'):count()",
          "Wheel Door\t2");
}

static void a_query_may_exclude_and_choose(void **state)
{
    (void)state;
    cn_add(w.world, w.door, SceneLamp);
    cn_add(w.world, w.door, ScriptAlarm);
    check("local function names(q) local t = {} for o in q:each() do t[#t + 1] = o.name end "
          "return table.concat(t, ' ') end "
          "return names(query{'LampComponent', none = {'ScriptAlarm'}}), "
          "names(query('LampComponent', {none = 'ScriptAlarm'})), "
          "names(query{'TransformComponent', any = {'LampComponent', 'ScriptAlarm'}})",
          "Wheel\tWheel\tWheel Door");
}

static void columns_are_read_and_written(void **state)
{
    (void)state;
    check(
        "local n = 0 for b in query('TransformComponent'):batches() do "
        "local x = b:column('TransformComponent', 'position.x') n = n + b.count "
        "for i = 1, b.count do x[i] = x[i] + i end b:set('TransformComponent', 'position.x', x) end return n",
        "3");
    float sum = 0;
    sum += cn_get(w.world, w.car, CnTransform)->position.x;
    sum += cn_get(w.world, w.wheel, CnTransform)->position.x;
    sum += cn_get(w.world, w.door, CnTransform)->position.x;
    assert_true(sum >= 3);
}

static void columns_of_components_laid_out_by_fields(void **state)
{
    (void)state;
    cn_set(w.world, w.car, ScriptSpeed, {1, 2});
    cn_set(w.world, w.door, ScriptSpeed, {3, 4});
    check(
        "local s = 0 for b in query('ScriptSpeed'):batches() do local y = b:column('ScriptSpeed', 'y') "
        "for i = 1, #y do s = s + y[i] y[i] = 10 end b:set('ScriptSpeed', 'y', y) end return s",
        "6");
    ScriptSpeed speed;
    assert_true(cn_read(w.world, w.door, ScriptSpeed, &speed));
    assert_float_equal(speed.x, 3, 0);
    assert_float_equal(speed.y, 10, 0);
}

static void a_column_goes_into_a_table_that_is_given(void **state)
{
    (void)state;
    check("local t = {} for b in query('LampComponent'):batches() do "
          "return rawequal(b:column('LampComponent', 'watts', t), t), t[1], b:object(1).name end",
          "true\t40\tWheel");
}

static void columns_of_other_types_are_values(void **state)
{
    (void)state;
    check(
        "for b in query('LampComponent'):batches() do return b:column('LampComponent', 'lampType')[1], "
        "b:column('LampComponent', 'shape.size')[1], b:column('LampComponent', 'shape.size.y')[1] end",
        "Bulb\tVec3(1, 1, 1)\t1");
    check(
        "for b in query('LampComponent'):batches() do b:set('LampComponent', 'lampType', {'Spot'}) end",
        "");
    assert_int_equal(cn_get(w.world, w.wheel, SceneLamp)->kind, 1);
}

static void columns_are_checked(void **state)
{
    (void)state;
    check_error(
        "for b in query('LampComponent'):batches() do b:set('LampComponent', 'watts', {1000}) end",
        "watts");
    check_error(
        "for b in query('LampComponent'):batches() do b:set('LampComponent', 'watts', {}) end",
        "watts");
    check_error("for b in query('TransformComponent'):batches() do "
                "b:set('TransformComponent', 'position.x', {0/0}) end",
                "not a finite number");
    check_error("for b in query('TransformComponent'):batches() do "
                "b:set('TransformComponent', 'position.x', {'1'}) end",
                "not a finite number");
    check_error(
        "for b in query('TransformComponent'):batches() do b:column('LampComponent', 'watts') end",
        "does not name LampComponent");
    check_error("for b in query('LampComponent'):batches() do b:column('LampComponent', 'foo') end",
                "no column 'foo'");
    check_error("for b in query('LampComponent'):batches() do b:object(2) end", "numbered 1 to 1");
    check_error("for b in query('LampComponent'):batches() do b:object(0/0) end",
                "numbered 1 to 1");
}

static void a_batch_is_good_only_in_its_loop(void **state)
{
    (void)state;
    check_error(
        "local kept for b in query('LampComponent'):batches() do kept = b end return kept.count",
        "this batch is no longer valid");
}

static void a_walk_that_is_kept_is_over_when_objects_came_or_went(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "Keeper",
                   "local walk, batch\n"
                   "function on_init() walk = query('TransformComponent'):batches() "
                   "batch = walk() spawn{name = 'New'} end\n"
                   "function on_update() n = (n or 0) + 1 if n == 2 then walk() end end");
    script_tick(&w, 2);
    check_failed(object, "objects or components were added or removed");
}

static void structure_may_not_change_in_a_loop_over_batches(void **state)
{
    (void)state;
    check_error(
        "for b in query('TransformComponent'):batches() do spawn{name = 'S'} b:object(1) end",
        "add and remove objects and components after the loop");
}

static void structure_may_change_during_a_loop(void **state)
{
    (void)state;
    check(
        "for o in query('TransformComponent'):each() do o:addComponent('ScriptAlarm') spawn{name = 'S'} end",
        "");
    check("return query('ScriptAlarm'):count(), query('TransformComponent'):count()", "3\t6");
}

static void queries_check_their_names(void **state)
{
    (void)state;
    check_error("query()", "at least one");
    check_error("query('LampComponet')", "did you mean 'LampComponent'?");
    check_error("query(5)", "no component named '5'");
    check_error("query{'LampComponent', none = 5}", "must be a name");
    check_error("query{{}}", "string expected");
    check_error("local t = {} for i = 1, 17 do t[i] = 'LampComponent' end query(t)",
                "more than 16");
}

static void a_tag_has_no_columns(void **state)
{
    (void)state;
    cn_add(w.world, w.door, ScriptAlarm);
    check_error("for b in query('ScriptAlarm'):batches() do b:column('ScriptAlarm', 'x') end",
                "no column 'x'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(each_gives_the_objects_that_match),
        BOTH(a_query_may_exclude_and_choose),
        BOTH(columns_are_read_and_written),
        BOTH(columns_of_components_laid_out_by_fields),
        BOTH(a_column_goes_into_a_table_that_is_given),
        BOTH(columns_of_other_types_are_values),
        BOTH(columns_are_checked),
        BOTH(a_batch_is_good_only_in_its_loop),
        BOTH(a_walk_that_is_kept_is_over_when_objects_came_or_went),
        BOTH(structure_may_not_change_in_a_loop_over_batches),
        BOTH(structure_may_change_during_a_loop),
        BOTH(queries_check_their_names),
        BOTH(a_tag_has_no_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

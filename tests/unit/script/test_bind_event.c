/* Events and timers of scripts. */
#include "script_checks.h"

static void an_event_of_the_world_is_sent_with_its_fields(void **state)
{
    (void)state;
    check("send('ScriptDamage', {target = getObject('Car'), amount = 5, kind = 'fire'})", "");
    CnChannel *channel = cn_channel(w.world, ScriptDamage);
    assert_int_equal(cn_event_count(channel), 1);
    const ScriptDamage *damage = cn_events(channel, ScriptDamage);
    assert_true(cn_entity_equal(damage->target, w.car));
    assert_string_equal(damage->kind, "fire");
}

static void an_event_of_the_world_is_received(void **state)
{
    (void)state;
    CnEntity object =
        check_script("subscribe('ScriptDamage', function(e) this.name = e.kind .. e.amount .. "
                     "e.target.name end)",
                     1);
    cn_send(cn_channel(w.world, ScriptDamage), ScriptDamage,
            {.target = w.car, .amount = 3, .kind = "ice"});
    script_tick(&w, 1);
    assert_string_equal(cn_object_name(w.world, object), "ice3Car");
}

static void a_signal_is_sent_and_received(void **state)
{
    (void)state;
    CnEntity object =
        check_script("subscribe('ScriptAlarm', function(e) this.name = 'alarmed' end)\n"
                     "function on_update() send('ScriptAlarm') end",
                     1);
    assert_string_equal(cn_object_name(w.world, object), "alarmed");
}

static void an_event_between_scripts_comes_in_the_same_tick(void **state)
{
    (void)state;
    CnEntity ear = script_add(&w, "Ear",
                              "subscribe('hello', function(e) this.name = e.text .. e.list[2] .. "
                              "tostring(e.v) .. e.o.name end)");
    script_add(&w, "Mouth",
               "function on_update() send('hello', {text = 'hi', list = {1, 2}, v = Vec3(1, 2, 3), "
               "o = getObject('Car')}) end");
    script_tick(&w, 1);
    assert_string_equal(cn_object_name(w.world, ear), "hi2Vec3(1, 2, 3)Car");
}

static void timers_and_events_come_to_objects_that_are_not_active(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A",
                                 "subscribe('wake', function() this.enabled = true end)\n"
                                 "function on_init() after(0.05, function() send('wake') end) end");
    script_tick(&w, 1);
    cn_object_set_enabled(w.world, object, false);
    script_tick(&w, 2);
    assert_false(cn_object_is_enabled(w.world, object));
    script_tick(&w, 2);
    assert_true(cn_object_is_active(w.world, object));
}

static void those_who_receive_share_no_table(void **state)
{
    (void)state;
    CnEntity a = script_add(&w, "A", "subscribe('x', function(e) e.n = e.n + 1 e.t.n = 9 end)");
    CnEntity b =
        script_add(&w, "B", "subscribe('x', function(e) this.name = e.n .. ' ' .. e.t.n end)");
    script_add(&w, "C", "function on_update() send('x', {n = 1, t = {n = 2}}) end");
    script_tick(&w, 1);
    assert_string_equal(script_error(&w, a), "");
    assert_string_equal(cn_object_name(w.world, b), "1 2");
}

static void handlers_may_send(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local n = 0\n"
                     "subscribe('a', function(e) n = n + 1 if e < 5 then send('a', e + 1) end "
                     "this.name = 'n' .. n end)\n"
                     "function on_init() send('a', 1) end",
                     1);
    assert_string_equal(cn_object_name(w.world, object), "n5");
}

static void a_flood_of_events_comes_to_an_end(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Flood",
                                 "subscribe('a', function(e) send('a', e) send('a', e) end)\n"
                                 "function on_init() send('a', ('x'):rep(1000)) end");
    script_tick(&w, 1);
    check_failed(object, "");
}

static void what_cannot_be_sent_is_an_error(void **state)
{
    (void)state;
    check_error("send('x', print)", "a function cannot be sent");
    check_error("send('x', {f = function() end})", "a function cannot be sent");
    check_error("local t = {} t.t = t send('x', t)", "levels deep");
    check_error("send('x', query('LampComponent'))", "a Query cannot be sent");
    check_error("send('x', ('x'):rep(20000000))", "");
    check_error("send('', 1)", "1 to 63 bytes");
    check_error("send(nil)", "string expected");
    check_error("send('ScriptDamage', {amont = 1})", "did you mean 'amount'?");
    check_error("send('ScriptDamage', {amount = 0/0})", "amount");
}

static void subscriptions_end(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local n = 0\n"
                     "local s = subscribe('a', function() n = n + 1 this.name = 'n' .. n end)\n"
                     "function on_update() send('a') if n == 2 then unsubscribe(s) end end",
                     5);
    assert_string_equal(cn_object_name(w.world, object), "n2");
}

static void subscriptions_go_with_their_object(void **state)
{
    (void)state;
    CnEntity ear =
        script_add(&w, "Ear", "subscribe('a', function() getObject('Car').name = 'Heard' end)");
    script_add(&w, "Mouth",
               "function on_update() n = (n or 0) + 1 if n == 3 then send('a') end end");
    script_tick(&w, 1);
    cn_destroy(w.world, ear);
    script_tick(&w, 3);
    assert_string_equal(cn_object_name(w.world, w.car), "Car");
}

static void a_handler_that_fails_disables_its_script_only(void **state)
{
    (void)state;
    CnEntity bad = script_add(&w, "Bad", "subscribe('a', function() error('no') end)");
    CnEntity good = script_add(&w, "Good", "subscribe('a', function() this.name = 'heard' end)");
    script_add(&w, "Mouth", "function on_update() send('a') end");
    script_tick(&w, 1);
    check_failed(bad, "no");
    assert_string_equal(cn_object_name(w.world, good), "heard");
}

static void a_console_cannot_subscribe(void **state)
{
    (void)state;
    check_error("subscribe('a', print)", "only scripts of objects");
    check_error("after(1, print)", "only scripts of objects");
}

static void after_calls_once_after_so_many_ticks(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local n = 0\n"
                     "function on_init() after(3 / 60, function() n = n + 1 this.name = 't' .. "
                     "time.tick .. 'n' .. n end) end",
                     10);
    assert_string_equal(cn_object_name(w.world, object), "t3n1");
}

static void every_calls_again_and_again_until_it_is_cancelled(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local n, id = 0\n"
                     "function on_init() id = every(2 / 60, function() n = n + 1 this.name = "
                     "'n' .. n if n == 3 then cancel(id) end end) end",
                     20);
    assert_string_equal(cn_object_name(w.world, object), "n3");
}

static void timers_run_in_order_of_time_then_of_making(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local s = 'x'\n"
                     "local function say(c) return function() s = s .. c this.name = s end end\n"
                     "function on_init() after(.1, say('d')) after(.05, say('b')) after(.05, "
                     "say('c')) after(0, say('a')) end",
                     10);
    assert_string_equal(cn_object_name(w.world, object), "xabcd");
}

static void timers_go_with_their_object(void **state)
{
    (void)state;
    CnEntity object = script_add(
        &w, "Bomb",
        "function on_init() after(.1, function() getObject('Car').name = 'Boom' end) end");
    script_tick(&w, 2);
    cn_destroy(w.world, object);
    script_tick(&w, 10);
    assert_string_equal(cn_object_name(w.world, w.car), "Car");
}

static void timers_check_what_they_get(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "T", "function on_init() after(-1, print) end");
    script_tick(&w, 1);
    check_failed(object, "between 0 and a billion");
    object = script_add(&w, "U", "function on_init() after(0/0, print) end");
    script_tick(&w, 1);
    check_failed(object, "between 0 and a billion");
    object = script_add(&w, "V", "function on_init() every(1, 5) end");
    script_tick(&w, 1);
    check_failed(object, "function expected");
}

static void structs_in_an_event_are_tables(void **state)
{
    (void)state;
    CnEntity object =
        check_script("subscribe('SceneNested', function(e) this.name = "
                     "e.spread.lo .. ' ' .. e.slots[3].wear.hi .. ' ' .. #e.slots end)",
                     1);
    cn_send(cn_channel(w.world, SceneNested), SceneNested,
            {.spread = {1, 2}, .slots[2] = {9, {10, 11}}});
    script_tick(&w, 1);
    assert_string_equal(cn_object_name(w.world, object), "1 11 3");
}

static void what_a_handler_moves_has_its_world_matrix_in_the_same_tick(void **state)
{
    (void)state;
    CnEntity object = check_script("subscribe('go', function() this.position = Vec3(7, 8, 9) end)\n"
                                   "function on_update() send('go') end",
                                   1);
    const CnWorldTransform *transform = cn_get(w.world, object, CnWorldTransform);
    assert_float_equal(transform->matrix.m[0][3], 7, 0);
    assert_float_equal(transform->matrix.m[2][3], 9, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(an_event_of_the_world_is_sent_with_its_fields),
        BOTH(an_event_of_the_world_is_received),
        BOTH(a_signal_is_sent_and_received),
        BOTH(an_event_between_scripts_comes_in_the_same_tick),
        BOTH(timers_and_events_come_to_objects_that_are_not_active),
        BOTH(those_who_receive_share_no_table),
        BOTH(handlers_may_send),
        BOTH(a_flood_of_events_comes_to_an_end),
        BOTH(what_cannot_be_sent_is_an_error),
        BOTH(subscriptions_end),
        BOTH(subscriptions_go_with_their_object),
        BOTH(a_handler_that_fails_disables_its_script_only),
        BOTH(a_console_cannot_subscribe),
        BOTH(after_calls_once_after_so_many_ticks),
        BOTH(every_calls_again_and_again_until_it_is_cancelled),
        BOTH(timers_run_in_order_of_time_then_of_making),
        BOTH(timers_go_with_their_object),
        BOTH(timers_check_what_they_get),
        BOTH(structs_in_an_event_are_tables),
        BOTH(what_a_handler_moves_has_its_world_matrix_in_the_same_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

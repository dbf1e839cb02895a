/* Subscriptions with a filter: only matching events reach the handler. */
#include "script_checks.h"

static const char *name_of(CnEntity object)
{
    return cn_object_name(w.world, object);
}

static void only_events_with_the_value_come(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local n = 0 subscribe('hit', {target = this}, function(e) n = n + e.amount "
        "this.name = 'n' .. n end)\n"
        "function on_update() send('hit', {target = getObject('Car'), amount = 100}) "
        "send('hit', {target = this, amount = 1}) send('hit', {amount = 100}) send('hit', 100) end",
        2);
    assert_string_equal(name_of(object), "n2");
}

static void numbers_texts_and_booleans_can_be_compared(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local s = ''\n"
        "subscribe('e', {kind = 'fire'}, function() s = s .. 'f' end)\n"
        "subscribe('e', {level = 0}, function() s = s .. '0' end)\n"
        "subscribe('e', {yes = true}, function() s = s .. 'y' end)\n"
        "function on_update() send('e', {kind = 'ice', level = -0, yes = false}) "
        "send('e', {kind = 'fire', level = 1, yes = true}) send('e', {kind = 0, yes = 'true'}) "
        "send('end') end\n"
        "subscribe('end', function() this.name = s end)",
        1);
    assert_string_equal(name_of(object), "0fy");
}

static void receivers_with_and_without_filter_keep_their_order(void **state)
{
    (void)state;
    CnEntity object =
        check_script("local s = ''\n"
                     "subscribe('e', function() s = s .. 1 end)\n"
                     "subscribe('e', {a = 1}, function() s = s .. 2 end)\n"
                     "subscribe('e', function() s = s .. 3 end)\n"
                     "subscribe('e', {b = 2}, function() s = s .. 4 end)\n"
                     "subscribe('e', {a = 1}, function() s = s .. 5 this.name = 's' .. s end)\n"
                     "function on_init() send('e', {a = 1, b = 2}) end",
                     1);
    assert_string_equal(name_of(object), "s12345");
}

static void events_of_the_world_are_filtered(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local s = '' subscribe('ScriptDamage', {kind = 'ice'}, function(e) s = s .. e.amount "
        "this.name = 's' .. s end)\n"
        "subscribe('ScriptDamage', {target = getObject('Car')}, function(e) s = s .. 'c' end)",
        1);
    CnChannel *channel = cn_channel(w.world, ScriptDamage);
    cn_send(channel, ScriptDamage, {.target = w.car, .amount = 1, .kind = "fire"});
    cn_send(channel, ScriptDamage, {.target = w.door, .amount = 2, .kind = "ice"});
    cn_send(channel, ScriptDamage, {.target = w.door, .amount = 3, .kind = "fire"});
    script_tick(&w, 1);
    assert_string_equal(name_of(object), "sc2");
}

static void a_message_to_an_object_is_filtered_too(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local n = 0 subscribe('hit', {kind = 'fire'}, function() n = n + 1 this.name = 'n' .. n "
        "end)\nfunction on_init() send(this, 'hit', {kind = 'ice'}) "
        "send(this, 'hit', {kind = 'fire'}) end",
        1);
    assert_string_equal(name_of(object), "n1");
}

static void filters_end(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local n, ids = 0, {}\n"
        "for i = 1, 100 do ids[i] = subscribe('e', {key = i % 10}, function() n = n + 1 "
        "this.name = 'n' .. n end) end\n"
        "function on_init() for i = 1, 100 do if i ~= 37 and i ~= 47 then unsubscribe(ids[i]) end "
        "end end\nfunction on_update() send('e', {key = 7}) send('e', {key = 8}) end",
        3);
    assert_string_equal(name_of(object), "n6");
    CnEntity ear =
        script_add(&w, "Ear", "subscribe('e', {key = 7}, function() this.name = 'x' end)");
    cn_destroy(w.world, ear);
    script_tick(&w, 2);
}

static void many_keys_are_found(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "local n = 0\n"
        "for i = 1, 3000 do subscribe('e', {key = i}, function(e) assert(e.key == i) n = n + 1 "
        "this.name = 'n' .. n end) end\n"
        "function on_update() for i = 1, 3000, 10 do send('e', {key = i}) end end",
        1);
    assert_string_equal(name_of(object), "n300");
}

static void wrong_filters_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *filter, *part;
    } rows[] = {{"{}", "one field"},          {"{a = 1, b = 2}", "one field"},
                {"{1}", "one field"},         {"{a = {}}", "compares"},
                {"{a = 0/0}", "compares"},    {"{a = print}", "compares"},
                {"{a = Vec3()}", "compares"}, {"{[('a'):rep(40)] = 1}", "1 to 31 bytes"}};
    for (uint32_t i = 0; i < CN_COUNT_OF(rows); i++) {
        char code[128];
        cn_format(code, sizeof code, "subscribe('e', %s, function() end)", rows[i].filter);
        CnEntity object = script_add(&w, "A", code);
        script_tick(&w, 1);
        check_failed(object, rows[i].part);
    }
}

static void a_channel_has_only_its_fields(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "subscribe('ScriptDamage', {kid = 1}, function() end)");
    script_tick(&w, 1);
    check_failed(object, "have no field 'kid'");
}

static void the_fields_of_one_event_are_few(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "A", "for i = 1, 5 do subscribe('e', {['f' .. i] = 1}, function() end) end");
    script_tick(&w, 1);
    check_failed(object, "at most 4 different fields");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(only_events_with_the_value_come),
        BOTH(numbers_texts_and_booleans_can_be_compared),
        BOTH(receivers_with_and_without_filter_keep_their_order),
        BOTH(events_of_the_world_are_filtered),
        BOTH(a_message_to_an_object_is_filtered_too),
        BOTH(filters_end),
        BOTH(many_keys_are_found),
        BOTH(wrong_filters_are_errors),
        BOTH(a_channel_has_only_its_fields),
        BOTH(the_fields_of_one_event_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scripts of one owner that use up what they may use take nothing from other owners. */
#include "cmocka_tests.h"
#include "script_owners.h"

#include <cairn/sim/replay.h>
#include <string.h>

static ScriptOwners w;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    CnScriptDesc limits = {.instructions_per_call = 200000, .instructions_per_tick = 600000};
    return script_owners_init(&w, &limits) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_owners_fini(&w);
    return 0;
}

static CnScriptOwnerStats owner(const char *name)
{
    CnScriptOwnerStats owners[8];
    uint32_t count = cn_script_owners(w.world.world, owners, 8);
    for (uint32_t i = 0; i < count && i < 8; i++)
        if (!strcmp(owners[i].name, name))
            return owners[i];
    return (CnScriptOwnerStats){0};
}

/* 20,000 subscriptions and one message with many tables. */
static void unpacking_events_is_charged(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    script_owners_add(&w, "mods://events/a.lua",
                      "local n = 0 function on_update() "
                      "for i = 1, 500 do n = n + 1 subscribe('X', function() end) end "
                      "local t = {} for i = 1, 500 do t[i] = {} end pcall(send, 'X', t) end");
    assert_true(script_owners_tick(&w, 30));
    assert_string_equal(script_owners_victim(&w), "30 30 29");
    CnScriptOwnerStats stats = owner("mods://events");
    assert_true(stats.tick_instructions < 1000000);
    assert_true(stats.deferred_events > 0);
}

/* Each call stays below its limit, and the calls of a tick add up. */
static void comparisons_of_long_strings_are_charged(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    CnEntity object =
        script_owners_add(&w, "mods://compare/a.lua",
                          "local x = ('x'):rep(100000) local a, b = x .. 'a', x .. 'b'\n"
                          "function on_update() for i = 1, 3000 do local c = a < b end end");
    assert_true(script_owners_tick(&w, 3));
    assert_int_equal(cn_script_status(w.world.world, object), CN_SCRIPT_FAILED);
    assert_string_equal(script_owners_victim(&w), "3 3 2");
}

static void one_comparison_of_long_strings_is_harmless(void **state)
{
    (void)state;
    CnEntity object =
        script_owners_add(&w, "mods://compare/a.lua",
                          "local x = ('x'):rep(20000) local a, b = x .. 'a', x .. 'b'\n"
                          "function on_update() if not (a < b) then error('wrong') end end");
    assert_true(script_owners_tick(&w, 60));
    assert_int_equal(cn_script_status(w.world.world, object), CN_SCRIPT_RUNNING);
}

static void concatenations_that_allocate_nothing_are_charged(void **state)
{
    (void)state;
    CnEntity object =
        script_owners_add(&w, "mods://join/a.lua",
                          "local a = ('x'):rep(100000) local kept = a .. 'y'\n"
                          "function on_update() for i = 1, 5000 do local c = a .. 'y' end end");
    assert_true(script_owners_tick(&w, 3));
    assert_int_equal(cn_script_status(w.world.world, object), CN_SCRIPT_FAILED);
}

static void keys_that_make_a_large_table_count_again_are_charged(void **state)
{
    (void)state;
    CnEntity object = script_owners_add(
        &w, "mods://rehash/a.lua",
        "local t, keys = {}, {} for i = 1, 64 do keys[i] = 'k' .. i end\n"
        "function on_update() if #t < 60000 then for i = 1, 5000 do t[#t + 1] = i end t.x = 1 else "
        "for i = 1, 5000 do local k = keys[i % 64 + 1] t[k] = 1 t[k] = nil end end end");
    assert_true(script_owners_tick(&w, 40));
    assert_int_equal(cn_script_status(w.world.world, object), CN_SCRIPT_FAILED);
}

/* A flood of messages neither fills the queue of trusted scripts nor delays theirs. */
static void trusted_scripts_send_while_a_mod_floods(void **state)
{
    (void)state;
    CnEntity honest = script_owners_add(
        &w, "trusted://honest.lua",
        "subscribe('Ping', function(e) this.position = this.position + Vec3(0, 1, 0) end)\n"
        "function on_update() send('Score', {points = 1}) send('Ping', {1}) end");
    script_owners_add(
        &w, "mods://flood/a.lua",
        "subscribe('F', function() end) subscribe('Score', function() while true do end end)\n"
        "local s = ('y'):rep(10000) function on_update() "
        "for i = 1, 200 do pcall(send, 'F', s) pcall(send, 'Ping', s) end end");
    assert_true(script_owners_tick(&w, 20));
    assert_int_equal(cn_script_status(w.world.world, honest), CN_SCRIPT_RUNNING);
    const CnTransform *at = cn_get(w.world.world, honest, CnTransform);
    assert_true(at->position.y >= 20);
}

static void a_flood_delays_only_itself(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    script_owners_add(
        &w, "mods://flood/a.lua",
        "function on_update() for i = 1, 2000 do pcall(send, 'victim.tick', 1) end end");
    script_owners_add(&w, "mods://other/a.lua", "function on_update() send('victim.tick', 1) end");
    assert_true(script_owners_tick(&w, 20));
    const CnTransform *at = cn_get(w.world.world, w.objects[0], CnTransform);
    assert_true(at->position.x == 20 && at->position.z == 19);
    assert_true(at->position.y >= 40); /* its own and those of the third owner */
    assert_int_equal(owner("mods://victim").skipped_calls, 0);
}

static void queries_of_a_mod_leave_room_for_trusted_ones(void **state)
{
    (void)state;
    CnEntity honest = script_owners_add(
        &w, "trusted://asks.lua",
        "function on_update() for o in query('TransformComponent'):each() do end end");
    CnEntity mod = script_owners_add(
        &w, "mods://queries/a.lua",
        "local names = {'LampComponent', 'ScriptComponent', 'TransformComponent', "
        "'EveryComponent'}\n"
        "local kept, n = {}, 0\n"
        "function on_update() for k = 1, 30 do "
        "local all, none, any, x = {'TransformComponent'}, {}, {}, n n = n + 1 for i = 1, 3 do local d = x % 4 x = math.floor(x / 4) if d == 1 then "
        "all[#all + 1] = names[i] elseif d == 2 then none[#none + 1] = names[i] elseif d == 3 then "
        "any[#any + 1] = names[i] end end local t = {none = none} if #any > 0 then t.any = any end "
        "all[#all + 1] = t local ok, q = pcall(query, unpack(all)) if ok then kept[#kept + 1] = q "
        "end end end");
    assert_true(script_owners_tick(&w, 30));
    assert_int_equal(cn_script_status(w.world.world, honest), CN_SCRIPT_RUNNING);
    assert_int_equal(cn_script_status(w.world.world, mod), CN_SCRIPT_RUNNING);
    assert_true(cn_world_stats(w.world.world).queries < 1000);
}

/* Names are released with their last subscription: more than 1,024 objects, one after the other. */
static void names_of_events_are_released(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1500; i++) {
        w.count = 0;
        CnEntity object = script_owners_add(&w, "mods://unique/a.lua",
                                            "subscribe('damage:' .. this.uid, function() end)");
        assert_true(script_owners_tick(&w, 1));
        assert_int_equal(cn_script_status(w.world.world, object), CN_SCRIPT_RUNNING);
        cn_destroy(w.world.world, object);
    }
}

/* 100 hits for 300 receivers: what does not fit into a tick comes in the next ones. */
static void events_that_do_not_fit_arrive_later(void **state)
{
    (void)state;
    CnEntity target =
        script_owners_add(&w, "mods://hits/a.lua",
                          "for i = 1, 200 do subscribe('Hit', function(e) if e.n == i then "
                          "this.position = this.position + Vec3(1, 0, 0) end end) end");
    script_owners_add(&w, "mods://hits/gun.lua",
                      "function on_update() if time.tick < 2 then for i = 1, 100 do "
                      "send('Hit', {n = i}) end end end");
    assert_true(script_owners_tick(&w, 2));
    assert_true(owner("mods://hits").deferred_events > 0);
    assert_true(script_owners_tick(&w, 60));
    const CnTransform *at = cn_get(w.world.world, target, CnTransform);
    assert_true(at->position.x == 100 || at->position.x == 200);
    assert_int_equal(owner("mods://hits").lost_events, 0);
}

static void timers_that_do_not_fit_are_called_later(void **state)
{
    (void)state;
    CnEntity object = script_owners_add(
        &w, "mods://timers/a.lua",
        "function on_init() for i = 1, 40 do after(0, function() for j = 1, 20000 do end "
        "this.position = this.position + Vec3(1, 0, 0) end) end end");
    assert_true(script_owners_tick(&w, 2));
    const CnTransform *at = cn_get(w.world.world, object, CnTransform);
    assert_in_range((int)at->position.x, 5, 39);
    assert_true(script_owners_tick(&w, 10));
    assert_int_equal((int)cn_get(w.world.world, object, CnTransform)->position.x, 40);
}

/* 5,000 lookups of siblings by path cost what they cost, on every machine. */
static void lookups_by_path_are_charged_by_what_they_look_at(void **state)
{
    (void)state;
    CnEntity root = cn_object(w.world.world, "r");
    for (uint32_t i = 0; i < 5000; i++) {
        char name[16];
        cn_format(name, sizeof name, "c%u", i);
        cn_object(w.world.world, name, .parent = root);
    }
    CnEntity object = script_owners_add(
        &w, "mods://finder/a.lua",
        "function on_update() for i = 0, 1500 do if not getObject('r/c' .. i + 3000) then "
        "error('missing') end end end");
    assert_true(script_owners_tick(&w, 3));
    assert_string_equal(script_error(&w.world, object), "");
}

static void siblings_with_one_name_are_found_in_order(void **state)
{
    (void)state;
    CnEntity root = cn_object(w.world.world, "r"), other = cn_object(w.world.world, "other");
    cn_object(w.world.world, "first", .parent = root);
    CnEntity same[3];
    for (uint32_t i = 0; i < 3; i++)
        same[i] = cn_object(w.world.world, "same", .parent = root);
    cn_object(w.world.world, "same", .parent = other);
    assert_true(cn_entity_equal(cn_object_find(w.world.world, "r/same"), same[0]));
    assert_true(cn_entity_equal(cn_object_child(w.world.world, root, "same"), same[0]));
    assert_int_equal(cn_object_find(w.world.world, "r/none").id, 0);
    assert_int_equal(cn_object_find(w.world.world, "other/first").id, 0);
}

static void a_message_to_an_object_comes_to_its_script_only(void **state)
{
    (void)state;
    const char *receiver =
        "subscribe('hit', function(e) this.position = this.position + Vec3(e, 0, "
        "0) end)";
    CnEntity a = script_owners_add(&w, "mods://one/a.lua", receiver);
    CnEntity b = script_owners_add(&w, "mods://two/a.lua", receiver);
    script_owners_add(&w, "mods://gun/a.lua",
                      "function on_update() send(getObject('Owner1'), 'hit', 3) end");
    assert_true(script_owners_tick(&w, 2));
    assert_int_equal((int)cn_get(w.world.world, a, CnTransform)->position.x, 0);
    assert_int_equal((int)cn_get(w.world.world, b, CnTransform)->position.x, 6);
}

static void a_call_returns_results_within_one_owner(void **state)
{
    (void)state;
    CnEntity object =
        script_owners_add(&w, "mods://one/a.lua",
                          "function on_update() local a, b = getObject('Owner1'):call('add', 2, 3) "
                          "this.position = Vec3(a, b, 0) end");
    script_owners_add(&w, "mods://one/b.lua",
                      "function add(a, b) this.state.n = (this.state.n or 0) + 1 "
                      "return a + b, this.state.n end");
    assert_true(script_owners_tick(&w, 3));
    assert_string_equal(script_error(&w.world, object), "");
    const CnTransform *at = cn_get(w.world.world, object, CnTransform);
    assert_true(at->position.x == 5 && at->position.y == 3);
}

static void a_call_to_another_owner_is_an_error(void **state)
{
    (void)state;
    CnEntity object = script_owners_add(&w, "mods://one/a.lua",
                                        "function on_update() getObject('Owner1'):call('f') end");
    script_owners_add(&w, "mods://two/b.lua", "function f() end");
    assert_true(script_owners_tick(&w, 2));
    assert_non_null(strstr(script_error(&w.world, object), "calls stay within one owner"));
}

static void a_call_without_a_function_is_an_error(void **state)
{
    (void)state;
    CnEntity object =
        script_owners_add(&w, "mods://one/a.lua", "function on_update() this:call('missing') end");
    assert_true(script_owners_tick(&w, 2));
    assert_non_null(strstr(script_error(&w.world, object), "has no function 'missing'"));
}

static void calls_that_call_each_other_end(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    script_owners_add(&w, "mods://one/a.lua",
                      "function f() return getObject('Owner2'):call('f') end on_update = f");
    script_owners_add(&w, "mods://one/b.lua",
                      "function f() return getObject('Owner1'):call('f') end");
    assert_true(script_owners_tick(&w, 5));
    assert_string_equal(script_owners_victim(&w), "5 5 4");
}

/* The watchdog is the last resort, and says so. */
static void the_watchdog_marks_the_run_and_its_recording(void **state)
{
    (void)state;
    script_owners_fini(&w);
    CnScriptDesc limits = {.instructions_per_call = UINT64_MAX / 4,
                           .instructions_per_tick = UINT64_MAX / 4,
                           .watchdog_ms = 20};
    assert_true(script_owners_init(&w, &limits));
    CnRecorder *recorder = cn_recorder_create(w.world.sim, NULL, NULL);
    assert_non_null(recorder);
    CnEntity object =
        script_owners_add(&w, "mods://loop/a.lua", "function on_update() while true do end end");
    assert_null(cn_sim_not_reproducible(w.world.sim));
    assert_true(script_owners_tick(&w, 1));
    assert_non_null(strstr(script_error(&w.world, object), "the watchdog stopped mods://loop"));
    assert_non_null(cn_sim_not_reproducible(w.world.sim));
    assert_int_equal(cn_script_stats(w.world.world).watchdog_stops, 1);
    assert_true(cn_recorder_finish(recorder, NULL));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    assert_int_equal(cn_replay_attachment_count(replay), 1);
    assert_true(cn_text_equal(cn_replay_attachment_name(replay, 0), cn_text(CN_NOT_REPRODUCIBLE)));
    cn_replay_close(replay);
    cn_recorder_destroy(recorder);
}

static void a_run_without_the_watchdog_is_not_marked(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://loop/a.lua", "function on_update() while true do end end");
    assert_true(script_owners_tick(&w, 5));
    assert_null(cn_sim_not_reproducible(w.world.sim));
    assert_int_equal(cn_script_stats(w.world.world).watchdog_stops, 0);
}

#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(unpacking_events_is_charged),
        FACT(comparisons_of_long_strings_are_charged),
        FACT(one_comparison_of_long_strings_is_harmless),
        FACT(concatenations_that_allocate_nothing_are_charged),
        FACT(keys_that_make_a_large_table_count_again_are_charged),
        FACT(trusted_scripts_send_while_a_mod_floods),
        FACT(a_flood_delays_only_itself),
        FACT(queries_of_a_mod_leave_room_for_trusted_ones),
        FACT(names_of_events_are_released),
        FACT(events_that_do_not_fit_arrive_later),
        FACT(timers_that_do_not_fit_are_called_later),
        FACT(lookups_by_path_are_charged_by_what_they_look_at),
        FACT(siblings_with_one_name_are_found_in_order),
        FACT(a_message_to_an_object_comes_to_its_script_only),
        FACT(a_call_returns_results_within_one_owner),
        FACT(a_call_to_another_owner_is_an_error),
        FACT(a_call_without_a_function_is_an_error),
        FACT(calls_that_call_each_other_end),
        FACT(the_watchdog_marks_the_run_and_its_recording),
        FACT(a_run_without_the_watchdog_is_not_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

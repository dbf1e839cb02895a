/* What the engine keeps for owners of scripts survives a restore: a restored world goes on exactly
 * as one that was never interrupted, also while owners are over their budgets. */
#include "cmocka_tests.h"
#include "script_owners.h"

#include "sim/sim_internal.h"

#include <string.h>

#define TICKS 24u
#define MORE 8u

static const CnScriptDesc limits = {
    .memory_bytes = 16u << 20, .instructions_per_call = 100000, .instructions_per_tick = 200000};

typedef struct Part {
    const char *path, *code;
} Part;

static ScriptOwners w, other;

static void set_files(ScriptOwners *into, const Part *parts)
{
    for (uint32_t i = 0; parts[i].path; i++)
        memory_files_set(&into->world.files, parts[i].path, parts[i].code);
}

static void carry(const CnSnapshot *snapshot, ScriptOwners *into, const Part *parts)
{
    CnError error = {0};
    assert_true(script_owners_init(into, &limits));
    set_files(into, parts);
    if (!cn_sim_restore(into->world.sim, snapshot->bytes, snapshot->size, &error))
        fail_msg("%s", error.message);
}

/* Runs the scripts without interruption, and from a save of each tick. */
static void check_all_ticks(const Part *parts)
{
    uint64_t hashes[TICKS + MORE];
    CnSnapshot saves[TICKS];
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(script_owners_init(&w, &limits));
    for (uint32_t i = 0; parts[i].path; i++)
        script_owners_add(&w, parts[i].path, parts[i].code);
    for (uint32_t i = 0; i < TICKS + MORE; i++) {
        assert_true(script_owners_tick(&w, 1));
        hashes[i] = cn_sim_hash(w.world.sim);
        if (i < TICKS)
            assert_true(cn_sim_save(w.world.sim, &saves[i], NULL));
    }
    assert_int_equal(cn_script_stats(w.world.world).failed, 0);
    script_owners_fini(&w);
    for (uint32_t i = 0; i < TICKS; i++) {
        carry(&saves[i], &other, parts);
        for (uint32_t k = 1; k <= MORE; k++) {
            assert_true(script_owners_tick(&other, 1));
            if (cn_sim_hash(other.world.sim) != hashes[i + k])
                fail_msg("a restore after tick %u differs %u ticks later", i + 1, k);
        }
        script_owners_fini(&other);
        cn_snapshot_free(&saves[i]);
    }
}

/* More receivers than the tick allows: each event waits somewhere in the middle of them. */
static const char many_receivers[] =
    "for i = 1, 40 do subscribe('own', function(e) for k = 1, 500 do end "
    "this.position = this.position + Vec3(e[1], i, 0) end) end\n"
    "function on_update() this.state.n = (this.state.n or 0) + 1 "
    "if this.state.n % 3 == 1 then for i = 1, 6 do send('own', {i, 'x', {this}}) end end end";

static void events_that_wait_are_delivered_where_they_were(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){{"mods://one/a.lua", many_receivers}, {0}});
}

static void events_of_other_owners_wait_with_their_sender(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){
        {"mods://one/a.lua", many_receivers},
        {"mods://two/a.lua", "function on_update() for i = 1, 3 do send('own', {i * 100}) end end"},
        {"trusted://c.lua", "function on_update() send('own', {1000}) end"},
        {0}});
}

static void events_of_channels_that_wait_are_kept(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){
        {"mods://one/a.lua",
         "for i = 1, 60 do subscribe('ScriptDamage', function(e) for k = 1, 900 do end "
         "this.position = this.position + Vec3(e.amount, i, #e.kind) end) end\n"
         "subscribe('ScriptAlarm', function() this.position = this.position * 2 end)"},
        {"mods://two/a.lua",
         "function on_update() send('ScriptAlarm') "
         "send('ScriptDamage', {amount = 3, kind = 'fire', target = this}) end"},
        {0}});
}

static void timers_of_bodies_go_on(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){
        {"mods://one/a.lua",
         "every(0.05, function() this.position = this.position + Vec3(1, 0, 0) end)\n"
         "after(0.1, function() this.position = this.position + Vec3(0, 1, 0) end)\n"
         "local t = every(0.03, function() this.position = this.position + Vec3(0, 0, 1) end)\n"
         "after(0.2, function() cancel(t) end)\n"},
        {"mods://two/a.lua", "for i = 1, 30 do every(0.02, function() for k = 1, 4000 do end "
                             "this.position = this.position + Vec3(1, i, 0) end) end"},
        {0}});
}

static void subscriptions_that_ended_do_not_come_back(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){
        {"mods://one/a.lua",
         "local n = subscribe('x', function() this.position = this.position + Vec3(1, 0, 0) end)\n"
         "subscribe('x', function() this.position = this.position + Vec3(0, 1, 0) end)\n"
         "after(0.15, function() unsubscribe(n) end)\n"
         "function on_update() send('x') end"},
        {0}});
}

/* The first receiver in the list is one whose object has a higher id. */
static void receivers_keep_their_order(void **state)
{
    (void)state;
    static const char late[] = "subscribe('x', function() getObject('Owner0').position = "
                               "getObject('Owner0').position * 2 + Vec3(1, 0, 0) end)";
    static const char early[] = "subscribe('x', function() getObject('Owner0').position = "
                                "getObject('Owner0').position * 3 + Vec3(2, 0, 0) end)";
    const Part parts[] = {{"mods://one/c.lua", "function on_update() send('x') end"},
                          {"mods://one/a.lua", late},
                          {"mods://one/b.lua", early},
                          {0}};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(script_owners_init(&w, &limits));
    for (uint32_t i = 0; i < 3; i++)
        script_owners_add(&w, parts[i].path, parts[i].code);
    cn_object_set_enabled(w.world.world, w.objects[1], false);
    assert_true(script_owners_tick(&w, 2));
    cn_object_set_enabled(w.world.world, w.objects[1], true);
    assert_true(script_owners_tick(&w, 2));
    CnSnapshot snapshot;
    assert_true(cn_sim_save(w.world.sim, &snapshot, NULL));
    carry(&snapshot, &other, parts);
    assert_true(script_owners_tick(&w, 3) && script_owners_tick(&other, 3));
    assert_int_equal(cn_sim_hash(w.world.sim), cn_sim_hash(other.world.sim));
    cn_snapshot_free(&snapshot);
    script_owners_fini(&w);
    script_owners_fini(&other);
}

static void random_numbers_go_on(void **state)
{
    (void)state;
    check_all_ticks((const Part[]){
        {"mods://one/a.lua", "function on_update() this.position = Vec3(random(), 0, 0) end"},
        {"mods://two/a.lua", "function on_update() this.position = Vec3(random(100), 0, 0) end"},
        {"trusted://c.lua", "function on_update() this.position = Vec3(random(), 1, 0) end"},
        {0}});
}

static void the_objects_of_an_owner_are_counted_on(void **state)
{
    (void)state;
    static const CnScriptDesc wide = {.instructions_per_call = 40000000,
                                      .instructions_per_tick = 40000000};
    static const char code[] =
        "function on_update() local n = 0 for i = 1, 11000 do "
        "if not pcall(spawn, {}) then break end n = n + 1 end this.position = Vec3(n, 0, 0) end";
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(script_owners_init(&w, &wide) && script_owners_init(&other, &wide));
    script_owners_add(&w, "mods://one/a.lua", code);
    memory_files_set(&other.world.files, "mods://one/a.lua", code);
    assert_true(script_owners_tick(&w, 1));
    CnSnapshot snapshot;
    assert_true(cn_sim_save(w.world.sim, &snapshot, NULL));
    assert_true(cn_sim_restore(other.world.sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(script_owners_tick(&other, 1));
    const CnTransform *transform = cn_get(other.world.world, w.objects[0], CnTransform);
    assert_true(transform->position.x == 9000);
    script_owners_fini(&w);
    script_owners_fini(&other);
}

/* ---- Other bytes ---- */

static const CnStateSection *section_of(ScriptOwners *from)
{
    for (uint32_t i = 0; i < from->world.sim->sections.count; i++)
        if (!strcmp(from->world.sim->sections.items[i].name, "ScriptOwners"))
            return &from->world.sim->sections.items[i];
    fail_msg("there is no section of owners");
    return NULL;
}

static void fill_with_waiting(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(script_owners_init(&w, &limits));
    script_owners_add(&w, "mods://one/a.lua", many_receivers);
    script_owners_add(&w, "mods://two/a.lua",
                      "subscribe('ScriptDamage', function() end) every(1, function() end)\n"
                      "function on_update() send('own', {random(), Vec3(1, 2, 3)}) spawn{} end");
    assert_true(script_owners_tick(&w, 2));
}

static void states_of_older_versions_have_no_owners(void **state)
{
    (void)state;
    fill_with_waiting();
    const CnStateSection *section = section_of(&w);
    assert_true(section->restore(section->user, NULL, 0, NULL));
    assert_true(script_owners_tick(&w, 2));
    script_owners_fini(&w);
}

static void without_scripts_nothing_is_saved(void **state)
{
    (void)state;
    CnU8Array bytes;
    assert_true(script_owners_init(&w, &limits));
    cn_array_init(&bytes, NULL);
    const CnStateSection *section = section_of(&w);
    assert_true(section->save(section->user, &bytes, NULL));
    assert_int_equal(bytes.count, 0);
    cn_array_fini(&bytes);
    script_owners_fini(&w);
}

static void damaged_bytes_are_refused_or_harmless(void **state)
{
    (void)state;
    CnU8Array bytes;
    fill_with_waiting();
    const CnStateSection *section = section_of(&w);
    cn_array_init(&bytes, NULL);
    assert_true(section->save(section->user, &bytes, NULL));
    assert_true(bytes.count > 500);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < bytes.count; i++) {
        CnError error = {0};
        bytes.items[i] ^= 0x45;
        if (!section->restore(section->user, bytes.items, bytes.count, &error)) {
            assert_int_not_equal(error.code, 0);
            refused++;
        }
        assert_true(script_owners_tick(&w, 1));
        bytes.items[i] ^= 0x45;
        error = (CnError){0};
        assert_false(section->restore(section->user, bytes.items, i ? i : 1, &error));
        assert_int_not_equal(error.code, 0);
    }
    assert_true(refused > 50);
    assert_true(section->restore(section->user, bytes.items, bytes.count, NULL));
    cn_array_fini(&bytes);
    script_owners_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_that_wait_are_delivered_where_they_were),
        cmocka_unit_test(events_of_other_owners_wait_with_their_sender),
        cmocka_unit_test(events_of_channels_that_wait_are_kept),
        cmocka_unit_test(timers_of_bodies_go_on),
        cmocka_unit_test(subscriptions_that_ended_do_not_come_back),
        cmocka_unit_test(receivers_keep_their_order),
        cmocka_unit_test(random_numbers_go_on),
        cmocka_unit_test(the_objects_of_an_owner_are_counted_on),
        cmocka_unit_test(states_of_older_versions_have_no_owners),
        cmocka_unit_test(without_scripts_nothing_is_saved),
        cmocka_unit_test(damaged_bytes_are_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

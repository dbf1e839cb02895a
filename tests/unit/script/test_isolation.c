/* What one owner does changes nothing for another: numbers, sounds, queries, objects, events. */
#include "cmocka_tests.h"
#include "script_owners.h"
#include "sound_files.h"

#include <string.h>

#define TICKS 12u

static const CnScriptDesc limits = {
    .memory_bytes = 8u << 20, .instructions_per_call = 300000, .instructions_per_tick = 600000};

/* Shows what it draws, plays, finds and receives, and uses up its own tick. */
static const char victim[] =
    "local heard = 0\n"
    "for i = 1, 20 do subscribe('victim.own', function(e) for k = 1, 4000 do end "
    "heard = heard + e[1] * i end) end\n"
    "every(0.04, function() heard = heard + 1000 end)\n"
    "function on_update()\n"
    "    local sum = 0\n"
    "    for i = 1, 4 do sum = sum + audio.play('assets://half.wav') end\n"
    "    for i = 1, 3 do send('victim.own', {random(9), 'text'}) end\n"
    "    for object in query('ScriptComponent'):each() do\n"
    "        if object == this then sum = sum + 1 end\n"
    "    end\n"
    "    if time.tick % 3 == 0 then for i = 1, 60000 do heard = heard + 1 end end\n"
    "    this.position = Vec3(sum, heard, random())\n"
    "end\n"
    "function on_soundend(sound) this.scale = Vec3(sound, 1, 1) end\n";

static const struct {
    const char *code;
    bool changes_world; /* otherwise the states of the whole worlds are equal */
} attacks[] = {
    {"function on_update() for i = 1, 500 do random() end end", false},
    {"function on_update() while true do pcall(random, 5) end end", false},
    {"function on_update() for i = 1, 64 do audio.play('assets://half.wav') end end", false},
    {"function on_update() for i = 1, 64 do audio.play('assets://half.wav', {loop = true}) end end",
     false},
    {"function on_update() for i = 0, 2000 do audio.stop(i) audio.setPitch(i, 2) end end", false},
    {"local kept = {} function on_update() for i = 1, 200 do kept[#kept + 1] = "
     "query('ScriptComponent', {none = {'LampComponent'}}) end end",
     false},
    {"function on_update() for i = 1, 100 do send('noise' .. i, {i}) end end", false},
    {"for i = 1, 1000 do subscribe('name' .. i, function() end) end", false},
    {"for i = 1, 1000 do subscribe('name' .. i, {key = i}, function() end) end", false},
    {"for i = 1, 500 do every(0, function() end) end", false},
    {"function on_update() for i = 1, 100 do store.set('k' .. i, i) end end", false},
    {"function on_update() for i = 1, 20 do spawn{name = 'Noise'} end end", true},
    {"function on_update() spawn{name = 'N'}:destroy() end", true},
};

typedef struct Result {
    CnTransform transform;
    uint64_t hash;
    CnScriptOwnerStats stats;
} Result;

static SoundFile half;

static Result run(const char *attack)
{
    ScriptOwners w;
    Result result;
    CnScriptOwnerStats owners[8];
    memset(&result, 0, sizeof result);
    assert_true(script_owners_init(&w, &limits));
    memory_files_set_bytes(&w.world.files, "assets://half.wav", half.bytes, half.size);
    script_owners_add(&w, "mods://victim/a.lua", victim);
    script_owners_add(&w, "mods://attacker/a.lua", attack);
    assert_true(script_owners_tick(&w, TICKS));
    assert_string_equal(script_error(&w.world, w.objects[0]), "");
    result.transform = *cn_get(w.world.world, w.objects[0], CnTransform);
    result.hash = cn_sim_hash(w.world.sim);
    uint32_t count = cn_script_owners(w.world.world, owners, 8);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(owners[i].name, "mods://victim"))
            result.stats = owners[i];
    script_owners_fini(&w);
    return result;
}

static void no_attack_changes_anything_for_the_victim(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    half = wav_file(16, 1, 4000);
    Result alone = run("function on_update() end");
    assert_true(alone.stats.tick_instructions > 0);
    for (uint32_t i = 0; i < CN_COUNT_OF(attacks); i++) {
        Result result = run(attacks[i].code);
        if (memcmp(&result.transform, &alone.transform, sizeof alone.transform))
            fail_msg("the victim has another result beside: %s", attacks[i].code);
        if (result.stats.tick_instructions != alone.stats.tick_instructions)
            fail_msg("the victim pays another price beside: %s", attacks[i].code);
        if (!attacks[i].changes_world && result.hash != alone.hash)
            fail_msg("the state is another one beside: %s", attacks[i].code);
    }
    sound_file_free(&half);
}

static void trusted_scripts_draw_the_numbers_of_the_world(void **state)
{
    (void)state;
    static const char draws[] = "function on_update() this.position = Vec3(random(), 0, 0) end";
    float first = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < 2; i++) {
        ScriptOwners w;
        assert_true(script_owners_init(&w, &limits));
        script_owners_add(&w, "mods://one/a.lua",
                          i ? "function on_update() for i = 1, 9 do random() end end" : "");
        script_owners_add(&w, "trusted://a.lua", draws);
        assert_true(script_owners_tick(&w, 5));
        float x = cn_get(w.world.world, w.objects[1], CnTransform)->position.x;
        first = i ? first : x;
        assert_true(x == first);
        script_owners_fini(&w);
    }
}

static void two_owners_draw_different_numbers(void **state)
{
    (void)state;
    static const char draws[] = "function on_update() this.position = Vec3(random(), 0, 0) end";
    ScriptOwners w;
    assert_true(script_owners_init(&w, &limits));
    script_owners_add(&w, "mods://one/a.lua", draws);
    script_owners_add(&w, "mods://two/a.lua", draws);
    assert_true(script_owners_tick(&w, 1));
    assert_true(cn_get(w.world.world, w.objects[0], CnTransform)->position.x !=
                cn_get(w.world.world, w.objects[1], CnTransform)->position.x);
    script_owners_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_attack_changes_anything_for_the_victim),
        cmocka_unit_test(trusted_scripts_draw_the_numbers_of_the_world),
        cmocka_unit_test(two_owners_draw_different_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

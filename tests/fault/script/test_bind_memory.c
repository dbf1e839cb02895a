/* What scripts do when the n-th allocation fails: an error at most, never a crash, and the world is
 * sound. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "script_world.h"
#include "sound_files.h"

#include <cairn/base/log.h>

static const char prefab[] = "{\"id\": \"Tree\", \"children\": [{\"id\": \"Leaf\"}]}";

static const char code[] =
    "subscribe('hello', function(e) this.name = e.text end)\n"
    "subscribe('ScriptDamage', function(e) this.position = Vec3(e.amount, 0, 0) end)\n"
    "function on_init()\n"
    "    local o = spawn{name = 'New', LampComponent = {watts = 7}}\n"
    "    o.position = Vec3(1, 2, 3)\n"
    "    getObject('Car'):clone(o)\n"
    "    loadPrefab('assets://tree.json', o)\n"
    "    o:addComponent('ScriptAlarm')\n"
    "    assert(#o.children == 2 and o:getChild('Tree/Leaf').parent.parent == o)\n"
    "    o:getChild('Tree').worldPosition = Vec3(3, 2, 1)\n"
    "    o:getChild('Car').parent = nil\n"
    "    spawn{name = 'Body', velocity = Vec3(1, 0, 0), RigidbodyComponent = true}.velocity = Vec3(2, 0, 0)\n"
    "    audio.play('assets://a.ogg', {object = o, loop = true})\n"
    "    after(.01, function() send('ScriptDamage', {amount = 3}) end)\n"
    "    send('hello', {text = 'hi', list = {1, 2, 3}})\n"
    "    for k, v in pairs{c = 1, b = 2, a = 3} do this.state[k] = v end\n"
    "end\n"
    "function on_update()\n"
    "    for object in query('LampComponent'):each() do\n"
    "        object:getComponent('LampComponent').watts = 9\n"
    "    end\n"
    "    for batch in query('ScriptSpeed'):batches() do\n"
    "        batch:set('ScriptSpeed', 'x', batch:column('ScriptSpeed', 'x'))\n"
    "    end\n"
    "    ticks = (ticks or 0) + 1\n"
    "    if ticks == 2 then getObject('Car'):destroy() getObject('Body'):destroy() end\n"
    "end\n";

typedef struct Run {
    bool sandboxed;
    SoundFile sound;
} Run;

static bool play(CnAllocator *allocator, void *user)
{
    const Run *run = user;
    ScriptWorld w;
    bool done = script_world_init(
        &w,
        &(ScriptWorldDesc){.sandboxed = run->sandboxed, .physics = true, .allocator = allocator});
    if (done) {
        memory_files_set(&w.files, "assets://tree.json", prefab);
        memory_files_set_bytes(&w.files, "assets://a.ogg", run->sound.bytes, run->sound.size);
        CnEntity object = script_add(&w, "Script", code);
        done = cn_has(w.world, object, CnScript) && script_tick(&w, 3);
        assert_world_sound(w.world);
        CnScriptStats stats = cn_script_stats(w.world);
        CnEntity tree = cn_object_find(w.world, "New/Tree/Leaf");
        done = done && stats.running == 1 && stats.sounds == 1 && tree.id &&
               cn_object_find(w.world, "Car").id && !cn_object_find(w.world, "Body").id &&
               cn_world_stats(w.world).failed_commands == 0 &&
               cn_get(w.world, object, CnTransform)->position.x == 3 &&
               !strcmp(cn_object_name(w.world, object), "hi");
    }
    script_world_fini(&w);
    return done;
}

static void trusted_scripts_survive(void **state)
{
    (void)state;
    Run run = {false, vorbis_file(1, 2000)};
    run_with_failing_allocations(play, &run);
    sound_file_free(&run.sound);
}

static void boxed_scripts_survive(void **state)
{
    (void)state;
    Run run = {true, vorbis_file(1, 2000)};
    run_with_failing_allocations(play, &run);
    sound_file_free(&run.sound);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trusted_scripts_survive),
        cmocka_unit_test(boxed_scripts_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* audio.play and what follows: audio commands, ends in ticks, limits, errors, saves. */
#include "audio_fixture.h"
#include "cmocka_tests.h"
#include "script_world.h"
#include "sound_files.h"

#include "sim/sim_internal.h"

#include <cairn/base/log.h>
#include <string.h>

static ScriptWorld w;
static SoundFile half, vorbis; /* half a second each; 60 ticks are a second */

static void add_files(ScriptWorld *world)
{
    memory_files_set_bytes(&world->files, "assets://half.wav", half.bytes, half.size);
    memory_files_set_bytes(&world->files, "assets://half.ogg", vorbis.bytes, vorbis.size);
    memory_files_set(&world->files, "assets://text.txt", "no sound");
}

static int make_as(bool sandboxed)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    half = wav_file(16, 1, AUDIO_RATE / 2);
    vorbis = vorbis_file(1, AUDIO_RATE / 2);
    if (!script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed}))
        return -1;
    add_files(&w);
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_as(false);
}

static int make_sandboxed(void **state)
{
    (void)state;
    return make_as(true);
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    sound_file_free(&half);
    sound_file_free(&vorbis);
    return 0;
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)

static bool next(CnAudioCommand *command)
{
    return cn_outbox_next_audio(cn_sim_outbox(w.sim), command);
}

static CnAudioCommand take(CnAudioKind kind)
{
    CnAudioCommand command = {0};
    assert_true(next(&command));
    assert_int_equal(command.kind, kind);
    return command;
}

static void assert_silent(void)
{
    CnAudioCommand command;
    assert_false(next(&command));
}

static CnEntity add(const char *code)
{
    CnEntity object = script_add(&w, "Script", code);
    return object;
}

static void run(CnEntity object, uint64_t ticks)
{
    assert_true(script_tick(&w, ticks));
    assert_string_equal(script_error(&w, object), "");
}

static float x_of(CnEntity object)
{
    return cn_get(w.world, object, CnTransform)->position.x;
}

/* Notes the tick of the start in x and the tick of the end in y. */
#define NOTES                                                                                      \
    "function on_soundend(id)\n"                                                                   \
    "    assert(id == this.state.id)\n"                                                            \
    "    this.position = Vec3(this.state.start, time.tick, 0)\n"                                   \
    "end\n"                                                                                        \
    "local function begin(...)\n"                                                                  \
    "    this.state.id, this.state.start = audio.play(...), time.tick\n"                           \
    "end\n"

/* ---- Commands ---- */

static void play_makes_a_command_of_the_tick(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    this.state.id = audio.play('assets://half.wav',\n"
                          "        {position = Vec3(1, 2, 3), gain = 0.5, pitch = 2,\n"
                          "         bus = 'music', loop = true})\n"
                          "    this.position = Vec3(this.state.id, 0, 0)\n"
                          "end\n");
    run(object, 3);
    CnAudioCommand command = take(CN_AUDIO_LOOP);
    assert_string_equal(cn_asset_name(w.world, command.sound), "assets://half.wav");
    assert_true(command.position.x == 1 && command.position.y == 2 && command.position.z == 3);
    assert_true(command.gain == 0.5f && command.pitch == 2.0f);
    assert_int_equal(command.bus, CN_AUDIO_BUS_MUSIC);
    assert_int_equal(command.flags, 0);
    assert_true(command.source.id == (uint64_t)x_of(object));
    assert_silent();
}

static void a_sound_without_a_place_is_heard_at_the_listener(void **state)
{
    (void)state;
    CnEntity object = add("function on_init() audio.play('assets://half.ogg') end");
    run(object, 1);
    CnAudioCommand command = take(CN_AUDIO_PLAY);
    assert_int_equal(command.flags, CN_AUDIO_NOT_SPATIAL);
    assert_int_equal(command.bus, CN_AUDIO_BUS_EFFECTS);
    assert_true(command.gain == 1.0f && command.pitch == 1.0f);
}

static void changes_of_a_tick_are_one_command(void **state)
{
    (void)state;
    CnEntity object = add("function on_init() id = audio.play('assets://half.wav') end\n"
                          "function on_update()\n"
                          "    if time.tick % 4 == 2 then\n"
                          "        audio.setVolume(id, 0.1)\n"
                          "        audio.setVolume(id, 0.25)\n"
                          "        audio.setPitch(id, 1.5)\n"
                          "    end\n"
                          "end\n");
    run(object, 4);
    take(CN_AUDIO_PLAY);
    CnAudioCommand command = take(CN_AUDIO_CHANGE);
    assert_true(command.gain == 0.25f && command.pitch == 1.5f);
    assert_silent();
}

static void stop_has_a_fade(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    local id = audio.play('assets://half.wav', {loop = true})\n"
                          "    after(.05, function() audio.stop(id, 1.5) audio.stop(id) end)\n"
                          "end\n");
    run(object, 10);
    CnAudioCommand begun = take(CN_AUDIO_LOOP), ended = take(CN_AUDIO_STOP);
    assert_true(cn_entity_equal(begun.source, ended.source));
    assert_int_equal(ended.fade_ms, 1500);
    assert_silent();
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

static void a_sound_stopped_in_its_tick_sends_nothing(void **state)
{
    (void)state;
    CnEntity object = add("function on_init() audio.stop(audio.play('assets://half.wav')) end");
    run(object, 2);
    assert_silent();
}

static void a_sound_follows_its_object(void **state)
{
    (void)state;
    CnEntity object =
        add("function on_init()\n"
            "    audio.play('assets://half.wav', {object = this, loop = true})\n"
            "end\n"
            "function on_update()\n"
            "    if time.tick < 3 then this.position = Vec3(time.tick + 5, 0, 0) end\n"
            "end\n");
    run(object, 6);
    CnAudioCommand first = take(CN_AUDIO_LOOP), command = first, last = first;
    while (next(&command)) {
        assert_int_equal(command.kind, CN_AUDIO_CHANGE);
        last = command;
    }
    assert_true(first.position.x >= 5);
    assert_true(last.position.x == x_of(object) && last.position.x > first.position.x);
}

static void a_loop_stops_with_its_script(void **state)
{
    (void)state;
    CnEntity object =
        add("function on_init() audio.play('assets://half.wav', {loop = true}) end\n");
    run(object, 2);
    take(CN_AUDIO_LOOP);
    cn_destroy(w.world, object);
    assert_true(script_tick(&w, 2));
    take(CN_AUDIO_STOP);
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

static void a_loop_stops_when_its_script_fails(void **state)
{
    (void)state;
    add("function on_init()\n"
        "    audio.play('assets://half.wav', {loop = true})\n"
        "    after(.1, function() error('x') end)\n"
        "end\n");
    assert_true(script_tick(&w, 10));
    take(CN_AUDIO_LOOP);
    take(CN_AUDIO_STOP);
}

static void another_script_of_the_object_does_not_get_the_end(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    audio.play('assets://half.wav')\n"
                          "    audio.play('assets://half.wav', {loop = true})\n"
                          "end\n");
    run(object, 3);
    CnScript script = {.script_name = "Other", .script_path = "mods://other.lua"};
    memory_files_set(&w.files, "mods://other.lua", "function on_soundend() error('told') end");
    cn_set_component(w.world, object, cn_id(w.world, CnScript), &script);
    run(object, 50);
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

static void a_loop_stops_with_its_object(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    audio.play('assets://half.wav',\n"
                          "        {object = spawn{name = 'Bell'}, loop = true})\n"
                          "end\n");
    run(object, 3);
    take(CN_AUDIO_LOOP);
    assert_silent();
    cn_destroy(w.world, cn_object_find(w.world, "Bell"));
    assert_true(script_tick(&w, 2));
    take(CN_AUDIO_STOP);
}

static void a_sound_goes_on_where_its_object_was(void **state)
{
    (void)state;
    CnEntity object = add(NOTES "function on_init()\n"
                                "    local bell = spawn{name = 'Bell', position = Vec3(4, 0, 0)}\n"
                                "    begin('assets://half.wav', {object = bell})\n"
                                "    after(.1, function() bell:destroy() end)\n"
                                "end\n");
    run(object, 40);
    assert_true(take(CN_AUDIO_PLAY).position.x == 4);
    assert_silent();
    assert_true(cn_get(w.world, object, CnTransform)->position.y > 0); /* it has ended */
}

static void write_ambiguity(const char *text, void *unused)
{
    (void)unused;
    fail_msg("%s", text);
}

static void the_order_of_commands_is_declared(void **state)
{
    (void)state;
    assert_true(cn_schedule_ambiguities(w.world, write_ambiguity, NULL, NULL));
}

static void a_script_cannot_stop_sounds_of_others(void **state)
{
    (void)state;
    CnEntity first = add("function on_init() audio.play('assets://half.wav', {loop = true}) end");
    CnEntity second = add("function on_update()\n"
                          "    for id = 0, 9 do audio.stop(id) audio.setVolume(id, 0) end\n"
                          "end\n");
    run(first, 3);
    run(second, 1);
    take(CN_AUDIO_LOOP);
    assert_silent();
}

/* ---- Ends ---- */

static void assert_ends_after(CnEntity object, float ticks)
{
    const CnTransform *transform = cn_get(w.world, object, CnTransform);
    assert_true(transform->position.y > 0);
    assert_near(transform->position.y - transform->position.x, ticks, 0.001);
}

static void the_end_comes_after_the_ticks_of_the_file(void **state)
{
    (void)state;
    CnEntity wav = add(NOTES "function on_init() begin('assets://half.wav') end");
    CnEntity ogg = add(NOTES "function on_init() begin('assets://half.ogg') end");
    run(wav, 40);
    run(ogg, 1);
    assert_ends_after(wav, 30);
    assert_ends_after(ogg, 30);
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

static void pitch_changes_the_end(void **state)
{
    (void)state;
    CnEntity fast = add(NOTES "function on_init() begin('assets://half.wav', {pitch = 2}) end");
    CnEntity slow = add(NOTES "function on_init() begin('assets://half.wav', {pitch = .7}) end");
    CnEntity later =
        add(NOTES "function on_init()\n"
                  "    begin('assets://half.wav')\n"
                  "    after(1 / 6, function() audio.setPitch(this.state.id, .5) end)\n"
                  "end\n");
    run(fast, 80);
    run(slow, 1);
    run(later, 1);
    assert_ends_after(fast, 15);
    assert_ends_after(slow, 43);  /* 42.86 */
    assert_ends_after(later, 50); /* 10 at pitch 1, 20 at half of it */
}

static void loops_and_stopped_sounds_have_no_end(void **state)
{
    (void)state;
    CnEntity object = add("function on_soundend() error('told') end\n"
                          "function on_init()\n"
                          "    audio.play('assets://half.wav', {loop = true})\n"
                          "    audio.stop(audio.play('assets://half.wav'))\n"
                          "    local id = audio.play('assets://half.wav')\n"
                          "    after(.3, function() audio.stop(id) end)\n"
                          "end\n");
    run(object, 100);
    assert_int_equal(cn_script_stats(w.world).sounds, 1);
}

static void the_end_waits_for_an_inactive_object(void **state)
{
    (void)state;
    CnEntity object = add(NOTES "function on_init()\n"
                                "    begin('assets://half.wav')\n"
                                "    after(.1, function() this.enabled = false end)\n"
                                "    after(1, function() this.enabled = true end)\n"
                                "end\n");
    run(object, 50);
    assert_true(cn_get(w.world, object, CnTransform)->position.y == 0);
    run(object, 30);
    const CnTransform *transform = cn_get(w.world, object, CnTransform);
    assert_true(transform->position.y - transform->position.x >= 60);
}

static void an_end_may_play_and_stop(void **state)
{
    (void)state;
    CnEntity object = add("local count = 0\n"
                          "function on_init()\n"
                          "    this.state.a = audio.play('assets://half.wav')\n"
                          "    this.state.b = audio.play('assets://half.wav')\n"
                          "end\n"
                          "function on_soundend(id)\n"
                          "    assert(id ~= this.state.b)\n"
                          "    audio.stop(this.state.b)\n"
                          "    count = count + 1\n"
                          "    this.state.a = audio.play('assets://half.wav')\n"
                          "    this.position = Vec3(count, 0, 0)\n"
                          "end\n");
    run(object, 95);
    assert_true(x_of(object) == 3);
}

static void a_file_is_read_once(void **state)
{
    (void)state;
    CnEntity object = add("function on_update() audio.play('assets://half.wav') end");
    run(object, 1);
    uint32_t reads = w.files.reads;
    run(object, 10);
    assert_int_equal(w.files.reads, reads);
}

/* ---- Limits and errors ---- */

static void plays_beyond_the_limit_are_refused_and_counted(void **state)
{
    (void)state;
    CnEntity object =
        add("function on_init()\n"
            "    local zeros = 0\n"
            "    for i = 1, 70 do\n"
            "        if audio.play('assets://half.wav') == 0 then zeros = zeros + 1 end\n"
            "    end\n"
            "    audio.stop(0)\n"
            "    this.position = Vec3(zeros, 0, 0)\n"
            "end\n"
            "function on_update()\n"
            "    if time.tick == 5 then assert(audio.play('assets://half.wav') > 0) end\n"
            "end\n");
    run(object, 8);
    assert_true(x_of(object) == 6);
    assert_int_equal(cn_script_stats(w.world).refused_sounds, 6);
    assert_int_equal(cn_script_stats(w.world).sounds, 65);
}

static void an_owner_plays_a_limited_number_of_sounds(void **state)
{
    (void)state;
    CnEntity object =
        add("function on_update()\n"
            "    for i = 1, 50 do audio.play('assets://half.wav', {loop = true}) end\n"
            "end\n");
    run(object, 30);
    uint64_t limit = w.desc.sandboxed ? 128 : 1024;
    assert_int_equal(cn_script_stats(w.world).sounds, limit);
    assert_int_equal(cn_script_stats(w.world).refused_sounds, 30 * 50 - limit);
}

static void assert_error(const char *code, const char *part)
{
    const char *result = script_run(&w, code);
    if (strncmp(result, "error: ", 7) != 0 || !strstr(result, part))
        fail_msg("%s gives \"%s\", not \"%s\"", code, result, part);
}

static void wrong_arguments_are_errors(void **state)
{
    (void)state;
    assert_error("audio.play()", "string expected");
    assert_error("audio.play('')", "a path has 1 to 127 bytes");
    assert_error("audio.play(('x'):rep(128))", "a path has 1 to 127 bytes");
    assert_error("audio.play('assets://none.wav')", "assets://none.wav");
    assert_error("audio.play('assets://text.txt')", "neither WAV nor Ogg Vorbis");
    assert_error("audio.play('assets://half.wav', 3)", "table expected");
    assert_error("audio.play('assets://half.wav', {volume = 1})", "no option 'volume'");
    assert_error("audio.play('assets://half.wav', {'x'})", "no option ''");
    assert_error("audio.play('assets://half.wav', {gain = 'x'})", "'gain' must be a number");
    assert_error("audio.play('assets://half.wav', {gain = -1})", "gain must be between");
    assert_error("audio.play('assets://half.wav', {gain = 0/0})", "gain must be between");
    assert_error("audio.play('assets://half.wav', {pitch = 0})", "pitch must be between");
    assert_error("audio.play('assets://half.wav', {bus = 'master'})", "'bus' must be effects");
    assert_error("audio.play('assets://half.wav', {loop = 1})", "'loop' must be a boolean");
    assert_error("audio.play('assets://half.wav', {position = Vec2(1, 2)})", "finite Vec3");
    assert_error("audio.play('assets://half.wav', {position = Vec3(1/0, 0, 0)})", "finite Vec3");
    assert_error("audio.play('assets://half.wav', {object = Vec3(1, 0, 0)})", "an object that");
    assert_error("audio.stop(-1)", "not a number that audio.play returned");
    assert_error("audio.stop(1, -1)", "fade must be between");
    assert_error("audio.setVolume(1)", "number expected");
    assert_error("audio.setPitch(1, 1000)", "pitch must be between");
    assert_error("audio.play = nil", "");
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

static void an_error_names_the_file_and_the_line(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "\n"
                          "    audio.play('assets://missing.wav')\n"
                          "end\n");
    CnError error = {0};
    assert_true(script_tick(&w, 1));
    assert_true(cn_script_error(w.world, object, &error));
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "assets://missing.wav"));
}

static void the_body_of_a_script_plays_nothing(void **state)
{
    (void)state;
    CnEntity object = add("audio.play('assets://half.wav')");
    CnError error = {0};
    assert_true(script_tick(&w, 1));
    assert_true(cn_script_error(w.world, object, &error));
    assert_non_null(strstr(error.message, "do this in on_init"));
    assert_silent();
}

/* ---- Saves ---- */

static void save(CnSnapshot *snapshot)
{
    CnError error = {0};
    assert_true(cn_sim_save(w.sim, snapshot, &error));
}

static void restore(const CnSnapshot *snapshot)
{
    CnError error = {0};
    if (!cn_sim_restore(w.sim, snapshot->bytes, snapshot->size, &error))
        fail_msg("%s", error.message);
}

static void an_end_is_kept_in_a_save(void **state)
{
    (void)state;
    CnEntity object = add(NOTES "function on_init() begin('assets://half.wav') end");
    CnSnapshot snapshot;
    run(object, 20);
    save(&snapshot);
    run(object, 30);
    assert_ends_after(object, 30);
    restore(&snapshot);
    assert_true(cn_get(w.world, object, CnTransform)->position.y == 0);
    run(object, 30);
    assert_ends_after(object, 30);
    cn_snapshot_free(&snapshot);
}

static void loops_start_again_after_a_restore(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    audio.play('assets://half.wav', {loop = true, gain = 0.5})\n"
                          "    audio.play('assets://half.wav')\n"
                          "end\n");
    CnSnapshot snapshot;
    run(object, 5);
    save(&snapshot);
    take(CN_AUDIO_LOOP);
    take(CN_AUDIO_PLAY);
    restore(&snapshot);
    run(object, 2);
    take(CN_AUDIO_STOP);
    take(CN_AUDIO_STOP);
    assert_true(take(CN_AUDIO_LOOP).gain == 0.5f);
    assert_silent();
    cn_snapshot_free(&snapshot);
}

static const CnStateSection *section(void)
{
    for (uint32_t i = 0; i < w.sim->sections.count; i++)
        if (!strcmp(w.sim->sections.items[i].name, "ScriptSounds"))
            return &w.sim->sections.items[i];
    fail_msg("there is no section of sounds");
    return NULL;
}

static void damaged_sounds_are_refused_or_play(void **state)
{
    (void)state;
    CnEntity object = add("function on_init()\n"
                          "    audio.play('assets://half.wav', {object = this, loop = true})\n"
                          "    audio.play('assets://half.wav', {gain = 0, pitch = 0.01})\n"
                          "end\n"
                          "function on_update() for i = 0, 3 do audio.setPitch(i, 2) end end\n");
    CnU8Array bytes;
    run(object, 3);
    cn_array_init(&bytes, NULL);
    assert_true(section()->save(section()->user, &bytes, NULL));
    assert_int_equal(bytes.count, 16 + 2 * 208 + 16);
    assert_true(section()->restore(section()->user, bytes.items, bytes.count, NULL));
    for (uint32_t i = 0; i < bytes.count; i++) {
        CnError error = {0};
        assert_false(section()->restore(section()->user, bytes.items, i ? i : 1, &error));
        assert_int_not_equal(error.code, 0);
        bytes.items[i] ^= 0x81;
        error = (CnError){0};
        if (!section()->restore(section()->user, bytes.items, bytes.count, &error))
            assert_int_not_equal(error.code, 0);
        assert_true(script_tick(&w, 1));
        bytes.items[i] ^= 0x81;
    }
    cn_array_fini(&bytes);
}

/* Before there were owners of sounds, a sound had 200 bytes, and the id was its number. */
static void sounds_of_version_1_belong_to_the_owner_of_their_script(void **state)
{
    (void)state;
    CnEntity object = add("function on_init() audio.play('assets://half.wav', {loop = true}) end\n"
                          "function on_update() if time.tick > 5 then audio.stop(1) end end\n");
    CnU8Array bytes;
    run(object, 3);
    cn_array_init(&bytes, NULL);
    assert_true(section()->save(section()->user, &bytes, NULL));
    memset(bytes.items, 0, 4);
    bytes.items[0] = 1;
    memset(bytes.items + 12, 0, 4); /* no teams */
    memset(bytes.items + 16 + 196, 0, 4);
    assert_true(section()->restore(section()->user, bytes.items, 16 + 200, NULL));
    cn_array_fini(&bytes);
    assert_int_equal(cn_script_stats(w.world).sounds, 1);
    run(object, 5);
    assert_int_equal(cn_script_stats(w.world).sounds, 0);
}

/* ---- The manual ---- */

static void the_example_of_the_manual_runs(void **state)
{
    (void)state;
    CnFileBytes manual;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), "docs/scripting.md", NULL, &manual, &error));
    char *code = strstr((char *)manual.data, "-- scripts://jukebox.lua\n");
    assert_non_null(code);
    *strstr(code, "```") = 0;
    memory_files_set_bytes(&w.files, "assets://sounds/one.ogg", vorbis.bytes, vorbis.size);
    memory_files_set_bytes(&w.files, "assets://sounds/two.ogg", vorbis.bytes, vorbis.size);
    CnEntity object = add(code);
    run(object, 70); /* one, two, one */
    CnAudioCommand first = take(CN_AUDIO_PLAY), second = take(CN_AUDIO_PLAY);
    assert_string_equal(cn_asset_name(w.world, first.sound), "assets://sounds/one.ogg");
    assert_string_equal(cn_asset_name(w.world, second.sound), "assets://sounds/two.ogg");
    assert_true(take(CN_AUDIO_PLAY).sound == first.sound);
    assert_silent();
    cn_file_bytes_free(&manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(play_makes_a_command_of_the_tick),
        BOTH(a_sound_without_a_place_is_heard_at_the_listener),
        BOTH(changes_of_a_tick_are_one_command),
        BOTH(stop_has_a_fade),
        BOTH(a_sound_stopped_in_its_tick_sends_nothing),
        BOTH(a_sound_follows_its_object),
        BOTH(a_loop_stops_with_its_script),
        BOTH(a_loop_stops_when_its_script_fails),
        BOTH(another_script_of_the_object_does_not_get_the_end),
        BOTH(a_loop_stops_with_its_object),
        BOTH(a_sound_goes_on_where_its_object_was),
        BOTH(the_order_of_commands_is_declared),
        BOTH(a_script_cannot_stop_sounds_of_others),
        BOTH(the_end_comes_after_the_ticks_of_the_file),
        BOTH(pitch_changes_the_end),
        BOTH(loops_and_stopped_sounds_have_no_end),
        BOTH(the_end_waits_for_an_inactive_object),
        BOTH(an_end_may_play_and_stop),
        BOTH(a_file_is_read_once),
        BOTH(plays_beyond_the_limit_are_refused_and_counted),
        BOTH(an_owner_plays_a_limited_number_of_sounds),
        BOTH(wrong_arguments_are_errors),
        BOTH(an_error_names_the_file_and_the_line),
        BOTH(the_body_of_a_script_plays_nothing),
        BOTH(an_end_is_kept_in_a_save),
        BOTH(loops_start_again_after_a_restore),
        BOTH(damaged_sounds_are_refused_or_play),
        BOTH(sounds_of_version_1_belong_to_the_owner_of_their_script),
        BOTH(the_example_of_the_manual_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sounds of scripts: commands and ends are the same in every run, and after a restore. */
#include "audio_fixture.h"
#include "cmocka_tests.h"
#include "script_world.h"
#include "sound_files.h"

#include <cairn/base/job.h>

#define TICKS 200u
#define SAVED 70u
#define EXTRA 20u /* ticks that the restore undoes */

static const char player[] =
    "function on_init() this.state.ends = 0 end\n"
    "function on_update()\n"
    "    if random(3) == 1 then\n"
    "        this.state.last = audio.play('assets://a.wav', {pitch = .5 + random(),\n"
    "            object = this, loop = random(10) == 1})\n"
    "    end\n"
    "    if this.state.last and random(5) == 1 then audio.setPitch(this.state.last, 1.25) end\n"
    "    if this.state.last and random(9) == 1 then audio.stop(this.state.last, random()) end\n"
    "end\n"
    "function on_soundend(id)\n"
    "    this.state.ends = this.state.ends + id * time.tick % 1009\n"
    "    this.position = Vec3(this.state.ends, random(), id)\n"
    "end\n";

typedef struct Result {
    uint64_t hash, commands;
    CnVec3 position;
} Result;

static uint64_t add_commands(ScriptWorld *w, uint64_t hash)
{
    CnAudioCommand command;
    while (cn_outbox_next_audio(cn_sim_outbox(w->sim), &command))
        hash = cn_hash_bytes(&command, sizeof command, hash);
    return hash;
}

static void begin(ScriptWorld *w, CnJobPool *jobs, const SoundFile *file, CnEntity objects[2])
{
    assert_true(
        script_world_init(w, &(ScriptWorldDesc){.sandboxed = true, .seed = 5, .jobs = jobs}));
    memory_files_set_bytes(&w->files, "assets://a.wav", file->bytes, file->size);
    for (uint32_t i = 0; i < 2; i++)
        objects[i] = script_add(w, "Player", player);
}

static Result end(ScriptWorld *w, const CnEntity objects[2], uint64_t commands)
{
    for (uint32_t i = 0; i < 2; i++)
        assert_string_equal(script_error(w, objects[i]), "");
    Result result = {cn_sim_hash(w->sim), commands,
                     cn_get(w->world, objects[0], CnTransform)->position};
    script_world_fini(w);
    return result;
}

static Result run(CnJobPool *jobs)
{
    ScriptWorld w;
    CnEntity objects[2];
    SoundFile file = wav_file(16, 1, AUDIO_RATE / 3);
    begin(&w, jobs, &file, objects);
    uint64_t commands = 0;
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(script_tick(&w, 1));
        commands = add_commands(&w, commands);
    }
    Result result = end(&w, objects, commands);
    sound_file_free(&file);
    return result;
}

static void two_runs_are_equal(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    Result a = run(NULL), b = run(jobs);
    cn_job_pool_destroy(jobs);
    assert_true(a.hash == b.hash && a.commands == b.commands);
    assert_true(a.position.x > 100); /* sounds have ended */
}

/* Loads a save that is older than what plays, and continues as the first run. */
static Result run_restored(void)
{
    ScriptWorld w;
    CnEntity objects[2];
    CnSnapshot snapshot;
    CnError error = {0};
    SoundFile file = wav_file(16, 1, AUDIO_RATE / 3);
    begin(&w, NULL, &file, objects);
    assert_true(script_tick(&w, SAVED));
    assert_true(cn_sim_save(w.sim, &snapshot, &error));
    assert_true(script_tick(&w, EXTRA));
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_true(script_tick(&w, TICKS - SAVED));
    Result result = end(&w, objects, 0);
    sound_file_free(&file);
    return result;
}

static void a_restored_state_continues_with_the_same_ends(void **state)
{
    (void)state;
    Result a = run(NULL), b = run_restored();
    assert_true(a.hash == b.hash);
    assert_memory_equal(&a.position, &b.position, sizeof a.position);
}

static void a_replay_gives_the_same_ends(void **state)
{
    (void)state;
    ScriptWorld w;
    CnEntity objects[2];
    CnError error = {0};
    SoundFile file = wav_file(16, 1, AUDIO_RATE / 3);
    begin(&w, NULL, &file, objects);
    CnRecorder *recorder = cn_recorder_create(w.sim, NULL, &error);
    assert_non_null(recorder);
    assert_true(script_tick(&w, TICKS));
    assert_true(cn_recorder_finish(recorder, &error));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    cn_recorder_destroy(recorder);
    Result a = end(&w, objects, 0);
    begin(&w, NULL, &file, objects);
    CnReplayDifference difference = {0};
    if (!cn_replay_run(replay, w.sim, UINT64_MAX, &difference, &error))
        fail_msg("%s", error.message);
    assert_false(difference.found);
    cn_replay_close(replay);
    Result b = end(&w, objects, 0);
    assert_true(a.hash == b.hash);
    assert_memory_equal(&a.position, &b.position, sizeof a.position);
    sound_file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(a_restored_state_continues_with_the_same_ends),
        cmocka_unit_test(a_replay_gives_the_same_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

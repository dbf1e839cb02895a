/* Lua starts, changes and stops a sound: through the component of its object, or with audio.play.
 */
#include "audio_fixture.h"
#include "engine_fixture.h"
#include "scratch.h"

#include <cairn/script.h>
#include <string.h>

static const char component_script[] =
    "function on_init()\n"
    "    this:addComponent('AudioSourceComponent',\n"
    "        {sound = 'project://tone.wav', loop = true, playing = true})\n"
    "    after(0.25, function() this:getComponent('AudioSourceComponent').gain = 0.25 end)\n"
    "    after(0.5, function() this:getComponent('AudioSourceComponent').playing = false end)\n"
    "end\n";

static const char audio_script[] =
    "function on_init()\n"
    "    local id = audio.play('project://tone.wav', {object = this, loop = true})\n"
    "    after(0.25, function() audio.setVolume(id, 0.25) end)\n"
    "    after(0.5, function() audio.stop(id) end)\n"
    "end\n";

static void write_tone(const char *path)
{
    CnError error = {0};
    CnWavWriter *wav = cn_wav_create(NULL, cn_native_files(), path, AUDIO_RATE, &error);
    assert_non_null(wav);
    for (uint32_t i = 0; i < AUDIO_RATE / 2; i++)
        assert_true(cn_wav_write(wav, (float[]){noise_value(i), noise_value(i)}, 1, &error));
    assert_true(cn_wav_finish(wav, &error));
}

static double level(const CnSoundSamples *samples, uint32_t from, uint32_t to)
{
    double sum = 0;
    for (uint32_t i = from; i < to; i++)
        sum += (double)samples->samples[2 * i] * samples->samples[2 * i];
    return sqrt(sum / (to - from)) / 32768;
}

static void check_script(const char *script)
{
    Scratch scratch;
    CnError error = {0};
    Loopback probe = loopback_open(NULL); /* skips the test without OpenAL */
    loopback_close(&probe);
    scratch_init(&scratch);
    write_tone(scratch_path(&scratch, "tone.wav"));
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, "bell.lua"), script,
                                  strlen(script), &error));
    CnEngine *engine = make_engine(&(CnEngineDesc){
        .audio_path = scratch_path(&scratch, "out.wav"), .frames = 60, .project = scratch.folder});
    CnWorld *world = cn_engine_world(engine);
    add_camera(world, cn_vec3(0, 0, 0));
    cn_set(world, cn_object(world, "Bell"), CnScript,
           {.script_name = "Bell", .script_path = "project://bell.lua"});
    run_frames(engine, 60);
    end_engine(engine);
    CnFileBytes file;
    CnSoundSamples samples;
    assert_true(cn_file_read_all(cn_native_files(), scratch_path(&scratch, "out.wav"), NULL, &file,
                                 &error));
    assert_true(cn_sound_decode(NULL, file.data, file.size, "out.wav", NULL, &samples, &error));
    double loud = level(&samples, 4000, 11000), quiet = level(&samples, 15000, 23000);
    assert_true(loud > 0.005);
    assert_near(quiet / loud, 0.25, 0.05);
    assert_true(level(&samples, 28000, 48000) < 0.0001);
    cn_sound_samples_free(&samples);
    cn_file_bytes_free(&file);
    scratch_fini(&scratch);
}

static void a_component_plays_fades_and_stops_a_sound(void **state)
{
    (void)state;
    check_script(component_script);
}

static void audio_play_starts_a_sound_that_fades_and_stops(void **state)
{
    (void)state;
    check_script(audio_script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_plays_fades_and_stops_a_sound),
        cmocka_unit_test(audio_play_starts_a_sound_that_fades_and_stops),
    };
    return cmocka_run_group_tests_name("sound of scripts", tests, NULL, NULL);
}

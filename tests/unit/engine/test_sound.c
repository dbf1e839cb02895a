/* Sound of engines: sources of scenes, and the file of --audio-out. */
#include "audio_fixture.h"
#include "engine_fixture.h"
#include "scratch.h"

#include <string.h>

static CnSoundSamples read_wav(const char *path)
{
    CnFileBytes file;
    CnSoundSamples samples;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &file, &error));
    if (!cn_sound_decode(NULL, file.data, file.size, path, NULL, &samples, &error))
        fail_msg("%s", error.message);
    cn_file_bytes_free(&file);
    return samples;
}

static void write_tone(const char *path)
{
    CnError error = {0};
    CnWavWriter *wav = cn_wav_create(NULL, cn_native_files(), path, AUDIO_RATE, &error);
    assert_non_null(wav);
    for (uint32_t i = 0; i < AUDIO_RATE / 2; i++)
        assert_true(cn_wav_write(wav, (float[]){noise_value(i), noise_value(i)}, 1, &error));
    assert_true(cn_wav_finish(wav, &error));
}

typedef struct Run {
    Scratch scratch;
    char out[CN_FILE_PATH_BYTES];
    char tone[CN_FILE_PATH_BYTES];
} Run;

/* Runs a scene with a source on the left; `playing` while the frame is below `until`. */
static CnSoundSamples run_scene(const Run *run, uint32_t frames, uint32_t fps, uint32_t until)
{
    CnEngine *engine = make_engine(&(CnEngineDesc){
        .audio_path = run->out, .frames = frames, .fps = fps, .project = run->scratch.folder});
    CnWorld *world = cn_engine_world(engine);
    add_camera(world, cn_vec3(0, 0, 0));
    CnEntity bell = cn_object(world, "Bell");
    cn_add(world, bell, CnAudioSource);
    cn_get_mut(world, bell, CnTransform)->position = cn_vec3(-1, 0, 0);
    CnAudioSource *source = cn_get_mut(world, bell, CnAudioSource);
    cn_copy_text(source->sound, sizeof source->sound, cn_text("project://tone.wav"));
    source->loop = source->playing = true;
    for (uint32_t i = 0; i < frames; i++) {
        cn_engine_frame(engine);
        if (i == until)
            cn_get_mut(world, bell, CnAudioSource)->playing = false;
    }
    assert_int_equal(cn_engine_error(engine)->code, CN_OK);
    end_engine(engine);
    return read_wav(run->out);
}

static Run prepare(void)
{
    Run run;
    Loopback probe = loopback_open(NULL); /* skips the test without OpenAL */
    loopback_close(&probe);
    scratch_init(&run.scratch);
    cn_copy_text(run.out, sizeof run.out, cn_text(scratch_path(&run.scratch, "out.wav")));
    cn_copy_text(run.tone, sizeof run.tone, cn_text(scratch_path(&run.scratch, "tone.wav")));
    write_tone(run.tone);
    return run;
}

static double level(const CnSoundSamples *samples, uint32_t channel, uint32_t from, uint32_t to)
{
    double sum = 0;
    for (uint32_t i = from; i < to; i++)
        sum += (double)samples->samples[2 * i + channel] * samples->samples[2 * i + channel];
    return sqrt(sum / (to - from)) / 32768;
}

static void a_source_of_a_scene_is_heard_until_it_is_switched_off(void **state)
{
    (void)state;
    Run run = prepare();
    CnSoundSamples samples = run_scene(&run, 60, 60, 30);
    assert_int_equal(samples.frames, 48000);
    assert_int_equal(samples.channels, 2);
    assert_true(level(&samples, 0, 4800, 24000) > 0.005);
    assert_true(level(&samples, 0, 32000, 48000) < 0.0001);
    cn_sound_samples_free(&samples);
    scratch_fini(&run.scratch);
}

static void the_file_has_as_many_samples_as_the_frames_last(void **state)
{
    (void)state;
    Run run = prepare();
    CnSoundSamples samples = run_scene(&run, 7, 7, 100); /* 48,000 / 7 is no whole number */
    assert_int_equal(samples.frames, 48000);
    cn_sound_samples_free(&samples);
    scratch_fini(&run.scratch);
}

static void two_runs_give_the_same_bytes(void **state)
{
    (void)state;
    Run run = prepare();
    CnSoundSamples first = run_scene(&run, 40, 60, 25), second = run_scene(&run, 40, 60, 25);
    assert_int_equal(first.frames, second.frames);
    assert_memory_equal(first.samples, second.samples, (size_t)first.frames * 4);
    cn_sound_samples_free(&first);
    cn_sound_samples_free(&second);
    scratch_fini(&run.scratch);
}

static void an_engine_without_a_window_is_silent_but_keeps_time(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    CnAudio *audio = cn_engine_audio(engine);
    assert_false(cn_audio_is_audible(audio));
    CnSound sound = sound_of_function(audio, AUDIO_RATE / 2, noise_value);
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    run_frames(engine, 30);
    assert_true(cn_voice_is_playing(audio, voice));
    run_frames(engine, 3);
    assert_false(cn_voice_is_playing(audio, voice));
    end_engine(engine);
}

static void a_folder_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.audio_path = "no/such/folder/out.wav"});
    assert_null(cn_engine_create(&desc, &error));
    assert_true(error.code == CN_ERROR_NOT_FOUND || error.code == CN_ERROR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_of_a_scene_is_heard_until_it_is_switched_off),
        cmocka_unit_test(the_file_has_as_many_samples_as_the_frames_last),
        cmocka_unit_test(two_runs_give_the_same_bytes),
        cmocka_unit_test(an_engine_without_a_window_is_silent_but_keeps_time),
        cmocka_unit_test(a_folder_that_does_not_exist_is_an_error),
    };
    return cmocka_run_group_tests_name("sound of engines", tests, NULL, NULL);
}

/* Memory, libraries and devices that are missing. */
#include "audio_fixture.h"
#include "failing_heap.h"
#include "sound_files.h"

#include <cairn/base/job.h>

static bool play_something(CnAllocator *allocator, void *user)
{
    SoundFile *files = user;
    CnError error = {0};
    CnAudio *audio = cn_audio_create(
        &(CnAudioDesc){.allocator = allocator, .device = CN_AUDIO_DEVICE_LOOPBACK}, &error);
    if (!audio) {
        if (error.code == CN_ERROR_UNSUPPORTED)
            exit(77);
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    CnSound sounds[3] = {
        cn_sound_read(audio, files[0].bytes, files[0].size, "a.wav", NULL, &error)};
    bool done = sounds[0].id;
    if (done) {
        sounds[1] = cn_sound_load(audio, cn_native_files(), files[1].path, &error);
        done = sounds[1].id;
    }
    if (done) {
        sounds[2] = cn_sound_load_stream(audio, cn_native_files(), files[1].path, &error);
        done = sounds[2].id;
    }
    for (uint32_t i = 0; i < 3 && done; i++)
        done = cn_audio_play(audio, &(CnPlayDesc){.sound = sounds[i]}).id != 0;
    float stereo[1600];
    cn_audio_update(audio, 1.0 / 60);
    cn_audio_render(audio, stereo, 800);
    CnAcoustics *acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.allocator = allocator, .audio = audio}, &error);
    done &= acoustics != NULL;
    cn_acoustics_destroy(acoustics);
    cn_audio_destroy(audio);
    return done;
}

static void audio_without_memory_fails_and_leaves_nothing(void **state)
{
    (void)state;
    SoundFile files[2] = {wav_file(16, 1, 1000), vorbis_file(1, 4000)};
    sound_file_save(&files[1], "a.ogg");
    assert_true(run_with_failing_allocations(play_something, files) > 5);
    sound_file_free(&files[0]);
    sound_file_free(&files[1]);
}

static bool write_wav(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    CnWavWriter *wav = cn_wav_create(allocator, cn_native_files(), user, AUDIO_RATE, &error);
    if (!wav) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    return cn_wav_finish(wav, &error);
}

static void a_wav_file_without_memory_is_not_written(void **state)
{
    (void)state;
    SoundFile file = wav_file(16, 1, 10);
    run_with_failing_allocations(write_wav, (void *)(uintptr_t)sound_file_save(&file, "out.wav"));
    sound_file_free(&file);
}

static void without_the_library_audio_is_silent(void **state)
{
    (void)state;
    CnError error = {0};
    CnAudioDesc desc = {.device = CN_AUDIO_DEVICE_DEFAULT, .library = "libno-such-library.so"};
    CnAudio *audio = cn_audio_create(&desc, &error);
    assert_non_null(audio);
    assert_false(cn_audio_is_audible(audio));
    CnSound sound = sound_of_function(audio, 4800, sine_value);
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    for (int i = 0; i < 8; i++)
        cn_audio_update(audio, 1.0 / 60);
    assert_false(cn_voice_is_playing(audio, voice));
    for (int i = 0; i < 300; i++)
        cn_audio_update(audio, 1.0 / 60);
    cn_audio_destroy(audio);
    desc.device = CN_AUDIO_DEVICE_LOOPBACK;
    assert_null(cn_audio_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
}

static void a_library_that_is_not_openal_is_silent(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(
        &(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT, .library = "libm.so.6"}, NULL);
    assert_non_null(audio);
    assert_false(cn_audio_is_audible(audio));
    cn_audio_destroy(audio);
}

static void without_a_device_audio_is_silent_and_goes_on_trying(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(
        &(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT, .device_name = "no device has this name"},
        NULL);
    assert_non_null(audio);
    assert_false(cn_audio_is_audible(audio));
    CnSound sound = sound_of_function(audio, 4800, sine_value);
    cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .loop = true});
    for (int i = 0; i < 600; i++) /* ten seconds: five attempts */
        cn_audio_update(audio, 1.0 / 60);
    assert_false(cn_audio_is_audible(audio));
    cn_audio_destroy(audio);
}

/* OpenAL Soft has a device that discards everything and advances in real time. */
static void a_real_time_device_plays_and_can_be_closed_at_any_time(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(2, AUDIO_RATE);
    const char *path = sound_file_save(&file, "song.ogg");
    for (int round = 0; round < 3; round++) {
        CnError error = {0};
        CnAudio *audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT}, &error);
        assert_non_null(audio);
        assert_true(cn_audio_is_audible(audio));
        CnSound sound = sound_of_function(audio, 4800, sine_value);
        CnSound song = cn_sound_load_stream(audio, cn_native_files(), path, &error);
        assert_int_not_equal(song.id, 0);
        cn_audio_play(audio, &(CnPlayDesc){.sound = song, .loop = true});
        for (int i = 0; i < 5 * round; i++) {
            cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .spatial = true});
            cn_audio_update(audio, 1.0 / 60);
        }
        if (round == 1)
            cn_sound_destroy(audio, song);
        assert_int_equal(cn_audio_stats(audio).failures, 0);
        cn_audio_destroy(audio);
    }
    sound_file_free(&file);
}

int main(void)
{
    setenv("ALSOFT_DRIVERS", "null", 1); /* before OpenAL is loaded; no test makes noise */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audio_without_memory_fails_and_leaves_nothing),
        cmocka_unit_test(a_wav_file_without_memory_is_not_written),
        cmocka_unit_test(without_the_library_audio_is_silent),
        cmocka_unit_test(a_library_that_is_not_openal_is_silent),
        cmocka_unit_test(without_a_device_audio_is_silent_and_goes_on_trying),
        cmocka_unit_test(a_real_time_device_plays_and_can_be_closed_at_any_time),
    };
    return cmocka_run_group_tests_name("audio faults", tests, NULL, NULL);
}

/* Sound files: WAV and Ogg Vorbis, decoded at once and as streams. */
#include "audio_fixture.h"
#include "sound_files.h"

static CnSoundSamples decode(const SoundFile *file)
{
    CnSoundSamples samples;
    CnError error = {0};
    if (!cn_sound_decode(NULL, file->bytes, file->size, "test", NULL, &samples, &error))
        fail_msg("%s", error.message);
    return samples;
}

static void wav_files_of_every_format_have_the_same_samples(void **state)
{
    (void)state;
    static const uint32_t bits[] = {8, 16, 24, 32, 0}; /* 0: float */
    for (uint32_t i = 0; i < CN_COUNT_OF(bits); i++)
        for (uint32_t channels = 1; channels <= 2; channels++) {
            SoundFile file = wav_file(bits[i], channels, 1000);
            CnSoundSamples samples = decode(&file);
            assert_int_equal(samples.frames, 1000);
            assert_int_equal(samples.channels, channels);
            assert_int_equal(samples.sample_rate, AUDIO_RATE);
            for (uint32_t at = 0; at < 1000 * channels; at++)
                assert_near(samples.samples[at], sine_value(at / channels) * 32767, 260);
            cn_sound_samples_free(&samples);
            sound_file_free(&file);
        }
}

static void vorbis_files_are_decoded(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(1, AUDIO_RATE / 2);
    CnSoundSamples samples = decode(&file);
    assert_int_equal(samples.frames, AUDIO_RATE / 2);
    assert_int_equal(samples.channels, 1);
    for (uint32_t i = 4800; i < 19200; i++)
        assert_near(samples.samples[i], sine_value(i) * 32767, 1500);
    cn_sound_samples_free(&samples);
    sound_file_free(&file);
}

static void what_is_no_sound_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",     "RIFF",         "RIFF....WAVE",
                                        "OggS", "hello, world", "RIFF....WAVEfmt \x10\0\0\0"};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        CnSoundSamples samples;
        assert_false(
            cn_sound_decode(NULL, wrong[i], strlen(wrong[i]), "wrong.wav", NULL, &samples, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_string_equal(error.file, "wrong.wav");
        assert_null(samples.samples);
    }
}

static void the_budget_of_the_origin_limits_the_samples(void **state)
{
    (void)state;
    SoundFile file = wav_file(16, 1, 1000);
    CnBudget small = *cn_budget_of(CN_ORIGIN_FOREIGN);
    CnSoundSamples samples;
    CnError error = {0};
    small.sound_bytes = 1999;
    assert_false(cn_sound_decode(NULL, file.bytes, file.size, "big.wav", &small, &samples, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    small.sound_bytes = 2000;
    assert_true(cn_sound_decode(NULL, file.bytes, file.size, "big.wav", &small, &samples, &error));
    cn_sound_samples_free(&samples);
    sound_file_free(&file);
}

/* The largest difference between the sound of a stream and of the decoded file, while both play. */
static void streams_sound_like_their_files(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(2, AUDIO_RATE);
    const char *path = sound_file_save(&file, "stream.ogg");
    float *heard[2];
    for (int streamed = 0; streamed < 2; streamed++) {
        CnError error = {0};
        Loopback loop = loopback_open(NULL);
        CnSound sound = streamed ? cn_sound_load_stream(loop.audio, cn_native_files(), path, &error)
                                 : cn_sound_load(loop.audio, cn_native_files(), path, &error);
        assert_int_not_equal(sound.id, 0);
        assert_near(cn_sound_seconds(loop.audio, sound), 1, 1e-9);
        assert_int_equal(cn_sound_channels(loop.audio, sound), 2);
        CnVoice voice = cn_audio_play(
            loop.audio,
            &(CnPlayDesc){.sound = sound, .bus = CN_AUDIO_BUS_MUSIC, .start_seconds = 0.25f});
        loopback_listen(&loop, 40);
        assert_true(cn_voice_is_playing(loop.audio, voice));
        heard[streamed] = loop.stereo;
        loop.stereo = NULL;
        loopback_listen(&loop, 10);
        assert_false(cn_voice_is_playing(loop.audio, voice));
        assert_int_equal(cn_audio_stats(loop.audio).underruns, 0);
        loopback_close(&loop);
    }
    double largest = 0, level = 0;
    for (uint32_t i = 4800; i < 60000; i++) {
        largest = fmax(largest, fabs((double)heard[0][i] - (double)heard[1][i]));
        level = fmax(level, fabs((double)heard[0][i]));
    }
    assert_true(level > 0.02);
    assert_true(largest < 0.05 * level);
    free(heard[0]);
    free(heard[1]);
    sound_file_free(&file);
}

static void a_looping_stream_goes_on_after_its_end(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(1, AUDIO_RATE / 4);
    CnError error = {0};
    Loopback loop = loopback_open(NULL);
    CnSound sound = cn_sound_load_stream(loop.audio, cn_native_files(),
                                         sound_file_save(&file, "loop.ogg"), &error);
    CnVoice voice = cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sound, .loop = true});
    loopback_listen(&loop, 120);
    assert_true(cn_voice_is_playing(loop.audio, voice));
    assert_true(loopback_level(&loop, 0, 84000, 96000) > 0.01);
    cn_sound_destroy(loop.audio, sound); /* while it plays */
    assert_false(cn_voice_is_playing(loop.audio, voice));
    loopback_close(&loop);
    sound_file_free(&file);
}

static void streams_beyond_the_limit_replace_less_important_ones(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(1, AUDIO_RATE);
    CnError error = {0};
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnSound sound =
        cn_sound_load_stream(audio, cn_native_files(), sound_file_save(&file, "many.ogg"), &error);
    for (uint32_t i = 0; i < CN_AUDIO_MAX_STREAMS; i++)
        assert_int_not_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound}).id, 0);
    assert_int_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .gain = 0.5f}).id, 0);
    assert_int_not_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .priority = 1}).id, 0);
    cn_audio_update(audio, 0.1);
    assert_int_equal(cn_audio_stats(audio).playing, CN_AUDIO_MAX_STREAMS);
    cn_audio_destroy(audio);
    sound_file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wav_files_of_every_format_have_the_same_samples),
        cmocka_unit_test(vorbis_files_are_decoded),
        cmocka_unit_test(what_is_no_sound_is_refused_with_a_reason),
        cmocka_unit_test(the_budget_of_the_origin_limits_the_samples),
        cmocka_unit_test(streams_sound_like_their_files),
        cmocka_unit_test(a_looping_stream_goes_on_after_its_end),
        cmocka_unit_test(streams_beyond_the_limit_replace_less_important_ones),
    };
    return cmocka_run_group_tests_name("sounds", tests, NULL, NULL);
}

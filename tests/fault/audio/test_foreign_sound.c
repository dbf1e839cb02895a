/* Sound files of foreign origin: the helper process decodes them, and when it misbehaves, only the
 * sound is missing. tests/cairn-decode-faulty does what the name of the file says. */
#include "audio_fixture.h"
#include "sound_files.h"

#include <cairn/vfs.h>
#include <cairn/vfs/decode_job.h>
#include <cairn/vfs/decoder.h>

#include <string.h>
#include <unistd.h>

static CnError error;

static int use_helper(void **state)
{
    (void)state;
    return unsetenv("CAIRN_DECODE");
}

static int use_faulty_helper(void **state)
{
    (void)state;
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size > 0 ? size : 0] = 0;
    strcpy(strrchr(path, '/') + 1, "cairn-decode-faulty");
    return setenv("CAIRN_DECODE", path, 1);
}

static bool decode(const SoundFile *file, const CnBudget *budget, CnSoundSamples *samples)
{
    error = (CnError){0};
    return cn_sound_decode(NULL, file->bytes, file->size, "mods://a/sound.ogg", budget, samples,
                           &error);
}

/* ---- What is decoded ---- */

static void a_foreign_sound_has_the_samples_of_a_trusted_one(void **state)
{
    (void)state;
    SoundFile files[] = {vorbis_file(1, 20000), vorbis_file(2, 5000), wav_file(24, 2, 300),
                         wav_file(0, 1, 1)};
    for (size_t i = 0; i < CN_COUNT_OF(files); i++) {
        CnSoundSamples own, foreign;
        uint64_t started = cn_decoder_stats().started;
        assert_true(decode(&files[i], cn_budget_of(CN_ORIGIN_TRUSTED), &own));
        assert_int_equal(cn_decoder_stats().started, started);
        if (!decode(&files[i], cn_budget_of(CN_ORIGIN_FOREIGN), &foreign))
            fail_msg("%s", error.message);
        assert_int_equal(cn_decoder_stats().started, started + 1);
        assert_int_equal(foreign.frames, own.frames);
        assert_int_equal(foreign.channels, own.channels);
        assert_int_equal(foreign.sample_rate, own.sample_rate);
        assert_memory_equal(foreign.samples, own.samples, own.frames * own.channels * 2);
        cn_sound_samples_free(&own);
        cn_sound_samples_free(&foreign);
        sound_file_free(&files[i]);
    }
}

static void a_damaged_file_is_the_error_that_the_helper_found(void **state)
{
    (void)state;
    CnSoundSamples samples;
    SoundFile file = wav_file(16, 1, 100);
    memcpy(file.bytes, "RUFF", 4);
    assert_false(decode(&file, cn_budget_of(CN_ORIGIN_FOREIGN), &samples));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_string_equal(error.message, "the file is neither WAV nor Ogg Vorbis");
    assert_null(samples.samples);
    sound_file_free(&file);
}

static void a_sound_beyond_its_budget_is_refused(void **state)
{
    (void)state;
    CnSoundSamples samples;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    SoundFile file = vorbis_file(2, 30000);
    budget.sound_bytes = 30000;
    assert_false(decode(&file, &budget, &samples));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    sound_file_free(&file);
}

/* Streams are decoded by voices, in this process; a foreign file is not. */
static void a_foreign_stream_is_decoded_whole(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(NULL, &error);
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    SoundFile file = vorbis_file(2, 20000);
    sound_file_save(&file, "song.ogg");
    CnMountDesc mount = {.scheme = "mods", .native = file.folder, .origin = CN_ORIGIN_FOREIGN};
    assert_true(cn_vfs_mount_as(vfs, &mount, &error));
    uint64_t started = cn_decoder_stats().started;
    CnSound sound = cn_sound_load_stream(audio, cn_vfs_files(vfs), "mods://song.ogg", &error);
    assert_int_not_equal(sound.id, 0);
    assert_int_equal(cn_decoder_stats().started, started + 1);
    assert_int_equal(cn_audio_stats(audio).sound_bytes, 20000 * 4);
    assert_int_not_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .loop = true}).id, 0);
    cn_audio_update(audio, 1.0 / 60);
    cn_audio_destroy(audio);
    cn_vfs_destroy(vfs);
    sound_file_free(&file);
}

static void without_the_helper_foreign_sounds_are_refused(void **state)
{
    (void)state;
    CnSoundSamples samples;
    SoundFile file = wav_file(16, 1, 100);
    setenv("CAIRN_DECODE", "/no/such/program", 1);
    assert_false(decode(&file, cn_budget_of(CN_ORIGIN_FOREIGN), &samples));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_true(decode(&file, cn_budget_of(CN_ORIGIN_USER), &samples));
    cn_sound_samples_free(&samples);
    sound_file_free(&file);
    unsetenv("CAIRN_DECODE");
}

/* ---- Misbehavior ---- */

static void assert_refused(const char *fault, CnErrorCode code, const char *words)
{
    CnSoundSamples samples;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    char name[64];
    cn_format(name, sizeof name, "fault-%s", fault);
    budget.decode_ms = 1000;
    error = (CnError){0};
    assert_false(cn_sound_decode(NULL, "abc", 3, name, &budget, &samples, &error));
    assert_int_equal(error.code, code);
    assert_null(samples.samples);
    if (!strstr(error.message, words))
        fail_msg("%s: %s", fault, error.message);
}

static void a_crash_is_an_error(void **state)
{
    (void)state;
    assert_refused("crash", CN_ERROR_FORMAT, "SIGSEGV");
}

static void a_helper_that_hangs_is_ended(void **state)
{
    (void)state;
    assert_refused("hang", CN_ERROR_LIMIT, "CnBudget.decode_ms");
}

static void a_forbidden_call_ends_the_helper(void **state)
{
    (void)state;
    if (CN_DECODE_HAS_SANITIZER)
        skip();
    assert_refused("open", CN_ERROR_FORMAT, "SIGSYS");
}

static void a_sound_may_not_refer_to_files(void **state)
{
    (void)state;
    assert_refused("ask-for-absolute-path", CN_ERROR_FORMAT, "REFUSED");
}

static void a_result_that_is_no_sound_is_refused(void **state)
{
    (void)state;
    assert_refused("four-pixels", CN_ERROR_FORMAT, "does not fit its samples");
    assert_refused("size-beyond-the-end", CN_ERROR_FORMAT, "");
}

static void the_game_goes_on_when_a_sound_in_the_background_crashes_its_helper(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT}, &error);
    CnSound sound = cn_sound_read_background(audio, "abc", 3, "fault-crash",
                                             cn_budget_of(CN_ORIGIN_FOREIGN), &error);
    if (sound.id) /* otherwise there is no device, and it was decoded at once */
        cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .loop = true});
    while (cn_sound_is_loading(audio, sound))
        cn_audio_update(audio, 1.0 / 60);
    assert_int_equal(cn_audio_stats(audio).playing, 0);
    cn_audio_destroy(audio);
}

int main(void)
{
    setenv("ALSOFT_DRIVERS", "null", 1); /* before OpenAL is loaded */
    const struct CMUnitTest right[] = {
        cmocka_unit_test(a_foreign_sound_has_the_samples_of_a_trusted_one),
        cmocka_unit_test(a_damaged_file_is_the_error_that_the_helper_found),
        cmocka_unit_test(a_sound_beyond_its_budget_is_refused),
        cmocka_unit_test(a_foreign_stream_is_decoded_whole),
        cmocka_unit_test(without_the_helper_foreign_sounds_are_refused),
    };
    const struct CMUnitTest faulty[] = {
        cmocka_unit_test(a_crash_is_an_error),
        cmocka_unit_test(a_helper_that_hangs_is_ended),
        cmocka_unit_test(a_forbidden_call_ends_the_helper),
        cmocka_unit_test(a_sound_may_not_refer_to_files),
        cmocka_unit_test(a_result_that_is_no_sound_is_refused),
        cmocka_unit_test(the_game_goes_on_when_a_sound_in_the_background_crashes_its_helper),
    };
    int failed = cmocka_run_group_tests_name("foreign sounds", right, use_helper, NULL);
    return failed + cmocka_run_group_tests_name("faulty helper", faulty, use_faulty_helper, NULL);
}

/* The length of a sound from its headers is the number of samples that the decoder gives. */
#include "audio_fixture.h"
#include "cmocka_tests.h"
#include "memory_files.h"
#include "script/runtime/sound_length.h"
#include "sound_files.h"

#include <string.h>

static bool length_of(const void *bytes, size_t size, double *seconds, CnError *error)
{
    MemoryFiles files;
    memory_files_init(&files);
    memory_files_set_bytes(&files, "a", bytes, size);
    return cni_script_sound_length(&files.files, NULL, "a", seconds, error);
}

static void assert_same_as_decoder(SoundFile file)
{
    CnSoundSamples samples;
    CnError error = {0};
    double seconds = 0;
    assert_true(cn_sound_decode(NULL, file.bytes, file.size, "a", NULL, &samples, &error));
    if (!length_of(file.bytes, file.size, &seconds, &error))
        fail_msg("%s", error.message);
    assert_true(seconds == (double)samples.frames / samples.sample_rate);
    cn_sound_samples_free(&samples);
    sound_file_free(&file);
}

static void lengths_are_those_of_the_decoder(void **state)
{
    (void)state;
    static const uint32_t bits[] = {8, 16, 24, 32, 0};
    for (uint32_t i = 0; i < CN_COUNT_OF(bits); i++)
        assert_same_as_decoder(wav_file(bits[i], 1 + i % 2, 12345 + i));
    assert_same_as_decoder(vorbis_file(1, 777));
    assert_same_as_decoder(vorbis_file(2, AUDIO_RATE * 3 + 11));
}

/* Copies of the exact size, so that a sanitizer sees reads beyond the end. */
static void damaged_files_are_errors_or_have_a_length(void **state)
{
    (void)state;
    SoundFile files[] = {wav_file(16, 1, 300), vorbis_file(1, 3000)};
    for (uint32_t f = 0; f < 2; f++) {
        for (size_t size = 0; size < files[f].size; size += 1 + size / 64) {
            CnError error = {0};
            double seconds = -1;
            uint8_t *copy = malloc(size + 1);
            memcpy(copy, files[f].bytes, size);
            bool done = length_of(copy, size, &seconds, &error);
            assert_true(done ? seconds > 0 : error.code != 0);
            free(copy);
        }
        for (size_t at = 0; at < 60 && at < files[f].size; at++) {
            CnError error = {0};
            double seconds = -1;
            files[f].bytes[at] ^= 0xFF;
            bool done = length_of(files[f].bytes, files[f].size, &seconds, &error);
            assert_true(done ? seconds > 0 : error.code != 0);
            files[f].bytes[at] ^= 0xFF;
        }
        sound_file_free(&files[f]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_those_of_the_decoder),
        cmocka_unit_test(damaged_files_are_errors_or_have_a_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: threads
 * Sounds that are decoded in the background. The device is the one of OpenAL Soft that discards
 * everything. */
#include "audio_fixture.h"
#include "sound_files.h"

#include "audio/audio_internal.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static CnAudio *device_of(CnAllocator *allocator)
{
    CnError error = {0};
    CnAudio *audio = cn_audio_create(
        &(CnAudioDesc){.allocator = allocator, .device = CN_AUDIO_DEVICE_DEFAULT}, &error);
    assert_non_null(audio);
    if (!cn_audio_is_audible(audio)) {
        print_message("skipped: OpenAL has no device that discards sounds\n");
        exit(77);
    }
    return audio;
}

static CnSound read_background(CnAudio *audio, const SoundFile *file)
{
    CnError error = {0};
    CnSound sound = cn_sound_read_background(audio, file->bytes, file->size, "sound", NULL, &error);
    assert_int_not_equal(sound.id, 0);
    return sound;
}

/* Time of voices stands still meanwhile. */
static void wait_for(CnAudio *audio, CnSound sound)
{
    while (cn_sound_is_loading(audio, sound)) {
        cn_audio_update(audio, 0);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void the_samples_are_those_of_a_sound_that_is_waited_for(void **state)
{
    (void)state;
    CnSoundSamples samples;
    SoundFile file = vorbis_file(1, 30000);
    CnAudio *audio = device_of(NULL);
    CnSound sound = read_background(audio, &file);
    wait_for(audio, sound);
    assert_true(cn_sound_decode(NULL, file.bytes, file.size, "a", NULL, &samples, NULL));
    const CniAudioSound *found = cni_audio_sound(audio, sound);
    assert_int_equal(found->frames, samples.frames);
    assert_memory_equal(found->samples, samples.samples, samples.frames * sizeof *samples.samples);
    assert_int_equal(cn_audio_stats(audio).sound_bytes, samples.frames * sizeof *samples.samples);
    cn_sound_samples_free(&samples);
    cn_audio_destroy(audio);
    sound_file_free(&file);
}

static void a_voice_waits_and_starts_at_its_beginning(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(1, 2 * AUDIO_RATE);
    CnAudio *audio = device_of(NULL);
    CnSound sound = read_background(audio, &file);
    CnVoice first = cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    CnVoice later = cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .start_seconds = 0.5f});
    CnVoice around =
        cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .loop = true, .start_seconds = 2.25f});
    assert_true(cn_voice_is_playing(audio, first));
    wait_for(audio, sound);
    cn_audio_update(audio, 0);
    assert_false(cn_voice_is_virtual(audio, first));
    assert_near(cn_voice_seconds(audio, first), 0, 1e-9);
    assert_near(cn_voice_seconds(audio, later), 0.5, 1e-6);
    assert_near(cn_voice_seconds(audio, around), 0.25, 1e-6);
    assert_int_equal(cn_audio_stats(audio).failures, 0);
    cn_audio_destroy(audio);
    sound_file_free(&file);
}

static void a_sound_that_cannot_be_decoded_ends_its_voices(void **state)
{
    static const char broken[] = "OggS, but no more";
    (void)state;
    CnError error = {0};
    CnVoiceEnd end;
    CnAudio *audio = device_of(NULL);
    CnSound sound = cn_sound_read_background(audio, broken, sizeof broken, "broken", NULL, &error);
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .loop = true, .user = 3});
    assert_true(cn_voice_is_playing(audio, voice));
    wait_for(audio, sound);
    assert_false(cn_voice_is_playing(audio, voice));
    assert_true(cn_audio_next_ended(audio, &end));
    assert_int_equal(end.user, 3);
    assert_int_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound}).id, 0);
    assert_near(cn_sound_seconds(audio, sound), 0, 0);
    cn_audio_destroy(audio);
}

static void sounds_can_be_destroyed_in_every_state(void **state)
{
    enum { COUNT = 24 };
    (void)state;
    SoundFile file = vorbis_file(2, AUDIO_RATE);
    for (uint32_t round = 0; round < 4; round++) {
        CnSound sounds[COUNT];
        CnAudio *audio = device_of(NULL);
        for (uint32_t i = 0; i < COUNT; i++) {
            sounds[i] = read_background(audio, &file);
            if (i % 3 == 0)
                cn_audio_play(audio, &(CnPlayDesc){.sound = sounds[i]});
        }
        for (uint32_t i = 0; i < COUNT * round / 4; i++) {
            cn_sound_destroy(audio, sounds[i]);
            if (i % 2)
                cn_audio_update(audio, 1.0 / 60);
        }
        cn_audio_destroy(audio); /* while the others are decoded */
    }
    sound_file_free(&file);
}

/* ---- Which thread works ---- */

static pthread_t main_thread;
static size_t largest_of_main;

static void *allocate(CnAllocator *allocator, void *old, size_t old_size, size_t size, size_t align)
{
    (void)allocator;
    if (pthread_equal(pthread_self(), main_thread) && size > largest_of_main)
        largest_of_main = size;
    return cn_system_allocator()->resize(cn_system_allocator(), old, old_size, size, align);
}

static void the_thread_of_the_frame_does_not_decode(void **state)
{
    (void)state;
    CnAllocator allocator = {.resize = allocate};
    SoundFile file = vorbis_file(2, 20 * AUDIO_RATE);
    CnAudio *audio = device_of(&allocator);
    main_thread = pthread_self();
    largest_of_main = 0;
    CnSound sound = read_background(audio, &file);
    cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    wait_for(audio, sound);
    assert_true(cn_audio_stats(audio).sound_bytes >= 20 * AUDIO_RATE * 4);
    assert_true(largest_of_main < AUDIO_RATE); /* the samples are larger */
    cn_audio_destroy(audio);
    sound_file_free(&file);
}

static void a_loop_back_device_decodes_at_once(void **state)
{
    (void)state;
    SoundFile file = vorbis_file(1, 20000);
    Loopback loop = loopback_open(NULL);
    CnSound sound = read_background(loop.audio, &file);
    assert_false(cn_sound_is_loading(loop.audio, sound));
    assert_near(cn_sound_seconds(loop.audio, sound), 20000.0 / AUDIO_RATE, 1e-9);
    loopback_close(&loop);
    sound_file_free(&file);
}

int main(void)
{
    setenv("ALSOFT_DRIVERS", "null", 1); /* before OpenAL is loaded */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_are_those_of_a_sound_that_is_waited_for),
        cmocka_unit_test(a_voice_waits_and_starts_at_its_beginning),
        cmocka_unit_test(a_sound_that_cannot_be_decoded_ends_its_voices),
        cmocka_unit_test(sounds_can_be_destroyed_in_every_state),
        cmocka_unit_test(the_thread_of_the_frame_does_not_decode),
        cmocka_unit_test(a_loop_back_device_decodes_at_once),
    };
    return cmocka_run_group_tests_name("sounds in the background", tests, NULL, NULL);
}

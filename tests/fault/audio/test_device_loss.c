/* test-labels: threads
 * A device that is lost and comes back. The device is the one of OpenAL Soft that discards
 * everything; whether it is connected, and whether one can be opened, is answered by the test. */
#include "audio_fixture.h"
#include "sound_files.h"

#include "audio/audio_internal.h"

#include <cairn/base/log.h>

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define STEP (1.0 / 60)

/* ---- Answers of the device ---- */

static atomic_bool is_connected, can_open;
static atomic_uint attempts;
static uint32_t reports; /* lines of the log above debugging */
static CniAudioAl real;

static void answer_integers(ALCdevice *device, ALCenum name, ALCsizei size, ALCint *values)
{
    real.alcGetIntegerv(device, name, size, values);
    if (name == ALC_CONNECTED && !is_connected)
        *values = ALC_FALSE;
}

static ALCdevice *answer_open(const ALCchar *name)
{
    attempts++;
    return can_open ? real.alcOpenDevice(name) : NULL;
}

static void count_report(const CnLogRecord *record, void *user)
{
    (void)user;
    reports += strcmp(record->module, "audio") == 0;
}

typedef struct Device {
    CnAudio *audio;
    int sink;
} Device;

static Device device_open(void)
{
    CnError error = {0};
    Device device = {cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT}, &error), 0};
    assert_non_null(device.audio);
    if (!cn_audio_is_audible(device.audio)) {
        print_message("skipped: OpenAL has no device that discards sounds\n");
        exit(77);
    }
    real = device.audio->al;
    device.audio->al.alcGetIntegerv = answer_integers;
    device.audio->al.alcOpenDevice = answer_open;
    is_connected = can_open = true;
    attempts = reports = 0;
    CnLogSink sink = {.write = count_report, .level = CN_LOG_LEVEL_INFO};
    device.sink = cn_log_add_sink(&sink);
    return device;
}

static void device_close(Device *device)
{
    assert_int_equal(cn_audio_stats(device->audio).failures, 0);
    cn_log_remove_sink(device->sink);
    cn_audio_destroy(device->audio);
}

static void nap(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* Opening runs on another thread; the time of voices does not wait for it, but this does. */
static void run(Device *device, double seconds)
{
    for (double at = 0; at < seconds; at += STEP) {
        cn_audio_update(device->audio, STEP);
        while (device->audio->is_opening && !device->audio->is_opened)
            nap(1);
    }
}

static void unplug(Device *device)
{
    is_connected = can_open = false;
    run(device, STEP);
}

static void plug_in(Device *device)
{
    is_connected = can_open = true;
    run(device, 31); /* the longest pause between two attempts */
}

/* ---- Facts ---- */

static void voices_go_on_while_there_is_no_device(void **state)
{
    (void)state;
    Device device = device_open();
    CnSound sound = sound_of_function(device.audio, AUDIO_RATE, sine_value);
    CnVoice loop = cn_audio_play(device.audio, &(CnPlayDesc){.sound = sound, .loop = true});
    CnVoice once = cn_audio_play(device.audio, &(CnPlayDesc){.sound = sound, .user = 7});
    run(&device, 0.25);
    assert_false(cn_voice_is_virtual(device.audio, loop));
    unplug(&device);
    assert_false(cn_audio_is_audible(device.audio));
    assert_int_equal(cn_audio_stats(device.audio).device_losses, 1);
    assert_true(cn_voice_is_virtual(device.audio, loop) && cn_voice_is_virtual(device.audio, once));
    double before = cn_voice_seconds(device.audio, loop);
    run(&device, 0.5);
    assert_near(cn_voice_seconds(device.audio, loop) - before, 0.5, 2 * STEP);
    run(&device, 1);
    assert_false(cn_voice_is_playing(device.audio, once));
    CnVoiceEnd end;
    assert_true(cn_audio_next_ended(device.audio, &end));
    assert_int_equal(end.user, 7);
    assert_false(end.is_stopped);
    device_close(&device);
}

static void loops_and_streams_are_heard_again_where_they_are(void **state)
{
    (void)state;
    CnError error = {0};
    Device device = device_open();
    SoundFile file = vorbis_file(2, 4 * AUDIO_RATE);
    CnSound sound = sound_of_function(device.audio, 3 * AUDIO_RATE, sine_value);
    CnSound song = cn_sound_load_stream(device.audio, cn_native_files(),
                                        sound_file_save(&file, "loss.ogg"), &error);
    assert_int_not_equal(song.id, 0);
    CnVoice loop = cn_audio_play(device.audio, &(CnPlayDesc){.sound = sound, .loop = true});
    CnVoice music = cn_audio_play(device.audio, &(CnPlayDesc){.sound = song, .loop = true});
    run(&device, 0.1);
    unplug(&device);
    run(&device, 5);
    assert_true(cn_voice_is_virtual(device.audio, loop) &&
                cn_voice_is_virtual(device.audio, music));
    plug_in(&device);
    assert_true(cn_audio_is_audible(device.audio));
    assert_false(cn_voice_is_virtual(device.audio, loop));
    assert_false(cn_voice_is_virtual(device.audio, music));
    const CniAudioVoice *voice = cni_audio_voice(device.audio, loop);
    ALint state_of_source = 0;
    cni_audio_enter(device.audio);
    device.audio->al.alGetSourcei(device.audio->sources[voice->source - 1].name, AL_SOURCE_STATE,
                                  &state_of_source);
    cni_audio_leave(device.audio);
    assert_int_equal(state_of_source, AL_PLAYING);
    device_close(&device);
    sound_file_free(&file);
}

static void a_loss_and_a_return_are_one_report_each(void **state)
{
    (void)state;
    Device device = device_open();
    run(&device, 60);
    unplug(&device);
    run(&device, 120);
    assert_int_equal(reports, 1);
    plug_in(&device);
    assert_true(cn_audio_is_audible(device.audio));
    assert_int_equal(reports, 2);
    device_close(&device);
}

/* After 2, 4, 8, 16 seconds and then every 30. */
static void opening_is_tried_at_growing_intervals(void **state)
{
    (void)state;
    Device device = device_open();
    unplug(&device);
    run(&device, 1.9);
    assert_int_equal(attempts, 0);
    run(&device, 121);
    assert_in_range(attempts, 5, 7);
    device_close(&device);
}

/* A bad contact: each device that is opened is lost at once. */
static void a_device_that_is_lost_again_and_again_causes_neither_reports_nor_a_storm(void **state)
{
    (void)state;
    Device device = device_open();
    is_connected = false; /* but one can be opened */
    run(&device, 121);
    assert_in_range(attempts, 4, 7);
    assert_in_range(reports, 1, 2);
    assert_in_range(cn_audio_stats(device.audio).device_losses, 4, 8);
    device_close(&device);
}

static void the_system_can_be_destroyed_while_a_device_is_missing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        Device device = device_open();
        CnSound sound = sound_of_function(device.audio, AUDIO_RATE, sine_value);
        cn_audio_play(device.audio, &(CnPlayDesc){.sound = sound, .loop = true});
        run(&device, STEP);
        is_connected = false;
        can_open = i > 0;
        for (uint32_t frame = 0; frame < 60 * 2 + 2 * i; frame++) /* an attempt is under way */
            cn_audio_update(device.audio, STEP);
        if (i == 2)
            cn_sound_destroy(device.audio, sound);
        device_close(&device);
    }
}

static void sounds_made_without_a_device_are_heard_when_it_is_back(void **state)
{
    (void)state;
    Device device = device_open();
    unplug(&device);
    CnSound sound = sound_of_function(device.audio, AUDIO_RATE, sine_value);
    CnVoice voice = cn_audio_play(device.audio, &(CnPlayDesc){.sound = sound, .loop = true});
    plug_in(&device);
    assert_false(cn_voice_is_virtual(device.audio, voice));
    device_close(&device);
}

int main(void)
{
    setenv("ALSOFT_DRIVERS", "null", 1); /* before OpenAL is loaded */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voices_go_on_while_there_is_no_device),
        cmocka_unit_test(loops_and_streams_are_heard_again_where_they_are),
        cmocka_unit_test(a_loss_and_a_return_are_one_report_each),
        cmocka_unit_test(opening_is_tried_at_growing_intervals),
        cmocka_unit_test(a_device_that_is_lost_again_and_again_causes_neither_reports_nor_a_storm),
        cmocka_unit_test(the_system_can_be_destroyed_while_a_device_is_missing),
        cmocka_unit_test(sounds_made_without_a_device_are_heard_when_it_is_back),
    };
    return cmocka_run_group_tests_name("device loss", tests, NULL, NULL);
}

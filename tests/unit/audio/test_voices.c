/* Voices: limits, virtual voices, fades, ends, memory. */
#include "audio_fixture.h"

static void one_shots_end_at_the_right_time_without_a_device(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnSound sound = sound_of_function(audio, 24000, sine_value); /* half a second */
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .user = 7});
    CnVoice fast = cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .pitch = 2, .user = 8});
    CnVoiceEnd end;
    int updates = 0, fast_updates = 0;
    assert_false(cn_audio_is_audible(audio));
    while (cn_voice_is_playing(audio, voice) && updates < 100) {
        cn_audio_update(audio, 1.0 / 60);
        updates++;
        fast_updates += cn_voice_is_playing(audio, fast);
    }
    assert_in_range(updates, 31, 32); /* it starts in the first */
    assert_in_range(fast_updates, 15, 16);
    assert_true(cn_audio_next_ended(audio, &end));
    assert_int_equal(end.user, 8);
    assert_true(cn_audio_next_ended(audio, &end));
    assert_int_equal(end.user, 7);
    assert_int_equal(end.voice.id, voice.id);
    assert_false(end.is_stopped);
    assert_false(cn_audio_next_ended(audio, &end));
    cn_audio_destroy(audio);
}

static void one_shots_end_at_the_same_time_with_a_device(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    CnSound sound = sound_of_function(loop.audio, 24000, sine_value);
    CnVoice voice = cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sound});
    loopback_listen(&loop, 30);
    assert_true(cn_voice_is_playing(loop.audio, voice));
    loopback_listen(&loop, 3);
    assert_false(cn_voice_is_playing(loop.audio, voice));
    loopback_close(&loop);
}

static void mixed_voices_never_exceed_the_limit(void **state)
{
    (void)state;
    Loopback loop = loopback_open(&(CnAudioDesc){.max_voices = 8});
    CnSound sound = sound_of_function(loop.audio, AUDIO_RATE, noise_value);
    for (uint32_t i = 0; i < 200; i++) {
        float x = (float)(i * 37 % 41) - 20;
        cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sound,
                                                .loop = i % 2,
                                                .spatial = true,
                                                .position = {x, 0, (float)(i % 7)},
                                                .priority = (int8_t)(i % 3)});
        loopback_listen(&loop, 1);
        cn_audio_set_listener(loop.audio, &(CnAudioListener){.position = {-x, 0, 0}});
        assert_true(cn_audio_stats(loop.audio).mixed <= 8);
    }
    assert_int_equal(cn_audio_stats(loop.audio).most_mixed, 8);
    assert_true(cn_audio_stats(loop.audio).became_virtual > 20);
    loopback_close(&loop);
}

static void voices_of_higher_priority_are_mixed_first(void **state)
{
    (void)state;
    Loopback loop = loopback_open(&(CnAudioDesc){.max_voices = 2});
    CnSound sound = sound_of_function(loop.audio, AUDIO_RATE, noise_value);
    CnPlayDesc loud = {.sound = sound, .loop = true};
    CnPlayDesc important = {.sound = sound, .loop = true, .gain = 0.1f, .priority = 1};
    CnVoice first = cn_audio_play(loop.audio, &loud);
    CnVoice second = cn_audio_play(loop.audio, &loud);
    loopback_listen(&loop, 2);
    assert_false(cn_voice_is_virtual(loop.audio, first));
    assert_false(cn_voice_is_virtual(loop.audio, second));
    CnVoice third = cn_audio_play(loop.audio, &important);
    loopback_listen(&loop, 3);
    assert_false(cn_voice_is_virtual(loop.audio, third));
    assert_true(cn_voice_is_virtual(loop.audio, first) != cn_voice_is_virtual(loop.audio, second));
    loopback_close(&loop);
}

/* A different tone in each quarter of a second. */
static float staircase_value(uint32_t i)
{
    double hertz = 200.0 * (1 + i / 12000);
    return 0.5f * (float)sin(2 * 3.14159265358979 * hertz * i / AUDIO_RATE);
}

static double hertz_heard(const Loopback *loop, uint32_t from)
{
    int crossings = 0;
    for (uint32_t i = from; i + 1 < loop->frames; i++)
        crossings += (loop->stereo[2 * i] < 0) != (loop->stereo[2 * i + 2] < 0);
    return (double)crossings / 2 * AUDIO_RATE / (loop->frames - from);
}

static void a_virtual_voice_returns_at_the_right_position(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    CnSound sound = sound_of_function(loop.audio, 4 * 12000, staircase_value);
    CnVoice voice = cn_audio_play(
        loop.audio, &(CnPlayDesc){.sound = sound, .spatial = true, .position = {0, 0, -3}});
    loopback_listen(&loop, 6); /* a tenth of a second */
    assert_near(hertz_heard(&loop, 1600), 200, 20);
    cn_voice_set_position(loop.audio, voice, cn_vec3(0, 0, -1000));
    loopback_listen(&loop, 33);
    assert_true(cn_voice_is_virtual(loop.audio, voice));
    assert_near(cn_voice_seconds(loop.audio, voice), 38.0 / 60, 0.02);
    assert_true(loopback_level(&loop, 0, 4800, loop.frames) < 1e-6);
    cn_voice_set_position(loop.audio, voice, cn_vec3(0, 0, -3));
    loopback_listen(&loop, 5); /* 0.65 to 0.73 seconds: the third tone */
    assert_false(cn_voice_is_virtual(loop.audio, voice));
    assert_near(hertz_heard(&loop, 1600), 600, 40);
    loopback_close(&loop);
}

static double largest_step(const Loopback *loop)
{
    double most = 0;
    for (uint32_t i = 1; i < loop->frames; i++)
        most = fmax(most, fabs((double)loop->stereo[2 * i] - (double)loop->stereo[2 * i - 2]));
    return most;
}

static void fades_pauses_and_stops_have_no_clicks(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    CnSound sine = sound_of_function(loop.audio, AUDIO_RATE * 2, sine_value);
    CnVoice voice = cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sine, .loop = true});
    loopback_listen(&loop, 6);
    double steady = largest_step(&loop), most = 0;
    assert_true(steady > 0.001);
    for (int i = 0; i < 10; i++) {
        CnAudio *audio = loop.audio;
        switch (i) {
        case 0:
            cn_audio_set_bus(audio, CN_AUDIO_BUS_EFFECTS, 0.1f, 0);
            break;
        case 1:
            cn_audio_set_bus(audio, CN_AUDIO_BUS_EFFECTS, 0.7f, 0.05f);
            break;
        case 2:
            cn_voice_set_gain(audio, voice, 0.3f, 0);
            break;
        case 3:
            cn_voice_set_gain(audio, voice, 1, 0);
            break;
        case 4:
            cn_voice_pause(audio, voice);
            break;
        case 5:
            cn_voice_resume(audio, voice);
            break;
        case 6:
            cn_audio_pause_bus(audio, CN_AUDIO_BUS_MASTER);
            break;
        case 7:
            cn_audio_resume_bus(audio, CN_AUDIO_BUS_MASTER);
            break;
        case 8:
            cn_voice_set_lowpass(audio, voice, 0.2f);
            break;
        case 9:
            cn_voice_stop(audio, voice, 0);
            break;
        }
        loopback_listen(&loop, 20);
        most = fmax(most, largest_step(&loop));
    }
    assert_false(cn_voice_is_playing(loop.audio, voice));
    assert_true(most < 1.5 * steady);
    loopback_close(&loop);
}

static void paused_voices_keep_their_position(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnSound sound = sound_of_function(audio, AUDIO_RATE, sine_value);
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    for (int i = 0; i < 30; i++)
        cn_audio_update(audio, 1.0 / 60);
    double before = cn_voice_seconds(audio, voice);
    cn_voice_pause(audio, voice);
    for (int i = 0; i < 100; i++)
        cn_audio_update(audio, 1.0 / 60);
    assert_true(cn_voice_is_playing(audio, voice));
    assert_near(cn_voice_seconds(audio, voice), before, 1e-9);
    cn_voice_resume(audio, voice);
    for (int i = 0; i < 33; i++)
        cn_audio_update(audio, 1.0 / 60);
    assert_false(cn_voice_is_playing(audio, voice));
    cn_audio_destroy(audio);
}

static void steady_playing_makes_no_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    Loopback loop =
        loopback_open(&(CnAudioDesc){.allocator = cn_heap_tag(heap, "audio"), .max_voices = 16});
    CnSound sound = sound_of_function(loop.audio, 12000, noise_value);
    uint64_t calls = 0;
    loopback_listen(&loop, 1);
    for (uint32_t i = 0; i < 400; i++) {
        cn_audio_play(
            loop.audio,
            &(CnPlayDesc){.sound = sound, .spatial = true, .position = {(float)(i % 17), 0, 3}});
        cn_audio_update(loop.audio, 1.0 / 60);
        cn_audio_render(loop.audio, loop.stereo, AUDIO_STEP);
        if (i == 200)
            calls = cn_heap_stats(heap).calls;
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    loopback_close(&loop);
    cn_heap_destroy(heap);
}

static void a_full_system_ends_the_least_important_voice(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(&(CnAudioDesc){.max_playing = 4}, NULL);
    CnSound sound = sound_of_function(audio, AUDIO_RATE, sine_value);
    CnVoice quiet = cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .gain = 0.1f});
    for (int i = 0; i < 3; i++)
        cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    assert_int_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound, .gain = 0.01f}).id, 0);
    assert_true(cn_voice_is_playing(audio, quiet));
    assert_int_not_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound}).id, 0);
    assert_false(cn_voice_is_playing(audio, quiet));
    assert_int_equal(cn_audio_stats(audio).refused, 1);
    cn_audio_destroy(audio);
}

static void stale_and_null_handles_are_ignored(void **state)
{
    (void)state;
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnSound sound = sound_of_function(audio, 480, sine_value);
    CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){.sound = sound});
    cn_sound_destroy(audio, sound);
    assert_false(cn_voice_is_playing(audio, voice));
    cn_voice_stop(audio, voice, 1);
    cn_voice_pause(audio, (CnVoice){0});
    cn_voice_set_gain(audio, (CnVoice){0xFFFFFFFF}, 1, 0);
    assert_int_equal(cn_audio_play(audio, &(CnPlayDesc){.sound = sound}).id, 0);
    cn_sound_destroy(audio, sound);
    cn_audio_destroy(audio);
}

static void a_destroyed_sound_can_be_heard_no_more(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    CnSound sound = sound_of_function(loop.audio, AUDIO_RATE, noise_value);
    cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sound, .loop = true});
    loopback_listen(&loop, 5);
    cn_sound_destroy(loop.audio, sound);
    loopback_listen(&loop, 5);
    assert_true(loopback_level(&loop, 0, 2400, loop.frames) < 1e-6);
    assert_int_equal(cn_audio_stats(loop.audio).sound_bytes, 0);
    loopback_close(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_shots_end_at_the_right_time_without_a_device),
        cmocka_unit_test(one_shots_end_at_the_same_time_with_a_device),
        cmocka_unit_test(mixed_voices_never_exceed_the_limit),
        cmocka_unit_test(voices_of_higher_priority_are_mixed_first),
        cmocka_unit_test(a_virtual_voice_returns_at_the_right_position),
        cmocka_unit_test(fades_pauses_and_stops_have_no_clicks),
        cmocka_unit_test(paused_voices_keep_their_position),
        cmocka_unit_test(steady_playing_makes_no_heap_call),
        cmocka_unit_test(a_full_system_ends_the_least_important_voice),
        cmocka_unit_test(stale_and_null_handles_are_ignored),
        cmocka_unit_test(a_destroyed_sound_can_be_heard_no_more),
    };
    return cmocka_run_group_tests_name("voices", tests, NULL, NULL);
}

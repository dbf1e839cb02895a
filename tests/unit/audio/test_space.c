/* Direction, distance, muffling and reverb, measured on a loop-back device. */
#include "audio_fixture.h"

static CnVoice play_noise_at(Loopback *loop, CnVec3 position)
{
    CnSound noise = sound_of_function(loop->audio, AUDIO_RATE, noise_value);
    return cn_audio_play(
        loop->audio,
        &(CnPlayDesc){.sound = noise, .spatial = true, .loop = true, .position = position});
}

/* The delay of the right channel against the left one in samples: positive if the left hears a
 * sound first. */
static int delay_of_right(const Loopback *loop)
{
    int best = 0;
    double most = 0;
    for (int lag = -60; lag <= 60; lag++) {
        double sum = 0;
        for (int i = 4800; i < 24000; i++)
            sum += (double)loop->stereo[2 * i] * (double)loop->stereo[2 * (i + lag) + 1];
        if (fabs(sum) > most) {
            most = fabs(sum);
            best = lag;
        }
    }
    return best;
}

static void a_source_on_the_left_is_louder_and_earlier_on_the_left(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    assert_true(cn_audio_has_hrtf(loop.audio));
    play_noise_at(&loop, cn_vec3(-3, 0, 0));
    loopback_listen(&loop, 60);
    double left = loopback_level(&loop, 0, 4800, 48000);
    double right = loopback_level(&loop, 1, 4800, 48000);
    assert_true(left > 1.5 * right);
    int delay = delay_of_right(&loop);
    assert_true(delay >= 10 && delay <= 50); /* 0.2 to 1 ms: a head */
    loopback_close(&loop);
}

static void a_source_on_the_right_is_louder_and_earlier_on_the_right(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    play_noise_at(&loop, cn_vec3(3, 0, 0));
    loopback_listen(&loop, 60);
    assert_true(loopback_level(&loop, 1, 4800, 48000) >
                1.5 * loopback_level(&loop, 0, 4800, 48000));
    assert_true(delay_of_right(&loop) <= -10);
    loopback_close(&loop);
}

static void a_listener_that_turns_around_hears_the_other_side(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    play_noise_at(&loop, cn_vec3(-3, 0, 0));
    cn_audio_set_listener(loop.audio,
                          &(CnAudioListener){.rotation = cn_quat_from_euler(cn_vec3(0, 180, 0))});
    loopback_listen(&loop, 60);
    assert_true(loopback_level(&loop, 1, 4800, 48000) >
                1.5 * loopback_level(&loop, 0, 4800, 48000));
    loopback_close(&loop);
}

static void a_place_far_from_the_origin_sounds_the_same(void **state)
{
    (void)state;
    CnVec3 far = {1 << 20, 100, -(1 << 20)};
    Loopback loop = loopback_open(NULL);
    play_noise_at(&loop, cn_vec3_add(far, cn_vec3(-3, 0, 0)));
    cn_audio_set_listener(loop.audio,
                          &(CnAudioListener){.position = far, .rotation = {0, 0, 0, 1}});
    loopback_listen(&loop, 60);
    assert_true(loopback_level(&loop, 0, 4800, 48000) >
                1.5 * loopback_level(&loop, 1, 4800, 48000));
    loopback_close(&loop);
}

static double level_at(float distance)
{
    Loopback loop = loopback_open(NULL);
    play_noise_at(&loop, cn_vec3(0, 0, -distance));
    loopback_listen(&loop, 30);
    double level = loopback_level(&loop, 0, 4800, 24000);
    loopback_close(&loop);
    return level;
}

static void the_level_falls_with_distance_as_the_model_says(void **state)
{
    (void)state;
    double at_reference = level_at(5);
    assert_true(at_reference > 0.001);
    assert_near(level_at(2) / at_reference, 1, 0.02);      /* clamped */
    assert_near(level_at(10) / at_reference, 0.5, 0.02);   /* 5 / 10 */
    assert_near(level_at(25) / at_reference, 0.2, 0.01);   /* 5 / 25 */
    assert_near(level_at(50) / at_reference, 0.1, 0.005);  /* 5 / 50 */
    assert_near(level_at(75) / at_reference, 0.05, 0.005); /* half of that */
    assert_near(level_at(101) / at_reference, 0, 0.0001);
}

/* The level of what changes from sample to sample: high frequencies. */
static double high_band(const Loopback *loop)
{
    double sum = 0;
    for (uint32_t i = 9600; i < loop->frames; i++) {
        double step = (double)loop->stereo[2 * i] - (double)loop->stereo[2 * i - 2];
        sum += step * step;
    }
    return sqrt(sum);
}

static double low_band(const Loopback *loop)
{
    double sum = 0, smooth = 0;
    for (uint32_t i = 4800; i < loop->frames; i++) {
        smooth += 0.02 * ((double)loop->stereo[2 * i] - smooth);
        if (i >= 9600)
            sum += smooth * smooth;
    }
    return sqrt(sum);
}

static void occlusion_lowers_the_high_band_more_than_the_low_band(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    CnVoice voice = play_noise_at(&loop, cn_vec3(0, 0, -3));
    loopback_listen(&loop, 60);
    double high = high_band(&loop), low = low_band(&loop);
    cn_voice_set_occlusion(loop.audio, voice, 0.8f, 0.1f);
    loopback_listen(&loop, 60);
    assert_true(high_band(&loop) < 0.4 * high);
    assert_true(low_band(&loop) > 0.6 * low);
    loopback_close(&loop);
}

/* The level from half a second after a click on. */
static double tail_after_click(const CnReverb *reverb)
{
    Loopback loop = loopback_open(NULL);
    cn_audio_set_reverb(loop.audio, reverb, 0);
    CnSound noise = sound_of_function(loop.audio, 2400, noise_value);
    loopback_listen(&loop, 10);
    cn_audio_play(loop.audio,
                  &(CnPlayDesc){.sound = noise, .spatial = true, .position = {0, 0, -3}});
    loopback_listen(&loop, 60);
    double level = loopback_level(&loop, 0, 24000, 48000);
    loopback_close(&loop);
    return level;
}

static void reverb_has_a_tail(void **state)
{
    (void)state;
    double without = tail_after_click(NULL);
    double with = tail_after_click(&(CnReverb){.gain = 0.5f, .decay_seconds = 3});
    double with_short = tail_after_click(&(CnReverb){.gain = 0.5f, .decay_seconds = 0.4f});
    assert_true(without < 1e-6);
    assert_true(with > 1e-4);
    assert_true(with > 10 * with_short);
}

static void a_dry_voice_has_no_reverb(void **state)
{
    (void)state;
    Loopback loop = loopback_open(NULL);
    cn_audio_set_reverb(loop.audio, &(CnReverb){.gain = 0.5f, .decay_seconds = 3}, 0);
    CnSound noise = sound_of_function(loop.audio, 2400, noise_value);
    loopback_listen(&loop, 10);
    cn_audio_play(loop.audio, &(CnPlayDesc){.sound = noise, .spatial = true, .dry = true});
    loopback_listen(&loop, 60);
    assert_true(loopback_level(&loop, 0, 24000, 48000) < 1e-6);
    loopback_close(&loop);
}

static void doppler_raises_the_pitch_of_what_approaches(void **state)
{
    (void)state;
    int crossings[2] = {0, 0};
    for (int approaching = 0; approaching < 2; approaching++) {
        Loopback loop = loopback_open(&(CnAudioDesc){.doppler = true});
        CnSound sine = sound_of_function(loop.audio, AUDIO_RATE, sine_value);
        cn_audio_play(loop.audio, &(CnPlayDesc){.sound = sine,
                                                .spatial = true,
                                                .loop = true,
                                                .position = {0, 0, -4},
                                                .velocity = {0, 0, approaching ? 34.3f : 0}});
        loopback_listen(&loop, 60);
        for (uint32_t i = 4800; i + 1 < loop.frames; i++)
            crossings[approaching] += (loop.stereo[2 * i] < 0) != (loop.stereo[2 * i + 2] < 0);
        loopback_close(&loop);
    }
    double factor = (double)crossings[1] / crossings[0];
    assert_near(factor, 1 / 0.9, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_on_the_left_is_louder_and_earlier_on_the_left),
        cmocka_unit_test(a_source_on_the_right_is_louder_and_earlier_on_the_right),
        cmocka_unit_test(a_listener_that_turns_around_hears_the_other_side),
        cmocka_unit_test(a_place_far_from_the_origin_sounds_the_same),
        cmocka_unit_test(the_level_falls_with_distance_as_the_model_says),
        cmocka_unit_test(occlusion_lowers_the_high_band_more_than_the_low_band),
        cmocka_unit_test(reverb_has_a_tail),
        cmocka_unit_test(a_dry_voice_has_no_reverb),
        cmocka_unit_test(doppler_raises_the_pitch_of_what_approaches),
    };
    return cmocka_run_group_tests_name("audio in space", tests, NULL, NULL);
}

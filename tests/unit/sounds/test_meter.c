/* The meters of the sound tool measure what the standards say. */
#include "sounds/filter.h"
#include "sounds/loudness.h"
#include "cmocka_tests.h"

#include <cairn/base/math.h>

static Signal sine(float hz, float amplitude, double seconds, uint32_t channels)
{
    Signal signal = signal_create(signal_frames(seconds), channels);
    for (uint32_t c = 0; c < channels; c++)
        for (uint32_t i = 0; i < signal.frames; i++)
            signal_channel(&signal, c)[i] =
                amplitude * (float)cn_sin(2 * CN_PI * (double)hz * i / SOUNDS_RATE);
    return signal;
}

static void assert_near(float value, float wanted, float within)
{
    assert_float_equal(value, wanted, within);
}

static void a_full_scale_sine_of_997_hz_has_minus_3_lufs(void **state)
{
    (void)state;
    Signal signal = sine(997, 1, 5, 1);
    assert_near(loudness_integrated(&signal), -3.01f, 0.1f);
    signal_destroy(&signal);
}

static void two_channels_add_three_decibels(void **state)
{
    (void)state;
    Signal signal = sine(997, decibels(-20), 5, 2);
    assert_near(loudness_integrated(&signal), -20, 0.1f);
    signal_destroy(&signal);
}

static void silence_does_not_lower_the_integrated_loudness(void **state)
{
    (void)state;
    Signal signal = sine(997, decibels(-20), 20, 2);
    for (uint32_t c = 0; c < 2; c++)
        for (uint32_t i = signal.frames / 2; i < signal.frames; i++)
            signal_channel(&signal, c)[i] = 0;
    assert_near(loudness_integrated(&signal), -20, 0.3f);
    signal_destroy(&signal);
}

static void true_peaks_between_samples_are_found(void **state)
{
    (void)state;
    /* A quarter of the rate, sampled beside its peaks: the samples reach only 0.707. */
    Signal signal = signal_create(4800, 1);
    for (uint32_t i = 0; i < signal.frames; i++)
        signal.samples[i] = (float)cn_sin(CN_PI / 2 * i + CN_PI / 4);
    assert_near(signal_peak(&signal), 0.7071f, 0.001f);
    assert_near(true_peak(&signal), 1, 0.05f);
    signal_destroy(&signal);
}

static void mastering_reaches_the_loudness_without_clipping(void **state)
{
    (void)state;
    Signal signal = sine(440, 0.01f, 1, 1);
    for (uint32_t i = 0; i < 40; i++)
        signal.samples[i * 1000] += 0.2f; /* peaks */
    master(&signal, -18);
    assert_near(loudness_of(&signal), -18, 0.5f);
    assert_true(true_peak(&signal) <= 0.9f);
    signal_destroy(&signal);
}

static void a_loop_continues_across_its_end(void **state)
{
    (void)state;
    Signal signal = sine(123.4f, 0.5f, 2, 1);
    Signal loop = signal_loop(&signal, 4800);
    float step = cn_fabsf(loop.samples[0] - loop.samples[loop.frames - 1]);
    assert_true(step < 0.5f * 2 * CN_PIF * 123.4f / SOUNDS_RATE_F * 1.1f);
    signal_destroy(&loop);
}

static void dc_is_removed(void **state)
{
    (void)state;
    Signal signal = sine(500, 0.2f, 2, 1);
    for (uint32_t i = 0; i < signal.frames; i++)
        signal.samples[i] += 0.3f;
    filter_dc(&signal);
    assert_true(dc_of(&signal) < 0.003f);
    signal_destroy(&signal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_scale_sine_of_997_hz_has_minus_3_lufs),
        cmocka_unit_test(two_channels_add_three_decibels),
        cmocka_unit_test(silence_does_not_lower_the_integrated_loudness),
        cmocka_unit_test(true_peaks_between_samples_are_found),
        cmocka_unit_test(mastering_reaches_the_loudness_without_clipping),
        cmocka_unit_test(a_loop_continues_across_its_end),
        cmocka_unit_test(dc_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

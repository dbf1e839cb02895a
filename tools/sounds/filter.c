/* Coefficients after R. Bristow-Johnson's Audio EQ Cookbook. */
#include "filter.h"

#include <cairn/base/math.h>

static float held(float hz)
{
    return hz < 5 ? 5 : hz > 0.45f * SOUNDS_RATE_F ? 0.45f * SOUNDS_RATE_F : hz;
}

static void set(Biquad *f, float b0, float b1, float b2, float a0, float a1, float a2)
{
    f->b0 = b0 / a0;
    f->b1 = b1 / a0;
    f->b2 = b2 / a0;
    f->a1 = a1 / a0;
    f->a2 = a2 / a0;
}

static void set_shelf(Biquad *f, float c, float alpha, float a, float sign)
{
    float root = 2 * cn_sqrtf(a) * alpha, p = a + 1, m = a - 1;
    set(f, a * (p - sign * m * c + root), sign * 2 * a * (m - sign * p * c),
        a * (p - sign * m * c - root), p + sign * m * c + root, sign * -2 * (m + sign * p * c),
        p + sign * m * c - root);
}

void biquad_set(Biquad *f, FilterKind kind, float hz, float q, float db)
{
    float s, c;
    cn_sincosf(2 * CN_PIF * held(hz) / SOUNDS_RATE_F, &s, &c);
    float alpha = s / (2 * (q > 0.05f ? q : 0.05f)), a = decibels(db / 2);
    switch (kind) {
    case FILTER_LOWPASS:
        set(f, (1 - c) / 2, 1 - c, (1 - c) / 2, 1 + alpha, -2 * c, 1 - alpha);
        break;
    case FILTER_HIGHPASS:
        set(f, (1 + c) / 2, -1 - c, (1 + c) / 2, 1 + alpha, -2 * c, 1 - alpha);
        break;
    case FILTER_BANDPASS:
        set(f, alpha, 0, -alpha, 1 + alpha, -2 * c, 1 - alpha);
        break;
    case FILTER_PEAK:
        set(f, 1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a);
        break;
    case FILTER_LOWSHELF:
        set_shelf(f, c, alpha, a, 1);
        break;
    case FILTER_HIGHSHELF:
        set_shelf(f, c, alpha, a, -1);
        break;
    case FILTER_KIND_COUNT:
        break;
    }
}

float biquad_next(Biquad *f, float x)
{
    float y = f->b0 * x + f->b1 * f->x1 + f->b2 * f->x2 - f->a1 * f->y1 - f->a2 * f->y2;
    /* Silence ends in zeros, not in subnormal numbers, which are slow. */
    if (y < 1e-15f && y > -1e-15f)
        y = 0;
    f->x2 = f->x1;
    f->x1 = x;
    f->y2 = f->y1;
    f->y1 = y;
    return y;
}

void resonator_set(Biquad *f, float hz, float bandwidth_hz)
{
    biquad_set(f, FILTER_BANDPASS, hz, held(hz) / (bandwidth_hz > 1 ? bandwidth_hz : 1), 0);
}

void filter_dc(Signal *signal)
{
    for (uint32_t c = 0; c < signal->channels; c++) {
        Biquad high = {0};
        biquad_set(&high, FILTER_HIGHPASS, 18, 0.7071f, 0);
        float *samples = signal_channel(signal, c);
        for (uint32_t i = 0; i < signal->frames; i++)
            samples[i] = biquad_next(&high, samples[i]);
    }
}

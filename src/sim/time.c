#include <cairn/sim/time.h>

/* Limits a value to 0 to `most`; returns 0 for NaN. */
static double bounded(double value, double most)
{
    if (!(value > 0))
        return 0;
    return value < most ? value : most;
}

/* A leaky counter: each frame adds one over `seconds` seconds, and the past fades. It needs no
 * exp, and at a steady rate it equals the rate from the first frame on. */
static float smoothed_fps(float fps, double seconds)
{
    if (seconds < CN_TIME_MIN_FRAME)
        return fps;
    if (fps <= 0)
        return (float)(1 / seconds);
    return (float)((CN_TIME_FPS_SMOOTHING * (double)fps + 1) / (CN_TIME_FPS_SMOOTHING + seconds));
}

void cn_time_init(CnTime *time)
{
    CN_ASSERT(time, "%s: time is NULL", __func__);
    *time = (CnTime){.scale = 1};
}

double cn_time_advance(CnTime *time, double real_seconds)
{
    CN_ASSERT(time, "%s: time is NULL", __func__);
    double real = bounded(real_seconds, CN_TIME_MAX_REAL_DELTA);
    double scale = bounded(time->scale, CN_TIME_MAX_SCALE);
    time->unscaled_delta = bounded(real, CN_TIME_MAX_DELTA);
    time->delta = time->unscaled_delta * scale;
    time->elapsed += time->delta;
    time->unscaled_elapsed += real;
    time->frame_count++;
    time->fps = smoothed_fps(time->fps, real);
    return real * scale;
}

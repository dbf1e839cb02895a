/* Loudness after ITU-R BS.1770-4, and other measures of finished sounds. */
#ifndef SOUNDS_LOUDNESS_H
#define SOUNDS_LOUDNESS_H

#include "signal.h"

#define LOUDNESS_SILENCE (-120.0f)

/* Integrated loudness in LUFS: blocks of 400 ms that overlap by three quarters, gated at -70 LUFS
 * and at 10 below the mean. For sounds of at least 3 s. */
float loudness_integrated(const Signal *signal);
/* The loudest 400 ms, or all of a shorter sound: the measure of one-shots. */
float loudness_momentary(const Signal *signal);
/* The measure that suits the length: integrated from 3 s on. */
float loudness_of(const Signal *signal);
/* The largest absolute value between samples, too: four times oversampled. */
float true_peak(const Signal *signal);
/* The mean, as a factor. */
float dc_of(const Signal *signal);
/* Seconds until the signal first reaches a tenth of its peak. */
float onset_seconds(const Signal *signal);

/* Changes the gain until the loudness is as wanted, and holds peaks below -1 dB with a limiter that
 * looks ahead. */
void master(Signal *signal, float lufs);

#endif

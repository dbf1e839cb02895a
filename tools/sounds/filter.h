/* Filters of signals. Frequencies are in hertz and are restricted to what the rate can hold. */
#ifndef SOUNDS_FILTER_H
#define SOUNDS_FILTER_H

#include "signal.h"

typedef enum FilterKind {
    FILTER_LOWPASS,
    FILTER_HIGHPASS,
    FILTER_BANDPASS, /* peak gain 1 */
    FILTER_PEAK,
    FILTER_LOWSHELF,
    FILTER_HIGHSHELF,
    FILTER_KIND_COUNT
} FilterKind;

/* A second-order section: y = b0 x + b1 x' + b2 x" - a1 y' - a2 y". */
typedef struct Biquad {
    float b0, b1, b2, a1, a2;
    float x1, x2, y1, y2;
} Biquad;

/* Sets the coefficients and keeps the state. `db` is the gain of peaks and shelves. */
void biquad_set(Biquad *filter, FilterKind kind, float hz, float q, float db);
float biquad_next(Biquad *filter, float x);

/* A resonator with the gain 1 at its frequency: one formant of a voice. */
void resonator_set(Biquad *filter, float hz, float bandwidth_hz);

/* Removes what lies below about 15 Hz. */
void filter_dc(Signal *signal);

#endif

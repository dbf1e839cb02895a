/* A room: eight delay lines that feed each other, with damping of high frequencies. */
#ifndef SOUNDS_REVERB_H
#define SOUNDS_REVERB_H

#include "signal.h"

typedef struct ReverbDesc {
    float seconds;  /* decay of 60 dB at low frequencies */
    float damp_hz;  /* above, the decay is shorter */
    float mix;      /* 0: dry, 1: only the room */
    float size;     /* factor of the lengths of the lines; 1 is a hall */
    float delay_ms; /* before the room answers */
} ReverbDesc;

/* The tail is cut at the end of the signal. */
void reverb_apply(Signal *signal, const ReverbDesc *desc);

#endif

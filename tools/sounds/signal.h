/* Signals: samples of one or two channels at 48 kHz, and the random numbers that shape them. All
 * mathematics is that of cairn/base/math.h, so a signal has the same bits on every machine. */
#ifndef SOUNDS_SIGNAL_H
#define SOUNDS_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOUNDS_RATE 48000u
#define SOUNDS_RATE_F 48000.0f

/* Channels follow each other in memory: channel c begins at samples + c * frames. */
typedef struct Signal {
    float *samples;
    uint32_t frames, channels;
} Signal;

/* Out of memory ends the program: it runs at build time. */
Signal signal_create(uint32_t frames, uint32_t channels);
void signal_destroy(Signal *signal);
float *signal_channel(const Signal *signal, uint32_t channel);
uint32_t signal_frames(double seconds);
void signal_scale(Signal *signal, float factor);
/* Adds a mono signal at a frame, panned from -1 (left) to 1 with constant power. A mono destination
 * ignores the pan. What lies outside is dropped. */
void signal_mix(Signal *to, const Signal *mono, int64_t frame, float gain, float pan);
float signal_peak(const Signal *signal);
/* Shortens it to the first `frames` frames. */
void signal_cut(Signal *signal, uint32_t frames);
/* Removes frames from the beginning. */
void signal_skip(Signal *signal, uint32_t frames);
/* Fades the first and the last frames with the square of a sine. */
void signal_fade(Signal *signal, uint32_t in, uint32_t out);
/* Returns a signal shortened by `fade` frames whose end continues in its beginning: the frames that
 * are removed from the end are cross-faded into the beginning. Destroys the argument. */
Signal signal_loop(Signal *signal, uint32_t fade);

float decibels(float db); /* as a factor of amplitude */
float to_decibels(float factor);

/* Random numbers: the same sequence for the same seed. */
typedef struct Random {
    uint64_t state;
} Random;

Random random_named(const char *name, uint64_t number);
uint32_t random_bits(Random *random);
float random_unit(Random *random); /* 0 to 1, without 1 */
float random_between(Random *random, float low, float high);
float random_bipolar(Random *random); /* -1 to 1 */

#endif

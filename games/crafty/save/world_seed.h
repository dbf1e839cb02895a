/*
 * Seeds of worlds as people write them.
 *
 *     uint64_t seed;
 *     crafty_seed_from_text("-5", &seed, &error);      // the number, in two's complement
 *     crafty_seed_from_text("glacier", &seed, &error); // a hash, the same on every machine
 *     crafty_seed_from_text("", &seed, &error);        // a random one
 */
#ifndef CRAFTY_SAVE_WORLD_SEED_H
#define CRAFTY_SAVE_WORLD_SEED_H

#include <cairn/base/error.h>

#define CRAFTY_SEED_TEXT_BYTES 24u

/* Blanks at both ends are ignored. A decimal number from -2^63 to 2^64 - 1 is the seed itself;
 * negative ones in two's complement, so that 18446744073709551615 and -1 are the same seed. Other
 * text is hashed: XXH3 of its bytes with the seed 0. Empty text is a random seed of the operating
 * system; returns false and an error only if there is none. */
bool crafty_seed_from_text(const char *text, uint64_t *seed, CnError *error);
/* Writes the seed as a signed number, which crafty_seed_from_text reads back. */
void crafty_seed_to_text(uint64_t seed, char text[CRAFTY_SEED_TEXT_BYTES]);

#endif

/* Deterministic random numbers for `crafty world torture` (splitmix64): the same seed gives the
 * same faults. */
#ifndef CRAFTY_WORLD_COMMAND_TORTURE_RANDOM_H
#define CRAFTY_WORLD_COMMAND_TORTURE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TortureRandom {
    uint64_t state;
} TortureRandom;

static inline uint64_t torture_random(TortureRandom *random)
{
    uint64_t x = random->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* 0 to n - 1; 0 when n is 0. */
static inline uint32_t torture_random_below(TortureRandom *random, uint32_t n)
{
    return (uint32_t)(((torture_random(random) >> 32) * n) >> 32);
}

/* True in `percent` of 100 cases. */
static inline bool torture_random_chance(TortureRandom *random, uint32_t percent)
{
    return torture_random_below(random, 100) < percent;
}

#endif

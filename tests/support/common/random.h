/* Deterministic random numbers for tests (splitmix64): the same seed gives the same test. */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_RANDOM_H
#define CAIRN_TESTS_SUPPORT_COMMON_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TestRandom {
    uint64_t state;
} TestRandom;

static inline uint64_t test_random(TestRandom *random)
{
    uint64_t x = random->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* 0 to n - 1; 0 when n is 0. */
static inline uint32_t test_random_below(TestRandom *random, uint32_t n)
{
    return (uint32_t)(((test_random(random) >> 32) * n) >> 32);
}

/* From 0 up to, but not including, 1. */
static inline double test_random_unit(TestRandom *random)
{
    return (double)(test_random(random) >> 11) * 0x1p-53;
}

/* True in `percent` of 100 cases. */
static inline bool test_random_chance(TestRandom *random, uint32_t percent)
{
    return test_random_below(random, 100) < percent;
}

#endif

/*
 * Tables of the functions of cairn/base/math.h, each with the C library's long double function, and
 * fixed sets of arguments, shared by tests of accuracy, golden hashes and the comparison of
 * compilers.
 */
#ifndef CAIRN_TESTS_SUPPORT_BASE_MATH_FUNCTIONS_H
#define CAIRN_TESTS_SUPPORT_BASE_MATH_FUNCTIONS_H

#include "random.h"

#include <cairn/base/math.h>

/* `most_ulp` is the maximum error in units of the last place. */
typedef struct MathFloat1 {
    const char *name;
    float (*call)(float);
    long double (*exact)(long double);
    double most_ulp;
} MathFloat1;

typedef struct MathFloat2 {
    const char *name;
    float (*call)(float, float);
    long double (*exact)(long double, long double);
    double most_ulp;
} MathFloat2;

typedef struct MathDouble1 {
    const char *name;
    double (*call)(double);
    long double (*exact)(long double);
    double most_ulp;
} MathDouble1;

typedef struct MathDouble2 {
    const char *name;
    double (*call)(double, double);
    long double (*exact)(long double, long double);
    double most_ulp;
} MathDouble2;

#define MATH_ONE_ARGUMENT 15
#define MATH_TWO_ARGUMENTS 4
extern const MathFloat1 math_float1[MATH_ONE_ARGUMENT];
extern const MathFloat2 math_float2[MATH_TWO_ARGUMENTS];
extern const MathDouble1 math_double1[MATH_ONE_ARGUMENT];
extern const MathDouble2 math_double2[MATH_TWO_ARGUMENTS];

uint32_t math_float_bits(float x);
uint64_t math_double_bits(double x);
float math_float_from_bits(uint32_t bits);
double math_double_from_bits(uint64_t bits);

/* Returns the i-th argument of a set that covers every range: all bit patterns, magnitudes from 1/8
 * to 1000 and a million, near 1, near 0, and special values. */
float math_float_argument(TestRandom *random, uint32_t i);
double math_double_argument(TestRandom *random, uint32_t i);

/* Calls report(name, hash, user) for every function, in a fixed order, with the hash of the bits of
 * its results for `count` arguments. */
void math_hash_all(uint32_t count, void (*report)(const char *name, uint64_t hash, void *user),
                   void *user);

#endif

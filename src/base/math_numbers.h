/* Made by tools/make_math_numbers.py, which says how: change that, not this. */
#ifndef CAIRN_BASE_MATH_NUMBERS_H
#define CAIRN_BASE_MATH_NUMBERS_H

#include <stdint.h>

/* clang-format off */
/* The sum of both is meant; lo is at most half an ulp of hi. */
typedef struct CniPair {
    double hi, lo;
} CniPair;

typedef struct CniLogRow {
    double inverse, log_hi, log_lo, log2;
} CniLogRow;

/* pi/2 in pieces: 33 bits, 33 bits and the rest, for multiples up to 2^20. */
#define CNI_HALF_PI_1 0x1.921fb54400000p+0
#define CNI_HALF_PI_2 0x1.0b4611a600000p-34
#define CNI_HALF_PI_3 0x1.3198a2e037073p-69

/* pi/2 in two pieces: 31 bits and the rest, for arguments that were floats. */
#define CNI_HALF_PI_SHORT 0x1.921fb54400000p+0
#define CNI_HALF_PI_REST 0x1.0b4611a626331p-34

/* Pairs of doubles whose sum is the constant to 106 bits. */
#define CNI_HALF_PI_HI 0x1.921fb54442d18p+0
#define CNI_HALF_PI_LO 0x1.1a62633145c07p-54
#define CNI_PI_HI 0x1.921fb54442d18p+1
#define CNI_PI_LO 0x1.1a62633145c07p-53
#define CNI_TWO_OVER_PI 0x1.45f306dc9c883p-1

/* sin(x) = x + x^3 P(x^2), |x| <= pi/4; relative error 2^-57.1. */
static const double cni_sin_terms[7] = {
    -0x1.5555555555555p-3,
    0x1.1111111111110p-7,
    -0x1.a01a01a019938p-13,
    0x1.71de3a5460952p-19,
    -0x1.ae645412c4787p-26,
    0x1.61217f0ac7f98p-33,
    -0x1.ab17d3985bccep-41,
};

/* cos(x) = 1 - x^2/2 + x^4 P(x^2), |x| <= pi/4; relative error 2^-59.5. */
static const double cni_cos_terms[6] = {
    0x1.5555555555555p-5,
    -0x1.6c16c16c16967p-10,
    0x1.a01a019f4eafap-16,
    -0x1.27e4fa17d9864p-22,
    0x1.1eeb68e8b2372p-29,
    -0x1.907da304ce77bp-37,
};

/* sin(x) = x + x^3 P(x^2), |x| <= pi/4; relative error 2^-35.6. */
static const double cni_sin_terms_float[4] = {
    -0x1.555555545e0a4p-3,
    0x1.11110def2cf0bp-7,
    -0x1.a013a792247bcp-13,
    0x1.6dbe07b551a2cp-19,
};

/* cos(x) = 1 - x^2/2 + x^4 P(x^2), |x| <= pi/4; relative error 2^-39.6. */
static const double cni_cos_terms_float[4] = {
    0x1.5555555502cf2p-5,
    -0x1.6c16bf54e65aep-10,
    0x1.a015c47c8395cp-16,
    -0x1.25244dcc3a26dp-22,
};

/* The bits of 2/pi after the point, behind a word of zeros. */
extern const uint64_t cni_two_over_pi[22];

/* atan(t) = t + t^3 P(t^2), |t| <= 3.5 / 64; relative error 2^-64.0. */
static const double cni_atan_terms[7] = {
    -0x1.5555555555555p-2,
    0x1.999999999999ap-3,
    -0x1.2492492492432p-3,
    0x1.c71c71c6be356p-4,
    -0x1.745d15e5fa84dp-4,
    0x1.3b110ea215b4dp-4,
    -0x1.0e8f12b9f599dp-4,
};

/* atan(t) = t + t^3 P(t^2), |t| <= 1; relative error 2^-34.5. */
static const double cni_atan_terms_float[12] = {
    -0x1.555555543c557p-2,
    0x1.9999971f594e7p-3,
    -0x1.2491d128f2977p-3,
    0x1.c70a6be6d4163p-4,
    -0x1.73a719b0b93d9p-4,
    0x1.36bfd2210f14ap-4,
    -0x1.ffb2b9595f5b2p-5,
    0x1.837061ab40426p-5,
    -0x1.ea18af61c3e87p-6,
    0x1.cd243cc325c05p-7,
    -0x1.14abab0185470p-8,
    0x1.36ecfc48d188bp-11,
};

#define CNI_ATAN_STEPS 64
#define CNI_ATAN_FIRST 4

/* atan(i / 64). */
extern const CniPair cni_atan_table[65];

/* ln 2 / 128: 34 bits and the rest, for multiples up to 2^18; and what it is divided by. */
#define CNI_EXP_STEPS 128
#define CNI_EXP_STEPS_SHIFT 7
#define CNI_EXP_STEP_1 0x1.62e42fef80000p-8
#define CNI_EXP_STEP_2 0x1.1cf79abc9e3b4p-43
#define CNI_EXP_STEPS_PER_UNIT 0x1.71547652b82fep+7
#define CNI_LN2 0x1.62e42fefa39efp-1

/* exp(r) = 1 + r + r^2 P(r), |r| <= ln 2 / 256; relative error 2^-63.7. */
static const double cni_exp_terms[4] = {
    0x1.fffffffffff58p-2,
    0x1.555555555515ap-3,
    0x1.55555ace1f5aep-5,
    0x1.111123f766646p-7,
};

/* 2^(r / 128) = 1 + r P(r), |r| <= 1/2; relative error 2^-40.7. */
static const double cni_exp_terms_float[3] = {
    0x1.62e42fefa328ap-8,
    0x1.ebfbeec1de6c5p-17,
    0x1.c6b0b32f8946ep-26,
};

/* 2^(j / 128). */
extern const CniPair cni_exp_table[128];

/* ln 2: 42 bits and the rest, for multiples up to 2^11; and pairs. */
#define CNI_LN2_1 0x1.62e42fefa3800p-1
#define CNI_LN2_2 0x1.ef35793c76730p-45
#define CNI_LOG2E_HI 0x1.71547652b82fep+0
#define CNI_LOG2E_LO 0x1.777d0ffda0d24p-56

#define CNI_LOG_FIRST 0x3fe7000000000000u

/* log(1 + r) = r - r^2/2 + r^3 P(r), |r| <= 1/128; relative error 2^-69.4. */
static const double cni_log_terms[7] = {
    0x1.5555555555555p-2,
    -0x1.000000000002dp-2,
    0x1.9999999999965p-3,
    -0x1.5555554a1c585p-3,
    0x1.2492492160571p-3,
    -0x1.00059b13de94ap-3,
    0x1.c723d62a6e1f6p-4,
};

/* log2(1 + r) = r P(r), |r| <= 1/128; relative error 2^-49.7. */
static const double cni_log_terms_float[6] = {
    0x1.71547652b8305p+0,
    -0x1.71547652b82ecp-1,
    0x1.ec709dbc31072p-2,
    -0x1.715476512a70bp-2,
    0x1.277bb8a02f6d3p-2,
    -0x1.ec76ced72a36fp-3,
};

/* An octave from 0.71875 in 128 parts: 1/c, log(c) as a pair, log2(c). */
extern const CniLogRow cni_log_table[128];
/* clang-format on */

#endif

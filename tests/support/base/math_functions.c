#include "math_functions.h"

#include <cairn/base/hash_map.h>

#include <math.h>
#include <string.h>

/* Inline functions and those with several results, in the form of the tables. */
static float sqrt_float(float x)
{
    return cn_sqrtf(x);
}

static float floor_float(float x)
{
    return cn_floorf(x);
}

static float ceil_float(float x)
{
    return cn_ceilf(x);
}

static float trunc_float(float x)
{
    return cn_truncf(x);
}

static float round_float(float x)
{
    return cn_roundf(x);
}

static double sqrt_double(double x)
{
    return cn_sqrt(x);
}

static double floor_double(double x)
{
    return cn_floor(x);
}

static double ceil_double(double x)
{
    return cn_ceil(x);
}

static double trunc_double(double x)
{
    return cn_trunc(x);
}

static double round_double(double x)
{
    return cn_round(x);
}

const MathFloat1 math_float1[MATH_ONE_ARGUMENT] = {
    {"sinf", cn_sinf, sinl, 0.51},       {"cosf", cn_cosf, cosl, 0.51},
    {"tanf", cn_tanf, tanl, 0.51},       {"asinf", cn_asinf, asinl, 0.51},
    {"acosf", cn_acosf, acosl, 0.51},    {"atanf", cn_atanf, atanl, 0.51},
    {"expf", cn_expf, expl, 0.51},       {"exp2f", cn_exp2f, exp2l, 0.51},
    {"logf", cn_logf, logl, 0.51},       {"log2f", cn_log2f, log2l, 0.51},
    {"sqrtf", sqrt_float, sqrtl, 0.501}, {"floorf", floor_float, floorl, 0},
    {"ceilf", ceil_float, ceill, 0},     {"truncf", trunc_float, truncl, 0},
    {"roundf", round_float, roundl, 0},
};

const MathFloat2 math_float2[MATH_TWO_ARGUMENTS] = {
    {"atan2f", cn_atan2f, atan2l, 0.51},
    {"powf", cn_powf, powl, 0.51},
    {"hypotf", cn_hypotf, hypotl, 0.51},
    {"fmodf", cn_fmodf, fmodl, 0},
};

const MathDouble1 math_double1[MATH_ONE_ARGUMENT] = {
    {"sin", cn_sin, sinl, 0.90},         {"cos", cn_cos, cosl, 0.90},
    {"tan", cn_tan, tanl, 1.10},         {"asin", cn_asin, asinl, 0.80},
    {"acos", cn_acos, acosl, 0.80},      {"atan", cn_atan, atanl, 0.80},
    {"exp", cn_exp, expl, 0.53},         {"exp2", cn_exp2, exp2l, 0.53},
    {"log", cn_log, logl, 0.53},         {"log2", cn_log2, log2l, 0.53},
    {"sqrt", sqrt_double, sqrtl, 0.501}, {"floor", floor_double, floorl, 0},
    {"ceil", ceil_double, ceill, 0},     {"trunc", trunc_double, truncl, 0},
    {"round", round_double, roundl, 0},
};

const MathDouble2 math_double2[MATH_TWO_ARGUMENTS] = {
    {"atan2", cn_atan2, atan2l, 0.80},
    {"pow", cn_pow, powl, 0.53},
    {"hypot", cn_hypot, hypotl, 0.51},
    {"fmod", cn_fmod, fmodl, 0},
};

uint32_t math_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint64_t math_double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float math_float_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double math_double_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- Arguments ---- */

static double between(TestRandom *random, double low, double high)
{
    return low + test_random_unit(random) * (high - low);
}

static double some_number(TestRandom *random, uint32_t kind)
{
    switch (kind) {
    case 0:
        return between(random, -1, 1);
    case 1:
        return between(random, -8, 8);
    case 2:
        return between(random, -750, 750);
    case 3:
        return between(random, -1e6, 1e6);
    case 4: /* near 1 */
        return 1 + between(random, -1, 1) / (double)(1ull << test_random_below(random, 50));
    case 5: /* near 0 */
        return between(random, -1, 1) / (double)(1ull << test_random_below(random, 63));
    case 6: /* near a multiple of pi/2 */
        return (double)test_random_below(random, 1 << 20) * (CN_PI / 2);
    default: /* whole and half numbers */
        return ((double)test_random_below(random, 4001) - 2000) * 0.5;
    }
}

float math_float_argument(TestRandom *random, uint32_t i)
{
    static const float special[] = {
        0.0f, 1.0f, 0x1p-149f, 0x1.fffffep-127f, 0x1p-126f, 0x1.fffffep127f, 0x1p23f, 6.5e6f};
    uint32_t kind = i % 16;
    if (kind < 7)
        return math_float_from_bits((uint32_t)test_random(random));
    if (kind < 15)
        return (float)some_number(random, kind - 7);
    float x = i % 5 == 0 ? __builtin_inff() : special[test_random_below(random, 8)];
    return test_random_chance(random, 50) ? -x : x;
}

double math_double_argument(TestRandom *random, uint32_t i)
{
    static const double special[] = {
        0.0,    1.0,  0x1p-1074, 0x1.ffffffffffffep-1023, 0x1p-1022, 0x1.fffffffffffffp1023,
        0x1p52, 1.6e6};
    uint32_t kind = i % 16;
    if (kind < 7)
        return math_double_from_bits(test_random(random));
    if (kind < 15)
        return some_number(random, kind - 7);
    double x = i % 5 == 0 ? __builtin_inf() : special[test_random_below(random, 8)];
    return test_random_chance(random, 50) ? -x : x;
}

/* ---- Hashes ---- */

#define BLOCK 1024u

/* The second argument of a function that has two goes through the kinds more slowly, so that each
 * kind of the first meets each kind of the second. */
#define HASH_RESULTS(Type, function_call)                                                          \
    Type results[BLOCK];                                                                           \
    TestRandom random = {1};                                                                       \
    uint64_t hash = 0;                                                                             \
    for (uint32_t begin = 0; begin < count; begin += BLOCK) {                                      \
        uint32_t size = count - begin < BLOCK ? count - begin : BLOCK;                             \
        for (uint32_t i = 0; i < size; i++)                                                        \
            results[i] = function_call;                                                            \
        hash = cn_hash_bytes(results, size * sizeof results[0], hash);                             \
    }                                                                                              \
    return hash

static uint64_t hash_float1(const MathFloat1 *function, uint32_t count)
{
    HASH_RESULTS(float, function->call(math_float_argument(&random, begin + i)));
}

static uint64_t hash_double1(const MathDouble1 *function, uint32_t count)
{
    HASH_RESULTS(double, function->call(math_double_argument(&random, begin + i)));
}

static float call_float2(const MathFloat2 *function, TestRandom *random, uint32_t i)
{
    float x = math_float_argument(random, i);
    return function->call(x, math_float_argument(random, i / 16));
}

static double call_double2(const MathDouble2 *function, TestRandom *random, uint32_t i)
{
    double x = math_double_argument(random, i);
    return function->call(x, math_double_argument(random, i / 16));
}

static uint64_t hash_float2(const MathFloat2 *function, uint32_t count)
{
    HASH_RESULTS(float, call_float2(function, &random, begin + i));
}

static uint64_t hash_double2(const MathDouble2 *function, uint32_t count)
{
    HASH_RESULTS(double, call_double2(function, &random, begin + i));
}

static uint64_t hash_sincosf_many(uint32_t count)
{
    float x[BLOCK], results[2][BLOCK];
    TestRandom random = {1};
    uint64_t hash = 0;
    for (uint32_t begin = 0; begin < count; begin += BLOCK) {
        for (uint32_t i = 0; i < BLOCK; i++)
            x[i] = math_float_argument(&random, begin + i);
        cn_sincosf_array(BLOCK, x, results[0], results[1]);
        hash = cn_hash_bytes(results, sizeof results, hash);
    }
    return hash;
}

void math_hash_all(uint32_t count, void (*report)(const char *name, uint64_t hash, void *user),
                   void *user)
{
    for (uint32_t i = 0; i < MATH_ONE_ARGUMENT; i++)
        report(math_float1[i].name, hash_float1(&math_float1[i], count), user);
    for (uint32_t i = 0; i < MATH_TWO_ARGUMENTS; i++)
        report(math_float2[i].name, hash_float2(&math_float2[i], count), user);
    for (uint32_t i = 0; i < MATH_ONE_ARGUMENT; i++)
        report(math_double1[i].name, hash_double1(&math_double1[i], count), user);
    for (uint32_t i = 0; i < MATH_TWO_ARGUMENTS; i++)
        report(math_double2[i].name, hash_double2(&math_double2[i], count), user);
    report("sincosf_many", hash_sincosf_many(count), user);
}

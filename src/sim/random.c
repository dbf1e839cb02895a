#include "sim/philox.h"

#include <cairn/sim/random.h>

#include <float.h>
#include <cairn/base/math.h>

CnRandom cn_random_make(uint64_t seed, const char *name)
{
    return (CnRandom){.key = cn_hash_bytes(name, strlen(name), seed)};
}

void cn_random_skip(CnRandom *random, uint64_t numbers)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    random->counter += numbers;
}

/* ---- Stateless ---- */

/* Generators draw the second word of a block, and these functions the first: they may share a
 * key. */
uint64_t cn_random_at(uint64_t key, uint64_t index_a, uint64_t index_b)
{
    return cni_sim_philox(key, index_a, index_b).first;
}

CnRandom cn_random_fork(uint64_t key, uint64_t index_a, uint64_t index_b)
{
    return (CnRandom){.key = cn_random_at(key, index_a, index_b)};
}

/* ---- Numbers ---- */

uint64_t cn_random_u64(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    return cni_sim_philox(random->key, random->counter++, 0).second;
}

uint32_t cn_random_u32(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    return (uint32_t)(cn_random_u64(random) >> 32);
}

/* Multiplying 64 random bits by n distributes them over n intervals of 2^64; the high word is
 * the interval. Each interval gets 2^64 / n of them, rounded up or down; rejecting those whose
 * low word is below 2^64 mod n makes it down for all (Lemire, "Fast random integer generation in
 * an interval", 2019). The remainder is below n, so most draws need not compute it. With n = 0,
 * nothing is rejected. */
uint64_t cn_random_below(CnRandom *random, uint64_t n)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    CN_ASSERT(n > 0, "the upper bound must not be 0");
    unsigned __int128 product = (unsigned __int128)cn_random_u64(random) * n;
    if (CN_UNLIKELY((uint64_t)product < n)) {
        uint64_t remainder = -n % n; /* of 2^64 */
        while ((uint64_t)product < remainder)
            product = (unsigned __int128)cn_random_u64(random) * n;
    }
    return (uint64_t)(product >> 64);
}

int64_t cn_random_range(CnRandom *random, int64_t lo, int64_t hi)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    CN_ASSERT(lo <= hi, "the range from %lld to %lld is empty", (long long)lo, (long long)hi);
    if (lo > hi)
        return lo;
    uint64_t count = (uint64_t)hi - (uint64_t)lo + 1; /* 0: the whole range */
    uint64_t offset = count ? cn_random_below(random, count) : cn_random_u64(random);
    return (int64_t)((uint64_t)lo + offset);
}

float cn_random_f32(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    return (float)(cn_random_u64(random) >> 40) * 0x1p-24f;
}

double cn_random_f64(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    return (double)(cn_random_u64(random) >> 11) * 0x1p-53;
}

float cn_random_f32_range(CnRandom *random, float lo, float hi)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    double width = (double)hi - (double)lo;
    CN_ASSERT(width >= 0 && width <= DBL_MAX, "the range from %g to %g is invalid", (double)lo,
              (double)hi);
    if (!(width > 0 && width <= DBL_MAX))
        return lo;
    for (;;) {
        float value = (float)((double)lo + width * cn_random_f64(random));
        if (value < hi)
            return value;
    }
}

bool cn_random_bool(CnRandom *random, double probability)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    return cn_random_f64(random) < probability;
}

/* ---- Directions ---- */

/* Draws a point in the unit disc, but never its center: pairs of odd multiples of 2^-32 from -1
 * to 1, until one is inside. Returns the squared distance from the center. */
static double point_in_disc(CnRandom *random, double *x, double *y)
{
    for (;;) {
        uint64_t bits = cn_random_u64(random);
        *x = ((double)(int32_t)(bits >> 32) + 0.5) * 0x1p-31;
        *y = ((double)(int32_t)(uint32_t)bits + 0.5) * 0x1p-31;
        double square = *x * *x + *y * *y;
        if (square < 1)
            return square;
    }
}

/* Doubles the angle of the point by trigonometric identities, which needs no root (von Neumann). */
CnVec2 cn_random_unit2(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    double x, y, square = point_in_disc(random, &x, &y);
    return (CnVec2){(float)((x * x - y * y) / square), (float)(2 * x * y / square)};
}

/* Marsaglia, "Choosing a point from the surface of a sphere", 1972. Roots are correctly rounded
 * on every machine. */
CnVec3 cn_random_unit3(CnRandom *random)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    double x, y, square = point_in_disc(random, &x, &y);
    double scale = 2 * cn_sqrt(1 - square);
    return (CnVec3){(float)(x * scale), (float)(y * scale), (float)(1 - 2 * square)};
}

/* ---- Arrays ---- */

void cn_random_shuffle(CnRandom *random, uint32_t *items, uint32_t count)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)cn_random_below(random, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[other];
        items[other] = item;
    }
}

uint32_t cn_random_pick(CnRandom *random, const uint32_t *items, uint32_t count)
{
    CN_ASSERT(random, "%s: random is NULL", __func__);
    CN_ASSERT(count > 0, "nothing to pick from");
    return count ? items[cn_random_below(random, count)] : 0;
}

/*
 * log and log2 of doubles. x = 2^e c (1 + r): the logarithm of c from a table of pairs, where 1/c
 * is so short that r comes out exactly; then log(1 + r) by a polynomial of which all but the first
 * two terms are small.
 */
#include "base/math/math_kernel.h"

/* x = 2^exponent / inverse * (1 + rest), where |rest| <= 1/128. */
typedef struct Split {
    double exponent;
    const CniBaseLogRow *row;
    CniBaseDoubleDouble rest;
} Split;

CN_FORCE_INLINE Split split(double x)
{
    uint64_t bits = cni_base_double_bits(x);
    double exponent_of_subnormal = 0;
    if (CN_UNLIKELY(bits < 0x0010000000000000u)) {
        bits = cni_base_double_bits(x * 0x1p54);
        exponent_of_subnormal = -54;
    }
    /* Counted from the first bits of the octave, the upper bits are exponent and part. */
    uint64_t offset = bits - CNI_BASE_LOG_FIRST;
    double exponent = (double)((int64_t)offset >> 52) + exponent_of_subnormal;
    uint64_t mantissa = bits - (offset & 0xfff0000000000000u);
    const CniBaseLogRow *row = &cni_base_log_table[offset >> 45 & 127];

    /* Both products are exact: the halves have 26 and 27 bits, the inverse 12. */
    double first = cni_base_first_half(cni_base_double_from_bits(mantissa));
    double second = cni_base_double_from_bits(mantissa) - first;
    CniBaseDoubleDouble rest =
        cni_base_fast_two_sum(first * row->inverse - 1, second * row->inverse);
    return (Split){exponent, row, rest};
}

/* The logarithm of 2^exponent / inverse. */
CN_FORCE_INLINE CniBaseDoubleDouble log_of_base(const Split *x)
{
    CniBaseDoubleDouble sum = cni_base_fast_two_sum(x->exponent * CNI_BASE_LN2_1, x->row->log_hi);
    sum.lo += x->exponent * CNI_BASE_LN2_2 + x->row->log_lo;
    return sum;
}

CniBaseDoubleDouble cni_base_log_pair(double x)
{
    Split parts = split(x);
    CniBaseDoubleDouble r = parts.rest, base = log_of_base(&parts);
    CniBaseDoubleDouble square = cni_base_two_product(r.hi, r.hi);
    double terms =
        cni_base_polynomial_split(r.hi, cni_base_log_terms, CN_COUNT_OF(cni_base_log_terms));
    CniBaseDoubleDouble sum = cni_base_two_sum(base.hi, r.hi);
    CniBaseDoubleDouble total = cni_base_two_sum(sum.hi, -0.5 * square.hi);
    double small = base.lo + ((r.lo - r.hi * r.lo) - 0.5 * square.lo);
    small += r.hi * square.hi * terms;
    return cni_base_fast_two_sum(total.hi, (sum.lo + total.lo) + small);
}

/* The same to about 60 bits: enough unless it is multiplied by something large. */
CN_FORCE_INLINE CniBaseDoubleDouble short_log_pair(double x)
{
    Split parts = split(x);
    CniBaseDoubleDouble r = parts.rest, base = log_of_base(&parts);
    double terms =
        cni_base_polynomial_split(r.hi, cni_base_log_terms, CN_COUNT_OF(cni_base_log_terms));
    CniBaseDoubleDouble sum = cni_base_two_sum(base.hi, r.hi);
    double small = r.hi * r.hi * (r.hi * terms - 0.5) + (r.lo + base.lo);
    return (CniBaseDoubleDouble){sum.hi, sum.lo + small};
}

/* Of what is not positive and finite. */
static double log_of_unusual(double x)
{
    if (x == 0)
        return -__builtin_inf();
    return x > 0 ? x : CN_NAN;
}

CN_FORCE_INLINE bool is_usual(double x)
{
    return cni_base_double_bits(x) - 1 < CNI_BASE_INF_BITS - 1;
}

double cn_log(double x)
{
    if (CN_UNLIKELY(!is_usual(x)))
        return log_of_unusual(x);
    CniBaseDoubleDouble log = short_log_pair(x);
    return log.hi + log.lo;
}

double cn_log2(double x)
{
    if (CN_UNLIKELY(!is_usual(x)))
        return log_of_unusual(x);
    CniBaseDoubleDouble log = short_log_pair(x);
    log = cni_base_fast_two_sum(log.hi, log.lo);
    CniBaseDoubleDouble product = cni_base_two_product(log.hi, CNI_BASE_LOG2E_HI);
    return product.hi + (product.lo + (log.hi * CNI_BASE_LOG2E_LO + log.lo * CNI_BASE_LOG2E_HI));
}

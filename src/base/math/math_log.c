/*
 * log and log2 of doubles. x = 2^e c (1 + r): the logarithm of c from a table of pairs, where 1/c
 * is so short that r comes out exactly; then log(1 + r) by a polynomial of which all but the first
 * two terms are small.
 */
#include "base/math/math_kernel.h"

/* x = 2^exponent / inverse * (1 + rest), where |rest| <= 1/128. */
typedef struct Split {
    double exponent;
    const CniLogRow *row;
    CniPair rest;
} Split;

CN_FORCE_INLINE Split split(double x)
{
    uint64_t bits = cni_bits(x);
    double exponent_of_subnormal = 0;
    if (CN_UNLIKELY(bits < 0x0010000000000000u)) {
        bits = cni_bits(x * 0x1p54);
        exponent_of_subnormal = -54;
    }
    /* Counted from the first bits of the octave, the upper bits are exponent and part. */
    uint64_t offset = bits - CNI_LOG_FIRST;
    double exponent = (double)((int64_t)offset >> 52) + exponent_of_subnormal;
    uint64_t mantissa = bits - (offset & 0xfff0000000000000u);
    const CniLogRow *row = &cni_log_table[offset >> 45 & 127];

    /* Both products are exact: the halves have 26 and 27 bits, the inverse 12. */
    double first = cni_first_half(cni_from_bits(mantissa));
    double second = cni_from_bits(mantissa) - first;
    CniPair rest = cni_sum_ordered(first * row->inverse - 1, second * row->inverse);
    return (Split){exponent, row, rest};
}

/* The logarithm of 2^exponent / inverse. */
CN_FORCE_INLINE CniPair log_of_base(const Split *x)
{
    CniPair sum = cni_sum_ordered(x->exponent * CNI_LN2_1, x->row->log_hi);
    sum.lo += x->exponent * CNI_LN2_2 + x->row->log_lo;
    return sum;
}

CniPair cni_log_pair(double x)
{
    Split parts = split(x);
    CniPair r = parts.rest, base = log_of_base(&parts);
    CniPair square = cni_product(r.hi, r.hi);
    double terms = cni_polynomial_split(r.hi, cni_log_terms, CN_COUNT_OF(cni_log_terms));
    CniPair sum = cni_sum(base.hi, r.hi);
    CniPair total = cni_sum(sum.hi, -0.5 * square.hi);
    double small = base.lo + ((r.lo - r.hi * r.lo) - 0.5 * square.lo);
    small += r.hi * square.hi * terms;
    return cni_sum_ordered(total.hi, (sum.lo + total.lo) + small);
}

/* The same to about 60 bits: enough unless it is multiplied by something large. */
CN_FORCE_INLINE CniPair short_log_pair(double x)
{
    Split parts = split(x);
    CniPair r = parts.rest, base = log_of_base(&parts);
    double terms = cni_polynomial_split(r.hi, cni_log_terms, CN_COUNT_OF(cni_log_terms));
    CniPair sum = cni_sum(base.hi, r.hi);
    double small = r.hi * r.hi * (r.hi * terms - 0.5) + (r.lo + base.lo);
    return (CniPair){sum.hi, sum.lo + small};
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
    return cni_bits(x) - 1 < CNI_INF_BITS - 1;
}

double cn_log(double x)
{
    if (CN_UNLIKELY(!is_usual(x)))
        return log_of_unusual(x);
    CniPair log = short_log_pair(x);
    return log.hi + log.lo;
}

double cn_log2(double x)
{
    if (CN_UNLIKELY(!is_usual(x)))
        return log_of_unusual(x);
    CniPair log = short_log_pair(x);
    log = cni_sum_ordered(log.hi, log.lo);
    CniPair product = cni_product(log.hi, CNI_LOG2E_HI);
    return product.hi + (product.lo + (log.hi * CNI_LOG2E_LO + log.lo * CNI_LOG2E_HI));
}

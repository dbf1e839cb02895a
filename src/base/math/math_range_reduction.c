/*
 * Reduction of angles of any size by multiples of pi/2, after Payne and Hanek ("Radian reduction
 * for trigonometric functions", 1983): only the bits of x * 2/pi around the binary point matter.
 * Bits before it that are multiples of 4 are full turns, and bits far behind it are too small to
 * matter. So a window of 2/pi is multiplied by the mantissa, in integers.
 */
#include "base/math/math_kernel.h"

__extension__ typedef unsigned __int128 Wide;

/* Bits `first` to `first` + 63 of a table, counted from the top of its first word. */
static uint64_t bits_from(const uint64_t *words, int first)
{
    const uint64_t *word = words + first / 64;
    int skip = first % 64;
    return skip == 0 ? word[0] : word[0] << skip | word[1] >> (64 - skip);
}

/* x = mantissa * 2^exponent. The window begins with the bit of 2/pi that is worth 2 in the product;
 * the fraction of the product is right to 137 bits. */
static void multiply_window(uint64_t mantissa, int exponent, uint64_t product[3])
{
    int first = exponent - 2 + 64;
    uint64_t w0 = bits_from(cni_base_two_over_pi, first);
    uint64_t w1 = bits_from(cni_base_two_over_pi, first + 64);
    uint64_t w2 = bits_from(cni_base_two_over_pi, first + 128);
    Wide low = (Wide)mantissa * w2;
    Wide middle = (Wide)mantissa * w1 + (uint64_t)(low >> 64);
    product[2] = (uint64_t)low;
    product[1] = (uint64_t)middle;
    product[0] = mantissa * w0 + (uint64_t)(middle >> 64);
}

static void shift_left(uint64_t words[3], int count)
{
    words[0] = words[0] << count | words[1] >> (64 - count);
    words[1] = words[1] << count | words[2] >> (64 - count);
    words[2] <<= count;
}

static void negate(uint64_t words[3])
{
    words[2] = ~words[2] + 1;
    words[1] = ~words[1] + (words[2] == 0);
    words[0] = ~words[0] + (words[2] == 0 && words[1] == 0);
}

/* A fraction below 1/2, as the 192 bits behind the point. No double comes closer to a multiple of
 * pi/2 than 2^-62 of it, so a bit of the first two words is set. */
static CniBaseDoubleDouble pair_from_fraction(uint64_t words[3])
{
    int zeros = 0;
    if (words[0] == 0) {
        words[0] = words[1], words[1] = words[2], words[2] = 0;
        zeros = 64;
    }
    int leading = __builtin_clzll(words[0] | 1);
    if (leading > 0)
        shift_left(words, leading);
    zeros += leading;
    double hi = (double)(words[0] >> 11);
    double lo = (double)((words[0] << 53 | words[1] >> 11) >> 11);
    return (CniBaseDoubleDouble){hi * cni_base_power_of_two(-53 - zeros),
                                 lo * cni_base_power_of_two(-106 - zeros)};
}

CniBaseReducedAngle cni_base_reduce_angle(double x)
{
    uint64_t bits = cni_base_size_bits(x), words[3];
    uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    multiply_window(mantissa, (int)(bits >> 52) - 1075, words);
    uint32_t quadrant = (uint32_t)(words[0] >> 62);
    shift_left(words, 2);
    bool is_above = words[0] >> 63; /* the next multiple is nearer */
    if (is_above) {
        negate(words);
        quadrant++;
    }
    CniBaseDoubleDouble half_pi = {CNI_BASE_HALF_PI_HI, CNI_BASE_HALF_PI_LO};
    CniBaseDoubleDouble rest = cni_base_pair_product(pair_from_fraction(words), half_pi);
    bool is_negative = x < 0;
    if (is_above != is_negative)
        rest = (CniBaseDoubleDouble){-rest.hi, -rest.lo};
    return (CniBaseReducedAngle){rest, is_negative ? 0u - quadrant : quadrant};
}

#!/usr/bin/env python3
"""Writes src/base/math/math_tables.h and src/base/math/math_tables.c: the constants, polynomials and tables
of the functions in cairn/base/math.h. The build does not run it; the files are in the tree.

Everything is computed here with 90 digits (Debian package python3-mpmath) and rounded once, to the
nearest double. Polynomials are Chebyshev fits (mpmath.chebyfit) of the part of a function that its
exact first terms leave over; they lie within a bit of the best possible. The error of each fit,
measured with the rounded coefficients, is written beside it.

Usage: make_math_numbers.py [root of the tree]
"""

import sys
from pathlib import Path

from mpmath import atan, chebyfit, cos, exp, floor, frexp, ldexp, log, mp, mpf, pi, sin, sqrt

mp.dps = 90
LN2 = log(2)

EXP_STEPS = 128   # intervals per octave in the table of powers of two
LOG_STEPS = 128   # intervals per octave in the table of logarithms
LOG_FIRST = 0x3FE7000000000000  # bits of the double at the start of the logarithm octave, 0.71875
ATAN_STEPS = 64   # intervals of 0..1 in the table of angles
ATAN_FIRST = 4    # first interval that uses it; below, the angle is a polynomial of the slope
INVERSE_BITS = 12


def rounded(x, bits=53):
    """Rounds x to nearest with that many bits."""
    with mp.workprec(bits):
        return +x


def cut(x, bits):
    """Returns the first bits of x, so that products with small integers are exact."""
    mantissa, exponent = frexp(x)
    return ldexp(floor(ldexp(mantissa, bits)), exponent - bits)


def number(x):
    return float(rounded(x)).hex()


def pair(x):
    high = rounded(x)
    return number(high), number(x - high)


class Writer:
    def __init__(self):
        self.header, self.source = [], []

    def constant(self, name, x):
        self.header.append(f"#define {name} {number(x)}")

    def pair(self, name, x):
        high, low = pair(x)
        self.header += [f"#define {name}_HI {high}", f"#define {name}_LO {low}"]

    def blank(self, comment):
        self.header += ["", f"/* {comment} */"]

    def polynomial(self, name, comment, function, low, high, count, share):
        """Fits `function` with `count` coefficients, lowest first. share(x) converts an error
        of the fit to a relative error of the result. An interval that contains 0 is stretched
        slightly at one end, because the remainder is 0/0 at 0, which must not be a point of the fit."""
        if low < 0:
            high *= mpf(1025) / 1024
        coefficients = [rounded(c) for c in reversed(chebyfit(function, [low, high], count))]
        worst = mpf(0)
        for i in range(1, 1999):
            x = low + (high - low) * i / 1999
            fit = sum(c * x**k for k, c in enumerate(coefficients))
            worst = max(worst, abs((fit - function(x)) * share(x)))
        error = f"2^{float(log(worst, 2)):.1f}"
        self.header += ["", f"/* {comment}; relative error {error}. */",
                        f"static const double {name}[{count}] = {{"]
        self.header += [f"    {number(c)}," for c in coefficients] + ["};"]

    def table(self, comment, kind, name, size, rows):
        declaration = f"const {kind} cni_{name}[{size}]"
        self.header += ["", f"/* {comment} */", f"extern {declaration};"]
        self.source += ["", f"{declaration} = {{"] + [f"    {row}," for row in rows] + ["};"]


def write_circle(out):
    half_pi = pi / 2
    out.blank("pi/2 in pieces: 33 bits, 33 bits and the rest, for multiples up to 2^20.")
    first = cut(half_pi, 33)
    second = cut(half_pi - first, 33)
    out.constant("CNI_BASE_HALF_PI_1", first)
    out.constant("CNI_BASE_HALF_PI_2", second)
    out.constant("CNI_BASE_HALF_PI_3", half_pi - first - second)
    out.blank("pi/2 in two pieces: 31 bits and the rest, for arguments that were floats.")
    out.constant("CNI_BASE_HALF_PI_SHORT", cut(half_pi, 31))
    out.constant("CNI_BASE_HALF_PI_REST", half_pi - cut(half_pi, 31))
    out.blank("Pairs of doubles whose sum is the constant to 106 bits.")
    out.pair("CNI_HALF_PI", half_pi)
    out.pair("CNI_PI", pi)
    out.constant("CNI_BASE_TWO_OVER_PI", 2 / pi)

    end = (pi / 4 * (1 + mpf(2)**-20))**2
    start = mpf(2)**-60
    fits = (("", 7, 6), ("_FLOAT", 4, 4))
    for suffix, sine_count, cosine_count in fits:
        out.polynomial(f"cni_base_sin_terms{suffix.lower()}",
                       "sin(x) = x + x^3 P(x^2), |x| <= pi/4",
                       lambda u: (sin(sqrt(u)) / sqrt(u) - 1) / u, start, end, sine_count,
                       lambda u: u * sqrt(u) / sin(sqrt(u)))
        out.polynomial(f"cni_base_cos_terms{suffix.lower()}",
                       "cos(x) = 1 - x^2/2 + x^4 P(x^2), |x| <= pi/4",
                       lambda u: (cos(sqrt(u)) - 1 + u / 2) / u**2, start, end, cosine_count,
                       lambda u: u**2 / cos(sqrt(u)))

    words = 21
    with mp.workprec(64 * words + 64):
        bits = int(floor(2 / pi * mpf(2)**(64 * words)))
    rows = ["0x0000000000000000u"]
    rows += [f"0x{bits >> (64 * (words - 1 - i)) & (2**64 - 1):016x}u" for i in range(words)]
    out.table("The bits of 2/pi after the point, behind a word of zeros.", "uint64_t",
              "two_over_pi", words + 1, rows)


def write_angles(out):
    widest = (mpf(ATAN_FIRST) - 0.5) / ATAN_STEPS * (1 + mpf(2)**-20)
    out.polynomial("cni_base_atan_terms",
                   f"atan(t) = t + t^3 P(t^2), |t| <= {ATAN_FIRST - 0.5} / {ATAN_STEPS}",
                   lambda u: (atan(sqrt(u)) / sqrt(u) - 1) / u, mpf(2)**-60, widest**2, 7,
                   lambda u: u * sqrt(u) / atan(sqrt(u)))
    out.polynomial("cni_base_atan_terms_float", "atan(t) = t + t^3 P(t^2), |t| <= 1",
                   lambda u: (atan(sqrt(u)) / sqrt(u) - 1) / u, mpf(2)**-60, mpf(1), 12,
                   lambda u: u * sqrt(u) / atan(sqrt(u)))
    out.header += ["", f"#define CNI_BASE_ATAN_STEPS {ATAN_STEPS}",
                   f"#define CNI_BASE_ATAN_FIRST {ATAN_FIRST}"]
    rows = ["{%s, %s}" % pair(atan(mpf(i) / ATAN_STEPS)) for i in range(ATAN_STEPS + 1)]
    out.table(f"atan(i / {ATAN_STEPS}).", "CniBaseDoubleDouble", "atan_table", ATAN_STEPS + 1, rows)


def write_powers(out):
    out.blank(f"ln 2 / {EXP_STEPS}: 34 bits and the rest, for multiples up to 2^18; and the divisor.")
    step = LN2 / EXP_STEPS
    out.header += [f"#define CNI_BASE_EXP_STEPS {EXP_STEPS}",
                   f"#define CNI_BASE_EXP_STEPS_SHIFT {EXP_STEPS.bit_length() - 1}"]
    out.constant("CNI_BASE_EXP_STEP_1", cut(step, 34))
    out.constant("CNI_BASE_EXP_STEP_2", step - cut(step, 34))
    out.constant("CNI_BASE_EXP_STEPS_PER_UNIT", 1 / step)
    out.constant("CNI_BASE_LN2", LN2)
    widest = step / 2 * (1 + mpf(2)**-20)
    out.polynomial("cni_base_exp_terms", f"exp(r) = 1 + r + r^2 P(r), |r| <= ln 2 / {2 * EXP_STEPS}",
                   lambda r: (exp(r) - 1 - r) / r**2, -widest, widest, 4, lambda r: r**2)
    out.polynomial("cni_base_exp_terms_float",
                   f"2^(r / {EXP_STEPS}) = 1 + r P(r), |r| <= 1/2",
                   lambda r: (exp(r * step) - 1) / r, -mpf(1) / 2, mpf(1) / 2, 3, lambda r: r)
    rows = ["{%s, %s}" % pair(mpf(2)**(mpf(j) / EXP_STEPS)) for j in range(EXP_STEPS)]
    out.table(f"2^(j / {EXP_STEPS}).", "CniBaseDoubleDouble", "exp_table", EXP_STEPS, rows)


def double_from_bits(bits):
    return ldexp(mpf((bits & (2**52 - 1)) | 2**52), (bits >> 52) - 1075)


def log_row(i):
    """Returns the shortened inverse of the center of the i-th interval and its logarithms. The two
    intervals next to 1 have the inverse 1, so that logarithms near 1 keep their relative precision."""
    low = double_from_bits(LOG_FIRST + (i << 45))
    high = double_from_bits(LOG_FIRST + ((i + 1) << 45))
    inverse = mpf(1) if 1 in (low, high) else rounded(2 / (low + high), INVERSE_BITS)
    widest = max(abs(low * inverse - 1), abs(high * inverse - 1))
    natural = pair(-log(inverse))
    return widest, "{%s, %s, %s, %s}" % (number(inverse), *natural, number(-log(inverse, 2)))


def write_logarithms(out):
    rows = [log_row(i) for i in range(LOG_STEPS)]
    widest = max(row[0] for row in rows)
    out.blank("ln 2: 42 bits and the rest, for multiples up to 2^11; and pairs.")
    out.constant("CNI_BASE_LN2_1", cut(LN2, 42))
    out.constant("CNI_BASE_LN2_2", LN2 - cut(LN2, 42))
    out.pair("CNI_LOG2E", 1 / LN2)
    out.header += ["", f"#define CNI_BASE_LOG_FIRST 0x{LOG_FIRST:016x}u"]
    out.polynomial("cni_base_log_terms", "log(1 + r) = r - r^2/2 + r^3 P(r), |r| <= 1/128",
                   lambda r: (log(1 + r) - r + r**2 / 2) / r**3, -widest, widest, 7,
                   lambda r: r**3 / log(1 + r))
    out.polynomial("cni_base_log_terms_float", "log2(1 + r) = r P(r), |r| <= 1/128",
                   lambda r: log(1 + r, 2) / r, -widest, widest, 6,
                   lambda r: r / log(1 + r, 2))
    out.table(f"An octave from 0.71875 in {LOG_STEPS} parts: 1/c, log(c) as a pair, log2(c).",
              "CniBaseLogRow", "log_table", LOG_STEPS, [row[1] for row in rows])


MADE_BY = "/* Generated by tools/make_math_tables.py; do not edit. */"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    out = Writer()
    write_circle(out)
    write_angles(out)
    write_powers(out)
    write_logarithms(out)
    header = [MADE_BY, "#ifndef CAIRN_BASE_MATH_NUMBERS_H", "#define CAIRN_BASE_MATH_NUMBERS_H", "",
              "#include <stdint.h>", "", "/* clang-format off */",
              "/* The sum of both is meant; lo is at most half an ulp of hi. */",
              "typedef struct CniBaseDoubleDouble {", "    double hi, lo;", "} CniBaseDoubleDouble;", "",
              "typedef struct CniBaseLogRow {", "    double inverse, log_hi, log_lo, log2;",
              "} CniBaseLogRow;"]
    header += out.header + ["/* clang-format on */", "", "#endif"]
    source = [MADE_BY, '#include "math_numbers.h"', "", "/* clang-format off */"]
    source += out.source[1:] + ["/* clang-format on */"]
    (root / "src/base/math/math_tables.h").write_text("\n".join(header) + "\n")
    (root / "src/base/math/math_tables.c").write_text("\n".join(source) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""make_jumps.py HEADERS TABLES: writes HEADERS/rand_xorwow_jumps.h, HEADERS/rand_mrg32k3a_jumps.h and TABLES/mt19937_jump.h, the
tables by which generators jump ahead. Run it on cuda_headers/gridspan and src/libraries/rand/api; a test compares.

Sources: H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton, P. L'Ecuyer, Efficient jump ahead for F2-linear random number
generators, 2008; J. L. Massey, Shift-register synthesis and BCH decoding, 1969; P. L'Ecuyer, Good parameters for combined
multiple recursive random number generators, 1999.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import sys

MASK = 0xFFFFFFFF


def xorwow_step(v):
    """The linear part of Marsaglia's xorwow."""
    t = v[0] ^ (v[0] >> 2)
    return v[1:] + [(v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & MASK]


def minimal_polynomial(bits):
    """Berlekamp and Massey's: the shortest feedback of a sequence of bits, as a number whose bit i belongs to x^i."""
    feedback, last, length, gap = 1, 1, 0, 1
    for n, _ in enumerate(bits):
        wrong = 0
        for i in range(length + 1):
            wrong ^= (feedback >> i & 1) & bits[n - i]
        if not wrong:
            gap += 1
        elif 2 * length <= n:
            feedback, last, length, gap = feedback ^ last << gap, feedback, n + 1 - length, 1
        else:
            feedback ^= last << gap
            gap += 1
    return int(f"{feedback:0{length + 1}b}"[::-1], 2)


def polynomial_product(a, b, modulus):
    degree = modulus.bit_length() - 1
    result = 0
    while b:
        if b & 1:
            result ^= a
        a <<= 1
        if a >> degree:
            a ^= modulus
        b >>= 1
    return result


def polynomial_power(a, exponent, modulus):
    result = 1
    while exponent:
        if exponent & 1:
            result = polynomial_product(result, a, modulus)
        a = polynomial_product(a, a, modulus)
        exponent >>= 1
    return result


def words(number, count):
    return [number >> 32 * i & MASK for i in range(count)]


def braces(rows):
    return "{" + ", ".join(f"0x{word:08x}" for word in rows) + "}"


HEADER = """// {what}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made by src/libraries/rand/make_jumps.py. {rows}
#pragma once

// clang-format off
namespace gridspan_rand {{
{text}
}}  // namespace gridspan_rand
// clang-format on
"""


def xorwow():
    state, bits = [1, 2, 3, 4, 5], []
    for _ in range(400):
        bits.append(state[0] & 1)
        state = xorwow_step(state)
    modulus = minimal_polynomial(bits)
    assert modulus.bit_length() == 161
    text = []
    for name, start in (("xorwow_offset_jumps", 1), ("xorwow_sequence_jumps", 1 << 67)):
        base = polynomial_power(2, start, modulus)
        rows = []
        for _ in range(16):
            power = base
            for _ in range(15):
                rows.append("  " + braces(words(power, 5)))
                power = polynomial_product(power, base, modulus)
            base = power
        text.append(f"static constexpr unsigned int {name}[16 * 15][5] = {{\n" + ",\n".join(rows) + "};")
    return HEADER.format(
        rows="Row 15 j + d - 1: the coefficient of x^0 first.",
        what="Polynomials of jumps of XORWOW: x^(d 16^j), and x^(2^67 d 16^j), modulo its characteristic one.",
        text="\n".join(text))


def matrix_product(a, b, modulus):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) % modulus for j in range(3)] for i in range(3)]


def mrg32k3a():
    m1, m2 = 2**32 - 209, 2**32 - 22853
    a1 = [[0, 1, 0], [0, 0, 1], [m1 - 810728, 1403580, 0]]
    a2 = [[0, 1, 0], [0, 0, 1], [m2 - 1370589, 0, 527612]]
    rows = []
    for _ in range(127 + 64):
        rows.append("  {" + ", ".join(braces(sum(a, [])) for a in (a1, a2)) + "}")
        a1, a2 = matrix_product(a1, a1, m1), matrix_product(a2, a2, m2)
    return HEADER.format(
        rows="Line by line.",
        what="Matrices of jumps of MRG32k3a: row j has those of both components that go 2^j numbers.",
        text=f"static constexpr unsigned int mrg32k3a_jumps[{len(rows)}][2][9] = {{\n" + ",\n".join(rows) + "};")


def exponents(polynomial):
    return [i for i in range(polynomial.bit_length()) if polynomial >> i & 1]


def sparse_product(a, b):
    result = 0
    for i in exponents(b):
        result ^= a << i
    return result


def mt19937_modulus():
    """The characteristic polynomial, as the appendix of the Mersenne Twister's paper has it."""
    word, part = 1 << 624 | 1 << 397, 1 << 623 | 1 << 396
    result, product = 0x9908B0DF >> 31, word
    for i in reversed(range(31)):
        result ^= product * (0x9908B0DF >> i & 1)
        product = sparse_product(product, part)
    return result ^ product


def mt19937_rest(a, low):
    """a modulo x^19937 and the terms `low`, which are far below it: the highest 623 bits are folded at once."""
    while a >> 19937:
        shift = max(0, a.bit_length() - 19937 - (19937 - low[-1]))
        high = a >> 19937 + shift
        a ^= high << 19937 + shift
        folded = 0
        for i in low:
            folded ^= high << i
        a ^= folded << shift
    return a


def mt19937():
    *low, degree = exponents(mt19937_modulus())
    assert degree == 19937
    power = 2
    for _ in range(2048):
        power = mt19937_rest(int(f"{power:b}", 4), low)  # squared: every bit at twice its place
    jump = words(power, 624)
    text = [f"static constexpr unsigned int mt19937_jump[{len(jump)}] = {{"]
    text += ["  " + ", ".join(f"0x{word:08x}" for word in jump[i:i + 8]) + "," for i in range(0, len(jump), 8)]
    text += ["};", f"static constexpr int mt19937_exponents[{len(low)}] = {{"]
    text += ["  " + ", ".join(map(str, low[i:i + 16])) + "," for i in range(0, len(low), 16)]
    return HEADER.format(
        rows="The coefficient of x^0 first; exponents below 19937.",
        what="MT19937: the polynomial of a jump by 2^2048 numbers, the exponents of the characteristic one.",
        text="\n".join(text + ["};"]))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    headers, tables = map(pathlib.Path, sys.argv[1:])
    (headers / "rand_xorwow_jumps.h").write_text(xorwow())
    (headers / "rand_mrg32k3a_jumps.h").write_text(mrg32k3a())
    (tables / "mt19937_jump.h").write_text(mt19937())


if __name__ == "__main__":
    main()

// Vectors of numbers, and the operations that our math functions are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function of this folder is written once, over the type of a vector. All forms do the same
// operations in the same order, and each operation is rounded as IEEE 754 says, so that a lane's
// result does not depend on how many lanes there are. Choices are made lane by lane; where hardly
// any lane needs more work, the vector asks if some lane does.
//
// Sources that include it are compiled for an instruction set as a whole. Everything is static, so
// that the linker never takes one set's code for the other's.
#pragma once

#include <immintrin.h>
#include <cstdint>

namespace gridspan::devices::cpu::math {

#define INLINED [[maybe_unused]] static inline __attribute__((always_inline))
/// Of vectors of any numbers, of float, of double.
#define LANES        \
  template <class F> \
  INLINED
#define FLOATS            \
  template <class F>      \
    requires(is_float<F>) \
  INLINED
#define DOUBLES            \
  template <class F>       \
    requires(!is_float<F>) \
  INLINED

template <class Real, int length>
struct VectorOf {
  using Type = Real __attribute__((ext_vector_type(length)));
};

/// Of a vector: its elements' type, their number, and vectors of integers of the same size.
template <class F>
struct Parts;
#define PARTS_OF(Element, Integer, length)                                \
  template <>                                                             \
  struct Parts<VectorOf<Element, length>::Type> {                         \
    using Real = Element;                                                 \
    using Bits = VectorOf<Integer, length>::Type;                         \
    using Mask = decltype(VectorOf<Element, length>::Type() < Element()); \
    static constexpr int count = length;                                  \
  };
PARTS_OF(float, std::uint32_t, 4)
PARTS_OF(float, std::uint32_t, 8)
PARTS_OF(float, std::uint32_t, 16)
PARTS_OF(double, std::uint64_t, 2)
PARTS_OF(double, std::uint64_t, 4)
PARTS_OF(double, std::uint64_t, 8)
#undef PARTS_OF

template <class F>
using RealOf = typename Parts<F>::Real;
/// Integers wrap. Masks are all ones or all zeros, and signed, so that shifts keep the sign.
template <class F>
using BitsOf = typename Parts<F>::Bits;
template <class F>
using MaskOf = typename Parts<F>::Mask;
template <class F>
constexpr bool is_float = sizeof(RealOf<F>) == sizeof(float);
/// Any type that becomes F: not looked at where F is found out.
template <class F>
struct As {
  using Type = F;
};
template <class F>
using Same = typename As<F>::Type;

LANES BitsOf<F> bits_of(F x) { return __builtin_bit_cast(BitsOf<F>, x); }
LANES F from_bits(BitsOf<F> bits) { return __builtin_bit_cast(F, bits); }
LANES MaskOf<F> as_signed(BitsOf<F> bits) { return __builtin_bit_cast(MaskOf<F>, bits); }
LANES F number_of(MaskOf<F> integers) { return __builtin_convertvector(integers, F); }

LANES F fma(F x, Same<F> y, Same<F> z) { return __builtin_elementwise_fma(x, y, z); }
LANES F abs(F x) { return __builtin_elementwise_abs(x); }
LANES F with_sign(F x, Same<F> sign) { return __builtin_elementwise_copysign(x, sign); }
LANES F sqrt(F x) { return __builtin_elementwise_sqrt(x); }
LANES F whole_part(F x) { return __builtin_elementwise_trunc(x); }
LANES F nearest(F x) { return __builtin_elementwise_rint(x); }
LANES F select(MaskOf<F> mask, F yes, Same<F> no) { return mask ? yes : no; }
LANES MaskOf<F> is_number(F x) { return x == x; }  // NOLINT(misc-redundant-expression): NaN
LANES F negative_if(MaskOf<F> mask, F x) { return mask ? -x : x; }

/// x, but not beyond: NaN stays NaN.
LANES F at_most(F x, RealOf<F> limit) {
  const F limits = limit;
  return limits < x ? limits : x;
}
LANES F at_least(F x, RealOf<F> limit) {
  const F limits = limit;
  return limits > x ? limits : x;
}

template <class Mask>
INLINED bool any(Mask mask) {
  return __builtin_expect(__builtin_reduce_or(mask) != 0, 0);
}

/// Horner's rule, from coefficient `first` on by `step`, for `count` of them.
template <unsigned first, unsigned step, unsigned count, class F, unsigned length>
INLINED F every(const RealOf<F> (&coefficients)[length], F power) {
  F value = coefficients[first];
#pragma unroll
  for (unsigned i = 1; i < count; ++i) value = fma(value, power, F(coefficients[first + i * step]));
  return value;
}

/// A polynomial: the coefficient of the highest power first. Each step of Horner's rule waits for
/// the last one; so a long one is summed in two chains or four (G. Estrin, 1960), but for the last
/// steps, whose rounding counts most.
template <class F, unsigned count>
INLINED F polynomial(const RealOf<F> (&coefficients)[count], F x) {
  if constexpr (count < 11) {
    return every<0, 1, count>(coefficients, x);
  } else {
    constexpr unsigned apart = count - 2, ways = count < 13 ? 2 : 4;
    const F square = x * x;
    const F power = ways == 2 ? square : square * square;
    F high;
    if constexpr (ways == 2) {
      const F odd = every<apart % 2, 2, apart / 2>(coefficients, power);
      const F even = every<(apart + 1) % 2, 2, (apart + 1) / 2>(coefficients, power);
      high = fma(odd, x, even);
    } else {
      const F part0 = every<(apart + 3) % 4, 4, (apart + 3) / 4>(coefficients, power);
      const F part1 = every<(apart + 2) % 4, 4, (apart + 2) / 4>(coefficients, power);
      const F part2 = every<(apart + 1) % 4, 4, (apart + 1) / 4>(coefficients, power);
      const F part3 = every<apart % 4, 4, apart / 4>(coefficients, power);
      high = fma(fma(part3, x, part2), square, fma(part1, x, part0));
    }
    return fma(fma(high, x, F(coefficients[count - 2])), x, F(coefficients[count - 1]));
  }
}

/// Numbers to which integers are added so that the last bits of the sum are the integer.
template <class Real>
constexpr Real bias = sizeof(Real) == 4 ? Real(0x1.8p23) : Real(0x1.8p52);

/// The nearest integer, as a number and in the last bits of another.
template <class F>
struct Rounded {
  F number, shifted;
};
/// Of x * y, if that is less than 2^22 (float) or 2^51.
LANES Rounded<F> rounded_product(F x, RealOf<F> y) {
  constexpr RealOf<F> shift = bias<RealOf<F>>;
  const F shifted = fma(x, F(y), F(shift));
  return {shifted - shift, shifted};
}
LANES Rounded<F> rounded(F x) {
  constexpr RealOf<F> shift = bias<RealOf<F>>;
  const F shifted = x + shift;
  return {shifted - shift, shifted};
}
LANES MaskOf<F> integer_of(Rounded<F> n) {
  return as_signed<F>(bits_of(n.shifted) - bits_of(F(bias<RealOf<F>>)));
}

/// How numbers are stored: exponent * 2^places + fraction.
template <class Real>
constexpr int places = sizeof(Real) == 4 ? 23 : 52;
template <class Real>
constexpr int exponent_of_one = sizeof(Real) == 4 ? 127 : 1023;

/// 2^n of an integer n for which that is a normal number.
LANES F power_of_two(MaskOf<F> n) {
  return __builtin_bit_cast(F, (n + exponent_of_one<RealOf<F>>) << places<RealOf<F>>);
}
/// The same, given the sum with the bias.
LANES F power_of_two(Rounded<F> n) {
  return from_bits<F>((bits_of(n.shifted) + exponent_of_one<RealOf<F>>) << places<RealOf<F>>);
}

#ifdef __AVX512VL__
#define SCALED(Real, length, Register, instruction)                                              \
  INLINED VectorOf<Real, length>::Type scaled(VectorOf<Real, length>::Type x,                    \
                                              Rounded<VectorOf<Real, length>::Type> n) {         \
    return __builtin_bit_cast(decltype(x), instruction(__builtin_bit_cast(Register, x),          \
                                                       __builtin_bit_cast(Register, n.number))); \
  }
SCALED(float, 4, __m128, _mm_scalef_ps)
SCALED(float, 8, __m256, _mm256_scalef_ps)
SCALED(float, 16, __m512, _mm512_scalef_ps)
SCALED(double, 2, __m128d, _mm_scalef_pd)
SCALED(double, 4, __m256d, _mm256_scalef_pd)
SCALED(double, 8, __m512d, _mm512_scalef_pd)
#undef SCALED
#else
/// x * 2^n for x from 1/4 to 4 and n up to twice the largest exponent, rounded once: in two steps,
/// because 2^n need not be a normal number. AVX-512 has an instruction for it.
LANES F scaled(F x, Rounded<F> n) {
  const MaskOf<F> integer = integer_of(n), half = integer >> 1;
  return x * power_of_two<F>(half) * power_of_two<F>(integer - half);
}
#endif

}  // namespace gridspan::devices::cpu::math

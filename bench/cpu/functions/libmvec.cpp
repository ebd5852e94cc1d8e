// The same functions in loops of C++, for a compiler that calls glibc's libmvec for vectors of
// numbers (g++ -O3 -ffast-math).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   libmvec [NAME...]
//
// What C++ has no function for is written with those that it has. NAME is left out where there are
// none.
#include "../../gpu/functions.h"
#include "timing.h"

#include <math.h>

#define OF_BOTH(name, expression)                         \
  [[maybe_unused]] static inline float name##f(float x) { \
    using Real = float;                                   \
    return expression;                                    \
  }                                                       \
  [[maybe_unused]] static inline double name(double x) {  \
    using Real = double;                                  \
    return expression;                                    \
  }
namespace {
inline float erfc_of(float x) { return ::erfcf(x); }
inline double erfc_of(double x) { return ::erfc(x); }
inline float sin_of(float x) { return ::sinf(x); }
inline double sin_of(double x) { return ::sin(x); }
inline float cos_of(float x) { return ::cosf(x); }
inline double cos_of(double x) { return ::cos(x); }
inline float cbrt_of(float x) { return ::cbrtf(x); }
inline double cbrt_of(double x) { return ::cbrt(x); }
inline float sqrt_of(float x) { return ::sqrtf(x); }
inline double sqrt_of(double x) { return ::sqrt(x); }
}  // namespace
OF_BOTH(rsqrt, 1 / sqrt_of(x))
OF_BOTH(rcbrt, 1 / cbrt_of(x))
OF_BOTH(sinpi, sin_of(x* Real(M_PI)))
OF_BOTH(cospi, cos_of(x* Real(M_PI)))
OF_BOTH(normcdf, Real(0.5) * erfc_of(x * Real(-M_SQRT1_2)))

/// Has C++ none? Its result is then the argument.
#define NONE(name)                                   \
  static inline float name##f(float x) { return x; } \
  static inline double name(double x) { return x; }
NONE(erfcx)
NONE(erfinv)
NONE(erfcinv)
NONE(normcdfinv)
NONE(cyl_bessel_i0)

namespace {

template <class Function, class Real>
__attribute__((noinline)) void evaluate(Real* __restrict results,
                                        const Real* __restrict arguments) {
  for (int i = 0; i < elements<Real>; ++i) results[i] = Function()(arguments[i]);
}

template <class Function, class Real>
void time(const char* name, double low, double high) {
  const std::vector<Real> arguments = between<Real>(low, high);
  std::vector<Real> results(arguments.size());
  print_time<Real>(name, [&] {
    for (int i = 0; i < repetitions; ++i) {
      evaluate<Function, Real>(results.data(), arguments.data());
      asm volatile("" ::: "memory");
    }
  });
}

}  // namespace

#define REAL(type, name, low, high, expression)          \
  struct Function_##name {                               \
    type operator()(type x) const { return expression; } \
  };
FUNCTIONS
#undef REAL

int main(int count, char** words) {
  const std::set<std::string> missing = {
      "erfcx",    "erfcxf",     "erfinv",      "erfinvf",       "erfcinv",
      "erfcinvf", "normcdfinv", "normcdfinvf", "cyl_bessel_i0", "cyl_bessel_i0f"};
  const Wanted wanted(count, words);
#define REAL(type, name, low, high, expression) \
  if (wanted.has(#name) && missing.count(#name) == 0) time<Function_##name, type>(#name, low, high);
  FUNCTIONS
#undef REAL
}

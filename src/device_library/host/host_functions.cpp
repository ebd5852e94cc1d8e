// What host code of CUDA programs calls for CUDA's own math functions (gridspan/host_math.h), and
// kernels none of whose vectors call them (abi/math_functions.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions are the device's, compiled for the host.
#define DEVICE_FUNCTION [[maybe_unused]] static

// NOLINTBEGIN(bugprone-suspicious-include): the same code, as the comment above says
#include "../error_functions.cpp"
#include "../gamma_bessel.cpp"
#include "../norms.cpp"
#include "../pi.cpp"
#include "../transcendental.cpp"
// NOLINTEND(bugprone-suspicious-include)

// Without the instruction, a fused multiply-add is a call of the C library. (Sanitizers' run times
// are not up yet when the loader asks which clone it is.)
#if defined(__x86_64__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define WITH_FMA __attribute__((target_clones("fma", "default")))
#else
#define WITH_FMA
#endif
#define EXPORTED extern "C" WITH_FMA
#pragma GCC visibility push(default)  // an attribute does not go with clones
#define EXPORT1(name)                                                    \
  EXPORTED double __gridspan_##name(double x) { return __nv_##name(x); } \
  EXPORTED float __gridspan_##name##f(float x) { return __nv_##name##f(x); }
EXPORT1(cyl_bessel_i0)
EXPORT1(cyl_bessel_i1)
EXPORT1(erfcinv)
EXPORT1(erfcx)
EXPORT1(erfinv)
EXPORT1(j0)
EXPORT1(j1)
EXPORT1(lgamma)
EXPORT1(normcdf)
EXPORT1(normcdfinv)
EXPORT1(rcbrt)
EXPORT1(sinpi)
EXPORT1(cospi)
EXPORTED float __gridspan_tgammaf(float x) { return __nv_tgammaf(x); }
EXPORTED double __gridspan_cbrt(double x) { return __nv_cbrt(x); }
EXPORTED double __gridspan_exp10(double x) { return __nv_exp10(x); }
EXPORTED double __gridspan_log10(double x) { return __nv_log10(x); }
EXPORTED double __gridspan_tanh(double x) { return __nv_tanh(x); }
EXPORTED float __gridspan_hypotf(float x, float y) { return __nv_hypotf(x, y); }
EXPORTED double __gridspan_rhypot(double x, double y) { return __nv_rhypot(x, y); }
EXPORTED float __gridspan_rhypotf(float x, float y) { return __nv_rhypotf(x, y); }
EXPORTED double __gridspan_norm(int count, const double* values) {
  return __nv_norm(count, values);
}
EXPORTED float __gridspan_normf(int count, const float* values) {
  return __nv_normf(count, values);
}
#pragma GCC visibility pop

// The arithmetic llvm.nvvm.* intrinsics, as __gridspan_nvvm_<name with . as _>.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our headers do not lead to them; programs that call clang's __nvvm_* builtins do. Approximations
// are as exact as the function; .ftz forms keep subnormals.
#include "device_library.h"

#include <cmath>

#define NVVM(result, name) DEVICE_INLINE result __gridspan_nvvm_##name
#define CALL1(result, name, type, target) \
  extern "C" result target(type);         \
  NVVM(result, name)(type a) { return target(a); }
#define CALL2(result, name, type, target) \
  extern "C" result target(type, type);   \
  NVVM(result, name)(type a, type b) { return target(a, b); }
#define CALL3(result, name, type, target)     \
  extern "C" result target(type, type, type); \
  NVVM(result, name)(type a, type b, type c) { return target(a, b, c); }
#define ROUNDINGS(kind, type, family, suffix, target)         \
  kind(type, family##_rn_##suffix, type, target##_rn)         \
      kind(type, family##_rz_##suffix, type, target##_rz)     \
          kind(type, family##_rp_##suffix, type, target##_ru) \
              kind(type, family##_rm_##suffix, type, target##_rd)
#define ROUNDINGS_FTZ(kind, family, target)                  \
  ROUNDINGS(kind, float, family, f, target)                  \
  kind(float, family##_rn_ftz_f, float, target##_rn)         \
      kind(float, family##_rz_ftz_f, float, target##_rz)     \
          kind(float, family##_rp_ftz_f, float, target##_ru) \
              kind(float, family##_rm_ftz_f, float, target##_rd)
#define FLOATS1(name, target)              \
  CALL1(float, name##_f, float, target##f) \
  CALL1(float, name##_ftz_f, float, target##f)
#define CONVERSIONS(result, name, type, target) \
  CALL1(result, name##_rn, type, target##_rn)   \
  CALL1(result, name##_rz, type, target##_rz)   \
  CALL1(result, name##_rp, type, target##_ru)   \
  CALL1(result, name##_rm, type, target##_rd)

// Rounded arithmetic.
ROUNDINGS_FTZ(CALL2, add, __nv_fadd)
ROUNDINGS(CALL2, double, add, d, __nv_dadd)
ROUNDINGS_FTZ(CALL2, mul, __nv_fmul)
ROUNDINGS(CALL2, double, mul, d, __nv_dmul)
ROUNDINGS_FTZ(CALL2, div, __nv_fdiv)
ROUNDINGS(CALL2, double, div, d, __nv_ddiv)
ROUNDINGS_FTZ(CALL1, rcp, __nv_frcp)
ROUNDINGS(CALL1, double, rcp, d, __nv_drcp)
ROUNDINGS_FTZ(CALL1, sqrt, __nv_fsqrt)
ROUNDINGS(CALL1, double, sqrt, d, __nv_dsqrt)
ROUNDINGS_FTZ(CALL3, fma, __nv_fmaf)
ROUNDINGS(CALL3, double, fma, d, __nv_fma)

// Approximations and simple functions.
CALL1(float, sqrt_f, float, __nv_sqrtf)
CALL2(float, div_approx_f, float, __nv_fast_fdividef)
CALL2(float, div_approx_ftz_f, float, __nv_fast_fdividef)
CALL2(float, div_full, float, __nv_fast_fdividef)
CALL2(float, div_full_ftz, float, __nv_fast_fdividef)
FLOATS1(sqrt_approx, __nv_sqrt)
FLOATS1(rsqrt_approx, __nv_rsqrt)
CALL1(double, rsqrt_approx_d, double, __nv_rsqrt)
CALL1(double, rsqrt_approx_ftz_d, double, __nv_rsqrt)
CALL1(double, rcp_approx_ftz_d, double, __nv_rcp64h)
NVVM(float, rcp_approx_ftz_f)(float a) { return 1.0F / a; }
FLOATS1(sin_approx, __nv_sin)
FLOATS1(cos_approx, __nv_cos)
FLOATS1(ex2_approx, __nv_exp2)
CALL1(double, ex2_approx_d, double, __nv_exp2)
FLOATS1(lg2_approx, __nv_log2)
CALL1(double, lg2_approx_d, double, __nv_log2)
FLOATS1(floor, __nv_floor)
FLOATS1(ceil, __nv_ceil)
FLOATS1(fabs, __nv_fabs)
FLOATS1(trunc, __nv_trunc)
FLOATS1(round, __nv_rint)
FLOATS1(saturate, __nv_saturate)
CALL1(double, floor_d, double, __nv_floor)
CALL1(double, ceil_d, double, __nv_ceil)
CALL1(double, fabs_d, double, __nv_fabs)
CALL1(double, trunc_d, double, __nv_trunc)
CALL1(double, round_d, double, __nv_rint)
NVVM(double, saturate_d)(double a) { return a > 0 ? (a < 1 ? a : 1.0) : 0.0; }
CALL2(float, fmin_f, float, __nv_fminf)
CALL2(float, fmin_ftz_f, float, __nv_fminf)
CALL2(double, fmin_d, double, __nv_fmin)
CALL2(float, fmax_f, float, __nv_fmaxf)
CALL2(float, fmax_ftz_f, float, __nv_fmaxf)
CALL2(double, fmax_d, double, __nv_fmax)

// Integers.
CALL2(int, mulhi_i, int, __nv_mulhi)
CALL2(unsigned int, mulhi_ui, unsigned int, __nv_umulhi)
CALL2(long long, mulhi_ll, long long, __nv_mul64hi)
CALL2(unsigned long long, mulhi_ull, unsigned long long, __nv_umul64hi)
CALL2(int, mul24_i, int, __nv_mul24)
CALL2(unsigned int, mul24_ui, unsigned int, __nv_umul24)
CALL3(int, sad_i, int, __nv_sad)
CALL3(unsigned int, sad_ui, unsigned int, __nv_usad)
CALL3(int, prmt, int, __nv_byte_perm)

// Conversions.
CONVERSIONS(int, f2i, float, __nv_float2int)
CONVERSIONS(unsigned int, f2ui, float, __nv_float2uint)
CONVERSIONS(long long, f2ll, float, __nv_float2ll)
CONVERSIONS(unsigned long long, f2ull, float, __nv_float2ull)
CONVERSIONS(int, d2i, double, __nv_double2int)
CONVERSIONS(unsigned int, d2ui, double, __nv_double2uint)
CONVERSIONS(long long, d2ll, double, __nv_double2ll)
CONVERSIONS(unsigned long long, d2ull, double, __nv_double2ull)
CONVERSIONS(float, i2f, int, __nv_int2float)
CONVERSIONS(float, ui2f, unsigned int, __nv_uint2float)
CONVERSIONS(float, ll2f, long long, __nv_ll2float)
CONVERSIONS(float, ull2f, unsigned long long, __nv_ull2float)
CONVERSIONS(double, ll2d, long long, __nv_ll2double)
CONVERSIONS(double, ull2d, unsigned long long, __nv_ull2double)
CONVERSIONS(float, d2f, double, __nv_double2float)
CALL1(double, i2d_rn, int, __nv_int2double_rn)
CALL1(double, ui2d_rn, unsigned int, __nv_uint2double_rn)
CALL1(int, d2i_hi, double, __nv_double2hiint)
CALL1(int, d2i_lo, double, __nv_double2loint)
NVVM(double, lohi_i2d)(int low, int high) {
  return gridspan::device_library::bits_as<double>(
      static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}
CALL1(int, bitcast_f2i, float, __nv_float_as_int)
CALL1(float, bitcast_i2f, int, __nv_int_as_float)
CALL1(unsigned long long, bitcast_d2ll, double, __nv_double_as_longlong)
CALL1(double, bitcast_ll2d, long long, __nv_longlong_as_double)

// A sleep may be as short as nothing.
NVVM(void, nanosleep)(unsigned int) {}

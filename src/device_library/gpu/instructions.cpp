// Arithmetic with explicit rounding, conversions and integer functions: one instruction each, or
// few. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

using ULong = unsigned long long;

#define SAME1(result, name, type, instruction) \
  DEVICE_INLINE result __nv_##name(type x) { return __nvvm_##instruction(x); }
#define SAME2(result, name, type, instruction) \
  DEVICE_INLINE result __nv_##name(type x, type y) { return __nvvm_##instruction(x, y); }
#define SAME3(result, name, type, instruction) \
  DEVICE_INLINE result __nv_##name(type x, type y, type z) { return __nvvm_##instruction(x, y, z); }
// PTX's names of the four roundings: up is towards plus infinity, down towards minus infinity.
#define ROUNDINGS(kind, type, name, instruction, suffix)         \
  kind(type, name##_rn, type, instruction##_rn_##suffix)         \
      kind(type, name##_rz, type, instruction##_rz_##suffix)     \
          kind(type, name##_ru, type, instruction##_rp_##suffix) \
              kind(type, name##_rd, type, instruction##_rm_##suffix)
#define FLUSHING(kind, name, instruction)                             \
  kind(name##_rn, instruction##_rn) kind(name##_rz, instruction##_rz) \
      kind(name##_ru, instruction##_rp) kind(name##_rd, instruction##_rm)
#define FLOAT1(name, instruction)                                                                \
  DEVICE_INLINE float __nv_##name(float x) {                                                     \
    return flushes_subnormals() ? __nvvm_##instruction##_ftz_f(x) : __nvvm_##instruction##_f(x); \
  }
#define FLOAT2(name, instruction)                                    \
  DEVICE_INLINE float __nv_##name(float x, float y) {                \
    return flushes_subnormals() ? __nvvm_##instruction##_ftz_f(x, y) \
                                : __nvvm_##instruction##_f(x, y);    \
  }
#define FLOAT3(name, instruction)                                       \
  DEVICE_INLINE float __nv_##name(float x, float y, float z) {          \
    return flushes_subnormals() ? __nvvm_##instruction##_ftz_f(x, y, z) \
                                : __nvvm_##instruction##_f(x, y, z);    \
  }

FLUSHING(FLOAT2, fadd, add)
FLUSHING(FLOAT2, fmul, mul)
FLUSHING(FLOAT2, fdiv, div)
FLUSHING(FLOAT1, frcp, rcp)
FLUSHING(FLOAT1, fsqrt, sqrt)
FLUSHING(FLOAT3, fmaf, fma)
ROUNDINGS(SAME2, double, dadd, add, d)
ROUNDINGS(SAME2, double, dmul, mul, d)
ROUNDINGS(SAME2, double, ddiv, div, d)
ROUNDINGS(SAME1, double, drcp, rcp, d)
ROUNDINGS(SAME1, double, dsqrt, sqrt, d)
ROUNDINGS(SAME3, double, fma, fma, d)
// Halves away from zero: what lies just below a half takes nothing else over the next integer, and
// a half that is added to it is one after rounding.
DEVICE_INLINE float __nv_roundf(float x) {
  return __builtin_truncf(x + __builtin_copysignf(0x1.fffffep-2F, x));
}
DEVICE_INLINE double __nv_round(double x) {
  return __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x));
}
// A subtraction is a sum.
#define DIFFERENCE(type, name, sum) \
  DEVICE_INLINE type __nv_##name(type x, type y) { return __nvvm_##sum(x, -y); }
DIFFERENCE(float, fsub_rn, add_rn_f)
DIFFERENCE(float, fsub_rz, add_rz_f)
DIFFERENCE(float, fsub_ru, add_rp_f)
DIFFERENCE(float, fsub_rd, add_rm_f)
DIFFERENCE(double, dsub_rn, add_rn_d)
DIFFERENCE(double, dsub_rz, add_rz_d)
DIFFERENCE(double, dsub_ru, add_rp_d)
DIFFERENCE(double, dsub_rd, add_rm_d)

// Towards zero not by the intrinsic: LLVM takes that for its own conversion, which rounds integers
// to the nearest float, and knows no result for floats beyond an integer's range.
#define TOWARDS_ZERO(result, name, type, instruction, to, from)    \
  DEVICE_INLINE result __nv_##name##_rz(type x) {                  \
    result converted;                                              \
    __asm__(instruction " %0, %1;" : "=" to(converted) : from(x)); \
    return converted;                                              \
  }
#define CONVERSIONS(result, name, type, intrinsic, instruction, to, from) \
  SAME1(result, name##_rn, type, intrinsic##_rn)                          \
  TOWARDS_ZERO(result, name, type, instruction, to, from)                 \
  SAME1(result, name##_ru, type, intrinsic##_rp)                          \
  SAME1(result, name##_rd, type, intrinsic##_rm)
CONVERSIONS(int, float2int, float, f2i, "cvt.rzi.s32.f32", "r", "f")
CONVERSIONS(unsigned int, float2uint, float, f2ui, "cvt.rzi.u32.f32", "r", "f")
CONVERSIONS(long long, float2ll, float, f2ll, "cvt.rzi.s64.f32", "l", "f")
CONVERSIONS(ULong, float2ull, float, f2ull, "cvt.rzi.u64.f32", "l", "f")
CONVERSIONS(int, double2int, double, d2i, "cvt.rzi.s32.f64", "r", "d")
CONVERSIONS(unsigned int, double2uint, double, d2ui, "cvt.rzi.u32.f64", "r", "d")
CONVERSIONS(long long, double2ll, double, d2ll, "cvt.rzi.s64.f64", "l", "d")
CONVERSIONS(ULong, double2ull, double, d2ull, "cvt.rzi.u64.f64", "l", "d")
CONVERSIONS(float, int2float, int, i2f, "cvt.rz.f32.s32", "f", "r")
CONVERSIONS(float, uint2float, unsigned int, ui2f, "cvt.rz.f32.u32", "f", "r")
CONVERSIONS(float, ll2float, long long, ll2f, "cvt.rz.f32.s64", "f", "l")
CONVERSIONS(float, ull2float, ULong, ull2f, "cvt.rz.f32.u64", "f", "l")
CONVERSIONS(double, ll2double, long long, ll2d, "cvt.rz.f64.s64", "d", "l")
CONVERSIONS(double, ull2double, ULong, ull2d, "cvt.rz.f64.u64", "d", "l")
CONVERSIONS(float, double2float, double, d2f, "cvt.rz.f32.f64", "f", "d")

SAME2(int, mulhi, int, mulhi_i)
SAME2(unsigned int, umulhi, unsigned int, mulhi_ui)
SAME2(long long, mul64hi, long long, mulhi_ll)
SAME2(ULong, umul64hi, ULong, mulhi_ull)
SAME2(int, mul24, int, mul24_i)
SAME2(unsigned int, umul24, unsigned int, mul24_ui)
SAME3(int, byte_perm, int, prmt)

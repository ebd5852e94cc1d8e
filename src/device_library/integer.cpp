// Integer functions and reinterpreting casts of libdevice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_library.h"

using gridspan::device_library::bits_as;
using Int = int;
using UInt = unsigned int;
using Long = long long;
using ULong = unsigned long long;

DEVICE_INLINE Int __nv_abs(Int a) {
  return a < 0 ? static_cast<Int>(0u - static_cast<UInt>(a)) : a;
}
DEVICE_INLINE Long __nv_llabs(Long a) {
  return a < 0 ? static_cast<Long>(0ull - static_cast<ULong>(a)) : a;
}
DEVICE_INLINE Int __nv_min(Int a, Int b) { return a < b ? a : b; }
DEVICE_INLINE Int __nv_max(Int a, Int b) { return a > b ? a : b; }
DEVICE_INLINE UInt __nv_umin(UInt a, UInt b) { return a < b ? a : b; }
DEVICE_INLINE UInt __nv_umax(UInt a, UInt b) { return a > b ? a : b; }
DEVICE_INLINE Long __nv_llmin(Long a, Long b) { return a < b ? a : b; }
DEVICE_INLINE Long __nv_llmax(Long a, Long b) { return a > b ? a : b; }
DEVICE_INLINE ULong __nv_ullmin(ULong a, ULong b) { return a < b ? a : b; }
DEVICE_INLINE ULong __nv_ullmax(ULong a, ULong b) { return a > b ? a : b; }

DEVICE_INLINE Int __nv_popc(UInt a) { return __builtin_popcount(a); }
DEVICE_INLINE Int __nv_popcll(ULong a) { return __builtin_popcountll(a); }
DEVICE_INLINE Int __nv_clz(Int a) { return a ? __builtin_clz(static_cast<UInt>(a)) : 32; }
DEVICE_INLINE Int __nv_clzll(Long a) { return a ? __builtin_clzll(static_cast<ULong>(a)) : 64; }
DEVICE_INLINE Int __nv_ffs(Int a) { return __builtin_ffs(a); }
DEVICE_INLINE Int __nv_ffsll(Long a) { return __builtin_ffsll(a); }
DEVICE_INLINE Int __nv_brev(Int a) {
  return static_cast<Int>(__builtin_bitreverse32(static_cast<UInt>(a)));
}
DEVICE_INLINE Long __nv_brevll(Long a) {
  return static_cast<Long>(__builtin_bitreverse64(static_cast<ULong>(a)));
}

// Byte i of the result is byte (selector >> 4i & 7) of b:a, or its sign replicated (bit 3).
DEVICE_INLINE Int __nv_byte_perm(Int a, Int b, Int selector) {
  ULong bytes = static_cast<ULong>(static_cast<UInt>(b)) << 32 | static_cast<UInt>(a);
  UInt result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    UInt pick = static_cast<UInt>(selector) >> (4 * i);
    UInt byte = static_cast<UInt>(bytes >> (8 * (pick & 7))) & 0xffu;
    if (pick & 8) byte = (byte & 0x80u) ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return static_cast<Int>(result);
}

DEVICE_INLINE Int __nv_mulhi(Int a, Int b) {
  return static_cast<Int>(static_cast<Long>(a) * b >> 32);
}
DEVICE_INLINE UInt __nv_umulhi(UInt a, UInt b) {
  return static_cast<UInt>(static_cast<ULong>(a) * b >> 32);
}
DEVICE_INLINE Long __nv_mul64hi(Long a, Long b) {
  return static_cast<Long>(static_cast<__int128>(a) * b >> 64);
}
DEVICE_INLINE ULong __nv_umul64hi(ULong a, ULong b) {
  return static_cast<ULong>(static_cast<unsigned __int128>(a) * b >> 64);
}
DEVICE_INLINE Int __nv_mul24(Int a, Int b) {
  Int low_a = static_cast<Int>(static_cast<UInt>(a) << 8) >> 8;
  Int low_b = static_cast<Int>(static_cast<UInt>(b) << 8) >> 8;
  return static_cast<Int>(static_cast<UInt>(low_a) * static_cast<UInt>(low_b));
}
DEVICE_INLINE UInt __nv_umul24(UInt a, UInt b) { return (a & 0xffffffu) * (b & 0xffffffu); }

DEVICE_INLINE Int __nv_hadd(Int a, Int b) {
  return static_cast<Int>((static_cast<Long>(a) + b) >> 1);
}
DEVICE_INLINE Int __nv_rhadd(Int a, Int b) {
  return static_cast<Int>((static_cast<Long>(a) + b + 1) >> 1);
}
DEVICE_INLINE Int __nv_uhadd(UInt a, UInt b) {
  return static_cast<Int>((static_cast<ULong>(a) + b) >> 1);
}
DEVICE_INLINE UInt __nv_urhadd(UInt a, UInt b) {
  return static_cast<UInt>((static_cast<ULong>(a) + b + 1) >> 1);
}
DEVICE_INLINE Int __nv_sad(Int a, Int b, Int c) {
  UInt high = static_cast<UInt>(a > b ? a : b), low = static_cast<UInt>(a > b ? b : a);
  return static_cast<Int>(high - low + static_cast<UInt>(c));
}
DEVICE_INLINE UInt __nv_usad(UInt a, UInt b, UInt c) { return (a > b ? a - b : b - a) + c; }

DEVICE_INLINE Int __nv_float_as_int(float a) { return bits_as<Int>(a); }
DEVICE_INLINE UInt __nv_float_as_uint(float a) { return bits_as<UInt>(a); }
DEVICE_INLINE float __nv_int_as_float(Int a) { return bits_as<float>(a); }
DEVICE_INLINE float __nv_uint_as_float(UInt a) { return bits_as<float>(a); }
DEVICE_INLINE ULong __nv_double_as_longlong(double a) { return bits_as<ULong>(a); }
DEVICE_INLINE double __nv_longlong_as_double(Long a) { return bits_as<double>(a); }
DEVICE_INLINE Int __nv_double2hiint(double a) { return static_cast<Int>(bits_as<Long>(a) >> 32); }
DEVICE_INLINE Int __nv_double2loint(double a) { return static_cast<Int>(bits_as<ULong>(a)); }
DEVICE_INLINE double __nv_hiloint2double(Int high, Int low) {
  return bits_as<double>(static_cast<ULong>(static_cast<UInt>(high)) << 32 |
                         static_cast<UInt>(low));
}

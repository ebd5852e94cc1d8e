// Integer intrinsics. Written in C++ so that the analysis sees plain arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../vector_types.h"
#include "device_macros.h"

// Bits.
GRIDSPAN_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
GRIDSPAN_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GRIDSPAN_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
GRIDSPAN_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
GRIDSPAN_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
GRIDSPAN_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
GRIDSPAN_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
GRIDSPAN_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

// The bytes in the other order; for the host, too.
GRIDSPAN_HOST_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
GRIDSPAN_HOST_DEVICE unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
GRIDSPAN_HOST_DEVICE unsigned long long __nv_bswap64(unsigned long long x) {
  return __builtin_bswap64(x);
}

// Position of the n-th set bit of `mask` counted from bit `base` (n < 0: downwards; n == 0: `base`
// itself if set); 0xffffffff where there is none. base < 32.
GRIDSPAN_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int n) {
  int step = n < 0 ? -1 : 1;
  int wanted = n == 0 ? 1 : (n < 0 ? -n : n);
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) != 0 && --wanted == 0) return (unsigned int)bit;
    if (n == 0) break;
  }
  return 0xffffffffu;
}

// Byte i of the result is byte (selector >> 4i & 7) of y:x; bit 3 of the selector asks for its sign
// replicated (PTX prmt).
GRIDSPAN_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned int result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned int pick = selector >> (4 * i);
    unsigned int byte = (unsigned int)(bytes >> (8 * (pick & 7))) & 0xffu;
    if (pick & 8) byte = (byte & 0x80u) ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
}

// Products.
GRIDSPAN_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
GRIDSPAN_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}
GRIDSPAN_DEVICE long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
GRIDSPAN_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
GRIDSPAN_DEVICE int __mul24(int a, int b) {
  return (int)((unsigned int)(a << 8 >> 8) * (unsigned int)(b << 8 >> 8));
}
GRIDSPAN_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}

// Averages and differences.
GRIDSPAN_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
GRIDSPAN_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
GRIDSPAN_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
GRIDSPAN_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
GRIDSPAN_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a) + c;
}
GRIDSPAN_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}

// The 64-bit value high:low shifted, upper word (l) or lower word (r) of the result. The plain
// forms take the shift modulo 32, the others clamp it to 32.
GRIDSPAN_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  unsigned long long value = (unsigned long long)high << 32 | low;
  return (unsigned int)(value << (shift & 31) >> 32);
}
GRIDSPAN_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  unsigned long long value = (unsigned long long)high << 32 | low;
  return (unsigned int)(value << (shift < 32 ? shift : 32) >> 32);
}
GRIDSPAN_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  unsigned long long value = (unsigned long long)high << 32 | low;
  return (unsigned int)(value >> (shift & 31));
}
GRIDSPAN_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  unsigned long long value = (unsigned long long)high << 32 | low;
  return (unsigned int)(value >> (shift < 32 ? shift : 32));
}

#if GRIDSPAN_ARCH_AT_LEAST(610)
// Dot products of packed bytes (dp4a) and of 16-bit halves with two bytes (dp2a), added to c.
#define GRIDSPAN_BYTE(type, word, i) ((int)(type)((unsigned int)(word) >> (8 * (i))))
#define GRIDSPAN_HALF(type, word, i) ((int)(type)((unsigned int)(word) >> (16 * (i))))
#define GRIDSPAN_DOT(result, byte_type, half_type)                                                \
  GRIDSPAN_DEVICE result __dp4a(result a, result b, result c) {                                   \
    unsigned int sum = (unsigned int)c;                                                           \
    _Pragma("unroll") for (int i = 0; i < 4; ++i) sum +=                                          \
        (unsigned int)(GRIDSPAN_BYTE(byte_type, a, i) * GRIDSPAN_BYTE(byte_type, b, i));          \
    return (result)sum;                                                                           \
  }                                                                                               \
  GRIDSPAN_DEVICE result __dp2a_lo(result a, result b, result c) {                                \
    return (                                                                                      \
        result)((unsigned int)c +                                                                 \
                (unsigned int)(GRIDSPAN_HALF(half_type, a, 0) * GRIDSPAN_BYTE(byte_type, b, 0)) + \
                (unsigned int)(GRIDSPAN_HALF(half_type, a, 1) * GRIDSPAN_BYTE(byte_type, b, 1))); \
  }                                                                                               \
  GRIDSPAN_DEVICE result __dp2a_hi(result a, result b, result c) {                                \
    return (                                                                                      \
        result)((unsigned int)c +                                                                 \
                (unsigned int)(GRIDSPAN_HALF(half_type, a, 0) * GRIDSPAN_BYTE(byte_type, b, 2)) + \
                (unsigned int)(GRIDSPAN_HALF(half_type, a, 1) * GRIDSPAN_BYTE(byte_type, b, 3))); \
  }
GRIDSPAN_DOT(int, signed char, short)
GRIDSPAN_DOT(unsigned int, unsigned char, unsigned short)
#undef GRIDSPAN_DOT
#undef GRIDSPAN_HALF
#undef GRIDSPAN_BYTE

GRIDSPAN_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
GRIDSPAN_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + (unsigned int)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
GRIDSPAN_DEVICE int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
GRIDSPAN_DEVICE int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
GRIDSPAN_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return c + (unsigned int)a.x * b.x + (unsigned int)a.y * b.y;
}
GRIDSPAN_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return c + (unsigned int)a.x * b.z + (unsigned int)a.y * b.w;
}
#endif

GRIDSPAN_DEVICE int abs(int x) { return __builtin_abs(x); }
GRIDSPAN_DEVICE long labs(long x) { return __builtin_labs(x); }
GRIDSPAN_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }

// min and max for every pair of integer types: a mixed pair becomes unsigned, as in C.
#define GRIDSPAN_MIN_MAX(result, a_type, b_type)          \
  GRIDSPAN_HOST_DEVICE result min(a_type a, b_type b) {   \
    return (result)a < (result)b ? (result)a : (result)b; \
  }                                                       \
  GRIDSPAN_HOST_DEVICE result max(a_type a, b_type b) {   \
    return (result)a > (result)b ? (result)a : (result)b; \
  }
#define GRIDSPAN_MIN_MAX_WIDTH(type)                            \
  GRIDSPAN_MIN_MAX(type, type, type)                            \
  GRIDSPAN_MIN_MAX(unsigned type, unsigned type, unsigned type) \
  GRIDSPAN_MIN_MAX(unsigned type, type, unsigned type)          \
  GRIDSPAN_MIN_MAX(unsigned type, unsigned type, type)
GRIDSPAN_MIN_MAX_WIDTH(int)
GRIDSPAN_MIN_MAX_WIDTH(long)
GRIDSPAN_MIN_MAX_WIDTH(long long)
#undef GRIDSPAN_MIN_MAX_WIDTH
#undef GRIDSPAN_MIN_MAX

#define GRIDSPAN_NAMED_MIN_MAX(prefix, type)                                      \
  GRIDSPAN_HOST_DEVICE type prefix##min(type a, type b) { return a < b ? a : b; } \
  GRIDSPAN_HOST_DEVICE type prefix##max(type a, type b) { return a > b ? a : b; }
GRIDSPAN_NAMED_MIN_MAX(u, unsigned int)
GRIDSPAN_NAMED_MIN_MAX(ll, long long)
GRIDSPAN_NAMED_MIN_MAX(ull, unsigned long long)
#undef GRIDSPAN_NAMED_MIN_MAX

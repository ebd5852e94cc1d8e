// Data exchange between the lanes of a warp: shuffles, matches, reductions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"
#include "device_sync.h"

// PTX's c operand: bits 8-12 split the warp into segments of `width` lanes, bits 0-4 say where a
// segment ends (0 for shuffles upwards).
#define GRIDSPAN_SEGMENTS(width, clamp) (((32 - (width)) << 8) | (clamp))

// A 64-bit value travels as two words.
#define GRIDSPAN_SHUFFLE_64(name, type, lane_type)                                           \
  GRIDSPAN_DEVICE type name(unsigned int mask, type value, lane_type lane, int width = 32) { \
    int words[sizeof(type) / sizeof(int)];                                                   \
    __builtin_memcpy(words, &value, sizeof(type));                                           \
    words[0] = name(mask, words[0], lane, width);                                            \
    if (sizeof(type) == 8) words[1] = name(mask, words[sizeof(type) / 8], lane, width);      \
    __builtin_memcpy(&value, words, sizeof(type));                                           \
    return value;                                                                            \
  }
#define GRIDSPAN_SHUFFLE(name, kind, lane_type, clamp)                                             \
  GRIDSPAN_DEVICE int name(unsigned int mask, int value, lane_type lane, int width = 32) {         \
    return __nvvm_shfl_sync_##kind##_i32(mask, value, (int)lane, GRIDSPAN_SEGMENTS(width, clamp)); \
  }                                                                                                \
  GRIDSPAN_DEVICE unsigned int name(unsigned int mask, unsigned int value, lane_type lane,         \
                                    int width = 32) {                                              \
    return (unsigned int)name(mask, (int)value, lane, width);                                      \
  }                                                                                                \
  GRIDSPAN_DEVICE float name(unsigned int mask, float value, lane_type lane, int width = 32) {     \
    return __nvvm_shfl_sync_##kind##_f32(mask, value, (int)lane, GRIDSPAN_SEGMENTS(width, clamp)); \
  }                                                                                                \
  GRIDSPAN_SHUFFLE_64(name, long, lane_type)                                                       \
  GRIDSPAN_SHUFFLE_64(name, unsigned long, lane_type)                                              \
  GRIDSPAN_SHUFFLE_64(name, long long, lane_type)                                                  \
  GRIDSPAN_SHUFFLE_64(name, unsigned long long, lane_type)                                         \
  GRIDSPAN_SHUFFLE_64(name, double, lane_type)
GRIDSPAN_SHUFFLE(__shfl_sync, idx, int, 0x1f)
GRIDSPAN_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
GRIDSPAN_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
GRIDSPAN_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef GRIDSPAN_SHUFFLE
#undef GRIDSPAN_SHUFFLE_64
#undef GRIDSPAN_SEGMENTS

// Without a mask (CUDA 8): among the lanes that are there together.
#define GRIDSPAN_LEGACY_SHUFFLE(name, type, lane_type)                    \
  GRIDSPAN_DEVICE type name(type value, lane_type lane, int width = 32) { \
    return name##_sync(__activemask(), value, lane, width);               \
  }
#define GRIDSPAN_LEGACY_SHUFFLES(name, lane_type)              \
  GRIDSPAN_LEGACY_SHUFFLE(name, int, lane_type)                \
  GRIDSPAN_LEGACY_SHUFFLE(name, unsigned int, lane_type)       \
  GRIDSPAN_LEGACY_SHUFFLE(name, long, lane_type)               \
  GRIDSPAN_LEGACY_SHUFFLE(name, unsigned long, lane_type)      \
  GRIDSPAN_LEGACY_SHUFFLE(name, long long, lane_type)          \
  GRIDSPAN_LEGACY_SHUFFLE(name, unsigned long long, lane_type) \
  GRIDSPAN_LEGACY_SHUFFLE(name, float, lane_type)              \
  GRIDSPAN_LEGACY_SHUFFLE(name, double, lane_type)
GRIDSPAN_LEGACY_SHUFFLES(__shfl, int)
GRIDSPAN_LEGACY_SHUFFLES(__shfl_up, unsigned int)
GRIDSPAN_LEGACY_SHUFFLES(__shfl_down, unsigned int)
GRIDSPAN_LEGACY_SHUFFLES(__shfl_xor, int)
#undef GRIDSPAN_LEGACY_SHUFFLES
#undef GRIDSPAN_LEGACY_SHUFFLE

#if GRIDSPAN_ARCH_AT_LEAST(700)
// Lanes holding the same bits: floating-point numbers are compared as bits.
#define GRIDSPAN_MATCH(type, bits, any, all)                                                 \
  GRIDSPAN_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) {             \
    bits pattern;                                                                            \
    __builtin_memcpy(&pattern, &value, sizeof(pattern));                                     \
    return any(mask, pattern);                                                               \
  }                                                                                          \
  GRIDSPAN_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int* equal) { \
    bits pattern;                                                                            \
    __builtin_memcpy(&pattern, &value, sizeof(pattern));                                     \
    return all(mask, pattern, equal);                                                        \
  }
#define GRIDSPAN_MATCH_32(type) \
  GRIDSPAN_MATCH(type, unsigned int, __nvvm_match_any_sync_i32, __nvvm_match_all_sync_i32p)
#define GRIDSPAN_MATCH_64(type) \
  GRIDSPAN_MATCH(type, unsigned long long, __nvvm_match_any_sync_i64, __nvvm_match_all_sync_i64p)
GRIDSPAN_MATCH_32(int)
GRIDSPAN_MATCH_32(unsigned int)
GRIDSPAN_MATCH_32(float)
GRIDSPAN_MATCH_64(long)
GRIDSPAN_MATCH_64(unsigned long)
GRIDSPAN_MATCH_64(long long)
GRIDSPAN_MATCH_64(unsigned long long)
GRIDSPAN_MATCH_64(double)
#undef GRIDSPAN_MATCH_64
#undef GRIDSPAN_MATCH_32
#undef GRIDSPAN_MATCH
#endif

#if GRIDSPAN_ARCH_AT_LEAST(800)
GRIDSPAN_DEVICE unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_add((int)value, (int)mask);
}
GRIDSPAN_DEVICE int __reduce_add_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_add(value, (int)mask);
}
GRIDSPAN_DEVICE unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_umin(value, (int)mask);
}
GRIDSPAN_DEVICE int __reduce_min_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_min(value, (int)mask);
}
GRIDSPAN_DEVICE unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_umax(value, (int)mask);
}
GRIDSPAN_DEVICE int __reduce_max_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_max(value, (int)mask);
}
GRIDSPAN_DEVICE unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_and((int)value, (int)mask);
}
GRIDSPAN_DEVICE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_or((int)value, (int)mask);
}
GRIDSPAN_DEVICE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
  return (unsigned int)__nvvm_redux_sync_xor((int)value, (int)mask);
}
#endif

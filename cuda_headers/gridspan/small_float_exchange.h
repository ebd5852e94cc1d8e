// Shuffles, atomic updates and cached accesses of a 16-bit floating-point format and of pairs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format (see small_float_type.h).

#define GRIDSPAN_SHUFFLE(name, type, bits, lane_type)                                              \
  GRIDSPAN_DEVICE type name(unsigned int mask, const type value, lane_type lane, int width = 32) { \
    return __builtin_bit_cast(                                                                     \
        type, (bits)name(mask, (unsigned int)__builtin_bit_cast(bits, value), lane, width));       \
  }
#define GRIDSPAN_SHUFFLES(type, bits)                          \
  GRIDSPAN_SHUFFLE(__shfl_sync, type, bits, int)               \
  GRIDSPAN_SHUFFLE(__shfl_up_sync, type, bits, unsigned int)   \
  GRIDSPAN_SHUFFLE(__shfl_down_sync, type, bits, unsigned int) \
  GRIDSPAN_SHUFFLE(__shfl_xor_sync, type, bits, int)
GRIDSPAN_SHUFFLES(GRIDSPAN_NUMBER, unsigned short)
GRIDSPAN_SHUFFLES(GRIDSPAN_PAIR, unsigned int)
#undef GRIDSPAN_SHUFFLES
#undef GRIDSPAN_SHUFFLE

/// Adds `value` and returns what was there. Both halves of a pair are updated, each atomically.
#if GRIDSPAN_ARCH_AT_LEAST(700)
GRIDSPAN_DEVICE GRIDSPAN_NUMBER atomicAdd(GRIDSPAN_NUMBER* address, const GRIDSPAN_NUMBER value) {
  unsigned short* const bits = reinterpret_cast<unsigned short*>(address);
  unsigned short seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
  for (;;) {
    const GRIDSPAN_NUMBER old = __builtin_bit_cast(GRIDSPAN_NUMBER, seen);
    const unsigned short found = atomicCAS(bits, seen, __hadd(old, value).__x);
    if (found == seen) return old;
    seen = found;
  }
}
#endif
GRIDSPAN_DEVICE GRIDSPAN_PAIR atomicAdd(GRIDSPAN_PAIR* address, const GRIDSPAN_PAIR value) {
  unsigned int* const bits = reinterpret_cast<unsigned int*>(address);
  unsigned int seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
  for (;;) {
    const GRIDSPAN_PAIR old = __builtin_bit_cast(GRIDSPAN_PAIR, seen);
    const unsigned int found =
        atomicCAS(bits, seen, __builtin_bit_cast(unsigned int, __hadd2(old, value)));
    if (found == seen) return old;
    seen = found;
  }
}

#define GRIDSPAN_ACCESS(hint, type, bits)                                                \
  GRIDSPAN_DEVICE type __ld##hint(const type* address) {                                 \
    return __builtin_bit_cast(type, __ld##hint(reinterpret_cast<const bits*>(address))); \
  }
#define GRIDSPAN_ACCESSES(type, bits) \
  GRIDSPAN_ACCESS(g, type, bits)      \
  GRIDSPAN_ACCESS(cg, type, bits)     \
  GRIDSPAN_ACCESS(ca, type, bits)     \
  GRIDSPAN_ACCESS(cs, type, bits)     \
  GRIDSPAN_ACCESS(lu, type, bits)     \
  GRIDSPAN_ACCESS(cv, type, bits)
GRIDSPAN_ACCESSES(GRIDSPAN_NUMBER, unsigned short)
GRIDSPAN_ACCESSES(GRIDSPAN_PAIR, unsigned int)
#undef GRIDSPAN_ACCESSES
#undef GRIDSPAN_ACCESS
#define GRIDSPAN_STORE(hint, type, bits)                                           \
  GRIDSPAN_DEVICE void __st##hint(type* address, const type value) {               \
    __st##hint(reinterpret_cast<bits*>(address), __builtin_bit_cast(bits, value)); \
  }
#define GRIDSPAN_STORES(hint)                           \
  GRIDSPAN_STORE(hint, GRIDSPAN_NUMBER, unsigned short) \
  GRIDSPAN_STORE(hint, GRIDSPAN_PAIR, unsigned int)
GRIDSPAN_STORES(wb)
GRIDSPAN_STORES(cg)
GRIDSPAN_STORES(cs)
GRIDSPAN_STORES(wt)
#undef GRIDSPAN_STORES
#undef GRIDSPAN_STORE

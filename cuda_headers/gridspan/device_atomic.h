// Atomic operations on memory, for a block, the device and the system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each becomes one atomicrmw or cmpxchg with relaxed ordering, as CUDA specifies; Inc and Dec one
// llvm.nvvm.atomic.load.{inc,dec}.32. Each returns the value from before.
#pragma once

#include "device_macros.h"

#define GRIDSPAN_FETCH(operation, type, scope) \
  (type) __scoped_atomic_fetch_##operation(address, value, __ATOMIC_RELAXED, scope)
#define GRIDSPAN_ATOMIC_IN(name, operation, type, scope) \
  GRIDSPAN_DEVICE type name(type* address, type value) { \
    return GRIDSPAN_FETCH(operation, type, scope);       \
  }
#define GRIDSPAN_ATOMIC_SCOPED(name, operation, type)                      \
  GRIDSPAN_ATOMIC_IN(name##_block, operation, type, __MEMORY_SCOPE_WRKGRP) \
  GRIDSPAN_ATOMIC_IN(name##_system, operation, type, __MEMORY_SCOPE_SYSTEM)
#if GRIDSPAN_ARCH_AT_LEAST(600)
#define GRIDSPAN_ATOMIC(name, operation, type)                     \
  GRIDSPAN_ATOMIC_IN(name, operation, type, __MEMORY_SCOPE_DEVICE) \
  GRIDSPAN_ATOMIC_SCOPED(name, operation, type)
#else
#define GRIDSPAN_ATOMIC(name, operation, type) \
  GRIDSPAN_ATOMIC_IN(name, operation, type, __MEMORY_SCOPE_DEVICE)
#endif

GRIDSPAN_ATOMIC(atomicAdd, add, int)
GRIDSPAN_ATOMIC(atomicAdd, add, unsigned int)
GRIDSPAN_ATOMIC(atomicAdd, add, unsigned long long)
GRIDSPAN_ATOMIC(atomicAdd, add, float)
#if GRIDSPAN_ARCH_AT_LEAST(600)
// Programs for older architectures define this one themselves.
GRIDSPAN_ATOMIC(atomicAdd, add, double)
#endif
GRIDSPAN_ATOMIC(atomicSub, sub, int)
GRIDSPAN_ATOMIC(atomicSub, sub, unsigned int)
#define GRIDSPAN_ATOMIC_INTEGERS(name, operation) \
  GRIDSPAN_ATOMIC(name, operation, int)           \
  GRIDSPAN_ATOMIC(name, operation, unsigned int)  \
  GRIDSPAN_ATOMIC(name, operation, long long)     \
  GRIDSPAN_ATOMIC(name, operation, unsigned long long)
GRIDSPAN_ATOMIC_INTEGERS(atomicMin, min)
GRIDSPAN_ATOMIC_INTEGERS(atomicMax, max)
GRIDSPAN_ATOMIC_INTEGERS(atomicAnd, and)
GRIDSPAN_ATOMIC_INTEGERS(atomicOr, or)
GRIDSPAN_ATOMIC_INTEGERS(atomicXor, xor)
#undef GRIDSPAN_ATOMIC_INTEGERS
#undef GRIDSPAN_ATOMIC
#undef GRIDSPAN_ATOMIC_SCOPED
#undef GRIDSPAN_ATOMIC_IN
#undef GRIDSPAN_FETCH

#define GRIDSPAN_EXCHANGE_IN(name, type, scope)                               \
  GRIDSPAN_DEVICE type name(type* address, type value) {                      \
    type old;                                                                 \
    __scoped_atomic_exchange(address, &value, &old, __ATOMIC_RELAXED, scope); \
    return old;                                                               \
  }
#define GRIDSPAN_COMPARE_IN(name, type, scope)                                            \
  GRIDSPAN_DEVICE type name(type* address, type compare, type value) {                    \
    __scoped_atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED, scope);                          \
    return compare;                                                                       \
  }
#define GRIDSPAN_COUNT_IN(name, builtin)                                         \
  GRIDSPAN_DEVICE unsigned int name(unsigned int* address, unsigned int limit) { \
    return builtin(address, limit);                                              \
  }
#if GRIDSPAN_ARCH_AT_LEAST(600)
#define GRIDSPAN_IN_SCOPES(kind, name, type)                                              \
  kind(name, type, __MEMORY_SCOPE_DEVICE) kind(name##_block, type, __MEMORY_SCOPE_WRKGRP) \
      kind(name##_system, type, __MEMORY_SCOPE_SYSTEM)
#define GRIDSPAN_COUNT(name, builtin)      \
  GRIDSPAN_COUNT_IN(name, builtin)         \
  GRIDSPAN_COUNT_IN(name##_block, builtin) \
  GRIDSPAN_COUNT_IN(name##_system, builtin)
#else
#define GRIDSPAN_IN_SCOPES(kind, name, type) kind(name, type, __MEMORY_SCOPE_DEVICE)
#define GRIDSPAN_COUNT(name, builtin) GRIDSPAN_COUNT_IN(name, builtin)
#endif

GRIDSPAN_IN_SCOPES(GRIDSPAN_EXCHANGE_IN, atomicExch, int)
GRIDSPAN_IN_SCOPES(GRIDSPAN_EXCHANGE_IN, atomicExch, unsigned int)
GRIDSPAN_IN_SCOPES(GRIDSPAN_EXCHANGE_IN, atomicExch, unsigned long long)
GRIDSPAN_IN_SCOPES(GRIDSPAN_EXCHANGE_IN, atomicExch, float)

GRIDSPAN_IN_SCOPES(GRIDSPAN_COMPARE_IN, atomicCAS, int)
GRIDSPAN_IN_SCOPES(GRIDSPAN_COMPARE_IN, atomicCAS, unsigned int)
GRIDSPAN_IN_SCOPES(GRIDSPAN_COMPARE_IN, atomicCAS, unsigned long long)
#if GRIDSPAN_ARCH_AT_LEAST(700)
GRIDSPAN_IN_SCOPES(GRIDSPAN_COMPARE_IN, atomicCAS, unsigned short)
#endif

// old >= limit ? 0 : old + 1    and    old == 0 || old > limit ? limit : old - 1
GRIDSPAN_COUNT(atomicInc, __nvvm_atom_inc_gen_ui)
GRIDSPAN_COUNT(atomicDec, __nvvm_atom_dec_gen_ui)

#undef GRIDSPAN_EXCHANGE_IN
#undef GRIDSPAN_COMPARE_IN
#undef GRIDSPAN_COUNT_IN
#undef GRIDSPAN_IN_SCOPES
#undef GRIDSPAN_COUNT

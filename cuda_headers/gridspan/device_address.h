// Which memory a pointer leads to, and addresses within one kind of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

GRIDSPAN_DEVICE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
GRIDSPAN_DEVICE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
/// A cluster is one block.
GRIDSPAN_DEVICE unsigned int __isClusterShared(const void* p) { return __isShared(p); }
GRIDSPAN_DEVICE unsigned int __isCtaShared(const void* p) { return __isShared(p); }
GRIDSPAN_DEVICE unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
GRIDSPAN_DEVICE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }

#define GRIDSPAN_ADDRESS_SPACE(name, number)                              \
  GRIDSPAN_DEVICE size_t __cvta_generic_to_##name(const void* p) {        \
    return (size_t)(const void __attribute__((address_space(number)))*)p; \
  }                                                                       \
  GRIDSPAN_DEVICE void* __cvta_##name##_to_generic(size_t p) {            \
    return (void*)(void __attribute__((address_space(number)))*)p;        \
  }
GRIDSPAN_ADDRESS_SPACE(global, 1)
GRIDSPAN_ADDRESS_SPACE(shared, 3)
GRIDSPAN_ADDRESS_SPACE(constant, 4)
GRIDSPAN_ADDRESS_SPACE(local, 5)
#undef GRIDSPAN_ADDRESS_SPACE

// Kernel parameters that are __grid_constant__ are where the kernel reads them.
GRIDSPAN_DEVICE size_t __cvta_generic_to_grid_constant(const void* p) { return (size_t)p; }
GRIDSPAN_DEVICE void* __cvta_grid_constant_to_generic(size_t p) { return (void*)p; }
/// Refused, with the user's line, where it is called: on CPUs, parameters are memory like other.
GRIDSPAN_DEVICE unsigned int __isGridConstant(const void* p) {
  unsigned int result;
  asm("{ .reg .pred %%inside; isspacep.param %%inside, %1; selp.u32 %0, 1, 0, %%inside; }"
      : "=r"(result)
      : "l"(p));
  return result;
}

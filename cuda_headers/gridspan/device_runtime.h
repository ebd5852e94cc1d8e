// What device code may call of the C library: printf, assert, clock, operator new (and malloc,
// free, memcpy, memset, declared in standard_library.h). SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
//
// printf becomes vprintf(format, packed arguments) in clang. These and malloc, free, __assertfail
// and __trap are left as calls of those names; the device compiler binds them to the run time.
#pragma once

#include "device_macros.h"

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t character_size);
__device__ void __trap(void);

// What assert() of <assert.h> calls.
GRIDSPAN_DEVICE void __assert_fail(const char* message, const char* file, unsigned line,
                                   const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

GRIDSPAN_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
GRIDSPAN_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

// Without a debugger a breakpoint ends the launch, like a trap.
GRIDSPAN_DEVICE void __brkpt() { __trap(); }
GRIDSPAN_DEVICE void __brkpt(int) { __trap(); }
// Counts an event for a profiler; there is none.
#define __prof_trigger(counter) ((void)(counter))

#if GRIDSPAN_ARCH_AT_LEAST(700)
GRIDSPAN_DEVICE void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }
#endif

/// A condition's handle is the address of its value.
GRIDSPAN_DEVICE void cudaGraphSetConditional(unsigned long long handle, unsigned int value) {
  *reinterpret_cast<unsigned int*>(handle) = value;
}

#define __assume(condition) __builtin_assume(condition)

// Declares the device's operator new and delete, which call malloc and free above.
#include <new>

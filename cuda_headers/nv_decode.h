/* The names of functions in object files, as people read them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

char* __cxa_demangle(const char* name, char* output, size_t* length, int* status);

/* The readable form of `name`, in `output`, which is of `*length` bytes from malloc() and is
   enlarged where needed, or, if `output` is null, in memory that the caller frees. `*status`: 0,
   -1 (no memory), -2 (no such name), -3 (a bad argument). Programs in C link with -lstdc++. */
static inline char* __cu_demangle(const char* name, char* output, size_t* length, int* status) {
  return __cxa_demangle(name, output, length, status);
}

#ifdef __cplusplus
}
#endif

// Conventions of the device library for GPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled for nvptx64, these functions take the place of those of the same name in ../, which are
// for any processor: where a GPU has an instruction, and where threads wait for each other.
#pragma once

#define DEVICE_FUNCTION extern "C" __attribute__((visibility("default")))
#define DEVICE_INLINE DEVICE_FUNCTION __attribute__((always_inline))

/// By another name than clang's builtin, which is said not to return.
int reflected(const char* property) __asm__("__nvvm_reflect");
/// Was the program compiled with -ftz=true? Known when kernels are optimised.
static inline __attribute__((always_inline)) bool flushes_subnormals() {
  return reflected("__CUDA_FTZ") != 0;
}

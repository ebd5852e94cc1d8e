// How our device functions are declared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// nodebug: an instruction inlined from here takes the source line of the user's call.
#ifdef __clang__
#define GRIDSPAN_NO_DEBUG __attribute__((__nodebug__))
#else
#define GRIDSPAN_NO_DEBUG
#endif
#define GRIDSPAN_INLINE static __inline__ __attribute__((always_inline, unused)) GRIDSPAN_NO_DEBUG
#define GRIDSPAN_DEVICE GRIDSPAN_INLINE __device__
#define GRIDSPAN_HOST GRIDSPAN_INLINE __host__
#define GRIDSPAN_HOST_DEVICE GRIDSPAN_INLINE __host__ __device__

// True while compiling for an architecture of at least `version`, and in the host pass, where every
// device function must be declared.
#ifdef __CUDA_ARCH__
#define GRIDSPAN_ARCH_AT_LEAST(version) (__CUDA_ARCH__ >= (version))
#else
#define GRIDSPAN_ARCH_AT_LEAST(version) 1
#endif

// The keywords of CUDA C++ as attributes; empty where no CUDA compiler reads them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
// clang's CUDA mode says __CUDA__; programs ask for nvcc's names.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#if __has_attribute(gridspan_shared)
#define __shared__ __attribute__((gridspan_shared))  // of src/clang_plugin
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Functions of the run-time API that kernels may call, too.
#define __cudart_builtin__ __host__ __device__
// Kernels whose clusters have several blocks are refused: message and place are the compiler's.
#define __cluster_dims__(...) \
  __attribute__((annotate("gridspan.cluster", gridspan_cluster_of_one_block(__VA_ARGS__))))
#define __block_size__(...) \
  _Pragma("GCC error \"__block_size__ is not supported: name the block at the launch\"")
// clang's CUDA mode knows no managed variables. Ours are device variables whose home is what clang
// makes of them in the host object; the note tells the device compiler.
#define __managed__ __attribute__((device, annotate("gridspan.managed")))
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
// Only forbids writes to the parameter; kernel parameters are read in place here anyway.
#define __grid_constant__
#endif
// __noinline__ is a keyword of clang's CUDA mode. As a macro it would break libstdc++, which spells
// __attribute__((__noinline__)).
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cudart_builtin__
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#endif

// What a kernel's registers are limited to changes nothing that it computes.
#define __maxnreg__(...)
#define __local_maxnreg__(...)
// Has no effects, and depends on its arguments and on memory only.
#define __nv_pure__ __attribute__((pure))
#define __inline_hint__

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define CUDART_DEVICE __device__
#define __specialization_static static

// __CUDA_ARCH_HAS_FEATURE__(SM90_ALL) and its like: what only sm_90a, sm_100f, ... have.
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#define __CUDA_HAS_ARCH_SPECIFIC(architecture) 0
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(architecture) 0

// Ours warn of nothing that is old.
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define __NV_SILENCE_HOST_DEPRECATION_BEGIN
#define __NV_SILENCE_HOST_DEPRECATION_END

#if defined(__CUDACC__) && defined(__cplusplus) && __cplusplus >= 201103L
void clusters_of_several_blocks_are_not_supported();
__host__ __device__ constexpr int gridspan_cluster_of_one_block(int x, int y = 1, int z = 1) {
  return x * y * z == 1 ? 1 : (clusters_of_several_blocks_are_not_supported(), 0);
}
#endif

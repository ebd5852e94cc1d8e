// cuFFT: functions of the program's that elements are loaded or stored by. The kernels that call
// them are compiled with the program: a GPU calls functions of a kernel's own module only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cufftXt.h.
#pragma once

#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif

namespace __gridspan_fft {

/* The elements of an array, for functions that get an offset. */
struct elements {
  long long counts[4], strides[4];
  long long all;

#if defined(__CUDACC__)
  /* The offset of the element that has number i. */
  __device__ long long offset(long long i) const {
    long long result = 0;
    for (int d = 0; d < 4; ++d) {
      result += i % counts[d] * strides[d];
      i /= counts[d];
    }
    return result;
  }
#endif
};

#if defined(__CUDACC__)
/* Internal, as the functions that they call: other files have such kernels in other modules. */
template <typename Function, typename Element>
static __global__ void load(Function function, void* data, void* information, Element* to,
                            elements wanted) {
  extern __shared__ __align__(16) unsigned char __gridspan_fft_shared[];
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= wanted.all) return;
  const long long offset = wanted.offset(i);
  to[offset] = function(data, static_cast<size_t>(offset), information, __gridspan_fft_shared);
}

template <typename Function, typename Element>
static __global__ void store(Function function, const Element* from, void* data, void* information,
                             elements wanted) {
  extern __shared__ __align__(16) unsigned char __gridspan_fft_shared[];
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= wanted.all) return;
  const long long offset = wanted.offset(i);
  function(data, static_cast<size_t>(offset), from[offset], information, __gridspan_fft_shared);
}

template <typename Kernel>
static const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

/* A template: its kernels are compiled where it is called. */
template <typename Type>
static const void* kernel_of(Type type) {
  switch (type) {
    case CUFFT_CB_LD_COMPLEX:
      return address(load<cufftCallbackLoadC, cufftComplex>);
    case CUFFT_CB_LD_COMPLEX_DOUBLE:
      return address(load<cufftCallbackLoadZ, cufftDoubleComplex>);
    case CUFFT_CB_LD_REAL:
      return address(load<cufftCallbackLoadR, cufftReal>);
    case CUFFT_CB_LD_REAL_DOUBLE:
      return address(load<cufftCallbackLoadD, cufftDoubleReal>);
    case CUFFT_CB_ST_COMPLEX:
      return address(store<cufftCallbackStoreC, cufftComplex>);
    case CUFFT_CB_ST_COMPLEX_DOUBLE:
      return address(store<cufftCallbackStoreZ, cufftDoubleComplex>);
    case CUFFT_CB_ST_REAL:
      return address(store<cufftCallbackStoreR, cufftReal>);
    case CUFFT_CB_ST_REAL_DOUBLE:
      return address(store<cufftCallbackStoreD, cufftDoubleReal>);
    default:
      return nullptr;
  }
}

#endif

}  // namespace __gridspan_fft

#if defined(__CUDACC__)
template <int = 0>
static inline cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine,
                                             cufftXtCallbackType cbType, void** caller_info) {
  return ::cufftXtSetCallbackAndKernel(plan, callback_routine, cbType, caller_info,
                                       __gridspan_fft::kernel_of(cbType));
}
#endif

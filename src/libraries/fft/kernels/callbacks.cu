// Functions of the program's that elements are loaded or stored by: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/callbacks.h"

#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::fft {
namespace {

struct Numbered {
  long long counts[4], strides[4];
  long long all;
};

/// The offset of the element that has number i.
__device__ long long offset_of(const Numbered& elements, long long i) {
  long long offset = 0;
  for (int d = 0; d < 4; ++d) {
    offset += i % elements.counts[d] * elements.strides[d];
    i /= elements.counts[d];
  }
  return offset;
}

template <typename Function, typename Element>
__global__ void load(Function function, void* data, void* information, Element* to,
                     Numbered elements) {
  extern __shared__ __align__(16) unsigned char shared[];
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= elements.all) return;
  const long long offset = offset_of(elements, i);
  to[offset] = function(data, static_cast<std::size_t>(offset), information, shared);
}

template <typename Function, typename Element>
__global__ void store(Function function, const Element* from, void* data, void* information,
                      Numbered elements) {
  extern __shared__ __align__(16) unsigned char shared[];
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= elements.all) return;
  const long long offset = offset_of(elements, i);
  function(data, static_cast<std::size_t>(offset), from[offset], information, shared);
}

constexpr unsigned block = 128;

Numbered numbered(const Elementwise4& elements) {
  Numbered result = {{}, {}, elements.all()};
  for (std::size_t d = 0; d < 4; ++d) {
    result.counts[d] = elements.counts[d];
    result.strides[d] = elements.strides[d];
  }
  return result;
}
dim3 blocks_of(const Elementwise4& elements) {
  return dim3(static_cast<unsigned>((elements.all() + block - 1) / block));
}

template <typename Function, typename Element>
cudaError_t launch_load(const Callback& callback, void* data, void* to,
                        const Elementwise4& elements, cudaStream_t stream) {
  return start_kernel_with(load<Function, Element>, blocks_of(elements), dim3(block),
                           callback.shared_bytes, stream,
                           reinterpret_cast<Function>(callback.function), data,
                           callback.information, static_cast<Element*>(to), numbered(elements));
}

template <typename Function, typename Element>
cudaError_t launch_store(const Callback& callback, const void* from, void* data,
                         const Elementwise4& elements, cudaStream_t stream) {
  return start_kernel_with(
      store<Function, Element>, blocks_of(elements), dim3(block), callback.shared_bytes, stream,
      reinterpret_cast<Function>(callback.function), static_cast<const Element*>(from), data,
      callback.information, numbered(elements));
}

}  // namespace

cudaError_t launch_load(cufftXtCallbackType type, const Callback& callback, void* data, void* to,
                        const Elementwise4& elements, cudaStream_t stream) {
  switch (type) {
    case CUFFT_CB_LD_COMPLEX:
      return launch_load<cufftCallbackLoadC, float2>(callback, data, to, elements, stream);
    case CUFFT_CB_LD_COMPLEX_DOUBLE:
      return launch_load<cufftCallbackLoadZ, double2>(callback, data, to, elements, stream);
    case CUFFT_CB_LD_REAL:
      return launch_load<cufftCallbackLoadR, float>(callback, data, to, elements, stream);
    case CUFFT_CB_LD_REAL_DOUBLE:
      return launch_load<cufftCallbackLoadD, double>(callback, data, to, elements, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t launch_store(cufftXtCallbackType type, const Callback& callback, const void* from,
                         void* data, const Elementwise4& elements, cudaStream_t stream) {
  switch (type) {
    case CUFFT_CB_ST_COMPLEX:
      return launch_store<cufftCallbackStoreC, float2>(callback, from, data, elements, stream);
    case CUFFT_CB_ST_COMPLEX_DOUBLE:
      return launch_store<cufftCallbackStoreZ, double2>(callback, from, data, elements, stream);
    case CUFFT_CB_ST_REAL:
      return launch_store<cufftCallbackStoreR, float>(callback, from, data, elements, stream);
    case CUFFT_CB_ST_REAL_DOUBLE:
      return launch_store<cufftCallbackStoreD, double>(callback, from, data, elements, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace gridspan::libraries::fft

// Elements of one type made into another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/convert.h"

#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename To, typename From>
__device__ inline To converted(From x) {
  return blas::Conversion<To, From>::of(x);
}
template <>
__device__ inline cuComplex converted(float x) {
  return make_cuComplex(x, 0);
}
template <>
__device__ inline cuDoubleComplex converted(double x) {
  return make_cuDoubleComplex(x, 0);
}

/// A thread for each element of a line.
template <typename From, typename To>
__global__ void convert(const From* from, long long from_step, To* to, long long to_step,
                        long long length, long long lines) {
  const long long i = own_number();
  if (i >= length) return;
  for (long long line = blockIdx.y; line < lines; line += gridDim.y)
    to[line * to_step + i] = converted<To, From>(from[line * from_step + i]);
}

/// Calls `run` with a zero of each type, or returns false.
template <typename Run>
bool with_conversion(cudaDataType from, cudaDataType to, Run run) {
  if (from == CUDA_R_16F && to == CUDA_R_32F) return run(__half{}, 0.0f);
  if (from == CUDA_R_16BF && to == CUDA_R_32F) return run(__nv_bfloat16{}, 0.0f);
  if (from == CUDA_R_8I && to == CUDA_R_32F) return run(static_cast<signed char>(0), 0.0f);
  if (from == CUDA_R_32F && to == CUDA_R_16F) return run(0.0f, __half{});
  if (from == CUDA_R_32F && to == CUDA_R_16BF) return run(0.0f, __nv_bfloat16{});
  if (from == CUDA_R_32F && to == CUDA_R_64F) return run(0.0f, 0.0);
  if (from == CUDA_R_32F && to == CUDA_C_32F) return run(0.0f, cuComplex{});
  if (from == CUDA_R_64F && to == CUDA_C_64F) return run(0.0, cuDoubleComplex{});
  return false;
}

}  // namespace

bool can_convert(cudaDataType from, cudaDataType to) {
  return with_conversion(from, to, [](auto, auto) { return true; });
}

cudaError_t launch_convert(const void* from, cudaDataType from_type, std::int64_t from_step,
                           void* to, cudaDataType to_type, std::int64_t to_step,
                           std::int64_t length, std::int64_t lines, cudaStream_t stream) {
  if (length == 0 || lines == 0) return cudaSuccess;
  cudaError_t error = cudaErrorInvalidValue;
  constexpr std::int64_t most = 65535;  // blocks of a grid, along y
  dim3 blocks = blocks_of(length);
  blocks.y = static_cast<unsigned>(lines < most ? lines : most);
  with_conversion(from_type, to_type, [&](auto of, auto into) {
    using From = decltype(of);
    using To = decltype(into);
    error =
        start_kernel(convert<From, To>, blocks, dim3(block), stream, static_cast<const From*>(from),
                     from_step, static_cast<To*>(to), to_step, length, lines);
    return true;
  });
  return error;
}

}  // namespace gridspan::libraries::sparse

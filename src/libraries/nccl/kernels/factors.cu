// One thread writes one number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/kernels/factors.h"

#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::nccl {
namespace {

template <typename T>
__global__ void write_number(T* to, T number) {
  if (threadIdx.x == 0) *to = number;
}

template <typename T>
cudaError_t start_write(void* to, std::uint64_t number, cudaStream_t stream) {
  return start_kernel(write_number<T>, dim3(1), dim3(1), stream, static_cast<T*>(to),
                      static_cast<T>(number));
}

}  // namespace

cudaError_t write_factor(void* to, std::uint64_t number, std::size_t bytes, cudaStream_t stream) {
  switch (bytes) {
    case 1:
      return start_write<std::uint8_t>(to, number, stream);
    case 2:
      return start_write<std::uint16_t>(to, number, stream);
    case 4:
      return start_write<std::uint32_t>(to, number, stream);
    case 8:
      return start_write<std::uint64_t>(to, number, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace gridspan::libraries::nccl

// A launch whose error is returned, and not mixed with errors that the program has yet to ask for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <tuple>

namespace gridspan::libraries {

/// With `shared_bytes` of dynamic shared memory.
template <typename... Parameters, typename... Arguments>
cudaError_t start_kernel_with(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                              std::size_t shared_bytes, cudaStream_t stream,
                              Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments));
  std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
  auto pointers = std::apply(
      [](auto&... value) { return std::array<void*, sizeof...(Parameters)>{&value...}; }, values);
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers.data(),
                          shared_bytes, stream);
}

template <typename... Parameters, typename... Arguments>
cudaError_t start_kernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
                         Arguments... arguments) {
  return start_kernel_with(kernel, grid, block, 0, stream, arguments...);
}

}  // namespace gridspan::libraries

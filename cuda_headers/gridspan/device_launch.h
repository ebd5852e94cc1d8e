// Launches in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang refuses to name a kernel in device code. Where it does, gridcc respells the launch
// `child<<<grid, block>>>(x)`, line by line as before, to
//
//     (gridspan_launch(grid, block)->*GRIDSPAN_LAUNCH(child))(x)
//
// In a host lambda kernels may be named: overloads are chosen and template arguments found there.
// Configuration and arguments are evaluated outside, in device code. The lambda reaches the device
// through a pointer to its call operator, a constant of which clang does not ask who uses it.
#pragma once

#include "device_macros.h"

#if defined(__cplusplus) && __cplusplus >= 201402L

namespace gridspan_launches {

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

template <class Launch, class... Arguments>
struct CallOperator {
  static constexpr auto value = &Launch::template operator()<Arguments...>;
};

template <class Launch>
struct Configured {
  Configuration configuration;
  Launch launch;
  template <class... Arguments>
  __host__ __device__ void operator()(Arguments&&... arguments) const {
    (launch.*CallOperator<Launch, Arguments...>::value)(configuration,
                                                        static_cast<Arguments&&>(arguments)...);
  }
};

template <class Launch>
GRIDSPAN_HOST_DEVICE Configured<Launch> operator->*(const Configuration& configuration,
                                                    Launch launch) {
  return {configuration, launch};
}

}  // namespace gridspan_launches

#define GRIDSPAN_LAUNCH(...)                                                             \
  [&] __host__(const gridspan_launches::Configuration& gridspan_configuration,           \
               auto&&... gridspan_arguments) {                                           \
    __VA_ARGS__<<<gridspan_configuration.grid, gridspan_configuration.block,             \
                  gridspan_configuration.shared_bytes, gridspan_configuration.stream>>>( \
        static_cast<decltype(gridspan_arguments)>(gridspan_arguments)...);               \
  }

GRIDSPAN_HOST_DEVICE gridspan_launches::Configuration gridspan_launch(dim3 grid, dim3 block,
                                                                      size_t shared_bytes = 0,
                                                                      cudaStream_t stream = 0) {
  return {grid, block, shared_bytes, stream};
}

#endif

// CUB and Thrust name these where they ask whether device code may launch kernels. Nobody defines
// them: code that calls them is refused.
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                        unsigned shared_bytes, cudaStream_t stream);
}
GRIDSPAN_HOST_DEVICE cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
  return cudaDeviceSynchronize();
}

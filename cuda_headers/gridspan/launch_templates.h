// cudaLaunchKernelEx: a launch with attributes and typed arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime_api.h"

#if __cplusplus >= 201103L
#include <utility>

namespace __gridspan {
// The converted arguments live as by-value parameters until the launch has read them.
template <class... Parameters>
inline cudaError_t launch_with(const cudaLaunchConfig_t* config, const void* kernel,
                               Parameters... parameters) {
  void* arguments[] = {(void*)&parameters..., nullptr};
  return ::cudaLaunchKernelExC(config, kernel, arguments);
}
}  // namespace __gridspan

template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                             void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return __gridspan::launch_with<Parameters...>(config, (const void*)kernel,
                                                std::forward<Arguments>(arguments)...);
}
#endif

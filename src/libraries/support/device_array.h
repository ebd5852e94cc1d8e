// An array in device memory that a library keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gridspan::libraries {

class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(place_); }

  /// False if there is no memory; what was there is gone.
  bool make(std::size_t bytes) {
    cudaFree(place_);
    place_ = nullptr;
    return cudaMalloc(&place_, bytes) == cudaSuccess;
  }
  /// A copy of `bytes` bytes of the host's. False if there is no memory.
  bool make_copy(const void* from, std::size_t bytes) {
    return make(bytes) && cudaMemcpy(place_, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  }
  template <typename T>
  T* as() const {
    return static_cast<T*>(place_);
  }

 private:
  void* place_ = nullptr;
};

}  // namespace gridspan::libraries

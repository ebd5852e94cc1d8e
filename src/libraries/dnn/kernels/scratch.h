// Memory of the stream's pool, for as long as launches need it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gridspan::libraries::dnn {

class Scratch {
 public:
  Scratch(long long bytes, cudaStream_t stream) : stream_(stream) {
    if (bytes) error_ = cudaMallocAsync(&place_, static_cast<std::size_t>(bytes), stream);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (place_) cudaFreeAsync(place_, stream_);
  }
  cudaError_t error() const { return error_; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(place_);
  }

 private:
  cudaStream_t stream_;
  void* place_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace gridspan::libraries::dnn

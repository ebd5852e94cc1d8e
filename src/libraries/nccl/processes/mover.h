// Copies between a rank's memory and the segment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/on_device.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gridspan::libraries::nccl::processes {

/// On the stream of a call, behind what it has got so far. The first error stays.
class Mover {
 public:
  Mover(int device, cudaStream_t stream) : device_(device), stream_(stream) {}

  void copy(void* to, const void* from, std::size_t bytes) {
    if (error_ == cudaSuccess && bytes > 0 && to != from)
      error_ = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_);
  }
  void note(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }
  /// All copies are made, or there was an error.
  cudaError_t finish() {
    if (error_ == cudaSuccess) error_ = cudaStreamSynchronize(stream_);
    return error_;
  }
  cudaStream_t stream() const { return stream_; }

 private:
  const OnDevice device_;
  const cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace gridspan::libraries::nccl::processes

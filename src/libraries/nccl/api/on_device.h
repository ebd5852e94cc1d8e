// The calling thread's device, for a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

namespace gridspan::libraries::nccl {

/// Put back at the end.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    if (cudaGetDevice(&before_) != cudaSuccess) before_ = -1;
    if (before_ != device) cudaSetDevice(device);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  int before_ = -1;
};

}  // namespace gridspan::libraries::nccl

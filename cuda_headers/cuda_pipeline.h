// Copies to shared memory that are waited for later: __pipeline_*, nvcuda::experimental::pipeline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_pipeline_primitives.h"

#ifdef __cplusplus
namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  __device__ pipeline() {}
  __device__ size_t commit() { return stage_++; }
  __device__ void commit_and_wait() { wait(commit()); }
  __device__ void wait(size_t) {}
  template <unsigned Prior>
  __device__ void wait_prior() {}
  __device__ void arrive_on(__mbarrier_t&) {}

 private:
  size_t stage_ = 0;
};

template <class T>
__device__ __inline__ void memcpy_async(T& to, const T& from, pipeline&) {
  to = from;
}

}  // namespace experimental
}  // namespace nvcuda
#endif

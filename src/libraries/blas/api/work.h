// The steps of a call that takes several: after one that fails nothing more is begun; memory for
// what lies between them, given back in stream order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/arguments.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridspan::libraries::blas {

class Work {
 public:
  explicit Work(cudaStream_t stream) : stream_(stream) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() { give_back(); }

  /// Null if there was none, or an error before.
  template <typename T>
  T* take(std::int64_t count) {
    if (!is_good()) return nullptr;
    void* place = nullptr;
    const auto bytes = static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T);
    if (cudaMallocAsync(&place, bytes, stream_) != cudaSuccess) {
      status_ = CUBLAS_STATUS_ALLOC_FAILED;
      return nullptr;
    }
    taken_.push_back(place);
    return static_cast<T*>(place);
  }

  /// `begin` launches something, and says how that went.
  template <typename Begin>
  void step(Begin begin) {
    if (is_good()) status_ = status_of(begin());
  }

  bool is_good() const { return status_ == CUBLAS_STATUS_SUCCESS; }
  cudaStream_t stream() const { return stream_; }
  /// All memory is given back; no more steps.
  cublasStatus_t finish() {
    give_back();
    return status_;
  }

 private:
  void give_back() {
    for (void* const place : taken_)
      if (cudaFreeAsync(place, stream_) != cudaSuccess && is_good())
        status_ = CUBLAS_STATUS_EXECUTION_FAILED;
    taken_.clear();
  }

  cudaStream_t stream_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  std::vector<void*> taken_;
};

}  // namespace gridspan::libraries::blas

// What the CUDA cases share: arrays on the device, numbers of blocks, errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../form.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Waits for all that was launched.
inline void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

/// An array on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)));
    check(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) { fill(values); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }

  operator T*() const { return data_; }
  void fill(const std::vector<T>& values) {
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> values() const {
    std::vector<T> all(count_);
    check(cudaMemcpy(all.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }
  void report(Run& run) const { run.result(values().data(), count_); }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline dim3 blocks(int n, int size) { return dim3((n + size - 1) / size); }
inline dim3 blocks(int nx, int ny, dim3 size) {
  return dim3((nx + size.x - 1) / size.x, (ny + size.y - 1) / size.y);
}

}  // namespace bench

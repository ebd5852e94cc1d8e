// A program to be measured: arrays go up, steps run, results come down, several times over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../tests/run/check.h"
#include "results.h"

#include <cstring>
#include <deque>
#include <functional>
#include <vector>

namespace bench {

class Job {
 public:
  /// An array whose element i is value(i) when a run begins.
  template <class T, class Value>
  T* given(std::size_t count, Value value) {
    Array& array = make(count * sizeof(T));
    array.first.resize(array.bytes);
    for (std::size_t i = 0; i < count; ++i) {
      const T element = value(i);
      std::memcpy(&array.first[i * sizeof(T)], &element, sizeof(T));
    }
    return reinterpret_cast<T*>(array.device);
  }
  /// One that kernels fill.
  template <class T>
  T* empty(std::size_t count) {
    return reinterpret_cast<T*>(make(count * sizeof(T)).device);
  }
  /// Is read back at the end of a run.
  void result(const void* device) {
    for (Array& array : arrays_) array.is_result |= array.device == device;
  }
  std::function<void()> steps;

  /// Prints how long each phase of each run took, and what all results are.
  void run(int runs) {
    for (int i = 0; i < runs; ++i) {
      const auto start = Clock::now();
      for (const Array& array : arrays_) upload(array);
      CUDA_OK(cudaDeviceSynchronize());
      const auto uploaded = Clock::now();
      steps();
      CUDA_OK(cudaGetLastError());
      CUDA_OK(cudaDeviceSynchronize());
      const auto computed = Clock::now();
      for (Array& array : arrays_) download(array);
      print_run(start, uploaded, computed, Clock::now());
    }
    Digest digest;
    for (const Array& array : arrays_) digest.add(array.last);
    digest.print();
  }

 private:
  struct Array {
    char* device;
    std::size_t bytes;
    std::vector<char> first;  // empty: is not uploaded
    std::vector<char> last;   // the result
    bool is_result = false;
  };

  Array& make(std::size_t bytes) {
    Array& array = arrays_.emplace_back(Array{nullptr, bytes, {}, {}});
    CUDA_OK(cudaMalloc(&array.device, bytes));
    return array;
  }
  static void upload(const Array& array) {
    if (array.first.empty()) return;
    CUDA_OK(cudaMemcpy(array.device, array.first.data(), array.bytes, cudaMemcpyHostToDevice));
  }
  static void download(Array& array) {
    if (!array.is_result) return;
    array.last.resize(array.bytes);
    CUDA_OK(cudaMemcpy(array.last.data(), array.device, array.bytes, cudaMemcpyDeviceToHost));
  }

  std::deque<Array> arrays_;
};

}  // namespace bench

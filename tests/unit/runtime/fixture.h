// What most tests of the API start from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_runtime_api.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace gridspan::tests {

/// Fails the test unless the call succeeds.
#define EXPECT_CUDA(call) EXPECT_EQ((call), cudaSuccess)
#define ASSERT_CUDA(call) ASSERT_EQ((call), cudaSuccess)

/// Each test starts without a last error and must leave none.
class CudaTest : public testing::Test {
 protected:
  void SetUp() override { cudaGetLastError(); }
  void TearDown() override {
    EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_CUDA(cudaGetLastError());
  }
};

/// The call fails with `code`, and that is the last error, once.
inline void expect_error(cudaError_t got, cudaError_t code) {
  EXPECT_STREQ(cudaGetErrorName(got), cudaGetErrorName(code));
  // "Not ready" is an answer that no last error tells of.
  const cudaError_t remembered = got == cudaErrorNotReady ? cudaSuccess : got;
  EXPECT_EQ(cudaPeekAtLastError(), remembered);
  EXPECT_EQ(cudaGetLastError(), remembered);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

/// Device memory that frees itself.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t size) { EXPECT_CUDA(cudaMalloc(&memory_, size)); }
  ~DeviceMemory() { EXPECT_CUDA(cudaFree(memory_)); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  char* get() const { return static_cast<char*>(memory_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

inline std::vector<char> random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<char> bytes(size);
  for (char& byte : bytes) byte = static_cast<char>(generator());
  return bytes;
}

}  // namespace gridspan::tests

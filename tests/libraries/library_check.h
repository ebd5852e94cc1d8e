// What the tests of CUDA's libraries share: counted expectations, arrays, the bits of results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline int checks = 0, wrong = 0;

inline bool expect(bool is_right, const char* what, int line) {
  ++checks;
  if (!is_right && ++wrong <= 20) std::printf("line %d: %s\n", line, what);
  return is_right;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// With TEST_BROKEN=N a byte of the N-th copy to the host is wrong, the first one being 1: a test
/// has to notice that (check_program.sh). With 0 `finish` prints how many there are.
inline int copies_to_host = 0;
inline cudaError_t copy_broken(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
  const char* const broken = std::getenv("TEST_BROKEN");
  if (kind != cudaMemcpyDeviceToHost || bytes == 0 ||
      ++copies_to_host != std::atoi(broken ? broken : "0"))
    return error;
  constexpr std::size_t element = 16;  // of any size up to that, this is a sign and an exponent
  const std::size_t last =
      bytes < element ? bytes - 1 : 7919 % (bytes / element) * element + element - 1;
  static_cast<unsigned char*>(to)[last] ^= 0x41;
  return error;
}
#define cudaMemcpy copy_broken

/// Runs that take ten times as long, with verification or in the interpreter, may do with some
/// types and sizes (check_program.sh).
inline bool has_few() { return std::getenv("TEST_FEW") != nullptr; }

/// For tests that fill arrays with them: they say which.
template <typename T>
T random_number();

/// An array on the host and on the device.
template <typename T>
struct Array {
  explicit Array(std::size_t count) : host(count) {
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&device), (count + 1) * sizeof(T)) == cudaSuccess);
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(device); }

  void random() {
    for (T& x : host) x = random_number<T>();
  }
  void fill(T x) {
    for (T& one : host) one = x;
  }
  void to_device() {
    EXPECT(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice) ==
           cudaSuccess);
  }
  std::vector<T> from_device() const {
    std::vector<T> result(host.size());
    EXPECT(cudaMemcpy(result.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    return result;
  }

  std::vector<T> host;
  T* device = nullptr;
};

/// The bits of results, for check_program.sh: the same on any number of devices. (FNV-1a)
template <typename T>
void print_bits(const char* name, const std::vector<T>& results) {
  unsigned long long hash = 1469598103934665603ull;
  std::vector<unsigned char> bytes(results.size() * sizeof(T));
  std::memcpy(bytes.data(), results.data(), bytes.size());
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  std::printf("bits of %s: %016llx\n", name, hash);
}

inline int finish() {
  if (const char* broken = std::getenv("TEST_BROKEN"); broken && std::atoi(broken) == 0)
    std::printf("%d copies to the host\n", copies_to_host);
  std::printf("%d of %d right\n", checks - wrong, checks);
  return wrong == 0 && checks > 0 ? 0 : 1;
}

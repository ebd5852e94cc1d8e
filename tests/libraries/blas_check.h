// What the tests of cuBLAS share: numbers, matrices with gaps, a plain reference in double,
// comparison element by element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

using Number = std::complex<double>;

inline int checks = 0, wrong = 0;

inline bool expect(bool is_right, const char* what, int line) {
  ++checks;
  if (!is_right && ++wrong <= 20) std::printf("line %d: %s\n", line, what);
  return is_right;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

template <typename T>
Number wide(T x) {
  return Number(static_cast<double>(x), 0);
}
inline Number wide(__half x) { return Number(__half2float(x), 0); }
inline Number wide(__nv_bfloat16 x) { return Number(__bfloat162float(x), 0); }
inline Number wide(cuComplex x) { return Number(x.x, x.y); }
inline Number wide(cuDoubleComplex x) { return Number(x.x, x.y); }

template <typename T>
struct Of {
  static constexpr bool is_complex = false;
  static T number(Number x) { return static_cast<T>(x.real()); }
};
template <>
struct Of<__half> {
  static constexpr bool is_complex = false;
  static __half number(Number x) { return __float2half(static_cast<float>(x.real())); }
};
template <>
struct Of<__nv_bfloat16> {
  static constexpr bool is_complex = false;
  static __nv_bfloat16 number(Number x) { return __float2bfloat16(static_cast<float>(x.real())); }
};
template <>
struct Of<cuComplex> {
  static constexpr bool is_complex = true;
  static cuComplex number(Number x) {
    return make_cuComplex(static_cast<float>(x.real()), static_cast<float>(x.imag()));
  }
};
template <>
struct Of<cuDoubleComplex> {
  static constexpr bool is_complex = true;
  static cuDoubleComplex number(Number x) { return make_cuDoubleComplex(x.real(), x.imag()); }
};

/// A number that no result may contain: NaN, or the largest where there is none.
template <typename T>
T poison() {
  if constexpr (std::numeric_limits<T>::is_integer) return std::numeric_limits<T>::max();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return Of<T>::number(Number(nan, nan));
}

/// Small whole numbers: products and sums of them are exact in every type, so results must be
/// equal.
template <typename T>
T random_number() {
  const auto next = [] { return static_cast<double>(std::rand() % 5 - 2); };
  const double real = next();
  return Of<T>::number(Number(real, Of<T>::is_complex ? next() : 0));
}

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

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

/// Fractions, whose sums depend on their order.
template <typename T>
T random_fraction() {
  const auto next = [] { return static_cast<double>(std::rand()) / RAND_MAX - 0.5; };
  const double real = next();
  return Of<T>::number(Number(real, Of<T>::is_complex ? next() : 0));
}

inline int finish() {
  std::printf("%d of %d right\n", checks - wrong, checks);
  return wrong == 0 && checks > 0 ? 0 : 1;
}

// What the tests of cuFFT share: arrays with gaps, a plain transform in double, comparison element
// by element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "library_check.h"

#include <cuda_fp16.h>
#include <cufftXt.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>

#define RIGHT(call) EXPECT((call) == CUFFT_SUCCESS)

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

/// Arrays of a batch: sizes of dimensions, the last one is the fastest, and where elements are.
struct Layout {
  std::vector<int> sizes;
  int batch = 1;
  std::vector<int> embed;  // as cufftPlanMany has it
  int stride = 1, distance = 0;

  int count() const {
    int result = 1;
    for (const int size : sizes) result *= size;
    return result;
  }
  /// Where the element is that has number `i` if arrays have no gaps.
  int place(int array, int i) const {
    int place = array * distance, step = stride;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      place += i % sizes[d] * step;
      i /= sizes[d];
      step *= embed[d];
    }
    return place;
  }
  int size() const { return place(batch - 1, count() - 1) + 1; }
};

/// Without gaps.
inline Layout plain(std::vector<int> sizes, int batch) {
  Layout layout = {sizes, batch, sizes, 1, 0};
  layout.distance = layout.count();
  return layout;
}

/// With gaps everywhere.
inline Layout loose(std::vector<int> sizes, int batch, int stride) {
  Layout layout = {sizes, batch, sizes, stride, 0};
  for (int& size : layout.embed) size += 2;
  int all = stride;
  for (const int size : layout.embed) all *= size;
  layout.distance = all + 3;
  return layout;
}

/// A batch that lies across: element i of all arrays, then element i + 1.
inline Layout across(std::vector<int> sizes, int batch) { return {sizes, batch, sizes, batch, 1}; }

/// `array` of the batch, transformed along one dimension: by the definition.
inline void transform_along(Numbers& x, int n, int stride, int direction) {
  using Long = std::complex<long double>;
  std::vector<Long> roots(n);
  Numbers line(n);
  for (int k = 0; k < n; ++k) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L * k / n;
    roots[k] = Long(std::cos(angle), direction * std::sin(angle));
  }
  for (std::size_t start = 0; start < x.size(); ++start) {
    if (start / stride % n != 0) continue;
    for (int k = 0; k < n; ++k) {
      long double re = 0, im = 0;
      for (int j = 0, at = 0; j < n; ++j, at = (at + k) % n) {
        const Number own = x[start + j * static_cast<std::size_t>(stride)];
        re += own.real() * roots[at].real() - own.imag() * roots[at].imag();
        im += own.real() * roots[at].imag() + own.imag() * roots[at].real();
      }
      line[k] = Number(static_cast<double>(re), static_cast<double>(im));
    }
    for (int k = 0; k < n; ++k) x[start + k * static_cast<std::size_t>(stride)] = line[k];
  }
}

inline Numbers transformed(Numbers x, const std::vector<int>& sizes, int direction) {
  int stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    transform_along(x, sizes[d], stride, direction);
    stride *= sizes[d];
  }
  return x;
}

inline double fraction() { return static_cast<double>(std::rand()) / RAND_MAX - 0.5; }

/// Numbers of a precision, as arrays hold them: real, or complex ones.
template <typename T>
struct Precision {
  using Real = float;
  using Complex = float2;
  static constexpr double rounding = 6e-8;
};
template <>
struct Precision<double> {
  using Real = double;
  using Complex = double2;
  static constexpr double rounding = 1.2e-16;
};
template <>
struct Precision<__half> {
  using Real = __half;
  using Complex = __half2;
  static constexpr double rounding = 5e-4;
};

inline Number wide(float x) { return x; }
inline Number wide(double x) { return x; }
inline Number wide(__half x) { return __half2float(x); }
inline Number wide(float2 x) { return {x.x, x.y}; }
inline Number wide(double2 x) { return {x.x, x.y}; }
inline Number wide(__half2 x) { return {__half2float(x.x), __half2float(x.y)}; }
inline void narrow(Number x, float& to) { to = static_cast<float>(x.real()); }
inline void narrow(Number x, double& to) { to = x.real(); }
inline void narrow(Number x, __half& to) { to = __float2half(static_cast<float>(x.real())); }
inline void narrow(Number x, float2& to) {
  to = {static_cast<float>(x.real()), static_cast<float>(x.imag())};
}
inline void narrow(Number x, double2& to) { to = {x.real(), x.imag()}; }
inline void narrow(Number x, __half2& to) {
  narrow(x.real(), to.x);
  narrow(x.imag(), to.y);
}

/// Poison, but for the elements, which become `values`.
template <typename Element>
std::vector<Element> spread(const Numbers& values, const Layout& layout, int size) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Element> result(size);
  for (Element& x : result) narrow(Number(nan, nan), x);
  for (int b = 0, next = 0; b < layout.batch; ++b)
    for (int i = 0; i < layout.count(); ++i) narrow(values[next++], result[layout.place(b, i)]);
  return result;
}

/// The largest and the mean deviation, against what random rounding would leave.
inline bool is_close(const Numbers& got, const Numbers& wanted, double rounding, int length) {
  double all = 0, wrong = 0, worst = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double own = std::norm(got[i] - wanted[i]);
    if (!(own >= 0)) return false;  // NaN
    all += std::norm(wanted[i]);
    wrong += own;
    worst = std::max(worst, own);
  }
  const double steps = 1 + std::log2(static_cast<double>(length));
  const double mean = std::sqrt(all / static_cast<double>(wanted.size()));
  const double allowed = rounding * (1 + 0.5 * steps) * mean;
  return std::sqrt(wrong / static_cast<double>(wanted.size())) <= allowed &&
         std::sqrt(worst) <= 8 * allowed;
}

/// Are the elements close to those wanted, and is everything between them as it was?
template <typename Element>
bool is_result(const std::vector<Element>& got, const std::vector<Element>& before,
               const Layout& layout, const Numbers& wanted, double rounding, int length) {
  std::vector<bool> belongs(got.size());
  Numbers values;
  for (int b = 0; b < layout.batch; ++b) {
    for (int i = 0; i < layout.count(); ++i) {
      const int place = layout.place(b, i);
      belongs[place] = true;
      values.push_back(wide(got[place]));
    }
  }
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!belongs[i] && !same_bits(got[i], before[i])) return false;
  return is_close(values, wanted, rounding, length);
}

/// Memory on the device, as bytes.
struct Memory {
  explicit Memory(std::size_t bytes) : bytes(bytes) {
    EXPECT(cudaMalloc(&place, bytes + 64) == cudaSuccess);
  }
  Memory(const Memory&) = delete;
  ~Memory() { cudaFree(place); }
  template <typename Element>
  void put(const std::vector<Element>& values) {
    EXPECT(cudaMemcpy(place, values.data(), values.size() * sizeof(Element),
                      cudaMemcpyHostToDevice) == cudaSuccess);
  }
  template <typename Element>
  std::vector<Element> get(std::size_t count) const {
    std::vector<Element> result(count);
    EXPECT(cudaMemcpy(result.data(), place, count * sizeof(Element), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    return result;
  }
  std::size_t bytes;
  void* place = nullptr;
};

struct Plan {
  Plan() { RIGHT(cufftCreate(&own)); }
  Plan(const Plan&) = delete;
  ~Plan() { RIGHT(cufftDestroy(own)); }
  operator cufftHandle() const { return own; }
  cufftHandle own = 0;
};

template <typename T>
constexpr cudaDataType real_type = CUDA_R_32F;
template <>
constexpr cudaDataType real_type<double> = CUDA_R_64F;
template <>
constexpr cudaDataType real_type<__half> = CUDA_R_16F;
template <typename T>
constexpr cudaDataType complex_type = CUDA_C_32F;
template <>
constexpr cudaDataType complex_type<double> = CUDA_C_64F;
template <>
constexpr cudaDataType complex_type<__half> = CUDA_C_16F;

/// Through cufftXtMakePlanMany: all sizes given.
template <typename T>
void make(Plan& plan, const Layout& in, bool in_is_real, const Layout& out, bool out_is_real,
          const std::vector<int>& sizes) {
  const auto wide_sizes = [](const std::vector<int>& from) {
    return std::vector<long long>(from.begin(), from.end());
  };
  std::vector<long long> n = wide_sizes(sizes), in_embed = wide_sizes(in.embed),
                         out_embed = wide_sizes(out.embed);
  std::size_t size = 1, measured = 2;
  const auto in_type = in_is_real ? real_type<T> : complex_type<T>,
             out_type = out_is_real ? real_type<T> : complex_type<T>;
  const int rank = static_cast<int>(n.size());
  RIGHT(cufftXtGetSizeMany(plan, rank, n.data(), in_embed.data(), in.stride, in.distance, in_type,
                           out_embed.data(), out.stride, out.distance, out_type, in.batch,
                           &measured, complex_type<T>));
  RIGHT(cufftXtMakePlanMany(plan, rank, n.data(), in_embed.data(), in.stride, in.distance, in_type,
                            out_embed.data(), out.stride, out.distance, out_type, in.batch, &size,
                            complex_type<T>));
  EXPECT(size == measured);
}

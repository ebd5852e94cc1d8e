// What the tests of cuSOLVER share: matrices with poison between their columns, plain references in
// long double. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "library_check.h"

#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

using Long = std::complex<long double>;

inline Long wide(float x) { return x; }
inline Long wide(double x) { return x; }
inline Long wide(cuComplex x) { return Long(x.x, x.y); }
inline Long wide(cuDoubleComplex x) { return Long(x.x, x.y); }

template <typename T>
struct Of {
  using Real = T;
  static constexpr bool is_complex = false;
  static constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cudaDataType real_type = type;
  static T number(Long x) { return static_cast<T>(x.real()); }
};
template <>
struct Of<cuComplex> {
  using Real = float;
  static constexpr bool is_complex = true;
  static constexpr cudaDataType type = CUDA_C_32F, real_type = CUDA_R_32F;
  static cuComplex number(Long x) {
    return make_cuComplex(static_cast<float>(x.real()), static_cast<float>(x.imag()));
  }
};
template <>
struct Of<cuDoubleComplex> {
  using Real = double;
  static constexpr bool is_complex = true;
  static constexpr cudaDataType type = CUDA_C_64F, real_type = CUDA_R_64F;
  static cuDoubleComplex number(Long x) {
    return make_cuDoubleComplex(static_cast<double>(x.real()), static_cast<double>(x.imag()));
  }
};
template <typename T>
using RealOf = typename Of<T>::Real;

template <typename T>
constexpr long double epsilon() {
  return std::numeric_limits<RealOf<T>>::epsilon();
}

/// A number that no result may contain.
template <typename T>
T poison() {
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  return Of<T>::number(Long(nan, nan));
}

/// Between -1 and 1, the same in every run.
inline std::uint64_t random_state = 1;
inline long double random_fraction() {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<long double>(random_state >> 40) / (1 << 23) - 1;
}
template <typename T>
T random_number() {
  const long double real = random_fraction();
  return Of<T>::number(Long(real, Of<T>::is_complex ? random_fraction() : 0));
}

/// A matrix of the reference.
struct Reference {
  Reference(int rows, int columns)
      : rows(rows), columns(columns), values(static_cast<std::size_t>(rows) * columns) {}
  Long& operator()(int i, int j) { return values[i + static_cast<std::size_t>(j) * rows]; }
  Long operator()(int i, int j) const { return values[i + static_cast<std::size_t>(j) * rows]; }

  Reference adjoint() const {
    Reference result(columns, rows);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) result(j, i) = std::conj((*this)(i, j));
    return result;
  }
  Reference transposed() const {
    Reference result(columns, rows);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) result(j, i) = (*this)(i, j);
    return result;
  }
  /// The first rows and columns.
  Reference corner(int m, int n) const {
    Reference result(m, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) result(i, j) = (*this)(i, j);
    return result;
  }
  int rows, columns;
  std::vector<Long> values;
};

inline Reference operator*(const Reference& a, const Reference& b) {
  Reference c(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k) {
      const Long factor = b(k, j);
      for (int i = 0; i < a.rows; ++i) {
        // Written out: std::complex's product looks for NaN.
        const Long x = a(i, k);
        c(i, j) += Long(x.real() * factor.real() - x.imag() * factor.imag(),
                        x.real() * factor.imag() + x.imag() * factor.real());
      }
    }
  return c;
}
inline Reference identity(int n) {
  Reference result(n, n);
  for (int i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}
inline long double largest(const Reference& a) {
  long double result = 0;
  for (const Long x : a.values) result = std::max(result, std::abs(x));
  return result;
}

/// Solves A X = B without pivots other than the largest of a column. (Gauss)
inline Reference solved(Reference a, Reference b) {
  const int n = a.rows;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(best, k))) best = i;
    for (int j = 0; j < n; ++j) std::swap(a(k, j), a(best, j));
    for (int j = 0; j < b.columns; ++j) std::swap(b(k, j), b(best, j));
    for (int i = k + 1; i < n; ++i) {
      const Long factor = a(i, k) / a(k, k);
      for (int j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (int j = 0; j < b.columns; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (int j = 0; j < b.columns; ++j)
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) b(i, j) -= a(i, k) * b(k, j);
      b(i, j) /= a(i, i);
    }
  return b;
}

/// A matrix on the host and the device, with poison between its columns.
template <typename T>
struct Matrix : Array<T> {
  Matrix(int rows, int columns, int gap = 2)
      : Array<T>(static_cast<std::size_t>(rows + gap) * columns),
        rows(rows),
        columns(columns),
        lead(std::max(1, rows + gap)) {
    this->fill(poison<T>());
    this->to_device();
  }
  Matrix(const Reference& values, int gap = 2) : Matrix(values.rows, values.columns, gap) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) at(i, j) = Of<T>::number(values(i, j));
    this->to_device();
  }
  T& at(int i, int j) { return this->host[i + static_cast<std::size_t>(j) * lead]; }

  /// As the device has it. What lies between columns must be as it was.
  Reference result() {
    const std::vector<T> got = this->from_device();
    Reference values(rows, columns);
    int touched = 0;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < lead; ++i) {
        const T& x = got[i + static_cast<std::size_t>(j) * lead];
        if (i < rows)
          values(i, j) = wide(x);
        else
          touched += !same_bits(x, at(i, j));
      }
    EXPECT(touched == 0);
    return values;
  }
  int rows, columns, lead;
};

/// Every element of `covered` ones is within `tolerance` of what is wanted.
inline bool close(const Reference& got, const Reference& wanted, long double tolerance,
                  const std::function<bool(int, int)>& covered = nullptr) {
  for (int j = 0; j < wanted.columns; ++j)
    for (int i = 0; i < wanted.rows; ++i)
      if ((!covered || covered(i, j)) && !(std::abs(got(i, j) - wanted(i, j)) <= tolerance)) {
        std::printf("  (%d, %d): %Lg%+Lgi, not %Lg%+Lgi, tolerance %Lg\n", i, j, got(i, j).real(),
                    got(i, j).imag(), wanted(i, j).real(), wanted(i, j).imag(), tolerance);
        return false;
      }
  return true;
}

template <typename T>
Reference random_matrix(int rows, int columns) {
  Reference result(rows, columns);
  for (Long& x : result.values) x = wide(random_number<T>());
  return result;
}
/// Hermitian, of numbers that T has.
template <typename T>
Reference random_hermitian(int n, long double shift = 0) {
  Reference result = random_matrix<T>(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      result(i, j) = i == j ? Long(result(i, i).real() + shift) : std::conj(result(j, i));
  for (Long& x : result.values) x = wide(Of<T>::number(x));
  return result;
}
template <typename T>
Reference positive_definite(int n) {
  return random_hermitian<T>(n, 2 * n);
}

inline bool is_in(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}
/// The other triangle, which no routine may read, is poison.
template <typename T>
void poison_other(Matrix<T>& matrix, cublasFillMode_t fill) {
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.rows; ++i)
      if (!is_in(fill, i, j)) matrix.at(i, j) = poison<T>();
  matrix.to_device();
}
/// The other triangle is as it was.
template <typename T>
bool keeps_other(Matrix<T>& matrix, cublasFillMode_t fill) {
  const std::vector<T> got = matrix.from_device();
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.rows; ++i)
      if (!is_in(fill, i, j) &&
          !same_bits(got[i + static_cast<std::size_t>(j) * matrix.lead], matrix.at(i, j)))
        return false;
  return true;
}

inline const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

/// An info in device memory, poisoned before each call.
struct Info {
  Info() : array(1) { reset(); }
  void reset() {
    array.host[0] = -77;
    array.to_device();
  }
  int value() const { return array.from_device()[0]; }
  operator int*() const { return array.device; }
  Array<int> array;
};

/// A workspace of exactly so many elements.
template <typename T>
struct Work : Array<T> {
  explicit Work(int count) : Array<T>(static_cast<std::size_t>(std::max(count, 0))), count(count) {
    this->fill(poison<T>());
    this->to_device();
  }
  int count;
};
#define EXPECT_OK(...) EXPECT((__VA_ARGS__) == CUSOLVER_STATUS_SUCCESS)

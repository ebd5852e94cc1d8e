// The numbers that plans compute once: roots of unity, passes, chirps. In double first, each by
// itself, so that none has more than its own rounding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/fft/kernels/lines.h"
#include "libraries/support/device_array.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace gridspan::libraries::fft {

/// exp(-2 pi i k / n), right to a rounding of double.
std::complex<double> root(std::int64_t k, std::int64_t n);

/// Has it factors other than those that butterflies exist for?
bool is_smooth(std::int64_t n);

/// The radices of the passes over a line, in order.
std::vector<int> radices_of(int rows);

/// Numbers as lines.h describes them; places into `passes`.
std::vector<int> passes_of(int rows, Passes& passes);

/// exp(-pi i k^2 / n), k < n.
std::vector<std::complex<double>> chirp(std::int64_t n);

/// The transform of the conjugate chirp, wrapped to `length`, and divided by it.
std::vector<std::complex<double>> chirp_spectrum(std::int64_t n, std::int64_t length);

/// Tables of a plan in device memory.
class Tables {
 public:
  /// Copies numbers there. Null if there is no memory.
  template <typename T>
  const Complex<T>* keep(const std::vector<std::complex<double>>& numbers) {
    std::vector<std::complex<T>> narrow(numbers.begin(), numbers.end());
    return static_cast<const Complex<T>*>(keep_bytes(narrow.data(), narrow.size() * 2 * sizeof(T)));
  }
  const int* keep(const std::vector<int>& numbers) {
    return static_cast<const int*>(keep_bytes(numbers.data(), numbers.size() * sizeof(int)));
  }

 private:
  const void* keep_bytes(const void* numbers, std::size_t bytes);
  std::vector<std::unique_ptr<DeviceArray>> arrays_;
};

}  // namespace gridspan::libraries::fft

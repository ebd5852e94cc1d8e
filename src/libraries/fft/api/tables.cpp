// Roots of unity, passes, chirps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace gridspan::libraries::fft {

std::complex<double> root(std::int64_t k, std::int64_t n) {
  // Within the first eighth of the circle, where the functions are right to the last bit.
  k %= n;
  const std::int64_t eighth = 8 * k / n;
  const auto part = [n](std::int64_t eighths) {
    const long double angle = std::numbers::pi_v<long double> / 4 *
                              static_cast<long double>(eighths) / static_cast<long double>(n);
    return std::pair(std::cos(angle), std::sin(angle));
  };
  const auto [c, s] = eighth % 2 == 0 ? part(8 * k - eighth * n) : part((eighth + 1) * n - 8 * k);
  std::pair<long double, long double> x;
  switch (eighth) {
    case 0:
      x = {c, s};
      break;
    case 1:
      x = {s, c};
      break;
    case 2:
      x = {-s, c};
      break;
    case 3:
      x = {-c, s};
      break;
    case 4:
      x = {-c, -s};
      break;
    case 5:
      x = {-s, -c};
      break;
    case 6:
      x = {s, -c};
      break;
    default:
      x = {c, -s};
  }
  return {static_cast<double>(x.first), static_cast<double>(-x.second)};
}

bool is_smooth(std::int64_t n) {
  for (const int radix : {2, 3, 5, 7, 11, 13})
    while (n % radix == 0) n /= radix;
  return n == 1;
}

std::vector<int> radices_of(int rows) {
  std::vector<int> result;
  for (const int radix : {13, 11, 7, 5, 3})
    for (; rows % radix == 0; rows /= radix) result.push_back(radix);
  // A power of two: eights, and a four or two fours for what is left over.
  std::vector<int> twos;
  while (rows % 8 == 0 && rows != 16) {
    twos.push_back(8);
    rows /= 8;
  }
  for (const int radix : {4, 2})
    for (; rows % radix == 0; rows /= radix) twos.push_back(radix);
  std::copy(twos.begin(), twos.end(), std::back_inserter(result));
  return result;
}

std::vector<int> passes_of(int rows, Passes& passes) {
  const std::vector<int> radices = radices_of(rows);
  passes.count = static_cast<int>(radices.size());
  std::vector<int> numbers(4 * radices.size());
  int length = rows;  // of what butterflies of a pass stay within
  for (std::size_t p = 0; p < radices.size(); ++p) {
    const int radix = radices[p], distance = length / radix;
    numbers[4 * p] = radix;
    numbers[4 * p + 1] = rows / radix;
    numbers[4 * p + 2] = distance;
    numbers[4 * p + 3] = static_cast<int>(numbers.size());
    for (int start = 0; start < rows; start += length) {
      for (int j = 0; j < distance; ++j) {
        numbers.push_back(start + j);
        numbers.push_back(j * (rows / length));
      }
    }
    length = distance;
  }
  std::vector<int> order(static_cast<std::size_t>(rows)), row_of(order.size());
  for (int k = 0; k < rows; ++k) {
    int place = 0, rest = k, size = rows;
    for (const int radix : radices) {
      size /= radix;
      place += rest % radix * size;
      rest /= radix;
    }
    order[static_cast<std::size_t>(k)] = place;
    row_of[static_cast<std::size_t>(place)] = k;
  }
  passes.order = static_cast<int>(numbers.size());
  numbers.insert(numbers.end(), order.begin(), order.end());
  passes.natural = static_cast<int>(numbers.size());
  const int last = radices.empty() ? 1 : radices.back();
  for (int place = 0; place < rows; place += last)
    numbers.push_back(row_of[static_cast<std::size_t>(place)]);
  return numbers;
}

namespace {

/// k^2 modulo 2 n.
std::int64_t square(std::int64_t k, std::int64_t n) {
  const auto wide = static_cast<unsigned __int128>(k) * static_cast<unsigned __int128>(k);
  return static_cast<std::int64_t>(wide % static_cast<unsigned __int128>(2 * n));
}

/// `count` numbers from `from`, `step` apart, into `to`; the roots are those of count * step.
void transform(const std::complex<double>* from, std::int64_t step, std::complex<double>* to,
               std::int64_t count, const std::vector<std::complex<double>>& roots) {
  if (count == 1) {
    *to = *from;
    return;
  }
  std::int64_t radix = 2;
  while (count % radix != 0) ++radix;
  const std::int64_t part = count / radix;
  for (std::int64_t r = 0; r < radix; ++r)
    transform(from + r * step, step * radix, to + r * part, part, roots);
  std::vector<std::complex<double>> values(static_cast<std::size_t>(radix));
  for (std::int64_t k = 0; k < part; ++k) {
    for (std::int64_t r = 0; r < radix; ++r)
      values[static_cast<std::size_t>(r)] =
          to[r * part + k] * roots[static_cast<std::size_t>(r * k * step)];
    for (std::int64_t q = 0; q < radix; ++q) {
      std::complex<double> sum = 0;
      for (std::int64_t r = 0; r < radix; ++r)
        sum += values[static_cast<std::size_t>(r)] *
               roots[static_cast<std::size_t>(r * q % radix * part * step)];
      to[q * part + k] = sum;
    }
  }
}

}  // namespace

std::vector<std::complex<double>> chirp(std::int64_t n) {
  std::vector<std::complex<double>> result;
  result.reserve(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) result.push_back(root(square(k, n), 2 * n));
  return result;
}

std::vector<std::complex<double>> chirp_spectrum(std::int64_t n, std::int64_t length) {
  const auto size = static_cast<std::size_t>(length);
  std::vector<std::complex<double>> wrapped(size), roots(size), result(size);
  const std::vector<std::complex<double>> own = chirp(n);
  for (std::int64_t k = 0; k < n; ++k) {
    const auto value = std::conj(own[static_cast<std::size_t>(k)]) / static_cast<double>(length);
    wrapped[static_cast<std::size_t>(k)] = value;
    if (k > 0) wrapped[static_cast<std::size_t>(length - k)] = value;
  }
  for (std::int64_t k = 0; k < length; ++k) roots[static_cast<std::size_t>(k)] = root(k, length);
  transform(wrapped.data(), 1, result.data(), length, roots);
  return result;
}

const void* Tables::keep_bytes(const void* numbers, std::size_t bytes) {
  auto array = std::make_unique<DeviceArray>();
  if (!array->make_copy(numbers, bytes)) return nullptr;
  arrays_.push_back(std::move(array));
  return arrays_.back()->as<const void>();
}

}  // namespace gridspan::libraries::fft

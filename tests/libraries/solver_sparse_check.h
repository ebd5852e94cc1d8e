// What the tests of sparse systems share: matrices in compressed rows, grids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "solver_check.h"

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

/// Compressed rows of a reference, on the host and the device.
template <typename T>
struct Sparse {
  Sparse(const Reference& a, int base) : rows(a.rows), offsets(a.rows + 1) {
    EXPECT(a.columns % 7 != 0);
    std::vector<int> found;
    std::vector<T> numbers;
    for (int i = 0; i < a.rows; ++i) {
      offsets.host[i] = static_cast<int>(found.size()) + base;
      // Columns of a row in no order; their number has no factor of 7.
      for (int k = 0; k < a.columns; ++k) {
        const int j = (k * 7 + i) % a.columns;
        if (a(i, j) != Long(0)) {
          found.push_back(j + base);
          numbers.push_back(Of<T>::number(a(i, j)));
        }
      }
    }
    offsets.host[a.rows] = static_cast<int>(found.size()) + base;
    count = static_cast<int>(found.size());
    column_array = std::make_unique<Array<int>>(found.size());
    value_array = std::make_unique<Array<T>>(numbers.size());
    column_array->host = found;
    value_array->host = numbers;
    offsets.to_device();
    column_array->to_device();
    value_array->to_device();
    EXPECT(cusparseCreateMatDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
    EXPECT(cusparseSetMatIndexBase(descriptor,
                                   base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO) ==
           CUSPARSE_STATUS_SUCCESS);
  }
  ~Sparse() { cusparseDestroyMatDescr(descriptor); }
  int rows, count = 0;
  Array<int> offsets;
  std::unique_ptr<Array<int>> column_array;
  std::unique_ptr<Array<T>> value_array;
  cusparseMatDescr_t descriptor = nullptr;
};

/// A grid's matrix of five points, or three if it is a line, with random values; regular.
template <typename T>
Reference grid_matrix(int width, int height, bool is_positive) {
  const int n = width * height;
  Reference a(n, n);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int i = y * width + x;
      a(i, i) = is_positive ? 5 : wide(random_number<T>()) + Long(0.1L);
      if (x + 1 < width)
        a(i, i + 1) = wide(random_number<T>()),
                 a(i + 1, i) = is_positive ? std::conj(a(i, i + 1)) : wide(random_number<T>());
      if (y + 1 < height)
        a(i, i + width) = wide(random_number<T>()),
                 a(i + width, i) =
                     is_positive ? std::conj(a(i, i + width)) : wide(random_number<T>());
    }
  for (Long& x : a.values) x = wide(Of<T>::number(x));
  return a;
}

/// Some elements of each row, with a diagonal or without; most of them are regular.
template <typename T>
Reference scattered_matrix(int n, bool has_diagonal) {
  Reference a(n, n);
  for (int i = 0; i < n; ++i) {
    if (has_diagonal) a(i, i) = wide(random_number<T>()) + Long(0.1L);
    // A cycle through all rows, so that there is always a pivot somewhere.
    a(i, (i + 1) % n) = wide(random_number<T>()) + Long(2);
    for (int extra = 0; extra < 2; ++extra) {
      const int j = static_cast<int>((random_fraction() + 1) * n / 2) % n;
      if (has_diagonal || j != i) a(i, j) = wide(random_number<T>());
    }
  }
  for (Long& x : a.values) x = wide(Of<T>::number(x));
  return a;
}

inline bool is_permutation_of(const std::vector<int>& p, int count) {
  std::vector<int> seen(static_cast<std::size_t>(count));
  for (const int one : p)
    if (one < 0 || one >= count || seen[one]++) return false;
  return static_cast<int>(p.size()) == count;
}

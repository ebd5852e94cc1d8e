// Sparse matrices of the elements that are larger than a threshold: how kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/sparse.h"

namespace gridspan::libraries::sparse {

/// Compressed rows, or without `offsets` a dense matrix by columns, `lead` apart.
template <typename T>
struct PruneSource {
  std::int64_t rows = 0, columns = 0, lead = 0;
  const T* values = nullptr;
  const int* offsets = nullptr;
  const int* indices = nullptr;
  int base = 0;
};

/// counts[i + 1] = elements of row i that are larger than the threshold's real part, by their
/// absolute values; counts[0] = 0.
template <typename T>
cudaError_t launch_count_kept(const PruneSource<T>& a, Scalar<T> threshold, int* counts,
                              cudaStream_t stream);
/// Those elements, to where `offsets`, from `base`, say.
template <typename T>
cudaError_t launch_keep(const PruneSource<T>& a, Scalar<T> threshold, const int* offsets, int base,
                        int* indices, T* values, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse

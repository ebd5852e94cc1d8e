// Sparse matrices in blocks, as the legacy functions take them: how kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/sparse.h"

namespace gridspan::libraries::sparse {

/// `rows` rows of blocks of `height` rows and `width` columns, each by its rows or columns. Row i
/// of blocks has those from offsets[i] up to offsets[i + 1], at columns indices[k] of blocks.
struct Blocks {
  std::int64_t rows = 0, height = 1, width = 1;
  bool by_columns = false;
  int base = 0;
  const int* offsets = nullptr;
  const int* indices = nullptr;
};

/// All elements of the blocks, by rows, from `base`. Null `from`: offsets and indices only.
template <typename T>
cudaError_t launch_blocks_to_rows(const Blocks& a, const T* from, int base, int* offsets,
                                  int* indices, T* to, cudaStream_t stream);

/// offsets[i + 1] = blocks that row i of blocks has elements of A in; offsets[0] = 0. `made` has
/// their size. `keys` has room for A's elements.
cudaError_t launch_count_blocks(const Rows& a, const Blocks& made, std::int64_t* keys, int* offsets,
                                cudaStream_t stream);
/// Those blocks, in order, to where made's offsets say; zeros where A has nothing.
template <typename T>
cudaError_t launch_rows_to_blocks(const Rows& a, const Blocks& made, int* indices, T* to,
                                  cudaStream_t stream);

/// Rows of blocks that `mask` names, `count` of them: y = alpha A x + beta y. `ends` are those of
/// rows of blocks. Others of y are left alone.
template <typename T>
cudaError_t launch_masked_product(const Blocks& a, const T* values, const int* mask, int count,
                                  const int* ends, Scalar<T> alpha, const T* x, Scalar<T> beta,
                                  T* y, cudaStream_t stream);

/// *pivot: the first row, from the base, whose diagonal is not there, or 0 among `values` if there
/// are any, or -1. One thread.
template <typename T>
cudaError_t launch_find_zero(const Rows& a, const T* values, int* pivot, cudaStream_t stream);

/// to's block k is from's places[k], each of `size` elements.
template <typename T>
cudaError_t launch_move_blocks(const T* from, T* to, std::int64_t size, const std::int64_t* places,
                               std::int64_t count, cudaStream_t stream);

/// pair = {first, second}
cudaError_t launch_pair(int* pair, int first, int second, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse

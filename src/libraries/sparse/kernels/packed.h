// Sparse matrices in blocks and slices, and the compressed rows that are made of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/sparse.h"

namespace gridspan::libraries::sparse {

/// Elements that lie together. Blocks of `height` rows and `width` columns:
///  - those of a row of blocks from offsets[i] up to offsets[i + 1] (BSR), each by its rows or
///    columns; or `blocks` in each row of blocks (Blocked-ELL), whose rows go through all of them.
/// Slices of `height` rows, one column after the other (Sliced-ELL), from offsets[i].
/// An index below `base` is of nothing.
struct Packed {
  enum Form { blocks_by_offsets, blocks_of_equal_rows, slices };
  Form form = blocks_by_offsets;
  std::int64_t rows = 0, height = 1, width = 1, blocks = 0;
  bool by_columns = false;
  int base = 0;
  const void* offsets = nullptr;
  const void* indices = nullptr;
  bool has_long_offsets = false, has_long_indices = false;
};

/// offsets[i + 1] = elements of row i; offsets[0] = 0.
cudaError_t launch_count_packed(const Packed& a, void* offsets, cudaStream_t stream);
/// Columns, from the base, and places of elements; offsets from 0.
cudaError_t launch_unpack(const Packed& a, const void* offsets, void* indices, std::int64_t* places,
                          cudaStream_t stream);
/// to[places[k]] = from[k] for all elements of the rows, of 2, 4, 8 or 16 bytes. `count`: room for
/// their number, which may be less than rows.count.
cudaError_t launch_put_back(const void* from, void* to, int bytes, const std::int64_t* places,
                            const Rows& rows, std::int64_t* count, cudaStream_t stream);

}  // namespace gridspan::libraries::sparse

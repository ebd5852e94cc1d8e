// Any sparse matrix, or its transpose, as compressed rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/api/descriptors.h"
#include "libraries/sparse/kernels/sparse.h"

#include <cstddef>
#include <vector>

namespace gridspan::libraries::sparse {

/// Memory for the kernels of one call; it is free again once they have run.
class Workspace {
 public:
  explicit Workspace(cudaStream_t stream) : stream_(stream) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    for (void* const place : places_) cudaFreeAsync(place, stream_);
  }

  /// Null if there is none.
  void* bytes(std::int64_t count);
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
  std::vector<void*> places_;
};

/// 0: a type that sparse matrices do not have here.
int bytes_of(cudaDataType type);

/// Formats and widths that compressed_rows knows.
bool has_rows(const cusparseSpMatDescr& matrix);
/// BSR, Blocked-ELL, Sliced-ELL.
bool is_packed(const cusparseSpMatDescr& matrix);
/// Types that kernels compute in, and those that become one of them first.
bool computes(cudaDataType type);
bool computes(cudaDataType type, cudaDataType of);

/// The rows of op(matrix), with values of the type. O(count), nothing moves where they are stored
/// so; else they are made in `work`. Documented: COO is sorted by rows. `batch`: which of a batch.
cusparseStatus_t compressed_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation,
                                 int batch, cudaDataType type, Workspace& work, Rows& rows);
/// With values as they are.
cusparseStatus_t compressed_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation,
                                 int batch, Workspace& work, Rows& rows);
/// Values of rows that were made of the matrix, from `type`, back to where they are stored.
cusparseStatus_t put_back(const Rows& rows, cudaDataType type, const cusparseSpMatDescr& matrix,
                          int batch, Workspace& work);

/// The transpose of `from`, into arrays: what the columns are, and values (of `value_bytes` bytes,
/// 0: none).
cusparseStatus_t transpose(const Rows& from, int value_bytes, void* offsets, void* indices,
                           void* values, Workspace& work);

cusparseStatus_t status_of(cudaError_t error);

}  // namespace gridspan::libraries::sparse

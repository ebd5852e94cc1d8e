// cuSPARSE: matrices in blocks as the legacy functions take them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/api/arguments.h"
#include "libraries/sparse/kernels/blocks.h"

namespace gridspan::libraries::sparse {

/// Square blocks; `rows` and `columns` are those of blocks.
template <typename T>
struct BlockMatrix {
  cusparseDirection_t direction;
  int rows, columns, count;
  cusparseMatDescr_t descriptor;
  const T* values;
  const int *offsets, *indices;
  int size;  // of a block: rows and columns
};

inline bool is_direction(cusparseDirection_t direction) {
  return direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN;
}

/// `columns`: what the function calls them.
template <typename T>
void check_blocks(Check& check, const BlockMatrix<T>& a, const char* columns) {
  check.known(is_direction(a.direction), a.direction, "dirA")
      .size(a.rows, "mb")
      .size(a.columns, columns)
      .size(a.count, "nnzb")
      .given(a.descriptor, "descrA")
      .given(a.offsets, "bsrRowPtr");
  check.that(a.values || a.count <= 0, "bsrVal")
      .that(a.indices || a.count <= 0, "bsrColInd")
      .at_least(a.size, 1, "blockDim");
}

template <typename T>
Blocks blocks_in(const BlockMatrix<T>& a) {
  return {
      a.rows,    a.size,   a.size, a.direction == CUSPARSE_DIRECTION_COLUMN, base_of(a.descriptor),
      a.offsets, a.indices};
}

/// As a matrix of the generic functions, which read it only.
template <typename T>
cusparseSpMatDescr as_generic(const BlockMatrix<T>& a, cudaDataType type) {
  cusparseSpMatDescr result;
  result.format = CUSPARSE_FORMAT_BSR;
  result.rows = std::int64_t{a.rows} * a.size;
  result.columns = std::int64_t{a.columns} * a.size;
  result.count = std::int64_t{a.count} * a.size * a.size;
  result.offsets = const_cast<int*>(a.offsets);
  result.indices = const_cast<int*>(a.indices);
  result.values = const_cast<T*>(a.values);
  result.base = cusparseGetMatIndexBase(a.descriptor);
  result.type = type;
  result.height = result.width = a.size;
  if (a.direction == CUSPARSE_DIRECTION_COLUMN) result.block_order = CUSPARSE_ORDER_COL;
  return result;
}

template <typename T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
inline constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType type_of<cuComplex> = CUDA_C_32F;
template <>
inline constexpr cudaDataType type_of<cuDoubleComplex> = CUDA_C_64F;

/// The rows of op(A).
template <typename T>
cusparseStatus_t rows_in(const BlockMatrix<T>& a, cusparseOperation_t operation, Workspace& work,
                         Rows& rows) {
  return compressed_rows(as_generic(a, type_of<T>), operation, 0, work, rows);
}

}  // namespace gridspan::libraries::sparse

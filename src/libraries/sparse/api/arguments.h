// cuSPARSE: arguments as calls give them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/numbers.h"
#include "libraries/sparse/api/checks.h"
#include "libraries/sparse/api/compressed_rows.h"

#include <utility>

namespace gridspan::libraries::sparse {

/// alpha or beta, in host or in device memory as the handle says.
template <typename T>
Scalar<T> scalar(cusparseHandle_t handle, const void* number) {
  const T* const given = static_cast<const T*>(number);
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return {blas::zero<T>(), given};
  return {*given, nullptr};
}

/// Calls `run` with a number of the type.
template <typename Run>
cusparseStatus_t with_type(cudaDataType type, Run run) {
  switch (type) {
    case CUDA_R_32F:
      return run(0.0f);
    case CUDA_R_64F:
      return run(0.0);
    case CUDA_C_32F:
      return run(cuComplex{});
    case CUDA_C_64F:
      return run(cuDoubleComplex{});
    default:
      return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

inline int base_of(cusparseMatDescr_t descriptor) {
  return cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE;
}

inline bool is_plain(cusparseOperation_t operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
}

/// Rows and columns of op(matrix).
template <typename Descriptor>
std::pair<std::int64_t, std::int64_t> shape(cusparseOperation_t operation,
                                            const Descriptor& matrix) {
  return is_plain(operation) ? std::pair(matrix.rows, matrix.columns)
                             : std::pair(matrix.columns, matrix.rows);
}

/// op(matrix), but for the conjugation.
template <typename T>
Dense<T> dense(cusparseOperation_t operation, const cusparseDnMatDescr& matrix) {
  Dense<T> result = {static_cast<T*>(matrix.values), 1, matrix.leading, matrix.batch_stride};
  if ((matrix.order == CUSPARSE_ORDER_ROW) == is_plain(operation))
    std::swap(result.down, result.right);
  return result;
}

/// The same matrix with elements of `type`, in memory of `work`; itself if they are so already.
/// `reads`: with what is in it.
cusparseStatus_t as_type(const cusparseDnMatDescr& matrix, cudaDataType type, bool reads,
                         Workspace& work, cusparseDnMatDescr& made);
/// What as_type has made, back into the matrix.
cusparseStatus_t back(const cusparseDnMatDescr& made, const cusparseDnMatDescr& matrix,
                      Workspace& work);
inline cusparseDnMatDescr as_matrix(const cusparseDnVecDescr& vector) {
  return {vector.size, 1, vector.size, vector.values, vector.type, CUSPARSE_ORDER_COL, 1, 0};
}

/// Room that a function asks its caller for. Ours have their own.
inline cusparseStatus_t give_size(Check check, std::size_t* size) {
  constexpr std::size_t not_nothing = 16;
  if (check.given(size, "bufferSize").failed()) return check.status();
  *size = not_nothing;
  return CUSPARSE_STATUS_SUCCESS;
}
/// The same for functions that count in int.
inline cusparseStatus_t give_int_size(Check check, int* size) {
  std::size_t bytes = 0;
  const cusparseStatus_t status = give_size(check.given(size, "pBufferSizeInBytes"), &bytes);
  if (status == CUSPARSE_STATUS_SUCCESS) *size = static_cast<int>(bytes);
  return status;
}

}  // namespace gridspan::libraries::sparse

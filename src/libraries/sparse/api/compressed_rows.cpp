// How they are found or made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/compressed_rows.h"

#include <utility>

namespace gridspan::libraries::sparse {
namespace {

/// In bytes, but not of nothing.
std::int64_t index_bytes(bool is_long, std::int64_t count) { return (is_long ? 8 : 4) * count; }

const void* moved(const void* place, std::int64_t bytes) {
  return place ? static_cast<const char*>(place) + bytes : nullptr;
}

/// The compressed side of a matrix as it is stored; those of COO are counted.
cusparseStatus_t stored(const cusparseSpMatDescr& matrix, int batch, Workspace& work, Rows& rows) {
  const bool is_csc = matrix.format == CUSPARSE_FORMAT_CSC;
  const bool has_long_indices = matrix.index_type == CUSPARSE_INDEX_64I;
  const bool has_long_offsets = matrix.offset_type == CUSPARSE_INDEX_64I;
  rows = {matrix.rows,
          matrix.columns,
          matrix.count,
          matrix.offsets,
          matrix.indices,
          matrix.values,
          has_long_offsets,
          has_long_indices,
          matrix.base == CUSPARSE_INDEX_BASE_ONE,
          false};
  if (is_csc) std::swap(rows.rows, rows.columns);
  rows.offsets = moved(rows.offsets, index_bytes(has_long_offsets, batch * matrix.offset_stride));
  rows.indices = moved(rows.indices, index_bytes(has_long_indices, batch * matrix.value_stride));
  rows.values = moved(rows.values, bytes_of(matrix.type) * batch * matrix.value_stride);
  if (matrix.format != CUSPARSE_FORMAT_COO) return CUSPARSE_STATUS_SUCCESS;
  void* const offsets = work.bytes(index_bytes(has_long_indices, matrix.rows + 1));
  if (!offsets) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaError_t error = launch_offsets(rows.offsets, has_long_indices, rows.count, rows.rows,
                                           rows.base, offsets, work.stream());
  rows.offsets = offsets;
  return status_of(error);
}

}  // namespace

void* Workspace::bytes(std::int64_t count) {
  void* place = nullptr;
  if (cudaMallocAsync(&place, static_cast<std::size_t>(count > 0 ? count : 1), stream_) !=
      cudaSuccess)
    return nullptr;
  places_.push_back(place);
  return place;
}

int bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;
  }
}

bool has_rows(const cusparseSpMatDescr& matrix) {
  const bool has_format = matrix.format == CUSPARSE_FORMAT_CSR ||
                          matrix.format == CUSPARSE_FORMAT_CSC ||
                          matrix.format == CUSPARSE_FORMAT_COO;
  const bool has_widths =
      matrix.offset_type == CUSPARSE_INDEX_64I || matrix.index_type == CUSPARSE_INDEX_32I;
  return has_format && has_widths && bytes_of(matrix.type) != 0;
}

cusparseStatus_t status_of(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) return CUSPARSE_STATUS_ALLOC_FAILED;
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t transpose(const Rows& from, int value_bytes, void* offsets, void* indices,
                           void* values, Workspace& work) {
  const int width = from.has_long_indices ? 8 : 4;
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * from.count));
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (from.columns / 1024 + 2)));
  void* const cursors = work.bytes(index_bytes(from.has_long_offsets, from.columns + 1));
  void* const row_numbers = work.bytes(width * from.count);
  if (!places || !sums || !cursors || !row_numbers) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaStream_t stream = work.stream();
  cudaError_t error = launch_transposition(from, offsets, places, cursors, sums, stream);
  if (error == cudaSuccess) error = launch_row_numbers(from, row_numbers, stream);
  if (error == cudaSuccess)
    error = launch_rearrange(row_numbers, indices, width, places, from.count, stream);
  if (error == cudaSuccess && value_bytes > 0)
    error = launch_rearrange(from.values, values, value_bytes, places, from.count, stream);
  return status_of(error);
}

cusparseStatus_t compressed_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation,
                                 int batch, Workspace& work, Rows& rows) {
  const cusparseStatus_t status = stored(matrix, batch, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const bool is_plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conjugates = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const bool are_rows = is_plain == (matrix.format != CUSPARSE_FORMAT_CSC);
  if (!are_rows) {
    const int value_bytes = bytes_of(matrix.type);
    void* const offsets = work.bytes(index_bytes(rows.has_long_offsets, rows.columns + 1));
    void* const indices = work.bytes(index_bytes(rows.has_long_indices, rows.count));
    void* const values = work.bytes(value_bytes * rows.count);
    if (!offsets || !indices || !values) return CUSPARSE_STATUS_ALLOC_FAILED;
    const cusparseStatus_t made = transpose(rows, value_bytes, offsets, indices, values, work);
    if (made != CUSPARSE_STATUS_SUCCESS) return made;
    std::swap(rows.rows, rows.columns);
    rows.offsets = offsets;
    rows.indices = indices;
    rows.values = values;
  }
  rows.conjugates = conjugates;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace gridspan::libraries::sparse

// How they are found or made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/compressed_rows.h"

#include "libraries/sparse/kernels/convert.h"
#include "libraries/sparse/kernels/packed.h"

#include <utility>

namespace gridspan::libraries::sparse {
namespace {

/// In bytes, but not of nothing.
std::int64_t index_bytes(bool is_long, std::int64_t count) { return (is_long ? 8 : 4) * count; }

const void* moved(const void* place, std::int64_t bytes) {
  return place ? static_cast<const char*>(place) + bytes : nullptr;
}

/// Rows of a matrix in blocks or slices: `rows` has its arrays, and gets those made of them.
cusparseStatus_t unpack(const cusparseSpMatDescr& matrix, Workspace& work, Rows& rows) {
  Packed packed;
  packed.form = matrix.format == CUSPARSE_FORMAT_BSR           ? Packed::blocks_by_offsets
                : matrix.format == CUSPARSE_FORMAT_BLOCKED_ELL ? Packed::blocks_of_equal_rows
                                                               : Packed::slices;
  packed.rows = rows.rows;
  packed.height = matrix.height;
  packed.width = matrix.width;
  packed.blocks = matrix.blocks;
  packed.by_columns = matrix.block_order == CUSPARSE_ORDER_COL;
  packed.base = rows.base;
  packed.offsets = rows.offsets;
  packed.indices = rows.indices;
  packed.has_long_offsets = rows.has_long_offsets;
  packed.has_long_indices = rows.has_long_indices;
  const int value_bytes = bytes_of(matrix.type);
  void* const offsets = work.bytes(index_bytes(rows.has_long_offsets, rows.rows + 1));
  void* const indices = work.bytes(index_bytes(rows.has_long_indices, rows.count));
  void* const values = work.bytes(value_bytes * rows.count);
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * rows.count));
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (rows.rows / 1024 + 2)));
  if (!offsets || !indices || !values || !places || !sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaStream_t stream = work.stream();
  cudaError_t error = launch_count_packed(packed, offsets, stream);
  if (error == cudaSuccess)
    error = launch_sums(offsets, rows.has_long_offsets, rows.rows + 1, sums, stream);
  // There may be fewer elements than places: the others have a place that exists.
  if (error == cudaSuccess)
    error = cudaMemsetAsync(places, 0, 8 * static_cast<std::size_t>(rows.count), stream);
  if (error == cudaSuccess) error = launch_unpack(packed, offsets, indices, places, stream);
  if (error == cudaSuccess)
    error = launch_base(offsets, rows.has_long_offsets, rows.rows + 1, rows.base, stream);
  if (error == cudaSuccess && rows.values)
    error = launch_rearrange(rows.values, values, value_bytes, places, rows.count, stream);
  rows.offsets = offsets;
  rows.indices = indices;
  rows.values = values;
  rows.places = places;
  return status_of(error);
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
  const std::int64_t index_stride =
      matrix.format == CUSPARSE_FORMAT_BSR ? matrix.index_stride : matrix.value_stride;
  rows.indices = moved(rows.indices, index_bytes(has_long_indices, batch * index_stride));
  rows.values = moved(rows.values, bytes_of(matrix.type) * batch * matrix.value_stride);
  if (is_packed(matrix)) return unpack(matrix, work, rows);
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
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
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
                          matrix.format == CUSPARSE_FORMAT_COO || is_packed(matrix);
  const bool has_widths =
      matrix.offset_type == CUSPARSE_INDEX_64I || matrix.index_type == CUSPARSE_INDEX_32I;
  return has_format && has_widths && bytes_of(matrix.type) != 0;
}

bool is_packed(const cusparseSpMatDescr& matrix) {
  return matrix.format == CUSPARSE_FORMAT_BSR || matrix.format == CUSPARSE_FORMAT_BLOCKED_ELL ||
         matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK;
}

bool computes(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F;
}

bool computes(cudaDataType type, cudaDataType of) {
  return computes(type) && (type == of || can_convert(of, type));
}

cusparseStatus_t status_of(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) return CUSPARSE_STATUS_ALLOC_FAILED;
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t transpose(const Rows& from, int value_bytes, void* offsets, void* indices,
                           void* values, Workspace& work) {
  const int width = from.has_long_indices ? 8 : 4;
  // Of rows that were unpacked there may be fewer than `count`.
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * from.count));
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (from.columns / 1024 + 2)));
  void* const cursors = work.bytes(index_bytes(from.has_long_offsets, from.columns + 1));
  void* const row_numbers = work.bytes(width * from.count);
  if (!places || !sums || !cursors || !row_numbers) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaStream_t stream = work.stream();
  cudaError_t error = cudaSuccess;
  if (from.places)
    error = cudaMemsetAsync(places, 0, 8 * static_cast<std::size_t>(from.count), stream);
  if (error == cudaSuccess)
    error = launch_transposition(from, offsets, places, cursors, sums, stream);
  if (error == cudaSuccess) error = launch_row_numbers(from, row_numbers, stream);
  if (error == cudaSuccess)
    error = launch_rearrange(row_numbers, indices, width, places, from.count, stream);
  if (error == cudaSuccess && value_bytes > 0)
    error = launch_rearrange(from.values, values, value_bytes, places, from.count, stream);
  return status_of(error);
}

cusparseStatus_t compressed_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation,
                                 int batch, cudaDataType type, Workspace& work, Rows& rows) {
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
    rows.places = nullptr;
  }
  rows.conjugates = conjugates;
  if (type == matrix.type) return CUSPARSE_STATUS_SUCCESS;
  void* const converted = work.bytes(bytes_of(type) * rows.count);
  if (!converted) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaError_t error =
      launch_convert(rows.values, matrix.type, 0, converted, type, 0, rows.count, 1, work.stream());
  rows.values = converted;
  return status_of(error);
}

cusparseStatus_t compressed_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation,
                                 int batch, Workspace& work, Rows& rows) {
  return compressed_rows(matrix, operation, batch, matrix.type, work, rows);
}

cusparseStatus_t put_back(const Rows& rows, cudaDataType type, const cusparseSpMatDescr& matrix,
                          int batch, Workspace& work) {
  const cudaStream_t stream = work.stream();
  const int bytes = bytes_of(matrix.type);
  void* const to = static_cast<char*>(matrix.values) + bytes * batch * matrix.value_stride;
  const void* from = rows.values;
  if (from == to) return CUSPARSE_STATUS_SUCCESS;
  if (type != matrix.type) {
    void* const converted = rows.places ? work.bytes(bytes * rows.count) : to;
    if (!converted) return CUSPARSE_STATUS_ALLOC_FAILED;
    const cudaError_t error =
        launch_convert(from, type, 0, converted, matrix.type, 0, rows.count, 1, stream);
    if (error != cudaSuccess || !rows.places) return status_of(error);
    from = converted;
  }
  auto* const count = static_cast<std::int64_t*>(work.bytes(8));
  if (!count) return CUSPARSE_STATUS_ALLOC_FAILED;
  return status_of(launch_put_back(from, to, bytes, rows.places, rows, count, stream));
}

}  // namespace gridspan::libraries::sparse

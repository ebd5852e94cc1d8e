// cuSPARSE: sparse matrices into dense ones, dense into sparse, rows into columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

/// Which of matA and matB is the sparse one depends on the function.
Check check(Handle handle, cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense,
            bool is_sparse_first) {
  const char* const names[] = {"matA", "matB"};
  const char *const name = names[is_sparse_first ? 0 : 1], *const other =
                                                               names[is_sparse_first ? 1 : 0];
  Check check(handle);
  if (check.live(sparse, name).live(dense, other).failed()) return check;
  return check
      .that(sparse->rows == dense->rows && sparse->columns == dense->columns, other,
            Answers::invalid, "has another size than the sparse matrix")
      .there(has_rows(*sparse) && computes(sparse->type), name)
      .there(sparse->type == dense->type, other);
}

/// Zeros where the sparse matrix has nothing; what lies between columns is left alone.
cusparseStatus_t clear(const cusparseDnMatDescr& matrix, cudaStream_t stream) {
  const bool is_column = matrix.order == CUSPARSE_ORDER_COL;
  const auto bytes = static_cast<std::size_t>(bytes_of(matrix.type));
  const auto length = static_cast<std::size_t>(is_column ? matrix.rows : matrix.columns);
  const auto lines = static_cast<std::size_t>(is_column ? matrix.columns : matrix.rows);
  if (length == 0 || lines == 0) return CUSPARSE_STATUS_SUCCESS;
  return status_of(cudaMemset2DAsync(matrix.values,
                                     static_cast<std::size_t>(matrix.leading) * bytes, 0,
                                     length * bytes, lines, stream));
}

cusparseStatus_t to_dense(Handle handle, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b) {
  const cusparseStatus_t cleared = clear(b, handle->stream);
  if (cleared != CUSPARSE_STATUS_SUCCESS) return cleared;
  Workspace work(handle->stream);
  Rows rows;
  // Columns are the rows of the transpose: nothing is moved for CSC.
  const auto operation = a.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                         : CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseStatus_t found = compressed_rows(a, operation, 0, work, rows);
  if (found != CUSPARSE_STATUS_SUCCESS) return found;
  return with_type(a.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_to_dense<T>(rows, dense<T>(operation, b), handle->stream));
  });
}

/// The rows of a matrix that is made of a dense one: offsets are in the matrix, or for COO in
/// `offsets`.
Rows rows_to_make(const cusparseSpMatDescr& made, void* offsets) {
  Rows rows = {made.rows,
               made.columns,
               made.count,
               offsets,
               made.indices,
               made.values,
               made.offset_type == CUSPARSE_INDEX_64I,
               made.index_type == CUSPARSE_INDEX_64I,
               made.base == CUSPARSE_INDEX_BASE_ONE,
               false};
  if (made.format == CUSPARSE_FORMAT_CSC) std::swap(rows.rows, rows.columns);
  return rows;
}

/// Elements other than 0 of each row, or column of CSC, summed up, into `offsets`.
cusparseStatus_t count(const cusparseDnMatDescr& from, const cusparseSpMatDescr& made,
                       void* offsets, Workspace& work) {
  const Rows rows = rows_to_make(made, offsets);
  const auto operation = made.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                            : CUSPARSE_OPERATION_NON_TRANSPOSE;
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (rows.rows / 1024 + 2)));
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  return with_type(made.type, [&](auto zero) {
    using T = decltype(zero);
    cudaError_t error = launch_count<T>(dense<const T>(operation, from), rows.rows, rows.columns,
                                        offsets, rows.has_long_offsets, work.stream());
    if (error == cudaSuccess)
      error = launch_sums(offsets, rows.has_long_offsets, rows.rows + 1, sums, work.stream());
    return status_of(error);
  });
}

/// Offsets that nobody but COO's conversion needs; else the matrix's.
void* offsets_of(const cusparseSpMatDescr& made, Workspace& work) {
  if (made.format != CUSPARSE_FORMAT_COO) return made.offsets;
  return work.bytes((made.offset_type == CUSPARSE_INDEX_64I ? 8 : 4) * (made.rows + 1));
}

/// Elements at the places that a matrix in blocks or slices has: its pattern is given.
cusparseStatus_t pick(Handle handle, const cusparseDnMatDescr& from,
                      const cusparseSpMatDescr& made) {
  Workspace work(handle->stream);
  cusparseSpMatDescr pattern = made;
  pattern.values = nullptr;
  Rows rows;
  const auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseStatus_t status = compressed_rows(pattern, operation, 0, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  status = with_type(made.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_pick<T>(dense<const T>(operation, from), rows,
                                    static_cast<T*>(const_cast<void*>(rows.values)),
                                    work.stream()));
  });
  return status == CUSPARSE_STATUS_SUCCESS ? put_back(rows, made.type, made, 0, work) : status;
}

/// Documented: the count is in the descriptor then.
cusparseStatus_t analyse(Handle handle, const cusparseDnMatDescr& from, cusparseSpMatDescr& made) {
  if (is_packed(made)) return CUSPARSE_STATUS_SUCCESS;
  Workspace work(handle->stream);
  void* const offsets = offsets_of(made, work);
  if (!offsets) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cusparseStatus_t status = count(from, made, offsets, work);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const Rows rows = rows_to_make(made, offsets);
  std::int64_t found = 0;  // little-endian: the lower half of it
  const std::int64_t width = rows.has_long_offsets ? 8 : 4;
  cudaError_t error =
      cudaMemcpyAsync(&found, static_cast<char*>(offsets) + rows.rows * width,
                      static_cast<std::size_t>(width), cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  made.count = found;
  return status_of(error);
}

cusparseStatus_t convert(Handle handle, const cusparseDnMatDescr& from,
                         const cusparseSpMatDescr& made) {
  if (is_packed(made)) return pick(handle, from, made);
  Workspace work(handle->stream);
  void* const offsets = offsets_of(made, work);
  if (!offsets) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cusparseStatus_t status = count(from, made, offsets, work);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  Rows rows = rows_to_make(made, offsets);
  const auto operation = made.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                            : CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cudaStream_t stream = handle->stream;
  cudaError_t error = launch_base(offsets, rows.has_long_offsets, rows.rows + 1, rows.base, stream);
  if (error == cudaSuccess && made.format == CUSPARSE_FORMAT_COO)
    error = launch_row_numbers(rows, made.offsets, stream);
  if (error != cudaSuccess) return status_of(error);
  return with_type(made.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_from_dense<T>(dense<const T>(operation, from), rows, made.indices,
                                          static_cast<T*>(made.values), stream));
  });
}

/// Elements other than 0 of each row or column, and of all; the total is where the handle's
/// pointers are.
template <typename T>
cusparseStatus_t count_nonzeros(Handle handle, cusparseDirection_t direction, int rows, int columns,
                                const T* values, int leading, int* counts, int* total) {
  Check check(handle);
  check.size(rows, "m").size(columns, "n").at_least(leading, rows, "lda", " rows");
  check.given(counts, "nnzPerRowCol").given(total, "nnzTotalDevHostPtr");
  if (check.failed()) return check.status();
  const bool by_rows = direction == CUSPARSE_DIRECTION_ROW;
  const int lines = by_rows ? rows : columns;
  const Dense<const T> lines_of = {values, by_rows ? 1 : leading, by_rows ? leading : 1, 0};
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (lines / 1024 + 2)));
  auto* const offsets = static_cast<int*>(work.bytes(4 * (std::int64_t{lines} + 1)));
  if (!sums || !offsets) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error =
      launch_count<T>(lines_of, lines, by_rows ? columns : rows, offsets, false, stream);
  const auto bytes = static_cast<std::size_t>(lines) * sizeof(int);
  if (error == cudaSuccess && lines > 0)
    error = cudaMemcpyAsync(counts, offsets + 1, bytes, cudaMemcpyDeviceToDevice, stream);
  if (error == cudaSuccess) error = launch_sums(offsets, false, lines + 1, sums, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(total, offsets + lines, sizeof *total, cudaMemcpyDefault, stream);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(stream);
  return status_of(error);
}

Check check_sort(Handle handle, int rows, int columns, int count) {
  return Check(handle).size(rows, "m").size(columns, "n").size(count, "nnz");
}

/// Columns of each row in order, with their numbers.
cusparseStatus_t sort_rows(Handle handle, int rows, int columns, int count,
                           cusparseMatDescr_t descriptor, const int* offsets, int* indices,
                           int* numbers) {
  const Check check = check_sort(handle, rows, columns, count).given(descriptor, "descrA");
  if (check.failed()) return check.status();
  const bool has_base = cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE;
  const Rows matrix = {rows,    columns, count, offsets,  indices,
                       nullptr, false,   false, has_base, false};
  return status_of(launch_sort(matrix, indices, numbers, handle->stream));
}

/// Coordinates in the order of `keys`, those of equal ones in theirs, with their other indices and
/// numbers. As the transpose of a matrix that has a row for each.
cusparseStatus_t order_by(int* keys, int keys_end, int* others, int* numbers, int count,
                          Workspace& work) {
  auto* const rows = static_cast<int*>(work.bytes(4 * (std::int64_t{count} + 1)));
  auto* const offsets = work.bytes(4 * (std::int64_t{keys_end} + 1));
  auto* const cursors = work.bytes(4 * (std::int64_t{keys_end} + 1));
  auto* const sums =
      static_cast<std::int64_t*>(work.bytes(8 * (std::int64_t{keys_end} / 1024 + 2)));
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * std::int64_t{count}));
  void* const moved = work.bytes(4 * std::int64_t{count});
  if (!rows || !offsets || !cursors || !sums || !places || !moved)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaStream_t stream = work.stream();
  const Rows matrix = {count, keys_end, count, rows, keys, nullptr, false, false, 0, false};
  cudaError_t error = launch_identity(rows, count + 1, stream);
  if (error == cudaSuccess)
    error = launch_transposition(matrix, offsets, places, cursors, sums, stream);
  for (int* const own : {keys, others, numbers}) {
    if (error != cudaSuccess || !own) continue;
    error = launch_rearrange(own, moved, 4, places, count, stream);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(own, moved, 4 * static_cast<std::size_t>(count),
                              cudaMemcpyDeviceToDevice, stream);
  }
  return status_of(error);
}

/// By `first`, then by `second`. Indices may begin at 1: there is room for one more.
cusparseStatus_t sort_coordinates(Handle handle, int first_end, int second_end, int count,
                                  int* first, int* second, int* numbers) {
  Check check = check_sort(handle, first_end, second_end, count);
  if (count > 0)
    check.that(first && second, first ? "cooColsA" : "cooRowsA", Answers::invalid, "is null");
  if (check.failed()) return check.status();
  if (count == 0) return CUSPARSE_STATUS_SUCCESS;
  Workspace work(handle->stream);
  const cusparseStatus_t status = order_by(second, second_end + 1, first, numbers, count, work);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return order_by(first, first_end + 1, second, numbers, count, work);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_COUNT(letter, T)                                                                \
  cusparseStatus_t cusparse##letter##nnz(cusparseHandle_t handle, cusparseDirection_t direction, \
                                         int m, int n, cusparseMatDescr_t, const T* values,      \
                                         int leading, int* counts, int* total) {                 \
    return sparse::count_nonzeros(handle, direction, m, n, values, leading, counts, total);      \
  }

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t, size_t* size) {
  return sparse::give_size(sparse::check(handle, a, b, true), size);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  const auto check = sparse::check(handle, a, b, true);
  return check.failed() ? check.status() : sparse::to_dense(handle, *a, *b);
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t, size_t* size) {
  return sparse::give_size(sparse::check(handle, b, a, false), size);
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t, void*) {
  const auto check = sparse::check(handle, b, a, false);
  return check.failed() ? check.status() : sparse::analyse(handle, *a, *b);
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                               void*) {
  const auto check = sparse::check(handle, b, a, false);
  return check.failed() ? check.status() : sparse::convert(handle, *a, *b);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void*, const int*, const int*, void*, int*,
                                               int*, cudaDataType type, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t* size) {
  sparse::Check check(__func__, handle);
  check.size(m, "m").size(n, "n").size(nnz, "nnz");
  return sparse::give_size(check.supported(sparse::bytes_of(type) != 0, "valType"), size);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* values, const int* offsets, const int* indices,
                                    void* to_values, int* to_offsets, int* to_indices,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  sparse::Check check(__func__, handle);
  check.size(m, "m").size(n, "n").size(nnz, "nnz").given(offsets, "csrRowPtr");
  check.given(to_offsets, "cscColPtr").supported(sparse::bytes_of(type) != 0, "valType");
  if (check.failed()) return check.status();
  const sparse::Rows rows = {
      m, n, nnz, offsets, indices, values, false, false, base == CUSPARSE_INDEX_BASE_ONE, false};
  sparse::Workspace work(handle->stream);
  const int bytes = action == CUSPARSE_ACTION_NUMERIC ? sparse::bytes_of(type) : 0;
  return sparse::transpose(rows, bytes, to_offsets, to_indices, to_values, work);
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* row_numbers, int count,
                                  int rows, int* offsets, cusparseIndexBase_t base) {
  const auto check = sparse::Check(__func__, handle).size(count, "nnz").size(rows, "m");
  if (check.failed()) return check.status();
  return sparse::status_of(sparse::launch_offsets(
      row_numbers, false, count, rows, base == CUSPARSE_INDEX_BASE_ONE, offsets, handle->stream));
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int count, int rows,
                                  int* row_numbers, cusparseIndexBase_t base) {
  const auto check = sparse::Check(__func__, handle).size(count, "nnz").size(rows, "m");
  if (check.failed()) return check.status();
  const sparse::Rows matrix = {
      rows, 0, count, offsets, nullptr, nullptr, false, false, base == CUSPARSE_INDEX_BASE_ONE,
      false};
  return sparse::status_of(sparse::launch_row_numbers(matrix, row_numbers, handle->stream));
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count,
                                                   int* numbers) {
  const auto check = sparse::Check(__func__, handle).size(count, "n").given(numbers, "p");
  if (check.failed()) return check.status();
  return sparse::status_of(sparse::launch_identity(numbers, count, handle->stream));
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int count, const int*, const int*, size_t* size) {
  return sparse::give_size(sparse::check_sort(handle, rows, columns, count), size);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int columns, int count,
                                  cusparseMatDescr_t descriptor, const int* offsets, int* indices,
                                  int* numbers, void*) {
  return sparse::sort_rows(handle, rows, columns, count, descriptor, offsets, indices, numbers);
}

cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int count, const int*, const int*, size_t* size) {
  return sparse::give_size(sparse::check_sort(handle, rows, columns, count), size);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int rows, int columns, int count,
                                  cusparseMatDescr_t descriptor, const int* offsets, int* indices,
                                  int* numbers, void*) {
  return sparse::sort_rows(handle, columns, rows, count, descriptor, offsets, indices, numbers);
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns,
                                                int count, const int*, const int*, size_t* size) {
  return sparse::give_size(sparse::check_sort(handle, rows, columns, count), size);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int rows, int columns, int count,
                                       int* row_numbers, int* column_numbers, int* numbers, void*) {
  return sparse::sort_coordinates(handle, rows, columns, count, row_numbers, column_numbers,
                                  numbers);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int rows, int columns, int count,
                                          int* row_numbers, int* column_numbers, int* numbers,
                                          void*) {
  return sparse::sort_coordinates(handle, columns, rows, count, column_numbers, row_numbers,
                                  numbers);
}

GRIDSPAN_COUNT(S, float)
GRIDSPAN_COUNT(D, double)
GRIDSPAN_COUNT(C, cuComplex)
GRIDSPAN_COUNT(Z, cuDoubleComplex)

}  // extern "C"

// cuSPARSE: solutions with triangular matrices in blocks (bsrsv2, bsrsm2).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The triangle is that of elements, not of blocks. It is read at each solution: values may change
// between them.
#include "libraries/sparse/api/blocks.h"
#include "libraries/sparse/api/pivot_info.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename T, typename Info>
Check check_triangle(Handle handle, cusparseOperation_t operation, const BlockMatrix<T>& a,
                     const Info* info) {
  Check check(handle);
  check_blocks(check, a, "mb");
  check.operation(operation, "transA").live(info, "info");
  return check.general(a.descriptor, "descrA");
}

template <typename T>
Check check_triangle(Handle handle, cusparseOperation_t operation, cusparseOperation_t of_sides,
                     int n, const BlockMatrix<T>& a, const bsrsm2Info* info) {
  return check_triangle(handle, operation, a, info)
      .operation(of_sides, "transXY")
      .supported(of_sides != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "transXY")
      .size(n, "n");
}

/// The rows of op(A), and where a diagonal element is not there, or 0 if it is `numeric`: a
/// diagonal of ones has no such place.
template <typename T>
cusparseStatus_t open_triangle(const BlockMatrix<T>& a, cusparseOperation_t operation,
                               gridspan_pivot& info, bool numeric, Workspace& work, Rows& rows) {
  const cusparseStatus_t status = rows_in(a, operation, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  info.height = a.size;
  info.base = rows.base;
  int* const pivot = info.row.as<int>();
  if (cusparseGetMatDiagType(a.descriptor) == CUSPARSE_DIAG_TYPE_UNIT)
    return status_of(cudaMemsetAsync(pivot, 0xFF, sizeof(int), work.stream()));  // -1
  const T* const values = numeric ? static_cast<const T*>(rows.values) : nullptr;
  return status_of(launch_find_zero<T>(rows, values, pivot, work.stream()));
}

template <typename T>
cusparseStatus_t analyse_triangle(const Check& check, Handle handle, cusparseOperation_t operation,
                                  const BlockMatrix<T>& a, gridspan_pivot* info) {
  if (check.failed()) return check.status();
  Workspace work(handle->stream);
  Rows rows;
  return open_triangle(a, operation, *info, false, work, rows);
}

/// op(A) X = alpha B, into X.
template <typename T>
cusparseStatus_t solve_triangle(Check check, Handle handle, cusparseOperation_t operation,
                                const T* alpha, const BlockMatrix<T>& a, gridspan_pivot* info,
                                Dense<const T> b, Dense<T> x, int n, const char* b_name,
                                const char* x_name) {
  const bool is_nothing = a.rows == 0 || n == 0;
  check.given(alpha, "alpha")
      .that(b.start || is_nothing, b_name)
      .that(x.start || is_nothing, x_name);
  if (check.failed()) return check.status();
  Workspace work(handle->stream);
  Rows rows;
  const cusparseStatus_t status = open_triangle(a, operation, *info, true, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const bool is_stored_upper = cusparseGetMatFillMode(a.descriptor) == CUSPARSE_FILL_MODE_UPPER;
  return status_of(launch_solve<T>(rows, is_stored_upper == is_plain(operation),
                                   cusparseGetMatDiagType(a.descriptor) == CUSPARSE_DIAG_TYPE_UNIT,
                                   scalar<T>(handle, alpha), b, x, n, handle->stream));
}

template <typename T>
cusparseStatus_t solve_triangle(Check check, Handle handle, cusparseOperation_t operation,
                                cusparseOperation_t of_sides, int n, const T* alpha,
                                const BlockMatrix<T>& a, gridspan_pivot* info, const T* b,
                                int lead_b, T* x, int lead_x) {
  const std::int64_t rows = is_plain(of_sides) ? std::int64_t{a.rows} * a.size : n;
  check.lead(lead_b, rows, "ldb").lead(lead_x, rows, "ldx");
  Dense<const T> from = {b, 1, lead_b};
  Dense<T> to = {x, 1, lead_x};
  if (!is_plain(of_sides)) {
    std::swap(from.down, from.right);
    std::swap(to.down, to.right);
  }
  return solve_triangle<T>(check, handle, operation, alpha, a, info, from, to, n, "B", "X");
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

// What the functions say of A.
#define GRIDSPAN_A(T) \
  sparse::BlockMatrix<T> { direction, mb, mb, nnzb, descriptor, values, offsets, indices, size }

#define GRIDSPAN_BLOCK_TRIANGLES(letter, T)                                                       \
  cusparseStatus_t cusparse##letter##bsrsv2_bufferSize(                                           \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      int mb, int nnzb, cusparseMatDescr_t descriptor, T* values, const int* offsets,             \
      const int* indices, int size, bsrsv2Info_t info, int* bytes) {                              \
    return sparse::give_int_size(sparse::check_triangle(handle, operation, GRIDSPAN_A(T), info),  \
                                 bytes);                                                          \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsv2_bufferSizeExt(                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      int mb, int nnzb, cusparseMatDescr_t descriptor, T* values, const int* offsets,             \
      const int* indices, int size, bsrsv2Info_t info, size_t* bytes) {                           \
    return sparse::give_size(sparse::check_triangle(handle, operation, GRIDSPAN_A(T), info),      \
                             bytes);                                                              \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsv2_analysis(                                             \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      int mb, int nnzb, cusparseMatDescr_t descriptor, const T* values, const int* offsets,       \
      const int* indices, int size, bsrsv2Info_t info, cusparseSolvePolicy_t, void*) {            \
    return sparse::analyse_triangle(                                                              \
        sparse::check_triangle(handle, operation, GRIDSPAN_A(T), info), handle, operation,        \
        GRIDSPAN_A(T), info);                                                                     \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsv2_solve(                                                \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      int mb, int nnzb, const T* alpha, cusparseMatDescr_t descriptor, const T* values,           \
      const int* offsets, const int* indices, int size, bsrsv2Info_t info, const T* f, T* x,      \
      cusparseSolvePolicy_t, void*) {                                                             \
    return sparse::solve_triangle<T>(                                                             \
        sparse::check_triangle(handle, operation, GRIDSPAN_A(T), info), handle, operation, alpha, \
        GRIDSPAN_A(T), info, {f}, {x}, 1, "f", "x");                                              \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsm2_bufferSize(                                           \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      cusparseOperation_t of_sides, int mb, int n, int nnzb, cusparseMatDescr_t descriptor,       \
      T* values, const int* offsets, const int* indices, int size, bsrsm2Info_t info,             \
      int* bytes) {                                                                               \
    return sparse::give_int_size(                                                                 \
        sparse::check_triangle(handle, operation, of_sides, n, GRIDSPAN_A(T), info), bytes);      \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsm2_bufferSizeExt(                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      cusparseOperation_t of_sides, int mb, int n, int nnzb, cusparseMatDescr_t descriptor,       \
      T* values, const int* offsets, const int* indices, int size, bsrsm2Info_t info,             \
      size_t* bytes) {                                                                            \
    return sparse::give_size(                                                                     \
        sparse::check_triangle(handle, operation, of_sides, n, GRIDSPAN_A(T), info), bytes);      \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsm2_analysis(                                             \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      cusparseOperation_t of_sides, int mb, int n, int nnzb, cusparseMatDescr_t descriptor,       \
      const T* values, const int* offsets, const int* indices, int size, bsrsm2Info_t info,       \
      cusparseSolvePolicy_t, void*) {                                                             \
    return sparse::analyse_triangle(                                                              \
        sparse::check_triangle(handle, operation, of_sides, n, GRIDSPAN_A(T), info), handle,      \
        operation, GRIDSPAN_A(T), info);                                                          \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##bsrsm2_solve(                                                \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,      \
      cusparseOperation_t of_sides, int mb, int n, int nnzb, const T* alpha,                      \
      cusparseMatDescr_t descriptor, const T* values, const int* offsets, const int* indices,     \
      int size, bsrsm2Info_t info, const T* b, int lead_b, T* x, int lead_x,                      \
      cusparseSolvePolicy_t, void*) {                                                             \
    return sparse::solve_triangle<T>(                                                             \
        sparse::check_triangle(handle, operation, of_sides, n, GRIDSPAN_A(T), info), handle,      \
        operation, of_sides, n, alpha, GRIDSPAN_A(T), info, b, lead_b, x, lead_x);                \
  }

extern "C" {

cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t* info) { return sparse::create_pivot(info); }
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info) {
  return sparse::destroy_pivot(info);
}
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info,
                                           int* position) {
  return sparse::zero_pivot(handle, info, position);
}
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t* info) { return sparse::create_pivot(info); }
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info) {
  return sparse::destroy_pivot(info);
}
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info,
                                           int* position) {
  return sparse::zero_pivot(handle, info, position);
}

GRIDSPAN_BLOCK_TRIANGLES(S, float)
GRIDSPAN_BLOCK_TRIANGLES(D, double)
GRIDSPAN_BLOCK_TRIANGLES(C, cuComplex)
GRIDSPAN_BLOCK_TRIANGLES(Z, cuDoubleComplex)

}  // extern "C"

#undef GRIDSPAN_A

// cuSPARSE: products of matrices in blocks (bsrmv, bsrmm, bsrxmv), and of dense matrices with
// sparse vectors (gemvi). SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/blocks.h"

namespace gridspan::libraries::sparse {
namespace {

/// y = alpha op(A) x + beta y
template <typename T>
cusparseStatus_t multiply_blocks(Handle handle, cusparseOperation_t operation, const T* alpha,
                                 const BlockMatrix<T>& a, const T* x, const T* beta, T* y) {
  Check check(handle);
  check_blocks(check, a, "nb");
  check.operation(operation, "transA").given(alpha, "alpha").given(beta, "beta");
  check.general(a.descriptor, "descrA").given(x, "x").given(y, "y");
  if (check.failed()) return check.status();
  Workspace work(handle->stream);
  Rows rows;
  const cusparseStatus_t status = rows_in(a, operation, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return status_of(launch_product<T>(rows, scalar<T>(handle, alpha), Dense<const T>{x}, false,
                                     scalar<T>(handle, beta), Dense<T>{y}, 1, handle->stream));
}

/// C = alpha op(A) op(B) + beta C, of n columns.
template <typename T>
cusparseStatus_t multiply_blocks(Handle handle, cusparseOperation_t operation,
                                 cusparseOperation_t operation_b, int n, const T* alpha,
                                 const BlockMatrix<T>& a, const T* b, int lead_b, const T* beta,
                                 T* c, int lead_c) {
  Check check(handle);
  check_blocks(check, a, "kb");
  check.operation(operation, "transA").operation(operation_b, "transB").size(n, "n");
  check.given(alpha, "alpha").given(beta, "beta").general(a.descriptor, "descrA");
  if (check.failed()) return check.status();
  const std::int64_t of_rows = std::int64_t{a.rows} * a.size;
  const std::int64_t of_columns = std::int64_t{a.columns} * a.size;
  const std::int64_t depth = is_plain(operation) ? of_columns : of_rows;
  check.lead(lead_b, is_plain(operation_b) ? depth : n, "ldb")
      .lead(lead_c, is_plain(operation) ? of_rows : of_columns, "ldc")
      .given(b, "B")
      .given(c, "C");
  if (check.failed()) return check.status();
  Workspace work(handle->stream);
  Rows rows;
  const cusparseStatus_t status = rows_in(a, operation, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  Dense<const T> right = {b, 1, lead_b};
  if (!is_plain(operation_b)) std::swap(right.down, right.right);
  return status_of(launch_product<T>(
      rows, scalar<T>(handle, alpha), right, operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
      scalar<T>(handle, beta), Dense<T>{c, 1, lead_c}, n, handle->stream));
}

/// Rows of blocks that the mask names.
template <typename T>
cusparseStatus_t multiply_masked(Handle handle, cusparseOperation_t operation, int mask_size,
                                 const T* alpha, const BlockMatrix<T>& a, const int* mask,
                                 const int* ends, const T* x, const T* beta, T* y) {
  Check check(handle);
  check_blocks(check, a, "nb");
  check.operation(operation, "transA").size(mask_size, "sizeOfMask").given(ends, "bsrEndPtr");
  check.that(mask || mask_size <= 0, "bsrMaskPtr").given(alpha, "alpha").given(beta, "beta");
  check.general(a.descriptor, "descrA").given(x, "x").given(y, "y");
  check.supported(is_plain(operation), "transA");
  if (check.failed()) return check.status();
  return status_of(launch_masked_product<T>(blocks_in(a), a.values, mask, mask_size, ends,
                                            scalar<T>(handle, alpha), x, scalar<T>(handle, beta), y,
                                            handle->stream));
}

Check check_dense(Handle handle, cusparseOperation_t operation, int m, int n, int count) {
  return Check(handle).operation(operation, "transA").size(m, "m").size(n, "n").size(count, "nnz");
}

/// y = alpha op(A) x + beta y: the vector is a matrix of one row, times op(A) transposed.
template <typename T>
cusparseStatus_t multiply_dense(Handle handle, cusparseOperation_t operation, int m, int n,
                                const T* alpha, const T* a, int lead, int count, const T* values,
                                const int* indices, const T* beta, T* y,
                                cusparseIndexBase_t index_base) {
  Check check = check_dense(handle, operation, m, n, count);
  check.given(alpha, "alpha").given(a, "A").lead(lead, m, "lda");
  check.that(values || count <= 0, "xVal").that(indices || count <= 0, "xInd");
  check.given(beta, "beta").given(y, "y");
  const bool is_base =
      index_base == CUSPARSE_INDEX_BASE_ZERO || index_base == CUSPARSE_INDEX_BASE_ONE;
  if (check.known(is_base, index_base, "idxBase").failed()) return check.status();
  Workspace work(handle->stream);
  int* const offsets = static_cast<int*>(work.bytes(2 * sizeof(int)));
  if (!offsets) return CUSPARSE_STATUS_ALLOC_FAILED;
  const int base = index_base == CUSPARSE_INDEX_BASE_ONE;
  const cudaError_t error = launch_pair(offsets, base, count + base, handle->stream);
  if (error != cudaSuccess) return status_of(error);
  const bool plain = is_plain(operation);
  const Rows row = {1, plain ? n : m, count, offsets, indices, values, false, false, base, false};
  return status_of(launch_product<T>(
      row, scalar<T>(handle, alpha), {a, plain ? lead : 1, plain ? 1 : lead},
      operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, scalar<T>(handle, beta),
      Dense<T>{y, std::max(plain ? m : n, 1), 1}, plain ? m : n, handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_BLOCK_PRODUCTS(letter, T)                                                         \
  cusparseStatus_t cusparse##letter##bsrmv(                                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,       \
      int mb, int nb, int nnzb, const T* alpha, cusparseMatDescr_t descriptor, const T* values,    \
      const int* offsets, const int* indices, int size, const T* x, const T* beta, T* y) {         \
    return sparse::multiply_blocks<T>(                                                             \
        handle, operation, alpha,                                                                  \
        {direction, mb, nb, nnzb, descriptor, values, offsets, indices, size}, x, beta, y);        \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##bsrxmv(                                                       \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,       \
      int mask_size, int mb, int nb, int nnzb, const T* alpha, cusparseMatDescr_t descriptor,      \
      const T* values, const int* mask, const int* offsets, const int* ends, const int* indices,   \
      int size, const T* x, const T* beta, T* y) {                                                 \
    return sparse::multiply_masked<T>(                                                             \
        handle, operation, mask_size, alpha,                                                       \
        {direction, mb, nb, nnzb, descriptor, values, offsets, indices, size}, mask, ends, x,      \
        beta, y);                                                                                  \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##bsrmm(                                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t operation,       \
      cusparseOperation_t operation_b, int mb, int n, int kb, int nnzb, const T* alpha,            \
      cusparseMatDescr_t descriptor, const T* values, const int* offsets, const int* indices,      \
      const int size, const T* b, const int lead_b, const T* beta, T* c, int lead_c) {             \
    return sparse::multiply_blocks<T>(                                                             \
        handle, operation, operation_b, n, alpha,                                                  \
        {direction, mb, kb, nnzb, descriptor, values, offsets, indices, size}, b, lead_b, beta, c, \
        lead_c);                                                                                   \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gemvi_bufferSize(                                             \
      cusparseHandle_t handle, cusparseOperation_t operation, int m, int n, int nnz, int* size) {  \
    return sparse::give_int_size(sparse::check_dense(handle, operation, m, n, nnz), size);         \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gemvi(cusparseHandle_t handle, cusparseOperation_t operation, \
                                           int m, int n, const T* alpha, const T* a, int lead,     \
                                           int nnz, const T* values, const int* indices,           \
                                           const T* beta, T* y, cusparseIndexBase_t base, void*) { \
    return sparse::multiply_dense<T>(handle, operation, m, n, alpha, a, lead, nnz, values,         \
                                     indices, beta, y, base);                                      \
  }

extern "C" {

GRIDSPAN_BLOCK_PRODUCTS(S, float)
GRIDSPAN_BLOCK_PRODUCTS(D, double)
GRIDSPAN_BLOCK_PRODUCTS(C, cuComplex)
GRIDSPAN_BLOCK_PRODUCTS(Z, cuDoubleComplex)

}  // extern "C"
